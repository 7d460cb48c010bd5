"""What a pattern database is the table of: an abstract domain, by its code and its parameters."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from itertools import groupby
from typing import Any

from bestfirst.claims import PACKAGE, keeps_all
from bestfirst.patterns.code_hashes import HASHES
from bestfirst.patterns.table_code import TableCode, digest_of_data
from bestfirst.problem import Domain

LONG_RUN = 5
"""So many equal items in a row are counted rather than listed, such as the pegs of discs that are all to stand on one."""


@dataclass(frozen=True)
class Identity:
    """An abstract domain. Two of the same identity have the same table.

    domain: the name of its class. source: a hash of what its table is built by (table_code.py), or for a domain of the library what
    code_hashes.py says. parameters: what else makes the domain what it is, as JSON has it.
    """

    domain: str
    source: str
    parameters: Mapping[str, Any]

    @classmethod
    def of(cls, domain: Domain) -> Identity:
        """The identity of an abstract domain. Raises CompileError for one whose table cannot be built, as it does not compile."""
        kind, parameters = type(domain), domain.parameters()
        if _is_of_library(domain):
            return cls.from_parameters(kind, _numbers_and_arrays(domain) if parameters is None else parameters)
        code = TableCode.of(domain)
        return cls(kind.__qualname__, code.digest(), _as_json(_data_of(domain, code) if parameters is None else parameters))

    @classmethod
    def from_parameters(cls, domain: type[Domain], parameters: Mapping[str, Any]) -> Identity:
        """The identity of a domain of a class of the library whose parameters() are these."""
        return cls(domain.__qualname__, HASHES[domain.__qualname__][0], _as_json(parameters))

    def is_made_by(self, source: str) -> bool:
        """Whether code of this hash makes the same table as the code of today."""
        known = HASHES.get(self.domain, ())
        return source == self.source or (self.source in known and source in known)

    def __str__(self) -> str:
        return f"{self.domain} ({described(self.parameters)})"

    @property
    def key(self) -> str:
        """The name of the directory: it stays the same when the code changes, so that an old table is found to be old."""
        text = json.dumps([self.domain, self.parameters], sort_keys=True)
        return f"{self.domain.lower()}-{hashlib.sha256(text.encode()).hexdigest()[:16]}"


def described(parameters: Mapping[str, Any]) -> str:
    """The parameters of an abstract domain on one line."""
    texts = {name: _text(name, value) for name, value in parameters.items()}
    return ", ".join(f"{name} {text}" for name, text in texts.items() if text)


def _text(name: str, value: Any) -> str:
    if isinstance(value, bool):
        return "yes" if value else ""
    if not isinstance(value, list | tuple):
        return str(value)
    if name == "size":
        return "x".join(map(str, value))
    runs = [(str(item), len(list(run))) for item, run in groupby(value)]
    return " ".join(f"{item} x{length}" if length >= LONG_RUN else " ".join([item] * length) for item, length in runs)


def _is_of_library(domain: Domain) -> bool:
    """Whether code_hashes.py says what stands for the code: of a class of the library in which nobody has replaced a method."""
    kind = type(domain)
    return kind.__module__.partition(".")[0] == PACKAGE and kind.__qualname__ in HASHES and keeps_all(domain)


def _as_json(parameters: Mapping[str, Any]) -> dict[str, Any]:
    made: dict[str, Any] = json.loads(json.dumps(dict(parameters)))
    return made


def _numbers_and_arrays(domain: Domain) -> dict[str, Any]:
    """The public numbers of a domain of the library, and a hash of each array; not the start."""
    data: dict[str, Any] = {}
    for name in sorted(name for name in vars(domain) if not name.startswith("_")):
        value = domain.data(name)
        if hasattr(value, "__array_interface__"):  # each has one shape and type
            data[name] = hashlib.sha256(value.tobytes()).hexdigest()[:16]
        elif isinstance(value, int | float):
            data[name] = value
    return data


def _data_of(domain: Domain, code: TableCode) -> dict[str, Any]:
    """The numbers of a domain and a hash of each array: what its methods read, and its public attributes; not the start."""
    kind = type(domain)
    public = {name for name in vars(domain) if not name.startswith("_")}
    worked_out = {name for name in public if isinstance(getattr(kind, name, None), cached_property)}  # once they are read
    data = {name: domain.data(name) for name in sorted((public - worked_out) | set(code.reads))}
    return {
        name: digest_of_data(value)
        for name, value in data.items()
        if hasattr(value, "__array_interface__") or isinstance(value, int | float)
    }

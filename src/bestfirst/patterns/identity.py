"""The identity of a pattern database: an abstract domain, by its code and its parameters."""

from __future__ import annotations

import functools
import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass
from itertools import groupby
from typing import Any

from bestfirst.domain import Domain
from bestfirst.holding import keeps_all
from bestfirst.patterns.abstract_domain import as_abstract
from bestfirst.patterns.code_hashes import HASHES
from bestfirst.patterns.table_code import TableCode, digest_of_data
from bestfirst.vocabulary import PACKAGE

LONG_RUN = 5
"""Runs of at least this many equal items are counted rather than listed, such as the pegs of discs that all go to one
peg."""


@dataclass(frozen=True)
class Identity:
    """An abstract domain. Two with the same identity have the same table.

    domain: the name of its class. source: a hash of what its table is built by (table_code.py), or for a domain of the
    library the entry in code_hashes.py. parameters: everything else that determines the domain, as JSON values.
    """

    domain: str
    source: str
    parameters: Mapping[str, Any]

    @classmethod
    def of(cls, domain: Domain) -> Identity:
        """The identity of an abstract domain. Raises CompileError if its table cannot be built."""
        kind, parameters = type(domain), as_abstract(domain).parameters()
        if _is_of_library(domain):
            return cls.from_parameters(kind, _numbers_and_arrays(domain) if parameters is None else parameters)
        code = TableCode.of(domain)
        return cls(kind.__qualname__, code.digest(), _as_json(_data_of(domain, code) if parameters is None else parameters))

    @classmethod
    def from_parameters(cls, domain: type[Domain], parameters: Mapping[str, Any]) -> Identity:
        """The identity of a domain of a class of the library with these parameters()."""
        return cls(domain.__qualname__, HASHES[domain.__qualname__][0], _as_json(parameters))

    def is_made_by(self, source: str) -> bool:
        """Whether code with this hash makes the same table as the current code."""
        known = HASHES.get(self.domain, ())
        return source == self.source or (self.source in known and source in known)

    def __str__(self) -> str:
        return f"{self.domain} ({described(self.parameters)})"

    @property
    def key(self) -> str:
        """The name of the directory: it does not depend on the code, so that an outdated table is recognised as such."""
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
    """Whether code_hashes.py identifies the code: that of a class of the library in which no method was replaced."""
    kind = type(domain)
    return kind.__module__.partition(".")[0] == PACKAGE and kind.__qualname__ in HASHES and keeps_all(domain)


def _as_json(parameters: Mapping[str, Any]) -> dict[str, Any]:
    made: dict[str, Any] = json.loads(json.dumps(dict(parameters)))
    return made


def _numbers_and_arrays(domain: Domain) -> dict[str, Any]:
    """The public numbers of a domain of the library, and a hash of each array, except the start."""
    data: dict[str, Any] = {}
    for name in sorted(name for name in vars(domain) if not name.startswith("_")):
        value = domain.compiled_value(name)
        if hasattr(value, "__array_interface__"):  # each has one shape and type
            data[name] = hashlib.sha256(value.tobytes()).hexdigest()[:16]
        elif isinstance(value, int | float):
            data[name] = value
    return data


def _data_of(domain: Domain, code: TableCode) -> dict[str, Any]:
    """The numbers of a domain and a hash of each array: those that its methods read, and public attributes, except the start."""
    from bestfirst.compiled.compiler.state_fields import state_fields  # noqa: PLC0415  (it imports the compiler)

    kind = type(domain)
    public = {name for name in vars(domain) if not name.startswith("_")}
    cached = {
        name for name in public if isinstance(getattr(kind, name, None), functools.cached_property)
    }  # there once they were read
    data = {name: domain.compiled_value(name) for name in sorted((public - cached) | set(code.reads))}
    found = {
        name: digest_of_data(value)
        for name, value in data.items()
        if hasattr(value, "__array_interface__") or isinstance(value, int | float) or name in code.reads
    }
    fields = state_fields(domain)
    if any(field.length is not None for field in fields):
        found["State"] = [[field.name, field.length, field.bits] for field in fields]
    return found

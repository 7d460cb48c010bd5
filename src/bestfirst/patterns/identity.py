"""What a pattern database is the table of: an abstract domain, by its code and its parameters."""

from __future__ import annotations

import ast
import hashlib
import inspect
import json
import sys
import textwrap
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from itertools import groupby
from pathlib import Path
from types import ModuleType
from typing import Any

from bestfirst.claims import codes_of, names_in
from bestfirst.domain import Domain
from bestfirst.patterns.abstract_domain import AbstractDomain, as_abstract
from bestfirst.patterns.code_hashes import HASHES
from bestfirst.problem import Problem

TABLE_BASE = "table_base"
LONG_RUN = 5
"""So many equal items in a row are counted rather than listed, such as the pegs of discs that are all to stand on one."""


@dataclass(frozen=True)
class Identity:
    """An abstract domain. Two of the same identity have the same table.

    domain: the name of its class. source: a hash of the code of the class and those that it is made from, without comments and
    docstrings, or for a domain of the library what code_hashes.py says. parameters: what else makes the domain what it is, as
    JSON has it.
    """

    domain: str
    source: str
    parameters: Mapping[str, Any]

    @classmethod
    def of(cls, domain: Domain) -> Identity:
        """The identity of an abstract domain."""
        parameters = as_abstract(domain).parameters()
        return cls.from_parameters(type(domain), _data_of(domain) if parameters is None else parameters)

    @classmethod
    def from_parameters(cls, domain: type[Domain], parameters: Mapping[str, Any]) -> Identity:
        """The identity of a domain of a class whose parameters() are these."""
        return cls(domain.__qualname__, source_digest(domain), json.loads(json.dumps(dict(parameters))))

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


def source_digest(domain: type[Domain]) -> str:
    """What stands for the code of a class: a hash of it, or for a class of the library what code_hashes.py says."""
    is_shipped = _package_of(domain) == _package_of(Domain)
    return HASHES[domain.__qualname__][0] if is_shipped and domain.__qualname__ in HASHES else code_hash(domain)


def code_hash(domain: type[Domain]) -> str:
    """A hash of the code of a class and of what it is made from, as far as that can be found: bases, functions, classes."""
    digest = hashlib.sha256()
    seen: dict[object, None] = {}
    waiting: list[Any] = [domain]
    while waiting:
        thing = waiting.pop()
        if thing in seen or thing in (AbstractDomain, Domain, Problem, object):
            continue
        seen[thing] = None
        tree, names = _code_of(thing)
        digest.update(tree.encode())
        named = {name: _named(sys.modules[thing.__module__], name) for name in names}
        waiting = [base for base in getattr(thing, "__mro__", ())[1:] if _is_part_of(base, thing)] + waiting
        digest.update("".join(f"{name}={value!r};" for name, value in named.items() if _is_constant(value)).encode())
        waiting += [other for other in named.values() if _is_part_of(other, thing)]
    return digest.hexdigest()[:16]


@cache
def _code_of(thing: Any) -> tuple[str, list[str]]:
    """The code of a function or class, without comments and docstrings, and the names in it."""
    try:
        tree = ast.parse(textwrap.dedent(inspect.getsource(thing)))
    except (OSError, TypeError):
        return "", []
    for node in ast.walk(tree):
        _drop_docstring(node)
        _drop_table_base(node)
    return ast.dump(tree), sorted({name for node in ast.walk(tree) if (name := _name_of(node)) is not None})


def _name_of(node: ast.AST) -> str | None:
    """The name that a node is, such as x or module.x."""
    if isinstance(node, ast.Name):
        return node.id
    if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
        return f"{node.value.id}.{node.attr}"
    return None


def _named(module: ModuleType, name: str) -> Any:
    """What a name means at the top of a module; None for what is not there. Of x.y, x must be a module."""
    first, _, rest = name.partition(".")
    found = getattr(module, first, None)
    if not rest:
        return found
    return getattr(found, rest, None) if isinstance(found, ModuleType) else None


def _is_constant(value: object) -> bool:
    """Whether something at the top of a module is a number or a string, or a tuple of such: then it is part of the code."""
    if isinstance(value, tuple):
        return all(map(_is_constant, value))
    return isinstance(value, bool | int | float | str)


def _is_part_of(other: Any, thing: Any) -> bool:
    """Whether what the code of a thing names belongs to it: a function or class of its package, or of other user code."""
    if not (inspect.isfunction(other) or inspect.isclass(other)):
        return False
    if inspect.isclass(other) and issubclass(other, Exception):
        return False
    return _package_of(other) == _package_of(thing) or _is_user_code(other)


def _is_user_code(thing: Any) -> bool:
    """Whether something is neither of this library, nor of Python's, nor of an installed package."""
    package = _package_of(thing)
    if package in sys.stdlib_module_names or package == _package_of(Domain):
        return False
    file = getattr(sys.modules.get(thing.__module__), "__file__", None) or ""
    return not {"site-packages", "dist-packages"} & set(Path(file).parts)


def _package_of(thing: Any) -> str:
    package: str = thing.__module__.partition(".")[0]
    return package


def _drop_docstring(node: ast.AST) -> None:
    body = getattr(node, "body", None)
    if isinstance(body, list) and body and isinstance(body[0], ast.Expr) and isinstance(body[0].value, ast.Constant):
        del body[0]


def _drop_table_base(node: ast.AST) -> None:
    """What does not change the table: how it is compressed."""
    if isinstance(node, ast.ClassDef):
        node.body = [member for member in node.body if getattr(member, "name", "") != TABLE_BASE]


def _data_of(domain: Domain) -> dict[str, Any]:
    """The numbers of a domain and a hash of each array, be they attributes of the object or of a class; not the start."""
    data: dict[str, Any] = {}
    own = {name for name in vars(domain) if not name.startswith("_")}
    is_shipped = _package_of(type(domain)) == _package_of(Domain)  # its arrays have one shape and type: old keys stay valid
    for name in sorted(own | _names_read(domain)):
        value = domain.data(name)
        if hasattr(value, "__array_interface__"):
            head = b"" if is_shipped else f"{value.dtype} {value.shape};".encode()
            data[name] = hashlib.sha256(head + value.tobytes()).hexdigest()[:16]
        elif isinstance(value, int | float):
            data[name] = value
    return data


def _names_read(domain: Domain) -> set[str]:
    """The attributes of a domain that the code of its classes names, apart from those of the library."""
    classes = [kind for kind in type(domain).__mro__ if _package_of(kind) != _package_of(Domain) and kind is not object]
    members = [member for kind in classes for member in vars(kind).values()]
    names = {name for member in members for code in codes_of(member) for name in names_in(code)}
    return {name for name in names if not name.startswith("__") and hasattr(domain, name)}

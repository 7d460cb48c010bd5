"""Which names the members of a class read: in their own code, and in the functions that they call.

Claims depend on it: if a subclass changes `price = 1`, the rules change only if one of them reads `price`.
"""

from __future__ import annotations

import dis
import sys
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from functools import cache
from itertools import pairwise
from types import CodeType, FunctionType, MemberDescriptorType, MethodType, ModuleType
from typing import Any

from bestfirst.cached import cached_property

_NOT_FOLLOWED = sys.stdlib_module_names | {__name__.partition(".")[0], "numpy", "numba"}
"""Packages whose functions read nothing of a user's class by its name."""
_INSIDE = ("__func__", "fget", "func", "__wrapped__", "said")
"""Where methods, properties, partial and decorated functions, and claims keep the function that they call."""


_BY_TEXT = {"setattr", "__setattr__", "__dict__", "vars"}
"""What sets an attribute whose name is given by a text."""
_OF_PYTHON = (classmethod, staticmethod, property, MethodType)


def read_by(kind: type, starts: Iterable[str]) -> set[str]:
    """The names that members of a class read, directly, in what they call, and in what sets what they read."""
    return _Reading(kind, starts).names


def may_read(kind: type, starts: Iterable[str], name: str) -> bool:
    """Whether members of a class may read a name, be it with getattr(), or in something that cannot be looked into."""
    reading = _Reading(kind, starts)
    return reading.is_opaque or name in reading.names or name in reading.texts


def functions_of(member: Any) -> list[FunctionType]:
    """The functions of a method, a property or a claim."""
    return _kept_in(member)


def codes_of(member: Any) -> list[CodeType]:
    """The code objects of a method, a property or a claim."""
    return [function.__code__ for function in _kept_in(member)]


@cache
def names_in(code: CodeType) -> frozenset[str]:
    """All names, including attributes, in a code object and those nested in it."""
    inside = (names_in(constant) for constant in code.co_consts if isinstance(constant, CodeType))
    return frozenset(code.co_names).union(*inside)


@cache
def stored_in(code: CodeType) -> frozenset[str]:
    """The names of the attributes that a code object sets, or may set by setattr(), as a frozen dataclass does."""
    by_name = (str(one.argval) for one in dis.get_instructions(code) if one.opname == "STORE_ATTR")
    return frozenset(by_name) | (_texts_in(code) if _BY_TEXT & set(code.co_names) else frozenset())


@cache
def set_on_classes(code: CodeType) -> frozenset[str]:
    """The names of the attributes that a code object, or one inside, sets on cls, on a global, or on what a call returns.

    So a class or a module sets them; a local variable is rather another object, such as a copy.
    """
    steps = pairwise(dis.get_instructions(code))
    own = {str(one.argval) for before, one in steps if one.opname in ("STORE_ATTR", "DELETE_ATTR") and _is_of_class(before)}
    inside = (set_on_classes(constant) for constant in code.co_consts if isinstance(constant, CodeType))
    return frozenset(own).union(*inside)


def _is_of_class(owner: dis.Instruction) -> bool:
    return not owner.opname.startswith("LOAD_FAST") or owner.argval == "cls"


@cache
def _texts_in(code: CodeType) -> frozenset[str]:
    """The strings in a code object and those nested in it: getattr() and patterns name attributes by them."""
    found: set[str] = set()
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            found |= _texts_in(constant)
        else:
            found |= {part for part in (constant if isinstance(constant, tuple) else (constant,)) if isinstance(part, str)}
    return frozenset(found)


class _Reading:
    """What some members of a class read. is_opaque: something that they call cannot be looked into."""

    def __init__(self, kind: type, starts: Iterable[str]) -> None:
        self.names: set[str] = set()
        self.texts: set[str] = set()
        self.is_opaque = False
        self._kind = kind
        self._waiting = list(starts)
        self._seen: set[int] = set()
        while self._waiting:
            name = self._waiting.pop()
            if name not in self.names:
                self.names.add(name)
                self._read_members(name)

    def _read_members(self, name: str) -> None:
        members = [vars(one)[name] for one in self._kind.__mro__ if name in vars(one)]
        for member in members or self._storing.get(name, ()):
            if not isinstance(member, type):
                self._read(member)

    @cached_property
    def _storing(self) -> Mapping[str, Sequence[Any]]:
        """The methods that set each attribute of the object."""
        found = defaultdict(list)
        for member in (member for one in self._kind.__mro__ for member in vars(one).values()):
            for name in {name for code in codes_of(member) for name in stored_in(code)}:
                found[name].append(member)
        return found

    def _read(self, value: Any) -> None:
        """All functions that are called with a value, if it is something that can be called or does something when read."""
        if id(value) in self._seen:
            return
        self._seen.add(id(value))
        functions = [*_kept_in(value), *_written_in(value)]
        self.is_opaque |= not functions and _is_hidden_code(value)
        for function in functions:
            names = names_in(function.__code__)
            self._waiting += names
            self.texts |= _texts_in(function.__code__)
            for reached in _reached_from(function, names):
                if not (isinstance(reached, type) and issubclass(self._kind, reached)):  # whose members are read by name
                    self._read(reached)


def _kept_in(value: Any) -> list[FunctionType]:
    """The functions of a method, property, partial or decorated function, or claim."""
    if isinstance(value, FunctionType):
        return [value, *_kept_in(value.__dict__.get("__wrapped__"))]
    kind = type(value)
    if kind.__module__ == "builtins" and not isinstance(value, _OF_PYTHON):
        return []  # a number, a text, a table, a class, a function in C
    parts = [getattr(value, part, None) for part in _INSIDE if hasattr(kind, part) or part in _own(value)]
    return [function for part in parts for function in _kept_in(part)]


def _written_in(value: Any) -> Iterator[FunctionType]:
    """The functions of a user's class, or of an object of one, such as a descriptor."""
    kind = value if isinstance(value, type) else type(value)
    if _is_followed(kind.__module__):
        for members in (*map(vars, kind.__mro__), {} if value is kind else _own(value)):
            yield from (
                member for member in members.values() if isinstance(member, FunctionType) and _is_followed(member.__module__)
            )


def _own(value: Any) -> Mapping[str, Any]:
    return getattr(value, "__dict__", {})


def _is_followed(module: object) -> bool:
    return str(module).partition(".")[0] not in _NOT_FOLLOWED


def _is_hidden_code(value: Any) -> bool:
    """Whether a value does what no Python code shows, such as operator.attrgetter(); functions written in C read no names."""
    if isinstance(value, (type, MemberDescriptorType)) or type(value).__module__ in ("builtins", "numpy"):
        return isinstance(value, property)
    return callable(value) or hasattr(type(value), "__get__")


def _reached_from(function: FunctionType, names: frozenset[str]) -> Iterator[Any]:
    """What a function may call by another name than that of a member: helpers in modules, in closures, and in defaults."""
    if not _is_followed(function.__module__):
        return
    for cell in function.__closure__ or ():
        with suppress(ValueError):  # it is empty
            yield cell.cell_contents
    yield from function.__defaults__ or ()
    yield from (function.__kwdefaults__ or {}).values()
    for name in names & function.__globals__.keys():
        value = function.__globals__[name]
        if not isinstance(value, ModuleType):
            yield value
        elif _is_followed(value.__name__):
            yield from (vars(value)[other] for other in names & vars(value).keys())

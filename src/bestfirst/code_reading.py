"""What code objects name: the attributes that they read and set, and the functions in methods, properties and decorators."""

from __future__ import annotations

import dis
from collections.abc import Iterator, Mapping
from functools import cache
from itertools import pairwise
from types import CodeType, FunctionType, MethodType
from typing import Any

INSTALLED = {"site-packages", "dist-packages"}
"""The directories of installed libraries."""
_INSIDE = ("__func__", "fget", "func", "__wrapped__", "said")
"""Where methods, properties, partial and decorated functions, and claims keep the function that they call."""
_OF_PYTHON = (classmethod, staticmethod, property, MethodType)
_BY_TEXT = {"setattr", "__setattr__", "__dict__", "vars"}
"""What sets an attribute whose name is given by a text."""
_READING_BY_TEXT = {"getattr", "hasattr", "attrgetter", "__dict__", "vars"}
"""What reads an attribute whose name is given by a text, or goes on without it."""


def codes_of(member: Any) -> list[CodeType]:
    """The code objects of a method, a property or a claim."""
    return [function.__code__ for function in functions_of(member)]


def functions_of(value: Any) -> list[FunctionType]:
    """The functions of a method, property, partial or decorated function, or claim."""
    if isinstance(value, FunctionType):
        return [value, *functions_of(value.__dict__.get("__wrapped__"))]
    kind = type(value)
    if kind.__module__ == "builtins" and not isinstance(value, _OF_PYTHON):
        return []  # a number, a text, a table, a class, a function in C
    own: Mapping[str, Any] = getattr(value, "__dict__", {})
    parts = [getattr(value, part, None) for part in _INSIDE if hasattr(kind, part) or part in own]
    return [function for part in parts for function in functions_of(part)]


def is_generated(kind: type, function: FunctionType) -> bool:
    """Whether @dataclass wrote a method."""
    written = function.__dict__.get("__wrapped__", function)  # __repr__ has a guard against recursion around it
    return "__dataclass_fields__" in vars(kind) and written.__code__.co_filename == "<string>"


@cache
def names_in(code: CodeType) -> frozenset[str]:
    """All names, including attributes, in a code object and those nested in it."""
    return frozenset(code.co_names).union(*map(names_in, _nested(code)))


@cache
def read_on_object(code: CodeType) -> frozenset[str]:
    """The names of the attributes that a method reads on its object, by name or by text."""
    return _read_on(code, code.co_varnames[0]) | texts_read(code) if code.co_argcount else texts_read(code)


def _read_on(code: CodeType, owner: str) -> frozenset[str]:
    steps = pairwise(dis.get_instructions(code))
    names = {
        str(one.argval) for before, one in steps if one.opname in ("LOAD_ATTR", "LOAD_METHOD") and _loads(before, owner)
    }
    return frozenset(names).union(*(_read_on(inner, owner) for inner in _nested(code)))


def _loads(step: dis.Instruction, owner: str) -> bool:
    """Whether a variable is what an instruction loads; some instructions load two, of which the last one counts."""
    loaded = step.argval[-1] if isinstance(step.argval, tuple) else step.argval
    return step.opname.startswith(("LOAD_FAST", "LOAD_DEREF")) and loaded == owner


@cache
def texts_read(code: CodeType) -> frozenset[str]:
    """The texts in a code object that reads attributes by text, such as getattr(self, "fuel", 9)."""
    return _texts_in(code) if _READING_BY_TEXT & names_in(code) else frozenset()


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
    return frozenset(own).union(*map(set_on_classes, _nested(code)))


def _is_of_class(owner: dis.Instruction) -> bool:
    return not owner.opname.startswith(("LOAD_FAST", "LOAD_DEREF", "LOAD_CLOSURE")) or owner.argval == "cls"


def _texts_in(code: CodeType) -> frozenset[str]:
    """The strings in a code object and those nested in it, also those in tuples."""
    parts = [part for one in code.co_consts for part in (one if isinstance(one, tuple) else (one,))]
    return frozenset(part for part in parts if isinstance(part, str)).union(*map(_texts_in, _nested(code)))


def _nested(code: CodeType) -> Iterator[CodeType]:
    return (constant for constant in code.co_consts if isinstance(constant, CodeType))

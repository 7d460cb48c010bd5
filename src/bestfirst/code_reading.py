"""What code objects name: the attributes that they read and set, and the functions in methods, properties and decorators."""

from __future__ import annotations

import dis
from collections.abc import Iterator, Mapping, Sequence, Set
from contextlib import suppress
from functools import cache
from itertools import pairwise
from types import CodeType, FunctionType, MappingProxyType, MethodType
from typing import Any

INSTALLED = {"site-packages", "dist-packages"}
"""The directories of installed libraries."""
_INSIDE = ("__func__", "fget", "func", "__wrapped__", "said")
"""Where methods, properties, partial and decorated functions, and claims keep the function that they call."""
_OF_PYTHON = (classmethod, staticmethod, property, MethodType)
_READING = ("LOAD_ATTR", "LOAD_METHOD")
_OBJECT, _CLASS, _LOCAL, _PART = "the object", "a class", "a local variable", "a part of something"
_READING_BY_TEXT = {"getattr", "hasattr", "attrgetter", "__dict__", "vars", "dir"}
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


def codes_within(member: Any) -> list[CodeType]:
    """The code objects of a member, and of the functions that decorators without functools.wraps() hide in their closures."""
    found: list[FunctionType] = []
    waiting = functions_of(member)
    while waiting:
        function = waiting.pop()
        if function not in found:
            found.append(function)
            for cell in function.__closure__ or ():
                with suppress(ValueError):  # it is empty
                    waiting += [cell.cell_contents] if isinstance(cell.cell_contents, FunctionType) else []
    return [function.__code__ for function in found]


def parts_of(member: Any) -> Iterator[Any]:
    """A member of a class, and what is in it if it is a table or a class."""
    yield member
    if isinstance(member, dict | MappingProxyType):
        yield from member.values()
    elif isinstance(member, list | tuple):
        yield from member
    elif isinstance(member, type):
        yield from vars(member).values()


def is_generated(kind: type, function: FunctionType) -> bool:
    """Whether @dataclass wrote a method."""
    written = function.__dict__.get("__wrapped__", function)  # __repr__ has a guard against recursion around it
    return "__dataclass_fields__" in vars(kind) and "__create_fn__" in written.__code__.co_qualname


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
    names = {str(one.argval) for before, one in steps if one.opname in _READING and _loads(before, owner)}
    return frozenset(names).union(*(_read_on(inner, owner) for inner in _nested(code)))


def _loads(step: dis.Instruction, owner: str) -> bool:
    """Whether a variable is what an instruction loads; some instructions load two, of which the last one counts."""
    loaded = step.argval[-1] if isinstance(step.argval, tuple) else step.argval
    return step.opname.startswith(("LOAD_FAST", "LOAD_DEREF")) and loaded == owner


@cache
def attributes_in(code: CodeType) -> frozenset[str]:
    """The names of all attributes that code reads, of any object but a text in the code, by name or by text."""
    steps = pairwise(dis.get_instructions(code))
    names = (one.argval for before, one in steps if one.opname in _READING and before.opname != "LOAD_CONST")
    return frozenset(map(str, names)).union(texts_read(code), *map(attributes_in, _nested(code)))


def goes_on_without(code: CodeType) -> bool:
    """Whether a code object may catch the error of a missing attribute."""
    return not names_in(code).isdisjoint(("AttributeError", "NotImplementedError", "Exception", "BaseException"))


@cache
def texts_read(code: CodeType) -> frozenset[str]:
    """The texts in a code object that reads attributes by text, such as getattr(self, "fuel", 9)."""
    by_pattern = any(step.opname == "MATCH_CLASS" for step in dis.get_instructions(code))
    return _texts_in(code) if by_pattern or _READING_BY_TEXT & names_in(code) else frozenset()


@cache
def stored_in(code: CodeType) -> frozenset[str]:
    """The names of the attributes that a method sets on its object, by name or by setattr(), as a frozen dataclass does."""
    by_text = _texts_in(code) if _sets_by_text(code) else frozenset[str]()
    return by_text.union(name for owner, name in _stores(code, _first(code)) if owner == _OBJECT)


def _sets_by_text(code: CodeType) -> bool:
    names = set(code.co_names)
    by_table = {"vars", "__dict__"} & names
    is_set = "update" in names or any(step.opname == "STORE_SUBSCR" for step in dis.get_instructions(code))
    return bool({"setattr", "__setattr__"} & names or (by_table and is_set))


def sets_anything(code: CodeType) -> bool:
    """Whether a code object sets attributes by names that it is given, as in vars(self).update(options)."""
    names = set(code.co_names)
    return ("update" in names and bool({"__dict__", "vars"} & names)) or (
        "items" in names and bool({"setattr", "__setattr__"} & names)
    )


@cache
def set_on_classes(code: CodeType) -> frozenset[str]:
    """The names of the attributes that a code object, or one inside, sets on cls, on type(self), or on a global.

    So a class or a module sets them; a local variable is rather another object, such as a copy.
    """
    return frozenset(name for owner, name in _stores(code, _first(code)) if owner == _CLASS)


def _first(code: CodeType) -> str:
    return code.co_varnames[0] if code.co_argcount else ""


def _stores(code: CodeType, first: str) -> Iterator[tuple[str, str]]:
    """What a code object, and those nested in it, set attributes on, and their names. first: the variable of the object."""
    steps = list(dis.get_instructions(code))
    aliases = {
        str(step.argval) for place, step in enumerate(steps) if step.opname == "STORE_FAST" and _is_class(steps, place - 1)
    }
    for place, step in enumerate(steps):
        if step.opname in ("STORE_ATTR", "DELETE_ATTR"):
            yield _owner_of(steps, _loading(steps, place), first, aliases), str(step.argval)
    for inner in _nested(code):
        yield from _stores(inner, first)


def _is_class(steps: Sequence[dis.Instruction], place: int) -> bool:
    """Whether an instruction ends type(self) or self.__class__."""
    before = [step.argval for step in steps[max(0, place - 4) : place]]
    return steps[place].argval == "__class__" or (steps[place].opname == "CALL" and "type" in before)


def _loading(steps: Sequence[dis.Instruction], place: int) -> int:
    """The place of the instruction that loads the owner of an attribute; in x.y += 1, y is read between it and the setting."""
    if steps[place - 1].opname == "SWAP":
        for before in range(place - 2, 0, -1):
            if steps[before].opname == "COPY" and steps[before + 1].argval == steps[place].argval:
                return before - 1
    return place - 1


def _owner_of(steps: Sequence[dis.Instruction], place: int, first: str, aliases: Set[str]) -> str:
    step = steps[place]
    if step.opname in _READING:
        is_class = step.argval == "__class__" or _owner_of(steps, place - 1, first, aliases) == _CLASS
        return _CLASS if is_class else _PART
    if step.opname in ("LOAD_GLOBAL", "LOAD_NAME") or _is_class(steps, place):
        return _CLASS
    if "LOAD_FAST" not in step.opname and step.opname not in ("LOAD_DEREF", "LOAD_CLOSURE"):
        return _PART  # what a call, or an index, gives
    name = step.argval[-1] if isinstance(step.argval, tuple) else step.argval
    if name in ("cls", "__class__") or name in aliases:
        return _CLASS
    return _OBJECT if name == first else _LOCAL


def _texts_in(code: CodeType) -> frozenset[str]:
    """The strings in a code object and those nested in it, also those in tuples."""
    parts = [part for one in code.co_consts for part in (one if isinstance(one, tuple) else (one,))]
    return frozenset(part for part in parts if isinstance(part, str)).union(*map(_texts_in, _nested(code)))


def _nested(code: CodeType) -> Iterator[CodeType]:
    return (constant for constant in code.co_consts if isinstance(constant, CodeType))

"""The code that a rule runs outside its class: functions of users at module level, in closures, and in other classes and objects.

A rule may leave the reading of its object to them: def is_goal(self, state): return state == helper(self).
"""

from __future__ import annotations

import dis
import os
from collections.abc import Iterable, Iterator
from contextlib import suppress
from functools import cache
from pathlib import Path
from types import CodeType, FunctionType, MethodType, ModuleType
from typing import Any

from bestfirst.code_reading import INSTALLED, functions_of, names_in, parts_of

_LIBRARIES = (f"{Path(os.__file__).parent}{os.sep}", f"{Path(__file__).parent}{os.sep}")
_MOST_PARTS = 1_000
"""Larger tables have data in them rather than functions."""


def called_by(members: Iterable[Any]) -> tuple[list[CodeType], list[type]]:
    """The code objects of members of classes and of the functions of users that they can call; and the classes that these name."""
    waiting = [function for member in members for part in parts_of(member) for function in functions_of(part)]
    found, classes = dict[int, FunctionType](), dict[int, type]()
    while waiting:
        function = waiting.pop()
        if id(function) in found:
            continue
        found[id(function)] = function
        waiting += [value for value in _in_closure(function) if isinstance(value, FunctionType)]  # which it decorates
        for value in _named_in(function):
            if isinstance(value, type):
                classes[id(value)] = value
            waiting += [one for one in _functions_in(value) if _is_users(one.__code__)]
    return [function.__code__ for function in found.values()], list(classes.values())


@cache
def _is_users(code: CodeType) -> bool:
    """Whether code belongs neither to this package, nor to Python, nor to an installed library."""
    return not (code.co_filename.startswith(_LIBRARIES) or INSTALLED & set(Path(code.co_filename).parts))


def _named_in(function: FunctionType) -> Iterator[Any]:
    """What a function can reach by name: values of its module and of its closure, and what is in them."""
    own, code = function.__globals__, function.__code__
    values = [own[name] for name in _globals_of(code) if name in own]
    for value in [*values, *_in_closure(function)]:
        yield value
        if isinstance(value, ModuleType):
            yield from (vars(value)[name] for name in names_in(code) & vars(value).keys())
        elif isinstance(value, dict | list | tuple) and len(value) <= _MOST_PARTS:
            yield from (value if not isinstance(value, dict) else [*value, *value.values()])


def _in_closure(function: FunctionType) -> Iterator[Any]:
    for cell in function.__closure__ or ():
        with suppress(ValueError):  # it is empty
            yield cell.cell_contents


@cache
def _globals_of(code: CodeType) -> frozenset[str]:
    names = (step.argval for step in dis.get_instructions(code) if step.opname in ("LOAD_GLOBAL", "LOAD_NAME"))
    inner = (_globals_of(constant) for constant in code.co_consts if isinstance(constant, CodeType))
    return frozenset(map(str, names)).union(*inner)


def _functions_in(value: Any) -> Iterator[FunctionType]:
    """The functions of a function, of a class, or of the class of an object."""
    if isinstance(value, FunctionType | MethodType):
        yield from functions_of(value)
        return
    kind = value if isinstance(value, type) else type(value)
    if kind.__module__ != "builtins" or kind is value:
        yield from functions_of(value)  # such as a partial function
        yield from (function for member in vars(kind).values() for function in functions_of(member))

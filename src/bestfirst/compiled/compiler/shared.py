"""Shared functions: those that do not depend on a domain are compiled once in a process, however many domains it searches.

They are half of what a search of a domain consists of: the agenda, the hash table, the fields of records.
"""

from __future__ import annotations

import builtins
from types import FunctionType, ModuleType
from typing import TYPE_CHECKING

import numpy as np

from bestfirst.compiled.compiler.code_generation import compiler, inner
from bestfirst.compiled.compiler.intrinsic_code import INTRINSICS, TEMPLATE_BUILTINS
from bestfirst.compiled.compiler.may_compile import is_interpreted

if TYPE_CHECKING:
    from bestfirst.compiled.compiler.numba_types import Dispatcher

MOST_SHARED = 512
"""The number of functions that are kept."""
_SHARED: dict[object, Dispatcher] = {}
_PLAIN = (bool, int, float, str, type(None), np.generic)


def shared(function: FunctionType, *, forceinline: bool = False) -> Dispatcher:
    """Like inner(), but functions with equal code that read equal values become one."""
    if is_interpreted():
        return function
    known = function.__globals__
    reads = {name: known[name] for name in function.__code__.co_names if name in known}
    if not all(_is_shareable(value) for value in reads.values()):
        return inner(function, forceinline=forceinline)
    key = compiler(), function.__code__, forceinline, *((name, _token(value)) for name, value in reads.items())
    if key not in _SHARED:
        if len(_SHARED) >= MOST_SHARED:
            _SHARED.clear()
        own = FunctionType(function.__code__, {**reads, "__builtins__": builtins}, function.__name__)
        _SHARED[key] = inner(own, forceinline=forceinline)
        _SHARED[key].is_shared = True
    return _SHARED[key]


def _is_shareable(value: object) -> bool:
    """Whether equal code may be shared that reads the value: it is the same in each domain, or known by what it is."""
    if type(value) is tuple:
        return all(map(_is_shareable, value))
    if isinstance(value, type):
        return value.__module__ in ("builtins", "numpy")
    if isinstance(value, FunctionType):
        return value in INTRINSICS or value in TEMPLATE_BUILTINS.values()
    return isinstance(value, (*_PLAIN, ModuleType)) or getattr(value, "is_shared", False)


def _token(value: object) -> object:
    """What equal values have in common: 0 and 0.0 are not equal here."""
    if type(value) is tuple:
        return tuple(map(_token, value))
    return (type(value), repr(value)) if isinstance(value, _PLAIN) else value

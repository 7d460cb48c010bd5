"""Shared functions: those that do not depend on a domain are compiled once in a process, however many domains it searches.

They are half of what a search of a domain consists of: the agenda, the hash table, the fields of records. Most of the other
half depends on the domain alone, and serves all searches of it.
"""

from __future__ import annotations

import builtins
from types import FunctionType, ModuleType
from typing import TYPE_CHECKING, Any

import numpy as np

from bestfirst.compiled.compiler.code_generation import compiler, inner
from bestfirst.compiled.compiler.intrinsic_code import INTRINSICS, TEMPLATE_BUILTINS
from bestfirst.compiled.compiler.may_compile import is_interpreted
from bestfirst.compiled.compiler.typing_context import IS_METHOD

if TYPE_CHECKING:
    from bestfirst.compiled.compiler.numba_types import Dispatcher

MOST_SHARED = 512
"""The number of functions that are kept; and of those that depend on a domain."""
_SHARED: dict[object, Dispatcher] = {}
_OF_DOMAINS: dict[object, Dispatcher] = {}
_PLAIN = (bool, int, float, str, type(None), np.generic)


def shared(function: FunctionType, *, forceinline: bool = False) -> Dispatcher:
    """Like inner(), but functions with equal code that read equal values become one."""
    if is_interpreted():
        return function
    known = function.__globals__
    reads = {name: known[name] for name in function.__code__.co_names if name in known}
    if not all(map(_is_of_domain, reads.values())):
        return inner(function, forceinline=forceinline)
    is_shared = all(map(_is_shareable, reads.values()))
    kept = _SHARED if is_shared else _OF_DOMAINS
    if not is_shared and IS_METHOD in known:
        reads[IS_METHOD] = None
    key = compiler(), function.__code__, forceinline, *((name, _token(value)) for name, value in reads.items())
    if key not in kept:
        if len(kept) >= MOST_SHARED:
            kept.clear()
        own = FunctionType(function.__code__, {**reads, "__builtins__": builtins}, function.__name__)
        kept[key] = of_domain(own, forceinline=forceinline)
        kept[key].is_shared = is_shared
    return kept[key]


def of_domain(function: Any, *, forceinline: bool = False) -> Dispatcher:
    """Like inner(), for a function that the caller keeps: shared functions that read it serve all searches of the domain."""
    made = inner(function, forceinline=forceinline)
    made.is_of_domain = True
    return made


def _is_of_domain(value: object) -> bool:
    """Whether equal code may be shared that reads the value, if it need only serve the searches of one domain."""
    if type(value) is tuple:
        return all(map(_is_of_domain, value))
    return isinstance(value, type) or getattr(value, "is_of_domain", False) or _is_shareable(value)


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

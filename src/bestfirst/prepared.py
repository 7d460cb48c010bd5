"""What prepare() and forced() of a domain return, and whether step() takes a prepared value."""

from __future__ import annotations

import inspect
from typing import Any
from weakref import WeakKeyDictionary

from bestfirst.errors import InputError, shown

_NUMBERS = (int, float, bool)
_TAKES: WeakKeyDictionary[Any, bool | None] = WeakKeyDictionary()
"""For the functions of methods, the answers of _takes_third()."""
_REQUIRED, _MOST = 2, 3
"""The number of arguments of step() without a prepared value, and with one."""


def takes_prepared(step: Any) -> bool:
    """Whether step() can be called with a third argument."""
    return _takes_third(step) is not None


def needs_prepared(step: Any) -> bool:
    """Whether step() cannot be called without a third argument."""
    return _takes_third(step) is True


def _takes_third(step: Any) -> bool | None:
    """True if a bound method needs a third argument, False if it takes one, and None if it takes none."""
    function = getattr(step, "__func__", step)
    try:
        return _TAKES[function]
    except (KeyError, TypeError):  # not known yet, or no function
        pass
    try:
        parameters = list(inspect.signature(step).parameters.values())
    except (TypeError, ValueError):
        return None
    by_place = [one for one in parameters if one.kind in (one.POSITIONAL_ONLY, one.POSITIONAL_OR_KEYWORD)]
    takes = None
    if len(by_place) >= _MOST:
        takes = by_place[_REQUIRED].default is inspect.Parameter.empty
    elif any(one.kind is one.VAR_POSITIONAL for one in parameters):
        takes = False
    if inspect.isfunction(function):
        _TAKES[function] = takes
    return takes


def checked_prepared(owner: str, state: Any, value: Any) -> Any:
    """What prepare() returned. Raises InputError unless it is a number, or a tuple of numbers. owner: the class."""
    if type(value) in _NUMBERS or (isinstance(value, tuple) and value and all(type(part) in _NUMBERS for part in value)):
        return value
    raise InputError(
        f"{owner}.prepare({state!r}) returns {shown(value)}; return an int, a float, a bool, or a tuple of at least one of these"
    )


def checked_forced(owner: str, state: Any, action: Any, actions: int) -> int:
    """What forced() returned. Raises InputError unless it is an action or -1. owner: the class. actions: their number."""
    if type(action) is int and -1 <= action < actions:
        return action
    raise InputError(
        f"{owner}.forced({state!r}) returns {shown(action)}; return the only action to be tried, from 0 to {actions - 1}, or -1 "
        "if none is forced"
    )

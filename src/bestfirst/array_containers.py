"""Tuples, lists, dicts, sets and deques on self: arrays and numbers of NumPy in them are found, and are replaced in a copy."""

from __future__ import annotations

import sys
from collections import deque
from collections.abc import Callable, Iterable
from copy import copy
from itertools import chain, islice
from types import FunctionType
from typing import Any

PLAIN = frozenset((int, float, str, bool, type(None)))
_SEQUENCES = (list, deque)
_FILLED_AT_ONCE = (tuple, set, frozenset)
"""Containers that are copied with all their members at once, without a call of the constructor that a subclass may have."""


def is_raw(value: Any) -> bool:
    """Whether a value is an array or a number of NumPy, whose arithmetic is not Python's."""
    numpy: Any = sys.modules.get("numpy")
    return numpy is not None and issubclass(type(value), (numpy.ndarray, numpy.generic)) and is_replaced(value)


def is_replaced(value: Any) -> bool:
    """Whether a value of NumPy is an array, a number, or a record: dates, times and texts stay as they are."""
    return value.ndim > 0 or value.dtype.kind in "biuf" or value.dtype.names is not None


def contains_raw(value: Any, most: int = sys.maxsize) -> bool:
    """Whether a value is a container in which, at any depth, an array or a number of NumPy is found.

    most: all members are looked at if the container and those in it have at most this number together.
    """
    if not is_container(value) or "numpy" not in sys.modules:
        return False
    waiting, seen, left = [value], {id(value)}, 2 * most
    while waiting and left > 1:
        members = list(islice(_members(waiting.pop()), left // 2))
        left -= len(members)
        if set(map(type, members)) <= PLAIN:
            continue
        others = [member for member in members if type(member) not in PLAIN]
        if any(map(is_raw, others)):
            return True
        for member in others:
            if is_container(member) and id(member) not in seen:
                seen.add(id(member))
                waiting.append(member)
    return False


def is_container(value: Any) -> bool:
    """Whether a value is a tuple, list, dict, set, frozenset or deque, also of a subclass such as a NamedTuple or a defaultdict."""
    kind = type(value)
    if kind in PLAIN or not issubclass(kind, (dict, *_SEQUENCES, *_FILLED_AT_ONCE)):
        return False
    return not issubclass(kind, tuple) or kind.__new__ is tuple.__new__ or isinstance(kind.__new__, FunctionType)


def copied(value: Any, part: Callable[[Any], Any], known: dict[int, Any]) -> Any:
    """A container, and those in it, with part(member) in place of each other member. known: the copies so far, by id."""
    if not is_container(value):
        return part(value)
    if id(value) in known:
        return known[id(value)]
    kind = type(value)
    if issubclass(kind, dict):
        made: Any = known.setdefault(id(value), _empty(value))
        for key, member in value.items():
            made[_copied_key(key, part, known)] = copied(member, part, known)
        return made
    if issubclass(kind, _SEQUENCES):
        made = known.setdefault(id(value), _empty(value))
        made.extend(copied(member, part, known) for member in value)
        return made
    copy_member = copied if issubclass(kind, tuple) else _copied_key
    return known.setdefault(id(value), _filled(value, [copy_member(member, part, known) for member in _members(value)]))


def _filled(container: Any, members: list[Any]) -> Any:
    """A tuple or a set of the same type and with the same attributes, and with other members."""
    base: Any = _base(type(container))
    made = base.__new__(type(container), members)
    if base is set:
        set.update(made, members)
    state: Any = object.__getstate__(container)
    for attributes in state if isinstance(state, tuple) else (state,):  # those in slots are apart
        for name, value in (attributes or {}).items():
            object.__setattr__(made, name, value)
    return made


def _base(kind: type) -> type | None:
    return next((base for base in _FILLED_AT_ONCE if issubclass(kind, base)), None)


def _copied_key(key: Any, part: Callable[[Any], Any], known: dict[int, Any]) -> Any:
    """A key or a member of a set, copied if the copy is hashable: the view of a record is not."""
    made = copied(key, part, known)
    return key if made.__hash__ is None else made


def _empty(container: Any) -> Any:
    """A container of the same type, with the same default, greatest length and attributes, and without members."""
    made = copy(container)
    if getattr(container, "__dict__", None) is container:  # a dict whose keys are its attributes
        made.__dict__ = made
    made.clear()
    return made


def _members(container: Any) -> Iterable[Any]:
    if issubclass(type(container), dict):
        return chain.from_iterable(container.items())
    base: Any = _base(type(container))
    members: Iterable[Any] = container if base is None else base.__iter__(container)  # that of a subclass may yield others
    return members

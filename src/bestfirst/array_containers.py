"""Tuples, lists, dicts and sets on self: arrays and numbers of NumPy in them are found, and are replaced in a copy."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable
from itertools import chain, islice
from typing import Any

from bestfirst.array_views import ArrayView

PLAIN = frozenset((int, float, str, bool, type(None)))
_CONTAINERS = frozenset((tuple, list, dict, set, frozenset))


def is_raw(value: Any) -> bool:
    """Whether a value is an array or a number of NumPy, whose arithmetic is not Python's."""
    return hasattr(value, "__array_interface__") and not isinstance(value, ArrayView)


def contains_raw(value: Any, most: int = sys.maxsize) -> bool:
    """Whether a value is a container in which, at any depth, an array or a number of NumPy is found.

    most: the number of members to look at in one container; in those inside it, fewer.
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
    """Whether a value is a tuple, a NamedTuple, a list, a dict or a set."""
    kind = type(value)
    return kind in _CONTAINERS or (kind not in PLAIN and isinstance(value, tuple) and hasattr(value, "_make"))


def copied(value: Any, part: Callable[[Any], Any], known: dict[int, Any]) -> Any:
    """A container, and those in it, with part(member) in place of each other member. known: the copies so far, by id."""
    if not is_container(value):
        return part(value)
    if id(value) in known:
        return known[id(value)]
    kind = type(value)
    if kind is dict:
        made: Any = known.setdefault(id(value), {})
        made.update({copied(key, part, known): copied(member, part, known) for key, member in value.items()})
        return made
    if kind is list:
        made = known.setdefault(id(value), [])
        made.extend(copied(member, part, known) for member in value)
        return made
    members = [copied(member, part, known) for member in value]
    return known.setdefault(id(value), kind._make(members) if hasattr(kind, "_make") else kind(members))


def _members(container: Any) -> Iterable[Any]:
    return chain.from_iterable(container.items()) if type(container) is dict else container

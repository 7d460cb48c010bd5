"""Heuristics made of heuristics: the maximum, a sum with its justification, a multiple."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from math import inf
from typing import Any

from bestfirst.errors import InputError, shown
from bestfirst.heuristics.heuristic import Heuristic, with_parts
from bestfirst.rounding import LARGEST, as_number


def _all(facts: Iterable[bool | None]) -> bool | None:
    """True if all are, None if some are unknown, False if one is known to be false."""
    known = list(facts)
    if all(known):
        return True
    return False if False in known else None


def _all_true(facts: Iterable[bool | None]) -> bool | None:
    """True if all are; otherwise None, since the whole can have a property that a part lacks."""
    return True if all(facts) else None


def _any_preferred(heuristics: Sequence[Heuristic]) -> Callable[[Any], Sequence[Any]] | None:
    """The function that returns the actions that any of them prefers, each once; None if none of them has preferred actions."""
    functions = tuple(heuristic.preferred for heuristic in heuristics if heuristic.preferred is not None)
    if len(functions) <= 1:
        return functions[0] if functions else None

    def preferred(state: Any) -> Sequence[Any]:
        return list(dict.fromkeys(action for function in functions for action in function(state)))

    return preferred


def maximum(*heuristics: Heuristic) -> Heuristic:
    """The largest of several estimates: admissible if all are, consistent if all are.

    Raises InputError without any heuristic.
    """
    if not heuristics:
        raise InputError("max_of() needs at least one heuristic")
    functions = tuple(heuristic.function for heuristic in heuristics)

    def largest(state: Any) -> float:
        return max(function(state) for function in functions)

    return Heuristic(
        with_parts(largest, heuristics),
        f"max({', '.join(heuristic.name for heuristic in heuristics)})",
        admissible=_all(heuristic.admissible for heuristic in heuristics),
        consistent=_all_true(heuristic.consistent for heuristic in heuristics),
        preferred=_any_preferred(heuristics),
    )


def total(*heuristics: Heuristic, because: str) -> Heuristic:
    """The sum of several estimates.

    because: why the sum never overestimates, such as 'no action is counted by two of them'. With an empty string
    the sum is treated as inadmissible.
    Raises InputError without any heuristic.
    """
    if not heuristics:
        raise InputError("sum_of() needs at least one heuristic")
    functions = tuple(heuristic.function for heuristic in heuristics)

    def add_up(state: Any) -> float:
        parts = [as_number(function(state)) for function in functions]
        return inf if inf in parts else min(sum(parts), LARGEST)  # too large for a search, which says so

    justified = bool(because.strip())
    return Heuristic(
        with_parts(add_up, heuristics),
        " + ".join(heuristic.name for heuristic in heuristics),
        admissible=_all(heuristic.admissible for heuristic in heuristics) if justified else False,
        consistent=_all_true(heuristic.consistent for heuristic in heuristics) if justified else None,
        note=because,
        preferred=_any_preferred(heuristics),
    )


def scaled(weight: float, heuristic: Heuristic) -> Heuristic:
    """A multiple of an estimate. With a weight above 1 it may overestimate, and is treated as inadmissible.

    Raises InputError unless the weight is a finite number >= 0.
    """
    if not 0 <= weight < inf:
        raise InputError(f"the weight is {shown(weight)}; use a finite number >= 0")
    function, weight = heuristic.function, as_number(weight)  # a number of NumPy would overflow

    def multiply(state: Any) -> float:
        estimate = as_number(function(state))
        return estimate if estimate == inf else min(weight * estimate, LARGEST)

    shrinks = weight <= 1
    return Heuristic(
        with_parts(multiply, [heuristic]),
        f"{weight:g} * {heuristic.name}",
        admissible=_all_true([heuristic.admissible]) if shrinks else False,
        consistent=_all_true([heuristic.consistent]) if shrinks else None,
        preferred=heuristic.preferred,
    )

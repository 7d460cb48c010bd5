"""The costs of a restated problem: never negative, and added up, they are least for the best solutions of the original one.

Compiled code computes the same (compiled/compiler/restated_methods.py).
"""

from __future__ import annotations

from typing import TypeVar

_N = TypeVar("_N", int, float)

SLACK = 2.0**-40
"""How far below 0, relative to what it is computed from, a difference of floats may lie by rounding."""


def raised(most: _N, cost: _N) -> _N:
    """By how much a cost raises the largest one so far; a cost that is none, such as a negative one, is returned."""
    return _or_zero(cost - most) if cost >= 0 else cost


def lost(before: _N, gain: _N, after: _N) -> _N:
    """What can no longer be gained after an action, though most_gain() promised it. gain: the profit of the action."""
    return _settled(before - gain - after, before, gain, after)


def lost_at_cost(before: _N, cost: _N, after: _N) -> _N:
    """The same, for an action with a cost in place of a profit."""
    return _settled(before + cost - after, before, cost, after)


def _settled(difference: _N, one: _N, other: _N, third: _N) -> _N:
    """A difference; 0 if it is negative by rounding, which ints are not."""
    if -1 < difference < 0 and difference >= -SLACK * (abs(one) + abs(other) + abs(third)):
        return difference - difference
    return difference


def beyond(estimate: _N, most: _N) -> _N:
    """An estimate of the largest cost, as one of how far that is still raised; a negative estimate is returned."""
    return estimate if estimate < 0 else _or_zero(estimate - most)


def _or_zero(difference: _N) -> _N:
    """A difference; 0 if it is negative, also if it is -inf, which tells nothing."""
    return type(difference)(0) if difference <= 0 else difference


def left_over(promised: _N, estimate: _N) -> _N:
    """What will be lost at least, if no more than the estimate can still be gained."""
    return _or_zero(promised - estimate)


def left_over_at_cost(promised: _N, estimate: _N) -> _N:
    """The same, if the estimate is of the costs that are still to come."""
    return _or_zero(promised + estimate)

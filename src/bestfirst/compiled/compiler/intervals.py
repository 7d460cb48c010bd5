"""Intervals: the range of each int expression, so that operations that cannot overflow need no check.

Source: Cousot & Cousot 1977 (abstract interpretation; here without a fixed point: variables that a loop changes are unknown
in it).
"""

from __future__ import annotations

from collections.abc import Callable

Interval = tuple[int, int] | None
"""The smallest and the largest int that a value can be; None if it may be another number, or is unbounded."""

INT64 = -(1 << 63), (1 << 63) - 1
TRUTH = 0, 1
LENGTH = 0, 1 << 40
BITS = 0, 64
FARTHEST_SHIFT = 63
COMPARISONS = frozenset({"eq", "ne", "lt", "le", "gt", "ge", "member"})


def fits(interval: Interval) -> bool:
    """Whether all values are signed 64-bit ints."""
    return interval is not None and INT64[0] <= interval[0] and interval[1] <= INT64[1]


def hull(one: Interval, other: Interval) -> Interval:
    """The range of a value that is one of two."""
    return None if one is None or other is None else (min(one[0], other[0]), max(one[1], other[1]))


def of_binary(operation: str, left: Interval, right: Interval) -> Interval:
    """The range of a binary operation on ints."""
    if operation == "and":
        bounds = [part[1] for part in (left, right) if part is not None and part[0] >= 0]
        return (0, min(bounds)) if bounds else None
    if operation in COMPARISONS:
        return TRUTH
    if left is None or right is None:
        return None
    known = _BINARY.get(operation)
    found = None if known is None else known(left, right)
    return found if fits(found) else None


def _corners(operation: Callable[[int, int], int]) -> Callable[[tuple[int, int], tuple[int, int]], Interval]:
    def of(left: tuple[int, int], right: tuple[int, int]) -> Interval:
        values = [operation(one, other) for one in left for other in right]
        return min(values), max(values)

    return of


def _joined(left: tuple[int, int], right: tuple[int, int]) -> Interval:
    if left[0] < 0 or right[0] < 0:
        return INT64
    return 0, (1 << max(left[1], right[1]).bit_length()) - 1


def _shifted_left(left: tuple[int, int], right: tuple[int, int]) -> Interval:
    if left[0] < 0 or right[0] < 0 or right[1] > FARTHEST_SHIFT:
        return None
    return left[0] << right[0], left[1] << right[1]


def _shifted_right(left: tuple[int, int], right: tuple[int, int]) -> Interval:
    if right[0] < 0:
        return min(left[0], 0), max(left[1], 0)
    near = min(right[0], FARTHEST_SHIFT)
    return (left[0] >> near if left[0] < 0 else 0), (left[1] >> near if left[1] >= 0 else -1)


def _divided(left: tuple[int, int], right: tuple[int, int]) -> Interval:
    if right[0] <= 0:
        return None
    return _corners(lambda one, other: one // other)(left, right)


def _rest(left: tuple[int, int], right: tuple[int, int]) -> Interval:
    del left
    return (0, right[1] - 1) if right[0] > 0 else None


_BINARY: dict[str, Callable[[tuple[int, int], tuple[int, int]], Interval]] = {
    "add": _corners(lambda one, other: one + other),
    "sub": _corners(lambda one, other: one - other),
    "mul": _corners(lambda one, other: one * other),
    "or": _joined,
    "xor": _joined,
    "lshift": _shifted_left,
    "rshift": _shifted_right,
    "floordiv": _divided,
    "mod": _rest,
}


def of_unary(operation: str, interval: Interval) -> Interval:
    """The range of a unary operation on an int."""
    if operation in ("truth", "bool"):
        return TRUTH
    if operation in ("bit_count", "bit_length"):
        return BITS
    if operation == "len":
        return LENGTH
    if interval is None:
        return None
    least, greatest = interval
    if operation == "neg":
        found = -greatest, -least
    elif operation == "invert":
        found = ~greatest, ~least
    elif operation == "abs":
        found = (0 if least <= 0 <= greatest else min(abs(least), abs(greatest))), max(abs(least), abs(greatest))
    elif operation in ("pos", "int", "exact", "count", "round", "whole", "math_floor", "math_ceil", "math_trunc"):
        found = interval
    else:
        return None
    return found if fits(found) else None


def of_extreme(operation: str, intervals: list[Interval]) -> Interval:
    """The range of the maximum or the minimum of some ints."""
    known = [interval for interval in intervals if interval is not None]
    if len(known) < max(2, len(intervals)):
        return None
    choose = max if operation == "max" else min
    return choose(interval[0] for interval in known), choose(interval[1] for interval in known)


def of_dtype(dtype: object) -> Interval:
    """The range of the elements of an array, read as 64-bit ints."""
    kind, size = getattr(dtype, "kind", ""), getattr(dtype, "itemsize", 8)
    if kind == "b":
        return TRUTH
    if kind == "u" and size < 8:
        return 0, (1 << 8 * size) - 1
    if kind == "i":
        return -(1 << 8 * size - 1), (1 << 8 * size - 1) - 1
    return None

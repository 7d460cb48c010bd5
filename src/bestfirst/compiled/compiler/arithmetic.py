"""The operations of a domain's methods: what each means, in Python. the package operations says how it is compiled.

translate.py puts a call of these in the place of every operator, index and built-in function of a method, for compiled code has
ints of 64 bits and arrays of narrow ones where Python has ints of any size. The last argument of each is the site: the place in
the user's code, by which an error is told (Translation.sites). Interpreted templates call them as they stand here.
"""

from __future__ import annotations

import math
import operator
from collections.abc import Callable
from typing import Any


class BeyondWordError(Exception):
    """Raised by interpreted templates where compiled code stops: a value needs more than 64 bits, or has no meaning."""


def _operation(function: Callable[..., Any], name: str) -> Callable[..., Any]:
    """A function of so many operands that is told its site, too."""

    def with_site(*operands: Any) -> Any:
        return function(*operands[:-1])

    with_site.__name__ = with_site.__qualname__ = name
    return with_site


def _plain(value: Any) -> Any:
    """A number of NumPy as Python's; anything else as it is."""
    return value.item() if hasattr(value, "dtype") and getattr(value, "ndim", 0) == 0 else value


def _item(container: Any, index: Any) -> Any:
    return _plain(container[index[0] if len(index) == 1 else tuple(map(operator.index, index))])


def _unpacked(values: Any, count: int) -> Any:
    found = tuple(_plain(value) for value in values)
    if len(found) != count:
        raise ValueError(f"{count} values were to be unpacked, and there are {len(found)}")
    return found


def _field(value: Any) -> int:
    number = operator.index(value)
    return number - (1 << 64) if number >= 1 << 63 else number


def _word(value: int) -> int:
    return value % (1 << 64)


def _bound(value: Any, is_bound: bool) -> Any:
    if not is_bound:
        raise UnboundLocalError("a variable is read that has no value yet")
    return value


def _greatest(*values: Any) -> Any:
    return max(values[0]) if len(values) == 1 else max(values)


def _checked_place(place: int, length: int) -> int:
    if not 0 <= place < length:
        raise IndexError(f"there is no entry {place} in a table of {length}")
    return place


def _least(*values: Any) -> Any:
    return min(values[0]) if len(values) == 1 else min(values)


def _same(value: Any) -> Any:
    return value


BINARY = {
    "add": operator.add,
    "sub": operator.sub,
    "mul": operator.mul,
    "truediv": operator.truediv,
    "floordiv": operator.floordiv,
    "mod": operator.mod,
    "pow": operator.pow,
    "lshift": operator.lshift,
    "rshift": operator.rshift,
    "and": operator.and_,
    "or": operator.or_,
    "xor": operator.xor,
    "eq": operator.eq,
    "ne": operator.ne,
    "lt": operator.lt,
    "le": operator.le,
    "gt": operator.gt,
    "ge": operator.ge,
    "member": lambda one, other: one in (other,),
    "divmod": divmod,
}
"""Of two operands."""
OTHERS = {
    "neg": operator.neg,
    "pos": operator.pos,
    "invert": operator.invert,
    "abs": abs,
    "int": int,
    "float": float,
    "bool": bool,
    "truth": bool,
    "round": round,
    "max": _greatest,
    "min": _least,
    "len": len,
    "bit_count": int.bit_count,
    "bit_length": int.bit_length,
    "item": _item,
    "unpacked": _unpacked,
    "element": _plain,
    "exact": _same,
    "count": operator.index,
    "whole": operator.index,
    "field": _field,
    "word": _word,
    "bound": _bound,
    "place": _checked_place,
    "within": lambda value, least, beyond: value,  # noqa: ARG005
    "shaped": lambda array, shape: array,  # noqa: ARG005
    "low": _same,
    "accumulate": operator.add,
    "decumulate": operator.sub,
    "span": lambda start, stop: None,  # noqa: ARG005
    "elements": _same,
    "checked": lambda: None,
    "summand": _same,
}
"""
element: what a loop over an array gives. unpacked: the values of several variables.
exact: a value that must be known as a whole, not only its lowest 64 bits. low: one that is known to have no more.
count: an int for range. whole: a field of a new state; field: one of 64 bits, as its word.
word: a word as the non-negative int of 64 bits that it holds.
bound: a variable that may have no value yet, and whether it has one.
place: an index that counts from 0. within: an int that is known to lie in least .. beyond - 1.
shaped: an array that is known to have a shape.
accumulate, decumulate: a sum or difference that is known to have no more than 64 bits, or of floats.
span: that a range is not longer than 64 bits can count. elements: what a loop goes through.
summand: an estimate, of which floats hold the sums with costs, and with a weight, if it is an int.
checked: at the end of a loop in which tests were deferred, stop if one of them failed.
"""

MATH = {
    name: getattr(math, name)
    for name in [
        "sqrt",
        "exp",
        "expm1",
        "log",
        "log1p",
        "log2",
        "log10",
        "sin",
        "cos",
        "tan",
        "asin",
        "acos",
        "atan",
        "sinh",
        "cosh",
        "tanh",
        "asinh",
        "acosh",
        "atanh",
        "atan2",
        "fmod",
        "pow",
        "copysign",
        "fabs",
        "floor",
        "ceil",
        "trunc",
        "degrees",
        "radians",
        "isnan",
        "isinf",
        "isfinite",
    ]
}
"""The functions of math that compiled code has, with the very results of Python's (which works out math.hypot in its own way)."""
MATH_CONSTANTS = ("pi", "e", "tau", "inf", "nan")

PREFIX = "bf_"
"""Of the names by which translated methods call them; users' own names are left as they are, so these must not be among them."""

_MEANINGS = {**BINARY, **OTHERS, **{f"math_{name}": function for name, function in MATH.items()}}


def _operations(ending: str) -> dict[str, Callable[..., Any]]:
    made = {}
    for name, function in _MEANINGS.items():
        operation = made[PREFIX + name] = _operation(function, f"{PREFIX}{name}{ending}")
        globals()[operation.__name__] = operation  # Numba looks for what it is told of in its module
    return made


OPERATIONS = _operations("")
"""By those names."""
UNCHECKED = _operations("_unchecked")
"""The same for domains that are `unchecked`: compiled, they test nothing."""
DEFERRED_ENDING = "_deferred"
DEFERRED = _operations(DEFERRED_ENDING)
"""The same within a loop at whose end the tests are looked at, so that the processor can make several turns of it at once."""
DEFERRABLE = frozenset(
    [
        "add",
        "sub",
        "mul",
        "lshift",
        "rshift",
        "neg",
        "abs",
        "and",
        "or",
        "xor",
        "eq",
        "ne",
        "lt",
        "le",
        "gt",
        "ge",
        "member",
        "max",
        "min",
        "truth",
        "exact",
        "bit_count",
        "bit_length",
    ]
)
"""Those that do no harm where they have no answer."""

"""The operations of a domain's methods: their meaning, in Python. The package operations contains their machine code.

translate.py replaces every operator, index and built-in function of a method with a call of these, since compiled code has
64-bit ints and arrays of narrow ones where Python has ints of any size. The last argument of each is the site: the place in
the user's code that error messages name (Translation.sites). Interpreted templates call them as they are here.
"""

from __future__ import annotations

import math
import operator
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any, TypeAlias, TypeVar

from bestfirst.number_sets import members
from bestfirst.state_packing import WORD, StateField

Operation: TypeAlias = Callable[..., Any]
"""An operation of Python, as a function."""
Operand: TypeAlias = Any
"""A number, a state, an array, or a tuple of such."""
T = TypeVar("T")


class BeyondWordError(Exception):
    """Raised by interpreted templates where compiled code stops: a value needs more than 64 bits, or is undefined."""


def _operation(function: Operation, name: str) -> Operation:
    """The function with one more argument, its site."""

    def with_site(*operands: object) -> object:
        return function(*operands[:-1])

    with_site.__name__ = with_site.__qualname__ = name
    return with_site


def _plain(value: Operand) -> Operand:
    """A NumPy scalar as a Python number; other values unchanged."""
    return value.item() if hasattr(value, "dtype") and getattr(value, "ndim", 0) == 0 else value


def _item(container: Operand, index: Sequence[Operand]) -> Operand:
    return _plain(container[index[0] if len(index) == 1 else tuple(map(operator.index, index))])


def _unpacked(values: Iterable[Operand], count: int) -> tuple[Operand, ...]:
    found = tuple(_plain(value) for value in values)
    if len(found) != count:
        raise ValueError(f"expected {count} values to unpack, got {len(found)}")
    return found


def _field(value: int) -> int:
    number = operator.index(value)
    return number - (1 << 64) if number >= 1 << 63 else number


def _word(value: int) -> int:
    return value % (1 << 64)


def _bound(value: T, is_bound: bool) -> T:
    if not is_bound:
        raise UnboundLocalError("a variable is read before it has a value")
    return value


def _greatest(*values: Operand) -> Operand:
    return max(values[0]) if len(values) == 1 else max(values)


def _checked_place(place: int, length: int) -> int:
    if not 0 <= place < length:
        raise IndexError(f"index {place} is out of range for a table of {length} entries")
    return place


def _least(*values: Operand) -> Operand:
    return min(values[0]) if len(values) == 1 else min(values)


def _same(value: T) -> T:
    return value


def _listed(values: Iterable[T]) -> tuple[T, ...]:
    return tuple(_plain(value) for value in values)


def _replaced(values: Sequence[T], index: int, value: T) -> tuple[T, ...]:
    changed = list(values)
    changed[operator.index(index)] = value
    return tuple(changed)


def _members(values: Sequence[int], length: int, bits: int) -> tuple[int, ...]:
    members = tuple(map(operator.index, values))
    if len(members) != length or (bits < WORD and any(member >> bits for member in members)):
        raise BeyondWordError(f"{values!r} is not a tuple of {length} ints of {bits} bits")
    return members


def _tuple_from(words: Sequence[int], length: int, bits: int) -> Operand:
    return StateField("", length, bits, 0).unpacked([int(word) for word in words])


def _wide_from(words: Sequence[int], bits: int) -> int:
    return sum(_word(int(word)) << number * WORD for number, word in enumerate(words)) % (1 << bits)


def _wide_word(value: int, number: int) -> int:
    return _field(value >> number * WORD & (1 << WORD) - 1)


def _members_of(value: int) -> Iterator[int]:
    if value < 0:
        raise BeyondWordError(f"{value} is negative, so it is not a set")
    return members(value)


def _word_at(values: Sequence[int], number: int, length: int, bits: int) -> int:
    return StateField("", length, bits, 0).packed(values)[number]


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
"""Operations with two operands."""
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
    "finite": _same,
    "addend": _same,
    "index": operator.index,
    "state": _same,
    "no_array": _same,
    "listed": _listed,
    "replaced": _replaced,
    "among": lambda value, values: value in values,
    "place_of": lambda values, value: values.index(value),
    "times": lambda values, value: values.count(value),
    "members": _members,
    "tuple_from": _tuple_from,
    "word_at": _word_at,
    "wide": lambda value, bits: operator.index(value),  # noqa: ARG005
    "wide_field": lambda value, bits: operator.index(value),  # noqa: ARG005
    "wide_from": _wide_from,
    "wide_at": lambda array, bits: _wide_from(array.tolist(), bits),
    "wide_word": _wide_word,
    "narrow": _same,
    "wide_fits": lambda value, bits: value >> bits == 0,
    "bits_of": _members_of,
    "tuple_at": lambda array, length: tuple(array[:length].tolist()),
}
"""
element: an element of an array in a loop. unpacked: the values of several variables.
exact: a value that must be known completely, not only its lowest 64 bits. low: one that is known to fit into 64 bits.
count: an int for range. whole: a field of a new state; field: one of 64 bits, as its word.
word: a word as the non-negative 64-bit int that it holds.
bound: a variable that may be unbound, and whether it is bound.
place: an index that counts from 0. within: an int that is known to lie in least .. beyond - 1.
shaped: an array of known shape.
accumulate, decumulate: a sum or difference that is known to fit into 64 bits, or of floats.
span: checks that the length of a range fits into 64 bits. elements: the iterable of a loop.
finite: a float estimate that is infinite, or small enough for sums that are not.
summand: an estimate that is infinite, or small enough for exact sums with costs as floats; if it is an int, weighted too.
addend: an int that sum() adds. index: an argument that must be an int. state: what must be a state.
no_array: what must not be an array.
listed: the elements of a new list or tuple. replaced: a copy with another element. among: whether a value is an element.
place_of, times: where a tuple has a value first, and how often. members: a tuple as a field of a new state.
tuple_from: a tuple of ints in words; word_at: one of its words; tuple_at: one in an array.
wide: an int as one of more than 64 bits; wide_field: as a field of a new state; wide_from: from its words; wide_at: from those in
an array; wide_word: one of its words; narrow: a result
without wide ints besides the state's; wide_fits: whether it is in 0 .. 2**bits - 1.
bits_of: the members of a set that is an int.
checked: at the end of a loop with deferred checks, stop if one of them failed.
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
"""The functions of math in compiled code, with exactly Python's results (math.hypot, which Python computes in its own way,
is missing)."""
MATH_CONSTANTS = ("pi", "e", "tau", "inf", "nan")

PREFIX = "bf_"
"""The prefix of the operations' names in translated methods; names of users must not begin with it."""

_MEANINGS = {**BINARY, **OTHERS, **{f"math_{name}": function for name, function in MATH.items()}}


def _operations(ending: str) -> dict[str, Operation]:
    made = {}
    for name, function in _MEANINGS.items():
        operation = made[PREFIX + name] = _operation(function, f"{PREFIX}{name}{ending}")
        globals()[operation.__name__] = operation  # Numba looks names up in the function's module
    return made


OPERATIONS = _operations("")
"""The operations by those names."""
UNCHECKED = _operations("_unchecked")
"""The operations of `unchecked` domains by those names: when compiled, they check nothing."""
DEFERRED_ENDING = "_deferred"
DEFERRED = _operations(DEFERRED_ENDING)
"""The operations within a loop with deferred checks, so that the processor can run several iterations at once."""
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
"""The operations that are safe to call even if they have no result."""

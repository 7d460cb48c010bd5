"""Permutations of 1 .. count, for counts up to 12, and their ranks, in code that compiles.

A permutation is an int of 4 bits for each place, the first place lowest. Its Lehmer code has, for each place, a digit: how
many of the later items are smaller. The digits in the mixed radix count, count - 1, ..., 1 are the permutation's
rank in lexicographic order; their sum is even if and only if the permutation is even.

    permutation  3 1 4 2     as an int  0x2413
    digits       2 0 1 0     as an int  0x0102     number  2 * 3! + 0 * 2! + 1 * 1! + 0 = 13

Source: Lehmer 1960; Knuth, The Art of Computer Programming 4A, 7.2.1.2. The remaining items are kept in the 4-bit fields of
one int, so each place takes a handful of instructions.
"""

from __future__ import annotations

from math import factorial

MOST_ITEMS = 12

_ONES = 0x1111_1111_1111_0
"""A one in the field of each item 1 .. 12."""
_SMALLER = 0xBA98_7654_3210_0
"""In the field of each item: the number of smaller items."""
_ITEMS = 0xCBA9_8765_4321
"""The items in order."""
_FRACTION = 58
"""More than the bits of (12!)**2, yet 12 times such a fraction fits into 64 bits."""
_BELOW_ONE = (1 << _FRACTION) - 1


def permutation_rank(permutation: int, count: int) -> int:
    """The rank of a permutation, in 0 .. count! - 1. The last two places decide the lowest bit."""
    rank = 0
    smaller = _SMALLER
    for place in range(count):
        item = (permutation >> (4 * place)) & 15
        rank = rank * (count - place) + ((smaller >> (4 * item)) & 15)
        smaller -= _ONES & (-16 << (4 * item))  # the item is used: one fewer smaller item for all larger ones
    return rank


def lehmer_digits(rank: int, count: int, scale: int) -> int:
    """The Lehmer code of the permutation with this rank, 4 bits for each digit, that of the first place lowest.

    scale: the result of scale_for(count). No division is needed: rank / count!, as a fraction of _FRACTION bits, times count
    has the first digit as its integer part; the remainder times count - 1 has the second one; and so on.
    """
    digits = 0
    fraction = rank * scale
    for place in range(count):
        fraction *= count - place
        digits |= (fraction >> _FRACTION) << (4 * place)
        fraction &= _BELOW_ONE
    return digits


def scale_for(count: int) -> int:
    """1 / count! as a fraction of _FRACTION bits, rounded up by less than one unit, so that rank / count! is off by less
    than 1 / count!."""
    return (1 << _FRACTION) // factorial(count) + 1


def is_odd(digits: int) -> int:
    """1 for the Lehmer code of an odd permutation, 0 for that of an even one."""
    ones = digits ^ (digits >> 32)
    ones ^= ones >> 16
    ones ^= ones >> 8
    ones ^= ones >> 4
    return ones & 1


def permutation_of(digits: int, count: int) -> int:
    """The permutation of a Lehmer code."""
    permutation = 0
    left = _ITEMS
    for place in range(count):
        field = 4 * ((digits >> (4 * place)) & 15)
        permutation |= ((left >> field) & 15) << (4 * place)
        before = (1 << field) - 1
        left = (left & before) | ((left >> 4) & ~before)  # close the gap
    return permutation

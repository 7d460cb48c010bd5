"""Numbers for sets of cells, and for the arrangement of tiles on them: the indices of pattern database tables.

The sets of k of n cells are numbered as n-bit masks in ascending order of their upper half, then of their lower half:

    number of a mask = start[k, upper half] + within[lower half]

where `within` counts the smaller halves with the same number of ones. The tiles on a set occupy its slots, 0 the lowest
cell; the slots of tile 0, 1, ..., k - 1 are a permutation, whose rank is that in lexicographic order.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations, permutations
from math import comb, factorial
from typing import Any

import numpy as np


@dataclass(frozen=True)
class SetNumbers:
    """The tables that number the masks with a given number of ones among a number of cells.

    low_bits: the number of bits in the lower half. start, within: see their docstrings.
    """

    cells: int
    ones: int

    @property
    def count(self) -> int:
        """The number of sets."""
        return comb(self.cells, self.ones)

    @property
    def low_bits(self) -> int:
        return (self.cells + 1) // 2

    def within(self) -> Any:
        """For each lower half, how many smaller halves have the same number of ones, regardless of the size of the sets."""
        ones = _ones_in(self.low_bits)
        within = np.zeros(len(ones), np.int32)
        for count in range(self.low_bits + 1):
            same = np.flatnonzero(ones == count)
            within[same] = np.arange(len(same))
        return within

    def start(self) -> Any:
        """The number of the first mask of each upper half."""
        left = self.ones - _ones_in(self.cells - self.low_bits)
        masks = np.array([comb(self.low_bits, int(count)) if count >= 0 else 0 for count in left], np.int64)
        return np.concatenate(([0], np.cumsum(masks)[:-1])).astype(np.int32)

    def cells_of_sets(self) -> Any:
        """The cells of each set, ascending, by number of the set."""
        sets = np.array(list(combinations(range(self.cells), self.ones)), np.int64)
        ordered = np.empty_like(sets)
        ordered[self.numbers_of((np.int64(1) << sets).sum(axis=1))] = sets
        return ordered

    def numbers_of(self, masks: Any) -> Any:
        """The numbers of an array of masks."""
        low = (1 << self.low_bits) - 1
        return self.start()[masks >> self.low_bits] + self.within()[masks & low]


def _ones_in(bits: int) -> Any:
    """How many ones each number of up to `bits` bits has."""
    ones = np.zeros(1, np.int64)
    for _ in range(bits):
        ones = np.concatenate([ones, ones + 1])
    return ones


def shifted_orders(count: int) -> Any:
    """For slot i, slot j, and a permutation of `count` tiles over the slots, the permutation after the tile in slot i moves
    to slot j.

    The tiles between the two slots close up. Permutations are given by rank, in an array of count x count x count!.
    """
    slots = np.array(list(permutations(range(count))), np.int8).reshape(factorial(count), count)
    swapped = [
        _permutation_numbers(np.where(slots == slot, slot + 1, np.where(slots == slot + 1, slot, slots)))
        for slot in range(count - 1)
    ]
    numbers = np.arange(len(slots), dtype=np.int32)
    shifted = np.empty((count, count, len(slots)), np.int32)
    for source in range(count):
        for targets, step in ((range(source, count), 0), (range(source, -1, -1), -1)):
            now = numbers
            for target in targets:
                shifted[source, target] = now
                if target != targets[-1]:
                    now = swapped[target + step][now]  # the tile swaps places with that in the next slot
    return shifted


def _permutation_numbers(slots: Any) -> Any:
    """The rank of each row, a permutation, in lexicographic order."""
    numbers = np.zeros(len(slots), np.int32)
    count = slots.shape[1]
    for place in range(count):
        smaller = (slots[:, place + 1 :] < slots[:, place : place + 1]).sum(axis=1)
        numbers = numbers * (count - place) + smaller
    return numbers.astype(np.int32)

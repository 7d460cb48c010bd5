"""Nim: take any number of objects from one heap; the player who takes the last one wins (or loses, in the misère game).

A state is the sizes of the heaps, a few bits each, the first heap lowest. Moves are numbered heap by heap: with heaps of up
to 21, the moves 0 .. 20 take 1 .. 21 from the first heap, 21 .. 41 from the second. A move is written heap-count: 2-3 takes
three from the second heap. A position is written as the sizes of its heaps: 3 4 5.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import reduce
from operator import xor
from typing import NamedTuple

from bestfirst.arguments import check_bool, check_kind
from bestfirst.errors import InputError, counted, shown
from bestfirst.games.domain import GameDomain

MOST_MOVES = 63
"""Bits of a move set in a game that can be compiled."""
MOST_THINGS = 1_000_000
"""Maximum number of heaps times the size of the largest: each move is a bit."""


class Heaps(NamedTuple):
    """The sizes of all heaps as one int."""

    sizes: int


class Nim(GameDomain):
    """Nim with the given heaps; moves are tried heap by heap, the smallest first.

    misere: whether the player who takes the last object loses. largest: the size of the largest possible heap.
    It can be compiled if the number of heaps times `largest` is at most 63.
    Raises InputError for heaps that are not whole numbers >= 0, and if the number of heaps times `largest` exceeds
    1,000,000.
    Source: Bouton 1901.
    """

    State = Heaps
    key_merges = True

    _settled_for_good = frozenset({"misere", "heaps", "largest", "width"})

    def __init__(self, heaps: str | tuple[int, ...] = (3, 4, 5), *, misere: bool = False) -> None:
        check_bool("misere", misere)
        self.misere = misere
        sizes = _read_heaps(heaps)
        self.heaps = len(sizes)
        self.largest = max(*sizes, MOST_MOVES // self.heaps, 1)
        self.width = self.largest.bit_length()
        self.sign = 1 if misere else -1
        self.mover_never_loses = not misere
        self.initial = self.position(sizes)

    @classmethod
    def from_options(cls, *, heaps: str = "3 4 5", misere: str = "no") -> Nim:
        if misere not in ("yes", "no"):
            raise InputError(f"misere is {shown(misere)}; use yes or no")
        return cls(heaps, misere=misere == "yes")

    def domain(self) -> GameDomain | None:
        return super().domain() if self.heaps * self.largest <= MOST_MOVES else None

    def position(self, sizes: tuple[int, ...]) -> Heaps:
        """The state with heaps of these sizes. Raises InputError for more or larger heaps than the game allows."""
        if len(sizes) > self.heaps or max(sizes) > self.largest:
            listed = " ".join(map(str, sizes))
            raise InputError(
                f"the heaps are {listed!r}, but this game allows at most {counted(self.heaps, 'heap')} of at most {self.largest}; "
                f"write Nim({listed!r}), or --heaps {listed!r}"
            )
        return Heaps(sum(size << heap * self.width for heap, size in enumerate(sizes)))

    def sizes(self, state: Heaps) -> tuple[int, ...]:
        """The sizes of the heaps."""
        return tuple(state.sizes >> heap * self.width & (1 << self.width) - 1 for heap in range(self.heaps))

    def legal(self, state: Heaps) -> int:
        moves, mask = 0, (1 << self.width) - 1
        for heap in range(self.heaps):
            moves |= (1 << (state.sizes >> heap * self.width & mask)) - 1 << heap * self.largest
        return moves

    def play(self, state: Heaps, move: int) -> Heaps:
        return Heaps(state.sizes - (move % self.largest + 1 << move // self.largest * self.width))

    def is_over(self, state: Heaps) -> bool:
        return state.sizes == 0

    def score(self, state: Heaps) -> int:
        del state
        return self.sign

    def key(self, state: Heaps) -> int:
        """The heaps sorted by size, because their order is irrelevant."""
        ordered, last, mask = 0, 0, (1 << self.width) - 1
        for _ in range(self.heaps):  # one pass for the heaps of each next greater size
            following = 0
            for heap in range(self.heaps):
                size = state.sizes >> heap * self.width & mask
                if size > last and (following == 0 or size < following):
                    following = size
            if following == 0:
                break
            for heap in range(self.heaps):
                if state.sizes >> heap * self.width & mask == following:
                    ordered = ordered << self.width | following
            last = following
        return ordered

    def nim_sum(self, state: Heaps) -> int:
        """The exclusive or of the sizes: the side to move loses the normal game if and only if it is 0."""
        return reduce(xor, self.sizes(state), 0)

    def format(self, state: Heaps) -> str:
        return " ".join(map(str, self.sizes(state)))

    def draw(self, state: Heaps) -> str:
        return "\n".join(f"{heap}  {'|' * size}".rstrip() for heap, size in enumerate(self.sizes(state), start=1))

    def format_move(self, state: Heaps, move: int) -> str:
        del state
        heap, count = divmod(move, self.largest)
        return f"{heap + 1}-{count + 1}"

    def parse(self, text: str) -> Heaps:
        """Read heaps, such as 3 4 5, or the moves played from the start, such as 1-2 3-1."""
        if "-" in text or not text.strip():
            return super().parse(text)  # type: ignore[no-any-return]
        return self.position(_read_heaps(text))

    def __repr__(self) -> str:
        return f"Nim({self.sizes(self.initial)}{', misere=True' if self.misere else ''})"


def _read_heaps(heaps: str | tuple[int, ...]) -> tuple[int, ...]:
    check_kind("heaps", heaps, Iterable, "the size of each, such as (3, 4, 5)")
    words = heaps.replace(",", " ").split() if isinstance(heaps, str) else list(heaps)
    if not words or not all(_is_whole(word) for word in words):
        raise InputError(f"the heaps are {shown(heaps)}; write the size of each heap, such as 3 4 5")
    sizes = tuple(map(_read_size, words))
    if len(sizes) * max(sizes) > MOST_THINGS:
        raise InputError(
            f"the number of heaps ({len(sizes):,}) times the size of the largest ({max(sizes):,}) is too large; "
            f"use a product of at most {MOST_THINGS:,}"
        )
    return sizes


def _is_whole(word: object) -> bool:
    if type(word) is int:  # str() fails for ints of thousands of digits
        return word >= 0
    return str(word).isdecimal()


def _read_size(word: object) -> int:
    """The size of a heap; raises InputError for one that is too large, before its digits are converted."""
    is_too_large = word > MOST_THINGS if type(word) is int else len(str(word).lstrip("0")) > len(str(MOST_THINGS))
    if is_too_large:
        raise InputError(f"a heap is larger than {MOST_THINGS:,}; write sizes in 0 .. {MOST_THINGS:,}")
    return word if type(word) is int else int(str(word).lstrip("0") or "0")

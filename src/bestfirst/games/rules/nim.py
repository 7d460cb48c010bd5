"""Nim: take any number of things from one heap; whoever takes the last one wins (or loses, in the misère game).

A state is the sizes of the heaps. A move is (heap, how many), with heaps counted from 1, and is written heap-count: 2-3 takes
three from the second heap. A position is written as the sizes of its heaps: 3 4 5.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import reduce
from operator import xor
from typing import TypeAlias

from bestfirst.errors import InputError
from bestfirst.games.game import Game

Heaps: TypeAlias = tuple[int, ...]


class Nim(Game):
    """Nim with the heaps given; moves are tried heap by heap, the smallest first.

    misere: whoever takes the last one loses. Raises InputError for heaps that are no whole numbers >= 0.
    Source: Bouton 1901.
    """

    def __init__(self, heaps: str | Heaps = (3, 4, 5), *, misere: bool = False) -> None:
        self.misere = misere
        self.initial = _read_heaps(heaps)

    @classmethod
    def from_options(cls, *, misere: str = "no") -> Nim:
        if misere not in ("yes", "no"):
            raise InputError(f"misere is {misere!r}; write yes or no")
        return cls(misere=misere == "yes")

    def moves(self, state: Heaps) -> Iterator[tuple[int, int]]:
        for heap, size in enumerate(state, start=1):
            for count in range(1, size + 1):
                yield heap, count

    def play(self, state: Heaps, move: tuple[int, int]) -> Heaps:
        heap, count = move
        return (*state[: heap - 1], state[heap - 1] - count, *state[heap:])

    def is_over(self, state: Heaps) -> bool:
        return not any(state)

    def score(self, state: Heaps) -> int:
        del state
        return 1 if self.misere else -1

    def key(self, state: Heaps) -> Heaps:
        """The heaps in order of size: which one is which does not matter."""
        return tuple(sorted(state))

    def nim_sum(self, state: Heaps) -> int:
        """The exclusive or of the sizes: the side to move loses the normal game just where it is 0."""
        return reduce(xor, state, 0)

    def format(self, state: Heaps) -> str:
        return " ".join(map(str, state))

    def draw(self, state: Heaps) -> str:
        return "\n".join(f"{heap}  {'|' * size}".rstrip() for heap, size in enumerate(state, start=1))

    def format_move(self, state: Heaps, move: tuple[int, int]) -> str:
        del state
        return f"{move[0]}-{move[1]}"

    def parse(self, text: str) -> Heaps:
        """The heaps, such as 3 4 5, or the moves played from the start, such as 1-2 3-1."""
        if "-" in text or not text.strip():
            return super().parse(text)  # type: ignore[no-any-return]
        return _read_heaps(text)

    def __repr__(self) -> str:
        return f"Nim({self.initial}{', misere=True' if self.misere else ''})"


def _read_heaps(heaps: str | Heaps) -> Heaps:
    words = heaps.replace(",", " ").split() if isinstance(heaps, str) else list(heaps)
    if not words or not all(str(word).isdecimal() for word in words):
        raise InputError(f"the heaps are {heaps!r}; write the size of each, such as 3 4 5")
    return tuple(int(word) for word in words)

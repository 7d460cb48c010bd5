"""Bin packing: put items into as few bins as possible."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from bestfirst.models.bins import Bins, Packing
from bestfirst.models.files import Lines, path_given
from bestfirst.models.numbers import names_of, row, whole

if TYPE_CHECKING:
    from bestfirst.solution import Solution


class BinPacking(Bins):
    """Bin packing: put items into bins of equal capacity; the cost is the number of bins.

    sizes: the size of each item, a whole number >= 1. names: the names of the items. Raises InputError for invalid numbers, and
    for an item that is larger than a bin.

    An action is the next item for the current bin, or "open". A new bin receives the largest remaining item first, and a bin is
    closed when no remaining item fits. Of two states with the same remaining items, the one with more room dominates the other.
    Source: Martello & Toth 1990; as a state space: Kuroiwa & Beck 2023.
    """

    def __init__(self, sizes: Sequence[int], capacity: int, *, names: Sequence[Any] | None = None) -> None:
        given = row("sizes", sizes, least=1).tolist()
        labels = names_of("items", names, range(len(given)))
        order = sorted(range(len(given)), key=lambda item: -given[item])
        super().__init__(
            [labels[item] for item in order],
            [given[item] for item in order],
            whole("capacity", capacity, 1),
            [()] * len(given),
        )

    @classmethod
    def from_file(cls, path: str | Path) -> BinPacking:
        """An instance from a file: the number of items, the capacity, and the sizes.

        Raises InputError that names the file and the line.
        """
        words = Lines(path).words()
        count, capacity = words.whole("the number of items"), words.whole("the capacity", 1)
        sizes = words.wholes(count, "size", 1, capacity)
        words.end("the last size")
        return cls(sizes, capacity)

    @classmethod
    def from_text(cls, text: str = "", *, file: str = "") -> BinPacking:
        """An instance from command-line arguments: the path of a file."""
        return cls.from_file(path_given(cls.name(), text, file))

    def packing(self, solution: Solution | Sequence[Any]) -> Packing:
        """The bins of a solution, or of a list of actions."""
        return Packing.of(self, solution)

    result = packing

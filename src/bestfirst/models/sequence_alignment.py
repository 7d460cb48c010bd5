"""Multiple sequence alignment: sequences below each other, with gaps, so that like letters stand in one column."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, NamedTuple

from bestfirst.domain import Domain
from bestfirst.errors import InputError, needing_numpy, shown
from bestfirst.heuristics.heuristic import heuristic
from bestfirst.models.drawing import Bar, bars, letters
from bestfirst.models.fasta import letter_table, read_fasta, table_from, write_fasta
from bestfirst.models.files import path_given
from bestfirst.models.numbers import names_of, table_of, whole
from bestfirst.models.results import states_of, write_csv

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from bestfirst.solution import Solution

MOST = 8
"""The most sequences."""
MOST_CELLS = 1 << 27
"""The most entries in the tables of pairwise costs: one gigabyte."""
MOST_COST = 1 << 20
"""The greatest cost of two letters, and of a gap."""
GAP = "-"
_BITS = 16
_WIDTH = 60
"""The columns of a line in text."""


class SequenceAlignment(Domain):
    """Multiple sequence alignment: the cost is the sum of the costs of all pairs of sequences in all columns.

    sequences: from 2 to MOST strings of letters. gap: the cost of a letter and a gap; two gaps cost nothing.
    mismatch: the cost of two different letters; equal letters cost nothing. costs: instead of mismatch, a
    table with the cost of each pair of letters. scores: instead of costs, a table of similarities such as BLOSUM62; the costs are
    derived from it so that the cheapest alignment has the highest score, the sum of its similarities minus `gap` for each pair of
    a letter and a gap. A table is the path of a file, a pandas DataFrame, a Biopython substitution matrix, or a mapping such as
    {"AA": 0, "AC": 2}. names: the names of the sequences; default: 1, 2, ...
    Raises InputError for invalid numbers, a pair of letters that a table lacks, and sequences that are too long.

    An action is the next column, such as "**-": * for a letter of the sequence, - for a gap.
    Source: Needleman & Wunsch 1970; with A* and the pairwise bound: Ikeda & Imai 1994.
    """

    class State(NamedTuple):
        """places: how many letters of each sequence are aligned; of sequences that are not there, 0."""

        places: tuple[int, ...]

    bits = MappingProxyType({"places": _BITS})
    unchecked = True  # __init__ refuses large numbers
    frozen_arrays = frozenset({"lengths", "letters", "costs", "rest"})
    default_heuristic = "pairwise"

    def __init__(
        self,
        sequences: Sequence[str],
        *,
        gap: int = 1,
        mismatch: int = 1,
        costs: Any = None,
        scores: Any = None,
        names: Sequence[Any] | None = None,
    ) -> None:
        self.sequences = _checked(sequences)
        self.names = names_of("sequences", names, range(1, len(self.sequences) + 1))
        self.count = len(self.sequences)
        alphabet = "".join(sorted(set().union(*self.sequences)))
        self.best_score: int | None = None
        self.gap = whole("gap", gap, 0, MOST_COST)
        if costs is not None and scores is not None:
            raise InputError("costs and scores are both given; omit one of them")
        if costs is not None:
            table = letter_table("costs", costs, alphabet, 0, MOST_COST)
        elif scores is not None:
            found = letter_table("scores", scores, alphabet, -MOST_COST, MOST_COST)
            # Taking the best score from each two letters, and half of it from each gap, takes the same from all alignments:
            # a letter is either one of two letters or beside a gap. Costs are twice the rest, so that they are whole.
            self.best_score = best = max([0, *found.values()])
            table = {pair: 2 * (best - score) for pair, score in found.items()}
            self.gap = 2 * self.gap + best
        else:
            most = whole("mismatch", mismatch, 0, MOST_COST)
            table = {(one, other): most * (one != other) for one in alphabet for other in alphabet}
        self._set_tables(alphabet, table)
        self.max_actions = (1 << self.count) - 1
        self.actions = tuple(self._column(action) for action in range(self.max_actions))
        self.initial = self.State((0,) * MOST)
        self.goal = (*(len(sequence) for sequence in self.sequences), *(0,) * (MOST - self.count))
        self._settle()

    def _column(self, action: int) -> str:
        return "".join("*" if action + 1 >> place & 1 else GAP for place in range(self.count))

    def _set_tables(self, alphabet: str, table: dict[tuple[str, str], int]) -> None:
        """letters: a row of numbers for each sequence. rest: for each pair of sequences, and each place in both, the cost of the
        best alignment of what follows."""
        with needing_numpy("a model"):
            import numpy as np  # noqa: PLC0415  (listing models does not need it)

        longest = max(map(len, self.sequences))
        pairs = [(one, other) for other in range(self.count) for one in range(other)]
        if longest >> _BITS or len(pairs) * (longest + 1) ** 2 > MOST_CELLS:
            raise InputError(
                f"the longest of {self.count} sequences has {longest} letters, so the tables of pairwise costs would take more "
                "than a gigabyte; align fewer sequences, or shorter ones"
            )
        size = len(alphabet)
        costs = np.array([table[one, other] for one in alphabet for other in alphabet], np.int64).reshape(size, size)
        self.costs: Any = costs
        self.lengths: Any = table_of([len(sequence) for sequence in self.sequences])
        rows = [np.array([alphabet.index(letter) for letter in sequence], np.int64) for sequence in self.sequences]
        numbers = np.zeros((self.count, longest), np.int64)
        rest = np.zeros((len(pairs), longest + 1, longest + 1), np.int64)
        for place, row in enumerate(rows):
            numbers[place, : len(row)] = row
        for pair, (one, other) in enumerate(pairs):
            best = pairwise_costs(costs[np.ix_(rows[one], rows[other])], self.gap)
            rest[pair, : len(best), : len(best[0])] = best
        self.letters: Any = numbers
        self.rest: Any = rest

    @classmethod
    def from_file(
        cls, path: str | Path, *, gap: int = 1, mismatch: int = 1, costs: Any = None, scores: Any = None
    ) -> SequenceAlignment:
        """The sequences of a FASTA file. Raises InputError that names the file and the line."""
        names, sequences = read_fasta(path)
        costs, scores = table_from(costs), table_from(scores)
        try:
            return cls(sequences, gap=gap, mismatch=mismatch, costs=costs, scores=scores, names=names)
        except InputError as error:
            raise InputError(f"{path}: {error}") from None

    @classmethod
    def from_text(
        cls, text: str = "", *, file: str = "", gap: str = "1", mismatch: str = "1", costs: str = "", scores: str = ""
    ) -> SequenceAlignment:
        """An instance from command-line arguments: the path of a FASTA file, costs, and the paths of tables."""
        for what, number in (("gap", gap), ("mismatch", mismatch)):
            if not number.isdecimal():
                raise InputError(f"{what} is {shown(number)}; write a whole number, such as 2")
        return cls.from_file(
            path_given(cls.name(), text, file),
            gap=int(gap),
            mismatch=int(mismatch),
            costs=costs or None,
            scores=scores or None,
        )

    def step(self, state: State, action: int) -> tuple[bool, State, int]:
        column = action + 1
        places = list(state.places)
        here = column.bit_count()
        cost = here * (self.count - here) * self.gap
        for one in range(self.count):
            if column >> one & 1:
                if state.places[one] == self.lengths[one]:
                    return False, state, 0
                places[one] += 1
                letter = self.letters[one, state.places[one]]
                for other in range(one):
                    if column >> other & 1:
                        cost += self.costs[self.letters[other, state.places[other]], letter]
        return True, self.State(tuple(places)), cost

    def is_goal(self, state: State) -> bool:
        return state.places == self.goal

    @heuristic(admissible=True, consistent=True)
    def pairwise(self, state: State) -> int:
        """The sum, over all pairs of sequences, of the cost of the best alignment of the rest of these two alone."""
        cost, pair = 0, 0
        for one in range(self.count):
            for other in range(one):
                cost += self.rest[pair, state.places[other], state.places[one]]
                pair += 1
        return cost

    def format(self, state: State) -> str:
        return "aligned: " + " ".join(map(str, state.places[: self.count]))

    def alignment(self, solution: Solution | Sequence[Any]) -> Alignment:
        """The alignment of a solution, or of a list of actions."""
        rows: list[list[str]] = [[] for _ in self.sequences]
        cost = 0
        for state, action, _ in states_of(self, solution):
            cost += self.step(state, action)[2]
            for place, row in enumerate(rows):
                row.append(self.sequences[place][state.places[place]] if action + 1 >> place & 1 else GAP)
        score = None
        if self.best_score is not None:
            score = (self.best_score * (self.count - 1) * sum(map(len, self.sequences)) - cost) // 2
        return Alignment(self.names, tuple(map("".join, rows)), cost, score)

    result = alignment

    def picture(self, state: State) -> str:
        """How much of each sequence is aligned: blue; the rest is grey."""
        content = [Bar(row, 0, len(sequence), colour=-1) for row, sequence in enumerate(self.sequences)]
        done = [Bar(row, 0, state.places[row]) for row in range(self.count) if state.places[row]]
        return bars([str(name) for name in self.names], [*content, *done], max(map(len, self.sequences)))


@dataclass(frozen=True)
class Alignment:
    """An alignment of sequences. names: the names of the sequences. rows: a string for each, with - for gaps, all of equal length.

    cost: the sum over all pairs. score: the score, if similarities were given; otherwise None.
    """

    names: tuple[Any, ...]
    rows: tuple[str, ...]
    cost: int
    score: int | None = None

    @property
    def columns(self) -> tuple[str, ...]:
        """The columns, each as a string."""
        return tuple(map("".join, zip(*self.rows, strict=True)))

    def __str__(self) -> str:
        """The rows with their names, in blocks; * below a column of equal letters."""
        width = max(len(str(name)) for name in self.names)
        same = "".join("*" if len(set(column)) == 1 else " " for column in self.columns)
        blocks = []
        for begin in range(0, len(same), _WIDTH):
            lines = [*zip(map(str, self.names), self.rows, strict=True), ("", same)]
            blocks.append(
                "\n".join(f"{name:{width}}  {line[begin : begin + _WIDTH]}".rstrip() for name, line in lines).rstrip()
            )
        return "\n\n".join(blocks)

    def to_csv(self, path: str | Path) -> None:
        """Write a row for each column: its number, counted from 1, and the letter or - of each sequence."""
        rows = ((number, *column) for number, column in enumerate(self.columns, 1))
        write_csv(path, ("column", *map(str, self.names)), rows)

    def to_fasta(self, path: str | Path) -> None:
        """Write the rows, with their gaps, as a FASTA file."""
        write_fasta(path, self.names, self.rows)

    def picture(self) -> str:
        """The letters of each row, coloured by letter, as an SVG document."""
        return letters([str(name) for name in self.names], self.rows, GAP)


def pairwise_costs(costs: NDArray[Any], gap: int) -> NDArray[Any]:
    """What the best alignment costs of the letters from place i of one sequence and from place j of another.

    costs: of the letters of the one (rows) and of the other (columns). Source: Needleman & Wunsch 1970.
    """
    with needing_numpy("a model"):
        import numpy as np  # noqa: PLC0415  (listing models does not need it)

    rows, columns = costs.shape
    gaps = gap * np.arange(columns + 1)
    best = np.empty((rows + 1, columns + 1), np.int64)
    best[rows] = gaps[::-1]
    for row in reversed(range(rows)):
        down = best[row + 1] + gap
        down[:-1] = np.minimum(down[:-1], best[row + 1, 1:] + costs[row])
        best[row] = np.minimum.accumulate((down + gaps)[::-1])[::-1] - gaps  # then any number of gaps
    return best


def _checked(sequences: Sequence[str]) -> tuple[str, ...]:
    """The sequences, if they are that."""
    if isinstance(sequences, str) or not hasattr(sequences, "__iter__"):
        raise InputError(f"sequences is {shown(sequences)}; write a list of strings")
    given = tuple(sequences)
    if not 2 <= len(given) <= MOST:
        raise InputError(f"the number of sequences is {len(given)}; use 2 to {MOST}")
    for place, sequence in enumerate(given):
        if not isinstance(sequence, str):
            raise InputError(f"sequence {place} is {shown(sequence)}; write a string of letters")
        wrong = next((one for one in sequence if not one.isalpha()), None)
        if wrong is not None:
            raise InputError(f"sequence {place} has {shown(wrong)}, which is not a letter; write it without gaps")
    return given

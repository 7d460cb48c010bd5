"""The Towers of Hanoi, with any number of discs and at least three pegs, from any configuration to any other.

A state is the tuple of the pegs (1, 2, ...) of the discs, the smallest disc first: discs on a peg are always
ordered by size. An action "1>3" moves the top disc of peg 1 to peg 3. Every action costs 1.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, TypeAlias

from bestfirst.domains.shared.item_groups import item_groups, some_items
from bestfirst.domains.towers_of_hanoi.packed import MOST_BITS, MOST_PEGS, PackedHanoi, bits_per_disc
from bestfirst.errors import InputError, counted, shown
from bestfirst.heuristics.heuristic import Heuristic, heuristic
from bestfirst.problem import Problem, Successor

if TYPE_CHECKING:
    from bestfirst.domains.towers_of_hanoi.abstract import HanoiPattern

Pegs: TypeAlias = tuple[int, ...]

MOST_DISCS, MOST_PEGS_AT_ALL = 1000, 100
"""Nobody would solve more."""


class TowersOfHanoi(Problem[Pegs, str]):
    """The Towers of Hanoi: a start and a goal configuration.

    discs: their number; pegs: their number, at least 3.
    start, goal: the peg of each disc, the smallest first, as a string ("3 1 1") or a sequence of ints; default: all on the
    first peg, and all on the last one.
    Moves are tried in the order of their source peg, then of their target peg.
    Raises InputError for fewer than 1 disc or 3 pegs, or a configuration with a different number of discs or an unknown peg.
    Every configuration can be reached from every other.
    Source: Lucas 1883; Stewart 1941 and Frame 1941 for more than three pegs.
    """

    unit_cost = True
    default_heuristic = "blocking"

    _settled_for_good = frozenset({"discs"})

    def __init__(
        self,
        discs: int | str,
        pegs: int | str = 3,
        *,
        start: str | Sequence[int] | None = None,
        goal: str | Sequence[int] | None = None,
    ) -> None:
        if not str(discs).strip().isdecimal() or not 1 <= int(discs) <= MOST_DISCS:
            raise InputError(f"the number of discs is {shown(discs)}; use a whole number from 1 to {MOST_DISCS}, such as 4")
        if not str(pegs).strip().isdecimal() or not 3 <= int(pegs) <= MOST_PEGS_AT_ALL:
            raise InputError(f"the number of pegs is {shown(pegs)}; use a whole number from 3 to {MOST_PEGS_AT_ALL}")
        self.discs, self.pegs = int(discs), int(pegs)
        self.initial: Pegs = (1,) * self.discs if start is None else self._read("start", start)
        self.goal: Pegs = (self.pegs,) * self.discs if goal is None else self._read("goal", goal)
        self._settle()

    @classmethod
    def from_text(
        cls, text: str, *, pegs: str | None = None, start: str | None = None, goal: str | None = None
    ) -> TowersOfHanoi:
        """A puzzle from command-line arguments: the number of discs; the number of pegs; two configurations."""
        return cls(text, 3 if pegs is None else pegs, start=start, goal=goal)

    def _why_no_start(self, state: Pegs) -> str | None:
        is_known = all(peg in range(1, self.pegs + 1) for peg in state)
        return None if is_known else f"with a peg that is not one of 1 .. {self.pegs}"

    def _read(self, what: str, given: str | Sequence[int]) -> Pegs:
        words = given.replace(",", " ").split() if isinstance(given, str) else given
        remedy = f"write the peg, 1 .. {self.pegs}, of each of the {self.discs} discs, the smallest disc first"
        if not isinstance(words, Iterable) or not all(str(word).isdecimal() for word in words):
            raise InputError(f"the {what} is {shown(given)}; {remedy}")
        state = tuple(int(word) for word in words)
        if len(state) != self.discs:
            raise InputError(f"the {what} {shown(given)} has {counted(len(state), 'disc')}; {remedy}")
        for peg in state:
            if not 1 <= peg <= self.pegs:
                raise InputError(f"the {what} {shown(given)} has a disc on peg {peg}, which does not exist; {remedy}")
        return state

    def successors(self, state: Pegs) -> Iterable[Successor]:
        empty = len(state)  # larger than the index of any disc
        top = [empty] * (self.pegs + 1)
        for disc in range(empty - 1, -1, -1):
            top[state[disc]] = disc
        pegs = range(1, self.pegs + 1)
        return [
            (self.move(source, target), (*state[: top[source]], target, *state[top[source] + 1 :]), 1)
            for source in pegs
            for target in pegs
            if top[source] < top[target]
        ]

    def move(self, source: int, target: int) -> str:
        """The action that moves a disc from one peg to another."""
        return f"{source}>{target}"

    def is_goal(self, state: Pegs) -> bool:
        return state == self.goal

    def goal_state(self) -> Pegs:
        return self.goal

    def backward(self) -> TowersOfHanoi:
        return _Backward(self.discs, self.pegs, start=self.goal, goal=self.initial)

    def domain(self) -> PackedHanoi | None:
        fits = self.pegs <= MOST_PEGS and bits_per_disc(self.pegs) * self.discs <= MOST_BITS
        return PackedHanoi(self) if fits else None

    def project(self, pattern: Iterable[int]) -> HanoiPattern:
        """The puzzle with only these discs; disc 1 is the smallest. Raises InputError for invalid sizes."""
        from bestfirst.domains.towers_of_hanoi.abstract import HanoiPattern  # noqa: PLC0415  (it imports NumPy)

        if self.domain() is None:
            raise InputError(
                f"{self.discs} discs on {self.pegs} pegs are too many for pattern databases; the maximum is {MOST_BITS // 2} discs "
                f"on 3 or 4 pegs, {MOST_BITS // 3} on up to {MOST_PEGS}"
            )
        discs = sorted(size - 1 for size in some_items(pattern, range(1, self.discs + 1), "discs"))
        start, goal = ([pegs[disc] for disc in discs] for pegs in (self.initial, self.goal))
        return HanoiPattern(TowersOfHanoi(len(discs), self.pegs, start=start, goal=goal), discs)

    def abstractions(self, pattern: str) -> list[HanoiPattern]:
        """For pdb:12-3: the twelve largest discs, and the next three."""
        discs = range(self.discs, 0, -1)
        return [self.project(sizes) for sizes in item_groups(pattern, discs, "discs, from the largest one,")]

    def format(self, state: Pegs) -> str:
        return " ".join(map(str, state))

    def draw(self, state: Pegs) -> str:
        """The pegs side by side, with their numbers below: a disc of size k is 2k - 1 wide."""
        width = 2 * self.discs + 1
        columns = []
        for peg in range(1, self.pegs + 1):
            tower = ["=" * (2 * disc - 1) for disc, at in enumerate(state, start=1) if at == peg]
            column = ["|"] * (self.discs + 1 - len(tower)) + tower + ["-" * width, str(peg)]
            columns.append([cell.center(width) for cell in column])
        return "\n".join("".join(line).rstrip() for line in zip(*columns, strict=True))

    def format_action(self, action: str) -> str:
        source, _, target = action.partition(">")
        return f"the top disc of peg {source} to peg {target}"

    def heuristics(self) -> Mapping[str, Heuristic]:
        """The heuristics of the class; "exact" only on three pegs."""
        offered = dict(super().heuristics())
        if self.pegs != 3:
            del offered["exact"]
        return offered

    @heuristic(admissible=True, consistent=True)
    def misplaced(self, state: Pegs) -> int:
        """The number of discs that are not on their goal pegs: each must move, and an action moves one disc."""
        return sum(peg != home for peg, home in zip(state, self.goal, strict=True))

    @heuristic(admissible=True, consistent=True)
    def blocking(self, state: Pegs) -> int:
        """The moves that each disc needs for itself and to let the larger misplaced discs pass.

        Call a disc D that must go from peg s to peg t a traveller. Whenever D moves, no smaller disc is on the pegs that it
        leaves and enters. So a smaller disc needs
        - 2 moves if it is at home on s or on t: it must make way for D's first or last move, and return;
        - 2 moves if it goes from s to t itself: one before D's first move, one after D's last;
        - 1 move otherwise, if it is misplaced.
        Moves of different discs are different actions, so the sum never overestimates.

        It is consistent: when a disc moves, all smaller discs are on other pegs, so the moves they need for it do not
        change, and larger discs need none for it. Its own need falls by at most 1, for no move takes it from 2
        to 0: if it needs 2 to go from s to t, then at home on t it still needs 2 for the same traveller.
        """
        moves = 0
        travels: set[tuple[int, int]] = set()
        ends: set[int] = set()
        for peg, home in zip(reversed(state), reversed(self.goal), strict=True):
            if peg == home:
                moves += 2 * (peg in ends)
            else:
                moves += 1 + ((peg, home) in travels)
                travels.add((peg, home))
                ends.update((peg, home))
        return moves

    @heuristic(admissible=True, consistent=True)
    def exact(self, state: Pegs) -> int:
        """The exact distance, on three pegs; raises InputError on more.

        Larger discs that are at home stay there. The largest misplaced disc moves once, or twice by way of the third peg.
        Whenever it moves, the smaller discs form a tower on the uninvolved peg; gathering them there, and
        spreading them from there, takes a known number of moves. The distance is the smaller of the two sums.
        Source: Hinz 1992.
        """
        if self.pegs != 3:
            raise InputError(f"heuristic 'exact' works only on three pegs, not {self.pegs}; use blocking")
        disc = max((disc for disc in range(self.discs) if state[disc] != self.goal[disc]), default=None)
        if disc is None:
            return 0
        here, there = state[disc], self.goal[disc]
        spare = 6 - here - there
        smaller, goal = state[:disc], self.goal[:disc]
        once = _to_tower(smaller, spare) + 1 + _to_tower(goal, spare)
        twice = _to_tower(smaller, there) + 1 + ((1 << disc) - 1) + 1 + _to_tower(goal, here)
        return min(once, twice)


class _Backward(TowersOfHanoi):
    """The puzzle from its goal: the same moves, with the names of their inverses."""

    def move(self, source: int, target: int) -> str:
        return f"{target}>{source}"


def _to_tower(state: Pegs, peg: int) -> int:
    """The moves from a configuration to the tower on a peg, with three pegs in total.

    The largest misplaced disc moves once, when the smaller ones are a tower on the third peg; they then follow
    in 2**smaller - 1 moves.
    """
    moves = 0
    for smaller in range(len(state) - 1, -1, -1):
        if state[smaller] != peg:
            moves += 1 << smaller
            peg = 6 - peg - state[smaller]
    return moves

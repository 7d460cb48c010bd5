"""The Towers of Hanoi in the compilable form, for up to 7 pegs: up to 31 discs on 3 or 4 pegs, 20 on more.

A state is one int, with 2 or 3 bits for each disc, the smallest disc in the lowest: its peg, counted from 0.

                     3   2 1   0
    +-------+  ...  +-----+-----+
    | disc d|       |  2  |  1  |      (on 3 or 4 pegs)
    +-------+  ...  +-----+-----+
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, NamedTuple

from bestfirst.domain import Domain
from bestfirst.heuristics.heuristic import Heuristic, heuristic
from bestfirst.stated import backward_domain

if TYPE_CHECKING:
    from bestfirst.domains.towers_of_hanoi.problem import Pegs, TowersOfHanoi

MOST_PEGS = 7
MOST_BITS = 62


def bits_per_disc(pegs: int) -> int:
    """The number of bits of a peg number."""
    return (pegs - 1).bit_length()


class PackedHanoi(Domain):
    """The Towers of Hanoi as one int; the same puzzle, move for move, as the original TowersOfHanoi.

    The rank is the number whose digits, in the base of the number of pegs, are the pegs of the discs.
    """

    class State(NamedTuple):
        """See the module docstring."""

        places: int

    unit_cost = True
    default_heuristic = "blocking"

    def __init__(self, puzzle: TowersOfHanoi) -> None:
        self._puzzle = puzzle
        self.discs, self.pegs = puzzle.discs, puzzle.pegs
        self.width = bits_per_disc(self.pegs)
        self.mask = (1 << self.width) - 1
        self.max_actions = self.pegs * (self.pegs - 1)
        self.actions = [puzzle.move(*self._ends(action)) for action in range(self.max_actions)]
        self.bits = {"places": self.width * self.discs}
        self.size = self.pegs**self.discs
        self.initial = self.State(self._packed(puzzle.initial))
        self.goal = self._packed(puzzle.goal)

    def _packed(self, pegs: Pegs) -> int:
        return sum((peg - 1) << self.width * disc for disc, peg in enumerate(pegs))

    def _ends(self, action: int) -> tuple[int, int]:
        """The source and target pegs of an action, counted from 1."""
        source, other = divmod(action, self.pegs - 1)
        return source + 1, other + 1 + (other >= source)

    def step(self, state: State, action: int) -> tuple[bool, State, int]:
        source = action // (self.pegs - 1)
        target = action % (self.pegs - 1)
        if target >= source:
            target += 1
        for disc in range(self.discs):
            peg = (state.places >> (self.width * disc)) & self.mask
            if peg == source:
                return True, self.State(state.places ^ ((source ^ target) << (self.width * disc))), 1
            if peg == target:
                return False, state, 1
        return False, state, 1

    def inverse(self, action: int) -> int:
        source, target = self._ends(action)
        return (target - 1) * (self.pegs - 1) + source - 1 - (source > target)

    def backward(self) -> Domain | None:
        return backward_domain(self._puzzle)

    def is_goal(self, state: State) -> bool:
        return state.places == self.goal

    def heuristics(self) -> Mapping[str, Heuristic]:
        """The heuristics of the class; "exact" only on three pegs."""
        offered = dict(super().heuristics())
        if self.pegs != 3:
            del offered["exact"]
        return offered

    @heuristic(admissible=True, consistent=True)
    def misplaced(self, state: State) -> int:
        """The number of discs that are not on their goal pegs."""
        discs = 0
        for disc in range(self.discs):
            discs += (((state.places ^ self.goal) >> (self.width * disc)) & self.mask) != 0
        return discs

    @heuristic(admissible=True, consistent=True)
    def blocking(self, state: State) -> int:
        """The moves that each disc needs for itself and to let the larger misplaced discs pass (see
        TowersOfHanoi.blocking)."""
        moves = 0
        travels = 0  # bit pegs * s + t: some larger disc goes from peg s to peg t
        ends = 0  # bit p: some larger disc goes from or to peg p
        for turn in range(self.discs):
            place = self.width * (self.discs - 1 - turn)
            peg = (state.places >> place) & self.mask
            home = (self.goal >> place) & self.mask
            if peg == home:
                moves += 2 * ((ends >> peg) & 1)
            else:
                travel = self.pegs * peg + home
                moves += 1 + ((travels >> travel) & 1)
                travels |= 1 << travel
                ends |= (1 << peg) | (1 << home)
        return moves

    @heuristic(admissible=True, consistent=True)
    def exact(self, state: State) -> int:
        """The exact distance, on three pegs (see TowersOfHanoi.exact)."""
        disc = self.discs - 1
        while disc >= 0 and peg_of(disc, state.places) == peg_of(disc, self.goal):
            disc -= 1
        if disc < 0:
            return 0
        here, there = peg_of(disc, state.places), peg_of(disc, self.goal)
        spare = 3 - here - there
        once = to_tower(state.places, disc, spare) + 1 + to_tower(self.goal, disc, spare)
        twice = to_tower(state.places, disc, there) + 1 + ((1 << disc) - 1) + 1 + to_tower(self.goal, disc, here)
        return min(once, twice)

    def rank(self, state: State) -> int:
        number = 0
        for turn in range(self.discs):
            number = number * self.pegs + ((state.places >> (self.width * (self.discs - 1 - turn))) & self.mask)
        return number

    def unrank(self, number: int) -> State:
        places = 0
        for disc in range(self.discs):
            places |= (number % self.pegs) << (self.width * disc)
            number //= self.pegs
        return self.State(places)

    def goal_state(self) -> State:
        return self.State(self.goal)

    def encode(self, state: Pegs) -> State:
        return self.State(self._packed(state))

    def decode(self, state: State) -> Pegs:
        return tuple(((state.places >> self.width * disc) & self.mask) + 1 for disc in range(self.discs))


def peg_of(disc: int, places: int) -> int:
    """The peg of a disc, with three pegs in total."""
    return (places >> (2 * disc)) & 3


def to_tower(places: int, discs: int, peg: int) -> int:
    """The moves that bring the `discs` smallest discs to a tower on a peg, with three pegs in total."""
    moves = 0
    for turn in range(discs):
        disc = discs - 1 - turn
        here = (places >> (2 * disc)) & 3
        if here != peg:
            moves += 1 << disc
            peg = 3 - peg - here
    return moves

"""The missionaries and cannibals puzzle: everybody must cross a river in a small boat.

On neither bank may cannibals outnumber missionaries, unless no missionary is there. The rule is about the banks after each
crossing; who is in the boat does not matter, as in the classic puzzle (in a boat for two it never could).

A state is (missionaries, cannibals, boat): who is on the starting bank, and 1 if the boat is there, otherwise 0. An
action names who crosses, away from the bank with the boat: "MC" for one missionary and one cannibal. Every action
costs 1. The puzzle is a Domain itself.
"""

from __future__ import annotations

from typing import NamedTuple, TypeAlias

from bestfirst.domain import Domain
from bestfirst.errors import InputError, shown
from bestfirst.heuristics.heuristic import heuristic

Bank: TypeAlias = tuple[int, int, int]

MOST_PEOPLE = 1_000_000
MOST_GROUPS = 10_000
"""Each group that the boat can carry is an action."""


class MissionariesCannibals(Domain):
    """Missionaries and cannibals who must cross a river; the boat does not cross by itself.

    missionaries, cannibals: how many of each; boat: how many it carries at most.
    Groups are tried by their missionaries, then by their cannibals, the fewest first: there is an action for each number of
    missionaries and of cannibals that the boat could carry alone, and those that it cannot carry together are never legal.
    Raises InputError for numbers that are not whole, no people or more than a million, a boat for nobody or for too many, or
    cannibals who outnumber the missionaries from the start.
    Source: Amarel 1968.
    """

    _settled_for_good = frozenset({"missionaries", "cannibals", "boat"})

    class State(NamedTuple):
        """Who is on the starting bank, and 1 if the boat is there."""

        missionaries: int
        cannibals: int
        boat: int

    unit_cost = True
    default_heuristic = "crossings"

    def __init__(self, missionaries: int | str = 3, cannibals: int | str = 3, boat: int | str = 2) -> None:
        for what, number in (("missionaries", missionaries), ("cannibals", cannibals), ("places in the boat", boat)):
            if not str(number).strip().isdecimal():
                raise InputError(f"the number of {what} is {shown(number)}; use a whole number, such as 3")
        self.missionaries, self.cannibals, self.boat = int(missionaries), int(cannibals), int(boat)
        self.people = self.missionaries + self.cannibals
        if self.people > MOST_PEOPLE:
            raise InputError(f"there are {self.people:,} people; use at most {MOST_PEOPLE:,} in all")
        if self.people < 1:
            raise InputError("nobody has to cross; use at least one missionary or cannibal")
        if self.boat < 1:
            raise InputError("the capacity of the boat is 0; use at least 1")
        if not _is_safe(self.missionaries, self.cannibals):
            raise InputError(
                f"{self.cannibals} cannibals outnumber {self.missionaries} missionaries from the start; "
                "use at least as many missionaries as cannibals, or no missionaries"
            )
        self.cannibal_counts = min(self.cannibals, self.boat) + 1
        groups = (min(self.missionaries, self.boat) + 1) * self.cannibal_counts
        if groups > MOST_GROUPS:
            raise InputError(
                f"a boat for {self.boat} can carry {groups:,} different groups; use a smaller boat, for at most "
                f"{MOST_GROUPS:,} groups"
            )
        self.actions = [
            "M" * missionaries + "C" * cannibals
            for missionaries in range(min(self.missionaries, self.boat) + 1)
            for cannibals in range(self.cannibal_counts)
        ]
        self.max_actions = len(self.actions)
        self.bits = {"missionaries": self.people.bit_length(), "cannibals": self.people.bit_length(), "boat": 1}
        self.size = 2 * (self.missionaries + 1) * (self.cannibals + 1)
        self._set_out(self.State(self.missionaries, self.cannibals, 1), self.State(0, 0, 0))
        self._settle()

    def _set_out(self, initial: State, goal: State) -> None:
        self.initial, self.goal = initial, goal
        self.gathered, self.moored = goal.missionaries + goal.cannibals, goal.boat

    @classmethod
    def from_text(cls, text: str, *, boat: str | None = None) -> MissionariesCannibals:
        """A puzzle from command-line arguments: the two numbers (or one for both), and the capacity of the boat."""
        words = text.replace(",", " ").split()
        if not 1 <= len(words) <= 2:
            raise InputError(
                f"the numbers of missionaries and cannibals are {shown(text)}; "
                "write two numbers such as 3 3, or one number for both"
            )
        return cls(words[0], words[-1], 2 if boat is None else boat)

    def step(self, state: State, action: int) -> tuple[bool, State, int]:
        missionaries, cannibals, boat = state
        sign = -1 if boat == 1 else 1
        crossing_missionaries = action // self.cannibal_counts
        crossing_cannibals = action % self.cannibal_counts
        missionaries += sign * crossing_missionaries
        cannibals += sign * crossing_cannibals
        legal = (
            1 <= crossing_missionaries + crossing_cannibals <= self.boat
            and 0 <= missionaries <= self.missionaries
            and 0 <= cannibals <= self.cannibals
            and _is_safe(missionaries, cannibals)
            and _is_safe(self.missionaries - missionaries, self.cannibals - cannibals)
        )
        return legal, self.State(missionaries, cannibals, 1 - boat), 1

    def inverse(self, action: int) -> int:
        return action

    def is_goal(self, state: State) -> bool:
        missionaries, cannibals, boat = state
        return missionaries + cannibals == self.gathered and boat == self.moored

    def rank(self, state: State) -> int:
        return (state.missionaries * (self.cannibals + 1) + state.cannibals) * 2 + state.boat

    def unrank(self, number: int) -> State:
        people = number // 2
        return self.State(people // (self.cannibals + 1), people % (self.cannibals + 1), number % 2)

    def goal_state(self) -> State:
        return self.goal

    def backward(self) -> MissionariesCannibals:
        """The puzzle from its goal: the same people cross in the other direction, so the actions have the same names."""
        reverse = MissionariesCannibals(self.missionaries, self.cannibals, self.boat)
        with reverse._unsettled():
            reverse._set_out(self.goal, self.initial)
        return reverse

    def unsolvable(self) -> str | None:
        """A boat for one cannot take two people across. (Larger boats are left to the search.)"""
        if self.boat == 1 and self.people > 1:
            return "whoever crosses in a boat for one must bring it back, so nobody can follow"
        return None

    def format(self, state: Bank) -> str:
        """Who is on each bank, and where the boat is."""
        missionaries, cannibals, boat = state
        here = f"{missionaries}M {cannibals}C"
        there = f"{self.missionaries - missionaries}M {self.cannibals - cannibals}C"
        return f"{here} boat | {there}" if boat else f"{here} | boat {there}"

    def label(self, state: Bank) -> str:
        return ",".join(map(str, state))

    def draw(self, state: Bank) -> str:
        """The river between the two banks, such as MMM CCC |boat ~~~~|"""
        missionaries, cannibals, boat = state
        here = f"{'M' * missionaries} {'C' * cannibals}".strip()
        there = f"{'M' * (self.missionaries - missionaries)} {'C' * (self.cannibals - cannibals)}".strip()
        river = "|boat ~~~~|" if boat else "|~~~~ boat|"
        return f"{here:<{self.people + 1}} {river} {there}".rstrip()

    def format_action(self, action: str) -> str:
        missionaries, cannibals = action.count("M"), action.count("C")
        groups = [
            f"{missionaries} {'missionary' if missionaries == 1 else 'missionaries'}" if missionaries else "",
            f"{cannibals} {'cannibal' if cannibals == 1 else 'cannibals'}" if cannibals else "",
        ]
        return f"{' and '.join(filter(None, groups))} cross{'es' if len(action) == 1 else ''}"

    @heuristic(admissible=True, consistent=True)
    def crossings(self, state: State) -> int:
        """The fewest crossings if nobody were ever eaten.

        While more people wait than the boat carries, it must cross full and return with one: two crossings for each
        (boat - 1) people; the last crossing takes a full boat. If people wait and the boat is on the other side, somebody
        must first row it back and then waits too. This is the distance in a relaxed problem, so it is admissible
        and consistent. (A boat for one makes no progress, as unsolvable() says; the estimate assumes one person in two
        crossings.)
        """
        missionaries, cannibals, boat = state
        waiting = abs(missionaries + cannibals - self.gathered)
        if waiting == 0:
            return 0
        rowed_back = 1 if boat == self.moored else 0
        beyond = max(0, waiting + rowed_back - self.boat)
        return rowed_back + 1 + 2 * -(-beyond // max(1, self.boat - 1))


def _is_safe(missionaries: int, cannibals: int) -> bool:
    """Whether nobody on a bank is eaten."""
    return missionaries == 0 or missionaries >= cannibals

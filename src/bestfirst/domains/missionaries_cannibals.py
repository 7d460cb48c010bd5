"""The missionaries and cannibals puzzle: everybody must cross a river in a small boat.

On neither bank may cannibals outnumber missionaries, unless there is no missionary. The rule is about the banks after each
crossing; who sits together in the boat does not matter, as in the classic puzzle (with a boat for two it never could).

A state is (missionaries, cannibals, boat): who is on the bank of the start, and 1 if the boat is there, otherwise 0. An
action names who crosses, to whichever bank the boat is not on: "MC" for one missionary and one cannibal. Every action
costs 1.
"""

from __future__ import annotations

from collections.abc import Iterable
from math import inf
from typing import TypeAlias

from bestfirst.errors import InputError
from bestfirst.heuristics.heuristic import heuristic
from bestfirst.problem import Problem, Successor

Bank: TypeAlias = tuple[int, int, int]


class MissionariesCannibals(Problem):
    """Missionaries and cannibals who must cross a river; the boat does not cross by itself.

    missionaries, cannibals: how many of each; boat: how many it carries at most.
    Groups are tried by their missionaries, then by their cannibals, the fewest first.
    Raises InputError for numbers that are not whole, no people at all, a boat for nobody, or cannibals who outnumber the
    missionaries from the start.
    Source: Amarel 1968.
    """

    unit_cost = True
    default_heuristic = "crossings"

    def __init__(self, missionaries: int | str = 3, cannibals: int | str = 3, boat: int | str = 2) -> None:
        for what, number in (("missionaries", missionaries), ("cannibals", cannibals), ("places in the boat", boat)):
            if not str(number).strip().isdecimal():
                raise InputError(f"the number of {what} is {number!r}; write a whole number, such as 3")
        self.missionaries, self.cannibals, self.boat = int(missionaries), int(cannibals), int(boat)
        self.people = self.missionaries + self.cannibals
        if self.people < 1:
            raise InputError("there is nobody to cross; give at least one missionary or cannibal")
        if self.boat < 1:
            raise InputError("a boat for 0 cannot be rowed; write how many it carries, at least 1")
        if not _is_safe(self.missionaries, self.cannibals):
            raise InputError(
                f"{self.cannibals} cannibals outnumber {self.missionaries} missionaries from the start; "
                "give at least as many missionaries, or none"
            )
        self.initial: Bank = (self.missionaries, self.cannibals, 1)
        self.goal: Bank = (0, 0, 0)
        self._groups = [
            (missionaries, cannibals)
            for missionaries in range(min(self.missionaries, self.boat) + 1)
            for cannibals in range(min(self.cannibals, self.boat - missionaries) + 1)
            if missionaries or cannibals
        ]

    @classmethod
    def from_text(cls, text: str, *, boat: str | None = None) -> MissionariesCannibals:
        """A puzzle from the words of a command line: how many of each (one number for both); the places in the boat."""
        words = text.replace(",", " ").split()
        if not 1 <= len(words) <= 2:
            raise InputError(
                f"missionaries and cannibals are {text!r}; write two numbers such as 3 3, or one number for both"
            )
        return cls(words[0], words[-1], 2 if boat is None else boat)

    def successors(self, state: Bank) -> Iterable[Successor]:
        missionaries, cannibals, boat = state
        sign = -1 if boat else 1
        for crossing_missionaries, crossing_cannibals in self._groups:
            here = (missionaries + sign * crossing_missionaries, cannibals + sign * crossing_cannibals)
            there = (self.missionaries - here[0], self.cannibals - here[1])
            if min(*here, *there) >= 0 and _is_safe(*here) and _is_safe(*there):
                yield "M" * crossing_missionaries + "C" * crossing_cannibals, (*here, 1 - boat), 1

    def is_goal(self, state: Bank) -> bool:
        return state == self.goal

    def goal_state(self) -> Bank:
        return self.goal

    def backward(self) -> MissionariesCannibals:
        return _Backward(self.missionaries, self.cannibals, self.boat)

    def unsolvable(self) -> str | None:
        """A boat for one cannot take two people across. (Whether a larger boat can is left to the search.)"""
        if self.boat == 1 and self.people > 1:
            return "whoever crosses in a boat for one must come back in it, so nobody can follow"
        return None

    def format(self, state: Bank) -> str:
        """Who is on the two banks, and where the boat is."""
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
    def crossings(self, state: Bank) -> float:
        """The fewest crossings that would do if nobody were ever eaten.

        While more people wait than the boat carries, it must go full and come back with one: two crossings for each
        (boat - 1) of them; the last crossing takes a boatful. If people wait and the boat is on the other side, somebody
        must first row it back and then waits too. This is the distance in a problem with fewer rules, so it is admissible
        and consistent.
        """
        return self._crossings(state[0] + state[1], boat_is_there=state[2] == 1)

    def _crossings(self, waiting: int, *, boat_is_there: bool) -> float:
        """The fewest crossings that bring those who wait on one bank to the other, where all the others are."""
        if not waiting:
            return 0
        if not boat_is_there:
            return 1 + self._crossings(waiting + 1, boat_is_there=True)
        beyond = max(0, waiting - self.boat)
        if self.boat == 1:
            return inf if beyond else 1
        return 1 + 2 * -(-beyond // (self.boat - 1))


class _Backward(MissionariesCannibals):
    """The puzzle from its goal: the same people cross the other way, so successors have the same names."""

    def __init__(self, missionaries: int, cannibals: int, boat: int) -> None:
        super().__init__(missionaries, cannibals, boat)
        self.initial, self.goal = self.goal, self.initial

    @heuristic(admissible=True, consistent=True)
    def crossings(self, state: Bank) -> float:
        """The fewest crossings from the start to the state: as many as bring those on the other bank back."""
        return self._crossings(self.people - state[0] - state[1], boat_is_there=state[2] == 0)


def _is_safe(missionaries: int, cannibals: int) -> bool:
    """Whether nobody on a bank is eaten."""
    return missionaries == 0 or missionaries >= cannibals

"""Problems made for the lessons, where no problem of the package shows the point."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from bestfirst.heuristics import heuristic
from bestfirst.problem import Background, Cell, Problem, Successor


class Lure(Problem[int, str]):
    """An endless path to the right, along which the estimates fall, and a goal nearby on the left.

    From 0 a step leads on to 1, and from there to 2, 3, ...; or home to -1, and from there to the goal, -2.
    """

    initial = 0
    default_heuristic = "promise"

    def successors(self, state: int) -> Iterable[Successor]:
        if state < 0:
            return [("home", -2, 2)] if state == -1 else []
        on: Successor = ("on", state + 1, 1)
        return [on, ("home", -1, 1)] if state == 0 else [on]

    def is_goal(self, state: int) -> bool:
        return state == -2

    @heuristic(admissible=True)
    def promise(self, state: int) -> float:
        """Below the true distance everywhere; the farther from the goal, the lower."""
        return {-1: 2.0, -2: 0.0}[state] if state < 0 else 1 / (state + 1)


class Detour(Problem[str, str]):
    """From A to C there is a road of 5, and a detour of 1 + 2 through B; from C to D, one of 3. The estimate of B is too high."""

    initial = "A"
    default_heuristic = "given"
    roads: Mapping[str, Mapping[str, int]] = {"A": {"B": 1, "C": 5}, "B": {"C": 2}, "C": {"D": 3}, "D": {}}
    places: Mapping[str, tuple[float, float]] = {"A": (1.0, 0.0), "B": (0.0, 1.0), "C": (1.0, 2.0), "D": (1.0, 3.5)}

    def successors(self, state: str) -> Iterable[Successor]:
        return [(town, town, length) for town, length in self.roads[state].items()]

    def is_goal(self, state: str) -> bool:
        return state == "D"

    def cells(self, state: str) -> list[Cell]:
        row, column = self.places[state]
        return [(row, column, state)]

    def background(self) -> Background:
        ends = [(self.places[town], self.places[other]) for town, roads in self.roads.items() for other in roads]
        return Background(lines=[(*one, *other) for one, other in ends])

    @heuristic(admissible=True, consistent=False)
    def given(self, state: str) -> float:
        """B: 5, the others 0."""
        return 5 if state == "B" else 0

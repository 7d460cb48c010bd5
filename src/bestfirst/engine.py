"""Engine: what a Search sees of the engine that runs it."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator
from math import inf

from bestfirst.search.node import Node
from bestfirst.solution import Improvement, Limits, Stats
from bestfirst.trace.events import Event


class Engine(ABC):
    """A search in progress.

    goal: the best goal found. bound: the best lower bound that the algorithm has proved, if its heuristic is admissible.
    stopped: what ended the last run before the search was over: a limit, or "interrupted".
    gave_up: the algorithm's own limit that made the search incomplete.
    bound_when_barred: the bound when the depth limit first prevented an expansion; later bounds are ignored.
    dead_ends: how many states the heuristic declared dead ends.
    first_child: the first node after the start, made by the problem's own Python.
    warning: what a user must know about how the last run ended.
    is_stuck: whether a method of the problem did not return, so that the search was abandoned.
    fall: the first inconsistent edge, along which f fell; falls counts these edges.
    at_start: the estimate of the start, if the engine has made it.
    history: when cost and bound improved: see Improvement.
    """

    def __init__(self) -> None:
        self.stats = Stats()
        self.goal: Node | None = None
        self.bound: float = 0
        self.stopped: str | None = None
        self.gave_up: str | None = None
        self.warning: str | None = None
        self.bound_when_barred: float | None = None
        self.dead_ends = 0
        self.fall: Node | None = None
        self.falls = 0
        self.first_child: Node | None = None
        self.ended = False
        self.is_stuck = False
        self.at_start: float | None = None
        self.history: list[Improvement] = []

    @abstractmethod
    def run(self, limits: Limits, progress: Callable[[], None] | None) -> None:
        """Search until the search is over or a limit or Ctrl-C stops it."""

    @abstractmethod
    def events(self, limits: Limits) -> Iterator[Event]:
        """Run the search, and yield its events one by one."""

    def note(self, cost: float | None, seconds: float) -> None:
        """Enter what is known into the history, if it is more than before. cost: of the best solution."""
        if cost is None and self.history:
            cost = self.history[-1].cost
        last = self.history[-1] if self.history else None
        if last is None or (last.cost, last.lower_bound) != (cost, self.proved):
            self.history.append(Improvement(seconds, self.stats.expanded, cost, self.proved))

    def give_back(self) -> None:  # noqa: B027  (most have nothing to leave)
        """Leave the arrays of the search to the next one (solve_many); this search cannot be resumed then."""

    @property
    def proved(self) -> float:
        """The lower bound, if the heuristic is admissible, including nodes that the depth limit excluded."""
        return min(self.bound, inf if self.bound_when_barred is None else self.bound_when_barred)

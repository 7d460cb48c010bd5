"""Engine: what a Search sees of an engine at work on it."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator
from math import inf

from bestfirst.search.node import Node
from bestfirst.solution import Limits, Stats
from bestfirst.trace.events import Event


class Engine(ABC):
    """One search in the making.

    goal: the best goal found. bound: the best lower bound that the algorithm has proved, if its heuristic is admissible.
    stopped: what ended the last run before the search was over: a limit, or "interrupted".
    gave_up: the algorithm's own limit that kept it from looking at everything.
    bound_when_barred: the bound when the depth limit first kept a node from being expanded; later bounds do not count.
    dead_ends: how many states the heuristic called hopeless.
    first_child: the first node that was made, after the start, by the problem's own Python.
    is_stuck: whether a method of the problem did not come to an end, so that the search was given up.
    fall: the first edge along which f fell, which only an inconsistent heuristic can do; falls counts them.
    """

    def __init__(self) -> None:
        self.stats = Stats()
        self.goal: Node | None = None
        self.bound: float = 0
        self.stopped: str | None = None
        self.gave_up: str | None = None
        self.bound_when_barred: float | None = None
        self.dead_ends = 0
        self.fall: Node | None = None
        self.falls = 0
        self.first_child: Node | None = None
        self.ended = False
        self.is_stuck = False

    @abstractmethod
    def run(self, limits: Limits, progress: Callable[[], None] | None) -> None:
        """Go on until the search is over or a limit or Ctrl-C stops it."""

    @abstractmethod
    def events(self, limits: Limits) -> Iterator[Event]:
        """Go on likewise, giving the events one by one."""

    @property
    def proved(self) -> float:
        """The lower bound, if the heuristic is admissible and whatever the depth limit kept from being looked at."""
        return min(self.bound, inf if self.bound_when_barred is None else self.bound_when_barred)

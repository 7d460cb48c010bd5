"""Steps: what an algorithm yields, so that a search can be stopped, counted and watched between any two of them.

An algorithm yields a step before it expands a node, accepts a goal, starts an iteration, or ends. The step carries the
children generated since the previous step, each with its fate. So events cost nothing without an observer, and a limit can
stop a search before the next expansion, not after it.
"""

from __future__ import annotations

from collections.abc import Sized
from dataclasses import dataclass
from typing import TypeAlias

from bestfirst.search.node import Node

# The fates of a child. (A prune is an object, because it has a reason.)
GENERATE = "generate"
"""Its state is new; it is put on the open list."""
DUPLICATE = "duplicate"
"""Its state was reached before by a path no more expensive; it is dropped."""
UPDATE = "update"
"""Its state is on the open list with a more expensive path; it replaces that node."""
REOPEN = "reopen"
"""Its state was expanded with a more expensive path; it is put back on the open list."""


@dataclass(frozen=True, slots=True)
class Prune:
    """A child is dropped because its `what` ("f", "depth", ...) is on the wrong side of a bound."""

    what: str
    bound: float | None = None

    def explain(self, node: Node) -> str:
        """The reason in numbers, such as 'f 12 > 10'."""
        if self.bound is None:
            return self.what
        value = getattr(node, self.what)
        return f"{self.what} {value:g} {'>' if value > self.bound else '>='} {self.bound:g}"


@dataclass(frozen=True, slots=True)
class Drop(Prune):
    """A node is dropped from the open list."""


DEAD_END = Prune("dead end: h is infinite")
DEAD_END_IN_TURN = Drop("dead end: h is infinite")
"""The same, of a node that is evaluated when it leaves the open list."""
REPEATED = Drop("its state was reached before")
"""Its state was taken off the open list before, which is seen only now."""
ON_PATH = Prune("its state is already on the path")

Fate: TypeAlias = str | Prune
Made: TypeAlias = list[tuple[Fate, Node]]


class Step:
    """A step of an algorithm.

    made: the children generated since the previous step with their fates, in order, and earlier nodes that are now dropped.
    agenda: the algorithm's own open list, which changes as the search continues.
    bound: the best lower bound on the solution cost so far, valid if the heuristic is admissible.
    """

    __slots__ = ("agenda", "bound", "made", "node")
    kind = ""

    def __init__(self, node: Node | None, made: Made, agenda: Sized, bound: float) -> None:
        self.node = node
        self.made = made
        self.agenda = agenda
        self.bound = bound


class Expand(Step):
    """The node is about to be expanded."""

    __slots__ = ()
    kind = "expand"
    node: Node


class Try(Expand):
    """A candidate is about to be tested, which is counted as an expansion."""

    __slots__ = ()


class Goal(Step):
    """The node is a goal, cheaper than all earlier ones; the search may continue for a better one."""

    __slots__ = ()
    kind = "goal"
    node: Node


class Round(Step):
    """An iteration starts, with a new bound on `what` ("f", "depth", "width").

    node: the start, if the iteration begins the search anew; None if it continues with nodes that wait.
    """

    __slots__ = ("limit", "what")
    kind = "round"

    def __init__(self, node: Node | None, made: Made, agenda: Sized, bound: float, *, what: str, limit: float) -> None:
        super().__init__(node, made, agenda, bound)
        self.what = what
        self.limit = limit


class End(Step):
    """The search is exhausted. The bound is infinite if that proves that no (better) solution exists.

    gave_up: the algorithm's own limit ("depth", "width") that made the search incomplete; otherwise None.
    """

    __slots__ = ("gave_up",)
    kind = "end"

    def __init__(self, made: Made, agenda: Sized, bound: float, gave_up: str | None = None) -> None:
        super().__init__(None, made, agenda, bound)
        self.gave_up = gave_up

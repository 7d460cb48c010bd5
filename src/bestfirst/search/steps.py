"""Steps: what an algorithm yields, so that a search can be stopped, counted and watched between any two of them.

An algorithm yields one step when it is about to do something: expand a node, take a goal, start a round, or end. The
step carries the children made since the step before, each with what became of it. So nothing is built that nobody looks
at, and a limit can stop a search before the next expansion, not after it.
"""

from __future__ import annotations

from collections.abc import Sized
from dataclasses import dataclass
from typing import TypeAlias

from bestfirst.search.node import Node

# What became of a child. (A prune is an object, because it has a reason.)
GENERATE = "generate"
"""Its state is new: it goes on the agenda."""
DUPLICATE = "duplicate"
"""Its state was met before by a path as cheap: it is dropped."""
UPDATE = "update"
"""Its state waits on the agenda by a dearer path: it takes that node's place."""
REOPEN = "reopen"
"""Its state was expanded by a dearer path: it goes on the agenda again."""


@dataclass(frozen=True, slots=True)
class Prune:
    """A child is dropped because `what` of it ("f", "depth", ...) is on the wrong side of a bound."""

    what: str
    bound: float | None = None

    def explain(self, node: Node) -> str:
        """The reason with its numbers, such as 'f 12 > 10'."""
        if self.bound is None:
            return self.what
        value = getattr(node, self.what)
        return f"{self.what} {value:g} {'>' if value > self.bound else '>='} {self.bound:g}"


@dataclass(frozen=True, slots=True)
class Drop(Prune):
    """A node that waited on the agenda is dropped after all."""


DEAD_END = Prune("dead end: h is infinite")
ON_PATH = Prune("its state is already on the path")

Fate: TypeAlias = str | Prune
Made: TypeAlias = list[tuple[Fate, Node]]


class Step:
    """What an algorithm yields.

    made: the children made since the step before, with their fates, in order; among them nodes made earlier and dropped now.
    agenda: the algorithm's own agenda, for its length and to look at; it changes when the search goes on.
    bound: no solution is cheaper than this, if the heuristic is admissible; the best bound proved so far.
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
    """A candidate is about to be tested: that counts as an expansion, though nothing is expanded."""

    __slots__ = ()


class Goal(Step):
    """The node is a goal, cheaper than every one before; the search may go on to look for a better one."""

    __slots__ = ()
    kind = "goal"
    node: Node


class Round(Step):
    """A round of an iterative algorithm starts at the node, with a new bound on `what` ("f", "depth", "width")."""

    __slots__ = ("limit", "what")
    kind = "round"
    node: Node

    def __init__(self, node: Node, made: Made, agenda: Sized, bound: float, *, what: str, limit: float) -> None:
        super().__init__(node, made, agenda, bound)
        self.what = what
        self.limit = limit


class End(Step):
    """Nothing is left to search. The bound is infinite if that proves that there is no (better) solution.

    gave_up: the algorithm's own limit ("depth", "width") that kept it from looking at everything; otherwise None.
    """

    __slots__ = ("gave_up",)
    kind = "end"

    def __init__(self, made: Made, agenda: Sized, bound: float, gave_up: str | None = None) -> None:
        super().__init__(None, made, agenda, bound)
        self.gave_up = gave_up

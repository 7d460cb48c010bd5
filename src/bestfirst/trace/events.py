"""Events: what a search did, one thing at a time, split from the steps of its algorithm."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from bestfirst.search.node import Node
from bestfirst.search.steps import End, Prune, Round, Step


@dataclass(frozen=True, slots=True)
class Event:
    """An event of a search.

    kind: generate, expand, duplicate, update, reopen, prune, goal, round, bound, limit, or end.
    node: the node concerned; None for bound, limit and end.
    agenda: the number of nodes on the open list at the step of the event, without a node about to be expanded.
    bound: the lower bound proved so far.
    reason: the reason for a prune, a round or a limit, with numbers.
    waiting: the nodes on the open list in the order of removal, if the trace records open lists.
    """

    kind: str
    node: Node | None
    agenda: int
    bound: float
    reason: str | None = None
    waiting: tuple[Node, ...] | None = None

    @property
    def state(self) -> Any:
        return None if self.node is None else self.node.state

    @property
    def parent(self) -> Any:
        """The state of the parent; None for the start."""
        return None if self.node is None or self.node.parent is None else self.node.parent.state

    @property
    def action(self) -> Any:
        return None if self.node is None else self.node.action

    @property
    def g(self) -> float | None:
        return None if self.node is None else self.node.g

    @property
    def h(self) -> float | None:
        return None if self.node is None else self.node.h

    @property
    def f(self) -> float | None:
        return None if self.node is None else self.node.f

    def __str__(self) -> str:
        parts = [self.kind]
        if self.node is not None:
            parts.append(f"{self.state} g={self.g:g} h={self.h:g} f={self.f:g}")
        if self.reason:
            parts.append(self.reason)
        return " ".join([*parts, f"bound={self.bound:g} agenda={self.agenda}"])


def events_of_made(step: Step) -> Iterator[Event]:
    """The events of the children of a step, in the order of generation."""
    waiting = len(step.agenda)
    for fate, child in step.made:
        if isinstance(fate, Prune):
            yield Event("prune", child, waiting, step.bound, fate.explain(child))
        else:
            yield Event(fate, child, waiting, step.bound)


def event_of(step: Step) -> Event:
    """The event of a step itself."""
    reason = None
    if isinstance(step, Round):
        reason = f"{step.what} {'=' if step.what == 'weight' else '<='} {step.limit:g}"
    elif isinstance(step, End) and step.gave_up:
        reason = f"{step.gave_up} limit reached"
    return Event(step.kind, step.node, len(step.agenda), step.bound, reason)


def events(steps: Iterable[Step]) -> Iterator[Event]:
    """The events of the steps of an algorithm: for event in events(astar(problem, h))."""
    for step in steps:
        yield from events_of_made(step)
        yield event_of(step)

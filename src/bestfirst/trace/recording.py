"""Trace: a bounded recording of the events of a search."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace

from bestfirst.arguments import check_kind, check_whole
from bestfirst.search.node import Node
from bestfirst.trace.events import Event


class Trace:
    """The first `limit` events of a search; `dropped` counts the events after them.

    agendas: also record the agenda at each expansion, in the order of removal. The time and memory are proportional to the
        agenda, so use it for small searches. The agenda of a depth-first algorithm is its path. Agendas that are not lists
        of nodes are not recorded.
    """

    def __init__(self, limit: int = 100_000, *, agendas: bool = False) -> None:
        check_whole("the limit of a trace", limit, 1)
        check_kind("agendas", agendas, bool, "True or False")
        self.limit = limit
        self.agendas = agendas
        self.events: list[Event] = []
        self.dropped = 0

    def record(self, event: Event, agenda: object = None) -> None:
        """Keep an event, or count it as dropped."""
        if len(self.events) >= self.limit:
            self.dropped += 1
            return
        if self.agendas and event.kind == "expand":
            event = replace(event, waiting=_nodes_on(agenda))
        self.events.append(event)

    def clear(self) -> None:
        """Delete all events, so that another search can be recorded."""
        self.events.clear()
        self.dropped = 0

    def expansions(self) -> list[Node]:
        """The expanded nodes, in order."""
        return [event.node for event in self.events if event.kind == "expand" and event.node is not None]

    def __len__(self) -> int:
        return len(self.events)

    def __bool__(self) -> bool:
        """True even if empty, so that a trace argument is recognised before the first event."""
        return True

    def __iter__(self) -> Iterator[Event]:
        return iter(self.events)


def _nodes_on(agenda: object) -> tuple[Node, ...] | None:
    if not isinstance(agenda, Iterable):
        return None
    waiting = tuple(agenda)
    return waiting if all(isinstance(node, Node) for node in waiting) else None

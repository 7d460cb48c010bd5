"""Trace: a bounded recording of the events of a search."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from bestfirst.errors import InputError
from bestfirst.node import Node
from bestfirst.trace.events import Event


class Trace:
    """The first `limit` events of a search; `dropped` counts the events after them.

    agendas: with each expansion, keep also the nodes then waiting, in the order in which they would leave. That takes
        time and memory in proportion to the agenda, so it is for small searches.
    """

    def __init__(self, limit: int = 100_000, *, agendas: bool = False) -> None:
        if limit < 1:
            raise InputError(f"the limit of a trace is {limit!r}; write a whole number >= 1")
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
            waiting = tuple(agenda)  # type: ignore[arg-type, var-annotated]
            event = replace(event, waiting=waiting)
        self.events.append(event)

    def expansions(self) -> list[Node]:
        """The nodes expanded, in order."""
        return [event.node for event in self.events if event.kind == "expand" and event.node is not None]

    def __len__(self) -> int:
        return len(self.events)

    def __iter__(self) -> Iterator[Event]:
        return iter(self.events)

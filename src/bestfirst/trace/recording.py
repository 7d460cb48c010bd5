"""Trace: a bounded recording of the events of a search."""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any

from bestfirst.arguments import check_kind, check_whole, suggesting
from bestfirst.displayed import or_text
from bestfirst.errors import InputError, counted
from bestfirst.search.node import Node
from bestfirst.trace.events import Event

if TYPE_CHECKING:
    from bestfirst.problem import Problem
    from bestfirst.search import Algorithm
    from bestfirst.viewer.notebook import View


@dataclass(frozen=True, slots=True)
class Subject:
    """The search of which a trace is a recording. heuristic: its name, if there is one."""

    problem: Problem
    algorithm: Algorithm
    heuristic: str | None


class Trace:
    """The first `limit` events of a search; `dropped` counts the events after them.

    agendas: also record the open list at each expansion, in the order of removal. The time and memory are proportional to the
        length of the open list, so use it for small searches. The open list of a depth-first algorithm is its path. If an
        algorithm has no list of open nodes, none is recorded.
    times: also record when each event happened, which costs about a tenth of a microsecond (see seconds).
    """

    @suggesting
    def __init__(self, limit: int = 100_000, *, agendas: bool = False, times: bool = True) -> None:
        check_whole("the limit of a trace", limit, 1)
        self.limit = limit
        self.agendas = agendas
        self.times = times
        self.events: list[Event] = []
        self.dropped = 0
        self._seconds = array("d")
        self._subject: Subject | None = None

    def begin(self, subject: Subject) -> None:
        """Clear the trace for a recording of a search."""
        self.clear()
        self._subject = subject

    @property
    def subject(self) -> Subject:
        """What was recorded. Raises InputError before the first search."""
        if self._subject is None:
            raise InputError("nothing has been recorded; pass the trace to a search: bf.solve(problem, trace=trace)")
        return self._subject

    @property
    def seconds(self) -> Sequence[float] | None:
        """For each event, the seconds that the search had taken until then, excluding pauses.

        None if times are not recorded, or an event was recorded without its time.
        """
        return self._seconds if self.times and len(self._seconds) == len(self.events) else None

    def save(self, path: str | Path) -> None:
        """Write the trace to a file, atomically, in the format of its suffix.

        .html: a page that shows the search step by step. .jsonl: the events. .svg, .dot and .txt: the search tree.
        .trace.yaml: for the visualiser Posthoc. Raises InputError for another suffix, or a file that cannot be written.
        """
        files = import_module("bestfirst.trace.files")  # by name: the formats need traces, not the other way round
        files.write_trace(Path(path), self)

    def view(self, other: Trace | None = None, *, height: int = 640) -> View:
        """The search in a notebook, step by step, alone or beside another one. height: in pixels.

        It is a widget if anywidget is installed (the extra `notebook`); otherwise, and in exported notebooks, a frame.
        Raises InputError if nothing was recorded.
        """
        view: View = import_module("bestfirst.viewer.html").view_of(self, other, height)
        return view

    def _repr_html_(self) -> str | None:
        """The view as a frame; None if nothing was recorded."""
        return self.view()._repr_html_() if self.events else None

    @or_text
    def _repr_mimebundle_(self) -> dict[str, Any]:
        """The view, where a notebook shows a trace; a line if nothing was recorded."""
        return self.view()._repr_mimebundle_() if self.events else {"text/plain": repr(self)}

    def __repr__(self) -> str:
        recorded = counted(len(self.events), "event") + (f", {self.dropped:,} more not recorded" if self.dropped else "")
        if self._subject is None:
            return f"Trace({recorded})"
        of = self._subject
        heuristic = f" with {of.heuristic}" if of.heuristic else ""
        return f"Trace({recorded}: {of.algorithm.name}{heuristic} on {of.problem.name()})"

    def record(self, event: Event, agenda: object = None, seconds: float | None = None) -> None:
        """Keep an event, or count it as dropped. seconds: what the search has taken so far."""
        if len(self.events) >= self.limit:
            self.dropped += 1
            return
        if self.agendas and event.kind == "expand":
            event = replace(event, waiting=_nodes_on(agenda))
        self.events.append(event)
        if self.times and seconds is not None:
            self._seconds.append(seconds)

    def forget_limit(self) -> None:
        """Delete the last event, with its time, if it is that a limit was reached: the search goes on as if it had none."""
        if self.events and self.events[-1].kind == "limit":
            self.events.pop()
            del self._seconds[len(self.events) :]

    def clear(self) -> None:
        """Delete all events, so that another search can be recorded."""
        self.events.clear()
        del self._seconds[:]
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


def check_trace(trace: object) -> None:
    """Raise InputError for anything else than the trace of a search, such as that of a game."""
    check_kind(
        "trace",
        trace,
        Trace,
        "a Trace of a search; for a GameTrace, use its text() or view(), game_tree_svg(), game_tree_dot(), game_tree_posthoc() or "
        "game_recording_of()",
    )


def _nodes_on(agenda: object) -> tuple[Node, ...] | None:
    if not isinstance(agenda, Iterable):
        return None
    waiting = tuple(agenda)
    return waiting if all(isinstance(node, Node) for node in waiting) else None

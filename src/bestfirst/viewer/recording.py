"""From a trace to the data that the viewer shows: a header, and columns of nodes, events and states.

docs/viewer-format.md describes the format.
"""

from __future__ import annotations

from collections.abc import Hashable
from sys import float_info
from typing import TYPE_CHECKING, Any

from bestfirst.problem import Problem
from bestfirst.trace.events import Event
from bestfirst.trace.labels import one_line, visible
from bestfirst.trace.recording import Trace, check_trace
from bestfirst.trace.tree import SearchTree, TreeNode, grow
from bestfirst.viewer.columns import column
from bestfirst.viewer.pictures import Picture, Svgs, finite_cells, picture_of
from bestfirst.written import text_of

if TYPE_CHECKING:
    from bestfirst.search import Algorithm

FORMAT, VERSION = "bestfirst-view", 1
KINDS = ("generate", "expand", "duplicate", "update", "reopen", "prune", "goal", "round", "bound", "limit", "end")
"""The kinds of events; the column contains their indices."""
NONE = -1


def recording_of(trace: Trace) -> dict[str, Any]:
    """The recording of a trace, as an object for JSON. Raises InputError if nothing was recorded."""
    return Recorder(trace).recording()


class Recorder:
    """Makes the recording of a trace, in chunks while the search runs or at once afterwards.

    Nodes, states, texts and events are numbered through all chunks.
    """

    def __init__(self, trace: Trace) -> None:
        """Raises InputError if nothing was recorded, and for the trace of a game."""
        check_trace(trace)
        self._trace = trace
        self._problem = trace.subject.problem
        self._trees = [SearchTree()]
        self._first = 0  # the index of the first node of the last tree
        self._events = 0
        self._texts = Texts()
        self._states = _States(self._problem)

    def recording(self) -> dict[str, Any]:
        """The header, with a chunk of all that was recorded so far. Call it once, before next_chunk()."""
        problem, algorithm = self._problem, self._trace.subject.algorithm
        chunk = self.next_chunk()
        assert chunk is not None
        return {
            "format": FORMAT,
            "version": VERSION,
            "kind": "search",
            "problem": problem.name(),
            "instance": one_line(text_of(problem, "format", problem.initial)),
            "algorithm": algorithm.name,
            "evaluation": algorithm.evaluation,
            "weight": algorithm.weight,
            "heuristic": self._trace.subject.heuristic,
            "agenda": _agenda_of(algorithm),
            "dropped": self._trace.dropped,
            "picture": self._states.header,
            "chunks": [chunk],
        }

    def next_chunk(self) -> dict[str, Any] | None:
        """What was recorded since the last chunk; None if a new state does not fit the picture: then start a new Recorder."""
        told, first = _Told(before=self._events), self._events
        for event in self._trace.events[first:]:
            self._take(event, told)
        states = self._states.columns_of_new(self._texts)
        if states is None:
            return None
        chunk = {"states": states, **told.columns(self._texts), "texts": self._texts.new()}
        if self._trace.seconds is not None:
            chunk["events"]["seconds"] = column("f8", self._trace.seconds[first : self._events])
        return chunk

    def _take(self, event: Event, told: _Told) -> None:
        tree = self._trees[-1]
        known = len(tree.nodes)
        if grow(self._trees, event) is not tree:
            self._first, known = self._first + known, 0
            tree = self._trees[-1]
        for node in tree.nodes[known:]:
            told.node(node, self._first, self._states.place(node.node.state), self._action(node))
        told.event(event, tree, self._first)
        self._events += 1

    def _action(self, node: TreeNode) -> str | None:
        return None if node.parent is None else visible(text_of(self._problem, "format_action", node.node.action))


def _agenda_of(algorithm: Algorithm) -> dict[str, Any]:
    agenda = algorithm.agenda
    return {"kind": agenda, "order": []} if isinstance(agenda, str) else {"kind": "list", "order": list(agenda)}


class Texts:
    """The strings of a recording, each once."""

    def __init__(self) -> None:
        self._all: list[str] = []
        self._places: dict[str, int] = {}
        self._told = 0

    def place(self, text: str) -> int:
        known = self._places.get(text)
        if known is None:
            known = self._places[text] = len(self._all)
            self._all.append(text)
        return known

    def place_if_any(self, text: str | None) -> int:
        return NONE if text is None else self.place(text)

    def new(self) -> list[str]:
        """The strings added since the last call."""
        told, self._told = self._told, len(self._all)
        return self._all[told:]


class _States:
    """The states of a recording, each once, with its picture, which the first states decide."""

    def __init__(self, problem: Problem) -> None:
        self._problem = problem
        self._places: dict[Hashable, int] = {}
        self._new: list[Any] = []
        self._picture: Picture | None = None
        self._svgs = Svgs(problem)

    @property
    def header(self) -> dict[str, Any]:
        assert self._picture is not None
        return {**self._picture.header, **self._svgs.header}

    def place(self, state: Any) -> int:
        key = self._problem.key(state)
        if not isinstance(key, Hashable):
            key = text_of(self._problem, "format", state)
        known = self._places.get(key)
        if known is None:
            known = self._places[key] = len(self._places)
            self._new.append(state)
        return known

    def columns_of_new(self, texts: Texts) -> dict[str, Any] | None:
        """The columns of the states since the last call; None if the picture does not fit one of them."""
        problem, states, self._new = self._problem, self._new, []
        cells = [finite_cells(problem, state) for state in states]
        if self._picture is None:
            self._picture = picture_of(problem, cells)
        picture = self._picture.columns(states, cells, texts.place)  # first: then the few texts of cells have small numbers
        svgs = self._svgs.columns(states, texts.place)
        if picture is None or svgs is None:
            return None
        name = [texts.place(one_line(text_of(problem, "format", state))) for state in states]
        label = [texts.place(one_line(text_of(problem, "label", state))) for state in states]
        return {"text": column("u4", name), "label": column("u4", label), **picture, **svgs}


class _Told:
    """The rows of a chunk."""

    def __init__(self, before: int) -> None:
        """before: the number of events in earlier chunks."""
        self._before = before
        self._nodes: list[tuple[int, int, str | None, float, float, int]] = []
        self._events: list[tuple[int, int, int, float, str | None]] = []
        self._goals: list[dict[str, Any]] = []
        self._waiting: list[dict[str, Any]] = []

    def node(self, node: TreeNode, first: int, state: int, action: str | None) -> None:
        values = _as_float(node.node.g), _as_float(node.node.h)
        self._nodes.append((_place(node.parent, first), state, action, *values, _place(node.replaces, first)))

    def event(self, event: Event, tree: SearchTree, first: int) -> None:
        number = self._before + len(self._events)
        node = None if event.node is None else tree.find(event.node)
        row = KINDS.index(event.kind), _place(node, first), event.agenda, _as_float(event.bound), event.reason
        self._events.append(row)
        if event.kind == "goal" and event.node is not None:
            path = [_place(step, first) for step in tree.solution]
            self._goals.append({"event": number, "cost": min(_as_float(event.node.g), float_info.max), "path": path})
        if event.waiting is not None:
            found = (tree.find(other) for other in event.waiting)
            self._waiting.append({"event": number, "nodes": [_place(other, first) for other in found if other is not None]})

    def columns(self, texts: Texts) -> dict[str, Any]:
        parent, state, action, g, h, replaces = _columns(self._nodes, 6)
        kind, node, agenda, bound, reason = _columns(self._events, 5)
        return {
            "nodes": {
                "parent": column("i4", parent),
                "state": column("u4", state),
                "action": column("i4", map(texts.place_if_any, action)),
                "g": column("f8", g),
                "h": column("f8", h),
                "replaces": column("i4", replaces),
            },
            "events": {
                "kind": column("u1", kind),
                "node": column("i4", node),
                "agenda": column("u4", agenda),
                "bound": column("f8", bound),
                "reason": column("i4", map(texts.place_if_any, reason)),
            },
            "goals": self._goals,
            "waiting": self._waiting,
        }


def _columns(rows: list[Any], number: int) -> list[Any]:
    return list(zip(*rows, strict=True)) or [()] * number


def _place(node: TreeNode | None, first: int) -> int:
    return NONE if node is None else first + node.number - 1


def _as_float(number: float) -> float:
    try:
        return float(number)
    except OverflowError:  # an int beyond the range of floats
        return float("inf")

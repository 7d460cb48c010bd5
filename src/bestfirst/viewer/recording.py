"""From a trace to the data that the viewer shows: a header, and columns of nodes, events and states.

docs/viewer-format.md describes the format.
"""

from __future__ import annotations

from collections.abc import Hashable
from typing import TYPE_CHECKING, Any

from bestfirst.problem import Problem
from bestfirst.trace.labels import one_line, visible
from bestfirst.trace.recording import Trace
from bestfirst.trace.tree import SearchTree, TreeNode
from bestfirst.viewer.columns import column
from bestfirst.viewer.pictures import Picture, picture_of
from bestfirst.written import text_of

if TYPE_CHECKING:
    from bestfirst.search import Algorithm

FORMAT, VERSION = "bestfirst-view", 1
KINDS = ("generate", "expand", "duplicate", "update", "reopen", "prune", "goal", "round", "bound", "limit", "end")
"""The kinds of events; their indices stand in the column."""
NONE = -1


def recording_of(trace: Trace) -> dict[str, Any]:
    """The recording of a trace, as an object for JSON. Raises InputError if nothing was recorded."""
    problem, algorithm = trace.subject.problem, trace.subject.algorithm
    trees = SearchTree.rounds_of(trace)
    states = _States(problem, [node.node.state for tree in trees for node in tree.nodes])
    return {
        "format": FORMAT,
        "version": VERSION,
        "kind": "search",
        "problem": problem.name(),
        "instance": one_line(text_of(problem, "format", problem.initial)),
        "algorithm": algorithm.name,
        "evaluation": algorithm.evaluation,
        "weight": algorithm.weight,
        "heuristic": trace.subject.heuristic,
        "agenda": _agenda_of(algorithm),
        "dropped": trace.dropped,
        "picture": states.picture.header,
        "chunks": [_chunk(trees, states, problem)],
    }


def _agenda_of(algorithm: Algorithm) -> dict[str, Any]:
    agenda = algorithm.agenda
    return {"kind": agenda, "order": []} if isinstance(agenda, str) else {"kind": "list", "order": list(agenda)}


class Texts:
    """The strings of a recording, each once."""

    def __init__(self) -> None:
        self.all: list[str] = []
        self._places: dict[str, int] = {}

    def place(self, text: str) -> int:
        known = self._places.get(text)
        if known is None:
            known = self._places[text] = len(self.all)
            self.all.append(text)
        return known


class _States:
    """The states of a recording, each once, with its picture."""

    def __init__(self, problem: Problem, states: list[Any]) -> None:
        self._problem = problem
        self._places: dict[Hashable, int] = {}
        self.all: list[Any] = []
        self.place_of = [self._place(state) for state in states]
        self.picture: Picture = picture_of(problem, self.all)

    def _place(self, state: Any) -> int:
        key = self._problem.key(state)
        if not isinstance(key, Hashable):
            key = text_of(self._problem, "format", state)
        known = self._places.get(key)
        if known is None:
            known = self._places[key] = len(self.all)
            self.all.append(state)
        return known

    def columns(self, texts: Texts) -> dict[str, Any]:
        picture = self.picture.columns(texts.place)  # first, so that the few texts of cells have small numbers
        name = [texts.place(one_line(text_of(self._problem, "format", state))) for state in self.all]
        label = [texts.place(one_line(text_of(self._problem, "label", state))) for state in self.all]
        return {"text": column("u4", name), "label": column("u4", label), **picture}


def _chunk(trees: list[SearchTree], states: _States, problem: Problem) -> dict[str, Any]:
    texts = Texts()
    columns = {
        "states": states.columns(texts),
        "nodes": _nodes(trees, states, problem, texts),
        "events": _events(trees, texts),
    }
    return {**columns, "goals": _goals(trees), "waiting": _waiting(trees), "texts": texts.all}


def _places(trees: list[SearchTree]) -> list[int]:
    """The index of the first node of each tree, and their number."""
    places = [0]
    for tree in trees:
        places.append(places[-1] + len(tree.nodes))
    return places


def _nodes(trees: list[SearchTree], states: _States, problem: Problem, texts: Texts) -> dict[str, Any]:
    parents, actions, costs, estimates, replaced = [], [], [], [], []
    for tree, first in zip(trees, _places(trees), strict=False):
        for node in tree.nodes:
            parents.append(_place(node.parent, first))
            action = NONE
            if node.parent is not None:
                action = texts.place(visible(text_of(problem, "format_action", node.node.action)))
            actions.append(action)
            costs.append(node.node.g)
            estimates.append(node.node.h)
            replaced.append(_place(node.replaces, first))
    return {
        "parent": column("i4", parents),
        "state": column("u4", states.place_of),
        "action": column("i4", actions),
        "g": column("f8", map(_as_float, costs)),
        "h": column("f8", map(_as_float, estimates)),
        "replaces": column("i4", replaced),
    }


def _place(node: TreeNode | None, first: int) -> int:
    return NONE if node is None else first + node.number - 1


def _as_float(number: float) -> float:
    try:
        return float(number)
    except OverflowError:  # an int beyond the range of floats
        return float("inf")


def _events(trees: list[SearchTree], texts: Texts) -> dict[str, Any]:
    kinds, nodes, agendas, bounds, reasons = [], [], [], [], []
    for tree, first in zip(trees, _places(trees), strict=False):
        for event in tree.events:
            kinds.append(KINDS.index(event.kind))
            nodes.append(_place(None if event.node is None else tree.find(event.node), first))
            agendas.append(event.agenda)
            bounds.append(_as_float(event.bound))
            reasons.append(NONE if event.reason is None else texts.place(event.reason))
    return {
        "kind": column("u1", kinds),
        "node": column("i4", nodes),
        "agenda": column("u4", agendas),
        "bound": column("f8", bounds),
        "reason": column("i4", reasons),
    }


def _goals(trees: list[SearchTree]) -> list[dict[str, Any]]:
    """For each goal event: its index, the cost, and the nodes of its path."""
    goals, before = [], 0
    for tree, first in zip(trees, _places(trees), strict=False):
        paths = iter(tree.solutions)
        for number, event in enumerate(tree.events, start=before):
            if event.kind == "goal" and event.node is not None:
                path = [_place(node, first) for node in next(paths)]
                goals.append({"event": number, "cost": _as_float(event.node.g), "path": path})
        before += len(tree.events)
    return goals


def _waiting(trees: list[SearchTree]) -> list[dict[str, Any]]:
    """For each expansion with a recorded agenda: the index of the event, and the nodes in the order of removal."""
    agendas, before = [], 0
    for tree, first in zip(trees, _places(trees), strict=False):
        for number, event in enumerate(tree.events, start=before):
            if event.waiting is not None:
                found = (tree.find(node) for node in event.waiting)
                agendas.append({"event": number, "nodes": [_place(node, first) for node in found if node is not None]})
        before += len(tree.events)
    return agendas

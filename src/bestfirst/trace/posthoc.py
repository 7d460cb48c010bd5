"""Writes a trace in the Posthoc search-trace format 1.4.0, for playback in the Posthoc visualiser.

Posthoc is by the ShortestPathLab of Monash University: https://posthoc.pathfinding.ai
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from typing import Any

from bestfirst.errors import not_recorded
from bestfirst.problem import Problem
from bestfirst.trace.events import Event
from bestfirst.trace.json_lines import finite
from bestfirst.trace.posthoc_drawing import Fields, drawing_of, plain
from bestfirst.trace.recording import Trace
from bestfirst.trace.tree import PRUNE, SearchTree, TreeNode
from bestfirst.written import cells_of, text_of

VERSION = "1.4.0"


def to_posthoc(trace: Trace, problem: Problem) -> str:
    """The trace as a YAML string, to be saved with the suffix .trace.yaml.

    Event types: source and destination (if a goal is known), generating, expanding, updating (a cheaper path replaces a more
    expensive one, under the same id), closing (all children were generated, or the node was dropped), end (a goal).
    Each event has type, id, pId (of the parent, null for a root), f, g, h (null if infinite or unknown), state, action, kind
    (the event kind of bestfirst, or "close") and note (duplicate, the reason for pruning, or the iteration that begins).
    The main view draws the cells of problem.cells: a board at each step, or places on a map with lines to their parents. For
    problems without cells it shows the string of the state.
    """
    steps = _Steps(trace, problem)
    return posthoc_text(steps.drawing.view(), steps.drawing.pivot, steps.events(), trace.dropped)


def posthoc_text(view: Iterable[Fields], pivot: Fields | None, events: Iterable[Fields], dropped: int) -> str:
    """The string of a search trace from its main view and its events. dropped: the number of unrecorded later events."""
    told = [f"  - {_flow(event)}" for event in events]
    lines = [
        f"version: {VERSION}",
        "views:",
        "  main:",
        *(f"    - {_flow(component)}" for component in view),
        *([f"pivot: {_flow(pivot)}"] if pivot else []),
        "events:" if told else "events: []",
        *told,
    ]
    if dropped:
        lines.append(f"# the trace ends here: {not_recorded(dropped, 'event')}")
    return "\n".join(lines) + "\n"


class _Steps:
    """Converts the events of a trace to Posthoc events."""

    def __init__(self, trace: Trace, problem: Problem) -> None:
        self._problem = problem
        self._trees = SearchTree.rounds_of(trace)
        self._nodes = [node for tree in self._trees for node in tree.nodes]
        self.drawing = drawing_of(problem, [node.node.state for node in self._nodes])

    def events(self) -> Iterator[Fields]:
        if self._nodes:
            yield from self._ends()
        before = 0
        for tree in self._trees:
            yield from _Round(tree, before, self).events()
            before += len(tree.nodes)

    def _ends(self) -> Iterator[Fields]:
        """The source, and the destination if known, before any path."""
        start, last = self._nodes[0], self._trees[-1]
        ends = [("source", _identity(start), start.node.state)]
        if last.solution:
            goal = last.solution[-1]
            ends.append(("destination", len(self._nodes) - len(last.nodes) + _identity(goal), goal.node.state))
        elif self._problem.goal_state() is not None:
            ends.append(("destination", len(self._nodes) + 1, self._problem.goal_state()))
        for what, number, state in ends:
            no_path: Fields = dict.fromkeys(("pId", "f", "g", "h", "action"))
            yield {"type": what, "id": number, **no_path, **self._picture(state), "kind": what, "note": None}

    def about(self, node: TreeNode, before: int) -> Fields:
        """The fields of a node of an iteration, after `before` nodes of earlier iterations."""
        parent, action = node.parent, node.node.action
        return {
            "id": before + _identity(node),
            "pId": None if parent is None else before + _identity(parent),
            "f": finite(node.node.f),
            "g": finite(node.node.g),
            "h": finite(node.node.h),
            "action": None if parent is None else plain(text_of(self._problem, "format_action", action)),
            **self._picture(node.node.state),
        }

    def _picture(self, state: Any) -> Fields:
        return {
            "state": plain(text_of(self._problem, "format", state)),
            **self.drawing.fields(cells_of(self._problem, state)),
        }


class _Round:
    """One iteration, or the whole search of an algorithm without iterations."""

    def __init__(self, tree: SearchTree, before: int, steps: _Steps) -> None:
        self._tree = tree
        self._before = before
        self._steps = steps
        self._seen: set[int] = set()
        self._last_of = self._ends_of_expansions()

    def events(self) -> Iterator[Fields]:
        for number, event in enumerate(self._tree.events):
            yield from self._of(event)
            for node in self._last_of.get(number, []):
                yield self._step("closing", node, "close")

    def _of(self, event: Event) -> Iterator[Fields]:
        if event.node is None:
            return
        node = self._tree.find(event.node)
        if node is None or event.kind == "goal":
            for goal in [node] if node else self._tree.solution[-1:]:
                yield self._step("end", goal, event.kind, f"goal, cost {event.node.g:g}")
            return
        if node.number not in self._seen:
            self._seen.add(node.number)
            note = {"duplicate": "duplicate", PRUNE: f"pruned: {event.reason}", "round": self._tree.heading}.get(event.kind)
            yield self._step("updating" if node.replaces else "generating", node, event.kind, note)
        if event.kind == "expand":
            yield self._step("expanding", node, event.kind)
        elif event.kind in ("duplicate", PRUNE):
            yield self._step("closing", node, event.kind, node.remark())

    def _step(self, what: str, node: TreeNode, kind: str, note: str | None = None) -> Fields:
        about = self._steps.about(node, self._before)
        return {"type": what, **about, "kind": kind, "note": note}

    def _ends_of_expansions(self) -> dict[int, list[TreeNode]]:
        """For each event number, the nodes whose last child, in one of their expansions, was generated by the event.

        A node expanded without a child ends immediately. A node that is pruned then has no end, nor has a node whose
        expansion may continue after the end of an incomplete trace.
        """
        tree = self._tree
        made: set[int] = set()
        going: dict[int, tuple[TreeNode, int]] = {}
        ends: dict[int, list[TreeNode]] = {}
        last: TreeNode | None = None
        for number, event in enumerate(tree.events):
            node = None if event.node is None else tree.find(event.node)
            if node is None:
                continue
            last = node
            if node.number not in made and node.parent is not None and node.parent.number in going:
                going[node.parent.number] = (node.parent, number)
            made.add(node.number)
            if event.kind == "expand":
                if node.number in going:
                    ends.setdefault(going[node.number][1], []).append(node)
                going[node.number] = (node, number)
            elif event.kind == PRUNE:
                going.pop(node.number, None)
        if tree.dropped and last is not None:
            for above in last.upward():
                going.pop(above.number, None)
        for parent, number in going.values():
            ends.setdefault(number, []).append(parent)
        return ends


def _identity(node: TreeNode) -> int:
    """The id of a node: a cheaper path to a state takes over the id of the more expensive one."""
    while node.replaces is not None:
        node = node.replaces
    return node.number


# YAML: JSON strings and numbers in flow mappings, whose keys are words of this module. Strings are always quoted, because
# YAML parsers differ on unquoted 1e5, yes or ~.


_encode = json.JSONEncoder(ensure_ascii=False).encode


def _flow(value: object) -> str:
    """A value in YAML on one line."""
    if isinstance(value, dict):
        return "{" + ", ".join(f"{key}: {_flow(inner)}" for key, inner in value.items()) + "}"
    if isinstance(value, list):
        return "[" + ", ".join(map(_flow, value)) + "]"
    written = _encode(value)
    if isinstance(value, float) and "." not in written:
        written = written.replace("e", ".0e")  # in YAML 1.1 a number without a point is not a float
    return written

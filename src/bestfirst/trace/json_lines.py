"""Writes a trace as JSON lines, one object per event, for other programs."""

from __future__ import annotations

import json
import math
from typing import TYPE_CHECKING, Any, SupportsIndex

from bestfirst.problem import Problem
from bestfirst.search.node import Node
from bestfirst.trace.events import Event
from bestfirst.trace.recording import Trace, check_trace
from bestfirst.written import text_of

if TYPE_CHECKING:
    from bestfirst.search import Algorithm

FORMAT = "bestfirst-trace"
VERSION = 1


def to_json_lines(trace: Trace, problem: Problem, algorithm: Algorithm | None = None) -> str:
    """A header line, then a line for each event, in order.

    Header: format, version, problem (its name), initial (the state), algorithm (if given), events (the number that follow),
        dropped (the number of later events that were not recorded).
    Event: kind, id and parent (nodes are numbered from 1 in order of appearance), state and action (as written by
        problem.format and problem.format_action), g, h, f, agenda (the number of open nodes), bound, reason. Missing values and
        non-finite numbers are null. A goal also has its path: the states, and the actions between them. If the trace has
        open lists, an expansion also has waiting: the ids of the nodes on the open list, the next one first.
    All output is ASCII. A parent without an event (if a path was assembled at the end) is null.
    """
    check_trace(trace)
    header = {
        "format": FORMAT,
        "version": VERSION,
        "problem": problem.name(),
        "initial": text_of(problem, "format", problem.initial),
        "algorithm": None if algorithm is None else algorithm.name,
        "events": len(trace),
        "dropped": trace.dropped,
    }
    ids: dict[int, int] = {}
    lines = [json.dumps(header), *(json.dumps(_entry(event, problem, ids)) for event in trace)]
    return "\n".join(lines) + "\n"


def finite(value: float | None) -> int | float | None:
    """A number for JSON and YAML; None for infinity and NaN."""
    if value is None or not math.isfinite(value):
        return None
    return int(value) if isinstance(value, SupportsIndex) else float(value)


def _entry(event: Event, problem: Problem, ids: dict[int, int]) -> dict[str, Any]:
    node = event.node
    entry: dict[str, Any] = {
        "kind": event.kind,
        "id": None if node is None else _id_of(node, ids),
        "parent": None if node is None or node.parent is None else ids.get(id(node.parent)),
        "state": None if node is None else text_of(problem, "format", node.state),
        "action": None if node is None or node.parent is None else text_of(problem, "format_action", node.action),
        "g": finite(event.g),
        "h": finite(event.h),
        "f": finite(event.f),
        "agenda": event.agenda,
        "bound": finite(event.bound),
        "reason": event.reason,
    }
    if event.kind == "goal" and node is not None:
        path = node.path()
        entry["path"] = {
            "states": [text_of(problem, "format", step.state) for step in path],
            "actions": [text_of(problem, "format_action", step.action) for step in path[1:]],
        }
    if event.waiting is not None:
        entry["waiting"] = [_id_of(waiting, ids) for waiting in event.waiting]
    return entry


def _id_of(node: Node, ids: dict[int, int]) -> int:
    """The number of a node, by its identity, which is unique because the trace keeps all nodes alive."""
    return ids.setdefault(id(node), len(ids) + 1)

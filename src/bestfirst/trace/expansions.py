"""Lists the expansions of a search, one per line: the expanded node with its value, and the open list."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from bestfirst.errors import InputError, not_recorded
from bestfirst.problem import Problem
from bestfirst.search.node import Node
from bestfirst.trace.labels import one_line
from bestfirst.trace.recording import Trace, check_trace
from bestfirst.written import text_of

if TYPE_CHECKING:
    from bestfirst.search import Algorithm


def expansion_lines(trace: Trace, problem: Problem, algorithm: Algorithm) -> list[str]:
    """A line for each expanded node, in order: its label, a hyphen, and the value by which the algorithm chose it.

    If the trace is incomplete, the last line says so.
    Source of the format: Flach, Simply Logical, section 6.1.
    """
    check_trace(trace)
    lines = [_with_value(node, problem, algorithm) for node in trace.expansions()]
    return [*lines, *_what_is_missing(trace)]


@dataclass(frozen=True, slots=True)
class AgendaStep:
    """One expansion: the node removed from the open list, and the remaining nodes in the order of removal."""

    node: Node
    waiting: tuple[Node, ...]


def agenda_steps(trace: Trace) -> list[AgendaStep]:
    """The open list at each expansion of a trace recorded with Trace(agendas=True).

    The open list of a depth-first algorithm is its path, from the root.
    Raises InputError if the trace has no open lists, or the algorithm has no list of nodes as its open list.
    """
    check_trace(trace)
    if not trace.agendas:
        raise InputError("the trace contains no open lists; record it with Trace(agendas=True)")
    steps = []
    for event in trace:
        if event.kind == "expand" and event.node is not None:
            if event.waiting is None:
                raise InputError("the algorithm of this trace has no open list of nodes; show the search tree instead")
            steps.append(AgendaStep(event.node, event.waiting))
    return steps


def agenda_lines(trace: Trace, problem: Problem, algorithm: Algorithm, *, limit: int = 20) -> list[str]:
    """A line for each expansion: the node removed from the open list, and the first `limit` remaining nodes.

    If the trace is incomplete, the last line says so. Raises InputError like agenda_steps.
    """
    lines = []
    for number, step in enumerate(agenda_steps(trace), start=1):
        waiting = [_with_value(node, problem, algorithm) for node in step.waiting[:limit]]
        if len(step.waiting) > limit:
            waiting.append(f"and {len(step.waiting) - limit:,} more")
        lines.append(f"{number}: {_with_value(step.node, problem, algorithm)} | {', '.join(waiting) or 'empty'}")
    return [*lines, *_what_is_missing(trace)]


def _with_value(node: Node, problem: Problem, algorithm: Algorithm) -> str:
    return f"{one_line(text_of(problem, 'label', node.state))}-{algorithm.value(node):g}"


def _what_is_missing(trace: Trace) -> list[str]:
    return [f"... the trace ends here: {not_recorded(trace.dropped, 'event')}"] if trace.dropped else []

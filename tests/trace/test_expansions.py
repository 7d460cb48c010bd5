"""The lines of the nodes expanded, and of the agenda at each expansion."""

from __future__ import annotations

import pytest

from bestfirst.errors import InputError
from bestfirst.problem import Problem
from bestfirst.search import ALGORITHMS
from bestfirst.trace import agenda_lines, agenda_steps, expansion_lines
from traced import LECTURE, Odd, every_algorithm, every_problem, traced


def test_each_line_is_a_label_and_the_value_that_chose_the_node() -> None:
    """Greedy search shows h, A* shows f, uniform-cost search shows g."""
    labels = ["3 1 2 4 7 5 6 8 0", "3 1 2 4 7 5 6 0 8", "3 1 2 4 0 5 6 7 8", "3 1 2 0 4 5 6 7 8"]
    for algorithm, values in (("greedy", [4, 3, 2, 1]), ("astar", [4, 4, 4, 4])):
        lines = expansion_lines(traced(LECTURE, algorithm), LECTURE, ALGORITHMS[algorithm])
        assert lines == [f"{label}-{value}" for label, value in zip(labels, values, strict=True)]
    lines = expansion_lines(traced(LECTURE, "uniform-cost"), LECTURE, ALGORITHMS["uniform-cost"])
    assert lines[:3] == ["3 1 2 4 7 5 6 8 0-0", "3 1 2 4 7 0 6 8 5-1", "3 1 2 4 7 5 6 0 8-1"]


@every_algorithm
@every_problem
def test_there_is_a_printable_line_for_each_expansion(problem: Problem, algorithm: str) -> None:
    """Whatever the states are called, each expansion is one line without control characters."""
    trace = traced(problem, algorithm)
    lines = expansion_lines(trace, problem, ALGORITHMS[algorithm])
    assert len(lines) == len(trace.expansions())
    assert all(line.isprintable() for line in lines)


def test_a_trace_that_is_not_whole_says_so_in_the_last_line() -> None:
    """The last line counts the events that were not recorded."""
    trace = traced(LECTURE, "astar", limit=4)
    lines = expansion_lines(trace, LECTURE, ALGORITHMS["astar"])
    assert lines == ["3 1 2 4 7 5 6 8 0-4", f"... the trace ends here: {trace.dropped} later events were not recorded"]


def test_the_agenda_at_each_expansion_is_sorted() -> None:
    """For A* the nodes wait by f, then by h; with the node taken off, the whole agenda is sorted."""
    steps = agenda_steps(traced(LECTURE, "astar", agendas=True))
    assert [len(step.waiting) for step in steps] == [0, 1, 2, 4]
    for step in steps:
        order = [(node.f, node.h) for node in (step.node, *step.waiting)]
        assert order == sorted(order)


def test_agenda_lines_show_the_node_taken_off_and_those_that_wait() -> None:
    """Each line has a number, the node taken off, and the first nodes that wait; more of them are counted."""
    trace = traced(LECTURE, "astar", agendas=True)
    assert agenda_lines(trace, LECTURE, ALGORITHMS["astar"], limit=2) == [
        "1: 3 1 2 4 7 5 6 8 0-4 | empty",
        "2: 3 1 2 4 7 5 6 0 8-4 | 3 1 2 4 7 0 6 8 5-6",
        "3: 3 1 2 4 0 5 6 7 8-4 | 3 1 2 4 7 5 0 6 8-6, 3 1 2 4 7 0 6 8 5-6",
        "4: 3 1 2 0 4 5 6 7 8-4 | 3 0 2 4 1 5 6 7 8-6, 3 1 2 4 5 0 6 7 8-6, and 2 more",
    ]


@every_algorithm
def test_an_agenda_is_shown_or_refused_with_a_reason(algorithm: str) -> None:
    """Of an algorithm whose agenda is no list of nodes, the agenda is refused; of the others it has a line each."""
    trace = traced(Odd(), algorithm, agendas=True)
    if any(event.waiting is None for event in trace if event.kind == "expand"):
        with pytest.raises(InputError, match="has no open list of nodes; show the search tree instead"):
            agenda_lines(trace, Odd(), ALGORITHMS[algorithm])
    else:
        assert len(agenda_lines(trace, Odd(), ALGORITHMS[algorithm])) == len(trace.expansions())


def test_a_trace_without_agendas_is_refused_with_the_remedy() -> None:
    """The message says how to record them."""
    with pytest.raises(InputError, match=r"record it with Trace\(agendas=True\)"):
        agenda_steps(traced(LECTURE, "astar"))

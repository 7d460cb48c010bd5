"""A trace as JSON lines."""

from __future__ import annotations

import json
from fractions import Fraction
from math import inf, nan
from typing import Any

import pytest

from bestfirst.problem import Problem
from bestfirst.search import ALGORITHMS
from bestfirst.solve import solve
from bestfirst.trace import Trace, to_json_lines
from bestfirst.trace.json_lines import finite
from traced import LECTURE, ODD_STATES, Odd, every_algorithm, every_problem, solved, traced

FIELDS = ["kind", "id", "parent", "state", "action", "g", "h", "f", "agenda", "bound", "reason"]


def no_constant(name: str) -> None:
    raise AssertionError(f"{name} is no JSON")


def parsed(text: str) -> list[dict[str, Any]]:
    assert text.endswith("\n")
    return [json.loads(line, parse_constant=no_constant) for line in text[:-1].split("\n")]


def test_a_small_search_exactly() -> None:
    """One step to the goal: a header, and a line for each event."""
    problem = Problem.of("a", lambda _: [("go", "b", 2.5)], lambda state: state == "b")
    trace = Trace()
    solve(problem, "uniform-cost", trace=trace)
    start = '"parent": null, "state": "a", "action": null, "g": 0, "h": 0, "f": 0'
    goal = '"parent": 1, "state": "b", "action": "go", "g": 2.5, "h": 0, "f": 2.5'
    nothing = '"id": null, "parent": null, "state": null, "action": null, "g": null, "h": null, "f": null'
    assert to_json_lines(trace, problem, ALGORITHMS["uniform-cost"]).splitlines() == [
        '{"format": "bestfirst-trace", "version": 1, "problem": "problem", "initial": "a", '
        '"algorithm": "uniform-cost", "events": 5, "dropped": 0}',
        f'{{"kind": "generate", "id": 1, {start}, "agenda": 0, "bound": 0, "reason": null}}',
        f'{{"kind": "expand", "id": 1, {start}, "agenda": 0, "bound": 0, "reason": null}}',
        f'{{"kind": "generate", "id": 2, {goal}, "agenda": 0, "bound": 2.5, "reason": null}}',
        f'{{"kind": "bound", {nothing}, "agenda": 0, "bound": 2.5, "reason": null}}',
        f'{{"kind": "goal", "id": 2, {goal}, "agenda": 0, "bound": 2.5, "reason": null, '
        '"path": {"states": ["a", "b"], "actions": ["go"]}}',
    ]


@every_algorithm
@every_problem
def test_each_event_is_a_line_that_parses_back(problem: Problem, algorithm: str) -> None:
    """Each line is one JSON object with the fields of its event, in their order, and all of it is ASCII."""
    trace = traced(problem, algorithm)
    text = to_json_lines(trace, problem)
    assert text.isascii()
    header, *lines = parsed(text)
    assert (header["format"], header["version"], header["algorithm"]) == ("bestfirst-trace", 1, None)
    assert (header["events"], header["dropped"]) == (len(lines), 0)
    assert header["initial"] == problem.format(problem.initial)
    for line, event in zip(lines, trace, strict=True):
        assert list(line)[: len(FIELDS)] == FIELDS
        assert (line["kind"], line["agenda"], line["reason"]) == (event.kind, event.agenda, event.reason)
        assert line["state"] == (None if event.node is None else problem.format(event.state))
        for name in ("g", "h", "f", "bound"):
            value = getattr(event, name)
            assert line[name] == (None if value is None or value == inf else value)


@every_algorithm
@every_problem
def test_ids_number_the_nodes_and_parents_come_first(problem: Problem, algorithm: str) -> None:
    """Ids count from 1 in the order in which nodes appear; a parent has appeared before, in a line of its own."""
    _, *lines = parsed(to_json_lines(traced(problem, algorithm), problem))
    seen: set[int] = set()
    for line in lines:
        assert line["parent"] is None or line["parent"] in seen
        if line["id"] is not None and line["id"] not in seen:
            assert line["id"] == len(seen) + 1
            seen.add(line["id"])


@every_algorithm
@every_problem
def test_a_goal_carries_its_whole_path(problem: Problem, algorithm: str) -> None:
    """The last goal has the states and the actions of the solution, however the path was put together."""
    solution = solved(problem, algorithm)
    assert solution.trace is not None
    goals = [line for line in parsed(to_json_lines(solution.trace, problem)) if line.get("kind") == "goal"]
    assert bool(goals) == solution.found
    if goals:
        assert goals[-1]["g"] == solution.cost
        assert goals[-1]["path"] == {
            "states": [problem.format(state) for state in solution.states],
            "actions": [problem.format_action(action) for action in solution.actions],
        }


def test_agendas_are_lists_of_ids() -> None:
    """Where the trace keeps agendas, an expansion has the ids of the nodes that wait, the next one first."""
    _, *lines = parsed(to_json_lines(traced(LECTURE, "astar", agendas=True), LECTURE))
    assert [line["waiting"] for line in lines if line["kind"] == "expand"] == [[], [2], [5, 2], [7, 10, 5, 2]]
    assert all("waiting" not in line for line in lines if line["kind"] != "expand")


def test_odd_texts_come_back_exactly() -> None:
    """States are given without loss: quotes, line breaks, control characters, lone surrogates."""
    _, *lines = parsed(to_json_lines(traced(Odd(), "uniform-cost"), Odd()))
    assert {line["state"] for line in lines if line["state"] is not None} == set(ODD_STATES)


def test_a_trace_that_is_not_whole_says_so_in_the_header() -> None:
    """The header counts the events that follow and those that were dropped."""
    trace = traced(LECTURE, "astar", limit=4)
    header, *lines = parsed(to_json_lines(trace, LECTURE, ALGORITHMS["astar"]))
    assert (header["events"], header["dropped"]) == (4, trace.dropped) == (len(lines), trace.dropped)
    assert header["algorithm"] == "astar"
    assert trace.dropped > 0


@pytest.mark.parametrize(
    ("value", "written"), [(3, 3), (2.5, 2.5), (inf, None), (-inf, None), (nan, None), (None, None), (Fraction(1, 2), 0.5)]
)
def test_numbers_are_ints_floats_or_null(value: float, written: float | None) -> None:
    """JSON has no infinity, and only ints and floats."""
    assert finite(value) == written
    assert type(finite(value)) is type(written)


def test_a_truth_value_is_a_number() -> None:
    """A heuristic such as state != goal gives True, which is 1."""
    assert json.dumps(finite(True)) == "1"

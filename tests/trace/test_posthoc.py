"""A trace in the Posthoc search-trace format 1.4.0."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Any

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from bestfirst.problem import Cell, Problem, Successor
from bestfirst.rounding import LARGEST_PART
from bestfirst.solution import Limits
from bestfirst.solve import solve
from bestfirst.trace import Trace, to_posthoc
from bestfirst.trace.labels import one_line
from profiles import examples
from traced import LECTURE, ODD_STATES, Odd, every_algorithm, every_problem, solved, traced

LOADER = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
"""The one in C, where there is one, takes a tenth of the time."""
TYPES = {"source", "destination", "generating", "expanding", "updating", "closing", "end"}


PLACES = {"A": (0, 0), "B": (2, 1.5), "C": (1, 3), "D": (6, 2)}
ROADS = {"A": [("B", 5), ("C", 1)], "B": [("D", 1)], "C": [("B", 1), ("A", 1)]}


class Map(Problem):
    """Cities in the plane; B is reached first by a dearer way."""

    initial = "A"

    def successors(self, state: str) -> Iterable[Successor]:
        return [(f"to {city}", city, length) for city, length in ROADS[state]]

    def is_goal(self, state: str) -> bool:
        return state == "D"

    def cells(self, state: str) -> Iterable[Cell]:
        x, y = PLACES[state]
        return [(-y, x, state)]


def parsed(text: str) -> dict[str, Any]:
    document: dict[str, Any] = yaml.load(text, Loader=LOADER)
    return document


def traced_on(problem: Problem, algorithm: str = "uniform-cost") -> Trace:
    trace = Trace()
    solve(problem, algorithm, trace=trace, limits=Limits(expansions=60))
    return trace


def expressions(value: object) -> Iterator[str]:
    """The expressions ${{ ... }} anywhere in a view."""
    if isinstance(value, dict):
        for inner in value.values():
            yield from expressions(inner)
    elif isinstance(value, list):
        for inner in value:
            yield from expressions(inner)
    elif isinstance(value, str):
        yield from re.findall(r"\$\{\{(.*?)\}\}", value)


def check(document: dict[str, Any]) -> None:
    """What the visualiser relies on."""
    assert document["version"] == "1.4.0"
    assert document["views"]["main"]
    loops = {component["$for"]["$let"] for component in document["views"]["main"] if "$for" in component}
    used = {
        name
        for text in expressions([document["views"], document.get("pivot")])
        for name in re.findall(r"(?:\$|parent)\.(\w+)", text)
    }
    generated: set[int] = set()
    for event in document["events"]:
        assert event["type"] in TYPES
        assert isinstance(event["id"], int)
        assert event["id"] > 0  # the visualiser takes 0 for no id
        if event["type"] in ("generating", "updating"):
            generated.add(event["id"])
        elif event["type"] in ("expanding", "closing", "end"):
            assert event["id"] in generated
        assert event["pId"] is None or event["pId"] in generated
        assert {"f", "g", "h"} <= set(event)
        assert used - loops <= set(event)
        assert "" not in [*event.values(), *event.get("cells", [])]  # at which the visualiser would stumble


def test_a_small_search_exactly() -> None:
    """One step to the goal, of a problem that has no cells to draw."""
    problem = Problem.of("start", lambda _: [("go", "end", 0.5)], lambda state: state == "end")
    start, end = 'action: null, state: "start"', 'action: "go", state: "end"'
    assert to_posthoc(traced_on(problem), problem).splitlines() == [
        "version: 1.4.0",
        "views:",
        "  main:",
        '    - {$: "rect", x: 0, y: 0, width: 4.5, height: 2, fill: "${{ color[$.type] }}", label: "${{ $.state }}", '
        'label-x: 0.5, label-y: 1.35, label-size: 1, label-color: "black", clear: true}',
        "events:",
        f'  - {{type: "source", id: 1, pId: null, f: null, g: null, h: null, {start}, kind: "source", note: null}}',
        '  - {type: "destination", id: 2, pId: null, f: null, g: null, h: null, action: null, state: "end", '
        'kind: "destination", note: null}',
        f'  - {{type: "generating", id: 1, pId: null, f: 0, g: 0, h: 0, {start}, kind: "generate", note: null}}',
        f'  - {{type: "expanding", id: 1, pId: null, f: 0, g: 0, h: 0, {start}, kind: "expand", note: null}}',
        f'  - {{type: "generating", id: 2, pId: 1, f: 0.5, g: 0.5, h: 0, {end}, kind: "generate", note: null}}',
        f'  - {{type: "closing", id: 1, pId: null, f: 0, g: 0, h: 0, {start}, kind: "close", note: null}}',
        f'  - {{type: "end", id: 2, pId: 1, f: 0.5, g: 0.5, h: 0, {end}, kind: "goal", note: "goal, cost 0.5"}}',
    ]


@pytest.mark.slow
@every_algorithm
@every_problem
@pytest.mark.parametrize("limit", [100_000, 8])
def test_every_trace_is_what_the_visualiser_expects(problem: Problem, algorithm: str, limit: int) -> None:
    """YAML that parses; known types, ids, parents that were generated before, and the fields that the views use."""
    check(parsed(to_posthoc(traced(problem, algorithm, limit=limit), problem)))


@pytest.mark.slow
@every_algorithm
@every_problem
def test_each_event_of_the_trace_is_played(problem: Problem, algorithm: str) -> None:
    """The expansions are those of the trace, each closed after its last child; the last goal is the last end."""
    trace = traced(problem, algorithm)
    events = parsed(to_posthoc(trace, problem))["events"]
    expanded = [event for event in events if event["type"] == "expanding"]
    assert [event["state"] for event in expanded] == [spoken(problem, node.state) for node in trace.expansions()]
    last_close = {event["id"]: place for place, event in enumerate(events) if event["kind"] == "close"}
    for place, event in enumerate(events):
        if event["type"] in ("generating", "updating") and event["pId"] is not None:
            assert place < last_close[event["pId"]]
    ends = [event["state"] for event in events if event["type"] == "end"]
    goal = solved(problem, algorithm).states[-1:]
    assert ends[-1:] == [spoken(problem, state) for state in goal]


def spoken(problem: Problem, state: Any) -> str | None:
    return one_line(problem.format(state)).replace("${{", "$ {{") or None


def test_boards_are_drawn_cell_by_cell() -> None:
    """The view loops over the nine cells; each event has their texts, row by row, null for the blank."""
    document = parsed(to_posthoc(traced(LECTURE, "astar"), LECTURE))
    frame, cell = document["views"]["main"]
    assert (frame["$"], frame["clear"], frame["fill"]) == ("rect", True, "${{ color[$.type] }}")
    assert (cell["$"], cell["clear"], cell["$for"]) == ("rect", True, {"$let": "i", "$from": 0, "$to": 9})
    assert cell["x"] == "${{ [0, 1, 2, 0, 1, 2, 0, 1, 2][$.i] + 0.02 }}"
    assert cell["y"] == "${{ [0, 0, 0, 1, 1, 1, 2, 2, 2][$.i] + 0.02 }}"
    source, destination, *_, end = document["events"]
    assert source["cells"] == ["3", "1", "2", "4", "7", "5", "6", "8", None]
    assert destination["cells"] == end["cells"] == [None, "1", "2", "3", "4", "5", "6", "7", "8"]
    assert destination["id"] == end["id"]
    assert "pivot" not in document


def test_the_tree_of_the_visualiser_is_the_search_tree() -> None:
    """Worked case 4: 13 nodes with their parents; duplicates are generated and closed at once."""
    events = parsed(to_posthoc(traced(LECTURE, "astar"), LECTURE))["events"]
    parents = {event["id"]: event["pId"] for event in events if event["type"] == "generating"}
    assert parents == {1: None, 2: 1, 3: 1, 4: 3, 5: 3, 6: 3, 7: 4, 8: 4, 9: 4, 10: 4, 11: 9, 12: 9, 13: 9}
    assert [event["id"] for event in events if event["type"] == "closing"] == [1, 6, 3, 8, 4, 13, 9]
    assert {event["id"] for event in events if event["note"] == "duplicate"} == {6, 8, 13}


def test_places_are_drawn_on_a_map() -> None:
    """Discs at x and y with a line from the parent; a cheaper path updates the city under the same id."""
    document = parsed(to_posthoc(traced_on(Map()), Map()))
    line, disc = document["views"]["main"]
    assert (line["$"], disc["$"]) == ("path", "circle")
    assert "clear" not in disc
    assert document["pivot"] == {"x": "${{ $.x }}", "y": "${{ $.y }}", "scale": disc["radius"]}
    update = next(event for event in document["events"] if event["type"] == "updating")
    assert (update["name"], update["x"], update["y"], update["g"]) == ("B", 2, -1.5, 2)
    first = next(event for event in document["events"] if event["type"] == "generating" and event["name"] == "B")
    assert update["id"] == first["id"]
    assert update["pId"] != first["pId"]
    check(document)


def test_rounds_are_trees_of_their_own() -> None:
    """Each round of an iterative algorithm begins with a new root, whose note says the bound."""
    events = parsed(to_posthoc(traced(LECTURE, "iterative-deepening"), LECTURE))["events"]
    roots = [event for event in events if event["type"] == "generating" and event["pId"] is None]
    assert [event["note"] for event in roots] == [
        None,
        *(f"iteration {depth + 1}: depth <= {depth}" for depth in range(1, 5)),
    ]
    assert len({event["id"] for event in roots}) == 5


def test_the_goal_is_a_destination_though_it_was_not_found() -> None:
    """A problem that knows its goal shows it from the beginning, under an id that no node has."""
    events = parsed(to_posthoc(traced(LECTURE, "uniform-cost", expansions=2), LECTURE))["events"]
    assert [event["type"] for event in events[:2]] == ["source", "destination"]
    assert events[1]["cells"][0] is None
    assert events[1]["id"] not in {event["id"] for event in events if event["type"] == "generating"}
    assert not any(event["type"] == "end" for event in events)


def test_odd_texts_are_not_evaluated_and_come_back() -> None:
    """What looks like an expression is broken up; an empty text is null; 1e5 stays a text."""
    states = {event["state"] for event in parsed(to_posthoc(traced(Odd(), "uniform-cost"), Odd()))["events"]}
    assert states == {spoken(Odd(), state) for state in range(len(ODD_STATES))}
    assert {None, "1e5", "日本 é $ {{ $.x }}"} <= states


@examples(60)
@given(st.text(st.characters(), max_size=20), st.one_of(st.integers(0), st.floats(0, LARGEST_PART)))
def test_any_text_and_cost_come_back(text: str, cost: float) -> None:
    """A printable text comes back as it is, another with escapes; a number comes back as the same number."""
    problem = Problem.of("start", lambda _: [(text, "goal " + text, cost)], lambda state: state != "start")
    end = parsed(to_posthoc(traced_on(problem), problem))["events"][-1]
    assert end["type"] == "end"
    assert end["state"] == one_line("goal " + text).replace("${{", "$ {{")
    assert (end["g"], type(end["g"])) == (cost, type(cost))


def test_a_trace_that_is_not_whole_says_so_at_its_end() -> None:
    """The last line is a comment that counts the events not recorded; nodes that may have more children stay open."""
    trace = traced(LECTURE, "uniform-cost", limit=14)
    text = to_posthoc(trace, LECTURE)
    assert text.endswith(f"\n# the trace ends here: {trace.dropped} later events were not recorded\n")
    events = parsed(text)["events"]
    assert [event["id"] for event in events if event["kind"] == "expand"] == [1, 2, 3]
    assert [event["id"] for event in events if event["kind"] == "close"] == [2]


def test_a_trace_without_events_is_a_document_without_events() -> None:
    """Before a search has begun there is nothing to play."""
    assert parsed(to_posthoc(Trace(), LECTURE))["events"] == []

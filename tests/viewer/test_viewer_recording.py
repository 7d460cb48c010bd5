"""The recording for the viewer says what the trace says."""

from __future__ import annotations

import json
from math import inf
from typing import Any

import pytest

import bestfirst as bf
from bestfirst.errors import InputError
from bestfirst.problem import Problem
from bestfirst.viewer.columns import column, numbers_of
from bestfirst.viewer.recording import KINDS, recording_of
from traced import LECTURE, every_algorithm, every_problem, solved, traced


@pytest.mark.parametrize(
    ("kind", "numbers"),
    [("u1", [0, 255]), ("u4", [0, 2**32 - 1]), ("i4", [-1, 2**31 - 1]), ("f8", [0.5, inf, -0.0])],
)
def test_a_column_holds_its_numbers(kind: Any, numbers: list[float]) -> None:
    """What is read from a column is what was written."""
    assert numbers_of(column(kind, numbers)) == numbers


@every_algorithm
@every_problem
def test_a_recording_has_a_row_for_each_event(problem: Problem, algorithm: str) -> None:
    """Its kinds are those of the trace, and its JSON is plain."""
    trace = solved(problem, algorithm).trace
    assert trace is not None
    recording = json.loads(json.dumps(recording_of(trace), allow_nan=False))
    [chunk] = recording["chunks"]
    kinds = [KINDS[int(kind)] for kind in numbers_of(chunk["events"]["kind"])]
    assert kinds == [event.kind for event in trace]
    nodes = len(numbers_of(chunk["nodes"]["parent"]))
    assert all(-1 <= parent < node for node, parent in enumerate(numbers_of(chunk["nodes"]["parent"])))
    assert all(-1 <= node < nodes for node in numbers_of(chunk["events"]["node"]))
    assert all(0 <= node < nodes for goal in chunk["goals"] for node in goal["path"])


def test_states_stand_once() -> None:
    """Equal states share a row, with the text and the cells of the state."""
    trace = solved(LECTURE, "astar").trace
    assert trace is not None
    recording = recording_of(trace)
    [chunk] = recording["chunks"]
    names = [chunk["texts"][int(place)] for place in numbers_of(chunk["states"]["text"])]
    assert len(names) == len(set(names))
    first = [chunk["texts"][int(place)] for place in numbers_of(chunk["states"]["cells"])[:9]]
    assert first == [text for _row, _column, text in LECTURE.cells(LECTURE.initial)]
    assert recording["picture"]["places"] == [(row, col) for row in range(3) for col in range(3)]


def test_a_map_has_its_roads() -> None:
    """A road map is drawn with its roads, a grid with its blocked cells."""
    roads = bf.RoadMap({"A": {"B": 5}, "B": {"C": 1}}, "A", "C", coordinates={"A": (0, 0), "B": (3, 4), "C": (3, 5)})
    trace = bf.solve(roads, "astar", trace=True).trace
    assert trace is not None
    picture = recording_of(trace)["picture"]
    assert picture["kind"] == "map"
    assert [0, 0, -4, 3] in picture["lines"]
    grid = bf.GridMap(["...", ".@.", "..."], (0, 0), (2, 2))
    assert list(grid.background().blocked) == ["...", ".@.", "..."]


def test_an_unused_trace_has_no_recording() -> None:
    """A trace of which no search is known is an InputError that says what to do."""
    with pytest.raises(InputError, match="pass the trace to a search"):
        recording_of(bf.Trace())


def test_a_trace_is_told_in_a_line() -> None:
    """Where HTML is not shown: what was searched, how, and how much was recorded."""
    assert repr(bf.Trace()) == "Trace(0 events)"
    assert repr(traced(LECTURE, "astar", limit=5)) == (
        "Trace(5 events, 14 more not recorded: astar with manhattan on sliding-tile)"
    )
    assert bf.Trace()._repr_html_() is None


@pytest.mark.parametrize("height", [0, "tall"])
def test_a_wrong_height_is_refused(height: Any) -> None:
    """With what to write instead."""
    with pytest.raises(InputError, match="height of a view"):
        traced(LECTURE, "astar").view(height=height)

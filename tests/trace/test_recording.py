"""A trace keeps the first events of a search, and its agendas where that is asked for."""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise
from time import sleep
from typing import Any

import pytest

from bestfirst.errors import InputError
from bestfirst.games import GameTrace, game_tree_dot, game_tree_posthoc, game_tree_svg
from bestfirst.problem import Problem
from bestfirst.resumable_search import Search
from bestfirst.search import ALGORITHMS
from bestfirst.search.node import Node
from bestfirst.solution import Limits
from bestfirst.trace import (
    SearchTree,
    Trace,
    agenda_lines,
    agenda_steps,
    expansion_lines,
    to_json_lines,
    to_posthoc,
)
from bestfirst.viewer.game_recording import game_recording_of
from bestfirst.viewer.recording import recording_of
from traced import LECTURE, every_algorithm, every_problem, solved, traced


def test_an_empty_trace_is_true() -> None:
    """A search that is given a new trace records into it, though the trace has no events yet."""
    trace = Trace()
    assert len(trace) == 0
    assert trace
    search = Search(LECTURE, "astar", "manhattan", trace=trace)
    search.run()
    assert search.trace is trace
    assert len(trace) > 0


def test_a_limit_below_1_is_refused() -> None:
    """A trace that may hold nothing is an InputError."""
    with pytest.raises(InputError, match="limit of a trace is 0"):
        Trace(0)


@every_algorithm
@every_problem
def test_events_beyond_the_limit_are_counted(problem: Problem, algorithm: str) -> None:
    """A bounded trace is a prefix of the whole one, and counts the rest."""
    whole, prefix = traced(problem, algorithm), traced(problem, algorithm, limit=5)
    assert [str(event) for event in prefix] == [str(event) for event in whole][:5]
    assert len(prefix) + prefix.dropped == len(whole)


@every_algorithm
@every_problem
def test_agendas_hold_nodes_or_nothing(problem: Problem, algorithm: str) -> None:
    """Keeping agendas changes no search, and what is kept with an expansion is nodes, if the agenda holds nodes."""
    plain, kept = solved(problem, algorithm), solved(problem, algorithm, agendas=True)
    assert kept.stats.expanded == plain.stats.expanded
    assert kept.trace is not None
    for event in kept.trace:
        assert event.waiting is None or event.kind == "expand"
        assert all(isinstance(node, Node) for node in event.waiting or ())


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"limit": "x"}, "the limit of a trace is 'x'"),
        ({"limit": 0}, "is 0"),
        ({"limit": None}, "is None"),
        ({"agendas": "yes"}, "agendas is 'yes'"),
        ({"times": 1}, "times is 1"),
    ],
)
def test_a_trace_of_a_wrong_kind_is_refused(arguments: dict[str, Any], message: str) -> None:
    """With what was given and what to write."""
    with pytest.raises(InputError, match=message):
        Trace(**arguments)


def test_each_event_has_its_time() -> None:
    """Times never fall, and do not count what happens between two parts of a search, or while progress is reported."""
    trace = Trace()
    search = Search(LECTURE, "uniform-cost", trace=trace)
    search.run(Limits(expansions=20))
    sleep(0.1)
    assert sum(1 for _ in zip(search, range(9), strict=False)) == 9
    search.run(progress=lambda _: sleep(0.1))
    seconds = trace.seconds
    assert seconds is not None and len(seconds) == len(trace) > 60
    assert all(0 < one <= other for one, other in pairwise(seconds))
    assert seconds[-1] < 0.1 < search.stats.seconds


def test_times_are_left_out_where_they_are_not_wanted_or_not_known() -> None:
    """With times=False, and where one event came without its time."""
    untimed, trace = Trace(times=False), traced(LECTURE, "astar")
    Search(LECTURE, "astar", "manhattan", trace=untimed).run()
    assert len(untimed) == 19 and untimed.seconds is None
    assert "seconds" not in recording_of(untimed)["chunks"][0]["events"]
    assert trace.seconds is not None
    trace.record(trace.events[-1])
    assert trace.seconds is None
    trace.clear()
    assert trace.seconds is not None and not len(trace.seconds)


def test_a_limit_that_is_forgotten_takes_its_time_with_it() -> None:
    """A search in slices, whose ends are forgotten, has the events of a search in one run, each with its time."""
    trace = Trace()
    search = Search(LECTURE, "astar", heuristic="manhattan", trace=trace)
    while search.run(Limits(expansions=1)).limit is not None:
        assert trace.events[-1].kind == "limit"
        trace.forget_limit()
        assert trace.seconds is not None and len(trace.seconds) == len(trace)
    trace.forget_limit()
    whole = solved(LECTURE, "astar").trace
    assert whole is not None
    assert [event.kind for event in trace] == [event.kind for event in whole]


OF_A_SEARCH: list[Callable[[Any], Any]] = [
    recording_of,
    agenda_steps,
    SearchTree.from_trace,
    lambda trace: expansion_lines(trace, LECTURE, ALGORITHMS["astar"]),
    lambda trace: agenda_lines(trace, LECTURE, ALGORITHMS["astar"]),
    lambda trace: to_json_lines(trace, LECTURE),
    lambda trace: to_posthoc(trace, LECTURE),
]


@pytest.mark.parametrize("show", OF_A_SEARCH)
def test_the_trace_of_a_game_is_named_with_what_shows_it(show: Callable[[Any], Any]) -> None:
    """Where the trace of a search is needed."""
    with pytest.raises(
        InputError, match=r"trace is GameTrace\(0 nodes\); pass a Trace .*game_tree_svg\(\).*game_recording_of\(\)"
    ):
        show(GameTrace())


@pytest.mark.parametrize("show", [game_recording_of, game_tree_svg, game_tree_dot, game_tree_posthoc])
def test_the_trace_of_a_search_is_named_with_what_shows_it(show: Callable[[Any], Any]) -> None:
    """Where the trace of a game is needed."""
    with pytest.raises(InputError, match=r"trace is .*; pass a GameTrace; .*view\(\), or recording_of\(\)"):
        show(Trace())

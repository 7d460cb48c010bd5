"""The paths to several goals, compiled, against the reference engine: the same search, to the node."""

from __future__ import annotations

import signal
from math import inf
from threading import Timer
from typing import Any, NamedTuple

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import bestfirst as bf
from bestfirst import several_goals
from compilable import IntGraph, float_graphs, int_graphs
from profiles import examples


def assert_twins(problem: Any, heuristic: str | None = None, **arguments: Any) -> list[tuple[Any, Any]]:
    """Both engines find the same goals by the same paths, with the same counts at each, and end alike; returns the goals."""
    ends = []
    for engine in ("compiled", "python"):
        found = bf.nearest_goals(problem, heuristic, engine=engine, **arguments)
        solutions = list(found)
        assert all(one.engine == engine for one in solutions)
        for stats in (found.stats, *(one.stats for one in solutions)):
            stats.seconds = 0
        rows = [(one.states, one.actions, one.cost, type(one.cost), one.stats) for one in solutions]
        ends.append((rows, found.limit, found.stats))
    assert ends[0] == ends[1]
    return [(states[-1], cost) for states, _actions, cost, *_ in ends[0][0]]


@examples(30)
@given(graph=int_graphs(), at_most=st.sampled_from([inf, 5, 7.5]), expansions=st.sampled_from([None, 2, 5]))
def test_the_engines_are_twins_on_graphs(graph: IntGraph, at_most: float, expansions: int | None) -> None:
    """Zero costs, loops, goals out of reach, and inconsistent estimates; a limit and a largest cost, too."""
    assert_twins(graph, at_most=at_most, limits=bf.Limits(expansions=expansions))


@examples(20)
@given(graph=float_graphs(), at_most=st.sampled_from([inf, 2.5]))
def test_the_engines_are_twins_on_graphs_of_float_costs(graph: Any, at_most: float) -> None:
    """Rounding included; infinite estimates are dead ends in both."""
    assert_twins(graph, at_most=at_most)


def test_costs_that_make_the_search_begin_again() -> None:
    """Large costs need larger records and another agenda; goals that were found before are not found twice."""
    edges = {node: [(node + 1, 700 + node), (0, 1)] for node in range(12)}
    edges[9] = [(10, 10**9)]
    edges[11] = [(12, 2**52)]
    chain = IntGraph(edges, frozenset([2, 5, 10, 12]), dict.fromkeys(range(13), 0), 13)
    assert [state.node for state, _ in assert_twins(chain, "given")] == [2, 5, 10, 12]


ROWS = ["....@...", "..@.@...", "..@.....", "..@@@@@.", "........"]


def test_maps_and_problems_with_a_form_that_compiles() -> None:
    """A grid, a road map, whose cities are numbered for compiled code."""
    grid = bf.GridMap(ROWS, (0, 0), [(7, 0), (3, 0), (0, 4), (0, 4)], neighbours=4)
    assert [cost for _, cost in assert_twins(grid)] == [3, 4, 11]
    roads = bf.RoadMap([("A", "B", 2), ("B", "W", 3), ("A", "C", 4), ("C", "W", 5)], "A", ["W", "C"])
    assert assert_twins(roads) == [("C", 4), ("W", 5)]


def test_the_compiled_engine_takes_over(monkeypatch: pytest.MonkeyPatch) -> None:
    """After some expansions, with the counts of the whole search and no goal twice, also within a time limit."""
    monkeypatch.setattr(several_goals, "HEAD_START", 4)
    monkeypatch.setattr(several_goals, "BETWEEN_LOOKS", 2)
    grid = bf.GridMap(ROWS, (0, 0), [(7, 0), (3, 0), (0, 4)], neighbours=4)
    whole = bf.nearest_goals(grid, engine="python")
    costs = [solution.cost for solution in whole]
    for limits in (bf.Limits(), bf.Limits(seconds=60)):
        found = bf.nearest_goals(grid, limits=limits)
        solutions = list(found)
        assert [solution.cost for solution in solutions] == costs
        assert limits.seconds or [solution.engine for solution in solutions] == ["python", "compiled", "compiled"]
        found.stats.seconds = whole.stats.seconds
        assert found.stats == whole.stats


class Doubling(bf.Domain):
    """From a number to its successor, or to its square, which soon takes more than 64 bits; multiples of 7 are goals."""

    class State(NamedTuple):
        number: int

    initial = State(5)
    max_actions = 2

    def is_goal(self, state: State) -> bool:
        return state.number % 7 == 0

    def step(self, state: State, action: int) -> tuple[bool, State, int]:
        return True, self.State(state.number + 1 if action == 0 else state.number * state.number), 1


def test_the_reference_engine_takes_over_from_code_that_fails(monkeypatch: pytest.MonkeyPatch) -> None:
    """Numbers beyond 64 bits: the search goes on in Python, unless the compiled engine was asked for."""
    monkeypatch.setattr(several_goals, "HEAD_START", 0)
    limits = bf.Limits(expansions=100)
    whole = [solution.states[-1].number for solution in bf.nearest_goals(Doubling(), engine="python", limits=limits)]
    found = bf.nearest_goals(Doubling(), limits=limits)
    assert [solution.states[-1].number for solution in found] == whole
    assert (found.engine, found.stats.expanded) == ("python", 100)
    with pytest.raises(bf.WordOverflowError):
        list(bf.nearest_goals(Doubling(), limits=limits, engine="compiled"))


def test_problems_without_compiled_code() -> None:
    """The default is the reference engine; the compiled one is refused with the reason and the remedy."""
    tree = bf.Tree({"I": ["A", "B"]}, "I", "B")
    assert [solution.engine for solution in bf.nearest_goals(tree)] == ["python"]
    with pytest.raises(bf.InputError, match=r"cannot run this search: .*; use engine='python'"):
        list(bf.nearest_goals(tree, engine="compiled"))
    with pytest.raises(bf.UnknownNameError, match="engine"):
        bf.nearest_goals(tree, engine="fast")


def test_a_compiled_search_is_stopped_by_time() -> None:
    """A limit of 0 s ends it before it begins."""
    grid = bf.GridMap(ROWS, (0, 0), [(7, 0), (3, 0)], neighbours=4)
    found = bf.nearest_goals(grid, engine="compiled", limits=bf.Limits(seconds=0))
    assert (list(found), found.limit) == ([], "seconds")


def test_a_state_found_twice_is_one_goal() -> None:
    """If estimates are too high, in spite of their declaration, a cheaper path to a goal can come later: it is passed over."""
    edges: dict[int, Any] = {0: [(2, 5), (1, 1)], 1: [(2, 1)], 2: [(3, 1)]}
    graph = IntGraph(edges, frozenset([2, 3]), {0: 0, 1: 9, 2: 0, 3: 9}, 4)
    assert [state.node for state, _ in assert_twins(graph, "given")] == [2, 3]


def test_ctrl_c_stops_the_compiled_engine() -> None:
    """The press reaches the engine, although the iterator waits for it too; what was done is counted."""
    cells = np.ones((4000, 4000), bool)
    cells[:-1, -2] = False  # a wall before the goals, so that all cells are searched
    grid = bf.GridMap(cells, (0, 0), [(3999, 0), (3999, 1), (3999, 2)], neighbours=4)
    list(bf.nearest_goals(grid, engine="compiled", limits=bf.Limits(expansions=1)))
    found = bf.nearest_goals(grid, engine="compiled", limits=bf.Limits(seconds=30))
    press = Timer(0.3, signal.raise_signal, [signal.SIGINT])
    press.start()
    assert (list(found), found.limit) == ([], "interrupted")
    press.join()
    assert 0 < found.stats.seconds < 20
    assert found.stats.expanded > 0

"""enumerate_states: all states that a start reaches, level by level, by either engine."""

from __future__ import annotations

import os
import signal
import sys
from itertools import permutations
from math import factorial
from time import sleep
from typing import Any, NamedTuple

import pytest
from hypothesis import given
from hypothesis import strategies as st

import bestfirst as bf
from compilable import IntGraph, Pancakes
from graphs import graphs
from profiles import examples
from spaces import DEPTHS


@pytest.mark.parametrize("goal", DEPTHS)
def test_all_boards_of_the_eight_puzzle_by_their_distance_from_the_goal(goal: str) -> None:
    """The histograms of the worked cases; the compiled engine is called in, since there are many boards."""
    found = bf.enumerate_states(bf.SlidingTile(goal, goal))
    assert found.levels == DEPTHS[goal]
    assert (found.states, found.radius, found.complete, found.engine) == (181_440, len(DEPTHS[goal]) - 1, True, "compiled")
    assert len(found.antipodes) == min(100, DEPTHS[goal][-1])


def test_the_two_farthest_boards_are_as_far_as_that() -> None:
    """31 moves, by a search from each of them."""
    goal = "_ 1 2 3 4 5 6 7 8"
    for board in bf.enumerate_states(bf.SlidingTile(goal, goal)).antipodes:
        assert bf.solve(bf.SlidingTile(board, goal)).cost == 31


class Ranked(bf.Domain):
    """Stacks of pancakes by their rank among all permutations."""

    class State(NamedTuple):
        number: int

    unit_cost = True

    def __init__(self, count: int) -> None:
        import numpy as np  # noqa: PLC0415

        self.max_actions = count - 1
        self.size = factorial(count)
        stacks = list(permutations(range(count)))
        places = {stack: place for place, stack in enumerate(stacks)}
        flips = [[places[stack[top - 1 :: -1] + stack[top:]] for top in range(2, count + 1)] for stack in stacks]
        self.flips = np.array(flips)
        self.initial = self.State(0)

    def step(self, state: State, action: int) -> Any:
        return True, self.State(self.flips[state.number, action]), 1

    def is_goal(self, state: State) -> bool:
        return state.number == 0

    def rank(self, state: State) -> int:
        return state.number

    def unrank(self, number: int) -> State:
        return self.State(number)


@pytest.mark.parametrize("engine", ["python", "compiled"])
def test_pancake_numbers(engine: str) -> None:
    """Three ways to keep the states: in a set, in 2 bits for each rank, in records; 1, 3, 4, 5, 7 are the known numbers."""
    known = [(2, 1), (3, 3), (4, 4), (5, 5), (6, 7)]
    for count, radius in known if engine == "python" else known[::2]:  # each is compiled
        ranked = bf.enumerate_states(Ranked(count), engine=engine)
        recorded = bf.enumerate_states(Pancakes(list(range(1, count + 1))), engine=engine)
        assert ranked.levels == recorded.levels
        assert (ranked.radius, ranked.states, ranked.engine) == (radius, factorial(count), engine)
        assert len(ranked.antipodes) == min(ranked.levels[-1], 100)


@examples(40)
@given(data=st.data())
def test_the_engines_are_twins_on_graphs(data: st.DataObject) -> None:
    """Equal levels and the same farthest states."""
    graph = data.draw(graphs(most_nodes=8, costs=st.integers(0, 9)))
    edges = {node: [(to, int(cost)) for to, cost in links] for node, links in graph.edges.items()}
    domain = IntGraph(edges, graph.goals, {}, 8)
    compiled, reference = (bf.enumerate_states(domain, engine=engine) for engine in ("compiled", "python"))
    assert compiled.levels == reference.levels
    assert compiled.antipodes == reference.antipodes


def test_a_small_space_needs_no_compiler() -> None:
    """Jugs have a handful of states."""
    found = bf.enumerate_states(bf.WaterJugs.from_text("5 3", goal="4"))
    assert (found.engine, found.states, found.complete) == ("python", 16, True)
    assert str(found).startswith("16 states, radius ")


@pytest.mark.parametrize("engine", ["python", "compiled"])
def test_a_limit_gives_back_what_there_is(engine: str) -> None:
    """Whole levels, and what has been met of the last one."""
    korf = bf.SlidingTile("14 13 15 7 11 12 9 5 6 _ 2 1 4 8 10 3", goal=range(16))
    found = bf.enumerate_states(korf, limits=bf.Limits(memory="8MB"), engine=engine)
    assert (found.complete, found.limit) == (False, "memory")
    assert found.levels[:4] == [1, 4, 10, 20]


def test_progress_is_called_with_what_there_is() -> None:
    """As often as it is time for it."""
    seen: list[int] = []
    bf.enumerate_states(Pancakes([1, 2, 3, 4, 5]), progress=lambda found: seen.append(found.states), engine="compiled")
    assert seen[-1] == 120


def test_one_line_says_why_an_enumeration_ended_only_when_it_has() -> None:
    """While it is under way nothing has stopped it."""
    said: list[str] = []
    puzzle = bf.SlidingTile("1 2 3 / 4 5 6 / 7 8 _")
    ended = bf.enumerate_states(
        puzzle, progress=lambda found: said.append(str(found)), engine="python", limits=bf.Limits(seconds=0.05)
    )
    assert said[0].startswith("1 state so far, radius 0") and "stopped" not in " ".join(said)
    assert "states so far (stopped by the limit on seconds), radius" in str(ended)


def test_bad_arguments_are_named() -> None:
    """With what to give instead."""
    with pytest.raises(bf.InputError, match="pass an instance of a Problem"):
        bf.enumerate_states("8-puzzle")  # type: ignore[arg-type]
    with pytest.raises(bf.InputError, match="seconds and memory only"):
        bf.enumerate_states(Ranked(3), limits=bf.Limits(depth=3))
    with pytest.raises(bf.UnknownNameError, match="engine"):
        bf.enumerate_states(Ranked(3), engine="C")
    with pytest.raises(bf.InputError, match="not written as a Domain"):
        bf.enumerate_states(bf.Problem.of(0, lambda _: [], lambda _: True), engine="compiled")


def test_a_rank_out_of_range_is_an_error_that_names_it() -> None:
    """Compiled code finds it, the reference engine's words tell."""

    class Short(Ranked):
        def __init__(self) -> None:
            super().__init__(4)
            self.size = 20

    with pytest.raises(bf.ProblemError, match=r"rank\(State\(number=\d+\)\) is 2\d; it must be a whole number in 0 .. 19"):
        bf.enumerate_states(Short(), engine="compiled")


@pytest.mark.parametrize(
    ("successors", "message"),
    [
        (lambda _: [("go", [1], 1)], "not hashable"),
        (lambda _: None, r"successors\(0\) returns None; yield"),
        (lambda _: [("go", 1)], "must be a triple"),
    ],
)
def test_a_problem_at_fault_is_named(successors: Any, message: str) -> None:
    """As a search names it: states that are not hashable, what cannot be gone through, and what is no triple."""
    with pytest.raises(bf.ProblemError, match=message):
        bf.enumerate_states(bf.Problem.of(0, successors, lambda _: False))


def test_a_start_that_cannot_be_one_is_named() -> None:
    """A list, and a problem without one."""
    with pytest.raises(bf.StateError, match="not hashable"):
        bf.enumerate_states(bf.Problem.of([0], lambda _: [], lambda _: False))
    with pytest.raises(bf.InputError, match="no initial state"):
        bf.enumerate_states(bf.Problem())


def test_the_clock_is_read_before_each_expansion() -> None:
    """So a limit holds if successors takes long."""

    def successors(state: int) -> list[tuple[str, int, int]]:
        sleep(0.05)
        return [("up", state + 1, 1)]

    chain = bf.Problem.of(0, successors, lambda _: False)
    found = bf.enumerate_states(chain, limits=bf.Limits(seconds=0.1), engine="python")
    assert found.limit == "seconds" and found.states <= 4


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no SIGINT that a process can send to itself")
def test_ctrl_c_is_looked_at_before_each_expansion() -> None:
    """So it ends an enumeration whose successors take long, with what it has counted."""
    asked: list[int] = []

    def successors(state: int) -> list[tuple[str, int, int]]:
        asked.append(state)
        if state == 3:
            os.kill(os.getpid(), signal.SIGINT)
        return [("up", state + 1, 1)] if state < 50 else []

    found = bf.enumerate_states(bf.Problem.of(0, successors, lambda _: False))
    assert (found.limit, found.levels, found.complete) == ("interrupted", [1] * 5, False)
    assert asked == [0, 1, 2, 3]


@pytest.mark.parametrize("engine", ["python", "compiled"])
def test_an_interrupt_in_progress_leaves_the_levels(engine: str) -> None:
    """As Ctrl-C does."""

    def progress(found: bf.Enumeration) -> None:
        if found.states > 3_000:
            raise KeyboardInterrupt

    start = "1 2 3 4 5 6 7 8 _"
    found = bf.enumerate_states(bf.SlidingTile(start, start), progress=progress, engine=engine)
    assert (found.limit, found.complete) == ("interrupted", False)
    assert found.levels[:3] == [1, 2, 4] and found.states > 3_000

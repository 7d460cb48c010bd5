"""solve_many(): the same solutions as one by one, limits of each search and of all, errors that name the problem."""

from __future__ import annotations

import os
import signal
from collections.abc import Iterator
from time import perf_counter
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import bestfirst as bf
from bestfirst.recycled import ENTRIES_PER_NODE, MOST_BYTES, Recycled
from profiles import examples

SIDE = 40
MAPS = {
    neighbours: bf.GridMap(
        np.random.default_rng(neighbours).random((SIDE, SIDE)) >= 0.25, (0, 0), (0, 0), neighbours=neighbours
    )
    for neighbours in (4, 8)
}
POINTS = st.tuples(st.integers(0, SIDE - 1), st.integers(0, SIDE - 1))


def pairs_on(grid: bf.GridMap, count: int, seed: int = 0) -> list[bf.GridMap]:
    """Random queries on a map."""
    places = np.random.default_rng(seed).integers(0, SIDE, (count, 4)).tolist()
    return [grid.between((a, b), (c, d)) for a, b, c, d in places]


def assert_equal(one: bf.Solution, other: bf.Solution) -> None:
    """All but the seconds."""
    one.stats.seconds = other.stats.seconds
    assert (one.status, one.limit, one.cost, one.lower_bound, one.reason) == (
        other.status,
        other.limit,
        other.cost,
        other.lower_bound,
        other.reason,
    )
    assert (one.actions, one.states, one.stats, one.warnings) == (other.actions, other.states, other.stats, other.warnings)


@pytest.mark.slow
@examples(10)
@given(
    st.lists(st.tuples(st.sampled_from([4, 8]), POINTS, POINTS), max_size=6),
    st.sampled_from(["astar", "weighted-astar", "greedy"]),
    st.sampled_from([None, 60]),
)
def test_solutions_and_counts_are_those_of_solve(queries: list[Any], algorithm: str, expansions: int | None) -> None:
    """In order, whatever the searches before have left, on maps of both kinds in turns, and with a limit."""
    problems = [MAPS[neighbours].between(start, goal) for neighbours, start, goal in queries]
    limits = bf.Limits(expansions=expansions)
    together = bf.solve_many(problems, algorithm, limits=limits, engine="compiled")
    assert len(together) == len(problems)
    for problem, solution in zip(problems, together, strict=True):
        assert solution.problem is problem
        assert_equal(solution, bf.solve(problem, algorithm, limits=limits, engine="compiled"))


@pytest.mark.slow
@examples(5)
@given(st.lists(st.lists(st.integers(0, 3), max_size=60), min_size=2, max_size=4))
def test_tables_of_hashes_are_left_too(walks: list[list[int]]) -> None:
    """A 15-puzzle has no rank, and its table grows."""
    puzzles = []
    for walk in walks:
        puzzle = bf.SlidingTile("1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 _")
        board = puzzle.initial
        for choice in walk:
            following = list(puzzle.successors(board))
            board = following[choice % len(following)][1]
        puzzles.append(bf.SlidingTile(board))
    for puzzle, solution in zip(puzzles, bf.solve_many(puzzles, "astar", "manhattan", engine="compiled"), strict=True):
        assert_equal(solution, bf.solve(puzzle, "astar", "manhattan", engine="compiled"))


def test_any_problems_in_any_engine() -> None:
    """From a generator, without a compilable form, by the default algorithm."""
    solutions = bf.solve_many(bf.WaterJugs((3, 5), goal) for goal in (1, 2, 4))
    assert [solution.cost for solution in solutions] == [bf.solve(bf.WaterJugs((3, 5), goal)).cost for goal in (1, 2, 4)]
    assert bf.solve_many([]) == []


def test_limits_are_those_of_each_search() -> None:
    """A search that reaches one does not end the others."""
    problems = pairs_on(MAPS[4], 5)
    solutions = bf.solve_many(problems, engine="python", limits=bf.Limits(expansions=3))
    assert len(solutions) == 5
    assert all(solution.stats.expanded <= 3 for solution in solutions)
    with_memory = bf.solve_many(problems, engine="python", limits=bf.Limits(memory="1GiB"))
    assert [solution.cost for solution in with_memory] == [bf.solve(problem).cost for problem in problems]


def endless() -> bf.Problem:
    """Without a goal and without an end."""
    return bf.Problem.of(0, lambda state: [("up", state + 1, 1)], lambda _: False)


def test_seconds_are_those_of_all() -> None:
    """The search that is running when they are over says so, and no other is begun."""
    asked = []

    def problems() -> Iterator[bf.Problem]:
        for number in range(3):
            asked.append(number)
            yield endless() if number else MAPS[4].between((0, 0), (0, 0))

    started = perf_counter()
    solutions = bf.solve_many(problems(), seconds=0.2)
    assert [(solution.status, solution.limit) for solution in solutions][-1] == (bf.Status.LIMIT, "seconds")
    assert len(solutions) == 2
    assert 0.2 <= perf_counter() - started < 10
    assert bf.solve_many([endless()], seconds=0) == []


def test_a_bad_problem_is_named_and_what_was_solved_is_known() -> None:
    """By its number; solutions before it have been passed to progress."""
    solved: list[bf.Solution] = []
    problems: list[Any] = [*pairs_on(MAPS[4], 2), "no problem"]
    with pytest.raises(bf.InputError, match=r"^problem 2: problem is"):
        bf.solve_many(problems, progress=solved.append)
    assert len(solved) == 2
    costly = bf.Problem.of(0, lambda state: [("up", state + 1, -1)], lambda state: state == 2)
    with pytest.raises(bf.CostError, match=r"^problem 0: action"):
        bf.solve_many([costly])


def test_bad_arguments() -> None:
    """They are refused before the first search."""
    with pytest.raises(bf.InputError, match="problems"):
        bf.solve_many(MAPS[4])  # type: ignore[call-overload]
    wrong: dict[str, Any]
    for wrong in ({"algorithm": "nope"}, {"algorithm": "astar", "depth": 3}, {"engine": "nope"}, {"threads": 0}):
        with pytest.raises(bf.InputError, match=r"nope|depth|threads"):
            bf.solve_many([], **wrong)
    with pytest.raises(bf.InputError, match="trace"):
        bf.solve_many([MAPS[4]], trace=True)
    with pytest.raises(bf.InputError, match="saves no searches"):
        bf.solve_many([MAPS[4]], "astar", save_to="searches")
    with pytest.raises(bf.InputError, match="limits"):
        bf.solve_many([MAPS[4]], limits=3)  # type: ignore[call-overload]
    with pytest.raises(bf.InputError, match="seconds"):
        bf.solve_many([MAPS[4]], seconds=-1)
    with pytest.raises(bf.InputError, match="progress"):
        bf.solve_many([MAPS[4]], progress=3)  # type: ignore[call-overload]


def test_ctrl_c_returns_what_is_done() -> None:
    """During a search, whose solution says so; and between two."""

    def presses(_state: int) -> bool:
        os.kill(os.getpid(), signal.SIGINT)
        return False

    pressing = bf.Problem.of(0, lambda state: [("up", state + 1, 1)], presses)
    solutions = bf.solve_many([MAPS[4].between((0, 0), (0, 0)), pressing, endless()])
    assert [solution.status for solution in solutions] == [
        "unsolvable" if not MAPS[4].free[0, 0] else "optimal",
        "interrupted",
    ]

    def problems() -> Iterator[bf.Problem]:
        yield MAPS[4].between((0, 0), (0, 0))
        os.kill(os.getpid(), signal.SIGINT)
        yield endless()

    assert len(bf.solve_many(problems())) == 1


def test_ctrl_c_while_a_search_ends_is_not_lost() -> None:
    """That search is complete, but no other one begins."""

    def presses(_state: int) -> bool:
        if not pressed:
            pressed.append(True)
            os.kill(os.getpid(), signal.SIGINT)
        return True

    pressed: list[bool] = []
    ending = bf.Problem.of(0, lambda state: [("up", state + 1, 1)], presses)
    assert [solution.status for solution in bf.solve_many([ending, endless()], limits=bf.Limits(expansions=9))] == [
        "optimal"
    ]


@pytest.mark.slow
def test_later_searches_take_what_is_left(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each but the first takes the records, and the table if enough of it was used."""
    taken: list[bool] = []
    usual = Recycled.words

    def words(self: Recycled, least: int) -> Any:
        found = usual(self, least)
        taken.append(found is not None)
        return found

    monkeypatch.setattr(Recycled, "words", words)
    free = np.argwhere(np.asarray(MAPS[8].free))[:, ::-1].tolist()
    ends = [(tuple(free[0]), tuple(free[number])) for number in (-1, -2, -3)]
    solutions = bf.solve_many([MAPS[8].between(*pair) for pair in ends], "astar", engine="compiled")
    searches = sum(solution.stats.expanded > 0 for solution in solutions)
    assert searches > 1
    assert taken == [False, *[True] * (searches - 1)]


@pytest.mark.slow
def test_a_table_by_rank_is_left_empty_by_a_search_of_few_states(monkeypatch: pytest.MonkeyPatch) -> None:
    """So the next search need not clear it: all of its entries are 0."""
    left: list[tuple[int, bool]] = []
    usual = Recycled.give

    def give(self: Recycled, words: Any, table: Any, nodes: int) -> None:
        left.append((nodes, bool(table.any())))
        usual(self, words, table, nodes)

    monkeypatch.setattr(Recycled, "give", give)
    for neighbours in (4, 8):
        left.clear()
        grid = bf.GridMap(["." * 200] * 200, (0, 0), (0, 0), neighbours=neighbours)
        near, far = grid.between((5, 5), (9, 5)), grid.between((0, 0), (199, 100))
        bf.solve_many([near, far, near], "uniform-cost", engine="compiled")
        assert [nodes == 0 for nodes, _ in left] == [True, False, True]
        assert [has_entries for _, has_entries in left] == [False, True, False]


def test_what_is_left_is_taken_once_and_only_if_it_fits() -> None:
    """A table is empty when it is taken; a large one with few nodes, and an array beyond the limit, are not kept."""
    recycled = Recycled()
    table = np.ones(64, np.uint32)
    recycled.give(np.ones(100, np.int64), table, 1)
    assert recycled.words(101) is None
    assert recycled.words(1) is None
    taken = recycled.table(64, is_exact=True)
    assert taken is table
    assert not table.any()
    assert recycled.table(64, is_exact=True) is None
    recycled.give(np.ones(100, np.int64), table, 1)
    assert recycled.table(32, is_exact=True) is None
    recycled.give(np.ones(100, np.int64), np.ones(2 * ENTRIES_PER_NODE, np.uint32), 1)
    assert recycled.table(2, is_exact=False) is None
    words = recycled.words(100)
    assert words is not None
    assert len(words) == 100
    recycled.give(np.ones(100, np.int64), table, 0)
    assert recycled.table(64, is_exact=True) is table
    recycled.give(np.zeros(MOST_BYTES // 8 + 1, np.int64), table, 1)
    assert recycled.words(1) is None


def test_searches_with_other_records_take_what_is_left_too() -> None:
    """Records of one width may not fill the memory of those of another width."""
    wide = bf.SlidingTile("4 1 2 3 5 6 11 7 8 9 _ 10 12 13 14 15", goal=range(16))
    problems: list[Any] = [*pairs_on(MAPS[8], 2), wide, *pairs_on(MAPS[4], 2), wide, *pairs_on(MAPS[8], 2)]
    alone = [bf.solve(problem, "astar", engine="compiled", limits=bf.Limits(memory="1GB")) for problem in problems]
    for one, other in zip(bf.solve_many(problems, "astar", engine="compiled"), alone, strict=True):
        assert (one.cost, one.stats.expanded, one.actions) == (other.cost, other.stats.expanded, other.actions)


def test_an_error_of_a_method_names_the_problem_in_a_note() -> None:
    """Its type and its message stay those that the method raised."""

    def broken(state: int) -> list[tuple[str, int, int]]:
        raise KeyError(state)

    problems = [bf.Problem.of(0, lambda _state: [("on", 1, 1)], lambda state: state == 1), bf.Problem.of(0, broken, bool)]
    with pytest.raises(KeyError) as caught:
        bf.solve_many(problems, "uniform-cost")
    assert caught.value.__notes__ == ["problem 1"]

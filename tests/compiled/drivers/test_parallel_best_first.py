"""Best-first search by several threads: the same costs and proofs as by one thread, and the same counts in each run."""

from __future__ import annotations

import csv
import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import bestfirst as bf
from bestfirst.compiled.drivers import driver, parallel_best_first
from bestfirst.compiled.drivers.parallel_best_first import ParallelBestFirst
from bestfirst.compiled.kernels.parallel_best_first import QUOTA, owner_of
from bestfirst.compiled.store.table import KEY_BITS
from compilable import FloatGraph, IntGraph, float_graphs, int_graphs
from profiles import examples

KORF_12 = bf.SlidingTile("14 1 9 6 4 8 12 5 7 2 3 _ 10 11 13 15", goal=range(16))
KORF = Path(bf.__file__).parent / "experiments" / "specs" / "korf100.csv"


@contextmanager
def side_by_side() -> Iterator[None]:
    """Small searches run side by side too, not in turn."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(parallel_best_first, "FEWEST_SHARED", 0)
        patch.setattr(driver, "FIRST_SLICE", 100 * QUOTA)
        yield


def told(solution: bf.Solution) -> tuple[Any, ...]:
    """All that a search finds, without the time that it takes."""
    stats = replace(solution.stats, seconds=0.0, peak_memory=None)
    return solution.status, solution.limit, solution.actions, solution.lower_bound, solution.warnings, stats


def assert_same_cost(problem: bf.Problem, algorithm: str, threads: int, **options: Any) -> bf.Solution:
    """Several threads find the same status, cost, bound and condition as the reference engine, in turn and side by side."""
    one = bf.solve(problem, algorithm, engine="python", **options)
    options |= {"algorithm": algorithm, "engine": "compiled"}
    several = bf.solve(problem, threads=threads, **options)
    assert (several.status, several.condition) == (one.status, one.condition)
    assert several.cost == pytest.approx(one.cost)
    assert several.lower_bound == pytest.approx(one.lower_bound)
    assert type(several.cost) is type(one.cost)
    with side_by_side():
        assert told(bf.solve(problem, threads=threads, **options)) == told(several)
    several.verify()
    return several


@pytest.mark.slow
@examples(15)
@given(graph=int_graphs(), threads=st.integers(3, 4))
def test_whole_costs_are_those_of_one_thread(graph: IntGraph, threads: int) -> None:
    """With inconsistent estimates, cycles of cost 0, and goals out of reach; ties between nodes as they are not by default."""
    assert_same_cost(graph, "astar", threads, ties="lifo")


@pytest.mark.slow
@examples(15)
@given(graph=float_graphs())
def test_float_costs_are_those_of_one_thread(graph: FloatGraph) -> None:
    """With dead ends too."""
    assert_same_cost(graph, "astar", 3)


@pytest.mark.slow
@examples(10)
@given(graph=int_graphs())
def test_uniform_cost_search_takes_threads_too(graph: IntGraph) -> None:
    """It is A* without a heuristic."""
    assert_same_cost(graph, "uniform-cost", 2)


def ladder(rungs: int, cost: Any, ways: int = 2) -> dict[int, list[tuple[int, Any]]]:
    """A graph in which each node leads to several later ones."""
    return {node: [(node + step, cost * step) for step in range(1, ways + 1)] for node in range(rungs)}


@pytest.mark.slow
@pytest.mark.parametrize("cost", [2**20, 2**45])
def test_costs_too_large_for_buckets_or_records(cost: int) -> None:
    """Heaps take over in all threads, and g gets a word of its own."""
    graph = IntGraph(ladder(40, cost), frozenset([39]), {}, 50)
    graph.default_heuristic = "given"
    assert assert_same_cost(graph, "astar", 3, ties="lifo").cost == 39 * cost


@pytest.mark.slow
def test_a_path_may_lead_through_all_threads() -> None:
    """Its nodes belong to them in no order."""
    graph = IntGraph(ladder(400, 1, 1), frozenset([400]), {}, 401)
    graph.default_heuristic = "given"
    assert len(assert_same_cost(graph, "astar", 3, ties="lifo").actions) == 400


@pytest.mark.slow
def test_korfs_costs_and_the_same_counts_in_each_run() -> None:
    """Whether the threads run in turn or side by side, and whichever waits for the other."""
    with KORF.open() as file:
        rows = [
            row for row in csv.DictReader(line for line in file if not line.startswith("#")) if row["id"] in ("12", "19")
        ]
    for row in rows:
        puzzle = bf.SlidingTile(row["tiles"], goal=range(16))
        first, again = (bf.solve(puzzle, "astar", "manhattan", threads=3, engine=engine) for engine in ("compiled", None))
        assert (first.cost, first.lower_bound, first.status) == (int(row["optimal"]), int(row["optimal"]), "optimal")
        assert told(first) == told(again)
        one = bf.solve(puzzle, "astar", "manhattan", engine="compiled")
        assert one.stats.expanded <= first.stats.expanded < 1.5 * one.stats.expanded
        with side_by_side():
            assert told(bf.solve(puzzle, "astar", "manhattan", threads=3)) == told(first)


@pytest.mark.slow
@pytest.mark.parametrize("expansions", [1, 7, 300, 5_003])
def test_a_limit_on_expansions_is_exact_and_changes_nothing(expansions: int) -> None:
    """A search that is stopped and continued is the search made in one go; and so is the same search side by side."""
    whole = bf.solve(KORF_12, "astar", "manhattan", threads=3)
    search = bf.Search(KORF_12, "astar", "manhattan", threads=3)
    bound = 0.0
    for run in range(1, 6):
        stopped = search.run(bf.Limits(expansions=expansions))
        assert (stopped.status, stopped.limit, stopped.stats.expanded) == ("limit", "expansions", run * expansions)
        assert bound <= stopped.lower_bound <= whole.lower_bound
        bound = stopped.lower_bound
        with side_by_side():
            limits = bf.Limits(expansions=run * expansions)
            assert told(bf.solve(KORF_12, "astar", "manhattan", threads=3, limits=limits)) == told(stopped)
    assert told(search.run()) == told(whole)


@pytest.mark.slow
def test_a_search_out_of_memory_or_time_goes_on() -> None:
    """With what its threads have so far."""
    whole = bf.solve(KORF_12, "astar", "manhattan", threads=3)
    for limits in (bf.Limits(memory=1), bf.Limits(seconds=0.0)):
        search = bf.Search(KORF_12, "astar", "manhattan", threads=3)
        stopped = search.run(limits)
        assert (stopped.status, stopped.limit) == ("limit", "memory" if limits.memory else "seconds")
        assert told(search.run()) == told(whole)


@pytest.mark.slow
@pytest.mark.skipif(not hasattr(signal, "raise_signal"), reason="the system sends no signals")
def test_ctrl_c_ends_the_threads() -> None:
    """The search can be continued."""
    puzzle = bf.SlidingTile("15 2 12 11 14 13 9 5 1 3 8 7 _ 10 6 4", goal=range(16))  # Korf's 3, too long to end first
    bf.solve(KORF_12, "astar", "manhattan", threads=3)  # compiles
    search = bf.Search(puzzle, "astar", "manhattan", threads=3)
    timer = threading.Timer(0.3, signal.raise_signal, [signal.SIGINT])
    timer.start()
    stopped = search.run(bf.Limits(seconds=60))
    timer.join()
    assert stopped.status == "interrupted"
    before = stopped.stats.expanded
    assert search.run(bf.Limits(expansions=1_000)).stats.expanded == before + 1_000


def binary(last: int, extra: dict[int, list[tuple[int, Any]]]) -> dict[int, list[tuple[int, Any]]]:
    """A binary tree, with further edges."""
    return {**{node: [(2 * node + 1, 1), (2 * node + 2, 1)] for node in range(last)}, **extra}


@pytest.mark.parametrize(("cost", "h", "error"), [(-1, 0, bf.CostError), (1, -1, bf.HeuristicError)])
def test_a_fault_is_the_error_of_the_reference_engine(cost: int, h: int, error: type[Exception]) -> None:
    """Of whichever thread; but not if a goal comes first."""
    bad = IntGraph(binary(31, {40: [(70, cost)]}), frozenset([50]), {70: h}, 71)
    good = IntGraph(binary(31, {60: [(70, cost)]}), frozenset([6]), {70: h}, 71)
    with side_by_side():
        for engine, threads in (("compiled", 3), ("compiled", 4), ("python", 1)):
            with pytest.raises(error, match="40" if h == 0 else "70"):
                bf.solve(replaced_goal(bad), "astar", "given", engine=engine, threads=threads, ties="lifo")
        assert bf.solve(good, "astar", "given", threads=3, ties="lifo").cost == 2


def replaced_goal(graph: IntGraph) -> IntGraph:
    """The graph without a goal, so that all of it is searched."""
    graph.goals[:] = False
    return graph


@pytest.mark.parametrize("in_turn", [True, False])
def test_an_error_in_a_method_is_that_of_python(in_turn: bool) -> None:
    """Always of the same state, though several threads may meet with one in the same phase."""
    bad = IntGraph(binary(31, {node: [(1_000 + node, 1)] for node in range(40, 60)}), frozenset(), {}, 1_100)
    bad.goals = bad.goals[:1_000]
    messages = set()
    for _ in range(3):
        with pytest.raises(IndexError) as caught:
            if in_turn:
                bf.solve(bad, "astar", "given", threads=3, ties="lifo")
            else:
                with side_by_side():
                    bf.solve(bad, "astar", "given", threads=3, ties="lifo")
        messages.add(str(caught.value))
    assert len(messages) == 1


def test_an_inconsistent_edge_is_reported() -> None:
    """With its costs, as by one thread."""
    graph = IntGraph(ladder(6, 1, 1), frozenset([6]), {1: 5}, 7)
    one = bf.solve(graph, "astar", "given", engine="python", ties="lifo")
    three = bf.solve(graph, "astar", "given", engine="compiled", threads=3, ties="lifo")
    assert three.warnings == one.warnings != []


def test_the_plan_shows_the_threads_from_the_first_node_on() -> None:
    """The reference engine cannot begin a search that is not its own; the counts do not depend on what was compiled before."""
    plan = bf.plan(KORF_12, "astar", "manhattan", threads=2)
    assert [str(stage) for stage in plan.stages] == ["astar with manhattan, compiled engine, 2 threads, to the end"]
    assert bf.plan(KORF_12, bf.AStar(threads=3), "manhattan").threads == 3
    assert bf.plan(KORF_12, threads=2).algorithm == "idastar"
    assert len(bf.plan(KORF_12, "astar", "manhattan", threads=1).stages) == 2


EIGHT = bf.SlidingTile("8 6 7 2 5 4 3 _ 1")
REFUSED: list[tuple[str | None, dict[str, Any], str]] = [
    (
        "greedy",
        {"threads": 2},
        r"greedy searches with one thread; omit threads, or use idastar, astar, uniform-cost or anytime-beam",
    ),
    ("weighted-astar", {"threads": 2}, r"weighted-astar searches with one thread"),
    ("astar", {"threads": 2, "engine": "python"}, r"the reference engine searches with one thread"),
    ("astar", {"threads": 2, "trace": True}, r"it is traced; omit threads"),
    ("astar", {"threads": 2, "limits": bf.Limits(depth=3)}, r"it has a limit on depth; omit threads"),
    (None, {"threads": 2, "heuristic": "manhattan"}, r"the default algorithm, astar, .*name the algorithm: 'astar'"),
]


@pytest.mark.parametrize(("algorithm", "options", "reason"), REFUSED)
def test_what_threads_cannot_do_is_said(algorithm: str | None, options: dict[str, Any], reason: str) -> None:
    """Nothing is quietly done by one thread, and no other search is made unasked."""
    with pytest.raises(bf.InputError, match=reason):
        bf.solve(EIGHT, algorithm, **options)


def test_it_cannot_be_saved(tmp_path: Path) -> None:
    """Which is said when it is saved, and nothing is written."""
    search = bf.Search(KORF_12, "astar", "manhattan", threads=3)
    search.run(bf.Limits(expansions=10))
    with pytest.raises(bf.InputError, match="a best-first search with several threads cannot be saved"):
        search.save(tmp_path / "search")
    assert not any(tmp_path.iterdir())


def test_each_key_has_an_owner_whatever_their_number() -> None:
    """All of them, about equally often."""
    keys = [(number * 0x9E3779B97F4A7C15) & KEY_BITS for number in range(4_000)]
    for threads in (2, 3, 256):
        owners = [owner_of(key, threads) for key in keys]
        assert set(owners) == set(range(threads))
        assert max(map(owners.count, range(threads))) < 3 * len(keys) / threads


def test_the_driver_is_that_of_both_algorithms() -> None:
    """A* and uniform-cost search."""
    graph = IntGraph(ladder(40, 1), frozenset([39]), {}, 50)
    for algorithm in (bf.AStar(threads=3, ties="lifo"), bf.UniformCost(threads=2)):
        search = bf.Search(graph, algorithm, "given" if isinstance(algorithm, bf.AStar) else None)
        search.run(bf.Limits(expansions=1))
        assert isinstance(search._stages.attempt.driver, ParallelBestFirst)

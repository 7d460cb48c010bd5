"""IDA* by several threads, against the reference engine: the same search, to the node."""

from __future__ import annotations

import csv
import math
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import bestfirst as bf
from bestfirst import attempt
from bestfirst.compiled.compiler.intrinsics import fetch_add
from bestfirst.compiled.drivers import parallel_idastar
from compilable import FloatGraph, IntGraph
from graphs import admissible_heuristics, graphs
from profiles import examples
from twins import assert_twins, random_board

KORF_79 = bf.SlidingTile("_ 1 9 7 11 13 5 3 14 12 4 2 8 6 10 15", goal=range(16))
KORF = Path(bf.__file__).parent / "experiments" / "specs" / "korf100.csv"


@pytest.fixture(autouse=True, scope="module")
def few_jobs() -> Any:
    """Small searches are shared by the threads too, not done with before there are enough jobs."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(parallel_idastar, "JOBS_PER_THREAD", 3)
        patch.setattr(parallel_idastar, "FEWEST_SHARED", 0)
        patch.setattr(parallel_idastar, "FEWEST_SPLIT", 0)
        yield


@examples(20)
@given(data=st.data(), threads=st.integers(2, 4), order=st.sampled_from(["given", "f"]))
def test_threads_make_the_same_search_on_random_boards(data: st.DataObject, threads: int, order: str) -> None:
    """Boards of 9 and 16 cells, any goal, any order of moves, whatever the number of threads."""
    size = data.draw(st.sampled_from([(3, 3), (4, 4)]))
    goal = tuple(data.draw(st.permutations(range(size[0] * size[1]))))
    assert_twins(random_board(data.draw, goal, size, 24), "idastar", threads=threads, order=order)


@examples(15)
@given(
    data=st.data(),
    threads=st.integers(2, 3),
    how=st.sampled_from([("f", 0), ("given", 1), ("given", 3)]),
    fewest=st.sampled_from([0, 4, 10**9]),
)
def test_threads_make_the_same_search_on_graphs(
    data: st.DataObject, threads: int, how: tuple[str, int], fewest: int
) -> None:
    """Zero-cost cycles, unreachable goals, inconsistent estimates; the paths are looked at, so a job must have its own whole.

    A thread alone goes on from one small iteration to the next, and several share one that is not small.
    """
    graph = data.draw(graphs(most_nodes=6, costs=st.integers(0, 4)))
    estimate = data.draw(admissible_heuristics(graph))
    h = {node: int(estimate(node)) for node in graph.distances() if estimate(node) < math.inf}
    edges = {node: [(to, int(cost)) for to, cost in links] for node, links in graph.edges.items()}
    domain = IntGraph(edges, graph.goals, h, 6)
    domain.default_heuristic = "given"
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(parallel_idastar, "FEWEST_SPLIT", fewest)
        assert_twins(domain, "idastar", threads=threads, order=how[0], prune=how[1])


def test_a_fall_in_a_job_after_the_goal_is_no_fall() -> None:
    """Threads count it for a while; then it is gone, and no warning tells of it."""
    costs = [
        [(3, 0.1), (6, 0.1), (1, 0), (2, 0)],
        [(4, 0.1), (7, 0.1), (2, 0), (0, 0)],
        [(5, 0.1), (8, 0.1), (0, 0), (1, 0)],
    ]
    costs += [[(6, 0.1), (0, 0), (4, 0), (5, 0)], [(7, 0.1), (1, 0.1), (5, 0), (3, 0)], [(2, 0.1), (3, 0), (4, 0)]]
    costs += [[(0, 0.1), (3, 0.1), (7, 0), (8, 0)], [(1, 0.1), (4, 0.1), (8, 0), (6, 0)], [(2, 0), (5, 0.1), (6, 0), (7, 0)]]
    edges = {node: [(to, float(cost)) for to, cost in links] for node, links in enumerate(costs)}
    h = dict(enumerate([0.1, 0.025, 0.0, 0.1, 0.0, 0.025, 0.0, 0.0, 0.0]))
    graph = FloatGraph(edges, frozenset([7]), h, 9)
    for threads in (1, 2):
        search = bf.Search(graph, "idastar", "given", engine="compiled", threads=threads)
        while search.run(bf.Limits(expansions=1)).status is bf.Status.LIMIT:
            pass
        assert search.solution.warnings == bf.solve(graph, "idastar", "given", engine="python").warnings


@pytest.mark.slow
@pytest.mark.parametrize(("threads", "jobs"), [(2, 256), (3, 1)])
def test_korfs_counts_come_out_to_the_node(threads: int, jobs: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """With few large jobs and with many small ones."""
    monkeypatch.setattr(parallel_idastar, "JOBS_PER_THREAD", jobs)
    with KORF.open() as file:
        rows = list(csv.DictReader(line for line in file if not line.startswith("#")))
    for row in rows:
        if int(row["generated"]) < 2_000_000:
            puzzle = bf.SlidingTile(row["tiles"], goal=range(16))
            solution = bf.solve(puzzle, "idastar", "manhattan", engine="compiled", threads=threads)
            assert (solution.cost, solution.stats.generated) == (int(row["optimal"]), int(row["generated"])), row["id"]


@pytest.mark.slow
@pytest.mark.parametrize("fewest", [0, 3_000])
@pytest.mark.parametrize("expansions", [1, 2, 77, 5_003])
def test_a_limit_on_expansions_holds_for_all_threads_together(
    expansions: int, fewest: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each run takes exactly as many, but for the last; and the end is that of one go, whether small rounds are split or not."""
    monkeypatch.setattr(parallel_idastar, "FEWEST_SPLIT", fewest)
    whole = bf.solve(KORF_79, "idastar", "manhattan", engine="compiled")
    search = bf.Search(KORF_79, "idastar", "manhattan", engine="compiled", threads=3)
    for run in range(1, 30):
        stopped = search.run(bf.Limits(expansions=expansions))
        assert (stopped.status, stopped.limit, stopped.stats.expanded) == ("limit", "expansions", run * expansions)
        assert stopped.lower_bound <= 42
    solution = search.run()
    solution.stats.seconds = whole.stats.seconds
    assert (solution.stats, solution.actions) == (whole.stats, whole.actions)


@pytest.mark.slow
@pytest.mark.parametrize("fewest", [0, 3_000, 10**9])
def test_a_search_by_threads_can_be_saved_in_the_middle_of_a_round(
    fewest: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Of each thread, where it is; and what the round has come to so far."""
    monkeypatch.setattr(parallel_idastar, "FEWEST_SPLIT", fewest)
    whole = bf.solve(KORF_79, "idastar", "manhattan", engine="compiled")
    search = bf.Search(KORF_79, "idastar", "manhattan", engine="compiled", threads=2)
    for _ in range(4):
        stopped = search.run(bf.Limits(expansions=40_000))
        search.save(tmp_path / "search")
        search = bf.Search.load(tmp_path / "search", unpickle=True)
        assert search.stats == stopped.stats
    solution = search.run()
    solution.stats.seconds = whole.stats.seconds
    assert (solution.stats, solution.actions) == (whole.stats, whole.actions)


def test_a_small_search_needs_no_threads(monkeypatch: pytest.MonkeyPatch) -> None:
    """It is over before they would be ready; a longer one is theirs."""
    monkeypatch.setattr(attempt, "_COMPILED", {})
    small = bf.solve(bf.SlidingTile("1 2 3 4 5 6 _ 7 8"), "idastar", threads=2)
    assert (small.engine, small.status) == ("python", "optimal")
    assert bf.solve(KORF_79, "idastar", "manhattan", threads=2).engine == "compiled"


@pytest.mark.parametrize(("cost", "h", "error"), [(-1, 0, bf.CostError), (1, -1, bf.HeuristicError)])
def test_a_fault_in_the_job_of_a_thread_is_an_error(cost: int, h: int, error: type[Exception]) -> None:
    """Explained as in the reference engine; but not if a goal comes first."""
    ways = {node: [(2 * node + 1, 1), (2 * node + 2, 1)] for node in range(31)}
    bad = IntGraph({**ways, 40: [(70, cost)]}, frozenset([50]), {70: h}, 71)
    bad.default_heuristic = "given"
    with pytest.raises(error):
        bf.solve(bad, "idastar", engine="compiled", threads=2)
    good = IntGraph({**ways, 60: [(70, cost)]}, frozenset([35]), {70: h}, 71)
    good.default_heuristic = "given"
    assert bf.solve(good, "idastar", engine="compiled", threads=2).cost == 5


REFUSED: list[tuple[str, dict[str, Any], str]] = [
    ("idastar", {"threads": 0}, r"threads is 0; use a whole number from 1 to 256"),
    ("idastar", {"threads": 100_000}, r"threads is 100000; use a whole number from 1 to 256"),
    ("idastar", {"threads": True}, r"threads is True; use a whole number"),
    ("idastar", {"threads": 1.5}, r"threads is 1.5; use a whole number"),
    (
        "beam",
        {"threads": 2},
        r"beam searches with one thread; omit threads, or use idastar, astar, uniform-cost or anytime-beam",
    ),
    (
        "idastar",
        {"threads": 2, "engine": "python"},
        r"the reference engine searches with one thread; omit threads or engine",
    ),
    ("idastar", {"threads": 2, "trace": True}, r"it is traced; omit threads"),
    ("idastar", {"threads": 2, "limits": bf.Limits(depth=3)}, r"it has a limit on depth; omit threads"),
    ("idastar", {"threads": 2, "heuristic": "misplaced"}, r"not given by the name of one of the domain"),
]


@pytest.mark.parametrize(("algorithm", "options", "reason"), REFUSED)
def test_what_threads_cannot_do_is_said(algorithm: str, options: dict[str, Any], reason: str) -> None:
    """Nothing is quietly done by one thread."""
    with pytest.raises(bf.InputError, match=reason):
        bf.solve(KORF_79, algorithm, **options)


def test_a_problem_that_does_not_compile_is_refused_to_threads() -> None:
    """With the reason; nor can events be had from several threads."""
    problem = bf.Problem.of(0, lambda state: [("up", state + 1, 1)], lambda state: state == 3)
    with pytest.raises(bf.InputError, match=r"not written as a Domain.*omit threads"):
        bf.solve(problem, "idastar", lambda _state: 0, threads=2)
    with pytest.raises(bf.InputError, match="no single sequence of events; omit threads"):
        list(bf.Search(KORF_79, "idastar", threads=2))


@pytest.mark.numba
def test_fetch_add_gives_what_was_there_before() -> None:
    """Interpreted as compiled."""
    array = np.array([5, 7])
    assert fetch_add(array, 1, -3) == 7
    assert array.tolist() == [5, 4]

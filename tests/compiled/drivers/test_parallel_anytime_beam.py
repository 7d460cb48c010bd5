"""Anytime beam search by several threads: the search of one thread, to the node."""

from __future__ import annotations

import random
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
from bestfirst.compiled.drivers import parallel_anytime_beam as driver
from bestfirst.compiled.drivers.parallel_anytime_beam import ParallelAnytimeBeam
from bestfirst.compiled.kernels import parallel_anytime_beam as kernel
from compilable import FloatGraph, IntGraph, Pancakes, float_graphs, int_graphs
from profiles import examples
from twins import assert_twins
from with_resources import Tank, tanks

NAME = "anytime-beam"
LIMITS = st.one_of(st.none(), st.integers(0, 20))
STACK = [7, 2, 9, 4, 1, 12, 10, 3, 8, 11, 6, 5]


@contextmanager
def sharing_all() -> Iterator[None]:
    """The threads share narrow levels too, in small parts, and sort short ones together."""
    with pytest.MonkeyPatch.context() as patch:
        for module, name, value in [
            *((module, name, 1) for module in (kernel, driver) for name in ("WIDE", "LEAST_PART")),
            (kernel, "PART", 4),
            (driver, "PART", 4),
            (kernel, "SORTED_TOGETHER", 3),
            (driver, "ALONE", 1),
            (driver, "AFTER_ODD", 1),
        ]:
            patch.setattr(module, name, value)
        yield


@contextmanager
def counting_shared() -> Iterator[list[int]]:
    """Collects how many nodes the threads expand each time."""
    shared: list[int] = []
    share = ParallelAnytimeBeam._share

    def counted(self: ParallelAnytimeBeam, until: int) -> int:
        before = int(self._search.expanded)
        how = share(self, until)
        shared.append(int(self._search.expanded) - before)
        return how

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(ParallelAnytimeBeam, "_share", counted)
        yield shared


def random_graph(seed: int) -> IntGraph:
    """Some hundred nodes with edges to any other, some of them free, and estimates that are often inconsistent."""
    chance = random.Random(seed)
    size = 300
    edges = {node: [(chance.randrange(size), chance.choice([0, 1, 5, 9])) for _ in range(4)] for node in range(size)}
    goals = frozenset(chance.sample(range(1, size), 2))
    graph = IntGraph(edges, goals, {node: chance.choice([0, 0, 1]) for node in range(size)}, 512)
    graph.estimates[list(goals)] = 0
    graph.default_heuristic = "given"
    return graph


@pytest.mark.slow
@examples(40)
@given(graph=int_graphs(), expansions=LIMITS, threads=st.integers(2, 3))
def test_whole_costs(graph: IntGraph, expansions: int | None, threads: int) -> None:
    """Counts and paths are those of the reference engine: free edges, loops, inconsistent estimates, wherever a limit stops."""
    with sharing_all():
        assert_twins(graph, NAME, expansions=expansions, threads=threads)


@pytest.mark.slow
@examples(20)
@given(seed=st.integers(0, 10**6), expansions=st.one_of(st.none(), st.integers(0, 500)))
def test_children_that_replace_nodes_of_their_parents_level(seed: int, expansions: int | None) -> None:
    """Then one thread continues, so the counts are its counts."""
    with sharing_all(), counting_shared() as shared:
        solution = assert_twins(random_graph(seed), NAME, expansions=expansions, threads=2)
    assert sum(shared) > 0 or solution.stats.expanded < 10


@pytest.mark.slow
@examples(30)
@given(graph=float_graphs(), expansions=LIMITS)
def test_float_costs(graph: FloatGraph, expansions: int | None) -> None:
    """Likewise with floats, and with dead ends."""
    with sharing_all():
        assert_twins(graph, NAME, expansions=expansions, threads=2)


@pytest.mark.slow
@examples(40)
@given(tank=tanks(), expansions=LIMITS)
def test_resources(tank: Tank, expansions: int | None) -> None:
    """The threads drop the same dominated states as the reference engine."""
    with sharing_all():
        assert_twins(tank, NAME, "zero", expansions=expansions, threads=2)


def told(solution: bf.Solution) -> tuple[Any, ...]:
    """All that a search finds, without the time that it takes."""
    stats = replace(solution.stats, seconds=0.0, peak_memory=None)
    return solution.status, solution.limit, solution.actions, solution.lower_bound, solution.warnings, stats


@pytest.mark.slow
def test_a_wide_search_can_be_stopped_and_saved_at_any_time(tmp_path: Path) -> None:
    """Most of it is shared; it stops exactly at limits, and ends as the search of one thread."""
    problem = Pancakes(STACK)
    whole = bf.solve(problem, NAME, "gap", engine="compiled", width=3_000)
    assert whole.stats.expanded > 20_000
    with counting_shared() as shared:
        search = bf.Search(problem, NAME, "gap", threads=3, width=3_000)
        for run in range(1, 4):
            stopped = search.run(bf.Limits(expansions=5_003))
            assert (stopped.limit, stopped.stats.expanded) == ("expansions", 5_003 * run)
            one = bf.solve(problem, NAME, "gap", width=3_000, limits=bf.Limits(expansions=5_003 * run))
            assert told(stopped) == told(one)
        search.save(tmp_path / "search")
        assert told(bf.Search.load(tmp_path / "search", problem).run()) == told(whole)
        search.run(bf.Limits(memory=1))
        search.run(bf.Limits(seconds=0.0))
        assert told(search.run()) == told(whole)
    assert sum(shared) > whole.stats.expanded / 2


@pytest.mark.slow
@pytest.mark.skipif(not hasattr(signal, "raise_signal"), reason="the system sends no signals")
def test_ctrl_c_ends_the_threads() -> None:
    """The search can be continued."""
    search = bf.Search(Pancakes([*STACK, 14, 13, 15]), NAME, "gap", threads=2, width=100_000)
    search.run(bf.Limits(expansions=3_000))
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


@pytest.mark.slow
@pytest.mark.parametrize(("cost", "h", "error"), [(-1, 0, bf.CostError), (1, -1, bf.HeuristicError)])
def test_a_fault_is_the_error_of_the_reference_engine(cost: int, h: int, error: type[Exception]) -> None:
    """Of the first node that has one; but not if the search ends before."""
    bad = IntGraph(binary(31, {40: [(70, cost)], 50: [(70, cost)]}), frozenset(), {70: h}, 512)
    good = IntGraph(binary(31, {60: [(70, cost)]}), frozenset([1]), {70: h}, 512)
    good.default_heuristic = bad.default_heuristic = "given"
    with sharing_all():
        for engine, threads in (("compiled", 2), ("python", 1)):
            with pytest.raises(error, match="40" if h == 0 else "70"):
                bf.solve(bad, NAME, engine=engine, threads=threads, width=64)
        assert bf.solve(good, NAME, threads=2, engine="compiled", width=64).cost == 1


@pytest.mark.slow
def test_an_error_in_a_method_is_that_of_python() -> None:
    """That of the node that one thread would expand first, in each run."""
    bad = IntGraph(binary(31, {node: [(1_000 + node, 1)] for node in range(40, 60)}), frozenset(), {}, 1_100)
    bad.default_heuristic = "given"
    bad.goals = bad.goals[:1_000]
    messages = set()
    with sharing_all():
        for engine, threads in (("python", 1), *(3 * [("compiled", 2)])):
            with pytest.raises(IndexError) as caught:
                bf.solve(bad, NAME, engine=engine, threads=threads, width=64)
            messages.add(str(caught.value))
    assert len(messages) == 1


def test_the_plan_shows_the_threads() -> None:
    """The reference engine begins, since it is the same search; without an argument, one thread searches."""
    plan = bf.plan(Pancakes(STACK), NAME, threads=2)
    assert [str(stage) for stage in plan.stages] == [
        "anytime-beam with gap, reference engine, for 2,000 expansions",
        "anytime-beam with gap, compiled engine, 2 threads, to the end",
    ]
    assert bf.plan(Pancakes(STACK), bf.AnytimeBeam(threads=3)).threads == 3
    assert bf.plan(Pancakes(STACK), NAME).threads == 1

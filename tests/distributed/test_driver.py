"""IDA* on many workers, against the reference engine: the same search, to the node."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import bestfirst as bf
from bestfirst import saver
from bestfirst.compiled.drivers import checkpoint
from bestfirst.distributed import driver
from compilable import IntGraph
from graphs import admissible_heuristics, graphs
from inline_crew import inline_workers
from profiles import examples
from twins import assert_twins, random_board

EIGHT = bf.SlidingTile("5 4 _ 6 1 8 7 3 2")


@examples(20)
@given(data=st.data(), workers=st.integers(1, 4), order=st.sampled_from(["given", "f"]), seed=st.integers(0, 99))
def test_workers_make_the_same_search_on_random_boards(data: st.DataObject, workers: int, order: str, seed: int) -> None:
    """Boards of several sizes, any goal, any order of moves, whatever the number of workers, their pace, and their deaths."""
    size = data.draw(st.sampled_from([(3, 3), (2, 3), (1, 4)]))
    goal = tuple(data.draw(st.permutations(range(size[0] * size[1]))))
    board = random_board(data.draw, goal, size, 20)
    with inline_workers(workers, seed, deaths=0.1, shared=data.draw(st.integers(0, 9))):
        assert_twins(board, "idastar", on="local", order=order)


@examples(20)
@given(
    data=st.data(),
    workers=st.integers(1, 3),
    how=st.sampled_from([("f", 0), ("given", 1), ("given", 3)]),
    seed=st.integers(0, 99),
)
def test_workers_make_the_same_search_on_graphs(data: st.DataObject, workers: int, how: tuple[str, int], seed: int) -> None:
    """Zero-cost cycles, unreachable goals, inconsistent estimates, pruned sequences of actions."""
    graph = data.draw(graphs(most_nodes=6, costs=st.integers(0, 4)))
    estimate = data.draw(admissible_heuristics(graph))
    h = {node: int(estimate(node)) for node in graph.distances() if estimate(node) < math.inf}
    edges = {node: [(to, int(cost)) for to, cost in links] for node, links in graph.edges.items()}
    domain = IntGraph(edges, graph.goals, h, 6)
    domain.default_heuristic = "given"
    with inline_workers(workers, seed, deaths=0.1):
        assert_twins(domain, "idastar", on="local", order=how[0], prune=how[1])


def test_a_search_in_runs_expands_exactly_what_it_may() -> None:
    """A limit on expansions is exact, and the runs together make the search of one thread."""
    once = bf.solve(EIGHT, "idastar", "manhattan", engine="python")
    with inline_workers(3, deaths=0.1):
        search = bf.Search(EIGHT, "idastar", "manhattan", engine="compiled", on="local")
        expanded = 0
        while search.run(bf.Limits(expansions=151)).status is bf.Status.LIMIT:
            expanded += 151
            assert search.stats.expanded == expanded
    once.stats.seconds = search.stats.seconds
    assert search.stats == once.stats
    assert search.solution.actions == once.actions


@pytest.mark.parametrize("order", ["given", "f"])
def test_a_saved_search_continues_with_other_workers(tmp_path: Path, order: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Saved in the middle of an iteration, it ends with the counts of a search that was never interrupted."""
    file = tmp_path / "saved"
    monkeypatch.setattr(checkpoint, "REPLAYED", 0)
    once = bf.solve(EIGHT, "idastar", "manhattan", engine="python", order=order)
    half = once.stats.expanded // 2
    with inline_workers(3, seed=1):
        search = bf.Search(EIGHT, "idastar", "manhattan", engine="compiled", on="local", order=order)
        search.run(bf.Limits(expansions=half))
        search.save(file)
    with inline_workers(2, seed=2):
        loaded = bf.Search.load(file, EIGHT)
        assert loaded.stats.expanded == half
        solution = loaded.run()
    once.stats.seconds = solution.stats.seconds
    assert solution.stats == once.stats
    assert solution.actions == once.actions


def test_the_bound_is_reported_while_workers_search() -> None:
    """It never falls, and ends as the bound of the search."""
    bounds = []
    with inline_workers(2):
        search = bf.Search(EIGHT, "idastar", "manhattan", engine="compiled", on="local")
        search.run(progress=lambda search: bounds.append(search.lower_bound))
    assert bounds == sorted(bounds)
    assert bounds[-1] == search.lower_bound


@pytest.mark.parametrize(
    ("arguments", "word"),
    [
        ({"workers": 2}, "requires on="),
        ({"on": "locally"}, "local"),
        ({"on": "local", "workers": 0}, "whole number"),
        ({"on": "local", "threads": 2}, "omit threads"),
        ({"on": "local", "engine": "python"}, "omit engine"),
        ({"on": "local", "trace": True}, "omit trace"),
        ({"on": "local", "algorithm": "astar"}, "use idastar"),
    ],
)
def test_workers_that_cannot_be_used_are_refused(arguments: dict[str, Any], word: str) -> None:
    """The message says which argument is wrong, and what to write instead."""
    with pytest.raises(bf.InputError, match=word):
        bf.solve(EIGHT, **{"algorithm": "idastar", **arguments})


def test_the_plan_names_the_workers() -> None:
    """The last stage has them, the reference engine's does not."""
    plan = bf.plan(EIGHT, "idastar", "manhattan", on="local")
    assert [stage.on for stage in plan.stages] == [None, "local"]
    assert "local workers" in str(plan)


@pytest.mark.parametrize(("cost", "h", "error"), [(-1, 0, bf.CostError), (1, -1, bf.HeuristicError)])
def test_a_fault_in_the_job_of_a_worker_is_an_error(cost: int, h: int, error: type[Exception]) -> None:
    """Explained as in the reference engine; but not if a goal comes first."""
    ways = {node: [(2 * node + 1, 1), (2 * node + 2, 1)] for node in range(31)}
    for goals, is_seen in (({50}, True), ({31, 50}, False)):
        bad = IntGraph({**ways, 40: [(70, cost)]}, frozenset(goals), {70: h}, 71)
        bad.default_heuristic = "given"
        with inline_workers(2):
            if is_seen:
                with pytest.raises(error):
                    bf.solve(bad, "idastar", engine="compiled", on="local")
            else:
                assert_twins(bad, "idastar", on="local")


def test_a_search_with_workers_has_no_events() -> None:
    """Its nodes are expanded in several places at once."""
    with pytest.raises(bf.InputError, match="omit on"):
        iter(bf.Search(EIGHT, "idastar", "manhattan", on="local"))


def test_a_problem_that_does_not_compile_is_refused_to_workers() -> None:
    """With the reason, and what to omit."""
    problem = bf.Problem.of(0, lambda state: [("up", state + 1, 1)], lambda state: state == 3)
    with pytest.raises(bf.InputError, match=r"not written as a Domain.*omit on"):
        bf.solve(problem, "idastar", lambda _state: 0, on="local")


@pytest.mark.parametrize(
    "wrong", [{"searched": [[[0], [1]]]}, {"left": [[[99], 0]]}, {"left": [[[], 5]]}, {"end": [[], 7, []]}]
)
def test_a_damaged_file_is_refused(tmp_path: Path, wrong: dict[str, Any], monkeypatch: pytest.MonkeyPatch) -> None:
    """Parts and counts that no search can have are found when the file is loaded."""
    monkeypatch.setattr(checkpoint, "REPLAYED", 0)
    with inline_workers(2):
        search = bf.Search(EIGHT, "idastar", "manhattan", engine="compiled", on="local")
        search.run(bf.Limits(expansions=500))
        saved = driver.DistributedIDAStar.saved
        with monkeypatch.context() as patch:
            patch.setattr(
                driver.DistributedIDAStar,
                "saved",
                lambda self: {**saved(self), "shared": {**saved(self)["shared"], **wrong}},
            )
            search.save(tmp_path / "saved")
        with pytest.raises(bf.InputError, match="not a saved search, or is damaged"):
            bf.Search.load(tmp_path / "saved", EIGHT)


def test_saving_goes_on_after_a_failure(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The first failure is an error, a later one a warning: a full disk does not end a search of days."""
    monkeypatch.setattr(saver, "SECONDS_BETWEEN_SAVES", 0)
    monkeypatch.setattr(saver, "LARGEST_SHARE", 1e9)
    places = iter([tmp_path / "saved", *[tmp_path / "nowhere" / "saved"] * 10**6])
    monkeypatch.setattr(saver.Saver, "_path", property(lambda _self: next(places), lambda _self, _path: None), raising=False)
    with inline_workers(2), pytest.warns(UserWarning, match="the search continues"):
        solution = bf.solve(EIGHT, "idastar", "manhattan", engine="compiled", on="local", save_to=tmp_path / "saved")
    assert solution.cost == 22
    with inline_workers(2), pytest.raises(bf.InputError, match="does not exist"):
        bf.solve(EIGHT, "idastar", "manhattan", engine="compiled", on="local", save_to=tmp_path / "nowhere" / "saved")

"""solve_many(on="ray"): the same as on="local", on two nodes of a cluster; a worker or a node that dies costs nothing."""

from __future__ import annotations

import os
import signal
import sys
from typing import Any

import pytest

import bestfirst as bf
from bestfirst.batches import cluster as clusters
from gone import all_gone
from misbehaving import Count, Crashes, Endless, Exits, Raises, WhereSolved

pytestmark = [pytest.mark.slow, pytest.mark.filterwarnings("ignore")]


def test_everything_is_solved_on_all_nodes(ray_cluster: Any) -> None:
    """In order; tasks that end their process fail alone, and those behind a long one do not wait for it."""
    del ray_cluster
    guilty: dict[int, Count] = {25: Exits(), 50: Crashes(), 51: Raises(), 60: Endless()}
    problems: list[bf.Problem] = [WhereSolved(0.2) for _ in range(20)]
    problems += [guilty.get(number) or Count(number % 5) for number in range(20, 100)]
    limits = bf.Limits(expansions=1000)
    pairs = list(bf.solve_many(problems, on="ray", ordered=False, limits=limits, verify=False))
    assert sorted(number for number, _ in pairs) == list(range(len(problems)))
    assert pairs[-1][0] == 60
    solutions = [solution for _, solution in sorted(pairs, key=lambda pair: pair[0])]
    assert [str(solutions[number].status) for number in guilty] == ["failed", "failed", "failed", "limit"]
    assert all(solutions[number].cost == number % 5 for number in range(20, 100) if number not in guilty)
    assert len({solution.actions[0] for solution in solutions[:20]}) == 2
    assert all(solution.problem is problem for solution, problem in zip(solutions, problems, strict=True))


def test_a_worker_that_is_killed_costs_only_time(ray_cluster: Any) -> None:
    """Its tasks are done again, by an actor that replaces it."""
    del ray_cluster
    problems = [Endless() for _ in range(4)]
    batch = bf.solve_many(problems, on="ray", limits=bf.Limits(seconds=1.0))
    solutions = [next(batch)]
    team: Any = _team_of(batch)
    victim = team._ray.get(team._hands[0].actor.begin.remote())
    os.kill(victim, signal.SIGKILL)
    solutions += batch
    assert [solution.limit for solution in solutions] == ["seconds"] * 4
    assert all(solution.stats.expanded > 0 for solution in solutions)


def _team_of(batch: Any) -> Any:
    """The workers of a running batch."""
    return batch._results.gi_frame.f_locals["team"]


def test_a_node_that_dies_costs_only_time(ray_cluster: Any) -> None:
    """What it was doing is done by the others."""
    node = ray_cluster.add_node(num_cpus=1, object_store_memory=80 << 20)
    batch = bf.solve_many([Endless() for _ in range(4)], on="ray", workers=3, limits=bf.Limits(seconds=1.0))
    solutions = [next(batch)]
    ray_cluster.remove_node(node, allow_graceful=False)
    solutions += batch
    assert [solution.limit for solution in solutions] == ["seconds"] * 4


def test_tries_are_bounded(ray_cluster: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """A task whose actor ends each time fails."""
    del ray_cluster
    monkeypatch.setattr(clusters, "MOST_TRIES", 1)
    batch = bf.solve_many([Endless()], on="ray", workers=1, limits=bf.Limits(seconds=20))
    team: list[Any] = []
    usual = clusters.RayTeam.give

    def give(self: Any, chunk: Any) -> None:
        usual(self, chunk)
        team.append(self)
        self._ray.kill(self._hands[0].actor)

    monkeypatch.setattr(clusters.RayTeam, "give", give)
    (solution,) = batch
    assert solution.status == "failed"
    assert "actor" in str(solution.reason)
    assert len(team) == 1


def test_closing_leaves_the_cluster_and_no_process(ray_cluster: Any) -> None:
    """The connection was not the batch's own."""
    import ray  # noqa: PLC0415  (an extra)

    with bf.solve_many([WhereSolved(), Endless(), Endless()], on="ray", workers=1) as batch:
        solution = next(batch)
    assert all_gone(solution.actions)
    assert ray.is_initialized()
    nodes: Any = ray.nodes()  # type: ignore[no-untyped-call]
    assert len([node for node in nodes if node["Alive"]]) >= 2
    del ray_cluster


def test_without_ray_an_error_names_the_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    """Before anything starts."""
    monkeypatch.setitem(sys.modules, "ray", None)
    with pytest.raises(bf.InputError, match=r"bestfirst\[ray\]"):
        next(bf.solve_many([Count()], on="ray"))

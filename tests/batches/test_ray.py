"""solve_many(on="ray"): the same as on="local", on two nodes of a cluster; a worker or a node that dies costs nothing."""

from __future__ import annotations

import os
import signal
import sys
from collections import Counter
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

import bestfirst as bf
from bestfirst.batches import cluster as clusters
from compilable import Pancakes
from gone import all_gone
from misbehaving import Count, Crashes, Endless, Exits, Raises, WhereSolved

pytestmark = [pytest.mark.slow, pytest.mark.filterwarnings("ignore")]


def test_everything_is_solved_on_all_nodes(ray_cluster: Any) -> None:
    """In order; tasks that end their process fail alone, and those behind a long one do not wait for it."""
    del ray_cluster
    guilty: dict[int, Count] = {25: Exits(), 50: Crashes(), 51: Raises(), 60: Endless()}
    problems: list[bf.Problem] = [WhereSolved(0.4) for _ in range(20)]
    problems += [guilty.get(number) or Count(number % 5) for number in range(20, 100)]
    limits = bf.Limits(expansions=3000)
    pairs = list(bf.solve_many(problems, on="ray", ordered=False, limits=limits, verify=False))
    assert sorted(number for number, _ in pairs) == list(range(len(problems)))
    numbers = [number for number, _ in pairs]
    assert numbers.index(61) < numbers.index(60)
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


def test_code_is_compiled_and_closing_leaves_the_cluster_and_no_process(ray_cluster: Any) -> None:
    """The connection was not the batch's own."""
    import ray  # noqa: PLC0415  (an extra)

    del ray_cluster
    problems = [Pancakes([2, 3, 1]) for _ in range(1000)]
    with bf.solve_many(problems, "depth-first-branch-and-bound", on="ray", workers=1, engine="compiled") as batch:
        solution = next(batch)
        actor = ray.get(_team_of(batch)._hands[0].actor.begin.remote())
        pids = [actor, *_children(actor)]
    assert (solution.engine, solution.cost) == ("compiled", 2)
    assert len(pids) >= 2
    assert all_gone(pids)
    assert ray.is_initialized()
    nodes: Any = ray.nodes()  # type: ignore[no-untyped-call]
    assert len([node for node in nodes if node["Alive"]]) >= 2


def _children(pid: int) -> list[int]:
    """The processes that a process has started."""
    lists = Path(f"/proc/{pid}/task").glob("*/children")
    return [int(child) for file in lists for child in file.read_text().split()]


def test_tries_are_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    """A task whose actor has ended that often fails; the others of the chunk are done again."""
    team: Any = object.__new__(clusters.RayTeam)
    team._connection = SimpleNamespace(has_ended=False)
    team._tries, team._false_starts, team._hands = Counter({7: clusters.MOST_TRIES - 1}), 0, []
    monkeypatch.setattr(clusters.RayTeam, "_hire", lambda self: self._hands.append("a new one"))
    hand = clusters._Hand(None, None)
    hand.has_begun, hand.left = True, {6, 7}
    team._hands.append(hand)
    ended, lost = team._ended(hand, OSError("the actor died\nin the night"))
    assert (ended.number, lost.numbers) == (7, [6])
    assert ended.result.why.endswith("3 times: the actor died")
    assert team._hands == ["a new one"]
    early = clusters._Hand(None, None)
    with pytest.raises(bf.BestfirstError, match="failed to start"):
        for _ in range(clusters.MOST_FALSE_STARTS):
            team._hands.append(early)
            team._ended(early, OSError("no package"))


def test_without_ray_an_error_names_the_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    """Before anything starts."""
    monkeypatch.setitem(sys.modules, "ray", None)
    with pytest.raises(bf.InputError, match=r"bestfirst\[ray\]"):
        next(bf.solve_many([Count()], on="ray"))

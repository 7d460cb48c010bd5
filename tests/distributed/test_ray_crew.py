"""Workers of a Ray cluster of two small nodes on this machine, one of which is lost."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any, ClassVar

import pytest

import bestfirst as bf
from bestfirst.distributed import crews, driver, shared_levels
from bestfirst.distributed.crew import Event, Job, Joined
from bestfirst.distributed.ray_crew import RayCrew
from bestfirst.portfolio import ray_team
from bestfirst.portfolio.ray_team import RayTeam
from spaces import DEPTHS

KORF_79 = bf.SlidingTile("_ 1 9 7 11 13 5 3 14 12 4 2 8 6 10 15", goal=range(16))
BOARD = "_ 1 2 3 4 5 6 7 8"
GENERATED = 540_860
"""Korf's count for this instance."""


class MortalCrew(RayCrew):
    """Actors on both nodes, which are waited for; the third job ends its actor, and with the sixth the second node is lost."""

    given = 0
    cluster: Any = None

    def start(self, charge: bytes) -> None:
        super().start(charge)
        self._early: list[Event] = []
        while len(self._early) < 2:
            self._early += super().events(10)
        assert all(isinstance(event, Joined) for event in self._early)

    def events(self, seconds: float) -> list[Event]:
        early, self._early = self._early, []
        return early or super().events(seconds)

    def give(self, worker: int, job: Job) -> None:
        self.given += 1
        if self.given == 3:
            self._ray.kill(self._actors[worker].handle)
        if self.given == 6:
            self.cluster.remove_node(self.cluster.second, allow_graceful=False)
        super().give(worker, job)


class MortalTeam(RayTeam):
    """Actors of a portfolio, of which the first is killed before it can find anything."""

    made: ClassVar[list[MortalTeam]] = []

    def start(self, beginnings: Sequence[tuple[int, bytes]]) -> None:
        super().start(beginnings)
        if not self.made:
            self.made.append(self)
            self._ray.kill(self._actors[0])


class MortalEnumerators(RayCrew):
    """Two actors, of which the one that is given the 20th job is ended."""

    given = 0

    def give(self, worker: int, job: Job) -> None:
        super().give(worker, job)
        self.given += 1
        if self.given == 20:
            self._ray.kill(self._actors[worker].handle)


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore")
@pytest.mark.usefixtures("ray_cluster")
def test_the_members_of_a_portfolio_are_actors(monkeypatch: pytest.MonkeyPatch) -> None:
    """They share their solutions; one that is lost begins again; the cluster is left as it was."""
    ray = pytest.importorskip("ray")
    monkeypatch.setattr(ray_team, "RayTeam", MortalTeam)
    members = bf.Portfolio(["idastar", "anytime-weighted-astar --weight 5"])
    solution = bf.solve(KORF_79, members, "manhattan", on="ray", limits=bf.Limits(seconds=60))
    assert (solution.status, solution.cost, solution.algorithm) == ("optimal", 42, "portfolio")
    assert "member 1 (idastar) ended with its Ray actor" in solution.warnings[0]
    assert not MortalTeam.made[0]._actors
    assert ray.is_initialized()
    solution.verify()


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore")
@pytest.mark.usefixtures("ray_cluster")
def test_actors_share_an_enumeration_on_disk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """One that ends costs only its job; the levels are exact, and one process reads the result."""
    made: list[MortalEnumerators] = []

    def crew(_on: str, workers: int | None) -> MortalEnumerators:
        made.append(MortalEnumerators(workers))
        return made[-1]

    monkeypatch.setattr(shared_levels, "crew_of", crew)
    puzzle = bf.SlidingTile(BOARD, BOARD)
    found = bf.enumerate_states(puzzle, directory=tmp_path, on="ray", limits=bf.Limits(memory="200KB"))
    assert (found.levels, found.complete) == (DEPTHS[BOARD], True)
    assert (made[0].count(), made[0]._numbers) == (2, 3)
    assert bf.enumerate_states(puzzle, directory=tmp_path).levels == found.levels


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore")
def test_a_lost_actor_and_a_lost_machine_cost_only_their_jobs(ray_cluster: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """Others end the search, and the counts are Korf's; the cluster is left as it was."""
    ray = pytest.importorskip("ray")
    made: list[MortalCrew] = []

    def crew(_on: str, workers: int | None) -> MortalCrew:
        made.append(MortalCrew(workers))
        made[-1].cluster = ray_cluster
        return made[-1]

    monkeypatch.setattr(crews, "crew_of", crew)
    monkeypatch.setattr(driver, "FEWEST_SHARED", 1_000)
    monkeypatch.setattr(driver, "FIRST_QUANTUM", 10_000)
    monkeypatch.setattr(driver, "SECONDS_PER_JOB", 0)
    monkeypatch.setattr(driver, "SECONDS_PER_JOB_AND_WORKER", 0)
    search = bf.Search(KORF_79, "idastar", "manhattan", engine="compiled", on="ray")
    solution = search.run()
    solution.verify()
    assert (solution.cost, solution.stats.generated) == (42, GENERATED)
    assert made[0].given > 10
    assert search._stages.attempt.driver._scheduler.losses >= 1  # type: ignore[attr-defined]
    assert ray.is_initialized()


def test_without_ray_the_error_names_the_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    """The error says how to install it, and what works without it."""
    monkeypatch.setitem(sys.modules, "ray", None)
    with pytest.raises(bf.InputError, match=r"bestfirst\[ray\].*on='local'"):
        bf.solve(KORF_79, "idastar", "manhattan", engine="compiled", on="ray")
    with pytest.raises(bf.InputError, match=r"bestfirst\[ray\].*on='local'"):
        bf.solve(KORF_79, "portfolio", on="ray")

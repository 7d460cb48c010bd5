"""From the names of an argument to a crew, and to the driver of a distributed search."""

from __future__ import annotations

from typing import Any

from bestfirst.distributed.crew import Crew
from bestfirst.distributed.driver import DistributedIDAStar
from bestfirst.distributed.local_crew import LocalCrew
from bestfirst.domain import Domain
from bestfirst.heuristics.heuristic import Heuristic
from bestfirst.system.threads import processors


def distributed(
    domain: Domain, heuristic: Heuristic | None, *, on: str, workers: int | None = None, **options: Any
) -> DistributedIDAStar:
    """The driver of IDA* with workers. on: "local" or "ray". workers: None: one for each processor."""
    return DistributedIDAStar(domain, heuristic, crew=crew_of(on, workers), **options)


def crew_of(on: str, workers: int | None) -> Crew:
    """Workers in a place."""
    if on == "local":
        return LocalCrew(workers or processors())
    from bestfirst.distributed.ray_crew import RayCrew  # noqa: PLC0415  (an extra)

    return RayCrew(workers)

"""Paths of agents on a grid: their conflicts, costs, table and picture."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import Any, NamedTuple

from bestfirst.errors import VerificationError
from bestfirst.models.drawing import grid_picture
from bestfirst.models.results import write_csv
from bestfirst.solution import Status


class Conflict(NamedTuple):
    """Two agents, and the steps that they must not make together: at `time`, each goes from a cell to a cell.

    If they meet in one cell, its `to`, the cells from which they came do not matter: they are -1.
    """

    time: int
    one: int
    other: int
    one_from: int
    one_to: int
    other_from: int
    other_to: int


def conflicts_of(paths: Sequence[Sequence[int]]) -> list[Conflict]:
    """All conflicts of paths of cells, the earliest first. An agent remains in the last cell of its path."""
    found = []
    before = [path[0] for path in paths]
    for time in range(1, max(map(len, paths), default=0)):
        now = [path[time] if time < len(path) else path[-1] for path in paths]
        agents: dict[int, list[int]] = {}
        left = {cell: agent for agent, cell in enumerate(before)}
        for agent, cell in enumerate(now):
            found += [Conflict(time, other, agent, -1, cell, -1, cell) for other in agents.get(cell, ())]
            agents.setdefault(cell, []).append(agent)
            other = left.get(cell, -1)
            if -1 < other < agent and now[other] == before[agent] and cell != before[agent]:
                found.append(Conflict(time, other, agent, before[other], now[other], before[agent], cell))
        before = now
    return found


@dataclass(frozen=True)
class AgentPaths:
    """The result of a search for paths. names: the names of the agents. paths: for each agent, its places (x, y) at times 0, 1, ...
    until it has arrived for good; empty if no paths were found.

    status, lower_bound, limit, reason: as in a Solution; the cost is the sum of the times at which the agents have arrived.
    cells: the map, True for free.
    """

    names: tuple[Any, ...]
    paths: tuple[tuple[tuple[int, int], ...], ...]
    status: Status
    lower_bound: float
    limit: str | None
    reason: str | None
    cells: tuple[tuple[bool, ...], ...]

    @classmethod
    def of(
        cls,
        problem: Any,
        paths: Sequence[Sequence[int]] | None,
        status: Status,
        lower_bound: float,
        limit: str | None = None,
        reason: str | None = None,
    ) -> AgentPaths:
        """The result for a MultiAgent; paths: of cells by number. Raises VerificationError if they break its rules."""
        cells = tuple(map(tuple, problem.grid.free.tolist()))
        found = paths or ()
        _verify(problem, found)
        points = tuple(tuple(problem.points[cell] for cell in path) for path in found)
        return cls(problem.names, points, status, lower_bound, limit, reason, cells)

    @property
    def found(self) -> bool:
        """Whether there are paths."""
        return bool(self.paths)

    @property
    def costs(self) -> tuple[int, ...]:
        """For each agent, when it has arrived."""
        return tuple(len(path) - 1 for path in self.paths)

    @property
    def cost(self) -> int | None:
        """The sum of the costs of the agents; None without paths."""
        return sum(self.costs) if self.found else None

    @property
    def makespan(self) -> int | None:
        """When the last agent has arrived; None without paths."""
        return max(self.costs) if self.found else None

    def to_csv(self, path: str | Path) -> None:
        """Write a row for each agent and time until it has arrived: agent, time, x, y."""
        rows = (
            (name, time, *point) for name, of in zip(self.names, self.paths, strict=False) for time, point in enumerate(of)
        )
        write_csv(path, ("agent", "time", "x", "y"), rows)

    def picture(self) -> str:
        """The map with the paths, the starts as discs and the goals as rings, as an SVG document."""
        starts, goals = [of[0] for of in self.paths], [of[-1] for of in self.paths]
        return grid_picture(self.cells, self.paths, starts, goals, [str(name) for name in self.names])


def _verify(problem: Any, paths: Sequence[Sequence[int]]) -> None:
    """Raise VerificationError unless all paths lead from starts to goals, by steps of the map, without a conflict."""
    for agent, path in enumerate(paths):
        steps = all(to in problem.beyond[cell].tolist() for cell, to in pairwise(path))
        if not steps or (path[0], path[-1]) != (problem.starts[agent], problem.goals[agent]):
            raise VerificationError(
                f"the path of agent {problem.names[agent]} does not lead from its start to its goal by steps of the map"
            )
    for conflict in conflicts_of(paths):
        one, other = problem.names[conflict.one], problem.names[conflict.other]
        raise VerificationError(f"agents {one} and {other} collide at time {conflict.time}")

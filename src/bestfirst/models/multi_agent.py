"""Multi-agent path finding: agents on a grid go to their goals at the same time, and never collide."""

from __future__ import annotations

import copy
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from bestfirst.domain import Domain
from bestfirst.domains.grid_map.problem import GridMap, Point
from bestfirst.errors import InputError, needing_numpy, shown
from bestfirst.heuristics.heuristic import heuristic
from bestfirst.models.agent_paths import AgentPaths
from bestfirst.models.drawing import grid_picture
from bestfirst.models.files import path_given
from bestfirst.models.numbers import names_of, set_bits, table_of
from bestfirst.models.results import states_of
from bestfirst.solution import Solution, Status

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from bestfirst.domains.grid_map.terrain import Terrain

CellPath = tuple[int, ...]
"""The cells of an agent at times 0, 1, ... until it has arrived."""

MOST = 128
"""The most agents."""
MOST_FREE = (1 << 21) - 1
"""The most free cells of a map."""
WAIT, STAY = 4, 5
_NAMES = "N", "E", "S", "W", "wait", "stay"
_STEPS = (0, -1), (1, 0), (0, 1), (-1, 0)
"""How far the first four actions go to the right and down."""
_REVERSE = WAIT, 2, 3, 0, 1, WAIT
"""The action that leads back, by 1 + the number of an action; 0 stands for an agent that has not moved."""
_FEWEST = 4
_MOST_DRAWN = 1024
"""The largest map, in cells, of which states have pictures."""


class MultiAgent(Domain):
    """Multi-agent path finding on a grid: in each step, each agent moves to one of 4 neighbouring cells or waits.

    No two agents may be in one cell at the same time, nor exchange their cells in one step. An agent costs 1 for each step until
    it has reached its goal for good; the sum of these costs is minimised.

    cells: the map, as GridMap takes it, or a GridMap. starts, goals: for each agent (x, y) or "x,y". names: the names of the
    agents; default: 1, 2, ... Raises InputError for a blocked place, and for two agents with the same start or the same goal.

    In this model, agents move in turn (operator decomposition): an action is a direction, "wait", or, for an agent that remains at
    its goal for good, "stay", which costs nothing. solve_agents() has faster methods for many agents.
    Source: Standley 2010 (operator decomposition); Stern et al. 2019 (the rules).
    """

    class State(NamedTuple):
        """cells: of the agents; those before `turn` have moved. moves: 1 + the action of each that has moved, otherwise 0.

        turn: who moves next. stay: the agents that are at their goals for good. time: the steps that are over, up to the time
        after which other agents are at rest; 0 if there are no others.
        """

        cells: tuple[int, ...]
        moves: tuple[int, ...]
        turn: int
        stay: int
        time: int

    actions = _NAMES
    max_actions = len(_NAMES)
    unchecked = True  # all numbers are small
    frozen_arrays = frozenset({"ends", "beyond", "reverse", "distances", "taken", "free_from"})
    default_heuristic = "distances_left"

    def __init__(
        self,
        cells: str | Sequence[str] | NDArray[Any] | Terrain | GridMap,
        starts: Sequence[str | Point],
        goals: Sequence[str | Point],
        *,
        names: Sequence[Any] | None = None,
    ) -> None:
        with needing_numpy("a model"):
            import numpy as np  # noqa: PLC0415  (listing models does not need it)

        self.grid = cells if isinstance(cells, GridMap) else GridMap(cells, (0, 0), (0, 0), neighbours=4)
        if self.grid.is_weighted or self.grid.wrap:
            has, use = ("has weights", "without weights") if self.grid.is_weighted else ("wraps around", "without wrap")
            raise InputError(f"the grid {has}, which is not supported for several agents; use a grid {use}")
        free = self.grid.free.array
        if free.sum() > MOST_FREE:
            raise InputError(f"the map has {free.sum()} free cells; use a map with at most {MOST_FREE}")
        ys, xs = np.nonzero(free)
        self.points = tuple(zip(xs.tolist(), ys.tolist(), strict=True))
        """(x, y) of each free cell."""
        self._number = np.full((free.shape[0] + 2, free.shape[1] + 2), -1, np.int64)  # with a margin of blocked cells
        self._number[ys + 1, xs + 1] = np.arange(len(xs))
        beyond = [self._number[ys + 1 + down, xs + 1 + right] for right, down in (*_STEPS, (0, 0))]
        self.beyond: Any = np.stack(beyond, axis=1)
        self.reverse: Any = table_of(_REVERSE)
        begins, ends = self._cells_of("start", starts), self._cells_of("goal", goals)
        if len(begins) != len(ends):
            raise InputError(
                f"the number of starts is {len(begins)}, but that of goals is {len(ends)}; pass one of each for each agent"
            )
        if not 1 <= len(begins) <= MOST:
            raise InputError(f"the number of agents is {len(begins)}; use 1 to {MOST}")
        labels = names_of("agents", names, range(1, len(begins) + 1))
        self._set_agents(labels, begins, ends, np.array([self._distances_to(goal) for goal in ends]), [])
        self._settle()

    def _set_agents(
        self,
        names: tuple[Any, ...],
        starts: list[int],
        goals: list[int],
        distances: NDArray[Any],
        others: Sequence[CellPath],
    ) -> None:
        """others: the paths of agents that are in the way."""
        with needing_numpy("a model"):
            import numpy as np  # noqa: PLC0415  (listing models does not need it)

        self.names, self.count = names, len(names)
        self.starts, self.goals = tuple(starts), tuple(goals)
        self.distances: Any = distances
        # Tuples have one of a few lengths, so that instances share compiled code.
        width = max(_FEWEST, 1 << (self.count - 1).bit_length())
        self.bits = {"cells": 21, "moves": 3, "turn": 8, "stay": set_bits(width), "time": 32}
        self.initial = self.State((*starts, *(0,) * (width - self.count)), (0,) * width, 0, 0, 0)
        self.ends: Any = table_of(goals)
        self.all_stay = (1 << self.count) - 1
        self.horizon = max((len(path) - 1 for path in others), default=0)
        taken = np.zeros((self.horizon + 1, len(self.points)), np.int16)
        free_from = np.zeros(len(self.points), np.int64)
        for number, path in enumerate(others, 1):
            for time in range(self.horizon + 1):
                cell = path[min(time, len(path) - 1)]
                taken[time, cell] = number
                free_from[cell] = max(free_from[cell], time + 1)
        self.taken: Any = taken  # by time and cell: who of the others is there
        self.free_from: Any = free_from  # since when no other visits a cell; after the horizon if one remains

    def _cells_of(self, what: str, given: Sequence[str | Point]) -> list[int]:
        """The numbers of some starts or goals."""
        if isinstance(given, str) or not hasattr(given, "__iter__"):
            raise InputError(f"{what}s is {shown(given)}; write a list of places such as (3, 4)")
        found: list[int] = []
        for agent, point in enumerate(given, 1):
            x, y = self.grid.point(self.grid.at(point, f"the {what} of agent {agent}"))
            cell = int(self._number[y + 1, x + 1])
            if cell < 0:
                raise InputError(f"the {what} of agent {agent} is {x},{y}, which is blocked; choose a free cell")
            if cell in found:
                raise InputError(
                    f"agents {found.index(cell) + 1} and {agent} both have the {what} {x},{y}; change one of them"
                )
            found.append(cell)
        return found

    def _distances_to(self, goal: int) -> NDArray[Any]:
        """The fewest steps from each cell; the number of cells if there is no path."""
        with needing_numpy("a model"):
            import numpy as np  # noqa: PLC0415  (listing models does not need it)

        beyond = self.beyond.array[:, :WAIT]
        distances = np.full(len(beyond), len(beyond), np.int64)
        frontier, distance = np.array([goal]), 0
        distances[goal] = 0
        while len(frontier):
            distance += 1
            reached = np.unique(beyond[frontier])
            frontier = reached[(reached >= 0) & (distances[reached] > distance)]
            distances[frontier] = distance
        return distances

    @classmethod
    def from_file(cls, path: str | Path, *, agents: int | None = None, maps: str | Path | None = None) -> MultiAgent:
        """The first agents of a .scen file of the Moving AI Lab, all on one map; default: all that it has.

        maps: the directory of the map, or the .map file. Default: the directory of the file. Raises InputError that names the
        file and the line.
        """
        from bestfirst.domains.grid_map.files import read_scenarios  # noqa: PLC0415

        scenarios = read_scenarios(Path(path), None if maps is None else Path(maps))
        count = len(scenarios) if agents is None else agents
        if not 1 <= count <= len(scenarios):
            raise InputError(f"the number of agents is {count}, but {path} has {len(scenarios)}; use 1 .. {len(scenarios)}")
        for scenario in scenarios[:count]:
            if scenario.map != scenarios[0].map:
                raise InputError(f"{scenario.where}this agent is on another map, {scenario.map}; put all agents on one map")
        grid = GridMap.from_file(scenarios[0].map, (0, 0), (0, 0), neighbours=4)
        grid._of_scenario(scenarios[0])  # the sizes agree
        try:
            return cls(grid, [one.start for one in scenarios[:count]], [one.goal for one in scenarios[:count]])
        except InputError as error:
            raise InputError(f"{path}: {error}") from None

    @classmethod
    def from_text(cls, text: str = "", *, file: str = "", agents: str = "", maps: str | None = None) -> MultiAgent:
        """An instance from command-line arguments: the path of a .scen file, the number of agents, and as from_file()."""
        if agents and not agents.isdecimal():
            raise InputError(f"agents is {shown(agents)}; write a whole number, such as 8")
        return cls.from_file(path_given(cls.name(), text, file), agents=int(agents) if agents else None, maps=maps)

    def group(self, agents: Sequence[int], others: Sequence[CellPath] = ()) -> MultiAgent:
        """The same map with some of the agents, by number from 0; others: the paths of agents that they must not meet."""
        part = copy.copy(self)
        with part._unsettled():
            part._set_agents(
                tuple(self.names[agent] for agent in agents),
                [self.starts[agent] for agent in agents],
                [self.goals[agent] for agent in agents],
                self.distances.array[list(agents)],
                others,
            )
        return part

    def step(self, state: State, action: int) -> tuple[bool, State, int]:
        agent = state.turn
        if state.stay >> agent & 1:  # and so do all: a goal
            return False, state, 0
        here = state.cells[agent]
        to = here
        if action == STAY:
            if here != self.ends[agent] or state.time < self.free_from[here]:
                return False, state, 0
        else:
            to = self.beyond[here, action]
            if to < 0:
                return False, state, 0
        time = min(state.time + 1, self.horizon)
        other = self.taken[time, here]
        if self.taken[time, to] != 0 or (other != 0 and self.taken[state.time, to] == other):
            return False, state, 0
        for earlier in range(agent):
            cell = state.cells[earlier]
            if cell == to or (cell == here and self.beyond[here, self.reverse[state.moves[earlier]]] == to):
                return False, state, 0
        for later in range(agent + 1, self.count):
            if state.stay >> later & 1 and state.cells[later] == to:
                return False, state, 0
        stay = state.stay | 1 << agent if action == STAY else state.stay
        cells, moves = list(state.cells), list(state.moves)
        cells[agent], moves[agent] = to, action + 1
        cost = 0 if action == STAY else 1
        turn = agent + 1
        while turn < self.count and stay >> turn & 1:
            turn += 1
        if turn < self.count:
            return True, self.State(tuple(cells), tuple(moves), turn, stay, state.time), cost
        turn = 0
        while turn < self.count - 1 and stay >> turn & 1:
            turn += 1
        for each in range(self.count):
            moves[each] = 0
        return True, self.State(tuple(cells), tuple(moves), turn, stay, time), cost

    def is_goal(self, state: State) -> bool:
        return state.stay == self.all_stay

    @heuristic(admissible=True, consistent=True)
    def distances_left(self, state: State) -> int:
        """The sum of the distances of the agents from their goals, as if each were alone."""
        return sum(self.distances[agent, state.cells[agent]] for agent in range(self.count))

    def unsolvable(self) -> str | None:
        """Checks whether each agent alone can reach its goal."""
        for agent, start in enumerate(self.starts):
            if self.distances[agent, start] == len(self.points):
                return f"no path leads from the start of agent {self.names[agent]} to its goal"
        return None

    def format(self, state: State) -> str:
        places = (f"{self.names[agent]} at {x},{y}" for agent, (x, y) in enumerate(self._places(state)))
        return f"{'; '.join(places)}; {self.names[state.turn]} moves"

    def _places(self, state: State) -> list[Point]:
        return [self.points[cell] for cell in state.cells[: self.count]]

    def cell_paths(self, solution: Solution | Sequence[Any]) -> list[CellPath]:
        """The cells of each agent, step by step, until it has arrived."""
        paths = [[start] for start in self.starts]
        for state, action, _ in states_of(self, solution):
            if action != STAY:
                paths[state.turn].append(int(self.beyond[state.cells[state.turn], action]))
        return [tuple(path) for path in paths]

    def paths(self, solution: Solution | Sequence[Any]) -> AgentPaths:
        """The paths of a solution, or of a list of actions."""
        if isinstance(solution, Solution) and not solution.found:
            return AgentPaths.of(self, None, solution.status, solution.lower_bound, solution.limit, solution.reason)
        cells = self.cell_paths(solution)
        if isinstance(solution, Solution):
            return AgentPaths.of(self, cells, solution.status, solution.lower_bound, solution.limit)
        return AgentPaths.of(self, cells, Status.SOLVED, 0)

    result = paths

    def picture(self, state: State) -> str | None:
        """The map, the agents, and their goals as rings; None for a large map."""
        if self.grid.width * self.grid.height > _MOST_DRAWN:
            return None
        goals = [self.points[goal] for goal in self.goals]
        return grid_picture(self.grid.free.tolist(), [], self._places(state), goals, [str(name) for name in self.names])

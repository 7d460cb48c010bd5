"""Paths on a grid of free and blocked cells, 8-connected with diagonal steps or 4-connected without.

A state is one int, the number of a cell: its row y, from the top, above the bits of its column x, from the left.

     row              column
    +----------------+----------------+
    | y              | x              |       `column_bits` bits, as many as the last column takes
    +----------------+----------------+

So a step adds a number to the cell, and locating a cell takes no division. The legal steps of each cell are
precomputed as the bits of one byte: a diagonal step must not cut corners.

    NW=7   N=0   NE=1
        \\   |   /
     W=6 -- o -- E=2         the actions of 8 neighbours; of 4: N=0, E=1, S=2, W=3
        /   |   \\
    SW=5   S=4   SE=3

Source: Sturtevant 2012, Benchmarks for grid-based pathfinding.
"""

from __future__ import annotations

import copy
import math
import operator
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

from bestfirst.claims import why_not
from bestfirst.domain import Domain
from bestfirst.domains.grid_map.terrain import Terrain, legal_steps, terrain_of
from bestfirst.errors import InputError, needing_numpy
from bestfirst.heuristics.heuristic import Heuristic, heuristic
from bestfirst.problem import Background, Cell, Cost
from bestfirst.tables import byte_table, table

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from bestfirst.domains.grid_map.files import Scenario
    from bestfirst.domains.grid_map.jump_points import JumpPoints

Point: TypeAlias = tuple[int, int]
"""The column x, counted from 0 at the left, and the row y, counted from 0 at the top."""

Points: TypeAlias = str | Point | Collection[str | Point]
"""A point as (x, y) or "x,y", or several."""

DIAGONAL = math.sqrt(2)
_STEPS = {"N": (0, -1), "NE": (1, -1), "E": (1, 0), "SE": (1, 1), "S": (0, 1), "SW": (-1, 1), "W": (-1, 0), "NW": (-1, -1)}
"""How far each action goes to the right and down; the names are in clockwise order."""
WINDOW = 7, 3
"""How many columns and rows of the map to draw on each side of a state."""


class GridMap(Domain):
    """A grid with a start and a goal.

    cells: the rows of the map, from the top: a string of lines, a list of strings, or a NumPy array of bools, True for free.
    The characters are those of the Moving AI Lab: . G and S are free, @ O T and W are blocked.
    start, goal: (x, y) or "x,y", x counted from the left and y from the top, both from 0. goal may be a list of points: the
    nearest is the goal, and heuristics estimate the cost to the nearest.
    neighbours: 8: a straight step costs 1 and a diagonal one the square root of 2; 4: each step costs 1.
    Raises InputError for an invalid map, or a start or goal outside it. (If the start or all goals are blocked, the problem
    is unsolvable.)

    An action is a direction: N, NE, E, ..., tried clockwise from the north.
    """

    class State(NamedTuple):
        """See the module docstring."""

        cell: int

    default_heuristic = "octile"
    bits = MappingProxyType({"cell": 32})  # fixed, so that all maps share compiled code
    fixed = ("max_actions",)  # 4 or 8
    frozen_arrays = frozenset({"free", "legal", "shift", "cost", "goals"})
    width: int
    height: int

    def __init__(
        self,
        cells: str | Sequence[str] | NDArray[Any] | Terrain,
        start: str | Point,
        goal: Points,
        *,
        neighbours: int = 8,
    ) -> None:
        if neighbours not in (4, 8):
            raise InputError(f"neighbours is {neighbours!r}; use 4 or 8")
        terrain = terrain_of(cells)
        self.free: Any = byte_table(terrain, "bool")
        self.height, self.width = len(terrain), len(terrain[0])
        self.column_bits = (self.width - 1).bit_length()
        self.column_mask = (1 << self.column_bits) - 1
        self.size = self.height << self.column_bits
        if self.size > 1 << self.bits["cell"]:
            raise InputError(
                f"a map of {self.width} x {self.height} cells is too large; use a map whose cells can be "
                "numbered with 32 bits"
            )
        self.max_actions = neighbours
        self.unit_cost = neighbours == 4
        if neighbours == 4:
            self.default_heuristic = "manhattan"
        self.actions = tuple(name for name, step in _STEPS.items() if neighbours == 8 or 0 in step)
        steps = self._steps()
        self.legal: Any = byte_table(legal_steps(terrain, steps, 1 << self.column_bits), "uint8")
        self.shift = table((down << self.column_bits) + right for right, down in steps)
        self.cost = (
            table([1] * 4) if neighbours == 4 else table((DIAGONAL if all(step) else 1.0 for step in steps), "float64")
        )
        self._shared: dict[str, JumpPoints] = {}  # by all problems of the map
        self._set_ends(start, goal)
        self._settle()

    def _steps(self) -> list[tuple[int, int]]:
        """How far each action goes to the right and down."""
        return [step for step in _STEPS.values() if self.max_actions == 8 or 0 in step]

    def _set_ends(self, start: str | Point, goal: Points) -> None:
        self.initial = self.at(start, "the start")
        ends = list(dict.fromkeys(self.at(point, "the goal") for point in _each_point(goal)))
        self.goal = ends[0].cell
        self.goal_x, self.goal_y = self.point(ends[0])
        self.goal_count = len(ends)
        self.goals: Any = table(end.cell for end in ends)

    @classmethod
    def from_file(cls, path: str | Path, start: str | Point, goal: Points, *, neighbours: int = 8) -> GridMap:
        """A grid from a Moving AI Lab .map file; raises InputError that names the file and the line."""
        from bestfirst.domains.grid_map.files import read_map  # noqa: PLC0415

        return cls(read_map(Path(path)), start, goal, neighbours=neighbours)

    @classmethod
    def scenarios(cls, path: str | Path, *, neighbours: int = 8) -> Iterator[tuple[GridMap, Scenario]]:
        """The problems in a Moving AI Lab .scen file, each with its scenario.

        The scenario gives the optimal length on an 8-connected grid. Raises InputError that names the file and the line.
        """
        from bestfirst.domains.grid_map.files import read_scenarios  # noqa: PLC0415

        grids: dict[Path, GridMap] = {}
        for scenario in read_scenarios(Path(path)):
            if scenario.map not in grids:
                grids[scenario.map] = cls.from_file(scenario.map, (0, 0), (0, 0), neighbours=neighbours)
            yield grids[scenario.map]._of_scenario(scenario), scenario

    def _of_scenario(self, scenario: Scenario) -> GridMap:
        if (self.width, self.height) != (scenario.width, scenario.height):
            raise InputError(
                f"{scenario.where}the scenario is for a map {scenario.width} wide and {scenario.height} high, but "
                f"{scenario.map} is {self.width} wide and {self.height} high; maps are not scaled"
            )
        return self.between(scenario.start, scenario.goal)

    @classmethod
    def from_text(
        cls,
        text: str,
        *,
        start: str | None = None,
        goal: str | None = None,
        number: str | None = None,
        neighbours: str = "8",
    ) -> GridMap:
        """A grid from command-line arguments: `text` is the path of a .map file, or of a .scen file.

        number: the number of the scenario in a .scen file, counted from 1; default: the first.
        """
        if neighbours not in ("4", "8"):
            raise InputError(f"neighbours is {neighbours!r}; use 4 or 8")
        ending = Path(text).suffix.lower()
        if ending == ".map":
            if start is None or goal is None or number is not None:
                raise InputError("a .map file needs a start and a goal, such as 3,4, and no scenario number")
            return cls.from_file(text, start, goal, neighbours=int(neighbours))
        if ending == ".scen":
            if start is not None or goal is not None:
                raise InputError("a .scen file contains starts and goals; give a scenario number instead")
            return cls._numbered(text, number or "1", int(neighbours))
        raise InputError(f"the map is {text!r}; give the path of a file whose name ends in .map or .scen")

    @classmethod
    def _numbered(cls, path: str, number: str, neighbours: int) -> GridMap:
        from bestfirst.domains.grid_map.files import read_scenarios  # noqa: PLC0415

        scenarios = read_scenarios(Path(path))
        if not scenarios:
            raise InputError(f"{path} has no scenarios; write one on a line below 'version 1'")
        if not number.isdecimal() or not 1 <= int(number) <= len(scenarios):
            raise InputError(f"the scenario number is {number!r}; {path} has scenarios 1 .. {len(scenarios)}")
        scenario = scenarios[int(number) - 1]
        return cls.from_file(scenario.map, (0, 0), (0, 0), neighbours=neighbours)._of_scenario(scenario)

    def between(self, start: str | Point, goal: Points) -> GridMap:
        """The same map with another start and goal, or several; it shares the arrays, so it is created quickly."""
        other = copy.copy(self)
        with other._unsettled():
            other._set_ends(start, goal)
        return other

    def with_cells(self, *, blocked: Iterable[str | Point] = (), free: Iterable[str | Point] = ()) -> GridMap:
        """The same problem on a map where these points have become blocked or free. This map stays as it is.

        Raises InputError for a point outside the map, and for one that is given as both. Time: that of copying the map.
        """
        given = [(self.point(self.at(point, "the blocked cell")), 0) for point in blocked]
        given += [(self.point(self.at(point, "the free cell")), 1) for point in free]
        now = dict(given)
        if both := [point for point, value in given if now[point] != value]:
            raise InputError(f"the cell {both[0][0]},{both[0][1]} is given both as blocked and as free; give it once")
        rows, legal = [bytearray(row) for row in self.data("free")], bytearray(self.data("legal"))
        for (x, y), value in now.items():
            rows[y][x] = value
        terrain = [bytes(row) for row in rows]
        stride = 1 << self.column_bits
        for y in {y + beside for _, y in now for beside in (-1, 0, 1)} & set(range(self.height)):
            above = max(0, y - 1)
            of_rows = legal_steps(terrain[above : y + 2], self._steps(), stride)
            legal[y * stride : (y + 1) * stride] = of_rows[(y - above) * stride :][:stride]
        other = copy.copy(self)
        with other._unsettled():
            other.free, other.legal = byte_table(terrain, "bool"), byte_table(bytes(legal), "uint8")
            other._shared = {}
        return other

    def changed_states(self, before: object) -> list[State] | None:
        """The cells from which other steps are legal than before; None if the other is no version of the same map."""
        if not isinstance(before, GridMap):
            return None
        if (before.width, before.height, before.actions) != (self.width, self.height, self.actions):
            return None
        now, then = bytes(self.data("legal")), bytes(before.data("legal"))
        stride = 1 << self.column_bits
        rows = [first for first in range(0, len(now), stride) if now[first : first + stride] != then[first : first + stride]]
        return [self.State(cell) for first in rows for cell in range(first, first + stride) if now[cell] != then[cell]]

    def jump_points(self) -> JumpPoints:
        """The same problem with whole runs of steps as actions: A* expands far fewer states, at the same costs.

        What all problems of the map share is worked out for the first. Raises InputError unless the grid has 8 neighbours
        and one goal, and if its rules have been replaced.
        """
        why = why_not(self, "jump_points")
        if why is not None:
            raise InputError(f"this grid has no jump points: {why}")
        if self.goal_count > 1:
            raise InputError(f"jump points need one goal; this grid has {self.goal_count}")
        with needing_numpy("jump_points()"):
            from bestfirst.domains.grid_map.jump_points import JumpPoints  # noqa: PLC0415  (it imports NumPy)

        if "jump_points" not in self._shared:
            self._shared["jump_points"] = JumpPoints(self)
        return self._shared["jump_points"].on(self)

    def at(self, point: str | Point, what: str = "the point") -> State:
        """The state of a point; raises InputError for one outside the map. what: its name in the message."""
        try:
            x, y = map(int, point.split(",")) if isinstance(point, str) else map(operator.index, point)
        except (TypeError, ValueError):
            raise InputError(f"{what} is {point!r}; write a column and a row, such as 3,4") from None
        if not (0 <= x < self.width and 0 <= y < self.height):
            raise InputError(f"{what} is {x},{y}; on this map x is 0 .. {self.width - 1} and y is 0 .. {self.height - 1}")
        return self.State(y << self.column_bits | x)

    def point(self, state: State) -> Point:
        """The coordinates of a state."""
        return state.cell & self.column_mask, state.cell >> self.column_bits

    def step(self, state: State, action: int) -> tuple[bool, State, Cost]:
        legal = self.legal[state.cell] >> action & 1
        return legal == 1, self.State(state.cell + self.shift[action]), self.cost[action]

    def is_goal(self, state: State) -> bool:
        return state.cell == self.goal or (self.goal_count > 1 and state.cell in self.goals)

    def inverse(self, action: int) -> int:
        return (action + self.max_actions // 2) % self.max_actions

    def rank(self, state: State) -> int:
        return state.cell

    def unrank(self, number: int) -> State:
        return self.State(number)

    def goal_state(self) -> State | Any:
        return self.State(self.goal) if self.goal_count == 1 else None

    def goal_states(self) -> list[State]:
        return [self.State(self.goal)] if self.goal_count == 1 else [self.State(int(cell)) for cell in self.goals]

    def backward(self) -> GridMap | Any:
        """The map from the goal to the start; an action has the name of the step that it reverses. None with several goals."""
        if self.goal_count > 1:
            return None
        assert self.actions is not None
        half = self.max_actions // 2
        reverse = self.between((self.goal_x, self.goal_y), self.point(self.initial))
        with reverse._unsettled():
            reverse.actions = (*self.actions[half:], *self.actions[:half])
        return reverse

    def unsolvable(self) -> str | None:
        """Checks whether the start or each goal is blocked or isolated; longer obstacles are left to the search."""
        stuck = [self._why_stuck("goal", goal) for goal in self.goal_states()]
        return self._why_stuck("start", self.initial) or (stuck[0] if all(stuck) else None)

    def _why_stuck(self, what: str, state: State) -> str | None:
        x, y = self.point(state)
        if not self.free[y, x]:
            return f"the {what} {x},{y} is blocked"
        if not self.legal[state.cell] and not self.is_goal(self.initial):
            return f"no step leads from or to the {what} {x},{y}"
        return None

    def format(self, state: State) -> str:
        x, y = self.point(state)
        return f"{x},{y}"

    def draw(self, state: State) -> str:
        """The map around a state: o for the state, S and G for start and goal, . for a free cell and @ for a blocked one."""
        x, y = self.point(state)
        columns, rows = _window(x, WINDOW[0], self.width), _window(y, WINDOW[1], self.height)
        return self._drawn(columns, rows, self._ends() | {(x, y): "o"})

    def draw_path(self, states: Iterable[State]) -> str:
        """The part of the map that contains some states, such as those of a solution: o for each, otherwise as in draw."""
        points = [self.point(state) for state in states] or list(self._ends())
        xs, ys = zip(*points, strict=True)
        columns = range(max(0, min(xs) - 1), min(self.width, max(xs) + 2))
        rows = range(max(0, min(ys) - 1), min(self.height, max(ys) + 2))
        return self._drawn(columns, rows, dict.fromkeys(points, "o") | self._ends())

    def _ends(self) -> dict[Point, str]:
        return {self.point(self.initial): "S"} | dict.fromkeys(map(self.point, self.goal_states()), "G")

    def _drawn(self, columns: range, rows: range, symbols: Mapping[Point, str]) -> str:
        free = self.free
        return "\n".join("".join(symbols.get((x, y)) or "@."[free[y, x]] for x in columns) for y in rows)

    def cells(self, state: State) -> list[Cell]:
        x, y = self.point(state)
        return [(y, x, f"{x},{y}")]

    def background(self) -> Background:
        return Background(blocked=["".join("@."[free] for free in row) for row in self.free.tolist()])

    # Heuristics. None exceeds the cost of the cheapest path on a grid without blocked cells.

    def heuristics(self) -> Mapping[str, Heuristic]:
        """The heuristics; the declaration of "manhattan" depends on the number of neighbours."""
        offered = dict(super().heuristics())
        is_bound = self.max_actions == 4
        note = "" if is_bound else f"it counts a diagonal step as 2, but one costs {DIAGONAL:.2f}"
        offered["manhattan"] = replace(offered["manhattan"], admissible=is_bound, consistent=is_bound, note=note)
        return offered

    @heuristic(admissible=True, consistent=True)
    def octile(self, state: State) -> float:
        """The cost of the cheapest path on an empty 8-connected grid: diagonal steps, then straight ones."""
        if self.goal_count == 1:
            return self._octile_to(state, self.goal)
        return min(self._octile_to(state, goal) for goal in self.goals)

    def _octile_to(self, state: State, goal: int) -> float:
        across = abs((state.cell & self.column_mask) - (goal & self.column_mask))
        down = abs((state.cell >> self.column_bits) - (goal >> self.column_bits))
        return DIAGONAL * min(across, down) + abs(across - down)

    @heuristic()
    def manhattan(self, state: State) -> int:
        """The cost of the cheapest path with 4 neighbours on an empty grid: columns plus rows."""
        if self.goal_count == 1:
            return self._manhattan_to(state, self.goal)
        return min(self._manhattan_to(state, goal) for goal in self.goals)

    def _manhattan_to(self, state: State, goal: int) -> int:
        across = abs((state.cell & self.column_mask) - (goal & self.column_mask))
        return across + abs((state.cell >> self.column_bits) - (goal >> self.column_bits))

    @heuristic(admissible=True, consistent=True)
    def euclidean(self, state: State) -> float:
        """The length of the straight line to the goal."""
        if self.goal_count == 1:
            return self._euclidean_to(state, self.goal)
        return min(self._euclidean_to(state, goal) for goal in self.goals)

    def _euclidean_to(self, state: State, goal: int) -> float:
        across = (state.cell & self.column_mask) - (goal & self.column_mask)
        down = (state.cell >> self.column_bits) - (goal >> self.column_bits)
        return math.sqrt(across * across + down * down)

    @heuristic(admissible=True, consistent=True)
    def chebyshev(self, state: State) -> int:
        """The fewest steps on an empty 8-connected grid: the maximum of columns and rows."""
        if self.goal_count == 1:
            return self._chebyshev_to(state, self.goal)
        return min(self._chebyshev_to(state, goal) for goal in self.goals)

    def _chebyshev_to(self, state: State, goal: int) -> int:
        across = abs((state.cell & self.column_mask) - (goal & self.column_mask))
        return max(across, abs((state.cell >> self.column_bits) - (goal >> self.column_bits)))


def _each_point(points: Points) -> list[str | Point]:
    """The points, given as one or as several."""
    several = isinstance(points, set | frozenset | list | tuple) and all(
        isinstance(one, str | tuple | list) for one in points
    )
    if several and not points:
        raise InputError("the goal is an empty list; give a point, such as 3,4, or at least one")
    return list(points) if several else [points]  # type: ignore[arg-type,list-item]


def _window(middle: int, reach: int, end: int) -> range:
    """`reach` places on each side of the middle, or more on one side if the map ends on the other."""
    first = max(0, min(middle - reach, end - 2 * reach - 1))
    return range(first, min(end, first + 2 * reach + 1))

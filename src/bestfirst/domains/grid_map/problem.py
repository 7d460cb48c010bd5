"""Paths on a grid of free and blocked cells, 8-connected with diagonal steps or 4-connected without.

A state is one int, the number of a cell: its row y, from the top, above the bits of its column x, from the left.

     row              column
    +----------------+----------------+
    | y              | x              |       `column_bits` bits, as many as the last column takes
    +----------------+----------------+

So a step adds a number to the cell, and locating a cell takes no division. The legal steps of each cell are
precomputed as the bits of one byte: unless the rules say otherwise, a diagonal step must not cut corners.

    NW=7   N=0   NE=1
        \\   |   /
     W=6 -- o -- E=2         the actions of 8 neighbours; of 4: N=0, E=1, S=2, W=3
        /   |   \\
    SW=5   S=4   SE=3

Source: Sturtevant 2012, Benchmarks for grid-based pathfinding. Douglas 1994, Least-cost path in GIS using an accumulated cost
surface (a step between cells of different weight).
"""

from __future__ import annotations

import copy
import math
import operator
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias, Unpack

from bestfirst.arguments import check_kind
from bestfirst.domain import Domain
from bestfirst.domains.grid_map.terrain import (
    Corners,
    Legend,
    Rules,
    Terrain,
    Weights,
    array_of_weights,
    check_rules,
    check_weight,
    legal_steps,
    legend_of,
    terrain_of,
    weights_written,
)
from bestfirst.errors import InputError, needing_numpy, shown
from bestfirst.heuristics.heuristic import Heuristic, heuristic
from bestfirst.lost_claims import why_not
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
    corners: whether a diagonal step may cut corners: "never": both cells beside it must be free, as the Moving AI Lab has it;
    "one": one of them; "always": neither.
    weights: what a step costs in the cells of each letter, such as {"S": 2.5}, for each unit of its length; letters that are
    not given have weight 1. Or an array of numbers, one for each cell. A step costs its length times the mean of the
    weights of its two cells. A weight is a number from 1e-100 to 1e100.
    passable: the letters of the free cells, such as ".GSW" to pass water. Default: . G S and those with a weight.
    wrap: whether a step leads from each side of the map to the opposite side, as on a torus.
    Raises InputError for an invalid map, or a start or goal outside it. (If the start or all goals are blocked, the problem
    is unsolvable.)

    An action is a direction: N, NE, E, ..., tried clockwise from the north.
    """

    class State(NamedTuple):
        """See the module docstring."""

        cell: int

    default_heuristic = "octile"
    bits = MappingProxyType({"cell": 32})  # fixed, so that all maps share compiled code
    fixed = ("max_actions", "is_plain")  # the code of a plain grid does without what it does not need
    frozen_arrays = frozenset({"free", "legal", "shift", "right", "down", "cost", "half_weight", "goals"})
    width: int
    height: int

    _settled_for_good = frozenset({"width", "height", "max_actions", "corners", "wrap", "is_weighted", "is_plain"})

    def __init__(
        self,
        cells: str | Sequence[str] | NDArray[Any] | Terrain,
        start: str | Point,
        goal: Points,
        *,
        neighbours: int = 8,
        corners: Corners = "never",
        weights: Weights | None = None,
        passable: str | None = None,
        wrap: bool = False,
    ) -> None:
        check_rules(neighbours, corners, wrap)
        legend = legend_of(passable, weights)
        terrain = terrain_of(cells, legend)
        free = legend.free_cells(terrain)
        self.free: Any = byte_table(free, "bool")
        self.height, self.width = len(terrain), len(terrain[0])
        self.column_bits = (self.width - 1).bit_length()
        self.column_mask = (1 << self.column_bits) - 1
        self.size = self.height << self.column_bits
        if self.size > 1 << self.bits["cell"]:
            raise InputError(
                f"a map of {self.width} x {self.height} cells is too large; with the width "
                "rounded up to a power of two, a map may have at most 2**32 cells"
            )
        self.max_actions, self.corners, self.wrap = int(neighbours), corners, wrap
        self.is_weighted = weights is not None
        self.is_plain = not (wrap or self.is_weighted)
        self.unit_cost = neighbours == 4 and not self.is_weighted
        if neighbours == 4:
            self.default_heuristic = "manhattan"
        self.actions = tuple(name for name, step in _STEPS.items() if neighbours == 8 or 0 in step)
        steps = self._steps()
        stride = 1 << self.column_bits
        self.legal: Any = byte_table(legal_steps(free, steps, stride, corners=corners, wrap=wrap), "uint8")
        self.shift = table((down << self.column_bits) + right for right, down in steps)
        self.right, self.down = (table(part) for part in zip(*steps, strict=True))
        self.cost = (
            table([1] * 4)
            if neighbours == 4 and self.is_plain
            else table((DIAGONAL if all(step) else 1.0 for step in steps), "float64")
        )
        self._set_weights(_each_weight(weights, legend, terrain, stride) if not self.is_plain else [])
        self._shared: dict[str, JumpPoints] = {}  # by all problems of the map
        self._set_ends(start, goal)
        self._settle()

    def _steps(self) -> list[tuple[int, int]]:
        """How far each action goes to the right and down."""
        return [step for step in _STEPS.values() if self.max_actions == 8 or 0 in step]

    def _set_weights(self, weights: Sequence[float]) -> None:
        """Set the weight of each cell; a plain grid has none.

        Its numbers are ints, since compiled code decides by these attributes whether costs and estimates are ints.
        """
        self.half_weight: Any = table([0]) if self.is_plain else table((weight / 2 for weight in weights), "float64")
        of_cells = zip(weights, bytes(self.compiled_value("legal")), strict=False)
        self.lowest_weight = 1 if self.is_plain else min((weight for weight, steps in of_cells if steps), default=1.0)

    def _set_ends(self, start: str | Point, goal: Points) -> None:
        self.initial = self.at(start, "the start")
        ends = list(dict.fromkeys(self.at(point, "the goal") for point in _each_point(goal)))
        self.goal = ends[0].cell
        self.goal_x, self.goal_y = self.point(ends[0])
        self.goal_count = len(ends)
        self.goals: Any = table(end.cell for end in ends)

    @classmethod
    def from_file(cls, path: str | Path, start: str | Point, goal: Points, **rules: Unpack[Rules]) -> GridMap:
        """A grid from a Moving AI Lab .map file; rules: neighbours, corners, weights, passable and wrap, as in GridMap.

        Raises InputError that names the file and the line.
        """
        from bestfirst.domains.grid_map.files import read_map  # noqa: PLC0415

        legend = legend_of(rules.get("passable"), rules.get("weights"))
        return cls(read_map(Path(path), legend), start, goal, **rules)

    @classmethod
    def scenarios(
        cls, path: str | Path, *, maps: str | Path | None = None, **rules: Unpack[Rules]
    ) -> Iterator[tuple[GridMap, Scenario]]:
        """The problems in a Moving AI Lab .scen file, each with its scenario.

        maps: the directory of the maps, or the .map file of all scenarios. Default: the directory of the file. rules: as in
        from_file().
        The scenario gives the optimal length on an 8-connected grid on which steps cut no corners. Raises InputError that
        names the file and the line.
        """
        from bestfirst.domains.grid_map.files import read_scenarios  # noqa: PLC0415

        return cls._each_of(read_scenarios(Path(path), None if maps is None else Path(maps)), rules)

    @classmethod
    def _each_of(cls, scenarios: Iterable[Scenario], rules: Rules) -> Iterator[tuple[GridMap, Scenario]]:
        grids: dict[Path, GridMap] = {}
        for scenario in scenarios:
            if scenario.map not in grids:
                grids[scenario.map] = cls.from_file(scenario.map, (0, 0), (0, 0), **rules)
            yield grids[scenario.map]._of_scenario(scenario), scenario

    def _of_scenario(self, scenario: Scenario) -> GridMap:
        if (self.width, self.height) != (scenario.width, scenario.height):
            raise InputError(
                f"{scenario.where}the scenario is for a map {scenario.width} wide and {scenario.height} high, but "
                f"{scenario.map} is {self.width} wide and {self.height} high; scaling is not supported"
            )
        try:
            return self.between(scenario.start, scenario.goal)
        except InputError as error:
            raise InputError(f"{scenario.where}{error}") from None

    @classmethod
    def from_text(
        cls,
        text: str,
        *,
        start: str | None = None,
        goal: str | list[str] | None = None,
        number: str | None = None,
        maps: str | None = None,
        neighbours: str = "8",
        corners: str = "never",
        weights: str | None = None,
        passable: str | None = None,
        wrap: str = "no",
        jump_points: str = "no",
    ) -> GridMap | JumpPoints:
        """A grid from command-line arguments: `text` is the path of a .map file, or of a .scen file.

        number: the number of the scenario in a .scen file, counted from 1; default: the first. maps: the directory of its map.
        weights: such as "S=2.5 W=4". wrap: yes or no. jump_points: yes for the problem that jump_points() returns, or no.
        """
        rules = cls.rules_written(neighbours=neighbours, corners=corners, weights=weights, passable=passable, wrap=wrap)
        return cls._written(text, start, goal, number, maps, rules).with_jumps_written(jump_points)

    @classmethod
    def _written(
        cls,
        text: str,
        start: str | None,
        goal: str | list[str] | None,
        number: str | None,
        maps: str | None,
        rules: Rules,
    ) -> GridMap:
        ending = Path(text).suffix.lower()
        if ending == ".map":
            if start is None or goal is None or number is not None or maps is not None:
                raise InputError(
                    "a .map file needs a start and a goal, such as 3,4, and takes no scenario number and no directory of maps"
                )
            return cls.from_file(text, start, goal, **rules)
        if ending == ".scen":
            if start is not None or goal is not None:
                raise InputError("a .scen file contains starts and goals; pass a scenario number instead")
            return cls._numbered(text, number or "1", maps, rules)
        raise InputError(f"the map is {shown(text)}; use the path of a file whose name ends in .map or .scen")

    @staticmethod
    def rules_written(
        *,
        neighbours: str = "8",
        corners: str = "never",
        weights: str | None = None,
        passable: str | None = None,
        wrap: str = "no",
    ) -> Rules:
        """The options of a GridMap from text, as from_text() takes them; raises InputError for invalid ones."""
        if neighbours not in ("4", "8"):
            raise InputError(f"neighbours is {shown(neighbours)}; use 4 or 8")
        if wrap not in ("yes", "no"):
            raise InputError(f"wrap is {shown(wrap)}; use yes or no")
        number, is_torus = int(neighbours), wrap == "yes"
        check_rules(number, corners, is_torus)
        own = None if weights is None else weights_written(weights)
        return {"neighbours": number, "corners": corners, "weights": own, "passable": passable, "wrap": is_torus}  # type: ignore[typeddict-item]

    def with_jumps_written(self, jump_points: str) -> GridMap | JumpPoints:
        """jump_points() if the option says yes, and this grid if it says no. Raises InputError for another text."""
        if jump_points not in ("yes", "no"):
            raise InputError(f"jump_points is {shown(jump_points)}; use yes or no")
        return self.jump_points() if jump_points == "yes" else self

    @classmethod
    def _numbered(cls, path: str, number: str, maps: str | None, rules: Rules) -> GridMap:
        from bestfirst.domains.grid_map.files import read_scenarios  # noqa: PLC0415

        scenarios = read_scenarios(Path(path), None if maps is None else Path(maps))
        if not scenarios:
            raise InputError(f"{path} has no scenarios; write one on a line below 'version 1'")
        if not number.isdecimal() or not 1 <= int(number) <= len(scenarios):
            raise InputError(f"the scenario number is {shown(number)}; {path} has scenarios 1 .. {len(scenarios)}")
        return next(cls._each_of([scenarios[int(number) - 1]], rules))[0]

    def between(self, start: str | Point, goal: Points) -> GridMap:
        """The same map with another start and goal, or several; it shares the arrays, so it is created quickly."""
        other = copy.copy(self)
        with other._unsettled():
            other._set_ends(start, goal)
        return other

    def with_cells(
        self,
        *,
        blocked: Iterable[str | Point] = (),
        free: Iterable[str | Point] = (),
        weights: Mapping[str | Point, float] | None = None,
    ) -> GridMap:
        """The same problem on a map where these points are blocked or free. This map does not change.

        weights: other weights by point, on a grid with weights.
        Raises InputError for a point outside the map, one that is given as both, and an invalid weight. Time: that of copying
        the map.
        """
        check_kind("blocked", blocked, Iterable, "a list of points, such as [(3, 4)]")
        check_kind("free", free, Iterable, "a list of points, such as [(3, 4)]")
        check_kind("weights", {} if weights is None else weights, Mapping, "{point: weight}, such as {(3, 4): 2.5}")
        given = [(self.point(self.at(point, "the blocked cell")), 0) for point in blocked]
        given += [(self.point(self.at(point, "the free cell")), 1) for point in free]
        now = dict(given)
        if both := [point for point, value in given if now[point] != value]:
            raise InputError(f"the cell {both[0][0]},{both[0][1]} is given both as blocked and as free; choose one")
        own = self._with_weights(weights or {})
        rows, legal = [bytearray(row) for row in self.compiled_value("free")], bytearray(self.compiled_value("legal"))
        for (x, y), value in now.items():
            rows[y][x] = value
        stride = 1 << self.column_bits
        nearby = {y + beside for _, y in now for beside in (-1, 0, 1)}
        changed = sorted({y % self.height for y in nearby} if self.wrap else nearby & set(range(self.height)))
        cells = [bytes(row) for row in rows]
        of_rows = legal_steps(cells, self._steps(), stride, corners=self.corners, wrap=self.wrap, rows=changed)
        for place, y in enumerate(changed):
            legal[y * stride : (y + 1) * stride] = of_rows[place * stride :][:stride]
        other = copy.copy(self)
        with other._unsettled():
            other.free, other.legal = byte_table(cells, "bool"), byte_table(bytes(legal), "uint8")
            if not self.is_plain:
                other._set_weights(own)
            other._shared = {}
        return other

    def _with_weights(self, now: Mapping[str | Point, float]) -> list[float]:
        """The weight of each cell, with some changed."""
        if now and not self.is_weighted:
            raise InputError("this grid has no weights to change; create it with weights, such as {'.': 1}")
        own: list[float] = [2 * half for half in self.compiled_value("half_weight").tolist()]
        for point, weight in now.items():
            cell = self.at(point, "the cell with a new weight").cell
            check_weight(point, weight)
            own[cell] = float(weight)
        return own

    def _differing(self, before: object) -> list[str]:
        if not isinstance(before, GridMap):
            return ["type"]
        members = {"width": "width", "height": "height", "actions": "neighbours", "wrap": "wrap", "is_weighted": "weights"}
        return [name for member, name in members.items() if getattr(before, member) != getattr(self, member)]

    def changed_states(self, before: object) -> list[State] | None:
        """The cells from which other steps are legal than before, or have other costs; None if the other is no version of the
        same map."""
        if not isinstance(before, GridMap) or self._differing(before):
            return None
        now, then = bytes(self.compiled_value("legal")), bytes(before.compiled_value("legal"))
        stride = 1 << self.column_bits
        rows = [first for first in range(0, len(now), stride) if now[first : first + stride] != then[first : first + stride]]
        changed = {cell for first in rows for cell in range(first, first + stride) if now[cell] != then[cell]}
        if self.is_weighted:
            weights = zip(
                self.compiled_value("half_weight").tolist(), before.compiled_value("half_weight").tolist(), strict=True
            )
            for cell in [cell for cell, (new, old) in enumerate(weights) if new != old]:
                around = [self.step(self.State(cell), action) for action in range(self.max_actions)]
                changed |= {cell, *(beyond.cell for legal, beyond, _ in around if legal)}
        return [self.State(cell) for cell in sorted(changed)]

    def jump_points(self) -> JumpPoints:
        """The same problem with whole runs of steps as actions: A* expands far fewer states, at the same costs.

        The data that all problems of the map share are computed for the first one. Raises InputError if the grid has 4
        neighbours, several goals, weights, joined sides or cut corners, or if its rules have been replaced.
        """
        why = why_not(self, "jump_points")
        if why is not None:
            raise InputError(f"this grid has no jump points: {why}")
        if self.goal_count > 1:
            raise InputError(f"jump points need one goal; this grid has {self.goal_count}")
        if self.is_weighted or self.wrap or self.corners != "never":
            has = "weights" if self.is_weighted else "wrap=True" if self.wrap else f"corners={self.corners!r}"
            raise InputError(f"this grid has {has}, which jump points do not support; search the grid itself")
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
            raise InputError(f"{what} is {shown(point)}; write a column and a row, such as 3,4") from None
        if not (0 <= x < self.width and 0 <= y < self.height):
            raise InputError(
                f"{what} is {shown(x)},{shown(y)}; on this map x is 0 .. {self.width - 1} and y is 0 .. {self.height - 1}"
            )
        return self.State(y << self.column_bits | x)

    def point(self, state: State) -> Point:
        """The coordinates of a state."""
        return state.cell & self.column_mask, state.cell >> self.column_bits

    def step(self, state: State, action: int) -> tuple[bool, State, Cost]:
        legal = self.legal[state.cell] >> action & 1
        if self.is_plain:
            return legal == 1, self.State(state.cell + self.shift[action]), self.cost[action]
        if legal == 0:
            return False, state, self.cost[action]
        beyond = self._beyond(state.cell, action)
        return True, self.State(beyond), self.cost[action] * (self.half_weight[state.cell] + self.half_weight[beyond])

    def _beyond(self, cell: int, action: int) -> int:
        """The cell to which a legal step leads; one that leaves the map comes back on the opposite side."""
        x = (cell & self.column_mask) + self.right[action]
        y = (cell >> self.column_bits) + self.down[action]
        x = self.width - 1 if x < 0 else 0 if x == self.width else x
        y = self.height - 1 if y < 0 else 0 if y == self.height else y
        return y << self.column_bits | x

    def is_goal(self, state: State) -> bool:
        return state.cell == self.goal or (self.goal_count > 1 and state.cell in self.goals)

    def inverse(self, action: int) -> int:
        if self.wrap and min(self.width, self.height) < 3:  # then several actions lead back
            return -1
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

    # Heuristics. None exceeds the cost of the cheapest path on a grid without blocked cells, all of the lowest weight.

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
        across, down = self._across(state, goal), self._below(state, goal)
        steps = DIAGONAL * min(across, down) + abs(across - down)
        return steps if self.is_plain else steps * self.lowest_weight

    @heuristic()
    def manhattan(self, state: State) -> float:
        """The cost of the cheapest path with 4 neighbours on an empty grid: columns plus rows."""
        if self.goal_count == 1:
            return self._manhattan_to(state, self.goal)
        return min(self._manhattan_to(state, goal) for goal in self.goals)

    def _manhattan_to(self, state: State, goal: int) -> float:
        steps = self._across(state, goal) + self._below(state, goal)
        return steps if self.is_plain else steps * self.lowest_weight

    @heuristic(admissible=True, consistent=True)
    def euclidean(self, state: State) -> float:
        """The length of the straight line to the goal."""
        if self.goal_count == 1:
            return self._euclidean_to(state, self.goal)
        return min(self._euclidean_to(state, goal) for goal in self.goals)

    def _euclidean_to(self, state: State, goal: int) -> float:
        across, down = self._across(state, goal), self._below(state, goal)
        line = math.sqrt(across * across + down * down)
        return line if self.is_plain else line * self.lowest_weight

    @heuristic(admissible=True, consistent=True)
    def chebyshev(self, state: State) -> float:
        """The fewest steps on an empty 8-connected grid: the maximum of columns and rows."""
        if self.goal_count == 1:
            return self._chebyshev_to(state, self.goal)
        return min(self._chebyshev_to(state, goal) for goal in self.goals)

    def _chebyshev_to(self, state: State, goal: int) -> float:
        steps = max(self._across(state, goal), self._below(state, goal))
        return steps if self.is_plain else steps * self.lowest_weight

    def _across(self, state: State, goal: int) -> int:
        """The number of columns to a goal."""
        across = abs((state.cell & self.column_mask) - (goal & self.column_mask))
        return across if self.is_plain else self._shorter(across, self.width)

    def _below(self, state: State, goal: int) -> int:
        """The number of rows to a goal."""
        down = abs((state.cell >> self.column_bits) - (goal >> self.column_bits))
        return down if self.is_plain else self._shorter(down, self.height)

    def _shorter(self, count: int, size: int) -> int:
        """A number of columns or rows, counted in the better direction on a map that wraps."""
        return min(count, size - count) if self.wrap else count


def _each_weight(weights: Weights | None, legend: Legend, terrain: Terrain, stride: int) -> list[float]:
    """The weight of each cell, `stride` cells for each row."""
    if weights is None or isinstance(weights, Mapping):
        return legend.weights_of(terrain, stride)
    return array_of_weights(weights, len(terrain), len(terrain[0]), stride)


def _each_point(points: Points) -> list[str | Point]:
    """The points, given as one or as several."""
    several = isinstance(points, set | frozenset | list | tuple) and all(
        isinstance(one, str | tuple | list) for one in points
    )
    if several and not points:
        raise InputError("the goal is an empty list; pass a point, such as (3, 4), or a list of points")
    return list(points) if several else [points]  # type: ignore[arg-type,list-item]


def _window(middle: int, reach: int, end: int) -> range:
    """`reach` places on each side of the middle, or more on one side if the map ends on the other."""
    first = max(0, min(middle - reach, end - 2 * reach - 1))
    return range(first, min(end, first + 2 * reach + 1))

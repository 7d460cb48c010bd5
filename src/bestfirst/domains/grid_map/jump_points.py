"""Jump points: a grid on which an action is a whole run of steps, so that A* expands far fewer states at the same costs.

From a cell that was entered in a direction, only those directions are tried in which a cheapest path may have to go on: of
all paths of equal cost, the one that goes diagonally first. A run ends at the next cell where another direction must be
tried. Where that is, was worked out for each cell and direction when the first such problem of a map was made; only runs that
lead to the goal, or level with it, depend on the problem.

Source: Harabor & Grastien 2011 (jump point search), 2014 (with precomputed runs); the rules here are those of steps that must
not cut corners.
"""

from __future__ import annotations

import copy
import math
import re
from collections.abc import Iterable, Iterator
from itertools import pairwise
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from bestfirst.domain import Domain
from bestfirst.errors import InputError, shown
from bestfirst.heuristics.heuristic import heuristic
from bestfirst.problem import Background, Cell, Cost

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from bestfirst.domains.grid_map.problem import GridMap

DIRECTIONS = 8
_ACTION = re.compile("([NS]?[EW]|[NS])([0-9]+)")
ANY = 8
"""The direction in which the start was entered."""
_RIGHT, _DOWN = (0, 1, 1, 1, 0, -1, -1, -1), (-1, -1, 0, 1, 1, 1, 0, -1)
"""How far a step of each direction goes; they are numbered clockwise from the north, as in problem.py."""


class JumpPoints(Domain):
    """A grid with 8 neighbours, with runs of steps as actions: GridMap.jump_points() makes it.

    An action is the direction and the number of its steps, such as NE5; steps() takes them apart. A solution costs what one of
    the grid does, up to rounding.
    """

    class State(NamedTuple):
        """cell: as in GridMap. came: the direction of the run that entered it, or ANY."""

        cell: int
        came: int

    default_heuristic = "octile"
    bits = MappingProxyType({"cell": 32, "came": 4})
    max_actions = DIRECTIONS
    frozen_arrays = frozenset({"legal", "shift", "cost", "runs", "right", "down"})

    def __init__(self, grid: GridMap) -> None:
        if grid.max_actions != DIRECTIONS:
            raise InputError("jump points need a grid with neighbours=8; this grid has neighbours=4")
        self.column_bits, self.column_mask = grid.column_bits, grid.column_mask
        self.legal, self.shift, self.cost = np.asarray(grid.legal), np.asarray(grid.shift), np.asarray(grid.cost)
        self.runs: Any = runs_of(np.asarray(grid.legal), grid.height, grid.column_bits)
        self.right, self.down = np.array(_RIGHT), np.array(_DOWN)
        self._set_ends(grid)
        self._settle()

    def _set_ends(self, grid: GridMap) -> None:
        self.grid = grid
        self.goal, self.goal_x, self.goal_y = grid.goal, grid.goal_x, grid.goal_y
        self.initial = self.State(grid.initial.cell, ANY)

    def on(self, grid: GridMap) -> JumpPoints:
        """The same for another problem of the map; it shares the arrays."""
        other = copy.copy(self)
        with other._unsettled():
            other._set_ends(grid)
        return other

    def may_go(self, state: State, direction: int) -> bool:
        """Whether a cheapest path may have to go on in a direction."""
        came = state.came
        if came == ANY:
            return True
        turned = (direction - came) % DIRECTIONS
        if turned == 0:
            return True
        if came % 2 == 1:  # diagonal: in one of its two parts
            return turned in (1, 7)
        if 2 < turned < 6:
            return False
        # aside, or diagonally on, where an obstacle beside the cell before allowed no shorter way
        side = (came + 2) % DIRECTIONS if turned <= 2 else (came + 6) % DIRECTIONS
        before = state.cell - self.shift[came]
        return bool(self.legal[state.cell] >> side & 1 == 1 and self.legal[before] >> side & 1 == 0)

    def steps_of(self, state: State, direction: int) -> int:
        """The number of steps of a run; 0 if there is none. A run ends at a jump point, at the goal, or level with the goal."""
        run = self.runs[state.cell, direction]
        right, down = self.right[direction], self.down[direction]
        across = self.goal_x - (state.cell & self.column_mask)
        below = self.goal_y - (state.cell >> self.column_bits)
        to_goal = 0
        if direction % 2 == 1:
            to_goal = min(across * right, below * down)
        elif across * down + below * right == 0:
            to_goal = across * right + below * down
        return to_goal if 0 < to_goal <= abs(run) else max(run, 0)

    def step(self, state: State, action: int) -> tuple[bool, State, Cost]:
        count = self.steps_of(state, action) if self.may_go(state, action) else 0
        return count > 0, self.State(state.cell + count * self.shift[action], action), count * self.cost[action]

    def is_goal(self, state: State) -> bool:
        return state.cell == self.goal

    def action_name(self, state: State, action: int) -> str:
        assert self.grid.actions is not None
        return f"{self.grid.actions[action]}{self.steps_of(state, action)}"

    def steps(self, actions: Iterable[str]) -> Iterator[str]:
        """The single steps, such as NE, of the actions of a solution. Raises InputError for something else."""
        for action in actions:
            parts = _ACTION.fullmatch(action) if isinstance(action, str) else None
            if parts is None:
                raise InputError(
                    f"{shown(action)} is not an action of this problem; pass the actions of a solution, such as NE5"
                )
            yield from [parts[1]] * int(parts[2])

    def unsolvable(self) -> str | None:
        return self.grid.unsolvable()

    @heuristic(admissible=True, consistent=True)
    def octile(self, state: State) -> float:
        """The cost of the cheapest path on an empty grid: diagonal steps, then straight ones."""
        across = abs((state.cell & self.column_mask) - self.goal_x)
        down = abs((state.cell >> self.column_bits) - self.goal_y)
        return math.sqrt(2) * min(across, down) + abs(across - down)

    def _on_grid(self, state: State) -> Any:
        return self.grid.State(state.cell)

    def format(self, state: State) -> str:
        return self.grid.format(self._on_grid(state))

    def draw(self, state: State) -> str:
        return self.grid.draw(self._on_grid(state))

    def draw_path(self, states: Iterable[State]) -> str:
        """The part of the map that contains the runs, as GridMap draws a path."""
        return self.grid.draw_path(self._cells_of(list(states)))

    def _cells_of(self, states: list[State]) -> Iterator[Any]:
        """The states of the grid on the way through some states."""
        for before, after in pairwise(states):
            step = self.shift[after.came]
            yield from map(self.grid.State, range(before.cell, after.cell, step))
        yield from map(self._on_grid, states[-1:])

    def cells(self, state: State) -> list[Cell]:
        return self.grid.cells(self._on_grid(state))

    def background(self) -> Background:
        return self.grid.background()


def runs_of(legal: NDArray[np.uint8], height: int, column_bits: int) -> NDArray[np.int32]:
    """For each cell and direction, how many steps lead to the next jump point; minus the free steps if none follows.

    legal: the legal steps of each cell, as bits.
    """
    grid = legal.reshape(height, 1 << column_bits)
    runs = np.zeros((DIRECTIONS, *grid.shape), np.int32)
    may = [(grid >> direction & 1).astype(bool) for direction in range(DIRECTIONS)]
    for direction in (0, 2, 4, 6, 1, 3, 5, 7):
        if direction % 2 == 0:
            stops = np.zeros(grid.shape, bool)
            for side in ((direction + 2) % DIRECTIONS, (direction + 6) % DIRECTIONS):
                stops |= may[side] & ~_shifted(may[side], -_RIGHT[direction], -_DOWN[direction])
        else:
            stops = (runs[direction - 1] > 0) | (runs[(direction + 1) % DIRECTIONS] > 0)
        _fill(runs[direction], may[direction], stops, _RIGHT[direction], _DOWN[direction])
    return np.ascontiguousarray(runs.reshape(DIRECTIONS, -1).T)


def _shifted(values: NDArray[np.bool_], right: int, down: int) -> NDArray[np.bool_]:
    """For each cell, the value of the cell so far away; False beyond the map."""
    height, width = values.shape
    moved = np.zeros_like(values)
    rows, columns = range(max(0, -down), min(height, height - down)), range(max(0, -right), min(width, width - right))
    there = values[rows.start + down : rows.stop + down, columns.start + right : columns.stop + right]
    moved[rows.start : rows.stop, columns.start : columns.stop] = there
    return moved


def _fill(runs: NDArray[np.int32], may: NDArray[np.bool_], stops: NDArray[np.bool_], right: int, down: int) -> None:
    """Work out the runs of one direction, row by row or column by column, beginning with the cells where it ends."""
    if down == 0:
        runs, may, stops = runs.T, may.T, stops.T
        right, down = down, right
    lines = range(len(runs))
    for line in reversed(lines) if down > 0 else lines:
        beyond = line + down
        if not 0 <= beyond < len(runs):
            continue
        following, is_stop = np.roll(runs[beyond], -right), np.roll(stops[beyond], -right)  # no step leads around the edge
        later = np.where(following > 0, following + 1, following - 1)
        runs[line] = np.where(may[line], np.where(is_stop, 1, later), 0)

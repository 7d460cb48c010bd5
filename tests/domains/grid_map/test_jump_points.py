"""Jump points: runs of steps as actions, at the costs of single steps."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import bestfirst as bf
from profiles import examples
from twins import assert_twins

HALL = """
..........
.@@@@.@@@.
.@......@.
.@.@@@@.@.
.........@
"""


@st.composite
def grids(draw: Any) -> bf.GridMap:
    width, height = draw(st.integers(1, 12)), draw(st.integers(1, 12))
    cells = draw(st.lists(st.booleans() | st.just(True) | st.just(True), min_size=width * height, max_size=width * height))
    ends = [(draw(st.integers(0, width - 1)), draw(st.integers(0, height - 1))) for _ in range(2)]
    return bf.GridMap(np.array(cells).reshape(height, width), *ends)


@examples(50)
@given(grid=grids())
def test_same_cost(grid: bf.GridMap) -> None:
    """A path of runs costs what a path of steps costs, and its steps lead to the goal."""
    by_steps, jumps = bf.solve(grid, engine="python"), grid.jump_points()
    by_runs = bf.solve(jumps, engine="python")
    assert by_runs.status == by_steps.status
    if by_steps.cost is None:
        return
    assert by_runs.cost == pytest.approx(by_steps.cost, abs=1e-9)
    state = grid.initial
    for name in jumps.steps(by_runs.actions):
        state = next(following for action, following, _ in grid.successors(state) if action == name)
    assert grid.is_goal(state)


@examples(50)
@given(grid=grids())
def test_twins(grid: bf.GridMap) -> None:
    """Both engines make the same runs."""
    assert_twins(grid.jump_points(), "astar", "octile")


def test_fewer_expansions() -> None:
    """On a map of large open areas, A* expands a small part of the states."""
    free = np.ones((60, 60), bool)
    free[20:40, 30] = False
    grid = bf.GridMap(free, (3, 28), (55, 33))
    assert bf.solve(grid.jump_points()).stats.expanded * 20 < bf.solve(grid).stats.expanded


def test_problems_of_a_map_share_the_runs() -> None:
    """The runs are worked out once for all problems of a map."""
    grid = bf.GridMap(HALL, (0, 0), (8, 4))
    other = grid.between((9, 0), (2, 2))
    assert grid.jump_points().compiled_value("runs") is other.jump_points().compiled_value("runs")


def test_pictures() -> None:
    """Actions name the direction and the number of steps, and the path is drawn with all its cells."""
    jumps = bf.GridMap(HALL, (0, 0), (8, 4)).jump_points()
    solution = bf.solve(jumps)
    assert solution.actions[0] == "E5"
    assert list(jumps.steps(["S2", "NE1"])) == ["S", "S", "NE"]
    assert jumps.draw_path(solution.states).count("o") == len(list(jumps.steps(solution.actions))) - 1
    assert bf.check(jumps).ok


def test_four_neighbours() -> None:
    """A grid with 4 neighbours has no jump points, and says so."""
    with pytest.raises(bf.InputError, match="neighbours=8"):
        bf.GridMap(HALL, (0, 0), (8, 4), neighbours=4).jump_points()


def test_changed_rules() -> None:
    """A grid whose rules were replaced has no jump points, and says why."""

    class Straight(bf.GridMap):
        def step(self, state: bf.GridMap.State, action: int) -> Any:
            legal, following, cost = super().step(state, action)
            return legal and action % 2 == 0, following, cost

    with pytest.raises(bf.InputError, match="Straight replaces step"):
        Straight(HALL, (0, 0), (8, 4)).jump_points()
    changed = bf.GridMap(HALL, (0, 0), (8, 4))
    changed.cost = np.ones(8)
    with pytest.raises(bf.InputError, match="cost of this GridMap"):
        changed.jump_points()


@pytest.mark.parametrize("action", ["X", "5", "N", 3])
def test_steps_of_something_else(action: Any) -> None:
    """steps() refuses what is no action."""
    jumps = bf.GridMap(HALL, (0, 0), (8, 4)).jump_points()
    with pytest.raises(bf.InputError, match="not an action"):
        list(jumps.steps([action]))

"""Noted data: a compiled search whose problem has changed since its last run raises an InputError."""

from __future__ import annotations

import sys
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pytest

import bestfirst as bf
from compilable import Pancakes

BEYOND = 0


class Stairs(bf.Domain):
    """Up by one or two steps, at costs from tables."""

    class State(NamedTuple):
        """A step."""

        number: int

    initial = State(0)
    max_actions = 2

    def __init__(self, cost: Any, top: int = 5) -> None:
        self.cost, self.top = cost, top
        self.toll = (0, 0)

    def step(self, state: State, action: int) -> Any:
        return (
            state.number + action < self.top,
            self.State(state.number + 1 + action),
            self.cost[action, 0] + self.toll[action],
        )

    def is_goal(self, state: State) -> bool:
        return state.number == self.top + BEYOND

    @bf.heuristic(admissible=True, consistent=True)
    def none(self, state: State) -> int:  # noqa: ARG002
        return 0


def column(*, rows: int = 2) -> Any:
    """A table whose first two elements are 1 and 2."""
    return np.arange(1, rows + 1).reshape(-1, 1)


def set_first(stairs: Any) -> None:
    stairs.cost[0, 0] = 0


def set_array(stairs: Any) -> None:
    stairs.cost = column() + 1


def set_tuple(stairs: Any) -> None:
    stairs.toll = (0, 1)


TABLES = {
    "plain": column(),
    "large": column(rows=2000),
    "in columns": np.asfortranarray(np.hstack([column(), column()])),
    "with gaps": np.repeat(column(), 3, axis=1)[:, ::2],
}


@pytest.mark.parametrize("table", TABLES.values(), ids=TABLES)
@pytest.mark.parametrize("change", [set_first, set_array, set_tuple])
def test_data_that_change_between_two_runs_end_the_search(table: Any, change: Callable[[Any], None]) -> None:
    """Whether an element, the array or a tuple is set anew, and however the array lies in memory."""
    stairs = Stairs(table.copy(order="K") if table.flags.owndata else np.repeat(column(), 3, axis=1)[:, ::2])
    search = bf.Search(stairs, "depth-first-branch-and-bound", engine="compiled")
    assert search.run(bf.Limits(expansions=2)).status == "limit"
    change(stairs)
    with pytest.raises(bf.InputError, match="of stairs has changed"):
        search.run()


def test_a_search_goes_on_with_equal_data() -> None:
    """Set anew, or set back to what they were."""
    stairs = Stairs(column())
    search = bf.Search(stairs, "uniform-cost", engine="compiled")
    assert search.run(bf.Limits(expansions=2)).status == "limit"
    stairs.cost = column()
    assert search.run(bf.Limits(expansions=1)).status == "limit"
    set_first(stairs)
    with pytest.raises(bf.InputError, match="cost of stairs has changed"):
        search.run()
    stairs.cost[0, 0] = 1
    assert search.run().cost == 5


@pytest.mark.parametrize("algorithm", ["idastar", "depth-first-branch-and-bound"])
def test_a_number_that_changes_between_two_runs_ends_the_search(algorithm: str) -> None:
    """Set back to what it was, the search goes on."""
    pancakes = Pancakes([2, 8, 5, 3, 7, 1, 4, 6])
    search = bf.Search(pancakes, algorithm, engine="compiled")
    assert search.run(bf.Limits(expansions=2)).status == "limit"
    goal, pancakes.goal = pancakes.goal, 0
    with pytest.raises(bf.InputError, match="goal of pancakes has changed"):
        search.run()
    pancakes.goal = goal
    assert search.run().cost is not None


def interrupted(search: bf.Search) -> None:
    """Run a search until its progress function raises what is no Exception."""

    def stop(_running: bf.Search) -> None:
        raise KeyboardInterrupt

    with suppress(KeyboardInterrupt):
        search.run(progress=stop)


BEGUN: dict[str, Callable[[bf.Search], object]] = {
    "made": lambda _search: None,
    "looked at": lambda search: search.lower_bound,
    "run for nothing": lambda search: search.run(bf.Limits(expansions=0)),
    "interrupted": interrupted,
}


@pytest.mark.parametrize("begun", BEGUN.values(), ids=BEGUN)
@pytest.mark.parametrize("rows", [2, 2000])
def test_a_search_is_right_or_refused_whenever_the_data_change(begun: Callable[[bf.Search], object], rows: int) -> None:
    """Also before it has expanded anything."""
    stairs = Stairs(column(rows=rows), top=500)
    search = bf.Search(stairs, "uniform-cost", engine="compiled")
    begun(search)
    set_first(stairs)
    try:
        assert search.run().cost == 0
    except bf.InputError as error:
        assert "cost of stairs has changed" in str(error)


def test_data_that_change_during_a_run_end_it() -> None:
    """By its progress function."""
    stairs = Stairs(column(rows=2000))
    search = bf.Search(stairs, "uniform-cost", engine="compiled")
    with pytest.raises(bf.InputError, match="cost of stairs has changed"):
        search.run(progress=lambda _running: set_first(stairs))


def test_data_that_have_changed_are_not_saved(tmp_path: Path) -> None:
    """And those of a search that was loaded are noted, too."""
    stairs = Stairs(column())
    search = bf.Search(stairs, "uniform-cost", engine="compiled")
    search.run(bf.Limits(expansions=2))
    search.save(tmp_path / "search")
    loaded = bf.Search.load(tmp_path / "search", stairs)
    set_first(stairs)
    for one in (search, loaded):
        with pytest.raises(bf.InputError, match="cost of stairs has changed"):
            one.save(tmp_path / "search")
    with pytest.raises(bf.InputError, match="cost of stairs has changed"):
        loaded.run()


def test_an_error_of_the_progress_function_leaves_the_search_as_it_is() -> None:
    """It goes on, with the counts of a search without one."""
    stairs = Stairs(column(), top=500)  # more than the first slice of a search expands
    search = bf.Search(stairs, "uniform-cost", engine="compiled")

    def fail(_running: bf.Search) -> None:
        raise ValueError("not now")

    with pytest.raises(ValueError, match="not now"):
        search.run(progress=fail)
    whole = bf.solve(stairs, "uniform-cost", engine="compiled")
    assert search.run().cost == whole.cost
    assert (search.stats.expanded, search.stats.generated) == (whole.stats.expanded, whole.stats.generated)


def test_an_attribute_that_is_gone_or_a_cost_that_is_no_longer_one_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    """As a change."""
    changes: dict[str, Callable[[Any], None]] = {
        "toll": lambda one: delattr(one, "toll"),
        "unit_cost": lambda one: setattr(type(one), "unit_cost", True),
    }
    for name, change in changes.items():
        stairs = Stairs(column())
        search = bf.Search(stairs, "idastar", "none", engine="compiled")
        search.run(bf.Limits(expansions=2))
        monkeypatch.setattr(Stairs, "unit_cost", Stairs.unit_cost)  # restored at the end
        change(stairs)
        with pytest.raises(bf.InputError, match=f"{name} of stairs has changed"):
            search.run()


def test_code_that_changes_between_two_runs_ends_the_search(monkeypatch: pytest.MonkeyPatch) -> None:
    """A number of the module, or a method."""
    for owner, name, value in (
        (sys.modules[__name__], "BEYOND", 1),
        (Stairs, "is_goal", Stairs.step),
        (Stairs, "step", Pancakes.step),
    ):
        search = bf.Search(Stairs(column()), "uniform-cost", engine="compiled")
        search.run(bf.Limits(expansions=2))
        with monkeypatch.context() as patch:
            patch.setattr(owner, name, value)
            with pytest.raises(bf.InputError, match="the code of stairs has changed"):
                search.run()
        assert search.run().cost == 5


def test_a_problem_with_a_compilable_form_may_not_change_either() -> None:
    """Such as a road map."""
    roads: dict[Any, Any] = {place: {place + 1: 2} for place in range(9)} | {9: {}}
    streets = bf.RoadMap(roads, 0, 9, directed=True)
    search = bf.Search(streets, "uniform-cost", engine="compiled")
    search.run(bf.Limits(expansions=3))
    streets.roads = {**roads, 5: {9: 1}}
    with pytest.raises(bf.InputError, match="the code of road-map has changed"):
        search.run()


def test_what_has_no_solution_is_looked_at_again() -> None:
    """A road that is built before the search, or after it, which is then refused."""
    closed: dict[Any, dict[Any, float]] = {0: {1: 1}, 1: {0: 1}, 2: {0: 1}}
    built: dict[Any, dict[Any, float]] = {0: {1: 1}, 1: {2: 1}, 2: {0: 1}}
    streets: Any = bf.RoadMap(closed, 0, 2, directed=True)
    before, after = bf.Search(streets), bf.Search(streets)
    assert after.run().status == "unsolvable"
    streets.roads = built
    assert before.run().cost == 2
    with pytest.raises(bf.InputError, match="has changed since this search began"):
        after.run()


class Ends(bf.GameDomain):
    """Two moves each at each of six plies, and then the points of a table."""

    class State(NamedTuple):
        """The number of moves, and which they were."""

        ply: int
        path: int

    initial = State(0, 1)

    def __init__(self, points: Any) -> None:
        self.points = points

    def legal(self, state: State) -> int:  # noqa: ARG002
        return 3

    def play(self, state: State, move: int) -> Ends.State:
        return self.State(state.ply + 1, state.path * 2 + move)

    def is_over(self, state: State) -> bool:
        return state.ply == 6

    def score(self, state: State) -> int:
        return self.points[state.path]  # type: ignore[no-any-return]


def test_a_game_that_changes_between_two_depths_ends_its_analysis() -> None:
    """Its table has the values of before."""
    ends = Ends(np.arange(128) % 3 - 1)
    analyses = iter(bf.analyse(ends, lines=1, engine="compiled"))
    next(analyses)
    ends.points[:] = 1
    with pytest.raises(bf.InputError, match="points of ends has changed"):
        next(analyses)

"""The automaton that prunes strings of actions, and IDA* with it in both engines."""

from __future__ import annotations

from decimal import Decimal
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import bestfirst as bf
from bestfirst.search.node import expand, root_of
from bestfirst.search.operator_sequences.automaton import move_automaton
from compilable import float_graphs, int_graphs
from profiles import examples
from twins import assert_twins, random_board

NAMELESS = bf.Problem.of(0, lambda state: [("go", (state + by) % 5, 1) for by in (1, 2)], lambda state: state == 4)
NAMELESS.unit_cost = True
UNSTABLE = bf.Problem.of(0, lambda state: [(float("nan"), (state + 1) % 5, 1)], lambda state: state == 4)
UNSTABLE.unit_cost = True
EIGHT = bf.SlidingTile("8 6 7 2 5 4 3 _ 1")


def test_strings_of_two_are_the_moves_that_undo_each_other() -> None:
    """In the sliding-tile puzzle: four of them, and an automaton of five states."""
    automaton = move_automaton(EIGHT, 2)
    forbidden = {
        (automaton.names[first], automaton.names[second])
        for first in range(4)
        for second in range(4)
        if automaton.rows[automaton.rows[0][first]][second] < 0
    }
    assert forbidden == {("U", "D"), ("D", "U"), ("L", "R"), ("R", "L")}
    assert len(automaton.rows) == 5


@examples(10)
@given(data=st.data())
def test_every_state_is_still_reached_by_a_shortest_path(data: st.DataObject) -> None:
    """Of all boards of a small puzzle, by strings that the automaton lets through; and by one only, as far as it looks."""
    longest = data.draw(st.integers(2, 12))
    assert_shortest_paths_are_left(random_board(data.draw, (1, 2, 3, 4, 5, 0), (2, 3), 30), longest)


SMALL = {
    "hanoi": (bf.TowersOfHanoi(3, pegs=4), 4),
    "jugs": (bf.WaterJugs("3 5", "4"), 5),
    "maze": (bf.GridMap("....\n.@@.\n..@.\n....", (0, 0), (3, 3), neighbours=4), 7),
    "lights": (bf.LightsOut("1 0 / 0 1"), 4),
}


@pytest.mark.parametrize("name", SMALL)
def test_problems_without_representatives_are_pruned(name: str) -> None:
    """By claims that are looked up, be there inverse actions or not: every state is still reached by a shortest path."""
    problem, longest = SMALL[name]
    assert problem.representatives() is None
    assert_shortest_paths_are_left(problem, longest)


@examples(15)
@given(data=st.data())
def test_pruning_by_claims_never_changes_a_cost(data: st.DataObject) -> None:
    """Of graphs with loops, dead ends, ways that cost nothing, and estimates that fall; and both engines prune them alike."""
    graph = data.draw(st.one_of(int_graphs(), float_graphs()))
    prune = data.draw(st.integers(1, 4))
    pruned = assert_twins(graph, "idastar", "given", prune=prune)
    whole = bf.solve(graph, "idastar", "given", engine="python")
    assert (pruned.status, pruned.cost, pruned.lower_bound) == (whole.status, whole.cost, whole.lower_bound)
    assert pruned.stats.expanded <= whole.stats.expanded or pruned.stats.iterations != whole.stats.iterations


def test_claims_take_most_nodes_off_the_towers_of_hanoi() -> None:
    """On four pegs, where moves of different discs can be exchanged, in both engines."""
    tower = bf.TowersOfHanoi(5, pegs=4)
    pruned = [assert_twins(tower, "idastar", "blocking", prune=prune) for prune in (2, 3, 4)]
    assert [solution.cost for solution in pruned] == [13, 13, 13]
    assert [solution.stats.expanded for solution in pruned] == [257, 169, 157]
    assert bf.solve(tower, "idastar", "blocking", engine="python").stats.expanded == 725


def test_maps_are_pruned_where_costs_differ() -> None:
    """A diagonal step and a straight one can be exchanged, unless there is a rock in the way."""
    grid = bf.GridMap("......\n.@.@..\n......\n..@@..\n......", (0, 0), (5, 4))
    assert not grid.unit_cost
    pruned = assert_twins(grid, "idastar", "octile", prune=3)
    whole = bf.solve(grid, "idastar", "octile", engine="python")
    assert pruned.cost == whole.cost
    assert (pruned.stats.generated, whole.stats.generated) == (40, 45)


def test_actions_named_by_state_are_pruned_by_the_reference_engine() -> None:
    """The same name is another action elsewhere; so the compiled engine refuses, if it is asked for."""
    jumping = bf.JumpingTiles("bb_ww")
    assert bf.solve(jumping, "idastar", prune=2).cost == bf.solve(jumping, "idastar").cost
    with pytest.raises(
        bf.InputError, match=r"cannot prune operator sequences of .*, whose action names depend on the state or are"
    ):
        bf.solve(jumping, "idastar", prune=2, engine="compiled")


def assert_shortest_paths_are_left(puzzle: bf.Problem, longest: int) -> None:
    """By walking along all paths that the automaton lets through."""
    automaton = move_automaton(puzzle, longest)
    found = {puzzle.initial: 0}
    level = [root_of(puzzle)]
    for depth in range(1, longest + 1):
        following = []
        for node in level:
            state = automaton.after(node)
            for child in expand(puzzle, node):
                if not automaton.prunes(state, child):
                    following.append(child)
                    found.setdefault(child.state, depth)
        level = following
    expected = bf.enumerate_states(puzzle, engine="python").levels
    counts = [list(found.values()).count(depth) for depth in range(min(longest + 1, len(expected)))]
    assert counts == expected[: longest + 1]


@pytest.mark.slow
def test_both_engines_prune_alike() -> None:
    """Equal counts, fewer than without; test_pruning_can_begin_after_a_round_of_some_size tries the other options."""
    start = bf.SlidingTile("2 6 3 4 / 1 _ 7 8 / 5 10 12 15 / 9 13 14 11")
    plain = bf.solve(start, "idastar", "misplaced", engine="python")
    assert assert_twins(start, "idastar", "manhattan", prune=7).cost == plain.cost
    assert bf.solve(EIGHT, "idastar", "manhattan", prune=12, engine="python").cost == 31
    pruned, whole = (bf.solve(EIGHT, "idastar", "manhattan", prune=prune).stats.expanded for prune in (12, 0))
    assert pruned < whole


class Torus(bf.Problem):
    """An 8 x 8 one, with some steps that cost as much as their kind of number holds, and a step from corner to corner."""

    initial = 0

    def __init__(self, kind: Any) -> None:
        most = Decimal(100) if kind is Decimal else np.iinfo(kind).max
        self.costs = np.full((64, 2), kind(1), object if kind is Decimal else kind)
        self.costs[0, 0] = self.costs[8, 1] = most

    def successors(self, state: int) -> Any:
        row, column = divmod(state, 8)
        yield "down", (row + 1) % 8 * 8 + column, self.costs[state, 0]
        yield "right", row * 8 + (column + 1) % 8, self.costs[state, 1]
        if state == 0:
            yield "jump", 9, 3

    def is_goal(self, state: int) -> bool:
        return state == 9


@pytest.mark.parametrize("kind", [np.int8, np.int16, np.int64, Decimal])
def test_costs_of_any_kind_of_number_are_added_up_as_in_the_search(kind: Any) -> None:
    """Sums of NumPy's do not wrap."""
    costs = [bf.solve(Torus(kind), "idastar", "zero", prune=prune).cost for prune in (0, 2, 3)]
    assert costs == [2, 2, 2]


class Mix(bf.Domain):
    """Actions after which no two paths meet, so that strings take long to find."""

    class State(NamedTuple):
        number: int

    max_actions = 4
    unit_cost = True
    initial = State(1)

    def step(self, state: State, action: int) -> Any:
        return True, self.State((state.number * (2 * action + 3) + action * action + 7 * (action == 1)) % 1000000007), 1

    def is_goal(self, state: State) -> bool:
        return state.number == -5

    @bf.heuristic(admissible=True)
    def none(self, state: State) -> int:
        """0."""
        del state
        return 0


@pytest.mark.slow
def test_a_limit_on_seconds_that_passes_while_strings_are_found_only_stops_the_search(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """It can be run on."""
    monkeypatch.setattr("bestfirst.compiled.drivers.driver.PATIENCE", 0.5)
    search = bf.Search(Mix(), "idastar", "none", engine="compiled", prune=5, prune_from=200)
    search.run(bf.Limits(expansions=1))  # compiles
    for _ in range(2):
        stopped = search.run(bf.Limits(seconds=0.05))
        assert (stopped.status, stopped.limit, stopped.warnings) == ("limit", "seconds", [])
    assert search.run(bf.Limits(expansions=1_000)).limit == "expansions"


@pytest.mark.slow
@pytest.mark.parametrize("options", [{}, {"order": "f"}, {"threads": 2}])
def test_pruning_can_begin_after_a_round_of_some_size(options: dict[str, Any]) -> None:
    """Both engines begin in the same round; those before are as large as without pruning, those after it as with it."""
    late = assert_twins(EIGHT, "idastar", "manhattan", prune=7, prune_from=50, **options)
    never, always = (bf.solve(EIGHT, "idastar", "manhattan", prune=prune, **options) for prune in (0, 7))
    sizes = [[one.expanded for one in solution.stats.iterations] for solution in (never, late, always)]
    begins = next(number for number, size in enumerate(sizes[0]) if size >= 50) + 1
    assert 0 < begins < len(sizes[0])
    assert sizes[1] == sizes[0][:begins] + sizes[2][begins:]
    assert sum(sizes[1]) < sum(sizes[0])


def test_a_search_that_prunes_late_can_be_saved_before_and_after(tmp_path: Path) -> None:
    """What it prunes is not in the file: it follows from the rounds."""
    options: dict[str, Any] = {"engine": "compiled", "prune": 7, "prune_from": 50}
    whole = bf.solve(EIGHT, "idastar", "manhattan", **options)
    for expansions in (20, 500):
        search = bf.Search(EIGHT, "idastar", "manhattan", **options)
        search.run(bf.Limits(expansions=expansions))
        search.save(tmp_path / "saved")
        assert (
            bf.Search.load(tmp_path / "saved", unpickle=True).run(bf.Limits()).stats.expanded == whole.stats.expanded > 500
        )


def test_other_permutation_puzzles_are_pruned_too() -> None:
    """TopSpin and pancakes, whose actions are numbers."""
    ring, stack = bf.TopSpin("1 4 2 7 3 6 5", turnstile=3), bf.Pancake("5 3 1 6 2 4")
    for problem in (ring, stack):
        costs = [bf.solve(problem, "idastar", engine="python", prune=prune).cost for prune in (0, 3)]
        assert costs[0] == costs[1]
    assert_twins(stack, "idastar", prune=3)


@pytest.mark.parametrize(
    ("problem", "prune", "why"),
    [
        (NAMELESS, 2, "has the actions .'go', 'go'. in 0; pruning needs hashable and distinct actions"),
        (
            UNSTABLE,
            2,
            "has actions that are not equal to themselves, such as nan; pruning needs actions that can be compared",
        ),
        (
            bf.TopSpin("1 4 2 7 3 6 5 8 9 10 11 12"),
            9,
            "more than 1,000 operator sequences have 9 actions; use a smaller value of prune",
        ),
    ],
)
def test_what_cannot_be_pruned_is_refused(
    problem: bf.Problem, prune: int, why: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With the reason."""
    monkeypatch.setattr("bestfirst.search.operator_sequences.duplicates.MOST_STEPS", 1_000)
    with pytest.raises(bf.InputError, match=why):
        move_automaton(problem, prune)


@pytest.mark.parametrize(
    ("options", "why"),
    [
        ({"prune": -1}, "prune is -1; write the length of the longest operator sequences"),
        ({"prune": True}, "prune is True"),
        ({"prune": 10**20}, "sequences to prune, 1 .. 40, or 0"),
        ({"prune": 2, "prune_from": -1}, "prune_from is -1; use a number of expansions >= 0"),
        ({"prune_from": 5}, "prune_from needs prune"),
    ],
)
@pytest.mark.parametrize("engine", ["python", "compiled"])
def test_what_is_no_pruning_is_refused(options: dict[str, Any], why: str, engine: str) -> None:
    """By both engines."""
    with pytest.raises(bf.InputError, match=why):
        bf.solve(EIGHT, "idastar", "manhattan", engine=engine, **options)


@pytest.mark.parametrize("given", [5, {0}])
def test_representatives_that_are_no_list_are_refused(given: Any) -> None:
    """With what they should be."""
    problem = bf.SlidingTile("1 2 3 4 5 6 _ 7 8")
    problem.representatives = lambda: given  # type: ignore[method-assign]
    with pytest.raises(bf.InputError, match=r"the result of SlidingTile.representatives\(\) is"):
        move_automaton(problem, 2)


def test_a_cost_other_than_1_is_found_out() -> None:
    """The longer way can be the cheaper one then."""
    edges = {0: [("a", 3, 5), ("b", 1, 1)], 1: [("b", 2, 1)], 2: [("b", 3, 1)], 3: []}
    dear = bf.Problem.of(0, edges.__getitem__, lambda state: state == 3)
    dear.unit_cost = True
    with pytest.raises(bf.ProblemError, match="action 'a' in 0 costs 5, but unit_cost declares that every action costs 1"):
        move_automaton(dear, 4)

"""The automaton that prunes strings of actions, and IDA* with it in both engines."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import bestfirst as bf
from bestfirst.search.move_automaton import move_automaton
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


@settings(deadline=None, max_examples=10)
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
def test_a_small_space_needs_no_representatives(name: str) -> None:
    """All its states are looked at, be there inverse actions or not."""
    problem, longest = SMALL[name]
    assert problem.representatives() is None
    assert_shortest_paths_are_left(problem, longest)


def test_both_engines_prune_a_small_space_alike() -> None:
    """The towers of Hanoi on four pegs: the same cost, by fewer nodes."""
    tower = bf.TowersOfHanoi(4, pegs=4)
    pruned = assert_twins(tower, "idastar", "blocking", prune=3)
    whole = bf.solve(tower, "idastar", "blocking", engine="python")
    assert pruned.cost == whole.cost == 9
    assert pruned.stats.expanded < whole.stats.expanded


def assert_shortest_paths_are_left(puzzle: bf.Problem, longest: int) -> None:
    """By walking along all paths that the automaton lets through."""
    automaton = move_automaton(puzzle, longest)
    found = {puzzle.initial: 0}
    level = [(puzzle.initial, 0)]
    for depth in range(1, longest + 1):
        following = []
        for board, state in level:
            for action, after, _cost in puzzle.successors(board):
                if automaton.allows(state, action):
                    following.append((after, automaton.rows[state][automaton.names.index(action)]))
                    found.setdefault(after, depth)
        level = following
    expected = bf.enumerate_states(puzzle, engine="python").levels
    counts = [list(found.values()).count(depth) for depth in range(min(longest + 1, len(expected)))]
    assert counts == expected[: longest + 1]


def test_both_engines_prune_alike() -> None:
    """Equal counts, fewer than without, by one thread and by two; with orders of moves and of children."""
    puzzle = bf.SlidingTile("1 5 2 4 / 9 6 3 8 / 13 10 7 11 / _ 14 15 12", moves="RDLU")
    start = bf.SlidingTile("2 6 3 4 / 1 _ 7 8 / 5 10 12 15 / 9 13 14 11", puzzle.goal)
    plain = bf.solve(start, "idastar", "misplaced", engine="python")
    for options in ({}, {"order": "f"}, {"threads": 2}):
        assert assert_twins(start, "idastar", "manhattan", prune=7, **options).cost == plain.cost
    assert bf.solve(EIGHT, "idastar", "manhattan", prune=12, engine="python").cost == 31
    pruned, whole = (bf.solve(EIGHT, "idastar", "manhattan", prune=prune).stats.expanded for prune in (12, 0))
    assert pruned < whole


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
        (bf.TowersOfHanoi(6, pegs=4), 3, "does not define representatives.., and this one has more than 2,000 states"),
        (bf.GridMap("..", (0, 0), (1, 0)), 3, "does not say unit_cost = True"),
        (NAMELESS, 2, "has the actions .'go', 'go'. in 0; to prune, actions must be hashable, and those of a state differ"),
        (UNSTABLE, 2, "gives its actions other names each time, such as nan; to prune, an action must be equal to itself"),
        (EIGHT, -1, "prune is -1; write the length of the longest strings"),
        (EIGHT, True, "prune is True"),
        (EIGHT, 10**20, "actions to look at, 1 .. 40"),
        (bf.TopSpin("1 4 2 7 3 6 5 8 9 10 11 12"), 9, "more than 1,000 strings of 9 actions; give a smaller prune"),
    ],
)
def test_what_cannot_be_pruned_is_refused(
    problem: bf.Problem, prune: int, why: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With the reason."""
    monkeypatch.setattr("bestfirst.search.move_automaton.MOST_STEPS", 1_000)
    with pytest.raises(bf.InputError, match=why):
        move_automaton(problem, prune)


def test_a_cost_other_than_1_is_found_out() -> None:
    """The longer way can be the cheaper one then."""
    edges = {0: [("a", 3, 5), ("b", 1, 1)], 1: [("b", 2, 1)], 2: [("b", 3, 1)], 3: []}
    dear = bf.Problem.of(0, edges.__getitem__, lambda state: state == 3)
    dear.unit_cost = True
    with pytest.raises(bf.ProblemError, match="action 'a' in 0 costs 5, but unit_cost says that every action costs 1"):
        move_automaton(dear, 4)

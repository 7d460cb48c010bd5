"""The pancake puzzle."""

from __future__ import annotations

from math import factorial

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bestfirst.domains.pancake import Pancake
from bestfirst.errors import InputError
from bestfirst.solution import Status
from bestfirst.solve import solve
from profiles import examples
from spaces import distances_from

stacks = st.integers(1, 7).flatmap(lambda count: st.permutations(range(1, count + 1)))


@pytest.mark.parametrize(("count", "radius"), [(1, 0), (2, 1), (3, 3), (4, 4), (5, 5), (6, 7), (7, 8)])
def test_pancake_numbers(count: int, radius: int) -> None:
    """The farthest of all n! stacks is as far as the known pancake number says."""
    puzzle = Pancake(range(1, count + 1))
    distances = distances_from(puzzle, puzzle.goal)
    assert len(distances) == factorial(count)
    assert max(distances.values()) == radius


def test_the_farthest_stack_of_seven_takes_eight_flips() -> None:
    """The pancake number of 7 is 8, and this is one of the stacks that far away."""
    solution = solve(Pancake("6 2 4 1 7 3 5"))
    solution.verify()
    assert (solution.status, solution.cost) == (Status.OPTIMAL, 8)


@pytest.mark.parametrize(
    ("algorithm", "heuristic"),
    [
        ("astar", "gap"),
        ("idastar", "gap"),
        ("rbfs", "gap"),
        ("bidirectional-astar", "gap"),
        ("bidirectional-astar", "zero"),
        ("breadth-first", None),
    ],
)
@pytest.mark.parametrize("stack", ["1", "2 1", "3 1 4 2", "5 3 1 4 2", "1 2 3 4", "6 2 4 1 5 3"])
def test_the_fewest_flips_are_found(stack: str, algorithm: str, heuristic: str | None) -> None:
    """Every algorithm proves the distance in the whole space optimal."""
    puzzle = Pancake(stack)
    solution = solve(puzzle, algorithm, heuristic)
    solution.verify()
    assert solution.status is Status.OPTIMAL
    assert solution.cost == distances_from(puzzle, puzzle.goal)[puzzle.initial]


def test_a_flip_turns_over_the_top() -> None:
    """The successors of a stack, in order."""
    assert list(Pancake("3 1 4 2").successors((3, 1, 4, 2))) == [
        (2, (1, 3, 4, 2), 1),
        (3, (4, 1, 3, 2), 1),
        (4, (2, 4, 1, 3), 1),
    ]


@pytest.mark.parametrize("goal", ["1 2 3 4 5", "3 1 4 2 5", "5 4 3 2 1"])
def test_gap_is_admissible_and_consistent(goal: str) -> None:
    """On the whole space of five pancakes, for several goals."""
    puzzle = Pancake("1 2 3 4 5", goal)
    h = puzzle.heuristics()["gap"]
    assert h.admissible and h.consistent
    for state, distance in distances_from(puzzle, puzzle.goal).items():
        assert h(state) <= distance
        assert all(h(state) <= cost + h(after) for _, after, cost in puzzle.successors(state))


def test_gap_counts_the_plate() -> None:
    """The largest pancake away from the plate is a gap; the goal has none."""
    puzzle = Pancake("1 2 3 4")
    assert puzzle.gap((1, 2, 3, 4)) == 0
    assert puzzle.gap((4, 3, 2, 1)) == 1
    assert puzzle.gap((2, 4, 1, 3)) == 4


@examples(20)
@given(stacks)
def test_random_stacks(stack: list[int]) -> None:
    """A* with gap, IDA* and bidirectional A* agree with the search that knows nothing; every solution replays."""
    puzzle = Pancake(stack)
    costs = set()
    for algorithm, heuristic in (("astar", "gap"), ("idastar", "gap"), ("bidirectional-astar", "gap"), ("astar", "zero")):
        solution = solve(puzzle, algorithm, heuristic)
        solution.verify()
        costs.add(solution.cost)
    assert len(costs) == 1


@examples(40)
@given(stacks)
def test_the_backward_puzzle_is_the_puzzle_turned_round(stack: list[int]) -> None:
    """Backward successors are the actions that lead here; the backward heuristic never exceeds the way from the start."""
    puzzle = Pancake(stack)
    reverse = puzzle.backward()
    assert reverse.initial == puzzle.goal_state()
    assert reverse.is_goal(puzzle.initial)
    for action, previous, cost in reverse.successors(puzzle.initial):
        assert (action, puzzle.initial, cost) in puzzle.successors(previous)
    if len(stack) <= 5:
        assert all(reverse.gap(state) <= d for state, d in distances_from(puzzle, puzzle.initial).items())


@given(stacks)
def test_what_format_writes_can_be_read(stack: list[int]) -> None:
    """The round trip of a stack as start and as goal."""
    state = tuple(stack)
    text = Pancake(state).format(state)
    assert Pancake.from_text(text).initial == state
    assert Pancake.from_text(text, goal=text).goal == state
    assert Pancake.from_text(text.replace(" ", ", ")).initial == state


def test_a_stack_is_drawn_from_the_side() -> None:
    """Each pancake on its own line, centred."""
    puzzle = Pancake("3 1 2")
    assert puzzle.draw((3, 1, 2)) == "=====\n  =\n ==="
    assert puzzle.format_action(2) == "flip the top 2"


@pytest.mark.parametrize(
    ("stack", "goal", "words"),
    [
        ("", None, "the stack is empty"),
        ([], None, "the stack is empty"),
        ("3 1 x", None, "the stack is '3 1 x'"),
        ("3 1 -2", None, "write each of the sizes 1 .. n once"),
        ([1, 2.0], None, "the stack is [1, 2.0]"),
        (3, None, "the stack is 3"),
        ("3 1 1", None, "none of size 2"),
        ("0 1 2", None, "none of size 3"),
        ("1 2 4", None, "none of size 3"),
        ("3 1 2", "2 1", "has 2 pancakes, but the stack has 3"),
        ("3 1 2", "2 2 1", "the goal '2 2 1'"),
    ],
)
def test_bad_input_is_refused(stack: str, goal: str | None, words: str) -> None:
    """Each message names what is wrong."""
    with pytest.raises(InputError) as error:
        Pancake(stack, goal)
    assert words in str(error.value)

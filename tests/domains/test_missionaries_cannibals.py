"""The missionaries and cannibals puzzle."""

from __future__ import annotations

from math import inf

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bestfirst.domains.missionaries_cannibals import MissionariesCannibals
from bestfirst.errors import InputError
from bestfirst.solution import Status
from bestfirst.solve import solve
from profiles import examples
from spaces import true_distances


@st.composite
def puzzles(draw: st.DrawFn) -> MissionariesCannibals:
    """Any few people who are safe at the start, with any boat."""
    missionaries = draw(st.integers(0, 6))
    cannibals = draw(st.integers(0 if missionaries else 1, missionaries or 6))
    return MissionariesCannibals(missionaries, cannibals, draw(st.integers(1, 5)))


OPTIMA = [
    ((1, 1), 2, 1),
    ((2, 2), 2, 5),
    ((3, 3), 2, 11),
    ((3, 2), 2, 7),
    ((4, 4), 3, 9),
    ((5, 5), 3, 11),
    ((6, 6), 4, 9),
    ((0, 4), 2, 5),
]
"""(missionaries, cannibals), places in the boat, fewest crossings"""


@pytest.mark.parametrize(("people", "boat", "optimum"), OPTIMA)
@pytest.mark.parametrize(
    ("algorithm", "heuristic"),
    [
        ("astar", "crossings"),
        ("astar", "zero"),
        ("rbfs", "crossings"),
        ("bidirectional-astar", "crossings"),
        ("bidirectional-astar", "zero"),
        ("breadth-first", None),
    ],
)
def test_the_fewest_crossings_are_found(
    people: tuple[int, int], boat: int, optimum: int, algorithm: str, heuristic: str | None
) -> None:
    """Known optima, the classic 11 among them, by every algorithm."""
    solution = solve(MissionariesCannibals(*people, boat), algorithm, heuristic)
    solution.verify()
    assert (solution.status, solution.cost) == (Status.OPTIMAL, optimum)


def test_idastar_solves_the_classic_puzzle() -> None:
    """IDA* finds 11 crossings too."""
    solution = solve(MissionariesCannibals(), "idastar")
    solution.verify()
    assert solution.cost == 11


@pytest.mark.parametrize(("count", "boat"), [(4, 2), (5, 2), (6, 3)])
@pytest.mark.parametrize("algorithm", ["astar", "breadth-first", "bidirectional-astar"])
def test_too_small_a_boat_is_found_by_search(count: int, boat: int, algorithm: str) -> None:
    """Four and four with a boat for two cannot cross, nor six and six with a boat for three."""
    puzzle = MissionariesCannibals(count, count, boat)
    assert puzzle.unsolvable() is None
    solution = solve(puzzle, algorithm)
    assert solution.status is Status.UNSOLVABLE
    assert solution.stats.expanded > 0


def test_a_boat_for_one_is_refused_with_a_reason() -> None:
    """No search is needed to see that nobody can follow; one person alone crosses."""
    solution = solve(MissionariesCannibals(3, 3, 1))
    assert solution.status is Status.UNSOLVABLE
    assert solution.reason is not None and "nobody can follow" in solution.reason
    assert solution.stats.expanded == 0
    assert solve(MissionariesCannibals(1, 0, 1)).actions == ["M"]


def test_only_safe_crossings_are_offered_in_order() -> None:
    """From the start of the classic puzzle three of the five groups can cross."""
    puzzle = MissionariesCannibals()
    assert list(puzzle.successors((3, 3, 1))) == [("C", (3, 2, 0), 1), ("CC", (3, 1, 0), 1), ("MC", (2, 2, 0), 1)]
    assert list(puzzle.successors((3, 1, 0))) == [("C", (3, 2, 1), 1), ("CC", (3, 3, 1), 1)]


def test_the_rule_does_not_look_into_the_boat() -> None:
    """A missionary may share the boat with two cannibals, as long as both banks are safe when they land."""
    puzzle = MissionariesCannibals(3, 3, 3)
    assert ("MCC", (3, 3, 1), 1) in list(puzzle.successors((2, 1, 0)))


@examples(60)
@given(puzzles())
def test_nobody_is_eaten_and_crossings_can_be_undone(puzzle: MissionariesCannibals) -> None:
    """In every reachable state both banks are safe, and the same group can go back."""
    for state in true_distances(puzzle):
        missionaries, cannibals, _ = state
        away = puzzle.missionaries - missionaries
        assert missionaries == 0 or missionaries >= cannibals
        assert away == 0 or away >= puzzle.cannibals - cannibals
        for action, after, cost in puzzle.successors(state):
            assert 1 <= len(action) <= puzzle.boat and cost == 1
            assert (action, state, 1) in list(puzzle.successors(after))


@examples(60)
@given(puzzles())
def test_crossings_is_admissible_and_consistent(puzzle: MissionariesCannibals) -> None:
    """On the whole space of random puzzles, forward and backward."""
    for problem in (puzzle, puzzle.backward()):
        h = problem.heuristics()["crossings"]
        assert h.admissible and h.consistent
        distances = true_distances(problem)
        for state, distance in distances.items():
            assert h(state) <= distance
            assert all(h(state) <= cost + h(after) for _, after, cost in problem.successors(state))


def test_crossings_is_the_distance_when_nobody_is_eaten() -> None:
    """With cannibals alone the estimate is exact."""
    for boat in (2, 3, 4):
        puzzle = MissionariesCannibals(0, 9, boat)
        assert all(puzzle.crossings(state) == distance for state, distance in true_distances(puzzle).items())


@examples(60)
@given(puzzles())
def test_random_puzzles(puzzle: MissionariesCannibals) -> None:
    """A* and bidirectional A* agree with the whole space, also where there is no solution."""
    distance = true_distances(puzzle)[puzzle.initial]
    for algorithm in ("astar", "bidirectional-astar"):
        solution = solve(puzzle, algorithm)
        solution.verify()
        assert solution.status is (Status.UNSOLVABLE if distance == inf else Status.OPTIMAL)
        assert solution.cost == (None if distance == inf else distance)


@examples(30)
@given(puzzles())
def test_the_backward_puzzle_is_the_puzzle_turned_round(puzzle: MissionariesCannibals) -> None:
    """Backward successors are the actions that lead here."""
    reverse = puzzle.backward()
    assert reverse.initial == puzzle.goal_state() and reverse.is_goal(puzzle.initial)
    for state in true_distances(puzzle):
        for action, previous, cost in reverse.successors(state):
            assert (action, state, cost) in list(puzzle.successors(previous))


def test_states_are_written_for_people() -> None:
    """On one line, for a trace, and as a picture."""
    puzzle = MissionariesCannibals()
    assert puzzle.format((3, 3, 1)) == "3M 3C boat | 0M 0C"
    assert puzzle.format((3, 1, 0)) == "3M 1C | boat 0M 2C"
    assert puzzle.label((3, 1, 0)) == "3,1,0"
    assert puzzle.draw((3, 3, 1)) == "MMM CCC |boat ~~~~|"
    assert puzzle.draw((3, 1, 0)) == "MMM C   |~~~~ boat| CC"
    assert puzzle.draw((0, 0, 0)) == "        |~~~~ boat| MMM CCC"
    assert puzzle.draw((0, 2, 1)) == "CC      |boat ~~~~| MMM C"


@pytest.mark.parametrize(
    ("action", "words"),
    [
        ("M", "1 missionary crosses"),
        ("CC", "2 cannibals cross"),
        ("MC", "1 missionary and 1 cannibal cross"),
        ("MMC", "2 missionaries and 1 cannibal cross"),
    ],
)
def test_actions_are_written_in_words(action: str, words: str) -> None:
    """Who crosses, with the right number."""
    assert MissionariesCannibals().format_action(action) == words


def test_from_text_takes_two_numbers_or_one_for_both() -> None:
    """The boat carries two unless told."""
    for text, boat, initial, places in (("3 3", "2", (3, 3, 1), 2), ("4", None, (4, 4, 1), 2), ("4, 2", "3", (4, 2, 1), 3)):
        puzzle = MissionariesCannibals.from_text(text, boat=boat)
        assert (puzzle.initial, puzzle.boat) == (initial, places)
    assert MissionariesCannibals.name() == "missionaries-cannibals"


@pytest.mark.parametrize(
    ("text", "boat", "words"),
    [
        ("", None, "write two numbers such as 3 3"),
        ("3 3 3", None, "missionaries and cannibals are '3 3 3'"),
        ("x 3", None, "number of missionaries is 'x'"),
        ("3 -3", None, "number of cannibals is '-3'"),
        ("3 3", "two", "places in the boat is 'two'"),
        ("3 3", "0", "the capacity of the boat is 0"),
        ("0", None, "nobody has to cross"),
        ("2 3", None, "3 cannibals outnumber 2 missionaries"),
    ],
)
def test_bad_input_is_refused(text: str, boat: str | None, words: str) -> None:
    """Each message names what is wrong."""
    with pytest.raises(InputError) as error:
        MissionariesCannibals.from_text(text, boat=boat)
    assert words in str(error.value)


@pytest.mark.parametrize(
    ("numbers", "word"), [("9223372036854775807 1", "people"), ("1000000 1", "people"), ("500000 400000 500000", "groups")]
)
def test_more_people_than_a_search_can_take_are_refused(numbers: str, word: str) -> None:
    """At once, however large the numbers are."""
    with pytest.raises(InputError, match=word):
        MissionariesCannibals(*numbers.split())

"""The water-jugs puzzle."""

from __future__ import annotations

from math import inf
from xml.etree import ElementTree as ET

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bestfirst.domains.water_jugs import WaterJugs
from bestfirst.errors import InputError
from bestfirst.pictured import svg_of
from bestfirst.solution import Status
from bestfirst.solve import solve
from profiles import examples
from spaces import true_distances


@pytest.mark.parametrize(
    ("capacities", "target", "optimum"),
    [
        ("5 3", 4, 6),
        ("4 3", 2, 4),
        ("3 5", 1, 4),
        ("9 4", 6, 8),
        ("7", 7, 1),
        ("7", 0, 0),
        ("12 8 5", 6, None),
        ("6 6", 6, 1),
    ],
)
@pytest.mark.parametrize(
    ("algorithm", "heuristic"),
    [("astar", "lookahead"), ("idastar", "lookahead"), ("rbfs", "lookahead"), ("breadth-first", None)],
)
def test_the_fewest_actions_are_found(
    capacities: str, target: int, optimum: int | None, algorithm: str, heuristic: str | None
) -> None:
    """Known optima come out, and every algorithm agrees with the whole space."""
    puzzle = WaterJugs(capacities, target)
    solution = solve(puzzle, algorithm, heuristic)
    solution.verify()
    assert solution.status is Status.OPTIMAL
    assert solution.cost == true_distances(puzzle)[puzzle.initial]
    assert optimum is None or solution.cost == optimum


def test_die_hard() -> None:
    """Four litres with jugs of five and three: the only way in six actions."""
    actions = ["fill 5", "pour 5 into 3", "empty 3", "pour 5 into 3", "fill 5", "pour 5 into 3"]
    solution = solve(WaterJugs("5 3", 4))
    assert solution.actions == actions
    assert solution.states == [(0, 0), (5, 0), (2, 3), (2, 0), (0, 2), (5, 2), (4, 3)]


def test_actions_are_tried_in_the_order_fill_empty_pour() -> None:
    """Successors come in the documented order, and none leaves the amounts as they are."""
    successors = list(WaterJugs("5 3", 4).successors((2, 3)))
    assert successors == [
        ("fill 5", (5, 3), 1),
        ("empty 5", (0, 3), 1),
        ("empty 3", (2, 0), 1),
        ("pour 3 into 5", (5, 0), 1),
    ]


def test_jugs_of_equal_size_have_letters() -> None:
    """Where two jugs hold as much, letters keep their actions apart."""
    puzzle = WaterJugs("5 3 5", 1)
    assert puzzle.jugs == ("5a", "3", "5b")
    assert [action for action, _, _ in puzzle.successors((5, 0, 0))] == [
        "fill 3",
        "fill 5b",
        "empty 5a",
        "pour 5a into 3",
        "pour 5a into 5b",
    ]


@examples(60)
@given(st.data())
def test_actions_of_a_state_have_different_names_and_keep_within_the_jugs(data: st.DataObject) -> None:
    """In any state of any jugs: no action twice, nothing unchanged, no amount below 0 or above the capacity."""
    capacities = data.draw(st.lists(st.integers(1, 6), min_size=1, max_size=5))
    amounts = tuple(data.draw(st.integers(0, capacity)) for capacity in capacities)
    puzzle = WaterJugs(capacities, 1)
    successors = list(puzzle.successors(amounts))
    assert len({action for action, _, _ in successors}) == len(successors)
    for action, after, cost in successors:
        assert cost == 1 and after != amounts
        assert all(0 <= amount <= capacity for amount, capacity in zip(after, capacities, strict=True))
        if action.startswith("pour"):
            assert sum(after) == sum(amounts)


@examples(80)
@given(st.lists(st.integers(1, 7), min_size=1, max_size=3), st.integers(0, 8))
def test_from_empty_jugs_unsolvable_is_the_whole_truth(capacities: list[int], target: int) -> None:
    """A reason is given exactly where exhaustive search finds no goal."""
    puzzle = WaterJugs(capacities, target)
    assert (puzzle.unsolvable() is not None) == (true_distances(puzzle)[puzzle.initial] == inf)


@examples(80)
@given(st.data())
def test_from_any_start_unsolvable_is_never_wrong(data: st.DataObject) -> None:
    """Where a reason is given, exhaustive search finds no goal; where none is given, A* decides as it does."""
    capacities = data.draw(st.lists(st.integers(1, 6), min_size=1, max_size=3))
    start = [data.draw(st.integers(0, capacity)) for capacity in capacities]
    puzzle = WaterJugs(capacities, data.draw(st.integers(0, 7)), start)
    distance = true_distances(puzzle)[puzzle.initial]
    assert puzzle.unsolvable() is None or distance == inf
    solution = solve(puzzle)
    solution.verify()
    assert solution.status is (Status.UNSOLVABLE if distance == inf else Status.OPTIMAL)
    assert solution.cost == (None if distance == inf else distance)


@pytest.mark.parametrize(
    ("puzzle", "words"),
    [
        (WaterJugs("5 3", 6), "largest holds 5"),
        (WaterJugs("6 4", 3), "2 divides all capacities, and thus"),
        (WaterJugs("9 6", 4, "3 3"), "3 divides all capacities and all amounts at the start"),
    ],
)
def test_the_reason_is_given_without_a_search(puzzle: WaterJugs, words: str) -> None:
    """Size and divisibility each have their own sentence."""
    solution = solve(puzzle)
    assert solution.status is Status.UNSOLVABLE
    assert solution.reason is not None and words in solution.reason
    assert solution.stats.expanded == 0


def test_what_divisibility_cannot_see_is_found_by_search() -> None:
    """With 1 in one of two jugs of 4 there is never 2, though nothing but 1 divides all amounts."""
    puzzle = WaterJugs("4 4", 2, "1 0")
    assert puzzle.unsolvable() is None
    assert solve(puzzle).status is Status.UNSOLVABLE


@pytest.mark.parametrize(
    "puzzle",
    [WaterJugs("5 3", 4), WaterJugs("7 4 2", 5), WaterJugs("3 3", 2), WaterJugs("6 4", 5, "1 0"), WaterJugs("5 5 3", 0)],
    ids=lambda puzzle: f"{puzzle.format(puzzle.capacities)} to {puzzle.target}",
)
def test_lookahead_is_admissible_and_consistent(puzzle: WaterJugs) -> None:
    """On the whole space it is the distance cut off at 2, and never falls by more than the cost along an edge."""
    h = puzzle.heuristics()["lookahead"]
    assert h.admissible and h.consistent
    distances = true_distances(puzzle)
    assert all(h(state) == min(distance, 2) for state, distance in distances.items())
    assert all(h(state) <= cost + h(after) for state in distances for _, after, cost in puzzle.successors(state))


def test_states_can_be_read_back_as_a_start() -> None:
    """What format writes, the start option reads."""
    puzzle = WaterJugs.from_text("8, 5 3", goal="4", start="8 0 0")
    assert (puzzle.capacities, puzzle.target, puzzle.initial) == ((8, 5, 3), 4, (8, 0, 0))
    for state in [(0, 5, 3), (8, 0, 0)]:
        assert WaterJugs.from_text("8 5 3", goal="4", start=puzzle.format(state)).initial == state


def test_jugs_are_drawn_to_scale() -> None:
    """A line for each jug shows water, room and amount; large jugs are scaled down."""
    assert WaterJugs("5 3", 4).draw((2, 3)) == "5 [##...] 2\n3 [###] 3"
    assert WaterJugs("10 10 5", 4).draw((0, 10, 1)) == "10a [..........] 0\n10b [##########] 10\n  5 [#....] 1"
    lines = WaterJugs("1000 250", 5).draw((500, 250)).splitlines()
    assert lines == [f"1000 [{'#' * 20}{'.' * 20}] 500", f" 250 [{'#' * 10}] 250"]


@pytest.mark.parametrize(
    ("capacities", "target", "initial", "words"),
    [
        ("", 4, None, "0 capacities are given"),
        ("1 " * 27, 1, None, "27 capacities are given"),
        ("5 x", 4, None, "capacities is '5 x'"),
        ("5 -3", 4, None, "capacities is '5 -3'"),
        ([5, 2.5], 4, None, "whole numbers"),
        (5, 4, None, "capacities is 5"),
        ("5 0", 4, None, "must be at least 1"),
        ("5 3", "four", None, "the goal is 'four'"),
        ("5 3", -1, None, "the goal is -1"),
        ("5 3", 4, "1", "has 1 amount"),
        ("5 3", 4, "1 2 3", "each of the 2 jugs"),
        ("5 3", 4, "0 4", "has 4 in a jug that holds 3"),
        ("5 3", 4, "a b", "start is 'a b'"),
    ],
)
def test_bad_input_is_refused(capacities: str, target: int, initial: str | None, words: str) -> None:
    """Each message names what is wrong."""
    with pytest.raises(InputError) as error:
        WaterJugs(capacities, target, initial)
    assert words in str(error.value)


def test_the_picture_shows_each_jug_and_its_water_to_scale() -> None:
    """The heights are to each other as the amounts and the capacities, however large these are."""
    for unit in (1, 10**400):
        svg = svg_of(WaterJugs((5 * unit, 3 * unit), 4 * unit), (2 * unit, 3 * unit))
        assert svg is not None
        heights = [float(rect.attrib["height"]) for rect in ET.fromstring(svg.text).iter("{http://www.w3.org/2000/svg}rect")]
        assert [round(height * 5 / 3, 6) for height in heights] == [2, 5, 3, 3]

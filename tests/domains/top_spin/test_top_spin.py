"""TopSpin."""

from __future__ import annotations

from itertools import permutations
from math import factorial

import pytest
from hypothesis import given
from hypothesis import strategies as st

import bestfirst as bf
from members import assert_compiled_ranks_agree, assert_members_hold, states_on_a_walk
from profiles import examples
from spaces import distances_from
from twins import assert_twins

rings = st.integers(3, 16).flatmap(lambda count: st.permutations(range(1, count + 1)))


def from_one(ring: list[int]) -> tuple[int, ...]:
    """The ring read from token 1."""
    start = ring.index(1)
    return (*ring[start:], *ring[:start])


@examples(60)
@given(rings, st.data())
def test_an_action_turns_the_tokens_from_a_place_on(ring: list[int], data: st.DataObject) -> None:
    """As on a list that is moved round until the place is first, and whose first tokens are reversed."""
    turnstile = data.draw(st.integers(2, len(ring)))
    puzzle = bf.TopSpin(ring, turnstile=turnstile)
    tokens = list(from_one(ring))
    assert puzzle.ring(puzzle.initial) == tuple(tokens)
    for action, state, cost in puzzle.successors(puzzle.initial):
        moved = tokens[action - 1 :] + tokens[: action - 1]
        assert puzzle.ring(state) == from_one(moved[:turnstile][::-1] + moved[turnstile:])
        assert cost == 1


@examples(40)
@given(rings, st.lists(st.integers(0, 15), max_size=8), st.data())
def test_the_optional_members_hold(ring: list[int], choices: list[int], data: st.DataObject) -> None:
    """bits, inverse, and, up to 12 tokens, rank and unrank."""
    puzzle = bf.TopSpin(ring, turnstile=data.draw(st.integers(2, len(ring))))
    assert puzzle.defines("rank") == puzzle.defines("unrank") == (len(ring) <= 12)
    assert_members_hold(puzzle, states_on_a_walk(puzzle, choices))


def test_the_rank_numbers_all_rings() -> None:
    """Those of six tokens, and in compiled code some of twelve."""
    puzzle = bf.TopSpin("1 2 3 4 5 6")
    assert {puzzle.rank(puzzle.unrank(number)) for number in range(puzzle.size)} == set(range(120))
    assert sorted(puzzle.rank(state) for state in distances_from(puzzle, puzzle.initial)) == list(range(120))
    twelve = bf.TopSpin(range(1, 13))
    assert twelve.size == factorial(11)
    assert_compiled_ranks_agree(twelve, [*range(0, twelve.size, 3_000_017), twelve.size - 1])


@pytest.mark.slow
@pytest.mark.parametrize(("count", "most"), [(3, 3), (4, 4), (5, 5), (6, 6), (7, 7)])
def test_unsolvable_is_the_whole_truth_in_small_rings(count: int, most: int) -> None:
    """For each turnstile it agrees with exhaustive search, and gives one of three reasons."""
    reasons = ("reverse the whole ring", "distance between two tokens is even or odd", "parity")
    for turnstile in range(2, most + 1):
        start = bf.TopSpin(range(1, count + 1), turnstile=turnstile)
        reached = distances_from(start, start.initial)
        for rest in permutations(range(2, count + 1)):
            puzzle = bf.TopSpin((1, *rest), turnstile=turnstile)
            reason = puzzle.unsolvable()
            assert (reason is None) == (puzzle.initial in reached)
            assert reason is None or any(words in reason for words in reasons)


@pytest.mark.parametrize(
    ("count", "turnstile", "layers"),
    [
        (6, 2, [1, 6, 21, 44, 41, 6, 1]),
        (6, 3, [1, 6, 5]),
        (6, 4, [1, 6, 21, 56, 33, 3]),
        (7, 4, [1, 7, 28, 77, 154, 91, 2]),
        (8, 4, [1, 8, 25, 68, 192, 528, 1234, 1808, 1144, 32]),
    ],
)
def test_whole_spaces(count: int, turnstile: int, layers: list[int]) -> None:
    """How many rings are how far from order; gap never exceeds that, and falls by at most 1 along an action.

    (n - 1)! rings where n and k are even; half of them where n is odd and k // 2 even. Source: Chen & Skiena 1996.
    """
    puzzle = bf.TopSpin(range(1, count + 1), turnstile=turnstile)
    distances = distances_from(puzzle, puzzle.initial)
    counts = list(distances.values())
    assert [counts.count(distance) for distance in range(max(counts) + 1)] == layers
    estimates = {state: puzzle.gap(state) for state in distances}
    assert estimates[puzzle.initial] == 0
    for state, distance in distances.items():
        assert estimates[state] <= distance
        assert all(estimates[state] <= 1 + estimates[after] for _, after, _ in puzzle.successors(state))


def test_gap_counts_neighbours_of_the_goal_in_the_ring() -> None:
    """The last token is next to the first; a turned ring has no gap; the goal says who are neighbours."""
    assert bf.TopSpin("8 7 6 5 4 3 2 1").gap(bf.TopSpin("8 7 6 5 4 3 2 1").initial) == 0
    puzzle = bf.TopSpin("1 2 6 5 4 3 7 8")
    assert puzzle.gap(puzzle.initial) == 1
    other = bf.TopSpin("1 3 5 7 2 4 6 8", goal="5 7 2 4 6 8 1 3")
    assert other.is_goal(other.initial) and other.gap(other.initial) == 0


@pytest.mark.parametrize("algorithm", ["astar", "idastar", "bidirectional-astar", "breadth-first"])
@examples(5)
@given(st.permutations(range(1, 7)), st.permutations(range(1, 7)))
def test_the_fewest_turns_are_found(algorithm: str, ring: list[int], goal: list[int]) -> None:
    """Every algorithm proves the distance in the whole space optimal."""
    puzzle = bf.TopSpin(ring, goal)
    solution = bf.solve(puzzle, algorithm)
    solution.verify()
    assert (solution.status, solution.cost) == ("optimal", distances_from(puzzle, puzzle.initial)[puzzle.goal_state()])


@examples(20)
@given(rings, st.data())
def test_the_backward_puzzle_is_the_puzzle_turned_round(ring: list[int], data: st.DataObject) -> None:
    """Backward successors are the actions that lead here."""
    puzzle = bf.TopSpin(ring, turnstile=data.draw(st.integers(2, len(ring))))
    reverse = puzzle.backward()
    assert reverse.initial == puzzle.goal_state() and reverse.is_goal(puzzle.initial)
    for action, previous, cost in reverse.successors(puzzle.initial):
        assert (action, puzzle.initial, cost) in puzzle.successors(previous)


@examples(8)
@given(st.lists(st.integers(0, 15), max_size=4))
def test_the_engines_are_twins(choices: list[int]) -> None:
    """On rings a few turns from their goal."""
    ordered = bf.TopSpin(range(1, 14), turnstile=5)
    assert_twins(bf.TopSpin(ordered.ring(states_on_a_walk(ordered, choices)[-1]), turnstile=5), "idastar")


def test_no_fault_is_found() -> None:
    """By check, on the largest ring."""
    report = bf.check(bf.TopSpin([*range(1, 17)][::-1]), states=50)
    assert report.ok and report.compiled, str(report)


def test_a_ring_is_written_and_drawn() -> None:
    """From token 1, on one line; on two, clockwise from the top left."""
    puzzle = bf.TopSpin.from_text("3, 2, 7, 1, 4, 5, 6", goal="2 3 4 5 6 7 1", turnstile="3")
    assert puzzle.format(puzzle.initial) == "1 4 5 6 3 2 7"
    assert puzzle.draw(puzzle.initial) == " 1  4  5  6\n    7  2  3"
    assert puzzle.turnstile == 3 and puzzle.format(puzzle.goal_state()) == "1 2 3 4 5 6 7"
    assert puzzle.format_action(2) == "reverse 3 tokens from place 2 on"


@pytest.mark.parametrize(
    ("ring", "options", "words"),
    [
        ("", {}, "has 0 tokens; a ring has 3 .. 16"),
        ("1", {}, "has 1 token; a ring has 3 .. 16"),
        ("1 2", {}, "has 2 tokens; a ring has 3 .. 16"),
        (range(1, 18), {}, "has 17 tokens; a ring has 3 .. 16"),
        ("1 2 x", {}, "the ring is '1 2 x'; write each of the tokens 1 .. n once"),
        (7, {}, "the ring is 7"),
        ("1 2 2 4", {}, "has 4 tokens, but token 3 is missing"),
        ("1 2 3 4", {"goal": "1 2 3"}, "has 3 tokens, but the ring has 4"),
        ("1 2 3", {}, "the turnstile is 4; write how many of the 3 tokens the turnstile reverses, 2 .. 3"),
        ("1 2 3 4", {"turnstile": "x"}, "the turnstile is 'x'"),
        ("1 2 3 4", {"turnstile": 1}, "the turnstile is 1"),
    ],
)
def test_bad_input_is_refused(ring: str, options: dict[str, str], words: str) -> None:
    """Each message names what is wrong."""
    with pytest.raises(bf.InputError) as error:
        bf.TopSpin(ring, **options)
    assert words in str(error.value)

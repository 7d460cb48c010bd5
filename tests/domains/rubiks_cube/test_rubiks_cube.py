"""Rubik's cube, and its abstractions."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import bestfirst as bf
from bestfirst.domains.rubiks_cube.abstract import CubeCorners, CubeEdges
from bestfirst.search.operator_sequences.automaton import FORBIDDEN, move_automaton
from members import assert_members_hold, states_on_a_walk
from profiles import examples
from twins import assert_twins

SOLVED = bf.RubiksCube("U U'")
TURNS = list(SOLVED.actions)
scrambles = st.lists(st.sampled_from(TURNS), min_size=1, max_size=12).map(" ".join)
walks = st.lists(st.integers(0, 17), max_size=10)
SUPERFLIP = "U R2 F B R B2 R U2 L B2 R U' D' R2 F R' L B2 U2 F2"


def test_the_known_numbers_of_cubes_at_each_distance() -> None:
    """Of turns of faces, half turns among them: 1, 18, 243, 3240 (cube20.org); projections never exceeds the distance."""
    layers = [{SOLVED.initial}]
    for _ in range(3):
        following = {after for state in layers[-1] for _, after, _ in SOLVED.successors(state)}
        layers.append(following.difference(*layers[-2:]))
    assert [len(layer) for layer in layers] == [1, 18, 243, 3240]
    assert all(SOLVED.projections(state) <= distance for distance, layer in enumerate(layers) for state in layer)


@pytest.mark.parametrize(
    ("turns", "facelets"),
    [
        ("U U'", "UUUUUUUUU RRRRRRRRR FFFFFFFFF DDDDDDDDD LLLLLLLLL BBBBBBBBB"),
        ("R", "UUFUUFUUF RRRRRRRRR FFDFFDFFD DDBDDBDDB LLLLLLLLL UBBUBBUBB"),
        ("U", "UUUUUUUUU BBBRRRRRR RRRFFFFFF DDDDDDDDD FFFLLLLLL LLLBBBBBB"),
        (SUPERFLIP, "UBULURUFU RURFRBRDR FUFLFRFDF DFDLDRDBD LULBLFLDL BUBRBLBDB"),
    ],
)
def test_turns_do_what_they_do_to_a_cube_in_the_hand(turns: str, facelets: str) -> None:
    """Single turns worked out by hand; and the superflip, in which each edge is in its place and flipped."""
    cube = bf.RubiksCube(turns)
    assert cube.format(cube.initial) == facelets
    assert bf.RubiksCube(facelets).initial == bf.RubiksCube(facelets.replace(" ", "")).initial == cube.initial


@pytest.mark.parametrize(
    ("turns", "same"),
    [("R U R' U' " * 6, "U U'"), ("R R", "R2"), ("R2 R", "R'"), ("R R\u2019", "U U'"), ("U D", "D U")],
)
def test_sequences_of_turns_that_make_the_same_cube(turns: str, same: str) -> None:
    """The commutator of R and U has order 6; turns of opposite faces commute."""
    assert bf.RubiksCube(turns).initial == bf.RubiksCube(same).initial


@examples(15)
@given(walks)
def test_the_turns_of_a_walk_make_its_states(steps: list[int]) -> None:
    """The tables of turns agree with turning the facelets, which can be read again; h changes by at most 1."""
    states = states_on_a_walk(SOLVED, steps)
    for made, state in enumerate(states):
        turns = " ".join(["U", "U'", *(TURNS[step] for step in steps[:made])])
        assert bf.RubiksCube(turns).initial == state == bf.RubiksCube.from_text(SOLVED.format(state)).initial
    assert_members_hold(SOLVED, states)
    assert all(abs(one - other) <= 1 for one, other in pairwise(map(SOLVED.projections, states)))


@examples(10)
@given(scrambles, scrambles)
def test_what_is_asked_is_only_how_one_cube_becomes_another(turns: str, others: str) -> None:
    """The same turns before start and goal, as seen from the goal, change nothing; the backward cube goes the other way."""
    cube = bf.RubiksCube(turns, goal=bf.RubiksCube(others).format(bf.RubiksCube(others).initial))
    assert cube.goal_state() == bf.RubiksCube(others).initial
    reverse = cube.backward()
    assert reverse.initial == cube.goal_state() and reverse.is_goal(cube.initial)
    for action, previous, cost in reverse.successors(cube.initial):
        assert (action, cube.initial, cost) in cube.successors(previous)


def test_a_scramble_is_solved_in_the_fewest_turns_by_both_engines() -> None:
    """They are twins; the solution of five turns is those of the scramble taken back."""
    cube = bf.RubiksCube("R U2 F' D L")
    solution = bf.solve(cube, "idastar", engine="compiled")
    solution.verify()
    assert (solution.status, solution.actions) == ("optimal", ["L'", "D'", "F", "U2", "R'"])
    assert_twins(cube, "idastar", "projections")


def _with(facelets: str, exchanged: dict[int, int]) -> str:
    letters = list(facelets.replace(" ", ""))
    before = letters.copy()
    for to, start in exchanged.items():
        letters[to] = before[start]
    return "".join(letters)


PLAIN = SOLVED.format(SOLVED.initial)


@pytest.mark.parametrize(
    ("given", "says"),
    [
        ("", "write turns such as"),
        ("R3", "write turns such as"),
        (PLAIN[:-1], "write turns such as"),
        (PLAIN.replace("B", "U"), "colour U on 18 of the facelets"),
        (_with(PLAIN, {4: 5, 5: 4, 13: 4, 14: 13}), "has colour|two centres"),
        (_with(PLAIN, {5: 10, 10: 5}), "odd number of flipped edges"),
        (_with(PLAIN, {8: 9, 9: 20, 20: 8}), "twisted by 1/3|twisted by 2/3"),
        (_with(PLAIN, {5: 7, 7: 5, 10: 19, 19: 10}), "an odd number of swaps of two pieces"),
        (_with(PLAIN, {5: 28, 28: 5}), "the edge DR 2 times, but the edge UR not at all"),
        (_with(PLAIN, {10: 28, 28: 10}), "the colours UD, at UR, but no edge has them"),
    ],
)
def test_a_cube_that_turns_cannot_make_is_refused_with_the_reason(given: str, says: str) -> None:
    """What is wrong is said: facelets that are none, pieces that are none, and what turns never change."""
    with pytest.raises(bf.InputError, match=says):
        bf.RubiksCube(given)


@pytest.mark.parametrize("abstract", [CubeCorners(SOLVED), CubeEdges(SOLVED, range(6)), CubeEdges(SOLVED, (11, 0, 7))])
@examples(20)
@given(steps=walks, part=st.floats(0, 1, exclude_max=True))
def test_an_abstract_cube_follows_the_cube(abstract: Any, steps: list[int], part: float) -> None:
    """It is at each step the abstraction of the cube; its numbers are those of its states."""
    state = abstract.initial
    for step, following in zip(steps, states_on_a_walk(SOLVED, steps)[1:], strict=True):
        state = abstract.step(state, step)[1]
        assert abstract.abstract(following) == state
    assert_members_hold(abstract, states_on_a_walk(abstract, steps))
    number = int(part * abstract.size)
    assert abstract.rank(abstract.unrank(number)) == number
    assert abstract.is_goal(abstract.abstract(SOLVED.goal_state()))


def test_of_strings_of_turns_that_do_the_same_one_is_left() -> None:
    """A face is not turned twice running, and opposite faces in one order only: 18, 243, 3240, 43254 strings of turns."""
    automaton = move_automaton(SOLVED, 2)
    strings = {0: 1}
    counts = []
    for _ in range(4):
        following: dict[int, int] = {}
        for state, count in strings.items():
            for after in automaton.rows[state]:
                if after != FORBIDDEN:
                    following[after] = following.get(after, 0) + count
        strings = following
        counts.append(sum(strings.values()))
    assert counts == [18, 243, 3240, 43254]


def test_a_pattern_database_of_some_edges_is_a_heuristic_of_both_engines() -> None:
    """They are twins with the greatest of two databases, also where strings of turns are pruned; h is a lower bound."""
    cube = bf.RubiksCube("R U F2 D")
    databases = [bf.PatternDatabase.build(cube, pattern) for pattern in ("UR UF UL", "DL DB")]
    assert [len(database.table) for database in databases] == [10_560, 528]
    h = bf.max_of(*databases)
    no_options: dict[str, Any] = {}
    for options in (no_options, {"prune": 2}):
        found = [bf.solve(cube, "idastar", h, engine=engine, **options) for engine in ("python", "compiled")]
        assert found[0].cost == 4 and {str(s.stats.iterations) for s in found} == {str(found[0].stats.iterations)}
        assert found[0].actions == found[1].actions


@pytest.mark.parametrize("pattern", ["", "corner", "UR UR", "UR RU", "UR UF UL UB DR DF DL DB"])
def test_a_pattern_that_is_none_is_refused(pattern: str) -> None:
    """With what a pattern is."""
    with pytest.raises(bf.InputError, match="write 'corners', or up to 7 of the edges"):
        SOLVED.project(pattern)
    with pytest.raises(bf.InputError, match="pattern database"):
        bf.solve(SOLVED, "idastar", f"pdb:{pattern}")

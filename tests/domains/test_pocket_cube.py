"""The pocket cube."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

import bestfirst as bf
from members import assert_members_hold, states_on_a_walk
from profiles import examples
from twins import assert_twins

TURNS = [face + turn for face in "URFDLB" for turn in ("", "2", "'")]
SOLVED = bf.PocketCube("U U'")
scrambles = st.lists(st.sampled_from(TURNS), min_size=1, max_size=12).map(" ".join)
choices = st.lists(st.integers(0, 8), max_size=12)


def layers(cube: bf.PocketCube, deepest: int) -> list[set[bf.PocketCube.State]]:
    """The states at each number of turns from the start, as far as asked for."""
    found = [{cube.initial}]
    for _ in range(deepest):
        following = {after for state in found[-1] for _, after, _ in cube.successors(state)}
        found.append(following.difference(*found[-2:]))
    return found


def test_the_known_numbers_of_cubes_at_each_distance() -> None:
    """Of turns of faces, half turns among them: 1, 9, 54, 321, 1847, 9992; projections never exceeds the distance.

    The whole space goes on 50136, 227536, 870072, 1887748, 623800, 2644.
    """
    found = layers(SOLVED, 5)
    assert [len(layer) for layer in found] == [1, 9, 54, 321, 1847, 9992]
    assert all(SOLVED.projections(state) <= distance for distance, layer in enumerate(found) for state in layer)
    assert len({SOLVED.rank(state) for layer in found for state in layer}) == 12_224


def test_each_projection_reaches_all_its_numbers() -> None:
    """The places are at most 7 turns from their goal, the twists at most 6; together no farther than God's number, 11."""
    assert (min(SOLVED.place_distance), max(SOLVED.place_distance)) == (0, 7)
    assert (min(SOLVED.twist_distance), max(SOLVED.twist_distance)) == (0, 6)


@pytest.mark.parametrize(
    ("turns", "facelets"),
    [
        ("U U'", "UUUU RRRR FFFF DDDD LLLL BBBB"),
        ("R", "UFUF RRRR FDFD DBDB LLLL UBUB"),
        ("U", "UUUU BBRR RRFF DDDD FFLL LLBB"),
        ("F", "UULL URUR FFFF RRDD LDLD BBBB"),
    ],
)
def test_turns_do_what_they_do_to_a_cube_in_the_hand(turns: str, facelets: str) -> None:
    """The facelets after a few turns, worked out by hand; each notation makes the same cube."""
    cube = bf.PocketCube(turns)
    assert cube.format(cube.initial) == facelets
    assert bf.PocketCube(facelets).initial == bf.PocketCube(facelets.replace(" ", "")).initial == cube.initial


@pytest.mark.parametrize(
    ("turns", "same"),
    [
        ("R U R' U' " * 6, "U U'"),
        ("R R", "R2"),
        ("R2 R", "R'"),
        ("R R\u2019", "U U'"),
        ("L", "R"),
        ("D'", "U'"),
        ("B2", "F2"),
        ("R U F", "R U F U D' F B'"),
    ],
)
def test_sequences_of_turns_that_make_the_same_cube(turns: str, same: str) -> None:
    """Opposite faces are the same but for how the cube is held; the commutator of R and U has order 6."""
    assert bf.PocketCube(turns).initial == bf.PocketCube(same).initial


@examples(20)
@given(scrambles, st.lists(st.sampled_from(["R L'", "U D'", "F B'"]), max_size=4))
def test_it_does_not_matter_how_the_cube_is_held(turns: str, rotations: list[str]) -> None:
    """To turn opposite faces alike is to turn the whole cube; and what is written can be read."""
    cube = bf.PocketCube(turns)
    assert bf.PocketCube(" ".join([turns, *rotations])).initial == cube.initial
    assert bf.PocketCube.from_text(cube.format(cube.initial)).initial == cube.initial
    assert bf.PocketCube("U", goal=cube.format(cube.initial)).goal_state() == cube.initial


@examples(20)
@given(choices)
def test_the_turns_of_a_walk_make_its_states(steps: list[int]) -> None:
    """The tables of turns agree with turning the facelets; the optional members hold."""
    states = states_on_a_walk(SOLVED, steps)
    turns = [SOLVED.actions[step] for step in steps]
    for made, state in enumerate(states):
        assert bf.PocketCube(" ".join(["U", "U'", *turns[:made]])).initial == state
    assert_members_hold(SOLVED, states)
    estimates = [SOLVED.projections(state) for state in states]
    assert all(abs(one - other) <= 1 for one, other in pairwise(estimates))


@given(st.integers(0, 3_674_159))
def test_every_number_is_that_of_a_cube(number: int) -> None:
    """There are 7! * 3**6 of them, and each can be written and read again."""
    state = SOLVED.unrank(number)
    assert SOLVED.size == 3_674_160 and SOLVED.rank(state) == number
    assert bf.PocketCube(SOLVED.format(state)).initial == state


@pytest.mark.parametrize("algorithm", ["astar", "idastar", "bidirectional-astar"])
@examples(8)
@given(st.integers(0, 4).flatmap(lambda depth: st.tuples(st.just(depth), st.integers(0))), choices)
def test_the_fewest_turns_are_found(algorithm: str, at: tuple[int, int], goal: list[int]) -> None:
    """A cube some turns away from any goal is brought there in so many."""
    start = SOLVED.format(states_on_a_walk(SOLVED, goal)[-1])
    depth, choice = at
    layer = sorted(layers(bf.PocketCube(start), depth)[-1])
    cube = bf.PocketCube(SOLVED.format(layer[choice % len(layer)]), goal=start)
    solution = bf.solve(cube, algorithm)
    solution.verify()
    assert (solution.status, solution.cost) == ("optimal", depth)


@examples(20)
@given(scrambles)
def test_the_backward_cube_is_the_cube_turned_round(turns: str) -> None:
    """Backward successors are the turns that lead here."""
    cube = bf.PocketCube(turns)
    reverse = cube.backward()
    assert reverse.initial == cube.goal_state() and reverse.is_goal(cube.initial)
    for action, previous, cost in reverse.successors(cube.initial):
        assert (action, cube.initial, cost) in cube.successors(previous)


@pytest.mark.parametrize("algorithm", ["astar", "idastar"])
@examples(8)
@given(st.lists(st.sampled_from(TURNS), min_size=1, max_size=6).map(" ".join))
def test_the_engines_are_twins(algorithm: str, turns: str) -> None:
    """On cubes a few turns from the solved one."""
    assert_twins(bf.PocketCube(turns), algorithm)


def test_no_fault_is_found() -> None:
    """By check."""
    report = bf.check(bf.PocketCube("R U2 F' R U"), states=100)
    assert report.ok and report.compiled, str(report)


def test_the_net_is_drawn() -> None:
    """U above F, D below it, L, R and B beside it."""
    cube = bf.PocketCube("R U")
    assert cube.draw(cube.initial) == "  UU\n  FF\nFDRRUBLL\nLLFDRRUB\n  DB\n  DB"
    assert len(cube.cells(cube.initial)) == 24


@pytest.mark.parametrize(
    ("cube", "words"),
    [
        ("", ["the cube is ''", "write turns such as R U2 F'"]),
        ("R U3", ["the cube is 'R U3'", "or the 24 facelets"]),
        ("r u", ["write turns such as R U2 F'"]),
        (7, ["the cube is 7"]),
        ("UUUU RRRR FFFF DDDD LLLL BBB", ["or the 24 facelets"]),
        ("UUUU RRRR FFFF DDDD LLLL BBBU", ["has colour U on 5 of the facelets; write 4 of each"]),
        ("UURU URRR FFFF DDDD LLLL BBBB", ["has the colours UUF, clockwise, at URF, but no corner has them"]),
        ("UUUF RRRR FUFF DDDD LLLL BBBB", ["has the colours FRU, clockwise, at URF", "in this order"]),
        ("UUUU RRRB RFFF DDDD LFLL BBLB", ["has the corner URF 2 times, but the corner UFL not at all"]),
        ("UUUF URRR FRFF DDDD LLLL BBBB", ["twisted by 1/3 of a turn in total", "may have been twisted in place"]),
        ("UUUR FRRR FUFF DDDD LLLL BBBB", ["twisted by 2/3 of a turn in total"]),
    ],
)
def test_what_is_no_cube_is_refused(cube: str, words: list[str]) -> None:
    """Each message names what is wrong; a corner twisted by itself cannot be put right by turns."""
    with pytest.raises(bf.InputError) as error:
        bf.PocketCube(cube)
    assert all(word in str(error.value) for word in words), str(error.value)


def test_a_goal_that_is_no_cube_is_refused() -> None:
    """The message says that it is the goal."""
    with pytest.raises(bf.InputError, match="the goal is 'Q'"):
        bf.PocketCube("R", goal="Q")

"""Sliding tiles in the compilable forms: one word, one word with a rank, seven words."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import bestfirst as bf
from bestfirst.domains.sliding_tile.packed import PackedTiles
from bestfirst.domains.sliding_tile.ranked import RankedTiles
from bestfirst.domains.sliding_tile.wide import WideTiles
from members import assert_compiled_ranks_agree, assert_members_hold, states_on_a_walk
from profiles import examples
from spaces import distances_from
from twins import assert_twins, random_board

EVERY_FORM = [(2, 2), (2, 3), (3, 4), (6, 2), (1, 5), (5, 1), (3, 5), (4, 4), (4, 5), (5, 5), (3, 16), (6, 6), (8, 8)]


@pytest.mark.parametrize(
    ("size", "form"),
    [
        ((2, 2), RankedTiles),
        ((3, 4), RankedTiles),
        ((1, 1), PackedTiles),
        ((1, 12), PackedTiles),
        ((3, 5), PackedTiles),
        ((4, 4), PackedTiles),
        ((1, 16), PackedTiles),
        ((3, 6), WideTiles),
        ((8, 8), WideTiles),
        ((4, 16), WideTiles),
        ((5, 13), type(None)),
    ],
)
def test_the_form_goes_with_the_size(size: tuple[int, int], form: type) -> None:
    """A rank up to 12 cells, one word up to 16, seven words up to 64, and none beyond; a single row has no rank."""
    domain = bf.SlidingTile(range(size[0] * size[1]), size=size).domain()
    assert type(domain) is form
    assert domain is None or domain.defines("rank") == (form is RankedTiles)


@examples(40)
@given(data=st.data(), choices=st.lists(st.integers(0, 3), max_size=30))
def test_every_form_plays_the_same_puzzle(data: st.DataObject, choices: list[int]) -> None:
    """Move for move the states decode to the boards of the puzzle, and carry their Manhattan distance; the members hold."""
    size = data.draw(st.sampled_from(EVERY_FORM))
    start, goal = data.draw(st.permutations(range(size[0] * size[1]))), data.draw(st.permutations(range(size[0] * size[1])))
    puzzle = bf.SlidingTile(start, goal, size=size, moves=data.draw(st.sampled_from(["ULRD", "RDLU"])))
    domain = puzzle.domain()
    assert domain is not None
    states = states_on_a_walk(domain, choices)
    assert_members_hold(domain, states)
    for state in states:
        board = domain.decode(state)
        assert state.distance == domain.manhattan(state) == puzzle.manhattan(board)
        if isinstance(domain, PackedTiles) and "linear-conflict" in domain.heuristics():
            assert domain.linear_conflict(state) == puzzle.linear_conflict(board)
        assert board[state.blank] == 0
        assert domain.is_goal(state) == (state.distance == 0)
        steps = [(action, domain.decode(after), cost) for action, after, cost in domain.successors(state)]
        assert steps == list(puzzle.successors(board))


@pytest.mark.parametrize("size", [(2, 2), (2, 3), (3, 2)])
@examples(6)
@given(data=st.data())
def test_the_rank_numbers_the_boards_that_can_be_reached(size: tuple[int, int], data: st.DataObject) -> None:
    """From any start, each board has its own number, and every number below n!/2 is used."""
    start = tuple(data.draw(st.permutations(range(size[0] * size[1]))))
    goal = tuple(data.draw(st.permutations(start)))
    domain = bf.SlidingTile(start, goal, size=size).domain()
    assert isinstance(domain, RankedTiles)
    reached = distances_from(domain, domain.initial)
    assert sorted(domain.rank(state) for state in reached) == list(range(domain.size))
    assert {domain.unrank(number) for number in range(domain.size)} == set(reached)


@examples(100)
@given(st.permutations(range(9)), st.integers(0, 181_439))
def test_the_rank_of_the_eight_puzzle(start: list[int], number: int) -> None:
    """Each number is that of a board that can be reached, with its distance."""
    puzzle = bf.SlidingTile(start)
    domain = puzzle.domain()
    assert isinstance(domain, RankedTiles) and domain.size == 181_440
    state = domain.unrank(number)
    board = domain.decode(state)
    assert domain.rank(state) == number
    assert bf.SlidingTile(start, board).unsolvable() is None
    assert state.distance == puzzle.manhattan(board) and board[state.blank] == 0


def test_the_rank_compiled() -> None:
    """On the largest board that has one, of 239,500,800 numbers."""
    domain = bf.SlidingTile(range(12), size=(3, 4)).domain()
    assert domain is not None and domain.size == 239_500_800
    assert_compiled_ranks_agree(domain, [*range(0, domain.size, 3_000_017), domain.size - 1])


WIDE = {"idastar": (8, 8), "astar": (4, 5), "bidirectional-astar": (4, 5)}


@pytest.mark.parametrize("algorithm", WIDE)
@examples(6)
@given(data=st.data())
def test_the_engines_are_twins_on_wide_boards(algorithm: str, data: st.DataObject) -> None:
    """With two words and with seven: by each algorithm with one number of words, as every size is compiled once more."""
    size = WIDE[algorithm]
    goal = tuple(data.draw(st.permutations(range(size[0] * size[1]))))
    assert_twins(random_board(data.draw, goal, size, 16), algorithm)


def test_no_fault_is_found() -> None:
    """By check, in the interpreted and the compiled form of a wide board."""
    domain = bf.SlidingTile(range(25)).domain()
    assert domain is not None
    report = bf.check(domain, states=50)
    assert report.ok and report.compiled, str(report)


def test_puzzles_of_the_same_goal_share_arrays_that_nobody_can_change() -> None:
    """The start does not matter; the order of the moves does."""
    one, other = (bf.SlidingTile(start).domain() for start in ("8 6 7 2 5 4 3 _ 1", "1 2 3 4 5 6 _ 7 8"))
    turned = bf.SlidingTile("8 6 7 2 5 4 3 _ 1", moves="LRUD").domain()
    assert one is not None and other is not None and turned is not None
    for name in ("target", "nearer", "legal", "change"):
        assert (
            np.shares_memory(one.compiled_value(name), other.compiled_value(name))
            and not one.compiled_value(name).flags.writeable
        )
        assert not np.shares_memory(one.compiled_value(name), turned.compiled_value(name))


def test_linear_conflict_is_looked_up_in_lines_of_up_to_four_cells() -> None:
    """By both engines alike; on longer lines there is none in the compiled form."""
    puzzle = bf.SlidingTile("1 6 4 8 7 _ 3 2 5")
    assert assert_twins(puzzle, "idastar", "linear-conflict").cost == 23
    long = bf.SlidingTile(range(15), size=(3, 5)).domain()
    assert long is not None
    assert list(long.heuristics()) == ["manhattan"]


def test_the_form_is_made_once_and_again_when_the_puzzle_changes() -> None:
    """What a caller changes in it stays the caller's; a changed puzzle is searched as it is now."""
    puzzle = bf.SlidingTile("1 2 3 4 5 6 _ 7 8")
    one, other = puzzle.domain(), puzzle.domain()
    assert isinstance(one, RankedTiles) and isinstance(other, RankedTiles)
    assert np.shares_memory(one.compiled_value("cell"), other.compiled_value("cell"))
    one.initial = one.State(0, 0, 0)
    assert other.initial == puzzle.domain().initial != one.initial  # type: ignore[union-attr]
    assert bf.solve(puzzle, "astar", "manhattan", engine="compiled").cost == 2
    puzzle.initial = (1, 2, 3, 4, 5, 6, 7, 0, 8)
    changed = puzzle.domain()
    assert changed is not None
    assert changed.decode(changed.initial) == puzzle.initial
    assert bf.solve(puzzle, "astar", "manhattan", engine="compiled").cost == 1

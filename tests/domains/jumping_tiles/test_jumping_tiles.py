"""The rules, the notations and the heuristic of the jumping tiles."""

from __future__ import annotations

from itertools import combinations, product

import pytest
from hypothesis import given
from hypothesis import strategies as st

import bestfirst as bf
from bestfirst.domains.jumping_tiles import JumpingTiles
from profiles import examples

ROWS = st.tuples(st.text("bw", max_size=8), st.text("bw", max_size=8)).map("e".join)
"""Rows of up to 17 cells."""


def test_all_moves_from_a_row_in_their_order() -> None:
    """Up to two tiles are jumped over; cheap moves come first, then the word they lead to decides, with b < e < w."""
    assert list(JumpingTiles("bbb_www").successors("bbbewww")) == [
        ((5, 4), "bbbweww", 1),
        ((6, 4), "bbbwwew", 1),
        ((3, 4), "bbebwww", 1),
        ((2, 4), "bebbwww", 1),
        ((7, 4), "bbbwwwe", 2),
        ((1, 4), "ebbbwww", 2),
    ]


def test_no_tile_jumps_over_three() -> None:
    """The black tile, four cells away from the empty one, cannot move."""
    assert [after for _, after, _ in JumpingTiles("bwww_").successors("bwwwe")] == ["bweww", "bwwew", "bewww"]


@examples(50)
@given(row=ROWS)
def test_every_move_can_be_undone_at_the_same_cost(row: str) -> None:
    """The tile that has moved can move back."""
    tiles = JumpingTiles(row)
    for (left, landed), after, cost in tiles.successors(row):
        assert ((landed, left), row, cost) in tiles.successors(after)


@pytest.mark.parametrize(
    "text",
    [
        "bbb_www",
        "bbbewww",
        "b b b e w w w",
        "b b b _ w w w",
        "[b,b,b,e,w,w,w]",
        " [ b, b, b, e, w, w, w ] ",
        "b,b,b,_,w,w,w",
    ],
)
def test_every_notation_is_read(text: str) -> None:
    """One row in the ways in which people write it."""
    assert JumpingTiles(text).initial == JumpingTiles.from_text(text).initial == "bbbewww"


def test_a_row_can_be_given_cell_by_cell() -> None:
    """A list of cells is a row too."""
    assert JumpingTiles(["b", "_", "w"]).initial == "bew"


@examples(50)
@given(row=ROWS)
def test_what_is_written_can_be_read_back(row: str) -> None:
    """The format, the label and the drawing of a state are notations of it."""
    tiles = JumpingTiles(row)
    assert tiles.initial == row
    for text in (tiles.format(row), tiles.label(row), tiles.draw(row)):
        assert JumpingTiles(text).initial == row


def test_how_a_row_and_a_move_are_written() -> None:
    """On one line, as a Prolog list, as cells of a picture; a move by its two cells."""
    tiles = JumpingTiles("bw_")
    assert tiles.format("bwe") == "bw_"
    assert tiles.label("bwe") == "[b,w,e]"
    assert tiles.cells("bwe") == [(0, 0, "b"), (0, 1, "w"), (0, 2, "")]
    assert tiles.format_action((1, 3)) == "1 to 3"


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("", "no empty cells"),
        ("bbbwww", "no empty cells"),
        ("bb_ww_", "2 empty cells"),
        ("b_e", "2 empty cells"),
        ("bbx_ww", "'x'"),
        ("BBB_WWW", "'B'"),
        ("b,,_,w", "''"),
        ("[b,b_,w]", "'b_'"),
        ("[bb_ww", "'['"),
    ],
)
def test_what_is_no_row_is_refused(text: str, fault: str) -> None:
    """The message shows the row and the fault."""
    with pytest.raises(bf.InputError) as refusal:
        JumpingTiles(text)
    assert fault in str(refusal.value) and repr(text) in str(refusal.value)


@examples(100)
@given(row=ROWS)
def test_inversions_count_the_pairs_in_the_wrong_order(row: str) -> None:
    """One for each black tile left of a white one; the goals are the rows that have none."""
    tiles = JumpingTiles(row)
    assert tiles.inversions(row) == sum(pair == ("b", "w") for pair in combinations(row, 2))
    assert tiles.is_goal(row) == (tiles.inversions(row) == 0)


@examples(100)
@given(row=ROWS)
def test_no_move_takes_away_more_inversions_than_it_costs(row: str) -> None:
    """The heuristic is consistent, as it says, and so admissible."""
    tiles = JumpingTiles(row)
    assert tiles.heuristics()["inversions"].admissible and tiles.heuristics()["inversions"].consistent
    for _, after, cost in tiles.successors(row):
        assert tiles.inversions(row) <= cost + tiles.inversions(after)


def test_every_row_can_be_solved() -> None:
    """All rows of up to five cells, with any number of either colour: A* reaches the optimum of uniform-cost search."""
    for cells in range(1, 6):
        for row in product("bew", repeat=cells):
            if row.count("e") == 1:
                tiles = JumpingTiles(row)
                best = bf.solve(tiles, "astar")
                best.verify()
                assert best.status == "optimal"
                assert best.cost == bf.solve(tiles, "uniform-cost").cost


@pytest.mark.parametrize("row", ["_", "bbb_", "w_w", "_wwbb", "ww_bb"])
def test_a_row_in_order_is_solved(row: str) -> None:
    """Also where a colour is missing: nothing is left to do."""
    solution = bf.solve(JumpingTiles(row))
    assert (solution.status, solution.cost, solution.actions) == ("optimal", 0, [])

"""The sliding-tile puzzle, the notations of its boards, and its walking-distance tables."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise, permutations
from math import inf

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bestfirst.domains.sliding_tile.notation import read_board, read_size
from bestfirst.domains.sliding_tile.problem import SlidingTile
from bestfirst.domains.sliding_tile.rules import Board
from bestfirst.domains.sliding_tile.walking_distance import walking_distances
from bestfirst.errors import InputError
from bestfirst.solution import Status
from bestfirst.solve import solve
from profiles import examples
from spaces import distances_from

BRATKO_B = (2, 8, 3, 1, 6, 4, 7, 0, 5)
FIFTEEN_GOAL = "0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15"
ADMISSIBLE = [
    "manhattan",
    "misplaced",
    "euclidean",
    "reversals",
    "linear-conflict",
    "walking-distance",
    "inversion-distance",
]


def in_order(cells: int, blank: int) -> Board:
    """The tiles in order, with the blank in the given cell."""
    tiles = list(range(1, cells))
    return (*tiles[:blank], 0, *tiles[blank:])


def swapped(board: Board) -> Board:
    """The board with its tiles 1 and 2 exchanged."""
    return tuple({1: 2, 2: 1}.get(tile, tile) for tile in board)


def walk(puzzle: SlidingTile, start: Board, choices: Sequence[int]) -> list[Board]:
    """The boards of a walk that takes, at each step, the move that the number chooses."""
    boards = [start]
    for choice in choices:
        steps = list(puzzle.successors(boards[-1]))
        boards.append(steps[choice % len(steps)][1])
    return boards


sizes = st.tuples(st.integers(1, 5), st.integers(1, 5))
choices = st.lists(st.integers(0, 11), max_size=25)


@st.composite
def boards(draw: st.DrawFn, size: st.SearchStrategy[tuple[int, int]] = sizes) -> tuple[tuple[int, int], Board]:
    """Any board of a few rows and columns."""
    rows, columns = draw(size)
    return (rows, columns), tuple(draw(st.permutations(range(rows * columns))))


# Notations


@pytest.mark.parametrize(
    "written",
    [
        "2 8 3 / 1 6 4 / 7 _ 5",
        "2 8 3/1 6 4/7 0 5",
        "2 8 3 1 6 4 7 _ 5",
        "  2 8 3 1 6 4 7 0 5  ",
        "2,8,3,1,6,4,7,_,5",
        "2 8 3\n1 6 4\n7 _ 5\n",
        "2 8 3 / 1 6 4 / 7 _ 5 /",
        "283164705",
        "2831647_5",
        "283/164/7_5",
        "283\n164\n705",
        "[2/1,1/2,1/3,3/3,3/2,3/1,2/2,1/1,2/3]",
        " [ 2/1, 1/2, 1/3, 3/3, 3/2, 3/1, 2/2, 1/1, 2/3 ] ",
        [2, 8, 3, 1, 6, 4, 7, 0, 5],
        (2, 8, 3, 1, 6, 4, 7, "_", 5),
        ["2", "8", "3", "1", "6", "4", "7", "0", "5"],
        [[2, 8, 3], [1, 6, 4], [7, 0, 5]],
        ((2, 8, 3), ("1", "6", "4"), (7, "_", 5)),
    ],
)
def test_all_notations_say_the_same_board(written: str | Sequence[object]) -> None:
    """Rows, words, digits, positions and sequences are read alike, as a start and as a goal."""
    assert read_board(written) == ((3, 3), BRATKO_B)
    puzzle = SlidingTile(written, goal=written)
    assert (puzzle.size, puzzle.initial, puzzle.goal) == ((3, 3), BRATKO_B, BRATKO_B)


@pytest.mark.parametrize(
    ("board", "size", "rows_and_columns"),
    [
        ("1 2 3 4 5 _", "2x3", (2, 3)),
        ("1 2 3 4 5 _", " 3 X 2 ", (3, 2)),
        ("1 2 3 4 5 _", (1, 6), (1, 6)),
        ("12345_", [6, 1], (6, 1)),
        ("1 2 3 / 4 5 _", None, (2, 3)),
        ("1 2 / 3 4 / 5 _", None, (3, 2)),
        ("12 / 34 / 5_", None, (3, 2)),
        ("1 2 / 3 4 / 5 _", "3*2", (3, 2)),
        ("1 / 2 / _", None, (3, 1)),
        ("[3/1,1/2,2/2,3/2,1/1,2/1]", None, (2, 3)),
        ([[1, 2, 3], [4, 5, 0]], None, (2, 3)),
        ([[1], [2], [0]], None, (3, 1)),
        ("1 2 3 _", None, (2, 2)),
        ("_", None, (1, 1)),
        ("[1/1]", None, (1, 1)),
        ("10 11 12 / 1 2 3 / 4 5 6 / 7 8 9 / _ 13 14", None, (5, 3)),
    ],
)
def test_the_size_comes_from_the_rows_or_is_given_or_is_a_square(
    board: str | Sequence[object], size: str | Sequence[int] | None, rows_and_columns: tuple[int, int]
) -> None:
    """Rows set the size; without them it is the one given, or a square."""
    assert SlidingTile(board, board, size=size).size == rows_and_columns


@pytest.mark.parametrize("board", ["[4/1,1/1,2/1,3/1]", "[3/1,1/1,2/1]", [[1, 2, 3, 0]], [[1, 2, 0]]])
def test_a_single_row_sets_the_size_too(board: str | Sequence[object]) -> None:
    """A position list and nested rows say how many rows there are, also where it is one."""
    puzzle = SlidingTile(board)
    assert puzzle.size == (1, len(puzzle.initial))
    assert puzzle.initial == puzzle.goal


@pytest.mark.parametrize(
    ("board", "size", "words"),
    [
        ("", None, ["is empty", "2 8 3 / 1 6 4 / 7 _ 5"]),
        ("   ", None, ["is empty"]),
        ("/", "3x3", ["is empty"]),
        ([], None, ["is empty"]),
        ("1 2 3 4 5 _", None, ["6 cells, which is not a square", "pass the size"]),
        ("1 2 3 _", "2x3", ["has 4 cells; a 2x3 board has 6"]),
        ("1 2 3 / 4 5 _", "3x2", ["2 rows of 3", "given size is 3x2"]),
        ("1 2 3 / 4 _", None, ["different lengths: [3, 2]"]),
        ([[1, 2], [3]], None, ["different lengths"]),
        ("1 1 2 3", None, ["lacks _ and repeats 1", "each of _, 1 .. 3 exactly once"]),
        ("1 2 3 4", None, ["lacks _ and has the unknown tile 4"]),
        ("_ 0 1 2", None, ["lacks 3 and repeats _"]),
        ("1 3 4 8 _ 2 7 6 9", None, ["lacks 5 and has the unknown tile 9"]),
        ("1 2 x _", None, ["has the cell 'x'", "_ or 0 for the blank"]),
        ("1 2 -3 _", None, ["has the cell '-3'"]),
        ([1, 2.5, 3, 0], None, ["has the cell '2.5'"]),
        ([True, 2, 3, 0], None, ["has the cell 'True'"]),
        ([[1, 2], 3, 0], None, ["has the cell '[1, 2]'"]),
        ("[]", None, ["is not X/Y"]),
        ("[1/1,1-2,2/1,2/2]", None, ["position '1-2'", "counted from the bottom"]),
        ("[1/1,1/2,1/1,2/2]", None, ["position 1/1", "occurs twice"]),
        ("[1/1,1/2,2/1,3/3]", None, ["do not fill a 3x3 board"]),
        ("[0/1,1/1,0/2,1/2]", None, ["do not fill a 2x1 board"]),
    ],
)
def test_what_is_no_board_is_refused(board: str | Sequence[object], size: str | None, words: list[str]) -> None:
    """Each message repeats what was given and names the fault."""
    with pytest.raises(InputError) as error:
        SlidingTile(board, size=size)
    assert all(word in str(error.value) for word in words)


@pytest.mark.parametrize("size", ["3", "3x", "x3", "3x3x3", "axb", "0x4", "-1x4", (3,), (3, 3, 3), (0, 4), (2.0, 2), ()])
def test_what_is_no_size_is_refused(size: str | Sequence[int]) -> None:
    """The message shows how a size is written."""
    with pytest.raises(InputError, match="write rows x columns, such as 3x4"):
        read_size(size)


@pytest.mark.parametrize(
    ("goal", "words"),
    [
        ("1 2 3 4 5 6 7 8 _", "has 9 cells; a 2x2 board has 4"),
        ("1 2 3 _ / 4 5 6 7", "has 2 rows of 4 cells, but the given size is 2x2"),
        ("1 2 2 _", "repeats 2"),
    ],
)
def test_start_and_goal_must_have_one_size(goal: str, words: str) -> None:
    """A goal of another size, or that is no board, is refused."""
    with pytest.raises(InputError) as error:
        SlidingTile("1 2 3 _", goal)
    assert words in str(error.value)


@pytest.mark.parametrize("moves", ["", "UDL", "UDLX", "UULR", "uldr", "ULRDU"])
def test_moves_must_be_the_four_ways_in_some_order(moves: str) -> None:
    """Anything but a permutation of U, D, L, R is refused."""
    with pytest.raises(InputError, match="write the four letters U, D, L, R"):
        SlidingTile("1 2 3 _", moves=moves)


def test_a_board_with_too_long_a_side_is_refused() -> None:
    """A side has at most 16 cells; that many are accepted."""
    assert SlidingTile(range(16), size=(1, 16)).size == (1, 16)
    with pytest.raises(InputError, match="1x17 board is too large; use at most 16 rows"):
        SlidingTile(range(17), size=(1, 17))


def test_the_words_of_a_command_line_make_a_puzzle() -> None:
    """All options arrive as texts; the goal left out is the tiles in order with the blank last."""
    puzzle = SlidingTile.from_text("3 1 2 4 _ 5", goal="1 2 3 4 5 _", size="2x3", moves="UDLR")
    assert (puzzle.size, puzzle.initial, puzzle.goal) == ((2, 3), (3, 1, 2, 4, 0, 5), (1, 2, 3, 4, 5, 0))
    assert puzzle.moves == "UDLR"
    bare = SlidingTile.from_text("3 1 2 _")
    assert (bare.goal, bare.moves) == ((1, 2, 3, 0), "ULRD")
    assert SlidingTile.name() == "sliding-tile"


@given(boards())
def test_what_is_printed_can_be_read(sized: tuple[tuple[int, int], Board]) -> None:
    """The round trip through rows, the plain line, the position list and nested rows, for every size."""
    size, board = sized
    puzzle = SlidingTile(board, size=size)
    for written in (puzzle.format(board), puzzle.label(board), puzzle.positions(board), puzzle.rows(board)):
        assert read_board(written, size) == (size, board)
    if size[0] > 1:
        assert read_board(puzzle.format(board)) == read_board(puzzle.positions(board)) == (size, board)


def test_boards_are_printed_for_people() -> None:
    """Rows with _ for the blank; pictures with a space; two-digit tiles in columns; a trace on one line."""
    small = SlidingTile(BRATKO_B)
    assert small.format(BRATKO_B) == "2 8 3 / 1 6 4 / 7 _ 5"
    assert small.label(BRATKO_B) == "2 8 3 1 6 4 7 0 5"
    assert small.draw(BRATKO_B) == "283\n164\n7 5"
    large = SlidingTile("10 2 3 4 / 1 _ 5 6 / 7 8 9 11")
    assert large.draw(large.initial) == "10  2  3  4\n 1     5  6\n 7  8  9 11"
    assert large.rows(large.initial) == [(10, 2, 3, 4), (1, 0, 5, 6), (7, 8, 9, 11)]


def test_the_picture_has_a_cell_for_each_tile() -> None:
    """Programs that draw get row, column and text of each cell, the blank's empty."""
    puzzle = SlidingTile("1 2 / 3 _")
    assert list(puzzle.cells(puzzle.initial)) == [(0, 0, "1"), (0, 1, "2"), (1, 0, "3"), (1, 1, "")]


# Moves


@pytest.mark.parametrize("moves", ["ULRD", "UDLR", "RDLU"])
def test_moves_are_tried_in_the_order_asked_for(moves: str) -> None:
    """From the centre the blank goes the four ways in that order; by default up, left, right, down."""
    after = {
        "U": (1, 0, 3, 4, 2, 5, 6, 7, 8),
        "D": (1, 2, 3, 4, 7, 5, 6, 0, 8),
        "L": (1, 2, 3, 0, 4, 5, 6, 7, 8),
        "R": (1, 2, 3, 4, 5, 0, 6, 7, 8),
    }
    board = (1, 2, 3, 4, 0, 5, 6, 7, 8)
    assert list(SlidingTile(board, moves=moves).successors(board)) == [(letter, after[letter], 1) for letter in moves]
    assert SlidingTile(board).moves == "ULRD"


def test_the_blank_keeps_within_the_board() -> None:
    """In the corner of a row only the ways along it are open; on a board of one cell none."""
    row = SlidingTile("_ 1 2", size="1x3")
    assert list(row.successors(row.initial)) == [("R", (1, 0, 2), 1)]
    assert list(SlidingTile("_").successors((0,))) == []


@given(boards())
def test_the_backward_puzzle_is_the_puzzle_turned_round(sized: tuple[tuple[int, int], Board]) -> None:
    """Backward successors are exactly the moves that lead here, from the goal to the start."""
    size, board = sized
    puzzle = SlidingTile(board, size=size)
    reverse = puzzle.backward()
    assert reverse.initial == puzzle.goal_state() and reverse.is_goal(board)
    steps = list(reverse.successors(board))
    assert len(steps) == len(list(puzzle.successors(board)))
    for letter, previous, cost in steps:
        assert (letter, board, cost) in puzzle.successors(previous)


# Solvability


@pytest.mark.parametrize("size", [(1, 1), (1, 2), (1, 4), (4, 1), (2, 2), (2, 3), (3, 2)])
def test_unsolvable_is_the_whole_truth_on_small_boards(size: tuple[int, int]) -> None:
    """For every start and the goals with the blank anywhere it agrees with exhaustive search, and gives its reason."""
    cells = size[0] * size[1]
    for blank in range(cells):
        goal = in_order(cells, blank)
        reached = distances_from(SlidingTile(goal, goal, size=size), goal)
        for start in permutations(range(cells)):
            reason = SlidingTile(start, goal, size=size).unsolvable()
            assert (reason is None) == (start in reached)
            if reason is not None:
                assert ("single row or column" if min(size) == 1 else "parity") in reason


def test_unsolvable_is_right_on_the_eight_puzzle() -> None:
    """A sample of boards against the whole space of the goal with the blank in the centre."""
    goal = (1, 2, 3, 8, 0, 4, 7, 6, 5)
    reached = distances_from(SlidingTile(goal, goal), goal)
    assert len(reached) == 181_440
    sample = list(permutations(range(9)))[::1_009]
    verdicts = [SlidingTile(board, goal).unsolvable() is None for board in sample]
    assert verdicts == [board in reached for board in sample]
    assert len(set(verdicts)) == 2


@examples(60)
@given(boards(st.tuples(st.integers(2, 6), st.integers(2, 6))), choices)
def test_parity_on_boards_of_any_size(sized: tuple[tuple[int, int], Board], choices: list[int]) -> None:
    """What a walk reaches is solvable; with two tiles exchanged it never is."""
    size, start = sized
    goal = walk(SlidingTile(start, size=size), start, choices)[-1]
    assert SlidingTile(start, goal, size=size).unsolvable() is None
    assert SlidingTile(swapped(start), goal, size=size).unsolvable() is not None


@pytest.mark.parametrize(("rows", "columns"), [(2, 2), (2, 3), (3, 2)])
def test_exactly_half_of_all_boards_can_be_reached(rows: int, columns: int) -> None:
    """On boards with two rows and columns or more."""
    starts = list(permutations(range(rows * columns)))
    solvable = sum(SlidingTile(start, size=(rows, columns)).unsolvable() is None for start in starts)
    assert 2 * solvable == len(starts)


@pytest.mark.parametrize(
    ("puzzle", "word"), [(SlidingTile("2 1 3 _"), "parity"), (SlidingTile("2 1 _", size="1x3"), "cannot pass each other")]
)
def test_an_unsolvable_board_is_not_searched(puzzle: SlidingTile, word: str) -> None:
    """solve() answers at once, with the reason."""
    solution = solve(puzzle)
    assert solution.status is Status.UNSOLVABLE
    assert solution.reason is not None and word in solution.reason
    assert solution.stats.expanded == 0


# Heuristics


def test_all_heuristics_but_sequence_are_declared_admissible_and_consistent() -> None:
    """On a board that admits them all."""
    offered = SlidingTile(BRATKO_B, "1 2 3 8 _ 4 7 6 5").heuristics()
    assert sorted(offered) == sorted([*ADMISSIBLE, "sequence"])
    assert all(offered[name].admissible and offered[name].consistent for name in ADMISSIBLE)
    assert offered["sequence"].admissible is False and offered["sequence"].consistent is False


@pytest.mark.parametrize(
    ("goal", "missing"),
    [
        ("1 2 3 4 5 6 7 8 _", {"sequence"}),
        (FIFTEEN_GOAL, {"sequence"}),
        (in_order(25, 24), {"sequence", "walking-distance"}),
    ],
)
def test_a_board_offers_the_heuristics_that_it_admits(goal: str | Board, missing: set[str]) -> None:
    """sequence needs a blank centre, walking-distance a board that is not too large."""
    assert set(SlidingTile(goal, goal).heuristics()) == {*ADMISSIBLE, "sequence"} - missing


@pytest.mark.slow
@pytest.mark.parametrize("name", ADMISSIBLE)
@pytest.mark.parametrize(
    ("size", "goal"),
    [
        ((2, 2), "1 2 3 _"),
        ((2, 3), "1 2 3 4 5 _"),
        ((2, 3), "_ 1 2 3 4 5"),
        ((2, 3), "4 _ 2 5 1 3"),
        ((3, 2), "1 2 3 4 5 _"),
        ((3, 2), "1 2 _ 3 4 5"),
        ((3, 2), "5 1 4 _ 3 2"),
        ((2, 4), "1 2 3 4 5 6 7 _"),
        ((1, 5), "2 1 _ 4 3"),
        ((5, 1), "1 2 3 4 _"),
        ((1, 1), "_"),
    ],
)
def test_heuristics_are_admissible_and_consistent_on_whole_spaces(size: tuple[int, int], goal: str, name: str) -> None:
    """No estimate exceeds the distance, nor falls by more than 1 along a move; at the goal all are 0."""
    puzzle = SlidingTile(goal, goal, size=size)
    h = puzzle.heuristics()[name]
    distances = distances_from(puzzle, puzzle.goal)
    estimates = {board: h(board) for board in distances}
    assert estimates[puzzle.goal] == 0
    rounding = 1e-9 if name == "euclidean" else 0
    assert all(estimates[board] <= distance + rounding for board, distance in distances.items())
    for board in distances:
        assert all(estimates[board] <= 1 + estimates[after] + rounding for _, after, _ in puzzle.successors(board))


@pytest.mark.parametrize(
    ("size", "goal"),
    [
        ("3x3", "1 2 3 8 _ 4 7 6 5"),
        ("3x3", "_ 1 2 3 4 5 6 7 8"),
        ("4x4", FIFTEEN_GOAL),
        ("4x4", "1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 _"),
        ("3x4", "1 2 3 4 5 6 7 8 9 10 11 _"),
        ("2x5", "1 2 3 4 _ 5 6 7 8 9"),
    ],
)
@examples(15)
@given(data=st.data())
def test_heuristics_are_admissible_and_consistent_on_walks(size: str, goal: str, data: st.DataObject) -> None:
    """On walks from the goal no estimate exceeds the moves made; on walks from any board none changes by more than 1."""
    puzzle = SlidingTile(goal, goal, size=size)
    steps = data.draw(choices)
    near = walk(puzzle, puzzle.goal, steps)
    anywhere = tuple(data.draw(st.permutations(puzzle.goal)))
    if SlidingTile(anywhere, goal, size=size).unsolvable():
        anywhere = swapped(anywhere)
    far = walk(puzzle, anywhere, steps)
    for name in ADMISSIBLE:
        h = puzzle.heuristics()[name]
        assert all(h(board) <= moves + 1e-9 for moves, board in enumerate(near))
        estimates = [h(board) for board in far]
        assert all(abs(one - other) <= 1 + 1e-9 for one, other in pairwise(estimates))


@examples(100)
@given(boards(st.tuples(st.integers(1, 4), st.integers(1, 4))), st.data())
def test_stronger_heuristics_are_never_below_the_weaker_ones(
    sized: tuple[tuple[int, int], Board], data: st.DataObject
) -> None:
    """misplaced and euclidean <= manhattan <= reversals <= linear-conflict, on any board with any goal."""
    size, board = sized
    puzzle = SlidingTile(board, tuple(data.draw(st.permutations(board))), size=size)
    assert puzzle.misplaced(board) <= puzzle.manhattan(board)
    assert puzzle.euclidean(board) <= puzzle.manhattan(board) + 1e-9
    assert puzzle.manhattan(board) <= puzzle.reversals(board) <= puzzle.linear_conflict(board)


def test_the_blank_does_not_count() -> None:
    """One move from the goal every estimate but sequence's is at most 1."""
    puzzle = SlidingTile("1 2 3 4 5 6 7 _ 8")
    assert [puzzle.heuristics()[name](puzzle.initial) for name in ADMISSIBLE] == [1] * len(ADMISSIBLE)


def test_linear_conflict_counts_the_fewest_tiles_that_must_leave_a_line() -> None:
    """Three tiles in reverse order in their row: two must leave it, so 4 moves more than Manhattan."""
    puzzle = SlidingTile("3 2 1 4 5 6 7 8 _")
    assert (puzzle.manhattan(puzzle.initial), puzzle.linear_conflict(puzzle.initial)) == (4, 8)


def test_inversion_distance_counts_moves_with_their_parity() -> None:
    """A move on 4x4 changes the inversions by 3 or 1: the 2 by rows take 2 moves, the 14 by columns 6 moves and not 5."""
    puzzle = SlidingTile("2 3 1 4 5 6 7 8 9 10 11 12 13 14 15 _")
    assert puzzle.inversion_distance(puzzle.initial) == 2 + 6


def test_walking_distance_sees_what_manhattan_does_not() -> None:
    """Tiles 14 and 15 must pass each other by columns: moves that Manhattan distance does not see."""
    puzzle = SlidingTile("1 2 3 4 5 6 7 8 9 10 11 12 13 15 14 _")
    assert (puzzle.manhattan(puzzle.initial), puzzle.walking_distance(puzzle.initial)) == (2, 4)


def test_the_walking_distance_table_of_the_fifteen_puzzle_has_24964_entries() -> None:
    """The known size; the goal is at 0 and the farthest entry at 35."""
    table = walking_distances(4, 4, 3)
    assert len(table) == 24_964
    assert table[3, (4, 0, 0, 0, 0, 4, 0, 0, 0, 0, 4, 0, 0, 0, 0, 3)] == 0
    assert max(table.values()) == 35


def test_walking_distance_is_infinite_for_a_row_in_another_order() -> None:
    """Tiles in a single row cannot pass each other, so no number of moves is enough."""
    puzzle = SlidingTile("2 1 _", size="1x3")
    assert puzzle.walking_distance(puzzle.initial) == inf


@pytest.mark.parametrize("size", [(5, 5), (6, 6)])
def test_walking_distance_is_refused_where_its_table_would_be_too_large(size: tuple[int, int]) -> None:
    """The message names the lines and cells, and the heuristics to use instead."""
    cells = size[0] * size[1]
    puzzle = SlidingTile(in_order(cells, cells - 1), size=size)
    words = f"{size[0]} lines of {size[1]} cells is too large to compute; use linear-conflict or inversion-distance"
    with pytest.raises(InputError, match=words):
        puzzle.walking_distance(puzzle.initial)
    with pytest.raises(InputError, match=words):
        solve(puzzle, "astar", "walking-distance")


@pytest.mark.parametrize("goal", ["1 2 3 4 5 6 7 8 _", "1 2 3 / 4 _ 5"])
def test_sequence_is_refused_where_it_has_no_meaning(goal: str) -> None:
    """It needs a 3x3 board whose goal has the blank in the centre."""
    puzzle = SlidingTile(goal, goal)
    with pytest.raises(InputError, match="blank in the centre"):
        puzzle.sequence(puzzle.initial)


# Solving


@pytest.mark.parametrize(
    ("algorithm", "heuristic"),
    [
        *[("astar", name) for name in ADMISSIBLE],
        ("astar", "max(linear-conflict, walking-distance, inversion-distance)"),
        ("idastar", "manhattan"),
        ("idastar", "linear-conflict"),
        ("rbfs", "linear-conflict"),
        ("bidirectional-astar", "manhattan"),
        ("bidirectional-astar", "walking-distance"),
        ("breadth-first", None),
    ],
)
@pytest.mark.parametrize(
    ("start", "goal"),
    [
        ("5 1 2 / 4 3 _", "1 2 3 / 4 5 _"),
        ("4 5 / 1 _ / 2 3", "1 2 / 3 4 / 5 _"),
        ("3 1 2 _", "1 2 3 _"),
        ("1 2 _ / 3 4 5", "1 2 _ / 3 4 5"),
    ],
)
def test_the_fewest_moves_are_found(start: str, goal: str, algorithm: str, heuristic: str | None) -> None:
    """Every algorithm and heuristic proves the distance in the whole space optimal."""
    puzzle = SlidingTile(start, goal)
    distance = distances_from(puzzle, puzzle.goal).get(puzzle.initial)
    solution = solve(puzzle, algorithm, heuristic)
    solution.verify()
    assert solution.cost == distance
    assert solution.status is (Status.UNSOLVABLE if distance is None else Status.OPTIMAL)


@examples(30)
@given(boards(st.sampled_from([(2, 2), (2, 3), (3, 2), (1, 4), (4, 1)])), st.data())
def test_random_boards_and_goals(sized: tuple[tuple[int, int], Board], data: st.DataObject) -> None:
    """A*, IDA* and bidirectional A* agree with exhaustive search on any start and goal."""
    size, start = sized
    goal = tuple(data.draw(st.permutations(start)))
    puzzle = SlidingTile(start, goal, size=size)
    distance = distances_from(puzzle, start).get(goal)
    for algorithm, heuristic in (
        ("astar", "inversion-distance"),
        ("idastar", "linear-conflict"),
        ("bidirectional-astar", "linear-conflict"),
    ):
        solution = solve(puzzle, algorithm, heuristic)
        solution.verify()
        assert solution.cost == distance
        assert solution.warnings == []


@examples(10)
@given(st.lists(st.integers(0, 11), min_size=12, max_size=12), st.sampled_from(["manhattan", "linear-conflict"]))
def test_six_by_six_boards_are_solved(choices: list[int], heuristic: str) -> None:
    """A walk of twelve moves from the goal is undone in at most as many, and of the same parity."""
    goal = in_order(36, 35)
    start = walk(SlidingTile(goal), goal, choices)[-1]
    solution = solve(SlidingTile(start), "idastar", heuristic)
    solution.verify()
    assert solution.status is Status.OPTIMAL
    assert solution.cost is not None and solution.cost <= 12 and solution.cost % 2 == 0


@pytest.mark.slow
@pytest.mark.parametrize("board", ["8 6 7 2 5 4 3 _ 1", "6 4 7 8 5 _ 3 2 1"])
@pytest.mark.parametrize(
    ("algorithm", "heuristic"),
    [
        ("astar", "manhattan"),
        ("astar", "walking-distance"),
        ("idastar", "manhattan"),
        ("idastar", "linear-conflict"),
        ("bidirectional-astar", "manhattan"),
    ],
)
def test_the_farthest_boards_of_the_eight_puzzle_take_31_moves(board: str, algorithm: str, heuristic: str) -> None:
    """The two boards farthest from the goal with the blank in the corner."""
    solution = solve(SlidingTile(board), algorithm, heuristic)
    solution.verify()
    assert (solution.status, solution.cost) == (Status.OPTIMAL, 31)


@pytest.mark.parametrize("heuristic", ADMISSIBLE)
def test_russell_and_norvigs_board_takes_26_moves(heuristic: str) -> None:
    """Figure 3.28 of their book, with every admissible heuristic."""
    solution = solve(SlidingTile("7 2 4 5 _ 6 8 3 1", "_ 1 2 3 4 5 6 7 8"), "astar", heuristic)
    solution.verify()
    assert (solution.status, solution.cost) == (Status.OPTIMAL, 26)


@pytest.mark.slow
def test_korfs_count_of_generated_nodes() -> None:
    """IDA* with Manhattan distance generates exactly the nodes that Korf's 1985 table says of instance 79."""
    board = "0 1 9 7 11 13 5 3 14 12 4 2 8 6 10 15"
    solution = solve(SlidingTile(board, FIFTEEN_GOAL), "idastar", "manhattan", engine="python")
    solution.verify()
    assert (solution.status, solution.cost, solution.stats.generated) == (Status.OPTIMAL, 42, 540_860)

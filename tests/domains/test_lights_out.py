"""Lights Out."""

from __future__ import annotations

from itertools import pairwise, product

import pytest
from hypothesis import given
from hypothesis import strategies as st

import bestfirst as bf
from members import assert_members_hold, states_on_a_walk
from profiles import examples
from spaces import distances_from
from twins import assert_twins

sizes = st.sampled_from([(rows, columns) for rows in range(1, 9) for columns in range(1, 9)])


@st.composite
def boards(draw: st.DrawFn, size: st.SearchStrategy[tuple[int, int]] = sizes) -> str:
    """Any board of a few rows and columns."""
    rows, columns = draw(size)
    return "/".join(draw(st.text("01", min_size=columns, max_size=columns)) for _ in range(rows))


def all_off(rows: int, columns: int) -> bf.LightsOut:
    return bf.LightsOut("/".join(["0" * columns] * rows))


@pytest.mark.parametrize(
    ("size", "states", "radius"),
    [
        ((1, 1), 2, 1),
        ((1, 2), 2, 1),
        ((1, 4), 16, 4),
        ((2, 2), 16, 4),
        ((2, 3), 16, 3),
        ((3, 2), 16, 3),
        ((3, 3), 512, 9),
        ((4, 4), 4096, 7),
    ],
)
def test_whole_spaces(size: tuple[int, int], states: int, radius: int) -> None:
    """How many boards can be put out, and in how many presses at most; exact is the distance, and lit never exceeds it."""
    board = all_off(*size)
    distances = distances_from(board, board.initial)
    assert (len(distances), max(distances.values())) == (states, radius)
    for state, distance in distances.items():
        assert board.exact(state) == distance >= board.lit(state)
        assert all(board.lit(state) <= 1 + board.lit(after) for _, after, _ in board.successors(state))


@pytest.mark.parametrize(
    ("side", "quiet", "presses"),
    [(1, 1, 1), (2, 1, 4), (3, 1, 5), (4, 16, 4), (5, 4, 15), (6, 1, 28), (7, 1, 33), (8, 1, 40)],
)
def test_the_known_numbers_of_square_boards(side: int, quiet: int, presses: int) -> None:
    """How many patterns do nothing, two to the numbers of OEIS A159257, and the fewest presses for all lights, A075462."""
    board = bf.LightsOut(f"{side}x{side}")
    assert len(board.quiet) == quiet
    assert board.exact(board.initial) == presses
    solution = bf.solve(board)
    solution.verify()
    assert (solution.status, solution.cost) == ("optimal", presses)


@examples(40)
@given(boards(), st.lists(st.integers(0, 63), max_size=8))
def test_a_press_changes_a_cross(board: str, choices: list[int]) -> None:
    """As on a board of rows and columns, of any size up to 8 x 8; the optional members hold."""
    puzzle = bf.LightsOut(board)
    rows = [[int(light) for light in row] for row in board.split("/")]
    for action, state, cost in puzzle.successors(puzzle.initial):
        row, column = (int(number) - 1 for number in action[1:].split("c"))
        after = [
            "".join(str(light ^ (abs(r - row) + abs(c - column) <= 1)) for c, light in enumerate(line))
            for r, line in enumerate(rows)
        ]
        assert (puzzle.format(state), cost) == ("/".join(after), 1)
    assert puzzle.defines("rank") == (puzzle.max_actions <= 30)
    assert_members_hold(puzzle, states_on_a_walk(puzzle, choices))


@pytest.mark.parametrize("size", [(1, 5), (2, 3), (3, 3)])
def test_unsolvable_is_the_whole_truth_on_small_boards(size: tuple[int, int]) -> None:
    """For every board it agrees with exhaustive search, and names a pattern of which an odd number of lights is on."""
    rows, columns = size
    off = all_off(*size)
    reached = distances_from(off, off.initial)
    for lights in product("01", repeat=rows * columns):
        board = "/".join("".join(lights[row * columns : (row + 1) * columns]) for row in range(rows))
        puzzle = bf.LightsOut(board)
        reason = puzzle.unsolvable()
        assert (reason is None) == (puzzle.initial in reached)
        if reason is not None:
            pattern = reason.split("pattern ")[1].split(",")[0]
            assert sum(a == b == "1" for a, b in zip(board, pattern, strict=True)) % 2 == 1


@examples(60)
@given(boards(), st.data())
def test_what_presses_make_can_be_unmade(board: str, data: st.DataObject) -> None:
    """From any board to any that presses make of it; exact is at most their number, and falls by 1 at most with each."""
    start = bf.LightsOut(board)
    presses = data.draw(st.lists(st.integers(0, start.max_actions - 1), max_size=10))
    states = states_on_a_walk(start, presses)
    puzzle = bf.LightsOut(board, goal=start.format(states[-1]))
    assert puzzle.unsolvable() is None
    estimates = [puzzle.exact(state) for state in reversed(states)]
    assert estimates[0] == 0
    assert all(abs(after - before) <= 1 for before, after in pairwise(estimates))
    assert estimates[-1] <= len(presses)


@pytest.mark.parametrize("algorithm", ["astar", "idastar", "bidirectional-astar"])
@pytest.mark.parametrize("heuristic", ["exact", "lit"])
@examples(5)
@given(boards(st.sampled_from([(2, 2), (1, 4), (2, 3), (3, 2)])))
def test_the_fewest_presses_are_found(algorithm: str, heuristic: str, board: str) -> None:
    """Every algorithm proves the distance in the whole space optimal, or that there is none."""
    puzzle = bf.LightsOut(board)
    distance = distances_from(puzzle, puzzle.initial).get(puzzle.goal_state())
    solution = bf.solve(puzzle, algorithm, heuristic)
    solution.verify()
    assert (solution.status, solution.cost) == ("unsolvable" if distance is None else "optimal", distance)


@pytest.mark.parametrize("algorithm", ["astar", "idastar"])
@examples(8)
@given(st.lists(st.integers(0, 63), max_size=2))
def test_the_engines_are_twins(algorithm: str, presses: list[int]) -> None:
    """On a board a few presses from its goal, with the sign bit in use."""
    off = all_off(8, 8)
    puzzle = bf.LightsOut(off.format(states_on_a_walk(off, presses)[-1]))
    puzzle.default_heuristic = "lit"
    assert_twins(puzzle, algorithm)


def test_no_fault_is_found() -> None:
    """By check, with both heuristics, where some patterns do nothing."""
    report = bf.check(bf.LightsOut("8x7"), states=50)
    assert report.ok and report.compiled, str(report)


def test_a_board_is_written_and_drawn() -> None:
    """In either notation; 1 on one line, * in a picture."""
    puzzle = bf.LightsOut.from_text(" *.* / ..* ", goal="110/001")
    assert puzzle.format(puzzle.initial) == "101/001" == bf.LightsOut("1 0 1\n0 0 1").format(puzzle.initial)
    assert puzzle.draw(puzzle.initial) == "* . *\n. . *"
    assert puzzle.cells(puzzle.initial)[:3] == [(0, 0, "*"), (0, 1, ""), (0, 2, "*")]
    assert puzzle.format(puzzle.goal_state()) == "110/001"
    assert puzzle.format_action("r2c3") == "press row 2, column 3"
    assert bf.LightsOut("2x3").format(bf.LightsOut("2 x 3").initial) == "111/111"


def test_the_backward_board_is_the_board_turned_round() -> None:
    """A press undoes itself, so the actions have the same names."""
    puzzle = bf.LightsOut("101/001", goal="110/001")
    reverse = puzzle.backward()
    assert reverse.initial == puzzle.goal_state() and reverse.is_goal(puzzle.initial)
    for action, previous, cost in reverse.successors(puzzle.initial):
        assert (action, puzzle.initial, cost) in puzzle.successors(previous)


@pytest.mark.parametrize(
    ("board", "goal", "words"),
    [
        ("", None, "the board is ''; write rows of 1 (on) and 0 (off)"),
        (5, None, "the board is 5"),
        ("01/2", None, "the board is '01/2'"),
        ("01//11", None, "the board is '01//11'"),
        ("01/1", None, "have different lengths: [2, 1]"),
        ("9x8", None, "has 72 cells; a board has at most 64"),
        ("999999999x999999999", None, "a board has at most 64"),
        ("0x4", None, "size is '0x4'"),
        ("01", "0", "the goal '0' is 1x1, but the board is 1x2"),
    ],
)
def test_bad_input_is_refused(board: str, goal: str | None, words: str) -> None:
    """Each message names what is wrong."""
    with pytest.raises(bf.InputError) as error:
        bf.LightsOut(board, goal)
    assert words in str(error.value)

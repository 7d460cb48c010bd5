"""Worked cases 2 (heuristics), 3 (positions X/Y) and 5 (laboratory) of the 8-puzzle."""

from __future__ import annotations

import pytest

from bestfirst.domains.sliding_tile import SlidingTile
from bestfirst.solution import Status
from bestfirst.solve import solve

CENTRE_GOAL = "1 2 3 8 _ 4 7 6 5"
FIRST_CORNER_GOAL = "_ 1 2 3 4 5 6 7 8"

BRATKO_A = SlidingTile("1 3 4 8 _ 2 7 6 5", CENTRE_GOAL)
BRATKO_B = SlidingTile("2 8 3 1 6 4 7 _ 5", CENTRE_GOAL)
BRATKO_C = SlidingTile("2 1 6 4 _ 8 7 5 3", CENTRE_GOAL)
THORNTON = SlidingTile("3 1 2 4 7 5 6 8 _", FIRST_CORNER_GOAL)
RUSSELL_NORVIG = SlidingTile("7 2 4 5 _ 6 8 3 1", FIRST_CORNER_GOAL)

CASES = {
    "bratko-a": (BRATKO_A, {"misplaced": 3, "manhattan": 4, "reversals": 4, "euclidean": 3.4142, "linear-conflict": 4}, 4),
    "bratko-b": (BRATKO_B, {"misplaced": 4, "manhattan": 5, "reversals": 5, "euclidean": 4.4142, "linear-conflict": 5}, 5),
    "bratko-c": (
        BRATKO_C,
        {"misplaced": 7, "manhattan": 12, "reversals": 14, "euclidean": 11.2361, "linear-conflict": 16},
        18,
    ),
    "thornton": (THORNTON, {"misplaced": 4, "manhattan": 4, "reversals": 4, "euclidean": 4.0, "linear-conflict": 4}, 4),
    "russell-norvig": (
        RUSSELL_NORVIG,
        {"misplaced": 8, "manhattan": 18, "reversals": 18, "euclidean": 14.5366, "linear-conflict": 18},
        26,
    ),
}


@pytest.mark.parametrize("case", CASES)
def test_heuristics_have_the_values_of_the_table(case: str) -> None:
    """h1, P, P + 2R, Euclid and linear conflict of each start."""
    puzzle, expected, _ = CASES[case]
    heuristics = puzzle.heuristics()
    assert {name: round(heuristics[name](puzzle.initial), 4) for name in expected} == expected


@pytest.mark.parametrize(("puzzle", "manhattan", "score"), [(BRATKO_A, 4, 6), (BRATKO_B, 5, 9), (BRATKO_C, 12, 16)])
def test_the_sequence_score_of_goals_with_a_blank_centre(puzzle: SlidingTile, manhattan: int, score: int) -> None:
    """P + 3S is 22, 32 and 60: S is 6, 9 and 16."""
    assert puzzle.sequence(puzzle.initial) == manhattan + 3 * score


@pytest.mark.slow
@pytest.mark.parametrize("heuristic", ["misplaced", "manhattan", "reversals", "euclidean", "linear-conflict"])
@pytest.mark.parametrize("case", CASES)
def test_the_fewest_moves_are_those_of_the_table(case: str, heuristic: str) -> None:
    """4, 5, 18, 4 and 26 moves, with every admissible heuristic of the table."""
    puzzle, _, moves = CASES[case]
    solution = solve(puzzle, "astar", heuristic)
    solution.verify()
    assert (solution.status, solution.cost) == (Status.OPTIMAL, moves)


@pytest.mark.parametrize("board", ["2 8 1 _ 4 6 7 5 3", "2 8 1 4 _ 6 7 5 3", "2 8 1 4 6 _ 7 5 3"])
def test_the_second_board_of_the_notes_cannot_be_solved(board: str) -> None:
    """Wherever in its row the blank stands, parity forbids it, and no search is made."""
    solution = solve(SlidingTile(board, "1 2 3 4 5 6 7 8 _"))
    assert solution.status is Status.UNSOLVABLE
    assert solution.reason is not None and "parity" in solution.reason
    assert solution.stats.expanded == 0


def test_positions_are_read_and_printed() -> None:
    """The list of positions X/Y, rows counted from the bottom, is the board with the blank in the upper right corner."""
    positions = "[3/3,1/3,2/2,2/3,3/2,3/1,2/1,1/1,1/2]"
    puzzle = SlidingTile(positions)
    assert puzzle.format(puzzle.initial) == "1 3 _ / 8 2 4 / 7 6 5"
    assert puzzle.positions(puzzle.initial) == positions


def test_from_the_upper_right_corner_the_blank_moves_only_down_or_left() -> None:
    """The two moves of the lecture's board."""
    puzzle = SlidingTile("[3/3,1/3,2/2,2/3,3/2,3/1,2/1,1/1,1/2]")
    assert {action for action, _, _ in puzzle.successors(puzzle.initial)} == {"D", "L"}


def test_the_laboratorys_configurations_are_those_of_bratko() -> None:
    """The start and the goal given as positions are bratko-b and the goal with the blank in the centre."""
    puzzle = SlidingTile("[2/1,1/2,1/3,3/3,3/2,3/1,2/2,1/1,2/3]", "[2/2,1/3,2/3,3/3,3/2,3/1,2/1,1/1,1/2]")
    assert (puzzle.initial, puzzle.goal) == (BRATKO_B.initial, BRATKO_B.goal)


@pytest.mark.parametrize("puzzle", [BRATKO_A, BRATKO_B, BRATKO_C])
def test_exchanging_two_tiles_makes_the_pair_unsolvable_and_says_why(puzzle: SlidingTile) -> None:
    """So exactly half of the pairs of configurations are unsolvable; the answer names parity."""
    assert puzzle.unsolvable() is None
    exchanged = tuple({1: 2, 2: 1}.get(tile, tile) for tile in puzzle.initial)
    reason = SlidingTile(exchanged, puzzle.goal).unsolvable()
    assert reason is not None and "parity" in reason and "exactly half" in reason


OUTPUT = """\
283
164
7 5
------
283
1 4
765
------
2 3
184
765
------
 23
184
765
------
123
 84
765
------
123
8 4
765"""


@pytest.mark.parametrize(
    ("algorithm", "heuristic"),
    [("astar", "manhattan"), ("best-first-tree", "manhattan"), ("rbfs", "manhattan"), ("astar", "misplaced")],
)
def test_the_boards_of_the_solution_are_written_between_dashed_lines(algorithm: str, heuristic: str) -> None:
    """The laboratory's output, board by board."""
    solution = solve(BRATKO_B, algorithm, heuristic)
    assert "\n------\n".join(BRATKO_B.draw(state) for state in solution.states) == OUTPUT


def test_the_laboratorys_third_heuristic_finds_the_solution_but_proves_nothing() -> None:
    """P + 3S leads straight to the goal here; since it can overestimate, the search does not call the cost optimal."""
    solution = solve(BRATKO_B, "astar", "sequence")
    solution.verify()
    assert (solution.status, solution.cost, solution.lower_bound) == (Status.SOLVED, 5, 0)
    assert any("overestimate" in warning for warning in solution.warnings)

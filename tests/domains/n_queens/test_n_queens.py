"""The n-queens puzzle."""

from __future__ import annotations

from itertools import combinations
from math import inf
from time import perf_counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bestfirst.domains.n_queens.problem import NQueens, Queens
from bestfirst.errors import InputError, StateError
from bestfirst.solution import Limits, Status
from bestfirst.solve import solve
from profiles import examples


def all_states(puzzle: NQueens) -> list[Queens]:
    """Every state that can be reached, each before its successors."""
    states = [puzzle.initial]
    for state in states:
        states.extend(after for _, after, _ in puzzle.successors(state))
    return states


def true_distances(puzzle: NQueens) -> dict[Queens, float]:
    """The distance of every reachable state to the nearest goal."""
    distances: dict[Queens, float] = {}
    for state in reversed(all_states(puzzle)):
        below = (1 + distances[after] for _, after, _ in puzzle.successors(state))
        distances[state] = 0 if puzzle.is_goal(state) else min(below, default=inf)
    return distances


def attack_each_other(queens: Queens) -> bool:
    """Whether two queens share a column or a diagonal (they stand in different rows)."""
    squares = enumerate(queens)
    return any(c == d or abs(c - d) == abs(r - s) for (r, c), (s, d) in combinations(squares, 2))


@pytest.mark.parametrize(("n", "placements"), list(enumerate([1, 0, 0, 2, 10, 4, 40, 92], start=1)))
def test_the_goals_are_all_the_placements(n: int, placements: int) -> None:
    """The number of placements on boards up to 8 x 8 is the known one, and no two queens of any attack each other."""
    puzzle = NQueens(n)
    goals = [state for state in all_states(puzzle) if puzzle.is_goal(state)]
    assert len(goals) == len(set(goals)) == placements
    assert not any(attack_each_other(goal) for goal in goals)


@pytest.mark.parametrize("n", [1, 2, 3, 4, 5, 6, 7])
def test_unsolvable_says_no_exactly_where_no_placement_exists(n: int) -> None:
    """The reason given without a search agrees with the whole space."""
    puzzle = NQueens(n)
    assert (puzzle.unsolvable() is not None) == (true_distances(puzzle)[puzzle.initial] == inf)


@pytest.mark.parametrize(("n", "word"), [(2, "diagonal"), (3, "middle row")])
def test_unsolvable_boards_are_refused_with_a_reason(n: int, word: str) -> None:
    """solve() gives the reason and searches nothing."""
    solution = solve(NQueens(n))
    assert solution.status is Status.UNSOLVABLE
    assert solution.reason is not None and word in solution.reason
    assert solution.stats.expanded == 0


@pytest.mark.parametrize(
    ("algorithm", "heuristic"),
    [
        ("astar", "remaining"),
        ("astar", "forward-checking"),
        ("idastar", "remaining"),
        ("idastar", "forward-checking"),
        ("rbfs", "remaining"),
        ("breadth-first", None),
        ("depth-first", None),
    ],
)
@pytest.mark.parametrize("n", [1, 4, 5, 6])
def test_every_algorithm_places_all_queens_at_cost_n(n: int, algorithm: str, heuristic: str | None) -> None:
    """Every solution places n queens, one to an action."""
    solution = solve(NQueens(n), algorithm, heuristic)
    solution.verify()
    assert solution.cost == n
    assert not attack_each_other(solution.states[-1])


def test_columns_are_tried_from_left_to_right() -> None:
    """Depth-first search finds the placement of eight queens that comes first in the order of columns."""
    assert solve(NQueens(8), "depth-first").actions == [1, 5, 8, 6, 3, 7, 2, 4]


def test_forward_checking_looks_at_fewer_states_than_remaining() -> None:
    """Seeing dead ends early saves expansions."""
    expanded = {name: solve(NQueens(8), "astar", name).stats.expanded for name in ("remaining", "forward-checking")}
    assert expanded["forward-checking"] < expanded["remaining"]


@pytest.mark.parametrize("n", [1, 2, 3, 4, 5, 6])
@pytest.mark.parametrize("name", ["remaining", "forward-checking"])
def test_heuristics_are_admissible_and_consistent(n: int, name: str) -> None:
    """On the whole space no estimate exceeds the distance, nor falls by more than the cost along an edge."""
    puzzle = NQueens(n)
    h = puzzle.heuristics()[name]
    assert h.admissible and h.consistent
    distances = true_distances(puzzle)
    assert all(h(state) <= distance for state, distance in distances.items())
    assert all(h(state) <= cost + h(after) for state in distances for _, after, cost in puzzle.successors(state))


def test_remaining_is_exact_wherever_a_goal_can_be_reached() -> None:
    """The number of empty rows is the distance, unless there is no way on."""
    puzzle = NQueens(6)
    assert all(puzzle.remaining(state) == d for state, d in true_distances(puzzle).items() if d < inf)


def test_forward_checking_knows_a_row_without_a_free_square() -> None:
    """With queens in columns 1 and 3 of four the third row is left no square, with 1 and 4 each row has one."""
    assert NQueens(4).forward_checking((1, 4)) == 2
    assert NQueens(4).forward_checking((1, 3)) == inf


@examples(15)
@given(st.integers(min_value=4, max_value=12))
def test_any_board_from_four_on_is_solved(n: int) -> None:
    """A* with either heuristic proves cost n optimal."""
    for name in ("remaining", "forward-checking"):
        solution = solve(NQueens(n), "astar", name)
        solution.verify()
        assert (solution.status, solution.cost) == (Status.OPTIMAL, n)


@pytest.mark.parametrize("engine", ["python", "compiled", None])
def test_queens_may_stand_on_the_board_at_the_start(engine: str | None) -> None:
    """Both engines place the others."""
    puzzle = NQueens(6)
    puzzle.initial = (3, 6)
    solution = solve(puzzle, "depth-first-branch-and-bound", engine=engine)
    assert (solution.status, solution.states[-1]) == ("optimal", (3, 6, 2, 5, 1, 4))


@pytest.mark.parametrize(
    ("start", "words"),
    [
        ((2, 4, 6, 1, 3, 5, 2), "with 7 queens on a board of 6 rows"),
        ((2, 3), "whose queen in row 2 is not in a free column from 1 to 6"),
        ((2, 7), "whose queen in row 2 is not in a free column from 1 to 6"),
    ],
)
@pytest.mark.parametrize("engine", ["python", "compiled", None])
def test_queens_at_the_start_that_cannot_stand_there(start: Queens, words: str, engine: str | None) -> None:
    """More than rows, an attacked one, and one beside the board."""
    puzzle = NQueens(6)
    puzzle.initial = start
    with pytest.raises(StateError, match=f"the initial state is .*, {words}; set a state of NQueens, such as"):
        solve(puzzle, "astar", engine=engine)


def test_states_are_written_as_columns_row_by_row() -> None:
    """Rows still empty are shown by _; the picture has Q and dots."""
    puzzle = NQueens(4)
    assert puzzle.format(()) == "_ _ _ _"
    assert puzzle.format((2, 4)) == "2 4 _ _"
    assert puzzle.draw((2, 4)) == ". Q . .\n. . . Q\n. . . .\n. . . ."
    assert puzzle.draw((2, 4, 1, 3)) == ". Q . .\n. . . Q\nQ . . .\n. . Q ."
    assert puzzle.format_action(3) == "queen in column 3"


def test_it_is_called_n_queens_and_read_from_the_command_line() -> None:
    """The words of a command line are the number of queens."""
    assert NQueens.name() == "n-queens"
    assert NQueens.from_text(" 8 ").n == 8


@pytest.mark.parametrize("n", [0, -1, 2.5, True, "", "eight", "0", "-4", "4 4"])
def test_what_is_no_number_of_queens_is_refused(n: int | str) -> None:
    """The message repeats what was given and says what to write."""
    with pytest.raises(InputError, match="number of queens") as error:
        NQueens(n)
    assert repr(n) in str(error.value)


@pytest.mark.parametrize("n", [0, -1, 10_000_000, 99999999999999999999, "9" * 5000, "1e3", 2.5])
def test_a_number_that_is_none_or_absurd_is_refused(n: object) -> None:
    """With the range; nothing is built for it before."""
    with pytest.raises(InputError, match="use a whole number from 1 to 100000"):
        NQueens(n)  # type: ignore[arg-type]


def test_the_largest_board_keeps_a_limit_on_seconds() -> None:
    """A row has as many squares as there are queens, and is gone through between two looks at the limit."""
    started = perf_counter()
    solution = solve(NQueens(100_000), limits=Limits(seconds=0.2))
    assert (solution.status, solution.limit) == (Status.LIMIT, "seconds")
    assert perf_counter() - started < 10

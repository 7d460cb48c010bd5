"""The Towers of Hanoi."""

from __future__ import annotations

from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bestfirst.domains.towers_of_hanoi import TowersOfHanoi
from bestfirst.errors import InputError
from bestfirst.heuristics.naming import find_heuristic
from bestfirst.solution import Status
from bestfirst.solve import solve
from profiles import examples
from spaces import distances_from


@st.composite
def puzzles(draw: st.DrawFn, most_discs: int = 5) -> TowersOfHanoi:
    """Any start and goal of a few discs on three to five pegs."""
    discs, pegs = draw(st.integers(1, most_discs)), draw(st.integers(3, 5))
    configuration = st.lists(st.integers(1, pegs), min_size=discs, max_size=discs)
    return TowersOfHanoi(discs, pegs, start=draw(configuration), goal=draw(configuration))


@pytest.mark.parametrize("discs", [1, 2, 3, 4, 5, 6])
@pytest.mark.parametrize(
    ("algorithm", "heuristic"),
    [
        ("astar", "misplaced"),
        ("astar", "blocking"),
        ("astar", "exact"),
        ("bidirectional-astar", "blocking"),
        ("bidirectional-astar", "exact"),
        ("breadth-first", None),
        ("idastar", "exact"),
    ],
)
def test_three_pegs_take_two_to_the_n_less_one_moves(discs: int, algorithm: str, heuristic: str | None) -> None:
    """The classic optimum, by every algorithm and heuristic."""
    solution = solve(TowersOfHanoi(discs), algorithm, heuristic)
    solution.verify()
    assert (solution.status, solution.cost) == (Status.OPTIMAL, 2**discs - 1)


@pytest.mark.parametrize(("discs", "moves"), list(enumerate([1, 3, 5, 9, 13, 17], start=1)))
@pytest.mark.parametrize(
    ("algorithm", "heuristic"),
    [("astar", "misplaced"), ("astar", "blocking"), ("bidirectional-astar", "blocking"), ("breadth-first", None)],
)
def test_four_pegs_take_the_frame_stewart_numbers(discs: int, moves: int, algorithm: str, heuristic: str | None) -> None:
    """The optima of Reve's puzzle for up to six discs."""
    solution = solve(TowersOfHanoi(discs, 4), algorithm, heuristic)
    solution.verify()
    assert (solution.status, solution.cost) == (Status.OPTIMAL, moves)


@pytest.mark.parametrize(("discs", "pegs"), [(3, 3), (3, 4), (2, 5)])
def test_idastar_finds_the_same(discs: int, pegs: int) -> None:
    """IDA* with blocking is optimal too."""
    puzzle = TowersOfHanoi(discs, pegs)
    solution = solve(puzzle, "idastar", "blocking")
    solution.verify()
    assert solution.cost == distances_from(puzzle, puzzle.initial)[puzzle.goal]


def test_blocking_saves_expansions() -> None:
    """Knowing which discs must make way is worth more than counting the misplaced ones."""
    expanded = [solve(TowersOfHanoi(6, 4), "astar", name).stats.expanded for name in ("misplaced", "blocking")]
    assert expanded[1] < expanded[0]


def test_moves_take_the_top_disc_to_a_larger_one() -> None:
    """The successors of a configuration, in order."""
    assert list(TowersOfHanoi(3).successors((2, 1, 1))) == [
        ("1>3", (2, 3, 1), 1),
        ("2>1", (1, 1, 1), 1),
        ("2>3", (3, 1, 1), 1),
    ]


@pytest.mark.parametrize(("discs", "pegs"), [(1, 3), (4, 3), (3, 4), (2, 5)])
def test_every_configuration_can_be_reached(discs: int, pegs: int) -> None:
    """There are pegs ** discs configurations, and nothing is ever unsolvable."""
    puzzle = TowersOfHanoi(discs, pegs)
    assert len(distances_from(puzzle, puzzle.initial)) == pegs**discs
    assert puzzle.unsolvable() is None


@pytest.mark.parametrize("discs", [1, 2, 3, 4])
def test_exact_is_the_distance_between_any_two_configurations_on_three_pegs(discs: int) -> None:
    """For every goal and every start, on three pegs."""
    for goal in product((1, 2, 3), repeat=discs):
        puzzle = TowersOfHanoi(discs, goal=goal)
        assert all(puzzle.exact(state) == d for state, d in distances_from(puzzle, goal).items())


def test_exact_knows_when_the_largest_disc_moves_twice() -> None:
    """Here 5 moves suffice by way of the third peg, while with one move of the largest disc it would take 7."""
    puzzle = TowersOfHanoi(3, start="2 2 1", goal="1 1 2")
    assert puzzle.exact(puzzle.initial) == 5
    solution = solve(puzzle, "breadth-first")
    assert solution.cost == 5
    assert [state[2] for state in solution.states] == [1, 3, 3, 3, 3, 2]


@pytest.mark.slow
@pytest.mark.parametrize(("discs", "pegs"), [(1, 3), (2, 3), (3, 3), (4, 3), (2, 4), (3, 4), (2, 5)])
@pytest.mark.parametrize("name", ["misplaced", "blocking"])
def test_heuristics_are_admissible_and_consistent(discs: int, pegs: int, name: str) -> None:
    """On the whole space, for every goal."""
    for goal in product(range(1, pegs + 1), repeat=discs):
        puzzle = TowersOfHanoi(discs, pegs, goal=goal)
        h = puzzle.heuristics()[name]
        assert h.admissible and h.consistent
        for state, distance in distances_from(puzzle, goal).items():
            assert h(state) <= distance
            assert all(h(state) <= cost + h(after) for _, after, cost in puzzle.successors(state))


def test_blocking_counts_discs_in_the_way() -> None:
    """A disc at home on an end of a larger one's way needs two moves, one that goes another way one; the goal needs none."""
    puzzle = TowersOfHanoi(3, 4, start="4 1 1", goal="4 2 4")
    assert puzzle.blocking(puzzle.initial) == 2 + 1 + 1
    assert puzzle.blocking(puzzle.goal) == 0
    assert TowersOfHanoi(5, 4).blocking((1,) * 5) == 2 * 5 - 1


@examples(40)
@given(puzzles())
def test_random_puzzles(puzzle: TowersOfHanoi) -> None:
    """Any start and goal on three to five pegs: A* with every heuristic and bidirectional A* find the distance."""
    distance = distances_from(puzzle, puzzle.initial)[puzzle.goal]
    for name in puzzle.heuristics():
        for algorithm in ("astar", "bidirectional-astar"):
            solution = solve(puzzle, algorithm, name)
            solution.verify()
            assert (solution.status, solution.cost, solution.warnings) == (Status.OPTIMAL, distance, [])


@examples(20)
@given(puzzles(most_discs=3))
def test_the_backward_puzzle_is_the_puzzle_turned_round(puzzle: TowersOfHanoi) -> None:
    """Backward successors are the actions that lead here; backward heuristics never exceed the way from the start."""
    reverse = puzzle.backward()
    assert reverse.initial == puzzle.goal_state() and reverse.is_goal(puzzle.initial)
    distances = distances_from(puzzle, puzzle.initial)
    for state, distance in distances.items():
        steps = set(reverse.successors(state))
        assert steps == {
            (action, previous, cost)
            for previous in distances
            for action, after, cost in puzzle.successors(previous)
            if after == state
        }
        assert all(h(state) <= distance for h in reverse.heuristics().values())


@given(puzzles())
def test_what_format_writes_can_be_read(puzzle: TowersOfHanoi) -> None:
    """The round trip of start and goal through the words of a command line."""
    again = TowersOfHanoi.from_text(
        str(puzzle.discs), pegs=str(puzzle.pegs), start=puzzle.format(puzzle.initial), goal=puzzle.format(puzzle.goal)
    )
    assert (again.discs, again.pegs, again.initial, again.goal) == (puzzle.discs, puzzle.pegs, puzzle.initial, puzzle.goal)


def test_what_is_left_out_is_the_classic_puzzle() -> None:
    """Three pegs, all discs on the first, all to the last."""
    puzzle = TowersOfHanoi.from_text("4")
    assert (puzzle.pegs, puzzle.initial, puzzle.goal) == (3, (1, 1, 1, 1), (3, 3, 3, 3))
    assert TowersOfHanoi.from_text("2", pegs="5").goal == (5, 5)
    assert TowersOfHanoi.name() == "towers-of-hanoi"


def test_pegs_are_drawn_side_by_side() -> None:
    """Discs lie on each other, the smallest on top."""
    puzzle = TowersOfHanoi(3)
    assert puzzle.draw((2, 1, 1)).splitlines() == [
        "   |      |      |",
        "   |      |      |",
        "  ===     |      |",
        " =====    =      |",
        "---------------------",
        "   1      2      3",
    ]
    assert puzzle.format_action("1>3") == "the top disc of peg 1 to peg 3"


def test_exact_is_offered_only_on_three_pegs() -> None:
    """On more pegs the name is not in the list, and who asks for it is told why."""
    assert list(TowersOfHanoi(3).heuristics()) == ["misplaced", "blocking", "exact"]
    puzzle = TowersOfHanoi(3, 4)
    assert list(puzzle.heuristics()) == ["misplaced", "blocking"]
    with pytest.raises(InputError, match="three pegs, not 4; use blocking"):
        find_heuristic(puzzle, "exact")(puzzle.initial)


@pytest.mark.parametrize(
    ("discs", "pegs", "start", "goal", "words"),
    [
        (0, 3, None, None, "number of discs is 0"),
        ("four", 3, None, None, "number of discs is 'four'"),
        (1.5, 3, None, None, "number of discs is 1.5"),
        (10**9, 3, None, None, "use a whole number from 1 to 1000"),
        (3, 10**30, None, None, "use a whole number from 3 to 100"),
        (3, 2, None, None, "number of pegs is 2"),
        (3, "x", None, None, "number of pegs is 'x'"),
        (3, 3, "1 1", None, "has 2 discs; write the peg, 1 .. 3, of each of the 3 discs"),
        (3, 3, "1 1 4", None, "a disc on peg 4"),
        (3, 3, "1 0 1", None, "a disc on peg 0"),
        (3, 3, "1 a 1", None, "the start is '1 a 1'"),
        (3, 3, 1, None, "the start is 1"),
        (3, 3, None, "3 3 3 3", "the goal '3 3 3 3' has 4 discs"),
    ],
)
def test_bad_input_is_refused(discs: int, pegs: int, start: str | None, goal: str | None, words: str) -> None:
    """Each message names what is wrong."""
    with pytest.raises(InputError) as error:
        TowersOfHanoi(discs, pegs, start=start, goal=goal)
    assert words in str(error.value)

"""Worked case 2, audit of the whole space: every heuristic of the 8-puzzle on all 181,440 boards that reach a goal."""

from __future__ import annotations

from collections import Counter

import pytest

from bestfirst.domains.sliding_tile import SlidingTile
from bestfirst.heuristics.audit import audit
from bestfirst.heuristics.space import StateSpace, explore
from spaces import CENTRE, CORNER, DEPTHS

pytestmark = pytest.mark.slow

STATES = 181_440  # 9! / 2
EDGES = 483_840  # 9!/2 boards, of which 4/9 have 2 moves (blank in a corner), 4/9 have 3 and 1/9 has 4
MEANS = {
    CENTRE: {
        "misplaced": 7.1111,
        "manhattan": 14.6667,
        "euclidean": 12.0068,
        "reversals": 14.8889,
        "linear-conflict": 15.7857,
        "walking-distance": 15.3167,
        "inversion-distance": 14.0,
    },
    CORNER: {
        "manhattan": 14.0,
        "euclidean": 11.4448,
        "reversals": 14.2778,
        "linear-conflict": 15.1190,
        "walking-distance": 15.6833,
    },
}
MEAN_DISTANCES = {CENTRE: 21.5028, CORNER: 21.9724}


@pytest.fixture(scope="module")
def spaces() -> dict[str, StateSpace]:
    """The whole space of each goal, explored once for all tests."""
    explored = {}
    for goal in (CENTRE, CORNER):
        space = explore(SlidingTile(goal, goal=goal))
        assert space is not None
        explored[goal] = space
    return explored


@pytest.mark.parametrize("goal", [CENTRE, CORNER])
def test_half_of_all_boards_reach_the_goal(spaces: dict[str, StateSpace], goal: str) -> None:
    """181,440 boards with 483,840 moves, as many in each depth as the textbooks say."""
    space = spaces[goal]
    assert (len(space), space.edges) == (STATES, EDGES)
    boards = Counter(space.distances)
    assert [boards[depth] for depth in range(len(DEPTHS[goal]))] == DEPTHS[goal]
    assert boards.total() == sum(DEPTHS[goal]) == STATES


@pytest.mark.parametrize(("goal", "heuristic", "mean"), [(goal, *row) for goal in MEANS for row in MEANS[goal].items()])
def test_admissible_and_consistent_with_this_mean(
    spaces: dict[str, StateSpace], goal: str, heuristic: str, mean: float
) -> None:
    """Every heuristic but P + 3S is admissible and consistent on the whole space, with the mean of the textbooks."""
    result = audit(spaces[goal].problem, heuristic, space=spaces[goal])
    assert result.exhaustive
    assert (result.admissible, result.consistent) == (True, True)
    assert (result.overestimates, result.inconsistent_edges) == (0, 0)
    assert (result.examples, result.edge_examples, result.warnings) == ([], [], [])
    assert (result.states, result.edges, result.undecided) == (STATES, EDGES, 0)
    assert result.mean_h is not None and result.mean_distance is not None
    assert result.mean_h == pytest.approx(mean, abs=0.00005)
    assert result.mean_distance == pytest.approx(MEAN_DISTANCES[goal], abs=0.00005)
    assert result.largest_distance == len(DEPTHS[goal]) - 1


def test_the_sequence_score_overestimates_nearly_everywhere(spaces: dict[str, StateSpace]) -> None:
    """P + 3S overestimates on 181,436 of the boards and lets f fall along 119,040 moves: only 4 boards escape."""
    space = spaces[CENTRE]
    result = audit(space.problem, "sequence", space=space)
    assert (result.admissible, result.consistent) == (False, False)
    assert (result.overestimates, result.inconsistent_edges) == (181_436, 119_040)
    assert result.mean_h == pytest.approx(54.6667, abs=0.00005)
    escaped = {pair: boards for pair, boards in result.histogram.items() if pair[0] <= pair[1]}
    assert sum(escaped.values()) == 4
    assert [(found.h, found.distance) for found in result.examples[:4]] == [(10, 1)] * 4
    assert {found.state for found in result.examples[:4]} == {
        board for _, board, _ in space.problem.successors(space.problem.initial)
    }


def test_each_tile_is_at_home_on_a_ninth_of_the_boards(spaces: dict[str, StateSpace]) -> None:
    """The mean of the misplaced tiles is 8 * 8/9, and one board alone has none; they are admissible and consistent."""
    result = audit(spaces[CORNER].problem, "misplaced", space=spaces[CORNER])
    assert (result.admissible, result.consistent) == (True, True)
    assert result.mean_h == pytest.approx(8 * 8 / 9)
    assert [pair for pair in result.histogram if pair[0] == 0] == [(0, 0)]
    assert result.histogram[0, 0] == 1

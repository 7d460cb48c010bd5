"""Worked case 4: A* with OPEN and CLOSED, and the tree of the nodes that it generates (Java lecture)."""

from __future__ import annotations

import pytest

import bestfirst as bf
from bestfirst.trace import SearchTree, Trace

TREE = """\
3 1 2 4 7 5 6 8 0
|-- 3 1 2 4 7 0 6 8 5
|-- 3 1 2 4 7 5 6 0 8
    |-- 3 1 2 4 0 5 6 7 8
    |   |-- 3 0 2 4 1 5 6 7 8
    |   |-- 3 1 2 4 7 5 6 0 8
    |   |-- 3 1 2 0 4 5 6 7 8
    |   |   |-- 0 1 2 3 4 5 6 7 8
    |   |   |-- 3 1 2 6 4 5 0 7 8
    |   |   |-- 3 1 2 4 0 5 6 7 8
    |   |-- 3 1 2 4 5 0 6 7 8
    |-- 3 1 2 4 7 5 0 6 8
    |-- 3 1 2 4 7 5 6 8 0"""

SOLUTION = ["312475680", "312475608", "312405678", "312045678", "012345678"]


@pytest.fixture(scope="module")
def solution() -> bf.Solution:
    puzzle = bf.SlidingTile("3 1 2 4 7 5 6 8 _", "_ 1 2 3 4 5 6 7 8", moves="UDLR")
    return bf.solve(puzzle, "astar", heuristic="manhattan", trace=True)


def traced(solution: bf.Solution) -> Trace:
    assert solution.trace is not None
    return solution.trace


def test_the_solution_is_that_of_the_lecture(solution: bf.Solution) -> None:
    """4 moves through 5 boards, after 4 expansions."""
    assert solution.status is bf.Status.OPTIMAL
    assert solution.cost == 4
    assert solution.stats.expanded == 4
    assert ["".join(map(str, board)) for board in solution.states] == SOLUTION
    solution.verify()


def test_the_tree_of_the_generated_nodes_is_that_of_the_lecture(solution: bf.Solution) -> None:
    """A node that is generated again is shown again, without children."""
    assert SearchTree.from_trace(traced(solution)).text(solution.problem.label) == TREE


def test_the_solution_is_marked_in_the_tree(solution: bf.Solution) -> None:
    """The nodes on the path to the goal are known, and so is when each was expanded."""
    tree = SearchTree.from_trace(traced(solution))
    assert ["".join(map(str, node.node.state)) for node in tree.solution] == SOLUTION
    assert [node.expansions for node in tree.solution] == [[1], [2], [3], [4], []]


def test_a_node_is_moved_back_from_closed_to_open_by_a_cheaper_path() -> None:
    """With an inconsistent heuristic C is expanded by a path of cost 5, and again by one of cost 3: A* stays optimal."""
    roads = {"A": [("B", 1), ("C", 5)], "B": [("C", 2)], "C": [("D", 3)], "D": []}
    estimates = {"A": 0, "B": 5, "C": 0, "D": 0}
    problem = bf.Problem.of("A", lambda city: [(to, to, length) for to, length in roads[city]], lambda city: city == "D")
    solution = bf.solve(problem, "astar", heuristic=lambda city: estimates[city], trace=True)
    assert solution.cost == 6
    assert solution.stats.reopened == 1
    tree = SearchTree.from_trace(traced(solution))
    assert tree.text(problem.label, details=True).splitlines() == [
        "A  [1] g=0 h=0 f=0 *",
        "|-- B  [3] g=1 h=5 f=6 *",
        "|   |-- C  [4] g=3 h=0 f=3 reopened by a cheaper path *",
        "|       |-- D  g=6 h=0 f=6 goal *",
        "|-- C  [2] g=5 h=0 f=5 replaced by a cheaper path",
        "    |-- D  g=8 h=0 f=8 replaced by a cheaper path",
    ]

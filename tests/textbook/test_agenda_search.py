"""Worked case 1: best-first search with an agenda (P. Flach, Simply Logical, chapter 6)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import bestfirst as bf
from bestfirst.domains.jumping_tiles import JumpingTiles
from bestfirst.search.best_first import best_first
from bestfirst.search.node import Node
from bestfirst.search.open_list import Agenda
from bestfirst.search.steps import Expand
from profiles import examples

EVALUATIONS = [
    "[b,b,b,e,w,w,w]-9",
    "[b,b,b,w,e,w,w]-9",
    "[b,b,e,w,b,w,w]-8",
    "[b,b,w,w,b,e,w]-7",
    "[b,b,w,w,b,w,e]-7",
    "[b,b,w,w,e,w,b]-6",
    "[b,e,w,w,b,w,b]-4",
    "[b,w,e,w,b,w,b]-4",
    "[e,w,b,w,b,w,b]-3",
    "[w,w,b,e,b,w,b]-2",
    "[w,w,b,w,b,e,b]-1",
]
POSITIONS = [
    "bbbewww",
    "bbbweww",
    "bbewbww",
    "bbwwbew",
    "bbwwbwe",
    "bbwwewb",
    "bewwbwb",
    "bwewbwb",
    "ewbwbwb",
    "wwbebwb",
    "wwbwbeb",
    "wwewbbb",
]


def expanded(problem: bf.Problem, algorithm: str, heuristic: str | None = None) -> list[tuple[Any, float]]:
    """The states that a search expands, in order, each with the cost of the path to it."""
    search = bf.Search(problem, algorithm, heuristic, trace=True)
    search.run()
    assert search.trace is not None
    return [(node.state, node.g) for node in search.trace.expansions()]


def test_greedy_search_prints_the_lines_of_the_book() -> None:
    """The positions expanded with their values, the path of 12 positions, its cost of 15 and the 11 expansions."""
    tiles = JumpingTiles("bbb_www")
    solution = bf.solve(tiles, "greedy", trace=True)
    assert solution.trace is not None
    value = bf.ALGORITHMS["greedy"].value
    assert [f"{tiles.label(node.state)}-{value(node):g}" for node in solution.trace.expansions()] == EVALUATIONS
    assert solution.states == POSITIONS
    assert (solution.cost, solution.stats.expanded) == (15, 11)
    solution.verify()


def book_search(tiles: JumpingTiles, value: Callable[[str], float]) -> list[str]:
    """The search as the book states it: a list as the agenda; a child goes in front of the first strictly greater value."""
    agenda, met, order = [tiles.initial], {tiles.initial}, []
    while not tiles.is_goal(agenda[0]):
        current = agenda.pop(0)
        order.append(current)
        for _value, _cost, child in sorted((value(row), cost, row) for _, row, cost in tiles.successors(current)):
            if child not in met:
                met.add(child)
                place = next((at for at, row in enumerate(agenda) if value(row) > value(child)), len(agenda))
                agenda.insert(place, child)
    return order


@examples(40)
@given(row=st.tuples(st.text("bw", max_size=4), st.text("bw", max_size=4)).map("_".join))
def test_the_agenda_is_that_of_the_book(row: str) -> None:
    """Greedy search expands what the list of the book expands, in the same order, from any row."""
    tiles = JumpingTiles(row)
    assert [state for state, _ in expanded(tiles, "greedy")] == book_search(tiles, tiles.inversions)


@pytest.mark.parametrize("algorithm", ["astar", "uniform-cost"])
def test_greedy_search_is_not_optimal(algorithm: str) -> None:
    """There is a solution of cost 14, one less than greedy search finds."""
    solution = bf.solve(JumpingTiles("bbb_www"), algorithm)
    assert (solution.status, solution.cost) == ("optimal", 14)
    solution.verify()


def test_the_space_has_140_states() -> None:
    """All arrangements of three black tiles, three white ones and the empty cell: 7! / (3! 3!)."""
    tiles = JumpingTiles("bbb_www")
    met, waiting = {tiles.initial}, [tiles.initial]
    while waiting:
        new = {after for _, after, _ in tiles.successors(waiting.pop())} - met
        met |= new
        waiting.extend(new)
    assert len(met) == 140


def lure() -> bf.Problem:
    """An infinite space: on to 1, 2, 3, ... or home by -1 to the goal -2, at a cost of 3."""
    ways = {0: [("on", 1, 1), ("home", -1, 1)], -1: [("home", -2, 2)], -2: []}
    return bf.Problem.of(0, lambda n: ways.get(n, [("on", n + 1, 1)]), lambda n: bool(n == -2))


def promise(n: int) -> float:
    """Admissible, since no goal lies beyond 0; but the farther from the goal, the lower."""
    return {-1: 2.0, -2: 0.0}[n] if n < 0 else 1 / (n + 1)


def test_best_first_search_is_not_complete() -> None:
    """The heuristic lures it away for ever; a limit stops it, and the status says which. A* is not lured away."""
    luring = bf.Heuristic(promise, "promise", admissible=True)
    astray = bf.solve(lure(), "greedy", luring, limits=bf.Limits(expansions=1000))
    assert (astray.status, astray.limit, astray.cost) == (bf.Status.LIMIT, "expansions", None)
    assert astray.stats.expanded == 1000

    home = bf.solve(lure(), "astar", luring, limits=bf.Limits(expansions=1000))
    assert (home.status, home.cost, home.states) == (bf.Status.OPTIMAL, 3, [0, -1, -2])
    assert bf.solve(lure(), "breadth-first", limits=bf.Limits(expansions=1000)).states == [0, -1, -2]


def test_astar_is_best_first_search_on_f() -> None:
    """Best-first search with the agenda ordered by f = g + h, of equal f the lower h first, expands what A* expands."""
    tiles = JumpingTiles("bbb_www")

    def cost_through(node: Node) -> tuple[float, ...]:
        assert node.f == node.g + tiles.inversions(node.state)
        return (node.f, node.h)

    steps = best_first(
        tiles, tiles.inversions, Agenda(cost_through), bound=lambda node: node.f, bound_at_goal=lambda goal, _agenda: goal.g
    )
    by_f = [(step.node.state, step.node.g) for step in steps if isinstance(step, Expand)]
    assert by_f == expanded(tiles, "astar", "inversions")


@examples(25)
@given(row=st.text("bw", min_size=1, max_size=6), empty=st.integers(0, 6))
def test_astar_is_optimal_with_an_optimistic_heuristic(row: str, empty: int) -> None:
    """From any row A* finds the cost that uniform-cost search finds, and expands no more than that."""
    tiles = JumpingTiles(f"{row[:empty]}_{row[empty:]}")
    informed, blind = bf.solve(tiles, "astar", "inversions"), bf.solve(tiles, "uniform-cost")
    assert informed.cost == blind.cost
    assert informed.stats.expanded <= blind.stats.expanded


def test_without_a_heuristic_astar_is_uniform_cost_search() -> None:
    """With h = 0 A* expands the same nodes in the same order."""
    tiles = JumpingTiles("bbb_www")
    assert expanded(tiles, "astar", "zero") == expanded(tiles, "uniform-cost")


def test_without_a_heuristic_and_with_unit_costs_astar_is_breadth_first_search() -> None:
    """With h = 0, where every action costs 1, A* expands the same nodes in the same order as breadth-first search."""
    puzzle = bf.SlidingTile("2 8 3 / 1 6 4 / 7 _ 5", goal="1 2 3 / 8 _ 4 / 7 6 5")
    order = expanded(puzzle, "astar", "zero")
    assert order == expanded(puzzle, "uniform-cost") == expanded(puzzle, "breadth-first")
    assert len(order) > 10

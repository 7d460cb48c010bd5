"""The eight-puzzle by depth, as in Russell & Norvig: for each of the depths 6, 8, ..., 28, 50 random boards, or all there are."""

from __future__ import annotations

import random

GOAL = "012345678"
DEPTHS = range(6, 30, 2)
BOARDS = 50


def neighbours(board: str) -> list[str]:
    """The boards after one move; 0 is the blank."""
    blank = board.index("0")
    row, column = divmod(blank, 3)
    places = [(row - 1, column), (row + 1, column), (row, column - 1), (row, column + 1)]
    found = []
    for tile in (3 * y + x for y, x in places if 0 <= y < 3 and 0 <= x < 3):
        cells = list(board)
        cells[blank], cells[tile] = cells[tile], "0"
        found.append("".join(cells))
    return found


def levels() -> list[list[str]]:
    """The boards at each distance from the goal, in order."""
    seen, found = {GOAL}, [[GOAL]]
    while found[-1]:
        found.append([])
        for board in found[-2]:
            for other in neighbours(board):
                if other not in seen:
                    seen.add(other)
                    found[-1].append(other)
    return found[:-1]


def _some(chance: random.Random, boards: list[str]) -> list[str]:
    return boards if len(boards) <= BOARDS else chance.sample(boards, BOARDS)


def chosen() -> list[str]:
    """The boards, by depth."""
    chance, by_depth = random.Random(0), levels()
    return [" ".join(board) for depth in DEPTHS for board in _some(chance, sorted(by_depth[depth]))]


SPEC = {
    "name": "eight-puzzle",
    "title": "The eight-puzzle by depth",
    "about": (
        "Breadth-first search, and A* with misplaced tiles (h1) and the Manhattan distance (h2), on up to 50 random boards of "
        "each depth (Russell & Norvig, Artificial Intelligence: A Modern Approach, section 3.6)."
    ),
    "problems": [
        {"name": "8-puzzle", "domain": "sliding-tile", "instances": chosen(), "options": {"goal": " ".join(GOAL)}},
    ],
    "configurations": [
        {"name": "BFS", "algorithm": "breadth-first", "engine": "python"},
        {"name": "A* (h1)", "algorithm": "astar", "heuristic": "misplaced", "engine": "python"},
        {"name": "A* (h2)", "algorithm": "astar", "heuristic": "manhattan", "engine": "python"},
    ],
    "report": {"by_cost": True, "baseline": "A* (h2)"},
}

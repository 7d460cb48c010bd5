"""Problems on a board: visitall, sokoban, tiles."""

from __future__ import annotations

from random import Random

from bestfirst.planning.examples.graphs import DIRECTIONS, Cell, beside, named, steps, with_holes
from bestfirst.planning.examples.problem_text import names, problem_text

_WALKS, _STEPS = 20, 60
"""A sokoban problem is made from its goal by so many walks, each of so many steps for a box; the boxes go farthest in one."""


def visitall(*, rows: int = 4, columns: int = 4, holes: int = 3, seed: int = 0) -> str:
    """holes: at most so many cells are left out; the others are connected."""
    random = Random(seed)
    cells = with_holes(rows, columns, holes, random)
    start = random.choice(cells)
    return problem_text(
        "visitall",
        {"cell": [named(cell) for cell in cells]},
        [
            f"robot-at {named(start)}",
            f"visited {named(start)}",
            *(f"beside {named(one)} {named(other)}" for one, other, _ in steps(cells)),
        ],
        [f"visited {named(cell)}" for cell in cells],
    )


def sokoban(*, rows: int = 6, columns: int = 6, boxes: int = 2, walls: int = 4, seed: int = 0) -> str:
    """walls: at most so many cells inside. It is made from the goal: the keeper pulls boxes, in random steps."""
    random = Random(seed)
    cells = with_holes(rows, columns, walls, random)
    keeper, *goals = random.sample(cells, boxes + 1)
    walks = [_walk(keeper, set(goals), set(cells), random) for _ in range(_WALKS)]
    keeper, at = max(walks, key=lambda walk: _distance(walk[1], goals))
    directions = list(DIRECTIONS)
    return problem_text(
        "sokoban",
        {"cell": [named(cell) for cell in cells], "direction": directions},
        [
            "= (total-cost) 0",
            f"keeper-at {named(keeper)}",
            *(f"box-at {named(cell)}" for cell in sorted(at)),
            *(f"empty {named(cell)}" for cell in cells if cell != keeper and cell not in at),
            *(f"next {named(one)} {named(other)} {direction}" for one, other, direction in steps(cells)),
        ],
        [f"box-at {named(cell)}" for cell in sorted(goals)],
        costs=True,
    )


def tiles(*, rows: int = 3, columns: int = 3, walk: int = 16, seed: int = 0) -> str:
    """walk: random steps from the goal to the start; no step undoes the one before."""
    random = Random(seed)
    cells = [(row, column) for row in range(rows) for column in range(columns)]
    pieces = names("t", len(cells) - 1)
    home = dict(zip(cells[1:], pieces, strict=True))
    at, blank, before = dict(home), cells[0], cells[0]
    for _ in range(walk):
        near = [other for one, other, _ in steps(cells) if one == blank]
        source = random.choice([cell for cell in near if cell != before] or near)
        at[blank] = at.pop(source)
        blank, before = source, blank
    return problem_text(
        "tiles",
        {"tile": pieces, "cell": [named(cell) for cell in cells]},
        [
            f"blank {named(blank)}",
            *(f"at {tile} {named(cell)}" for cell, tile in sorted(at.items())),
            *(f"beside {named(one)} {named(other)}" for one, other, _ in steps(cells)),
        ],
        [f"at {tile} {named(cell)}" for cell, tile in home.items()],
    )


def _walk(keeper: Cell, boxes: set[Cell], cells: set[Cell], random: Random) -> tuple[Cell, set[Cell]]:
    """Where the keeper and the boxes are after random steps, in which the keeper pulls what is behind, more often than not."""
    for _ in range(_STEPS * len(boxes)):
        direction = random.choice(list(DIRECTIONS))
        to, behind = beside(keeper, direction), beside(keeper, _OPPOSITE[direction])
        if to in cells and to not in boxes:
            if behind in boxes and random.random() < 0.8:
                boxes = boxes - {behind} | {keeper}
            keeper = to
    return keeper, boxes


def _distance(boxes: set[Cell], goals: list[Cell]) -> int:
    """How far boxes are from the nearest goals, in total."""
    return sum(min(abs(row - y) + abs(column - x) for y, x in goals) for row, column in boxes)


_OPPOSITE = {"north": "south", "south": "north", "west": "east", "east": "west"}

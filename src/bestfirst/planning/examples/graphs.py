"""Random connected graphs and grids, so that every place of a problem can be reached."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import TypeAlias

Cell: TypeAlias = tuple[int, int]
"""Its row and its column."""
DIRECTIONS = {"north": (-1, 0), "south": (1, 0), "west": (0, -1), "east": (0, 1)}


def connected(places: Sequence[str], more: int, random: Random) -> list[tuple[str, str]]:
    """The edges of a random tree, and about as many `more`; each is given in one direction."""
    edges = [(random.choice(places[:number]), place) for number, place in enumerate(places) if number]
    for _ in range(more if len(places) > 1 else 0):
        one, other = sorted(random.sample(range(len(places)), 2))
        if (places[one], places[other]) not in edges:
            edges.append((places[one], places[other]))
    return edges


def beside(cell: Cell, direction: str) -> Cell:
    """The cell next to another one."""
    (row, column), (down, right) = cell, DIRECTIONS[direction]
    return row + down, column + right


def named(cell: Cell) -> str:
    """Its name in PDDL."""
    return f"c{cell[0]}-{cell[1]}"


def steps(cells: Sequence[Cell]) -> list[tuple[Cell, Cell, str]]:
    """The pairs of neighbours, with the direction from one to the other."""
    free = set(cells)
    return [
        (cell, beside(cell, direction), direction)
        for cell in cells
        for direction in DIRECTIONS
        if beside(cell, direction) in free
    ]


def are_connected(cells: Sequence[Cell]) -> bool:
    """Whether a walk reaches all cells."""
    free, reached = set(cells), {cells[0]}
    waiting = [cells[0]]
    while waiting:
        cell = waiting.pop()
        found = {beside(cell, direction) for direction in DIRECTIONS} & free - reached
        reached |= found
        waiting += sorted(found)
    return reached == free


def with_holes(rows: int, columns: int, holes: int, random: Random) -> list[Cell]:
    """The cells of a grid, with at most so many of them left out, so that the others are connected."""
    cells = [(row, column) for row in range(rows) for column in range(columns)]
    for hole in random.sample(cells, len(cells)):
        if not holes:
            break
        rest = [cell for cell in cells if cell != hole]
        if rest and are_connected(rest):
            cells, holes = rest, holes - 1
    return cells

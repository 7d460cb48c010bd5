"""A domain whose states have a tuple, which every algorithm compiles once for all tests."""

from __future__ import annotations

from typing import Any, NamedTuple

import bestfirst as bf


class Board(NamedTuple):
    cells: tuple[int, ...]
    blank: int


class Tiles(bf.Domain):
    """A sliding-tile puzzle as one writes it in Python. hole: what stands in the cell that a tile leaves."""

    State = Board
    default_heuristic = "manhattan"
    undirected = True

    def __init__(self, cells: list[int], goal: list[int], width: int) -> None:
        self.initial, self.width = Board(tuple(cells), cells.index(0)), width
        self.goal, self.height = tuple(goal), len(cells) // width
        self.max_actions, self.turned, self.hole = 4, 0, 0
        self.bits = {"cells": 4, "blank": 4}

    def step(self, state: Board, action: int) -> Any:
        action ^= self.turned
        row, column = divmod(state.blank, self.width)
        if action < 2:
            row += 2 * action - 1
        else:
            column += 2 * action - 5
        if not (0 <= row < self.height and 0 <= column < self.width):
            return False, state, 1
        there = row * self.width + column
        cells = list(state.cells)
        cells[state.blank], cells[there] = cells[there], self.hole
        return True, Board(tuple(cells), there), 1

    def is_goal(self, state: Board) -> bool:
        return state.cells == self.goal

    def backward(self) -> Tiles:
        other = Tiles(list(self.goal), list(self.initial.cells), self.width)
        other.turned, other.hole = 1 - self.turned, self.hole
        return other

    @bf.heuristic(admissible=True, consistent=True)
    def manhattan(self, state: Board) -> int:
        total = 0
        for place, tile in enumerate(state.cells):
            if tile != 0:
                wanted = self.goal.index(tile)
                total += abs(place // self.width - wanted // self.width) + abs(place % self.width - wanted % self.width)
        return total

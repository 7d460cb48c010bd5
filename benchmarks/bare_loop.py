"""A* as a heap and two dicts in one function: the baseline of the benchmarks."""

from __future__ import annotations

import heapq
from math import inf
from typing import TypeAlias

import bestfirst as bf

Board: TypeAlias = tuple[int, ...]


def bare_loop(puzzle: bf.SlidingTile) -> tuple[float, int]:
    """A* as a heap and two dicts, with the same successors and heuristic, without limits, events and statistics."""
    h, successors, is_goal = puzzle.manhattan, puzzle.successors, puzzle.is_goal
    start = puzzle.initial
    costs: dict[Board, float] = {start: 0}
    parents: dict[Board, tuple[Board, str] | None] = {start: None}
    serial, expanded = 0, 0
    agenda: list[tuple[float, float, int, float, Board]] = [(h(start), h(start), serial, 0, start)]
    while agenda:
        _, _, _, g, state = heapq.heappop(agenda)
        if g > costs[state]:
            continue
        if is_goal(state):
            return g, expanded
        expanded += 1
        for action, child, cost in successors(state):
            child_g = g + cost
            if child_g < costs.get(child, inf):
                costs[child] = child_g
                parents[child] = (state, action)
                estimate = h(child)
                serial += 1
                heapq.heappush(agenda, (child_g + estimate, estimate, serial, child_g, child))
    raise AssertionError("unsolvable")

"""Both engines on the same search."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from hypothesis import strategies as st

import bestfirst as bf


def assert_twins(
    problem: bf.Problem,
    algorithm: str,
    heuristic: str | None = None,
    *,
    expansions: int | None = None,
    threads: int = 1,
    on: Any = None,
    **options: Any,
) -> bf.Solution:
    """Both engines give equal statuses, costs, bounds, paths, warnings and counts, round by round."""
    limits = bf.Limits(expansions=expansions)
    compiled = bf.solve(problem, algorithm, heuristic, engine="compiled", limits=limits, threads=threads, on=on, **options)
    reference = bf.solve(problem, algorithm, heuristic, engine="python", limits=limits, **options)
    assert (compiled.engine, reference.engine) == ("compiled", "python")
    compiled.stats.seconds = reference.stats.seconds
    assert compiled.stats == reference.stats
    assert (compiled.status, compiled.limit, compiled.cost, compiled.lower_bound) == (
        reference.status,
        reference.limit,
        reference.cost,
        reference.lower_bound,
    )
    assert (compiled.actions, compiled.states) == (reference.actions, reference.states)
    assert compiled.warnings == reference.warnings
    histories = [
        [(entry.expanded, repr(entry.cost), entry.lower_bound) for entry in one.history] for one in (compiled, reference)
    ]
    assert histories[0] == histories[1]
    compiled.verify()
    return compiled


def random_board(draw: Callable[..., Any], goal: tuple[int, ...], size: tuple[int, int], longest: int) -> bf.SlidingTile:
    """A board at most so many moves from its goal, with some order of moves; draw: of hypothesis."""
    puzzle = bf.SlidingTile(goal, goal, size=size)
    board = puzzle.initial
    for choice in draw(st.lists(st.integers(0, 3), max_size=longest)):
        following = list(puzzle.successors(board))
        board = following[choice % len(following)][1]
    return bf.SlidingTile(board, goal, size=size, moves=draw(st.sampled_from(["ULRD", "UDLR", "RDLU"])))

"""A contest: several programs answer the same queries in one run, in turns, and must agree on the costs."""

from __future__ import annotations

import gc
import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from statistics import mean, median
from time import process_time
from typing import Any, TypeAlias

Query: TypeAlias = tuple[int, int]
"""The numbers of a start and a goal."""

SAME = 1e-6
"""Relative tolerance of the costs."""


@dataclass
class Contestant:
    """A program: a function that answers a query, and one that computes the cost of an answer, untimed.

    clock: the seconds of an answer, of a program that measures them itself.
    """

    name: str
    answer: Callable[[int, int], Any]
    cost: Callable[[Any], float]
    clock: Callable[[Any], float] | None = None
    seconds: list[float] = field(default_factory=list)


def hold(ours: Sequence[Contestant], others: Sequence[Contestant], queries: Sequence[Query]) -> None:
    """Give all queries to all contestants, and print the time per query and its ratio to each of ours.

    Process time is measured, so that other programs on the machine disturb less.
    """
    contestants = [*ours, *others]
    gc.collect()
    gc.freeze()  # spares the collector the millions of objects in the graphs of the peers
    for contestant in contestants:
        contestant.answer(*queries[0])  # compilation precedes the clock
    for number, (start, goal) in enumerate(queries):
        costs = {}
        for contestant in contestants:
            started = process_time()
            answer = contestant.answer(start, goal)
            taken = process_time() - started
            contestant.seconds.append(taken if contestant.clock is None else contestant.clock(answer))
            costs[contestant.name] = contestant.cost(answer)
        expected = costs[contestants[0].name]
        if not all(math.isclose(cost, expected, rel_tol=SAME) for cost in costs.values()):
            raise SystemExit(f"query {number}, from {start} to {goal}: the contestants disagree on the cost: {costs}")
    gc.unfreeze()
    print(f"{'milliseconds for a query':28}{'mean':>10}{'median':>10}" + "".join(f"{f'/ {own.name}':>28}" for own in ours))
    for contestant in contestants:
        times = f"{1000 * mean(contestant.seconds):10,.2f}{1000 * median(contestant.seconds):10,.2f}"
        ratios = "".join(f"{mean(contestant.seconds) / mean(own.seconds):28,.2f}" for own in ours)
        print(f"{contestant.name:28}{times}{ratios}", flush=True)
    print()

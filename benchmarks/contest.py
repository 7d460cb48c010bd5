"""A contest: several programs answer the same queries in one run, in turns, and must agree about the costs."""

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
"""How much the costs may differ, relative to the cost."""


@dataclass
class Contestant:
    """A program: how it answers a query, and the cost of its answer, which is not timed."""

    name: str
    answer: Callable[[int, int], Any]
    cost: Callable[[Any], float]
    seconds: list[float] = field(default_factory=list)


def hold(ours: Sequence[Contestant], others: Sequence[Contestant], queries: Sequence[Query]) -> None:
    """Ask everyone everything, and print the time of a query and how many times that of each of ours it is.

    It is the time of the process that is measured, so that other programs on the machine disturb less.
    """
    contestants = [*ours, *others]
    gc.collect()
    gc.freeze()  # the graphs of the peers are millions of objects, which are not to be looked through again and again
    for contestant in contestants:
        contestant.answer(*queries[0])  # whoever compiles does so before the clock starts
    for number, (start, goal) in enumerate(queries):
        costs = {}
        for contestant in contestants:
            started = process_time()
            answer = contestant.answer(start, goal)
            contestant.seconds.append(process_time() - started)
            costs[contestant.name] = contestant.cost(answer)
        expected = costs[contestants[0].name]
        if not all(math.isclose(cost, expected, rel_tol=SAME) for cost in costs.values()):
            raise SystemExit(f"query {number}, from {start} to {goal}: the contestants disagree about the cost: {costs}")
    gc.unfreeze()
    print(f"{'milliseconds for a query':28}{'mean':>10}{'median':>10}" + "".join(f"{f'/ {own.name}':>28}" for own in ours))
    for contestant in contestants:
        times = f"{1000 * mean(contestant.seconds):10,.2f}{1000 * median(contestant.seconds):10,.2f}"
        ratios = "".join(f"{mean(contestant.seconds) / mean(own.seconds):28,.2f}" for own in ours)
        print(f"{contestant.name:28}{times}{ratios}", flush=True)
    print()

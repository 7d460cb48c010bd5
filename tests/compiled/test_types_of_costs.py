"""Costs and bounds are of the type that Python's sum gives, whichever engine has made the search."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import bestfirst as bf
from compilable import FloatGraph, IntGraph, TwoWay

EDGES = {0: [(1, 20), (2, 30)], 1: [(3, 13)], 2: [(3, 4)], 3: []}


class FloatEstimates(IntGraph):
    """Costs are ints, estimates floats."""

    def __init__(self, *arguments: Any, **options: Any) -> None:
        super().__init__(*arguments, **options)
        self.guesses = np.array([30.5, 13.0, 4.0, 0.0])

    @bf.heuristic(admissible=True)
    def given(self, state: Any) -> Any:
        return self.guesses[state.node]


class Mixed(IntGraph):
    """Costs are ints, but those of some nodes floats; so are estimates, of other nodes. Python's sum of ints alone is an int."""

    def __init__(
        self, *arguments: Any, halves: dict[int, float], guesses: dict[int, float] | None = None, **options: Any
    ) -> None:
        super().__init__(*arguments, **options)
        nodes = range(len(self.estimates))
        self.is_half, self.halves = (np.array([kind(halves.get(node, 0)) for node in nodes]) for kind in (bool, float))
        self.guesses = np.array([(guesses or {}).get(node, -1.0) for node in nodes])

    def step(self, state: Any, action: int) -> Any:
        target = self.targets[state.node, action]
        if target < 0:
            return False, state, 0
        return (
            True,
            self.State(target),
            self.halves[state.node] if self.is_half[state.node] else self.costs[state.node, action],
        )

    @bf.heuristic(admissible=True)
    def given(self, state: Any) -> Any:
        return self.guesses[state.node] if self.guesses[state.node] >= 0 else self.estimates[state.node]


def solved(domain: bf.Domain, algorithm: str, **options: Any) -> list[bf.Solution]:
    return [bf.solve(domain, algorithm, "given", engine=engine, **options) for engine in ("python", "compiled")]


FLOAT_ESTIMATES = FloatEstimates(EDGES, frozenset([3]), {}, 4, width=3)
MIXED = Mixed(EDGES, frozenset([3]), {0: 10}, 4, width=3, halves={2: 4.5})


@pytest.mark.parametrize(
    ("domain", "algorithm"),
    [
        *((MIXED, algorithm) for algorithm in ("astar", "idastar", "depth-first-branch-and-bound", "beam")),
        (FLOAT_ESTIMATES, "idastar"),
    ],
)
def test_cost_and_bound_are_of_the_type_of_the_sum(domain: IntGraph, algorithm: str) -> None:
    """33, and not 33.0, where the costs on the path are ints, with and without replaying, at a limit too."""
    for options in ({}, {"verify": False}, {"limits": bf.Limits(expansions=2)}):
        reference, compiled = solved(domain, algorithm, **options)
        assert repr((compiled.cost, compiled.lower_bound)) == repr((reference.cost, reference.lower_bound))
        assert compiled.cost is None or type(compiled.cost) is int


def bounds(solution: bf.Solution) -> str:
    return repr((solution.lower_bound, [row.bound for row in solution.stats.iterations]))


def test_bounds_of_iterations_are_ints_where_costs_are() -> None:
    """Where some costs or estimates are floats, the compiled engine computes with floats only; it says 20, not 20.0, too."""
    reference, compiled = solved(MIXED, "idastar")
    assert bounds(compiled) == bounds(reference) == "(33, [10, 20, 30, 33])"
    reference, compiled = solved(FLOAT_ESTIMATES, "idastar")
    assert bounds(compiled) == bounds(reference) == "(33, [30.5, 33])"


def test_before_any_expansion_a_whole_bound_is_an_int() -> None:
    """Neither engine looks at a cost before the first expansion, though the compiled one could."""
    floats = {node: [(to, float(cost)) for to, cost in links] for node, links in EDGES.items()}
    domain = FloatGraph(floats, frozenset([3]), {0: 10.0}, 4, width=3)
    reference, compiled = solved(domain, "astar", limits=bf.Limits(expansions=0))
    assert bounds(compiled) == bounds(reference) == "(10, [])"


def test_searches_from_both_ends_give_ints_too() -> None:
    """The two halves of the path are added up as one."""
    reference, compiled = solved(TwoWay(EDGES, 3, {}, {}), "bidirectional-astar")
    assert repr((compiled.cost, compiled.lower_bound)) == repr((reference.cost, reference.lower_bound)) == "(33, 33)"


def of_large_sums(edges: dict[int, list[tuple[int, int]]], goal: int, large: int) -> Mixed:
    """Costs are ints but for those of a node apart; an estimate is an int, the others are 0.5."""
    return Mixed(
        edges, frozenset([goal]), {1: large}, 10, width=3, halves={9: 0.5}, guesses=dict.fromkeys({*range(10)} - {1}, 0.5)
    )


LARGE = {0: [(1, 2**53), (2, 2**53 + 1)], 1: [(3, 2)], 2: [(3, 0)], 3: [(4, 1)], 4: [], 9: [(9, 1)]}


@pytest.mark.parametrize(
    "algorithm",
    ["astar", "greedy", "weighted-astar", "anytime-weighted-astar", "idastar", "beam", "anytime-beam"],
)
def test_sums_of_ints_that_no_float_holds_are_not_rounded(algorithm: str) -> None:
    """The compiled engine stops where costs may be floats too, and the reference engine makes the search."""
    domain = of_large_sums(LARGE, 4, 3)
    with pytest.raises(bf.WordOverflowError, match=r"2\*\*52; return float\(cost\)|an int beyond 2\*\*53"):
        bf.solve(domain, algorithm, "given", engine="compiled")
    found, reference = (bf.solve(domain, algorithm, "given", engine=engine) for engine in (None, "python"))
    assert (found.cost, found.actions, found.lower_bound) == (reference.cost, reference.actions, reference.lower_bound)


def test_estimates_and_weights_whose_sums_no_float_holds_are_refused() -> None:
    """An int estimate where others are floats, the estimate of the start, and an int weight."""
    edges = {0: [(1, 1)], 1: [(2, 1)], 2: [], 9: [(9, 1)]}
    domain = of_large_sums(edges, 2, 3)
    assert bf.solve(domain, "astar", "given", engine="compiled").cost == 2
    with pytest.raises(bf.InputError, match=r"use weight=5000\.0"):
        bf.solve(domain, "weighted-astar", "given", engine="compiled", weight=5000)
    with pytest.raises(bf.WordOverflowError, match=r"an int beyond 2\*\*53"):
        bf.solve(of_large_sums(edges, 2, 2**50 + 1), "astar", "given", engine="compiled")

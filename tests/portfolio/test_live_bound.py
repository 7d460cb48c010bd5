"""UpperBound: a search that is told of a better solution while it runs seeks only cheaper ones, and still proves what it says."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

import bestfirst as bf
from bestfirst.search.incumbent import UpperBound
from compilable import IntGraph, int_graphs
from profiles import examples

ANYTIME = ["anytime-beam", "anytime-weighted-astar", "limited-discrepancy", "large-neighbourhood-beam"]
DEPTH_FIRST = "depth-first-branch-and-bound"
RUNS = [(name, engine) for name in (*ANYTIME, DEPTH_FIRST) for engine in ("python", "compiled")] + [
    ("lazy-anytime", "python")
]
PANCAKES = bf.Pancake("4 1 7 2 6 3 5")


@pytest.mark.parametrize(("algorithm", "engine"), RUNS)
@given(graph=int_graphs(), before=st.integers(0, 12), more=st.integers(0, 3))
@examples(8)
def test_the_proof_holds_from_any_moment_on(algorithm: str, engine: str, graph: IntGraph, before: int, more: int) -> None:
    """Told of a cost at any moment, a search ends with the bound that is the lower one of that cost and the optimum."""
    best = bf.solve(graph, "uniform-cost", engine="python").cost
    if best is None:
        return
    below = UpperBound()
    search = bf.Search(graph, algorithm, next(iter(graph.heuristics())), engine=engine, upper_bound=below)
    search.run(bf.Limits(expansions=before))
    below.lower(best + more, None)
    solution = search.run()
    assert solution.lower_bound == best
    assert solution.cost == best if more else solution.cost is None or solution.cost >= best


@pytest.mark.parametrize("engine", ["python", "compiled"])
@pytest.mark.parametrize("algorithm", [*ANYTIME, DEPTH_FIRST])
def test_a_told_cost_prunes(algorithm: str, engine: str) -> None:
    """Told the optimum after five expansions, a search proves it with two more at most; alone, it needs 20 or more."""
    alone = bf.solve(PANCAKES, algorithm, "gap", engine=engine)
    below = UpperBound()
    search = bf.Search(PANCAKES, algorithm, "gap", engine=engine, upper_bound=below)
    search.run(bf.Limits(expansions=5))
    assert alone.cost is not None
    below.lower(alone.cost, None)
    told = search.run()
    assert told.lower_bound == alone.cost
    assert told.stats.expanded <= 7
    assert alone.stats.expanded >= 20


@pytest.mark.parametrize("engine", ["python", "compiled"])
def test_large_neighbourhoods_are_those_of_the_best_solution_of_all(engine: str) -> None:
    """Told of a solution, large-neighbourhood-beam takes it as its own, and improves on it."""
    best = bf.solve(PANCAKES)
    longer = [best.actions[0], best.actions[0], *best.actions]
    below = UpperBound()
    search = bf.Search(PANCAKES, "large-neighbourhood-beam", "gap", engine=engine, upper_bound=below)
    search.run(bf.Limits(expansions=3))
    below.lower(len(longer), longer)
    solution = search.run()
    costs = [entry.cost for entry in solution.history if entry.cost is not None]
    assert (costs[0], costs[-1]) == (len(longer), best.cost)


def test_an_upper_bound_is_only_lowered() -> None:
    """A higher cost than the known one is no news."""
    below = UpperBound(10)
    below.lower(12, ["a"])
    assert (below.cost, below.actions) == (10, None)
    below.lower(9, ["b"])
    assert (below.cost, below.actions) == (9, ["b"])

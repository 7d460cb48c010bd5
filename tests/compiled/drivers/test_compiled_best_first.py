"""A*, uniform-cost and greedy search, compiled, against the reference engine: the same search, to the node."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import bestfirst as bf
from bestfirst import preparations
from bestfirst.compiled.drivers import driver, faults, slices
from bestfirst.errors import NotCompilableError
from bestfirst.system import beside
from compilable import FloatGraph, IntGraph, Pancakes
from graphs import admissible_heuristics, graphs
from profiles import examples
from twins import assert_twins, random_board

ALGORITHMS = ["astar", "uniform-cost", "greedy"]
KORF_12 = bf.SlidingTile("14 1 9 6 4 8 12 5 7 2 3 _ 10 11 13 15", goal=range(16))
EASIER = bf.SlidingTile("4 1 _ 3 5 6 2 7 12 10 15 14 9 8 11 13", goal=range(16))
"""A 15-puzzle of some thousand expansions."""


@pytest.mark.parametrize("algorithm", ["astar", "greedy"])
@examples(15)
@given(data=st.data())
def test_the_engines_are_twins_on_random_boards(algorithm: str, data: st.DataObject) -> None:
    """Boards of several sizes, any goal, any order of moves."""
    size = data.draw(st.sampled_from([(3, 3), (4, 4)]))
    goal = tuple(data.draw(st.permutations(range(size[0] * size[1]))))
    assert_twins(random_board(data.draw, goal, size, 30), algorithm)


@pytest.mark.parametrize("algorithm", ["astar", "greedy"])
@examples(25)
@given(stack=st.permutations([1, 2, 3, 4, 5, 6]))
def test_the_engines_are_twins_on_random_pancakes(algorithm: str, stack: list[int]) -> None:
    """A domain as a user would write it."""
    assert_twins(Pancakes(stack), algorithm)


@pytest.mark.parametrize("algorithm", ALGORITHMS)
@examples(40)
@given(data=st.data())
def test_the_engines_are_twins_on_graphs(algorithm: str, data: st.DataObject) -> None:
    """Zero-cost edges, loops, unreachable goals, and inconsistent estimates, for which nodes are reopened."""
    graph = data.draw(graphs(most_nodes=8, costs=st.integers(0, 9)))
    estimate = data.draw(admissible_heuristics(graph))
    truth = graph.distances()
    h = {node: int(estimate(node)) for node in truth if estimate(node) < math.inf}
    edges = {node: [(to, int(cost)) for to, cost in links] for node, links in graph.edges.items()}
    domain = IntGraph(edges, graph.goals, h, 8)
    domain.default_heuristic = "given"
    solution = assert_twins(domain, algorithm)
    if algorithm != "greedy":
        assert solution.cost == (None if truth[0] == math.inf else truth[0])


@pytest.mark.parametrize("algorithm", ["astar", "greedy"])
@pytest.mark.parametrize("expansions", [0, 1, 2, 17, 1000])
def test_the_engines_are_twins_wherever_a_limit_stops_them(algorithm: str, expansions: int) -> None:
    """Exactly as many expansions, and the counts and bounds of that moment."""
    solution = assert_twins(KORF_12, algorithm, expansions=expansions)
    assert (solution.status, solution.limit, solution.stats.expanded) == ("limit", "expansions", expansions)


@pytest.mark.numba
def test_the_arrays_grow_and_the_search_stays_the_same() -> None:
    """Tens of thousands of nodes do not fit into the first arrays; a later slice goes on where they were doubled."""
    whole = assert_twins(KORF_12, "astar", "manhattan")
    assert whole.stats.generated == 97_547
    search = bf.Search(KORF_12, "astar", "manhattan")
    while search.run(bf.Limits(expansions=5_000)).status == "limit":
        pass
    search.stats.seconds = whole.stats.seconds
    assert search.stats == whole.stats


def test_costs_beyond_the_first_buckets_make_more_buckets() -> None:
    """In the middle of an expansion, which is then gone on with."""
    edges = {node: [(node + 1, 700 * (node + 1)), (0, 1), (node + 1, 900)] for node in range(20)}
    domain = IntGraph(edges, frozenset([20]), {node: 3 * (20 - node) for node in range(20)}, 21)
    domain.default_heuristic = "given"
    for algorithm in ALGORITHMS:
        assert_twins(domain, algorithm)


@pytest.mark.parametrize("algorithm", ["astar", "greedy"])
def test_costs_too_large_for_buckets_go_to_a_heap(algorithm: str) -> None:
    """Whether that shows at the root or on the way; the search is the same, and what was done before counts once."""
    edges = {node: [(node + 1, 700 + node), (0, 1), (node + 1, 900)] for node in range(30)}
    edges[20] = [(21, 10**9)]
    seen_late = IntGraph(edges, frozenset([30]), {node: 3 * (30 - node) for node in range(30)}, 31)
    seen_late.default_heuristic = "given"
    assert_twins(seen_late, algorithm)
    seen_early = IntGraph({0: [(1, 10**9)]}, frozenset([1]), {0: 10**8}, 2)
    seen_early.default_heuristic = "given"
    assert assert_twins(seen_early, algorithm).cost == 10**9


@pytest.mark.slow
@pytest.mark.parametrize("algorithm", ["astar", "greedy", "weighted-astar"])
@examples(15)
@given(data=st.data())
def test_the_engines_are_twins_on_graphs_of_float_costs(algorithm: str, data: st.DataObject) -> None:
    """Rounding included; infinite estimates are dead ends in both, at the root too."""
    graph = data.draw(graphs(most_nodes=8, costs=st.floats(0, 9)))
    estimate = data.draw(admissible_heuristics(graph))
    h = {node: float(estimate(node)) for node in graph.distances()}
    domain = FloatGraph(graph.edges, graph.goals, h, 8)
    domain.default_heuristic = "given"
    assert_twins(domain, algorithm)


@examples(30)
@given(data=st.data(), how=st.sampled_from([(1.5, "lifo"), (2, "fifo"), (3.0, "lifo")]))
def test_the_engines_are_twins_by_any_weight_and_ties(data: st.DataObject, how: tuple[float, str]) -> None:
    """Weights that are whole go to buckets, others to a heap; the bound at the goal looks at the whole agenda."""
    graph = data.draw(graphs(most_nodes=8, costs=st.integers(0, 9)))
    estimate = data.draw(admissible_heuristics(graph))
    h = {node: int(estimate(node)) for node in graph.distances() if estimate(node) < math.inf}
    edges = {node: [(to, int(cost)) for to, cost in links] for node, links in graph.edges.items()}
    domain = IntGraph(edges, graph.goals, h, 8)
    domain.default_heuristic = "given"
    assert_twins(domain, "weighted-astar", weight=how[0], ties=how[1])


@pytest.mark.slow
@pytest.mark.parametrize(
    ("algorithm", "options", "ties"),
    [
        *(("astar", {}, ties) for ties in ("fifo", "lifo")),
        *(("greedy", {}, ties) for ties in ("fifo", "lifo")),
        ("weighted-astar", {"weight": 2}, "fifo"),
    ],
)
def test_the_engines_are_twins_by_either_way_to_break_ties(algorithm: str, options: dict[str, Any], ties: str) -> None:
    """On a 15-puzzle, in buckets."""
    assert_twins(EASIER, algorithm, ties=ties, **options)


def test_a_weight_or_ties_that_there_are_not_are_refused_as_in_the_reference_engine() -> None:
    """With the same words."""
    for engine in ("python", "compiled"):
        with pytest.raises(bf.InputError, match=r"weight is 0\.5; use a finite number >= 1"):
            bf.solve(KORF_12, "weighted-astar", weight=0.5, engine=engine)
        with pytest.raises(bf.InputError, match="tie-breaking rule"):
            bf.solve(KORF_12, "astar", ties="best", engine=engine)


def test_an_inconsistent_heuristic_is_reported_as_in_the_reference_engine() -> None:
    """The closed node is reopened, and the warning names the edge."""
    edges = {0: [(1, 1), (2, 1)], 1: [(3, 2)], 2: [(3, 4)], 3: [(4, 3)]}
    domain = IntGraph(edges, frozenset([4]), {0: 5, 1: 5, 3: 1}, 5)
    domain.default_heuristic = "given"
    solution = assert_twins(domain, "astar")
    assert (solution.cost, solution.stats.reopened) == (6, 1)
    assert "inconsistent" in solution.warnings[0]


def test_the_limit_on_memory_stops_before_it_would_be_exceeded() -> None:
    """The arrays are not doubled beyond it, and the bound proved so far comes back."""
    hard = bf.SlidingTile("_ 12 9 13 / 15 11 10 14 / 3 7 2 5 / 4 8 6 1")
    search = bf.Search(hard, "astar", "manhattan", engine="compiled")
    solution = search.run(bf.Limits(memory="8MB", seconds=60))
    assert (solution.status, solution.limit) == ("limit", "memory")
    assert solution.lower_bound >= hard.manhattan(hard.initial)
    before = solution.stats.expanded
    assert search.run(bf.Limits(memory="40MB", seconds=60)).stats.expanded > before


@pytest.mark.parametrize(("cost", "h", "error"), [(-1, 0, bf.CostError), (1, -1, bf.HeuristicError)])
def test_bad_costs_and_estimates_are_errors_as_in_the_reference_engine(cost: int, h: int, error: type[Exception]) -> None:
    """Found in compiled code, explained with state and action."""
    domain = IntGraph({0: [(1, 1)], 1: [(2, cost)], 2: [(3, 1)]}, frozenset([3]), {2: h}, 4)
    domain.default_heuristic = "given"
    with pytest.raises(error):
        bf.solve(domain, "astar", engine="compiled")


@examples(15)
@given(data=st.data())
def test_the_engines_are_twins_by_heuristics_that_overestimate(data: st.DataObject) -> None:
    """A node reopened gets a new record, so the paths through the old one stay what they were."""
    graph = data.draw(graphs(most_nodes=8, costs=st.integers(0, 9)))
    edges = {node: [(to, int(cost)) for to, cost in links] for node, links in graph.edges.items()}
    h = {node: data.draw(st.integers(0, 30)) for node in range(8)}
    domain = Doubtful(edges, graph.goals, h, 8)
    domain.default_heuristic = "given"
    assert_twins(domain, "astar")


class Doubtful(IntGraph):
    """Of whose heuristic nobody says that it never overestimates."""

    @bf.heuristic()
    def given(self, state: IntGraph.State) -> int:
        return self.estimates[state.node]  # type: ignore[no-any-return]


def test_a_wide_state_is_told_apart_in_all_its_fields() -> None:
    """States that differ in one field only are different nodes."""
    domain = IntGraph({node: [(node + 1, 1)] for node in range(500)}, frozenset([500]), {}, 501)
    domain.default_heuristic = "given"
    assert assert_twins(domain, "astar").cost == 500
    assert isinstance(domain.compiled_value("targets"), np.ndarray)


def test_greedy_search_adds_up_costs_beyond_32_bits() -> None:
    """They are no part of its order, so no bucket bounds them."""
    domain = IntGraph({node: [(node + 1, 2**31 - 1)] for node in range(9)}, frozenset([9]), {}, 10)
    domain.default_heuristic = "given"
    assert assert_twins(domain, "greedy").cost == 9 * (2**31 - 1)


def test_a_heuristic_that_returns_another_value_the_second_time_is_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where the agenda has no room for it; memory stays as it is."""

    def root(*arguments: Any, **options: Any) -> Any:
        made = faults.compiled_root(*arguments, **options)
        made.h = 0
        return made

    monkeypatch.setattr(slices, "compiled_root", root)
    with pytest.raises(bf.ProblemError, match="it must always return the same value for a state"):
        bf.solve(IntGraph({0: [(1, 1)]}, frozenset([1]), {0: 10**6}, 2), "astar", "given", engine="compiled")


class HalfGraph(IntGraph):
    """A graph with costs that are ints and an estimate that is a float."""

    @bf.heuristic(admissible=True)
    def half(self, state: Any) -> float:
        return 0.5 if state.node == 0 else 0.0


@pytest.mark.parametrize(("digits", "instead"), [(30, r"weight=1e\+30, or engine='python'"), (400, "engine='python'")])
def test_a_large_int_weight_needs_numbers_of_one_kind(digits: int, instead: str) -> None:
    """The message says what is of two kinds, and what to write."""
    graph = HalfGraph({0: [(1, 1)]}, frozenset({1}), {}, 2)
    with pytest.raises(NotCompilableError, match=f"some costs and estimates are ints and others are floats; use {instead}"):
        bf.solve(graph, "weighted-astar", "half", weight=10**digits, engine="compiled")


def test_a_search_that_ctrl_c_ends_twice_can_be_continued(monkeypatch: pytest.MonkeyPatch) -> None:
    """The slice that was at work is over when the search returns, and no expansion is lost or done twice."""

    class Interrupted(beside.Beside[Any]):
        """The second Ctrl-C comes as soon as a long slice has begun."""

        def wait_for(self, seconds: float) -> bool:
            if seconds == driver.SECONDS_BETWEEN_LOOKS:
                raise KeyboardInterrupt
            return super().wait_for(seconds)

    hard = bf.SlidingTile("_ 12 9 13 / 15 11 10 14 / 3 7 2 5 / 4 8 6 1")
    search = bf.Search(hard, "astar", "manhattan", engine="compiled")
    with monkeypatch.context() as patched:
        patched.setattr(driver, "Beside", Interrupted)
        stopped = search.run()
    assert stopped.status == "interrupted"
    last = stopped.stats.expanded + 1_000
    told = [
        (one.stats.expanded, one.stats.generated, one.stats.duplicates, one.lower_bound)
        for one in (
            search.run(bf.Limits(expansions=1_000)),
            bf.solve(hard, "astar", "manhattan", engine="compiled", limits=bf.Limits(expansions=last)),
        )
    ]
    assert told[0] == told[1]


class OwnGrid(bf.GridMap):
    """A map of a user."""


@pytest.mark.parametrize(("kind", "searches"), [(bf.GridMap, 0), (OwnGrid, 1)])
def test_a_small_search_needs_no_other_thread(
    kind: type[bf.GridMap], searches: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Once its code is loaded; only the methods of users, which may be endless, run in another thread."""
    grid = kind(["." * 9] * 9, (0, 0), (8, 3))
    expected = bf.solve(grid, "astar", engine="compiled")
    begun: list[object] = []

    class Noted(beside.Beside[Any]):
        def __init__(self, *arguments: Any, **options: Any) -> None:
            begun.append(self)
            super().__init__(*arguments, **options)

    for module in (beside, driver, preparations):
        monkeypatch.setattr(module, "Beside", Noted)
    monkeypatch.setattr(driver, "SECONDS_HERE", math.inf)  # a busy machine must not make it a long search
    solution = bf.solve(grid, "astar", engine="compiled")
    assert len(begun) == searches
    assert (solution.actions, solution.stats.expanded) == (expected.actions, expected.stats.expanded)

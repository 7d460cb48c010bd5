"""Large numbers in compiled searches: the reference engine's answers and counts, or the error that 64 bits do not hold them."""

from __future__ import annotations

from math import inf, nan
from typing import Any, NamedTuple

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import bestfirst as bf
from bestfirst.compiled.store.totals import Words
from bestfirst.errors import WordOverflowError
from bestfirst.search_plan import COMPILED_ALGORITHMS
from compilable import FloatGraph, IntGraph, TwoWay
from graphs import graphs
from profiles import examples
from twins import assert_twins

WITH_HEURISTIC = sorted(COMPILED_ALGORITHMS.keys() - {"uniform-cost", "bidirectional-astar"})
"""Uniform-cost search is A* without one: the same kernel, which would be compiled once more."""
LARGEST = 2**63 - 1
COSTS = st.sampled_from([0, 1, 2, 3, 1_000, 10**9, 2**40, 2**53 + 1, 2**58])
ESTIMATES = st.sampled_from([0, 0, 0, 1, 5, 10**9, 2**40, 2**53 + 1, 2**62, LARGEST - 1, LARGEST])


@st.composite
def large_graphs(draw: st.DrawFn) -> IntGraph:
    """Random graphs whose int costs and estimates may be very large; the estimates need not be right."""
    graph = draw(graphs(most_nodes=8, costs=COSTS))
    edges = {node: [(to, int(cost)) for to, cost in links] for node, links in graph.edges.items()}
    domain = IntGraph(edges, graph.goals, {node: draw(ESTIMATES) for node in range(8)}, 8)
    domain.default_heuristic = "given"
    return domain


def assert_twins_or_overflow(domain: bf.Problem, algorithm: str, **options: Any) -> None:
    """Both engines agree; or the compiled one says that a number needs more than 64 bits, which IDA* meets on long cycles."""
    try:
        assert_twins(domain, algorithm, expansions=400, **options)
    except WordOverflowError:
        assert algorithm in {"idastar"}


@pytest.mark.parametrize("algorithm", WITH_HEURISTIC)
@examples(5)
@given(domain=large_graphs())
def test_the_engines_are_twins_whatever_the_ints(algorithm: str, domain: IntGraph) -> None:
    """Costs up to 2**58, and estimates up to the largest int of 64 bits, as stand for hopeless states."""
    assert_twins_or_overflow(domain, algorithm)


@examples(8)
@given(data=st.data())
def test_searches_from_both_ends_are_twins_whatever_the_ints(data: st.DataObject) -> None:
    """Likewise, with estimates of both directions."""
    graph = data.draw(graphs(most_nodes=8, costs=COSTS))
    edges = {node: [(to, int(cost)) for to, cost in links] for node, links in graph.edges.items()}
    forward, back = ({node: data.draw(ESTIMATES) for node in range(8)} for _ in range(2))
    assert_twins(TwoWay(edges, max(graph.goals, default=0), forward, back), "bidirectional-astar", expansions=400)


def line(*costs: int, h: dict[int, int] | None = None) -> IntGraph:
    """A path of such costs to a goal."""
    edges = {node: [(node + 1, cost)] for node, cost in enumerate(costs)}
    domain = IntGraph(edges, frozenset([len(costs)]), h or {}, 8)
    domain.default_heuristic = "given"
    return domain


@pytest.mark.parametrize("algorithm", WITH_HEURISTIC)
def test_a_path_may_cost_as_much_as_64_bits_hold(algorithm: str) -> None:
    """Costs that add up to 2**63 - 1 are summed exactly; one more is an OverflowError that names the method."""
    costs = [2**62, 2**62 - 1]
    assert assert_twins(line(*costs), algorithm).cost == LARGEST
    with pytest.raises(WordOverflowError, match=r"IntGraph\.step.* 9223372036854775808"):
        bf.solve(line(*costs, 1), algorithm, engine="compiled")


@pytest.mark.parametrize("algorithm", WITH_HEURISTIC)
@pytest.mark.parametrize("estimate", [LARGEST, 10**9])
def test_a_large_estimate_for_hopeless_states_takes_no_room(algorithm: str, estimate: int) -> None:
    """It bars no path and makes no array as long as the bound; the largest int is no infinity."""
    hopeless = dict.fromkeys(range(1, 8), estimate)
    solution = assert_twins(line(1, 2, 3, h=hopeless), algorithm)
    assert solution.cost == 6


class Dead(bf.Domain):
    """From the start, one action leads to a dead end of a large estimate, and one to the goal, after `detour` steps."""

    class State(NamedTuple):
        at: int

    unit_cost = True
    max_actions = 2
    default_heuristic = "given"

    def __init__(self, detour: int) -> None:
        self.detour = detour
        self.initial = self.State(0)

    def step(self, state: State, action: int) -> Any:
        if action == 0:
            return state.at == 0, self.State(-1), 1
        return 0 <= state.at < self.detour, self.State(state.at + 1), 1

    def is_goal(self, state: State) -> bool:
        return state.at == self.detour

    @bf.heuristic(admissible=True)
    def given(self, state: State) -> int:
        return 9_223_372_036_854_775_807 if state.at < 0 else 0


@pytest.mark.slow
@pytest.mark.parametrize("threads", [1, 2])
def test_ida_star_keeps_room_for_the_depth_it_reaches(threads: int) -> None:
    """Bounds beyond 2**63 for paths of a few steps, and paths longer than the room that there is at first."""
    assert_twins(Dead(300), "idastar", threads=threads)
    search = bf.Search(line(5, h={0: 10**12, 1: 0}), "idastar", engine="compiled")
    assert search.run().cost == 5
    assert search._stages.attempt.driver.bytes < 10**6  # type: ignore[attr-defined]


@pytest.mark.slow
@pytest.mark.parametrize("algorithm", WITH_HEURISTIC)
@pytest.mark.parametrize(("cost", "h"), [(nan, 0), (inf, 0), (-1.0, 0), (-1.0, 9.0), (1.0, nan), (1.0, -1.0), (9.0, -1.0)])
def test_a_cost_or_an_estimate_that_is_none_is_the_error_of_the_reference_engine(
    algorithm: str, cost: float, h: float
) -> None:
    """NaN, infinite costs and what is negative, be the f of the child within the bound or not; at the start too."""
    wrong = FloatGraph({0: [(1, cost), (2, 1)], 2: [(3, 1.0)]}, frozenset([3]), {0: 2.0, 1: h, 2: 1.0}, 8)
    errors = []
    for engine in ("python", "compiled"):
        with pytest.raises(bf.ProblemError) as raised:
            bf.solve(wrong, algorithm, "given", engine=engine)
        errors.append((type(raised.value), str(raised.value)))
    assert errors[0] == errors[1]


@pytest.mark.parametrize("algorithm", WITH_HEURISTIC)
def test_an_estimate_of_the_start_that_is_none_is_named(algorithm: str) -> None:
    """NaN, and an int beyond 64 bits, which only the reference engine takes."""
    with pytest.raises(bf.HeuristicError, match="nan"):
        bf.solve(FloatGraph({0: [(1, 1.0)]}, frozenset([1]), {0: nan}, 8), algorithm, "given", engine="compiled")
    with pytest.raises(WordOverflowError, match="estimate of the initial state"):
        bf.solve(HugeAtStart({0: [(1, 1)]}, frozenset([1]), {}, 8), algorithm, "huge", engine="compiled")


class HugeAtStart(IntGraph):
    """Its estimate is right in Python, and more than 64 bits hold."""

    @bf.heuristic(admissible=True)
    def huge(self, state: IntGraph.State) -> Any:
        return (state.node + 1) * 4_611_686_018_427_387_904 * 4


def test_arrays_hold_totals_of_ints_and_floats() -> None:
    """Up to the greatest one; what stands for none is infinite."""
    for words, totals in ((Words(floats=False), (0, 1, LARGEST, 2**63, 2**64 - 2)), (Words(floats=True), (0.0, 0.5, 1e300))):
        assert [words.number(total) for total in words.array(*totals)] == list(totals)
        assert words.number(words.array(words.beyond)[0]) == inf


HUGE_WEIGHTS = [1, 3, 2**63 - 1, 10**400]


@pytest.mark.parametrize(
    ("algorithm", "weight"),
    [*(("weighted-astar", weight) for weight in HUGE_WEIGHTS), ("anytime-weighted-astar", 2**63 - 1)],
)
def test_an_int_weight_orders_exactly_whatever_its_size(algorithm: str, weight: int) -> None:
    """Nodes leave in the order of g + weight * h, also where that needs more than 64 bits, and where a float would round."""
    edges = {
        0: [(1, 3), (2, 1), (3, 2), (4, 2**40)],
        1: [(5, 1)],
        2: [(5, 4)],
        3: [(5, 2)],
        4: [(5, 1)],
        5: [(6, 1), (7, 1)],
    }
    h = {0: 5, 1: 2**53, 2: 2**53 + 1, 3: 2**53, 4: LARGEST, 5: 2**62, 6: 2**62}
    domain = IntGraph(edges, frozenset([7]), h, 8)
    domain.default_heuristic = "given"
    assert_twins(domain, algorithm, weight=weight)


@pytest.mark.parametrize("algorithm", ["weighted-astar", "anytime-weighted-astar"])
@examples(5)
@given(domain=large_graphs(), weight=st.sampled_from([2, 3, 2**40 + 1, 2**63, 10**30]))
def test_searches_with_int_weights_are_twins(algorithm: str, domain: IntGraph, weight: int) -> None:
    """The same counts and paths; the bound may differ by the rounding of g / weight, where g has more than 53 bits."""
    compiled, reference = (bf.solve(domain, algorithm, engine=engine, weight=weight) for engine in ("compiled", "python"))
    compiled.stats.seconds = reference.stats.seconds
    assert (compiled.stats, compiled.actions) == (reference.stats, reference.actions)
    assert compiled.lower_bound == pytest.approx(reference.lower_bound, rel=1e-15)


@pytest.mark.parametrize("weight", [1.0, 1e20, 1e308])
def test_a_float_weight_orders_as_floats_do(weight: float) -> None:
    """Beyond int64 too, and where the product is infinite."""
    domain = line(1, 2, 3, h={0: 3, 1: 2, 2: 1})
    assert_twins(domain, "weighted-astar", weight=weight)
    floats = FloatGraph(
        {0: [(1, 1.0), (2, 0.5)], 1: [(3, 1.0)], 2: [(3, 2.0)]}, frozenset([3]), {0: 9.0, 1: 30.0, 2: 40.0}, 8
    )
    assert_twins(floats, "weighted-astar", "given", weight=weight)


@pytest.mark.parametrize("algorithm", ["weighted-astar", "anytime-weighted-astar"])
def test_equal_weighted_totals_are_ordered_by_whole_estimates(algorithm: str) -> None:
    """Also where two of these are the same float."""
    b = 2**53
    edges = {0: [(1, b - 1), (2, b + 1)], 1: [(3, b + 1), (2, b - 1)], 2: [(3, b + 1), (3, b + 1)], 3: []}
    assert_twins(IntGraph(edges, frozenset([3]), {0: 2 * b - 1, 1: b + 1, 2: b}, 4), algorithm, "given", weight=2.3)


def roads(rows: int, most: int) -> IntGraph:
    """A grid of so many rows, whose cells cost up to so much, with the Manhattan distance."""
    costs = np.random.default_rng(1).integers(1, most + 1, rows * rows).tolist()
    edges = {}
    for cell in range(rows * rows):
        x, y = divmod(cell, rows)
        around = [(x + 1, y), (x, y + 1), (x - 1, y), (x, y - 1)]
        inside = [rows * i + j for i, j in around if 0 <= i < rows and 0 <= j < rows]
        edges[cell] = [(other, costs[other]) for other in inside]
    h = {cell: 2 * rows - 2 - sum(divmod(cell, rows)) for cell in edges}
    return IntGraph(edges, frozenset([rows * rows - 1]), h, rows * rows)


@pytest.mark.parametrize(
    ("algorithm", "ties", "most"),
    [
        *[("astar", "fifo", 9), ("astar", "fifo", 5_000), ("astar", "fifo", 3_000_000)],
        ("astar", "lifo", 5_000),
    ],
)
def test_the_agenda_takes_a_small_multiple_of_the_nodes(algorithm: str, ties: str, most: int) -> None:
    """Whatever the costs are, and whether they begin in buckets or not; nodes leave it in the order of the reference engine."""
    domain = roads(40, most)
    assert_twins(domain, algorithm, "given", ties=ties)
    search = bf.Search(domain, algorithm, "given", engine="compiled", ties=ties)
    search.run()
    driver: Any = search._stages.attempt.driver
    assert driver.bytes < 5 * 2**20 + 200 * (search.solution.stats.generated - search.solution.stats.duplicates)


def test_a_search_changes_from_buckets_to_a_heap_in_its_middle() -> None:
    """Where the costs become large only far from the start; records become wider as well."""
    edges = {node: [(node + 1, 1 if node < 40 else 10**6 * node), (min(node + 2, 98), 3)] for node in range(98)}
    edges |= {node: [(node + 1, 2**50)] for node in range(90, 98)}
    domain = IntGraph(edges, frozenset([98]), {}, 99)
    domain.default_heuristic = "given"
    for ties in ("fifo", "lifo"):
        assert_twins(domain, "astar", ties=ties)


@pytest.mark.parametrize("algorithm", ["astar", "greedy", "idastar", "depth-first-branch-and-bound"])
@pytest.mark.parametrize("expansions", range(7))
def test_a_limit_on_expansions_is_exact_where_costs_outgrow_their_records(algorithm: str, expansions: int) -> None:
    """The search is begun again with wider ones, which is no reason to expand more."""
    assert_twins(line(2, 3, 2**62 - 1, 2, 2), algorithm, expansions=expansions)


@pytest.mark.parametrize("weight", [1, 1.0])
@pytest.mark.parametrize("cost", [3, 2**53, 10**17])
def test_weighted_astar_with_weight_1_is_astar(cost: int, weight: float) -> None:
    """Its bound is f, which is exact, and no quotient."""
    solution = assert_twins(line(cost), "weighted-astar", weight=weight)
    assert (solution.status, solution.lower_bound) == ("optimal", cost)


@pytest.mark.parametrize("small", [0.5, 5e-324])
def test_idastar_leaves_a_cycle_whose_cost_is_lost_in_rounding(small: float) -> None:
    """g stays what it was, as on a cycle of actions that cost nothing."""
    edges = {0: [(1, 1e16)], 1: [(2, small)], 2: [(3, small)], 3: [(1, small), (4, 2.0)]}
    domain = FloatGraph(edges, frozenset([4]), dict.fromkeys(range(5), 0.0), 5)
    domain.default_heuristic = "given"
    assert assert_twins(domain, "idastar", expansions=1000).status == "optimal"

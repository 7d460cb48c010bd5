"""Depth-first branch and bound, compiled, against the reference engine: the same search, to the node."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import bestfirst as bf
from bestfirst.compiled.drivers import checkpoint
from bestfirst.errors import WordOverflowError
from compilable import FloatGraph, IntGraph, float_graphs, int_graphs
from profiles import examples
from twins import assert_twins, random_board

NAME = "depth-first-branch-and-bound"
EIGHT = bf.SlidingTile("8 6 7 2 5 4 3 _ 1")
LIMITS = st.one_of(st.none(), st.integers(0, 30))


@examples(20)
@given(domain=int_graphs(), expansions=LIMITS)
def test_the_engines_are_twins_on_graphs_with_int_costs(domain: IntGraph, expansions: int | None) -> None:
    """Zero-cost edges, loops, unreachable goals and inconsistent estimates, wherever a limit stops them."""
    assert_twins(domain, NAME, expansions=expansions)


@examples(20)
@given(domain=float_graphs(), expansions=LIMITS)
def test_the_engines_are_twins_on_graphs_with_float_costs(domain: FloatGraph, expansions: int | None) -> None:
    """Likewise with floats, and with infinite estimates for dead ends."""
    assert_twins(domain, NAME, expansions=expansions)


@examples(12)
@given(data=st.data())
def test_the_engines_are_twins_on_random_boards(data: st.DataObject) -> None:
    """Boards of 9 and 16 cells, any goal, any order of moves, for as long as the reference engine has time."""
    size = data.draw(st.sampled_from([(3, 3), (4, 4)]))
    goal = tuple(data.draw(st.permutations(range(size[0] * size[1]))))
    assert_twins(random_board(data.draw, goal, size, 20), NAME, expansions=data.draw(st.integers(0, 2000)))


@examples(20)
@given(domain=int_graphs(), expansions=LIMITS)
def test_the_engines_are_twins_with_a_memo(domain: IntGraph, expansions: int | None) -> None:
    """They drop the same paths to known states, and find the cheapest solution."""
    solution = assert_twins(domain, NAME, expansions=expansions, memo=True)
    if solution.status != "limit":
        assert solution.cost == bf.solve(domain, "uniform-cost", engine="python").cost


@examples(20)
@given(domain=float_graphs(), expansions=LIMITS)
def test_the_engines_are_twins_with_a_memo_and_float_costs(domain: FloatGraph, expansions: int | None) -> None:
    """Likewise with floats, and with infinite estimates for dead ends."""
    assert_twins(domain, NAME, expansions=expansions, memo=True)


def test_a_memo_grows_and_saves_expansions(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """States are reached by many paths; a memo that has grown gives the same counts, also after saving and loading."""
    plain, whole = bf.solve(EIGHT, NAME, engine="compiled"), assert_twins(EIGHT, NAME, memo=True)
    assert whole.cost == plain.cost and whole.stats.expanded < plain.stats.expanded / 2
    assert whole.stats.duplicates > whole.stats.reopened > 0
    monkeypatch.setattr(checkpoint, "REPLAYED", -1)
    search = bf.Search(EIGHT, NAME, engine="compiled", memo=True)
    search.run(bf.Limits(expansions=5_000))
    search.save(tmp_path / "search")
    again = bf.Search.load(tmp_path / "search", EIGHT).run()
    again.stats.seconds = whole.stats.seconds
    assert (again.stats, again.actions) == (whole.stats, whole.actions)


def test_a_limit_on_memory_stops_a_memo() -> None:
    """The search ends with the best solution so far, and goes on when it may use more."""
    search = bf.Search(EIGHT, NAME, engine="compiled", memo=True)
    stopped = search.run(bf.Limits(memory=200_000))
    assert (stopped.status, stopped.limit) == ("limit", "memory")
    assert search.run().cost == 31


def test_the_best_solution_so_far_comes_back_and_gets_better() -> None:
    """A search stopped again and again has cheaper solutions each time, and ends with the counts of one go."""
    search = bf.Search(EIGHT, NAME, engine="compiled")
    costs: list[float] = []
    while (solution := search.run(bf.Limits(expansions=3000))).status == "limit":
        costs.append(solution.cost or 0)
    assert costs[0] > costs[-1] > 0 and costs == sorted(costs, reverse=True)
    assert (solution.status, solution.cost) == ("optimal", 31)
    whole = bf.solve(EIGHT, NAME, engine="python")
    solution.stats.seconds = whole.stats.seconds
    assert (solution.stats, solution.actions) == (whole.stats, whole.actions)


def test_a_long_search_is_handed_over_with_the_best_solution_so_far() -> None:
    """The compiled engine has by then found it too."""
    solution = bf.solve(EIGHT, NAME)
    assert (solution.engine, solution.cost) == ("compiled", 31)


def test_a_path_of_thousands_of_nodes_is_followed_to_its_end() -> None:
    """Stack, path and table grow; a cheaper way then leads to a state that is on the path no more. No heuristic is needed."""
    length = 5000
    edges = {node: [(node + 1, 2)] for node in range(length)}
    edges[0] = [(1, 2), (length - 1, length)]
    domain = IntGraph(edges, frozenset([length]), {}, length + 1)
    solution = assert_twins(domain, NAME)
    assert (solution.cost, solution.stats.peak_agenda) == (length + 2, length)


def test_a_start_that_is_a_goal_and_one_that_is_hopeless() -> None:
    """Neither needs an expansion."""
    solved = assert_twins(bf.SlidingTile("1 2 3 4 5 6 7 8 _"), NAME)
    assert (solved.cost, solved.stats.expanded) == (0, 0)
    hopeless = FloatGraph({0: [(1, 1.0)]}, frozenset(), {0: float("inf")}, 8)
    hopeless.default_heuristic = "given"
    assert assert_twins(hopeless, NAME).status == "unsolvable"


def test_an_inconsistent_heuristic_is_reported_as_in_the_reference_engine() -> None:
    """The warning names the edge along which f falls."""
    edges = {0: [(1, 1), (2, 1)], 1: [(3, 2)], 2: [(3, 4)], 3: [(4, 3)]}
    domain = IntGraph(edges, frozenset([4]), {0: 5, 1: 5, 3: 1}, 8)
    domain.default_heuristic = "given"
    assert "inconsistent" in assert_twins(domain, NAME).warnings[0]


@pytest.mark.parametrize(
    ("cost", "h", "error"), [(-1, 0, bf.CostError), (1, -1, bf.HeuristicError), (2**63 - 1, 0, WordOverflowError)]
)
def test_bad_costs_and_estimates_are_errors_as_in_the_reference_engine(cost: int, h: int, error: type[Exception]) -> None:
    """Found in compiled code, explained with state and action; costs beyond 64 bits are left to the reference engine."""
    domain = IntGraph({0: [(1, 1)], 1: [(2, cost)], 2: [(3, 1)]}, frozenset([3]), {2: h}, 8)
    domain.default_heuristic = "given"
    with pytest.raises(error):
        bf.solve(domain, NAME, engine="compiled")

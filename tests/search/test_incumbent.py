"""Known solutions, costs to beat, and how a search improved."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import bestfirst as bf
from bestfirst.compiled.drivers import checkpoint
from bestfirst.search.node import total_of
from compilable import FloatGraph, IntGraph, int_graphs
from profiles import examples
from twins import assert_twins

SAVED = ["anytime-beam", "anytime-weighted-astar", "depth-first-branch-and-bound"]
ANYTIME = [*SAVED, "large-neighbourhood-beam", "limited-discrepancy"]
PANCAKES = bf.Pancake("4 1 7 2 6 3 5")
BEST = bf.solve(PANCAKES)


@pytest.mark.parametrize("algorithm", ANYTIME)
def test_twins_with_an_upper_bound(algorithm: str) -> None:
    """Both engines prove that no solution costs less than the optimum, and find one if they may cost more."""
    assert BEST.cost is not None
    none = assert_twins(PANCAKES, algorithm, "gap", upper_bound=BEST.cost)
    assert (none.status, none.limit, none.lower_bound, none.cost) == ("limit", "upper_bound", BEST.cost, None)
    some = assert_twins(PANCAKES, algorithm, "gap", upper_bound=BEST.cost + 0.5)
    assert (some.status, some.cost) == ("optimal", BEST.cost)


@pytest.mark.parametrize("algorithm", ANYTIME)
def test_twins_with_an_incumbent(algorithm: str) -> None:
    """Both engines start with a known solution, keep it if it is optimal, and improve it otherwise."""
    kept = assert_twins(PANCAKES, algorithm, "gap", incumbent=BEST)
    assert (kept.status, kept.actions) == ("optimal", BEST.actions)
    longer = [BEST.actions[0], BEST.actions[0], *BEST.actions]
    improved = assert_twins(PANCAKES, algorithm, "gap", incumbent=longer)
    assert (improved.status, improved.cost) == ("optimal", BEST.cost)
    assert improved.history[0].cost == len(longer)
    stopped = bf.solve(PANCAKES, algorithm, "gap", incumbent=longer, limits=bf.Limits(expansions=0))
    assert (stopped.status, stopped.cost) == ("limit", len(longer))


@pytest.mark.parametrize("algorithm", ANYTIME)
@given(graph=int_graphs())
@examples(15)
def test_bounds_on_graphs(algorithm: str, graph: IntGraph) -> None:
    """With the cost to beat one above the optimum, the optimum is found; with the optimum itself, nothing."""
    best = bf.solve(graph, "uniform-cost", engine="python")
    heuristic = next(iter(graph.heuristics()))
    if best.cost is None:
        return
    above = bf.solve(graph, algorithm, heuristic, engine="python", upper_bound=best.cost + 1)
    assert (above.status, above.cost) == ("optimal", best.cost)
    below = bf.solve(graph, algorithm, heuristic, engine="python", upper_bound=best.cost)
    assert (below.cost, below.lower_bound) == (None, best.cost)


@pytest.mark.parametrize("algorithm", [*ANYTIME, "astar", "idastar"])
def test_history(algorithm: str) -> None:
    """The history of both engines is the same apart from its times; costs fall, bounds rise, and the end is the solution."""
    runs = [bf.solve(PANCAKES, algorithm, "gap", engine=engine) for engine in ("python", "compiled")]
    one, other = ([(row.expanded, row.cost, row.lower_bound) for row in run.history] for run in runs)
    assert one == other
    for run in runs:
        assert run.history[-1].cost == run.cost
        assert run.history[-1].lower_bound == run.lower_bound
        for before, after in zip(run.history, run.history[1:], strict=False):
            assert before.seconds <= after.seconds
            assert before.expanded <= after.expanded
            assert before.lower_bound <= after.lower_bound
            assert before.cost is None or (after.cost is not None and after.cost <= before.cost)


@pytest.mark.parametrize("engine", ["python", "compiled"])
def test_on_improvement(engine: str) -> None:
    """A function is told of better solutions while the search runs, each of which is a whole solution."""
    told: list[bf.Solution] = []
    solution = bf.solve(PANCAKES, "anytime-beam", "gap", engine=engine, on_improvement=told.append)
    costs: list[Any] = [one.cost for one in told]
    assert costs == sorted(costs, reverse=True)
    assert len(set(costs)) == len(costs)
    assert costs[-1] == solution.cost
    for one in told:
        one.verify()


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"incumbent": [99]}, "action 1 of incumbent is 99, which is not legal"),
        ({"incumbent": []}, "not a goal"),
        ({"incumbent": 5}, "pass a Solution"),
        ({"incumbent": bf.solve(PANCAKES, limits=bf.Limits(expansions=1))}, "a Solution without a path"),
        ({"upper_bound": Fraction(9, 2)}, "use an int or a float"),
        ({"upper_bound": -1}, "upper_bound is -1"),
        ({"upper_bound": "12"}, "upper_bound is '12'"),
    ],
)
def test_stated_wrongly(options: Any, words: str) -> None:
    """An incumbent that is no path to a goal, and a bound that is no number, are refused."""
    with pytest.raises(bf.InputError, match=words):
        bf.solve(PANCAKES, "anytime-beam", "gap", **options)


@pytest.mark.parametrize("engine", ["python", "compiled"])
def test_a_state_in_an_error_is_that_of_the_user(engine: str) -> None:
    """Not its packed form, in either engine."""
    board = bf.SlidingTile("8 6 7 2 5 4 3 _ 1")
    with pytest.raises(bf.InputError, match=r"incumbent ends in \(8, 6, 7, 2, 5, 4, 3, 0, 1\), which"):
        bf.solve(board, "anytime-beam", "manhattan", engine=engine, incumbent=[])


@pytest.mark.parametrize("engine", ["python", "compiled"])
@pytest.mark.parametrize("upper_bound", [2**53, float(2**53), 2.0**62])
def test_a_whole_upper_bound_is_an_exact_lower_bound(engine: str, upper_bound: float) -> None:
    """As an int or as a float, however large."""
    far = IntGraph({0: [(1, 2**62)]}, frozenset({1}), {0: 2**62}, 2)
    solution = bf.solve(far, "depth-first-branch-and-bound", "given", engine=engine, upper_bound=upper_bound)
    assert (solution.limit, solution.lower_bound) == ("upper_bound", 2**62)


@pytest.mark.parametrize("algorithm", SAVED)
@pytest.mark.parametrize("longer", [False, True])
def test_saved_searches(algorithm: str, longer: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A search with a known solution or a cost to beat goes on after it was saved and loaded."""
    monkeypatch.setattr(checkpoint, "REPLAYED", 10 if longer else 100_000)
    for options in ({"incumbent": bf.solve(PANCAKES, "greedy")}, {"upper_bound": 7}, {"upper_bound": 9.5}):
        search = bf.Search(PANCAKES, algorithm, "gap", engine="compiled", **options)
        search.run(bf.Limits(expansions=15))
        search.save(tmp_path / "search")
        whole = search.run()
        again = bf.Search.load(tmp_path / "search", PANCAKES).run()
        assert (again.status, again.limit, again.cost, again.lower_bound) == (
            whole.status,
            whole.limit,
            whole.cost,
            whole.lower_bound,
        )
        assert again.stats.expanded == whole.stats.expanded


def test_a_better_goal_survives_loading(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A saved search that has improved on its incumbent keeps the better solution when it is loaded."""
    monkeypatch.setattr(checkpoint, "REPLAYED", 0)
    longer = [BEST.actions[0], BEST.actions[0], *BEST.actions, BEST.actions[-1], BEST.actions[-1]]
    search = bf.Search(PANCAKES, "anytime-weighted-astar", "gap", engine="compiled", incumbent=longer)
    for expansions in range(1, 40):
        found = search.run(bf.Limits(expansions=1))
        if found.cost != len(longer) and not search.ended:
            search.save(tmp_path / "search")
            assert bf.Search.load(tmp_path / "search", PANCAKES).solution.cost == found.cost
            return
        assert expansions < 39


class Links(bf.Problem[int, int]):
    """A graph of whole costs with an estimate that is a float."""

    initial = 0

    def __init__(self, links: dict[int, list[tuple[int, int]]], goal: int) -> None:
        self.links, self.goal = links, goal

    def is_goal(self, state: int) -> bool:
        return state == self.goal

    def successors(self, state: int) -> Any:
        return [(to, to, cost) for to, cost in self.links.get(state, [])]

    @bf.heuristic(admissible=True)
    def nothing(self, _state: int) -> float:
        return 0.0


@pytest.mark.parametrize("algorithm", [*ANYTIME, "lazy-anytime"])
@pytest.mark.parametrize("cost", [2**53 + 1, 2**53 + 3, 2**80 + 1])
def test_a_float_estimate_does_not_round_a_whole_cost(algorithm: str, cost: int) -> None:
    """A solution is found if and only if its whole cost is below the bound, also where no float represents it."""
    for links, goal in (({0: [(1, cost)]}, 1), ({0: [(1, cost)], 1: [(2, 0)]}, 2)):
        none = bf.solve(Links(links, goal), algorithm, "nothing", upper_bound=cost)
        assert (none.cost, none.limit, none.lower_bound) == (None, "upper_bound", cost)
        some = bf.solve(Links(links, goal), algorithm, "nothing", upper_bound=cost + 1)
        assert (some.cost, some.status, some.lower_bound) == (cost, "optimal", cost)


@pytest.mark.parametrize("algorithm", [*ANYTIME, "lazy-anytime", "astar", "idastar"])
def test_a_float_estimate_does_not_hide_a_cheaper_solution(algorithm: str) -> None:
    """Of two solutions that differ by 1 beyond 2**53, the cheaper is found."""
    solution = bf.solve(Links({0: [(1, 2**53 + 2), (2, 2**53)], 2: [(1, 1)]}, 1), algorithm, "nothing")
    assert (solution.cost, solution.status) == (2**53 + 1, "optimal")


@given(g=st.integers(0, 2**70), h=st.floats(0, 2**60))
@examples(60)
def test_total(g: int, h: float) -> None:
    """f never exceeds g + h where it is an int, is not below g, and is the float sum where floats represent all ints."""
    f = total_of(g, h)
    assert g <= f
    if g + h < 2**53:
        assert repr(f) == repr(g + h)
    else:
        assert isinstance(f, int)
        least = g + Fraction(h) * (1 - Fraction(1, 2**47)) - 2
        assert least <= f <= g + Fraction(h)


@pytest.mark.parametrize("engine", ["python", "compiled"])
@pytest.mark.parametrize("algorithm", SAVED)
def test_an_upper_bound_that_no_float_represents(engine: str, algorithm: str) -> None:
    """Costs that are floats are compared with the int itself; one beyond all floats bounds nothing."""
    graph = FloatGraph({0: [(1, 2.0**53)]}, frozenset([1]), {}, 2)
    for upper_bound in (2**53 + 1, 10**400):
        assert bf.solve(graph, algorithm, "given", engine=engine, upper_bound=upper_bound).cost == 2.0**53
    none = bf.solve(graph, algorithm, "given", engine=engine, upper_bound=2**53)
    assert (none.cost, none.limit) == (None, "upper_bound")


@pytest.mark.parametrize("algorithm", SAVED)
def test_an_incumbent_stays_where_no_solution_is_better(algorithm: str) -> None:
    """Also if the records of the search become wider."""
    graph = IntGraph({0: [(1, 2**40), (2, 2**40)]}, frozenset([1, 2]), {}, 3)
    solution = assert_twins(graph, algorithm, "given", incumbent=[1])
    assert (solution.actions, solution.status) == ([1], "optimal")


@pytest.mark.parametrize("upper_bound", [2**53, 10**18 + 1, 1e18])
@pytest.mark.parametrize("algorithm", SAVED)
def test_a_bound_that_was_given_is_not_rounded(algorithm: str, upper_bound: float) -> None:
    """By a float estimate either: the lower bound is at least as large."""
    graph = IntGraph({0: [(1, 1)]}, frozenset([2]), {0: 0.5}, 3)  # type: ignore[dict-item]
    none = assert_twins(graph, algorithm, "given", upper_bound=upper_bound)
    assert (none.limit, none.lower_bound) == ("upper_bound", upper_bound)


@pytest.mark.parametrize("engine", ["python", "compiled"])
@pytest.mark.parametrize("algorithm", ["weighted-astar", "anytime-weighted-astar"])
def test_a_weight_of_1_rounds_nothing(engine: str, algorithm: str) -> None:
    """As a float, too: the cheaper of two solutions that differ by 1 beyond 2**53 is found."""
    graph = IntGraph({0: [(1, 2**53 + 1), (2, 2**53)]}, frozenset([1, 2]), {}, 3)
    solution = bf.solve(graph, algorithm, "given", engine=engine, weight=1.0)
    assert (solution.cost, solution.status) == (2**53, "optimal")

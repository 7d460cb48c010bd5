"""Lazy searches, preferred actions, and what they prove with heuristics that overestimate."""

from __future__ import annotations

from math import inf
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import bestfirst as bf
from bestfirst.search import greedy, lazy_anytime, lazy_greedy
from bestfirst.search.node import Node
from bestfirst.search.open_list import by_estimate
from bestfirst.search.preferred import BOOST, PreferredAgenda
from graphs import Graph, graphs
from profiles import examples

LAZY = ["lazy-greedy", "lazy-anytime"]
PREFERRING = ["greedy", *LAZY]
# 0 is the start, 5 the goal; from 1 the way is long, from 2 it is short and cheap.
CHOICE = Graph({0: [(1, 1), (2, 1)], 1: [(3, 5)], 2: [(4, 1)], 3: [(5, 1)], 4: [(5, 1)]}, 0, frozenset([5]))
ESTIMATES: dict[int, float] = {0: 3, 1: 1, 2: 2, 3: 1, 4: 1, 5: 0}


def calls_of(estimates: dict[int, float]) -> tuple[list[int], Any]:
    """A heuristic, and the states for which it was called."""
    calls: list[int] = []

    def h(state: int) -> float:
        calls.append(state)
        return estimates[state]

    return calls, h


def overestimating(draw: Any, graph: Graph) -> dict[int, float]:
    """Random estimates: neither admissible nor consistent; infinite at some dead ends only."""
    return {
        node: inf if distance == inf and draw(st.booleans()) else draw(st.sampled_from([0, 1, 2.5, 7, 30]))
        for node, distance in graph.distances().items()
    }


def test_a_state_is_evaluated_when_its_turn_comes() -> None:
    """Both children of the start wait with its estimate, and the first one goes first; the other one is never evaluated."""
    calls, h = calls_of(ESTIMATES)
    solution = bf.solve(CHOICE, "lazy-greedy", h)
    assert calls == [0, 1, 3, 5]
    assert (solution.actions, solution.cost, solution.status) == (["to 1", "to 3", "to 5"], 7, "solved")
    assert (solution.stats.expanded, solution.stats.generated, solution.stats.peak_agenda) == (3, 5, 1)
    assert solution.states == [0, 1, 3, 5]


def test_the_events_of_a_lazy_search() -> None:
    """A node shows the estimate of its parent until it is expanded with its own; the child that waits on keeps it."""
    events = list(bf.Search(CHOICE, "lazy-greedy", ESTIMATES.__getitem__))
    kinds = ["generate", "expand", "generate", "generate", "expand", "generate", "expand", "generate", "goal"]
    assert [event.kind for event in events] == kinds
    assert [(event.state, event.h) for event in events if event.kind == "expand"] == [(0, 3), (1, 1), (3, 1)]
    assert [event.h for event in events if event.kind == "generate" and event.state == 2] == [3]


def test_a_state_that_was_reached_before_is_dropped_in_its_turn() -> None:
    """The start is generated again, and pruned when it leaves the agenda; a dead end is, too."""
    graph = Graph({0: [(0, 1), (1, 1), (2, 1)], 2: [(3, 1)]}, 0, frozenset([3]))
    search = bf.Search(graph, "lazy-greedy", {0: 1, 1: inf, 2: 1, 3: 0}.__getitem__)
    reasons = [event.reason for event in search if event.kind == "prune"]
    assert reasons == ["its state was reached before", "dead end: h is infinite"]
    solution = search.solution
    assert (solution.status, solution.stats.duplicates, solution.stats.pruned) == ("solved", 0, 2)


@pytest.mark.parametrize("algorithm", PREFERRING)
def test_preferred_actions_go_first(algorithm: str) -> None:
    """The preferred child is expanded before the other one, which has a lower estimate."""
    h = bf.Heuristic(ESTIMATES.__getitem__, "given", preferred=lambda state: ["to 2"] if state == 0 else [])
    options: dict[str, Any] = {"preferred": True} if algorithm == "greedy" else {}
    search = bf.Search(CHOICE, algorithm, h, **options)
    expanded = [event.state for event in search if event.kind == "expand"]
    assert expanded[:2] == [0, 2]
    without = bf.Search(CHOICE, algorithm, h, preferred=False)
    assert [event.state for event in without if event.kind == "expand"][:2] == [0, 1]


def node(h: float, parent: Node | None = None, action: str = "") -> Node:
    made = Node(h, parent, action, 0, 0)
    made.h = h
    return made


def test_two_queues_take_turns() -> None:
    """After the boost the queue of preferred nodes is as good as the other one, which goes first if both had as many turns."""
    agenda = PreferredAgenda(by_estimate, preferred=lambda _state: ["yes"])
    root = node(9)
    agenda.push(root)
    assert agenda.pop() is root
    plain = [node(h, root, "no") for h in (10, 11, 12)]
    preferred = [node(h, root, "yes") for h in (20, 21, 22, 23)]
    for child in plain + preferred:
        agenda.push(child)
    agenda._turns = [0, 0]
    assert (len(agenda), agenda.peek()) == (7, plain[0])
    order = [plain[0], preferred[0], plain[1], preferred[1], plain[2], preferred[2], preferred[3]]
    assert list(agenda) == order
    assert [agenda.pop() for _ in order] == order
    assert (len(agenda), agenda.peek()) == (0, None)


def test_progress_gives_the_preferred_queue_many_turns() -> None:
    """A lower estimate than all before gives it BOOST turns; an equal one none."""
    agenda = PreferredAgenda(by_estimate, preferred=None)
    for h, turns in ((5, -BOOST), (5, -BOOST), (6, -BOOST), (4, -2 * BOOST)):
        agenda.note(h)
        assert agenda._turns == [0, turns]


@pytest.mark.parametrize("algorithm", PREFERRING)
@examples(20)
@given(data=st.data())
def test_searches_with_preferred_actions_are_complete(algorithm: str, data: st.DataObject) -> None:
    """On random graphs, with random preferences and estimates, a solution is found if there is one."""
    graph = data.draw(graphs())
    estimates = overestimating(data.draw, graph)
    liked = data.draw(st.sets(st.sampled_from([f"to {target}" for target in range(6)])))
    h = bf.Heuristic(estimates.__getitem__, "random", admissible=False, preferred=lambda _: sorted(liked), safe=True)
    solution = bf.solve(graph, algorithm, h, preferred=True)
    solution.verify()
    optimum = graph.distances()[graph.initial]
    if optimum == inf:
        assert (solution.status, solution.lower_bound, solution.warnings) == ("unsolvable", inf, [])
        return
    assert solution.cost is not None
    assert solution.cost >= optimum - 1e-9
    if algorithm == "lazy-anytime":
        assert (solution.status, solution.condition, solution.warnings) == ("optimal", None, [])
        assert solution.cost == pytest.approx(optimum)


@examples(60)
@given(data=st.data())
def test_no_false_proof(data: st.DataObject) -> None:
    """Whatever is declared of a heuristic that overestimates and reports false dead ends, optimal means optimal.

    The only exception is a condition that the solution states.
    """
    graph = data.draw(graphs())
    truth = graph.distances()
    estimates = {state: data.draw(st.sampled_from([0, 1, 4, 30, inf])) for state in truth}
    optimum = truth[graph.initial]
    h = bf.Heuristic(estimates.__getitem__, "wrong", admissible=data.draw(st.sampled_from([False, None])))
    weights = data.draw(st.sampled_from([[1], [3], [5, 2.5]]))
    solution = bf.solve(graph, "lazy-anytime", h, weights=weights)
    if solution.condition is None:
        assert solution.lower_bound <= optimum + 1e-9
        assert solution.status != "unsolvable" or optimum == inf
        assert solution.status != "optimal" or solution.cost == pytest.approx(optimum)
    else:
        assert h.admissible is None and solution.condition == "heuristic 'wrong' never overestimates"


@examples(40)
@given(data=st.data())
def test_an_upper_bound_below_which_nothing_is_overlooked(data: st.DataObject) -> None:
    """With a bound above the optimum the optimum is found; with the optimum itself it is proved that nothing is cheaper."""
    graph = data.draw(graphs(costs=st.integers(0, 5)))
    optimum = graph.distances()[graph.initial]
    if optimum == inf:
        return
    h = bf.Heuristic(overestimating(data.draw, graph).__getitem__, "random", admissible=False, safe=True)
    above = bf.solve(graph, "lazy-anytime", h, upper_bound=optimum + 1)
    assert (above.status, above.cost) == ("optimal", optimum)
    below = bf.solve(graph, "lazy-anytime", h, upper_bound=optimum)
    assert (below.status, below.limit, below.lower_bound) == ("limit", "upper_bound", optimum)


def test_a_safe_heuristic_proves_that_there_is_no_solution() -> None:
    """A heuristic that overestimates and reports dead ends proves nothing, unless it is declared safe."""
    graph = Graph({0: [(1, 1)]}, 0, frozenset([2]))
    h = {0: 5, 1: inf, 2: 0}.__getitem__
    for algorithm in PREFERRING:
        doubtful = bf.solve(graph, algorithm, bf.Heuristic(h, "h", admissible=False))
        assert (doubtful.status, doubtful.limit, doubtful.lower_bound) == ("limit", "heuristic", 0)
        assert any("can overestimate" in warning for warning in doubtful.warnings)
        safe = bf.solve(graph, algorithm, bf.Heuristic(h, "h", admissible=False, safe=True))
        assert (safe.status, safe.lower_bound, safe.warnings) == ("unsolvable", inf, [])


def test_iterations_and_their_costs() -> None:
    """Each weight has an iteration, and each solution is better; an admissible heuristic prunes by f and saves expansions."""
    puzzle = bf.SlidingTile("8 6 7 2 5 4 3 _ 1")
    solution = bf.solve(puzzle, "lazy-anytime", "manhattan", engine="python")
    assert (solution.status, solution.cost) == ("optimal", 31)
    assert [row.bound for row in solution.stats.iterations] == [inf, 5, 3, 2, 1]
    costs = [row.cost for row in solution.history if row.cost is not None]
    assert costs == sorted(costs, reverse=True) and costs[-1] == 31
    few = bf.solve(puzzle, "lazy-anytime", "manhattan", engine="python", weights=[1])
    assert [row.bound for row in few.stats.iterations] == [inf, 1]


def test_a_heuristic_without_preferred_actions() -> None:
    """Lazy searches do without them; greedy search with preferred=True says that there are none."""
    assert bf.solve(CHOICE, "lazy-greedy", ESTIMATES.__getitem__, preferred=True).found
    with pytest.raises(bf.InputError, match="no preferred actions; omit preferred"):
        bf.solve(CHOICE, "greedy", ESTIMATES.__getitem__, preferred=True)


def test_preferred_actions_must_be_a_list() -> None:
    h = bf.Heuristic(ESTIMATES.__getitem__, "given", preferred=lambda _: "to 2")
    with pytest.raises(bf.ProblemError, match="return a list of actions"):
        bf.solve(CHOICE, "lazy-greedy", h)


@pytest.mark.parametrize("weights", [[], "53", 5, [0.5], [1, inf], [True], None])
def test_bad_weights(weights: Any) -> None:
    with pytest.raises(bf.InputError, match="weight"):
        bf.solve(CHOICE, "lazy-anytime", ESTIMATES.__getitem__, weights=weights)


@pytest.mark.parametrize("run", [greedy, lazy_greedy, lazy_anytime])
def test_plain_functions_run_the_generators(run: Any) -> None:
    """A generator needs no Heuristic object."""
    assert [step.kind for step in run(CHOICE, ESTIMATES.__getitem__)].count("goal") >= 1


@pytest.mark.parametrize("algorithm", LAZY)
def test_the_compiled_engine_says_that_it_has_no_such_search(algorithm: str) -> None:
    with pytest.raises(bf.InputError, match=f"{algorithm} has no compiled version"):
        bf.solve(bf.SlidingTile("1 2 / 3 _"), algorithm, engine="compiled")
    assert "no compiled version" in bf.plan(bf.SlidingTile("1 2 / 3 _"), algorithm).why["engine"]

"""audit: is a heuristic admissible, is it consistent?"""

from __future__ import annotations

import json
import math
import signal
from collections.abc import Callable, Iterator
from contextlib import suppress
from time import monotonic
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bestfirst.domains.sliding_tile import SlidingTile
from bestfirst.errors import CostError, HeuristicError, InputError, ProblemError, UnknownNameError
from bestfirst.heuristics import Heuristic, heuristic, scaled, watch
from bestfirst.heuristics.audit import EXAMPLES, InconsistentEdge, Overestimate, audit
from bestfirst.heuristics.space import explore
from bestfirst.problem import Problem
from graphs import Graph, admissible_heuristics, graphs
from profiles import examples

FIVE = SlidingTile("1 2 3 / 4 5 _")
FIFTEEN = SlidingTile("14 1 9 6 4 8 12 5 7 2 3 _ 10 11 13 15", goal=range(16))
# A start with a dead end (3) and two ways to the goal (2): 0 -> 1 -> 2 costs 1 + 4, 0 -> 2 costs 6.
FORK = Graph({0: [(1, 1), (2, 6), (3, 1)], 1: [(2, 4)]}, 0, frozenset({2}))


def estimates(*values: float) -> Heuristic:
    return Heuristic(dict(enumerate(values)).__getitem__, "table")


@st.composite
def estimated_graphs(draw: st.DrawFn) -> tuple[Graph, dict[int, float]]:
    """A random graph with an arbitrary estimate for each node."""
    graph = draw(graphs())
    value = st.one_of(st.integers(0, 12), st.just(math.inf))
    return graph, {node: draw(value) for node in graph.distances()}


def exceeds(h: float, bound: float) -> bool:
    return h > bound + 1e-9


@given(estimated_graphs())
@examples(100)
def test_every_counter_example_is_counted(case: tuple[Graph, dict[int, float]]) -> None:
    """On random graphs with arbitrary estimates the counts and figures are those of the definitions."""
    graph, h = case
    result = audit(graph, h.__getitem__)
    space = explore(graph)
    assert space is not None
    truth = graph.distances()
    high = [node for node in space.states if exceeds(h[node], truth[node])]
    falls = [
        (node, target, cost)
        for node in space.states
        for target, cost in graph.edges.get(node, [])
        if exceeds(h[node], cost + h[target])
    ]
    assert result.exhaustive
    assert (result.admissible, result.consistent) == (not high, not falls)
    assert (result.overestimates, result.inconsistent_edges) == (len(high), len(falls))
    assert {found.state for found in result.examples} <= set(high)
    assert len(result.examples) == min(len(high), EXAMPLES)
    assert {(found.state, found.next_state, found.cost) for found in result.edge_examples} <= set(falls)
    assert sum(result.histogram.values()) == result.states == len(space)
    json.dumps(result.to_dict(), allow_nan=False)
    assert result.heuristic in str(result)


@given(st.data())
@examples(100)
def test_an_admissible_heuristic_passes(data: st.DataObject) -> None:
    """Fractions of the true distance are found admissible, and the true distance consistent as well."""
    graph = data.draw(graphs())
    assert audit(graph, data.draw(admissible_heuristics(graph))).admissible
    perfect = audit(graph, graph.distances().__getitem__)
    assert (perfect.admissible, perfect.consistent) == (True, True)


def test_the_smallest_counter_examples_come_first() -> None:
    """By true distance, then by h; with all the numbers."""
    result = audit(FORK, estimates(9, 5, 0, 0))
    assert result.examples == [Overestimate(1, 5, 4), Overestimate(0, 9, 5)]
    assert result.edge_examples == [
        InconsistentEdge(1, 2, 4, 5, 0),
        InconsistentEdge(0, 1, 1, 9, 5),
        InconsistentEdge(0, 2, 6, 9, 0),
        InconsistentEdge(0, 3, 1, 9, 0),
    ]
    assert [found.fall for found in result.edge_examples] == [1, 3, 3, 8]
    assert (result.states, result.edges) == (4, 4)
    assert result.warnings == []


def test_true_distance_counts_before_h_in_the_order_of_examples() -> None:
    """States 1 and 2 are 4 away, 3 is 3 away: it comes first although its h is the largest."""
    star = Graph({0: [(1, 1), (2, 1), (3, 1)], 1: [(4, 4)], 2: [(4, 4)], 3: [(4, 3)]}, 0, frozenset({4}))
    result = audit(star, estimates(0, 6, 5, 9, 0))
    assert [(found.state, found.h) for found in result.examples] == [(3, 9), (2, 5), (1, 6)]
    assert [(found.state, found.h) for found in result.edge_examples] == [(3, 9), (2, 5), (1, 6)]


def test_a_dead_end_may_have_any_estimate_but_does_not_count_in_the_means() -> None:
    """From state 3 no goal can be reached: no estimate is too high there, and its edges alone can be inconsistent."""
    result = audit(FORK, estimates(5, 4, 0, math.inf))
    assert (result.admissible, result.consistent) == (True, True)
    assert (result.mean_h, result.mean_distance) == (3, 3)
    assert (result.largest_h, result.largest_distance) == (5, 5)
    assert result.histogram == {(0, 0): 1, (4, 4): 1, (5, 5): 1, (math.inf, math.inf): 1}


def test_an_infinite_estimate_where_a_goal_can_be_reached_is_an_overestimate() -> None:
    """And nothing infinite gets into the JSON."""
    result = audit(FORK, estimates(math.inf, 0, 0, 0))
    assert result.examples == [Overestimate(0, math.inf, 5)]
    assert result.inconsistent_edges == 3
    answer = json.loads(json.dumps(result.to_dict(), allow_nan=False))
    assert (answer["mean_h"], answer["largest_h"], answer["examples"][0]["h"]) == (None, None, None)
    assert {"h": 0, "distance": None, "states": 1} in answer["histogram"]


def test_rounding_is_no_counter_example() -> None:
    """0.1 + 0.2 exceeds 0.3 only by the rounding of floats."""
    graph = Graph({0: [(1, 0.3)]}, 0, frozenset({1}))
    result = audit(graph, estimates(0.1 + 0.2, 0))
    assert (result.admissible, result.consistent) == (True, True)


@pytest.mark.parametrize(("distance", "too_high", "beside"), [(10**12, 3.0, 10_000), (10**15, 3.0, 0), (2**53, 2.0, 0)])
def test_a_whole_distance_has_no_rounding(distance: int, too_high: float, beside: int) -> None:
    """An estimate beyond it hides the cheaper of two paths, however large the distance and the space are."""
    edges: dict[int, list[tuple[int, float]]] = {0: [(1, distance + 2), (2, 1), (3, 0)], 2: [(1, distance)]}
    edges |= {state: [(state + 1, 0)] for state in range(3, 3 + beside)}
    result = audit(Graph(edges, 0, frozenset({1})), lambda state: distance + too_high if state == 2 else 0)
    assert (result.exhaustive, result.admissible, result.consistent) == (True, False, False)
    assert [found.state for found in result.examples] == [2]


@pytest.mark.parametrize(
    ("h", "verdict"),
    [
        ((5, 4, 0, 0), "is admissible, but is not consistent"),
        ((0, 0, 0, 0), "is admissible and consistent"),
        ((6, 5, 1, 5), "is not admissible, but is consistent"),
        ((9, 9, 9, 0), "is neither admissible nor consistent"),
    ],
)
def test_the_report_starts_with_the_verdict(h: tuple[float, ...], verdict: str) -> None:
    """One question can be answered with yes and the other with no, either way round."""
    assert str(audit(FORK, estimates(*h))).startswith(f"table {verdict}.\n")


def test_the_report() -> None:
    """The verdict, what was looked at, the counterexamples with their numbers, the means."""
    heuristic = Heuristic(estimates(9, 4, 0, 9).function, "guess", admissible=True, consistent=True)
    assert str(audit(FORK, heuristic)).splitlines() == [
        "guess is neither admissible nor consistent.",
        "Exhaustive: all 4 states reachable from the start, and their 4 edges.",
        "It overestimates in 1 state, such as",
        "  0   h 9, true distance 5",
        "f falls along 2 edges, such as",
        "  0 -> 1   h 9 -> 4, cost 1: f falls by 4",
        "  0 -> 2   h 9 -> 0, cost 6: f falls by 3",
        "Mean h 4.3333, mean true distance 3.0000; largest h 9, largest true distance 5.",
        "No goal can be reached from 1 state; h is infinite in 0 of them. The means leave them out.",
        "Warning: guess is declared admissible, but is not.",
        "Warning: guess is declared consistent, but is not.",
    ]


def test_the_report_says_which_dead_ends_are_recognised() -> None:
    """How many there are, and in how many h is infinite; nothing if there is none."""
    graph = Graph({0: [(1, 1), (2, 1), (3, 1)]}, 0, frozenset({1}))
    assert "from 2 states; h is infinite in 1 of them." in str(audit(graph, estimates(1, 0, math.inf, 7)))
    assert "No goal" not in str(audit(FIVE, "manhattan"))


def test_one_exploration_serves_several_audits() -> None:
    """With the space given, successors are not asked for again."""
    graph = Graph(FORK.edges, 0, FORK.goals)
    space = explore(graph)
    calls = graph.calls
    assert audit(graph, estimates(5, 4, 0, 9), space=space).admissible
    assert not audit(graph, estimates(6, 4, 0, 9), space=space).admissible
    assert graph.calls == calls


def test_the_space_of_another_problem_is_refused() -> None:
    """Its distances would be those to another goal."""
    with pytest.raises(InputError, match="another problem"):
        audit(FIVE, "manhattan", space=explore(SlidingTile("1 2 / 3 _")))


def test_an_unsolvable_problem_is_audited_with_a_warning() -> None:
    """All its states are looked at; no estimate is too high, and the report gives the reason."""
    result = audit(SlidingTile("2 1 3 / 4 5 _"), "manhattan")
    assert (result.states, result.admissible, result.consistent) == (360, True, True)
    assert (result.mean_h, result.mean_distance, result.largest_h, result.largest_distance) == (None,) * 4
    assert "no goal can be reached" in result.warnings[0] and "parity" in result.warnings[0]
    assert "parity" in str(result)


def test_a_space_found_to_have_no_goal_is_audited_with_a_warning() -> None:
    """Also where only the exploration shows it."""
    result = audit(Graph({0: [(1, 1)]}), estimates(7, 0))
    assert (result.admissible, result.consistent) == (True, False)
    assert result.warnings == ["no goal can be reached from the start, so no estimate can be too high"]


@pytest.mark.slow
def test_a_larger_space_is_sampled() -> None:
    """Without a counter-example the answer is None, not True; the report says what was looked at."""
    result = audit(FIFTEEN, "manhattan", states=1000, samples=8)
    assert (result.exhaustive, result.admissible, result.consistent) == (False, None, None)
    assert (result.overestimates, result.inconsistent_edges) == (0, 0)
    assert result.states > 20_000 and result.edges > 2 * result.states
    assert "20,000 states nearest the goal" in result.sampled
    assert sum(result.histogram.values()) == result.states - result.undecided
    report = str(result)
    assert report.startswith("manhattan may be admissible and consistent: the sample has no counterexample.\nSampled: ")
    assert f"; the true distance of {result.undecided} of them was not found.\n  (the 20,000 states nearest" in report
    json.dumps(result.to_dict(), allow_nan=False)


@pytest.mark.slow
def test_a_sample_finds_counter_examples() -> None:
    """Three times the Manhattan distance overestimates on the first move already."""
    result = audit(FIFTEEN, scaled(3, FIFTEEN.heuristics()["manhattan"]), states=0, samples=0)
    assert (result.admissible, result.consistent) == (False, False)
    assert result.examples[0].distance == 1
    assert result.edge_examples[0].h == 3


@pytest.mark.slow
def test_a_sample_can_be_repeated() -> None:
    """The same seed gives the same audit."""
    first, second = (audit(FIFTEEN, "misplaced", states=0, samples=6, seed=5).to_dict() for _ in range(2))
    assert first == second


def test_a_sample_that_meets_no_goal_says_so() -> None:
    """Nothing is known about admissibility then; the edges are checked all the same."""
    line = Problem.of(0, lambda state: [("on", state + 1, 1)], lambda _: False)
    result = audit(line, lambda state: 2 * (1000 - state), states=10, samples=5)
    assert (result.admissible, result.consistent) == (None, False)
    assert result.undecided == result.states
    assert (result.mean_h, result.histogram) == (None, {})
    assert result.warnings == ["no goal was found from any sampled state, so no overestimate could be found"]
    assert str(result).startswith("<lambda> may be admissible, but is not consistent.")


@pytest.mark.parametrize("value", [-1, math.nan, None, "far"])
@pytest.mark.parametrize("states", [1000, 0])
def test_an_estimate_that_is_none_is_refused(value: Any, states: int) -> None:
    """Below 0, NaN, or no number: the error names the heuristic and the state, whole space or sample."""
    with pytest.raises(HeuristicError, match=f"'broken' returns {value!r} for state 1"):
        audit(FORK, Heuristic(lambda state: value if state == 1 else 0, "broken"), states=states)


def test_a_heuristic_that_cannot_be_used_is_refused_before_the_space_is_explored() -> None:
    """P + 3S needs a goal with the blank in the centre."""
    heard: list[str] = []
    with pytest.raises(InputError, match="blank in the centre"):
        audit(FIVE, "sequence", progress=lambda doing, _: heard.append(doing))
    assert heard == []


def test_bad_arguments_are_refused() -> None:
    """Each with what is wrong and what to write instead."""
    with pytest.raises(UnknownNameError, match="did you mean manhattan"):
        audit(FIVE, "manhatan")
    with pytest.raises(InputError, match="pass an instance of a Problem"):
        audit(SlidingTile, "manhattan")  # type: ignore[arg-type]
    with pytest.raises(InputError, match="samples is -1"):
        audit(FIVE, "manhattan", samples=-1)
    with pytest.raises(InputError, match="states is -1"):
        audit(FIVE, "manhattan", states=-1)
    with pytest.raises(CostError):
        audit(Graph({0: [(1, -1)]}), estimates(0, 0))


def test_progress_tells_what_is_being_done() -> None:
    """Exploring, estimating and comparing, or measuring, walking, sampling, estimating and comparing."""
    heard: list[str] = []
    audit(FIVE, "manhattan", progress=lambda doing, _: heard.append(doing))
    assert heard == ["exploring", "estimating", "comparing"]
    heard.clear()
    audit(FIFTEEN, "manhattan", states=0, samples=2, progress=lambda doing, _: heard.append(doing))
    assert list(dict.fromkeys(heard)) == ["measuring", "walking", "sampling", "estimating", "comparing"]


def pressed_after(calls: int, function: Callable[[Any], Any]) -> Callable[[Any], Any]:
    """The function, during whose call of that number Ctrl-C is pressed."""
    called = 0

    def pressing(state: Any) -> Any:
        nonlocal called
        called += 1
        if called == calls:
            signal.raise_signal(signal.SIGINT)
        return function(state)

    return pressing


def steps_of(puzzle: Problem, calls: int) -> Problem:
    """The same problem, in which Ctrl-C is pressed while the successors of so many states have been asked for."""
    return Problem.of(puzzle.initial, pressed_after(calls, puzzle.successors), puzzle.is_goal)


def test_an_interrupted_exploration_says_what_holds_for_the_states_met() -> None:
    """Distances are known where no state outside can be nearer to a goal; estimates and edges are compared as far as that."""
    goal = FIVE.initial
    whole = explore(FIVE)
    assert whole is not None
    truth = dict(zip(whole.states, whole.distances, strict=True))
    result = audit(steps_of(SlidingTile(goal, goal, size=(2, 3)), 100), lambda state: 1.5 * truth[state])
    assert result.interrupted and not result.exhaustive
    assert (result.admissible, result.consistent) == (False, False)
    assert 100 < result.states < 360 and 0 < result.edges < whole.edges
    assert 20 < result.states - result.undecided == sum(result.histogram.values()) < 50
    assert all(truth[found.state] == found.distance for found in result.examples)
    assert "\nInterrupted: " in str(result)
    assert json.loads(json.dumps(result.to_dict()))["interrupted"] is True


@given(st.data())
@examples(100)
def test_what_an_interrupted_audit_proves_is_true(data: st.DataObject) -> None:
    """On random graphs, wherever Ctrl-C is pressed: each distance, and each counter-example, is one of the whole audit."""
    graph, h = data.draw(estimated_graphs())
    truth = graph.distances()
    calls = data.draw(st.integers(1, 10))
    problem = Problem.of(graph.initial, pressed_after(calls, graph.successors), graph.is_goal)
    part = audit(problem, h.__getitem__)
    whole = audit(graph, h.__getitem__)
    assert part.interrupted or part.exhaustive
    assert part.states <= whole.states and part.edges <= whole.edges
    assert part.admissible in (None, whole.admissible) and part.consistent in (None, whole.consistent)
    assert all(found.distance == truth[found.state] for found in part.examples)
    assert all(number <= whole.histogram[pair] for pair, number in part.histogram.items())


@pytest.mark.parametrize("states", [1000, 0])
def test_ctrl_c_while_estimating_keeps_the_states_before(states: int) -> None:
    """Whole space or sample: those that were estimated are judged, and the true distances of all of these are known."""
    result = audit(FIVE, pressed_after(40, lambda _: 99), states=states)
    assert result.interrupted
    assert 38 <= result.states <= 40
    assert (result.overestimates, result.admissible, result.consistent) == (result.states, False, None)
    assert result.undecided == 0


def test_ctrl_c_while_a_sample_is_taken_gives_a_smaller_one(monkeypatch: pytest.MonkeyPatch) -> None:
    """The ball around the goal has the true distances it had, and no further walks are made."""
    problem = SlidingTile("14 1 9 6 4 8 12 5 7 2 3 _ 10 11 13 15", goal=range(16))
    backward = problem.backward()
    assert backward is not None
    monkeypatch.setattr(backward, "successors", pressed_after(50, backward.successors))
    monkeypatch.setattr(problem, "backward", lambda: backward)
    result = audit(problem, "manhattan", states=0)
    assert result.interrupted and "0 random walks" in result.sampled
    assert 45 < result.states < 55
    assert result.admissible is None


@pytest.mark.parametrize("states", [1000, 0])
@pytest.mark.parametrize("member", ["estimate", "successors"])
def test_one_ctrl_c_ends_a_call_that_does_not_return(monkeypatch: pytest.MonkeyPatch, member: str, states: int) -> None:
    """An endless estimate, or list of successors, in which the first Ctrl-C is pressed: what was found before is judged."""
    for name in ("SECONDS_TO_JUDGE", "SECONDS_OF_A_LONG_CALL"):
        monkeypatch.setattr(watch, name, 0.05)

    def endless(state: int) -> int:
        if state >= 3:
            until = monotonic() + 0.05
            while monotonic() < until:
                pass
            signal.raise_signal(signal.SIGINT)
            while True:
                pass
        return state

    forward = endless if member == "successors" else int
    line = Problem.of(0, lambda state: [("on", forward(state) + 1, 1)] * (state < 9), lambda state: state == 9)
    result = audit(line, endless if member == "estimate" else int, states=states, samples=20)
    assert result.interrupted and result.states >= 1
    assert "that had not returned after" in result.warnings[-1]


def test_a_second_ctrl_c_ends_an_audit_at_once() -> None:
    """Then it is a KeyboardInterrupt, as everywhere, here in a heuristic that catches the first."""

    def twice(_state: Any) -> float:
        with suppress(KeyboardInterrupt):
            signal.raise_signal(signal.SIGINT)
        signal.raise_signal(signal.SIGINT)
        return 0

    function = Heuristic(lambda state: 0 if state == 0 else twice(state), "twice")
    with pytest.raises(KeyboardInterrupt):
        audit(FORK, function)


class Faulty(Problem):
    """A line of numbers whose members can be made to raise errors."""

    initial = 0

    def __init__(self, member: str) -> None:
        self.member = member

    def at(self, member: str, state: int) -> None:
        if member == self.member and state == 3:
            raise ZeroDivisionError("division by zero")

    def successors(self, state: int) -> Iterator[tuple[str, int, int]]:
        self.at("successors", state)
        if state < 9:
            yield "on", state + 1, 1

    def is_goal(self, state: int) -> bool:
        self.at("is_goal", state)
        return state == 9

    def estimate(self, state: int) -> float:
        self.at("estimate", state)
        return 0


@pytest.mark.parametrize("states", [1000, 0])
@pytest.mark.parametrize(
    ("member", "said"),
    [
        ("successors", r"^successors\(3\) raised ZeroDivisionError: division by zero \(.*test_audit.py:\d+, in at\)$"),
        ("is_goal", r"^is_goal\(3\) raised ZeroDivisionError"),
        ("estimate", r"^heuristic 'estimate' for state 3 raised ZeroDivisionError"),
    ],
)
def test_an_error_of_the_problems_own_code_says_member_and_state(member: str, said: str, states: int) -> None:
    """Whole space or sample: the ProblemError names the call and the line, and the error itself is its cause."""
    problem = Faulty(member)
    with pytest.raises(ProblemError, match=said) as refusal:
        audit(problem, problem.estimate, states=states)
    assert isinstance(refusal.value.__cause__, ZeroDivisionError)


def test_a_state_that_cannot_be_shown_is_named_by_its_kind() -> None:
    """A faulty __repr__ does not hide the error; a long one is cut."""

    class Shy:
        def __repr__(self) -> str:
            raise ValueError

    for state, shown in ((Shy(), "<a Shy that cannot be shown>"), ("x" * 999, r"'x{199}\.\.\.")):
        with pytest.raises(ProblemError, match=rf"^is_goal\({shown}\) raised KeyError"):
            audit(Problem.of(state, lambda _: [], {}.__getitem__), lambda _: 0)


class Edges(Problem):
    """A chain of edges with given costs; h is given by state."""

    initial = 0

    def __init__(self, costs: list[float], estimates: list[float]) -> None:
        self.costs, self.estimates = costs, estimates

    def successors(self, state: int) -> list[tuple[str, int, float]]:
        return [("on", state + 1, self.costs[state])] if state < len(self.costs) else []

    def is_goal(self, state: int) -> bool:
        return state == len(self.costs)

    @heuristic()
    def given(self, state: int) -> float:
        return self.estimates[state]


@pytest.mark.parametrize(("costs", "estimates"), [([1e-13, 1e-13], [0, 9e-13, 0]), ([1, 1 - 9e-10], [0, 1 + 9e-11, 0])])
def test_small_overestimates_are_found(costs: list[float], estimates: list[float]) -> None:
    """However small the numbers are: more than rounding can explain is an overestimate, and an inconsistent edge."""
    found = audit(Edges(costs, estimates), "given")
    assert found.admissible is False
    assert found.consistent is False


def test_rounding_is_no_overestimate() -> None:
    """The sum of ten tenths is less than 1, which is the true distance but for rounding."""
    found = audit(Edges([0.1] * 10, [1.0] + [(10 - place) / 10 for place in range(1, 11)]), "given")
    assert found.admissible is True


def test_means_of_the_largest_numbers_are_finite() -> None:
    """A sum beyond the range of floats is no reason to lose an audit."""
    assert audit(Edges([2e307, 6e307], [0, 0, 0]), "given").mean_distance == pytest.approx((8e307 / 3) + 6e307 / 3)


def test_an_interrupt_in_progress_leaves_what_was_found() -> None:
    """As Ctrl-C does."""

    def progress(_doing: str, number: int) -> None:
        if number > 0:
            raise KeyboardInterrupt

    assert audit(SlidingTile("1 2 3 4 5 6 7 8 _"), "manhattan", progress=progress).interrupted

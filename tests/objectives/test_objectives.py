"""Problems with another objective than the sum of costs: the largest cost, costs of ends, profits and negative costs."""

from __future__ import annotations

import json
import math
from itertools import islice, pairwise, permutations
from pathlib import Path
from types import MappingProxyType, SimpleNamespace
from typing import Any, NamedTuple, cast

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

import bestfirst as bf
from bestfirst.cli.app import run
from bestfirst.errors import CompileError, CostError, HeuristicError, ProblemError, VerificationError
from bestfirst.experiments.making import made
from bestfirst.heuristics.space import explore
from paths_of_graphs import KINDS, NONE, PROBLEMS, Earning, Ending, Gaining, Largest, LargestEnding, Weighted, best, weighted
from profiles import examples
from twins import assert_twins

BRANCH = "depth-first-branch-and-bound"
"""Its kernel compiles quickly."""
OPTIMAL = [
    *("uniform-cost", "astar", "idastar", "rbfs", "branch-and-bound", "depth-first-branch-and-bound", "anytime-beam"),
    *("large-neighbourhood-beam", "anytime-weighted-astar", "lazy-anytime", "limited-discrepancy", "best-first-tree"),
]


def heuristic_for(algorithm: str) -> str | None:
    """The heuristic of the graphs, for an algorithm that takes one."""
    return None if algorithm == "uniform-cost" else "given"


def assert_best(solution: bf.Solution, graph: Weighted) -> None:
    """A search has found the best value of all paths, and proved it."""
    expected = best(graph)
    assert solution.status == ("unsolvable" if expected is None else "optimal")
    assert (solution.cost is None) == (expected is None)
    if expected is not None:
        assert solution.cost == pytest.approx(expected)
        assert solution.lower_bound == solution.cost
        assert solution.upper_bound == (solution.cost if graph.maximise else math.inf)
    solution.verify()


@pytest.mark.parametrize("algorithm", OPTIMAL)
@pytest.mark.parametrize("kind", KINDS)
@given(data=st.data())
@examples(5)
def test_all_algorithms_find_the_best_of_all_paths(kind: Any, algorithm: str, data: st.DataObject) -> None:
    """In the reference engine, every algorithm that proves optimality finds the best value of all paths."""
    graph = data.draw(weighted(kind))
    assert_best(bf.solve(graph, algorithm, heuristic_for(algorithm), engine="python"), graph)


@pytest.mark.parametrize("kind", KINDS)
@given(data=st.data())
@examples(15)
def test_both_engines_agree_on_all_objectives(kind: Any, data: st.DataObject) -> None:
    """Both engines give equal answers and counts for each objective, and find the best value of all paths."""
    graph = data.draw(weighted(kind))
    assert_best(assert_twins(graph, "astar", "given"), graph)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("kind", "algorithm"),
    [
        *(
            (LargestEnding, name)
            for name in ("uniform-cost", "anytime-beam", "anytime-weighted-astar", "limited-discrepancy")
        ),
        *((Earning, name) for name in ("idastar", "depth-first-branch-and-bound", "large-neighbourhood-beam")),
    ],
)
@given(data=st.data())
@examples(10)
def test_both_engines_agree_in_all_algorithms(kind: Any, algorithm: str, data: st.DataObject) -> None:
    """Both engines give equal answers and counts in each algorithm that is compiled."""
    graph = data.draw(weighted(kind))
    assert_best(assert_twins(graph, algorithm, heuristic_for(algorithm)), graph)


@pytest.mark.slow
@pytest.mark.parametrize(("kind", "algorithm"), [(Ending, BRANCH), (Gaining, BRANCH), (Earning, "astar")])
@given(data=st.data())
@examples(15)
def test_both_engines_agree_on_floats(kind: Any, algorithm: str, data: st.DataObject) -> None:
    """With costs that are floats, too, both engines find the best value of all paths, but for rounding."""
    graph = data.draw(weighted(kind, floats=True))
    assert_best(assert_twins(graph, algorithm, "given"), graph)


@given(data=st.data())
@examples(15)
def test_the_largest_of_floats(data: st.DataObject) -> None:
    """The reference engine finds the path with the least largest cost if costs are floats."""
    graph = data.draw(weighted(Largest, floats=True))
    assert_best(bf.solve(graph, "astar", "given", engine="python"), graph)


def test_the_compiled_engine_says_that_it_cannot_take_the_largest_of_floats() -> None:
    """The error names the method and the reason."""
    floats = Largest([[1.5] * 5] * 5, [False, True, True, True, True], [0] * 5, [0] * 5)
    with pytest.raises(CompileError, match=r"step cannot be compiled: its costs are floats, but with path_cost = 'max'"):
        bf.solve(floats, "uniform-cost", engine="compiled")


@pytest.mark.parametrize("algorithm", ["astar", "idastar", "anytime-beam", "depth-first-branch-and-bound"])
@pytest.mark.parametrize("kind", PROBLEMS)
@given(data=st.data())
@examples(15)
def test_problems_that_are_no_domains(kind: Any, algorithm: str, data: st.DataObject) -> None:
    """A Problem that is not a Domain can have each objective, and names its own actions and states."""
    graph = data.draw(weighted(kind))
    solution = bf.solve(PROBLEMS[kind](graph), algorithm, "given")
    assert_best(solution, graph)
    assert solution.actions == [f"to {state}" for state in solution.states[1:]]


def earning(**changes: Any) -> Earning:
    """A chain of nodes: each of the edges to the next one earns 3, and skipping a node earns 5. Ending at node n earns n."""
    weights = [[3 if to == at + 1 else 5 if to == at + 2 else NONE for to in range(5)] for at in range(5)]
    return Earning(**{"weights": weights, "goals": [True] * 5, "ends": range(5), "estimates": [24, 18, 12, 7, 4]} | changes)


LARGEST = Largest([[NONE, 5, 2, NONE, NONE], [NONE, NONE, NONE, 1, NONE], [NONE, 4, NONE, 9, NONE], [NONE] * 5, [NONE] * 5], *(
    [False, False, False, True, False], [0] * 5, [0] * 5
))  # fmt: skip


def test_a_solution_speaks_of_the_problem() -> None:
    """The states, actions and costs of a solution, its history and what on_improvement is told are those of the problem."""
    told: list[bf.Solution] = []
    problem = earning()
    solution = bf.solve(problem, "depth-first-branch-and-bound", "given", on_improvement=told.append)
    assert (solution.cost, solution.lower_bound, solution.upper_bound) == (16, 16, 16)
    assert solution.actions == [1, 2, 3, 4]
    assert solution.states == [problem.State(node) for node in range(5)]
    assert [entry.cost for entry in solution.history][-1] == 16
    assert all(entry.cost is None or entry.cost <= 16 <= entry.upper_bound for entry in solution.history)
    costs = [one.cost for one in told]
    assert costs[-1] == 16
    assert costs == sorted(costs, key=lambda cost: cost or 0)
    assert str(solution).startswith("profit 16, 4 actions, optimal")
    assert solution.to_dict()["upper_bound"] == 16


class Sack(bf.Domain):
    """Take or leave each item; room is a resource."""

    class State(NamedTuple):
        item: int
        room: int

    maximise = True
    max_actions = 2
    resources = MappingProxyType({"room": "more"})

    def __init__(self, weights: list[int], profits: list[int], room: int) -> None:
        self.weights, self.profits = np.array(weights), np.array(profits)
        self.left = np.array([sum(profits[item:]) for item in range(len(profits) + 1)])
        self.items = len(weights)
        self.initial = self.State(0, room)

    def step(self, state: State, action: int) -> Any:
        if state.item == self.items:
            return False, state, 0
        weight = self.weights[state.item] * action
        return weight <= state.room, self.State(state.item + 1, state.room - weight), self.profits[state.item] * action

    def is_goal(self, state: State) -> bool:
        return state.item == self.items

    def most_gain(self, state: State) -> Any:
        return self.left[state.item]


class Fractions(Sack, keeps_claims=True):
    """Items whose profits are floats that no sum represents exactly."""

    def __init__(self, profits: list[float]) -> None:
        super().__init__([1] * len(profits), [0] * len(profits), len(profits))
        self.profits = np.array(profits)
        self.left = np.array([sum(profits[item:]) for item in range(len(profits) + 1)])


@given(profits=st.lists(st.floats(0.01, 9).map(lambda profit: round(profit, 2)), min_size=1, max_size=8))
@examples(60)
def test_a_promise_that_is_kept_up_to_rounding(profits: list[float]) -> None:
    """If all that most_gain promises is gained, rounding makes no cost negative, and the solution is verified."""
    solution = bf.solve(Fractions(profits), engine="python")
    assert solution.status == "optimal"
    assert solution.cost == pytest.approx(sum(profits))
    assert solution.upper_bound == solution.cost
    solution.verify()


def test_a_goal_state_is_not_the_end_if_a_later_end_is_cheaper() -> None:
    """A search goes on beyond a goal state whose end costs more than going on and ending elsewhere."""
    graph = Ending(
        [[NONE, 1, NONE, NONE, NONE], [NONE, NONE, 2, NONE, NONE], [NONE] * 5, [NONE] * 5, [NONE] * 5],
        [False, True, True, False, False],
        [0, 9, 3, 0, 0],
        [0] * 5,
    )
    solution = bf.solve(graph)
    assert (solution.cost, solution.actions) == (6, [1, 2])


def test_a_limit_gives_bounds_of_the_problem() -> None:
    """A search of profits that a limit stops has an upper bound, and what it has found is a lower bound."""
    stopped = bf.solve(earning(), "anytime-beam", "given", width=1, limits=bf.Limits(expansions=3))
    assert stopped.status == "limit"
    assert stopped.lower_bound == stopped.cost
    assert 16 <= stopped.upper_bound < math.inf
    nothing = bf.solve(earning(goals=[False] * 5), "astar", "given", limits=bf.Limits(expansions=1))
    assert (nothing.lower_bound, nothing.upper_bound) == (-math.inf, 21)
    assert "upper bound 21" in str(nothing)
    none = bf.solve(earning(goals=[False] * 5))
    assert (none.status, none.upper_bound) == ("unsolvable", -math.inf)


def test_a_limit_on_depth_counts_the_actions_of_the_problem() -> None:
    """A limit on depth leaves out longer paths, and not those of this length, whose end is an action of the search."""
    assert bf.solve(earning(), "idastar", "given", limits=bf.Limits(depth=2)).cost == 14  # two actions earn 10, the end 4


@pytest.mark.parametrize("engine", ["python", "compiled"])
def test_incumbents_and_upper_bounds(engine: str) -> None:
    """A known solution and a cost to beat are given as the problem has them."""
    solution = bf.solve(earning(), "anytime-beam", "given", incumbent=[1, 2, 3, 4], engine=engine)
    assert (solution.status, solution.cost) == ("optimal", 16)
    again = bf.solve(earning(), "anytime-beam", "given", incumbent=solution, engine=engine)
    assert (again.status, again.cost) == ("optimal", 16)
    with pytest.raises(bf.InputError, match=r"upper_bound .*maximise"):
        bf.solve(earning(), "anytime-beam", "given", upper_bound=3)
    with pytest.raises(bf.InputError, match="goal"):
        bf.solve(earning(goals=[False] * 5), "anytime-beam", "given", incumbent=[1])
    negative = Gaining([[NONE, -4, 1, NONE, NONE], *[[NONE] * 5] * 4], [False, True, True, False, False], [0] * 5, [-9] * 5)
    none = bf.solve(negative, "anytime-beam", "given", upper_bound=-4, engine=engine)
    assert (none.found, none.limit, none.lower_bound) == (False, "upper_bound", -4)
    assert bf.solve(negative, "anytime-beam", "given", upper_bound=-3, engine=engine).cost == -4


class Line(bf.Problem):
    """A single path, whose costs are floats and may be negative. slack: how much too much most_gain promises."""

    initial = 0

    def __init__(self, costs: list[float], slack: float) -> None:
        self.costs, self.slack = costs, slack

    def successors(self, state: int) -> Any:
        return [("on", state + 1, self.costs[state])] if state < len(self.costs) else []

    def is_goal(self, state: int) -> bool:
        return state == len(self.costs)

    def most_gain(self, state: int) -> float:
        return sum(max(0, -cost) + self.slack for cost in self.costs[state:])


@given(costs=st.lists(st.integers(-9999, 9999).map(lambda cost: cost / 1000), min_size=1, max_size=12))
@examples(200)
@example(costs=[8.709, -6.862])
@example(costs=[0.1, 0.2, -0.3])
def test_a_solution_is_below_an_upper_bound_of_floats(costs: list[float]) -> None:
    """The cost of the only solution, as upper bound, excludes this solution, and a larger number does not."""
    problem = Line(costs, 1.209)
    cost = bf.solve(problem, "astar", "zero").cost
    assert cost is not None
    none = bf.solve(problem, "anytime-beam", "zero", upper_bound=cost)
    assert (none.found, none.limit) == (False, "upper_bound")
    assert none.lower_bound == pytest.approx(cost, abs=1e-9)
    assert bf.solve(problem, "anytime-beam", "zero", upper_bound=cost + 1e-6).cost == cost


def test_replaying_finds_a_wrong_cost_or_path() -> None:
    """A solution with another cost, or another path, than the problem has fails its verification."""
    for problem in (LARGEST, earning()):
        solution = bf.solve(problem)
        assert solution.cost is not None
        solution.verify()
        solution.cost -= 1
        with pytest.raises(VerificationError):
            solution.verify()
        solution.cost += 1
        solution.states[1] = problem.State(4 if problem is LARGEST else 3)
        with pytest.raises(VerificationError):
            solution.verify()


@pytest.mark.slow
@given(items=st.lists(st.tuples(st.integers(1, 9), st.integers(0, 9)), min_size=1, max_size=7), room=st.integers(0, 25))
@examples(15)
def test_resources_of_a_problem_with_profits(items: list[tuple[int, int]], room: int) -> None:
    """States with more room dominate, and both engines find the most profitable sack."""
    sack = Sack([weight for weight, _ in items], [profit for _, profit in items], room)
    most = 0
    for choice in range(1 << len(items)):
        chosen = [item for number, item in enumerate(items) if choice >> number & 1]
        if sum(weight for weight, _ in chosen) <= room:
            most = max(most, sum(profit for _, profit in chosen))
    assert assert_twins(sack, "uniform-cost").cost == most
    assert assert_twins(sack, "anytime-beam", "zero").cost == most


class Stops(bf.Domain):
    """Visit stops in some order: the state has a tuple, a set of more than 64 bits, and a field that follows from others."""

    class State(NamedTuple):
        last: tuple[int, ...]
        left: int
        made: int
        fuel: tuple[int, ...]

    maximise = True
    max_actions = 4
    bits = MappingProxyType({"left": 70, "made": 3})
    identity = ("last", "left", "fuel")
    resources = MappingProxyType({"fuel": "more"})
    legal_first = False

    def __init__(self, profits: list[list[int]]) -> None:
        self.profits = np.array(profits)
        self.goal = self.State((3, 2), 0, 4, (0, 0))
        self.initial = self.State((0, 0), 0b1111 << 64, 0, (5, 5))

    def step(self, state: State, action: int) -> Any:
        before, now = state.last
        burnt = action % 2
        fuel = (state.fuel[0] - burnt, state.fuel[1] - 1)
        legal = state.left >> (64 + action) & 1 == 1
        following = self.State((now, action), state.left & ~(1 << (64 + action)), state.made + 1, fuel)
        return legal, following, self.profits[now, action] + before

    def is_goal(self, state: State) -> bool:
        _, now = state.last
        return state.left == 0 and now != 0

    def end_cost(self, state: State) -> int:
        return state.last[0]

    def most_gain(self, state: State) -> int:
        return 13 * (4 - state.made) + 3 + 4 * state.fuel[1]

    @bf.heuristic(admissible=True)
    def all_of_it(self, state: State) -> int:
        return 12 * (4 - state.made) + 3


@pytest.mark.slow
@given(profits=st.lists(st.lists(st.integers(0, 9), min_size=4, max_size=4), min_size=4, max_size=4))
@examples(10)
def test_states_with_tuples_and_large_sets(profits: list[list[int]]) -> None:
    """Both engines search states with every kind of field, whose methods see the states as the author wrote them."""
    most = 0
    for order in permutations(range(4)):
        pairs = list(pairwise([0, *order]))
        befores = [0, 0, *order[:-2]]
        earned = sum(profits[now][to] + before for (now, to), before in zip(pairs, befores, strict=True))
        most = max(most, earned + order[-2]) if order[-1] != 0 else most
    solution = assert_twins(Stops(profits), "astar", "all-of-it")
    assert (solution.status, solution.cost) == ("optimal", most)
    assert assert_twins(Stops(profits), "anytime-beam", "all-of-it").cost == most


class Painting(bf.Domain):
    """Paint three of five parts; the state has a set of the parts that are left, and step begins by asking for it."""

    class State(NamedTuple):
        left: int
        colour: int

    max_actions = 5
    bits = MappingProxyType({"left": 8})

    def __init__(self, changes: list[list[int]], left: int) -> None:
        self.changes = np.array(changes)
        self.initial = self.State(left, 0)
        self.enough = left.bit_count() - 3

    def step(self, state: State, action: int) -> Any:
        if state.left >> action & 1 == 0:
            return False, state, 0
        return True, self.State(state.left & ~(1 << action), action), self.changes[state.colour, action]

    def is_goal(self, state: State) -> bool:
        return state.left.bit_count() <= self.enough

    def end_cost(self, state: State) -> int:
        return 4 * state.colour


@given(
    changes=st.lists(st.lists(st.integers(0, 9), min_size=5, max_size=5), min_size=5, max_size=5),
    left=st.sampled_from([0b11111, 0b111111, 0b11111111]),
)
@examples(20)
def test_the_end_is_tried_beside_a_set_of_actions(changes: list[list[int]], left: int) -> None:
    """The compiled engine, which tries only the members of a set, also tries to end the path, whatever bits the set has."""
    assert assert_twins(Painting(changes, left), "uniform-cost").status == "optimal"


def test_most_gain_does_not_see_resources() -> None:
    """most_gain() is given states without resources, so that it cannot depend on them, which would make dominance wrong."""

    class Bad(Sack, keeps_claims=True):
        def most_gain(self, state: Any) -> Any:
            return self.left[state.item] if state.room else 0

    with pytest.raises(ProblemError, match="most_gain"):
        bf.solve(Bad([1], [5], 3))


@pytest.mark.parametrize("engine", ["python", "compiled"])
def test_errors_speak_of_the_problem(engine: str) -> None:
    """A wrong cost, estimate or most_gain is reported with the state and the number of the problem."""
    profits = [[NONE, 3, 40, NONE, NONE], *[[NONE] * 5] * 4]
    with pytest.raises(
        ProblemError, match=r"action 2 in state State\(node=0\) gains 40, but most_gain is 60 before .* 36 after"
    ):
        bf.solve(earning(weights=profits), "astar", "given", engine=engine)
    with pytest.raises(CostError, match=r"action 1 in state State\(node=0\) costs -1"):
        bf.solve(
            Largest([[NONE, -1, 3, 3, 3], *[[NONE] * 5] * 4], [False, True] * 2 + [True], [0] * 5, [0] * 5), engine=engine
        )
    with pytest.raises(HeuristicError, match=r"'given' returns -2 for state State\(node=0\)"):
        bf.solve(Ending([[1] * 5] * 5, [False] * 4 + [True], [0] * 5, [-2] * 5), "astar", "given", engine=engine)


def test_a_heuristic_that_is_wrong() -> None:
    """A heuristic that promises too little profit, or exceeds the largest cost, is named with its own number."""
    solution = bf.solve(earning(estimates=[3] * 5), "astar", "given")
    assert (solution.status, solution.upper_bound) == ("solved", 60)
    assert any("is too low: it returns 3 for" in warning for warning in solution.warnings)
    wrong = Largest(LARGEST.weights, LARGEST.goals, LARGEST.ends, [0, 7, 7, 0, 0])
    assert any(
        "returns 7" in warning and "largest cost" in warning for warning in bf.solve(wrong, "astar", "given").warnings
    )


@pytest.mark.parametrize("engine", ["python", "compiled"])
@pytest.mark.parametrize(("kind", "sign"), [(Earning, 1), (Gaining, -1)])
def test_infinite_estimates(kind: Any, sign: int, engine: str) -> None:
    """Where most_gain bounds what can be gained, an infinite estimate tells nothing or means a dead end, by its sign."""
    weights = [[3 * sign if to == at + 1 else NONE for to in range(5)] for at in range(5)]
    goals = [False] * 4 + [True]
    told_nothing = kind(weights, goals, [0] * 5, [sign * math.inf] * 5)
    assert bf.solve(told_nothing, BRANCH, "given", engine=engine).cost == 12 * sign
    dead_end = kind(weights, goals, [0] * 5, [-sign * math.inf] * 5)
    assert bf.solve(dead_end, BRANCH, "given", engine=engine).status == "unsolvable"


@pytest.mark.parametrize("engine", ["python", "compiled"])
def test_an_estimate_that_is_no_number_of_a_profit(engine: str) -> None:
    """The message says what an estimate of a profit must be: it may be negative."""
    with pytest.raises(HeuristicError, match=r"returns nan .* must be a number \(-math\.inf for a dead end\)"):
        bf.solve(earning(estimates=[math.nan] * 5), "astar", "given", engine=engine)


def test_an_estimate_that_is_not_returned() -> None:
    """A return statement that is forgotten in a heuristic is reported with the name of the heuristic and the state."""
    steps = {
        "initial": 0,
        "maximise": True,
        "successors": lambda _self, state: [("on", state + 1, 1)] if state < 2 else [],
        "is_goal": lambda _self, state: state == 2,
        "most_gain": lambda _self, state: 2 - state,
    }
    lost: Any = lambda _state: None  # noqa: E731
    with pytest.raises(HeuristicError, match="returns None for state"):
        bf.solve(type("Steps", (bf.Problem,), steps)(), "astar", lost)


class Unclear(Weighted):
    path_cost = "most"


class Contradicting(Gaining):
    path_cost = "max"


class WithoutPromise(Weighted):
    maximise = True


class NoTruth(Weighted):
    maximise: Any = "yes"


@pytest.mark.parametrize(
    ("kind", "words"),
    [
        (Unclear, "path_cost is 'most'; set it to 'sum' or 'max'"),
        (Contradicting, "path_cost = 'max' and most_gain"),
        (WithoutPromise, r"define most_gain\(state\)"),
        (NoTruth, "maximise is 'yes'; set it to True or False"),
    ],
)
def test_declarations_that_mean_nothing(kind: Any, words: str) -> None:
    """A wrong or contradictory objective is refused, with what to write instead."""
    graph = kind([[NONE] * 5] * 5, [True] * 5, [0] * 5, [0] * 5)
    for refuse in (bf.solve, bf.plan):
        with pytest.raises(bf.InputError, match=words):
            refuse(graph)
    assert not bf.check(graph).ok


def test_what_knows_no_other_objective_refuses_it() -> None:
    """An algorithm or a function that adds up costs from both ends, or in tables, refuses a problem with another objective."""
    with pytest.raises(bf.InputError, match=r"searches from the goal.*path_cost"):
        bf.solve(LARGEST, "bidirectional-astar", "given")
    with pytest.raises(bf.InputError, match="weighted-astar promises"):
        bf.solve(earning(), "weighted-astar", "given")
    for use in (bf.solutions, bf.nearest_goals, bf.Replanner, explore, bf.PatternDatabase.build):
        with pytest.raises(bf.InputError, match=r"adds up the costs of actions, but .* has another objective"):
            use(LARGEST)


def test_a_failed_search_of_a_batch_has_proved_nothing() -> None:
    """A search of profits whose code fails in a batch has bounds that say nothing."""
    wrong = earning(weights=[[NONE, 3, 40, NONE, NONE], *[[NONE] * 5] * 4])
    failed = list(bf.solve_many([earning(), wrong], on="local", workers=1))[1]
    assert (failed.status, failed.lower_bound, failed.upper_bound) == ("failed", -math.inf, math.inf)
    assert "gains 40" in str(failed.reason)


def test_experiments_refuse_profits(tmp_path: Path) -> None:
    """A report compares costs, so a run of a problem with profits is an error that says so."""
    file = tmp_path / "coins.py"
    file.write_text(OF_THE_COMMAND_LINE)
    task = SimpleNamespace(kind="", maker=f"{file}:Coins", instance=None, options={}, preparation=9.0, limits={})
    with pytest.raises(bf.InputError, match="a report compares costs"):
        made(cast("Any", task))


def test_a_bounded_cost_means_something_for_the_largest_cost() -> None:
    """Weighted A* keeps its promise for the largest cost and for costs of ends."""
    solution = bf.solve(LARGEST, "weighted-astar", "given", weight=1)
    assert (solution.status, solution.cost) == ("optimal", 4)


def test_numbers_of_numpy_at_the_end_are_numbers_of_python() -> None:
    """They neither overflow nor round a sum, and the solution can be written as JSON."""

    class Trip(bf.Problem):
        maximise = True
        initial = 0
        lost = np.array([0, -20, -100], np.int8)

        def is_goal(self, day: int) -> bool:
            return day > 0

        def successors(self, day: int) -> Any:
            return [("work", day + 1, 200)] if day < 2 else []

        def most_gain(self, day: int) -> float:
            return 200.5 * (2 - day)

        def end_cost(self, day: int) -> Any:
            return self.lost[day]

    solution = bf.solve(Trip())
    assert (solution.status, solution.cost, type(solution.cost)) == ("optimal", 300, int)
    assert json.loads(json.dumps(solution.to_dict()))["cost"] == 300


def test_other_features_know_objectives(tmp_path: Path) -> None:
    """Batches, plans, traces, step-by-step searches, audits and enumerations of problems with another objective."""
    assert [solution.cost for solution in bf.solve_many([LARGEST, earning()])] == [4, 16]
    assert [solution.cost for solution in bf.solve_many([earning()] * 2, on="local", workers=1)] == [16, 16]
    assert bf.plan(earning(), "anytime-beam", "given").heuristic == "given"
    trace = bf.Trace()
    assert bf.solve(earning(), "astar", "given", trace=trace).cost == 16
    assert "end" in trace.tree().to_text() if hasattr(trace, "tree") else trace.events
    trace.save(tmp_path / "trace.html")
    search = bf.Search(LARGEST, "astar", "given")
    assert list(search)
    assert (search.ended, search.cost, search.lower_bound) == (True, 4, 4)
    assert bf.audit(earning(), "given").admissible
    assert bf.audit(earning(estimates=[3] * 5), "given").admissible is False
    assert bf.enumerate_states(earning()).states == 5


def test_saved_searches(tmp_path: Path) -> None:
    """A search of profits can be saved and loaded; its file has the problem as it was given."""
    path = tmp_path / "search"
    search = bf.Search(earning(), "astar", "given", engine="compiled")
    search.run(bf.Limits(expansions=3))
    search.save(path)
    assert bf.Search.load(path, earning()).run().cost == 16


def test_heuristics_in_every_form() -> None:
    """A heuristic is given by name, as a function, as an object, or as a maximum, and "zero" estimates no profit at all."""
    problem = earning()
    forms: list[Any] = [
        "given",
        "max(given,given)",
        problem.given,
        bf.Heuristic(problem.given, "mine", admissible=True),
        "zero",
    ]
    for form in forms:
        solution = bf.solve(problem, "astar", form)
        assert (solution.status, solution.cost) == ("optimal", 16)


def test_check_knows_objectives() -> None:
    """check() finds nothing wrong with correct members, and names a cost, a gain or an estimate that is wrong."""
    for problem in (LARGEST, earning(), Sack([2, 3], [4, 5], 4)):
        report = bf.check(problem)
        assert report.ok, report
        assert report.compiled
    wrong = bf.check(earning(weights=[[NONE, 3, 40, NONE, NONE], *[[NONE] * 5] * 4]))
    assert "gains 40, but most_gain is 60" in wrong.faults[0]
    assert "costs -1" in bf.check(Ending([[-1] * 5] * 5, [True] * 5, [0] * 5, [0] * 5)).faults[0]


class Noted(bf.Domain):
    """Two items; a state notes the profit, and says that item tells states apart, though it does not."""

    class State(NamedTuple):
        item: int
        room: int
        profit: int

    identity = ("item",)
    resources = MappingProxyType({"room": "more"})

    maximise = True
    max_actions = 2
    initial = State(0, 9, 0)

    def step(self, state: State, action: int) -> Any:
        weight, profit = 2 * action, 3 * action
        return state.item < 2, self.State(state.item + 1, state.room - weight, state.profit + profit), profit

    def is_goal(self, state: State) -> bool:
        return state.item == 2

    def most_gain(self, state: State) -> int:
        return 3 * (2 - state.item)


def test_check_reports_a_fault_of_a_problem_with_profits_once() -> None:
    """With its own states: the form that is searched has the same fault."""
    report = bf.check(Noted())
    assert [("have the same item," in fault, "ended" in fault) for fault in report.faults] == [(True, False)]


def test_a_subclass_with_another_objective_loses_claims() -> None:
    """A heuristic that was declared admissible for one objective is not trusted for that of a subclass."""

    class Later(Weighted):
        path_cost = "max"

    solution = bf.solve(Later(LARGEST.weights, LARGEST.goals, LARGEST.ends, [0] * 5), "astar", "given")
    assert solution.condition is not None
    assert list(islice(solution.warnings, 1))


OF_THE_COMMAND_LINE = '''
from typing import NamedTuple

import bestfirst as bf


class Coins(bf.Domain):
    """Each of three times, take a coin of 1, 2 or 3, but no coin twice in a row."""

    class State(NamedTuple):
        taken: int
        last: int

    maximise = True
    max_actions = 3
    initial = State(0, -1)

    def step(self, state, action):
        return state.taken < 3 and action != state.last, self.State(state.taken + 1, action), action + 1

    def is_goal(self, state):
        return state.taken == 3

    def most_gain(self, state):
        return 3 * (3 - state.taken)
'''


def test_the_command_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The command line reports the profit and its upper bound, and shows the states of the problem."""
    file = tmp_path / "coins.py"
    file.write_text(OF_THE_COMMAND_LINE)
    assert run(["solve", str(file), "--tree"]) == 0
    out = capsys.readouterr().out
    assert "solved: profit 8 in 3 actions, optimal (proved)" in out
    assert "ended=" not in out
    assert run(["solve", str(file), "--expansions", "1"]) == 3
    assert "no solution has more than 9" in capsys.readouterr().out
    assert run(["check", str(file)]) == 0


@pytest.mark.parametrize("member", ["most_gain", "end_cost"])
@pytest.mark.parametrize("value", [None, "5"])
def test_a_member_that_returns_no_number_is_named(member: str, value: Any) -> None:
    """A return statement is easily forgotten."""
    members = {
        "initial": 0,
        "successors": lambda _self, state: [("on", state + 1, 1)] if state < 2 else [],
        "is_goal": lambda _self, state: state == 2,
        "most_gain": lambda _self, state: 2 - state,
        member: lambda _self, _state: value,
    }
    with pytest.raises(bf.ProblemError, match=rf"{member}\(\d\) returns {value!r}; it must be a number"):
        bf.solve(type("Steps", (bf.Problem,), members)())


def test_a_largest_cost_that_is_no_number_is_named() -> None:
    """With the state."""
    members = {
        "initial": 0,
        "path_cost": "max",
        "successors": lambda _self, state: [("on", state + 1, None)],
        "is_goal": lambda _self, state: state == 2,
    }
    with pytest.raises(bf.ProblemError, match="the cost of an action in 0 is None; it must be a number"):
        bf.solve(type("Steps", (bf.Problem,), members)())

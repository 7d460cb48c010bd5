"""IDA*, compiled, against the reference engine: the same search, to the node."""

from __future__ import annotations

import csv
import math
import signal
import threading
import time
from pathlib import Path
from types import MappingProxyType
from typing import Any, NamedTuple

import pytest
from hypothesis import given
from hypothesis import strategies as st

import bestfirst as bf
from bestfirst import attempt
from bestfirst.compiled.drivers.idastar import IDAStar
from bestfirst.search_plan import HEAD_START
from compilable import FloatGraph, IntGraph, Pancakes
from graphs import admissible_heuristics, graphs
from profiles import examples
from twins import assert_twins, random_board

KORF_79 = bf.SlidingTile("_ 1 9 7 11 13 5 3 14 12 4 2 8 6 10 15", goal=range(16))


ORDERS = st.sampled_from(["given", "f"])


def assert_idastar_twins(problem: bf.Problem, **options: Any) -> bf.Solution:
    return assert_twins(problem, "idastar", **options)


@examples(15)
@given(data=st.data())
def test_the_engines_are_twins_on_random_boards(data: st.DataObject) -> None:
    """Boards of several sizes, any goal, any order of moves."""
    size = data.draw(st.sampled_from([(3, 3), (4, 4), (1, 4)]))
    goal = tuple(data.draw(st.permutations(range(size[0] * size[1]))))
    assert_idastar_twins(random_board(data.draw, goal, size, 24), order=data.draw(ORDERS))


@examples(20)
@given(stack=st.permutations([1, 2, 3, 4, 5, 6, 7]))
def test_the_engines_are_twins_on_random_pancakes(stack: list[int]) -> None:
    """A domain as a user would write it, with a loop in its step."""
    assert_idastar_twins(Pancakes(stack))


@examples(30)
@given(data=st.data())
def test_the_engines_are_twins_on_graphs_with_int_costs(data: st.DataObject) -> None:
    """Zero-cost edges and cycles, loops, unreachable goals, inconsistent estimates, no inverse of an action."""
    graph = data.draw(graphs(most_nodes=5, costs=st.integers(0, 4)))
    estimate = data.draw(admissible_heuristics(graph))
    truth = graph.distances()
    h = {node: int(estimate(node)) for node in truth if estimate(node) < math.inf}
    edges = {node: [(to, int(cost)) for to, cost in links] for node, links in graph.edges.items()}
    domain = IntGraph(edges, graph.goals, h, 5)
    domain.default_heuristic = "given"
    solution = assert_idastar_twins(domain, order=data.draw(ORDERS))
    assert solution.cost == (None if truth[0] == math.inf else truth[0])


@examples(30)
@given(data=st.data())
def test_the_engines_are_twins_on_graphs_with_float_costs(data: st.DataObject) -> None:
    """Likewise with floats, and with infinite estimates for dead ends."""
    graph = data.draw(graphs(most_nodes=5))
    estimate = data.draw(admissible_heuristics(graph))
    truth = graph.distances()
    edges = {node: [(to, float(cost)) for to, cost in links] for node, links in graph.edges.items()}
    domain = FloatGraph(edges, graph.goals, {node: estimate(node) for node in truth}, 5)
    domain.default_heuristic = "given"
    solution = assert_idastar_twins(domain, order=data.draw(ORDERS))
    assert solution.found == (truth[0] < math.inf)
    if solution.cost is not None:
        assert solution.cost == pytest.approx(truth[0])


KORF = Path(bf.__file__).parent / "experiments" / "specs" / "korf100.csv"


@pytest.mark.slow
@pytest.mark.numba
def test_korfs_counts_come_out_to_the_node() -> None:
    """Those of the 100 instances of Korf (1985) that take less than 5 million nodes: length and nodes generated."""
    with KORF.open() as file:
        rows = list(csv.DictReader(line for line in file if not line.startswith("#")))
    small = [row for row in rows if int(row["generated"]) < 5_000_000]
    assert (len(rows), len(small)) == (100, 17)
    for row in small:
        solution = bf.solve(bf.SlidingTile(row["tiles"], goal=range(16)), "idastar", "manhattan", engine="compiled")
        solution.verify()
        assert (solution.status, solution.cost) == ("optimal", int(row["optimal"]))
        assert solution.stats.generated == int(row["generated"]), row["id"]


@pytest.mark.slow
@pytest.mark.parametrize("expansions", [0, 1, 2, 5, 10, 77, 83, 1000, 20_011])
@pytest.mark.parametrize("order", ["given", "f"])
def test_the_engines_are_twins_wherever_a_limit_stops_them(expansions: int, order: str) -> None:
    """Exactly as many expansions, and the counts and bounds of that moment, children not yet made left out.

    The first iterations end after 1, 5 and 83 expansions.
    """
    solution = assert_idastar_twins(KORF_79, heuristic="manhattan", expansions=expansions, order=order)
    assert (solution.status, solution.limit, solution.stats.expanded) == ("limit", "expansions", expansions)


def test_a_compiled_search_in_slices_is_the_same_search() -> None:
    """Stopped again and again, and run on, it ends with the counts of one go."""
    search = bf.Search(KORF_79, "idastar", "manhattan")
    while search.run(bf.Limits(expansions=9_999)).status == "limit":
        pass
    whole = bf.solve(KORF_79, "idastar", "manhattan")
    search.stats.seconds = whole.stats.seconds
    assert search.stats == whole.stats
    assert search.solution.actions == whole.actions


@pytest.mark.parametrize("algorithm", ["idastar", "astar"])
def test_a_small_search_is_made_by_the_reference_engine_and_a_long_one_handed_over(
    algorithm: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The compiled engine catches up where the reference engine has come; nothing but the speed shows it."""
    monkeypatch.setattr(attempt, "_COMPILED", {})
    small = bf.solve(bf.SlidingTile("1 2 3 4 5 6 _ 7 8"), algorithm)
    assert small.engine == "python"
    board = bf.SlidingTile("14 1 9 6 4 8 12 5 7 2 3 _ 10 11 13 15", goal=range(16))
    search = bf.Search(board, algorithm, "manhattan")
    first = search.run(bf.Limits(expansions=HEAD_START - 1))
    assert (first.engine, first.stats.expanded) == ("python", HEAD_START - 1)
    second = search.run(bf.Limits(expansions=10))
    assert (second.engine, second.stats.expanded) == ("compiled", HEAD_START + 9)
    reference = bf.solve(board, algorithm, "manhattan", engine="python", limits=bf.Limits(expansions=HEAD_START + 9))
    reference.stats.seconds = second.stats.seconds
    assert second.stats == reference.stats
    assert search.run().cost == 45


def test_exactly_enough_expansions_are_enough() -> None:
    """The goal is taken without an expansion, so a limit of what the search needs does not stop it."""
    needed = bf.solve(KORF_79, "idastar", "manhattan").stats.expanded
    assert bf.solve(KORF_79, "idastar", "manhattan", limits=bf.Limits(expansions=needed)).status == "optimal"
    assert bf.solve(KORF_79, "idastar", "manhattan", limits=bf.Limits(expansions=needed - 1)).status == "limit"


HARD = bf.SlidingTile("_ 12 9 13 / 15 11 10 14 / 3 7 2 5 / 4 8 6 1")


def test_ctrl_c_stops_a_compiled_search_and_it_can_be_run_on() -> None:
    """The bound proved so far comes back, and the search goes on from there."""
    search = bf.Search(HARD, "idastar", "manhattan")
    search.run(bf.Limits(expansions=1))  # compiled by now
    threading.Timer(0.3, signal.raise_signal, [signal.SIGINT]).start()
    stopped = search.run(bf.Limits(seconds=60))
    assert stopped.status == "interrupted"
    before = stopped.stats.expanded
    assert stopped.lower_bound >= HARD.manhattan(HARD.initial)
    search.run(bf.Limits(expansions=5000))
    assert search.stats.expanded == before + 5000


def test_the_limit_on_seconds_stops_a_compiled_search() -> None:
    """It looks at the clock between slices, and reports progress there."""
    seen: list[int] = []
    search = bf.Search(HARD, "idastar", "manhattan")
    solution = search.run(bf.Limits(seconds=0.3), progress=lambda running: seen.append(running.stats.expanded))
    assert (solution.status, solution.limit) == ("limit", "seconds")
    assert len(seen) > 1 and seen == sorted(seen)


def test_a_start_that_is_a_goal_and_one_that_is_hopeless() -> None:
    """Neither needs an expansion."""
    solved = assert_idastar_twins(Pancakes([1, 2, 3]))
    assert (solved.cost, solved.stats.expanded) == (0, 0)
    hopeless = FloatGraph({0: [(1, 1.0)]}, frozenset(), {0: math.inf}, 2)
    hopeless.default_heuristic = "given"
    assert assert_idastar_twins(hopeless).status == "unsolvable"


def test_a_path_longer_than_the_first_arrays_is_found() -> None:
    """The stack and the path grow as they must."""
    length = 2000
    domain = IntGraph({node: [(node + 1, 1)] for node in range(length)}, frozenset([length]), {}, length + 1)
    h = {node: length - node for node in range(length + 1)}
    domain = IntGraph({node: [(node + 1, 1)] for node in range(length)}, frozenset([length]), h, length + 1)
    domain.default_heuristic = "given"
    assert assert_idastar_twins(domain).cost == length


@pytest.mark.parametrize(("cost", "h", "error"), [(-1, 0, bf.CostError), (1, -1, bf.HeuristicError)])
def test_bad_costs_and_estimates_are_errors_as_in_the_reference_engine(cost: int, h: int, error: type[Exception]) -> None:
    """Found in compiled code, explained with state and action, and the search cannot be run on."""
    domain = IntGraph({0: [(1, 1)], 1: [(2, cost)], 2: [(3, 1)]}, frozenset([3]), {2: h}, 4)
    domain.default_heuristic = "given"
    search = bf.Search(domain, "idastar", engine="compiled")
    with pytest.raises(error):
        search.run()
    with pytest.raises(bf.InputError, match="ended with an error"):
        search.run()


REFUSED = [
    (KORF_79, {"trace": True}, "it is traced"),
    (KORF_79, {"heuristic": "misplaced"}, "not given by the name of one of the domain"),
    (KORF_79, {"limits": bf.Limits(depth=3)}, "limit on depth"),
    (bf.Pancake(range(16, 0, -1)), {}, "Pancake is not written as a Domain, or is too large"),
    (bf.SlidingTile(range(81)), {}, "not written as a Domain"),
]


@pytest.mark.parametrize(("problem", "options", "reason"), REFUSED)
def test_what_the_compiled_engine_cannot_do_is_said_if_it_is_asked_for(
    problem: bf.Problem, options: dict[str, Any], reason: str
) -> None:
    """And left to the reference engine if it is not."""
    with pytest.raises(bf.InputError, match=reason):
        bf.solve(problem, "idastar", engine="compiled", **options)
    options = {"limits": bf.Limits(expansions=10)} | options
    assert bf.solve(problem, "idastar", **options).engine == "python"


def test_a_search_gone_through_event_by_event_is_the_reference_engines() -> None:
    """Events come from there; a search that has begun compiled says how to get them."""
    search = bf.Search(KORF_79, "idastar", limits=bf.Limits(expansions=3))
    assert [event.kind for event in search].count("expand") == 3
    assert search.solution.engine == "python"
    compiled = bf.Search(KORF_79, "idastar", engine="compiled")
    compiled.run(bf.Limits(expansions=3))
    with pytest.raises(bf.InputError, match="engine='python'"):
        list(compiled)


@pytest.mark.slow
def test_a_compiled_search_is_much_faster() -> None:
    """Not measured here (see benchmarks/), only that a search is finished that would take the reference engine long."""
    started = time.process_time()
    solution = bf.solve(bf.SlidingTile("13 5 4 10 9 12 8 14 2 3 7 1 _ 15 11 6", goal=range(16)), "idastar", "manhattan")
    assert (solution.cost, solution.stats.generated) == (55, 15_300_442)
    assert time.process_time() > started


def test_a_domain_that_wrongly_declares_unit_costs_is_found_out() -> None:
    """Its paths could be longer than the bound, for which compiled code makes room; so the cost is looked at."""
    domain = IntGraph({0: [(1, 0)], 1: [(2, 0)], 2: [(3, 1)]}, frozenset([3]), {}, 4)
    domain.default_heuristic = "given"
    domain.unit_cost = True
    with pytest.raises(bf.ProblemError, match="costs 0, but unit_cost declares that every action costs 1"):
        bf.solve(domain, "idastar", engine="compiled")


class Strides(bf.Domain):
    """Go to 12, by so much at a time or back by 1; the field of no bits is not stored."""

    class State(NamedTuple):
        place: int
        nothing: int
        steps: int

    max_actions = 2
    unit_cost = True
    default_heuristic = "left"
    identity = ("place", "nothing")
    bits = MappingProxyType({"nothing": 0})
    fixed = ("by",)

    def __init__(self, by: int) -> None:
        self.by, self.end = by, 12
        self.initial = self.State(0, 0, 0)

    def step(self, state: State, action: int) -> Any:
        place = state.place + self.by if action == 0 else state.place - 1
        return place >= 0, self.State(place, state.nothing, state.steps + 1), 1

    def is_goal(self, state: State) -> bool:
        return state.place == self.end and state.nothing == 0

    @bf.heuristic(admissible=True, consistent=True)
    def left(self, state: State) -> int:
        return (self.end - state.place + self.by - 1) // self.by if state.place < self.end else 0


def test_what_a_domain_fixes_is_other_code_for_each_value() -> None:
    """Of the ints that it names; and a field of no bits is 0 in every state."""
    for by, cost in ((3, 4), (5, 6)):
        assert assert_idastar_twins(Strides(by)).cost == cost


@pytest.mark.parametrize("order", ["given", "f"])
@pytest.mark.parametrize("expansions", [1, 2, 3, 4, 5, None])
def test_an_inconsistent_heuristic_is_reported_as_in_the_reference_engine(order: str, expansions: int | None) -> None:
    """How often f fell, and where first, also if the search is stopped before it goes on from there."""
    edges = {0: [(2, 1), (1, 1)], 1: [(4, 1), (3, 2), (3, 1)], 2: [(4, 7), (3, 4)], 3: [(4, 4)]}
    domain = IntGraph(edges, frozenset([4]), {0: 6, 1: 5, 2: 3, 3: 1}, 5)
    domain.default_heuristic = "given"
    solution = assert_idastar_twins(domain, order=order, expansions=expansions)
    assert any("is inconsistent: f fell along" in warning for warning in solution.warnings)


def test_an_unknown_order_of_children_is_refused() -> None:
    """By both engines, with those that there are."""
    for engine in ("python", "compiled"):
        with pytest.raises(bf.InputError, match="no child order is called 'g'; choose from: f, given"):
            bf.solve(KORF_79, "idastar", order="g", engine=engine)


def test_a_hopeless_state_of_a_heuristic_that_can_overestimate_proves_nothing() -> None:
    """In neither engine."""

    class Doubtful(FloatGraph):
        @bf.heuristic(admissible=False)
        def given(self, state: IntGraph.State) -> Any:
            return self.distances[state.node]

    domain = Doubtful({0: [(1, 1.0)], 1: [(2, 1.0)]}, frozenset([2]), {1: math.inf}, 3)
    domain.default_heuristic = "given"
    solution = assert_idastar_twins(domain)
    assert (solution.status, solution.limit, solution.lower_bound) == ("limit", "heuristic", 0)


@pytest.mark.parametrize("most", [0, 1, 2])
def test_calls_may_end_any_number_of_iterations(most: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """The search is the same, however many iterations a call of the kernel ends, and wherever it is stopped."""
    monkeypatch.setattr(IDAStar, "_most_ended", most)
    for expansions in (*range(1, 90, 8), 3_000):
        assert_idastar_twins(KORF_79, heuristic="manhattan", expansions=expansions)


def test_hundreds_of_small_rounds_leave_the_slices_small() -> None:
    """Each ends before its budget is used up, so the next one gets no larger budget."""
    length = 100
    domain = IntGraph({node: [(node + 1, 1)] for node in range(length)}, frozenset([length]), {}, length + 1)
    domain.default_heuristic = "given"
    assert len(assert_idastar_twins(domain).stats.iterations) == length + 1


class Corridor(bf.Domain):
    """A corridor of so many steps, to be walked without a heuristic: as many rounds as steps."""

    class State(NamedTuple):
        at: int

    unit_cost = True
    max_actions = 2
    default_heuristic = "none"

    def __init__(self, length: int) -> None:
        self.length = length
        self.initial = self.State(0)

    def step(self, state: State, action: int) -> Any:
        at = state.at + 1 - 2 * action
        return 0 <= at <= self.length, self.State(at), 1

    def inverse(self, action: int) -> int:
        return 1 - action

    def is_goal(self, state: State) -> bool:
        return state.at == self.length

    @bf.heuristic(admissible=True)
    def none(self, state: State) -> int:  # noqa: ARG002
        return 0


@pytest.mark.slow
def test_many_small_rounds_take_less_time_than_in_the_reference_engine() -> None:
    """A round takes no thread of its own and no look at its whole path in Python."""
    bf.solve(Corridor(3), "idastar", engine="compiled")
    compiled, reference = (bf.solve(Corridor(400), "idastar", engine=engine) for engine in ("compiled", "python"))
    assert compiled.stats.iterations == reference.stats.iterations
    assert compiled.stats.seconds < reference.stats.seconds


def test_a_limit_on_expansions_stops_in_the_middle_of_many_small_rounds() -> None:
    """To the expansion, and a search that goes on has the counts of one go."""
    for expansions in (0, 1, 399, 400, 401, 2_345):
        assert_twins(Corridor(100), "idastar", expansions=expansions)


class Spread(Corridor):
    """From the start, the last three of so many actions lead to a state each; the very last one to the goal."""

    unit_cost = False

    def __init__(self, length: int) -> None:
        super().__init__(length)
        self.max_actions = length

    def step(self, state: Corridor.State, action: int) -> Any:
        return state.at == 0 and action >= self.length - 3, self.State(action + 1), 1

    def inverse(self, action: int) -> int:  # noqa: ARG002
        return -1


@pytest.mark.slow
@pytest.mark.parametrize("algorithm", ["idastar", "depth-first-branch-and-bound"])
def test_more_than_2_to_the_20_actions_keep_their_numbers(algorithm: str) -> None:
    """A row has 31 bits for the number of an action."""
    solution = bf.solve(Spread(2**20 + 3), algorithm, "none", engine="compiled")
    solution.verify()
    assert (solution.cost, solution.actions) == (1, [2**20 + 2])

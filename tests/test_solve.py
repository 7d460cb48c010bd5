"""Search and solve: choices, limits, errors, and what the solution says."""

from __future__ import annotations

import copy
import math
import pickle
import re
import subprocess
import sys
import time
from collections.abc import Iterator
from decimal import Decimal
from threading import Thread
from typing import Any, ClassVar

import numpy as np
import pytest

import bestfirst as bf
from bestfirst.heuristics.naming import find_heuristic
from bestfirst.patterns.combination import additive
from bestfirst.recycled import Recycled, of_last_solve
from bestfirst.search_plan import HEAD_START
from graphs import Graph

solving = sys.modules["bestfirst.solve"]
PUZZLE = bf.SlidingTile("2 8 3 1 6 4 7 _ 5", goal="1 2 3 8 _ 4 7 6 5")
UNSOLVABLE = bf.SlidingTile("2 1 3 4 5 6 7 8 _")
CHAIN = {node: [(node + 1, 1.0)] for node in range(9)}


def endless(successors_of: Any = lambda state: [("up", state + 1, 1)]) -> bf.Problem:
    """A space without end and without a goal."""
    return bf.Problem.of(0, successors_of, lambda _state: False)


def test_the_public_surface_works_as_the_readme_shows_it() -> None:
    """One call gives status, cost, bound, actions, states and counts, and the solution verifies itself."""
    s = bf.solve(PUZZLE, "astar", heuristic="manhattan", limits=bf.Limits(seconds=10))
    assert (s.status, s.cost, s.lower_bound) == (bf.Status.OPTIMAL, 5, 5)
    assert s.actions == ["U", "U", "L", "D", "R"]
    assert len(s.states) == 6 and s.states[-1] == PUZZLE.goal
    assert (s.stats.expanded, s.stats.generated) == (5, 16)
    assert s.stats.seconds > 0
    s.verify()


def test_unless_told_solve_uses_astar_with_the_default_heuristic() -> None:
    """A domain with a default heuristic is searched by A*."""
    s = bf.solve(PUZZLE)
    assert (s.algorithm, s.heuristic, s.engine) == ("astar", "manhattan", "python")


def test_unless_told_solve_uses_uniform_cost_where_there_is_no_heuristic() -> None:
    """A problem of one's own without heuristics is searched by uniform cost."""
    s = bf.solve(Graph(CHAIN, 0, frozenset([9])))
    assert (s.algorithm, s.heuristic, s.cost) == ("uniform-cost", None, 9)


def test_a_problem_can_be_stated_without_a_class() -> None:
    """Problem.of takes the start, the successors and the goal test."""
    problem = bf.Problem.of((0, 0), jugs, lambda state: 4 in state)
    s = bf.solve(problem, "breadth-first")
    s.verify()
    assert (s.cost, s.status) == (6, "optimal")


def jugs(state: tuple[int, int]) -> Any:
    """A 5- and a 3-litre jug."""
    a, b = state
    yield "fill a", (5, b), 1
    yield "fill b", (a, 3), 1
    yield "empty a", (0, b), 1
    yield "empty b", (a, 0), 1
    poured = min(a, 3 - b)
    yield "a to b", (a - poured, b + poured), 1
    poured = min(b, 5 - a)
    yield "b to a", (a + poured, b - poured), 1


def test_a_function_as_heuristic_is_taken_at_its_word_and_that_is_said() -> None:
    """The status is optimal, and a warning says on what condition."""
    s = bf.solve(PUZZLE, "astar", PUZZLE.misplaced)
    assert s.status == "optimal"
    assert any("never overestimates" in warning and "audit" in warning for warning in s.warnings)


def test_a_heuristic_known_to_overestimate_proves_nothing() -> None:
    """A* with P + 3S finds a solution, says solved, and why no more."""
    s = bf.solve(PUZZLE, "astar", "sequence")
    assert (s.status, s.lower_bound) == ("solved", 0)
    assert any("sequence" in warning and "overestimate" in warning for warning in s.warnings)


def test_an_unsolvable_board_is_decided_without_a_search_and_with_the_reason() -> None:
    """Parity answers before a node is expanded."""
    s = bf.solve(UNSOLVABLE)
    assert (s.status, s.cost, s.lower_bound, s.stats.expanded) == ("unsolvable", None, math.inf, 0)
    assert s.reason is not None and "parity" in s.reason
    s.verify()


def test_the_limit_on_seconds_stops_an_endless_search() -> None:
    """The status names the limit, and the bound proved so far comes back."""
    s = bf.solve(endless(), limits=bf.Limits(seconds=0.05))
    assert (s.status, s.limit) == ("limit", "seconds")
    assert s.lower_bound == s.stats.expanded > 0
    assert s.stats.seconds >= 0.05


def test_the_limit_on_memory_stops_an_endless_search() -> None:
    """The growth of the process is looked at, and the search stops near the limit."""
    hoard = bf.Problem.of((0, b""), lambda s: [("up", (s[0] + 1, bytes(50_000)), 1)], lambda _: False)
    s = bf.solve(hoard, limits=bf.Limits(memory="100MB", seconds=60))
    assert (s.status, s.limit) == ("limit", "memory")
    assert s.stats.peak_memory is not None and s.stats.peak_memory > 100_000_000


def test_a_search_that_is_over_stays_over() -> None:
    """To run it again changes nothing."""
    search = bf.Search(PUZZLE)
    first = search.run()
    expanded = first.stats.expanded
    assert search.run().stats.expanded == expanded
    assert list(search) == []


def test_each_run_has_its_own_allowance() -> None:
    """Two runs of ten expansions make twenty."""
    search = bf.Search(bf.SlidingTile("8 6 7 2 5 4 3 _ 1"))
    search.run(bf.Limits(expansions=10))
    search.run(bf.Limits(expansions=10))
    assert search.stats.expanded == 20


def test_progress_is_called_with_the_search() -> None:
    """A caller can watch counts and bound while it runs."""
    seen = []
    bf.solve(PUZZLE, progress=lambda search: seen.append((search.stats.expanded, search.lower_bound)))
    assert seen[-1][0] == 5
    assert [expanded for expanded, _ in seen] == sorted(expanded for expanded, _ in seen)


def test_a_second_ctrl_c_breaks_a_step_off_and_the_search_says_so() -> None:
    """KeyboardInterrupt inside the problem's code gives status interrupted; to run on is refused with the reason."""

    def hangs(_state: int) -> Any:
        raise KeyboardInterrupt

    search = bf.Search(endless(hangs))
    assert search.run().status == "interrupted"
    with pytest.raises(bf.InputError, match="stopped in the middle of a step"):
        search.run()


BAD_CHOICES = [
    (("atsar",), {}, "no algorithm is called 'atsar'; did you mean astar"),
    (("astar", "manhatan"), {}, "SlidingTile has no heuristic 'manhatan'; did you mean manhattan"),
    (("astar", 7), {}, "heuristic is 7; pass a name, a function of a state, or a Heuristic"),
    (("breadth-first", "manhattan"), {}, "breadth-first takes no heuristic"),
    (("astar",), {"weight": 2}, "'weight'; it is an option of weighted-astar and anytime-weighted-astar"),
    (("astar",), {"order": "static"}, "astar has no option 'order'; it is an option of idastar"),
    (("breadth-first",), {"ties": "fifo"}, "breadth-first has no option 'ties'; it is an option of uniform-cost, greedy"),
    (("breadth-first",), {"qwxyz": 1}, "breadth-first has no option 'qwxyz'; there are none"),
    (("astar",), {"qwxyz": 1}, "astar has no option 'qwxyz'; choose from: ties"),
    (("astar",), {"seconds": 2}, "astar has no option 'seconds'; did you mean limits=bf.Limits(seconds=...)?"),
    (("astar",), {"solutions": 3}, "did you mean bf.solutions(problem)?"),
    (("weighted-astar",), {"weight": 0.5}, "the weight is 0.5; use a finite number >= 1"),
    (("beam",), {"width": 0}, "the width of the beam is 0"),
    (("depth-limited",), {}, "pass depth="),
    (("depth-limited",), {"depth": -1}, "the depth is -1"),
    (("astar",), {"ties": "random"}, "no tie-breaking rule is called 'random'"),
    (("anytime-weighted-astar",), {"ties": "random"}, "no tie-breaking rule is called 'random'"),
    (("branch-and-bound",), {"ties": "random"}, "no tie-breaking rule is called 'random'"),
    (("idastar",), {"order": "random"}, "no child order is called 'random'"),
    (("idastar",), {"prune": -3}, "prune is -3"),
    (("bidirectional-astar",), {"backward_heuristic": "manhatan"}, "SlidingTile has no heuristic"),
    (("idastar",), {"threads": 1000}, "threads is 1000"),
    (("astar",), {"engine": "fortran"}, "no engine is called 'fortran'"),
    (("rbfs",), {"engine": "compiled"}, "rbfs has no compiled version"),
]


@pytest.mark.parametrize(("arguments", "options", "message"), BAD_CHOICES)
def test_a_bad_choice_is_refused_with_the_remedy(arguments: Any, options: Any, message: str) -> None:
    """The error names what was given and what to write instead, also where no search is needed for the answer."""
    for puzzle in (PUZZLE, UNSOLVABLE):
        with pytest.raises(bf.InputError) as caught:
            bf.solve(puzzle, *arguments, **options)
        assert message in str(caught.value)


def test_an_algorithm_that_needs_a_heuristic_says_so() -> None:
    """A* on a problem without heuristics is not run with none in silence."""
    with pytest.raises(bf.InputError, match="astar needs a heuristic"):
        bf.solve(endless(), "astar")


def test_bidirectional_search_of_a_one_way_problem_says_what_is_missing() -> None:
    """Without backward() it cannot be done, and the error says so."""
    with pytest.raises(bf.InputError, match=r"backward\(\)"):
        bf.solve(Graph(CHAIN, 0, frozenset([9])), "bidirectional-astar", lambda _: 0)


def test_bidirectional_search_with_a_function_says_that_the_other_half_has_none() -> None:
    """The backward half searches blind, which a warning tells; a backward_heuristic silences it."""
    blind = bf.solve(PUZZLE, "bidirectional-astar", PUZZLE.manhattan)
    assert blind.cost == 5
    assert any("backward_heuristic=" in warning for warning in blind.warnings)
    both = bf.solve(PUZZLE, "bidirectional-astar", PUZZLE.manhattan, backward_heuristic="manhattan")
    assert not any("backward_heuristic=" in warning for warning in both.warnings)


def test_what_is_no_problem_is_refused() -> None:
    """A class instead of an instance, or anything else, gets a clear error."""
    with pytest.raises(bf.InputError, match="pass an instance of a Problem"):
        bf.solve(bf.SlidingTile)  # type: ignore[arg-type]
    with pytest.raises(bf.InputError, match="no initial state"):
        bf.solve(bf.Problem())
    stated_by_a_method = type("Stated", (bf.WaterJugs,), {"initial": lambda _self: (0, 0)})
    with pytest.raises(
        bf.InputError, match=r"Stated\.initial is a method; set initial to the start state, or write @property"
    ):
        bf.solve(object.__new__(stated_by_a_method))
    with pytest.raises(bf.InputError, match="is_goal is 5"):
        bf.Problem.of(0, lambda _: [], 5)  # type: ignore[arg-type]
    with pytest.raises(bf.InputError, match="successors is None"):
        bf.Problem.of(0, None, lambda _: True)  # type: ignore[arg-type]


@pytest.mark.parametrize("cost", [-1, math.nan, math.inf, "cheap", None])
def test_a_bad_cost_names_the_state_and_the_action(cost: Any) -> None:
    """Negative, NaN, infinite or no number: the error says where."""
    with pytest.raises(bf.CostError, match=r"action 'slip' in state 0 costs .*; a cost must be") as caught:
        bf.solve(endless(lambda _: [("slip", 1, cost)]))
    assert (caught.value.state, caught.value.action) == (0, "slip")


@pytest.mark.parametrize("value", [-1, math.nan, "far", None])
def test_a_bad_estimate_names_the_heuristic_and_the_state(value: Any) -> None:
    """Negative, NaN or no number: the error says where."""
    with pytest.raises(bf.HeuristicError, match=r"heuristic 'guess' returns .* for state 0"):
        bf.solve(endless(), "astar", bf.Heuristic(lambda _: value, "guess"))


def test_an_infinite_estimate_prunes_a_dead_end() -> None:
    """math.inf says that no goal can be reached: such a start is unsolvable without an expansion."""
    s = bf.solve(endless(), "astar", bf.Heuristic(lambda _: math.inf, "hopeless", admissible=True))
    assert (s.status, s.stats.expanded) == ("unsolvable", 0)


@pytest.mark.parametrize("successor", [("go", 1), 5, ("go", 1, 1, 1), None])
def test_a_successor_that_is_no_triple_is_refused(successor: Any) -> None:
    """The error shows the successor and the form it must have."""
    with pytest.raises(bf.ProblemError, match="must be a triple"):
        bf.solve(endless(lambda _: [successor]))


def test_states_that_are_not_hashable_are_refused() -> None:
    """At the start or on the way, the error says what to use instead."""
    with pytest.raises(bf.StateError, match="tuples"):
        bf.solve(bf.Problem.of([0], lambda _: [], lambda _: False))
    with pytest.raises(bf.StateError, match="tuples"):
        bf.solve(endless(lambda _: [("go", [1], 1)]))


def test_an_error_in_the_problems_own_code_comes_through_and_ends_the_search() -> None:
    """The caller's exception is not hidden; afterwards the search says that it cannot go on."""

    def broken(_state: int) -> Any:
        raise ZeroDivisionError("my own bug")

    search = bf.Search(endless(broken))
    with pytest.raises(ZeroDivisionError, match="my own bug"):
        search.run()
    with pytest.raises(bf.InputError, match="my own bug"):
        search.run()


def test_import_needs_nothing_but_the_standard_library_and_is_light() -> None:
    """Neither the import nor a small search loads a heavy module: not NumPy, nor the packages of the extras."""
    code = (
        "import sys, bestfirst as bf; bf.solve(bf.SlidingTile('1 3 _ / 4 2 5 / 7 8 6')); "
        "print(*sorted({name.partition('.')[0] for name in sys.modules}))"
    )
    loaded = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.split()
    assert not {"numpy", "numba", "networkx", "typer", "rich", "yaml"} & set(loaded)


class Hopeful(bf.Problem):
    """Two ways from 0 to 3: a dear one through 1, a cheap one through 2 and 4; it can be searched backward."""

    initial = 0
    edges: ClassVar[dict[int, list[tuple[int, float]]]] = {0: [(1, 1), (2, 0.5)], 1: [(3, 1)], 2: [(4, 0.5)], 4: [(3, 0.5)]}

    def is_goal(self, state: int) -> bool:
        return state == 3

    def successors(self, state: int) -> Any:
        return [(to, to, cost) for to, cost in self.edges.get(state, [])]

    def backward(self) -> bf.Problem:
        def into(state: int) -> Any:
            return [(to, source, cost) for source, links in self.edges.items() for to, cost in links if to == state]

        return bf.Problem.of(3, into, lambda state: state == 0)


def test_a_backward_heuristic_is_trusted_no_more_than_a_forward_one() -> None:
    """Known to overestimate, it proves nothing; with nothing known, the solution states the condition."""
    zero = bf.Heuristic(lambda _: 0, "zero", admissible=True)

    def wrong(state: int) -> int:
        return 100 if state in (2, 4) else 0

    known = bf.Heuristic(wrong, "wrong", admissible=False)
    proved_wrong = bf.solve(Hopeful(), "bidirectional-astar", zero, backward_heuristic=known)
    assert (proved_wrong.status, proved_wrong.lower_bound) == ("solved", 0)
    trusted = bf.solve(Hopeful(), "bidirectional-astar", zero, backward_heuristic=wrong)
    assert trusted.condition == "heuristic 'wrong' never overestimates"


@pytest.mark.parametrize("algorithm", ["astar", "idastar", "greedy", "beam", "rbfs", "weighted-astar"])
def test_a_wrong_heuristic_that_calls_the_start_hopeless_proves_nothing(algorithm: str) -> None:
    """An infinite estimate from a heuristic known to overestimate is no proof that there is no solution."""
    tree = bf.Tree({"I": ["A"]}, "I", "A", estimates={"I": math.inf, "A": 0})
    solution = bf.solve(tree, algorithm)
    assert (solution.status, solution.limit, solution.lower_bound) == ("limit", "heuristic", 0)
    trusted = bf.solve(endless(lambda _: []), algorithm, lambda _: math.inf)
    assert trusted.status == "unsolvable"
    assert trusted.condition is not None and "unsolvable if heuristic" in str(trusted)


@pytest.mark.parametrize("algorithm", ["breadth-first", "depth-first", "greedy", "beam", "uniform-cost", "astar", "idastar"])
def test_the_bound_under_a_depth_limit_holds(algorithm: str) -> None:
    """A search that keeps the first path to a state may cut the wrong one; its bound does not claim more than it knows."""
    edges: dict[int, list[tuple[int, float]]] = {0: [(1, 9), (2, 1)], 1: [(3, 9)], 2: [(3, 1)], 3: [(4, 1)]}
    zero = bf.Heuristic(lambda _: 0, "zero", admissible=True)
    h = zero if bf.ALGORITHMS[algorithm].heuristic != "none" else None
    solution = bf.solve(Graph(edges, 0, frozenset([4])), algorithm, h, limits=bf.Limits(depth=2))
    assert (solution.status, solution.limit) == ("limit", "depth")
    assert solution.lower_bound <= 3


def test_generate_and_test_obeys_the_limit_on_expansions_also_with_one_on_depth() -> None:
    """Its candidates are no paths, so the depth does not keep them from being counted."""
    star = Graph({0: [(leaf, 1) for leaf in range(1, 13)]}, 0, frozenset())
    solution = bf.solve(star, "generate-and-test", limits=bf.Limits(expansions=500, depth=1))
    assert (solution.limit, solution.stats.expanded) == ("expansions", 500)


def test_a_huge_weight_does_not_overflow_into_a_proof() -> None:
    """The bound stays below the optimum."""
    solution = bf.solve(bf.SlidingTile("8 6 7 2 5 4 3 _ 1"), "weighted-astar", weight=1e308)
    assert solution.status == "bounded"
    assert solution.lower_bound <= 31


def test_a_limit_may_be_a_number_of_numpy() -> None:
    """It limits as the same number of Python does."""
    assert bf.Limits(expansions=np.int64(5)) == bf.Limits(expansions=5)  # type: ignore[arg-type]
    assert type(bf.Limits(depth=np.uint8(5)).depth) is int  # type: ignore[arg-type]


@pytest.mark.parametrize("cost", [3j, np.complex128(3j), np.complex64(3j)])
def test_a_complex_cost_is_no_cost(cost: Any) -> None:
    """NumPy would drop its imaginary part."""
    problem = bf.Problem.of(0, lambda state: [("on", state + 1, cost)], lambda state: state == 2)
    with pytest.raises(bf.CostError):
        bf.solve(problem, "uniform-cost")


@pytest.mark.parametrize("engine", ["python", "compiled"])
def test_the_domain_of_a_problem_can_be_searched_itself(engine: str) -> None:
    """Its solution then consists of its own states, in both engines."""
    domain = bf.TowersOfHanoi(3).domain()
    assert domain is not None
    solution = bf.solve(domain, "idastar", engine=engine)
    assert solution.cost == 7
    assert solution.states[0] == domain.initial


def test_only_the_latest_loop_over_a_search_may_go_on() -> None:
    """Another run in the middle of a loop would otherwise make the loop repeat a step."""
    search = bf.Search(Graph(CHAIN, 0, frozenset([9])))
    with pytest.raises(bf.InputError, match="has since been resumed elsewhere"):
        for event in search:
            if event.kind == "expand":
                search.run(bf.Limits(expansions=1))
    assert search.run().cost == 9


@pytest.mark.parametrize("member", ["successors", "is_goal", "heuristic"])
def test_a_stop_iteration_is_reported_with_method_and_state(member: str) -> None:
    """Python would turn it into a RuntimeError that names neither."""

    def stops(state: int) -> Any:
        return next(iter(())) if state == 3 else {"successors": [("up", state + 1, 1)]}.get(member, 0) or False

    functions: dict[str, Any] = {
        "successors": lambda state: [("up", state + 1, 1)],
        "is_goal": lambda _: False,
        "heuristic": lambda _: 0,
    }
    functions[member] = stops
    problem = bf.Problem.of(0, functions["successors"], functions["is_goal"])
    with pytest.raises(bf.ProblemError, match=r"stops raised StopIteration, with state = 3 \(.*test_solve.py"):
        bf.solve(problem, "astar", functions["heuristic"])


AGAIN = {
    "run": lambda search: search.run(),
    "step": lambda search: next(iter(search)),
    "save": lambda search: search.save("never-written.npz"),
}


@pytest.mark.parametrize("again", AGAIN.values(), ids=AGAIN)
def test_a_search_that_is_running_cannot_be_used_a_second_time(again: Any) -> None:
    """To run, step or save it from its own progress function is refused; then it goes on, and ends as usual."""
    refused = []

    def use_again(search: bf.Search) -> None:
        with pytest.raises(bf.InputError, match="is already running"):
            again(search)
        refused.append(True)

    assert bf.solve(PUZZLE, progress=use_again).cost == 5
    assert refused


def test_another_thread_cannot_run_a_search_that_is_running() -> None:
    """It gets an InputError, rather than the same nodes."""
    errors = []

    def run_in_thread(search: bf.Search) -> None:
        def run() -> None:
            with pytest.raises(bf.InputError, match="is already running") as error:
                search.run()
            errors.append(error)

        thread = Thread(target=run)
        thread.start()
        thread.join()

    assert bf.solve(PUZZLE, progress=run_in_thread).cost == 5
    assert errors


def test_a_loop_over_a_search_cannot_be_continued_within_its_own_step() -> None:
    """A method of the problem that asks for the next event is refused."""
    loop: Any = iter(())

    def successors(state: int) -> Any:
        next(loop)
        return [("up", state + 1, 1)]

    loop = iter(bf.Search(endless(successors)))
    with pytest.raises(bf.InputError, match="is already running"):
        list(loop)


def test_ctrl_c_in_the_middle_of_a_loop_is_no_end_of_the_search() -> None:
    """KeyboardInterrupt comes through, and the solution says interrupted."""

    def presses(_state: int) -> bool:
        raise KeyboardInterrupt

    search = bf.Search(bf.Problem.of(0, lambda _: [], presses))
    with pytest.raises(KeyboardInterrupt):
        list(search)
    assert search.solution.status == "interrupted"


def test_a_search_left_in_the_middle_says_paused() -> None:
    """Neither a limit nor an end."""
    search = bf.Search(bf.SlidingTile("8 6 7 2 5 4 3 _ 1"))
    next(iter(search))
    assert (search.solution.status, search.solution.limit, search.ended) == ("limit", "paused", False)


def test_memory_that_runs_out_ends_the_search_with_what_it_has() -> None:
    """A MemoryError is a limit that nobody set: the bound comes back, and the search cannot be run on."""

    def hungry(state: int) -> Any:
        if state == 5:
            raise MemoryError
        return [("on", state + 1, 1)]

    search = bf.Search(endless(hungry))
    solution = search.run()
    assert (solution.status, solution.limit, solution.lower_bound) == ("limit", "memory", 5)
    with pytest.raises(bf.InputError, match="out of memory"):
        search.run()


def test_a_solution_keeps_the_statistics_of_its_moment() -> None:
    """A later run does not change what an earlier one said."""
    search = bf.Search(bf.SlidingTile("8 6 7 2 5 4 3 _ 1"))
    assert [search.run(bf.Limits(expansions=100)).stats.expanded for _ in range(3)] == [100, 200, 300]


def test_errors_and_solutions_can_be_pickled() -> None:
    """As they must be to come back from another process."""
    for error in (bf.CostError(0, "go", -1), bf.HeuristicError("h", 0, -1), bf.UnknownNameError("name", "a", ["b"])):
        assert str(pickle.loads(pickle.dumps(error))) == str(error)
    solution = bf.solve(bf.SlidingTile("8 6 7 2 5 4 3 _ 1"), "weighted-astar", trace=True, limits=bf.Limits(expansions=9))
    assert pickle.loads(pickle.dumps(solution)).stats == solution.stats


def test_the_condition_of_a_bidirectional_search_names_each_heuristic_once() -> None:
    """The same name for both directions, and two names in the plural."""

    def nothing(_state: Any) -> int:
        return 0

    def none(_state: Any) -> int:
        return 0

    both = bf.solve(PUZZLE, "bidirectional-astar", nothing, backward_heuristic=nothing, engine="python")
    assert both.condition == "heuristic 'nothing' never overestimates in either direction"
    two = bf.solve(PUZZLE, "bidirectional-astar", nothing, backward_heuristic=none, engine="python")
    assert two.condition == "heuristics 'nothing' and 'none' never overestimate"


def test_a_heuristic_alone_is_enough_to_choose_astar() -> None:
    """A newcomer adds heuristic= and need not name an algorithm."""
    solution = bf.solve(Graph(CHAIN, 0, frozenset([9])), heuristic=lambda node: 9 - node)
    assert (solution.algorithm, solution.cost) == ("astar", 9)
    assert "optimal if heuristic '<lambda>' never overestimates" in str(solution)


WRONG_TYPES: list[tuple[dict[str, Any], str]] = [
    ({"limits": 5}, "limits is 5"),
    ({"trace": "x"}, "trace is 'x'"),
    ({"algorithm": 5}, "algorithm is 5"),
    ({"algorithm": ""}, "no algorithm is called ''"),
]


@pytest.mark.parametrize(("arguments", "message"), WRONG_TYPES)
def test_arguments_of_a_wrong_type_are_refused(arguments: dict[str, Any], message: str) -> None:
    """With what was given and what to give."""
    with pytest.raises(bf.InputError, match=message):
        bf.solve(PUZZLE, **arguments)


def test_successors_without_a_yield_are_explained() -> None:
    """The commonest mistake: the function returns None."""
    with pytest.raises(bf.ProblemError, match=r"successors\(0\) returns None; yield"):
        bf.solve(endless(lambda _: None))


def test_a_heuristic_of_the_problem_may_be_given_as_an_object() -> None:
    """It compiles as it does by name: what "auto" gives without databases is such an object."""
    puzzle = bf.SlidingTile("1 6 4 8 7 _ 3 2 5")
    given = puzzle.heuristics()["linear-conflict"]
    by_name, by_object = (bf.solve(puzzle, "idastar", chosen, engine="compiled") for chosen in ("linear-conflict", given))
    assert by_name.stats.generated == by_object.stats.generated
    with pytest.raises(bf.InputError, match="not given by the name of one of the domain"):
        bf.solve(puzzle, "idastar", bf.Heuristic(lambda _: 0, "linear-conflict"), engine="compiled")


def test_a_heuristic_object_serves_any_start() -> None:
    """Made for one board, given with another of the same goal: the compiled engine searches that other one."""
    made_for, puzzle = bf.SlidingTile("1 2 3 4 5 6 7 _ 8"), bf.SlidingTile("1 6 4 8 7 _ 3 2 5")
    named = find_heuristic(made_for, "pdb:4-4")
    combined = additive(made_for, [bf.PatternDatabase.build(made_for, tiles) for tiles in ([1, 2, 3, 4], [5, 6, 7, 8])])
    for given in (named, combined):
        for engine in ("python", "compiled"):
            assert bf.solve(puzzle, "idastar", given, engine=engine).cost == 23


def test_a_heuristic_object_of_another_goal_is_not_compiled() -> None:
    """Its tables are those of its own goal."""
    named = find_heuristic(bf.SlidingTile("1 2 3 4 5 6 7 _ 8"), "pdb:4-4")
    with pytest.raises(bf.InputError, match="this problem cannot be compiled with the heuristic pdb:4-4"):
        bf.solve(bf.SlidingTile("8 7 6 5 4 3 2 _ 1", "8 7 6 5 4 3 2 1 _"), "idastar", named, engine="compiled")


@pytest.mark.parametrize(
    ("options", "meant"),
    [
        ({"heuristc": "manhattan"}, "heuristic"),
        ({"limit": bf.Limits(seconds=1)}, "limits"),
        ({"thread": 2}, "threads"),
        ({"tie": "lifo"}, "ties"),
        ({"algoritm": "astar"}, "algorithm"),
        ({"verfy": False}, "verify"),
    ],
)
def test_a_misspelt_keyword_is_answered_with_the_one_that_was_meant(options: dict[str, Any], meant: str) -> None:
    """Be it an option of the algorithm or one that all searches take."""
    with pytest.raises(bf.UnknownNameError, match=rf"did you mean .*{meant}"):
        bf.solve(PUZZLE, **options)


def test_generate_and_test_with_a_depth_limit_ends() -> None:
    """The path of a candidate is made of the actions that were collected, whatever the depth limit bars by then."""
    line: dict[int, list[tuple[int, float]]] = {0: [(1, 5), (1, 2)], 1: [(2, 1)], 2: [(3, 1)], 3: [(4, 1)]}
    found = bf.solve(Graph(line, 0, frozenset([2])), "generate-and-test", limits=bf.Limits(depth=2))
    assert (found.cost, found.states) == (3, [0, 1, 2])
    barred = bf.solve(Graph(line, 0, frozenset([4])), "generate-and-test", limits=bf.Limits(depth=2))
    assert (barred.cost, barred.limit) == (None, "depth")


@pytest.mark.parametrize("weight", [math.inf, math.nan])
def test_a_weight_that_is_no_number_is_refused(weight: float) -> None:
    """Before the search, in both engines."""
    for engine in ("python", "compiled"):
        with pytest.raises(bf.InputError, match="use a finite number >= 1"):
            bf.solve(bf.SlidingTile("1 2 3 4 5 6 7 _ 8"), "weighted-astar", weight=weight, engine=engine)


def test_a_weight_beyond_floats_is_a_weight() -> None:
    """The bound that it proves is that of the heuristic alone."""
    chain = bf.Problem.of(0, lambda state: [("on", state + 1, 0.5)] if state < 3 else [], lambda state: state == 3)
    solution = bf.solve(chain, "weighted-astar", lambda _state: 0, weight=10**309)
    assert solution.cost == 1.5


def test_options_may_be_numbers_of_numpy() -> None:
    """A weight or a width that was computed with NumPy is the number that it stands for."""
    puzzle = bf.SlidingTile("2 8 3 1 6 4 7 _ 5", "1 2 3 8 _ 4 7 6 5")
    assert bf.solve(puzzle, "weighted-astar", weight=np.float32(2)).found
    assert bf.solve(puzzle, "beam", width=np.int64(3)).found


def test_odd_numbers_end_in_an_error_or_an_answer_of_ours() -> None:
    """A signalling NaN is no cost, and an f beyond floats can be written into a warning."""
    cost: Any = Decimal("sNaN")
    with pytest.raises(bf.CostError):
        bf.solve(bf.Problem.of(0, lambda state: [("on", state + 1, cost)], lambda state: state == 1), "uniform-cost")
    large = bf.Problem.of(
        0, lambda state: [("on", state + 1, (8 * 10**307, 1)[state])] if state < 2 else [], lambda state: state == 2
    )
    solution = bf.solve(large, "astar", lambda state: [0, 8 * 10**307, 0][state])
    assert any("is inconsistent" in warning for warning in solution.warnings)


@pytest.mark.parametrize(("cost", "other"), [(7, 17), (15, 21)])
def test_the_bound_of_a_weighted_search_is_rounded_down(cost: int, other: int) -> None:
    """It never exceeds the cost of the cheapest solution: here not even by the rounding of a quotient."""
    edges = {0: [("a", 1, 0), ("b", 2, other)], 1: [("a", 2, cost)], 2: []}
    problem = bf.Problem.of(0, lambda state: edges[state], lambda state: state == 2)
    solution = bf.solve(problem, "weighted-astar", lambda state: 0 if state == 2 else cost, weight=other / cost)
    assert solution.lower_bound <= cost
    assert solution.lower_bound == pytest.approx(cost)


@pytest.mark.parametrize("copied", [pickle.dumps, copy.copy, copy.deepcopy])
def test_a_search_is_saved_rather_than_copied(copied: Any) -> None:
    """It holds threads, generators and compiled code; the error says what to do."""
    with pytest.raises(bf.InputError, match=re.escape("save it with search.save(path)")):
        copied(bf.Search(bf.SlidingTile("1 2 3 4 5 6 7 _ 8"), "astar"))


def test_the_heuristic_zero_is_uniform_cost() -> None:
    """In both engines."""
    road = bf.GridMap(["...", "..."], (0, 0), (2, 1))
    for engine in ("python", "compiled"):
        zero, none = bf.solve(road, "astar", "zero", engine=engine), bf.solve(road, "uniform-cost", engine=engine)
        assert (zero.actions, zero.stats.generated) == (none.actions, none.stats.generated)


@pytest.mark.parametrize("error", [GeneratorExit, SystemExit, type("Own", (BaseException,), {})])
def test_a_search_that_any_error_ended_proves_nothing_afterwards(error: type[BaseException]) -> None:
    """Not even that no solution exists, though its steps have come to an end."""

    def successors(state: int) -> Iterator[tuple[str, int, int]]:
        if state > 1:
            raise error
        yield "up", state + 1, 1

    search = bf.Search(bf.Problem.of(0, successors, lambda state: state == 9))
    with pytest.raises(error):
        search.run()
    with pytest.raises(bf.InputError, match="ended with an error"):
        search.run()


def test_a_loop_over_the_events_can_be_left_and_the_search_resumed() -> None:
    """To close a loop is not an error of the problem."""
    search = bf.Search(bf.SlidingTile("1 2 3 4 5 6 _ 7 8"), "astar")
    for _ in search:
        break
    assert search.run().cost == 2


def test_a_solve_takes_the_arrays_of_the_last_one_in_its_thread(monkeypatch: pytest.MonkeyPatch) -> None:
    """Small ones only, and not while somebody may still use the search; its counts are those of a search with new arrays."""
    left = Recycled(1 << 24)
    monkeypatch.setattr(solving, "of_last_solve", lambda: left)
    grid = bf.GridMap(["." * 20] * 20, (0, 0), (19, 10))
    first = bf.solve(grid, "astar", engine="compiled")
    words = left._arrays["words"]
    again = bf.solve(grid, "astar", engine="compiled")
    assert left._arrays["words"].ctypes.data == words.ctypes.data
    assert (first.stats.expanded, first.stats.generated) == (again.stats.expanded, again.stats.generated)
    assert first.actions == again.actions
    kept: list[bf.Search] = []
    bf.solve(grid, "astar", engine="compiled", progress=kept.append)
    assert left._arrays["words"] is not kept[0]._stages.attempt.driver._store._words  # type: ignore[attr-defined]
    left._most = 1
    bf.solve(grid, "astar", engine="compiled")
    assert not left._arrays


def test_each_thread_has_arrays_of_its_own() -> None:
    """Two searches never write to the same array."""
    found = [of_last_solve()]
    thread = Thread(target=lambda: found.append(of_last_solve()))
    thread.start()
    thread.join()
    assert found[0] is of_last_solve()
    assert found[0] is not found[1]


def test_a_hash_table_takes_only_a_power_of_two_of_entries() -> None:
    """A table of ranks, which may have any number of entries, is left to a search with as many ranks only."""
    entries = np.zeros(96, np.int64)
    for wanted, is_exact, fits in ((64, False, False), (64, True, False), (96, True, True)):
        left = Recycled()
        left.give(np.zeros(8, np.int64), entries, nodes=96)
        assert (left.table(wanted, is_exact=is_exact) is entries) == fits
    left = Recycled()
    left.give(np.zeros(8, np.int64), entries[:64], nodes=64)
    table = left.table(32, is_exact=False)
    assert table is not None and len(table) == 64


class _SolvesToBeStated(bf.Problem[Any, Any]):
    """Its domain() solves another problem first."""

    def __init__(self) -> None:
        self.inner = bf.Pancake("3 1 2")
        self.initial = self.inner.initial
        self.found: list[object] = []

    def successors(self, state: Any) -> Any:
        return self.inner.successors(state)

    def is_goal(self, state: Any) -> bool:
        return self.inner.is_goal(state)

    def domain(self) -> bf.Domain | None:
        self.found.append(bf.solve(bf.Pancake("2 1 3"), "uniform-cost", engine="compiled").cost)
        return self.inner.domain()


def test_domain_may_solve_another_problem() -> None:
    """In the compiled engine, which another thread prepares."""
    problem = _SolvesToBeStated()
    assert bf.solve(problem, "uniform-cost", engine="compiled").cost == bf.solve(problem.inner).cost
    assert set(problem.found) == {1}


def test_the_time_to_prepare_a_search_is_told_apart_from_its_time() -> None:
    """What domain() takes is preparation; under a time limit it counts as time of the search, too."""

    class Slow(bf.Problem):
        initial = 0

        def is_goal(self, state: int) -> bool:
            return state == HEAD_START + 10

        def successors(self, state: int) -> list[tuple[str, int, int]]:
            return [("up", state + 1, 1)]

        def domain(self) -> None:
            time.sleep(0.5)

    free, limited = bf.solve(Slow()), bf.solve(Slow(), limits=bf.Limits(seconds=60))
    assert free.found and free.preparation >= 0.5 > free.stats.seconds
    assert limited.found and limited.stats.seconds >= limited.preparation


class TwoEstimates(bf.Problem):
    """Two steps down, with two heuristics, neither of which is the default."""

    initial = 2

    def is_goal(self, state: int) -> bool:
        return state == 0

    def successors(self, state: int) -> list[tuple[str, int, int]]:
        return [("down", state - 1, 1)]

    @bf.heuristic(admissible=True)
    def steps(self, state: int) -> int:
        """Exact."""
        return state

    @bf.heuristic(admissible=True)
    def half(self, state: int) -> int:
        """Half of it."""
        return state // 2


def test_the_heuristics_of_a_problem_without_a_default_are_named() -> None:
    """By the error of an algorithm that needs one, and by the plan of a search that goes without; not if one was given."""
    with pytest.raises(bf.InputError, match=r"name one of its heuristics \(steps, half\)"):
        bf.solve(TwoEstimates(), "astar")
    assert "it offers steps, half" in str(bf.plan(TwoEstimates()))
    assert "steps, half" not in str(bf.plan(TwoEstimates(), heuristic="steps"))
    with pytest.raises(bf.InputError, match="name one, or use uniform-cost"):
        bf.solve(endless(), "astar")


def test_games_and_problems_are_told_apart() -> None:
    """Whoever solves a game, or analyses a problem, is told which function to call."""
    with pytest.raises(bf.InputError, match=r"it is a game; use bf\.analyse"):
        bf.solve(bf.TicTacToe())  # type: ignore[arg-type]
    with pytest.raises(bf.InputError, match=r"it is a Problem; use bf\.solve"):
        bf.analyse(PUZZLE)  # type: ignore[arg-type]


def test_identity_in_a_problem_that_is_no_domain() -> None:
    """A subclass that replaces its successors is searched all the same."""

    class Named(bf.Problem[int, str]):
        initial, identity = 0, ("place",)

        def is_goal(self, state: int) -> bool:
            return state == 3

        def successors(self, state: int) -> Any:
            return [("go", state + 1, 1)]

    class Dear(Named):
        def successors(self, state: int) -> Any:
            return [("go", state + 1, 2)]

    assert bf.solve(Dear()).cost == 6

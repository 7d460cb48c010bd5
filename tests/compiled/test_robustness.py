"""Bad domains and hard circumstances: a clear error or a limit, never a crash, and nothing that was done is lost."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from math import nan
from pathlib import Path
from typing import Any, NamedTuple

import pytest

import bestfirst as bf
from bestfirst.errors import WordOverflowError
from compilable import FloatGraph, IntGraph

COMPILED = ["astar", "idastar", "uniform-cost", "weighted-astar"]


class Counter(bf.Domain):
    """Counts up to a goal; what goes wrong is for subclasses."""

    class State(NamedTuple):
        number: int

    max_actions = 1
    default_heuristic = "none"

    def __init__(self, start: Any = None) -> None:
        self.initial = self.State(0) if start is None else start

    def step(self, state: State, action: int) -> Any:  # noqa: ARG002
        return True, self.State(state.number + 1), 1

    def is_goal(self, state: State) -> bool:
        return state.number == 10**6

    @bf.heuristic(admissible=True, consistent=True)
    def none(self, state: State) -> int:  # noqa: ARG002
        return 0


class Pair(NamedTuple):
    one: int
    other: int


@pytest.mark.parametrize("algorithm", COMPILED)
@pytest.mark.parametrize(
    ("start", "what"),
    [
        (Counter.State(2**63), "does not fit into a signed 64-bit int"),
        (Counter.State(0.5), "must be an int"),  # type: ignore[arg-type]
        (Pair(1, 2), "State"),
        ((0,), "State"),
    ],
)
def test_a_bad_initial_state_is_named(algorithm: str, start: Any, what: str) -> None:
    """Too large, no int, of other fields, a plain tuple."""
    with pytest.raises(bf.StateError, match=what):
        bf.solve(Counter(start), algorithm, engine="compiled")


@pytest.mark.parametrize("algorithm", ["astar", "idastar", "greedy"])
def test_an_estimate_that_is_no_number_is_named(algorithm: str) -> None:
    """NaN compares with nothing."""
    domain = FloatGraph({0: [(1, 1.0)], 1: [(2, 1.0)]}, frozenset([2]), {1: nan}, 3)
    domain.default_heuristic = "given"
    with pytest.raises(bf.HeuristicError, match="nan"):
        bf.solve(domain, algorithm, engine="compiled")


def test_costs_beyond_all_bounds_are_refused_with_the_way_out() -> None:
    """The reference engine has ints of any size; records hold costs of 2**40 and more."""
    for cost, fits in ((2**39, True), (2**61, False)):
        domain = IntGraph({node: [(node + 1, cost)] for node in range(4)}, frozenset([4]), {}, 5)
        domain.default_heuristic = "given"
        assert bf.solve(domain, "astar", engine="python").cost == 4 * cost
        if fits:
            assert bf.solve(domain, "astar", engine="compiled").cost == 4 * cost
        else:
            with pytest.raises(WordOverflowError, match=r"does not fit into .*engine='python'"):
                bf.solve(domain, "astar", engine="compiled")


ENDLESS = """
from typing import NamedTuple
import bestfirst as bf
from bestfirst.compiled.drivers import driver

class Endless(bf.Domain):
    class State(NamedTuple):
        number: int
    max_actions = 1
    initial = State(0)
    def step(self, state, action):
        number = state.number
        while number > 100:
            number = number * 3 % 100_003 + 101
        return True, self.State(state.number + 1), 1
    def is_goal(self, state):
        return state.number == 10**6
    @bf.heuristic(admissible=True, consistent=True)
    def none(self, state):
        return 0

if __name__ == "__main__":
    driver.PATIENCE = 0.2
    search = bf.Search(Endless(), "depth-first-branch-and-bound", heuristic="none", engine="compiled")
    search.run(bf.Limits(expansions=50))  # compiles
    solution = search.run(bf.Limits(seconds=0.2))
    assert (solution.status, solution.limit) == ("limit", "seconds")
    assert solution.stats.expanded >= 50
    assert "did not return" in solution.warnings[-1]
    try:
        search.run()
    except bf.InputError as error:
        print(error)
"""


@pytest.mark.slow
def test_a_step_that_never_ends_does_not_hold_up_a_limit(tmp_path: Path) -> None:
    """What was done before comes back, with a warning; the search cannot go on. In a process that ends the steps, too."""
    program = tmp_path / "endless.py"
    program.write_text(ENDLESS)
    done = subprocess.run([sys.executable, str(program)], capture_output=True, text=True, check=False, timeout=300)
    assert done.stdout.count("start a new search") == 1, done.stderr


PROGRAM = """
import bestfirst as bf
hard = bf.SlidingTile("15 2 12 11 14 13 9 5 1 3 8 7 _ 10 6 4", goal=range(16))
print(bf.solve(hard, "astar", "manhattan", engine="compiled", limits={limits}).limit, flush=True)
"""


def run(program: str, *, address_space: int | None = None) -> subprocess.CompletedProcess[str]:
    limit = f"import resource; resource.setrlimit(resource.RLIMIT_AS, ({address_space},) * 2)\n" if address_space else ""
    return subprocess.run([sys.executable, "-c", limit + program], capture_output=True, text=True, check=False)


@pytest.mark.slow
def test_a_search_that_needs_more_memory_than_there_is_says_so() -> None:
    """An address space of less than it needs: the arrays cannot grow, and the search ends with what it has."""
    done = run(PROGRAM.format(limits="None"), address_space=900_000_000)
    assert (done.stdout.strip(), done.returncode) == ("memory", 0), done.stderr


@pytest.mark.slow
def test_ctrl_c_is_answered_at_once_and_loses_nothing(tmp_path: Path) -> None:
    """The search comes back as interrupted, with its bound, well within a second of the signal."""
    program = tmp_path / "hard.py"
    program.write_text(
        "import bestfirst as bf\n"
        'hard = bf.SlidingTile("14 13 15 7 11 12 9 5 6 _ 2 1 4 8 10 3", goal=range(16))\n'
        'search = bf.Search(hard, "idastar", engine="compiled")\n'
        "search.run(bf.Limits(expansions=1000))\n"
        'print("ready", flush=True)\n'
        "solution = search.run()\n"
        "print(solution.status, solution.lower_bound > 40, solution.stats.expanded > 1000)\n"
    )
    process = subprocess.Popen([sys.executable, str(program)], stdout=subprocess.PIPE, text=True, env=os.environ)
    assert process.stdout is not None
    assert process.stdout.readline() == "ready\n"
    time.sleep(0.5)
    process.send_signal(signal.SIGINT)
    rest, _ = process.communicate(timeout=60)
    assert rest.split() == ["interrupted", "True", "True"]

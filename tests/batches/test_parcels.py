"""Problems of a script, a notebook or a file of the user, and functions, reach the workers, with their source code."""

from __future__ import annotations

import subprocess
import sys
import textwrap
from pathlib import Path
from threading import Lock
from typing import Any

import pytest

import bestfirst as bf
from bestfirst.batches import parcels
from bestfirst.own_files import load_file
from misbehaving import Count

pytestmark = pytest.mark.slow

SCRIPT = '''
import linecache
import bestfirst as bf

class Steps(bf.Problem):
    initial = 0

    def is_goal(self, state):
        return state == 3

    def successors(self, state):
        yield Step(), state + 1, 1

class Step:
    pass

for solution in bf.solve_many([Steps(), Steps()], on="local", workers=1):
    print(solution.cost, type(solution.actions[0]) is Step)

CELL = """
from typing import NamedTuple

class Stack(bf.Domain):
    class State(NamedTuple):
        stack: tuple[int, ...]

    unit_cost = True

    def __init__(self, stack):
        self.max_actions = len(stack) - 1
        self.initial = self.State(tuple(stack))
        self.goal = tuple(sorted(stack))

    def step(self, state, action):
        stack = list(state.stack)
        for place in range(action + 2):
            stack[place] = state.stack[action + 1 - place]
        return True, self.State(tuple(stack)), 1

    def is_goal(self, state):
        return state.stack == self.goal
"""
linecache.cache["<cell 1>"] = len(CELL), None, CELL.splitlines(keepends=True), "<cell 1>"
exec(compile(CELL, "<cell 1>", "exec"))
search = {"algorithm": "depth-first-branch-and-bound", "engine": "compiled"}
for solution in bf.solve_many([Stack([2, 3, 1]), Stack([3, 1, 2])], **search, on="local", workers=1):
    print(solution.engine, solution.cost, solution.reason, {type(state) is Stack.State for state in solution.states})
'''


def test_classes_of_a_script_and_of_a_cell(tmp_path: Path) -> None:
    """The program needs no guard, the classes of the results are its own, and a class in no file compiles."""
    pytest.importorskip("cloudpickle")
    file = tmp_path / "script.py"
    file.write_text(SCRIPT)
    done = subprocess.run([sys.executable, str(file)], capture_output=True, text=True, check=False)
    assert done.stderr == ""
    assert done.stdout.splitlines() == ["3 True", "3 True", "compiled 2 None {True}", "compiled 2 None {True}"]


def test_functions_without_a_name() -> None:
    """In a problem and as a heuristic."""
    pytest.importorskip("cloudpickle")
    most = 3
    problem = bf.Problem.of(0, lambda state: [("up", state + 1, 1)], lambda state: state == most)

    def left(state: int) -> int:
        return most - state

    (solution,) = bf.solve_many([problem], "astar", left, on="local", workers=1)
    assert (solution.cost, solution.problem) == (3, problem)
    assert solution.plan is not None
    assert solution.plan.first.heuristic is left  # it was not sent back


def test_a_local_subclass_of_a_shipped_class() -> None:
    """Also if its members were looked at before it was sent."""
    pytest.importorskip("cloudpickle")

    class Tiles(bf.SlidingTile):
        """A subclass that is no name of a module."""

    tiles = Tiles("1 2 3 / 4 _ 6 / 7 5 8")
    assert bf.solve(tiles).cost == 2
    (solution,) = bf.solve_many([tiles], on="local", workers=1)
    assert (solution.cost, solution.heuristic) == (2, "manhattan")


def test_a_subclass_of_a_class_that_was_changed_before() -> None:
    """Its claims were made for the changed rules, in a worker too."""
    pytest.importorskip("cloudpickle")

    class Line(bf.Problem[int, str]):
        initial, goal = 0, 6

        def successors(self, state: int) -> Any:
            return [("right", state + 1, 1), ("left", state - 1, 1)]

        def is_goal(self, state: int) -> bool:
            return state == self.goal

    Line.goal = 9

    class Hopping(Line):
        default_heuristic = "hops"

        def successors(self, state: int) -> Any:
            return [("hop", state + 2, 1), *super().successors(state)]

        @bf.heuristic(admissible=True, consistent=True)
        def hops(self, state: int) -> float:
            return abs(self.goal - state) / 2

    (solution,) = bf.solve_many([Hopping()], on="local", workers=1)
    assert (solution.cost, solution.heuristic, solution.warnings) == (5, "hops", [])


@pytest.fixture
def without_cloudpickle(monkeypatch: pytest.MonkeyPatch) -> None:
    """As if it were not installed."""
    monkeypatch.setattr(parcels, "has_cloudpickle", bool)


@pytest.mark.usefixtures("without_cloudpickle")
def test_without_cloudpickle_an_error_says_what_to_do() -> None:
    """For a function, a local class and a class of a script, before a process starts; modules need nothing."""

    class Local(Count):
        pass

    for problem in (bf.Problem.of(0, lambda _: [], bool), Local(), _of_a_script()):
        with pytest.raises(bf.InputError, match=r"cannot be sent.*bestfirst\[batches\].*module"):
            next(bf.solve_many([problem], on="local", workers=1))
    with pytest.raises(bf.InputError, match="lambda"):
        next(bf.solve_many([Count()], "astar", lambda _: 0, on="local", workers=1))


def _of_a_script() -> Count:
    made: type[Count] = type("Mine", (Count,), {"__module__": "__main__"})
    return made()


class Worn(Count):
    """What a batch cannot take, but for the attribute that __getstate__() leaves out."""

    def __getstate__(self) -> dict[str, Any]:
        return {name: value for name, value in vars(self).items() if name != "left_out"}


@pytest.mark.parametrize("takes_code", [[], [True]])
@pytest.mark.parametrize("kind", [Count, Worn, type("Worn", (Count,), {"__module__": "__main__"})])
def test_an_attribute_that_cannot_be_sent_is_named(
    kind: type[Count], takes_code: list[bool], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whether an earlier batch was sent by its code or not, and never one that is not sent."""
    monkeypatch.setattr(parcels, "_takes_code", takes_code)
    problem: Any = kind()
    if kind is Worn:
        problem.left_out = Lock()
    problem.shelf = {"key": [Lock()]}
    with pytest.raises(bf.InputError, match=r"attribute 'shelf' of an object of .* cannot pickle '_thread.lock'") as error:
        parcels.packed([problem])
    assert "cloudpickle" not in str(error.value)
    assert "__getstate__" in str(error.value)


def test_a_file_of_the_user(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """As the command loads it: the workers load it too."""
    file = tmp_path / "own_steps.py"
    file.write_text(
        textwrap.dedent("""
        import bestfirst as bf
        import beside

        class Steps(bf.Problem):
            initial = 0

            def is_goal(self, state):
                return state == beside.NUMBER

            def successors(self, state):
                yield "up", state + 1, 1
        """)
    )
    (tmp_path / "beside.py").write_text("NUMBER = 4\n")
    monkeypatch.setattr(sys, "path", list(sys.path))
    problem = load_file(file).Steps()
    assert [solution.cost for solution in bf.solve_many([problem, problem], on="local", workers=1)] == [4, 4]


def test_marks_stand_for_what_is_known() -> None:
    """It is neither packed nor unpacked."""
    item, other = object(), object()
    parcel = parcels.packed({"item": item, "more": [other, item, None]}, (item, other, None))
    assert len(parcel) < 100
    assert parcels.unpacked(parcel, ("one", "two", "three")) == {"item": "one", "more": ["two", "one", None]}

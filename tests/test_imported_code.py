"""What workers import: they refuse a problem if that is not what the program has in memory, and only then."""

from __future__ import annotations

import importlib
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

import bestfirst as bf
from bestfirst.imported_code import ImportedCode, OtherCodeError

SOURCE = '''
import time
import bestfirst as bf

COST = 1
HUGE = 10**5000
DEEP = ()
for _ in range(3000):
    DEEP = (DEEP,)
WAYS = [1]
CALLS = 0
MET = []
STARTED = time.time()

def ends(state):
    return state == 10

def counted():
    global CALLS
    CALLS += 1

class Count(bf.Problem):
    """From 0 to 10."""
    initial = 0
    asked = 0
    _table = None
    made = 0

    def __init__(self):
        setattr(type(self), "made", self.made + 1)

    @property
    def table(self):
        if Count._table is None:
            Count._table = (1, 2, 3)
        return Count._table

    def is_goal(self, state):
        Count.asked += 1
        return ends(state)

    def successors(self, state):
        counted()
        assert self.table and STARTED and HUGE and DEEP
        MET.append(state)
        if CALLS > 0 and state < 10:
            yield "on", state + 1, COST

    @bf.heuristic(admissible=True)
    def left(self, state):
        return 10 - state
'''


@pytest.fixture
def counts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[ModuleType]:
    """A module of a user."""
    (tmp_path / "counts.py").write_text(SOURCE)
    monkeypatch.syspath_prepend(str(tmp_path))
    yield importlib.import_module("counts")
    del sys.modules["counts"]


def ends_at_4(_owner: Any, state: int) -> bool:
    return state == 4


def failure_of(problem: bf.Problem) -> str:
    """Why a worker does not solve it."""
    (solution,) = bf.solve_many([problem], on="local", workers=1)
    assert solution.status == "failed"
    return str(solution.reason)


CHANGES: list[Callable[[Any], None]] = [
    lambda module: setattr(module, "COST", 5),
    lambda module: setattr(module.Count, "is_goal", ends_at_4),
    lambda module: setattr(module.Count, "initial", 3),
    lambda module: setattr(module.Count, "left", lambda _self, _state: 0),
]


@pytest.mark.parametrize("change", CHANGES)
def test_what_was_replaced_in_memory_is_not_sent(change: Callable[[Any], None], counts: Any) -> None:
    """A worker would import the module as it is in the file."""
    problem = counts.Count()
    assert ImportedCode.of([problem]).modules
    change(counts)
    with pytest.raises(OtherCodeError, match="was changed after it was imported"):
        ImportedCode.of([problem])
    assert "was changed after it was imported" in failure_of(problem)


@pytest.mark.parametrize("edit", [("state == 10", "state == 4"), ("[1]", "[2]"), ("COST = 1", "COST = 2")])
def test_an_edited_file_is_noticed(edit: tuple[str, str], counts: Any, tmp_path: Path) -> None:
    """Whatever was edited: the program still has what it imported."""
    (tmp_path / "counts.py").write_text(SOURCE.replace(*edit))
    assert "the module counts is not the one that the program imported" in failure_of(counts.Count())


def test_a_module_that_is_imported_again_is_sent(counts: Any, tmp_path: Path) -> None:
    """Both have the edited file then."""
    (tmp_path / "counts.py").write_text(SOURCE.replace("state == 10", "state == 4 or state == 10"))
    problem = importlib.reload(counts).Count()
    assert [solution.cost for solution in bf.solve_many([problem] * 3, on="local", workers=1)] == [4, 4, 4]


def test_what_the_module_changes_itself_counts_for_nothing(counts: Any) -> None:
    """Such as counters, caches, and the time at which it was imported."""
    problem = counts.Count()
    before = ImportedCode.of([problem, None])
    assert bf.solve(problem, engine="python").cost == 10
    assert counts.CALLS and counts.MET and counts.Count.asked and counts.Count.made and counts.Count._table
    assert ImportedCode.of([problem, None]) == before
    assert [solution.cost for solution in bf.solve_many([problem] * 3, on="local", workers=1)] == [10, 10, 10]


def test_a_function_put_into_a_shipped_class_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    """Otherwise it is that of the package, which has the same version everywhere."""
    assert not ImportedCode.of([bf.Pancake("3 2 1")]).modules
    monkeypatch.setattr(bf.Pancake, "is_goal", ends_at_4)
    with pytest.raises(OtherCodeError, match="is_goal of Pancake was changed"):
        ImportedCode.of([bf.Pancake("2 1")])


def test_a_class_that_changes_while_a_batch_is_read_is_noticed(counts: Any) -> None:
    """Its problems before that may be solved already."""

    def problems() -> Iterator[bf.Problem]:
        yield counts.Count()
        for start in (3, 5):
            counts.Count.initial = start
            yield counts.Count()

    solutions = list(bf.solve_many(problems(), on="local", workers=1))
    assert {solution.status for solution in solutions[1:]} == {"failed"}

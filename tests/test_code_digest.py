"""Digests of code: they differ where another process would answer for another problem, and only there."""

from __future__ import annotations

import importlib
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

import bestfirst as bf
from bestfirst.code_digest import CodeDigest, OtherCodeError

SOURCE = '''
import bestfirst as bf

COST = 1
CALLS = 0
MET = []

def ends(state):
    return state == 10

def counted():
    global CALLS
    CALLS += 1

class Count(bf.Problem):
    """From 0 to 10."""
    initial = 0
    asked = 0

    def is_goal(self, state):
        Count.asked += 1
        return ends(state)

    def successors(self, state):
        counted()
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


CHANGES: list[Callable[[Any], None]] = [
    lambda module: setattr(module, "COST", 5),
    lambda module: setattr(module, "ends", lambda state: state == 4),
    lambda module: setattr(module.Count, "is_goal", ends_at_4),
    lambda module: setattr(module.Count, "initial", 3),
    lambda module: setattr(module.Count, "left", lambda _self, _state: 0),
    lambda module: setattr(module.ends, "__code__", (lambda state: state == 4).__code__),
]


@pytest.mark.parametrize("change", CHANGES)
def test_a_worker_refuses_what_was_changed_after_its_import(change: Callable[[Any], None], counts: Any) -> None:
    """It would import the module as it is in the file."""
    problem = counts.Count()
    before = CodeDigest.of([problem])
    change(counts)
    with pytest.raises(OtherCodeError, match="Count is not the same in a worker process"):
        before.check([problem])
    (solution,) = bf.solve_many([problem], on="local", workers=1)
    assert solution.status == "failed"
    assert "Count is not the same" in str(solution.reason)


def test_an_edited_file_is_noticed(counts: Any, tmp_path: Path) -> None:
    """The program still has what it imported."""
    (tmp_path / "counts.py").write_text(SOURCE.replace("state == 10", "state == 4"))
    (solution,) = bf.solve_many([counts.Count()], on="local", workers=1)
    assert solution.status == "failed"


def test_what_a_search_changes_itself_counts_for_nothing(counts: Any, tmp_path: Path) -> None:
    """Such as counters and lists; nor do comments, docstrings and the places of lines."""
    problem = counts.Count()
    before = CodeDigest.of([problem, None])
    assert bf.solve(problem, engine="python").cost == 10
    assert counts.CALLS and counts.MET and counts.Count.asked
    before.check([problem, None])
    (tmp_path / "counts.py").write_text("# A comment.\n" + SOURCE.replace("From 0 to 10.", "Counts."))
    assert [solution.cost for solution in bf.solve_many([problem] * 3, on="local", workers=1)] == [10, 10, 10]


def test_a_function_put_into_a_shipped_class_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    """Its other members are those of the package, which has the same version everywhere."""
    before = CodeDigest.of([bf.Pancake("2 1")])
    before.check([bf.Pancake("3 2 1")])
    monkeypatch.setattr(bf.Pancake, "is_goal", ends_at_4)
    with pytest.raises(OtherCodeError, match="Pancake"):
        before.check([bf.Pancake("2 1")])

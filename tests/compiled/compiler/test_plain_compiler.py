"""The plain compiler: it takes over where the lean one does not fit the installed Numba, and searches are the same."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path
from types import FunctionType
from typing import Any

import numpy as np
import pytest

import bestfirst as bf
from bestfirst.compiled.compiler import code_generation, lean_compiler, specialise, specialise_game
from bestfirst.compiled.compiler.code_generation import fitting, generate, loaded
from bestfirst.compiled.compiler.machine_code import MachineCode, passed
from compilable import FloatGraph
from small_games import LastStick
from twins import assert_twins

pytestmark = pytest.mark.numba


@pytest.fixture
def changed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """A Numba that the lean compiler does not fit; no code is known yet, in this process or on disk."""
    forget(monkeypatch)
    monkeypatch.setenv("BESTFIRST_CACHE", str(tmp_path / "cache"))

    def failing(*_: Any) -> Any:
        raise AttributeError("emit_object is gone")

    monkeypatch.setattr(lean_compiler, "_object_file", failing)
    yield


def forget(monkeypatch: pytest.MonkeyPatch) -> None:
    """Begin as a new process does."""
    monkeypatch.setattr(code_generation, "_CHOICE", code_generation._Choice())
    monkeypatch.setattr(specialise, "_READY", {})
    monkeypatch.setattr(specialise, "_NUMBERS", {})
    monkeypatch.setattr(specialise_game, "_READY", {})


@pytest.mark.slow
@pytest.mark.usefixtures("changed")
def test_searches_are_the_same(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """The engines are twins, with costs that are floats; an error in a method is Python's.

    The warning says what is missing. A process that finds this code on disk loads it, and warns too.
    """
    graph = FloatGraph({0: [(1, 0.5), (2, 1.25)], 1: [(3, 2.0)], 2: [(3, 0.25)]}, frozenset([3]), {}, 4)
    with pytest.warns(UserWarning, match="searches are slower.*emit_object is gone"):
        first = assert_twins(graph, "depth-first-branch-and-bound", "given")
    broken = FloatGraph({0: [(1, 0.5)], 1: [(2, -1.0)]}, frozenset([2]), {}, 3)
    with pytest.raises(bf.CostError):
        bf.solve(broken, "depth-first-branch-and-bound", "given", engine="compiled")
    forget(monkeypatch)
    before = {file: file.stat().st_mtime_ns for file in (tmp_path / "cache").glob("*.code")}
    assert before
    assert all(file.stat().st_mode & 0o777 == 0o600 for file in before)
    with pytest.warns(UserWarning, match="searches are slower.*emit_object is gone"):
        again = assert_twins(graph, "depth-first-branch-and-bound", "given")
    assert again.stats.generated == first.stats.generated
    assert {file: file.stat().st_mtime_ns for file in (tmp_path / "cache").glob("*.code")} == before


@pytest.mark.slow
@pytest.mark.usefixtures("changed")
@pytest.mark.filterwarnings("ignore:compiled searches are slower")
def test_alpha_beta_needs_the_lean_compiler() -> None:
    """It calls itself: the reference engine searches, and the compiled engine is an error that says why."""
    with pytest.raises(bf.errors.NotCompilableError, match="calls itself"):
        bf.analyse(LastStick(), engine="compiled", limits=bf.GameLimits(depth=4)).run()


def test_a_working_directory_that_is_gone_is_no_fault_of_numba(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It is told as it is, though Numba would fail with an error of its own."""
    monkeypatch.setattr(code_generation, "_CHOICE", code_generation._Choice())
    (tmp_path / "gone").mkdir()
    monkeypatch.chdir(tmp_path / "gone")
    (tmp_path / "gone").rmdir()
    with pytest.raises(bf.errors.NotCompilableError, match="the working directory no longer exists"):
        fitting(lambda: generate(doubled, passed([np.zeros(1), (np.zeros(1), 0.5), False])[0]))  # type: ignore[arg-type]
    assert code_generation._CHOICE.misfit is None


def doubled(numbers: Any, pair: Any, is_negative: Any) -> Any:
    """A template."""
    numbers[0] *= 2
    return -numbers[0] if is_negative else numbers[0], pair[0][0] * pair[1], is_negative


def nothing(numbers: Any) -> None:
    """One that returns nothing, or raises an error."""
    numbers[0] = 6 // numbers[0]


def swapped(records: Any) -> Any:
    """One that reads and writes records, such as those of nodes."""
    records[0].g, records[1].g = records[1].g + records[0].h, records[0].g


def nothing_known(numbers: Any) -> Any:
    """One whose callee is undefined where it is compiled."""
    return doubled(numbers, numbers, numbers)


@pytest.mark.usefixtures("changed")
@pytest.mark.filterwarnings("ignore:compiled searches are slower")
def test_calls_mean_what_they_mean_in_python() -> None:
    """Arguments and answers of each kind, an answer that is None, records, and an error."""
    compiled = MachineCode("doubled", lambda kinds: fitting(lambda: generate(doubled, kinds)), loaded)  # type: ignore[arg-type]
    for is_negative in (True, False):
        one, other, pair = np.array([3, 4]), np.array([3, 4]), (np.array([0.5]), 3)
        answer = compiled(one, pair, is_negative)
        assert answer == doubled(other, pair, is_negative)
        assert [type(part) for part in answer] == [int, float, bool]
        assert one.tolist() == other.tolist()
    divided = MachineCode("nothing", lambda kinds: generate(nothing, kinds), loaded)  # type: ignore[arg-type]
    numbers = np.array([2])
    assert divided(numbers) is None
    assert numbers[0] == 3
    records = np.array([(0.5, 3), (2.25, 4)], np.dtype([("g", np.float64), ("h", np.int32)], align=True))
    MachineCode("swapped", lambda kinds: fitting(lambda: generate(swapped, kinds)), loaded)(records)  # type: ignore[arg-type]
    assert records.tolist() == [(5.25, 3), (0.5, 4)]
    with pytest.raises(ZeroDivisionError):
        divided(np.array([0]))


@pytest.mark.usefixtures("changed")
@pytest.mark.filterwarnings("ignore:compiled searches are slower")
def test_a_damaged_file_is_replaced(tmp_path: Path) -> None:
    """The checksum covers what Numba wrote."""

    def run() -> list[int]:
        numbers = np.array([2])
        MachineCode("nothing", lambda kinds: fitting(lambda: generate(nothing, kinds)), loaded)(numbers)  # type: ignore[arg-type]
        return numbers.tolist()  # type: ignore[no-any-return]

    assert run() == [3]
    (file,) = (tmp_path / "cache").glob("*.code")
    whole = file.read_bytes()
    file.write_bytes(whole[:-9] + b"x" * 9)
    assert run() == [3]
    assert len(file.read_bytes()) > 100
    assert file.read_bytes()[-9:] != b"x" * 9


def test_an_import_that_fails_is_a_change_too(monkeypatch: pytest.MonkeyPatch) -> None:
    """Numba moves its modules; the trial notices it."""
    forget(monkeypatch)
    monkeypatch.delattr("bestfirst.compiled.compiler.lean_compiler", raising=False)
    monkeypatch.setitem(sys.modules, "bestfirst.compiled.compiler.lean_compiler", None)
    assert "ImportError" in str(code_generation._misfit()) or "ModuleNotFoundError" in str(code_generation._misfit())


def test_code_that_cannot_be_compiled_is_no_change_of_numba(monkeypatch: pytest.MonkeyPatch) -> None:
    """The lean compiler passes its trial, so its error is raised, without a warning."""
    forget(monkeypatch)
    kinds = passed([np.zeros(1)])[0]
    copy = FunctionType(nothing_known.__code__, {}, "broken")
    with pytest.raises(code_generation.NumbaError):
        fitting(lambda: generate(copy, kinds))
    assert code_generation._CHOICE.misfit is None

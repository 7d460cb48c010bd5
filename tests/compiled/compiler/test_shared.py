"""Functions that several domains share are compiled once; what reads other values is another function."""

from __future__ import annotations

from types import FunctionType
from typing import Any, NamedTuple

import numpy as np
import pytest

from bestfirst.compiled.compiler import shared as module
from bestfirst.compiled.compiler.code_generation import inner
from bestfirst.compiled.compiler.shared import shared

pytestmark = pytest.mark.numba


def _reading(**values: Any) -> FunctionType:
    """A new function each time, of equal code."""
    namespace = dict(values)
    exec("def read():\n    return value\n", namespace)
    function: Any = namespace["read"]
    return function  # type: ignore[no-any-return]


@pytest.mark.parametrize("value", [1, 1.0, True, "one", None, (1, 2.0), np.uint64(1), np.uint32(1), np, np.uint64, int])
def test_equal_code_that_reads_equal_values_is_compiled_once(value: Any) -> None:
    """Whoever asks for it."""
    assert shared(_reading(value=value)) is shared(_reading(value=value))


def test_equal_code_that_reads_other_values_is_not_shared() -> None:
    """Equal numbers of different types are other values, and so are equal numbers inside tuples."""
    values = [0, 1, 1.0, True, np.uint64(1), np.uint32(1), (1,), (1.0,), (True,), (np.uint64(1),), 0.0, -0.0]
    functions = [shared(_reading(value=value)) for value in values]  # kept, so that no id is used twice
    assert len(set(map(id, functions))) == len(values)
    assert shared(_reading(value=1)) is not shared(_reading(value=1), forceinline=True)


def test_what_belongs_to_a_domain_is_not_shared() -> None:
    """Its State, and its methods, unless they are shared functions."""

    class State(NamedTuple):
        number: int

    assert shared(_reading(value=State)) is not shared(_reading(value=State))
    own = inner(_reading(value=1))
    assert shared(_reading(value=own)) is not shared(_reading(value=own))
    of_all = shared(_reading(value=1))
    assert shared(_reading(value=of_all)) is shared(_reading(value=of_all))


def test_no_more_functions_are_kept_than_stated(monkeypatch: pytest.MonkeyPatch) -> None:
    """A process that searches many domains does not grow."""
    monkeypatch.setattr(module, "_SHARED", {})
    monkeypatch.setattr(module, "MOST_SHARED", 3)
    for value in range(10):
        shared(_reading(value=value))
    assert 0 < len(module._SHARED) <= 3

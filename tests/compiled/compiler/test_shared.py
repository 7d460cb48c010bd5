"""Functions that several domains share are compiled once; what reads other values is another function."""

from __future__ import annotations

from types import FunctionType
from typing import Any, NamedTuple

import numpy as np
import pytest

from bestfirst.compiled.compiler import shared as module
from bestfirst.compiled.compiler.code_generation import inner
from bestfirst.compiled.compiler.domain_methods import kernels_of
from bestfirst.compiled.compiler.lookups import TableLookups
from bestfirst.compiled.compiler.shared import of_domain, shared
from bestfirst.compiled.compiler.specialise import methods_of, no_estimate
from bestfirst.compiled.compiler.translate import translate
from compilable import Pancakes

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


class State(NamedTuple):
    number: int


class OtherState(NamedTuple):
    number: int


def test_what_belongs_to_a_domain_is_shared_by_its_searches_only() -> None:
    """Its State, and its methods, and what reads them in turn."""
    assert shared(_reading(value=State)) is shared(_reading(value=State))
    assert shared(_reading(value=State)) is not shared(_reading(value=OtherState))
    one, other = of_domain(_reading(value=1)), of_domain(_reading(value=1))
    reads_one = shared(_reading(value=one))
    assert reads_one is shared(_reading(value=one))
    assert reads_one is not shared(_reading(value=other))
    assert shared(_reading(value=reads_one)) is shared(_reading(value=reads_one))


def test_what_nobody_keeps_is_not_shared() -> None:
    """Such as a function that is made anew for each search."""
    own = inner(_reading(value=1))
    assert shared(_reading(value=own)) is not shared(_reading(value=own))


def test_two_searches_of_a_domain_call_the_same_methods() -> None:
    """So that they are compiled once; those of another heuristic are others."""
    problem = Pancakes([2, 1, 3])

    def methods(estimate: Any) -> dict[str, Any]:
        translation = translate(problem, methods_of(problem, estimate))
        return kernels_of(translation, TableLookups.of(estimate), estimates=None)

    first, second, other = methods(Pancakes.gap), methods(Pancakes.gap), methods(no_estimate)
    names = ("step", "is_goal", "estimate", "attempt_step", "as_self", "load", "hash_of")
    assert all(first[name] is second[name] for name in names)
    assert first["estimate"] is not other["estimate"]


@pytest.mark.parametrize(("kept", "value"), [("_SHARED", int), ("_OF_DOMAINS", State)])
def test_no_more_functions_are_kept_than_stated(monkeypatch: pytest.MonkeyPatch, kept: str, value: type) -> None:
    """A process that searches many domains does not grow."""
    monkeypatch.setattr(module, kept, {})
    monkeypatch.setattr(module, "MOST_SHARED", 3)
    for number in range(10):
        shared(_reading(value=(value, number)))
    assert 0 < len(getattr(module, kept)) <= 3

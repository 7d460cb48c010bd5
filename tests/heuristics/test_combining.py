"""max_of and sum_of combine heuristics, or pattern databases."""

from __future__ import annotations

from importlib import import_module
from typing import Any

import pytest

import bestfirst as bf
from bestfirst.heuristics.from_databases import Additive, Largest
from bestfirst.patterns import PatternDatabase

BOARD = bf.SlidingTile("8 6 7 2 5 4 3 _ 1")
NEARER = bf.SlidingTile("_ 1 3 8 7 5 4 6 2")
MAX: Any = bf.max_of
SUM: Any = bf.sum_of


def parts() -> tuple[bf.Heuristic, bf.Heuristic]:
    """Two heuristics of the board."""
    offered = BOARD.heuristics()
    return offered["manhattan"], offered["misplaced"]


def databases() -> list[PatternDatabase]:
    """Two databases of the board that count no tile twice."""
    return [PatternDatabase.build(BOARD.project(tiles)) for tiles in ([1, 2], [3, 4])]


def test_heuristics_are_combined_as_one_heuristic() -> None:
    """The largest, and the sum with its reason."""
    one, other = parts()
    assert bf.max_of(one, other)(BOARD.initial) == max(one(BOARD.initial), other(BOARD.initial))
    both = bf.sum_of(one, other, because="")
    assert both(BOARD.initial) == one(BOARD.initial) + other(BOARD.initial)
    assert both.admissible is False


@pytest.mark.slow
def test_databases_are_combined_for_the_problem_that_is_searched() -> None:
    """Each search checks that they are for its problem."""
    tables = databases()
    assert isinstance(bf.sum_of(*tables), Additive) and isinstance(bf.max_of(*tables), Largest)
    start = BOARD.initial
    largest, added = (made.of(BOARD)(start) for made in (bf.max_of(*tables), bf.sum_of(*tables)))
    assert 0 < largest <= added
    assert bf.solve(NEARER, "idastar", bf.sum_of(*tables), engine="python").cost == 16


@pytest.mark.parametrize(
    ("call", "why"),
    [
        (bf.max_of, "was called without arguments"),
        (lambda: SUM(*parts()), "needs because="),
        (lambda: MAX("manhattan", "misplaced"), "'manhattan'.*neither a Heuristic"),
        (lambda: MAX(parts()[0], databases()[0]), "each kind separately"),
        (lambda: MAX(*parts(), dual=True), "dual=True works only with pattern databases"),
        (lambda: SUM(databases()[0], databases()[0]), "both count the actions of"),
        (lambda: MAX(*parts(), daul=True), "max_of has no option 'daul'"),
        (lambda: SUM(*parts(), becuase="x"), "did you mean because"),
        (lambda: SUM(*databases(), because="I say so"), "because= works only with heuristics"),
    ],
)
def test_what_cannot_be_combined_is_an_error(call: Any, why: str) -> None:
    """It says what to give instead."""
    with pytest.raises(bf.InputError, match=why):
        call()


@pytest.mark.parametrize(
    ("package", "name", "instead"),
    [
        ("heuristics", "maximum", "max_of"),
        ("heuristics", "total", "sum_of"),
        ("heuristics", "Largest", "max_of"),
        ("heuristics", "Additive", "sum_of"),
        ("patterns", "largest", "max_of"),
        ("patterns", "additive", "sum_of"),
    ],
)
def test_the_names_before_max_of_and_sum_of_are_deprecated(package: str, name: str, instead: str) -> None:
    """They still work, and say what to write."""
    with pytest.warns(DeprecationWarning, match=f"{name} is deprecated.*bf.{instead}"):
        found = getattr(import_module(f"bestfirst.{package}"), name)
    assert found.__name__ == name

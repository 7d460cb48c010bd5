"""Functions and tables that rules use and that change between two searches: the second search knows the new ones."""

from __future__ import annotations

from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pytest

import bestfirst as bf
from bestfirst.patterns import DamagedDatabaseError

FEES = [1]
GOAL = 5


def cost_of(number: int) -> int:
    return 1 + 0 * number


def dearer(number: int) -> int:
    return 7 + 0 * number


def cheaper(number: int) -> int:
    return -5 + 0 * number


def toll(number: int) -> int:
    return cost_of(number)


def end() -> int:
    return GOAL


class Walk(bf.AbstractDomain):
    """Down to 0 or to where end() says, at a cost that a function, a table on self and one on the class give."""

    class State(NamedTuple):
        number: int

    initial, max_actions, size = State(9), 1, 20
    rates = np.array([0, 0])

    def __init__(self) -> None:
        self.table = np.array([0, 0])

    def step(self, state: Any, _: int) -> Any:
        return (
            state.number > 0,
            self.State(state.number - 1),
            toll(state.number) + self.table[1] + self.rates[0],
        )

    def is_goal(self, state: Any) -> bool:
        return bool(state.number == 5 - end())

    def rank(self, state: Any) -> int:
        return int(state.number)

    def unrank(self, number: int) -> Any:
        return self.State(number)


class Fees(bf.Problem):
    """Up to 9, at the fee of a list of the module and one of the class."""

    initial, own = 0, [0]

    def is_goal(self, state: int) -> bool:
        return state == 9

    def successors(self, state: int) -> Any:
        return [("on", state + 1, FEES[0] + self.own[0])] if state < 9 else []


def costs(problem: bf.Problem) -> list[Any]:
    return [bf.solve(problem, "depth-first-branch-and-bound", engine=engine).cost for engine in ("python", "compiled")]


def test_both_engines_call_the_functions_of_now(monkeypatch: pytest.MonkeyPatch) -> None:
    """Also those that other functions call, and globals that these read."""
    walk = Walk()
    assert costs(walk) == [9, 9]
    monkeypatch.setitem(globals(), "cost_of", dearer)
    assert costs(walk) == [63, 63]
    monkeypatch.setitem(globals(), "GOAL", 2)
    assert costs(walk) == [42, 42]


def test_both_engines_read_the_tables_of_now(monkeypatch: pytest.MonkeyPatch) -> None:
    """That were changed in place, on the object, on the class, or in a module."""
    monkeypatch.setattr(Walk, "rates", np.array([0, 0]))
    walk, fees = Walk(), Fees()
    assert (costs(walk), bf.solve(fees).cost) == ([9, 9], 9)
    walk.table[1] = 1
    Walk.rates[0] = 2
    monkeypatch.setitem(globals(), "FEES", [3])
    FEES[0] += 1
    assert (costs(walk), bf.solve(fees).cost) == ([36, 36], 36)
    monkeypatch.setattr(Fees, "own", [0])
    Fees.own[0] = 1
    assert bf.solve(fees).cost == 45


@pytest.mark.parametrize("change", ["function", "table"])
def test_a_database_of_older_rules_is_not_used_or_proves_nothing(
    change: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One that is stored is not the one of now, and one in memory is caught where it overestimates."""
    walk = Walk()
    walk.table[1] = 6
    database = bf.PatternDatabase.build(walk, data=tmp_path)
    assert bf.solve(walk, "astar", database).cost == 63
    if change == "table":
        walk.table[1] = 0
    else:
        monkeypatch.setitem(globals(), "cost_of", cheaper)
        with pytest.raises(DamagedDatabaseError, match="the code or the data of Walk has changed"):
            bf.PatternDatabase.build(walk, data=tmp_path)
    assert bf.PatternDatabase.build(walk, data=tmp_path, rebuild=change == "function")(walk.initial) == 9
    found = bf.solve(walk, "astar", database)
    assert (found.cost, found.status) == (9, "solved") and "overestimates" in str(found.warnings)

"""prepare() and forced(): what a definition must be like, and what a subclass inherits. (Both engines: compiled/compiler.)"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import pytest

import bestfirst as bf
from bestfirst.errors import InputError
from preparing import OnlyForced, Plain, Prepared

TABLES = ([[1, 2, -1, 3]] * 12, [[1, 2, 3, 4]] * 12, [-1, 2, 1, *[-1] * 9], 3)


class Steps(bf.Domain):
    """A walk up a line; unit costs."""

    class State(NamedTuple):
        place: int

    initial = State(0)
    max_actions = 2
    unit_cost = True

    def step(self, state: State, action: int) -> Any:
        return True, self.State(state.place + action + 1), 1

    def is_goal(self, state: State) -> bool:
        return state.place >= 8


class Longer(Steps):
    """A step takes what is prepared."""

    def prepare(self, state: Steps.State) -> Any:
        return 3 if state.place == 0 else 1

    def step(self, state: Steps.State, action: int, more: int = 7) -> Any:
        return True, self.State(state.place + action + more), 1


def test_prepare_is_called_once_for_each_state() -> None:
    """However many actions the state has."""
    calls = []

    class Counted(Longer):
        def prepare(self, state: Steps.State) -> int:
            calls.append(state)
            return 1

    assert len(list(Counted().successors(Steps.State(4)))) == 2
    assert calls == [Steps.State(4)]


def test_step_without_the_argument_is_refused() -> None:
    """If the same class defines prepare."""

    class Unused(Steps):
        def prepare(self, state: Steps.State) -> int:
            return state.place

    with pytest.raises(
        InputError, match=r"Unused\.prepare is defined, but step takes no third argument; write step\(self, state"
    ):
        bf.solve(Unused(), "uniform-cost")


def test_an_argument_that_nothing_prepares_is_refused() -> None:
    """Unless it has a default value."""

    class Missing(Steps):
        def step(self, state: Steps.State, action: int, more: int) -> Any:  # type: ignore[override]
            return True, self.State(state.place + action + more), 1

    class Default(Steps):
        def step(self, state: Steps.State, action: int, more: int = 1) -> Any:
            return True, self.State(state.place + action + more), 1

    with pytest.raises(InputError, match=r"does not define prepare; define prepare\(self, state\)"):
        bf.solve(Missing(), "uniform-cost")
    for engine in ("python", "compiled"):
        assert bf.solve(Default(), "uniform-cost", engine=engine).cost == 4


def test_a_later_step_may_do_without_the_prepared_value() -> None:
    """A subclass that replaces step() by one with two arguments is searched without prepare()."""

    class Short(Longer):
        def step(self, state: Steps.State, action: int) -> Any:  # type: ignore[override]
            return True, self.State(state.place + action + 1), 1

        def prepare_nothing(self) -> None:
            raise AssertionError

    for engine in ("python", "compiled"):
        assert bf.solve(Longer(), "uniform-cost", engine=engine).cost == 3
        assert bf.solve(Short(), "uniform-cost", engine=engine).cost == 4


@pytest.mark.parametrize("value", [None, "a", [1], (), (1, (2, 3)), (1, None), np.int64(3), np.float64(0.5)])
def test_other_prepared_values_are_refused(value: Any) -> None:
    """The error names the state and the value, and says what to return."""

    class Wrong(Longer):
        def prepare(self, state: Steps.State) -> Any:
            del state
            return value

    with pytest.raises(
        InputError, match=r"Wrong\.prepare\(State\(place=0\)\) returns .*; return an int, a float, a bool, or a tuple"
    ):
        bf.solve(Wrong(), "uniform-cost", engine="python")


@pytest.mark.parametrize("action", [2, -2, True, None, 0.0, np.int64(1)])
def test_other_forced_actions_are_refused(action: Any) -> None:
    """Only the ints from -1 on that are actions."""

    class Wrong(Steps):
        def forced(self, state: Steps.State) -> Any:
            del state
            return action

    with pytest.raises(
        InputError, match=r"Wrong\.forced\(State\(place=0\)\) returns .*; return the only action .* from 0 to 1, or -1"
    ):
        bf.solve(Wrong(), "uniform-cost", engine="python")


def test_a_member_that_is_no_method_is_refused() -> None:
    """Such as an attribute that a class happens to call so."""

    class Named(Steps):
        def __init__(self) -> None:
            self.forced = 3  # type: ignore[assignment,method-assign]

    with pytest.raises(InputError, match=r"Named\.forced is 3; define it as a method"):
        bf.solve(Named(), "uniform-cost")


def test_a_new_rule_ends_the_claims_of_the_base_class() -> None:
    """unit_cost was said of the old rules; the search says that it ignores it."""

    class Forced(Steps):
        def forced(self, state: Steps.State) -> int:
            del state
            return 0

    class Kept(Forced, keeps_claims=True):
        pass

    class Other(Longer):
        unit_cost = True

        def prepare(self, state: Steps.State) -> int:
            del state
            return 2

    class Later(Other):
        def prepare(self, state: Steps.State) -> int:
            del state
            return 1

    assert (Steps().unit_cost, Forced().unit_cost, Kept().unit_cost) == (True, False, True)
    assert (Other().unit_cost, Later().unit_cost) == (True, False)
    assert bf.solve(Forced(), "uniform-cost").cost == 8


def test_a_rule_set_on_an_object_goes_to_the_reference_engine() -> None:
    """The compiled one says why not."""
    domain = Steps()
    domain.forced = lambda _state: 0  # type: ignore[method-assign,assignment]
    assert bf.solve(domain, "uniform-cost").cost == 8
    with pytest.raises(InputError, match="forced is set on this Steps object"):
        bf.solve(domain, "uniform-cost", engine="compiled")


def test_paths_are_replayed_with_both() -> None:
    """A solution of the plain domain that takes another action than the forced one is refused."""
    solution = bf.solve(Prepared(*TABLES), "uniform-cost", engine="python")
    assert solution.cost == bf.solve(Plain(*TABLES), "uniform-cost", engine="python").cost
    solution.verify()
    assert bf.solve(OnlyForced(*TABLES), "anytime-beam", "zero", incumbent=solution.actions).cost == solution.cost


def test_check_notes_an_illegal_forced_action() -> None:
    """The state then has no successors, which is seldom meant."""

    class Dead(Steps):
        def forced(self, state: Steps.State) -> int:
            return 1 if state.place == 3 else -1

        def step(self, state: Steps.State, action: int) -> Any:
            return action == 0, self.State(state.place + 1), 1

    notes = bf.check(Dead()).notes
    assert any("forced(State(place=3)) is 1, which is illegal" in note for note in notes)
    assert bf.check(Prepared(*TABLES)).ok

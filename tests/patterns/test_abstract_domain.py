"""AbstractDomain: the members that only pattern databases need, of classes that derive from it and of those that do not."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

import pytest

import bestfirst as bf
from bestfirst import problem
from bestfirst.domain import Domain
from bestfirst.patterns.abstract_domain import as_abstract
from bestfirst.patterns.database import PatternDatabase


class Countdown(bf.Domain):
    """From some number down to 0."""

    class State(NamedTuple):
        number: int

    max_actions = 1
    initial = State(5)
    unit_cost = True
    size = 10

    def step(self, state: State, action: int) -> tuple[bool, State, int]:  # noqa: ARG002
        return state.number > 0, self.State(state.number - 1), 1

    def is_goal(self, state: State) -> bool:
        return state.number == 0

    def rank(self, state: State) -> int:
        return state.number

    def unrank(self, number: int) -> State:
        return self.State(number)


class Named(Countdown):
    """A plain Domain that says what its tables are of, and how states share an entry."""

    entries = 10

    def parameters(self) -> Mapping[str, Any]:
        return {"from": 9}

    def entry(self, state: Countdown.State) -> int:
        return state.number


class Derived(Named, bf.AbstractDomain):
    """The same with the base that is meant for it."""


class Halved(Named):
    """Other rules, for which nobody has said the parameters anew."""

    def step(self, state: Countdown.State, action: int) -> tuple[bool, Countdown.State, int]:  # noqa: ARG002
        return state.number > 0, self.State(state.number // 2), 1


def test_a_domain_can_be_imported_from_where_it_was() -> None:
    assert bf.Domain is Domain is problem.Domain
    with pytest.raises(AttributeError, match=r"module 'bestfirst\.problem' has no attribute 'Domian'"):
        problem.__getattr__("Domian")


def test_a_plain_domain_has_the_members_of_the_base() -> None:
    """Those that it defines are its own."""
    plain, named = as_abstract(Countdown()), as_abstract(Named())
    assert (plain.parameters(), plain.counted, plain.entries, plain.table_base()) == (None, None, 0, None)
    assert plain.abstract(Countdown.initial) == Countdown.initial
    with pytest.raises(NotImplementedError, match="Countdown does not define entry"):
        plain.entry(Countdown.initial)
    assert (named.parameters(), named.counted, named.entries, named.entry(Countdown.initial)) == ({"from": 9}, None, 10, 5)


def test_what_is_said_of_other_rules_does_not_count() -> None:
    """Neither of a method that is asked for, nor of one that is read as a member of the base."""
    assert as_abstract(Halved()).parameters() is None
    assert not Halved().defines("entry")


@pytest.mark.parametrize("kind", [Named, Derived])
def test_members_of_the_base_are_not_defined_by_a_class(kind: type[bf.Domain]) -> None:
    assert kind().defines("entry")
    assert not any(kind().defines(name) for name in ("dual", "block_step", "inverse", "no_such_member"))


@pytest.mark.parametrize("kind", [Countdown, Named, Derived])
def test_a_table_is_that_of_the_domain(kind: type[bf.Domain], tmp_path: Any) -> None:
    """With the base or without it, and whatever the class defines of its members."""
    database = PatternDatabase.build(kind(), data=tmp_path)
    assert list(database.table) == list(range(10))
    assert database(kind().State(7)) == 7

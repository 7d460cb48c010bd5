"""Which names the members of a class read: by whatever way they read them."""

from __future__ import annotations

import functools
import math
import operator
from collections.abc import Callable
from typing import Any

import pytest

import bestfirst as bf
from bestfirst.code_reading import may_read, read_by


class Line(bf.Problem):
    """From 0 to 12 by steps of 1 or 3, whose price each test reads in its own way."""

    initial, goal, price, other = 0, 12, 1, 2

    def is_goal(self, state: int) -> bool:
        return state == self.goal

    def successors(self, state: int) -> Any:
        return [(step, state + step, self.priced(state)) for step in (1, 3) if state + step <= self.goal]

    def priced(self, state: int) -> Any:
        raise NotImplementedError


def helper(problem: Any, state: int) -> Any:
    return problem.price if state < 99 else 0


def passed_on(function: Callable[..., Any]) -> Callable[..., Any]:
    def called(self: Any, state: int) -> Any:
        return function(self, state)

    return called


class Tariff:
    """Something at module level that reads the problem."""

    def of(self, problem: Any) -> Any:
        return problem.price


class Priced:
    """A descriptor."""

    def __get__(self, owner: Any, kind: type | None = None) -> Any:
        return lambda _: owner.price


tariff = Tariff()
price_of = operator.attrgetter("price")


def by_name(self: Any, _: int) -> Any:
    return self.price


def by_helper(self: Any, state: int) -> Any:
    return helper(self, state)


@passed_on
def by_decorated(self: Any, _: int) -> Any:
    return self.price


def by_getattr(self: Any, _: int) -> Any:
    return getattr(self, "price")  # noqa: B009


def by_attrgetter(self: Any, _: int) -> Any:
    return price_of(self)


def by_pattern(self: Any, _: int) -> Any:
    match self:
        case object(price=found):
            return found


def by_default(self: Any, _: int, get: Callable[[Any], Any] = lambda one: one.price) -> Any:
    return get(self)


def by_object(self: Any, _: int) -> Any:
    return tariff.of(self)


def by_class(self: Any, _: int) -> Any:
    return Tariff().of(self)


@functools.cache
def by_cached(self: Any, _: int) -> Any:
    return self.price


WAYS = [
    by_name,
    by_helper,
    by_decorated,
    by_getattr,
    by_attrgetter,
    by_pattern,
    by_default,
    by_object,
    by_class,
    by_cached,
    Priced(),
    functools.partialmethod(by_name),
    property(operator.attrgetter("price")),
]


@pytest.mark.parametrize("way", WAYS, ids=lambda way: getattr(way, "__name__", type(way).__name__))
def test_a_parameter_that_a_rule_may_read_is_noticed(way: Any) -> None:
    """So a heuristic that was right for the price of the base class is not trusted at another."""

    class Ways(Line):
        priced = way
        default_heuristic = "steps"

        @bf.heuristic(admissible=True, consistent=True)
        def steps(self, state: int) -> int:
            return math.ceil((self.goal - state) / 3)

    class Free(Ways):
        price = 0

    assert may_read(Ways, {"successors"}, "price")
    assert Ways().default_heuristic == "steps"
    assert Free().default_heuristic is None
    if not isinstance(way, property):  # whose value is a number
        assert (bf.solve(Ways()).cost, bf.solve(Free()).cost) == (4, 0)


def test_other_parameters_are_not_read() -> None:
    """Claims hold for a subclass that changes one."""

    class Ways(Line):
        default_heuristic = "steps"

        def priced(self, state: int) -> Any:
            return abs(min(state, 1)) + self.price

        @bf.heuristic(admissible=True, consistent=True)
        def steps(self, state: int) -> int:
            return math.ceil((self.goal - state) / 3)

    class Others(Ways):
        other = 5

    assert not may_read(Others, {"successors"}, "other")
    assert Others().default_heuristic == "steps"


def test_what_sets_an_attribute_is_read_too() -> None:
    """As what the attribute contains may depend on it."""

    class Set(Line):
        def __init__(self) -> None:
            self.doubled = 2 * self.price

        def priced(self, state: int) -> Any:
            return self.doubled + state

    assert "price" in read_by(Set, {"priced"})

"""Which names the members of a class read: by whatever way they read them."""

from __future__ import annotations

import dataclasses
import enum
import functools
import math
import operator
import sys
from collections import ChainMap
from collections.abc import Callable
from types import ModuleType
from typing import Any, NamedTuple, TypedDict, cast

import pytest

import bestfirst as bf
from bestfirst.code_reading import Reading, read_by


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


TABLE = {"price": (by_name,)}


def by_table(self: Any, state: int) -> Any:
    return TABLE["price"][0](self, state)


def by_table_in_default(self: Any, state: int, table: Any = TABLE) -> Any:
    return table["price"][0](self, state)


def applied(function: Any, problem: Any, state: int) -> Any:
    return function(problem, state)


by_partial = functools.partial(applied, by_name)


def by_partial_of_another(self: Any, state: int) -> Any:
    return by_partial(self, state)


@functools.singledispatch
def priced_by_kind(_: Any, problem: Any) -> Any:
    raise TypeError(problem)


@priced_by_kind.register
def _(_: int, problem: Any) -> Any:
    return problem.price


def by_kind(self: Any, state: int) -> Any:
    return priced_by_kind(state, self)


class Outer:
    """An object that contains one that reads the problem."""

    inner = tariff


def by_inner_object(self: Any, _: int) -> Any:
    return Outer.inner.of(self)


class Choice(enum.Enum):
    """A member that contains a function."""

    PRICE = (by_name,)


def by_member(self: Any, state: int) -> Any:
    return Choice.PRICE.value[0](self, state)


class Tariffs:
    """Ways to reach code of a class: static methods, class methods, properties, and slots."""

    __slots__ = ("held",)

    def __init__(self) -> None:
        self.held = by_name

    @staticmethod
    def static(problem: Any) -> Any:
        return problem.price

    @classmethod
    def of_class(cls, problem: Any) -> Any:
        return problem.price

    @property
    def function(self) -> Any:
        return by_name


class HeirOfTariffs(Tariffs):
    """It inherits all."""


tariffs = Tariffs()


def by_static_method(self: Any, _: int) -> Any:
    return HeirOfTariffs.static(self)


def by_class_method(self: Any, _: int) -> Any:
    return tariffs.of_class(self)


def by_property(self: Any, state: int) -> Any:
    return tariffs.function(self, state)


def by_slot(self: Any, state: int) -> Any:
    return tariffs.held(self, state)


def by_late_import(self: Any, state: int) -> Any:
    import late_prices  # type: ignore[import-not-found]  # noqa: PLC0415  (that is the claim)

    return late_prices.price_of(self, state)


def by_module_in_package(self: Any, state: int) -> Any:
    return prices.inner.price_of(self, state)


def by_chain(self: Any, state: int) -> Any:
    return ChainMap({"price": by_name})["price"](self, state)


WAYS = [
    by_name,
    by_static_method,
    by_class_method,
    by_property,
    by_slot,
    by_late_import,
    by_module_in_package,
    by_chain,
    by_table,
    by_table_in_default,
    by_partial_of_another,
    by_kind,
    by_inner_object,
    by_member,
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


late_prices = ModuleType("late_prices")
late_prices.price_of = by_name  # type: ignore[attr-defined]
prices = ModuleType("prices")
prices.inner = late_prices  # type: ignore[attr-defined]


@pytest.fixture(autouse=True)
def _with_late_prices(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "late_prices", late_prices)


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

    assert Reading(Ways, {"successors"}).may_read("price")
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

    assert not Reading(Others, {"successors"}).may_read("other")
    assert Others().default_heuristic == "steps"


def test_what_sets_an_attribute_is_read_too() -> None:
    """As what the attribute contains may depend on it."""

    class Set(Line):
        def __init__(self) -> None:
            self.doubled = 2 * self.price

        def priced(self, state: int) -> Any:
            return self.doubled + state

    assert "price" in read_by(Set, {"priced"})


class Far(bf.Problem):
    """A line of 0 .. 5 and a goal beyond it, which each test reads in its own way."""

    initial, goal, word = 0, 9, "goal"

    def is_goal(self, state: int) -> bool:
        return bool(state == self.wanted(state))

    def wanted(self, state: int) -> Any:
        raise NotImplementedError

    def __str__(self) -> str:
        return str(self.goal)

    def successors(self, state: int) -> Any:
        return [("on", state + 1, 1)] if state < 5 else []


def too_far(_: Any) -> str:
    """The claim that each test makes beside its rule."""
    return "the goal is too far"


def by_default_value(self: Any, _: int) -> Any:
    return getattr(self, "distant", 9)


def by_question(self: Any, _: int) -> Any:
    return self.distant if hasattr(self, "distant") else 9


def by_error(self: Any, _: int) -> Any:
    try:
        return self.distant
    except AttributeError:
        return 9


MISSING = [by_default_value, by_question, by_error]
SPECIAL = {
    "__len__": lambda self, _: len(self),
    "__call__": lambda self, _: self(),
    "__index__": lambda self, _: operator.index(self),
    "__contains__": lambda self, state: state if state in self else -1,
    "__eq__": lambda self, state: state if self == state else -1,
    "__iter__": lambda self, _: next(iter(self)),
}
read = getattr
DYNAMIC = {
    "getattr": lambda self, _: getattr(self, self.word),
    "f-string": lambda self, _: getattr(self, f"go{self.word[2:]}"),
    "format": lambda self, _: int(str.format("{0.goal}", self)),
    "formatted later": lambda self, _: int(("{0." + self.word + "}").format(self)),
    "an alias": lambda self, _: read(self, self.word),
    "str": lambda self, _: int(str(self)),
    "f-string of the object": lambda self, _: int(f"{self}"),
    "eval": lambda self, _: eval("self.goal", {"self": self}),
    "type": lambda self, _: vars(type(self)).get("goal", 9),
}


def special(name: str, goal: int) -> Callable[..., Any]:
    """A special method that knows a goal."""
    if name in ("__contains__", "__eq__"):
        return lambda _, state: state == goal
    return lambda _: iter([goal]) if name == "__iter__" else goal


@pytest.mark.parametrize("way", MISSING)
def test_a_new_member_counts_where_a_rule_goes_on_without_it(way: Any) -> None:
    """In a subclass, on an object, and if it is set on the class later."""

    class Optional(Far):
        wanted, unsolvable = way, too_far

    class Near(Optional):
        distant = 3

    near, later = Optional(), Optional()
    near.distant = 3
    assert [bf.solve(problem).status for problem in (later, Near(), near)] == ["unsolvable", "optimal", "optimal"]
    Optional.distant = 3  # type: ignore[attr-defined]
    assert bf.solve(later).status == "optimal"
    found = bf.solve(Near())
    assert any("Near adds distant" in str(warning) for warning in found.warnings) or found.cost == 3


@pytest.mark.parametrize("name", SPECIAL)
def test_special_methods_are_rules(name: str) -> None:
    """A rule calls them without their names."""
    home: Any = type(
        "Home", (Far,), {name: special(name, 9), "wanted": SPECIAL[name], "__hash__": None, "unsolvable": too_far}
    )
    near: Any = type("Near", (home,), {name: special(name, 3), "__hash__": None})
    assert [bf.solve(kind()).status for kind in (home, near)] == ["unsolvable", "optimal"]


@pytest.mark.parametrize("way", DYNAMIC)
def test_a_rule_may_read_by_names_that_it_works_out(way: str) -> None:
    """So it may read each parameter."""
    home: Any = type("Home", (Far,), {"wanted": DYNAMIC[way], "unsolvable": too_far})
    near: Any = type("Near", (home,), {"goal": 3})
    assert [bf.solve(kind()).status for kind in (home, near)] == ["unsolvable", "optimal"]


def test_rules_may_depend_on_the_class_of_the_object() -> None:
    """A subclass without members of its own is another problem then."""

    class Home(Far):
        def wanted(self, _: int) -> Any:
            return 3 if isinstance(self, Near) else 9

        unsolvable = too_far

    class Near(Home):
        pass

    assert [bf.solve(kind()).status for kind in (Home, Near)] == ["unsolvable", "optimal"]
    assert "the rules of Near depend on its class" in str(bf.solve(Near()).warnings)


@pytest.mark.parametrize("name", ["goal_state", "positions", "unit_cost", "label", "left"])
def test_a_claim_that_a_rule_reads_is_a_rule(name: str) -> None:
    """Display members and heuristics, too: the other claims were written for the original one."""

    @bf.heuristic()
    def left(_: Any, state: int) -> int:
        return abs(9 - state)

    @bf.heuristic()
    def left_of_three(_: Any, state: int) -> int:
        return abs(3 - state)

    reads, original, other = {
        "goal_state": (lambda self, _: self.goal_state(), lambda _: 9, lambda _: 3),
        "positions": (lambda self, _: self.positions, 9, 3),
        "unit_cost": (lambda self, _: 9 if self.unit_cost else 3, True, False),
        "label": (lambda self, state: int(self.label(state)), lambda *_: "9", lambda *_: "3"),
        "left": (lambda self, state: state + self.left(state), left, left_of_three),
    }[name]
    home: Any = type("Home", (Far,), {"wanted": reads, name: original, "unsolvable": too_far})
    near: Any = type("Near", (home,), {name: other})
    assert [bf.solve(kind()).status for kind in (home, near)] == ["unsolvable", "optimal"]
    setattr(home, name, other)
    assert bf.solve(home()).status == "optimal"


@dataclasses.dataclass(frozen=True)
class Place:
    """A state whose methods @dataclass writes, which ask for the classes of places."""

    x: int


TURNS = {(x, step): [x + step] for x in range(4000) for step in (1, -1)}
FIRST = operator.itemgetter(0)


class Step(NamedTuple):
    by: int


class Shape(TypedDict):
    x: int


def is_flat(value: Any) -> bool:
    return isinstance(value, (int, Place)) or type(value) is str


class Walk(bf.Problem):
    """A walk by one or minus one, with names, counters and texts that only look like reading of attributes."""

    initial, default_heuristic, calls, color = Place(0), "left", 0, "blue"

    def is_goal(self, state: Place) -> bool:
        return state.x == 9

    def successors(self, state: Place) -> Any:
        type(self).calls += 1
        self.__class__.calls += 1
        vars = [getattr(state, name) for name in ("x",)]  # noqa: A001
        for dir in (1, -1):  # noqa: A001
            if not is_flat(state):
                raise ValueError("bad color", cast(Shape, state))
            if 0 <= FIRST(TURNS[FIRST(vars), Step(dir).by]) <= 9:
                yield self.format("dir {}".format(dir)), Place(state.x + dir), 1  # noqa: UP032

    @bf.heuristic(admissible=True, consistent=True)
    def left(self, state: Place) -> int:
        return 9 - state.x


class WalkWithMore(Walk):
    """It adds members, and changes a parameter that no rule reads."""

    color = "red"

    def __init__(self) -> None:
        self.notes = [self.helper()]

    def helper(self) -> int:
        return self.calls


def test_what_only_looks_like_reading_an_attribute_does_no_harm() -> None:
    """Claims of such a class hold for a subclass, and for an object, with new members."""
    problem: Any = Walk()
    problem.comment = "x"
    for one in (problem, WalkWithMore(), type("Same", (Walk,), {})()):
        found = bf.solve(one)
        assert (found.algorithm, found.warnings) == ("astar", [])


def estimate(problem: Any, state: int) -> Any:
    return max(0, problem.goal - state)


class Elsewhere:
    """Something that has a goal as well."""

    goal = 9


@pytest.mark.parametrize(
    ("left", "is_trusted"),
    [
        (lambda self, state: max(0, self.goal - state), True),
        (lambda self, state: 1 * estimate(self, state), True),
        (lambda self, state: max(0, getattr(self, "goal") - state), True),  # noqa: B009
        (lambda _, state: max(0, Elsewhere.goal - state), False),
    ],
)
def test_a_claim_that_reads_the_parameter_of_its_own_problem_is_kept(left: Any, is_trusted: bool) -> None:
    """An attribute of the same name of something else does not count."""
    members = {"wanted": lambda self, _: self.goal, "left": bf.heuristic(admissible=True)(left), "default_heuristic": "left"}
    home: Any = type("Home", (Far,), members)
    near: Any = type("Near", (home,), {"goal": 4})
    assert bf.solve(near()).algorithm == ("astar" if is_trusted else "uniform-cost")

"""Which members count as rules, and what replaces them: each problem here is unsolvable by its claim, unless a rule is replaced."""

from __future__ import annotations

import dataclasses
import operator
from collections.abc import Callable
from typing import Any, Protocol

import pytest

import bestfirst as bf
from bestfirst.errors import InputError


class Far(bf.Problem):
    """A line of 0 .. 5 and a goal beyond it, which each test reads in its own way."""

    initial, goal = 0, 9

    def is_goal(self, state: int) -> bool:
        return bool(state == self.wanted(state))

    def wanted(self, state: int) -> Any:
        raise NotImplementedError

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


SPECIAL = {
    "__len__": lambda self, _: len(self),
    "__call__": lambda self, _: self(),
    "__index__": lambda self, _: operator.index(self),
    "__contains__": lambda self, state: state if state in self else -1,
    "__eq__": lambda self, state: state if self == state else -1,
    "__iter__": lambda self, _: next(iter(self)),
}


def special(name: str, goal: int) -> Callable[..., Any]:
    """A special method that knows a goal."""
    if name in ("__contains__", "__eq__"):
        return lambda _, state: state == goal
    return lambda _: iter([goal]) if name == "__iter__" else goal


def statuses(*problems: bf.Problem) -> list[str]:
    return [bf.solve(problem).status for problem in problems]


def helper(problem: Any) -> Any:
    return vars(type(problem)).get("goal", 9)


@pytest.mark.parametrize(
    "wanted",
    [lambda self, _: self.goal, lambda self, _: getattr(self, "go" + "al"), lambda self, _: helper(self), lambda *_: 3],
)
def test_data_of_a_class_are_rules_however_they_are_read(wanted: Any) -> None:
    """Nobody needs to find out whether a rule reads them."""
    home: Any = type("Home", (Far,), {"wanted": wanted, "goal": 9, "unsolvable": too_far})
    near: Any = type("Near", (home,), {"goal": 3})
    assert statuses(home(), near()) == ["unsolvable", "optimal"]
    assert any("Near replaces goal" in warning for warning in bf.solve(near()).warnings)


@pytest.mark.parametrize("way", [by_default_value, by_question, by_error])
def test_a_new_member_counts_where_a_rule_goes_on_without_it(way: Any) -> None:
    """In a subclass, on an object, and if it is set on the class later."""

    class Optional(Far):
        wanted, unsolvable = way, too_far

    class Near(Optional):
        distant = 3

    near, later = Optional(), Optional()
    near.distant = 3
    assert statuses(later, Near(), near) == ["unsolvable", "optimal", "optimal"]
    Optional.distant = 3  # type: ignore[attr-defined]
    assert statuses(later) == ["optimal"]


@pytest.mark.parametrize("name", SPECIAL)
def test_special_methods_are_rules(name: str) -> None:
    """A rule calls them without their names."""
    home: Any = type(
        "Home", (Far,), {name: special(name, 9), "wanted": SPECIAL[name], "__hash__": None, "unsolvable": too_far}
    )
    near: Any = type("Near", (home,), {name: special(name, 3), "__hash__": None})
    assert statuses(home(), near()) == ["unsolvable", "optimal"]


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
    assert statuses(home(), near()) == ["unsolvable", "optimal"]
    setattr(home, name, other)
    assert statuses(home()) == ["optimal"]


class Walk(bf.Problem):
    """A walk with counters, a parameter, and texts that only look like reading of attributes."""

    default_heuristic, calls = "left", 0
    goal = 9

    def __init__(self, goal: int | None = None) -> None:
        self.initial = 0
        if goal is not None:
            self.goal = goal

    def is_goal(self, state: int) -> bool:
        return state == self.goal

    def successors(self, state: int) -> Any:
        self.calls += 1
        type(self).calls += 1
        return [("format {}".format(way), state + way, 1) for way in (1, -1) if 0 <= state + way <= 9]  # noqa: UP032

    @bf.heuristic(admissible=True, consistent=True)
    def left(self, state: int) -> int:
        return abs(self.goal - state)

    def format(self, state: int) -> str:
        return f"at {state}"


class Shown(Protocol):
    """A plain mixin for people."""

    def show(self) -> str:
        return str(self)


class WalkWithMore(Walk, Shown):
    """It adds members, makes its objects in another way, shows states differently, and starts elsewhere."""

    color = "red"

    def __init__(self) -> None:
        super().__init__(4)
        self.notes = [self.remark()]

    def remark(self) -> int:
        return self.calls

    def format(self, state: int) -> str:
        return f"<{state}>"

    def __repr__(self) -> str:
        return "a walk"


class OtherParameter(Walk):
    goal = 5


def test_new_members_parameters_counters_and_display_replace_nothing() -> None:
    """Of an object, of a subclass, and of a subclass that has nothing of its own."""
    problem: Any = Walk(3)
    problem.comment = "x"
    problem.goal = 5
    for one in (problem, WalkWithMore(), OtherParameter(), type("Same", (Walk,), {})()):
        for _ in range(2):
            found = bf.solve(one)
            assert (found.warnings, found.algorithm) == ([], "astar")


def test_an_author_can_say_that_a_subclass_keeps_the_claims() -> None:
    """Those of its base classes, but not of rules that are set later."""

    class Line(Walk):
        def __init__(self) -> None:
            self.initial = 0

    class Short(Line, keeps_claims=True):
        def is_goal(self, state: int) -> bool:
            return state in (8, 9)

        @bf.heuristic(admissible=True, consistent=True)
        def left(self, state: int) -> int:
            return max(0, 8 - state)

    class Shorter(Short):
        def is_goal(self, state: int) -> bool:
            return state == 3

    found = bf.solve(Short())
    assert (found.algorithm, found.cost, found.warnings) == ("astar", 8, [])
    assert bf.solve(Shorter()).algorithm == "uniform-cost"
    Short.is_goal = Shorter.is_goal  # type: ignore[method-assign, assignment]
    assert bf.solve(Short()).algorithm == "uniform-cost"


def test_a_class_that_is_created_again_still_keeps_the_claims() -> None:
    """As @dataclass(slots=True) does."""

    @dataclasses.dataclass(slots=True)
    class Again(Walk, keeps_claims=True):
        initial: int = 0

        def is_goal(self, state: int) -> bool:
            return state == 9

    assert bf.solve(Again()).algorithm == "astar"


def test_keeps_claims_is_true_or_false() -> None:
    """Anything else is refused where the class is written."""
    with pytest.raises(InputError, match="keeps_claims"):

        class Wrong(Walk, keeps_claims="yes"):  # type: ignore[arg-type]
            pass


def test_a_warning_says_how_to_keep_claims() -> None:
    """In the class that replaced the rule."""

    class Nearer(Walk):
        def is_goal(self, state: int) -> bool:
            return state == 3

    found = bf.solve(Nearer())
    assert any("class Nearer(Walk, keeps_claims=True)" in warning for warning in found.warnings)


def test_a_heuristic_depends_on_those_that_it_calls() -> None:
    """Through another one as well; it does not depend on others."""

    class Two(Walk):
        @bf.heuristic(admissible=True)
        def most(self, state: int) -> int:
            return self.greatest(state)

        @bf.heuristic(admissible=True)
        def greatest(self, state: int) -> int:
            return max(self.left(state), 0)

        @bf.heuristic(admissible=True)
        def none(self, state: int) -> int:
            return 0 * state

    class Other(Two):
        @bf.heuristic()
        def left(self, state: int) -> int:
            return 99 + state

    offered = Other().heuristics()
    assert (offered["most"].admissible, offered["none"].admissible) == (None, True)

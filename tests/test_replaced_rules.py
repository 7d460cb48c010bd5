"""Which members count as rules, and what replaces them: each problem here is unsolvable by its claim, unless a rule is replaced."""

from __future__ import annotations

import copy
import dataclasses
import functools
import math
import operator
import pickle
from collections.abc import Callable, Sequence
from functools import partial
from types import MappingProxyType
from typing import Any, ClassVar, NamedTuple, Protocol

import pytest

import bestfirst as bf
from bestfirst.claims import without_broken
from bestfirst.errors import InputError
from bestfirst.stated import checked_backward


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


def by_list(self: Any, _: int) -> Any:
    return self.distant if "distant" in dir(self) else 9


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


@pytest.mark.parametrize("way", [by_default_value, by_question, by_list, by_error])
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


def test_an_option_of_a_class_that_is_misspelt_is_named() -> None:
    """With the right name."""
    with pytest.raises(InputError, match="did you mean keeps_claims"):

        class Wrong(Walk, keep_claims=True):
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


def test_a_claim_says_nothing_about_the_rules_of_another_branch() -> None:
    """Although its class comes first in the method resolution order."""

    class Line(bf.Problem):
        initial = 0

        def is_goal(self, state: int) -> bool:
            return state == 9

        def successors(self, state: int) -> Any:
            return [("on", state + 1, 1)] if state < 5 else []

    class TooFar(Line):
        def unsolvable(self) -> str:
            return "the goal is too far"

    class Jumping(Line):
        def successors(self, state: int) -> Any:
            return [("jump", max(9, state), 1)]

    class Both(TooFar, Jumping):
        pass

    class Kept(TooFar, Jumping, keeps_claims=True):
        pass

    assert statuses(TooFar(), Both(), Kept()) == ["unsolvable", "optimal", "unsolvable"]
    assert "keeps_claims" in str(bf.solve(Both()).warnings)


def test_a_rule_that_reads_a_claim_needs_it_to_hold() -> None:
    """Otherwise it would see that nothing is claimed, and mean something else."""

    class Line(bf.Problem):
        initial = 0

        def goal_states(self) -> Any:
            return (5,)

        def is_goal(self, state: int) -> bool:
            return state in self.goal_states()

        def successors(self, state: int) -> Any:
            return [("on", state + 1, 1)] if state < 9 else []

    class Slower(Line):
        def successors(self, state: int) -> Any:
            return [("on", state + 1, 2)] if state < 9 else []

    class SlowerToo(Slower):
        def goal_states(self) -> Any:
            return (5,)

    assert [bf.solve(problem).cost for problem in (Line(), SlowerToo())] == [5, 10]
    with pytest.raises(InputError, match="methods of Slower read goal_states"):
        bf.solve(Slower())


def test_names_that_only_domains_use_are_free_in_other_problems() -> None:
    """resources, parameters, inverse and size mean what the user says."""

    class Craft(bf.Problem):
        initial, resources, size = 0, MappingProxyType({"wood": 5}), 9

        def is_goal(self, state: int) -> bool:
            return bool(state == self.wanted())

        def wanted(self) -> int:
            return self.resources["wood"]

        def successors(self, state: int) -> Any:
            return [("saw", state + 1, 1)] if state < self.size else []

        def unsolvable(self) -> str | None:
            return None if self.wanted() < 8 else "too much wood"

    class More(Craft):
        resources = MappingProxyType({"wood": 8})

        def wanted(self) -> int:
            return self.resources["wood"] - 1

    assert [bf.solve(problem).cost for problem in (Craft(), More())] == [5, 7]
    smaller: Any = type("Smaller", (Craft,), {"size": 5})
    assert "Smaller replaces size" in str(bf.solve(smaller()).warnings) or bf.solve(smaller()).cost == 5


def test_a_heuristic_depends_on_the_display_data_that_it_reads() -> None:
    """In a subclass, and on an object; if no claim reads them, nothing is lost."""

    class City(Walk):
        positions = dict.fromkeys(range(10), 1)

        @bf.heuristic(admissible=True, consistent=True)
        def left(self, state: int) -> int:
            return abs(self.goal - state) * self.positions[state]

    class OnScreen(City):
        positions = dict.fromkeys(range(10), 30)

    moved: Any = City()
    moved.positions = OnScreen.positions
    assert [bf.solve(one).algorithm for one in (City(), OnScreen(), moved)] == ["astar", "uniform-cost", "uniform-cost"]


def set_by_helper(self: Any, goal: int) -> None:
    self.reset(goal)


def set_by_text(self: Any, **given: int) -> None:
    for name, value in given.items():
        setattr(self, name, value)


def set_at_once(self: Any, **given: int) -> None:
    vars(self).update(given)


@pytest.mark.parametrize("way", [set_by_helper, set_by_text, set_at_once])
def test_parameters_may_be_set_in_several_ways(way: Any) -> None:
    """They may have every value, later too."""

    class Line(Walk):
        initial = 0
        __init__ = way

        def reset(self, goal: int) -> None:
            self.goal = goal

        default_heuristic = "left"

    line: Any = Line(goal=7)
    later: Any = Line(goal=7)
    later.goal = 5
    found = [bf.solve(one) for one in (line, later)]
    assert [(one.algorithm, one.cost, one.warnings) for one in found] == [("astar", 7, []), ("astar", 5, [])]


def test_attributes_of_other_objects_make_no_parameters_or_counters() -> None:
    """Although they have the same names."""

    class Line(bf.Problem):
        initial, limit = 0, 4

        def __init__(self) -> None:
            self.stats = type("Stats", (), {})()
            self.stats.limit = 0

        def is_goal(self, state: int) -> bool:
            return state == 6

        def successors(self, state: int) -> Any:
            other: Any = type("Other", (), {})()
            other.limit = state
            self.stats.limit = max(self.stats.limit, state)
            return [("on", state + 1, 1)] if state < self.limit else []

        def unsolvable(self) -> str | None:
            return "6 is beyond 4"

    class Longer(Line):
        limit = 9

    changed: Any = Line()
    changed.limit = 9
    assert statuses(Line(), Longer(), changed) == ["unsolvable", "optimal", "optimal"]


def test_counters_may_be_kept_and_reset_in_several_ways() -> None:
    """In a nested function, by the class under another name, and from outside."""

    class Counted(Walk):
        calls = seen = made = 0

        def successors(self, state: int) -> Any:
            def count() -> None:
                self.seen += 1

            count()
            kind = type(self)
            kind.made += 1
            return [one for one in super().successors(state) if one in self]

        def __contains__(self, step: Any) -> bool:
            self.calls += 1
            return bool(0 <= step[1] <= 9)

        default_heuristic = "left"

        @bf.heuristic(admissible=True, consistent=True)
        def left(self, state: int) -> int:
            return abs(self.goal - state)

    assert bf.solve(Counted()).algorithm == "astar" and Counted.made > 0
    Counted.calls = Counted.seen = Counted.made = 0
    assert bf.solve(Counted()).warnings == []


def test_claims_of_a_class_that_saw_a_later_rule_hold() -> None:
    """A subclass that is defined after the assignment knows the new rule."""

    class Line(Walk):
        pass

    Line.is_goal = lambda _, state: state == 3  # type: ignore[method-assign, assignment]

    class After(Line):
        default_heuristic = "to_three"

        @bf.heuristic(admissible=True, consistent=True)
        def to_three(self, state: int) -> int:
            return abs(3 - state)

    assert (bf.solve(Line()).algorithm, bf.solve(After()).algorithm) == ("uniform-cost", "astar")
    After.is_goal = lambda _, state: state == 2  # type: ignore[method-assign, assignment]
    assert bf.solve(After()).algorithm == "uniform-cost"


def test_a_mixin_can_be_said_to_keep_the_claims() -> None:
    """In the class that uses it."""

    class Counting:
        def is_goal(self, state: int) -> Any:
            return super().is_goal(state)  # type: ignore[misc]

    class With(Counting, Walk):
        pass

    class Kept(Counting, Walk, keeps_claims=True):
        pass

    found = bf.solve(With())
    assert "class With(Counting, Walk, keeps_claims=True)" in str(found.warnings)
    assert bf.solve(Kept()).warnings == []


def test_what_init_sets_is_kept_too() -> None:
    """If the author says so."""

    class Line(bf.Problem):
        initial, goal, unit_cost = 0, 5, True

        def is_goal(self, state: int) -> bool:
            return state == self.goal

        def successors(self, state: int) -> Any:
            return [("on", state + 1, 1)] if state < 9 else []

    class AnyGoal(Line):
        def __init__(self, goal: int) -> None:
            self.goal = goal

    class Kept(Line, keeps_claims=True):
        def __init__(self, goal: int) -> None:
            self.goal = goal

    assert (AnyGoal(7).unit_cost, Kept(7).unit_cost) == (False, True)


def test_a_claim_that_a_dataclass_inherits_is_one_of_its_base() -> None:
    """Although the __init__ that @dataclass writes for it sets the field too."""

    @dataclasses.dataclass
    class Base(bf.Problem):
        initial: int = 0
        unit_cost: bool = True

        def is_goal(self, state: int) -> bool:
            return state == 5

        def successors(self, state: int) -> Any:
            return [("on", state + 1, 1)] if state < 9 else []

    @dataclasses.dataclass
    class Cheap(Base):
        extra: int = 1

        def successors(self, state: int) -> Any:
            return [("on", state + 1, 0.25)] if state < 9 else []

    assert (Base().unit_cost, Cheap().unit_cost) == (True, False)


def test_a_rule_that_is_set_before_the_init_of_a_shipped_problem_is_noticed() -> None:
    """What no shipped class knows may be set, and changed, at any time."""

    class Own(bf.SlidingTile):
        def __init__(self, board: str, test: Any = None) -> None:
            self.note = board
            if test is not None:
                self.is_goal = test  # type: ignore[method-assign]
            super().__init__(board)

    found = bf.solve(Own("1 2 3 / 4 _ 5 / 6 7 8", lambda board: board[8] == 0))
    assert (found.cost, found.status) == (2, "optimal")
    noted = Own("1 2 3 / 4 _ 5 / 6 7 8")
    noted.note = "another"
    assert bf.solve(noted).warnings == []


def test_a_note_on_a_copy_of_a_map_replaces_nothing() -> None:
    """The map between other places is the same map."""

    class Roads(bf.RoadMap):
        pass

    roads: Any = Roads({"a": {"b": 1}, "b": {"a": 1}}, "a", "b")
    roads.note = "x"
    other = roads.between("b", "a")
    other.note = "y"
    assert bf.solve(other).warnings == []


class Long(Walk):
    """Its goal is no int that Python keeps only once."""

    def __init__(self) -> None:
        self.initial = 0
        self.goal = int("1000")


class Map(bf.GridMap):
    pass


def test_pickling_replaces_nothing() -> None:
    """Equal numbers are not the same objects then."""
    grid = Map(["." * 20] * 20, (0, 0), (19, 19))
    for one in (Long(), grid):
        again = pickle.loads(pickle.dumps(one))
        assert bf.solve(again, engine="python").warnings == bf.solve(one, engine="python").warnings == []


def test_another_start_of_a_class_replaces_nothing() -> None:
    """As on an object."""

    class Line(Walk, keeps_claims=True):
        initial = 0

        def __init__(self) -> None:
            pass

    Line.initial = 2
    assert bf.solve(Line()).warnings == []


def test_a_class_that_hides_its_subclasses_is_refused() -> None:
    """Nothing would be known of their rules."""
    known = []

    class Base(bf.Problem):
        def __init_subclass__(cls) -> None:
            known.append(cls)

    class Registered(Base):
        initial = 0

        def is_goal(self, state: int) -> bool:
            return state == 0

        def successors(self, state: int) -> Any:
            return [("on", state, 1)]

    with pytest.raises(InputError, match=r"Base\.__init_subclass__ does not call super"):
        bf.solve(Registered())


class Legal(bf.Domain):
    """Its legal actions come first, until a rule is set on an object."""

    class State(NamedTuple):
        place: int

    initial, max_actions, legal_first = State(0), 2, True
    made: ClassVar[list[str]] = []

    def __init_subclass__(cls, *, level: int, **options: Any) -> None:
        super().__init_subclass__(**options)
        Legal.made.append(cls.__name__)

    def __init__(self) -> None:
        self.asked = 0

    def step(self, state: Any, action: int) -> Any:
        return action == 0 and state.place < 5, self.State(state.place + 1), 1

    def is_goal(self, state: Any) -> bool:
        return bool(state.place == 5)


def jump(problem: Any, _: Any, action: int) -> Any:
    problem.asked += 1
    return action == 1, problem.State(5), 1


def test_an_object_with_another_rule_stays_what_it_is() -> None:
    """It counts, its solution can be pickled, and no class of the user hears of a copy."""
    legal: Any = Legal()
    legal.step = partial(jump, legal)
    found = bf.solve(legal)
    assert (found.cost, found.actions, Legal.made) == (1, [1], [])
    assert legal.asked > 0
    legal.step = jump
    assert type(pickle.loads(pickle.dumps(without_broken(legal)))) is Legal


def test_claims_of_a_mixin_may_be_corrected() -> None:
    """The mixin is asked what it says now."""

    class Claiming:
        unit_cost = True

        def unsolvable(self) -> str | None:
            return "the goal is too far"

    class Line(Claiming, Far):
        def wanted(self, _: int) -> int:
            return 3

    assert statuses(Line()) == ["unsolvable"]
    Claiming.unsolvable = lambda _: None  # type: ignore[method-assign, assignment]
    Claiming.unit_cost = False
    assert statuses(Line()) == ["optimal"] and not Line().unit_cost


class Near5(bf.Problem):
    """Cells 0 .. limit; its author says that cell 6 is too far."""

    initial, limit = 0, 4

    def is_goal(self, state: int) -> bool:
        return state == 6

    def successors(self, state: int) -> Any:
        return [("on", state + 1, 1)] if state < self.limit else []

    def unsolvable(self) -> str | None:
        return "6 is too far"


def changed(problem: Any, **values: Any) -> Any:
    for name, value in values.items():
        setattr(problem, name, value)
    return problem


def test_claims_of_a_plain_mixin_are_those_of_the_class_that_uses_it() -> None:
    """They say nothing about the rules of its subclasses; nor do those that games and domains read often."""

    class Unit:
        unit_cost = True
        identity: Sequence[str] = ("place",)

    class Line(Unit, Near5):
        pass

    class Farther(Line):
        limit = 9

    assert (Line().unit_cost, Farther().unit_cost) == (True, False)

    class Parity(Unit, bf.Domain):
        class State(NamedTuple):
            place: int
            odd: int

        initial, max_actions = State(0, 0), 1

        def step(self, state: Any, _: int) -> Any:
            return state.place < 5, self.State(state.place + 1, 1 - state.odd), 1

        def is_goal(self, state: Any) -> bool:
            return bool(state.place == 5)

    class Other(Parity):
        def is_goal(self, state: Any) -> bool:
            return bool(state.odd == 1)

        def step(self, state: Any, _: int) -> Any:
            return state.place < 5, self.State(state.place, 1 - state.odd), 1

    assert [kind().identity for kind in (Parity, Other)] == [("place",), ()]
    assert "identity" in str(bf.solve(Other()).warnings)


def test_what_only_reads_the_attributes_sets_no_parameter() -> None:
    """Such as a check in __init__."""

    class Checked(Near5):
        def __init__(self) -> None:
            for name, value in vars(self).items():
                assert value is not None, name

    assert statuses(changed(Checked(), limit=9)) == ["optimal"]


def logged(function: Any) -> Any:
    def inner(self: Any, *arguments: Any) -> Any:
        return function(self, *arguments)

    return inner


def test_a_decorated_method_is_looked_into() -> None:
    """Although the decorator does not use functools.wraps()."""

    class Logged(Near5):
        calls = 0

        @logged
        def successors(self, state: int) -> Any:
            self.calls += 1
            return [("on", state + 1, 1)] if state < getattr(self, "fuel", 4) else []

        def unsolvable(self) -> str | None:
            return "6 is too far"

    class Fuelled(Logged):
        fuel = 9

    problem = Logged()
    assert statuses(problem, problem, Fuelled()) == ["unsolvable", "unsolvable", "optimal"]


def test_what_init_subclass_sets_is_a_rule_of_the_subclass() -> None:
    """Another value that is set later replaces it."""

    class Base(bf.Problem):
        initial, limit = 0, 9

        def __init_subclass__(cls, limit: int = 9, **options: Any) -> None:
            super().__init_subclass__(**options)
            cls.limit = limit

        is_goal, successors = Near5.is_goal, Near5.successors

    class Short(Base, limit=4):
        def unsolvable(self) -> str | None:
            return "6 is too far"

    assert statuses(Short()) == ["unsolvable"]
    Short.limit = 9
    assert statuses(Short()) == ["optimal"]


def test_operators_that_a_rule_does_without_are_rules() -> None:
    """`in` uses __iter__ where there is no __contains__."""

    class Cells(Near5):
        def __iter__(self) -> Any:
            return iter(range(5))

        def successors(self, state: int) -> Any:
            return [("on", state + 1, 1)] if state + 1 in self else []

        def unsolvable(self) -> str | None:
            return "6 is too far"

    class More(Cells):
        def __contains__(self, state: int) -> bool:
            return 0 <= state <= 9

    assert statuses(Cells(), More()) == ["unsolvable", "optimal"]


def test_the_warning_names_the_heuristic_that_must_be_declared_again() -> None:
    """A default heuristic that is named again is still the one of the base class."""

    class Jumping(Walk):
        def successors(self, state: int) -> Any:
            return [("jump", 9, 1), *super().successors(state)]

    class Named(Jumping):
        default_heuristic = "left"

    assert "default_heuristic (left)" in str(bf.solve(Named()).warnings)


def test_total_ordering_replaces_nothing() -> None:
    """It adds comparisons that no rule needs."""

    @functools.total_ordering
    class Ordered(Walk):
        default_heuristic = "zero"

        def __lt__(self, other: Any) -> bool:
            return bool(self.goal < other.goal)

    assert bf.solve(Ordered()).warnings == []


def test_an_attribute_that_a_shipped_class_sets_too_is_its_own() -> None:
    """If it is changed later, no claim is trusted; some cannot be changed at all."""

    class Own(bf.Pancake):
        def __init__(self, stack: str, goal: Any) -> None:
            self.goal = goal
            super().__init__(stack, goal)

    own = changed(Own("3 1 2", (1, 2, 3)), goal=(3, 1, 2))
    assert bf.solve(own).cost == 0 and "goal" in str(bf.solve(own).warnings)
    for fixed, name, value in (
        (bf.TopSpin("1 3 2 5 4", turnstile=3), "turnstile", 2),
        (bf.MissionariesCannibals(3, 3), "boat", 3),
        (bf.RoadMap({"a": {"b": 1}}, "a", "b"), "goal", "a"),
        (bf.SlidingTile("1 2 3 / 4 _ 5"), "size", (3, 2)),
    ):
        with pytest.raises(InputError, match=f"{name} of a .* cannot be changed"):
            changed(fixed, **{name: value})


def test_a_rule_that_is_called_by_super_may_be_replaced_in_between() -> None:
    """The claim of the class that calls it is about another one; that holds for heuristics as well."""

    class Calling(Near5):
        def successors(self, state: int) -> Any:
            return super().successors(state)

        def unsolvable(self) -> str | None:
            return "6 is too far"

    class Longer(Near5):
        def successors(self, state: int) -> Any:
            return [("on", state + 1, 1)]

    class Both(Calling, Longer):
        pass

    class Asking(Walk):
        @bf.heuristic(admissible=True)
        def left(self, state: int) -> int:
            return super().left(state)

    class Over(Walk):
        @bf.heuristic(admissible=False)
        def left(self, _: int) -> int:
            return 99

    class Mixed(Asking, Over):
        pass

    assert statuses(Calling(), Both()) == ["unsolvable", "optimal"]
    assert [kind().heuristics()["left"].admissible for kind in (Asking, Mixed)] == [True, None]


def test_a_setter_is_not_called_by_a_search() -> None:
    """What it sets is a rule, unless __init__ calls it."""

    class Limited(bf.Problem):
        initial, _limit = 0, 4
        is_goal, successors, unsolvable = Near5.is_goal, Near5.successors, Near5.unsolvable

        @property
        def limit(self) -> int:
            return self._limit

        @limit.setter
        def limit(self, limit: int) -> None:
            self._limit = limit

    assert statuses(Limited(), changed(Limited(), limit=9)) == ["unsolvable", "optimal"]


def test_attributes_of_parts_of_other_objects_make_no_counters() -> None:
    """Of what is in a table, of what a call returns, and in static methods."""

    class Node:
        limit = 0

    class Nodes(Near5):
        def __init__(self) -> None:
            self.nodes = {state: Node() for state in range(12)}

        @staticmethod
        def mark(node: Any, state: int) -> None:
            node.limit = state

        def node(self, state: int) -> Node:
            return self.nodes[state]

        def successors(self, state: int) -> Any:
            self.nodes[state].limit = self.node(state).limit = state
            self.mark(self.nodes[state], state)
            return super().successors(state)

        def unsolvable(self) -> str | None:
            return "6 is too far"

    assert statuses(changed(Nodes(), limit=9)) == ["optimal"]


def test_what_backward_sets_on_a_copy_is_no_parameter_of_the_problem() -> None:
    """But the problem that it returns has it from its class."""

    class Line(bf.Problem):
        initial, goal, cost, unit_cost = 0, 6, 1, True

        def is_goal(self, state: int) -> bool:
            return state == self.goal

        def successors(self, state: int) -> Any:
            return [(way, state + way, self.cost) for way in (-1, 1) if 0 <= state + way <= 9]

        def backward(self) -> bf.Problem:
            other = copy.copy(self)
            other.initial, other.goal, other.cost = self.goal, self.initial, self.cost
            return other

    line, cheap = Line(), changed(Line(), cost=0.25)
    assert (line.unit_cost, checked_backward(line).unit_cost, cheap.unit_cost) == (True, True, False)  # type: ignore[union-attr]


def test_a_heuristic_depends_on_others_in_roundabout_ways() -> None:
    """By heuristics(), and by a heuristic of a shipped class."""

    class Asking(Walk):
        @bf.heuristic(admissible=True)
        def most(self, state: int) -> Any:
            return self.heuristics()["left"](state)

    class Other(Asking):
        @bf.heuristic(admissible=False)
        def left(self, _: int) -> int:
            return 99

    class Mine(bf.SlidingTile):
        @bf.heuristic(admissible=True)
        def mine(self, state: Any) -> Any:
            return self.linear_conflict(state)

    class Worse(Mine):
        @bf.heuristic(admissible=False)
        def manhattan(self, _: Any) -> int:
            return 99

    assert [kind().heuristics()["most"].admissible for kind in (Asking, Other)] == [True, None]
    assert [kind("1 2 3 / 4 _ 5").heuristics()["mine"].admissible for kind in (Mine, Worse)] == [True, None]


def test_an_optional_attribute_may_be_matched_or_computed() -> None:
    """By a class pattern, and by __getattr__."""

    class Matching(bf.Problem):
        initial = 0
        is_goal, unsolvable = Near5.is_goal, Near5.unsolvable

        def successors(self, state: int) -> Any:
            match self:
                case object(limit=limit):
                    pass
                case _:
                    limit = 4
            return [("on", state + 1, 1)] if state < limit else []

    class Longer(Matching):
        limit = 9

    class Computed(Matching):
        def __getattr__(self, name: str) -> int:
            if name == "limit":
                return 9
            raise AttributeError(name)

    assert statuses(Matching(), Longer(), Computed()) == ["unsolvable", "optimal", "optimal"]


def test_a_domain_with_lost_claims_is_compiled() -> None:
    """Also if several questions are asked of it."""

    class Line(bf.Domain):
        class State(NamedTuple):
            place: int
            note: int

        initial, max_actions, goal, identity = State(0, 0), 1, 6, ("place",)

        def step(self, state: Any, _: int) -> Any:
            return state.place < 9, self.State(state.place + 1, state.note), 1

        def is_goal(self, state: Any) -> bool:
            return bool(state.place == self.goal)

    line = changed(Line(), goal=4)
    assert bf.solve(line, "depth-first-branch-and-bound", engine="compiled").cost == 4
    assert sum(bf.enumerate_states(line).levels) == 10


def test_a_claim_that_a_rule_reads_may_be_kept_by_what_the_error_says() -> None:
    """By a parameter of __init__, by a subclass, or by another name."""

    class To(bf.Problem):
        initial, goal = 0, 5

        def goal_states(self) -> Any:
            return (self.goal,)

        def is_goal(self, state: int) -> bool:
            return state in self.goal_states()

        def successors(self, state: int) -> Any:
            return [("on", state + 1, 1)] if state < 9 else []

    class Given(To):
        def __init__(self, goal: int) -> None:
            self.goal = goal

        goal_states, is_goal = To.goal_states, To.is_goal

    class Wrapped(bf.Problem):
        """It reads the claim of another object."""

        initial = 0
        inner = To()

        def goal_states(self) -> Any:
            return self.inner.goal_states()

        def is_goal(self, state: int) -> bool:
            return state in self.inner.goal_states()

        def successors(self, state: int) -> Any:
            return [("on", state + 1, 1)] if state < 9 else []

    slow: Any = type("Slow", (Wrapped,), {"successors": lambda _, state: [("on", state + 1, 2)] if state < 9 else []})
    with pytest.raises(InputError, match="if the claims hold for every value of goal, set it in __init__"):
        bf.solve(changed(To(), goal=7))
    assert [bf.solve(problem).cost for problem in (Given(7), slow())] == [7, 10]


def test_a_hook_that_a_rule_does_without_is_no_open_method() -> None:
    """Although it raises NotImplementedError."""

    class Hooked(Near5):
        def most(self) -> int:
            raise NotImplementedError

        def successors(self, state: int) -> Any:
            try:
                most = self.most()
            except NotImplementedError:
                most = 4
            return [("on", state + 1, 1)] if state < most else []

        def unsolvable(self) -> str | None:
            return "6 is too far"

    class Filled(Hooked):
        def most(self) -> int:
            return 9

    assert statuses(Hooked(), Filled()) == ["unsolvable", "optimal"]


def test_rules_in_tables_and_in_nested_classes_are_looked_into() -> None:
    """They may read display members, or do without a member."""

    class Tabled(Near5):
        cells = 5  # type: ignore[assignment]
        operators = MappingProxyType({"on": lambda self, state: state + 1 if state < self.cells else None})

        class Step:
            def by(self, problem: Any) -> int:
                return int(getattr(problem, "stride", 1))

        def successors(self, state: int) -> Any:
            following = self.operators["on"](self, state)
            return [] if following is None else [("on", state + self.Step().by(self), 1)]

        def unsolvable(self) -> str | None:
            return "6 is too far"

    bigger: Any = type("Bigger", (Tabled,), {"cells": 9})
    longer: Any = type("Longer", (Tabled,), {"stride": 2})
    assert statuses(Tabled(), bigger(), longer()) == ["unsolvable", "optimal", "optimal"]


def test_equal_tuples_and_claims_of_nothing_replace_nothing() -> None:
    """Restated, pickled, or said to be False."""

    class Ordered(Walk):
        order, scale, default_heuristic, unit_cost = ("U", ("D", 1)), math.nan, "zero", False

        def is_goal(self, state: int) -> bool:
            return state == 9 and len(self.order) == 2

    class Again(Ordered):
        order, scale = ("U", ("D", int("1"))), float("nan")

    class Other(Ordered):
        order = ("D", "U")  # type: ignore[assignment]

    assert bf.solve(Again()).warnings == []
    assert "unit_cost" not in str(bf.solve(Other()).warnings)


def test_reading_by_vars_sets_nothing() -> None:
    """Although a text names the attribute."""

    class Reading(Near5):
        def successors(self, state: int) -> Any:
            return [("on", state + 1, 1)] if state < vars(self).get("most", vars(type(self)).get("most", 4)) else []

        def unsolvable(self) -> str | None:
            return "6 is too far"

    class More(Reading):
        most = 9

    assert statuses(Reading(), More(), changed(Reading(), limit=9, most=9)) == ["unsolvable", "optimal", "optimal"]


def test_classes_made_by_exec_are_a_users() -> None:
    """Python calls their module builtins."""
    members: dict[str, Any] = {"bf": bf, "Near5": Near5, "lru_cache": functools.lru_cache}
    exec(
        "class Line(Near5):\n"
        "    def __contains__(self, state): return state < 5\n"
        "    def successors(self, state): return [('on', state + 1, 1)] if state in self else []\n"
        "    def unsolvable(self): return '6 is too far'\n"
        "class More(Line):\n"
        "    @lru_cache\n"
        "    def __contains__(self, state): return state < 9\n",
        members,
    )
    assert statuses(members["Line"](), members["More"]()) == ["unsolvable", "optimal"]


def test_a_search_from_both_ends_says_why_a_backward_problem_is_not_used() -> None:
    """It was written for other rules."""

    class Line(Walk):
        def backward(self) -> bf.Problem:
            return Walk()

    class Jumping(Line):
        def successors(self, state: int) -> Any:
            return [("jump", 9, 1), *super().successors(state)]

    with pytest.raises(InputError, match=r"Jumping replaces successors, and Line\.backward was written for the original"):
        bf.solve(Jumping(), "bidirectional-astar", "left")


NAME, FAR = "distant", 9


class Look:
    """A reader of attributes beside the problem."""

    def at(self, problem: Any) -> Any:
        return getattr(problem, "distant", FAR)


LOOK = Look()
READERS: dict[str, Any] = {"by name": lambda problem: getattr(problem, NAME, FAR)}


def read(problem: Any) -> Any:
    return getattr(problem, "distant", FAR)


def read_by_another(problem: Any) -> Any:
    return read(problem)


@pytest.mark.parametrize(
    "way",
    [
        lambda self, _: getattr(self, "dis{}".format("tant"), FAR),
        lambda self, _: vars(self).get(NAME) or vars(type(self)).get(NAME, FAR),
        lambda self, _: next((getattr(self, name) for name in dir(self) if name == NAME), FAR),
        lambda self, _: read(self),
        lambda self, _: read_by_another(self),
        lambda self, _: LOOK.at(self),
        lambda self, _: Look().at(self),
        lambda self, _: READERS["by name"](self),
    ],
    ids=["text", "tables", "list", "function", "functions", "object", "class", "table of functions"],
)
def test_a_new_member_counts_however_its_name_is_found(way: Any) -> None:
    """The name may be worked out, and a function outside the class may read it."""
    home: Any = type("Home", (Far,), {"wanted": way, "unsolvable": too_far})
    near: Any = type("Near", (home,), {"distant": 3})
    assert statuses(home(), near(), changed(home(), distant=3)) == ["unsolvable", "optimal", "optimal"]


def test_a_name_that_is_worked_out_is_none_of_a_claim() -> None:
    """A subclass may still declare heuristics and display states."""

    class Computing(Walk):
        default_heuristic = "left"

        def is_goal(self, state: int) -> bool:
            return state == getattr(self, "".join(("go", "al")), 9)

        left = Walk.left

    class Shown(Computing):
        @bf.heuristic(admissible=True, consistent=True)
        def none(self, _: int) -> int:
            return 0

        def label(self, state: int) -> str:
            return f"<{state}>"

    class Noted(Shown):
        notes = "x"

    assert bf.solve(Shown()).warnings == []
    assert "Noted adds notes" in str(bf.solve(Noted()).warnings)


def cells_of(problem: Any) -> Any:
    return problem.cells


@pytest.mark.parametrize("name", ["cells", "__table__"])
def test_data_with_names_of_display_members_or_of_python_are_rules_if_a_rule_reads_them(name: str) -> None:
    """In a function outside the class, too; what nothing reads replaces nothing."""
    reads: Any = (lambda self, _: cells_of(self)) if name == "cells" else lambda self, _: self.__table__
    home: Any = type("Home", (Far,), {"wanted": reads, name: 9, "unsolvable": too_far})
    near: Any = type("Near", (home,), {name: 3})
    other: Any = type("Other", (home,), {"__version__": "2", "__doc__": "another"})
    assert statuses(home(), near(), other()) == ["unsolvable", "optimal", "unsolvable"]
    setattr(home, name, 3)
    assert statuses(home()) == ["optimal"]


Home: Any = None
Derived: Any = None


def is_derived(problem: Any) -> bool:
    return isinstance(problem, Derived)


@pytest.mark.parametrize(
    "wanted",
    [
        lambda self, _: 3 if isinstance(self, Derived) else 9,
        lambda self, _: 3 if is_derived(self) else 9,
        lambda self, _: 3 if type(self) is Derived else 9,
        lambda self, _: 3 if type(self).__name__ == "Derived" else 9,
        lambda self, _: 3 if self.__class__ is not Home else 9,
        lambda self, _: {"Derived": 3}.get(type(self).__name__, 9),
        lambda self, _: {Home: 9}.get(type(self), 3),
    ],
)
def test_a_rule_that_asks_for_the_class_is_another_one_in_a_subclass(wanted: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """Although the subclass replaces nothing."""
    home: Any = type("Home", (Far,), {"wanted": wanted, "unsolvable": too_far})
    derived: Any = type("Derived", (home,), {})
    monkeypatch.setitem(globals(), "Home", home)
    monkeypatch.setitem(globals(), "Derived", derived)
    assert statuses(home(), derived()) == ["unsolvable", "optimal"]
    assert "rules depend on the class of the object, which is Derived" in str(bf.solve(derived()).warnings)


def test_an_attribute_of_the_class_may_be_compared() -> None:
    """It is a rule like any other: a subclass that does not replace it keeps all claims."""

    class Home(Near5):
        goal = 5

        def is_goal(self, state: int) -> bool:
            return state == type(self).goal or state > self.__class__.goal

        def unsolvable(self) -> str | None:
            return "6 is too far"

    class Shown(Home):
        def format(self, state: int) -> str:
            return f"cell {state}"

    assert statuses(Home(), Shown()) == ["unsolvable", "unsolvable"]


def test_the_class_may_be_shown_counted_and_compared_in_eq() -> None:
    """That is no question of a rule."""

    class Named(Near5):
        calls = 0

        def __eq__(self, other: object) -> bool:
            return type(other) is type(self)

        __hash__ = None  # type: ignore[assignment]

        def successors(self, state: int) -> Any:
            type(self).calls += 1
            if type(state) is not int:
                raise TypeError(f"{type(self).__name__} has numbers as states")
            return super().successors(state)

        def unsolvable(self) -> str | None:
            return "6 is too far"

    class Same(Named):
        pass

    assert statuses(Named(), Same()) == ["unsolvable", "unsolvable"]


class Noted(bf.Domain):
    """It counts on its class, and a field of its states distinguishes none."""

    class State(NamedTuple):
        place: int
        note: int

    initial, max_actions, goal, identity, calls = State(0, 0), 1, 6, ("place",), 0

    def step(self, state: Any, _: int) -> Any:
        return state.place < 9, self.State(state.place + 1, state.note), 1

    def is_goal(self, state: Any) -> bool:
        type(self).calls += 1
        return bool(state.place == self.goal)


class Slotted(Noted):
    """It has its data in slots."""

    __slots__ = ("end",)
    identity = ("place",)

    def __init__(self, end: int) -> None:
        self.end = end

    def is_goal(self, state: Any) -> bool:
        return bool(state.place == self.end)


def test_slots_of_an_object_with_lost_claims_are_pickled_and_copied() -> None:
    """As those of other objects."""
    slotted: Any = Slotted(4)
    slotted.step = lambda state, _: (state.place < 9, state._replace(place=state.place + 2), 1)
    searched = without_broken(slotted)
    del slotted.step, searched.__dict__["_claims_given"]
    assert type(searched) is not Slotted and type(pickle.loads(pickle.dumps(searched))) is Slotted
    assert [one.end for one in (searched, copy.copy(searched), pickle.loads(pickle.dumps(searched)))] == [4, 4, 4]


def test_an_object_with_lost_claims_counts_on_its_own_class(monkeypatch: pytest.MonkeyPatch) -> None:
    """Not on the copy of the class without the claims; and it may not ask which class it has."""
    monkeypatch.setattr(Noted, "calls", 0)
    assert bf.solve(changed(Noted(), goal=4), engine="python").cost == 4
    assert Noted.calls == Noted().calls > 0
    monkeypatch.setattr(Noted, "is_goal", lambda self, state: type(self) is Noted and state.place == self.goal)
    with pytest.raises(InputError, match="rules of Noted depend on the class of the object"):
        bf.solve(changed(Noted(), goal=4), engine="python")


class Prices(tuple[int, ...]):
    """Prices, and what they are multiplied by."""

    scale = 2


class Shop(bf.Problem[int, str]):
    """Three steps, each for a price of the class."""

    initial = 0
    prices = Prices((1, 1, 1))

    def successors(self, state: int) -> Any:
        return [("go", state + 1, self.prices[state] * self.prices.scale)] if state < 3 else []

    def is_goal(self, state: int) -> bool:
        return state == 3

    @bf.heuristic(admissible=True)
    def left(self, state: int) -> int:
        return 2 * (3 - state)


def test_a_tuple_with_other_attributes_is_other_data() -> None:
    """Its elements are the same, but its class gives it an attribute that the rules read."""
    cheap = Shop()
    assert bf.solve(cheap, "astar", "left").condition is None
    prices = Prices((1, 1, 1))
    prices.scale = 1
    cheap.prices = prices
    assert bf.solve(cheap, "astar", "left").condition is not None

"""Subclasses of shipped problems: what a class says of its rules does not outlive a rule that a subclass replaces."""

from __future__ import annotations

import abc
import copy
import dataclasses
import gc
import heapq
import pickle
import sys
import weakref
import zlib
from collections.abc import Callable, Iterator
from functools import cached_property
from itertools import count
from math import inf
from types import FrameType, MappingProxyType
from typing import Any, NamedTuple

import numpy as np
import pytest

import bestfirst as bf
from bestfirst.errors import InputError, NotCompilableError, StateError
from bestfirst.games.rules.connect_four import ConnectFour
from bestfirst.games.rules.kalah import Kalah
from bestfirst.games.rules.mnk import MNK
from bestfirst.games.rules.nim import Nim
from bestfirst.games.rules.othello import Othello
from bestfirst.heuristics.from_databases import Largest
from bestfirst.holding import holds, keeps_all
from bestfirst.looking_once import is_as_shipped, looking_once, once, stop_trusting
from bestfirst.models.knapsack import Knapsack
from bestfirst.patterns.combination import largest
from bestfirst.stated import checked_backward

ROADS = {"a": {"b": 2, "c": 5}, "b": {"c": 2, "d": 6}, "c": {"d": 1, "e": 7}, "d": {"e": 2}, "e": {}}
POINTS = {"a": (0, 0), "b": (1, 0), "c": (2, 0), "d": (3, 0), "e": (4, 0)}
SHIPPED: dict[type[bf.Problem], tuple[tuple[Any, ...], dict[str, Any]]] = {
    bf.SlidingTile: (("4 _ 2 / 1 3 5",), {"goal": "1 2 _ / 3 4 5"}),
    bf.JumpingTiles: (("bb_ww",), {}),
    bf.RoadMap: ((ROADS, "a", "e"), {"coordinates": POINTS}),
    bf.GridMap: ((["....", ".@@.", "...."], (0, 0), (3, 2)), {}),
    bf.Tree: (
        ({"i": ["a", "b"], "a": ["c", "d"], "b": ["e"], "e": ["f"]}, "i", "f"),
        {"estimates": dict.fromkeys("iabcdef", 0)},
    ),
    bf.NQueens: ((4,), {}),
    bf.WaterJugs: (("5 3", 4), {}),
    bf.Pancake: (("3 1 4 2",), {}),
    bf.TowersOfHanoi: ((3,), {}),
    bf.MissionariesCannibals: ((2, 2), {}),
    bf.TopSpin: (("1 3 2 5 4",), {"turnstile": 3}),
    bf.PocketCube: (("R U",), {}),
    bf.RubiksCube: (("R U",), {}),
    bf.LightsOut: (("111/111",), {}),
    bf.RoadNetwork: (([0, 2, 4, 5, 5], [1, 2, 2, 3, 3], [1, 4, 1, 6, 1], 0, 3), {}),
}
ENDLESS = (bf.PocketCube, bf.RubiksCube)
"""Spaces too large to be gone through."""
FEW, FEWER = bf.Limits(expansions=500), bf.Limits(expansions=150)
"""A solution of two or three actions is found with either."""


def number_of(state: Any) -> int:
    """A number of a state that is the same in each process."""
    return zlib.crc32(repr(tuple(state) if isinstance(state, tuple) else state).encode())


def other_costs(shipped: type[bf.Problem]) -> type[bf.Problem]:
    """A subclass whose actions cost 1/2, 3/4 or 3/2, whatever they did."""

    class OtherCosts(shipped):  # type: ignore[misc,valid-type]
        def successors(self, state: Any) -> Iterator[Any]:
            for action, child, _cost in super().successors(state):
                yield action, child, (0.5, 0.75, 1.5)[number_of(child) % 3]

    return OtherCosts


def other_goal(shipped: type[bf.Problem]) -> type[bf.Problem]:
    """A subclass whose goal is the last state met within two actions from the start."""

    class OtherGoal(shipped):  # type: ignore[misc,valid-type]
        @cached_property
        def destination(self) -> Any:
            return states_near(self, 2)[-1]

        def is_goal(self, state: Any) -> bool:
            return bool(state == self.destination)

    return OtherGoal


def other_successors(shipped: type[bf.Problem]) -> type[bf.Problem]:
    """A subclass that can also jump: from a third of the states to the start, from another third two actions ahead at once."""

    class OtherSuccessors(shipped):  # type: ignore[misc,valid-type]
        def successors(self, state: Any) -> Iterator[Any]:
            plain = list(super().successors(state))
            yield from plain
            if number_of(state) % 3 == 0:
                yield "home", self.initial, 1
            if number_of(state) % 3 == 1 and plain:
                yield from (("jump", far, 1) for _, far, _ in super().successors(plain[-1][1]))

    return OtherSuccessors


def on_the_object(shipped: type[bf.Problem]) -> Callable[..., bf.Problem]:
    """A shipped problem whose goal test is set on the object."""

    def made(*arguments: Any, **named: Any) -> bf.Problem:
        problem = shipped(*arguments, **named)
        destination = states_near(problem, 2)[-1]
        problem.is_goal = lambda state: state == destination  # type: ignore[method-assign]
        return problem

    return made


KINDS = [other_costs, other_goal, other_successors, on_the_object]


def states_near(problem: bf.Problem, actions: int) -> list[Any]:
    """The states within so many actions from the start, the nearest first."""
    met, level = [problem.initial], [problem.initial]
    for _ in range(actions):
        level = [child for state in level for _, child, _ in problem.successors(state) if child not in met]
        level = list(dict.fromkeys(level))
        met += level
    return met


def true_cost(problem: bf.Problem) -> float:
    """The cost of the cheapest solution, by Dijkstra over the problem's own successors."""
    ties = count()
    waiting: list[tuple[float, int, Any]] = [(0, next(ties), problem.initial)]
    done = set()
    while waiting:
        cost, _, state = heapq.heappop(waiting)
        if problem.is_goal(state):
            return cost
        if state not in done:
            done.add(state)
            for _, child, step in problem.successors(state):
                if child not in done:
                    heapq.heappush(waiting, (cost + step, next(ties), child))
    return inf


def levels_of(problem: bf.Problem) -> list[int]:
    """The number of states at each number of actions from the start."""
    met, level, levels = {problem.initial}, {problem.initial}, []
    while level:
        levels.append(len(level))
        level = {child for state in level for _, child, _ in problem.successors(state)} - met
        met |= level
    return levels


def made(kind: Any, shipped: type[bf.Problem]) -> bf.Problem:
    arguments, named = SHIPPED[shipped]
    if kind is other_costs and shipped in ENDLESS:
        arguments = ("R",)  # a cheapest path from farther away takes long to find
    problem = kind(shipped)(*arguments, **named)
    assert isinstance(problem, bf.Problem)
    return problem


CASES = pytest.mark.parametrize(
    ("kind", "shipped"),
    [pytest.param(kind, shipped, id=f"{kind.__name__}-{shipped.__name__}") for shipped in SHIPPED for kind in KINDS],
)


def test_every_shipped_problem_is_tried() -> None:
    """A new one must be added here."""
    assert set(bf.DOMAINS.values()) <= set(SHIPPED)


@CASES
def test_a_plain_solve_is_true_of_the_subclass(kind: Any, shipped: type[bf.Problem]) -> None:
    """The cost is that of the subclass's own rules, the solution replays, and a warning says what was not relied on."""
    problem = made(kind, shipped)
    found = bf.solve(problem)
    assert found.status is bf.Status.OPTIMAL and found.condition is None
    assert found.cost == true_cost(problem)
    found.verify()
    assert any("replace" in warning and "default_heuristic" in warning for warning in found.warnings) or shipped in (
        bf.RoadNetwork,
        bf.JumpingTiles,
    )


@pytest.mark.slow
@CASES
def test_no_algorithm_says_optimal_of_what_is_not(kind: Any, shipped: type[bf.Problem]) -> None:
    """Unless it names the condition: with the heuristic that knows nothing, and with one that the class offers."""
    problem = made(kind, shipped)
    truth = true_cost(problem)
    for algorithm, facts in bf.ALGORITHMS.items():
        if algorithm == "bidirectional-astar":
            with pytest.raises(InputError, match=r"cannot be searched from its goal: .*replace|backward\(\) returns no"):
                bf.solve(problem, algorithm, heuristic="zero")
            continue
        options: dict[str, Any] = {"depth": 4} if algorithm == "depth-limited" else {}
        limits = FEWER if shipped in ENDLESS else FEW
        for name in [None] if facts.heuristic == "none" else ["zero", *problem.heuristics()][:2]:
            found = bf.solve(problem, algorithm, heuristic=name, limits=limits, **options)
            if found.condition is None:
                assert found.status is not bf.Status.UNSOLVABLE and found.lower_bound <= truth
                assert found.status is not bf.Status.OPTIMAL or found.cost == truth
            found.verify()


@CASES
def test_nothing_compilable_is_made_of_a_subclass_that_changes_successors(kind: Any, shipped: type[bf.Problem]) -> None:
    """To ask for the compiled engine is an error that says what has been replaced, in solve and in enumerate_states."""
    problem = made(kind, shipped)
    if issubclass(shipped, bf.Domain) and kind is other_goal:
        assert problem.domain() is problem  # the compiled engine reads its is_goal
        return
    assert problem.domain() is None and problem.backward() is None and problem.unsolvable() is None
    if shipped is not bf.Tree:  # it has no compilable form anyway
        with pytest.raises(InputError, match=r"cannot run this search: .*(replace|is set on this)"):
            bf.solve(problem, "astar", heuristic="zero", engine="compiled")
        with pytest.raises(NotCompilableError, match=r"replace|is set on this"):
            bf.enumerate_states(problem, engine="compiled")


@CASES
def test_enumeration_counts_the_states_of_the_subclass(kind: Any, shipped: type[bf.Problem]) -> None:
    """Level by level, as its own successors give them."""
    if shipped in ENDLESS:
        pytest.skip("its space is too large to be gone through")
    problem = made(kind, shipped)
    assert bf.enumerate_states(problem).levels == levels_of(problem)


@CASES
def test_no_pattern_databases_are_used_for_other_rules(kind: Any, shipped: type[bf.Problem]) -> None:
    """Neither by name, nor built, nor those of the shipped problem put together."""
    problem = made(kind, shipped)
    if not hasattr(shipped, "abstractions") or shipped.abstractions is bf.Problem.abstractions:
        pytest.skip("it has no pattern databases")
    with pytest.raises(InputError, match="replace"):
        bf.solve(problem, heuristic="pdb:2-1")
    with pytest.raises(InputError, match=r"has no pattern databases: .*replace|does not define project"):
        bf.PatternDatabase.build(problem, [1, 2])


def test_databases_of_the_shipped_problem_are_not_looked_up_for_another(tmp_path: Any) -> None:
    """Whatever the random walks, on which databases are tried out, would show."""
    arguments, named = SHIPPED[bf.Pancake]
    database = bf.PatternDatabase.build(bf.Pancake(*arguments, **named), [1, 2], data=tmp_path)
    for kind in KINDS:
        problem = made(kind, bf.Pancake)
        with pytest.raises(InputError, match=r"cannot use pattern databases: .*replace"):
            largest(problem, [database])
        with pytest.raises(InputError, match=r"cannot use pattern databases: .*replace"):
            bf.solve(problem, heuristic=Largest([database]))


def test_a_domain_whose_successors_are_replaced_is_no_abstract_domain() -> None:
    """A table is built by step, which says something else."""
    with pytest.raises(InputError, match="is not an abstract domain: OtherCosts replaces successors"):
        bf.PatternDatabase.build(made(other_costs, bf.PocketCube))


@pytest.mark.parametrize("shipped", [bf.Pancake, bf.LightsOut])
def test_heuristics_of_other_rules_are_on_offer_with_nothing_said_of_them(shipped: type[bf.Problem]) -> None:
    """An audit shows what they are, by the rules of the subclass; the shipped class keeps its facts."""
    problem = made(other_costs, shipped)
    plain = shipped(*SHIPPED[shipped][0], **SHIPPED[shipped][1])
    for name, one in problem.heuristics().items():
        assert one.admissible is None and one.consistent is None and "replaces successors" in one.note
        assert plain.heuristics()[name].admissible
    name = str(plain.default_heuristic)
    estimate, overestimated = problem.heuristics()[name], 0
    for state in states_near(problem, 9):
        problem.initial = state
        overestimated += estimate(state) > true_cost(problem)
    assert bf.audit(made(other_costs, shipped), name).overestimates == overestimated > 0


# The cases that were found by trying.


class Numbered(bf.SlidingTile):
    """To move a tile costs its number."""

    def successors(self, state: Any) -> Iterator[Any]:
        blank = state.index(0)
        for action, board, _cost in super().successors(state):
            yield action, board, board[blank]


class Ring(bf.SlidingTile):
    """A single row whose ends are neighbours."""

    def successors(self, state: Any) -> Iterator[Any]:
        blank = state.index(0)
        for action, cell in (("L", blank - 1), ("R", (blank + 1) % len(state))):
            board = list(state)
            board[blank], board[cell] = board[cell], board[blank]
            yield action, tuple(board), 1


class Mud(bf.GridMap):
    """Steps into a column of mud cost ten times as much."""

    def successors(self, state: Any) -> Iterator[Any]:
        for action, child, cost in super().successors(state):
            yield action, child, cost * 10 if self.point(child)[0] == 2 else cost


@pytest.mark.slow
@pytest.mark.parametrize(
    "problem",
    [
        Numbered("8 1 3 / 4 _ 2 / 7 6 5"),
        Ring("3 1 2 _", size=(1, 4)),
        Mud([".....", ".....", "....."], (0, 0), (4, 2)),
    ],
    ids=lambda problem: type(problem).__name__,
)
@pytest.mark.parametrize("engine", [None, "python"])
def test_what_was_found_by_trying_is_right_now(problem: bf.Problem, engine: str | None) -> None:
    """Tiles that cost their number, a row that is a ring, and a grid with mud, beyond the head start of the reference engine."""
    found = bf.solve(problem, engine=engine)
    assert found.status is bf.Status.OPTIMAL
    assert found.cost == pytest.approx(true_cost(problem))
    found.verify()


class Steep(bf.LightsOut):
    """To press the last cell costs 3."""

    def step(self, state: Any, action: int) -> Any:
        return True, self.State(state.lights ^ self.changes[action]), 3 if action == self.max_actions - 1 else 1


@pytest.mark.parametrize("engine", ["python", "compiled"])
def test_a_domain_that_replaces_step_is_compiled_by_its_own_step(engine: str) -> None:
    """Without the unit costs, inverses and ranks that were those of other steps."""
    problem = Steep("111/111")
    assert problem.domain() is problem
    assert not problem.unit_cost and problem.inverse(0) == -1 and not problem.defines("rank") and problem.backward() is None
    found = bf.solve(problem, "uniform-cost", engine=engine)
    assert (found.status, found.cost) == (bf.Status.OPTIMAL, true_cost(problem))
    assert found.engine == engine


# What holds, and what does not.


def test_what_a_subclass_says_for_itself_holds() -> None:
    """Claims that are written where the rule is replaced, or later, are taken at their word."""

    class Doubled(bf.Pancake):
        default_heuristic = "gap"

        def successors(self, state: Any) -> Iterator[Any]:
            return ((action, child, 2) for action, child, _ in super().successors(state))

        def backward(self) -> bf.Pancake:
            return Doubled(self.goal, self.initial)

        @bf.heuristic(admissible=True, consistent=True)
        def gap(self, state: Any) -> int:
            return 2 * super().gap(state)

    problem = Doubled("3 1 4 2")
    found = bf.solve(problem)
    assert (found.cost, found.condition, found.heuristic) == (true_cost(problem), None, "gap")
    assert bf.solve(problem, "bidirectional-astar").cost == true_cost(problem)
    assert problem.domain() is None and problem.goal_state() is None

    class Again(Doubled):
        def is_goal(self, state: Any) -> bool:
            return bool(state[0] == 1)

    assert Again("3 1 4 2").backward() is None and Again("3 1 4 2").default_heuristic is None


def test_super_gives_what_the_older_class_says() -> None:
    """A subclass that replaces both a rule and a claim can build on the older claim."""

    class Patched(bf.Pancake):
        def is_goal(self, state: Any) -> bool:
            return bool(state == self.goal)

        def domain(self) -> Any:
            return super().domain()

    assert type(Patched("3 1 2").domain()).__name__ == "PackedPancake"


def test_members_for_people_and_new_members_replace_nothing() -> None:
    """Neither does an __init__ that chooses among the shipped parameters."""

    class Shown(bf.SlidingTile):
        def __init__(self, start: str) -> None:
            super().__init__(start, goal="_ 1 2 3 4 5 6 7 8")
            self.made_by = "hand"

        def format(self, state: Any) -> str:
            return "".join(map(str, state))

        def format_action(self, action: Any) -> str:
            return f"blank {action}"

        @classmethod
        def name(cls) -> str:
            return "eight"

        @bf.heuristic(admissible=True)
        def nothing(self, _state: Any) -> int:
            return 0

    problem = Shown("1 _ 2 3 4 5 6 7 8")
    assert problem.domain() is not None and problem.backward() is not None and problem.unit_cost
    assert problem.default_heuristic == "manhattan" and problem.heuristics()["manhattan"].admissible
    assert bf.solve(problem).warnings == []
    assert problem.heuristics()["nothing"].admissible


def test_another_heuristic_of_a_known_name_is_not_compiled_as_the_shipped_one() -> None:
    """Its facts are those that its own author gives, and the other claims stay."""

    class Weighted(bf.SlidingTile):
        def manhattan(self, state: Any) -> int:
            return 3 * super().manhattan(state)

    problem = Weighted("8 1 3 / 4 _ 2 / 7 6 5")
    assert problem.domain() is None and problem.backward() is not None and problem.unit_cost
    assert problem.heuristics()["manhattan"].admissible is None
    assert problem.heuristics()["reversals"].admissible is None  # it adds to manhattan
    assert problem.heuristics()["misplaced"].admissible


def test_a_helper_that_the_rules_call_is_a_rule() -> None:
    """Here the moves that there are."""

    class Cylinder(bf.SlidingTile):
        def neighbour(self, cell: int, letter: str) -> int | None:
            columns = self.size[1]
            if letter in "LR":
                return cell - cell % columns + (cell + (1 if letter == "R" else -1)) % columns
            return super().neighbour(cell, letter)

    problem = Cylinder("3 1 2 / 5 4 _", goal="1 2 3 / 4 5 _")
    assert problem.domain() is None and problem.unsolvable() is None
    assert bf.solve(problem).cost == true_cost(problem)


def test_a_mixin_can_replace_a_rule() -> None:
    """What counts is the method resolution order."""

    class Costly:
        def successors(self, state: Any) -> Any:
            return [(action, child, 5) for action, child, _ in super().successors(state)]  # type: ignore[misc]

    class Mixed(Costly, bf.Pancake):
        pass

    assert Mixed("2 1 3").domain() is None and bf.solve(Mixed("2 1 3")).cost == 5


def test_a_method_that_is_set_on_the_class_later_replaces_a_rule(monkeypatch: pytest.MonkeyPatch) -> None:
    """As in a notebook; the old one back, all is as before."""
    problem = bf.Pancake("2 1 3")
    with monkeypatch.context() as patch:
        patch.setattr(bf.Pancake, "is_goal", lambda _self, state: state == (3, 2, 1))
        assert problem.domain() is None and bf.solve(problem).cost == true_cost(problem)
    assert problem.domain() is not None


class Far(bf.Problem):
    """Numbers up to 5."""

    initial, goal = 0, 9

    def __init__(self) -> None:
        self.end = 9

    def is_goal(self, state: int) -> bool:
        return bool(state == self.goal == self.end)

    def successors(self, state: int) -> Iterator[Any]:
        if state < 5:
            yield "on", state + 1, 1

    def unsolvable(self) -> str | None:
        return "it is too far"


def set_goal(problem: Any) -> None:
    problem.goal, problem.end = 3, 3


def set_on_object(problem: Any) -> None:
    problem.unsolvable = lambda: "it is too far"
    problem.is_goal = lambda state: state == 3


def set_on_class(problem: Any) -> None:
    type(problem).unsolvable = lambda _self: "it is too far"
    type(problem).is_goal = lambda _self, state: state == 3


def set_property(problem: Any) -> None:
    type(problem).goal = 3
    type(problem).end = property(lambda _self: 3, lambda _self, _end: None)


@pytest.mark.parametrize("change", [set_goal, set_on_object, set_on_class, set_property])
@pytest.mark.parametrize("is_asked_before", [False, True])
def test_claims_and_rules_that_are_set_later(change: Callable[[Any], None], is_asked_before: bool) -> None:
    """On an object or its class: nobody knows which was set first, so the claim is not trusted."""
    kind: Any = type(
        "Fresh", (Far,), {name: value for name, value in vars(Far).items() if not name.startswith(("_claims", "__dict"))}
    )
    problem = kind()
    if is_asked_before:
        assert bf.solve(problem).status is bf.Status.UNSOLVABLE
    change(problem)
    found = bf.solve(problem)
    assert (found.cost, found.status) == (3, bf.Status.OPTIMAL)
    assert any("ignores" in warning and "unsolvable" in warning for warning in found.warnings)


class Counted(bf.Problem):
    """Its own methods set attributes of the class."""

    initial, default_heuristic, cache, calls = 0, "left", None, 0

    @classmethod
    def table(cls) -> Any:
        if cls.cache is None:
            cls.cache = list(range(9, -1, -1))
        return cls.cache

    def is_goal(self, state: int) -> bool:
        type(self).calls += 1
        return state == 9

    def successors(self, state: int) -> Iterator[Any]:
        if self.table()[state]:
            yield "on", state + 1, 1

    @bf.heuristic(admissible=True, consistent=True)
    def left(self, state: int) -> int:
        return 9 - state


def test_counters_and_caches_of_a_class_replace_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    """The second search is like the first; a rule that is set later ends the trust."""
    for _ in range(2):
        found = bf.solve(Counted())
        assert (found.algorithm, found.heuristic, found.warnings) == ("astar", "left", [])
    assert Counted.calls and Counted.cache
    monkeypatch.setattr(Counted, "is_goal", lambda _self, state: state == 8)
    assert bf.solve(Counted()).heuristic is None


class Elsewhere(Far):
    """It sets the goal of copies."""

    def to(self, goal: int) -> Any:
        made = copy.copy(self)
        made.goal = made.end = goal
        return made


def test_what_a_method_sets_on_a_copy_is_no_attribute_of_the_class(monkeypatch: pytest.MonkeyPatch) -> None:
    """The class's own is a parameter, as if there were no such method."""
    assert bf.solve(Elsewhere()).status is bf.Status.UNSOLVABLE
    assert bf.solve(Elsewhere().to(3)).cost == 3
    monkeypatch.setattr(Elsewhere, "goal", 3, raising=False)
    problem = Elsewhere()
    problem.end = 3
    assert bf.solve(problem).cost == 3


class Nearer(Far):
    def __init__(self) -> None:
        super().__init__()
        self.goal = self.end = 3


class NearerByMethod(Far):
    def approach(self) -> None:
        self.goal = self.end = 3


@pytest.mark.parametrize("kind", [Nearer, NearerByMethod])
def test_a_subclass_may_change_data_of_the_class_in_a_method(kind: Any) -> None:
    """As in its body: what was declared for the other data is not trusted."""
    problem = kind()
    if kind is NearerByMethod:
        assert bf.solve(problem).status is bf.Status.UNSOLVABLE
        problem.approach()
    found = bf.solve(problem)
    assert (found.cost, found.status) == (3, bf.Status.OPTIMAL)
    deed = "Nearer replaces goal" if kind is Nearer else "goal of this NearerByMethod has been replaced"
    assert any(deed in warning for warning in found.warnings)


class Switched(bf.Problem):
    """Its goal is said to be too far, but methods that no search calls can change it."""

    initial, goal = 0, 9

    def is_goal(self, state: int) -> bool:
        return state == self.goal

    def successors(self, state: int) -> Iterator[Any]:
        if state < 5:
            yield "on", state + 1, 1

    def unsolvable(self) -> str | None:
        return "9 is too far"

    @classmethod
    def reset(cls) -> None:
        cls.goal = 3

    def is_three(self, state: int) -> bool:
        return state == 3

    def approach(self) -> None:
        self.goal = 3

    def switch(self) -> None:
        self.is_goal = self.is_three  # type: ignore[method-assign]

    def __call__(self) -> None:
        self.goal = 3

    @classmethod
    def from_text(cls, text: str) -> Any:
        made = cls()
        made.goal = int(text)
        return made


class SwitchedBase(Switched):
    def __init__(self) -> None:
        Switched.goal = 3


class ComputedGoal(Switched):
    @cached_property
    def goal(self) -> int:  # type: ignore[override]
        return 9

    unsolvable = Switched.unsolvable


class ComputedGoalBelow(ComputedGoal):
    def __init__(self) -> None:
        self.goal = 3


@dataclasses.dataclass(eq=False)
class FieldGoal(Switched):
    goal: int = dataclasses.field(default=9, init=False)
    unsolvable = Switched.unsolvable


class AbstractGoal(Switched, abc.ABC):
    @abc.abstractmethod
    def is_goal(self, state: int) -> bool:
        return state == 9

    unsolvable = Switched.unsolvable


class FilledGoal(AbstractGoal):
    def is_goal(self, state: int) -> bool:
        return state == 3


def test_more_ways_to_replace_a_rule(monkeypatch: pytest.MonkeyPatch) -> None:
    """A value in place of a cached property; the default of a field; an abstract method that does something."""
    assert [bf.solve(kind()).status for kind in (ComputedGoal, FieldGoal)] == ["unsolvable"] * 2
    given: Any = ComputedGoal()
    given.goal = 3
    monkeypatch.setattr(FieldGoal, "goal", 3)
    changed = (given, ComputedGoalBelow(), FieldGoal(), FilledGoal())
    assert [bf.solve(problem).status for problem in changed] == ["optimal"] * 4


class RuleInInit(bf.Problem):
    """It sets its goal test on the object."""

    def __init__(self) -> None:
        self.initial = 0
        self.is_goal = lambda state: state == 9  # type: ignore[method-assign]

    def successors(self, state: int) -> Iterator[Any]:
        return Switched.successors(self, state)  # type: ignore[arg-type]

    def unsolvable(self) -> str | None:
        return "9 is too far"


class RuleInInitAgain(RuleInInit):
    def __init__(self) -> None:
        super().__init__()
        self.is_goal = lambda state: state == 3  # type: ignore[method-assign]


class RuleInClass(RuleInInit):
    def __init__(self) -> None:
        self.initial = 0

    def is_goal(self, state: int) -> bool:
        return state == 3


def test_a_rule_that_init_sets_may_be_replaced() -> None:
    """On the object, in a subclass, and in a problem that was made of functions."""
    assert bf.solve(RuleInInit()).status is bf.Status.UNSOLVABLE
    given: Any = RuleInInit()
    given.is_goal = lambda state: state == 3
    made: Any = bf.Problem.of(0, lambda state: RuleInInit().successors(state), lambda state: state == 9)
    made.unsolvable = lambda: "9 is too far"
    assert bf.solve(made).status is bf.Status.UNSOLVABLE
    made.is_goal = lambda state: state == 3
    assert [bf.solve(problem).cost for problem in (given, made, RuleInInitAgain(), RuleInClass())] == [3] * 4


def assign(problem: Any) -> None:
    problem.is_goal = lambda state: state == 3


class RuleByHelper(RuleInInit):
    def __init__(self) -> None:
        self.initial = 0
        assign(self)


def test_a_rule_of_init_may_be_replaced_in_other_ways(monkeypatch: pytest.MonkeyPatch) -> None:
    """Past __setattr__, deleted first, by a helper, or with another __init__."""
    written, deleted = RuleInInit(), RuleInInit()
    vars(written)["is_goal"] = lambda state: state == 3
    del deleted.is_goal
    assign(deleted)

    def initialise(self: Any) -> None:
        self.goal = 3

    monkeypatch.setattr(Switched, "__init__", initialise)
    assert [bf.solve(problem).cost for problem in (written, deleted, RuleByHelper(), Switched())] == [3] * 4


def test_a_class_is_forgotten() -> None:
    """A cell of a notebook that is run again leaves no class behind."""

    def made() -> Any:
        class Passing(Switched):
            goal = 3

        assert bf.solve(Passing()).cost == 3
        return weakref.ref(Passing)

    one = made()
    gc.collect()
    assert one() is None


class WithHook(bf.Problem):
    """It sets an attribute twice that no rule reads, the second time to a function."""

    initial, default_heuristic = 0, "left"

    def __init__(self) -> None:
        self.hook: Any = None
        self.hook = print

    def is_goal(self, state: int) -> bool:
        return state == 3

    def successors(self, state: int) -> Iterator[Any]:
        yield "on", state + 1, 1

    @bf.heuristic(admissible=True)
    def left(self, state: int) -> int:
        return max(0, 3 - state)


def test_functions_that_no_rule_reads_replace_nothing() -> None:
    """Such as a hook that a caller passes."""
    found = bf.solve(WithHook())
    assert (found.algorithm, found.warnings) == ("astar", [])


def test_an_inherited_rule_that_is_set_again_replaces_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    """As when a class was changed for a while."""

    class Below(Switched):
        pass

    monkeypatch.setattr(Below, "is_goal", lambda _, state: state == 3)
    assert bf.solve(Below()).cost == 3
    monkeypatch.setattr(Below, "is_goal", Switched.is_goal)
    assert bf.solve(Below()).status is bf.Status.UNSOLVABLE


@pytest.mark.parametrize(
    "change",
    [
        Switched.approach,
        Switched.switch,
        lambda one: one(),
        lambda one: one.reset(),
        lambda one: one.from_text("3"),
        lambda _: SwitchedBase(),
    ],
)
def test_parameters_are_no_counters(change: Callable[[Any], Any], monkeypatch: pytest.MonkeyPatch) -> None:
    """They are set by methods that neither make the object nor are called by a search."""
    monkeypatch.setattr(Switched, "goal", 9)
    problem = Switched()
    assert bf.solve(problem).status is bf.Status.UNSOLVABLE
    found = bf.solve(change(problem) or problem)
    assert (found.cost, found.status) == (3, bf.Status.OPTIMAL)


class Actions(bf.Domain):
    """The legal actions come first."""

    class State(NamedTuple):
        number: int

    max_actions, initial, first, legal_first, identity = 3, State(0), 0, True, ("number",)

    def step(self, state: Any, action: int) -> Any:
        return action >= self.first and state.number < 5, self.State(state.number + 1), 1

    def is_goal(self, state: Any) -> bool:
        return bool(state.number == 3)


class LaterActions(Actions):
    def __init__(self) -> None:
        self.first = 1


@pytest.mark.parametrize("engine", ["python", "compiled"])
def test_what_is_said_of_actions_does_not_hold_for_other_data(engine: str) -> None:
    """Which a subclass sets in its __init__."""
    assert bf.solve(LaterActions(), "depth-first-branch-and-bound", engine=engine).cost == 3


def test_a_claim_that_is_set_later_says_nothing_about_the_rules_of_subclasses() -> None:
    """Like one in the body of the class."""

    class Steps(bf.Problem):
        initial = 0

        def is_goal(self, state: int) -> bool:
            return state == 9

        def successors(self, state: int) -> Iterator[Any]:
            if state == 0:
                yield "jump", 9, 35
            if state < 9:
                yield "on", state + 1, 10

    later: Any = Steps
    later.left = bf.heuristic(admissible=True, consistent=True)(lambda _self, state: min(35, 10 * (9 - state)))
    later.default_heuristic = "left"
    later.unsolvable = lambda _self: None

    class Between(Steps):
        pass

    class Cheap(Between):
        def successors(self, state: int) -> Iterator[Any]:
            if state == 0:
                yield "jump", 9, 35
            if state < 9:
                yield "on", state + 1, 1

    found = bf.solve(Between())
    assert (found.cost, found.heuristic, found.condition) == (35, "left", None)
    assert bf.solve(Cheap()).cost == 9
    assert bf.solve(Cheap(), "astar", "left").condition is not None
    later.unsolvable = lambda _self: "it is too far"
    assert bf.solve(Between()).status is bf.Status.UNSOLVABLE
    assert bf.solve(Cheap()).status is bf.Status.OPTIMAL


INHERITED: list[tuple[Callable[[], bf.Problem], str, Any]] = [
    (lambda: bf.SlidingTile("4 _ 2 / 1 3 5"), "is_goal", lambda _self, state: state == (1, 2, 4, 3, 0, 5)),
    (lambda: bf.TopSpin("2 1 3 4 5", turnstile=3), "successors", lambda _self, _state: [("jump", (1, 2, 3, 4, 5), 0.5)]),
]
"""Rules that a shipped class inherits, and what replaces them."""


@pytest.mark.parametrize(("make", "rule", "method"), INHERITED, ids=[rule for _, rule, _ in INHERITED])
def test_an_inherited_rule_that_is_set_on_the_class_later_is_replaced(
    make: Callable[[], bf.Problem], rule: str, method: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whether the class was asked before, or not; once it is inherited again, all is as before."""
    problem: Any = make()
    fresh: Any = type("Fresh", (type(problem),), {})
    for kind in (type(problem), fresh):
        assert rule not in vars(kind)
        with monkeypatch.context() as patch:
            patch.setattr(kind, rule, method, raising=False)
            again = make()
            again.__class__ = kind
            assert again.domain() is None and again.unsolvable() is None
        assert problem.domain() is not None


@pytest.mark.parametrize("way", ["update", "object"])
@pytest.mark.parametrize(
    ("attribute", "value"), [("is_goal", lambda state: state == (1, 2, 4, 3, 0, 5)), ("goal", (1, 2, 4, 3, 0, 5))]
)
def test_a_rule_that_is_set_past_the_class_is_replaced(way: str, attribute: str, value: Any) -> None:
    """By an update of __dict__, or by object.__setattr__."""
    problem: Any = bf.SlidingTile("4 _ 2 / 1 3 5")
    assert keeps_all(problem)
    if way == "update":
        problem.__dict__.update({attribute: value})
    else:
        object.__setattr__(problem, attribute, value)
    assert not keeps_all(problem) and problem.domain() is None and problem.unsolvable() is None
    assert not keeps_all(pickle.loads(pickle.dumps(problem)) if attribute == "goal" else copy.copy(problem))


def test_a_rule_that_is_deleted_or_becomes_an_array_is_replaced(monkeypatch: pytest.MonkeyPatch) -> None:
    """Though the one cannot be found, and the other not be compared."""
    problem = bf.Pancake("2 1 3")
    with monkeypatch.context() as patch:
        patch.delattr(bf.Pancake, "is_goal")
        assert not keeps_all(problem)
        patch.setattr(bf.Pancake, "is_goal", np.zeros(2), raising=False)
        assert not keeps_all(problem)
    assert keeps_all(problem)


@pytest.mark.parametrize(
    ("problem", "attribute", "value"),
    [
        (bf.SlidingTile("1 2 3 / 4 _ 5"), "goal", (1, 2, 3, 0, 4, 5)),
        (bf.Pancake("2 1 3"), "goal", (3, 1, 2)),
        (bf.GridMap(["...", "..."], (0, 0), (2, 1)), "goal", 1),
        (bf.RoadMap(ROADS, "a", "e"), "roads", ROADS | {"a": {"b": 9, "c": 9}}),
    ],
    ids=lambda value: value.name() if isinstance(value, bf.Problem) else "",
)
def test_data_that_are_changed_after_the_object_was_made_are_seen(problem: Any, attribute: str, value: Any) -> None:
    """What was worked out of the old ones is not relied on."""
    bf.solve(problem)
    setattr(problem, attribute, value)
    for name in (None, *problem.heuristics()):
        found = bf.solve(problem, "astar" if name else None, heuristic=name)
        assert found.condition is not None or found.cost == true_cost(problem)
    assert problem.default_heuristic is None


def test_another_start_is_no_other_rule() -> None:
    """The compilable form begins there too."""
    problem = bf.RoadMap(ROADS, "a", "e", coordinates=POINTS)
    assert problem.domain() is not None
    problem.initial = "c"
    domain: Any = problem.domain()
    assert domain.decode(domain.initial) == "c" and problem.default_heuristic == "straight-line"
    problem.default_heuristic = None
    assert bf.solve(problem).heuristic is None


def test_copies_and_pickles_keep_what_holds() -> None:
    """And what does not."""
    problem = bf.GridMap(["...", "..."], (0, 0), (2, 1))
    changed = copy.copy(problem)
    changed.goal = 1
    for one, default in ((problem, "octile"), (changed, None)):
        assert copy.deepcopy(one).default_heuristic == default
        assert pickle.loads(pickle.dumps(one)).default_heuristic == default
        assert one.between((1, 0), (2, 0)).default_heuristic == default


# Classes of a user's own.


class Line(bf.Problem):
    """A walk along the whole numbers; its claims are true of steps of 1."""

    initial = 0
    goal = 7
    stride = 1
    unit_cost = True
    default_heuristic = "distance"

    def successors(self, state: int) -> Any:
        return [(way, state + way * self.stride, self.price(state)) for way in (1, -1) if -9 <= state + way <= 9]

    def price(self, state: int) -> Any:
        del state
        return 1

    def is_goal(self, state: int) -> bool:
        return state == self.goal

    def unsolvable(self) -> str | None:
        return None if -9 <= self.goal <= 9 else "the goal is off the line"

    def backward(self) -> bf.Problem:
        line = type(self)()
        line.initial, line.goal = self.goal, self.initial
        return line

    @bf.heuristic(admissible=True, consistent=True)
    def distance(self, state: int) -> int:
        return abs(self.goal - state)


def test_claims_of_a_users_own_class_end_with_its_rules() -> None:
    """By the same order of classes."""

    class Cheap(Line):
        def price(self, state: int) -> Any:
            return 0.25 if state % 2 else 0.5

    problem = Cheap()
    assert not problem.unit_cost and problem.default_heuristic is None and problem.backward() is None
    assert bf.solve(problem).cost == true_cost(problem)
    assert problem.heuristics()["distance"].admissible is None


def test_what_an_abstract_class_leaves_open_can_be_filled_in() -> None:
    """That replaces nothing."""

    class Open(bf.Problem):
        initial = 0
        unit_cost = True
        default_heuristic = "distance"

        def successors(self, state: int) -> Any:
            return [(way, state + way, 1) for way in self.ways(state)]

        def ways(self, state: int) -> Any:
            raise NotImplementedError

        @bf.heuristic(admissible=True)
        def distance(self, state: int) -> int:
            return abs(5 - state)

    class Filled(Open):
        def ways(self, state: int) -> Any:
            del state
            return (1, -1)

        def is_goal(self, state: int) -> bool:
            return state == 5

    found = bf.solve(Filled())
    assert (found.heuristic, found.condition, found.warnings) == ("distance", None, [])


class Stride(bf.Domain):
    """From 0 to 10 by one or two steps; the rest of the way follows from the place."""

    class State(NamedTuple):
        x: int
        rest: int

    max_actions = 3
    initial = State(0, 10)
    identity: Any = ("x",)
    legal_first = True

    def allowed(self, state: Any, action: int) -> bool:
        return action < 2 and state.x + action < 10

    def step(self, state: Any, action: int) -> Any:
        return self.allowed(state, action), self.State(state.x + action + 1, state.rest - action - 1), 1

    def is_goal(self, state: Any) -> bool:
        return bool(state.x == 10)


class Toll(Stride):
    """A longer step costs more of the rest, which so becomes a matter of its own."""

    def step(self, state: Any, action: int) -> Any:
        return self.allowed(state, action), self.State(state.x + action + 1, state.rest - 1 - 3 * action), 1

    def is_goal(self, state: Any) -> bool:
        return bool(state.x == 10 and state.rest == -8)


class LongStrides(Stride):
    """Replaces a method that step() calls."""

    def allowed(self, state: Any, action: int) -> bool:
        return action == 1 and state.x + action < 10


@pytest.mark.parametrize("engine", ["python", "compiled"])
@pytest.mark.parametrize(("kind", "cost"), [(Stride, 5), (Toll, 6), (LongStrides, 5)])
def test_claims_of_a_domain_about_its_states_and_actions_end_with_its_rules(
    kind: type[bf.Domain], cost: int, engine: str
) -> None:
    """What tells states apart, and that legal actions come first, does not hold for other steps."""
    assert bf.solve(kind(), "uniform-cost", engine=engine).cost == cost


def test_legal_actions_come_first_whatever_the_goal_is() -> None:
    """The claim depends on the steps alone, and identity on both."""

    class OtherGoal(Stride):
        def is_goal(self, state: Any) -> bool:
            return bool(state.x == 9)

    assert OtherGoal().stops_at_illegal() and not OtherGoal.identity
    assert not LongStrides().stops_at_illegal() and not LongStrides.identity


def test_a_rule_set_on_the_class_later_ends_what_tells_states_apart(monkeypatch: pytest.MonkeyPatch) -> None:
    """In the reference engine, whose rules they are."""
    monkeypatch.setattr(Stride, "step", Toll.step)
    monkeypatch.setattr(Stride, "is_goal", Toll.is_goal)
    assert bf.solve(Stride(), "uniform-cost", engine="python").cost == 6


def test_a_domain_with_its_own_way_back_must_say_again_what_tells_states_apart() -> None:
    """Otherwise the two halves of a search might never meet."""

    class BothWays(Toll):
        def backward(self) -> Any:
            return self

    class AllFields(BothWays):
        identity = ()

    with pytest.raises(InputError, match=r"BothWays changes the rules of .* set identity in BothWays"):
        bf.solve(BothWays(), "bidirectional-astar", lambda _: 0)
    assert checked_backward(AllFields()) is not None


def test_a_domain_of_a_user_that_replaces_successors_is_not_compiled() -> None:
    """The compiled engine reads step, and says that successors says something else."""

    class Steps(bf.Domain):
        class State(NamedTuple):
            place: int

        max_actions = 1
        initial = State(0)
        bits = MappingProxyType({"place": 5})

        def step(self, state: Any, _action: int) -> Any:
            return state.place < 20, self.State(state.place + 1), 1

        def is_goal(self, state: Any) -> bool:
            return bool(state.place == 20)

        def successors(self, state: Any) -> Any:
            return [("two", self.State(state.place + 2), 1)] if state.place < 20 else []

    assert Steps().domain() is None and bf.solve(Steps()).cost == 10
    with pytest.raises(InputError, match="Steps replaces successors"):
        bf.solve(Steps(), engine="compiled")


def test_a_method_that_is_set_on_an_object_is_told_of() -> None:
    """A domain is its own compilable form, with the methods of its class; a plain problem has none anyway."""
    domain = bf.LightsOut("3x3")
    domain.is_goal = lambda state: state.lights == 1  # type: ignore[method-assign]
    with pytest.raises(InputError, match=r"is_goal is set on this LightsOut object.* in a subclass"):
        bf.solve(domain, "uniform-cost", engine="compiled")
    problem = bf.Problem.of(0, lambda _state: [], lambda _state: True)
    problem.is_goal = lambda state: state is None  # type: ignore[method-assign]
    with pytest.raises(InputError, match="is not written as a Domain"):
        bf.solve(problem, "uniform-cost", engine="compiled")


def test_a_rule_that_is_replaced_between_two_questions_is_noticed() -> None:
    """In the class, in a base class, and on the object; also when it is put back."""

    class Counting(bf.Problem):
        initial = 0
        unit_cost = True

        def successors(self, state: int) -> Any:
            return [("up", state + 1, 1)]

        def is_goal(self, state: int) -> bool:
            return state == 3

    class Derived(Counting):
        def format(self, state: int) -> str:
            return f"<{state}>"

    def costly(_self: Any, state: int) -> Any:
        return [("up", state + 1, 2)]

    base: Any = Counting
    original, problem = base.successors, Derived()
    assert problem.unit_cost
    base.successors = costly
    assert not problem.unit_cost
    base.successors = original
    assert problem.unit_cost
    Derived.successors = costly
    assert not problem.unit_cost
    del Derived.successors
    assert problem.unit_cost
    problem.successors = lambda state: [("up", state + 1, 2)]
    assert not problem.unit_cost
    puzzle = bf.SlidingTile("1 2 3 4 5 6 7 _ 8")
    assert puzzle.unit_cost
    puzzle.successors = lambda _state: []
    assert not puzzle.unit_cost


def test_a_rule_of_a_plain_mixin_that_is_assigned_later_is_replaced() -> None:
    """The claims of a class that was derived from it before were made for the older rule."""

    class Hops:
        def hops(self, state: int) -> list[int]:
            return [state + 1]

    class Line(Hops, bf.Problem):
        initial = 0
        default_heuristic = "left"

        def is_goal(self, state: int) -> bool:
            return state == 5

        def successors(self, state: int) -> Any:
            return [(hop, hop, 1) for hop in self.hops(state)]

        @bf.heuristic(admissible=True, consistent=True)
        def left(self, state: int) -> int:
            return 5 - state

    assert bf.solve(Line()).cost == 5
    shortcut = {0: [-100, 1], -100: [5]}
    setattr(Hops, "hops", lambda _, state: shortcut.get(state, [state + 1]))  # noqa: B010
    solution = bf.solve(Line())
    assert (solution.status, solution.cost) == ("optimal", 2)
    assert "hops of this Line has been replaced" in solution.warnings[0]


def test_a_search_looks_once_at_what_does_not_change() -> None:
    """Until code of users may run; after that, and after the statement, changes count again."""
    puzzle = Knapsack([3, 4], [2, 3], 5)
    results: list[object] = []

    def find() -> object:
        results.append(object())
        return results[-1]

    def search() -> None:
        assert holds(puzzle, "domain")
        assert once(puzzle, "result", find) is once(puzzle, "result", find)
        stop_trusting()
        assert once(puzzle, "result", find) is not once(puzzle, "result", find)
        puzzle.successors = lambda _state: iter(())  # type: ignore[method-assign,assignment]
        assert not holds(puzzle, "domain")

    def repair() -> None:
        assert not holds(puzzle, "domain")
        del puzzle.successors
        assert holds(puzzle, "domain")

    looking_once(puzzle, search)
    looking_once(puzzle, repair)
    puzzle.successors = lambda _state: iter(())  # type: ignore[method-assign,assignment]
    assert not holds(puzzle, "domain")


def test_what_changes_during_a_search_counts_in_the_next_step() -> None:
    """A rule that a progress function sets on a shipped object is noticed by the same solve()."""
    grid = bf.GridMap(["....", ".@@.", "...."], (0, 0), (3, 2))

    def progress(_search: object) -> None:
        grid.successors = lambda _state: iter(())  # type: ignore[method-assign,assignment]

    assert bf.solve(grid, "astar", engine="python", progress=progress).status is bf.Status.UNSOLVABLE


class _Around(bf.Problem[int, str]):
    """A problem whose rules solve another one."""

    initial = 0

    def __init__(self, inner: Callable[[], bf.Solution], *, rule: str) -> None:
        self.inner, self.rule = inner, rule

    def _ask(self, rule: str) -> None:
        if rule == self.rule:
            self.inner()

    def is_goal(self, state: int) -> bool:
        self._ask("is_goal")
        return state == 1

    def unsolvable(self) -> str | None:
        self._ask("unsolvable")
        return None

    def successors(self, state: int) -> Iterator[tuple[str, int, int]]:
        self._ask("successors")
        yield "on", state + 1, 1


@pytest.mark.parametrize("rule", ["is_goal", "unsolvable", "successors"])
def test_a_rule_may_change_and_solve_a_shipped_problem(rule: str) -> None:
    """Wherever a search calls a rule of the user, a search in the rule sees each change that the rule makes."""
    found: list[tuple[object, ...]] = []

    def inner() -> bf.Solution:
        eight = bf.SlidingTile("2 1 3 / 4 5 6 / 7 8 _")
        assert holds(eight, "unit_cost")
        eight.is_goal = lambda board: board[0] == 0  # type: ignore[method-assign,assignment]
        solution = bf.solve(eight)
        found.append((solution.status, solution.cost))
        return solution

    bf.solve(_Around(inner, rule=rule))
    assert set(found) == {("optimal", 4)}


def test_a_heuristic_of_the_user_may_change_the_problem_that_is_searched() -> None:
    """A search of it in the heuristic sees the change each time, also at the start and at the end of the search."""
    eight = bf.SlidingTile("1 2 3 / 4 5 6 / 7 _ 8")
    board, odd = eight.initial, bf.SlidingTile("2 1 3 / 4 5 6 / 7 8 _").initial
    found: list[tuple[object, ...]] = []

    def same(_state: object) -> int:
        eight.initial = odd
        eight.is_goal = lambda board: board[0] == 0  # type: ignore[method-assign,assignment]
        solution = bf.solve(eight)
        found.append((solution.status, solution.cost))
        eight.initial = board
        del eight.is_goal
        return 0

    bf.solve(eight, "astar", bf.Heuristic(same, "mine", admissible=True))
    assert set(found) == {("optimal", 4)}


def test_an_object_that_is_given_the_class_of_a_new_cell_can_be_pickled(monkeypatch: pytest.MonkeyPatch) -> None:
    """Its old class is not kept with it."""
    one: Any = None
    for _ in range(3):
        line: Any = type("GivenAgain", (bf.Problem,), {"initial": 0, "__module__": __name__})
        monkeypatch.setitem(globals(), "GivenAgain", line)
        one = one or line()
        one.__class__ = line
        assert type(pickle.loads(pickle.dumps(one))) is line


def test_a_class_whose_objects_were_pickled_is_as_shipped() -> None:
    """Python then adds a member to it, which is no rule; a rule that is added is still noticed."""

    class Copied(bf.WaterJugs):
        """A class without rules of its own."""

    assert is_as_shipped(bf.WaterJugs("5 3", 4))
    vars(bf.WaterJugs).get("__slotnames__") or copy.copy(bf.WaterJugs("5 3", 4))
    assert "__slotnames__" in vars(bf.WaterJugs)
    assert is_as_shipped(bf.WaterJugs("5 3", 4))
    assert keeps_all(Copied("5 3", 4))
    Copied.is_goal = lambda _self, state: state == (0, 0)  # type: ignore[method-assign,assignment]
    assert not keeps_all(Copied("5 3", 4))


@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")  # it may come where a generator is closed
def test_nothing_is_trusted_after_an_interrupted_search() -> None:
    """A search that Ctrl-C ends at any call of the package is forgotten."""
    eight = bf.SlidingTile("2 1 3 / 4 5 6 / 7 8 _")
    calls = 0

    def stop(frame: FrameType, event: str, _argument: object) -> None:
        nonlocal calls
        if event == "call" and "bestfirst" in frame.f_code.co_filename:
            calls -= 1
            if calls == 0:
                sys.setprofile(None)
                raise KeyboardInterrupt

    for first in range(1, 1_500, 7):
        calls = first
        try:
            sys.setprofile(stop)
            bf.solve(eight)
        except KeyboardInterrupt:
            pass
        finally:
            sys.setprofile(None)
        eight.is_goal = lambda board: board[0] == 0  # type: ignore[method-assign,assignment]
        assert not holds(eight, "domain"), first
        del eight.is_goal


def test_a_property_in_place_of_an_attribute_replaces_a_rule() -> None:
    """Its value may change unnoticed, and with it what domain() returned."""
    goals = [(1, 2, 3, 4, 5)]

    class Elsewhere(bf.Pancake):
        """Its goal is decided elsewhere."""

        @property
        def goal(self) -> Any:
            return goals[-1]

        @goal.setter
        def goal(self, given: Any) -> None:
            """It is not set here."""

    problem = Elsewhere("3 1 5 2 4")
    bf.solve(problem, "astar", "zero")
    goals.append((3, 1, 5, 2, 4))
    assert bf.solve(problem, "astar", "zero").cost == 0
    assert problem.domain() is None


class Steps(bf.Domain):
    """Steps of 1 or 2 on a line; the field `last` distinguishes no states."""

    class State(NamedTuple):
        x: int
        last: int

    max_actions, initial, legal_first, identity = 2, State(0, 0), True, ("x",)

    def step(self, state: Any, action: Any) -> Any:
        return state.x + action < 9, self.State(state.x + action + 1, action), 1

    def is_goal(self, state: Any) -> Any:
        return state.x == 9


def test_every_question_is_answered_by_the_rules_that_are_set_later() -> None:
    """Without the claims legal_first and identity, which were made for other rules."""

    class Twos(Steps):
        """Only steps of 2: the legal action comes last."""

    class Ends(Steps):
        """The last step must be one of 1, so that the field `last` counts."""

    Twos.step = lambda self, state, action: (action == 1 and state.x < 9, self.State(state.x + 2, 0), 1)  # type: ignore[method-assign]
    Twos.is_goal = lambda _self, state: state.x == 8  # type: ignore[method-assign, assignment]
    Ends.is_goal = lambda _self, state: state.x == 9 and state.last == 0  # type: ignore[method-assign, assignment]
    for problem, cost, states in ((Twos(), 4, 6), (Ends(), 5, 18)):
        assert bf.solve(problem).cost == cost
        assert next(iter(bf.nearest_goals(problem, engine="python"))).cost == cost
        assert next(iter(bf.solutions(problem))).cost == cost
        assert bf.enumerate_states(problem).states == states
        assert bf.Replanner(problem).solution().cost == cost
        assert bf.audit(problem, lambda _state: 9).admissible is False


WRONG_STARTS: list[Any] = [None, 5, "x", (), ((1, 2), 3), 1.5, ("q", "w"), frozenset({3}), -1, ("L",), (7, 7, 7, 7)]


@pytest.mark.parametrize("shipped", SHIPPED)
def test_a_wrong_start_of_a_shipped_problem_is_named(shipped: type[bf.Problem]) -> None:
    """Whatever it is, and a number out of range, too; the rules would end in an error of Python."""
    arguments, named = SHIPPED[shipped]
    first = shipped(*arguments, **named).initial
    wrong = [one for one in WRONG_STARTS if not (shipped is bf.NQueens and one == ())]
    if issubclass(shipped, bf.Domain):
        wrong += [type(first)(*[number] * len(first)) for number in (-1, 10**30)]
    for start in wrong:
        problem: Any = shipped(*arguments, **named)
        problem.initial = start
        with pytest.raises(StateError, match="initial state"):
            bf.solve(problem)
    again: Any = shipped(*arguments, **named)
    again.initial = states_near(again, 1)[-1]
    is_blocked = shipped is bf.NQueens  # by the queen in the last column
    assert (bf.solve(again, limits=FEW).status == "unsolvable") == is_blocked


@pytest.mark.parametrize("engine", ["python", "compiled", None])
@pytest.mark.parametrize(
    ("problem", "start", "words"),
    [
        (bf.WaterJugs("5 3", 4), (9, 0), r"an amount that its jug cannot hold .*\(5, 3\)"),
        (bf.WaterJugs("5 3", 4), (0, -1), "an amount that its jug cannot hold"),
        (bf.TowersOfHanoi(3), (0, 1, 1), r"a peg that is not one of 1 \.\. 3"),
        (bf.TowersOfHanoi(3), (1, 1, 4), r"a peg that is not one of 1 \.\. 3"),
    ],
)
def test_a_start_of_impossible_numbers_is_named_in_every_engine(
    problem: Any, start: Any, words: str, engine: str | None
) -> None:
    """Numbers of the right type and count, with which the rules of the reference engine would go on."""
    problem.initial = start
    with pytest.raises(StateError, match=f"the initial state is .*{words}.*; set a state of"):
        bf.solve(problem, "uniform-cost", engine=engine)


@pytest.mark.parametrize(
    ("make", "name", "value"),
    [
        (lambda: bf.WaterJugs("5 3", 4), "capacities", (7, 3)),
        (lambda: bf.TowersOfHanoi(3), "discs", 4),
        (lambda: bf.GridMap(["...", "..."], (0, 0), (2, 1)), "wrap", True),
        (lambda: bf.LightsOut("111/111"), "rows", 3),
        (lambda: Nim((1, 2)), "misere", True),
        (lambda: MNK(3, 3, 3), "in_a_row", 2),
        (ConnectFour, "width", 4),
        (Othello, "size", 4),
        (Kalah, "seeds", 2),
    ],
)
def test_what_other_data_depend_on_cannot_be_changed(make: Any, name: str, value: Any) -> None:
    """The same value is no change."""
    made = make()
    setattr(made, name, getattr(made, name))
    with pytest.raises(InputError, match=f"{name} of a .* cannot be changed"):
        setattr(made, name, value)


class CountingCost(bf.GridMap):
    """Its counter hides the costs of a map, which it does not replace knowingly."""

    def __init__(self, *arguments: Any) -> None:
        super().__init__(*arguments)
        self.cost: Any = 0


@pytest.mark.parametrize("engine", ["python", "compiled", None])
def test_an_attribute_that_hides_data_of_a_shipped_problem_is_named(engine: str | None) -> None:
    """Where its methods fail because of that."""
    with pytest.raises(InputError, match=r"cost of this CountingCost .* GridMap.*give your own attribute another name"):
        bf.solve(CountingCost(["...", "..."], (0, 0), (2, 1)), engine=engine)

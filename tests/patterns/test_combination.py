"""Several databases as one heuristic, in both engines, of domains with a rank of their own."""

from __future__ import annotations

import pickle
from dataclasses import asdict
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pytest

import bestfirst as bf
from bestfirst.compiled.sweeps.distances import Distances, rounded_up
from bestfirst.domains.placed_items import PlacedItems
from bestfirst.heuristics.space import explore
from bestfirst.patterns.combination import additive, largest
from bestfirst.patterns.database import PatternDatabase
from bestfirst.patterns.identity import Identity
from compilable import Pancakes


class PancakePattern(PlacedItems):
    """The places of the pancakes of some sizes."""

    def __init__(self, count: int, stack: list[int], sizes: list[int]) -> None:
        moved = np.array(
            [[top - 1 - place if place < top else place for place in range(count)] for top in range(2, count + 1)]
        )
        super().__init__(moved, [stack.index(size) for size in sizes], [size - 1 for size in sizes])
        self.item = np.array([sizes.index(size) if size in sizes else -1 for size in range(count + 1)])

    def abstract(self, state: Pancakes.State) -> PlacedItems.State:
        places = 0
        for place in range(self.all):
            item = self.item[(state.stack >> (4 * place)) & 15]
            if item >= 0:
                places |= place << (4 * item)
        return self.State(places)


class OwnPancakes(Pancakes):
    """The tutorial's domain, with patterns."""

    def __init__(self, stack: list[int]) -> None:
        super().__init__(stack)
        self._stack = stack

    def project(self, pattern: Any) -> PancakePattern:
        return PancakePattern(len(self._stack), self._stack, list(pattern))


@pytest.mark.slow
def test_a_domain_of_ones_own_has_pattern_databases_by_its_project() -> None:
    """Admissible and consistent in the whole space; and both engines search alike."""
    stack = OwnPancakes([3, 1, 6, 2, 7, 5, 4])
    both = largest(stack, [PatternDatabase.build(stack, pattern) for pattern in ([1, 2, 3, 4], [4, 5, 6, 7])])
    audit = bf.audit(stack, both, space=explore(stack))
    assert (audit.admissible, audit.consistent) == (True, True)
    assert assert_twins_of(stack, "idastar", both).cost == bf.solve(stack, "astar", "gap", engine="python").cost
    assert PatternDatabase.load(stack, [1, 2, 3, 4]).verify() > 0


def assert_twins_of(problem: bf.Problem, algorithm: str, heuristic: Any) -> bf.Solution:
    """Equal costs and counts in both engines."""
    compiled, reference = (bf.solve(problem, algorithm, heuristic, engine=engine) for engine in ("compiled", "python"))
    assert (compiled.engine, compiled.cost, compiled.actions) == ("compiled", reference.cost, reference.actions)
    assert (compiled.stats.expanded, compiled.stats.generated) == (reference.stats.expanded, reference.stats.generated)
    assert compiled.warnings == reference.warnings
    return compiled


def test_top_spin_has_patterns_of_its_tokens() -> None:
    """The table is that of a search in the abstract ring, and its estimates hold in the real one."""
    ring = bf.TopSpin("1 4 2 7 3 6 5", turnstile=3)
    abstract = ring.project([2, 3, 4])
    space = explore(abstract)
    assert space is not None
    distances = Distances(abstract, np.full(rounded_up(abstract.size), 255, np.uint8))
    while not distances.complete:
        for _ in distances.next_level():
            pass
    for state, distance in zip(space.states, space.distances, strict=True):
        assert distances.table[abstract.rank(state)] == distance
        assert abstract.unrank(abstract.rank(state)) == state
    heuristic = largest(ring, [PatternDatabase.build(ring, [2, 3, 4]), PatternDatabase.build(ring, [5, 6, 7])])
    assert bf.audit(ring, heuristic).admissible
    assert_twins_of(ring, "idastar", heuristic)
    with pytest.raises(bf.InputError, match=r"the pattern has unknown or repeated items: 8; pass some of the tokens 1 .. 7"):
        ring.project([8])
    whole = largest(ring, [PatternDatabase.build(ring)])  # its own abstraction: then the estimate is the distance
    straight = bf.solve(ring, "idastar", whole, engine="python")
    assert straight.stats.expanded == straight.cost == bf.solve(ring, "astar", engine="python").cost


class Columns(bf.Domain):
    """Two counters to be brought to 0, one at a time; a pattern counts the moves of some of them."""

    class State(NamedTuple):
        one: int
        other: int

    max_actions = 2
    unit_cost = True

    def __init__(self, counts: str | tuple[int, ...] = (0, 1), *, tell: bool = True, cost: int = 0) -> None:
        self.initial = self.State(5, 7)
        self.costs = np.array([1 if 0 in counts else cost, 1 if 1 in counts else cost])
        self.unit_cost = len(counts) == 2
        self.counted = tuple(counts) if tell else None
        self.size = 64
        self.default_heuristic = None

    def step(self, state: State, action: int) -> Any:
        if action == 0:
            return state.one > 0, self.State(state.one - 1, state.other), self.costs[0]
        return state.other > 0, self.State(state.one, state.other - 1), self.costs[1]

    def is_goal(self, state: State) -> bool:
        return state.one == 0 and state.other == 0

    def rank(self, state: State) -> int:
        return 8 * state.one + state.other

    def unrank(self, number: int) -> State:
        return self.State(number // 8, number % 8)

    def abstract(self, state: State) -> State:
        return state

    def project(self, pattern: Any) -> bf.Domain:
        return Columns(**pattern)


def test_what_counts_different_actions_is_added_up() -> None:
    """Here the sum is the distance itself."""
    problem = Columns()
    parts = [PatternDatabase.build(problem, {"counts": (number,)}) for number in (0, 1)]
    total = additive(problem, parts)
    assert total(problem.initial) == 12
    assert largest(problem, parts)(problem.initial) == 7
    assert assert_twins_of(problem, "idastar", total).stats.expanded == 12


def test_databases_are_a_heuristic_of_whatever_problem_is_searched() -> None:
    """Additive and Largest make the same searches as the functions that are given the problem, and refuse what these refuse."""
    problem = Columns()
    parts = [PatternDatabase.build(problem, {"counts": (number,)}) for number in (0, 1)]
    pairs = ((bf.sum_of(*parts), additive), (bf.max_of(*parts), largest))
    for recipe, function in pairs:
        made = assert_twins_of(problem, "idastar", recipe)
        assert made.stats.expanded == bf.solve(problem, "idastar", function(problem, parts)).stats.expanded
        with pytest.raises(bf.InputError):
            bf.solve(bf.TopSpin("1 4 2 7 3 6 5", turnstile=3), "idastar", recipe)
    ring = bf.TopSpin("1 4 2 7 3 6 5", turnstile=3)
    tables = [PatternDatabase.build(ring, tokens) for tokens in ([2, 3, 4], [5, 6, 7])]
    dual = bf.max_of(*tables, dual=True).of(ring)
    assert dual(ring.initial) == largest(ring, tables, dual=True)(ring.initial)


@pytest.mark.parametrize(
    ("patterns", "why"),
    [
        ([{"counts": (0,)}, {"counts": (0, 1)}], r"both count the actions of \[0\]; use the maximum"),
        ([{"counts": (0,)}, {"counts": (1,), "tell": False}], "does not say which actions it counts"),
        ([{"counts": (0,)}, {"counts": (1,), "cost": 1}], "costs 1, but the patterns together count 2 for it"),
    ],
)
def test_what_may_count_an_action_twice_is_not_added_up(patterns: list[dict[str, Any]], why: str) -> None:
    """By what the domains say; and where that is not true, by what they do."""
    problem = Columns()
    with pytest.raises(bf.InputError, match=why):
        additive(problem, [PatternDatabase.build(problem, pattern) for pattern in patterns])


def test_no_database_is_no_heuristic() -> None:
    """At least one is needed."""
    with pytest.raises(bf.InputError, match="no pattern database was given; pass at least one"):
        largest(Columns(), [])


def test_a_search_from_both_ends_has_no_use_for_tables_of_one_goal() -> None:
    """The compiled engine says so."""
    ring = bf.TopSpin("1 4 2 7 3 6 5", turnstile=3)
    heuristic = largest(ring, [PatternDatabase.build(ring, [2, 3, 4])])
    with pytest.raises(
        bf.InputError, match="built for one goal, cannot be used in a bidirectional search; use engine='python'"
    ):
        bf.solve(ring, "bidirectional-astar", heuristic, engine="compiled")


RING = bf.TopSpin("1 4 2 7 3 6 5", turnstile=3)
STACK = bf.Pancake("3 1 6 2 5 4")


@pytest.mark.parametrize(
    ("of", "pattern", "problem", "why"),
    [
        (RING, [2, 3, 4], bf.TopSpin("1 4 2 7 3 6 5", turnstile=4), "'reverse 4 tokens from place .* costs 1, but"),
        (
            RING,
            [2, 3, 4],
            bf.TopSpin("1 4 2 7 3 6 5", "1 3 2 4 5 6 7", turnstile=3),
            "the goal 1 3 2 4 5 6 7 has the distance 5 in",
        ),
        (RING, [2, 3, 4], bf.TopSpin("1 4 2 3 6 5", turnstile=3), "costs 1, but the abstract domain has no path"),
        (
            RING,
            None,
            bf.TopSpin("1 4 2 7 3 6 5", "1 3 2 4 5 6 7", turnstile=3),
            "the goal 1 3 2 4 5 6 7 has the distance 5 in",
        ),
        (STACK, [1, 2, 3], bf.Pancake("3 1 6 2 5 4", "6 5 4 3 2 1"), "the goal 6 5 4 3 2 1 has the distance 1 in"),
        (STACK, [1, 2, 3], bf.Pancake("3 1 6 2 5 4 7"), "it has no abstract state for 3 1 6 2 5 4 7"),
        (STACK, [1, 2, 3], RING, "it has no abstract state for 1 4 2 7 3 6 5"),
        (
            bf.SlidingTile("1 2 3 4 5 6 7 8 _"),
            [1, 2, 3],
            bf.SlidingTile("1 2 3 4 5 6 7 8 _", "3 2 1 4 5 6 7 8 _"),
            "the goal 3 2 1 / 4 5 6 / 7 8 _ has the distance 10 in",
        ),
    ],
)
def test_a_database_of_another_problem_is_refused(of: bf.Problem, pattern: Any, problem: bf.Problem, why: str) -> None:
    """Of another goal, other actions, more pieces or fewer, or another puzzle."""
    database = PatternDatabase.build(of, pattern)
    for combined in (largest, additive) if isinstance(problem, bf.SlidingTile) else (largest,):
        with pytest.raises(bf.InputError, match=rf"does not belong to this .*{why}.*; build one for this problem"):
            combined(problem, [database])
        with pytest.raises(bf.InputError, match="does not belong to this"):
            bf.solve(problem, "astar", combined(of, [database]))


class Hops(bf.Domain):
    """To 0 by hops of one length, which each costs; a pattern is a shorter length."""

    class State(NamedTuple):
        left: int

    max_actions = 1
    size = 16

    def __init__(self, length: int = 2) -> None:
        self.length = length
        self.initial = self.State(12)
        self.default_heuristic = None

    def step(self, state: State, action: int) -> Any:  # noqa: ARG002  (there is but one)
        return state.left > 0, self.State(state.left - self.length), self.length

    def is_goal(self, state: State) -> bool:
        return state.left == 0

    def goal_state(self) -> State:
        return self.State(0)

    def rank(self, state: State) -> int:
        return state.left

    def unrank(self, number: int) -> State:
        return self.State(number)

    def project(self, pattern: Any) -> bf.Domain:
        return Hops(pattern)


def test_an_action_can_be_several_in_the_abstract_domain() -> None:
    """What counts is that there is a path that costs no more."""
    problem = Hops()
    header = {"entries": 16, **asdict(Identity.of(Hops(1)))}
    database = PatternDatabase(Path(), header, range(16), lambda: Hops(1))
    assert largest(problem, [database])(problem.initial) == 12


class Ladder(bf.Domain):
    """From 9 down to 0, by one or two; with an abstraction in which only half of the number counts."""

    class State(NamedTuple):
        x: int

    max_actions, undirected = 4, True

    def __init__(self, start: int = 9, goal: int = 0, price: int = 1) -> None:
        self.initial, self.goal, self.price = self.State(start), goal, price

    def step(self, state: Any, action: int) -> tuple[bool, Any, int]:
        after = state.x + (-2, -1, 1, 2)[action]
        return 0 <= after < 16, self.State(after), self.price

    def is_goal(self, state: Any) -> bool:
        return bool(state.x == self.goal)


class Rungs(Ladder, bf.AbstractDomain):
    """Twice as far apart: an action is a step, or none."""

    size = 8

    def __init__(self, goal: int = 0, price: int = 1) -> None:
        super().__init__(0, goal, price)

    def step(self, state: Any, action: int) -> tuple[bool, Any, int]:
        after = state.x + (-1, 1, 0, 0)[action]
        return 0 <= after < 8, self.State(after), self.price

    def goal_state(self) -> Any:
        return self.State(self.goal)

    def rank(self, state: Any) -> int:
        return int(state.x)

    def unrank(self, number: int) -> Any:
        return self.State(number)

    def abstract(self, state: Any) -> Any:
        return self.State(state.x // 2)


class Projected(Ladder):
    def project(self, _pattern: Any) -> Rungs:
        return Rungs(self.goal // 2, self.price)


class Shelves(Rungs):
    """Rungs, by a table that abstract() alone reads."""

    def __init__(self, width: int) -> None:
        super().__init__()
        self.shelf = tuple(min(x // width, 7) for x in range(16))

    def abstract(self, state: Any) -> Any:
        return self.State(self.shelf[state.x])


class OfWidth(Ladder):
    def __init__(self, width: int) -> None:
        super().__init__()
        self.width = width

    def project(self, _pattern: Any) -> Shelves:
        return Shelves(self.width)


class OtherGoals(Ladder):
    def is_goal(self, state: Any) -> bool:
        return state.x in (self.goal, 8)


class OtherGoalsListed(OtherGoals):
    def goal_states(self) -> list[Any]:
        return [self.State(self.goal), self.State(8)]


@pytest.mark.parametrize("engine", ["python", "compiled"])
def test_a_database_of_ones_own_domain_proves_costs_of_the_problem_that_projects_it(engine: str) -> None:
    """Another problem may have other goals, rules or data, which a few actions do not show."""
    alone, projected = PatternDatabase.build(Rungs()), PatternDatabase.build(Projected(), "rungs")

    def why(problem: bf.Problem, database: PatternDatabase, heuristic: Any = None) -> str:
        solution = bf.solve(problem, "depth-first-branch-and-bound", heuristic or bf.max_of(database), engine=engine)
        assert (solution.status, bool(solution.condition)) == ("optimal", bool(solution.warnings))
        return " ".join(solution.warnings)

    for database in (projected, pickle.loads(pickle.dumps(projected)), PatternDatabase.load(Projected(3), "rungs")):
        assert why(Projected(), database) == why(Projected(11), database) == ""
    assert "Rungs was not built with project(); write PatternDatabase.build(problem, pattern)" in why(Projected(), alone)
    for problem in (Ladder(), OtherGoals()):
        name = type(problem).__name__
        for database in (alone, projected):
            assert f"{name} does not define project(pattern)" in why(problem, database)
    assert "Rungs was built for another Projected; build one for this problem" in why(Projected(price=2), projected)
    wide = PatternDatabase.build(OfWidth(4), "shelves")
    assert why(OfWidth(4), wide) == ""
    assert "Shelves was built for another OfWidth" in why(OfWidth(3), wide)
    with pytest.raises(bf.InputError, match=r"the goal State\(x=8\) has the distance 4"):
        why(OtherGoalsListed(), projected)
    of_another = bf.max_of(projected).of(Projected())
    assert "does not define project(pattern)" in why(OtherGoals(), projected, of_another)

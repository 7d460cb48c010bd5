"""prepare() and forced() in both engines: the same searches as those of a domain whose step() does what they do."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import bestfirst as bf
from bestfirst.compiled.compiler.specialise import no_estimate, numbers_of
from bestfirst.errors import CompileError, InputError, WordOverflowError
from preparing import OnlyForced, OnlyPrepared, Plain, Prepared, tables
from profiles import examples
from twins import assert_twins

SEARCHES: list[tuple[str, dict[str, Any]]] = [
    ("astar", {}),
    ("uniform-cost", {}),
    ("idastar", {}),
    ("anytime-weighted-astar", {}),
    ("anytime-beam", {}),
    ("large-neighbourhood-beam", {"width": 2}),
    ("beam", {"width": 3}),
    ("depth-first-branch-and-bound", {}),
    ("depth-first-branch-and-bound", {"memo": True}),
    ("limited-discrepancy", {}),
]
LIMITS = st.one_of(st.just(2000), st.integers(0, 20))


class Unranked(Plain, keeps_claims=True):
    """Plain without ranks, so that A* prepares nodes ahead of their turn."""

    size = 0


class PreparedUnranked(Prepared, keeps_claims=True):
    """The same with both members."""

    size = 0


def assert_equal(one: bf.Solution, other: bf.Solution) -> None:
    """Equal answers and counts."""
    one.stats.seconds = other.stats.seconds
    assert one.stats == other.stats
    assert (one.status, one.cost, one.actions, one.lower_bound) == (
        other.status,
        other.cost,
        other.actions,
        other.lower_bound,
    )
    assert list(map(tuple, one.states or [])) == list(map(tuple, other.states or []))


@pytest.mark.slow
@pytest.mark.parametrize(("algorithm", "options"), SEARCHES)
@examples(12)
@given(given_tables=tables(), expansions=LIMITS)
def test_a_domain_with_both_members_is_searched_like_one_without(
    given_tables: Any, expansions: int, algorithm: str, options: dict[str, Any]
) -> None:
    """The engines are twins, and search as in a domain whose step() refuses other actions and works the value out itself."""
    heuristic = None if algorithm == "uniform-cost" else "zero"
    prepared = assert_twins(PreparedUnranked(*given_tables), algorithm, heuristic, expansions=expansions, **options)
    limits = bf.Limits(expansions=expansions)
    assert_equal(
        bf.solve(Unranked(*given_tables), algorithm, heuristic, engine="python", limits=limits, **options), prepared
    )


@pytest.mark.slow
@examples(12)
@given(given_tables=tables(), expansions=LIMITS)
def test_each_member_works_without_the_other(given_tables: Any, expansions: int) -> None:
    """With prepare() alone, and with forced() alone, the engines are twins, and search as without."""
    limits = bf.Limits(expansions=expansions)
    plain = bf.solve(Plain(*given_tables), "uniform-cost", engine="python", limits=limits)
    for kind in (OnlyForced, OnlyPrepared):
        assert_equal(assert_twins(kind(*given_tables), "uniform-cost", expansions=expansions), plain)


@pytest.mark.slow
@examples(12)
@given(given_tables=tables())
def test_spaces_are_enumerated_alike(given_tables: Any) -> None:
    """By rank, and by hash, in both engines."""
    counts = {
        tuple(bf.enumerate_states(kind(*given_tables), engine=engine).levels)
        for kind in (Plain, Prepared, Unranked, PreparedUnranked)
        for engine in ("python", "compiled")
    }
    assert len(counts) == 1


@pytest.mark.slow
@examples(6)
@given(given_tables=tables())
def test_threads_share_such_searches(given_tables: Any) -> None:
    """A* with two threads finds the same costs, and anytime beam search the same counts."""
    plain, prepared = Unranked(*given_tables), PreparedUnranked(*given_tables)
    limits = bf.Limits(expansions=5000)
    costs = {bf.solve(one, "astar", "zero", threads=2, engine="compiled", limits=limits).cost for one in (plain, prepared)}
    assert len(costs) == 1
    assert_twins(prepared, "anytime-beam", "zero", threads=2, expansions=2000)


class Line(bf.Domain):
    """A walk on a line, in both directions; at every third place, only one action is allowed."""

    class State(NamedTuple):
        place: int

    max_actions = 3

    def __init__(self, start: int, goal: int) -> None:
        self.initial, self.goal = self.State(start), goal
        self.steps = np.array([1, -1, 2])

    def prepare(self, state: State) -> bool:
        return state.place % 4 == 0

    def forced(self, state: State) -> int:
        return 2 if state.place % 3 == 1 else -1

    def step(self, state: State, action: int, is_fourth: bool) -> Any:
        return True, self.State(state.place + self.steps[action]), 1 if is_fourth else 2

    def is_goal(self, state: State) -> bool:
        return state.place == self.goal

    @bf.heuristic(admissible=True, consistent=True)
    def distance(self, state: State) -> int:
        return abs(state.place - self.goal) // 2


def test_forced_actions_are_the_only_ones() -> None:
    """From place 1, two steps up are the only way, though one step up is nearer to the goal."""
    assert list(Line(1, 2).successors(Line.State(1))) == [(2, Line.State(3), 2)]
    assert assert_twins(Line(1, 2), "astar", "distance", expansions=500).actions == [2, 1]


class Road(bf.Domain):
    """A line on which the sum of the prepared value and that of the other end decides what a step costs."""

    class State(NamedTuple):
        place: int

    max_actions = 4

    def __init__(self, start: int, goal: int, actions: str = "abcd") -> None:
        self.initial, self.goal, self.actions = self.State(start), goal, actions
        self.steps = np.array([1, -1, 3, -3])

    def prepare(self, state: State) -> int:
        return state.place % 5

    def step(self, state: State, action: int, rest: int) -> Any:
        to = state.place + self.steps[action]
        return abs(to) < 200, self.State(to), 1 + (rest + to % 5) % 4

    def is_goal(self, state: State) -> bool:
        return state.place == self.goal

    def backward(self) -> bf.Problem:
        return Road(self.goal, self.initial.place, "badc")

    @bf.heuristic(admissible=True, consistent=True)
    def far(self, state: State) -> int:
        return abs(state.place - self.goal) // 3


@pytest.mark.slow
def test_bidirectional_search_prepares_on_both_sides() -> None:
    """With the same cost as A*."""
    solution = assert_twins(Road(0, 61), "bidirectional-astar", "far")
    assert solution.cost == bf.solve(Road(0, 61), "astar", "far").cost == 50


class Ends(bf.Domain):
    """A walk up a line that ends anywhere from the middle on, for what is left to the top."""

    class State(NamedTuple):
        place: int

    max_actions = 2

    def __init__(self, top: int) -> None:
        self.initial, self.top = self.State(0), top

    def is_goal(self, state: State) -> bool:
        return state.place >= self.top // 2

    def end_cost(self, state: State) -> int:
        return 2 * (self.top - state.place)

    @bf.heuristic(admissible=True, consistent=True)
    def nothing(self, state: State) -> int:  # noqa: ARG002
        return 0


class PreparedEnds(Ends, keeps_claims=True):
    """From every third place, only one action is allowed."""

    def prepare(self, state: Ends.State) -> tuple[int, float]:
        return state.place // 2, 1.0

    def forced(self, state: Ends.State) -> int:
        return 1 if state.place % 3 == 0 else -1

    def step(self, state: Ends.State, action: int, prepared: Any) -> Any:
        half, _ = prepared
        return state.place + action + 1 <= self.top, self.State(state.place + action + 1), 1 + half % 2


class PlainEnds(Ends, keeps_claims=True):
    """The same without the members."""

    def step(self, state: Ends.State, action: int) -> Any:
        if state.place % 3 == 0 and action != 1:
            return False, state, 0
        return state.place + action + 1 <= self.top, self.State(state.place + action + 1), 1 + state.place // 2 % 2


@pytest.mark.slow
@pytest.mark.parametrize("algorithm", ["astar", "anytime-beam", "depth-first-branch-and-bound"])
def test_the_end_of_a_path_is_never_forced_away(algorithm: str) -> None:
    """With end_cost, a path may end in a goal state where an action is forced; engines and counts are equal."""
    solution = assert_twins(PreparedEnds(12), algorithm, "nothing")
    assert_equal(solution, bf.solve(PlainEnds(12), algorithm, "nothing", engine="python"))
    assert (solution.status, solution.cost) == ("optimal", 9)


@pytest.mark.slow
def test_an_error_in_prepare_is_that_of_python() -> None:
    """The exception of Python, with the state as a note, in both engines."""

    class Divides(Line, keeps_claims=True):
        def prepare(self, state: Line.State) -> bool:
            return 12 // (state.place - 4) > 0

    for engine in ("python", "compiled"):
        with pytest.raises(ZeroDivisionError) as caught:
            bf.solve(Divides(0, 20), "astar", "distance", engine=engine)
        if engine == "compiled":
            assert "in step(State(place=4), 2) of Divides" in caught.value.__notes__


@pytest.mark.slow
def test_a_prepared_value_beyond_64_bits_is_reported_with_its_line() -> None:
    """The error of the compiled engine names prepare and its line."""

    class Grows(Line, keeps_claims=True):
        def prepare(self, state: Line.State) -> bool:
            return (state.place + 3) ** 40 > 7

    with pytest.raises(WordOverflowError, match=r"Grows\.prepare|prepare\(State") as caught:
        bf.solve(Grows(0, 20), "astar", "distance", engine="compiled")
    assert f":{Grows.prepare.__code__.co_firstlineno + 1}:" in str(caught.value)
    assert bf.solve(Grows(0, 8), "astar", "distance", engine="python").found


@pytest.mark.slow
@pytest.mark.parametrize("engine", ["python", "compiled"])
def test_a_forced_action_out_of_range_is_an_error(engine: str) -> None:
    """-1 and the actions are allowed, and nothing else."""

    class Beyond(Line, keeps_claims=True):
        def forced(self, state: Line.State) -> int:
            return 3 if state.place == 4 else -1

    with pytest.raises(InputError, match=r"forced\(State\(place=4\)\) returns 3; return the only action .* 0 to 2, or -1"):
        bf.solve(Beyond(0, 20), "astar", "distance", engine=engine)


def test_results_of_other_types_cannot_be_compiled() -> None:
    """bf.check notes what to return."""

    class Nested(Line, keeps_claims=True):
        def prepare(self, state: Line.State) -> Any:
            return state.place, (1, 2)

    class Truth(Line, keeps_claims=True):
        def forced(self, state: Line.State) -> Any:
            return state.place == 3

    for kind, method, what in (
        (Nested, "prepare", "return an int, a float, a bool, or a tuple of these"),
        (Truth, "forced", "it returns a bool; return an action, or -1"),
    ):
        with pytest.raises(CompileError, match=f"{kind.__name__}.{method} cannot be compiled: .*{what}"):
            numbers_of(kind(0, 4), no_estimate)


@pytest.mark.slow
def test_a_named_tuple_that_shares_a_name_with_the_state_is_refused() -> None:
    """Compiled code would take one for the other."""

    class Same(Line, keeps_claims=True):
        class Ready(NamedTuple):
            place: int

        def prepare(self, state: Line.State) -> Any:
            return self.Ready(state.place)

        def step(self, state: Line.State, action: int, prepared: Any) -> Any:  # noqa: ARG002
            return True, self.State(prepared.place + self.steps[action]), 1

    with pytest.raises(CompileError, match="Ready and State both have a member place"):
        bf.solve(Same(0, 4), "astar", "distance", engine="compiled")
    long = bf.solve(Same(0, 5000), "astar", "distance", limits=bf.Limits(expansions=3000))
    assert "both have a member place" in long.warnings[0]


@pytest.mark.parametrize("actions", [70, 130])
def test_more_than_63_actions(actions: int) -> None:
    """Forced actions beyond a word, with a set of candidates of more than one word."""
    solution = assert_twins(Many(actions), "astar", "left", expansions=2000)
    assert solution.actions == list(range(actions - 1, actions - 6, -1))


class Many(bf.Domain):
    """Take the last five members out of a set; the last one that is left is forced."""

    class State(NamedTuple):
        left: int

    def __init__(self, count: int) -> None:
        self.max_actions = count
        self.bits = {"left": count}
        self.end = (1 << count - 5) - 1
        self.initial = self.State((1 << count) - 1)

    def forced(self, state: State) -> int:
        return state.left.bit_length() - 1

    def prepare(self, state: State) -> int:
        return state.left.bit_count()

    def step(self, state: State, action: int, count: int) -> Any:
        if state.left >> action & 1 == 0:
            return False, state, 0
        return True, self.State(state.left & ~(1 << action)), count

    def is_goal(self, state: State) -> bool:
        return state.left == self.end

    @bf.heuristic(admissible=True, consistent=True)
    def left(self, state: State) -> int:
        return max(0, state.left.bit_count() - self.max_actions + 5)

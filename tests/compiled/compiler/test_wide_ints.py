"""Fields of 64 bits and more: sets of many elements as Python ints, in both engines."""

from __future__ import annotations

from types import MappingProxyType
from typing import Any, NamedTuple

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

import bestfirst as bf
from bestfirst.compiled.compiler.probe import CompiledMethods
from bestfirst.number_sets import members
from bestfirst.state_packing import packed_fields
from twins import assert_twins

BITS = 101
FULL = (1 << BITS) - 1
OPERATIONS = 24


def half_of(numbers: int) -> int:
    return numbers >> 50


class Sets(bf.Domain):
    """Two sets and a number; each action is another expression of them."""

    class State(NamedTuple):
        one: int
        other: int
        shift: int

    bits = MappingProxyType({"one": BITS, "other": 64})
    max_actions = OPERATIONS

    def __init__(self, one: int = 0, other: int = 0, shift: int = 0) -> None:
        self.initial = self.State(one, other, shift)
        self.full = FULL
        self.few = 0b1011

    def step(self, state: State, action: int) -> Any:
        one, other, shift = state.one, state.other, state.shift
        number = 0
        if action == 0:
            one &= other
        elif action == 1:
            one |= other
        elif action == 2:
            one ^= self.full
        elif action == 3:
            one = one & ~(1 << shift)
        elif action == 4:
            one = one | 1 << shift
        elif action == 5:
            one = one >> shift
        elif action == 6:
            one = (one << shift) & self.full
        elif action == 7:
            number = one >> shift & 1
        elif action == 8:
            number = one.bit_count() + other.bit_length()
        elif action == 9:
            for member in members(one):
                number += member * member
        elif action == 10:
            for member in bf.members(other & one):
                number = member
        elif action == 11:
            one = one - (1 << shift)
        elif action == 12:
            one = one + other
        elif action == 13:
            number = 1 if one == other else 2 if one > other else 3
        elif action == 14:
            number = 1 if one else 0
        elif action == 15:
            number = one & 255
        elif action == 16:
            one = one & -one
        elif action == 17:
            one = one if shift < 50 else shift
        elif action == 18:
            one = FULL if other else 1267650600228229401496703205375
        elif action == 19:
            number = half_of(one) & 1023
        elif action == 20:
            other = one
        elif action == 21:
            number = sum(member for member in members(one) if member & 1) + self.few
        elif action == 22:
            one = ~one & self.full
        elif action == 23:
            number = -1 if one < 0 or not one <= self.full else one >> 40 & 7
        return True, self.State(one, other, number), 1

    def is_goal(self, state: State) -> bool:
        return state.one == FULL


SETS = Sets()
METHODS = CompiledMethods(SETS, None)


@given(
    one=st.one_of(st.integers(0, FULL), st.integers(0, 5), st.just(FULL)),
    other=st.integers(0, 2**64 - 1),
    # Python makes a number of 1 << shift; shifts in between would take gigabytes.
    shift=st.one_of(st.integers(-2, 140), st.integers(-(2**63), -1), st.integers(2**50, 2**63 - 1)),
    action=st.integers(0, OPERATIONS - 1),
)
@example(one=1, other=0, shift=100, action=6)
@example(one=FULL, other=2**64 - 1, shift=0, action=12)
@example(one=0, other=0, shift=128, action=4)
@example(one=FULL, other=0, shift=0, action=20)
def test_operations(one: int, other: int, shift: int, action: int) -> None:
    """Each operation on wide ints gives what Python gives, or stops where Python does or a field would not fit."""
    state = Sets.State(one, other, shift)
    try:
        expected: Any = SETS.step(state, action)
    except (ValueError, MemoryError, OverflowError):
        expected = None
    else:
        following = expected[1]
        if not (0 <= following.one <= FULL and 0 <= following.other < 2**64 and -(2**63) <= following.shift < 2**63):
            expected = None
    if expected is None:
        with pytest.raises((ValueError, OverflowError, MemoryError, bf.ProblemError, bf.InputError)):
            METHODS.step(state, action)
        return
    try:
        found = METHODS.step(state, action)
    except bf.WordOverflowError:
        assert action in (3, 4, 6, 11), "only shifts compute with bits that the result does not keep"
        assert shift > BITS - one.bit_length() or shift > BITS
    else:
        assert found == expected


class Cover(bf.Domain):
    """Cover numbers 0 .. 99 with subsets, at least cost."""

    class State(NamedTuple):
        left: int

    bits = MappingProxyType({"left": 100})
    max_actions = 30
    default_heuristic = "most"

    def __init__(self, low: Any, high: Any, costs: Any) -> None:
        self.low, self.high = np.array(low, np.int64), np.array(high, np.int64)
        self.costs = np.array(costs, np.int64)
        self.initial = self.State((1 << 100) - 1)

    def step(self, state: State, action: int) -> Any:
        first = -1
        for number in members(state.left):
            first = number
            break
        low, high = self.low[action], self.high[action]
        covered = ((1 << high) - 1) >> low << low
        return low <= first < high, self.State(state.left & ~covered), self.costs[action]

    def is_goal(self, state: State) -> bool:
        return state.left == 0

    @bf.heuristic(admissible=True)
    def most(self, state: State) -> int:
        return (state.left.bit_count() + 39) // 40


def cover(shift: int = 0) -> Cover:
    low = [(7 * number + shift) % 90 for number in range(29)]
    high = [min(100, at + 5 + number) for number, at in enumerate(low)]
    return Cover([*low, 0], [*high, 100], [*(1 + number % 4 for number in range(29)), 40])


@pytest.mark.parametrize("algorithm", ["astar", "anytime-beam", "idastar", "depth-first-branch-and-bound", "beam"])
def test_twins(algorithm: str) -> None:
    """Both engines agree on a problem whose states are sets of 100 elements."""
    assert assert_twins(cover(), algorithm).cost is not None


@pytest.mark.parametrize("algorithm", ["greedy", "anytime-weighted-astar"])
def test_twins_of_saved_searches(algorithm: str, tmp_path: Any) -> None:
    """A search of wide states goes on after it was saved and loaded."""
    search = bf.Search(cover(3), algorithm, engine="compiled")
    search.run(bf.Limits(expansions=20))
    search.save(tmp_path / "search")
    again = bf.Search.load(tmp_path / "search", cover(3)).run()
    whole = bf.solve(cover(3), algorithm)
    assert (again.cost, again.stats.expanded) == (whole.cost, whole.stats.expanded)


@given(st.integers(64, 300), st.data())
def test_words_of_a_field(bits: int, data: Any) -> None:
    """A wide field is taken apart into words and put together again."""
    (field,) = packed_fields(("numbers",), (0,), {"numbers": bits}, has_words=False)
    value = data.draw(st.integers(0, 2**bits - 1))
    words = field.packed(value)
    assert len(words) == field.count == len(list(field.words()))
    assert field.unpacked(words) == value


def test_too_large_a_value() -> None:
    """A field that does not fit into its declared bits is a StateError in a compiled search."""

    class Growing(bf.Domain):
        class State(NamedTuple):
            numbers: int

        bits = MappingProxyType({"numbers": 70})
        max_actions = 1
        initial = State(1)

        def step(self, state: State, action: int) -> Any:  # noqa: ARG002
            return True, self.State(state.numbers << 1), 1

        def is_goal(self, state: State) -> bool:
            return state.numbers < 0

    with pytest.raises(bf.StateError, match="the range of 70 bits"):
        bf.solve(Growing(), "depth-first-branch-and-bound", engine="compiled")


@pytest.mark.parametrize(("small", "mask"), [(100, 100), (65, 60), (70, 140)])
def test_a_value_goes_from_a_wider_field_to_a_narrower_one(small: int, mask: int) -> None:
    """Whether the words that hold it are as many or not; too large a one is an error."""

    class Two(bf.Domain):
        class State(NamedTuple):
            narrow: int
            wide: int

        bits = MappingProxyType({"narrow": small, "wide": 200})
        max_actions = 1
        initial = State(0, 1)
        kept = (1 << mask) - 1

        def step(self, state: State, action: int) -> Any:  # noqa: ARG002
            wide = (state.wide ^ (state.wide << 1)) & ((1 << 199) - 1)
            return True, self.State(state.wide & ((1 << self.length) - 1), wide), 1

        def is_goal(self, state: State) -> bool:
            return state.wide >> 120 & 1 == 1

        length = mask

    if mask <= small:
        assert_twins(Two(), "depth-first-branch-and-bound")
    else:
        with pytest.raises((bf.StateError, bf.WordOverflowError)):
            bf.solve(Two(), "depth-first-branch-and-bound", engine="compiled")


def test_members() -> None:
    """members() yields the positions of the bits of an int that are 1, and refuses a negative one."""
    assert list(bf.members(0b1101)) == [0, 2, 3]
    assert list(bf.members(1 << 200)) == [200]
    assert list(bf.members(0)) == []
    with pytest.raises(bf.InputError, match="numbers is -1"):
        list(bf.members(-1))


def test_tuples_of_wide_elements() -> None:
    """The elements of a tuple have fewer than 64 bits declared."""

    class Tuples(Cover):
        class State(NamedTuple):
            left: tuple[int, int]

    tuples = Tuples([0], [1], [1])
    tuples.initial = Tuples.State((0, 0))
    with pytest.raises(bf.InputError, match="elements of the tuple left"):
        bf.solve(tuples, "uniform-cost")


class Counts(bf.Domain):
    """Fills a set one by one; its estimate, costs, goal and legality are worked out from wide ints."""

    class State(NamedTuple):
        numbers: int
        step: int

    bits = MappingProxyType({"numbers": 200})
    max_actions = 2
    initial = State(0, 1)

    def step(self, state: State, action: int) -> Any:
        cost = (state.numbers >> 100) & 1
        room = (state.numbers >> 150) + 1 if action else state.numbers & 1 | 1
        return room & 1, self.State(state.numbers << 1 | 1, int(state.step) + 1), cost + 1

    def is_goal(self, state: State) -> bool:
        large = state.numbers.bit_count() << 50 > 0 and state.numbers.bit_length() * 2**50 > 0
        return large and state.numbers.bit_count() == 140

    @bf.heuristic(admissible=True)
    def left(self, state: State) -> int:
        return sum(member & 0 for member in members(state.numbers)) + (state.numbers & 0)


def test_bits_of_wide_ints() -> None:
    """A set may have more than 64 members; estimates, costs and legality may be worked out from wide ints."""
    assert assert_twins(Counts(), "depth-first-branch-and-bound", "left", memo=True).cost == 179


def test_counts_beyond_64() -> None:
    """The number of members may exceed 64, so arithmetic with it is checked: Python goes on where compiled code stops."""

    class Large(Counts):
        def is_goal(self, state: Counts.State) -> bool:
            return state.numbers.bit_count() == 140 and state.numbers.bit_count() * 2**56 > 0

    with pytest.raises(bf.WordOverflowError):
        bf.solve(Large(), "depth-first-branch-and-bound", engine="compiled")
    assert bf.solve(Large(), "uniform-cost").cost == 179


def test_the_state_at_a_stop() -> None:
    """Where compiled code stops, the state and the action are those of the call, and Python goes on from there."""

    class Divides(bf.Domain):
        class State(NamedTuple):
            large: int
            small: int

        bits = MappingProxyType({"large": 100})
        max_actions = 2
        initial = State(2**70, 3)

        def step(self, state: State, action: int) -> Any:
            sixth = 6 // state.small  # small is never 0
            return sixth < 9, self.State(state.large, state.small + action * (state.large // 2**70)), 1

        def is_goal(self, state: State) -> bool:
            return state.small > 5

    with pytest.raises(bf.WordOverflowError, match=r"State\(large=1180591620717411303424, small=3\), 0\)"):
        bf.solve(Divides(), "depth-first-branch-and-bound", engine="compiled")
    assert bf.solve(Divides(), "uniform-cost").cost == 3


@pytest.mark.parametrize(
    "of", ["sum(one for _ in range(3))", "round(one)", "int(one)", "math.floor(one)", "+one", "abs(one) & 7"]
)
def test_functions_of_wide_ints(of: str, tmp_path: Any) -> None:
    """Functions of ints give what Python gives for wide ones, or stop."""
    file = tmp_path / "functions.py"
    file.write_text(
        f"""
import math
from typing import NamedTuple
import bestfirst as bf

class Functions(bf.Domain):
    class State(NamedTuple):
        one: int
    bits = {{"one": 101}}
    max_actions = 1
    initial = State(3 << 90)
    def step(self, state, action):
        one = state.one
        return True, self.State({of}), 1
    def is_goal(self, state):
        return False
"""
    )
    names: dict[str, Any] = {}
    exec(compile(file.read_text(), str(file), "exec"), names)
    functions = names["Functions"]()
    methods = CompiledMethods(functions, None)
    for one in (5, 3 << 90):
        state = functions.State(one)
        try:
            found = methods.step(state, 0)
        except bf.WordOverflowError:
            assert "abs" in of
        else:
            assert found == functions.step(state, 0)

"""What users reach for is compiled too: both engines search alike."""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np
import pytest

import bestfirst as bf
from bestfirst.compiled.compiler import library
from bestfirst.compiled.compiler import translate as translate_module
from twins import assert_twins

pytestmark = pytest.mark.slow  # each class is compiled
CHEAP = "depth-first-branch-and-bound"
"""An algorithm whose kernel compiles in a quarter of the time of uniform-cost search: this is about methods."""


class Place(NamedTuple):
    """A cell, with members of its own."""

    x: int
    y: int

    def sum_with(self, other: int = 1) -> int:
        return self.x + self.y * other

    @property
    def is_origin(self) -> bool:
        return self.x == 0 and self.y == 0


class Walk(bf.Domain):
    """From (0, 0) to (5, 3), by the steps that a subclass allows."""

    State = Place
    max_actions = 2

    def __init__(self) -> None:
        self.initial = Place(0, 0)
        self.tolls = np.array([3, 1, 2, 5, 4, 1], np.uint8)
        self.heights = np.array([[1, 2, 7], [3, 4, 9]], np.int16)
        self.far = 5

    def step(self, state: Place, action: int) -> Any:
        if action == 0:
            return state.x < 5, Place(state.x + 1, state.y), self.cost(state)
        return state.y < 3, Place(state.x, state.y + 1), self.cost(state)

    def cost(self, state: Place) -> int:
        del state
        return 1

    def is_goal(self, state: Place) -> bool:
        return state.x == 5 and state.y == 3


class AnyAndAll(Walk):
    """Generators with conditions, one in another, and empty ones."""

    def cost(self, state: Place) -> int:
        if any(self.tolls[i] == state.x for i in range(6) if i != state.y):
            return 2
        if all(self.heights[i, j] > state.x for i in range(2) for j in range(state.y)):
            return 3
        return 1 + any(all(i < j for j in range(state.y, 4)) for i in range(state.x)) + all(i for i in range(0))


class SumsAndExtremes(Walk):
    """With a start, with a default, over arrays, rows and tuples, and of names that exist outside."""

    def cost(self, state: Place) -> int:
        i = 7
        total = sum(abs(self.tolls[i] - state.x) for i in range(6) if i % 2 == state.y % 2)
        total += sum(self.tolls, 1) + sum((state.x, state.y, i)) + sum(self.heights[state.y % 2])
        total += min(self.tolls[i] + i for i in range(state.x + 1)) + max((i for i in range(state.y)), default=i)
        return int(total + max(self.heights[0]) - min(self.tolls))

    @bf.heuristic()
    def left(self, state: Place) -> int:
        return max(i * state.y for i in range(2)) if state.x else sum(i < state.y for i in range(4))


class OtherMethods(Walk):
    """Of the domain, with defaults and by name; static; heuristics; and those of State."""

    def cost(self, state: Place) -> int:
        return self.weighted(state.x, times=2) + self.plain(state.y) + state.sum_with() + state.sum_with(other=2)

    def weighted(self, number: int, extra: int = 3, times: int = 1) -> int:
        return self.twice(number) * times + extra + int(self.tolls[number % 6])

    def twice(self, number: int) -> int:
        return 2 * number

    @staticmethod
    def plain(number: int) -> int:
        return number + 1

    @bf.heuristic()
    def half(self, state: Place) -> int:
        return (self.far - state.x) // 2

    @bf.heuristic()
    def left(self, state: Place) -> int:
        return 0 if state.is_origin else max(self.half(state), 1)


class Replaced(Walk):
    """State with some fields replaced."""

    def step(self, state: Place, action: int) -> Any:
        after = state._replace(x=state.x + 1) if action == 0 else state._replace(y=state.y + 1)
        return after.x < 6 and after.y < 4, after, 1


MOVES = ((0, 1), (1, 0), (0, -1), (-1, 0))


class Arrays(Walk):
    """Their methods and members, and tables in the module."""

    def cost(self, state: Place) -> int:
        row = state.y % 2
        total = int(self.heights.sum()) + int(self.heights[row].max()) - int(self.tolls.min()) + self.heights.size
        total += int(self.tolls.any()) + (state.x in self.tolls) + 2 * (state.y not in self.heights[row])
        dx, dy = MOVES[(state.x + state.y) % 4]
        return int(total + abs(dx) + 2 * abs(dy))


class Loops(Walk):
    """Over enumerate, zip, reversed, and tables of tuples."""

    def cost(self, state: Place) -> int:
        total = 0
        for number, toll in enumerate(self.tolls, state.y):
            if number == 3:
                continue
            total += number * toll
        for toll, (dx, dy) in zip(self.tolls, MOVES):  # noqa: B905
            total += int(toll * (dx + 2) * (dy + 3))
        for place in reversed(range(state.x)):
            if place < state.y:
                break
            total = 2 * total + place
        else:
            total += 1
        return int(total % 11 + sum(dx * dy + 1 for dx, dy in MOVES) + any(i == t for i, t in enumerate(self.tolls)))


class WholeMath(Walk):
    """The functions of math about ints."""

    def cost(self, state: Place) -> int:
        x, y = state
        total = math.isqrt(1000 * x + y) + math.comb(x + 4, y) + math.perm(x, y) + math.factorial(y)
        return total + math.gcd(6 * x, 4) + math.lcm(x, y + 1) + math.gcd(0, -y)


class Shadows(Walk):
    """Names that occur twice, arrays of narrow floats, and comparisons of ints and floats."""

    def __init__(self) -> None:
        super().__init__()
        self.narrow = np.array([0.1, -2.5, 3.0], np.float32)
        self.wide = np.array([2.0**53, 0.1])

    def cost(self, state: Place) -> int:
        total = 0
        for i, i in enumerate(self.tolls):
            total += i
        for i, (i, j) in enumerate(MOVES):
            total += 3 + i * j
        for x in self.narrow:
            total += x > state.x
        total += any(x > 2 for x in self.narrow) + (max(self.narrow) == 3) + (0.1 in self.narrow) + (3.0 in self.narrow)
        total += (2**53 + 1 in self.wide) + (2**53 in self.wide) + math.comb(66, 33) % 10
        return int(total + 5)


KINDS = [Shadows, AnyAndAll, SumsAndExtremes, OtherMethods, Replaced, Arrays, Loops, WholeMath]


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.__name__)
def test_both_engines_search_alike(kind: type[Walk]) -> None:
    """The same counts, costs and path."""
    assert assert_twins(kind(), CHEAP, "left" if "left" in vars(kind) else None).stats.expanded > 5


class Fails(Walk):
    """A smallest of nothing."""

    def cost(self, state: Place) -> int:
        return min(i for i in range(1 - state.x))


class FailsLater(Walk):
    """A sum that needs more than 64 bits."""

    def cost(self, state: Place) -> int:
        return sum(1 << 60 for _ in range(state.x * state.x)) % 7


def test_what_python_raises_is_raised() -> None:
    """With Python's words, or as a number beyond 64 bits."""
    for engine in ("python", "compiled"):
        with pytest.raises(ValueError, match=r"min\(\)"):
            bf.solve(Fails(), CHEAP, engine=engine)
    with pytest.raises(bf.WordOverflowError, match="FailsLater"):
        bf.solve(FailsLater(), CHEAP, engine="compiled")


class Changes(Walk):
    """Its method is replaced by a test."""

    def cost(self, state: Place) -> int:
        return self.toll(state.x)

    def toll(self, number: int) -> int:
        return number + 1


def of_ten(self: Changes, number: int) -> int:
    del self
    return 10 - number


def test_another_method_that_is_replaced_is_translated_anew(monkeypatch: pytest.MonkeyPatch) -> None:
    """On the class; one that is set on the object is refused."""
    before = bf.solve(Changes(), CHEAP, engine="compiled")
    monkeypatch.setattr(Changes, "toll", of_ten)
    after = assert_twins(Changes(), CHEAP)
    assert before.cost != after.cost
    changed: Any = Changes()
    changed.toll = of_ten
    with pytest.raises(bf.CompileError, match="toll is set on this Changes object"):
        bf.solve(changed, CHEAP, engine="compiled")


class Sparse(Walk):
    """The same as Walk, by a mixin with a number of NumPy."""

    top: Any = 5

    @property
    def most(self) -> Any:
        tolls: Any = self.tolls
        return tolls.array.max()

    def is_goal(self, state: Place) -> bool:
        return state.x == self.most and state.y == 3


class Static(Walk):
    """A static method in the place of a method."""

    far = 7

    @staticmethod
    def is_goal(state: Place, slack: int = 0) -> bool:
        return state.x + slack == 5


def test_numbers_of_numpy_and_static_methods_are_refused() -> None:
    """uint8(200) + 100 is 44 in NumPy; a static method has no self."""
    with pytest.raises(bf.CompileError, match=r"it reads self\.most, which is a numpy\.uint8"):
        bf.solve(Sparse(), CHEAP, engine="compiled")
    with pytest.raises(bf.BestfirstError, match=r"Static\.is_goal is a static method"):
        bf.solve(Static(), CHEAP, engine="compiled")


def test_a_number_of_numpy_that_comes_later_is_not_taken_for_a_number_of_python() -> None:
    """Although the class was compiled with an int."""

    def digest(domain: bf.Domain) -> str:
        return translate_module.translate(domain, {"is_goal": type(domain).is_goal}).digest

    plain, other = Wide(), Wide()
    digest(plain)
    vars(other)["far"] = np.uint8(5)
    with pytest.raises(bf.CompileError, match=r"numpy\.uint8"):
        digest(other)


class Wide(Walk):
    """Reads a number."""

    def is_goal(self, state: Place) -> bool:
        return state.x == self.far


class Signs(Walk):
    """The sign of a NaN is nothing that Python defines."""

    def cost(self, state: Place) -> int:
        del state
        infinite = math.inf
        return 1 + (math.copysign(1.0, infinite - infinite) > 0)


def test_the_sign_of_a_nan_is_not_asked_for() -> None:
    """The compiled engine stops."""
    with pytest.raises(bf.WordOverflowError):
        bf.solve(Signs(), CHEAP, engine="compiled")


def test_the_functions_of_math_are_those_of_python() -> None:
    """For small numbers, and near the largest of 64 bits."""
    near = [0, 1, 2, 3, 4, 7, 8, 9, 10, 99, 2**31, 2**52 - 1, 2**53 + 1, 3037000499**2 - 1, 3037000499**2, 2**63 - 1]
    for number in near:
        assert library.isqrt(number) == math.isqrt(number)
        for other in near:
            assert library.gcd(number, other) == math.gcd(number, other)
            assert library.lcm(number, -other) == math.lcm(number, -other)
    for number in range(12):
        assert library.factorial(number) == math.factorial(number)
        for chosen in range(14):
            assert library.comb(number, chosen) == math.comb(number, chosen)
            assert library.perm(number, chosen) == math.perm(number, chosen)
    for function in (library.isqrt, library.factorial):
        with pytest.raises(ValueError):
            function(-1)


class Named(NamedTuple):
    """A cell whose members have the names of others."""

    x: int
    y: int

    @property
    def size(self) -> int:
        return 100

    def bit_count(self) -> int:
        return 3

    def floor(self) -> int:
        return 1

    def is_end(self) -> bool:
        return self.x == 4


class NamedWalk(Walk):
    """Reads members of States, of arrays and of math by the same names."""

    State = Named  # type: ignore[assignment]

    def __init__(self) -> None:
        super().__init__()
        self.initial = self.State(0, 0)

    def step(self, state: Any, action: int) -> Any:
        after = Named(state.x + 1, state.y) if action == 0 else Named(state.x, state.y + 1)
        return after.x < 6 and after.y < 4, after, state.bit_count() + self.tolls.size + math.floor(2.5)

    def is_goal(self, state: Any) -> bool:
        return bool(state.is_end() and state.size == 100)


class OfInts(NamedWalk):
    """Calls a method of int that State has too."""

    def is_goal(self, state: Any) -> bool:
        return bool(state.x.bit_count() == 2)


class EagerDefault(Walk):
    """A default that cannot be worked out, and is not needed."""

    def cost(self, state: Place) -> int:
        return max((i for i in range(state.x + 1)), default=1 // (state.x - 2))


class InnerWalrus(Walk):
    """Reads a variable that a generator assigns."""

    def cost(self, state: Place) -> int:
        k = state.x
        return int(k + any((k := i) > 3 for i in range(6)))


class EarlyRead(Walk):
    """Reads a variable of a generator before its for."""

    def cost(self, state: Place) -> int:
        n = state.x
        return sum(1 for i in range(3) if n > i for n in range(2))


class EarlierRead(Walk):
    """The same inside a generator whose variable has that name."""

    def cost(self, state: Place) -> int:
        return sum(sum(x for x in self.tolls for y in (y, 1)) for y in self.tolls) + state.x


class WrongLength(Walk):
    """Unpacks two into three."""

    def cost(self, state: Place) -> int:
        pair = (state.x, state.y)
        if state.x < 0:
            a, b, c = pair  # type: ignore[misc]
            return int(a + b + c)
        return 1


class NoIndex(Walk):
    """Counts from a half."""

    def cost(self, state: Place) -> int:
        return int(sum(i for i, _ in enumerate(self.tolls, 0.5))) + state.x  # type: ignore[arg-type, misc]


class NoMembers(Walk):
    """A sum of nothing."""

    def cost(self, state: Place) -> int:
        return sum(()) + state.x


def is_end_now(self: Named) -> bool:
    return self.x == 2


def test_members_of_states_are_those_of_states_only(monkeypatch: pytest.MonkeyPatch) -> None:
    """Of arrays, of math and of ints they are their own; a member that is replaced is translated anew."""
    before = assert_twins(NamedWalk(), CHEAP)
    monkeypatch.setattr(Named, "is_end", is_end_now)
    after = assert_twins(NamedWalk(), CHEAP)
    assert before.cost != after.cost
    with pytest.raises(bf.CompileError, match="it uses a member of State on an int"):
        bf.solve(OfInts(), CHEAP, engine="compiled")


def test_what_a_generator_assigns_is_refused_and_a_default_is_worked_out() -> None:
    """As Python works it out: before the first member is asked for."""
    for engine in ("python", "compiled"):
        with pytest.raises(ZeroDivisionError):
            bf.solve(EagerDefault(), CHEAP, engine=engine)
    for kind, why in (
        (InnerWalrus, "it uses ':=' inside any"),
        (EarlyRead, "it reads n before 'for n' in the same generator"),
        (NoMembers, "it loops over an empty tuple"),
        (EarlierRead, "it reads y before 'for y' in the same generator"),
        (WrongLength, "it unpacks a tuple of .* into a different number of variables"),
        (NoIndex, "it passes a float where an int is needed"),
    ):
        with pytest.raises(bf.CompileError, match=why):
            bf.solve(kind(), CHEAP, engine="compiled")


class Checked(NamedTuple):
    """A number."""

    x: int


class WithoutChecks(bf.Domain):
    """Its author has proved that its methods need no checks."""

    State = Checked
    max_actions = 1
    unchecked = True
    initial = Checked(0)

    def step(self, state: Checked, action: int) -> Any:
        del action
        return state.x < 80, Checked(state.x + 1), 1

    def is_goal(self, state: Checked) -> bool:
        return state.x == 70 and self.is_right(state)

    def is_right(self, state: Checked) -> bool:
        return state.x > 0


class WithChecks(WithoutChecks):
    """Replaces one that others call."""

    def is_right(self, state: Checked) -> bool:
        power = 1
        for _ in range(state.x):
            power *= 3
        return power % 7 == 3**70 % 7


def test_a_method_that_a_subclass_replaces_is_checked() -> None:
    """Also one that only another method calls."""
    assert_twins(WithoutChecks(), CHEAP)
    with pytest.raises(bf.WordOverflowError, match="is_right"):
        bf.solve(WithChecks(), CHEAP, engine="compiled")


class Counted(bf.Domain):
    """Steps of one or two; the last field of a state has a default, which `step` leaves out or gives."""

    class State(NamedTuple):
        """How far, and whether the last step was a long one."""

        number: int
        was_long: int = 0

    initial = State(0)
    max_actions = 2

    def step(self, state: State, action: int) -> Any:
        if action == 0:
            return True, self.State(state.number + 1), 1
        return state.was_long == 0, self.State(number=state.number + 2, was_long=1), 1

    def is_goal(self, state: State) -> bool:
        return state.number == 7


def test_fields_that_have_defaults_may_be_left_out() -> None:
    """As in Python."""
    assert_twins(Counted(), CHEAP)
    assert bf.solve(Counted(), CHEAP, engine="compiled").cost == 5

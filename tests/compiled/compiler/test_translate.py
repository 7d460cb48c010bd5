"""What cannot be compiled: the error names file, line, method, what is not allowed, and what to write instead."""

from __future__ import annotations

import builtins
import enum
import functools
import inspect
import math
import re
from collections.abc import Callable
from typing import Any, ClassVar, NamedTuple

import numpy as np
import pytest

import bestfirst as bf
from bestfirst.compiled.compiler import translate as translate_module
from twins import assert_twins

NARROW = np.uint8(200)


class Way(enum.IntEnum):
    """Its members are not what ints are."""

    LEFT = 1

    def __rsub__(self, other: int) -> int:
        return other + 1


LEFT = Way.LEFT
LIMITS = {"most": 5}
SQUARES = np.array([0, 1, 4, 9])
FIVE = 5


def double(number: int) -> int:
    return 2 * number


def countdown(number: int) -> int:
    return 0 if number == 0 else countdown(number - 1)


class Counter(bf.Domain):
    """Counts up to 10; the tests replace its step by one that has a fault."""

    class State(NamedTuple):
        number: int

    max_actions = 1
    unit_cost = True
    default_heuristic = "left"

    def __init__(self) -> None:
        self.initial = self.State(0)
        self.steps = [1, 2]
        self.table = {0: 1}
        self.name_of_goal = "ten"
        self.big = 2**70
        self.words = np.array(["a"])
        self.ones = np.ones(11, np.int8)

    def step(self, state: State, action: int) -> Any:
        return True, self.State(state.number + self.ones[0]), 1

    def is_goal(self, state: State) -> bool:
        return state.number == 10

    def helper(self, number: int) -> int:
        return number + 1

    @bf.heuristic(admissible=True)
    def left(self, state: State) -> int:
        return abs(10 - state.number)


State = Counter.State


def a_list(self: Any, state: State, action: int) -> Any:
    return True, self.State([state.number + 1][0]), 1


def a_list_with_two_names(self: Any, state: State, action: int) -> Any:
    one = [state.number, 1]
    other = one
    other[0] = 3
    return True, self.State(one[0]), 1


def a_list_that_becomes_a_number(self: Any, state: State, action: int) -> Any:
    one: Any = [state.number, 1]
    one = one[0]
    return True, self.State(one), 1


def a_list_changed_in_its_loop(self: Any, state: State, action: int) -> Any:
    one = [state.number, 1]
    for number in one:
        one[1] = number + 1
    return True, self.State(one[1]), 1


def a_list_made_anew_in_its_loop(self: Any, state: State, action: int) -> Any:
    one = [state.number, 1]
    for number in one:
        one = [number, 1]
        one[1] = number + 1
    return True, self.State(one[1]), 1


def a_list_that_grows(self: Any, state: State, action: int) -> Any:
    one = [state.number]
    one.append(2)
    return True, self.State(one[1]), 1


def two_values_of_one_walrus(self: Any, state: State, action: int) -> Any:
    return True, self.State((number := state.number) * 10 + (number := 1)), number


def a_dict(self: Any, state: State, action: int) -> Any:
    return True, self.State(self.table[state.number]), 1


def a_list_on_self(self: Any, state: State, action: int) -> Any:
    return True, self.State(state.number + self.steps[0]), 1


def another_method(self: Any, state: State, action: int) -> Any:
    return True, self.State(self.helper(state.number)), 1


def step(self: Any, state: State, action: int) -> Any:
    return self.step(state, action)


def a_text_on_self(self: Any, state: State, action: int) -> Any:
    return len(self.name_of_goal) > 0, state, 1


def too_large(self: Any, state: State, action: int) -> Any:
    return True, self.State(self.big), 1


def texts(self: Any, state: State, action: int) -> Any:
    return True, self.State(len(self.words[0])), 1


def nowhere(self: Any, state: State, action: int) -> Any:
    return True, self.State(self.missing), 1


def a_float(self: Any, state: State, action: int) -> Any:
    return True, self.State(state.number / 2), 1


def changes_self(self: Any, state: State, action: int) -> Any:
    self.count = 1
    return True, self.State(state.number + 1), 1


def changes_an_array(self: Any, state: State, action: int) -> Any:
    self.seen[state.number] = 1
    return True, self.State(state.number + 1), 1


def replaces(self: Any, state: State, action: int) -> Any:
    return True, state._replace(another=1), 1  # type: ignore[call-arg]


def wrong_fields(self: Any, state: State, action: int) -> Any:
    return True, self.State(number=1, other=2), 1


def starred_fields(self: Any, state: State, action: int) -> Any:
    return True, self.State(*state), 1


def pairs_of_zip(self: Any, state: State, action: int) -> Any:
    for pair in zip((1, 2), (3, 4), strict=False):
        action += pair[0]
    return True, state, 1


def zip_of_pairs(self: Any, state: State, action: int) -> Any:
    for pair in zip((1, 2), (3, 4)):  # noqa: B905
        action += pair[0]
    return True, state, 1


def a_function_in_c(self: Any, state: State, action: int) -> Any:
    return True, state, functools.reduce(max, (1, 2))


def a_function_of_a_module(self: Any, state: State, action: int) -> Any:
    return True, state, functools.update_wrapper(1, 2)  # type: ignore[arg-type]


def a_class(self: Any, state: State, action: int) -> Any:
    return True, state, Way(1)


def too_few_variables(self: Any, state: State, action: int) -> Any:
    one, other = (1, 2, 3)  # type: ignore[misc]
    return True, state, one + other  # type: ignore[has-type]


def an_unpacked_int(self: Any, state: State, action: int) -> Any:
    one, other = state.number  # type: ignore[misc]
    return True, state, one + other  # type: ignore[has-type]


def a_global_dict(self: Any, state: State, action: int) -> Any:
    return True, self.State(LIMITS["most"]), 1


def a_global_array(self: Any, state: State, action: int) -> Any:
    return True, self.State(SQUARES[action]), 1


def two_indices(self: Any, state: State, action: int) -> Any:
    board = [state.number, action]
    board[0, 1] = 2  # type: ignore[call-overload]
    return True, self.State(board[0]), 1


def a_builtin(self: Any, state: State, action: int) -> Any:
    return True, self.State(sorted(state)[0]), 1


def recursion(self: Any, state: State, action: int) -> Any:
    return True, self.State(countdown(state.number)), 1


def a_comprehension(self: Any, state: State, action: int) -> Any:
    return [digit > 0 for digit in state][0], state, 1  # noqa: RUF015


def a_method_of_the_object(self: Any, state: State, action: int) -> Any:
    return True, self.steps(state), 1


def numbers_of_numpy(self: Any, state: State, action: int) -> Any:
    return True, self.State(state.number + 1 + (NARROW + 100) // 300), 1


def numbers_of_ones_own(self: Any, state: State, action: int) -> Any:
    return True, self.State(state.number - LEFT), 1


def a_private_name(self: Any, state: State, action: int) -> Any:
    __own = state.number
    return True, self.State(__own + 1), 1


def a_name_that_is_needed(self: Any, state: State, action: int) -> Any:
    ValueError = state.number  # noqa: A001, N806
    return True, self.State(ValueError + 1), 1


def too_long(self: Any, state: State, action: int) -> Any:
    for _turn in range(9223372036854775808):
        return True, self.State(state.number + 1), 1
    return False, state, 1


def read_before_the_walrus(self: Any, state: State, action: int) -> Any:
    number = state.number
    number = (number
              + (number := 1))  # fmt: skip
    return True, self.State(number), 1


def floats_added_up(self: Any, state: State, action: int) -> Any:
    return True, self.State(state.number + 1), sum(0.5 * turn for turn in range(2))


def all_of_two(self: Any, state: State, action: int) -> Any:
    return any(state, state), state, 1  # type: ignore[call-arg]


def given_back(board: Any, deep: bool) -> Any:
    if not deep:
        board = list(board)
    board[0] = board[0] + 1
    return tuple(board)


def a_tuple_on_one_path(self: Any, state: State, action: int) -> Any:
    return True, self.State(given_back((state.number, 1), state.number > 5)[0]), 1


@functools.lru_cache
def a_cached_step(self: Any, state: State, action: int) -> Any:
    return True, self.State(state.number + 1), 1


a_lambda: Any = lambda self, state, action: (True, self.State(state.number + 1), 1)  # noqa: E731


FAULTS = [
    (
        a_tuple_on_one_path,
        "it changes board, which may still be the tuple that was passed; write 'board = list(board)' before any branch",
    ),
    (a_cached_step, "it is not a plain function; write it with def, without a decorator"),
    (a_lambda, "it is a lambda; write it with def"),
    (a_list, "it uses a list in an expression; write 'name = [...]' first"),
    (a_list_with_two_names, "it uses the list one as a whole; write 'tuple(one)' instead"),
    (a_list_that_becomes_a_number, "it assigns a new value to the list one; use another name"),
    (a_list_changed_in_its_loop, "it changes the list one in a loop over it; loop over range(len(one))"),
    (a_list_made_anew_in_its_loop, "in a loop over it; give the list made in the loop another name"),
    (a_list_that_grows, "it calls the method .append(); use arithmetic"),
    (two_values_of_one_walrus, "it assigns number a value in an expression that also reads number"),
    (a_dict, "it reads self.table, which is a dict; use an int, a float, a tuple of ints, or a NumPy array"),
    (a_list_on_self, "it reads self.steps, which is a list"),
    (a_method_of_the_object, "it calls self.steps, which is not a plain method of the class"),
    (step, "it calls the method step, which calls itself"),
    (numbers_of_numpy, "it reads NARROW, which is a numpy.uint8 at module level; convert it there with int(...)"),
    (numbers_of_ones_own, "it reads LEFT, which is a Way at module level"),
    (a_private_name, "it uses the name __own, which Python mangles inside a class"),
    (a_name_that_is_needed, "it has a variable named ValueError"),
    (too_long, "it uses the number 9223372036854775808, which does not fit into 64 bits"),
    (read_before_the_walrus, "it assigns number a value in an expression that also reads number"),
    (floats_added_up, "it adds up floats with sum()"),
    (all_of_two, "it calls any with arguments that compiled code does not support"),
    (a_text_on_self, "it reads self.name_of_goal, which is a str"),
    (too_large, "does not fit into 64 bits"),
    (texts, "it reads the array self.words of <U1; use an array of ints, float32 or float64"),
    (nowhere, "it reads self.missing, which does not exist; set it in __init__"),
    (a_float, "a field of the state is a float, not an int; use // instead of /"),
    (changes_self, "it changes self.count, but a search can change only states; put count in the state"),
    (changes_an_array, "it changes self.seen, but a search can change only states"),
    (replaces, "it calls _replace with arguments that are not fields; pass fields as keywords, from: number"),
    (wrong_fields, "it makes a state with wrong arguments; pass each of the fields number once"),
    (starred_fields, "it makes a state with a starred argument; pass the fields one by one"),
    (pairs_of_zip, "it calls zip with a keyword argument; pass plain positional arguments"),
    (zip_of_pairs, "it uses zip with a different number of loop variables than arguments"),
    (too_few_variables, "it unpacks a tuple of 3 into a different number of variables; use 3 variables"),
    (an_unpacked_int, "it unpacks an int; only tuples, states and arrays can be unpacked"),
    (a_function_in_c, "it calls functools.reduce(); write a function with def, or use arithmetic"),
    (a_function_of_a_module, "it calls functools.update_wrapper(); write 'from functools import update_wrapper' and"),
    (a_class, "it calls Way, which is a class; call a function written with def"),
    (a_global_dict, "it reads LIMITS, which is a dict at module level"),
    (a_global_array, "it reads SQUARES, which is a NumPy array at module level; put numbers and NumPy arrays on self"),
    (two_indices, "it uses several indices for an element of a list; use one"),
    (a_builtin, "it uses sorted; the allowed built-in functions are abs, all, any, bool"),
    (recursion, "it calls countdown, which calls itself; use a loop instead"),
    (a_comprehension, "it uses a list comprehension; use a for loop"),
]


def left(self: Any, state: Any) -> Any:
    return abs(10 - state.number)


def with_step(step: Callable[..., Any]) -> Any:
    """A Counter whose step is another one, for which its heuristic is stated once more."""
    own = {"step": step, "default_heuristic": "left", "left": bf.heuristic(admissible=True)(left)}
    return type("Counter", (Counter,), own)()


@pytest.mark.parametrize(("fault", "why"), FAULTS, ids=lambda part: getattr(part, "__name__", ""))
def test_what_cannot_be_compiled_is_explained(fault: Callable[..., Any], why: str) -> None:
    """The error names the user's file, a line of the method, the method, the reason, and the way out."""
    with pytest.raises(bf.CompileError) as caught:
        bf.solve(with_step(fault), "idastar", engine="compiled")
    error = caught.value
    assert why in str(error)
    assert error.file == __file__
    named: Any = {recursion: countdown, a_tuple_on_one_path: given_back}.get(fault, inspect.unwrap(fault))
    assert named.__code__.co_firstlineno <= error.line <= named.__code__.co_firstlineno + 4
    assert error.function == named.__name__
    assert "engine='python'" in str(error)


def test_the_reference_engine_runs_it_all_the_same() -> None:
    """Lists, dicts and calls of other methods are no problem there."""
    assert bf.solve(with_step(another_method), "idastar", engine="python").cost == 10
    assert bf.solve(with_step(a_list), "idastar", engine="python").cost == 10


def allowed(self: Any, state: State, action: int) -> Any:
    """A docstring, an annotation, a function and a number at the top of the module, math, and a while loop."""
    number: int = double(state.number) // 2
    while number < FIVE - 4:
        number += 0
        break
    for _turn in range(1):
        number += 1
    return number <= max(10, FIVE), State(number=min(number, 10)), 1


def test_what_is_allowed_compiles_and_does_the_same() -> None:
    """Loops, numbers and functions of the module, keyword arguments of State."""
    domain = with_step(allowed)
    compiled = bf.solve(domain, "idastar", engine="compiled")
    reference = bf.solve(domain, "idastar", engine="python")
    assert compiled.cost == reference.cost == 10
    assert compiled.stats.generated == reference.stats.generated


class Inherits(Counter):
    def step(self, state: Any, action: int) -> Any:
        return super().step(state, action)


def test_a_method_that_calls_super_says_so() -> None:
    """And what to write instead."""
    with pytest.raises(bf.CompileError, match=re.escape("it uses super(); put the shared code into a method of its own")):
        bf.solve(Inherits(), "uniform-cost", engine="compiled")


class Counts(bf.Domain):
    """Counts the elements of a board in a loop over a range of one of them."""

    class State(NamedTuple):
        cells: tuple[int, ...]

    max_actions, initial = 1, State((0, 0, 3))

    def __init__(self) -> None:
        self.__gains = np.array([1, 2])

    def step(self, state: Any, action: int) -> Any:
        cells = list(state.cells)
        for place in range(cells[2]):
            cells[place % 2] += self.__gains[place % 2]
            cells[2] = max(cells[2] - 1, 1)
        return True, self.State(tuple(cells)), 1

    def is_goal(self, state: Any) -> bool:
        return bool(state.cells[0] >= 6)


def test_a_range_is_worked_out_once_and_private_arrays_are_read() -> None:
    """A list may change in a loop over the range of its element, and self.__gains is an array like any other."""
    assert_twins(Counts(), "depth-first-branch-and-bound")


def test_a_method_without_source_says_so() -> None:
    """Code that was typed into exec cannot be read again."""
    namespace: dict[str, Any] = {}
    exec("def step(self, state, action):\n    return True, self.State(1), 1\n", namespace)
    with pytest.raises(bf.CompileError, match=re.escape("its source cannot be found; put the class in a file")):
        bf.solve(with_step(namespace["step"]), "idastar", engine="compiled")


def test_a_method_that_reads_a_variable_around_it_says_so() -> None:
    """A closure hides data from the engine."""
    most = 10

    def closure(self: Any, state: State, action: int) -> Any:
        return state.number < most, self.State(state.number + 1), 1

    with pytest.raises(bf.CompileError, match="it reads most from an enclosing function"):
        bf.solve(with_step(closure), "idastar", engine="compiled")


class Steps(bf.Domain):
    """Count to ten."""

    class State(NamedTuple):
        n: int

    max_actions = 1

    def __init__(self) -> None:
        self.initial = self.State(0)

    def step(self, state: Any, action: int) -> Any:
        return True, self.State(state.n + 1), 1

    def is_goal(self, state: Any) -> bool:
        return bool(state.n == 10)


class MoreSteps(Steps):
    """The same methods in another class."""


def test_what_was_translated_before_does_not_show() -> None:
    """Classes that share methods have digests of their own, whichever is translated first: files name them."""

    def digests(*order: bf.Domain) -> dict[str, str]:
        translate_module._TRANSLATED.clear()
        return {type(domain).__name__: translate_module.translate(domain, {"step": domain.step}).digest for domain in order}

    assert digests(Steps(), MoreSteps()) == digests(MoreSteps(), Steps())


class Rounded(Counter):
    """Calls a built-in function, and one of math."""

    def step(self, state: Any, action: int) -> tuple[bool, Any, int]:
        return True, self.State(state.number + abs(action + 1) * math.floor(1.5)), 1


@pytest.mark.parametrize(("module", "name"), [(builtins, "abs"), (math, "floor")])
def test_a_function_of_python_that_is_replaced_is_noticed(module: Any, name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Also after the methods were translated."""
    domain = Rounded()
    methods = {"step": Rounded.step}
    translate_module.translate(domain, methods)
    monkeypatch.setattr(module, name, lambda _: 3)
    with pytest.raises(bf.CompileError, match=f"calls .*{name}, which has been replaced"):
        translate_module.translate(domain, methods)


def test_tuples_of_which_one_has_bits_are_named() -> None:
    """With the widths, which the state declares."""

    class Pair(NamedTuple):
        narrow: tuple[int, ...]
        wide: tuple[int, ...]

    class Pairs(Counter):
        State: ClassVar[Any] = Pair
        bits = {"narrow": 4}  # noqa: RUF012

        def __init__(self) -> None:
            self.initial = Pair((1, 2), (3, 4))

        def step(self, state: Any, action: int) -> tuple[bool, Any, int]:
            either = state.narrow if action else state.wide
            return True, self.State(either, state.wide), 1

        def is_goal(self, state: Any) -> bool:
            return bool(state.narrow[0] == 9)

    with pytest.raises(bf.CompileError, match=r"a tuple of 2 x 64 bits in one case and one of 2 x 4 bits in another"):
        bf.solve(Pairs(), "depth-first-branch-and-bound", engine="compiled")


class Unchecked(Steps):
    """Steps that declare that they need no checks."""

    unchecked = True


class WithAProperty(Unchecked):
    """Its goal is a property that returns a function."""

    @property
    def is_goal(self) -> Any:
        return super().is_goal


def test_a_member_that_is_not_a_function_is_named() -> None:
    """Although nothing is known of what it calls."""
    with pytest.raises(bf.CompileError, match=r"WithAProperty.is_goal cannot be .* plain function"):
        bf.solve(WithAProperty(), engine="compiled")

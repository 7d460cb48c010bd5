"""The lean compiler: what templates call is compiled once for each kind of arguments, and means what it means in Python."""

from __future__ import annotations

import subprocess
import sys
from math import inf
from types import FunctionType
from typing import Any, cast

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bestfirst.compiled.compiler.code_generation import TEMPLATE_BUILTINS, generate, inner, recursive
from bestfirst.compiled.compiler.intrinsics import fetch_add, lowest_bit, prefetch, whole_number
from bestfirst.compiled.compiler.machine_code import Code, LinkedCode, passed

pytestmark = pytest.mark.numba


def linked(function: Any, *examples: Any, **names: Any) -> Any:
    """The function, compiled for arguments such as the examples, with other meanings of some names."""
    kinds = passed(examples)[0]
    copy = FunctionType(function.__code__, {**function.__globals__, **names}, function.__name__)
    code = LinkedCode(cast("Code", generate(copy, kinds)), kinds)
    return lambda *arguments: code(*passed(arguments)[1])


def ints(one: Any, other: Any, small: Any, word: Any) -> Any:
    """What templates do with max and min: of two numbers, of more, and of ints that differ in their bits."""
    return max(one, other), min(one, other, 3), max(small[0], word), min(small[0], word), max(1, one)


def floats(one: Any, other: Any, whole: Any) -> Any:
    """The same with floats, and with an int among them."""
    return max(one, other), min(one, other), max(one, whole), min(whole, one, other)


INTS = st.integers(-(2**63), 2**63 - 1)
FLOATS = st.floats(allow_nan=False) | st.sampled_from([inf, -inf, 0.0])
SMALL = st.integers(0, 2**32 - 1).map(lambda number: np.array([number], np.uint32))


@pytest.fixture(scope="module")
def compiled_ints() -> Any:
    return linked(ints, 1, 1, np.zeros(1, np.uint32), 1, **TEMPLATE_BUILTINS)


@pytest.fixture(scope="module")
def compiled_floats() -> Any:
    return linked(floats, 1.0, 1.0, 1, **TEMPLATE_BUILTINS)


@given(one=INTS, other=INTS, small=SMALL, word=INTS)
def test_the_greatest_and_the_least_of_ints_are_those_of_python(
    compiled_ints: Any, one: int, other: int, small: Any, word: int
) -> None:
    """max and min of a template are Python's for ints of any size, also where one of them has no sign."""
    assert compiled_ints(one, other, small, word) == ints(one, other, small, word)


@given(one=FLOATS, other=FLOATS, whole=st.integers(-(2**53), 2**53))
def test_the_greatest_and_the_least_of_floats_are_those_of_python(
    compiled_floats: Any, one: float, other: float, whole: int
) -> None:
    """max and min of a template are Python's for floats, infinite ones too, and for an int among floats."""
    assert compiled_floats(one, other, whole) == floats(one, other, whole)


def test_a_number_written_out_is_of_the_kind_of_all_ints() -> None:
    """A function that is called with 0, with -1 and with an int of the caller is compiled once."""
    compiled_square = inner(square)
    assert linked(three_squares, 5, square=compiled_square)(5) == 26
    assert len(compiled_square.overloads) == 1


def square(number: Any) -> Any:
    """Called by three_squares."""
    return number * number


def three_squares(number: Any) -> Any:
    """A template that calls a function in three ways."""
    return square(0) + square(-1) + square(number)


def with_intrinsics(numbers: Any, bits: Any, flag: Any) -> Any:
    """All that intrinsics.py names."""
    prefetch(numbers, 1)
    before = fetch_add(numbers, 0, 5)
    return before, numbers[0], lowest_bit(bits), whole_number(flag)


def test_what_python_has_no_word_for_means_the_same_compiled() -> None:
    """Compiled, the intrinsics give and write what their Python does."""
    one, other = np.array([7, 8]), np.array([7, 8])
    assert linked(with_intrinsics, one, 1, True)(one, 40, True) == with_intrinsics(other, 40, True) == (7, 12, 3, 1)
    assert one.tolist() == other.tolist() == [12, 8]


def numba_s_own(numbers: Any, table: Any) -> Any:
    """A function that calls what Numba compiles by itself, in the way that a domain may."""
    return max(numbers[0], 2, numbers[1]), min((numbers[0], 4)), abs(numbers[1]), divmod(7, 2)[1], np.sum(table)


def test_what_numba_compiles_by_itself_is_put_in() -> None:
    """A function whose callees are Numba's own is linked with them and gives what Python gives."""
    numbers, table = np.array([3, -9]), np.arange(6)
    assert linked(numba_s_own, numbers, table)(numbers, table) == numba_s_own(numbers, table)


def test_a_number_that_is_none_is_refused() -> None:
    """max of a number and an array is refused, as is a field of a state that is no int."""

    def field(number: Any) -> Any:
        return whole_number(number)

    with pytest.raises(Exception, match="not all numbers"):
        linked(ints, np.zeros(2), 1, 1, 1, **TEMPLATE_BUILTINS)
    with pytest.raises(Exception, match="use // instead of /"):
        linked(FunctionType(field.__code__, globals()), 1.5)


def fibonacci(number: Any) -> Any:
    """A function that calls itself."""
    if number < 2:
        return number
    return fibonacci(number - 1) + fibonacci(number - 2)


def twice_fibonacci(number: Any) -> Any:
    """A caller of it."""
    return 2 * fibonacci(number)


def test_a_function_may_call_itself() -> None:
    """Recursion means what it means in Python."""
    own = FunctionType(fibonacci.__code__, {**fibonacci.__globals__}, fibonacci.__name__)
    assert linked(twice_fibonacci, 1, fibonacci=recursive(own))(20) == twice_fibonacci(20) == 13530


LAST = 2


def parts_of(parts: Any) -> Any:
    """A template that takes a tuple of unlike parts to pieces."""
    numbers, others = parts[0], parts[1:LAST]
    numbers[LAST] = 7
    return numbers[-1], others[0], parts[LAST]


def test_constant_indices_of_a_tuple_are_known() -> None:
    """A tuple of unlike parts has an element and a slice wherever its index is a number or a slice that the code contains."""
    one, other = (np.array([1, 2, 3]), 0.5, 4), (np.array([1, 2, 3]), 0.5, 4)
    assert linked(parts_of, one)(one) == parts_of(other) == (7, 0.5, 4)
    assert one[0].tolist() == other[0].tolist()


def head(numbers: Any, place: Any) -> Any:
    """Called by both_heads, with an error for some arguments."""
    if place[1] > 0:
        raise ValueError("too far")
    return numbers[place[0]]


def both_heads(numbers: Any, number: Any) -> Any:
    """A template that passes on an array and a tuple, and the sum of what it is given."""
    return head(numbers, (0, number)) + head(numbers, (1, number))


@pytest.mark.parametrize(("forceinline", "values"), [(True, 2), (False, 9)])
def test_an_inlined_function_is_passed_arrays_and_tuples_whole(forceinline: bool, values: int) -> None:
    """A function that is inlined takes one value for each argument, others take each number of it; both mean the same."""
    callee = inner(FunctionType(head.__code__, globals(), head.__name__), forceinline=forceinline)
    numbers = np.array([3, 4])
    compiled = linked(both_heads, numbers, 0, head=callee)
    assert compiled(numbers, 0) == both_heads(numbers, 0) == 7
    with pytest.raises(ValueError, match="too far"):
        compiled(numbers, 1)
    (made,) = callee.overloads.values()
    (function,) = [one for one in made.library._final_module.functions if one.name == made.fndesc.llvm_func_name]
    places_of_result_and_error = 2
    assert len(list(function.arguments)) == places_of_result_and_error + values


LINEAR_ALGEBRA = """
import sys
import bestfirst.compiled.compiler.lean_compiler
assert "numba.np.arraymath" in sys.modules and "scipy.linalg" not in sys.modules
from numba.np import linalg
linalg.ensure_blas()
assert "scipy.linalg" in sys.modules
"""


def test_the_linear_algebra_of_scipy_is_not_imported() -> None:
    """To compile imports nothing of SciPy's linear algebra; Numba still does that for functions that need it."""
    pytest.importorskip("scipy")
    subprocess.run([sys.executable, "-c", LINEAR_ALGEBRA], check=True)

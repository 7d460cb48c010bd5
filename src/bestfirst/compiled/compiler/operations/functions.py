"""The functions of math, and conversions."""

from __future__ import annotations

from collections.abc import Callable

from llvmlite import ir
from numba.core import cgutils

from bestfirst.compiled.compiler.arithmetic import MATH
from bestfirst.compiled.compiler.numba_types import Context, Kind, Kinds, Value, Values
from bestfirst.compiled.compiler.operations.whole import (
    BOOL,
    F64,
    FLOAT,
    INT,
    Code,
    Generate,
    Typing,
    check_numbers,
    define,
    float_function,
    is_real,
    refused,
    same_int,
)
from bestfirst.errors import counted


def c_function(code: Code, name: str, numbers: Values) -> Value:
    """A function of the C library, as Python calls it: stops if finite arguments have no finite result."""
    builder = code.builder
    function = cgutils.get_or_insert_function(builder.module, ir.FunctionType(F64, [F64] * len(numbers)), name)
    function.attributes.add("nobuiltin")  # LLVM's x * x for pow(x, 2) can differ in the last bit
    return _answer(code, builder.call(function, list(numbers)), numbers)


def _answer(code: Code, answer: Value, numbers: Values) -> Value:
    builder = code.builder

    def is_finite(number: Value) -> Value:
        return builder.fcmp_ordered("<", float_function(code, "llvm.fabs", number), F64(float("inf")))

    given_finite = is_finite(numbers[0])
    given_nan = builder.fcmp_unordered("uno", numbers[0], numbers[0])
    for number in numbers[1:]:
        given_finite = builder.and_(given_finite, is_finite(number))
        given_nan = builder.or_(given_nan, builder.fcmp_unordered("uno", number, number))
    is_nan = builder.fcmp_unordered("uno", answer, answer)
    none = builder.and_(is_nan, builder.not_(given_nan))
    beyond = builder.and_(given_finite, builder.not_(is_finite(answer)))
    code.stop_if(builder.or_(none, beyond))
    return answer


def _math_type(name: str, count: int) -> Typing:
    def typing(_context: Context, kinds: Kinds) -> Value:
        if len(kinds) != count:
            raise refused(f"it calls math.{name} with {counted(len(kinds), 'argument')}; compiled code takes {count}")
        check_numbers(f"math.{name}", kinds)
        return BOOL if name in _TESTS else FLOAT

    return typing


def _math(name: str) -> Generate:
    def generate(code: Code, _result: Kind, kinds: Kinds, values: Values) -> Value:
        numbers = [code.as_float(kind, value) for kind, value in zip(kinds, values, strict=True)]
        if name == "sqrt":
            return _answer(code, float_function(code, "llvm.sqrt", numbers[0]), numbers)
        if name == "fabs":
            return float_function(code, "llvm.fabs", numbers[0])
        if name in ("degrees", "radians"):
            factor = 180.0 / 3.141592653589793 if name == "degrees" else 3.141592653589793 / 180.0
            return code.builder.fmul(numbers[0], F64(factor))
        if name in _TESTS:
            return _TESTS[name](code, numbers[0])
        if name == "copysign":  # the sign of a NaN depends on what the compiler works out in advance
            code.stop_if(code.builder.fcmp_unordered("uno", numbers[1], numbers[1]))
        return c_function(code, name, numbers)

    return generate


def _is_finite(code: Code, number: Value) -> Value:
    return code.builder.fcmp_ordered("<", float_function(code, "llvm.fabs", number), F64(float("inf")))


_TESTS: dict[str, Callable[[Code, Value], Value]] = {
    "isnan": lambda code, number: code.builder.fcmp_unordered("uno", number, number),
    "isinf": lambda code, number: code.builder.fcmp_ordered(
        "==", float_function(code, "llvm.fabs", number), F64(float("inf"))
    ),
    "isfinite": _is_finite,
}


def _to_int(code: Code, result: Kind, kinds: Kinds, values: Values) -> Value:
    if is_real(kinds[0]):
        return code.from_float(float_function(code, "llvm.trunc", code.as_float(kinds[0], values[0])))
    return code.same(result, kinds[0], values[0])


def to_int_type(what: str) -> Typing:
    def typing(_context: Context, kinds: Kinds) -> Value:
        check_numbers(what, kinds)
        return INT if is_real(kinds[0]) else same_int(kinds[0])

    return typing


def _to_float(code: Code, _result: Kind, kinds: Kinds, values: Values) -> Value:
    return code.as_float(kinds[0], values[0])


def _to_float_type(_context: Context, kinds: Kinds) -> Kind:
    check_numbers("float()", kinds)
    return FLOAT


def _rounded(code: Code, result: Kind, kinds: Kinds, values: Values) -> Value:
    if is_real(kinds[0]):
        return code.from_float(float_function(code, "llvm.rint", code.as_float(kinds[0], values[0])))
    return code.same(result, kinds[0], values[0])


def _floor_or_ceil(name: str) -> Generate:
    def generate(code: Code, result: Kind, kinds: Kinds, values: Values) -> Value:
        if is_real(kinds[0]):
            return code.from_float(float_function(code, f"llvm.{name}", code.as_float(kinds[0], values[0])))
        return code.same(result, kinds[0], values[0])

    return generate


def _addend_type(_context: Context, kinds: Kinds) -> Kind:
    check_numbers("sum()", kinds)
    if is_real(kinds[0]):
        raise refused("it adds up floats with sum(), which Python and NumPy round differently; use a for loop")
    return same_int(kinds[0])


_OF_TWO = ("atan2", "fmod", "pow", "copysign")


define("addend", _addend_type, _to_int)
define("int", to_int_type("int()"), _to_int)
define("float", _to_float_type, _to_float)
define("round", to_int_type("round()"), _rounded)
for _name in MATH:
    if _name in ("floor", "ceil", "trunc"):
        define(f"math_{_name}", to_int_type(f"math.{_name}"), _floor_or_ceil(_name))
    else:
        define(f"math_{_name}", _math_type(_name, 2 if _name in _OF_TWO else 1), _math(_name))

"""/ // % divmod and **."""

from __future__ import annotations

import operator

from numba.core import cgutils, types

from bestfirst.compiled.compiler.numba_types import Context, Kind, Kinds, Value, Values
from bestfirst.compiled.compiler.operations.functions import c_function
from bestfirst.compiled.compiler.operations.integers import product
from bestfirst.compiled.compiler.operations.whole import (
    F64,
    FLOAT,
    I1,
    I64,
    INT,
    LEAST,
    WORD,
    Code,
    Generate,
    Int,
    Typing,
    check_numbers,
    define,
    is_float,
    is_mixed,
    is_real,
    is_signed,
    lazy_type,
    numba_s_own,
    real_type,
)


def _quotient_type(what: str) -> Typing:
    def typing(_context: Context, kinds: Kinds) -> Value:
        check_numbers(what, kinds)
        return real_type(kinds) or (INT if all(map(is_signed, kinds)) else WORD)

    return typing


def _divided(code: Code, kinds: Kinds, values: Values) -> tuple[Value, Value]:
    """The floor quotient and the remainder of two ints."""
    builder = code.builder
    left, right = (code.exact(kind, value) for kind, value in zip(kinds, values, strict=True))
    none = builder.icmp_signed("==", right.low, I64(0))
    code.stop_if(none)
    if left.signed and right.signed:
        beyond = builder.and_(builder.icmp_signed("==", left.low, I64(LEAST)), builder.icmp_signed("==", right.low, I64(-1)))
        code.stop_if(beyond)
        quotient, rest = builder.sdiv(left.low, right.low), builder.srem(left.low, right.low)
        uneven = builder.icmp_signed("!=", rest, I64(0))
        down = builder.and_(uneven, code.negative(builder.xor(rest, right.low)))
        quotient = builder.sub(quotient, builder.zext(down, I64))
        return quotient, builder.select(down, builder.add(rest, right.low), rest)
    for part in (left, right):
        if part.signed:
            code.stop_if(code.negative(part.low))
    return builder.udiv(left.low, right.low), builder.urem(left.low, right.low)


def _quotient(name: str) -> Generate:
    def generate(code: Code, result: Kind, kinds: Kinds, values: Values) -> Value:
        if is_real(result):
            exactly = is_mixed(result)
            floats = [code.as_float(kind, value, exactly=exactly) for kind, value in zip(kinds, values, strict=True)]
            code.stop_if(code.builder.fcmp_ordered("==", floats[1], F64(0.0)))
            found = numba_s_own(code, getattr(operator, name), FLOAT, (FLOAT, FLOAT), floats)
            return code.mixed_result(found, code.all_ints(kinds, values)) if exactly else found
        quotient, rest = _divided(code, kinds, values)
        return code.made(result, Int(quotient if name == "floordiv" else rest, None, is_signed(result)))

    return generate


def _divmod_type(context: Context, kinds: Kinds) -> Kind:
    return types.UniTuple(_quotient_type("divmod")(context, kinds), 2)


def _divmod(code: Code, result: Kind, kinds: Kinds, values: Values) -> Value:
    if is_real(result.dtype):
        parts = [_quotient(name)(code, result.dtype, kinds, values) for name in ("floordiv", "mod")]
    else:
        signed = is_signed(result.dtype)
        parts = [code.made(result.dtype, Int(part, None, signed)) for part in _divided(code, kinds, values)]
    return code.context.make_tuple(code.builder, result, parts)


def _true_quotient_type(_context: Context, kinds: Kinds) -> Kind:
    check_numbers("/", kinds)
    return FLOAT


def _true_quotient(code: Code, _result: Kind, kinds: Kinds, values: Values) -> Value:
    exactly = not any(map(is_float, kinds))  # Python divides the ints exactly; floats equal to them give the same
    one, other = (code.as_float(kind, value, exactly=exactly) for kind, value in zip(kinds, values, strict=True))
    code.stop_if(code.builder.fcmp_ordered("==", other, F64(0.0)))
    return code.builder.fdiv(one, other)


LARGEST_POWER_WRITTEN_OUT = 8


def _power_type(_context: Context, kinds: Kinds) -> Kind:
    check_numbers("**", kinds)
    real = real_type(kinds)
    if real is not None:
        return real
    exponent = kinds[1]
    if isinstance(exponent, types.IntegerLiteral) and exponent.literal_value < 0:
        return FLOAT
    return lazy_type(kinds[0])


def _power(code: Code, result: Kind, kinds: Kinds, values: Values) -> Value:
    if is_real(result):
        exactly = is_mixed(result)
        base, exponent = (code.as_float(kind, value, exactly=exactly) for kind, value in zip(kinds, values, strict=True))
        found = c_function(code, "pow", [base, exponent])
        if not exactly:
            return found
        is_whole = code.builder.and_(code.all_ints(kinds, values), code.builder.fcmp_ordered(">=", exponent, F64(0.0)))
        return code.mixed_result(found, is_whole)
    base = code.int_of(kinds[0], values[0])
    exponent_type = kinds[1]
    if isinstance(exponent_type, types.IntegerLiteral) and exponent_type.literal_value <= LARGEST_POWER_WRITTEN_OUT:
        found = Int(I64(1), None, base.signed)
        for _ in range(exponent_type.literal_value):
            low, over = product(code, found, base)
            found = Int(low, code.either(found.over, over, base.over), base.signed)
        return code.made(result, found)
    return code.made(result, _power_by_squares(code, base, code.as_int64(exponent_type, values[1])))


def _power_by_squares(code: Code, base: Int, exponent: Value) -> Int:
    builder = code.builder
    code.stop_if(code.negative(exponent))  # the power would be a float
    numbers = [cgutils.alloca_once_value(builder, value) for value in (I64(1), base.low, exponent)]
    overs = [cgutils.alloca_once_value(builder, value) for value in (I1(0), I1(0) if base.over is None else base.over)]
    (power, square, left), (power_over, square_over) = numbers, overs
    loop, body, end = (builder.append_basic_block(name) for name in ("power", "power.body", "power.end"))
    builder.branch(loop)
    builder.position_at_end(loop)
    builder.cbranch(builder.icmp_signed("!=", builder.load(left), I64(0)), body, end)
    builder.position_at_end(body)
    is_odd = builder.trunc(builder.load(left), I1)
    factor = Int(builder.load(square), None, base.signed)
    low, over = product(code, Int(builder.load(power), None, base.signed), factor)
    over = code.either(over, builder.load(power_over), builder.load(square_over))
    builder.store(builder.select(is_odd, low, builder.load(power)), power)
    builder.store(builder.select(is_odd, over, builder.load(power_over)), power_over)
    low, over = product(code, factor, factor)
    builder.store(builder.or_(over, builder.load(square_over)), square_over)
    builder.store(low, square)
    builder.store(builder.lshr(builder.load(left), I64(1)), left)
    builder.branch(loop)
    builder.position_at_end(end)
    return Int(builder.load(power), builder.load(power_over), base.signed)


for _name, _sign in (("floordiv", "//"), ("mod", "%")):
    define(_name, _quotient_type(_sign), _quotient(_name))
define("divmod", _divmod_type, _divmod)
define("truediv", _true_quotient_type, _true_quotient)
define("pow", _power_type, _power, literal=True)

"""+ - * << >> & | ^ ~ and signs: operations whose results may need more than 64 bits."""

from __future__ import annotations

from llvmlite import ir

from bestfirst.compiled.compiler.numba_types import Context, Kind, Kinds, Value, Values
from bestfirst.compiled.compiler.operations.whole import (
    BOOL,
    I1,
    I64,
    INT,
    LAZY,
    LAZY_WORD,
    WORD,
    Code,
    Generate,
    Int,
    Typing,
    Wide,
    check_numbers,
    define,
    float_function,
    is_bool,
    is_lazy,
    is_mixed,
    is_real,
    is_signed,
    lazy_type,
    number_type,
    real_type,
    same_int,
    unchanged,
    wide_type,
    widest,
)


def _arithmetic(name: str, sign: str) -> None:
    def typing(_context: Context, kinds: Kinds) -> Value:
        check_numbers(sign, kinds)
        if name != "mul" and widest(kinds) and not any(map(is_real, kinds)):
            return wide_type(widest(kinds))
        return real_type(kinds) or lazy_type(*(kinds[:1] if name == "sub" else kinds))

    def generate(code: Code, result: Kind, kinds: Kinds, values: Values) -> Value:
        if is_real(result):
            exactly = is_mixed(result)
            one, other = (code.as_float(kind, value, exactly=exactly) for kind, value in zip(kinds, values, strict=True))
            found = getattr(code.builder, f"f{name}")(one, other)
            return code.mixed_result(found, code.all_ints(kinds, values)) if exactly else found
        if isinstance(result, Wide):
            one, other = (code.as_wide(kind, value, result.bits) for kind, value in zip(kinds, values, strict=True))
            found, over = code.overflowing(f"s{name}", one, other)
            code.stop_if(over)
            return found
        left, right = (code.int_of(kind, value) for kind, value in zip(kinds, values, strict=True))
        low, over = _OVERFLOWS[name](code, left, right)
        return code.made(result, Int(low, code.either(left.over, right.over, over), is_signed(result)))

    define(name, typing, generate)


def _sum(code: Code, left: Int, right: Int) -> tuple[Value, Value]:
    if left.signed and right.signed:
        return code.overflowing("sadd", left.low, right.low)
    low, carry = code.overflowing("uadd", left.low, right.low)
    for part in (left, right):
        if part.signed:
            carry = code.builder.xor(carry, code.negative(part.low))
    return low, carry


def _difference(code: Code, left: Int, right: Int) -> tuple[Value, Value]:
    if left.signed and right.signed:
        return code.overflowing("ssub", left.low, right.low)
    low, borrow = code.overflowing("usub", left.low, right.low)
    if not left.signed:
        return low, code.builder.xor(borrow, code.negative(right.low)) if right.signed else borrow
    builder = code.builder  # an int64 minus a word: the sign must be found in the 65th bit
    taken = builder.add(builder.zext(code.negative(left.low), I64), builder.zext(borrow, I64))
    return low, builder.icmp_unsigned("!=", taken, builder.zext(code.negative(low), I64))


def product(code: Code, left: Int, right: Int) -> tuple[Value, Value]:
    if left.signed and right.signed:
        return code.overflowing("smul", left.low, right.low)
    low, over = code.overflowing("umul", left.low, right.low)
    for part in (left, right):
        if part.signed:
            over = code.builder.or_(over, code.negative(part.low))
    return low, over


_OVERFLOWS = {"add": _sum, "sub": _difference, "mul": product}


def _shifted_left(code: Code, result: Kind, kinds: Kinds, values: Values) -> Value:
    builder = code.builder
    if isinstance(result, Wide):
        return _wide_shifted_left(code, result, values[0], code.as_int64(kinds[1], values[1]))
    number, count = code.int_of(kinds[0], values[0]), code.as_int64(kinds[1], values[1])
    code.stop_if(code.negative(count))
    within = builder.and_(count, I64(63))
    shifted = builder.shl(number.low, within)
    back = (builder.ashr if number.signed else builder.lshr)(shifted, within)
    too_far = builder.icmp_signed(">", count, I64(63))
    lost = builder.select(
        too_far, builder.icmp_signed("!=", number.low, I64(0)), builder.icmp_signed("!=", back, number.low)
    )
    low = builder.select(too_far, I64(0), shifted)
    return code.made(result, Int(low, code.either(number.over, lost), number.signed))


def _wide_shifted_left(code: Code, result: Kind, number: Value, count: Value) -> Value:
    """A wide int shifted left; a stop if that needs more bits."""
    builder, kind = code.builder, ir.IntType(result.bits)
    code.stop_if(code.negative(count))
    too_far = builder.icmp_unsigned(">=", count, I64(result.bits))
    within = builder.zext(builder.select(too_far, I64(0), count), kind)
    shifted = builder.shl(number, within)
    is_lost = builder.icmp_signed("!=", builder.ashr(shifted, within), number)
    is_nothing = builder.icmp_signed("==", number, kind(0))
    code.stop_if(builder.or_(is_lost, builder.and_(too_far, builder.not_(is_nothing))))
    return shifted


def _shifted_right(code: Code, result: Kind, kinds: Kinds, values: Values) -> Value:
    builder = code.builder
    if isinstance(result, Wide):
        count = code.as_int64(kinds[1], values[1])
        code.stop_if(code.negative(count))
        last = I64(result.bits - 1)
        near = builder.select(builder.icmp_unsigned(">", count, last), last, count)
        return builder.ashr(values[0], builder.zext(near, ir.IntType(result.bits)))
    number, count = code.exact(kinds[0], values[0]), code.as_int64(kinds[1], values[1])
    code.stop_if(code.negative(count))
    # a negative count, whose stop may be deferred, is too far as well: LLVM leaves such shifts, and all that follows, undefined
    too_far = builder.icmp_unsigned(">", count, I64(63))
    if number.signed:
        return code.made(result, Int(builder.ashr(number.low, builder.select(too_far, I64(63), count)), None))
    shifted = builder.lshr(number.low, builder.and_(count, I64(63)))
    return code.made(result, Int(builder.select(too_far, I64(0), shifted), None, signed=False))


def _shift_type(what: str) -> Typing:
    def typing(_context: Context, kinds: Kinds) -> Value:
        check_numbers(what, kinds, whole=True)
        if isinstance(kinds[0], Wide):
            return kinds[0]
        if what == "<<":
            return lazy_type(kinds[0])
        return INT if is_signed(kinds[0]) else WORD

    return typing


def _negated_type(kind: Kind) -> Kind:
    return kind if isinstance(kind, Wide) else lazy_type(kind)


def _negated(code: Code, result: Kind, kinds: Kinds, values: Values) -> Value:
    if isinstance(result, Wide):
        found, over = code.overflowing("ssub", ir.IntType(result.bits)(0), values[0])
        code.stop_if(over)
        return found
    if is_real(result):
        negative = code.builder.fneg(code.as_float(kinds[0], values[0]))
        return code.mixed(negative, code.is_int(kinds[0], values[0])) if is_mixed(result) else negative
    number, zero = code.int_of(kinds[0], values[0]), I64(0)
    if number.signed:
        low, over = code.overflowing("ssub", zero, number.low)
    else:
        low, over = code.builder.neg(number.low), code.builder.icmp_signed("!=", number.low, zero)
    return code.made(result, Int(low, code.either(number.over, over), number.signed))


def _inverted(code: Code, result: Kind, kinds: Kinds, values: Values) -> Value:
    if isinstance(result, Wide):
        return code.builder.not_(values[0])
    number = code.int_of(kinds[0], values[0])
    over = number.over if number.signed else I1(1)
    return code.made(result, Int(code.builder.not_(number.low), over, number.signed))


def _inverted_type(_context: Context, kinds: Kinds) -> Kind:
    check_numbers("~", kinds, whole=True)
    if isinstance(kinds[0], Wide):
        return kinds[0]
    return INT if is_signed(kinds[0]) and not is_lazy(kinds[0]) else lazy_type(kinds[0])


def _absolute(code: Code, result: Kind, kinds: Kinds, values: Values) -> Value:
    builder = code.builder
    if is_real(result):
        found = float_function(code, "llvm.fabs", code.as_float(kinds[0], values[0]))
        return code.mixed(found, code.is_int(kinds[0], values[0])) if is_mixed(result) else found
    whole = code.exact(kinds[0], values[0])
    if not whole.signed:
        return code.made(result, whole)
    low = builder.select(code.negative(whole.low), builder.neg(whole.low), whole.low)
    return code.made(result, Int(low, code.negative(low)))


def _bits_type(name: str, sign: str) -> Typing:
    def typing(_context: Context, kinds: Kinds) -> Value:
        check_numbers(sign, kinds, whole=True)
        if all(map(is_bool, kinds)):
            return BOOL
        if widest(kinds):
            return wide_type(widest(kinds))
        lazy = any(map(is_lazy, kinds))
        if all(map(is_signed, kinds)):
            return LAZY if lazy else INT
        exact_words = [kind for kind in kinds if not is_signed(kind) and not is_lazy(kind)]
        if name == "and":
            return WORD if exact_words else LAZY_WORD
        return WORD if len(exact_words) == 2 else LAZY_WORD

    return typing


def _bits(name: str) -> Generate:
    def generate(code: Code, result: Kind, kinds: Kinds, values: Values) -> Value:
        operation = getattr(code.builder, name if name == "xor" else f"{name}_")
        if is_bool(result):
            return operation(*values)
        if isinstance(result, Wide):
            return operation(*(code.as_wide(kind, value, result.bits) for kind, value in zip(kinds, values, strict=True)))
        left, right = (code.int_of(kind, value) for kind, value in zip(kinds, values, strict=True))
        low = operation(left.low, right.low)
        over = None
        if is_lazy(result):
            over = _over_of_and(code, left, right) if name == "and" else _over_of_or(code, left, right, result)
        return code.made(result, Int(low, over, is_signed(result)))

    return generate


def _over_of_and(code: Code, left: Int, right: Int) -> Value:
    """`a & b` is known completely if one of them is and is not negative, or both are."""
    builder = code.builder
    doubts = []
    for part in (left, right):
        over = I1(0) if part.over is None else part.over
        doubts.append(builder.or_(over, code.negative(part.low)) if part.signed else over)
    either = code.either(left.over, right.over)
    return builder.and_(builder.and_(*doubts), I1(0) if either is None else either)


def _over_of_or(code: Code, left: Int, right: Int, result: Kind) -> Value:
    negatives = [code.negative(part.low) for part in (left, right) if part.signed and not is_signed(result)]
    return code.either(left.over, right.over, *negatives)


def _bit_count_type(_context: Context, kinds: Kinds) -> Kind:
    check_numbers("bit_count()", kinds, whole=True)
    return INT


def _bit_count(code: Code, _result: Kind, kinds: Kinds, values: Values) -> Value:
    if isinstance(kinds[0], Wide):
        return code.builder.trunc(code.builder.ctpop(_wide_magnitude(code, kinds[0], values[0])), I64)
    number = code.exact(kinds[0], values[0])
    return code.builder.ctpop(code.magnitude(number) if number.signed else number.low)


def _wide_magnitude(code: Code, kind: Kind, value: Value) -> Value:
    builder = code.builder
    return builder.select(builder.icmp_signed("<", value, ir.IntType(kind.bits)(0)), builder.neg(value), value)


def _bit_length(code: Code, _result: Kind, kinds: Kinds, values: Values) -> Value:
    if isinstance(kinds[0], Wide):
        zeros = code.builder.ctlz(_wide_magnitude(code, kinds[0], values[0]), I1(0))
        return code.builder.sub(I64(kinds[0].bits), code.builder.trunc(zeros, I64))
    number = code.exact(kinds[0], values[0])
    bits = code.magnitude(number) if number.signed else number.low
    return code.builder.sub(I64(64), code.builder.ctlz(bits, I1(0)))


def _checked_place_type(_context: Context, kinds: Kinds) -> Kind:
    check_numbers("an index", kinds, whole=True)
    return INT


def _checked_place(code: Code, _result: Kind, kinds: Kinds, values: Values) -> Value:
    place, length = (code.as_int64(kind, value) for kind, value in zip(kinds, values, strict=True))
    code.stop_if(code.builder.icmp_unsigned(">=", place, length))
    return place


for _name, _sign in (("add", "+"), ("sub", "-"), ("mul", "*")):
    _arithmetic(_name, _sign)
for _name, _sign in (("and", "&"), ("or", "|"), ("xor", "^")):
    define(_name, _bits_type(_name, _sign), _bits(_name))
define("lshift", _shift_type("<<"), _shifted_left)
define("rshift", _shift_type(">>"), _shifted_right)
define("neg", number_type("-", _negated_type), _negated)
define("pos", number_type("+", same_int), unchanged)
define("invert", _inverted_type, _inverted)
define("abs", number_type("abs()", lazy_type), _absolute)
define("bit_count", _bit_count_type, _bit_count)
define("bit_length", _bit_count_type, _bit_length)
define("place", _checked_place_type, _checked_place)

"""Comparisons, truth, max and min."""

from __future__ import annotations

import operator

from llvmlite import ir
from numba.core import errors, types

from bestfirst.compiled.compiler.numba_types import Context, Kind, Kinds, Value, Values
from bestfirst.compiled.compiler.operations.tuples import PackedTuple, are_equal, check_comparable
from bestfirst.compiled.compiler.operations.whole import (
    BOOL,
    F64,
    FLOAT,
    I1,
    I64,
    INT,
    MIXED,
    WORD,
    Code,
    Generate,
    Int,
    Typing,
    Whole,
    Wide,
    check_members,
    check_numbers,
    define,
    in_words,
    is_bool,
    is_float,
    is_int,
    is_mixed,
    is_real,
    is_signed,
    members_of,
    numba_s_own,
    refused,
    widest,
)

_COMPARISONS = {"eq": "==", "ne": "!=", "lt": "<", "le": "<=", "gt": ">", "ge": ">="}


def _comparison_type(name: str, sign: str) -> Typing:
    def typing(context: Context, kinds: Kinds) -> Value:
        if all(is_int(kind) or is_real(kind) for kind in kinds) or check_comparable(kinds, sign):
            return BOOL
        if all(isinstance(kind, types.BaseTuple) for kind in kinds):
            if name not in ("eq", "ne"):
                for kind in kinds:
                    check_members(kind)
            if len({is_float(part) for kind in kinds for part in members_of(kind)}) > 1:
                raise refused("it compares tuples of ints and floats; compare their elements one by one")
            function = context.resolve_value_type(getattr(operator, name))
            try:
                if context.resolve_function_type(function, tuple(kinds), {}) is not None:
                    return BOOL
            except errors.TypingError:
                pass
        raise refused(f"it compares {in_words(kinds[0])} and {in_words(kinds[1])} with {sign}; compare numbers")

    return typing


def _comparison(name: str, sign: str) -> Generate:
    def generate(code: Code, _result: Kind, kinds: Kinds, values: Values) -> Value:
        builder = code.builder
        if any(isinstance(kind, PackedTuple) for kind in kinds):
            equal = are_equal(code, kinds, values)
            return equal if sign == "==" else builder.not_(equal)
        if isinstance(kinds[0], types.BaseTuple):
            for place, parts in enumerate(zip(*map(members_of, kinds), strict=False)):
                _stop_if_both_nan(code, parts, [builder.extract_value(value, place) for value in values])
            return numba_s_own(code, getattr(operator, name), BOOL, kinds, values)
        if all(map(is_real, kinds)):
            one, other = (code.as_float(kind, value) for kind, value in zip(kinds, values, strict=True))
            return (builder.fcmp_unordered if sign == "!=" else builder.fcmp_ordered)(sign, one, other)
        if is_real(kinds[0]):
            return _comparison_with_float(code, _TURNED[sign], kinds[::-1], values[::-1])
        if is_real(kinds[1]):
            return _comparison_with_float(code, sign, kinds, values)
        if widest(kinds):
            one, other = (code.as_wide(kind, value, widest(kinds)) for kind, value in zip(kinds, values, strict=True))
            return builder.icmp_signed(sign, one, other)
        left, right = (code.exact(kind, value) for kind, value in zip(kinds, values, strict=True))
        if left.signed == right.signed:
            return (builder.icmp_signed if left.signed else builder.icmp_unsigned)(sign, left.low, right.low)
        negative = code.negative(left.low if left.signed else right.low)
        then = I1(sign == "!=" or sign in (("<", "<=") if left.signed else (">", ">=")))
        return builder.select(negative, then, builder.icmp_unsigned(sign, left.low, right.low))

    return generate


def _member(code: Code, result: Kind, kinds: Kinds, values: Values) -> Value:
    """Whether a number is this member of a tuple."""
    _stop_if_both_nan(code, kinds, values)
    return _comparison("eq", "==")(code, result, kinds, values)


def _stop_if_both_nan(code: Code, kinds: Kinds, values: Values) -> None:
    """Stop for two that are not numbers: Python asks first whether the two members of tuples are the same object."""
    if all(map(is_real, kinds)):
        both = [code.as_float(kind, value) for kind, value in zip(kinds, values, strict=True)]
        code.stop_if(code.builder.and_(*(code.builder.fcmp_unordered("uno", one, one) for one in both)))


_TURNED = {"==": "==", "!=": "!=", "<": ">", "<=": ">=", ">": "<", ">=": "<="}


def _comparison_with_float(code: Code, sign: str, kinds: Kinds, values: Values) -> Value:
    """A comparison of an int and a float: as floats, and if the int converts to that float, as ints."""
    builder = code.builder
    number, other = code.exact(kinds[0], values[0]), code.as_float(kinds[1], values[1])
    rounded = (builder.sitofp if number.signed else builder.uitofp)(number.low, F64)
    by_floats = (builder.fcmp_unordered if sign == "!=" else builder.fcmp_ordered)(sign, rounded, other)
    most = 2.0**63 if number.signed else 2.0**64
    beyond = builder.fcmp_ordered(">=", other, F64(most))
    inside = builder.select(beyond, F64(0.0), other)
    inside = builder.select(builder.fcmp_ordered("==", rounded, other), inside, F64(0.0))
    back = (builder.fptosi if number.signed else builder.fptoui)(inside, I64)
    compare = builder.icmp_signed if number.signed else builder.icmp_unsigned
    by_ints = builder.select(beyond, I1(sign in ("<", "<=", "!=")), compare(sign, number.low, back))
    return builder.select(builder.fcmp_ordered("==", rounded, other), by_ints, by_floats)


# truth, conversions, max and min


def _truth_type(_context: Context, kinds: Kinds) -> Kind:
    if not (is_int(kinds[0]) or is_real(kinds[0])):
        raise refused(f"it tests whether {in_words(kinds[0])} is true; compare numbers instead")
    return BOOL


def _truth(code: Code, _result: Kind, kinds: Kinds, values: Values) -> Value:
    if is_bool(kinds[0]):
        return values[0]
    if isinstance(kinds[0], Wide):
        return code.builder.icmp_signed("!=", values[0], ir.IntType(kinds[0].bits)(0))
    if is_real(kinds[0]):
        return code.builder.fcmp_unordered("!=", code.as_float(kinds[0], values[0]), F64(0.0))
    return code.builder.icmp_signed("!=", code.exact(kinds[0], values[0]).low, I64(0))


def _members(kinds: Kinds) -> Kinds:
    """The values that max and min compare: the operands, or the members of the only one."""
    if len(kinds) == 1 and isinstance(kinds[0], types.BaseTuple):
        check_members(kinds[0])
        return tuple(types.unliteral(kind) for kind in members_of(kinds[0]))
    return kinds


def _extreme_type(name: str) -> Typing:
    def typing(_context: Context, kinds: Kinds) -> Value:
        members = _members(kinds)
        check_numbers(f"{name}()", members)
        if len(members) == 0 or (len(kinds) == 1 and members is kinds):
            raise refused(f"it calls {name} with a single number or an empty tuple; pass two numbers or more")
        if any(map(is_real, members)):
            return FLOAT if all(map(is_float, members)) else MIXED
        if all(map(is_bool, members)):
            return BOOL
        return INT if all(map(is_signed, members)) else WORD

    return typing


def _extreme(sign: str) -> Generate:
    def generate(code: Code, result: Kind, kinds: Kinds, values: Values) -> Value:
        builder, members = code.builder, _members(kinds)
        if members is not kinds:
            values = [builder.extract_value(values[0], place) for place in range(len(members))]
        if is_bool(result):
            numbers, compare = list(values), builder.icmp_unsigned
        elif is_real(result):
            return _extreme_of_reals(code, sign, result, members, values)
        else:
            wholes = [code.exact(kind, value) for kind, value in zip(members, values, strict=True)]
            if not is_signed(result):
                for whole in wholes:
                    if whole.signed:
                        code.stop_if(code.negative(whole.low))
            numbers, compare = [whole.low for whole in wholes], builder.icmp_signed
            if not is_signed(result):
                compare = builder.icmp_unsigned
        found, *others = numbers
        for other in others:
            found = builder.select(compare(sign, other, found), other, found)
        return found if not isinstance(result, Whole) else code.made(result, Int(found, None, signed=False))

    return generate


def _extreme_of_reals(code: Code, sign: str, result: Kind, kinds: Kinds, values: Values) -> Value:
    builder = code.builder
    numbers = [code.as_float(kind, value, exactly=True) for kind, value in zip(kinds, values, strict=True)]
    (found, is_whole), *others = zip(numbers, map(code.is_int, kinds, values), strict=True)
    for other, other_is_whole in others:
        is_beyond = builder.fcmp_ordered(sign, other, found)
        found, is_whole = builder.select(is_beyond, other, found), builder.select(is_beyond, other_is_whole, is_whole)
    return code.mixed(found, is_whole) if is_mixed(result) else found


for _name, _sign in _COMPARISONS.items():
    define(_name, _comparison_type(_name, _sign), _comparison(_name, _sign))
define("member", _comparison_type("eq", "in"), _member)
for _name in ("bool", "truth"):
    define(_name, _truth_type, _truth)
for _name, _sign in (("max", ">"), ("min", "<")):
    define(_name, _extreme_type(_name), _extreme(_sign))

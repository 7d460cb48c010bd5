"""Values that must be known completely, and proofs that they are: values, fields, variables, loops."""

from __future__ import annotations

from math import inf

from numba.core import types

from bestfirst.compiled.compiler.numba_types import Context, Kind, Kinds, Value, Values
from bestfirst.compiled.compiler.operations.whole import (
    F64,
    INT,
    WORD,
    Code,
    Generate,
    Int,
    define,
    exact_type,
    float_function,
    in_words,
    is_float,
    is_int,
    members_of,
    number_type,
    refused,
)
from bestfirst.compiled.compiler.specialise import BEYOND_MIXED, LARGEST_SUMMAND
from bestfirst.rounding import LARGEST_PART


def _exact_of(_context: Context, kinds: Kinds) -> Value:
    return exact_type(kinds[0])


def exact_value(code: Code, result: Kind, kinds: Kinds, values: Values) -> Value:
    kind, value = types.unliteral(kinds[0]), values[0]
    if result == kind:
        return value
    if isinstance(kind, types.BaseTuple):
        parts = [
            exact_value(code, exact_type(part), [part], [code.builder.extract_value(value, place)])
            for place, part in enumerate(members_of(kind))
        ]
        return code.context.make_tuple(code.builder, result, parts)
    return code.made(result, code.exact(kind, value))


def _count_type(_context: Context, kinds: Kinds) -> Kind:
    if not is_int(kinds[0]):
        raise refused(f"it passes {in_words(kinds[0])} to range(); use an int")
    return INT


def _index_type(_context: Context, kinds: Kinds) -> Kind:
    if not is_int(kinds[0]):
        raise refused(f"it passes {in_words(kinds[0])} where an int is needed; use an int")
    return INT


def count_value(code: Code, _result: Kind, kinds: Kinds, values: Values) -> Value:
    return code.as_int64(kinds[0], values[0])


def _whole_type(_context: Context, kinds: Kinds) -> Kind:
    if not is_int(kinds[0]):
        raise refused(f"a field of the state is {in_words(kinds[0])}, not an int; use // instead of /, or int()")
    return INT


def _field(code: Code, _result: Kind, kinds: Kinds, values: Values) -> Value:
    """A field of 64 bits: a non-negative int, as a word."""
    number = code.exact(kinds[0], values[0])
    if number.signed:
        code.stop_if(code.negative(number.low))
    return number.low


def _word_type(_context: Context, _kinds: Kinds) -> Kind:
    return WORD


def _word(code: Code, result: Kind, kinds: Kinds, values: Values) -> Value:
    return code.made(result, Int(code.int_of(kinds[0], values[0]).low, None, signed=False))


def _bound_type(_context: Context, kinds: Kinds) -> Kind:
    return types.unliteral(kinds[0])


def _bound(code: Code, _result: Kind, _kinds: Kinds, values: Values) -> Value:
    code.stop_if(code.builder.not_(values[1]))
    return values[0]


def _low_type(_context: Context, kinds: Kinds) -> Kind:
    return exact_type(kinds[0])


def _low(code: Code, result: Kind, kinds: Kinds, values: Values) -> Value:
    if types.unliteral(kinds[0]) == result:
        return values[0]
    number = code.int_of(kinds[0], values[0])
    return code.made(result, Int(number.low, None, number.signed))


def _accumulated(name: str) -> Generate:
    """A sum or difference that cannot overflow, since the loop was entered with room for it."""

    def generate(code: Code, result: Kind, kinds: Kinds, values: Values) -> Value:
        operation = "add" if name == "accumulate" else "sub"
        if is_float(result):
            one, other = (code.as_float(kind, value) for kind, value in zip(kinds, values, strict=True))
            return getattr(code.builder, f"f{operation}")(one, other)
        one, other = (code.as_int64(kind, value) for kind, value in zip(kinds, values, strict=True))
        return getattr(code.builder, operation)(one, other)

    return generate


def _nothing(_context: Context, _kinds: Kinds) -> Value:
    return types.none


def _span(code: Code, _result: Kind, kinds: Kinds, values: Values) -> Value:
    """Stop if a range is longer than Numba can count."""
    start, stop = (code.as_int64(kind, value) for kind, value in zip(kinds, values, strict=True))
    _low, over = code.overflowing("ssub", stop, start)
    code.stop_if(over)
    return code.context.get_dummy_value()


def _checked(code: Code, _result: Kind, _kinds: Kinds, _values: Values) -> Value:
    code.stop_if(code.builder.load(code.failed()))
    return code.context.get_dummy_value()


def _within(code: Code, _result: Kind, kinds: Kinds, values: Values) -> Value:
    number, least, beyond = (code.int_of(kind, value).low for kind, value in zip(kinds, values, strict=True))
    builder = code.builder
    if isinstance(kinds[1], types.IntegerLiteral) and kinds[1].literal_value == 0:
        builder.assume(builder.icmp_unsigned("<", number, beyond))
    builder.assume(builder.icmp_signed(">=", number, least))
    builder.assume(builder.icmp_signed("<", number, beyond))
    return number


def _summand(code: Code, _result: Kind, kinds: Kinds, values: Values) -> Value:
    found = exact_value(code, exact_type(kinds[0]), kinds, values)
    magnitude = float_function(code, "llvm.fabs", code.as_float(kinds[0], values[0]))
    builder = code.builder
    is_large = builder.fcmp_ordered(">", magnitude, F64(LARGEST_SUMMAND))
    code.stop_if(builder.and_(is_large, code.is_int(kinds[0], values[0])))
    is_inexact = builder.fcmp_ordered(">", magnitude, F64(BEYOND_MIXED))  # Python adds it to an int cost as an int
    code.stop_if(builder.and_(is_inexact, builder.fcmp_ordered("<", magnitude, F64(inf))))
    return found


def _finite(code: Code, _result: Kind, kinds: Kinds, values: Values) -> Value:
    found = exact_value(code, exact_type(kinds[0]), kinds, values)
    magnitude = float_function(code, "llvm.fabs", code.as_float(kinds[0], values[0]))
    is_large = code.builder.fcmp_ordered(">", magnitude, F64(LARGEST_PART))
    code.stop_if(code.builder.and_(is_large, code.builder.fcmp_ordered("<", magnitude, F64(inf))))
    return found


def _within_type(_context: Context, _kinds: Kinds) -> Kind:
    return INT


define("exact", _exact_of, exact_value)
define("count", _count_type, count_value)
define("index", _index_type, count_value)
define("whole", _whole_type, count_value)
define("field", _whole_type, _field)
define("word", _word_type, _word)
define("bound", _bound_type, _bound)
define("low", _low_type, _low)
for _name, _sign in (("accumulate", "+"), ("decumulate", "-")):
    define(_name, number_type(_sign, lambda _kind: INT), _accumulated(_name))
define("span", _nothing, _span)
define("checked", _nothing, _checked)
define("summand", _exact_of, _summand)
define("finite", _exact_of, _finite)
define("within", _within_type, _within, literal=True)

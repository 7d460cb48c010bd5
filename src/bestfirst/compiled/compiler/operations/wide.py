"""Wide ints: ints of more than 64 bits, such as fields of states that are sets of many elements.

A value of a wide type of n bits is any signed int of n bits, and is known completely. An operation whose result needs more bits
stops. In operations that have no code for wide ints, one counts as its lowest 64 bits, if it has no others.
"""

from __future__ import annotations

import operator

from llvmlite import ir
from numba.core import cgutils, types
from numba.core.datamodel import models
from numba.core.imputils import RefType, iternext_impl, lower_cast
from numba.core.typing.templates import AbstractTemplate, infer_global
from numba.extending import lower_builtin, register_model

from bestfirst.compiled.compiler.numba_types import Builder, Context, Kind, Kinds, Signature, Value, Values
from bestfirst.compiled.compiler.operations.whole import (
    BOOL,
    I64,
    INT,
    RESULT_SITE,
    Code,
    Whole,
    Wide,
    check_numbers,
    define,
    is_int,
    members_of,
    refused,
    wide_type,
)
from bestfirst.state_packing import WORD


@register_model(Wide)
class _Model(models.PrimitiveModel):
    def __init__(self, manager: object, kind: Kind) -> None:
        super().__init__(manager, kind, ir.IntType(kind.bits))


def _wide(_context: Context, kinds: Kinds) -> Kind:
    if not is_int(kinds[0]):
        check_numbers("<<", kinds[:1], whole=True)
    return wide_type(kinds[1].literal_value) if isinstance(kinds[1], types.IntegerLiteral) else None


def _as_wide(code: Code, result: Kind, kinds: Kinds, values: Values) -> Value:
    return code.as_wide(kinds[0], values[0], result.bits)


def _wide_field(_context: Context, kinds: Kinds) -> Kind:
    if not is_int(kinds[0]):
        raise refused("a field of the state is not an int; use // instead of /, or int()")
    return wide_type(kinds[1].literal_value) if isinstance(kinds[1], types.IntegerLiteral) else None


def _from_words(code: Code, words: list[Value], bits: int) -> Value:
    builder, kind = code.builder, ir.IntType(bits)
    found = kind(0)
    for place, word in enumerate(words):
        found = builder.or_(found, builder.shl(builder.zext(word, kind), kind(place * WORD)))
    return found


def _wide_from_type(_context: Context, kinds: Kinds) -> Kind:
    return wide_type(kinds[1].literal_value)


def _wide_from(code: Code, result: Kind, _kinds: Kinds, values: Values) -> Value:
    return _from_words(code, cgutils.unpack_tuple(code.builder, values[0]), result.bits)


def _wide_at(code: Code, result: Kind, kinds: Kinds, values: Values) -> Value:
    data = code.context.make_array(kinds[0])(code.context, code.builder, values[0]).data
    count = result.bits // WORD
    return _from_words(
        code, [code.builder.load(code.builder.gep(data, [I64(place)])) for place in range(count)], result.bits
    )


def _word_type(_context: Context, _kinds: Kinds) -> Kind:
    return INT


def _wide_word(code: Code, _result: Kind, kinds: Kinds, values: Values) -> Value:
    builder, kind = code.builder, ir.IntType(kinds[0].bits)
    return builder.trunc(builder.lshr(values[0], kind(kinds[1].literal_value * WORD)), I64)


def _fits_type(_context: Context, _kinds: Kinds) -> Kind:
    return BOOL


def _fits(code: Code, _result: Kind, kinds: Kinds, values: Values) -> Value:
    kind = ir.IntType(kinds[0].bits)
    above = code.builder.ashr(values[0], kind(kinds[1].literal_value))
    return code.builder.icmp_signed("==", above, kind(0))


for _operator in (operator.eq, operator.ne):

    @infer_global(_operator)
    class _Comparison(AbstractTemplate):
        """Kernels compare states, and so their fields."""

        def generic(self, args: Kinds, kws: object) -> Value:
            del kws
            return BOOL(*args) if all(isinstance(kind, Wide) for kind in args) and args[0] == args[1] else None


@lower_builtin(operator.eq, Wide, Wide)  # type: ignore[untyped-decorator]
def _eq(_context: Context, builder: Builder, _signature: Signature, arguments: Values) -> Value:
    return builder.icmp_signed("==", *arguments)


@lower_builtin(operator.ne, Wide, Wide)  # type: ignore[untyped-decorator]
def _ne(_context: Context, builder: Builder, _signature: Signature, arguments: Values) -> Value:
    return builder.icmp_signed("!=", *arguments)


@lower_cast(types.Integer, Wide)  # type: ignore[untyped-decorator]
@lower_cast(types.Boolean, Wide)  # type: ignore[untyped-decorator]
@lower_cast(Whole, Wide)  # type: ignore[untyped-decorator]
@lower_cast(Wide, Wide)  # type: ignore[untyped-decorator]
def _cast(context: Context, builder: Builder, given: Kind, wanted: Kind, value: Value) -> Value:
    """A value converted to the common type of a variable."""
    return Code(context, builder, I64(RESULT_SITE)).as_wide(given, value, wanted.bits)


class Members(types.IterableType):
    """The bits of an int that are 1, in ascending order: what bestfirst.members() gives to a loop."""

    def __init__(self, of: Kind) -> None:
        self.of = of
        super().__init__(name=f"members of {of}")

    @property
    def iterator_type(self) -> Kind:
        """What a loop over it uses."""
        return _Iterator(self)


class _Iterator(types.common.SimpleIteratorType):
    def __init__(self, container: Members) -> None:
        self.container = container
        super().__init__(f"iterator of {container.name}", INT)


@register_model(Members)
class _MembersModel(models.PrimitiveModel):
    def __init__(self, manager: object, kind: Kind) -> None:
        super().__init__(manager, kind, ir.IntType(kind.of.bits if isinstance(kind.of, Wide) else WORD))


@register_model(_Iterator)
class _IteratorModel(models.StructModel):
    def __init__(self, manager: object, kind: Kind) -> None:
        super().__init__(manager, kind, [("left", types.EphemeralPointer(kind.container))])


def _members_type(_context: Context, kinds: Kinds) -> Kind:
    check_numbers("members()", kinds, whole=True)
    return Members(kinds[0] if isinstance(kinds[0], Wide) else INT)


def _members(code: Code, _result: Kind, kinds: Kinds, values: Values) -> Value:
    kind = kinds[0]
    if isinstance(kind, Wide):
        code.stop_if(code.builder.icmp_signed("<", values[0], ir.IntType(kind.bits)(0)))
        return values[0]
    number = code.exact(kind, values[0])
    if number.signed:
        code.stop_if(code.negative(number.low))
    return number.low


@lower_builtin("getiter", Members)  # type: ignore[untyped-decorator]
def _iterator(context: Context, builder: Builder, signature: Signature, arguments: Values) -> Value:
    made = context.make_helper(builder, signature.return_type)
    made.left = cgutils.alloca_once_value(builder, arguments[0])
    return made._getvalue()


@lower_builtin("iternext", _Iterator)  # type: ignore[untyped-decorator]
@iternext_impl(RefType.UNTRACKED)  # type: ignore[untyped-decorator]
def _next(context: Context, builder: Builder, signature: Signature, arguments: Values, result: Kind) -> None:
    state = context.make_helper(builder, signature.args[0], value=arguments[0])
    left = builder.load(state.left)
    kind = left.type
    is_valid = builder.icmp_unsigned("!=", left, kind(0))
    result.set_valid(is_valid)
    with builder.if_then(is_valid):
        place = builder.cttz(left, ir.IntType(1)(1))
        result.yield_(place if kind.width == WORD else builder.trunc(place, I64))
        builder.store(builder.and_(left, builder.sub(left, kind(1))), state.left)


def _narrow_type(_context: Context, kinds: Kinds) -> Kind:
    kind = kinds[0]
    if isinstance(kind, Wide):
        return INT
    if isinstance(kind, types.BaseTuple) and not isinstance(kind, types.BaseNamedTuple):
        return types.Tuple([_narrow_type(_context, [part]) for part in members_of(kind)])
    return kind


def _narrow(code: Code, result: Kind, kinds: Kinds, values: Values) -> Value:
    """A result in which every int that is no field of a state has 64 bits; a stop if one has more."""
    kind, value = kinds[0], values[0]
    if isinstance(kind, Wide):
        return code.as_int64(kind, value)
    if kind == result:
        return value
    parts = [code.builder.extract_value(value, place) for place in range(len(members_of(kind)))]
    narrowed = [
        _narrow(code, of, [part], [number])
        for of, part, number in zip(members_of(result), members_of(kind), parts, strict=True)
    ]
    return code.context.make_tuple(code.builder, result, narrowed)


define("narrow", _narrow_type, _narrow)
define("wide", _wide, _as_wide, literal=True)
define("wide_field", _wide_field, _as_wide, literal=True)
define("wide_from", _wide_from_type, _wide_from, literal=True)
define("wide_at", _wide_from_type, _wide_at, literal=True)
define("wide_word", _word_type, _wide_word, literal=True)
define("wide_fits", _fits_type, _fits, literal=True)
define("bits_of", _members_type, _members)

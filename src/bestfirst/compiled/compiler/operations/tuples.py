"""Tuples of ints, several in a word: the fields of states that are tuples, and lists as methods use them.

A list in a method is a tuple that the variable loses when an element changes: no other variable can see the difference.
"""

from __future__ import annotations

import operator

from numba.core import cgutils, types
from numba.core.datamodel import models
from numba.core.imputils import RefType, iternext_impl
from numba.core.typing.templates import AbstractTemplate, infer_global
from numba.extending import lower_builtin, register_model

from bestfirst.compiled.compiler.numba_types import Builder, Context, Kind, Kinds, Signature, Value, Values
from bestfirst.compiled.compiler.operations.whole import (
    BOOL,
    I64,
    INT,
    Code,
    check_members,
    check_numbers,
    define,
    in_words,
    is_int,
    members_of,
    refused,
)
from bestfirst.state_packing import WORD, StateField

FEW_WORDS = 4
"""With more words, a tuple is put into memory to find one of them."""


class PackedTuple(types.IterableType):
    """A tuple of ints. bits: of each; 64 for any int64."""

    def __init__(self, length: int, bits: int) -> None:
        self.length, self.bits = length, bits
        self.field = StateField("", length, bits, 0)
        super().__init__(name=f"tuple({length} x {bits} bits)")

    @property
    def iterator_type(self) -> Kind:
        """What a loop over it uses."""
        return _Iterator(self)


class _Iterator(types.common.SimpleIteratorType):
    def __init__(self, container: PackedTuple) -> None:
        self.container = container
        super().__init__(f"iterator of {container.name}", INT)


@register_model(PackedTuple)
class _Model(models.UniTupleModel):
    """Its words."""

    def __init__(self, manager: object, kind: Kind) -> None:
        super().__init__(manager, types.UniTuple(INT, kind.field.count))
        self._fe_type = kind


@register_model(_Iterator)
class _IteratorModel(models.StructModel):
    def __init__(self, manager: object, kind: Kind) -> None:
        super().__init__(manager, kind, [("place", types.EphemeralPointer(INT)), ("values", kind.container)])


class Elements:
    """The elements of a tuple in machine code."""

    def __init__(self, code: Code, kind: PackedTuple, words: Value) -> None:
        self._code, self._kind, self._words = code, kind, words

    @classmethod
    def of(cls, code: Code, kind: PackedTuple, numbers: Values) -> Elements:
        """A tuple of int64 numbers, which fit into the bits."""
        builder, field = code.builder, kind.field
        words = [I64(0)] * field.count
        for place, number in enumerate(numbers):
            word, shift = place // field.per_word, place % field.per_word * kind.bits
            words[word] = builder.or_(words[word], builder.shl(number, I64(shift)))
        return cls(code, kind, cgutils.pack_array(builder, words, I64))

    @property
    def value(self) -> Value:
        """The tuple as a value of its type."""
        return self._words

    def word(self, number: int) -> Value:
        """A word."""
        return self._code.builder.extract_value(self._words, number)

    def at(self, place: Value) -> Value:
        """The element at a place."""
        builder, kind = self._code.builder, self._kind
        word, shift = self._position(place)
        found = self._word_at(word)
        if kind.bits == WORD:
            return found
        return builder.and_(builder.lshr(found, shift), I64((1 << kind.bits) - 1))

    def all(self) -> list[Value]:
        """The elements, in order."""
        return [self.at(I64(place)) for place in range(self._kind.length)]

    def replaced(self, place: Value, number: Value) -> Elements:
        """A copy with another element."""
        builder, kind = self._code.builder, self._kind
        wanted, shift = self._position(place)
        mask = builder.shl(I64((1 << kind.bits) - 1), shift)
        words = []
        for at in range(kind.field.count):
            word = self.word(at)
            changed = builder.or_(builder.and_(word, builder.not_(mask)), builder.shl(number, shift))
            words.append(builder.select(builder.icmp_unsigned("==", wanted, I64(at)), changed, word))
        return Elements(self._code, kind, cgutils.pack_array(builder, words, I64))

    def _position(self, place: Value) -> tuple[Value, Value]:
        """The word of an element, and its lowest bit there."""
        builder, each = self._code.builder, I64(self._kind.field.per_word)
        shift = builder.mul(builder.urem(place, each), I64(self._kind.bits))
        return builder.udiv(place, each), shift

    def _word_at(self, number: Value) -> Value:
        builder, count = self._code.builder, self._kind.field.count
        if count > FEW_WORDS:
            memory = cgutils.alloca_once(builder, self._words.type)
            builder.store(self._words, memory)
            return builder.load(builder.gep(memory, [I64(0), number], inbounds=True))
        found = self.word(0)
        for at in range(1, count):
            found = builder.select(builder.icmp_unsigned("==", number, I64(at)), self.word(at), found)
        return found


def checked_place(code: Code, index: Value, length: Value) -> Value:
    """An index counted from the start, within range."""
    builder = code.builder
    if not code.checked:
        return index
    place = builder.select(code.negative(index), builder.add(index, length), index)
    code.stop_if(builder.icmp_unsigned(">=", place, length))
    return place


def element_of_tuple(code: Code, kind: PackedTuple, value: Value, index: Value) -> Value:
    """The element at an index as Python counts it."""
    return Elements(code, kind, value).at(checked_place(code, index, I64(kind.length)))


def _numbers(code: Code, kind: Kind, value: Value) -> list[Value]:
    """The elements of a tuple of ints of any representation, as int64."""
    if isinstance(kind, PackedTuple):
        return Elements(code, kind, value).all()
    return [code.as_int64(part, code.builder.extract_value(value, place)) for place, part in enumerate(members_of(kind))]


def _length_of(kind: Kind) -> int:
    return kind.length if isinstance(kind, PackedTuple) else len(members_of(kind))


def _is_of_ints(kind: Kind) -> bool:
    """Whether a type is that of a tuple of ints, which is not a state."""
    if isinstance(kind, types.BaseTuple) and not isinstance(kind, types.BaseNamedTuple):
        return len(members_of(kind)) > 0 and all(map(is_int, members_of(kind)))
    return isinstance(kind, PackedTuple)


def _fitting(code: Code, kind: PackedTuple, number: Value) -> Value:
    """A number as an element of a packed tuple; a stop if it does not fit into the bits."""
    if kind.bits < WORD:
        code.stop_if(code.builder.icmp_unsigned(">", number, I64((1 << kind.bits) - 1)))
    return number


def _listed_type(_context: Context, kinds: Kinds) -> Kind:
    if not _is_of_ints(kinds[0]):
        raise refused(f"it calls list() or tuple() with {in_words(kinds[0])}; pass a tuple of ints")
    return kinds[0] if isinstance(kinds[0], PackedTuple) else PackedTuple(_length_of(kinds[0]), WORD)


def _listed(code: Code, result: Kind, kinds: Kinds, values: Values) -> Value:
    if isinstance(kinds[0], PackedTuple):
        return values[0]
    return Elements.of(code, result, _numbers(code, kinds[0], values[0])).value


def _members_type(_context: Context, kinds: Kinds) -> Kind:
    given = kinds[0]
    length, bits = (getattr(kind, "literal_value", 0) for kind in kinds[1:])  # tried again without them after a refusal
    if not _is_of_ints(given) or _length_of(given) != length:
        raise refused(f"a field of the state is {in_words(given)}; make it a tuple of as many ints as in the initial state")
    return PackedTuple(length, bits)


def _members(code: Code, result: Kind, kinds: Kinds, values: Values) -> Value:
    if kinds[0] == result:
        return values[0]
    return Elements.of(
        code, result, [_fitting(code, result, number) for number in _numbers(code, kinds[0], values[0])]
    ).value


def _replaced_type(_context: Context, kinds: Kinds) -> Kind:
    check_numbers("a list", kinds[1:], whole=True)
    return kinds[0]


def _replaced(code: Code, _result: Kind, kinds: Kinds, values: Values) -> Value:
    kind = kinds[0]
    number = _fitting(code, kind, code.as_int64(kinds[2], values[2]))
    place = checked_place(code, code.as_int64(kinds[1], values[1]), I64(kind.length))
    return Elements(code, kind, values[0]).replaced(place, number).value


def _found_type(of: str, result: Kind) -> Kind:
    def typing(_context: Context, kinds: Kinds) -> Value:
        values, value = (kinds[1], kinds[0]) if of == "in" else kinds
        if not _is_of_ints(values):
            raise refused(f"it uses {of!r} with {in_words(values)}; use a tuple of ints")
        check_numbers(of, [value], whole=True)
        return result

    return typing


def _matches(code: Code, values: tuple[Value, Value], value: tuple[Value, Value]) -> list[Value]:
    """Whether each element of a tuple is a number. values, value: types and values of the two."""
    wanted = code.as_int64(*value)
    return [code.builder.icmp_unsigned("==", number, wanted) for number in _numbers(code, *values)]


def _among(code: Code, _result: Kind, kinds: Kinds, values: Values) -> Value:
    return code.either(*_matches(code, (kinds[1], values[1]), (kinds[0], values[0])))


def _times(code: Code, _result: Kind, kinds: Kinds, values: Values) -> Value:
    found = I64(0)
    for matches in _matches(code, (kinds[0], values[0]), (kinds[1], values[1])):
        found = code.builder.add(found, code.builder.zext(matches, I64))
    return found


def _place_of(code: Code, _result: Kind, kinds: Kinds, values: Values) -> Value:
    """The first place; a stop where Python raises ValueError."""
    matches = _matches(code, (kinds[0], values[0]), (kinds[1], values[1]))
    code.stop_if(code.builder.not_(code.either(*matches)))
    found = I64(0)
    for place, matching in reversed(list(enumerate(matches))):
        found = code.builder.select(matching, I64(place), found)
    return found


def _tuple_from_type(_context: Context, kinds: Kinds) -> Kind:
    return PackedTuple(kinds[1].literal_value, kinds[2].literal_value)


def _tuple_from(code: Code, _result: Kind, _kinds: Kinds, values: Values) -> Value:
    words = cgutils.unpack_tuple(code.builder, values[0])
    return cgutils.pack_array(code.builder, words, I64)


def _tuple_at_type(_context: Context, kinds: Kinds) -> Kind:
    return PackedTuple(kinds[1].literal_value, WORD)


def _tuple_at(code: Code, result: Kind, kinds: Kinds, values: Values) -> Value:
    data = code.context.make_array(kinds[0])(code.context, code.builder, values[0]).data
    words = [code.builder.load(code.builder.gep(data, [I64(place)])) for place in range(result.length)]
    return cgutils.pack_array(code.builder, words, I64)


def _word_at(code: Code, _result: Kind, kinds: Kinds, values: Values) -> Value:
    return Elements(code, kinds[0], values[0]).word(kinds[1].literal_value)


def _word_type(_context: Context, _kinds: Kinds) -> Kind:
    return INT


def unpacked_tuple(code: Code, kind: PackedTuple, value: Value) -> Value:
    """The elements as one of Numba's tuples."""
    return code.context.make_tuple(code.builder, types.UniTuple(INT, kind.length), Elements(code, kind, value).all())


def check_comparable(kinds: Kinds, sign: str) -> bool:
    """Whether two values are tuples of ints of which at least one is packed. Raises TypingError for an order of them."""
    if not any(isinstance(kind, PackedTuple) for kind in kinds):
        return False
    for kind in kinds:
        check_members(kind)
    if not all(map(_is_of_ints, kinds)) or sign not in ("==", "!="):
        raise refused(
            f"it compares {in_words(kinds[0])} and {in_words(kinds[1])} with {sign}; compare two tuples of ints with == or !=, or "
            "compare single elements"
        )
    return True


def are_equal(code: Code, kinds: Kinds, values: Values) -> Value:
    """Whether two tuples of ints are equal."""
    if _length_of(kinds[0]) != _length_of(kinds[1]):
        return cgutils.false_bit
    if kinds[0] == kinds[1]:
        parts = [
            [Elements(code, kind, value).word(at) for at in range(kind.field.count)]
            for kind, value in zip(kinds, values, strict=True)
        ]
    else:
        parts = [_numbers(code, kind, value) for kind, value in zip(kinds, values, strict=True)]
    found = None
    for one, other in zip(*parts, strict=True):
        same = code.builder.icmp_unsigned("==", one, other)
        found = same if found is None else code.builder.and_(found, same)
    return found


for _operator in (operator.eq, operator.ne):

    @infer_global(_operator)
    class _Comparison(AbstractTemplate):
        """Kernels compare states, and so their fields."""

        def generic(self, args: Kinds, kws: object) -> Value:
            del kws
            return BOOL(*args) if all(isinstance(kind, PackedTuple) for kind in args) and args[0] == args[1] else None


@lower_builtin(operator.eq, PackedTuple, PackedTuple)  # type: ignore[untyped-decorator]
def _eq(context: Context, builder: Builder, signature: Signature, arguments: Values) -> Value:
    return are_equal(Code(context, builder, I64(0)), signature.args, arguments)


@lower_builtin(operator.ne, PackedTuple, PackedTuple)  # type: ignore[untyped-decorator]
def _ne(context: Context, builder: Builder, signature: Signature, arguments: Values) -> Value:
    return builder.not_(are_equal(Code(context, builder, I64(0)), signature.args, arguments))


@lower_builtin("getiter", PackedTuple)  # type: ignore[untyped-decorator]
def _iterator(context: Context, builder: Builder, signature: Signature, arguments: Values) -> Value:
    made = context.make_helper(builder, signature.return_type)
    place = cgutils.alloca_once_value(builder, I64(0))
    made.place, made.values = place, arguments[0]
    return made._getvalue()


@lower_builtin("iternext", _Iterator)  # type: ignore[untyped-decorator]
@iternext_impl(RefType.UNTRACKED)  # type: ignore[untyped-decorator]
def _next(context: Context, builder: Builder, signature: Signature, arguments: Values, result: Kind) -> None:
    kind = signature.args[0]
    state = context.make_helper(builder, kind, value=arguments[0])
    place = builder.load(state.place)
    is_valid = builder.icmp_unsigned("<", place, I64(kind.container.length))
    result.set_valid(is_valid)
    with builder.if_then(is_valid):
        code = Code(context, builder, I64(0))
        result.yield_(Elements(code, kind.container, state.values).at(place))
        builder.store(builder.add(place, I64(1)), state.place)


define("listed", _listed_type, _listed)
define("members", _members_type, _members, literal=True)
define("replaced", _replaced_type, _replaced)
define("among", _found_type("in", BOOL), _among)
define("place_of", _found_type(".index()", INT), _place_of)
define("times", _found_type(".count()", INT), _times)
define("tuple_from", _tuple_from_type, _tuple_from, literal=True)
define("tuple_at", _tuple_at_type, _tuple_at, literal=True)
define("word_at", _word_type, _word_at, literal=True)

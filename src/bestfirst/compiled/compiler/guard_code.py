"""The machine code of guards.py: a call of a compiled method, whose arguments are recorded if it cannot continue."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from llvmlite import ir
from numba.core import cgutils, types
from numba.core.typing.templates import AbstractTemplate, infer_global
from numba.extending import lower_builtin

from bestfirst.compiled.compiler import guards
from bestfirst.compiled.compiler.guards import ARGUMENTS, FREE, METHOD, SITE, STATE, TAKEN, WRITTEN
from bestfirst.compiled.compiler.numba_types import Builder, Context, Function, Kind, Kinds, Signature, Value, Values
from bestfirst.compiled.compiler.operations.tuples import Elements, PackedTuple
from bestfirst.compiled.compiler.operations.whole import (
    RESULT_SITE,
    WORD,
    Code,
    Wide,
    exact_type,
    is_int,
    is_mixed,
    is_signed,
    members_of,
)

_I32, _I64 = ir.IntType(32), ir.IntType(64)
Change = Callable[["_GuardedCode", Kind, Value], tuple[Kind, Value]]
"""From the type and the value of a result to those that the engine needs."""


class _GuardedCode(Code):
    """Code that writes the notes before it stops. arguments: types and values of the method's arguments."""

    def __init__(
        self, context: Context, builder: Builder, notes: Value, number: Value, arguments: Sequence[tuple[Kind, Value]]
    ) -> None:
        super().__init__(context, builder, _I64(RESULT_SITE))
        self._notes, self._number, self._arguments = notes, number, arguments

    def stop_if(self, bad: Value) -> None:
        if isinstance(bad, ir.Constant) and not bad.constant:
            return
        with self.builder.if_then(bad, likely=False):
            self.write_notes(self.site)
            self.context.call_conv._return_errcode_raw(self.builder, _I32(RESULT_SITE))

    def write_notes(self, site: Value) -> None:
        """Write the notes, unless another thread has."""
        builder = self.builder
        taken = builder.cmpxchg(self._place(STATE), _I64(FREE), _I64(TAKEN), "acq_rel", "monotonic")
        with builder.if_then(builder.extract_value(taken, 1), likely=False):
            builder.store(self._number, self._place(METHOD))
            builder.store(site, self._place(SITE))
            for number, word in enumerate(self._words()):
                builder.store(word, self._place(ARGUMENTS + number))
            builder.store_atomic(_I64(WRITTEN), self._place(STATE), "release", 8)

    def _place(self, number: int) -> Value:
        return self.builder.gep(self._notes, [_I64(number)])

    def _words(self) -> list[Value]:
        return [word for kind, value in self._arguments for word in self._words_of(kind, value)]

    def _words_of(self, kind: Kind, value: Value) -> list[Value]:
        if isinstance(kind, PackedTuple):
            return [self.builder.extract_value(value, number) for number in range(kind.field.count)]
        if isinstance(kind, types.BaseTuple):
            parts = [self.builder.extract_value(value, place) for place in range(len(members_of(kind)))]
            return [word for kind, part in zip(members_of(kind), parts, strict=True) for word in self._words_of(kind, part)]
        if isinstance(kind, Wide):
            places = range(0, kind.bits, _I64.width)
            return [self.builder.trunc(self.builder.ashr(value, value.type(place)), _I64) for place in places]
        return [self.int_of(kind, value).low]


def called(context: Context, builder: Builder, kinds: Kinds, values: Values) -> tuple[Value, Kind, Value]:
    """The status, the type and the value of a call: kinds and values of the method and its arguments."""
    compiled = kinds[0].dispatcher.overloads[tuple(kinds[1:])]
    context.active_code_library.add_linking_library(compiled.library)
    status, result = context.call_internal_no_propagate(builder, compiled.fndesc, compiled.signature, list(values[1:]))
    return status, compiled.signature.return_type, result


def result_type(context: Context, kinds: Kinds) -> Kind:
    """The type that a method returns for arguments of some types."""
    del context
    kinds[0].dispatcher.compile(tuple(kinds[1:]))
    return kinds[0].dispatcher.overloads[tuple(kinds[1:])].signature.return_type


def _engine_type(kind: Kind) -> Kind:
    """The engine's type for a result, without words and mixed numbers."""
    wanted = exact_type(kind)
    if _is_plain_tuple(wanted):
        return types.Tuple([_engine_type(part) for part in members_of(wanted)])
    return types.int64 if wanted == WORD else types.float64 if is_mixed(wanted) else wanted


def _engine_value(code: Code, kind: Kind, value: Value) -> Value:
    kind, wanted = types.unliteral(kind), _engine_type(kind)
    if wanted == kind:
        return value
    if _is_plain_tuple(kind):
        parts = [
            _engine_value(code, part, code.builder.extract_value(value, place))
            for place, part in enumerate(members_of(kind))
        ]
        return code.context.make_tuple(code.builder, wanted, parts)
    return code.as_float(kind, value) if is_mixed(kind) else code.as_int64(kind, value)


def _same_type(kind: Kind) -> Kind:
    return types.unliteral(kind)


def _same_value(_code: Code, _kind: Kind, value: Value) -> Value:
    return value


def _is_plain_tuple(kind: Kind) -> bool:
    return isinstance(kind, types.BaseTuple) and not isinstance(kind, types.BaseNamedTuple)


def _set_type(kind: Kind) -> Kind:
    return types.int64 if is_int(kind) else kind


def _set_value(code: Code, kind: Kind, value: Value) -> Value:
    """A set of moves, as a word: a non-negative int."""
    if not is_int(kind):
        return value
    number = code.exact(kind, value)
    if is_signed(kind):
        code.stop_if(code.negative(number.low))
    return number.low


def _key_type(kind: Kind) -> Kind:
    return types.UniTuple(types.int64, _key_length(kind)) if _is_tuple(kind) else types.int64


def _key_length(kind: Kind) -> int:
    """The number of ints of a key."""
    if isinstance(kind, PackedTuple):
        return kind.length
    return sum(map(_key_length, members_of(kind))) if _is_tuple(kind) else 1


def _key_value(code: Code, kind: Kind, value: Value) -> Value:
    """A key, which consists of the lowest 64 bits of each int."""
    words = _key_words(code, kind, value)
    return code.context.make_tuple(code.builder, _key_type(kind), words) if _is_tuple(kind) else words[0]


def _key_words(code: Code, kind: Kind, value: Value) -> list[Value]:
    if isinstance(kind, PackedTuple):
        return Elements(code, kind, value).all()
    if isinstance(kind, types.BaseTuple):
        parts = [code.builder.extract_value(value, place) for place in range(len(members_of(kind)))]
        return [word for of, part in zip(members_of(kind), parts, strict=True) for word in _key_words(code, of, part)]
    return [code.int_of(kind, value).low]


def _is_tuple(kind: Kind) -> bool:
    return isinstance(kind, types.BaseTuple | PackedTuple)


def _define_guard(
    function: Function,
    type_of: Callable[[Kind], Kind],
    value_of: Callable[[Code, Kind, Value], Value],
    *,
    noted: int | None = None,
) -> None:
    """noted: how many arguments are written into the notes; default: all."""

    @infer_global(function)
    class _Template(AbstractTemplate):
        def generic(self, args: Kinds, kws: object) -> Kind:
            del kws
            kinds = tuple(types.unliteral(kind) for kind in args)
            return type_of(result_type(self.context, (kinds[0], *kinds[3:])))(*kinds)

    @lower_builtin(function, types.VarArg(types.Any))  # type: ignore[untyped-decorator]
    def _lower(context: Context, builder: Builder, signature: Signature, arguments: Values) -> Value:
        method, notes_type, _number, me, *kinds = signature.args
        _, notes, number, me_value, *values = arguments
        places = context.make_array(notes_type)(context, builder, notes).data
        code = _GuardedCode(context, builder, places, number, list(zip(kinds, values, strict=True))[:noted])
        status, kind, result = called(context, builder, (method, me, *kinds), (None, me_value, *values))
        with builder.if_then(status.is_error, likely=False):
            code.write_notes(builder.zext(status.code, _I64))
            context.call_conv.return_status_propagate(builder, status)
        return value_of(code, kind, result)


def _define_attempt(
    function: Function, type_of: Callable[[Kind], Kind], value_of: Callable[[Code, Kind, Value], Value]
) -> None:
    @infer_global(function)
    class _Template(AbstractTemplate):
        def generic(self, args: Kinds, kws: object) -> Kind:
            del kws
            kinds = tuple(types.unliteral(kind) for kind in args)
            return types.Tuple([types.boolean, type_of(result_type(self.context, kinds))])(*kinds)

    @lower_builtin(function, types.VarArg(types.Any))  # type: ignore[untyped-decorator]
    def _lower(context: Context, builder: Builder, signature: Signature, arguments: Values) -> Value:
        code = _Attempt(context, builder)
        status, kind, result = called(context, builder, signature.args, arguments)
        code.failed = status.is_error
        value = value_of(code, kind, result)
        has_answer = builder.not_(code.failed)
        return context.make_tuple(builder, signature.return_type, [has_answer, value])


class _Attempt(Code):
    """Code that records a stop and continues."""

    def __init__(self, context: Context, builder: Builder) -> None:
        super().__init__(context, builder, _I64(RESULT_SITE))
        self.failed: Value = ir.IntType(1)(0)

    def stop_if(self, bad: Value) -> None:
        self.failed = self.builder.or_(self.failed, bad)


def _define_stop(function: Function) -> None:
    @infer_global(function)
    class _Template(AbstractTemplate):
        def generic(self, args: Kinds, kws: object) -> Kind:
            del kws
            return types.none(*(types.unliteral(kind) for kind in args))

    @lower_builtin(function, types.VarArg(types.Any))  # type: ignore[untyped-decorator]
    def _lower(context: Context, builder: Builder, signature: Signature, arguments: Values) -> Value:
        notes_type, _number, *kinds = signature.args
        notes, number, *values = arguments
        places = context.make_array(notes_type)(context, builder, notes).data
        code = _GuardedCode(context, builder, places, number, list(zip(kinds, values, strict=True)))
        code.write_notes(_I64(RESULT_SITE))
        with builder.if_then(cgutils.true_bit, likely=False):
            context.call_conv._return_errcode_raw(builder, _I32(RESULT_SITE))
        return context.get_dummy_value()


for _guard in (guards.guarded1, guards.guarded2):
    _define_guard(_guard, _engine_type, _engine_value)
_define_guard(guards.guarded_set1, _set_type, _set_value)
_define_guard(guards.guarded_key1, _key_type, _key_value)
_define_guard(guards.guarded_with, _engine_type, _engine_value, noted=2)
_define_guard(guards.guarded_as_is1, _same_type, _same_value)
for _attempt in (guards.attempted1, guards.attempted2, guards.attempted_with):
    _define_attempt(_attempt, _engine_type, _engine_value)
_define_attempt(guards.attempted_as_is1, _same_type, _same_value)
for _stop in (guards.noted1, guards.noted2):
    _define_stop(_stop)

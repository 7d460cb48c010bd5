"""The machine code of intrinsics.py, and of int.bit_count; importing this registers it with Numba."""

from __future__ import annotations

from types import FunctionType
from typing import TYPE_CHECKING

from llvmlite import ir
from numba.core import cgutils, errors, types
from numba.core.typing.templates import AbstractTemplate, infer_global
from numba.extending import intrinsic, lower_builtin, overload_method

from bestfirst.compiled.compiler.intrinsics import (
    call_host,
    fetch_add,
    in_memory,
    kept_in_memory,
    lowest_bit,
    prefetch,
    put_if,
    whole_number,
)

if TYPE_CHECKING:
    from bestfirst.compiled.compiler.numba_types import (
        Builder,
        Context,
        Function,
        Kind,
        Kinds,
        Signature,
        Typed,
        Value,
        Values,
    )
    from bestfirst.compiled.store.aliases import Int, Number


@intrinsic
def _prefetch(typing: Context, array: Kind, place: Kind) -> Typed:
    del typing

    def generate(context: Context, builder: Builder, signature: Signature, arguments: Values) -> Value:
        array_type = signature.args[0]
        struct = context.make_array(array_type)(context, builder, arguments[0])
        pointer = cgutils.get_item_pointer2(
            context,
            builder,
            data=struct.data,
            shape=cgutils.unpack_tuple(builder, struct.shape),
            strides=cgutils.unpack_tuple(builder, struct.strides),
            layout=array_type.layout,
            inds=[arguments[1]],
            wraparound=False,
        )
        i32 = ir.IntType(32)
        address = builder.bitcast(pointer, ir.IntType(8).as_pointer())
        function_type = ir.FunctionType(ir.VoidType(), [address.type, i32, i32, i32])
        function = cgutils.get_or_insert_function(builder.module, function_type, "llvm.prefetch.p0i8")
        builder.call(function, [address, i32(0), i32(3), i32(1)])  # data, for reading, to the nearest cache
        return context.get_dummy_value()

    return types.none(array, place), generate


@intrinsic
def _count_trailing_zeros(typing: Context, bits: Kind) -> Typed:
    del typing

    def generate(_context: Context, builder: Builder, _signature: Signature, arguments: Values) -> Value:
        return builder.cttz(arguments[0], ir.Constant(ir.IntType(1), 1))

    return types.int64(bits), generate


@intrinsic
def _count_ones(typing: Context, bits: Kind) -> Typed:
    del typing

    def generate(_context: Context, builder: Builder, signature: Signature, arguments: Values) -> Value:
        wide = builder.sext(arguments[0], ir.IntType(64)) if signature.args[0].bitwidth < 64 else arguments[0]
        return builder.ctpop(wide)

    return types.int64(bits), generate


@overload_method(types.Integer, "bit_count")
def _compiled_bit_count(bits: Kind) -> Function:
    """int.bit_count, which Numba lacks, for non-negative ints and for 64-bit words."""
    del bits

    def compiled(bits: Kind) -> Int:  # annotated as above: Numba compares the two
        return _count_ones(bits)  # type: ignore[call-arg]

    return compiled


@intrinsic
def _fetch_add(typing: Context, array: Kind, place: Kind, amount: Kind) -> Typed:
    del typing, place, amount

    def generate(context: Context, builder: Builder, signature: Signature, arguments: Values) -> Value:
        struct = context.make_array(signature.args[0])(context, builder, arguments[0])
        pointer = builder.gep(struct.data, [arguments[1]])
        return builder.atomic_rmw("add", pointer, arguments[2], "seq_cst")

    return types.int64(array, types.int64, types.int64), generate


@intrinsic
def _put_if(typing: Context, array: Kind, place: Kind, expected: Kind, value: Kind) -> Typed:
    del typing, place, expected, value

    def generate(context: Context, builder: Builder, signature: Signature, arguments: Values) -> Value:
        struct = context.make_array(signature.args[0])(context, builder, arguments[0])
        kind = signature.args[0].dtype
        pointer = builder.gep(struct.data, [arguments[1]])
        numbers = [context.cast(builder, number, types.int64, kind) for number in arguments[2:]]
        found = builder.cmpxchg(pointer, *numbers, "seq_cst", "seq_cst")
        return context.cast(builder, builder.extract_value(found, 0), kind, types.int64)

    return types.int64(array, types.int64, types.int64, types.int64), generate


@intrinsic
def _call_host(typing: Context, address: Kind) -> Typed:
    del typing, address

    def generate(_context: Context, builder: Builder, _signature: Signature, arguments: Values) -> Value:
        function = builder.inttoptr(arguments[0], ir.FunctionType(ir.IntType(64), []).as_pointer())
        return builder.call(function, [])

    return types.int64(types.int64), generate


@intrinsic
def _as_int64(typing: Context, value: Kind) -> Typed:
    del typing
    if not isinstance(value, types.Integer | types.Boolean):
        raise errors.TypingError(f"a field of the state is a {value}, not an int; use // instead of /, or int()")

    def generate(context: Context, builder: Builder, signature: Signature, arguments: Values) -> Value:
        return context.cast(builder, arguments[0], signature.args[0], types.int64)

    return types.int64(value), generate


@intrinsic
def _kept_in_memory(typing: Context, value: Kind) -> Typed:
    del typing

    def generate(context: Context, builder: Builder, signature: Signature, arguments: Values) -> Value:
        address = cgutils.alloca_once(builder, context.get_data_type(signature.args[0]))
        context.pack_value(builder, signature.args[0], arguments[0], address)
        return address

    return types.CPointer(value)(value), generate


@intrinsic
def _in_memory(typing: Context, address: Kind) -> Typed:
    del typing

    def generate(context: Context, builder: Builder, signature: Signature, arguments: Values) -> Value:
        return context.unpack_value(builder, signature.return_type, arguments[0])

    return address.dtype(address), generate


def highest(*numbers: Number) -> Number:
    """max of numbers: defined here because Numba recompiles its own for each pair of types."""
    return max(numbers)


def lowest(*numbers: Number) -> Number:
    """min of numbers."""
    return min(numbers)


def _let_compiled_code_call(function: Function, comparison: str) -> None:
    """Register with Numba a function that returns the extreme of its arguments in the order of a comparison."""

    @infer_global(function)
    class _Typing(AbstractTemplate):
        def generic(self, args: Kinds, kws: object) -> Signature:
            number: Kind = self.context.unify_types(*map(types.unliteral, args))
            if kws or not isinstance(number, types.Integer | types.Float):
                raise errors.TypingError(f"{args} are not all numbers")
            return number(*[number] * len(args))

    @lower_builtin(function, types.VarArg(types.Any))  # type: ignore[untyped-decorator]
    def generate(_context: Context, builder: Builder, signature: Signature, arguments: Values) -> Value:
        kind = signature.return_type
        compare = builder.icmp_unsigned
        if isinstance(kind, types.Float) or kind.signed:
            compare = builder.fcmp_ordered if isinstance(kind, types.Float) else builder.icmp_signed
        found, *others = arguments
        for other in others:
            found = builder.select(compare(comparison, other, found), other, found)
        return found


_let_compiled_code_call(highest, ">")
_let_compiled_code_call(lowest, "<")

TEMPLATE_BUILTINS = {"max": highest, "min": lowest}
"""What templates call in place of Python's max and min, which they use for numbers only."""

INTRINSICS: dict[object, Function] = {
    prefetch: _prefetch,
    lowest_bit: _count_trailing_zeros,
    fetch_add: _fetch_add,
    put_if: _put_if,
    whole_number: _as_int64,
    call_host: _call_host,
    kept_in_memory: _kept_in_memory,
    in_memory: _in_memory,
}
"""What compiled code calls in place of the functions of intrinsics.py."""


def with_intrinsics(function: FunctionType) -> FunctionType:
    """The function with calls of intrinsics.py replaced by their compiled forms."""
    names = function.__globals__
    intrinsics = {
        name: INTRINSICS[names[name]]
        for name in function.__code__.co_names
        if isinstance(names.get(name), FunctionType) and names[name] in INTRINSICS
    }
    return FunctionType(function.__code__, {**names, **intrinsics}, function.__name__) if intrinsics else function

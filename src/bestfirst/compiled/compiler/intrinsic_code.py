"""The machine code of intrinsics.py, and of int.bit_count; importing this registers it with Numba."""

from __future__ import annotations

from typing import Any

from llvmlite import ir
from numba.core import cgutils, errors, types
from numba.core.typing.templates import AbstractTemplate, infer_global
from numba.extending import intrinsic, lower_builtin, overload_method

from bestfirst.compiled.compiler.intrinsics import call_host, fetch_add, lowest_bit, prefetch, whole_number


@intrinsic
def _prefetch(typing: Any, array: Any, place: Any) -> Any:
    del typing

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
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
def _count_trailing_zeros(typing: Any, bits: Any) -> Any:
    del typing

    def generate(_context: Any, builder: Any, _signature: Any, arguments: Any) -> Any:
        return builder.cttz(arguments[0], ir.Constant(ir.IntType(1), 1))

    return types.int64(bits), generate


@intrinsic
def _count_ones(typing: Any, bits: Any) -> Any:
    del typing

    def generate(_context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        wide = builder.sext(arguments[0], ir.IntType(64)) if signature.args[0].bitwidth < 64 else arguments[0]
        return builder.ctpop(wide)

    return types.int64(bits), generate


@overload_method(types.Integer, "bit_count")
def _compiled_bit_count(bits: Any) -> Any:
    """int.bit_count, which Numba lacks, for non-negative ints and for 64-bit words."""
    del bits

    def compiled(bits: Any) -> Any:
        return _count_ones(bits)  # type: ignore[call-arg]

    return compiled


@intrinsic
def _fetch_add(typing: Any, array: Any, place: Any, amount: Any) -> Any:
    del typing, place, amount

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        struct = context.make_array(signature.args[0])(context, builder, arguments[0])
        pointer = builder.gep(struct.data, [arguments[1]])
        return builder.atomic_rmw("add", pointer, arguments[2], "seq_cst")

    return types.int64(array, types.int64, types.int64), generate


@intrinsic
def _call_host(typing: Any, address: Any) -> Any:
    del typing, address

    def generate(_context: Any, builder: Any, _signature: Any, arguments: Any) -> Any:
        function = builder.inttoptr(arguments[0], ir.FunctionType(ir.IntType(64), []).as_pointer())
        return builder.call(function, [])

    return types.int64(types.int64), generate


@intrinsic
def _as_int64(typing: Any, value: Any) -> Any:
    del typing
    if not isinstance(value, types.Integer | types.Boolean):
        raise errors.TypingError(f"a field of the state is a {value}, not an int; use // instead of /, or int()")

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return context.cast(builder, arguments[0], signature.args[0], types.int64)

    return types.int64(value), generate


def highest(*numbers: Any) -> Any:
    """max of numbers: defined here because Numba recompiles its own for each pair of types."""
    return max(numbers)


def lowest(*numbers: Any) -> Any:
    """min of numbers."""
    return min(numbers)


def _let_compiled_code_call(function: Any, comparison: str) -> None:
    """Register with Numba a function that returns the extreme of its arguments in the order of a comparison."""

    @infer_global(function)
    class _Typing(AbstractTemplate):
        def generic(self, args: Any, kws: Any) -> Any:
            number: Any = self.context.unify_types(*map(types.unliteral, args))
            if kws or not isinstance(number, types.Integer | types.Float):
                raise errors.TypingError(f"{args} are not all numbers")
            return number(*[number] * len(args))

    @lower_builtin(function, types.VarArg(types.Any))  # type: ignore[untyped-decorator]
    def generate(_context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
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

INTRINSICS: dict[Any, Any] = {
    prefetch: _prefetch,
    lowest_bit: _count_trailing_zeros,
    fetch_add: _fetch_add,
    whole_number: _as_int64,
    call_host: _call_host,
}
"""What compiled code calls in place of the functions of intrinsics.py."""

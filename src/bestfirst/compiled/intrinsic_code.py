"""The machine code of what intrinsics.py names, and of int.bit_count, told to Numba: importing it is enough."""

from __future__ import annotations

from typing import Any

import numpy as np
from llvmlite import ir
from numba.core import cgutils, errors, types
from numba.extending import intrinsic, overload, overload_method

from bestfirst.compiled.intrinsics import fetch_add, lowest_bit, prefetch, whole_number


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
        builder.call(function, [address, i32(0), i32(3), i32(1)])  # for reading, to the nearest cache, of data
        return context.get_dummy_value()

    return types.none(array, place), generate


@overload(prefetch)
def _compiled_prefetch(array: Any, place: Any) -> Any:
    del array, place

    def compiled(array: Any, place: Any) -> Any:
        return _prefetch(array, place)  # type: ignore[call-arg]  # the typing context comes from Numba

    return compiled


@intrinsic
def _count_trailing_zeros(typing: Any, bits: Any) -> Any:
    del typing

    def generate(_context: Any, builder: Any, _signature: Any, arguments: Any) -> Any:
        return builder.cttz(arguments[0], ir.Constant(ir.IntType(1), 1))

    return types.int64(bits), generate


@overload(lowest_bit)
def _compiled_lowest_bit(bits: Any) -> Any:
    del bits

    def compiled(bits: Any) -> Any:
        return _count_trailing_zeros(bits)  # type: ignore[call-arg]

    return compiled


@intrinsic
def _count_ones(typing: Any, bits: Any) -> Any:
    del typing

    def generate(_context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        wide = builder.sext(arguments[0], ir.IntType(64)) if signature.args[0].bitwidth < 64 else arguments[0]
        return builder.ctpop(wide)

    return types.int64(bits), generate


@overload_method(types.Integer, "bit_count")
def _compiled_bit_count(bits: Any) -> Any:
    """int.bit_count, which Numba does not know, for ints that are not negative, and for words of 64 bits."""
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


@overload(fetch_add)
def _compiled_fetch_add(array: Any, place: Any, amount: Any) -> Any:
    del array, place, amount

    def compiled(array: Any, place: Any, amount: Any) -> Any:
        return _fetch_add(array, place, amount)  # type: ignore[call-arg]

    return compiled


@overload(whole_number)
def _compiled_whole_number(value: Any) -> Any:
    if isinstance(value, types.Integer | types.Boolean):

        def as_int64(value: Any) -> Any:
            return np.int64(value)

        return as_int64
    raise errors.TypingError(f"a field of the state is a {value}, not an int; use // instead of /, or int()")

"""Elements and rows of arrays, members of tuples, and lengths."""

from __future__ import annotations

import operator
from collections.abc import Sequence

from numba.core import cgutils, types
from numba.np.arrayobj import populate_array
from numba.np.numpy_support import as_dtype

from bestfirst.compiled.compiler.numba_types import Context, Kind, Kinds, Value, Values
from bestfirst.compiled.compiler.operations.exactness import exact_value
from bestfirst.compiled.compiler.operations.tuples import PackedTuple, checked_place, element_of_tuple, unpacked_tuple
from bestfirst.compiled.compiler.operations.whole import (
    FLOAT,
    I64,
    INT,
    WORD,
    Code,
    check_members,
    define,
    exact_type,
    in_words,
    is_bool,
    is_float,
    is_int,
    members_of,
    numba_s_own,
    refused,
)
from bestfirst.compiled.compiler.operations.wide import Members


def array_of(code: Code, kind: Kind, value: Value) -> Value:
    return code.context.make_array(kind)(code.context, code.builder, value)


def widened(kind: Kind) -> Kind:
    """The type of an element after it is read."""
    if isinstance(kind, types.Integer):
        return WORD if kind == types.uint64 else INT
    return FLOAT if is_float(kind) else kind


def _item_type(context: Context, kinds: Kinds) -> Kind:
    container, places = kinds
    check_members(container)
    indices = members_of(places)
    for index in indices:
        if not is_int(index):
            raise refused(f"it uses {in_words(index)} as an index; use an int")
    if isinstance(container, types.Array):
        if len(indices) > container.ndim:
            raise refused(f"it uses {len(indices)} indices for {in_words(container)}; use one for each dimension")
        rest = container.ndim - len(indices)
        return types.Array(container.dtype, rest, "C", readonly=True) if rest else widened(container.dtype)
    if isinstance(container, PackedTuple) and len(indices) == 1:
        return INT
    if isinstance(container, types.BaseTuple) and len(indices) == 1:
        if isinstance(indices[0], types.IntegerLiteral) and -len(container) <= indices[0].literal_value < len(container):
            return types.unliteral(members_of(container)[indices[0].literal_value])
        if isinstance(container, types.UniTuple | types.NamedUniTuple):
            return types.unliteral(container.dtype)
        raise refused("it uses a variable index into a tuple whose elements have different types; use a constant index")
    del context
    raise refused(f"it indexes {in_words(container)}; only arrays and tuples can be indexed")


def _item(code: Code, result: Kind, kinds: Kinds, values: Values) -> Value:
    container, places = kinds
    indices = members_of(places)
    given = [code.builder.extract_value(values[1], number) for number in range(len(indices))]
    if isinstance(container, types.Array):
        found = [code.as_int64(kind, value) for kind, value in zip(indices, given, strict=True)]
        return element_at(code, result, container, values[0], found)
    if isinstance(container, PackedTuple):
        return element_of_tuple(code, container, values[0], code.as_int64(indices[0], given[0]))
    if isinstance(indices[0], types.IntegerLiteral) and -len(container) <= indices[0].literal_value < len(container):
        return code.builder.extract_value(values[0], indices[0].literal_value % len(container))
    place = checked_place(code, code.as_int64(indices[0], given[0]), I64(len(container)))
    plain = types.UniTuple(container.dtype, len(container))
    return numba_s_own(code, operator.getitem, result, (plain, types.intp), (values[0], place))


def element_at(code: Code, result: Kind, kind: Kind, value: Value, indices: Values) -> Value:
    builder, context = code.builder, code.context
    array = array_of(code, kind, value)
    shape = cgutils.unpack_tuple(builder, array.shape, kind.ndim)
    strides = cgutils.unpack_tuple(builder, array.strides, kind.ndim)
    places = [checked_place(code, index, length) for index, length in zip(indices, shape, strict=False)]
    if len(places) == kind.ndim:
        pointer = cgutils.get_item_pointer2(
            context, builder, data=array.data, shape=shape, strides=strides, layout="C", inds=places, wraparound=False
        )
        return _widened(code, result, kind.dtype, context.unpack_value(builder, kind.dtype, pointer))
    zeros = [I64(0)] * (kind.ndim - len(places))
    pointer = cgutils.get_item_pointer2(
        context, builder, data=array.data, shape=shape, strides=strides, layout="C", inds=[*places, *zeros], wraparound=False
    )
    row = array_of(code, result, None)
    rest = len(places)
    populate_array(row, pointer, shape[rest:], strides[rest:], array.itemsize, None)
    return row._getvalue()


def _widened(code: Code, result: Kind, kind: Kind, value: Value) -> Value:
    """An element as an int64, a float64, a word, or a bool."""
    if is_bool(kind):
        return value
    if is_float(kind):
        return code.as_float(kind, value)
    return code.made(result, code.int_of(kind, value))


def _element_type(_context: Context, kinds: Kinds) -> Kind:
    return widened(kinds[0])


def _element(code: Code, result: Kind, kinds: Kinds, values: Values) -> Value:
    if is_int(kinds[0]) or is_float(kinds[0]):
        return _widened(code, result, kinds[0], values[0])
    return values[0]


def _state_type(_context: Context, kinds: Kinds) -> Kind:
    if not isinstance(kinds[0], types.NamedUniTuple | types.NamedTuple):
        raise refused(
            f"it uses a member of State on {in_words(kinds[0])}; if both have a member of that name, rename that of State"
        )
    return kinds[0]


def _no_array_type(_context: Context, kinds: Kinds) -> Kind:
    if isinstance(kinds[0], types.Array):
        raise refused("it uses an attribute of an array other than shape, ndim and size; use those, or a for loop")
    return kinds[0]


def _state(_code: Code, _result: Kind, _kinds: Kinds, values: Values) -> Value:
    return values[0]


def _unpacked_type(_context: Context, kinds: Kinds) -> Kind:
    values, count = kinds[0], getattr(kinds[1], "literal_value", None)
    check_members(values)
    different = f"it unpacks {in_words(values)} into a different number of variables"
    if isinstance(values, types.Array):
        if count is None:
            raise refused(different)
        kind = types.Array(values.dtype, values.ndim - 1, "C", readonly=True) if values.ndim > 1 else widened(values.dtype)
        return types.UniTuple(kind, count)
    if not isinstance(values, types.BaseTuple | PackedTuple):
        raise refused(f"it unpacks {in_words(values)}; only tuples, states and arrays can be unpacked")
    length = values.length if isinstance(values, PackedTuple) else len(members_of(values))
    if length != count:  # or the number of variables is not known: Numba tries again without it after a refusal
        raise refused(f"{different}; use {length} variables")
    return types.UniTuple(INT, length) if isinstance(values, PackedTuple) else exact_type(values)


def _unpacked(code: Code, result: Kind, kinds: Kinds, values: Values) -> Value:
    kind, count = kinds[0], kinds[1].literal_value
    if isinstance(kind, PackedTuple):
        return unpacked_tuple(code, kind, values[0])
    if isinstance(kind, types.BaseTuple):
        return exact_value(code, result, [kind], values[:1])
    array = array_of(code, kind, values[0])
    length = code.builder.extract_value(array.shape, 0)
    code.stop_if(code.builder.icmp_signed("!=", length, I64(count)))
    parts = [element_at(code, result.dtype, kind, values[0], [I64(place)]) for place in range(count)]
    return code.context.make_tuple(code.builder, result, parts)


def _length_type(_context: Context, kinds: Kinds) -> Kind:
    if not isinstance(kinds[0], types.BaseTuple | types.Array | PackedTuple):
        raise refused(
            f"it calls len() on {in_words(kinds[0])}; compiled code supports len() only for arrays, lists, states and tuples"
        )
    return INT


def _length(code: Code, _result: Kind, kinds: Kinds, values: Values) -> Value:
    if isinstance(kinds[0], PackedTuple):
        return I64(kinds[0].length)
    if isinstance(kinds[0], types.BaseTuple):
        return I64(len(members_of(kinds[0])))
    return code.builder.extract_value(array_of(code, kinds[0], values[0]).shape, 0)


def _shaped_type(_context: Context, kinds: Kinds) -> Kind:
    return kinds[0]


def _shaped(code: Code, _result: Kind, kinds: Kinds, values: Values) -> Value:
    """An array whose dimensions are constants in the code, so that indices can be proved to be in range."""
    array = array_of(code, kinds[0], values[0])
    lengths = [I64(part.literal_value) for part in kinds[1].types]
    strides = [I64(part) for part in _strides([part.literal_value for part in kinds[1].types], kinds[0].dtype)]
    array.shape = cgutils.pack_array(code.builder, lengths, I64)
    array.strides = cgutils.pack_array(code.builder, strides, I64)
    return array._getvalue()


def _strides(lengths: Sequence[int], dtype: Kind) -> list[int]:
    strides = [as_dtype(dtype).itemsize]
    for length in reversed(lengths[1:]):
        strides.insert(0, strides[0] * length)
    return strides


def _elements_type(_context: Context, kinds: Kinds) -> Kind:
    if isinstance(kinds[0], Members):
        return kinds[0]
    if not isinstance(kinds[0], types.BaseTuple | types.Array | PackedTuple):
        raise refused(
            f"it loops over {in_words(kinds[0])} (any(), all(), sum(), min() and max() of one argument loop too); use a range, an "
            "array, a state or a tuple"
        )
    check_members(kinds[0])
    if isinstance(kinds[0], types.Array) and kinds[0].ndim == 1 and is_float(kinds[0].dtype) and kinds[0].dtype != FLOAT:
        raise refused("it loops over an array of float32; use an index, or an array of float64")
    return kinds[0]


def _elements(_code: Code, _result: Kind, _kinds: Kinds, values: Values) -> Value:
    return values[0]


define("elements", _elements_type, _elements)
define("len", _length_type, _length)
define("item", _item_type, _item, literal=True)
define("unpacked", _unpacked_type, _unpacked, literal=True)
define("element", _element_type, _element)
define("shaped", _shaped_type, _shaped, literal=True)
define("state", _state_type, _state)
define("no_array", _no_array_type, _state)

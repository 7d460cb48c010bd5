"""ArrayView: an array on self as interpreted methods read it, with Python numbers as elements.

An element of a NumPy array is a NumPy scalar, which has few bits, overflows silently, and is slow. Here it is a Python int,
float or bool, as in compiled code, and so are the numbers that methods such as sum() return. Everything else is as in NumPy.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from copy import deepcopy
from functools import partial, wraps
from typing import Any, TypeVar, cast

from bestfirst.errors import InputError

_Array = TypeVar("_Array")

_OPERATORS = [
    "lt",
    "le",
    "eq",
    "ne",
    "gt",
    "ge",
    "add",
    "sub",
    "mul",
    "truediv",
    "floordiv",
    "mod",
    "pow",
    "divmod",
    "matmul",
    "and",
    "or",
    "xor",
    "lshift",
    "rshift",
    "radd",
    "rsub",
    "rmul",
    "rtruediv",
    "rfloordiv",
    "rmod",
    "rpow",
    "rdivmod",
    "rmatmul",
    "rand",
    "ror",
    "rxor",
    "rlshift",
    "rrshift",
    "neg",
    "pos",
    "invert",
    "abs",
]

_FROZEN = (
    "this array belongs to a problem, whose data cannot be changed in place; create a new problem with other data, or a subclass "
    "with other rules"
)


class ArrayView:
    """An array. array: the NumPy array, whose attributes and methods the view shares. is_frozen: its elements cannot be set."""

    __slots__ = ("_get", "_rows", "array", "is_frozen")
    __hash__ = None  # type: ignore[assignment]

    def __init__(self, array: Any, *, is_frozen: bool = False) -> None:
        self.array = read_only(array) if is_frozen else array
        self.is_frozen = is_frozen
        self._get = memoryview(self.array).__getitem__
        self._rows: dict[int, ArrayView] = {}

    def __getitem__(self, index: Any) -> Any:
        try:
            value = self._get(index)  # a memoryview returns Python numbers, and is faster than NumPy
        except (NotImplementedError, TypeError):
            return self._part(index)
        return value if value.__class__ is not memoryview else self._part(index)

    def _part(self, index: Any) -> Any:
        """A row or slice, as NumPy returns it; True and False are the ints 1 and 0, as everywhere in Python."""
        if isinstance(index, bool):
            index = int(index)
        elif isinstance(index, tuple):
            index = tuple(int(part) if isinstance(part, bool) else part for part in index)
        if index.__class__ is int and index in self._rows:
            return self._rows[index]
        part = self.array[index]
        if not getattr(part, "ndim", 0):
            return ArrayView(part) if _is_record(part) else _plain(part)
        view = ArrayView(part, is_frozen=self.is_frozen)
        if index.__class__ is int:
            self._rows[index] = view
        return view

    def __setitem__(self, index: Any, value: Any) -> None:
        with _telling_of_frozen():
            self.array[index] = value

    def sum(self, *arguments: Any, **options: Any) -> Any:
        """As in NumPy, but 64-bit ints are added up as Python does: NumPy's sum overflows silently."""
        array = self.array
        if not arguments and not options and array.dtype.kind in "iu" and array.itemsize == 8:
            return sum(array.ravel().tolist())
        return _of_python_numbers(array.sum)(*arguments, **options)

    def __len__(self) -> int:
        return len(self.array)

    def __iter__(self) -> Iterator[Any]:
        if self.array.ndim == 1 and self.array.dtype.names is None:
            return iter(self.array.tolist())
        if self.array.ndim == 0:
            return (self[place] for place in range(len(self.array)))  # the fields of a record
        return map(partial(ArrayView, is_frozen=self.is_frozen), self.array)

    def __contains__(self, value: object) -> bool:
        return value in (self.array.tolist() if self.array.ndim == 1 else self.array)  # as Python compares

    def __bool__(self) -> bool:
        return bool(self.array)

    def __int__(self) -> int:
        return int(self.array)

    def __float__(self) -> float:
        return float(self.array)

    def __array__(self, *arguments: Any, **options: Any) -> Any:
        return self.array.__array__(*arguments, **options)

    def __array_ufunc__(self, function: Any, method: str, *inputs: Any, **options: Any) -> Any:
        if method == "at" and isinstance(inputs[0], ArrayView) and inputs[0].is_frozen:
            raise InputError(_FROZEN)  # NumPy does not check whether it may write
        if "out" in options:
            options["out"] = tuple(map(_array, options["out"]))
        with _telling_of_frozen():
            return getattr(function, method)(*map(_array, inputs), **options)

    def __getattr__(self, name: str) -> Any:
        if name in ArrayView.__slots__:  # the view is still being created, for example by copy
            raise AttributeError(name)
        member = getattr(self.array, name)
        if hasattr(member, "__array_interface__") and (member.ndim or _is_record(member)):  # such as .T
            return ArrayView(member, is_frozen=self.is_frozen)
        return _of_python_numbers(member, is_frozen=self.is_frozen) if callable(member) else _plain(member)

    @property
    def flat(self) -> FlatView:
        """The elements in order, as in NumPy."""
        return FlatView(self.array)

    def __reduce__(self) -> tuple[Any, ...]:
        return partial(ArrayView, is_frozen=self.is_frozen), (self.array,)

    def __deepcopy__(self, memo: dict[int, Any]) -> ArrayView:
        return ArrayView(
            deepcopy(self.array, memo), is_frozen=self.is_frozen
        )  # without this method, deepcopy() would find that of the array

    def __repr__(self) -> str:
        return repr(self.array)


class FlatView:
    """The elements of an array in order: NumPy's array.flat, with Python numbers as elements."""

    __slots__ = ("_flat",)

    def __init__(self, array: Any) -> None:
        self._flat = array.flat

    def __getitem__(self, index: Any) -> Any:
        found = self._flat[_array(index)]
        return ArrayView(found) if getattr(found, "ndim", 0) else _plain(found)

    def __setitem__(self, index: Any, value: Any) -> None:
        with _telling_of_frozen():
            self._flat[_array(index)] = _array(value)

    def __len__(self) -> int:
        return len(self._flat)

    def __iter__(self) -> FlatView:
        return self

    def __next__(self) -> Any:
        return _plain(next(self._flat))

    def __array__(self, *arguments: Any, **options: Any) -> Any:
        return self._flat.__array__(*arguments, **options)

    def __getattr__(self, name: str) -> Any:
        if name in FlatView.__slots__:
            raise AttributeError(name)
        return getattr(self._flat, name)


def _plain(value: Any) -> Any:
    """A NumPy scalar as a Python number or text; dates, times and other values unchanged."""
    if getattr(value, "shape", None) != () or not hasattr(value, "item") or value.dtype.kind in "mM":
        return value
    return value.item()


def _is_record(value: Any) -> bool:
    """Whether a value is an element of a structured array."""
    return getattr(value, "shape", None) == () and hasattr(value, "item") and value.dtype.names is not None


def _array(value: Any) -> Any:
    """The array of a view; other values unchanged."""
    return value.array if isinstance(value, ArrayView) else value


def read_only(array: _Array) -> _Array:
    """The array in the memory of a bytes object, which NumPy never makes writable; unchanged if it is in one."""
    import numpy as np  # noqa: PLC0415  (it is there, since there is an array)

    owner: Any = array
    while isinstance(owner, np.ndarray):
        owner = owner.base
    if isinstance(owner, bytes):
        return array
    given: Any = array
    return cast("_Array", np.frombuffer(given.tobytes(), given.dtype).reshape(given.shape))


@contextmanager
def _telling_of_frozen() -> Iterator[None]:
    """Raise InputError where NumPy refuses to change a read-only array."""
    try:
        yield
    except ValueError as error:
        if "read-only" in str(error):
            raise InputError(_FROZEN) from error
        raise


def _of_python_numbers(method: Callable[..., Any], *, is_frozen: bool = False) -> Callable[..., Any]:
    """A method of an array that returns Python numbers, and views of arrays. is_frozen: whether the array is."""
    array_type: Any = type(getattr(method, "__self__", None))

    @wraps(method)
    def called(*arguments: Any, **options: Any) -> Any:
        options = {name: _array(value) for name, value in options.items()}
        with _telling_of_frozen():
            value: Any = _plain(method(*map(_array, arguments), **options))
        if isinstance(value, array_type):  # such as ravel()
            return ArrayView(value, is_frozen=is_frozen and not value.flags.writeable)
        return value

    return called


def _in_place(name: str) -> Any:
    def operator(self: ArrayView, other: Any) -> ArrayView:
        with _telling_of_frozen():
            getattr(self.array, name)(_array(other))
        return self

    operator.__name__ = name
    return operator


def _delegated(name: str) -> Any:
    def operator(self: ArrayView, *others: Any) -> Any:
        return _plain(getattr(self.array, name)(*map(_array, others)))

    operator.__name__ = name
    return operator


for _name in _OPERATORS:
    setattr(ArrayView, f"__{_name}__", _delegated(f"__{_name}__"))
for _name in ("add", "sub", "mul", "truediv", "floordiv", "mod", "pow", "matmul", "and", "or", "xor", "lshift", "rshift"):
    setattr(ArrayView, f"__i{_name}__", _in_place(f"__i{_name}__"))

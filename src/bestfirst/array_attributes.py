"""Array attributes: interpreted methods read an array on self through a view, compiled ones read the array itself."""

from __future__ import annotations

import functools
from collections.abc import Sequence
from types import FunctionType
from typing import Any, ClassVar

from bestfirst.array_containers import PLAIN, contains_raw, copied, is_container, is_raw
from bestfirst.array_views import ArrayView
from bestfirst.cached import cached_property
from bestfirst.errors import InputError
from bestfirst.vocabulary import is_shipped


def can_be_held(value: Any) -> bool:
    """Whether a value is an array of bools, or of ints or floats of a width that compiled code supports."""
    dtype = getattr(value, "dtype", None)
    return dtype is not None and (dtype.kind in "biu" or (dtype.kind == "f" and dtype.itemsize in (4, 8)))


def _readable(array: Any) -> Any:
    """An array in native byte order and with aligned elements; a plain number, or a record, if it has no dimensions."""
    import numpy as np  # noqa: PLC0415  (it is there, since there is an array)

    if isinstance(array, np.ma.MaskedArray):
        raise InputError("an array of a Domain is masked, which compiled code does not support; pass array.filled(value)")
    given = array.array if isinstance(array, ArrayView) else array
    plain = np.asarray(given)
    if plain.ndim == 0:
        if plain.dtype.names is None:
            return plain.item()
        return given[()] if isinstance(given, np.ndarray) else given  # a record in an array without dimensions, or a record
    return np.require(plain, plain.dtype.newbyteorder("="), "A")


def as_view(value: Any) -> Any:
    """A value as interpreted methods read it: arrays become views, NumPy scalars become numbers, a container of any of these
    is copied with those in their place, and anything else stays as it is."""
    if contains_raw(value):
        return copied(value, as_view, {})
    if not is_raw(value):
        return value
    plain = _readable(value)
    return ArrayView(plain) if _has_numbers(plain) else plain


def _has_numbers(array: Any) -> bool:
    """Whether a view returns the elements of an array as Python numbers, also if compiled code does not support their width."""
    dtype = getattr(array, "dtype", None)
    return dtype is not None and (can_be_held(array) or dtype == "f2" or dtype.names is not None)


class _CachedArray(cached_property[Any]):
    """A cached_property whose array is returned as a view."""

    def __init__(self, function: Any) -> None:
        super().__init__(lambda owner: as_view(function(owner)))
        self.__doc__ = function.__doc__


MOST_LOOKED_AT = 4000
"""The number of members of a container that are all looked at before a search: it may have been filled since it was set."""


def _is_set_past(value: Any) -> bool:
    """Whether a value is not as __setattr__() would have set it."""
    return is_raw(value) or contains_raw(value, MOST_LOOKED_AT)


_OTHER_MEMBERS = PLAIN | {FunctionType, property, classmethod, staticmethod, type}
"""Types of members that contain no array; most members are of these."""


def _hold_arrays_of(kind: type) -> None:
    """Wrap arrays of a class, and those that a cached_property returns, in views."""
    is_of_package = is_shipped(kind)
    for name, member in list(vars(kind).items()):
        if type(member) in _OTHER_MEMBERS:
            continue
        if isinstance(member, functools.cached_property) and not isinstance(member, _CachedArray):
            made: Any = _CachedArray(member.func)
            made.__set_name__(kind, name)
            setattr(kind, name, made)
        elif is_raw(member) or (not is_of_package and contains_raw(member, MOST_LOOKED_AT)):
            setattr(kind, name, as_view(member))


def _slots_of(kind: type) -> tuple[str, ...]:
    slots = vars(kind).get("__slots__", ())
    return (slots,) if isinstance(slots, str) else tuple(slots)


def hold_arrays(owner: object) -> None:
    """Call ArrayAttributes.hold_arrays(), before methods of the object are called; nothing for other objects."""
    if isinstance(owner, ArrayAttributes):
        owner.hold_arrays()


class ArrayAttributes:
    """An object whose methods can be compiled; compiled_value() returns an attribute as the compiled engine reads it."""

    greatest_int: ClassVar[int] = (1 << 63) - 1
    """The greatest int on self that methods may read."""

    unchecked: bool = False
    """Set to True only if no value in the methods needs more than 64 bits and every index lies within its array.
    Compiled code then checks neither; if the claim is wrong, its behaviour is undefined."""

    frozen_arrays: ClassVar[frozenset[str]] = frozenset()
    """Names of arrays on self whose elements cannot be set, because other attributes were worked out from them."""

    fixed: Sequence[str] = ()
    """Ints on self that become constants of the compiled code, which is then faster and is recompiled for each value."""

    def __init_subclass__(cls, **options: Any) -> None:
        """Wrap arrays of the class, and those that a cached_property returns, in views."""
        for kind in cls.__mro__:
            _hold_arrays_of(kind)
        super().__init_subclass__(**options)

    def hold_arrays(self) -> None:
        """Hold as views the arrays that were set past __setattr__(): on a class after its definition, or in a frozen dataclass."""
        for kind in type(self).__mro__:
            _hold_arrays_of(kind)
        slots = [name for kind in type(self).__mro__ for name in _slots_of(kind)]
        for name in [*vars(self), *slots]:
            value = getattr(self, name, None) if name in slots else vars(self)[name]
            if _is_set_past(value):
                ArrayAttributes.__setattr__(self, name, value)

    def __setattr__(self, name: str, value: Any) -> None:
        """Keep an array for the compiled engine, and return it to methods as an ArrayView, whose elements are Python
        numbers.

        Zero-dimensional arrays and NumPy scalars become plain numbers. The same happens to those in a tuple, list, dict, set or
        deque, which is copied if it contains any. Arrays of other types stay as they are, and are refused when methods that read
        them are compiled; so are arrays with elements above greatest_int.
        """
        if isinstance(value, ArrayView) or is_raw(value):
            value = _readable(value)
            if _has_numbers(value):
                value = ArrayView(value, is_frozen=name in self.frozen_arrays)
        elif is_container(value):
            value = as_view(value)
        super().__setattr__(name, value)

    def compiled_value(self, name: str) -> Any:
        """An attribute as the compiled engine reads it: an array as it was set, a NumPy number of a class as a plain number."""
        value = getattr(self, name)
        if isinstance(value, ArrayView):
            return value.array
        return value.item() if getattr(value, "shape", None) == () and can_be_held(value) else value

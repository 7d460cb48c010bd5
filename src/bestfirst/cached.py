"""cached_property without a lock: a property that runs code of users may be read in several threads at once.

Up to Python 3.11, functools.cached_property holds one lock for all objects of a class while it computes a value. If a property
calls a user's method that runs a search, and this search reads the same property in another thread, both would wait forever.
"""

from __future__ import annotations

import functools
from typing import Any, TypeVar, overload

_Value = TypeVar("_Value")
_MISSING = object()


class cached_property(functools.cached_property[_Value]):  # noqa: N801  (it takes the place of another one)
    """A property that is worked out when it is first read. If several threads read it first, all get the value of one of them."""

    @overload
    def __get__(self, instance: None, owner: type[Any] | None = None) -> cached_property[_Value]: ...

    @overload
    def __get__(self, instance: object, owner: type[Any] | None = None) -> _Value: ...

    def __get__(self, instance: object, owner: type[Any] | None = None) -> cached_property[_Value] | _Value:
        if instance is None:
            return self
        assert self.attrname is not None
        values = instance.__dict__
        value: _Value = values.get(self.attrname, _MISSING)
        if value is _MISSING:
            value = values.setdefault(self.attrname, self.func(instance))
        return value

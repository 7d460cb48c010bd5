"""cached_property without a lock: a property that runs code of users may be read in several threads at once.

Until Python 3.11, that of functools holds one lock for all objects of a class. A search in a method of a user, which a property
calls, would wait forever for the same property of its own objects in another thread.
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

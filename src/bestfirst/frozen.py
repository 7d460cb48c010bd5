"""Dicts that cannot be changed: what a problem has worked out from its roads or its children stays true."""

from __future__ import annotations

from typing import Any, NoReturn, TypeVar

from bestfirst.errors import InputError

_Key = TypeVar("_Key")
_Value = TypeVar("_Value")


class FrozenDict(dict[_Key, _Value]):
    """A dict that is only read. Copies, also by pickle, are frozen too; dict(...) makes one that can be changed."""

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (dict(self),)

    def __copy__(self) -> FrozenDict[_Key, _Value]:
        return type(self)(self)

    def _refuse(self, *_arguments: object, **_options: object) -> NoReturn:
        raise InputError(
            "this dict belongs to a problem, whose data cannot be changed in place; create a new problem, or "
            "copy the dict and each dict in it, change the copy, and assign the copy to the attribute"
        )

    __setitem__ = __delitem__ = __ior__ = clear = pop = popitem = setdefault = update = _refuse


def frozen(value: Any) -> Any:
    """A dict, and the dicts that are its values, as frozen copies; anything else as it is."""
    if type(value) is not dict:
        return value
    return FrozenDict({key: FrozenDict(inner) if type(inner) is dict else inner for key, inner in value.items()})

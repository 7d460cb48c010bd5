"""Copies of classes without claims that a rule set on an object, or later on its class, invalidates.

The claims that are called cleared (see Vocabulary) are read too often to ask each time whether they hold: an object for which
some do not hold is searched as an object of a copy of its class, in which they have the values of the root.
"""

from __future__ import annotations

from copy import copy
from typing import Any, SupportsIndex, TypeVar

from bestfirst.as_written import fact, note_creation
from bestfirst.vocabulary import is_root

_T = TypeVar("_T")

CLEARED = "_claims_cleared"
"""Class attribute: the cleared claims (see Vocabulary) that were inherited and do not hold."""
_UNCLEARED = "_claims_uncleared"
"""Class attribute: the class of which it is a copy without some claims."""
_OF_COPIES = ("_claims_", "_abc_", "__")
"""Beginnings of the names of what is set on a copy itself."""


def without(owner: _T, claims: list[str]) -> _T:
    """The object, as one of a copy of its class without some cleared claims. Both have the same attributes."""
    made: Any = copy(owner)
    made.__class__ = _cleared_class(type(owner), tuple(sorted(claims)))
    made.__dict__ = vars(owner)  # so the rules count on the owner
    return made  # type: ignore[no-any-return]


def original(kind: type) -> type:
    """The class of which a class is a copy without some claims, or the class itself."""
    found: type = vars(kind).get(_UNCLEARED, kind)
    return found


def was_cleared(kind: type, claim: str) -> bool:
    """Whether a cleared claim has the value of the root because the stated one does not hold."""
    home = next((one for one in kind.__mro__ if claim in vars(one)), None)
    return home is not None and claim in vars(home).get(CLEARED, ())


def stating(kind: type, claim: str) -> type:
    """The class that states a claim which was cleared further down."""
    return next(one for one in kind.__mro__ if claim in vars(one) and claim not in vars(one).get(CLEARED, ()))


def of_root(kind: type, name: str) -> Any:
    """A member as the most derived root defines it; None if no root does, as for identity in a problem that is no Domain."""
    return next((vars(one)[name] for one in kind.__mro__ if is_root(one) and name in vars(one)), None)


def _cleared_class(kind: Any, names: tuple[str, ...]) -> type[Any]:
    """A class without some claims; it keeps the name of its base class."""
    return fact(kind, ("cleared", names), lambda: _made_cleared_class(kind, names))


def _made_cleared_class(kind: Any, names: tuple[str, ...]) -> type[Any]:
    members = {_UNCLEARED: kind, "__reduce_ex__": _as_original, "__copy__": _as_it_is, CLEARED: names} | {
        name: of_root(kind, name) for name in names
    }
    members |= {"__module__": kind.__module__, "__qualname__": kind.__qualname__}
    setting: Any = type("_Copied", (type(kind),), {"__setattr__": _set_on_original, "__delattr__": _delete_on_original})
    made: type[Any] = setting(kind.__name__, (_Unnoticed, kind), members)
    note_creation(made)
    return made


class _Unnoticed:
    """The first base of a copy of a class: no __init_subclass__ of a user is called for the copy."""

    def __init_subclass__(cls) -> None:
        pass


def _set_on_original(kind: type, name: str, value: Any) -> None:
    """What a rule sets on the class of its object, such as a counter: type(self).calls += 1."""
    if name.startswith(_OF_COPIES):
        type.__setattr__(kind, name, value)
    else:
        setattr(original(kind), name, value)


def _delete_on_original(kind: type, name: str) -> None:
    delattr(original(kind), name)


def _as_original(owner: Any, _protocol: SupportsIndex) -> Any:
    """An object of a copy of a class is pickled as one of the class itself."""
    made = _made_of(original(type(owner)), owner)
    made.__dict__ = vars(owner)
    return _itself, (made,)


def _itself(owner: Any) -> Any:
    return owner


def _as_it_is(owner: Any) -> Any:
    """An object of a copy of a class is copied as one of this copy."""
    other = _made_of(type(owner), owner)
    other.__dict__ = dict(vars(owner))
    return other


def _made_of(kind: type, owner: Any) -> Any:
    """A new object with the values that another one has in the slots of its class."""
    made: Any = object.__new__(kind)
    state = object.__getstate__(owner)
    for name, value in state[1].items() if isinstance(state, tuple) else ():
        object.__setattr__(made, name, value)
    return made

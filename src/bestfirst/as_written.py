"""What classes of problems and games, and objects of this package, were when they were created, and whether they still are."""

from __future__ import annotations

import builtins
import os
import re
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import MISSING, Field
from functools import cache, cached_property
from math import isnan
from operator import itemgetter
from pathlib import Path
from typing import Any, TypeVar, cast

from bestfirst.code_reading import codes_of, functions_of, is_generated, set_on_classes
from bestfirst.vocabulary import is_shipped

_Found_T = TypeVar("_Found_T")
_Rules = tuple[tuple[str, ...], tuple[Any, ...]]
"""Names and values."""


WRITTEN = "_claims_written"
"""Class attribute: the members of the class at its creation."""
RULES = "_claims_rules"
"""Class attribute: those members that may be rules, with their values."""
SEEN = "_claims_seen"
"""Class attribute: for each class of a user in its method resolution order, members and rules when this class was created."""
SETTLED = "_claims_settled"
"""Object attribute: its attributes when its shipped class had initialised it, without those derived from others."""
BEFORE = "_claims_before"
"""Object attribute: what a subclass set on it before __init__ of its shipped class; only while this runs."""
OWN = "_claims_own"
"""Object attribute: what its class set on it in another way than in __init__."""
ASSIGNED = "_claims_assigned"
"""Object attribute: the names of cached properties to which a value was assigned, so that it was not worked out."""
GIVEN = "_claims_given"
"""Object attribute: the first function that was assigned to each attribute; another one, assigned in any way, replaces it."""
KEPT = "_claims_kept"
"""Class attribute: whether the author of the class says that it keeps the inherited claims."""
PLAN = "_claims_plan"
"""Class attribute: see plan_of."""
FACTS = "_claims_facts"
"""Class attribute: see _Facts. It is no table of this module: that would keep the class for ever."""
_LIBRARY = Path(os.__file__).parent
_MISSING = object()
_PLAIN = frozenset((int, float, str, bool, type(None)))
_SPECIAL = re.compile(r"__\w+__")
NO_RULES = frozenset(
    (
        *("__init__", "__new__", "__post_init__", "__init_subclass__", "__class_getitem__", "__set_name__", "__del__"),
        *("__repr__", "__str__", "__dir__", "__setattr__", "__delattr__", "__subclasshook__", "__annotate__"),
        *("__annotate_func__", "__replace__", "__copy__", "__deepcopy__", "__reduce__", "__reduce_ex__"),
        *("__getstate__", "__setstate__"),
    )
)
"""Special methods that make, show, copy or pickle an object."""
_OF_PYTHON = frozenset(
    (
        *("__module__", "__qualname__", "__doc__", "__dict__", "__weakref__", "__slots__", "__hash__", "__annotations__"),
        *("__annotations_cache__", "__annotate_func__", "__conditional_annotations__", "__type_params__", "__final__"),
        *("__orig_bases__", "__parameters__", "__abstractmethods__", "__match_args__", "__slotnames__", "__classcell__"),
        *("__static_attributes__", "__firstlineno__", "__protocol_attrs__", "__non_callable_proto_members__"),
    )
)
"""Data that Python puts into classes."""
_OF_LIBRARIES = ("__dataclass", "__attrs", "__pydantic")
"""Beginnings of the names of data that decorators and other libraries put into classes."""


def has_claims(kind: type) -> bool:
    """Whether a class makes claims, unlike a plain mixin."""
    return hasattr(kind, "_vocabulary")


def is_of_python(kind: type) -> bool:
    """Whether a class belongs to the standard library, and not to a user's module of the same name."""
    name = kind.__module__
    if name == "builtins":  # also that of classes made by exec() without a __name__
        return getattr(builtins, kind.__name__, None) is kind
    return name.partition(".")[0] in sys.stdlib_module_names and _is_in_library(
        getattr(sys.modules.get(name), "__file__", None)
    )


@cache
def _is_in_library(file: str | None) -> bool:
    return file is None or Path(file).is_relative_to(_LIBRARY)


def is_users(kind: type) -> bool:
    """Whether a class belongs neither to this package nor to Python."""
    return not (is_shipped(kind) or is_of_python(kind))


def note_creation(kind: Any) -> None:
    """Note the members of a class, and of its plain mixins, when it is created."""
    written = dict(vars(kind))
    setattr(kind, WRITTEN, written)
    setattr(kind, FACTS, None)
    setattr(kind, PLAN, None)  # a plan made before the rules were known, or copied from a class that was created again
    setattr(kind, RULES, _rules_among(kind, kind, written))
    bases = [one for one in kind.__mro__[1:] if is_users(one)]
    setattr(kind, SEEN, _Seen({one: (dict(vars(one)), _rules_among(kind, one, vars(one))) for one in bases}))


class _Derived:
    """What a class holds about itself and its bases. A class that is pickled by value, as those of a script are, leaves it out."""

    def __reduce__(self) -> tuple[type[None], tuple[()]]:
        return type(None), ()


class _Seen(dict[type, tuple[Mapping[str, Any], _Rules]]):
    """See SEEN."""

    def __reduce__(self) -> tuple[Any, ...]:
        """Only plain mixins, and classes that were changed before: others hold what they were themselves."""
        return _Seen, ({one: seen for one, seen in self.items() if not (has_claims(one) and _had_its_rules(one, seen[1]))},)


def _had_its_rules(one: type, seen: _Rules) -> bool:
    """Whether a base class with claims had the rules of its creation when a class was derived from it."""
    try:
        return bool(seen == vars(one)[RULES])
    except Exception:  # some cannot be compared
        return False


def _rules_among(kind: type, home: type, members: Mapping[str, Any]) -> _Rules:
    """Those members that may be rules. The decorator replaces the fields of a dataclass with their defaults."""
    values = {name: member.default if isinstance(member, Field) else member for name, member in members.items()}
    rules = {name: one for name, one in values.items() if one is not MISSING and _may_be_rule(kind, home, name, one)}
    return tuple(rules), tuple(rules.values())


def _may_be_rule(kind: Any, home: type, name: str, member: object) -> bool:
    words = kind._vocabulary
    return words.is_rule(name) or (
        not is_shipped(home) and (words.is_claim_or_shown(name) or is_special(home, name, member))
    )


def added_to(kind: type, place: int) -> Iterator[str]:
    """The members that may be rules and that a class did not have at its creation."""
    home = kind.__mro__[place]
    written, _ = at_creation(kind, home)
    members = dict(vars(home))
    for name in members.keys() - written.keys():
        if name != "initial" and _may_be_rule(kind, home, name, members[name]):
            yield name


def at_creation(kind: type, one: type) -> tuple[Mapping[str, Any], _Rules]:
    """The members of a base class, and its rules, when it was created, or when the first class with claims was derived from it."""
    own = vars(one)
    if RULES in own:
        return own[WRITTEN], own[RULES]
    knowing = (vars(base).get(SEEN) or {} for base in reversed(kind.__mro__))
    return next((seen[one] for seen in knowing if one in seen), (own, ((), ())))


def as_seen(kind: type, home: type, one: type) -> tuple[Mapping[str, Any], _Rules]:
    """The members of a base class, and its rules, when a class was created that knows it; otherwise as it was created itself."""
    seen = vars(home).get(SEEN) or {}
    return seen[one] if one in seen else at_creation(kind, one)


class _Plan(_Derived, list[tuple[int, Mapping[str, Any], int, Callable[[Any], Any], tuple[Any, ...], bool]]):
    """See plan_of."""


def _note_init_subclass(kind: type) -> None:
    """Note, at the first question about a class, what __init_subclass__ of a base class has set on it after its creation."""
    inits = [
        vars(one)["__init_subclass__"] for one in kind.__mro__ if "__init_subclass__" in vars(one) and not is_shipped(one)
    ]
    names = frozenset[str]().union(*(set_on_classes(code) for init in inits for code in codes_of(init)))
    for one in (one for one in kind.__mro__ if names and RULES in vars(one) and not is_shipped(one)):
        written = vars(one)[WRITTEN]
        late = {name: vars(one)[name] for name in names if name in vars(one) and name not in written}
        if late:
            written.update(late)
            setattr(one, RULES, _rules_among(kind, one, written))


def plan_of(kind: type) -> _Plan:
    """Where replaced rules are looked for: all classes but the last, with their rules, and whether they are shipped.

    The number of their members shows whether a rule was added; it is -1 if one had been added already.
    """
    plan = vars(kind).get(PLAN)
    if plan is None:
        plan = _Plan()
        _note_init_subclass(kind)
        for place, one in enumerate(kind.__mro__[:-1]):
            _, (names, as_written) = at_creation(kind, one)
            if RULES in vars(one) or is_users(one):
                rules_of = itemgetter(*names, names[0]) if names else _no_rules  # of two names or more: a tuple
                size = -1 if any(added_to(kind, place)) else _size(vars(one))
                plan.append((place, vars(one), size, rules_of, as_written + as_written[:1], is_shipped(one)))
        setattr(kind, PLAN, plan)
    return plan


def _no_rules(_members: Mapping[str, Any]) -> tuple[Any, ...]:
    return ()


def _is_equal(members: Mapping[str, Any], rules_of: Callable[[Any], Any], as_written: tuple[Any, ...]) -> bool:
    """Whether all rules of a class are as written. This is asked often, and one comparison of tuples is fast."""
    try:
        return bool(rules_of(members) == as_written)
    except Exception:  # one was deleted, or cannot be compared
        return False


def _size(members: Mapping[str, Any]) -> int:
    """The number of members of a class, without the one that Python adds when an object is first copied or pickled."""
    return len(members) - ("__slotnames__" in members)


def later_than_written(kind: type) -> list[int]:
    """The places of the classes to which something was assigned after their creation."""
    return [
        place
        for place, members, size, rules_of, as_written, _ in plan_of(kind)
        if not (_size(members) == size and _is_equal(members, rules_of, as_written))
    ]


def looks_as_shipped(owner: Any) -> bool:
    """Whether all classes of an object are shipped, and neither they nor the object has changed."""
    own = owner.__dict__
    settled = own.get(SETTLED)
    if any(map(callable, own.values())) if settled is None else not _is_settled(owner, own, settled):
        return False
    for _, members, size, rules_of, as_written, shipped in plan_of(type(owner)):
        if not (shipped and _size(members) == size and _is_equal(members, rules_of, as_written)):
            return False
    return True


def _is_settled(owner: Any, own: Mapping[str, Any], settled: Mapping[str, Any]) -> bool:
    """Whether an object has not changed since it was initialised. This must be fast too."""
    try:
        if not settled.items() <= own.items():
            return False
    except Exception:  # a new value that cannot be compared
        return False
    return not any(_is_member_set(type(owner), name) for name in own.keys() - settled.keys())


class _Facts(_Derived):
    """What follows from the members of a class and its bases. of_code: what plain values, such as counters, do not change."""

    def __init__(self) -> None:
        self.members: list[dict[str, Any]] = []
        self.found: dict[Any, Any] = {}
        self.of_code: dict[Any, Any] = {}

    def note(self, kind: type) -> None:
        """Forget what no longer follows, because a member has changed."""
        members = [vars(one) for one in kind.__mro__[:-1]]
        if not _are_same(members, self.members):
            if not _differ_in_plain_values(members, self.members):
                self.of_code = {}
            self.members, self.found = [dict(one) for one in members], {}


def _are_same(members: Sequence[Mapping[str, Any]], before: Sequence[Mapping[str, Any]]) -> bool:
    try:
        return members == before
    except Exception:  # a new value that cannot be compared
        return False


def _differ_in_plain_values(members: Sequence[Mapping[str, Any]], before: Sequence[Mapping[str, Any]]) -> bool:
    if [now.keys() for now in members] != [then.keys() for then in before]:
        return False
    pairs = ((now[name], then[name]) for now, then in zip(members, before, strict=True) for name in then)
    return all(now is then or (type(now) in _PLAIN and type(then) in _PLAIN) for now, then in pairs)


def fact(kind: type, what: object, find: Callable[[], _Found_T], *, of_code: bool = True) -> _Found_T:
    """What follows from the members of a class: found again whenever one has changed. of_code: see _Facts."""
    plan_of(kind)  # which adds a member
    facts = vars(kind).get(FACTS)
    if facts is None:
        facts = _Facts()
        setattr(kind, FACTS, facts)
    facts.note(kind)
    found = facts.of_code if of_code else facts.found
    if what not in found:
        found[what] = find()
    return cast("_Found_T", found[what])


def is_same(one: object, other: object) -> bool:
    """Whether a value is still the same. Pickling makes others of equal numbers and texts."""
    if one is other:
        return True
    if type(one) is not type(other):
        return False
    if isinstance(one, tuple) and isinstance(other, tuple):
        has_attributes = getattr(one, "__dict__", None) or getattr(other, "__dict__", None)  # of a subclass
        return not has_attributes and len(one) == len(other) and all(map(is_same, one, other))
    is_nan = isinstance(one, float) and isinstance(other, float) and isnan(one) and isnan(other)
    return is_nan or (type(one) in _PLAIN and one == other)


def changed_since_settled(owner: Any) -> set[str] | None:
    """The names of the attributes that were set, in whatever way, since a shipped class initialised the object."""
    own, kind = vars(owner), type(owner)
    settled = own.get(SETTLED)
    if settled is None:
        return None
    changed = {name for name, value in settled.items() if not is_same(own.get(name, _MISSING), value)}
    return changed | {name for name in own.keys() - settled.keys() if _is_member_set(kind, name)}


def _is_member_set(kind: type, name: str) -> bool:
    """Whether a name, found on an object, is a member of its class that does not store itself there."""
    member = getattr(kind, name, _MISSING)
    return member is not _MISSING and not isinstance(member, cached_property)


def is_special(home: type, name: str, member: object) -> bool:
    """Whether a member with a name such as __len__ or __table__ is a user's: a special method, or data."""
    if callable(member):
        return is_special_rule(home, name, member)
    is_own = _SPECIAL.fullmatch(name) is not None and name not in _OF_PYTHON and not is_shipped(home)
    return is_own and not name.startswith(_OF_LIBRARIES)


def is_special_rule(home: type, name: str, member: object) -> bool:
    """Whether a member is a special method, such as __len__, that a user wrote: rules call it without its name."""
    if not callable(member) or name in NO_RULES or _SPECIAL.fullmatch(name) is None or is_shipped(home):
        return False
    return bool(codes_of(member)) and not any(is_generated(home, one) for one in functions_of(member)[:1])

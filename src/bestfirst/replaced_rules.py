"""Which rules of a problem or a game are not those that a class knew when it made a claim.

A class knows what it finds in itself and its base classes. Every member is a rule, methods and data alike, but for claims,
heuristics, display members, and what makes, shows or copies an object; these are rules too if a rule reads them.

A rule is replaced by a class from which the one with the claim is not derived, by an attribute of the object, or by an assignment
to a class after its creation. A new member replaces none, unless a rule does without it; nor does a class that fills in an open
member (a method that is abstract or raises NotImplementedError). What a class sets on its objects while they are made is a
parameter, and what it sets while they are searched is a counter or a cache: its author knows that they change.
"""

from __future__ import annotations

import dis
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache, cached_property, partial
from types import CodeType, FunctionType, MemberDescriptorType
from typing import Any

from bestfirst.as_written import (
    ASSIGNED,
    GIVEN,
    KEPT,
    NO_RULES,
    OWN,
    SETTLED,
    added_to,
    as_seen,
    at_creation,
    changed_since_settled,
    fact,
    has_claims,
    is_of_python,
    is_same,
    is_special,
    is_special_rule,
    is_users,
    later_than_written,
)
from bestfirst.asked_classes import asks_for_class
from bestfirst.called_code import called_by
from bestfirst.code_reading import (
    attributes_in,
    codes_of,
    codes_within,
    goes_on_without,
    is_generated,
    names_in,
    read_on_object,
    set_on_classes,
    sets_anything,
    stored_in,
    texts_read,
)
from bestfirst.computed_names import computes_names
from bestfirst.vocabulary import Stated, is_root, is_shipped

OBJECT = -1
"""The place of the object itself, which precedes all classes in its method resolution order."""
_METHODS = (FunctionType, classmethod, staticmethod, property, cached_property, type)
_INITIALISING = ("__init__", "__new__", "__post_init__")
_ENDS = ("RETURN_VALUE", "RETURN_CONST", "RETURN_GENERATOR", "YIELD_VALUE")
_ANYTHING = "*"
_WITH_FALLBACK = ("__contains__", "__bool__", "__len__", "__iter__", "__getattr__", "__getattribute__")
"""Special methods without which `in`, `if`, `for` and the reading of attributes do."""
_MISSING = object()


@dataclass(frozen=True)
class Replaced:
    """A rule that has been replaced.

    by: the place of what replaces it in the method resolution order. is_minor: it is no rule, but claims may depend on it: a
    heuristic, another claim, or a display member. is_new: a rule does without it. is_asked: it is no member, but the class of the
    object, for which a rule asks.
    """

    name: str
    by: int
    is_minor: bool = False
    is_new: bool = False
    is_asked: bool = False


# What an object replaces.


def replaced_in_object(owner: Any, home: type) -> Iterator[Replaced]:
    """The rules that attributes of an object replace, as far as a class knew them."""
    changed = changed_since_settled(owner)
    find = _by_attribute if changed is None else _since_settled
    for name in list(vars(owner)) if changed is None else sorted(changed):
        if name != "initial" and not name.startswith("_claims_"):
            replaced = find(owner, name, home)
            if replaced is not None:
                yield replaced


def _since_settled(owner: Any, name: str, home: type) -> Replaced | None:
    """An attribute that was set after a class of this package, which knows no other values, had initialised the object."""
    kind = type(owner)
    place = next((place for place in storing(kind, name) if not is_shipped(kind.__mro__[place])), OBJECT)
    is_known = _is_trusted(kind, place, home)
    in_class = definitions(kind, name)
    is_old = (name in vars(owner)[SETTLED] and not is_root(home)) or bool(definitions(home, name)) or _has_method(in_class)
    return Replaced(name, place, _is_minor(kind, home, name)) if is_old and not is_known else None


def _by_attribute(owner: Any, name: str, home: type) -> Replaced | None:
    """An attribute in place of a member of a class, unless a class that is known sets it itself."""
    own, kind = vars(owner), type(owner)
    value, in_class = own[name], definitions(kind, name)
    if own.get(GIVEN, {}).get(name, value) is not value and (in_class or name in kind._vocabulary.roots):
        return Replaced(name, OBJECT)
    if not in_class:
        return _in_place_of_none(kind, name, home)
    if is_same(own.get(OWN, {}).get(name, _MISSING), value):
        return None
    if is_same(value, in_class[0][1]) or (is_derived(kind, name) and name not in own.get(ASSIGNED, ())):
        return None
    places = storing(kind, name)
    place = min(places, default=OBJECT)
    if _has_method(in_class):  # which compiled code uses
        is_known = _is_trusted(kind, place, home)
    else:
        setting = (*places, *_initialising(kind, name))
        is_known = not definitions(home, name) or any(_is_trusted(kind, one, home) for one in setting)
    return None if is_known else Replaced(name, place, _is_minor(kind, home, name))


def _in_place_of_none(kind: Any, name: str, home: type) -> Replaced | None:
    """An attribute that no class defines: a rule that __init__ sets, or one that a rule does without."""
    is_root_rule = name in kind._vocabulary.roots
    if not (is_root_rule or _is_optional(kind, home, name)):
        return None
    places = storing(kind, name)
    place = min(places, default=OBJECT)
    is_known = any(_is_trusted(kind, one, home) for one in places)
    if not is_root_rule:
        return None if is_known else _new(kind, name, place, home)
    place = min(place, _first_start(kind))
    return Replaced(name, place) if is_known and not _is_trusted(kind, place, home) else None


def _is_trusted(kind: type, place: int, home: type) -> bool:
    """Whether a class knows another one, or a class that knows both says that it keeps the claims."""
    one = None if place == OBJECT else kind.__mro__[place]
    keeping = (kept.__mro__ for kept in kind.__mro__ if vars(kept).get(KEPT))
    return one is not None and (one in home.__mro__ or any(one in known and home in known for known in keeping))


def _has_method(found: Iterable[tuple[int, Any]]) -> bool:
    return any(isinstance(member, _METHODS) for _, member in found)


def _first_start(kind: type) -> int:
    """The place of the first class whose __init__ does not call that of a base class."""
    starts = ((place, codes_of(vars(one)["__init__"])) for place, one in enumerate(kind.__mro__) if "__init__" in vars(one))
    return next(place for place, codes in starts if not (codes and {"super", "__init__"} & names_in(codes[0])))


# What classes replace.


def replaced_in_classes(kind: type, home: type) -> Sequence[Replaced]:
    """The rules that classes replace, or that were assigned to classes later, as far as a class knew them."""
    return fact(kind, ("replaced", home), lambda: [*_assigned_later(kind, home), *_by_classes(kind, home)], of_code=False)


def _by_classes(kind: type, home: type) -> Iterator[Replaced]:
    for place, one in enumerate(kind.__mro__[:-1]):
        if is_users(one) and not _is_trusted(kind, place, home):
            yield from _by_class(kind, place, home)
            if _is_asked_for(kind, one, home):
                yield Replaced("the class", place, is_asked=True)


def _by_class(kind: type, place: int, home: type) -> Iterator[Replaced]:
    """The rules of one class that take the place of those that another class knows."""
    one = kind.__mro__[place]
    for name in list(at_creation(kind, one)[0]):
        value = vars(one).get(name, _MISSING)
        if value is _MISSING or not _matters(name, one, value):
            continue
        if _is_reached(kind, name, place):
            if _differs(kind, name, value, home):
                yield Replaced(name, place, _is_minor(kind, home, name))
            elif not definitions(home, name) and (_is_optional(kind, home, name) or name in _WITH_FALLBACK):
                yield _new(kind, name, place, home)


def _is_reached(kind: type, name: str, place: int) -> bool:
    """Whether a class has the last word on a member, or those that come before it call it by super()."""
    found = definitions(kind, name)
    before = [member for one, member in found if one < place]
    return any(one == place for one, _ in found) and all("super" in _names_of((member,), names_in) for member in before)


def _differs(kind: type, name: str, value: Any, home: type) -> bool:
    """Whether a member is another one than that which a class knows, and no other value of a parameter."""
    known = definitions(home, name)
    if known and is_same(value, known[0][1]):
        return False
    is_method = isinstance(value, _METHODS) or _is_property(value)
    places = {place for place, one in enumerate(kind.__mro__) if one in home.__mro__}
    if not known:
        return is_method and not places.isdisjoint(storing(kind, name))  # in place of an attribute
    is_data = not (is_method or _has_method(known))
    return not is_data or places.isdisjoint(_initialising(kind, name))


def _assigned_later(kind: type, home: type) -> Iterator[Replaced]:
    """The rules that were assigned to a class after its creation: its own, and those that it had inherited."""
    for place in later_than_written(kind):
        one = kind.__mro__[place]
        members, before = dict(vars(one)), dict(zip(*as_seen(kind, home, one)[1], strict=True))
        for name in {**before, **dict.fromkeys(added_to(kind, place))}:
            older = definitions(kind, name, place + 1)
            inherited = older[0][1] if older else _MISSING
            was, now = before.get(name, inherited), members.get(name, inherited)
            is_method = any(isinstance(each, _METHODS) or _is_property(each) for each in (was, now))
            is_own = not is_method and _is_upkeep(kind, place, name)
            if is_same(now, was) or is_own or not _matters(name, one, now):
                continue
            is_known = name in before or bool(older) if one in home.__mro__ else bool(definitions(home, name))
            if is_known or (is_method and storing(kind, name)):
                yield Replaced(name, OBJECT, _is_minor(kind, home, name))
            elif _is_optional(kind, home, name):
                yield _new(kind, name, OBJECT, home)


def _new(kind: type, name: str, place: int, home: type) -> Replaced:
    """A new member without which a rule, or only a claim, can do."""
    is_minor = not _is_optional(kind, home, name, of_rules=True) and name not in _WITH_FALLBACK
    return Replaced(name, place, is_minor, is_new=True)


def _is_upkeep(kind: type, place: int, name: str) -> bool:
    """Whether a class, or a base class, sets data while an object is made or searched, such as a counter."""
    return name in _set_on_class(kind, place) or any(
        one >= place for one in (*_initialising(kind, name), *storing(kind, name))
    )


# What is a rule.


def _matters(name: str, home: type, member: object) -> bool:
    """Whether claims may depend on a member of a class: it is not one of those that Python and claims.py add."""
    if name == "initial":
        return False
    if name.startswith("__"):
        return is_special(home, name, member)
    return not name.startswith(("_abc_", "_claims_", "_is_protocol", "_is_runtime_protocol"))


def _is_minor(kind: Any, home: type, name: str) -> bool:
    """Whether a member is no rule of a class: a claim, a heuristic or a display member that none of its rules reads."""
    is_datum = name.startswith("__") and not any(callable(member) for _, member in definitions(kind, name))
    return (is_datum or is_marked(kind, name) or is_claim_or_shown(kind, name)) and name not in _read_by_rules(kind, home)


def is_marked(kind: Any, name: str) -> bool:
    """Whether a member is a heuristic."""
    mark = kind._vocabulary.mark
    return bool(mark) and any(hasattr(member, mark) for _, member in definitions(kind, name))


def is_claim_or_shown(kind: Any, name: str) -> bool:
    """Whether a member is a claim or for display. Words that no class of this package uses are the user's own."""
    is_used = kind._has_all_claims or any(is_shipped(one) and name in vars(one) for one in kind.__mro__)
    return bool(is_used and kind._vocabulary.is_claim_or_shown(name))


def reads(kind: Any, claim: str, name: str, home: type) -> bool:
    """Whether a claim of a class, or what it calls, reads a member."""

    mark = kind._vocabulary.mark

    def is_looked_into(one: type, member: object) -> bool:
        is_near = is_shipped(home) or not is_shipped(one) or bool(mark and hasattr(member, mark))
        return is_near and not is_root(one)

    def find() -> set[str]:
        return _reached(kind, (claim,), _attributes_of, is_looked_into)

    found = fact(kind, ("read by", claim, is_shipped(home)), find)
    return name in found or (_ANYTHING in found and _is_computable(kind, name))


def claims_read_by_users(kind: Any) -> Sequence[str]:
    """The claims that rules or heuristics of users read as attributes."""

    def find() -> list[str]:
        words = kind._vocabulary
        members = (member for one in kind.__mro__ if not is_shipped(one) for member in vars(one).values())
        marked = [member for member in members if hasattr(member, words.mark or "_")]
        codes = [*_called_by_rules(kind, kind)[0], *called_by(marked)[0]]
        read = frozenset[str]().union(*map(read_on_object, codes))
        return sorted(name for name in read & (words.guarded | words.cleared) if is_claim_or_shown(kind, name))

    return fact(kind, "claims read by users", find)


def _read_by_rules(kind: type, home: type) -> frozenset[str]:
    """The names of attributes that those rules of users read which a class knows."""
    return fact(kind, ("read", home), lambda: frozenset[str]().union(*map(attributes_in, _called_by_rules(kind, home)[0])))


def _is_optional(kind: type, home: type, name: str, *, of_rules: bool | None = None) -> bool:
    """Whether the rules of users, or their claims, that a class knows can do without a member. of_rules: None: either."""
    sides = (True, False) if of_rules is None else (of_rules,)
    found = frozenset[str]().union(*(_without(kind, home, of_rules=side) for side in sides))
    return name in found or (_ANYTHING in found and _is_computable(kind, name))


def _without(kind: type, home: type, *, of_rules: bool) -> frozenset[str]:
    """The names of members without which rules or claims can do, and _ANYTHING if they work out some of the names."""

    def find() -> frozenset[str]:
        codes, _ = _called_by_rules(kind, home, of_rules=of_rules)
        computed = frozenset({_ANYTHING} if any(map(computes_names, codes)) else ())
        return computed.union(*map(texts_read, codes), *map(attributes_in, filter(goes_on_without, codes)))

    return fact(kind, ("optional", home, of_rules), find)


def _is_computable(kind: Any, name: str) -> bool:
    """Whether a name that code works out may be that of a member: claims, heuristics and display members are not meant."""
    return not (name.startswith("_") or is_claim_or_shown(kind, name) or is_marked(kind, name))


def _is_asked_for(kind: type, one: type, home: type) -> bool:
    """Whether rules that a class knows ask whether the object is of another class, or of which class it is."""

    classes, asks = _asked_for(kind, home)
    return asks or one in classes


def rules_ask_for_class(kind: type) -> bool:
    """Whether rules of users compare the class of their object with others."""
    return _asked_for(kind, kind)[1]


def _asked_for(kind: type, home: type) -> tuple[list[type], bool]:
    def find() -> tuple[list[type], bool]:
        codes, classes = _called_by_rules(kind, home)
        if not any(map(has_claims, classes)):  # the argument of a function may be a state
            codes = [code for member in _rules_of_users(kind, home) for code in codes_within(member)]
        return classes, any(map(asks_for_class, codes))

    return fact(kind, ("classes asked for", home), find)


def _called_by_rules(kind: type, home: type, *, of_rules: bool = True) -> tuple[list[CodeType], list[type]]:
    """The code of the rules of users that a class knows, or of their claims, heuristics and display members; see called_by()."""

    return fact(kind, ("called by rules", home, of_rules), lambda: called_by(_rules_of_users(kind, home, of_rules=of_rules)))


def _rules_of_users(kind: type, home: type, *, of_rules: bool = True) -> Iterator[Any]:
    for one in home.__mro__:
        if is_users(one):
            for name, member in vars(one).items():
                is_rule = not (is_claim_or_shown(kind, name) or is_marked(kind, name))
                if is_rule == of_rules and name not in NO_RULES and not name.startswith("_claims_"):
                    yield member


# What classes set.


def storing(kind: type, name: str) -> Sequence[int]:
    """The places of the classes that set an attribute on the object while it is made or searched, not in other methods."""
    stored = fact(kind, "stored", lambda: [_names_of(_running(kind, one), stored_in) for one in kind.__mro__])
    return [place for place, names in enumerate(stored) if name in names]


def home_on_object(kind: type, name: str) -> type | None:
    """The class whose author sets an attribute on the object; None if none does, or only methods that @dataclass wrote."""
    for place in storing(kind, name):
        one = kind.__mro__[place]
        written = [member for key, member in vars(one).items() if not _is_made_for(one, key)]
        if name in _names_of(written, stored_in) or name in vars(one).get("__annotations__", ()):
            return one
    return None


def _initialising(kind: type, name: str) -> Sequence[int]:
    """The places of the classes that set an attribute, or any, when an object is made: it is a parameter."""

    def set_by(code: CodeType) -> frozenset[str]:
        return stored_in(code) | ({_ANYTHING} if sets_anything(code) else set())

    stored = fact(kind, "initialised", lambda: [_names_of(_making(kind, one), set_by) for one in kind.__mro__])
    return [place for place, names in enumerate(stored) if name in names or _ANYTHING in names]


def _set_on_class(kind: type, place: int) -> frozenset[str]:
    """The attributes that a class, or a base class, sets on classes while an object is made or searched, such as counters."""

    def find() -> frozenset[str]:
        return _names_of((member for one in kind.__mro__[place:] for member in _running(kind, one)), set_on_classes)

    return fact(kind, ("set on the class", place), find)


def _making(kind: type, home: type) -> list[Any]:
    """The members of a class, as it was written, that make an object, and those that these call."""

    def called_or_set(code: CodeType) -> frozenset[str]:
        return read_on_object(code) | stored_in(code)  # what sets a property calls it

    if is_root(home):
        return []
    own, written = vars(home), at_creation(kind, home)[0]
    called = fact(
        kind,
        "called at first",
        lambda: _reached(kind, _INITIALISING, partial(_names_in_member, called_or_set), lambda one, _: not is_root(one)),
    )
    first = [own[name] if _is_made_for(home, name) else written.get(name) for name in _INITIALISING if name in own]
    members = [own[name] for name in called & own.keys()]
    setters = [member.fset for member in members if isinstance(member, property)]
    return [*first, *setters, *(member for member in members if not isinstance(member, staticmethod))]


def _is_made_for(home: type, name: str) -> bool:
    """Whether @dataclass wrote a member."""
    return isinstance(vars(home)[name], FunctionType) and is_generated(home, vars(home)[name])


def _running(kind: Any, home: type) -> list[Any]:
    """The members of a class that make an object, and those that a search calls."""

    def find() -> frozenset[str]:
        words, mark = kind._vocabulary, kind._vocabulary.mark
        heuristics = {name for one in kind.__mro__ for name, member in vars(one).items() if mark and hasattr(member, mark)}
        named = [(name, one, member) for one in kind.__mro__ for name, member in vars(one).items()]
        special = {name for name, one, member in named if name != "__call__" and is_special_rule(one, name, member)}
        starts: frozenset[str] = words.roots | words.guarded | words.asked | words.cleared | heuristics | special
        return starts | _reached(kind, starts, partial(_names_in_member, read_on_object), lambda *_: True)

    called = fact(kind, "called", find)
    own = {} if is_root(home) else vars(home)
    members = [member for name, member in own.items() if name in called and not isinstance(member, staticmethod)]
    return [*_making(kind, home), *members]


def _reached(
    kind: type,
    starts: Iterable[str],
    find: Callable[[Any], frozenset[str]],
    is_looked_into: Callable[[type, object], bool],
) -> set[str]:
    """The names that are found in members of classes, and those that are found in the members of these names."""
    waiting, known = list(starts), set[str]()
    while waiting:
        asked = waiting.pop()
        members = [vars(one)[asked] for one in kind.__mro__ if asked in vars(one) and is_looked_into(one, vars(one)[asked])]
        named = frozenset[str]().union(*map(find, members))
        waiting += named - known
        known |= named
    return known


def _attributes_of(member: Any) -> frozenset[str]:
    """The attributes that a member, and what it calls, reads, and _ANYTHING if it works out some of their names."""
    codes, _ = called_by([member])
    computed = frozenset({_ANYTHING} if any(map(computes_names, codes)) else ())
    return computed.union(*map(attributes_in, codes))


def _names_in_member(find: Callable[[CodeType], frozenset[str]], member: Any) -> frozenset[str]:
    return _names_of((member,), find)


def _names_of(members: Iterable[Any], find: Callable[[CodeType], frozenset[str]]) -> frozenset[str]:
    return frozenset[str]().union(*(find(code) for member in list(members) for code in codes_within(member)))


def definitions(kind: Any, name: str, first: int = 0) -> list[tuple[int, Any]]:
    """Where, from a place on, a member is defined, and as what; open members and most members of roots are left out."""
    found = []
    for place, one in enumerate(kind.__mro__[first:], start=first):
        member = vars(one).get(name, _MISSING)
        is_copy = isinstance(member, Stated) and member.home is not one
        is_written = not (member is _MISSING or is_copy or is_of_python(one))
        if is_written and not _is_left_open(member) and (not is_root(one) or name in kind._vocabulary.roots):
            found.append((place, member))
    return found


def _is_left_open(member: Any) -> bool:
    """Whether a member is abstract, or a method that only raises NotImplementedError."""
    codes = codes_of(member)
    if getattr(member, "__isabstractmethod__", False):
        return all(_only_raises(code) or _does_nothing(code) for code in codes)
    return isinstance(member, FunctionType) and _only_raises(member.__code__)


@cache
def _does_nothing(code: CodeType) -> bool:
    names = {instruction.opname for instruction in dis.get_instructions(code)}
    return names <= {"RESUME", "NOP", "LOAD_CONST", "RETURN_VALUE", "RETURN_CONST"} and not code.co_names


@cache
def _only_raises(code: CodeType) -> bool:
    names = [instruction.opname for instruction in dis.get_instructions(code)]
    return "NotImplementedError" in code.co_names and not any(name in _ENDS for name in names)


def _is_property(member: Any) -> bool:
    """Whether a member of a class is read and set in the place of an attribute; a slot is only the place of one."""
    return hasattr(type(member), "__set__") and not isinstance(member, (MemberDescriptorType, Stated))


def is_derived(kind: type, name: str) -> bool:
    """Whether an attribute of an object was stored by a cached_property."""
    return isinstance(getattr(kind, name, None), cached_property)

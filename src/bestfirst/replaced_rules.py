"""Which rules of a problem or a game have been replaced since its classes were written.

A rule is replaced by a class that comes earlier in the method resolution order, by an attribute of the object, or by an
assignment to the class after its creation. Every member is a rule, but for claims, heuristics, display members and what makes,
shows or copies an object; these are rules too if a rule reads them on the object.

No rule is replaced by a new member, unless a rule goes on without it, nor by a class that fills in an open member (a method that
is abstract or raises NotImplementedError). What the methods of a class set on its objects are its parameters, counters and
caches; its author knows that they change.
"""

from __future__ import annotations

import dis
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from math import inf
from types import CodeType, FunctionType, MemberDescriptorType
from typing import Any

from bestfirst.as_written import (
    ASSIGNED,
    GIVEN,
    KEPT,
    NO_RULES,
    SETTLED,
    Plan,
    added_to,
    at_creation,
    changed_since_settled,
    fact,
    is_equal,
    is_of_python,
    is_special_rule,
    plan_of,
    size_of,
)
from bestfirst.code_reading import (
    codes_of,
    is_generated,
    names_in,
    read_on_object,
    set_on_classes,
    stored_in,
    texts_read,
)
from bestfirst.vocabulary import Stated, is_root, is_shipped

OBJECT = -1
"""The place of the object itself, which precedes all classes in its method resolution order."""
_METHODS = (FunctionType, classmethod, staticmethod, property, cached_property, type)
_INITIALISING = ("__init__", "__new__", "__post_init__")
_ENDS = ("RETURN_VALUE", "RETURN_CONST", "RETURN_GENERATOR", "YIELD_VALUE")
_MISSING = object()


@dataclass(frozen=True)
class Replaced:
    """A rule that has been replaced.

    by: the place in the method resolution order of what replaces it. above, up_to: claims that classes after the one place, up to
    the other, make are about another rule. is_heuristic: whether it is a heuristic, which is not a rule, but on which other
    heuristics and forms depend. is_new: whether no class defines it, but a rule asks for it.
    """

    name: str
    by: int
    above: float
    up_to: float
    is_heuristic: bool = False
    is_new: bool = False


def replaced_in_object(owner: Any) -> Iterator[Replaced]:
    """The rules that attributes of an object replace."""
    own, kind, changed = vars(owner), type(owner), changed_since_settled(owner)
    for name in own if changed is None else sorted(changed):
        if name != "initial" and _is_rule(kind, name, OBJECT):
            find = _replaced_by_attribute if changed is None else _replaced_since_settled
            yield from find(owner, name)


def _replaced_since_settled(owner: Any, name: str) -> Iterator[Replaced]:
    """An attribute that was set after the class of this package, which knows no other values, had initialised the object."""
    kind, settled = type(owner), vars(owner)[SETTLED]
    is_method = any(isinstance(value, _METHODS) for _, value in definitions(kind, name))
    by = next((place for place in storing(kind, name) if not is_shipped(kind.__mro__[place])), OBJECT)
    if name in settled or any(place > by for place, _ in definitions(kind, name)):
        yield Replaced(name, by, by, inf if is_method else places_of(kind), is_heuristic=_is_heuristic(kind, name))


def _replaced_by_attribute(owner: Any, name: str) -> Iterator[Replaced]:
    """An attribute in place of a member of a class, unless a method of the class sets it."""
    own, kind = vars(owner), type(owner)
    value, in_class, is_root_rule = own[name], definitions(kind, name), name in kind._vocabulary.roots
    if own.get(GIVEN, {}).get(name, value) is not value and (in_class or is_root_rule):
        yield Replaced(name, OBJECT, OBJECT, inf)
    elif is_root_rule and not in_class:
        by = _first_start(kind)
        if by < max(storing(kind, name), default=OBJECT):
            yield Replaced(name, by, by, places_of(kind))
    elif not in_class:
        by = min(storing(kind, name), default=OBJECT) if name in _optional(kind, 0) else OBJECT
        if name in _optional(kind, by + 1):
            yield Replaced(name, by, by, places_of(kind), is_new=True)
    elif value is not in_class[0][1] and (not is_derived(kind, name) or name in own.get(ASSIGNED, ())):
        is_method = any(isinstance(member, _METHODS) for _, member in in_class)
        by = (min if is_method else max)(storing(kind, name), default=OBJECT)
        up_to = inf if is_method else in_class[-1][0]
        if by < up_to:
            yield Replaced(name, by, by, up_to, is_heuristic=_is_heuristic(kind, name))


def _first_start(kind: type) -> int:
    """The place of the first class whose __init__ does not call that of a base class."""
    starts = ((place, codes_of(vars(one)["__init__"])) for place, one in enumerate(kind.__mro__) if "__init__" in vars(one))
    return next(place for place, codes in starts if not (codes and {"super", "__init__"} & names_in(codes[0])))


def replaced_in_classes(kind: type) -> Sequence[Replaced]:
    """The rules that classes replace."""
    return fact(kind, "replaced", lambda: list(_found_replaced(kind, plan_of(kind))), of_code=False)


def _found_replaced(kind: type, plan: Plan) -> Iterator[Replaced]:
    for place, members, size, rules_of, as_written, shipped in plan:
        if not (size_of(members) == size and is_equal(members, rules_of, as_written)):
            yield from _assigned_later(kind, place)
        if not shipped and not members.get(KEPT):
            yield from _replaced_by_class(kind, place)


def _replaced_by_class(kind: type, place: int) -> Iterator[Replaced]:
    """The rules of a class that replace those of its base classes."""
    home = kind.__mro__[place]
    written = at_creation(kind, home)[0]
    for name, value in dict(vars(home)).items():  # another thread may add one
        if name == "initial" or name not in written or not _is_rule(kind, name, place + 1, home, value):
            continue
        older = definitions(kind, name, place + 1)
        if older and value is older[0][1]:
            continue  # it is what would be inherited
        is_method = isinstance(value, _METHODS) or _is_property(value)
        if older:
            is_data = not is_method and not any(isinstance(member, _METHODS) for _, member in older)
            above = max((one for one in _initialising(kind, name) if is_data and one > place), default=place)
            if above < older[-1][0]:
                yield Replaced(name, place, above, older[-1][0], _is_heuristic(kind, name, place))
        elif is_method and any(one > place for one in storing(kind, name)):
            yield Replaced(name, place, place, places_of(kind))  # in place of an attribute, which may change unnoticed
        elif name in _optional(kind, place + 1):
            yield Replaced(name, place, place, places_of(kind), is_new=True)


def _assigned_later(kind: type, place: int) -> Iterator[Replaced]:
    """The rules that were assigned to a class after its creation: its own, and those that it had inherited."""
    home = kind.__mro__[place]
    members = dict(vars(home))
    before = dict(zip(*at_creation(kind, home)[1], strict=True))
    for name in (*before, *added_to(kind, place)):
        if not _is_rule(kind, name, place, home, members.get(name, before.get(name))):
            continue
        older = definitions(kind, name, place + 1)
        inherited = older[0][1] if older else _MISSING
        was, now = before.get(name, inherited), members.get(name, inherited)
        is_method = any(isinstance(one, _METHODS) or _is_property(one) for one in (was, now))
        if now is was or (not is_method and _is_upkeep(kind, place, name)):
            continue
        if name in before or older:
            up_to = older[-1][0] if older else place
            yield Replaced(name, OBJECT, OBJECT, up_to, _is_heuristic(kind, name))
        elif is_method and storing(kind, name):
            yield Replaced(name, OBJECT, OBJECT, places_of(kind))  # a property in place of an attribute
        elif name in _optional(kind, place):
            yield Replaced(name, OBJECT, OBJECT, places_of(kind), is_new=True)


def _is_upkeep(kind: type, place: int, name: str) -> bool:
    """Whether a class, or a base class, sets data on classes, such as a counter, or sets them when an object is made."""
    return name in _set_on_class(kind, place) or any(one >= place for one in _initialising(kind, name))


def _is_rule(kind: Any, name: str, first: int, home: type | None = None, member: object = None) -> bool:
    """Whether a member is a rule. first: the place of the first class whose rules may read it."""
    words = kind._vocabulary
    if words.is_rule(name):
        return True
    if words.is_claim_or_shown(name):
        return name in _read_by_rules(kind, first)
    return home is not None and is_special_rule(home, name, member)


def _is_heuristic(kind: Any, name: str, first: int = OBJECT) -> bool:
    """Whether a member is a heuristic that no rule reads."""
    mark = kind._vocabulary.mark
    is_marked = bool(mark) and any(hasattr(member, mark) for _, member in definitions(kind, name))
    return is_marked and name not in _read_by_rules(kind, first + 1)


def reads(kind: Any, claim: str, name: str) -> bool:
    """Whether a method, or one that it calls on the object, reads an attribute of the object."""
    return name in _reached(kind, (claim,))


def _reached(kind: type, starts: Iterable[str]) -> set[str]:
    """The names that methods, and those that they call on the object, read on the object."""
    waiting, known = list(starts), set[str]()
    while waiting:
        asked = waiting.pop()
        members = [vars(one)[asked] for one in kind.__mro__ if asked in vars(one)]
        named = frozenset[str]().union(*(read_on_object(code) for member in members for code in codes_of(member)))
        waiting += named - known
        known |= named
    return known


def _read_by_rules(kind: type, first: int) -> frozenset[str]:
    """The names that rules in classes of users, from a place on, read on the object."""
    return fact(kind, ("read", first), lambda: frozenset[str]().union(*map(read_on_object, _codes_of_rules(kind, first))))


def _optional(kind: type, first: int) -> frozenset[str]:
    """The names of members without which rules in classes of users, from a place on, can go on."""

    def find() -> frozenset[str]:
        codes = list(_codes_of_rules(kind, first))
        catching = (read_on_object(code) for code in codes if "AttributeError" in names_in(code))
        return frozenset[str]().union(*map(texts_read, codes), *catching)

    return fact(kind, ("optional", first), find)


def _codes_of_rules(kind: Any, first: int) -> Iterator[CodeType]:
    words, mark = kind._vocabulary, kind._vocabulary.mark
    for one in kind.__mro__[max(first, 0) :]:
        if not is_shipped(one) and not is_of_python(one):
            for name, member in vars(one).items():
                if not (words.is_claim_or_shown(name) or name in NO_RULES or (mark and hasattr(member, mark))):
                    yield from codes_of(member)


def storing(kind: type, name: str) -> Sequence[int]:
    """The places of the classes that set an attribute on the object while it is made or searched, not in other methods."""
    stored = fact(kind, "stored", lambda: [_names_of(_running(kind, one), stored_in) for one in kind.__mro__])
    return [place for place, names in enumerate(stored) if name in names]


def _initialising(kind: type, name: str) -> Sequence[int]:
    """The places of the classes that set an attribute when an object is made: it is a parameter."""
    stored = fact(kind, "initialised", lambda: [_names_of(_making(kind, one), stored_in) for one in kind.__mro__])
    return [place for place, names in enumerate(stored) if name in names]


def _set_on_class(kind: type, place: int) -> frozenset[str]:
    """The attributes that a class, or a base class, sets on classes while an object is made or searched, such as counters."""

    def find() -> frozenset[str]:
        return _names_of((member for one in kind.__mro__[place:] for member in _running(kind, one)), set_on_classes)

    return fact(kind, ("set on the class", place), find)


def _making(kind: type, home: type) -> list[Any]:
    """The members of a class, as it was written, that make an object."""
    own, written = vars(home), at_creation(kind, home)[0]
    if is_root(home):
        return []
    return [own[name] if _is_made_for(home, name) else written.get(name) for name in _INITIALISING if name in own]


def _is_made_for(home: type, name: str) -> bool:
    """Whether @dataclass wrote a member."""
    return isinstance(vars(home)[name], FunctionType) and is_generated(home, vars(home)[name])


def _running(kind: Any, home: type) -> list[Any]:
    """The members of a class that make an object, and those that a search calls."""

    def find() -> frozenset[str]:
        words, mark = kind._vocabulary, kind._vocabulary.mark
        heuristics = {name for one in kind.__mro__ for name, member in vars(one).items() if mark and hasattr(member, mark)}
        starts: frozenset[str] = words.roots | words.guarded | words.asked | words.cleared | heuristics
        return starts | _reached(kind, starts)

    called = fact(kind, "called", find)
    own = {} if is_root(home) else vars(home)
    return [*_making(kind, home), *(member for name, member in own.items() if name in called)]


def _names_of(members: Iterable[Any], find: Callable[[CodeType], frozenset[str]]) -> frozenset[str]:
    return frozenset[str]().union(*(find(code) for member in list(members) for code in codes_of(member)))


def definitions(kind: Any, name: str, first: int = 0) -> list[tuple[int, Any]]:
    """Where, from a place on, a member is defined, and as what; open members and members that are not rules are left out."""
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


def places_of(kind: type) -> int:
    """The place of the last class that is not a root."""
    return max((place for place, one in enumerate(kind.__mro__) if one is not object and not is_root(one)), default=OBJECT)

"""Claims: what a class says about its rules holds for a subclass only as long as the subclass keeps these rules.

A problem defines its rules (successors, is_goal, step, and whatever these call) and may add claims that make searches faster: a
compilable form, a backward problem, a reason why it is unsolvable, admissible heuristics, unit costs. A subclass that
replaces a rule inherits the claims of its base class, which say nothing about the new rule. So a claim holds for an object
only if no rule that the author of the claim saw has been replaced since:

    class Tiles(SlidingTile):                 # SlidingTile claims domain(), backward(), unit_cost = True, ...
        def successors(self, state): ...      # replaces a rule, so none of these claims holds for Tiles
        unit_cost = True                      # but this one does: its author knows the new rule

A rule is replaced by a class that comes earlier in the method resolution order, by an attribute of the object, or by an
assignment to the class after its creation. A claim that does not hold has the value that it has in Problem (or Game), which
claims nothing.
The classes of bestfirst itself are trusted to keep their claims when one is derived from another.

New members replace nothing, unless a rule asks whether the object has them. Neither does a class that only fills in an open
member (a method that raises NotImplementedError or is abstract). Data attributes of a class are its parameters: if both the
rules and a claim read them, or neither does, a subclass with other data keeps the claim. Special methods, such as __len__, are
rules; so are claims and display members that a rule reads.
"""

from __future__ import annotations

import dis
import pickle
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from copy import copy
from dataclasses import MISSING, Field, dataclass
from functools import cache, cached_property, partial
from math import inf
from operator import itemgetter
from threading import local
from types import CodeType, FunctionType, MappingProxyType, MemberDescriptorType
from typing import Any, ClassVar, TypeVar, cast

from bestfirst.arguments import suggesting
from bestfirst.attribute_access import parameters_of, set_on
from bestfirst.code_reading import (
    Reading,
    called_by,
    is_special_rule,
    names_in,
    read_by,
    reading_of,
    set_on_classes,
    stored_in,
)
from bestfirst.module_notes import note_module
from bestfirst.reached_code import codes_of

_Rules = tuple[tuple[str, ...], tuple[Any, ...]]
"""Names and values."""
_T = TypeVar("_T", bound="Claims")
_Found_T = TypeVar("_Found_T")

PACKAGE = __name__.partition(".")[0]
OBJECT = -1
"""The place of the object itself, which precedes all classes in its method resolution order."""
_WRITTEN = "_claims_written"
"""Class attribute: the members of the class at its creation."""
_RULES = "_claims_rules"
"""Class attribute: those members that may be rules, with their values."""
_MIXINS = "_claims_mixins"
"""Class attribute: for each base class that knows nothing of claims, its members and rules at the creation of the class."""
_SETTLED = "_claims_settled"
"""Object attribute: its attributes when its shipped class had initialised it, without those derived from others."""
_ASSIGNED = "_claims_assigned"
"""Object attribute: the names of cached properties to which a value was assigned, so that it was not worked out."""
_GIVEN = "_claims_given"
"""Object attribute: the first function that was assigned to each attribute; another one, assigned in any way, replaces it."""
_CLEARED = "_claims_cleared"
"""Class attribute: the cleared claims (see Vocabulary) that were inherited and do not hold."""
_UNCLEARED = "_claims_uncleared"
"""Class attribute: the class of which it is a copy without some claims."""
_PLAN = "_claims_plan"
"""Class attribute: see _plan_of."""
_FACTS = "_claims_facts"
"""Class attribute: see _Facts. It is no table of this module: that would keep the class for ever."""
_CLASS = "__class__"
"""The name of what a subclass replaces if the rules depend on the class of the object."""
_INITIALISING = ("__init__", "__new__", "__post_init__", "__init_subclass__")
_MISSING = object()
_METHODS = (FunctionType, classmethod, staticmethod, property, cached_property, type)
_ENDS = ("RETURN_VALUE", "RETURN_CONST", "RETURN_GENERATOR", "YIELD_VALUE")


@dataclass(frozen=True)
class Vocabulary:
    """Which members of a kind of class are claims, which are rules, and which are neither.

    guarded: claims that are read as attributes, each of which becomes a Claim. asked: claims that are checked with holds()
    instead.
    cleared: claims read too often for either, so a class that replaces a rule is given the members of the root. shown:
    display members, on which no claim depends. roots: the rules from which all others are reached. goals: those of them
    that define the goal states; of_actions: the claims that do not depend on these. forms: claims that give another
    form of the problem with heuristics of its own, so that they depend on heuristics too. naming: claims that name a
    heuristic, which also hold if the claim about that heuristic holds. mark: the attribute of a function that makes it
    a heuristic.
    """

    guarded: frozenset[str]
    asked: frozenset[str]
    shown: frozenset[str]
    roots: frozenset[str]
    goals: frozenset[str] = frozenset()
    of_actions: frozenset[str] = frozenset()
    forms: frozenset[str] = frozenset({"domain"})
    naming: frozenset[str] = frozenset()
    cleared: frozenset[str] = frozenset()
    mark: str = ""

    def is_rule(self, name: str) -> bool:
        """Whether the name of a member of a class or an object is that of a rule."""
        return not (name.startswith(("__", "_abc_", "_claims_")) or self.is_claim_or_shown(name))

    def is_claim_or_shown(self, name: str) -> bool:
        """Whether a member is a rule only if a rule reads it."""
        return name in self.shown or name in self.guarded or name in self.asked or name in self.cleared

    def roots_of(self, claim: str) -> frozenset[str]:
        """The rules on which a claim depends."""
        return self.roots - self.goals if claim in self.of_actions else self.roots


@dataclass(frozen=True)
class Replaced:
    """A rule that has been replaced.

    by, up_to: the places in the method resolution order of the class that replaces it and of the first base class that
    defines it: claims written in between saw another rule. is_parameter: whether data replace data. is_heuristic:
    whether it is a heuristic, which is not a rule, but on which other heuristics and forms depend. is_new: whether no base
    class defines it, but a rule asks for it.
    """

    name: str
    by: float
    up_to: float
    is_parameter: bool = False
    is_heuristic: bool = False
    is_new: bool = False


class _Plan(list[tuple[int, Mapping[str, Any], int, Callable[[Any], Any], tuple[Any, ...], bool]]):
    """See _plan_of."""

    def __reduce__(self) -> tuple[type[None], tuple[()]]:
        """None: a class that is pickled by value, as those of a script are, must not take the members of its bases along."""
        return type(None), ()


class Claims:
    """The base of classes that make claims."""

    _vocabulary: ClassVar[Vocabulary]
    _is_root: ClassVar[bool] = True
    """Whether the class's own values claim nothing; each class sets it for itself."""
    _adjusted: ClassVar[Mapping[str, Callable[[Any, Any, bool], Any]]] = MappingProxyType({})
    """For each claim that depends on some rules only, a function that returns its value, given the object, its stated value,
    and whether the class holds."""

    def __init_subclass__(cls, **options: Any) -> None:
        super().__init_subclass__(**options)
        if _is_shipped(cls) and "__init__" in vars(cls):
            setattr(cls, "__init__", suggesting(vars(cls)["__init__"]))  # noqa: B010  (mypy refuses an assignment)
        for name in cls._vocabulary.guarded:
            _guard(cls, name)
        guard_later_claims(cls)
        cleared = _broken_in_class(cls)
        for name in cleared:
            setattr(cls, name, _of_root(cls, name))
        setattr(cls, _CLEARED, cleared)
        written = dict(vars(cls))
        setattr(cls, _WRITTEN, written)
        if not _is_shipped(cls):
            note_module(cls)
        setattr(cls, _FACTS, None)
        setattr(cls, _PLAN, None)  # a plan made before the rules were known, or copied from a class that was created again
        setattr(cls, _RULES, _rules_among(cls, cls, written))
        mixins = [one for one in cls.__mro__ if not issubclass(one, Claims) and not _is_shipped(one) and one is not object]
        setattr(cls, _MIXINS, {one: (dict(vars(one)), _rules_among(cls, one, vars(one))) for one in mixins})

    def __setattr__(self, name: str, value: Any) -> None:
        """Forget the values derived from an attribute that changes after a shipped class initialised the object."""
        own = self.__dict__
        if _is_derived(type(self), name):
            own[_ASSIGNED] = own.get(_ASSIGNED, frozenset()) | {name}
        if callable(value) and name not in own.get(_GIVEN, ()):
            own[_GIVEN] = {**own.get(_GIVEN, {}), name: value}
        if _SETTLED in own and (name in own or hasattr(type(self), name)):
            for derived in [other for other in own if other != name and _is_derived(type(self), other)]:
                del own[derived]
        super().__setattr__(name, value)

    def _settle(self) -> None:
        """Mark the end of __init__. An assignment to an attribute replaces a rule from then on."""
        own, kind = self.__dict__, type(self)
        own[_SETTLED] = {name: value for name, value in own.items() if name != _SETTLED and not _is_derived(kind, name)}

    @contextmanager
    def _unsettled(self) -> Iterator[None]:
        """Let the object's own class change it; the class keeps its claims true."""
        changed, settled = _changed(self), self.__dict__.pop(_SETTLED, None)
        try:
            yield
        finally:
            if changed is not None:
                self._settle()
                now = self.__dict__[_SETTLED]
                for name in changed:
                    now[name] = settled.get(name, _MISSING)


class Claim:
    """The descriptor of a claim: read on an object, it is what the class says, if that holds.

    home: the class in which it is written.
    """

    def __init__(self, name: str, said: Any, home: type) -> None:
        self.name, self.said, self.home = name, said, home

    def __get__(self, owner: Any, kind: type | None = None) -> Any:
        if owner is None:
            return _bound(self.said, None, kind)
        adjust = type(owner)._adjusted.get(self.name)
        if adjust is None and not holds(owner, self.name):
            return _unclaimed(owner, self.name)
        own = vars(owner)
        if self.name in own:
            return own[self.name]
        value = _bound(self.said, owner, kind)
        if adjust is None:
            return value
        return adjust(owner, value, _broken(owner, self.name, type(owner).__mro__.index(self.home)) is None)

    def __set__(self, owner: Any, value: Any) -> None:
        if hasattr(self.said, "__set__"):
            self.said.__set__(owner, value)
        else:
            vars(owner)[self.name] = value

    def __delete__(self, owner: Any) -> None:
        if self.name not in vars(owner):
            raise AttributeError(self.name)
        del vars(owner)[self.name]


def holds(owner: Claims, claim: str) -> bool:
    """Whether a claim, or a declaration about a heuristic, holds for an object."""
    return is_as_shipped(owner) or _broken(owner, claim) is None


def keeps_all(owner: Claims) -> bool:
    """Whether all claims hold because no rule or heuristic of an object has been replaced."""
    return not _replaced(owner)


def method_on_object(owner: Claims) -> str | None:
    """The name of a method that was set on an object, which compiled code would not see; otherwise None."""
    kind = type(owner)
    names = (name for name, value in vars(owner).items() if callable(value))
    return next((name for name in names if isinstance(getattr(kind, name, None), FunctionType)), None)


def why_not_on_object(owner: Claims, method: str) -> str:
    """Why a search of an object on which a method was set cannot be compiled, and what to do."""
    kind = type(owner).__name__
    if not callable(vars(owner).get(method, why_not_on_object)):
        return f"{method} of this {kind} was changed after it was created; create another {kind} with the new value"
    return (
        f"{method} is set on this {kind} object, but compiled code uses the methods of the class; "
        f"define it in {kind} or in a subclass"
    )


def without_broken(owner: _T) -> _T:
    """The object, or a copy without those cleared claims that a rule set on it, or on its class, invalidates."""
    if is_as_shipped(owner):
        return owner
    guard_later_claims(type(owner))
    own, kind = vars(owner), type(owner)
    is_replaced = any(_replaced_in_object(owner)) or any(one.by == OBJECT for one in _replaced_in_classes(kind))
    broken = [name for name in kind._vocabulary.cleared if is_replaced and name not in own and not holds(owner, name)]
    if not broken:
        return owner
    made, kind = copy(owner), cast("Any", type(owner))
    made.__class__ = _cleared_class(kind, tuple(sorted(broken)))
    return made


def is_alike(one: Claims, other: Claims) -> bool:
    """Whether objects are of one class and have equal attributes, apart from where they begin and from what is derived."""
    if one is other:
        return True
    kind, other_kind = (vars(type(this)).get(_UNCLEARED, type(this)) for this in (one, other))
    if kind is not other_kind:
        return False
    own, others = (
        {name: value for name, value in vars(this).items() if name in vars(this).get(_SETTLED, vars(this))}
        for this in (one, other)
    )
    names = [name for name in own.keys() | others.keys() if name != "initial" and not name.startswith("_claims_")]
    return all(
        _is_derived(kind, name) or (name in own and name in others and _are_equal(own[name], others[name])) for name in names
    )


def _are_equal(one: Any, other: Any) -> bool:
    if one is other:
        return True
    try:
        if hasattr(one, "tobytes"):  # an array
            return (one.dtype, one.shape, one.tobytes()) == (other.dtype, other.shape, other.tobytes())
        return type(one) is type(other) and (bool(one == other) or pickle.dumps(one) == pickle.dumps(other))
    except Exception:  # they cannot be compared
        return False


def was_cleared(owner: Claims, claim: str) -> bool:
    """Whether a cleared claim has the value of the root because the stated one does not hold."""
    home = next((one for one in type(owner).__mro__ if claim in vars(one)), None)
    return home is not None and claim in vars(home).get(_CLEARED, ())


def _cleared_class(kind: Any, names: tuple[str, ...]) -> type[Any]:
    """A class without some claims; it keeps the name of its base class."""
    return _fact(kind, ("cleared", names), lambda: _made_cleared_class(kind, names))


def _made_cleared_class(kind: Any, names: tuple[str, ...]) -> type[Any]:
    members = {_UNCLEARED: kind} | {name: _of_root(kind, name) for name in names}
    return type(kind.__name__, (kind,), {"__module__": kind.__module__, "__qualname__": kind.__qualname__, **members})


def why_not(owner: Claims, claim: str) -> str | None:
    """Why a claim does not hold for an object; None if it does, or if no class makes it."""
    broken = _broken(owner, claim)
    if broken is None:
        return None
    kind, place = type(owner), _place_of(owner, claim)
    assert isinstance(place, int)
    home = kind.__mro__[place]
    if is_root(home):
        if home is _first_root(kind, claim):
            return None
        if broken.by == OBJECT and not _definitions(kind, broken.name, place):
            return why_not_on_object(owner, broken.name)
    return (
        f"{_deed(owner, broken)}, and {home.__name__}.{claim} was written for the original rules; "
        f"to use it, define {claim} in {_own_name(kind)}"
    )


def notice(owner: Claims) -> str | None:
    """Which claims of an object do not hold, and why; None if all do."""
    if keeps_all(owner):
        return None
    broken = {name: _broken(owner, name) for name in sorted(type(owner)._vocabulary.guarded)}
    lost = [name for name, replaced in broken.items() if replaced is not None and _says_something(owner, name)]
    if not lost:
        return None
    deeds = dict.fromkeys(_deed(owner, broken[name]) for name in lost)
    return (
        f"{' and '.join(deeds)}, so the search ignores what was declared for the original rules: {', '.join(lost)}; declare "
        f"in {_own_name(type(owner))} those that still hold"
    )


def _own_name(kind: type) -> str:
    """The class in which a user can declare something."""
    return f"a subclass of {kind.__name__}" if _is_shipped(kind) else kind.__name__


def _says_something(owner: Claims, name: str) -> bool:
    """Whether a claim, where it holds, differs from that of the root."""
    place = _place_of(owner, name)
    if place is None or place == OBJECT:
        return place == OBJECT
    home = type(owner).__mro__[int(place)]
    return not is_root(home) or (name in type(owner)._vocabulary.forms and home is not _first_root(type(owner), name))


def _deed(owner: Claims, replaced: Replaced | None) -> str:
    assert replaced is not None
    kind = type(owner)
    if replaced.name == _CLASS:
        return f"the rules of {kind.__name__} depend on its class"
    if replaced.by == OBJECT:
        return f"{replaced.name} of this {kind.__name__} has been {'added' if replaced.is_new else 'replaced'}"
    return f"{kind.__mro__[int(replaced.by)].__name__} {'adds' if replaced.is_new else 'replaces'} {replaced.name}"


# Which rules have been replaced.


def _broken(owner: Claims, claim: str, place: float | None = None) -> Replaced | None:
    """The rule that has been replaced since a claim was written, if any. place: the place of the class that wrote it."""
    replaced = _replaced(owner)
    if not replaced:
        return None
    kind = type(owner)
    if place is None:
        place = _place_of(owner, claim)
    if place is None or (place >= 0 and _claims_nothing(kind.__mro__[int(place)], claim, kind._vocabulary)):
        return None
    broken = next((one for one in replaced if _is_younger(one, place) and _concerns(kind, one, claim)), None)
    if broken is not None and claim in kind._vocabulary.naming:
        said = _said(owner, claim)
        method = str(getattr(said, "heuristic", said)).replace("-", "_")
        return _broken(owner, method) if hasattr(kind, method) else broken
    return broken


def _is_younger(replaced: Replaced, place: float) -> bool:
    """Whether a rule may have been replaced after a claim was written. Nobody knows when something was set on an object."""
    return (replaced.by < place or replaced.by == OBJECT) and place <= replaced.up_to


def _broken_in_class(kind: type[Claims]) -> list[str]:
    """The cleared claims that a class inherits and that do not hold for its rules."""
    names = kind._vocabulary.cleared
    replaced = list(_replaced_in_classes(kind)) if names else []
    broken = []
    for name in sorted(names) if replaced else ():
        place = next((place for place, one in enumerate(kind.__mro__) if name in vars(one)), OBJECT)
        is_said = place != OBJECT and not is_root(kind.__mro__[place])
        if is_said and any(one.by < place <= one.up_to and _concerns(kind, one, name) for one in replaced):
            broken.append(name)
    return broken


def _of_root(kind: type[Claims], name: str) -> Any:
    """A member as the most derived root defines it."""
    return next(vars(one)[name] for one in kind.__mro__ if is_root(one) and name in vars(one))


def _claims_nothing(home: type, claim: str, vocabulary: Vocabulary) -> bool:
    """Whether a claim is that of a root, which claims nothing. (That a Domain is its own compilable form does claim
    something.)"""
    return is_root(home) and claim not in vocabulary.forms


def _concerns(kind: type[Claims], replaced: Replaced, claim: str) -> bool:
    vocabulary = kind._vocabulary
    if replaced.name == claim:
        return False
    if replaced.is_heuristic:
        if claim in vocabulary.forms:
            return True
        is_heuristic = claim not in vocabulary.guarded and claim not in vocabulary.asked
        return is_heuristic and _reading(kind, frozenset({claim})).may_read(replaced.name)
    if replaced.name in vocabulary.goals and claim in vocabulary.of_actions:
        return False
    if not replaced.is_parameter:
        return True
    read_by_claim = _fact(kind, ("read by", claim), lambda: read_by(kind, {claim}))
    return replaced.name not in read_by_claim and _reading(kind, vocabulary.roots_of(claim)).may_read(replaced.name)


class _Facts:
    """What follows from the members of a class and its bases. code: those that plain values, such as counters, do not change."""

    def __init__(self) -> None:
        self.members: list[dict[str, Any]] = []
        self.found: dict[Any, Any] = {}
        self.code: dict[Any, Any] = {}

    def __reduce__(self) -> tuple[type[None], tuple[()]]:
        """None, as for a _Plan."""
        return type(None), ()

    def note(self, kind: type) -> None:
        """Forget what no longer follows, because a member has changed."""
        members = [vars(one) for one in kind.__mro__[:-1]]
        if _are_same(members, self.members):
            return
        if not _differ_in_plain_values(members, self.members):
            self.code = {}
        self.members, self.found = [dict(one) for one in members], {}


def _differ_in_plain_values(members: Sequence[Mapping[str, Any]], before: Sequence[Mapping[str, Any]]) -> bool:
    if len(members) != len(before) or any(now.keys() != then.keys() for now, then in zip(members, before, strict=True)):
        return False
    pairs = ((now[name], then[name]) for now, then in zip(members, before, strict=True) for name in now)
    return all(one is other or (type(one) in _PLAIN and type(other) in _PLAIN) for one, other in pairs)


def _fact(kind: type[Claims], what: object, find: Callable[[], _Found_T], *, of_code: bool = True) -> _Found_T:
    """What follows from the members of a class: found again whenever one has changed. of_code: see _Facts."""
    _plan_of(kind)  # which adds a member
    facts = vars(kind).get(_FACTS)
    if facts is None:
        facts = _Facts()
        setattr(kind, _FACTS, facts)
    facts.note(kind)
    found = facts.code if of_code else facts.found
    if what not in found:
        found[what] = find()
    return cast("_Found_T", found[what])


def _reading(kind: type[Claims], rules: frozenset[str] | None = None) -> Reading:
    """What some rules of a class read, or all."""
    starts = kind._vocabulary.roots if rules is None else rules
    return _fact(kind, starts, lambda: reading_of(kind, starts))


def _is_read_claim(kind: type[Claims], name: str) -> bool:
    """Whether a name is that of a claim, or of a display member, that a rule of the user reads: then it is a rule itself."""
    return kind._vocabulary.is_claim_or_shown(name) and name in _reading(kind).own_names


def _replaced(owner: Claims) -> Sequence[Replaced]:
    if is_as_shipped(owner):
        return ()
    return [*_replaced_in_object(owner), *_replaced_in_classes(type(owner))]


class _Found(local):
    """In each thread, what was found: objects that are as shipped, by their ids, and what once() returned for them.

    as_shipped: None outside looking_once(). of: the object that looking_once() was called for.
    """

    as_shipped: dict[int, Any] | None = None
    results: dict[tuple[int, str], Any] = {}  # noqa: RUF012  (each thread that writes has its own)
    of: object = None


_FOUND_HERE = _Found()


def looking_once(owner: object, work: Callable[[], _Found_T], *given: object) -> _Found_T:
    """The result of some work on an object, and on what is made from it. If it is as shipped, each is checked only once.

    given: what else the work uses. If all of this is plain, the work runs no code of users until it calls stop_trusting().
    Otherwise, or if the object is not as shipped, an object is checked each time.
    """
    here = _FOUND_HERE
    if here.of is owner and here.as_shipped is not None:
        return work()
    try:
        here.as_shipped = None
        is_plain = isinstance(owner, Claims) and _looks_as_shipped(owner) and _is_plain(getattr(owner, "initial", None))
        if is_plain and all(map(_is_plain, given)):
            here.as_shipped, here.results, here.of = {id(owner): owner}, {}, owner
        return work()
    finally:  # no function is called here: Ctrl-C could interrupt it
        here.as_shipped = here.of = None


_PLAIN = frozenset((int, float, str, bool, type(None)))


def _is_plain(value: object) -> bool:
    """Whether a value, and all that it contains, is of a type that runs no code of users when it is hashed or compared."""
    kind = type(value)
    if kind in _PLAIN:
        return True
    is_tuple = kind is tuple or (issubclass(kind, tuple) and _is_shipped(kind))
    return is_tuple and all(map(_is_plain, cast("tuple[object, ...]", value)))


def stop_trusting() -> None:
    """Look at all objects again from now on."""
    _FOUND_HERE.as_shipped = _FOUND_HERE.of = None
    _FOUND_HERE.results = {}


def once(owner: Claims, what: str, find: Callable[[], _Found_T]) -> _Found_T:
    """The result of a function that depends on an object only. Computed once in looking_once(), if it is as shipped."""
    if _FOUND_HERE.as_shipped is None or not is_as_shipped(owner):
        return find()
    results, key = _FOUND_HERE.results, (id(owner), what)
    if key not in results:
        results[key] = find()
    return cast("_Found_T", results[key])


def is_as_shipped(owner: Claims) -> bool:
    """Whether all classes of an object are shipped, and neither they nor the object has changed. A search asks forty times."""
    known = _FOUND_HERE.as_shipped
    if known is None:
        return _looks_as_shipped(owner)
    if id(owner) in known:
        return True
    found = _looks_as_shipped(owner)
    if found:
        known[id(owner)] = owner  # which keeps its id from being used again
    return found


def _looks_as_shipped(owner: Claims) -> bool:
    own = owner.__dict__
    settled = own.get(_SETTLED)
    if any(map(callable, own.values())) if settled is None else not _is_settled(owner, own, settled):
        return False
    for _, members, size, rules_of, as_written, is_shipped in _plan_of(type(owner)):
        if not (is_shipped and _size(members) == size and _is_equal(members, rules_of, as_written)):
            return False
    return True


def _is_settled(owner: Claims, own: Mapping[str, Any], settled: Mapping[str, Any]) -> bool:
    """Whether an object has not changed since it was initialised. Like is_as_shipped, it must be fast."""
    try:
        if not settled.items() <= own.items():
            return False
    except Exception:  # a new value that cannot be compared
        return False
    return not any(_is_member_set(type(owner), name) for name in own.keys() - settled.keys())


def _changed(owner: Claims) -> set[str] | None:
    """The names of the attributes that were set, in whatever way, since a shipped class initialised the object."""
    own, kind = vars(owner), type(owner)
    settled = own.get(_SETTLED)
    if settled is None:
        return None
    changed = {name for name, value in settled.items() if own.get(name, _MISSING) is not value}
    return changed | {name for name in own.keys() - settled.keys() if _is_member_set(kind, name)}


def _is_member_set(kind: type, name: str) -> bool:
    """Whether a name, found on an object, is a member of its class that does not store itself there."""
    member = getattr(kind, name, _MISSING)
    return member is not _MISSING and not isinstance(member, cached_property)


def _replaced_in_object(owner: Claims) -> Iterator[Replaced]:
    own, kind = vars(owner), type(owner)
    changed = _changed(owner)
    for name in own if changed is None else sorted(changed):
        if name == "initial" or not (kind._vocabulary.is_rule(name) or _is_read_claim(kind, name)):
            continue
        if changed is None and not hasattr(kind, name) and _reading(kind).may_miss(name):
            by = _storing_place(kind, name)
            if _may_miss(kind, int(by) + 1, name):
                yield Replaced(name, by, _places(kind), is_parameter=True, is_new=True)
        is_other = changed is None and own.get(_GIVEN, {}).get(name, own[name]) is not own[name]
        if is_other and _reading(kind).may_read(name):
            yield Replaced(name, OBJECT, inf)
            continue
        is_worked_out = _is_derived(kind, name) and name not in own.get(_ASSIGNED, ())
        if changed is None and (not hasattr(kind, name) or is_worked_out):
            continue
        in_class = _definitions(kind, name)
        is_method = any(isinstance(value, _METHODS) for _, value in in_class)
        by = _storing_place(kind, name) if name in _upkeep(kind) else OBJECT
        if changed is None and not is_method:
            older = [(place, value) for place, value in in_class if place > by and value is not own[name]]
            if older:  # otherwise each object has its own
                yield Replaced(name, by, max(place for place, _ in older), True, _is_heuristic(kind, older))
            continue
        if by != OBJECT and changed is not None and _is_shipped(kind.__mro__[int(by)]):
            by = OBJECT  # set by the shipped class, and by somebody else since
        yield Replaced(name, by, inf if is_method else _places(kind), is_heuristic=_is_heuristic(kind, in_class))


def _replaced_in_classes(kind: type[Claims]) -> Sequence[Replaced]:
    """The rules that classes replace."""
    return _fact(kind, "replaced", lambda: list(_found_replaced(kind, _plan_of(kind))), of_code=False)


def _are_same(members: Sequence[Mapping[str, Any]], before: Sequence[Mapping[str, Any]]) -> bool:
    try:
        return members == before
    except Exception:  # a new value that cannot be compared
        return False


def _found_replaced(kind: type[Claims], plan: _Plan) -> Iterator[Replaced]:
    for place, members, size, rules_of, as_written, is_shipped in plan:
        if not (_size(members) == size and _is_equal(members, rules_of, as_written)):
            yield from _assigned_later(kind, place)
        if not is_shipped:
            yield from _fields_assigned_later(kind, place)
            yield from _replaced_by_init(kind, place)
            yield from _replaced_by(kind, place)
            yield from _claims_replaced_by(kind, place)
            if _readers(kind, place + 1, lambda reading: reading.asks_class):
                yield Replaced(_CLASS, place, _places(kind), is_parameter=True)


def _is_equal(members: Mapping[str, Any], rules_of: Callable[[Any], Any], as_written: tuple[Any, ...]) -> bool:
    """Whether all rules of a class are as written. This is asked often, and one comparison of tuples is fast."""
    try:
        return bool(rules_of(members) == as_written)
    except Exception:  # one was deleted, or cannot be compared
        return False


def _size(members: Mapping[str, Any]) -> int:
    """The number of members of a class, without the one that Python adds when an object is first copied or pickled."""
    return len(members) - ("__slotnames__" in members)


def _plan_of(kind: type[Claims]) -> _Plan:
    """Where replaced rules are looked for: all classes but the last, with their rules, and whether they are shipped.

    The number of their members shows whether a rule was added; it is -1 if one had been added already.
    """
    plan = vars(kind).get(_PLAN)
    if plan is None:
        plan = _Plan()
        for place, one in enumerate(kind.__mro__[:-1]):
            _, (names, as_written) = _at_creation(kind, one)
            if _RULES in vars(one) or not _is_shipped(one):
                rules_of = itemgetter(*names, names[0]) if names else _no_rules  # of two names or more: a tuple
                size = -1 if any(_added(kind, place)) else _size(vars(one))
                plan.append((place, vars(one), size, rules_of, as_written + as_written[:1], _is_shipped(one)))
        setattr(kind, _PLAN, plan)
    return plan


def _at_creation(kind: type[Claims], one: type) -> tuple[Mapping[str, Any], _Rules]:
    """The members of a base class, and its rules, when it was created, or when the first class with claims was derived from it."""
    own = vars(one)
    if _RULES in own:
        return own[_WRITTEN], own[_RULES]
    knowing = (vars(base).get(_MIXINS, {}) for base in reversed(kind.__mro__))
    return next((mixins[one] for mixins in knowing if one in mixins), (own, ((), ())))


def _no_rules(_members: Mapping[str, Any]) -> tuple[Any, ...]:
    return ()


def _replaced_by(kind: type[Claims], place: int) -> Iterator[Replaced]:
    """The rules of a class that replace those of its base classes."""
    for name, value in dict(vars(kind.__mro__[place])).items():  # another thread may add one
        if name == "initial" or not _may_be_rule(kind, kind.__mro__[place], name, value):
            continue
        older = _definitions(kind, name, place + 1)
        if older and value is older[0][1]:
            continue  # it is what would be inherited
        if older:
            is_method = any(isinstance(member, _METHODS) for member in (value, *(member for _, member in older)))
            yield Replaced(name, place, max(where for where, _ in older), not is_method, _is_heuristic(kind, older))
        elif (_is_property(value) or isinstance(value, _METHODS)) and _is_attribute_of_base(kind, name, place + 1):
            yield Replaced(name, place, _places(kind))  # in place of an attribute, which may change unnoticed
        elif not hasattr(value, kind._vocabulary.mark or _CLASS) and _may_miss(kind, place + 1, name):
            yield Replaced(name, place, _places(kind), is_parameter=True, is_new=True)


def _is_attribute_of_base(kind: type[Claims], name: str, first: int) -> bool:
    """Whether a class, from a place on, sets an attribute on its objects."""
    return any(name in _stored_by(kind, one) for one in kind.__mro__[first:] if not is_root(one))


def _claims_replaced_by(kind: type[Claims], place: int) -> Iterator[Replaced]:
    """The claims, display members and heuristics of a class that rules read, and that it replaces or was given later."""
    home, mark = kind.__mro__[place], kind._vocabulary.mark
    written, _ = _at_creation(kind, home)
    for name, value in dict(vars(home)).items():
        is_heuristic = bool(mark) and hasattr(value, mark)
        is_copied = isinstance(value, Claim) and value.home is not home
        if is_copied or not (is_heuristic or kind._vocabulary.is_claim_or_shown(name)):
            continue
        is_later = value is not written.get(name)
        readers = _readers(kind, place + (not is_later), partial(_names, name))
        if readers:
            yield Replaced(name, OBJECT if is_later else place, max(readers))


def _names(name: str, reading: Reading) -> bool:
    return name in reading.own_names


def _readers(kind: type[Claims], first: int, holds_for: Callable[[Reading], bool]) -> list[int]:
    """From a place on, the places of the classes whose rules, as they were written there, read something."""
    homes = enumerate(kind.__mro__[first:], start=first)
    return [place for place, one in homes if issubclass(one, Claims) and not is_root(one) and holds_for(_reading(one))]


def _may_miss(kind: type[Claims], first: int, name: str) -> bool:
    """Whether the rules of a class, from a place on, ask for a member."""
    return bool(_readers(kind, first, lambda reading: reading.may_miss(name)))


def _is_property(member: Any) -> bool:
    """Whether a member of a class is read and set in the place of an attribute; a slot is only the place of one."""
    return hasattr(type(member), "__set__") and not isinstance(member, MemberDescriptorType)


def _assigned_later(kind: type[Claims], place: int) -> Iterator[Replaced]:
    """The rules that were assigned to a class after its creation: its own, and those that it had inherited."""
    members = dict(vars(kind.__mro__[place]))
    _, rules = _at_creation(kind, kind.__mro__[place])
    own = _upkeep_of_classes(kind, place)
    for name, was in zip(*rules, strict=True):
        now = members.get(name)
        if now is not was:
            is_method = isinstance(was, _METHODS) or isinstance(now, _METHODS)
            if name in own and not is_method:
                continue
            yield Replaced(name, OBJECT, place, not is_method, _is_heuristic(kind, [(place, was)]))
    for name in members.keys() & set(_added(kind, place)):
        older = _definitions(kind, name, place + 1)
        if older and members[name] is older[0][1]:
            continue  # what was inherited is there again
        if older:
            is_method = any(isinstance(member, _METHODS) for member in (members[name], *(member for _, member in older)))
            if name in own and not is_method:
                continue
            yield Replaced(name, OBJECT, max(where for where, _ in older), not is_method, _is_heuristic(kind, older))
        elif _is_property(members[name]) and _storing_place(kind, name) != OBJECT:
            yield Replaced(name, OBJECT, _places(kind))  # a property in place of an attribute
        elif name not in own and _may_miss(kind, place, name):
            yield Replaced(name, OBJECT, _places(kind), is_parameter=True, is_new=True)


def _fields_assigned_later(kind: type[Claims], place: int) -> Iterator[Replaced]:
    """The defaults of fields of a dataclass that were assigned to it after the decorator had done so."""
    home = kind.__mro__[place]
    if "__dataclass_fields__" in vars(home):
        for name, was in _at_creation(kind, home)[0].items():
            if isinstance(was, Field) and vars(home).get(name, MISSING) is not was.default and name != "initial":
                yield Replaced(name, OBJECT, place, is_parameter=True)


def _replaced_by_init(kind: type[Claims], place: int) -> Iterator[Replaced]:
    """The rules that __init__ of a base class sets on the object, if that of this class does not call it; and what an __init__
    sets that was assigned later."""
    home = kind.__mro__[place]
    own, written = vars(home).get("__init__"), _at_creation(kind, home)[0].get("__init__")
    codes = codes_of(own)
    if codes and not {"super", "__init__"} & names_in(codes[0]):
        bases = (code for one in kind.__mro__[place + 1 :] if not is_root(one) for code in _initialising(one))
        for name in kind._vocabulary.roots & frozenset[str]().union(*map(stored_in, bases)):
            yield Replaced(name, place, _places(kind))
    if own is not written and not ("__dataclass_fields__" in vars(home) and written is None):
        stored, before = (frozenset[str]().union(*map(stored_in, codes_of(one))) for one in (own, written))
        for name in stored - before:
            yield Replaced(name, OBJECT, place, is_parameter=True)


def _upkeep_of_classes(kind: type[Claims], place: int) -> frozenset[str]:
    """The attributes that a class, or code that a search calls, sets on classes, such as counters and caches."""
    codes = {code for one in kind.__mro__[place + 1 : -1] if not _is_shipped(one) for code in _initialising(one)}
    codes |= {
        code for code in _initialising(kind.__mro__[place]) if code.co_name != "__init_subclass__"
    }  # not called for it
    return frozenset[str]().union(*(set_on_classes(code) for code in codes | _called_by_search(kind)))


def _upkeep(kind: type[Claims]) -> frozenset[str]:
    """The attributes that are set by the initialisation of an object, or by code that a search calls."""

    def find() -> frozenset[str]:
        first = [_initialising(one) for one in kind.__mro__]
        texts = (stored_in(code) for code in set[CodeType]().union(*first) if "__setattr__" in code.co_names)
        codes = _called_by_search(kind).union(*first)
        return frozenset[str]().union(
            *(set_on(code, *parameters_of(code)[:1]) for code in codes if code.co_argcount), *texts
        )

    return _fact(kind, "upkeep", find)


def _initialising(kind: type) -> set[CodeType]:
    return {code for name in _INITIALISING if name in vars(kind) for code in codes_of(vars(kind)[name])}


def _called_by_search(kind: type[Claims]) -> set[CodeType]:
    """The code of rules, claims and heuristics, and of what these call."""
    words, mark = kind._vocabulary, kind._vocabulary.mark
    heuristics = {name for one in kind.__mro__ for name, member in vars(one).items() if mark and hasattr(member, mark)}
    starts = words.roots | words.guarded | words.asked | words.cleared | heuristics
    return _fact(kind, "called by a search", lambda: called_by(kind, starts))


def _added(kind: type[Claims], place: int) -> Iterator[str]:
    """The members that may be rules and that a class did not have at its creation."""
    written, _ = _at_creation(kind, kind.__mro__[place])
    home, members = kind.__mro__[place], dict(vars(kind.__mro__[place]))
    for name in members.keys() - written.keys():
        if name != "initial" and _may_be_rule(kind, home, name, members[name]):
            yield name


def _may_be_rule(kind: type[Claims], home: type, name: str, member: object) -> bool:
    return kind._vocabulary.is_rule(name) or (not _is_shipped(home) and is_special_rule(home, name, member))


def _definitions(kind: type[Claims], name: str, first: int = 0) -> list[tuple[int, Any]]:
    """Where, from a place on, a member is defined, and as what; open members and members that are not rules are left out."""
    found = []
    for place, one in enumerate(kind.__mro__[first:], start=first):
        member = vars(one).get(name)
        is_written = name in vars(one) and one is not object and not (isinstance(member, Claim) and member.home is not one)
        if is_written and not _is_left_open(member) and (not is_root(one) or name in kind._vocabulary.roots):
            found.append((place, member))
    return found


def _is_heuristic(kind: type[Claims], definitions: Iterable[tuple[int, Any]]) -> bool:
    mark = kind._vocabulary.mark
    return bool(mark) and any(hasattr(member, mark) for _, member in definitions)


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


# Where claims are written.


def _guard(kind: type[Claims], name: str) -> None:
    """Put a Claim in the place of a member of a class, or of a mixin that knows nothing of claims."""
    for home in kind.__mro__:
        if name in vars(home):
            said = vars(home)[name]
            if home is kind and isinstance(said, Claim):  # the class was created again, as dataclass does
                said = said.said
            if home is kind or not issubclass(home, Claims):
                setattr(kind, name, Claim(name, said, home))
            return


def guard_later_claims(kind: type[Claims]) -> None:
    """Put a Claim in the place of each claim that was set on a class, or on a base class, after its creation."""
    for home in kind.__mro__:
        if issubclass(home, Claims):
            members = vars(home)
            for name in kind._vocabulary.guarded:
                if name in members and not isinstance(members[name], Claim):
                    setattr(home, name, Claim(name, members[name], home))


def _place_of(owner: Claims, name: str) -> float | None:
    """The place of the object or class that defines a member; None if none does."""
    own, kind = vars(owner), type(owner)
    if name in own and not _is_derived(kind, name):
        return OBJECT if name in (_changed(owner) or ()) else _storing_place(kind, name)
    for place, one in enumerate(kind.__mro__):
        if name not in vars(one):
            continue
        member = vars(one)[name]
        if isinstance(member, Claim) and member.home is not one:
            continue
        return place
    return None


def _rules_among(kind: type[Claims], home: type, members: Mapping[str, Any]) -> _Rules:
    """Those members that may be rules; not fields of a dataclass, which the decorator replaces with their defaults."""
    rules = {
        name: member
        for name, member in members.items()
        if _may_be_rule(kind, home, name, member) and not isinstance(member, Field)
    }
    return tuple(rules), tuple(rules.values())


def _said(owner: Claims, name: str) -> Any:
    """The stated value of a claim, whether it holds or not."""
    own = vars(owner)
    return own[name] if name in own else getattr(type(owner), name, None)


def _storing_place(kind: type[Claims], name: str, first: int = 0) -> float:
    """From a place on, that of the class whose methods set an attribute on the object; that of the object if none does."""
    for place, one in enumerate(kind.__mro__[first:], start=first):
        if name in _stored_by(kind, one):
            return place
    return OBJECT


def _stored_by(kind: type[Claims], one: type) -> frozenset[str]:
    """The attributes that the methods of a class, or of one of its bases, set."""

    def find() -> frozenset[str]:
        return frozenset[str]().union(*(stored_in(code) for member in vars(one).values() for code in codes_of(member)))

    return _fact(kind, ("stored", one), find)


def _places(kind: type[Claims]) -> int:
    """The place of the last class that is not a root."""
    return max((place for place, one in enumerate(kind.__mro__) if one is not object and not is_root(one)), default=OBJECT)


def _unclaimed(owner: Claims, name: str) -> Any:
    """What the root says about a claim. Raises AttributeError if none has such a member."""
    root = _first_root(type(owner), name)
    if root is None:
        raise AttributeError(name)
    said = vars(root)[name]
    return _bound(said.said if isinstance(said, Claim) else said, owner, type(owner))


def _first_root(kind: type[Claims], name: str) -> type | None:
    """The most basic root that has a member, which claims nothing by it; None if no root has it."""
    return next((one for one in reversed(kind.__mro__) if name in vars(one) and is_root(one)), None)


def _bound(said: Any, owner: Any, kind: type | None) -> Any:
    return said.__get__(owner, kind) if hasattr(said, "__get__") else said


def is_root(kind: type) -> bool:
    """Whether a class claims nothing."""
    return "_is_root" in vars(kind)


def _is_shipped(kind: type) -> bool:
    return kind.__module__.partition(".")[0] == PACKAGE


def _is_derived(kind: type, name: str) -> bool:
    """Whether an attribute of an object was stored by a cached_property."""
    return isinstance(getattr(kind, name, None), cached_property)

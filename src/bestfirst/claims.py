"""Claims: what a class says about its rules holds for a subclass only as long as the subclass keeps these rules.

A problem defines its rules (successors, is_goal, step, and whatever these call) and may add claims that make searches faster: a
compilable form, a backward problem, a reason why it is unsolvable, admissible heuristics, unit costs. A subclass that
replaces a rule inherits the claims of its base class, which say nothing about the new rule. So a claim holds for an object
only if no rule that the author of the claim saw has been replaced since (replaced_rules.py):

    class Tiles(SlidingTile):                 # SlidingTile claims domain(), backward(), unit_cost = True, ...
        def successors(self, state): ...      # replaces a rule, so none of these claims holds for Tiles
        unit_cost = True                      # but this one does: its author knows the new rule

    class Small(Tiles, keeps_claims=True):    # its author says that all inherited claims hold for it
        goal = (1, 2, 3, 0)

A claim that does not hold has the value that it has in Problem (or Game), which claims nothing. The classes of bestfirst itself
are trusted to keep their claims when one is derived from another.
"""

from __future__ import annotations

import pickle
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from copy import copy
from difflib import get_close_matches
from functools import wraps
from operator import attrgetter
from types import FunctionType, MappingProxyType
from typing import Any, ClassVar, SupportsIndex, TypeVar, cast

from bestfirst.arguments import check_kind, suggesting
from bestfirst.as_written import (
    ASSIGNED,
    BEFORE,
    GIVEN,
    KEPT,
    OWN,
    SETTLED,
    WRITTEN,
    changed_since_settled,
    fact,
    has_claims,
    is_same,
    note_creation,
)
from bestfirst.errors import InputError, UnknownNameError
from bestfirst.looking_once import is_as_shipped
from bestfirst.module_notes import note_module
from bestfirst.replaced_rules import (
    OBJECT,
    Replaced,
    claims_read_by_users,
    definitions,
    home_on_object,
    is_claim_or_shown,
    is_derived,
    is_marked,
    reads,
    replaced_in_classes,
    replaced_in_object,
    storing,
)
from bestfirst.vocabulary import Stated, Vocabulary, is_root, is_shipped

_T = TypeVar("_T", bound="Claims")

_CLEARED = "_claims_cleared"
"""Class attribute: the cleared claims (see Vocabulary) that were inherited and do not hold."""
_UNCLEARED = "_claims_uncleared"
"""Class attribute: the class of which it is a copy without some claims."""
_MISSING = object()


class Claims:
    """The base of classes that make claims."""

    _vocabulary: ClassVar[Vocabulary]
    _is_root: ClassVar[bool] = True
    """Whether the class's own values claim nothing; each class sets it for itself."""
    _has_all_claims: ClassVar[bool] = False
    """Whether all claims have a meaning for the class, also those that only some of the shipped classes make."""
    _settled_for_good: ClassVar[frozenset[str]] = frozenset()
    """Attributes that cannot be changed once the object is made, since __init__ derives other data from them."""
    _adjusted: ClassVar[Mapping[str, Callable[[Any, Any, bool], Any]]] = MappingProxyType({})
    """For each claim that depends on some rules only, a function that returns its value, given the object, its stated value,
    and whether the class holds."""

    def __init_subclass__(cls, *, keeps_claims: bool = False, **options: Any) -> None:
        """keeps_claims: whether all inherited claims hold for the rules that this class replaces."""
        for name in options:
            if get_close_matches(name, ["keeps_claims"]):
                raise UnknownNameError(f"option of {cls.__name__}", name, ["keeps_claims"])
        super().__init_subclass__(**options)
        check_kind("keeps_claims", keeps_claims, bool, "True or False")
        if is_shipped(cls) and "__init__" in vars(cls):
            setattr(cls, "__init__", suggesting(_noting(vars(cls)["__init__"])))  # noqa: B010  (mypy refuses an assignment)
        if keeps_claims:
            setattr(cls, KEPT, True)
        for name in cls._vocabulary.guarded:
            _guard(cls, name)
        guard_later_claims(cls)
        cleared = _broken_in_class(cls)
        for name in cleared:
            setattr(cls, name, _of_root(cls, name))
        setattr(cls, _CLEARED, cleared)
        if not is_shipped(cls):
            note_module(cls)
        note_creation(cls)

    def __setattr__(self, name: str, value: Any) -> None:
        """Forget the values derived from an attribute that changes after a shipped class initialised the object."""
        own = self.__dict__
        if SETTLED in own and name in self._settled_for_good and not is_same(own.get(name), value):
            kind = type(self).__name__
            raise InputError(f"{name} of a {kind} cannot be changed, since other data depend on it; create another {kind}")
        if is_derived(type(self), name):
            own[ASSIGNED] = own.get(ASSIGNED, frozenset()) | {name}
        if callable(value) and name not in own.get(GIVEN, ()):
            own[GIVEN] = {**own.get(GIVEN, {}), name: value}
        if SETTLED in own and (name in own or hasattr(type(self), name)):
            for derived in [other for other in own if other != name and is_derived(type(self), other)]:
                del own[derived]
        super().__setattr__(name, value)

    def _settle(self) -> None:
        """Mark the end of __init__. An assignment to an attribute replaces a rule from then on."""
        own, kind = self.__dict__, type(self)
        before = own.pop(BEFORE, {})
        others = {name for name, value in before.items() if own.get(name) is value and not _is_set_by_shipped(kind, name)}
        own[SETTLED] = {name: value for name, value in own.items() if name not in others and not is_derived(kind, name)}

    @contextmanager
    def _unsettled(self) -> Iterator[None]:
        """Let the object's own class change it; the class keeps its claims true."""
        changed, settled = changed_since_settled(self), self.__dict__.pop(SETTLED, None)
        if settled is not None:
            self.__dict__[BEFORE] = {name: value for name, value in self.__dict__.items() if name not in settled}
        try:
            yield
        finally:
            if changed is not None:
                self._settle()
                now = self.__dict__[SETTLED]
                for name in changed & settled.keys():
                    now[name] = settled[name]


def _is_set_by_shipped(kind: type, name: str) -> bool:
    return any(is_shipped(kind.__mro__[place]) for place in storing(kind, name))


def _noting(init: Callable[..., None]) -> Callable[..., None]:
    """An __init__ of this package that notes first what a subclass has set on the object."""

    @wraps(init)
    def noting(self: Claims, *arguments: Any, **options: Any) -> None:
        own = self.__dict__
        if BEFORE not in own and SETTLED not in own and not is_shipped(type(self)):
            own[BEFORE] = dict(own)
        init(self, *arguments, **options)

    return noting


class Claim(Stated):
    """The descriptor of a claim: read on an object, it is what the class says, if that holds."""

    def __get__(self, owner: Any, kind: type | None = None) -> Any:
        if owner is None:
            return _bound(self.current(), None, kind)
        adjust = type(owner)._adjusted.get(self.name)
        if adjust is None and not holds(owner, self.name):
            return _unclaimed(owner, self.name)
        own = vars(owner)
        if self.name in own:
            return own[self.name]
        value = _bound(self.current(), owner, kind)
        if adjust is None:
            return value
        return adjust(owner, value, _broken(owner, self.name, knowing(type(owner), self.home)) is None)

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
    return is_as_shipped(owner) or not any(_replaced(owner, home) for home in type(owner).__mro__ if has_claims(home))


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


def check_noted(kind: type) -> None:
    """Raise InputError if a class was created without Claims.__init_subclass__, so that nothing is known of its rules."""
    for place, one in enumerate(kind.__mro__):
        if issubclass(one, Claims) and WRITTEN not in vars(one) and one is not Claims:
            by = next(
                (base.__name__ for base in kind.__mro__[place + 1 :] if "__init_subclass__" in vars(base)), one.__name__
            )
            raise InputError(
                f"{by}.__init_subclass__ does not call super().__init_subclass__(), so nothing is known of {one.__name__}; "
                "call it there"
            )


def without_broken(owner: _T) -> _T:
    """The object, or a copy without those cleared claims that a rule set on it, or on its class, invalidates."""
    if is_as_shipped(owner):
        return owner
    check_noted(type(owner))
    guard_later_claims(type(owner))
    _check_claims_that_rules_read(owner)
    own, kind = vars(owner), type(owner)
    lost = [name for name in kind._vocabulary.cleared if name not in own and not was_cleared(owner, name)]
    broken = [name for name in lost if not holds(owner, name)]
    if not broken:
        return owner
    made = copy(owner)
    made.__class__ = _cleared_class(cast("Any", kind), tuple(sorted(broken)))
    made.__dict__ = vars(owner)  # so the rules count on the owner
    return made


def keep_as_it_is(made: Claims) -> None:
    """Take the attributes of an object for those that its class gives it: backward() has made it."""
    vars(made)[OWN] = {name: value for name, value in vars(made).items() if not name.startswith("_claims_")}


def is_alike(one: Claims, other: Claims) -> bool:
    """Whether objects are of one class and have equal attributes, apart from where they begin and from what is derived."""
    if one is other:
        return True
    kind, other_kind = (vars(type(this)).get(_UNCLEARED, type(this)) for this in (one, other))
    if kind is not other_kind:
        return False
    own, others = (
        {name: value for name, value in vars(this).items() if name in vars(this).get(SETTLED, vars(this))}
        for this in (one, other)
    )
    names = [name for name in own.keys() | others.keys() if name != "initial" and not name.startswith("_claims_")]
    return all(
        is_derived(kind, name) or (name in own and name in others and _are_equal(own[name], others[name])) for name in names
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


def _check_claims_that_rules_read(owner: Claims) -> None:
    """Raise InputError if a rule, or a heuristic, reads a claim that does not hold: it would see that nothing is claimed."""
    kind = type(owner)
    for name in claims_read_by_users(kind):
        replaced = _broken(owner, name)
        if was_cleared(owner, name) or (replaced is not None and _says_something(owner, name)):
            since = "" if replaced is None else f", since {_deed(owner, replaced)}"
            raise InputError(
                f"methods of {kind.__name__} read {name}, which was declared for other rules{since}; "
                f"{_remedy(owner, {name: replaced} if replaced else {})}; or read an attribute of another name"
            )


def was_cleared(owner: Claims, claim: str) -> bool:
    """Whether a cleared claim has the value of the root because the stated one does not hold."""
    home = next((one for one in type(owner).__mro__ if claim in vars(one)), None)
    return home is not None and claim in vars(home).get(_CLEARED, ())


def _cleared_class(kind: Any, names: tuple[str, ...]) -> type[Any]:
    """A class without some claims; it keeps the name of its base class."""
    return fact(kind, ("cleared", names), lambda: _made_cleared_class(kind, names))


def _made_cleared_class(kind: Any, names: tuple[str, ...]) -> type[Any]:
    members = {_UNCLEARED: kind, "__reduce_ex__": _as_original, "__copy__": _as_it_is, _CLEARED: names} | {
        name: _of_root(kind, name) for name in names
    }
    members |= {"__module__": kind.__module__, "__qualname__": kind.__qualname__}
    made = type(kind.__name__, (_Unnoticed, kind), members)
    note_creation(made)
    return made


class _Unnoticed:
    """The first base of a copy of a class: no __init_subclass__ of a user is called for the copy."""

    def __init_subclass__(cls) -> None:
        pass


def _as_original(owner: Any, _protocol: SupportsIndex) -> Any:
    """An object of a copy of a class is pickled as one of the class itself."""
    original = object.__new__(vars(type(owner))[_UNCLEARED])
    original.__dict__ = vars(owner)
    return _itself, (original,)


def _itself(owner: Any) -> Any:
    return owner


def _as_it_is(owner: Any) -> Any:
    """An object of a copy of a class is copied as one of this copy."""
    other = object.__new__(type(owner))
    other.__dict__ = dict(vars(owner))
    return other


def why_not(owner: Claims, claim: str) -> str | None:
    """Why a claim does not hold for an object; None if it does, or if no class makes it."""
    broken = _broken(owner, claim)
    if broken is None:
        return None
    kind, home = type(owner), _home_of(owner, claim)
    assert home is not None
    if is_root(home):
        if home is _first_root(kind, claim):
            return None
        if broken.by == OBJECT and not definitions(home, broken.name):
            return why_not_on_object(owner, broken.name)
    return (
        f"{_deed(owner, broken)}, and {home.__name__}.{claim} was written for the original rules; "
        f"to use it, define {claim} in {_own_name(kind)}"
    )


def notice(owner: Claims) -> str | None:
    """Which claims of an object do not hold, and why; None if all do."""
    if keeps_all(owner):
        return None
    broken = {
        name: _broken(owner, name) for name in sorted(type(owner)._vocabulary.guarded | type(owner)._vocabulary.cleared)
    }
    lost = {name: by for name, by in broken.items() if by is not None and _says_something(owner, name)}
    if not lost:
        return None
    deeds = dict.fromkeys(_deed(owner, replaced) for replaced in lost.values())
    return (
        f"{' and '.join(deeds)}, so the search ignores what was declared for the original rules: {_listed(owner, lost)}; "
        f"{_remedy(owner, lost)}"
    )


def _listed(owner: Claims, lost: Iterable[str]) -> str:
    """The names of claims; those that name a heuristic with its name, since its declaration is what does not hold."""
    naming = type(owner)._vocabulary.naming
    shown = {name: getattr(_said(owner, name), "heuristic", _said(owner, name)) for name in lost if name in naming}
    return ", ".join(f"{name} ({shown[name]})" if isinstance(shown.get(name), str) else name for name in lost)


def _remedy(owner: Claims, lost: Mapping[str, Replaced]) -> str:
    """What to do about claims that do not hold since rules were replaced."""
    kind = type(owner)
    if not lost:
        return f"declare it in {_own_name(kind)} too"
    first = min(lost.values(), key=attrgetter("by"))
    if first.by == OBJECT:
        is_data = not any(callable(member) for _, member in definitions(kind, first.name)) and not is_shipped(kind)
        parameter = f"if the claims hold for every value of {first.name}, set it in __init__; otherwise " if is_data else ""
        return (
            f"{parameter}define a subclass of {kind.__name__} with the new {first.name}, and declare there the claims that "
            "still hold"
        )
    known = {_home_of(owner, name) for name in lost} | {kind.__mro__[replaced.by] for replaced in lost.values()}
    knowing = [one for one in kind.__mro__ if has_claims(one) and not is_shipped(one) and known <= set(one.__mro__)]
    all_of_them = ""
    if knowing:
        bases = ", ".join(base.__name__ for base in knowing[-1].__bases__)
        all_of_them = f", or write class {knowing[-1].__name__}({bases}, keeps_claims=True) if all do"
    return f"declare in {_own_name(kind)} those that still hold{all_of_them}"


def _own_name(kind: type) -> str:
    """The class in which a user can declare something."""
    public = next(one.__name__ for one in kind.__mro__ if not one.__name__.startswith("_"))
    return f"a subclass of {public}" if is_shipped(kind) else kind.__name__


def _says_something(owner: Claims, name: str) -> bool:
    """Whether a claim, where it holds, differs from that of the root."""
    home, kind = _home_of(owner, name), type(owner)
    if home is None or name in vars(owner):
        return home is not None
    said, root = vars(home).get(name, _MISSING), _first_root(kind, name)
    of_root = None if root is None else vars(root).get(name)
    if is_same(*(one.said if isinstance(one, Stated) else one for one in (said, of_root))):
        return False
    return not is_root(home) or (name in kind._vocabulary.forms and home is not _first_root(kind, name))


def _deed(owner: Claims, replaced: Replaced | None) -> str:
    assert replaced is not None
    kind = type(owner)
    if replaced.is_asked:
        return f"rules ask for the class of their object, which is {kind.__mro__[replaced.by].__name__}"
    if replaced.by == OBJECT:
        return f"{replaced.name} of this {kind.__name__} has been {'added' if replaced.is_new else 'replaced'}"
    return f"{kind.__mro__[replaced.by].__name__} {'adds' if replaced.is_new else 'replaces'} {replaced.name}"


# Which rules have been replaced.


def _broken(owner: Claims, claim: str, home: type | None = None) -> Replaced | None:
    """The rule that has been replaced since a claim was written, if any. home: the class that wrote it."""
    if is_as_shipped(owner):
        return None
    kind = type(owner)
    if home is None:
        home = _home_of(owner, claim)
    if home is None or _claims_nothing(home, claim, kind._vocabulary):
        return None
    if claim in kind._vocabulary.naming:  # it holds if the heuristic does
        said = _said(owner, claim)
        method = str(getattr(said, "heuristic", said)).replace("-", "_")
        if hasattr(kind, method):
            return _broken(owner, method)
    return next((one for one in _replaced(owner, home) if _concerns(kind, home, one, claim)), None)


def _replaced(owner: Claims, home: type) -> Sequence[Replaced]:
    return [*replaced_in_object(owner, home), *replaced_in_classes(type(owner), home)]


def _broken_in_class(kind: type[Claims]) -> list[str]:
    """The cleared claims that a class inherits and that do not hold for its rules."""
    broken = []
    for name in sorted(name for name in kind._vocabulary.cleared if is_claim_or_shown(kind, name)):
        found = next((one for one in kind.__mro__ if name in vars(one)), None)
        home = None if found is None else knowing(kind, found)
        if home is not None and home is not kind and not is_root(home):
            replaced = (one for one in replaced_in_classes(kind, home) if one.by != OBJECT)
            if any(_concerns(kind, home, one, name) for one in replaced):
                broken.append(name)
    return broken


def _of_root(kind: type[Claims], name: str) -> Any:
    """A member as the most derived root defines it."""
    return next(vars(one)[name] for one in kind.__mro__ if is_root(one) and name in vars(one))


def _claims_nothing(home: type, claim: str, vocabulary: Vocabulary) -> bool:
    """Whether a claim is that of a root, which claims nothing. (That a Domain is its own compilable form does claim
    something.)"""
    return is_root(home) and claim not in vocabulary.forms


def _concerns(kind: type[Claims], home: type, replaced: Replaced, claim: str) -> bool:
    """Whether a claim of a class depends on a rule, or on something else that has been replaced."""
    words, name = kind._vocabulary, replaced.name
    if name == claim:  # it is what another class says, unless the claim calls that one by super()
        return kind.__mro__.index(home) < replaced.by
    if not replaced.is_minor:
        return not (name in words.goals and claim in words.of_actions)
    is_heuristic = is_marked(kind, name)
    if is_heuristic and claim in words.forms:
        return True
    is_of_heuristic = claim not in words.guarded and claim not in words.asked
    if is_shipped(home):
        return is_heuristic and is_of_heuristic and reads(kind, claim, name, home)
    of_any = is_heuristic and any(reads(kind, claim, one, home) for one in ("heuristics", "heuristic_named"))
    return of_any or reads(kind, claim, name, home)


# Where claims are written.


def _guard(kind: type[Claims], name: str) -> None:
    """Put a Claim in the place of a member of a class, or of a mixin that knows nothing of claims."""
    for home in kind.__mro__:
        if name in vars(home) and is_claim_or_shown(kind, name):
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
                if name in members and not isinstance(members[name], Claim) and is_claim_or_shown(home, name):
                    setattr(home, name, Claim(name, members[name], home))


def _home_of(owner: Claims, name: str) -> type | None:
    """The class that defines a member, or sets it on its objects; that of the object if someone else has set it."""
    own, kind = vars(owner), type(owner)
    if name in own and not is_derived(kind, name):
        home = None if name in (changed_since_settled(owner) or ()) else home_on_object(kind, name)
        return home or kind
    for one in kind.__mro__:
        member = vars(one).get(name, _MISSING)
        is_copy = isinstance(member, Stated) and member.home is not one
        if not (member is _MISSING or is_copy or name in vars(one).get(_CLEARED, ())):
            return knowing(kind, one)
    return None


def knowing(kind: type, home: type) -> type:
    """The class that makes the claims of another one: a plain mixin knows no rules, but the class that uses it does."""
    return (
        home
        if has_claims(home)
        else next(one for one in reversed(kind.__mro__) if has_claims(one) and issubclass(one, home))
    )


def _said(owner: Claims, name: str) -> Any:
    """The stated value of a claim, whether it holds or not."""
    own = vars(owner)
    return own[name] if name in own else getattr(type(owner), name, None)


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

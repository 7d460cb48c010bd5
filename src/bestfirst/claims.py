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
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from difflib import get_close_matches
from functools import wraps
from types import MappingProxyType
from typing import Any, ClassVar, TypeVar

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
    is_same,
    note_creation,
)
from bestfirst.cleared_classes import CLEARED, of_root, original, was_cleared, without
from bestfirst.errors import InputError, UnknownNameError
from bestfirst.holding import broken_by, broken_in_class, first_root, holds, knowing
from bestfirst.looking_once import is_as_shipped
from bestfirst.lost_claims import check_claims_that_rules_read
from bestfirst.module_notes import note_module
from bestfirst.replaced_rules import is_claim_or_shown, is_derived, rules_ask_for_class, storing
from bestfirst.vocabulary import Stated, Vocabulary, is_shipped

_T = TypeVar("_T", bound="Claims")

_MISSING = object()


class Claims:
    """The base of classes that make claims."""

    _vocabulary: ClassVar[Vocabulary]
    _is_root: ClassVar[bool] = True
    """Whether the class's own values claim nothing; each class sets it for itself."""
    _has_all_claims: ClassVar[bool] = False
    """Whether all claims have a meaning for the class, also those that only some of the shipped classes make."""
    _settles: ClassVar[bool] = True
    """Whether __init__ of shipped classes ends with _settle(); otherwise it sets each attribute once."""
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
        cleared = broken_in_class(cls)
        for name in cleared:
            setattr(cls, name, of_root(cls, name))
        setattr(cls, CLEARED, cleared)
        if not is_shipped(cls):
            note_module(cls)
        note_creation(cls)

    def __setattr__(self, name: str, value: Any) -> None:
        """Forget the values derived from an attribute that changes after a shipped class initialised the object."""
        if name == "__class__":  # which is no attribute of the object
            super().__setattr__(name, value)
            return
        own = self.__dict__
        is_made = SETTLED in own or (name in own and not self._settles)
        if is_made and name in self._settled_for_good and not is_same(own.get(name), value):
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
        return adjust(owner, value, broken_by(owner, self.name, knowing(type(owner), self.home)) is None)

    def __set__(self, owner: Any, value: Any) -> None:
        if hasattr(self.said, "__set__"):
            self.said.__set__(owner, value)
        else:
            vars(owner)[self.name] = value

    def __delete__(self, owner: Any) -> None:
        if self.name not in vars(owner):
            raise AttributeError(self.name)
        del vars(owner)[self.name]


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
    check_claims_that_rules_read(owner)
    own, kind = vars(owner), type(owner)
    lost = [name for name in kind._vocabulary.cleared if name not in own and not was_cleared(type(owner), name)]
    broken = [name for name in lost if not holds(owner, name)]
    if not broken:
        return owner
    if rules_ask_for_class(kind):
        raise InputError(
            f"a rule of this {kind.__name__} has been replaced, so {' and '.join(broken)} may be false, but cannot be ignored, "
            f"because rules of {kind.__name__} depend on the class of the object; define a subclass of {kind.__name__} with the "
            "new rule"
        )
    return without(owner, broken)


def keep_as_it_is(made: Claims) -> None:
    """Take the attributes of an object for those that its class gives it: backward() has made it."""
    vars(made)[OWN] = {name: value for name, value in vars(made).items() if not name.startswith("_claims_")}


def is_alike(one: Claims, other: Claims) -> bool:
    """Whether objects are of one class and have equal attributes, apart from where they begin and from what is derived."""
    if one is other:
        return True
    kind, other_kind = (original(type(this)) for this in (one, other))
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


def _unclaimed(owner: Claims, name: str) -> Any:
    """What the root says about a claim. Raises AttributeError if none has such a member."""
    root = first_root(type(owner), name)
    if root is None:
        raise AttributeError(name)
    said = vars(root)[name]
    return _bound(said.said if isinstance(said, Claim) else said, owner, type(owner))


def _bound(said: Any, owner: Any, kind: type | None) -> Any:
    return said.__get__(owner, kind) if hasattr(said, "__get__") else said

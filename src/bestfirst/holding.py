"""Which claims hold for an object, and which rule has been replaced since the others were made."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from bestfirst.as_written import changed_since_settled, has_claims
from bestfirst.cleared_classes import CLEARED
from bestfirst.looking_once import is_as_shipped
from bestfirst.replaced_rules import (
    OBJECT,
    Replaced,
    home_on_object,
    is_claim_or_shown,
    is_derived,
    is_marked,
    reads,
    replaced_in_classes,
    replaced_in_object,
)
from bestfirst.vocabulary import Stated, Vocabulary, is_root, is_shipped

_MISSING = object()


def holds(owner: Any, claim: str) -> bool:
    """Whether a claim, or a declaration about a heuristic, holds for an object."""
    return is_as_shipped(owner) or broken_by(owner, claim) is None


def keeps_all(owner: Any) -> bool:
    """Whether all claims hold because no rule or heuristic of an object has been replaced."""
    return is_as_shipped(owner) or not any(replaced_in(owner, home) for home in type(owner).__mro__ if has_claims(home))


def broken_by(owner: Any, claim: str, home: type | None = None) -> Replaced | None:
    """The rule that has been replaced since a claim was written, if any. home: the class that wrote it."""
    if is_as_shipped(owner):
        return None
    kind = type(owner)
    if home is None:
        home = home_of(owner, claim)
    if home is None or _claims_nothing(home, claim, kind._vocabulary):
        return None
    if claim in kind._vocabulary.naming:  # it holds if the heuristic does
        said = said_by(owner, claim)
        method = str(getattr(said, "heuristic", said)).replace("-", "_")
        if hasattr(kind, method):
            return broken_by(owner, method)
    return next((one for one in replaced_in(owner, home) if _concerns(kind, home, one, claim)), None)


def replaced_in(owner: Any, home: type) -> Sequence[Replaced]:
    return [*replaced_in_object(owner, home), *replaced_in_classes(type(owner), home)]


def broken_in_class(kind: Any) -> list[str]:
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


def _claims_nothing(home: type, claim: str, vocabulary: Vocabulary) -> bool:
    """Whether a claim is that of a root, which claims nothing. (That a Domain is its own compilable form does claim
    something.)"""
    return is_root(home) and claim not in vocabulary.forms


def _concerns(kind: Any, home: type, replaced: Replaced, claim: str) -> bool:
    """Whether a claim of a class depends on a rule, or on something else that has been replaced."""
    words: Vocabulary = kind._vocabulary
    name = replaced.name
    if name == claim:  # it is what another class says, unless the claim calls that one by super()
        return bool(kind.__mro__.index(home) < replaced.by)
    if name in words.optional and is_root(home):
        return False
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


def home_of(owner: Any, name: str) -> type | None:
    """The class that defines a member, or sets it on its objects; that of the object if someone else has set it."""
    own, kind = vars(owner), type(owner)
    if name in own and not is_derived(kind, name):
        home = None if name in (changed_since_settled(owner) or ()) else home_on_object(kind, name)
        return home or kind
    for one in kind.__mro__:
        member = vars(one).get(name, _MISSING)
        is_copy = isinstance(member, Stated) and member.home is not one
        if not (member is _MISSING or is_copy or name in vars(one).get(CLEARED, ())):
            return knowing(kind, one)
    return None


def knowing(kind: type, home: type) -> type:
    """The class that makes the claims of another one: a plain mixin knows no rules, but the class that uses it does."""
    return (
        home
        if has_claims(home)
        else next(one for one in reversed(kind.__mro__) if has_claims(one) and issubclass(one, home))
    )


def said_by(owner: Any, name: str) -> Any:
    """The stated value of a claim, whether it holds or not."""
    own = vars(owner)
    return own[name] if name in own else getattr(type(owner), name, None)


def first_root(kind: Any, name: str) -> type | None:
    """The most basic root that has a member, which claims nothing by it; None if no root has it."""
    return next((one for one in reversed(kind.__mro__) if name in vars(one) and is_root(one)), None)

"""What is said of claims that do not hold: the warning of a search, the reason in an error, and what to do."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from operator import attrgetter
from types import FunctionType
from typing import Any

from bestfirst.as_written import has_claims, is_same
from bestfirst.cleared_classes import was_cleared
from bestfirst.errors import InputError
from bestfirst.holding import broken_by, first_root, home_of, keeps_all, said_by
from bestfirst.replaced_rules import OBJECT, Replaced, claims_read_by_users, definitions
from bestfirst.vocabulary import Stated, is_root, is_shipped

_MISSING = object()
_ASKED_BUT_NAMED = {"dominates"}
"""Claims that are checked with holds(), and without which a search expands more."""


def why_not(owner: Any, claim: str) -> str | None:
    """Why a claim does not hold for an object; None if it does, or if no class makes it."""
    broken = broken_by(owner, claim)
    if broken is None:
        return None
    kind, home = type(owner), home_of(owner, claim)
    assert home is not None
    if is_root(home):
        if home is first_root(kind, claim):
            return None
        if broken.by == OBJECT and not definitions(home, broken.name):
            return why_not_on_object(owner, broken.name)
    return (
        f"{_deed(owner, broken)}, and {home.__name__}.{claim} was written for the original rules; "
        f"to use it, define {claim} in {_own_name(kind)}"
    )


def notice(owner: Any) -> str | None:
    """Which claims of an object do not hold, and why; None if all do."""
    if keeps_all(owner):
        return None
    words = type(owner)._vocabulary
    broken = {
        name: broken_by(owner, name) for name in sorted(words.guarded | words.cleared | (words.asked & _ASKED_BUT_NAMED))
    }
    lost = {name: by for name, by in broken.items() if by is not None and _says_something(owner, name)}
    if not lost:
        return None
    deeds = dict.fromkeys(_deed(owner, replaced) for replaced in lost.values())
    return (
        f"{' and '.join(deeds)}, so the search ignores what was declared for the original rules: {_listed(owner, lost)}; "
        f"{_remedy(owner, lost)}"
    )


def _listed(owner: Any, lost: Iterable[str]) -> str:
    """The names of claims; those that name a heuristic with its name, since its declaration is what does not hold."""
    naming = type(owner)._vocabulary.naming
    shown = {name: getattr(said_by(owner, name), "heuristic", said_by(owner, name)) for name in lost if name in naming}
    return ", ".join(f"{name} ({shown[name]})" if isinstance(shown.get(name), str) else name for name in lost)


def _remedy(owner: Any, lost: Mapping[str, Replaced]) -> str:
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
    known = {home_of(owner, name) for name in lost} | {kind.__mro__[replaced.by] for replaced in lost.values()}
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


def _says_something(owner: Any, name: str) -> bool:
    """Whether a claim, where it holds, differs from that of the root."""
    home, kind = home_of(owner, name), type(owner)
    if home is None or name in vars(owner):
        return home is not None
    said, root = vars(home).get(name, _MISSING), first_root(kind, name)
    of_root = None if root is None else vars(root).get(name)
    if is_same(*(one.said if isinstance(one, Stated) else one for one in (said, of_root))):
        return False
    return not is_root(home) or (name in kind._vocabulary.forms and home is not first_root(kind, name))


def _deed(owner: Any, replaced: Replaced | None) -> str:
    assert replaced is not None
    kind = type(owner)
    if replaced.is_asked:
        return f"rules depend on the class of the object, which is {kind.__mro__[replaced.by].__name__}"
    if replaced.by == OBJECT:
        return f"{replaced.name} of this {kind.__name__} has been {'added' if replaced.is_new else 'replaced'}"
    return f"{kind.__mro__[replaced.by].__name__} {'adds' if replaced.is_new else 'replaces'} {replaced.name}"


def method_on_object(owner: Any) -> str | None:
    """The name of a method that was set on an object, which compiled code would not see; otherwise None."""
    kind = type(owner)
    names = (name for name, value in vars(owner).items() if callable(value))
    return next((name for name in names if isinstance(getattr(kind, name, None), FunctionType)), None)


def why_not_on_object(owner: Any, method: str) -> str:
    """Why a search of an object on which a method was set cannot be compiled, and what to do."""
    kind = type(owner).__name__
    if not callable(vars(owner).get(method, why_not_on_object)):
        return f"{method} of this {kind} was changed after it was created; create another {kind} with the new value"
    return (
        f"{method} is set on this {kind} object, but compiled code uses the methods of the class; "
        f"define it in {kind} or in a subclass"
    )


def check_claims_that_rules_read(owner: Any) -> None:
    """Raise InputError if a rule, or a heuristic, reads a claim that does not hold: it would see that nothing is claimed."""
    kind = type(owner)
    for name in claims_read_by_users(kind):
        replaced = broken_by(owner, name)
        if was_cleared(type(owner), name) or (replaced is not None and _says_something(owner, name)):
            since = "" if replaced is None else f", since {_deed(owner, replaced)}"
            raise InputError(
                f"methods of {kind.__name__} read {name}, which was declared for other rules{since}; "
                f"{_remedy(owner, {name: replaced} if replaced else {})}; or read an attribute of another name"
            )

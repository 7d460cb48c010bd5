"""Vocabulary: which members of a problem or a game are rules, claims about the rules, heuristics, or for display."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

PACKAGE = __name__.partition(".")[0]


@dataclass(frozen=True)
class Vocabulary:
    """Which members of a kind of class are claims, which are rules, and which are neither.

    guarded: claims that are read as attributes, each of which becomes a Claim. asked: claims that are checked with holds()
    instead.
    cleared: claims read too often for either, so a class that replaces a rule is given the members of the root. shown:
    display members, on which no claim depends. roots: the rules that a search calls. goals: those of them that define the
    goal states; of_actions: the claims that do not depend on these. optional: rules that most classes leave out, so that every
    class understands their values in a root, such as what is optimised. forms: claims that give another form of the problem
    with heuristics of its own, so that they depend on heuristics too. naming: claims that name a heuristic, which also hold if
    the claim about that heuristic holds. mark: the attribute of a function that makes it a heuristic.
    """

    guarded: frozenset[str]
    asked: frozenset[str]
    shown: frozenset[str]
    roots: frozenset[str]
    goals: frozenset[str] = frozenset()
    optional: frozenset[str] = frozenset()
    of_actions: frozenset[str] = frozenset()
    forms: frozenset[str] = frozenset({"domain"})
    naming: frozenset[str] = frozenset()
    cleared: frozenset[str] = frozenset()
    mark: str = ""

    def is_claim_or_shown(self, name: str) -> bool:
        """Whether a member is a rule only if a rule reads it."""
        return name in self.shown or name in self.guarded or name in self.asked or name in self.cleared

    def is_rule(self, name: str) -> bool:
        """Whether the name of a member of a class or an object is that of a rule."""
        return not (
            name.startswith(("__", "_abc_", "_claims_", "_is_protocol", "_is_runtime_protocol"))
            or self.is_claim_or_shown(name)
        )


class Stated:
    """A claim as it is stated in a class, home."""

    def __init__(self, name: str, said: Any, home: type) -> None:
        self.name, self.said, self.home = name, said, home

    def current(self) -> Any:
        """What a plain mixin, whose members are not watched, says now; otherwise what was stated."""
        now = vars(self.home).get(self.name, self.said)
        return self.said if isinstance(now, Stated) else now


def is_root(kind: type) -> bool:
    """Whether a class claims nothing."""
    return "_is_root" in vars(kind)


def is_shipped(kind: type) -> bool:
    """Whether a class belongs to this package."""
    return kind.__module__.partition(".")[0] == PACKAGE

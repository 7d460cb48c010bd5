"""Abstract domains made anew from the headers of their databases."""

from __future__ import annotations

import json
from typing import Any

import pytest

import bestfirst as bf
from bestfirst.domains.abstract_domains import abstract_domain
from bestfirst.patterns.abstract_domain import as_abstract
from bestfirst.patterns.identity import Identity

ABSTRACT: list[Any] = [
    bf.SlidingTile("1 2 3 / 4 5 6 / 7 8 _").project([1, 2, 5]),
    bf.Pancake("3 1 6 2 5 4", "6 1 5 2 4 3").project([6, 5, 3]),
    bf.TopSpin("1 4 2 7 3 6 5", "1 3 2 4 6 5 7", turnstile=3).project([3, 4, 7]),
    bf.TowersOfHanoi(5, 4, goal="4 4 2 4 1").project([5, 3, 1]),
    bf.PocketCube("R U", "F U2"),
    bf.RubiksCube("R U").project("corners"),
    bf.RubiksCube("R U").project("UR DF"),
]


@pytest.mark.parametrize("domain", ABSTRACT, ids=lambda domain: type(domain).__name__)
def test_what_a_header_says_makes_the_same_domain(domain: bf.Domain) -> None:
    """The same class with the same parameters: so the same table."""
    identity = Identity.of(domain)
    made = abstract_domain(identity.domain, json.loads(json.dumps(identity.parameters)))
    assert made is not None
    assert Identity.of(made) == identity


def test_others_cannot_be_made() -> None:
    """Those of a user's own class, and of a Rubik's cube with another goal."""
    assert abstract_domain("SomePancakes", {"kept": [1, 2]}) is None
    other = bf.RubiksCube("R U", "F").project("corners")
    assert abstract_domain("CubeCorners", as_abstract(other).parameters() or {}) is None

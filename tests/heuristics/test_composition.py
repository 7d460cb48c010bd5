"""Heuristics made of heuristics: what they give and what can be said about them."""

from __future__ import annotations

import math
from itertools import product
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bestfirst.domains.sliding_tile import SlidingTile
from bestfirst.errors import InputError
from bestfirst.heuristics import Heuristic, scaled
from bestfirst.heuristics.audit import audit
from bestfirst.heuristics.composition import maximum, total
from bestfirst.heuristics.space import explore
from bestfirst.solve import solve
from graphs import Graph, admissible_heuristics, graphs
from profiles import examples

FACTS = [True, False, None]
FIVE = SlidingTile("4 5 3 / 1 2 _")


def made(value: float = 1, name: str = "h", admissible: bool | None = True, consistent: bool | None = True) -> Heuristic:
    return Heuristic(lambda _: value, name, admissible=admissible, consistent=consistent)


def both(first: bool | None, second: bool | None) -> bool | None:
    """True where both are, False where one is known not to be, otherwise None."""
    if first is False or second is False:
        return False
    return True if first and second else None


def test_the_maximum_gives_the_largest_estimate() -> None:
    """Under a name that says of what it is the maximum, and which naming understands."""
    largest = maximum(made(2, "a"), made(5, "b"), made(3, "c"))
    assert (largest(0), largest.name) == (5, "max(a, b, c)")
    assert maximum(made(2, "a"))(0) == 2


def test_the_maximum_with_a_dead_end_is_a_dead_end() -> None:
    """If one of them knows that no goal can be reached, none can."""
    assert maximum(made(2), made(math.inf))(0) == math.inf


@pytest.mark.parametrize(("first", "second"), list(product(FACTS, FACTS)))
def test_the_maximum_is_admissible_and_consistent_if_all_are(first: bool | None, second: bool | None) -> None:
    """One that overestimates makes it overestimate too; one of which nothing is known makes it unknown."""
    assert maximum(made(admissible=first), made(admissible=second)).admissible is both(first, second)
    consistent = maximum(made(consistent=first), made(consistent=second)).consistent
    assert (consistent is True) == (first is True and second is True)


def test_the_total_adds_up_and_keeps_its_justification() -> None:
    """The reason given is its note."""
    added = total(made(2, "rows"), made(3, "columns"), because="no action counts in both")
    assert (added(0), added.name, added.note) == (5, "rows + columns", "no action counts in both")


@pytest.mark.parametrize(("first", "second"), list(product(FACTS, FACTS)))
def test_a_justified_total_is_admissible_if_all_are(first: bool | None, second: bool | None) -> None:
    """Likewise for consistent."""
    assert total(made(admissible=first), made(admissible=second), because="so").admissible is both(first, second)
    consistent = total(made(consistent=first), made(consistent=second), because="so").consistent
    assert (consistent is True) == (first is True and second is True)


@pytest.mark.parametrize("because", ["", "  "])
def test_a_total_without_a_reason_is_treated_as_inadmissible(because: str) -> None:
    """So a search that used it promises nothing about the cost."""
    added = total(made(), made(), because=because)
    assert (added.admissible, added.consistent) == (False, None)
    tiles = FIVE.heuristics()
    solution = solve(FIVE, "astar", total(tiles["manhattan"], tiles["misplaced"], because=because))
    assert (solution.status, solution.lower_bound) == ("solved", 0)


def test_a_multiple_multiplies() -> None:
    """And a dead end stays one, even with the weight 0."""
    assert (scaled(2.5, made(2, "h"))(0), scaled(2.5, made(2, "h")).name) == (5, "2.5 * h")
    assert scaled(0, made(math.inf))(0) == math.inf


@pytest.mark.parametrize("fact", [True, None])
@pytest.mark.parametrize("weight", [0, 0.5, 1])
def test_a_multiple_up_to_one_keeps_what_is_known(weight: float, fact: bool | None) -> None:
    """A smaller estimate of an admissible heuristic is admissible, and of a consistent one consistent."""
    multiple = scaled(weight, made(admissible=fact, consistent=fact))
    assert (multiple.admissible, multiple.consistent) == (fact, fact)


def test_a_multiple_above_one_is_treated_as_inadmissible() -> None:
    """It may overestimate, whatever the heuristic is."""
    multiple = scaled(1.01, made())
    assert (multiple.admissible, multiple.consistent) == (False, None)


@pytest.mark.parametrize("weight", [-1, math.inf, math.nan])
def test_a_weight_that_is_no_finite_number_from_zero_on_is_refused(weight: float) -> None:
    """The message says what to write instead."""
    with pytest.raises(InputError, match=r"the weight is .*; use a finite number >= 0"):
        scaled(weight, made())


def test_nothing_cannot_be_composed() -> None:
    """Maximum and total need at least one heuristic."""
    with pytest.raises(InputError, match="needs at least one heuristic"):
        maximum()
    with pytest.raises(InputError, match="needs at least one heuristic"):
        total(because="there is nothing to add")


@given(graphs(), st.data())
@examples(50)
def test_what_is_said_of_a_maximum_holds(graph: Graph, data: st.DataObject) -> None:
    """On random graphs, the maximum of admissible heuristics is admissible, and of consistent ones consistent."""
    truth = graph.distances()
    first, second = (Heuristic(data.draw(admissible_heuristics(graph)), name) for name in "ab")
    assert audit(graph, maximum(first, second)).admissible
    share = Heuristic(truth.__getitem__, "truth", admissible=True, consistent=True)
    largest = maximum(share, scaled(0.5, share))
    assert largest.consistent
    assert audit(graph, largest).consistent


def test_what_is_said_of_compositions_of_tiles_holds() -> None:
    """Audited on the whole 5-puzzle: the maximum of all, half of one, and a sum that has no justification."""
    space = explore(FIVE)
    tiles = FIVE.heuristics()
    largest = maximum(*tiles.values())
    assert (largest.admissible, largest.consistent) == (True, True)
    checked = audit(FIVE, largest, space=space)
    assert (checked.admissible, checked.consistent) == (True, True)
    half = audit(FIVE, scaled(0.5, tiles["manhattan"]), space=space)
    assert (half.admissible, half.consistent) == (True, True)
    unjustified = audit(FIVE, total(tiles["manhattan"], tiles["misplaced"], because=""), space=space)
    assert unjustified.admissible is False


def test_combinations_prefer_the_actions_that_a_part_prefers() -> None:
    """The actions of all parts, each once, in the order of the parts; none if no part prefers any."""
    one = Heuristic(lambda _: 1, "one", preferred=lambda state: [state, "b"])
    two = Heuristic(lambda _: 2, "two", preferred=lambda _: ["c", "b"])
    for combined in (maximum(one, made(), two), total(one, two, because="for a test")):
        assert combined.preferred is not None
        assert combined.preferred("a") == ["a", "b", "c"]
    assert maximum(made(), two).preferred is two.preferred
    assert scaled(2, one).preferred is one.preferred
    assert maximum(made(), made()).preferred is None


@pytest.mark.parametrize(
    ("part", "added"), [(np.float16(40_000), 80_000), (np.int8(100), 200), (np.uint8(200), 400), (np.float32(1e38), 2e38)]
)
def test_numpy_estimates_are_combined_as_python_numbers(part: Any, added: float) -> None:
    """Their own types would overflow: to infinity, which says that no goal can be reached, or to a negative number."""
    one = made(part)
    assert total(one, one, because="for a test")(0) == scaled(2, one)(0) == pytest.approx(added, rel=1e-6)
    assert scaled(4, made(1e308)).function(0) < math.inf
    assert total(made(8e307), made(8e307), made(8e307), because="for a test").function(0) < math.inf


@pytest.mark.parametrize("weight", [np.float16(0.5), np.float32(0.5), np.uint8(2)])
def test_a_weight_of_numpy_is_a_number_of_python(weight: Any) -> None:
    """It neither overflows nor rounds the estimate."""
    known = Heuristic(lambda _state: 70_001, "far", admissible=True)
    found = scaled(weight, known)(0)
    assert (found, type(found)) == (70_001 * weight.item(), type(weight.item()))

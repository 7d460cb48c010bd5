"""The choice of patterns for a planning task, by name."""

from __future__ import annotations

from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bestfirst.errors import InputError
from bestfirst.planning import Effect, Fact, Operator, Task, Variable
from bestfirst.planning.patterns import (
    additive_subsets,
    greedy_pattern,
    patterns_named,
    systematic_patterns,
)
from planning_tasks import switches, towers
from profiles import examples
from random_tasks import tasks


def chain(arcs: list[tuple[int, int]], goal: list[int], count: int, values: int = 2) -> Task:
    """A task whose causal graph has these arcs."""
    variables = [Variable(f"v{one}", tuple(map(str, range(values)))) for one in range(count)]
    operators = [Operator(f"{one} {other}", (Fact(one, 1),), (Effect(Fact(other, 1)),)) for one, other in arcs]
    return Task(variables, operators, (0,) * count, [Fact(one, 1) for one in goal])


def test_names_stand_for_patterns() -> None:
    """With or without the prefix; a pattern that is given twice counts once."""
    task = switches(6)
    assert patterns_named(task, "pdb:3-0,1-5") == [(0, 3), (1, 5)]
    assert patterns_named(task, "2") == patterns_named(task, "2,2") == [(2,)]
    assert patterns_named(task, "auto") == [(0, 1, 2, 3, 4, 5)]
    assert patterns_named(task, "systematic-1") == [(one,) for one in range(6)]


@pytest.mark.parametrize("name", ["", "7-", "a", "1,,2", "systematic", "systematic-0", "1 2", "-1"])
def test_other_names_are_refused(name: str) -> None:
    """With examples of names."""
    with pytest.raises(InputError, match="pdb:3-7-12"):
        patterns_named(switches(3), f"pdb:{name}")


def test_a_pattern_of_unknown_variables_is_refused() -> None:
    """With the numbers of the variables."""
    with pytest.raises(InputError, match=r"unknown or repeated variables: 3.* 0 \.\. 2"):
        patterns_named(switches(3), "pdb:2,3-1")


def test_the_greedy_pattern_begins_with_the_goal() -> None:
    """Then come variables with arcs to it, in descending order, until the first that does not fit; others never."""
    task = chain([(0, 3), (1, 0), (2, 4)], [3], 5)
    assert greedy_pattern(task) == (0, 1, 3)
    assert greedy_pattern(task, 7) == (0, 3)
    assert greedy_pattern(task, 1) == (3,)
    assert greedy_pattern(chain([(0, 1), (2, 1)], [1], 3), 4) == (1, 2)
    assert greedy_pattern(chain([(0, 1)], [], 2)) == (0,)


def test_systematic_patterns_lead_to_the_goal() -> None:
    """Over arcs of the pattern; goal variables that one operator changes belong together."""
    task = chain([(0, 1), (1, 2), (3, 0)], [2], 5)
    assert systematic_patterns(task, 1) == [(2,)]
    assert systematic_patterns(task, 3) == [(2,), (1, 2), (0, 1, 2)]
    two = Operator("both", (), (Effect(Fact(0, 1)), Effect(Fact(1, 1))))
    both = Task([Variable("v", ("a", "b"))] * 3, [two], (0, 0, 0), [Fact(0, 1), Fact(1, 1), Fact(2, 1)])
    assert systematic_patterns(both, 2) == [(0,), (1,), (2,), (0, 1)]
    assert systematic_patterns(chain([(0, 1)], [], 2), 1) == [(0,)]


def test_a_systematic_collection_that_is_too_large_is_refused() -> None:
    """Its abstract states are counted before any is looked at."""
    task = chain([(0, 1), (1, 2)], [2], 3, values=4000)
    with pytest.raises(InputError, match="more than 10,000,000 abstract states"):
        systematic_patterns(task, 2)


@examples(15)
@given(tasks(), st.data())
def test_additive_subsets_are_the_maximal_ones(task: Task, data: st.DataObject) -> None:
    """Of which no operator affects two patterns."""
    variables = st.integers(0, len(task.variables) - 1)
    some = st.lists(variables, min_size=1, max_size=2, unique=True).map(lambda one: tuple(sorted(one)))
    patterns = data.draw(st.lists(some, min_size=1, max_size=5, unique=True))

    def are_additive(subset: tuple[int, ...]) -> bool:
        changed = [{effect.fact.variable for effect in operator.effects} for operator in task.operators]
        return all(sum(not one.isdisjoint(patterns[at]) for at in subset) <= 1 for one in changed)

    indices = range(len(patterns))
    additive = [subset for size in indices for subset in combinations(indices, size + 1) if are_additive(subset)]
    # A pattern alone is additive by definition, even if an operator affects it twice.
    maximal = [one for one in additive if not any(set(one) < set(other) for other in additive)]
    assert additive_subsets(task, patterns) == sorted(maximal)


def test_too_many_additive_subsets_are_refused() -> None:
    """Thirty-three pairs of patterns, of which one of each pair may be chosen, have 2**33 maximal subsets."""
    operators = [Operator(f"{one}", (), (Effect(Fact(2 * one, 1)), Effect(Fact(2 * one + 1, 1)))) for one in range(33)]
    task = Task([Variable("v", ("a", "b"))] * 66, operators, (0,) * 66, [Fact(0, 1)])
    with pytest.raises(InputError, match="maximal additive subsets"):
        additive_subsets(task, [(one,) for one in range(66)])


def test_blocks_of_a_tower_are_additive() -> None:
    """A move changes the place of one block only."""
    assert additive_subsets(towers(3), [(0,), (1,), (2,)]) == [(0, 1, 2)]

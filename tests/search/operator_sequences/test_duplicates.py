"""Which strings of actions lead where an earlier one does, as some states tell."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import bestfirst as bf
from bestfirst.search.operator_sequences.duplicates import numbered_actions, repeated_strings, sampled_states

GRID = bf.GridMap("....\n....\n....\n....", (0, 0), (3, 3), neighbours=4)


def test_the_states_that_are_tried_are_always_the_same() -> None:
    """The start first, and none twice; of a problem without actions, it alone."""
    states = sampled_states(GRID)
    assert states == sampled_states(bf.GridMap("....\n....\n....\n....", (0, 0), (3, 3), neighbours=4))
    assert states[0] == GRID.initial
    assert len(set(states)) == len(states) > 5
    assert sampled_states(bf.Problem.of(7, lambda _state: [], lambda _state: False)) == [7]


def test_actions_are_numbered_in_the_order_of_the_states() -> None:
    """One that a later state has before another comes before it."""
    edges = {0: ["b", "d"], 1: ["a", "b", "c", "d"], 2: ["c", "e"]}
    problem = bf.Problem.of(0, lambda state: [(name, state, 1) for name in edges[state]], lambda _state: False)
    names, states = numbered_actions(problem, [0, 1, 2], stand_for_all=True)
    assert list(names.items()) == [("a", 0), ("b", 1), ("c", 2), ("e", 3), ("d", 4)]
    assert states == [0, 1, 2]


@pytest.mark.parametrize("unclear", [["c", "c"], [["c"], "d"], [np.array([1, 2])]])
def test_a_state_whose_actions_are_unclear_is_left_out_of_a_guess(unclear: list[Any]) -> None:
    """It is an error where it stands for others, and where all are so."""
    edges: dict[int, list[Any]] = {0: ["a", "b"], 1: unclear}
    problem = bf.Problem.of(0, lambda state: [(name, 1 - state, 1) for name in edges[state]], lambda _state: False)
    assert numbered_actions(problem, [0, 1], stand_for_all=False) == ({"a": 0, "b": 1}, [0])
    found = repeated_strings(problem, [0], {"a": 0, "b": 1}, 3, stand_for_all=False)
    assert found == {(1,): (0,)}
    for states, stand_for_all in (([0, 1], True), ([1], False)):
        with pytest.raises(bf.InputError, match="pruning needs hashable and distinct actions"):
            numbered_actions(problem, states, stand_for_all=stand_for_all)


def test_guesses_are_not_made_beyond_goals() -> None:
    """There a problem need not say what follows."""
    edges = {0: [("a", 1, 1), ("b", 2, 1)], 1: [("b", 3, 1)], 2: [("a", 3, 1)]}
    problem = bf.Problem.of(0, edges.__getitem__, lambda state: state == 3)
    assert {0, 3} <= set(sampled_states(problem)) <= {0, 1, 2, 3}
    assert bf.solve(problem, "idastar", lambda _state: 0, prune=3).cost == 2


def test_of_two_orders_on_a_map_the_first_is_kept() -> None:
    """And going there and back leads where doing nothing does; by what most states say, or only where all do."""
    states = sampled_states(GRID)
    names, clear = numbered_actions(GRID, states, stand_for_all=False)
    found = repeated_strings(GRID, clear, names, 2, stand_for_all=False)
    word = {number: name for name, number in names.items()}
    told = {
        "".join(word[number] for number in one): "".join(word[number] for number in other) for one, other in found.items()
    }
    first, *_ = told.values()
    assert first == ""
    assert sum(other == "" for other in told.values()) == 4
    assert all(sorted(one) == sorted(other) for one, other in told.items() if other)
    assert sum(other != "" for other in told.values()) == 4


def test_a_string_is_kept_where_the_earlier_one_is_dearer() -> None:
    """From 0 to 3 by one dear step or by two that cost less; from 4 to 7 the other way about."""
    edges = {0: [("x", 3, 5), ("y", 1, 1)], 1: [("y", 3, 1)], 3: [], 4: [("x", 7, 2), ("y", 5, 1)], 5: [("y", 7, 1)], 7: []}
    problem = bf.Problem.of(0, edges.__getitem__, lambda _state: False)
    names = {"x": 0, "y": 1}
    assert repeated_strings(problem, [0], names, 2, stand_for_all=False) == {}
    assert repeated_strings(problem, [4], names, 2, stand_for_all=False) == {(1, 1): (0,)}
    assert repeated_strings(problem, [0, 4], names, 2, stand_for_all=False) == {(1, 1): (0,)}
    assert repeated_strings(problem, [0, 4], names, 2, stand_for_all=True) == {}

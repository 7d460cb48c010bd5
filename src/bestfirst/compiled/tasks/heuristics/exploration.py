"""The exploration of a delete relaxation, compiled: the twin of planning/heuristics/exploration.py."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

import numpy as np

from bestfirst.compiled.tasks.evaluation import DEAD_END
from bestfirst.compiled.tasks.heuristics import cost_queue
from bestfirst.compiled.tasks.heuristics.cost_queue import HALF, add_fact, empty_lists, new_queue, next_fact
from bestfirst.errors import InputError

if TYPE_CHECKING:
    from bestfirst.compiled.store.aliases import Array, Arrays, Flag, Int
    from bestfirst.planning.heuristics.relaxation import Relaxation
    from bestfirst.planning.task import Task

COUNT_BITS = 16
"""The lower bits of a rule's word: how many of its preconditions have not been reached. The upper ones: the sum of its own cost and
those of the preconditions that have (if costs add up)."""
COUNT = (1 << COUNT_BITS) - 1


def explore(values: Array, tables: Arrays, scratch: Arrays, adds: Flag, stops: Flag) -> Int:
    """The costs of facts from a state, and where `effects` has their cheapest rules, in scratch.

    Returns the number of goal facts that were not reached.

    adds: whether the costs of preconditions add up, as in h_add; otherwise they cost as much as the dearest, as in h_max.
    stops: whether to stop when the last goal fact is explored; others may then have costs that are too high, and
    there are no ranks: they ascend with the cost, and descend with the place in the order of exploration.
    """
    first, fact_of, needs, rules_of, words, effects_at, effects, is_goal, goal = tables
    costs, supporters, ranks, left = scratch[:4]
    queue = scratch[4:]
    explored = np.int64(0)
    for at in range(len(words)):
        left[np.uint64(at)] = words[np.uint64(at)]
    for at in range(len(costs)):
        costs[np.uint64(at)] = DEAD_END
    entered, far, cost, missing = np.int64(0), np.int64(0), np.int64(0), np.int64(len(goal) - 1)
    for variable in range(len(first) - 1):
        fact = np.int64(fact_of[np.uint64(first[np.uint64(variable)] + values[np.uint64(variable)])])
        if fact >= 0:
            costs[np.uint64(fact)] = 0
            supporters[np.uint64(fact)] = -1
            entered += 1
            far = add_fact(queue, entered, fact, 0, far)
    near = entered
    while (missing > 0 or not stops) and near + far > 0:
        cost, fact, near, far = next_fact(queue, cost, near, far)
        if costs[np.uint64(fact)] != cost:
            continue  # it has been reached at a lower cost since
        if not stops:
            ranks[np.uint64(fact)] = (cost << HALF) - explored
            explored += 1
        missing -= is_goal[np.uint64(fact)]
        reaching = (cost << COUNT_BITS) - 1 if adds else np.int64(-1)
        for at in range(needs[np.uint64(fact)], needs[np.uint64(fact + 1)]):
            rule = np.int64(rules_of[np.uint64(at)])
            word = left[np.uint64(rule)] + reaching
            left[np.uint64(rule)] = word
            if word & COUNT == 0:
                reached = word >> COUNT_BITS if adds else (word >> COUNT_BITS) + cost
                reached = min(reached, DEAD_END - 1)
                for place in range(effects_at[np.uint64(rule)], effects_at[np.uint64(rule + 1)]):
                    effect = np.int64(effects[np.uint64(place)])
                    if reached < costs[np.uint64(effect)]:
                        costs[np.uint64(effect)] = reached
                        supporters[np.uint64(effect)] = place
                        entered += 1
                        was_far = far
                        far = add_fact(queue, entered, effect, reached, far)
                        near += 1 - (far - was_far)
    empty_lists(queue, cost, near)
    return missing


parts = *cost_queue.parts, explore


def tables_of(task: Task, relaxation: Relaxation) -> Arrays:
    """The arrays of a delete relaxation: first, fact_of, needs, rules_of, words, effects_at, effects, is_goal, goal.

    The fact of a value of a variable is fact_of[first[variable] + value], -1 if it does not matter. The rules with a fact as a
    precondition are rules_of[needs[fact] : needs[fact + 1]], the effects of a rule likewise. words: of the rules, before any fact
    is reached. Arrays have one element more where they could be empty otherwise.
    """
    widths = [len(variable.facts) for variable in task.variables]
    first = np.cumsum([0, *widths, 1])
    fact_of = np.full(first[-1] + 1, -1, np.int32)
    for (variable, value), number in relaxation.number.items():
        fact_of[first[variable] + value] = number
    fact_of[first[-2]] = relaxation.always
    most = max((len(rule.preconditions) for rule in relaxation.rules), default=0)
    if most > COUNT:
        raise InputError(
            f"an operator has {most} preconditions; compiled heuristics support at most {COUNT}; use engine='python'"
        )
    words = [(rule.cost << COUNT_BITS) + len(rule.preconditions) for rule in relaxation.rules]
    is_goal = np.zeros(relaxation.facts, np.int64)
    is_goal[list(relaxation.goal)] = 1
    return (
        first.astype(np.int32),
        fact_of,
        *in_rows(relaxation.needed_by),
        np.array([*words, -1], np.int64),
        *in_rows([rule.effects for rule in relaxation.rules]),
        is_goal,
        np.array([*relaxation.goal, -1], np.int32),
    )


def new_exploration(task: Task, relaxation: Relaxation) -> Arrays:
    """The arrays of an exploration: the costs, the supporters and the ranks of facts, the words of rules, and the queue."""
    entries = len(task.variables) + 1 + sum(len(rule.effects) for rule in relaxation.rules)
    return (
        np.zeros(relaxation.facts, np.int32),
        np.zeros(relaxation.facts, np.int32),
        np.zeros(relaxation.facts, np.int64),
        np.zeros(len(relaxation.rules) + 1, np.int64),
        *new_queue(entries),
    )


def in_rows(rows: Iterable[Sequence[int]]) -> Arrays:
    """Rows of different lengths as two arrays: where each begins, and, last, where the last one ends; and their elements."""
    listed = list(rows)
    starts = np.cumsum([0, *map(len, listed), 0])
    return starts.astype(np.int32), np.array([number for row in listed for number in row] + [0], np.int32)

"""The FF heuristic, compiled: the twin of planning/heuristics/ff.py."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from bestfirst.compiled.tasks.evaluation import DEAD_END
from bestfirst.compiled.tasks.heuristics import exploration
from bestfirst.compiled.tasks.heuristics.exploration import explore, in_rows, new_exploration, tables_of
from bestfirst.planning.heuristics.relaxation import merged_relaxation

if TYPE_CHECKING:
    from bestfirst.compiled.store.aliases import Array, Arrays, Flag, Int
    from bestfirst.planning.task import Task

prefers = True


def relaxed_plan(relaxation: Arrays, supporters: Array, marked: Array, queue: Array, plan: Array, in_plan: Array) -> Int:
    """The operators that make the goal true by supporters: marked in in_plan, and listed in plan; returns their number."""
    goal, needs_of, preconditions, rules, operators = relaxation
    waiting = length = np.int64(0)
    for at in range(len(goal) - 1):
        fact = np.int64(goal[np.uint64(at)])
        marked[np.uint64(fact)] = 1
        queue[np.uint64(waiting)] = fact
        waiting += 1
    done = np.int64(0)
    while done < waiting:
        place = np.int64(supporters[np.uint64(queue[np.uint64(done)])])
        done += 1
        if place < 0:
            continue
        rule, operator = np.int64(rules[np.uint64(place)]), np.int64(operators[np.uint64(place)])
        if in_plan[np.uint64(operator)] == 0:
            in_plan[np.uint64(operator)] = 1
            plan[np.uint64(length)] = operator
            length += 1
        for at in range(needs_of[np.uint64(rule)], needs_of[np.uint64(rule + 1)]):
            fact = np.int64(preconditions[np.uint64(at)])
            if marked[np.uint64(fact)] == 0:
                marked[np.uint64(fact)] = 1
                queue[np.uint64(waiting)] = fact
                waiting += 1
    for at in range(waiting):
        marked[np.uint64(queue[np.uint64(at)])] = 0
    return length


def applies(values: Array, needs: Array, facts: Array, operator: Int) -> Flag:
    """Whether an operator can be applied."""
    for at in range(needs[np.uint64(operator)], needs[np.uint64(operator + 1)]):
        if values[np.uint64(facts[np.uint64(2 * at)])] != facts[np.uint64(2 * at + 1)]:
            return False
    return True


def evaluate(values: Array, tables: Arrays, scratch: Arrays) -> Int:
    """The cost of the relaxed plan, and its first operators."""
    preferred, marked, queue, plan, in_plan = scratch[:5]
    preferred[0] = 0
    if explore(values, tables[:9], scratch[5:], True, True) > 0:
        return np.int64(DEAD_END)
    costs, needs, facts = tables[13:]
    length = relaxed_plan(tables[8:13], scratch[6], marked, queue, plan, in_plan)
    total, count = np.int64(0), np.int64(0)
    for at in range(length):
        operator = np.int64(plan[np.uint64(at)])
        in_plan[np.uint64(operator)] = 0
        total += costs[np.uint64(operator)]
        if applies(values, needs, facts, operator):
            place = count
            while place > 0 and preferred[np.uint64(place)] > operator:
                preferred[np.uint64(place + 1)] = preferred[np.uint64(place)]
                place -= 1
            preferred[np.uint64(place + 1)] = operator
            count += 1
    preferred[0] = count
    return total


parts = *exploration.parts, relaxed_plan, applies


def tables(task: Task) -> Arrays:
    """The arrays of the delete relaxation (exploration.py), the preconditions of each rule, the rule and the operator of each
    effect, and the costs and the preconditions of each operator, as variables and values in turn."""
    relaxation = merged_relaxation(task)
    needs, facts = in_rows([[number for fact in operator.preconditions for number in fact] for operator in task.operators])
    return (
        *tables_of(task, relaxation),
        *in_rows([rule.preconditions for rule in relaxation.rules]),
        np.array([*(number for number, rule in enumerate(relaxation.rules) for _ in rule.effects), -1], np.int32),
        np.array([*(operator for rule in relaxation.rules for operator in rule.operators), -1], np.int32),
        # a greater cost is that of an operator in no relaxed plan, and might not fit into a word
        np.array([*(min(operator.cost, DEAD_END) for operator in task.operators), 0], np.int64),
        needs // 2,
        facts,
    )


def new_scratch(task: Task) -> Arrays:
    """The preferred operators, the marks and the list of facts, the list and the marks of operators in the relaxed plan, and the
    arrays of an exploration."""
    relaxation, operators = merged_relaxation(task), len(task.operators) + 2
    return (
        np.zeros(operators, np.int32),
        np.zeros(relaxation.facts, np.uint8),
        np.zeros(relaxation.facts, np.int32),
        np.zeros(operators, np.int32),
        np.zeros(operators, np.uint8),
        *new_exploration(task, relaxation),
    )

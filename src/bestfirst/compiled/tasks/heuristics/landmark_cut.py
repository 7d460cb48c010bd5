"""LM-cut, compiled: the twin of planning/heuristics/landmark_cut.py.

The costs by h_max are not computed again after each cut, but only those changed that the cut makes lower.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from bestfirst.compiled.tasks.evaluation import DEAD_END
from bestfirst.compiled.tasks.heuristics import exploration
from bestfirst.compiled.tasks.heuristics.cost_queue import add_fact, new_queue, next_fact
from bestfirst.compiled.tasks.heuristics.exploration import COUNT, explore, in_rows, new_exploration, tables_of
from bestfirst.planning.heuristics.landmark_cut import check_unconditional, with_goal_rule

if TYPE_CHECKING:
    from bestfirst.compiled.store.aliases import Array, Arrays, Int
    from bestfirst.planning.task import Task

OUTSIDE, REACHED, IN_ZONE = range(3)


def dearest_of(costs: Array, ranks: Array, needs_of: Array, preconditions: Array, rule: Int) -> Int:
    """The precondition of a rule that costs most: of several, the one of the lowest rank."""
    start = np.int64(needs_of[np.uint64(rule)])
    dearest = np.int64(preconditions[np.uint64(start)])
    cost = costs[np.uint64(dearest)]
    for at in range(start + 1, needs_of[np.uint64(rule + 1)]):
        fact = np.int64(preconditions[np.uint64(at)])
        other = costs[np.uint64(fact)]
        if other > cost or (other == cost and ranks[np.uint64(fact)] < ranks[np.uint64(dearest)]):
            dearest, cost = fact, other
    return dearest


def link(lists: Arrays, fact: Int, rule: Int) -> None:
    """Put a rule into the list of a fact."""
    heads, following, before = lists
    head = heads[np.uint64(fact)]
    following[np.uint64(rule)], before[np.uint64(rule)] = head, -1
    if head >= 0:
        before[np.uint64(head)] = rule
    heads[np.uint64(fact)] = rule


def unlink(lists: Arrays, fact: Int, rule: Int) -> None:
    """Take a rule out of the list of a fact."""
    heads, following, before = lists
    one, other = before[np.uint64(rule)], following[np.uint64(rule)]
    if one >= 0:
        following[np.uint64(one)] = other
    else:
        heads[np.uint64(fact)] = other
    if other >= 0:
        before[np.uint64(other)] = one


def find_zone(
    goal: Int, achieving: Arrays, dearest: Array, rule_left: Array, status: Array, queue: Array, enters: Array, number: Int
) -> None:
    """Mark the goal zone: the facts from which rules that cost nothing lead to the goal."""
    achieved_at, achievers = achieving
    status[np.uint64(goal)] = IN_ZONE
    queue[0] = goal
    waiting = np.int64(1)
    while waiting > 0:
        waiting -= 1
        fact = np.int64(queue[np.uint64(waiting)])
        for at in range(achieved_at[np.uint64(fact)], achieved_at[np.uint64(fact + 1)]):
            rule = np.int64(achievers[np.uint64(at)])
            enters[np.uint64(rule)] = number
            if rule_left[np.uint64(rule)] == 0:
                needed = np.int64(dearest[np.uint64(rule)])
                if needed >= 0 and status[np.uint64(needed)] == OUTSIDE:
                    status[np.uint64(needed)] = IN_ZONE
                    queue[np.uint64(waiting)] = needed
                    waiting += 1


def find_cut(
    values: Array, relaxation: Arrays, lists: Arrays, status: Array, queue: Array, enters: Array, number: Int, cut: Array
) -> Int:
    """List the rules that lead into the goal zone from facts that can be reached outside it; returns their number."""
    first, fact_of, _needs, _rules_of, _words, effects_at, effects = relaxation
    heads, following, _before = lists
    waiting = length = np.int64(0)
    for variable in range(len(first) - 1):
        fact = np.int64(fact_of[np.uint64(first[np.uint64(variable)] + values[np.uint64(variable)])])
        if fact >= 0:
            status[np.uint64(fact)] = REACHED
            queue[np.uint64(waiting)] = fact
            waiting += 1
    while waiting > 0:
        waiting -= 1
        rule = np.int64(heads[np.uint64(queue[np.uint64(waiting)])])
        while rule >= 0:
            if enters[np.uint64(rule)] == number:
                cut[np.uint64(length)] = rule
                length += 1
            else:
                for place in range(effects_at[np.uint64(rule)], effects_at[np.uint64(rule + 1)]):
                    effect = np.int64(effects[np.uint64(place)])
                    queue[np.uint64(waiting)] = effect
                    waiting += REACHED - status[np.uint64(effect)]  # without a branch, which would be hard to predict
                    status[np.uint64(effect)] = REACHED
            rule = np.int64(following[np.uint64(rule)])
    return length


def reach_cheaper(relaxation: Arrays, exploring: Arrays, rule: Int, cost: Int, entered: Int, far: Int) -> Int:
    """Lower the costs of a rule's effects to at most the cost; returns the new numbers of entries: ever, and in the heap."""
    effects_at, effects = relaxation[5:7]
    costs = exploring[0]
    for place in range(effects_at[np.uint64(rule)], effects_at[np.uint64(rule + 1)]):
        effect = np.int64(effects[np.uint64(place)])
        if cost < costs[np.uint64(effect)]:
            costs[np.uint64(effect)] = cost
            entered += 1
            far = add_fact(exploring[4:], entered, effect, cost, far)
    return entered, far


def lower_costs(
    relaxation: Arrays, needing: Arrays, exploring: Arrays, of_rules: Arrays, lists: Arrays, cut: Array, length: Int
) -> None:
    """Update the costs of facts, and the dearest precondition of each rule, after the rules of a cut have become cheaper."""
    heads, following, _before = lists
    needs_of, preconditions = needing
    costs, ranks, queue = exploring[0], exploring[2], exploring[4:]
    dearest, rule_left, needed_costs = of_rules
    entered, far, cost = np.int64(0), np.int64(0), np.int64(0)
    for at in range(length):
        rule = np.int64(cut[np.uint64(at)])
        reached = np.int64(needed_costs[np.uint64(rule)]) + rule_left[np.uint64(rule)]
        entered, far = reach_cheaper(relaxation, exploring, rule, reached, entered, far)
    near = entered - far
    while near + far > 0:
        cost, fact, near, far = next_fact(queue, cost, near, far)
        if costs[np.uint64(fact)] != cost:
            continue
        after = np.int64(heads[np.uint64(fact)])
        while after >= 0:
            rule, after = after, np.int64(following[np.uint64(after)])
            if needed_costs[np.uint64(rule)] > cost:
                needed = dearest_of(costs, ranks, needs_of, preconditions, rule)
                if needed != fact:
                    dearest[np.uint64(rule)] = needed
                    unlink(lists, fact, rule)
                    link(lists, needed, rule)
                if costs[np.uint64(needed)] < needed_costs[np.uint64(rule)]:
                    needed_costs[np.uint64(rule)] = costs[np.uint64(needed)]
                    reached = np.int64(costs[np.uint64(needed)]) + rule_left[np.uint64(rule)]
                    before, was_far = entered, far
                    entered, far = reach_cheaper(relaxation, exploring, rule, reached, entered, far)
                    near += entered - before - (far - was_far)


def evaluate(values: Array, tables: Arrays, scratch: Arrays) -> Int:
    """The sum of the costs of the landmarks."""
    relaxation, needing, achieving, rule_costs = tables[:7], tables[9:11], tables[11:13], tables[13]
    exploring, of_rules, lists, (status, queue, cut, enters) = scratch[:7], scratch[7:10], scratch[10:13], scratch[13:]
    dearest, rule_left, needed_costs = of_rules
    costs, ranks, words = scratch[0], scratch[2], scratch[3]
    if explore(values, tables[:9], exploring, False, False) > 0:
        return np.int64(DEAD_END)
    for fact in range(len(costs)):
        lists[0][np.uint64(fact)] = -1
    for rule in range(len(words) - 1):
        rule_left[np.uint64(rule)] = rule_costs[np.uint64(rule)]
        dearest[np.uint64(rule)] = -1
        if words[np.uint64(rule)] & COUNT == 0:
            needed = dearest_of(costs, ranks, needing[0], needing[1], rule)
            dearest[np.uint64(rule)] = needed
            link(lists, needed, rule)
            needed_costs[np.uint64(rule)] = costs[np.uint64(needed)]
            enters[np.uint64(rule)] = -1
    total, number, goal = np.int64(0), np.int64(0), np.int64(len(costs) - 1)
    while costs[np.uint64(goal)] > 0:
        for fact in range(len(status)):
            status[np.uint64(fact)] = OUTSIDE
        find_zone(goal, achieving, dearest, rule_left, status, queue, enters, number)
        length = find_cut(values, relaxation, lists, status, queue, enters, number, cut)
        least = np.int64(DEAD_END)
        for at in range(length):
            least = min(least, np.int64(rule_left[np.uint64(cut[np.uint64(at)])]))
        for at in range(length):
            rule_left[np.uint64(cut[np.uint64(at)])] -= least
        total += least
        number += 1
        lower_costs(relaxation, needing, exploring, of_rules, lists, cut, length)
    return total


parts = *exploration.parts, dearest_of, link, unlink, find_zone, find_cut, reach_cheaper, lower_costs


def tables(task: Task) -> Arrays:
    """The arrays of the delete relaxation with a goal rule (exploration.py), the preconditions of each rule, the rules with each
    fact as an effect, and the costs of rules."""
    check_unconditional(task)
    relaxation = with_goal_rule(task)
    achievers: list[list[int]] = [[] for _ in range(relaxation.facts)]
    for number, rule in enumerate(relaxation.rules):
        for fact in rule.effects:
            achievers[fact].append(number)
    return (
        *tables_of(task, relaxation),
        *in_rows([rule.preconditions for rule in relaxation.rules]),
        *in_rows(achievers),
        np.array([rule.cost for rule in relaxation.rules], np.int32),
    )


def new_scratch(task: Task) -> Arrays:
    """The arrays of an exploration; for each rule, its dearest precondition, what is left of its cost, and the cost of that
    precondition; for each fact, its status; and lists of facts and of rules."""
    relaxation = with_goal_rule(task)
    rules = len(relaxation.rules)
    entries = sum((len(rule.preconditions) + 1) * len(rule.effects) for rule in relaxation.rules)
    return (
        *new_exploration(task, relaxation)[:4],
        *new_queue(entries + len(task.variables) + 1),
        *(np.zeros(rules, np.int32) for _ in range(3)),
        np.zeros(relaxation.facts, np.int32),
        *(np.zeros(rules, np.int32) for _ in range(2)),
        np.zeros(relaxation.facts, np.uint8),
        np.zeros(relaxation.facts + 1, np.int32),
        np.zeros(rules, np.int32),
        np.zeros(rules, np.int32),
    )

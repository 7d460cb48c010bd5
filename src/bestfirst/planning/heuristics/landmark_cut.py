"""LM-cut: the costs of landmarks, sets of operators of which every plan of the delete relaxation has one.

Source: Helmert & Domshlak, "Landmarks, critical paths and abstractions: what's the difference anyway?", 2009.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import inf
from typing import TYPE_CHECKING

from bestfirst.errors import InputError
from bestfirst.planning.heuristics.exploration import explore
from bestfirst.planning.heuristics.relaxation import Relaxation, Rule, kept

if TYPE_CHECKING:
    from bestfirst.planning.task import State, Task


class LandmarkCut:
    """The sum of the costs of landmarks.

    Each is a cut in the graph from the dearest precondition of each rule, by h_max, to its effects. The cost of its cheapest rule
    is then subtracted from the costs of all its rules. Of equally dear preconditions, that counts which cost least before the
    first cut; of several, that which was explored last.

    Raises InputError for a task with conditional effects, or if the costs of the operators are too large.
    """

    def __init__(self, task: Task) -> None:
        check_unconditional(task)
        self._relaxation = with_goal_rule(task)
        (self._goal,) = self._relaxation.goal

    def __call__(self, state: State) -> float:
        left = [rule.cost for rule in self._relaxation.rules]
        costs, _, ranks = explore(self._relaxation, state, max, left)
        first, total = costs, 0
        while True:
            if costs[self._goal] == inf:
                return inf
            if costs[self._goal] == 0:
                return total
            dearest = [
                max(rule.preconditions, key=lambda fact: (costs[fact], -first[fact], ranks[fact]))
                for rule in self._relaxation.rules
            ]
            cut = self._cut(state, costs, dearest, left)
            least = min(left[number] for number in cut)
            total += least
            for number in cut:
                left[number] -= least
            costs, *_ = explore(self._relaxation, state, max, left)

    def _cut(self, state: State, costs: Sequence[float], dearest: Sequence[int], left: Sequence[int]) -> list[int]:
        """The rules that lead from the facts that can be reached outside the goal zone into the goal zone."""
        zone = self._goal_zone(costs, dearest, left)
        reached = set(self._relaxation.true_in(state))
        waiting, cut = list(reached), []
        while waiting:
            fact = waiting.pop()
            for number in self._relaxation.needed_by[fact]:
                effects = self._relaxation.rules[number].effects
                if dearest[number] != fact:
                    continue
                if zone.isdisjoint(effects):
                    waiting.extend(effect for effect in effects if effect not in reached)
                    reached.update(effects)
                else:
                    cut.append(number)
        return cut

    def _goal_zone(self, costs: Sequence[float], dearest: Sequence[int], left: Sequence[int]) -> set[int]:
        """The facts from which rules that cost nothing lead to the goal."""
        free: dict[int, list[int]] = {}
        for number, rule in enumerate(self._relaxation.rules):
            if left[number] == 0 and costs[dearest[number]] < inf:
                for effect in rule.effects:
                    free.setdefault(effect, []).append(dearest[number])
        zone, waiting = {self._goal}, [self._goal]
        while waiting:
            new = set(free.get(waiting.pop(), ())) - zone
            zone |= new
            waiting.extend(new)
        return zone


def with_goal_rule(task: Task) -> Relaxation:
    """The delete relaxation with one more fact as its goal, and a rule that makes it true, once the task's goal is."""
    return kept(task, "with goal rule", _with_goal_rule)


def _with_goal_rule(task: Task) -> Relaxation:
    relaxation = Relaxation(task, merged=False)
    goal = relaxation.facts
    relaxation.facts += 1
    for fact in relaxation.goal or (relaxation.always,):
        relaxation.needed_by[fact].append(len(relaxation.rules))
    relaxation.rules.append(Rule(relaxation.goal or (relaxation.always,), (goal,), (-1,), 0))
    relaxation.needed_by.append([])
    relaxation.goal = (goal,)
    return relaxation


def check_unconditional(task: Task) -> None:
    """Raise InputError for conditional effects, with which landmarks by h_max are not admissible."""
    for operator in task.operators:
        if any(effect.conditions for effect in operator.effects):
            raise InputError(
                f"lmcut cannot be used, since {operator.name} has conditional effects; use hmax, which is admissible, or ff"
            )

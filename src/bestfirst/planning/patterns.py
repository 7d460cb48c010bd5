"""Which variables form the patterns that a name such as pdb:3-7,1-5 or pdb:auto stands for, and which patterns are additive.

A choice depends on the task alone. The causal graph has an arc to each variable that an operator changes, from the variables of
its preconditions and conditions, and from the other variables that it changes (Helmert 2006).
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from math import prod
from typing import TYPE_CHECKING, TypeAlias

from bestfirst.errors import InputError
from bestfirst.planning.projections import affecting, check_has_variables, checked_pattern, pattern_text

if TYPE_CHECKING:
    from bestfirst.planning.task import Task

Pattern: TypeAlias = tuple[int, ...]
Arcs: TypeAlias = dict[int, set[int]]
"""For each variable, those from which an arc leads to it."""

PREFIX, AUTO, SYSTEMATIC = "pdb:", "auto", "systematic-"
LARGEST = 1_000_000
"""Abstract states of the pattern that pdb:auto stands for."""
LARGEST_SYSTEMATIC = 10_000_000
"""Abstract states of a systematic collection, together."""
MOST_SUBSETS = 100_000
"""The greatest number of maximal additive subsets."""
REMEDY = "write pdb:auto, pdb:systematic-2, or the variables of each pattern, such as pdb:3-7-12 or pdb:3-7,1-5"


def patterns_named(task: Task, name: str) -> list[Pattern]:
    """The patterns that a name stands for, with or without "pdb:". Raises InputError for an invalid name."""
    check_has_variables(task)
    text = name.removeprefix(PREFIX).strip()
    if text == AUTO:
        return [greedy_pattern(task)]
    if re.fullmatch(rf"{SYSTEMATIC}[1-9]", text):
        return systematic_patterns(task, int(text.removeprefix(SYSTEMATIC)))
    if not re.fullmatch(r"[0-9]{1,9}(-[0-9]{1,9})*(,[0-9]{1,9}(-[0-9]{1,9})*)*", text):
        raise InputError(f"{PREFIX}{text} does not name patterns of a planning task; {REMEDY}")
    patterns = [checked_pattern(task, map(int, one.split("-"))) for one in text.split(",")]
    return list(dict.fromkeys(patterns))


def greedy_pattern(task: Task, largest: int = LARGEST) -> Pattern:
    """As many variables as fit into `largest` abstract states: first those of the goal, then any with an arc to one of them.

    Among equals the greatest number comes first: the translator numbers variables so that arcs lead to greater numbers as far as
    possible. The first variable that does not fit ends the choice.
    """
    arcs, goal = _arcs(task), _goal_of(task)
    chosen: list[int] = []
    states = 1
    while len(chosen) < len(task.variables):
        near = set[int]().union(*(arcs[variable] for variable in chosen)) | goal
        left = near.difference(chosen)
        if not left:
            break
        following = max(left, key=lambda variable: (variable in goal, variable))
        states *= len(task.variables[following].facts)
        if states > largest and chosen:
            break
        chosen.append(following)
    return checked_pattern(task, chosen)


def systematic_patterns(task: Task, most: int) -> list[Pattern]:
    """All patterns of up to `most` variables that may contribute: those in which each variable leads to a goal over arcs of the
    pattern, and that do not fall into parts without arcs between them.

    Raises InputError if they have more than LARGEST_SYSTEMATIC abstract states.
    Source: Pommerening, Roeger & Helmert 2013.
    """
    arcs, changed = _arcs(task, is_from_changed=False), _changed_together(task)
    neighbours = {one: arcs[one] | changed[one] | {other for other in arcs if one in arcs[other]} for one in arcs}
    goal = _goal_of(task)
    found: set[frozenset[int]] = set()
    states = 0
    layer = {frozenset([variable]) for variable in goal}
    for _ in range(most):
        found |= layer
        states += sum(prod(len(task.variables[variable].facts) for variable in pattern) for pattern in layer)
        if states > LARGEST_SYSTEMATIC:
            raise InputError(
                f"{PREFIX}{SYSTEMATIC}{most} has more than {LARGEST_SYSTEMATIC:,} abstract states; use a smaller number, or "
                f"{PREFIX}{AUTO}"
            )
        larger = {pattern | {other} for pattern in layer for variable in pattern for other in neighbours[variable] - pattern}
        layer = {pattern for pattern in larger if all(_leads(pattern, variable, arcs, goal) for variable in pattern)}
    return sorted((tuple(sorted(pattern)) for pattern in found), key=lambda pattern: (len(pattern), pattern))


def additive_subsets(task: Task, patterns: Sequence[Pattern]) -> list[tuple[int, ...]]:
    """The maximal subsets of the patterns, by index, of which no operator affects two: their distances can be added.

    Raises InputError if there are more than MOST_SUBSETS.
    Source: Haslum, Botea, Helmert, Bonet & Koenig 2007; Bron & Kerbosch 1973.
    """
    operators = [frozenset(affecting(task, pattern)) for pattern in patterns]
    together = [
        {other for other, theirs in enumerate(operators) if other != one and operators[one].isdisjoint(theirs)}
        for one in range(len(patterns))
    ]
    found: list[tuple[int, ...]] = []
    for subset in _maximal_cliques(together):
        found.append(subset)
        if len(found) > MOST_SUBSETS:
            raise InputError(
                f"the {len(patterns)} patterns have more than {MOST_SUBSETS:,} maximal additive subsets; use fewer patterns"
            )
    return sorted(found)


def name_of(patterns: Sequence[Pattern]) -> str:
    """The name of patterns, such as pdb:3-7,1-5."""
    return PREFIX + ",".join(map(pattern_text, patterns))


def _goal_of(task: Task) -> set[int]:
    """The variables of the goal; any one if it has none, since a heuristic needs a pattern."""
    return {variable for variable, _ in task.goal} or {0}


def _arcs(task: Task, *, is_from_changed: bool = True) -> Arcs:
    """The causal graph. is_from_changed: whether there is an arc between two variables that an operator changes."""
    arcs: Arcs = {variable: set() for variable in range(len(task.variables))}
    for operator in task.operators:
        changed = {effect.fact.variable for effect in operator.effects} if is_from_changed else set()
        needed = {variable for variable, _ in operator.preconditions} | changed
        for effect in operator.effects:
            variable = effect.fact.variable
            arcs[variable] |= (needed | {condition.variable for condition in effect.conditions}) - {variable}
    return arcs


def _changed_together(task: Task) -> Arcs:
    """For each variable, those that some operator changes with it."""
    together: Arcs = {variable: set() for variable in range(len(task.variables))}
    for operator in task.operators:
        changed = {effect.fact.variable for effect in operator.effects}
        for variable in changed:
            together[variable] |= changed - {variable}
    return together


def _leads(pattern: frozenset[int], start: int, arcs: Arcs, goal: set[int]) -> bool:
    """Whether arcs within the pattern lead from a variable to a goal variable."""
    reached, waiting = {start}, [start]
    while waiting:
        variable = waiting.pop()
        if variable in goal:
            return True
        following = {other for other in pattern - reached if variable in arcs[other]}
        reached |= following
        waiting += following
    return False


def _maximal_cliques(neighbours: Sequence[set[int]]) -> Iterator[tuple[int, ...]]:
    """The maximal sets of vertices that are all neighbours of each other."""
    waiting: list[tuple[tuple[int, ...], set[int], set[int]]] = [((), set(range(len(neighbours))), set())]
    while waiting:
        clique, possible, tried = waiting.pop()
        if not possible and not tried:
            yield tuple(sorted(clique))
        if not possible:
            continue
        pivot = max(possible | tried, key=lambda vertex: (len(neighbours[vertex] & possible), -vertex))
        for vertex in sorted(possible - neighbours[pivot]):
            waiting.append(((*clique, vertex), possible & neighbours[vertex], tried & neighbours[vertex]))
            possible = possible - {vertex}
            tried = tried | {vertex}

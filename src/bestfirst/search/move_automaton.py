"""A finite automaton over actions that keeps a search from going to the same state by two short ways.

Of all strings of actions up to some length that lead from a state to the same other one, the first is enough: the shortest, and of
several shortest ones the first in the order of the actions. The others are forbidden. The automaton reads the actions of a path and
knows, by as much of its end as may become a forbidden string, which action would complete one.

An optimal path that is the first in that order holds no forbidden string: replacing the string would make an earlier one.
Source: Taylor & Korf 1993.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from bestfirst.errors import InputError
from bestfirst.node import Node
from bestfirst.problem import Problem

FORBIDDEN = -1
MOST_STRINGS = 1_000_000
LONGEST = 40
"""Of the strings to look at: those of real puzzles are too many long before."""

String = tuple[int, ...]


@dataclass(frozen=True)
class MoveAutomaton:
    """names: of the actions, in their order. rows: by state, what each action leads to, FORBIDDEN for none; 0 is the start.

    longest: the length of the longest strings looked at.
    """

    names: Sequence[Any]
    rows: Sequence[Sequence[int]]
    longest: int

    def after(self, node: Node) -> int:
        """The state after the actions that led to a node."""
        actions: list[Any] = []
        for step in (node, *node.ancestors()):
            if step.parent is None or len(actions) == self.longest:
                break
            actions.append(step.action)
        state = 0
        for action in reversed(actions):
            state = max(0, self.rows[state][self.names.index(action)])
        return state

    def allows(self, state: int, action: Any) -> bool:
        """Whether an action completes no forbidden string."""
        return self.rows[state][self.names.index(action)] != FORBIDDEN


def move_automaton(problem: Problem, longest: int) -> MoveAutomaton:
    """The automaton of a problem that forbids strings of up to `longest` actions.

    Raises InputError for a problem that does not define representatives(), or whose actions do not all cost 1, and where there are
    too many strings.
    """
    if isinstance(longest, bool) or not isinstance(longest, int) or not 1 <= longest <= LONGEST:
        raise InputError(
            f"prune is {longest!r}; write the length of the longest strings of actions to look at, 1 .. {LONGEST}"
        )
    representatives = problem.representatives()
    if representatives is None or not problem.unit_cost:
        raise InputError(
            f"{problem.name()} does not define representatives(), or not all its actions cost 1; without that it is not known "
            "which strings of actions lead to the same states: leave prune out"
        )
    names: dict[Any, int] = {}
    for state in representatives:
        for action, _next, _cost in problem.successors(state):
            names.setdefault(action, len(names))
    forbidden = _forbidden_strings(problem, representatives, names, longest)
    return MoveAutomaton(list(names), _transitions(forbidden, len(names)), longest)


def _forbidden_strings(problem: Problem, representatives: Sequence[Any], names: dict[Any, int], longest: int) -> set[String]:
    """The strings that lead, wherever they are legal, to where an earlier one does; those only that hold no shorter one."""
    forbidden: set[String] = set()
    seen = [{state} for state in representatives]
    level: list[tuple[String, list[Any]]] = [((), list(representatives))]
    count = 0
    for _ in range(longest):
        following: list[tuple[String, list[Any]]] = []
        for string, states in level:
            children: list[dict[int, Any]] = [
                {} if state is None else {names[action]: after for action, after, _ in problem.successors(state)}
                for state in states
            ]
            for action in range(len(names)):
                after = [child.get(action) for child in children]
                longer = (*string, action)
                if all(state is None for state in after) or any(
                    longer[start:] in forbidden for start in range(1, len(longer))
                ):
                    continue
                if all(state is None or state in met for state, met in zip(after, seen, strict=True)):
                    forbidden.add(longer)
                    continue
                for state, met in zip(after, seen, strict=True):
                    if state is not None:
                        met.add(state)
                following.append((longer, after))
                count += 1
                if count > MOST_STRINGS:
                    raise InputError(
                        f"there are more than {MOST_STRINGS:,} strings of {longest} actions; give a smaller prune"
                    )
        if not following:
            break
        level = following
    return forbidden


def _transitions(forbidden: set[String], actions: int) -> list[list[int]]:
    """By state, which is a beginning of forbidden strings, and action: the longest end of both that is such a beginning.

    Source: Aho & Corasick 1975.
    """
    beginnings = {string[:length] for string in forbidden for length in range(len(string))} | {()}
    numbers = {string: number for number, string in enumerate(sorted(beginnings, key=lambda one: (len(one), one)))}

    def leads_to(string: String) -> int:
        ends = [string[start:] for start in range(len(string) + 1)]
        if any(end in forbidden for end in ends):
            return FORBIDDEN
        return next(numbers[end] for end in ends if end in numbers)

    return [[leads_to((*string, action)) for action in range(actions)] for string in numbers]

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
from functools import cache
from operator import itemgetter
from typing import Any

from bestfirst.errors import InputError, ProblemError
from bestfirst.heuristics.space import explore
from bestfirst.node import Node
from bestfirst.problem import Problem

FORBIDDEN = -1
MOST_STATES = 2_000
"""Of a problem that does not say which states stand for all: then all are looked at."""
MOST_STEPS = 20_000_000
"""How many strings can be tried, from each of the states that are looked at."""
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

    What the strings do is tried out from the problem's representatives() or, where it defines none, from each state that can be
    reached. Raises InputError where these are too many, for actions that do not all cost 1, and for too many strings.
    """
    if isinstance(longest, bool) or not isinstance(longest, int) or not 1 <= longest <= LONGEST:
        raise InputError(
            f"prune is {longest!r}; write the length of the longest strings of actions to look at, 1 .. {LONGEST}"
        )
    if not problem.unit_cost:
        raise InputError(f"{problem.name()} does not say unit_cost = True, that all its actions cost 1: leave prune out")
    representatives = problem.representatives() or _all_states(problem)
    names = _numbered_actions(problem, representatives)
    forbidden = _forbidden_strings(problem, representatives, names, longest)
    return MoveAutomaton(list(names), _transitions(forbidden, len(names)), longest)


def _numbered_actions(problem: Problem, states: Sequence[Any]) -> dict[Any, int]:
    """The actions of the states, numbered as they come. Raises InputError where they do not tell apart what they lead to."""
    names: dict[Any, int] = {}
    for state in states:
        actions = []
        for action, _next, cost in problem.successors(state):
            if cost != 1:
                raise ProblemError(
                    f"action {action!r} in {problem.format(state)} costs {cost!r}, but unit_cost says that every action costs 1"
                )
            actions.append(action)
        try:
            is_clear = len(set(actions)) == len(actions)
        except TypeError:  # a list, say, is not hashable
            is_clear = False
        if not is_clear:
            raise InputError(
                f"{problem.name()} has the actions {actions!r} in {problem.format(state)}; to prune, actions must be hashable, "
                "and those of a state differ: leave prune out"
            )
        for action in actions:
            names.setdefault(action, len(names))
    return names


def _all_states(problem: Problem) -> list[Any]:
    """The states that can be reached. Raises InputError where they are too many."""
    space = explore(problem, MOST_STATES)
    if space is None:
        raise InputError(
            f"{problem.name()} does not define representatives(), and this one has more than {MOST_STATES:,} states; so it "
            "is not known which strings of actions lead to the same states: leave prune out"
        )
    return space.states


def _forbidden_strings(problem: Problem, representatives: Sequence[Any], names: dict[Any, int], longest: int) -> set[String]:
    """The strings that lead, wherever they are legal, to where an earlier one does; those only that hold no shorter one.

    An end of a string is legal where its beginning leads to. So the string holds no shorter forbidden one if the string without its
    last action was kept, and the one without its first action too.
    """

    @cache
    def children_of(state: Any) -> list[tuple[int, Any]]:
        try:
            children = [(names[action], after) for action, after, _cost in problem.successors(state)]
        except KeyError as error:
            raise InputError(
                f"{problem.name()} gives its actions other names each time, such as {error.args[0]!r}; to prune, an action must "
                "be equal to itself: leave prune out"
            ) from None
        return sorted(children, key=itemgetter(0))

    most = MOST_STEPS // len(representatives)
    forbidden: set[String] = set()
    kept: set[String] = {()}
    level: list[tuple[String, list[tuple[set[Any], Any]]]] = [((), [({state}, state) for state in representatives])]
    count = 0
    for _ in range(longest):
        following = []
        longer_kept = set()
        for string, places in level:
            by_action: dict[int, list[tuple[set[Any], Any]]] = {}
            for met, state in places:
                for action, after in children_of(state):
                    by_action.setdefault(action, []).append((met, after))
            for action in sorted(by_action):
                longer = (*string, action)
                if longer[1:] not in kept:
                    continue
                after_it = by_action[action]
                if all(state in met for met, state in after_it):
                    forbidden.add(longer)
                    continue
                for met, state in after_it:
                    met.add(state)
                longer_kept.add(longer)
                following.append((longer, after_it))
                count += 1
                if count > most:
                    raise InputError(f"there are more than {most:,} strings of {longest} actions; give a smaller prune")
        if not following:
            break
        level, kept = following, longer_kept
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

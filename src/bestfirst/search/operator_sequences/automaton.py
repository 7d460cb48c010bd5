"""A finite automaton over actions that keeps a search from going to the same state by two short ways.

Of all strings of actions up to some length that lead from a state to the same other one, one is enough: the first of the
cheapest (see duplicates.py). The automaton reads the actions of a path and knows, by as much of its end as may become one of
the others, which action would complete one. Where the problem names states that stand for all, such an action is forbidden.
Elsewhere it is but a claim that another string does as well, since what some states do says nothing about the rest. A claim is
looked up: the other string is made from the state on the path where this one began, and the action is pruned if that leads to the
same state and is not dearer.

Of the cheapest paths to a goal, the first in the order of strings is never pruned: replacing a string would make an earlier one.
Source: Taylor & Korf 1993; that claims are looked up is ours.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from bestfirst.arguments import check_kind
from bestfirst.errors import InputError
from bestfirst.problem import Problem
from bestfirst.search.node import Node, expand
from bestfirst.search.operator_sequences.duplicates import String, numbered_actions, repeated_strings, sampled_states

FORBIDDEN = -1
FIRST_CLAIM = -2
LONGEST = 40
"""Of the strings to look at: those of real puzzles are too many long before."""


class Claim(NamedTuple):
    """That the last `length` actions lead where an earlier string does; otherwise: the state that follows where they do not."""

    length: int
    instead: String
    otherwise: int


@dataclass(frozen=True)
class MoveAutomaton:
    """problem: in whose states the nodes are. names: of the actions, in their order. rows: by state and action, the state that
    follows, FORBIDDEN, or FIRST_CLAIM - n for claims[n]; state 0 is the start. longest: the length of the longest strings.
    """

    problem: Problem
    names: Sequence[Any]
    rows: Sequence[Sequence[int]]
    claims: Sequence[Claim]
    longest: int

    @classmethod
    def of_no_strings(cls, problem: Problem) -> MoveAutomaton:
        """The one that prunes nothing."""
        return cls(problem, [], [[]], [], 0)

    def after(self, node: Node) -> int:
        """The state after the actions that led to a node."""
        actions: list[Any] = []
        for step in (node, *node.ancestors()):
            if step.parent is None or len(actions) == self.longest:
                break
            actions.append(step.action)
        state = 0
        for action in reversed(actions):
            follows = self._follows(state, action)
            state = self.claims[FIRST_CLAIM - follows].otherwise if follows <= FIRST_CLAIM else max(0, follows)
        return state

    def prunes(self, state: int, child: Node) -> bool:
        """Whether a child of a node need not be searched. state: the one after the node."""
        follows = self._follows(state, child.action)
        return follows == FORBIDDEN or (follows <= FIRST_CLAIM and self._holds(self.claims[FIRST_CLAIM - follows], child))

    def _follows(self, state: int, action: Any) -> int:
        number = self._number(action)
        return 0 if number is None else self.rows[state][number]

    def _number(self, action: Any) -> int | None:
        """The number of an action; None for one that was not met when the strings were tried, so that it is in none of them."""
        try:
            return self.names.index(action)
        except ValueError:
            return None

    def _holds(self, claim: Claim, child: Node) -> bool:
        """Whether the string that ends with a child could be replaced here. A goal on the way is not gone beyond."""
        node: Node | None = child
        for _ in range(claim.length):
            assert node is not None
            node = node.parent
        for number in claim.instead:
            assert node is not None
            if self.problem.is_goal(node.state):
                return False
            node = next((one for one in expand(self.problem, node) if self._number(one.action) == number), None)
            if node is None:
                return False
        assert node is not None
        return node.g <= child.g and bool(node.state == child.state)


def move_automaton(problem: Problem, longest: int) -> MoveAutomaton:
    """The automaton of a problem that keeps from strings of up to `longest` actions.

    What the strings do is tried out from the problem's representatives(); where it defines none, or has costs other than 1, from
    these or from the ends of random walks, and looked up again in the search.
    Raises InputError for too many strings, and for actions that do not tell apart what they lead to.
    """
    is_sure = has_sure_strings(problem)
    states = representatives_of(problem) or sampled_states(problem)
    names, states = numbered_actions(problem, states, stand_for_all=is_sure)
    strings = repeated_strings(problem, states, names, longest, stand_for_all=is_sure)
    rows, claims = _transitions(strings, len(names), is_sure=is_sure)
    return MoveAutomaton(problem, list(names), rows, claims, longest)


def has_sure_strings(problem: Problem) -> bool:
    """Whether what strings do is known without looking it up: the problem names states that stand for all."""
    return bool(representatives_of(problem)) and problem.unit_cost


def representatives_of(problem: Problem) -> Sequence[Any]:
    """The problem's representatives(); none where it does not define them. Raises InputError for what is no list of states."""
    given = problem.representatives()
    check_kind(
        f"what representatives() of {problem.name()} gives", given, (Sequence, type(None)), "a list of states, or None"
    )
    return given or ()


def check_pruning(prune: object, prune_from: object) -> None:
    """Raise InputError for what is no length of strings, 0 for none, or no number of expansions."""
    if isinstance(prune, bool) or not isinstance(prune, int) or not 0 <= prune <= LONGEST:
        raise InputError(
            f"prune is {prune!r}; write the length of the longest strings of actions to look at, 1 .. {LONGEST}, or 0"
        )
    if isinstance(prune_from, bool) or not isinstance(prune_from, int) or prune_from < 0:
        raise InputError(f"prune_from is {prune_from!r}; write a number of expansions >= 0")
    if prune_from and not prune:
        raise InputError("prune_from says when to prune, but prune does not say how long strings are to be looked at")


def _transitions(strings: Mapping[String, String], actions: int, *, is_sure: bool) -> tuple[list[list[int]], list[Claim]]:
    """The rows and the claims of an automaton.

    A state is a beginning of strings; what follows an action is the longest end of both that is such a beginning.
    Source: Aho & Corasick 1975.
    """
    beginnings = {string[:length] for string in strings for length in range(len(string))} | {()}
    numbers = {string: number for number, string in enumerate(sorted(beginnings, key=lambda one: (len(one), one)))}
    claims: list[Claim] = []

    def leads_to(string: String) -> int:
        ends = [string[start:] for start in range(len(string) + 1)]
        follows = next(numbers[end] for end in ends if end in numbers)
        repeated = next((end for end in ends if end in strings), None)
        if repeated is None:
            return follows
        if is_sure:
            return FORBIDDEN
        claims.append(Claim(len(repeated), strings[repeated], follows))
        return FIRST_CLAIM - (len(claims) - 1)

    return [[leads_to((*string, action)) for action in range(actions)] for string in numbers], claims

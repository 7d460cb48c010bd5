"""A finite automaton over actions that prunes duplicate operator sequences.

Of all sequences of actions up to some length that lead from a state to the same state, one is enough: the first of the
cheapest (see duplicates.py). The automaton reads the actions of a path, remembers the longest suffix that may become one of
the others, and so knows which action would complete one. If the problem names representative states, such an action is
forbidden.
Otherwise the automaton only claims that another sequence is as good, since what holds in some states need not hold in the
rest.
A claim is checked: the other sequence is replayed from the state on the path where this one began, and the action is pruned
if it leads to the same state at no higher cost.

Of the cheapest paths to a goal, the first in the order of sequences is never pruned: a replacement would make an earlier
one.
Source: Taylor & Korf 1993; checking claims is our addition.
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
"""Maximum length of sequences; real puzzles have too many long before."""


class Claim(NamedTuple):
    """The last `length` actions lead where an earlier sequence leads; otherwise: the next automaton state if they do not."""

    length: int
    instead: String
    otherwise: int


@dataclass(frozen=True)
class MoveAutomaton:
    """An automaton for the nodes of a problem.

    names: the names of the actions, in order. rows: for each automaton state and action, the next automaton state,
    FORBIDDEN, or FIRST_CLAIM - n for claims[n]; state 0 is the start. longest: the length of the longest sequences.
    """

    problem: Problem
    names: Sequence[Any]
    rows: Sequence[Sequence[int]]
    claims: Sequence[Claim]
    longest: int

    @classmethod
    def of_no_strings(cls, problem: Problem) -> MoveAutomaton:
        """The automaton that prunes nothing."""
        return cls(problem, [], [[]], [], 0)

    def after(self, node: Node) -> int:
        """The automaton state after the actions that led to a node."""
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
        """Whether a child of a node need not be searched. state: the automaton state at the node."""
        follows = self._follows(state, child.action)
        return follows == FORBIDDEN or (follows <= FIRST_CLAIM and self._holds(self.claims[FIRST_CLAIM - follows], child))

    def _follows(self, state: int, action: Any) -> int:
        number = self._number(action)
        return 0 if number is None else self.rows[state][number]

    def _number(self, action: Any) -> int | None:
        """The index of an action; None for an unknown action, which occurs in no sequence."""
        try:
            return self.names.index(action)
        except ValueError:
            return None

    def _holds(self, claim: Claim, child: Node) -> bool:
        """Whether the sequence that ends with a child can be replaced here. The replacement must not pass a goal."""
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
    """The automaton of a problem that prunes duplicate sequences of up to `longest` actions.

    Sequences are tried out from the problem's representatives(); if it defines none, or has costs other than 1, from
    these or from the ends of random walks, and checked again during the search.
    Raises InputError for too many sequences, and for actions whose names are not unique in a state.
    """
    is_sure = has_sure_strings(problem)
    states = representatives_of(problem) or sampled_states(problem)
    names, states = numbered_actions(problem, states, stand_for_all=is_sure)
    strings = repeated_strings(problem, states, names, longest, stand_for_all=is_sure)
    rows, claims = _transitions(strings, len(names), is_sure=is_sure)
    return MoveAutomaton(problem, list(names), rows, claims, longest)


def has_sure_strings(problem: Problem) -> bool:
    """Whether duplicates hold everywhere without a check: the problem names representative states."""
    return bool(representatives_of(problem)) and problem.unit_cost


def representatives_of(problem: Problem) -> Sequence[Any]:
    """The problem's representatives(); empty if undefined. Raises InputError unless they are a sequence of states."""
    given = problem.representatives()
    check_kind(
        f"the result of {type(problem).__name__}.representatives()",
        given,
        (Sequence, type(None)),
        "a list of states, or None",
    )
    return given or ()


def check_pruning(prune: object, prune_from: object) -> None:
    """Raise InputError unless `prune` is a length of sequences (0 to prune none), and `prune_from` a number of
    expansions."""
    if isinstance(prune, bool) or not isinstance(prune, int) or not 0 <= prune <= LONGEST:
        raise InputError(
            f"prune is {prune!r}; write the length of the longest operator sequences to prune, 1 .. {LONGEST}, or 0 for none"
        )
    if isinstance(prune_from, bool) or not isinstance(prune_from, int) or prune_from < 0:
        raise InputError(f"prune_from is {prune_from!r}; use a number of expansions >= 0")
    if prune_from and not prune:
        raise InputError("prune_from needs prune; pass the length of the longest operator sequences to prune")


def _transitions(strings: Mapping[String, String], actions: int, *, is_sure: bool) -> tuple[list[list[int]], list[Claim]]:
    """The rows and the claims of an automaton.

    A state is a prefix of sequences; an action leads to the longest suffix of both that is such a prefix.
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

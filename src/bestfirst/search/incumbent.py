"""The incumbent of a search that improves a solution: a known solution to start with, or a cost that is to be beaten."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import inf
from typing import Any

from bestfirst.domain import Domain
from bestfirst.errors import InputError, shown
from bestfirst.problem import Problem
from bestfirst.rounding import LARGEST
from bestfirst.search.node import Node, expand, root_of, total_of

_MOST = 2**64
UPPER_BOUND = "upper_bound"
"""What made a search without a solution incomplete, as a solution names it."""


def incumbent_of(problem: Problem, given: Any, h: Callable[[Any], float] | None = None) -> Node | None:
    """The goal node of a known solution: a Solution, or its actions; None for None.

    Raises InputError if the actions are not a path to a goal.
    """
    if given is None:
        return None
    actions = getattr(given, "actions", given)
    if getattr(given, "found", True) is False:
        raise InputError("incumbent is a Solution without a path; omit it, or pass a solution that has a path")
    if isinstance(actions, str) or not isinstance(actions, Sequence):
        raise InputError(f"incumbent is {shown(given)}; pass a Solution, or the list of its actions")
    node = root_of(problem, h)
    for number, action in enumerate(actions, 1):
        following = child_by(problem, node, action, h)
        if following is None:
            raise InputError(
                f"action {number} of incumbent is {shown(action)}, which is not legal in {_shown(problem, node)}; "
                "pass a path to a goal"
            )
        node = following
    if not problem.is_goal(node.state):
        raise InputError(f"incumbent ends in {_shown(problem, node)}, which is not a goal; pass a path to a goal")
    return node


def _shown(problem: Problem, node: Node) -> str:
    """A state as the user wrote it."""
    return repr(problem.decode(node.state) if isinstance(problem, Domain) else node.state)


def child_by(problem: Problem, node: Node, action: Any, h: Callable[[Any], float] | None) -> Node | None:
    """The cheapest child of a node that an action leads to; None if the action is not legal."""
    children = (child for child in expand(problem, node) if child.action == action)
    following = min(children, key=lambda child: child.g, default=None)
    if following is not None and h is not None:
        following.h = h(following.state)
        following.f = total_of(following.g, following.h)
    return following


class UpperBound:
    """A cost that solutions must be below, and that other searches lower while this one runs (see portfolio/).

    It is given as the option upper_bound. cost: its present value. actions: those of the solution with that cost, if known.
    """

    def __init__(self, cost: float = inf, actions: Sequence[Any] | None = None) -> None:
        self.cost, self.actions = cost, actions

    @classmethod
    def of(cls, upper_bound: float | UpperBound | None) -> UpperBound:
        """The option as a bound that can be lowered. Raises InputError unless it is a number >= 0."""
        return upper_bound if isinstance(upper_bound, UpperBound) else cls(checked_upper_bound(upper_bound))

    def lower(self, cost: float, actions: Sequence[Any] | None) -> None:
        """Seek only solutions that cost less than this, if it is below the present bound; another thread may call it."""
        if cost < self.cost:
            self.actions = actions  # first: whoever sees the cost looks for them
            self.cost = cost

    def __repr__(self) -> str:
        return "UpperBound()"  # searches that differ in it alone share compiled code


def checked_upper_bound(upper_bound: float | UpperBound | None) -> float:
    """The cost that a solution must be below; infinite for None. Raises InputError unless it is a number >= 0."""
    if isinstance(upper_bound, UpperBound):
        return upper_bound.cost
    if upper_bound is None:
        return inf
    if isinstance(upper_bound, bool) or not isinstance(upper_bound, int | float) or not upper_bound >= 0:
        raise InputError(f"upper_bound is {shown(upper_bound)}; use an int or a float >= 0")
    if upper_bound > LARGEST:
        return inf  # every cost is below
    is_exact = upper_bound < _MOST and upper_bound == int(upper_bound)
    return int(upper_bound) if is_exact else upper_bound  # a bound that is an int is not rounded


def gave_up(best: float, has_solution: bool) -> str | None:
    """The limit to name at the end of a search: the bound, if no solution costs less."""
    return UPPER_BOUND if best < inf and not has_solution else None

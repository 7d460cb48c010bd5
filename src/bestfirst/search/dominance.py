"""Dominance: a search drops a state if a known one is at least as good and its path costs no more."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from operator import attrgetter, eq, ge, le
from typing import Any, NamedTuple

from bestfirst.domain import LESS, MORE, resources_of
from bestfirst.errors import ProblemError
from bestfirst.holding import holds
from bestfirst.problem import Problem
from bestfirst.search.node import Node
from bestfirst.search.steps import Drop, Made, Prune
from bestfirst.vocabulary import is_root

DOMINATED = Prune("dominated by a known state")
OVERTAKEN = Drop("dominated by a new state")


class Dominance(NamedTuple):
    """Which states of a problem dominate others.

    group: a function of a state; states of different groups are not compared. dominates: a function of two states of a group:
    whether the first is at least as good as the second, so that a path to a goal from it costs no more.
    """

    group: Callable[[Any], Hashable]
    dominates: Callable[[Any, Any], bool]


class Fronts:
    """The known nodes of each group that no other one dominates.

    A node dominates another one if its state does and its path costs no more. compares_costs: if False, the states alone count.
    """

    def __init__(self, dominance: Dominance, *, compares_costs: bool = True) -> None:
        self._dominance = dominance
        self._compares_costs = compares_costs
        self._groups: dict[Hashable, list[Node]] = {}

    def dominate(self, node: Node) -> bool:
        """Whether a known node dominates this one."""
        group, dominates = self._dominance
        return any(
            (known.g <= node.g or not self._compares_costs) and dominates(known.state, node.state)
            for known in self._groups.get(group(node.state), ())
        )

    def enter(self, node: Node, known: dict[Any, Node]) -> Made:
        """Add a node, and remove those that it dominates: here, from the known ones, and from their agenda if they are open."""
        group, dominates = self._dominance
        front = self._groups.setdefault(group(node.state), [])
        kept: list[Node] = []
        dropped: Made = []
        for other in front:
            if not (self._compares_costs and node.g <= other.g and dominates(node.state, other.state)):
                kept.append(other)
                continue
            del known[other.state]
            if other.agenda is not None:
                other.agenda.discard(other)
                dropped.append((OVERTAKEN, other))
        front[:] = [*kept, node]
        return dropped

    def remove(self, node: Node) -> None:
        """Forget a node."""
        self._groups[self._dominance.group(node.state)].remove(node)


def dominance_of(problem: Problem) -> Dominance | None:
    """The dominance that a problem declares: a Domain by its resources, another one by dominates(). None: it declares none."""
    resources = resources_of(problem)
    if resources:
        return _by_resources(problem, resources)
    return _by_function(problem) if declares_by_function(problem) else None


def is_as_good_in(problem: Problem) -> Callable[[Any, Any], bool]:
    """A function of two states: whether the first equals the second, or dominates it."""
    dominance = dominance_of(problem)
    if dominance is None:
        return eq
    group, dominates = dominance
    return lambda state, other: group(state) == group(other) and dominates(state, other)


def declares_by_function(problem: Problem) -> bool:
    """Whether a problem declares dominance by a method dominates() that holds for its rules."""
    if resources_of(problem):
        return False
    home = next(kind for kind in type(problem).__mro__ if "dominates" in vars(kind))
    return not is_root(home) and holds(problem, "dominates")


def fronts_of(problem: Problem, *, compares_costs: bool = True) -> Fronts | None:
    """Empty fronts for a search; None if the problem declares no dominance."""
    dominance = dominance_of(problem)
    return None if dominance is None else Fronts(dominance, compares_costs=compares_costs)


def group_fields(domain: Any) -> tuple[str, ...]:
    """The fields of State that are equal in all states of a group."""
    return tuple(name for name in domain.identity or domain.State._fields if name not in domain.resources)


def _by_function(problem: Problem) -> Dominance:
    """dominates() and dominance_group(), whose results are checked."""

    def group(state: Any) -> Hashable:
        found = problem.dominance_group(state)
        try:
            hash(found)
        except TypeError as error:
            raise ProblemError(
                f"dominance_group({state!r}) returns {found!r}, which is not hashable ({error}); return a number, a string or a "
                "tuple"
            ) from None
        return found

    def dominates(state: Any, other: Any) -> bool:
        answer = problem.dominates(state, other)
        if isinstance(answer, bool) or type(answer).__name__ in ("bool", "bool_"):
            return bool(answer)
        raise ProblemError(f"dominates({state!r}, {other!r}) returns {answer!r}; it must return True or False")

    return Dominance(group, dominates)


def _by_resources(domain: Any, resources: Any) -> Dominance:
    names = group_fields(domain)
    group: Callable[[Any], Hashable] = attrgetter(*names) if names else lambda _state: None
    as_good = {LESS: le, MORE: ge}
    compared = [(domain.State._fields.index(name), as_good[better]) for name, better in resources.items()]

    def dominates(state: Any, other: Any) -> bool:
        return all(
            all(map(is_as_good, state[at], other[at])) if isinstance(state[at], tuple) else is_as_good(state[at], other[at])
            for at, is_as_good in compared
        )

    return Dominance(group, dominates)

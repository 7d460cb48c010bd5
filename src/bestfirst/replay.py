"""Replay a path in plain Python: no solution is returned that the problem's own successors and goal test do not confirm."""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import islice, repeat, zip_longest
from typing import Any

from bestfirst.array_attributes import hold_arrays
from bestfirst.domain import Domain, has_fixed_names, single_step, steps_are_successors
from bestfirst.errors import CostError, ProblemError, VerificationError, counted
from bestfirst.looking_once import is_as_shipped
from bestfirst.problem import Problem
from bestfirst.rounding import as_number, is_sum
from bestfirst.search.node import Node

MOST_TOTALS = 100
MOST_COMPARED = 100
"""Successors of the start that are compared if a search has found nothing."""
CAUSES = (
    "Usual causes: a state was changed in place, successors() depends on more than the state (random numbers, an "
    "attribute that changes, an iterator that is used up), domain() describes a different problem, or backward() "
    "gives actions different names"
)


def replay(problem: Problem, actions: Sequence[Any], states: Sequence[Any], cost: float) -> int | float:
    """The cost of a path, summed in Python along the problem's own successors.

    Time: linear in the length of the path; for each state, the successors up to the one that is taken.
    Raises VerificationError if an action does not lead to the next state, the last state is not a goal, or the costs do not
    sum to the given one (floats: up to rounding); ProblemError if is_goal does not return a bool.
    """
    if len(states) != len(actions) + 1:
        raise VerificationError(
            f"the path has {counted(len(actions), 'action')} and {counted(len(states), 'state')}; there must be one more state "
            "than actions"
        )
    if not is_as_shipped(problem):
        hold_arrays(problem)
    if not is_same(states[0], problem.initial):
        raise VerificationError(f"the path does not start at the initial state {problem.initial!r}, but at {states[0]!r}")
    costs_of = _costs_by_step(problem)
    total = _total_by_step(problem, actions, states)
    if total is None:
        total = _first_total(costs_of, actions, states)
    if not tested(problem, states[-1]):
        raise VerificationError(
            f"the path ends at {states[-1]!r}, which is not a goal according to is_goal(). {CAUSES}; "
            "or is_goal() depends on more than the state"
        )
    if is_sum(total, cost, len(actions)):
        return total
    totals = _all_totals(costs_of, actions, states)
    fitting = [total for total in totals if is_sum(total, cost, len(actions))]
    if not fitting:
        raise VerificationError(f"the actions cost {min(totals)!r}, but the cost of the solution is {cost!r}. {CAUSES}")
    return fitting[0]


def summed(problem: Problem, actions: Sequence[Any], states: Sequence[Any]) -> int | float:
    """The sum of the costs along a path, which may be negative. Raises VerificationError if it is no path."""
    total = _total_by_step(problem, actions, states)
    return _first_total(_costs_by_step(problem), actions, states) if total is None else total


def tested(problem: Problem, state: Any) -> bool:
    """Whether a state is a goal; raises ProblemError if is_goal returns something other than a bool, such as None."""
    answer = problem.is_goal(state)
    # the name of NumPy's bool depends on the version
    if isinstance(answer, bool) or type(answer).__name__ in ("bool", "bool_"):
        return bool(answer)
    if _is_0_or_1(answer):
        return bool(answer)
    remedy = "it must return True or False"
    if answer is None:
        remedy += "; is a return missing?"
    elif hasattr(answer, "all") and hasattr(answer, "shape"):
        remedy += ", such as bool((a == b).all()) for arrays"
    else:
        remedy += ", such as state == goal, or bool(...)"
    raise ProblemError(f"is_goal({state!r}) returns {answer!r}; {remedy}")


def _is_0_or_1(answer: Any) -> bool:
    try:
        return operator.index(answer) in (0, 1)
    except TypeError:
        return False


def check_repeatable(problem: Problem, child: Node | None) -> None:
    """Raise VerificationError if the start has different successors when they are generated again.

    A search without a solution has no path to replay, so only this can be checked. child: a node that the search made.
    """
    if child is not None and child.parent is not None and child.parent.state is problem.initial:
        _first_total(_costs_by_step(problem), [child.action], [problem.initial, child.state])
    iterator = problem.successors(problem.initial)
    if iterator is problem.successors(problem.initial) and iter(iterator) is iterator:
        raise VerificationError(
            f"successors({problem.initial!r}) returns the same iterator each time, which can be used only once. {CAUSES}"
        )
    first, second = (islice(_triples(problem, problem.initial), MOST_COMPARED) for _ in range(2))
    for one, other in zip_longest(first, second):
        if one is None or other is None or not is_same(one[1], other[1]):
            found = f"{one!r}, then {other!r}" if one and other else f"one of two calls leaves out {one or other!r}"
            raise VerificationError(
                f"successors({problem.initial!r}) returns different successors each time: {found}. {CAUSES}"
            )


def is_same(one: Any, other: Any) -> bool:
    """Whether two states, or two actions, are equal; if their class defines no equality, whether they have the same
    class."""
    equal = one is other or one == other
    if equal is True:
        return True
    equality: Any = type(one).__eq__
    if type(one) is type(other) and equality is object.__eq__:
        return True
    if not isinstance(equal, bool) and hasattr(equal, "all"):  # arrays
        equal = equal.all()
    return bool(equal)


_CostsOfStep = Callable[[Any, Any, Any], Iterator[int | float]]
"""The costs at which an action leads from a state to another one: usually one, or none."""


def _total_by_step(problem: Problem, actions: Sequence[Any], states: Sequence[Any]) -> int | float | None:
    """The cost of a path of a domain whose step() leads from state to state by actions with these names.

    Otherwise None: the general functions then say what is wrong. This one takes a third of their time.
    """
    if not isinstance(problem, Domain) or not steps_are_successors(problem):
        return None
    step, name, numbers = single_step(problem), problem.action_name, _numbers_of_actions(problem)
    tried = repeat(range(problem.max_actions)) if numbers is None else map(numbers, actions)
    total: int | float = 0
    for state, action, target, some in zip(states, actions, islice(states, 1, None), tried, strict=False):
        for number in some:
            legal, following, cost = step(state, number)
            if legal and following == target and (numbers is not None or name(state, number) == action):
                break
        else:
            return None
        if cost.__class__ is not int and cost.__class__ is not float:
            return None
        total += cost
    return total


def _costs_by_step(problem: Problem) -> _CostsOfStep:
    numbers = _numbers_of_actions(problem)
    if numbers is not None:
        assert isinstance(problem, Domain)
        step = single_step(problem)

        def costs_of_step(state: Any, action: Any, target: Any) -> Iterator[int | float]:
            for number in numbers(action):
                legal, following, cost = step(state, number)
                if legal and is_same(following, target):
                    yield cost if cost.__class__ is int or cost.__class__ is float else _cost(state, action, cost)

        return costs_of_step

    def costs(state: Any, action: Any, target: Any) -> Iterator[int | float]:
        for name, following, cost in _triples(problem, state):
            if is_same(name, action) and is_same(following, target):
                yield _cost(state, action, cost)

    return costs


class _Numbers(dict[Any, Sequence[int]]):
    """The numbers of the actions with a name: none for a name that no action has."""

    def __missing__(self, name: Any) -> Sequence[int]:
        return ()


def _numbers_of_actions(problem: Problem) -> Callable[[Any], Sequence[int]] | None:
    """The numbers of the actions with a name, if successors() follows from step(): then only these need to be tried."""
    if not isinstance(problem, Domain) or not has_fixed_names(problem) or not steps_are_successors(problem):
        return None
    if problem.actions is None:
        return lambda action: (action,)
    every = _Numbers()
    try:
        for number in range(problem.max_actions):
            name = problem.action_name(None, number)
            every[name] = [*every[name], number]
    except TypeError:  # an unhashable name
        return None
    return every.__getitem__


def _triples(problem: Problem, state: Any) -> Iterator[tuple[Any, Any, Any]]:
    successors = problem.successors(state)
    if not isinstance(successors, Iterable):
        raise VerificationError(f"successors({state!r}) returns {successors!r} when called again. {CAUSES}")
    for successor in successors:
        try:
            action, following, cost = successor
        except (TypeError, ValueError):
            raise VerificationError(f"successors({state!r}) yields {successor!r} when called again. {CAUSES}") from None
        yield action, following, cost


def _cost(state: Any, action: Any, cost: Any) -> int | float:
    try:
        return as_number(cost)
    except (TypeError, ValueError, OverflowError):
        raise CostError(state, action, cost) from None


def _first_total(costs_of: _CostsOfStep, actions: Sequence[Any], states: Sequence[Any]) -> int | float:
    """The cost of the path if each step is the first that matches."""
    total: int | float = 0
    for number, (state, action, target) in enumerate(zip(states, actions, islice(states, 1, None), strict=False), 1):
        cost = next(costs_of(state, action, target), None)
        if cost is None:
            raise VerificationError(f"step {number}: action {action!r} does not lead from {state!r} to {target!r}. {CAUSES}")
        total += cost
    return total


def _all_totals(costs_of: _CostsOfStep, actions: Sequence[Any], states: Sequence[Any]) -> list[int | float]:
    """The costs that the path can have, if actions of the same name lead to the same state at different costs."""
    totals: set[int | float] = {0}
    for number, action in enumerate(actions):
        costs = set(costs_of(states[number], action, states[number + 1]))
        totals = {total + cost for total in totals for cost in costs}
        if len(totals) > MOST_TOTALS:
            totals = {min(totals), max(totals)}
    return sorted(totals)

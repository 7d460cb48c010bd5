"""Objective: what a problem asks for, if that is not the least sum of costs that are not negative."""

from __future__ import annotations

from dataclasses import dataclass
from math import inf
from typing import Any

from bestfirst.errors import InputError
from bestfirst.problem import Problem
from bestfirst.stated import check_problem

SUM, MAX = PATH_COSTS = "sum", "max"
"""The values of Problem.path_cost."""


@dataclass(frozen=True)
class Objective:
    """What a problem asks for.

    takes_maximum: whether the cost of a path is the largest cost of its actions. has_end_cost: whether ending a path costs
    something. has_gains: whether most_gain() is defined, so that costs may be negative. maximises: whether step costs are profits.
    """

    takes_maximum: bool
    has_end_cost: bool
    has_gains: bool
    maximises: bool

    @property
    def ends(self) -> bool:
        """Whether a path ends by an action of its own."""
        return self.has_end_cost or self.has_gains

    def __str__(self) -> str:
        """The members that declare it."""
        members = {
            "path_cost = 'max'": self.takes_maximum,
            "maximise = True": self.maximises,
            "end_cost": self.has_end_cost,
            "most_gain": self.has_gains,
        }
        return " and ".join(name for name, is_declared in members.items() if is_declared)


class RestatedForm(Problem):
    """A problem in the form in which it is searched: see restated.py, which makes it."""

    original: Problem
    objective: Objective

    def chosen(self, heuristic: Any) -> Any:
        """The heuristic argument of a caller, for this problem: a name stays a name."""
        raise NotImplementedError

    def why_wrong(self, state: Any, where: str, estimate: Any, distance: Any) -> str:
        """What is wrong with a restated estimate that exceeds the restated cost of a path from the state to a goal."""
        raise NotImplementedError


def restated(problem: Problem) -> Problem:
    """The problem as it is searched: itself, if it asks for the least sum of costs. Raises InputError for a wrong objective."""
    check_problem(problem)
    objective = objective_of(problem)
    if objective is None:
        return problem
    from bestfirst.objectives.restated import made_for  # noqa: PLC0415  (few problems need it)

    made = made_for(problem, objective)
    check_problem(made)
    return made


def objective_of(problem: Problem) -> Objective | None:
    """The objective of a problem; None for the least sum of costs. Raises InputError for one that contradicts itself."""
    path_cost, maximises = problem.path_cost, problem.maximise
    has_end_cost, has_gains = (_defines(problem, name) for name in ("end_cost", "most_gain"))
    if path_cost == SUM and maximises is False and not (has_end_cost or has_gains):
        return None
    kind = type(problem).__name__
    if path_cost not in PATH_COSTS:
        raise InputError(f"{kind}.path_cost is {path_cost!r}; set it to 'sum' or 'max'")
    if not isinstance(maximises, bool):
        raise InputError(f"{kind}.maximise is {maximises!r}; set it to True or False")
    objective = Objective(path_cost == MAX, has_end_cost, has_gains, maximises)
    if objective.takes_maximum and (maximises or has_gains):
        other = "maximise = True" if maximises else "most_gain"
        raise InputError(
            f"{kind} has path_cost = 'max' and {other}, but the largest cost of a path can only be minimised, and no cost may be "
            f"negative; remove one of them"
        )
    if maximises and not has_gains:
        raise InputError(
            f"{kind} has maximise = True, but no most_gain; define most_gain(state), the most that can still be gained from a "
            "state on, such as the profits of all items that are left"
        )
    return objective


def least_cost(problem: Problem) -> float:
    """A number that no cost, or profit, is below, as far as the kind of problem tells."""
    objective = objective_of(problem)
    return -inf if objective is not None and objective.has_gains else 0


def _defines(problem: Problem, name: str) -> bool:
    return getattr(getattr(problem, name), "__func__", None) is not getattr(Problem, name)


def check_sums_costs(problem: Problem, what: str) -> None:
    """Raise InputError if a problem has an objective that something does not know. what: with its verb, such as "x adds up"."""
    objective = objective_of(problem)
    if objective is not None:
        raise InputError(
            f"{what} the costs of actions, but {type(problem).__name__} has another objective, declared by {objective}; use "
            "solve(), or restate the problem so that its objective is a sum of costs"
        )

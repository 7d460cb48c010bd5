"""Answer: the results of a search of a restated problem, as results of the original one."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from math import inf, isclose
from typing import Any

from bestfirst.errors import CostError, HeuristicError, InputError, ProblemError, VerificationError, shown
from bestfirst.objectives.objective import restated
from bestfirst.objectives.restated import END, Restated
from bestfirst.problem import Problem
from bestfirst.replay import is_same, replay, summed
from bestfirst.rounding import RELATIVE_ROUNDING, rounding
from bestfirst.search.incumbent import UPPER_BOUND
from bestfirst.solution import Improvement, Limits, Solution, Status

_ADDITIONS = 1000
"""The number of actions up to which the rounding of a sum of restated costs is allowed for."""
_SHARE = 2.0**-50
"""How far a bound that is worked out from two floats is moved to the safe side, relative to their size."""


def answer_for(problem: Problem) -> Answer | None:
    """What translates for a problem; None for one that is searched as it is."""
    searched = restated(problem)
    return Answer(problem, searched) if isinstance(searched, Restated) and searched is not problem else None


@dataclass(frozen=True)
class Answer:
    """Translates between a problem and its restated form, which is searched."""

    problem: Problem
    searched: Restated

    @property
    def maximises(self) -> bool:
        """Whether the problem has profits in place of costs."""
        return self.searched.objective.maximises

    @property
    def _promised(self) -> Any:
        """What can be gained at most, as the original problem says."""
        searched = self.searched
        return searched.gain_left(searched.inner(searched.initial)) if searched.objective.has_gains else 0

    # From the caller to the search.

    def options(self, given: Mapping[str, Any]) -> dict[str, Any]:
        """The options of an algorithm, for the restated problem."""
        options, objective = dict(given), self.searched.objective
        known = options.get("incumbent")
        if known is not None and objective.ends:
            actions = getattr(known, "actions", known)
            if getattr(known, "found", True) and isinstance(actions, Sequence) and not isinstance(actions, str):
                options["incumbent"] = [*actions, END]
        most = options.get(UPPER_BOUND)
        if isinstance(most, int | float) and not isinstance(most, bool) and objective.has_gains:
            if self.maximises:
                raise InputError(
                    f"upper_bound is {shown(most)}, a cost that solutions must be below, but {type(self.problem).__name__} has "
                    "maximise = True; omit it, or pass the best known solution as incumbent"
                )
            promised = self._promised
            sums = most + promised
            # rounded sums of floats could let a solution pass that costs exactly this number
            margin = rounding(abs(most) + abs(promised), _ADDITIONS) if isinstance(sums, float) and sums < inf else 0
            options[UPPER_BOUND] = max(0, sums - margin)
        return options

    def limits(self, limits: Limits) -> Limits:
        """The limits of the search: the end of a path is an action of its own."""
        is_longer = limits.depth is not None and self.searched.objective.ends
        return replace(limits, depth=limits.depth + 1) if is_longer else limits  # type: ignore[operator]

    # From the search to the caller.

    def cost(self, cost: float | None) -> float | None:
        """The cost, or the profit, of a solution with this cost of the search."""
        if cost is None or not self.searched.objective.has_gains:
            return cost
        promised: float = self._promised
        return promised - cost if self.maximises else cost - promised

    def bounds(self, cost: float | None, bound: float) -> tuple[float, float]:
        """The lower and the upper bound for a solution with this cost, and this lower bound of the search."""
        objective = self.searched.objective
        if objective.takes_maximum and isinstance(bound, float) and bound < inf:
            return bound - rounding(bound, _ADDITIONS), inf
        if not objective.has_gains:
            return bound, inf
        promised = self._promised
        margin = _SHARE * (abs(promised) + abs(bound)) if bound < inf and isinstance(promised + bound, float) else 0
        if not self.maximises:
            return bound - promised - margin, inf
        return (-inf if cost is None else cost), promised - bound + margin

    def solution(self, found: Solution) -> Solution:
        """The solution of the original problem."""
        path = self._path(found)
        cost = self._cost_of(found, *path)
        lower, upper = self.bounds(cost, found.lower_bound)
        objective = self.searched.objective
        if cost is not None and (objective.has_gains or objective.takes_maximum):
            is_optimal = found.status is Status.OPTIMAL
            if self.maximises:
                lower, upper = cost, cost if is_optimal else max(upper, cost)
            else:
                lower = cost if is_optimal else min(lower, cost)
        return replace(
            found,
            problem=self.problem,
            cost=cost,
            lower_bound=lower,
            upper_bound=upper,
            actions=path[0],
            states=path[1],
            history=self._history(found.history, cost, lower, upper),
        )

    def _path(self, found: Solution) -> tuple[list[Any], list[Any]]:
        """The actions and the states of a solution, without the end."""
        length = len(found.actions) - (found.found and self.searched.objective.ends)
        return found.actions[:length], [self.searched.inner(state) for state in found.states[: length + 1]]

    def _cost_of(self, found: Solution, actions: list[Any], states: list[Any]) -> float | None:
        """The cost of a solution, exactly as its actions state it."""
        if found.cost is None:
            return None
        objective = self.searched.objective
        if objective.takes_maximum:
            return self.searched.beside(found.states[-1]).most  # type: ignore[no-any-return]
        cost = self.cost(found.cost)
        if not (objective.has_gains and isinstance(cost, float)):
            return cost
        total = summed(self.problem, actions, states) + self.searched.end_cost_of(states[-1])
        size = abs(self._promised) + abs(cost)
        # a sum of the same actions, unless two of one name lead to the same state
        return total if isclose(total, cost, rel_tol=0, abs_tol=RELATIVE_ROUNDING * size) else cost

    def _history(self, history: Sequence[Improvement], cost: float | None, lower: float, upper: float) -> list[Improvement]:
        told = []
        for entry in history:
            known = self.cost(entry.cost)
            if known is not None and cost is not None and (entry is history[-1] or isclose(known, cost)):
                known = cost
            bounds = (lower, upper) if entry is history[-1] else self.bounds(known, entry.lower_bound)
            told.append(replace(entry, cost=known, lower_bound=bounds[0], upper_bound=bounds[1]))
        return told

    def replay(self, actions: Sequence[Any], states: Sequence[Any], cost: float) -> None:
        """Replay a path of the original problem; raises what replay() raises."""
        searched = self.searched
        path = _restated_path(searched, actions, states)
        if not searched.objective.has_gains:
            replay(searched, *path, cost)
            return
        total = summed(searched, *path)
        replay(searched, *path, total)
        there: Any = self.cost(total)
        size = 0 if isinstance(there, int) and isinstance(cost, int) else abs(self._promised) + abs(there)
        if abs(there - cost) > RELATIVE_ROUNDING * size:
            raise VerificationError(f"the actions amount to {there!r}, but the cost of the solution is {cost!r}")

    @contextmanager
    def in_own_words(self) -> Iterator[None]:
        """Let errors about restated states speak of the original ones."""
        try:
            yield
        except CostError as error:
            if not isinstance(error.state, type(self.searched.initial)):
                raise
            raise self.fault(error) from None
        except HeuristicError as error:
            if not isinstance(error.state, type(self.searched.initial)):
                raise
            raise self._wrong_estimate(error) from None

    def _wrong_estimate(self, error: HeuristicError) -> HeuristicError:
        inner = self.searched.inner(error.state)
        if not self.searched.objective.has_gains:
            return HeuristicError(error.name, inner, error.value)
        wanted = f"a number ({'-' * self.maximises}math.inf for a dead end)"
        return HeuristicError(error.name, inner, error.value, wanted)

    def fault(self, error: CostError) -> ProblemError:
        """What is wrong with the cost of an action."""
        searched, inner = self.searched, self.searched.inner(error.state)
        if not searched.objective.has_gains:
            return CostError(inner, error.action, error.cost)
        return gain_fault(searched, inner, error.action) or CostError(inner, error.action, error.cost)


def gain_fault(searched: Restated, inner: Any, action: Any) -> ProblemError | None:
    """Why the gain of an action contradicts most_gain(); None if it does not."""
    original, maximises = searched.original, searched.objective.maximises
    steps = [(name, searched.gain_left(after), cost) for name, after, cost in original.successors(inner)]
    if original.is_goal(inner):
        steps.append((END, 0, searched.end_cost_of(inner)))
    promised = searched.gain_left(inner)
    for name, left, cost in steps:
        gain = cost if maximises else -cost
        if name == action and not 0 <= promised - gain - left < inf:
            return ProblemError(
                f"action {action!r} in state {inner!r} gains {shown(gain)}, but most_gain is {shown(promised)} before it and "
                f"{shown(left)} after it; it must fall by at least what is gained: return a larger number before, or a smaller "
                "one after"
            )
    return None


def _restated_path(searched: Restated, actions: Sequence[Any], states: Sequence[Any]) -> tuple[list[Any], list[Any]]:
    """The path of the restated problem that corresponds to one of the original problem. Raises VerificationError if none does."""
    made = [searched.initial]
    if not (states and states[0] == searched.original.initial and len(states) == len(actions) + 1):
        raise VerificationError("the path does not have the initial state and one more state for each action")
    names = [*actions, END] if searched.objective.ends else [*actions]
    wanted = [*states[1:], states[-1]] if searched.objective.ends else states[1:]
    for name, state in zip(names, wanted, strict=False):
        following = [after for action, after, _ in searched.successors(made[-1]) if is_same(action, name)]
        fitting = [after for after in following if is_same(searched.inner(after), state)]
        if not fitting:
            before = searched.inner(made[-1])
            what = "is not a goal" if name is END else f"does not have an action {name!r} that leads to {state!r}"
            raise VerificationError(f"step {len(made)} of the path: the state {before!r} {what}")
        made.append(min(fitting, key=lambda after: searched.beside(after).most))
    return names, made

"""The verdict: what a search has proved, and on which condition, as functions of what the engine and the heuristics know."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from math import inf
from typing import Any

from bestfirst.engine import Engine
from bestfirst.heuristics.heuristic import Heuristic
from bestfirst.objectives.objective import RestatedForm
from bestfirst.problem import Problem
from bestfirst.rounding import exceeds_bound, exceeds_part, sound_bound, told_apart
from bestfirst.search import Algorithm
from bestfirst.search.bidirectional import own_state
from bestfirst.search.node import Node
from bestfirst.solution import Improvement, Stats, Status
from bestfirst.written import text_of


@dataclass(frozen=True)
class Evidence:
    """What is known about a search.

    backward, reverse: the heuristic and the problem of the backward half of a bidirectional search. cost: the cost of the
    best solution.
    unsolvable: why no goal can be reached, if the problem says so. known: a lower bound that holds independently of the
    engine.
    said: warnings from other modules.
    """

    problem: Problem
    algorithm: Algorithm
    engine: Engine
    heuristic: Heuristic | None
    backward: Heuristic | None
    reverse: Problem | None
    cost: int | float | None
    unsolvable: str | None
    known: float
    said: tuple[str, ...]

    @property
    def additions(self) -> int:
        """The number of costs in the sum of the solution."""
        return 0 if self.engine.goal is None else self.engine.goal.depth

    @property
    def heuristics(self) -> list[Heuristic]:
        """The heuristics in use."""
        return [heuristic for heuristic in (self.heuristic, self.backward) if heuristic is not None]


def status_of(evidence: Evidence, bound: float) -> tuple[Status, str | None]:
    """The status, and the limit that it names. bound: see proved()."""
    engine, cost = evidence.engine, evidence.cost
    if evidence.unsolvable is not None:
        return Status.UNSOLVABLE, None
    if not engine.ended:
        if engine.stopped == "interrupted":
            return Status.INTERRUPTED, None
        return Status.LIMIT, engine.stopped or "paused"
    if cost is None:
        if bound == inf:
            return Status.UNSOLVABLE, None
        return Status.LIMIT, engine.gave_up or ("heuristic" if engine.bound_when_barred is None else "depth")
    # floats: up to rounding, since a bound adds them in another order
    if not exceeds_bound(cost, bound, evidence.additions):
        return Status.OPTIMAL, None
    keeps_promise = evidence.algorithm.promise == "bounded" and bound > 0 and engine.bound_when_barred is None
    return (Status.BOUNDED if keeps_promise else Status.SOLVED), None


def proved(evidence: Evidence) -> tuple[float, list[str]]:
    """The lower bound, as far as the heuristic can be trusted, and the warnings about it."""
    bound, warnings = _proved_unrounded(evidence)
    return _as_cost(evidence, bound), warnings


def stats_of(evidence: Evidence) -> Stats:
    """The statistics so far; bounds of iterations are ints where the lower bound would be, whatever the engine computes with."""
    stats = evidence.engine.stats.copy()
    if _has_whole_costs(evidence):
        for row in stats.iterations:
            row.bound = _as_int(row.bound)
    return stats


def history_of(evidence: Evidence, bound: float) -> list[Improvement]:
    """What was known when, up to now. bound: the one that is proved now; earlier ones were not better.

    Costs and bounds are ints where those of the solution are.
    """
    engine, cost, like = evidence.engine, evidence.cost, _as_int if _has_whole_costs(evidence) else float
    last = Improvement(engine.stats.seconds, engine.stats.expanded, cost, bound)
    told: list[Improvement] = []
    for entry in [*engine.history, last]:
        known = None
        if entry.cost is not None and cost is not None:
            known = like(max(entry.cost, cost))  # a path that was summed in another order may cost less by rounding
        proved = bound if entry is last else like(min(entry.lower_bound, bound) + 0)  # not -0.0
        if not told or (told[-1].cost, told[-1].lower_bound) != (known, proved):
            told.append(replace(entry, cost=known, lower_bound=proved))
    return told


def condition_of(evidence: Evidence, status: Status, bound: float) -> str | None:
    """The assumption on which the proof rests; None if there is none."""
    conditions = [_unconfirmed(evidence)]
    cost = evidence.cost
    if status is Status.OPTIMAL and cost is not None:
        conditions.append(equality_of(cost, bound, evidence.additions))
    return " and ".join(condition for condition in conditions if condition is not None) or None


def equality_of(cost: float, bound: float, additions: int) -> str | None:
    """The assumption that a cost, the sum of so many numbers, meets a bound; None if the cost is not above the bound."""
    if cost <= bound:
        return None
    return f"costs that differ by {cost - bound:.2g}, which is within the rounding error of sums of {additions} floats, are equal"


def _as_cost(evidence: Evidence, bound: float) -> float:
    """A bound as an int if costs are ints and it has an int value."""
    return _as_int(sound_bound(bound)) if _has_whole_costs(evidence) else float(bound)


def _as_int(bound: float) -> float:
    """A bound as an int if it has an int value."""
    return int(bound) if isinstance(bound, float) and bound.is_integer() else bound


def _has_whole_costs(evidence: Evidence) -> bool:
    """Whether costs are ints, as far as is known: the cost of the solution, or of an action at the start, is one."""
    if evidence.cost is not None:
        return isinstance(evidence.cost, int)
    engine = evidence.engine
    first = engine.first_child if engine.stats.expanded else None  # the compiled engine knows it before it begins
    return evidence.problem.unit_cost or first is None or isinstance(first.g, int)


def _proved_unrounded(evidence: Evidence) -> tuple[float, list[str]]:
    if evidence.unsolvable is not None:
        return inf, []
    engine, heuristic = evidence.engine, evidence.heuristic
    warnings = list(evidence.said)
    if engine.is_stuck:
        warnings.append("a step, goal test or heuristic did not return, so the search cannot continue")
    bound = max(engine.proved, evidence.known)
    if evidence.cost is not None:
        bound = min(bound, evidence.cost)
    if heuristic is None:
        return bound, warnings
    relies_on_it = _relies_on_estimates(evidence)
    is_news = not (heuristic.admissible and heuristic.consistent is False)
    if relies_on_it and engine.fall is not None and is_news:
        warnings.append(_inconsistency(evidence.problem, heuristic, engine.fall, engine.falls))
    doubt = _overestimate(evidence)
    is_cut = _relies_on_dead_ends(evidence)
    if doubt and (relies_on_it or (engine.proved > 0 and is_cut)):
        warnings.append(f"{doubt}; so nothing is proved about the cost")
        return (inf if bound == inf and not is_cut else 0), warnings
    condition = _unconfirmed(evidence)
    if condition:
        doubts = {one.note for one in evidence.heuristics if one.admissible is None and one.note}
        warnings.append(unconfirmed_proof(condition, " and ".join(sorted(doubts))))
    return bound, warnings


def unconfirmed_proof(condition: str, why: str = "") -> str:
    """The warning about a condition that is not declared. why: the reason, if a declaration does not hold."""
    reason = f" ({why})" if why else ", which is not declared"
    return f"the proof assumes that {condition}{reason}; check it with bestfirst.audit"


def _relies_on_estimates(evidence: Evidence) -> bool:
    """Whether the proof needs finite estimates that never overestimate."""
    algorithm = evidence.algorithm
    is_declared = any(heuristic.admissible for heuristic in evidence.heuristics)
    return algorithm.promise != "none" and (algorithm.needs_admissible or is_declared)


def _relies_on_dead_ends(evidence: Evidence) -> bool:
    """Whether states were dropped whose estimate is infinite, which is not known to be right."""
    return evidence.engine.dead_ends > 0 and not all(heuristic.safe for heuristic in evidence.heuristics)


def _overestimate(evidence: Evidence) -> str | None:
    """Why a heuristic is known to overestimate, if one does: it is declared so, or the path of the solution shows it."""
    for heuristic in evidence.heuristics:
        if heuristic.admissible is False:
            note = f" ({heuristic.note})" if heuristic.note else ""
            return f"heuristic {heuristic.name!r} can overestimate{note}"
    goal = evidence.engine.goal
    if goal is None:
        return None
    for node in goal.path():
        if node.h and exceeds_part(node.h, goal.g - node.g, goal.g, goal.depth):
            return _lie(evidence, evidence.heuristic, node, node.h, "a goal", goal.g - node.g)
    if evidence.backward is not None and evidence.reverse is not None:
        for node, state in _seen_backward(evidence.reverse, goal):
            estimate = evidence.backward(state)
            if exceeds_part(estimate, node.g, goal.g, goal.depth):
                return _lie(evidence, evidence.backward, node, estimate, "the start", node.g)
    return None


def _seen_backward(reverse: Problem, goal: Node) -> Iterator[tuple[Node, Any]]:
    """The nodes of the path to a goal, starting at the goal, with the corresponding states of the backward problem."""
    node, state = goal, reverse.initial
    yield node, state
    while node.parent is not None:
        state = own_state(reverse, state, node.action, node.parent.state)
        node = node.parent
        yield node, state


def _lie(evidence: Evidence, heuristic: Heuristic | None, node: Node, h: float, end: str, distance: float) -> str:
    assert heuristic is not None
    where = text_of(evidence.problem, "format", node.state)
    if isinstance(evidence.problem, RestatedForm):
        return f"heuristic {heuristic.name!r} {evidence.problem.why_wrong(node.state, where, h, distance)}"
    estimate, true = told_apart(h, distance)
    return (
        f"heuristic {heuristic.name!r} overestimates: it returns {estimate} for {where}, whose distance to {end} is {true}"
    )


def _unconfirmed(evidence: Evidence) -> str | None:
    """The condition that heuristics which are not declared admissible never overestimate."""
    if not (_relies_on_estimates(evidence) or _relies_on_dead_ends(evidence)):
        return None
    names = [repr(heuristic.name) for heuristic in evidence.heuristics if heuristic.admissible is None]
    if len(names) < 2:
        return f"heuristic {names[0]} never overestimates" if names else None
    if len(set(names)) == 1:  # of the two halves of a bidirectional search
        return f"heuristic {names[0]} never overestimates in either direction"
    return f"heuristics {' and '.join(names)} never overestimate"


def _inconsistency(problem: Problem, heuristic: Heuristic, fall: Node, falls: int) -> str:
    assert fall.parent is not None
    higher, lower = told_apart(fall.parent.f, fall.f)
    edge = f"{text_of(problem, 'format', fall.parent.state)} and {text_of(problem, 'format', fall.state)}"
    amount = f" from {higher} to {lower}"
    if isinstance(problem, RestatedForm) and problem.objective.has_gains:  # these are numbers that no user knows
        amount = ""
    return (
        f"heuristic {heuristic.name!r} is inconsistent: f fell along {falls} edge{'s' * (falls > 1)}, "
        f"first{amount} between {edge}"
    )

"""Audit of a heuristic: is it admissible, is it consistent? Exhaustive on a small space, otherwise on a sample."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from heapq import nsmallest
from importlib import import_module
from itertools import chain, count
from math import fsum, inf, isfinite
from typing import Any, TypeAlias, TypeVar

from bestfirst.arguments import check_function, check_kind, check_seed, check_whole, suggesting
from bestfirst.array_attributes import hold_arrays
from bestfirst.claims import without_broken
from bestfirst.displayed import or_text
from bestfirst.errors import BestfirstError, InputError, counted
from bestfirst.heuristics.heuristic import Heuristic
from bestfirst.heuristics.naming import find_heuristic
from bestfirst.heuristics.sampling import sample
from bestfirst.heuristics.space import StateSpace, edges_from, explore_watched
from bestfirst.heuristics.watch import Progress, Watch
from bestfirst.objectives.objective import RestatedForm, restated
from bestfirst.problem import Cost, Problem
from bestfirst.raised import raised
from bestfirst.rounding import exceeds_distance, short_number, told_apart
from bestfirst.system.ended_calls import CtrlCInCalls
from bestfirst.written import text_of

_Example = TypeVar("_Example")

EXAMPLES = 10
EXAMPLES_IN_REPORT = 3


@dataclass(frozen=True, slots=True)
class Overestimate:
    """A state where h exceeds the true distance to the nearest goal."""

    state: Any
    h: float
    distance: float


@dataclass(frozen=True, slots=True)
class InconsistentEdge:
    """An edge along which f = g + h falls: h > cost + next_h."""

    state: Any
    next_state: Any
    cost: Cost
    h: float
    next_h: float

    @property
    def fall(self) -> float:
        """The amount by which f falls."""
        return self.h - self.cost - self.next_h


@dataclass(frozen=True)
class Audit:
    """What is known about a heuristic on a problem.

    exhaustive: whether all reachable states and their edges were examined; otherwise `sampled` describes the sample.
    states, edges: how many were examined.
    admissible: True if no state is overestimated (proved), False if one is (proved), None if no state of a sample is.
    consistent: the same for h(s) <= cost + h(t) on every edge from s to t.
    overestimates, inconsistent_edges: the number of counterexamples; two actions that lead from one state to the same other
    state are two edges.
    examples, edge_examples: the smallest of them, by true distance (unknown is treated as the largest), then by h.
    mean_h, mean_distance: over the states with a known, finite distance to a goal; None without such states.
    largest_h, largest_distance: over the same states.
    histogram: the number of states for each (h, true distance), if the distance is known; math.inf: no goal is reachable.
    undecided: sampled states whose true distance was not found, so that their h could not be checked.
    warnings: one sentence each.
    interrupted: whether Ctrl-C ended the audit; the results then hold for the states and edges examined before.
    """

    problem: Problem
    heuristic: str
    exhaustive: bool
    sampled: str
    states: int
    edges: int
    admissible: bool | None
    consistent: bool | None
    overestimates: int
    inconsistent_edges: int
    examples: list[Overestimate]
    edge_examples: list[InconsistentEdge]
    mean_h: float | None
    mean_distance: float | None
    largest_h: float | None
    largest_distance: float | None
    histogram: dict[tuple[float, float], int]
    undecided: int
    warnings: list[str]
    interrupted: bool = False

    @or_text
    def _repr_mimebundle_(self) -> dict[str, str]:
        """What a notebook shows."""
        display = import_module("bestfirst.viewer.display")  # by name: it needs these classes, not the other way round
        bundle: dict[str, str] = display.audit_bundle(self)
        return bundle

    def __str__(self) -> str:
        """A report of a few lines, beginning with the verdict."""
        lines = [f"{self.heuristic} {_verdict(self.admissible, self.consistent)}.", self._extent()]
        lines += self._overestimates()
        lines += self._falls()
        if self.mean_h is not None:
            lines.append(
                f"Mean h {self.mean_h:.4f}, mean true distance {self.mean_distance:.4f}; "
                f"largest h {self.largest_h:g}, largest true distance {self.largest_distance:g}."
            )
        lines += self._dead_ends()
        lines += [f"Warning: {warning}." for warning in self.warnings]
        return "\n".join(lines)

    def _extent(self) -> str:
        if self.exhaustive:
            return f"Exhaustive: all {self.states:,} states reachable from the start, and their {self.edges:,} edges."
        how, of = ("Interrupted", "") if self.interrupted else ("Sampled", "their ")
        extent = f"{how}: {counted(self.states, 'state')} and {of}{counted(self.edges, 'edge')}"
        if self.undecided:
            extent += f"; the true distance of {self.undecided:,} of them was not found"
        return f"{extent}.\n  ({self.sampled})"

    def _dead_ends(self) -> Iterator[str]:
        dead = {h: number for (h, distance), number in self.histogram.items() if distance == inf}
        if dead:
            ends = counted(sum(dead.values()), "state")
            yield f"No goal can be reached from {ends}; h is infinite in {dead.get(inf, 0):,} of them. The means leave them out."

    def _overestimates(self) -> Iterator[str]:
        if not self.examples:
            yield "No overestimate was found."
            return
        yield f"It overestimates in {counted(self.overestimates, 'state')}, such as"
        for found in self.examples[:EXAMPLES_IN_REPORT]:
            h, distance = told_apart(found.h, found.distance)
            yield f"  {text_of(self.problem, 'format', found.state)}   h {h}, true distance {distance}"

    def _falls(self) -> Iterator[str]:
        if not self.edge_examples:
            yield "No inconsistent edge was found."
            return
        yield f"f falls along {counted(self.inconsistent_edges, 'edge')}, such as"
        for found in self.edge_examples[:EXAMPLES_IN_REPORT]:
            edge = f"{text_of(self.problem, 'format', found.state)} -> {text_of(self.problem, 'format', found.next_state)}"
            h, then, cost = told_apart(found.h, found.next_h, found.cost)
            yield f"  {edge}   h {h} -> {then}, cost {cost}: f falls by {short_number(found.fall)}"

    def to_dict(self) -> dict[str, Any]:
        """The audit as a JSON object: states as strings, None for infinite values, the histogram as a list of rows."""
        show = partial(text_of, self.problem, "format")
        return {
            **vars(self),
            "problem": self.problem.name(),
            "examples": [
                {"state": show(found.state), "h": _finite(found.h), "distance": _finite(found.distance)}
                for found in self.examples
            ],
            "edge_examples": [
                {
                    "state": show(found.state),
                    "next_state": show(found.next_state),
                    "cost": _finite(found.cost),
                    "h": _finite(found.h),
                    "next_h": _finite(found.next_h),
                }
                for found in self.edge_examples
            ],
            "mean_h": _finite(self.mean_h),
            "mean_distance": _finite(self.mean_distance),
            "largest_h": _finite(self.largest_h),
            "largest_distance": _finite(self.largest_distance),
            "histogram": [
                {"h": _finite(h), "distance": _finite(distance), "states": states}
                for (h, distance), states in self.histogram.items()
            ],
        }


@suggesting
def audit(
    problem: Problem,
    heuristic: str | Heuristic | Callable[[Any], float],
    *,
    states: int = 1_000_000,
    samples: int = 200,
    seed: int = 0,
    space: StateSpace | None = None,
    progress: Progress | None = None,
) -> Audit:
    """Whether a heuristic is admissible and consistent: proved on the whole space, or tested on a sample.

    heuristic: a name that the problem offers, a function of a state, or a Heuristic.
    states: the largest space that is explored exhaustively; 0 always samples.
    samples, seed: the number of random walks in a larger space, and the random seed; see
    bestfirst.heuristics.sampling.
    space: the result of explore(problem), so that several audits can share one exploration.
    progress: called from time to time with the name of the step and the number of states processed.
    If the problem has another objective than the sum of costs, h and the distances are those of the restated problem that is
    searched: by how much the largest cost is still raised, or how much less than most_gain() is gained.
    Ctrl-C ends the audit with the results so far, even inside a call of the problem's code: see Audit.interrupted.
    Raises InputError, and ProblemError if the problem breaks its contract, or its code or the heuristic raises an error (see
    bestfirst.errors); HeuristicError for an estimate that is negative, NaN, or not a number.
    """
    check_kind("problem", problem, Problem, "an instance of a Problem, or Problem.of(...)")
    check_whole("states", states, 0)
    check_whole("samples", samples, 0)
    check_seed(seed)
    check_function("progress", progress, "a word and a number")
    if space is not None and space.problem is not problem:
        raise InputError(f"the given space belongs to another problem ({space!r}); pass space=explore(problem)")
    hold_arrays(problem)
    searched = restated(problem)
    if isinstance(searched, RestatedForm):
        problem, heuristic = searched, searched.chosen(heuristic)
    chosen = find_heuristic(problem, heuristic)
    _estimate(chosen)(problem.initial)  # fail before the space is explored if the heuristic is unusable
    with CtrlCInCalls() as ctrl_c:
        watch = Watch(progress, ctrl_c)
        if space is None and states != 0:
            space = explore_watched(problem, states, watch)
        if space is not None:
            return _audit_space(space, chosen, watch)
        return _audit_sample(without_broken(problem), chosen, samples, seed, watch)


_Edge: TypeAlias = tuple[int, Any, Cost, float]  # the index of a state, the next state, the cost, h of the next state


def _audit_space(space: StateSpace, heuristic: Heuristic, watch: Watch) -> Audit:
    states = space.states
    values = list(watch.over(map(_estimate(heuristic), states), "estimating", of=states, judges=True))
    looked_at = len(values)  # all, unless the audit was interrupted
    edges = (
        (number, states[target], cost, values[target])
        for number in watch.over(range(min(looked_at, space.expanded)), "comparing", judges=True)
        for target, cost in space.successors(number)
        if target < looked_at
    )
    return _judge(
        space.problem,
        heuristic,
        states=states[:looked_at],
        values=values,
        distances=space.known_distances()[:looked_at],
        edges=edges,
        watch=watch,
        is_whole=looked_at == len(states) and space.expanded == len(states),
        sampled=f"the first {counted(looked_at, 'state')} reachable from the start, fewest actions first",
    )


def _audit_sample(problem: Problem, heuristic: Heuristic, samples: int, seed: int, watch: Watch) -> Audit:
    sampled = sample(problem, samples, seed, watch=watch)
    estimate = _estimate(heuristic)
    values = list(watch.over(map(estimate, sampled.states), "estimating", of=sampled.states, judges=True))
    states, distances = sampled.states[: len(values)], sampled.distances[: len(values)]
    known = dict(zip(states, values, strict=True))

    def edges_of(number: int) -> list[_Edge]:
        return [
            (number, next_state, cost, known[next_state] if next_state in known else estimate(next_state))
            for next_state, cost in edges_from(problem, states[number])
        ]

    edges = chain.from_iterable(watch.over(map(edges_of, range(len(states))), "comparing", of=states, judges=True))
    return _judge(
        problem,
        heuristic,
        states=states,
        values=values,
        distances=distances,
        edges=edges,
        watch=watch,
        is_whole=False,
        sampled=sampled.account,
    )


def _estimate(heuristic: Heuristic) -> Callable[[Any], float]:
    """The heuristic with checks; it raises ProblemError if its own code raises an error."""
    checked = heuristic.checked()

    def estimate(state: Any) -> float:
        try:
            return checked(state)
        except BestfirstError:
            raise
        except Exception as error:
            raise raised(f"heuristic {heuristic.name!r} for state {{state}}", state, error) from error

    return estimate


def _judge(
    problem: Problem,
    heuristic: Heuristic,
    *,
    states: Sequence[Any],
    values: Sequence[float],
    distances: Sequence[float | None],
    edges: Iterable[_Edge],
    watch: Watch,
    is_whole: bool,
    sampled: str,
) -> Audit:
    """The audit of states, with their h and true distance (None: unknown), and of the edges from them.

    is_whole: whether these are all states; their edges are all edges unless the watch ended early.
    """
    histogram = Counter((h, distance) for h, distance in zip(values, distances, strict=True) if distance is not None)
    overestimates, examples = _smallest(
        (distance, h, Overestimate(state, h, distance))
        for state, h, distance in zip(states, values, distances, strict=True)
        if distance is not None and exceeds_distance(h, distance, len(states))
    )
    edges_seen = count()
    inconsistent, edge_examples = _smallest(
        (_or_infinite(distances[number]), values[number], InconsistentEdge(states[number], target, cost, values[number], h))
        for (number, target, cost, h), _ in zip(edges, edges_seen, strict=False)
        if exceeds_distance(values[number], cost + h, 1)
    )
    exhaustive = is_whole and not watch.interrupted  # known only after all edges were examined
    admissible = False if overestimates else True if is_whole else None
    consistent = False if inconsistent else True if exhaustive else None
    measured = [(h, distance, number) for (h, distance), number in histogram.items() if isfinite(distance)]
    return Audit(
        problem=problem,
        heuristic=heuristic.name,
        exhaustive=exhaustive,
        sampled="" if exhaustive else sampled,
        states=len(states),
        edges=next(edges_seen),
        admissible=admissible,
        consistent=consistent,
        overestimates=overestimates,
        inconsistent_edges=inconsistent,
        examples=examples,
        edge_examples=edge_examples,
        mean_h=_mean((h, number) for h, _, number in measured),
        mean_distance=_mean((distance, number) for _, distance, number in measured),
        largest_h=max((h for h, _, _ in measured), default=None),
        largest_distance=max((distance for _, distance, _ in measured), default=None),
        histogram=dict(sorted(histogram.items())),
        undecided=len(states) - histogram.total(),
        warnings=[
            *([] if measured else [_no_goal(problem, exhaustive)]),
            *_false_claims(heuristic, admissible, consistent),
            *watch.warnings,
        ],
        interrupted=watch.interrupted,
    )


def _smallest(found: Iterable[tuple[float, float, _Example]]) -> tuple[int, list[_Example]]:
    """The number of (distance, h, counterexample) triples, and the smallest counterexamples."""
    counter = count()
    counted = (entry for entry, _ in zip(found, counter, strict=False))
    smallest = nsmallest(EXAMPLES, counted, key=lambda entry: entry[:2])
    return next(counter), [example for _, _, example in smallest]


def _or_infinite(distance: float | None) -> float:
    return inf if distance is None else distance


def _mean(weighted: Iterable[tuple[float, int]]) -> float | None:
    """The mean of (value, count) pairs; None without pairs."""
    pairs = list(weighted)
    total = sum(number for _, number in pairs)
    if not total:
        return None
    try:
        return fsum(value * number for value, number in pairs) / total
    except OverflowError:
        return float(sum(Fraction(value) * number for value, number in pairs) / total)


def _no_goal(problem: Problem, exhaustive: bool) -> str:
    """The warning that none of the states is known to lead to a goal."""
    reason = problem.unsolvable()
    if reason is not None:
        return f"no goal can be reached from the start, so no estimate can be too high ({reason})"
    if exhaustive:
        return "no goal can be reached from the start, so no estimate can be too high"
    return "no goal was found from any sampled state, so no overestimate could be found"


def _false_claims(heuristic: Heuristic, admissible: bool | None, consistent: bool | None) -> Iterator[str]:
    """Warnings that a heuristic is not what it is declared to be."""
    if heuristic.admissible and admissible is False:
        yield f"{heuristic.name} is declared admissible, but is not"
    if heuristic.consistent and consistent is False:
        yield f"{heuristic.name} is declared consistent, but is not"


def _verdict(admissible: bool | None, consistent: bool | None) -> str:
    if admissible is None and consistent is None:
        return "may be admissible and consistent: the sample has no counterexample"
    if admissible == consistent:
        return "is admissible and consistent" if admissible else "is neither admissible nor consistent"
    word = {True: "is", False: "is not", None: "may be"}
    return f"{word[admissible]} admissible, but {word[consistent]} consistent"


def _finite(value: float | None) -> float | None:
    """The value as a plain number; None if it is infinite."""
    if value is None or value == inf:
        return None
    return value if isinstance(value, int | float) else float(value)

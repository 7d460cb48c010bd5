"""Solution, Status, Limits, Stats: what a search may use, what it did, and what it found."""

from __future__ import annotations

import marshal
import math
from collections.abc import Iterable, Iterator
from dataclasses import asdict, dataclass, field, replace
from enum import StrEnum
from importlib import import_module
from itertools import chain
from typing import TYPE_CHECKING, Any, cast

from bestfirst.arguments import parse_bytes, suggesting_fields
from bestfirst.displayed import or_text
from bestfirst.errors import InputError, VerificationError, counted, shown
from bestfirst.replay import replay
from bestfirst.rounding import LARGEST, exceeds_rounding
from bestfirst.typed import ActionT, StateT, Typed
from bestfirst.written import texts_of

if TYPE_CHECKING:
    from bestfirst.problem import Problem
    from bestfirst.search_plan import Plan
    from bestfirst.trace import Trace


class Status(StrEnum):
    """What is known when a search ends."""

    OPTIMAL = "optimal"
    """A solution was found, and none is cheaper: proved."""
    BOUNDED = "bounded"
    """A solution was found that costs at most `weight` times the optimum: proved."""
    SOLVED = "solved"
    """A solution was found; nothing is proved about its cost."""
    UNSOLVABLE = "unsolvable"
    """No goal can be reached: proved."""
    LIMIT = "limit"
    """A limit ended the search: the solution says which one, and holds the best found so far."""
    INTERRUPTED = "interrupted"
    """Ctrl-C ended the search; the solution holds the best found so far."""
    FAILED = "failed"
    """In a batch: an error ended the search, or the process that ran it; `reason` says why, and nothing is known."""


LIMITS = ("seconds", "expansions", "memory", "depth")
"""The names of the limits of a search."""


@suggesting_fields
@dataclass(frozen=True)
class Limits:
    """What one run of a search may use; None sets no limit. Raises InputError for a limit below 0.

    seconds: wall-clock time of the run, including compiling, domain(), backward() and opening databases. If the search
    is created with the limit, creating it is included.
    expansions: nodes expanded in the run, exactly: the search stops before it would expand one more. (Time, memory and
    Ctrl-C are checked between expansions, so a single expansion must not take long.)
    memory: growth of the process's resident memory since the search began, in bytes or as a string such as "2GiB"; it
    is checked every thousand expansions.
    depth: nodes at this depth are not expanded; the search continues elsewhere. The depth belongs to
    the whole search, so it cannot change between two runs.
    """

    seconds: float | None = None
    expansions: int | None = None
    memory: int | str | None = None
    depth: int | None = None

    def __post_init__(self) -> None:
        if self.memory is not None:
            object.__setattr__(self, "memory", parse_bytes(self.memory))
        for name in LIMITS:
            value = getattr(self, name)
            if value is None:
                continue
            if isinstance(value, bool) or not isinstance(value, int | float) or not value >= 0:
                raise InputError(f"the limit {name} is {shown(value)}; use a number >= 0, or omit it")
            if name == "seconds" and value > LARGEST and value != math.inf:
                raise InputError(f"the limit seconds is {shown(value)}; use a smaller number, or omit it")
            if name in ("expansions", "depth") and not isinstance(value, int):
                raise InputError(f"the limit {name} is {shown(value)}; use a whole number >= 0")


@dataclass
class Iteration:
    """One iteration of an iterative algorithm: its bound and its effort."""

    bound: float
    expanded: int = 0
    generated: int = 0


@dataclass(frozen=True)
class Improvement:
    """A moment at which a search knew more: a better solution, or, at the start of an iteration or the end, a better bound.

    seconds, expanded: the time spent and the nodes expanded until then. cost: the cost of the best solution; None without one.
    lower_bound: the best one that the algorithm had proved, if its heuristic is admissible.
    member: the number of the member of a portfolio that reported it, counted from 1; None for any other search.
    upper_bound: as in Solution.
    """

    seconds: float
    expanded: int
    cost: float | None
    lower_bound: float
    member: int | None = None
    upper_bound: float = math.inf

    def to_dict(self) -> dict[str, Any]:
        """The entry as a JSON object; None for infinite values."""
        values = asdict(self)
        if self.member is None:
            del values["member"]
        if self.upper_bound == math.inf:
            del values["upper_bound"]
        return {name: value if value is None or math.isfinite(value) else None for name, value in values.items()}


@dataclass
class Stats:
    """What a search has done, counted the same way in every algorithm and both engines.

    expanded: nodes whose successors were generated, counted each time (a goal that ends the search is not
    expanded). In generate-and-test, which expands nothing else, also each candidate that was tested.
    generated: children generated, including duplicates and pruned ones, counted each time; plus the start, once. Algorithms
    that generate children one at a time (depth-first, IDA*) count only those they generated.
    duplicates: children whose state had been generated before; none if an algorithm compares only the states on a path.
    reopened: duplicates that were cheaper than a node already expanded, which was therefore put back on the open list.
    pruned: children dropped for another reason: over the bound, at the depth limit, outside the beam, a dead end, or a state
        that is already on the path.
    peak_agenda: the largest number of nodes on the open list when a node was about to be expanded (depth-first algorithms: the
    longest path).
    seconds: wall-clock time spent inside the search, over all its runs; includes compiling and other preparations only if
    they count against a time limit.
    peak_memory: the largest observed growth of the process's resident memory, in bytes; None if never measured.
    iterations: one row per iteration of an iterative algorithm.
    """

    expanded: int = 0
    generated: int = 0
    duplicates: int = 0
    reopened: int = 0
    pruned: int = 0
    peak_agenda: int = 0
    seconds: float = 0.0
    peak_memory: int | None = None
    iterations: list[Iteration] = field(default_factory=list)

    def copy(self) -> Stats:
        """A snapshot of the statistics."""
        return replace(self, iterations=[replace(row) for row in self.iterations])

    @property
    def rate(self) -> float:
        """Expansions per second; 0.0 before the clock has advanced. If the search had a head start, see rate_after."""
        return self.rate_after(0)

    def rate_after(self, head_start: int) -> float:
        """Expansions per second, including those of the head start, whose time `seconds` includes but `expanded` does not."""
        return (self.expanded + head_start) / self.seconds if self.seconds else 0.0


def effective_branching_factor(generated: int, depth: int) -> float:
    """The b for which a uniform tree of the given depth has as many nodes as were generated.

    That is the root of b + b**2 + ... + b**depth = generated - 1, found by bisection; math.nan for depth 0.
    Source: Nilsson 1971; Russell & Norvig, section 3.6.
    """
    if depth < 1 or generated < 2:
        return math.nan
    children = generated - 1
    low, high = 0.0, float(children)
    for _ in range(200):
        middle = (low + high) / 2
        total, power = 0.0, 1.0
        for _level in range(depth):
            power *= middle
            total += power
            if total > children:
                break
        low, high = (low, middle) if total > children else (middle, high)
    return high


@dataclass
class Solution(Typed[StateT, ActionT]):
    """What a search has found, and what it has proved.

    status: see Status. limit: what stopped the search: "seconds", "expansions", "memory" or "depth" (limits that were set);
    "upper_bound" (no solution costs less); "width" (the beam was too narrow); "heuristic" (it reported dead ends, but is known to
    overestimate); "workers" (all workers of a portfolio, or the connection to them, ended unexpectedly); "paused" (the search is
    between two events). reason: why there is no solution, or why the search failed.
    cost: the cost of the best solution found; None if none was found.
    lower_bound: a proved lower bound on the cost of every solution; math.inf if no solution exists.
    upper_bound: if the problem has maximise = True, cost and lower_bound are the profit of the solution, and this is a proved upper
    bound on the profit of every solution: -math.inf if no solution exists. Without a solution, lower_bound is then -math.inf.
    weight: for status bounded, the w for which cost <= w * optimum holds; otherwise None.
    condition: the assumption on which the proof rests, such as that a function given as heuristic never overestimates; None
    if there is none.
    actions, states: the path; states starts with the initial state and is one longer than actions.
    warnings: one sentence each (an inconsistent heuristic was met, ...).
    plan: which algorithm, heuristic, engine and threads were chosen, and why.
    history: how the cost and the lower bound improved, up to this solution.
    head_start: the expansions of the first search of the plan, which `stats` leaves out, if the long one replaced it.
    preparation: seconds of preparations for the search, such as compiling, and building or opening databases.
    """

    problem: Problem[StateT, ActionT]
    algorithm: str
    heuristic: str | None
    engine: str
    status: Status
    cost: float | None
    lower_bound: float
    actions: list[ActionT]
    states: list[StateT]
    stats: Stats
    limit: str | None = None
    reason: str | None = None
    weight: float | None = None
    condition: str | None = None
    warnings: list[str] = field(default_factory=list)
    trace: Trace | None = None
    plan: Plan | None = None
    history: list[Improvement] = field(default_factory=list)
    head_start: int = 0
    preparation: float = 0.0
    upper_bound: float = math.inf

    @property
    def found(self) -> bool:
        """Whether there is a path to a goal, whatever the status."""
        return self.cost is not None

    def __getstate__(self) -> dict[str, Any]:
        """What is pickled: states that are NamedTuples of ints as plain tuples, which takes a tenth of the time."""
        told, states = vars(self).copy(), cast("list[Any]", self.states)
        kinds = set(map(type, states))
        if len(kinds) == 1 and _is_named_tuple(kind := kinds.pop()) and _are_ints(chain.from_iterable(states)):
            told["states"] = kind, marshal.dumps([tuple(state) for state in states])
        return told

    def __setstate__(self, told: dict[str, Any]) -> None:
        vars(self).update(told)
        if isinstance(told["states"], tuple):
            kind, states = told["states"]
            self.states = list(map(kind._make, marshal.loads(states)))

    def __bool__(self) -> bool:
        return self.found

    def __len__(self) -> int:
        """The number of actions."""
        return len(self.actions)

    def __iter__(self) -> Iterator[tuple[ActionT, StateT]]:
        """The (action, resulting state) pairs of the path."""
        return iter(zip(self.actions, self.states[1:], strict=True))

    def verify(self) -> None:
        """Replay the actions from the problem's start with its own successors and goal test.

        Raises VerificationError if an action does not exist or leads elsewhere, the last state is not a goal, the cost is
        not the sum, or the bound exceeds the cost.
        """
        if self.cost is None:
            if self.actions or self.states:
                raise VerificationError("the solution has a path but no cost")
            return
        answers = import_module("bestfirst.objectives.answer")  # by name: it makes solutions
        answer = answers.answer_for(self.problem)
        if answer is None:
            replay(self.problem, self.actions, self.states, self.cost)
        else:
            answer.replay(self.actions, self.states, self.cost)
        if exceeds_rounding(self.cost, self.upper_bound, len(self.actions)):
            raise VerificationError(f"the profit {self.cost!r} exceeds the upper bound {self.upper_bound!r}")
        if exceeds_rounding(self.lower_bound, self.cost, len(self.actions)):
            raise VerificationError(f"the lower bound {self.lower_bound!r} exceeds the cost {self.cost!r}")

    def to_dict(self) -> dict[str, Any]:
        """The solution as a JSON object, with states and actions as strings; None for infinite or unknown values."""
        problem = self.problem
        upper = {"upper_bound": self.upper_bound if math.isfinite(self.upper_bound) else None} if problem.maximise else {}
        return {
            "status": str(self.status),
            "cost": self.cost,
            "lower_bound": self.lower_bound if math.isfinite(self.lower_bound) else None,
            "actions": texts_of(problem, "format_action", self.actions),
            "states": texts_of(problem, "format", self.states),
            "algorithm": self.algorithm,
            "heuristic": self.heuristic,
            "engine": self.engine,
            "limit": self.limit,
            "reason": self.reason,
            "weight": self.weight,
            "condition": self.condition,
            "stats": asdict(self.stats),
            "warnings": self.warnings,
            "history": [improvement.to_dict() for improvement in self.history],
            "head_start": self.head_start,
            "preparation": self.preparation,
            **upper,
        }

    @or_text
    def _repr_mimebundle_(self) -> dict[str, str]:
        """What a notebook shows."""
        display = import_module("bestfirst.viewer.display")  # by name: it needs these classes, not the other way round
        bundle: dict[str, str] = display.solution_bundle(self)
        return bundle

    def __str__(self) -> str:
        """A summary on one line."""
        if self.cost is None:
            outcome = f"no solution found, {self.status}"
        else:
            what = "profit" if self.problem.maximise else "cost"
            outcome = f"{what} {self.cost:g}, {counted(len(self.actions), 'action')}, {self.status}"
        if self.status is Status.FAILED:
            return f"{outcome}: {self.reason}"
        if self.status is Status.LIMIT:
            bound = f"upper bound {self.upper_bound:g}" if self.problem.maximise else f"lower bound {self.lower_bound:g}"
            outcome += f" ({self.limit}), {bound}"
        elif self.status is Status.BOUNDED:
            outcome += f" (at most {self.weight:g} times the optimum)"
        if self.condition and self.status in (Status.OPTIMAL, Status.BOUNDED, Status.UNSOLVABLE):
            outcome += f" if {self.condition}"
        searched = f"{self.stats.expanded:,} expanded, {self.stats.generated:,} generated"
        return f"{outcome}: {searched}, {self.stats.seconds:.3g} s"


def _is_named_tuple(kind: type) -> bool:
    """Whether a class is a NamedTuple itself, whose objects have nothing but their fields."""
    return kind.__bases__ == (tuple,) and hasattr(kind, "_make")


def _are_ints(values: Iterable[Any]) -> bool:
    """Whether all values are ints, or tuples of ints."""
    values = list(values)
    kinds = set(map(type, values))
    if tuple not in kinds:
        return kinds <= {int}
    return kinds <= {int, tuple} and _are_ints(chain.from_iterable(value for value in values if type(value) is tuple))

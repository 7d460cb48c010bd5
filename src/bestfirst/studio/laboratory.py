"""The laboratory: what heuristics say about many states of an instance, next to the true distances."""

from __future__ import annotations

from dataclasses import replace
from time import monotonic
from typing import Any

from bestfirst.errors import BestfirstError, InputError
from bestfirst.heuristics.audit import Audit, audit
from bestfirst.heuristics.space import explore
from bestfirst.studio.instances import problem_of
from bestfirst.studio.searching import SECONDS_BETWEEN_MESSAGES
from bestfirst.studio.worker import Request, Tell

MOST_STATES = 400_000
STATES = 200_000
"""The largest space that is explored unless the page says otherwise. In a larger one, states are sampled."""
SAMPLES = 100
MOST_CELLS = 4_000
"""Pairs of an estimate and a distance that the page draws."""


def laboratory(request: Request, tell: Tell) -> None:
    """Tell an audit of each of the request's `heuristics`. All of them share one exploration of the space."""
    problem = problem_of(request)
    names = [str(name) for name in request.get("heuristics") or ()] or list(problem.heuristics())
    if not names:
        raise InputError("this problem has no heuristics; choose another problem")
    states = states_of(request, STATES)
    progress = AuditProgress(tell)
    space = explore(problem, states, progress=progress)
    for name in names:
        try:
            found = audit(problem, name, states=0, samples=SAMPLES, space=space, progress=progress)
        except BestfirstError as error:
            tell({"audit": {"heuristic": name, "error": str(error)}})
            continue
        tell({"audit": shown_audit(found)})
        if found.interrupted:
            return


def states_of(request: Request, usual: int) -> int:
    """The largest space that a request wants to be explored. Raises InputError."""
    states = request.get("states") or usual
    if isinstance(states, bool) or not isinstance(states, int) or not 1 <= states <= MOST_STATES:
        raise InputError(f"the number of states is {states!r}; use a whole number from 1 to {MOST_STATES}")
    return states


class AuditProgress:
    """Tells the progress of an audit, a few times a second."""

    def __init__(self, tell: Tell) -> None:
        self._tell, self._next = tell, 0.0

    def __call__(self, doing: str, states: int) -> None:
        if monotonic() >= self._next:
            self._next = monotonic() + SECONDS_BETWEEN_MESSAGES
            self._tell({"doing": f"{doing}: {states:,} states"})


def shown_audit(found: Audit) -> dict[str, Any]:
    """An audit as JSON."""
    commonest = sorted(found.histogram.items(), key=lambda item: -item[1])[:MOST_CELLS]
    finite = [[h, distance, number] for (h, distance), number in commonest if max(h, distance) < float("inf")]
    return {
        "heuristic": found.heuristic,
        "report": str(replace(found, histogram={})),
        "admissible": found.admissible,
        "consistent": found.consistent,
        "exhaustive": found.exhaustive,
        "states": found.states,
        "mean_h": found.mean_h,
        "mean_distance": found.mean_distance,
        "largest_h": found.largest_h,
        "largest_distance": found.largest_distance,
        "histogram": finite,
    }

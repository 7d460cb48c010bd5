"""Recomputing part of a pattern database in plain Python, to compare."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from random import Random
from typing import Any

from bestfirst.errors import VerificationError
from bestfirst.problem import Domain

NEAREST = 2_000
LONGEST_WALK = 200


def verify_samples(domain: Domain, distance: Callable[[Any], float], *, samples: int, seed: int) -> int:
    """Compare a table with searches; how many entries were compared, 0 where actions cannot be undone or goals are not known.

    In an undirected domain the states nearest to a goal are found by uniform-cost search from there: the table must not say more,
    and where each state has an entry of its own, not less either. The states on random walks from there must not be said to be
    farther than the walk has cost. Raises VerificationError for an entry that is wrong.
    """
    goals = domain.goal_states()
    compared = 0
    if goals and domain.can_be_undone():
        exact = _nearest(domain, goals)
        for state, true in exact.items():
            said = distance(state)
            compared += 1
            if said > true or (not domain.defines("entry") and said != true):
                raise VerificationError(f"the table says {said} for {state!r}, which is {true} from the goal")
        random = Random(seed)
        for _ in range(samples):
            state, cost = random.choice(goals), 0.0
            for _ in range(random.randrange(LONGEST_WALK)):
                following = list(domain.successors(state))
                if not following:
                    break
                _action, state, more = random.choice(following)
                cost += more
            compared += 1
            if distance(state) > cost:
                raise VerificationError(f"the table says {distance(state)} for {state!r}, which a walk of {cost:g} leads to")
    return compared


def _nearest(domain: Domain, goals: Sequence[Any]) -> dict[Any, int]:
    """The exact distances of about so many of the nearest states: whole levels only."""
    known: dict[Any, int] = {}
    levels: dict[int, set[Any]] = {0: set(goals)}
    while levels and len(known) < NEAREST:
        distance = min(levels)
        waiting = [state for state in levels.pop(distance) if state not in known]
        while waiting:
            state = waiting.pop()
            if state in known:
                continue
            known[state] = distance
            for _action, other, cost in domain.successors(state):
                if other not in known:
                    (waiting.append if cost == 0 else levels.setdefault(distance + int(cost), set()).add)(other)
    return known

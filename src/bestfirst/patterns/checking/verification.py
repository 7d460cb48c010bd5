"""Recomputing part of a pattern database in plain Python, to compare."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from math import inf
from random import Random
from typing import Any

from bestfirst.domain import Domain
from bestfirst.errors import VerificationError

NEAREST = 2_000
LONGEST_WALK = 200
SAMPLES, STATES_PER_WALK = 200, 20


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
            *_, (state, cost) = _walk(domain, goals, random)
            compared += 1
            if distance(state) > cost:
                raise VerificationError(f"the table says {distance(state)} for {state!r}, which a walk of {cost:g} leads to")
    return compared


def why_wrong(domain: Domain, distance: Callable[[Any], float], samples: int = SAMPLES) -> str | None:
    """What is wrong with some entries of a table, chosen at random, that are worked out anew; None if they are right.

    Where each state has an entry of its own, that of a state which is no goal is the least, over its actions, of the cost of the
    action and the entry of the state that it leads to. Elsewhere the states on random walks from the goals must not be said to be
    farther than the walk has cost.
    """
    if domain.defines("unrank") and not domain.defines("entry"):
        return _wrong_by_neighbours(domain, distance, samples)
    goals = domain.goal_states() if domain.can_be_undone() else None
    if not goals:
        return None
    for _ in range(samples // STATES_PER_WALK):
        for state, cost in _walk(domain, goals, Random()):
            if distance(state) > cost:
                return f"it says {distance(state)} for {state!r}, to which a walk of {cost:g} leads"
    return None


def _walk(domain: Domain, goals: Sequence[Any], random: Random) -> Iterator[tuple[Any, float]]:
    """The states on a random walk from a goal, and what it has cost up to there."""
    state, cost = random.choice(goals), 0.0
    yield state, cost
    for _ in range(random.randrange(LONGEST_WALK)):
        following = list(domain.successors(state))
        if not following:
            return
        _action, state, more = random.choice(following)
        cost += more
        yield state, cost


def _wrong_by_neighbours(domain: Domain, distance: Callable[[Any], float], samples: int) -> str | None:
    numbers = Random()
    for _ in range(samples):
        number = numbers.randrange(domain.size)
        state = domain.unrank(number)
        if domain.rank(state) != number:  # a number that stands for no state
            continue
        said = distance(state)
        if domain.is_goal(state):
            right = 0.0
        else:
            right = min((cost + distance(other) for _action, other, cost in domain.successors(state)), default=inf)
        if said != right:
            return f"it says {said} for {state!r}, from where the goal is {right} away by what it says of the next states"
    return None


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

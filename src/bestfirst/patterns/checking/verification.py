"""Recomputing part of a pattern database in plain Python, for comparison."""

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
    """Compare a table with searches; return how many entries were compared.

    It is 0 if actions cannot be undone or goals are unknown, and states have no entries of their own by rank.

    In an undirected domain the states nearest to a goal are found by uniform-cost search from there: their entries must not
    be larger, and not smaller either if each state has its own entry. Entries of states on random walks from there must not
    exceed the cost of the walk. Otherwise `samples` entries by rank are compared with those of the next states. Raises
    VerificationError for a wrong entry.
    """
    goals = domain.goal_states()
    compared = 0
    if goals and domain.can_be_undone():
        exact = _nearest(domain, goals)
        for state, true in exact.items():
            said = distance(state)
            compared += 1
            if said > true or (not domain.defines("entry") and said != true):
                raise VerificationError(
                    f"the table gives {state!r} the distance {said}, but the distance to the goal is {true}"
                )
        random = Random(seed)
        for _ in range(samples):
            *_, (state, cost) = _walk(domain, goals, random)
            compared += 1
            if distance(state) > cost:
                raise VerificationError(
                    f"the table gives {state!r} the distance {distance(state)}, but the distance to a goal is at most {cost:g}"
                )
    elif _has_own_entries(domain):
        why = _wrong_by_neighbours(domain, distance, samples, Random(seed))
        if why is not None:
            raise VerificationError(f"the table is wrong: {why}")
        compared = samples
    return compared


def why_wrong(domain: Domain, distance: Callable[[Any], float], samples: int = SAMPLES) -> str | None:
    """Recompute some randomly chosen entries of a table: why one is wrong; None if all are right.

    If each state has its own entry, that of a state other than a goal must be the minimum over its actions of the cost of
    the action plus the entry of the next state. Otherwise entries of states on random walks from the goals must not exceed
    the cost of the walk.
    """
    if _has_own_entries(domain):
        return _wrong_by_neighbours(domain, distance, samples, Random())
    goals = domain.goal_states() if domain.can_be_undone() else None
    if not goals:
        return None
    for _ in range(samples // STATES_PER_WALK):
        for state, cost in _walk(domain, goals, Random()):
            if distance(state) > cost:
                return f"its entry for {state!r} is {distance(state)}, but a walk of cost {cost:g} reaches it"
    return None


def _walk(domain: Domain, goals: Sequence[Any], random: Random) -> Iterator[tuple[Any, float]]:
    """The states on a random walk from a goal, with their costs."""
    state, cost = random.choice(goals), 0.0
    yield state, cost
    for _ in range(random.randrange(LONGEST_WALK)):
        following = list(domain.successors(state))
        if not following:
            return
        _action, state, more = random.choice(following)
        cost += more
        yield state, cost


def _has_own_entries(domain: Domain) -> bool:
    """Whether each state has an entry of its own, by rank."""
    return domain.defines("unrank") and not domain.defines("entry")


def _wrong_by_neighbours(domain: Domain, distance: Callable[[Any], float], samples: int, numbers: Random) -> str | None:
    for _ in range(samples):
        number = numbers.randrange(domain.size)
        state = domain.unrank(number)
        if domain.rank(state) != number:  # no state has this number
            continue
        said = distance(state)
        if domain.is_goal(state):
            right = 0.0
        else:
            right = min((cost + distance(other) for _action, other, cost in domain.successors(state)), default=inf)
        if said != right:
            return f"its entry for {state!r} is {said}, but {right} follows from the entries of the next states"
    return None


def _nearest(domain: Domain, goals: Sequence[Any]) -> dict[Any, int]:
    """The exact distances of about NEAREST of the nearest states: whole levels only."""
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

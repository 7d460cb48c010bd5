"""Samples of a space that is too large to explore, with true distances where they can be found."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from heapq import heappop, heappush
from itertools import count
from math import inf
from random import Random
from typing import Any

from bestfirst.errors import counted
from bestfirst.heuristics.space import edges_from, is_goal
from bestfirst.heuristics.watch import Watch
from bestfirst.problem import Problem
from bestfirst.stated import checked_backward

BALL_STATES = 20_000
LONGEST_WALK = 100
EXPANSIONS_PER_SAMPLE = 2_000


@dataclass
class Ball:
    """The states nearest the goal with their exact distances; every other state is at least `radius` away.

    The ball of a problem without a backward problem is empty, with radius 0.
    """

    distances: dict[Any, float] = field(default_factory=dict)
    radius: float = 0


@dataclass(frozen=True)
class Sample:
    """States of a problem with the true distance of each to the nearest goal; None if unknown.

    account: a description of the sample.
    """

    states: list[Any]
    distances: list[float | None]
    account: str


def sample(problem: Problem, walks: int, seed: int, *, watch: Watch | None = None) -> Sample:
    """The start, the ends of random walks, and, if there is a backward problem, the ball around the goal.

    walks: the number of walks: half of them from the start, half backward from the goal, if possible. Each
    takes a random number of actions, up to LONGEST_WALK.
    States of the ball and of walks from the goal can reach the goal; they need not be
    reachable from the start.
    watch: if it ends early, the sample is smaller, and fewer distances are known.
    The sample depends on the seed only.
    """
    random, watch = Random(seed), watch or Watch()
    hopeless = problem.unsolvable() is not None
    reverse = None if hopeless else checked_backward(problem)
    ball = Ball() if reverse is None else ball_around_goal(reverse, BALL_STATES, watch=watch)
    backward_walks = 0 if reverse is None else walks // 2
    ahead = list(watch.over((walk(problem, random) for _ in range(walks - backward_walks)), "walking"))
    back = [] if reverse is None else list(watch.over((walk(reverse, random) for _ in range(backward_walks)), "walking"))
    far = [state for state in dict.fromkeys([problem.initial, *ahead, *back]) if state not in ball.distances]
    measured = (inf if hopeless else distance_to_goal(problem, state, ball) for state in far)
    found = list(watch.over(measured, "sampling", of=far, every=1))
    unknown = [None] * (len(far) - len(found))
    ends = "the end" if len(ahead) == 1 else "the ends"
    account = f"the start and {ends} of {counted(len(ahead), 'random walk')} from it"
    if reverse is not None:
        account = f"the {counted(len(ball.distances), 'state')} nearest the goal, {account} and of {len(back)} from the goal"
    return Sample([*ball.distances, *far], [*ball.distances.values(), *found, *unknown], account)


def ball_around_goal(reverse: Problem, states: int, *, watch: Watch | None = None) -> Ball:
    """The states nearest the goal, by uniform-cost search of the backward problem; at most `states`."""
    ball, watch = Ball(), watch or Watch()
    for state, distance in watch.over(_by_distance(reverse), "measuring"):
        ball.radius = distance  # of the next state, or of the last one: no state outside is nearer
        if len(ball.distances) == states:
            return ball
        ball.distances[state] = distance
    if not watch.interrupted:
        ball.radius = inf
    return ball


def _by_distance(problem: Problem) -> Iterator[tuple[Any, float]]:
    """The states reachable from the start of a problem, with their costs, nearest first."""
    serials = count()
    best: dict[Any, float] = {problem.initial: 0}
    agenda: list[tuple[float, int, Any]] = [(0, next(serials), problem.initial)]
    while agenda:
        cost, _, state = heappop(agenda)
        if cost > best[state]:
            continue
        yield state, cost
        for next_state, step in edges_from(problem, state):
            if cost + step < best.get(next_state, inf):
                best[next_state] = cost + step
                heappush(agenda, (cost + step, next(serials), next_state))


def walk(problem: Problem, random: Random) -> Any:
    """The end of a random walk from the start of a problem; it stops early in a state without successors."""
    state = problem.initial
    for _ in range(random.randrange(LONGEST_WALK + 1)):
        edges = list(edges_from(problem, state))
        if not edges:
            break
        state = random.choice(edges)[0]
    return state


def distance_to_goal(problem: Problem, state: Any, ball: Ball, expansions: int = EXPANSIONS_PER_SAMPLE) -> float | None:
    """The cost from a state to the nearest goal; math.inf if none is reachable; None if the expansions do not suffice.

    Uniform-cost search from the state until it reaches the ball or, without one, a goal. Open nodes
    are outside the ball, so no path through one costs less than its g plus the radius.
    """
    best = _known_distance(problem, state, ball)
    serials = count()
    cheapest: dict[Any, float] = {state: 0}
    agenda: list[tuple[float, int, Any]] = [(0, next(serials), state)] if best == inf else []
    while agenda:
        cost, _, here = heappop(agenda)
        if cost > cheapest[here]:
            continue
        if cost + ball.radius >= best:
            break
        if expansions == 0:
            return None
        expansions -= 1
        for next_state, step in edges_from(problem, here):
            rest = _known_distance(problem, next_state, ball)
            if rest < inf:
                best = min(best, cost + step + rest)
            elif cost + step < cheapest.get(next_state, inf):
                cheapest[next_state] = cost + step
                heappush(agenda, (cost + step, next(serials), next_state))
    return best


def _known_distance(problem: Problem, state: Any, ball: Ball) -> float:
    """The distance of a state in the ball, 0 for a goal, math.inf if unknown."""
    return ball.distances.get(state, 0 if is_goal(problem, state) else inf)

"""The whole space of states that a start reaches, with the true distance of each to the nearest goal."""

from __future__ import annotations

from array import array
from collections import deque
from collections.abc import Callable, Iterator
from heapq import heappop, heappush
from math import inf
from typing import Any, TypeAlias

from bestfirst.errors import InputError, StateError
from bestfirst.node import Node, expand
from bestfirst.problem import Cost, Problem

Progress: TypeAlias = Callable[[str, int], None]
"""Is called now and then with what is being done, in a word, and how many states have been dealt with."""

STATES_BETWEEN_REPORTS = 10_000


class StateSpace:
    """The states that the initial state of a problem reaches, numbered from 0 in breadth-first order, and their edges.

    states: the states by number; the initial state has number 0.
    distances: by number, the cost from the state to the nearest goal; math.inf where no goal can be reached.

    Goals have edges too: a search that meets a goal does not go on, but the space does. Edges are kept as numbers in flat
    arrays, so that a million of them take a few megabytes.
    """

    def __init__(self, problem: Problem) -> None:
        self.problem = problem
        self.states: list[Any] = []
        self.distances: list[float] = []
        self._goals: list[int] = []
        self._targets = array("q")
        self._ends = array("q", [0])  # the edges of state n are those from _ends[n] up to _ends[n + 1]
        self._costs: list[Cost] | None = None  # by edge; None where each costs 1

    @property
    def edges(self) -> int:
        """The number of edges; two actions that lead from one state to another are two edges."""
        return len(self._targets)

    def successors(self, number: int) -> Iterator[tuple[int, Cost]]:
        """The number of each successor of a state, with the cost of the action that leads there."""
        for edge in range(self._ends[number], self._ends[number + 1]):
            yield self._targets[edge], 1 if self._costs is None else self._costs[edge]

    def __len__(self) -> int:
        return len(self.states)

    def __repr__(self) -> str:
        return f"<StateSpace of {self.problem.name()}: {len(self):,} states, {self.edges:,} edges>"


def explore(problem: Problem, limit: int = 1_000_000, *, progress: Progress | None = None) -> StateSpace | None:
    """The space of a problem; None if its initial state reaches more than `limit` states.

    progress: see Progress.
    The distances are found backward along the edges, from all goals at once: breadth-first where each action costs 1,
    otherwise by Dijkstra's algorithm.
    Raises InputError for a limit below 1, and ProblemError where the problem breaks its contract.
    """
    if limit < 1:
        raise InputError(f"the limit of a space is {limit!r} states; write a whole number >= 1")
    space = StateSpace(problem)
    if not _gather(space, limit, progress):
        return None
    if space._costs is None:
        _count_back(space)
    else:
        _add_back(space, space._costs)
    return space


def _gather(space: StateSpace, limit: int, progress: Progress | None) -> bool:
    """Fill in the states and the edges; False if there are more states than the limit."""
    problem, states, targets, ends = space.problem, space.states, space._targets, space._ends
    numbers = {problem.initial: 0}
    states.append(problem.initial)
    costs: list[Cost] = []
    for number, state in enumerate(states):  # the list grows while it is walked through: it is the queue as well
        if progress is not None and number % STATES_BETWEEN_REPORTS == 0:
            progress("exploring", number)
        if problem.is_goal(state):
            space._goals.append(number)
        for child in expand(problem, Node(state, None, None, 0, 0)):
            try:
                target = numbers.setdefault(child.state, len(states))
            except TypeError as error:
                raise StateError(
                    f"successors({state!r}) gives the state {child.state!r}, which is not hashable ({error}); "
                    "write states as numbers, texts, tuples or frozen sets"
                ) from None
            if target == len(states):
                if target == limit:
                    return False
                states.append(child.state)
            targets.append(target)
            costs.append(child.g)
        ends.append(len(targets))
    if any(cost != 1 for cost in costs):
        space._costs = costs
    return True


def _edges_into(space: StateSpace) -> tuple[array[int], array[int], array[int]]:
    """The edges sorted by target: those into state n are edges[first[n]:first[n + 1]], from sources[...] likewise."""
    targets, ends = space._targets, space._ends
    first = array("q", bytes(8 * (len(space) + 2)))  # one place ahead at first, so that filling brings it into place
    for target in targets:
        first[target + 2] += 1
    for number in range(len(space)):
        first[number + 2] += first[number + 1]
    edges, sources = array("q", bytes(8 * len(targets))), array("q", bytes(8 * len(targets)))
    for source in range(len(space)):
        for edge in range(ends[source], ends[source + 1]):
            place = first[targets[edge] + 1]
            first[targets[edge] + 1] += 1
            edges[place], sources[place] = edge, source
    return first, edges, sources


def _count_back(space: StateSpace) -> None:
    """Breadth-first from the goals, where each edge counts 1."""
    first, _, sources = _edges_into(space)
    distances = space.distances = [inf] * len(space)
    agenda = deque(space._goals)
    for goal in agenda:
        distances[goal] = 0
    while agenda:
        number = agenda.popleft()
        distance = distances[number] + 1
        for source in sources[first[number] : first[number + 1]]:
            if distances[source] == inf:
                distances[source] = distance
                agenda.append(source)


def _add_back(space: StateSpace, costs: list[Cost]) -> None:
    """Dijkstra's algorithm from the goals, where edges cost different amounts."""
    first, edges, sources = _edges_into(space)
    distances = space.distances = [inf] * len(space)
    agenda: list[tuple[float, int]] = [(0, goal) for goal in space._goals]
    for goal in space._goals:
        distances[goal] = 0
    while agenda:
        distance, number = heappop(agenda)
        if distance > distances[number]:
            continue
        for place in range(first[number], first[number + 1]):
            through = distance + costs[edges[place]]
            if through < distances[sources[place]]:
                distances[sources[place]] = through
                heappush(agenda, (through, sources[place]))

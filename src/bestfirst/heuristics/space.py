"""The whole reachable state space, with the true distance of each state to the nearest goal."""

from __future__ import annotations

from array import array
from collections import deque
from collections.abc import Iterator, Sequence
from heapq import heappop, heappush
from math import inf
from typing import Any, TypeAlias

from bestfirst.claims import without_broken
from bestfirst.errors import BestfirstError, InputError, ProblemError, StateError, counted, shown
from bestfirst.heuristics.watch import Progress, Watch
from bestfirst.objectives.objective import check_sums_costs
from bestfirst.problem import Cost, Problem
from bestfirst.raised import raised
from bestfirst.replay import tested
from bestfirst.search.node import Node, expand

MOST_SUCCESSORS = 1_000_000
"""Of one state: more of them are taken for successors without end."""
_Into: TypeAlias = "tuple[array[int], array[int], array[int]]"  # see StateSpace._edges_by_target


class StateSpace:
    """The states reachable from a problem's initial state, and their edges.

    states: the states, in breadth-first order; state 0 is the initial state. distances: for each state, the cost to the
    nearest goal; math.inf if no goal can be reached. They are computed backward along the edges, from all
    goals at once: breadth-first if each action costs 1, otherwise by Dijkstra's algorithm.
    expanded: how many states, from the first on, have edges; all, unless the exploration was interrupted.

    Goals have edges too: unlike a search, the space continues beyond them. Edges are kept as numbers in flat
    arrays, so that a million of them take a few megabytes.
    """

    def __init__(
        self,
        problem: Problem,
        *,
        states: list[Any],
        goals: list[int],
        ends: array[int],
        targets: array[int],
        costs: list[Cost],
    ) -> None:
        """The edges of state n go to targets[ends[n] : ends[n + 1]], with their costs in the same places of costs."""
        self.problem = problem
        self.states = states
        self.expanded = len(ends) - 1
        self._ends = ends
        self._targets = targets
        self._costs = None if all(cost == 1 for cost in costs) else costs
        into = self._edges_by_target()
        self.distances = self._measured(goals, into)
        self._ways_out = None if self.expanded == len(states) else self._measured(range(self.expanded, len(states)), into)

    def known_distances(self) -> Sequence[float | None]:
        """The distances; None if an edge of an unexpanded state could lead to a nearer goal."""
        if self._ways_out is None:
            return self.distances
        return [
            distance if distance <= way_out else None
            for distance, way_out in zip(self.distances, self._ways_out, strict=True)
        ]

    @property
    def edges(self) -> int:
        """The number of edges; two actions that lead from one state to the same successor are two edges."""
        return len(self._targets)

    def successors(self, number: int) -> Iterator[tuple[int, Cost]]:
        """The index of each successor of a state, with the cost of the action that leads there."""
        for edge in range(self._ends[number], self._ends[number + 1]):
            yield self._targets[edge], 1 if self._costs is None else self._costs[edge]

    def __len__(self) -> int:
        return len(self.states)

    def __repr__(self) -> str:
        return f"<StateSpace of {self.problem.name()}: {counted(len(self), 'state')}, {counted(self.edges, 'edge')}>"

    def _measured(self, ends: Sequence[int], into: _Into) -> list[float]:
        """The cost from each state to the nearest of `ends`; math.inf if none can be reached."""
        distances: list[float] = [inf] * len(self)
        for number in ends:
            distances[number] = 0
        if self._costs is None:
            self._measure_in_actions(distances, ends, into)
        else:
            self._measure_in_costs(distances, ends, into, self._costs)
        return distances

    @staticmethod
    def _measure_in_actions(distances: list[float], ends: Sequence[int], into: _Into) -> None:
        starts, _, sources = into
        agenda = deque(ends)
        while agenda:
            number = agenda.popleft()
            distance = distances[number] + 1
            for source in sources[starts[number] : starts[number + 1]]:
                if distances[source] == inf:
                    distances[source] = distance
                    agenda.append(source)

    @staticmethod
    def _measure_in_costs(distances: list[float], ends: Sequence[int], into: _Into, costs: list[Cost]) -> None:
        starts, edges, sources = into
        agenda: list[tuple[float, int]] = [(0, end) for end in ends]
        while agenda:
            distance, number = heappop(agenda)
            if distance > distances[number]:
                continue
            for place in range(starts[number], starts[number + 1]):
                source, through = sources[place], distance + costs[edges[place]]
                if through < distances[source]:
                    distances[source] = through
                    heappush(agenda, (through, source))

    def _edges_by_target(self) -> _Into:
        """The edges sorted by target state (by counting): starts, edges, sources.

        The edges to state n are edges[starts[n] : starts[n + 1]]; their source states are in the same places of sources.
        """
        ends, targets = self._ends, self._targets
        starts = _zeros(len(self) + 2)  # shifted by one: filling the places of a state moves its start to the next
        for target in targets:
            starts[target + 2] += 1
        for number in range(len(self)):
            starts[number + 2] += starts[number + 1]
        edges, sources = _zeros(len(targets)), _zeros(len(targets))
        for source in range(self.expanded):
            for edge in range(ends[source], ends[source + 1]):
                ahead = targets[edge] + 1
                edges[starts[ahead]], sources[starts[ahead]] = edge, source
                starts[ahead] += 1
        return starts, edges, sources


def explore(problem: Problem, limit: int = 1_000_000, *, progress: Progress | None = None) -> StateSpace | None:
    """The space of a problem; None if more than `limit` states are reachable.

    progress: see Progress.
    Raises InputError for a limit below 1, and ProblemError if the problem breaks its contract.
    """
    if limit < 1:
        raise InputError(f"limit is {shown(limit)}; use a number of states, at least 1")
    check_sums_costs(problem, "explore() adds up")
    return explore_watched(problem, limit, Watch(progress))


def explore_watched(problem: Problem, limit: int, watch: Watch) -> StateSpace | None:
    """Like explore(), but if the watch ends early, return the part found so far, in which only expanded states have
    edges."""
    states = [hashable(problem.initial)]
    numbers = {problem.initial: 0}
    goals: list[int] = []
    ends, targets = array("q", [0]), array("q")
    costs: list[Cost] = []
    searched = without_broken(problem)
    expanded = ((is_goal(searched, state), list(edges_from(searched, state))) for state in states)  # it is also the queue
    for number, (ends_here, edges) in enumerate(watch.over(expanded, "exploring", of=states)):
        if ends_here:
            goals.append(number)
        for next_state, cost in edges:
            target = numbers.setdefault(next_state, len(states))
            if target == len(states):
                if target == limit:
                    return None
                states.append(next_state)
            targets.append(target)
            costs.append(cost)
        ends.append(len(targets))
    return StateSpace(problem, states=states, goals=goals, ends=ends, targets=targets, costs=costs)


def is_goal(problem: Problem, state: Any) -> bool:
    """Whether a state is a goal; raises ProblemError if the problem's own code raises an error, or returns no bool."""
    try:
        return tested(problem, state)
    except BestfirstError:
        raise
    except Exception as error:
        raise raised("is_goal({state})", state, error) from error


def edges_from(problem: Problem, state: Any) -> Iterator[tuple[Any, Cost]]:
    """The next state and the cost of each legal action of a state.

    Raises ProblemError for invalid successors, and if the problem's own code raises an error.
    """
    try:
        for number, child in enumerate(expand(problem, Node(state, None, None, 0, 0))):
            if number == MOST_SUCCESSORS:
                raise ProblemError(f"successors({state!r}) yields more than {MOST_SUCCESSORS:,} actions; check that it ends")
            yield hashable(child.state), child.g
    except BestfirstError:
        raise
    except Exception as error:
        raise raised("successors({state})", state, error) from error


def hashable(state: Any) -> Any:
    """The state itself; raises StateError if it is not hashable."""
    try:
        hash(state)
    except TypeError as error:
        raise StateError(
            f"the state {state!r} is not hashable ({error}); use numbers, strings, tuples or frozen sets as states"
        ) from None
    return state


def _zeros(length: int) -> array[int]:
    return array("q", bytes(8 * length))

"""Conflict-based search: paths for each agent alone, and constraints where two of them collide."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from heapq import heappop, heappush
from itertools import count
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

from bestfirst.errors import InputError
from bestfirst.heuristics.heuristic import heuristic
from bestfirst.models.agent_paths import Conflict, conflicts_of
from bestfirst.problem import Problem

if TYPE_CHECKING:
    from bestfirst.models.multi_agent import MultiAgent

Constraint: TypeAlias = tuple[int, int, int, int]
"""(agent, time, from, to): at this time, the agent must not have gone from a cell to a cell; from -1: from any."""
Steps: TypeAlias = frozenset[tuple[int, int, int]]
"""The constraints of one agent, (time, from, to)."""
ANY = -1
_KEPT = 10_000


class Node(NamedTuple):
    """Paths that respect some constraints. cost: their sum. conflicts: of the paths, those to resolve first at the front.

    bound: a lower bound on the cost of all solutions that respect the constraints.
    """

    constraints: frozenset[Constraint]
    paths: tuple[tuple[int, ...], ...]
    cost: int
    conflicts: tuple[Conflict, ...]
    bound: int


class ConstraintTree(Problem[Node, str]):
    """The search for constraints on agents as a problem: a state has a cheapest path for each agent, and a goal has no conflict.

    An action forbids a step to one of two colliding agents; its cost is the increase in the cost of that agent's path. If the new
    path is no longer and has fewer conflicts, it is used without the constraint. Cardinal conflicts, which make a path longer
    whichever agent gives way, are resolved first. The heuristic counts cardinal conflicts that have no agent in common.
    Unlike the joint search for all agents, this search does not end if there is no solution.
    Source: Sharon, Stern, Felner & Sturtevant 2015; Boyarski et al. 2015 (cardinal conflicts, bypasses); Felner et al. 2018 (the
    heuristic).
    """

    default_heuristic = "cardinal"

    def __init__(self, agents: MultiAgent) -> None:
        """Raises InputError if an agent has no path."""
        reason = agents.unsolvable()
        if reason is not None:
            raise InputError(f"{reason}; change one of them")
        self.agents = agents
        self.ways = _ways(agents)
        self.distances = [row.tolist() for row in agents.distances.array]
        self.levels = lru_cache(_KEPT)(self._levels)
        paths: list[tuple[int, ...]] = []
        for agent in range(agents.count):
            path = self.path(agent, frozenset(), paths)
            assert path is not None
            paths.append(path)
        self.initial = self._node(frozenset(), tuple(paths), 0)
        self.least = self.initial.cost
        """The cost of the start: a solution of this problem costs what all paths cost more."""

    def _node(self, constraints: frozenset[Constraint], paths: tuple[tuple[int, ...], ...], bound: int) -> Node:
        """A state with its conflicts in order."""
        cost = sum(len(path) - 1 for path in paths)
        ranked = [(self._rank(conflict, constraints, paths), conflict) for conflict in conflicts_of(paths)]
        ranked.sort(key=lambda one: one[0])  # the sort is stable: the earliest first
        busy: set[int] = set()
        for rank, conflict in ranked:
            if rank == 0 and not busy & {conflict.one, conflict.other}:
                busy |= {conflict.one, conflict.other}
        return Node(constraints, paths, cost, tuple(conflict for _, conflict in ranked), max(bound, cost + len(busy) // 2))

    def _rank(self, conflict: Conflict, constraints: frozenset[Constraint], paths: Sequence[tuple[int, ...]]) -> int:
        """The number of agents that could give way without a longer path."""
        sides = (
            (conflict.one, conflict.one_from, conflict.one_to),
            (conflict.other, conflict.other_from, conflict.other_to),
        )
        free = 0
        for agent, before, to in sides:
            levels = self.levels(agent, _of(constraints, agent), len(paths[agent]) - 1)
            is_forced = conflict.time >= len(levels) or levels[conflict.time] == {to}
            if before != ANY and is_forced:
                is_forced = levels[conflict.time - 1] == {before}
            free += not is_forced
        return free

    def _levels(self, agent: int, steps: Steps, cost: int) -> list[set[int]]:
        """The cells at times 0, 1, ... of all paths of a cost: a decision diagram without its edges (Sharon et al. 2013)."""
        distance, ways = self.distances[agent], self.ways
        forward = [{self.agents.starts[agent]}]
        for time in range(1, cost + 1):
            forward.append(
                {
                    to
                    for cell in forward[-1]
                    for to in ways[cell]
                    if distance[to] <= cost - time and (time, ANY, to) not in steps and (time, cell, to) not in steps
                }
            )
        for time in range(cost, 0, -1):
            after = forward[time]
            forward[time - 1] = {
                cell for cell in forward[time - 1] if any(to in after and (time, cell, to) not in steps for to in ways[cell])
            }
        return forward

    def is_goal(self, state: Node) -> bool:
        return not state.conflicts

    def successors(self, state: Node) -> Iterator[tuple[str, Node, int]]:
        conflict = state.conflicts[0]
        sides = (
            (conflict.one, conflict.one_from, conflict.one_to),
            (conflict.other, conflict.other_from, conflict.other_to),
        )
        found = []
        for agent, before, to in sides:
            constraints = state.constraints | {(agent, conflict.time, before, to)}
            others = [path for number, path in enumerate(state.paths) if number != agent]
            path = self.path(agent, _of(constraints, agent), others)
            if path is None:
                continue
            paths = (*state.paths[:agent], path, *state.paths[agent + 1 :])
            child = self._node(constraints, paths, state.bound)
            if child.cost == state.cost and len(child.conflicts) < len(state.conflicts):
                yield f"{self.agents.names[agent]} takes another path", self._node(state.constraints, paths, state.bound), 0
                return
            place = "{},{}".format(*self.agents.points[to])
            found.append((f"{self.agents.names[agent]} not to {place} at {conflict.time}", child, child.cost - state.cost))
        yield from found

    def path(self, agent: int, steps: Steps, others: Iterable[Sequence[int]]) -> tuple[int, ...] | None:
        """A cheapest path of an agent that makes none of the steps, with the fewest conflicts with other paths; None if none.

        A* over cells and times. It is a function of its own since solve() has no second order for paths of equal cost, and
        is too slow to be called a thousand times in a second.
        """
        start, goal, distance, ways = self.agents.starts[agent], self.agents.goals[agent], self.distances[agent], self.ways
        rest = 1 + max((time for time, _, _ in steps), default=0)  # from then on, nothing is forbidden
        stays = 1 + max((time for time, before, to in steps if before == ANY and to == goal), default=-1)
        meets = _Meets(others)
        number = count()
        agenda: list[Any] = [(distance[start], 0, next(number), 0, start, None)]  # the last is the node before
        closed: set[tuple[int, int]] = set()
        while agenda:
            node = heappop(agenda)
            _, crossed, _, time, cell, _ = node
            if (min(time, rest), cell) in closed:
                continue
            closed.add((min(time, rest), cell))
            if cell == goal and time >= stays:
                return _cells(node)
            after = time + 1
            for to in ways[cell]:
                if (after, ANY, to) in steps or (after, cell, to) in steps or (min(after, rest), to) in closed:
                    continue
                value = after + distance[to]
                heappush(agenda, (value, crossed + meets.number(after, cell, to), -next(number), after, to, node))
        return None

    @heuristic(admissible=True, consistent=True)
    def cardinal(self, state: Node) -> int:
        """The number of conflicts, of different agents, that make a path longer in any case."""
        return state.bound - state.cost

    def format(self, state: Node) -> str:
        return f"cost {state.cost}, {len(state.constraints)} constraints, {len(state.conflicts)} conflicts"


class _Meets:
    """How many paths a step would meet."""

    def __init__(self, paths: Iterable[Sequence[int]]) -> None:
        self.there: dict[tuple[int, int], int] = {}
        self.steps: dict[tuple[int, int, int], int] = {}
        self.ends: dict[int, int] = {}
        for path in paths:
            for time, cell in enumerate(path):
                self.there[time, cell] = self.there.get((time, cell), 0) + 1
                if time and path[time - 1] != cell:
                    step = time, path[time - 1], cell
                    self.steps[step] = self.steps.get(step, 0) + 1
            self.ends[path[-1]] = len(path)

    def number(self, time: int, before: int, to: int) -> int:
        """The conflicts of a step between two cells that ends at a time."""
        resting = to in self.ends and time >= self.ends[to]
        return self.there.get((time, to), 0) + self.steps.get((time, to, before), 0) + resting


def _of(constraints: Iterable[Constraint], agent: int) -> Steps:
    return frozenset((time, before, to) for one, time, before, to in constraints if one == agent)


def _cells(node: Any) -> tuple[int, ...]:
    """The cells on the way to a node of path()."""
    cells = []
    while node is not None:
        *_, cell, node = node
        cells.append(cell)
    return tuple(reversed(cells))


def _ways(agents: MultiAgent) -> list[list[int]]:
    """For each cell, those that can be reached in a step: the cell itself, too."""
    return [[to for to in row if to >= 0] for row in agents.beyond.tolist()]

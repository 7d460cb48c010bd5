"""Small explicit graphs for tests, and their truth, computed without the code under test."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from itertools import pairwise

from hypothesis import strategies as st

from bestfirst.problem import Problem, Successor
from bestfirst.rounding import exceeds


@dataclass
class Graph(Problem):
    """A directed graph: edges[node] lists (neighbour, cost); it counts the calls of successors."""

    edges: dict[int, list[tuple[int, float]]]
    initial: int = 0
    goals: frozenset[int] = frozenset()
    calls: int = field(default=0, compare=False)

    def successors(self, state: int) -> Iterable[Successor]:
        self.calls += 1
        return [(f"to {target}", target, cost) for target, cost in self.edges.get(state, [])]

    def is_goal(self, state: int) -> bool:
        return state in self.goals

    def distances(self) -> dict[int, float]:
        """The cost of the cheapest path from each node to a goal, by relaxing every edge until nothing changes."""
        nodes = set(self.edges) | {target for links in self.edges.values() for target, _ in links} | {self.initial}
        distance = {node: 0.0 if node in self.goals else math.inf for node in nodes}
        for _ in nodes:
            for node, links in self.edges.items():
                for target, cost in links:
                    distance[node] = min(distance[node], cost + distance[target])
        return distance

    def fewest_actions(self) -> float:
        """The number of actions of the shortest path from the start to a goal."""
        level, depth, met = {self.initial}, 0, set()
        while level:
            if level & self.goals:
                return depth
            met |= level
            level = {target for node in level for target, _ in self.edges.get(node, [])} - met
            depth += 1
        return math.inf


COSTS = st.one_of(st.integers(0, 5), st.floats(0, 5, allow_nan=False).map(lambda cost: round(cost, 3)))


@st.composite
def graphs(draw: st.DrawFn, most_nodes: int = 6, costs: st.SearchStrategy[float] = COSTS) -> Graph:
    """Random graphs with zero-cost edges, loops, unreachable goals, and now and then a start that is a goal."""
    size = draw(st.integers(1, most_nodes))
    node = st.integers(0, size - 1)
    edges: dict[int, list[tuple[int, float]]] = {}
    for source, target, cost in draw(st.lists(st.tuples(node, node, costs), max_size=2 * size)):
        edges.setdefault(source, []).append((target, cost))
    return Graph(edges, 0, frozenset(draw(st.sets(node, max_size=2))))


@st.composite
def admissible_heuristics(draw: st.DrawFn, graph: Graph) -> Callable[[int], float]:
    """A random fraction of the true distance for each node: admissible, and as a rule inconsistent."""
    truth = graph.distances()
    shares = {node: draw(st.sampled_from([0, 0.25, 0.5, 1])) for node in truth}
    estimates = {
        node: (math.inf if shares[node] == 1 else 0) if distance == math.inf else shares[node] * distance
        for node, distance in truth.items()
    }
    return estimates.__getitem__


def never_falls(bounds: Sequence[float]) -> bool:
    """Whether each bound is at least the one before, apart from rounding: a path may cost a rounding less than its estimate."""
    return not any(exceeds(earlier, later) for earlier, later in pairwise(bounds))

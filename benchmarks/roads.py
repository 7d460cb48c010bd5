"""Paths on a large road network: bestfirst compared with rustworkx, SciPy and igraph, in one run.

    python benchmarks/roads.py                         # a million nodes, 20 queries
    python benchmarks/roads.py --nodes 10000 --queries 5

The network is a lattice with nodes moved a little and a third of the roads left out; a road is up to half longer than its
straight line. README.md explains the numbers.
"""

from __future__ import annotations

import argparse
import math
from collections.abc import Sequence
from importlib import import_module
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

import bestfirst as bf
from contest import Contestant, Query, hold
from peers import peer

LEFT_OUT = 1 / 3
LONGEST = 1.5
"""The greatest excess length of a road over its straight line."""


class Roads(NamedTuple):
    """Two-way roads: their ends, their lengths, and the positions of the nodes."""

    one: NDArray[Any]
    other: NDArray[Any]
    length: NDArray[Any]
    places: NDArray[Any]


def random_roads(nodes: int, seed: int) -> Roads:
    """Roads between the nodes of a square, at most `nodes`."""
    rng = np.random.default_rng(seed)
    side = math.isqrt(nodes)
    number = np.arange(side * side).reshape(side, side)
    places = np.stack(np.divmod(number.ravel(), side), axis=1) + rng.uniform(-0.4, 0.4, (side * side, 2))
    one = np.concatenate([number[:, :-1].ravel(), number[:-1].ravel()])
    other = np.concatenate([number[:, 1:].ravel(), number[1:].ravel()])
    kept = rng.random(len(one)) >= LEFT_OUT
    one, other = one[kept], other[kept]
    straight = np.hypot(*(places[one] - places[other]).T)
    return Roads(one, other, straight * rng.uniform(1, LONGEST, len(one)), places)


def network_of(roads: Roads) -> bf.RoadNetwork:
    """The network, each road in both directions."""
    origin = np.concatenate([roads.one, roads.other])
    target = np.concatenate([roads.other, roads.one])
    cost = np.concatenate([roads.length, roads.length])
    order = np.argsort(origin, kind="stable")
    first = np.concatenate([[0], np.cumsum(np.bincount(origin, minlength=len(roads.places)))])
    return bf.RoadNetwork(first, target[order], cost[order], 0, 0, roads.places)


def random_queries(network: bf.RoadNetwork, count: int, seed: int, engine: str) -> list[Query]:
    """Pairs of connected nodes."""
    rng = np.random.default_rng(seed)
    queries: list[Query] = []
    while len(queries) < count:
        start, goal = map(int, rng.integers(0, network.size, 2))
        if bf.solve(network.between(start, goal), engine=engine).found:
            queries.append((start, goal))
    return queries


def by_bestfirst(network: bf.RoadNetwork, algorithm: str, engine: str) -> Contestant:
    """RoadNetwork and solve, as users call them."""

    def answer(start: int, goal: int) -> bf.Solution:
        return bf.solve(network.between(start, goal), algorithm, engine=engine)

    return Contestant(f"bestfirst {algorithm}", answer, lambda solution: solution.cost)


def by_rustworkx(rustworkx: Any, roads: Roads) -> list[Contestant]:
    """A* with Python functions, and Dijkstra's algorithm up to the goal."""
    graph = rustworkx.PyGraph(multigraph=False)
    places = [(x, y) for x, y in roads.places.tolist()]
    graph.add_nodes_from(list(zip(range(len(places)), places, strict=True)))
    graph.add_edges_from(list(zip(roads.one.tolist(), roads.other.tolist(), roads.length.tolist(), strict=True)))

    def astar(start: int, goal: int) -> Sequence[int]:
        x, y = places[goal]
        nodes: Sequence[int] = rustworkx.astar_shortest_path(
            graph, start, lambda node: node[0] == goal, float, lambda node: math.hypot(node[1][0] - x, node[1][1] - y)
        )
        return nodes

    def dijkstra(start: int, goal: int) -> Any:
        return rustworkx.dijkstra_shortest_path_lengths(graph, start, float, goal=goal)[goal]

    return [
        Contestant(
            "rustworkx A*",
            astar,
            lambda nodes: math.fsum(graph.get_edge_data(one, other) for one, other in pairwise(nodes)),
        ),
        Contestant("rustworkx Dijkstra", dijkstra, float),
    ]


def by_scipy(_module: Any, roads: Roads) -> list[Contestant]:
    """Dijkstra's algorithm, which cannot stop at the goal."""
    csgraph, sparse = import_module("scipy.sparse.csgraph"), import_module("scipy.sparse")
    nodes = len(roads.places)
    matrix = sparse.csr_array((roads.length, (roads.one, roads.other)), (nodes, nodes))
    both = (matrix + matrix.T).tocsr()

    def answer(start: int, goal: int) -> Any:
        return csgraph.dijkstra(both, indices=start)[goal]

    return [Contestant("scipy Dijkstra", answer, float)]


def by_igraph(igraph: Any, roads: Roads) -> list[Contestant]:
    """Dijkstra's algorithm up to the goal."""
    graph = igraph.Graph(len(roads.places), np.stack([roads.one, roads.other], axis=1).tolist())
    graph.es["length"] = roads.length.tolist()

    def answer(start: int, goal: int) -> Any:
        return graph.distances(start, goal, weights="length")[0][0]

    return [Contestant("igraph Dijkstra", answer, float)]


PEERS = {"rustworkx": by_rustworkx, "scipy": by_scipy, "igraph": by_igraph}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--nodes", type=int, default=1_000_000, help="nodes of the network (default 1,000,000)")
    parser.add_argument("--queries", type=int, default=20, help="number of queries (default 20)")
    parser.add_argument("--seed", type=int, default=1, help="random seed of the network and the queries (default 1)")
    parser.add_argument("--without", action="append", default=[], choices=PEERS, help="skip a peer")
    parser.add_argument("--engine", default="compiled", choices=("compiled", "python"), help="engine of bestfirst")
    given = parser.parse_args()
    roads = random_roads(given.nodes, given.seed)
    network = network_of(roads)
    queries = random_queries(network, given.queries, given.seed, given.engine)
    print(f"{network.size:,} nodes, {len(roads.one):,} roads, {given.queries} queries")
    modules = {name: peer(name) for name in PEERS if name not in given.without}
    others = [contestant for name, module in modules.items() if module for contestant in PEERS[name](module, roads)]
    ours = [by_bestfirst(network, algorithm, given.engine) for algorithm in ("astar", "uniform-cost")]
    hold(ours, others, queries)


if __name__ == "__main__":
    main()

"""Paths on a large grid by A*: bestfirst compared with rustworkx, NetworkX, python-pathfinding and C++, in one run.

    python benchmarks/grids.py                     # 1024 x 1024, a fifth of it blocked, 100 queries, 8 and 4 neighbours
    python benchmarks/grids.py --queries 10 --size 256
    python benchmarks/grids.py --without networkx  # which takes gigabytes

All programs get the same map and the same heuristic (octile, manhattan). README.md explains the numbers.
"""

from __future__ import annotations

import argparse
import math
import subprocess
import tempfile
from collections.abc import Sequence
from importlib import import_module
from itertools import pairwise
from time import process_time
from typing import Any

import numpy as np
from numpy.typing import NDArray

import bestfirst as bf
from contest import Contestant, Query, hold
from peers import has_compiler, peer, yardstick

ROOT2 = math.sqrt(2)


def random_grid(size: int, blocked: float, neighbours: int, seed: int) -> bf.GridMap:
    """A square map on which each cell is blocked with probability `blocked`."""
    return bf.GridMap(np.random.default_rng(seed).random((size, size)) >= blocked, (0, 0), (0, 0), neighbours=neighbours)


def random_queries(grid: bf.GridMap, count: int, seed: int, engine: str) -> list[Query]:
    """Pairs of connected free cells; a cell has the number y * width + x."""
    rng = np.random.default_rng(seed)
    free = np.flatnonzero(np.asarray(grid.free))
    queries: list[Query] = []
    while len(queries) < count:
        start, goal = map(int, rng.choice(free, 2))
        if bf.solve(grid.between(point(grid, start), point(grid, goal)), engine=engine).found:
            queries.append((start, goal))
    return queries


def point(grid: bf.GridMap, number: int) -> tuple[int, int]:
    """The coordinates (x, y) of a numbered cell."""
    y, x = divmod(number, grid.width)
    return x, y


def edges(grid: bf.GridMap) -> tuple[NDArray[Any], NDArray[Any], NDArray[Any]]:
    """The starts, the ends and the costs of all steps."""
    legal = np.asarray(grid.legal)
    starts, ends, costs = [], [], []
    for action in range(grid.max_actions):
        cells = np.flatnonzero(legal >> action & 1)
        starts.append(numbers(grid, cells))
        ends.append(numbers(grid, cells + grid.shift[action]))
        costs.append(np.full(len(cells), grid.cost[action], float))
    return np.concatenate(starts), np.concatenate(ends), np.concatenate(costs)


def numbers(grid: bf.GridMap, cells: NDArray[Any]) -> NDArray[Any]:
    """The numbers y * width + x of the cells of states."""
    return (cells >> grid.column_bits) * grid.width + (cells & grid.column_mask)


def by_bestfirst(grid: bf.GridMap, engine: str) -> Contestant:
    """GridMap and solve, as users call them."""

    def answer(start: int, goal: int) -> bf.Solution:
        return bf.solve(grid.between(point(grid, start), point(grid, goal)), "astar", engine=engine)

    return Contestant("bestfirst", answer, lambda solution: solution.cost)


def print_together(grid: bf.GridMap, queries: Sequence[Query], engine: str) -> None:
    """The queries by solve_many: what comes before them, the first one, and the mean of all."""
    started = process_time()
    copied = bf.GridMap(np.asarray(grid.free), (0, 0), (0, 0), neighbours=grid.max_actions)
    made = process_time()
    problems = [copied.between(point(grid, start), point(grid, goal)) for start, goal in queries]
    stated = process_time()
    ends: list[float] = []
    solutions = bf.solve_many(problems, "astar", engine=engine, progress=lambda _: ends.append(process_time()))
    alone = [bf.solve(problem, "astar", engine=engine).stats for problem in problems]
    if [solution.stats.expanded for solution in solutions] != [stats.expanded for stats in alone]:
        raise SystemExit("solve_many() and solve() expand different numbers of nodes")
    print("milliseconds of bestfirst for all queries together, by solve_many()")
    rows = {
        "the map": made - started,
        "problems, each": (stated - made) / len(queries),
        "the first query": ends[0] - stated,
        "queries, mean": (ends[-1] - stated) / len(queries),
    }
    for name, seconds in rows.items():
        print(f"{name:28}{1000 * seconds:10,.2f}")
    print(flush=True)


def by_rustworkx(rustworkx: Any, grid: bf.GridMap) -> Contestant:
    """A graph with points as node data, and A* with Python functions."""
    graph = rustworkx.PyDiGraph(multigraph=False)
    graph.add_nodes_from([point(grid, number) for number in range(grid.width * grid.height)])
    graph.add_edges_from(list(zip(*(column.tolist() for column in edges(grid)), strict=True)))

    def answer(start: int, goal: int) -> Sequence[int]:
        end = point(grid, goal)
        h = heuristic(grid, end)
        nodes: Sequence[int] = rustworkx.astar_shortest_path(graph, start, lambda node: node == end, float, h)
        return nodes

    return Contestant("rustworkx", answer, lambda nodes: length([point(grid, node) for node in nodes]))


def by_networkx(networkx: Any, grid: bf.GridMap) -> Contestant:
    """A graph with points as nodes."""
    graph = networkx.Graph()
    points = [point(grid, number) for number in range(grid.width * grid.height)]
    steps = zip(*(column.tolist() for column in edges(grid)), strict=True)
    graph.add_weighted_edges_from((points[start], points[end], cost) for start, end, cost in steps if start < end)

    def answer(start: int, goal: int) -> Any:
        h = heuristic(grid, points[goal])
        return networkx.astar_path(graph, points[start], points[goal], lambda node, _goal: h(node), "weight")

    return Contestant("networkx", answer, length)


def by_pathfinding(_module: Any, grid: bf.GridMap) -> Contestant:
    """python-pathfinding's own grid."""
    cells = import_module("pathfinding.core.grid").Grid(matrix=np.asarray(grid.free).astype(int).tolist())
    movement = import_module("pathfinding.core.diagonal_movement").DiagonalMovement
    heuristics = import_module("pathfinding.core.heuristic")
    straight = grid.max_actions == 4
    finder = import_module("pathfinding.finder.a_star").AStarFinder(
        heuristic=heuristics.manhattan if straight else heuristics.octile,
        diagonal_movement=movement.never if straight else movement.only_when_no_obstacle,
    )

    def answer(start: int, goal: int) -> Any:
        cells.cleanup()
        return finder.find_path(cells.node(*point(grid, start)), cells.node(*point(grid, goal)), cells)[0]

    return Contestant("pathfinding", answer, lambda nodes: length([(node.x, node.y) for node in nodes]))


def by_yardstick(grid: bf.GridMap, directory: str) -> Contestant:
    """The C++ program, in a process of its own, which measures its own time."""
    program = subprocess.Popen(
        [str(yardstick(YARDSTICK, directory, "-std=c++17"))], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    )
    assert program.stdin is not None and program.stdout is not None
    to_it, from_it = program.stdin, program.stdout
    to_it.write(np.array([grid.width, grid.height, grid.max_actions], np.int32).tobytes())
    to_it.write(np.asarray(grid.free).astype(np.uint8).tobytes())

    def answer(start: int, goal: int) -> tuple[float, float]:
        to_it.write(np.array([start, goal], np.int32).tobytes())
        to_it.flush()
        cost, seconds = map(float, from_it.readline().split())
        return cost, seconds

    return Contestant("C++", answer, lambda answer: answer[0], lambda answer: answer[1])


YARDSTICK = "grids.cpp"
PEERS = {"rustworkx": by_rustworkx, "networkx": by_networkx, "pathfinding": by_pathfinding}


def heuristic(grid: bf.GridMap, goal: tuple[int, int]) -> Any:
    """The heuristic of the grid as a function of a point."""
    goal_x, goal_y = goal

    def octile(place: tuple[int, int]) -> float:
        across, down = abs(place[0] - goal_x), abs(place[1] - goal_y)
        return ROOT2 * min(across, down) + abs(across - down)

    def manhattan(place: tuple[int, int]) -> int:
        return abs(place[0] - goal_x) + abs(place[1] - goal_y)

    return manhattan if grid.max_actions == 4 else octile


def length(points: Sequence[tuple[int, int]]) -> float:
    """The length of a path of neighbouring points."""
    return math.fsum(math.dist(one, other) for one, other in pairwise(points))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--queries", type=int, default=100, help="number of queries (default 100)")
    parser.add_argument("--size", type=int, default=1024, help="rows and columns of the map (default 1024)")
    parser.add_argument("--blocked", type=float, default=0.2, help="fraction of blocked cells (default 0.2)")
    parser.add_argument("--seed", type=int, default=1, help="random seed of the map and the queries (default 1)")
    parser.add_argument("--neighbours", type=int, choices=(8, 4), help="number of neighbours (default: both)")
    parser.add_argument("--without", action="append", default=[], choices=PEERS, help="skip a peer")
    parser.add_argument("--engine", default="compiled", choices=("compiled", "python"), help="engine of bestfirst")
    given = parser.parse_args()
    modules = {name: peer(name) for name in PEERS if name not in given.without}
    for neighbours in (given.neighbours,) if given.neighbours else (8, 4):
        grid = random_grid(given.size, given.blocked, neighbours, given.seed)
        queries = random_queries(grid, given.queries, given.seed, given.engine)
        print(f"{given.size} x {given.size}, {given.blocked:.0%} blocked, {neighbours} neighbours, {given.queries} queries")
        others = [PEERS[name](module, grid) for name, module in modules.items() if module is not None]
        with tempfile.TemporaryDirectory() as directory:
            if has_compiler(YARDSTICK):
                others.append(by_yardstick(grid, directory))
            hold([by_bestfirst(grid, given.engine)], others, queries)
        print_together(grid, queries, given.engine)


if __name__ == "__main__":
    main()

"""Speed of the reference engine: A* compared with a loop without an engine, and with two well-known implementations.

    python benchmarks/reference.py [--repeat N] [--quick]
    python benchmarks/reference.py --repeat 1 --instances 1    # the first of each table, once

All programs are measured in one run, in turns, on the same instances. README.md explains the numbers.
"""

from __future__ import annotations

import argparse
import gc
import heapq
import platform
from collections.abc import Callable, Iterator
from itertools import islice
from statistics import median
from time import process_time
from typing import TypeAlias

import bestfirst as bf
from bare_loop import Board, bare_loop
from peers import peer

Contestant: TypeAlias = Callable[[bf.SlidingTile], tuple[float, int]]
"""A function that solves a puzzle and returns the cost and the number of expansions."""

FIFTEEN_GOAL = " ".join(map(str, range(16)))
KORF = {
    "Korf 12": "14 1 9 6 4 8 12 5 7 2 3 0 10 11 13 15",
    "Korf 42": "4 5 7 2 9 14 12 13 0 3 6 11 8 1 15 10",
    "Korf 79": "0 1 9 7 11 13 5 3 14 12 4 2 8 6 10 15",
    "Korf 55": "13 8 14 3 9 1 0 7 15 5 4 10 12 2 6 11",
}
"""Instances of Korf 1985 that A* solves with 30,000 to 150,000 expansions."""
EIGHT_GOAL = " ".join(map(str, range(9)))
SMALL = {
    "8-puzzle, 26 moves": ("7 2 4 5 0 6 8 3 1", EIGHT_GOAL),
    "8-puzzle, 31 moves": ("8 0 6 5 4 7 2 3 1", EIGHT_GOAL),
    "15-puzzle, 36 moves": ("0 11 1 5 4 2 10 6 12 9 15 3 13 8 7 14", FIFTEEN_GOAL),
}
"""Instances that the peers can finish: Russell & Norvig's, one of the two hardest, and an easy larger one."""
ENOUGH_OF_BARE = 0.6
ENOUGH_OVER_PEERS = 30
TURNS_OF_PEERS = 3


def engine(puzzle: bf.SlidingTile) -> tuple[float, int]:
    """A* of bestfirst, as users call it."""
    solution = bf.solve(puzzle, "astar", "manhattan", engine="python")
    assert solution.cost is not None
    return solution.cost, solution.stats.expanded


def inlined_loop(puzzle: bf.SlidingTile) -> tuple[float, int]:
    """A* for this puzzle only: moves are made in the loop, and the Manhattan distance is updated incrementally."""
    goal, columns = puzzle.goal, puzzle.size[1]
    far = [
        [abs(cell // columns - home // columns) + abs(cell % columns - home % columns) for cell in range(len(goal))]
        for home in (goal.index(tile) for tile in range(len(goal)))
    ]
    targets = [
        [cell for cell in (blank - columns, blank - 1, blank + 1, blank + columns) if _adjacent(blank, cell, puzzle.size)]
        for blank in range(len(goal))
    ]
    start = puzzle.initial
    h = sum(far[tile][cell] for cell, tile in enumerate(start) if tile)
    costs = {start: 0}
    parents: dict[Board, Board | None] = {start: None}
    serial, expanded = 0, 0
    agenda = [(h, h, serial, 0, start.index(0), start)]
    while agenda:
        _, h, _, g, blank, state = heapq.heappop(agenda)
        if g > costs[state]:
            continue
        if state == goal:
            return g, expanded
        expanded += 1
        g += 1
        for target in targets[blank]:
            tile = state[target]
            board = list(state)
            board[blank], board[target] = tile, 0
            child = tuple(board)
            known = costs.get(child)
            if known is None or g < known:
                costs[child] = g
                parents[child] = state
                estimate = h + far[tile][blank] - far[tile][target]
                serial += 1
                heapq.heappush(agenda, (g + estimate, estimate, serial, g, target, child))
    raise AssertionError("unsolvable")


def _adjacent(cell: int, other: int, size: tuple[int, int]) -> bool:
    rows, columns = size
    same_row = cell // columns == other // columns and abs(cell - other) == 1
    return 0 <= other < rows * columns and (same_row or abs(cell - other) == columns)


class Tiles:
    """The rules of a sliding-tile puzzle in the interface of the peers: the actions of a state, and the result of each.

    An action is the cell whose tile moves into the blank. Each call of actions() is counted as an expansion.
    """

    def __init__(self, puzzle: bf.SlidingTile) -> None:
        cells = range(len(puzzle.goal))
        self.initial = puzzle.initial
        self.goal = puzzle.goal
        self.h = puzzle.manhattan
        self.expanded = 0
        self._neighbours = [[cell for cell in cells if _adjacent(blank, cell, puzzle.size)] for blank in cells]

    def actions(self, state: Board) -> list[int]:
        self.expanded += 1
        return self._neighbours[state.index(0)]

    def result(self, state: Board, action: int) -> Board:
        board = list(state)
        blank = state.index(0)
        board[blank], board[action] = board[action], 0
        return tuple(board)

    def is_goal(self, state: Board) -> bool:
        return state == self.goal


def simpleai_astar(puzzle: bf.SlidingTile) -> tuple[float, int]:
    """simpleai's astar with graph_search=True, so that a state is expanded once."""
    from simpleai.search import SearchProblem, astar  # noqa: PLC0415  (an optional dependency)

    rules = Tiles(puzzle)

    class Puzzle(SearchProblem):  # type: ignore[misc]
        def actions(self, state: Board) -> list[int]:
            return rules.actions(state)

        def result(self, state: Board, action: int) -> Board:
            return rules.result(state, action)

        def is_goal(self, state: Board) -> bool:
            return rules.is_goal(state)

        def heuristic(self, state: Board) -> float:
            return rules.h(state)

    node = astar(Puzzle(rules.initial), graph_search=True)
    return node.cost, rules.expanded


class BookNode:
    """A node as in textbook code: equal to another if their states are equal."""

    def __init__(self, state: Board, parent: BookNode | None = None, action: int | None = None, cost: float = 0) -> None:
        self.state, self.parent, self.action, self.cost = state, parent, action, cost

    def children(self, rules: Tiles) -> Iterator[BookNode]:
        for action in rules.actions(self.state):
            yield BookNode(rules.result(self.state, action), self, action, self.cost + 1)

    def __lt__(self, other: BookNode) -> bool:
        return self.state < other.state

    def __eq__(self, other: object) -> bool:
        return isinstance(other, BookNode) and self.state == other.state

    def __hash__(self) -> int:
        return hash(self.state)


class BookQueue:
    """A priority queue as in textbook code, with membership tests by a linear scan."""

    def __init__(self, f: Callable[[BookNode], float]) -> None:
        self.f = f
        self.heap: list[tuple[float, BookNode]] = []

    def push(self, node: BookNode) -> None:
        heapq.heappush(self.heap, (self.f(node), node))

    def pop(self) -> BookNode:
        return heapq.heappop(self.heap)[1]

    def value(self, wanted: BookNode) -> float | None:
        """The f of a queued node; None if it is not queued."""
        for f, node in self.heap:
            if node == wanted:
                return f
        return None

    def remove(self, wanted: BookNode) -> None:
        self.heap.pop([node == wanted for _, node in self.heap].index(True))
        heapq.heapify(self.heap)

    def __len__(self) -> int:
        return len(self.heap)


def aima_style_astar(puzzle: bf.SlidingTile) -> tuple[float, int]:
    """A* in the style of the Python code for Russell & Norvig's book: node objects, and a queue with linear scans."""
    rules = Tiles(puzzle)
    frontier = BookQueue(lambda node: node.cost + rules.h(node.state))
    frontier.push(BookNode(rules.initial))
    explored: set[Board] = set()
    while frontier:
        node = frontier.pop()
        if rules.is_goal(node.state):
            return node.cost, rules.expanded
        explored.add(node.state)
        for child in node.children(rules):
            if child.state in explored:
                continue
            waiting = frontier.value(child)
            if waiting is None:
                frontier.push(child)
            elif frontier.f(child) < waiting:
                frontier.remove(child)
                frontier.push(child)
    raise AssertionError("unsolvable")


def rates(puzzle: bf.SlidingTile, contestants: list[Contestant], repeat: int) -> tuple[list[float], int]:
    """The expansions per second of each contestant, the median of `repeat` turns; and the expansions of the first one.

    Process time is measured, so that other programs on the machine disturb less.
    """
    found: list[list[float]] = [[] for _ in contestants]
    answers = set()
    expanded: list[int] = []
    for _ in range(repeat):
        for contestant, measured in zip(contestants, found, strict=True):
            gc.collect()
            started = process_time()
            cost, expansions = contestant(puzzle)
            measured.append(expansions / (process_time() - started))
            answers.add(cost)
            expanded.append(expansions)
    if len(answers) != 1:
        raise SystemExit(f"the contestants disagree about the cost: {sorted(answers)}")
    return [median(measured) for measured in found], expanded[0]


def compare_with_loops(instances: dict[str, str], repeat: int) -> None:
    """Print the rates of the engine and of the two loops, on instances of the 15-puzzle."""
    print(f"{'':20}{'expanded':>10}{'bestfirst':>12}{'bare loop':>12}{'ratio':>8}{'inlined':>12}{'ratio':>8}")
    ratios = []
    for name, start in instances.items():
        puzzle = bf.SlidingTile(start, goal=FIFTEEN_GOAL)
        (ours, bare, inlined), expanded = rates(puzzle, [engine, bare_loop, inlined_loop], repeat)
        ratios.append(ours / bare)
        print(f"{name:20}{expanded:10,}{ours:12,.0f}{bare:12,.0f}{ours / bare:8.2f}{inlined:12,.0f}{ours / inlined:8.2f}")
    print(f"median ratio to the bare loop: {median(ratios):.2f} (target: at least {ENOUGH_OF_BARE})")


def compare_with_peers(instances: dict[str, tuple[str, str]], repeat: int) -> None:
    """Print the rates of the engine and of the peers, on instances that the peers can finish."""
    peers = {"AIMA style": aima_style_astar}
    if peer("simpleai") is not None:
        peers["simpleai"] = simpleai_astar
    print(f"{'':20}{'expanded':>10}{'bestfirst':>12}" + "".join(f"{name:>12}{'factor':>8}" for name in peers))
    for name, (start, goal) in instances.items():
        found, expanded = rates(bf.SlidingTile(start, goal=goal), [engine, *peers.values()], repeat)
        ours, *others = found
        columns = "".join(f"{other:12,.0f}{ours / other:8.1f}" for other in others)
        print(f"{name:20}{expanded:10,}{ours:12,.0f}{columns}")
    print(f"target of the factors: at least {ENOUGH_OVER_PEERS}, unless the agenda is tiny; they grow with it")


def main() -> None:
    """Measure, and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--repeat", type=int, default=5, help="turns of each contestant, of which the median is used")
    parser.add_argument("--quick", action="store_true", help="two turns, and only the smaller instances")
    parser.add_argument("--instances", type=int, default=len(KORF), help="number of instances from each table")
    given = parser.parse_args()
    if min(given.repeat, given.instances) < 1:
        parser.error("--repeat and --instances must be at least 1")
    repeat = 2 if given.quick else given.repeat
    count = min(given.instances, 2) if given.quick else given.instances
    fifteen, small = dict(islice(KORF.items(), count)), dict(islice(SMALL.items(), count))
    print(f"A* with the Manhattan distance: expansions per second (median of {repeat}), Python {platform.python_version()}")
    print()
    compare_with_loops(fifteen, repeat)
    print()
    compare_with_peers(small, min(repeat, TURNS_OF_PEERS))


if __name__ == "__main__":
    main()

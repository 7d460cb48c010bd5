"""Graph-clear: in which order robots should sweep the rooms of a building, so that few robots find all intruders."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import accumulate
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, NamedTuple

from bestfirst.domain import LESS, Domain
from bestfirst.errors import InputError, counted, shown
from bestfirst.heuristics.heuristic import heuristic
from bestfirst.models.drawing import Bar, bars
from bestfirst.models.files import Lines, path_given
from bestfirst.models.numbers import distances_of, names_of, number_bits, row, set_bits, table_of
from bestfirst.models.results import states_of, write_csv

if TYPE_CHECKING:
    from bestfirst.solution import Solution


class GraphClear(Domain):
    """Graph-Clear: robots sweep the rooms of a building one by one; the cost is the largest number of robots needed at a time.

    edges: for each room, a row with the number of robots that block the passage to each other room, 0 if there is no passage; the
    same in both directions. Instead of rows, edges may be a pandas DataFrame, which also names the rooms, or a NetworkX graph; the
    attribute `weight` of an edge is then the number of robots that block it, and that of a node the number that sweep it, unless
    rooms is given. rooms: how many robots sweep each room. names: the names of the rooms.
    Raises InputError for invalid numbers, and for a passage whose two directions differ.

    While a room is swept, robots also block all its passages, and all passages between swept and unswept rooms.
    An action is the next room.
    Source: Kolling & Carpin 2007; as a choice of rooms: Morin et al. 2018; as a state space: Kuroiwa & Beck 2023.
    """

    class State(NamedTuple):
        """left: a set of rooms. border: the robots in passages from rooms swept to those left, which follows from left.

        peak: the most robots so far.
        """

        left: int
        border: int
        peak: int

    identity = ("left", "peak")
    resources = MappingProxyType({"peak": LESS})
    unchecked = True  # numbers are at most 2**40
    frozen_arrays = frozenset({"rooms", "first", "neighbours", "blocks", "needs", "ways"})
    default_heuristic = "greatest_room"

    def __init__(
        self, edges: Any, rooms: Sequence[int] | None = None, *, names: Sequence[Any] | None = None, weight: str = "weight"
    ) -> None:
        """weight: the attribute of a NetworkX graph."""
        given = _rooms_of(edges, weight) if rooms is None else rooms
        table, labels = _edges_of(edges, weight)
        count = self.max_actions = len(table)
        self.names = self.actions = names_of("rooms", names, labels)
        self.rooms: Any = row("rooms", given, count, labels=labels)
        for one, of_one in enumerate(table):
            if of_one[one]:
                raise InputError(
                    f"the passage from room {self.names[one]} to itself needs {counted(of_one[one], 'robot')}; write 0"
                )
            for other, robots in enumerate(of_one[:one]):
                if robots != table[other][one]:
                    raise InputError(
                        f"the passage from room {self.names[other]} to room {self.names[one]} needs "
                        f"{counted(table[other][one], 'robot')}, but in the other direction {robots}; write the same number "
                        "for both"
                    )
        ways = [[other for other, robots in enumerate(of_one) if robots] for of_one in table]
        self.first: Any = table_of([0, *accumulate(map(len, ways))])
        self.neighbours: Any = table_of([other for some in ways for other in some])
        self.blocks: Any = table_of([table[one][other] for one, some in enumerate(ways) for other in some])
        self.ways: Any = table_of([sum(table[one][other] for other in some) for one, some in enumerate(ways)])
        self.needs: Any = table_of([robots + around for robots, around in zip(self.rooms, self.ways, strict=True)])
        self.bound = max(self.needs)
        most = sum(self.needs)
        self.bits = {"left": set_bits(count), **number_bits(border=most, peak=most)}
        self.initial = self.State((1 << count) - 1, 0, 0)
        self._settle()

    @classmethod
    def from_file(cls, path: str | Path) -> GraphClear:
        """An instance from a file: the numbers of rooms and passages, the robots for each room, a matrix of those for each passage.

        Raises InputError that names the file and the line.
        """
        words = Lines(path).words()
        count, ways = words.whole("the number of rooms", 1), words.whole("the number of passages")
        rooms = words.wholes(count, "the number of robots for room")
        edges = words.matrix(count, count, "matrix")
        words.end("the matrix")
        there = sum(1 for place, of_room in enumerate(edges) for robots in of_room[:place] if robots)
        if there != ways:
            raise InputError(
                f"{path} declares {counted(ways, 'passage')}, but its matrix has {there}; correct one of the two numbers"
            )
        try:
            return cls(edges, rooms)
        except InputError as error:
            raise InputError(f"{path}: {error}") from None

    @classmethod
    def from_text(cls, text: str = "", *, file: str = "") -> GraphClear:
        """An instance from command-line arguments: the path of a file."""
        return cls.from_file(path_given(cls.name(), text, file))

    def step(self, state: State, action: int) -> tuple[bool, State, int]:
        if state.left >> action & 1 == 0:
            return False, state, 0
        to_left = 0
        for way in range(self.first[action], self.first[action + 1]):
            to_left += self.blocks[way] * (state.left >> self.neighbours[way] & 1)  # a branch would often be mispredicted
        elsewhere = state.border - (self.ways[action] - to_left)
        peak = max(state.peak, elsewhere + self.needs[action])
        border = elsewhere + to_left
        return True, self.State(state.left & ~(1 << action), border, peak), peak - state.peak

    def is_goal(self, state: State) -> bool:
        return state.left == 0

    @heuristic(admissible=True, consistent=True)
    def greatest_room(self, state: State) -> int:
        """The robots for the most demanding room, with all its passages, minus the largest number needed so far."""
        missing: int = self.bound - state.peak
        return max(0, missing)

    def format(self, state: State) -> str:
        return f"{counted(state.left.bit_count(), 'room')} left, {counted(state.border, 'robot')} at passages"

    def sweep(self, solution: Solution | Sequence[Any]) -> Sweep:
        """The order of rooms of a solution, or of a list of actions."""
        order, blocking = [], []
        for state, room, after in states_of(self, solution):
            order.append(room)
            blocking.append((state.border + after.border + self.ways[room]) // 2)  # to_swept is counted in both borders
        robots = tuple(self.rooms[room] for room in order)
        return Sweep(tuple(self.names[room] for room in order), robots, tuple(blocking))

    result = sweep

    def picture(self, state: State) -> str:
        """The robots that each room takes with its passages, grey if it is swept; in the last row, those that block the border."""
        content = [Bar(room, 0, needs, colour=0 if state.left >> room & 1 else -1) for room, needs in enumerate(self.needs)]
        rows = [*map(str, self.names), "border"]
        return bars(rows, [*content, Bar(self.max_actions, 0, state.border, colour=1)], max(self.bound, state.border))


@dataclass(frozen=True)
class Sweep:
    """An order of rooms. sweeping, blocking: the number of robots that sweep each room, and that block passages meanwhile."""

    rooms: tuple[Any, ...]
    sweeping: tuple[int, ...]
    blocking: tuple[int, ...]

    @property
    def robots(self) -> int:
        """The most robots that are needed at the same time."""
        return max(map(sum, zip(self.sweeping, self.blocking, strict=True)), default=0)

    def to_csv(self, path: str | Path) -> None:
        """Write a row for each room: room, robots that sweep it, robots that block passages."""
        write_csv(path, ("room", "sweeping", "blocking"), zip(self.rooms, self.sweeping, self.blocking, strict=True))

    def picture(self) -> str:
        """A row for each room, as an SVG document: blue for the robots that sweep it, grey for those that block passages."""
        content = []
        for place, (sweeping, blocking) in enumerate(zip(self.sweeping, self.blocking, strict=True)):
            content += [Bar(place, 0, sweeping), Bar(place, sweeping, sweeping + blocking, colour=-1)]
        return bars([str(name) for name in self.rooms], content, self.robots)


def _edges_of(edges: Any, weight: str) -> tuple[list[list[int]], tuple[Any, ...]]:
    """The robots that block each passage as rows, and the names of the rooms."""
    if hasattr(edges, "is_multigraph") and edges.is_multigraph():
        raise InputError(
            "the graph may have several edges between two rooms; pass a networkx.Graph, in which a single edge has the sum "
            "of their weights"
        )
    table, names = distances_of(edges, weight, what="edges", absent=0)
    return table.tolist(), names


def _rooms_of(edges: Any, weight: str) -> list[Any]:
    """The robots that sweep each node of a graph."""
    if not hasattr(edges, "adj"):
        raise InputError(
            "rooms is missing; write how many robots sweep each room, or pass a NetworkX graph with these numbers"
        )
    for node, data in edges.nodes.items():
        if weight not in data:
            raise InputError(f"node {shown(node)} has no attribute {shown(weight)}; add it, or pass rooms=")
    return [data[weight] for data in edges.nodes.values()]

"""Abstractions of Rubik's cube, for pattern databases: only the corners, or only some of the edges, are distinguishable.

The corners are numbered by their permutation and their twists, as in problem.py: 40,320 * 2,187 = 88,179,840 states. The
edges have 5 bits each, as there. The rank of k edges is that of their places among all arrangements of k edges in 12 places,
followed by their flips, a bit each, the first edge highest: for six edges 665,280 * 64 = 42,577,920 states.
Source: Korf 1997.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import perm
from typing import Any, NamedTuple

from bestfirst.domains.rubiks_cube.problem import EDGES, RubiksCube
from bestfirst.errors import InputError, UnknownNameError, shown
from bestfirst.patterns.abstract_domain import AbstractDomain

CORNERS = "corners"
MOST_EDGES = 7
"""The maximum number of edges in a pattern: 7 have 510,935,040 states."""
NAMED = {
    "corners": (CORNERS,),
    "edges": (" ".join(EDGES[:6]), " ".join(EDGES[6:])),
    "korf": (CORNERS, " ".join(EDGES[:6]), " ".join(EDGES[6:])),
}
"""The patterns of the heuristics pdb:NAME; the last ones are those of Korf 1997."""
TWISTS = 3**7


class CubeCorners(AbstractDomain):
    """The corners of a Rubik's cube: places and twists as in RubiksCube.State."""

    class State(NamedTuple):
        """The fields of the same name in RubiksCube.State."""

        places: int
        twists: int

    unit_cost = True
    max_actions = RubiksCube.max_actions
    actions: Sequence[str] = RubiksCube.actions
    size = 40_320 * TWISTS

    def __init__(self, cube: RubiksCube) -> None:
        self.initial = self.abstract(cube.initial)
        self.goal_places, self.goal_twists = cube.goal_places, cube.goal_twists
        self.place_moves, self.twist_moves = cube.compiled_value("place_moves"), cube.compiled_value("twist_moves")

    def abstract(self, state: RubiksCube.State) -> State:
        return self.State(state.places, state.twists)

    def parameters(self) -> dict[str, Any]:
        return {"goal": [self.goal_places, self.goal_twists]}

    def step(self, state: State, action: int) -> tuple[bool, State, int]:
        return True, self.State(self.place_moves[state.places, action], self.twist_moves[state.twists, action]), 1

    def is_goal(self, state: State) -> bool:
        return state.places == self.goal_places and state.twists == self.goal_twists

    def goal_state(self) -> State:
        return self.State(self.goal_places, self.goal_twists)

    def inverse(self, action: int) -> int:
        return action + 2 - 2 * (action % 3)

    def rank(self, state: State) -> int:
        return TWISTS * state.places + state.twists

    def unrank(self, number: int) -> State:
        return self.State(number // TWISTS, number % TWISTS)


class CubeEdges(AbstractDomain):
    """Some edges of a Rubik's cube, by their numbers in EDGES."""

    class State(NamedTuple):
        """Their positions: 5 bits each, as in RubiksCube.State, the first one lowest."""

        edges: int

    unit_cost = True
    max_actions = RubiksCube.max_actions
    actions: Sequence[str] = RubiksCube.actions

    def __init__(self, cube: RubiksCube, edges: Sequence[int]) -> None:
        import numpy as np  # noqa: PLC0415  (so that importing bestfirst does not)

        self._edges = tuple(edges)
        self.which = np.array(self._edges)
        self.count = len(self._edges)
        self.size = perm(len(EDGES), self.count) << self.count
        self.initial, self.goal = self.abstract(cube.initial), self.abstract(cube.goal_state()).edges
        self.edge_moves = cube.compiled_value("edge_moves")
        self.ones = np.array([number.bit_count() for number in range(1 << len(EDGES))], np.int8)

    def abstract(self, state: RubiksCube.State) -> State:
        edges = 0
        for at in range(self.count):
            edges |= (state.edges >> 5 * self.which[at] & 31) << 5 * at
        return self.State(edges)

    def parameters(self) -> Mapping[str, Any]:
        return {"edges": [EDGES[edge] for edge in self._edges], "goal": self.goal}

    def step(self, state: State, action: int) -> tuple[bool, State, int]:
        edges = 0
        for edge in range(self.count):
            edges |= self.edge_moves[action, state.edges >> 5 * edge & 31] << 5 * edge
        return True, self.State(edges), 1

    def is_goal(self, state: State) -> bool:
        return state.edges == self.goal

    def goal_state(self) -> State:
        return self.State(self.goal)

    def inverse(self, action: int) -> int:
        return action + 2 - 2 * (action % 3)

    def rank(self, state: State) -> int:
        return edges_rank(self.ones, state.edges, self.count)

    def unrank(self, number: int) -> State:
        flips = number & ((1 << self.count) - 1)
        number >>= self.count
        digits = 0  # the places, 4 bits each, the last edge's lowest
        for at in range(self.count - 1, -1, -1):
            left = 12 - at
            digits |= number % left << 4 * (self.count - 1 - at)
            number //= left
        free, edges = 0xBA9876543210, 0  # the remaining places in order, 4 bits each
        for at in range(self.count):
            shift = 4 * (digits >> 4 * (self.count - 1 - at) & 15)
            position = 2 * (free >> shift & 15) + (flips >> (self.count - 1 - at) & 1)
            edges |= position << 5 * at
            below = (1 << shift) - 1
            free = (free & below) | (free >> 4 & ~below)
        return self.State(edges)


def edges_rank(ones: Any, edges: int, count: int) -> int:
    """The rank of the positions of some edges, 5 bits each. ones: by number below 2**12, how many of its bits are 1."""
    number = flips = taken = 0
    for at in range(count):
        position = edges >> 5 * at & 31
        place = position >> 1
        number = number * (12 - at) + place - ones[taken & ((1 << place) - 1)]
        taken |= 1 << place
        flips = 2 * flips + (position & 1)
    return (number << count) + flips


def project(cube: RubiksCube, pattern: str) -> AbstractDomain:
    """See RubiksCube.project."""
    names = pattern.split() if isinstance(pattern, str) else []
    if names == [CORNERS]:
        return CubeCorners(cube)
    if not names or set(names) - set(EDGES) or len(set(names)) < len(names) or len(names) > MOST_EDGES:
        raise InputError(
            f"the pattern is {shown(pattern)}; write 'corners', or up to {MOST_EDGES} of the edges {' '.join(EDGES)}, each once"
        )
    return CubeEdges(cube, [EDGES.index(name) for name in names])


def abstractions(cube: RubiksCube, name: str) -> list[AbstractDomain]:
    """See RubiksCube.abstractions."""
    if name not in NAMED:
        raise UnknownNameError("pattern database", name, NAMED)
    return [project(cube, pattern) for pattern in NAMED[name]]

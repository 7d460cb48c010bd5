"""Rubik's cube (3 x 3 x 3) in the face-turn metric: a quarter or half turn of a face costs 1.

The centres of the faces are fixed. A state is three numbers, which a turn changes independently of one another:

    places    the corner in each of the places URF UFL ULB UBR DFR DLF DRB DBL, as the rank of the permutation in
              lexicographic order, 0 .. 8! - 1
    twists    how the corners in the first seven of these places are twisted: seven digits in base 3, that of URF the
              highest; the eighth makes the sum of all a multiple of 3
    edges     where each of the edges is, UR UF UL UB DR DF DL DB FR FL BL BR, that of UR lowest: the index of its place in
              this list, and whether it is flipped there

     15         0   11       0   59  BR   55       9   UF    5   4   UR    0
    +------------+ +----------+ +-----------+-----+-----------+-----------+
    |   places   | |  twists  | | place|flip| ... | place|flip| place|flip|     8! * 3**7 * 12! * 2**11 / 2 = 4.3 * 10**19 states
    +------------+ +----------+ +-----------+-----+-----------+-----------+

A corner has the twist t if its U or D colour is on the t-th face in the name of its place; an edge is flipped if the colour
that its name begins with is on the second face in the name of its place.
Source: Singmaster 1981 for the names of turns and places; Korf 1997 for the abstractions.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from functools import cache
from types import MappingProxyType
from typing import NamedTuple, TypeAlias

from bestfirst.domain import Domain
from bestfirst.domains.shared.cube_geometry import (
    CORNERS,
    CORNERS_OF_FACE,
    FACES,
    TURNS,
    Facelets,
    draw_net,
    net_cells,
    read_turns,
    turned,
)
from bestfirst.errors import InputError, needing_numpy, shown
from bestfirst.heuristics.heuristic import heuristic
from bestfirst.problem import Cell

EDGES = ("UR", "UF", "UL", "UB", "DR", "DF", "DL", "DB", "FR", "FL", "BL", "BR")
SOLVED = " ".join(9 * face for face in FACES)
_ROTATIONS = {name[turn:] + name[:turn]: (corner, -turn % 3) for corner, name in enumerate(CORNERS) for turn in range(3)}
"""The colours at a corner's place, clockwise, with the corner and the twist that they show."""
_EDGE_SHOWN = {name[:: 1 - 2 * flip]: (edge, flip) for edge, name in enumerate(EDGES) for flip in (0, 1)}
"""The colours at an edge's place, with the edge and the flip that they show."""

Piece: TypeAlias = tuple[int, int]
"""A corner or edge, by the index of its place in the solved cube, and its twist or flip."""


class RubiksCube(Domain):
    """A Rubik's cube with a start and a goal.

    cube, goal: the turns that make it from the solved cube ("R U2 F'"); or its 54 facelets, face by face in the order U R F
    D L B and on each face row by row, as letters of colours. Default goal: the solved cube.
    Raises InputError for anything else, and for facelets that no turns can produce.
    """

    class State(NamedTuple):
        """See the module docstring."""

        places: int
        twists: int
        edges: int

    frozen_arrays = frozenset(
        {"place_moves", "twist_moves", "edge_moves", "place_distance", "twist_distance", "edge_distance"}
    )
    unit_cost = True
    default_heuristic = "projections"
    max_actions = 18
    actions: Sequence[str] = tuple(face + turn for face in FACES for turn in TURNS)
    bits: Mapping[str, int] = MappingProxyType({"places": 16, "twists": 12, "edges": 60})

    @needing_numpy("Rubik's cube")
    def __init__(self, cube: str, goal: str = SOLVED) -> None:
        from bestfirst.domains.rubiks_cube.tables import (  # noqa: PLC0415  (it imports NumPy)
            corner_distances,
            corner_moves,
            edge_moves,
            four_edge_distances,
        )

        self.initial = self._read("cube", cube)
        end = self._read("goal", goal)
        self.goal_places, self.goal_twists, self.goal_edges = end
        self.place_moves, self.twist_moves = corner_moves()
        self.edge_moves = edge_moves(EDGES)
        self.place_distance, self.twist_distance = corner_distances(end.places, end.twists)
        self.edge_distance = four_edge_distances(EDGES, positions_of(end.edges))
        self._settle()

    @classmethod
    def from_text(cls, text: str, *, goal: str = SOLVED) -> RubiksCube:
        """A cube from command-line arguments."""
        return cls(text, goal)

    def _read(self, what: str, given: str) -> State:
        from bestfirst.domains.rubiks_cube.tables import order_number  # noqa: PLC0415

        corners, edges = _pieces(f"the {what} {shown(given)}", _read_facelets(what, given))
        twists = 0
        for _, twist in corners[:-1]:
            twists = 3 * twists + twist
        positions = sum((2 * place + flip) << 5 * edge for place, (edge, flip) in enumerate(edges))
        return self.State(order_number([corner for corner, _ in corners]), twists, positions)

    def step(self, state: State, action: int) -> tuple[bool, State, int]:
        edges = 0
        for edge in range(12):
            edges |= self.edge_moves[action, state.edges >> 5 * edge & 31] << 5 * edge
        places, twists = self.place_moves[state.places, action], self.twist_moves[state.twists, action]
        return True, self.State(places, twists, edges), 1

    def inverse(self, action: int) -> int:
        face, turn = divmod(action, 3)
        return 3 * face + 2 - turn

    def representatives(self) -> list[State]:
        """One state: turns move places, regardless of what is in them."""
        return [self.initial]

    def is_goal(self, state: State) -> bool:
        return state.edges == self.goal_edges and state.places == self.goal_places and state.twists == self.goal_twists

    def goal_state(self) -> State:
        return self.State(self.goal_places, self.goal_twists, self.goal_edges)

    def backward(self) -> RubiksCube:
        return _Backward(self.format(self.goal_state()), self.format(self.initial))

    @heuristic(admissible=True, consistent=True)
    def projections(self, state: State) -> int:
        """The maximum of the turns that the corners' places, their twists, and the first, next or last four edges each need."""
        turns: int = max(self.place_distance[state.places], self.twist_distance[state.twists])
        for group in range(3):
            number = 0
            for edge in range(4):
                number = 24 * number + (state.edges >> 20 * group + 5 * edge & 31)
            turns = max(turns, self.edge_distance[group, number])
        return turns

    def project(self, pattern: str) -> Domain:
        """The cube with only the corners ("corners") or some edges ("UR UF UL") distinguishable.

        Raises InputError for other patterns.
        """
        from bestfirst.domains.rubiks_cube.abstract import project  # noqa: PLC0415  (it imports this module)

        return project(self, pattern)

    def abstractions(self, pattern: str) -> Sequence[Domain]:
        """The abstract cubes for pdb:corners (one), pdb:edges (two halves), and pdb:korf (all three)."""
        from bestfirst.domains.rubiks_cube.abstract import abstractions  # noqa: PLC0415

        return abstractions(self, pattern)

    def facelets(self, state: State) -> str:
        """The 54 colours, face by face in the order U R F D L B, row by row."""
        from bestfirst.domains.rubiks_cube.tables import order_of  # noqa: PLC0415

        twists = [state.twists // 3**power % 3 for power in range(6, -1, -1)]
        twists.append(-sum(twists) % 3)
        colours = {(face, face): face for face in FACES}
        for place, corner, twist in zip(CORNERS, order_of(state.places), twists, strict=True):
            colours |= {(place, face): CORNERS[corner][at - twist] for at, face in enumerate(place)}
        for name, position in zip(EDGES, positions_of(state.edges), strict=True):
            place, flip = EDGES[position // 2], position % 2
            colours |= {(place, place[flip]): name[0], (place, place[1 - flip]): name[1]}
        return "".join(colours[spot] for spot in _spots())

    def format(self, state: State) -> str:
        facelets = self.facelets(state)
        return " ".join(facelets[start : start + 9] for start in range(0, 54, 9))

    def draw(self, state: State) -> str:
        """The net of the cube: U above F, D below it, L to its left, R and B to its right."""
        return draw_net(self.cells(state))

    def cells(self, state: State) -> list[Cell]:
        return list(net_cells(self.facelets(state), 3))


class _Backward(RubiksCube):
    """The cube from its goal: the same turns, with the names of their inverses."""

    actions = tuple(face + turn for face in FACES for turn in reversed(TURNS))


def positions_of(edges: int) -> tuple[int, ...]:
    """The position of each edge: 2 * the index of its place, plus 1 if it is flipped."""
    return tuple(edges >> 5 * edge & 31 for edge in range(len(EDGES)))


@cache
def _spots() -> list[tuple[str, str]]:
    """The place and the face of each facelet, in the order in which facelets are written."""
    spots = []
    for face, (one, two, three, four) in CORNERS_OF_FACE.items():
        row = [one, _edge_between(one, two), two, _edge_between(one, three), face, _edge_between(two, four)]
        spots += [(place, face) for place in (*row, three, _edge_between(three, four), four)]
    return spots


def _edge_between(one: str, other: str) -> str:
    return next(edge for edge in EDGES if set(edge) == set(one) & set(other))


def _facelets_of(letters: str) -> Facelets:
    return dict(zip(_spots(), letters.replace(" ", ""), strict=True))


def _read_facelets(what: str, given: str) -> Facelets:
    """The facelets from their letters, or from the turns that make them."""
    text = given if isinstance(given, str) else ""
    turns = read_turns(text)
    if turns is not None:
        return turned(_facelets_of(SOLVED), turns)
    letters = "".join(text.split())
    if len(letters) != 54 or set(letters) - set(FACES):
        raise InputError(
            f"the {what} is {shown(given)}; write turns such as R U2 F', or the 54 facelets, "
            f"face by face in the order U R F D L B, such as {SOLVED}"
        )
    for colour, count in Counter(letters).items():
        if count != 9:
            raise InputError(
                f"the {what} {shown(given)} has colour {colour} on {count} of the facelets; write 9 of each colour"
            )
    facelets = _facelets_of(letters)
    face_of = {facelets[face, face]: face for face in FACES}
    if len(face_of) < len(FACES):
        raise InputError(
            f"the {what} {shown(given)} has two centres of the same colour; the fifth letter of each face is its centre"
        )
    return {spot: face_of[colour] for spot, colour in facelets.items()}


def _pieces(what: str, facelets: Facelets) -> tuple[list[Piece], list[Piece]]:
    """The corner in each corner place with its twist, and the edge in each edge place with its flip."""
    corners = _found(what, "corner", "clockwise, ", CORNERS, _ROTATIONS, facelets)
    edges = _found(what, "edge", "", EDGES, _EDGE_SHOWN, facelets)
    twist, flip = sum(twist for _, twist in corners) % 3, sum(flip for _, flip in edges) % 2
    if twist:
        raise InputError(
            f"the corners of {what} are twisted by {twist}/3 of a turn in total, but face turns always keep that total a whole "
            "number of turns; a single corner may have been twisted in place"
        )
    if flip:
        raise InputError(
            f"{what} has an odd number of flipped edges, but face turns keep that number even; a single edge may have been flipped "
            "in place"
        )
    if _is_odd([corner for corner, _ in corners]) != _is_odd([edge for edge, _ in edges]):
        raise InputError(
            f"{what} needs an odd number of swaps of two pieces, but face turns keep that number even; two pieces may have been "
            "swapped"
        )
    return corners, edges


def _found(
    what: str, kind: str, how: str, places: Sequence[str], shown: Mapping[str, Piece], facelets: Facelets
) -> list[Piece]:
    """The piece in each place. Raises InputError for a missing or a repeated piece."""
    pieces = []
    for place in places:
        colours = "".join(facelets[place, face] for face in place)
        if colours not in shown:
            raise InputError(f"{what} has the colours {colours}, {how}at {place}, but no {kind} has them in this order")
        pieces.append(shown[colours])
    seen = Counter(piece for piece, _ in pieces)
    for piece, count in seen.items():
        if count > 1:
            missing = next(name for number, name in enumerate(places) if number not in seen)
            raise InputError(
                f"{what} has the {kind} {places[piece]} {count} times, but the {kind} {missing} not at all; write each {kind} once"
            )
    return pieces


def _is_odd(order: Sequence[int]) -> bool:
    """Whether a permutation is odd."""
    pairs = ((one, other) for one in range(len(order)) for other in range(one))
    return sum(order[one] < order[other] for one, other in pairs) % 2 == 1

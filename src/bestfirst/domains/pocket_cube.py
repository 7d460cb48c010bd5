"""The pocket cube: 2 x 2 x 2.

Rotating the whole cube does not matter, so the corner DBL (down, back, left) is taken as fixed, and turns of the faces U, R
and F suffice. A state is two numbers, which a turn changes independently of one another:

    places    the corner in each of the places URF UFL ULB UBR DFR DLF DRB, as the rank of the permutation in
              lexicographic order, 0 .. 7! - 1
    twists    how the corners in the first six of these places are twisted: six digits in base 3, that of URF the highest;
              the seventh makes the sum of all a multiple of 3

     12         0   9        0
    +------------+ +----------+
    |   places   | |  twists  |        5040 * 729 = 3,674,160 states
    +------------+ +----------+

The name of a place lists its faces clockwise, U or D first. A corner is named after its place in the solved cube. Its twist
is the index, in the name of its place, of the face that shows its U or D colour. Actions turn a face clockwise (U), half a
turn (U2) or counterclockwise (U'), and cost 1.
Source: Singmaster 1981 for the names of turns and places.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from functools import cache
from itertools import permutations, product
from types import MappingProxyType
from typing import Any, NamedTuple, TypeAlias

from bestfirst.array_views import read_only
from bestfirst.domain import Domain
from bestfirst.domains.shared.cube_geometry import (
    CORNERS,
    CORNERS_OF_FACE,
    FACES,
    OPPOSITE,
    Facelets,
    draw_net,
    face_after,
    net_cells,
    place_after,
    place_at,
    read_turns,
    turned,
)
from bestfirst.errors import InputError, UnknownNameError, needing_numpy, shown
from bestfirst.heuristics.heuristic import heuristic
from bestfirst.problem import Cell

PLACES = CORNERS
"""The places of corners; the last one is that of the fixed corner."""
MOVING = 7
FULL = "full"
"""The name of the pattern database of the whole cube."""
SOLVED = " ".join(4 * face for face in FACES)
_ROTATIONS = {name[turn:] + name[:turn]: (corner, -turn % 3) for corner, name in enumerate(PLACES) for turn in range(3)}
"""The colours at a place, clockwise, with the corner and the twist that they show."""

Corner: TypeAlias = tuple[int, int]
"""A corner, by the index in PLACES of its place in the solved cube, and its twist."""


class PocketCube(Domain):
    """A pocket cube with a start and a goal.

    cube, goal: the turns, of any face, that make it from the solved cube ("R U2 F'"); or its 24 facelets, face by face in
    the order U R F D L B and on each face row by row, as letters of colours, each named after its face in the solved cube
    ("UUUU RRRR FFFF DDDD LLLL BBBB"). Default goal: the solved cube.
    The cube is rotated as a whole so that its corner DBL is in its place.
    Raises InputError for anything else, and for facelets that no turns can produce.
    """

    class State(NamedTuple):
        """See the module docstring."""

        places: int
        twists: int

    frozen_arrays = frozenset({"place_moves", "twist_moves", "place_distance", "twist_distance"})
    unit_cost = True
    default_heuristic = "projections"
    max_actions = 9
    actions: Sequence[str] = tuple(face + turn for face in "URF" for turn in ("", "2", "'"))
    bits: Mapping[str, int] = MappingProxyType({"places": 13, "twists": 10})
    size = 5040 * 729

    def __init__(self, cube: str, goal: str = SOLVED) -> None:
        self.initial = self._read("cube", cube)
        self.goal_places, self.goal_twists = self._read("goal", goal)
        self.place_moves, self.twist_moves = _moves()
        self.place_distance = _distances(self.compiled_value("place_moves"), self.goal_places)
        self.twist_distance = _distances(self.compiled_value("twist_moves"), self.goal_twists)
        self._settle()

    @classmethod
    def from_text(cls, text: str, *, goal: str = SOLVED) -> PocketCube:
        """A cube from command-line arguments."""
        return cls(text, goal)

    def _read(self, what: str, given: str) -> State:
        corners = _corners(f"the {what} {shown(given)}", _read_facelets(what, given))
        twists = 0
        for _, twist in corners[: MOVING - 1]:
            twists = 3 * twists + twist
        return self.State(_orders().index(tuple(corner for corner, _ in corners[:MOVING])), twists)

    def step(self, state: State, action: int) -> tuple[bool, State, int]:
        return True, self.State(self.place_moves[state.places, action], self.twist_moves[state.twists, action]), 1

    def inverse(self, action: int) -> int:
        face, turn = divmod(action, 3)
        return 3 * face + 2 - turn

    def representatives(self) -> list[State]:
        """One state: turns move places, regardless of what is in them."""
        return [self.initial]

    def is_goal(self, state: State) -> bool:
        return state.places == self.goal_places and state.twists == self.goal_twists

    def goal_state(self) -> State:
        return self.State(self.goal_places, self.goal_twists)

    def backward(self) -> PocketCube:
        return _Backward(self.format(self.goal_state()), self.format(self.initial))

    def rank(self, state: State) -> int:
        return 729 * state.places + state.twists

    def unrank(self, number: int) -> State:
        return self.State(number // 729, number % 729)

    def parameters(self) -> dict[str, Any]:
        return {"goal": self.format(self.goal_state())}

    def abstractions(self, pattern: str) -> list[PocketCube]:
        """For pdb:full: the cube itself."""
        if pattern != FULL:
            raise UnknownNameError("pattern database", pattern, [FULL])
        return [self]

    @heuristic(admissible=True, consistent=True)
    def projections(self, state: State) -> int:
        """The maximum of two numbers of turns: to place the corners if twists are ignored, and to untwist them if places are."""
        turns: int = max(self.place_distance[state.places], self.twist_distance[state.twists])
        return turns

    def facelets(self, state: State) -> str:
        """The 24 colours, face by face in the order U R F D L B, row by row."""
        twists = [state.twists // 3**power % 3 for power in range(MOVING - 2, -1, -1)]
        twists.append(-sum(twists) % 3)
        colours = {("DBL", face): face for face in "DBL"}
        for place, corner, twist in zip(PLACES, _orders()[state.places], twists, strict=False):
            colours |= {(place, face): PLACES[corner][at - twist] for at, face in enumerate(place)}
        return "".join(colours[place, face] for face, places in CORNERS_OF_FACE.items() for place in places)

    def format(self, state: State) -> str:
        facelets = self.facelets(state)
        return " ".join(facelets[start : start + 4] for start in range(0, 24, 4))

    def draw(self, state: State) -> str:
        """The net of the cube: U above F, D below it, L to its left, R and B to its right."""
        return draw_net(self.cells(state))

    def cells(self, state: State) -> list[Cell]:
        return list(net_cells(self.facelets(state), 2))


class _Backward(PocketCube):
    """The cube from its goal: the same turns, with the names of their inverses."""

    actions = tuple(face + turn for face in "URF" for turn in ("'", "2", ""))


def _read_facelets(what: str, given: str) -> Facelets:
    """The facelets from their letters, or from the turns that make them."""
    text = given if isinstance(given, str) else ""
    turns = read_turns(text)
    if turns is not None:
        return turned(_facelets_of(SOLVED), turns)
    letters = "".join(text.split())
    if not re.fullmatch("[URFDLB]{24}", letters):
        raise InputError(
            f"the {what} is {shown(given)}; write turns such as R U2 F', or the 24 facelets, "
            f"face by face in the order U R F D L B, such as {SOLVED}"
        )
    for colour, count in Counter(letters).items():
        if count != 4:
            raise InputError(
                f"the {what} {shown(given)} has colour {colour} on {count} of the facelets; write 4 of each colour"
            )
    return _facelets_of(letters)


def _facelets_of(letters: str) -> Facelets:
    spots = [(place, face) for face, places in CORNERS_OF_FACE.items() for place in places]
    return dict(zip(spots, letters.replace(" ", ""), strict=True))


def _corners(what: str, facelets: Facelets) -> list[Corner]:
    """The corner in each place and its twist, with the cube held so that the corner DBL is in its place."""
    shown = {place: "".join(facelets[place, face] for face in place) for place in PLACES}
    for place, colours in shown.items():
        if colours not in _ROTATIONS:
            raise InputError(
                f"{what} has the colours {colours}, clockwise, at {place}, but no corner has them in this order"
            )
    seen = Counter(_ROTATIONS[colours][0] for colours in shown.values())
    for corner, count in seen.items():
        if count > 1:
            missing = next(name for number, name in enumerate(PLACES) if number not in seen)
            raise InputError(
                f"{what} has the corner {PLACES[corner]} {count} times, but the corner {missing} not at all; "
                "write each corner once"
            )
    held = _held_right(facelets, shown)
    corners = [_ROTATIONS["".join(held[place, face] for face in place)] for place in PLACES]
    twist = sum(twist for _, twist in corners) % 3
    if twist:
        raise InputError(
            f"the corners of {what} are twisted by {twist}/3 of a turn in total, but face turns always keep that total a whole "
            "number of turns; a single corner may have been twisted in place"
        )
    return corners


def _held_right(facelets: Facelets, shown: dict[str, str]) -> Facelets:
    """The facelets of the cube rotated so that the corner DBL is in its place; shown: the colours at each place."""
    place = next(place for place, colours in shown.items() if set(colours) == set("DBL"))
    after = dict(zip(place, shown[place], strict=True))  # the face that shows D becomes D, and so on
    after |= {OPPOSITE[face]: OPPOSITE[colour] for face, colour in after.items()}
    return {
        (place_at({after[each] for each in place}, PLACES), after[face]): colour
        for (place, face), colour in facelets.items()
    }


@cache
def _orders() -> list[tuple[int, ...]]:
    """The corners in the places, by rank."""
    return list(permutations(range(MOVING)))


@cache
@needing_numpy("the pocket cube")
def _moves() -> tuple[Any, Any]:
    """The result of each action on each rank of places, and on each number of twists: arrays of 5040 x 9 and 729 x 9."""
    import numpy as np  # noqa: PLC0415  (so that importing bestfirst does not)

    orders = _orders()
    number = {order: place for place, order in enumerate(orders)}
    place_moves, twist_moves = np.zeros((len(orders), 9), np.int16), np.zeros((729, 9), np.int16)
    for action, face in zip((0, 3, 6), "URF", strict=True):
        after = [PLACES.index(place_after(place, face, PLACES)) for place in PLACES[:MOVING]]
        before = [after.index(place) for place in range(MOVING)]
        added = [PLACES[to].index(face_after(place[0], place, face)) for place, to in zip(PLACES, after, strict=False)]
        places = np.array([number[tuple(order[place] for place in before)] for order in orders])
        twists = np.array([_twists_after(digits, before, added) for digits in product(range(3), repeat=MOVING - 1)])
        place_moves[:, action : action + 3] = np.stack([places, places[places], places[places[places]]], axis=1)
        twist_moves[:, action : action + 3] = np.stack([twists, twists[twists], twists[twists[twists]]], axis=1)
    return read_only(place_moves), read_only(twist_moves)


def _twists_after(digits: tuple[int, ...], before: Sequence[int], added: Sequence[int]) -> int:
    """The twists after a turn; before: the previous place of the corner in each place; added: the change of its twist, by
    previous place."""
    twists = (*digits, -sum(digits) % 3)
    number = 0
    for place in before[: MOVING - 1]:
        number = 3 * number + (twists[place] + added[place]) % 3
    return number


def _distances(moves: Any, goal: int) -> Any:
    """The fewest turns from each number to the goal's."""
    import numpy as np  # noqa: PLC0415

    distance = np.full(len(moves), -1, np.int8)
    layer = np.array([goal])
    turns = 0
    while len(layer):
        distance[layer] = turns
        following = np.unique(moves[layer])
        layer = following[distance[following] < 0]
        turns += 1
    return distance

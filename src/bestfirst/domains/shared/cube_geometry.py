"""The geometry of Rubik's cubes: places, faces, and the effect of turns.

A place is named by its faces: URF for a corner, UR for an edge. A turn of a face moves what is on one of the faces
around it to the next face. The new place of a piece, and its twist, follow from that.
Source: Singmaster 1981 for the names of turns and places.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import TypeAlias

FACES = "URFDLB"
OPPOSITE = dict(zip("URFDLB", "DLBURF", strict=True))
CORNERS = ("URF", "UFL", "ULB", "UBR", "DFR", "DLF", "DRB", "DBL")
"""The places of corners. The name of each lists its faces clockwise, U or D first."""
CORNERS_OF_FACE = {
    "U": ("ULB", "UBR", "UFL", "URF"),
    "R": ("URF", "UBR", "DFR", "DRB"),
    "F": ("UFL", "URF", "DLF", "DFR"),
    "D": ("DLF", "DFR", "DBL", "DRB"),
    "L": ("ULB", "UFL", "DBL", "DLF"),
    "B": ("UBR", "ULB", "DRB", "DBL"),
}
"""The corners of each face, row by row, as the faces lie in the net."""
FACE_IN_NET = {"U": (0, 1), "L": (1, 0), "F": (1, 1), "R": (1, 2), "B": (1, 3), "D": (2, 1)}
"""The row and the column of each face in the net: U above F, D below it, L to its left, R and B to its right."""
TURNS = ("", "2", "'")
"""The suffixes of a face: clockwise, half, or counterclockwise turn."""
_AROUND = {"U": "FLBR", "R": "FUBD", "F": "URDL", "D": "FRBL", "L": "FDBU", "B": "ULDR"}
"""The faces around each face: its turn moves what is on one of them to the next."""

Facelets: TypeAlias = dict[tuple[str, str], str]
"""The colour at each place on each of its faces."""


def face_after(face: str, place: str, turning: str) -> str:
    """The face on which a turn puts the sticker that is on this face of a place."""
    around = _AROUND[turning]
    return around[(around.index(face) + 1) % 4] if turning in place and face in around else face


def place_after(place: str, turning: str, places: Iterable[str]) -> str:
    """The place, as named in `places`, to which a turn moves the piece at this place."""
    return place_at({face_after(face, place, turning) for face in place}, places)


def place_at(faces: set[str], places: Iterable[str]) -> str:
    """The place with these faces."""
    return next(place for place in places if set(place) == faces)


def read_turns(text: str) -> list[str] | None:
    """The turns in a string such as R U2 F'; None if it contains anything else."""
    words = text.split()
    return words if words and all(re.fullmatch(r"[URFDLB][2'\u2019]?", word) for word in words) else None


def turned(facelets: Facelets, turns: Iterable[str]) -> Facelets:
    """The facelets after some turns."""
    places = {place for place, _ in facelets}
    for turn in turns:
        for _ in range({"": 1, "2": 2}.get(turn[1:], 3)):
            before = facelets
            facelets = {
                (place_after(place, turn[0], places), face_after(face, place, turn[0])): before[place, face]
                for place, face in before
            }
    return facelets


def net_cells(letters: Sequence[str], side: int) -> list[tuple[int, int, str]]:
    """The row, the column and the letter of each facelet in the net; letters: face by face in the order of FACES, row by row."""
    area = side * side
    return [
        (FACE_IN_NET[face][0] * side + at // side, FACE_IN_NET[face][1] * side + at % side, letters[number * area + at])
        for number, face in enumerate(FACES)
        for at in range(area)
    ]


def draw_net(cells: Iterable[tuple[float, float, str]]) -> str:
    """The net as lines of letters."""
    at: Mapping[tuple[int, int], str] = {(int(row), int(column)): letter for row, column, letter in cells}
    rows, columns = (1 + max(place[axis] for place in at) for axis in (0, 1))
    return "\n".join("".join(at.get((row, column), " ") for column in range(columns)).rstrip() for row in range(rows))

"""The effect of turns on the numbers of a Rubik's cube, and their distances from the goal, as arrays.

An action is 3 * the index of a face in FACES, plus 0 for a clockwise, 1 for a half, 2 for a counterclockwise turn.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache
from itertools import permutations, product
from math import factorial
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from bestfirst.array_views import read_only
from bestfirst.domains.shared.cube_geometry import CORNERS, FACES, TURNS, face_after, place_after

Array: TypeAlias = NDArray[Any]
ACTIONS = len(FACES) * len(TURNS)
POSITIONS = 24
"""The position of an edge: 2 * its place, plus 1 if it is flipped."""


def order_number(order: Sequence[int]) -> int:
    """The rank of a permutation of 0, 1, ... in lexicographic order."""
    return int(_numbers(np.array([order]))[0])


def order_of(number: int) -> list[int]:
    """The permutation of the eight corners with this rank."""
    found: list[int] = _orders()[number].tolist()
    return found


@cache
def _orders() -> Array:
    return np.array(list(permutations(range(len(CORNERS)))), np.int8)


def _numbers(orders: Array) -> Array:
    """The rank of the permutation in each row."""
    count = orders.shape[1]
    numbers = np.zeros(len(orders), np.int64)
    for place in range(count):
        later_and_smaller = (orders[:, place + 1 :] < orders[:, place : place + 1]).sum(axis=1)
        numbers += later_and_smaller * factorial(count - 1 - place)
    return numbers


@cache
def corner_moves() -> tuple[Array, Array]:
    """The result of each action on each rank of the corners' permutation, and on each of their twists: 40320 x 18 and 2187 x
    18."""
    orders = _orders()
    twists = np.array(list(product(range(3), repeat=len(CORNERS) - 1)))
    twists = np.column_stack([twists, -twists.sum(axis=1) % 3])
    powers = 3 ** np.arange(len(CORNERS) - 2, -1, -1)
    quarters = []
    for face in FACES:
        after = [CORNERS.index(place_after(place, face, CORNERS)) for place in CORNERS]
        added = np.array(
            [CORNERS[to].index(face_after(place[0], place, face)) for place, to in zip(CORNERS, after, strict=True)]
        )
        before = np.argsort(after)
        turned_twists = ((twists + added) % 3)[:, before]
        quarters.append((_numbers(orders[:, before]), turned_twists[:, :-1] @ powers))
    places, twisted = zip(*quarters, strict=True)
    return read_only(_turns(places).astype(np.uint16)), read_only(_turns(twisted).astype(np.int16))


def _turns(quarters: Sequence[Array]) -> Array:
    """The results of all turns from those of the quarter turns."""
    return np.column_stack([column for once in quarters for column in (once, once[once], once[once[once]])])


@cache
def edge_moves(places: tuple[str, ...]) -> Array:
    """The result of each action on each position of an edge: 18 x 24."""
    quarters = []
    for face in FACES:
        after = np.zeros(POSITIONS, np.int64)
        for number, place in enumerate(places):
            to = place_after(place, face, places)
            for flip in (0, 1):
                after[2 * number + flip] = 2 * places.index(to) + to.index(face_after(place[flip], place, face))
        quarters.append(after)
    return read_only(_turns(quarters).T.astype(np.uint8))


@cache
def corner_distances(places: int, twists: int) -> tuple[Array, Array]:
    """The fewest turns from each rank of the corners' permutation, and from each of their twists, to the given ones."""
    place_moves, twist_moves = corner_moves()
    return _distances(place_moves, places), _distances(twist_moves, twists)


def _distances(moves: Array, goal: int) -> Array:
    return _levels(goal, len(moves), lambda numbers: moves[numbers])


def _levels(goal: int, count: int, after: Callable[[Array], Array]) -> Array:
    """The fewest turns between each of the numbers 0 .. count - 1 and the goal; -1 for unreachable numbers."""
    distance = np.full(count, -1, np.int8)
    numbers, turns = np.array([goal]), 0
    while len(numbers):
        distance[numbers] = turns
        reached = np.zeros(count, bool)
        reached[after(numbers)] = True
        numbers, turns = np.flatnonzero(reached & (distance < 0)), turns + 1
    return read_only(distance)


@cache
def four_edge_distances(places: tuple[str, ...], goal: tuple[int, ...]) -> Array:
    """The fewest turns that bring four edges to their goal positions, for the first, the next and the last four: 3 x 24**4.

    The index has the four positions as its digits in base 24, the first the highest; -1 if two edges share a place.
    """
    pairs = _pair_moves(places)
    count = POSITIONS**2

    def after(numbers: Array) -> Array:
        first, second = np.divmod(numbers, count)
        return pairs[:, first] * count + pairs[:, second]

    powers = POSITIONS ** np.arange(3, -1, -1)
    ends = [int(np.array(goal[first : first + 4]) @ powers) for first in range(0, len(places), 4)]
    return read_only(np.stack([_levels(end, count * count, after) for end in ends]))


def _pair_moves(places: tuple[str, ...]) -> Array:
    """The result of each action on two edges, by their positions as digits in base 24: 18 x 24**2."""
    moves = edge_moves(places).astype(np.int32)
    return (moves[:, :, None] * POSITIONS + moves[:, None, :]).reshape(ACTIONS, -1)

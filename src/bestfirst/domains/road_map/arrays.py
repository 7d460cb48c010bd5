"""Checks the arrays of a road network, so that a wrong one is found when the map is made, not during a search."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import inf
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import ArrayLike, NDArray

from bestfirst.domains.road_map.distances import (
    EARTH_RADIUS,
    LARGEST_EXACT_PLACE,
    Bound,
    Distance,
    least_share,
    limits_of,
    on_sphere,
    shortcut_in_words,
    too_near_in_words,
    wrong_place,
)
from bestfirst.domains.road_map.roads import FARTHEST, LARGEST_SUM, NEAREST
from bestfirst.errors import InputError, counted
from bestfirst.problem import Cost

Array: TypeAlias = NDArray[Any]


def _whole(what: str, given: ArrayLike) -> Array:
    """A copy of an array of ints as 32-bit ints, which take half the space in the processor's caches."""
    array = np.asarray(given)
    if array.ndim != 1 or (array.dtype.kind not in "iu" and array.size):
        raise InputError(f"{what} has shape {array.shape} and type {array.dtype}; pass a one-dimensional array of ints")
    if array.size and not (array.min() >= 0 and array.max() < 2**31):
        raise InputError(f"{what} has numbers from {array.min()} to {array.max()}; they must be in 0 .. 2**31 - 1")
    return np.array(array, np.int32)


def _costs(given: ArrayLike) -> Array:
    array = np.asarray(given)
    if array.ndim != 1 or array.dtype.kind not in "iuf":
        raise InputError(f"cost has shape {array.shape} and type {array.dtype}; pass a one-dimensional array of numbers")
    wrong = np.flatnonzero(~((array >= 0) & np.isfinite(array)))
    if wrong.size:
        raise InputError(f"cost[{wrong[0]}] is {array[wrong[0]]}; use finite numbers >= 0")
    if array.dtype.kind == "f" and array.size:
        return np.array(array, np.float64)
    if array.sum(dtype=float) >= LARGEST_SUM:
        raise _sum_too_large()
    return np.array(array, np.int64)


def _sum_too_large() -> InputError:
    return InputError("the sum of the costs exceeds 2**61; pass the costs as floats")


def roads_of(first: ArrayLike, target: ArrayLike, cost: ArrayLike) -> tuple[Array, Array, Array]:
    """The three arrays of a network, in their internal types; raises InputError if they are not a network."""
    starts, targets, costs = _whole("first", first), _whole("target", target), _costs(cost)
    _check_roads(starts, targets, costs)
    return starts, targets, costs


def _check_roads(first: Array, target: Array, cost: Array) -> None:
    if len(first) < 2:
        raise InputError(f"'first' has length {len(first)}; it needs one entry for each node and a final one, so at least 2")
    if first[0] != 0 or first[-1] != len(target) or (np.diff(first) < 0).any():
        falls = ", and decreases in between" * bool((np.diff(first) < 0).any())
        raise InputError(
            f"'first' begins with {first[0]} and ends with {first[-1]}{falls}; it must begin with 0, never decrease, and end with "
            f"the number of roads, {len(target)}"
        )
    if len(cost) != len(target):
        raise InputError(
            f"'cost' has {counted(len(cost), 'number')} for {counted(len(target), 'road')}; pass one number for each road"
        )
    if len(target) and target.max() > len(first) - 2:
        raise InputError(f"a road leads to node {target.max()}, but the nodes are 0 .. {len(first) - 2}")


def turned(first: Array, target: Array, cost: Array) -> tuple[Array, Array, Array]:
    """The network with every road reversed; the roads of a node are in the order of the nodes that they lead to."""
    order = np.argsort(target, kind="stable")
    nodes = len(first) - 1
    origin = np.repeat(np.arange(nodes, dtype=np.int32), np.diff(first))
    starts = np.concatenate([[0], np.cumsum(np.bincount(target, minlength=nodes))]).astype(np.int32)
    return starts, origin[order], cost[order]


def replaced(first: Array, target: Array, cost: Array, now: Mapping[tuple[int, int], Cost]) -> tuple[Array, Array, Array]:
    """The network with other costs for the roads between some pairs of nodes; infinite: without the road.

    Roads that are only changed stay in their places; new ones come last at their nodes.
    """
    keep, costs = (
        np.ones(len(target), bool),
        np.array(cost, np.result_type(cost, *(type(one) for one in now.values() if one < inf))),
    )
    if costs.dtype.kind == "i" and any(LARGEST_SUM <= length < inf for length in now.values()):
        raise _sum_too_large()
    new: list[tuple[int, int, Cost]] = []
    for (origin, end), length in now.items():
        roads = first[origin] + np.flatnonzero(target[first[origin] : first[origin + 1]] == end)
        keep[roads[0 if length == inf else 1 :]] = False
        if length < inf and len(roads):
            costs[roads[0]] = length
        elif length < inf:
            new.append((origin, end, length))
    if keep.all() and not new:
        return roads_of(first, target, costs)
    origins = np.repeat(np.arange(len(first) - 1), np.diff(first))[keep]
    starts, ends, lengths = (np.array(column) for column in zip(*new, strict=True)) if new else ([], [], [])
    all_origins = np.concatenate([origins, starts]).astype(np.int32)
    order = np.argsort(all_origins, kind="stable")
    counts = np.bincount(all_origins, minlength=len(first) - 1)
    targets = np.concatenate([target[keep], ends]).astype(np.int32)
    return roads_of(
        np.concatenate([[0], np.cumsum(counts)]),
        targets[order],
        np.concatenate([costs[keep], np.asarray(lengths, costs.dtype)])[order],
    )


def nodes_that_differ(now: Sequence[Array], then: Sequence[Array]) -> list[int]:
    """The nodes whose roads differ in two networks of equally many nodes, each given as first, target and cost."""
    degrees = np.diff(now[0])
    alike = degrees == np.diff(then[0])
    ours, theirs = np.repeat(alike, degrees), np.repeat(alike, np.diff(then[0]))
    differs = (now[1][ours] != then[1][theirs]) | (now[2][ours] != then[2][theirs])
    owners = np.repeat(np.arange(len(degrees)), degrees)[ours]
    nodes: list[int] = np.union1d(np.flatnonzero(~alike), owners[differs]).tolist()
    return nodes


def columns_of(coordinates: ArrayLike, nodes: int) -> tuple[Array, Array]:
    """The x and the y of each node; raises InputError for invalid coordinates."""
    array = np.asarray(coordinates)
    if array.shape != (nodes, 2) or array.dtype.kind not in "iuf":
        raise InputError(
            f"coordinates has shape {array.shape} and type {array.dtype}; pass an array of numbers of shape {(nodes, 2)}"
        )
    if not (np.abs(array.astype(float)) <= FARTHEST).all():
        raise InputError(f"some coordinates are NaN, or exceed {FARTHEST:g}; use numbers up to {FARTHEST:g}")
    return np.array(array[:, 0], np.float64), np.array(array[:, 1], np.float64)


def places_of(coordinates: ArrayLike, nodes: int, distance: Distance) -> tuple[Array, ...]:
    """The places of the nodes as columns: x and y in the plane, or x, y and z on the earth; raises InputError."""
    x, y = columns_of(coordinates, nodes)
    if distance == "straight":
        return x, y
    most_x, most_y = limits_of(distance)
    wrong = np.flatnonzero((np.abs(x) > most_x) | (np.abs(y) > most_y))
    if wrong.size:
        raise InputError(wrong_place(f"node {wrong[0]}", x[wrong[0]], y[wrong[0]], distance))
    east, north = np.radians(x), np.radians(y)
    level = EARTH_RADIUS * np.cos(north)
    return level * np.cos(east), level * np.sin(east), EARTH_RADIUS * np.sin(north)


def bound_of_network(first: Array, target: Array, cost: Array, places: tuple[Array, ...], distance: Distance) -> Bound:
    """How the distances between places bound the costs of roads."""
    origin = np.repeat(np.arange(len(first) - 1, dtype=np.int32), np.diff(first))
    parts = [column[origin] - column[target] for column in places]
    line = parts[0] * parts[0] + parts[1] * parts[1]
    line = np.sqrt(line if len(parts) == 2 else line + parts[2] * parts[2])
    if distance == "great-circle":
        line = on_sphere(line)
    too_near = np.flatnonzero((line < NEAREST) & np.any([part != 0 for part in parts], axis=0))
    if too_near.size:
        return Bound(too_near_in_words(origin[too_near[0]], target[too_near[0]]), 0.0)
    is_long = line > 0
    scale = float((cost[is_long] / line[is_long]).min()) if is_long.any() else np.inf
    least = _least_costs(line, cost.dtype.kind == "i", origin, target, places)
    short = np.flatnonzero(cost < least)
    if not short.size:
        return Bound(None, scale)
    worst = short[(line[short] - cost[short]).argmax()]
    return Bound(
        shortcut_in_words(origin[worst], target[worst], cost[worst].item(), line[worst].item(), distance),
        scale,
    )


def _least_costs(line: Array, is_whole: bool, origin: Array, target: Array, places: tuple[Array, ...]) -> Array:
    """What each road must cost at least, so that the distance is a lower bound: ints for whole costs, to compare exactly."""
    if not is_whole:
        return np.asarray(line * least_share(False, False))
    exact = np.all([(column == np.rint(column)) & (np.abs(column) <= LARGEST_EXACT_PLACE) for column in places], axis=0)
    shares = np.where(exact[origin] & exact[target], least_share(True, True), least_share(True, False))
    return np.asarray(np.ceil(np.minimum(line * shares, LARGEST_SUM)), np.int64)

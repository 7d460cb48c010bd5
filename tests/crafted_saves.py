"""Crafted files of saved searches: a saved one with something in it changed, all checksums being right."""

from __future__ import annotations

import json
import math
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

import numpy as np

import bestfirst as bf
from compilable import FloatGraph, IntGraph

EIGHT = bf.SlidingTile("2 1 6 4 _ 8 7 5 3", goal="1 2 3 8 _ 4 7 6 5")
_EDGES = {
    node: [((node * 7 + 3) % 60, 2.5 + node % 3), ((node * 11 + 5) % 60, 3.1 + node % 4), ((node + 1) % 60, 5.0)]
    for node in range(60)
}
GRAPH = FloatGraph(_EDGES, frozenset([37]), {node: 0.5 for node in range(60) if node != 37}, 60)
LARGE = IntGraph(
    {node: [(to, int(2**53 * cost) + node) for to, cost in links] for node, links in _EDGES.items()},
    frozenset([37]),
    {node: 2**50 for node in range(60) if node != 37},
    60,
)

SEARCHES: dict[str, tuple[bf.Problem, str, dict[str, Any], int]] = {
    "astar": (EIGHT, "astar", {}, 60),
    "astar by lifo": (EIGHT, "astar", {"ties": "lifo"}, 60),
    "uniform-cost": (GRAPH, "uniform-cost", {}, 15),
    "greedy": (EIGHT, "greedy", {}, 20),
    "weighted-astar": (EIGHT, "weighted-astar", {"weight": 2}, 30),
    "anytime-weighted-astar": (EIGHT, "anytime-weighted-astar", {"weight": 3}, 100),
    "idastar": (EIGHT, "idastar", {}, 100),
    "idastar by f": (EIGHT, "idastar", {"order": "f"}, 100),
    "idastar with pruning": (EIGHT, "idastar", {"prune": 6}, 100),
    "idastar by threads": (EIGHT, "idastar", {"threads": 2}, 300),
    "depth-first-branch-and-bound": (EIGHT, "depth-first-branch-and-bound", {}, 2_000),
    "depth-first-branch-and-bound with a memo": (EIGHT, "depth-first-branch-and-bound", {"memo": True}, 2_000),
    "beam": (EIGHT, "beam", {"width": 20}, 60),
    "anytime-beam": (EIGHT, "anytime-beam", {"width": 4}, 100),
    "bidirectional-astar": (EIGHT, "bidirectional-astar", {}, 20),
    "astar with float costs": (GRAPH, "astar", {}, 12),
    "astar with large costs": (LARGE, "astar", {}, 12),
    "anytime-weighted-astar with a huge weight": (LARGE, "anytime-weighted-astar", {"weight": 2**63}, 12),
    "anytime-beam with large costs": (LARGE, "anytime-beam", {"width": 2}, 12),
    "depth-first-branch-and-bound with float costs": (GRAPH, "depth-first-branch-and-bound", {}, 300),
}
"""The problem, the algorithm, its options, and after how many expansions the search is saved."""


def search_of(name: str) -> bf.Search:
    """A search at its start."""
    problem, algorithm, options, _expansions = SEARCHES[name]
    heuristic = None if algorithm == "uniform-cost" else "manhattan" if problem is EIGHT else "given"
    return bf.Search(problem, algorithm, heuristic, engine="compiled", **options)


def save_one(name: str, file: Path) -> None:
    """Write the file of a search on its way."""
    search = search_of(name)
    search.run(bf.Limits(expansions=SEARCHES[name][3]))
    search.save(file)


def parts_of(file: Path) -> dict[str, Any]:
    """The arrays of a file, the header among them as what it says."""
    with np.load(file) as archive:
        parts = {name: archive[name] for name in archive.files}
    return {**parts, "header": json.loads(parts["header"].tobytes())}


def write(file: Path, parts: dict[str, Any]) -> None:
    """Write a file of such parts."""
    header = np.frombuffer(json.dumps(parts["header"]).encode(), np.uint8)
    with file.open("wb") as opened:
        np.savez(opened, **{**parts, "header": header})
    file.chmod(0o600)


def leaves(value: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """The ways to everything in a header."""
    if path:
        yield path
    items = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, inner in items:
        yield from leaves(inner, (*path, key))


OTHERS: list[Any] = [0, 1, -1, 2, 7, 2**31 - 1, 2**31, 2**62, 2**63 - 1, 2**64, -(2**63), 0.5, 1e300, math.inf, math.nan]
OTHERS += [True, False, None, "", "x", [], {}, [1], {"array": 0}, {"array": 99}]


def changed(parts: dict[str, Any], random: Random) -> tuple[dict[str, Any], str]:
    """The same with something else in one or two places, and what that is."""
    parts = {**parts, "header": json.loads(json.dumps(parts["header"]))}
    told = []
    for _ in range(random.choice((1, 1, 1, 2))):
        names = [name for name in parts if name not in ("header", "problem")]
        in_header = not names or random.random() < 0.5
        told.append(
            _change_header(parts["header"], random) if in_header else _change_array(parts, random.choice(names), random)
        )
    return parts, "; ".join(told)


def _change_header(header: dict[str, Any], random: Random) -> str:
    path = random.choice(list(leaves(header)))
    place = header
    for key in path[:-1]:
        place = place[key]
    old = place[path[-1]]
    what = random.randrange(4)
    if what == 0:
        del place[path[-1]]
        return f"{path} removed"
    if what == 1 and isinstance(old, int | float) and not isinstance(old, bool) and abs(old) < 2**62:
        place[path[-1]] = old + random.choice((-2, -1, 1, 2, 10))
    else:
        place[path[-1]] = random.choice(OTHERS)
    return f"{path}: {old!r} -> {place[path[-1]]!r}"


def _change_array(parts: dict[str, Any], name: str, random: Random) -> str:
    array = parts[name] = parts[name].copy()
    what = random.randrange(8)
    if what == 0 or not array.size:
        parts[name] = array[: len(array) // 2] if random.random() < 0.5 else np.concatenate([array, array[:1]])
        return f"{name}: of length {len(parts[name])}"
    if what == 1:
        kind = random.choice((np.int8, np.int32, np.int64, np.float64, np.uint8, np.uint32))
        parts[name] = array.astype(kind)
        return f"{name}: of {kind.__name__}"
    if what == 2:
        parts[name] = array.reshape(1, *array.shape)
        return f"{name}: of shape {parts[name].shape}"
    flat = array.reshape(-1)
    at, other = random.randrange(len(flat)), random.randrange(len(flat))
    old = flat[at]
    if what == 3:
        flat[at], flat[other] = flat[other], flat[at]
        return f"{name}: {at} and {other} exchanged, {flat[other]} and {flat[at]}"
    if what == 4 and array.dtype != np.float64:
        flat[at] = np.array(int(old) ^ 1 << random.randrange(8 * array.itemsize - 1)).astype(array.dtype)
    elif what == 5:
        with np.errstate(all="ignore"):
            flat[at] += flat.dtype.type(1) * (
                1 if random.random() < 0.5 else flat.dtype.type(-1 % 256 if flat.dtype.kind == "u" else -1)
            )
    elif array.dtype == np.float64:
        flat[at] = random.choice([-1.0, 0.0, 0.5, 2.0**31, 1e300, math.inf, -math.inf, math.nan])
    else:
        bits = 8 * array.itemsize
        flat[at] = np.array(
            random.choice([0, 1, 2, 7, -1, 1 << bits - 1, (1 << bits - 1) - 1, 1 << bits - 2]) % (1 << bits),
            f"u{array.itemsize}",
        ).astype(array.dtype)
    return f"{name}: {at} of {len(flat)}: {old} -> {flat[at]}"


def outcome(file: Path, name: str, right: float) -> str:
    """What becomes of a file: refused, right, stopped by a limit, or what is wrong."""
    try:
        search = bf.Search.load(file, SEARCHES[name][0])
        solution = search.run(bf.Limits(seconds=2, expansions=200_000))
    except bf.InputError:
        return "refused"
    if solution.cost is not None:
        solution.verify()
        if solution.cost < right:
            return f"wrong: a cost of {solution.cost}"
    if solution.status == "optimal" and solution.cost != right:
        return f"wrong: optimal {solution.cost}"
    if solution.status == "unsolvable":
        return "wrong: unsolvable"
    if solution.lower_bound > right:
        return f"wrong: a bound of {solution.lower_bound}"
    return "limit" if solution.status in ("limit", "interrupted") else "right"

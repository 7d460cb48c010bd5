"""Pancakes with the gap heuristic: random stacks of 12, 14 and 16 pancakes."""

from __future__ import annotations

import random

SIZES = (12, 14, 16)
STACKS = 100


def stacks(size: int) -> list[str]:
    """Random stacks of a size, the same in each run."""
    chance = random.Random(size)
    return [" ".join(map(str, chance.sample(range(1, size + 1), size))) for _ in range(STACKS)]


SPEC = {
    "name": "pancakes",
    "title": "Pancakes with the gap heuristic",
    "about": "A* and IDA* with the gap heuristic (Helmert 2010) on 100 random stacks of each size.",
    "limits": {"seconds": 60, "memory": "2GiB"},
    "problems": [{"name": f"{size} pancakes", "domain": "pancake", "instances": stacks(size)} for size in SIZES],
    "configurations": [
        {"name": "A*, gap", "algorithm": "astar", "heuristic": "gap"},
        {"name": "IDA*, gap", "algorithm": "idastar", "heuristic": "gap"},
    ],
}

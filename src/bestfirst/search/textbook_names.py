"""What textbooks call the algorithms: an error for an unknown name suggests the right algorithm, not a similar word."""

from __future__ import annotations

import re

_TEXTBOOK_NAMES = {
    "britishmuseum": "generate-and-test",
    "bruteforce": "generate-and-test",
    "bfs": "breadth-first",
    "dfs": "depth-first",
    "dls": "depth-limited",
    "iddfs": "iterative-deepening",
    "ids": "iterative-deepening",
    "dfid": "iterative-deepening",
    "ucs": "uniform-cost",
    "lcfs": "uniform-cost",
    "dijkstra": "uniform-cost",
    "cheapestfirst": "uniform-cost",
    "lowestcostfirst": "uniform-cost",
    "gbfs": "greedy",
    "greedybestfirst": "greedy",
    "a": "astar",
    "astar": "astar",
    "wa": "weighted-astar",
    "wastar": "weighted-astar",
    "awastar": "anytime-weighted-astar",
    "bnb": "branch-and-bound",
    "bb": "branch-and-bound",
    "dfbnb": "depth-first-branch-and-bound",
    "dfbb": "depth-first-branch-and-bound",
    "lds": "limited-discrepancy",
    "ida": "idastar",
    "idastar": "idastar",
    "iterativedeepeningastar": "idastar",
    "recursivebestfirst": "rbfs",
    "bidirectional": "bidirectional-astar",
}
"""By the name of the textbook, in lower case and without hyphens."""


def textbook_name(given: str) -> str | None:
    """The algorithm that textbooks call by a name, such as "BFS" or "Dijkstra's algorithm"; None if there is none."""
    words = re.sub(r"'s\b|\b(search|algorithm)\b", "", given.lower().replace("*", "star").replace("_", " "))
    return _TEXTBOOK_NAMES.get(re.sub(r"\W", "", words))

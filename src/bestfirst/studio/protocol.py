"""What the server and its working processes agree on."""

from __future__ import annotations

END = b'{"end":true}\n'
SPENT = b'{"end":"spent"}\n'
"""The line after the last message of a request. SPENT: the process should not be used again."""

WORK = {
    "look": ("searching", "look"),
    "search": ("searching", "search"),
    "compare": ("comparing", "compare"),
    "own": ("own", "own"),
    "random": ("random_instances", "random"),
    "lesson": ("teaching", "lesson"),
    "teach": ("teaching", "teach"),
    "watch": ("teaching", "watch"),
    "laboratory": ("laboratory", "laboratory"),
    "written": ("written", "written"),
    "position": ("gaming", "position"),
    "prepare": ("gaming", "make_ready"),
    "think": ("gaming", "think"),
    "tree": ("gaming", "tree"),
}
"""By the name of a kind of work, its module in this package and its function."""

QUESTIONS = ("look", "random", "position", "lesson")
"""The kinds of work that take a moment."""
JOBS = ("search", "compare", "laboratory", "prepare", "think", "teach", "watch", "written", "tree")
"""The kinds of work that may take long."""

SPENDING = ("written",)
"""The kinds of work after which a process is not used again: they run code of the page."""

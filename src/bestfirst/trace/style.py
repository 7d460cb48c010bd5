"""The style of search-tree nodes, the same in every drawing."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from textwrap import wrap

from bestfirst.problem import Problem
from bestfirst.trace.labels import columns, shortened, visible
from bestfirst.trace.tree import Status, TreeNode
from bestfirst.written import text_of

FONT = "DejaVu Sans Mono, Menlo, Consolas, monospace"
INK = "#111827"
EDGE = "#9ca3af"
SOLUTION = "#15803d"

WIDEST = 36
"""Maximum columns of a line in a picture; longer lines are cut."""
TALLEST = 24
"""Maximum lines of a picture; taller pictures are cut."""

NARROW = 18
"""Maximum columns of a line in a remark, which is wrapped."""


@dataclass(frozen=True, slots=True)
class Look:
    """The colours of a node, whether its outline is dashed, and the meaning of both."""

    meaning: str
    fill: str
    line: str
    dashed: bool = False


LOOKS: dict[Status, Look] = {
    "expanded": Look("expanded", "#dbeafe", "#1d4ed8"),
    "open": Look("on the open list", "#fef9c3", "#a16207"),
    "goal": Look("goal", "#bbf7d0", SOLUTION),
    "duplicate": Look("duplicate", "#f3f4f6", "#6b7280", dashed=True),
    "replaced": Look("replaced by a cheaper path", "#f3f4f6", "#6b7280"),
    "pruned": Look("pruned", "#fee2e2", "#b91c1c", dashed=True),
}

SOLUTION_PATH = Look("path of the solution", "#ffffff", SOLUTION)


def looks_of(nodes: Iterable[TreeNode]) -> list[Look]:
    """The styles in use among nodes, for a legend."""
    shown = list(nodes)
    statuses = {node.status for node in shown}
    looks = [look for status, look in LOOKS.items() if status in statuses]
    return [*looks, SOLUTION_PATH] if any(node.on_solution for node in shown) else looks


def picture(problem: Problem, node: TreeNode) -> list[str]:
    """The lines of a picture of the state, padded to equal width."""
    lines = [shortened(line, WIDEST) for line in visible(text_of(problem, "draw", node.node.state)).split("\n")]
    if len(lines) > TALLEST:
        lines = [*lines[: TALLEST - 1], "…"]
    width = max(columns(line) for line in lines)
    return [line + " " * (width - columns(line)) for line in lines]


def caption(node: TreeNode) -> list[str]:
    """The lines below the picture: g, h and f, and a remark if the colours do not tell everything."""
    told = ""
    if node.status == "pruned":
        told = node.reason or ""
    elif node.status in ("open", "expanded"):
        told = node.remark()
    return [node.values(), *wrap(told, NARROW)]


def expansion_order(node: TreeNode) -> str:
    """The expansion numbers of the node: '3', or '3, 7' if it was expanded repeatedly; empty if it never was."""
    numbers = [f"{number}" for number in node.expansions]
    return ", ".join(numbers if len(numbers) <= 3 else [*numbers[:2], "…", numbers[-1]])


def action_of(problem: Problem, node: TreeNode) -> str:
    """The action that led to the node, shortened to fit an edge; empty for a root."""
    return (
        ""
        if node.parent is None
        else shortened(visible(text_of(problem, "format_action", node.node.action)).split("\n")[0], 18)
    )

"""The content of a tree drawing, independent of layout and format."""

from __future__ import annotations

from dataclasses import dataclass, field

from bestfirst.problem import Problem
from bestfirst.trace.labels import one_line
from bestfirst.trace.style import LOOKS, SOLUTION_PATH, Look, action_of, caption, expansion_order, looks_of, picture
from bestfirst.trace.tree import SearchTree, TreeNode
from bestfirst.written import text_of

ALL_ON_A_PAGE = "a page (--view run.html, to_html) shows all of them"


@dataclass(frozen=True, slots=True)
class DrawnNode:
    """A node of a drawing.

    number: its identity. parent: the number of the parent; None for a root. picture, caption: its lines, large and small.
    order: a short label on its corner, or empty. branch: the label of the edge above. about: the full description, for the
    tooltip. on_path: whether it is on the highlighted path.
    """

    number: int
    parent: int | None
    picture: list[str]
    caption: list[str]
    branch: str
    look: Look
    about: str
    order: str = ""
    on_path: bool = False


@dataclass(slots=True)
class TreeDrawing:
    """The nodes of a tree, parents before their children and children from left to right, with notes and a legend.

    notes: the lines above. looks: the styles in the legend. order_means: the meaning of the corner labels, or empty.
    """

    title: str
    nodes: list[DrawnNode]
    notes: list[str] = field(default_factory=list)
    looks: list[Look] = field(default_factory=list)
    order_means: str = ""
    path: Look = SOLUTION_PATH


def search_tree_drawing(tree: SearchTree, problem: Problem, limit: int) -> TreeDrawing:
    """The drawing of a search tree with at most `limit` nodes: the solution, and the nodes generated first.

    Raises InputError for a limit below 1.
    """
    chosen = tree.first(limit)
    return TreeDrawing(
        "Search tree",
        [_drawn(node, problem) for node in chosen],
        [*tree.notes(len(chosen)), *([ALL_ON_A_PAGE] if len(chosen) < len(tree.nodes) else [])],
        looks_of(chosen),
        "order of expansion",
    )


def _drawn(node: TreeNode, problem: Problem) -> DrawnNode:
    return DrawnNode(
        number=node.number,
        parent=None if node.parent is None else node.parent.number,
        picture=picture(problem, node),
        caption=caption(node),
        branch=action_of(problem, node),
        look=LOOKS[node.status],
        about=one_line(text_of(problem, "format", node.node.state)) + (f" ({node.remark()})" if node.remark() else ""),
        order=expansion_order(node),
        on_path=node.on_solution,
    )

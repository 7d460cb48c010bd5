"""The search tree as a Graphviz DOT graph."""

from __future__ import annotations

from bestfirst.problem import Problem
from bestfirst.trace.style import (
    EDGE,
    INK,
    LOOKS,
    SOLUTION,
    SOLUTION_PATH,
    Look,
    action_of,
    caption,
    expansion_order,
    looks_of,
    picture,
)
from bestfirst.trace.tree import SearchTree, TreeNode


def to_dot(tree: SearchTree, problem: Problem, *, limit: int = 1000) -> str:
    """The tree as DOT text, for `dot -Tsvg` and the like. Graphviz is not needed to make it.

    Each node shows its state as problem.draw draws it, when it was expanded (#1 first), and g, h and f; the actions stand on
    the edges. limit: of nodes shown; where there are more, the solution and those made first are shown.
    Raises InputError for a limit below 1.
    """
    chosen = tree.first(limit)
    shown = {node.number for node in chosen}
    title = _quoted(tree.notes(len(chosen)))
    lines = [
        "digraph search_tree {",
        f'  graph [label={title}, labelloc=t, fontname="sans-serif", fontcolor="{INK}", ordering=out]',
        f'  node [shape=box, style="filled,rounded", fontname="monospace", fontsize=11, fontcolor="{INK}"]',
        f'  edge [fontname="monospace", fontsize=10, color="{EDGE}", fontcolor="{INK}", arrowsize=0.6]',
        *(_node(node, problem) for node in chosen),
        *(_edge(node, problem) for node in chosen if node.parent is not None and node.parent.number in shown),
        *_legend(chosen),
        "}",
    ]
    return "\n".join(lines) + "\n"


def _node(node: TreeNode, problem: Problem) -> str:
    order = expansion_order(node)
    label = [*picture(problem, node), *([f"#{order}"] if order else []), *caption(node)]
    return f"  n{node.number} [label={_quoted(label)}, {_look(LOOKS[node.status], node.on_solution)}]"


def _edge(node: TreeNode, problem: Problem) -> str:
    assert node.parent is not None
    action = [f" {action_of(problem, node)}"]  # the space keeps it off the edge
    look = f', color="{SOLUTION}", penwidth=3' if node.on_solution and node.parent.on_solution else ""
    return f"  n{node.parent.number} -> n{node.number} [label={_quoted(action)}{look}]"


def _legend(shown: list[TreeNode]) -> list[str]:
    """A box with a sample of each look that occurs."""
    samples = [
        f"    legend{number} [label={_quoted([look.meaning])}, {_look(look, look is SOLUTION_PATH)}]"
        for number, look in enumerate(looks_of(shown))
    ]
    title = _quoted(["#: order of expansion"])
    settings = f'    graph [label={title}, fontname="sans-serif", fontsize=10, color="{EDGE}"]'
    return ["  subgraph cluster_legend {", settings, *samples, "  }"]


def _look(look: Look, on_solution: bool) -> str:
    style = "filled,rounded,dashed" if look.dashed else "filled,rounded"
    outline = f'color="{SOLUTION}", penwidth=3' if on_solution else f'color="{look.line}"'
    return f'style="{style}", fillcolor="{look.fill}", {outline}'


def _quoted(lines: list[str]) -> str:
    """Lines as a DOT string: backslashes and quotes escaped, and the ampersand, with which an entity would begin."""
    escaped = (line.replace("\\", "\\\\").replace('"', '\\"').replace("&", "&amp;") for line in lines)
    return '"' + "\\n".join(escaped) + '"'

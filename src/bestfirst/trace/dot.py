"""Writes a tree as a Graphviz DOT graph."""

from __future__ import annotations

from bestfirst.problem import Problem
from bestfirst.trace.style import EDGE, INK, SOLUTION, Look
from bestfirst.trace.tree import SearchTree
from bestfirst.trace.tree_drawing import DrawnNode, TreeDrawing, search_tree_drawing


def to_dot(tree: SearchTree, problem: Problem, *, limit: int = 1000) -> str:
    """The tree as a DOT string, for example for `dot -Tsvg`. Graphviz is not needed.

    Each node shows its state as drawn by problem.draw, its expansion number (#1 first), and g, h and f; edges show actions.
    limit: the maximum number of nodes shown: the solution, and the nodes generated first.
    Raises InputError for a limit below 1.
    """
    return drawn_as_dot(search_tree_drawing(tree, problem, limit))


def drawn_as_dot(drawing: TreeDrawing) -> str:
    """A drawing as a DOT string."""
    shown = {node.number: node for node in drawing.nodes}
    lines = [
        f"digraph {drawing.title.lower().replace(' ', '_')} {{",
        f'  graph [label={_quoted(drawing.notes)}, labelloc=t, fontname="sans-serif", fontcolor="{INK}", ordering=out]',
        f'  node [shape=box, style="filled,rounded", fontname="monospace", fontsize=11, fontcolor="{INK}"]',
        f'  edge [fontname="monospace", fontsize=10, color="{EDGE}", fontcolor="{INK}", arrowsize=0.6]',
        *(_node(node) for node in drawing.nodes),
        *(_edge(shown[node.parent], node) for node in drawing.nodes if node.parent is not None and node.parent in shown),
        *_legend(drawing),
        "}",
    ]
    return "\n".join(lines) + "\n"


def _node(node: DrawnNode) -> str:
    label = [*node.picture, *([f"#{node.order}"] if node.order else []), *node.caption]
    return f"  n{node.number} [label={_quoted(label)}, {_look(node.look, node.on_path)}]"


def _edge(above: DrawnNode, below: DrawnNode) -> str:
    branch = [f" {below.branch}"]  # the space separates it from the edge
    look = f', color="{SOLUTION}", penwidth=3' if above.on_path and below.on_path else ""
    return f"  n{above.number} -> n{below.number} [label={_quoted(branch)}{look}]"


def _legend(drawing: TreeDrawing) -> list[str]:
    """A box with a sample of each node style in use."""
    samples = [
        f"    legend{number} [label={_quoted([look.meaning])}, {_look(look, look is drawing.path)}]"
        for number, look in enumerate(drawing.looks)
    ]
    title = _quoted([f"#: {drawing.order_means}"] if drawing.order_means else [])
    settings = f'    graph [label={title}, fontname="sans-serif", fontsize=10, color="{EDGE}"]'
    return ["  subgraph cluster_legend {", settings, *samples, "  }"]


def _look(look: Look, on_path: bool) -> str:
    style = "filled,rounded,dashed" if look.dashed else "filled,rounded"
    outline = f'color="{SOLUTION}", penwidth=3' if on_path else f'color="{look.line}"'
    return f'style="{style}", fillcolor="{look.fill}", {outline}'


def _quoted(lines: list[str]) -> str:
    """Lines as a DOT string, with backslashes, quotes and ampersands (which start entities) escaped."""
    escaped = (line.replace("\\", "\\\\").replace('"', '\\"').replace("&", "&amp;") for line in lines)
    return '"' + "\\n".join(escaped) + '"'

"""Lays out trees: parents centred above their children, without overlapping subtrees."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(slots=True)
class _Subtree:
    """The offsets of a node's children, and the left and right edge of each level from its own down."""

    offsets: list[float]
    edges: list[tuple[float, float]]


def place(children: Sequence[Sequence[int]], widths: Sequence[float], gap: float) -> list[float]:
    """The x of the centre of each node, with neighbours on a level at least `gap` apart and the leftmost edge at 0.

    children: for each node, by number, the numbers of its children from left to right; a child has a higher number.
        A node without a parent is a root; roots are placed side by side in the order of their numbers.
    widths: the widths of the nodes.
    Each subtree is laid out separately, then moved as close to its left neighbours as their outlines allow.
    Source: Reingold & Tilford 1981, extended to nodes of any width and any number of children.
    """
    count = len(children)
    subtrees: list[_Subtree] = [_Subtree([], []) for _ in range(count)]
    for node in reversed(range(count)):
        offsets, edges = _side_by_side([subtrees[child].edges for child in children[node]], gap)
        middle = (offsets[0] + offsets[-1]) / 2 if offsets else 0.0
        half = widths[node] / 2
        below = [(left - middle, right - middle) for left, right in edges]
        subtrees[node] = _Subtree([offset - middle for offset in offsets], [(-half, half), *below])
    inner = {child for below in children for child in below}
    roots = [node for node in range(count) if node not in inner]
    centres = [0.0] * count
    for root, x in zip(roots, _side_by_side([subtrees[root].edges for root in roots], gap)[0], strict=True):
        centres[root] = x
    for node in range(count):
        for child, offset in zip(children[node], subtrees[node].offsets, strict=True):
            centres[child] = centres[node] + offset
    leftmost = min((centre - width / 2 for centre, width in zip(centres, widths, strict=True)), default=0.0)
    return [centre - leftmost for centre in centres]


def _side_by_side(
    outlines: Sequence[list[tuple[float, float]]], gap: float
) -> tuple[list[float], list[tuple[float, float]]]:
    """The offset of each outline, the first at 0, and the combined outline."""
    offsets: list[float] = []
    whole: list[tuple[float, float]] = []
    for outline in outlines:
        shared = list(zip(whole, outline, strict=False))
        offset = max((right - left + gap for (_, right), (left, _) in shared), default=0.0)
        offsets.append(offset)
        moved = [(left + offset, right + offset) for left, right in outline]
        joined = [(before[0], after[1]) for before, after in zip(whole, moved, strict=False)]
        whole = [*joined, *whole[len(joined) :], *moved[len(joined) :]]
    return offsets, whole

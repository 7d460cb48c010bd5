"""An explicit tree, for studying the order in which a search visits its nodes.

A state is a node; an action is the child that it leads to. As a string, a tree lists the children of each inner node,
the root first:

    I: S1 S2; S1: S3 S4; S2: S5; S3: S6 S7; S4: S8 S9

An edge costs 1, unless the child is followed by "=" and another cost. Estimates of the remaining cost follow the names
of the nodes in parentheses, once for every node: "I(4): S1=3(2) S2(5); S1: S3=1.5(0)".
"""

from __future__ import annotations

import math
import re
from collections.abc import Hashable, Iterable, Iterator, Mapping
from dataclasses import replace
from typing import Any, TypeAlias

from bestfirst.arguments import check_kind
from bestfirst.cached import cached_property
from bestfirst.errors import InputError, UnknownNameError, cut, shown
from bestfirst.frozen import frozen
from bestfirst.heuristics.heuristic import Heuristic, heuristic
from bestfirst.problem import Cost, Problem, Successor
from bestfirst.rounding import exceeds_distance

Node: TypeAlias = Any
"""Any hashable value; in a string a word without any of : ; , = ( )."""

Children: TypeAlias = dict[Node, dict[Node, Cost]]
"""For every node, including leaves: its children in order, each with the cost of its edge."""


class Tree(Problem[Node, Node]):
    """A tree with its root and its goals.

    children: {node: [child, ...]} if every edge costs 1, or {node: {child: cost, ...}}; leaves can be omitted. Children
    are tried in the given order.
    goals: a node, or a set or list of nodes, which may be empty: then a search visits the whole tree.
    estimates: {node: estimate} for every node, offered as the heuristic "given".
    Raises InputError for a node with two parents, a cycle, a second root, a cost that is not a number >= 0, or an estimate
    that is missing or not a number >= 0; UnknownNameError for a root, a goal, or a node with an estimate that is not in the
    tree.
    """

    _has_named_places = True

    def __init__(
        self,
        children: Mapping[Node, Iterable[Node] | Mapping[Node, Cost]],
        root: Node,
        goals: Node | set[Node] | frozenset[Node] | list[Node],
        *,
        estimates: Mapping[Node, float] | None = None,
    ) -> None:
        self.initial = root
        self.children = _checked_tree(children, root)
        given = goals if isinstance(goals, set | frozenset | list) else [goals]
        for goal in given:
            check_kind("goal", goal, Hashable, "a node of the tree, or a set or list of nodes")
        self.goals = frozenset(given)
        for goal in self.goals:
            _check_node(goal, self.children)
        self.estimates = None if estimates is None else _checked_estimates(estimates, self.children)
        costs = [cost for below in self.children.values() for cost in below.values()]
        self.unit_cost = all(cost == 1 for cost in costs)
        self.default_heuristic = None if estimates is None else "given"
        self._settle()

    def __setattr__(self, name: str, value: Any) -> None:
        super().__setattr__(name, frozen(value) if name in ("children", "estimates") else value)

    @classmethod
    def from_text(cls, text: str, *, goal: str) -> Tree:
        """A tree from command-line arguments, in the notation above; several goals are separated by spaces.

        Raises InputError for an invalid tree.
        """
        children, estimates = _read_tree(text)
        goals = goal.replace(",", " ").split()
        if not goals:
            raise InputError(f"the goal is {shown(goal)}; name a node, or several separated by spaces")
        return cls(children, next(iter(children)), goals, estimates=estimates or None)

    def successors(self, state: Node) -> Iterable[Successor]:
        return [(child, child, cost) for child, cost in self.children[state].items()]

    def is_goal(self, state: Node) -> bool:
        return state in self.goals

    def goal_state(self) -> Node | None:
        return next(iter(self.goals)) if len(self.goals) == 1 else None

    @heuristic()
    def given(self, state: Node) -> float:
        """The estimate given for the node.

        Raises InputError if the tree has no estimates.
        """
        if self.estimates is None:
            raise InputError("heuristic 'given' needs an estimate for each node; add estimates, or use another heuristic")
        return self.estimates[state]

    def heuristics(self) -> Mapping[str, Heuristic]:
        """The heuristics; "given" only with estimates, whose declared properties are computed from the tree."""
        offered = dict(super().heuristics())
        given = offered.pop("given")
        if self.estimates is not None:
            fault = self._overestimate
            offered[given.name] = replace(given, admissible=fault is None, consistent=self._is_consistent, note=fault or "")
        return offered

    def cost_to_goal(self, node: Node) -> float:
        """The cost of the cheapest path from a node down to a goal; math.inf if no goal is below it."""
        return self._costs_to_goal[node]

    @cached_property
    def _costs_to_goal(self) -> dict[Node, float]:
        costs: dict[Node, float] = {}
        for node in reversed(list(_from_the_root(self.children, self.initial))):
            below = (cost + costs[child] for child, cost in self.children[node].items())
            costs[node] = 0 if node in self.goals else min(below, default=math.inf)
        return costs

    @cached_property
    def _height(self) -> int:
        """The number of edges of the longest path down from the root."""
        heights: dict[Node, int] = {}
        for node in reversed(list(_from_the_root(self.children, self.initial))):
            heights[node] = max((heights[child] + 1 for child in self.children[node]), default=0)
        return heights[self.initial]

    @cached_property
    def _overestimate(self) -> str | None:
        """A description of the first estimate that is too high; None if none is."""
        assert self.estimates is not None
        for node in _from_the_root(self.children, self.initial):
            estimate, truth = self.estimates[node], self.cost_to_goal(node)
            if exceeds_distance(estimate, truth, self._height):
                return f"it is {estimate:g} for {node}, whose distance to a goal is {truth:g}"
        return None

    @cached_property
    def _is_consistent(self) -> bool:
        assert self.estimates is not None
        return not any(
            exceeds_distance(self.estimates[node], cost + self.estimates[child], 1)
            for node, below in self.children.items()
            for child, cost in below.items()
        )


def _from_the_root(children: Children, root: Node) -> Iterator[Node]:
    """The root and all nodes below it, in preorder: each node before its children."""
    waiting = [root]
    while waiting:
        node = waiting.pop()
        yield node
        waiting.extend(reversed(children[node]))


# Checking what is given.


def _checked_tree(given: Mapping[Node, Iterable[Node] | Mapping[Node, Cost]], root: Node) -> Children:
    check_kind("children", given, Mapping, "{node: [child, ...], ...}, or {node: {child: cost, ...}, ...}")
    check_kind("root", root, Hashable, "a node of the tree")
    children = {node: _checked_children(node, below) for node, below in given.items()} or {root: {}}
    parent: dict[Node, Node] = {}
    for node, below in list(children.items()):
        for child in below:
            if child in parent:
                raise InputError(
                    f"node {child} has two parents, {parent[child]} and {node}; in a tree each node has at most one: "
                    f"give the second {child} a different name, or use a RoadMap"
                )
            parent[child] = node
            children.setdefault(child, {})
    _check_node(root, children)
    _check_one_root(children, parent, root)
    return children


def _checked_children(node: Node, given: Iterable[Node] | Mapping[Node, Cost]) -> dict[Node, Cost]:
    if isinstance(given, Mapping):
        for child, cost in given.items():
            if not (_is_estimate(cost) and cost < math.inf):
                raise InputError(f"the edge from {cut(node)} to {cut(child)} costs {shown(cost)}; use a finite number >= 0")
        return dict(given)
    if isinstance(given, str) or not isinstance(given, Iterable):
        raise InputError(f"the children of {cut(node)} are {shown(given)}; write a list of nodes, or {{node: cost, ...}}")
    below: dict[Node, Cost] = {}
    for child in given:
        if child in below:
            raise InputError(f"node {node} has the child {child} twice; list each child once")
        below[child] = 1
    return below


def _check_one_root(children: Children, parent: Mapping[Node, Node], root: Node) -> None:
    """Check that every node is below the root. Each has at most one parent, so the path up from a stray node is unique."""
    below_root = set() if root in parent else set(_from_the_root(children, root))
    stray = next((node for node in children if node not in below_root), None)
    if stray is None:
        return
    line = [stray]
    while line[-1] in parent:
        above = parent[line[-1]]
        if above in line:
            cycle = [above, *reversed(line[line.index(above) :])]
            raise InputError(f"the edges {' -> '.join(map(str, cycle))} form a cycle; remove one of them")
        line.append(above)
    raise InputError(f"node {line[-1]} has no parent, but the root is {root}; make {line[-1]} a child of another node")


def _check_node(node: Node, children: Children) -> None:
    if node not in children:
        raise UnknownNameError("node of the tree", str(node), map(str, children))


def _checked_estimates(given: Mapping[Node, float], children: Children) -> dict[Node, float]:
    check_kind("estimates", given, Mapping, "{node: estimate, ...}")
    for node in given:
        _check_node(node, children)
    for node in children:
        if node not in given:
            raise InputError(f"node {node} has no estimate; give one for every node, or for none")
        if not _is_estimate(given[node]):
            raise InputError(f"the estimate of node {cut(node)} is {shown(given[node])}; use a number >= 0")
    return dict(given)


def _is_estimate(value: object) -> bool:
    """Whether a value is a number >= 0, possibly infinite."""
    return isinstance(value, int | float) and not isinstance(value, bool) and value >= 0


# Reading the notation.

_NOTATION = "write the children of each node, such as 'I: S1 S2; S1: S3 S4'"
_NODE = re.compile(r"(?P<name>[^:;,=()]+)(=(?P<cost>[^:;,=()]+))?(\((?P<estimate>[^:;,=()]+)\))?")


def _read_tree(text: str) -> tuple[Children, dict[Node, float]]:
    """The children and the estimates of a tree in the notation above."""
    children: Children = {}
    estimates: dict[Node, float] = {}
    for part in re.split(r"[;\n]", text):
        if not part.strip():
            continue
        head, colon, tail = part.partition(":")
        if not colon or len(head.split()) != 1:
            raise InputError(f"{shown(part.strip())} does not begin with one node and a colon; {_NOTATION}")
        node, cost = _read_node(head.strip(), estimates)
        if cost is not None:
            raise InputError(
                f"{shown(part.strip())} has a cost before the colon; write it after the child, such as 'I: S1=3'"
            )
        if node in children:
            raise InputError(f"the children of node {node} are given twice; list them once")
        children[node] = {}
        for word in tail.replace(",", " ").split():
            child, cost = _read_node(word, estimates)
            if child in children[node]:
                raise InputError(f"node {node} has the child {child} twice; list each child once")
            children[node][child] = 1 if cost is None else cost
    if not children:
        raise InputError(f"the tree is empty; {_NOTATION}")
    return children, estimates


def _read_node(word: str, estimates: dict[Node, float]) -> tuple[str, Cost | None]:
    """The name of a node and its cost, if any; its estimate, if any, is added to the others."""
    match = _NODE.fullmatch(word)
    if match is None:
        raise InputError(
            f"{shown(word)} is not a node; write a name, optionally with a cost and an estimate, such as S1=3(2)"
        )
    name = match["name"]
    if match["estimate"] is not None:
        if name in estimates:
            raise InputError(f"node {name} has two estimates; write only one")
        estimates[name] = _read_number(match["estimate"], word)
    return name, None if match["cost"] is None else _read_number(match["cost"], word)


def _read_number(text: str, word: str) -> Cost:
    """The number in a string, an int if it is written as one."""
    for kind in (int, float):
        try:
            return kind(text)
        except ValueError:
            continue
    raise InputError(f"{shown(text)} in {shown(word)} is not a number; write costs and estimates such as S1=3(2)")

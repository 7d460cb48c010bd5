"""The search tree: every generated node below its parent."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any, Literal, TypeAlias

from bestfirst.errors import InputError, counted, not_recorded
from bestfirst.search.node import Node
from bestfirst.search.steps import DUPLICATE, GENERATE, REOPEN, UPDATE
from bestfirst.trace.events import Event
from bestfirst.trace.labels import one_line
from bestfirst.trace.recording import Trace, check_trace

PRUNE = "prune"
_FATES = frozenset({GENERATE, DUPLICATE, UPDATE, REOPEN, PRUNE})

Status: TypeAlias = Literal["goal", "expanded", "open", "replaced", "duplicate", "pruned"]


@dataclass(eq=False, slots=True)
class TreeNode:
    """A node of the search tree.

    number: its number in the order of generation, from 1.
    fate: its fate when generated: generate, duplicate, update, reopen or prune (see trace.events); a node that was kept and
        pruned later has the fate prune. reason: the reason for pruning, in numbers.
    expansions: its expansion numbers: 1 for the first expansion of the tree, and so on; several if an algorithm abandons a
        path and takes it up again.
    replaces: for an update or a reopen, the node of the same state with a more expensive path, which is marked as replaced.
    """

    number: int
    node: Node
    parent: TreeNode | None
    fate: str = GENERATE
    reason: str | None = None
    children: list[TreeNode] = field(default_factory=list)
    expansions: list[int] = field(default_factory=list)
    replaces: TreeNode | None = None
    is_replaced: bool = False
    is_goal: bool = False
    on_solution: bool = False
    root: TreeNode = field(init=False)

    def __post_init__(self) -> None:
        self.root = self if self.parent is None else self.parent.root

    @property
    def is_kept(self) -> bool:
        """Whether it was neither dropped as a duplicate nor pruned."""
        return self.fate not in (DUPLICATE, PRUNE)

    @property
    def status(self) -> Status:
        """The state of the node at the end of the trace, in one word."""
        if self.is_goal:
            return "goal"
        if self.fate == PRUNE:
            return "pruned"
        if self.fate == DUPLICATE:
            return "duplicate"
        if self.expansions:
            return "expanded"
        return "replaced" if self.is_replaced else "open"

    def upward(self) -> Iterator[TreeNode]:
        """The node, its parent, and so on to the root."""
        node: TreeNode | None = self
        while node is not None:
            yield node
            node = node.parent

    def values(self) -> str:
        """g, h and f."""
        return f"g={self.node.g:g} h={self.node.h:g} f={self.node.f:g}"

    def remark(self) -> str:
        """The fate of the node, unless it was just generated or expanded; otherwise an empty string."""
        if self.is_goal:
            return "goal"
        if self.fate == PRUNE:
            return f"pruned: {self.reason}"
        if self.fate == DUPLICATE:
            return "duplicate"
        if self.fate == UPDATE:
            return "cheaper path"
        if self.fate == REOPEN:
            return "reopened by a cheaper path"
        return "replaced by a cheaper path" if self.is_replaced else ""


@dataclass(eq=False, slots=True)
class SearchTree:
    """The nodes of a search, or of one iteration of an iterative algorithm, in the order of generation.

    solution: the nodes on the path to the best goal found; empty if there is none (or the trace ends before). If an
        algorithm assembles the path at the end, it is shown on the nodes of the same states.
    solutions: the nodes on the path to each goal found, in order; the last path is the best.
    heading: the iteration, with its bound; None if the algorithm has no iterations.
    dropped: the number of events after the end of the trace; if not 0, the tree is incomplete.
    events: the events of the trace from which the tree was made.
    """

    nodes: list[TreeNode] = field(default_factory=list)
    solutions: list[list[TreeNode]] = field(default_factory=list)
    heading: str | None = None
    dropped: int = 0
    events: list[Event] = field(default_factory=list)
    _of: dict[int, TreeNode] = field(default_factory=dict)  # by identity of the search's node, which the events keep alive
    _kept: dict[tuple[int, Any], TreeNode] = field(default_factory=dict)  # by root and state: the cheapest path so far
    _expansions: int = 0

    @classmethod
    def from_trace(cls, trace: Trace) -> SearchTree:
        """The tree of a search; for an iterative algorithm, the tree of its last iteration (see rounds_of)."""
        return cls.rounds_of(trace)[-1]

    @classmethod
    def rounds_of(cls, trace: Trace) -> list[SearchTree]:
        """The trees of all iterations of an algorithm that starts again in each; a single tree for other algorithms."""
        check_trace(trace)
        trees = [cls()]
        for event in trace:
            grow(trees, event)
        trees[-1].dropped = trace.dropped
        for tree in trees:
            for node in tree.solution:
                node.on_solution = True
        return trees

    @property
    def solution(self) -> list[TreeNode]:
        return self.solutions[-1] if self.solutions else []

    @property
    def roots(self) -> list[TreeNode]:
        """The start; in bidirectional search also the goal; in generate-and-test also each candidate."""
        return [node for node in self.nodes if node.parent is None]

    def find(self, node: Node) -> TreeNode | None:
        """The tree node of a node of the search; None for a node without an event in this iteration."""
        return self._of.get(id(node))

    def first(self, limit: int) -> list[TreeNode]:
        """The `limit` nodes to show in a bounded drawing: the solution, and the nodes generated first.

        The parent of each node is included. The nodes are in the order of generation.
        Raises InputError for a limit below 1.
        """
        if limit < 1:
            raise InputError(f"the number of nodes to show is {limit!r}; use a whole number >= 1")
        chosen = {node.number for step in self.solution for node in step.upward()}
        if len(chosen) > limit:
            chosen = set()
        for node in self.nodes:
            if len(chosen) >= limit:
                break
            chosen.add(node.number)
        return [node for node in self.nodes if node.number in chosen]

    def notes(self, shown: int) -> list[str]:
        """The notes above a drawing of this number of nodes: the heading, if any, and what is omitted."""
        return [*([self.heading] if self.heading else []), *self._what_is_missing(shown)]

    def _what_is_missing(self, shown: int) -> list[str]:
        sentences = []
        if shown < len(self.nodes):
            of = f"of {len(self.nodes):,} nodes"
            sentences.append(f"{counted(len(self.nodes) - shown, f'{of} is', f'{of} are')} not shown")
        if self.dropped:
            sentences.append(f"the trace ends here: {not_recorded(self.dropped, 'event')}")
        return sentences

    def text(self, label: Callable[[Any], str], *, limit: int = 1000, details: bool = False) -> str:
        """The tree as lines, each node below its parent.

        label: writes a state, such as problem.label.
        limit: the maximum number of nodes shown: the solution, and the nodes generated first; the last lines say what is
            omitted.
        details: whether to write the expansion number, g, h, f, and the fate after each state.
        """
        chosen = self.first(limit)
        shown = {node.number for node in chosen}
        lines = [] if self.heading is None else [self.heading]
        waiting = [(root, "", "") for root in reversed(self.roots) if root.number in shown]
        while waiting:
            node, branch, margin = waiting.pop()
            children = [child for child in node.children if child.number in shown]
            parts = [branch + one_line(label(node.node.state))]
            if details:
                parts.append(_details(node))
            hidden = len(node.children) - len(children)
            if hidden:
                parts.append(f"({hidden:,} {'child' if hidden == 1 else 'children'} not shown)")
            lines.append("  ".join(parts))
            waiting += [
                (child, margin + "|-- ", margin + ("    " if child is children[-1] else "|   "))
                for child in reversed(children)
            ]
        lines += [f"... {sentence}" for sentence in self._what_is_missing(len(chosen))]
        return "\n".join(lines)

    def add(self, event: Event) -> None:
        """Add an event that follows those of the tree."""
        self.events.append(event)
        if event.node is None:
            return
        if event.kind == "goal":
            self.solutions.append(self._on_path(event.node.path()))
            if self.solution:
                self.solution[-1].is_goal = True
            return
        node = self.find(event.node) or self._new(event.node)
        if event.kind == "expand":
            self._expansions += 1
            node.expansions.append(self._expansions)
        elif event.kind in _FATES:
            node.fate, node.reason = event.kind, event.reason
            if node.is_kept:
                self._keep(node)

    def _new(self, node: Node) -> TreeNode:
        parent = None if node.parent is None else self.find(node.parent)
        made = TreeNode(len(self.nodes) + 1, node, parent)
        self.nodes.append(made)
        self._of[id(node)] = made
        if parent is not None:
            parent.children.append(made)
        return made

    def _keep(self, node: TreeNode) -> None:
        place = (node.root.number, node.node.state)
        if node.fate in (UPDATE, REOPEN):
            node.replaces = self._kept.get(place)
            if node.replaces is not None:
                node.replaces.is_replaced = True
        self._kept[place] = node

    def _on_path(self, path: list[Node]) -> list[TreeNode]:
        """The tree nodes of a path to a goal."""
        known = [self._of[id(step)] for step in path if id(step) in self._of]
        rest = path[len(known) :]
        if not known or not rest:
            return known
        return known + (self._from_the_goal(known[-1], rest) or self._of_same_states(known[0], rest))

    def _from_the_goal(self, meeting: TreeNode, rest: list[Node]) -> list[TreeNode]:
        """The nodes of a backward search that end the path, including the meeting node; [] without a backward search."""
        states = [meeting.node.state, *(step.state for step in rest)]
        for root in self.roots:
            if root is not meeting.root and root.node.state == states[-1]:
                twin = self._kept.get((root.number, states[0]))
                if twin is not None and [above.node.state for above in twin.upward()] == states:
                    return list(twin.upward())
        return []

    def _of_same_states(self, root: TreeNode, rest: list[Node]) -> list[TreeNode]:
        kept = (self._kept.get((root.number, step.state)) for step in rest)
        return [node for node in kept if node is not None]


def grow(trees: list[SearchTree], event: Event) -> SearchTree:
    """Add an event to the last tree of a search, or to a new tree if it begins the search anew; returns that tree."""
    if event.kind == "round" and event.node is not None:
        if trees[-1].heading is not None:
            trees.append(SearchTree())
        trees[-1].heading = f"iteration {len(trees)}: {event.reason}"
    trees[-1].add(event)
    return trees[-1]


def _details(node: TreeNode) -> str:
    expansions = "".join(f"[{number}] " for number in node.expansions)
    remark = node.remark()
    mark = " *" if node.on_solution else ""
    return f"{expansions}{node.values()}{f' {remark}' if remark else ''}{mark}"

"""Node: a state together with the path that led to it; expand: the children of a node."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from math import floor, inf
from typing import TYPE_CHECKING, Any

from bestfirst.errors import CostError, ProblemError
from bestfirst.problem import Problem
from bestfirst.rounding import EXACT_INTS, LARGEST_PART, as_number, sound_bound
from bestfirst.system.long_calls import watched

if TYPE_CHECKING:
    from bestfirst.search.open_list import Agenda


class Node:
    """A state and the cheapest path known to it, linked through its parents.

    g is the cost of the path, h the estimate of the remaining cost (0 without a heuristic), f = g + h (see total_of);
    depth is the number of actions on the path; agenda is the open list on which the node waits (it is open), or None.
    A node never changes, except for agenda, and for h and f in lazy searches: there they are those of the parent until the
    node leaves the open list. Another path to the same state makes another node.
    """

    __slots__ = ("action", "agenda", "depth", "f", "g", "h", "parent", "state")

    def __init__(self, state: Any, parent: Node | None, action: Any, g: float, depth: int) -> None:
        self.state = state
        self.parent = parent
        self.action = action
        self.g = g
        self.h: float = 0
        self.f = g
        self.depth = depth
        self.agenda: Agenda | None = None

    def path(self) -> list[Node]:
        """The nodes from the root to this one."""
        nodes = [self, *self.ancestors()]
        nodes.reverse()
        return nodes

    def ancestors(self) -> Iterator[Node]:
        """The parent, its parent, and so on to the root."""
        node = self.parent
        while node is not None:
            yield node
            node = node.parent

    def __repr__(self) -> str:
        return f"Node({self.state!r}, g={self.g}, h={self.h}, f={self.f})"


class StatesOnPath:
    """The states on the path to a node, for paths without repeated states.

    Moving to another node takes as many steps as the tree has edges between the two: one, along a path.
    """

    def __init__(self) -> None:
        self._states: set[Any] = set()
        self._end: Node | None = None

    def to(self, node: Node) -> set[Any]:
        """The states on the path to this node; the set is valid until the next call."""
        there: Node | None = node
        here, self._end = self._end, node
        entered = []
        while there is not here:  # up to the nearest common ancestor
            if here is None or (there is not None and there.depth >= here.depth):
                assert there is not None
                entered.append(there.state)
                there = there.parent
            else:
                self._states.remove(here.state)
                here = here.parent
        self._states.update(entered)
        return self._states


def total_of(g: float, h: float) -> float:
    """f = g + h. Where floats do not represent all ints, the sum of an int and a float is an int, with h rounded down.

    So f says exactly whether a whole cost g is below another one, and is a lower bound if h is.
    """
    f = g + h
    if f < EXACT_INTS or f == inf or f.__class__ is int or g.__class__ is not int:
        return f
    return g + floor(sound_bound(h))


def root_of(problem: Problem, h: Callable[[Any], float] | None = None) -> Node:
    """The node of the initial state."""
    root = Node(problem.initial, None, None, 0, 0)
    if h is not None:
        root.h = root.f = h(root.state)
    return root


def expand(problem: Problem, node: Node) -> Iterator[Node]:
    """The children of a node, generated one at a time in the order of problem.successors; h is not yet estimated.

    Raises CostError for a cost that is not a finite number >= 0, or that makes the path's cost exceed the range of floats;
    ProblemError for a successor that is not a triple.
    """
    depth = node.depth + 1
    successors = problem.successors(node.state)
    if not isinstance(successors, Iterable):
        raise no_triples(node.state, successors)
    for successor in watched(successors, node.state):
        try:
            action, state, cost = successor
        except (TypeError, ValueError):
            raise no_triple(node.state, successor) from None
        if cost.__class__ is not int and cost.__class__ is not float:
            try:
                cost = as_number(cost)
            except (TypeError, ValueError, OverflowError):
                raise CostError(node.state, action, cost) from None
        try:
            g = node.g + cost
        except OverflowError:  # a float and an int beyond the range of floats
            raise CostError(node.state, action, cost) from None
        if not (cost >= 0 and g <= LARGEST_PART):
            raise CostError(node.state, action, cost)
        yield Node(state, node, action, g, depth)


def no_triples(state: Any, successors: Any) -> ProblemError:
    """The error for a successors(state) that is not iterable."""
    return ProblemError(
        f"successors({state!r}) returns {successors!r}; yield (action, next_state, cost) triples, or return a list of them"
    )


def no_triple(state: Any, successor: Any) -> ProblemError:
    """The error for a successor that is not a triple."""
    return ProblemError(
        f"successors({state!r}) yields {successor!r}; each successor must be a triple (action, next_state, cost)"
    )

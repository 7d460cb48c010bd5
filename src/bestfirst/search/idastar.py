"""IDA*: depth-first searches with a growing bound on f."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from math import inf
from operator import attrgetter
from typing import Any, Literal, TypeAlias, get_args

from bestfirst.errors import UnknownNameError
from bestfirst.problem import Problem
from bestfirst.search.node import Node, expand, root_of, total_of
from bestfirst.search.operator_sequences.automaton import MoveAutomaton, check_pruning, move_automaton
from bestfirst.search.steps import DEAD_END, GENERATE, End, Expand, Goal, Made, Prune, Round, Step

ZERO_CYCLE = Prune("a cycle that costs nothing")

Order: TypeAlias = Literal["given", "f"]
"""The order in which the children of a node are tried."""


def idastar(
    problem: Problem, h: Callable[[Any], float], *, order: Order = "given", prune: int = 0, prune_from: int = 0
) -> Iterator[Step]:
    """Search all paths with f = g + h within a bound; then raise the bound to the lowest f beyond it, until a goal is found.

    order: the order of the children of a node: "given" by the problem, or by f ("f"; ties as given).
    prune: prune duplicate operator sequences up to this length (automaton.py); 0 switches this off.
    prune_from: prune only after an iteration with this many expansions, since finding the sequences takes time. 0: always.
    Guarantee: the cheapest solution, if h is admissible.
    Terminates on every finite problem: if every path that an iteration cut had visited some state twice, no higher bound can
    find anything new. (That proof can take long; if a problem reports that it is unsolvable, no search is run.)
    Time: exponential; each iteration repeats the one before. Memory: the path.
    Ties: children are generated one at a time, in the order of the problem; with order "f", all children of a node are
    generated first.
    Convention (Korf's): the state that the last action came from is not generated again, so moves are not
    undone; other repetitions are not detected. generated counts the children of all iterations, and the start once.
    Source: Korf 1985; child ordering by f: Reinefeld & Marsland 1994; pruning: Taylor & Korf 1993.
    """
    check_order(order)
    check_pruning(prune, prune_from)
    automaton = move_automaton(problem, prune) if prune and not prune_from else None
    return _idastar(problem, h, order, automaton, prune, prune_from)


def _idastar(
    problem: Problem, h: Callable[[Any], float], order: Order, automaton: MoveAutomaton | None, prune: int, prune_from: int
) -> Iterator[Step]:
    root = root_of(problem, h)
    made: Made = [(GENERATE, root)]
    bound = root.f
    over = Prune("f", bound)
    next_bound = inf
    worthwhile = False  # whether a cut path could reach a new state within a higher bound

    def within_the_bound(node: Node) -> Iterator[Node]:
        nonlocal next_bound, worthwhile
        came = 0 if automaton is None else automaton.after(node)
        for child in expand(problem, node):
            if node.parent is not None and child.state == node.parent.state:
                continue
            if automaton is not None and automaton.prunes(came, child):
                continue
            child.h = h(child.state)
            child.f = total_of(child.g, child.h)
            if child.f > bound:
                made.append((over if child.h < inf else DEAD_END, child))
                next_bound = min(next_bound, child.f)
                worthwhile = worthwhile or (child.h < inf and not meets_a_state_twice(child))
            elif child.g == node.g and closes_a_zero_cycle(child):
                made.append((ZERO_CYCLE, child))
            else:
                made.append((GENERATE, child))
                yield child

    def children(node: Node) -> Iterator[Node]:
        kept = within_the_bound(node)
        return kept if order == "given" else iter(sorted(kept, key=attrgetter("f")))

    while bound < inf:
        path: list[Node] = []
        yield Round(root, made, path, bound, what="f", limit=bound)
        made = []
        if problem.is_goal(root.state):
            yield Goal(root, made, path, bound)
            return
        over = Prune("f", bound)
        next_bound = inf
        worthwhile = False
        path.append(root)
        yield Expand(root, made, path, bound)
        made = []
        expanded = 1
        untried = [children(root)]
        while path:
            child = next(untried[-1], None)
            if child is None:
                path.pop()
                untried.pop()
            elif problem.is_goal(child.state):
                yield Goal(child, made, path, bound)
                return
            else:
                path.append(child)
                yield Expand(child, made, path, bound)
                made = []
                expanded += 1
                untried.append(children(child))
        if not worthwhile:
            break
        if prune and automaton is None and expanded >= prune_from:
            automaton = move_automaton(problem, prune)
        bound = next_bound
    yield End(made, [], inf)


def check_order(order: object) -> None:
    """Raise UnknownNameError unless `order` is 'given' or 'f'."""
    if order not in get_args(Order):
        raise UnknownNameError("child order", str(order), get_args(Order))


def meets_a_state_twice(node: Node) -> bool:
    """Whether some state occurs twice on the path to the node."""
    return len({step.state for step in node.path()}) <= node.depth


def closes_a_zero_cycle(node: Node) -> bool:
    """Whether the node returns to a state on its path at no cost."""
    for ancestor in node.ancestors():
        if ancestor.g < node.g:
            return False
        if ancestor.state == node.state:
            return True
    return False

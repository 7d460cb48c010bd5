"""Generate and test: make every sequence of states, and test whether it is a solution."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from itertools import count, pairwise, product
from math import inf

from bestfirst.problem import Problem
from bestfirst.search.node import Node, expand, root_of
from bestfirst.search.steps import DUPLICATE, GENERATE, End, Expand, Goal, Made, Prune, Step, Try

WRONG_START = Prune("the first state is not the start")
ILLEGAL = Prune("two consecutive states without an action between them")
NO_GOAL = Prune("the last state is not a goal")


def generate_and_test(problem: Problem) -> Iterator[Step]:
    """Test all sequences of 1 state, then of 2, 3, ...: a solution begins at the start, has legal steps, and ends at a goal.

    With N states there are N**n sequences of n states: every other method improves on this one. The states are
    first collected by expanding each; then each candidate sequence is counted as one expansion, so that limits apply.
    Guarantee: a solution with the fewest actions; it is also the cheapest if the problem sets unit_cost.
    Terminates on every finite problem, since no solution needs more than N states.
    Time: N**n for a solution of n states. Memory: the states and the actions between them.
    Ties: sequences in the lexicographic order of the states as breadth-first search generates them.
    Source: Winston, Artificial Intelligence, chapter 3 (generate and test).
    """
    root = root_of(problem)
    links: dict[object, dict[object, Node]] = {}  # state -> the states to which an action leads, by the cheapest action
    agenda = deque([root])
    met = {root.state}
    made: Made = [(GENERATE, root)]
    while agenda:
        node = agenda.popleft()
        yield Expand(node, made, agenda, 0)
        made = []
        to_next = links.setdefault(node.state, {})
        for child in expand(problem, node):
            known = to_next.get(child.state)
            if known is None or child.g < known.g:
                to_next[child.state] = child
            if child.state in met:
                made.append((DUPLICATE, child))
            else:
                met.add(child.state)
                agenda.append(child)
                made.append((GENERATE, child))
    states = list(links)
    for length in count(1):
        if length > len(states):
            break
        bound = length - 1 if problem.unit_cost else 0
        for candidate in product(states, repeat=length):
            last = Node(candidate[-1], None, None, 0, length - 1)
            yield Try(last, made, agenda, bound)
            made = []
            if candidate[0] != root.state:
                made.append((WRONG_START, last))
            elif any(after not in links[before] for before, after in pairwise(candidate)):
                made.append((ILLEGAL, last))
            elif not problem.is_goal(candidate[-1]):
                made.append((NO_GOAL, last))
            else:
                goal = _walk(root, candidate, links)
                yield Goal(goal, made, agenda, min(bound, goal.g))
                return
    yield End(made, agenda, inf)


def _walk(root: Node, states: tuple[object, ...], links: dict[object, dict[object, Node]]) -> Node:
    """The node at the end of the path through these states."""
    node = root
    for before, after in pairwise(states):
        child = links[before][after]
        assert child.parent is not None
        node = Node(after, node, child.action, node.g + (child.g - child.parent.g), node.depth + 1)
    return node

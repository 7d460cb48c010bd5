"""Bidirectional A*: NBS, which expands pairs of a forward and a backward node."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from math import inf
from typing import Any

from bestfirst.errors import InputError, ProblemError
from bestfirst.heuristics.heuristic import zero
from bestfirst.lost_claims import why_not
from bestfirst.problem import Problem
from bestfirst.search.node import Node, expand, root_of, total_of
from bestfirst.search.open_list import Agenda, by_cost, by_total
from bestfirst.search.steps import DEAD_END, DUPLICATE, GENERATE, REOPEN, UPDATE, End, Expand, Fate, Goal, Made, Prune, Step
from bestfirst.stated import checked_backward


def bidirectional_astar(
    problem: Problem, h: Callable[[Any], float], *, backward_h: Callable[[Any], float] = zero
) -> Iterator[Step]:
    """Expand pairs of a forward and a backward node that could lie on a solution as cheap as the lower bound.

    The bound of a pair (u, v) is max(f(u), f(v), g(u) + g(v) + cheapest action); the search ends when the lowest bound of
    all pairs reaches the cost of the best path on which the two sides have met.
    Guarantee: the cheapest solution, if h and backward_h (which estimates the cost from the start) are admissible. With
    consistent ones it makes at most twice the expansions that any such algorithm needs to prove its answer.
    Terminates on every finite problem. Needs a reversed problem (Problem.backward).
    Time and memory: one node for each state reached, on either side.
    Ties: among equal g, first in, first out; forward before backward.
    Source: Chen, Holte, Zilles & Sturtevant 2017 (NBS, near-optimal bidirectional search).
    """
    reverse = checked_backward(problem)
    if reverse is None:
        why = why_not(problem, "backward")
        if why is not None:
            raise InputError(f"{problem.name()} cannot be searched from its goal: {why}; or use astar")
        raise InputError(
            f"{problem.name()} cannot be searched from its goal: backward() returns no reversed problem; define "
            "backward(), or use astar"
        )
    return _nbs(problem, h, reverse, backward_h)


class _Side:
    """One direction: the best node for each state, and the open nodes, which wait by f and, once ready, are selected by
    g."""

    def __init__(self, problem: Problem, h: Callable[[Any], float]) -> None:
        self.problem = problem
        self.h = h
        self.key = problem.key
        self.root = root_of(problem, h)
        self.known = {self.key(self.root.state): self.root}
        self.waiting = Agenda(by_total)
        self.ready = Agenda(by_cost)
        if self.root.h < inf:
            self.waiting.push(self.root)

    def lowest_f(self) -> float:
        node = self.waiting.peek()
        return inf if node is None else node.f

    def lowest_g(self) -> float:
        node = self.ready.peek()
        return inf if node is None else node.g

    def make_ready(self) -> None:
        self.ready.push(self.waiting.pop())

    def is_empty(self) -> bool:
        return not self.waiting and not self.ready


class _Sides:
    """The open nodes of both sides, as one agenda."""

    def __init__(self, *sides: _Side) -> None:
        self._sides = sides

    def __len__(self) -> int:
        return sum(len(side.waiting) + len(side.ready) for side in self._sides)

    def __iter__(self) -> Iterator[Node]:
        for side in self._sides:
            yield from side.ready
            yield from side.waiting


def _nbs(
    problem: Problem, h: Callable[[Any], float], reverse: Problem, backward_h: Callable[[Any], float]
) -> Iterator[Step]:
    forward, backward = _Side(problem, h), _Side(reverse, backward_h)
    cheapest_action = 1 if problem.unit_cost else 0
    agenda = _Sides(forward, backward)
    made: Made = [(GENERATE, forward.root), (GENERATE, backward.root)]
    bound = max(forward.root.h, backward.root.h)
    best = inf
    if forward.key(forward.root.state) == backward.key(backward.root.state):
        best = 0
        yield Goal(forward.root, made, agenda, 0)
        made = []
    while bound < best:
        bound = _prepare(forward, backward, bound, cheapest_action)
        if bound >= best:
            break
        for side, other in ((forward, backward), (backward, forward)):
            if bound >= best:
                break
            node = side.ready.pop()
            yield Expand(node, made, agenda, bound)
            made = []
            for child in expand(side.problem, node):
                fate = _file(side, child, best)
                made.append((fate, child))
                if fate in (DUPLICATE, DEAD_END) or isinstance(fate, Prune):
                    continue
                meeting = other.known.get(side.key(child.state))
                if meeting is not None and child.g + meeting.g < best:
                    best = child.g + meeting.g
                    start, end = (child, meeting) if side is forward else (meeting, child)
                    yield Goal(join(forward.problem, start, end), made, agenda, min(bound, best))
                    made = []
    yield End(made, agenda, best)


def _prepare(forward: _Side, backward: _Side, bound: float, cheapest_action: float) -> float:
    """Raise the bound until a pair of ready nodes has it; infinite if one side has no open node left."""
    for side in (forward, backward):
        while side.lowest_f() < bound:
            side.make_ready()
    while not (forward.is_empty() or backward.is_empty()):
        pair = forward.lowest_g() + backward.lowest_g() + cheapest_action
        if pair <= bound:
            return bound
        for side in (forward, backward):
            if side.lowest_f() <= bound:
                side.make_ready()
                break
        else:
            bound = min(forward.lowest_f(), backward.lowest_f(), pair)
    return inf


def _file(side: _Side, child: Node, best: float) -> Fate:
    """Estimate a child and file it; returns its fate."""
    key = side.key(child.state)
    twin = side.known.get(key)
    child.h = side.h(child.state) if twin is None else twin.h
    child.f = total_of(child.g, child.h)
    if child.h == inf:
        return DEAD_END
    if twin is not None and child.g >= twin.g:
        return DUPLICATE
    if child.f >= best:
        return Prune("f", best)
    fate: Fate = GENERATE
    if twin is not None and twin.agenda is not None:
        twin.agenda.discard(twin)
        fate = UPDATE
    elif twin is not None:
        fate = REOPEN
    side.known[key] = child
    side.waiting.push(child)
    return fate


def join(problem: Problem, start: Node, end: Node) -> Node:
    """The goal node of the path that goes forward to a state and continues along the backward node's path."""
    node = start
    step = end
    while step.parent is not None:
        state = own_state(problem, node.state, step.action, step.parent.state)
        node = Node(state, node, step.action, node.g + (step.g - step.parent.g), node.depth + 1)
        step = step.parent
    return node


def own_state(problem: Problem, before: Any, action: Any, state: Any) -> Any:
    """The problem's own form of a state of the reversed problem: the successor of `before` by the action.

    Raises ProblemError if the action does not lead there.
    """
    key = problem.key(state)
    if key is state:
        return state
    for name, following, _cost in problem.successors(before):
        if name == action and problem.key(following) == key:
            return following
    raise ProblemError(
        f"backward() says that action {action!r} leads from {before!r} to {state!r}, but successors() has no such "
        "step; backward() must yield the steps of successors(), with the same actions"
    )

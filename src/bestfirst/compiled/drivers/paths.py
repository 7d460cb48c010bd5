"""From the arrays of a compiled search back to nodes, for solutions and errors."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from math import inf
from typing import TYPE_CHECKING, Any

from bestfirst.domain import Domain, has_fixed_names, single_step, steps_are_successors
from bestfirst.errors import VerificationError
from bestfirst.search.node import Node, expand, root_of

if TYPE_CHECKING:
    from bestfirst.compiled.store.aliases import State
    from bestfirst.problem import Action

_UNKNOWN = object()
Step = tuple[Any, float, int]
"""A node on a path: its state, its g, and its undo (kernels/prefetch.py)."""


def follow(domain: Domain, h: Callable[[State], float], actions: Iterable[int]) -> Node:
    """The node that legal actions, passed by index, lead to from the start."""
    node = followed_from(root_of(domain, h), domain, h, actions)
    if node is None:
        raise VerificationError(
            "an action of the path is not legal any more: step must always return the same result, and data on self must not "
            "change during a search"
        )
    return node


def followed_from(start: Node, domain: Domain, h: Callable[[State], float], actions: Iterable[int]) -> Node | None:
    """The node that actions, passed by index, lead to from another one; None if one of them is not legal."""
    node, step = start, single_step(domain)
    for action in actions:
        legal, state, cost = step(node.state, action)
        if not legal:
            return None
        child = Node(state, node, domain.action_name(node.state, action), node.g + cost, node.depth + 1)
        child.h = h(state)
        child.f = child.g + child.h
        node = child
    return node


def decoded(domain: Domain, node: Node) -> Node:
    """A node and its path, in the states of the original problem."""
    copy: Node | None = None
    for step in node.path():
        copy = Node(domain.decode(step.state), copy, step.action, step.g, step.depth)
        copy.h, copy.f = step.h, step.f
    assert copy is not None
    return copy


def decoded_in_place(domain: Domain, last: Node) -> Node:
    """Like decoded(), but it replaces the states of the given path itself."""
    decode = domain.decode
    if getattr(decode, "__func__", None) is not Domain.decode:
        for node in (last, *last.ancestors()):
            node.state = decode(node.state)
    return last


def named_path(
    domain: Domain,
    h: Callable[[State], float],
    steps: Iterable[Step],
    undone: dict[int, list[int]],
    *,
    estimates_all: bool = True,
) -> Node:
    """The last node of a path, given its nodes after the root. undone: by undo, the actions that it undoes.

    estimates_all: whether all nodes are estimated, or only the first and the last, which is faster.
    """
    node, name_of = root_of(domain, h), _names_by_undo(domain, undone).get
    for depth, (state, g, undo) in enumerate(steps, 1):
        action = name_of(undo, _UNKNOWN)
        if action is _UNKNOWN:
            action = _action(domain, node, (state, g, undo), undone)
        node = Node(state, node, action, g, depth)
        if estimates_all:
            node.h = h(state)
            node.f = g + node.h
    node.h = h(node.state)
    node.f = node.g + node.h
    return node


def _names_by_undo(domain: Domain, undone: dict[int, list[int]]) -> dict[int, Action]:
    """By undo, the name of the only action that it undoes, where the name is the same in all states."""
    if not has_fixed_names(domain):
        return {}
    return {undo: domain.action_name(None, first) for undo, (first, *more) in undone.items() if not more}


def _action(domain: Domain, parent: Node, step: Step, undone: dict[int, list[int]]) -> Action:
    """The action that made a child, as a solution names it; usually its inverse determines it."""
    state, g, undo = step
    by_undo = undone.get(undo, [])
    if len(by_undo) == 1:
        return domain.action_name(parent.state, by_undo[0])
    if steps_are_successors(domain):
        return _action_by_step(domain, parent, state, g)
    same = [child for child in expand(domain, parent) if child.state == state]
    if not same:
        raise _changed(parent.state, state)
    return min(same, key=lambda child: abs(child.g - g)).action


def _action_by_step(domain: Domain, parent: Node, state: State, g: float) -> Action:
    """Like _action(), for a domain whose successors follow from step()."""
    best, least, step = None, inf, single_step(domain)
    for action in range(domain.max_actions):
        legal, following, cost = step(parent.state, action)
        if legal:
            if following == state and abs(parent.g + cost - g) < least:
                best, least = action, abs(parent.g + cost - g)
        elif domain.stops_at_illegal():
            break
    if best is None:
        raise _changed(parent.state, state)
    return domain.action_name(parent.state, best)


def _changed(before: State, after: State) -> VerificationError:
    return VerificationError(
        f"no action leads from {before!r} to {after!r} any more: step must always return "
        "the same result, and data on self must not change during a search"
    )

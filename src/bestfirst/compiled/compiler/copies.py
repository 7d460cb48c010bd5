"""Copies of a recursive function, one for each value of the control field and each action not to be undone.

The copies are made in LLVM's intermediate code, so Numba translates the function only once. In a copy these two values are
constants. It calls the copies of the children directly: which one belongs to a child is known if the control field of a child
depends on that of the parent and the action alone, as far as seen; each call compares. If it differs, or has never been
seen, the copy is looked up.
"""

from __future__ import annotations

import ast
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from bestfirst.compiled.compiler.source import definition_of
from bestfirst.domain import single_step
from bestfirst.errors import InputError
from bestfirst.state_packing import WORD

if TYPE_CHECKING:
    from bestfirst.compiled.store.aliases import Address, Int, Method, Number, State
    from bestfirst.domain import Domain

MOST_COPIES = 128
MOST_PAIRS = 512
"""The maximum number of pairs of a value of the control field and an action."""
MOST_EXAMPLES = 4
"""The number of states with the same value of the control field whose actions are tried."""


class Control(NamedTuple):
    """The control field of a domain.

    place: its index in State. values: their number, a power of 2. children: by value and action, the value of the child, -1 if
    unknown. undo: by action, the action that undoes it. bits: by field, the bits of its values; 64 if that is not checked.
    estimate: the index of the field that the estimate only reads; None for another estimate, which calls must pass.
    """

    place: int
    values: int
    children: tuple[int, ...]
    undo: tuple[int, ...]
    bits: tuple[int, ...]
    estimate: int | None

    def copies(self) -> list[tuple[int, int]]:
        """The values of the control field and the undoing actions for which there is a copy."""
        actions = len(self.undo)
        return sorted({(value, self.undo[place % actions]) for place, value in enumerate(self.children) if value >= 0})


def has_control(domain: Domain) -> bool:
    """Whether a domain has a control field of few enough bits. Raises InputError if it is not a field of states."""
    if domain.control is None:
        return False
    if domain.control not in domain.State._fields:
        raise InputError(
            f"{type(domain).__name__}.control is {domain.control!r}, which is not a field of State; "
            f"the fields are {', '.join(domain.State._fields)}"
        )
    bits = domain.bits.get(domain.control, WORD)
    is_number = not isinstance(getattr(domain.initial, domain.control), tuple)
    return is_number and domain.max_actions << bits <= MOST_PAIRS


def control_of(domain: Domain, estimate: Method) -> Control | None:
    """The control field of a domain that has one, and inverse(); None if it would need too many copies.

    estimate: the function of the heuristic.
    """
    place, bits = domain.State._fields.index(domain.control), domain.bits[domain.control or ""]
    actions = range(domain.max_actions)
    children = children_seen(domain, place)
    known = tuple(children.get((value, action), -1) for value in range(1 << bits) for action in actions)
    undo = tuple(domain.inverse(action) for action in actions)
    widths = tuple(WORD if domain.unchecked else domain.bits.get(name, WORD) for name in domain.State._fields)
    control = Control(place, 1 << bits, known, undo, widths, field_read_by(estimate, domain.State._fields))
    return control if 0 < len(control.copies()) <= MOST_COPIES else None


def field_read_by(function: Any, fields: Sequence[str]) -> int | None:
    """The index of the field of a state that a method only returns; None if it does anything else."""
    definition = definition_of(function)
    _self, state = definition.args.args[:2]
    *before, last = definition.body
    only_returns = all(isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant) for statement in before)
    match last:
        case ast.Return(ast.Attribute(ast.Name(name), field)) if only_returns and name == state.arg and field in fields:
            return fields.index(field)
    return None


def children_seen(domain: Domain, place: int) -> dict[tuple[int, int], int]:
    """By value of the control field and action: the child's value; -1 if examples differ.

    The examples may be states that no search reaches, where the methods of the domain need not work: they are left out.
    """
    values = 1 << domain.bits[domain.control or ""]
    seen: dict[tuple[int, int], int] = {}
    examples: dict[int, int] = {}
    waiting = deque([domain.initial])
    while waiting:
        state = waiting.popleft()
        value = state[place]
        examples[value] = examples.get(value, 0) + 1
        if examples[value] > MOST_EXAMPLES:
            continue
        for action, child in _children(domain, state):
            if child[place] in range(values):
                known = seen.setdefault((value, action), child[place])
                if known != child[place]:
                    seen[value, action] = -1
                waiting.append(child)
    return seen


def _children(domain: Domain, state: State) -> Iterator[tuple[int, State]]:
    """The legal actions of a state that is not a goal, and where they lead, as far as the methods work there."""
    try:
        if domain.is_goal(state):
            return
        step = single_step(domain)
        for action in range(domain.max_actions):
            legal, child, _cost = step(state, action)
            if legal:
                yield action, child
    except Exception:  # a search that meets this state raises the error
        return


def copied(control: Control) -> dict[str, Callable[..., Int]]:
    """The functions visit_first, visit_child and aside of templates, in Python."""

    def visit_first(visit: Callable[..., Int], descent: Address, state: State, undo: Int, depth: Int, h: Number) -> Int:
        visitor[:] = [visit]
        return visit(descent, state, undo, depth, h)

    def visit_child(descent: Address, _state: State, child: State, action: Int, depth: Int, h: Number) -> Int:
        return visitor[-1](descent, child, control.undo[action], depth, h)

    def aside(leave: Callable[..., Int], *arguments: object) -> Int:
        return leave(*arguments)

    visitor: list[Callable[..., Int]] = []
    return {"visit_first": visit_first, "visit_child": visit_child, "aside": aside}

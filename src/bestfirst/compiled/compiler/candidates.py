"""Candidates: the set of actions that may be legal in a state, if step() begins by asking for it.

The step() of many models begins with `if state.left >> action & 1 == 0: return False, state, 0`. Kernels then try only the members
of state.left: to find the next one takes less time than to try all others, and no processor can predict which ones are members.
"""

from __future__ import annotations

import ast
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from bestfirst.compiled.compiler.prepared_methods import forces
from bestfirst.compiled.compiler.source import definition_of, without_docstring
from bestfirst.compiled.compiler.state_fields import state_fields
from bestfirst.compiled.compiler.state_source import word_of
from bestfirst.state_packing import WORD, StateField

if TYPE_CHECKING:
    from bestfirst.compiled.compiler.translate import Translation

_OUTSIDE = ("{0} >> {1} & 1 == 0", "not {0} >> {1} & 1", "{0} & 1 << {1} == 0", "not {0} & 1 << {1}")
"""The tests whether an action is outside a set, as ast.unparse() writes them."""


@dataclass(frozen=True)
class Candidates:
    """The set of actions that may be legal: a field of the state, and others."""

    field: str
    others: frozenset[int]


def candidates_of(translation: Translation) -> Candidates | None:
    """The candidates of a domain; None if its step() does not begin by asking for them."""
    function = translation.originals.get("step")
    sets = [field.name for field in state_fields(translation.domain) if _is_set(field)]
    found = None if function is None else candidates_in(definition_of(function), sets)
    return found if found is not None and max(found.others, default=0) < WORD else None


def _is_set(field: StateField) -> bool:
    """Whether the bits of a field are those of an int >= 0."""
    return field.length is None and not field.is_unsigned and (field.is_wide or field.bits < WORD)


def candidates_in(definition: ast.FunctionDef, sets: Sequence[str]) -> Candidates | None:
    """The candidates that the definition of a step() begins by asking for. sets: the fields that may be asked.

    Tests for single actions may precede: what follows them says nothing about these.
    """
    if len(definition.args.args) < 3:
        return None
    _, state, action = (argument.arg for argument in definition.args.args[:3])
    outside = {form.format(f"{state}.{name}", action): name for name in sets for form in _OUTSIDE}
    others = set[int]()
    waiting = without_docstring(definition.body)
    while waiting and isinstance(test := waiting[0], ast.If):
        first = test.test.values[0] if isinstance(test.test, ast.BoolOp) and isinstance(test.test.op, ast.Or) else test.test
        field = outside.get(ast.unparse(first))
        if field is not None:
            return Candidates(field, frozenset(others)) if _is_refusal(test.body[0], (state, action)) else None
        single = _single(test.test, action)
        if single is None:
            return None
        others.add(single)
        waiting = test.orelse or waiting[1:]
    return None


def _single(test: ast.expr, action: str) -> int | None:
    """The number with which a test compares the action, if it does nothing else."""
    match test:
        case ast.Compare(ast.Name(name), [ast.Eq()], [ast.Constant(int() as number)]) if name == action and number >= 0:
            return number
    return None


def _is_refusal(statement: ast.stmt, arguments: Sequence[str]) -> bool:
    """Whether a statement returns (False, ...), and computes nothing."""
    match statement:
        case ast.Return(ast.Tuple([ast.Constant(False), *others])):
            return all(
                isinstance(one, ast.Constant) or (isinstance(one, ast.Name) and one.id in arguments) for one in others
            )
    return False


def next_action_source(translation: Translation) -> str:
    """The source of next_action() of kernels (names.py)."""
    head = "def next_action(me, state, pair, action):\n"
    if forces(translation):
        head += "    if pair[0] >= 0:\n        return pair[0] if action < pair[0] else max_actions(me)\n"
    head += "    at = action + 1\n"
    candidates = candidates_of(translation)
    if candidates is None:
        return f"{head}    return at\n"
    fields = state_fields(translation.domain)
    field = next(one for one in fields if one.name == candidates.field)
    words = "".join(_next_in_word(fields, field, number, candidates.others) for number in range(field.count))
    return f"{head}{words}    return max_actions(me)\n"


def _next_in_word(fields: Sequence[StateField], field: StateField, number: int, others: Collection[int]) -> str:
    """The lines that look for the next action in one of the words of the set."""
    begin, end = WORD * number, WORD * (number + 1)
    singles = sum(1 << other - begin for other in others if begin <= other < end)
    left = f"unsigned({word_of(fields, field.first + number)})" + (f" | unsigned({singles})" if singles else "")
    return f"""
    if at < {end}:
        left = ({left}) >> unsigned(at - {begin})
        if left != unsigned(0):
            return at + lowest_bit(left)
        at = {end}
"""

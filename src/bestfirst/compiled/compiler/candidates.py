"""Candidates: the set of actions that may be legal in a state, if step() begins by asking for it.

The step() of many models begins with `if state.left >> action & 1 == 0: return False, state, 0`. Kernels then try only the members
of state.left: to find the next one takes less time than to try all others, and no processor can predict which ones are members.
The set may also be what prepare() returns, or a member of that.
"""

from __future__ import annotations

import ast
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from bestfirst.compiled.compiler.arithmetic import PREFIX
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
    """The set of actions that may be legal, and others. name: of a field of the state. prepared: the set is what prepare() returns
    instead, or the field of that with this name."""

    name: str
    others: frozenset[int]
    prepared: bool = False


def candidates_of(translation: Translation) -> Candidates | None:
    """The candidates of a domain; None if its step() does not begin by asking for them."""
    function = translation.originals.get("step")
    sets = [field.name for field in state_fields(translation.domain) if _is_set(field)]
    found = None if function is None else candidates_in(definition_of(function), sets)
    if found is None or max(found.others, default=0) >= WORD:
        return None
    is_unknown = found.prepared and (translation.has_words or "prepare" not in translation.originals)
    return None if is_unknown else found


def _is_set(field: StateField) -> bool:
    """Whether the bits of a field are those of an int >= 0."""
    return field.length is None and not field.is_unsigned and (field.is_wide or field.bits < WORD)


def candidates_in(definition: ast.FunctionDef, sets: Sequence[str]) -> Candidates | None:
    """The candidates that the definition of a step() begins by asking for. sets: the fields that may be asked.

    Tests for single actions may precede: what follows them says nothing about these.
    """
    if len(definition.args.args) < 3:
        return None
    _, state, action, *more = (argument.arg for argument in definition.args.args[:4])
    outside = {form.format(f"{state}.{name}", action): name for name in sets for form in _OUTSIDE}
    others = set[int]()
    waiting = without_docstring(definition.body)
    while waiting and isinstance(test := waiting[0], ast.If):
        first = test.test.values[0] if isinstance(test.test, ast.BoolOp) and isinstance(test.test.op, ast.Or) else test.test
        name = outside.get(ast.unparse(first))
        prepared = _prepared_set(first, action, *more) if name is None else None
        if name is not None or prepared is not None:
            found = Candidates(name or prepared or "", frozenset(others), prepared=name is None)
            return found if _is_refusal(test.body[0], (state, action, *more)) else None
        single = _single(test.test, action)
        if single is None:
            return None
        others.add(single)
        waiting = test.orelse or waiting[1:]
    return None


def _prepared_set(test: ast.expr, action: str, prepared: str = "") -> str | None:
    """The member of the prepared value that a test asks; "" for the value itself; None for another test."""
    for node in ast.walk(test):
        whole = node.value if isinstance(node, ast.Attribute) else node
        if isinstance(whole, ast.Name) and whole.id == prepared:
            member = node.attr if isinstance(node, ast.Attribute) else ""
            asked = f"{prepared}.{member}" if member else prepared
            return member if ast.unparse(test) in [form.format(asked, action) for form in _OUTSIDE] else None
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
    if candidates.prepared:
        head += f"    members = {_prepared_members(candidates, translation.widest)}\n"
        words = _words_of_prepared(translation.widest)
        last = f"at if {words[-1]} < 0 else max_actions(me)"  # a negative int has all greater members
    else:
        fields = state_fields(translation.domain)
        field = next(one for one in fields if one.name == candidates.name)
        words = [word_of(fields, field.first + number) for number in range(field.count)]
        last = "max_actions(me)"
    tried = "".join(_next_in_word(word, number, candidates.others) for number, word in enumerate(words))
    return f"{head}{tried}    return {last}\n"


def _prepared_members(candidates: Candidates, widest: int) -> str:
    """The set that prepare() returns, as an int of 64 bits, or of the widest."""
    value = f"pair[1].{candidates.name}" if candidates.name else "pair[1]"
    return f"{PREFIX}wide({value}, {widest}, 0)" if widest else f"signed({value})"


def _words_of_prepared(widest: int) -> list[str]:
    return [f"{PREFIX}wide_word(members, {number}, 0)" for number in range(widest // WORD)] or ["members"]


def _next_in_word(word: str, number: int, others: Collection[int]) -> str:
    """The lines that look for the next action in one of the words of the set."""
    begin, end = WORD * number, WORD * (number + 1)
    singles = sum(1 << other - begin for other in others if begin <= other < end)
    left = f"unsigned({word})" + (f" | unsigned({singles})" if singles else "")
    return f"""
    if at < {end}:
        left = ({left}) >> unsigned(at - {begin})
        if left != unsigned(0):
            return at + lowest_bit(left)
        at = {end}
"""

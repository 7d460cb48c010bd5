"""Whether code reads attributes that it can do without by names that are not written in it: getattr(self, NAME, 9)."""

from __future__ import annotations

import dis
from collections.abc import Sequence
from functools import cache
from types import CodeType

_Steps = Sequence[dis.Instruction]
_CALLS = ("PRECALL", "CALL")
_LOADING = ("LOAD_GLOBAL", "LOAD_NAME")
_OF_ONE_NAME = ("get", "pop", "setdefault")
_TABLES = ("vars", "dir")


@cache
def computes_names(code: CodeType) -> bool:
    """Whether a code object, or one inside, goes through attributes, or asks for one by a computed name and goes on without it."""
    steps = list(dis.get_instructions(code))
    return any(_computes_name(steps, place) for place in range(len(steps))) or any(
        computes_names(inner) for inner in code.co_consts if isinstance(inner, CodeType)
    )


def _computes_name(steps: _Steps, place: int) -> bool:
    step = steps[place]
    if step.opname in _LOADING and step.argval in ("getattr", "hasattr"):
        call, second = _call_of(steps, place)
        fails_without = call is not None and step.argval == "getattr" and steps[call].arg == 2
        return not (fails_without or _is_text(steps, second, call))
    if step.opname in _LOADING and step.argval in _TABLES:
        call, _ = _call_of(steps, place)
        return call is None or not _reads_one_name(steps, place, call + (steps[call].opname == "PRECALL"))
    return step.argval == "__dict__" and "ATTR" in step.opname and not _reads_one_name(steps, place, place)


def _call_of(steps: _Steps, place: int) -> tuple[int | None, int]:
    """The place where a function that is loaded is called, if it is, and the last step of its second argument."""
    depth, second = 0, 0
    first = place + (2 if steps[place + 1].opname == "PUSH_NULL" else 1)
    for here in range(first, len(steps)):
        step = steps[here]
        if step.opname in _CALLS and step.arg == depth:
            return here, second
        depth += dis.stack_effect(step.opcode, step.arg, jump=False)
        if depth < 1:
            break
        if depth == 2:  # from then on, only the third argument is worked out, above the second one
            second = here
    return None, 0


def _is_text(steps: _Steps, second: int, call: int | None) -> bool:
    return call is not None and steps[second].opname == "LOAD_CONST" and isinstance(steps[second].argval, str)


def _reads_one_name(steps: _Steps, place: int, table: int) -> bool:
    """Whether only one attribute is read in vars(self) or self.__dict__, by a text in the code, or some are set.

    place: where this begins, and table: where it ends.
    """
    following = [*steps[table + 1 : table + 4], None, None, None]
    first, second = following[0], following[1]
    if first is None:
        return False
    if first.opname == "CONTAINS_OP":
        return any(step.opname == "LOAD_CONST" for step in steps[max(0, place - 2) : place])
    if first.opname in ("LOAD_ATTR", "LOAD_METHOD"):
        is_text = second is not None and second.opname == "LOAD_CONST"
        return first.argval == "update" or (first.argval in _OF_ONE_NAME and is_text)
    return first.opname == "LOAD_CONST" and second is not None and _is_subscript(second)


def _is_subscript(step: dis.Instruction) -> bool:
    return step.opname.endswith("SUBSCR") or step.argrepr == "[]"

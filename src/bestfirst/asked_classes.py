"""Whether a method asks for the class of its object: it may then say something else in a subclass that replaces no rule."""

from __future__ import annotations

import dis
from collections.abc import Sequence
from functools import cache
from types import CodeType

_COMPARING = ("IS_OP", "COMPARE_OP", "CONTAINS_OP", "BINARY_SUBSCR")
_READING = ("LOAD_ATTR", "LOAD_METHOD")
_NAMES = ("__name__", "__qualname__", "__module__")


@cache
def asks_for_class(code: CodeType) -> bool:
    """Whether a method compares type(self), self.__class__ or the name of the class with something, or looks it up.

    To read or set an attribute of the class, to call it, or to show its name, is not to ask for it; nor is __eq__.
    """
    if code.co_name.startswith("__"):
        return False
    steps, owner = list(dis.get_instructions(code)), code.co_varnames[0] if code.co_argcount else ""
    places = (_end_of_class(steps, place, owner) for place in range(len(steps)))
    return any(end is not None and _is_compared(steps, place, end) for place, end in enumerate(places))


def _end_of_class(steps: Sequence[dis.Instruction], place: int, owner: str) -> int | None:
    """Where type(self), or self.__class__, that begins at a place ends; None if it does not begin there."""
    following = steps[place : place + 5]
    if following[0].opname in ("LOAD_GLOBAL", "LOAD_NAME") and following[0].argval == "type":
        following = [step for step in following if step.opname not in ("PUSH_NULL", "PRECALL")]
        if len(following) > 2 and _loads(following[1], owner) and following[2].opname == "CALL":
            return steps.index(following[2], place)
        return None
    if _loads(following[0], owner) and len(following) > 1 and following[1].argval == "__class__":
        return place + 1
    return None


def _loads(step: dis.Instruction, owner: str) -> bool:
    return bool(owner) and step.opname.startswith(("LOAD_FAST", "LOAD_DEREF")) and step.argval == owner


def _is_compared(steps: Sequence[dis.Instruction], place: int, end: int) -> bool:
    following = list(steps[end + 1 : end + 4])
    if following and following[0].argval in _NAMES:
        del following[0]
    elif following and following[0].opname in _READING and not str(following[0].argval).startswith("__"):
        return False  # what is compared is an attribute of the class
    is_looked_up = place > 0 and steps[place - 1].argval == "get"  # in a table: get(type(self), 9)
    return is_looked_up or any(step.opname in _COMPARING or step.argrepr == "[]" for step in following[:2])

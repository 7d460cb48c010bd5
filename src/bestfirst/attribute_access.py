"""How code reads the attributes of an object, seen in its bytecode: by names that it works out, or without needing them.

What it reads by plain names is in code.co_names; this module finds the rest, such as getattr(self, f"price_{kind}").
"""

from __future__ import annotations

import dis
import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from inspect import CO_VARARGS, CO_VARKEYWORDS
from itertools import pairwise
from types import CodeType

_BY_NAME = frozenset(("getattr", "hasattr", "getattr_static"))
"""What reads an attribute of its first argument, whose name is the second one."""
_GETTERS = frozenset(("attrgetter", "methodcaller"))
_ALL = frozenset(("vars", "dir", "getmembers"))
"""What lists the attributes of its argument."""
_ANYTHING = frozenset(("eval", "exec", "globals", "__import__", "import_module", "__getattribute__"))
_SHOWING = frozenset(("str", "repr", "format", "print"))
_OF_CLASS = frozenset(("type", "isinstance", "issubclass"))
_LOADS = ("LOAD_GLOBAL", "LOAD_NAME", "LOAD_DEREF", "LOAD_ATTR", "LOAD_METHOD")
_BETWEEN = ("PRECALL", "CALL", "COPY", "PUSH_NULL", "CACHE", "SWAP")
NEAR = 4
"""The number of instructions in which the arguments of a call are looked for."""


@dataclass(frozen=True)
class Access:
    """How code reads some objects, its owners.

    attributes: the names that are read or set as attributes of an owner, or of its class. names: those that are texts, as in
    getattr(self, "goal"). imports: the modules that it imports. passes_on: whether it uses an owner as a whole. shows: whether it
    makes a text of an owner. is_dynamic: whether it reads by names that it works out. may_miss: it may go on without an
    attribute. asks_class: it asks for the class of an owner. compares_classes: it compares something with a class.
    """

    attributes: frozenset[str]
    names: frozenset[str]
    imports: frozenset[str]
    passes_on: bool
    shows: bool
    is_dynamic: bool
    may_miss: bool
    asks_class: bool
    compares_classes: bool


def parameters_of(code: CodeType) -> tuple[str, ...]:
    """The names of all parameters of a function."""
    count = code.co_argcount + code.co_kwonlyargcount
    return code.co_varnames[: count + bool(code.co_flags & CO_VARARGS) + bool(code.co_flags & CO_VARKEYWORDS)]


@cache
def access_of(code: CodeType, owners: frozenset[str]) -> Access:
    """How a code object, and those nested in it, read the objects that some variables refer to."""
    steps = [*dis.get_instructions(code)]
    calls = [(step.argval, steps[place + 1 :]) for place, step in enumerate(steps) if step.opname in _LOADS]
    of_owner = [(name, after) for name, after in calls if _has_owner(after[:NEAR], owners)]
    asked = [after for name, after in of_owner if name in _BY_NAME]
    inside = [access_of(constant, owners) for constant in code.co_consts if isinstance(constant, CodeType)]
    return Access(
        attributes=_attributes(steps, owners).union(*(one.attributes for one in inside)),
        imports=frozenset(str(step.argval) for step in steps if step.opname == "IMPORT_NAME").union(
            *(one.imports for one in inside)
        ),
        passes_on=_passes_on(steps, owners) or any(one.passes_on for one in inside),
        shows=_shows(steps, owners) or any(one.shows for one in inside),
        names=frozenset[str]().union(
            *(_texts(after[1]) for after in asked),
            *(_texts(after[0]) for name, after in calls if name in _GETTERS),
            *(_texts(before) for before, step in pairwise(steps) if step.argval == "format" or step.opname == "MATCH_CLASS"),
            *(one.names for one in inside),
        ),
        is_dynamic=any(name in _ANYTHING for name, _ in calls)
        or any(name in _GETTERS and not _is_constant(after) for name, after in calls)
        or any(name in _ALL for name, _ in of_owner)
        or not all(_is_constant(after[1:]) for after in asked)
        or _formats(steps, owners)
        or _reads_dict(steps, owners)
        or any(one.is_dynamic for one in inside),
        may_miss=bool(asked) or any(step.opname == "PUSH_EXC_INFO" for step in steps) or any(one.may_miss for one in inside),
        asks_class=_asks_class(steps, owners) or any(one.asks_class for one in inside),
        compares_classes=any(name in _OF_CLASS for name, _ in calls)
        or any(step.opname == "MATCH_CLASS" for step in steps)
        or any(one.compares_classes for one in inside),
    )


@cache
def set_on(code: CodeType, owner: str) -> frozenset[str]:
    """The attributes that a code object, or one inside, sets on the object that a variable refers to."""
    steps = [step for step in dis.get_instructions(code) if step.opname not in ("CACHE", "PUSH_NULL")]
    own = {
        str(step.argval)
        for before, step in pairwise(steps)
        if step.opname == "STORE_ATTR"
        and (before.opname == "SWAP" or _is_owner(before, frozenset({owner})))  # self.calls += 1
    }
    return frozenset(own).union(*(set_on(constant, owner) for constant in code.co_consts if isinstance(constant, CodeType)))


def _is_owner(step: dis.Instruction, owners: frozenset[str]) -> bool:
    """Whether the last value that an instruction loads is an owner: Python 3.13 joins some of them."""
    if not step.opname.startswith(("LOAD_FAST", "LOAD_DEREF", "LOAD_CLOSURE", "STORE_FAST_LOAD_FAST")):
        return False
    return (step.argval[-1] if isinstance(step.argval, tuple) else step.argval) in owners


def _loads_owner(step: dis.Instruction, owners: frozenset[str]) -> bool:
    """Whether one of the values that an instruction loads is an owner."""
    is_joined = isinstance(step.argval, tuple) and step.opname.startswith("LOAD_FAST")
    return _is_owner(step, owners) or (is_joined and not owners.isdisjoint(step.argval))


def _has_owner(steps: Sequence[dis.Instruction], owners: frozenset[str]) -> bool:
    return any(_loads_owner(step, owners) for step in steps)


def _is_constant(arguments: Sequence[dis.Instruction]) -> bool:
    """Whether the first argument is a text that is written there, perhaps with one more argument, and the call follows."""
    first, *after = (step for step in arguments[:4] if step.opname != "PRECALL")
    is_whole = "CALL" in after[0].opname or (after[0].opname.startswith("LOAD_") and "CALL" in after[1].opname)
    return first.opname == "LOAD_CONST" and isinstance(first.argval, str) and is_whole


def _attributes(steps: Sequence[dis.Instruction], owners: frozenset[str]) -> frozenset[str]:
    """The attributes of owners, as in self.goal, type(self).goal, self.__class__.goal and super().goal()."""
    found, plain = set(), [step for step in steps if step.opname not in _BETWEEN]
    for before, step in pairwise(plain):
        is_inherited = step.opname == "LOAD_SUPER_ATTR" or before.argval in ("super", "__class__")
        if "_ATTR" in step.opname or step.opname == "LOAD_METHOD":
            found |= {str(step.argval)} if is_inherited or _is_owner(before, owners) else set()
    return frozenset(found)


def _passes_on(steps: Sequence[dis.Instruction], owners: frozenset[str]) -> bool:
    """Whether an owner is used as a whole, and not only to read an attribute of it."""
    plain = [step for step in steps if step.opname not in _BETWEEN]
    return any(
        (_is_owner(step, owners) and not ("_ATTR" in after.opname or after.opname == "LOAD_METHOD"))
        or (_loads_owner(step, owners) and not _is_owner(step, owners))
        for step, after in pairwise(plain)
    )


def _shows(steps: Sequence[dis.Instruction], owners: frozenset[str]) -> bool:
    """Whether a text is made of an owner, as by str(self) or in an f-string."""
    return any(
        (before.argval in _SHOWING and before.opname in _LOADS and _is_owner(step, owners))
        or (step.opname.startswith(("FORMAT_", "CONVERT_")) and _is_owner(before, owners))
        for before, step in pairwise(steps)
    )


def _texts(step: dis.Instruction) -> frozenset[str]:
    """The words of the texts that an instruction loads: "{0.goal}" names an attribute as "goal" does."""
    texts = step.argval if isinstance(step.argval, tuple) else (step.argval,)
    is_loaded = step.opname == "LOAD_CONST"
    return frozenset(word for text in texts if is_loaded and isinstance(text, str) for word in re.findall(r"\w+", text))


def _formats(steps: Sequence[dis.Instruction], owners: frozenset[str]) -> bool:
    """Whether a text that is worked out is formatted with an owner, as in (text + "}").format(self)."""
    return any(
        step.argval in ("format", "format_map")
        and step.opname in ("LOAD_ATTR", "LOAD_METHOD")
        and not (before.opname == "LOAD_CONST" or _is_owner(before, owners))
        and _has_owner(steps[place + 2 : place + 2 + NEAR], owners)
        for place, (before, step) in enumerate(pairwise(steps))
    )


def _reads_dict(steps: Sequence[dis.Instruction], owners: frozenset[str]) -> bool:
    """Whether all attributes of an owner, or of its class, are read."""
    return any(
        step.argval in ("__dict__", "__slots__") and _has_owner(steps[max(0, place - NEAR) : place], owners)
        for place, step in enumerate(steps)
    )


def _asks_class(steps: Sequence[dis.Instruction], owners: frozenset[str]) -> bool:
    """Whether the class of an owner is asked for, and not only to read one of its attributes, as in type(self).calls."""
    for place, step in enumerate(steps):
        after = [one for one in steps[place + 1 :] if one.opname not in _BETWEEN]
        if step.argval == "type" and step.opname in _LOADS and after and _loads_owner(after[0], owners):
            after = after[1:]
        elif not (step.argval == "__class__" and place > 0 and _is_owner(steps[place - 1], owners)):
            is_test = step.argval in ("isinstance", "issubclass") and step.opname in _LOADS
            if is_test and after and _loads_owner(after[0], owners):
                return True
            continue
        is_attribute = after and after[0].opname in ("LOAD_ATTR", "LOAD_METHOD", "STORE_ATTR")
        if not is_attribute or str(after[0].argval).startswith("__"):
            return True
    return False

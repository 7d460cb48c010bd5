"""Evaluation: how a kernel estimates a state of a task, and which heuristics have compiled code for it.

The module of a heuristic (heuristics/NAME.py) has four members:

    evaluate(values, tables, scratch)   # the estimate, an int64 below DEAD_END; DEAD_END for a dead end
    parts                               # the functions that evaluate calls, callees first
    tables(task)                        # a tuple of arrays that evaluate reads
    new_scratch(task)                   # a tuple of arrays that it reads and writes: one for each thread

values: the value of each variable, an int32 array. It has one more element than there are variables, since arrays must not be
empty. evaluate is a part of kernels (docs/writing-a-kernel.md): it is compiled once with each kernel, for all tasks.

A heuristic with preferred operators sets `prefers = True`. evaluate then leaves them in scratch[0], an int32 array: their
number, and then for each its number in task.operators, ascending.
"""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from typing import TYPE_CHECKING, NamedTuple

from bestfirst.errors import NotCompilableError
from bestfirst.planning.compiled_searches import module_of

if TYPE_CHECKING:
    from bestfirst.compiled.store.aliases import Arrays, Template
    from bestfirst.planning.task import Task

DEAD_END = 2**31 - 1
"""The estimate of a dead end."""


class Evaluation(NamedTuple):
    """What a kernel needs of a heuristic; the members are those of its module."""

    evaluate: Template
    parts: tuple[Template, ...]
    tables: Callable[[Task], Arrays]
    new_scratch: Callable[[Task], Arrays]
    prefers: bool


def evaluation_of(name: str) -> Evaluation:
    """The evaluation of a heuristic, by name. What follows a colon is a further argument of tables and new_scratch.

    Raises NotCompilableError for a heuristic without compiled code.
    """
    found, detail = module_of(name), name.partition(":")[2]
    if found is None:
        raise NotCompilableError(f"the heuristic {name} of a task has no compiled version; use engine='python'")
    module = import_module(f"bestfirst.compiled.tasks.heuristics.{found}")
    further = (detail,) if detail else ()
    return Evaluation(
        module.evaluate,
        module.parts,
        lambda task: module.tables(task, *further),
        lambda task: module.new_scratch(task, *further),
        getattr(module, "prefers", False),
    )

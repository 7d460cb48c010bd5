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

if TYPE_CHECKING:
    from bestfirst.compiled.store.aliases import Arrays, Template
    from bestfirst.planning.task import Task

DEAD_END = 2**31 - 1
"""The estimate of a dead end."""
NO_HEURISTIC = "zero"
"""The evaluation of a search without a heuristic, which is 0 everywhere."""

COMPILED = {
    NO_HEURISTIC: "zero",
    "blind": "blind",
    "goal-count": "goal_count",
    "hmax": "hmax",
    "hadd": "hadd",
    "ff": "ff",
    "lmcut": "landmark_cut",
}
"""The module in heuristics/ for each heuristic that kernels can evaluate; of a name with a colon, for the part before it."""


class Evaluation(NamedTuple):
    """What a kernel needs of a heuristic; the members are those of its module."""

    evaluate: Template
    parts: tuple[Template, ...]
    tables: Callable[[Task], Arrays]
    new_scratch: Callable[[Task], Arrays]
    prefers: bool


def is_compiled(name: str) -> bool:
    """Whether kernels can evaluate the heuristic of a name."""
    return name.partition(":")[0] in COMPILED


def evaluation_of(name: str) -> Evaluation:
    """The evaluation of a heuristic, by name. What follows a colon is a further argument of tables and new_scratch.

    Raises NotCompilableError for a heuristic without compiled code.
    """
    base, _, detail = name.partition(":")
    if base not in COMPILED:
        raise NotCompilableError(f"the heuristic {name} of a task has no compiled version; use engine='python'")
    module = import_module(f"bestfirst.compiled.tasks.heuristics.{COMPILED[base]}")
    further = (detail,) if detail else ()
    return Evaluation(
        module.evaluate,
        module.parts,
        lambda task: module.tables(task, *further),
        lambda task: module.new_scratch(task, *further),
        getattr(module, "prefers", False),
    )

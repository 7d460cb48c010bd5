"""The command that repeats a run, which a reader of a report can paste into a shell."""

from __future__ import annotations

import shlex
from functools import cache
from importlib import import_module
from typing import Any

from bestfirst.experiments.task import GAME, Task
from bestfirst.makers import flag, maker_named

_FLAGS = ("delete_redundant", "memo")
"""Options of algorithms that are written without a value."""


def command_of(task: Task, engine: str | None = None, heuristic: str | None = None) -> str:
    """The command of a task. engine, heuristic: those that were used, if the task leaves them open."""
    words = ["bestfirst", "analyse" if task.kind == GAME else "solve", task.maker]
    words += [] if task.instance is None else [task.instance]
    for name, value in task.options.items():
        words += [_flag_of(task.maker, name), value]
    words += _of_game(task) if task.kind == GAME else _of_search(task, heuristic)
    return shlex.join(words + _engine(task, engine))


def _of_search(task: Task, heuristic: str | None) -> list[str]:
    words = ["--algorithm", task.algorithm or ""]
    used = task.heuristic or heuristic
    words += [] if used is None else ["--heuristic", used]
    for name, value in task.arguments.items():
        if name in _FLAGS:
            words += [f"--{name.replace('_', '-')}"] if value else []
        else:
            words += [f"--{name.replace('_', '-')}", str(value)]
    return words + _limits({name: value for name, value in task.limits.items() if name not in task.arguments})


def _of_game(task: Task) -> list[str]:
    words = ["--lines", "1", "--settings", task.settings or ""]
    words += [] if task.depth is None else ["--depth", str(task.depth)]
    shown = {"nodes" if name == "expansions" else name: value for name, value in task.limits.items()}
    return words + _limits({name: value for name, value in shown.items() if name in ("seconds", "nodes")})


def _limits(limits: dict[str, Any]) -> list[str]:
    return [word for name, value in limits.items() if value is not None for word in (f"--{name}", str(value))]


def _engine(task: Task, engine: str | None) -> list[str]:
    used = task.engine or engine
    return [] if used is None else ["--engine", used]


@cache
def _flag_of(maker: str, option: str) -> str:
    """How an option of a problem is written; that of a user's class may clash with one of the commands."""
    made = maker_named(maker)
    if not made.is_own:
        return flag(option).split()[0]
    try:
        options = import_module(
            "bestfirst.cli.class_options"
        )  # by name: the commands need these modules, not the other way round
        application = import_module("bestfirst.cli.app").app
    except ModuleNotFoundError:  # without the extra cli
        return flag(option, is_own=True)
    written: str = options.flag_in(application, made, option)
    return written

"""Writes a trace to a file in the format of its suffix."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TypeAlias, TypeVar

from bestfirst.errors import InputError
from bestfirst.games.tracing.drawing import game_tree_dot, game_tree_posthoc, game_tree_svg
from bestfirst.games.tracing.trace import GameTrace
from bestfirst.problem import Problem
from bestfirst.search import Algorithm
from bestfirst.system.atomic import check_writable, write_atomically
from bestfirst.trace import SearchTree, Trace, to_dot, to_json_lines, to_posthoc, to_svg

_AnyForm = TypeVar("_AnyForm")
_Form: TypeAlias = Callable[[Trace, Problem, Algorithm], str]

_FORMS: dict[str, _Form] = {
    ".trace.yaml": lambda trace, problem, _: to_posthoc(trace, problem),
    ".jsonl": to_json_lines,
    ".dot": lambda trace, problem, _: to_dot(SearchTree.from_trace(trace), problem),
    ".svg": lambda trace, problem, _: to_svg(SearchTree.from_trace(trace), problem),
    ".txt": lambda trace, problem, _: SearchTree.from_trace(trace).text(problem.label) + "\n",
}


_GAME_FORMS: dict[str, Callable[[GameTrace], str]] = {
    ".trace.yaml": game_tree_posthoc,
    ".dot": game_tree_dot,
    ".svg": game_tree_svg,
    ".txt": lambda trace: trace.text() + "\n",
}


def check_trace_file(path: Path) -> None:
    """Raise InputError for a file that cannot be written, or whose suffix is unknown."""
    _form_of(path, _FORMS)
    check_writable(path)


def write_trace(path: Path, trace: Trace, problem: Problem, algorithm: Algorithm) -> None:
    """Write a trace to a file, atomically, in the format of its suffix."""
    write_atomically(path, _form_of(path, _FORMS)(trace, problem, algorithm))


def check_game_trace_file(path: Path) -> None:
    """Like check_trace_file, for the trace of a game."""
    _form_of(path, _GAME_FORMS)
    check_writable(path)


def write_game_trace(path: Path, trace: GameTrace) -> None:
    """Write the last tree of a game's trace to a file, atomically, in the format of its suffix."""
    write_atomically(path, _form_of(path, _GAME_FORMS)(trace))


def _form_of(path: Path, forms: dict[str, _AnyForm]) -> _AnyForm:
    for ending, form in forms.items():
        if path.name.endswith(ending):
            return form
    raise InputError(f"trace file {str(path)!r} has an unknown suffix; use one of {', '.join(forms)}")

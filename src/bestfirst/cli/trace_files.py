"""Writing a trace to a file in the form that the file's name asks for."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TypeAlias

from bestfirst.atomic import check_writable, write_atomically
from bestfirst.errors import InputError
from bestfirst.problem import Problem
from bestfirst.search import Algorithm
from bestfirst.trace import SearchTree, Trace, to_dot, to_json_lines, to_posthoc, to_svg

_Form: TypeAlias = Callable[[Trace, Problem, Algorithm], str]

_FORMS: dict[str, _Form] = {
    ".trace.yaml": lambda trace, problem, _: to_posthoc(trace, problem),
    ".jsonl": to_json_lines,
    ".dot": lambda trace, problem, _: to_dot(SearchTree.from_trace(trace), problem),
    ".svg": lambda trace, problem, _: to_svg(SearchTree.from_trace(trace), problem),
    ".txt": lambda trace, problem, _: SearchTree.from_trace(trace).text(problem.label) + "\n",
}


def check_trace_file(path: Path) -> None:
    """Raise InputError for a file that could not be written, or whose name asks for no form that there is."""
    _form_of(path)
    check_writable(path)


def write_trace(path: Path, trace: Trace, problem: Problem, algorithm: Algorithm) -> None:
    """Write a trace to a file, atomically, in the form that its name asks for."""
    write_atomically(path, _form_of(path)(trace, problem, algorithm))


def _form_of(path: Path) -> _Form:
    for ending, form in _FORMS.items():
        if path.name.endswith(ending):
            return form
    raise InputError(f"trace file {str(path)!r} has no known ending; use one of {', '.join(_FORMS)}")

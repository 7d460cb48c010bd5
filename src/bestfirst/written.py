"""The strings of states, actions and moves, as a problem or a game writes them: an error names the method without one."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from numbers import Real
from typing import TYPE_CHECKING, Any

from bestfirst.errors import ProblemError

if TYPE_CHECKING:
    from bestfirst.problem import Cell, Problem


def text_of(shown: Any, method: str, *subjects: Any) -> str:
    """What a method such as format of a problem or a game returns for a state, or for an action or a move.

    Raises ProblemError if it is not a str.
    """
    if method == "label" and type(shown).label.__qualname__ in ("Problem.label", "Game.label"):
        method = "format"  # which these return
    text = getattr(shown, method)(*subjects)
    if not isinstance(text, str):
        missing = "; is a return missing?" if text is None else f", such as {str(text)!r}"
        given = ", ".join(map(repr, subjects))
        raise ProblemError(f"{type(shown).__name__}.{method}({given}) returns {text!r}; it must return a str{missing}")
    return text


def texts_of(shown: Any, method: str, subjects: Sequence[Any]) -> list[str]:
    """What text_of() returns for each of many states or actions, in half the time."""
    texts = list(map(getattr(shown, method), subjects))
    if set(map(type, texts)) <= {str}:
        return texts
    return [text_of(shown, method, subject) for subject in subjects]


def cells_of(problem: Problem, state: Any) -> list[Cell]:
    """What problem.cells returns for a state, [] for None. Raises ProblemError if it is not (row, column, text) for each cell."""
    given = problem.cells(state)
    if given is None:
        return []
    cells = list(given) if isinstance(given, Iterable) else [given]
    for cell in cells:
        match cell:
            case (Real(), Real(), str()):
                pass
            case _:
                raise ProblemError(
                    f"{type(problem).__name__}.cells({state!r}) returns the cell {cell!r}; "
                    "each cell must be (row, column, text), such as (0, 1, 'x')"
                )
    return cells

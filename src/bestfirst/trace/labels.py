"""Makes the strings of states and actions printable, on one line or in a drawing."""

from __future__ import annotations

from collections.abc import Iterable
from numbers import Real
from typing import Any
from unicodedata import combining, east_asian_width

from bestfirst.errors import ProblemError
from bestfirst.problem import Cell, Problem


def text_of(shown: Any, method: str, subject: Any) -> str:
    """What a method such as format of a problem or a game returns for a state or an action.

    Raises ProblemError if it is not a str.
    """
    text = getattr(shown, method)(subject)
    if not isinstance(text, str):
        missing = "; is a return missing?" if text is None else f", such as {str(text)!r}"
        raise ProblemError(f"{type(shown).__name__}.{method}({subject!r}) returns {text!r}; it must return a str{missing}")
    return text


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


def visible(text: str) -> str:
    """The string with unprintable characters escaped, except line breaks."""
    if text.isprintable():
        return text
    return "".join(char if char.isprintable() or char == "\n" else _escape(char) for char in text)


def one_line(text: str) -> str:
    """The string with unprintable characters and line breaks escaped."""
    if text.isprintable():
        return text
    return "".join(char if char.isprintable() else _escape(char) for char in text)


def columns(text: str) -> int:
    """The width of a line in a monospaced font, in columns; East Asian wide characters take two."""
    return sum(0 if combining(char) else 2 if east_asian_width(char) in "WF" else 1 for char in text)


def shortened(text: str, most: int) -> str:
    """The string, cut to a number of columns with an ellipsis at the end if it is wider."""
    if columns(text) <= most:
        return text
    kept = ""
    for char in text:
        if columns(kept + char) >= most:
            break
        kept += char
    return kept + "…"


def _escape(char: str) -> str:
    return char.encode("unicode_escape").decode()

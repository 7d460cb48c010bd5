"""Messages for errors that a problem's own code raises."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from traceback import extract_tb, walk_tb
from types import FrameType
from typing import Any

from bestfirst import domain, problem
from bestfirst.as_written import SETTLED
from bestfirst.errors import CompileError, InputError, ProblemError, kind_and_text, written_by
from bestfirst.vocabulary import is_shipped

MOST_SHOWN = 200
_BASES = (problem.__file__, domain.__file__)
_PACKAGE = str(Path(__file__).parent)


def raised(call: str, state: Any, error: Exception) -> ProblemError:
    """The ProblemError that names the member, the state, the error, and the line that raised it.

    call: the call of the member, with {state} as a placeholder.
    """
    said = _text(str, error)
    place = extract_tb(error.__traceback__)[-1]
    return ProblemError(
        f"{call.replace('{state}', _text(repr, state))} raised {type(error).__name__}{f': {said}' if said else ''} "
        f"({place.filename}:{place.lineno}, in {place.name})"
    )


def raised_within(owner: object, error: Exception) -> ProblemError | None:
    """Like raised(), if only the object is known, not the member; None if the error did not come from one of its methods.

    It is the outermost method that is not one of Problem or Domain; the message shows its parameters when the error was
    raised.
    """
    for frame, line in walk_tb(error.__traceback__):
        code = frame.f_code
        names = code.co_varnames[: code.co_argcount]
        if names and frame.f_locals.get(names[0]) is owner and code.co_filename not in _BASES:
            return _raised_in(frame, line, names[1:], error)
    return None


def raised_stop(error: Exception) -> ProblemError | None:
    """The ProblemError for a StopIteration, which Python turns into a RuntimeError that names nothing; None for other errors."""
    stop = error if isinstance(error, StopIteration) else error.__cause__
    if not isinstance(stop, StopIteration):
        return None
    for frame, line in walk_tb(stop.__traceback__):
        code = frame.f_code
        if not code.co_filename.startswith(_PACKAGE):
            names = code.co_varnames[: code.co_argcount]
            return _raised_in(frame, line, names[1:] if names[:1] == ("self",) else names, stop)
    return None


def raised_by_hidden(problem: Any, error: Exception) -> InputError | None:
    """The InputError for a method of a shipped problem that fails because a user's class gave its data another type."""
    own, settled = vars(problem), vars(problem).get(SETTLED, {})
    hidden = [name for name, value in settled.items() if name in own and type(own[name]) is not type(value)]
    if not hidden or not _file_of(error).startswith(_PACKAGE):
        return None
    kind = type(problem)
    shipped = next(one.__name__ for one in kind.__mro__ if is_shipped(one))
    listed = " and ".join(hidden)
    return InputError(
        f"{listed} of this {kind.__name__} had another type after {shipped}.__init__, whose methods read it "
        f"({kind_and_text(error)}); give your own attribute another name"
    )


def _file_of(error: Exception) -> str:
    """The file of the code that failed, or that cannot be compiled; "" if it is unknown."""
    if isinstance(error, CompileError):
        return error.file
    frames = [frame for frame, _ in walk_tb(error.__traceback__)]
    return frames[-1].f_code.co_filename if frames else ""


def _raised_in(frame: FrameType, line: int, names: Sequence[str], error: Exception) -> ProblemError:
    values = ", ".join(f"{name} = {_text(repr, frame.f_locals[name])}" for name in names if name in frame.f_locals)
    said, code = _text(str, error), frame.f_code
    return ProblemError(
        f"{code.co_name} raised {type(error).__name__}{f': {said}' if said else ''}{f', with {values}' if values else ''} "
        f"({code.co_filename}:{line})"
    )


def _text(write: Callable[[Any], str], thing: Any) -> str:
    """What written_by() returns, shortened."""
    text = written_by(write, thing)
    return text if len(text) <= MOST_SHOWN else f"{text[:MOST_SHOWN]}..."

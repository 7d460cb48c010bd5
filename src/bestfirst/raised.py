"""Messages for errors that a problem's own code raises."""

from __future__ import annotations

from collections.abc import Callable
from traceback import extract_tb, walk_tb
from typing import Any

from bestfirst import domain, problem
from bestfirst.errors import ProblemError

MOST_SHOWN = 200
_BASES = (problem.__file__, domain.__file__)


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
            values = ", ".join(
                f"{name} = {_text(repr, frame.f_locals[name])}" for name in names[1:] if name in frame.f_locals
            )
            said = _text(str, error)
            return ProblemError(
                f"{code.co_name} raised {type(error).__name__}{f': {said}' if said else ''}{f', with {values}' if values else ''} "
                f"({code.co_filename}:{line})"
            )
    return None


def _text(write: Callable[[Any], str], thing: Any) -> str:
    """A value as str or repr writes it, shortened; a value that cannot be written is named by its type."""
    try:
        text = write(thing)
    except Exception:
        return f"<a {type(thing).__name__} that cannot be shown>"
    return text if len(text) <= MOST_SHOWN else f"{text[:MOST_SHOWN]}..."

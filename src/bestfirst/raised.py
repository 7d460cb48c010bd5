"""What is said of an error that a problem's own code raises."""

from __future__ import annotations

from collections.abc import Callable
from traceback import extract_tb
from typing import Any

from bestfirst.errors import ProblemError

MOST_SHOWN = 200


def raised(call: str, state: Any, error: Exception) -> ProblemError:
    """The ProblemError that names the member, the state, the error, and the line that raised it.

    call: the call of the member, with {state} where its state stands.
    """
    said = _text(str, error)
    place = extract_tb(error.__traceback__)[-1]
    return ProblemError(
        f"{call.replace('{state}', _text(repr, state))} raised {type(error).__name__}{f': {said}' if said else ''} "
        f"({place.filename}:{place.lineno}, in {place.name})"
    )


def _text(write: Callable[[Any], str], thing: Any) -> str:
    """A thing as str or repr writes it, or what that begins with; what cannot be written is named by its kind."""
    try:
        text = write(thing)
    except Exception:
        return f"<a {type(thing).__name__} that cannot be shown>"
    return text if len(text) <= MOST_SHOWN else f"{text[:MOST_SHOWN]}..."

"""What a notebook shows of an object, even if the problem's own code that draws it raises an error."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any, TypeVar

from bestfirst.errors import reason_of, written_by

_Shown = TypeVar("_Shown")
Bundle = dict[str, Any]


def or_text(bundle: Callable[[_Shown], Bundle]) -> Callable[..., Bundle]:
    """Decorator for _repr_mimebundle_: text, and the error, in place of pictures that cannot be drawn."""

    @wraps(bundle)
    def shown(self: _Shown, **_wanted: object) -> Bundle:
        try:
            return bundle(self)
        except Exception as error:
            from html import escape  # noqa: PLC0415  (few programs need them)

            from bestfirst.trace.labels import visible  # noqa: PLC0415

            text = visible(f"{written_by(str, self)}\n(it cannot be drawn: {reason_of(error)})")
            return {"text/plain": text, "text/html": f"<pre>{escape(text)}</pre>"}

    return shown

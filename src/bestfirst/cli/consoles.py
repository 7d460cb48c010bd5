"""The consoles of the commands: without them, Rich would take square brackets in the names of users for styles."""

from __future__ import annotations

from rich.console import Console


def console(*, is_for_errors: bool = False, least_width: int = 0) -> Console:
    """A console that prints text as it is: a style is given as an argument, or in a Text.

    Rich reads markup also in the line of a spinner, whatever the console: pass a Text there.
    """
    found = Console(stderr=is_for_errors, highlight=False, markup=False, emoji=False)
    found.width = max(found.width, least_width)
    return found

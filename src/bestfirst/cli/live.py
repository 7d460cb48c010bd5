"""The line that shows the progress of a long search."""

from __future__ import annotations

from time import monotonic
from types import TracebackType

from rich.status import Status as Spinner
from rich.text import Text

from bestfirst.cli.consoles import console
from bestfirst.cli.report import live_line
from bestfirst.enumerated import Enumeration
from bestfirst.errors import InputError
from bestfirst.resumable_search import Search
from bestfirst.system.memory import resident_bytes
from bestfirst.trace.labels import one_line

QUIET_SECONDS = 0.5
SECONDS_BETWEEN_UPDATES = 0.2


class LiveLine:
    """A line on standard error that is updated while a search runs; silent unless standard error is a terminal."""

    def __init__(self) -> None:
        self._console = console(is_for_errors=True)
        self._next = monotonic() + QUIET_SECONDS
        self._spinner: Spinner | None = None

    def __enter__(self) -> LiveLine:
        return self

    def __exit__(
        self, _kind: type[BaseException] | None, _error: BaseException | None, _traceback: TracebackType | None
    ) -> None:
        if self._spinner is not None:
            self._spinner.stop()

    def update(self, search: Search, which: str = "") -> None:
        """Update the line for a search, if it is due. which: a prefix that names the search, if there are several."""
        if self._is_time():
            bound = search.upper_bound if search.problem.maximise else search.lower_bound
            self._show(which + live_line(search.stats, search.head_start, bound, _memory(), search.cost))

    def update_audit(self, doing: str, states: int) -> None:
        """Update the line for an audit, if it is due."""
        if self._is_time():
            self._show(f"{doing}: {states:,} states")

    def update_enumeration(self, found: Enumeration) -> None:
        """Update the line for an enumeration, if it is due."""
        if self._is_time():
            self._show(str(found))

    def update_queries(self, answered: int, asked: int) -> None:
        """Update the line for a file of queries, if it is due."""
        if self._is_time():
            self._show(f"{answered:,} of {asked:,} queries")

    def _is_time(self) -> bool:
        now = monotonic()
        if now < self._next or not self._console.is_terminal:
            return False
        self._next = now + SECONDS_BETWEEN_UPDATES
        return True

    def _show(self, line: str) -> None:
        text = Text(one_line(line))
        if self._spinner is None:
            self._spinner = self._console.status(text)
            self._spinner.start()
        else:
            self._spinner.update(text)


def _memory() -> int | None:
    """The memory of this process in bytes, None if the system does not report it."""
    try:
        return resident_bytes()
    except InputError:
        return None

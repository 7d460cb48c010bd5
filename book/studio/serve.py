"""The studio's work in the browser: the functions that do it in the processes of a server, and the same messages."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

from bestfirst.studio import worker
from bestfirst.studio.protocol import END, SPENT


class _Lines:
    """What the worker writes to: each line is passed on. is_spent: whether Python should be started anew."""

    def __init__(self, tell: Callable[[str], None]) -> None:
        self._tell, self.is_spent = tell, False

    def write(self, line: bytes) -> None:
        self.is_spent = line == SPENT
        if line not in (END, SPENT):
            self._tell(line.decode())


def serve(request: str, tell: Callable[[str], None]) -> bool:
    """Do the work of a request, and tell each message, as a line of JSON; whether Python should be started anew."""
    given: dict[str, Any] = json.loads(request)
    if given["work"] == "catalogue":
        from bestfirst.studio.catalogue import catalogue  # noqa: PLC0415  (it takes a second)

        tell(json.dumps({**catalogue(), "errors": [], "pauses": False}))
        return False
    lines = _Lines(tell)
    # A search cannot be paused: nothing is heard here while it runs. Code of the page harms this page alone.
    worker.serve({**given, "own": [], "paused": False, "may_run": True}, lines.write)
    return lines.is_spent

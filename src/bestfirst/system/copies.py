"""Keeps a copy of a worker process, which a rule makes by os.fork(), from answering in the worker's place."""

from __future__ import annotations

import os


class Original:
    """The process that makes this object, in contrast to its copies. A worker calls end_copy() before each message."""

    def __init__(self) -> None:
        self._process = os.getpid()

    def end_copy(self) -> None:
        """End this process if it is a copy: it has the pipes of the worker, whose messages would be mixed with its own."""
        if os.getpid() != self._process:
            os._exit(1)

"""A worker process of this machine: it reads the charge and jobs from a connection, and writes results to it.

    python -m bestfirst.distributed.worker DESCRIPTOR

It ends once the driver has ended, which closes the connection. None in place of a job asks for what is left of the last one.
"""

from __future__ import annotations

import sys
from contextlib import suppress
from multiprocessing.connection import Connection
from typing import Any

from bestfirst.distributed.sendable import sendable
from bestfirst.distributed.unpacking import unpacked
from bestfirst.system.copies import Original

READY = "ready"


class _DriverHasEnded(BaseException):
    """The connection is closed; not an error, which a method of the problem could have raised."""


def main(descriptor: int) -> None:
    """Work until the connection is closed."""
    with suppress(_DriverHasEnded):
        _serve(_Driver(Connection(descriptor)))


class _Driver:
    """The connection to the driver."""

    def __init__(self, connection: Connection) -> None:
        self._connection, self._original = connection, Original()

    def next(self) -> Any:
        """The next message."""
        self._original.end_copy()
        try:
            return self._connection.recv()
        except (EOFError, OSError):
            raise _DriverHasEnded from None

    def tell(self, message: object) -> None:
        """Send a message."""
        self._original.end_copy()
        try:
            self._connection.send(message)
        except OSError:
            raise _DriverHasEnded from None

    def asks(self) -> bool:
        """Whether the driver asks for what is left; the message is taken."""
        self._original.end_copy()
        try:
            is_there = self._connection.poll()
        except OSError:
            raise _DriverHasEnded from None
        if is_there:
            self.next()
        return is_there


def _serve(driver: _Driver) -> None:
    try:
        work = unpacked(driver.next())
        driver.tell(READY)
        while True:
            job = driver.next()
            if job is not None:  # otherwise it was finished before it was interrupted
                driver.tell(work.do(job, driver.asks))
    except Exception as error:
        driver.tell(sendable(error))
        driver.next()  # until the driver closes the connection


if __name__ == "__main__":
    main(int(sys.argv[1]))

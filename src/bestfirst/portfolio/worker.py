"""A worker process of this machine: it reads a charge and orders from a connection, and writes messages to it.

    python -m bestfirst.portfolio.worker DESCRIPTOR

It ends once the portfolio has ended, which closes the connection.
"""

from __future__ import annotations

import os
import pickle
import signal
import sys
from collections.abc import Callable
from multiprocessing.connection import Connection
from threading import Event, Thread
from typing import NoReturn

from bestfirst.batches.parcels import unpacked, unpacked_with_code
from bestfirst.portfolio.member_search import MemberSearch
from bestfirst.portfolio.messages import Message, Order, sendable, unreadable
from bestfirst.system.copies import Original


def main(descriptor: int) -> None:
    """Search until the connection is closed."""
    connection, original = Connection(descriptor), Original()

    def tell(message: Message) -> None:
        original.end_copy()
        try:
            connection.send_bytes(sendable(message))
        except OSError:
            _leave()

    def read(hear: Callable[[Order], None]) -> NoReturn:
        try:
            while True:
                hear(unpacked(connection.recv_bytes()))
        finally:
            _leave()

    try:
        circumstances, parcel = pickle.loads(connection.recv_bytes())
        circumstances.take_on()
        search = MemberSearch(unpacked_with_code(parcel), tell)
    except (EOFError, OSError):
        _leave()
    except Exception as error:
        tell(unreadable(error))
        read(lambda _order: None)
    Thread(target=read, args=(search.hear,), daemon=True).start()
    search.run()
    Event().wait()  # for the reader, which ends this process


def _leave() -> NoReturn:
    """End this process, and those that it has started, whatever it is doing."""
    if os.getpgid(0) == os.getpid():
        os.killpg(0, signal.SIGKILL)
    os._exit(0)


if __name__ == "__main__":
    main(int(sys.argv[1]))

"""Starts the studio: finds a port, opens the browser, serves until Ctrl-C."""

from __future__ import annotations

import asyncio
import errno
import logging
import os
import secrets
import socket
import webbrowser
from collections.abc import Callable, Sequence
from contextlib import suppress
from ipaddress import ip_address
from types import FrameType

import uvicorn

from bestfirst.errors import InputError, shown
from bestfirst.studio.app import studio_app
from bestfirst.studio.jobs import Jobs

LOOPBACK = "127.0.0.1"
PORT = 8642
"""The usual port. If it is taken and no other was requested, the next free one is used."""
MORE_PORTS = 20


def serve(port: int | None, host: str, own: Sequence[str], *, opens: bool, tell: Callable[[str], None]) -> None:
    """Serve the studio until Ctrl-C. own: the user's files, modules or classes. tell: shows the address.

    Raises InputError for a port that is taken.
    """
    listening = bound(host, port)
    token = secrets.token_urlsafe(24)
    found = listening.getsockname()[1]
    address = f"http://{_shown(listening)}:{found}/?token={token}"
    jobs = Jobs()
    app = studio_app(token, found, jobs, own, may_run=_is_loopback(listening))
    config = uvicorn.Config(app, log_level="error", access_log=False, timeout_graceful_shutdown=2, ws="none")

    def begin() -> None:
        tell(address)
        if opens:
            webbrowser.open(address)

    with suppress(KeyboardInterrupt):  # raised once the server has stopped
        _Server(config, jobs, begin).run(sockets=[listening])


def _is_loopback(listening: socket.socket) -> bool:
    return ip_address(listening.getsockname()[0]).is_loopback


def _shown(listening: socket.socket) -> str:
    """The IP address to open: one of this machine if the server listens to all of them."""
    address: str = listening.getsockname()[0]
    if address in ("0.0.0.0", "::"):
        with suppress(OSError):  # the machine has no name
            return socket.gethostbyname(socket.gethostname())
        return LOOPBACK
    return f"[{address}]" if ":" in address else address


def bound(host: str, port: int | None) -> socket.socket:
    """A socket that listens at the port; None: the usual one, or the next that is free. Raises InputError."""
    for tried in range(PORT, PORT + MORE_PORTS) if port is None else (port,):
        family = socket.AF_INET6 if ":" in host else socket.AF_INET
        listening = socket.socket(family, socket.SOCK_STREAM)
        if os.name == "posix":  # elsewhere it would let two servers share a port
            listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            listening.bind((host, tried))
            listening.listen(128)
        except OSError as error:
            listening.close()
            if isinstance(error, socket.gaierror) or error.errno == errno.EADDRNOTAVAIL:
                raise InputError(
                    f"host is {shown(host)}, which is not an address of this machine ({error.strerror or error}); omit --host, or "
                    "use 0.0.0.0 to serve other machines too"
                ) from None
            if port is not None:
                raise InputError(
                    f"the studio cannot use port {port} on {host}: {error.strerror or error}; choose another with --port, or "
                    "omit --port to use a free one"
                ) from None
        else:
            return listening
    raise InputError(f"the ports {PORT} .. {PORT + MORE_PORTS - 1} on {host} are in use; choose another with --port")


class _Server(uvicorn.Server):
    """Says when it serves; from then on, Ctrl-C ends it quietly. It ends the jobs before it waits for their answers."""

    def __init__(self, config: uvicorn.Config, jobs: Jobs, begin: Callable[[], None]) -> None:
        super().__init__(config)
        self._jobs, self._begin = jobs, begin

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        await asyncio.to_thread(self._begin)  # a browser may take its time to open

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        if self.should_exit:  # at the second Ctrl-C, what is cut off is no error
            logging.getLogger("uvicorn.error").setLevel(logging.CRITICAL)
        super().handle_exit(sig, frame)

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        await self._jobs.close()
        await super().shutdown(sockets)

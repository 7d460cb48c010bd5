"""Starts the studio: finds a port, opens the browser, serves until Ctrl-C."""

from __future__ import annotations

import secrets
import socket
import webbrowser
from collections.abc import Callable, Sequence
from contextlib import suppress

import uvicorn

from bestfirst.errors import InputError
from bestfirst.studio.app import studio_app
from bestfirst.studio.jobs import Jobs

LOOPBACK = "127.0.0.1"
PORT = 8642
"""The usual port. Without a request for another, the next free one is used if it is taken."""
MORE_PORTS = 20


def serve(port: int | None, host: str, own: Sequence[str], *, opens: bool, tell: Callable[[str], None]) -> None:
    """Serve the studio until Ctrl-C. own: the user's files, modules or classes. tell: shows the address.

    Raises InputError for a port that is taken.
    """
    listening = bound(host, port)
    token = secrets.token_urlsafe(24)
    found = listening.getsockname()[1]
    shown = host if host not in ("", "0.0.0.0", "::") else socket.gethostbyname(socket.gethostname())
    address = f"http://{f'[{shown}]' if ':' in shown else shown}:{found}/?token={token}"
    jobs = Jobs()
    config = uvicorn.Config(
        studio_app(token, found, jobs, own), log_level="error", access_log=False, timeout_graceful_shutdown=2, ws="none"
    )
    tell(address)
    with suppress(KeyboardInterrupt):  # raised once the server has stopped
        _Server(config, jobs, address if opens else None).run(sockets=[listening])


def bound(host: str, port: int | None) -> socket.socket:
    """A socket that listens at the port; None: the usual one, or the next that is free. Raises InputError."""
    for tried in range(PORT, PORT + MORE_PORTS) if port is None else (port,):
        family = socket.AF_INET6 if ":" in host else socket.AF_INET
        listening = socket.socket(family, socket.SOCK_STREAM)
        listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            listening.bind((host, tried))
            listening.listen(128)
        except OSError as error:
            listening.close()
            if port is not None:
                raise InputError(
                    f"the studio cannot use port {port} of {host}: {error.strerror or error}; choose another with --port, or "
                    "leave it out for one that is free"
                ) from None
        else:
            return listening
    raise InputError(f"the ports {PORT} .. {PORT + MORE_PORTS - 1} of {host} are taken; choose another with --port")


class _Server(uvicorn.Server):
    """Opens the browser once it serves, and ends the jobs before it waits for their answers."""

    def __init__(self, config: uvicorn.Config, jobs: Jobs, address: str | None) -> None:
        super().__init__(config)
        self._jobs, self._address = jobs, address

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        if self._address is not None:
            webbrowser.open(self._address)

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        await self._jobs.close()
        await super().shutdown(sockets)

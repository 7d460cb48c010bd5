"""A studio for tests: its server on a free port, in a process of its own, and requests to it."""

from __future__ import annotations

import json
import os
import re
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.client import HTTPConnection, HTTPResponse
from importlib.util import find_spec
from time import monotonic
from typing import Any

import pytest

STARTED = re.compile(r"http://127\.0\.0\.1:(\d+)/\?token=(\S+)")


@dataclass
class Served:
    """A running studio. address: what is opened in a browser."""

    process: subprocess.Popen[str]
    address: str
    port: int
    token: str
    seconds_to_start: float = field(default=0.0)

    @property
    def headers(self) -> dict[str, str]:
        """What the studio's own page sends."""
        return {
            "Host": f"127.0.0.1:{self.port}",
            "Origin": f"http://127.0.0.1:{self.port}",
            "Cookie": f"bestfirst-studio-{self.port}={self.token}",
            "Content-Type": "application/json",
            "Connection": "close",
        }

    def open(self, method: str, path: str, body: Any = None, **changed: str | None) -> HTTPResponse:
        """The answer to a request with the headers of the page. changed: other values of these headers; None for none."""
        headers = self.headers | {
            name.replace("_", "-").title(): value for name, value in changed.items() if value is not None
        }
        left_out = {name.replace("_", "-").title() for name, value in changed.items() if value is None}
        connection = HTTPConnection("127.0.0.1", self.port, timeout=30)
        connection.putrequest(method, path, skip_host=True)
        data = body if isinstance(body, bytes) else b"" if body is None else json.dumps(body).encode()
        for name, value in headers.items():
            if name not in left_out:
                connection.putheader(name, value)
        if "Content-Length" not in headers and "Content-Length" not in left_out:
            connection.putheader("Content-Length", str(len(data)))
        connection.endheaders(data)
        return connection.getresponse()

    def ask(self, **request: Any) -> Any:
        """The answer to a question."""
        return self.told("POST", "/api/ask", request)

    def told(self, method: str, path: str, body: Any = None) -> Any:
        """The answer to a request, from JSON."""
        with self.open(method, path, body) as answer:
            return json.loads(answer.read())

    def run(self, **request: Any) -> Iterator[dict[str, Any]]:
        """The messages of a job, as they come."""
        with self.open("POST", "/api/run", request) as answer:
            for line in answer:
                yield json.loads(line)

    def close(self) -> int:
        """Stop the studio as Ctrl-C does, and return its exit code."""
        self.process.send_signal(signal.SIGINT)
        return self.process.wait(timeout=10)


@contextmanager
def served(*options: str) -> Iterator[Served]:
    """A studio that has started, until the end of the with statement."""
    command = [sys.executable, "-m", "bestfirst", "studio", "--no-open", *options]
    begun = monotonic()
    process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=dict(os.environ))
    try:
        assert process.stdout is not None
        line = process.stdout.readline()
        found = STARTED.search(line)
        assert found is not None, line
        yield Served(process, found[0], int(found[1]), found[2], monotonic() - begun)
    finally:
        process.kill()
        process.wait()
        if process.stdout is not None:
            process.stdout.close()


studio_is_installed = pytest.mark.skipif(
    find_spec("starlette") is None or find_spec("uvicorn") is None,
    reason="starlette or uvicorn is not installed: tests of the studio are left out",
)


@pytest.fixture(scope="session")
def studio() -> Iterator[Served]:
    """A studio on a free port."""
    with served("--port", str(free_port())) as running:
        yield running


def free_port() -> int:
    """A port that nothing listens to."""
    with socket.socket() as tried:
        tried.bind(("127.0.0.1", 0))
        port: int = tried.getsockname()[1]
        return port

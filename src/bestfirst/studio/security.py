"""Who may use the studio: only the browser that was given its address, and only pages of the studio in it.

The server listens to this machine alone, but every page in every browser of this machine can send requests to it. So
each request must name the server by an address that no other site can have (DNS rebinding), come from the studio's own
page (cross-site requests), and bear the token of the opened address, as a cookie.
"""

from __future__ import annotations

import secrets
from collections.abc import Awaitable, Callable, MutableMapping
from http.cookies import CookieError, SimpleCookie
from ipaddress import ip_address
from typing import Any, TypeAlias
from urllib.parse import parse_qs

Scope: TypeAlias = MutableMapping[str, Any]
Receive: TypeAlias = Callable[[], Awaitable[MutableMapping[str, Any]]]
Send: TypeAlias = Callable[[MutableMapping[str, Any]], Awaitable[None]]
App: TypeAlias = Callable[[Scope, Receive, Send], Awaitable[None]]

MOST_BODY = 256 << 10
"""Largest body of a request, in bytes."""

HEADERS = {
    "content-security-policy": "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; "
    "img-src 'self' data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    "cache-control": "no-store",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "referrer-policy": "no-referrer",
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
}


class Guard:
    """Passes on the requests that may be answered, and refuses the others in words."""

    def __init__(self, app: App, token: str, port: int) -> None:
        self._app, self._token = app, token
        self._port = port
        self.cookie = f"bestfirst-studio-{port}"

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "lifespan":
            await self._app(scope, receive, send)
            return
        if scope["type"] != "http":  # a WebSocket
            await send({"type": "websocket.close", "code": 1008})
            return
        headers = {name.decode("latin-1").lower(): value.decode("latin-1") for name, value in scope["headers"]}
        is_new = scope["path"] == "/" and self._is_token(
            parse_qs(scope["query_string"].decode("latin-1")).get("token", [""])[0]
        )
        refusal = self._refusal(scope, headers, is_new=is_new)
        extra = dict(HEADERS)
        if is_new and refusal is None:
            extra["set-cookie"] = f"{self.cookie}={self._token}; HttpOnly; SameSite=Strict; Path=/"

        async def send_with_headers(message: MutableMapping[str, Any]) -> None:
            if message["type"] == "http.response.start":
                more = [(name.encode(), value.encode()) for name, value in extra.items()]
                message = {**message, "headers": [*message.get("headers", ()), *more]}
            await send(message)

        if refusal is None:
            await self._app(scope, receive, send_with_headers)
        else:
            await _read_away(headers.get("content-length", ""), receive)
            await _refuse(send_with_headers, *refusal)

    def _refusal(self, scope: Scope, headers: dict[str, str], *, is_new: bool) -> tuple[int, str] | None:
        """The status and the reason why a request is not answered; None if it may be."""
        host = headers.get("host", "")
        if not self._is_ours(host):
            return 421, "This is not the address of the studio. Open the one that `bestfirst studio` printed."
        origin = headers.get("origin")
        if origin is not None and origin != f"http://{host}":
            return 403, "Only the studio's own page may send this request."
        is_read = scope["method"] in ("GET", "HEAD")
        if scope["path"].startswith("/api/") and headers.get("sec-fetch-site", "same-origin") != "same-origin":
            return 403, "Only the studio's own page may send this request."
        if not (is_new or self._is_token(self._token_in(headers.get("cookie", "")))):
            return (
                403,
                "The token is missing. Open the address that `bestfirst studio` printed, including everything after the ?.",
            )
        if is_read:
            return None
        if origin is None:
            return 403, "Only the studio's own page may send this request."
        length = headers.get("content-length", "")
        if not length.isdecimal() or "transfer-encoding" in headers:  # with both, the length would be ignored
            return 411, "The length of the request is missing."
        if len(length) > 9 or int(length) > MOST_BODY:
            return 413, f"The request is larger than {MOST_BODY >> 10} KiB. Write a smaller instance."
        if headers.get("content-type", "").partition(";")[0].strip() != "application/json":
            return 415, "The request must be JSON."
        return None

    def _is_ours(self, host: str) -> bool:
        """Whether a Host header is an IP address or localhost, which no other site can have, with our port."""
        name, _, port = host.rpartition(":")
        if port != str(self._port):
            return False
        if name.lower() == "localhost":
            return True
        try:
            ip_address(name.removeprefix("[").removesuffix("]"))
        except ValueError:
            return False
        return True

    def _token_in(self, cookies: str) -> str:
        try:
            cookie = SimpleCookie(cookies).get(self.cookie)
        except CookieError:
            return ""
        return "" if cookie is None else cookie.value

    def _is_token(self, given: str) -> bool:
        return secrets.compare_digest(given.encode(), self._token.encode())


async def _read_away(length: str, receive: Receive) -> None:
    """Read the body of a refused request: the browser sends it before it reads the reason. A very large one is not read."""
    if length.isdecimal() and len(length) <= 9 and int(length) <= 4 * MOST_BODY:
        while (await receive()).get("more_body", False):
            pass


async def _refuse(send: Send, status: int, why: str) -> None:
    headers = [(b"content-type", b"text/plain; charset=utf-8"), (b"connection", b"close")]
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": why.encode()})

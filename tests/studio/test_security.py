"""Who may use the studio."""

from __future__ import annotations

import socket
from typing import Any

import pytest

from bestfirst.studio.security import Guard
from served import Served, studio_is_installed

pytestmark = studio_is_installed

LOOK = {"work": "look", "problem": "pancake", "instance": "3 1 2"}


def status(studio: Served, path: str = "/api/ask", method: str = "POST", body: Any = LOOK, **headers: str | None) -> int:
    with studio.open(method, path, body, **headers) as answer:
        answer.read()
        return answer.status


def test_the_page_is_answered(studio: Served) -> None:
    """With the cookie of its token, to the address of the studio."""
    assert status(studio) == 200
    assert status(studio, host=f"localhost:{studio.port}", origin=f"http://localhost:{studio.port}") == 200


@pytest.mark.parametrize("host", ["evil.example", "evil.example:{port}", "127.0.0.1.evil.example:{port}", "127.0.0.1", ""])
def test_a_name_that_another_site_may_have_is_refused(studio: Served, host: str) -> None:
    """A page whose name suddenly means this machine (DNS rebinding) sends its own name as Host."""
    name = host.format(port=studio.port)
    assert status(studio, host=name, origin=f"http://{name}") == 421
    assert status(studio, "/", "GET", None, host=name, origin=None) == 421


@pytest.mark.parametrize("origin", ["http://evil.example", "null", "https://127.0.0.1:{port}", "http://127.0.0.1:1", None])
def test_other_sites_are_refused(studio: Served, origin: str | None) -> None:
    """A browser says which page sends a request, and always does so if it changes something."""
    assert status(studio, origin=origin and origin.format(port=studio.port)) == 403


def test_a_request_of_another_site_without_an_origin_is_refused(studio: Served) -> None:
    """Browsers say so in another header."""
    for site in ("cross-site", "same-site", "none"):
        assert status(studio, "/api/catalogue", "GET", None, origin=None, sec_fetch_site=site) == 403
    assert status(studio, "/api/catalogue", "GET", None, origin=None, sec_fetch_site="same-origin") == 200


@pytest.mark.parametrize("cookie", [None, "", "bestfirst-studio-{port}=", "bestfirst-studio-{port}=wrong", "other={token}"])
def test_without_the_token_nothing_is_answered(studio: Served, cookie: str | None) -> None:
    """The page itself included, which says what to open instead."""
    given = cookie and cookie.format(port=studio.port, token=studio.token)
    assert status(studio, cookie=given) == 403
    with studio.open("GET", "/", cookie=given, origin=None) as answer:
        assert answer.status == 403
        assert b"bestfirst studio" in answer.read()
    assert status(studio, "/?token=wrong", "GET", None, cookie=given, origin=None) == 403


def test_the_address_gives_a_cookie_that_scripts_and_other_sites_cannot_use(studio: Served) -> None:
    """HttpOnly and SameSite=Strict; and the page may load nothing from elsewhere, nor be framed."""
    answer = studio.open("GET", f"/?token={studio.token}", cookie=None, origin=None)
    answer.close()
    assert answer.status == 200
    cookie = answer.headers["set-cookie"]
    assert "HttpOnly" in cookie
    assert "SameSite=Strict" in cookie
    policy = answer.headers["content-security-policy"]
    assert "default-src 'none'" in policy
    assert "script-src 'self';" in policy
    assert "frame-ancestors 'none'" in policy
    assert "unsafe" not in policy
    assert answer.headers["referrer-policy"] == "no-referrer"
    assert "Access-Control-Allow-Origin" not in answer.headers


def test_large_and_other_bodies_are_refused(studio: Served) -> None:
    """So is a form of another site, which cannot be JSON, and one without a length."""
    assert status(studio, body=b"[" * 300_000) == 413
    assert status(studio, content_length="99999999999") == 413
    assert status(studio, content_type="text/plain") == 415
    assert status(studio, content_length=None) == 411
    for body in (b"[]", b"{", b"[" * 200_000, {"work": "search"}, {"work": "os.system"}, {"work": ["look"]}):
        assert status(studio, body=body) == 400
    assert status(studio, "/api/run", body={"work": "look"}) == 400


def test_websockets_are_refused(studio: Served) -> None:
    """The studio has none, so no page can take one over."""
    upgrade = {
        "connection": "Upgrade, close",
        "upgrade": "websocket",
        "sec_websocket_key": "a" * 22 + "==",
        "sec_websocket_version": "13",
    }
    assert status(studio, "/api/run", "GET", None, **upgrade) == 405
    assert status(studio, "/api/run", "GET", None, **upgrade | {"origin": "http://evil.example"}) == 403


@pytest.mark.parametrize("path", ["/../../etc/passwd", "/studio.py", "/%2e%2e/app.py", "/page/studio.js", "//etc/passwd"])
def test_no_path_reaches_the_file_system(studio: Served, path: str) -> None:
    """Three files of the package are served, whatever is asked for."""
    assert status(studio, path, "GET", None, origin=None) == 404


@pytest.mark.parametrize("instance", ["/etc/passwd", "map.csv", "../../secret.map", "~/x.scen"])
def test_no_instance_names_a_file(studio: Served, instance: str) -> None:
    """Maps are typed: a name of a file is read as the map itself, which it is not."""
    for problem in ("road-map", "grid-map"):
        found = studio.ask(work="look", problem=problem, instance=instance, options={"start": "a", "goal": "b"})
        assert "error" in found
        assert "No such file" not in found["error"]


def test_only_this_machine_is_served(studio: Served) -> None:
    """The port is not open on other addresses."""
    with socket.socket() as other, pytest.raises(OSError, match=r"refused|unreachable|timed out"):
        other.settimeout(2)
        other.connect((_other_address(), studio.port))


def _other_address() -> str:
    """An address of this machine that is not the usual loopback one."""
    return "127.0.0.2"


def test_the_guard_closes_a_websocket() -> None:
    """Even if the server could speak with one."""
    sent: list[Any] = []

    async def send(message: Any) -> None:
        sent.append(message)

    async def never(*_given: Any) -> Any:
        raise AssertionError

    answering = Guard(never, "token", 1)({"type": "websocket", "path": "/"}, never, send)
    with pytest.raises(StopIteration):  # it never waits, so it needs no event loop; the browser's may be running
        answering.__await__().send(None)
    assert sent == [{"type": "websocket.close", "code": 1008}]

"""The answers of the studio's server: the page, questions, and jobs, whose messages arrive while they run."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import aclosing, asynccontextmanager
from importlib.resources import files
from typing import Any

from starlette.applications import Starlette
from starlette.requests import ClientDisconnect, Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route
from starlette.types import Receive, Scope, Send

from bestfirst.studio.jobs import Jobs, TooManyJobsError, error_line
from bestfirst.studio.protocol import JOBS, QUESTIONS
from bestfirst.studio.security import App, Guard

PAGE = {
    "/": ("index.html", "text/html"),
    "/studio.js": ("studio.js", "text/javascript"),
    "/studio.css": ("studio.css", "text/css"),
}
"""By path, the file of the package and its type: no other file is ever read for a request."""

SECONDS_BEFORE_WARM_UP = 0.3
MOST_SECONDS = 3600.0
"""Longest job."""
SECONDS_OF_CODE = 120.0
"""Longest examination of a heuristic that is written on the page."""
SILENCE = 15.0
"""Seconds after which such code counts as hung, if it holds up even the messages about its progress."""
GRACE = 60.0
"""Seconds after its own time limit within which a job must have ended: it may be compiling, or build tables."""


def studio_app(token: str, port: int, jobs: Jobs, own: Sequence[str] = (), *, may_run: bool = True) -> App:
    """The ASGI application. token: what a browser must show. port: where it is served. own: the user's files and modules.

    may_run: whether code that is written on the page is run: only if no other machine can connect.
    """
    ours = {"own": own, "may_run": may_run}  # whatever a request says

    state: dict[str, asyncio.Task[dict[str, Any]]] = {}

    @asynccontextmanager
    async def lifespan(_app: Starlette) -> AsyncIterator[None]:
        asyncio.get_running_loop().call_later(SECONDS_BEFORE_WARM_UP, jobs.warm_up)  # the page comes first
        state["known"] = asyncio.create_task(asyncio.to_thread(_catalogue))
        yield
        await jobs.close()

    async def ask(request: Request) -> Response:
        given = await _json_of(request)
        if given is None or given.get("work") not in QUESTIONS:
            return _unclear()
        return Response(await jobs.ask({**given, **ours}), media_type="application/json")

    async def run(request: Request) -> Response:
        given = await _json_of(request)
        if given is None or given.get("work") not in JOBS:
            return _unclear()
        return _Messages(jobs, {**given, **ours}, _seconds(given) + GRACE)

    async def stop(request: Request) -> Response:
        given = await _json_of(request)
        return JSONResponse({"stopped": given is not None and jobs.stop(str(given.get("job")))})

    async def act(request: Request) -> Response:
        given = await _json_of(request)
        if given is None or given.get("action") not in ("pause", "go", "step"):
            return _unclear()
        return JSONResponse({"done": jobs.act(str(given.get("job")), given["action"])})

    async def everything(_request: Request) -> Response:
        found = json.loads(await jobs.ask({"work": "own", "own": own})) if own else {}
        return JSONResponse(_with_own(await asyncio.shield(state["known"]), found))

    routes = [
        *(Route(path, _page(*what), methods=["GET"]) for path, what in PAGE.items()),
        Route("/api/catalogue", everything, methods=["GET"]),
        Route("/api/ask", ask, methods=["POST"]),
        Route("/api/run", run, methods=["POST"]),
        Route("/api/stop", stop, methods=["POST"]),
        Route("/api/act", act, methods=["POST"]),
    ]
    return Guard(Starlette(routes=routes, lifespan=lifespan), token, port)


def _catalogue() -> dict[str, Any]:
    """What can be chosen. Its modules take long to import; the server answers before and during that."""
    from bestfirst.studio.catalogue import catalogue  # noqa: PLC0415

    return catalogue()


def _with_own(known: dict[str, Any], found: dict[str, Any]) -> dict[str, Any]:
    """The catalogue with what the user's own files define, which comes first, and their errors."""
    errors = [*found.get("errors", ()), *([found["error"]] if "error" in found else [])]
    both = {kind: [*found.get(kind, ()), *known[kind]] for kind in ("problems", "games", "lessons")}
    return {**known, **both, "errors": errors}


def _page(name: str, media_type: str) -> Any:
    body = (files("bestfirst.studio") / "page" / name).read_bytes()

    async def answer(_request: Request) -> Response:
        return Response(body, media_type=media_type)

    return answer


async def _json_of(request: Request) -> dict[str, Any] | None:
    """The JSON object in the body of a request; None if it is not one."""
    try:
        given = json.loads(await request.body())
    except (ValueError, RecursionError, ClientDisconnect):
        return None
    return given if isinstance(given, dict) else None


def _unclear() -> Response:
    return JSONResponse({"error": "the studio does not understand this request; reload the page"}, status_code=400)


def _seconds(request: Mapping[str, Any]) -> float:
    """The time limit of a job, within what is allowed; for a comparison, the limit of each of its searches."""
    given = request.get("seconds")
    if request["work"] == "written":
        return SECONDS_OF_CODE
    if request["work"] == "compare" or isinstance(given, bool) or not isinstance(given, int | float):
        return MOST_SECONDS
    return float(max(given, 0)) if given <= MOST_SECONDS else MOST_SECONDS  # NaN is not <= it either


class _Messages(Response):
    """The messages of a job, sent as they come. The job is killed as soon as the browser has hung up."""

    def __init__(self, jobs: Jobs, request: Mapping[str, Any], seconds: float) -> None:
        super().__init__(media_type="application/x-ndjson")
        self._jobs, self._request, self._seconds = jobs, request, seconds

    async def __call__(self, _scope: Scope, receive: Receive, send: Send) -> None:
        headers = [(b"content-type", b"application/x-ndjson")]
        await send({"type": "http.response.start", "status": 200, "headers": headers})
        sending = asyncio.create_task(self._send_all(send))
        hanging_up = asyncio.create_task(_hung_up(receive))
        try:
            await asyncio.wait((sending, hanging_up), return_when=asyncio.FIRST_COMPLETED)
        finally:
            for task in (sending, hanging_up):
                task.cancel()
            await asyncio.gather(sending, hanging_up, return_exceptions=True)

    async def _send_all(self, send: Send) -> None:
        try:
            async with aclosing(
                self._jobs.stream(self._request, self._seconds, SILENCE if self._request["work"] == "written" else None)
            ) as lines:
                async for line in lines:
                    await send({"type": "http.response.body", "body": line, "more_body": True})
        except TooManyJobsError:
            words = "the maximum number of searches is already running; stop one, or wait"
            await send({"type": "http.response.body", "body": error_line(words), "more_body": True})
        await send({"type": "http.response.body", "body": b""})


async def _hung_up(receive: Receive) -> None:
    while (await receive())["type"] != "http.disconnect":
        pass

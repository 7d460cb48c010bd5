"""A heuristic that is written on the page: it runs in the process of its job and nowhere else, and its errors are reported
with their lines."""

from __future__ import annotations

import _thread
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from threading import Event, Thread
from time import monotonic
from traceback import walk_tb
from typing import Any

from bestfirst.errors import BestfirstError, InputError, ProblemError, kind_and_text
from bestfirst.heuristics.audit import Audit, audit
from bestfirst.heuristics.heuristic import Heuristic
from bestfirst.heuristics.space import explore
from bestfirst.problem import Problem
from bestfirst.resumable_search import Search
from bestfirst.solution import Limits
from bestfirst.studio.instances import problem_of
from bestfirst.studio.laboratory import SAMPLES, AuditProgress, shown_audit, states_of
from bestfirst.studio.pictures import picture_of
from bestfirst.studio.worker import Request, Tell
from bestfirst.written import text_of

FILE = "<your heuristic>"
NAME = "yours"
MOST_WORDS = 300
"""Longest error message, in characters."""
MOST_CODE = 20_000
LONGEST_CALL = 3.0
"""Seconds that one estimate may take."""
MOST_EXPANSIONS = 30_000
MOST_SECONDS = 5.0
"""The limits of each search with a heuristic."""
STATES = 50_000


class WrittenError(ProblemError):
    """The code on the page failed. line: from 1; None if it is not known."""

    def __init__(self, line: int | None, why: str) -> None:
        super().__init__(why if line is None else f"line {line}: {why}")
        self.line = line


class Written:
    """The function h of the code on the page, as a heuristic; an estimate that takes too long is interrupted."""

    def __init__(self) -> None:
        self._begun: float | None = None
        self._is_late = False
        self._h: Callable[[Any], Any] | None = None

    def load(self, code: str, problem: Problem[Any, Any]) -> None:
        """Run the code. Raises WrittenError if it fails, or defines no h."""
        names: dict[str, Any] = {"__name__": "heuristic", "problem": problem}
        with self.guarded():
            exec(compile(code, FILE, "exec", dont_inherit=True), names)
        self._h = names.get("h")
        if not callable(self._h):
            raise WrittenError(None, "the code defines no function h; write 'def h(state):' and return an estimate")

    def __call__(self, state: Any) -> float:
        assert self._h is not None
        with self.guarded():
            value: float | None = self._h(state)
        if value is None:
            raise WrittenError(None, "h returns None; is a return missing?")
        return value

    @contextmanager
    def guarded(self) -> Iterator[None]:
        """Run code of the page: its errors become WrittenError."""
        self._begun = monotonic()
        try:
            yield
        except SyntaxError as error:
            raise WrittenError(error.lineno, f"{type(error).__name__}: {error.msg}") from None
        except KeyboardInterrupt as error:
            if not self._is_late:
                raise
            why = f"the function was stopped after {LONGEST_CALL:g} seconds; check that it ends"
            raise WrittenError(_line_of(error), why) from None
        except BestfirstError:
            raise
        except BaseException as error:
            raise WrittenError(_line_of(error), kind_and_text(error)[:MOST_WORDS]) from None
        finally:
            self._begun = None

    def interrupt_if_late(self) -> None:
        """Called from another thread. A search takes the first interruption as a wish to stop, the second as an order."""
        begun = self._begun
        if begun is not None and monotonic() - begun > LONGEST_CALL:
            self._is_late = True
            _thread.interrupt_main()


def _line_of(error: BaseException) -> int | None:
    """The last line of the page's code that took part in an error."""
    lines = [line for frame, line in walk_tb(error.__traceback__) if frame.f_code.co_filename == FILE]
    return lines[-1] if lines else None


@contextmanager
def _watched(written: Written) -> Iterator[None]:
    """Interrupt what takes too long; but not in a browser, which has no threads: there the page ends all of it."""
    if sys.platform == "emscripten":
        yield
        return
    ended = Event()

    def watch() -> None:
        while not ended.wait(0.25):
            written.interrupt_if_late()

    Thread(target=watch, daemon=True).start()
    try:
        yield
    finally:
        ended.set()


def written(request: Request, tell: Tell) -> None:
    """Examine the heuristic in `code` of the request: its estimates, the true distances, and the nodes that A* expands with it.

    Raises InputError if the studio may not run code.
    """
    if not request.get("may_run"):
        raise InputError(
            "other machines can connect to this studio, so it does not run code; start the studio without --host"
        )
    code = str(request.get("code", ""))
    if len(code) > MOST_CODE:
        raise InputError(f"the code has {len(code):,} characters; use at most {MOST_CODE:,}")
    problem = problem_of(request)
    try:
        _examine(code, problem, request, tell)
    except WrittenError as error:
        tell({"wrong": {"line": error.line, "words": str(error)}})


def _examine(code: str, problem: Problem[Any, Any], request: Request, tell: Tell) -> None:
    h = Written()
    with _watched(h):
        h.load(code, problem)
        yours = Heuristic(h, NAME)
        tell({"first": yours.checked()(problem.initial)})
        states = states_of(request, STATES)
        progress = AuditProgress(tell)
        space = explore(problem, states, progress=progress)
        found = audit(problem, yours, states=0, samples=SAMPLES, space=space, progress=progress)
        tell({"audit": shown_audit(found), "examples": _examples(problem, found)})
        for name, one in {NAME: yours, **problem.heuristics()}.items():
            tell({"compared": {"heuristic": name, **_expansions(problem, one)}})


def _examples(problem: Problem[Any, Any], found: Audit) -> list[Mapping[str, Any]]:
    """The counterexamples that the page can draw."""
    return [
        {
            "h": example.h,
            "distance": example.distance,
            "written": text_of(problem, "format", example.state),
            "picture": picture_of(problem, example.state),
        }
        for example in found.examples
    ]


def _expansions(problem: Problem[Any, Any], one: Heuristic) -> dict[str, Any]:
    """What A* does with a heuristic, within limits."""
    limits = Limits(seconds=MOST_SECONDS, expansions=MOST_EXPANSIONS)
    solution = Search(problem, "astar", one, limits=limits, engine="python").run()
    return {
        "expanded": solution.stats.expanded,
        "cost": solution.cost,
        "limit": solution.limit,
        "status": solution.status,
        "seconds": solution.stats.seconds,
    }

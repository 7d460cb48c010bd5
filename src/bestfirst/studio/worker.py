"""The process that does the work of a request, so that the page answers while a search runs; it can be killed if it does not stop.

It reads requests from standard input and writes messages to standard output, each a JSON object on one line. After the
messages of a request comes the line END, or SPENT if the process should not be used again.

    {"work": "search", ...}    {"action": "stop"}, which ends the work in hand as Ctrl-C does; pause, go, step: see control.py
"""

from __future__ import annotations

import _thread
import json
import math
import os
import sys
from collections.abc import Callable, Mapping
from queue import SimpleQueue
from threading import Lock, Thread
from typing import Any, TypeAlias

from bestfirst.errors import BestfirstError, InputError, kind_and_text
from bestfirst.own_errors import own_errors
from bestfirst.studio.protocol import END, SPENDING, SPENT, WORK
from bestfirst.system.copies import Original
from bestfirst.system.memory import resident_bytes

Request: TypeAlias = Mapping[str, Any]
Tell: TypeAlias = Callable[[Mapping[str, Any]], None]

MOST_WORDS = 2_000
"""Longest error message, in characters."""
LARGEST_KEPT = 600 << 20
"""A process that is larger after its work is not used again, in bytes."""


def main() -> None:
    """Serve requests until standard input is closed."""
    messages = os.fdopen(os.dup(sys.stdout.fileno()), "wb")
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())  # what rules print must not get between the messages
    requests: SimpleQueue[Request] = SimpleQueue()
    original = Original()

    def write(line: bytes) -> None:
        original.end_copy()
        messages.write(line)
        messages.flush()

    Thread(target=_read, args=(requests,), daemon=True).start()
    _load()
    while True:
        serve(requests.get(), write)


def _load() -> None:
    """Import what every request needs, before the first one."""
    import bestfirst.compiled  # noqa: PLC0415
    import bestfirst.games  # noqa: F401, PLC0415


def _read(requests: SimpleQueue[Request]) -> None:
    """Queue the requests; end the process once the server has ended, which closes the pipe."""
    for line in sys.stdin:
        request = json.loads(line)
        if "work" in request:
            IN_HAND.begin()
            requests.put(request)
        else:
            _act(str(request["action"]))
    os._exit(0)


def _act(action: str) -> None:
    """Pause, step or stop the request in hand. Work that cannot be paused is stopped as Ctrl-C stops it."""
    control = sys.modules.get("bestfirst.studio.control")
    if control is not None and control.CONTROL.is_in_charge:
        control.CONTROL.ask(action)
    elif action == "stop":
        IN_HAND.stop()


class InHand:
    """The request in hand, which can be stopped at any moment: its work is interrupted, once, or does not begin.

    Nothing else is interrupted: an interrupt in an import would leave half a module, and one in the main loop end the process.
    """

    def __init__(self) -> None:
        self._lock = Lock()
        self._works = False
        self.is_stopped = False
        self.is_interrupted = False

    def begin(self) -> None:
        """A request has arrived; the previous one has ended."""
        with self._lock:
            self._works = self.is_stopped = self.is_interrupted = False

    def stop(self) -> None:
        """Called from the thread that reads requests."""
        with self._lock:
            if self._works and not self.is_interrupted:
                self.is_interrupted = True
                _thread.interrupt_main()
            self.is_stopped = True

    def do(self, work: Callable[[], None]) -> None:
        """Do the work of the request; raises KeyboardInterrupt if it is stopped."""
        with self._lock:
            if self.is_stopped:
                raise KeyboardInterrupt
            self._works = True
        try:
            work()
        finally:
            with self._lock:
                self._works = False


IN_HAND = InHand()
"""That of this process, which does one thing at a time."""


def serve(request: Request, write: Callable[[bytes], object]) -> None:
    """Do the work of a request. write: sends a line to the server."""

    def tell(message: Mapping[str, Any]) -> None:
        write(json.dumps(_finite(message), allow_nan=False).encode() + b"\n")

    wrong: str | None = None
    try:
        with own_errors():
            fields, work = _checked(request), _work(request["work"])
            IN_HAND.do(lambda: work(fields, tell))
    except (Exception, KeyboardInterrupt) as error:
        wrong = "stopped" if IN_HAND.is_stopped else _in_words(error)  # an import that is stopped says something else
        tell({"error": wrong})
    is_hurt = wrong is not None and IN_HAND.is_interrupted
    is_spent = request["work"] in SPENDING or is_hurt or _size() > LARGEST_KEPT
    write(SPENT if is_spent else END)


def _in_words(error: BaseException) -> str:
    """What is said of an error that ended a request."""
    match error:
        case BestfirstError():
            return _shortened(str(error))
        case KeyboardInterrupt():
            return "stopped"
        case MemoryError():
            return "out of memory; set a lower limit on memory, or use an algorithm that needs little, such as idastar"
        case RecursionError():
            return "the instance is nested too deeply; use a smaller one"
    return f"this is a bug in bestfirst: {kind_and_text(error)}"


def _checked(request: Request) -> Request:
    from bestfirst.studio.fields import fields_of  # noqa: PLC0415  (it takes long to import)

    return fields_of(request)


def _work(name: str) -> Callable[[Request, Tell], None]:
    """The function that does a kind of work; its module is imported when it is first needed."""
    from importlib import import_module  # noqa: PLC0415

    module, function = WORK[name]
    found: Callable[[Request, Tell], None] = getattr(import_module(f"bestfirst.studio.{module}"), function)
    return found


def _shortened(words: str) -> str:
    """An error message that repeats a long instance, without the middle of the instance."""
    return words if len(words) <= MOST_WORDS else f"{words[: MOST_WORDS // 2]} ... {words[-MOST_WORDS // 2 :]}"


def _size() -> int:
    try:
        return resident_bytes()
    except InputError:  # the system does not say
        return 0


def _finite(value: Any) -> Any:
    """The value with None for infinite numbers and NaN, which JSON lacks."""
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    if isinstance(value, Mapping):
        return {str(key): _finite(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [_finite(item) for item in value]
    return value


if __name__ == "__main__":
    main()

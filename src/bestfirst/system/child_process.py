"""Worker processes run this Python with this package, whatever the program that starts them has changed, and are ended with
all that they have started."""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path
from subprocess import DEVNULL, PIPE, Popen
from typing import Any, TypeVar
from weakref import WeakSet

_Process = TypeVar("_Process", bound=Popen[Any])
PATH = "PYTHONPATH"
_PACKAGE = str(Path(__file__).parents[2])


def python(module: str, *arguments: str) -> list[str]:
    """The command that runs a module as a program, with or without assertions as this one."""
    optimized = ["-" + "O" * sys.flags.optimize] if sys.flags.optimize else []
    return [sys.executable, *optimized, "-P", "-m", module, *arguments]  # -P: not from the caller's working directory


def module_path() -> tuple[str, ...]:
    """Where this process looks for modules."""
    return tuple(str(Path.cwd()) if place == "" else place for place in sys.path)


def environment(path: Iterable[str] | None = None) -> dict[str, str]:
    """The environment of a process that looks for modules where this package is, and then in other places.

    path: these places; None: those of the PYTHONPATH of this process.
    """
    inherited = os.environ.get(PATH, "").split(os.pathsep)
    places = [_PACKAGE, *(inherited if path is None else path)]
    return {**os.environ, PATH: os.pathsep.join(dict.fromkeys(filter(None, places)))}


_LEADERS: WeakSet[Popen[Any]] = WeakSet()
"""The processes that this one has started to lead groups."""
if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_LEADERS.clear)


def leader(process: _Process) -> _Process:
    """A process that this one has started to lead a group, which kill_group() may end."""
    _LEADERS.add(process)
    return process


def kill_group(process: Popen[Any]) -> None:
    """End a leader() and all others of its group; without groups, the process alone.

    A copy of this process, made by os.fork(), does not end it: its finalizers run as well, while this one still needs the group.
    """
    if process in _LEADERS and hasattr(os, "killpg"):
        with suppress(OSError):  # all have ended
            os.killpg(process.pid, signal.SIGKILL)
    with suppress(OSError):
        process.kill()  # which asks whether it is a child of this process


_WATCH = """
import os, shutil, sys
sys.stdin.buffer.read()  # to its end, which comes with that of the process that holds the other end of the pipe
try:
    os.kill(int(sys.argv[1]), 9)
except OSError:
    pass
shutil.rmtree(sys.argv[2], ignore_errors=True)
"""


def watch_over(process: Popen[Any], folder: str) -> Popen[bytes]:
    """Have a process ended, and its folder removed, if this process is killed meanwhile, even by a signal that it cannot catch.

    The process that is returned sees to that; kill it when the other one has ended. The other one may be any program: it need
    not know of this. Raises OSError if no process can be started.
    """
    return Popen(
        [sys.executable, "-I", "-S", "-c", _WATCH, str(process.pid), folder],
        stdin=PIPE,
        stdout=DEVNULL,
        stderr=DEVNULL,
        start_new_session=True,  # Ctrl-C and signals to the group are not for it
    )


def how_it_ended(code: int) -> str:
    """What an exit code says, after "it ended": "with exit code 1" or "by signal SIGKILL"."""
    if code >= 0:
        return f"with exit code {code}"
    try:
        return f"by signal {signal.Signals(-code).name}"
    except ValueError:  # a signal without a name
        return f"by signal {-code}"

"""Runs the translator of Fast Downward, which is under the GPL and never imported, in a process that limits and Ctrl-C end."""

from __future__ import annotations

import re
import subprocess
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory, TemporaryFile
from time import perf_counter
from typing import IO

from bestfirst.errors import BestfirstError, InputError, LimitError
from bestfirst.planning.pddl_text import count
from bestfirst.solution import Limits
from bestfirst.system.child_process import environment, how_it_ended, python, watch_over
from bestfirst.system.memory import resident_bytes_of

_TRANSLATOR = "fast_downward.translate"
_DOMAIN, _PROBLEM, _OUTPUT = "domain.pddl", "problem.pddl", "output.sas"
_REFUSED = 31
"""The exit code of the translator for bad input."""
_OUT_OF_MEMORY = 20
_SECONDS_BETWEEN_LOOKS = 0.01
_MEMORY_PER_BYTE = 16
"""Of a task, for each byte of the translator's output: 10 to 17 were measured."""
_PROGRESS = re.compile(r"\s*->|Parsing|\s*$")
"""Lines in front of the translator's complaint."""


@dataclass(frozen=True)
class Grounded:
    """output: the task in the translator's format. messages: what it printed."""

    output: str
    messages: str


def ground(domain: bytes, problem: bytes, names: str, limits: Limits) -> Grounded:
    """The task of a domain and a problem, grounded. names: of the two, for errors. limits: seconds, and memory of the process.

    Raises InputError if the translator is not installed or refuses the task, and LimitError if a limit is reached.
    """
    with TemporaryDirectory(prefix="bestfirst-") as folder, TemporaryFile() as printed, TemporaryFile() as complaints:
        place = Path(folder)
        (place / _DOMAIN).write_bytes(domain)
        (place / _PROBLEM).write_bytes(problem)
        process = watch = None
        try:
            process = _started(folder, printed, complaints)
            watch = watch_over(process, folder)
            _wait(process, limits)
        except OSError as error:  # such as in a browser
            raise InputError(f"PDDL cannot be read here: no process can be started: {error.strerror or error}") from error
        finally:
            for one in (watch, process):  # the watch first: it must not see the end of its pipe
                if one is not None:
                    one.kill()
                    one.communicate()
        if process.returncode:
            raise _error(process.returncode, _text(printed), _text(complaints), names)
        output = place / _OUTPUT
        if limits.memory is not None and _MEMORY_PER_BYTE * output.stat().st_size > _bytes(limits):
            raise LimitError("memory", f"{_memory(limits)} is too little for the grounded task")
        return Grounded(output.read_text(encoding="utf-8", errors="replace"), _text(printed))


def _started(folder: str, printed: IO[bytes], complaints: IO[bytes]) -> subprocess.Popen[bytes]:
    return subprocess.Popen(
        python(_TRANSLATOR, _DOMAIN, _PROBLEM, "--sas-file", _OUTPUT),
        stdin=subprocess.DEVNULL,
        stdout=printed,
        stderr=complaints,
        cwd=folder,
        env={**environment(), "PYTHONHASHSEED": "0"},  # the same files always give the same task
    )


def _text(file: IO[bytes]) -> str:
    file.seek(0)
    return file.read().decode("utf-8", "replace")


def _wait(process: subprocess.Popen[bytes], limits: Limits) -> None:
    begun = perf_counter()
    while True:
        try:
            process.wait(_SECONDS_BETWEEN_LOOKS)
            return
        except subprocess.TimeoutExpired:
            pass
        if limits.seconds is not None and perf_counter() - begun > limits.seconds:
            raise LimitError("seconds", f"the limit of {limits.seconds:g} seconds ended the grounding of the task")
        if limits.memory is not None:
            _check_memory(process, limits)


def _bytes(limits: Limits) -> int:
    assert isinstance(limits.memory, int)  # Limits has read it
    return limits.memory


def _memory(limits: Limits) -> str:
    """The limit on memory in words."""
    size = _bytes(limits)
    text = count(size, "byte", "bytes") if size < 2**20 else f"{size / 2**20:,.1f}".removesuffix(".0") + " MiB"
    return f"the limit of {text} of memory"


def _check_memory(process: subprocess.Popen[bytes], limits: Limits) -> None:
    used = resident_bytes_of(process.pid)
    if used is None and process.poll() is None:
        raise InputError("this system does not report the memory of a process; omit the limit on memory")
    if used is not None and used > _bytes(limits):
        raise LimitError("memory", f"{_memory(limits)} ended the grounding of the task")


def _error(code: int, printed: str, complaints: str, names: str) -> BestfirstError:
    """The error for an exit code of the translator."""
    if code == _REFUSED:
        words = [line.strip() for line in printed.splitlines() if not _PROGRESS.match(line)]
        trail = [line.strip().removeprefix("->") for line in printed.splitlines() if "->" in line]
        where = f" ({', '.join(trail)})" if trail else ""
        return InputError(f"{names}: the translator refuses the task: {'. '.join(words)}{where}")
    if code == _OUT_OF_MEMORY:
        return LimitError("memory", "grounding the task used up the memory of this machine")
    last = (complaints.strip().splitlines() or [""])[-1]
    if f"No module named '{_TRANSLATOR.partition('.')[0]}'" in last or f"No module named {_TRANSLATOR}" in last:
        return InputError(
            "reading PDDL needs the package 'fast-downward-translate', which is not installed: pip install 'bestfirst[pddl]'"
        )
    if last.startswith("RecursionError"):
        return InputError(
            f"{names}: blocks are nested too deeply; write (and ...) and (or ...) with several parts in one block"
        )
    why = f": {last}" if last else ""
    return InputError(f"{names}: the translator could not ground the task, and ended {how_it_ended(code)}{why}")

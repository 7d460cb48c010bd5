"""Does tasks in worker processes, and enforces their limits from outside too.

run_all() is the only way in, so that another pool can take its place.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from queue import Empty, SimpleQueue
from threading import Thread
from time import monotonic
from typing import Any

from bestfirst.arguments import check_whole, parse_bytes
from bestfirst.experiments.task import Task
from bestfirst.experiments.worker import ERROR, Outcome
from bestfirst.solution import Status
from bestfirst.system.child_process import how_it_ended, kill_group, leader
from bestfirst.system.memory import resident_bytes_of

SECONDS_BETWEEN_LOOKS = 0.05
PREPARATION_SECONDS = 3600.0
"""How long a run may prepare itself: make the problem, compile, build databases."""
SECONDS_TO_READ = 1.0
LAST_WORDS = 2_000
"""How much of what a crashed worker wrote is kept, in characters."""
_PROGRAM = "import json, sys; sys.path[:] = json.loads(sys.argv[1]); from bestfirst.experiments.worker import main; main()"


def seconds_outside(seconds: float) -> float:
    """When a run that does not keep its own limit on time is ended."""
    return 1.1 * seconds + 2


def memory_outside(memory: int) -> int:
    """At which growth a run that does not keep its own limit on memory is ended, in bytes."""
    return memory + memory // 4 + (64 << 20)


def run_all(tasks: Iterable[Task], workers: int = 1, must_stop: Callable[[], bool] = bool) -> Iterator[tuple[Task, Outcome]]:
    """Do the tasks, and yield each with its outcome as it ends. A run that crashes or is ended has an outcome too.

    tasks: taken one by one, when a worker is free. must_stop: once it returns true, the runs in hand are given up and the iterator
    ends. However it ends, no process is left.
    """
    check_whole("workers", workers, 1)
    waiting = iter(tasks)
    messages: SimpleQueue[tuple[_Worker, Any]] = SimpleQueue()
    idle: list[_Worker] = []
    busy: set[_Worker] = set()
    try:
        while not must_stop():
            while len(busy) < workers and (task := next(waiting, None)) is not None:
                worker = _alive(idle) or _Worker(messages)
                busy.add(worker)
                worker.begin(task)
            if not busy:
                return
            with suppress(Empty):
                worker, message = messages.get(timeout=SECONDS_BETWEEN_LOOKS)
                if worker in busy and worker.hear(message):
                    busy.remove(worker)
                    yield from _ended(worker, idle)
            for worker in [one for one in busy if one.is_over_limit()]:
                busy.remove(worker)
                yield from _ended(worker, idle)
    finally:
        for worker in (*busy, *idle):
            worker.end()


def _alive(idle: list[_Worker]) -> _Worker | None:
    """Take an idle worker; one that has died meanwhile is dropped."""
    while idle:
        worker = idle.pop()
        if worker.is_alive():
            return worker
        worker.end()
    return None


def _ended(worker: _Worker, idle: list[_Worker]) -> Iterator[tuple[Task, Outcome]]:
    """The outcome of a worker's task; the worker is kept for another one, if it can be."""
    assert worker.task is not None and worker.outcome is not None
    if worker.is_spent or worker.task.fresh:
        worker.end()
    else:
        idle.append(worker)
    yield worker.task, worker.outcome


class _Worker:
    """A worker process. outcome: of its task, once that has ended; is_spent: whether the process cannot be used again."""

    def __init__(self, messages: SimpleQueue[tuple[_Worker, Any]]) -> None:
        self.task: Task | None = None
        self.outcome: Outcome | None = None
        self.is_spent = False
        self._said = tempfile.TemporaryFile()  # noqa: SIM115  (as long as the worker lives)
        self._process = leader(
            subprocess.Popen(
                [sys.executable, "-P", "-c", _PROGRAM, json.dumps(sys.path)],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=self._said,
                start_new_session=True,  # so that Ctrl-C reaches the driver alone
            )
        )
        self._reader = Thread(target=self._read, args=(messages,), daemon=True)
        self._reader.start()

    def _read(self, messages: SimpleQueue[tuple[_Worker, Any]]) -> None:
        assert self._process.stdout is not None
        with self._process.stdout as lines:
            for line in lines:
                with suppress(ValueError):  # half a line of a worker that was killed
                    messages.put((self, json.loads(line)))
        messages.put((self, None))

    def begin(self, task: Task) -> None:
        """Begin a task; the worker must be idle."""
        self.task, self.outcome = task, None
        self._began = monotonic()
        self._before: int | None = None
        self._said_before = os.fstat(self._said.fileno()).st_size
        assert self._process.stdin is not None
        with suppress(OSError):  # it has crashed: its reader will say so
            self._process.stdin.write(task.to_json().encode() + b"\n")
            self._process.stdin.flush()

    def is_alive(self) -> bool:
        """Whether the process can take a task."""
        return self._process.poll() is None

    def hear(self, message: Any) -> bool:
        """Take a message of the process; return whether the task has ended. None: the process has ended."""
        if message is None:
            self._give_up({"status": ERROR, "error": self._last_words()})
        elif "began" in message:
            self._began, self._before = monotonic(), message["began"]
        else:
            self.outcome = message["ended"]
        return self.outcome is not None

    def is_over_limit(self) -> bool:
        """Whether the run has not kept its limits and was ended for it."""
        assert self.task is not None
        if not self.is_alive():
            return False  # its reader will say so
        seconds, memory = self.task.limits.get("seconds"), self.task.limits.get("memory")
        spent = monotonic() - self._began
        if self._before is None:
            most = self.task.preparation or PREPARATION_SECONDS
            if spent > most:
                self._give_up(_stopped("preparation", f"was still being prepared after {most:g} s", spent))
        elif seconds is not None and spent > seconds_outside(seconds):
            self._give_up(_stopped("seconds", f"did not stop at its limit of {seconds:g} s", spent))
        elif memory is not None and self._grown() > memory_outside(parse_bytes(memory)):
            self._give_up(_stopped("memory", f"did not stop at its limit of {memory} of memory", spent))
        return self.outcome is not None

    def _grown(self) -> int:
        """The growth of the process since the run began, 0 if the system does not tell."""
        now = resident_bytes_of(self._process.pid)
        return 0 if now is None else now - (self._before or 0)

    def _give_up(self, outcome: Outcome) -> None:
        self.outcome, self.is_spent = outcome, True
        self.end()

    def end(self) -> None:
        """End the process, and what it has started."""
        kill_group(self._process)
        self._process.wait()
        self._reader.join(SECONDS_TO_READ)  # at once, unless a process that left the group holds the pipe
        for pipe in (self._process.stdin, self._said):
            with suppress(OSError):
                assert pipe is not None
                pipe.close()

    def _last_words(self) -> str:
        """How a process ended that should not have, with the end of what it wrote during the run."""
        how = how_it_ended(self._process.wait())
        self._said.seek(self._said_before)
        words = self._said.read().decode(errors="replace").strip()[-LAST_WORDS:]
        return f"the process of the run ended {how}" + (f": {words}" if words else "")


def _stopped(limit: str, why: str, spent: float) -> Outcome:
    return {"status": Status.LIMIT, "stopped_by": limit, "seconds": spent, "error": f"its process was ended: it {why}"}

"""The process that does the runs, so that one that crashes, leaks or never returns takes nothing with it.

It reads tasks from standard input and writes messages to standard output, each a JSON object on one line: {"began": bytes in use},
when what comes before the clock is done, and {"ended": outcome}.
"""

from __future__ import annotations

import ctypes
import faulthandler
import gc
import json
import math
import os
import sys
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from queue import SimpleQueue
from threading import Thread
from time import perf_counter, sleep
from typing import Any, TypeAlias

from bestfirst.errors import BestfirstError, InputError, LimitError, is_of_compiler, kind_and_text
from bestfirst.experiments.making import heuristic_of, made, search_of
from bestfirst.experiments.task import GAME, Task
from bestfirst.games.analysis import analyse
from bestfirst.games.limits import GameLimits
from bestfirst.games.playing.specification import settings_from
from bestfirst.own_errors import own_errors
from bestfirst.patterns.building.work_files import BeingBuiltError
from bestfirst.solution import Limits, Solution, Status
from bestfirst.system.copies import Original
from bestfirst.system.gc_tuning import spare_what_is_loaded
from bestfirst.system.memory import resident_bytes

Outcome: TypeAlias = dict[str, Any]
"""The columns of the ledger that a run fills."""
ERROR, COMPLETE = "error", "complete"
"""Statuses besides those of a Solution: the run failed; the search of a game reached its depth or the end of the game."""

SECONDS_BETWEEN_TRIES = 0.5

is_worker = False
"""Whether this process is one; it must not start an experiment of its own."""


def main() -> None:
    """Do tasks until standard input is closed, also in the middle of a run: so no process outlives the one that started it."""
    global is_worker  # noqa: PLW0603
    is_worker = True
    faulthandler.enable(all_threads=False)
    messages = os.fdopen(os.dup(sys.stdout.fileno()), "w", encoding="utf-8")
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())  # what a user's code prints must not get between the messages
    tasks: SimpleQueue[Task] = SimpleQueue()
    Thread(target=_read, args=(tasks,), daemon=True).start()

    original = Original()

    def tell(message: dict[str, Any]) -> None:
        original.end_copy()
        messages.write(json.dumps(message) + "\n")
        messages.flush()

    while True:
        task = tasks.get()
        tell({"ended": outcome_of(task, lambda: tell({"began": _resident()}))})
        spare_what_is_loaded()


def _read(tasks: SimpleQueue[Task]) -> None:
    for line in sys.stdin:
        tasks.put(Task.from_json(line))
    os._exit(0)


def outcome_of(task: Task, began: Callable[[], None]) -> Outcome:
    """Do a run. began: called when what comes before the clock is done: the problem is made, and code compiled."""
    started = perf_counter()
    outcome: Outcome
    try:
        with own_errors():
            outcome = _analysed(task, began) if task.kind == GAME else _searched(task, began)
    except LimitError as error:
        outcome = {"status": Status.LIMIT, "stopped_by": error.limit, "error": str(error)}
    except MemoryError:
        outcome = {"status": Status.LIMIT, "stopped_by": "memory", "error": "out of memory"}
    except (Exception, SystemExit) as error:
        outcome = {"status": ERROR, "error": str(error) if isinstance(error, BestfirstError) else kind_and_text(error)}
    return {"preparation": perf_counter() - started - outcome.get("seconds", 0.0), **outcome}


def _searched(task: Task, began: Callable[[], None]) -> Outcome:
    problem = made(task)
    engine = _prepared(task, problem)
    memory = _Memory()
    began()
    search = search_of(task, problem, engine, Limits(**task.limits))
    solution = search.run()
    peak = memory.peak()
    if solution.found:
        solution.verify()
    return {
        **_facts(solution),
        "heuristic": heuristic_of(task, problem),
        "peak_memory": solution.stats.peak_memory if peak is None else peak,
    }


def _prepared(task: Task, problem: Any) -> str:
    """The engine of a search, once its code is compiled and its databases are open. Default: the compiled one, if it can."""
    for engine in [task.engine] if task.engine else ["compiled", "python"]:
        try:
            _prepare(task, problem, engine)
        except (BestfirstError, ImportError) as error:
            if (
                task.engine
                or engine == "python"
                or not (isinstance(error, InputError) or is_of_compiler(error, has_begun=False))
            ):
                raise
        else:
            return engine
    raise AssertionError


def _prepare(task: Task, problem: Any, engine: str) -> None:
    """Compile, and build or open databases. One that another worker is building is waited for; the driver limits the time."""
    while True:
        try:
            search_of(task, problem, engine).run(Limits(expansions=0))
        except BeingBuiltError:
            sleep(SECONDS_BETWEEN_TRIES)
        else:
            return


def _facts(solution: Solution) -> Outcome:
    stats = solution.stats
    return {
        "status": solution.status,
        "stopped_by": solution.limit,
        "cost": solution.cost,
        "lower_bound": solution.lower_bound,
        "actions": len(solution) if solution.found else None,
        **{
            name: getattr(stats, name)
            for name in ("expanded", "generated", "duplicates", "reopened", "pruned", "peak_agenda", "seconds")
        },
        "engine": solution.engine,
        "condition": solution.condition,
        "warnings": solution.warnings,
        "iterations": [[row.bound, row.expanded, row.generated] for row in stats.iterations],
        "history": [[one.seconds, one.expanded, one.cost, one.lower_bound] for one in solution.history],
        "error": solution.reason if solution.status is Status.UNSOLVABLE else None,
    }


def _analysed(task: Task, began: Callable[[], None]) -> Outcome:
    game = made(task)
    settings = settings_from(task.settings or "").suited_to(game)
    limits = GameLimits(seconds=task.limits.get("seconds"), nodes=task.limits.get("expansions"), depth=task.depth)
    arguments: dict[str, Any] = {"settings": settings, "engine": task.engine, "lines": 1}
    waiting = analyse(game, task.instance or None, limits=GameLimits(seconds=math.inf), **arguments)
    is_compiled = waiting.prepare()
    memory = _Memory()
    began()
    analysis = analyse(game, task.instance or None, limits=limits, **arguments).run()
    is_whole = analysis.solved or analysis.stopped == "depth"
    return {
        "status": COMPLETE if is_whole else Status.LIMIT,
        "stopped_by": None if is_whole else analysis.stopped,
        "value": analysis.score.value if is_whole else None,
        "actions": analysis.depth,
        "expanded": analysis.nodes,
        "seconds": analysis.seconds,
        "engine": "compiled" if is_compiled else "python",
        "peak_memory": memory.peak(),
    }


_STATUS = Path("/proc/self/status")
_RESET = Path("/proc/self/clear_refs")


class _Memory:
    """The memory that a run takes: by how much the process grows at its largest. The system measures it, where it can."""

    def __init__(self) -> None:
        gc.collect()
        _give_back()
        with suppress(OSError):  # the peak is then that of the whole process, which is not told
            _RESET.write_text("5")
        self._before = _field("VmRSS")
        self._is_measured = self._before is not None and (_field("VmHWM") or 0) < self._before + 2**20

    def peak(self) -> int | None:
        """The growth until now in bytes, None if unknown."""
        highest = _field("VmHWM")
        if not self._is_measured or highest is None or self._before is None:
            return None
        return max(0, highest - self._before)


def _give_back() -> None:
    """Give memory that earlier runs have freed back to the system, so that this one is charged for what it takes."""
    with suppress(OSError, AttributeError):  # not the C library of GNU
        ctypes.CDLL(None).malloc_trim(0)


def _field(name: str) -> int | None:
    try:
        lines = _STATUS.read_text().splitlines()
    except OSError:
        return None
    return next((1024 * int(line.split()[1]) for line in lines if line.startswith(f"{name}:")), None)


def _resident() -> int:
    try:
        return resident_bytes()
    except InputError:
        return 0

"""Runs an experiment: what the ledger lacks, and nothing twice."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from contextvars import ContextVar
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from bestfirst.arguments import check_path, check_whole
from bestfirst.errors import InputError
from bestfirst.experiments import worker
from bestfirst.experiments.command import command_of
from bestfirst.experiments.ledger import Ledger, check_place
from bestfirst.experiments.pool import run_all
from bestfirst.experiments.spec import Spec, check_tasks, read_spec
from bestfirst.experiments.task import Task
from bestfirst.experiments.worker import ERROR, Outcome
from bestfirst.system.atomic import check_working_directory
from bestfirst.system.interrupt import CtrlC

Watch = Callable[["Progress", Task, Outcome], None]


@dataclass
class Progress:
    """The progress of an experiment. before: runs that were recorded already; done: the runs of this call, by status."""

    asked: int
    before: int = 0
    done: Counter[str] = field(default_factory=Counter)
    interrupted: bool = False
    journal: str = ""

    @property
    def left(self) -> int:
        """The number of runs that are missing."""
        return self.asked - self.before - self.done.total()


def ledger_of(spec: str | Path | Mapping[str, Any], ledger: str | Path | None = None) -> Path:
    """The file of the ledger: the given one, or NAME.sqlite in the working directory."""
    if ledger is not None:
        check_path("ledger", ledger)
        return Path(ledger)
    name = read_spec(spec).name if isinstance(spec, Mapping) else Path(spec).stem
    return Path(f"{name}.sqlite")


def run(
    spec: str | Path | Mapping[str, Any],
    ledger: str | Path | None = None,
    *,
    workers: int = 1,
    retry: bool = False,
    first: int | None = None,
    watch: Watch | None = None,
) -> Progress:
    """Carry out the runs of a spec that its ledger lacks, and record each as it ends. Ctrl-C stops; finished runs are kept.

        bf.experiments.run("pancakes.toml", workers=2)

    spec: a .toml or .py file, the name of a spec that comes with the package, or a dict like that of a Python file.
    ledger: the file of the results. Default: NAME.sqlite in the working directory.
    workers: the number of processes; with more than one, times depend on what the others do.
    retry: whether runs that ended with an error are done again. first: how many instances of each problem; None for all.
    watch: called after each run that was recorded.
    Raises InputError for a mistake in the spec, before the first run, and for a ledger that cannot be written.
    """
    check_working_directory()
    check_whole("workers", workers, 1)
    check_whole("first", first, 1, otherwise="None for all instances")
    read = _read_alone(spec)
    tasks = [task for task in read.tasks if first is None or task.number <= first]
    path = ledger_of(spec, ledger)
    check_place(path)
    with CtrlC() as ctrl_c:
        is_new = not path.exists()
        if is_new:
            check_tasks(tasks, read.places)  # before there is a ledger: a mistake leaves no file behind
        with Ledger(path, may_write=True) as book:
            known = {digest for digest, status in book.statuses().items() if not (retry and status == ERROR)}
            missing = [task for task in tasks if task.digest not in known]
            progress = Progress(len(tasks), len(tasks) - len(missing), journal=book.journal)
            if not is_new:
                check_tasks(missing, read.places)
            book.plan(tasks, read.in_words)
            for task, outcome in run_all(missing, workers, lambda: ctrl_c.pressed):
                book.record(task, outcome, command_of(task, outcome.get("engine"), outcome.get("heuristic")))
                progress.done[outcome["status"]] += 1
                if watch is not None:
                    watch(progress, task, outcome)
            progress.interrupted = ctrl_c.pressed
    if progress.done:
        _check_recorded(path, tasks, progress)
    return progress


def _check_recorded(path: Path, tasks: list[Task], progress: Progress) -> None:
    """Raise InputError unless all runs are in the file, as it is after it was closed."""
    with Ledger(path) as book:
        known = book.statuses()
    found, wanted = sum(task.digest in known for task in tasks), progress.before + progress.done.total()
    if found < wanted:
        raise InputError(
            f"the ledger {str(path)!r} has {found} of the {wanted} runs that were recorded: it was replaced during the "
            "experiment; put the file back, and run the same command again to redo the missing runs"
        )


_READING: ContextVar[bool] = ContextVar("reading", default=False)


def _read_alone(spec: str | Path | Mapping[str, Any]) -> Spec:
    """The spec. Raises InputError if this is called by a file that is loaded for an experiment, which would never end."""
    if _READING.get() or worker.is_worker:
        raise InputError(
            "this file is loaded for an experiment, and starts one itself; put the call under if __name__ == '__main__':"
        )
    token = _READING.set(True)
    try:
        return read_spec(spec)
    finally:
        _READING.reset(token)


def status(spec: Spec, known: Mapping[str, str]) -> tuple[Progress, Counter[str]]:
    """How far the experiment of a spec has come, and how many of its runs have each status. known: Ledger.statuses()."""
    found = [known[task.digest] for task in spec.tasks if task.digest in known]
    return Progress(len(spec.tasks), len(found)), Counter(found)

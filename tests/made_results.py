"""Results of experiments that were never run, for tests of reports and comparisons."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from bestfirst.experiments.results import Results
from bestfirst.experiments.rows import ABOUT, OUTCOME
from bestfirst.experiments.task import SEARCH, Task

VERSIONS = {"bestfirst": "1", "python": "3", "numpy": "2", "numba": "0"}


def row(**given: Any) -> dict[str, Any]:
    """A run in the ledger, solved with cost 10 unless told otherwise."""
    usual = {
        "status": "optimal",
        "cost": 10.0,
        "machine": "m",
        "versions": VERSIONS,
        "command": "bestfirst",
        "ended": "2026-01-01",
    }
    usual |= {"expanded": 5, "generated": 9, "seconds": 0.5, "peak_memory": 2**20, "engine": "python", "history": []}
    return {**dict.fromkeys((*OUTCOME, *ABOUT)), **usual, **given}


UNSOLVED = {"status": "limit", "stopped_by": "seconds", "cost": None}
CUT_OFF = {"status": "limit", "stopped_by": "expansions", "cost": 12.0, "expanded": 1}


def results(
    runs: Mapping[str, Sequence[Mapping[str, Any] | None]], about: Mapping[str, Any] | None = None, **task: Any
) -> Results:
    """The results of configurations, each with a run for each instance; None for one that is missing."""
    rows = [
        (
            Task(SEARCH, "p", name, "pancake", str(number), f"i{number}", number, algorithm=name, **task),
            None if given is None else row(**given),
        )
        for name, of in runs.items()
        for number, given in enumerate(of, 1)
    ]
    return Results(rows, {"title": "T", **(about or {})}, "made.sqlite")

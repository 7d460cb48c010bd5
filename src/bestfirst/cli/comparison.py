"""A measured comparison of algorithms and heuristics on the same instances."""

from __future__ import annotations

import csv
import io
import math
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, replace
from itertools import chain
from statistics import fmean
from typing import TYPE_CHECKING, Any, TypeAlias

from rich.console import Group
from rich.table import Table
from rich.text import Text

from bestfirst.cli.exit_codes import ExitCode, exit_code_of
from bestfirst.cli.report import SECONDS_TOLD, algorithm_with, duration, number
from bestfirst.errors import BestfirstError, InputError, ProblemError, shown
from bestfirst.heuristics.naming import split_names
from bestfirst.own_errors import OwnFileError, own_errors
from bestfirst.problem import Problem
from bestfirst.resumable_search import Search
from bestfirst.search import Algorithm, algorithm_named
from bestfirst.solution import Limits, Solution, Status, effective_branching_factor
from bestfirst.system.interrupt import presses

if TYPE_CHECKING:
    from bestfirst.batches.work import Failure

COLUMNS = ("instance", "algorithm", "heuristic", "status", "cost", "expanded", "generated", "seconds", "branching")
_WORST_FIRST = ExitCode.INTERRUPTED, ExitCode.BAD_INPUT, ExitCode.LIMIT, ExitCode.UNSOLVABLE
_Run: TypeAlias = tuple[str, Problem, Algorithm, str | None]
"""A search: the instance as it was given and as a problem, the algorithm, and the name of the heuristic."""
SHOWN = ("algorithm", "heuristic", "cost", "expanded", "generated", "seconds", "branching")


@dataclass(frozen=True)
class Row:
    """The statistics of one algorithm with one heuristic on one instance."""

    instance: str
    solution: Solution

    @property
    def branching(self) -> float:
        """The effective branching factor; NaN if there is no solution."""
        return effective_branching_factor(self.solution.stats.generated, len(self.solution))

    def to_dict(self) -> dict[str, Any]:
        """The columns and the other fields of a search, as JSON values."""
        solution, stats = self.solution, self.solution.stats
        return {
            "instance": self.instance,
            "algorithm": solution.algorithm,
            "heuristic": solution.heuristic,
            "engine": solution.engine,
            "status": str(solution.status),
            "limit": solution.limit,
            "reason": solution.reason,
            "cost": solution.cost,
            "lower_bound": solution.lower_bound,
            "actions": len(solution) if solution.found else None,
            "expanded": stats.expanded,
            "generated": stats.generated,
            "seconds": stats.seconds,
            "preparation": solution.preparation,
            "branching": self.branching,
            "warnings": solution.warnings,
        }

    def failure(self) -> str:
        """What failed, and why."""
        solution = self.solution
        return f"{self.instance}: {algorithm_with(solution.algorithm, solution.heuristic)}: {solution.reason}"

    def cells(self) -> tuple[str, ...]:
        """The columns as strings. A missing cost is replaced by the status."""
        solution, stats = self.solution, self.solution.stats
        names = solution.algorithm, solution.heuristic or "-"
        if solution.status is Status.FAILED:
            return *names, str(solution.status), "-", "-", "-", "-"
        return (
            *names,
            str(solution.status) if solution.cost is None else number(solution.cost),
            f"{stats.expanded:,}",
            f"{stats.generated:,}",
            f"{stats.seconds:.3f}",
            "-" if math.isnan(self.branching) else f"{self.branching:.3f}",
        )


@dataclass(frozen=True)
class Comparison:
    """All rows, instance by instance. asked: the number of requested searches; interrupted: whether Ctrl-C ended them."""

    rows: list[Row]
    asked: int
    interrupted: bool = False

    @property
    def ended(self) -> int:
        """The number of searches that finished or reached a limit."""
        return sum(row.solution.status is not Status.INTERRUPTED for row in self.rows)

    def as_tables(self) -> Group:
        """A table for each instance. With several instances, the means over the solved ones come last."""
        sections: dict[str, list[tuple[str, ...]]] = {}
        for row in self.rows:
            sections.setdefault(row.instance, []).append(row.cells())
        if len(sections) > 1:
            sections[f"mean over {len(sections)} instances"] = self._means()
        return Group(*(_table(title, rows) for title, rows in sections.items()))

    def note(self, limits: Limits) -> str | None:
        """How much of the time limit each search spent on preparations, which count against it; None if none took long."""
        slow = [row.solution for row in self.rows if row.solution.preparation >= SECONDS_TOLD]
        if limits.seconds is None or not slow:
            return None
        longest: dict[str, float] = {}
        for solution in slow:
            name = algorithm_with(solution.algorithm, solution.heuristic)
            longest[name] = max(longest.get(name, 0.0), solution.preparation)
        told = ", ".join(f"{name} {duration(seconds)}" for name, seconds in longest.items())
        return (
            f"the limit --seconds includes preparation, such as compiling: {told}. To compare the searches alone, omit --seconds, "
            "or use --expansions."
        )

    def _means(self) -> list[tuple[str, ...]]:
        means: list[tuple[str, ...]] = []
        pairs = dict.fromkeys((row.solution.algorithm, row.solution.heuristic) for row in self.rows)
        for algorithm, heuristic in pairs:
            group = [
                row.solution
                for row in self.rows
                if (row.solution.algorithm, row.solution.heuristic) == (algorithm, heuristic)
            ]
            ended = [solution for solution in group if exit_code_of(solution.status) is ExitCode.SOLVED]
            if not ended:
                continue
            missing = "" if len(ended) == len(group) else f" ({len(ended)} of {len(group)})"
            costs = [solution.cost or 0 for solution in ended]
            means.append(
                (
                    algorithm,
                    (heuristic or "-") + missing,
                    f"{fmean(costs):,.2f}",
                    f"{fmean(solution.stats.expanded for solution in ended):,.1f}",
                    f"{fmean(solution.stats.generated for solution in ended):,.1f}",
                    f"{fmean(solution.stats.seconds for solution in ended):.3f}",
                    "",
                )
            )
        return means

    def as_csv(self) -> str:
        """Comma-separated values with plain numbers. A missing value is empty."""
        text = io.StringIO()
        writer = csv.writer(text, lineterminator="\n")
        writer.writerow(COLUMNS)
        for row in self.rows:
            solution, stats = row.solution, row.solution.stats
            writer.writerow(
                [
                    row.instance,
                    solution.algorithm,
                    solution.heuristic or "",
                    solution.status,
                    "" if solution.cost is None else solution.cost,
                    stats.expanded,
                    stats.generated,
                    f"{stats.seconds:.6f}",
                    "" if math.isnan(row.branching) else f"{row.branching:.6f}",
                ]
            )
        return text.getvalue()

    def to_dict(self) -> dict[str, Any]:
        """The rows as JSON values."""
        return {"rows": [row.to_dict() for row in self.rows], "asked": self.asked, "interrupted": self.interrupted}

    def exit_code(self) -> ExitCode:
        """The exit code of the worst run: interrupted is worst, then failed, limit, no solution, solved."""
        if self.interrupted:
            return ExitCode.INTERRUPTED
        codes = [exit_code_of(row.solution.status) for row in self.rows]
        return next((code for code in _WORST_FIRST if code in codes), ExitCode.SOLVED)


def _table(title: str, rows: list[tuple[str, ...]]) -> Table:
    table = Table(title=Text(title, style="bold"), title_justify="left", box=None, pad_edge=False)
    for place, column in enumerate(SHOWN):
        table.add_column(column, justify="left" if place < 2 else "right", no_wrap=True)
    for cells in rows:
        table.add_row(*cells)
    return table


def compare_all(
    problems: dict[str, Problem],
    algorithms: str,
    heuristics: str | None,
    limits: Limits,
    engine: str | None = None,
    progress: Callable[[Search, str], None] | None = None,
    workers: int | None = None,
    own: Any = None,
) -> Comparison:
    """Run each algorithm with each heuristic on each problem. Ctrl-C ends the comparison and keeps the finished rows.

    A search that fails, because the code of the problem does, has a row too and does not stop the others.

    problems: keyed by instance string. algorithms, heuristics: names separated by commas. Heuristics may be 'all'; None
    means the default. An algorithm that takes no heuristic is run once. progress: called from time to time with the running
    search and a string that names it. workers: processes that share the searches; None: this one does them, one by one.
    own: the user's class or object, if the problems are the user's. Raises InputError before the first run if any of the
    searches is invalid.
    """
    if workers is not None:
        from bestfirst.batches.starting import LOCAL, check_place  # noqa: PLC0415  (other commands would start later)

        check_place(LOCAL, workers)
    chosen = [algorithm_named(name) for name in _names(algorithms, "algorithms")]
    runs = [
        (text, problem, algorithm, heuristic)
        for text, problem in problems.items()
        for algorithm in chosen
        for heuristic in _heuristics_for(problem, algorithm, heuristics)
    ]
    rows: list[Row] = []
    before = presses()
    try:
        for _text, problem, algorithm, heuristic in runs:
            with suppress(ProblemError, OwnFileError), own_errors(own):  # its row will tell of them
                checked = _search(problem, algorithm, heuristic, limits, engine).run(Limits(expansions=0))
                if checked.status is Status.INTERRUPTED:
                    raise KeyboardInterrupt
        if workers is not None:
            return _by_processes(runs, limits, engine, workers)
        for text, problem, algorithm, heuristic in runs:
            which = f"{len(rows) + 1} of {len(runs)}: "
            try:
                with own_errors(own):
                    search = _search(problem, algorithm, heuristic, limits, engine)
                    solution = search.run(progress=_told(progress, f"{which}{_named(search)} | "))
                    if solution.found:
                        solution.verify()
            except BestfirstError as error:
                solution = _failed(problem, algorithm, heuristic, str(error))
            rows.append(Row(text, solution))
            if solution.status is Status.INTERRUPTED or (presses() > before and len(rows) < len(runs)):
                raise KeyboardInterrupt
    except KeyboardInterrupt:
        return Comparison(rows, len(runs), interrupted=True)
    return Comparison(rows, len(runs))


@dataclass
class _Searching:
    """The work of a worker process: to run one search of a comparison."""

    limits: Limits
    engine: str | None

    @property
    def seconds(self) -> float | None:
        return self.limits.seconds

    @property
    def memory(self) -> int | None:
        return None if self.limits.memory is None else int(self.limits.memory)

    def check(self, item: _Run) -> None:
        """It was checked with all others."""

    def do(self, item: _Run, seconds: float | None) -> Solution:
        del seconds  # there is no limit for all searches together
        _text, problem, algorithm, heuristic = item
        solution = _search(problem, algorithm, heuristic, self.limits, self.engine).run()
        if solution.found:
            solution.verify()
        return solution

    def known(self, item: _Run) -> tuple[Any, ...]:
        return (item[1],)

    def fault(self, item: _Run, result: Solution) -> str | None:
        from bestfirst.batches.solving import fault_of  # noqa: PLC0415

        return fault_of(item[1], result)

    def is_interrupted(self, result: Solution) -> bool:
        return result.status is Status.INTERRUPTED

    def failed(self, item: _Run, failure: Failure) -> Solution:
        from bestfirst.batches.solving import unsolved  # noqa: PLC0415

        _text, problem, algorithm, heuristic = item
        return unsolved(problem, algorithm.name, heuristic, failure)


def _failed(problem: Problem, algorithm: Algorithm, heuristic: str | None, why: str) -> Solution:
    from bestfirst.batches.solving import unsolved  # noqa: PLC0415
    from bestfirst.batches.work import Failure  # noqa: PLC0415

    return unsolved(problem, algorithm.name, heuristic, Failure(why))


def _by_processes(runs: list[_Run], limits: Limits, engine: str | None, workers: int) -> Comparison:
    """The rows in order. A search that fails does not stop the others."""
    from bestfirst.batches.starting import LOCAL, start  # noqa: PLC0415

    work = _Searching(limits, engine)
    with start(runs, work, on=LOCAL, workers=workers, ordered=False, seconds=None, progress=True) as batch:
        done = dict(batch)
        rows = [Row(runs[number][0], done[number]) for number in sorted(done)]
        return Comparison(rows, len(runs), batch.interrupted)


def _told(progress: Callable[[Search, str], None] | None, which: str) -> Callable[[Search], None] | None:
    return None if progress is None else lambda search: progress(search, which)


def _named(search: Search) -> str:
    """The algorithm and the heuristic of a search."""
    return algorithm_with(search.algorithm.name, search.heuristic.name if search.heuristic else None)


def _search(problem: Problem, algorithm: Algorithm, heuristic: str | None, limits: Limits, engine: str | None) -> Search:
    """A search. Depth-limited search takes the limit on depth as its depth."""
    options: dict[str, Any] = {}
    if "depth" in algorithm.options and limits.depth is not None:
        limits, options = replace(limits, depth=None), {"depth": limits.depth}
    return Search(problem, algorithm.name, heuristic, limits=limits, engine=engine, **options)


def _heuristics_for(problem: Problem, algorithm: Algorithm, wanted: str | None) -> list[str | None]:
    if algorithm.heuristic == "none":
        return [None]
    if wanted is None:  # named, so that the search does not switch to another one
        return [problem.default_heuristic if algorithm.heuristic in ("required", "if any") else None]
    every = list(problem.heuristics())
    if wanted.strip() == "all":
        return list(every) or [None]
    names = [every if name == "all" else [name] for name in _names(wanted, "heuristics")]
    return list(dict.fromkeys(chain.from_iterable(names)))


def _names(text: str, what: str) -> list[str]:
    """The names, split at commas outside parentheses."""
    names = split_names(text)
    if not all(names):
        raise InputError(f"{what} is {shown(text)}; write one or more names, separated by commas")
    return names

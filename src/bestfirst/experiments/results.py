"""The results of an experiment, instance by instance: what reports and comparisons are made of.

A run is solved if it did all that its configuration promises: it ended with a solution, optimal, bounded or without a proof, with
the proof that there is none, or with the value of a position. One that a limit cut off is not solved, even if it holds a solution:
its nodes and seconds say where the limit is. The cost of its solution counts all the same when costs are compared.
"""

from __future__ import annotations

import math
import sys
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import fmean, mean, median_high, median_low
from typing import Any

from bestfirst.cached import cached_property
from bestfirst.errors import InputError, UnknownNameError
from bestfirst.experiments.ledger import Ledger
from bestfirst.experiments.task import GAME, Task
from bestfirst.experiments.worker import COMPLETE, ERROR
from bestfirst.solution import Status

SOLVED = (Status.OPTIMAL, Status.BOUNDED, Status.SOLVED, Status.UNSOLVABLE, COMPLETE)
"""The statuses of runs that count as solved."""
Row = Mapping[str, Any]
Place = tuple[str, int]
"""An instance: its problem, and its number there."""


@dataclass(frozen=True)
class Metric:
    """Something that is measured; less is better. column: of the ledger.

    less, more, times: how sentences say that a configuration has less or more of it, or so many times as much as another one.
    of_solution: whether it is known of every run with a solution, and not only of one that is solved.
    """

    name: str
    title: str
    column: str
    unit: str
    less: str
    more: str
    times: str
    scale: float = 1.0
    of_solution: bool = False

    @property
    def reached(self) -> str:
        """How sentences say that a configuration has a value on an instance: it solved it, or found a solution for it."""
        return "found a solution for" if self.of_solution else "solved"

    @property
    def done(self) -> str:
        """The same, of an instance."""
        return "given a solution" if self.of_solution else "solved"


METRICS = {
    metric.name: metric
    for metric in (
        Metric(
            "expanded",
            "Nodes expanded",
            "expanded",
            "nodes",
            "expands fewer nodes",
            "expands more nodes",
            "expands {} times as many nodes as",
        ),
        Metric(
            "generated",
            "Nodes generated",
            "generated",
            "nodes",
            "generates fewer nodes",
            "generates more nodes",
            "generates {} times as many nodes as",
        ),
        Metric("seconds", "Time", "seconds", "s", "takes less time", "takes more time", "takes {} times as long as"),
        Metric(
            "memory",
            "Memory",
            "peak_memory",
            "MiB",
            "takes less memory",
            "takes more memory",
            "takes {} times as much memory as",
            2.0**-20,
        ),
        Metric(
            "cost",
            "Cost of the solution",
            "cost",
            "",
            "finds cheaper solutions",
            "finds more expensive solutions",
            "finds solutions that cost {} times as much as those of",
            of_solution=True,
        ),
    )
}


@dataclass(frozen=True)
class Cell:
    """What one configuration did on one instance. runs: the rows, solved or not."""

    runs: Sequence[Row]

    @cached_property
    def solved(self) -> float:
        """The share of the runs that are solved."""
        return fmean(map(is_solved, self.runs))

    @cached_property
    def found(self) -> float:
        """The share of the runs that hold a solution."""
        return fmean(row["cost"] is not None for row in self.runs)

    def counts(self, metric: Metric) -> bool:
        """Whether a metric is compared here: all runs are solved, or for a cost, all hold a solution."""
        return (self.found if metric.of_solution else self.solved) == 1

    def measure(self, metric: Metric) -> float | None:
        """The median over repetitions, then the mean over seeds; None if it is unknown, or if it does not count here."""
        if not self.counts(metric):
            return None
        by_seed: dict[Any, list[float]] = {}
        for row in self.runs:
            if row[metric.column] is not None:
                by_seed.setdefault(row["seed"], []).append(to_float(row[metric.column]) * metric.scale)
        return _mean([_mean([median_low(found), median_high(found)]) for found in by_seed.values()]) if by_seed else None


def to_float(value: float) -> float:
    """A number as reports compute with it: a whole number beyond all floats counts as the largest of them."""
    try:
        return float(value)
    except OverflowError:
        return sys.float_info.max if value > 0 else -sys.float_info.max


def _mean(values: Sequence[float]) -> float:
    """The mean, also of numbers whose sum is beyond all floats."""
    return values[0] if len(set(values)) == 1 else mean(values)


class Results:
    """The recorded runs of an experiment. name: the file, for messages. missing: the number of runs not recorded yet."""

    def __init__(self, rows: Iterable[tuple[Task, Row | None]], about: Mapping[str, Any], name: str) -> None:
        self.about, self.name = about, name
        self.tasks: list[Task] = []
        self.rows: list[Row] = []
        self.missing = 0
        by_place: dict[tuple[Place, str], list[Row]] = {}
        for task, row in rows:
            if row is None:
                self.missing += 1
                continue
            self.tasks.append(task)
            self.rows.append({**row, "seed": task.seed})
            by_place.setdefault(((task.problem, task.number), task.configuration), []).append(self.rows[-1])
        if not self.rows:
            raise InputError(f"no run of {name} is recorded yet; run the experiment first")
        self.cells = {key: Cell(found) for key, found in by_place.items()}
        self.configurations = list(dict.fromkeys(task.configuration for task in self.tasks))
        self.problems = list(dict.fromkeys(task.problem for task in self.tasks))
        self.places: list[Place] = list(dict.fromkeys((task.problem, task.number) for task in self.tasks))

    @classmethod
    def read(cls, ledger: str | Path) -> Results:
        """The results in a ledger. Raises InputError if there are none."""
        with Ledger(ledger) as book:
            return cls(book.rows(), book.about(), str(ledger))

    @cached_property
    def task_of(self) -> Mapping[Place, Task]:
        """A task of each instance."""
        return {(task.problem, task.number): task for task in reversed(self.tasks)}

    @property
    def runs(self) -> list[tuple[Task, Row]]:
        """The runs with their tasks, in the order of the spec."""
        return list(zip(self.tasks, self.rows, strict=True))

    def checked(self, configuration: str) -> str:
        """The name of a configuration. Raises UnknownNameError if there is none with this name."""
        if configuration not in self.configurations:
            raise UnknownNameError("configuration", configuration, self.configurations)
        return configuration

    def baseline(self) -> str:
        """The configuration that others are compared with: that of the spec, or the first one."""
        named = self.about.get("baseline")
        return named if named in self.configurations else self.configurations[0]

    def solved(self, configuration: str, problem: str | None = None) -> tuple[float, int]:
        """How many instances a configuration solved, and how many it ran on. With several seeds, a share of each."""
        cells = self._of(configuration, problem)
        return sum(cell.solved for cell in cells), len(cells)

    def found(self, configuration: str, problem: str | None = None) -> tuple[float, int]:
        """On how many instances a configuration found a solution, solved or not, and how many it ran on."""
        cells = self._of(configuration, problem)
        return sum(cell.found for cell in cells), len(cells)

    def _of(self, configuration: str, problem: str | None) -> list[Cell]:
        return [cell for (place, name), cell in self.cells.items() if name == configuration and problem in (None, place[0])]

    def of_both(self, one: str, other: str) -> list[Place]:
        """The instances on which two configurations ran."""
        return [place for place in self.places if (place, one) in self.cells and (place, other) in self.cells]

    def common(self, metric: Metric, problem: str | None = None) -> list[Place]:
        """The instances on which a metric counts for every configuration that ran on their problem."""
        return [
            place
            for place in self.places
            if problem in (None, place[0]) and all(cell.counts(metric) for cell in self._at(place))
        ]

    def _at(self, place: Place) -> list[Cell]:
        return [self.cells[place, name] for name in self.configurations if (place, name) in self.cells]

    def values(self, configuration: str, metric: Metric, places: Iterable[Place]) -> list[float]:
        """What a configuration measured on these instances, where it is known."""
        cells = (self.cells.get((place, configuration)) for place in places)
        found = (None if cell is None else cell.measure(metric) for cell in cells)
        return [value for value in found if value is not None]

    def metric(self, name: str) -> Metric:
        """A metric by name; in experiments with games, nodes are visited, not expanded."""
        if name == "expanded" and any(task.kind == GAME for task in self.tasks):
            words = ("visits fewer nodes", "visits more nodes", "visits {} times as many nodes as")
            return Metric(name, "Nodes visited", name, "nodes", *words)
        return METRICS[name]

    def is_measured(self, metric: Metric) -> bool:
        """Whether any run that counts has a value for it."""
        return any(self.values(one, metric, self.places) for one in self.configurations)

    def errors(self) -> list[tuple[Task, str]]:
        """The runs that failed, with what went wrong."""
        return [(task, row["error"]) for task, row in self.runs if row["status"] == ERROR]


def is_solved(row: Row) -> bool:
    """Whether a run did all that its configuration promises: see this module."""
    return row["status"] in SOLVED


def geometric_mean(values: Sequence[float], least: float) -> float:
    """The geometric mean of numbers, those below `least` counted as that."""
    if len(set(values)) == 1:
        return max(values[0], least)  # exactly, which matters for the largest float
    return math.exp(fmean(math.log(max(value, least)) for value in values))

"""Answers all queries of a Moving AI scenario file and checks the published lengths; without it, each query takes a command."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from time import perf_counter
from typing import TYPE_CHECKING, Any

import typer

from bestfirst.cli.exit_codes import ExitCode
from bestfirst.cli.json_output import print_json
from bestfirst.cli.live import LiveLine
from bestfirst.cli.report import duration, number
from bestfirst.domains.grid_map.files import Scenario
from bestfirst.domains.grid_map.problem import GridMap
from bestfirst.domains.grid_map.terrain import FREE
from bestfirst.errors import InputError
from bestfirst.makers import Given, Kind, flag, maker_named
from bestfirst.solution import Limits, Solution, Status
from bestfirst.solve_many import solve_many
from bestfirst.system.gc_tuning import spare_what_is_loaded

if TYPE_CHECKING:
    from bestfirst.domains.grid_map.jump_points import JumpPoints

AT_ONCE = 100
"""The number of queries whose paths are in memory together."""
_RULES = ("neighbours", "corners", "weights", "passable", "wrap")


def scenario_file(
    domain: str, instance: str | None, given: Given, scenarios: Path | None, *, json_lines: bool
) -> Path | None:
    """The scenario file that a command line asks to answer as a whole; None if it asks for one instance.

    Raises InputError for options that do not fit together.
    """
    if scenarios is None and not json_lines:
        return None
    named = instance is not None and instance.lower().endswith(".scen")
    option = "--scenarios" if scenarios is not None else "--json-lines"
    if maker_named(domain, Kind.PROBLEM).of is not GridMap:
        raise InputError(f"{option} is for queries on a grid-map, but the problem is {domain}; omit {option}")
    for name in ("start", "goal", "number"):
        if name in given:
            raise InputError(
                f"{flag(name)} selects one query, but {option} answers all queries of a scenario file; omit one of the two"
            )
    if scenarios is None and not named:
        raise InputError("--json-lines prints the queries of a scenario file; name the file with --scenarios FILE.scen")
    if scenarios is not None and instance is not None and named:
        raise InputError(f"with --scenarios, the instance must be a map; omit {instance!r}, or write the path of a map")
    if scenarios is not None and instance is not None and "maps" in given:
        raise InputError(f"--maps names a directory of maps, but the map is given as {instance!r}; omit one of the two")
    return Path(instance or "") if scenarios is None else scenarios


@dataclass
class Answers:
    """The answers to the queries of a file, as they come.

    is_published: whether the file gives the lengths under these rules. is_late: whether the time for all queries is over.
    """

    asked: int
    is_published: bool
    started: float = field(default_factory=perf_counter)
    seconds: float = 0.0
    solved: int = 0
    expanded: int = 0
    is_late: bool = False
    wrong: list[str] = field(default_factory=list)
    statuses: list[Status] = field(default_factory=list)

    def add(self, scenario: Scenario, solution: Solution) -> bool | None:
        """Count an answer. Returns whether its length is the published one; None if that cannot be said."""
        self.statuses.append(solution.status)
        self.solved += solution.found
        self.expanded += solution.stats.expanded
        self.seconds = perf_counter() - self.started
        agrees = self._agrees(scenario, solution)
        if agrees is False:
            self.wrong.append(_fault(scenario, solution))
        return agrees

    def _agrees(self, scenario: Scenario, solution: Solution) -> bool | None:
        if not self.is_published:
            return None
        if solution.cost is None:
            return False if solution.status is Status.UNSOLVABLE else None
        is_lower = solution.cost < scenario.optimal - scenario.rounding
        if solution.status is not Status.OPTIMAL and not is_lower:
            return None
        return abs(solution.cost - scenario.optimal) <= scenario.rounding

    @property
    def stopped(self) -> Status | None:
        """What ended the command before all queries were answered; None if nothing did."""
        if Status.INTERRUPTED in self.statuses:
            return Status.INTERRUPTED
        if Status.LIMIT in self.statuses:
            return Status.LIMIT
        if len(self.statuses) == self.asked:
            return None
        return Status.LIMIT if self.is_late else Status.INTERRUPTED

    def exit_code(self) -> ExitCode:
        """Interrupted is worst, then a limit, a wrong length, no path, solved."""
        if self.stopped is not None:
            return ExitCode.INTERRUPTED if self.stopped is Status.INTERRUPTED else ExitCode.LIMIT
        if self.wrong or Status.FAILED in self.statuses:
            return ExitCode.BAD_INPUT
        return ExitCode.UNSOLVABLE if Status.UNSOLVABLE in self.statuses else ExitCode.SOLVED

    def summary(self) -> str:
        """The counts, a line for each."""
        answered = sum(status not in (Status.INTERRUPTED, Status.LIMIT) for status in self.statuses)
        rate = f" ({answered / self.seconds:,.0f} per second)" if self.seconds else ""
        without = self.statuses.count(Status.UNSOLVABLE)
        lines = [
            ("queries", f"{self.asked:,}" + f", {answered:,} answered ({self.stopped})" * (self.stopped is not None)),
            ("solved", f"{self.solved:,}"),
            *([("no path", f"{without:,}")] if without else []),
            (
                "wrong length",
                f"{len(self.wrong):,}" if self.is_published else "not checked: published for the default rules",
            ),
            ("expanded", f"{self.expanded:,}"),
            ("time", f"{duration(self.seconds)}{rate}"),
        ]
        return "\n".join(f"{name:<14}{value}" for name, value in lines)


def answer_scenarios(
    file: Path,
    instance: str | None,
    given: Given,
    *,
    limits: Limits,
    seconds: float | None,
    json_lines: bool,
    **arguments: Any,
) -> ExitCode:
    """Answer the queries of a file: print a JSON object for each, or the wrong ones, and a summary.

    instance: the map, or the file itself. limits: of each query. seconds: of all together. arguments: those of solve_many().
    """
    rules = GridMap.rules_written(**{name: given[name] for name in _RULES if name in given})
    own_map = None if instance is None or instance.lower().endswith(".scen") else instance
    queries = list(GridMap.scenarios(file, maps=own_map or given.get("maps"), **rules))
    if not queries:
        raise InputError(f"{file} has no scenarios; write one on a line below 'version 1'")
    answers = Answers(len(queries), is_published=_are_default(rules))

    def tell(solution: Solution) -> None:
        place = len(answers.statuses)
        scenario = queries[place][1]
        agrees = answers.add(scenario, solution)
        if json_lines:
            about = {
                "scenario": _about(place + 1, scenario),
                "agrees": agrees,
                "difference": _difference(scenario, solution),
            }
            found = {**about, **solution.to_dict()}
            print_json("solve", found, given, problem=GridMap.name(), instance=str(file))
        elif agrees is False:
            typer.echo(answers.wrong[-1])
        live.update_queries(place + 1, len(queries))
        spare_what_is_loaded()

    with LiveLine() as live, suppress(KeyboardInterrupt):  # what is done is summed up
        grids = [grid.with_jumps_written(given.get("jump_points", "no")) for grid, _ in queries]
        _answer_all(grids, limits, seconds, answers, tell, **arguments)
    typer.echo(answers.summary(), err=json_lines)
    return answers.exit_code()


def _answer_all(
    grids: Sequence[GridMap | JumpPoints],
    limits: Limits,
    seconds: float | None,
    answers: Answers,
    tell: Callable[[Solution], None],
    **arguments: Any,
) -> None:
    if arguments.get("on") is not None:
        for solution in solve_many(grids, limits=limits, seconds=seconds, **arguments):
            tell(solution)
    else:
        _answer_in_turn(grids, limits, seconds, answers, progress=tell, **arguments)
    answers.is_late = seconds is not None and perf_counter() - answers.started >= seconds


def _answer_in_turn(
    grids: Sequence[GridMap | JumpPoints], limits: Limits, seconds: float | None, answers: Answers, **arguments: Any
) -> None:
    """Solve some problems at a time, so that the paths of the others need no memory."""
    for first in range(0, len(grids), AT_ONCE):
        some = grids[first : first + AT_ONCE]
        left = None if seconds is None else max(0.0, seconds - (perf_counter() - answers.started))
        solve_many(some, limits=limits, seconds=left, **arguments)
        if len(answers.statuses) < first + len(some) or Status.INTERRUPTED in answers.statuses[-1:]:
            break


def _are_default(rules: Mapping[str, Any]) -> bool:
    """Whether a grid has the rules for which lengths are published."""
    has_usual_cells = rules["passable"] is None or set(rules["passable"]) == set(FREE)
    is_plain = rules["weights"] is None and not rules["wrap"] and rules["corners"] == "never"
    return is_plain and has_usual_cells and rules["neighbours"] == 8


def _about(place: int, scenario: Scenario) -> dict[str, Any]:
    """The scenario as JSON; its number is counted from 1, as --number has it."""
    return {
        "number": place,
        "map": str(scenario.map),
        "bucket": scenario.bucket,
        "start": "{},{}".format(*scenario.start),
        "goal": "{},{}".format(*scenario.goal),
        "length": scenario.optimal,
    }


def _difference(scenario: Scenario, solution: Solution) -> float | None:
    return None if solution.cost is None else solution.cost - scenario.optimal


def _fault(scenario: Scenario, solution: Solution) -> str:
    """What is wrong about the published length of a scenario."""
    published = f"the file gives the length {scenario.optimal:.10g}"
    if solution.cost is None:
        return f"{scenario.where}no path exists, but {published}"
    difference = solution.cost - scenario.optimal
    return f"{scenario.where}the cheapest path costs {number(solution.cost)}, but {published} (difference {difference:+.6g})"

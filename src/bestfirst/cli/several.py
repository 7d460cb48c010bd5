"""Prints several solutions: the cheapest path to each of the nearest goals, or the cheapest solutions; solve alone shows one."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass
from itertools import islice
from typing import Any

from rich.console import Console
from rich.text import Text

from bestfirst.best_solutions import Solutions, solutions
from bestfirst.cli import report
from bestfirst.cli.consoles import console
from bestfirst.cli.exit_codes import ExitCode
from bestfirst.cli.json_output import print_json
from bestfirst.errors import InputError, shown
from bestfirst.makers import Given
from bestfirst.problem import Problem
from bestfirst.several_goals import nearest_goals
from bestfirst.solution import Solution
from bestfirst.written import text_of

ALL = "all"
AT_MOST, INTERRUPTED = "at_most", "interrupted"
MOST_DIGITS = 18


@dataclass(frozen=True)
class Several:
    """What is found several times. option: that asks for it. thing, superlative: how an output names it.
    no_others, none: the outcome if all were found, and if there are none. find: what finds it.
    """

    option: str
    thing: str
    superlative: str
    no_others: str
    none: str
    find: Callable[..., Solutions[Any, Any]]

    def most(self, text: str) -> int | None:
        """The number that the option asks for; None for all. Raises InputError for another text."""
        if text.lower() == ALL:
            return None
        if not text.isdecimal() or not text.strip("0"):
            raise InputError(f"{self.option} is {shown(text)}; use a number of {self.thing}s, at least 1, or {ALL}")
        return None if len(text.lstrip("0")) > MOST_DIGITS else int(text)  # no problem has so many

    def show(
        self, problem: Problem, asked: str, given: Given, text: str | None, *, as_json: bool, **arguments: Any
    ) -> ExitCode:
        """Print the solutions as they are found, or one JSON object. asked: how many. arguments: those of `find`."""
        most = self.most(asked)
        found = self.find(problem, **arguments)
        shown = console()
        all_found = []
        for solution in islice(found, most):
            all_found.append(solution)
            if not as_json:
                self._show_one(shown, solution, len(all_found))
        count = len(all_found)
        if as_json:
            fields = {
                "solutions": [solution.to_dict() for solution in all_found],
                "limit": found.limit,
                "stats": asdict(found.stats),
            }
            print_json("solve", fields, given, problem=text_of(problem, "name"), instance=text)
        else:
            outcome = self._outcome(count, most, found.limit, arguments["at_most"])
            shown.print(Text(outcome), style="bold", soft_wrap=True)
            report.show_statistics(shown, report.statistics(found.algorithm, found.heuristic, found.stats))
        return exit_code_for(count, found.limit)

    def _show_one(self, shown: Console, solution: Solution, number: int) -> None:
        goal = f" {text_of(solution.problem, 'format', solution.states[-1])}," if self is GOALS else ""
        cost = f"cost {report.number(solution.cost)} in {report.count(len(solution), 'action')}"
        shown.print(Text(f"{self.thing} {number}:{goal} {cost}"), style="bold", soft_wrap=True)
        report.show_path(shown, solution)

    def _outcome(self, count: int, most: int | None, limit: str | None, at_most: float) -> str:
        found = report.count(count, self.thing)
        if limit == INTERRUPTED:
            return f"interrupted: {found} found so far"
        if limit == AT_MOST:
            return f"found {found}; all others cost more than {report.number(at_most)}"
        if limit is not None:
            return f"stopped by the limit on {limit}: {found} found so far"
        if count == most:
            return (
                f"found the {self.superlative} {self.thing}"
                if count == 1
                else f"found the {count} {self.superlative} {self.thing}s"
            )
        return f"found {found}; {self.no_others}" if count else self.none


def refuse_options(of: str, given: Mapping[str, Any]) -> None:
    """Raise InputError if an option that another one does not support is given. given: the options by their parameters."""
    for name, value in given.items():
        if value is not None and value is not False:
            option = f"--{name.replace('_', '-')}"
            raise InputError(f"{of} does not support {option}; omit {option}")


GOALS = Several(
    "--nearest-goals",
    "goal",
    "nearest",
    "no others can be reached",
    "no solution exists: no goal can be reached",
    nearest_goals,
)
SOLUTIONS = Several(
    "--solutions", "solution", "cheapest", "there are no others", "no solution exists: no goal can be reached", solutions
)


def exit_code_for(count: int, limit: str | None) -> ExitCode:
    """The exit code for some solutions and what ended the search."""
    if limit == INTERRUPTED:
        return ExitCode.INTERRUPTED
    if limit is not None and not (limit == AT_MOST and count):
        return ExitCode.LIMIT
    return ExitCode.SOLVED if count else ExitCode.UNSOLVABLE

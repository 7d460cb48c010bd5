"""The cheapest path to each of several goals, nearest first; without it, solve shows the way to the nearest goal only."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict
from itertools import islice
from typing import Any

from rich.console import Console
from rich.text import Text

from bestfirst.cli import report
from bestfirst.cli.exit_codes import ExitCode
from bestfirst.cli.json_output import print_json
from bestfirst.errors import InputError, shown
from bestfirst.makers import Given
from bestfirst.problem import Problem
from bestfirst.several_goals import nearest_goals
from bestfirst.solution import Solution
from bestfirst.written import text_of

ALL = "all"
OPTION = "--nearest-goals"
AT_MOST, INTERRUPTED = "at_most", "interrupted"
MOST_DIGITS = 18


def most_goals(text: str) -> int | None:
    """The number of goals that the option asks for; None for all. Raises InputError for another text."""
    if text.lower() == ALL:
        return None
    if not text.isdecimal() or not text.strip("0"):
        raise InputError(f"{OPTION} is {shown(text)}; use the number of goals, 1 or more, or {ALL}")
    return None if len(text.lstrip("0")) > MOST_DIGITS else int(text)  # no problem has so many goals


def refuse_options(given: Mapping[str, Any]) -> None:
    """Raise InputError if an option that this search does not support is given. given: the options by their parameters."""
    for name, value in given.items():
        if value is not None and value is not False:
            option = f"--{name.replace('_', '-')}"
            raise InputError(f"{OPTION} does not support {option}; omit {option}")


def show_nearest(
    problem: Problem, most: int | None, given: Given, text: str | None, *, as_json: bool, **arguments: Any
) -> ExitCode:
    """Print the solutions for the nearest goals as they are found, or one JSON object.

    most: how many; None for all. arguments: those of nearest_goals().
    """
    found = nearest_goals(problem, **arguments)
    console = Console(highlight=False)
    solutions = []
    for solution in islice(found, most):
        solutions.append(solution)
        if not as_json:
            _show(console, solution, len(solutions))
    if as_json:
        fields = {
            "solutions": [solution.to_dict() for solution in solutions],
            "limit": found.limit,
            "stats": asdict(found.stats),
        }
        print_json("solve", fields, given, problem=text_of(problem, "name"), instance=text)
    else:
        outcome = _outcome(len(solutions), most, found.limit, arguments["at_most"])
        console.print(Text(outcome), style="bold", soft_wrap=True)
        for name, value in report.statistics(found.algorithm, found.heuristic, found.stats):
            console.print(f"{name:<13}{value}", markup=False, soft_wrap=True)
    return exit_code_for(len(solutions), found.limit)


def _show(console: Console, solution: Solution, number: int) -> None:
    goal = text_of(solution.problem, "format", solution.states[-1])
    cost = f"cost {report.number(solution.cost)} in {report.count(len(solution), 'action')}"
    console.print(Text(f"goal {number}: {goal}, {cost}"), style="bold", soft_wrap=True)
    report.show_path(console, solution)


def _outcome(count: int, most: int | None, limit: str | None, at_most: float) -> str:
    goals = report.count(count, "goal")
    if limit == INTERRUPTED:
        return f"interrupted: {goals} found so far"
    if limit == AT_MOST:
        return f"found {goals}; all others cost more than {report.number(at_most)}"
    if limit is not None:
        return f"stopped by the limit on {limit}: {goals} found so far"
    if count == most:
        return f"found the {count} nearest goals" if count > 1 else "found the nearest goal"
    return f"found {goals}; no others can be reached" if count else "no solution exists: no goal can be reached"


def exit_code_for(count: int, limit: str | None) -> ExitCode:
    """The exit code for some goals and what ended the search."""
    if limit == INTERRUPTED:
        return ExitCode.INTERRUPTED
    if limit is not None and not (limit == AT_MOST and count):
        return ExitCode.LIMIT
    return ExitCode.SOLVED if count else ExitCode.UNSOLVABLE

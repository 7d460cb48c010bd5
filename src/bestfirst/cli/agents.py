"""Prints paths for many agents, found by a method of solve_agents(): solve alone searches for all agents together."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from rich.text import Text

from bestfirst.cli.consoles import console
from bestfirst.cli.exit_codes import ExitCode, exit_code_of
from bestfirst.cli.json_output import print_json
from bestfirst.cli.report import PICTURE, TABLE, number, write_result
from bestfirst.errors import InputError
from bestfirst.makers import Given
from bestfirst.problem import Problem
from bestfirst.solution import Limits, Status
from bestfirst.written import text_of

if TYPE_CHECKING:
    from bestfirst.models.agent_paths import AgentPaths


def show_agents(
    problem: Problem, method: str, given: Given, text: str | None, limits: Limits, output: Path | None, *, as_json: bool
) -> ExitCode:
    """Print the paths, or one JSON object, and write them to a .csv or .svg file. Raises InputError for another problem."""
    from bestfirst.models.multi_agent import MultiAgent  # noqa: PLC0415  (most commands need no models)
    from bestfirst.models.solve_agents import solve_agents  # noqa: PLC0415

    if not isinstance(problem, MultiAgent):
        raise InputError(f"--method is for multi-agent, but the problem is {text_of(problem, 'name')}; use --algorithm")
    if output is not None and output.suffix.lower() not in (TABLE, PICTURE):
        raise InputError(f"--output is {str(output)!r}; with --method, give a file whose name ends in .csv or .svg")
    paths = solve_agents(problem, method, limits=limits)
    if output is not None and paths.found:
        write_result(output, paths)
    if as_json:
        print_json("solve", _fields(paths, method), given, problem=problem.name(), instance=text)
    else:
        shown = console()
        for name, path in zip(paths.names, paths.paths, strict=False):
            shown.print(Text(f"{name}: {' '.join(f'{x},{y}' for x, y in path)}"), soft_wrap=True)
        shown.print(Text(_verdict(paths)), style="bold", soft_wrap=True)
    return exit_code_of(paths.status)


def _fields(paths: AgentPaths, method: str) -> dict[str, object]:
    return {
        "method": method,
        "status": str(paths.status),
        "cost": paths.cost,
        "lower_bound": paths.lower_bound,
        "makespan": paths.makespan,
        "agents": [str(name) for name in paths.names],
        "costs": paths.costs,
        "paths": paths.paths,
        "limit": paths.limit,
        "reason": paths.reason,
    }


def _verdict(paths: AgentPaths) -> str:
    at_least = f"; no solution costs less than {number(paths.lower_bound)}"
    if paths.found:
        return f"solved: cost {paths.cost}, last arrival at time {paths.makespan}, optimal (proved)"
    if paths.status is Status.UNSOLVABLE:
        return f"no solution exists: {paths.reason or 'all constraints were examined'}"
    if paths.status is Status.INTERRUPTED:
        return "interrupted: no solution found so far" + at_least
    return f"stopped by the limit on {paths.limit}: no solution found so far" + at_least

"""Prints solutions and statistics for people."""

from __future__ import annotations

from collections.abc import Iterable
from functools import partial
from itertools import zip_longest
from pathlib import Path
from typing import Any

from rich import box
from rich.console import Console
from rich.table import Table
from rich.text import Text

from bestfirst.cli.own_watch import last_words
from bestfirst.enumerated import Enumeration
from bestfirst.errors import counted, written_by
from bestfirst.models import is_model
from bestfirst.search.incumbent import UPPER_BOUND
from bestfirst.solution import Solution, Stats, Status
from bestfirst.system.atomic import write_atomically
from bestfirst.trace.labels import one_line, visible
from bestfirst.written import text_of

MOST_STATES_SHOWN = 100
MOST_LEVELS_SHOWN = 1000
SECONDS_TOLD = 0.1
"""Preparing a search is mentioned if it takes at least so long."""
SEPARATOR = "------"
TABLE, PICTURE = ".csv", ".svg"


def write_solution(file: Path, solution: Solution) -> None:
    """Write the result of a model as a table (.csv) or a picture (.svg); otherwise the states of the path, drawn below each other
    and separated by dashed lines.
    """
    if file.suffix.lower() in (TABLE, PICTURE) and is_model(solution.problem):
        write_result(file, solution.problem.result(solution))  # type: ignore[attr-defined]
        return
    boards = [text_of(solution.problem, "draw", state) for state in solution.states]
    write_atomically(file, f"\n{SEPARATOR}\n".join(boards) + "\n")


def write_result(file: Path, result: Any) -> None:
    """Write the result of a model as a table (.csv) or a picture (.svg)."""
    if file.suffix.lower() == TABLE:
        result.to_csv(file)
    else:
        write_atomically(file, result.picture())


def write_plan(file: Path, solution: Solution) -> None:
    """Write the plan of a planning task in the format of the International Planning Competition."""
    from bestfirst.planning.plan_files import plan_text, verify_plan  # noqa: PLC0415  (most commands need no tasks)
    from bestfirst.planning.task import Task  # noqa: PLC0415

    assert isinstance(solution.problem, Task)
    write_atomically(file, plan_text(verify_plan(solution.actions, solution.problem), solution.problem))


def show(console: Console, solution: Solution) -> None:
    """Print the path, the verdict, and the statistics of the search.

    Raises the error of a problem whose states or actions cannot be drawn, after everything else is printed.
    """
    try:
        if solution.found:
            with last_words(partial(show_result, console, solution)):
                show_path(console, solution)
    except BaseException:  # Ctrl-C, and the end of a method that does not return, too
        show_result(console, solution)  # first, since a second Ctrl-C may end the rest
        console.print(Text(f"actions: {', '.join(one_line(written_by(repr, action)) for action in solution.actions)}"))
        raise
    show_result(console, solution)


def show_result(console: Console, solution: Solution) -> None:
    """Print the verdict, the warnings, and the statistics of the search."""
    console.print(verdict(solution), style="bold", soft_wrap=True)
    for warning in solution.warnings:
        console.print(Text(f"warning: {warning}", style="yellow"), soft_wrap=True)
    show_statistics(console, _all_statistics(solution))


def show_statistics(console: Console, lines: Iterable[tuple[str, str]]) -> None:
    """Print names and values in two columns."""
    for name, value in lines:
        console.print(Text(f"{name:<16}{value}"), soft_wrap=True)


def _all_statistics(solution: Solution) -> list[tuple[str, str]]:
    """The statistics of a search, the heuristics that it could have had, the expansions that the statistics leave out, and the
    time of preparations."""
    stats, head_start = solution.stats, solution.head_start
    algorithm, expanded, *others = statistics(solution.algorithm, solution.heuristic, stats, has_rate=not head_start)
    lines = [algorithm]
    if solution.plan is not None and solution.plan.offered:
        lines.append(("heuristic", f"none was named: name one with --heuristic ({solution.plan.offered})"))
    lines.append(expanded)
    if head_start and solution.plan is not None:
        first = solution.plan.stages[0]
        by = f"{head_start:,} by {algorithm_with(first.algorithm, first.heuristic)}"
        lines.append(("in total", f"{stats.expanded + head_start:,} expanded{_rate(stats, head_start)}, the first {by}"))
    lines += others
    if solution.preparation >= SECONDS_TOLD:
        lines.append(("preparation", f"{duration(solution.preparation)} (compiling, opening databases)"))
    return lines


def levels_table(found: Enumeration) -> Table:
    """The number of states at each number of actions."""
    table = Table("actions", "states", box=box.SIMPLE)
    for column in table.columns:
        column.justify = "right"
    levels = [(str(depth), f"{count_of_states:,}") for depth, count_of_states in enumerate(found.levels)]
    if len(levels) > MOST_LEVELS_SHOWN:  # --json gives them all
        half = MOST_LEVELS_SHOWN // 2
        levels[half:-half] = [("...", "...")]
    for row in levels:
        table.add_row(*row)
    return table


def show_path(console: Console, solution: Solution) -> None:
    """Print the states of the path with its actions, or the actions alone."""
    problem = solution.problem
    if not problem.shows_states:
        for action in solution.actions:
            console.print(Text(one_line(text_of(problem, "format_action", action))), soft_wrap=True)
        console.print()
        return
    actions = ["start", *(one_line(text_of(problem, "format_action", action)) for action in solution.actions)]
    drawn = [visible(text_of(problem, "draw", state)).split("\n") for state in solution.states]
    steps = list(zip(actions, drawn, strict=True))
    if len(steps) <= MOST_STATES_SHOWN:
        _show_steps(console, steps)
        return
    half = MOST_STATES_SHOWN // 2
    _show_steps(console, steps[:half])
    console.print(
        f"... {counted(len(steps) - 2 * half, 'state')} not shown; --output FILE writes them all ...\n", soft_wrap=True
    )
    _show_steps(console, steps[-half:])


def _show_steps(console: Console, steps: list[tuple[str, list[str]]]) -> None:
    """Print one-line drawings below each other, larger ones side by side within the width of the terminal."""
    if all(len(lines) == 1 for _, lines in steps):
        width = max(len(action) for action, _ in steps)
        for action, lines in steps:
            console.print(Text(f"{action:>{width}}  {lines[0]}"), soft_wrap=True)
        console.print()
        return
    blocks = [[action, *lines] for action, lines in steps]
    width = max(len(line) for block in blocks for line in block)
    across = max(1, (console.width + 3) // (width + 3))
    for first in range(0, len(blocks), across):
        for line in zip_longest(*blocks[first : first + across], fillvalue=""):
            console.print(Text("   ".join(f"{part:<{width}}" for part in line).rstrip()), soft_wrap=True)
        console.print()


def verdict(solution: Solution) -> Text:
    what = "profit" if solution.problem.maximise else "cost"
    found = f"{what} {number(solution.cost)} in {count(len(solution), 'action')}"
    match solution.status:
        case Status.OPTIMAL:
            proof = f"proved if {solution.condition}" if solution.condition else "proved"
            text = f"solved: {found}, optimal ({proof})"
        case Status.BOUNDED:
            text = f"solved: {found}, at most {solution.weight:g} times the cheapest (proved)"
        case Status.SOLVED:
            text = f"solved: {found}, optimality unknown" + _at_least(solution)
        case Status.UNSOLVABLE:
            text = f"no solution exists: {solution.reason or 'all reachable states were examined'}"
        case Status.LIMIT if solution.limit == UPPER_BOUND:
            text = f"no solution costs less than {solution.lower_bound:g}, the upper bound"
        case Status.LIMIT:
            text = f"stopped by the limit on {solution.limit}: " + _so_far(solution, found)
        case Status.INTERRUPTED:
            text = "interrupted: " + _so_far(solution, found)
        case Status.FAILED:
            text = f"failed: {solution.reason}"
    return Text(text)


def _so_far(solution: Solution, found: str) -> str:
    best = f"the best solution so far has {found}" if solution.found else "no solution found so far"
    return best + _at_least(solution)


def _at_least(solution: Solution) -> str:
    if solution.problem.maximise:
        return f"; no solution has more than {number(solution.upper_bound)}"
    return f"; no solution costs less than {number(solution.lower_bound)}" if solution.lower_bound > 0 else ""


def _rate(stats: Stats, head_start: int = 0) -> str:
    """The rate of a search, in parentheses; nothing if it took too little time to measure."""
    return f" ({stats.rate_after(head_start):,.0f} per second)" if stats.seconds >= 0.001 else ""


def statistics(algorithm: str, heuristic: str | None, stats: Stats, *, has_rate: bool = True) -> list[tuple[str, str]]:
    """The statistics of a search, without counters that are 0."""
    lines = [
        ("algorithm", algorithm_with(algorithm, heuristic)),
        ("expanded", f"{stats.expanded:,}" + (_rate(stats) if has_rate else "")),
        ("generated", f"{stats.generated:,}"),
    ]
    counters = {
        "duplicates": stats.duplicates,
        "reopened": stats.reopened,
        "pruned": stats.pruned,
        "iterations": len(stats.iterations),
        "peak open list": stats.peak_agenda,
    }
    lines += [(name, f"{value:,}") for name, value in counters.items() if value]
    if stats.peak_memory is not None:
        lines.append(("peak memory", f"{stats.peak_memory / 2**20:,.0f} MiB"))
    return [*lines, ("time", duration(stats.seconds))]


def algorithm_with(algorithm: str, heuristic: str | None) -> str:
    """An algorithm with its heuristic, if it has one."""
    return algorithm + (f" with {heuristic}" if heuristic else "")


def live_line(stats: Stats, head_start: int, bound: float, memory: int | None, cost: float | None = None) -> str:
    """The status of a running search, on one line. cost: that of its best solution, if it goes on after a solution."""
    parts = [f"{stats.expanded:,} expanded", f"{stats.rate_after(head_start):,.0f} per second"]
    if cost is not None:
        parts.append(f"cost {number(cost)}")
    parts.append(f"bound {number(bound)}")
    if memory is not None:
        parts.append(f"{memory / 2**20:,.0f} MiB")
    return " | ".join(parts)


def duration(seconds: float) -> str:
    """A time for people to read."""
    return f"{seconds * 1000:.3g} ms" if seconds < 1 else f"{seconds:.3g} s"


def number(value: float | None) -> str:
    """A cost for people to read."""
    if value is None:
        return "-"
    return f"{value:,}" if isinstance(value, int) else f"{value:,.10g}"


def count(amount: int, thing: str, things: str | None = None) -> str:
    """A number of things, in the singular or plural. things: the plural, if it does not end in s."""
    return f"{amount} {thing}" if amount == 1 else f"{amount} {things or f'{thing}s'}"

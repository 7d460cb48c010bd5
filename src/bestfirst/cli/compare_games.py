"""The command compare-games: how much each technique of game search saves."""

from __future__ import annotations

from statistics import fmean
from typing import Annotated

import typer
from rich.table import Table

from bestfirst.cli.class_options import takes_options
from bestfirst.cli.consoles import console
from bestfirst.cli.exit_codes import ExitCode
from bestfirst.cli.games import GameArgument
from bestfirst.cli.instances import read_game, read_position
from bestfirst.cli.json_output import print_json
from bestfirst.errors import InputError
from bestfirst.games.ladder import LADDER, Ladder, Rung, compare_techniques
from bestfirst.games.playing.specification import settings_from
from bestfirst.games.score import Score
from bestfirst.makers import Kind

DEPTH_UNLESS_GIVEN = 6
MOST_VALUES_SHOWN = 4


@takes_options(Kind.GAME)
def compare_games_command(
    given: dict[str, str],
    game: GameArgument,
    positions: Annotated[
        list[str] | None, typer.Argument(help="One or more positions, each in quotes. Default: the start.")
    ] = None,
    depth: Annotated[int | None, typer.Option("--depth", help="Search depth in plies. Default: 6.")] = None,
    solve: Annotated[bool, typer.Option("--solve", help="Search to the end of the game.")] = False,
    seconds: Annotated[
        float | None,
        typer.Option(
            "--seconds",
            help="Time limit in seconds for each search. The same limit applies separately to the compilation for each "
            "technique.",
        ),
    ] = None,
    also: Annotated[
        list[str] | None,
        typer.Option(
            "--also", help="Further settings to compare, such as method=mtdf or 'plain,killers=2'. Can be repeated."
        ),
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print a single JSON object.")] = False,
) -> None:
    """Compare minimax, alpha-beta, and each technique added to it: nodes and time on the same positions."""
    if solve and depth is not None:
        raise InputError("--solve and --depth are both given; choose one of them (--solve searches to the end of the game)")
    rules = read_game(game, given)
    ladder = compare_techniques(
        rules,
        [read_position(rules, position) for position in positions or ()],
        depth=None if solve else DEPTH_UNLESS_GIVEN if depth is None else depth,
        seconds=seconds,
        rungs={**LADDER, **{text: settings_from(text) for text in also or ()}},
    )
    if as_json:
        print_json("compare-games", ladder.to_dict(), given)
    else:
        _tell(ladder)
    if ladder.interrupted:
        raise typer.Exit(ExitCode.INTERRUPTED)
    if any(not rung.complete for rung in ladder.rungs):
        raise typer.Exit(ExitCode.LIMIT)


def _tell(ladder: Ladder) -> None:
    shown = console()
    number = len(ladder.positions)
    where = "to the end of the game" if ladder.depth is None else f"to depth {ladder.depth}"
    shown.print(f"{ladder.game.name()}, {number} position{'' if number == 1 else 's'}, {where}\n")
    table = Table(box=None, pad_edge=False)
    for name in ("technique", "nodes" if number == 1 else "mean nodes", "share", "seconds", "nodes/s", "value"):
        table.add_column(name, no_wrap=name != "value", justify="left" if name in ("technique", "value") else "right")
    first = ladder.rungs[0]
    most = fmean(first.nodes) if first.complete and first.nodes else None  # Ctrl-C may come before a position is searched
    for rung in ladder.rungs:
        table.add_row(*_cells(rung, most))
    shown.print(table)
    shown.print()
    for name, position, value, before in ladder.differences:
        shown.print(f"{name} has a different value at {position}: {value} instead of {before}")
    if not ladder.differences:
        shown.print(_same(ladder))
    if any(not rung.complete for rung in ladder.rungs):
        shown.print("> and ?: a limit stopped the search before the depth was completed")


def _same(ladder: Ladder) -> str:
    """A sentence about the values, of which no two differ."""
    if ladder.complete:
        return "every technique finds the same values"
    if not ladder.compared:
        return "no values could be compared: no position has two known values"
    number = len(ladder.positions)
    return f"all known values are the same; {ladder.compared} of {number} position{'' if number == 1 else 's'} compared"


def _cells(rung: Rung, most: float | None) -> list[str]:
    """The row of a rung. most: the mean nodes of the first rung, if it is complete."""
    if not rung.nodes:
        return [rung.name]
    nodes, seconds = fmean(rung.nodes), sum(rung.seconds)
    more = "" if rung.complete else ">"
    values = [
        "?" if value is None else str(Score(value, proven)) for value, proven in zip(rung.values, rung.proven, strict=True)
    ]
    shown = values if len(values) <= MOST_VALUES_SHOWN else [*values[:MOST_VALUES_SHOWN], "..."]
    return [
        rung.name,
        f"{more}{nodes:,.0f}",
        f"{more}{nodes / most:.1%}" if most else "?",
        f"{seconds:.3f}",
        f"{sum(rung.nodes) / seconds:,.0f}" if seconds else "",
        ", ".join(shown),
    ]

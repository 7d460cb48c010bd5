"""The commands about games: analyse, perft."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from time import perf_counter
from typing import Annotated, Any

import typer
from rich.table import Table

from bestfirst.arguments import check_whole
from bestfirst.cli.class_options import GameCommand, takes_options
from bestfirst.cli.consoles import console
from bestfirst.cli.exit_codes import ExitCode
from bestfirst.cli.instances import read_game, read_position
from bestfirst.cli.json_output import print_json
from bestfirst.games.analysis import Analysis, GameSearch, analyse
from bestfirst.games.limits import GameLimits
from bestfirst.games.notation import as_word
from bestfirst.games.perft import MOST_PLIES, perft
from bestfirst.games.playing.specification import settings_from
from bestfirst.games.tracing.files import check_game_trace_file, write_game_trace
from bestfirst.games.tracing.trace import GameTrace
from bestfirst.makers import Kind
from bestfirst.written import text_of

SECONDS_UNLESS_LIMITED = 5.0
MOST_LINES_UNLESS_GIVEN = 50
"""Cap for games with very many moves, because each line costs a search with an open window."""


class AnalyseCommand(GameCommand):
    """The command analyse, which has a limit on time without any option."""

    @staticmethod
    def limits_on_time(given: Mapping[str, Any]) -> dict[str, float | None]:
        return {"--seconds": _seconds(given["depth"], given["nodes"], given["seconds"])}


GameArgument = Annotated[
    str, typer.Argument(help="The game (see 'bestfirst list games'), or FILE.py:Class.", show_default=False)
]
PositionArgument = Annotated[
    str, typer.Argument(help="The moves played so far, or a board. Default: the start.", show_default=False)
]


def _seconds(depth: int | None, nodes: int | None, seconds: float | None) -> float | None:
    return SECONDS_UNLESS_LIMITED if depth is None and nodes is None and seconds is None else seconds


@takes_options(Kind.GAME)
def analyse_command(
    given: dict[str, str],
    game: GameArgument,
    position: PositionArgument = "",
    depth: Annotated[int | None, typer.Option("--depth", help="Search depth in plies.")] = None,
    seconds: Annotated[
        float | None, typer.Option("--seconds", help="Time limit in seconds. Default: 5, unless another limit is given.")
    ] = None,
    nodes: Annotated[int | None, typer.Option("--nodes", help="Maximum number of positions to search.")] = None,
    lines: Annotated[
        int | None, typer.Option("--lines", help="Number of moves to score exactly. Default: all, at most 50 (mtdf: 1).")
    ] = None,
    method: Annotated[
        str | None, typer.Option("--method", help="The search method: minimax, alpha-beta, pvs or mtdf. Default: pvs.")
    ] = None,
    settings: Annotated[
        str | None,
        typer.Option(
            "--settings",
            help="Switches, such as 'killers=0,table=0'; or plain (all off); or solver (search to the end of the game).",
        ),
    ] = None,
    show_trace: Annotated[
        bool, typer.Option("--trace", help="Print the search tree of the last depth, with windows, values and cuts.")
    ] = False,
    trace_file: Annotated[
        Path | None,
        typer.Option(
            "--trace-file",
            help="Write a page that shows the search step by step (.html), or the tree of the last depth: .trace.yaml "
            "(Posthoc), .dot, .svg or .txt.",
        ),
    ] = None,
    engine: Annotated[
        str | None, typer.Option("--engine", help="python or compiled. Default: the faster one that supports the search.")
    ] = None,
    threads: Annotated[int, typer.Option("--threads", help="Number of worker threads (compiled engine).")] = 1,
    as_json: Annotated[bool, typer.Option("--json", help="Print a single JSON object.")] = False,
) -> None:
    """Find the best moves in a position, with their scores relative to the side to move."""
    limits = GameLimits(seconds=_seconds(depth, nodes, seconds), nodes=nodes, depth=depth)
    if trace_file is not None:
        check_game_trace_file(trace_file)
    trace = GameTrace() if show_trace or trace_file is not None else None
    rules = read_game(game, given)
    switches = settings_from(settings or "", method).suited_to(rules)
    if lines is None:
        lines = 1 if switches.method == "mtdf" else MOST_LINES_UNLESS_GIVEN
    search = analyse(
        rules,
        read_position(rules, position),
        limits=limits,
        lines=lines,
        settings=switches,
        trace=trace,
        engine=engine,
        threads=threads,
    )
    if as_json:
        analysis = search.run()
        print_json("analyse", {**analysis.to_dict(), "pruned": analysis.stats.pruned}, given)
    else:
        analysis = _told(search, is_default=limits.seconds is not None and seconds is None)
    if trace is not None and show_trace and not as_json:
        typer.echo(f"\n{trace.text()}")
    if trace is not None and trace_file is not None:
        write_game_trace(trace_file, trace)
        if not as_json:
            typer.echo(f"wrote {trace_file}", err=True)
    if analysis.stopped == "interrupted":
        raise typer.Exit(ExitCode.INTERRUPTED)


def _told(search: GameSearch, *, is_default: bool) -> Analysis:
    """Print an analysis while it runs: the board, the best line of each depth, and all lines at the end.

    is_default: whether the time limit is the default.
    """
    shown = console()
    side = search.game.side_name(search.state)
    shown.print(text_of(search.game, "draw", search.state))
    shown.print(f"{side} to move\n" if side else "")
    for analysis in search:
        shown.print(str(analysis), soft_wrap=True)
    analysis = search.analysis
    shown.print()
    shown.print(_table(analysis))
    shown.print()
    if analysis.stats.shallow_time:
        shown.print(f"the depths before the last one took {analysis.stats.shallow_time:.0%} of the time")
    if analysis.stopped not in (None, "depth") and not search.settings.deepening:
        shown.print(_unfinished(analysis, search.limits, is_default=is_default), soft_wrap=True)
    else:
        shown.print(
            "solved: a deeper search cannot change this" if analysis.solved else f"stopped by {_stop_in_words(analysis)}"
        )
    if analysis.stats.pruned:
        shown.print(f"unsound pruning: {_pruned(analysis)}", soft_wrap=True)
    return analysis


def _pruned(analysis: Analysis) -> str:
    """How often each unsound pruning technique was used."""
    return ", ".join(
        f"{switch} {count:,} time{'' if count == 1 else 's'}" for switch, count in analysis.stats.pruned.items()
    )


def _unfinished(analysis: Analysis, limits: GameLimits, *, is_default: bool) -> str:
    """That a search to the full depth at once was stopped, and what to do."""
    aim = "solved" if limits.depth is None else f"searched to depth {limits.depth}"
    match analysis.stopped:
        case "seconds":
            told = f"not {aim} within {limits.seconds:g} s"
            told += ", the default limit: set --seconds" if is_default else ": raise --seconds"
        case "nodes":
            told = f"not {aim} within {limits.nodes:,} positions: raise --nodes"
        case _:
            told = f"not {aim} before {_stop_in_words(analysis)}"
    return f"{told}; the scores are from depth {analysis.depth} (with deepening=on, the depths in between are searched too)"


def _stop_in_words(analysis: Analysis) -> str:
    return "Ctrl-C" if analysis.stopped == "interrupted" else f"the limit on {analysis.stopped}"


def _table(analysis: Analysis) -> Table:
    table = Table(box=None, pad_edge=False)
    for name in ("move", "score", "plies"):
        table.add_column(name, no_wrap=True, justify="left" if name == "move" else "right")
    table.add_column("best play")
    for line in analysis.lines:
        move, *others = analysis.moves_as_text(line.pv)
        table.add_row(
            move,
            str(line.score),
            "" if line.plies is None else str(line.plies),
            " ".join([*map(as_word, others), *(["..."] if line.goes_on else [])]),
        )
    return table


@takes_options(Kind.GAME)
def perft_command(
    given: dict[str, str],
    game: GameArgument,
    depth: Annotated[int, typer.Argument(help="Number of plies.", min=0, show_default=False)],
    position: PositionArgument = "",
    as_json: Annotated[bool, typer.Option("--json", help="Print a single JSON object.")] = False,
) -> None:
    """Count the lines of play up to a depth, to check the rules of a game."""
    check_whole("depth", depth, 0, MOST_PLIES)
    rules = read_game(game, given)
    state = rules.parse(position)
    counted: list[dict[str, float]] = []
    interrupted = False
    try:
        for plies in range(1, depth + 1):
            started = perf_counter()
            lines = perft(rules, plies, state)
            counted.append({"plies": plies, "lines": lines, "seconds": perf_counter() - started})
            if not as_json:
                typer.echo(f"{plies:>3} {lines:>15,}   {counted[-1]['seconds']:.3g} s")
            if lines == 0:  # every game has ended
                break
    except KeyboardInterrupt:
        interrupted = True
    if as_json:
        found = {"counts": counted, "interrupted": interrupted}
        print_json("perft", found, given, game=rules.name(), position=position or text_of(rules, "format", state))
    if interrupted:
        typer.echo("interrupted", err=True)
        raise typer.Exit(ExitCode.INTERRUPTED)

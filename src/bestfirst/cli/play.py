"""The commands play and engine: a game at the terminal, and the engine with its text protocol."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from enum import StrEnum
from io import TextIOWrapper
from typing import Annotated

import typer
from rich.text import Text

from bestfirst.cli.class_options import takes_options
from bestfirst.cli.consoles import console
from bestfirst.cli.exit_codes import ExitCode
from bestfirst.cli.games import GameArgument, PositionArgument
from bestfirst.cli.instances import read_game
from bestfirst.cli.match import EngineOption
from bestfirst.games.limits import GameLimits
from bestfirst.games.notation import as_word
from bestfirst.games.playing.human import Human, picture
from bestfirst.games.playing.play import play
from bestfirst.games.playing.played import Ending, PlayedGame
from bestfirst.games.playing.player import Player
from bestfirst.games.playing.players import EnginePlayer
from bestfirst.games.playing.protocol import ProtocolEngine
from bestfirst.games.playing.specification import player_from
from bestfirst.makers import Kind

SIDES = {"X": "bold cyan", "O": "bold yellow"}


class Plays(StrEnum):
    """The engine's side."""

    FIRST = "first"
    SECOND = "second"
    BOTH = "both"
    NONE = "none"


@takes_options(Kind.GAME)
def play_command(
    given: dict[str, str],
    game: GameArgument,
    position: PositionArgument = "",
    engine_plays: Annotated[Plays, typer.Option("--engine-plays", help="The engine's side.")] = (Plays.SECOND),
    seconds: Annotated[float, typer.Option("--seconds", help="The engine's time per move in seconds.")] = 1.0,
    depth: Annotated[int | None, typer.Option("--depth", help="The engine's maximum search depth in plies.")] = None,
    against: Annotated[
        str | None,
        typer.Option(
            "--against",
            help="The opponent, in place of the default engine: mcts, random, 'depth=4,killers=0', 'external: COMMAND', ...",
        ),
    ] = None,
    hint_seconds: Annotated[
        float,
        typer.Option("--hint-seconds", help="Search time in seconds for hints and the evaluation bar; 0 disables both."),
    ] = 0.3,
    engine: EngineOption = None,
) -> None:
    """Play a game at the terminal. Type a move, or: moves, hint, undo, board, resign, quit, help."""
    rules = read_game(game, given)
    start = rules.parse(position)
    limits = GameLimits(seconds=seconds, depth=depth)
    opponent = EnginePlayer(limits) if against is None else player_from(against)
    person = Human(ask=_ask, tell=_tell, limits=GameLimits(seconds=hint_seconds) if hint_seconds else None)
    first: Player = opponent if engine_plays in (Plays.FIRST, Plays.BOTH) else person
    second: Player = opponent if engine_plays in (Plays.SECOND, Plays.BOTH) else person
    try:
        played = play(rules, first, second, start=start, engine=engine, watch=_Watch((first, second), person))
    finally:
        opponent.close()
    if played.ending is Ending.RULES and person in (first, second):  # otherwise the final board has been shown already
        _tell(picture(played))
    typer.echo(f"\n{played}")
    if played.moves:
        typer.echo(f"moves: {' '.join(map(as_word, played.moves_as_text()))}")
    if played.ending is Ending.INTERRUPTED:
        raise typer.Exit(ExitCode.INTERRUPTED)


class _Watch:
    """Prints the moves of every player but the person, with the engine's scores."""

    def __init__(self, players: tuple[Player, Player], person: Player) -> None:
        self._players, self._person = players, person
        self._told = 0

    def __call__(self, played: PlayedGame) -> None:
        before, self._told = self._told, len(played.moves)
        if self._told <= before:  # a move was taken back, or the game ended without one
            return
        mover = played.movers[-2]
        player = self._players[mover]
        if player is self._person:
            return
        told = f"{played.side_of(mover)} plays {played.moves_as_text()[-1]}"
        if isinstance(player, EnginePlayer) and player.last is not None:
            told += f"   ({player.last.score}, depth {player.last.depth}, {player.last.nodes:,} nodes)"
        _tell(told)
        if self._person not in self._players:
            _tell(picture(played))


def _tell(text: str) -> None:
    """Print a string, with the pieces of boards in the colours of their sides."""
    shown = Text(text)
    for side, style in SIDES.items():
        shown.highlight_regex(rf"(?<![\w-]){side}(?![\w-])", style)
    console().print(shown, soft_wrap=True)


def _ask(prompt: str) -> str:
    """Ask for a line. Input that does not come from a terminal is echoed, so that the output shows the moves."""
    text = input(prompt)
    if not sys.stdin.isatty():
        typer.echo(text)
    return text


@takes_options(Kind.GAME)
def engine_command(given: dict[str, str], game: GameArgument, engine: EngineOption = None) -> None:
    """Let another program drive the engine: commands on standard input, answers on standard output (docs/protocol.md)."""
    rules = read_game(game, given)
    if isinstance(sys.stdin, TextIOWrapper):
        sys.stdin.reconfigure(errors="backslashreplace")  # undecodable bytes are bad input, and must not end the engine
    ProtocolEngine(rules, _answer, engine=engine).run(_lines())


def _lines() -> Iterator[str]:
    while line := sys.stdin.readline():  # unlike iteration, readline does not wait for further lines
        yield line


def _answer(line: str) -> None:
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()

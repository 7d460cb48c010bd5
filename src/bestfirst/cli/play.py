"""The commands play and engine: a game at the terminal, and the engine behind its text protocol."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from enum import StrEnum
from io import TextIOWrapper
from typing import Annotated

import typer
from rich.console import Console
from rich.text import Text

from bestfirst.cli.exit_codes import ExitCode
from bestfirst.cli.games import GameArgument, PositionArgument, read_game, takes_game_options
from bestfirst.cli.match import EngineOption
from bestfirst.games.limits import GameLimits
from bestfirst.games.playing.human import Human, picture
from bestfirst.games.playing.play import play
from bestfirst.games.playing.played import Ending, PlayedGame
from bestfirst.games.playing.player import Player
from bestfirst.games.playing.players import EnginePlayer
from bestfirst.games.playing.protocol import ProtocolEngine
from bestfirst.games.playing.specification import player_from

SIDES = {"X": "bold cyan", "O": "bold yellow"}


class Plays(StrEnum):
    """Which side the engine takes."""

    FIRST = "first"
    SECOND = "second"
    BOTH = "both"
    NONE = "none"


@takes_game_options
def play_command(
    given: dict[str, str | None],
    game: GameArgument,
    position: PositionArgument = "",
    engine_plays: Annotated[Plays, typer.Option("--engine-plays", help="Which side: who moves first, or second.")] = (
        Plays.SECOND
    ),
    seconds: Annotated[float, typer.Option("--seconds", help="How long the engine thinks about a move.")] = 1.0,
    depth: Annotated[int | None, typer.Option("--depth", help="How many plies the engine looks ahead at most.")] = None,
    against: Annotated[
        str | None,
        typer.Option("--against", help="Another opponent, such as mcts, random, 'depth=4,killers=0', 'external: COMMAND'."),
    ] = None,
    hint_seconds: Annotated[
        float, typer.Option("--hint-seconds", help="The search for hints and the evaluation bar; 0 for neither.")
    ] = 0.3,
    engine: EngineOption = None,
) -> None:
    """Play a game at the terminal. Write moves, or: moves, hint, undo, board, resign, quit, help."""
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
    if played.ending is Ending.RULES and person in (first, second):  # otherwise it has been told after each move
        _tell(picture(played))
    typer.echo(f"\n{played}")
    if played.moves:
        typer.echo(f"moves: {' '.join(played.moves_as_text())}")
    if played.ending is Ending.INTERRUPTED:
        raise typer.Exit(ExitCode.INTERRUPTED)


class _Watch:
    """Tells the moves of everyone but the person, with what the engine thinks of them."""

    def __init__(self, players: tuple[Player, Player], person: Player) -> None:
        self._players, self._person = players, person
        self._told = 0

    def __call__(self, played: PlayedGame) -> None:
        before, self._told = self._told, len(played.moves)
        if self._told <= before:  # taken back, or ended without a move
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
    """Show a text, with the stones of boards in the colours of their sides."""
    shown = Text(text)
    for side, style in SIDES.items():
        shown.highlight_regex(rf"(?<![\w-]){side}(?![\w-])", style)
    Console(highlight=False).print(shown, soft_wrap=True)


def _ask(prompt: str) -> str:
    """Ask for a line; where it does not come from a terminal, it is shown, so that what was played can be read."""
    text = input(prompt)
    if not sys.stdin.isatty():
        typer.echo(text)
    return text


@takes_game_options
def engine_command(given: dict[str, str | None], game: GameArgument, engine: EngineOption = None) -> None:
    """Be an engine for another program: commands on standard input, answers on standard output (docs/protocol.md)."""
    rules = read_game(game, given)
    if isinstance(sys.stdin, TextIOWrapper):
        sys.stdin.reconfigure(errors="backslashreplace")  # what is no text is wrong input too, and no reason to end
    ProtocolEngine(rules, _answer, engine=engine).run(_lines())


def _lines() -> Iterator[str]:
    while line := sys.stdin.readline():  # one by one, as soon as they come
        yield line


def _answer(line: str) -> None:
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()

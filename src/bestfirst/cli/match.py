"""The command match: many games between two players."""

from __future__ import annotations

from statistics import median
from typing import Annotated

import typer

from bestfirst.cli.class_options import takes_options
from bestfirst.cli.exit_codes import ExitCode
from bestfirst.cli.games import GameArgument
from bestfirst.cli.instances import read_game
from bestfirst.cli.json_output import print_json
from bestfirst.errors import PlayerError
from bestfirst.games.playing.match import Match, match
from bestfirst.games.playing.specification import player_from
from bestfirst.games.playing.sprt import Sprt
from bestfirst.makers import Kind

EngineOption = Annotated[
    str | None, typer.Option("--engine", help="python or compiled. Default: the faster one that supports the search.")
]
PLAYER = "depth=6, seconds=0.1 or nodes=1000, with any switches (killers=0); mcts; random; 'external: COMMAND'."


@takes_options(Kind.GAME)
def match_command(
    given: dict[str, str],
    game: GameArgument,
    a: Annotated[str, typer.Option("--a", help=f"A player: {PLAYER}")],
    b: Annotated[str, typer.Option("--b", help="The other player, in the same form.")],
    games: Annotated[int, typer.Option("--games", help="Maximum number of games; it must be even.")] = 100,
    opening_plies: Annotated[int, typer.Option("--opening-plies", help="Number of random plies in each opening.")] = 4,
    seed: Annotated[int, typer.Option("--seed", help="Random seed for opening selection.")] = 0,
    sprt: Annotated[bool, typer.Option("--sprt", help="Stop when the SPRT of elo0 against elo1 is decided.")] = False,
    elo0: Annotated[
        float | None, typer.Option("--elo0", help="Elo difference under the null hypothesis of the SPRT. Default: 0.")
    ] = None,
    elo1: Annotated[
        float | None, typer.Option("--elo1", help="Elo difference under the alternative hypothesis. Default: 50.")
    ] = None,
    alpha: Annotated[
        float | None, typer.Option("--alpha", help="Probability of wrongly accepting elo1. Default: 0.05.")
    ] = None,
    beta: Annotated[
        float | None, typer.Option("--beta", help="Probability of wrongly accepting elo0. Default: 0.05.")
    ] = None,
    engine: EngineOption = None,
    most_seconds: Annotated[
        float | None,
        typer.Option("--most-seconds", help="Time limit for each move in seconds; a player that exceeds it loses."),
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print a single JSON object.")] = False,
) -> None:
    """Play a match, each opening from both sides, and estimate the Elo difference."""
    rules = read_game(game, given)
    asked = {"elo0": elo0, "elo1": elo1, "alpha": alpha, "beta": beta}
    asked = {name: value for name, value in asked.items() if value is not None}
    test = Sprt(**{name: value for name, value in asked.items() if value is not None}) if sprt or asked else None
    players = player_from(a, "a" if a == b else None), player_from(b, "b" if a == b else None)
    failure: PlayerError | None = None
    try:
        result = match(
            rules,
            *players,
            games=games,
            opening_plies=opening_plies,
            seed=seed,
            sprt=test,
            engine=engine,
            most_seconds=most_seconds,
            watch=None if as_json else _tell,
        )
    except PlayerError as error:
        if error.match is None:
            raise
        result, failure = error.match, error
    finally:
        for player in players:
            player.close()
    if as_json:
        print_json("match", result.to_dict(), given)
    else:
        typer.echo(f"\n{result}" + (", interrupted" if result.stopped == "interrupted" else ""))
        if result.distinct < len(result.games):
            typer.echo(_why_identical(result, opening_plies))
    if failure is not None:
        raise failure
    if result.stopped == "interrupted":
        raise typer.Exit(ExitCode.INTERRUPTED)


def _why_identical(result: Match, opening_plies: int) -> str:
    """Why some games are identical, and what to change."""
    begun = [played.start for played in result.games[::2]]
    if len(set(begun)) < len(begun):
        return "some openings are repeated; raise --opening-plies for more variety"
    told = "from some openings, both games are identical"
    if median(len(played.moves) for played in result.games) <= opening_plies:
        return f"{told}, and most games are short; lower --opening-plies to leave more moves to the players"
    return f"{told}: there the players choose the same moves"


def _tell(result: Match) -> None:
    """Print a line for the last game, with the standing after each pair of games."""
    played, number = result.games[-1], len(result.games)
    begun = "a - b" if number % 2 else "b - a"
    so_far = f"+{result.wins} ={result.draws} -{result.losses}"
    line = f"{number:>4}  {begun} {played.result:<7}  {len(played.moves):>3} moves   {so_far}"
    if number % 2 == 0:
        line += f"   Elo {result.elo}"
        if result.sprt is not None:
            line += f"   LLR {result.log_likelihood_ratio:+.2f}"
    typer.echo(line)
    if played.fault:
        typer.echo(f"      {played.fault}")

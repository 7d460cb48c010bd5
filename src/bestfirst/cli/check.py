"""The command check: whether the code of a domain or a game keeps its contract, interpreted and compiled."""

from __future__ import annotations

from dataclasses import asdict
from typing import Annotated

import typer

from bestfirst.check import check
from bestfirst.cli.class_options import takes_options
from bestfirst.cli.exit_codes import ExitCode
from bestfirst.cli.instances import only_instance, read_either
from bestfirst.cli.json_output import print_json
from bestfirst.domain import Domain
from bestfirst.errors import InputError
from bestfirst.games.game import Game
from bestfirst.makers import Given
from bestfirst.problem import Problem
from bestfirst.stated import check_problem, checked_domain
from bestfirst.trace.labels import visible


@takes_options(None)
def check_command(
    given: Given,
    domain_or_game: Annotated[
        str, typer.Argument(help="A domain or a game (see 'bestfirst list'), or FILE.py:Class.", show_default=False)
    ],
    instance: Annotated[
        list[str] | None, typer.Argument(help="The instance, if you check a domain.", show_default=False)
    ] = None,
    states: Annotated[int, typer.Option("--states", help="Number of states or positions to examine.")] = 200,
    seed: Annotated[int, typer.Option("--seed", help="Random seed for the walks or games.")] = 0,
    as_json: Annotated[bool, typer.Option("--json", help="Print a single JSON object.")] = False,
) -> None:
    """Test the code of a domain on random walks, or of a game on random games, both interpreted and compiled."""
    text = only_instance(domain_or_game, instance, None)
    made = read_either(domain_or_game, text, given)
    found = check(made if isinstance(made, Game) else _domain_of(made), states=states, seed=seed)
    if as_json:
        print_json("check", {"ok": found.ok, **asdict(found)}, given, instance=text)
    else:
        typer.echo(visible(str(found)))
    if not found.ok:
        raise typer.Exit(ExitCode.BAD_INPUT)


def _domain_of(problem: Problem) -> Domain:
    check_problem(problem)
    domain = checked_domain(problem)
    if domain is None:
        raise InputError(
            f"{problem.name()} does not define domain(), so there is no compiled code to check; "
            "'bestfirst audit' checks its heuristics"
        )
    return domain

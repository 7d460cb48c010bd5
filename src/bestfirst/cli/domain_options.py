"""The options of domains on the command line: stated once, and taken by every command that reads an instance."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from functools import wraps
from typing import Annotated, Any, get_type_hints

import typer

from bestfirst.errors import InputError

OPTIONS: dict[str, Any] = {
    "goal": typer.Option("--goal", help="The goal, in the notation of the instance."),
    "to": typer.Option("--to", help="Where to go: another name of --goal."),
    "start": typer.Option("--from", help="Where to start."),
    "size": typer.Option("--size", metavar="RxC", help="Rows x columns of a board."),
    "moves": typer.Option("--moves", help="The order in which moves are tried, such as UDLR."),
    "pegs": typer.Option("--pegs", help="The number of pegs."),
    "boat": typer.Option("--boat", help="The number of seats in the boat."),
    "turnstile": typer.Option("--turnstile", help="The number of tokens in the turnstile."),
    "neighbours": typer.Option("--neighbours", help="Of a cell of a grid: 8, or 4."),
    "number": typer.Option("--number", help="Of the scenario in a file of several, from 1."),
}
"""By the name that from_text of a domain has for it."""


def takes_domain_options(command: Callable[..., None]) -> Callable[..., None]:
    """Let a command take these options; its parameter `given` gets those that were given, by name."""
    signature = inspect.signature(command)
    kept = [parameter for name, parameter in signature.parameters.items() if name != "given"]
    place = next(
        (number for number, parameter in enumerate(kept) if parameter.default is not inspect.Parameter.empty), len(kept)
    )
    options = [
        inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, default=None, annotation=Annotated[str | None, option])
        for name, option in OPTIONS.items()
    ]
    hints = get_type_hints(command, include_extras=True)

    @wraps(command)
    def run(**values: Any) -> None:
        given = {name: values.pop(name) for name in OPTIONS}
        command(given=_one_goal(given), **values)

    keywords = [
        parameter.replace(kind=inspect.Parameter.KEYWORD_ONLY, annotation=hints[parameter.name]) for parameter in kept
    ]
    parameters = [*keywords[:place], *options, *keywords[place:]]
    run.__signature__ = signature.replace(parameters=parameters)  # type: ignore[attr-defined]
    run.__annotations__ = {parameter.name: parameter.annotation for parameter in parameters}
    del run.__wrapped__  # where the annotations would be looked for
    return run


def _one_goal(given: dict[str, str | None]) -> dict[str, str | None]:
    """The options with --to taken for what it is, another name of --goal."""
    goal, to = given["goal"], given.pop("to")
    if goal is not None and to is not None:
        raise InputError("--goal and --to say the same; give one of them")
    return given | {"goal": goal if goal is not None else to}

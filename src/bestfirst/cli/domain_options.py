"""The options of domains on the command line, declared once for every command that reads an instance."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from functools import wraps
from typing import Annotated, Any, get_type_hints

import typer

from bestfirst.errors import InputError

OPTIONS: dict[str, Any] = {
    "goal": typer.Option("--goal", help="The goal, in the same notation as the instance."),
    "to": typer.Option("--to", help="Same as --goal."),
    "start": typer.Option("--from", help="The start, in the same notation as the goal."),
    "size": typer.Option("--size", metavar="RxC", help="Rows x columns of a board."),
    "moves": typer.Option("--moves", help="The order in which moves are tried, such as UDLR."),
    "pegs": typer.Option("--pegs", help="The number of pegs."),
    "boat": typer.Option("--boat", help="How many people the boat carries."),
    "turnstile": typer.Option("--turnstile", help="The number of tokens that the turnstile reverses."),
    "neighbours": typer.Option("--neighbours", help="Neighbours of a grid cell: 8 or 4."),
    "number": typer.Option("--number", help="Number of the scenario in the file, from 1."),
}
"""The options by their parameter name in from_text."""


def takes_domain_options(command: Callable[..., None]) -> Callable[..., None]:
    """Let a command take these options. Its parameter `given` receives them by name, None if not given."""
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
    del run.__wrapped__  # Typer would read the annotations there
    return run


def _one_goal(given: dict[str, str | None]) -> dict[str, str | None]:
    """The options with --to renamed to --goal, its synonym."""
    goal, to = given["goal"], given.pop("to")
    if goal is not None and to is not None:
        raise InputError("--goal and --to are both given; choose one of them")
    return given | {"goal": goal if goal is not None else to}

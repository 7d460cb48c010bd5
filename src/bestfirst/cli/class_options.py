"""The options of problems and games on the command line: those of the package, and those of the class that a command names."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import nullcontext
from enum import Enum
from functools import wraps
from typing import Annotated, Any, ClassVar, get_type_hints

import typer
from rich.markup import escape
from typer.core import TyperCommand

from bestfirst.cli.json_output import json_alone
from bestfirst.cli.own_watch import AFTER_A_SEARCH, LEAST_SECONDS, watched
from bestfirst.errors import InputError
from bestfirst.makers import Kind, Maker, flag, is_brought_or_own, maker_named
from bestfirst.own_errors import own_errors
from bestfirst.text_parameters import TextParameter, written_member

DOMAIN_OPTIONS: dict[str, Any] = {
    "goal": typer.Option(
        "--goal", help="The goal, in the same notation as the instance. Repeat it for several goals on a map."
    ),
    "to": typer.Option("--to", help="Same as --goal."),
    "start": typer.Option("--from", help="The start, in the same notation as the goal."),
    "size": typer.Option("--size", metavar="RxC", help="Size of the board: rows x columns, such as 3x4."),
    "moves": typer.Option("--moves", help="The order in which moves are tried, such as UDLR."),
    "pegs": typer.Option("--pegs", help="The number of pegs."),
    "boat": typer.Option("--boat", help="The maximum number of people in the boat."),
    "turnstile": typer.Option("--turnstile", help="The number of tokens that the turnstile reverses."),
    "neighbours": typer.Option("--neighbours", help="Number of neighbours of a grid cell: 8 or 4."),
    "distance": typer.Option(
        "--distance",
        help="Distance between cities: straight, or great-circle if their coordinates are degrees of longitude and latitude.",
    ),
    "coordinates": typer.Option(
        "--coordinates",
        metavar="FILE",
        help="The .co file with the coordinates of a .gr file. Default: the file of the same name.",
    ),
    "attribute": typer.Option("--attribute", help="The edge attribute of a .graphml file that contains the cost."),
    "corners": typer.Option(
        "--corners", help="Whether a diagonal step on a grid may cut corners: never, one (past one blocked cell) or always."
    ),
    "weights": typer.Option(
        "--weights", help="Costs of the terrain letters of a grid, such as 'S=2.5 W=4'; other letters cost 1."
    ),
    "passable": typer.Option("--passable", help="The letters of the free cells of a grid. Default: .GS"),
    "wrap": typer.Option("--wrap", help="Whether steps lead from each side of a grid to the opposite one: yes or no."),
    "jump_points": typer.Option(
        "--jump-points", help="Whether an action on a grid is a whole run of steps (jump point search): yes or no."
    ),
    "maps": typer.Option(
        "--maps", metavar="DIR", help="The directory of the maps of a .scen file. Default: the directory of that file."
    ),
    "number": typer.Option("--number", help="Number of the scenario or instance in the file, counting from 1."),
    "file": typer.Option("--file", metavar="FILE", help="The instance file of a model; the same as INSTANCE."),
    "jobs": typer.Option("--jobs", help="Number of jobs in each instance, if the file name does not contain it."),
    "vehicles": typer.Option("--vehicles", help="The maximum number of routes (vehicles)."),
    "gap": typer.Option("--gap", help="The cost of a gap in an alignment."),
    "mismatch": typer.Option("--mismatch", help="The cost of aligning two different letters."),
    "costs": typer.Option("--costs", metavar="FILE", help="A table with the cost of each pair of letters."),
    "scores": typer.Option(
        "--scores", metavar="FILE", help="A table with the similarity of each pair of letters, such as BLOSUM62."
    ),
    "named": typer.Option("--named", help="The name of an instance in a file of the OR-Library, such as ft06."),
    "agents": typer.Option("--agents", help="Number of agents to read from a .scen file. Default: all of them."),
    "objective": typer.Option("--objective", help="What a tour with time windows minimises: travel or makespan."),
}
"""The options of the domains of the package by their parameter name in from_text."""

SEVERAL_TIMES = frozenset({"goal", "to"})
"""The options that may be given several times."""

GAME_OPTIONS: dict[str, Any] = {
    "board": typer.Option("--board", metavar="WxH", help="Size of the board: width x height, such as 7x6."),
    "row": typer.Option("--row", help="Length of a winning row."),
    "heaps": typer.Option("--heaps", help="The sizes of the heaps, such as '3 4 5'."),
    "misere": typer.Option("--misere", help="Whether the player who takes the last object loses: yes or no."),
    "spiel": typer.Option("--spiel", help="Name of an OpenSpiel game, such as breakthrough."),
    "whole": typer.Option(
        "--whole", help="Whether the string of an OpenSpiel state determines the state completely: yes or no."
    ),
    "tree": typer.Option(
        "--tree",
        help="The tree as nested lists, such as '[[2,7],[1,8]]'. Estimates precede inner nodes: '[5:[2,7],3:[1,8]]'.",
    ),
}
"""The options of the games of the package by their parameter name in from_options."""

INCLUDED: Mapping[Kind | None, Mapping[str, Any]] = {
    Kind.PROBLEM: DOMAIN_OPTIONS,
    Kind.GAME: GAME_OPTIONS,
    None: {**DOMAIN_OPTIONS, **GAME_OPTIONS},
}
_CLASS = "bestfirst.class"
"""The key of the options of a user's class in the context of a command."""
_OWN = "own_"
"""The prefix of the names of these options, which no parameter of a command has."""


class _OwnOptions:
    """The options of a user's class for one command line. values: what was given, by parameter."""

    def __init__(self, maker: Maker, taken: set[str]) -> None:
        self.maker = maker
        self.values: dict[str, str] = {}
        self._flags = {name: _flags(maker, name, taken) for name in maker.options}
        self.options = _made(
            {
                _OWN + name: typer.Option(
                    *self._flags[name],
                    metavar=one.form.placeholder,
                    help=escape(_help(one, is_instance=one == maker.instance)),
                    rich_help_panel=escape(f"Options of {maker.name}"),
                )
                for name, one in maker.options.items()
            }
        )

    def take(self, parameters: dict[str, Any]) -> None:
        """Move the values out of the parameters of a command. Raises InputError if one is missing."""
        given = {name: parameters.pop(_OWN + name) for name in self.maker.options}
        self.values = {name: value for name, value in given.items() if value is not None}
        for name, one in self.maker.options.items():
            if one.is_needed and one != self.maker.instance and name not in self.values:
                raise InputError(f"{self.maker.name} needs {self._flags[name][0]}, {one.form.wants}")


class ClassCommand(TyperCommand):
    """A command whose first argument names a problem or a game: a user's class adds its options, in place of the package's."""

    kind: ClassVar[Kind | None] = None
    least_seconds: ClassVar[float] = LEAST_SECONDS

    def get_params(self, ctx: Any) -> list[Any]:
        own: _OwnOptions | None = ctx.meta.get(_CLASS)
        usual = super().get_params(ctx)
        if own is None:
            return usual
        return [*own.options, *(one for one in usual if one.name not in INCLUDED[self.kind])]

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        maker = None if ctx.resilient_parsing else self._own_maker(ctx, args)
        if maker is not None:
            with own_errors(maker.of):
                ctx.meta[_CLASS] = _OwnOptions(maker, set(_taken(ctx.find_root().command)))
        rest = super().parse_args(ctx, args)
        if maker is not None:
            ctx.meta[_CLASS].take(ctx.params)
        return rest

    def invoke(self, ctx: Any) -> Any:
        own: _OwnOptions | None = ctx.meta.get(_CLASS)
        if own is None:
            return super().invoke(ctx)
        is_json = bool(ctx.params.get("as_json"))
        with (
            own_errors(own.maker.of),
            watched(self.limits_on_time(ctx.params), self.least_seconds),
            json_alone() if is_json else nullcontext(),
        ):
            return super().invoke(ctx)

    @staticmethod
    def limits_on_time(given: Mapping[str, Any]) -> dict[str, float | None]:
        """The limits on time of a command with these parameters, by the options that set them."""
        return {"--seconds": given.get("seconds"), "--most-seconds": given.get("most_seconds")}

    def _own_maker(self, ctx: Any, args: list[str]) -> Maker | None:
        """What makes the user's class, if the first argument names one; it must precede the options of the class."""
        parser = self.make_parser(ctx)
        parser.ignore_unknown_options = True
        try:
            values, rest, _ = parser.parse_args(list(args))
        except Exception:  # a usage error, which the parser of the command will report
            return None
        arguments = [values.get(one.name) for one in self.params if one.param_type_name == "argument"]
        name = next((word for word in _words([*arguments, *rest]) if not word.startswith("-")), "")
        if not is_brought_or_own(name, self.kind):
            return None
        with json_alone() if values.get("as_json") else nullcontext():  # the file is imported, and may print
            return maker_named(name, self.kind)


class ProblemCommand(ClassCommand):
    """A command about a problem."""

    kind = Kind.PROBLEM
    least_seconds = AFTER_A_SEARCH


class GameCommand(ClassCommand):
    """A command about a game."""

    kind = Kind.GAME


def takes_options(kind: Kind | None) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """Let a command take the options of problems or games. Its parameter `given` receives the texts that are given, by name."""

    def decorate(command: Callable[..., None]) -> Callable[..., None]:
        hints = get_type_hints(command, include_extras=True)
        kept = [
            parameter.replace(kind=inspect.Parameter.KEYWORD_ONLY, annotation=hints[name])
            for name, parameter in inspect.signature(command).parameters.items()
            if name != "given"
        ]
        place = next((number for number, one in enumerate(kept) if one.default is not inspect.Parameter.empty), len(kept))
        included = [_parameter(name, option) for name, option in INCLUDED[kind].items()]
        context = inspect.Parameter("context", inspect.Parameter.KEYWORD_ONLY, annotation=typer.Context)

        @wraps(command)
        def run(context: typer.Context, **values: Any) -> None:
            given = {name: values.pop(name) for name in INCLUDED[kind]}
            own: _OwnOptions | None = context.meta.get(_CLASS)
            given = _one_goal({name: _alone(value) for name, value in given.items() if value not in (None, [])})
            command(given=given if own is None else own.values, **values)

        _sign(run, [context, *kept[:place], *included, *kept[place:]])
        del run.__wrapped__  # Typer would read the annotations there
        return run

    return decorate


def _words(values: Any) -> Iterator[str]:
    """The texts among the values of a parser, which gives lists of texts for some arguments."""
    for value in values:
        if isinstance(value, str):
            yield value
        elif isinstance(value, list | tuple):
            yield from _words(value)


def _made(options: Mapping[str, Any]) -> list[Any]:
    """Options as Typer makes them."""

    def holder(**_values: Any) -> None: ...

    _sign(holder, [_parameter(name, option) for name, option in options.items()])
    app = typer.Typer(add_completion=False)
    app.command()(holder)
    return list(typer.main.get_command(app).params)


def _parameter(name: str, option: Any) -> inspect.Parameter:
    annotation: Any = Annotated[list[str] | None, option] if name in SEVERAL_TIMES else Annotated[str | None, option]
    return inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, default=None, annotation=annotation)


def _alone(value: str | list[str]) -> str | list[str]:
    """The only text of a list, or the list."""
    return value[0] if isinstance(value, list) and len(value) == 1 else value


def _sign(function: Any, parameters: Iterable[inspect.Parameter]) -> None:
    """Give a function the parameters that Typer reads."""
    function.__signature__ = inspect.Signature(list(parameters))
    function.__annotations__ = {
        parameter.name: parameter.annotation for parameter in function.__signature__.parameters.values()
    }


def _flags(maker: Maker, name: str, taken: set[str]) -> list[str]:
    """How an option is written: prefixed with the class name if some command of bestfirst already has that option."""
    plain = [flag(name, is_own=True), *(["--from"] if name == "start" else [])]
    prefixed = f"--{maker.short_name}-{name.replace('_', '-')}"
    taken = taken | {flag(other, is_own=True) for other in maker.options if other != name and other == other.strip("_")}
    return [one for one in plain if one not in taken] or [prefixed]


def _taken(command: Any) -> Iterator[str]:
    """The options of all commands about problems or games, except those of the package's problems and games."""
    if isinstance(command, ClassCommand):
        for parameter in command.params:
            if parameter.name not in INCLUDED[command.kind]:
                yield from parameter.opts
    for below in getattr(command, "commands", {}).values():
        yield from _taken(below)
    yield "--help"


def _help(one: TextParameter, *, is_instance: bool) -> str:
    where = "Can also be given as INSTANCE. " if is_instance else ""
    if one.is_needed:
        return f"{where}{_sentence(one.form.wants)} Required."
    return f"{where}{_sentence(one.form.wants)} Default: {_text(one.default)}."


def _sentence(words: str) -> str:
    return f"{words[:1].upper()}{words[1:]}."


def _text(value: Any) -> str:
    """A default as it would be given."""
    if isinstance(value, Enum):
        return written_member(value)
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, tuple | list | set | frozenset):
        return " ".join(map(str, value)) or "none"
    return "none" if value is None else str(value) or "an empty string"


def _one_goal(given: dict[str, Any]) -> dict[str, Any]:
    """The options with --to renamed to --goal, its synonym."""
    if "goal" in given and "to" in given:
        raise InputError("--goal and --to are both given; choose one of them")
    return {"goal" if name == "to" else name: value for name, value in given.items()}


def flag_in(app: typer.Typer, maker: Maker, name: str) -> str:
    """How an option of a user's class is written on the command line."""
    return _flags(maker, name, set(_taken(typer.main.get_command(app))))[0]

"""The manual page, generated from the command's help.

python -m bestfirst.cli.man_page > man/bestfirst.1
"""

from __future__ import annotations

import inspect
import re
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from enum import Enum
from pathlib import Path
from types import NoneType, UnionType
from typing import Any, get_args, get_origin

import typer
from typer.models import OptionInfo

from bestfirst._version import __version__
from bestfirst.cli.app import app

ENVIRONMENT = {
    "BESTFIRST_CACHE": "The directory of compiled code. Default: a directory in the user's cache directory.",
    "BESTFIRST_DATA": "The directory of pattern databases. Default: a directory in the user's data directory.",
    "BESTFIRST_DEBUG": "If set, show the traceback of a bug in bestfirst or of an error in your file.",
    "NO_COLOR": "If set, print no colours.",
}
EXIT_CODES = {
    "0": "Solved.",
    "1": "No solution exists.",
    "2": "Bad input; the error says what is wrong and what to write instead.",
    "3": "A limit was reached.",
    "70": "A bug in bestfirst.",
    "130": "Interrupted by Ctrl-C; the results so far are printed.",
    "141": "The program that read the output closed the pipe.",
}


def man_page() -> str:
    """The page in the macros of man(7)."""
    return "\n".join(_lines()) + "\n"


def _lines() -> Iterator[str]:
    yield f'.TH BESTFIRST 1 "" "bestfirst {__version__}" "User Commands"'
    yield from (".SH NAME", "bestfirst \\- heuristic search")
    yield from (".SH SYNOPSIS", ".B bestfirst", ".I COMMAND", r"[\fIARGUMENTS\fR] [\fIOPTIONS\fR]")
    assert app.registered_callback is not None
    whole: Any = app.registered_callback.callback
    yield from (".SH DESCRIPTION", _prose(whole.__doc__))
    yield from _described(list(_parameters(whole)))
    yield ".SH COMMANDS"
    for name, command in _commands(app, "bestfirst"):
        parameters = list(_parameters(command))
        usage = [_text(name), *(parameter.usage for parameter in parameters if not parameter.options)]
        yield f".SS {' '.join(usage)}"
        yield _prose(command.__doc__ or "")
        yield from _described(parameters)
    yield from _listed("EXIT STATUS", EXIT_CODES)
    yield from _listed("ENVIRONMENT", ENVIRONMENT)


def _commands(group: typer.Typer, words: str) -> Iterator[tuple[str, Any]]:
    """The commands of a group and its subgroups, each with the words that call it."""
    for known in group.registered_commands:
        assert known.callback is not None
        yield f"{words} {known.name or known.callback.__name__}", known.callback
    for below in group.registered_groups:
        assert below.typer_instance is not None
        yield from _commands(below.typer_instance, f"{words} {below.name}")


@dataclass(frozen=True)
class _Parameter:
    """An argument, or an option with its names. takes: the placeholder of its value, "" for a flag."""

    name: str
    options: tuple[str, ...]
    takes: str
    help: str
    is_needed: bool
    is_many: bool

    @property
    def usage(self) -> str:
        """An argument in the usage line, in brackets if it is optional."""
        name = _text(self.name) + ("..." if self.is_many else "")
        return name if self.is_needed else f"[{name}]"

    @property
    def heading(self) -> str:
        if not self.options:
            return rf"\fI{_text(self.name)}\fR"
        names = ", ".join(rf"\fB{_text(name)}\fR" for name in self.options)
        return names + (rf" \fI{_text(self.takes)}\fR" if self.takes else "")


def _parameters(command: Callable[..., Any]) -> Iterator[_Parameter]:
    """The parameters of a command, as Typer reads them from the function."""
    for name, parameter in inspect.signature(command, eval_str=True).parameters.items():
        if parameter.annotation is typer.Context:
            continue
        kind, info = get_args(parameter.annotation)
        if isinstance(kind, UnionType):
            kind = next(one for one in get_args(kind) if one is not NoneType)
        yield _Parameter(
            name=name.upper(),
            options=(str(info.default), *(info.param_decls or ()))
            if isinstance(info, OptionInfo)
            else (),  # so in Annotated
            takes=info.metavar or _takes(kind),
            help=info.help or "",
            is_needed=parameter.default is inspect.Parameter.empty,
            is_many=get_origin(kind) is list,
        )


def _takes(kind: Any) -> str:
    """The placeholder of a value: its choices, or its type."""
    if kind is bool:
        return ""
    if isinstance(kind, type) and issubclass(kind, Enum):
        return "|".join(str(choice.value) for choice in kind)
    return {int: "INTEGER", float: "NUMBER", Path: "PATH"}.get(kind, "TEXT")


def _described(parameters: list[_Parameter]) -> Iterator[str]:
    for parameter in parameters:
        yield from (".TP", parameter.heading, _prose(parameter.help))
    yield from (".TP", r"\fB\-\-help\fR, \fB\-h\fR", "Show this help.")


def _listed(title: str, entries: dict[str, str]) -> Iterator[str]:
    yield f".SH {title}"
    for name, meaning in entries.items():
        yield from (".TP", rf"\fB{name}\fR", _prose(meaning))


def _prose(text: str) -> str:
    """A string with each paragraph on one line."""
    paragraphs = (" ".join(paragraph.split()) for paragraph in re.split(r"\n\s*\n", text.strip()))
    return "\n.sp\n".join(map(_text, paragraphs))


def _text(text: str) -> str:
    """A string with the requests and escapes of troff quoted."""
    escaped = text.replace("\\", r"\e").replace("-", r"\-")
    return rf"\&{escaped}" if escaped.startswith((".", "'")) else escaped


if __name__ == "__main__":
    sys.stdout.write(man_page())

"""The JSON objects that the commands print: first the input, then the results."""

from __future__ import annotations

import ctypes
import json
import math
import os
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, redirect_stdout
from typing import Any, TextIO

import typer

from bestfirst.makers import Given

SCHEMA = "bestfirst/1"
"""The version of all objects. It changes when a field is removed or changes its meaning, not when one is added."""


def print_json(command: str, found: Mapping[str, Any], given: Given | None = None, **about: Any) -> None:
    """Print one object on one line.

    command: such as "pdb list". about: the problem and the instance, or the game and the position.
    given: the options of the problem or the game; None if the command takes no options.
    found: the fields of the command itself.
    """
    head: dict[str, Any] = {"schema": SCHEMA, "command": command, **about}
    if given is not None:
        head["options"] = {_flag(name): value for name, value in given.items() if value is not None}
    typer.echo(_line({**head, **found}), file=_OUTPUT[-1] if _OUTPUT else None)


def _line(found: Mapping[str, Any]) -> str:
    """An object as JSON. Few have numbers that JSON lacks, and looking for them takes ten times as long as writing."""
    try:
        return json.dumps(found, allow_nan=False)
    except (TypeError, ValueError):
        return json.dumps(finite(found), allow_nan=False)


_OUTPUT: list[TextIO] = []


@contextmanager
def json_alone() -> Iterator[None]:
    """Send what a user's code prints to standard error, so that standard output has the JSON object alone.

    That includes what its C code and its child processes print.
    """
    with _own_output() as output:
        _OUTPUT.append(output)
        try:
            with redirect_stdout(sys.stderr):
                yield
        finally:
            _OUTPUT.pop()


@contextmanager
def _own_output() -> Iterator[TextIO]:
    """A stream to standard output, whose descriptor meanwhile leads to standard error."""
    try:
        number, errors = sys.stdout.fileno(), sys.stderr.fileno()
    except (AttributeError, OSError, ValueError):  # a stream without a descriptor, as in a notebook
        yield sys.stdout
        return
    sys.stdout.flush()
    copy = os.dup(number)
    os.dup2(errors, number)
    try:
        with open(copy, "w", encoding=sys.stdout.encoding, errors=sys.stdout.errors, closefd=False) as output:
            yield output
    finally:
        _flush_c()
        os.dup2(copy, number)
        os.close(copy)


def _flush_c() -> None:
    """Write what C code has printed and its library still keeps, if the system can."""
    if os.name == "posix":
        ctypes.CDLL(None).fflush(None)


def _flag(option: str) -> str:
    """The name of an option on the command line, without the dashes."""
    return {"start": "from"}.get(option, option)


def finite(value: Any) -> Any:
    """The value with None for infinite numbers and NaN, which JSON lacks."""
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    if isinstance(value, Mapping):
        return {key: finite(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [finite(item) for item in value]
    return value

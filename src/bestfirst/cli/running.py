"""Runs a command and turns its errors into messages and exit codes; without it, users would see tracebacks."""

from __future__ import annotations

import io
import os
import re
import sys
import warnings
from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import Any

import typer

from bestfirst.cli.exit_codes import ExitCode
from bestfirst.cli.kept_streams import kept_streams
from bestfirst.errors import BestfirstError, LimitError
from bestfirst.hidden_modules import same_name
from bestfirst.own_errors import OwnFileError
from bestfirst.trace.labels import one_line, visible

DEBUG = "BESTFIRST_DEBUG"
COMPLETION = "_BESTFIRST_COMPLETE"
"""The environment variable by which a shell asks for completions."""
FEWEST_COLUMNS, USUAL_COLUMNS, MOST_COLUMNS = 40, 80, 500
_ARGUMENT = re.compile(r"(?<![\w.,-])(engine|on|threads|workers|directory)=(?:'([\w-]+)'|(?<=workers=)(\d+)|(?=[;,.\s]|$))")
"""An argument that has an option of the same name, in a message: with a word, or without a value."""
_OF_ANOTHER = re.compile(r"(?<= has no option )'(\w+)'(?=; it is an option of )")
"""The option of another algorithm, in a message."""
LONGEST_WORD = 500
"""Longest word that an error message repeats in full, in characters."""


def run(arguments: list[str] | None = None, *, ready: Callable[[], None] = lambda: None) -> int:
    """Run the command with the arguments (default: those of the process), and return the exit code.

    ready: called when all modules are imported, before the command itself begins.

    No traceback is shown, unless BESTFIRST_DEBUG is set.
    """
    _open_closed_streams()
    _widen_columns()
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")
    try:
        with kept_streams(), warnings.catch_warnings():
            warnings.showwarning = _warn
            app = _app(sys.argv[1:] if arguments is None else arguments)
            if COMPLETION in os.environ:
                from bestfirst.cli import completion  # noqa: PLC0415

                command = typer.main.get_command(app)
                completion.prepare(command)
            else:
                command = _command(app)
            ready()
            command(args=arguments, prog_name="bestfirst")
    except SystemExit as end:
        if isinstance(end.__context__, BrokenPipeError):
            return _reader_gone()
        pressed = getattr(end.__context__, "__cause__", None)
        if isinstance(pressed, KeyboardInterrupt):  # interrupted outside a search
            complain(": ".join(("interrupted", *map(str, pressed.args))))
        return end.code if isinstance(end.code, int) else 0
    except BrokenPipeError:
        return _reader_gone()
    except LimitError as error:
        complain(str(error))
        return ExitCode.LIMIT
    except BestfirstError as error:
        if os.environ.get(DEBUG) and isinstance(error, OwnFileError):
            raise
        complain(str(error))
        return ExitCode.BAD_INPUT
    except KeyboardInterrupt as pressed:
        complain(": ".join(("interrupted", *map(str, pressed.args))))
        return ExitCode.INTERRUPTED
    except MemoryError:
        complain(
            "out of memory; set a limit such as --memory 2GiB, or use an algorithm that needs little memory, such as idastar"
        )
        return ExitCode.LIMIT
    except OSError as error:
        return _cannot_write(error)
    except Exception as error:
        if os.environ.get(DEBUG):
            raise
        remark = same_name(error)
        what = "a module cannot be used" if remark else "this is a bug in bestfirst"
        complain(f"{what}: {type(error).__name__}: {error}{remark} ({DEBUG}=1 shows the traceback)")
        return ExitCode.INTERNAL_ERROR
    return ExitCode.SOLVED


def _app(arguments: Sequence[str]) -> typer.Typer:
    """The commands. The studio comes without the others, whose modules would delay its page."""
    if arguments[:1] == ["studio"] and COMPLETION not in os.environ:
        from bestfirst.cli.studio import studio_app  # noqa: PLC0415

        return studio_app
    from bestfirst.cli.app import app  # noqa: PLC0415

    return app


@cache
def _command(app: typer.Typer) -> Any:
    """The commands as Typer makes them, which takes longer than many a command: once for all runs in a process."""
    return typer.main.get_command(app)


def _open_closed_streams() -> None:
    """Replace closed standard streams, for which Python has None, with the null device."""
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:
            setattr(sys, name, Path(os.devnull).open(mode, encoding="utf-8"))  # noqa: SIM115  (as long as the process lives)


def _widen_columns() -> None:
    """Make COLUMNS a readable width. Some programs set 0 if the width is unknown."""
    columns = os.environ.get("COLUMNS", "")
    if columns.isascii() and columns.isdigit():
        width = int(columns[:6])
        if not FEWEST_COLUMNS <= width <= MOST_COLUMNS:
            os.environ["COLUMNS"] = str(min(max(width, FEWEST_COLUMNS), MOST_COLUMNS) if width else USUAL_COLUMNS)


def _reader_gone() -> int:
    """End quietly once the reader of the output has stopped (| head), even while Python flushes its buffers."""
    _drop_output()
    return ExitCode.READER_GONE


def _cannot_write(error: OSError) -> int:
    """Say what the system refused. An error that names no file concerns the output, which is given up."""
    try:
        Path.cwd()
    except OSError:
        complain("the working directory no longer exists; change to another one")
        return ExitCode.BAD_INPUT
    if error.filename is None:
        _drop_output()
    what = "write the output" if error.filename is None else f"use {str(error.filename)!r}"
    complain(f"cannot {what}: {error.strerror or error}; choose another file or directory")
    return ExitCode.BAD_INPUT


def _drop_output() -> None:
    """Discard the output that is still buffered, which Python would otherwise try to write on exit."""
    with suppress(OSError):  # a stream without a descriptor
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _warn(message: Warning | str, category: type[Warning], filename: str, lineno: int, *more: Any, **others: Any) -> None:
    """Show a warning as one line, without its place in the code."""
    del category, filename, lineno, more, others
    typer.echo(f"warning: {with_options(one_line(str(message)))}", err=True)


def complain(message: str) -> None:
    typer.echo(f"error: {with_short_words(visible(with_options(message)))}", err=True)


def with_options(message: str) -> str:
    """A message with options in place of the arguments of Python functions: --engine python for engine='python'."""
    message = _OF_ANOTHER.sub(lambda found: f"--{found[1].replace('_', '-')}", message)
    return _ARGUMENT.sub(lambda found: " ".join(part for part in (f"--{found[1]}", found[2], found[3]) if part), message)


def with_short_words(message: str) -> str:
    """A message with the middle of very long words left out."""
    return re.sub(rf"\S{{{LONGEST_WORD + 1},}}", lambda word: f"{word[0][:LONGEST_WORD]}...{word[0][-1]}", message)

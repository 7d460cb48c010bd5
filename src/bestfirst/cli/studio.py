"""The command studio: the studio in the browser."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path
from typing import Annotated

import typer

from bestfirst.arguments import is_text
from bestfirst.errors import InputError

NEEDED = ("starlette", "uvicorn")

studio_app = typer.Typer(
    name="bestfirst",
    add_completion=False,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)
"""The command alone, which starts without the modules of the others: see running.py."""


@studio_app.callback()
def _bestfirst() -> None:
    """Makes the name of the command its first argument."""


@studio_app.command("studio")
def studio_command(
    own: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="[FILE]...",
            help="Your own files: FILE.py with problems or games, or FILE.md with a lesson.",
            show_default=False,
        ),
    ] = None,
    port: Annotated[
        int | None,
        typer.Option("--port", help="The port. Default: 8642, or the next free one.", min=1, max=65535, show_default=False),
    ] = None,
    host: Annotated[
        str,
        typer.Option(
            "--host",
            help="The address to listen on. An address other than the default may be reachable from other machines.",
        ),
    ] = "127.0.0.1",
    no_open: Annotated[bool, typer.Option("--no-open", help="Do not open the browser; print the address only.")] = False,
) -> None:
    """Search, play, compare and learn in the browser. Ctrl-C ends the studio."""
    try:
        from bestfirst.studio.server import serve  # noqa: PLC0415  (starlette and uvicorn are an extra)
    except ModuleNotFoundError as error:
        if error.name not in NEEDED:
            raise
        raise InputError(f"the studio needs {error.name}, which is not installed: pip install 'bestfirst[studio]'") from None
    for name in own or ():
        if not is_text(name):
            raise InputError(f"the studio cannot show {name!r}, because its name is not UTF-8; rename it, or its directory")
        if not name.endswith((".py", ".md")):
            raise InputError(f"the studio cannot show {name!r}; pass a file whose name ends in .py or .md")
        if not Path(name).is_file():
            _refuse(name)
    serve(port, host, own or [], opens=not no_open, tell=_tell)
    typer.echo("stopped", err=True)


def _tell(address: str) -> None:
    with suppress(BrokenPipeError):  # nobody reads it, but the browser opens anyway
        typer.echo(f"The studio is at {address}\nPress Ctrl-C to stop it.")


def _refuse(name: str) -> None:
    """Say that there is no such file, with the names of similar ones."""
    if name.endswith(".md"):
        raise InputError(f"there is no file {name!r}; use the path of a lesson (a Markdown file)")
    from bestfirst.own_files import load_file  # noqa: PLC0415

    load_file(name)  # says why it cannot

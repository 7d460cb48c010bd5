"""The command studio: the studio in the browser."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from bestfirst.errors import InputError
from bestfirst.own_files import load_file

NEEDED = ("starlette", "uvicorn")


def studio_command(
    own: Annotated[
        list[str] | None,
        typer.Argument(metavar="[FILE.py]...", help="Your own files, with problems or games to offer.", show_default=False),
    ] = None,
    port: Annotated[
        int | None,
        typer.Option("--port", help="The port. Default: 8642, or the next free one.", min=1, max=65535, show_default=False),
    ] = None,
    host: Annotated[
        str,
        typer.Option(
            "--host", help="The address to listen to. Any other than the default can be reached from other machines."
        ),
    ] = "127.0.0.1",
    no_open: Annotated[bool, typer.Option("--no-open", help="Do not open the browser; print the address only.")] = False,
) -> None:
    """Search, play and compare in the browser. Ctrl-C ends the studio."""
    try:
        from bestfirst.studio.server import serve  # noqa: PLC0415  (starlette and uvicorn are an extra)
    except ModuleNotFoundError as error:
        if error.name not in NEEDED:
            raise
        raise InputError(f"the studio needs {error.name}, which is not installed: pip install 'bestfirst[studio]'") from None
    for name in own or ():
        if name.endswith(".py") and not Path(name).is_file():
            load_file(name)  # says why it cannot
    serve(port, host, own or [], opens=not no_open, tell=_tell)
    typer.echo("stopped", err=True)


def _tell(address: str) -> None:
    typer.echo(f"The studio is at {address}\nPress Ctrl-C to stop it.")

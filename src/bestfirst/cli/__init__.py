"""The command `bestfirst`."""

from __future__ import annotations

import sys


def main() -> None:
    """Run the command line; the entry point of the installed command."""
    try:
        from bestfirst.cli.app import run  # noqa: PLC0415  (typer and rich are an extra)
    except ModuleNotFoundError as error:
        if error.name not in ("typer", "rich"):
            raise
        sys.exit(f'error: the command line needs {error.name}, which is not installed; pip install "bestfirst[cli]"')
    sys.exit(run())

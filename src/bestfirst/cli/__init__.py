"""The command `bestfirst`."""

from __future__ import annotations

import sys

BAD_INPUT, INTERRUPTED = 2, 130  # as in exit_codes.py, which needs more than the standard library


def main() -> None:
    """Run the command line; the entry point of the installed command."""
    try:
        from bestfirst.cli.app import run  # noqa: PLC0415  (typer and rich are an extra)

        code = run()
    except ModuleNotFoundError as error:
        if error.name not in ("typer", "rich"):
            raise
        sys.stderr.write(
            f"error: the command line needs {error.name}, which is not installed: pip install 'bestfirst[cli]'\n"
        )
        code = BAD_INPUT
    except KeyboardInterrupt:
        code = INTERRUPTED
    sys.exit(code)

"""The command `bestfirst`."""

from __future__ import annotations

import sys

from bestfirst.system.interrupt import INTERRUPTED, QuietStart
from bestfirst.system.lossy import lose_unwritable_messages

BAD_INPUT = 2  # as in exit_codes.py, which is imported later


def main() -> None:
    """Run the command line: the entry point of the installed command."""
    start = QuietStart()
    start.begin()
    lose_unwritable_messages()
    try:
        from bestfirst.cli.running import run  # noqa: PLC0415  (typer and rich are an extra)

        code = run(ready=start.over)
    except ModuleNotFoundError as error:
        if error.name not in ("typer", "rich"):
            raise
        sys.stderr.write(
            f"error: the command line needs {error.name}, which is not installed: pip install 'bestfirst[cli]'\n"
        )
        code = BAD_INPUT
    except KeyboardInterrupt:
        sys.stderr.write("error: interrupted\n")
        code = INTERRUPTED
    finally:
        start.over()
    sys.exit(code)

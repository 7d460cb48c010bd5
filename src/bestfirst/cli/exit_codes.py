"""The exit codes of the command."""

from __future__ import annotations

from enum import IntEnum

from bestfirst.solution import Status
from bestfirst.system import interrupt


class ExitCode(IntEnum):
    """The exit codes of the command."""

    SOLVED = 0
    UNSOLVABLE = 1
    BAD_INPUT = 2
    LIMIT = 3
    INTERNAL_ERROR = 70
    INTERRUPTED = interrupt.INTERRUPTED
    READER_GONE = 141


def exit_code_of(status: Status) -> ExitCode:
    """The exit code for the status of a search."""
    match status:
        case Status.UNSOLVABLE:
            return ExitCode.UNSOLVABLE
        case Status.LIMIT:
            return ExitCode.LIMIT
        case Status.INTERRUPTED:
            return ExitCode.INTERRUPTED
        case Status.FAILED:
            return ExitCode.BAD_INPUT
        case _:
            return ExitCode.SOLVED

"""The packages of the extra `experiments`: if one is missing, the error names it and the command that installs it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from bestfirst.errors import InputError


@contextmanager
def needing(package: str) -> Iterator[None]:
    """Raise InputError if a package cannot be imported in the block."""
    try:
        yield
    except ModuleNotFoundError as error:
        if (error.name or "").partition(".")[0] != package:
            raise
        raise InputError(f"this needs {package}, which is not installed: pip install 'bestfirst[experiments]'") from None

"""Imports a package that is an optional extra; if it is missing, the error says what to install."""

from __future__ import annotations

import importlib
from typing import Any

from bestfirst.errors import InputError


def imported(module: str, what: str, extra: str) -> Any:
    """A module; raises InputError, which says what to install, if it is missing."""
    try:
        return importlib.import_module(module)
    except ModuleNotFoundError as error:
        if error.name != module:
            raise
        raise InputError(
            f"{what} needs the module {module!r}, which is not installed: pip install 'bestfirst[{extra}]'"
        ) from None

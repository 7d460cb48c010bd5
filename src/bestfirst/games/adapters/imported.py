"""Imports a package that is an optional extra."""

from __future__ import annotations

import importlib
from typing import Any

from bestfirst.errors import InputError


def imported(module: str, what: str, extra: str) -> Any:
    """Import a module; raises InputError with the package to install if it is missing."""
    try:
        return importlib.import_module(module)
    except ModuleNotFoundError as error:
        if error.name != module:
            raise
        raise InputError(
            f"{what} needs the package {module!r}, which is not installed: pip install 'bestfirst[{extra}]'"
        ) from None

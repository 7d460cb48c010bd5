"""Notes of users' modules as they were imported: later, it can be told whether a file or a global has changed.

A class of a user notes its module when it is created.
"""

from __future__ import annotations

import hashlib
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType
from typing import Any

MOST_NESTED = 5
_PACKAGE = __name__.partition(".")[0]


@dataclass(frozen=True)
class Note:
    """A module as it was imported. digest: a hash of its file. constants: its globals for which is_constant() holds."""

    digest: str
    constants: Mapping[str, Any]


NOTES: dict[str, Note] = {}
"""By the names of modules, from when the last class of each was created."""


def note_module(kind: type) -> None:
    """Note the module of a class, at the creation of the class."""
    module = sys.modules.get(kind.__module__)
    digest = None if module is None or is_sent(kind) else hash_of(module)
    if module is not None and digest is not None:
        NOTES[kind.__module__] = Note(
            digest, {name: value for name, value in list(vars(module).items()) if is_constant(value)}
        )


def is_sent(kind: Any) -> bool:
    """Whether the code of a class or a function is sent to worker processes, since they could not import it."""
    return kind.__module__ == "__main__" or "<" in kind.__qualname__


def is_constant(value: Any, depth: int = 0) -> bool:
    """Whether a value is a number, a string, None, or a tuple of these, which is not nested deeply."""
    if isinstance(value, tuple):
        return depth < MOST_NESTED and all(is_constant(part, depth + 1) for part in value)
    return value is None or type(value) in (bool, int, float, complex, str, bytes)


def hash_of(module: ModuleType) -> str | None:
    """A hash of the source file of a user's module, as it is now; None for others."""
    file = getattr(module, "__file__", None)
    if not isinstance(file, str) or not file.endswith(".py") or module.__name__.partition(".")[0] == _PACKAGE:
        return None
    try:
        return hashlib.sha256(Path(file).read_bytes()).hexdigest()
    except OSError:
        return None

"""A disk on which writing fails: work in partitions must go on after it was stopped at any moment."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from bestfirst.compiled.sweeps import partitions
from bestfirst.system.atomic import write_atomically


class KilledError(Exception):
    """The process ends here."""


@contextmanager
def failing(error: Callable[[], Exception], after: int, noting: ModuleType = partitions) -> Iterator[None]:
    """Let all writing calls fail that come after so many others. noting: the module that notes finished levels."""
    calls = itertools.count()

    def counted(call: Callable[..., Any]) -> Callable[..., Any]:
        def calling(*given: Any, **named: Any) -> Any:
            if next(calls) >= after:
                raise error()
            return call(*given, **named)

        return calling

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(partitions, "_write", counted(partitions._write))
        patch.setattr(noting, "write_atomically", counted(write_atomically))
        patch.setattr(Path, "replace", counted(Path.replace))
        patch.setattr(Path, "unlink", counted(Path.unlink))
        yield

"""OwnEngine: the compiled engine of a problem that has one of its own, in place of a Domain."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping
from typing import Any, TypeAlias

CompiledDriver: TypeAlias = Any
"""A CompiledDriver (compiled/drivers/driver.py), whose module imports Problem."""


class OwnEngine(ABC):
    """What Problem.own_engine() returns."""

    @abstractmethod
    def why_not(self, algorithm: str, heuristic: str | None, options: Mapping[str, Any]) -> str | None:
        """Why it cannot run a search; None if it can. heuristic: the name of one that the problem offers, or None."""

    @abstractmethod
    def driver(self, algorithm: str, heuristic: str | None, options: Mapping[str, Any]) -> CompiledDriver:
        """The search, at its start. This compiles nothing, so that is_ready() of the engine says whether that is needed."""

    @abstractmethod
    def is_ready(self, driver: CompiledDriver) -> bool:
        """Whether a search can run without compiling anything: its code is in this process, or on disk."""

    @abstractmethod
    def prepare(self, driver: CompiledDriver) -> None:
        """Compile the code for a search."""

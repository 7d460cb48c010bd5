"""A stand-in for the compiler that takes as long as a test wants."""

from __future__ import annotations

from threading import Event
from typing import ClassVar

import pytest

from bestfirst.compiled.drivers.alpha_beta import CompiledAlphaBeta
from bestfirst.games.engine import engine_choice

SLOWEST = 60.0
"""Seconds in which a compiler is stopped, or comes to its end, on the busiest machine."""


class SlowCompiler:
    """Compiles nothing, from make_ready() on until it is let go or some seconds have passed."""

    _made: ClassVar[list[SlowCompiler]] = []

    def __init__(self, patch: pytest.MonkeyPatch, *, seconds: float = SLOWEST, error: Exception | None = None) -> None:
        self.calls, self.let_go, self._is_done = 0, Event(), False
        self._seconds, self._error = seconds, error
        self._made.append(self)
        patch.setattr(engine_choice, "_COMPILING", {})
        patch.setattr(CompiledAlphaBeta, "make_ready", lambda _: self._compile())
        patch.setattr(CompiledAlphaBeta, "is_at_hand", lambda _: self._is_done)

    @classmethod
    def let_all_go(cls) -> None:
        """At the end of a test: the next one does not wait for the threads of this one."""
        while cls._made:
            cls._made.pop().let_go.set()

    def _compile(self) -> None:
        self.calls += 1
        self.let_go.wait(self._seconds)
        if self._error is not None:
            raise self._error
        self._is_done = True

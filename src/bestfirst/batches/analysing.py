"""To analyse each position of a batch: what a worker does, and the Analysis of a position without one."""

from __future__ import annotations

from dataclasses import dataclass, replace
from math import inf
from typing import Any

from bestfirst.batches.work import Failure
from bestfirst.games.analysis import Analysis, analyse
from bestfirst.games.engine.settings import Settings
from bestfirst.games.game import Game
from bestfirst.games.limits import GameLimits
from bestfirst.games.stats import GameStats


@dataclass
class Analysing:
    """Analyse positions of a game by analyse() with these arguments."""

    game: Game
    limits: GameLimits
    lines: int | None
    settings: Settings | None
    engine: str | None
    threads: int

    memory = None

    @property
    def seconds(self) -> float | None:
        return None if self.limits.seconds == inf else self.limits.seconds

    def check(self, item: Any) -> None:
        analyse(self.game, item, limits=GameLimits(seconds=0), lines=self.lines, settings=self.settings)

    def do(self, item: Any, seconds: float | None) -> Analysis:
        limits = self.limits
        if seconds is not None:
            limits = replace(limits, seconds=min(seconds, inf if limits.seconds is None else limits.seconds))
        return analyse(
            self.game,
            item,
            limits=limits,
            lines=self.lines,
            settings=self.settings,
            engine=self.engine,
            threads=self.threads,
        ).run()

    def known(self, item: Any) -> tuple[Any, ...]:
        return item, self.game

    def fault(self, item: Any, result: Analysis) -> str | None:
        del item, result  # whether values are right shows only another search
        return None

    def is_interrupted(self, result: Any) -> bool:
        return bool(result.stopped == "interrupted")

    def failed(self, item: Any, failure: Failure) -> Analysis:
        given = str(item)
        stopped = failure.limit or "failed"
        return Analysis(self.game, item, 0, (), GameStats(), solved=False, stopped=stopped, given=given, reason=failure.why)

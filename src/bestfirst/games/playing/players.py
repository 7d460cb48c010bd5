"""Players that compute: the engine, Monte Carlo tree search, and a random player."""

from __future__ import annotations

import random
from typing import Any

from bestfirst.arguments import check_kind, check_seed, suggesting
from bestfirst.errors import UnknownNameError
from bestfirst.games.analysis import Analysis, analyse, prepare
from bestfirst.games.engine.engine_choice import check_engine
from bestfirst.games.engine.settings import Settings
from bestfirst.games.game import Move
from bestfirst.games.limits import GameLimits
from bestfirst.games.playing.played import PlayedGame
from bestfirst.games.playing.player import Player
from bestfirst.games.textbook.mcts import EXPLORATION, Simulation, check_effort, mcts
from bestfirst.system.interrupt import presses
from bestfirst.system.threads import check_threads

OPTIONS = ("threads", "trace")
"""The arguments of analyse() that EnginePlayer takes as options."""


class EnginePlayer(Player):
    """Plays the best move of analyse().

    limits: limits for each move. Default: one second. settings: the techniques to use. engine: "python" or "compiled".
    Default: the engine of the game, otherwise the faster one that supports it. options: the arguments threads and trace of
    analyse().
    last: the analysis behind its latest move.
    With a time limit, or engine="compiled", begin() compiles the rules before a clock starts.
    """

    @suggesting
    def __init__(
        self,
        limits: GameLimits | None = None,
        settings: Settings | None = None,
        *,
        name: str = "engine",
        engine: str | None = None,
        **options: Any,
    ) -> None:
        self.name = name
        check_kind("limits", limits, GameLimits | None, "a GameLimits, such as GameLimits(seconds=1)")
        check_kind("settings", settings, Settings | None, "a Settings, such as Settings(method='mtdf')")
        check_engine(engine)
        for option in options:
            if option not in OPTIONS:
                raise UnknownNameError("engine option", option, (*OPTIONS, "limits", "settings", "name", "engine"))
        check_threads(options.get("threads", 1))
        self.limits, self.settings, self.options = limits or GameLimits(seconds=1), settings, options
        self.engine = engine
        self.last: Analysis | None = None

    def begin(self, played: PlayedGame) -> None:
        engine = self.engine or played.engine
        if (self.limits.seconds is not None and self.options.get("trace") is None) or engine == "compiled":
            threads = self.options.get("threads", 1)
            prepare(played.game, self.settings, position=played.start, engine=engine, threads=threads)

    def choose(self, played: PlayedGame) -> Move:
        before = presses()
        self.last = analyse(
            played.game,
            played.state,
            limits=self.limits,
            lines=1,
            settings=self.settings,
            engine=self.engine or played.engine,
            **self.options,
        ).run()
        if self.last.stopped == "interrupted" or presses() > before:
            raise KeyboardInterrupt
        return self.last.move


class MonteCarloPlayer(Player):
    """Plays the move most visited by Monte Carlo tree search.

    playouts, seconds: limits for each move. Default: 1000 playouts. The same seed plays the same games, unless time is
    limited.
    """

    @suggesting
    def __init__(
        self,
        playouts: int | None = None,
        seconds: float | None = None,
        *,
        exploration: float = EXPLORATION,
        seed: int = 0,
        name: str = "mcts",
    ) -> None:
        self.name = name
        self.playouts = 1000 if playouts is None and seconds is None else playouts
        self.seconds, self.exploration = seconds, exploration
        self.last: Simulation | None = None
        check_effort(self.playouts, seconds, exploration)
        check_seed(seed)
        self._chance = random.Random(seed)

    def choose(self, played: PlayedGame) -> Move:
        self.last = mcts(
            played.game,
            played.state,
            playouts=self.playouts,
            seconds=self.seconds,
            exploration=self.exploration,
            seed=self._chance.randrange(2**32),
        )
        return self.last.move


class RandomPlayer(Player):
    """Plays a uniformly random legal move; the same seed plays the same games."""

    @suggesting
    def __init__(self, seed: int = 0, *, name: str = "random") -> None:
        self.name = name
        check_seed(seed)
        self._chance = random.Random(seed)

    def choose(self, played: PlayedGame) -> Move:
        return self._chance.choice(played.game.legal_moves(played.state))

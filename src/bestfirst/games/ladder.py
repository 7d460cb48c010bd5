"""The ladder: how much each technique saves, added one by one, on the same positions."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from math import inf
from statistics import fmean
from time import perf_counter
from typing import Any

from bestfirst.arguments import check_function, suggesting
from bestfirst.errors import InputError
from bestfirst.games.analysis import Analysis, analyse, prepare
from bestfirst.games.engine.settings import Settings
from bestfirst.games.game import Game, Position
from bestfirst.games.limits import GameLimits
from bestfirst.system.interrupt import presses
from bestfirst.written import text_of

_ORDERED: dict[str, Any] = {"static_order": True, "killers": 2, "history": True}
_WITH_TABLE: dict[str, Any] = {**_ORDERED, "table": "64MB", "hash_move": True}

LADDER: dict[str, Settings] = {
    "minimax": Settings.plain("minimax"),
    "alpha-beta": Settings.plain("alpha-beta"),
    "+ ordering": Settings.plain("alpha-beta", **_ORDERED),
    "+ table": Settings.plain("alpha-beta", **_WITH_TABLE),
    "+ deepening": Settings.plain("alpha-beta", **_WITH_TABLE, deepening=True),
    "+ PVS": Settings.plain("pvs", **_WITH_TABLE, deepening=True),
}
"""The classic techniques; each rung adds one to the rung before."""


@dataclass
class Rung:
    """The cost of one technique: nodes, seconds and the value of each position, in order.

    A value is None if a limit stopped the search before it was known; nodes and seconds are counted until then.
    """

    name: str
    settings: Settings
    nodes: list[int] = field(default_factory=list)
    seconds: list[float] = field(default_factory=list)
    values: list[int | None] = field(default_factory=list)
    proven: list[bool] = field(default_factory=list)

    @property
    def complete(self) -> bool:
        """Whether every position was searched to the full depth."""
        return None not in self.values

    def add(self, analysis: Analysis) -> None:
        """Append the analysis of the next position."""
        whole = analysis.solved or analysis.stopped == "depth"
        self.nodes.append(analysis.nodes)
        self.seconds.append(analysis.seconds)
        self.values.append(analysis.score.value if whole else None)
        self.proven.append(whole and analysis.score.proven)


@dataclass
class Ladder:
    """The rungs, from the slowest to the fastest, on the same positions to the same depth (None: to the end of the game).

    interrupted: whether Ctrl-C ended it early; rungs that had not started are missing then.
    """

    game: Game
    positions: list[Position]
    depth: int | None
    rungs: list[Rung] = field(default_factory=list)
    interrupted: bool = False

    @property
    def compared(self) -> int:
        """The number of positions with a value on at least two rungs."""
        return sum(
            sum(number < len(rung.values) and rung.values[number] is not None for rung in self.rungs) > 1
            for number in range(len(self.positions))
        )

    @property
    def complete(self) -> bool:
        """Whether every rung has a value for every position."""
        return not self.interrupted and all(rung.complete and len(rung.values) == len(self.positions) for rung in self.rungs)

    @property
    def differences(self) -> list[tuple[str, str, int, int]]:
        """Values that differ from an earlier rung: (rung, position, its value, the earlier value).

        None of these techniques can change a proven value. A table can change an estimated one, because a position that
        recurs at another ply may be stored with a greater depth than requested there.
        """
        found = []
        for number, position in enumerate(self.positions):
            known: int | None = None
            for rung in self.rungs:
                value = rung.values[number] if number < len(rung.values) else None
                if value is not None and known is not None and value != known:
                    found.append((rung.name, text_of(self.game, "format", position), value, known))
                known = value if known is None else known
        return found

    def to_dict(self) -> dict[str, Any]:
        """The ladder as JSON values."""
        return {
            "game": self.game.name(),
            "depth": self.depth,
            "positions": [text_of(self.game, "format", position) for position in self.positions],
            "rungs": [
                {
                    "name": rung.name,
                    "mean_nodes": fmean(rung.nodes) if rung.nodes else None,
                    "nodes": rung.nodes,
                    "seconds": rung.seconds,
                    "values": rung.values,
                    "proven": rung.proven,
                }
                for rung in self.rungs
            ],
            "same_values": not self.differences,
            "compared": self.compared,
            "interrupted": self.interrupted,
        }


@suggesting
def compare_techniques(
    game: Game,
    positions: Iterable[Position | str] = (),
    *,
    depth: int | None = 6,
    seconds: float | None = None,
    rungs: Mapping[str, Settings] = LADDER,
    watch: Callable[[Rung], None] | None = None,
    **options: Any,
) -> Ladder:
    """Search the same positions with each technique in turn, and report nodes, time and values.

        for rung in bf.compare_techniques(bf.ConnectFour(), ["44455"], depth=5).rungs:
            print(rung.name, rung.nodes, rung.values)

    positions: states, or strings that game.parse reads. Default: the start. depth: plies, None for the end of the game.
    seconds: time limit of each search, and of waiting for compilation before each rung.
    rungs: the settings to compare, by name. watch: called after each rung.
    options: other arguments of analyse(). Ctrl-C ends the comparison and keeps its results.
    Raises InputError for a position that cannot be read or is over, before the first search.
    """
    limits = GameLimits(depth=depth, seconds=seconds)
    if isinstance(positions, str) or not isinstance(positions, Iterable):
        raise InputError(f"positions is {positions!r}; pass a list of positions, such as ['44455']")
    check_function("watch", watch, "a Rung")
    states = [analyse(game, position, limits=limits, **options).state for position in list(positions) or [game.initial]]
    if not rungs:
        raise InputError("rungs is empty; pass at least one: {'alpha-beta': Settings.plain()}")
    ladder = Ladder(game, states, depth)
    for name, settings in rungs.items():
        rung = Rung(name, settings)
        ladder.rungs.append(rung)
        if not _climb(game, states, limits, rung, options):
            ladder.interrupted = True
            break
        if watch is not None:
            watch(rung)
    return ladder


def _climb(game: Game, states: Sequence[Position], limits: GameLimits, rung: Rung, options: dict[str, Any]) -> bool:
    """Search all positions on one rung, and return False if interrupted. Rules are compiled before the clock starts.

    The wait for compilation is limited to the time of one search; then the reference engine starts.
    """
    deadline = inf if limits.seconds is None else perf_counter() + limits.seconds
    before = presses()
    try:
        if options.get("trace") is None:
            given = {name: options[name] for name in ("engine", "threads") if name in options}
            prepare(game, rung.settings, must_stop=lambda: perf_counter() >= deadline, **given)
    except KeyboardInterrupt:
        return False
    for state in states:
        analysis = analyse(game, state, limits=limits, lines=1, settings=rung.settings, **options).run()
        rung.add(analysis)
        if analysis.stopped == "interrupted" or presses() > before:
            return False
    return True

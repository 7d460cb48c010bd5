"""analyse_many(): the best moves of many positions, in this process, on all processors, or on a Ray cluster.

for analysis in bf.analyse_many(game, positions, on="local", limits=bf.GameLimits(depth=8)): ...
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Literal, overload

from bestfirst.arguments import check_function, check_kind, check_number, suggesting
from bestfirst.batches.analysing import Analysing
from bestfirst.batches.batch import Batch
from bestfirst.batches.in_turn import in_turn
from bestfirst.batches.starting import start
from bestfirst.errors import InputError
from bestfirst.games.analysis import Analysis
from bestfirst.games.engine.settings import Settings
from bestfirst.games.game import Game, Position, check_game
from bestfirst.games.limits import GameLimits


@overload
def analyse_many(
    game: Game,
    positions: Iterable[Position | str],
    *,
    on: None = None,
    workers: None = None,
    ordered: Literal[True] = True,
    limits: GameLimits | None = None,
    seconds: float | None = None,
    progress: bool | Callable[[Analysis], None] | None = None,
    lines: int | None = 3,
    settings: Settings | None = None,
    engine: str | None = None,
    threads: int = 1,
) -> list[Analysis]: ...


@overload
def analyse_many(
    game: Game,
    positions: Iterable[Position | str],
    *,
    on: str,
    workers: int | None = None,
    ordered: Literal[True] = True,
    limits: GameLimits | None = None,
    seconds: float | None = None,
    progress: bool | Callable[[Analysis], None] | None = None,
    lines: int | None = 3,
    settings: Settings | None = None,
    engine: str | None = None,
    threads: int = 1,
) -> Batch[Analysis]: ...


@overload
def analyse_many(
    game: Game,
    positions: Iterable[Position | str],
    *,
    on: str,
    workers: int | None = None,
    ordered: Literal[False],
    limits: GameLimits | None = None,
    seconds: float | None = None,
    progress: bool | Callable[[Analysis], None] | None = None,
    lines: int | None = 3,
    settings: Settings | None = None,
    engine: str | None = None,
    threads: int = 1,
) -> Batch[tuple[int, Analysis]]: ...


@suggesting
def analyse_many(
    game: Game,
    positions: Iterable[Position | str],
    *,
    on: str | None = None,
    workers: int | None = None,
    ordered: bool = True,
    limits: GameLimits | None = None,
    seconds: float | None = None,
    progress: bool | Callable[[Analysis], None] | None = None,
    lines: int | None = 3,
    settings: Settings | None = None,
    engine: str | None = None,
    threads: int = 1,
) -> list[Analysis] | Batch[Analysis] | Batch[tuple[int, Analysis]]:
    """Analyse many positions of a game, each to the end or to its limits, with the same results as analyse().

    positions: any iterable of states and strings. on, workers, ordered, seconds, progress: as in solve_many().
    limits: the limits of each search. The other arguments are those of analyse().

    Without `on`, the result is a list, which Ctrl-C or `seconds` may shorten, and the message of an error begins with the
    number of the position, from 0. With `on`, the result is a Batch, which goes on after an error: the Analysis of that
    position has no lines, `stopped` is "failed", and `reason` says why; if the process of a search that ignores its limit
    is ended, `stopped` is "seconds".
    Raises InputError for arguments that cannot be used.
    """
    check_game(game)
    check_kind("positions", positions, Iterable, "a list or a generator of positions")
    if isinstance(positions, str):
        raise InputError(f"positions is {positions!r}; pass a list of positions, even for a single one")
    if not isinstance(progress, bool):
        check_function("progress", progress, "each Analysis")
    check_number("seconds", seconds, 0, otherwise="omit it")
    if limits is not None:
        check_kind("limits", limits, GameLimits, "a GameLimits, such as GameLimits(seconds=5)")
    work = Analysing(game, limits or GameLimits(), lines, settings, engine, threads)
    if on is not None:
        return start(positions, work, on=on, workers=workers, ordered=ordered, seconds=seconds, progress=progress)
    if workers is not None or not ordered:
        raise InputError(f"{'ordered' if workers is None else 'workers'}= requires on=; also pass on='local' or on='ray'")
    return in_turn(positions, work, "position", seconds=seconds, progress=progress)

"""analyse(): the best moves of a position with their scores, reported depth by depth while the search runs."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from importlib import import_module
from itertools import islice
from math import inf
from time import perf_counter
from typing import Any

from bestfirst.arguments import suggesting
from bestfirst.displayed import or_text
from bestfirst.errors import InputError
from bestfirst.games.contract import blaming_methods, check_keys, position_of
from bestfirst.games.engine.deep_recursion import deep_recursion
from bestfirst.games.engine.deepening import Round, all_depths, deepen
from bestfirst.games.engine.engine_choice import check_engine, compiled_engine
from bestfirst.games.engine.line import unroll
from bestfirst.games.engine.rooted import RootedSearch, RootLine, StopSearchError
from bestfirst.games.engine.search import AlphaBetaSearch
from bestfirst.games.engine.settings import OwnSettings, Settings
from bestfirst.games.game import Game, Move, Position, check_game, final_value, no_moves
from bestfirst.games.limits import GameLimits
from bestfirst.games.notation import as_word
from bestfirst.games.score import DECISIVE, Score
from bestfirst.games.stats import GameStats
from bestfirst.games.tracing.trace import GameTrace
from bestfirst.games.tracing.traced_search import TracedSearch
from bestfirst.system.exclusive import Exclusive, Stepwise
from bestfirst.system.interrupt import CtrlC
from bestfirst.system.threads import check_threads
from bestfirst.written import text_of

TAKEN_OVER = "compiled"
"""The reason why the reference engine stops when the compiled engine takes over."""


@dataclass(frozen=True)
class Line:
    """A move at the root, its score relative to the side to move, and the line of best play.

    pv: the principal variation, which begins with the move. It ends with the game if the score is proven, otherwise at the
    search depth. goes_on: whether it stops earlier because the rest is unknown.
    plies: the length of the game under best play, if proven, otherwise None. The plies of a win are minimal and those of a
    loss maximal once the depth has reached them.
    """

    move: Move
    score: Score
    pv: tuple[Move, ...]
    plies: int | None
    goes_on: bool = False


@dataclass(frozen=True)
class Analysis:
    """The results for a position after a completed depth.

    lines: the best moves, best first. solved: whether a deeper search cannot change the result.
    stopped: why the search stopped before that: "seconds", "nodes", "depth", "interrupted", or "stopped" after a call of stop();
    None while it runs.
    In a batch: "failed" if an error ended the search or its process; there are no lines then, and reason says why.
    nodes, seconds and stats include an unfinished depth.
    """

    game: Game
    position: Position
    depth: int
    lines: tuple[Line, ...]
    stats: GameStats
    solved: bool
    stopped: str | None = None
    given: str | None = None
    reason: str | None = None

    @property
    def nodes(self) -> int:
        """Number of positions searched."""
        return self.stats.nodes

    @property
    def seconds(self) -> float:
        """Wall-clock time."""
        return self.stats.seconds

    @property
    def best(self) -> Line:
        """The best line. Raises InputError if there is none."""
        if not self.lines:
            raise InputError(f"this position has no analysis: {self.reason}")
        return self.lines[0]

    @property
    def move(self) -> Move:
        """The best move."""
        return self.best.move

    @property
    def score(self) -> Score:
        """The score of the position, relative to the side to move.

        It is the score of the best move, unproven if another move, which was only estimated, could be better.
        """
        best = self.best.score
        none_is_better = self.solved or best.value >= DECISIVE or (best.value <= -DECISIVE and not self.stats.pruned)
        return best if none_is_better else replace(best, proven=False)

    def moves_as_text(self, moves: tuple[Move, ...]) -> list[str]:
        """Successive moves from the position, as strings."""
        texts, state = [], self.position
        for move in moves:
            texts.append(text_of(self.game, "format_move", state, move))
            state = self.game.play(state, move)
        return texts

    def to_dict(self) -> dict[str, Any]:
        """The analysis as JSON values, with moves as strings and scores as ints (see games/score.py)."""
        return {
            "game": self.game.name(),
            "position": self.given or text_of(self.game, "format", self.position),
            "side_to_move": self.game.side_name(self.position) if self.lines else None,
            "depth": self.depth,
            "nodes": self.nodes,
            "seconds": self.seconds,
            "solved": self.solved,
            "stopped": self.stopped,
            **({} if self.reason is None else {"reason": self.reason}),
            "lines": [
                {
                    "move": text_of(self.game, "format_move", self.position, line.move),
                    "score": line.score.value,
                    "proven": line.score.proven,
                    "outcome": line.score.outcome,
                    "plies": line.plies,
                    "pv": self.moves_as_text(line.pv),
                    **({"goes_on": True} if line.goes_on else {}),
                }
                for line in self.lines
            ],
        }

    @or_text
    def _repr_mimebundle_(self) -> dict[str, str]:
        """What a notebook shows."""
        display = import_module("bestfirst.viewer.display")  # by name: it needs these classes, not the other way round
        bundle: dict[str, str] = display.analysis_bundle(self)
        return bundle

    def __str__(self) -> str:
        """The best line, on one line."""
        if not self.lines:
            return f"{self.stopped}: {self.reason}"
        line = " ".join(map(as_word, self.moves_as_text(self.best.pv))) + (" ..." if self.best.goes_on else "")
        return f"depth {self.depth}: {self.score}: {line} ({self.nodes:,} nodes, {self.seconds:.3g} s)"


@suggesting
def analyse(
    game: Game,
    position: Position | str | None = None,
    *,
    limits: GameLimits | None = None,
    lines: int | None = 3,
    settings: Settings | None = None,
    trace: GameTrace | None = None,
    engine: str | None = None,
    threads: int = 1,
) -> GameSearch:
    """Search a position for its best moves, depth by depth.

        for analysis in bf.analyse(game, "44455", limits=bf.GameLimits(seconds=5)):
            print(analysis)
        analysis = bf.analyse(game).run()          # until the end

    position: a state, or a string that game.parse reads (if states are strings, a state). Default: the start.
    limits: the limits of the search. Without limits it runs until the position is solved, possibly forever.
    lines: number of moves with an exact score, None for all; fewer are faster. settings: the techniques to use. Default:
        game.default_settings().
    trace: records the search tree of each completed depth; requires the reference engine.
    engine: "python", the reference engine, or "compiled", for a GameDomain. Default: the compiled engine if its code is in
        this process or on disk. Otherwise it takes over after some nodes, once its code is compiled, or a warning says why
        it cannot. Both run the same search; only the speed differs. Within a time limit the reference engine searches while
        code is compiled, even with engine="compiled".
    threads: number of worker threads, for the compiled engine with a table and sound switches. They find the same values
        (except that a table may answer from a greater depth, more often than with one thread), but may choose another of
        several equal moves. nodes is the total over all threads.
    Raises InputError for a position that cannot be read or is over, and for a search that the given engine does not support;
    CompileError for rules that cannot be compiled.
    """
    return GameSearch(
        game, position, limits=limits, lines=lines, settings=settings, engine=engine, trace=trace, threads=threads
    )


@suggesting
def prepare(
    game: Game,
    settings: Settings | None = None,
    *,
    position: Position | None = None,
    engine: str | None = None,
    threads: int = 1,
    must_stop: Callable[[], object] = bool,
) -> bool:
    """Wait for the compiled code of a game before a clock starts; return whether the game is ready to be searched.

    position: any in which the game is not over. Default: the start. must_stop: once it returns true, the waiting ends, but
    not the compilation. Ctrl-C raises KeyboardInterrupt.
    Raises InputError or CompileError if engine="compiled" is impossible.
    """
    compiles_later = GameLimits(seconds=inf)
    search = GameSearch(game, position, limits=compiles_later, settings=settings, engine=engine, threads=threads)
    return search.prepare(must_stop)


def _as_searched(game: Game, settings: Settings) -> tuple[Game, Settings]:
    """The game with the move order named in the settings, and the game's own version of the settings."""
    suited = settings.suited_to(game)
    order = suited.static_order
    return game.ordered_by(order) if isinstance(order, str) else game, suited


class GameSearch:
    """A running analysis: iterate over it for an Analysis after each completed depth, or run() it to the end.

    A limit, or Ctrl-C, stops it between two nodes and keeps the results of the last completed depth. Continuing a search
    that is already running in another thread raises InputError. For the arguments see analyse().
    """

    def __reduce__(self) -> str:
        raise InputError("a running analysis cannot be pickled or copied; keep the results of run()")

    @suggesting
    def __init__(
        self,
        game: Game,
        position: Position | str | None = None,
        *,
        limits: GameLimits | None = None,
        lines: int | None = 3,
        settings: Settings | None = None,
        trace: GameTrace | None = None,
        engine: str | None = None,
        threads: int = 1,
    ) -> None:
        check_game(game)
        check_threads(threads)
        check_engine(engine)
        if limits is not None and not isinstance(limits, GameLimits):
            raise InputError(f"limits is {limits!r}; pass a GameLimits, such as GameLimits(seconds=5)")
        if settings is not None and not isinstance(settings, Settings):
            raise InputError(f"settings is {settings!r}; pass a Settings, such as Settings(method='pvs')")
        if lines is not None and (isinstance(lines, bool) or not isinstance(lines, int) or lines < 1):
            raise InputError(f"lines is {lines!r}; use a whole number of moves >= 1 (in Python, None means all moves)")
        self.game, self.limits = game, limits or GameLimits()
        self._rules, self.settings = _as_searched(game, settings or OwnSettings.default())
        self.state = position_of(game, position)
        is_text = isinstance(position, str) and not isinstance(game.initial, str)
        self._given = (str(position).strip() or None) if is_text else None
        if self.settings.probcut is not None and not self.settings.deepening and self.limits.depth is None:
            raise InputError("probcut with deepening=False needs a limit on depth; set one, or omit deepening=False")
        legal = game.legal_moves(self.state)
        if game.is_over(self.state):
            raise InputError(
                f"the game is over in position {text_of(game, 'format', self.state)!r}; choose a position with a legal move"
            )
        if not legal:
            raise no_moves(game, self.state)
        if self.settings.table:
            with blaming_methods(game):
                check_keys(game, self.state)
        self._lines = len(legal) if lines is None else min(lines, len(legal))
        self.stats = GameStats()
        self._search: RootedSearch = (
            AlphaBetaSearch(self._rules, self.settings, self.stats)
            if trace is None
            else TracedSearch(self._rules, self.settings, self.stats, trace)
        )
        self._trace = trace
        self._threads = threads
        if threads > 1:
            self._check_threads(engine, trace)
        if engine == "compiled" and trace is not None:
            raise InputError("the compiled engine records no trace; omit engine, or use engine='python'")
        self._last: Analysis | None = None
        self._stopped: str | None = None
        self._asked_to_stop = False
        self._compiled = compiled_engine(self._rules, self.settings, "python" if trace is not None else engine, threads)
        is_asked_for = engine == "compiled" or threads > 1
        if self._compiled is not None and is_asked_for and self.limits.seconds is None:
            self._compiled.takes_over(0, inf, lambda: self._asked_to_stop)  # before a clock starts
            self._change_engine()
        self._rounds = self._all_rounds()
        self._in_use = Exclusive("this search")

    def _check_threads(self, engine: str | None, trace: GameTrace | None) -> None:
        why = (
            "records no trace"
            if trace is not None
            else "does not run in the reference engine"
            if engine == "python"
            else "needs a transposition table"
            if not self.settings.table
            else "cannot use singular extensions or unsound pruning"
            if self.settings.is_selective
            else None
        )
        if why is not None:
            raise InputError(f"a search with several threads {why}; omit threads={self._threads}")

    def stop(self) -> None:
        """Stop the search between two nodes, once the first depth is completed. Safe to call from another thread."""
        self._asked_to_stop = True

    def prepare(self, must_stop: Callable[[], object] = bool) -> bool:
        """Wait for the code of the compiled engine before the search begins; see the function prepare()."""
        return self._compiled is not None and self._compiled.takes_over(inf, inf, must_stop)

    def __iter__(self) -> Iterator[Analysis]:
        """Continue the search, yielding an Analysis after each completed depth."""
        return Stepwise(self._analyses(), self._in_use)

    def run(self) -> Analysis:
        """Continue the search to the end or to a limit, and return the last Analysis."""
        with self._in_use:
            for _ in self._analyses():
                pass
            return self.analysis

    def _analyses(self) -> Iterator[Analysis]:
        for found in self._rounds:
            started = perf_counter()
            try:
                with CtrlC() as ctrl_c:
                    self._last = self._analysis(found)
            except KeyboardInterrupt:  # pressed twice
                self._stopped = "interrupted"
                if self._last is None:
                    raise
                return
            finally:
                self.stats.seconds += perf_counter() - started
            if ctrl_c.pressed and not found.settled:
                self._stopped = "interrupted"
            yield self._last

    @property
    def analysis(self) -> Analysis:
        """The current Analysis. Raises InputError before the first depth is completed."""
        if self._last is None:
            raise InputError("no depth has been completed yet; call run(), or iterate over the search")
        return replace(self._last, stats=self.stats.copy(), stopped=self._stopped)

    def _all_rounds(self) -> Iterator[Round]:
        """The iterations of iterative deepening, each within the limits, until one settles the position or is stopped."""
        rounds: Iterator[Round] | None = None
        found: Round | None = None
        while self._stopped is None:
            started, before = perf_counter(), self.stats.seconds
            is_first = found is None and self.settings.deepening
            try:
                with CtrlC() as ctrl_c, deep_recursion(), blaming_methods(self._rules):
                    if rounds is None:
                        rounds = self._first_rounds()
                    self._set_limits(ctrl_c, started, is_first=is_first)
                    self._search.check_data()
                    self._search.look()
                    found = next(rounds, None)
                    self._search.note_data()
            except StopSearchError as stop:
                if stop.why == TAKEN_OVER and not ctrl_c.pressed:
                    rounds = self._compiled_rounds()
                    continue
                self._stopped = "interrupted" if ctrl_c.pressed else stop.why
                if found is not None:
                    return
                found = self._first_depth()
            except KeyboardInterrupt:  # pressed twice
                self._stopped = "interrupted"
                if self._last is None:
                    raise
                return
            finally:
                self.stats.seconds = before + perf_counter() - started
            if found is None:
                self._stopped = "depth"
                return
            if ctrl_c.pressed and not found.settled:  # in the first iteration, which is completed all the same
                self._stopped = "interrupted"
            yield found
            if found.settled:
                return

    def _first_rounds(self) -> Iterator[Round]:
        """All iterations, by the compiled engine if its code is available."""
        if self._compiled is not None and self._compiled.is_at_hand(is_timed=self.limits.seconds is not None):
            self._change_engine()
        return self._new_rounds()

    def _compiled_rounds(self) -> Iterator[Round]:
        """Change to the compiled engine for the remaining iterations."""
        done = len(self.stats.depths)
        self._change_engine()
        return islice(self._new_rounds(), done, None)

    def _first_depth(self) -> Round:
        """The first depth, without limits. It needs a new search, because the engines learn move orders differently."""
        search = AlphaBetaSearch(self._rules, self.settings, self.stats) if self._trace is None else self._search
        search.limit(inf, None)
        return next(deepen(search, self.state, [1], self._lines))

    def _new_rounds(self) -> Iterator[Round]:
        depths = all_depths(self.limits.depth, progressive=self.settings.deepening)
        return deepen(self._search, self.state, depths, self._lines)

    def _change_engine(self) -> None:
        """Change to the compiled engine, which repeats the same search and soon catches up with the reference engine."""
        assert self._compiled is not None
        self._search, self.stats = self._compiled.search, self._compiled.search.stats
        self._compiled = None

    def _set_limits(self, ctrl_c: CtrlC, started: float, *, is_first: bool) -> None:
        """Make the limits stop the search, but the first iteration only by Ctrl-C pressed twice."""
        if is_first:
            self._search.limit(inf, None)
            return
        limits = self.limits
        deadline = inf if limits.seconds is None else started + limits.seconds - self.stats.seconds

        def must_stop() -> str | None:
            if self._asked_to_stop:
                return "stopped"
            return "interrupted" if ctrl_c.pressed else "seconds" if perf_counter() >= deadline else None

        def stop() -> str | None:
            why = must_stop()
            if (
                why is None
                and self._compiled is not None
                and self._compiled.takes_over(self.stats.nodes, deadline, must_stop)
            ):
                return TAKEN_OVER
            return why or must_stop()

        self._search.limit(inf if limits.nodes is None else limits.nodes, stop)

    def _analysis(self, found: Round) -> Analysis:
        return Analysis(
            self.game,
            self.state,
            found.depth,
            tuple(self._line(line, found.depth) for line in found.lines),
            self.stats.copy(),
            found.settled,
            given=self._given,
        )

    def _line(self, line: RootLine, depth: int) -> Line:
        score = Score(line.value)
        score = replace(score, proven=line.complete or (not self.settings.unsound and self._is_exact(score, depth)))
        pv = (line.move, *unroll(line.rest))
        plies = None
        if score.proven:
            plies = score.plies if score.decisive else self._plies_to_the_end(pv, score.value)
        return Line(line.move, score, pv, plies, goes_on=line.goes_on)

    def _is_exact(self, score: Score, depth: int) -> bool:
        """Whether a win or loss is as near as the score says.

        A search that follows some lines beyond its depth may miss a nearer end in another line.
        """
        plies = score.plies
        if plies is None:
            return False
        follows_some = self.settings.quiescence or self.settings.singular is not None
        return not follows_some or plies <= depth + max(1, self._search.foreseen_plies)

    def _plies_to_the_end(self, pv: tuple[Move, ...], value: int) -> int | None:
        """The length of a line that ends the game with the claimed value; otherwise None."""
        game, state = self.game, self.state
        same_side = True
        for move in pv:
            child = game.play(state, move)
            same_side = same_side == game.moves_again(state, child)
            state = child
        if not game.is_over(state):
            return None
        final = final_value(game, state, len(pv))
        return len(pv) if (final if same_side else -final) == value else None

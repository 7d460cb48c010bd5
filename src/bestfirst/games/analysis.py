"""analyse(): the best moves of a position with their scores, told depth by depth while the search goes on."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from itertools import islice
from math import inf
from time import perf_counter
from typing import Any

from bestfirst.errors import InputError, StateError
from bestfirst.games.engine.deep_recursion import deep_recursion
from bestfirst.games.engine.deepening import Round, all_depths, deepen
from bestfirst.games.engine.engine_choice import check_engine, compiled_engine
from bestfirst.games.engine.line import unroll
from bestfirst.games.engine.rooted import RootedSearch, RootLine, StopSearchError
from bestfirst.games.engine.search import AlphaBetaSearch
from bestfirst.games.engine.settings import Settings
from bestfirst.games.game import Game, Move, Position, check_game, final_value, no_moves, position_of
from bestfirst.games.limits import GameLimits
from bestfirst.games.score import DECISIVE, Score
from bestfirst.games.stats import GameStats
from bestfirst.games.tracing.trace import GameTrace
from bestfirst.games.tracing.traced_search import TracedSearch
from bestfirst.system.interrupt import CtrlC
from bestfirst.system.threads import check_threads

TAKEN_OVER = "compiled"
"""Why a search of the reference engine stops for the compiled one to make it."""


@dataclass(frozen=True)
class Line:
    """A move at the root, what it is worth to the side to move, and how play goes on.

    pv: the principal variation, which begins with the move: best play for both sides. It goes to the end of the game where the
    score is proven, otherwise to the depth of the search; goes_on: or it stops before that, as the rest is not known.
    plies: to the end of the game under best play, where that is proven: for a win or loss the fewest or most, once the depth has
    reached them.
    """

    move: Move
    score: Score
    pv: tuple[Move, ...]
    plies: int | None
    goes_on: bool = False


@dataclass(frozen=True)
class Analysis:
    """What is known about a position after a completed depth.

    lines: the best moves, the best first. solved: whether going deeper could change nothing.
    stopped: what ended the search before that: "seconds", "nodes", "depth", "interrupted" or, by stop(), "stopped"; None while
    it goes on.
    nodes, seconds and stats include what was spent on a depth that was not completed.
    """

    game: Game
    position: Position
    depth: int
    lines: tuple[Line, ...]
    stats: GameStats
    solved: bool
    stopped: str | None = None
    given: str | None = None

    @property
    def nodes(self) -> int:
        """Positions looked at."""
        return self.stats.nodes

    @property
    def seconds(self) -> float:
        """Time spent."""
        return self.stats.seconds

    @property
    def best(self) -> Line:
        """The best line."""
        return self.lines[0]

    @property
    def move(self) -> Move:
        """The best move."""
        return self.lines[0].move

    @property
    def score(self) -> Score:
        """What the position is worth to the side to move.

        That is the score of the best move; it is not proven where another move, which was only estimated, could be better.
        """
        best = self.lines[0].score
        none_is_better = self.solved or best.value >= DECISIVE or (best.value <= -DECISIVE and not self.stats.pruned)
        return best if none_is_better else replace(best, proven=False)

    def moves_as_text(self, moves: tuple[Move, ...]) -> list[str]:
        """Moves that are played one after the other from the position, as texts."""
        texts, state = [], self.position
        for move in moves:
            texts.append(self.game.format_move(state, move))
            state = self.game.play(state, move)
        return texts

    def to_dict(self) -> dict[str, Any]:
        """The analysis as JSON takes it, with moves as texts and scores as ints (see games/score.py)."""
        return {
            "game": self.game.name(),
            "position": self.given or self.game.format(self.position),
            "side_to_move": self.game.side_name(self.position),
            "depth": self.depth,
            "nodes": self.nodes,
            "seconds": self.seconds,
            "solved": self.solved,
            "stopped": self.stopped,
            "lines": [
                {
                    "move": self.game.format_move(self.position, line.move),
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

    def __str__(self) -> str:
        """The best line, on one line."""
        line = " ".join(self.moves_as_text(self.best.pv)) + (" ..." if self.best.goes_on else "")
        return f"depth {self.depth}: {self.score}: {line} ({self.nodes:,} nodes, {self.seconds:.3g} s)"


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
        analysis = bf.analyse(game).run()          # all at once

    position: a state, or a text that game.parse reads (where states are texts themselves, a state); the start unless given.
    limits: what the search may take. Without any it goes on until the position is solved, which can be for ever.
    lines: how many moves get an exact score, None for all; the fewer, the faster. settings: the techniques to use.
    trace: records what is looked at, a tree for each completed depth; that needs the reference engine.
    engine: "python", the reference engine, or "compiled", for a GameDomain. Unless given, the compiled one makes the search where
        its code is in this process or on disk, and takes over after some nodes where it must be compiled; a warning tells where
        it cannot be. Both make the same search, so nothing but the speed shows it. Within a limit on seconds the reference engine
        searches as long as code is compiled, also where the compiled engine is asked for.
    threads: how many search side by side, in the compiled engine, with a table and sound switches. They find the same values (but a
        table may know deeper than was asked, more so than with one), not always the same of equal moves; nodes are those of all.
    Raises InputError for a position that cannot be read, or where the game is over, and for a search that the engine asked for
    does not have; CompileError for rules that cannot be compiled.
    """
    return GameSearch(
        game, position, limits=limits, lines=lines, settings=settings, engine=engine, trace=trace, threads=threads
    )


def prepare(
    game: Game,
    settings: Settings | None = None,
    *,
    position: Position | None = None,
    engine: str | None = None,
    threads: int = 1,
    must_stop: Callable[[], object] = bool,
) -> bool:
    """Have the compiled code for searches of a game ready before a clock starts; whether it is, as far as the game has any.

    position: any in which the game is not over; the start unless given. must_stop: ends the waiting, not the compiling, as soon as
    it is true. Ctrl-C raises KeyboardInterrupt.
    Raises InputError or CompileError where engine="compiled" cannot be had.
    """
    compiles_later = GameLimits(seconds=inf)
    search = GameSearch(game, position, limits=compiles_later, settings=settings, engine=engine, threads=threads)
    return search.prepare(must_stop)


def _as_searched(game: Game, settings: Settings) -> tuple[Game, Settings]:
    """The game with the order of moves that the settings name, and the settings that the game has for their name."""
    suited = settings.suited_to(game)
    order = suited.static_order
    return game.ordered_by(order) if isinstance(order, str) else game, suited


class GameSearch:
    """An analysis at work: go through it for one Analysis after each completed depth, or run() it to the end.

    A limit, or Ctrl-C, ends it between two nodes; what the last completed depth has found is kept. The arguments are those of
    analyse().
    """

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
            raise InputError(f"limits is {limits!r}; give a GameLimits, such as GameLimits(seconds=5)")
        if settings is not None and not isinstance(settings, Settings):
            raise InputError(f"settings is {settings!r}; give a Settings, such as Settings(method='pvs')")
        if lines is not None and (isinstance(lines, bool) or not isinstance(lines, int) or lines < 1):
            raise InputError(f"lines is {lines!r}; write how many moves to show, at least 1, or None for all")
        self.game, self.limits = game, limits or GameLimits()
        self._rules, self.settings = _as_searched(game, settings or Settings())
        self.state = position_of(game, position)
        is_text = isinstance(position, str) and not isinstance(game.initial, str)
        self._given = (str(position).strip() or None) if is_text else None
        try:
            hash(self.state)
        except TypeError as error:
            raise StateError(
                f"position {self.state!r} is not hashable ({error}); write states as numbers, texts, tuples or NamedTuples"
            ) from error
        legal = game.legal_moves(self.state)
        if game.is_over(self.state):
            raise InputError(f"the game is over in position {game.format(self.state)!r}: there is no move to analyse")
        if not legal:
            raise no_moves(game, self.state)
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
            raise InputError("the compiled engine records no trace; leave engine out, or say engine='python'")
        self._last: Analysis | None = None
        self._stopped: str | None = None
        self._asked_to_stop = False
        self._compiled = compiled_engine(self._rules, self.settings, "python" if trace is not None else engine, threads)
        is_asked_for = engine == "compiled" or threads > 1
        if self._compiled is not None and is_asked_for and self.limits.seconds is None:
            self._compiled.takes_over(0, inf, lambda: self._asked_to_stop)  # before a clock starts
            self._change_engine()
        self._rounds = self._all_rounds()

    def _check_threads(self, engine: str | None, trace: GameTrace | None) -> None:
        why = (
            "in the reference engine"
            if engine == "python" or trace is not None
            else "without a table"
            if not self.settings.table
            else "selectively (with singular extensions, or pruning that can be wrong)"
            if self.settings.is_selective
            else None
        )
        if why is not None:
            raise InputError(f"several threads cannot search {why}; leave threads={self._threads} out")

    def stop(self) -> None:
        """From another thread: end the search between two nodes, once the first depth is completed."""
        self._asked_to_stop = True

    def prepare(self, must_stop: Callable[[], object] = bool) -> bool:
        """Wait for the code of the compiled engine before the search begins; see the function prepare()."""
        return self._compiled is not None and self._compiled.takes_over(inf, inf, must_stop)

    def __iter__(self) -> Iterator[Analysis]:
        """Search on, giving what is known after each completed depth."""
        for found in self._rounds:
            self._last = self._analysis(found)
            yield self._last

    def run(self) -> Analysis:
        """Search on to the end, or to a limit; what is known then."""
        for _ in self:
            pass
        return self.analysis

    @property
    def analysis(self) -> Analysis:
        """What is known now. Raises InputError before the first depth is completed."""
        if self._last is None:
            raise InputError("nothing is known before the first depth is completed; call run(), or go through the search")
        return replace(self._last, stats=self.stats.copy(), stopped=self._stopped)

    def _all_rounds(self) -> Iterator[Round]:
        """The rounds of progressive deepening, each under the limits, until it is settled or stopped."""
        rounds: Iterator[Round] | None = None
        found: Round | None = None
        while self._stopped is None:
            started, before = perf_counter(), self.stats.seconds
            is_first = found is None and self.settings.deepening
            try:
                with CtrlC() as ctrl_c, deep_recursion():
                    if rounds is None:
                        rounds = self._first_rounds()
                    self._set_limits(ctrl_c, started, is_first=is_first)
                    self._search.look()
                    found = next(rounds, None)
            except StopSearchError as stop:
                if stop.why == TAKEN_OVER:
                    rounds = self._compiled_rounds()
                    continue
                self._stopped = stop.why
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
            if ctrl_c.pressed and not found.settled:  # in the first round, which is completed all the same
                self._stopped = "interrupted"
            yield found
            if found.settled:
                return

    def _first_rounds(self) -> Iterator[Round]:
        """All rounds, by the compiled engine where its code is at hand."""
        if self._compiled is not None and self._compiled.is_at_hand(is_timed=self.limits.seconds is not None):
            self._change_engine()
        return self._new_rounds()

    def _compiled_rounds(self) -> Iterator[Round]:
        """Change to the compiled engine, for the rounds after those that are done."""
        done = len(self.stats.depths)
        self._change_engine()
        return islice(self._new_rounds(), done, None)

    def _first_depth(self) -> Round:
        """The first depth, whatever it takes; by a new search, as the engines order moves by what they have met in other ways."""
        search = AlphaBetaSearch(self._rules, self.settings, self.stats) if self._trace is None else self._search
        search.limit(inf, None)
        return next(deepen(search, self.state, [1], self._lines))

    def _new_rounds(self) -> Iterator[Round]:
        depths = all_depths(self.limits.depth, progressive=self.settings.deepening)
        return deepen(self._search, self.state, depths, self._lines)

    def _change_engine(self) -> None:
        """Change to the compiled engine: it makes the same search, so it soon is where the reference engine has come."""
        assert self._compiled is not None
        self._search, self.stats = self._compiled.search, self._compiled.search.stats
        self._compiled = None

    def _set_limits(self, ctrl_c: CtrlC, started: float, *, is_first: bool) -> None:
        """Let the search be stopped by the limits, the first round only by Ctrl-C pressed twice."""
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
            tuple(self._line(line) for line in found.lines),
            self.stats.copy(),
            found.settled,
            given=self._given,
        )

    def _line(self, line: RootLine) -> Line:
        score = Score(line.value)
        score = replace(score, proven=line.complete or (score.decisive and not self.settings.unsound))
        pv = (line.move, *unroll(line.rest))
        plies = None
        if score.proven:
            plies = score.plies if score.decisive else self._plies_to_the_end(pv, score.value)
        return Line(line.move, score, pv, plies, goes_on=line.goes_on)

    def _plies_to_the_end(self, pv: tuple[Move, ...], value: int) -> int | None:
        """The length of a line that leads to the end of the game and to the value that it is said to have; otherwise None."""
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

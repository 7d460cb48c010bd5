"""The driver of alpha-beta search: runs the kernel with one thread or several.

The kernel is recursive, so a search is not suspended: it asks the host every few thousand nodes whether to stop.
All threads search the same position with the same window, and share the transposition table. Near the root each postpones
moves that another one is searching, and abandons those that another has settled; the first to finish has the value. So the
result is that of one thread, except for the choice between moves of equal value, and for table entries deeper than
requested.
"""

from __future__ import annotations

import ctypes
from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import partial
from threading import RLock
from time import perf_counter
from typing import TYPE_CHECKING, TypeVar

import numpy as np

from bestfirst.compiled.compiler.may_compile import NotInCacheError, from_cache_only
from bestfirst.compiled.compiler.specialise import Compiled
from bestfirst.compiled.compiler.specialise_game import has_changed, specialise_game
from bestfirst.compiled.compiler.state_fields import state_of_words, state_words
from bestfirst.compiled.kernels.abdada import MARKS, NOT_SETTLED, PATH
from bestfirst.compiled.kernels.alpha_beta import PARTS, SELECTIVE_PARTS, SHARED_PARTS, alpha_beta
from bestfirst.compiled.kernels.game_search import (
    COUNTERS,
    MOST_MOVES,
    MOVES,
    NO_BRANCHING,
    NO_MOVE,
    RUN,
    SETTINGS,
    SINGULAR,
    STATS,
    SWITCHES,
    UNSOUND_SWITCHES,
    FaultyPositionError,
)
from bestfirst.errors import InputError, ProblemError, changed
from bestfirst.games.domain import GameDomain, as_words
from bestfirst.games.engine.line import Chain, chained
from bestfirst.games.engine.packed_table import PackedTable, zero_bytes
from bestfirst.games.engine.rooted import RootedSearch, RootLine, StopSearchError, Valued
from bestfirst.games.engine.settings import UNSOUND, Settings, why_not_compiled
from bestfirst.games.game import Game, Move, Position, estimated_value, final_value, game_order, line_too_long, no_moves
from bestfirst.games.score import INFINITY, MOST_PLIES
from bestfirst.games.stats import GameStats
from bestfirst.system.beside import SECONDS_BETWEEN_LOOKS, Beside
from bestfirst.system.watch import next_slice
from bestfirst.words import words_of

if TYPE_CHECKING:
    from bestfirst.compiled.store.aliases import Array, Template

FIRST_SLICE = 2_000
MOST_SHARED_PLIES = 20
"""Threads look at each other's marks down to this ply below their root, if the horizon is this far away:"""
LEAST_SHARED_DEPTH = 4
ROOM = MOST_PLIES + 2
NEVER = 1 << 62
_Result = TypeVar("_Result")


def _records(count: int, kind: np.dtype[np.void]) -> Array:
    """An array of records, whose fields are attributes also where kernels run interpreted."""
    return np.frombuffer(zero_bytes(max(1, count) * kind.itemsize), kind).view(np.recarray)


class Searcher:
    """One thread of a search: its counts, killers, history and path; all threads share table, settings and busy."""

    def __init__(
        self, compiled: Compiled, rules: GameDomain, settings: Array, killers: int, table: Array, busy: Array
    ) -> None:
        words, key_words = len(state_words(rules)), len(words_of(rules.key(rules.initial)))
        self._compiled = compiled
        stats, self._run = _records(1, STATS), _records(1, RUN)
        self._row, self._fault = np.zeros(words, np.int64), np.zeros(words + 1, np.int64)
        self._lines, self._lengths = (
            np.frombuffer(zero_bytes(ROOM * ROOM), np.int8).reshape(ROOM, ROOM),
            np.zeros(ROOM, np.int64),
        )
        shared_room = MOST_SHARED_PLIES + MOST_PLIES if len(busy) else 0
        arrays = (
            table,
            np.full((ROOM, killers), NO_MOVE, np.int8),
            np.zeros(2 * (MOST_MOVES + 1), np.int64),
            _records(2 * ROOM * MOST_MOVES, MOVES),
            self._lines,
            self._lengths,
            self._fault,
            _records(shared_room, PATH),
            np.zeros(shared_room * key_words, np.int64),
            busy,
        )
        self._given = (compiled.data, self._row, settings, stats, self._run, arrays)
        self._counts = stats.view(np.int64, np.ndarray)
        self._counted: list[int] = []
        self.granted = self._allowed = 0
        self._slice, self._looked_at = FIRST_SLICE, 0.0

    def ask(self, must_stop: Callable[[], int]) -> None:
        """Make the kernel ask this function of the host whether to stop."""
        self._host = ctypes.CFUNCTYPE(ctypes.c_int64)(must_stop)
        self._run["host"] = ctypes.cast(self._host, ctypes.c_void_p).value

    def begin(self, words: tuple[int, ...], estimates: int) -> None:
        """Prepare the search of a position."""
        self._row[:] = words
        self._counts[:] = 0
        self._counted = [0] * len(self._counts)
        self._run["estimates"], self._run["next_look"], self._run["top"], self._run["settled_ply"] = (
            estimates,
            0,
            0,
            NOT_SETTLED,
        )
        self._looked_at = perf_counter()

    def value(self, alpha: int, beta: int, depth: int, ply: int, branching: int) -> int:
        """The value of the position."""
        return int(self._compiled.run(self._given, alpha, beta, depth, ply, branching))

    @property
    def estimates(self) -> int:
        """RootedSearch.estimates, after the search."""
        return int(self._run["estimates"][0])

    def allow(self, nodes: float) -> None:
        """Let it search this number of nodes before it asks again."""
        self.granted = self._allowed = int(min(nodes, NEVER))
        self._run["next_look"] = self._counts[0] + self.granted

    def next_slice(self) -> int:
        """The number of nodes until the next look, so that looks take little time and are not noticed."""
        now = perf_counter()
        if self._allowed == self._slice:
            self._slice = next_slice(self._slice, now - self._looked_at, FIRST_SLICE)
        self._looked_at = now
        return self._slice

    def count(self, stats: GameStats) -> None:
        """Add what it has done since the last time to the statistics."""
        counts = self._counts.tolist()
        for name, count, before in zip(COUNTERS, counts, self._counted, strict=False):
            if name == "deepest":
                stats.deepest = max(stats.deepest, count)
            elif count != before:
                setattr(stats, name, getattr(stats, name) + count - before)
        for name, count, before in zip(UNSOUND, counts[len(COUNTERS) :], self._counted[len(COUNTERS) :], strict=True):
            if count != before:
                stats.pruned[name] = stats.pruned.get(name, 0) + count - before
        self._counted, self.granted = counts, 0

    @property
    def fault(self) -> tuple[list[int], int]:
        """The words of the position that stopped the search, and its ply."""
        *words, ply = self._fault.tolist()
        return words, ply

    def line(self, ply: int) -> Chain:
        """The line of play from the position, once it has a value."""
        return chained(self._lines[ply, : int(self._lengths[ply])].tolist())


class CompiledAlphaBeta(RootedSearch):
    """The search of the compiled engine. Call make_ready() first, which compiles code that is not compiled yet.

    Raises InputError for an unsupported switch, CompileError for rules that cannot be compiled.
    """

    def __init__(self, game: Game, settings: Settings, stats: GameStats | None = None, *, threads: int = 1) -> None:
        reason = why_not_compiled(game)
        if reason is not None:
            raise InputError(f"the compiled engine cannot run this search: {reason}, or use engine='python'")
        super().__init__(game, settings, stats)
        assert isinstance(self._domain, GameDomain)
        self._rules = self._domain
        is_selective, is_shared = settings.is_selective, threads > 1
        self._is_shared = is_shared
        parts = (*(SHARED_PARTS if is_shared else ()), *(SELECTIVE_PARTS if is_selective else ()), *PARTS)
        self._compiled = specialise_game(alpha_beta, self._rules, parts, is_selective=is_selective, is_shared=is_shared)
        self._record = self._new_record()
        table = self._table.words if isinstance(self._table, PackedTable) else np.zeros(0, np.int64)
        self._busy = np.zeros(MARKS + 1 if is_shared else 0, np.int8)
        self._searchers = [
            Searcher(self._compiled, self._rules, self._record, settings.killers, table, self._busy) for _ in range(threads)
        ]
        for searcher in self._searchers:
            searcher.ask(partial(self._must_stop, searcher))
        self._lock = RLock()
        self._error: BaseException | None = None
        self._is_on_a_deep_stack = False

    def _new_record(self) -> Array:
        """The settings of the kernel."""
        settings, record = self.settings, _records(1, SETTINGS)
        for name in SWITCHES:
            record[name] = getattr(settings, name) if name != "static_order" else bool(settings.static_order)
        for name in UNSOUND_SWITCHES:
            value = getattr(settings, name)
            record[name] = -1 if value is None else value
        record["singular"] = SINGULAR.index(settings.singular)
        record["is_cutting"], record["is_pvs"], record["is_mtdf"] = self._cuts, self._is_pvs, settings.method == "mtdf"
        record["places"] = self._table.places if isinstance(self._table, PackedTable) else 0
        record["keeps_deeper"] = settings.replacement == "deeper"
        record["mirrored_plies"], record["lineless_plies"] = self._mirrored_plies, self.lineless_plies
        record["foreseen_plies"] = self.foreseen_plies
        if self.soonest is not None:
            record["soonest_win"], record["soonest_loss"] = self.soonest.win, self.soonest.loss
            record["soonest_loss_foreseen"] = self.soonest.loss_foreseen
        record["shared_plies"] = -1
        return record

    @property
    def code(self) -> Template:
        """The compiled function: the same object for all searches in this process that share their code."""
        return self._compiled.code

    def note_data(self) -> None:
        """Note the data that the compiled code reads."""
        self._compiled.noted.complete()

    def check_data(self) -> None:
        """Raise InputError if the data or the code have changed: the table has values for the old ones."""
        self._compiled.noted.check(self._rules, self.game)
        if has_changed(self._compiled, self._rules, is_selective=self.settings.is_selective):
            raise changed("the code", self.game)

    def make_ready(self) -> None:
        """Load the code from disk, or compile it, if this process does not have it. Raises CompileError."""
        searcher = self._searchers[0]
        searcher.begin(as_words(self._rules, self._rules.initial), 0)
        searcher.allow(0)
        self._error = StopSearchError("no node is allowed")  # it is only compiled
        with suppress(StopSearchError):
            searcher.value(0, 0, 0, 1, NO_BRANCHING)

    def is_at_hand(self) -> bool:
        """Whether the code is in this process, or on disk, and so ready soon."""
        try:
            with from_cache_only():
                self.make_ready()
        except NotInCacheError:
            return False
        return True

    def root(
        self,
        state: Position,
        moves: Sequence[Move],
        depth: int,
        lines: int = 1,
        alpha: int = -INFINITY,
        beta: int = INFINITY,
    ) -> list[RootLine]:
        return self._on_a_deep_stack(partial(super().root, state, moves, depth, lines, alpha, beta))

    def value(self, state: Position, alpha: int, beta: int, depth: int, ply: int, *, branching: int | None = None) -> Valued:
        return self._on_a_deep_stack(partial(self._value, state, alpha, beta, depth, ply, branching))

    def _on_a_deep_stack(self, work: Callable[[], _Result]) -> _Result:
        """The result of some work in a thread whose stack is large enough for the longest game."""
        if self._is_on_a_deep_stack:
            return work()
        self._error, self._is_on_a_deep_stack = None, True
        beside = Beside(work)
        try:
            beside.wait(None)
            return beside.result()
        finally:
            if not beside.is_finished:  # Ctrl-C has been pressed twice
                self._error = KeyboardInterrupt()
                while not beside.wait_for(SECONDS_BETWEEN_LOOKS):
                    pass
            self._is_on_a_deep_stack = False

    def _value(self, state: Position, alpha: int, beta: int, depth: int, ply: int, branching: int | None) -> Valued:
        words = as_words(self._rules, state)
        record = self._record
        record["root_depth"], record["root_ply"] = self.root_depth, ply
        if self._is_shared:
            record["shared_plies"] = ply + min(MOST_SHARED_PLIES, depth - LEAST_SHARED_DEPTH)
            self._busy[:] = 0
        for searcher in self._searchers:
            searcher.begin(words, self.estimates)
        if not self._is_shared:
            self._searchers[0].allow(self._next_look - self.stats.nodes)
        window = alpha, beta, depth, ply, NO_BRANCHING if branching is None else branching
        first, *others = self._searchers
        besides = [Beside(partial(self._found, searcher, window)) for searcher in others]
        found = {first: self._found(first, window)}
        for searcher, beside in zip(others, besides, strict=True):
            while not beside.wait_for(SECONDS_BETWEEN_LOOKS):
                pass
            found[searcher] = beside.result()
        for searcher in self._searchers:
            searcher.count(self.stats)
        for searcher, value in found.items():
            if value is not None:
                self.estimates = searcher.estimates
                return value, searcher.line(ply)
        assert self._error is not None
        raise self._error

    def _found(self, searcher: Searcher, window: tuple[int, int, int, int, int]) -> int | None:
        """The value that a thread finds; None if it has been stopped, as `error` or another thread's value explains."""
        value = None
        try:
            value = searcher.value(*window)
        except StopSearchError:
            if self._error is not None and _is_out_of_nodes(self._error):
                return None  # the other threads may still have nodes left
        except FaultyPositionError:
            self._stop_with(_explained(self._rules, *searcher.fault))
        except BaseException as error:
            self._stop_with(error)
        if self._is_shared:
            self._busy[MARKS] = 1
        return value

    def _stop_with(self, error: BaseException) -> None:
        """Note why the search stops, unless it already stops for another reason than the nodes of one thread."""
        if self._error is None or _is_out_of_nodes(self._error):
            self._error = error

    def limit(self, most_nodes: float, stop: Callable[[], str | None] | None) -> None:
        super().limit(most_nodes, stop)
        self._next_look = min(most_nodes, self.stats.nodes + FIRST_SLICE)

    def _must_stop(self, searcher: Searcher) -> int:
        """Called by the kernel: whether a thread must stop. Otherwise it may search for another slice."""
        try:
            with self._lock:
                if self._error is not None and not _is_out_of_nodes(self._error):
                    return 1
                searcher.count(self.stats)
                left = self._most_nodes - self.stats.nodes - sum(other.granted for other in self._searchers)
                if left <= 0:
                    raise StopSearchError("nodes")
                self.look()
                searcher.allow(min(searcher.next_slice(), max(1, left / len(self._searchers))))
                self._next_look = self.stats.nodes + searcher.granted
        except BaseException as error:
            self._stop_with(error)
            return 1
        return 0


def _explained(game: GameDomain, words: list[int], ply: int) -> Exception:
    """The reference engine's error for a position that stopped the search."""
    state = state_of_words(game, words)
    try:
        if game.is_over(state):
            final_value(game, state, ply)
        elif not game.legal_moves(state):
            return no_moves(game, state)
        elif ply > MOST_PLIES:
            return line_too_long(game, state)
        else:
            estimated_value(game, state)
            for move in game.legal_moves(state):
                game_order(game, state, move)
    except Exception as error:
        return error
    return ProblemError(
        f"compiled code and interpreted code differ in position {state!r}; find out where with bf.check(game)"
    )


def _is_out_of_nodes(error: BaseException) -> bool:
    """Whether an error ends only the thread that it stopped: others may still have nodes."""
    return isinstance(error, StopSearchError) and error.why == "nodes"

"""The driver of alpha-beta search: runs alpha_beta_slice with one thread or several.

All threads search the same position with the same window, and share the transposition table. Near the root each postpones
moves that another one is searching, and abandons those that another has settled; the first to finish has the value. So the
result is that of one thread, except for the choice between moves of equal value, and for table entries deeper than
requested.
Source: Weill 1996 (ABDADA), in the form of T. Kerrigan 2017 with marks beside the table.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from time import perf_counter
from typing import Any, NoReturn

import numpy as np

from bestfirst.compiled.compiler.may_compile import NotInCacheError, from_cache_only
from bestfirst.compiled.compiler.specialise_game import specialise_game
from bestfirst.compiled.kernels.alpha_beta import PARTS, SHARED_PARTS, alpha_beta_slice
from bestfirst.compiled.kernels.forward_pruning import SELECTIVE_PARTS
from bestfirst.compiled.kernels.game_frames import (
    ALPHA,
    BETA,
    BRANCHING,
    BUSY_PLACES,
    CONTROLS,
    COUNTERS,
    DEEPEST,
    DEPTH,
    DONE,
    ENDED_BY_OTHER,
    ESTIMATES,
    FAULTY,
    FRAME,
    FULL,
    HEIGHT,
    LENGTH,
    MAY_PASS,
    MOVES,
    NO_BRANCHING,
    NO_MOVE,
    PLY,
    PRUNINGS,
    ROOM,
    ROOT_DEPTH,
    SELECTIVE_SWITCHES,
    SHARED_PLIES,
    START,
    SWITCHES,
    VALUE,
    WITHOUT,
)
from bestfirst.compiled.store.growth import grown
from bestfirst.errors import InputError, ProblemError
from bestfirst.games.domain import GameDomain, as_words
from bestfirst.games.engine.line import chained
from bestfirst.games.engine.packed_table import PackedTable, words_of
from bestfirst.games.engine.rooted import RootedSearch, StopSearchError, Valued
from bestfirst.games.engine.settings import UNSOUND, Settings, why_not_compiled
from bestfirst.games.game import Game, Position, estimated_value, final_value, game_order, no_moves
from bestfirst.games.stats import GameStats
from bestfirst.system.threads import side_by_side
from bestfirst.system.watch import next_slice

FIRST_ROOM = 64
FIRST_SLICE = 2_000
MOST_SHARED_PLIES = 20
"""Threads look at each other's marks down to this ply below their root, unless the horizon is nearer than:"""
LEAST_SHARED_DEPTH = 4


SELECTIVE_NAMES = ("disaster", "futility", "futility_margin", "null_move", "late_moves", "probcut")
"""Names of Settings, in the order of SELECTIVE_SWITCHES; `singular` follows them."""


class Walk:
    """The arrays of one thread: its stack, its killers and history, and its control; all threads share table and busy."""

    def __init__(self, rules: GameDomain, settings: Settings, table: Any, busy: Any, switches: tuple[int, ...]) -> None:
        self._fields, self._key_words = len(rules.State._fields), len(words_of(rules.key(rules.initial)))
        self._killers = settings.killers
        self.control = np.zeros(CONTROLS, np.int64)
        self.control[list(SWITCHES)] = switches
        self.control[SHARED_PLIES] = -1
        values = (getattr(settings, name) for name in SELECTIVE_NAMES)
        singular = -1 if settings.singular is None else ("static", "exclusion").index(settings.singular)
        self.control[list(SELECTIVE_SWITCHES)] = [
            *(-1 if value is None else value for value in values),
            singular,
            settings.singular_margin,
        ]
        self.memory: tuple[Any, ...] = (
            table,
            np.zeros(0, np.int8),
            np.zeros(2 * (MOVES + 1), np.int64),
            np.zeros(MOVES, np.int64),
            np.zeros(MOVES, np.int64),
            busy,
        )
        self.stack: tuple[Any, ...] = (
            np.zeros(0, np.int64),
            np.zeros(0, np.int64),
            np.zeros(0, np.int8),
            np.zeros((0, 0), np.int8),
            np.zeros(0, np.int64),
        )
        self.make_room(FIRST_ROOM)

    def make_room(self, room: int) -> None:
        """Make room for this many plies, keeping the content."""
        rows, frames, moves, old_lines, keys = self.stack
        lines = np.zeros((room, room), np.int8)
        lines[: len(old_lines), : len(old_lines)] = old_lines
        self.stack = (
            grown(rows, room * self._fields),
            grown(frames, room * FRAME),
            grown(moves, room * MOVES),
            lines,
            grown(keys, room * self._key_words),
        )
        table, old_killers, *others = self.memory
        killers = np.full(room * self._killers, NO_MOVE, np.int8)
        killers[: len(old_killers)] = old_killers
        self.memory = (table, killers, *others)
        self.control[ROOM] = room

    def begin(self, words: tuple[int, ...], alpha: int, beta: int, depth: int, ply: int, branching: int | None) -> None:
        """Put the root of a search on the stack: the fields of its state, its window, depth and ply."""
        while ply + 1 >= self.control[ROOM]:
            self.make_room(2 * int(self.control[ROOM]))
        rows, frames, *_others = self.stack
        rows[ply * self._fields : (ply + 1) * self._fields] = words
        frames[ply * FRAME : (ply + 1) * FRAME] = 0
        frames[ply * FRAME + ALPHA], frames[ply * FRAME + BETA], frames[ply * FRAME + DEPTH] = alpha, beta, depth
        frames[ply * FRAME + HEIGHT], frames[ply * FRAME + WITHOUT], frames[ply * FRAME + MAY_PASS] = ply, NO_MOVE, 1
        frames[ply * FRAME + BRANCHING] = NO_BRANCHING if branching is None else branching
        self.control[START] = self.control[PLY] = ply

    @property
    def fields(self) -> list[int]:
        """The fields of the current state."""
        ply = int(self.control[PLY])
        return self.stack[0][ply * self._fields : (ply + 1) * self._fields].tolist()  # type: ignore[no-any-return]

    @property
    def line(self) -> list[int]:
        """The line of play from the root, once it has a value."""
        ply = int(self.control[START])
        _rows, frames, _moves, lines, _keys = self.stack
        return lines[ply, : int(frames[ply * FRAME + LENGTH])].tolist()  # type: ignore[no-any-return]


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
        parts = (*PARTS, *(SELECTIVE_PARTS if is_selective else ()), *(SHARED_PARTS if is_shared else ()))
        self._compiled = specialise_game(
            alpha_beta_slice, self._rules, parts, is_selective=is_selective, is_shared=is_shared
        )
        switches = (
            self._cuts,
            self._is_pvs,
            settings.method == "mtdf",
            settings.hash_move,
            bool(settings.static_order),
            settings.history,
            settings.killers,
            settings.quiescence,
            self.foreseen_plies,
            self._mirrored_plies,
            self.lineless_plies,
            settings.replacement == "deeper",
            *(self.soonest or (0, 0, 0)),
        )
        words = self._table.words if isinstance(self._table, PackedTable) else np.zeros(0, np.int64)
        self._busy = np.zeros(BUSY_PLACES + 1, np.int64)
        self._walks = [Walk(self._rules, settings, words, self._busy, switches) for _ in range(threads)]
        self._slice = FIRST_SLICE

    @property
    def code(self) -> Callable[..., Any]:
        """The compiled function: the same object for all searches in this process that share their code."""
        return self._compiled.code

    def make_ready(self) -> None:
        """Load the code from disk, or compile it, if this process does not have it. Raises CompileError."""
        self._run(self._walks[0], 0)

    def is_at_hand(self) -> bool:
        """Whether the code is in this process, or on disk, and so ready soon."""
        try:
            with from_cache_only():
                self.make_ready()
        except NotInCacheError:
            return False
        return True

    def value(self, state: Position, alpha: int, beta: int, depth: int, ply: int, *, branching: int | None = None) -> Valued:
        words = as_words(self._rules, state)
        self._busy[:] = 0
        for walk in self._walks:
            walk.begin(words, alpha, beta, depth, ply, branching)
            walk.control[: len(COUNTERS)] = walk.control[list(PRUNINGS)] = 0
            walk.control[ROOT_DEPTH] = self.root_depth
            walk.control[ESTIMATES] = self.estimates
            if len(self._walks) > 1:
                walk.control[SHARED_PLIES] = ply + min(MOST_SHARED_PLIES, depth - LEAST_SHARED_DEPTH)
        before = {name: int(getattr(self.stats, name)) for name in COUNTERS}
        before |= {name: self.stats.pruned.get(name, 0) for name in UNSOUND}
        done = None
        while done is None:
            done = self._slices(before)
        self.estimates = int(done.control[ESTIMATES])
        return int(done.control[VALUE]), chained(done.line)

    def _slices(self, before: dict[str, int]) -> Walk | None:
        """Let each thread search for a slice; returns the one that has the value, if any.

        before: the counts at the start of this position's search. Raises StopSearchError if a limit, or Ctrl-C, ends it.
        """
        left, threads = self._most_nodes - self.stats.nodes, len(self._walks)
        if left <= 0:
            raise StopSearchError("nodes")
        budgets = [int(min(self._slice, (left + number) // threads)) for number in range(threads)]
        started, nodes = perf_counter(), self.stats.nodes
        hows = side_by_side([partial(self._run, walk, budget) for walk, budget in zip(self._walks, budgets, strict=True)])
        self._count(before)
        for walk, how in zip(self._walks, hows, strict=True):
            if how == DONE:
                return walk
            if how == FULL:
                walk.make_room(2 * int(walk.control[ROOM]))
            elif how == FAULTY:
                self._complain(walk)
        if FULL not in hows:
            if self.stats.nodes - nodes == threads * self._slice:
                self._slice = next_slice(self._slice, perf_counter() - started, FIRST_SLICE)
            why = self._stop() if self._stop is not None else None
            if why is not None:
                raise StopSearchError(why)
        return None

    def _run(self, walk: Walk, budget: int) -> int:
        """A slice of one thread; unless it ends because its budget is spent, it ends those of the other threads."""
        how = int(self._compiled.run(self._compiled.data, walk.stack, walk.memory, walk.control, budget))
        if how in (DONE, FAULTY):
            self._busy[ENDED_BY_OTHER] = 1
        return how

    def _count(self, before: dict[str, int]) -> None:
        """Add the work of all threads since then to the statistics."""
        done = np.sum([walk.control[: len(COUNTERS)] for walk in self._walks], axis=0)
        for name, count in zip(COUNTERS, done.tolist(), strict=True):
            setattr(self.stats, name, before[name] + count)
        for name, place in zip(UNSOUND, PRUNINGS, strict=True):
            count = before[name] + sum(int(walk.control[place]) for walk in self._walks)
            if count > 0:
                self.stats.pruned[name] = count
        self.stats.deepest = max(before["deepest"], *(int(walk.control[DEEPEST]) for walk in self._walks))

    def _complain(self, walk: Walk) -> NoReturn:
        """Raise the reference engine's error for a position that stopped the search."""
        game, ply = self._rules, int(walk.control[PLY])
        state = game.State(*walk.fields)
        if game.is_over(state):
            final_value(game, state, ply)
        elif not game.legal_moves(state):
            raise no_moves(game, state)
        else:
            estimated_value(game, state)
            for move in game.legal_moves(state):
                game_order(game, state, move)
        raise ProblemError(
            f"compiled code and interpreted code differ in position {state!r}; find out where with bf.check(game)"
        )

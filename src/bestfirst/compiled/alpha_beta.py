"""Alpha-beta, compiled: the twin of games/search.py, as one loop with the path from the root on a stack of arrays.

A slice goes on from a node that is to be entered, until the search has come back to the node where it began, or the budget is
spent before the next node. What a node needs while its moves are searched is in its frame, the ply telling where.
"""

from __future__ import annotations

from time import perf_counter
from typing import TYPE_CHECKING, Any, NoReturn

import numpy as np

from bestfirst.compiled.arrays import grown
from bestfirst.compiled.game_kernels import specialise_game
from bestfirst.compiled.intrinsics import lowest_bit, prefetch
from bestfirst.errors import InputError, ProblemError
from bestfirst.games.domain import PASS, GameDomain, as_words
from bestfirst.games.game import Game, Position, estimated_value, final_value, game_order, no_moves
from bestfirst.games.line import chained
from bestfirst.games.packed_table import (
    BOUND_MASK,
    COMPLETE_SHIFT,
    DEPTH_MASK,
    DEPTH_SHIFT,
    MOVE_MASK,
    MOVE_SHIFT,
    VALUE_SHIFT,
    PackedTable,
)
from bestfirst.games.rooted import RootedSearch, StopSearchError, Valued
from bestfirst.games.score import DECISIVE, INFINITY, MOST_POINTS, WIN
from bestfirst.games.settings import Settings, why_not_compiled
from bestfirst.games.stats import GameStats

if TYPE_CHECKING:
    from bestfirst.compiled.game_names import (
        ALTERNATES,
        CAN_PASS,
        COUNTS_POINTS,
        FIELDS,
        HAS_EVALUATE,
        HAS_IMAGE,
        HAS_IS_OVER_UNWON,
        HAS_NOISY,
        HAS_ORDER,
        HAS_WINNING,
        IMAGES,
        KEY_WORDS,
        NOISY_IS_FORCED,
        as_self,
        evaluate,
        image,
        is_key,
        is_over,
        is_over_unwon,
        key_words,
        legal,
        load_key,
        load_row,
        losing,
        noisy,
        order,
        place_of,
        play,
        score,
        side_to_move,
        store_key,
        store_row,
        whole,
        winning,
    )

COUNTERS = (
    "nodes",
    "ended",
    "estimated",
    "foreseen",
    "quiescent",
    "deepest",
    "cuts",
    "first_cuts",
    "probes",
    "hits",
    "table_cuts",
    "stored",
    "replaced",
    "researches",
    "extensions",
)
"""Of GameStats: the first places of the control array."""
(
    NODES,
    ENDED,
    ESTIMATED,
    FORESEEN,
    QUIESCENT,
    DEEPEST,
    CUTS,
    FIRST_CUTS,
    PROBES,
    HITS,
    TABLE_CUTS,
    STORED,
    REPLACED,
    RESEARCHES,
    EXTENSIONS,
) = range(len(COUNTERS))
# Further places: the estimates of RootedSearch; where the search began, where it is, and the value that it found; the switches.
ESTIMATES, START, PLY, VALUE, ROOM = range(len(COUNTERS), len(COUNTERS) + 5)
SWITCHES = range(ROOM + 1, ROOM + 12)
(
    IS_CUTTING,
    IS_PVS,
    KEEPS_LINES,
    BY_HASH,
    BY_STATIC,
    BY_HISTORY,
    KILLERS,
    IS_QUIESCENT,
    FORESEES,
    MIRRORED_PLIES,
    KEEPS_DEEPER,
) = SWITCHES
CONTROLS = KEEPS_DEEPER + 1

# The frame of a node: its window, which narrows, and depth; alpha as it was; the best value and move; the estimates before it;
# its moves, how many, and which is next; how its child is searched; where its entry of the table is; the length of its line.
ALPHA, BETA, DEPTH, LOW, BEST, BEST_MOVE, BEFORE, COUNT, NEXT, FLAGS, SLOT, LENGTH = range(12)
FRAME = 12
# Flags: a quiescent node; its line is kept; no move wins at once, as the parent saw to that;
# the side to move moves again in the child; the child is searched with the narrowest window; losing moves are left out;
# the move that led here has not won, as the parent saw to that.
IS_QUIET, HAS_LINE, IS_SAFE, IS_AGAIN, IS_SCOUT, IS_FILTERED, IS_UNWON = 1, 2, 4, 8, 16, 32, 64

MOVES = 64
"""More moves than that no position has; a pass is the only one."""
NO_MOVE = -2
RANK = 1 << 32
"""What a killer is promised more than any move that the game's own order can praise; the hash move is promised twice that."""
unsigned = np.uint64
"""An index that is unsigned spares compiled code the test whether it is negative."""
FIRST_ROOM = 64
FIRST_SLICE = 2_000
SECONDS_PER_SLICE = 0.05

DONE, STOPPED, FULL, FAULTY = range(4)
"""How a slice ended: with a value; before a node for which there is no budget, or no room; at a position that is faulty."""


def alpha_beta_slice(data: Any, stack: Any, memory: Any, control: Any, budget: int) -> int:
    """Search on, for at most `budget` nodes: how it ended.

    stack: by ply, the fields of the state, the frame, the moves in the order in which they are tried, the line, and the key.
    memory: the table, the killers by ply, the history by side and move, and room for ordering moves.
    """
    me = as_self(data)
    rows, frames, moves, lines, keys = stack
    table, killers, history, promises, merits = memory
    until = control[NODES] + budget
    is_cutting, is_pvs, keeps_lines = control[IS_CUTTING], control[IS_PVS], control[KEEPS_LINES]
    by_hash, by_static, by_history = control[BY_HASH], control[BY_STATIC], control[BY_HISTORY]
    most_killers, is_quiescent, foresees = control[KILLERS], control[IS_QUIESCENT], control[FORESEES]
    mirrored_plies, keeps_deeper = control[MIRRORED_PLIES], control[KEEPS_DEEPER]
    places = len(table) // (KEY_WORDS + 1)
    room, start, ply = control[ROOM], control[START], control[PLY]
    while True:
        if control[NODES] >= until:
            control[PLY] = ply
            return STOPPED
        if ply + 1 >= room:
            control[PLY] = ply
            return FULL
        control[NODES] += 1
        frame = ply * FRAME
        state = load_row(rows, ply * FIELDS)
        alpha, beta, depth = frames[unsigned(frame + ALPHA)], frames[unsigned(frame + BETA)], frames[unsigned(frame + DEPTH)]
        flags = frames[unsigned(frame + FLAGS)]
        frames[unsigned(frame + LENGTH)] = 0
        is_known, value = True, 0
        slot, hash_move = -1, NO_MOVE
        if flags & IS_QUIET:
            control[QUIESCENT] += 1
        else:
            control[DEEPEST] = max(control[DEEPEST], ply)
            if places > 0 and depth > 0:
                words = key_words(me, state)
                if HAS_IMAGE:
                    if ply <= mirrored_plies:
                        for number in range(IMAGES):
                            other_words = key_words(me, image(me, state, number))
                            if other_words < words:  # noqa: PLR1730  # min of tuples does not compile
                                words = other_words
                store_key(keys, ply * KEY_WORDS, words)
                slot = place_of(words, places)
                prefetch(table, slot)
        if is_over_unwon(me, state) if HAS_IS_OVER_UNWON and flags & IS_UNWON else is_over(me, state):
            control[ENDED] += 1
            value = whole(score(me, state))
            if COUNTS_POINTS:
                if abs(value) > MOST_POINTS:
                    control[PLY] = ply
                    return FAULTY
            elif value != 0:
                value = WIN - ply if value > 0 else ply - WIN
        elif flags & IS_QUIET or depth <= 0:
            best = -INFINITY
            noise = 0
            if HAS_NOISY:
                noise = whole(noisy(me, state)) if is_quiescent else 0
            if noise == 0 or not NOISY_IS_FORCED:
                control[ESTIMATED] += 1
                control[ESTIMATES] += 1
                if HAS_EVALUATE:
                    best = whole(evaluate(me, state))
                    if abs(best) > MOST_POINTS:
                        control[PLY] = ply
                        return FAULTY
                else:
                    best = 0
            value = best
            if best < beta and noise != 0:
                is_known = False
                flags |= IS_QUIET | HAS_LINE
                alpha = max(alpha, best)
                count = 0
                while noise != 0:
                    moves[unsigned(ply * MOVES + count)] = lowest_bit(noise)
                    noise &= noise - 1
                    count += 1
                frames[unsigned(frame + BEST)] = best
                frames[unsigned(frame + COUNT)] = count
        else:
            has_line = keeps_lines != 0 or beta - alpha > 1
            if has_line:
                flags |= HAS_LINE
            wins, lost = 0, 0
            if HAS_WINNING:
                if foresees and not flags & IS_SAFE:
                    wins = whole(winning(me, state))
            if wins != 0:
                control[FORESEEN] += 1
                value = WIN - (ply + 1)
                if has_line:
                    lines[ply, 0] = lowest_bit(wins)
                    frames[unsigned(frame + LENGTH)] = 1
            else:
                left = whole(legal(me, state))
                if left == 0 and not CAN_PASS:
                    control[PLY] = ply
                    return FAULTY
                is_known = False
                if HAS_WINNING:
                    if foresees and depth >= 2 and left != 0:
                        lost = whole(losing(me, state))
                        if left & ~lost == 0:
                            is_known = True
                            control[FORESEEN] += 1
                            value = ply + 2 - WIN
                            if has_line:
                                first = lowest_bit(left)
                                lines[ply, 0] = first
                                lines[ply, 1] = lowest_bit(whole(winning(me, play(me, state, first))))
                                frames[unsigned(frame + LENGTH)] = 2
                        left &= ~lost
                        flags |= IS_FILTERED
                if places > 0 and not is_known:
                    control[PROBES] += 1
                    entry = table[unsigned(slot + KEY_WORDS)]
                    if entry != 0 and is_key(table, slot, load_key(keys, ply * KEY_WORDS)):
                        control[HITS] += 1
                        known = entry >> VALUE_SHIFT
                        if known >= DECISIVE:
                            known -= ply
                        elif known <= -DECISIVE:
                            known += ply
                        bound, is_complete = entry & BOUND_MASK, entry >> COMPLETE_SHIFT & 1
                        hash_move = (entry >> MOVE_SHIFT & MOVE_MASK) - 1
                        if (entry >> DEPTH_SHIFT & DEPTH_MASK >= depth or is_complete) and (
                            bound == EXACT or (known >= beta if bound == LOWER else known <= alpha)
                        ):
                            control[TABLE_CUTS] += 1
                            control[ESTIMATES] += 1 - is_complete
                            is_known, value = True, known
                            if ply > mirrored_plies:
                                lines[ply, 0] = hash_move
                                frames[unsigned(frame + LENGTH)] = 1
                if not is_known:
                    if not by_hash:
                        hash_move = NO_MOVE
                    count = 0
                    if left == 0:
                        moves[unsigned(ply * MOVES)] = PASS
                        count = 1
                    while left != 0:
                        move = lowest_bit(left)
                        left &= left - 1
                        if places > 0:  # it is most likely looked up soon: while the moves are put in order, it is fetched
                            prefetch(table, place_of(key_words(me, play(me, state, move)), places))
                        promise, merit = 0, 0
                        if HAS_ORDER:
                            if by_static:
                                promise = whole(order(me, state, move))
                                if abs(promise) > MOST_POINTS:
                                    control[PLY] = ply
                                    return FAULTY
                        if move == hash_move:
                            promise += 2 * RANK
                        for number in range(most_killers):
                            if killers[unsigned(ply * most_killers + number)] == move:
                                promise += RANK
                        if by_history:
                            merit = history[unsigned((ply & 1) * (MOVES + 1) + move + 1)]
                        place = count
                        while place > 0:
                            other = promises[unsigned(place - 1)]
                            if other > promise or (
                                other == promise and (not by_history or merits[unsigned(place - 1)] >= merit)
                            ):
                                break
                            promises[unsigned(place)] = other
                            moves[unsigned(ply * MOVES + place)] = moves[unsigned(ply * MOVES + place - 1)]
                            if by_history:
                                merits[unsigned(place)] = merits[unsigned(place - 1)]
                            place -= 1
                        promises[unsigned(place)] = promise
                        merits[unsigned(place)] = merit
                        moves[unsigned(ply * MOVES + place)] = move
                        count += 1
                    frames[unsigned(frame + BEST)] = -INFINITY
                    frames[unsigned(frame + COUNT)] = count
        if not is_known:
            frames[unsigned(frame + ALPHA)] = alpha
            frames[unsigned(frame + LOW)] = frames[unsigned(frame + ALPHA)]
            frames[unsigned(frame + BEFORE)] = control[ESTIMATES]
            frames[unsigned(frame + NEXT)] = 0
            frames[unsigned(frame + FLAGS)] = flags
            frames[unsigned(frame + SLOT)] = slot
        while True:
            is_again_deeper = False
            if is_known:
                if ply == start:
                    control[PLY] = ply
                    control[VALUE] = value
                    return DONE
                ply -= 1
                frame = ply * FRAME
                alpha, beta, depth = (
                    frames[unsigned(frame + ALPHA)],
                    frames[unsigned(frame + BETA)],
                    frames[unsigned(frame + DEPTH)],
                )
                flags = frames[unsigned(frame + FLAGS)]
                tried = frames[unsigned(frame + NEXT)]
                move = moves[unsigned(ply * MOVES + tried - 1)]
                if not flags & IS_AGAIN:
                    value = -value
                is_known = False
                if flags & IS_SCOUT and alpha < value < beta:
                    control[RESEARCHES] += 1
                    is_again_deeper = True
                elif value > frames[unsigned(frame + BEST)]:
                    frames[unsigned(frame + BEST)] = value
                    frames[unsigned(frame + BEST_MOVE)] = move
                    if flags & HAS_LINE:
                        length = frames[unsigned(frame + FRAME + LENGTH)]
                        lines[ply, 0] = move
                        for number in range(length):
                            lines[ply, number + 1] = lines[ply + 1, number]
                        frames[unsigned(frame + LENGTH)] = length + 1
                    alpha = max(alpha, value)
                    frames[unsigned(frame + ALPHA)] = alpha
                    if is_cutting and alpha >= beta:
                        control[CUTS] += 1
                        frames[unsigned(frame + COUNT)] = tried  # the others are not searched
                        if not flags & IS_QUIET:
                            control[FIRST_CUTS] += tried == 1
                            if most_killers > 0:
                                note_killer(killers, ply * most_killers, most_killers, move)
                            if by_history:
                                history[unsigned((ply & 1) * (MOVES + 1) + move + 1)] += depth * depth
            next_move = frames[unsigned(frame + NEXT)]
            if is_again_deeper or next_move < frames[unsigned(frame + COUNT)]:
                state = load_row(rows, ply * FIELDS)
                low, high = alpha, beta
                if not is_again_deeper:
                    move = moves[unsigned(ply * MOVES + next_move)]
                    frames[unsigned(frame + NEXT)] = next_move + 1
                    child = play(me, state, move)
                    store_row(rows, (ply + 1) * FIELDS, child)
                    flags &= ~(IS_AGAIN | IS_SCOUT)
                    if not ALTERNATES:
                        if side_to_move(me, state) == side_to_move(me, child):
                            flags |= IS_AGAIN
                    if not flags & IS_QUIET and is_pvs and next_move > 0 and beta - alpha > 1 and alpha > -INFINITY:
                        flags |= IS_SCOUT
                        high = alpha + 1
                else:
                    flags &= ~IS_SCOUT
                if not is_cutting and not flags & IS_QUIET:
                    low, high = -INFINITY, INFINITY
                frames[unsigned(frame + FLAGS)] = flags
                ply += 1
                frame += FRAME
                if flags & IS_AGAIN:
                    frames[unsigned(frame + ALPHA)], frames[unsigned(frame + BETA)] = low, high
                else:
                    frames[unsigned(frame + ALPHA)], frames[unsigned(frame + BETA)] = -high, -low
                frames[unsigned(frame + DEPTH)] = depth - 1
                child_flags = flags & IS_QUIET
                if foresees and not flags & IS_QUIET:
                    child_flags |= IS_UNWON
                if flags & IS_FILTERED and not flags & IS_AGAIN:
                    child_flags |= IS_SAFE
                frames[unsigned(frame + FLAGS)] = child_flags
                break
            value = frames[unsigned(frame + BEST)]
            is_known = True
            if places > 0 and not flags & IS_QUIET:
                slot = frames[unsigned(frame + SLOT)]
                words = load_key(keys, ply * KEY_WORDS)
                old = table[unsigned(slot + KEY_WORDS)]
                is_rival = old != 0 and not is_key(table, slot, words)
                if not (is_rival and keeps_deeper and old >> DEPTH_SHIFT & DEPTH_MASK > depth):
                    control[REPLACED] += is_rival
                    control[STORED] += 1
                    known = value
                    if known >= DECISIVE:
                        known += ply
                    elif known <= -DECISIVE:
                        known -= ply
                    bound = UPPER if value <= frames[unsigned(frame + LOW)] else LOWER if value >= beta else EXACT
                    is_complete = 1 if control[ESTIMATES] == frames[unsigned(frame + BEFORE)] else 0
                    store_key(table, slot, words)
                    table[unsigned(slot + KEY_WORDS)] = (
                        known << VALUE_SHIFT
                        | depth << DEPTH_SHIFT
                        | (frames[unsigned(frame + BEST_MOVE)] + 1) << MOVE_SHIFT
                        | is_complete << COMPLETE_SHIFT
                        | bound
                    )


LOWER, UPPER, EXACT = 1, 2, 3
"""Bound, as compiled code has it."""


def note_killer(killers: Any, at: Any, most: Any, move: Any) -> None:
    """Put a move that cut first among the killers of its ply, unless it is one of them. A part of the template."""
    for number in range(most):
        if killers[at + number] == move:
            return
    for number in range(most - 1, 0, -1):
        killers[at + number] = killers[at + number - 1]
    killers[at] = move


class CompiledAlphaBeta(RootedSearch):
    """The search of the compiled engine. Raises InputError for a switch that it does not have, CompileError for rules that
    cannot be compiled."""

    def __init__(self, game: Game, settings: Settings, stats: GameStats | None = None) -> None:
        reason = why_not_compiled(game, settings)
        if reason is not None:
            raise InputError(f"the compiled engine cannot search this: {reason}, or give engine='python'")
        super().__init__(game, settings, stats)
        assert isinstance(self._domain, GameDomain)
        self._rules = self._domain
        self._compiled = specialise_game(alpha_beta_slice, self._rules, parts=(note_killer,))
        self._control = np.zeros(CONTROLS, np.int64)
        self._control[list(SWITCHES)] = (
            self._cuts,
            self._is_pvs,
            settings.method == "mtdf",
            settings.hash_move,
            settings.static_order,
            settings.history,
            settings.killers,
            settings.quiescence,
            self._foresees,
            self._mirrored_plies,
            settings.replacement == "deeper",
        )
        words = self._table.words if isinstance(self._table, PackedTable) else np.zeros(0, np.int64)
        self._memory: tuple[Any, ...] = (
            words,
            np.zeros(0, np.int8),
            np.zeros(2 * (MOVES + 1), np.int64),
            np.zeros(MOVES, np.int64),
            np.zeros(MOVES, np.int64),
        )
        self._stack: tuple[Any, ...] = ()
        self._slice = FIRST_SLICE
        self._make_room(FIRST_ROOM)
        self._compiled.run(
            self._compiled.data, self._stack, self._memory, self._control, 0
        )  # compiles, before a clock starts

    def _make_room(self, room: int) -> None:
        """Make room for so many plies, keeping what there is."""
        domain, old = self._rules, self._stack
        lines = np.zeros((room, room), np.int8)
        sizes = room * len(domain.State._fields), room * FRAME, room * MOVES
        key_words = len(self._memory[0]) // self._table.places if isinstance(self._table, PackedTable) else 2
        killers = np.full(room * self.settings.killers, NO_MOVE, np.int8)
        table, old_killers, *others = self._memory
        killers[: len(old_killers)] = old_killers
        rows, frames = np.zeros(sizes[0], np.int64), np.zeros(sizes[1], np.int64)
        moves, keys = np.zeros(sizes[2], np.int8), np.zeros(room * key_words, np.int64)
        if old:
            rows, frames, moves, keys = (
                grown(array, size) for array, size in zip((old[0], old[1], old[2], old[4]), (*sizes, len(keys)), strict=True)
            )
            before = len(old[3])
            lines[:before, :before] = old[3]
        self._stack = rows, frames, moves, lines, keys
        self._memory = (table, killers, *others)
        self._control[ROOM] = room

    def value(self, state: Position, alpha: int, beta: int, depth: int, ply: int, *, branching: int | None = None) -> Valued:
        del branching
        while ply + 1 >= self._control[ROOM]:
            self._make_room(2 * int(self._control[ROOM]))
        fields = len(self._rules.State._fields)
        rows, frames, _moves, lines, _keys = self._stack
        rows[ply * fields : (ply + 1) * fields] = as_words(self._rules, state)
        frames[ply * FRAME : (ply + 1) * FRAME] = 0
        frames[ply * FRAME + ALPHA], frames[ply * FRAME + BETA], frames[ply * FRAME + DEPTH] = alpha, beta, depth
        self._control[START] = self._control[PLY] = ply
        self._run()
        _rows, frames, _moves, lines, _keys = self._stack
        length = int(frames[ply * FRAME + LENGTH])
        return int(self._control[VALUE]), chained(lines[ply, :length].tolist())

    def _run(self) -> None:
        """Search in slices until there is a value. Raises StopSearchError where a limit, or Ctrl-C, ends it."""
        control, stats = self._control, self.stats
        for at, name in enumerate(COUNTERS):
            control[at] = getattr(stats, name)
        control[ESTIMATES] = self.estimates
        how = STOPPED
        while how != DONE:
            if stats.nodes >= self._most_nodes:
                raise StopSearchError("nodes")
            budget = int(min(self._slice, self._most_nodes - stats.nodes))
            started, before = perf_counter(), stats.nodes
            how = int(self._compiled.run(self._compiled.data, self._stack, self._memory, control, budget))
            for at, name in enumerate(COUNTERS):
                setattr(stats, name, int(control[at]))
            self.estimates = int(control[ESTIMATES])
            if how == FULL:
                self._make_room(2 * int(control[ROOM]))
            elif how == FAULTY:
                self._complain()
            elif how == STOPPED:
                if stats.nodes - before == self._slice:
                    self._slice = _next_slice(self._slice, perf_counter() - started)
                why = self._stop() if self._stop is not None else None
                if why is not None:
                    raise StopSearchError(why)

    def _complain(self) -> NoReturn:
        """Raise the error of the reference engine for a position that the search cannot go on with."""
        game, ply = self._rules, int(self._control[PLY])
        fields = len(game.State._fields)
        state = game.State(*self._stack[0][ply * fields : (ply + 1) * fields].tolist())
        if game.is_over(state):
            final_value(game, state, ply)
        elif not game.legal_moves(state):
            raise no_moves(game, state)
        else:
            estimated_value(game, state)
            for move in game.legal_moves(state):
                game_order(game, state, move)
        raise ProblemError(f"compiled code and interpreted code differ in position {state!r}; bf.check(game) may tell where")


def _next_slice(nodes: int, seconds: float) -> int:
    """The nodes of the next slice, so that it takes about SECONDS_PER_SLICE."""
    if seconds < SECONDS_PER_SLICE / 2:
        return nodes * 2
    return max(FIRST_SLICE, int(nodes * SECONDS_PER_SLICE / seconds))

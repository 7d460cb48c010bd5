"""What the kernels of alpha-beta search share: the search itself, its records, and how it ends early."""

from __future__ import annotations

from dataclasses import fields
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

import numpy as np

from bestfirst.compiled.compiler.intrinsics import call_host
from bestfirst.games.engine.rooted import StopSearchError
from bestfirst.games.engine.settings import UNSOUND
from bestfirst.games.score import MOST_PLIES, MOST_POINTS, WIN
from bestfirst.games.stats import GameStats

if TYPE_CHECKING:
    from bestfirst.compiled.compiler.game_names import (
        ALTERNATES,
        COUNTS_POINTS,
        FIELDS,
        HAS_EVALUATE,
        Game,
        State,
        evaluate,
        score,
        side_to_move,
        store_row,
        whole,
    )
    from bestfirst.compiled.kernels.perft import Perft
    from bestfirst.compiled.store.aliases import Array

Record: TypeAlias = Any
"""An element of an array of one of the record types below."""
Words: TypeAlias = Any
"""An array, or a tuple, of 64-bit words."""


class Search(NamedTuple):
    """The search of one thread, as AlphaBetaSearch is that of the reference engine.

    table: the transposition table. killers: by ply; history: by side and move. moves: those of the nodes on the path, one node
    after the other. lines: by ply, the line of play that attains the node's value; lengths: of these lines.
    fault: the words of the position that stopped the search, and its ply.
    path, keys, busy: for several threads, see abdada.py.
    """

    game: Game
    settings: Record
    stats: Record
    run: Record
    table: Words
    killers: Array
    history: Words
    moves: Array
    lines: Array
    lengths: Array
    fault: Words
    path: Array
    keys: Words
    busy: Array


COUNTERS = tuple(field.name for field in fields(GameStats) if field.type == "int")
STATS = np.dtype([(name, np.int64) for name in (*COUNTERS, *(f"pruned_{name}" for name in UNSOUND))])
"""The counters of GameStats, and by name those of GameStats.pruned."""

SWITCHES = ("hash_move", "static_order", "history", "killers", "quiescence", "singular_margin")
UNSOUND_SWITCHES = tuple(name for name in UNSOUND if name != "tapered")
"""Names of Settings; those that are unsound are -1 if they are off."""
METHOD = ("is_cutting", "is_pvs", "is_mtdf", "keeps_deeper", "singular")
"""is_cutting: unless the method is minimax. singular: an index of SINGULAR."""
SINGULAR = (None, "static", "exclusion")
NOT_SINGULAR, STATIC, EXCLUSION = range(len(SINGULAR))
SIZES = ("places", "mirrored_plies", "lineless_plies", "foreseen_plies", "root_depth", "root_ply", "shared_plies")
"""Attributes of RootedSearch; places: of the table; root_ply: of the position that is searched; shared_plies: the last ply at
which threads look at each other's marks."""
SOONEST = ("soonest_win", "soonest_loss", "soonest_loss_foreseen")
"""SoonestEnds, or 0 without the switch win_distance."""
SETTINGS = np.dtype([(name, np.int64) for name in (*SWITCHES, *UNSOUND_SWITCHES, *METHOD, *SIZES, *SOONEST)])

RUN = np.dtype([(name, np.int64) for name in ("estimates", "next_look", "host", "top", "settled_ply", "settled_entry")])
"""estimates: as in RootedSearch. next_look: the number of nodes at which the host is asked whether to stop, by calling the
function at the address `host`. top: the first free place on the stack of moves. settled_ply, settled_entry: see abdada.py."""

MOVES = np.dtype([("move", np.int64), ("promise", np.int64), ("merit", np.int64)])
"""A move with its rank among its siblings: by promise, then by merit, its history."""
MOST_MOVES = 64
"""The greatest number of moves of a position; a pass is the only move."""
NO_MOVE = -2
NO_BRANCHING = 1 << 40
"""The branching of a search without tapering."""
NOTHING, UNWON, SAFE = range(3)
"""What the parent has found out about a position: nothing; that its last move has not won; that no next move wins either."""
LOWER, UPPER, EXACT = 1, 2, 3
"""Bound, as ints of compiled code."""
unsigned = np.uint64
"""An unsigned index saves the check for negative values."""


class FaultyPositionError(Exception):
    """The game answers wrongly in the position `fault` of a search."""


def enter(search: Search | Perft) -> None:
    """RootedSearch.enter."""
    if search.stats.nodes >= search.run.next_look:
        look(search)
    search.stats.nodes += 1


def look(search: Search | Perft) -> None:
    """Ask the host whether to stop; it also says when to look next."""
    if call_host(search.run.host) != 0:
        raise StopSearchError("asked by the host")


def check_ply(search: Search, state: State, ply: int) -> None:
    """Stop at a position deeper than the arrays of the search."""
    if ply > MOST_PLIES:
        stop_at(search, state, ply)


def stop_at(search: Search | Perft, state: State, ply: int) -> None:
    """Stop at a position in which the game answers wrongly."""
    store_row(search.fault, 0, state)
    search.fault[FIELDS] = ply
    raise FaultyPositionError


def estimated_value(search: Search, state: State, ply: int) -> int:
    """The game's own estimate, 0 if it has none."""
    estimate = 0
    if HAS_EVALUATE:
        estimate = whole(evaluate(search.game, state))
        if not -MOST_POINTS <= estimate <= MOST_POINTS:
            stop_at(search, state, ply)
    return estimate


def final_value(search: Search, state: State, ply: int) -> int:
    """The value of a position where the game is over."""
    points = whole(score(search.game, state))
    if COUNTS_POINTS:
        if not -MOST_POINTS <= points <= MOST_POINTS:
            stop_at(search, state, ply)
    elif points != 0:
        points = WIN - ply if points > 0 else ply - WIN
    return points


def moves_again(search: Search, state: State, child: State) -> bool:
    """Whether the side to move moves again after the move that leads to the child."""
    is_same = False
    if not ALTERNATES:
        is_same = side_to_move(search.game, state) == side_to_move(search.game, child)
    return is_same


def keep_line(search: Search, ply: int, move: int) -> None:
    """Make the line of a node the move and the line of its child."""
    line, rest = search.lines[ply], search.lines[ply + 1]
    length = search.lengths[ply + 1]
    line[0] = move
    for place in range(length):
        line[place + 1] = rest[place]
    search.lengths[ply] = length + 1


PARTS = (look, enter, stop_at, check_ply, estimated_value, final_value, moves_again, keep_line)
"""The parts of every kernel of alpha-beta search, callees before callers."""

"""Alpha-beta by several threads: marks for the moves that other threads are searching, in addition to the shared table.

Near the root, a thread postpones moves that another one is searching, and leaves a node that another one has settled,
with all below it. Source: Weill 1996 (ABDADA), in the form of T. Kerrigan 2017.

path: by ply, the search of a node on the path of this thread; keys: by ply, the words of the nodes' keys. Both are kept down to
ply shared_plies. busy: the marks, by hash. run.settled_ply: of the topmost node on the path that another thread has settled, to
which this thread returns, and settled_entry: that node's table entry; NOT_SETTLED if there is none.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from bestfirst.compiled.kernels.game_search import Search, Words, unsigned
from bestfirst.compiled.kernels.transposition import key_of, settles, value_at, value_by_table
from bestfirst.games.engine.rooted import StopSearchError

if TYPE_CHECKING:
    from bestfirst.compiled.compiler.game_names import KEY_WORDS, State, is_key, load_key, place_of, play, store_key

PATH = np.dtype([(name, np.int64) for name in ("slot", "alpha", "beta", "depth")])
MARKS = 1 << 14
"""The number of marks; the next index says that a thread has found the value of the root."""
NOT_SETTLED = 1 << 40


def begin_node(search: Search, slot: int, words: Words, alpha: int, beta: int, depth: int, ply: int) -> None:
    """Note how a node is searched."""
    path = search.path[ply]
    path.slot, path.alpha, path.beta, path.depth = slot, alpha, beta, depth
    store_key(search.keys, ply * KEY_WORDS, words)


def postpone_busy(search: Search, state: State, place: int, first: int, last: int, ply: int) -> int:
    """Postpone those moves of a node, but not all, that other threads are searching; mark the next one, and return its mark.

    The first move is never postponed: it shows whether the others matter. place: of the next move; last: of the last one.
    """
    moves, settings = search.moves, search.settings
    mark = 0
    for looked_at in range(last - place + 2):
        move = moves[unsigned(place)].move
        words = key_of(search.game, play(search.game, state, move), ply < settings.mirrored_plies)
        mark = place_of(words, settings.places) // (KEY_WORDS + 1) & MARKS - 1
        if place == first or looked_at == last - place + 1 or search.busy[unsigned(mark)] == 0:
            break
        for other in range(place, last):
            moves[unsigned(other)].move = moves[unsigned(other + 1)].move
        moves[unsigned(last)].move = move
    search.busy[unsigned(mark)] = 1
    return mark


def end_move(search: Search, mark: int, ply: int) -> None:
    """Remove the mark of a move that has been searched, and find out which node on the path another thread has settled.

    Stop if one has found the value of the root.
    """
    search.busy[unsigned(mark)] = 0
    if search.busy[MARKS] != 0:
        raise StopSearchError("found by another thread")
    upper = search.settings.root_ply
    while upper <= ply and search.run.settled_ply > ply:
        entry = settling_entry(search, upper)
        if entry != 0:
            search.run.settled_ply, search.run.settled_entry = upper, entry
        upper += 1


def settling_entry(search: Search, ply: int) -> int:
    """The table entry that settles the node of this ply on the path; 0 if there is none."""
    path = search.path[ply]
    entry: int = search.table[unsigned(path.slot + KEY_WORDS)]
    if entry == 0 or not is_key(search.table, path.slot, load_key(search.keys, ply * KEY_WORDS), entry):
        return 0
    return entry if settles(entry, path.depth, path.alpha, path.beta, value_at(entry, ply)) else 0


def settled_value(search: Search, ply: int) -> int:
    """The value of a node that another thread has settled, if it is the topmost; otherwise any value."""
    run, entry = search.run, search.run.settled_entry
    if run.settled_ply == ply:
        run.settled_ply = NOT_SETTLED
    return value_by_table(search, entry, ply)


PARTS = (begin_node, postpone_busy, settling_entry, end_move, settled_value)
"""Callees before callers."""

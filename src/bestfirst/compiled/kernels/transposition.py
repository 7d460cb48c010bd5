"""The transposition table, compiled: the twin of games/engine/packed_table.py. An entry is its data word, 0 for none."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bestfirst.compiled.compiler.intrinsics import lowest_bit, prefetch
from bestfirst.compiled.kernels.game_search import EXACT, LOWER, Search, Words, unsigned
from bestfirst.games.engine.packed_table import (
    BOUND_MASK,
    COMPLETE_SHIFT,
    DEPTH_MASK,
    DEPTH_SHIFT,
    MOVE_MASK,
    MOVE_SHIFT,
    VALUE_SHIFT,
)
from bestfirst.games.score import DECISIVE

if TYPE_CHECKING:
    from bestfirst.compiled.compiler.game_names import (
        HAS_IMAGE,
        IMAGES,
        KEY_WORDS,
        NO_KEY,
        Game,
        State,
        image,
        is_key,
        key_words,
        place_of,
        play,
        store_entry,
    )


def key_of(game: Game, state: State, is_mirrored: bool) -> Words:
    """The words of a state's key: if images share it, the least of theirs."""
    words = key_words(game, state)
    if HAS_IMAGE:
        if is_mirrored:
            for number in range(IMAGES):
                other_words = key_words(game, image(game, state, number))
                if other_words < words:  # noqa: PLR1730  # min of tuples does not compile
                    words = other_words
    return words


def located(search: Search, state: State, ply: int) -> tuple[Words, int]:
    """The words of a position's key, and the index of its entry; arbitrary ones if there is no table."""
    settings, words, slot = search.settings, NO_KEY, 0
    if settings.places > 0:
        words = key_of(search.game, state, ply <= settings.mirrored_plies)
        slot = place_of(words, settings.places)
        if ply <= settings.mirrored_plies:  # otherwise the parent has begun to fetch it
            prefetch(search.table, slot)
    return words, slot


def probe(search: Search, slot: int, words: Words) -> int:
    """The entry of a position, whose slot is known, or 0."""
    search.stats.probes += 1
    entry: int = search.table[unsigned(slot + KEY_WORDS)]
    if entry != 0 and not is_key(search.table, slot, words, entry):
        entry = 0
    search.stats.hits += entry != 0
    return entry


def fetch_entries(search: Search, state: State, left: int) -> None:
    """Begin to fetch the table entries of all children, as early as possible: memory is slow."""
    while left != 0:
        child = play(search.game, state, lowest_bit(left))
        prefetch(search.table, place_of(key_words(search.game, child), search.settings.places))
        left &= left - 1


def store(
    search: Search, slot: int, words: Words, depth: int, is_complete: bool, bound: int, value: int, move: int, ply: int
) -> None:
    """Write an entry, unless the slot holds a deeper entry for another position."""
    old = search.table[unsigned(slot + KEY_WORDS)]
    if old != 0 and not is_key(search.table, slot, words, old):
        if search.settings.keeps_deeper and depth_of(old) > depth:
            return
        search.stats.replaced += 1
    if value >= DECISIVE:
        value += ply
    elif value <= -DECISIVE:
        value -= ply
    data = value << VALUE_SHIFT | depth << DEPTH_SHIFT | (move + 1) << MOVE_SHIFT | is_complete << COMPLETE_SHIFT | bound
    store_entry(search.table, slot, words, data)
    search.stats.stored += 1


def settles(entry: int, depth: int, alpha: int, beta: int, value: int) -> bool:
    """Entry.settles. value: of the entry, relative to the root."""
    if depth_of(entry) < depth and not is_complete(entry):
        return False
    bound = entry & BOUND_MASK
    return bound == EXACT or (value >= beta if bound == LOWER else value <= alpha)


def value_at(entry: int, ply: int) -> int:
    """The value of an entry for a node at this ply, relative to the root."""
    value = entry >> VALUE_SHIFT
    if value >= DECISIVE:
        value -= ply
    elif value <= -DECISIVE:
        value += ply
    return value


def value_by_table(search: Search, entry: int, ply: int) -> int:
    """The value of a node that an entry settles; its move, if it is one of this position, begins the line."""
    search.stats.table_cuts += 1
    search.run.estimates += not is_complete(entry)
    if ply > search.settings.lineless_plies:
        search.lines[ply, 0] = move_of(entry)
        search.lengths[ply] = 1
    return value_at(entry, ply)


def depth_of(entry: int) -> int:
    """The depth of the search that wrote an entry."""
    return entry >> DEPTH_SHIFT & DEPTH_MASK


def is_complete(entry: int) -> bool:
    """Whether that search used no estimate."""
    return entry >> COMPLETE_SHIFT & 1 != 0


def move_of(entry: int) -> int:
    """The best move of an entry."""
    return (entry >> MOVE_SHIFT & MOVE_MASK) - 1


PARTS = (key_of, located, fetch_entries, probe, depth_of, is_complete, move_of, value_at, value_by_table, store, settles)
"""Callees before callers."""

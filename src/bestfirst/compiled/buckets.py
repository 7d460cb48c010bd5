"""The agenda for orders of small ints: a queue, or a stack, of places for each (primary, secondary).

A bucket is made of chunks of CHUNK places, the last of which is the number of another chunk: in a queue of the next one, in a
stack of the one before. So the nodes that will leave next are known as far ahead as one wants. A node that a cheaper path has
made useless stays in its bucket: it is skipped when its turn comes. The field `open` of a record says whether the node waits.

agenda: (ends, counts, lowest, control, chunks). ends: of each bucket the position in chunks of the place that leaves next (of a
queue), and the one behind the place that came last, 0 for an empty bucket. counts: how many places each primary has. lowest:
the lowest secondary that any of them can have. control: see below. All are unsigned, so that compiled code need not test
whether an index is negative.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from bestfirst.compiled.names import MAX_ACTIONS, open_of, set_open

RECORD_FIELDS = {"open": 1}
"""What this agenda keeps in a record, in bits."""

ENDS, COUNTS, LOWEST, CONTROL, CHUNKS = range(5)

# The places of the control array: the lowest primary that any node can have, the lowest primary and secondary that have no bucket,
# whether equal nodes leave last in first out, how many chunks have ever been used (chunk 0 is none) and how many are in use, and
# the first one of those that are free, which are linked like those of a queue.
CURSOR, PRIMARIES, SECONDARIES, LIFO, USED, TAKEN, FREE = range(7)

CHUNK_BITS = 4
CHUNK = 1 << CHUNK_BITS
LINK = CHUNK - 1
"""The position of the link in a chunk."""

unsigned = np.uint64


def has_room(agenda: Any, primary: Any, secondary: Any) -> Any:
    """Whether there are buckets for nodes of up to this order, and chunks for all children of a node."""
    control = agenda[CONTROL]
    fits = primary < control[PRIMARIES] and secondary < control[SECONDARIES]
    return fits and control[TAKEN] + MAX_ACTIONS <= len(agenda[CHUNKS]) >> CHUNK_BITS


def bucket_of(agenda: Any, primary: Any, secondary: Any) -> Any:
    """Where the ends of a bucket lie: its first one, and after it its last one."""
    return unsigned(2) * (unsigned(primary) * unsigned(agenda[CONTROL][SECONDARIES]) + unsigned(secondary))


def is_waiting(nodes: Any, place: Any) -> Any:
    """Whether a node is on the agenda."""
    return open_of(nodes, place) != 0


def new_chunk(agenda: Any) -> Any:
    """The position of a chunk that is free."""
    control, chunks = agenda[CONTROL], agenda[CHUNKS]
    control[TAKEN] += 1
    chunk = np.int64(control[FREE])
    if chunk == 0:
        chunk = np.int64(control[USED])
        control[USED] += 1
    else:
        control[FREE] = chunks[(chunk << CHUNK_BITS) | LINK]
    return chunk << CHUNK_BITS


def free_chunk(agenda: Any, position: Any) -> None:
    """Give back the chunk of a position."""
    control, chunks = agenda[CONTROL], agenda[CHUNKS]
    chunks[position | LINK] = control[FREE]
    control[FREE] = position >> CHUNK_BITS
    control[TAKEN] -= 1


def drop(agenda: Any) -> None:
    """Take the place that leaves next out of its bucket."""
    ends, counts, lowest, control, chunks = agenda
    primary = control[CURSOR]
    counts[primary] -= 1
    first = bucket_of(agenda, primary, lowest[primary])
    last = first + unsigned(1)
    if control[LIFO] != 0:
        position = np.int64(ends[last]) - 1
        if position & LINK == 0:
            below = np.int64(chunks[position | LINK])
            free_chunk(agenda, position)
            position = np.int64((below << CHUNK_BITS) | LINK if below != 0 else 0)
        ends[last] = position
        return
    position = np.int64(ends[first]) + 1
    ends[first] = position
    if position == ends[last]:
        free_chunk(agenda, position - 1)
        ends[last] = 0
    elif position & LINK == LINK:
        ends[first] = np.int64(chunks[position]) << CHUNK_BITS
        free_chunk(agenda, position)


def next_waiting(nodes: Any, agenda: Any) -> Any:
    """The node that leaves next, of those there are."""
    ends, counts, lowest, control, chunks = agenda
    while True:
        primary = np.int64(control[CURSOR])
        while counts[primary] == 0:
            primary += 1
        control[CURSOR] = primary
        bucket = bucket_of(agenda, primary, lowest[primary])
        if ends[bucket + unsigned(1)] == 0:
            secondary = np.int64(lowest[primary])
            while ends[bucket + unsigned(1)] == 0:
                bucket += unsigned(2)
                secondary += 1
            lowest[primary] = secondary
        position = np.int64(ends[bucket] if control[LIFO] == 0 else ends[bucket + unsigned(1)] - 1)
        place = np.int64(chunks[position])
        if open_of(nodes, place) != 0:
            return place
        drop(agenda)


def upcoming(agenda: Any, number: Any) -> Any:
    """The node that leaves so many places (fewer than CHUNK) after the next one, if none is put before it; -1 where there is none.

    It may turn out to wait no longer.
    """
    ends, _counts, lowest, control, chunks = agenda
    primary = control[CURSOR]
    bucket = bucket_of(agenda, primary, lowest[primary])
    end = np.int64(ends[bucket + unsigned(1)])
    if control[LIFO] != 0:
        position = end - 1 - number
        return np.int64(chunks[position]) if position >= (end - 1) & -CHUNK else -1
    start = np.int64(ends[bucket])
    position = start + number
    if position >= start | LINK and start >> CHUNK_BITS != end >> CHUNK_BITS:
        following = np.int64(chunks[start | LINK]) << CHUNK_BITS
        position += following - (start | LINK)
        start = following
    if start >> CHUNK_BITS == end >> CHUNK_BITS and position >= end:
        return -1
    return np.int64(chunks[position])


def enter(agenda: Any, place: Any, primary: Any, secondary: Any) -> None:
    """Put a node on the agenda. Its record says that it waits."""
    ends, counts, lowest, control, chunks = agenda
    bucket = bucket_of(agenda, primary, secondary)
    end = np.int64(ends[bucket + unsigned(1)])
    if end == 0:
        end = new_chunk(agenda)
        ends[bucket] = end
        chunks[end | LINK] = 0
    elif end & LINK == LINK:
        fresh = new_chunk(agenda)
        if control[LIFO] == 0:
            chunks[end] = fresh >> CHUNK_BITS
        else:
            chunks[fresh | LINK] = end >> CHUNK_BITS
        end = fresh
    chunks[end] = place
    ends[bucket + unsigned(1)] = end + 1
    counts[unsigned(primary)] += 1
    lowest[unsigned(primary)] = min(lowest[unsigned(primary)], secondary)
    control[CURSOR] = min(control[CURSOR], primary)


def leave(nodes: Any, place: Any) -> None:
    """Let a node wait no longer, wherever it is."""
    set_open(nodes, place, 0)


PARTS = (has_room, bucket_of, is_waiting, new_chunk, free_chunk, drop, next_waiting, upcoming, enter, leave)
FIRST_BUCKETS = 64
MOST_BUCKETS = 1 << 26
FIRST_CHUNKS = 1 << 9


class Buckets:
    """The arrays of the agenda."""

    def __init__(self, lifo: bool, max_actions: int) -> None:
        control = np.array([0, FIRST_BUCKETS, 1, lifo, 1, 1, 0], np.uint32)
        chunks = np.zeros((FIRST_CHUNKS + 2 * max_actions) * CHUNK, np.uint32)
        self.arrays = *self._empty(FIRST_BUCKETS, 1), control, chunks

    @staticmethod
    def _empty(primaries: int, secondaries: int) -> tuple[Any, ...]:
        ends, counts = np.zeros(2 * primaries * secondaries, np.uint32), np.zeros(primaries, np.uint32)
        return ends, counts, np.full(primaries, secondaries - 1, np.uint32)

    @property
    def _shape(self) -> tuple[int, int]:
        control = self.arrays[CONTROL]
        return int(control[PRIMARIES]), int(control[SECONDARIES])

    def has_room(self, primary: float, secondary: float) -> bool:
        """Whether there is a bucket for nodes of this order."""
        primaries, secondaries = self._shape
        return primary < primaries and secondary < secondaries

    def suits(self, primary: int, secondary: int) -> bool:
        """Whether buckets up to this order are not too many."""
        primaries, secondaries = self._shape_for(primary, secondary)
        return primaries * secondaries <= MOST_BUCKETS

    def _shape_for(self, primary: int, secondary: int) -> tuple[int, int]:
        primaries, secondaries = self._shape
        return _doubled(primaries, primary + 1), _doubled(secondaries, secondary + 1)

    def bytes_to_grow(self, primary: int, secondary: int) -> int:
        """What the larger arrays will take."""
        if self.has_room(primary, secondary):
            return 2 * int(self.arrays[CHUNKS].nbytes)
        primaries, secondaries = self._shape_for(primary, secondary)
        return 8 * primaries * secondaries + 8 * primaries

    def grow(self, primary: int, secondary: int) -> None:
        """Make buckets for this order; if there are, more chunks."""
        ends, counts, lowest, control, chunks = self.arrays
        if self.has_room(primary, secondary):
            self.arrays = ends, counts, lowest, control, _extended(chunks, 2 * len(chunks))
            return
        primaries, secondaries = self._shape
        more, wider = self._shape_for(primary, secondary)
        wider_ends = np.zeros((more, 2 * wider), np.uint32)
        wider_ends[:primaries, : 2 * secondaries] = ends.reshape(primaries, -1)
        lowest = np.append(lowest, np.full(more - primaries, wider - 1, np.uint32))
        control[[PRIMARIES, SECONDARIES]] = more, wider
        self.arrays = wider_ends.ravel(), _extended(counts, more), lowest, control, chunks

    @property
    def bytes(self) -> int:
        """What the arrays take."""
        return sum(array.nbytes for array in self.arrays)


def _extended(array: Any, size: int) -> Any:
    """A longer array, which ends in zeros. They take memory only where they are written."""
    extended = np.zeros((size, *array.shape[1:]), array.dtype)
    extended[: len(array)] = array
    return extended


def _doubled(size: int, wanted: int) -> int:
    while size < wanted:
        size *= 2
    return size

"""The agenda for priorities that are small ints: a queue, or a stack (LIFO), of node indices for each (primary, secondary).

A bucket consists of chunks of CHUNK entries, the last of which is the index of another chunk: in a queue of the next one,
in a stack of the previous one. So the next nodes are known as far ahead as needed.

agenda: (levels, ends, queues, chunks). levels: for each primary, the row of ends with its buckets, 0 if it has never had a
node; its number of entries; and the lowest secondary that any of them can have. ends: for each bucket the position in
chunks of the next entry (of a queue), and the one behind the newest entry, 0 for an empty bucket. queues: one record, see
QUEUE. Indices are unsigned where that saves compiled code the check for negative ones.

Buckets suit orders with few values, each of many nodes. If they would take much more memory than the nodes, the search
changes to a heap.
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from bestfirst.compiled.compiler.machine_code import Kept
from bestfirst.compiled.store.growth import doubled, grown, record_type
from bestfirst.compiled.store.open_list import OpenNodes, Wanted

if TYPE_CHECKING:
    from bestfirst.compiled.compiler.names import LIFO, open_of
    from bestfirst.compiled.store.aliases import Flag, Int, Nodes, Number, OpenList, Order

LEVEL = record_type(("row", np.uint32), ("count", np.uint32), ("lowest", np.uint32))
ENDS = record_type(("first", np.uint32), ("last", np.uint32))
QUEUE = record_type(
    ("cursor", np.uint32),  # the lowest primary of any node
    ("primaries", np.uint32),  # the lowest one without a bucket
    ("secondaries", np.uint32),  # the lowest secondary without a bucket
    ("used", np.uint32),  # the number of chunks ever used; chunk 0 is unused
    ("taken", np.uint32),  # the number of chunks in use, with chunk 0
    ("free", np.uint32),  # the first of the free chunks, which are linked like those of a queue
    ("rows", np.uint32),  # the number of rows in use; row 0 is unused
)

CHUNK_BITS = 4
CHUNK = 1 << CHUNK_BITS
LINK = CHUNK - 1
"""The position of the link in a chunk."""

unsigned = np.uint64


def has_room(agenda: OpenList, order: Order, g: Number, h: Number, children: Int) -> Flag:
    """Whether buckets exist for nodes up to these g and h, and chunks and rows for `children` of them."""
    _levels, ends, queues, chunks = agenda
    queue = queues[0]
    if g > GREATEST or h > GREATEST:
        return False
    g_first, h_first, h_second = order
    fits = g_first * g + h_first * h < queue.primaries and h_second * h < queue.secondaries
    has_rows = queue.secondaries * (queue.rows + children) <= len(ends)
    return fits and has_rows and queue.taken + children <= len(chunks) >> CHUNK_BITS


def bucket_of(agenda: OpenList, primary: Int, secondary: Int) -> Int:
    """The index of a bucket's ends."""
    levels, _ends, queues, _chunks = agenda
    return unsigned(levels[unsigned(primary)].row) * unsigned(queues[0].secondaries) + unsigned(secondary)


def new_chunk(agenda: OpenList) -> Int:
    """The position of a free chunk."""
    _levels, _ends, queues, chunks = agenda
    queue = queues[0]
    queue.taken += 1
    chunk = np.int64(queue.free)
    if chunk == 0:
        chunk = np.int64(queue.used)
        queue.used += 1
    else:
        queue.free = chunks[(chunk << CHUNK_BITS) | LINK]
    return chunk << CHUNK_BITS


def free_chunk(agenda: OpenList, position: Int) -> None:
    """Free the chunk at a position."""
    _levels, _ends, queues, chunks = agenda
    queue = queues[0]
    chunks[position | LINK] = queue.free
    queue.free = position >> CHUNK_BITS
    queue.taken -= 1


def drop(agenda: OpenList) -> None:
    """Remove the next entry from its bucket."""
    levels, ends, queues, chunks = agenda
    primary = queues[0].cursor
    level = levels[unsigned(primary)]
    level.count -= 1
    bucket = ends[bucket_of(agenda, primary, level.lowest)]
    if LIFO:
        position = np.int64(bucket.last) - 1
        if position & LINK == 0:
            below = np.int64(chunks[position | LINK])
            free_chunk(agenda, position)
            position = np.int64((below << CHUNK_BITS) | LINK if below != 0 else 0)
        bucket.last = position
        return
    position = np.int64(bucket.first) + 1
    bucket.first = position
    if position == bucket.last:
        free_chunk(agenda, position - 1)
        bucket.last = 0
    elif position & LINK == LINK:
        bucket.first = np.int64(chunks[position]) << CHUNK_BITS
        free_chunk(agenda, position)


def next_waiting(nodes: Nodes, agenda: OpenList) -> Int:
    """The next node; the agenda must not be empty."""
    levels, ends, queues, chunks = agenda
    while True:
        primary = np.int64(queues[0].cursor)
        while levels[unsigned(primary)].count == 0:
            primary += 1
        queues[0].cursor = primary
        level = levels[unsigned(primary)]
        at = bucket_of(agenda, primary, level.lowest)
        while ends[at].last == 0:
            at += unsigned(1)
            level.lowest += 1
        position = np.int64(ends[at].last) - 1 if LIFO else np.int64(ends[at].first)
        place = np.int64(chunks[position])
        if open_of(nodes, place) != 0:
            return place
        drop(agenda)


def upcoming(agenda: OpenList, number: Int) -> Int:
    """The node `number` (less than CHUNK) places after the next one, if none enters before it; -1 if it does not exist.

    It may turn out to be superseded.
    """
    levels, ends, queues, chunks = agenda
    primary = queues[0].cursor
    bucket = ends[bucket_of(agenda, primary, levels[unsigned(primary)].lowest)]
    end = np.int64(bucket.last)
    if LIFO:
        position = end - 1 - number
        return np.int64(chunks[position]) if position >= (end - 1) & -CHUNK else -1
    start = np.int64(bucket.first)
    position = start + number
    if position >= start | LINK and start >> CHUNK_BITS != end >> CHUNK_BITS:
        following = np.int64(chunks[start | LINK]) << CHUNK_BITS
        position += following - (start | LINK)
        start = following
    if start >> CHUNK_BITS == end >> CHUNK_BITS and position >= end:
        return -1
    return np.int64(chunks[position])


def enter(agenda: OpenList, order: Order, place: Int, g: Number, h: Number) -> None:
    """Put a node on the agenda."""
    levels, ends, queues, chunks = agenda
    queue = queues[0]
    g_first, h_first, h_second = order
    primary, secondary = g_first * g + h_first * h, h_second * h
    level = levels[unsigned(primary)]
    if level.row == 0:
        level.row = queue.rows
        queue.rows += 1
    bucket = ends[bucket_of(agenda, primary, secondary)]
    end = np.int64(bucket.last)
    if end == 0:
        end = new_chunk(agenda)
        bucket.first = end
        chunks[end | LINK] = 0
    elif end & LINK == LINK:
        fresh = new_chunk(agenda)
        if LIFO:
            chunks[fresh | LINK] = end >> CHUNK_BITS
        else:
            chunks[end] = fresh >> CHUNK_BITS
        end = fresh
    chunks[end] = place
    bucket.last = end + 1
    level.count += 1
    level.lowest = min(level.lowest, secondary)
    queue.cursor = min(queue.cursor, primary)


PARTS = (has_room, bucket_of, new_chunk, free_chunk, drop, next_waiting, upcoming, enter)
FIRST_BUCKETS = 64
FIRST_CHUNKS = 1 << 9
FIRST_ROWS = 16
GREATEST = (1 << 30) - 1
"""A limit of the g and h of nodes in buckets: no order of them overflows."""
GREATEST_WEIGHT = 1 << 16
FREE_BYTES, BYTES_PER_NODE = 1 << 22, 64
"""The memory limit of buckets: a constant, plus this much per node of the search."""


MOST_ANSWERS = 256
"""The number of answers of suit_at_first() that are kept."""


class _Shape(NamedTuple):
    """The sizes of the arrays. secondaries: the length of a row."""

    primaries: int
    secondaries: int
    rows: int
    chunks: int

    @property
    def bytes(self) -> int:
        return LEVEL.itemsize * self.primaries + ENDS.itemsize * self.rows * self.secondaries + 4 * CHUNK * self.chunks


class Buckets(OpenNodes):
    """The arrays of the agenda."""

    def __init__(self) -> None:
        queue = np.array([(0, FIRST_BUCKETS, 1, 1, 1, 0, 1)], QUEUE)
        levels, ends = np.zeros(FIRST_BUCKETS, LEVEL), np.zeros(FIRST_ROWS, ENDS)
        self.arrays = Kept((levels, ends, queue, np.zeros(FIRST_CHUNKS * CHUNK, np.uint32)))
        self._shape = _Shape(FIRST_BUCKETS, 1, FIRST_ROWS, FIRST_CHUNKS)

    def _shape_for(self, wanted: Wanted) -> _Shape:
        queue, shape = self.arrays[2][0], self._shape
        return _Shape(
            doubled(shape.primaries, wanted.primary + 1),
            doubled(shape.secondaries, wanted.secondary + 1),
            doubled(shape.rows, int(queue.rows) + wanted.children),
            doubled(shape.chunks, int(queue.taken) + wanted.children),
        )

    def suits(self, wanted: Wanted, nodes: int) -> bool:
        return self._shape_for(wanted).bytes <= FREE_BYTES + BYTES_PER_NODE * nodes

    def bytes_to_grow(self, wanted: Wanted) -> int:
        return self._shape_for(wanted).bytes

    def grow(self, wanted: Wanted) -> None:
        levels, ends, queues, chunks = self.arrays
        old, new = self._shape, self._shape_for(wanted)
        if (old.secondaries, old.rows) != (new.secondaries, new.rows):
            larger = np.zeros((new.rows, new.secondaries), ENDS)
            larger[: old.rows, : old.secondaries] = ends.reshape(old.rows, -1)
            ends = larger.ravel()
        levels = grown(levels, new.primaries)
        levels["lowest"][old.primaries :] = new.secondaries - 1
        queues[0].primaries, queues[0].secondaries = new.primaries, new.secondaries
        self.arrays = Kept((levels, ends, queues, grown(chunks, CHUNK * new.chunks)))
        self._shape = new


@lru_cache(MOST_ANSWERS)
def suit_at_first(wanted: Wanted) -> bool:
    """Whether buckets suit a search that begins with this wanted room."""
    return Buckets().suits(wanted, 0)

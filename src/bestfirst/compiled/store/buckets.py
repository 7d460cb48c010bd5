"""The agenda for priorities that are small ints: a queue, or a stack, of node indices for each (primary, secondary).

A bucket consists of chunks of CHUNK entries, the last of which is the index of another chunk: in a queue of the next one,
in a stack of the previous one. So the next nodes are known as far ahead as needed. A superseded node stays in its bucket,
and is skipped when popped. The field `open` of a record says whether the node is open.

agenda: (rows, ends, counts, lowest, control, chunks). rows: for each primary that has ever had a node, the row of ends with
its buckets; 0 for the others. ends: for each bucket the position in chunks of the next entry (of a queue), and the one
behind the newest entry, 0 for an empty bucket. counts: the number of entries of each primary. lowest: the lowest secondary
that any of them can have. control: see below. All are unsigned, which saves compiled code the checks for negative indices.

Buckets suit orders with few values, each of many nodes. If they would take much more memory than the nodes, the search
changes to a heap.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

if TYPE_CHECKING:
    from bestfirst.compiled.compiler.names import open_of, set_open

RECORD_FIELDS = {"open": 1}
"""The fields of this agenda in a record, with their bits."""

ROWS, ENDS, COUNTS, LOWEST, CONTROL, CHUNKS = range(6)

# The indices of the control array: the lowest primary of any node, the lowest primary and secondary without a bucket,
# whether ties are last in, first out, the number of chunks ever used (chunk 0 is unused) and in use, the first of the free
# chunks, which are linked like those of a queue, and the number of rows in use (row 0 is unused).
CURSOR, PRIMARIES, SECONDARIES, LIFO, USED, TAKEN, FREE, USED_ROWS = range(8)

CHUNK_BITS = 4
CHUNK = 1 << CHUNK_BITS
LINK = CHUNK - 1
"""The position of the link in a chunk."""

unsigned = np.uint64


def has_room(agenda: Any, order: Any, g: Any, h: Any, children: Any) -> Any:
    """Whether buckets exist for nodes up to these g and h, and chunks and rows for `children` of them."""
    control = agenda[CONTROL]
    if g > GREATEST or h > GREATEST:
        return False
    g_first, h_first, h_second = order
    fits = g_first * g + h_first * h < control[PRIMARIES] and h_second * h < control[SECONDARIES]
    has_rows = 2 * control[SECONDARIES] * (control[USED_ROWS] + children) <= len(agenda[ENDS])
    return fits and has_rows and control[TAKEN] + children <= len(agenda[CHUNKS]) >> CHUNK_BITS


def bucket_of(agenda: Any, primary: Any, secondary: Any) -> Any:
    """The index of the ends of a bucket: its first one, followed by its last one."""
    row = unsigned(agenda[ROWS][unsigned(primary)])
    return unsigned(2) * (row * unsigned(agenda[CONTROL][SECONDARIES]) + unsigned(secondary))


def is_waiting(nodes: Any, place: Any) -> Any:
    """Whether a node is on the agenda."""
    return open_of(nodes, place) != 0


def new_chunk(agenda: Any) -> Any:
    """The position of a free chunk."""
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
    """Free the chunk at a position."""
    control, chunks = agenda[CONTROL], agenda[CHUNKS]
    chunks[position | LINK] = control[FREE]
    control[FREE] = position >> CHUNK_BITS
    control[TAKEN] -= 1


def drop(agenda: Any) -> None:
    """Remove the next entry from its bucket."""
    _rows, ends, counts, lowest, control, chunks = agenda
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
    """The next node; the agenda must not be empty."""
    _rows, ends, counts, lowest, control, chunks = agenda
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
    """The node `number` (less than CHUNK) places after the next one, if none enters before it; -1 if it does not exist.

    It may turn out to be superseded.
    """
    _rows, ends, _counts, lowest, control, chunks = agenda
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


def enter(agenda: Any, order: Any, place: Any, g: Any, h: Any) -> None:
    """Put a node on the agenda and mark its record as open."""
    g_first, h_first, h_second = order
    primary, secondary = g_first * g + h_first * h, h_second * h
    rows, ends, counts, lowest, control, chunks = agenda
    if rows[unsigned(primary)] == 0:
        rows[unsigned(primary)] = control[USED_ROWS]
        control[USED_ROWS] += 1
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
    """Remove a node from the agenda, wherever it is."""
    set_open(nodes, place, 0)


PARTS = (has_room, bucket_of, is_waiting, new_chunk, free_chunk, drop, next_waiting, upcoming, enter, leave)
FIRST_BUCKETS = 64
FIRST_CHUNKS = 1 << 9
FIRST_ROWS = 2
GREATEST = (1 << 30) - 1
"""A limit of the g and h of nodes in buckets: no order of them overflows."""
GREATEST_WEIGHT = 1 << 16
FREE_BYTES, BYTES_PER_NODE = 1 << 22, 64
"""The memory limit of buckets: a constant, plus this much per node of the search."""


class Wanted(NamedTuple):
    """Missing room on an agenda: for this many children, with at most this order."""

    primary: int
    secondary: int
    children: int


class _Shape(NamedTuple):
    """The sizes of the arrays. secondaries: the length of a row."""

    primaries: int
    secondaries: int
    rows: int
    chunks: int

    @property
    def bytes(self) -> int:
        return 12 * self.primaries + 8 * self.rows * self.secondaries + 4 * CHUNK * self.chunks


class Buckets:
    """The arrays of the agenda."""

    def __init__(self, lifo: bool) -> None:
        control = np.array([0, FIRST_BUCKETS, 1, lifo, 1, 1, 0, 1], np.uint32)
        rows, counts, lowest = (np.zeros(FIRST_BUCKETS, np.uint32) for _ in range(3))
        ends, chunks = np.zeros(2 * FIRST_ROWS, np.uint32), np.zeros(FIRST_CHUNKS * CHUNK, np.uint32)
        self.arrays: tuple[Any, ...] = rows, ends, counts, lowest, control, chunks

    @property
    def _shape(self) -> _Shape:
        primaries, secondaries = (int(self.arrays[CONTROL][at]) for at in (PRIMARIES, SECONDARIES))
        return _Shape(
            primaries, secondaries, len(self.arrays[ENDS]) // (2 * secondaries), len(self.arrays[CHUNKS]) >> CHUNK_BITS
        )

    def _shape_for(self, wanted: Wanted) -> _Shape:
        control, shape = self.arrays[CONTROL], self._shape
        return _Shape(
            _doubled(shape.primaries, wanted.primary + 1),
            _doubled(shape.secondaries, wanted.secondary + 1),
            _doubled(shape.rows, int(control[USED_ROWS]) + wanted.children),
            _doubled(shape.chunks, int(control[TAKEN]) + wanted.children),
        )

    def suits(self, wanted: Wanted, nodes: int) -> bool:
        """Whether the wanted buckets do not take much more memory than this many nodes."""
        return self._shape_for(wanted).bytes <= FREE_BYTES + BYTES_PER_NODE * nodes

    def bytes_to_grow(self, wanted: Wanted) -> int:
        """The bytes of the larger arrays."""
        return self._shape_for(wanted).bytes

    def grow(self, wanted: Wanted) -> None:
        """Make room for the wanted children."""
        rows, ends, counts, lowest, control, chunks = self.arrays
        old, new = self._shape, self._shape_for(wanted)
        if (old.secondaries, old.rows) != (new.secondaries, new.rows):
            larger = np.zeros((new.rows, 2 * new.secondaries), np.uint32)
            larger[: old.rows, : 2 * old.secondaries] = ends.reshape(old.rows, -1)
            ends = larger.ravel()
        lowest = _extended(lowest, new.primaries)
        lowest[old.primaries :] = new.secondaries - 1
        control[[PRIMARIES, SECONDARIES]] = new.primaries, new.secondaries
        self.arrays = (
            _extended(rows, new.primaries),
            ends,
            _extended(counts, new.primaries),
            lowest,
            control,
            _extended(chunks, CHUNK * new.chunks),
        )

    @property
    def bytes(self) -> int:
        """The bytes of the arrays."""
        return sum(array.nbytes for array in self.arrays)


def _extended(array: Any, size: int) -> Any:
    """An array of this length that begins like the given one and is padded with zeros; the array itself if it is long
    enough."""
    if len(array) == size:
        return array
    extended = np.zeros(size, array.dtype)
    extended[: len(array)] = array
    return extended


def _doubled(size: int, wanted: int) -> int:
    while size < wanted:
        size *= 2
    return size

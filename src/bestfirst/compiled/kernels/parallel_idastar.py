"""IDA* with several threads: node for node the search of one thread, however many there are.

An iteration begins with one thread. It expands level by level from the root until enough subtrees, called jobs, exist, and
notes for each the counts of the search when it reaches the job. Then the threads take the jobs one after another. A job in
which a goal is found ends the iteration, but only after all jobs ahead of it have been searched: one of them may contain a
goal that comes first. The counts are then those noted for the job, those of the jobs ahead of it, and those within
it up to the goal; so later jobs, which some thread may have begun, leave no trace.

The rows of the roots of all jobs are kept, with the indices of their parents' rows: from them a thread copies the path to
its job.
Source: Rao, Kumar & Ramesh 1987, for searching the subtrees of an iteration in parallel.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from bestfirst.compiled.compiler.intrinsics import fetch_add
from bestfirst.compiled.kernels.idastar import (
    COUNTS,
    EXHAUSTED,
    EXPANDED,
    FAULTY,
    FELL,
    FOUND,
    JOB,
    LONGEST,
    NO_DEPTH,
    NOT_KNOWN,
    REPEATS,
    STACK,
    STOPPED,
    idastar_slice,
)

if TYPE_CHECKING:
    from bestfirst.compiled.compiler.names import WORDS

# The indices of the shared array: the next job, the expansions left, and the jobs found for the next level.
NEXT, BUDGET, FOUND_JOBS = range(3)

NO_JOB = -1
PLENTY = 1 << 60

FIRST_COUNT = COUNTS.start
KINDS = COUNTS.stop - COUNTS.start
"""The number of counts."""
LONGEST_KIND = LONGEST - FIRST_COUNT
NOTHING = np.zeros((1, KINDS), np.int64)
"""The counts at the start, as a table of one row."""

JOBS_PER_THREAD = 256
"""An iteration is split into this many jobs: they differ in size, and at the end no thread should wait long for the
others."""
MOST_LEVELS = 64
FEWEST_SHARED = 20_000
"""The minimum number of expansions worth sharing: one thread finishes fewer while others would still be starting."""
FEWEST_SPLIT = 30_000
"""After an iteration with this many expansions the next one is split; splitting takes longer than searching a small one."""
CHUNKS_PER_THREAD = 64
"""The number of chunks of a slice's budget: at its end no thread waits longer than one chunk takes."""


def begin_job(stack: Any, path: Any, control: Any, rows: Any, parents: Any, at: Any, depth: int) -> None:
    """Go to the root of the job with this row, which then is alone on the stack, with all counts 0.

    The path begins with the search's root.
    """
    for place in range(depth, 0, -1):
        for word in range(WORDS):
            path[place * WORDS + word] = rows[at, word]
        at = parents[at]
    for word in range(WORDS):
        stack[word] = path[depth * WORDS + word]
    control[STACK] = 1
    if control[REPEATS] != NO_DEPTH:
        control[REPEATS] = NOT_KNOWN
    for kind in range(KINDS):
        control[FIRST_COUNT + kind] = 0


def note_children(stack: Any, control: Any, deeper: Any, noted: Any, shared: Any, job: int) -> None:
    """Make jobs of the next level from all nodes on the stack, which are the children of a job's root."""
    at = control[STACK] * WORDS
    while at > 0:
        at -= WORDS
        child = shared[FOUND_JOBS]
        shared[FOUND_JOBS] += 1
        for word in range(WORDS):
            deeper[child, word] = stack[at + word]
        noted[child, 0] = job
        for kind in range(KINDS):
            noted[child, 1 + kind] = control[FIRST_COUNT + kind]


def jobs_slice(
    data: Any,
    automaton: Any,
    stack: Any,
    path: Any,
    control: Any,
    rows: Any,
    parents: Any,
    counts: Any,
    deeper: Any,
    noted: Any,
    shared: Any,
    bound: Any,
    next_bound: Any,
    depth: int,
    chunk: int,
) -> Any:
    """Search jobs until the threads' shared budget is used up; return (how it ended, the lowest f cut, as a word).

    rows, parents: of the roots, see Jobs. counts: by job, its counts, once it is done. depth: of the roots. chunk: the
    expansions taken from the budget at a time. deeper: if it has rows, only the root of each job is expanded (chunk must be
    1), and its children become jobs of the next level: their rows are stored there, and in `noted` the parent and the counts
    so far.
    EXHAUSTED: no job is left. FOUND and FAULTY: no thread takes a job after that.
    """
    jobs = len(counts)
    while True:
        if control[JOB] == NO_JOB:
            job = fetch_add(shared, NEXT, 1)
            if job >= jobs:
                return EXHAUSTED, next_bound
            control[JOB] = job
            begin_job(stack, path, control, rows, parents, len(rows) - jobs + job, depth)
        left = fetch_add(shared, BUDGET, -chunk)
        before = control[EXPANDED]
        how, next_bound = idastar_slice(data, automaton, stack, path, control, bound, next_bound, max(0, min(chunk, left)))
        used = control[EXPANDED] - before
        fetch_add(shared, BUDGET, chunk - used)
        is_split = len(deeper) > 0 and used > 0 and how != FAULTY
        if is_split:
            note_children(stack, control, deeper, noted, shared, control[JOB])
        if is_split or how == EXHAUSTED:
            for kind in range(KINDS):
                counts[control[JOB], kind] = control[FIRST_COUNT + kind]
            control[JOB] = NO_JOB
            if how != FELL:
                continue
        if how != STOPPED or left <= chunk:
            if how in (FOUND, FAULTY):
                fetch_add(shared, NEXT, jobs)
                fetch_add(shared, BUDGET, -PLENTY)
            return how, next_bound

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

from typing import TYPE_CHECKING

from bestfirst.compiled.compiler.intrinsics import fetch_add
from bestfirst.compiled.kernels.idastar import (
    EXHAUSTED,
    FAULTY,
    FELL,
    FOUND,
    NOT_KNOWN,
    STOPPED,
    WORTHWHILE,
)
from bestfirst.compiled.kernels.iterations import iterations_slice
from bestfirst.compiled.store.walks import Records, write_counts

if TYPE_CHECKING:
    from bestfirst.compiled.store.aliases import Array, Int, Self

# The indices of the shared array: the next job, the expansions left, and the jobs found for the next level.
NEXT, BUDGET, FOUND_JOBS = range(3)

NO_JOB = -1
PLENTY = 1 << 60


def begin_job(walk: Records, stack: Records, path: Records, roots: Records, parents: Array, at: Int, depth: int) -> None:
    """Go to the root of the job at this index, which then is alone on the stack, with all counts 0.

    The path begins with the search's root.
    """
    for place in range(depth, 0, -1):
        path[place] = roots[at]
        at = parents[at]
    stack[0] = path[depth]
    walk.height = 1
    if walk.repeat_depth != WORTHWHILE:
        walk.repeat_depth = NOT_KNOWN
    walk.expanded = walk.generated = walk.pruned = walk.longest = walk.dead_ends = walk.inconsistent = 0


def note_children(walk: Records, stack: Records, deeper: Records, noted: Array, shared: Array) -> None:
    """Make jobs of the next level from all nodes on the stack, which are the children of a job's root."""
    for place in range(walk.height - 1, -1, -1):
        child = shared[FOUND_JOBS]
        shared[FOUND_JOBS] += 1
        deeper[child] = stack[place]
        noted[child, 0] = walk.job
        write_counts(noted[child, 1:], walk)


def jobs_slice(
    data: Self,
    inverses: Array,
    automaton: Array,
    walks: Records,
    stack: Records,
    path: Records,
    roots: Records,
    parents: Array,
    counts: Array,
    deeper: Records,
    noted: Array,
    shared: Array,
    depth: int,
    ended: Records,
    large: int,
    chunk: int,
) -> int:
    """Search jobs until the threads' shared budget is used up; return how it ended.

    roots, parents, depth: see Jobs. counts: by job, its counts, once it is done. chunk: the expansions taken from the budget
    at a time. deeper: if it has rows, only the root of each job is expanded (chunk must be 1), and its children become jobs of
    the next level: they are stored there, and in `noted` the parent and the counts so far. ended, large: see
    iterations_slice(); rows only if the one job is a whole iteration, and the chunk the whole budget.
    EXHAUSTED: no job is left. FOUND and FAULTY: no thread takes a job after that.
    """
    jobs = len(counts)
    walk = walks[0]
    while True:
        if walk.job == NO_JOB:
            job = fetch_add(shared, NEXT, 1)
            if job >= jobs:
                return EXHAUSTED
            walk.job = job
            begin_job(walk, stack, path, roots, parents, len(roots) - jobs + job, depth)
        left = fetch_add(shared, BUDGET, -chunk)
        how = iterations_slice(data, inverses, automaton, walks, stack, path, ended, large, max(0, min(chunk, left)))
        fetch_add(shared, BUDGET, chunk - walk.used)
        is_split = len(deeper) > 0 and walk.used > 0 and how != FAULTY
        if is_split:
            note_children(walk, stack, deeper, noted, shared)
        if is_split or how == EXHAUSTED:
            write_counts(counts[walk.job], walk)
            walk.job = NO_JOB
            if how != FELL:
                continue
        if how != STOPPED or left <= chunk:
            if how in (FOUND, FAULTY):
                fetch_add(shared, NEXT, jobs)
                fetch_add(shared, BUDGET, -PLENTY)
            return how

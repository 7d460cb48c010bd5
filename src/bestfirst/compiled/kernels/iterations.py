"""IDA*, compiled: several iterations in one call, which saves the time between short ones.

Between two calls, Python takes as long as the compiled search takes for a thousand expansions.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from bestfirst.compiled.kernels.controlled_idastar import controlled_slice
from bestfirst.compiled.kernels.idastar import EXHAUSTED, NOT_KNOWN, WORTHWHILE, idastar_slice
from bestfirst.compiled.store.totals import no_total
from bestfirst.compiled.store.walks import Records

if TYPE_CHECKING:
    from bestfirst.compiled.compiler.names import HAS_CONTROL
    from bestfirst.compiled.store.aliases import Array, Self


def begin_next(walk: Records, stack: Records, path: Records, ended: Records) -> None:
    """Write down the counts of the iteration that has ended, and the bound of the next one; then go to the root, which is alone on
    the stack."""
    row = ended[walk.ended]
    row.next_bound = walk.next_bound
    row.expanded, row.generated, row.pruned = walk.expanded, walk.generated, walk.pruned
    row.longest, row.dead_ends, row.inconsistent = walk.longest, walk.dead_ends, walk.inconsistent
    walk.ended += 1
    walk.bound, walk.next_bound = walk.next_bound, no_total()
    walk.expanded = walk.generated = walk.pruned = walk.longest = walk.dead_ends = walk.inconsistent = 0
    walk.fall_depth = walk.fall_action = 0
    walk.height, walk.depth, walk.repeat_depth = 1, 0, NOT_KNOWN
    stack[0] = path[0]


def iterations_slice(
    data: Self,
    inverses: Array,
    automaton: Array,
    walks: Records,
    stack: Records,
    path: Records,
    ended: Records,
    large: int,
    budget: int,
) -> int:
    """Search for at most `budget` expansions, in this iteration and in those that follow; return how the last one ended.

    ended: rows for iterations that end here and have a successor; the first walk.ended of them are filled. The last iteration
    can end EXHAUSTED although another one follows: if no row is left, or if it took `large` expansions or more. walk.used: the
    expansions of the slice. The root of the search must not be a goal. See idastar_slice() for the others.
    """
    walk = walks[0]
    walk.ended = walk.used = 0
    while True:
        before = walk.expanded
        if HAS_CONTROL:
            how = controlled_slice(data, inverses, automaton, walks, stack, path, budget - walk.used)
        else:
            how = idastar_slice(data, inverses, automaton, walks, stack, path, budget - walk.used)
        walk.used += walk.expanded - before
        has_next = how == EXHAUSTED and walk.repeat_depth == WORTHWHILE and walk.next_bound < no_total()
        if not has_next or walk.expanded >= large or walk.ended == len(ended):
            return how
        begin_next(walk, stack, path, ended)


PARTS = (begin_next,)

"""IDA* on tasks, compiled: the twin of search/idastar.py.

The path is a stack of packed states. The operators still untried at its nodes are on a second stack: those that apply, in the
order of the task; or those whose children are within the bound, by f.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from bestfirst.compiled.kernels.slices import COSTLY, EXHAUSTED, FOUND, FULL, STOPPED
from bestfirst.compiled.tasks import tables
from bestfirst.compiled.tasks.evaluation import DEAD_END
from bestfirst.compiled.tasks.nodes import MOST_G
from bestfirst.compiled.tasks.start import NOT_MADE, estimate_start
from bestfirst.compiled.tasks.tables import applicable, hold, make_child, unpack

if TYPE_CHECKING:
    from bestfirst.compiled.store.aliases import Array, Arrays, Flag, Int, Search, Searches
    from bestfirst.compiled.tasks.names import evaluate

OWN_FIELDS = (
    "by_f",  # whether children are tried in the order of f
    "bound",
    "next_bound",  # the lowest f above the bound
    "depth",  # of the last node on the path
    "waits",  # whether that is still to be expanded
    "worthwhile",  # whether the bound has cut a path without repeated states
    "repeated",  # until then: the depth at which the path first repeats a state, or NEVER
    "fall_depth",  # of the first node to which f fell
)
NEVER = 1 << 62
"""A depth and a bound above all others."""
KEPT, CUT, TOO_COSTLY = range(3)


def is_same(states: Array, width: Int, one: Int, other: Int) -> bool:
    """Whether two nodes on the path have the same state."""
    for word in range(width):  # noqa: SIM110  (compiled code has no all())
        if states[np.uint64(one * width + word)] != states[np.uint64(other * width + word)]:
            return False
    return True


def is_on_path(states: Array, width: Int, place: Int) -> bool:
    """Whether the state at a place is one of those before it."""
    for before in range(place):  # noqa: SIM110  (compiled code has no any())
        if is_same(states, width, before, place):
            return True
    return False


def closes_a_zero_cycle(states: Array, width: Int, gs: Array, place: Int, g: Int) -> bool:
    """Whether the state at a place, reached with this g, is one before it that was reached with the same g."""
    before = place - 1
    while before >= 0 and gs[np.uint64(before)] >= g:
        if is_same(states, width, before, place):
            return True
        before -= 1
    return False


def judged(search: Search, task: Arrays, path: Arrays, evaluation: Arrays, room: Arrays, operator: Int) -> Int:
    """Make the child of the last node by an operator, in the place after it; return what becomes of it."""
    fields, _tree, patch_ends, patches, _change_ends, _changes, conditions, costs, _goal = task
    states, gs, hs, operators, _nexts, _ends, fall_operators, fall_hs = path
    values, _found, _waiting, sizes = room
    heuristic, scratch = evaluation
    width, depth = sizes[0], search.depth
    place = depth + 1
    make_child(states, depth * width, states, place * width, width, operator, (patch_ends, patches, conditions))
    if depth > 0 and is_same(states, width, depth - 1, place):
        return CUT
    g = gs[np.uint64(depth)] + costs[np.uint64(operator)]
    if g > MOST_G:
        return TOO_COSTLY
    search.generated += 1
    unpack(states, place * width, fields, values)
    h = evaluate(values, heuristic, scratch)
    f = g + h
    if h == DEAD_END:
        search.pruned += 1
        search.dead_ends += 1
        return CUT
    if f > search.bound:
        search.pruned += 1
        search.next_bound = min(search.next_bound, f)
        if search.worthwhile == 0 and search.repeated > depth and not is_on_path(states, width, place):
            search.worthwhile = 1
        return CUT
    if g == gs[np.uint64(depth)] and closes_a_zero_cycle(states, width, gs, place, g):
        search.pruned += 1
        return CUT
    gs[np.uint64(place)], hs[np.uint64(place)], operators[np.uint64(place)] = g, h, operator
    if f < gs[np.uint64(depth)] + hs[np.uint64(depth)]:
        if search.falls == 0:
            search.fall_depth = place
            for number in range(place + 1):
                fall_operators[number], fall_hs[number] = operators[number], hs[number]
        search.falls += 1
    return KEPT


def put_in_order(untried: Arrays, begin: Int, end: Int, operator: Int, f: Int) -> None:
    """Put an operator among those of its node, after those whose children have the same f."""
    numbers, keys = untried
    while end > begin and keys[np.uint64(end - 1)] > f:
        numbers[np.uint64(end)], keys[np.uint64(end)] = numbers[np.uint64(end - 1)], keys[np.uint64(end - 1)]
        end -= 1
    numbers[np.uint64(end)], keys[np.uint64(end)] = operator, f


def go_back_to(task: Arrays, path: Arrays, width: Int, depth: Int, operator: Int, f: Int) -> None:
    """Make a child again that was within the bound."""
    _fields, _tree, patch_ends, patches, _change_ends, _changes, conditions, costs, _goal = task
    states, gs, hs, operators, _nexts, _ends, _fall_operators, _fall_hs = path
    make_child(states, depth * width, states, (depth + 1) * width, width, operator, (patch_ends, patches, conditions))
    g = gs[np.uint64(depth)] + costs[np.uint64(operator)]
    gs[np.uint64(depth + 1)], hs[np.uint64(depth + 1)], operators[np.uint64(depth + 1)] = g, f - g, operator


def note_repetition(search: Search, states: Array, width: Int) -> None:
    """Note whether the path first repeats a state at its last node."""
    if search.worthwhile == 0 and search.repeated >= search.depth:
        search.repeated = search.depth if is_on_path(states, width, search.depth) else NEVER


def has_room(path: Arrays, untried: Arrays, depth: Int, operators: Int) -> Flag:
    """Whether there is room for a child of a node at this depth, and for so many operators."""
    return depth + 1 < len(path[1]) and operators <= len(untried[0])


def idastar_slice(
    searches: Searches, task: Arrays, path: Arrays, untried: Arrays, evaluation: Arrays, room: Arrays, budget: int
) -> int:
    """Search one iteration for at most `budget` expansions; return how it ended.

    task: TaskTables.arrays. path: the words of the states; for each node g, h, its operator, the place of its next untried
    operator and the one after its last; and for the first node to which f fell, the operators and h of its path. untried:
    operators, and f of their children if these are tried in the order of f. evaluation: the tables of the heuristic, and its
    scratch. room: values, operators and forks of an expansion, and the number of words.
    """
    search = searches[0]
    states, gs, hs, _operators, nexts, ends, _fall_operators, _fall_hs = path
    numbers, keys = untried
    values, found, waiting, sizes = room
    width = sizes[0]
    if search.start == NOT_MADE:
        estimate_start(search, states, task[0], values, evaluation)
        return STOPPED
    until = search.expanded + budget
    while True:
        if search.waits != 0:
            depth = search.depth
            search.peak = max(search.peak, depth + 1)
            if search.expanded >= until:
                return STOPPED
            begin = ends[np.uint64(depth - 1)] if depth > 0 else np.int64(0)
            count = applicable(states, depth * width, task[1], found, waiting)
            if not has_room(path, untried, depth, begin + count):
                return FULL
            search.waits = 0
            search.expanded += 1
            note_repetition(search, states, width)
            end = begin
            for number in range(count):
                operator = found[np.uint64(number)]
                if search.by_f == 0:
                    numbers[np.uint64(end)] = operator
                else:
                    fate = judged(search, task, path, evaluation, room, operator)
                    if fate == TOO_COSTLY:
                        return COSTLY
                    if fate == CUT:
                        continue
                    put_in_order(untried, begin, end, operator, gs[np.uint64(depth + 1)] + hs[np.uint64(depth + 1)])
                end += 1
            nexts[np.uint64(depth)], ends[np.uint64(depth)] = begin, end
        depth = search.depth
        turn = nexts[np.uint64(depth)]
        if turn == ends[np.uint64(depth)]:
            if depth == 0:
                return EXHAUSTED
            search.depth -= 1
            continue
        nexts[np.uint64(depth)] = turn + 1
        operator = numbers[np.uint64(turn)]
        if search.by_f == 0:
            fate = judged(search, task, path, evaluation, room, operator)
            if fate == TOO_COSTLY:
                return COSTLY
            if fate == CUT:
                continue
        else:
            go_back_to(task, path, width, depth, operator, keys[np.uint64(turn)])
        search.depth, search.waits = depth + 1, 1
        if hold(states, (depth + 1) * width, task[6], task[8][0], task[8][1]):
            return FOUND


PARTS = (
    *tables.PARTS,
    is_same,
    is_on_path,
    closes_a_zero_cycle,
    judged,
    put_in_order,
    go_back_to,
    note_repetition,
    has_room,
)

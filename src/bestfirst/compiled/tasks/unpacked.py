"""States of a task in kernels: packed in words where they are kept, as one value per variable where they are used.

The functions are parts of kernels. rules: the arrays of a task, from rules_of().
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from bestfirst.compiled.compiler.machine_code import Kept
from bestfirst.planning.successor_tree import SuccessorTree
from bestfirst.state_packing import WORD
from bestfirst.words import HASH_FACTOR, HASH_SHIFT

if TYPE_CHECKING:
    from bestfirst.compiled.store.aliases import Array, Arrays, Flag, Int, Table
    from bestfirst.planning.task import Task

EMPTY = -1
_FACTOR, _SHIFT = np.uint64(HASH_FACTOR), np.uint64(HASH_SHIFT)
PLACES, GOAL, TREE, COSTS, NAMES, STARTS, EFFECTS, WIDTH = range(8)


def unpack(rules: Arrays, words: Array, place: Int, values: Array) -> None:
    """The values of the variables of a state."""
    places = rules[PLACES]
    start = place * rules[WIDTH][0]
    for variable in range(len(values) - 1):
        word = words[np.uint64(start + places[np.uint64(3 * variable)])]
        values[np.uint64(variable)] = (word >> places[np.uint64(3 * variable + 1)]) & places[np.uint64(3 * variable + 2)]


def pack(rules: Arrays, values: Array, words: Array, place: Int) -> None:
    """Store a state."""
    places, width = rules[PLACES], rules[WIDTH][0]
    start = place * width
    for at in range(width):
        words[np.uint64(start + at)] = 0
    for variable in range(len(values) - 1):
        at = np.uint64(start + places[np.uint64(3 * variable)])
        words[at] |= np.int64(values[np.uint64(variable)]) << places[np.uint64(3 * variable + 1)]


def apply(rules: Arrays, values: Array, operator: Int, following: Array) -> None:
    """The values after an operator."""
    starts, effects = rules[STARTS], rules[EFFECTS]
    for variable in range(len(values)):
        following[np.uint64(variable)] = values[np.uint64(variable)]
    at = starts[np.uint64(operator)]
    while at < starts[np.uint64(operator + 1)]:
        end = at + 3 + 2 * effects[np.uint64(at + 2)]
        holds = True
        for condition in range(at + 3, end, 2):
            holds = holds and values[np.uint64(effects[np.uint64(condition)])] == effects[np.uint64(condition + 1)]
        if holds:
            following[np.uint64(effects[np.uint64(at)])] = effects[np.uint64(at + 1)]
        at = end


def is_goal_state(rules: Arrays, values: Array) -> Flag:
    """Whether a state is a goal."""
    goal = rules[GOAL]
    for at in range(0, len(goal) - 1, 2):
        if values[np.uint64(goal[np.uint64(at)])] != goal[np.uint64(at + 1)]:
            return False
    return True


def applicable(rules: Arrays, values: Array, waiting: Array, operators: Array) -> Int:
    """List the operators that apply in a state, ascending; returns their number. waiting: room for as many ints."""
    tree = rules[TREE]
    count, depth = np.int64(0), np.int64(1)
    waiting[0] = 0
    while depth > 0:
        depth -= 1
        fork = waiting[np.uint64(depth)]
        for operator in range(tree[np.uint64(fork)], tree[np.uint64(fork + 1)]):
            operators[np.uint64(count)] = operator
            count += 1
        for switch in range(tree[np.uint64(fork + 2)] - 1, -1, -1):  # the first one is taken first
            at = fork + 3 + 2 * switch
            following = tree[np.uint64(tree[np.uint64(at + 1)] + values[np.uint64(tree[np.uint64(at)])])]
            if following != 0:
                waiting[np.uint64(depth)] = following
                depth += 1
    return count


def slot_of(rules: Arrays, words: Array, place: Int, table: Table) -> Int:
    """The slot with the index of a stored state, or the empty one where it belongs."""
    width = rules[WIDTH][0]
    mixed = np.uint64(0)
    for at in range(place * width, (place + 1) * width):
        mixed = (mixed ^ np.uint64(words[np.uint64(at)])) * _FACTOR
        mixed ^= mixed >> _SHIFT
    last = len(table) - 1
    slot = np.int64(mixed & np.uint64(last))
    while table[np.uint64(slot)] != EMPTY:
        other = table[np.uint64(slot)] * width
        same = np.int64(0)
        while same < width and words[np.uint64(other + same)] == words[np.uint64(place * width + same)]:
            same += 1
        if same == width:
            break
        slot = (slot + 1) & last
    return slot


def enter_states(rules: Arrays, words: Array, count: Int, table: Table) -> None:
    """Enter the first states into an empty table; of equal states, the last one is found."""
    for place in range(count):
        table[slot_of(rules, words, place, table)] = place


PARTS = unpack, pack, apply, is_goal_state, applicable, slot_of, enter_states


def rules_of(task: Task) -> Kept:
    """The arrays of a task: the place of each variable (word, shift, mask), the facts of the goal, the decision tree of its
    operators, and for each operator its cost, the first operator of its name, and the start of its effects. An effect is the
    variable, the value, the number of its conditions, and these. The number of words of a state.
    """
    places, width = _places(task)
    sizes = [len(variable.facts) for variable in task.variables]
    tree = SuccessorTree(task.operators).flattened(sizes, [(variable,) for variable in range(len(sizes))])
    first: dict[str, int] = {}
    names = [first.setdefault(operator.name, number) for number, operator in enumerate(task.operators)]
    starts, effects = [0], [0][:0]
    for operator in task.operators:
        for effect in operator.effects:
            effects += [*effect.fact, len(effect.conditions), *(number for fact in effect.conditions for number in fact)]
        starts.append(len(effects))
    return Kept(
        (
            np.array([*places, 0], np.int64),
            np.array([*(number for fact in task.goal for number in fact), 0], np.int64),
            np.array(tree, np.int64),
            np.array([*(operator.cost for operator in task.operators), 0], np.int64),
            np.array([*names, 0], np.int64),
            np.array(starts, np.int64),
            np.array([*effects, 0], np.int64),
            np.array([width], np.int64),
        )
    )


def _places(task: Task) -> tuple[list[int], int]:
    """The word, shift and mask of each variable, one after the other, and the number of words."""
    places: list[int] = []
    word, used = 0, 0
    for variable in task.variables:
        bits = max(1, (len(variable.facts) - 1).bit_length())
        if used + bits > WORD - 1:  # the sign stays free
            word, used = word + 1, 0
        places += [word, used, (1 << bits) - 1]
        used += bits
    return places, word + 1

"""A task as arrays for kernels: its states are packed into 64-bit words, its operators into masks of these words."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

import numpy as np

from bestfirst.cached import cached_property
from bestfirst.compiled.compiler.machine_code import Kept
from bestfirst.compiled.tasks.nodes import MOST_G

if TYPE_CHECKING:
    from bestfirst.compiled.store.aliases import Array, Arrays, Int
    from bestfirst.planning.task import Fact, Operator, State, Task

WORD = 64
FIELD = 3
"""Numbers for each variable: its word, its lowest bit there, and the mask of its values."""
PATCH = 5
"""Numbers for each patch: its word, the bits to keep, the bits to set, and the first of its conditions and the one after its
last."""
CONDITION = 3
"""Numbers for each condition: its word, and the mask and the value of its bits."""
CHANGE = 4
"""Numbers for each change: its variable, the value, and its conditions as those of a patch."""


class TaskTables:
    """The arrays of a task. words: the number of words of a state."""

    def __init__(self, task: Task) -> None:
        self._task = task
        self.domains = [len(variable.facts) for variable in task.variables]
        self._fields, self.words = _packed(self.domains)
        self._conditions: list[tuple[int, int, int]] = []
        self.arrays: Arrays = Kept(self._arrays())

    def packed(self, state: State) -> list[int]:
        """The words of a state, as signed ints."""
        words = [0] * self.words
        for (word, shift, _mask), value in zip(self._fields, state, strict=True):
            words[word] |= value << shift
        return [_signed(word) for word in words]

    def unpacked(self, words: Sequence[int]) -> State:
        """The state that these words are."""
        return tuple(words[word] >> shift & mask for word, shift, mask in self._fields)

    def _arrays(self) -> Arrays:
        """(fields, tree, patch_ends, patches, change_ends, changes, conditions, costs, goal).

        ends: for each operator the number of its first row, and at last the number of rows. goal: the place of its conditions.
        """
        task = self._task
        tree = task.tree.flattened(self.domains, self._fields)
        patches, changes = [], []
        patch_ends, change_ends = [0], [0]
        for operator in task.operators:
            patches += self._patches(operator)
            changes += [(*effect.fact, *self._held(effect.conditions)) for effect in operator.effects]
            patch_ends.append(len(patches))
            change_ends.append(len(changes))
        goal = self._held(task.goal)
        return (
            _table(self._fields, FIELD),
            np.array(tree, np.int64),
            np.array(patch_ends, np.int64),
            _table(patches, PATCH),
            np.array(change_ends, np.int64),
            _table(changes, CHANGE),
            _table(self._conditions, CONDITION),
            # a greater cost ends the search as well, and might not fit into a word
            np.array([min(operator.cost, MOST_G + 1) for operator in task.operators] or [0], np.int64),
            np.array(goal, np.int64),
        )

    def _patches(self, operator: Operator) -> list[tuple[int, int, int, int, int]]:
        """What an operator does to the words, in order: the unconditional effects that follow each other are one patch per word."""
        done: list[tuple[int, int, int, int, int]] = []
        together: dict[int, tuple[int, int]] = {}

        def finish() -> None:
            done.extend((word, ~mask, bits, 0, 0) for word, (mask, bits) in together.items())
            together.clear()

        for effect in operator.effects:
            word, mask, bits = self._condition(effect.fact)
            if effect.conditions:
                finish()
                done.append((word, ~mask, bits, *self._held(effect.conditions)))
            else:
                old_mask, old_bits = together.get(word, (0, 0))
                together[word] = old_mask | mask, old_bits & ~mask | bits
        finish()
        return done

    def _held(self, facts: Iterable[Fact]) -> tuple[int, int]:
        """The place of some conditions, which are added."""
        first = len(self._conditions)
        self._conditions += [self._condition(fact) for fact in facts]
        return first, len(self._conditions)

    def _condition(self, fact: Fact) -> tuple[int, int, int]:
        word, shift, mask = self._fields[fact.variable]
        return word, mask << shift, fact.value << shift

    @cached_property
    def bytes(self) -> int:
        """The size of the arrays."""
        return sum(array.nbytes for array in self.arrays)


def _packed(domains: Sequence[int]) -> tuple[list[tuple[int, int, int]], int]:
    """The field of each variable, and the number of words. Large fields first; each goes into the first word with room."""
    fields: list[tuple[int, int, int]] = [(0, 0, 0)] * len(domains)
    used = [0]
    for variable in sorted(range(len(domains)), key=lambda variable: (-domains[variable].bit_length(), variable)):
        bits = (domains[variable] - 1).bit_length()
        word = next((word for word, taken in enumerate(used) if taken + bits <= WORD), len(used))
        if word == len(used):
            used.append(0)
        fields[variable] = word, used[word], (1 << bits) - 1
        used[word] += bits
    return fields, len(used)


def _signed(word: int) -> int:
    """A word as a signed 64-bit int."""
    return (word + (1 << WORD - 1)) % (1 << WORD) - (1 << WORD - 1)


def _table(rows: Iterable[Sequence[int]], width: int) -> Array:
    """Rows of ints in one array, which is not empty."""
    flat = [_signed(number) for row in rows for number in row]
    return np.array(flat or [0] * width, np.int64)


def field_at(words: Array, at: Int, fields: Array, variable: Int) -> Int:
    """The value of a variable in the packed state that begins at a place. A part of kernels."""
    place = np.uint64(variable * FIELD)
    word = words[np.uint64(at + fields[place])]
    return (word >> fields[place + np.uint64(1)]) & fields[place + np.uint64(2)]


def hold(words: Array, at: Int, conditions: Array, first: Int, end: Int) -> bool:
    """Whether conditions hold in the packed state that begins at a place. A part of kernels."""
    for number in range(first, end):
        place = np.uint64(number * CONDITION)
        word = words[np.uint64(at + conditions[place])]
        if (word & conditions[place + np.uint64(1)]) != conditions[place + np.uint64(2)]:
            return False
    return True


def unpack(words: Array, at: Int, fields: Array, values: Array) -> None:
    """Write the value of each variable of the packed state that begins at a place. A part of kernels."""
    for variable in range(len(values) - 1):
        values[variable] = field_at(words, at, fields, variable)


def applicable(words: Array, at: Int, tree: Array, found: Array, waiting: Array) -> Int:
    """Write the numbers of the operators that apply in the packed state that begins at a place; return how many. A part of kernels.

    waiting: room for the forks of the tree that are still to be visited.
    """
    count = np.int64(0)
    waiting[0] = 0
    height = np.int64(1)
    while height > 0:
        height -= 1
        fork = waiting[np.uint64(height)]
        for number in range(tree[np.uint64(fork)], tree[np.uint64(fork + 1)]):
            found[np.uint64(count)] = number
            count += 1
        switch = fork + 3 + (FIELD + 1) * tree[np.uint64(fork + 2)]
        while switch > fork + 3:
            switch -= FIELD + 1
            place = np.uint64(switch)
            word = words[np.uint64(at + tree[place])]
            value = (word >> tree[place + np.uint64(1)]) & tree[place + np.uint64(2)]
            following = tree[np.uint64(tree[place + np.uint64(3)] + value)]
            if following != 0:
                waiting[np.uint64(height)] = following
                height += 1
    return count


def make_child(words: Array, at: Int, children: Array, to: Int, width: Int, operator: Int, patches_of: Arrays) -> None:
    """Write the packed state to which an operator leads from the one that begins at a place. A part of kernels.

    width: the number of words. patches_of: patch_ends, patches and conditions.
    """
    patch_ends, patches, conditions = patches_of
    for word in range(width):
        children[np.uint64(to + word)] = words[np.uint64(at + word)]
    for number in range(patch_ends[np.uint64(operator)], patch_ends[np.uint64(operator + 1)]):
        place = np.uint64(number * PATCH)
        if hold(words, at, conditions, patches[place + np.uint64(3)], patches[place + np.uint64(4)]):
            target = np.uint64(to + patches[place])
            children[target] = (children[target] & patches[place + np.uint64(1)]) | patches[place + np.uint64(2)]


PARTS = (field_at, hold, unpack, applicable, make_child)

"""Preparation of expansions before their turn.

A memory access takes as long as several expansions. So the children of nodes that will probably be expanded soon are made
early, and their slots in the table are fetched meanwhile. The agenda knows the next nodes; those of their children
that will leave it before them, as children of equal f do in A*, will be expanded right after them, and so on recursively.

The children of a node depend on its state alone. So they are cached by state: an entry belongs to some hashes of states,
and holds the last one of these states. A wrong guess has cost only time; an expansion that must wait for
more room finds its children again. The child that the inverse of the last action leads to is the node's parent, for which
that is no cheaper path: it is counted and not made.

An entry is a row of words; (words, numbers) is the array that has them as ints, and as numbers of the type of costs:

    an entry: state | UNDO | COUNT | PARENTS | HIGHEST_COST | HIGHEST_H | child 0 | child 1 | ...
    a child:  state | COST | H | KEY | UNDO_OF

UNDO is the action, + 1, that undoes the last action, 0 for none; COUNT is the number of children, or BAD for an invalid
cost, estimate or child; PARENTS is the number of further children that are the parent. KEY is the key of a child
in the table, and UNDO_OF its UNDO.

expansions: (words, numbers, line, undo_by). line: room for the children that are still to be prepared. undo_by: by action,
the UNDO of its child.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from bestfirst.compiled.compiler.intrinsics import prefetch
from bestfirst.compiled.compiler.state_fields import state_words
from bestfirst.compiled.store.table import attempt_key_of, first_slot
from bestfirst.domain import Domain

if TYPE_CHECKING:
    from bestfirst.compiled.compiler.names import (
        FIELDS,
        LEGAL_FIRST,
        LONGEST_LINE,
        MAX_ACTIONS,
        attempt_estimate,
        attempt_step,
        fits,
        load_row,
        mix_of,
        store_row,
    )

word = np.uint64
"""An index: unsigned, which saves the check for negative values."""

UNDO, COUNT, PARENTS, HIGHEST_COST, HIGHEST_H, HEAD = range(6)
"""Words of an entry, after the state's."""
COST, H, KEY, UNDO_OF, TAIL = range(5)
"""Words of a child, after the state's."""

ENTRIES = 64
LONG_LINE = 16
"""The number of nodes prepared together if table access is slow; less than the number of entries."""
HASHES = 512
BAD = -1
NO_ENTRY = -1
NO_UNDO = -1
"""The undo of an entry without a state."""

NONE, NEW, PARENT, WRONG, COSTLY = range(5)
"""The kinds of a child: none, since the action is illegal; possibly new; the node's parent; invalid;
with a path too expensive for a record."""


def children_at(entry: Any) -> Any:
    """The index at which the children of an entry begin."""
    return entry + FIELDS + HEAD


def hash_at(state: Any) -> Any:
    """The index of the entry for the states of a hash."""
    return word(mix_of(state) & (HASHES - 1))


def is_ready(expansions: Any, entry: Any, state: Any, undo: Any) -> Any:
    """Whether an entry has the children of a state."""
    words = expansions[0]
    return words[word(entry + FIELDS + UNDO)] == undo and load_row(words, entry) == state


def make_ready(me: Any, table: Any, expansions: Any, state: Any, undo: Any) -> Any:
    """Make the children of a state; returns the index of their entry."""
    words, numbers, _line, undo_by, index = expansions
    entry = index[HASHES]
    size = FIELDS + HEAD + MAX_ACTIONS * (FIELDS + TAIL)
    index[HASHES] = entry + size if entry + size < ENTRIES * size else 0
    index[hash_at(state)] = entry
    head = entry + FIELDS
    store_row(words, entry, state)
    words[word(head + UNDO)] = undo
    words[word(head + COUNT)] = BAD
    at = children_at(entry)
    count = 0
    parents = 0
    highest_cost, highest_h = 0 * numbers[0], 0 * numbers[0]
    for action in range(MAX_ACTIONS):
        has_answer, (legal, child, cost) = attempt_step(me, state, action)
        if not has_answer:
            return entry
        if not legal:
            if LEGAL_FIRST:
                break
            continue
        if not cost >= 0:
            return entry
        if action + 1 == undo:
            parents += 1
            continue
        is_estimated, h = attempt_estimate(me, child)
        key = attempt_key_of(me, table, child)
        if not (is_estimated and h >= 0 and fits(child) and key >= 0):
            return entry
        prefetch(table, first_slot(table, key))
        store_row(words, at, child)
        numbers[word(at + FIELDS + COST)] = cost
        numbers[word(at + FIELDS + H)] = h
        words[word(at + FIELDS + KEY)] = key
        words[word(at + FIELDS + UNDO_OF)] = undo_by[action]
        at += FIELDS + TAIL
        count += 1
        highest_cost, highest_h = max(highest_cost, cost), max(highest_h, h)
    words[word(head + COUNT)] = count
    words[word(head + PARENTS)] = parents
    numbers[word(head + HIGHEST_COST)] = highest_cost
    numbers[word(head + HIGHEST_H)] = highest_h
    return entry


def look_ahead(me: Any, table: Any, expansions: Any, order: Any, state: Any, undo: Any, h: Any) -> Any:
    """Prepare a node, and those of its descendants that will be expanded right after it; returns the index of its entry."""
    words, numbers, line, _undo_by, index = expansions
    g_first, h_first, h_second = order
    first = NO_ENTRY
    waiting = 0
    for _ in range(LONGEST_LINE):
        entry = index[hash_at(state)]
        if not is_ready(expansions, entry, state, undo):
            entry = make_ready(me, table, expansions, state, undo)
            for number in range(words[word(entry + FIELDS + COUNT)] - 1, -1, -1):
                at = children_at(entry) + number * (FIELDS + TAIL)
                nearer = numbers[word(at + FIELDS + H)] - h
                later = g_first * numbers[word(at + FIELDS + COST)] + h_first * nearer
                if later < 0 or (later == 0 and h_second * nearer < 0):
                    line[word(waiting)] = at
                    waiting += 1
        if first == NO_ENTRY:
            first = entry
        if waiting == 0:
            break
        waiting -= 1
        at = line[word(waiting)]
        state, undo, h = load_row(words, at), words[word(at + FIELDS + UNDO_OF)], numbers[word(at + FIELDS + H)]
    return first


def highest(ready: Any, entry: Any) -> Any:
    """Whether the children are valid, with the highest step cost and the highest h among them."""
    words, numbers = ready[0], ready[1]
    head = entry + FIELDS
    return words[word(head + COUNT)] != BAD, numbers[word(head + HIGHEST_COST)], numbers[word(head + HIGHEST_H)]


def parents_in(ready: Any, entry: Any) -> Any:
    """The number of omitted children that are the node's parent."""
    return ready[0][word(entry + FIELDS + PARENTS)]


def children_in(ready: Any, entry: Any) -> Any:
    """The number of children, without the omitted ones."""
    return ready[0][word(entry + FIELDS + COUNT)]


def child_at(_me: Any, _table: Any, ready: Any, entry: Any, _state: Any, _undo: Any, _g: Any, number: Any) -> Any:
    """A child: (its kind, the child, the cost of the step, its key in the table, its undo)."""
    words, numbers = ready[0], ready[1]
    at = children_at(entry) + number * (FIELDS + TAIL)
    tail = at + FIELDS
    return NEW, load_row(words, at), numbers[word(tail + COST)], words[word(tail + KEY)], words[word(tail + UNDO_OF)]


def estimate_at(_me: Any, ready: Any, entry: Any, number: Any, _child: Any) -> Any:
    """The h of a child."""
    return ready[1][word(children_at(entry) + number * (FIELDS + TAIL) + FIELDS + H)]


PARTS = (
    children_at,
    hash_at,
    is_ready,
    make_ready,
    look_ahead,
    highest,
    parents_in,
    children_in,
    child_at,
    estimate_at,
)


def no_expansions(domain: Domain, *, is_float: bool) -> tuple[Any, ...]:
    """The empty arrays."""
    fields, actions = len(state_words(domain)), domain.max_actions
    rows = np.zeros((ENTRIES, fields + HEAD + actions * (fields + TAIL)), np.int64)
    rows[:, fields + UNDO] = NO_UNDO
    words = rows.ravel()
    undo_by = np.zeros(actions + 1, np.int64)
    for undo, undone in actions_by_undo(domain).items():
        undo_by[undone] = undo
    line = np.zeros(LONG_LINE * actions + 1, np.int64)
    return words, words.view(np.float64) if is_float else words, line, undo_by, np.zeros(HASHES + 1, np.int64)


def undo_bits(domain: Domain) -> int:
    """The number of bits of an undo; 0 if no action has an inverse."""
    return domain.max_actions.bit_length() if domain.defines("inverse") else 0


def actions_by_undo(domain: Domain) -> dict[int, list[int]]:
    """By UNDO, the actions that it undoes."""
    undone: dict[int, list[int]] = {}
    for action in range(domain.max_actions):
        inverse = domain.inverse(action)
        if 0 <= inverse < domain.max_actions:
            undone.setdefault(inverse + 1, []).append(action)
    return undone

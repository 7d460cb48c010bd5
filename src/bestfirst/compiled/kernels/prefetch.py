"""Expansions made ready before their turn.

Memory takes as long to answer as several expansions take. So the children of nodes that will probably be expanded soon are made
early, and their slots in the table are fetched meanwhile. Which nodes come next, the agenda knows; and those of their children
that are to leave it before them, as children of equal f do in A*, will be expanded right after them, and so on down the line.

What the children of a node are depends on its state alone. So they are kept by state: there is an entry for some states' hashes,
which holds the last one of these states. A guess that was wrong has cost nothing but time; an expansion that has to wait until
there is more room finds its children again. The child to which the action leads that undoes the one by which the node was made is
the node's parent, to which that is no cheaper path: it is counted and not made.

An entry is a row of words, (words, numbers) the array that has them as ints, and as numbers of the type of costs:

    an entry: state | UNDO | COUNT | PARENTS | HIGHEST_COST | HIGHEST_H | child 0 | child 1 | ...
    a child:  state | COST | H | KEY | UNDO_OF

UNDO is + 1 the action that undoes the one by which the node was made, 0 for none; COUNT how many children there are, or BAD: then a
cost or an estimate is none, or a child is no state of the domain; PARENTS how many beside them are the parent. KEY is what a child
is looked up by in the table, and UNDO_OF its UNDO.

expansions: (words, numbers, line, undo_by). line: room for the children that are still to be made ready. undo_by: by action,
the UNDO of the child to which it leads.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from bestfirst.compiled.compiler.intrinsics import prefetch
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
"""An index: an unsigned one spares the test whether it is negative."""

UNDO, COUNT, PARENTS, HIGHEST_COST, HIGHEST_H, HEAD = range(6)
"""Words of an entry, after those of the state."""
COST, H, KEY, UNDO_OF, TAIL = range(5)
"""Words of a child, after those of the state."""

ENTRIES = 64
LONG_LINE = 16
"""The nodes that are made ready together where a look at the table takes long; fewer than there are entries."""
HASHES = 512
BAD = -1
NO_ENTRY = -1
NO_UNDO = -1
"""The undo of an entry without a state."""

NONE, NEW, PARENT, WRONG, COSTLY = range(5)
"""What a child is: none, for the action is not legal; one that may be new; the node's parent; none that a search can go on with;
one to which the path costs more than a record can hold."""


def children_at(entry: Any) -> Any:
    """Where the children of an entry begin."""
    return entry + FIELDS + HEAD


def hash_at(state: Any) -> Any:
    """Where the index says in which entry the states of a hash are."""
    return word(mix_of(state) & (HASHES - 1))


def is_ready(expansions: Any, entry: Any, state: Any, undo: Any) -> Any:
    """Whether an entry holds the children of a state."""
    words = expansions[0]
    return words[word(entry + FIELDS + UNDO)] == undo and load_row(words, entry) == state


def make_ready(me: Any, table: Any, expansions: Any, state: Any, undo: Any) -> Any:
    """Make the children of a state; where the entry begins that they have now."""
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
    """Make a node ready, and those of its descendants that will be expanded right after it; where its entry begins."""
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
    """Whether the children are all right, and what the dearest step and the highest h among them are."""
    words, numbers = ready[0], ready[1]
    head = entry + FIELDS
    return words[word(head + COUNT)] != BAD, numbers[word(head + HIGHEST_COST)], numbers[word(head + HIGHEST_H)]


def parents_in(ready: Any, entry: Any) -> Any:
    """How many children that are the node's parent have been left out."""
    return ready[0][word(entry + FIELDS + PARENTS)]


def children_in(ready: Any, entry: Any) -> Any:
    """How many children there are beside them."""
    return ready[0][word(entry + FIELDS + COUNT)]


def child_at(_me: Any, _table: Any, ready: Any, entry: Any, _state: Any, _undo: Any, _g: Any, number: Any) -> Any:
    """A child: (what it is, the child, the cost of the step, what it is looked up by, its undo)."""
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
    """The arrays, with nothing in them."""
    fields, actions = len(domain.State._fields), domain.max_actions
    rows = np.zeros((ENTRIES, fields + HEAD + actions * (fields + TAIL)), np.int64)
    rows[:, fields + UNDO] = NO_UNDO
    words = rows.ravel()
    undo_by = np.zeros(actions + 1, np.int64)
    for undo, undone in actions_by_undo(domain).items():
        undo_by[undone] = undo
    line = np.zeros(LONG_LINE * actions + 1, np.int64)
    return words, words.view(np.float64) if is_float else words, line, undo_by, np.zeros(HASHES + 1, np.int64)


def undo_bits(domain: Domain) -> int:
    """The bits that an undo takes; 0 where no action has an inverse."""
    return domain.max_actions.bit_length() if domain.defines("inverse") else 0


def actions_by_undo(domain: Domain) -> dict[int, list[int]]:
    """By UNDO, the actions that it undoes."""
    undone: dict[int, list[int]] = {}
    for action in range(domain.max_actions):
        inverse = domain.inverse(action)
        if 0 <= inverse < domain.max_actions:
            undone.setdefault(inverse + 1, []).append(action)
    return undone

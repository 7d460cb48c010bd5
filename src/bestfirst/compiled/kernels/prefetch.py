"""Preparation of expansions before their turn.

A memory access takes as long as several expansions. So the children of nodes that will probably be expanded soon are made
early, and their slots in the table are fetched meanwhile. The agenda knows the next nodes; those of their children
that will leave it before them, as children of equal f do in A*, will be expanded right after them, and so on recursively.

The children of a node depend on its state alone. So they are cached by state: an entry belongs to some hashes of states,
and holds the last one of these states. A wrong guess has cost only time; an expansion that must wait for
more room finds its children again. The child that the inverse of the last action leads to is the node's parent, for which
that is no cheaper path: it is counted and not made.

expansions: (entries, children, rows, index, line, undo_by). entries: see ENTRY. children: those of entry e, and after them
their states in rows, begin at first_child(me, e); the state of the entry is in the row before. index: entries by hash. line:
room for the children that are still to be prepared. undo_by: by action, the undo of its child.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from bestfirst.compiled.compiler.intrinsics import prefetch
from bestfirst.compiled.compiler.machine_code import Kept
from bestfirst.compiled.compiler.state_fields import state_words
from bestfirst.compiled.store.growth import record_type
from bestfirst.compiled.store.table import attempt_key_of, first_slot, place_in
from bestfirst.domain import Domain

if TYPE_CHECKING:
    from bestfirst.compiled.compiler.names import (
        FIELDS,
        LEGAL_FIRST,
        LONGEST_LINE,
        attempt_estimate,
        attempt_prepared_for,
        attempt_step_with,
        fetch,
        fits,
        load_row,
        max_actions,
        mix_of,
        next_action,
        store_row,
    )
    from bestfirst.compiled.store.aliases import (
        Expansions,
        Flag,
        Int,
        Nodes,
        Number,
        NumberType,
        Order,
        Pair,
        Self,
        State,
        Table,
    )

OfUndo = tuple[tuple[int, tuple[int, ...]], ...]
Form = tuple[int, int, "NumberType", OfUndo]
word = np.uint64
"""An index: unsigned, which saves the check for negative values."""

ENTRIES = 64
LONG_LINE = 16
"""The number of nodes prepared together if table access is slow; less than the number of entries."""
HASHES = 512
HASH_SHIFT = 55
"""The index takes the highest bits of the hash, which depend on all of the state."""
BAD = -1
NO_ENTRY = -1
NO_UNDO = -1
"""The undo of an entry without a state."""

NONE, NEW, PARENT, WRONG, TOO_COSTLY = range(5)
"""The kinds of a child: none, since the action is illegal; possibly new; the node's parent; invalid;
with a path too expensive for a record."""


def first_child(me: Self, entry: Int) -> Int:
    """The index of the first child of an entry."""
    return entry * (max_actions(me) + 1) + 1


def row_of(rows: Int, at: Int) -> State:
    """The state in a row."""
    return load_row(rows, at * FIELDS)


def hash_at(state: State) -> Int:
    """The place in the index for the states of a hash."""
    return word((mix_of(state) >> HASH_SHIFT) & (HASHES - 1))


def is_ready(me: Self, expansions: Expansions, entry: Int, state: State, undo: Int) -> Flag:
    """Whether an entry has the children of a state."""
    entries, _children, rows, _index, _line, _undo_by = expansions
    return entries[word(entry)].undo == undo and row_of(rows, first_child(me, entry) - 1) == state


def make_ready(me: Self, table: Table, expansions: Expansions, state: State, undo: Int) -> Int:
    """Make the children of a state; returns their entry."""
    entries, children, rows, index, _line, undo_by = expansions
    number = index[HASHES]  # the next entry to be replaced
    index[HASHES] = (number + 1) & (ENTRIES - 1)
    index[hash_at(state)] = number
    entry = entries[word(number)]
    entry.undo = undo
    entry.children = BAD
    at = first_child(me, number)
    store_row(rows, (at - 1) * FIELDS, state)
    parents = 0
    highest_cost, highest_h = 0 * entry.highest_cost, 0 * entry.highest_h
    is_prepared, pair = attempt_prepared_for(me, state)
    if not is_prepared:
        return number
    following = next_action(me, state, pair, -1)
    while following < max_actions(me):
        action = following
        following = next_action(me, state, pair, action)
        has_answer, (legal, child, cost) = attempt_step_with(me, state, action, pair)
        if not has_answer:
            return number
        if not legal:
            if LEGAL_FIRST:
                break
            continue
        if not cost >= 0:
            return number
        if action + 1 == undo:
            parents += 1
            continue
        is_estimated, h = attempt_estimate(me, child)
        key = attempt_key_of(me, table, child)
        if not (is_estimated and h >= 0 and fits(child) and key >= 0):
            return number
        prefetch(table, first_slot(table, key))
        store_row(rows, at * FIELDS, child)
        made = children[word(at)]
        made.cost, made.h, made.key, made.undo = cost, h, key, undo_by[action]
        at += 1
        highest_cost, highest_h = max(highest_cost, cost), max(highest_h, h)
    entry.children, entry.parents = at - first_child(me, number), parents
    entry.highest_cost, entry.highest_h = highest_cost, highest_h
    return number


def look_ahead(me: Self, table: Table, expansions: Expansions, order: Order, state: State, undo: Int, h: Number) -> Int:
    """Prepare a node, and those of its descendants that will be expanded right after it; returns its entry."""
    entries, children, rows, index, line, _undo_by = expansions
    g_first, h_first, h_second = order
    first = NO_ENTRY
    waiting = 0
    for _ in range(LONGEST_LINE):
        entry = index[hash_at(state)]
        if not is_ready(me, expansions, entry, state, undo):
            entry = make_ready(me, table, expansions, state, undo)
            at = first_child(me, entry) + entries[word(entry)].children
            while at > first_child(me, entry):
                at -= 1
                child = children[word(at)]
                nearer = child.h - h
                later = g_first * child.cost + h_first * nearer
                if later < 0 or (later == 0 and h_second * nearer < 0):
                    line[word(waiting)] = at
                    waiting += 1
        if first == NO_ENTRY:
            first = entry
        if waiting == 0:
            break
        waiting -= 1
        at = line[word(waiting)]
        state, undo, h = row_of(rows, at), children[word(at)].undo, children[word(at)].h
    return first


def highest(expansions: Expansions, entry: Int) -> tuple[Flag, Number, Number]:
    """Whether the children are valid, with the highest step cost and the highest h among them."""
    known = expansions[0][word(entry)]
    return known.children != BAD, known.highest_cost, known.highest_h


def parents_in(expansions: Expansions, entry: Int) -> Int:
    """The number of omitted children that are the node's parent."""
    return expansions[0][word(entry)].parents


def children_in(_me: Self, expansions: Expansions, entry: Int) -> Int:
    """The number of children, without the omitted ones."""
    return expansions[0][word(entry)].children


def prepared_at(_me: Self, _state: State) -> Pair:
    """What is prepared for a state: nothing, since its children are made."""
    return 0


def child_at(
    me: Self,
    _table: Table,
    expansions: Expansions,
    entry: Int,
    _state: State,
    _undo: Int,
    _g: Number,
    number: Int,
    _pair: Pair,
) -> tuple[Int, State, Number, Int, Int]:
    """A child: (its kind, the child, the cost of the step, its key in the table, its undo)."""
    _entries, children, rows, _index, _line, _undo_by = expansions
    at = first_child(me, entry) + number
    child = children[word(at)]
    return NEW, row_of(rows, at), child.cost, child.key, child.undo


def estimate_at(me: Self, expansions: Expansions, entry: Int, number: Int, _child: State) -> Number:
    """The h of a child."""
    return expansions[1][word(first_child(me, entry) + number)].h


def fetch_twins(me: Self, nodes: Nodes, table: Table, expansions: Expansions, entry: Int) -> None:
    """Begin to fetch the nodes with which the children of an entry have to be compared."""
    first = first_child(me, entry)
    for at in range(first, first + children_in(me, expansions, entry)):
        fetch(nodes, place_in(table, first_slot(table, expansions[1][word(at)].key)))


PARTS = (
    first_child,
    row_of,
    hash_at,
    is_ready,
    make_ready,
    look_ahead,
    highest,
    parents_in,
    children_in,
    prepared_at,
    child_at,
    estimate_at,
    fetch_twins,
)


def kept_expansions(domain: Domain, number: NumberType, undone: dict[int, list[int]]) -> Kept:
    """Empty arrays for prepared expansions. number: the type of costs and estimates. undone: see actions_by_undo()."""
    return no_expansions(*form_of(domain, number, undone))


def form_of(domain: Domain, number: NumberType, undone: dict[int, list[int]]) -> Form:
    """What these arrays depend on: the number of actions, the words of a state, and the arguments."""
    of_undo = tuple((undo, tuple(actions)) for undo, actions in undone.items())
    return domain.max_actions, len(state_words(domain)), number, of_undo


def no_expansions(actions: int, words: int, number: NumberType, of_undo: OfUndo) -> Kept:
    """The arrays of a form."""
    entry = record_type(
        ("undo", np.int64),  # of the state
        ("children", np.int64),  # their number, or BAD for an invalid cost, estimate or child
        ("parents", np.int64),  # the number of further children that are the state's parent
        ("highest_cost", number),
        ("highest_h", number),
    )
    child = record_type(("cost", number), ("h", number), ("key", np.int64), ("undo", np.int64))
    entries = np.zeros(ENTRIES, entry)
    entries["undo"] = NO_UNDO
    size = ENTRIES * (actions + 1)
    undo_by = np.zeros(actions + 1, np.int64)
    for undo, undone in of_undo:
        undo_by[list(undone)] = undo
    rows, line = np.zeros(size * words, np.int64), np.zeros(LONG_LINE * actions + 1, np.int64)
    return Kept((entries, np.zeros(size, child), rows, np.zeros(HASHES + 1, np.int64), line, undo_by))


def actions_by_undo(domain: Domain) -> dict[int, list[int]]:
    """By undo, the actions that it undoes."""
    undone: dict[int, list[int]] = {}
    inverse, count = domain.inverse, domain.max_actions
    for action in range(count):
        undo = inverse(action)
        if 0 <= undo < count:
            undone.setdefault(undo + 1, []).append(action)
    return undone

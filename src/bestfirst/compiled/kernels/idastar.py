"""IDA*, compiled: the twin of search/idastar.py.

All children of a node are pushed on one explicit stack together, the first one on top. So they are visited in the order of
the reference engine, which makes them one at a time; children that it would not have made yet are subtracted from the counts
when a run stops (see IDAStar._settle).

A node is a row of int64 words, on the stack and, once it is expanded, at its depth on the path:

    +-------------------------+--------------------------------+---+-----+-------------+
    | the fields of the state | depth << ACTION_BITS | action  | f | (g) | (automaton) |
    +-------------------------+--------------------------------+---+-----+-------------+

g is omitted if every action costs 1: it is the depth. f is a total (totals.py), stored like floats by its bits. The state of
the automaton over actions exists only if operator sequences are pruned.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from bestfirst.compiled.store import totals
from bestfirst.compiled.store.inconsistent_edges import falls_to
from bestfirst.compiled.store.totals import can_pay, is_hopeless, total_in, total_of, word_of
from bestfirst.search.operator_sequences.automaton import (
    FORBIDDEN,
)

if TYPE_CHECKING:
    from bestfirst.compiled.compiler.names import (
        BY_F,
        FIELDS,
        FLOATS,
        HAS_AUTOMATON,
        HAS_CLAIMS,
        HAS_INVERSE,
        INVERSE,
        LEGAL_FIRST,
        MAX_ACTIONS,
        UNIT_COST,
        WORDS,
        as_self,
        estimate,
        is_goal,
        is_same_row,
        load_row,
        step,
        store_row,
    )

# The indices of the control array: nodes on the stack, and the depth of the one on top; counts, including the depth of the
# longest path; the depth of the first node of the iteration at which f fell, and its action; the depth at which the
# path first repeats a state, NO_DEPTH once the iteration is worthwhile (see idastar_slice). JOB: see parallel_idastar.py.
STACK, DEPTH, EXPANDED, GENERATED, PRUNED, LONGEST, DEAD_ENDS, FALLS, FALL_DEPTH, FALL_ACTION, REPEATS, JOB = range(12)
COUNTS = slice(EXPANDED, FALLS + 1)

# The ends of a slice.
STOPPED, EXHAUSTED, FOUND, FULL, FELL, FAULTY = range(6)

ACTION_BITS = 31
ACTION_MASK = (1 << ACTION_BITS) - 1

NEVER = 1 << 62
"""A depth above that of any path."""
NOT_KNOWN, NO_DEPTH = -1, -2

FIRST_PATH = 256
MOST_INVERSES = 1 << 12
"""With more actions, inverses are not used: the state before the last one is then recognised by its fields."""
SECONDS_OF_ROUNDS = 0.05
"""Seconds after which a slice begins no further iteration."""
_BEFORE = 6
"""The number of counts before an iteration: see IDAStar._start_round."""


def as_word(number: Any) -> Any:
    """A cost as stored in a row."""
    return np.float64(number).view(np.int64) if FLOATS else np.int64(number)


def as_number(word: Any) -> Any:
    """The cost stored as this word."""
    return np.int64(word).view(np.float64) if FLOATS else word


def first_repeat(path: Any, depth: int, first: int) -> int:
    """The depth at which a path of rows first repeats a state; NEVER if it does not before this depth. first: the first
    depth to check."""
    for place in range(first, depth):
        state = load_row(path, place * WORDS)
        for before in range(place):
            if is_same_row(path, before * WORDS, state):
                return place
    return NEVER


def is_on_path(path: Any, depth: int, state: Any) -> bool:
    """Whether a state is on the path to the node at this depth, or is its state."""
    for place in range(depth + 1):  # noqa: SIM110
        if is_same_row(path, place * WORDS, state):
            return True
    return False


def is_zero_cycle(path: Any, depth: int, child: Any, g: Any) -> bool:
    """Whether a child of the node at this depth returns to a state on the path at no cost."""
    at = depth * WORDS
    while at >= 0 and as_number(path[at + FIELDS + 2]) >= g:
        if is_same_row(path, at, child):
            return True
        at -= WORDS
    return False


def otherwise(automaton: Any, follows: Any) -> Any:
    """The automaton state after an action for which no claim holds."""
    return np.int64(automaton[-follows]) if follows < FORBIDDEN else follows


def is_made_before(me: Any, automaton: Any, claim: Any, path: Any, depth: int, child: Any, g: Any) -> Any:
    """Whether the claim at this index of the automaton holds for a child of the node at this depth."""
    start = depth + 1 - np.int64(automaton[claim + 1])
    row = start * WORDS
    state = load_row(path, row)
    if UNIT_COST:  # noqa: SIM108  (only the branch that is taken is to be compiled)
        other_g = start
    else:
        other_g = as_number(path[row + FIELDS + 2])
    for place in range(automaton[claim + 2]):
        if place > 0 and is_goal(me, state):
            return False
        legal, state, cost = step(me, state, automaton[claim + 3 + place])
        if not legal or not can_pay(other_g, cost):
            return False
        other_g = other_g + cost
    return state == child and other_g <= g


def legal_before_others(me: Any, state: Any) -> Any:
    """The number of legal actions of a state, which all precede the others: found by doubling, then by bisection."""
    known, tried = 0, 1
    while tried <= MAX_ACTIONS and step(me, state, tried - 1)[0]:
        known, tried = tried, 2 * tried
    most = min(tried - 1, MAX_ACTIONS)
    while known < most:
        tried = (known + most + 1) // 2
        if step(me, state, tried - 1)[0]:
            known = tried
        else:
            most = tried - 1
    return known


def idastar_slice(
    data: Any, automaton: Any, stack: Any, path: Any, control: Any, bound_word: int, next_bound_word: int, budget: int
) -> Any:
    """Search for at most `budget` expansions; return (how it ended, the lowest f beyond the bound, as a word).

    automaton: by state and action, the next state, FORBIDDEN, or the negative index of a claim (see _as_array).
    stack, path: rows (see the module docstring); those of the path are written only as far as they are read again. A slice
    ends FULL if the path has no row for the node on top of the stack, or the stack has no room for its children. It ends
    FELL at the first inconsistent edge of an iteration. The node at which a slice ended is on top of the stack (except
    FAULTY: it has been expanded).
    The iteration is worthwhile once the bound has cut a path without repeated states: only then can a higher bound find
    anything new.
    """
    me = as_self(data)
    bound, next_bound = total_in(bound_word), total_in(next_bound_word)
    end = control[STACK] * WORDS
    start = end
    deepest = len(path) // WORDS - 2
    highest = len(stack) - MAX_ACTIONS * WORDS
    depth = 0
    came = 0
    longest = control[LONGEST]
    repeats = control[REPEATS]  # this depth and deeper ones do not show whether the iteration is worthwhile
    if repeats == NOT_KNOWN and end > 0:
        depth = stack[np.uint64(end - WORDS + FIELDS)] >> ACTION_BITS
        repeats = first_repeat(path, depth, 0)
    expanded = 0
    pruned = 0
    how = EXHAUSTED
    while end > 0:
        top = end - WORDS
        state = load_row(stack, top)
        came = stack[np.uint64(top + FIELDS)]
        depth = came >> ACTION_BITS
        if depth > 0 and is_goal(me, state):
            how = FOUND
            break
        if (budget - 1 - expanded) | (deepest - depth) | (highest - top) < 0:  # one branch for all rare cases
            how = STOPPED if expanded >= budget else FULL
            break
        row = depth * WORDS
        f = total_in(stack[np.uint64(top + FIELDS + 1)])
        if not BY_F and depth > 0 and falls_to(total_in(path[np.uint64(row - WORDS + FIELDS + 1)]), f):
            if control[FALL_DEPTH] == 0:
                control[FALL_DEPTH] = depth
                control[FALL_ACTION] = came & ACTION_MASK
                how = FELL
                break
            control[FALLS] += 1
        path[np.uint64(row + FIELDS)] = came
        path[np.uint64(row + FIELDS + 1)] = word_of(f)
        if UNIT_COST:
            g = depth
        else:
            g = as_number(stack[np.uint64(top + FIELDS + 2)])
            path[np.uint64(row + FIELDS + 2)] = as_word(g)
        if not HAS_INVERSE or not UNIT_COST or HAS_CLAIMS:
            store_row(path, row, state)
        if repeats >= depth:
            store_row(path, row, state)
            repeats = first_repeat(path, depth + 1, depth)
        end = top
        expanded += 1
        undo = INVERSE[came & ACTION_MASK if HAS_INVERSE else 0]
        turns = stack[np.uint64(top + WORDS - 1)] * MAX_ACTIONS if HAS_AUTOMATON else 0
        fell_before = BY_F and control[FALL_DEPTH] != 0
        last = MAX_ACTIONS
        if LEGAL_FIRST:
            last = legal_before_others(me, state)
        for turn in range(last):
            action = last - 1 - turn
            if HAS_INVERSE and action == undo:
                continue
            if HAS_AUTOMATON and automaton[np.uint64(turns + action)] == FORBIDDEN:
                continue
            legal, child, cost = step(me, state, action)
            if not legal:
                continue
            if (UNIT_COST and cost != 1) or not can_pay(g, cost):
                how = FAULTY
                break
            if not HAS_INVERSE and depth > 0 and is_same_row(path, row - WORDS, child):
                continue
            child_g = g + cost
            if HAS_CLAIMS:
                claim = -np.int64(automaton[np.uint64(turns + action)])
                if claim > 0 and is_made_before(me, automaton, claim, path, depth, child, child_g):
                    continue
            h = estimate(me, child)
            if not h >= 0:
                how = FAULTY
                break
            child_f = total_of(child_g, h)
            if child_f > bound:
                pruned += 1
                next_bound = min(next_bound, child_f)
                if is_hopeless(h):
                    control[DEAD_ENDS] += 1
                elif repeats == NEVER and not is_on_path(path, depth, child):
                    repeats = NO_DEPTH
                continue
            if not UNIT_COST and child_g == g and is_zero_cycle(path, depth, child, child_g):
                pruned += 1
                continue
            at = end
            if BY_F:
                if falls_to(f, child_f):
                    control[FALLS] += 1
                    if not fell_before:  # of several, the last one examined comes first
                        control[FALL_DEPTH] = depth + 1
                        control[FALL_ACTION] = action
                while at > top and total_in(stack[at - WORDS + FIELDS + 1]) < child_f:
                    for word in range(WORDS):
                        stack[at + word] = stack[at - WORDS + word]
                    at -= WORDS
            store_row(stack, at, child)
            stack[np.uint64(at + FIELDS)] = (depth + 1) << ACTION_BITS | action
            stack[np.uint64(at + FIELDS + 1)] = word_of(child_f)
            if not UNIT_COST:
                stack[np.uint64(at + FIELDS + 2)] = as_word(child_g)
            if HAS_AUTOMATON:
                follows = np.int64(automaton[np.uint64(turns + action)])
                stack[np.uint64(at + WORDS - 1)] = otherwise(automaton, follows) if HAS_CLAIMS else follows
            end += WORDS
        if how == FAULTY:
            break
        longest = max(longest, depth)
        if BY_F and not fell_before and control[FALL_DEPTH] != 0:
            how = FELL
            break
    path[depth * WORDS + FIELDS] = came
    control[STACK] = end // WORDS
    control[DEPTH] = depth
    control[EXPANDED] += expanded
    control[GENERATED] += pruned + expanded + (end - start) // WORDS  # an expanded node has left the stack
    control[PRUNED] += pruned
    control[LONGEST] = longest
    control[REPEATS] = repeats
    return how, word_of(next_bound)


PARTS = (
    *totals.PARTS,
    as_word,
    as_number,
    first_repeat,
    is_on_path,
    is_zero_cycle,
    falls_to,
    otherwise,
    is_made_before,
    legal_before_others,
)

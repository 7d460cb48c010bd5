"""Expansions without preparation, one child at a time: for a heap as agenda, with a table by rank.

Such a heap does not know the next nodes, and such a table is usually small, so preparing nodes ahead of their
turn (prefetch.py, which has functions of the same names) saves little. And a heap need not know the highest h in advance. So
a child is estimated only if it turns out to be new, or cheaper.
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

from bestfirst.compiled.compiler.machine_code import Kept
from bestfirst.compiled.kernels.prefetch import NEW, NONE, PARENT, TOO_COSTLY, WRONG, form_of, no_expansions, word
from bestfirst.compiled.store.records import most_cost
from bestfirst.compiled.store.table import key_of

if TYPE_CHECKING:
    from bestfirst.compiled.compiler.names import BEYOND_COSTS, FLOATS, estimate, fits, max_actions, prepared_for, step_with
    from bestfirst.compiled.kernels.prefetch import Form
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
    from bestfirst.domain import Domain


def look_ahead(
    _me: Self, _table: Table, _expansions: Expansions, _order: Order, _state: State, _undo: Int, _h: Number
) -> Int:
    """Prepare nothing."""
    return 0


def highest(expansions: Expansions, _entry: Int) -> tuple[Flag, Number, Number]:
    """Whether the children are valid, with the highest step cost and the highest h among them: not known yet."""
    nothing = expansions[0][0].highest_cost
    return True, nothing, nothing


def parents_in(_expansions: Expansions, _entry: Int) -> Int:
    """The number of omitted children that are the node's parent: none."""
    return 0


def children_in(me: Self, _expansions: Expansions, _entry: Int) -> Int:
    """The maximum number of children."""
    return max_actions(me)


def prepared_at(me: Self, state: State) -> Pair:
    """What is prepared for a state."""
    return prepared_for(me, state)


def child_at(
    me: Self, table: Table, expansions: Expansions, _entry: Int, state: State, undo: Int, g: Number, action: Int, pair: Pair
) -> tuple[Int, State, Number, Int, Int]:
    """The child of an action: (its kind, the child, the cost of the step, its key in the table, its undo)."""
    legal, child, cost = step_with(me, state, action, pair)
    kind = NEW
    key = 0 * undo
    if not legal:
        kind = NONE
    elif not cost >= 0:
        kind = WRONG
    elif action + 1 == undo:
        kind = PARENT
    else:
        key = key_of(me, table, child)
        if not (fits(child) and key >= 0) or (FLOATS and not g + cost < BEYOND_COSTS):
            kind = WRONG
        elif not FLOATS and cost > most_cost() - g:
            kind = TOO_COSTLY
    return kind, child, cost, key, expansions[-1][word(action)]


def estimate_at(me: Self, _expansions: Expansions, _entry: Int, _number: Int, child: State) -> Number:
    """The h of a child."""
    return estimate(me, child)


def fetch_twins(_me: Self, _nodes: Nodes, _table: Table, _expansions: Expansions, _entry: Int) -> None:
    """Fetch nothing: no child has been made."""


PARTS = (look_ahead, highest, parents_in, children_in, prepared_at, child_at, estimate_at, fetch_twins)

MOST_FORMS = 16
"""The number of forms of expansions that are kept."""


def kept_expansions(domain: Domain, number: NumberType, undone: dict[int, list[int]]) -> Kept:
    """The arrays of prefetch.py, of which only undo_by is read: all searches of a form share them."""
    return _shared(form_of(domain, number, undone))


@lru_cache(MOST_FORMS)
def _shared(form: Form) -> Kept:
    return no_expansions(*form)

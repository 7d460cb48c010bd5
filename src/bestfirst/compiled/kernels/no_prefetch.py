"""Expansions without preparation, one child at a time: for a heap as agenda, with a table by rank.

Such a heap does not know the next nodes, and such a table is usually small, so preparing nodes ahead of their
turn (prefetch.py, which has functions of the same names) saves little. And a heap need not know the highest h in advance. So
a child is estimated only if it turns out to be new, or cheaper.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from bestfirst.compiled.kernels.prefetch import COSTLY, NEW, NONE, PARENT, WRONG, word
from bestfirst.compiled.store.records import most_cost
from bestfirst.compiled.store.table import key_of

if TYPE_CHECKING:
    from bestfirst.compiled.compiler.names import BEYOND_COSTS, FLOATS, MAX_ACTIONS, estimate, fits, step


def look_ahead(_me: Any, _table: Any, _ready: Any, _order: Any, _state: Any, _undo: Any, _h: Any) -> Any:
    """Prepare nothing."""
    return 0


def highest(ready: Any, _entry: Any) -> Any:
    """Whether the children are valid, with the highest step cost and the highest h among them: not known yet."""
    nothing = 0 * ready[1][0]
    return True, nothing, nothing


def parents_in(_ready: Any, _entry: Any) -> Any:
    """The number of omitted children that are the node's parent: none."""
    return 0


def children_in(_ready: Any, _entry: Any) -> Any:
    """The maximum number of children."""
    return MAX_ACTIONS


def child_at(me: Any, table: Any, ready: Any, _entry: Any, state: Any, undo: Any, g: Any, action: Any) -> Any:
    """The child of an action: (its kind, the child, the cost of the step, its key in the table, its undo)."""
    legal, child, cost = step(me, state, action)
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
            kind = COSTLY
    return kind, child, cost, key, ready[3][word(action)]


def estimate_at(me: Any, _ready: Any, _entry: Any, _number: Any, child: Any) -> Any:
    """The h of a child."""
    return estimate(me, child)


PARTS = (look_ahead, highest, parents_in, children_in, child_at, estimate_at)

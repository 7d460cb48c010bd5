"""Expansions made when their turn comes, one child at a time: for an agenda that is a heap, over a table by rank.

Such a heap does not tell which nodes come next, and such a table is small as a rule, so that to make nodes ready ahead of their
turn (prefetch.py, which has functions of the same names) saves little. And a heap has to be told no highest h beforehand. So a
child is estimated only when it turns out to be new, or cheaper.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from bestfirst.compiled.kernels.prefetch import COSTLY, NEW, NONE, PARENT, WRONG, word
from bestfirst.compiled.store.records import most_cost
from bestfirst.compiled.store.table import key_of

if TYPE_CHECKING:
    from bestfirst.compiled.compiler.names import BEYOND_COSTS, FLOATS, MAX_ACTIONS, estimate, fits, step


def look_ahead(_me: Any, _table: Any, _ready: Any, _order: Any, _state: Any, _undo: Any, _h: Any) -> Any:
    """Make nothing ready."""
    return 0


def highest(ready: Any, _entry: Any) -> Any:
    """Whether the children are all right, and what the dearest step and the highest h among them are: not known yet."""
    nothing = 0 * ready[1][0]
    return True, nothing, nothing


def parents_in(_ready: Any, _entry: Any) -> Any:
    """How many children that are the node's parent have been left out: none."""
    return 0


def children_in(_ready: Any, _entry: Any) -> Any:
    """How many children there may be."""
    return MAX_ACTIONS


def child_at(me: Any, table: Any, ready: Any, _entry: Any, state: Any, undo: Any, g: Any, action: Any) -> Any:
    """The child of an action: (what it is, the child, the cost of the step, what it is looked up by, its undo)."""
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

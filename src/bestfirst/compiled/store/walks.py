"""The records of IDA*: nodes on its stack and on its path, and what it knows about an iteration.

    +-------------------------+-------+--------+---+-----+--------+
    | the words of the state  | depth | action | f | (g) | (came) |
    +-------------------------+-------+--------+---+-----+--------+

action led to the node. g is omitted if every action costs 1: it is the depth. came, the state of the automaton over actions,
exists only if operator sequences are pruned.

The functions below Node are parts of engine templates.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

import numpy as np

from bestfirst.compiled.compiler.state_fields import kept_fields
from bestfirst.compiled.store.growth import record_type
from bestfirst.domain import Domain

if TYPE_CHECKING:
    from bestfirst.compiled.compiler.names import HAS_AUTOMATON, UNIT_COST, put_state, state_in
    from bestfirst.compiled.store.aliases import Array, Int, Number, State

Records: TypeAlias = Any
"""A NumPy array of records, or one record: its fields are read and written by their names, such as `walk.height`. The names
must not be attributes of np.record (which has a size)."""

COUNTS = ("expanded", "generated", "pruned", "longest", "dead_ends", "inconsistent")
"""longest: the depth of the deepest expanded node. inconsistent: edges along which f falls."""
EXPANDED, LONGEST, INCONSISTENT = map(COUNTS.index, ("expanded", "longest", "inconsistent"))


def node_type(domain: Domain, *, floats: bool, has_automaton: bool) -> np.dtype[np.void]:
    """The type of a node's record."""
    fields: list[tuple[str, Any]] = [(f"state_{place}", np.int64) for place in kept_fields(domain)]
    fields += [("depth", np.uint32), ("action", np.uint32), ("f", np.float64 if floats else np.uint64)]
    fields += [] if domain.unit_cost else [("g", np.float64 if floats else np.int64)]
    return record_type(*fields, *([("came", np.int64)] if has_automaton else []))


@cache
def walk_type(*, floats: bool) -> np.dtype[np.void]:
    """The type of the record of a depth-first search within a bound.

    height: nodes on the stack. depth: of the node at which the search stands. fall_depth, fall_action: of the first node of the
    iteration at which f fell; 0 if it did not. repeat_depth: see idastar_slice(). job: see parallel_idastar.py. ended, used:
    see iterations_slice().
    left, deepest, lowest: the expansions, the depth and the room on the stack that are left to the calls of visit(). watched: the
    depth below which longest or deepest matters to them.
    """
    total = np.float64 if floats else np.uint64
    near = "left", "watched"  # each call of visit() reads them
    places = "height", "depth", "fall_depth", "fall_action", "repeat_depth", "job", "ended", "used", "deepest", "lowest"
    own = *near, *COUNTS, *places
    return record_type(("bound", total), ("next_bound", total), *((name, np.int64) for name in own))


@cache
def iteration_type(*, floats: bool) -> np.dtype[np.void]:
    """The type of the record of an iteration that has ended: the bound of the next one, and the counts."""
    total = np.float64 if floats else np.uint64
    return record_type(("next_bound", total), *((name, np.int64) for name in COUNTS))


class Node(NamedTuple):
    """A node that compiled code has in hand; g is its depth if every action costs 1, came is 0 without an automaton."""

    state: State
    depth: int
    action: int
    f: Number
    g: Number
    came: int


def node_at(nodes: Records, place: int) -> Node:
    """The node in a record."""
    record = nodes[np.uint64(place)]  # an unsigned index saves the check for negative values
    depth: Int = np.int64(record.depth)
    action: Int = np.int64(record.action)
    if UNIT_COST:  # noqa: SIM108  (only the branch that is taken is to be compiled)
        g = depth
    else:
        g = record.g
    if HAS_AUTOMATON:  # noqa: SIM108
        came = record.came
    else:
        came = 0
    return Node(state_in(nodes, place), depth, action, record.f, g, came)


def put_node(nodes: Records, place: int, node: Node) -> None:
    """Write a node to a record."""
    record = nodes[np.uint64(place)]
    put_state(nodes, place, node.state)
    record.depth = node.depth
    record.action = node.action
    record.f = node.f
    if not UNIT_COST:
        record.g = node.g
    if HAS_AUTOMATON:
        record.came = node.came


def write_counts(row: Array, walk: Records) -> None:
    """Write the counts to a row of a table with a column for each of COUNTS."""
    row[0], row[1], row[2] = walk.expanded, walk.generated, walk.pruned
    row[3], row[4], row[5] = walk.longest, walk.dead_ends, walk.inconsistent


PARTS = (node_at, put_node)

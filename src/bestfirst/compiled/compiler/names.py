"""The names that engine templates read and specialise() defines, for readers and type checkers."""

from __future__ import annotations

from typing import Any

MAX_ACTIONS: int
"""Actions are 0 .. MAX_ACTIONS - 1."""
LEGAL_FIRST: bool
"""Whether the actions after an illegal one can be skipped."""
FIELDS: int
"""The number of fields of a state."""
HAS_INVERSE: bool
"""Whether every action has an inverse."""
UNIT_COST: bool
"""Whether every action costs 1."""
HAS_AUTOMATON: bool
"""Whether operator sequences are pruned (operator_sequences/automaton.py)."""
HAS_CLAIMS: bool
"""Whether that automaton makes claims, which must be checked."""
BY_F: bool
"""Whether the children of a node are tried in order of f."""

CHEAPEST_ACTION: int
"""The cost of the cheapest action."""

FLOATS: bool
"""Whether costs or estimates are floats."""
BEYOND_COSTS: float
"""Where they are: the cost of every path is less. That is inf, or what floats hold exactly, where Python may add up ints."""
COST_BITS: int
"""The width of g in a node record, if it is an int."""
FLOAT_KEYS: bool
"""Whether the order of the agenda has floats: because costs, estimates or the weight are floats."""
WIDE: bool
"""Whether the order of the agenda has ints that may need more than 64 bits, because the weight is an int."""
LIFO: bool
"""Whether the agenda is last in, first out among equals."""
RANKED: bool
"""Whether states are found by rank."""
HAS_BY_F: bool
"""Whether a second heap, by f, exists."""
LONGEST_LINE: int
"""The number of nodes that are prepared together."""


def as_self(data: Any) -> Any:
    """The domain's data, by their names in its methods."""
    raise NotImplementedError


def step(me: Any, state: Any, action: int) -> tuple[bool, Any, Any]:
    """Domain.step."""
    raise NotImplementedError


def is_goal(me: Any, state: Any) -> bool:
    """Domain.is_goal."""
    raise NotImplementedError


def estimate(me: Any, state: Any) -> Any:
    """The heuristic."""
    raise NotImplementedError


def attempt_step(me: Any, state: Any, action: int) -> tuple[bool, tuple[bool, Any, Any]]:
    """Whether step has a result, and the result: for a state that may never be expanded."""
    raise NotImplementedError


def attempt_estimate(me: Any, state: Any) -> tuple[bool, Any]:
    """Whether the heuristic has a result, and the result."""
    raise NotImplementedError


def attempt_rank(me: Any, state: Any) -> tuple[bool, Any]:
    """Whether rank has a result, and the result."""
    raise NotImplementedError


def unrank(me: Any, number: Any) -> Any:
    """Domain.unrank."""
    raise NotImplementedError


def load(rows: Any, place: Any) -> Any:
    """The state at an index of the rows, which are one array per field."""
    raise NotImplementedError


def store(rows: Any, place: Any, state: Any) -> None:
    """Write a state to an index of the rows."""
    raise NotImplementedError


def is_same(rows: Any, place: Any, state: Any) -> bool:
    """Whether the state at an index of the rows is this one."""
    raise NotImplementedError


def hash_of(state: Any) -> Any:
    """A hash of a state, an unsigned int."""
    raise NotImplementedError


def load_row(words: Any, at: Any) -> Any:
    """The state whose fields are the words that begin at an index."""
    raise NotImplementedError


def store_row(words: Any, at: Any, state: Any) -> None:
    """Write the fields of a state into the words that begin at an index."""
    raise NotImplementedError


def state_in(nodes: Any, place: Any) -> Any:
    """The state in a record, whose fields begin with state_."""
    raise NotImplementedError


def put_state(nodes: Any, place: Any, state: Any) -> None:
    """Write a state into such a record."""
    raise NotImplementedError


def rank(me: Any, state: Any) -> Any:
    """Domain.rank."""
    raise NotImplementedError


def block_step(me: Any, block: Any, action: Any) -> Any:
    """Domain.block_step."""
    raise NotImplementedError


def turned(me: Any, turn: Any, order: Any) -> Any:
    """Domain.turned."""
    raise NotImplementedError


def entry(me: Any, state: Any) -> Any:
    """Domain.entry."""
    raise NotImplementedError


# Functions for node records (records.py), if the template has a layout for them.


def state_of(nodes: Any, place: Any) -> Any:
    """The state of a node."""
    raise NotImplementedError


def put_record(nodes: Any, place: Any, state: Any, *fields: Any) -> None:
    """Make a new record. fields: the engine's, in the order of its Layout; then g, if it has one."""
    raise NotImplementedError


def is_state(nodes: Any, place: Any, state: Any) -> Any:
    """Whether a node has a state."""
    raise NotImplementedError


def mix_of(state: Any) -> Any:
    """A hash of a state, a signed 64-bit int."""
    raise NotImplementedError


def fits(state: Any) -> Any:
    """Whether all fields of a state fit into their bits in a record."""
    raise NotImplementedError


def fetch(nodes: Any, place: Any) -> None:
    """Begin to fetch a record from memory."""
    raise NotImplementedError


def g_of(nodes: Any, place: Any) -> Any:
    """The cost of the path to a node."""
    raise NotImplementedError


def parent_of(nodes: Any, place: Any) -> Any:
    """The index + 1 of a node's parent, 0 if it has none."""
    raise NotImplementedError


def undo_of(nodes: Any, place: Any) -> Any:
    """The action that leads from a node back to its parent, + 1; 0 if there is none."""
    raise NotImplementedError


def open_of(nodes: Any, place: Any) -> Any:
    """Whether a node is on the agenda, 1 or 0."""
    raise NotImplementedError


def set_open(nodes: Any, place: Any, value: Any) -> None:
    """Set whether a node is on the agenda: 1 or 0."""
    raise NotImplementedError


# Functions for the agenda (buckets.py, heap.py).


def has_room(agenda: Any, order: Any, g: Any, h: Any, children: Any) -> Any:
    """Whether `children` nodes with at most this g and h can enter."""
    raise NotImplementedError


def next_waiting(nodes: Any, agenda: Any) -> Any:
    """The node that leaves next; the agenda must not be empty."""
    raise NotImplementedError


def drop(agenda: Any) -> None:
    """Take the node that leaves next off the agenda."""
    raise NotImplementedError


def upcoming(agenda: Any, number: Any) -> Any:
    """The node that leaves `number` places after the next one, if none enters before it; -1 if unknown."""
    raise NotImplementedError


def enter(agenda: Any, order: Any, place: Any, g: Any, h: Any) -> None:
    """Put a node on the agenda."""
    raise NotImplementedError

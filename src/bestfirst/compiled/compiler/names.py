"""The names that engine templates read and specialise() defines, for readers and type checkers."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

    from bestfirst.compiled.store.aliases import (
        Address,
        Array,
        Arrays,
        Flag,
        Int,
        Nodes,
        Number,
        OpenList,
        Pair,
        Self,
        State,
    )

LEGAL_FIRST: bool
"""Whether the actions after an illegal one can be skipped."""
FIELDS: int
"""The number of words of a state."""
HAS_INVERSE: bool
"""Whether every action has an inverse."""
HAS_WINDOWS: bool
"""Whether a beam may search a part of a path (kernels/anytime_beam.py)."""
BY_DISCREPANCIES: bool
"""Whether only the best child of a node is visited in the same iteration (kernels/memoised_depth_first.py)."""
SEVERAL_GOALS: bool
"""Whether the search continues after a goal (drivers/nearest_goals.py)."""
HAS_RESOURCES: bool
"""Whether states dominate others by their resources (store/fronts.py)."""
UNIT_COST: bool
"""Whether every action costs 1."""
HAS_AUTOMATON: bool
"""Whether operator sequences are pruned (operator_sequences/automaton.py)."""
HAS_CLAIMS: bool
"""Whether that automaton makes claims, which must be checked."""
HAS_CONTROL: bool
"""Whether there is code for each value of the control field (copies.py)."""
BY_F: bool
"""Whether the children of a node are tried in order of f."""

CHEAPEST_ACTION: int
"""The cost of the cheapest action."""

FLOATS: bool
"""Whether costs or estimates are floats."""
BEYOND_COSTS: float
"""If they are floats: more than every path costs. It is inf, or the most that floats hold exactly if Python may add up ints."""
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


def as_self(data: Self) -> Self:
    """The domain's data, by their names in its methods."""
    raise NotImplementedError


def max_actions(me: Self) -> int:
    """The number of actions, which are 0 .. max_actions - 1: a constant if that is one of the class, or fixed."""
    raise NotImplementedError


def prepared_for(me: Self, state: State) -> Pair:
    """What is worked out once for the actions of a state (prepared_methods.py)."""
    raise NotImplementedError


def next_action(me: Self, state: State, pair: Pair, action: int) -> int:
    """The first action after this one that may be legal in a state; max_actions or more if there is none (candidates.py)."""
    raise NotImplementedError


def step(me: Self, state: State, action: int) -> tuple[bool, State, Number]:
    """Domain.step for an action by itself: it is illegal if another one is forced."""
    raise NotImplementedError


def step_with(me: Self, state: State, action: int, pair: Pair) -> tuple[bool, State, Number]:
    """Domain.step, with what is prepared for the state."""
    raise NotImplementedError


def is_goal(me: Self, state: State) -> bool:
    """Domain.is_goal."""
    raise NotImplementedError


def estimate(me: Self, state: State) -> Number:
    """The heuristic."""
    raise NotImplementedError


def attempt_step(me: Self, state: State, action: int) -> tuple[bool, tuple[bool, State, Number]]:
    """Whether step has a result, and the result: for a state that may never be expanded."""
    raise NotImplementedError


def attempt_prepared_for(me: Self, state: State) -> tuple[bool, Pair]:
    """Whether what is prepared has a value, and the value."""
    raise NotImplementedError


def attempt_step_with(me: Self, state: State, action: int, pair: Pair) -> tuple[bool, tuple[bool, State, Number]]:
    """Like attempt_step(), with what is prepared for the state."""
    raise NotImplementedError


def attempt_estimate(me: Self, state: State) -> tuple[bool, Number]:
    """Whether the heuristic has a result, and the result."""
    raise NotImplementedError


def attempt_rank(me: Self, state: State) -> tuple[bool, Number]:
    """Whether rank has a result, and the result."""
    raise NotImplementedError


def unrank(me: Self, number: Int) -> State:
    """Domain.unrank."""
    raise NotImplementedError


def visit_first(visit: Callable[..., Int], descent: Address, state: State, undo: Int, depth: Int, h: Number) -> Int:
    """Call visit() for a node (copies.py)."""
    raise NotImplementedError


def aside(leave: Callable[..., Int], descent: Address, state: State, undo: Int, depth: Int, action: Int, how: Int) -> Int:
    """Call leave(), which is seldom called: its code and its variables are kept apart from those of the caller."""
    raise NotImplementedError


def visit_child(descent: Address, state: State, child: State, action: Int, depth: Int, h: Number) -> Int:
    """Call visit() for the child of a state that an action leads to."""
    raise NotImplementedError


def load(rows: Arrays, place: Int) -> State:
    """The state at an index of the rows, which are one array per field."""
    raise NotImplementedError


def store(rows: Arrays, place: Int, state: State) -> None:
    """Write a state to an index of the rows."""
    raise NotImplementedError


def is_same(rows: Arrays, place: Int, state: State) -> bool:
    """Whether the state at an index of the rows is this one."""
    raise NotImplementedError


def fetch_state(rows: Arrays, place: Int) -> None:
    """Begin to fetch the state at an index of the rows."""
    raise NotImplementedError


def fetch_identity(rows: Arrays, place: Int) -> None:
    """Begin to fetch what is_same() reads of it."""
    raise NotImplementedError


def hash_of(state: State) -> Int:
    """A hash of a state, an unsigned int."""
    raise NotImplementedError


def is_as_good(state: State, other: State) -> Flag:
    """Whether no resource of a state is worse than that of another one (Domain.resources)."""
    raise NotImplementedError


def load_row(words: Array, at: Int) -> State:
    """The state whose fields are the words that begin at an index."""
    raise NotImplementedError


def store_row(words: Array, at: Int, state: State) -> None:
    """Write the fields of a state into the words that begin at an index."""
    raise NotImplementedError


def state_in(nodes: Nodes, place: Int) -> State:
    """The state in a record, whose fields begin with state_."""
    raise NotImplementedError


def put_state(nodes: Nodes, place: Int, state: State) -> None:
    """Write a state into the state_ fields of a record."""
    raise NotImplementedError


def rank(me: Self, state: State) -> Int:
    """Domain.rank."""
    raise NotImplementedError


def block_step(me: Self, block: Int, action: Int) -> Int:
    """Domain.block_step."""
    raise NotImplementedError


def turned(me: Self, turn: Int, order: Int) -> Int:
    """Domain.turned."""
    raise NotImplementedError


def entry(me: Self, state: State) -> Int:
    """Domain.entry."""
    raise NotImplementedError


# Functions for node records (records.py), if the template has a layout for them.


def state_of(nodes: Nodes, place: Int) -> State:
    """The state of a node."""
    raise NotImplementedError


def put_record(nodes: Nodes, place: Int, state: State, *fields: Number) -> None:
    """Make a new record. fields: the engine's, in the order of its Layout; then g, if it has one."""
    raise NotImplementedError


def is_state(nodes: Nodes, place: Int, state: State) -> Flag:
    """Whether a node has a state."""
    raise NotImplementedError


def mix_of(state: State) -> Int:
    """A hash of a state, a signed 64-bit int."""
    raise NotImplementedError


def fits(state: State) -> Flag:
    """Whether all fields of a state fit into their bits in a record."""
    raise NotImplementedError


def fetch(nodes: Nodes, place: Int) -> None:
    """Begin to fetch a record from memory."""
    raise NotImplementedError


def g_of(nodes: Nodes, place: Int) -> Number:
    """The cost of the path to a node."""
    raise NotImplementedError


def parent_of(nodes: Nodes, place: Int) -> Int:
    """The index + 1 of a node's parent, 0 if it has none."""
    raise NotImplementedError


def undo_of(nodes: Nodes, place: Int) -> Int:
    """The action that leads from a node back to its parent, + 1; 0 if there is none."""
    raise NotImplementedError


def open_of(nodes: Nodes, place: Int) -> Int:
    """Whether a node is on the agenda, 1 or 0."""
    raise NotImplementedError


def rival_of(nodes: Nodes, place: Int) -> Int:
    """The next node of a front (store/fronts.py)."""
    raise NotImplementedError


def set_rival(nodes: Nodes, place: Int, value: Int) -> None:
    """Set the next node of a front."""
    raise NotImplementedError


def set_open(nodes: Nodes, place: Int, value: Int) -> None:
    """Set whether a node is on the agenda: 1 or 0."""
    raise NotImplementedError


# Functions for the agenda (buckets.py, heap.py).


def has_room(agenda: OpenList, order: Int, g: Number, h: Number, children: Int) -> Flag:
    """Whether `children` nodes with at most this g and h can enter."""
    raise NotImplementedError


def next_waiting(nodes: Nodes, agenda: OpenList) -> Int:
    """The node that leaves next; the agenda must not be empty."""
    raise NotImplementedError


def drop(agenda: OpenList) -> None:
    """Take the node that leaves next off the agenda."""
    raise NotImplementedError


def upcoming(agenda: OpenList, number: Int) -> Int:
    """The node that leaves `number` places after the next one, if none enters before it; -1 if unknown."""
    raise NotImplementedError


def enter(agenda: OpenList, order: Int, place: Int, g: Number, h: Number) -> None:
    """Put a node on the agenda."""
    raise NotImplementedError

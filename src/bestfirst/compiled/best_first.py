"""Best-first search, compiled: A*, weighted A*, uniform-cost and greedy search.

The twin of search/best_first.py. Nodes are records (records.py) side by side in one array; a state is found again through a table
(table.py). The agenda is one of buckets where its order is made of ints (buckets.py), a heap where it is not (heap.py).

A cheaper path to a state that is known makes a new record. So the paths through the old one stay what they were; if that still
waits, it is skipped when its turn comes.
"""

from __future__ import annotations

from math import inf
from types import ModuleType
from typing import TYPE_CHECKING, Any

import numpy as np

from bestfirst.agenda import check_ties
from bestfirst.compiled import buckets, expansions, heap, in_turn, rebuilt_agenda, table
from bestfirst.compiled.buckets import FIRST_BUCKETS, MOST_BUCKETS, Buckets
from bestfirst.compiled.driver import CompiledDriver
from bestfirst.compiled.expansions import (
    COSTLY,
    LONG_LINE,
    NONE,
    PARENT,
    WRONG,
    actions_by_undo,
    child_at,
    children_in,
    estimate_at,
    highest,
    look_ahead,
    no_expansions,
    parents_in,
    undo_bits,
)
from bestfirst.compiled.faults import check_field, check_rank
from bestfirst.compiled.heap import Heap
from bestfirst.compiled.node_store import NodeStore
from bestfirst.compiled.records import MOST_COST_BITS, Layout
from bestfirst.compiled.saved_values import MOST, Saved, require
from bestfirst.compiled.specialise import has_float_costs, specialise
from bestfirst.compiled.table import fill_table, find, is_ranked, key_of, place_in, put
from bestfirst.errors import NotCompilableError, ProblemError
from bestfirst.heuristics.heuristic import ZERO, Heuristic
from bestfirst.memory import available_bytes
from bestfirst.node import Node, expand, root_of
from bestfirst.problem import Domain
from bestfirst.search.weighted_astar import check_weight

if TYPE_CHECKING:
    from bestfirst.compiled.names import (
        COST_BITS,
        FLOATS,
        LEGAL_FIRST,
        MAX_ACTIONS,
        as_self,
        drop,
        enter,
        estimate,
        fetch,
        g_of,
        has_room,
        is_goal,
        is_waiting,
        leave,
        load_row,
        next_waiting,
        put_record,
        state_of,
        undo_of,
        upcoming,
    )

# The places of the control array: counts and marks. AT is the node at work when a slice ended.
NODES, OPEN, EXPANDED, GENERATED, DUPLICATES, REOPENED, PRUNED, PEAK, DEAD_ENDS, FALLS, FALL_FROM, FALL_TO, AT = range(13)
PRIMARY, SECONDARY = 13, 14  # the order that the agenda has no room for
CAPACITY = 15  # the nodes that there is room for
CONTROL_SIZE = 16

AHEAD = 6
"""Places in a bucket: a node so far ahead is made ready for its expansion, and of one twice as far the record is fetched."""

START, REFILL = -1, -2
"""Budgets that ask for something else: to put the root on the agenda; to enter all nodes into an empty table."""

# How a slice ended.
STOPPED, EXHAUSTED, FOUND, FULL, NO_ROOM, TOO_DEAR, FAULTY = range(7)

# The places of the array of reals. LOWEST is the lowest f on the agenda when a goal was found, BEST the lowest cost of a goal.
BOUND, WEIGHT, LOWEST, BEST = range(4)


def exceeds(one: Any, other: Any) -> Any:
    """Whether a number is greater than another one by more than rounding explains; see bestfirst.numbers.exceeds."""
    if one <= other or not FLOATS:
        return one > other
    return one - other > max(1e-9 * max(abs(one), abs(other)), 1e-12)


def room_for(agenda: Any, ready: Any, control: Any, order: Any, entry: Any, g: Any) -> Any:
    """Whether the children of a node can be put on the agenda: how the slice ends if not.

    entry: where they are in ready. Nothing has been changed then, so the expansion can be made later.
    """
    all_right, highest_cost, highest_h = highest(ready, entry)
    if not all_right:
        return FAULTY
    g_first, h_first, h_second = order
    highest_g = g + highest_cost
    if FLOATS:
        if not highest_g < inf:
            return FAULTY
    elif highest_cost >> COST_BITS != 0 or highest_g >> COST_BITS != 0:  # the first keeps the sum from overflowing
        return TOO_DEAR
    primary, secondary = g_first * highest_g + h_first * highest_h, h_second * highest_h
    if not has_room(agenda, primary, secondary):
        control[PRIMARY] = 0 if FLOATS else np.int64(primary)
        control[SECONDARY] = 0 if FLOATS else np.int64(secondary)
        return NO_ROOM
    return STOPPED


def lowest_total(me: Any, nodes: Any, size: int, but: int) -> float:
    """The lowest f of the nodes on the agenda, all but one."""
    lowest = inf
    for place in range(size):
        if place != but and is_waiting(nodes, place):
            lowest = min(lowest, float(g_of(nodes, place) + estimate(me, state_of(nodes, place))))
    return lowest


def best_first_slice(
    data: Any,
    nodes: Any,
    table_: Any,
    agenda: Any,
    ready: Any,
    control: Any,
    reals: Any,
    order: Any,
    reopen: bool,
    budget: int,
) -> int:
    """Search on, for at most `budget` expansions; how it ended.

    nodes: the records, as ints and as floats. table_: the nodes, found by their states. order: (g_first, h_first, h_second); nodes
    leave the agenda lowest g_first * g + h_first * h first, of equal ones lowest h_second * h first. ready: the expansions that
    have been made ready.
    reopen: whether a cheaper path to a state that is known takes the place of the one there is.
    """
    me = as_self(data)
    g_first, h_first, h_second = order
    if budget == REFILL:
        fill_table(me, nodes, table_, control[NODES])
        return STOPPED
    if budget == START:
        root = load_row(ready[0], 0)
        h = estimate(me, root)
        key = key_of(me, table_, root)
        put_record(nodes, 0, root, 0, 0, 1, 0)
        put(table_, find(nodes, table_, key, root), key, 0)
        enter(agenda, 0, h_first * h, h_second * h)
        return STOPPED
    capacity = control[CAPACITY]
    size, waiting = control[NODES], control[OPEN]
    peak = control[PEAK]
    bound, weight = reals[BOUND], reals[WEIGHT]
    place = 0
    expanded = 0
    generated = 0
    duplicates = 0
    how = STOPPED
    while True:
        if waiting == 0:
            how = EXHAUSTED
            break
        place = next_waiting(nodes, agenda)
        peak = max(peak, waiting - 1)
        state = state_of(nodes, place)
        if is_goal(me, state):
            how = FOUND
            if weight > 1:
                reals[LOWEST] = lowest_total(me, nodes, size, place)
            break
        g = g_of(nodes, place)
        h = estimate(me, state)
        f = g + h
        bound = max(bound, float(f) if weight == 1 else g / weight + h)
        if expanded >= budget:
            break
        if size + MAX_ACTIONS > capacity:
            how = FULL
            break
        later = upcoming(agenda, 2 * AHEAD)
        if later >= 0:
            fetch(nodes, later)
        entry = 0
        for soon in (upcoming(agenda, AHEAD), place):
            if soon >= 0:
                soon_state = state_of(nodes, soon)
                soon_h = estimate(me, soon_state)
                entry = look_ahead(me, table_, ready, order, soon_state, undo_of(nodes, soon), soon_h)
        how = room_for(agenda, ready, control, order, entry, g)
        if how != STOPPED:
            break
        leave(nodes, place)
        drop(agenda)
        waiting -= 1
        undo = undo_of(nodes, place)
        parents = parents_in(ready, entry)
        generated += parents
        duplicates += parents
        for number in range(children_in(ready, entry)):
            kind, child, cost, key, child_undo = child_at(me, table_, ready, entry, state, undo, g, number)
            if kind == NONE:
                if LEGAL_FIRST:
                    break
                continue
            if kind in (WRONG, COSTLY):
                control[AT] = place
                return FAULTY if kind == WRONG else TOO_DEAR
            generated += 1
            if kind == PARENT:
                duplicates += 1
                continue
            child_g = g + cost
            slot = find(nodes, table_, key, child)
            twin = place_in(table_, slot)
            if twin >= 0 and (not reopen or child_g >= g_of(nodes, twin)):
                duplicates += 1
                continue
            child_h = estimate_at(me, ready, entry, number, child)
            if not child_h >= 0:
                control[AT] = place
                return FAULTY
            if FLOATS and child_h == inf:
                control[PRUNED] += 1
                control[DEAD_ENDS] += 1
                continue
            if twin >= 0:
                duplicates += 1
                if is_waiting(nodes, twin):
                    leave(nodes, twin)
                    waiting -= 1
                else:
                    control[REOPENED] += 1
            put(table_, slot, key, size)
            put_record(nodes, size, child, place + 1, child_undo, 1, child_g)
            enter(agenda, size, g_first * child_g + h_first * child_h, h_second * child_h)
            if child_g + child_h < f and exceeds(f, child_g + child_h):
                if control[FALLS] == 0:
                    control[FALL_FROM] = place
                    control[FALL_TO] = size
                control[FALLS] += 1
            size += 1
            waiting += 1
        expanded += 1
    control[AT] = place
    control[NODES], control[OPEN], control[PEAK] = size, waiting, peak
    control[EXPANDED] += expanded
    control[GENERATED] += generated
    control[DUPLICATES] += duplicates
    reals[BOUND] = bound
    return how


def no_estimate(_self: Any, _state: Any) -> int:
    """The heuristic of uniform-cost search."""
    return 0


class BestFirst(CompiledDriver):
    """Best-first search on a domain, in slices.

    order: (g_first, h_first, h_second); nodes leave the agenda lowest g_first * g + h_first * h first, of equal ones lowest
        h_second * h first, and of those the first in, or the last in where ties is "lifo".
    proves: whether g / weight + h of the node that leaves is a lower bound on the cost of every solution.
    """

    def __init__(
        self,
        domain: Domain,
        heuristic: Heuristic | None,
        *,
        order: tuple[float, float, int],
        ties: str = "fifo",
        reopen: bool = True,
        proves: bool = True,
        weight: float = 1,
    ) -> None:
        super().__init__()
        check_ties(ties)
        self._domain = domain
        self._heuristic = heuristic
        self._h = (heuristic or ZERO).checked()
        self._order = order
        self._lifo = ties == "lifo"
        self._reopen = reopen
        self._proves = proves
        self._weight = weight
        self._root = root_of(domain, self._h)
        self._floats = has_float_costs(domain, self._estimate, self._optional)
        self._has_buckets = not self._floats and all(float(part).is_integer() for part in order) and self._suits_buckets()
        self._cost_bits = 0
        self._begin()
        self.stats.generated = 1

    @property
    def _estimate(self) -> Any:
        return self._heuristic.function if self._heuristic else no_estimate

    @property
    def _optional(self) -> tuple[str, ...]:
        return ("rank",) if is_ranked(self._domain) else ()

    def _suits_buckets(self) -> bool:
        """Whether buckets will do as far as one can tell from the root."""
        _g_first, h_first, h_second = self._order
        h = int(self._root.h)
        return (h_first * h + FIRST_BUCKETS) * (h_second * h + 1) <= MOST_BUCKETS // 16

    def _template(self) -> tuple[Any, tuple[Any, ...]]:
        """The template of the search, and its parts beside those of the table and the agenda."""
        return best_first_slice, (lowest_total,)

    @property
    def _expansions(self) -> ModuleType:
        """How expansions are made."""
        return in_turn if self._optional and not self._has_buckets else expansions

    def _begin(self) -> None:
        """Make the arrays, with the root on the agenda."""
        kind = buckets if self._has_buckets else heap
        fields = {"parent": 31, "undo": undo_bits(self._domain)} | kind.RECORD_FIELDS
        layout = Layout(self._domain, fields, is_float=self._floats, cost_bits=self._cost_bits)
        template, parts = self._template()
        self._compiled = specialise(
            template,
            self._domain,
            self._estimate,
            optional=self._optional,
            parts=(*table.PARTS, *kind.PARTS, *self._expansions.PARTS, exceeds, room_for, *parts),
            layout=layout,
            FLOATS=self._floats,
            COST_BITS=layout.bits("g"),
            RANKED=bool(self._optional),
            LONGEST_LINE=1 if self._optional else LONG_LINE,
        )
        number = int if self._has_buckets else float
        self._runtime_order = tuple(number(part) for part in self._order)
        self._agenda = self._empty_agenda()
        self._store = NodeStore(layout, self._domain.size if self._optional else 0, self._domain.max_actions)
        self._ready = no_expansions(self._domain, is_float=self._floats)
        self._undone_by = {undo: undone[0] for undo, undone in actions_by_undo(self._domain).items() if len(undone) == 1}
        self._control = np.zeros(CONTROL_SIZE, np.int64)
        self._reals = np.array([0.0, self._weight, inf, inf])
        self._put_root()

    def _put_root(self) -> None:
        root = self._root
        if root.h == inf:
            self.dead_ends = 1
            return
        words = self._ready[0]
        words[: len(root.state)] = root.state
        _g_first, h_first, h_second = self._order
        while not self._agenda.has_room(h_first * root.h, h_second * root.h):
            self._agenda.grow(int(h_first * root.h), int(h_second * root.h))
        self._call(START)
        self._control[[NODES, OPEN]] = 1, 1

    def _call(self, budget: int) -> int:
        how = self._compiled.run(
            self._compiled.data,
            self._store.nodes,
            self._store.table,
            self._agenda.arrays,
            self._ready,
            self._control,
            self._reals,
            self._runtime_order,
            *self._special_arguments(),
            budget,
        )
        return int(how)

    def _special_arguments(self) -> tuple[Any, ...]:
        """What the template is given beside what all of them are."""
        return (self._reopen,)

    def _advance(self, budget: int) -> None:
        until = self.stats.expanded + budget
        while self._go_on(until - self.stats.expanded) in (FULL, NO_ROOM) and self.stopped is None:
            pass

    def _go_on(self, budget: int) -> int:
        """Run a slice, and do what it asks for; how it ended."""
        self._control[CAPACITY] = self._store.capacity
        how = self._call(budget)
        self._take_counts()
        if how == FULL:
            self._grow_nodes()
        elif how == NO_ROOM:
            self._grow_agenda()
        elif how == TOO_DEAR:
            self._widen_costs()
        elif how == FAULTY:
            self._raise_fault()
        elif how == EXHAUSTED:
            self._take_end()
        elif how == FOUND:
            self._take_goal()
        return how

    def _take_end(self) -> None:
        self.bound, self.ended = inf, True

    def _take_counts(self) -> None:
        control, stats = self._control, self.stats
        stats.expanded, stats.duplicates, stats.reopened, stats.pruned, stats.peak_agenda, self.dead_ends, self.falls = (
            int(control[at]) for at in (EXPANDED, DUPLICATES, REOPENED, PRUNED, PEAK, DEAD_ENDS, FALLS)
        )
        stats.generated = 1 + int(control[GENERATED])
        if self._root.h == inf:
            self.dead_ends = 1
        if self._proves:
            self.bound = self._number(self._reals[BOUND])
        if self.falls and self.fall is None:
            self.fall = self._fall()

    def _number(self, bound: float) -> float:
        """A bound as an int where all numbers are ints."""
        return float(bound) if self._floats or self._weight != 1 else int(bound)

    def _take_goal(self) -> None:
        self.goal, self.ended = self._node(int(self._control[AT])), True
        if not self._proves:
            return
        goal = self.goal
        found = goal.g if self._weight == 1 else max(goal.g / self._weight + goal.h, min(goal.g, self._reals[LOWEST].item()))
        self.bound = max(self.bound, found)

    def _grow_nodes(self) -> None:
        """Make room for more nodes, or stop the search if that would take more memory than it may."""
        if not self._store.grow(self._memory_left()):
            self.stats.peak_memory = max(self.stats.peak_memory or 0, self.bytes)
            self.stopped = "memory"
        if self._store.table_is_empty:
            self._call(REFILL)
            self._store.table_is_empty = False

    def _grow_agenda(self) -> None:
        primary, secondary = int(self._control[PRIMARY]), int(self._control[SECONDARY])
        if not self._agenda.suits(primary, secondary):
            self._has_buckets = False
            self._start_again(cost_bits=self._cost_bits)
        elif self._agenda.bytes_to_grow(primary, secondary) > self._memory_left():
            self.stopped = "memory"
        else:
            self._agenda.grow(primary, secondary)

    @property
    def bytes(self) -> int:
        """What the arrays of the search take."""
        return self._store.bytes + self._agenda.bytes

    def _memory_left(self) -> float:
        """The bytes by which the arrays may grow."""
        limit = self._limits.memory
        left = inf if not isinstance(limit, int) else limit - self.bytes
        return min(left, available_bytes())

    def _widen_costs(self) -> None:
        if self._cost_bits == MOST_COST_BITS:
            raise NotCompilableError(
                f"a path costs 2**{MOST_COST_BITS} or more, beyond what the compiled engine keeps; "
                "divide the costs by what they have in common, or give engine='python'"
            )
        self._start_again(cost_bits=MOST_COST_BITS)

    def _start_again(self, cost_bits: int) -> None:
        """Search once more, as far as it has come, with records or an agenda that take greater costs.

        The search is the same, and greater costs are met early as a rule.
        """
        expanded = int(self._control[EXPANDED])
        self._cost_bits = cost_bits
        self._is_preparing = True
        self._begin()
        self._is_preparing = False
        while self._control[EXPANDED] < expanded and self.stopped != "memory":  # a run that is over leaves this to the next
            self._advance(expanded - int(self._control[EXPANDED]))

    def _raise_fault(self) -> None:
        """Make the expansion that went wrong once more in the reference engine, which knows how to complain."""
        node = self._encoded_node(int(self._control[AT]))
        for child in expand(self._domain, node):
            self._h(child.state)
            for name, value in zip(child.state._fields, child.state, strict=True):
                check_field(self._domain, child.state, name, value)
            check_rank(self._domain, child.state)
        raise ProblemError(
            f"step({node.state!r}, ...) gives another result compiled than interpreted; bestfirst.check(domain) finds the reason"
        )

    def saved(self) -> dict[str, Any]:
        return {
            "has_buckets": self._has_buckets,
            "cost_bits": self._cost_bits,
            "words": self._store.words_of(int(self._control[NODES])),
            "control": self._control,
            "reals": self._reals,
        }

    def restore(self, saved: Saved) -> None:
        self._has_buckets, was_possible = saved.flag("has_buckets"), self._has_buckets
        self._cost_bits = saved.whole("cost_bits", 0, MOST_COST_BITS)
        require(was_possible or not self._has_buckets, "its agenda is of another kind")
        require(self._cost_bits in (0, MOST_COST_BITS), f"it has costs of {self._cost_bits} bits")
        self._begin()
        control = saved.array("control", np.int64, CONTROL_SIZE, most=MOST)
        size = int(control[NODES])
        require((size > 0) == (self._root.h < inf), f"it has {size} nodes")
        if size > 0:
            self._store.fill(saved.array("words", np.int64, size * self._store.layout.words, least=None))
            self._take_nodes(size, saved.array("reals", np.float64, len(self._reals), least=None), control)
        self._control = control
        if control[FALLS]:
            require(max(control[FALL_FROM], control[FALL_TO]) < size, "f fell at a node that is not there")
        control[AT] = 0
        self._search_again_for_the_end()

    def _search_again_for_the_end(self) -> None:
        """Go back to where the end of the search has not been found yet: the last goal is still on the agenda."""
        self.goal, self.bound, self.ended = None, 0, False
        self._take_counts()

    def _take_nodes(self, size: int, reals: Any, control: Any) -> None:
        """Make the table and the agenda anew from the nodes. Raises SavedError for nodes that no search can have made."""
        self._agenda = self._empty_agenda()
        best = self._reals[BEST] = self._best_cost(reals)
        waiting, lowest = self._rebuilt(size, best)
        require(waiting == control[OPEN], f"{control[OPEN]} of its nodes are said to wait, and {waiting} do")
        self._store.table_is_empty = False
        self._reals[BOUND] = max(0.0, min(float(reals[BOUND]), lowest, best))  # NaN becomes 0

    def _best_cost(self, _reals: Any) -> float:
        """The cost of the best goal, as long as the search goes on after that."""
        return inf

    def _empty_agenda(self) -> Buckets | Heap:
        kind = Buckets if self._has_buckets else Heap
        return kind(self._lifo, self._domain.max_actions)

    def _rebuilt(self, size: int, best: float) -> tuple[int, float]:
        """Verify the nodes, and enter them into table and agenda: how many wait, and the lowest f of one of them."""
        root = self._root.state
        self._ready[0][: len(root)] = root
        control = np.zeros(rebuilt_agenda.CONTROL_SIZE, np.int64)
        reals = np.array([best, inf])
        by_f = self._heap_by_f()
        common: dict[str, Any] = {
            "optional": self._optional,
            "layout": self._store.layout,
            "FLOATS": self._floats,
            "RANKED": bool(self._optional),
            "HAS_BY_F": by_f is not None,
        }
        kind = buckets if self._has_buckets else heap
        parts = (*table.PARTS, *kind.PARTS, *rebuilt_agenda.PARTS)
        rebuild = specialise(rebuilt_agenda.rebuild, self._domain, self._estimate, parts=parts, **common)
        nodes, seen = self._store.nodes, self._store.table
        while True:
            heaps = self._agenda.arrays, self._agenda.arrays if by_f is None else by_f.arrays
            arguments = (*heaps, self._ready, control, reals, self._runtime_order, self._reopens, size)
            how = rebuild.run(rebuild.data, nodes, seen, *arguments)
            if how != rebuilt_agenda.NO_ROOM:
                break
            primary, secondary = int(control[rebuilt_agenda.PRIMARY]), int(control[rebuilt_agenda.SECONDARY])
            require(self._agenda.suits(primary, secondary), "its costs do not suit its agenda")
            self._agenda.grow(primary, secondary)
            if by_f is not None:
                by_f.grow(0, 0)
        require(how == rebuilt_agenda.DONE, f"the node {control[rebuilt_agenda.AT]} is not made by its parent")
        every = -(-size // rebuilt_agenda.VERIFIED)
        verify = specialise(rebuilt_agenda.verify, self._domain, self._estimate, parts=(*table.PARTS, *kind.PARTS), **common)
        how = verify.run(verify.data, nodes, seen, control, reals, self._reopens, size, every)
        require(how == rebuilt_agenda.DONE, f"the node {control[rebuilt_agenda.AT]} is said to be expanded, and is not")
        return int(control[rebuilt_agenda.WAITING]), float(reals[rebuilt_agenda.LOWEST])

    @property
    def _reopens(self) -> bool:
        """Whether a cheaper path to a state that is known takes the place of the one there is."""
        return self._reopen

    def _heap_by_f(self) -> Heap | None:
        """The second heap, where there is one."""
        return None

    def _state(self, place: int) -> Any:
        return self._domain.State(*(self._store.value(f"state.{name}", place) for name in self._domain.State._fields))

    def _node(self, place: int) -> Node:
        """A node with its path, its states those of the problem whose domain this is."""
        last = self._encoded_node(place)
        for node in last.path():
            node.state = self._domain.decode(node.state)
        return last

    def _encoded_node(self, place: int) -> Node:
        places = self._store.path_to(place)[1:]
        fields = (self._store.values(f"state.{name}", places) for name in self._domain.State._fields)
        states = map(self._domain.State, *fields)
        node, h = root_of(self._domain, self._h), self._h
        for state, g, undo in zip(states, self._store.values("g", places), self._store.values("undo", places), strict=True):
            node = Node(state, node, self._action(node, state, g, undo), g, node.depth + 1)
            node.h = h(state)
            node.f = g + node.h
        return node

    def _action(self, parent: Node, state: Any, g: float, undo: int) -> Any:
        """The action that made a child, as a solution names it; what undoes it tells, as a rule."""
        action = self._undone_by.get(undo)
        if action is not None:
            return self._domain.action_name(parent.state, action)
        return next(child.action for child in expand(self._domain, parent) if child.state == state and child.g == g)

    def _fall(self) -> Node:
        """The child to which f fell first, with its parent."""
        start, end = int(self._control[FALL_FROM]), int(self._control[FALL_TO])
        parent = self._node(start)
        state = self._state(end)
        fall = Node(self._domain.decode(state), parent, None, self._store.value("g", end), parent.depth + 1)
        fall.h = self._h(state)
        fall.f = fall.g + fall.h
        return fall


def astar(domain: Domain, heuristic: Heuristic | None, *, ties: str = "fifo") -> BestFirst:
    """A*: the twin of search/astar.py."""
    return BestFirst(domain, heuristic, order=(1, 1, 1), ties=ties)


def uniform_cost(domain: Domain, heuristic: Heuristic | None, *, ties: str = "fifo") -> BestFirst:
    """Uniform-cost search: the twin of search/uniform_cost.py."""
    return BestFirst(domain, heuristic, order=(1, 0, 0), ties=ties)


def greedy(domain: Domain, heuristic: Heuristic | None, *, ties: str = "fifo") -> BestFirst:
    """Greedy search: the twin of search/greedy.py."""
    return BestFirst(domain, heuristic, order=(0, 1, 0), ties=ties, reopen=False, proves=False)


def weighted_astar(domain: Domain, heuristic: Heuristic | None, *, weight: float = 1.5, ties: str = "fifo") -> BestFirst:
    """Weighted A*: the twin of search/weighted_astar.py."""
    check_weight(weight)
    return BestFirst(domain, heuristic, order=(1, weight, 1), ties=ties, weight=weight)

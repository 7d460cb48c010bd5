"""Best-first search, compiled: A*, uniform-cost and greedy search on domains with int costs.

The twin of search/best_first.py. A node is a place in a few arrays: its state, g, its parent, and its neighbours in its bucket
of the agenda. States are found again through a hash table of places (open addressing, linear probing). The agenda is an array
of buckets by the order (primary, secondary), each a doubly linked list: so a node enters, leaves and is taken out in constant
time, and equal nodes leave first in first out.
"""

from __future__ import annotations

from math import inf
from typing import TYPE_CHECKING, Any

import numpy as np

from bestfirst.compiled.driver import CompiledDriver
from bestfirst.compiled.specialise import specialise
from bestfirst.errors import NotCompilableError
from bestfirst.heuristics.heuristic import ZERO, Heuristic
from bestfirst.node import Node, expand, root_of
from bestfirst.problem import Domain

if TYPE_CHECKING:
    from bestfirst.compiled.names import (
        FIELDS,
        G_FIRST,
        H_FIRST,
        H_SECOND,
        MAX_ACTIONS,
        REOPEN,
        as_self,
        estimate,
        is_goal,
        load,
        step,
        store,
    )

# The places of the control array: counts and marks. ACTION is where to go on with an expansion that was broken off, or -1.
(NODES, OPEN, PRIMARY, BOUND, EXPANDED, GENERATED, DUPLICATES, REOPENED, PEAK, FALLS, FALL_FROM, FALL_TO, AT, ACTION) = (
    range(14)
)
PRIMARIES, SECONDARIES = 14, 15  # buckets wanted
REHASH = -1  # a budget that asks for all nodes to be put into a new table

# How a slice ended.
STOPPED, EXHAUSTED, FOUND, FULL, FEW_BUCKETS, FAULTY = range(6)

NONE, CLOSED = -1, -2
"""In `before` and `after`: no neighbour; not on the agenda."""


def slot_of(state: Any, table: Any) -> Any:
    """The first slot of the hash table to look for a state in."""
    mixed = np.uint64(0)
    for field in range(FIELDS):
        mixed = (mixed ^ np.uint64(state[field])) * np.uint64(0xBF58476D1CE4E5B9)
        mixed ^= mixed >> np.uint64(29)
    return np.int64(mixed & np.uint64(len(table) - 1))


def find(rows: Any, table: Any, state: Any) -> Any:
    """The slot that holds a state's place, or the empty one where it belongs."""
    slot = slot_of(state, table)
    while True:
        place = table[slot]
        if place == NONE:
            return slot
        same = True
        for field in range(FIELDS):
            if rows[field][place] != state[field]:
                same = False
                break
        if same:
            return slot
        slot = (slot + 1) & (len(table) - 1)


def enter(links: Any, buckets: Any, place: Any, primary: Any, secondary: Any) -> None:
    """Put a node at the end of its bucket."""
    before, after = links
    first, last, counts, lowest = buckets
    end = last[primary, secondary]
    before[place] = end
    after[place] = NONE
    if end == NONE:
        first[primary, secondary] = place
    else:
        after[end] = place
    last[primary, secondary] = place
    counts[primary] += 1
    lowest[primary] = min(lowest[primary], secondary)


def leave(links: Any, buckets: Any, place: Any, primary: Any, secondary: Any) -> None:
    """Take a node out of its bucket, wherever in it."""
    before, after = links
    first, last, counts, _lowest = buckets
    earlier, later = before[place], after[place]
    if earlier == NONE:
        first[primary, secondary] = later
    else:
        after[earlier] = later
    if later == NONE:
        last[primary, secondary] = earlier
    else:
        before[later] = earlier
    before[place] = CLOSED
    counts[primary] -= 1


def best_first_slice(
    data: Any, rows: Any, costs: Any, parents: Any, links: Any, table: Any, buckets: Any, control: Any, budget: int
) -> int:
    """Search on, for at most `budget` expansions; how it ended.

    rows, costs, parents, links: of the nodes, by place. table: places by hash. buckets: the first and the last place of
    each, how many nodes each primary has, and the lowest secondary that any of them can have.
    """
    me = as_self(data)
    before, _after = links
    first, _last, counts, lowest = buckets
    primaries, secondaries = first.shape
    nodes, waiting, primary = control[NODES], control[OPEN], control[PRIMARY]
    bound, peak, start = control[BOUND], control[PEAK], control[ACTION]
    place = control[AT]
    expanded = 0
    generated = 0
    duplicates = 0
    reopened = 0
    how = STOPPED
    if budget == REHASH:
        for node in range(nodes):
            table[find(rows, table, load(rows, node))] = node
        return how
    while True:
        if start < 0:
            if waiting == 0:
                how = EXHAUSTED
                break
            while counts[primary] == 0:
                primary += 1
            secondary = lowest[primary]
            while first[primary, secondary] == NONE:
                secondary += 1
            lowest[primary] = secondary
            place = np.int64(first[primary, secondary])
            peak = max(peak, waiting - 1)
            if is_goal(me, load(rows, place)):
                how = FOUND
                break
            bound = max(bound, primary)
            if expanded >= budget:
                break
            if nodes + MAX_ACTIONS > len(costs):
                how = FULL
                break
            leave(links, buckets, place, primary, secondary)
            waiting -= 1
            start = 0
        state = load(rows, place)
        g = np.int64(costs[place])
        f = g + estimate(me, state)
        for action in range(MAX_ACTIONS):
            if action < start:
                continue
            legal, child, cost = step(me, state, action)
            if not legal:
                continue
            h = estimate(me, child)
            if not (cost >= 0 and h >= 0):
                how = FAULTY
                break
            child_g = g + cost
            child_primary = G_FIRST * child_g + H_FIRST * h
            child_secondary = H_SECOND * h
            if child_primary >= primaries or child_secondary >= secondaries:
                how = FEW_BUCKETS
                start = action
                control[PRIMARIES] = child_primary + 1
                control[SECONDARIES] = child_secondary + 1
                break
            generated += 1
            slot = find(rows, table, child)
            twin = np.int64(table[slot])
            if twin == NONE:
                twin = nodes
                table[slot] = twin
                store(rows, twin, child)
                nodes += 1
            elif not REOPEN or child_g >= costs[twin]:
                duplicates += 1
                continue
            else:
                duplicates += 1
                if before[twin] == CLOSED:
                    reopened += 1
                else:
                    old_primary = G_FIRST * np.int64(costs[twin]) + H_FIRST * h
                    leave(links, buckets, twin, old_primary, child_secondary)
                    waiting -= 1
            costs[twin] = child_g
            parents[twin] = place
            enter(links, buckets, twin, child_primary, child_secondary)
            waiting += 1
            primary = min(primary, child_primary)
            if child_g + h < f:
                if control[FALLS] == 0:
                    control[FALL_FROM] = place
                    control[FALL_TO] = twin
                control[FALLS] += 1
        if how != STOPPED:
            break
        start = -1
        expanded += 1
    control[AT], control[ACTION] = place, start
    control[NODES], control[OPEN], control[PRIMARY] = nodes, waiting, primary
    control[BOUND], control[PEAK] = bound, peak
    control[EXPANDED] += expanded
    control[GENERATED] += generated
    control[DUPLICATES] += duplicates
    control[REOPENED] += reopened
    return how


MOST_BUCKETS = 1 << 26
FIRST_NODES = 1 << 12
FIRST_BUCKETS = 64


def no_estimate(_self: Any, _state: Any) -> int:
    """The heuristic of uniform-cost search."""
    return 0


class BestFirst(CompiledDriver):
    """A*, uniform-cost or greedy search on a domain, in slices.

    order: (g_first, h_first, h_second); nodes leave the agenda lowest g_first * g + h_first * h first, of equal ones lowest
        h_second * h first.
    proves: whether the first part of the order is a lower bound on the cost of every solution.
    Each node met takes 8 bytes for each field of its state, 16 for its cost, its parent and its neighbours on the agenda, and
    8 to 16 in the table. The arrays are doubled when they are full, unless old and new would go beyond the limit on memory.
    """

    def __init__(
        self, domain: Domain, heuristic: Heuristic | None, *, order: tuple[int, int, int], reopen: bool, proves: bool
    ) -> None:
        super().__init__()
        self._domain = domain
        self._h = (heuristic or ZERO).checked()
        self._order = order
        self._proves = proves
        g_first, h_first, h_second = order
        self._compiled = specialise(
            best_first_slice,
            domain,
            heuristic.function if heuristic else no_estimate,
            parts=(slot_of, find, enter, leave),
            G_FIRST=g_first,
            H_FIRST=h_first,
            H_SECOND=h_second,
            REOPEN=reopen,
        )
        if self._compiled.has_float_costs:
            raise NotCompilableError(
                f"the compiled engine has buckets for int costs only, and {domain.name()} has floats; give engine='python'"
            )
        self._control = np.zeros(16, np.int64)
        self._buckets: tuple[Any, ...] = ()
        self._control[[NODES, OPEN, ACTION]] = 1, 1, -1
        self._rows: tuple[Any, ...] = ()
        self._columns: tuple[Any, ...] = ()
        self._make_nodes(FIRST_NODES)
        self._put_root()
        self.stats.generated = 1

    def _put_root(self) -> None:
        root = root_of(self._domain, self._h)
        _g_first, h_first, h_second = self._order
        primary, secondary = h_first * int(root.h), h_second * int(root.h)
        self._buckets = self._no_buckets(
            max(primary + 1, FIRST_BUCKETS), max(secondary + 1, FIRST_BUCKETS if h_second else 1)
        )
        first, last, counts, lowest = self._buckets
        first[primary, secondary] = last[primary, secondary] = 0
        counts[primary], lowest[primary] = 1, secondary
        self._control[PRIMARY] = primary
        for field, value in zip(self._rows, root.state, strict=True):
            field[0] = value
        costs, parents, before, after = self._columns
        costs[0], parents[0], before[0], after[0] = 0, NONE, NONE, NONE
        self._call(REHASH)

    def _make_nodes(self, size: int) -> None:
        """Make room for so many nodes, keeping those there are."""
        fields = len(self._domain.State._fields)
        rows: tuple[Any, ...] = tuple(np.zeros(size, np.int64) for _ in range(fields))
        # where g is part of the order, buckets keep it small; where it is not, it can grow beyond 32 bits
        cost_type = np.int32 if self._order[0] else np.int64
        columns: tuple[Any, ...] = (np.zeros(size, cost_type), *(np.zeros(size, np.int32) for _ in range(3)))
        for fresh, kept in zip((*rows, *columns), (*self._rows, *self._columns), strict=False):
            fresh[: len(kept)] = kept
        self._rows, self._columns = rows, columns
        self._table = np.full(2 * size, NONE, np.int32)

    def _no_buckets(self, primaries: int, secondaries: int) -> tuple[Any, ...]:
        """Empty buckets for so many values of both parts of the order."""
        if primaries * secondaries > MOST_BUCKETS:
            raise NotCompilableError(
                f"the costs are too large for {primaries:,} x {secondaries:,} buckets; "
                "divide them by what they have in common, or give engine='python'"
            )
        shape = primaries, secondaries
        empty = np.full(shape, NONE, np.int32), np.full(shape, NONE, np.int32)
        return *empty, np.zeros(primaries, np.int64), np.full(primaries, secondaries - 1, np.int64)

    def _grow_buckets(self) -> None:
        primaries, secondaries = self._buckets[0].shape
        wanted = _doubled(primaries, int(self._control[PRIMARIES])), _doubled(secondaries, int(self._control[SECONDARIES]))
        buckets: tuple[Any, ...] = self._no_buckets(*wanted)
        for fresh, kept in zip(buckets[:2], self._buckets[:2], strict=True):
            fresh[:primaries, :secondaries] = kept
        for fresh, kept in zip(buckets[2:], self._buckets[2:], strict=True):
            fresh[:primaries] = kept
        self._buckets = buckets

    def _grow_nodes(self) -> None:
        """Double the room for nodes, or stop the search if that would take more memory than it may."""
        arrays = (*self._rows, *self._columns, self._table)
        now = sum(array.nbytes for array in arrays)
        if isinstance(self._limits.memory, int) and 3 * now > self._limits.memory:  # the old arrays and the new ones
            self.stats.peak_memory = max(self.stats.peak_memory or 0, now)
            self.stopped = "memory"
            return
        self._make_nodes(2 * len(self._columns[0]))
        self._call(REHASH)

    def _call(self, budget: int) -> int:
        costs, parents, before, after = self._columns
        how = self._compiled.run(
            self._compiled.data,
            self._rows,
            costs,
            parents,
            (before, after),
            self._table,
            self._buckets,
            self._control,
            budget,
        )
        return int(how)

    def _advance(self, budget: int) -> None:
        how = self._call(budget)
        control, stats = self._control, self.stats
        stats.expanded, stats.duplicates, stats.reopened = (int(control[at]) for at in (EXPANDED, DUPLICATES, REOPENED))
        stats.generated = 1 + int(control[GENERATED])
        stats.peak_agenda = int(control[PEAK])
        self.falls = int(control[FALLS])
        if self._proves:
            self.bound = int(control[BOUND])
        if self.falls and self.fall is None:
            self.fall = self._fall()
        if how == FULL:
            self._grow_nodes()
        elif how == FEW_BUCKETS:
            self._grow_buckets()
        elif how == FAULTY:
            for child in expand(self._domain, self._node(int(control[AT]))):
                self._h(child.state)  # the reference engine knows how to complain
        elif how == EXHAUSTED:
            self.bound, self.ended = inf, True
        elif how == FOUND:
            self.goal, self.ended = self._node(int(control[AT])), True
            if self._proves:
                self.bound = max(self.bound, self.goal.g)

    def _state(self, place: int) -> Any:
        return self._domain.State(*(int(field[place]) for field in self._rows))

    def _node(self, place: int) -> Node:
        """A node with its path, its states those of the problem whose domain this is."""
        costs, parents, *_links = self._columns
        places = [place]
        while parents[places[-1]] != NONE:
            places.append(int(parents[places[-1]]))
        root = root_of(self._domain, self._h)
        path = [root]
        for following in reversed(places[:-1]):
            state = self._state(following)
            child = self._child(path[-1], state, int(costs[following]))
            child.h = self._h(state)
            child.f = child.g + child.h
            path.append(child)
        for node in path:
            node.state = self._domain.decode(node.state)
        return path[-1]

    def _child(self, node: Node, state: Any, cost: int) -> Node:
        """The first child with a state and the cost noted for it; the cheapest, if the path has become cheaper since."""
        children = [child for child in expand(self._domain, node) if child.state == state]
        return next((child for child in children if child.g == cost), min(children, key=lambda child: child.g))

    def _fall(self) -> Node:
        """The child to which f fell first, with its parent."""
        start, end = int(self._control[FALL_FROM]), int(self._control[FALL_TO])
        parent = self._node(start)
        state = self._state(end)
        fall = Node(self._domain.decode(state), parent, None, int(self._columns[0][end]), parent.depth + 1)
        fall.h = self._h(state)
        fall.f = fall.g + fall.h
        return fall


def _doubled(size: int, wanted: int) -> int:
    while size < wanted:
        size *= 2
    return size


def astar(domain: Domain, heuristic: Heuristic | None) -> BestFirst:
    """A*: the twin of search/astar.py."""
    return BestFirst(domain, heuristic, order=(1, 1, 1), reopen=True, proves=True)


def uniform_cost(domain: Domain, heuristic: Heuristic | None) -> BestFirst:
    """Uniform-cost search: the twin of search/uniform_cost.py."""
    return BestFirst(domain, heuristic, order=(1, 0, 0), reopen=True, proves=True)


def greedy(domain: Domain, heuristic: Heuristic | None) -> BestFirst:
    """Greedy search: the twin of search/greedy.py."""
    return BestFirst(domain, heuristic, order=(0, 1, 0), reopen=False, proves=False)

"""The driver of best-first search: A*, weighted A*, uniform-cost and greedy search."""

from __future__ import annotations

from math import inf
from types import ModuleType
from typing import TYPE_CHECKING, Any

import numpy as np

from bestfirst.compiled.compiler.specialise import MOST_MIXED_WEIGHT, Numbers, no_estimate, numbers_of, specialise
from bestfirst.compiled.compiler.state_fields import state_of_words, state_words, words_of_state
from bestfirst.compiled.drivers.driver import CompiledDriver
from bestfirst.compiled.drivers.faults import compiled_root, complain
from bestfirst.compiled.kernels import no_prefetch, prefetch, rebuilt_agenda
from bestfirst.compiled.kernels.prefetch import (
    LONG_LINE,
    actions_by_undo,
    no_expansions,
    undo_bits,
)
from bestfirst.compiled.store import buckets, heap, table, totals
from bestfirst.compiled.store.buckets import GREATEST, GREATEST_WEIGHT, Buckets, Wanted
from bestfirst.compiled.store.heap import Heap
from bestfirst.compiled.store.inconsistent_edges import falls_to
from bestfirst.compiled.store.node_store import NodeStore
from bestfirst.compiled.store.records import WORD, Layout, most_cost
from bestfirst.compiled.store.saved_values import MOST, Saved, require
from bestfirst.compiled.store.table import is_ranked
from bestfirst.compiled.store.totals import GREATEST_COST, Words
from bestfirst.domain import Domain
from bestfirst.errors import NotCompilableError, ProblemError, VerificationError
from bestfirst.heuristics.heuristic import ZERO, Heuristic
from bestfirst.search.node import Node, expand, root_of
from bestfirst.search.open_list import check_ties
from bestfirst.search.weighted_astar import check_weight
from bestfirst.system.memory import available_bytes

if TYPE_CHECKING:
    pass

from bestfirst.compiled.kernels.best_first import (
    AT,
    BEST,
    BOUND,
    CAPACITY,
    CHILDREN,
    CONTROL_SIZE,
    COUNTS,
    DEAD_ENDS,
    DUPLICATES,
    EXHAUSTED,
    EXPANDED,
    FALL_FROM,
    FALL_TO,
    FALLS,
    FAULTY,
    FOUND,
    FULL,
    GENERATED,
    LOWER_BOUND,
    LOWEST,
    MOST_G,
    MOST_H,
    NO_ROOM,
    NODES,
    OPEN,
    PEAK,
    PRUNED,
    REENTER,
    REFILL,
    REOPENED,
    START,
    TOO_DEAR,
    best_first_slice,
    lowest_total,
    reenter,
    room_for,
)

FREELY_TAKEN = 1 << 20
"""Bytes that may be taken without asking the system how much memory is available, which takes longer."""


class BestFirst(CompiledDriver):
    """Best-first search on a domain, in slices.

    order: (g_first, h_first, h_second); nodes leave the agenda in order of g_first * g + h_first * h, ties in order of
    h_second * h, further ties first in, first out, or last in, first out if ties is "lifo".
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
        numbers = numbers_of(domain, self._estimate, self._optional)
        if numbers is Numbers.MIXED and isinstance(order[1], int) and order[1] > MOST_MIXED_WEIGHT:
            raise NotCompilableError(
                f"weight is {order[1]}, but compiled code allows at most {MOST_MIXED_WEIGHT} if costs or estimates are "
                f"ints and others are floats; use weight={order[1]}.0, or engine='python'"
            )
        self._floats = numbers is not Numbers.INTS
        self._float_keys = self._floats or isinstance(order[1], float)
        self._totals = Words(floats=self._floats)
        self._root = compiled_root(domain, self._h, floats=self._floats)
        self._has_buckets = self._suits_buckets()
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
        """Whether buckets will suffice, judged from the root."""
        is_small = (
            not self._floats
            and self._root.h < inf
            and self._order[1] <= GREATEST_WEIGHT
            and float(self._order[1]).is_integer()
        )
        return is_small and self._is_for_buckets(0, int(self._root.h)) and Buckets(self._lifo).suits(self._wanted(), 0)

    @staticmethod
    def _is_for_buckets(g: int, h: int) -> bool:
        return g <= GREATEST and h <= GREATEST

    def _wanted(self, g: int = 0, h: int | None = None, children: int = 1) -> Wanted:
        """The requirements on buckets for this many children with at most this g and h; initially for the root."""
        g_first, h_first, h_second = map(int, self._order)
        h = int(self._root.h) if h is None else h
        return Wanted(g_first * g + h_first * h, h_second * h, children)

    def _wanted_of(self, g: int, h: int, children: int) -> Wanted | None:
        """The requirements on the agenda for this many children with at most this g and h; None if buckets cannot take
        them."""
        if not self._has_buckets:
            return Wanted(0, 0, children)
        return self._wanted(g, h, children) if self._is_for_buckets(g, h) else None

    def _template(self) -> tuple[Any, tuple[Any, ...]]:
        """The template of the search, and its parts besides those of the table and the agenda."""
        return best_first_slice, (lowest_total, reenter)

    @property
    def _expansions(self) -> ModuleType:
        """The module that expands nodes."""
        return no_prefetch if self._optional and not self._has_buckets else prefetch

    def _begin(self) -> None:
        """Make the arrays, with the root on the agenda."""
        layout = self._prepare()
        self._agenda = self._empty_agenda()
        self._store = NodeStore(layout, self._domain.size if self._optional else 0, self._domain.max_actions)
        self._ready = no_expansions(self._domain, is_float=self._floats)
        self._undone_by = {undo: undone[0] for undo, undone in actions_by_undo(self._domain).items() if len(undone) == 1}
        self._control = np.zeros(CONTROL_SIZE, np.int64)
        self._control[BEST] = self._totals.word(self._totals.beyond)
        self._reals = np.array([0.0, _as_float(self._weight)])
        self._put_root()

    @property
    def _is_wide(self) -> bool:
        """Whether the order of a heap needs more than 64 bits."""
        return not self._float_keys and self._order[1] > 1

    def _prepare(self) -> Layout:
        """Compile for the planned agenda; returns the layout of the records."""
        kind = buckets if self._has_buckets else heap
        fields = {"parent": 31, "undo": undo_bits(self._domain)} | kind.RECORD_FIELDS
        layout = Layout(self._domain, fields, is_float=self._floats, cost_bits=self._cost_bits)
        template, parts = self._template()
        self._compiled = specialise(
            template,
            self._domain,
            self._estimate,
            optional=self._optional,
            parts=(*totals.PARTS, most_cost, *table.PARTS, *kind.PARTS, *self._expansions.PARTS, falls_to, room_for, *parts),
            layout=layout,
            FLOATS=self._floats,
            COST_BITS=layout.bits("g"),
            RANKED=bool(self._optional),
            LONGEST_LINE=1 if self._optional else LONG_LINE,
            FLOAT_KEYS=self._float_keys,
            WIDE=self._is_wide,
        )
        self._runtime_order = tuple(map(self._order_number, self._order))
        return layout

    def _order_number(self, part: float) -> float:
        """A part of the order as compiled code takes it. A weight above all costs is replaced by their maximum, which orders
        equally."""
        if self._has_buckets:
            return int(part)
        return _as_float(part) if self._float_keys else int(min(part, GREATEST_COST))

    def _put_root(self) -> None:
        root = self._root
        if root.h == inf:
            self.dead_ends = 1
            return
        words = self._ready[0]
        own = words_of_state(self._domain, root.state)
        words[: len(own)] = own
        if isinstance(self._agenda, Buckets):
            self._agenda.grow(self._wanted())
        if self._call(START) == NO_ROOM:
            raise ProblemError(
                f"the heuristic returned {self._root.h!r} for state {self._root.state!r}, and then another value; it must return "
                "one value for each state"
            )
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
        """The arguments of the template that not all templates take."""
        return (self._reopen,)

    def _advance(self, budget: int) -> None:
        until = self.stats.expanded + budget
        while self._go_on(until - self.stats.expanded) in (FULL, NO_ROOM) and self.stopped is None:
            pass

    def _go_on(self, budget: int) -> int:
        """Run a slice, and do what it requests; return how it ended."""
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
            self.bound = self._totals.total(int(control[LOWER_BOUND])) if self._weight == 1 else float(self._reals[BOUND])
        if self.falls and self.fall is None:
            self.fall = self._fall()

    def _take_goal(self) -> None:
        self.goal, self.ended = self._node(int(self._control[AT])), True
        if not self._proves:
            return
        goal = self.goal
        if self._weight == 1:
            found = goal.g
        else:
            found = max(goal.g / self._weight + goal.h, min(goal.g, self._totals.total(int(self._control[LOWEST]))))
        self.bound = max(self.bound, found)

    def _grow_nodes(self) -> None:
        """Make room for more nodes, or stop the search if that would exceed the memory limit."""
        if not self._store.grow(self._memory_left()):
            self.stats.peak_memory = max(self.stats.peak_memory or 0, self.bytes)
            self.stopped = "memory"
        if self._store.table_is_empty:
            self._call(REFILL)
            self._store.table_is_empty = False

    def _grow_agenda(self) -> None:
        g, h, children = (int(self._control[at]) for at in (MOST_G, MOST_H, CHILDREN))
        wanted = self._wanted_of(g, h, children)
        if wanted is None or not self._agenda.suits(wanted, int(self._control[NODES])):
            self._change_to_heap()
            return
        size = self._agenda.bytes_to_grow(wanted)
        if (self._limits.memory is not None or size > FREELY_TAKEN) and size > self._memory_left():
            self.stopped = "memory"
        else:
            self._agenda.grow(wanted)

    def _change_to_heap(self) -> None:
        """Continue with a heap, which takes all open nodes: they leave it in the same order."""
        self._has_buckets = False
        self._prepare()
        self._agenda = Heap(self._lifo, wide=self._is_wide, waiting=int(self._control[OPEN]))
        self._call(REENTER)

    @property
    def bytes(self) -> int:
        """The bytes of the search's arrays."""
        return self._store.bytes + self._agenda.bytes

    def _memory_left(self) -> float:
        """The number of bytes by which the arrays may grow."""
        limit = self._limits.memory
        left = inf if not isinstance(limit, int) else limit - self.bytes
        return min(left, available_bytes())

    def _widen_costs(self) -> None:
        if self._cost_bits == WORD:
            self._raise_fault()
        self._start_again(cost_bits=WORD)

    def _start_again(self, cost_bits: int) -> None:
        """Repeat the search up to this point, with records that take larger costs.

        The search is the same, and larger costs usually occur early.
        """
        expanded = int(self._control[EXPANDED])
        self._cost_bits = cost_bits
        self._is_preparing = True
        self._begin()
        self._take_counts()
        self._is_preparing = False
        # a run that ends leaves the rest to the next
        while self._control[EXPANDED] < expanded and self.stopped != "memory":
            self._advance(expanded - int(self._control[EXPANDED]))

    def _raise_fault(self) -> None:
        complain(self._domain, self._h, self._estimate, self._encoded_node(int(self._control[AT])))

    def saved(self) -> dict[str, Any]:
        return {
            "has_buckets": self._has_buckets,
            "cost_bits": self._cost_bits,
            "words": self._store.words_of(int(self._control[NODES])),
            "control": self._control[:COUNTS],
            "bound": float(self._reals[BOUND]),
            "lower_bound": self._totals.total(int(self._control[LOWER_BOUND])),
            "best": self._totals.total(int(self._control[BEST])),
        }

    def restore(self, saved: Saved) -> None:
        self._has_buckets, was_possible = saved.flag("has_buckets"), self._has_buckets
        self._cost_bits = saved.whole("cost_bits", 0, WORD)
        require(was_possible or not self._has_buckets, "its agenda has another kind")
        require(self._cost_bits in (0, WORD), f"its costs have {self._cost_bits} bits")
        self._begin()
        control = self._control
        control[:COUNTS] = saved.array("control", np.int64, COUNTS, most=MOST)
        size = int(control[NODES])
        require((size > 0) == (self._root.h < inf), f"its number of nodes is {size}")
        if size > 0:
            self._store.fill(saved.array("words", np.int64, size * self._store.layout.words, least=None))
            self._take_nodes(size, saved, control)
        if control[FALLS]:
            require(max(control[FALL_FROM], control[FALL_TO]) < size, "its inconsistent edge has a node that does not exist")
        control[AT] = 0
        self._search_again_for_the_end()

    def _search_again_for_the_end(self) -> None:
        """Go back to before the end of the search was found: the last goal is still on the agenda."""
        self.goal, self.bound, self.ended = None, 0, False
        self._take_counts()

    def _take_nodes(self, size: int, saved: Saved, control: Any) -> None:
        """Rebuild the table and the agenda from the nodes. Raises SavedError for nodes that no search can have made."""
        self._agenda = self._empty_agenda()
        best = self._best_cost(saved)
        waiting, lowest = self._rebuilt(size, best)
        require(waiting == control[OPEN], f"it has {waiting} open nodes, not {control[OPEN]}")
        self._store.table_is_empty = False
        least = min(lowest, best)
        proved = self._totals.checked(min(saved.number("lower_bound"), least), "lower_bound")
        control[LOWER_BOUND], control[BEST] = self._totals.word(proved), self._totals.word(best)
        self._reals[BOUND] = min(float(saved.number("bound")), float(least))

    def _best_cost(self, _saved: Saved) -> float:
        """The cost of the best goal, if the search continues after finding it; above any total without one."""
        return self._totals.beyond

    def _empty_agenda(self) -> Buckets | Heap:
        return Buckets(self._lifo) if self._has_buckets else Heap(self._lifo, wide=self._is_wide)

    def _rebuilt(self, size: int, best: float) -> tuple[int, float]:
        """Verify the nodes, and enter them into table and agenda; return how many are open, and the lowest f of one."""
        root = words_of_state(self._domain, self._root.state)
        self._ready[0][: len(root)] = root
        control = np.zeros(rebuilt_agenda.CONTROL_SIZE, np.int64)
        control[rebuilt_agenda.BEST] = self._totals.word(best)
        control[rebuilt_agenda.LOWEST] = self._totals.word(self._totals.beyond)
        by_f = self._heap_by_f()
        common: dict[str, Any] = {
            "optional": self._optional,
            "layout": self._store.layout,
            "FLOATS": self._floats,
            "RANKED": bool(self._optional),
            "HAS_BY_F": by_f is not None,
            "COST_BITS": self._store.layout.bits("g"),
            "FLOAT_KEYS": self._float_keys,
            "WIDE": self._is_wide,
        }
        kind = buckets if self._has_buckets else heap
        common_parts = (*totals.PARTS, *table.PARTS, *kind.PARTS)
        parts = (*common_parts, most_cost, *rebuilt_agenda.PARTS)
        rebuild = specialise(rebuilt_agenda.rebuild, self._domain, self._estimate, parts=parts, **common)
        nodes, seen = self._store.nodes, self._store.table
        while True:
            heaps = self._agenda.arrays, self._agenda.arrays if by_f is None else by_f.arrays
            arguments = (*heaps, self._ready, control, self._runtime_order, self._reopens, size)
            how = rebuild.run(rebuild.data, nodes, seen, *arguments)
            if how != rebuilt_agenda.NO_ROOM:
                break
            wanted = self._wanted_of(int(control[rebuilt_agenda.MOST_G]), int(control[rebuilt_agenda.MOST_H]), 1)
            require(wanted is not None and self._agenda.suits(wanted, size), "its costs do not suit its agenda")
            assert wanted is not None
            self._agenda.grow(wanted)
            if by_f is not None:
                by_f.grow(wanted)
        wrong = f"the node {control[rebuilt_agenda.AT]} is not a child of its parent, or is an expanded goal"
        require(how == rebuilt_agenda.DONE, wrong)
        every = -(-size // rebuilt_agenda.VERIFIED)
        verify = specialise(rebuilt_agenda.verify, self._domain, self._estimate, parts=common_parts, **common)
        how = verify.run(verify.data, nodes, seen, control, self._reopens, size, every)
        require(how == rebuilt_agenda.DONE, f"the node {control[rebuilt_agenda.AT]} is marked as expanded, but is not")
        return int(control[rebuilt_agenda.WAITING]), self._totals.total(int(control[rebuilt_agenda.LOWEST]))

    @property
    def _reopens(self) -> bool:
        """Whether a cheaper path to a known state replaces the old one."""
        return self._reopen

    def _heap_by_f(self) -> Heap | None:
        """The second heap, if any."""
        return None

    def _state(self, place: int) -> Any:
        words = (self._store.value(f"state.{word.name}", place) for word in state_words(self._domain))
        return state_of_words(self._domain, [*words])

    def _node(self, place: int) -> Node:
        """A node with its path, in the states of the original problem."""
        last = self._encoded_node(place)
        for node in last.path():
            node.state = self._domain.decode(node.state)
        return last

    def _encoded_node(self, place: int) -> Node:
        places = self._store.path_to(place)[1:]
        columns = (self._store.values(f"state.{word.name}", places) for word in state_words(self._domain))
        states = (state_of_words(self._domain, words) for words in zip(*columns, strict=True))
        node, h = root_of(self._domain, self._h), self._h
        for state, g, undo in zip(states, self._store.values("g", places), self._store.values("undo", places), strict=True):
            node = Node(state, node, self._action(node, state, g, undo), g, node.depth + 1)
            node.h = h(state)
            node.f = g + node.h
        return node

    def _action(self, parent: Node, state: Any, g: float, undo: int) -> Any:
        """The action that made a child, as a solution names it; usually its inverse determines it."""
        action = self._undone_by.get(undo)
        if action is not None:
            return self._domain.action_name(parent.state, action)
        same = [child for child in expand(self._domain, parent) if child.state == state]
        if not same:
            raise VerificationError(
                f"no action leads from {parent.state!r} to {state!r} any more: step must return the same each "
                "time it is called, and data on self must not change during a search"
            )
        return min(same, key=lambda child: abs(child.g - g)).action

    def _fall(self) -> Node:
        """The child at the first inconsistent edge, with its parent."""
        start, end = int(self._control[FALL_FROM]), int(self._control[FALL_TO])
        parent = self._node(start)
        state = self._state(end)
        fall = Node(self._domain.decode(state), parent, None, self._store.value("g", end), parent.depth + 1)
        fall.h = self._h(state)
        fall.f = fall.g + fall.h
        return fall


def _as_float(number: float) -> float:
    """A number as a float; infinite if it is an int beyond all floats."""
    try:
        return float(number)
    except OverflowError:
        return inf


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

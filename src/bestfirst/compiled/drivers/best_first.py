"""The driver of best-first search: A*, weighted A*, uniform-cost and greedy search."""

from __future__ import annotations

from math import inf
from types import ModuleType
from typing import TYPE_CHECKING

import numpy as np

from bestfirst.compiled.compiler.specialise import MOST_MIXED_WEIGHT, Numbers, methods_of, numbers_in, specialise
from bestfirst.compiled.compiler.state_fields import state_maker, state_of_words, state_words, words_of_state
from bestfirst.compiled.compiler.translate import translate
from bestfirst.compiled.drivers.agenda import Agenda, Order, as_float
from bestfirst.compiled.drivers.paths import decoded_in_place, named_path
from bestfirst.compiled.drivers.slices import SlicedSearch, refuse_resources
from bestfirst.compiled.drivers.undo import layout_with_undo
from bestfirst.compiled.kernels import no_prefetch, prefetch, rebuilt_agenda
from bestfirst.compiled.kernels.best_first import (
    CLEAR,
    OWN_FIELDS,
    OWN_REALS,
    OWN_TOTALS,
    PREPARE,
    add_record,
    best_first_slice,
    lowest_total,
    prepare,
    room_for,
    supersede,
)
from bestfirst.compiled.kernels.prefetch import LONG_LINE, actions_by_undo, kept_expansions
from bestfirst.compiled.kernels.slices import COSTLY, FOUND, NO_ROOM
from bestfirst.compiled.store import fronts, open_list, table, totals
from bestfirst.compiled.store.heap import Heap
from bestfirst.compiled.store.inconsistent_edges import falls_to
from bestfirst.compiled.store.node_store import COPIED_BELOW, NodeStore
from bestfirst.compiled.store.open_list import RECORD_FIELDS, Wanted
from bestfirst.compiled.store.records import WORD, Layout, most_cost
from bestfirst.compiled.store.saved_values import Saved, require
from bestfirst.compiled.store.table import is_ranked
from bestfirst.domain import Domain
from bestfirst.errors import NotCompilableError, ProblemError, shown
from bestfirst.heuristics.heuristic import Heuristic
from bestfirst.recycled import Recycled
from bestfirst.rounding import LARGEST
from bestfirst.search.node import Node
from bestfirst.search.open_list import check_ties
from bestfirst.search.weighted_astar import bound_of, check_weight, exact_weight
from bestfirst.system.memory import available_bytes

if TYPE_CHECKING:
    from bestfirst.compiled.store.aliases import Arrays, Names, SavedState, Search, Template

SPARSE = 16
"""A table by rank with more entries for each of its nodes is cleared node by node."""
FREELY_TAKEN = 1 << 20
"""Bytes that may be taken without asking the system how much memory is available, which takes longer."""


class BestFirst(SlicedSearch):
    """Best-first search on a domain, in slices.

    order: of the agenda; further ties are first in, first out, or last in, first out if ties is "lifo".
    proves: whether g / weight + h of the node that leaves is a lower bound on the cost of every solution.
    recycled: the arrays of an earlier search; in the end, this one leaves its own there.
    """

    _fields: tuple[str, ...] = OWN_FIELDS
    _total_fields: tuple[str, ...] = OWN_TOTALS
    _several_goals = False

    def __init__(
        self,
        domain: Domain,
        heuristic: Heuristic | None,
        *,
        order: Order,
        ties: str = "fifo",
        reopen: bool = True,
        proves: bool = True,
        weight: float = 1,
        recycled: Recycled | None = None,
    ) -> None:
        super().__init__(domain, heuristic)
        check_ties(ties)
        self._recycled = recycled
        self._reopens = reopen
        self._proves = proves
        self._weight = weight
        self._optional = ("rank",) if is_ranked(domain) and not domain.resources else ()
        self._undone = actions_by_undo(domain)
        self._translation = translate(domain, methods_of(domain, self._estimate, self._optional))
        numbers = numbers_in(self._translation)
        if numbers is Numbers.MIXED and isinstance(order[1], int) and order[1] > MOST_MIXED_WEIGHT:
            instead = f"weight={float(order[1])!r}, or " if order[1] <= LARGEST else ""
            raise NotCompilableError(
                f"weight is {shown(order[1])}, but compiled code allows an int of at most {MOST_MIXED_WEIGHT} where some costs "
                f"and estimates are ints and others are floats; use {instead}engine='python'"
            )
        self._floats = numbers is not Numbers.INTS
        self._cost_bits = 0
        self._begin_with(self._fields, self._total_fields, OWN_REALS, floats=self._floats)
        self._agenda = Agenda(order, lifo=ties == "lifo", floats=self._floats, h=self._root.h)
        self._begin()
        self._take_counts()

    def _template(self) -> tuple[Template, tuple[Template, ...]]:
        """The kernel, and its parts besides those of all best-first searches."""
        return best_first_slice, (lowest_total,)

    @property
    def _expansions_of(self) -> ModuleType:
        """The module that expands nodes."""
        return no_prefetch if self._optional and not self._agenda.has_buckets else prefetch

    def _begin(self) -> None:
        """Make the arrays, with the root on the agenda."""
        search = self._search
        search["weight"], search["proved"] = as_float(self._weight), 0
        layout = self._compile()
        self._agenda.clear(self._recycled)
        ranks = self._domain.size if self._optional else 0
        self._store = NodeStore(layout, ranks, self._domain.max_actions, self._recycled)
        self._expansions = self._expansions_of.kept_expansions(self._domain, self._cost_type, self._undone)
        if self._root.h < inf:
            self._store.put_root(words_of_state(self._domain, self._root.state))
            for name in ("nodes", "open", "agenda_is_new"):
                search[name] = 1
            if self._call(PREPARE) == NO_ROOM:
                raise ProblemError(
                    f"the heuristic returned {self._root.h!r} for state {self._root.state!r}, and later a different value; "
                    "it must always return the same value for a state"
                )

    def _begin_again(self) -> None:
        """Make new arrays."""
        self._begin_with(self._fields, self._total_fields, OWN_REALS, floats=self._floats)
        self._begin()

    def _compile(self) -> Layout:
        """Compile for the current agenda; returns the layout of the records."""
        layout = self._layout()
        kernel, parts = self._template()
        expand_parts = (*self._expansions_of.PARTS, falls_to, room_for, prepare, supersede, add_record)
        self._compiled = specialise(
            kernel,
            self._domain,
            self._estimate,
            parts=(*self._store_parts, most_cost, *expand_parts, *parts),
            translation=self._translation,
            layout=layout,
            LONGEST_LINE=1 if self._optional else LONG_LINE,
            SEVERAL_GOALS=self._several_goals,
            **self._constants(layout),
        )
        return layout

    def _layout(self) -> Layout:
        resources = self._domain.resources
        fields = {**RECORD_FIELDS, **fronts.RECORD_FIELDS} if resources else RECORD_FIELDS
        return layout_with_undo(
            self._domain,
            self._translation,
            fields,
            is_float=self._floats,
            cost_bits=self._cost_bits,
            leaving_out=resources,
        )

    @property
    def _store_parts(self) -> tuple[Template, ...]:
        of_fronts = fronts.PARTS if self._domain.resources else ()
        return *totals.PARTS, *table.PARTS, *open_list.PARTS, *of_fronts, *self._agenda.module.PARTS

    def _constants(self, layout: Layout) -> Names:
        of_records = {"FLOATS": self._floats, "COST_BITS": layout.bits("g"), "RANKED": bool(self._optional)}
        return of_records | self._agenda.constants

    def give_back(self) -> None:
        if self._recycled is not None and self._is_whole:
            nodes = int(self._search.nodes)
            if self._optional and 0 < SPARSE * nodes < self._domain.size:
                self._call(CLEAR)
                nodes = 0
            self._store.give_back(self._recycled, nodes)
            if isinstance(self._agenda.open, Heap):
                self._recycled.give_heap(self._agenda.open)

    @property
    def _needs_nothing_first(self) -> bool:
        return self._root.h < inf  # the code was called to make the root

    def _call(self, budget: int) -> int:
        self._search["capacity"] = self._store.capacity
        arrays = self._store.nodes, self._store.table, self._agenda.open.arrays, self._expansions
        own = self._own_argument()
        return int(self._compiled.run(self._compiled.data, self._searches, *arrays, self._agenda.order, own, budget))

    def _own_argument(self) -> bool | Arrays:
        """The argument of the kernel that only this algorithm has."""
        return self._reopens

    def _react(self, how: int) -> None:
        if how == NO_ROOM:
            self._grow_agenda()
        elif how == COSTLY:
            self._widen_costs()
        elif how == FOUND:
            self._take_goal()
        else:
            self._take_end()

    def _take_end(self) -> None:
        self.bound, self.ended = inf, True

    def _take_counts(self) -> None:
        super()._take_counts()
        if self._proves:
            search = self._search
            self.bound = self._totals.number(search["proved"]) if self._weight == 1 else float(search["bound"])

    def _take_goal(self) -> None:
        self.goal, self.ended = self._node(int(self._search["place"])), True
        if not self._proves:
            return
        goal = self.goal
        if self._weight == 1:
            found = goal.g
        else:
            found = max(bound_of(goal.g, goal.h, self._weight), min(goal.g, self._totals.number(self._search.lowest)))
        self.bound = max(self.bound, found)

    def _grow(self) -> None:
        """Make room for more nodes, or stop the search if that would exceed the memory limit."""
        is_small = self._limits.memory is None and self._store.is_small
        if not self._store.grow(COPIED_BELOW if is_small else self._memory_left()):
            self.stats.peak_memory = max(self.stats.peak_memory or 0, self.bytes)
            self.stopped = "memory"
        if self._store.table_is_empty:
            self._search.table_is_new = 1
            self._store.table_is_empty = False

    def _grow_agenda(self) -> None:
        search, agenda = self._search, self._agenda
        wanted = agenda.wanted(int(search.most_g), int(search.most_h), int(search.children), int(search.nodes))
        if wanted is None:  # the heap takes all open nodes: they leave it in the same order
            agenda.change_to_heap(int(search.open))
            search.agenda_is_new = 1
            self._compile()
            return
        size = self._bytes_to_grow(wanted)
        if (self._limits.memory is not None or size > FREELY_TAKEN) and size > self._memory_left():
            self.stopped = "memory"
        else:
            self._grow_heaps(wanted)

    def _bytes_to_grow(self, wanted: Wanted) -> int:
        return self._agenda.open.bytes_to_grow(wanted)

    def _grow_heaps(self, wanted: Wanted) -> None:
        self._agenda.open.grow(wanted)

    @property
    def bytes(self) -> int:
        """The bytes of the search's arrays."""
        return self._store.bytes + self._agenda.open.bytes

    def _memory_left(self) -> float:
        """The number of bytes by which the arrays may grow."""
        limit = self._limits.memory
        left = inf if not isinstance(limit, int) else limit - self.bytes
        return min(left, available_bytes())

    def _widen_costs(self) -> None:
        """Repeat the search up to this point, with records that take larger costs, which usually occur early."""
        if self._cost_bits == WORD:
            self._complain()
        expanded = int(self._search.expanded)
        self._cost_bits = WORD
        self._is_preparing = True
        self._begin_again()
        self._take_counts()
        self._is_preparing = False
        # a run that ends leaves the rest to the next
        while self._search.expanded < expanded and self.stopped != "memory":
            self._advance(expanded - int(self._search.expanded))

    @property
    def fall_from_start(self) -> Node | None:
        return self.fall

    def saved(self) -> SavedState:
        refuse_resources(self._domain)
        return super().saved()

    def _saved_nodes(self) -> SavedState:
        return {
            "has_buckets": self._agenda.has_buckets,
            "cost_bits": self._cost_bits,
            "words": self._store.words_of(int(self._search.nodes)),
            "bound": float(self._search.bound),
            "lower_bound": self._totals.number(self._search.proved),
            "best": self._totals.number(self._search.best),
        }

    def restore(self, saved: Saved) -> None:
        has_buckets = saved.flag("has_buckets")
        require(self._agenda.has_buckets or not has_buckets, "its open list is of the wrong kind")
        self._agenda.has_buckets = has_buckets
        self._cost_bits = saved.whole("cost_bits", 0, WORD)
        require(self._cost_bits in (0, WORD), f"its costs have {self._cost_bits} bits")
        self._begin_again()
        super().restore(saved)
        self._search_again_for_the_end()

    def _search_again_for_the_end(self) -> None:
        """Go back to before the end of the search was found: the last goal is still on the agenda."""
        self.goal, self.bound, self.ended = None, 0, False
        self._take_counts()

    def _restore_nodes(self, saved: Saved, search: Search) -> None:
        size = int(search.nodes)
        require((size > 0) == (self._root.h < inf), f"its number of nodes is {size}")
        if size > 0:
            self._store.fill(saved.array("words", np.int64, size * self._store.layout.words, least=None))
            self._take_nodes(size, saved, search)
        if search.falls:
            require(max(search.fall_from, search.fall_to) < size, "its inconsistent edge has a node that does not exist")
        search.place = search.table_is_new = search.agenda_is_new = 0

    def _take_nodes(self, size: int, saved: Saved, search: Search) -> None:
        """Rebuild the table and the agenda from the nodes. Raises SavedError for nodes that no search can have made."""
        self._agenda.clear()
        best = self._best_cost(saved)
        waiting, lowest = self._rebuilt(size, best)
        require(waiting == search.open, f"it has {waiting} open nodes, not {search.open}")
        self._store.table_is_empty = False
        least = min(lowest, best)
        search.proved = self._totals.checked(min(saved.number("lower_bound"), least), "lower_bound")
        search.best = best
        search.bound = min(float(saved.number("bound")), float(least))

    def _best_cost(self, _saved: Saved) -> float:
        """The cost of the best goal, if the search continues after finding it; above any total without one."""
        return self._totals.beyond

    def _rebuilt(self, size: int, best: float) -> tuple[int, float]:
        """Verify the nodes, and enter them into table and agenda; return how many are open, and the lowest f of one."""
        expansions = kept_expansions(self._domain, self._cost_type, self._undone)
        root, rows = words_of_state(self._domain, self._root.state), expansions[2]
        rows[: len(root)] = root
        rebuildings = rebuilt_agenda.new_rebuildings(self._totals.dtype)
        rebuilding = rebuildings[0]
        rebuilding.best, rebuilding.lowest = best, self._totals.beyond
        by_f = self._heap_by_f()
        common: Names = {
            "optional": self._optional,
            "layout": self._store.layout,
            "HAS_BY_F": by_f is not None,
            **self._constants(self._store.layout),
        }
        parts: tuple[Template, ...] = (*self._store_parts, most_cost, *rebuilt_agenda.PARTS)
        rebuild = specialise(rebuilt_agenda.rebuild, self._domain, self._estimate, parts=parts, **common)
        nodes, seen, agenda = self._store.nodes, self._store.table, self._agenda
        while True:
            heaps = agenda.open.arrays, agenda.open.arrays if by_f is None else by_f.arrays
            arguments = (nodes, seen, *heaps, expansions, agenda.order, self._reopens, size)
            how = rebuild.run(rebuild.data, rebuildings, *arguments)
            if how != rebuilt_agenda.NO_ROOM:
                break
            wanted = agenda.wanted(int(rebuilding.most_g), int(rebuilding.most_h), 1, size)
            require(wanted is not None, "its costs do not fit its open list")
            assert wanted is not None
            self._grow_heaps(wanted)
        wrong = f"node {rebuilding.place} is not a child of its parent, or is an expanded goal"
        require(how == rebuilt_agenda.DONE, wrong)
        every = -(-size // rebuilt_agenda.VERIFIED)
        verify = specialise(rebuilt_agenda.verify, self._domain, self._estimate, parts=self._store_parts, **common)
        how = verify.run(verify.data, rebuildings, nodes, seen, self._reopens, size, every)
        require(how == rebuilt_agenda.DONE, f"node {rebuilding.place} is marked as expanded, but is not")
        return int(rebuilding.open), self._totals.number(rebuilding.lowest)

    def _heap_by_f(self) -> Heap | None:
        """The second heap, if any."""
        return None

    def _current(self) -> Node:
        return self._encoded_node(int(self._search.place))

    def _node(self, place: int) -> Node:
        """A node with its path, in the states of the original problem."""
        return decoded_in_place(self._domain, self._encoded_node(place))

    def _encoded_node(self, place: int) -> Node:
        places = self._store.path_to(place)[1:]
        words = [f"state.{word.name}" for word in state_words(self._domain)]
        *columns, costs, undos = self._store.columns((*words, "g", "undo"), places)
        states = map(state_maker(self._domain), zip(*columns, strict=True))
        steps = zip(states, costs, undos, strict=True)
        return named_path(self._domain, self._h, steps, self._undone, estimates_all=not self.trusts_estimates)

    def _first_fall(self) -> Node:
        start, end = int(self._search.fall_from), int(self._search.fall_to)
        parent = self._node(start)
        state = state_of_words(
            self._domain, [self._store.value(f"state.{word.name}", end) for word in state_words(self._domain)]
        )
        fall = Node(self._domain.decode(state), parent, None, self._store.value("g", end), parent.depth + 1)
        fall.h = self._h(state)
        fall.f = fall.g + fall.h
        return fall


def astar(domain: Domain, heuristic: Heuristic | None, *, ties: str = "fifo", recycled: Recycled | None = None) -> BestFirst:
    """A*: the twin of search/astar.py."""
    return BestFirst(domain, heuristic, order=(1, 1, 1), ties=ties, recycled=recycled)


def uniform_cost(
    domain: Domain, heuristic: Heuristic | None, *, ties: str = "fifo", recycled: Recycled | None = None
) -> BestFirst:
    """Uniform-cost search: the twin of search/uniform_cost.py."""
    return BestFirst(domain, heuristic, order=(1, 0, 0), ties=ties, recycled=recycled)


def greedy(
    domain: Domain, heuristic: Heuristic | None, *, ties: str = "fifo", recycled: Recycled | None = None
) -> BestFirst:
    """Greedy search: the twin of search/greedy.py."""
    return BestFirst(domain, heuristic, order=(0, 1, 0), ties=ties, reopen=False, proves=False, recycled=recycled)


def weighted_astar(
    domain: Domain, heuristic: Heuristic | None, *, weight: float = 1.5, ties: str = "fifo", recycled: Recycled | None = None
) -> BestFirst:
    """Weighted A*: the twin of search/weighted_astar.py."""
    check_weight(weight)
    return BestFirst(domain, heuristic, order=(1, exact_weight(weight), 1), ties=ties, weight=weight, recycled=recycled)

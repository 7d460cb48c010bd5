"""The drivers of searches of tasks with preferred operators: lazy greedy, lazy anytime, and greedy search with two queues."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterator, Sequence
from math import ceil, inf
from typing import TYPE_CHECKING, Any

import numpy as np

from bestfirst.compiled.compiler.machine_code import Kept
from bestfirst.compiled.compiler.specialise import built, digest_of
from bestfirst.compiled.drivers.driver import CompiledDriver
from bestfirst.compiled.kernels.slices import COUNTS, EXHAUSTED, FOUND, FULL, NO_ROOM, STOPPED, new_searches
from bestfirst.compiled.store.growth import grown
from bestfirst.compiled.store.heap import Heap
from bestfirst.compiled.store.state_table import empty_table
from bestfirst.compiled.tasks import two_queues, unpacked
from bestfirst.compiled.tasks.evaluation import evaluation_of
from bestfirst.compiled.tasks.kernels import lazy, preferring_greedy
from bestfirst.errors import InputError
from bestfirst.heuristics.heuristic import Heuristic
from bestfirst.search.incumbent import checked_upper_bound, gave_up, incumbent_of
from bestfirst.search.lazy_anytime import WEIGHTS, checked_weights
from bestfirst.search.node import Node, root_of
from bestfirst.search.open_list import Ties, check_ties
from bestfirst.solution import Iteration
from bestfirst.system.memory import available_bytes

if TYPE_CHECKING:
    from types import ModuleType

    from bestfirst.compiled.store.aliases import Array, Arrays, Template
    from bestfirst.planning.task import Task

FIRST_NODES = 1 << 10
BEYOND = 2**62
"""A cost above all costs."""
NONE = -1


def kernel_for(module: ModuleType, template: Template, heuristic: str, *, lifo: bool, prefers: bool) -> Template:
    """A kernel for a heuristic, compiled on its first call and kept on disk. prefers: whether to use preferred operators."""
    evaluation = evaluation_of(heuristic)
    parts = (*unpacked.PARTS, *two_queues.PARTS, *evaluation.parts, evaluation.evaluate, *module.PARTS)
    constants = {**two_queues.constants(lifo=lifo), "PREFERS": prefers and evaluation.prefers}
    tag = f"{template.__name__}_{digest_of(template, parts, constants)}"
    return built(template, lambda: constants, tag, parts, "planning tasks")


class _TaskSearch(CompiledDriver):
    """What these searches have in common: the arrays of nodes, and their growth."""

    _module: ModuleType
    _template: Template
    _columns: tuple[type[np.number[Any]], ...]

    def __init__(self, task: Task, heuristic: Heuristic, *, lifo: bool = False, preferred: bool = True) -> None:
        super().__init__()
        self._task, self._heuristic = task, heuristic
        self._h = heuristic.checked()
        evaluation = evaluation_of(heuristic.name)
        self._kernel = kernel_for(self._module, self._template, heuristic.name, lifo=lifo, prefers=preferred)
        self._rules = unpacked.rules_of(task)
        self._tables, self._scratch = Kept(evaluation.tables(task)), Kept(evaluation.new_scratch(task))
        self._space = self._working_space()
        self._root = root_of(task, self._h)
        self._searches = new_searches((*self._module.OWN_FIELDS, *two_queues.FIELDS), (), np.int64)
        self._search = self._searches[0]
        self._search.generated = 1
        self._search.best = BEYOND
        self._search.dead_ends = int(self._root.h == inf)
        self._size = FIRST_NODES

    def _new_table(self) -> Array:
        """An empty table for the nodes that fit."""
        return empty_table(1 << (self._size - 1).bit_length())

    def _working_space(self) -> Kept:
        variables, operators = len(self._task.variables) + 1, len(self._task.operators) + 1
        values, following = np.zeros(variables, np.int32), np.zeros(variables, np.int32)
        forks = np.zeros(len(self._rules[unpacked.TREE]), np.int64)
        return Kept((values, following, forks, np.zeros(operators, np.int64), np.zeros(operators, np.int64)))

    def _begin_at_root(self) -> None:
        """Empty arrays, with the root waiting, unless it is a dead end."""
        width = int(self._rules[unpacked.WIDTH][0])
        self._nodes = Kept(
            (np.zeros(self._size * width, np.int64), *(np.zeros(self._size, kind) for kind in self._columns))
        )
        values = np.array([*self._task.initial, 0], np.int32)
        unpacked.pack(self._rules, values, self._nodes[0], 0)
        self._table = self._new_table()
        self._heaps = Heap(), Heap()
        search = self._search
        search.nodes = search.open = search.turns = search.preferred_turns = search.table_is_new = 0
        search.pending, search.lowest = NONE, BEYOND

    @abstractmethod
    def _call(self, budget: int) -> int:
        """Search in compiled code for at most `budget` expansions; return how that ended."""

    @abstractmethod
    def _react(self, how: int) -> None:
        """Handle a goal, or the end of the search."""

    def _advance(self, budget: int) -> None:
        until = self.stats.expanded + budget
        how = FULL
        while how != STOPPED and not self.ended and self.stopped is None:
            how = self._call(until - self.stats.expanded)
            self._take_counts()
            if how in (FULL, NO_ROOM):
                self._grow()
            elif how != STOPPED:
                self._react(how)

    def _take_counts(self) -> None:
        stats, counts = self.stats, self._searches.item()[: len(COUNTS)]
        stats.expanded, stats.generated, stats.duplicates, stats.reopened, stats.pruned, *others = counts
        self.dead_ends, stats.peak_agenda, _falls = others

    def _arrays(self) -> Iterator[Array]:
        yield from (*self._nodes, self._table, *self._heaps[0].arrays, *self._heaps[1].arrays)

    @property
    def bytes(self) -> int:
        return sum(array.nbytes for array in self._arrays())

    def _grow(self) -> None:
        """Make room for more nodes, or stop the search if that would exceed the limit on memory."""
        limit = self._limits.memory if isinstance(self._limits.memory, int) else inf
        if 3 * self.bytes > limit or 2 * self.bytes > available_bytes():
            self.stats.peak_memory = max(self.stats.peak_memory or 0, self.bytes)
            self.stopped = "memory"
            return
        most = len(self._task.operators)
        if self._search.nodes + self._needed_nodes >= self._size:
            self._size = 2 * self._size + self._needed_nodes
            width = int(self._rules[unpacked.WIDTH][0])
            words, *columns = self._nodes
            self._nodes = Kept((grown(words, self._size * width), *(grown(column, self._size) for column in columns)))
            self._table = self._new_table()
            self._search.table_is_new = 1
        for heap in self._heaps:
            if len(heap) + most >= len(heap.arrays[0]) - 6:
                heap.make_room(2 * len(heap) + most + 1)

    @property
    def _needed_nodes(self) -> int:
        """The most nodes that one expansion makes."""
        return 1

    def _path_to(self, place: int) -> Node:
        """A node, with its path made in Python."""
        _words, _costs, parents, operators, *_others = self._nodes
        numbers = []
        while parents[place] != NONE:
            numbers.append(int(operators[place]))
            place = int(parents[place])
        node = self._root
        for number in reversed(numbers):
            operator = self._task.operators[number]
            following = Node(operator.applied(node.state), node, operator.name, node.g + operator.cost, node.depth + 1)
            following.h = self._h(following.state)
            following.f = following.g + following.h
            node = following
        return node

    def _take_goal(self) -> None:
        self.goal = self._path_to(int(self._search.place))
        self._note(self.goal.g)


class _LazySearch(_TaskSearch):
    """One lazy search, which begins again with another order where an algorithm has several."""

    _module, _template = lazy, staticmethod(lazy.lazy_slice)
    _columns = np.int64, np.int32, np.int32, np.int64

    def _begin(self, order: Sequence[float], *, reopens: bool) -> None:
        """Begin a search from the start. order: see store/heap.py."""
        self._begin_at_root()
        self._order = Kept(map(float, order))
        size = FIRST_NODES
        self._entries = Kept((np.zeros(size, np.int32), np.zeros(size, np.int32), np.zeros(size, np.uint8)))
        search = self._search
        search.entries, search.reopens = 0, int(reopens)
        if self._root.h == inf:
            return
        self._entries[0][0] = self._entries[1][0] = NONE
        self._entries[2][0] = search.entries = search.open = 1
        two_queues_put_root(self._heaps[0])

    def _call(self, budget: int) -> int:
        heaps = self._heaps[0].arrays, self._heaps[1].arrays
        of_task = self._rules, self._tables, self._scratch, self._nodes, self._table, self._entries
        return int(self._kernel(self._searches, *of_task, heaps, self._order, self._space, budget))

    def _arrays(self) -> Iterator[Array]:
        yield from (*super()._arrays(), *self._entries)

    def _grow(self) -> None:
        super()._grow()
        most = len(self._task.operators)
        if self.stopped is None and self._search.entries + most > len(self._entries[0]):
            self._entries = Kept(grown(column, 2 * len(column) + most) for column in self._entries)


def two_queues_put_root(heap: Heap) -> None:
    """Let the entry 0 wait first of all in an empty heap."""
    from bestfirst.compiled.store.heap import COUNT, PLACES, PRIMARIES, ROOT, SECONDARIES

    primaries, secondaries, places, count = (heap.arrays[at] for at in (PRIMARIES, SECONDARIES, PLACES, COUNT))
    primaries[ROOT] = secondaries[ROOT] = places[ROOT] = 0
    count[0] = 1


class LazyGreedy(_LazySearch):
    """The twin of search/lazy_greedy.py."""

    def __init__(self, task: Task, heuristic: Heuristic, *, preferred: bool = True) -> None:
        super().__init__(task, heuristic, preferred=preferred)
        self._begin((0, 1, 1), reopens=False)

    def _react(self, how: int) -> None:
        if how == FOUND:
            self._take_goal()
        else:
            self.bound = inf
        self.ended = True


class LazyAnytime(_LazySearch):
    """The twin of search/lazy_anytime.py."""

    def __init__(
        self,
        task: Task,
        heuristic: Heuristic,
        *,
        weights: Sequence[float] = WEIGHTS,
        preferred: bool = True,
        incumbent: Any = None,
        upper_bound: float | None = None,
    ) -> None:
        self._weights = checked_weights(weights)
        super().__init__(task, heuristic, preferred=preferred)
        self._best = checked_upper_bound(upper_bound)
        known = incumbent_of(task, incumbent, self._h)
        self._search.is_bound = int(heuristic.admissible is True)
        self._proved = self._root.f if heuristic.admissible is True else 0
        if known is not None and known.g < self._best:
            self.goal, self._best = known, known.g
            self.bound = min(self._proved, self._best)
            self._note(known.g)
        self._iteration = -1
        self._next_iteration()

    def _next_iteration(self) -> None:
        self._iteration += 1
        self._begins_unbounded = self._best == inf
        weight = self._weights[self._iteration - 1] if self._iteration else inf
        self.bound = max(self.bound, min(self._proved, self._best))
        self.stats.iterations.append(Iteration(weight))
        self._before = self.stats.expanded, int(self._search.generated)
        self._note()
        self._search.best = BEYOND if self._best == inf else ceil(self._best)
        self._begin((1, weight, 1) if self._iteration else (0, 1, 1), reopens=self._iteration > 0)

    def _take_counts(self) -> None:
        super()._take_counts()
        row = self.stats.iterations[-1]
        row.expanded, row.generated = (
            now - then for now, then in zip((self.stats.expanded, self.stats.generated), self._before, strict=True)
        )

    def _react(self, how: int) -> None:
        is_last = self._iteration == len(self._weights)
        if how == FOUND:
            goal = self._path_to(int(self._search.place))
            self._best, self.goal = goal.g, goal
            self.bound = max(self.bound, min(self._proved, self._best))
            self._note(goal.g)
            if not is_last:
                self._next_iteration()
        elif self._iteration > 0 or self._begins_unbounded:
            self.bound, self.ended = max(self.bound, self._best), True
            self.gave_up = gave_up(self._best, self.goal is not None)
        else:
            self._next_iteration()


class PreferringGreedy(_TaskSearch):
    """The twin of search/greedy.py with preferred=True."""

    _module, _template = preferring_greedy, staticmethod(preferring_greedy.preferring_greedy_slice)
    _columns = np.int64, np.int32, np.int32, np.int64, np.uint8

    def __init__(self, task: Task, heuristic: Heuristic, *, ties: Ties = "fifo") -> None:
        check_ties(ties)
        super().__init__(task, heuristic, lifo=ties == "lifo")
        if heuristic.preferred is None:
            raise InputError(
                f"preferred is True, but the heuristic {heuristic.name!r} has no preferred actions; omit preferred"
            )
        self._begin_at_root()
        self._order = Kept((0.0, 1.0, 1.0))
        if self._root.h < inf:
            search = self._search
            self._nodes[2][0] = self._nodes[3][0] = NONE
            self._nodes[4][0] = int(self._root.h)
            self._nodes[5][0] = search.nodes = search.open = search.table_is_new = 1
            two_queues_put_root(self._heaps[0])
            search.lowest, search.preferred_turns = int(self._root.h), -two_queues.BOOST

    @property
    def _needed_nodes(self) -> int:
        return len(self._task.operators) + 1

    def _call(self, budget: int) -> int:
        heaps = self._heaps[0].arrays, self._heaps[1].arrays
        of_task = self._rules, self._tables, self._scratch, self._nodes, self._table
        return int(self._kernel(self._searches, *of_task, heaps, self._order, self._space, budget))

    def _react(self, how: int) -> None:
        if how == FOUND:
            self._take_goal()
        else:
            self.bound = inf
        self.ended = True

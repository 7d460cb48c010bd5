"""What the drivers of compiled task searches have in common: code, slices, paths, changes of the task."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterable, Sequence
from math import inf
from typing import TYPE_CHECKING, cast

import numpy as np

from bestfirst.compiled.compiler.machine_code import Kept, MachineCode
from bestfirst.compiled.compiler.specialise import built, digest_of
from bestfirst.compiled.drivers.driver import CompiledDriver
from bestfirst.compiled.kernels.slices import COSTLY, COUNTS, FOUND, FULL, STOPPED, new_searches
from bestfirst.compiled.store.growth import grown
from bestfirst.compiled.tasks import start
from bestfirst.compiled.tasks.evaluation import DEAD_END, Evaluation, evaluation_of
from bestfirst.compiled.tasks.nodes import MOST_NODES, new_table, too_costly
from bestfirst.compiled.tasks.tables import TaskTables
from bestfirst.heuristics.heuristic import ZERO
from bestfirst.heuristics.naming import find_heuristic
from bestfirst.planning.compiled_searches import NO_HEURISTIC
from bestfirst.search.node import Node, root_of
from bestfirst.system.memory import available_bytes

if TYPE_CHECKING:
    from bestfirst.compiled.compiler.specialise import Compiled
    from bestfirst.compiled.store.aliases import Array, Arrays, Names, Search, Template
    from bestfirst.planning.task import Task
    from bestfirst.problem import Problem

_READY: dict[str, Template] = {}
"""The compiled kernels of this process, by tag."""


def compiled_kernel(
    template: Template, evaluation: Evaluation, parts: Sequence[Template], constants: Names | None = None
) -> Template:
    """A kernel with the code of a heuristic: compiled on its first call, once for all tasks, and kept on disk.

    parts: what the kernel calls besides the evaluation, callees first. constants: names that these read.
    """
    everything = (*evaluation.parts, evaluation.evaluate, *parts)
    tag = f"{template.__name__}_{digest_of(template, everything, constants or {})}"
    if tag not in _READY:
        _READY[tag] = built(template, lambda: dict(constants or {}), tag, everything, "Task")
    return _READY[tag]


class NotedTask:
    """What a search notes of its task: nothing, since a task cannot be changed."""

    def complete(self) -> None:
        """Nothing is noted."""

    def check(self, _domain: object, _task: Problem) -> None:
        """The task is what it was."""


class TaskCode:
    """A kernel with the arrays of a task: what a driver of tasks has in place of Compiled."""

    def __init__(self, code: Template) -> None:
        self.code = code
        self.noted = NotedTask()


class TaskSearch(CompiledDriver):
    """A compiled search of a task, in slices.

    heuristic: the name of one with compiled code, or None. The record of the search has the counts and `fields`.
    """

    def __init__(
        self,
        task: Task,
        heuristic: str | None,
        template: Template,
        parts: Sequence[Template],
        fields: tuple[str, ...],
        totals: tuple[str, ...] = (),
        reals: tuple[str, ...] = (),
        constants: Names | None = None,
    ) -> None:
        super().__init__()
        self._is_prepared = False
        self._task = task
        self._heuristic = heuristic
        self._h = (find_heuristic(task, heuristic) if heuristic else ZERO).checked()
        self._tables = TaskTables(task)
        self._evaluator = evaluation_of(heuristic or NO_HEURISTIC)
        self._evaluation: Arrays = Kept((self._evaluator.tables(task), self._evaluator.new_scratch(task)))
        self._code = TaskCode(compiled_kernel(template, self._evaluator, (*parts, *start.PARTS), constants))
        self._searches = new_searches((*start.FIELDS, *fields), totals, np.int64, reals)
        self._search: Search = self._searches[0]
        self._root = root_of(task)  # with its estimate from _begin() on
        self._search.start = start.NOT_MADE
        self._search.generated = 1

    @property
    def compiled(self) -> Compiled:
        return cast("Compiled", self._code)  # of which the engine needs `noted` only

    @property
    def is_ready(self) -> bool:
        """Whether the search need not compile anything."""
        code = self._code.code
        return not isinstance(code, MachineCode) or code.is_ready(*self._arguments(), 0)

    def prepare(self) -> None:
        """Compile the code, if that is needed."""
        code = self._code.code
        if isinstance(code, MachineCode) and not self._is_prepared:
            code.prepare(*self._arguments(), 0)
        self._is_prepared = True

    def _get_ready(self) -> None:
        self.prepare()

    @abstractmethod
    def _arguments(self) -> tuple[object, ...]:
        """The arguments of the kernel, before the budget."""

    @abstractmethod
    def _begin(self) -> None:
        """Begin the search at the root, whose estimate is now known."""

    @abstractmethod
    def _grow(self) -> None:
        """Make room, or stop the search if that would exceed the limit on memory."""

    @abstractmethod
    def _react(self, how: int) -> None:
        """Handle an end of a slice: the goal, or the end of the search."""

    def _estimate_start(self) -> None:
        """Let the kernel evaluate the root."""
        self._code.code(*self._arguments(), 0)
        h = int(self._search.start)
        self._root.h = self._root.f = self.at_start = inf if h == DEAD_END else h
        self._search.dead_ends = int(h == DEAD_END)

    def _advance(self, budget: int) -> None:
        if self.at_start is None:
            self._estimate_start()
            self._begin()
            self._take_counts()
        until = self.stats.expanded + budget
        how = FULL
        while how != STOPPED and not self.ended and self.stopped is None:
            self._look_at_others()
            how = int(self._code.code(*self._arguments(), until - self.stats.expanded))
            self._take_counts()
            if how == FULL:
                self._grow()
            elif how == COSTLY:
                raise too_costly("a path costs")
            elif how != STOPPED:
                self._react(how)
                if how == FOUND:
                    assert self.goal is not None
                    self._note(self.goal.g)

    def _look_at_others(self) -> None:
        """Take note of what other searches have found."""

    def _take_counts(self) -> None:
        stats = self.stats
        counts = self._searches.item()[: len(COUNTS)]
        stats.expanded, stats.generated, stats.duplicates, stats.reopened, stats.pruned, *others = counts
        self.dead_ends, stats.peak_agenda, self.falls = others

    def _may_grow(self, arrays: Iterable[Array]) -> bool:
        """Whether these arrays can be doubled; otherwise the search stops."""
        return self._may_take(2 * sum(array.nbytes for array in arrays))  # the old arrays are still there

    def _may_take(self, more: int) -> bool:
        """Whether the search can have so many bytes more; otherwise it stops."""
        limit = self._limits.memory if isinstance(self._limits.memory, int) else inf
        if self.bytes + more > limit or more > available_bytes():
            self.stats.peak_memory = max(self.stats.peak_memory or 0, self.bytes)
            self.stopped = "memory"
        return self.stopped is None

    def _followed(self, steps: Iterable[tuple[int, int]], start: Node | None = None) -> Node:
        """The node to which steps lead from the start: each an operator, by number, and the estimate after it."""
        node = start or self._root
        for number, h in steps:
            operator = self._task.operators[number]
            child = Node(operator.applied(node.state), node, operator.name, node.g + operator.cost, node.depth + 1)
            child.h, child.f = h, child.g + h
            node = child
        return node


class GraphSearch(TaskSearch):
    """A search that keeps its nodes, and a table of their states (nodes.py)."""

    _nodes: Arrays
    _table: Array

    def _grow_nodes(self, needs: int) -> None:
        """Make room for so many nodes more, array by array: old and new ones of all together would need half as much again."""
        search = self._search
        before = capacity = int(search.capacity)
        while search.nodes + needs > capacity:
            capacity *= 2
        if capacity == before or self.stopped is not None:
            return
        times, table = capacity // before, self._table.nbytes
        sizes = [array.nbytes for array in self._nodes]
        at_end, with_the_largest_twice = (times - 1) * (sum(sizes) + table), times * max(sizes) - table
        if not self._may_take(max(at_end, with_the_largest_twice)):
            return
        if capacity > MOST_NODES:
            self.stopped = "memory"
            return
        self._table = new_table(1)
        nodes, self._nodes = list(self._nodes), Kept()
        for number in range(len(nodes)):
            nodes[number] = grown(nodes[number], times * len(nodes[number]))
        self._nodes, self._table = Kept(nodes), new_table(capacity)
        search.capacity, search.table_is_new = capacity, 1

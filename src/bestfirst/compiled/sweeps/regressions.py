"""The exact distance of every state to the nearest goal, by rank, over operators that cannot be undone: for planning tasks.

From the goals, the states are settled in order of distance (Dijkstra 1959), and each relaxes its predecessors: those of the rules
whose consequences hold in it, which a decision tree finds. The waiting states are in a radix heap (Ahuja, Mehlhorn, Orlin &
Tarjan 1990), whose buckets are linked lists: so costs may be any ints, and a state waits in one place only. All
sizes are numbers at run time, so one compiled kernel serves all tasks.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache
from itertools import accumulate
from math import prod
from operator import mul
from typing import TYPE_CHECKING

import numpy as np

from bestfirst.compiled.compiler.specialise import built, digest_of
from bestfirst.compiled.kernels.distances import FARTHEST, UNKNOWN
from bestfirst.compiled.kernels.regressions import (
    BUCKETS,
    FAR,
    FIELDS_OF_REGRESSION,
    LINKS,
    STOPPED,
    TOO_FAR,
    bucket_of,
    entered_goals,
    filled,
    other_values,
    put_in,
    relaxed_regressions,
    take_out,
)
from bestfirst.compiled.store.growth import record_type
from bestfirst.compiled.sweeps.distances import Sweep, histogram
from bestfirst.domain import Domain
from bestfirst.errors import InputError

if TYPE_CHECKING:
    from bestfirst.compiled.store.aliases import Array, Template
    from bestfirst.patterns.regressions import Facts, Regressions, Rule

STATES_PER_SLICE = 1 << 15
BYTES_PER_STATE = 12
"""A distance and two links."""


class RegressedDistances:
    """The distances of all states of some regressions, computed by advance(). array: FAR where no goal can be reached."""

    def __init__(self, regressions: Regressions) -> None:
        sizes = list(regressions.sizes)
        self._multipliers = [1, *accumulate(sizes, mul)][:-1]
        self._sizes = sizes
        self.states = prod(sizes)
        self._tree = _Tree(sizes)
        self._tree.grow([(rule.after(), rule) for rule in regressions.rules])
        self._goal = dict(regressions.goal)
        self.array = np.full(self.states, FAR, np.int32)

    def advance(self) -> Iterator[float]:
        """Compute them, yielding the fraction of the states that are settled from time to time.

        Raises InputError for a distance of 2**31 - 1 or more.
        """
        buckets = np.tile(np.array([-1, FAR, 0], np.int64), BUCKETS)
        links = np.empty(LINKS * self.states, np.int32)
        self._enter_goals(buckets, links)
        searches = np.zeros(1, record_type(*((name, np.int64) for name in FIELDS_OF_REGRESSION)))
        rules, free = self._rules(self._tree.rules)
        room = np.zeros(len(self._sizes), np.int64), np.zeros(len(self._sizes) + 2, np.int64)
        sizes = _array(self._sizes)
        parts = bucket_of, put_in, take_out, filled, other_values
        run, tree = _compiled(relaxed_regressions, parts), self._tree.arrays()
        end = STOPPED
        while end == STOPPED:
            end = run(sizes, tree, rules, free, buckets, links, self.array, room, searches, STATES_PER_SLICE)
            yield int(searches[0].settled) / self.states
        if end == TOO_FAR:
            raise InputError(
                f"an abstract distance is {FAR:,} or more; use a smaller pattern, divide all costs by a common divisor, or use the "
                "heuristic 'blind'"
            )

    def _enter_goals(self, buckets: Array, links: Array) -> None:
        base = sum(value * self._multipliers[variable] for variable, value in self._goal.items())
        free = [variable for variable in range(len(self._sizes)) if variable not in self._goal]
        of_free = _array([self._sizes[one] for one in free]), _array([self._multipliers[one] for one in free])
        count = prod(self._sizes[one] for one in free)
        _compiled(entered_goals, (put_in, other_values))(base, count, of_free, buckets, links, self.array)

    def _rules(self, rules: Sequence[Rule]) -> tuple[tuple[Array, ...], tuple[Array, ...]]:
        """The arrays `rules` and `free` of the kernel."""
        free = [rule.free() for rule in rules]
        ends = list(accumulate(map(len, free), initial=0))
        all_free = [variable for one in free for variable in one]
        of_rules = (
            _array([rule.cost for rule in rules]),
            _array([self._shift(rule) for rule in rules]),
            _array([prod(self._sizes[variable] for variable in one) for one in free]),
            _array(ends[:-1]),
            _array(ends[1:]),
        )
        return of_rules, (
            _array([self._sizes[one] for one in all_free]),
            _array([self._multipliers[one] for one in all_free]),
        )

    def _shift(self, rule: Rule) -> int:
        """What leads from the rank of a state to that of the one before the rule, with 0 for the free variables."""
        before = dict(rule.before)
        return sum((before.get(variable, 0) - value) * self._multipliers[variable] for variable, value in rule.effects)


class RegressedLevels(Sweep):
    """The same for a build (patterns/building/build.py): one byte for each state, all levels at once."""

    def __init__(self, domain: Domain, regressions: Regressions) -> None:
        super().__init__(domain, np.full(0, UNKNOWN, np.uint8), None)
        self._regressed = RegressedDistances(regressions)

    def next_level(self) -> Iterator[float]:
        yield from self._regressed.advance()
        array = self._regressed.array
        far = np.flatnonzero((array > FARTHEST) & (array != FAR))
        if len(far):
            self._refuse(self._domain.unrank(int(far[0])))
        self.table = np.minimum(array, UNKNOWN).astype(np.uint8)
        counts = histogram(self.table)[:UNKNOWN]
        self.levels = counts[: np.flatnonzero(counts)[-1] + 1].tolist()
        self.complete = True

    def flush(self) -> None:
        """Nothing is on disk before the build is finished."""


class _Tree:
    """A decision tree of rules by their consequences. rules: in the order in which the nodes have them."""

    def __init__(self, sizes: Sequence[int]) -> None:
        self._sizes = sizes
        self.rules: list[Rule] = []
        self._nodes: list[list[int]] = []
        self._children: list[int] = []

    def grow(self, given: list[tuple[Facts, Rule]]) -> int:
        """Add a node for rules, each with those of its consequences that are not tested above; returns its index."""
        index, begin = len(self._nodes), len(self.rules)
        self.rules += [rule for facts, rule in given if not facts]
        node = [begin, len(self.rules), -1, 0, -1]
        self._nodes.append(node)
        asking = [(facts, rule) for facts, rule in given if facts]
        if not asking:
            return index
        variable = min(facts[0][0] for facts, _rule in asking)
        by_value: dict[int, list[tuple[Facts, Rule]]] = {}
        others = []
        for facts, rule in asking:
            if facts[0][0] == variable:
                by_value.setdefault(facts[0][1], []).append((facts[1:], rule))
            else:
                others.append((facts, rule))
        node[2], node[3] = variable, len(self._children)
        self._children += [-1] * self._sizes[variable]
        for value, those in by_value.items():
            self._children[node[3] + value] = self.grow(those)
        if others:
            node[4] = self.grow(others)
        return index

    def arrays(self) -> tuple[Array, ...]:
        """The tree as the kernel takes it."""
        columns = zip(*self._nodes, strict=True)
        return *(_array(column) for column in columns), _array(self._children)


def _array(numbers: Sequence[int]) -> Array:
    return np.array(numbers, np.int64)


@cache
def _compiled(template: Template, parts: tuple[Template, ...]) -> Template:
    tag = f"{template.__name__}_{digest_of(template, parts, {})}"
    return built(template, dict, tag, parts, "pattern databases of planning tasks")

"""nearest_goals(): the cheapest path to each goal, the nearest goal first, in one search.

for solution in bf.nearest_goals(grid): ...               # to each goal that can be reached
nearest = list(islice(bf.nearest_goals(grid), 3))         # to the three nearest
"""

from __future__ import annotations

from collections.abc import Iterator
from math import inf
from typing import TYPE_CHECKING

from bestfirst.arguments import suggesting
from bestfirst.best_solutions import Solutions, checked_arguments
from bestfirst.problem import Problem
from bestfirst.replay import tested
from bestfirst.search.node import Node, expand, root_of
from bestfirst.search.open_list import Agenda, by_total
from bestfirst.solution import Limits
from bestfirst.stated import checked_goal_states, checked_unsolvable
from bestfirst.typed import ActionT, StateT

if TYPE_CHECKING:
    from bestfirst.search_plan import HeuristicChoice


class _NearestGoals(Solutions[StateT, ActionT]):
    """The cheapest solution for each goal state, by cost: A* that goes on at each goal."""

    algorithm = "nearest-goals"

    def _in_order(self) -> Iterator[Node]:
        if checked_unsolvable(self._problem) is not None:
            return
        h, goals, key = self._heuristic.checked(), checked_goal_states(self._problem), self._problem.key
        left = inf if goals is None else len(set(map(key, goals)))
        root = root_of(self._problem, h)
        known, reached = {key(root.state): root}, set()
        agenda = Agenda(by_total)
        if root.h < inf:
            agenda.push(root)
        while (node := agenda.peek()) is not None:
            if node.f > self._at_most:
                self.limit = "at_most"
                return
            if self._must_stop():
                return
            agenda.pop()
            if key(node.state) not in reached and tested(self._problem, node.state):
                reached.add(key(node.state))
                left -= 1
                yield node
                if left == 0:
                    return
            self.stats.expanded += 1
            for child in expand(self._problem, node):
                self.stats.generated += 1
                name = key(child.state)
                twin = known.get(name)
                if twin is not None and child.g >= twin.g:
                    continue
                child.h = h(child.state) if twin is None else twin.h
                child.f = child.g + child.h
                if twin is not None and twin.agenda is not None:
                    agenda.discard(twin)
                known[name] = child
                if child.h < inf:
                    agenda.push(child)


@suggesting
def nearest_goals(
    problem: Problem[StateT, ActionT],
    heuristic: HeuristicChoice | None = None,
    *,
    at_most: float = inf,
    limits: Limits | None = None,
    verify: bool = True,
) -> Solutions[StateT, ActionT]:
    """The cheapest solution for each goal state, the nearest goal first: an iterator.

    Which states are goals, the problem says; GridMap, RoadMap and RoadNetwork accept several goals. States with the same key()
    are one state. A path may lead through other goals. The iteration ends when all goals are found, if goal_states() lists
    them, and otherwise when all states that can be reached are expanded.

    heuristic: as in solve(); it must not exceed the cost to the nearest goal. Default: the problem's default heuristic, or
    none.
    at_most: goals that are farther away are left out. limits: seconds, expansions and memory, for all solutions together.
    The iterator's `limit` says what ended it before all goals were found; None if there are no more.
    Time and memory: those of one A* search that ends at the farthest goal. The reference engine does the work.
    Raises InputError for a heuristic that is known to overestimate, and for a limit on depth.
    """
    return _NearestGoals(*checked_arguments("nearest_goals", problem, heuristic, at_most, limits), verify=verify)

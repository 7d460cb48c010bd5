"""nearest_goals(): the cheapest path to each goal, the nearest goal first, in one search.

for solution in bf.nearest_goals(grid): ...               # to each goal that can be reached
nearest = list(islice(bf.nearest_goals(grid), 3))         # to the three nearest

The reference engine begins. If the compiled engine can run the same search, it takes over: it begins again, and leaves out
the goals that have been found.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import islice
from math import inf
from time import perf_counter
from typing import TYPE_CHECKING

from bestfirst.arguments import suggesting
from bestfirst.attempt import Attempt
from bestfirst.best_solutions import Solutions, checked_arguments
from bestfirst.domain import Domain
from bestfirst.errors import InputError, NotCompilableError, is_of_compiler
from bestfirst.heuristics.heuristic import Heuristic
from bestfirst.preparations import Preparations
from bestfirst.problem import Problem
from bestfirst.replay import tested
from bestfirst.search import algorithm_named
from bestfirst.search.node import Node, expand, root_of, total_of
from bestfirst.search.open_list import Agenda, by_total
from bestfirst.search_plan import COMPILED, HEAD_START, Choice, engine_named
from bestfirst.solution import Limits, Stats
from bestfirst.stated import checked_goal_states, checked_unsolvable
from bestfirst.system.beside import Beside
from bestfirst.typed import ActionT, StateT

if TYPE_CHECKING:
    from bestfirst.compiled.drivers.nearest_goals import NearestGoals
    from bestfirst.search_plan import HeuristicChoice

BETWEEN_LOOKS = 256
"""The number of expansions between two looks at whether the compiled engine is ready."""


class _NearestGoals(Solutions[StateT, ActionT]):
    """The cheapest solution for each goal state, by cost: A* that goes on at each goal."""

    algorithm = "nearest-goals"

    def __init__(
        self,
        problem: Problem[StateT, ActionT],
        heuristic: Heuristic,
        limits: Limits,
        at_most: float,
        *,
        wanted: HeuristicChoice | None,
        engine: str | None,
        verify: bool,
    ) -> None:
        self._wanted, self._asked = wanted, engine
        super().__init__(problem, heuristic, limits, at_most, verify=verify)

    def _in_order(self) -> Iterator[Node]:
        if checked_unsolvable(self._problem) is not None:
            return
        goals, key = checked_goal_states(self._problem), self._problem.key
        left = inf if goals is None else len(set(map(key, goals)))
        for node in self._by_an_engine():
            yield node
            left -= 1
            if left == 0:
                return

    def _by_an_engine(self) -> Iterator[Node]:
        """The goal nodes, by the engine that was asked for, or by the faster one that can run the search."""
        found, making = 0, Beside(self._compiled) if self._asked == COMPILED else None
        if making is None:
            for node in self._by_reference():
                if node is not None:
                    yield node
                    found += 1
                elif self._asked is None:
                    making = making or Beside(self._compiled)
                    if self._is_ready(making):
                        break
                    if self.limit is not None:
                        return
            else:
                return
        assert making is not None
        if self._waits_for(making):
            driver, self.engine = making.result(), COMPILED
            yield from self._left_by(driver, found)

    def _waits_for(self, making: Beside[NearestGoals]) -> bool:
        """Whether the compiled engine is ready before Ctrl-C or the end of the time; otherwise `limit` says which."""
        try:
            with self._ctrl_c.lent():
                if making.wait(self._deadline):
                    return True
            self.limit = "seconds"
        except KeyboardInterrupt:
            self.limit = "interrupted"
        return False

    def _is_ready(self, making: Beside[NearestGoals]) -> bool:
        """Whether the compiled engine can take over. Without a time limit, waiting for it is faster than going on."""
        if (self._deadline is None and not self._waits_for(making)) or not making.is_finished:
            return False
        try:
            making.result()
        except Exception as error:
            if not is_of_compiler(error, has_begun=False):
                raise
            self._asked = "python"
            return False
        return True

    def _compiled(self) -> NearestGoals:
        """The compiled engine, at the start of the search. Raises NotCompilableError if it cannot run it."""
        choice = Choice(algorithm_named("astar"), self._wanted)
        attempt = Attempt(
            self._problem,
            choice,
            self._heuristic,
            Preparations(),
            engine=None,
            must_compile=False,
            trace=None,
            recycled=lambda: None,
        )
        try:
            domain, heuristic = attempt.compilable()
            _check_key(self._problem, domain)
        except NotCompilableError as error:
            if self._asked == COMPILED:
                joint = ", or" if ";" in str(error) else ";"
                raise InputError(f"the compiled engine cannot run this search: {error}{joint} use engine='python'") from None
            raise
        from bestfirst.compiled.drivers.nearest_goals import NearestGoals  # noqa: PLC0415  (it imports NumPy)

        return NearestGoals(domain, heuristic, at_most=self._at_most, farthest=self._farthest)

    def _left_by(self, driver: NearestGoals, found: int) -> Iterator[Node]:
        """The goal nodes of the compiled engine except the first ones; those of the reference engine if its code fails."""
        try:
            for number, node in enumerate(self._by_compiled(driver)):
                if number >= found:
                    yield node
                    found += 1
        except Exception as error:
            if self._asked == COMPILED or not is_of_compiler(error, has_begun=True):
                raise
            self.engine, self._asked, self.stats = "python", "python", Stats(seconds=self.stats.seconds)
            yield from islice((node for node in self._by_reference() if node is not None), found, None)

    def _by_compiled(self, driver: NearestGoals) -> Iterator[Node]:
        stats = self.stats = replace(driver.stats)
        while True:
            most = self._limits.expansions
            seconds = None if self._deadline is None else max(0.0, self._deadline - perf_counter())
            expansions = None if most is None else max(0, most - driver.stats.expanded)
            with self._ctrl_c.lent():
                driver.run(replace(self._limits, seconds=seconds, expansions=expansions), None)
            stats = self.stats = replace(driver.stats, seconds=stats.seconds)
            if driver.stopped != "goal":
                self.limit = driver.stopped
                return
            assert driver.goal is not None
            yield driver.goal

    def _by_reference(self) -> Iterator[Node | None]:
        """The goal nodes, and now and then None from HEAD_START expansions on, so that another engine can take over."""
        h, key, stats = self._heuristic.checked(), self._problem.key, self.stats
        root = root_of(self._problem, h)
        known, reached = {key(root.state): root}, set()
        agenda = Agenda(by_total)
        stats.generated = 1
        if root.h < inf:
            agenda.push(root)
        while (node := agenda.peek()) is not None:
            if self._is_too_far(node.f):
                self.limit = "at_most"
                return
            stats.peak_agenda = max(stats.peak_agenda, len(agenda) - 1)
            if key(node.state) not in reached and tested(self._problem, node.state):
                reached.add(key(node.state))
                yield node
            if self._must_stop():
                return
            if stats.expanded >= HEAD_START and stats.expanded % BETWEEN_LOOKS == 0:
                yield None
            agenda.pop()
            stats.expanded += 1
            for child in expand(self._problem, node):
                stats.generated += 1
                name = key(child.state)
                twin = known.get(name)
                child.h = h(child.state) if twin is None else twin.h
                child.f = total_of(child.g, child.h)
                if child.h == inf:
                    stats.pruned += 1
                    continue
                if twin is not None:
                    stats.duplicates += 1
                    if child.g >= twin.g:
                        continue
                    if twin.agenda is None:
                        stats.reopened += 1
                    else:
                        agenda.discard(twin)
                known[name] = child
                agenda.push(child)


@suggesting
def nearest_goals(
    problem: Problem[StateT, ActionT],
    heuristic: HeuristicChoice | None = None,
    *,
    at_most: float = inf,
    limits: Limits | None = None,
    verify: bool = True,
    engine: str | None = None,
) -> Solutions[StateT, ActionT]:
    """The cheapest solution for each goal state, the nearest goal first: an iterator.

    The problem says which states are goals; GridMap, RoadMap and RoadNetwork accept several. States with the same key()
    are one state. A path may lead through other goals. The iteration ends when all goals are found, if goal_states() lists
    them, and otherwise when all states that can be reached are expanded.

    heuristic: as in solve(); it must not exceed the cost to the nearest goal. Default: the problem's default heuristic, or
    none.
    at_most: goals that are farther away are left out; floats are compared up to their rounding.
    limits: seconds, expansions and memory, for all solutions together.
    engine: "python" or "compiled". Default: python, then compiled once there are many states, if it can run the search.
    The iterator's `limit` says what ended it before all goals were found; None if there are no more.
    Time and memory: those of one A* search that ends at the farthest goal.
    Raises InputError for a heuristic that is known to overestimate, for a limit on depth, and for a problem that the compiled
    engine cannot search if it is asked for.
    """
    checked = checked_arguments("nearest_goals", problem, heuristic, at_most, limits)
    return _NearestGoals(*checked, wanted=heuristic, engine=engine_named(engine), verify=verify)


def _check_key(*stated: Problem) -> None:
    """Raise NotCompilableError for a key() of the user: compiled code compares states by `identity`."""
    for one in stated:
        if getattr(one.key, "__func__", None) not in (Problem.key, Domain.key):
            raise NotCompilableError(
                f"compiled code does not call {type(one).__name__}.key; list in `identity` the fields that tell states apart"
            )

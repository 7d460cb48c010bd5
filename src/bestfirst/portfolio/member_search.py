"""The search of one member, on its worker: it learns of better solutions while it runs, and tells of its own at once."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from importlib import import_module
from math import inf
from queue import SimpleQueue
from time import perf_counter

from bestfirst.own_errors import own_errors
from bestfirst.portfolio.messages import (
    Charge,
    Cheaper,
    Ended,
    Failed,
    Go,
    Improved,
    Message,
    Order,
    Report,
    Stop,
)
from bestfirst.resumable_search import Search
from bestfirst.search import ALGORITHMS
from bestfirst.search.incumbent import UpperBound
from bestfirst.solution import Solution, Status

SECONDS_BETWEEN_REPORTS = 0.2


class _Stopped(BaseException):
    """Raised between two steps of the search; not an error, which the problem's own code could catch."""


class MemberSearch:
    """See the docstring of member_search.py. tell: called with each message."""

    def __init__(self, charge: Charge, tell: Callable[[Message], None]) -> None:
        self._charge, self._tell = charge, tell
        self._orders: SimpleQueue[Order] = SimpleQueue()
        self._below = UpperBound(charge.upper_bound)
        self._told = inf if charge.known is None else charge.known[1]
        self._is_stopped = False
        self._made: Search | None = None
        self._next_report = 0.0

    def hear(self, order: Order) -> None:
        """Take an order; another thread may call it."""
        if isinstance(order, Cheaper):
            self._below.lower(order.cost, order.actions)
            return
        if isinstance(order, Stop):
            self._is_stopped = True
        self._orders.put(order)

    def run(self) -> None:
        """Carry out orders until one is to stop."""
        while self.carry_out():
            pass

    def carry_out(self) -> bool:
        """Wait for an order and carry it out; returns whether another may follow."""
        order = self._orders.get()
        if not isinstance(order, Go) or self._is_stopped:
            return False
        try:
            with own_errors():  # here, where the line is known
                if self._made is None:
                    self._made = self._make()
                self._search(self._made, order.expansions)
        except Exception as error:
            self._tell(Failed(error))
            return False
        return True

    def _make(self) -> Search:
        charge = self._charge
        if charge.limits.memory is not None and charge.engine != "python":
            import_module("bestfirst.compiled")  # before memory is measured: a fresh process has not loaded the compiler
        options = dict(charge.options)
        known = ALGORITHMS[charge.algorithm].options
        if "upper_bound" in known:
            options["upper_bound"] = self._below
        if "incumbent" in known and charge.known is not None:
            options["incumbent"] = list(charge.known[0])
        return Search(
            charge.problem,
            charge.algorithm,
            charge.heuristic,
            engine=charge.engine,
            verify=charge.verify,
            databases=charge.databases,
            limits=charge.limits,
            **options,
        )

    def _search(self, search: Search, expansions: int | None) -> None:
        with suppress(_Stopped):
            search.run(replace(self._charge.limits, expansions=expansions), progress=self._look)
        solution = self._look_for_better(search) or search.solution
        limit = solution.limit if solution.status is Status.LIMIT else None
        self._tell(Ended(_report(solution), limit, solution.weight, solution.warnings, search.ended))

    def _look(self, search: Search) -> None:
        """What happens between two steps."""
        if self._is_stopped:
            raise _Stopped
        solution = self._look_for_better(search)
        now = perf_counter()
        if solution is not None or now >= self._next_report:
            self._next_report = now + SECONDS_BETWEEN_REPORTS
            self._tell(_report(solution or search.solution))

    def _look_for_better(self, search: Search) -> Solution | None:
        """Tell of a solution if it is better than all that are known; return what is known then."""
        cost = search.cost
        if cost is None or cost >= min(self._told, self._below.cost):
            return None
        solution = search.solution
        assert solution.cost is not None
        self._told = cost
        self._tell(Improved(solution.cost, solution.actions, solution.states, solution.heuristic, solution.engine))
        return solution


def _report(solution: Solution) -> Report:
    return Report(solution.stats, solution.lower_bound, solution.condition)

"""The driver of large-neighbourhood beam search."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from bestfirst.arguments import check_whole
from bestfirst.compiled.compiler.state_fields import words_of_state
from bestfirst.compiled.drivers.anytime_beam import AnytimeBeam
from bestfirst.compiled.drivers.paths import decoded, follow, followed_from
from bestfirst.compiled.kernels.slices import AT_TARGET, FOUND
from bestfirst.domain import Domain, has_fixed_names
from bestfirst.errors import InputError, NotCompilableError
from bestfirst.heuristics.heuristic import Heuristic
from bestfirst.search.anytime_beam import FIRST_WIDTH
from bestfirst.search.incumbent import UpperBound, incumbent_of
from bestfirst.search.large_neighbourhood_beam import EFFORT, Windows, reserved
from bestfirst.search.node import Node

if TYPE_CHECKING:
    from bestfirst.compiled.store.aliases import SavedState


class LargeNeighbourhoodBeam(AnytimeBeam):
    """Large-neighbourhood beam search on a domain, in slices."""

    _has_windows = True

    def __init__(
        self,
        domain: Domain,
        heuristic: Heuristic | None,
        *,
        width: int = FIRST_WIDTH,
        seed: int = 0,
        incumbent: Any = None,
        upper_bound: float | UpperBound | None = None,
    ) -> None:
        check_whole("seed", seed, 0)
        self._names = _names(domain)
        self._windows = Windows(seed)
        self._best_way: list[int] | None = None
        self._best_goal: Node | None = None  # in states of the domain; None: still to be made from the way
        self._path: list[Node] = []  # of which a window is searched; empty during a beam from the start
        self._span = 0, 0
        self._prefix: list[int] = []  # the actions before the window
        self._rest: list[int] = []  # those after it
        self._reserves = False  # whether windows do without the latter
        self._before = self._effort = self._until = 0  # numbers of expansions
        super().__init__(domain, heuristic, width=width, incumbent=incumbent, upper_bound=upper_bound)

    def _begin_below(self, incumbent: Any, upper_bound: float | UpperBound | None) -> None:
        super()._begin_below(incumbent, upper_bound)
        if self.goal is not None:
            self._best_goal = incumbent_of(self._domain, incumbent, self._h)
            assert self._best_goal is not None
            self._best_way = [self._names.index(node.action) for node in self._best_goal.path()[1:]]

    def _lower(self, cost: float, actions: Sequence[Any] | None) -> None:
        super()._lower(cost, actions)
        adopted = incumbent_of(self._domain, actions, self._h)
        if adopted is not None:
            self._best_goal, self.goal = adopted, decoded(self._domain, adopted)
            self._best_way = [self._names.index(node.action) for node in adopted.path()[1:]]
            self._way_to_goal = None
            self._note(adopted.g)

    def _start_iteration(self) -> None:
        self._path, self._prefix = [], []
        self._search.has_target = 0
        self._search.limit = self._totals.beyond
        self._window[1].fill(False)
        self._before = int(self._search.expanded)
        super()._start_iteration()

    def _react(self, how: int) -> None:
        if how == FOUND:
            self._best_way = self._way_to_goal = self._way()
            self._best_goal = None
        elif how == AT_TARGET:
            self._complete()
        elif self._path:
            self._after_window()
        else:
            self._prove()
            self._effort = EFFORT * (int(self._search.expanded) - self._before)
            self._begin_windows()
            self._next_beam()

    def _complete(self) -> None:
        """At the end of a window: take the way there with the rest of the path, if that is a better solution."""
        search, way = self._search, self._way()
        start = self._span[0]
        node = self._followed(self._path[start], way[start:])
        assert node is not None
        goal = self._followed(node, self._rest)
        if goal is None or goal.g >= self._totals.number(search.best) or not self._domain.is_goal(goal.state):
            search.pruned += 1
            return
        search.peak = max(search.peak, search.open)
        search.best, search.limit = goal.g, node.g
        self._best_way = self._way_to_goal = [*way, *self._rest]
        self._best_goal = goal
        self._note(goal.g)

    def _followed(self, node: Node, actions: Sequence[int]) -> Node | None:
        return followed_from(node, self._domain, self._h, actions)

    def _after_window(self) -> None:
        if self._best_goal is not self._path[-1]:
            self._begin_windows()
        elif self._search.lowest_outside == self._totals.beyond:
            self._windows.settle(self._span)
        self._next_beam()

    def _begin_windows(self) -> None:
        """Begin with windows of the best path, if there is one."""
        if self._best_way is not None:
            self._best_goal = self._best_goal or follow(self._domain, self._h, self._best_way)
            self._path = self._windows.begin(self._best_goal)
            self._reserves = bool(reserved(self._path, 0))
            self._until = int(self._search.expanded) + self._effort

    def _next_beam(self) -> None:
        """Begin with the next window; or with the next iteration, if windows have taken enough without an improvement."""
        search = self._search
        is_time_left = self._path and search.proved < search.best and search.expanded < self._until
        window = self._windows.draw() if is_time_left else None
        if window is None:
            self._end_or_start_iteration()
        else:
            self._span = window
            self._search_window(*window)

    def _search_window(self, start: int, end: int) -> None:
        search, path, (target, left_out) = self._search, self._path, self._window
        assert self._best_way is not None
        self._prefix, self._rest = self._best_way[:start], self._best_way[end:]
        search.has_target = end < len(path) - 1
        search.limit = self._totals.beyond
        if search.has_target:
            search.limit = path[end].g
            for row, word in zip(target, words_of_state(self._domain, path[end].state), strict=True):
                row[0] = word
        left_out.fill(False)
        if self._reserves:
            left_out[self._rest] = True
        self._start_beam(path[start])

    def _way(self) -> list[int]:
        return [*self._prefix, *super()._way()]

    def saved(self) -> SavedState:
        """Refuse: raises InputError."""
        raise InputError(
            "a search by large-neighbourhood-beam cannot be saved; run it to the end, or use anytime-beam with the solution "
            "as incumbent"
        )


def _names(domain: Domain) -> list[Any]:
    """The names of the actions. Raises NotCompilableError if they do not tell actions apart."""
    if has_fixed_names(domain):
        names = [domain.action_name(None, action) for action in range(domain.max_actions)]
        if not any(name in names[:place] for place, name in enumerate(names)):
            return names
    raise NotCompilableError(
        f"an action of {domain.name()} has different names in different states, or two actions have the same name; "
        "large-neighbourhood-beam identifies actions by name"
    )

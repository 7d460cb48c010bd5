"""solve_agents(): cheapest paths for many agents, by one of three methods that prove the same costs."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from math import inf
from time import perf_counter
from typing import Any

from bestfirst.arguments import check_kind
from bestfirst.errors import InputError, shown
from bestfirst.models.agent_paths import AgentPaths, conflicts_of
from bestfirst.models.conflict_based import ConstraintTree
from bestfirst.models.multi_agent import MultiAgent
from bestfirst.solution import Limits, Solution, Status
from bestfirst.solve import solve
from bestfirst.system.interrupt import presses

CONFLICT_BASED, INDEPENDENT, JOINT = METHODS = "conflict-based", "independent", "joint"
_LEAST = 0.01
"""A search for fewer seconds is not begun."""


def solve_agents(problem: MultiAgent, method: str = CONFLICT_BASED, *, limits: Limits | None = None) -> AgentPaths:
    """Cheapest paths for all agents, without collisions.

    method: "conflict-based" searches for constraints on agents that collide (Sharon et al. 2015); it is fast if few paths cross,
    and does not end on a map without a solution. "joint" is A* for all agents together, one move at a time (Standley 2010); it is
    for few agents. "independent" uses "joint" for small groups, which grow when their paths collide (Standley 2010).
    limits: as for solve(); seconds are for all searches together, memory and expansions for each.

    The result has status optimal or unsolvable; if a limit or Ctrl-C ended the search, it has a lower bound on the cost, and no
    paths. Raises InputError for an unknown method.
    """
    check_kind("problem", problem, MultiAgent, "a MultiAgent")
    if method not in METHODS:
        raise InputError(f"method is {shown(method)}; write {', '.join(map(repr, METHODS[:-1]))} or {METHODS[-1]!r}")
    limits = limits or Limits()
    if method == JOINT:
        return problem.paths(solve(problem, limits=limits))
    reason = problem.unsolvable()
    if reason is not None:
        return AgentPaths.of(problem, None, Status.UNSOLVABLE, inf, reason=reason)
    return _conflict_based(problem, limits) if method == CONFLICT_BASED else _Groups(problem, limits).paths()


def _conflict_based(problem: MultiAgent, limits: Limits) -> AgentPaths:
    tree = ConstraintTree(problem)
    solution = solve(tree, "astar", limits=limits, engine="python")
    paths = solution.states[-1].paths if solution.found else None
    return AgentPaths.of(problem, paths, solution.status, tree.least + solution.lower_bound, solution.limit, solution.reason)


@dataclass(frozen=True)
class _Group:
    """Some agents, and cheapest paths for them. agents: their numbers. bound: on the cost; without paths, that is all."""

    agents: tuple[int, ...]
    paths: tuple[tuple[int, ...], ...]
    bound: float

    @property
    def cost(self) -> int:
        return sum(len(path) - 1 for path in self.paths)


class _Groups:
    """Independence detection: groups of agents that are solved apart, and become one group if their paths must collide."""

    def __init__(self, problem: MultiAgent, limits: Limits) -> None:
        self.problem = problem
        self.limits = limits
        self.deadline = None if limits.seconds is None else perf_counter() + limits.seconds
        distances = [problem.distances[agent, start] for agent, start in enumerate(problem.starts)]
        self.groups = [_Group((agent,), (), distance) for agent, distance in enumerate(distances)]
        self.tried: set[frozenset[tuple[int, ...]]] = set()
        """Pairs of groups for which paths beside each other were sought."""

    def paths(self) -> AgentPaths:
        """What is found within the limits."""
        before = presses()
        try:
            for group in tuple(self.groups):
                stopped = self._solve(group.agents, [group])
                if stopped is not None:
                    return stopped
            while True:
                pair = self._colliding()
                if pair is None:
                    return AgentPaths.of(self.problem, self._all_paths(), Status.OPTIMAL, self._bound())
                if presses() > before:
                    raise KeyboardInterrupt
                key = frozenset(group.agents for group in pair)
                if key not in self.tried:
                    self.tried.add(key)
                    if self._goes_round(*pair) or self._goes_round(*reversed(pair)):
                        continue
                merged = tuple(sorted(pair[0].agents + pair[1].agents))
                stopped = self._solve(merged, pair)
                if stopped is not None:
                    return stopped
        except KeyboardInterrupt:  # between two searches
            return AgentPaths.of(self.problem, None, Status.INTERRUPTED, self._bound())

    def _solve_part(self, part: MultiAgent, algorithm: str, **options: Any) -> Solution | None:
        """The solution of a group, in the seconds that are left; None if there are none."""
        if self.deadline is None:
            return solve(part, algorithm, limits=self.limits, **options)
        left = self.deadline - perf_counter()
        return solve(part, algorithm, limits=replace(self.limits, seconds=left), **options) if left > _LEAST else None

    def _solve(self, agents: tuple[int, ...], parts: Sequence[_Group]) -> AgentPaths | None:
        """Replace groups by one with cheapest paths for the agents; if it has none, what is known then."""
        part = self.problem.group(agents)
        solution = self._solve_part(part, "astar")
        if solution is None:
            return AgentPaths.of(self.problem, None, Status.LIMIT, self._bound(), "seconds")
        bound = max(solution.lower_bound, sum(group.bound for group in parts))
        paths = tuple(part.cell_paths(solution)) if solution.found else ()
        self.groups = [group for group in self.groups if group not in parts] + [_Group(agents, paths, bound)]
        if solution.found:
            return None
        return AgentPaths.of(self.problem, None, solution.status, self._bound(), solution.limit, solution.reason)

    def _goes_round(self, group: _Group, other: _Group) -> bool:
        """Whether there are other paths for a group, which cost the same and do not meet those of the other group.

        A limit or Ctrl-C only ends the attempt; the next search then ends at once.
        """
        part = self.problem.group(group.agents, other.paths)
        solution = self._solve_part(part, "anytime-weighted-astar", weight=1, upper_bound=group.cost + 1)
        if solution is not None and solution.status == Status.INTERRUPTED:
            raise KeyboardInterrupt
        if solution is None or not solution.found:
            return False
        round_it = replace(group, paths=tuple(part.cell_paths(solution)))
        self.groups = [round_it if one == group else one for one in self.groups]
        return True

    def _colliding(self) -> tuple[_Group, _Group] | None:
        """The groups of the first conflict."""
        owners = [group for group in self.groups for _ in group.agents]
        conflicts = conflicts_of([path for group in self.groups for path in group.paths])
        return (owners[conflicts[0].one], owners[conflicts[0].other]) if conflicts else None

    def _all_paths(self) -> list[tuple[int, ...]]:
        paths = {agent: path for group in self.groups for agent, path in zip(group.agents, group.paths, strict=True)}
        return [paths[agent] for agent in range(self.problem.count)]

    def _bound(self) -> float:
        return sum(group.bound for group in self.groups)

"""solutions(): all solutions of a problem, the cheapest first: all optimal ones, the k best, or those below a cost.

for solution in bf.solutions(puzzle): ...                 # all, as long as there are more
best = list(islice(bf.solutions(puzzle), 3))              # the three cheapest
optimal = list(bf.solutions(puzzle, at_most=cost))        # all that cost this
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from heapq import heapify, heappop, heappush
from itertools import count
from math import inf
from time import perf_counter
from typing import TYPE_CHECKING, Any

from bestfirst.arguments import check_kind, suggesting
from bestfirst.errors import InputError, ProblemError, hashable_states, kind_and_text, shown
from bestfirst.heuristics.heuristic import ZERO, Heuristic
from bestfirst.heuristics.naming import find_heuristic
from bestfirst.objectives.objective import check_sums_costs
from bestfirst.problem import Problem
from bestfirst.replay import tested
from bestfirst.rounding import EXACT_INTS, LARGEST, rounding
from bestfirst.search.node import Node, expand, root_of, total_of
from bestfirst.solution import Limits, Solution, Stats, Status
from bestfirst.stated import checked_problem, checked_unsolvable
from bestfirst.system.interrupt import CtrlC
from bestfirst.system.watch import MemoryGrowth, Watch
from bestfirst.typed import ActionT, StateT

if TYPE_CHECKING:
    from bestfirst.search_plan import HeuristicChoice

BETWEEN_LOOKS = 256
"""The number of nodes between two looks at the limits."""
MOST_ADDITIONS = 10_000
"""A path with more actions than this may be left out if its cost is at_most but for rounding."""


class Solutions(Iterator[Solution[StateT, ActionT]]):
    """The solutions of a problem, one after the other, by cost; see solutions() and nearest_goals().

    limit: what ended the iteration before all were found: a limit, "interrupted", or "at_most"; None if there are no more.
    stats: the states that were expanded, and the paths that were made, so far. algorithm, heuristic, engine: as in Solution.
    """

    algorithm = "best-solutions"
    engine = "python"

    def __init__(
        self, problem: Problem[StateT, ActionT], heuristic: Heuristic, limits: Limits, at_most: float, *, verify: bool
    ) -> None:
        self.limit: str | None = None
        self.stats = Stats()
        self.heuristic = None if heuristic is ZERO else heuristic.name
        self._problem, self._heuristic, self._limits = problem, heuristic, limits
        self._farthest = inf if at_most > LARGEST else at_most + rounding(at_most, MOST_ADDITIONS)
        is_rounded = isinstance(at_most, float) and at_most >= EXACT_INTS  # as the sum of an int and a float may be, too
        self._at_most, self._verify = self._farthest if is_rounded else at_most, verify
        self._broken: str | None = None
        self._growth = MemoryGrowth()
        if limits.memory is not None:
            self._growth.begin()
        self._paths: Iterator[Node] = (goal for goal in self._in_order() if not self._is_too_far(goal.g))

    def __next__(self) -> Solution[StateT, ActionT]:
        if self._broken is not None:
            raise InputError(f"this iterator ended with an error ({self._broken}); create a new one")
        started = perf_counter()
        left = None if self._limits.seconds is None else self._limits.seconds - self.stats.seconds
        self._deadline = None if left is None else started + left
        spent = self.stats.seconds
        try:
            with CtrlC() as self._ctrl_c, hashable_states():
                self._watch = Watch(left, self._limits.memory, lambda: self._growth.bytes() or 0, self._ctrl_c)
                goal = next(self._paths)
            return self._solution(goal)
        except StopIteration:
            raise
        except KeyboardInterrupt:  # a second Ctrl-C
            self.limit, self._paths = "interrupted", iter(())
            raise
        except BaseException as error:
            self._broken = kind_and_text(error)
            raise
        finally:
            self.stats.seconds = spent + perf_counter() - started

    def _in_order(self) -> Iterator[Node]:
        """The goal nodes of all paths that enter no state twice, by cost."""
        if checked_unsolvable(self._problem) is not None:
            return
        space = _Space(self._problem, self._heuristic.checked())
        paths = _Paths(space)
        while True:
            cost = paths.lowest()
            if self._is_too_far(cost) and (cost <= space.limit or space.limit >= self._at_most):
                self.limit = "at_most" if cost < inf or not space.is_complete else None
                return
            if cost > space.limit or cost == inf:
                if space.is_complete:
                    return
                if not self._explore(space):
                    return
                paths.order_again()
                continue
            if self._must_stop():
                return
            node = paths.next()
            self.stats.generated += 1
            if node is not None:
                yield node

    def _explore(self, space: _Space) -> bool:
        """Expand a quarter more states, and until a goal is known; whether no limit ended that."""
        enough = self.stats.expanded * 5 // 4 + 1
        while (lowest := space.lowest()) < inf and not self._is_too_far(lowest):
            if lowest > space.limit:
                if space.has_goal and self.stats.expanded >= enough:
                    break
                space.limit = lowest
            if self._must_stop():
                return False
            space.expand_next()
            self.stats.expanded += 1
        else:
            space.limit = inf if space.is_complete else self._farthest
        space.measure()
        return True

    def _is_too_far(self, cost: float) -> bool:
        """Whether a cost, or an f, exceeds at_most: ints exactly, floats by more than rounding explains."""
        return cost > (self._at_most if isinstance(cost, int) else self._farthest)

    def _must_stop(self) -> bool:
        """Whether a limit or Ctrl-C ends the iteration; then limit says which."""
        if self._limits.expansions is not None and self.stats.expanded >= self._limits.expansions:
            self.limit = "expansions"
        elif self._ctrl_c.pressed:
            self.limit = "interrupted"
        elif (self.stats.expanded + self.stats.generated) % BETWEEN_LOOKS == 0:
            self.limit = self._watch.reached()
        return self.limit is not None

    def _solution(self, goal: Node) -> Solution[StateT, ActionT]:
        path = goal.path()
        solution: Solution[StateT, ActionT] = Solution(
            problem=self._problem,
            algorithm=self.algorithm,
            heuristic=self.heuristic,
            engine=self.engine,
            status=Status.SOLVED,
            cost=goal.g,
            lower_bound=0,
            actions=[node.action for node in path[1:]],
            states=[node.state for node in path],
            stats=self.stats.copy(),
        )
        if self._verify:
            solution.verify()
        return solution


class _Known:
    """The first state that was met with a key. edges: (action, state, cost) of each successor, once it is expanded; d: the
    cost from it to a goal."""

    __slots__ = ("d", "edges", "g", "h", "is_goal", "state")

    def __init__(self, state: Any, g: float, h: float) -> None:
        self.state, self.g, self.h, self.d = state, g, h, inf
        self.edges: list[tuple[Any, Any, float]] | None = None
        self.is_goal = False


class _Space:
    """The part of the state space that was explored by A*: all states on paths that cost at most `limit`.

    known: the states, by key.
    """

    def __init__(self, problem: Problem, h: Callable[[Any], float]) -> None:
        self.limit = -inf
        self.has_goal = False
        self._problem, self._h, self.key = problem, h, problem.key
        root = root_of(problem, h)
        self.start = root.state
        self.known = {self.key(root.state): _Known(root.state, root.g, root.h)}
        self._serials = count()
        self._agenda: list[tuple[float, int, Any, float]] = []
        self._put(self.key(root.state), root.g)

    def _put(self, key: Any, g: float) -> None:
        known = self.known[key]
        if known.h < inf:
            heappush(self._agenda, (total_of(g, known.h), next(self._serials), key, g))

    def lowest(self) -> float:
        """The lowest f of an open state; infinite without one."""
        while self._agenda and self._agenda[0][3] > self.known[self._agenda[0][2]].g:
            heappop(self._agenda)
        return self._agenda[0][0] if self._agenda else inf

    @property
    def is_complete(self) -> bool:
        """Whether all states that can lead to a goal are explored."""
        return self.lowest() == inf

    def expand_next(self) -> None:
        """Expand the open state with the lowest f; if it was expanded before, at a higher cost, tell its successors."""
        _f, _serial, key, g = heappop(self._agenda)
        known = self.known[key]
        if known.edges is None:
            known.is_goal = tested(self._problem, known.state)
            self.has_goal |= known.is_goal
            known.edges = [] if known.is_goal else self._edges_from(known.state)
        for _action, child, cost in known.edges:
            name = self.key(child)
            met = self.known.get(name)
            if met is None:
                met = self.known[name] = _Known(child, inf, self._h(child))
            if g + cost < met.g:
                met.g = g + cost
                self._put(name, met.g)

    def _edges_from(self, state: Any) -> list[tuple[Any, Any, float]]:
        children = expand(self._problem, Node(state, None, None, 0, 0))
        return [(child.action, child.state, child.g) for child in children]

    def edges(self, state: Any) -> list[tuple[Any, Any, float]]:
        """(action, state, cost) of each successor of an expanded state; another state with its key may have been met first."""
        known = self.known[self.key(state)]
        assert known.edges is not None
        if known.state == state:
            return known.edges
        edges = self._edges_from(state)
        if not {self.key(child) for _action, child, _cost in edges} <= self.known.keys():
            raise ProblemError(
                f"key() is the same for {known.state!r} and {state!r}, but the keys of their successors differ; return different "
                "keys for states that behave differently"
            )
        return edges

    def measure(self) -> None:
        """Work out the distance of each state to a goal, within what is explored."""
        into: dict[Any, list[tuple[Any, float]]] = {}
        agenda: list[tuple[float, int, Any]] = []
        for key, known in self.known.items():
            known.d = 0 if known.is_goal else inf
            if known.is_goal:
                agenda.append((0, next(self._serials), key))
            for _action, child, cost in known.edges or ():
                into.setdefault(self.key(child), []).append((key, cost))
        while agenda:
            d, _serial, key = heappop(agenda)
            if d > self.known[key].d:
                continue
            for before, cost in into.get(key, ()):
                known = self.known[before]
                if d + cost < known.d:
                    known.d = d + cost
                    heappush(agenda, (known.d, next(self._serials), before))


class _Paths:
    """Partial paths, by the cost of the cheapest way to complete each."""

    def __init__(self, space: _Space) -> None:
        self._space = space
        self._serials = count()
        self._heap: list[tuple[float, int, Node]] = []
        self._hopeless = [Node(space.start, None, None, 0, 0)]  # as long as no more is explored

    def lowest(self) -> float:
        """The cost of the cheapest completion; infinite if none is known."""
        return self._heap[0][0] if self._heap else inf

    def order_again(self) -> None:
        """Take new distances into account."""
        nodes = [node for _cost, _serial, node in self._heap] + self._hopeless
        self._heap, self._hopeless = [], []
        for node in nodes:
            self._put(node)
        heapify(self._heap)

    def _put(self, node: Node) -> None:
        d = self._space.known[self._space.key(node.state)].d
        if d < inf:
            heappush(self._heap, (node.g + d, next(self._serials), node))
        elif not self._space.is_complete:
            self._hopeless.append(node)

    def next(self) -> Node | None:
        """Take the first path off; if it ends at a goal, return its end, else put all that are one step longer back."""
        _cost, _serial, node = heappop(self._heap)
        key = self._space.key
        if self._space.known[key(node.state)].is_goal:
            return node
        met = {key(node.state), *(key(before.state) for before in node.ancestors())}
        for action, state, cost in self._space.edges(node.state):
            if key(state) not in met:
                self._put(Node(state, node, action, node.g + cost, node.depth + 1))
        return None


@suggesting
def solutions(
    problem: Problem[StateT, ActionT],
    heuristic: HeuristicChoice | None = None,
    *,
    at_most: float = inf,
    limits: Limits | None = None,
    verify: bool = True,
) -> Solutions[StateT, ActionT]:
    """All solutions of a problem, the cheapest first: an iterator.

    A solution enters no state twice, and ends at the first goal that it meets. States with the same key() are one state. Two
    that visit the same states by different actions are two solutions.

    heuristic: as in solve(); it must never overestimate. Default: the problem's default heuristic, or none.
    at_most: solutions that cost more are left out; floats are compared up to their rounding.
    limits: seconds, expansions and memory, for all solutions together.
    The iterator's `limit` says what ended it before all solutions were found; None if there are no more.
    Time and memory: those of A* for states up to the cost of the last solution, and one node for each partial path that
    leads to a solution, with its siblings. The reference engine does the work.
    Raises InputError for a heuristic that is known to overestimate, and for a limit on depth.
    """
    return Solutions(*checked_arguments("solutions", problem, heuristic, at_most, limits), verify=verify)


def checked_arguments(
    function: str,
    problem: Problem[StateT, ActionT],
    heuristic: HeuristicChoice | None,
    at_most: float,
    limits: Limits | None,
) -> tuple[Problem[StateT, ActionT], Heuristic, Limits, float]:
    """The arguments of Solutions; raises InputError for invalid ones."""
    problem = checked_problem(problem)
    check_sums_costs(problem, f"{function}() adds up")
    wanted = heuristic if heuristic is not None else problem.default_heuristic
    found = ZERO if wanted is None else find_heuristic(problem, wanted)
    if found.admissible is False:
        raise InputError(
            f"heuristic {found.name!r} can overestimate, so the order of the solutions could be wrong; use an admissible heuristic"
        )
    if isinstance(at_most, bool) or not isinstance(at_most, int | float) or not at_most >= 0:
        raise InputError(f"at_most is {shown(at_most)}; use a number >= 0")
    check_kind("limits", limits, Limits | None, "Limits(seconds=..., expansions=..., memory=...)")
    limits = limits or Limits()
    if limits.depth is not None:
        raise InputError(f"{function}() does not support a limit on depth; limit the cost instead, with at_most=...")
    return problem, found, limits, at_most

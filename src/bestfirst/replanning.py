"""Replanner: a cheapest path that is kept up to date while costs change and a robot moves, reusing the previous search.

Each state has two values: g, the distance that its neighbours were told, and rhs, the distance that follows from what they
told it. Where the two differ, the state waits on the open list, in the order of A*. A change of some edges makes the states at
their ends differ; the search then goes on from these alone, and only as far as the path can depend on it.

D* Lite searches from the goal to the robot, so that distances stay valid when the robot moves. It needs the problem's
backward(). Without one, LPA*, the same search from the start to the nearest goal, takes its place; then the start cannot move.

A value is a pair, the cost and the number of edges. So every edge increases it, even one that costs nothing, and no two states
can owe their values to each other.

Source: Koenig, Likhachev & Furcy 2004, Lifelong Planning A*; Koenig & Likhachev 2002, D* Lite.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator
from copy import copy
from heapq import heapify, heappop, heappush
from itertools import count, pairwise
from math import inf
from time import perf_counter
from typing import TYPE_CHECKING, Any, Generic, TypeAlias

from bestfirst.arguments import check_kind, suggesting
from bestfirst.domain import Domain
from bestfirst.errors import InputError, VerificationError, hashable_states, shown
from bestfirst.heuristics.heuristic import ZERO, Heuristic
from bestfirst.heuristics.naming import find_heuristic
from bestfirst.lost_claims import why_not
from bestfirst.objectives.objective import check_sums_costs
from bestfirst.problem import Problem
from bestfirst.replay import is_same, tested
from bestfirst.rounding import rounding
from bestfirst.search.node import Node, expand
from bestfirst.solution import Limits, Solution, Stats, Status
from bestfirst.stated import check_robot, checked_backward, checked_goal_states, checked_problem, checked_unsolvable
from bestfirst.system.interrupt import CtrlC
from bestfirst.system.watch import MemoryGrowth, Watch
from bestfirst.typed import ActionT, StateT
from bestfirst.verdict import unconfirmed_proof
from bestfirst.vocabulary import is_root, is_shipped

if TYPE_CHECKING:
    from bestfirst.search_plan import HeuristicChoice

BETWEEN_LOOKS = 256
"""The number of expansions between two looks at the limits."""
_UNREACHED = (inf, 0)
_AT_ONCE = (0, 0)
_ANY_GOAL = object()
"""In LPA*, a state to which an edge that costs nothing leads from each goal."""


class _Place:
    """A state in the search from the root.

    into: the known edges that lead to it: by the place where each begins, its cost and action. onward: the places to which edges
    lead from it; None before it is expanded. via: the place before it on the path whose value is rhs. key: that with which it
    waits on the open list; None if it does not wait.
    """

    __slots__ = ("g", "into", "key", "onward", "rhs", "state", "via")

    def __init__(self, state: Any) -> None:
        self.state = state
        self.g = self.rhs = _UNREACHED
        self.into: dict[_Place, tuple[float, Any]] = {}
        self.onward: list[_Place] | None = None
        self.via: _Place | None = None
        self.key: tuple[float, int, float] | None = None


_Edges: TypeAlias = dict[_Place, tuple[float, Any]]
"""The edges from a place: by the place to which each leads, its cost and action."""


class _Distances:
    """Distances from a root, as far as they are needed to reach a target, kept up to date: LPA*.

    edges: the (action, place, cost) of each edge from a state. h: estimates the cost from a state to the target.
    """

    def __init__(self, edges: Callable[[Any], Iterator[tuple[Any, Any, float]]], h: Callable[[Any], float]) -> None:
        self.edges, self.h = edges, h
        self.raised: float = 0
        self.expanded = self.generated = 0
        self._places: dict[Hashable, _Place] = {}
        self._open: list[tuple[tuple[float, int, float], int, _Place]] = []
        self._serials = count()
        self._root: _Place | None = None

    def at(self, state: Any, key: Hashable) -> _Place:
        """The place of a state."""
        place = self._places.get(key)
        if place is None:
            place = self._places[key] = _Place(state)
        return place

    def begin_at(self, root: _Place) -> None:
        """Set the root; called once."""
        self._root = root
        root.rhs = _AT_ONCE
        self._settle(root)

    def order_again(self, h: Callable[[Any], float]) -> None:
        """Take another heuristic, whatever it estimates; if it raises an error, the one before stays.

        Time: that of the open list.
        """
        waiting = [place for key, _serial, place in self._open if place.key is key]
        keys = [_key(place, h, 0) for place in waiting]  # first, since h may raise an error
        self.h, self.raised = h, 0
        self._open = [(key, next(self._serials), place) for key, place in zip(keys, waiting, strict=True)]
        for key, _serial, place in self._open:
            place.key = key
        heapify(self._open)

    def follow(self, h: Callable[[Any], float], moved: float) -> None:
        """Take the same heuristic for a target that has moved. moved: what the one before estimated from its place before to this.

        All keys stay on the open list, as lower bounds, since each estimate has fallen by at most `moved`. If that is infinite,
        it bounds nothing: states that could not be reached before may be near now.
        """
        if moved == inf:
            self.order_again(h)
        else:
            self.h = h
            self.raised += moved

    def lowest(self) -> float:
        """A lower bound on f of all paths that are not known yet, infinite if none is left."""
        place = self._first()
        return inf if place is None or place.key is None else max(0, place.key[0] - self.raised)

    def reach(self, target: _Place, must_stop: Callable[[], bool]) -> bool:
        """Expand places until the path to the target is a cheapest one; whether that was not stopped before."""
        while True:
            place = self._first()
            is_done = place is None or place.key[0] == inf or not (place.key < self._key(target) or target.rhs > target.g)  # type: ignore[index,operator]
            if is_done:
                place = next((one for one in self.path(target) if one.g != one.rhs), None)
                if place is None:  # otherwise sums of floats were rounded, and two places are in the wrong order
                    return True
            assert place is not None
            if must_stop():
                return False
            now = self._key(place)
            if not is_done and place.key is not None and place.key < now:  # the target has moved since
                self._wait(place, now)
            else:
                self._expand(place)

    def path(self, target: _Place) -> Iterator[_Place]:
        """The places after the target on the path back to the root, up to one whose two values differ."""
        place = target.via
        while place is not None:
            yield place
            place = place.via if place.g == place.rhs else None

    def present_edges(self, keys: Iterable[Hashable]) -> dict[_Place, _Edges]:
        """The edges that lead now from the expanded ones among some places."""
        places = [self._places[key] for key in dict.fromkeys(keys) if key in self._places]
        return {place: self._edges_from(place) for place in places if place.onward is not None}

    def replace(self, edges: dict[_Place, _Edges]) -> None:
        """Take these edges from places in exchange for those that were known; order_again() must follow."""
        self.h = _no_estimate  # an estimate of either version might raise an error, and all keys are replaced anyway
        ends: dict[_Place, None] = {}
        for place, now in edges.items():
            before = place.onward or ()
            for one in before:
                del one.into[place]
            self._note(place, now)
            ends |= dict.fromkeys([*before, *now])
        for one in ends:
            self._ask(one)

    def _expand(self, place: _Place) -> None:
        """Tell the neighbours of a place its distance: the new one if it has fallen; if it has risen, that it is unknown."""
        self.expanded += 1
        if place.onward is None:
            self._note(place, self._edges_from(place))
        onward = place.onward or ()
        if place.g > place.rhs:
            cost, length = place.g = place.rhs
            place.key = None
            for one in onward:
                value = cost + one.into[place][0], length + 1
                if value < one.rhs:
                    one.rhs, one.via = value, place
                    self._settle(one)
        else:
            place.g = _UNREACHED
            self._settle(place)
            for one in onward:
                if one.via is place:
                    self._ask(one)

    def _edges_from(self, place: _Place) -> _Edges:
        """The cost and the action of the edge to each place to which one leads; of several, the cheapest counts."""
        found: _Edges = {}
        for action, one, cost in self.edges(place.state):
            self.generated += 1
            if one not in found or cost < found[one][0]:
                found[one] = cost, action
        return found

    def _note(self, place: _Place, edges: _Edges) -> None:
        """Remember the edges that lead from a place."""
        for one, edge in edges.items():
            one.into[place] = edge
        place.onward = list(edges)

    def _ask(self, place: _Place) -> None:
        """Work out rhs of a place from what is known of all edges that lead to it."""
        if place is not self._root:
            place.rhs, place.via = _UNREACHED, None
            for one, (further, _action) in place.into.items():
                cost, length = one.g
                if (cost + further, length + 1) < place.rhs:
                    place.rhs, place.via = (cost + further, length + 1), one
        self._settle(place)

    def _settle(self, place: _Place) -> None:
        """Put a place on the open list, or take it off, after a change of its values."""
        if place.g == place.rhs:
            place.key = None
        else:
            self._wait(place, self._key(place))

    def _wait(self, place: _Place, key: tuple[float, int, float]) -> None:
        place.key = key
        heappush(self._open, (key, next(self._serials), place))

    def _key(self, place: _Place) -> tuple[float, int, float]:
        return _key(place, self.h, self.raised)

    def _first(self) -> _Place | None:
        """The first place of the open list; None if it is empty."""
        while self._open:
            key, _serial, place = self._open[0]
            if place.key is key:
                return place
            heappop(self._open)
        return None


def _no_estimate(state: Any) -> float:
    del state
    return 0


def _key(place: _Place, h: Callable[[Any], float], raised: float) -> tuple[float, int, float]:
    cost, length = min(place.g, place.rhs)
    return (cost + h(place.state) + raised, length, cost)


class Replanner(Generic[StateT, ActionT]):
    """A cheapest path to a goal, kept up to date while costs change and while the robot that follows it moves.

        robot = bf.Replanner(grid)
        path = robot.solution()
        robot.move(path.states[1])
        robot.change(robot.problem.with_cells(blocked=[(3, 2)]))
        path = robot.solution()                                    # only what the change affects is searched again

    problem: the current version of the problem, which starts where the robot is. algorithm: "d-star-lite"; "lpa-star" for a
    problem without backward(), whose start cannot move. heuristic: the name of the heuristic in use.
    """

    problem: Any  # so that type checkers accept robot.problem.with_cells(...)
    _reverse: Problem[Any, Any] | None
    _distances: _Distances

    @suggesting
    def __init__(self, problem: Problem[StateT, ActionT], heuristic: HeuristicChoice | None = None) -> None:
        """heuristic: as in solve(), and it must be consistent. With D* Lite it is the name of a heuristic of backward(), which
        estimates the cost from the robot; its estimate from a to c must not exceed the sum of those from a to b and from b to
        c. Default: the problem's default heuristic, or none.

        Raises InputError for a heuristic that is known not to be consistent.
        """
        self._wanted = heuristic
        self._set_problem(_checked(problem))
        self.algorithm = "lpa-star" if self._reverse is None else "d-star-lite"
        self._begin(self._choose(strict=True))

    @suggesting
    def solution(self, *, limits: Limits | None = None, verify: bool = True) -> Solution[StateT, ActionT]:
        """The cheapest path of the current problem from the state of the robot. Its counts are those of this call alone.

        limits: seconds, expansions and memory of this call. If one is reached, the solution has the status limit, and a path
        if one is known; the next call continues the search.
        verify: whether to replay the solution through the problem's own successors and goal test.
        Raises InputError for a limit on depth, and what the problem or its heuristic raises; the next call then
        starts a new search.
        """
        limits = limits or Limits()
        check_kind("limits", limits, Limits, "Limits(seconds=..., expansions=..., memory=...)")
        if limits.depth is not None:
            raise InputError("a Replanner does not support a limit on depth; omit it")
        started, stats = perf_counter(), Stats()
        reason = checked_unsolvable(self.problem)
        with hashable_states(), CtrlC() as ctrl_c:
            limit = None if reason is not None else self._search(limits, ctrl_c, stats)
            found = self._solution(None if reason is not None else self._steps(), limit, stats)
        found.reason = reason
        stats.seconds = perf_counter() - started
        if verify:
            found.verify()
        return found

    def move(self, state: StateT) -> None:
        """Move the robot to another state: usually the next one of its path, but any state is possible.

        Raises InputError for an unknown state, if the initial state of the problem cannot be set, and if the problem has no
        backward() (maps with several goals have none); StateError for a value that cannot be a state. Then the robot stays where
        it was.
        """
        if self._reverse is None:
            kind, goals = type(self.problem).__name__, _goals(self.problem)
            if goals and len(goals) > 1 and _has_shipped_backward(self.problem):
                why, instead = f"has {len(goals)} goals, and therefore no backward()", "use a single goal"
            else:
                why, instead = "has no backward()", "define backward()"
            raise InputError(
                f"{kind} {why}, so the start of its paths cannot move; {instead}, or create a new Replanner for each start"
            )
        check_robot(self.problem, state)
        problem = _starting_at(self.problem, state)
        _check_known(problem)
        target = self._at(state)
        try:
            self._set_problem(problem)
        except InputError as error:  # backward() ends at the robot, and says so in its own words
            raise _unknown(state) from error
        self._target = target

    def change(self, problem: Problem[StateT, ActionT], states: Iterable[StateT] | None = None) -> None:
        """Replace the problem with one that has other successors, costs or goals. The robot stays; the given start is ignored.

        states: those whose successors, costs or is_goal differ. Default: what problem.changed_states() says; GridMap, RoadMap
        and RoadNetwork define it. If other states have changed too, paths may be wrong.
        Raises InputError if these states are unknown, or if the goal has changed; and what the new successors() raises. In these
        cases, nothing is changed.
        """
        problem = _checked(problem)
        before, now = self.problem, _starting_at(problem, self.problem.initial)
        changed = problem.changed_states(before) if states is None else states
        which = "states" if states is not None else f"what {type(problem).__name__}.changed_states() returns"
        check_kind(which, changed, Iterable | None, "a list of states")
        if changed is None:
            why = why_not(problem, "changed_states") or _why_unknown(problem, before)
            raise InputError(f"it is not known which states have changed; pass them as states=[...] ({why})")
        if _goals(before) != _goals(now):
            raise InputError("the goal has changed; create a new Replanner")
        if (checked_backward(now) is None) != (self._reverse is None):
            raise InputError("only one version of the problem has backward(); define it for both, or create a new Replanner")
        ends: list[Any] = []
        with hashable_states():
            for state in changed:
                after = [child.state for one in (before, now) for child in expand(one, Node(state, None, None, 0, 0))]
                ends += [state] if self._reverse is None else after
            version = self.problem, self._reverse
            self._set_problem(now)
            try:
                edges = self._distances.present_edges(map(now.key, ends))
            except BaseException:
                self.problem, self._reverse = version
                raise
        self._has_changed = True
        self._distances.replace(edges)

    def _begin(self, found: Heuristic) -> None:
        """Begin a new search, in which nothing is known."""
        self._found, self._searched_from, self._has_changed = found, self.problem.initial, False
        self._distances = _Distances(self._edges, self._estimate(found))
        if self._reverse is None:
            self._target = self._distances.at(_ANY_GOAL, _ANY_GOAL)
            self._distances.begin_at(self._at(self.problem.initial))
        else:
            self._target = self._at(self.problem.initial)
            self._distances.begin_at(self._at(self._reverse.initial))
        self._is_torn = False

    def _aim(self) -> None:
        """Search for the robot where it is now, and with a heuristic that holds for the present costs."""
        found, start = self._choose(), self.problem.initial
        if self._has_changed or found.name != self._found.name:  # one of the same name may estimate by the costs, too
            self._distances.order_again(self._estimate(found))
        elif self._reverse is not None and start != self._searched_from:
            self._distances.follow(self._estimate(found), self._distances.h(start))
        else:
            return
        self._found, self._searched_from, self._has_changed = found, start, False

    def _search(self, limits: Limits, ctrl_c: CtrlC, stats: Stats) -> str | None:
        """Search until the path is a cheapest one; what stopped that before, or None."""
        if self._is_torn:
            self._begin(self._choose())
        else:
            self._aim()
        distances, growth = self._distances, MemoryGrowth()
        if limits.memory is not None:
            growth.begin()
        watch = Watch(limits.seconds, limits.memory, lambda: growth.bytes() or 0, ctrl_c)
        expanded, generated = distances.expanded, distances.generated
        limit: str | None = None

        def must_stop() -> bool:
            nonlocal limit
            done = distances.expanded - expanded
            if limits.expansions is not None and done >= limits.expansions:
                limit = "expansions"
            elif ctrl_c.pressed:
                limit = "interrupted"
            elif done % BETWEEN_LOOKS == 0:
                limit = watch.reached()
            return limit is not None

        self._is_torn = True  # an error in the midst of an expansion leaves values of which some neighbours were not told
        try:
            distances.reach(self._target, must_stop)
            self._is_torn = False
        finally:
            stats.expanded, stats.generated = distances.expanded - expanded, distances.generated - generated
        return limit

    def _steps(self) -> list[tuple[Any, float, _Place]] | None:
        """The actions of the path from the start, each with its cost and the place to which it leads; None if none is known."""
        places = [self._target, *self._distances.path(self._target)]
        if self._target.rhs == _UNREACHED or any(one.g != one.rhs for one in places[1:]):
            return None
        steps = [(one, via, *one.into[via]) for one, via in pairwise(places)]
        if self._reverse is not None:
            return [(action, cost, via) for _, via, cost, action in steps]
        return [(action, cost, one) for one, _, cost, action in reversed(steps[1:])]

    def _solution(
        self, steps: list[tuple[Any, float, _Place]] | None, limit: str | None, stats: Stats
    ) -> Solution[StateT, ActionT]:
        """The solution with these steps; limit: what stopped the search."""
        states: list[Any] = [self.problem.initial]
        for action, _, place in steps or ():
            states.append(self._reached(states[-1], action, place))
        cost = None if steps is None else sum(cost for _, cost, _ in steps)
        if limit is not None:
            status = Status.INTERRUPTED if limit == "interrupted" else Status.LIMIT
        else:
            status = Status.UNSOLVABLE if steps is None else Status.OPTIMAL
        condition = None
        if self._found.consistent is None and status is not Status.LIMIT and status is not Status.INTERRUPTED:
            condition = f"heuristic {self._found.name!r} is consistent"
        return Solution(
            problem=self.problem,
            algorithm=self.algorithm,
            heuristic=self.heuristic,
            engine="python",
            status=status,
            cost=cost,
            lower_bound=self._lower_bound() if limit is not None else inf if cost is None else cost,
            actions=[action for action, _, _ in steps or ()],
            states=states if steps is not None else [],
            stats=stats,
            limit=None if limit == "interrupted" else limit,
            condition=condition,
            warnings=[unconfirmed_proof(condition)] if condition else [],
        )

    def _reached(self, state: Any, action: Any, place: _Place) -> Any:
        """The state to which a step of the path leads: that of the place, or one that differs only in what key() leaves out."""
        key = self.problem.key(place.state)
        if key is place.state:
            return key
        for child in expand(self.problem, Node(state, None, None, 0, 0)):
            if is_same(child.action, action) and self.problem.key(child.state) == key:
                return child.state
        raise VerificationError(
            f"action {action!r} does not lead from {state!r} to {shown(place.state)}: successors() and backward() differ, or "
            "some of the states that changed were not passed to change()"
        )

    def _lower_bound(self) -> float:
        """What is proved of the cheapest path when the search is stopped."""
        lowest = self._distances.lowest()
        return lowest if isinstance(lowest, int) else max(0, lowest - rounding(lowest, self._distances.expanded))

    def _set_problem(self, problem: Problem[StateT, ActionT]) -> None:
        self._reverse = checked_backward(problem)  # first, since it may raise an error
        self.problem = problem

    @property
    def heuristic(self) -> str | None:
        """The name of the heuristic in use; None if there is none."""
        return None if self._found is ZERO else self._found.name

    def _choose(self, *, strict: bool = False) -> Heuristic:
        """The heuristic for the current problem: none if it is not consistent, or, if it was asked for, an error if `strict`."""
        searched: Problem[Any, Any] = self.problem if self._reverse is None else self._reverse
        wanted = self._wanted if self._wanted is not None else searched.default_heuristic
        if wanted is None:
            return ZERO
        if self._reverse is not None and not isinstance(wanted, str):
            raise InputError(
                f"heuristic is {wanted!r}; pass the name of a heuristic of backward(), because D* Lite searches from the goal"
            )
        found = find_heuristic(searched, wanted)
        if found.consistent is not False and found.admissible is not False:
            return found
        if strict and self._wanted is not None:
            why = f": {found.note}" if found.note else ""
            raise InputError(f"heuristic {shown(found.name)} is not consistent{why}; use another one, or 'zero'")
        return ZERO

    def _edges(self, state: Any) -> Iterator[tuple[Any, Any, float]]:
        """The edges from a state, in the direction of the search: actions, places, costs."""
        if self._reverse is None and tested(self.problem, state):
            yield None, self._target, 0
            return
        for child in expand(self.problem if self._reverse is None else self._reverse, Node(state, None, None, 0, 0)):
            yield child.action, self._at(child.state), child.g

    def _at(self, state: Any) -> _Place:
        return self._distances.at(state, self.problem.key(state))

    def _estimate(self, found: Heuristic) -> Callable[[Any], float]:
        h = found.checked()
        return h if self._reverse is not None else lambda state: 0 if state is _ANY_GOAL else h(state)


def _checked(problem: Problem[StateT, ActionT]) -> Problem[StateT, ActionT]:
    problem = checked_problem(problem)
    check_sums_costs(problem, "a Replanner adds up")
    return problem


def _starting_at(problem: Problem[StateT, ActionT], state: StateT) -> Problem[StateT, ActionT]:
    """The same problem with another start."""
    if problem.initial == state:
        return problem
    other = copy(problem)
    try:
        other.initial = state
    except AttributeError as error:
        raise InputError(
            f"{type(problem).__name__}.initial cannot be set to the robot's state ({error}); make it an attribute that can be set"
        ) from None
    return other


def _check_known(problem: Problem[Any, Any]) -> None:
    """Raise InputError unless the start of a problem is one of its states."""
    state = problem.initial
    if isinstance(problem, Domain) and problem.defines("rank"):
        if not 0 <= problem.rank(state) < problem.size:
            raise _unknown(state)
        return
    try:
        for _ in problem.successors(state):
            break
    except (LookupError, TypeError, ValueError, AttributeError) as error:  # of code that was not written for such a state
        raise _unknown(state) from error


def _why_unknown(problem: Problem[Any, Any], before: Problem[Any, Any]) -> str:
    """Why the default of changed_states() is not known."""
    kind = type(problem)
    if kind.changed_states is Problem.changed_states:
        return f"{kind.__name__} does not define changed_states(before)"
    differing = " and ".join(problem._differing(before))
    why = f"differ in {differing}" if differing else "are not versions of the same problem"
    return f"{kind.__name__}.changed_states(before) returns None: the two {why}; create a new Replanner"


def _unknown(state: Any) -> InputError:
    return InputError(f"the robot's state is {state!r}, but the problem has no such state; pass one of its states")


def _has_shipped_backward(problem: Problem[Any, Any]) -> bool:
    """Whether backward() is that of a class of the package, which derives it from a single goal."""
    home = next(kind for kind in type(problem).__mro__ if "backward" in vars(kind))
    return is_shipped(home) and not is_root(home)


def _goals(problem: Problem[Any, Any]) -> list[Any] | None:
    goals = checked_goal_states(problem)
    return None if goals is None else list(goals)

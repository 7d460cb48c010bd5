"""Replanning: after any changes and moves, the path is as cheap as that of a new search, and less is searched."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterator
from contextlib import suppress
from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import bestfirst as bf
from profiles import examples


def same_as_a_new_search(robot: bf.Replanner[Any, Any]) -> bf.Solution[Any, Any]:
    """The solution, after its cost was compared with that of a new uniform-cost search."""
    found = robot.solution()
    fresh = bf.solve(robot.problem, "uniform-cost", engine="python")
    assert found.status == fresh.status
    assert found.cost == (fresh.cost if isinstance(fresh.cost, int | None) else pytest.approx(fresh.cost, rel=1e-12))
    assert found.states[:1] == ([robot.problem.initial] if found else [])
    return found


def toggled(grid: bf.GridMap, points: list[tuple[int, int]]) -> bf.GridMap:
    """The grid with these cells blocked if they were free, and free if they were blocked."""
    free = [point for point in points if not grid.free[point[1], point[0]]]
    return grid.with_cells(blocked=[point for point in points if point not in free], free=free)


@given(seed=st.integers(0, 10**9), neighbours=st.sampled_from([4, 8]), blocked=st.sampled_from([0.1, 0.3]))
@examples(20)
def test_grids(seed: int, neighbours: int, blocked: float) -> None:
    """Cells become blocked and free, and the robot moves along its path or is carried away."""
    random = Random(seed)
    width, height = random.randint(2, 9), random.randint(2, 9)
    rows = ["".join(random.choices("@.", [blocked, 1 - blocked], k=width)) for _ in range(height)]

    def point() -> tuple[int, int]:
        return random.randrange(width), random.randrange(height)

    robot = bf.Replanner(bf.GridMap(rows, point(), point(), neighbours=neighbours))
    assert robot.algorithm == "d-star-lite"
    for _ in range(6):
        path = same_as_a_new_search(robot)
        for state in path.states[1 : random.randint(1, 4)]:
            robot.move(state)
        if random.random() < 0.2:
            robot.move(robot.problem.at(point()))
        if random.random() < 0.8:
            robot.change(toggled(robot.problem, list({point() for _ in range(random.randint(1, 5))})))


@given(seed=st.integers(0, 10**9), neighbours=st.sampled_from([4, 8]), goals=st.integers(1, 3))
@examples(30)
def test_grids_with_weights(seed: int, neighbours: int, goals: int) -> None:
    """Weights rise, and fall below all others, which changes every estimate: D* Lite, and LPA* if there are several goals."""
    random = Random(seed)
    width, height = random.randint(2, 7), random.randint(2, 7)
    rows = ["".join(random.choices("@.S", [0.1, 0.6, 0.3], k=width)) for _ in range(height)]

    def point() -> tuple[int, int]:
        return random.randrange(width), random.randrange(height)

    ends = [point() for _ in range(goals)]
    robot = bf.Replanner(bf.GridMap(rows, point(), ends, neighbours=neighbours, weights={".": 2, "S": 5}))
    for _ in range(6):
        path = same_as_a_new_search(robot)
        if robot.algorithm == "d-star-lite":
            for state in path.states[1 : random.randint(1, 3)]:
                robot.move(state)
        weights = {point(): random.choice([0.01, 0.5, 1, 2, 9]) for _ in range(random.randint(0, 3))}
        robot.change(robot.problem.with_cells(weights=weights))
        if random.random() < 0.5:
            robot.change(toggled(robot.problem, [point()]))


def test_a_weight_below_all_others() -> None:
    """The estimates fall with the lowest weight, although the heuristic keeps its name."""
    robot = bf.Replanner(bf.GridMap(["..", ".."], (1, 0), (0, 1), weights={".": 2}))
    assert robot.solution().cost == pytest.approx(2 * math.sqrt(2))
    robot.change(robot.problem.with_cells(weights={(0, 0): 0.5}))
    assert same_as_a_new_search(robot).cost == 2.5


def test_scales_that_look_alike() -> None:
    """Two scales of the distance that are written with the same digits still give other estimates."""
    points = {"a": (0, 0), "b": (500, 0), "c": (500, 1), "goal": (1000, 0)}
    roads = [("a", "b", 250.018), ("b", "goal", 250.018), ("a", "c", 250.03), ("c", "goal", 250.03)]
    cities = bf.RoadMap(roads, "a", "goal", coordinates=points, directed=True)
    robot = bf.Replanner(cities)
    assert robot.solution().actions == ["b", "goal"]
    name = robot.heuristic
    robot.change(cities.with_roads([("a", "c", 249.985), ("c", "goal", 250.04)], directed=True))
    assert (same_as_a_new_search(robot).actions, robot.heuristic) == (["c", "goal"], name)


def random_roads(
    random: Random, places: list[tuple[int, int]], *, whole: bool, how_many: int
) -> Iterator[tuple[int, int, float]]:
    """Roads between random places: some cost nothing, some are closed, few are shorter than their straight line."""
    for _ in range(how_many):
        origin, target = random.randrange(len(places)), random.randrange(len(places))
        line = math.dist(places[origin], places[target])
        length: float = (
            random.choice([0, math.inf, line, line * 1.7]) if random.random() < 0.5 else line + random.randint(0, 3)
        )
        yield origin, target, length if length == math.inf else math.ceil(length) if whole else length


@given(seed=st.integers(0, 10**9), whole=st.booleans(), arrays=st.booleans(), drawn=st.booleans())
@examples(25)
def test_roads(seed: int, whole: bool, arrays: bool, drawn: bool) -> None:
    """Roads become longer and shorter, are closed and built, and some cost nothing."""
    random = Random(seed)
    places = [(random.randint(0, 9), random.randint(0, 9)) for _ in range(8)]
    roads = [road for road in random_roads(random, places, whole=whole, how_many=18) if road[2] < math.inf]
    cities = dict(enumerate(places))
    problem: Any = bf.RoadMap({city: {} for city in cities}, 0, 7, coordinates=cities if drawn else None, directed=True)
    problem = problem.with_roads(roads, directed=True)
    if arrays:
        problem = problem.domain()
    robot = bf.Replanner(problem)
    for _ in range(6):
        path = same_as_a_new_search(robot)
        for state in path.states[1 : random.randint(1, 3)]:
            robot.move(state)
        changes = random_roads(random, places, whole=whole, how_many=random.randint(0, 3))
        robot.change(robot.problem.with_roads(changes) if arrays else robot.problem.with_roads(changes, directed=True))


class Graph(bf.Problem[int, str]):
    """A graph with given edges and goals, and no backward()."""

    def __init__(self, edges: dict[int, list[tuple[int, int]]], goals: set[int]) -> None:
        self.initial, self.edges, self.goals = 0, edges, goals

    def is_goal(self, state: int) -> bool:
        return state in self.goals

    def successors(self, state: int) -> Iterator[tuple[str, int, int]]:
        return ((f"to {target} for {cost}", target, cost) for target, cost in self.edges[state])


@given(seed=st.integers(0, 10**9))
@examples(25)
def test_any_problem(seed: int) -> None:
    """Without backward(), the start stays where it is, and the nearest of several goals is found: LPA*."""
    random = Random(seed)

    def some_edges() -> list[tuple[int, int]]:
        return [(random.randrange(9), random.choice([0, 1, 1, 2, 5])) for _ in range(random.randint(0, 4))]

    graph = Graph({state: some_edges() for state in range(9)}, {random.randrange(9), random.randrange(9)})
    robot = bf.Replanner(graph)
    assert robot.algorithm == "lpa-star"
    for _ in range(6):
        same_as_a_new_search(robot)
        states = [random.randrange(9) for _ in range(random.randint(1, 3))]
        graph = Graph(graph.edges | {state: some_edges() for state in states}, graph.goals)
        robot.change(graph, states)


Edges = dict[tuple[int, int], int]


class Digraph(bf.Problem[int, str]):
    """A graph with one goal, and with backward()."""

    def __init__(self, edges: Edges, start: int, goal: int) -> None:
        self.initial, self.edges, self.goal = start, edges, goal

    def is_goal(self, state: int) -> bool:
        return state == self.goal

    def successors(self, state: int) -> Iterator[tuple[str, int, int]]:
        return ((f"{a}-{b}", b, cost) for (a, b), cost in self.edges.items() if a == state)

    def backward(self) -> Backward:
        return Backward(self.edges, self.goal, self.initial)


class Backward(Digraph):
    """The same from the goal, with exact estimates: infinite for states that the robot cannot reach."""

    default_heuristic = "exact"

    def successors(self, state: int) -> Iterator[tuple[str, int, int]]:
        return ((f"{a}-{b}", a, cost) for (a, b), cost in self.edges.items() if b == state)

    @bf.heuristic(admissible=True, consistent=True)
    def exact(self, state: int) -> float:
        cost = bf.solve(Digraph(self.edges, self.goal, state), "uniform-cost", engine="python").cost
        return math.inf if cost is None else cost


class Unsteady(Digraph):
    """A graph on which every call of a counted method may fail, as a lookup in a service may.

    fail: is called by successors() and by the heuristic. reversible: whether there is a backward().
    """

    default_heuristic = "nothing"

    def __init__(self, edges: Edges, start: int, goal: int, fail: Callable[[], None], *, reversible: bool = True) -> None:
        super().__init__(edges, start, goal)
        self.fail, self.reversible = fail, reversible

    def successors(self, state: int) -> Iterator[tuple[str, int, int]]:
        for successor in super().successors(state):
            self.fail()
            yield successor

    def backward(self) -> Any:
        return UnsteadyBackward(self.edges, self.goal, self.initial, self.fail) if self.reversible else None

    @bf.heuristic(admissible=True, consistent=True)
    def nothing(self, _state: int) -> float:
        self.fail()
        return 0


class UnsteadyBackward(Unsteady):
    """The same from the goal."""

    def successors(self, state: int) -> Iterator[tuple[str, int, int]]:
        for successor in Backward.successors(self, state):  # type: ignore[arg-type]
            self.fail()
            yield successor


@given(seed=st.integers(0, 10**9), reversible=st.booleans())
@examples(30)
def test_an_error_in_a_search_does_not_make_the_next_answer_wrong(seed: int, reversible: bool) -> None:
    """Whichever call of the problem's methods or of its heuristic it is."""
    random = Random(seed)
    calls = {"left": math.inf}

    def fail() -> None:
        calls["left"] -= 1
        if calls["left"] == 0:
            raise OSError("no answer")

    edges = {(a, b): random.randint(1, 9) for a in range(9) for b in range(9) if a != b and random.random() < 0.4}
    robot = bf.Replanner(Unsteady(edges, 0, 8, fail, reversible=reversible))
    for _ in range(5):
        calls["left"] = random.randint(1, 40)
        with suppress(OSError):
            robot.solution(verify=False)
        calls["left"] = math.inf
        same_as_a_new_search(robot)
        a, b = random.sample(range(9), 2)
        edges = {**edges, (a, b): random.randint(1, 9)}
        robot.change(Unsteady(edges, 0, 8, fail, reversible=reversible), [a])
        if reversible and random.random() < 0.5:
            robot.move(random.randrange(9))


def test_a_move_to_where_nothing_was_reached() -> None:
    """The estimates of all states that wait were infinite, and no longer are."""
    robot = bf.Replanner(Digraph({(0, 9): 2, (2, 9): 3, (3, 2): 1, (1, 3): 1}, 0, 9))
    assert robot.solution().cost == 2
    robot.move(1)
    assert same_as_a_new_search(robot).cost == 5


@given(seed=st.integers(0, 10**9))
@examples(20)
def test_infinite_estimates(seed: int) -> None:
    """States come into the robot's reach and leave it, by moves and by changes."""
    random = Random(seed)
    states = range(random.randint(3, 7))

    def edge() -> tuple[int, int]:
        return random.choice(states), random.choice(states)

    edges = {edge(): random.choice([0, 1, 1, 2, 5]) for _ in range(random.randint(2, 12))}
    robot = bf.Replanner(Digraph(edges, *edge()))
    assert robot.heuristic == "exact"
    for _ in range(6):
        if random.random() < 0.8:
            same_as_a_new_search(robot)
        for _ in range(random.randint(0, 2)):
            robot.move(random.choice(states))
        if random.random() < 0.5:
            changed = {edge() for _ in range(random.randint(1, 3))}
            added = {one: random.choice([0, 1, 3]) for one in changed if random.random() < 0.6}
            edges = {one: cost for one, cost in edges.items() if one not in changed} | added
            robot.change(Digraph(edges, robot.problem.initial, robot.problem.goal), {origin for origin, _ in changed})


def test_roads_that_cost_nothing() -> None:
    """Two places that are no distance apart do not owe their distances to each other when the road behind them is closed."""
    cities = bf.RoadMap([("a", "b", 0), ("b", "c", 0), ("c", "goal", 1), ("a", "goal", 9)], "a", "goal")
    robot = bf.Replanner(cities)
    assert robot.solution().cost == 1
    robot.change(cities.with_roads([("c", "goal", math.inf)]))
    assert robot.solution().actions == ["goal"]
    robot.change(robot.problem.with_roads([("a", "goal", math.inf)]))
    assert robot.solution().status == "unsolvable"


def open_grid() -> bf.GridMap:
    return bf.GridMap(["." * 40] * 40, (1, 20), (38, 20), neighbours=4)


def test_a_change_nearby_takes_little_search() -> None:
    """Cells that are blocked just ahead of the robot take a small part of the search for a new path; those behind it, none."""
    random = Random(3)
    rows = ["".join(random.choices("@.", [0.2, 0.8], k=40)) for _ in range(40)]
    robot = bf.Replanner(bf.GridMap(rows, (0, 0), (39, 39)).with_cells(free=[(0, 0), (39, 39)]))
    path = robot.solution()
    searched_again = searched_anew = 0
    while len(path.actions) > 12:
        for state in path.states[1:4]:
            robot.move(state)
        assert robot.solution().stats.expanded == 0
        robot.change(robot.problem.with_cells(blocked=[robot.problem.point(path.states[6])]))
        path = same_as_a_new_search(robot)
        searched_again += path.stats.expanded
        searched_anew += bf.solve(robot.problem, "astar", "octile", engine="python").stats.expanded
        robot.change(robot.problem.with_cells(blocked=[(0, 1), (1, 0)]))
        assert robot.solution().stats.expanded == 0
    assert 0 < searched_again < searched_anew / 4


def test_a_solution_shows_the_map_as_it_is_now() -> None:
    """Its problem starts where the robot is and has the changed cells, and the first map is as it was."""
    grid = bf.GridMap(["....", "....", "...."], (0, 1), (3, 1), neighbours=4)
    robot = bf.Replanner(grid)
    robot.move(robot.solution().states[1])
    robot.change(robot.problem.with_cells(blocked=["2,1", (2, 0)]))
    path = robot.solution()
    assert path.problem.draw_path(path.states) == "..@.\n.S@G\n.ooo"  # type: ignore[attr-defined]
    assert grid.free.tolist() == [[True] * 4] * 3


def test_a_road_shorter_than_its_line() -> None:
    """Straight lines are then no lower bound: they are scaled, and used as they are when the road is gone."""
    points = {"a": (0, 0), "b": (4, 0), "c": (0, 9)}
    cities = bf.RoadMap([("a", "b", 4), ("a", "c", 9)], "a", "b", coordinates=points)
    robot = bf.Replanner(cities)
    assert robot.solution().heuristic == "straight-line"
    robot.change(cities.with_roads([("a", "c", 1), ("c", "b", 1)]))
    path = same_as_a_new_search(robot)
    assert (path.cost, path.heuristic) == (2, "scaled-distance(0.1015)")
    robot.change(cities)
    assert (same_as_a_new_search(robot).cost, robot.heuristic) == (4, "straight-line")


def test_limits() -> None:
    """A stopped search has a lower bound; the next call goes on where it stopped, and finds what it would have found."""
    robot = bf.Replanner(open_grid())
    first = robot.solution(limits=bf.Limits(expansions=20))
    assert (first.status, first.limit, first.cost, first.stats.expanded) == ("limit", "expansions", None, 20)
    assert 0 < first.lower_bound <= 37
    assert robot.solution(limits=bf.Limits(seconds=0)).limit == "seconds"
    rest = robot.solution()
    assert (rest.status, rest.cost) == ("optimal", 37)
    assert first.stats.expanded + rest.stats.expanded == bf.Replanner(open_grid()).solution().stats.expanded


def test_a_stopped_search_gives_the_path_that_it_knows() -> None:
    """After a change that shortens paths, the old one is still a path."""
    roads = [("a", "b", 5), ("b", "goal", 5), ("a", "c", 50), ("c", "d", 50), ("d", "goal", 1)]
    cities = bf.RoadMap(roads, "a", "goal")
    robot = bf.Replanner(cities)
    robot.solution()
    robot.change(cities.with_roads([("a", "c", 1), ("c", "d", 1)]))
    stopped = robot.solution(limits=bf.Limits(expansions=0))
    assert (stopped.status, stopped.cost, stopped.lower_bound) == ("limit", 10, 2)
    assert robot.solution().cost == 3


def test_an_undeclared_heuristic_is_a_condition() -> None:
    """The proof rests on its consistency, as long as nothing is declared about it."""
    robot = bf.Replanner(Graph({0: [(1, 1)], 1: []}, {1}), lambda state: 1 - state)
    found = robot.solution()
    assert found.status == "optimal"
    assert found.condition is not None
    assert "consistent" in found.condition


def broken(edges: list[tuple[int, int]]) -> Graph:
    return Graph({0: edges, 1: []}, {1})


class Fixed(Digraph):
    """A problem whose start cannot be set."""

    def __init__(self, edges: Edges, goal: int) -> None:
        self.edges, self.goal = edges, goal

    @property
    def initial(self) -> int:  # type: ignore[override]
        return 0


class Listing(Graph):
    """A problem that lists its goals in some way."""

    def __init__(self, listed: Any) -> None:
        super().__init__({0: [(1, 1)], 1: []}, {1})
        self.listed = listed

    def goal_states(self) -> Any:
        return self.listed


def two_goals() -> bf.GridMap:
    return bf.GridMap("...", (0, 0), [(1, 0), (2, 0)])


@pytest.mark.parametrize(
    ("wrong", "error", "words"),
    [
        (lambda robot: robot.move("x"), bf.StateError, "robot's state is 'x'; pass a State"),
        (lambda robot: robot.move(bf.GridMap.State(-1)), bf.InputError, "robot.*no such state"),
        (lambda robot: robot.move(bf.GridMap.State(45)), bf.InputError, r"robot's state is State\(cell=45\).*no such state"),
        (lambda robot: robot.move(robot.problem.State(1.0)), bf.StateError, "cell of the robot's state is 1.0.*an int"),
        (lambda robot: robot.move(robot.problem.State("x")), bf.StateError, "cell of the robot's state is 'x'.*an int"),
        (lambda robot: robot.move(robot.problem.State(None)), bf.StateError, "cell of the robot's state is None.*an int"),
        (lambda _: bf.Replanner[Any, Any](Digraph({}, 0, 1)).move([]), bf.StateError, r"robot's state \[\] is not hashable"),
        (
            lambda _: bf.Replanner[Any, Any](bf.SlidingTile("1 2 3 / 4 5 6 / 7 _ 8")).move("x"),
            bf.InputError,
            "robot.*no such state",
        ),
        (lambda _: bf.Replanner(Fixed({}, 1)).move(1), bf.InputError, "Fixed.initial cannot be set"),
        (lambda robot: robot.change(robot.problem, 5), bf.InputError, "states is 5; pass a list of states"),
        (lambda _: bf.Replanner(Listing(5)).change(Listing(5), [0]), bf.InputError, r"Listing.goal_states\(\) returns 5"),
        (lambda robot: robot.change(5), bf.InputError, "pass an instance of a Problem"),
        (lambda robot: robot.change(bf.GridMap("...", (0, 0), (1, 0))), bf.InputError, "states"),
        (lambda robot: robot.change(open_grid().between((1, 20), (3, 3))), bf.InputError, "goal has changed"),
        (lambda robot: robot.change(broken([])), bf.InputError, "states"),
        (lambda robot: robot.solution(limits=bf.Limits(depth=3)), bf.InputError, "depth"),
        (lambda robot: robot.solution(limits=3), bf.InputError, "limits"),
        (lambda _: bf.Replanner(open_grid(), len), bf.InputError, "name of a heuristic"),
        (lambda _: bf.Replanner(bf.GridMap("...", (0, 0), (1, 0)), "manhattan"), bf.InputError, "not consistent"),
        (lambda _: bf.Replanner(open_grid(), "manhatan"), bf.UnknownNameError, "manhattan"),
        (lambda _: bf.Replanner(broken([(1, 1)])).move(1), bf.InputError, "backward"),
        (
            lambda _: bf.Replanner(two_goals()).move(bf.GridMap.State(1)),
            bf.InputError,
            "has 2 goals.*single goal",
        ),
        (lambda _: bf.Replanner(broken([(1, -1)])).solution(), bf.CostError, "-1"),
        (lambda _: bf.Replanner(bf.RoadMap([("a", "b", 1)], "a", "b")).move("c"), bf.InputError, "'c'.*no such state"),
    ],
)
def test_errors(wrong: Any, error: type[Exception], words: str) -> None:
    """Bad input says what is wrong, and the robot can still be used."""
    robot = bf.Replanner(open_grid())
    with pytest.raises(error, match=words):
        wrong(robot)
    assert robot.solution().cost == 37


def test_a_change_that_fails_changes_nothing() -> None:
    """If the new version has an invalid cost, the old one stays."""
    robot = bf.Replanner(broken([(1, 1)]))
    with pytest.raises(bf.CostError, match="-1"):
        robot.change(broken([(1, -1)]), [0])
    assert robot.solution().cost == 1
    assert robot.problem.edges[0] == [(1, 1)]


class Failing(Digraph):
    """A version of a graph whose backward() raises an error, or returns a problem that does."""

    def __init__(self, edges: Edges, start: int, goal: int, error: Exception, where: str) -> None:
        super().__init__(edges, start, goal)
        self.error, self.where = error, where

    def backward(self) -> Backward:
        def fail(*_: int) -> Any:
            raise self.error

        if self.where == "backward":
            fail()
        reverse = super().backward()
        vars(reverse)["successors"] = fail
        return reverse


@pytest.mark.parametrize("error", [OSError("no map"), bf.CostError(0, "0-1", -1)])
@pytest.mark.parametrize("where", ["successors", "backward"])
def test_a_change_whose_backward_fails_changes_nothing(error: Exception, where: str) -> None:
    """D* Lite asks the reversed problem for the new edges before it takes any of them."""
    old = Digraph({(0, 1): 1, (1, 2): 1, (0, 2): 5}, 0, 2)
    robot = bf.Replanner(old)
    robot.solution()
    with pytest.raises(type(error), match=re.escape(str(error))):
        robot.change(Failing({(0, 1): 9, (1, 2): 9, (0, 2): 1}, 0, 2, error, where), [0, 1])
    assert robot.problem is old
    assert robot.solution().cost == 2
    robot.change(Digraph({(0, 1): 1, (1, 2): 9, (0, 2): 5}, 0, 2), [1])
    assert same_as_a_new_search(robot).cost == 5


class Priced(bf.Problem[int, str]):
    """Steps to 5, each for a price of the class."""

    initial, price = 0, 1

    def is_goal(self, state: int) -> bool:
        return state == 5

    def successors(self, state: int) -> Any:
        return [("go", state + 1, self.price)]

    def changed_states(self, _before: bf.Problem) -> Any:
        return range(5)


def test_a_lost_list_of_changed_states_is_named() -> None:
    """It is a claim, which does not hold where a rule is replaced."""
    replanner, dear = bf.Replanner(Priced()), Priced()
    replanner.solution()
    dear.price = 3
    with pytest.raises(bf.InputError, match=r"pass them as states=\[...\] \(price of this Priced has been replaced"):
        replanner.change(dear)
    replanner.change(dear, range(5))
    assert replanner.solution().cost == 15


FOUR = bf.GridMap(["..."], (0, 0), (2, 0), neighbours=4)
ROADS = bf.RoadMap([("a", "b", 1)], "a", "b")


@pytest.mark.parametrize(
    ("before", "after", "differing"),
    [
        (FOUR, bf.GridMap(["..."], (0, 0), (2, 0), neighbours=8), "neighbours"),
        (FOUR, bf.GridMap(["....", "...."], (0, 0), (2, 0), neighbours=4), "width and height"),
        (FOUR, bf.GridMap(["..."], (0, 0), (2, 0), neighbours=4, weights={".": 2}), "weights"),
        (FOUR, ROADS, "type"),
        (ROADS, bf.RoadMap([("a", "b", 1), ("b", "c", 1)], "a", "b"), "cities"),
    ],
)
def test_maps_of_different_kinds_are_no_versions(before: bf.Problem, after: bf.Problem, differing: str) -> None:
    """They need a new Replanner, and the error says so, and in what they differ."""
    with pytest.raises(bf.InputError, match=rf"returns None: the two differ in {differing}; create a new Replanner"):
        bf.Replanner(before).change(after)


def test_a_goal_that_opens_is_a_changed_state() -> None:
    """A state that has become a goal is listed; the start of the changed problem is ignored."""
    edges = {0: [(1, 1)], 1: [(2, 1)], 2: []}
    robot, changed = bf.Replanner(Graph(edges, {2})), Graph(edges, {1, 2})
    assert robot.solution().cost == 2
    changed.initial = 2
    robot.change(changed, [1])
    assert robot.solution().states == [0, 1]

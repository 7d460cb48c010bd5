"""Road networks: graphs as arrays, the network of a road map, and the same search in both engines."""

from __future__ import annotations

import copy
import math
import pickle
from collections.abc import Callable
from time import process_time
from typing import Any

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

import bestfirst as bf
from profiles import examples
from twins import assert_twins

NODES = 7


@st.composite
def road_maps(draw: st.DrawFn, *, whole: bool) -> bf.RoadMap:
    """Random maps with coordinates, one-way roads, loops and dead ends; lengths are ints, or floats that must be rounded."""
    city = st.integers(0, NODES - 1)
    places = {name: (draw(st.integers(0, 3)), draw(st.integers(0, 3))) for name in range(NODES)}
    lengths = {}
    for one, other, more in draw(st.lists(st.tuples(city, city, st.integers(0, 5)), min_size=1, max_size=2 * NODES)):
        line = math.dist(places[one], places[other])
        lengths[one, other] = math.ceil(line) + more if whole else line * (1 + more / 10) + 0.1
    roads: dict[str, dict[str, float]] = {f"city {name}": {} for name in range(NODES)}
    for (one, other), length in lengths.items():
        roads[f"city {one}"][f"city {other}"] = length
    points = {f"city {name}": place for name, place in places.items()}
    cities = bf.RoadMap(roads, f"city {draw(city)}", f"city {draw(city)}", coordinates=points, directed=True)
    assume(cities.unsolvable() is None)
    return cities


def triangle(**more: Any) -> bf.RoadNetwork:
    """0 -> 1 (3), 0 -> 2 (8), 1 -> 2 (4)."""
    return bf.RoadNetwork([0, 2, 3, 3], [1, 2, 2], [3, 8, 4], 0, 2, **more)


PLACES = [[0, 0], [3, 0], [3, 4]]


# Networks from arrays.


@pytest.mark.parametrize(
    "twin", [lambda network: network, copy.copy, copy.deepcopy, lambda network: pickle.loads(pickle.dumps(network))]
)
def test_arrays_are_not_changed_in_place(twin: Callable[[bf.RoadNetwork], bf.RoadNetwork]) -> None:
    """What was worked out from them would be wrong; the arrays that were given can be changed, since copies are kept."""
    cost = np.array([3, 8, 4])
    network = twin(bf.RoadNetwork([0, 2, 3, 3], [1, 2, 2], cost, 0, 2, coordinates=PLACES))
    cost[:] = 0
    with pytest.raises(bf.InputError, match="in place"):
        network.cost[0] = 1
    with pytest.raises(bf.InputError, match="in place"):
        network.x[:][0] = 1
    with pytest.raises(bf.InputError, match="in place"):
        network.target.fill(0)
    with pytest.raises(bf.InputError, match="in place"):
        np.add(network.cost, 1, out=network.cost)
    with pytest.raises(bf.InputError, match="in place"):
        np.add.at(network.cost, [0], 1)
    with pytest.raises(ValueError, match="read-only"):
        np.asarray(network.cost)[0] = 1
    with pytest.raises(bf.InputError, match="in place"):
        network.cost.reshape(3)[0] = 1
    assert bf.solve(network, "uniform-cost").cost == 7


def test_the_roads_of_a_node_stand_side_by_side() -> None:
    """An action is the node driven to; roads come in the order of the arrays."""
    network = triangle()
    assert list(network.successors(network.initial)) == [(1, (1,), 3), (2, (2,), 8)]
    assert list(network.successors(network.goal_state())) == []
    solution = bf.solve(network)
    assert (solution.algorithm, solution.cost, solution.actions) == ("uniform-cost", 7, [1, 2])


def test_a_node_has_a_rank() -> None:
    """It is its number; a node may have any number of roads."""
    network = triangle()
    assert network.unrank(network.rank(network.initial)) == network.initial
    hub = bf.RoadNetwork([0, 70, *[70] * 70], range(1, 71), [1] * 70, 0, 70)
    assert bf.solve(hub).actions == [70]


def test_backward_the_roads_are_turned_round() -> None:
    """An action is still the node that the road leads to; the arrays are made once, whatever the start and the goal."""
    network = triangle(coordinates=[(0, 0), (3, 0), (3, 4)])
    reverse = network.backward()
    assert reverse is not None
    assert (reverse.initial, reverse.goal_state()) == ((2,), (0,))
    assert list(reverse.successors(reverse.initial)) == [(2, (0,), 8), (2, (1,), 4)]
    assert list(reverse.successors(reverse.State(0))) == []
    assert reverse.straight_line(reverse.State(2)) == 5
    again = network.between(1, 2).backward()
    assert again is not None
    assert again.compiled_value("target") is reverse.compiled_value("target")
    back = reverse.backward()
    assert back is not None
    assert list(back.successors(back.initial)) == list(network.successors(network.initial))
    assert list(network.compiled_value("target")) == [1, 2, 2]


def test_a_network_whose_steps_were_changed_has_no_backward() -> None:
    """Its roads turned round would be those of another problem."""

    class Tolls(bf.RoadNetwork):
        """Each road costs one more."""

        def step(self, state: bf.RoadNetwork.State, action: int) -> Any:
            legal, following, cost = super().step(state, action)
            return legal, following, cost + 1

    network = Tolls([0, 1, 1], [1], [3], 0, 1, coordinates=[(0, 0), (3, 0)])
    assert network.backward() is None
    with pytest.raises(
        bf.InputError, match=r"Tolls replaces step, and RoadNetwork\.backward was written for the original rules"
    ):
        bf.solve(network, "bidirectional-astar", "straight-line")


def test_numbers_of_actions_are_few() -> None:
    """So networks with other largest degrees share compiled code."""
    assert {triangle().max_actions, bf.RoadNetwork([0, 5, 5], [1] * 5, [1] * 5, 0, 1).max_actions} == {8}


def test_other_ends_share_the_network() -> None:
    """The arrays are the same ones, and so is what is known of the roads."""
    network = triangle(coordinates=PLACES)
    other = network.between(1, 0)
    assert other.compiled_value("target") is network.compiled_value("target")
    assert (other.initial, other.goal_state(), network.goal) == ((1,), (0,), 2)
    assert other.straight_line(other.initial) == 3 and network.straight_line(network.initial) == 5


def test_the_straight_line_is_a_lower_bound_where_no_road_is_shorter() -> None:
    """Otherwise the network names the worst of the roads, and the scaled distance takes its place."""
    network = triangle(coordinates=PLACES)
    straight_line = network.heuristics()["straight-line"]
    assert (straight_line.admissible, straight_line.consistent) == (True, True)
    assert bf.solve(network).status == "optimal"
    shorter = bf.RoadNetwork([0, 2, 3, 3], [1, 2, 2], [2.5, 8, 1], 0, 2, PLACES)
    straight_line = shorter.heuristics()["straight-line"]
    assert (straight_line.admissible, straight_line.consistent) == (False, False)
    assert straight_line.note == "road 1-2 has length 1, but the straight line is 4"
    assert bf.solve(shorter, heuristic="straight-line").status == "solved"
    assert (bf.solve(shorter).status, bf.solve(shorter).heuristic) == ("optimal", "scaled-distance(0.25)")


def test_without_coordinates_there_is_no_straight_line() -> None:
    """Who asks for it is told why."""
    assert "straight-line" not in triangle().heuristics()
    with pytest.raises(bf.InputError, match="needs the coordinates"):
        bf.solve(triangle(), "astar", "straight-line")


def test_a_start_without_roads_is_known_without_a_search() -> None:
    """Unless it is the goal."""
    assert triangle().between(2, 0).unsolvable() == "no road leaves 2"
    assert bf.solve(triangle().between(2, 2)).cost == 0


def test_roads_of_length_1_make_unit_costs() -> None:
    """As ints or as floats."""
    assert bf.RoadNetwork([0, 1, 1], [1], [1.0], 0, 1).unit_cost
    assert not triangle().unit_cost


@pytest.mark.parametrize(
    ("arrays", "fault"),
    [
        (([0], [], []), "'first' has length 1"),
        (([0, 1], [], []), "end with the number of roads, 0"),
        (([1, 1], [0], [1]), "begins with 1 and ends with 1"),
        (([0, 2, 1, 3], [0, 1, 2], [1, 1, 1]), "begins with 0 and ends with 3, and decreases in between"),
        (([0, 1.5], [0], [1]), "first has shape .* and type float64; pass a one-dimensional array of ints"),
        (([0, 1], [[0]], [1]), r"target has shape \(1, 1\)"),
        (([0, 1], [1], [1]), r"a road leads to node 1, but the nodes are 0 \.\. 0"),
        (([0, 1], [-1], [1]), "target has numbers from -1"),
        (([0, 1], [2**40], [1]), "target has numbers from"),
        (([0, 1], [0], [1, 2]), "2 numbers for 1 road"),
        (([0, 2], [0, 0], [1, -2]), r"cost\[1\] is -2"),
        (([0, 2], [0, 0], [1, math.nan]), r"cost\[1\] is nan"),
        (([0, 1], [0], [math.inf]), r"cost\[0\] is inf"),
        (([0, 1], [0], ["1"]), "cost has shape"),
        (([0, 2], [0, 0], [2**60, 2**60]), r"exceeds 2\*\*61"),
    ],
)
def test_arrays_that_make_no_network_are_refused(arrays: Any, fault: str) -> None:
    """The message names the array."""
    first, target, cost = arrays
    with pytest.raises(bf.InputError, match=fault):
        bf.RoadNetwork(first, target, cost, 0, 0)


@pytest.mark.parametrize(
    ("coordinates", "fault"),
    [
        (PLACES[:2], r"coordinates has shape \(2, 2\)"),
        ([0, 1, 2], r"coordinates has shape \(3,\)"),
        ([["0", "1"]] * 3, "coordinates has shape"),
        ([[0, 0], [3, 0], [math.nan, 4]], "some coordinates are NaN, or exceed"),
        ([[0, 0], [3, 0], [3, 1e200]], r"up to 1e\+150"),
    ],
)
def test_coordinates_are_two_numbers_for_each_node(coordinates: Any, fault: str) -> None:
    """Finite ones, whose squares are finite too."""
    with pytest.raises(bf.InputError, match=fault):
        triangle(coordinates=coordinates)


@pytest.mark.parametrize(
    ("start", "goal", "fault"), [(3, 0, "the start is 3"), (0, -1, "the goal is -1"), (0, "2", "the goal")]
)
def test_an_end_that_is_no_node_is_refused(start: Any, goal: Any, fault: str) -> None:
    """The message says which nodes there are."""
    with pytest.raises(bf.InputError, match=rf"{fault}.*; the nodes are 0 \.\. 2"):
        triangle().between(start, goal)


def test_a_million_nodes_are_no_trouble() -> None:
    """The arrays are taken as they are: a ring, from which one road leads on and one back at each node."""
    nodes = 1_000_000
    ring = np.arange(nodes)
    targets = np.stack([(ring + 1) % nodes, (ring - 1) % nodes], axis=1).ravel()
    network = bf.RoadNetwork(2 * np.arange(nodes + 1), targets, np.ones(2 * nodes, np.int64), 0, nodes - 3)
    assert bf.solve(network).actions == [nodes - 1, nodes - 2, nodes - 3]


# The network of a road map.


def test_the_network_of_a_map_has_its_cities_and_its_roads() -> None:
    """Node n is the n-th city, and the roads keep their order."""
    cities = bf.RoadMap([("A", "B", 3), ("B", "C", 4.5), ("A", "C", 9)], "A", "C")
    network = cities.domain()
    assert network is not None and network is cities.domain()
    assert [(network.decode(state), action, cost) for action, state, cost in network.successors(network.initial)] == [
        ("B", "B", 3),
        ("C", "C", 9),
    ]
    assert network.format(network.goal_state()) == "C"


def test_backward_the_network_has_the_actions_of_the_backward_map() -> None:
    """An action is the city that the road leads to on the map."""
    reverse = bf.RoadMap([("A", "B", 3), ("B", "C", 4)], "A", "C", directed=True).backward()
    network = reverse.domain()
    assert network is not None
    [(action, state, cost)] = network.successors(network.initial)
    assert [(action, network.decode(state), cost)] == list(reverse.successors("C"))


@pytest.mark.parametrize(
    ("lengths", "fits"), [((2**60, 1), True), ((2**61, 1), False), ((2**53, 0.5), False), ((2**50, 0.5), True)]
)
def test_lengths_that_do_not_fit_into_64_bits_have_no_network(lengths: tuple[float, float], fits: bool) -> None:
    """The reference engine adds them up all the same."""
    cities = bf.RoadMap([("A", "B", lengths[0]), ("B", "C", lengths[1])], "A", "C", directed=True)
    assert (cities.domain() is not None) == fits
    assert bf.solve(cities).cost == sum(lengths)


def test_a_map_with_a_network_can_be_pickled() -> None:
    """So it can be sent to another process, before a search and after."""
    cities = bf.RoadMap([("A", "B", 3), ("B", "C", 4)], "A", "C")
    assert cities.domain() is not None
    again = pickle.loads(pickle.dumps(cities))
    network = again.domain()
    assert network is not None
    assert [action for action, _, _ in network.successors(network.initial)] == ["B"]


# Both engines.


@examples(20)
@given(cities=road_maps(whole=True))
def test_uniform_cost_search_has_a_twin_on_maps_of_whole_lengths(cities: bf.RoadMap) -> None:
    """The same cities, the same counts."""
    assert_twins(cities, "uniform-cost")


@examples(20)
@given(cities=road_maps(whole=False))
def test_idastar_has_a_twin_on_maps_of_rounded_lengths(cities: bf.RoadMap) -> None:
    """With the straight line, where there is a way; without one IDA* would look at all ways that meet no city twice."""
    assume(bf.solve(cities, "uniform-cost", engine="python").found)
    assert_twins(cities, "idastar")


@examples(20)
@given(cities=road_maps(whole=False))
def test_astar_has_a_twin_on_maps_of_rounded_lengths(cities: bf.RoadMap) -> None:
    """With the straight line."""
    assert_twins(cities, "astar")


@examples(12)
@given(road_maps(whole=True))
def test_a_search_from_both_ends_has_a_twin_on_the_networks_of_maps(cities: bf.RoadMap) -> None:
    """Where the arrays are turned round, too; it costs what the search of the map does."""
    solution = bf.solve(cities, "bidirectional-astar", engine="python")
    of_cities = cities.domain()
    assert of_cities is not None
    first, target, cost, x, y = (of_cities.compiled_value(name) for name in ("first", "target", "cost", "x", "y"))
    network = bf.RoadNetwork(first, target, cost, of_cities.initial.node, of_cities.goal, np.stack([x, y], axis=1))
    assert assert_twins(network, "bidirectional-astar").cost == solution.cost


def star(points: int) -> bf.RoadNetwork:
    """Node 0 has a road to each other one; these lead round in a circle of roads that are 1 long."""
    first = np.concatenate([[0], points + np.arange(points + 1)])
    target = np.concatenate([np.arange(1, points + 1), np.arange(2, points + 1), [1]])
    cost = np.concatenate([np.full(points, points), np.ones(points, np.int64)])
    return bf.RoadNetwork(first, target, cost, 1, points, coordinates=np.zeros((points + 1, 2)))


@pytest.mark.parametrize(("algorithm", "engine"), [("astar", "python"), ("astar", "compiled"), ("idastar", "compiled")])
def test_a_node_with_many_roads_does_not_slow_down_the_others(algorithm: str, engine: str) -> None:
    """Expansions pay for their own roads: here for one, where the widest node has 5,000."""
    network = star(5_000).between(1, 1_500)
    search = bf.Search(network, algorithm, engine=engine)
    search.run(bf.Limits(expansions=10))  # compiles
    started = process_time()
    solution = search.run(bf.Limits(expansions=1_000))
    assert solution.stats.expanded == 1_010
    assert process_time() - started < 0.2


@pytest.mark.parametrize("engine", ["python", "compiled"])
def test_a_subclass_with_steps_of_its_own_has_all_its_actions_tried(engine: str) -> None:
    """That the legal actions come first was said of the steps that it replaces: here every other road is closed."""

    class HalfClosed(bf.RoadNetwork):
        """Without the roads of an even number."""

        def step(self, state: bf.RoadNetwork.State, action: int) -> Any:
            road = self.first[state.node] + action
            legal = road < self.first[state.node + 1] and action % 2 == 1
            if not legal:
                road = 0
            return legal, self.State(self.target[road]), self.cost[road]

    network = HalfClosed([0, 2, 4, 4], [2, 1, 0, 2], [1, 1, 1, 1], 0, 2)
    assert bf.solve(network, "depth-first-branch-and-bound", engine=engine).cost == 2


def test_the_check_finds_no_fault() -> None:
    """Interpreted and compiled methods say the same, bit for bit."""
    rng = np.random.default_rng(3)
    places, targets = rng.random((40, 2)), rng.integers(0, 40, 120)
    origins = np.repeat(np.arange(40), 3)
    costs = np.hypot(*(places[origins] - places[targets]).T) * rng.uniform(1, 2, 120) + 1e-9
    check = bf.check(bf.RoadNetwork(3 * np.arange(41), targets, costs, 0, 39, places))
    assert check.ok and check.compiled and check.states > 30


# Several goals, and roads that change.


@given(cities=road_maps(whole=False), data=st.data())
@examples(30)
def test_several_goals(cities: bf.RoadMap, data: st.DataObject) -> None:
    """The nearest of several goals is found, with and without an estimate, on a map and on its network."""
    goals = data.draw(st.lists(st.sampled_from(list(cities.roads)), min_size=1, max_size=3))
    points = cities.coordinates
    several = bf.RoadMap(cities.roads, cities.initial, goals, coordinates=points, directed=True)
    alone = [bf.RoadMap(cities.roads, cities.initial, goal, coordinates=points, directed=True) for goal in goals]
    costs = [cost for one in alone if (cost := bf.solve(one, "uniform-cost", engine="python").cost) is not None]
    assert several.goals == tuple(dict.fromkeys(goals))
    for problem in (several, several.domain()):
        assert problem is not None
        found = bf.solve(problem, "astar", engine="python")
        assert found.cost == pytest.approx(min(costs, default=None))
        assert (problem.backward() is None) == (len(several.goals) > 1)


def test_several_goals_in_both_engines() -> None:
    """They run the same search, and array indices are accepted."""
    places = {"A": (0, 0), "B": (3, 0), "C": (3, 4)}
    cities = bf.RoadMap([("A", "C", 8.5), ("A", "B", 3.5), ("B", "C", 4.5)], "A", ["C", "B"], coordinates=places)
    assert assert_twins(cities, "astar").actions == ["B"]
    network = triangle(coordinates=PLACES)
    assert bf.solve(network.between(0, np.array([2, 1])), engine="python").actions == [1]
    for goal in ([], [3], [0, "a"]):
        with pytest.raises(bf.InputError, match="the goal is"):
            network.between(0, goal)  # type: ignore[arg-type]
    with pytest.raises(bf.UnknownNameError, match="'Z'"):
        bf.RoadMap([("A", "B", 1)], "A", ["B", "Z"])


@given(cities=road_maps(whole=True), data=st.data())
@examples(40)
def test_other_roads(cities: bf.RoadMap, data: st.DataObject) -> None:
    """A map with other roads is the map made anew, as is its network; the first one stays as it is."""
    city = st.sampled_from(list(cities.roads))
    length = st.one_of(st.integers(0, 9), st.just(math.inf))
    now = data.draw(st.dictionaries(st.tuples(city, city), length, max_size=4))
    before = {one: dict(roads) for one, roads in cities.roads.items()}
    cities.heuristics(), cities.backward().heuristics()  # what is kept from the first map
    roads = {one: dict(roads) for one, roads in before.items()}
    for (one, other), value in now.items():
        roads[one].pop(other, None) if value == math.inf else roads[one].update({other: value})
    other = cities.with_roads([(*ends, value) for ends, value in now.items()], directed=True)
    anew = bf.RoadMap(roads, cities.initial, cities.goal, coordinates=cities.coordinates, directed=True)
    assert (other.roads, cities.roads) == (roads, before)
    assert (other.unit_cost, other.backward().roads) == (anew.unit_cost, anew.backward().roads)
    assert other.heuristics()["straight-line"].admissible == anew.heuristics()["straight-line"].admissible
    assert set(other.changed_states(cities) or ()) == {one for one in roads if roads[one] != before[one]}
    first, number = cities.domain(), {one: node for node, one in enumerate(cities.roads)}
    assert first is not None
    second = first.with_roads([(number[one], number[other], value) for (one, other), value in now.items()])
    for one, of_city in roads.items():
        steps = [(second.decode(state), cost) for _, state, cost in second.successors(second.State(number[one]))]
        assert sorted(steps) == sorted(of_city.items())
    differing = {second.decode(state) for state in second.changed_states(first) or ()}
    assert differing == {one for one in roads if list(roads[one].items()) != list(before[one].items())}


def test_roads_lead_both_ways_unless_they_are_directed() -> None:
    """As in RoadMap; a wrong length or city is refused."""
    cities = bf.RoadMap([("A", "B", 1)], "A", "B")
    assert cities.with_roads([("A", "B", 5)]).roads == {"A": {"B": 5}, "B": {"A": 5}}
    assert cities.with_roads([("A", "B", 5)], directed=True).roads == {"A": {"B": 5}, "B": {"A": 1}}
    assert cities.with_roads({"A": {"B": math.inf}}).unsolvable() == "no road leaves A"
    assert cities.with_roads([("A", "B", 2), ("A", "B", 5), ("B", "A", 2)]).roads == {"A": {"B": 2}, "B": {"A": 2}}
    with pytest.raises(bf.InputError, match="write the same length for both"):
        cities.with_roads([("A", "B", 5), ("B", "A", 2)])
    for road, error, word in (
        (("A", "B", -1), bf.InputError, "length of road A-B is -1"),
        (("A", "B", math.nan), bf.InputError, "length of road A-B is nan"),
        (("A", "Z", 1), bf.UnknownNameError, "'Z'"),
    ):
        with pytest.raises(error, match=word):
            cities.with_roads([road])
    with pytest.raises(bf.InputError, match="the reverse of another"):
        cities.backward().with_roads([])
    with pytest.raises(bf.InputError, match="the end of a road is 7"):
        triangle().with_roads([(0, 7, 1)])
    with pytest.raises(bf.InputError, match="length of road 0-1 is -3"):
        triangle().with_roads([(0, 1, -3)])
    for dear in ((0, 1, 10**30), (1, 0, 2**63)):  # one that is there, and one that is added
        with pytest.raises(bf.InputError, match=r"exceeds 2\*\*61"):
            triangle().with_roads([dear])

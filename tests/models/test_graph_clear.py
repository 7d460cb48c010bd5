"""Graph-clear: as few robots as possible, the bound, what a file may contain, and results."""

from __future__ import annotations

from itertools import permutations
from pathlib import Path
from typing import Any

import networkx as nx
import pytest
from hypothesis import given
from hypothesis import strategies as st

import bestfirst as bf
from bestfirst.models import GraphClear
from profiles import examples

INSTANCES = Path(__file__).parents[2] / "examples" / "instances"
FILE = "2 1\n3 4\n0 5\n5 0\n"


@st.composite
def buildings(draw: Any) -> tuple[list[list[int]], list[int]]:
    """The robots for the ways between at most six rooms, and for these."""
    count = draw(st.integers(1, 6))
    edges = [[0] * count for _ in range(count)]
    for one in range(count):
        for other in range(one):
            edges[one][other] = edges[other][one] = draw(st.sampled_from([0, 0, 1, 2, 4]))
    return edges, draw(st.lists(st.integers(0, 9), min_size=count, max_size=count))


def fewest_robots(edges: list[list[int]], rooms: list[int]) -> int:
    """The least number of robots, by trying all orders."""
    every = range(len(rooms))

    def robots(order: tuple[int, ...], place: int) -> int:
        room, swept = order[place], order[:place]
        ways = sum(edges[one][other] for one in swept for other in every if other not in swept and other != room)
        return rooms[room] + sum(edges[room]) + ways

    return min(max(robots(order, place) for place in every) for order in permutations(every))


@given(buildings(), st.sampled_from(["astar", "anytime-beam"]))
@examples(60)
def test_robots_are_as_few_as_possible(building: tuple[Any, ...], algorithm: str) -> None:
    """Two algorithms find what trying all orders finds, and the result counts the same robots."""
    problem = GraphClear(*building)
    solution = bf.solve(problem, algorithm, engine="python")
    assert solution.status == "optimal"
    assert solution.cost == fewest_robots(*building) == problem.sweep(solution).robots


@given(buildings())
@examples(20)
def test_the_heuristic_keeps_its_promises(building: tuple[Any, ...]) -> None:
    """No estimate exceeds the true cost, nor the cost of an action plus the estimate after it."""
    audit = bf.audit(GraphClear(*building), "greatest_room")
    assert audit.admissible and audit.consistent, audit


def test_a_published_instance_has_an_optimum_of_41() -> None:
    """DIDPPy proves the same for the tenth planar graph of 20 nodes."""
    solution = bf.solve(GraphClear.from_file(INSTANCES / "planar_n20-seed2022_10.txt"), "anytime-beam", engine="compiled")
    assert (solution.status, solution.cost) == ("optimal", 41)


def test_both_engines_do_the_same() -> None:
    """On a ring of twelve rooms, with equal counts."""
    ring = [[abs(one - other) in (1, 11) and 1 + min(one, other) % 3 for one in range(12)] for other in range(12)]
    problem = GraphClear([[int(robots) for robots in of_room] for of_room in ring], [1 + room % 4 for room in range(12)])
    reference, compiled = (bf.solve(problem, "anytime-beam", engine=engine) for engine in ("python", "compiled"))
    assert reference.actions == compiled.actions
    assert reference.stats.expanded == compiled.stats.expanded


def test_check_finds_no_fault() -> None:
    """The methods compile, and identity, dominance and pictures are sound."""
    report = bf.check(GraphClear.from_file(INSTANCES / "planar_n20-seed2022_10.txt"), states=50)
    assert report.ok and report.compiled, report


def test_a_sweep_names_the_rooms_of_a_graph(tmp_path: Path) -> None:
    """The nodes of a NetworkX graph are the rooms; a sweep says who sweeps and who blocks, and can be written as CSV."""
    graph: Any = nx.Graph()
    graph.add_node("hall", weight=2)
    graph.add_node("cellar", weight=3)
    graph.add_edge("hall", "cellar", weight=1)
    graph.add_node("shed", weight=1)
    problem = GraphClear(graph)
    solution = bf.solve(problem, engine="python")
    sweep = problem.sweep(["shed", "cellar", "hall"])
    assert (sweep.rooms, sweep.sweeping, sweep.blocking) == (("shed", "cellar", "hall"), (1, 3, 2), (0, 1, 1))
    assert sweep.robots == solution.cost == 4
    sweep.to_csv(tmp_path / "sweep.csv")
    assert (tmp_path / "sweep.csv").read_text().splitlines() == [
        "room,sweeping,blocking",
        "shed,1,0",
        "cellar,3,1",
        "hall,2,1",
    ]
    assert sweep.picture().startswith("<svg")


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("2 1\n", "2 2\n", "declares 2 passages, but its matrix has 1"),
        ("5 0\n", "6 0\n", "the passage from room 0 to room 1 needs 5 robots, but in the other direction 6"),
        ("5 0\n", "5 1\n", "the passage from room 1 to itself needs 1 robot; write 0"),
        ("5 0\n", "5\n", "line 4: row 2 of the matrix has 1 number instead of 2"),
        ("3 4\n", "3 x\n", "line 2: the number of robots for room 2 of 2 is 'x'"),
        ("5 0\n", "5 0\n7\n", "line 5: '7' follows the matrix"),
    ],
)
def test_a_mistake_in_a_file_is_named(old: str, new: str, message: str, tmp_path: Path) -> None:
    """The error names the file, what is wrong, and what to write."""
    path = tmp_path / "wrong.txt"
    path.write_text(FILE.replace(old, new))
    with pytest.raises(bf.InputError, match=message) as caught:
        GraphClear.from_file(path)
    assert str(path) in str(caught.value)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (([[0, 1], [1, 0]],), "rooms is missing"),
        (([[0, 1], [1, 0]], [1]), "rooms has 1 entry; it needs 2"),
        ((nx.path_graph(2),), "node 0 has no attribute 'weight'; add it, or pass rooms="),
        ((nx.path_graph(2), [1, 1]), "the edge from 0 to 1 has no attribute 'weight'"),
        ((nx.MultiGraph(), [1]), "several edges between two rooms"),
    ],
)
def test_a_mistake_in_an_argument_is_named(arguments: tuple[Any, ...], message: str) -> None:
    """The error says what is wrong, and what to write."""
    with pytest.raises(bf.InputError, match=message):
        GraphClear(*arguments)

"""Assembly lines and bin packing: fewest stations and bins, the bounds, what a file may contain, and results."""

from __future__ import annotations

from itertools import pairwise, permutations
from pathlib import Path
from typing import Any

import networkx as nx
import pytest
from hypothesis import given
from hypothesis import strategies as st

import bestfirst as bf
from bestfirst.models import AssemblyLine, BinPacking
from bestfirst.models.bins import Bins
from profiles import examples

INSTANCES = Path(__file__).parents[2] / "examples" / "instances"
ALB = """<number of tasks>
2
<cycle time>
10
<task times>
1 6
2 5
<precedence relations>
1,2
<end>
"""


@st.composite
def lines(draw: Any) -> tuple[list[int], list[tuple[int, int]], int]:
    """Times, precedence and a cycle time of at most six tasks."""
    times = draw(st.lists(st.integers(1, 12), max_size=6))
    pairs = [(before, after) for after in range(1, len(times) + 1) for before in range(1, after) if draw(st.booleans())]
    return times, pairs if draw(st.booleans()) else [], 12


def fewest(times: list[int], pairs: list[tuple[int, int]], capacity: int) -> int:
    """The fewest stations, by filling one after the other in every order."""

    def stations(order: tuple[int, ...]) -> int:
        count, room = 0, 0
        for task in order:
            if times[task - 1] > room:
                count, room = count + 1, capacity
            room -= times[task - 1]
        return count

    orders = permutations(range(1, len(times) + 1))
    return min(stations(order) for order in orders if all(order.index(one) < order.index(other) for one, other in pairs))


@given(lines(), st.sampled_from(["astar", "anytime-beam"]), st.sampled_from(["fractions", "volume"]))
@examples(40)
def test_the_stations_are_as_few_as_possible(line: tuple[Any, ...], algorithm: str, name: str) -> None:
    """So are the bins of the same items without precedence."""
    times, pairs, cycle_time = line
    models: list[tuple[Bins, int]] = [
        (AssemblyLine(*line), fewest(times, pairs, cycle_time)),
        (BinPacking(times, cycle_time), fewest(times, [], cycle_time)),
    ]
    for problem, optimum in models:
        solution = bf.solve(problem, algorithm, name, engine="python")
        assert (solution.status, solution.cost) == ("optimal", optimum)
        assert len(problem.packed(solution)) == optimum


@given(lines())
@examples(20)
def test_heuristics_keep_their_promises(line: tuple[Any, ...]) -> None:
    """No estimate exceeds the true cost, nor the cost of an action plus the estimate after it."""
    for problem in (AssemblyLine(*line), BinPacking(line[0], line[2])):
        for name in problem.heuristics():
            audit = bf.audit(problem, name)
            assert audit.admissible and audit.consistent, audit


@pytest.mark.parametrize(
    "problem",
    [
        AssemblyLine.from_file(INSTANCES / "instance_n_20_1.alb"),
        BinPacking.from_file(INSTANCES / "nine-items.bpp"),
        BinPacking([1 + 5 * item % 7 for item in range(70)], 20),
    ],
    ids=repr,
)
def test_check_finds_no_fault(problem: bf.Domain) -> None:
    """The methods compile, and identity, dominance and pictures are sound, for sets of one word and of two."""
    report = bf.check(problem, states=50)
    assert report.ok and report.compiled, report


def test_a_published_instance_has_its_optimum() -> None:
    """The 20 tasks, of 2752 in total, need 3 stations of 1000."""
    problem = AssemblyLine.from_file(INSTANCES / "instance_n_20_1.alb")
    solution = bf.solve(problem, "anytime-beam", engine="compiled")
    assert (solution.status, solution.cost, len(problem.stations(solution).bins)) == ("optimal", 3, 3)


def test_stations_name_tasks_and_loads(tmp_path: Path) -> None:
    """Stations keep the precedence of a graph, have loads, and can be written as CSV."""
    problem = AssemblyLine([4, 3, 5], nx.DiGraph([("cut", "glue"), ("cut", "paint")]), 8, names=["cut", "glue", "paint"])
    stations = problem.stations(bf.solve(problem, engine="python"))
    assert sorted(map(sorted, stations.bins)) in ([["cut", "glue"], ["paint"]], [["cut"], ["glue", "paint"]])
    assert sum(stations.loads) == 12 and max(stations.loads) <= 8
    stations.to_csv(tmp_path / "stations.csv")
    assert (tmp_path / "stations.csv").read_text().splitlines()[:2] == ["bin,item,size", "1,cut,4"]
    assert stations.picture().startswith("<svg")


def test_bins_hold_all_items() -> None:
    """A packing holds each item once, and no bin holds too much."""
    problem = BinPacking.from_file(INSTANCES / "nine-items.bpp")
    packing = problem.packing(bf.solve(problem, "anytime-beam", engine="python"))
    assert sorted(item for one in packing.bins for item in one) == list(range(9))
    assert len(packing.bins) == 3 and max(packing.loads) <= 10


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("<cycle time>\n10\n", "", "no section <cycle time>; add it"),
        ("<cycle time>\n10", "<cycle time>\n10\n11", "line 3: <cycle time> has 2 lines; write one number"),
        ("<cycle time>\n10", "<cycle time>\nten", "line 4: the cycle time is 'ten'; write a whole number"),
        ("2 5\n", "", "task 2 of 2 has no time; add it"),
        ("2 5", "1 5", "line 7: task 1 has two times"),
        ("2 5", "3 5", "line 7: the task is '3'; write a whole number from 1 to 2"),
        ("2 5", "2 11", "line 7: its time is '11'; write a whole number from 1 to 10"),
        ("2 5", "2", "line 7: the file ends before its time"),
        ("1,2", "1,2,3", "line 9: '3' follows two tasks"),
        ("1,2", "1,2\n2,1", "precedence has a cycle: 1 before 2 before 1|precedence has a cycle: 2 before 1 before 2"),
        ("<cycle time>", "<task times>", "line 5: <task times> occurs twice"),
        ("<end>\n", "", "does not end with <end>"),
        ("1,2\n<end>\n", "", "does not end with <end>"),
        ("<number of tasks>", "tasks", "line 1: 'tasks' precedes the first section"),
    ],
)
def test_a_mistake_in_an_alb_file_is_named(old: str, new: str, message: str, tmp_path: Path) -> None:
    """The error names the file, the line or the section, what is wrong, and what to write."""
    path = tmp_path / "wrong.alb"
    path.write_text(ALB.replace(old, new))
    with pytest.raises(bf.InputError, match=message) as caught:
        AssemblyLine.from_file(path)
    assert str(path) in str(caught.value)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("2 10 3", "line 1: the file ends before size 2 of 2"),
        ("1 10 11", "line 1: size 1 of 1 is '11'; write a whole number from 1 to 10"),
        ("1 10 5 5", "line 1: '5' follows the last size"),
    ],
)
def test_a_mistake_in_a_bin_file_is_named(text: str, message: str, tmp_path: Path) -> None:
    """The error names the file, the line, what is wrong, and what to write."""
    path = tmp_path / "wrong.bpp"
    path.write_text(text)
    with pytest.raises(bf.InputError, match=message):
        BinPacking.from_file(path)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (([11], [], 10), "has size 11, but the capacity is 10"),
        (([1, 2], [(1, 3)], 10), "names the task 3"),
        (([1, 2], [(1, 2, 3)], 10), "write pairs"),
        (([0], [], 10), "entry 0 of times is 0"),
        (([1, 2], list(pairwise([1, 2, 1])), 10), "precedence has a cycle"),
    ],
)
def test_a_mistake_in_an_argument_is_named(arguments: tuple[Any, ...], message: str) -> None:
    """The error says what is wrong, and what to write."""
    with pytest.raises(bf.InputError, match=message):
        AssemblyLine(*arguments)

"""Multi-agent path finding: three methods with equal costs, limits, what files may contain, and results."""

from __future__ import annotations

from heapq import heappop, heappush
from itertools import pairwise, product
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import bestfirst as bf
from bestfirst.models import AgentPaths, ConstraintTree, MultiAgent, solve_agents
from profiles import examples
from twins import assert_twins

INSTANCES = Path(__file__).parents[2] / "examples" / "instances"
METHODS = "joint", "independent", "conflict-based"
CROSSING = MultiAgent(["@.@", "...", "@.@"], [(0, 1), (1, 0)], [(2, 1), (1, 2)], names=["x", "y"])
EXCHANGE = (["..."], [(0, 0), (2, 0)], [(2, 0), (0, 0)])


@st.composite
def instances(draw: Any) -> tuple[list[str], list[tuple[int, int]], list[tuple[int, int]]]:
    """A small map with one to three agents."""
    width, height = draw(st.integers(2, 4)), draw(st.integers(2, 3))
    blocked = draw(st.sets(st.tuples(st.integers(0, width - 1), st.integers(0, height - 1)), max_size=3))
    free = sorted({*product(range(width), range(height))} - blocked)
    count = draw(st.integers(1, min(3, len(free))))
    places = st.lists(st.sampled_from(free), min_size=count, max_size=count, unique=True)
    cells = ["".join(".@"[(x, y) in blocked] for x in range(width)) for y in range(height)]
    return cells, draw(places), draw(places)


def least_cost(cells: list[str], starts: list[tuple[int, int]], goals: list[tuple[int, int]]) -> int | None:
    """The cost of the best paths, by uniform-cost search over the places of all agents, who move at the same time."""
    free = {(x, y) for y, row in enumerate(cells) for x, cell in enumerate(row) if cell == "."}

    def ways(x: int, y: int) -> list[tuple[int, int]]:
        return [place for place in ((x, y), (x + 1, y), (x - 1, y), (x, y + 1), (x, y - 1)) if place in free]

    agenda = [(0, tuple(starts), (False,) * len(starts))]
    known = set()
    while agenda:
        cost, places, done = heappop(agenda)
        if all(done):
            return cost
        if (places, done) in known:
            continue
        known.add((places, done))
        for agent, place in enumerate(places):
            if place == goals[agent] and not done[agent]:
                heappush(agenda, (cost, places, (*done[:agent], True, *done[agent + 1 :])))
        choices = [[place] if ended else ways(*place) for place, ended in zip(places, done, strict=True)]
        for after in product(*choices):
            swaps = any(
                after[one] == places[other] and after[other] == places[one]
                for other in range(len(after))
                for one in range(other)
            )
            if len({*after}) == len(after) and not swaps:
                heappush(agenda, (cost + done.count(False), after, done))
    return None


@given(instances())
@examples(20)
def test_all_methods_find_the_least_cost(instance: tuple[Any, ...]) -> None:
    """They agree with a search over simultaneous moves; conflict-based search, which does not end without a solution, may
    reach its limit, and proves nothing then."""
    problem = MultiAgent(*instance)
    optimum = least_cost(*instance)
    for method in METHODS:
        found = solve_agents(problem, method, limits=bf.Limits(expansions=60 if method == "conflict-based" else None))
        if found.status == "limit":
            assert method == "conflict-based" and not found.found
            assert optimum is None or found.lower_bound <= optimum
        else:
            assert (found.status, found.cost) == ("unsolvable" if optimum is None else "optimal", optimum)
        for path in found.paths:
            assert all(abs(x - u) + abs(y - v) <= 1 for (x, y), (u, v) in pairwise(path))


@given(instances())
@examples(10)
def test_both_engines_run_the_same_search(instance: tuple[Any, ...]) -> None:
    """A* for all agents together has equal counts in both engines; one compilation serves one to four agents."""
    assert_twins(MultiAgent(*instance), "astar", "distances-left", expansions=400)


@given(instances())
@examples(10)
def test_the_heuristics_keep_their_promises(instance: tuple[Any, ...]) -> None:
    """No estimate exceeds the true cost, nor the cost of an action plus the estimate after it."""
    audit = bf.audit(MultiAgent(*instance), "distances-left", states=2000)
    assert audit.consistent is not False and audit.admissible is not False, audit


def test_the_tree_of_constraints_is_a_problem() -> None:
    """Of two agents that cross, one waits; the only conflict makes a path longer, so the start is known to cost 1 more."""
    tree = ConstraintTree(CROSSING)
    assert (tree.least, tree.cardinal(tree.initial), len(tree.initial.conflicts)) == (4, 1, 1)
    solution = bf.solve(tree)
    assert (solution.status, solution.cost, solution.stats.expanded) == ("optimal", 1, 1)
    assert solution.actions == ["x not to 1,1 at 1"]


@pytest.mark.parametrize("method", METHODS)
def test_agents_on_a_larger_map(method: str) -> None:
    """Six agents in rooms take 71 steps in all."""
    problem = MultiAgent.from_file(INSTANCES / "rooms.scen", agents=6)
    found = solve_agents(problem, method)
    assert (found.status, found.cost, found.lower_bound, len(found.paths)) == ("optimal", 71, 71, 6)
    assert found.costs == tuple(len(path) - 1 for path in found.paths)


@pytest.mark.parametrize("method", METHODS)
def test_a_limit_leaves_a_lower_bound(method: str) -> None:
    """A search that is stopped has a bound that is at least the sum of the distances, and names the limit."""
    problem = MultiAgent.from_file(INSTANCES / "rooms.scen", agents=8)
    found = solve_agents(problem, method, limits=bf.Limits(expansions=0))
    assert (found.status, found.limit, found.found, found.cost) == ("limit", "expansions", False, None)
    assert 107 <= found.lower_bound <= 109


def test_seconds_are_for_all_groups_together() -> None:
    """Independent search does not begin a search for which no time is left."""
    problem = MultiAgent.from_file(INSTANCES / "rooms.scen", agents=8)
    found = solve_agents(problem, "independent", limits=bf.Limits(seconds=0.001))
    assert (found.status, found.limit, found.found) == ("limit", "seconds", False)


def test_agents_that_cannot_pass_each_other_are_unsolvable() -> None:
    """In a corridor, two agents cannot exchange their places; a goal behind a wall is noticed by each method."""
    for method in ("joint", "independent"):
        found = solve_agents(MultiAgent(*EXCHANGE), method)
        assert (found.status, found.lower_bound) == ("unsolvable", float("inf"))
    walled = MultiAgent([".@."], [(0, 0)], [(2, 0)], names=["Ann"])
    for method in METHODS:
        assert "agent Ann" in str(solve_agents(walled, method).reason)
    with pytest.raises(bf.InputError, match="agent Ann"):
        ConstraintTree(walled)


def test_check_finds_no_fault() -> None:
    """The methods compile, and pictures are sound."""
    report = bf.check(CROSSING, states=50)
    assert report.ok and report.compiled, report


def test_paths_have_places_and_times(tmp_path: Path) -> None:
    """A result can be written as CSV and drawn; a list of actions has paths, too."""
    found = solve_agents(CROSSING)
    assert (found.cost, found.makespan, sorted(found.costs)) == (5, 3, [2, 3])
    found.to_csv(tmp_path / "paths.csv")
    lines = (tmp_path / "paths.csv").read_text().splitlines()
    assert lines[:2] == ["agent,time,x,y", "x,0,0,1"] and len(lines) == 1 + 5 + 2
    assert found.picture().startswith("<svg")
    listed = CROSSING.paths(["E", "wait", "E", "S", "stay", "S", "stay"])
    assert listed.paths == (((0, 1), (1, 1), (2, 1)), ((1, 0), (1, 0), (1, 1), (1, 2)))
    with pytest.raises(bf.InputError, match="action 'W'"):
        CROSSING.paths(["W"])


@pytest.mark.parametrize(
    ("paths", "message"),
    [
        ([(1, 2, 3), (0, 2, 4)], "agents x and y collide at time 1"),
        ([(1, 3), (0, 0, 2, 4)], "the path of agent x does not lead"),
        ([(1, 2), (0, 0, 2, 4)], "the path of agent x does not lead"),
    ],
)
def test_wrong_paths_are_no_result(paths: list[tuple[int, ...]], message: str) -> None:
    """Paths are verified, whichever method found them."""
    with pytest.raises(bf.VerificationError, match=message):
        AgentPaths.of(CROSSING, paths, bf.Status.OPTIMAL, 5)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ((["..."], [(0, 0)], []), "the number of starts is 1, but that of goals is 0; pass one of each"),
        ((["..."], [], []), "the number of agents is 0; use 1 to 128"),
        ((["..."], [(3, 0)], [(0, 0)]), "the start of agent 1 is 3,0; on this map x is 0 .. 2"),
        ((["..@"], [(0, 0)], ["2,0"]), "the goal of agent 1 is 2,0, which is blocked"),
        ((["..."], [(0, 0), (0, 0)], [(1, 0), (2, 0)]), "agents 1 and 2 both have the start 0,0"),
        ((["..."], [(0, 0), (1, 0)], [(2, 0), (2, 0)]), "agents 1 and 2 both have the goal 2,0"),
        ((["..."], "0,0", [(2, 0)]), "starts is '0,0'; write a list of places"),
    ],
)
def test_a_mistake_in_an_argument_is_named(arguments: tuple[Any, ...], message: str) -> None:
    """The error says what is wrong, and what to write."""
    with pytest.raises(bf.InputError, match=message):
        MultiAgent(*arguments)
    with pytest.raises(bf.InputError, match="method is 'fast'; write 'conflict-based', 'independent' or 'joint'"):
        solve_agents(CROSSING, "fast")


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("0\ta.map\t3", "0\tb.map\t3", "line 2: this agent is on another map"),
        ("\t3\t1\t", "\t4\t1\t", "line 2: the scenario is for a map 4 wide"),
        ("\t2\t0\t0\t0\t2", "\t0\t0\t0\t0\t2", "wrong.scen: agents 1 and 2 both have the start"),
        ("2", "2", "the number of agents is 3, but .* has 2"),
    ],
)
def test_a_mistake_in_a_file_is_named(old: str, new: str, message: str, tmp_path: Path) -> None:
    """The error names the file, what is wrong, and what to write."""
    for name in ("a.map", "b.map"):
        (tmp_path / name).write_text("type octile\nheight 1\nwidth 3\nmap\n...\n")
    path = tmp_path / "wrong.scen"
    lines = ["version 1", "0\ta.map\t3\t1\t0\t0\t1\t0\t1", "0\ta.map\t3\t1\t2\t0\t0\t0\t2"]
    if "another map" in message:
        lines[1] = lines[1].replace("a.map", "b.map")
        message = message.replace("line 2", "line 3")
        path.write_text("\n".join(lines))
    else:
        path.write_text("\n".join(lines).replace(old, new))
    with pytest.raises(bf.InputError, match=message):
        MultiAgent.from_file(path, agents=3 if old == new else None)

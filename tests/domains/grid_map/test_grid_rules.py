"""Grids with other rules: corners that are cut, weights of terrain, passable letters, and maps that wrap."""

from __future__ import annotations

import math
from fractions import Fraction
from itertools import product
from typing import Any

import networkx as nx
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import bestfirst as bf
from bestfirst.cli.app import run
from profiles import examples
from twins import assert_twins

ROOT2 = math.sqrt(2)
POND = """
..S..
.WWW.
.@W@.
.....
"""
STEPS = {"N": (0, -1), "NE": (1, -1), "E": (1, 0), "SE": (1, 1), "S": (0, 1), "SW": (-1, 1), "W": (-1, 0), "NW": (-1, -1)}


class Drawn:
    """A random map with random rules, and its steps by the rules themselves."""

    def __init__(self, draw: st.DrawFn, longest: int) -> None:
        self.width, self.height = draw(st.integers(1, longest)), draw(st.integers(1, longest))
        self.rows = [draw(st.text("...SW@", min_size=self.width, max_size=self.width)) for _ in range(self.height)]
        self.neighbours = draw(st.sampled_from([4, 8]))
        self.corners: Any = draw(st.sampled_from(["never", "one", "always"])) if self.neighbours == 8 else "never"
        self.wrap = draw(st.booleans())
        self.passable = draw(st.sampled_from([None, ".", ".W", "WS."]))
        letters = self.passable or ".S"
        some = st.sampled_from([0.5, 1, 1.5, 3])
        self.weights = draw(st.none() | st.dictionaries(st.sampled_from(letters), some))
        self.ends = [(draw(st.integers(0, self.width - 1)), draw(st.integers(0, self.height - 1))) for _ in range(2)]

    def is_free(self, x: int, y: int) -> bool:
        if self.wrap:
            x, y = x % self.width, y % self.height
        inside = 0 <= x < self.width and 0 <= y < self.height
        return inside and self.rows[y][x] in (self.passable or ".GS")

    def weight(self, x: int, y: int) -> float:
        return (self.weights or {}).get(self.rows[y][x], 1)

    def steps(self, x: int, y: int) -> list[tuple[str, tuple[int, int], float]]:
        found = []
        for name, (right, down) in STEPS.items():
            beside = self.is_free(x + right, y) + self.is_free(x, y + down)
            is_diagonal = bool(right and down)
            if not (self.is_free(x, y) and self.is_free(x + right, y + down)) or (is_diagonal and self.neighbours == 4):
                continue
            if is_diagonal and beside < {"never": 2, "one": 1, "always": 0}[self.corners]:
                continue
            to = ((x + right) % self.width, (y + down) % self.height)
            found.append((name, to, (self.weight(x, y) + self.weight(*to)) / 2 * (ROOT2 if is_diagonal else 1)))
        return found

    def distances(self) -> dict[Any, float]:
        """From each free cell to the goal, by NetworkX."""
        graph: nx.MultiDiGraph[Any] = nx.MultiDiGraph()  # on a narrow map that wraps, several steps lead to one cell
        for x, y in product(range(self.width), range(self.height)):
            graph.add_nodes_from([(x, y)] if self.is_free(x, y) else [])
            steps = sorted(self.steps(x, y), key=lambda step: -step[2])  # of several to one cell, the cheapest remains
            graph.add_edges_from((to, (x, y), {"weight": cost}) for _, to, cost in steps)
        goal = self.ends[1]
        return dict(nx.single_source_dijkstra_path_length(graph, goal)) if goal in graph else {}

    def grid(self, rows: list[str] | None = None) -> bf.GridMap:
        rules: Any = {"neighbours": self.neighbours, "corners": self.corners, "wrap": self.wrap}
        return bf.GridMap(rows or self.rows, *self.ends, passable=self.passable, weights=self.weights, **rules)


@st.composite
def drawn(draw: st.DrawFn, longest: int = 6) -> Drawn:
    return Drawn(draw, longest)


@examples(40)
@given(one=drawn())
def test_the_steps_are_those_of_the_rules(one: Drawn) -> None:
    """In order, with their costs, from every cell."""
    grid = one.grid()
    for x, y in product(range(one.width), range(one.height)):
        found = [(action, grid.point(state), cost) for action, state, cost in grid.successors(grid.at((x, y)))]
        expected = one.steps(x, y)
        assert [step[:2] for step in found] == [step[:2] for step in expected]
        assert [cost for _, _, cost in found] == pytest.approx([cost for _, _, cost in expected])


@examples(30)
@given(one=drawn())
def test_the_optimum_is_that_of_networkx(one: Drawn) -> None:
    """With each admissible heuristic, backward and from both ends; estimates are admissible and consistent."""
    grid, truth = one.grid(), one.distances()
    cost = truth.get(one.ends[0], math.inf)
    for problem, algorithm in [(grid, "astar"), (grid.backward(), "astar"), (grid, "bidirectional-astar")]:
        for name, heuristic in problem.heuristics().items():
            if heuristic.admissible:
                solution = bf.solve(problem, algorithm, name, engine="python")
                solution.verify()
                assert solution.cost == (None if cost == math.inf else pytest.approx(cost))
                assert solution.status == ("unsolvable" if cost == math.inf else "optimal")
                assert solution.warnings == []
    for heuristic in grid.heuristics().values():
        for point, distance in truth.items() if heuristic.admissible else ():
            assert heuristic(grid.at(point)) <= distance + 1e-9
            for _, after, step in grid.successors(grid.at(point)):
                assert heuristic(grid.at(point)) <= step + heuristic(after) + 1e-9


@examples(30)
@given(one=drawn(longest=8))
def test_the_engines_are_twins(one: Drawn) -> None:
    """The same search to the node. With 8 neighbours, since each number has code of its own."""
    if one.neighbours == 8 and one.grid().unsolvable() is None:
        assert_twins(one.grid(), "astar")


def test_bidirectional_search_has_a_twin() -> None:
    """On a map with all rules, it costs what a search from one end does."""
    grid = bf.GridMap(POND, (0, 0), (4, 3), corners="one", weights={"S": 2.5, "W": 4}, wrap=True)
    assert assert_twins(grid, "bidirectional-astar").cost == bf.solve(grid, engine="python").cost


@examples(40)
@given(one=drawn(), data=st.data())
def test_a_map_with_other_cells(one: Drawn, data: st.DataObject) -> None:
    """It is the map made anew, and the cells whose steps or costs differ are those that changed."""
    grid = one.grid()
    points = list(product(range(one.width), range(one.height)))
    blocked = data.draw(st.sets(st.sampled_from(points)))
    heavy = data.draw(st.sets(st.sampled_from(points))) if grid.is_weighted else set()
    other = grid.with_cells(blocked=blocked, weights=dict.fromkeys(heavy, 7))
    rows = ["".join("@" if (x, y) in blocked else one.rows[y][x] for x in range(one.width)) for y in range(one.height)]
    anew = one.grid(rows)
    if grid.is_weighted:
        anew = anew.with_cells(weights=dict.fromkeys(heavy, 7))
    steps = {point: list(other.successors(other.at(point))) for point in points}
    assert steps == {point: list(anew.successors(anew.at(point))) for point in points}
    changed = other.changed_states(grid)
    assert changed is not None
    differing = {grid.at(point) for point in points if list(grid.successors(grid.at(point))) != steps[point]}
    assert differing <= set(changed)
    assert (
        other.with_cells(free=blocked & {point for point in points if one.is_free(*point)}).changed_states(other) is not None
    )


def test_a_cell_that_becomes_free_has_the_lowest_weight() -> None:
    """Unless it had a weight before it was blocked."""
    grid = bf.GridMap(".@S", (0, 0), (2, 0), weights={".": 2, "S": 6})
    assert bf.solve(grid.with_cells(free=["1,0"])).cost == 2 + 4
    assert bf.solve(grid.with_cells(blocked=["2,0"]).with_cells(free=["2,0", "1,0"])).cost == 2 + 4
    assert grid.with_cells(weights={"2,0": 0.5}).with_cells(free=["1,0"]).lowest_weight == 0.5


def test_a_robot_replans_when_weights_change() -> None:
    """D* Lite finds what a new search finds."""
    grid = bf.GridMap([".....", ".....", "....."], (0, 1), (4, 1), weights={}, wrap=True)
    robot = bf.Replanner(grid)
    assert robot.solution().cost == 1
    now = grid.with_cells(weights={(0, 1): 3, (4, 1): 3, (0, 0): 9, (4, 2): 2})
    robot.change(now)
    assert robot.solution().cost == pytest.approx(bf.solve(now).cost)


def test_pictures_and_recordings() -> None:
    """They show a path around a map that wraps, and weighted cells as free."""
    grid = bf.GridMap(POND, (0, 0), (4, 3), weights={"W": 2}, wrap=True)
    solution = bf.solve(grid, trace=True)
    assert solution.actions == ["NW"] and grid.draw_path(solution.states) == "S....\n.....\n.@.@.\n....G"
    assert solution.trace is not None and "bestfirst-viewer" in str(solution.trace._repr_html_())


def test_an_array_of_weights() -> None:
    """A step costs its length times the mean of its two cells."""
    weights = np.array([[1.0, 5.0, 1.0], [2.0, 2.0, 2.0]])
    grid = bf.GridMap(np.ones((2, 3), bool), (0, 0), (2, 0), neighbours=4, weights=weights)
    assert bf.solve(grid).cost == 6
    assert bf.solve(bf.GridMap(np.ones((2, 3), bool), (0, 0), (2, 0), neighbours=4)).cost == 2


@pytest.mark.parametrize(
    ("rules", "fault"),
    [
        ({"corners": "two"}, "use 'never', 'one' or 'always'"),
        ({"corners": "one", "neighbours": 4}, "no step is diagonal"),
        ({"wrap": 1}, "wrap"),
        ({"weights": {"S": 0}}, "the weight of 'S' is 0"),
        ({"weights": {"S": "2"}}, "use a number from 1e-100"),
        ({"weights": {".": 10**400}}, "401 digits.*from 1e-100 to 1e"),
        ({"weights": {".": Fraction(10**5000)}}, "from 1e-100 to 1e"),
        ({"weights": {".": 5e-324}}, "the weight of '.' is 5e-324; use a number from 1e-100"),
        ({"weights": np.full((4, 5), 1e300)}, "the weight of the cell 0,0 is 1e.300; use a number"),
        ({"corners": np.array(["never", "one"])}, "use 'never', 'one' or 'always'"),
        ({"neighbours": 8.0}, "neighbours is 8.0; use 4 or 8"),
        ({"weights": {"SW": 2}}, "'SW', which is not a letter"),
        ({"weights": {"W": 2}, "passable": ".S"}, "'W' has a weight, but is not in passable"),
        ({"weights": 2}, "weights is 2; write {letter: weight}"),
        ({"weights": np.ones((2, 2))}, r"of shape \(2, 2\) .* shape \(4, 5\)"),
        ({"weights": np.full((4, 5), -1.0)}, "the weight of the cell 0,0 is -1.0"),
        ({"passable": ""}, "write the letters of the free cells"),
        ({"passable": ". "}, "not a letter of a map"),
    ],
)
def test_bad_rules(rules: Any, fault: str) -> None:
    """Each says what to write."""
    with pytest.raises(bf.InputError, match=fault):
        bf.GridMap(POND, (0, 0), (4, 3), **rules)


@pytest.mark.parametrize(
    ("cells", "fault"),
    [
        ([b"....", b"..."], "row 1 of the map: this row has 3 cells, but the map is 4 wide"),
        ([b"..", b".x"], "row 1 of the map: this row has the character 'x'"),
        ([b"", b"."], "the map is empty"),
    ],
)
def test_bad_rows_of_bytes(cells: list[bytes], fault: str) -> None:
    """They are checked as rows of text are."""
    with pytest.raises(bf.InputError, match=fault):
        bf.GridMap(cells, (0, 0), (1, 0))
    assert bf.GridMap([b"..", b".@"], (0, 0), (1, 0)).free.tolist() == [[True, True], [True, False]]


@pytest.mark.parametrize(
    ("cells", "fault"),
    [
        ({"weights": [1]}, r"weights is \[1\]; pass {point: weight}"),
        ({"weights": np.ones((4, 5))}, "pass {point: weight}"),
        ({"weights": {(0, 0): 0}}, r"the weight of \(0, 0\) is 0; use a number from 1e-100"),
        ({"blocked": 5}, "blocked is 5; pass a list of points"),
        ({"free": [(10**5000, 0)]}, "the free cell is an int of .* bits,0; on this map"),
    ],
)
def test_bad_changes_of_cells(cells: Any, fault: str) -> None:
    """Each says what to write."""
    grid = bf.GridMap(POND, (0, 0), (4, 3), weights={"S": 2})
    with pytest.raises(bf.InputError, match=fault):
        grid.with_cells(**cells)


def test_what_plain_grids_have_alone() -> None:
    """Jump points, other weights, and letters of an array need certain rules, and say which."""
    for rules, named in [({"corners": "one"}, "corners='one'"), ({"weights": {}}, "weights"), ({"wrap": True}, "wrap")]:
        with pytest.raises(bf.InputError, match=f"has {named}.* jump points do not support"):
            bf.GridMap(POND, (0, 0), (4, 3), **rules).jump_points()  # type: ignore[arg-type]
    assert bf.solve(bf.GridMap(POND, (0, 0), (2, 2), passable=".SW").jump_points()).cost == pytest.approx(2 + ROOT2)
    with pytest.raises(bf.InputError, match="no weights to change"):
        bf.GridMap(POND, (0, 0), (4, 3)).with_cells(weights={(0, 0): 2})
    with pytest.raises(bf.InputError, match="an array have no letters"):
        bf.GridMap(np.ones((2, 2), bool), (0, 0), (1, 1), passable="S")
    with pytest.raises(bf.InputError, match=r"the character '\?'; cells are S @ O T W \. G \(free\)$"):
        bf.GridMap(["S@?"], (0, 0), (0, 0), passable="S@OTW.G")
    with pytest.raises(bf.InputError, match="not supported for several agents"):
        bf.models.MultiAgent(bf.GridMap(POND, (0, 0), (4, 3), wrap=True), [(0, 0)], [(4, 3)])


def test_the_rules_on_the_command_line(tmp_path: Any, capsys: pytest.CaptureFixture[str]) -> None:
    """As in Python."""
    path = tmp_path / "pond.map"
    path.write_text("type octile\nheight 4\nwidth 5\nmap" + POND)
    ends = ["--from", "2,0", "--to", "2,3"]
    for rules, cost in [
        ([], "cost 7 in"),
        (["--wrap", "yes"], "cost 1 in"),
        (["--passable", ".SW"], "cost 3 in"),
        (["--weights", "W=1.5 S=2", "--corners", "one"], "cost 4.5 in"),
    ]:
        assert run(["solve", "grid-map", str(path), *ends, *rules]) == 0
        assert cost in capsys.readouterr().out
    for rules, fault in [
        (["--wrap", "maybe"], "use yes or no"),
        (["--weights", "W"], "write each letter once with its weight"),
        (["--corners", "some"], "'never', 'one' or 'always'"),
    ]:
        assert run(["solve", "grid-map", str(path), *ends, *rules]) == 2
        assert fault in " ".join(capsys.readouterr().err.split())

"""Grids: which steps are legal, what the heuristics say, the files of the Moving AI Lab, and the optimum on random maps."""

from __future__ import annotations

import math
import pickle
from collections.abc import Callable
from pathlib import Path
from typing import Any

import networkx as nx
import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

import bestfirst as bf
from bestfirst.cli.app import run
from profiles import examples
from twins import assert_twins

ROOM = """
....@...
..@.@...
..@.....
..@@@@@.
........
"""
ROOT2 = math.sqrt(2)


@st.composite
def grids(draw: st.DrawFn, neighbours: int, longest: int = 6) -> bf.GridMap:
    """Random maps of at most so many columns and rows, with a start and a goal anywhere."""
    width, height = draw(st.integers(1, longest)), draw(st.integers(1, longest))
    rows = [draw(st.text("...@", min_size=width, max_size=width)) for _ in range(height)]
    start, goal = ((draw(st.integers(0, width - 1)), draw(st.integers(0, height - 1))) for _ in range(2))
    return bf.GridMap(rows, start, goal, neighbours=neighbours)


@st.composite
def open_grids(draw: st.DrawFn, neighbours: int, longest: int = 6) -> bf.GridMap:
    """Likewise, with a start and a goal from which steps lead, so that there is something to search."""
    grid = draw(grids(neighbours, longest))
    points = [(x, y) for y in range(grid.height) for x in range(grid.width) if list(grid.successors(grid.at((x, y))))]
    assume(points)
    return grid.between(draw(st.sampled_from(points)), draw(st.sampled_from(points)))


def graph_of(grid: bf.GridMap) -> nx.Graph[Any]:
    """The free cells and the steps between them, by the rule itself: a diagonal step needs both cells beside it."""
    free = {(x, y) for y in range(grid.height) for x in range(grid.width) if np.asarray(grid.free)[y, x]}
    graph: nx.Graph[Any] = nx.Graph()
    graph.add_nodes_from(free)
    for x, y in free:
        graph.add_edges_from(((x, y), other, {"weight": 1}) for other in [(x + 1, y), (x, y + 1)] if other in free)
        if grid.max_actions == 8:
            for across in (-1, 1):
                if {(x + across, y), (x, y + 1), (x + across, y + 1)} <= free:
                    graph.add_edge((x, y), (x + across, y + 1), weight=ROOT2)
    return graph


def distances(grid: bf.GridMap) -> dict[Any, float]:
    """The cost of the cheapest way from each cell to the goal, by NetworkX."""
    graph, goal = graph_of(grid), grid.point(grid.goal_state())
    return dict(nx.single_source_dijkstra_path_length(graph, goal)) if goal in graph else {}


# Steps.


def test_a_diagonal_step_cuts_no_corner() -> None:
    """It needs both cells beside its way; actions come clockwise from the north."""
    grid = bf.GridMap(["...", "@..", "..."], (1, 1), (0, 0))
    steps = [(action, grid.format(after), cost) for action, after, cost in grid.successors(grid.initial)]
    assert steps == [
        ("N", "1,0", 1),
        ("NE", "2,0", ROOT2),
        ("E", "2,1", 1),
        ("SE", "2,2", ROOT2),
        ("S", "1,2", 1),
    ]


def test_with_4_neighbours_steps_are_straight_and_cost_1() -> None:
    """The costs are ints, so an algorithm that counts actions is optimal."""
    grid = bf.GridMap("...\n...\n...", (1, 1), (0, 0), neighbours=4)
    steps = [(action, grid.format(after), cost, type(cost)) for action, after, cost in grid.successors(grid.initial)]
    assert steps == [("N", "1,0", 1, int), ("E", "2,1", 1, int), ("S", "1,2", 1, int), ("W", "0,1", 1, int)]
    assert bf.solve(grid, "breadth-first").status == "optimal"


@pytest.mark.parametrize("neighbours", [4, 8])
@examples(50)
@given(data=st.data())
def test_the_steps_are_those_of_the_rule(neighbours: int, data: st.DataObject) -> None:
    """On random maps: from each free cell to the neighbours of the graph, at their cost; none from a blocked one.

    unrank undoes rank.
    """
    grid = data.draw(grids(neighbours))
    graph = graph_of(grid)
    for y in range(grid.height):
        for x in range(grid.width):
            state = grid.at((x, y))
            steps = {grid.point(after): cost for _, after, cost in grid.successors(state)}
            expected = {other: graph.edges[(x, y), other]["weight"] for other in graph[x, y]} if (x, y) in graph else {}
            assert steps == expected
            assert 0 <= grid.rank(state) < grid.size and grid.unrank(grid.rank(state)) == state
            assert state.cell < 1 << grid.bits["cell"]


def test_the_check_finds_no_fault() -> None:
    """Interpreted and compiled methods say the same."""
    check = bf.check(bf.GridMap(ROOM, (0, 0), (7, 0)))
    assert check.ok and check.compiled


# The optimum, and both engines.


@pytest.mark.parametrize("neighbours", [4, 8])
@examples(25)
@given(data=st.data())
def test_the_optimum_is_that_of_networkx(neighbours: int, data: st.DataObject) -> None:
    """With each heuristic that is a lower bound, also from the goal backward; a way that is not there is proved not to be."""
    grid = data.draw(grids(neighbours))
    truth = distances(grid).get(grid.point(grid.initial), math.inf)
    for problem in (grid, grid.backward()):
        for name, heuristic in problem.heuristics().items():
            if not heuristic.admissible:
                continue
            solution = bf.solve(problem, "astar", name, engine="python")
            solution.verify()
            assert solution.status == ("unsolvable" if truth == math.inf else "optimal")
            assert solution.cost == (None if truth == math.inf else pytest.approx(truth))
            assert solution.warnings == []


@pytest.mark.parametrize("neighbours", [4, 8])
@examples(50)
@given(data=st.data())
def test_the_heuristics_keep_what_they_say(neighbours: int, data: st.DataObject) -> None:
    """They never overestimate and fall by no more than a step costs; manhattan says that with 8 neighbours it may."""
    grid = data.draw(grids(neighbours))
    assert grid.heuristics()["manhattan"].admissible == (neighbours == 4)
    for heuristic in grid.heuristics().values():
        if heuristic.admissible:
            for point, distance in distances(grid).items():
                assert heuristic(grid.at(point)) <= distance + 1e-9
                for _, after, cost in grid.successors(grid.at(point)):
                    assert heuristic(grid.at(point)) <= cost + heuristic(after) + 1e-9


def test_the_heuristics_on_an_open_map() -> None:
    """Four columns and three rows away."""
    grid = bf.GridMap(["....."] * 4, (0, 0), (4, 3))
    values = {name: heuristic(grid.initial) for name, heuristic in grid.heuristics().items()}
    assert values == {"octile": pytest.approx(1 + 3 * ROOT2), "manhattan": 7, "euclidean": 5, "chebyshev": 4}
    assert bf.solve(grid).heuristic == "octile"
    assert bf.solve(bf.GridMap(["....."] * 4, (0, 0), (4, 3), neighbours=4)).heuristic == "manhattan"


@examples(20)
@given(grid=open_grids(4, longest=8))
def test_the_engines_are_twins_with_4_neighbours(grid: bf.GridMap) -> None:
    """The same search to the node."""
    assert_twins(grid, "astar")


@examples(40)
@given(grid=open_grids(8, longest=8))
def test_the_engines_are_twins_with_8_neighbours(grid: bf.GridMap) -> None:
    """The same search to the node, with costs that are rounded."""
    assert_twins(grid, "astar")


@examples(15)
@given(grid=open_grids(8, longest=4))
def test_idastar_has_a_twin_with_8_neighbours(grid: bf.GridMap) -> None:
    """On small maps with a way, since IDA* looks at all ways there are."""
    assume(grid.point(grid.initial) in distances(grid))
    assert_twins(grid, "idastar")


# Other ends on the same map.


def test_other_ends_share_the_map() -> None:
    """The arrays are the same ones; the first grid stays as it was."""
    grid = bf.GridMap(ROOM, (0, 0), (7, 0))
    other = grid.between("0,4", (3, 1))
    assert other.compiled_value("legal") is grid.compiled_value("legal")
    assert (other.format(other.initial), other.format(other.goal_state())) == ("0,4", "3,1")
    assert (grid.format(grid.initial), grid.goal_x) == ("0,0", 7)
    assert bf.solve(other).cost == pytest.approx(distances(other)[0, 4])


def test_a_grid_can_be_pickled() -> None:
    """So it can be sent to another process."""
    grid = pickle.loads(pickle.dumps(bf.GridMap(ROOM, (0, 0), (7, 0))))
    assert bf.solve(grid).cost == pytest.approx(7 + 2 * ROOT2)


@pytest.mark.parametrize(
    ("start", "goal", "reason"),
    [
        ((4, 0), (0, 0), "the start 4,0 is blocked"),
        ((0, 0), (4, 0), "the goal 4,0 is blocked"),
        ((0, 0), (3, 0), None),
        ((6, 0), (0, 0), "no step leads from or to the start 6,0"),
        ((6, 0), (6, 0), None),
    ],
)
def test_a_dead_end_is_known_without_a_search(start: Any, goal: Any, reason: str | None) -> None:
    """A start or goal that is blocked, or shut in on all sides."""
    solution = bf.solve(bf.GridMap(["....@@.@"], start, goal))
    assert solution.reason == reason
    assert solution.status == ("optimal" if reason is None else "unsolvable")


# How a state is shown.


def test_the_way_is_drawn_on_the_map() -> None:
    """S and G are the ends, o the way between them."""
    grid = bf.GridMap(ROOM, (0, 0), (7, 0))
    assert grid.draw_path(bf.solve(grid).states) == "Sooo@..G\n..@o@.o.\n..@ooo..\n..@@@@@."
    assert grid.draw_path([]) == "S...@..G\n..@.@..."


def test_a_state_is_drawn_with_what_is_around_it() -> None:
    """Of a large map only a window is shown, as large at the rim as elsewhere; a small map is shown whole."""
    grid = bf.GridMap(np.ones((100, 100), bool), (50, 50), (99, 99))
    lines = grid.draw(grid.initial).split("\n")
    assert (len(lines), {len(line) for line in lines}, lines[3]) == (7, {15}, ".......o.......")
    assert grid.draw(grid.at((50, 51))).split("\n")[2:4] == [".......S.......", ".......o......."]
    lines = grid.draw(grid.at((98, 99))).split("\n")
    assert (len(lines), lines[-1]) == (7, ".............oG")
    room = bf.GridMap(ROOM, (0, 0), (7, 0))
    assert room.draw(room.at((3, 1))) == "S...@..G\n..@o@...\n..@.....\n..@@@@@.\n........"


def test_a_state_is_written_as_x_and_y() -> None:
    """The column from the left and the row from the top, and as a cell of a picture likewise."""
    grid = bf.GridMap(ROOM, "3,1", "7,0")
    assert (grid.format(grid.initial), grid.label(grid.initial)) == ("3,1", "3,1")
    assert grid.cells(grid.initial) == [(1, 3, "3,1")]
    assert repr(grid) == "GridMap(3,1)"


# What is refused.


@pytest.mark.parametrize(
    ("cells", "fault"),
    [
        ("", "the map is empty"),
        ([], "the map is empty"),
        ([""], "the map is empty"),
        ([[1, 0]], r"the map is \[\[1, 0\]\]"),
        (["...", ".."], "row 1 of the map: this row has 2 cells, but the map is 3 wide"),
        (["...", ".x."], "row 1 of the map: this row has the character 'x'"),
        (["..\N{SNOWMAN}"], "row 0 of the map: this row has the character"),
        (np.ones((3, 3)), "an array of shape .* and type float64"),
        (np.ones(3, bool), r"an array of shape \(3,\)"),
        (np.ones((0, 3), bool), r"an array of shape \(0, 3\)"),
    ],
)
def test_what_is_no_map_is_refused(cells: Any, fault: str) -> None:
    """The message names the row."""
    with pytest.raises(bf.InputError, match=fault):
        bf.GridMap(cells, (0, 0), (0, 0))


@pytest.mark.parametrize(
    ("start", "goal", "fault"),
    [
        ((8, 0), (0, 0), "the start is 8,0; on this map x is 0 .. 7 and y is 0 .. 4"),
        ((0, 0), (0, -1), "the goal is 0,-1"),
        ("0;0", (0, 0), "the start is '0;0'; write a column and a row"),
        ("0,0,0", (0, 0), "the start is '0,0,0'"),
        ((0, 0), 5, "the goal is 5"),
        ((0, 0), (0.5, 1), r"the goal is \(0.5, 1\)"),
    ],
)
def test_a_point_that_is_not_on_the_map_is_refused(start: Any, goal: Any, fault: str) -> None:
    """The message names it and says where the map ends."""
    with pytest.raises(bf.InputError, match=fault):
        bf.GridMap(ROOM, start, goal)


def test_a_cell_has_4_or_8_neighbours() -> None:
    """No other number."""
    with pytest.raises(bf.InputError, match="neighbours is 6"):
        bf.GridMap(ROOM, (0, 0), (7, 0), neighbours=6)


# Files.

HEAD = "type octile\nheight 5\nwidth 8\nmap"


def write(folder: Path, name: str, text: str) -> Path:
    path = folder / name
    path.parent.mkdir(exist_ok=True)
    path.write_text(text)
    return path


@pytest.mark.parametrize("text", [HEAD + ROOM, (HEAD + ROOM).replace("\n", "\r\n"), HEAD + ROOM.replace(".", "G") + "\n\n"])
def test_a_map_of_the_moving_ai_lab(tmp_path: Path, text: str) -> None:
    """Whatever ends its lines, and whichever free terrain it has."""
    path = write(tmp_path, "room.map", text)
    grid = bf.GridMap.from_file(path, (0, 0), (7, 0))
    assert bf.solve(grid).cost == pytest.approx(7 + 2 * ROOT2)
    assert bf.solve(bf.GridMap.from_file(path, (0, 0), (7, 0), neighbours=4)).cost == 11


def test_terrain_is_free_or_blocked(tmp_path: Path) -> None:
    """Swamps can be crossed; trees, water and what is out of bounds cannot."""
    path = write(tmp_path, "terrain.map", "type octile\nheight 1\nwidth 7\nmap\n.GS@OTW\n")
    assert np.asarray(bf.GridMap.from_file(path, (0, 0), (1, 0)).free).tolist() == [[True] * 3 + [False] * 4]


@pytest.mark.parametrize("version", ["version 1", "version 1.0"])
def test_scenarios_are_solved_at_their_optimal_lengths(tmp_path: Path, version: str) -> None:
    """Those that the description of the format shows; the map is found by its path or beside the file, and read once."""
    write(tmp_path, "arena.map", "type octile\nheight 49\nwidth 49\nmap\n" + 49 * ("." * 49 + "\n"))
    lines = [
        "0\tmaps/dao/arena.map\t49\t49\t1\t11\t1\t12\t1",
        "0\tmaps/dao/arena.map\t49\t49\t1\t13\t4\t12\t3.41421",
    ]
    path = write(tmp_path, "arena.map.scen", "\n".join([version, *lines]) + "\n")
    problems = list(bf.GridMap.scenarios(path))
    for grid, scenario in problems:
        assert bf.solve(grid).cost == pytest.approx(scenario.optimal, abs=1e-5)
    assert [scenario.bucket for _, scenario in problems] == [0, 0]
    assert problems[0][0].compiled_value("legal") is problems[1][0].compiled_value("legal")


@pytest.mark.parametrize(
    ("text", "faults"),
    [
        ("", ["is empty"]),
        ("type octile\nheight 5\nwidth 8\n....", ["begins with", "'type octile', 'height Y', 'width X' and 'map'"]),
        ("type octile\nheight -5\nwidth 8\nmap\n", ["begins with"]),
        ("type octile\nheight 2\nwidth 8\nmap" + ROOM, ["has 5 rows", "height 2 and width 8"]),
        ("type octile\nheight 5\nwidth 9\nmap" + ROOM, ["line 5", "8 cells", "9 wide"]),
        ((HEAD + ROOM).replace("..@.....", "..@..?.."), ["line 7", "'?'"]),
        ("type octile\nheight 0\nwidth 0\nmap\n", ["height 0 and width 0", "at least one cell"]),
        ("type octile\nheight 4000000000\nwidth 8\nmap" + ROOM, ["height 4000000000", "at most 999999999 rows"]),
        ("type octile\nheight 5\nwidth 1" + 5000 * "0" + "\nmap" + ROOM, ["width 1000", "...", "at most 999999999 rows"]),
        ("type octile\nheight 0005\nwidth 9\nmap" + ROOM, ["line 5", "8 cells", "9 wide"]),
        (500 * "no map ", ["begins with 'no map no map", "..."]),
    ],
)
def test_a_damaged_map_is_refused(tmp_path: Path, text: str, faults: list[str]) -> None:
    """The message names the file, the line where there is one, and what is wrong."""
    path = write(tmp_path, "room.map", text)
    with pytest.raises(bf.InputError) as refusal:
        bf.GridMap.from_file(path, (0, 0), (7, 0))
    for fault in [str(path), *faults]:
        assert fault in str(refusal.value)


READERS: dict[str, Callable[[Path], object]] = {
    ".map": lambda path: bf.GridMap.from_file(path, (0, 0), (1, 1)),
    ".scen": lambda path: list(bf.GridMap.scenarios(path)),
    ".csv": lambda path: bf.RoadMap.from_csv(path, "A", "B"),
    ".json": lambda path: bf.RoadMap.from_json(path, "A", "B"),
}


@pytest.mark.parametrize("ending", READERS)
def test_text_in_utf_16_is_named(tmp_path: Path, ending: str) -> None:
    """Rather than called no map."""
    path = tmp_path / f"room{ending}"
    path.write_text(HEAD + ROOM, encoding="utf-16")
    with pytest.raises(bf.InputError, match="is encoded as UTF-16; save the file as UTF-8"):
        READERS[ending](path)


@pytest.mark.skipif(not Path("/dev/zero").is_char_device(), reason="there is no /dev/zero")
@pytest.mark.parametrize("ending", READERS)
def test_a_device_is_not_read(tmp_path: Path, ending: str) -> None:
    """It may have no end, and memory has one."""
    path = tmp_path / f"endless{ending}"
    path.symlink_to("/dev/zero")
    with pytest.raises(bf.InputError, match="is a device; use the path of a file"):
        READERS[ending](path)


SCENARIO = "0\troom.map\t8\t5\t0\t0\t7\t0\t9.82842712"


@pytest.mark.parametrize(
    ("text", "faults"),
    [
        ("", ["is empty"]),
        (SCENARIO, ["begins with", "version 1"]),
        ("version 2\n" + SCENARIO, ["version 2"]),
        ("version 1\n" + SCENARIO + "\t5", ["line 2", "10 fields"]),
        (
            "version 1\n\n" + SCENARIO.replace("\t5\t", "\tfive\t"),
            ["line 3", "every other field except the map must be a whole number"],
        ),
        ("version 1\n" + SCENARIO.replace("9.82842712", "nan"), ["line 2", "the length is 'nan'; use a finite number >= 0"]),
        ("version 1\n" + SCENARIO.replace("room", "hall"), ["line 2", "hall.map", "put the map there"]),
        ("version 1\n" + SCENARIO.replace("room", "r" * 300), ["line 2", "rrr.map", "put the map there"]),
        ("version 1\n" + SCENARIO.replace("\t5\t", "\t6\t"), ["line 2", "6 high", "5 high", "scaling is not supported"]),
        ("version 1\n" + SCENARIO.replace("\t7\t", "\t8\t"), ["the goal is 8,0"]),
    ],
)
def test_a_damaged_file_of_scenarios_is_refused(tmp_path: Path, text: str, faults: list[str]) -> None:
    """The message names the file and the line where there is one, and what is wrong."""
    write(tmp_path, "room.map", HEAD + ROOM)
    path = write(tmp_path, "room.scen", text)
    with pytest.raises(bf.InputError) as refusal:
        list(bf.GridMap.scenarios(path))
    for fault in faults:
        assert fault in str(refusal.value)


def test_a_file_that_is_not_there_is_named(tmp_path: Path) -> None:
    """Map or scenarios."""
    with pytest.raises(bf.InputError, match=r"nowhere\.map cannot be read"):
        bf.GridMap.from_file(tmp_path / "nowhere.map", (0, 0), (7, 0))
    with pytest.raises(bf.InputError, match=r"nowhere\.scen cannot be read"):
        list(bf.GridMap.scenarios(tmp_path / "nowhere.scen"))


# The command line.


def test_a_map_is_solved_from_its_file(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A map with its ends, and a scenario by its number."""
    room = write(tmp_path, "room.map", HEAD + ROOM)
    backward = SCENARIO.replace("0\t0\t7\t0", "7\t0\t0\t0")
    scenarios = write(tmp_path, "room.scen", "\n".join(["version 1", SCENARIO, backward]))
    assert run(["solve", "grid-map", str(room), "--from", "0,0", "--to", "7,0", "--neighbours", "4"]) == 0
    assert "cost 11 in 11 actions" in capsys.readouterr().out
    assert run(["solve", "grid-map", str(scenarios), "--number", "2"]) == 0
    out = capsys.readouterr().out
    assert "cost 9.828427125 in 9 actions" in out and "astar with octile" in out


@pytest.mark.parametrize(
    ("arguments", "fault"),
    [
        (["room.map"], "needs a start and a goal"),
        (["room.map", "--from", "0,0", "--to", "7,0", "--number", "1"], "no scenario number"),
        (["room.scen", "--from", "0,0"], "contains starts and goals"),
        (["room.scen", "--number", "3"], "has scenarios 1 .. 1"),
        (["room.scen", "--number", "one"], "'one'"),
        (["room.scen", "--neighbours", "6"], "neighbours is '6'"),
        (["room.txt"], "ends in .map or .scen"),
        (["none.scen"], "none.scen has no scenarios"),
    ],
)
def test_bad_words_of_a_command_line_are_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], arguments: list[str], fault: str
) -> None:
    """With the remedy."""
    write(tmp_path, "room.map", HEAD + ROOM)
    write(tmp_path, "room.scen", "version 1\n" + SCENARIO)
    write(tmp_path, "none.scen", "version 1\n")
    monkeypatch.chdir(tmp_path)
    assert run(["solve", "grid-map", *arguments]) == 2
    assert fault in " ".join(capsys.readouterr().err.split())


# Several goals, and maps that change.


def test_several_goals() -> None:
    """The nearest of several goals is found, and both engines run the same search; one goal in a list is like one."""
    grid = bf.GridMap(ROOM, (0, 0), [(7, 0), "0,4", (7, 4)])
    assert assert_twins(grid, "astar").states[-1] == grid.at("0,4")
    assert grid.backward() is None and grid.goal_state() is None
    assert grid.goal_states() == [grid.at("7,0"), grid.at("0,4"), grid.at("7,4")]
    assert grid.draw(grid.initial).count("G") == 3
    one = grid.between((0, 0), [(7, 0)])
    assert (one.goal_state(), one.unsolvable()) == (grid.at("7,0"), None)
    blocked = grid.between((0, 0), [(4, 0), (2, 1)]).unsolvable()
    assert blocked == "the goal 4,0 is blocked"
    assert grid.between((0, 0), [(4, 0), (7, 0)]).unsolvable() is None
    with pytest.raises(bf.InputError, match="one goal"):
        grid.jump_points()


@pytest.mark.parametrize("goal", [[], [(1, 2, 3)], ["9,9"], [(0, 0), 5]])
def test_bad_goals(goal: Any) -> None:
    """Each must be a point of the map, and there must be one."""
    with pytest.raises(bf.InputError, match="the goal is"):
        bf.GridMap(ROOM, (0, 0), goal)


@given(grid=grids(8), data=st.data())
@examples(30)
def test_a_map_with_other_cells(grid: bf.GridMap, data: st.DataObject) -> None:
    """It is the map made anew, the first one stays as it is, and the cells whose steps differ are those that changed."""
    points = [(x, y) for y in range(grid.height) for x in range(grid.width)]
    now = {point: data.draw(st.booleans()) for point in data.draw(st.sets(st.sampled_from(points)))}
    free = np.array(np.asarray(grid.free))
    legal = np.array(np.asarray(grid.legal))
    other = grid.with_cells(blocked=[point for point in now if not now[point]], free=[point for point in now if now[point]])
    assert (np.asarray(grid.free) == free).all() and (np.asarray(grid.legal) == legal).all()
    for (x, y), value in now.items():
        free[y, x] = value
    anew = bf.GridMap(free, grid.point(grid.initial), grid.point(grid.goal_state()))
    assert (np.asarray(other.free) == free).all() and (np.asarray(other.legal) == np.asarray(anew.legal)).all()
    changed = other.changed_states(grid)
    assert changed == [
        grid.at(point) for point in points if list(grid.successors(grid.at(point))) != list(other.successors(grid.at(point)))
    ]


def test_bad_cells() -> None:
    """A cell is on the map, and is not blocked and free; a map of another size is no version of this one."""
    grid = bf.GridMap(ROOM, (0, 0), (7, 0))
    with pytest.raises(bf.InputError, match="the blocked cell is 9,9"):
        grid.with_cells(blocked=[(9, 9)])
    with pytest.raises(bf.InputError, match="as blocked and as free"):
        grid.with_cells(blocked=[(1, 1)], free=["1,1"])
    assert grid.changed_states(bf.GridMap("..", (0, 0), (1, 0))) is None


@pytest.mark.parametrize("rows", [["....."], ["..", "..", ".."], ["....", "...."]])
@pytest.mark.parametrize("neighbours", [4, 8])
def test_both_engines_agree_where_a_map_is_so_narrow_that_several_steps_lead_back(rows: list[str], neighbours: int) -> None:
    """A step to the left and one to the right lead to the same cell there."""
    grid = bf.GridMap(rows, (0, 0), (len(rows[0]) // 2, len(rows) - 1), neighbours=neighbours, wrap=True)
    assert_twins(grid, "idastar", "zero")

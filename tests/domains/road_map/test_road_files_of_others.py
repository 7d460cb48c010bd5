"""DIMACS and GraphML files: what they say, what is refused, and networks of real units."""

from __future__ import annotations

import gzip
from pathlib import Path
from typing import Any

import networkx as nx
import numpy as np
import pytest

import bestfirst as bf
from bestfirst.cli.app import run
from twins import assert_twins

ARCS = "c three places\np sp 3 4\na 1 2 803\na 2 1 803\na 2 3 1500\na 1 3 9000\n"
PLACES = "p aux sp co 3\nc places\nv 1 -73530767 41085396\nv 3 -73519366 41048796\nv 2 -73530538 41086098\n"
GRAPH = """<?xml version="1.0" encoding="UTF-8"?>
<graphml xmlns="http://graphml.graphdrawing.org/xmlns">
  <key id="d0" for="edge" attr.name="length" attr.type="double"/>
  <key id="d1" for="node" attr.name="x" attr.type="double"/>
  <key id="d2" for="node" attr.name="y" attr.type="double"><default>0</default></key>
  <graph edgedefault="directed">
    <node id="A"><data key="d1">0</data></node>
    <node id="B"><data key="d1">3</data><data key="d2">4</data></node>
    <edge source="A" target="B"><data key="d0">6.5</data></edge>
    <edge source="A" target="B"><data key="d0">6</data></edge>
    <edge source="B" target="A" directed="false"><data key="d0">7</data></edge>
  </graph>
</graphml>
"""


def write(path: Path, text: str) -> Path:
    path.write_bytes(gzip.compress(text.encode()) if path.suffix == ".gz" else text.encode())
    return path


@pytest.mark.parametrize(
    ("arcs", "places"), [("d.gr", "d.co"), ("d.gr.gz", "d.co.gz"), ("USA-road-t.X.gr", "USA-road-d.X.co")]
)
def test_a_network_of_the_dimacs_challenge(tmp_path: Path, arcs: str, places: str) -> None:
    """Its places are found by the name; nodes are numbered as in the file; the path is proved optimal in decimetres."""
    write(tmp_path / places, PLACES)
    network = bf.RoadNetwork.from_dimacs(write(tmp_path / arcs, ARCS), 1, 3)
    solution = assert_twins(network, "astar")
    assert (solution.cost, solution.actions, solution.status) == (2303, [2, 3], "optimal")
    assert [network.format(state) for state in solution.states] == ["1", "2", "3"]
    assert network.default_heuristic == "scaled-distance" and 0.3 < network.scale < 10
    assert solution.heuristic == f"scaled-distance({network.scale:.4g})"
    assert bf.solve(network.between(3, 1)).status == "unsolvable"
    back = network.backward()
    assert back is not None and (back.format(back.initial), bf.solve(back).actions) == ("3", [3, 2])
    assert bf.solve(network.with_roads([(1, 3, 5)])).actions == [3]
    assert bf.solve(network, "bidirectional-astar", engine="python").cost == 2303


def test_a_byte_order_mark_is_read_over(tmp_path: Path) -> None:
    """As some editors write it, before the first line of each file."""
    write(tmp_path / "d.co", "\ufeff" + PLACES)
    network = bf.RoadNetwork.from_dimacs(write(tmp_path / "d.gr", "\ufeff" + ARCS.removeprefix("c three places\n")), 1, 3)
    assert bf.solve(network).cost == 2303


def test_a_network_without_places_is_searched_without_estimate(tmp_path: Path) -> None:
    """Unless a file of them is given; costs may be fractions."""
    path = write(tmp_path / "a.gr", ARCS.replace("803", "80.5"))
    network = bf.RoadNetwork.from_dimacs(path, 1, [3])
    assert (bf.solve(network).algorithm, bf.solve(network).cost) == ("uniform-cost", 1580.5)
    given = bf.RoadNetwork.from_dimacs(path, 1, 3, coordinates=write(tmp_path / "b.co", PLACES), distance="straight")
    assert bf.solve(given).algorithm == "astar"


@pytest.mark.parametrize(
    ("arcs", "places", "faults"),
    [
        ("", None, ["no line 'p sp NODES ARCS'"]),
        ("p sp 3\n", None, ["line 1", "write 'p sp NODES ARCS'"]),
        (ARCS.replace("a 2 3 1500", "a 2 3"), None, ["line 5", "'a 2 3'", "write 'a FROM TO COST'"]),
        (
            ARCS.replace("1 2 803\n", "1 2\n").replace("3 1500", "3 1500 5"),
            None,
            ["line 3", "'a 1 2'", "write 'a FROM TO COST'"],
        ),
        (ARCS.replace("803\na", "803 a", 1), None, ["line 3", "write 'a FROM TO COST'"]),
        (ARCS.replace("1500", str(2**63)), None, ["line 5", "fit into 64 bits"]),
        (ARCS.replace("1500", "9" * 5000), None, ["line 5", "fit into 64 bits"]),
        (ARCS.replace("1500", str(2**63 - 1)), None, ["bad.gr exceeds 2**61", "such as 803.0"]),
        (ARCS.replace("2 3 1500", "1e300 3 1.5"), None, ["line 5", "nodes are 1 .. 3"]),
        (ARCS.replace("1500", "far"), None, ["line 5", "with numbers"]),
        (ARCS.replace("1500", "nan"), None, ["line 5", "with numbers"]),
        (ARCS.replace("1500", "-1"), None, ["line 5", "a cost is a number >= 0"]),
        (ARCS.replace("a 2 3", "a 2 4"), None, ["line 5", "nodes are 1 .. 3"]),
        (ARCS.replace("p sp 3 4", "p sp 3 5"), None, ["has 4 arcs", "says 5"]),
        ("p sp 0 0\n", None, ["no nodes"]),
        (ARCS, PLACES.replace("co 3", "co 4"), ["4 nodes", "has 3"]),
        (ARCS, PLACES.replace("v 3", "v 2"), ["2 lines with the coordinates of node 2"]),
        (ARCS, PLACES.replace("v 3", "v 9"), ["line 4", "nodes are 1 .. 3"]),
        (ARCS, PLACES.replace("41048796", "x"), ["line 4", "write 'v NODE X Y'"]),
        (ARCS, PLACES.replace("41048796", "410487960"), ["line 4", "node 3", "410", "degrees"]),
        (ARCS, PLACES.replace("41086098", "").replace("3 -7", "3 1 -7"), ["bad.co, line 4", "write 'v NODE X Y'"]),
    ],
)
def test_a_damaged_network_is_refused(tmp_path: Path, arcs: str, places: str | None, faults: list[str]) -> None:
    """The message names the file, the line where there is one, and what to write."""
    path = write(tmp_path / "bad.gr", arcs)
    if places is not None:
        write(tmp_path / "bad.co", places)
    with pytest.raises(bf.InputError) as refusal:
        bf.RoadNetwork.from_dimacs(path, 1, 3)
    for fault in faults:
        assert fault in str(refusal.value)


def test_a_file_that_is_cut_off_is_named(tmp_path: Path) -> None:
    """A gzip file, of either kind."""
    for name, read in [("a.gr.gz", bf.RoadNetwork.from_dimacs), ("a.graphml.gz", bf.RoadMap.from_graphml)]:
        path = tmp_path / name
        path.write_bytes(gzip.compress(ARCS.encode())[:-9])
        with pytest.raises(bf.InputError, match="not a complete gzip file"):
            read(path, 1, 3)  # type: ignore[operator]


@pytest.mark.parametrize("name", ["map.graphml", "map.graphml.gz"])
def test_a_graph_in_graphml(tmp_path: Path, name: str) -> None:
    """The cheapest of parallel edges, directions, defaults, and the places of the nodes."""
    cities = bf.RoadMap.from_graphml(write(tmp_path / name, GRAPH), "A", "B")
    assert {city: dict(roads) for city, roads in cities.roads.items()} == {"A": {"B": 6}, "B": {"A": 7}}
    assert cities.coordinates == {"A": (0, 0), "B": (3, 4)}
    assert (bf.solve(cities).heuristic, bf.solve(cities).status) == ("straight-line", "optimal")


def test_graphml_of_networkx_is_read_as_networkx_wrote_it(tmp_path: Path) -> None:
    """With its default attribute, undirected."""
    graph: nx.Graph[str] = nx.Graph()
    graph.add_weighted_edges_from([("A", "B", 3), ("B", "C", 4.5), ("A", "C", 9)])
    path = tmp_path / "graph.graphml"
    nx.write_graphml_xml(graph, path)
    cities = bf.RoadMap.from_graphml(path, "C", "A")
    assert (bf.solve(cities).cost, cities.coordinates) == (7.5, None)


@pytest.mark.parametrize(
    ("old", "new", "fault"),
    [
        ("</graphml>", "", "line 14: this is not valid XML|line 15: this is not valid XML"),
        ('<data key="d0">6</data>', "", "line 10: this edge has no 'length'"),
        (">6.5<", ">far<", "line 9: this edge has 'far' where a number is expected"),
        (">6.5<", ">\u00b2<", "line 9: this edge has '\u00b2' where a number is expected; write a finite number"),
        (">6.5<", f">{'9' * 5000}<", "line 9: this edge has '9{40}...' where a number is expected"),
        (">3<", ">\u00b2<", "line 8: this node has '\u00b2' where a number is expected"),
        (">3<", f">{'9' * 5000}<", "line 8: this node has"),
        (">6.5<", ">-1<", "line 9: the edge from 'A' to 'B' costs -1"),
        ('target="A"', 'target="Z"', "no node 'Z'"),
        ('<node id="B">', '<node id="A">', "node 'A' is given twice"),
        ('"directed">', '"maybe">', "write directed or undirected"),
        ('attr.name="length"', 'attr.name="time"', "'weight'"),
        ("<graph ", "<other ", "line [0-9]+: this node is outside a graph"),
        ("UTF-8", "utf-9", "line 1: the encoding cannot be read .*; save the file as UTF-8"),
        ("UTF-8", "shift_jis", "line 1: the encoding cannot be read .*; save the file as UTF-8"),
    ],
)
def test_a_damaged_graph_is_refused(tmp_path: Path, old: str, new: str, fault: str) -> None:
    """The message names the file, and the place."""
    path = write(tmp_path / "map.graphml", GRAPH.replace(old, new))
    with pytest.raises(bf.InputError, match=fault):
        bf.RoadMap.from_graphml(path, "A", "B", coordinates=("x", "y"))


@pytest.mark.parametrize(
    ("options", "fault"),
    [
        ({"coordinates": "x"}, "coordinates is 'x'; pass the names of two attributes of the nodes"),
        ({"coordinates": "xy"}, "coordinates is 'xy'; pass the names of two attributes"),
        ({"coordinates": 5}, "coordinates is 5; pass the names of two attributes"),
        ({"weight": 5}, "weight is 5; pass the name of an attribute"),
    ],
)
def test_attributes_that_are_no_names(tmp_path: Path, options: Any, fault: str) -> None:
    """The message says what to pass."""
    with pytest.raises(bf.InputError, match=fault):
        bf.RoadMap.from_graphml(write(tmp_path / "map.graphml", GRAPH), "A", "B", **options)


def test_large_numbers_of_a_graph_are_exact(tmp_path: Path) -> None:
    """Also with a sign, and beyond what floats represent."""
    text = GRAPH.replace(">6<", f">+{2**60 + 1}<").replace(">6.5<", f">{2**60 + 3}<").replace(">7<", f">{2**60 + 5}<")
    cities = bf.RoadMap.from_graphml(write(tmp_path / "map.graphml", text), "A", "B")
    assert cities.roads["A"]["B"] == 2**60 + 1


def test_places_beyond_the_plane(tmp_path: Path) -> None:
    """In a plane, coordinates may exceed degrees, but not what can be squared."""
    arcs = write(tmp_path / "a.gr", ARCS)
    for places, is_fine in [("410487960", True), ("1e170", False)]:
        write(tmp_path / "a.co", PLACES.replace("41048796", places))
        if is_fine:
            assert bf.RoadNetwork.from_dimacs(arcs, 1, 3, distance="straight").compiled_value("y")[2] == pytest.approx(
                410.48796
            )
        else:
            with pytest.raises(bf.InputError, match=r"a\.co, line 4: the coordinates of node 3 .* use numbers up to 1e.150"):
                bf.RoadNetwork.from_dimacs(arcs, 1, 3, distance="straight")


def test_files_of_others_on_the_command_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """By their endings, with the options that belong to them."""
    write(tmp_path / "d.co", PLACES)
    arcs = write(tmp_path / "d.gr", ARCS)
    places = write(tmp_path / "other.co", PLACES)
    graph = write(tmp_path / "map.graphml.gz", GRAPH)
    ends = ["--from", "1", "--to", "3"]
    for arguments, told in [
        ([arcs, *ends], "cost 2,303 in 2 actions, optimal"),
        ([arcs, *ends, "--coordinates", places, "--distance", "straight"], "cost 2,303 in 2 actions, optimal"),
        ([graph, "--from", "A", "--to", "B", "--attribute", "length"], "cost 6 in 1 action"),
        ([graph, "--from", "A", "--to", "B", "--distance", "great-circle"], "astar with scaled-distance"),
    ]:
        assert run(["solve", "road-map", *map(str, arguments)]) == 0
        assert told in " ".join(capsys.readouterr().out.split())
    for arguments, fault in [
        ([arcs, "--from", "A", "--to", "3"], "numbers its nodes 1, 2, 3"),
        ([arcs, "--from", "1", "--to", "4"], "the nodes are 1 .. 3"),
        ([arcs, *ends, "--attribute", "x"], "omit --attribute"),
        ([graph, "--from", "A", "--to", "B", "--coordinates", places], "omit --coordinates"),
        ([graph, "--from", "A", "--to", "B", "--distance", "near"], "'straight' or 'great-circle'"),
        ([tmp_path / "map.txt", *ends], "ends in .csv, .json, .graphml or .gr"),
    ]:
        assert run(["solve", "road-map", *map(str, arguments)]) == 2
        assert fault in " ".join(capsys.readouterr().err.split())


def test_a_large_network_is_read_in_a_moment(tmp_path: Path) -> None:
    """A hundred thousand arcs: the same network as from arrays."""
    nodes = 50_000
    arcs = [(node, (node * step) % nodes, node % 97) for node in range(nodes) for step in (2, 7)]
    lines = "\n".join(f"a {origin + 1} {target + 1} {cost}" for origin, target, cost in arcs)
    network: Any = bf.RoadNetwork.from_dimacs(write(tmp_path / "large.gr", f"p sp {nodes} {len(arcs)}\n{lines}\n"), 2, 5)
    assert (network.compiled_value("target") == np.array([target for _, target, _ in arcs])).all()
    assert (network.compiled_value("cost") == np.array([cost for _, _, cost in arcs])).all()

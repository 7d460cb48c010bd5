"""The files of road maps: in how many ways they may be written, and what is refused."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

import bestfirst as bf
from bestfirst.domains.road_map import RoadMap


def ways(cities: RoadMap, city: str) -> list[tuple[str, float]]:
    """Where the roads from a city lead, in order, with their lengths."""
    return list(cities.roads[city].items())


def write(folder: Path, name: str, content: str | bytes) -> str:
    path = folder / name
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return str(path)


def read(path: str, start: str = "A", goal: str = "B") -> Any:
    return RoadMap.from_text(path, start=start, goal=goal)


def test_a_csv_file_of_both_tables(tmp_path: Path) -> None:
    """Numbers keep their kind; a road is two-way unless the file says otherwise."""
    text = "city,x,y\nA,0,0\nB,3,0\nC,3.5,-4\n\nfrom,to,length,oneway\nA,B,3,no\nB,C,4.25,yes\nA,C,6,\n"
    cities = read(write(tmp_path, "map.csv", text), "A", "C")
    assert cities.coordinates == {"A": (0, 0), "B": (3, 0), "C": (3.5, -4)}
    assert ways(cities, "A") == [("B", 3), ("C", 6)]
    assert ways(cities, "B") == [("A", 3), ("C", 4.25)]
    assert ways(cities, "C") == [("A", 6)]
    assert [type(cost) for _, cost in ways(cities, "B")] == [int, float]


@pytest.mark.parametrize(
    "text",
    [
        "from,to,length\nA,B,3\n",
        "\ufefffrom,to,length\r\nA,B,3\r\n",
        "\n\nfrom, to , length\n A , B , 3 \n\n\n",
        "From,To,Length,OneWay\nA,B,3,No",
        'length,to,from\n3,"B","A"\n',
        "from,to,length,,\nA,B,3,,\n,,,,\n",
        "from,to,length\nA,B,3\n\ncity,x,y\nA,0,0\nB,1,1\n",
    ],
)
def test_a_csv_file_may_be_written_in_many_ways(tmp_path: Path, text: str) -> None:
    """Spaces, quotes, capitals, a byte-order mark, the padding of spreadsheets; columns and tables in any order."""
    cities = read(write(tmp_path, "map.CSV", text))
    assert (ways(cities, "A"), ways(cities, "B")) == ([("B", 3)], [("A", 3)])


def test_a_json_file(tmp_path: Path) -> None:
    """With cities and one-way roads, or with the roads alone."""
    facts = {"cities": {"A": [0, 0], "B": [1.5, 2]}, "roads": [["A", "B", 3]], "directed": True}
    cities = read(write(tmp_path, "map.json", json.dumps(facts)))
    assert cities.coordinates == {"A": (0, 0), "B": (1.5, 2)}
    assert (ways(cities, "A"), ways(cities, "B")) == ([("B", 3)], [])
    cities = read(write(tmp_path, "map.json", '{"roads": [["A", "B", 3]]}'))
    assert cities.coordinates is None
    assert (ways(cities, "A"), ways(cities, "B")) == ([("B", 3)], [("A", 3)])


ROADS = "from,to,length\nA,B,3\n"


@pytest.mark.parametrize(
    ("content", "faults"),
    [
        ("", ["is empty"]),
        (" \n\n", ["is empty"]),
        ("city,x,y\nA,0,0\n", ["no table of roads"]),
        ("from,to\nA,B\n", ["line 1", "'from,to'", "from,to,length"]),
        ("from,to,length,length\nA,B,3,3\n", ["line 1", "from,to,length"]),
        ("from,to,length,one-way\nA,B,3,yes\n", ["line 1", "one-way"]),
        ("A,B,3\n", ["line 1", "'a,b,3'"]),
        ("city,x\nA,0\n\n" + ROADS, ["line 1", "city,x,y"]),
        (ROADS + "A,C\n", ["line 3", "2 cells"]),
        (ROADS + "A,C,3,5\n", ["line 3", "4 cells"]),
        (ROADS + "A,C,far\n", ["line 3", "road A-C", "'far'"]),
        (ROADS + "A,C,\n", ["line 3", "road A-C", "''"]),
        (ROADS + "A,C,-1\n", ["line 3", "road A-C", "-1"]),
        (ROADS + "A,C,nan\n", ["line 3", "road A-C", "nan"]),
        (ROADS + "A,C,inf\n", ["line 3", "road A-C", "inf"]),
        (ROADS + f"A,C,{'9' * 5000}\n", ["line 3", "road A-C", "is '999"]),
        (ROADS + "A,C\0,1\n", ["line 3", "a NUL character"]),
        (ROADS + ",C,1\n", ["line 3", "a city in both"]),
        (ROADS + "B,A,4\n", ["line 3", "road B-A", "4", "3"]),
        ("from,to,length,oneway\nA,B,3,maybe\n", ["line 2", "'maybe'", "yes or no"]),
        (ROADS + "\n" + ROADS, ["line 4", "second table of roads"]),
        (ROADS + "\ncity,x,y\nA,0,0\nB,east,0\n", ["line 6", "'B'", "'east'"]),
        (ROADS + "\ncity,x,y\nA,0,0\nB,nan,0\n", ["line 6", "'B'"]),
        (ROADS + "\ncity,x,y\nA,0,0\nB,1,0\nA,2,0\n", ["line 7", "'A' is given twice"]),
        (ROADS + "\ncity,x,y\nA,0,0\n,1,0\n", ["line 6", "needs a name"]),
        (ROADS + "\ncity,x,y\nA,0,0\n", ["line 2", "'B' has no coordinates"]),
        (ROADS + '"A,C,3\n', ["line 3", "not valid CSV"]),
        (b"from,to,length\nA,B\xe9,3\n", ["line 2", "UTF-8"]),
        (ROADS.encode("utf-16"), ["UTF-16", "UTF-8"]),
        (ROADS.encode("utf-32"), ["UTF-32", "UTF-8"]),
        ("from,to,length\nA,C,3\n", ["has no city", "'B'"]),
    ],
)
def test_a_damaged_csv_file_is_refused(tmp_path: Path, content: str | bytes, faults: Sequence[str]) -> None:
    """The message names the file, the line where there is one, and what is wrong."""
    path = write(tmp_path, "map.csv", content)
    with pytest.raises(bf.InputError) as refusal:
        read(path)
    for fault in [path, *faults]:
        assert fault in str(refusal.value)


@pytest.mark.parametrize(
    ("content", "faults"),
    [
        ("", ["is empty"]),
        ('{"roads": [\n["A", "B", 3]\n', ["line 3", "not valid JSON"]),
        ("[" * 100_000, ["as JSON"]),
        ('{"roads": [["A", "B", ' + "9" * 5000 + "]]}", ["as JSON"]),
        ('[["A", "B", 3]]', ["no list of roads"]),
        ('{"cities": {"A": [0, 0]}}', ["no list of roads"]),
        ('{"roads": {"A": "B"}}', ["no list of roads"]),
        ('{"roads": [["A", "B", 3]], "direct": true}', ["has no key", "'direct'", "did you mean directed"]),
        ('{"roads": [["A", "B", 3]], "directed": "yes"}', ["directed is 'yes'"]),
        ('{"roads": [["A", "B", 3], ["A", "B"]]}', ["road 2", "['A', 'B']"]),
        ('{"roads": [["A", 5, 3]]}', ["road 1", "['A', 5, 3]"]),
        ('{"roads": [["A", "", 3]]}', ["road 1"]),
        ('{"roads": ["A-B"]}', ["road 1", "'A-B'"]),
        ('{"roads": [["A", "B", "3"]]}', ["road 1", "road A-B", "'3'"]),
        ('{"roads": [["A", "B", NaN]]}', ["road 1", "road A-B", "nan"]),
        ('{"roads": [["A", "B", -3]]}', ["road 1", "road A-B", "-3"]),
        ('{"roads": [["A", "B", true]]}', ["road 1", "road A-B", "True"]),
        ('{"roads": [["A", "B", 3], ["B", "A", 4]]}', ["road 2", "road B-A"]),
        ('{"roads": [["A", "B", 3]], "cities": [["A", 0, 0]]}', ["cities is"]),
        ('{"roads": [["A", "B", 3]], "cities": {"A": [0, 0]}}', ["road 1", "'B' has no coordinates"]),
        ('{"roads": [["A", "B", 3]], "cities": {"A": [0, 0], "B": [0]}}', ["'B'", "[0]"]),
        ('{"roads": [["A", "B", 3]], "cities": {"A": [0, 0], "A": [0, 0]}}', ["'A' is given twice"]),
        (b'{"roads": [["A",\n"B\xe9", 3]]}', ["line 2", "UTF-8"]),
        ('{"roads": [["A", "C", 3]]}', ["has no city", "'B'"]),
    ],
)
def test_a_damaged_json_file_is_refused(tmp_path: Path, content: str | bytes, faults: Sequence[str]) -> None:
    """The message names the file, the line or the road where there is one, and what is wrong."""
    path = write(tmp_path, "map.json", content)
    with pytest.raises(bf.InputError) as refusal:
        read(path)
    for fault in [path, *faults]:
        assert fault in str(refusal.value)


def test_an_unknown_city_of_a_file_has_close_names(tmp_path: Path) -> None:
    """The error is an UnknownNameError that holds them."""
    path = write(tmp_path, "map.csv", "from,to,length\nArad,Zerind,75\n")
    with pytest.raises(bf.UnknownNameError, match="did you mean Arad") as refusal:
        read(path, "Arat", "Zerind")
    assert refusal.value.close == ["Arad"]


@pytest.mark.parametrize("name", ["nowhere.csv", "nowhere.json"])
def test_a_file_that_is_not_there_is_named(tmp_path: Path, name: str) -> None:
    """Neither is it found, nor is it a file, if it is a folder."""
    with pytest.raises(bf.InputError, match=f"{name} cannot be read"):
        read(str(tmp_path / name))
    (tmp_path / name).mkdir()
    with pytest.raises(bf.InputError, match=f"{name} cannot be read"):
        read(str(tmp_path / name))


@pytest.mark.parametrize("text", ["map.txt", "A-B", ""])
def test_a_text_that_names_no_map_is_refused(text: str) -> None:
    """The message says which files there are."""
    with pytest.raises(bf.InputError, match=r"\.csv, \.json, \.graphml or \.gr"):
        read(text)

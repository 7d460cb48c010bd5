"""A scenario file answered as a whole: the objects, the lengths that are checked, the summary, and what ends it early."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

import bestfirst as bf
from bestfirst.cli.app import run
from bestfirst.cli.json_output import SCHEMA

Captured = pytest.CaptureFixture[str]

ROOM = ["....@...", "..@.@...", "..@.....", "..@@@@@.", "........"]
QUERIES = [
    ((0, 0), (7, 0), "9.82842712"),
    ((0, 4), (7, 4), "7"),
    ((3, 2), (0, 0), "5"),
    ((0, 0), (1, 1), "1.4142135600"),
]


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The working directory, with room.map in maps and room.scen."""
    (tmp_path / "maps").mkdir()
    write_map(tmp_path / "maps" / "room.map", ROOM)
    write_scenarios(tmp_path / "room.scen", QUERIES)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def write_map(path: Path, rows: list[str]) -> None:
    path.write_text("\n".join(["type octile", f"height {len(rows)}", f"width {len(rows[0])}", "map", *rows, ""]))


def write_scenarios(path: Path, queries: list[Any], size: str = "8\t5") -> None:
    lines = [f"0\tmaps/room.map\t{size}\t{a}\t{b}\t{x}\t{y}\t{length}" for (a, b), (x, y), length in queries]
    path.write_text("\n".join(["version 1", *lines, ""]))


@pytest.mark.usefixtures("folder")
@pytest.mark.parametrize(
    "arguments",
    [
        ["maps/room.map", "--scenarios", "room.scen"],
        ["--scenarios", "room.scen"],
        ["room.scen"],
        ["room.scen", "--maps", "maps"],
        ["--scenarios", "room.scen", "--maps", "maps"],
        ["room.scen", "--on", "local", "--workers", "2"],
    ],
)
def test_each_query_is_an_object(capsys: Captured, arguments: list[str]) -> None:
    """With what solve --json has, the scenario, and whether its length is right; the summary is on standard error."""
    assert run(["solve", "grid-map", *arguments, "--json-lines", "--engine", "python"]) == 0
    out, err = capsys.readouterr()
    found = [json.loads(line) for line in out.splitlines()]
    assert [one["scenario"]["number"] for one in found] == [1, 2, 3, 4]
    alone = bf.solve(bf.GridMap(ROOM, (0, 0), (7, 0)), engine="python")
    assert found[0]["schema"] == SCHEMA and found[0]["command"] == "solve" and found[0]["instance"] == "room.scen"
    assert found[0]["scenario"] == {
        "number": 1,
        "map": str(Path("maps", "room.map")),
        "bucket": 0,
        "start": "0,0",
        "goal": "7,0",
        "length": 9.82842712,
    }
    assert [found[0]["cost"], found[0]["actions"]] == [alone.cost, alone.actions]
    assert found[0]["stats"]["expanded"] == alone.stats.expanded
    assert [one["agrees"] for one in found] == [True] * 4 and abs(found[0]["difference"]) < 1e-7
    assert [line.split()[:2] for line in err.splitlines()][:2] == [["queries", "4"], ["solved", "4"]]
    assert "wrong length  0" in err and "per second" in err


def test_wrong_lengths_are_told_and_counted(folder: Path, capsys: Captured) -> None:
    """In text, with their lines; the exit code is that of bad input."""
    write_scenarios(
        folder / "room.scen", [*QUERIES, ((0, 0), (0, 1), "1.1"), ((0, 0), (4, 0), "2"), ((0, 4), (3, 4), "3.00001")]
    )
    assert run(["solve", "grid-map", "--scenarios", "room.scen"]) == 2
    wrong, wall, *summary = capsys.readouterr().out.splitlines()
    assert wrong == "room.scen, line 6: the cheapest path costs 1, but the file gives the length 1.1 (difference -0.1)"
    assert wall == "room.scen, line 7: no path exists, but the file gives the length 2"
    assert [line.split()[:3] for line in summary][1:4] == [["solved", "6"], ["no", "path", "1"], ["wrong", "length", "2"]]


@pytest.mark.usefixtures("folder")
def test_jump_points_have_the_same_lengths(capsys: Captured) -> None:
    """For one query as for all of a file, with fewer states expanded."""
    expanded = []
    for jumps in ("no", "yes"):
        assert run(["solve", "grid-map", "room.scen", "--jump-points", jumps, "--json-lines", "--engine", "python"]) == 0
        found = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
        assert all(one["agrees"] for one in found)
        expanded.append(found[0]["stats"]["expanded"])
    assert (
        run(["solve", "grid-map", "room.scen", "--number", "1", "--jump-points", "yes", "--engine", "python", "--json"]) == 0
    )
    alone = json.loads(capsys.readouterr().out)
    assert alone["stats"]["expanded"] == expanded[1] < expanded[0] and alone["actions"][0] == "E3"
    for arguments, fault in (
        (["--jump-points", "maybe"], "jump_points is 'maybe'"),
        (["--neighbours", "4"], "neighbours=8"),
    ):
        assert run(["solve", "grid-map", "room.scen", "--number", "1", "--jump-points", "yes", *arguments]) == 2
        assert fault in capsys.readouterr().err


def test_lengths_under_other_rules_are_not_compared(folder: Path, capsys: Captured) -> None:
    """Nor those of paths that were not proved to be the cheapest."""
    assert run(["solve", "grid-map", "--scenarios", "room.scen", "--neighbours", "4"]) == 0
    assert "not checked" in capsys.readouterr().out
    greedy = ["--algorithm", "greedy", "--engine", "python", "--json-lines"]
    assert run(["solve", "grid-map", "room.scen", *greedy]) == 0
    assert {json.loads(line)["agrees"] for line in capsys.readouterr().out.splitlines()} == {True, None}
    write_scenarios(folder / "room.scen", [((0, 0), (4, 0), "2"), QUERIES[1]])
    assert run(["solve", "grid-map", "room.scen", "--json-lines", "--passable", "."]) == 1


@pytest.mark.usefixtures("folder")
def test_limits(capsys: Captured) -> None:
    """One of expansions ends a query; one of seconds ends all: what is done is printed, and the exit code is 3."""
    assert run(["solve", "grid-map", "room.scen", "--json-lines", "--expansions", "5"]) == 3
    out, err = capsys.readouterr()
    assert [json.loads(line)["status"] for line in out.splitlines()] == ["limit", "limit", "optimal", "optimal"]
    assert "4, 2 answered (limit)" in err
    assert run(["solve", "grid-map", "room.scen", "--json-lines", "--seconds", "0"]) == 3
    out, err = capsys.readouterr()
    assert (out, "4, 0 answered (limit)" in err) == ("", True)


@pytest.mark.parametrize(
    ("arguments", "fault"),
    [
        (["room.scen", "--json-lines", "--from", "0,0"], "--from selects one query"),
        (["--scenarios", "room.scen", "--number", "2"], "--number selects one query"),
        (["room.scen", "--json-lines", "--json"], "--json applies to a single query"),
        (["room.scen", "--json-lines", "--save-to", "x.npz"], "--save-to applies to a single query"),
        (["room.scen", "--json-lines", "--tree"], "a trace applies to a single query"),
        (["maps/room.map", "--json-lines"], "name the file with --scenarios FILE.scen"),
        (["room.scen", "--scenarios", "room.scen"], "omit 'room.scen', or write the path of a map"),
        (["maps/room.map", "--scenarios", "room.scen", "--maps", "maps"], "but the map is given as 'maps/room.map'"),
        (["--scenarios", "room.scen", "--maps", "elsewhere"], "--maps DIR"),
        (["--scenarios", "none.scen"], "none.scen has no scenarios"),
        (["--scenarios", "far.scen"], "far.scen, line 2: the goal is 9,9"),
        (["maps/room.map", "--from", "0,0", "--to", "1,1", "--maps", "maps"], "directory of maps"),
    ],
)
def test_what_does_not_fit_together_is_refused(folder: Path, capsys: Captured, arguments: list[str], fault: str) -> None:
    """Before the first query."""
    write_scenarios(folder / "none.scen", [])
    write_scenarios(folder / "far.scen", [((0, 0), (9, 9), "1")])
    assert run(["solve", "grid-map", *arguments]) == 2
    out, err = capsys.readouterr()
    assert out == "" and fault in " ".join(err.split())


def test_scenarios_are_for_grids(capsys: Captured) -> None:
    """The message names the problem."""
    assert run(["solve", "pancake", "3 1 2", "--json-lines"]) == 2
    assert "the problem is pancake" in capsys.readouterr().err


@pytest.mark.skipif(os.name == "nt", reason="Windows has no SIGINT for one process")
def test_ctrl_c_gives_what_is_done(folder: Path) -> None:
    """The queries until then are lines, and the summary and the exit code say that it was interrupted."""
    side = 150
    write_map(folder / "maps" / "room.map", ["." * side] * (side - 1) + ["." * (side - 2) + "@."])
    write_scenarios(folder / "room.scen", [((0, 0), (side - 1, 0), side - 1)] * 5000, f"{side}\t{side}")
    command = [sys.executable, "-m", "bestfirst", "solve", "grid-map", "room.scen", "--json-lines", "--engine", "python"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        first = process.stdout.readline()
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=60)
    assert process.returncode == 130
    answered = [json.loads(line)["agrees"] for line in [first, *out.splitlines()] if json.loads(line)["status"] == "optimal"]
    assert answered == [True] * len(answered) and 0 < len(answered) < 5000
    assert f"5,000, {len(answered):,} answered (interrupted)" in err and "Traceback" not in err


@pytest.mark.usefixtures("folder")
@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["--workers", "2"], "error: --workers requires --on; also pass --on local or --on ray"),
        (["--member", "astar"], "--member applies to a single query"),
        (["notes"], "the maps should be in notes, which is not a directory"),
    ],
)
def test_what_scenarios_do_not_take_is_told_in_words_of_the_command(
    arguments: list[str], words: str, capsys: Captured
) -> None:
    """Options, and not arguments of Python functions; a file is not called a directory without maps."""
    Path("notes").touch()
    assert run(["solve", "grid-map", *arguments, "--scenarios", "room.scen"]) == 2
    assert words in capsys.readouterr().err

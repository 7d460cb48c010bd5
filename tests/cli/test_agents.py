"""Paths of agents on the command line: the methods, the files, and what is refused."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from bestfirst.cli.app import run

Captured = pytest.CaptureFixture[str]

CROSSING = ["@.@", "...", "@.@"]
AGENTS = ["0\tcrossing.map\t3\t3\t0\t1\t2\t1\t2", "0\tcrossing.map\t3\t3\t1\t0\t1\t2\t2"]
SWAPPED = ["0\tcorridor.map\t3\t1\t0\t0\t2\t0\t2", "0\tcorridor.map\t3\t1\t2\t0\t0\t0\t2"]
SOLVE = ["solve", "multi-agent", "crossing.scen"]


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The working directory, with two maps."""
    for name, rows, agents in (("crossing", CROSSING, AGENTS), ("corridor", ["..."], SWAPPED)):
        head = ["type octile", f"height {len(rows)}", f"width {len(rows[0])}", "map"]
        (tmp_path / f"{name}.map").write_text("\n".join([*head, *rows, ""]))
        (tmp_path / f"{name}.scen").write_text("\n".join(["version 1", *agents, ""]))
    monkeypatch.chdir(tmp_path)


@pytest.mark.parametrize("method", ["conflict-based", "independent"])
def test_each_method_prints_the_paths(method: str, capsys: Captured) -> None:
    """One of the two agents waits for a step, so that they cost 2 and 3."""
    assert run([*SOLVE, "--method", method]) == 0
    out = capsys.readouterr().out
    assert out.startswith("1: 0,1 ") and "\n2: 1,0 " in out
    assert out.endswith("solved: cost 5, last arrival at time 3, optimal (proved)\n")


def test_the_paths_as_json_and_as_files(capsys: Captured) -> None:
    """A table of the places at all times, and a map."""
    assert run([*SOLVE, "--method", "conflict-based", "--json", "--output", "paths.csv"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert (found["method"], found["status"], found["cost"], sorted(found["costs"])) == (
        "conflict-based",
        "optimal",
        5,
        [2, 3],
    )
    assert Path("paths.csv").read_text().startswith("agent,time,x,y\n1,0,0,1\n")
    assert run([*SOLVE, "--method", "conflict-based", "--output", "paths.svg"]) == 0
    assert Path("paths.svg").read_text().startswith("<svg")


def test_the_map_may_be_elsewhere(capsys: Captured) -> None:
    """In a directory that --maps names, as the message about a missing map says."""
    Path("maps").mkdir()
    Path("crossing.map").rename("maps/crossing.map")
    assert run([*SOLVE, "--method", "joint"]) == 2
    assert "name the directory of the maps (--maps DIR)" in capsys.readouterr().err
    assert run([*SOLVE, "--method", "joint", "--maps", "maps"]) == 0


def test_what_a_limit_leaves(capsys: Captured) -> None:
    """A bound, no file, and exit code 3, though these agents could never pass each other."""
    limited = ["solve", "multi-agent", "corridor.scen", "--method", "conflict-based", "--expansions", "20"]
    assert run([*limited, "--output", "paths.csv"]) == 3
    told = capsys.readouterr()
    assert "stopped by the limit on expansions: no solution found so far; no solution costs less than" in told.out
    assert "was not written" in told.err and not Path("paths.csv").exists()


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ([*SOLVE, "--method", "fast"], "method is 'fast'; write 'conflict-based', 'independent' or 'joint'"),
        ([*SOLVE, "--method", "joint", "--algorithm", "astar"], "--method does not support --algorithm"),
        ([*SOLVE, "--method", "joint", "--output", "paths.txt"], "whose name ends in .csv or .svg"),
        ([*SOLVE, "--method", "joint", "--solutions", "2"], "--method and --solutions are both given"),
        (["solve", "n-queens", "4", "--method", "joint"], "--method is for multi-agent, but the problem is n-queens"),
    ],
)
def test_what_is_refused(arguments: list[str], message: str, capsys: Captured) -> None:
    """With a message that says what to write instead, and exit code 2."""
    assert run(arguments) == 2
    assert message in capsys.readouterr().err

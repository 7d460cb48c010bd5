"""Several goals, or solutions, on the command line: the nearest, the K nearest, or all; what ends the search, what is refused."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import bestfirst as bf
from bestfirst.cli.app import run
from bestfirst.cli.several import AT_MOST, INTERRUPTED, exit_code_for

Captured = pytest.CaptureFixture[str]

ROOM = ["....@...", "..@.@...", "..@.....", "..@@@@@.", "........"]
ROADS = "from,to,length\nA,B,1\nB,C,1\nC,D,3\nB,E,5\nX,Y,1\n"
DIMACS = "p sp 4 3\na 1 2 5\na 2 3 1\na 1 4 2\n"


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The working directory, with a grid and two road maps."""
    head = ["type octile", f"height {len(ROOM)}", f"width {len(ROOM[0])}", "map"]
    Path(tmp_path / "room.map").write_text("\n".join([*head, *ROOM, ""]))
    Path(tmp_path / "roads.csv").write_text(ROADS)
    Path(tmp_path / "roads.gr").write_text(DIMACS)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "120")


GRID = ["solve", "grid-map", "room.map", "--from", "0,0", "--neighbours", "4"]
GOALS = ["--goal", "7,0", "--goal", "3,0", "--goal", "0,4"]
MAP = ["solve", "road-map", "roads.csv", "--from", "A"]


@pytest.mark.parametrize(
    ("arguments", "last"),
    [
        ([*GRID, *GOALS], "3,0"),
        ([*GRID, "--to", "7,0", "--to", "0,4"], "0,4"),
        ([*MAP, "--to", "E", "--to", "D"], "D"),
        (["solve", "road-map", "roads.gr", "--from", "1", "--to", "3", "--to", "4"], "4"),
    ],
)
def test_of_several_goals_the_nearest_is_found(arguments: list[str], last: str, capsys: Captured) -> None:
    """--goal or --to is given once for each; the JSON object repeats them as a list."""
    assert run([*arguments, "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert (found["status"], found["states"][-1]) == ("optimal", last)
    assert last in found["options"]["goal"]


def test_one_goal_remains_a_text(capsys: Captured) -> None:
    """In the JSON object of a search with one goal."""
    assert run([*GRID, "--goal", "3,0", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["options"]["goal"] == "3,0"


def test_the_nearest_goals_are_shown_with_their_paths(capsys: Captured) -> None:
    """Each with its cost, the nearest first, then the outcome and the statistics of the one search."""
    assert run([*MAP, "--to", "E", "--to", "D", "--to", "C", "--nearest-goals", "2"]) == 0
    out = capsys.readouterr().out
    assert out.startswith("goal 1: C, cost 2 in 2 actions\n")
    assert "goal 2: D, cost 5 in 3 actions\n" in out
    assert "E" not in out
    assert "found the 2 nearest goals\nalgorithm       nearest-goals\nexpanded        " in out


def test_the_engine_can_be_chosen(capsys: Captured) -> None:
    """The compiled one finds the same; a problem that it cannot search is refused."""
    assert run([*GRID, *GOALS, "--nearest-goals", "all", "--engine", "compiled", "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert [(one["cost"], one["engine"]) for one in found["solutions"]] == [(cost, "compiled") for cost in (3, 4, 11)]
    assert run(["solve", "tree", "I: A B", "--goal", "B", "--nearest-goals", "1", "--engine", "compiled"]) == 2
    assert "use --engine python" in capsys.readouterr().err


def test_all_goals_as_one_json_object(capsys: Captured) -> None:
    """With a solution for each, and with what ended the search: nothing but the end of the goals."""
    assert run([*GRID, *GOALS, "--nearest-goals", "all", "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert [(one["states"][-1], one["cost"]) for one in found["solutions"]] == [("3,0", 3), ("0,4", 4), ("7,0", 11)]
    assert (found["command"], found["limit"]) == ("solve", None)
    assert found["stats"]["expanded"] >= found["solutions"][-1]["stats"]["expanded"] > 0


@pytest.mark.parametrize(
    ("arguments", "exit_code", "words"),
    [
        ([*GRID, *GOALS, "--nearest-goals", "all", "--at-most", "4"], 0, "found 2 goals; all others cost more than 4"),
        ([*GRID, *GOALS, "--nearest-goals", "1", "--at-most", "2"], 3, "found 0 goals; all others cost more than 2"),
        ([*GRID, *GOALS, "--nearest-goals", "9"], 0, "found 3 goals; no others can be reached"),
        ([*GRID, *GOALS, "--nearest-goals", "1"], 0, "found the nearest goal\n"),
        ([*GRID, *GOALS, "--nearest-goals", "all", "--expansions", "4"], 3, "stopped by the limit on expansions: 1 goal"),
        ([*MAP, "--to", "X", "--to", "Y", "--nearest-goals", "all"], 1, "no solution exists: no goal can be reached"),
    ],
)
def test_what_ends_the_search(arguments: list[str], exit_code: int, words: str, capsys: Captured) -> None:
    """The outcome and the exit code say it: 0 for some goals, 1 if none can be reached, 3 for a limit."""
    assert run(arguments) == exit_code
    assert words in capsys.readouterr().out


def test_exit_codes_of_interrupted_searches() -> None:
    """Ctrl-C comes first, however many goals are found; a cost that leaves goals out is no limit if some are found."""
    assert (exit_code_for(2, INTERRUPTED), exit_code_for(0, AT_MOST), exit_code_for(1, AT_MOST)) == (130, 3, 0)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ([*GRID, *GOALS, "--nearest-goals", "0"], "--nearest-goals is '0'; use a number of goals, at least 1, or all"),
        ([*GRID, *GOALS, "--nearest-goals", "2", "--ties", "lifo"], "does not support --ties; omit --ties"),
        ([*GRID, *GOALS, "--nearest-goals", "2", "--seed", "0"], "does not support --seed; omit --seed"),
        ([*GRID, *GOALS, "--nearest-goals", "2", "--trace"], "does not support --trace; omit --trace"),
        ([*GRID, *GOALS, "--nearest-goals", "2", "--depth", "3"], "does not support --depth; omit --depth"),
        ([*GRID, *GOALS, "--nearest-goals", "2", "--at-most", "far"], "'far' is not a number"),
        ([*GRID, *GOALS, "--at-most", "2"], "--at-most needs --nearest-goals"),
        ([*GRID, "--goal", "9,9", "--goal", "3,0"], "9,9"),
        ([*GRID, "--goal", "3,0", "--to", "0,4"], "--goal and --to are both given"),
        ([*MAP, "--to", "D", "--to", "Q"], "no city 'Q'"),
        (
            ["solve", "water-jugs", "5 3", "--goal", "4", "--goal", "2"],
            "takes one goal, but 2 are given: '4', '2'; pass one",
        ),
        (
            ["audit", "sliding-tile", "--goal", "1", "--goal", "2"],
            "no instance is given, and --goal (or --to) is given 2 times",
        ),
        (["pdb", "build", "sliding-tile", "--goal", "1", "--goal", "2", "--pattern", "3-3"], "is given 2 times"),
    ],
)
def test_what_is_refused(arguments: list[str], message: str, capsys: Captured) -> None:
    """With a message that says what to write instead, and exit code 2."""
    assert run(arguments) == 2
    assert message in capsys.readouterr().err


def test_the_command_leaves_the_function_of_the_package(capsys: Captured) -> None:
    """bf.nearest_goals is still the function once the module that defines it is imported."""
    assert run([*GRID, *GOALS, "--nearest-goals", "1"]) == 0
    assert "found" in capsys.readouterr().out
    assert callable(bf.nearest_goals)


def test_costs_beyond_2_to_the_53_are_exact(tmp_path: Path, capsys: Captured) -> None:
    """Those of the options, as those of the file; and no number of goals is too large."""
    roads = tmp_path / "far.csv"
    roads.write_text("from,to,length\nA,B,9007199254740993\n")
    to_b = ["solve", "road-map", str(roads), "--from", "A", "--to", "B"]
    for most, found in (("9007199254740993", 0), ("9007199254740992", 3)):
        assert run([*to_b, "--nearest-goals", "9" * 30, "--at-most", most]) == found
    branch = [*to_b, "--algorithm", "depth-first-branch-and-bound", "--upper-bound"]
    for bound, found in (("9007199254740994", 0), ("9007199254740993", 3)):
        assert run([*branch, bound]) == found
    capsys.readouterr()


TRIANGLE = "from,to,length\nA,B,1\nB,C,1\nA,C,2\nC,D,2\n"


def test_the_cheapest_solutions_are_shown_with_their_paths(tmp_path: Path, capsys: Captured) -> None:
    """In the order of their costs, without any that enters a state twice."""
    (tmp_path / "triangle.csv").write_text(TRIANGLE)
    to_c = ["solve", "road-map", "triangle.csv", "--from", "A", "--to", "C"]
    assert run([*to_c, "--solutions", "1"]) == 0
    out = capsys.readouterr().out
    assert out.startswith("solution 1: cost 2 in ")
    assert "found the cheapest solution\n" in out
    assert run([*to_c, "--solutions", "all", "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert [one["cost"] for one in found["solutions"]] == [2, 2]
    assert {tuple(one["states"]) for one in found["solutions"]} == {("A", "B", "C"), ("A", "C")}
    assert run([*to_c, "--solutions", "5"]) == 0
    assert "found 2 solutions; there are no others" in capsys.readouterr().out
    assert run([*to_c, "--solutions", "5", "--at-most", "1"]) == 3
    assert "found 0 solutions; all others cost more than 1" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ([*GRID, *GOALS, "--solutions", "0"], "--solutions is '0'; use a number of solutions, at least 1, or all"),
        (
            [*GRID, *GOALS, "--solutions", "2", "--engine", "compiled"],
            "--solutions does not support --engine; omit --engine",
        ),
        ([*GRID, *GOALS, "--solutions", "2", "--nearest-goals", "2"], "--nearest-goals and --solutions are both given"),
    ],
)
def test_what_is_refused_with_several_solutions(arguments: list[str], message: str, capsys: Captured) -> None:
    """With a message that says what to write instead, and exit code 2."""
    assert run(arguments) == 2
    assert message in capsys.readouterr().err

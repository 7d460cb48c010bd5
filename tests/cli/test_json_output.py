"""The JSON objects of the commands: each says what it is about."""

from __future__ import annotations

import json
import signal
from pathlib import Path
from typing import Any

import pytest

from bestfirst.cli.app import run
from bestfirst.cli.json_output import SCHEMA, print_json
from bestfirst.domains import DOMAINS
from bestfirst.domains.jumping_tiles import JumpingTiles
from bestfirst.models import MODELS
from bestfirst.search import ALGORITHMS

Captured = pytest.CaptureFixture[str]

ABOUT_PROBLEMS = [
    ["solve", "jumping-tiles", "bb_ww", "--json"],
    ["audit", "jumping-tiles", "bb_ww", "--json"],
    ["enumerate", "jumping-tiles", "bb_ww", "--json"],
]
ABOUT_GAMES = [
    ["analyse", "mnk", "a1", "--board", "3x3", "--row", "3", "--depth", "1", "--json"],
    ["perft", "mnk", "1", "a1", "--board", "3x3", "--row", "3", "--json"],
]


def printed(capsys: Captured, *arguments: str, code: int = 0) -> dict[str, Any]:
    """What a command prints, which must be one JSON object on one line."""
    assert run(list(arguments)) == code
    out = capsys.readouterr().out
    assert out.count("\n") == 1
    found: dict[str, Any] = json.loads(out)
    return found


@pytest.mark.parametrize("arguments", ABOUT_PROBLEMS, ids=lambda arguments: arguments[0])
def test_an_object_about_a_problem_names_schema_command_problem_and_instance(arguments: list[str], capsys: Captured) -> None:
    """So whoever finds it in a file knows what it is, and what it is about."""
    found = printed(capsys, *arguments)
    assert list(found)[:5] == ["schema", "command", "problem", "instance", "options"]
    assert (found["schema"], found["command"]) == (SCHEMA, arguments[0])
    assert (found["problem"], found["instance"], found["options"]) == ("jumping-tiles", "bb_ww", {})


@pytest.mark.parametrize("arguments", ABOUT_GAMES, ids=lambda arguments: arguments[0])
def test_an_object_about_a_game_names_schema_command_game_and_position(arguments: list[str], capsys: Captured) -> None:
    """With the options that make the game."""
    found = printed(capsys, *arguments)
    assert (found["schema"], found["command"]) == (SCHEMA, arguments[0])
    assert (found["game"], found["position"], found["options"]) == ("mnk", "a1", {"board": "3x3", "row": "3"})


def test_the_options_are_those_given_by_their_names_on_the_command_line(capsys: Captured) -> None:
    """--from is `from`; what was not given is not there."""
    found = printed(capsys, "solve", "road-map", "examples/cities.csv", "--from", "A", "--to", "W", "--json")
    assert found["options"] == {"from": "A", "goal": "W"}


def test_comparisons_of_both_kinds_and_matches_name_what_they_are_about(capsys: Captured) -> None:
    """Several instances, several positions, two players."""
    found = printed(capsys, "compare", "jumping-tiles", "bb_ww", "b_w", "--algorithms", "astar,depth-first", "--json")
    assert (found["schema"], found["problem"], found["instances"]) == (SCHEMA, "jumping-tiles", ["bb_ww", "b_w"])
    assert [(row["instance"], row["algorithm"], row["heuristic"]) for row in found["rows"]] == [
        ("bb_ww", "astar", "inversions"),
        ("bb_ww", "depth-first", None),
        ("b_w", "astar", "inversions"),
        ("b_w", "depth-first", None),
    ]
    assert {"engine", "status", "cost", "lower_bound", "actions", "expanded", "generated", "seconds", "branching"} <= set(
        found["rows"][0]
    )
    assert (found["asked"], found["interrupted"]) == (4, False)
    found = printed(capsys, "compare-games", "tic-tac-toe", "--depth", "1", "--json")
    assert (found["schema"], found["command"], found["game"]) == (SCHEMA, "compare-games", "tic-tac-toe")
    found = printed(capsys, "match", "tic-tac-toe", "--a", "random", "--b", "random", "--games", "2", "--json")
    assert (found["schema"], found["command"], found["game"]) == (SCHEMA, "match", "tic-tac-toe")


def test_csv_and_json_at_once_are_refused(capsys: Captured) -> None:
    """One of them is meant."""
    assert run(["compare", "jumping-tiles", "bb_ww", "--csv", "--json"]) == 2
    assert "choose one of them" in capsys.readouterr().err


def test_list_gives_all_that_there_is(capsys: Captured) -> None:
    """By kind, or of one kind alone."""
    found = printed(capsys, "list", "--json")
    assert (found["schema"], found["command"]) == (SCHEMA, "list")
    assert [domain["name"] for domain in found["domains"]] == [*DOMAINS, *MODELS, "pddl"]
    assert [algorithm["name"] for algorithm in found["algorithms"]] == [*ALGORITHMS, "portfolio"]
    road = next(domain for domain in found["domains"] if domain["name"] == "road-map")
    assert {"name": "from", "needed": True} in road["options"]
    assert ("sliding-tile", "manhattan") in [(known["domain"], known["name"]) for known in found["heuristics"]]
    assert {"name", "summary", "options"} == set(found["games"][0])
    assert list(printed(capsys, "list", "games", "--json")) == ["schema", "command", "games"]


def test_cache_gives_the_directory_and_what_is_there(
    capsys: Captured, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """And, with --clear, how much was removed."""
    monkeypatch.setenv("BESTFIRST_CACHE", str(tmp_path))
    (tmp_path / f"step_{'0' * 16}_{'0' * 8}-{'a' * 16}.code").write_bytes(bytes(100))
    found = printed(capsys, "cache", "--json")
    said = {"schema": SCHEMA, "command": "cache", "directory": str(tmp_path), "files": 1, "bytes": 100}
    assert {name: found[name] for name in said} == said
    assert printed(capsys, "cache", "--clear", "--json")["removed"] == 1


def test_perft_gives_the_counts(capsys: Captured) -> None:
    """One for each number of plies."""
    found = printed(capsys, "perft", "tic-tac-toe", "3", "--json")
    assert [(count["plies"], count["lines"]) for count in found["counts"]] == [(1, 9), (2, 72), (3, 504)]
    assert found["interrupted"] is False


def test_an_interrupted_perft_gives_the_counts_before(capsys: Captured, monkeypatch: pytest.MonkeyPatch) -> None:
    """With exit code 130, as text and as JSON."""

    def pressed(_rules: object, plies: int, _state: object) -> int:
        if plies == 3:
            raise KeyboardInterrupt
        return 9

    monkeypatch.setattr("bestfirst.cli.games.perft", pressed)
    found = printed(capsys, "perft", "tic-tac-toe", "5", "--json", code=130)
    assert (len(found["counts"]), found["interrupted"]) == (2, True)
    assert run(["perft", "tic-tac-toe", "5"]) == 130
    assert capsys.readouterr().out.count("\n") == 2


def test_each_database_of_a_list_names_the_schema(capsys: Captured, tmp_path: Path) -> None:
    """One object for each, none where there is none."""
    assert run(["pdb", "list", "--data", str(tmp_path), "--json"]) == 0
    assert capsys.readouterr().out == ""
    (tmp_path / "one.building").mkdir()
    found = printed(capsys, "pdb", "list", "--data", str(tmp_path), "--json")
    assert (found["schema"], found["command"], found["name"]) == (SCHEMA, "pdb list", "one.building")


def test_what_json_does_not_have_is_null(capsys: Captured) -> None:
    """Infinite numbers and NaN, however deep."""
    print_json("solve", {"rounds": [{"bound": float("inf")}], "mean": float("nan"), "cost": 1.5})
    assert json.loads(capsys.readouterr().out) == {
        "schema": SCHEMA,
        "command": "solve",
        "rounds": [{"bound": None}],
        "mean": None,
        "cost": 1.5,
    }


def press_ctrl_c_at(monkeypatch: pytest.MonkeyPatch, calls: int) -> None:
    """Press Ctrl-C while successors of jumping tiles are asked for, at the call of that number."""
    called, successors = 0, JumpingTiles.successors

    def pressing(self: JumpingTiles, state: Any) -> Any:
        nonlocal called
        called += 1
        if called == calls:
            signal.raise_signal(signal.SIGINT)
        return successors(self, state)

    monkeypatch.setattr(JumpingTiles, "successors", pressing)


def test_an_interrupted_comparison_prints_the_rows_before(capsys: Captured, monkeypatch: pytest.MonkeyPatch) -> None:
    """The searches that ended, and the one that was interrupted; exit code 130."""
    compare = [
        "compare",
        "jumping-tiles",
        "bbb_www",
        "--algorithms",
        "uniform-cost,astar,greedy",
        "--heuristics",
        "inversions",
        "--engine",
        "python",
    ]
    press_ctrl_c_at(monkeypatch, 200)
    found = printed(capsys, *compare, "--json", code=130)
    assert [row["status"] for row in found["rows"]] == ["optimal", "interrupted"]
    assert (found["asked"], found["interrupted"]) == (3, True)
    press_ctrl_c_at(monkeypatch, 200)
    assert run([*compare, "--csv"]) == 130
    captured = capsys.readouterr()
    assert captured.out.count("\n") == 3
    assert captured.err == "interrupted: 1 of 3 searches finished\n"


def test_an_interrupted_audit_prints_what_it_has_found(capsys: Captured, monkeypatch: pytest.MonkeyPatch) -> None:
    """As text and as JSON, with exit code 130."""
    press_ctrl_c_at(monkeypatch, 60)
    found = printed(capsys, "audit", "jumping-tiles", "bbb_www", "--heuristic", "inversions", "--json", code=130)
    assert found["interrupted"] is True and 60 < found["states"] < 140 and found["edges"] > 100
    press_ctrl_c_at(monkeypatch, 60)
    assert run(["audit", "jumping-tiles", "bbb_www", "--heuristic", "inversions"]) == 130
    assert "\nInterrupted: " in capsys.readouterr().out

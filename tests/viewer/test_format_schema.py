"""Recordings follow docs/viewer-format.schema.json, for Python and for the viewer's own code."""

from __future__ import annotations

import copy
import json
import shutil
import subprocess
from dataclasses import asdict
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft7Validator

import bestfirst as bf
from bestfirst.games.tracing.trace import GameTrace
from bestfirst.problem import Problem
from bestfirst.viewer.columns import column
from bestfirst.viewer.game_recording import game_recording_of
from bestfirst.viewer.recording import recording_of
from traced import LECTURE, every_algorithm, every_problem, solved, traced

ROOT = Path(__file__).parents[2]
SCHEMA = json.loads((ROOT / "docs" / "viewer-format.schema.json").read_text())
VALID = Draft7Validator(SCHEMA)


def plain(recording: dict[str, Any]) -> Any:
    """A recording as it is read from JSON."""
    return json.loads(json.dumps(recording))


def of_game() -> dict[str, Any]:
    trace = GameTrace()
    bf.analyse(bf.ConnectFour(4, 4), "1122", limits=bf.GameLimits(depth=3), trace=trace).run()
    return game_recording_of(trace)


def of_map() -> dict[str, Any]:
    trace = bf.solve(bf.GridMap(["....", ".@@.", "...."], (0, 0), (3, 2)), "astar", trace=True).trace
    assert trace is not None
    return recording_of(trace)


def of_jugs() -> dict[str, Any]:
    return recording_of(traced(bf.domains.WaterJugs("5 3", 4), "breadth-first"))


def test_the_schema_is_a_schema() -> None:
    """Its own schema accepts it."""
    Draft7Validator.check_schema(SCHEMA)


@every_algorithm
@every_problem
def test_recordings_follow_the_schema(problem: Problem, algorithm: str) -> None:
    """Those of all algorithms, of boards and of texts."""
    VALID.validate(plain(recording_of(traced(problem, algorithm, agendas=True))))


def test_games_maps_and_pictures_follow_the_schema() -> None:
    """A game has columns of its own, a map has its background, jugs have pictures."""
    for recording in (of_game(), of_map(), of_jugs()):
        VALID.validate(plain(recording))


@pytest.mark.parametrize(
    ("path", "wrong"),
    [
        (("version",), 2),
        (("agenda", "kind"), "heap"),
        (("chunks",), []),
        (("chunks", 0, "nodes", "parent"), column("u4", [1])),
        (("chunks", 0, "events", "kind", "data"), "not base64"),
        (("chunks", 0, "texts", 0), None),
        (("picture", "places"), [[0]]),
    ],
)
def test_the_schema_refuses_what_is_wrong(path: tuple[str | int, ...], wrong: Any) -> None:
    """It names the place."""
    recording = plain(recording_of(traced(LECTURE, "astar")))
    spoilt: Any = copy.deepcopy(recording)
    inner = spoilt
    for step in path[:-1]:
        inner = inner[step]
    inner[path[-1]] = wrong
    [error, *_] = VALID.iter_errors(spoilt)
    assert list(error.absolute_path)[:1] == [path[0]]
    game = plain(of_game())
    del game["chunks"][0]["nodes"]["window"]
    assert not VALID.is_valid(game)


@pytest.mark.skipif(
    shutil.which("node") is None or not (ROOT / "viewer" / "node_modules" / "ajv").exists(),
    reason="Node or the viewer's packages are not installed (make viewer): the check by Node is left out",
)
def test_node_reads_what_python_writes(tmp_path: Path) -> None:
    """`npm run check` validates by the same schema, and the viewer's code counts what the search counted."""
    solutions = [solved(LECTURE, name) for name in ("astar", "idastar", "beam", "bidirectional-astar")]
    recordings = [recording_of(solution.trace) for solution in solutions if solution.trace is not None]
    (tmp_path / "good.json").write_text(json.dumps([*recordings, of_game(), of_map(), of_jugs()]))
    (tmp_path / "bad.json").write_text(json.dumps([recordings[0] | {"version": 2}]))

    def check(name: str) -> subprocess.CompletedProcess[str]:
        command = ["node", "check.mjs", str(tmp_path / name)]
        return subprocess.run(command, cwd=ROOT / "viewer", capture_output=True, text=True, check=False)

    good, bad = check("good.json"), check("bad.json")
    assert good.returncode == 0, good.stderr
    read = [json.loads(line) for line in good.stdout.splitlines()]
    assert len(read) == len(recordings) + 3
    for solution, seen in zip(solutions, read, strict=False):
        stats = asdict(solution.stats)
        assert seen["counts"] == {name: stats[name] for name in seen["counts"]}
    assert bad.returncode == 1 and "/version must be equal to constant" in bad.stderr

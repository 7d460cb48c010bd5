"""The command line, as a user meets it: output, exit codes, error messages."""

from __future__ import annotations

import csv
import io
import json
import os
import re
import signal
import subprocess
import sys
import time
import warnings
import webbrowser
from pathlib import Path
from urllib.parse import unquote, urlsplit

import pytest
import yaml

import bestfirst as bf
from bestfirst.cli.app import run
from bestfirst.cli.report import live_line
from bestfirst.domains import DOMAINS
from bestfirst.errors import InputError
from bestfirst.heuristics import heuristic
from bestfirst.problem import Problem
from bestfirst.search import ALGORITHMS
from bestfirst.solution import Stats

START, GOAL = "2 8 3 1 6 4 7 _ 5", "1 2 3 8 _ 4 7 6 5"
EIGHT = ["solve", "sliding-tile", START, "--goal", GOAL]
HARD = ["solve", "sliding-tile", "8 6 7 2 5 4 3 _ 1"]


@pytest.fixture(autouse=True)
def wide_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "120")
    monkeypatch.setenv("NO_COLOR", "1")
    monkeypatch.setenv("TERM", "dumb")


Captured = pytest.CaptureFixture[str]


def test_solve_shows_the_boards_the_verdict_and_the_statistics(capsys: Captured) -> None:
    """A newcomer sees the way from start to goal, what was proved, and what it took."""
    assert run([*EIGHT, "--algorithm", "astar", "--heuristic", "manhattan"]) == 0
    out = capsys.readouterr().out
    assert out.startswith("start   U       U       L       D       R\n283     283     2 3      23     123     123\n")
    assert "solved: cost 5 in 5 actions, optimal (proved)" in out
    assert "astar with manhattan" in out
    assert "expanded" in out and "generated" in out


def test_the_expansions_before_a_change_of_stage_are_told(capsys: Captured) -> None:
    """The counts are those of the last stage; a line gives the sum, and what the first stage was."""
    assert run(HARD) == 0
    out = capsys.readouterr().out
    assert re.search(r"^expanded +31$", out, re.MULTILINE)
    assert re.search(
        r"^in total +2,031 expanded \(\S+ per second\), the first 2,000 by astar with manhattan$", out, re.MULTILINE
    )
    assert run([*HARD, "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["head_start"] == 2_000


def test_the_rate_counts_the_expansions_of_both_stages() -> None:
    """The time of a search with two stages is that of both, and so its rate is that of all expansions."""
    stats = Stats(expanded=1_000, seconds=2.0)
    assert stats.rate_after(3_000) == 2_000 and stats.rate == 500
    assert live_line(stats, 3_000, 20, None).startswith("1,000 expanded | 2,000 per second")
    search = bf.Search(bf.SlidingTile("8 6 7 2 5 4 3 _ 1"))
    assert search.head_start == 0
    solution = search.run()
    assert search.head_start == solution.head_start == 2_000


def test_a_long_preparation_is_told(capsys: Captured, monkeypatch: pytest.MonkeyPatch) -> None:
    """A line says how long it took, unless it was short."""
    monkeypatch.setattr("bestfirst.cli.report.SECONDS_TOLD", 0.0)
    assert run(EIGHT) == 0
    assert re.search(r"^preparation +\S+ m?s \(compiling, opening databases\)$", capsys.readouterr().out, re.MULTILINE)
    monkeypatch.setattr("bestfirst.cli.report.SECONDS_TOLD", 600.0)
    assert run(EIGHT) == 0
    assert "preparation" not in capsys.readouterr().out


def test_threads_and_the_order_of_children_can_be_chosen(capsys: Captured) -> None:
    """For IDA*."""
    assert (
        run(["solve", "sliding-tile", START, "--goal", GOAL, "-a", "idastar", "--threads", "2", "--order", "f", "--json"])
        == 0
    )
    assert json.loads(capsys.readouterr().out)["cost"] == 5


@pytest.mark.parametrize("engine", ["python", "compiled"])
def test_the_engine_can_be_chosen(engine: str, capsys: Captured) -> None:
    """By solve, compare and enumerate, however small the search is; the answer is the same."""
    assert run(["solve", "pancake", "3 1 2", "--engine", engine, "--json"]) == 0
    solved = json.loads(capsys.readouterr().out)
    assert (solved["engine"], solved["cost"], solved["stats"]["expanded"]) == (engine, 2, 2)
    assert run(["compare", "pancake", "3 1 2", "--algorithms", "astar", "--engine", engine, "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["rows"][0]["engine"] == engine
    assert run(["enumerate", "pancake", "3 1 2", "--engine", engine, "--json"]) == 0
    counted = json.loads(capsys.readouterr().out)
    assert (counted["engine"], counted["levels"]) == (engine, [1, 2, 2, 1])


def test_states_can_be_enumerated_on_disk(tmp_path: Path, capsys: Captured) -> None:
    """The disk space is told first; a second call reads the result, and one for another problem is refused."""
    puzzle = [
        "enumerate",
        "sliding-tile",
        "1 2 3 / 4 5 _",
        "--goal",
        "1 2 3 / 4 5 _",
        "--directory",
        str(tmp_path),
        "--json",
    ]
    for _ in range(2):
        assert run(puzzle) == 0
        output = capsys.readouterr()
        counted = json.loads(output.out)
        assert (counted["states"], counted["radius"], counted["levels"][-1]) == (360, 21, 1)
        assert re.match(r"on disk: at most \d+\.\d KiB, in /", output.err) and counted["disk"] > 4096
    assert run([*puzzle[:2], "1 2 _ / 4 5 3", *puzzle[3:]]) == 2
    assert "contains the enumeration of another problem" in capsys.readouterr().err


@pytest.mark.slow
def test_strings_of_actions_can_be_pruned_at_once_and_late(capsys: Captured) -> None:
    """For IDA*; the cost stays."""
    expanded = []
    for options in ([], ["--prune", "8"], ["--prune", "8", "--prune-from", "100"]):
        solve = ["solve", "sliding-tile", "8 6 7 2 5 4 3 _ 1", "-a", "idastar", "-H", "manhattan", "--json", *options]
        assert run(solve) == 0
        solved = json.loads(capsys.readouterr().out)
        assert solved["cost"] == 31
        expanded.append(solved["stats"]["expanded"])
    assert expanded[0] > expanded[2] > expanded[1]


def test_json_is_one_object_with_the_documented_fields(capsys: Captured) -> None:
    """Scripts get status, cost, bound, actions, states, names, counts and warnings, and nothing else on stdout."""
    assert run([*EIGHT, "--json", "--trace", "--tree"]) == 0
    captured = capsys.readouterr()
    solved = json.loads(captured.out)
    assert "Traceback" not in captured.err
    assert (solved["status"], solved["cost"], solved["lower_bound"]) == ("optimal", 5, 5)
    assert solved["actions"] == ["U", "U", "L", "D", "R"]
    assert solved["states"][0] == "2 8 3 / 1 6 4 / 7 _ 5" and len(solved["states"]) == 6
    assert (solved["algorithm"], solved["heuristic"], solved["engine"]) == ("astar", "manhattan", "python")
    assert {"expanded", "generated", "reopened", "duplicates", "seconds"} <= set(solved["stats"])
    assert solved["warnings"] == []


def test_an_unsolvable_instance_exits_with_1_and_the_reason(capsys: Captured) -> None:
    """No solution exists, says why, and the JSON has null where there is no number."""
    unsolvable = ["solve", "sliding-tile", "2 8 1 4 _ 6 7 5 3"]
    assert run(unsolvable) == 1
    assert "no solution exists: parity" in capsys.readouterr().out
    assert run([*unsolvable, "--json"]) == 1
    answer = json.loads(capsys.readouterr().out)
    assert (answer["status"], answer["cost"], answer["lower_bound"]) == ("unsolvable", None, None)
    assert answer["actions"] == answer["states"] == []
    assert "parity" in answer["reason"]


def test_a_limit_exits_with_3_and_says_what_is_known(capsys: Captured) -> None:
    """Each limit is named, with the bound that was proved."""
    assert run([*HARD, "--expansions", "100"]) == 3
    assert "stopped by the limit on expansions: no solution found so far; no solution costs less than" in (
        capsys.readouterr().out
    )
    assert run([*HARD, "--seconds", "0", "--json"]) == 3
    assert json.loads(capsys.readouterr().out)["limit"] == "seconds"
    assert run([*HARD, "--memory", "0", "--json"]) in (0, 3)
    capsys.readouterr()
    assert run([*HARD, "--depth", "5", "--json"]) == 3
    assert json.loads(capsys.readouterr().out)["limit"] == "depth"


def test_output_without_a_solution_leaves_the_exit_code_of_the_search(tmp_path: Path, capsys: Captured) -> None:
    """Unsolvable stays 1; that nothing was written is said on stderr."""
    file = tmp_path / "boards.txt"
    assert run(["solve", "sliding-tile", "2 1 3 _", "--output", str(file)]) == 1
    assert "no solution was found" in capsys.readouterr().err
    assert not file.exists()


@pytest.mark.slow
def test_a_reader_that_stops_reading_is_no_error() -> None:
    """Piped into something that reads one line, the command ends quietly with 141, not with the code for 'no solution'."""
    command = f"{sys.executable} -m bestfirst list; echo $? >&2"
    done = subprocess.run(f"({command}) | head -1", shell=True, capture_output=True, text=True, check=True)
    assert done.stderr.strip() in ("0", "141")
    assert len(done.stdout.splitlines()) == 1


def test_trace_prints_the_lines_of_the_worked_case(capsys: Captured) -> None:
    """The greedy search of the jumping tiles prints each position with its value as it is expanded."""
    assert run(["solve", "jumping-tiles", "bbb_www", "--algorithm", "greedy", "--trace"]) == 0
    lines = capsys.readouterr().out.split("\n")
    assert lines[0] == "[b,b,b,e,w,w,w]-9"
    assert lines[10] == "[w,w,b,w,b,e,b]-1"
    assert lines[11] == ""


def test_tree_prints_the_search_tree_of_the_worked_case(capsys: Captured) -> None:
    """The tree of the lecture's 8-puzzle, exactly."""
    board = ["solve", "sliding-tile", "3 1 2 4 7 5 6 8 _", "--goal", "_ 1 2 3 4 5 6 7 8", "--moves", "UDLR"]
    assert run([*board, "--algorithm", "astar", "--tree"]) == 0
    out = capsys.readouterr().out
    assert "3 1 2 4 7 5 6 8 0\n|-- 3 1 2 4 7 0 6 8 5\n|-- 3 1 2 4 7 5 6 0 8\n    |-- 3 1 2 4 0 5 6 7 8\n" in out


def test_output_writes_the_boards_of_the_laboratory(tmp_path: Path, capsys: Captured) -> None:
    """Boards without spaces between the tiles, separated by dashed lines."""
    file = tmp_path / "boards.txt"
    assert run([*EIGHT, "--output", str(file)]) == 0
    boards = file.read_text().split("\n------\n")
    assert boards[:2] == ["283\n164\n7 5", "283\n1 4\n765"]
    assert boards[-1] == "123\n8 4\n765\n"
    assert len(boards) == 6
    capsys.readouterr()


@pytest.mark.parametrize("ending", [".trace.yaml", ".jsonl", ".dot", ".svg", ".txt", ".html"])
def test_a_trace_file_has_the_form_that_its_name_asks_for(ending: str, tmp_path: Path, capsys: Captured) -> None:
    """Posthoc, JSON lines, DOT, SVG or text."""
    file = tmp_path / f"run{ending}"
    assert run([*EIGHT, "--trace-file", str(file)]) == 0
    text = file.read_text()
    if ending == ".trace.yaml":
        assert yaml.safe_load(text)["version"] == "1.4.0"
    elif ending == ".jsonl":
        assert all(json.loads(line) for line in text.splitlines())
    else:
        assert text.startswith({".dot": "digraph", ".svg": "<svg", ".txt": "2 8 3", ".html": "<!doctype html>"}[ending])
    capsys.readouterr()


def test_a_file_that_cannot_be_written_loses_no_solution(
    tmp_path: Path, capsys: Captured, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The solution is printed and the other files are written, then comes an error for each."""

    def full(file: Path, *_: object) -> None:
        raise InputError(f"cannot write {file.name!r}: No space left on device")

    monkeypatch.setattr("bestfirst.cli.app.write_trace", full)
    files = ["--trace-file", str(tmp_path / "run.svg"), "--view", str(tmp_path / "run.html")]
    assert run([*EIGHT, "--json", *files, "--output", str(tmp_path / "path.txt")]) == 2
    out, err = capsys.readouterr()
    assert json.loads(out)["cost"] == 5 and (tmp_path / "path.txt").read_text().count("------") == 5
    assert "cannot write 'run.svg'" in err and "cannot write 'run.html'" in err


def test_a_view_is_written_and_opened(tmp_path: Path, capsys: Captured, monkeypatch: pytest.MonkeyPatch) -> None:
    """--view writes a page; --open opens it, or a new one, in the browser, and says where it is if there is no browser."""
    opened: list[str] = []

    def open_page(address: str) -> bool:
        opened.append(address)
        return len(opened) < 3

    monkeypatch.setattr(webbrowser, "open", open_page)
    page = tmp_path / "run.html"
    assert run([*EIGHT, "--view", str(page), "--open"]) == 0
    assert page.read_text().startswith("<!doctype html>")
    assert opened == [page.as_uri()]
    for _ in range(2):
        assert run([*EIGHT, "--open"]) == 0
    assert Path(unquote(urlsplit(opened[-1]).path)).read_text().startswith("<!doctype html>")
    assert "no browser was found; open" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["--view", "run.txt"], "end the name with .html"),
        (["--view", "missing/run.html"], "missing"),
        (["--view", "run.html", "--trace-file", "run.html"], "--trace-file and --view are both 'run.html'"),
        (["--view", "run.html", "--output", str(Path("run.html").absolute())], "are the same file"),
    ],
)
def test_a_wrong_view_is_refused_before_the_search(arguments: list[str], words: str, capsys: Captured) -> None:
    """A page that cannot be written, or a file that is named twice."""
    assert run([*EIGHT, *arguments]) == 2
    assert words in " ".join(capsys.readouterr().err.split())


def test_a_road_map_is_solved_from_its_file(capsys: Captured) -> None:
    """The worked map: A H B W, 9, also by branch and bound in each of its steps."""
    road = ["solve", "road-map", "examples/cities.csv", "--from", "A", "--to", "W", "--json", "--algorithm"]
    expanded = []
    for step in (
        ["branch-and-bound"],
        ["branch-and-bound", "--heuristic", "straight-line"],
        ["branch-and-bound", "--heuristic", "straight-line", "--delete-redundant"],
    ):
        assert run([*road, *step]) == 0
        answer = json.loads(capsys.readouterr().out)
        assert (answer["states"], answer["cost"]) == (["A", "H", "B", "W"], 9)
        expanded.append(answer["stats"]["expanded"])
    assert expanded == sorted(expanded, reverse=True)


BAD_INPUT = [
    (["solve", "sliding-tiel", START], "no domain is called 'sliding-tiel'; did you mean sliding-tile"),
    (["solve", "sliding-tile", "1 2 3"], "3 cells, which is not a square"),
    (["solve", "sliding-tile", "1 1 2 _"], "lacks 3 and repeats 1"),
    (["solve", "sliding-tile", START, "--goal", "1 2 3 _"], "has 4 cells; a 3x3 board has 9"),
    (["solve", "sliding-tile", START, "--size", "three"], "size is 'three'; write rows x columns"),
    (["solve", "sliding-tile", START, "--moves", "UP"], "moves is 'UP'"),
    (
        ["solve", "sliding-tile", START, "--pegs", "3"],
        "sliding-tile does not take --pegs; it takes --goal (or --to), --size, --moves",
    ),
    (["solve", "sliding-tile", START, "--goal", GOAL, "--to", GOAL], "--goal and --to are both given"),
    ([*EIGHT, "--algorithm", "a-star"], "no algorithm is called 'a-star'; did you mean astar"),
    ([*EIGHT, "--heuristic", "manhatten"], "did you mean manhattan"),
    ([*EIGHT, "--algorithm", "breadth-first", "--heuristic", "manhattan"], "breadth-first takes no heuristic"),
    (
        [*EIGHT, "--algorithm", "astar", "--weight", "2"],
        "astar has no option --weight; it is an option of weighted-astar and",
    ),
    ([*EIGHT, "--algorithm", "astar", "--member", "idastar"], "astar has no option --members; it is an option of portfolio"),
    ([*EIGHT, "--algorithm", "weighted-astar", "--weight", "0"], "the weight is 0.0"),
    ([*EIGHT, "--memory", "plenty"], "memory is 'plenty'"),
    ([*EIGHT, "--expansions", "-1"], "the limit expansions is -1"),
    ([*EIGHT, "--expansions", "many"], "'--expansions'"),
    ([*EIGHT, "--no-such-option"], "--no-such-option"),
    ([*EIGHT, "--trace-file", "run.pdf"], "cannot write 'run.pdf': end the name with one of"),
    ([*EIGHT, "--output", "no/such/folder/boards.txt"], "no/such/folder"),
    (["solve", "road-map", "examples/cities.csv", "--from", "A"], "road-map needs --goal"),
    (["solve", "road-map", "nowhere.csv", "--from", "A", "--to", "W"], "nowhere.csv"),
    (["solve", "road-map", "examples/cities.csv", "--from", "A", "--to", "X"], "'X'"),
    (["solve"], "Missing argument"),
    (["audit", "sliding-tile"], "no instance is given"),
    (["audit", "sliding-tile", START, "--heuristic", "sequence"], "whose goal has the blank in the centre"),
    (["compare", "sliding-tile", START, "--algorithms", "astar,,idastar"], "separated by commas"),
    (["compare", "sliding-tile", START, "--heuristics", "manhattan,nothing"], "SlidingTile has no heuristic"),
    (["list", "everything"], "everything"),
    (["sovle"], "sovle"),
    (["compare", "sliding-tile", START, "--heuristics", "all,pdb:5"], "patterns of 5 tiles do not add up to the 8 tiles"),
    (["match", "tic-tac-toe", "--a", "random", "--b", "depth=1", "--opening-plies", "9"], "use at most 8"),
    (["pdb", "list", "--data", "pyproject.toml"], "pyproject.toml is a file; pass another directory as data"),
    ([*EIGHT, "--algorithm", "greedy", "--threads", "2"], "greedy searches with one thread"),
    ([*EIGHT, "--engine", "fast"], "no engine is called 'fast'; choose from: compiled, python"),
    (
        [*EIGHT, "--engine", "compiled", "--trace"],
        "the compiled engine cannot run this search: it is traced; use --engine python",
    ),
    ([*EIGHT, "--workers", "2"], "--workers 2 requires --on; also pass --on local or --on ray, or use --threads"),
    (["match", "tic-tac-toe", "--a", "external:", "--b", "random"], "write a command after external:"),
    (["experiment", "run", "tests.toml", "--first", "0"], "--first"),
    (["compare", "sliding-tile", START, "--algorithms", "breadth-first", "--engine", "compiled"], "has no compiled version"),
    (["enumerate", "sliding-tile", START, "--engine", "compield"], "did you mean compiled"),
    (
        ["enumerate", "sliding-tile", START, "--workers", "2"],
        "workers can share only an enumeration on disk; pass --directory, or omit --on and --workers",
    ),
    (
        ["enumerate", "sliding-tile", START, "--directory", "there", "--on", "cloud"],
        "no place for workers is called 'cloud'",
    ),
    ([*EIGHT, "--algorithm", "idastar", "--threads", "0"], "threads is 0"),
    ([*EIGHT, "--algorithm", "weighted-astar", "--weight", "1e400"], "'1e400' exceeds the range of floats"),
    (["solve", "water-jugs", f"{'9' * 5000} 3", "--goal", "1"], "contains a number of more than 4,300 digits"),
    ([*EIGHT, "--algorithm", "idastar", "--order", "random"], "no child order is called 'random'"),
]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("arguments", "message"), BAD_INPUT, ids=lambda part: " ".join(part) if isinstance(part, list) else ""
)
def test_bad_input_exits_with_2_and_a_clear_error(arguments: list[str], message: str, capsys: Captured) -> None:
    """The error goes to stderr, names what is wrong, and no traceback is shown."""
    assert run(arguments) == 2
    captured = capsys.readouterr()
    assert message in " ".join(captured.err.replace("│", " ").split())
    assert "Traceback" not in captured.err
    assert captured.out == "" or "solution exists" in captured.out


def test_a_bug_is_reported_without_a_traceback(monkeypatch: pytest.MonkeyPatch, capsys: Captured) -> None:
    """An error that nobody foresaw exits with 70, and says how to see more."""

    def fails(*_arguments: object) -> None:
        raise RuntimeError("unforeseen")

    monkeypatch.setattr("bestfirst.cli.app.read_in_time", fails)
    assert run(EIGHT) == 70
    assert "RuntimeError: unforeseen (BESTFIRST_DEBUG=1 shows" in capsys.readouterr().err
    monkeypatch.setenv("BESTFIRST_DEBUG", "1")
    with pytest.raises(RuntimeError):
        run(EIGHT)


def test_compare_prints_a_row_for_each_pair_and_the_means(capsys: Captured) -> None:
    """Cost, expanded, generated, seconds and the effective branching factor, in one command."""
    boards = [START, "1 3 4 8 _ 2 7 6 5"]
    command = ["compare", "sliding-tile", *boards, "--goal", GOAL, "--algorithms", "astar,breadth-first"]
    assert run([*command, "--heuristics", "misplaced,max(manhattan,misplaced)"]) == 0
    out = capsys.readouterr().out
    for word in ("branching", START, "max(manhattan, misplaced)", "mean over 2 instances"):
        assert word in out
    assert run([*command, "--heuristics", "all", "--csv"]) == 0
    rows = list(csv.DictReader(io.StringIO(capsys.readouterr().out)))
    assert len(rows) == 2 * (8 + 1)
    assert {row["cost"] for row in rows} >= {"4", "5"}
    assert all(float(row["branching"]) > 1 for row in rows)


def test_all_heuristics_can_be_compared_with_others(capsys: Captured) -> None:
    """`all` stands for those that fit the instance, also among other names, and none is tried twice."""
    command = ["compare", "sliding-tile", START, "--goal", GOAL, "--algorithms", "astar", "--csv"]
    assert run([*command, "--heuristics", "max(manhattan,misplaced),all,manhattan"]) == 0
    rows = list(csv.DictReader(io.StringIO(capsys.readouterr().out)))
    assert [row["heuristic"] for row in rows[:3]] == ["max(manhattan, misplaced)", "manhattan", "misplaced"]
    assert len(rows) == 1 + 8


def test_compare_exits_with_the_worst_that_happened(capsys: Captured) -> None:
    """A limit counts for more than an unsolvable instance."""
    unsolvable = "2 1 3 4 5 6 7 8 _"
    assert run(["compare", "sliding-tile", unsolvable, START, "--goal", "1 2 3 4 5 6 7 8 _"]) in (0, 1)
    assert run(["compare", "sliding-tile", unsolvable, "8 6 7 2 5 4 3 _ 1", "--expansions", "50"]) == 3
    capsys.readouterr()


def test_audit_tells_the_verdict(capsys: Captured) -> None:
    """On the 5-puzzle, looked at whole: the Manhattan distance is admissible and consistent."""
    assert run(["audit", "sliding-tile", "--goal", "1 2 3 / 4 5 _"]) == 0
    assert "admissible" in capsys.readouterr().out
    assert run(["audit", "sliding-tile", "--goal", "1 2 3 / 4 5 _", "--heuristic", "misplaced", "--json"]) == 0
    answer = json.loads(capsys.readouterr().out)
    assert (answer["admissible"], answer["consistent"], answer["states"]) == (True, True, 360)


def test_list_names_everything(capsys: Captured) -> None:
    """Domains, algorithms and heuristics, with what they are."""
    assert run(["list"]) == 0
    out = capsys.readouterr().out
    for name in ("sliding-tile", "road-map", "astar", "bidirectional-astar", "walking-distance", "straight-line"):
        assert name in out
    assert run(["list", "algorithms"]) == 0
    out = capsys.readouterr().out
    assert "walking-distance" not in out
    assert all(name in out for name in ALGORITHMS)


def test_cache_shows_and_clears_compiled_code(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Captured) -> None:
    """Where it is, how much there is, and how to get rid of it."""
    monkeypatch.setenv("BESTFIRST_CACHE", str(tmp_path))
    (tmp_path / "tag-0123456789abcdef.code").write_bytes(bytes(2**20))
    (tmp_path / "other.txt").write_text("not ours")
    assert run(["cache"]) == 0
    assert "1 file of compiled code, 1.0 MiB" in capsys.readouterr().out
    assert run(["cache", "--clear"]) == 0
    assert "removed 1 file" in capsys.readouterr().out
    assert [file.name for file in tmp_path.iterdir()] == ["other.txt"]


def test_help_and_version(capsys: Captured) -> None:
    """--help tells the exit codes; --version the version; no arguments the help."""
    assert run(["--help"]) == 0
    assert "130 interrupted" in " ".join(capsys.readouterr().out.split())
    assert run(["--version"]) == 0
    assert capsys.readouterr().out.startswith("bestfirst 0.")


def seconds_of(process: subprocess.Popen[str]) -> float:
    """The processor time that a process has had: on a busy machine it says better than a clock how far it has come."""
    fields = Path(f"/proc/{process.pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


@pytest.mark.slow
@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="processor times are read from /proc")
@pytest.mark.parametrize("after", [1.5, 2.5])
def test_ctrl_c_exits_with_130_and_gives_what_is_known(after: float) -> None:
    """A search interrupted from the terminal, also while it is compiled, prints its JSON and ends with 130."""
    command = [sys.executable, "-m", "bestfirst", "solve", "sliding-tile", "_ 12 9 13 / 15 11 10 14 / 3 7 2 5 / 4 8 6 1"]
    process = subprocess.Popen(
        [*command, "--algorithm", "idastar", "--json"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env={**os.environ, "PYTHONUNBUFFERED": "1"},
    )
    try:
        while seconds_of(process) < after:
            time.sleep(0.05)
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=60)
    finally:
        process.kill()
    assert (process.returncode, err) == (130, "")
    answer = json.loads(out)
    assert answer["status"] == "interrupted"
    assert 40 <= answer["lower_bound"] <= 80


PRESSES_CTRL_C = """
import os, signal, sys

class CtrlC:
    def find_spec(self, name, *_):
        if name == sys.argv[1]:
            os.kill(os.getpid(), signal.SIGINT)

sys.meta_path.insert(0, CtrlC())
from bestfirst.cli import main
main()
"""


@pytest.mark.slow
@pytest.mark.parametrize("module", ["bestfirst.errors", "bestfirst.trace", "bestfirst.cli", "typer", "bestfirst.cli.play"])
def test_ctrl_c_while_modules_are_imported_ends_the_command_with_one_line(module: str, tmp_path: Path) -> None:
    """From the first modules of the library to the last ones of the command: exit code 130 and no traceback."""
    script = tmp_path / "bestfirst"
    script.write_text(PRESSES_CTRL_C)
    done = subprocess.run([sys.executable, script, module], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout, done.stderr) == (130, "", "error: interrupted\n")


@pytest.mark.slow
def test_ctrl_c_is_left_to_programs_that_import_the_library(tmp_path: Path) -> None:
    """There it is a KeyboardInterrupt, also during the import."""
    script = tmp_path / "mine.py"
    script.write_text(PRESSES_CTRL_C)
    done = subprocess.run([sys.executable, script, "bestfirst.errors"], capture_output=True, text=True, check=False)
    assert done.returncode == -signal.SIGINT and done.stderr.endswith("KeyboardInterrupt\n")


def test_a_warning_is_one_line(capsys: Captured, monkeypatch: pytest.MonkeyPatch) -> None:
    """Without the place in the code that Python shows."""

    def warned(*_: object) -> None:
        warnings.warn("the cache cannot be written", stacklevel=1)
        raise InputError("that is all")

    monkeypatch.setattr("bestfirst.cli.app.read_in_time", warned)
    with warnings.catch_warnings():
        warnings.simplefilter("always")
        assert run(EIGHT) == 2
    assert capsys.readouterr().err == "warning: the cache cannot be written\nerror: that is all\n"


LONG_NAME = "a" * 300


def test_a_cache_that_is_a_file_is_told(capsys: Captured, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """There is none, and none can be made there."""
    (tmp_path / "file").touch()
    monkeypatch.setenv("BESTFIRST_CACHE", str(tmp_path / "file" / "cache"))
    assert run(["cache"]) == 2
    assert f"{tmp_path / 'file'} is a file; set BESTFIRST_CACHE to a directory" in capsys.readouterr().err


@pytest.mark.parametrize("command", [["cache"], ["cache", "--clear"]])
def test_a_cache_that_cannot_be_examined_is_told(
    command: list[str], capsys: Captured, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """Its name is too long for the system: the directory cannot be read."""
    monkeypatch.setenv("BESTFIRST_CACHE", str(tmp_path / LONG_NAME))
    assert run(command) == 2
    err = capsys.readouterr().err
    assert err.startswith(f"error: compiled code in {tmp_path / LONG_NAME} cannot be read: ")
    assert err.endswith("; set BESTFIRST_CACHE to another directory\n") and err.count("\n") == 1


def shell(command: str, **environment: str) -> subprocess.CompletedProcess[str]:
    """What a line of shell does, in which `bestfirst` is the command."""
    line = command.replace("bestfirst", f"{sys.executable} -m bestfirst")
    return subprocess.run(
        line,
        shell=True,
        capture_output=True,
        text=True,
        check=False,
        env={**os.environ, **environment},
        stdin=subprocess.DEVNULL,
    )


@pytest.mark.slow
@pytest.mark.parametrize(
    ("line", "code", "out", "err"),
    [
        ("bestfirst engine tic-tac-toe <&-", 0, "", ""),
        ("echo quit | bestfirst engine tic-tac-toe >&-", 0, "", ""),
        ("bestfirst solve nothing 1 2>&-", 2, "", ""),
        ("bestfirst play tic-tac-toe --hint-seconds 0 --engine python <&-", 0, "a player left", ""),
        ("bestfirst list >/dev/full", 2, "", "error: cannot write the output: No space left on device"),
        ("bestfirst list --json >/dev/full", 2, "", "error: cannot write the output: No space left on device"),
    ],
)
def test_closed_and_full_streams_are_no_bugs(line: str, code: int, out: str, err: str) -> None:
    """A closed input is at its end, a closed output takes nothing, and a full one is told."""
    done = shell(line)
    assert done.returncode == code, done.stderr
    assert out in done.stdout and err in done.stderr
    assert "bug in bestfirst" not in done.stderr and "Traceback" not in done.stderr


SOLVABLE = 'solve sliding-tile "2 8 3 1 6 4 7 _ 5" --goal "1 2 3 8 _ 4 7 6 5" --algorithm idastar --engine compiled'


@pytest.mark.slow
@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no device that is always full")
@pytest.mark.parametrize(
    ("line", "code", "out", "unbuffered"),
    [
        ("bestfirst solve n-queens 6 >/dev/full 2>&1", 2, "", ""),
        ("bestfirst solve n-queens 6 --json >/dev/full 2>&1", 2, "", "1"),
        ("bestfirst solve n-queens 6 >/dev/full", 2, "", ""),
        ("bestfirst solve n-queens 6 >/dev/full", 2, "", "1"),
        ("bestfirst solve n-queens 0x 2>/dev/full", 2, "", "1"),
        ("bestfirst solve n-queens 6 --bad 2>/dev/full", 2, "", ""),
        ("bestfirst solve n-queens 6 --bad 2>/dev/full", 2, "", "1"),
        ("{ { bestfirst solve n-queens 6 --bad 2>&1; echo code $? >&3; } | true; } 3>&1", 0, "code 2", ""),
        (f"BESTFIRST_CACHE=/dev/null/x bestfirst {SOLVABLE} 2>/dev/full", 0, "expanded", ""),
    ],
)
def test_a_message_that_cannot_be_written_does_not_change_the_exit_code(
    line: str, code: int, out: str, unbuffered: str
) -> None:
    """An error keeps exit code 2, for 1 means that no solution exists, and after a warning the search goes on."""
    done = shell(line, PYTHONUNBUFFERED=unbuffered)
    assert (done.returncode, done.stderr.count("\n")) == (code, done.stderr.count("error: cannot write the output"))
    assert out in done.stdout


@pytest.mark.slow
@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no device that is always full")
@pytest.mark.parametrize("command", ["isready", "go depth 3", "show"])
def test_answers_that_cannot_be_written_end_the_engine_with_an_error(command: str) -> None:
    """Also those of its threads: every answer is lost."""
    done = shell(f"echo {command} | bestfirst engine connect-four --engine python >/dev/full")
    assert done.returncode == 2
    assert done.stderr == "error: cannot write the output: No space left on device; choose another file or directory\n"


@pytest.mark.parametrize(("columns", "used"), [("0", "80"), ("1", "40"), ("39", "40"), ("60", "60"), ("wide", "wide")])
def test_a_table_keeps_enough_columns_to_be_read(
    columns: str, used: str, capsys: Captured, monkeypatch: pytest.MonkeyPatch
) -> None:
    """COLUMNS=0 means that the width is not known; in one column nothing could be read."""
    monkeypatch.setenv("COLUMNS", columns)
    assert run(["list", "domains"]) == 0
    assert os.environ["COLUMNS"] == used
    out = capsys.readouterr().out
    assert "sliding-tile" in out and "puzzle" in out


@pytest.mark.slow
def test_what_is_no_text_in_the_locale_is_told_with_escapes() -> None:
    """Also in the locale C, where only ASCII can be written."""
    done = shell("bestfirst solve sliding-tile é", LC_ALL="C", PYTHONUTF8="0", PYTHONCOERCECLOCALE="0")
    assert done.returncode == 2
    assert done.stderr.startswith("error: board '\\udcc3\\udca9' has the cell")


def test_an_endless_word_is_not_repeated_whole(capsys: Captured) -> None:
    """The error says how it begins."""
    assert run(["solve", "x" * 100_000, "1"]) == 2
    err = capsys.readouterr().err
    assert err.startswith("error: no domain is called 'xxx") and "xxx...'; choose from: " in err
    assert len(err) < 2000


class Faulty(Problem):
    """A domain whose own code raises an error in state 3."""

    initial = 0
    default_heuristic = "steps"

    @classmethod
    def from_text(cls, _text: str) -> Faulty:
        return cls()

    def successors(self, state: int) -> list[tuple[str, int, int]]:
        return [("on", state + 1, 3 // (3 - state))]

    def is_goal(self, state: int) -> bool:
        return state == 9

    @heuristic(admissible=True)
    def steps(self, state: int) -> int:
        return 9 - state


def test_an_error_of_a_domains_own_code_says_member_and_state(capsys: Captured, monkeypatch: pytest.MonkeyPatch) -> None:
    """An audit ends with exit code 2 and one line."""
    monkeypatch.setitem(DOMAINS, "faulty", Faulty)
    assert run(["audit", "faulty", "-"]) == 2
    err = capsys.readouterr().err
    assert err.startswith("error: successors(3) raised ZeroDivisionError: ")
    assert err.count("\n") == 1


def test_without_numpy_the_command_says_what_is_missing() -> None:
    """In one line, before anything that needs it is imported."""
    program = (
        "import sys, importlib.machinery as m\n"
        "find = m.PathFinder.find_spec\n"
        "m.PathFinder.find_spec = lambda name, *rest: None if name == 'numpy' else find(name, *rest)\n"
        "sys.argv = ['bestfirst', 'list']\n"
        "from bestfirst.cli import main; main()\n"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)
    assert done.returncode == 2
    assert "bestfirst needs numpy" in done.stderr and len(done.stderr.splitlines()) == 1


def test_a_cost_to_beat(capsys: pytest.CaptureFixture[str]) -> None:
    """Only cheaper solutions are sought; if there is none, the command says so."""
    assert run(["solve", "pancake", "4 1 7 2 6 3 5", "-a", "anytime-beam", "--upper-bound", "7"]) == 3
    assert "no solution costs less than 7, the upper bound" in capsys.readouterr().out
    assert run(["solve", "pancake", "4 1 7 2 6 3 5", "-a", "anytime-beam", "--upper-bound", "7.5"]) == 0


def test_a_comparison_under_a_time_limit_says_what_it_spent_on_preparations(
    capsys: Captured, monkeypatch: pytest.MonkeyPatch
) -> None:
    """They count against the limit, so the times of the table are not those of the searches alone; without one they are."""
    monkeypatch.setattr("bestfirst.cli.comparison.SECONDS_TOLD", 0.0)
    compare = ["compare", "jumping-tiles", "bb_ww", "--algorithms", "astar"]
    assert run([*compare, "--seconds", "60"]) == 0
    assert re.search(r"includes preparation, such as compiling: astar with \S+ \S+ m?s\.", capsys.readouterr().out)
    assert run(compare) == 0
    assert "preparations" not in capsys.readouterr().out
    monkeypatch.setattr("bestfirst.cli.comparison.SECONDS_TOLD", 600.0)
    assert run([*compare, "--seconds", "60"]) == 0
    assert "preparations" not in capsys.readouterr().out

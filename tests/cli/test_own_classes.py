"""The commands with a user's own class: its options, its errors, its compiled code."""

from __future__ import annotations

import importlib.metadata
import json
import os
import subprocess
import sys
from importlib.metadata import EntryPoint, EntryPoints
from pathlib import Path
from time import sleep

import pytest
from rich.table import Table

from bestfirst.cli import class_options, games, report
from bestfirst.cli.app import COMPLETION, run
from bestfirst.enumerated import Enumeration
from bestfirst.system import impatience

Captured = pytest.CaptureFixture[str]

LINE = '''
from typing import Literal
import bestfirst as bf

class Line(bf.Problem):
    """A walk along a line."""
    def __init__(self, length: int = 3, *, width: int = 1, way: Literal["up", "down"] = "up", goal: int | None = None):
        self.initial, self.length, self.width, self.way = 0, goal or length, width, way
    def is_goal(self, state): return state == self.length
    def successors(self, state): yield "on", state + self.width, 1
    @bf.heuristic(admissible=True, consistent=True)
    def distance(self, state): return self.length - state
'''
FAULTY = """
import bestfirst as bf

class Faulty(bf.Problem):
    initial = 0
    def is_goal(self, state): return state == 3
    def successors(self, state): yield "up", state + 1, 1
    def backward(self): return Backward()
    @bf.heuristic(admissible=True)
    def low(self, state): return 0
    @bf.heuristic()
    def wrong(self, state): return {}[state]


class Backward(Faulty):
    initial = 3
    def is_goal(self, state): return state == 0
    def successors(self, state): yield "down", state - 1, 1
"""
STICKS = '''
import bestfirst as bf

class Sticks(bf.Game):
    """Take 1 to 3 sticks."""
    def __init__(self, sticks: int = 21): self.initial = sticks
    def moves(self, state): return range(1, min(3, state) + 1)
    def play(self, state, move): return state - move
    def is_over(self, state): return state == 0
    def score(self, state): return -1
'''
RING = """
from typing import NamedTuple
import bestfirst as bf

class Ring(bf.Domain):
    class State(NamedTuple):
        place: int
    max_actions = 2
    def __init__(self, size: int):
        self.size_of_ring, self.initial = size, self.State(0)
    def step(self, state, action):
        return True, self.State((state.place + action + 1) % self.size_of_ring), 1
    def is_goal(self, state): return state.place == 5
"""


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(sys, "path", [*sys.path])
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "120")
    monkeypatch.setenv("NO_COLOR", "1")
    monkeypatch.setenv("TERM", "dumb")
    for name, text in (("line.py", LINE), ("sticks.py", STICKS), ("ring.py", RING)):
        (tmp_path / name).write_text(text)
    return tmp_path


def answer(capsys: Captured, *arguments: str, code: int = 0) -> dict[str, object]:
    """The JSON object of a command."""
    assert run([*arguments, "--json"]) == code, capsys.readouterr().err
    found: dict[str, object] = json.loads(capsys.readouterr().out)
    return found


def refusal(capsys: Captured, *arguments: str) -> str:
    """The error of a command, without the frame that Typer draws."""
    assert run(list(arguments)) == 2
    captured = capsys.readouterr()
    assert "Traceback" not in captured.err and "bug in bestfirst" not in captured.err
    return " ".join(captured.err.replace("│", " ").split())


@pytest.mark.parametrize(
    ("arguments", "cost"),
    [
        (["line.py"], 3),
        (["line.py:Line", "6"], 6),
        (["line.py", "--length", "6", "--line-width", "2"], 3),
        (["line.py", "--goal", "4", "--way", "down"], 4),
        (["line:Line", "6"], 6),
    ],
)
def test_a_class_is_solved_with_its_own_options(arguments: list[str], cost: int, capsys: Captured) -> None:
    """An option that bestfirst has too, in any command, begins with the name of the class."""
    found = answer(capsys, "solve", *arguments)
    assert (found["cost"], found["problem"]) == (cost, "line")


def test_a_search_without_a_heuristic_names_those_of_the_class(capsys: Captured) -> None:
    """If the class has no default; the audit, which needs one, names them too."""
    assert run(["solve", "line.py"]) == 0
    assert "name one with --heuristic (distance)" in capsys.readouterr().out
    assert run(["solve", "line.py", "--heuristic", "distance"]) == 0
    assert "name one with --heuristic" not in capsys.readouterr().out
    assert run(["audit", "line.py"]) == 2
    assert "use --heuristic with one of distance" in capsys.readouterr().err


def test_the_help_of_a_class_shows_its_options_only(capsys: Captured) -> None:
    """Not those of the domains of the package."""
    assert run(["solve", "line.py", "--help"]) == 0
    shown = capsys.readouterr().out
    assert all(words in shown for words in ("Options of Line", "--line-width", "up|down", "Default: 3", "--algorithm"))
    assert "--pegs" not in shown
    assert run(["analyse", "sticks.py", "--help"]) == 0
    shown = capsys.readouterr().out
    assert "--sticks" in shown and "--heaps" not in shown


def test_every_command_about_problems_takes_a_class(capsys: Captured) -> None:
    """Each instance of a comparison is the first parameter."""
    found = answer(capsys, "compare", "line.py", "2", "5", "--heuristics", "distance", "--algorithms", "astar")
    assert (found["instances"], [row["cost"] for row in found["rows"]]) == (["2", "5"], [2, 5])  # type: ignore[attr-defined]
    assert answer(capsys, "compare", "line.py", "--algorithms", "breadth-first")["instances"] == []
    assert answer(capsys, "enumerate", "ring.py", "7", "--engine", "python")["levels"] == [1, 2, 2, 2]
    assert answer(capsys, "audit", "ring.py", "7", "-H", "zero")["states"] == 7
    assert "no named pattern databases" in refusal(capsys, "pdb", "build", "line.py", "--pattern", "3")


def test_every_command_about_games_takes_a_class(capsys: Captured, monkeypatch: pytest.MonkeyPatch) -> None:
    assert answer(capsys, "analyse", "sticks.py", "1", "--sticks", "6", "--settings", "solver")["solved"] is True
    assert answer(capsys, "perft", "sticks.py:Sticks", "2", "--sticks", "2")["counts"][1]["lines"] == 1  # type: ignore[index]
    assert answer(capsys, "match", "sticks.py", "--a", "random", "--b", "random", "--games", "2")["command"] == "match"
    assert answer(capsys, "compare-games", "sticks.py", "--sticks", "4", "--depth", "1")["game"] == "sticks"
    assert answer(capsys, "check", "sticks.py", "--states", "20")["ok"] is True
    type_lines(monkeypatch, "go depth 3", "quit")
    assert run(["engine", "sticks.py", "--sticks", "5"]) == 0
    assert "bestmove 1" in capsys.readouterr().out
    assert run(["play", "sticks.py", "--sticks", "5", "--engine-plays", "both", "--depth", "3"]) == 0
    assert "moves: 1" in capsys.readouterr().out


def type_lines(monkeypatch: pytest.MonkeyPatch, *lines: str) -> None:
    """Let a command read these lines."""
    following = iter([*(f"{line}\n" for line in lines), ""])
    monkeypatch.setattr(sys, "stdin", type("Input", (), {"readline": lambda _self: next(following)})())


def test_errors_of_rules_are_told_by_the_engine_and_by_analyse(capsys: Captured, monkeypatch: pytest.MonkeyPatch) -> None:
    """With the line of the file."""
    Path("sticks.py").write_text(STICKS.replace("return -1", "return 1 // 0"))
    assert "sticks.py:10: in Sticks.score: ZeroDivisionError" in refusal(capsys, "analyse", "sticks.py", "--sticks", "2")
    type_lines(monkeypatch, "go depth 3", "quit")
    assert run(["engine", "sticks.py", "--sticks", "2"]) == 0
    assert "error sticks.py:10: in Sticks.score: ZeroDivisionError" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["solve", "line.py:Lime"], "line.py has no class 'Lime'; did you mean Line?"),
        (["solve", "lime.py"], "there is no file 'lime.py'; did you mean line.py"),
        (["solve", "line.py", "many"], "length of Line is 'many'; use a whole number"),
        (["solve", "line.py", "--pegs", "3"], "No such option: --pegs"),
        (["solve", "line.py", "3", "--length", "3"], "given twice"),
        (["solve", "sticks.py"], "sticks.py is a game, but this command takes a problem"),
        (["analyse", "line.py"], "line.py is a problem, but this command takes a game"),
        (["enumerate", "ring.py"], "Ring needs size, a whole number"),
        (["check", "line.py"], "audit"),
    ],
)
def test_what_does_not_fit_a_class_is_told(arguments: list[str], words: str, capsys: Captured) -> None:
    assert words in refusal(capsys, *arguments)


IMPATIENT = (
    "import sys; from bestfirst.cli import app, class_options; class_options.ProblemCommand.least_seconds = 1.0; "
    "sys.exit(app.run())"
)
"""The command, but a method that does not return is ended after a second."""
HEAD = "import bestfirst as bf\nclass P(bf.Problem):\n    initial = 0\n    def is_goal(self, s): return s == 9\n"
BROKEN = [
    (f"{HEAD}    def f(self:\n", "mine.py:5: SyntaxError", "def f(self:"),
    (f"{HEAD}    def __init__(self): 1 / 0\n", "mine.py:5: in P.__init__: ZeroDivisionError", "1 / 0"),
    (f"{HEAD}    def __init__(self, n): pass\n", "parameter n of P has no annotation (mine.py:5)", ""),
    (f"{HEAD}    def successors(self, s): yield s, s + 1, 1 / (s - 3)**2\n", "in P.successors: ZeroDivisionError", "1 / (s"),
    (f"{HEAD}    def successors(self, s): yield s, s + 1, -1\n", "mine.py:5: action 0 in state 0 costs -1", "yield"),
    (f"{HEAD}    def successors(self, s): return 7\n", "mine.py:5: successors(0) returns 7", "return 7"),
    (HEAD, "mine.py:2: P must define successors(state)", "class P(bf.Problem):"),
]


@pytest.mark.parametrize(("text", "words", "source"), BROKEN, ids=[words for _, words, _ in BROKEN])
def test_an_error_in_the_file_says_where_it_is(text: str, words: str, source: str, capsys: Captured) -> None:
    """With the line and its source, as bad input, and no line of bestfirst."""
    Path("mine.py").write_text(text)
    told = refusal(capsys, "solve", "mine.py")
    assert words in told and source in told
    assert "src/bestfirst" not in told


def test_a_solution_that_cannot_be_drawn_is_not_lost(capsys: Captured) -> None:
    """Its actions and its cost are printed, and then the error of the method. Control characters are escaped."""
    Path("mine.py").write_text(f"{HEAD}    def successors(self, s): yield 'on\\x1b', 9, 1\n")
    assert run(["solve", "mine.py"]) == 0
    assert "on\\x1b  9" in capsys.readouterr().out
    Path("mine.py").write_text(f"{Path('mine.py').read_text()}    def draw(self, s): raise ValueError('no')\n")
    assert run(["solve", "mine.py"]) == 2
    printed = capsys.readouterr()
    assert "actions: 'on\\x1b'" in printed.out and "cost 1" in printed.out
    assert "mine.py:6: in P.draw: ValueError: no" in printed.err


@pytest.mark.slow
def test_a_solution_whose_drawing_does_not_end_is_not_lost(capsys: Captured, monkeypatch: pytest.MonkeyPatch) -> None:
    """However long it takes to print it."""

    def slow(text: str) -> str:
        sleep(0.5)
        return text

    monkeypatch.setattr(report, "one_line", slow)
    monkeypatch.setattr(class_options.ProblemCommand, "least_seconds", 1.0)
    Path("mine.py").write_text(
        f"{HEAD}    def successors(self, s): yield 'on', s + 3, 1\n    def draw(self, s):\n        while True: s\n"
    )
    assert run(["solve", "mine.py", "--seconds", "0.2"]) == 2
    endless = capsys.readouterr()
    assert "cost 3" in endless.out and "actions: 'on', 'on', 'on'" in endless.out
    assert "P.draw: this call did not return" in endless.err


@pytest.mark.slow
def test_a_solution_is_told_even_if_its_drawing_ends_the_process() -> None:
    """Because it cannot be interrupted."""
    Path("mine.py").write_text(
        f"import time\n{HEAD}    def successors(self, s): yield 'on', 9, 1\n    def draw(self, s): time.sleep(100)\n"
    )
    command = [sys.executable, "-c", IMPATIENT, "solve", "mine.py", "--seconds", "0.2"]
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=60)
    assert done.returncode == 2 and "P.draw: this call did not return" in done.stderr
    assert "solved: cost 1" in done.stdout and "expanded" in done.stdout


@pytest.mark.slow
def test_the_script_that_starts_the_command_is_not_the_users_code() -> None:
    """Though it may lie below the directory of the user's file, as in .venv/bin."""
    script = Path("bin/bestfirst")
    script.parent.mkdir()
    script.write_text("import sys\nfrom bestfirst.cli.app import run\nsys.exit(run())\n")
    Path("mine.py").write_text(f"{HEAD}    def successors(self, s): yield 0, s - 1, 1\n")
    arguments = ["compare", "mine.py", "--algorithms", "uniform-cost,breadth-first,depth-first", "--seconds", "0.6"]
    done = subprocess.run([sys.executable, str(script), *arguments], capture_output=True, text=True, check=False, timeout=60)
    assert (done.returncode, done.stderr) == (3, "")


@pytest.mark.slow
def test_analyse_is_watched_without_a_limit_too(capsys: Captured, monkeypatch: pytest.MonkeyPatch) -> None:
    """For its five seconds, here less."""
    monkeypatch.setattr(games, "SECONDS_UNLESS_LIMITED", 0.1)
    Path("mine.py").write_text(f"{STICKS}    def moves(self, state):\n        while True: state\n")
    assert "Sticks.moves: this call did not return within 1.1 s" in refusal(capsys, "analyse", "mine.py")


def test_a_program_is_not_overwritten(capsys: Captured) -> None:
    """By the output of a search."""
    Path("mine.py").write_text(LINE)
    assert "--output would overwrite the Python file" in refusal(capsys, "solve", "mine.py", "--output", "mine.py")
    assert Path("mine.py").read_text() == LINE


@pytest.mark.slow
def test_a_match_whose_game_does_not_return_is_stopped(capsys: Captured) -> None:
    """After the time for a move."""
    Path("mine.py").write_text(f"{STICKS}    def moves(self, state):\n        while True: state\n")
    told = refusal(capsys, "match", "mine.py", "--a", "depth=2", "--b", "random", "--most-seconds", "0.1")
    assert "Sticks.moves: this call did not return within 1.1 s, and --most-seconds is 0.1" in told


def test_an_error_that_another_command_words_names_the_line_too(capsys: Captured) -> None:
    """An audit says the member and the state."""
    Path("mine.py").write_text(f"{HEAD}    def successors(self, s): yield s, s + 1, 1 / (s - 3)**2\n")
    told = refusal(capsys, "audit", "mine.py", "-H", "zero")
    assert told.startswith("error: mine.py:5: successors(3) raised ZeroDivisionError: ") and told.endswith("(s - 3)**2")


def test_json_stands_alone(capsys: Captured) -> None:
    """What the user's code prints goes to the standard error."""
    Path("mine.py").write_text(LINE.replace("yield", "print('noise'); yield"))
    assert run(["solve", "mine.py", "--json"]) == 0
    captured = capsys.readouterr()
    assert json.loads(captured.out)["cost"] == 3 and set(captured.err.split()) == {"noise"}


@pytest.mark.skipif(os.name != "posix", reason="the C library is found otherwise")
def test_json_stands_alone_whoever_prints() -> None:
    """A file when it is imported, C code, whose library keeps the text, and a child process, too."""
    noise = "os.write(1, b'raw '); ctypes.CDLL(None).printf(b'of-c '); subprocess.run(['echo', 'child']); print('noise')"
    Path("mine.py").write_text(f"import ctypes, os, subprocess\n{noise}\n{LINE.replace('yield', f'{noise}; yield')}")
    command = [sys.executable, "-m", "bestfirst", "solve", "mine.py", "--json"]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    assert json.loads(done.stdout)["cost"] == 3
    assert set(done.stderr.split()) == {"raw", "of-c", "child", "noise"}


def test_texts_that_are_no_strings_are_named(capsys: Captured) -> None:
    """Also where a label is the format, and for the name."""
    body = f"{HEAD}    def successors(self, s): yield 0, 9, 1\n"
    Path("mine.py").write_text(f"{body}    def format(self, s): return 5\n    def name(self): return 5\n")
    assert "P.format(0) returns 5" in refusal(capsys, "solve", "mine.py", "--trace", "--tree")
    Path("mine.py").write_text(f"{body}    def name(self): return 5\n")
    assert "P.name() returns 5" in refusal(capsys, "solve", "mine.py", "--json")


def test_a_method_that_ends_python_is_told_apart_from_a_program(capsys: Captured) -> None:
    """A program that ends Python belongs under if __name__; in a method, an error serves instead."""
    Path("mine.py").write_text(f"import sys\n{HEAD}    def successors(self, s): sys.exit(0)\n")
    assert "SystemExit: 0 ends Python; raise an error instead" in refusal(capsys, "solve", "mine.py")
    Path("mine.py").write_text(f"import sys\n{HEAD}\nsys.exit(0)\n")
    assert "ends Python; put code that should not run here under if __name__" in refusal(capsys, "solve", "mine.py")


@pytest.mark.slow
def test_a_call_that_does_not_end_is_stopped_after_the_limit_on_time(
    capsys: Captured, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The limit is otherwise examined between two calls only; what was found is kept."""
    monkeypatch.setattr(impatience, "PATIENCE", 0.5)
    body = (
        "        if s == 5:\n            while True: s\n        yield from {0: [(0, 1, 1), (1, 5, 2)], 1: [(2, 9, 2)]}[s]\n"
    )
    Path("mine.py").write_text(f"{HEAD}    def successors(self, s):\n{body}")
    arguments = ["solve", "mine.py", "-a", "depth-first-branch-and-bound", "--seconds", "0.2", "--json"]
    assert run(arguments) == 3
    captured = capsys.readouterr()
    found = json.loads(captured.out)
    assert (found["status"], found["cost"]) == ("limit", 3) and "mine.py:7, in successors" in "".join(found["warnings"])


@pytest.mark.slow
def test_a_drawing_that_does_not_end_is_stopped_after_the_limit_on_time(
    capsys: Captured, monkeypatch: pytest.MonkeyPatch
) -> None:
    """No search ends it."""
    monkeypatch.setattr(class_options.ProblemCommand, "least_seconds", 0.5)
    Path("mine.py").write_text(
        f"{HEAD}    def draw(self, s):\n        while True: s\n    def successors(self, s): yield 0, 9, 1\n"
    )
    told = refusal(capsys, "solve", "mine.py", "--seconds", "0.2")
    assert "mine.py:6: in P.draw: this call did not return within" in told and "while True" in told


def test_successors_that_do_not_end_are_stopped_by_the_limit_on_time(capsys: Captured) -> None:
    Path("mine.py").write_text(f"{HEAD}    def successors(self, s):\n        while True: yield 0, s, 1\n")
    assert run(["solve", "mine.py", "--seconds", "0.2"]) == 3
    assert "check that the list of successors ends" in capsys.readouterr().out


@pytest.mark.slow
def test_a_call_that_catches_everything_is_stopped_too() -> None:
    """In the end with its process."""
    body = "        while True:\n            try: sleep(0.01)\n            except: continue\n"
    Path("mine.py").write_text(f"from time import sleep\n{HEAD}    def successors(self, s):\n{body}        yield 0, s, 1\n")
    command = [sys.executable, "-c", IMPATIENT, "solve", "mine.py", "--seconds", "0.2"]
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=60)
    assert done.returncode == 2
    assert "in P.successors: this call did not return within 1.2 s" in done.stderr


@pytest.mark.slow
def test_a_call_that_has_ended_is_not_stopped(monkeypatch: pytest.MonkeyPatch, capsys: Captured) -> None:
    """However long bestfirst works afterwards, such as to print."""
    show = report.levels_table

    def slow(found: Enumeration) -> Table:
        sleep(1.5)
        return show(found)

    monkeypatch.setattr(report, "levels_table", slow)
    Path("mine.py").write_text(f"import time\n{HEAD}    def successors(self, s): time.sleep(0.1); yield 0, s + 1, 1\n")
    assert run(["enumerate", "mine.py", "--seconds", "0.2"]) == 3, capsys.readouterr().err
    capsys.readouterr()


def test_the_traceback_of_an_error_can_be_seen(capsys: Captured, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("BESTFIRST_DEBUG", "1")
    Path("mine.py").write_text("1 / 0\n")
    with pytest.raises(ValueError, match=r"mine.py:1") as caught:
        run(["solve", "mine.py"])
    assert isinstance(caught.value.__cause__, ZeroDivisionError)
    capsys.readouterr()


def offered(capsys: Captured, monkeypatch: pytest.MonkeyPatch, *words: str) -> list[str]:
    monkeypatch.setenv(COMPLETION, "complete_bash")
    monkeypatch.setenv("COMP_WORDS", " ".join(("bestfirst", *words)))
    monkeypatch.setenv("COMP_CWORD", str(len(words)))
    assert run([]) == 0
    return capsys.readouterr().out.split()


def test_other_packages_are_listed_and_offered_and_no_file_is_run(capsys: Captured, monkeypatch: pytest.MonkeyPatch) -> None:
    """Neither by list nor by completion, which offers the files of the directory."""
    Path("mine.py").write_text("raise SystemExit('was run')\n")
    points = EntryPoints(
        [EntryPoint("mine", "mine:Tour", "bestfirst.domains"), EntryPoint("my-game", "mine:Sticks", "bestfirst.games")]
    )
    monkeypatch.setattr(importlib.metadata, "entry_points", lambda group: points.select(group=group))
    assert run(["list"]) == 0
    out = capsys.readouterr().out
    assert "Tour of mine:Tour" in out and "my-game" in out
    assert {"name": "mine", "class": "mine:Tour", "package": "mine:Tour"} in answer(capsys, "list")["domains"]  # type: ignore[operator]
    assert offered(capsys, monkeypatch, "solve", "mi") == ["missionaries-cannibals", "mine", "mine.py"]
    assert offered(capsys, monkeypatch, "analyse", "my") == ["my-game"]
    assert offered(capsys, monkeypatch, "solve", "mine.py", "--heuristic", "") == []


@pytest.mark.slow
def test_compiled_code_is_found_again_until_the_file_changes(
    folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: Captured
) -> None:
    """By another process too; an edited file never runs with old code."""
    cache = folder / "cache"
    monkeypatch.setenv("BESTFIRST_CACHE", str(cache))
    words = ["solve", "ring.py", "9", "--engine", "compiled", "-a", "depth-first-branch-and-bound"]

    def files() -> set[str]:
        return {file.name for file in cache.glob("*.code")}

    assert answer(capsys, *words)["cost"] == 3
    kept = files()
    assert kept
    command = [sys.executable, "-m", "bestfirst", *words, "--json"]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    assert (json.loads(done.stdout)["cost"], files()) == (3, kept)
    (folder / "ring.py").write_text(RING.replace("action + 1", "action + 5"))
    assert answer(capsys, *words)["cost"] == 1
    assert files() > kept


FAULTS = [
    ("format", "def format(self, s): return None", "returns None; it must return a str"),
    ("draw", "def draw(self, s): return 7", "P.draw(0) returns 7; it must return a str"),
    ("label", "def label(self, s): return None", "P.label(0) returns None"),
    ("action", "def format_action(self, a): return None", "P.format_action('on') returns None"),
    ("stop", "def is_goal(self, s): raise StopIteration", "is_goal raised StopIteration"),
    ("exit", "def is_goal(self, s): raise GeneratorExit", "in P.is_goal: GeneratorExit"),
    ("base", "def is_goal(self, s): raise type('Own', (BaseException,), {})", "in P.is_goal: Own"),
    ("stop drawing", "def draw(self, s): raise StopIteration", "in P.draw: StopIteration"),
    ("pipe", "def is_goal(self, s): raise BrokenPipeError", "in P.is_goal: BrokenPipeError"),
    ("escape", "def is_goal(self, s): raise KeyError('\\x1b]0;x\\x07')", "KeyError: "),
    ("untold", "def is_goal(self, s): raise type('E', (Exception,), {'__str__': None})", "E: <a E that cannot be shown>"),
]


@pytest.mark.parametrize(("member", "words"), [fault[1:] for fault in FAULTS], ids=[fault[0] for fault in FAULTS])
def test_a_fault_of_a_method_is_never_called_a_bug_of_bestfirst(member: str, words: str, capsys: Captured) -> None:
    """Whatever a method returns or raises: the error names it, with the line."""
    rules = "    def is_goal(self, s): return s == 2\n    def successors(self, s): yield 'on', s + 1, 1\n"
    Path("mine.py").write_text(f"import bestfirst as bf\nclass P(bf.Problem):\n    initial = 0\n{rules}    {member}\n")
    told = [refusal(capsys, "solve", "mine.py", "--tree", *more) for more in ([], ["-H", "zero"])]
    assert any(words in one and "mine.py:" in one for one in told)


def test_a_class_with_an_abstract_method_says_which(capsys: Captured) -> None:
    Path("mine.py").write_text(
        "import abc, bestfirst as bf\nclass P(bf.Problem, abc.ABC):\n    @abc.abstractmethod\n    def size(self): ...\n"
    )
    assert "P is an abstract class; name a subclass that defines size" in refusal(capsys, "solve", "mine.py")


def test_what_no_check_foresees_is_blamed_on_the_class_too(capsys: Captured, monkeypatch: pytest.MonkeyPatch) -> None:
    """As far as it may be the cause."""

    def fail(*_: object, **__: object) -> None:
        raise TypeError("strange")

    monkeypatch.setattr("bestfirst.cli.app.Search", fail)
    told = refusal(capsys, "solve", "line.py")
    assert (
        "line.py:5: a method returned a value that bestfirst cannot use, or bestfirst has a bug: TypeError: strange" in told
    )


def test_many_levels_are_not_all_printed(capsys: Captured) -> None:
    """A table of a million rows takes minutes."""
    assert run(["enumerate", "line.py", "--seconds", "0.2"]) == 3
    assert len(capsys.readouterr().out.splitlines()) < 1100


OPTIONS = """
from enum import Enum
import bestfirst as bf

class Colour(Enum):
    Red = 1
    RED = 2

class Line(bf.Problem):
    def __init__(self, size): self.initial, self.size = 0, size
    def is_goal(self, state): return state == sum(self.size)
    def successors(self, state): yield "on", state + 1, 1
    @classmethod
    def from_text(cls, text="", *, size=(1, 2), colour: Colour = Colour.Red, from_=0, _cache=0):
        return cls((*size, 10 * colour.value, from_))

class Unbound(Line):
    def from_text(self, text): return self

class Nothing(Line):
    @classmethod
    def from_text(cls, text=""): pass
"""


@pytest.mark.parametrize(
    ("arguments", "cost"),
    [([], 13), (["--size", "4,5"], 19), (["--colour", "RED"], 23), (["--colour", "Red", "--from", "1"], 14)],
)
def test_the_options_of_a_class_are_read_as_its_parameters_say(arguments: list[str], cost: int, capsys: Captured) -> None:
    """A tuple as a default, names that differ by case, and underscores around a name; private parameters are no options."""
    Path("options.py").write_text(OPTIONS)
    assert answer(capsys, "solve", "options.py:Line", *arguments)["cost"] == cost


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["options.py:Line", "--colour", "red"], "use one of Red, RED"),
        (["options.py:Line", "--cache", "1"], "No such option: --cache"),
        (["options.py:Unbound", "x"], "Unbound.from_text is not a class method; decorate it with @classmethod"),
        (["options.py:Nothing"], "Nothing.from_text returns None"),
    ],
)
def test_a_class_whose_options_cannot_be_read_says_why(arguments: list[str], words: str, capsys: Captured) -> None:
    Path("options.py").write_text(OPTIONS)
    assert words in refusal(capsys, "solve", *arguments)


def test_the_path_of_a_file_may_contain_a_colon(capsys: Captured) -> None:
    """The name of the class is what comes after .py."""
    Path("co:lon.py").write_text("import bestfirst as bf\nP = bf.NQueens(4)\n")
    assert run(["solve", "co:lon.py:P"]) == 0
    assert "solved: " in capsys.readouterr().out


@pytest.mark.parametrize("stream", ["stdout", "stderr"])
def test_a_stream_that_a_method_closes_is_told(stream: str) -> None:
    """Without a traceback; the exit code is that of the search if only standard error was closed."""
    Path("mine.py").write_text(
        "import sys, bestfirst as bf\nclass P(bf.Problem):\n    initial = 0\n    def is_goal(self, s): return s == 2\n"
        f"    def successors(self, s):\n        sys.{stream}.close()\n        yield 'on', s + 1, 1\n"
    )
    done = subprocess.run(
        [sys.executable, "-m", "bestfirst", "solve", "mine.py"], capture_output=True, text=True, check=False
    )
    if stream == "stderr":
        assert (done.returncode, done.stderr) == (0, "") and "solved: " in done.stdout
    else:
        assert (done.returncode, done.stdout) == (2, "")
        assert done.stderr.startswith("error: the code of the problem or the game has closed sys.stdout")
        assert "Traceback" not in done.stderr


@pytest.mark.parametrize(
    ("name", "words"),
    [
        (":P", "'' is not the name of a module"),
        ("..:P", "'..' is not the name of a module"),
        ("mine.py:Q", "mine.py:1: in __getattr__: ValueError: Q"),
    ],
)
def test_a_name_that_leads_nowhere_says_why(name: str, words: str, capsys: Captured) -> None:
    """Even if the file raises an error when it is asked for a name."""
    Path("mine.py").write_text("def __getattr__(name): raise ValueError(name)\n")
    assert words in refusal(capsys, "solve", name)


def test_a_search_that_fails_is_a_row_of_compare(tmp_path: Path, capsys: Captured) -> None:
    """The others are not lost; the error names the algorithm and the heuristic, and the line that failed."""
    file = tmp_path / "faulty.py"
    file.write_text(FAULTY)
    words = ["compare", f"{file}:Faulty", "--algorithms", "astar,bidirectional-astar,breadth-first"]
    assert run([*words, "--heuristics", "wrong,low", "--json"]) == 2
    captured = capsys.readouterr()
    statuses = [(row["algorithm"], row["heuristic"], row["status"]) for row in json.loads(captured.out)["rows"]]
    assert statuses == [
        ("astar", "wrong", "failed"),
        ("astar", "low", "optimal"),
        ("bidirectional-astar", "wrong", "failed"),
        ("bidirectional-astar", "low", "failed"),
        ("breadth-first", None, "optimal"),
    ]
    assert "astar with wrong: " in captured.err and ":12: in Faulty.wrong: KeyError: 0" in captured.err
    assert "bidirectional-astar with low: " in captured.err and "does not lead from" in captured.err
    assert run([*words, "--heuristics", "low"]) == 2
    assert ["bidirectional-astar", "low", "failed", "-", "-", "-", "-"] in map(
        str.split, capsys.readouterr().out.splitlines()
    )


def test_an_invalid_search_of_compare_is_refused_before_the_first_run(tmp_path: Path, capsys: Captured) -> None:
    """As it needs no search to be known."""
    file = tmp_path / "faulty.py"
    file.write_text(FAULTY)
    assert run(["compare", f"{file}:Faulty", "--algorithms", "breadth-first,depth-limited"]) == 2
    captured = capsys.readouterr()
    assert not captured.out and "depth-limited needs a depth" in captured.err

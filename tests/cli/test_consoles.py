"""What users name with square brackets is printed as they wrote it."""

from __future__ import annotations

import io
import re
from pathlib import Path

import pytest
from rich.console import Console

from bestfirst import cli
from bestfirst.cli import live
from bestfirst.cli.app import run
from bestfirst.experiments.running import run as run_experiment

Captured = pytest.CaptureFixture[str]

OWN = '''
import bestfirst as bf

class Way(bf.Problem):
    """A way [/x]."""
    def __init__(self, length: int = 2, odd: str = "[/a] [red]"): self.initial = length
    def is_goal(self, state): return state == 0
    def successors(self, state): yield f"[/{state}]", state - 1, 1
    def heuristics(self): return {"h[/h]": bf.Heuristic(lambda state: state, "h[/h]")}

class Race(bf.Game):
    """A race [/x]."""
    initial = (5, 0)
    sides = ("left [/l] :car:", "right")
    def side_to_move(self, state): return state[1]
    def moves(self, state): return [1, 2]
    def play(self, state, move): return state[0] - move, 1 - state[1]
    def is_over(self, state): return state[0] <= 0
    def score(self, state): return -1
    def format_move(self, state, move): return f"[{'/b'[move - 1]}]"
'''
SPEC = """
    [[problems]]
    name = "p[/p]"
    domain = "pancake"
    instances = ["2 1"]
    [[configurations]]
    name = "A* [h=1]"
    algorithm = "astar"
    heuristic = "gap"
    engine = "python"
    [[configurations]]
    name = "A* [/h]"
    algorithm = "uniform-cost"
    engine = "python"
"""


@pytest.mark.parametrize(
    ("command", "texts"),
    [
        ("solve own.py:Way --trace --tree", ["[/2]", "[/1]"]),
        ("solve own.py:Way -h", ["[/a] [red]"]),
        ("solve own.py:Way --algorithm astar --heuristic h[/h]", ["h[/h]"]),
        ("compare own.py:Way 3 --algorithms astar --heuristics h[/h]", [" h[/h] "]),
        ("analyse own.py:Race --depth 4 --engine python", ["left [/l] :car: to move", "\n[b] ", "  [/] [b]"]),
        ("experiment run spec[/s].toml --ledger runs[/r].sqlite", ["runs[/r].sqlite"]),
        ("experiment status spec[/s].toml --ledger done.sqlite", ["A* [h=1]", "A* [/h]"]),
    ],
)
def test_square_brackets_are_printed(
    command: str, texts: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Captured
) -> None:
    """Rich would take them for styles, and fail or print nothing in their place."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "150")
    (tmp_path / "own.py").write_text(OWN)
    (tmp_path / "spec[").mkdir()
    (tmp_path / "spec[/s].toml").write_text(SPEC)
    (tmp_path / "runs[").mkdir()
    if "status" in command:
        run_experiment("spec[/s].toml", "done.sqlite")
    assert run(command.split()) == 0
    printed = capsys.readouterr().out
    for text in texts:
        assert text in printed


def test_a_spinner_shows_square_brackets(monkeypatch: pytest.MonkeyPatch) -> None:
    """Its line is text, too."""
    screen = io.StringIO()
    monkeypatch.setattr(live, "console", lambda **_: Console(file=screen, force_terminal=True, width=80))
    monkeypatch.setattr(live, "QUIET_SECONDS", 0)
    monkeypatch.setattr(live, "SECONDS_BETWEEN_UPDATES", 0)
    with live.LiveLine() as line:
        line.update_audit("[/a]", 1)
        line.update_audit("[/b] :car:", 2)
    assert "[/b] :car:: 2 states" in screen.getvalue()


def test_all_commands_print_with_these_consoles() -> None:
    """One that Rich makes reads markup."""
    files = Path(cli.__file__).parent.glob("*.py")
    assert [file.name for file in files if re.search(r"\bConsole\(", file.read_text())] == ["consoles.py"]

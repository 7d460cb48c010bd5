"""The user's own files in the studio."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from bestfirst.cli.app import run
from served import Served, served, studio_is_installed

pytestmark = studio_is_installed

OWN = """
import bestfirst as bf

class Count(bf.Problem):
    "Count to a number."
    unit_cost = True
    initial = 0
    def __init__(self, to: int = 3, step: int = 1):
        self.to, self.step = to, step
    def is_goal(self, state): return state == self.to
    def successors(self, state): yield "on", state + self.step, 1 + 0 // (9 - state)
    def picture(self, state): return f"<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 2 1'><!-- {state} --></svg>"

class Sticks(bf.Game):
    "Take one or two."
    initial = 4
    def moves(self, state): return range(1, min(2, state) + 1)
    def play(self, state, move): return state - move
    def is_over(self, state): return state == 0
    def score(self, state): return -1
    picture = Count.picture
"""


def _catalogue(studio: Served) -> dict[str, list[dict[str, object]]]:
    found: dict[str, list[dict[str, object]]] = studio.told("GET", "/api/catalogue")
    return found


@pytest.mark.slow
def test_own_files_are_offered_and_no_others_are_run(tmp_path: Path) -> None:
    """Problems and games with their parameters, errors with their line, edits at once; a request cannot name another file."""
    mine, broken, other = tmp_path / "mine.py", tmp_path / "broken.py", tmp_path / "other.py"
    mine.write_text(OWN)
    broken.write_text("1 / 0\n")
    other.write_text(OWN + f"open({str(tmp_path / 'was-run')!r}, 'w')\n")
    with served(str(mine), str(broken)) as studio:
        known = _catalogue(studio)
        assert (known["problems"][0]["name"], known["games"][0]["name"]) == (f"{mine}:Count", f"{mine}:Sticks")
        assert [option["name"] for option in known["problems"][0]["options"]] == ["to", "step"]  # type: ignore[attr-defined]
        assert "broken.py:1: ZeroDivisionError" in str(known["errors"])
        messages = list(studio.run(work="search", problem=f"{mine}:Count", options={"to": "5"}))
        solution = next(message["solution"] for message in messages if "solution" in message)
        assert solution["cost"] == 5 and solution["path"][2]["aspect"] == 0.5 and "<!-- 2 -->" in solution["path"][2]["svg"]
        failed = list(studio.run(work="search", problem=f"{mine}:Count", options={"to": "20"}))
        assert "mine.py:11: in Count.successors: ZeroDivisionError" in failed[-1]["error"]
        assert studio.ask(work="position", game=f"{mine}:Sticks", moves=["1", "2"])["played"][1]["text"] == "2"
        assert studio.ask(work="position", game=f"{mine}:Sticks", moves=["1"])["board"]["svg"].endswith("<!-- 3 --></svg>")
        mine.write_text(OWN.replace("state + self.step", "state + 5"))
        messages = list(studio.run(work="search", problem=f"{mine}:Count", options={"to": "5"}))
        assert next(message["solution"] for message in messages if "solution" in message)["cost"] == 1
        for name in (f"{other}:Count", str(other), "other:Count", f"{mine}:Count.__init__", f"{mine}:bf.SlidingTile"):
            assert "the studio has no problem" in studio.ask(work="look", problem=name, own=[str(other)])["error"]
            assert "the studio has no game" in studio.ask(work="position", game=name, own=[str(other)])["error"]
        assert json.dumps(known).count("other.py") == 0
        assert not (tmp_path / "was-run").exists()


LESSON = """---
title: Counting
---
It takes [9](=count.actions) steps.
```run
name = "count"
problem = "mine.py:Count"
options = {to = 4}
```
"""


@pytest.mark.slow
def test_own_lessons_are_taught_and_no_others_are_read(tmp_path: Path) -> None:
    """With the problems of files beside them; a wrong number, and a file that cannot be read, are told with their line."""
    mine, broken = tmp_path / "mine.md", tmp_path / "broken.md"
    (tmp_path / "mine.py").write_text(OWN)
    mine.write_text(LESSON)
    broken.write_text("---\ntitle: x\n---\n```run\nname = 1\n```\n")
    with served(str(mine), str(broken)) as studio:
        known = _catalogue(studio)
        assert known["lessons"][0] == {"name": str(mine), "title": "Counting", "summary": "", "questions": 0}
        assert "broken.md:5: name is 1; write a string in quotes" in str(known["errors"])
        assert "<data" in studio.ask(work="lesson", lesson=str(mine))["parts"][0]["html"]
        messages = [message for message in studio.run(work="teach", lesson=str(mine)) if "known" in message]
        assert messages[0]["known"]["stated"] == [{"text": "9", "expression": "count.actions", "instead": "4"}]
        assert next(studio.run(work="watch", lesson=str(mine), name="count"))
        for other in (str(tmp_path / "mine.py"), "../lesson.md", "/etc/passwd"):
            assert "no lesson is called" in studio.ask(work="lesson", lesson=other)["error"]


def test_a_name_that_is_no_text_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The page could not show it."""
    file = tmp_path / "l\udcff.md"
    file.write_text("---\ntitle: T\n---\n\ntext\n")
    assert run(["studio", "--no-open", str(file)]) == 2
    assert "its name is not UTF-8" in capsys.readouterr().err


def test_a_file_that_is_not_there_is_said_at_once(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    """Before anything is served."""
    assert run(["studio", "--no-open", str(tmp_path / "no.py")]) == 2
    assert "there is no file" in capsys.readouterr().err

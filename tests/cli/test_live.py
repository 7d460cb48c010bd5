"""The line that shows at a terminal how long work is getting on."""

from __future__ import annotations

import io
import re

import pytest
from rich.console import Console

from bestfirst.cli import live
from bestfirst.cli.app import run

AUDIT = ["audit", "jumping-tiles", "bbb_www"]
COMPARE = ["compare", "jumping-tiles", "bbb_www", "--algorithms", "astar,uniform-cost", "--engine", "python"]
PORTFOLIO = ["solve", "jumping-tiles", "bbb_www", "--algorithm", "portfolio", "--engine", "python"]
ENUMERATE = ["enumerate", "jumping-tiles", "bbb_www", "--engine", "python"]


@pytest.fixture
def shown(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The lines that are shown where standard error is a terminal; each update is, at once."""
    lines: list[str] = []
    monkeypatch.setattr(live, "console", lambda **_: Console(file=io.StringIO(), force_terminal=True))
    monkeypatch.setattr(live, "QUIET_SECONDS", 0)
    monkeypatch.setattr(live, "SECONDS_BETWEEN_UPDATES", 0)
    monkeypatch.setattr(live.LiveLine, "_show", lambda _, line: lines.append(line))
    return lines


@pytest.mark.parametrize(
    ("arguments", "lines"),
    [
        (AUDIT, ["exploring: 0 states", "estimating: 0 states", "comparing: 0 states"]),
        (
            COMPARE,
            [
                r"1 of 2: astar with inversions \| \d+ expanded \| .* bound \d",
                r"2 of 2: uniform-cost \| \d+ expanded \| .* bound",
            ],
        ),
        (ENUMERATE, [r"1 state so far, radius 0, mean 0.0000"]),
        (PORTFOLIO, [r"\d+ expanded \| .* cost 14 \| bound 14"]),
    ],
    ids=["audit", "compare", "enumerate", "portfolio"],
)
def test_a_terminal_is_shown_what_is_being_done(
    arguments: list[str], lines: list[str], shown: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    """The phase of an audit, which search of a comparison it is, the states of an enumeration; never 'stopped: None'."""
    assert run(arguments) == 0
    capsys.readouterr()
    for line in lines:
        assert any(re.search(line, update) for update in shown)
    assert not any("None" in update for update in shown)


@pytest.mark.parametrize("arguments", [AUDIT, COMPARE, ENUMERATE], ids=["audit", "compare", "enumerate"])
def test_what_is_no_terminal_is_shown_nothing(
    arguments: list[str], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Standard error stays empty in scripts."""
    monkeypatch.setattr(live, "QUIET_SECONDS", 0)
    assert run(arguments) == 0
    assert capsys.readouterr().err == ""

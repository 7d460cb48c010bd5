"""What a shell offers after Tab."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from bestfirst.cli.app import COMPLETION, run
from bestfirst.cli.completion import SHELLS

Captured = pytest.CaptureFixture[str]


@pytest.fixture(autouse=True)
def asked_by_bash(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(COMPLETION, "complete_bash")


def offered(capsys: Captured, monkeypatch: pytest.MonkeyPatch, *words: str) -> list[str]:
    """What bash is offered for the last of these words, which may be empty."""
    monkeypatch.setenv("COMP_WORDS", " ".join(f"'{word}'" if " " in word else word for word in ("bestfirst", *words)))
    monkeypatch.setenv("COMP_CWORD", str(len(words)))
    assert run([]) == 0
    return capsys.readouterr().out.split("\n")[:-1]


@pytest.mark.parametrize(
    ("words", "some"),
    [
        ([""], ["solve", "compare", "analyse", "pdb", "list"]),
        (["co"], ["compare", "compare-games"]),
        (["solve", "--eng"], ["--engine"]),
        (["solve", "sl"], ["sliding-tile"]),
        (["pdb", "build", "poc"], ["pocket-cube"]),
        (["solve", "sliding-tile", "2 8 3 1 6 4 7 _ 5", "-a", "id"], ["idastar"]),
        (["solve", "sliding-tile", "2 8 3 1 6 4 7 _ 5", "--heuristic", "ma"], ["manhattan"]),
        (["solve", "grid-map", "room.map", "--heuristic", "oct"], ["octile"]),
        (["compare", "sliding-tile", "1 2 3 _", "--algorithms", "astar,ida"], ["astar,idastar"]),
        (["compare", "sliding-tile", "1 2 3 _", "--heuristics", "misplaced,a"], ["misplaced,auto", "misplaced,all"]),
        (["enumerate", "pancake", "1", "--engine", ""], ["python", "compiled"]),
        (["analyse", "conn"], ["connect-four"]),
        (["check", "t"], ["tree", "tic-tac-toe"]),
        (["analyse", "othello", "--settings", "plain,kil"], ["plain,killers="]),
        (["match", "nim", "--a", "m"], ["mcts", "method="]),
        (["play", "nim", "--engine-plays", "f"], ["first"]),
        (["list", "al"], ["algorithms"]),
        (["--show-completion", ""], list(SHELLS)),
    ],
    ids=" ".join,
)
def test_commands_options_and_names_are_offered(
    words: list[str], some: list[str], capsys: Captured, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Those that begin with what is there, and no others; heuristics are those of the domain."""
    offers = offered(capsys, monkeypatch, *words)
    assert set(some) <= set(offers)
    assert all(offer.startswith(words[-1]) for offer in offers)


def test_databases_are_offered(capsys: Captured, monkeypatch: pytest.MonkeyPatch, databases: Path) -> None:
    """By their names on disk."""
    (databases / "sliding-tile-1234.building").mkdir()
    assert offered(capsys, monkeypatch, "pdb", "remove", "sl") == ["sliding-tile-1234.building"]


def test_nothing_is_offered_for_a_domain_that_there_is_not(capsys: Captured, monkeypatch: pytest.MonkeyPatch) -> None:
    """And no error gets in the way of typing."""
    assert offered(capsys, monkeypatch, "solve", "sliding-tiel", "1", "-H", "") == [""]


@pytest.mark.parametrize(
    "words", [["pdb", "verify", "--data", "/dev/null", ""], ["solve", "'1 2"], ["\x1b[31m"], ["solve", "`$("]]
)
def test_odd_words_are_no_errors(words: list[str], capsys: Captured, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing is written beside the offers, where a person is typing."""
    monkeypatch.setenv("COMP_WORDS", " ".join(["bestfirst", *words]))
    monkeypatch.setenv("COMP_CWORD", str(len(words)))
    assert run([]) == 0
    assert capsys.readouterr().err == ""


def test_what_is_beside_a_name_is_one_line(capsys: Captured, monkeypatch: pytest.MonkeyPatch) -> None:
    """zsh and fish show what each name means."""
    monkeypatch.setenv(COMPLETION, "complete_fish")
    monkeypatch.setenv("_TYPER_COMPLETE_FISH_ACTION", "get-args")
    monkeypatch.setenv("_TYPER_COMPLETE_ARGS", "bestfirst solve ")
    assert run([]) == 0
    offers = [line.split("\t") for line in capsys.readouterr().out.splitlines()]
    assert {len(offer) for offer in offers} == {2}
    assert {"n-queens", "road-map"} <= {name for name, _ in offers}


@pytest.mark.parametrize("shell", SHELLS)
def test_the_script_of_each_shell_is_printed(shell: str, capsys: Captured, monkeypatch: pytest.MonkeyPatch) -> None:
    """It asks by the environment variable."""
    monkeypatch.delenv(COMPLETION)
    assert run(["--show-completion", shell]) == 0
    assert f"{COMPLETION}=complete_{shell}" in capsys.readouterr().out


def test_another_shell_is_refused(capsys: Captured, monkeypatch: pytest.MonkeyPatch) -> None:
    """With the names of those that there are."""
    monkeypatch.delenv(COMPLETION)
    assert run(["--show-completion", "tcsh"]) == 2
    assert "no shell is called 'tcsh'; did you mean zsh or fish or bash" in capsys.readouterr().err


@pytest.mark.slow
@pytest.mark.skipif(shutil.which("bash") is None, reason="there is no bash")
def test_bash_completes_a_command_line(tmp_path: Path) -> None:
    """The documented line, in a real bash."""
    command = tmp_path / "bestfirst"
    command.write_text(f'#!/bin/sh\nexec {sys.executable} -m bestfirst "$@"\n')
    command.chmod(0o755)
    lines = [
        'eval "$(bestfirst --show-completion bash)"',
        "COMP_WORDS=(bestfirst solve sliding-tile \"'2 8 3 1 6 4 7 _ 5'\" --heuristic man) COMP_CWORD=5",
        "_bestfirst_completion bestfirst",
        'echo "${COMPREPLY[@]}"',
    ]
    environment = {**os.environ, "PATH": f"{tmp_path}{os.pathsep}{os.environ['PATH']}"}
    environment.pop(COMPLETION)
    done = subprocess.run(["bash", "-c", "\n".join(lines)], env=environment, capture_output=True, text=True, check=False)
    assert (done.stdout, done.stderr) == ("manhattan\n", "")


@pytest.mark.slow
def test_the_command_starts_no_later_for_it() -> None:
    """Neither completion nor the manual page is imported unless it is asked for."""
    program = "import sys, bestfirst.cli.app; print({'bestfirst.cli.completion', 'bestfirst.cli.man_page'} & {*sys.modules})"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout == "set()\n"

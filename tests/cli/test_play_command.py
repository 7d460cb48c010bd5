"""The commands play, match and engine, as a user meets them."""

from __future__ import annotations

import io
import json
import os
import signal
import subprocess
import sys
import time

import pytest

from bestfirst.cli.app import run
from bestfirst.games.playing.players import RandomPlayer

Captured = pytest.CaptureFixture[str]


@pytest.fixture(autouse=True)
def plain_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "120")
    monkeypatch.setenv("NO_COLOR", "1")
    monkeypatch.setenv("TERM", "dumb")


def written(monkeypatch: pytest.MonkeyPatch, *lines: str) -> None:
    """Let these lines stand on the standard input, and then its end."""
    monkeypatch.setattr(sys, "stdin", io.StringIO("".join(f"{line}\n" for line in lines)))


def test_a_game_is_played_from_a_pipe(capsys: Captured, monkeypatch: pytest.MonkeyPatch) -> None:
    """Board, moves, hint, undo, what is illegal; the end of the input leaves the game with what was played."""
    written(monkeypatch, "b2", "z9", "hint", "undo", "a1")
    assert run(["play", "tic-tac-toe", "--depth", "2", "--hint-seconds", "0.01", "--engine", "python"]) == 0
    out = capsys.readouterr().out
    assert "1 . . .\n2 . . .\n3 . . .\n  a b c\nX ████████████░░░░░░░░░░░░ O   X: " in out
    assert "X> b2\nO plays " in out and "'z9' is not a legal move; legal: " in out and "\nhint: " in out
    assert out.count("O plays") == 2
    assert "X (you) - O (engine) * after 2 moves, a player left\nmoves: a1 " in out


def test_the_engine_wins_from_either_side(capsys: Captured, monkeypatch: pytest.MonkeyPatch) -> None:
    """The last board and the result are shown."""
    written(monkeypatch, "a1", "c1")
    assert (
        run(["play", "tic-tac-toe", "--engine-plays", "first", "--depth", "3", "--hint-seconds", "0", "--engine", "python"])
        == 0
    )
    out = capsys.readouterr().out
    assert "X plays b2   (" in out and "win in 1" in out and "█" not in out
    assert "X (engine) - O (you) 1-0 after 5 moves, X (engine) won" in out


def test_others_can_play(capsys: Captured) -> None:
    """Two random players need nobody."""
    assert run(["play", "othello", "--board", "4x4", "--engine-plays", "both", "--against", "random,seed=1"]) == 0
    out = capsys.readouterr().out
    assert "black (random,seed=1) - white (random,seed=1)" in out
    assert out.count("\n1 ") == out.count(" plays ")  # each board is shown once, the last one too


def test_a_person_who_must_take_is_told_so(capsys: Captured, monkeypatch: pytest.MonkeyPatch) -> None:
    """With the captures that there are."""
    written(monkeypatch, "1-5")
    assert run(["play", "checkers", "B:W18,26:B1,2,15", "--hint-seconds", "0", "--engine", "python"]) == 0
    out = capsys.readouterr().out
    assert "'1-5' is not a legal move: captures are compulsory; legal: 15x22x31 (or type help)" in out


def test_what_the_person_does_is_told_in_words_that_suit(capsys: Captured, monkeypatch: pytest.MonkeyPatch) -> None:
    """`you` gives up and wins in the past tense, as every other name does."""
    written(monkeypatch, "resign")
    assert run(["play", "tic-tac-toe", "--hint-seconds", "0", "--engine", "python"]) == 0
    assert "X (you) - O (engine) 0-1 after 0 moves, O (engine) won: you resigned" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["play", "connect-four", "1212121"], "choose a position with a legal move"),
        (["play", "connect-four", "--against", "dept=6"], "did you mean depth?"),
        (["play", "connect-four", "--against", "external: no-such-program-at-all"], "cannot be started"),
        (["play", "connect-four", "--against", " "], "the player is ''; name one, such as depth=6, mcts or random"),
        (["engine", "connect-fore"], "did you mean connect-four?"),
        (["engine", "connect-four", "--engine", "fast"], "no engine is called 'fast'"),
        (["engine", "game-tree", "--tree", "[1,2]", "--engine", "compiled"], "not in the compilable form"),
        (["play", "connect-four", "--engine", "fast"], "no engine is called 'fast'"),
        (["play", "connect-four", "--seconds", "-1"], "the limit seconds is -1"),
        (["play", "connect-four", "--seconds", "nan"], "the limit seconds is nan"),
        (["play", "connect-four", "--hint-seconds", "-1"], "the limit seconds is -1"),
        (["play", "connect-four", "--depth", "0"], "the limit depth is 0"),
    ],
)
def test_bad_input_is_explained(arguments: list[str], message: str, capsys: Captured) -> None:
    """Exit code 2, and what to write instead."""
    assert run(arguments) == 2
    assert message in capsys.readouterr().err


@pytest.mark.slow
def test_ctrl_c_ends_a_game_cleanly() -> None:
    """While a person is asked: exit code 130, no traceback, and the moves so far."""
    command = [
        sys.executable,
        "-u",
        "-m",
        "bestfirst",
        "play",
        "tic-tac-toe",
        "--depth",
        "2",
        "--hint-seconds",
        "0",
        "--engine",
        "python",
    ]
    pipe = subprocess.PIPE
    with subprocess.Popen(command, stdin=pipe, stdout=pipe, stderr=pipe, text=True) as process:
        assert process.stdin is not None and process.stdout is not None
        process.stdin.write("b2\n")
        process.stdin.flush()
        seen = ""
        while "O plays" not in seen:
            seen += process.stdout.read(1)
        time.sleep(0.2)
        os.kill(process.pid, signal.SIGINT)
        out, err = process.communicate(timeout=30)
    assert (process.returncode, err) == (130, "")
    assert "after 2 moves, interrupted\nmoves: b2 " in out


def test_a_match_is_told_as_it_goes_on(capsys: Captured) -> None:
    """A line for each game, Elo after each pair, and the verdict of the test."""
    assert run(["match", "connect-four", "--board", "4x4", "--a", "depth=3", "--b", "random", "--games", "4", "--sprt"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].startswith("   1  a - b ") and lines[1].startswith("   2  b - a ")
    assert "Elo " in lines[1] and "LLR " in lines[1]
    assert lines[5].startswith("depth=3 - random: +") and "of 4 games, 4 distinct" in lines[5] and "; undecided" in lines[5]


@pytest.mark.parametrize(
    ("options", "told"),
    [
        (["--opening-plies", "0", "--games", "4"], "some openings are repeated; raise --opening-plies"),
        (["--opening-plies", "6", "--games", "8"], "most games are short; lower --opening-plies"),
        (["--opening-plies", "1", "--games", "2"], "both games are identical: there the players choose the same moves"),
    ],
)
def test_a_match_says_why_games_are_identical(options: list[str], told: str, capsys: Captured) -> None:
    """Openings that are repeated, games that the opening has nearly decided, and players that play alike."""
    players = ["--a", "depth=2", "--b", "depth=2,killers=0"]
    assert run(["match", "tic-tac-toe", *players, "--engine", "python", *options]) == 0
    assert told in capsys.readouterr().out.splitlines()[-1]


def test_a_match_gives_json(capsys: Captured) -> None:
    """One object; a hypothesis that is given switches the test on."""
    arguments = ["match", "tic-tac-toe", "--a", "random", "--b", "random", "--games", "2", "--elo1", "100", "--json"]
    assert run(arguments) == 0
    told = json.loads(capsys.readouterr().out)
    assert (told["players"], told["sprt"]["elo1"], len(told["games"])) == (["a", "b"], 100, 2)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--a", "depth=2", "--b", "random", "--games", "5"], "use an even number"),
        (["--a", "depth=2", "--b", "randon"], "did you mean random"),
        (["--a", "depth=2", "--b", "random", "--elo0", "60"], "elo0 must be less than elo1"),
        (["--a", "depth=2", "--b", "random", "--games", "-2"], "games is -2; use a whole number >= 2"),
        (["--a", "depth=2", "--b", "random", "--opening-plies", "-1"], "opening_plies is -1"),
        (["--a", "depth=2", "--b", "random", "--engine", "fast"], "no engine is called 'fast'"),
        (["--a", "depth=2,engine=pyton", "--b", "random"], "did you mean python?"),
        (["--a", "depth=2", "--b", "random", "--most-seconds", "-1"], "most_seconds is -1"),
        (["--a", "depth=2", "--b", "seconds=-1"], "the limit seconds is -1"),
        (["--a", "depth=2", "--b", "mcts,playouts=0"], "playouts is 0"),
        (["--a", "depth=2", "--b", "mcts,seconds=nan"], "seconds is nan"),
        (["--a", "depth=2,killer=1", "--b", "random"], "did you mean killers"),
    ],
)
def test_a_match_that_cannot_be_is_explained(arguments: list[str], message: str, capsys: Captured) -> None:
    """Exit code 2."""
    assert run(["match", "tic-tac-toe", *arguments]) == 2
    assert message in capsys.readouterr().err


def test_a_match_of_a_player_that_fails_tells_what_was_played(capsys: Captured, monkeypatch: pytest.MonkeyPatch) -> None:
    """The results so far, as a text or as JSON, and then the error."""

    def fails(*_: object) -> None:
        raise ZeroDivisionError("division by zero")

    monkeypatch.setattr(RandomPlayer, "choose", fails)
    command = ["match", "tic-tac-toe", "--a", "random", "--b", "depth=1", "--opening-plies", "0"]
    for options in ((), ("--json",)):
        assert run([*command, *options]) == 2
        told = capsys.readouterr()
        assert "the match ends after 5 games: a player failed in each of the last 5 games" in told.err
        assert (json.loads(told.out)["forfeits"] == [5, 0]) if options else ("+0 =0 -5 of 5 games" in told.out)


@pytest.mark.slow
def test_ctrl_c_gives_the_results_of_a_match_so_far() -> None:
    """Whatever is at work when it comes: exit code 130, and whole games."""
    players = ["--a", "random", "--b", "seconds=0.2,engine=python", "--games", "10000"]
    command = [sys.executable, "-u", "-m", "bestfirst", "match", "tic-tac-toe", *players]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        first = process.stdout.readline()
        os.kill(process.pid, signal.SIGINT)
        out, err = process.communicate(timeout=30)
    assert first.startswith("   1  a - b ") and (process.returncode, err) == (130, "")
    assert " game" in out and ", interrupted" in out

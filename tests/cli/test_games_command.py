"""The commands analyse and perft, as a user meets them."""

from __future__ import annotations

import json
from html import unescape
from pathlib import Path
from typing import Any

import pytest

from bestfirst.cli import compare_games, games
from bestfirst.cli.app import run
from bestfirst.games.analysis import analyse
from bestfirst.games.engine.settings import Settings
from bestfirst.games.ladder import Ladder, Rung
from bestfirst.games.rules import GAMES
from bestfirst.games.rules.connect_four import ConnectFour

Captured = pytest.CaptureFixture[str]


@pytest.fixture(autouse=True)
def wide_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "120")
    monkeypatch.setenv("NO_COLOR", "1")
    monkeypatch.setenv("TERM", "dumb")


def test_a_solver_that_is_stopped_says_what_it_was_up_to(capsys: Captured) -> None:
    """Without progressive deepening there is no depth that was completed."""
    assert run(["analyse", "connect-four", "--settings", "solver,table=1MB", "--nodes", "3000"]) == 0
    assert "\nnot solved within 3,000 positions: raise --nodes; the scores are from depth 1 (" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("options", "told"),
    [
        ([], "not solved within 0.01 s, the default limit: set --seconds; the scores"),
        (["--seconds", "0.02"], "not solved within 0.02 s: raise --seconds; the scores"),
        (["--seconds", "0.02", "--depth", "30"], "not searched to depth 30 within 0.02 s: raise --seconds; the scores"),
    ],
)
def test_a_solver_that_takes_too_long_names_the_option_to_set(
    options: list[str], told: str, capsys: Captured, monkeypatch: pytest.MonkeyPatch
) -> None:
    """And says if nobody asked for the limit."""
    monkeypatch.setattr(games, "SECONDS_UNLESS_LIMITED", 0.01)
    assert run(["analyse", "connect-four", "--settings", "solver,table=1MB", "--engine", "python", *options]) == 0
    out = capsys.readouterr().out
    assert told in out and "stopped by" not in out


def test_the_solver_of_the_command_line_is_that_of_the_game(capsys: Captured) -> None:
    """The same nodes as the documented solver in Python, with the order by threats; every move can have its exact score."""
    game, position = ConnectFour(5, 4, by_threats=True), "33342"
    expected = analyse(game, position, lines=1, settings=Settings.solver("1MB")).run()
    options = ["--board", "5x4", "--settings", "solver,table=1MB", "--json"]
    assert run(["analyse", "connect-four", position, *options]) == 0
    told = json.loads(capsys.readouterr().out)
    assert (told["nodes"], told["solved"], len(told["lines"])) == (expected.nodes, True, 1)
    assert run(["analyse", "connect-four", position, *options, "--lines", "7"]) == 0
    lines = json.loads(capsys.readouterr().out)["lines"]
    exact = analyse(game, position, lines=None).run()
    assert [line["score"] for line in lines] == [line.score.value for line in exact.lines]
    assert run(["analyse", "connect-four", position, "--settings", "static_order=threat"]) == 2
    assert "there are" in (err := capsys.readouterr().err) or "did you mean threats" in err


def test_a_game_of_very_many_moves_is_analysed_to_a_small_depth(capsys: Captured) -> None:
    """Of 500 moves the 50 best are shown, so that those of the others need not be looked at: not 125,000 nodes."""
    assert run(["analyse", "nim", "--heaps", "200 300", "--depth", "2", "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert len(told["lines"]) == 50 and told["nodes"] < 30_000


def test_analyse_shows_the_board_each_depth_and_the_lines(capsys: Captured) -> None:
    """A newcomer sees the position, who moves, how the answer grows, and how sure it is."""
    assert run(["analyse", "tic-tac-toe", "a1c1a2c2", "--lines", "2"]) == 0
    out = capsys.readouterr().out
    assert out.startswith("1 X . O\n2 X . O\n3 . . .\n  a b c\nX to move\n\ndepth 1: win in 1: a3 (")
    assert "a3    win in 1      1" in out
    assert out.rstrip().endswith("solved: a deeper search cannot change this")


def test_the_json_of_analyse_has_the_documented_form(capsys: Captured) -> None:
    """One object, the best line first, with outcome and plies where they are proven."""
    assert run(["analyse", "connect-four", "4433", "--board", "6x5", "--lines", "1", "--depth", "5", "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert list(told) == [
        *("schema", "command", "options"),
        *("game", "position", "side_to_move", "depth", "nodes", "seconds", "solved", "stopped", "lines", "pruned"),
    ]
    assert (told["game"], told["position"], told["side_to_move"]) == ("connect-four", "4433", "X")
    (line,) = told["lines"]
    assert (line["move"], line["outcome"], line["plies"], line["proven"], len(line["pv"])) == ("2", "win", 3, True, 3)


def test_limits_are_kept(capsys: Captured) -> None:
    """Nodes exactly; being stopped by a limit is no failure."""
    assert run(["analyse", "othello", "--nodes", "500", "--json", "--method", "alpha-beta"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert (told["nodes"], told["stopped"], told["solved"]) == (500, "nodes", False)


def test_pruning_that_can_be_wrong_is_told(capsys: Captured) -> None:
    """By the name of the switch, how often, at the end and in the JSON object; nothing where there was none."""
    search = ["analyse", "connect-four", "44455", "--depth", "6", "--settings", "probcut=1,late_moves=1"]
    assert run([*search, "--json"]) == 0
    pruned = json.loads(capsys.readouterr().out)["pruned"]
    assert set(pruned) == {"probcut", "late_moves"}
    assert run(search) == 0
    told = " ".join(capsys.readouterr().out.splitlines()[-1].split())
    assert told.startswith("unsound pruning: ")
    assert all(f"{switch} {count:,} times" in told for switch, count in pruned.items())
    assert run(["analyse", "connect-four", "44455", "--depth", "2"]) == 0
    assert "pruned" not in capsys.readouterr().out


def test_perft_counts_lines(capsys: Captured) -> None:
    """One line for each number of plies."""
    assert run(["perft", "othello", "4"]) == 0
    assert [line.split()[:2] for line in capsys.readouterr().out.splitlines()] == [
        ["1", "4"],
        ["2", "12"],
        ["3", "56"],
        ["4", "244"],
    ]


def test_perft_ends_where_no_game_is_longer(capsys: Captured) -> None:
    """And a number of plies that nobody can count is refused."""
    assert run(["perft", "nim", "60", "--heaps", "2 1"]) == 0
    lines = [line.split()[1] for line in capsys.readouterr().out.splitlines()]
    assert (len(lines), lines[-1]) == (4, "0")
    assert run(["perft", "tic-tac-toe", "99999999999"]) == 2
    assert "depth is 99999999999; use a whole number from 0 to 300" in capsys.readouterr().err


def test_the_games_are_listed(capsys: Captured) -> None:
    """With their options."""
    assert run(["list", "games"]) == 0
    out = capsys.readouterr().out
    assert all(name in out for name in GAMES) and "--board" in out


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["connect-four", "8"], "the legal moves are: 1, 2, 3, 4, 5, 6, 7"),
        (["connect-fore"], "did you mean connect-four?"),
        (["othello", "--row", "4"], "othello does not take --row; it takes --board"),
        (["connect-four", "1212121"], "the game is over in position"),
        (["connect-four", "--board", "9x9"], "at most 64"),
        (["connect-four", "--method", "best"], "no method is called"),
        (["connect-four", "--depth", "0"], "the limit depth is 0"),
        (["connect-four", "--lines", "0"], "a whole number of moves >= 1"),
        (["connect-four", "--depth", "9" * 23, "--settings", "deepening=0"], "use a whole number from 1 to 10000"),
        (["connect-four", "--settings", f"disaster={10**30}"], "use a whole number from 0 to 900000"),
        (["connect-four", "--settings", "table=200000GB"], "write a smaller one, such as table=64MB"),
    ],
)
def test_bad_input_is_explained(arguments: list[str], message: str, capsys: Captured) -> None:
    """Exit code 2, and what to write instead."""
    assert run(["analyse", *arguments]) == 2
    assert message in capsys.readouterr().err


def test_compare_games_is_a_table_of_techniques(capsys: Captured) -> None:
    """Nodes, share of minimax, time and value of each; further settings can be added."""
    assert run(["compare-games", "tic-tac-toe", "b2a1", "--depth", "3", "--also", "plain,killers=1"]) == 0
    out = capsys.readouterr().out
    assert out.startswith("tic-tac-toe, 1 position, to depth 3\n")
    names = ("minimax", "alpha-beta", "+ ordering", "+ table", "+ deepening", "+ PVS", "plain,killers=1")
    assert [line.startswith(name) for name, line in zip(names, out.splitlines()[3:], strict=False)] == [True] * 7
    assert out.rstrip().endswith("every technique finds the same values")


def test_compare_games_gives_json_and_tells_of_limits(capsys: Captured) -> None:
    """One object; a search that was stopped has the exit code of limits."""
    assert run(["compare-games", "nim", "1 2", "1 2 2", "--solve", "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert (told["depth"], told["same_values"], len(told["rungs"][0]["nodes"])) == (None, True, 2)
    assert run(["compare-games", "othello", "--depth", "9", "--seconds", "0"]) == 3
    assert "?" in (out := capsys.readouterr().out) and "no values could be compared" in out
    assert run(["compare-games", "nim", "--solve", "--depth", "3"]) == 2
    assert run(["compare-games", "nim", "--depth", "0"]) == 2


@pytest.mark.parametrize("ending", ["svg", "dot", "txt", "trace.yaml"])
def test_analyse_writes_what_it_looked_at(ending: str, capsys: Captured, tmp_path: Path) -> None:
    """In the form that the name of the file asks for; the settings can be chosen."""
    file = tmp_path / f"tree.{ending}"
    tree = ["game-tree", "--tree", "[[2,7],[1,8]]", "--lines", "1", "--settings", "plain", "--method", "alpha-beta"]
    assert run(["analyse", *tree, "--trace", "--trace-file", str(file)]) == 0
    captured = capsys.readouterr()
    assert "|-- 2: min 1 [2, inf], cut: 1 <= alpha 2\n" in captured.out and f"wrote {file}" in captured.err
    assert "1 <= alpha 2" in unescape(file.read_text())
    assert run(["analyse", *tree, "--trace-file", str(tmp_path / "tree.png")]) == 2
    assert "end the name with one of .html, .trace.yaml, .dot, .svg, .txt" in capsys.readouterr().err


def test_compare_games_stopped_before_a_position_is_searched_has_an_empty_table(
    monkeypatch: pytest.MonkeyPatch, capsys: Captured
) -> None:
    """Ctrl-C may come while the first position is searched."""

    def stopped(game: Any, positions: Any = (), depth: int | None = None, **_: Any) -> Ladder:
        rung = Rung("minimax", Settings.plain("minimax"))
        return Ladder(game, list(positions), depth, [rung], interrupted=True)

    monkeypatch.setattr(compare_games, "compare_techniques", stopped)
    assert run(["compare-games", "tic-tac-toe", "--depth", "3"]) == 130
    assert "no values could be compared" in capsys.readouterr().out


PILE = """
import bestfirst as bf


class Pile(bf.Game):
    initial = "aabbc"

    def moves(self, state):
        return sorted(set(state))

    def play(self, state, move):
        return state.replace(move, "", 1)

    def is_over(self, state):
        return state == ""

    def score(self, state):
        return -1
"""


@pytest.mark.parametrize(
    ("line", "told"),
    [(["analyse"], "win in 5"), (["analyse", "b"], "loss in 4"), (["compare-games", "b", "--solve"], "loss in 4")],
)
def test_a_position_is_read_as_moves_if_states_are_strings_too(
    line: list[str], told: str, tmp_path: Path, capsys: Captured
) -> None:
    """As perft and play read it; without one, the game is analysed from the start."""
    file = tmp_path / "pile.py"
    file.write_text(PILE)
    assert run([line[0], str(file), *line[1:]]) == 0
    assert told in capsys.readouterr().out

"""Moves with spaces, such as tuples, are typed as they are printed."""

import io
import sys
from pathlib import Path

import pytest

from bestfirst.cli.app import run
from bestfirst.games.notation import as_word, named, words_of

Captured = pytest.CaptureFixture[str]

CHOMP = '''
import bestfirst as bf

class Chomp(bf.Game):
    """All squares right of and below the bite go; who eats the last one loses."""

    initial = (3, 3)

    def moves(self, state):
        return [(row, column) for row, length in enumerate(state) for column in range(length)]

    def play(self, state, move):
        row, column = move
        return tuple(length if other < row else min(length, column) for other, length in enumerate(state))

    def is_over(self, state):
        return state[0] == 0

    def score(self, state):
        return 1


class Worded(Chomp):
    """With moves of several words."""

    def format_move(self, state, move):
        return f"row {move[0]} column {move[1]}"
'''


@pytest.fixture
def file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("COLUMNS", "120")
    path = tmp_path / "chomp.py"
    path.write_text(CHOMP)
    return path


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("a1, b2 c3", ["a1", "b2", "c3"]),
        ("(1, 2) (0,2),(0, 1)", ["(1, 2)", "(0,2)", "(0, 1)"]),
        ("((0, 1), [2, 3]) Bite(row=1, column=2)", ["((0, 1), [2, 3])", "Bite(row=1, column=2)"]),
        ("'take 1' \"take 2\"", ["take 1", "take 2"]),
        ("R U' F'", ["R", "U'", "F'"]),
        ("1) 2", ["1)", "2"]),
        ("(1, 2", ["(1, 2"]),
        ("'take 1", ["take 1"]),
        (" ", []),
    ],
)
def test_brackets_and_quotes_keep_a_word_together(text: str, words: list[str]) -> None:
    """Other words end at spaces and commas; a bracket or a quote that is not closed goes on to the end."""
    assert words_of(text) == words


@pytest.mark.parametrize("move", ["a1", "(1, 2)", "take 2", "1,2", "U'"])
def test_a_printed_move_is_read_back(move: str) -> None:
    """It is in quotes if it would be several words."""
    assert words_of(f"{as_word(move)} {as_word(move)}") == [move, move]


def test_spaces_matter_only_if_several_moves_could_be_meant() -> None:
    """A move that is written exactly is taken; one that could be either of two is not."""
    assert named("(1,2)", ["(0, 2)", "(1, 2)"]) == 1
    assert named("'Take 2'", ["take 1", "take 2"]) == 1
    assert named("1 12", ["11 2", "1 12"]) == 1
    assert named("112", ["11 2", "1 12"]) is None
    assert named("3", ["1", "2"]) is None


@pytest.mark.parametrize(
    ("name", "moves"),
    [("Chomp", "(1, 2) (0,2)"), ("Worded", '"row 1 column 2" "row 0 column 2"')],
)
def test_analyse_reads_moves_with_spaces(name: str, moves: str, file: Path, capsys: Captured) -> None:
    """Tuples as they are, and others in quotes."""
    assert run(["analyse", f"{file}:{name}", moves, "--depth", "9", "--engine", "python"]) == 0
    assert "(2, 2)" in capsys.readouterr().out


def test_the_error_for_an_illegal_move_lists_moves_that_can_be_typed(file: Path, capsys: Captured) -> None:
    """In quotes if they have several words."""
    assert run(["analyse", f"{file}:Worded", "row 7"]) != 0
    assert '"row 0 column 0", "row 0 column 1"' in capsys.readouterr().err


@pytest.mark.parametrize(
    ("name", "typed", "hint"),
    [("Chomp", "(1,2)", "hint: (0, 2)  (loss in"), ("Worded", '"row 1 column 2"', 'hint: "row 0 column 2"  (loss in')],
)
def test_hint_and_moves_are_whole(
    name: str, typed: str, hint: str, file: Path, capsys: Captured, monkeypatch: pytest.MonkeyPatch
) -> None:
    """And the list of the moves played can be passed to analyse."""
    monkeypatch.setattr(sys, "stdin", io.StringIO(f"{typed}\nhint\nquit\n"))
    assert run(["play", f"{file}:{name}", "--engine-plays", "none", "--engine", "python"]) == 0
    out = capsys.readouterr().out
    assert hint in out
    assert words_of(out.rpartition("moves: ")[2]) in (["(1, 2)"], ["row 1 column 2"])

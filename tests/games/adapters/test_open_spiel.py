"""Games of open_spiel: the same rules as ours where both have them, and the searches on them."""

from __future__ import annotations

import random

import pytest

from bestfirst.check import check
from bestfirst.errors import InputError
from bestfirst.games.adapters import OpenSpielGame
from bestfirst.games.analysis import analyse
from bestfirst.games.engine.settings import Settings
from bestfirst.games.game import Game
from bestfirst.games.limits import GameLimits
from bestfirst.games.perft import perft
from bestfirst.games.rules.connect_four import ConnectFour
from bestfirst.games.rules.othello import Othello
from bestfirst.games.score import Score

pytest.importorskip("pyspiel", reason="open_spiel is not installed: pip install 'bestfirst[open-spiel]'")


@pytest.mark.slow
@pytest.mark.parametrize("name", ["tic_tac_toe", "connect_four", "othello", "breakthrough(rows=5,columns=5)", "mancala"])
def test_random_games_keep_the_contract(name: str) -> None:
    """Also where a side moves twice, and where points are counted."""
    found = check(OpenSpielGame(name))
    assert found.ok, str(found)


def test_tic_tac_toe_is_a_draw() -> None:
    """Solved, with the table as well as without; where positions are told apart by their texts, with far fewer nodes."""
    settings = Settings.plain(table="16MB", hash_move=True)
    found = [
        analyse(OpenSpielGame("tic_tac_toe", text_is_whole=whole), "x(1,1)", lines=1, settings=settings).run()
        for whole in (False, True)
    ]
    assert [analysis.score for analysis in found] == [Score.draw()] * 2
    assert found[1].nodes < found[0].nodes / 2


@pytest.mark.parametrize(("ours", "theirs", "depth"), [(Othello(), "othello", 5), (ConnectFour(), "connect_four", 4)])
def test_our_rules_are_theirs(ours: Game, theirs: str, depth: int) -> None:
    """As many lines of play, and in random games the same number of moves at each ply, and the same winner."""
    other = OpenSpielGame(theirs)
    assert [perft(ours, plies) for plies in range(depth + 1)] == [perft(other, plies) for plies in range(depth + 1)]
    chance = random.Random(4)
    for _ in range(20):
        one, two = ours.initial, other.initial
        while not ours.is_over(one):
            moves, others = (list(game.moves(state)) for game, state in ((ours, one), (other, two)))
            assert len(moves) == len(others)
            number = chance.randrange(len(moves))  # both in the order of the squares
            one, two = ours.play(one, moves[number]), other.play(two, others[number])
        assert other.is_over(two) and ours.side_to_move(one) == other.side_to_move(two)
        assert (ours.score(one) > 0) - (ours.score(one) < 0) == other.score(two)


def test_a_win_is_found() -> None:
    """In Connect Four, three in a row."""
    game = OpenSpielGame("connect_four", text_is_whole=True)
    state = game.initial
    for column in (3, 0, 3, 0, 3, 0):
        state = game.play(state, column)
    analysis = analyse(game, state, lines=1, limits=GameLimits(depth=2)).run()
    assert (analysis.score, analysis.move) == (Score.win(1), 3)


def test_the_side_that_moves_first_is_side_0() -> None:
    """Also in chess, where it is player 1 there: White gives mate in one."""
    game = OpenSpielGame("chess")
    state = game.parse("e4 e5 Qh5 Nc6 Bc4 Nf6")
    assert game.side_to_move(state) == 0
    assert analyse(game, state, lines=1, limits=GameLimits(depth=1)).run().score == Score.win(1)


def test_moves_that_differ_in_capital_letters_are_told_apart() -> None:
    """In chess a bishop takes on c3, and a pawn does."""
    game = OpenSpielGame("chess")
    state = game.parse("d4 Nf6 Bd2 Ne4 a3 Nc3")
    for name in ("Bxc3", "bxc3"):
        assert game.format_move(state, game.parse_move(state, name)) == name


def test_what_cannot_be_searched_is_refused() -> None:
    """Chance, hidden cards, more players, and names that there are not."""
    for name, message in (
        ("backgammon", "no chance"),
        ("kuhn_poker", "perfect information"),
        ("tic_tac_to", "did you mean"),
        ("breakthrough(rows=-1)", "cannot load"),
    ):
        with pytest.raises(InputError, match=message):
            OpenSpielGame(name)

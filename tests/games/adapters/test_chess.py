"""Chess by python-chess: its rules, its notation, and the searches on it."""

from __future__ import annotations

import random

import pytest

from bestfirst.errors import IllegalMoveError, InputError
from bestfirst.games.adapters import Chess
from bestfirst.games.analysis import analyse
from bestfirst.games.engine.settings import Settings
from bestfirst.games.limits import GameLimits
from bestfirst.games.perft import perft
from bestfirst.games.score import Score

pytest.importorskip("chess", reason="python-chess is not installed: pip install 'bestfirst[chess]'")

KIWIPETE = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1"


def test_perft_is_known() -> None:
    """From the start 20, 400, 8902; from the position with all special moves 48, 2039."""
    game = Chess()
    assert [perft(game, depth) for depth in (1, 2, 3)] == [20, 400, 8902]
    assert [perft(game, depth, game.parse(KIWIPETE)) for depth in (1, 2)] == [48, 2039]


def test_a_random_game_keeps_the_contract() -> None:
    """Notations can be read back, sides take turns, noisy moves are legal, positions are values."""
    game, chance = Chess(), random.Random(3)
    state = game.initial
    for ply in range(60):
        moves = game.moves(state)
        assert all(game.parse_move(state, game.format_move(state, move)) == move for move in moves)
        assert set(game.noisy_moves(state)) <= set(moves) and game.side_to_move(state) == ply % 2
        assert game.parse(game.format(state)) == state and hash(game.key(state))
        state = game.play(state, chance.choice(moves))


def test_a_mate_is_proven() -> None:
    """Mate in one, and the mate in two of a queen and a rook against a king alone."""
    analysis = analyse(Chess(), "1. e4 e5 2. Qh5 Nc6 3. Bc4 Nf6", lines=1, limits=GameLimits(depth=2)).run()
    assert (analysis.score, analysis.moves_as_text(analysis.best.pv)) == (Score.win(1), ["Qxf7#"])
    analysis = analyse(Chess(), "7k/8/8/8/8/8/R7/1Q2K3 w - - 0 1", lines=1, limits=GameLimits(depth=4)).run()
    assert analysis.score == Score.win(3) and analysis.solved
    black = analyse(Chess(), "f3 e5 g4", lines=1, limits=GameLimits(depth=1)).run()
    assert black.moves_as_text(black.best.pv) == ["Qh4#"]


def test_quiescence_sees_that_a_queen_is_lost() -> None:
    """At depth 1 the queen takes a guarded pawn, unless captures are searched on."""
    fen = "4k3/3p4/4p3/8/8/8/4Q3/4K3 w - - 0 1"
    greedy, quiet = (
        analyse(Chess(), fen, lines=1, limits=GameLimits(depth=1), settings=Settings(quiescence=quiescence)).run()
        for quiescence in (False, True)
    )
    assert greedy.moves_as_text(greedy.best.pv) == ["Qxe6+"] and greedy.score == Score.estimate(800)
    assert quiet.moves_as_text(quiet.best.pv) != ["Qxe6+"] and quiet.score == Score.estimate(700)


def test_the_game_ends_without_a_winner() -> None:
    """Stalemate, too little material, and 75 moves."""
    game = Chess()
    for fen in ("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1", "8/8/4k3/8/8/3KB3/8/8 w - - 0 1", "8/8/4k3/8/8/3K1R2/8/8 w - - 150 120"):
        state = game.parse(fen)
        assert game.is_over(state) and game.score(state) == 0


def test_bad_input_is_explained() -> None:
    """Moves that cannot be played, and FENs of no position."""
    game = Chess()
    with pytest.raises(IllegalMoveError, match="the legal moves are: Nh3"):
        game.parse("e5")
    with pytest.raises(InputError, match="cannot be read"):
        game.parse("8/8/8 w")
    with pytest.raises(InputError, match="not a legal position: no white king, no black king, empty"):
        game.parse("8/8/8/8/8/8/8/8 w - - 0 1")
    assert game.parse("e2e4 e7e5") == game.parse("1.e4 e5")

"""Perft compiled: the twin of the reference, and the known counts."""

from __future__ import annotations

import signal
from threading import Timer

import pytest

from bestfirst.errors import InputError
from bestfirst.games.perft import perft, positions_by_ply
from bestfirst.games.rules.checkers import Checkers
from bestfirst.games.rules.connect_four import ConnectFour
from bestfirst.games.rules.kalah import Kalah
from bestfirst.games.rules.mnk import MNK
from bestfirst.games.rules.othello import Othello
from small_games import HEAPS, Heaps


def test_othello_has_the_known_numbers_of_lines() -> None:
    """Perft 7 .. 9 of the 8x8 board: 55,092, 390,216 and 3,005,288."""
    assert [perft(Othello(), depth) for depth in (7, 8, 9)] == [55_092, 390_216, 3_005_288]


@pytest.mark.numba
def test_both_engines_count_the_same_lines() -> None:
    """Where the sides do not alternate, where a side passes, where games end early, and where states have tuples."""
    for game, text, depth in (
        (Kalah(2, 2), "", 6),
        (Othello(4), "", 8),
        (Othello(4), "b1a1a2c1", 6),
        (Heaps(HEAPS), "", 5),
    ):
        state = game.parse(text)
        assert perft(game, depth, state, engine="compiled") == perft(game, depth, state, engine="python") > 0


@pytest.mark.slow
def test_connect_four_on_4x4_has_161_029_positions() -> None:
    """Unless an engine is asked for, the compiled one counts them."""
    assert sum(positions_by_ply(ConnectFour(4, 4))) == 161_029


def test_both_engines_count_the_same_positions() -> None:
    """By ply: where a side moves again, so that a position is reached in different plies, where one passes, and with tuples."""
    for game, text, plies in ((Kalah(3, 2), "", None), (Othello(4), "b1a1a2c1", 6), (Heaps(HEAPS), "", None)):
        state = game.parse(text)
        counted = [positions_by_ply(game, state, plies, engine=engine) for engine in ("python", "compiled")]
        assert counted[0] == counted[1]


def test_a_game_that_cannot_be_compiled_is_refused() -> None:
    """If the compiled engine is asked for."""
    with pytest.raises(InputError, match="compilable form"):
        perft(MNK(9, 9, 5), 2, engine="compiled")
    with pytest.raises(InputError, match="compilable form"):
        positions_by_ply(MNK(9, 9, 5), engine="compiled")


@pytest.mark.slow
def test_checkers_has_the_known_numbers_of_lines() -> None:
    """Perft 8 and 9: 845,931 and 3,963,680."""
    assert [perft(Checkers(), depth) for depth in (8, 9)] == [845_931, 3_963_680]


def test_ctrl_c_ends_a_count() -> None:
    """Soon, although the count would take many seconds; later ones are right."""
    perft(Othello(), 2, engine="compiled")  # compiles
    press = Timer(0.2, signal.raise_signal, [signal.SIGINT])
    press.start()
    with pytest.raises(KeyboardInterrupt):
        perft(Othello(), 13, engine="compiled")
    assert perft(Othello(), 7, engine="compiled") == 55_092

"""Matches: colours swapped, openings varied, results told as they are."""

from __future__ import annotations

import json
import os
import signal
import time
from typing import Any

import pytest

from bestfirst.errors import InputError, PlayerError
from bestfirst.games.engine.settings import Settings
from bestfirst.games.limits import GameLimits
from bestfirst.games.playing.match import Match, match
from bestfirst.games.playing.openings import random_openings
from bestfirst.games.playing.played import PlayedGame
from bestfirst.games.playing.player import Player
from bestfirst.games.playing.players import EnginePlayer, RandomPlayer
from bestfirst.games.playing.sprt import Sprt
from bestfirst.games.rules.connect_four import ConnectFour
from bestfirst.games.rules.mnk import TicTacToe
from bestfirst.games.rules.nim import Nim
from bestfirst.games.rules.othello import Othello


class Given(Player):
    """Plays the first legal move, unless told to do something else at some move of the match."""

    def __init__(self, name: str, at: int = -1, answer: Any = None) -> None:
        self.name = name
        self._left, self._answer = at, answer

    def choose(self, played: PlayedGame) -> Any:
        self._left -= 1
        if self._left == 0:
            if isinstance(self._answer, BaseException):
                raise self._answer
            return self._answer
        return played.game.legal_moves(played.state)[0]


def test_each_opening_is_played_from_both_sides() -> None:
    """The players take turns to begin; openings have so many plies and do not come twice."""
    result = match(ConnectFour(), Given("one"), Given("two"), games=20, opening_plies=2, seed=3)
    assert [played.players for played in result.games] == [("one", "two"), ("two", "one")] * 10
    starts = [played.start for played in result.games]
    assert starts[::2] == starts[1::2] and len(set(starts)) == 10
    assert all(len(moves) == 2 for moves in result.openings)
    assert result.stopped == "games"


def test_equal_players_share_the_points() -> None:
    """Both play alike, so each pair of games is one course of play, and its points are halved."""
    result = match(ConnectFour(), Given("one"), Given("two"), games=20)
    assert result.pairs == [0.5] * 10 and result.wins == result.losses
    assert result.distinct == 10
    assert result.elo is not None and result.elo.value == 0


def test_a_strong_player_wins_and_the_test_ends_the_match() -> None:
    """An engine against chance: all games won, H1 accepted long before the last game."""
    engine, chance = EnginePlayer(GameLimits(depth=3), Settings(table="1MB"), engine="python"), RandomPlayer(seed=1)
    result = match(ConnectFour(5, 4), engine, chance, games=200, sprt=Sprt(0, 200))
    assert result.stopped == "sprt" and result.verdict == "H1" and len(result.games) < 60
    assert result.wins > 2 * result.losses
    assert "accepted: engine is 200 Elo stronger, not 0" in str(result)
    lost = match(ConnectFour(5, 4), chance, engine, games=200, sprt=Sprt(0, 200))
    assert lost.verdict == "H0"


@pytest.mark.slow
def test_an_engine_beats_a_shallow_one_of_its_own_in_othello() -> None:
    """Depth 4 against depth 2 on the 6x6 board, both from each opening."""
    deep, shallow = (EnginePlayer(GameLimits(depth=depth), Settings(table="1MB"), engine="python") for depth in (4, 1))
    result = match(Othello(6), deep, shallow, games=6, opening_plies=2)
    assert (result.wins, len(result.games)) == (6, 6)


def test_a_match_can_be_watched_and_repeated() -> None:
    """The same seeds give the same games; openings are as different as the game allows."""
    seen: list[int] = []

    def watch(result: Match) -> None:
        seen.append(len(result.games))

    played = [
        [game.moves for game in match(TicTacToe(), RandomPlayer(1), RandomPlayer(2), games=6, watch=watch).games]
        for _ in "12"
    ]
    assert played[0] == played[1] and seen == [1, 2, 3, 4, 5, 6] * 2
    openings = random_openings(TicTacToe(), 1, seed=5)
    assert len({next(openings)[0] for _ in range(9)}) == 9


def test_openings_do_not_end_the_game() -> None:
    """All have their plies: in a game that is over after nine of them eight, also where many end it before."""
    openings = random_openings(TicTacToe(), 8, seed=1)
    assert all(not TicTacToe().is_over(state) and len(moves) == 8 for state, moves in (next(openings) for _ in range(20)))


def test_openings_longer_than_the_game_are_refused() -> None:
    """With how long they could be, before a game is played."""
    for game, plies, most in ((TicTacToe(), 20, 8), (Nim((1, 2)), 4, 2)):
        with pytest.raises(InputError, match=f"opening_plies is {plies}, .* use at most {most}"):
            match(game, Given("one"), Given("two"), opening_plies=plies)


def test_forfeits_are_counted_and_ctrl_c_keeps_what_there_is() -> None:
    """An illegal move loses; the game that Ctrl-C breaks off does not count."""
    result = match(ConnectFour(), Given("cheat", 1, 99), Given("two"), games=2)
    assert result.forfeits == (1, 0) and "'99' is not legal" in str(result.games[0].fault)
    result = match(ConnectFour(), Given("one"), Given("two", 40, KeyboardInterrupt()), games=100)
    assert result.stopped == "interrupted" and 0 < len(result.games) < 10
    nothing = match(ConnectFour(), Given("one", 1, KeyboardInterrupt()), Given("two"))
    assert (nothing.games, nothing.elo) == ([], None) and "0 games" in str(nothing)


def test_ctrl_c_between_two_games_ends_the_match() -> None:
    """While it is told of a game that is over, or at the very end of one."""

    def watch(result: Match) -> None:
        if len(result.games) == 3:
            raise KeyboardInterrupt

    result = match(ConnectFour(), Given("one"), Given("two"), watch=watch)
    assert (result.stopped, len(result.games)) == ("interrupted", 3)


def test_ctrl_c_while_a_position_is_solved_ends_the_match() -> None:
    """The search of that move is complete, but its player is interrupted all the same."""

    class Pressing(Nim):
        def is_over(self, state: Any) -> bool:
            if state.sizes == 0 and not pressed:
                pressed.append(True)
                os.kill(os.getpid(), signal.SIGINT)
            return bool(super().is_over(state))

    pressed: list[bool] = []
    players = EnginePlayer(GameLimits(depth=1), name="one", engine="python"), RandomPlayer(name="two")
    result = match(Pressing((1,)), *players, games=10, opening_plies=0)
    assert (result.stopped, result.games) == ("interrupted", [])


class Failing(Player):
    """Raises an exception of its own in some games of a match, counted from 1."""

    name = "failing"

    def __init__(self, *games: int) -> None:
        self._games, self._number = games, 0

    def begin(self, played: PlayedGame) -> None:
        del played
        self._number += 1

    def choose(self, played: PlayedGame) -> Any:
        if self._number in self._games:
            raise ZeroDivisionError("division by zero")
        return played.game.legal_moves(played.state)[0]


def test_a_player_whose_code_fails_loses_the_game_and_the_match_goes_on() -> None:
    """The report says which exception it was, and where."""
    result = match(ConnectFour(), Failing(2, 3), Given("two"), games=4)
    assert result.forfeits == (2, 0) and len(result.games) == 4 and result.stopped == "games"
    assert "failing failed: ZeroDivisionError: division by zero (test_match.py:" in str(result.games[1])


def test_a_player_that_fails_again_and_again_ends_the_match() -> None:
    """With an error that says so, and has the games so far."""
    with pytest.raises(PlayerError, match=r"after 7 games: a player failed in .*; .* ZeroDivisionError") as caught:
        match(ConnectFour(), Given("one"), Failing(1, *range(3, 100)), games=100)
    result = caught.value.match
    assert (len(result.games), result.forfeits, result.stopped) == (7, (0, 6), "failures")
    assert json.loads(json.dumps(result.to_dict()))["stopped"] == "failures"


@pytest.mark.slow
def test_a_player_that_hangs_ends_the_match() -> None:
    """One that can be stopped has only lost the game."""

    class Hanging(Given):
        def choose(self, played: PlayedGame) -> Any:
            del played
            time.sleep(3)

    class Late(Given):
        def choose(self, played: PlayedGame) -> Any:
            while not played.is_hanging:
                pass

    with pytest.raises(PlayerError, match=r"after 1 game: hangs lost on time: .*, and could not be stopped") as caught:
        match(TicTacToe(), Hanging("hangs"), Given("two"), opening_plies=0, most_seconds=0.05)
    assert caught.value.match.forfeits == (1, 0)
    assert match(TicTacToe(), Late("late"), Given("two"), games=2, most_seconds=0.05).forfeits == (2, 0)


def test_the_json_has_the_documented_fields() -> None:
    """What is infinite is null."""
    told = match(TicTacToe(), EnginePlayer(GameLimits(depth=2)), Given("two"), games=2, sprt=Sprt()).to_dict()
    assert json.loads(json.dumps(told, allow_nan=False)) == told
    assert told["sprt"]["verdict"] is None and told["stopped"] == "games" and len(told["games"]) == 2


def test_bad_numbers_are_refused() -> None:
    """Odd games cannot be played from both sides."""
    for options, message in (({"games": 3}, "an even number"), ({"games": 0}, ">= 2"), ({"opening_plies": -1}, ">= 0")):
        with pytest.raises(InputError, match=message):
            match(TicTacToe(), Given("one"), Given("two"), **options)  # type: ignore[arg-type]

"""play(): games between players of all kinds, their ends, and what is wrong with a move."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

from bestfirst.errors import InputError, PlayerError, ProblemError
from bestfirst.games.game import Game
from bestfirst.games.limits import GameLimits
from bestfirst.games.playing import (
    Ending,
    EnginePlayer,
    Human,
    Leave,
    MonteCarloPlayer,
    PlayedGame,
    Player,
    RandomPlayer,
    Resign,
    TakeBack,
    play,
)
from bestfirst.games.playing.human import BAR, evaluation_bar
from bestfirst.games.rules.connect_four import ConnectFour
from bestfirst.games.rules.mnk import MNK, TicTacToe
from bestfirst.games.rules.othello import Othello
from bestfirst.games.score import Score
from small_games import Again


class Scripted(Player):
    """Gives prepared answers; an exception is raised."""

    def __init__(self, *answers: Any, name: str = "scripted") -> None:
        self.name = name
        self._answers: Iterator[Any] = iter(answers)

    def choose(self, played: PlayedGame) -> Any:
        del played
        answer = next(self._answers)
        if isinstance(answer, BaseException):
            raise answer
        return answer


def test_two_engines_draw_tic_tac_toe() -> None:
    """The record tells moves, positions, who moved, times and the result."""
    strong = EnginePlayer(GameLimits(depth=9), engine="python")
    played = play(TicTacToe(), strong, strong)
    assert (played.ending, played.winner, played.result, played.share) == (Ending.RULES, None, "1/2-1/2", 0.5)
    assert len(played.moves) == len(played.seconds) == 9 and len(played.states) == len(played.movers) == 10
    assert played.movers == [0, 1] * 5
    assert json.loads(json.dumps(played.to_dict()))["result"] == "1/2-1/2"
    assert str(played) == "X (engine) - O (engine) 1/2-1/2 after 9 moves, drawn"


def test_the_engine_beats_chance_and_so_does_monte_carlo() -> None:
    """In Connect Four, moving second."""
    for player in (EnginePlayer(GameLimits(depth=3), engine="python"), MonteCarloPlayer(playouts=100, seed=1)):
        played = play(ConnectFour(5, 4), RandomPlayer(seed=3), player)
        assert (played.result, played.ending) == ("0-1", Ending.RULES)
        assert player.last is not None


def test_the_same_seed_plays_the_same_game() -> None:
    """Random and Monte-Carlo players repeat themselves, so that a match can be repeated."""
    first, second = (play(ConnectFour(), RandomPlayer(seed=5), MonteCarloPlayer(20, seed=2)) for _ in range(2))
    assert first.moves == second.moves
    assert play(ConnectFour(), RandomPlayer(seed=6), RandomPlayer(seed=7)).moves != first.moves


def test_the_winner_is_right_where_a_side_moves_twice_and_points_are_counted() -> None:
    """The last mover is not always the other side; points are those of the first player."""
    for seed in range(8):
        played = play(Again(), RandomPlayer(seed), RandomPlayer(seed + 100))
        ahead = played.state[2]
        assert played.points == ahead and played.winner == (0 if ahead > 0 else 1 if ahead < 0 else None)
        assert all(mover == state[1] for mover, state in zip(played.movers, played.states, strict=True))


def test_first_is_whoever_moves_first_in_the_start() -> None:
    """From a position where White is to move, the first player has the white discs."""
    played = play(Othello(4), RandomPlayer(1), RandomPlayer(2), start="b1")
    assert (played.side_of(0), played.side_of(1)) == ("white", "black")
    assert played.points is not None and played.winner == (0 if played.points > 0 else 1 if played.points < 0 else None)


@pytest.mark.parametrize(
    ("answers", "ending", "result", "told"),
    [
        ([9], Ending.ILLEGAL, "0-1", "move '9' is not legal in position '......./"),
        ([Resign()], Ending.RESIGNED, "0-1", "scripted resigned"),
        ([PlayerError("it is gone")], Ending.FAILURE, "0-1", "scripted failed: it is gone"),
        (
            [4, ZeroDivisionError("by\n zero")],
            Ending.FAILURE,
            "0-1",
            "scripted failed: ZeroDivisionError: by zero (test_play.py:",
        ),
        ([SystemExit()], Ending.FAILURE, "0-1", "scripted failed: SystemExit (test_play.py:"),
        ([InputError("it called us wrongly")], Ending.FAILURE, "0-1", "it called us wrongly"),
        ([None], Ending.ILLEGAL, "0-1", "move 'None' is not legal"),
        ([[4]], Ending.ILLEGAL, "0-1", "is not legal"),
        ([np.zeros(3)], Ending.ILLEGAL, "0-1", "is not legal"),
        ([4, TakeBack(0)], Ending.ILLEGAL, "0-1", "TakeBack(plies=0)"),
        ([4, TakeBack("all")], Ending.ILLEGAL, "0-1", "is not legal"),  # type: ignore[arg-type]
        ([Leave()], Ending.LEFT, "*", "a player left"),
        ([4, KeyboardInterrupt()], Ending.INTERRUPTED, "*", "interrupted"),
    ],
)
def test_a_game_can_end_in_other_ways(answers: list[Any], ending: Ending, result: str, told: str) -> None:
    """By an illegal move, which is told with the legal ones; by giving up, failing, leaving, and Ctrl-C."""
    played = play(ConnectFour(), Scripted(*answers), Scripted(4, 4))
    assert (played.ending, played.result) == (ending, result)
    assert told in str(played)
    if ending is Ending.ILLEGAL:
        assert "the legal moves are: 1, 2, 3, 4, 5, 6, 7" in str(played.fault)


@pytest.mark.parametrize("error", [PlayerError("nobody is there"), OSError("nobody is there")])
def test_a_player_that_cannot_begin_has_lost(error: Exception) -> None:
    """As one that cannot go on; the other one is not asked to begin."""

    class Absent(RandomPlayer):
        def begin(self, played: PlayedGame) -> None:
            del played
            raise error

    played = play(TicTacToe(), RandomPlayer(), Absent(name="absent"))
    assert (played.result, played.moves) == ("1-0", [])
    assert "absent failed: " in str(played.fault) and "nobody is there" in str(played.fault)
    assert play(TicTacToe(), Absent(name="absent"), Absent(name="other")).result == "0-1"


class Broken:
    """Something that cannot even be compared or shown."""

    def __eq__(self, other: object) -> bool:
        raise RuntimeError("eq")

    def __repr__(self) -> str:
        raise RuntimeError("repr")

    __hash__ = None  # type: ignore[assignment]


def test_an_answer_that_cannot_be_looked_at_is_no_move() -> None:
    """It forfeits the game like any other illegal one."""
    played = play(TicTacToe(), Scripted(Broken()), RandomPlayer())
    assert played.ending is Ending.ILLEGAL and "an answer of type Broken is not a move" in str(played.fault)


def test_the_fault_of_the_rules_is_no_players_fault() -> None:
    """What breaks the contract of the game is raised, whoever meets it."""

    class Stuck(TicTacToe):
        def moves(self, state: Any) -> list[int]:
            del state
            return []

    with pytest.raises(ProblemError, match="moves is empty"):
        play(Stuck(), RandomPlayer(), RandomPlayer())


def test_a_move_that_equals_a_legal_one_is_that_one() -> None:
    """NumPy's ints and Python's True are played as the ints of the rules."""
    played = play(ConnectFour(), Scripted(np.int64(4), Resign()), Scripted(True))
    assert played.moves == [4, 1] and [type(move) for move in played.moves] == [int, int]


@pytest.mark.slow
@pytest.mark.parametrize(("times", "seconds", "hangs"), [(10**6, 0.01, False), (1, 3.0, True)])
def test_a_player_that_is_late_loses_on_time(times: int, seconds: float, hangs: bool) -> None:
    """It is interrupted; one that cannot be is said to hang."""

    class Slow(RandomPlayer):
        def choose(self, played: PlayedGame) -> Any:
            for _ in range(times if played.moves else 0):
                time.sleep(seconds)
            return super().choose(played)

    played = play(ConnectFour(), Slow(name="slow"), Slow(name="slow"), most_seconds=0.1)
    assert (played.ending, played.result, len(played.moves), played.is_hanging) == (Ending.TIME, "1-0", 1, hangs)
    assert "slow lost on time: it took longer than 0.1 seconds over a move" in str(played)


def test_a_limit_on_time_changes_nothing_for_who_is_in_time() -> None:
    """The same game, and the errors of players as without."""
    timed, free = (play(ConnectFour(), RandomPlayer(1), RandomPlayer(2), most_seconds=limit) for limit in (30, None))
    assert timed.moves == free.moves
    failed = play(ConnectFour(), Scripted(KeyError("x")), RandomPlayer(2), most_seconds=30)
    assert "KeyError: 'x' (test_play.py:" in str(failed.fault)


def test_an_engine_compiles_before_its_clock_starts(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where its time is limited, or that engine is asked for, of the player or of the whole game."""
    prepared: list[Any] = []

    def noted(*_: object, engine: str | None, threads: int, **__: object) -> None:
        prepared.append((engine, threads))

    monkeypatch.setattr("bestfirst.games.playing.players.prepare", noted)
    fast, deep = GameLimits(seconds=0.01), GameLimits(depth=1)

    def begin(player: Player, engine: str | None = None) -> None:
        player.begin(PlayedGame(TicTacToe(), ("a", "b"), TicTacToe().initial, engine=engine))

    begin(EnginePlayer(fast))
    begin(EnginePlayer(fast, engine="python"), "compiled")
    begin(EnginePlayer(fast), "python")
    begin(EnginePlayer(deep))
    begin(EnginePlayer(deep, threads=2), "compiled")
    assert prepared == [(None, 1), ("python", 1), ("python", 1), ("compiled", 2)]


def test_the_engine_of_a_player_or_of_the_game_is_used() -> None:
    """That of the player goes first; what a game has no compiled form for is refused where it is asked for."""
    with pytest.raises(InputError, match="not in the compilable form"):
        play(MNK(9, 9, 5), EnginePlayer(GameLimits(depth=1)), RandomPlayer(), engine="compiled")
    play(MNK(9, 9, 5), EnginePlayer(GameLimits(depth=1), engine="python"), RandomPlayer(), most_plies=1, engine="compiled")
    for make in (
        lambda: EnginePlayer(engine="fast"),
        lambda: play(TicTacToe(), RandomPlayer(), RandomPlayer(), engine="fast"),
    ):
        with pytest.raises(InputError, match="no engine is called 'fast'"):
            make()


def test_moves_can_be_taken_back() -> None:
    """The record forgets them, and the same player is to move again."""
    played = play(ConnectFour(), Scripted(1, 2, TakeBack(2), 3, Leave()), Scripted(5, 6, 7))
    assert played.moves == [1, 5, 3, 7]
    assert len(played.states) == 5 and played.movers == [0, 1, 0, 1, 0]


def test_a_game_that_goes_on_for_ever_is_drawn() -> None:
    """After most_plies."""

    class Endless(Game):
        initial = 0

        def moves(self, state: int) -> list[int]:
            del state
            return [1]

        def play(self, state: int, move: int) -> int:
            return state + move

        def is_over(self, state: int) -> bool:
            del state
            return False

    played = play(Endless(), RandomPlayer(), RandomPlayer(), most_plies=12)
    assert (played.ending, played.result, len(played.moves)) == (Ending.TOO_LONG, "1/2-1/2", 12)


def person(*lines: str, limits: GameLimits | None = None) -> tuple[Human, list[str]]:
    """A person who writes lines and then Ctrl-D, and what was told."""
    told: list[str] = []
    written = iter(lines)

    def ask(prompt: str) -> str:
        told.append(prompt)
        try:
            return next(written)
        except StopIteration:
            raise EOFError from None

    return Human(ask=ask, tell=told.append, limits=limits), told


def test_a_person_sees_the_board_and_is_told_what_cannot_be_played() -> None:
    """An illegal move is explained with the legal ones, and asked for again."""
    human, told = person("b9", "", "moves", "help", "board", "hint", "b2")
    played = play(TicTacToe(), human, Scripted(Leave()))
    assert [played.game.format_move(played.start, move) for move in played.moves] == ["b2"]
    text = "\n".join(told)
    assert "'b9' is not a legal move; legal: a1 b1 c1" in text
    assert "legal: a1" in text and "resign" in text and "hints are switched off" in text
    assert text.count("1 . . .") == 2 and told.count("X> ") == 7


def test_a_person_takes_moves_back_and_leaves() -> None:
    """undo goes back to the person's own last move; Ctrl-D and quit leave, resign gives the game up."""
    human, told = person("undo", "a1", "undo", "c3")
    played = play(TicTacToe(), human, RandomPlayer(seed=1))
    assert "you have no move to take back" in told
    assert played.moves_as_text()[0] == "c3" and len(played.moves) == 2
    assert played.ending is Ending.LEFT
    assert play(TicTacToe(), person("quit")[0], RandomPlayer()).ending is Ending.LEFT
    assert play(TicTacToe(), person("resign")[0], RandomPlayer()).result == "0-1"


def test_a_person_gets_hints_and_an_evaluation_bar() -> None:
    """A win in one is hinted at, and the bar is full."""
    human, told = person("hint", "a3", limits=GameLimits(depth=3))
    played = play(TicTacToe(), human, RandomPlayer(), start="a1c1a2c2")
    assert played.winner == 0
    assert any(text.startswith("hint: a3  (win in 1, depth 1: a3)") for text in told)
    assert any(f"X {'█' * BAR} O   X: win in 1" in text for text in told)


def test_the_bar_is_that_of_the_first_player() -> None:
    """Whoever is to move: more is better for the first player, in the middle is a draw."""
    played = PlayedGame(TicTacToe(), ("a", "b"), TicTacToe().initial)

    def filled(score: Score) -> int:
        return evaluation_bar(played, score).count("█")

    scores = [Score.loss(2), Score.estimate(-50), Score.estimate(-3), Score.draw(), Score.estimate(3), Score.win(3)]
    bars = [filled(score) for score in scores]
    assert bars == sorted(bars) and (bars[0], bars[3], bars[5]) == (0, BAR // 2, BAR)
    played.push(played.game.legal_moves(played.state)[0])
    assert [filled(-score) for score in scores] == bars


def test_bad_input_is_refused() -> None:
    """What is no player, and a start where the game is over."""
    with pytest.raises(InputError, match="pass a Player"):
        play(ConnectFour(), "depth=6", RandomPlayer())  # type: ignore[arg-type]
    with pytest.raises(InputError, match="choose a position"):
        play(ConnectFour(), RandomPlayer(), RandomPlayer(), start="1212121")
    for seconds in (-1, 0, float("inf")):
        with pytest.raises(
            InputError, match=rf"most_seconds is {seconds}; use a (finite )?number > 0, or None for unlimited"
        ):
            play(ConnectFour(), RandomPlayer(), RandomPlayer(), most_seconds=seconds)
    with pytest.raises(InputError, match=r"Scripted\.name is 5; set it to a string"):
        play(ConnectFour(), Scripted(name=5), RandomPlayer())  # type: ignore[arg-type]
    with pytest.raises(InputError, match=r"no engine option is called 'thread'; did you mean threads"):
        EnginePlayer(thread=2)
    with pytest.raises(InputError, match="threads is 0"):
        EnginePlayer(threads=0)

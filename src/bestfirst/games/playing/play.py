"""play(): one game between two players."""

from __future__ import annotations

from collections.abc import Callable
from time import perf_counter

from bestfirst.arguments import check_function, check_kind, check_whole
from bestfirst.errors import InputError, PlayerError
from bestfirst.games.game import Game, Position, check_game, position_of
from bestfirst.games.playing.played import Ending, PlayedGame
from bestfirst.games.playing.player import Leave, Player, Resign, TakeBack

MOST_PLIES_PLAYED = 1000


def play(
    game: Game,
    first: Player,
    second: Player,
    *,
    start: Position | str | None = None,
    most_plies: int = MOST_PLIES_PLAYED,
    watch: Callable[[PlayedGame], None] | None = None,
) -> PlayedGame:
    """Let two players play a game; what was played, who won, and why.

        played = bf.play(bf.ConnectFour(), bf.EnginePlayer(bf.GameLimits(depth=6)), bf.RandomPlayer(seed=1))
        print(played)

    start: the position in which play begins, a state or a text that game.parse reads; `first` is whoever moves first there.
    most_plies: after so many the game is a draw. watch: is called after each move, and each that is taken back.
    A player that makes an illegal move, or fails, loses the game; `fault` of the result says what it did, where, and what
    would have been legal. Ctrl-C ends the game without a result, and what was played is kept.
    Raises InputError for a start that cannot be read, or where the game is over, ProblemError for rules that give no move where
    it is not over.
    """
    check_game(game)
    for player in (first, second):
        check_kind("player", player, Player, "a Player, such as RandomPlayer(seed=1)")
    check_whole("most_plies", most_plies, 1)
    check_function("watch", watch, "the PlayedGame")
    played = PlayedGame(game, (first.name, second.name), position_of(game, start))
    if game.is_over(played.start):
        raise InputError(f"the game is over in position {game.format(played.start)!r}: there is nothing to play")
    players = (first, second)
    try:
        for number, player in enumerate(players):
            _begin(played, player, number)
        while played.ending is None:
            if len(played.moves) >= most_plies:
                played.end(Ending.TOO_LONG, None)
                break
            _one_turn(played, players[played.mover])
            if watch is not None:
                watch(played)
    except KeyboardInterrupt:
        if played.ending is None:
            played.end(Ending.INTERRUPTED, None)
    return played


def _begin(played: PlayedGame, player: Player, number: int) -> None:
    try:
        player.begin(played)
    except PlayerError as error:
        _fail(played, number, error)


def _fail(played: PlayedGame, number: int, error: PlayerError) -> None:
    played.end(Ending.FAILURE, 1 - number, f"{played.players[number]} failed: {error}")


def _one_turn(played: PlayedGame, player: Player) -> None:
    game, other = played.game, 1 - played.mover
    legal = game.legal_moves(played.state)
    started = perf_counter()
    try:
        answer = player.choose(played)
    except PlayerError as error:
        _fail(played, played.mover, error)
        return
    seconds = perf_counter() - started
    if isinstance(answer, Leave):
        played.end(Ending.LEFT, None)
    elif isinstance(answer, Resign):
        played.end(Ending.RESIGNED, other, f"{player.name} resigned")
    elif isinstance(answer, TakeBack):
        played.take_back(answer.plies)
    elif answer not in legal:
        played.end(Ending.ILLEGAL, other, f"{player.name} forfeited: {game.illegal(played.state, answer)}")
    else:
        played.push(answer, seconds)

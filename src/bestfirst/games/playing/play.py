"""play(): one game between two players."""

from __future__ import annotations

from collections.abc import Callable
from time import perf_counter

from bestfirst.arguments import check_function, check_kind, check_number, check_whole, suggesting
from bestfirst.errors import InputError, ProblemError
from bestfirst.games.contract import position_of
from bestfirst.games.engine.engine_choice import check_engine
from bestfirst.games.game import Game, Move, Position, check_game
from bestfirst.games.playing.played import Ending, PlayedGame
from bestfirst.games.playing.player import Answer, Leave, Player, Resign, TakeBack
from bestfirst.games.playing.turn import LateError, choose_in_time, what_failed
from bestfirst.written import text_of

MOST_PLIES_PLAYED = 1000


@suggesting
def play(
    game: Game,
    first: Player,
    second: Player,
    *,
    start: Position | str | None = None,
    most_plies: int = MOST_PLIES_PLAYED,
    most_seconds: float | None = None,
    engine: str | None = None,
    watch: Callable[[PlayedGame], None] | None = None,
) -> PlayedGame:
    """Play a game between two players, and return its moves and result.

        played = bf.play(bf.ConnectFour(), bf.EnginePlayer(bf.GameLimits(depth=6)), bf.RandomPlayer(seed=1))
        print(played)

    start: the start position, a state or a string that game.parse reads; `first` moves first there.
    most_plies: the game is a draw after this number. most_seconds: time per move, after which a player is interrupted.
    engine: "python" or "compiled", for players that name none. watch: called after each move, and after each one taken back.
    A player that makes an illegal move, exceeds its time, or fails (by any exception) loses the game; `fault` of the result
    names the fault, the position and the legal moves. Ctrl-C ends the game without a result and keeps its moves.
    Raises InputError for a start that cannot be read or is over, and for an invalid player, ProblemError for rules that
    break the contract of Game.
    """
    return play_a_game(
        game, first, second, start=start, most_plies=most_plies, most_seconds=most_seconds, engine=engine, watch=watch
    )[0]


def play_a_game(
    game: Game,
    first: Player,
    second: Player,
    *,
    start: Position | str | None,
    most_plies: int,
    most_seconds: float | None,
    engine: str | None,
    watch: Callable[[PlayedGame], None] | None = None,
) -> tuple[PlayedGame, bool]:
    """play(), which also returns whether Ctrl-C was pressed, possibly just as the game ended."""
    check_game(game)
    for player in (first, second):
        check_player(player)
    check_whole("most_plies", most_plies, 1)
    check_function("watch", watch, "the PlayedGame")
    check_number("most_seconds", most_seconds, 0, otherwise="None for unlimited", may_be_least=False)
    check_engine(engine)
    played = PlayedGame(game, (first.name, second.name), position_of(game, start), engine=engine)
    if game.is_over(played.start):
        raise InputError(
            f"the game is over in position {text_of(game, 'format', played.start)!r}; choose a position with a legal move"
        )
    players = (first, second)
    try:
        for number, player in enumerate(players):
            if played.ending is None:
                _begin(played, player, number)
        while played.ending is None:
            if len(played.moves) >= most_plies:
                played.end(Ending.TOO_LONG, None)
                break
            _one_turn(played, players[played.mover], most_seconds)
            if watch is not None:
                watch(played)
    except KeyboardInterrupt:
        if played.ending is None:
            played.end(Ending.INTERRUPTED, None)
        return played, True
    return played, False


def check_player(player: object) -> None:
    """Raise InputError for a value that is not a valid player."""
    check_kind("player", player, Player, "a Player, such as RandomPlayer(seed=1)")
    name = getattr(player, "name", None)
    if not isinstance(name, str):
        raise InputError(f"{type(player).__name__}.name is {name!r}; set it to a string: name = 'cautious'")


def _begin(played: PlayedGame, player: Player, number: int) -> None:
    try:
        player.begin(played)
    except (InputError, ProblemError):  # the requested game cannot be played
        raise
    except (Exception, SystemExit) as error:
        _fail(played, number, error)


def _fail(played: PlayedGame, number: int, error: BaseException) -> None:
    played.end(Ending.FAILURE, 1 - number, f"{played.players[number]} failed: {what_failed(error)}")


def _one_turn(played: PlayedGame, player: Player, most_seconds: float | None) -> None:
    game, other = played.game, 1 - played.mover
    legal = game.legal_moves(played.state)
    started = perf_counter()
    try:
        answer = choose_in_time(player, played, most_seconds)
    except LateError as late:
        played.is_hanging = late.is_hanging
        played.end(
            Ending.TIME, other, f"{player.name} lost on time: it took longer than {most_seconds:g} seconds over a move"
        )
        return
    except ProblemError:  # the rules failed, not the player
        raise
    except (Exception, SystemExit) as error:
        _fail(played, played.mover, error)
        return
    seconds = perf_counter() - started
    if isinstance(answer, Leave):
        played.end(Ending.LEFT, None)
    elif isinstance(answer, Resign):
        played.end(Ending.RESIGNED, other, f"{player.name} resigned")
    elif isinstance(answer, TakeBack) and _is_plies(answer.plies):
        played.take_back(answer.plies)
    elif (place := _place(answer, legal)) is None:
        played.end(Ending.ILLEGAL, other, f"{player.name} forfeited: {_illegal(played, answer)}")
    else:
        played.push(legal[place], seconds)


def _is_plies(plies: object) -> bool:
    return isinstance(plies, int) and not isinstance(plies, bool) and plies > 0


def _place(answer: Answer, legal: list[Move]) -> int | None:
    """The index of an answer among the legal moves; None for a value that is not a move."""
    try:
        return legal.index(answer)
    except Exception:  # the value cannot even be compared with a move
        return None


def _illegal(played: PlayedGame, answer: Answer) -> str:
    try:
        return str(played.game.illegal(played.state, answer))
    except Exception:  # the rules cannot describe a value that is not a move
        return f"an answer of type {type(answer).__name__} is not a move"

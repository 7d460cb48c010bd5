"""Games as the page plays them: the position after some moves, and what the engine thinks of it while it searches."""

from __future__ import annotations

import random
from typing import Any

from bestfirst.errors import InputError, UnknownNameError, shown
from bestfirst.games.analysis import Analysis, Line, analyse, prepare
from bestfirst.games.game import Game
from bestfirst.games.limits import GameLimits
from bestfirst.games.playing.played import PlayedGame
from bestfirst.makers import Kind
from bestfirst.studio.boards import board_of, path_of
from bestfirst.studio.instances import options_of
from bestfirst.studio.levels import LEVELS, METHODS
from bestfirst.studio.own import maker_of
from bestfirst.studio.worker import Request, Tell
from bestfirst.written import text_of

MOST_MOVES = 600
MOST_SECONDS = 60.0
HALF_WAY = {True: 10, False: 100}
"""The estimate at which the bar is half way between a draw and a win: for games that count points, and for others."""


def game_of(request: Request) -> Game:
    """The game of a request: its fields game and options. Raises InputError."""
    given = options_of(request)
    texts = {str(name): str(value) for name, value in given.items() if str(value).strip()}
    return maker_of(str(request.get("game", "")), Kind.GAME, request).make(None, texts)  # type: ignore[no-any-return]


def played_in(request: Request) -> PlayedGame:
    """The game of a request after its `moves`, from its `start` (a position in the game's notation; default: the usual one)."""
    game = game_of(request)
    moves = request.get("moves") or []
    if not isinstance(moves, list) or len(moves) > MOST_MOVES:
        raise InputError(f"the studio plays at most {MOST_MOVES} moves of a game")
    start = game.parse(str(request.get("start") or ""))
    played = PlayedGame(game, ("first", "second"), start)
    for move in moves:
        if played.ending is not None:
            raise InputError(f"the game is over before the move {shown(move)}")
        played.push(game.parse_move(played.state, str(move)))
    return played


def position(request: Request, tell: Tell) -> None:
    """Tell the board after the moves of a request, the legal moves, and the result if the game is over."""
    played = played_in(request)
    game, state = played.game, played.state
    is_over = game.is_over(state)
    legal = [] if is_over else game.legal_moves(state)
    written = played.moves_as_text()
    before = list(zip(played.states, played.moves, strict=False))
    tell(
        {
            "board": board_of(game, state),
            "position": text_of(game, "format", state),
            "sides": [played.side_of(0), played.side_of(1)],
            "mover": played.mover,
            "moves": [
                {"text": text_of(game, "format_move", state, move), "path": path_of(game, state, move)} for move in legal
            ],
            "played": [{"text": text, "side": side} for text, side in zip(written, played.movers, strict=False)],
            "last": path_of(game, *before[-1]) if before else [],
            "over": is_over,
            "winner": played.winner,
            "points": played.points,
        }
    )


def make_ready(request: Request, tell: Tell) -> None:
    """Compile the rules of a request's game, so that each later search is fast from its beginning."""
    tell({"ready": prepare(game_of(request))})


def think(request: Request, tell: Tell) -> None:
    """Search the position of a request, and tell the scores after each depth.

    level: a number of LEVELS, for the move of the engine. Otherwise all moves are scored, for at most `seconds`.
    """
    played = played_in(request)
    level = request.get("level")
    if level is None:
        _think(played, GameLimits(seconds=_seconds(request)), None, request, tell)
        return
    if isinstance(level, bool) or not isinstance(level, int) or not 0 <= level < len(LEVELS):
        raise InputError(f"the level is {shown(level)}; use 0 .. {len(LEVELS) - 1}")
    limits = LEVELS[level].limits
    if limits is None:
        legal = played.game.legal_moves(played.state)
        if not legal:
            raise InputError("the game is over; take back a move")
        tell({"move": text_of(played.game, "format_move", played.state, random.choice(legal))})
        return
    _think(played, limits, 1, request, tell)


def _seconds(request: Request) -> float:
    seconds = request.get("seconds")
    return MOST_SECONDS if seconds is None else float(min(seconds, MOST_SECONDS))


def _think(played: PlayedGame, limits: GameLimits, lines: int | None, request: Request, tell: Tell) -> None:
    search = analyse(played.game, played.state, limits=limits, lines=lines, engine=request.get("engine") or None)
    for analysis in search:
        tell({"analysis": _shown(analysis, played)})
    tell(
        {
            "analysis": _shown(search.analysis, played),
            "move": text_of(played.game, "format_move", played.state, search.analysis.move),
        }
    )


def _shown(analysis: Analysis, played: PlayedGame) -> dict[str, Any]:
    return {
        "depth": analysis.depth,
        "nodes": analysis.nodes,
        "seconds": analysis.seconds,
        "solved": analysis.solved,
        "score": str(analysis.score),
        "share": _share(analysis, played),
        "lines": [_line(analysis, line) for line in analysis.lines],
    }


def _line(analysis: Analysis, line: Line) -> dict[str, Any]:
    move, *others = analysis.moves_as_text(line.pv)
    return {
        "move": move,
        "score": str(line.score),
        "value": line.score.value,
        "outcome": line.score.outcome,
        "best_play": " ".join([*others, *(["..."] if line.goes_on else [])]),
    }


def _share(analysis: Analysis, played: PlayedGame) -> float:
    """How full the bar of the first player is, from 0 to 1."""
    score = analysis.score
    ahead = -score.value if played.mover else score.value
    if score.decisive or (score.proven and ahead):
        return 1.0 if ahead > 0 else 0.0
    return (1 + ahead / (abs(ahead) + HALF_WAY[played.game.counts_points])) / 2


MOST_DEPTH = 30
SECONDS_OF_TREE = 20.0
"""Limits of a search whose tree is shown."""
MOST_NODES = 30_000
"""Nodes of a tree that is shown."""


def tree(request: Request, tell: Tell) -> None:
    """Search the position of a request to its `depth` by its `method`, and tell the recording of the tree."""
    from bestfirst.games.playing.specification import settings_from  # noqa: PLC0415  (only a tree needs them)
    from bestfirst.games.tracing.trace import GameTrace  # noqa: PLC0415
    from bestfirst.viewer.game_recording import game_recording_of  # noqa: PLC0415

    played = played_in(request)
    if played.game.is_over(played.state):
        raise InputError("the game is over, so there is no tree; take back a move")
    depth, method = request.get("depth"), str(request.get("method", "alpha-beta"))
    if isinstance(depth, bool) or not isinstance(depth, int) or not 1 <= depth <= MOST_DEPTH:
        raise InputError(f"the depth is {shown(depth)}; use a whole number from 1 to {MOST_DEPTH}")
    if method not in METHODS:
        raise UnknownNameError("method", method, METHODS)
    trace = GameTrace(MOST_NODES)
    settings = settings_from(METHODS[method]).suited_to(played.game)
    limits = GameLimits(depth=depth, seconds=SECONDS_OF_TREE)
    found = analyse(played.game, played.state, lines=1, limits=limits, settings=settings, trace=trace, engine="python").run()
    tell({"analysis": _shown(found, played)})
    tell({"recording": game_recording_of(trace)})

"""The faults of one position: the members of a game, checked against the contract of Game."""

from __future__ import annotations

from collections.abc import Iterator
from copy import deepcopy
from itertools import pairwise
from traceback import walk_tb
from typing import Any

from bestfirst.errors import BestfirstError, InputError, ProblemError
from bestfirst.games.contract import listed_moves, several
from bestfirst.games.domain import PASS, GameDomain, as_words, is_key
from bestfirst.games.game import Game, Move, Position, estimated_value, final_value, game_order
from bestfirst.pictured import svg_of
from bestfirst.written import text_of


def raised(game: Game, state: Position, error: Exception) -> str:
    """A fault for an exception: the innermost member of the game that raised it, with its arguments."""
    frames = [frame for frame, _line in walk_tb(error.__traceback__) if frame.f_code.co_argcount]
    calls = [
        frame
        for frame in frames
        if frame.f_locals.get(frame.f_code.co_varnames[0]) is game and hasattr(GameDomain, frame.f_code.co_name)
    ]
    what = f"{type(error).__name__}: {error}" if str(error) else type(error).__name__
    if not calls:
        return f"in position {written(game, state)}, the rules return an unusable value: {what}"
    frame = calls[-1]
    member = frame.f_code.co_name
    values = [frame.f_locals.get(name) for name in frame.f_code.co_varnames[1 : frame.f_code.co_argcount]]
    if values and member not in ("parse", "split"):
        state, *values = values
    arguments = f"({', '.join(map(repr, values))})" if values else ""
    return f"in position {written(game, state)}, {member}{arguments} raises {what}"


def written(game: Game, state: Position) -> str:
    """A position as the game writes it, or its repr if that fails."""
    try:
        return repr(text_of(game, "format", state))
    except Exception:
        return repr(state)


def faults_of_position(game: Game, state: Position) -> Iterator[tuple[str, str]]:
    """The faults of one position: (kind, sentence). Raises ProblemError, or the error of the rules, if the check must
    stop."""
    domain = game.domain()
    if domain is not None:
        as_words(domain, state)
    try:
        hash(state)
    except TypeError as error:
        yield "hash", f"position {state!r} is not hashable ({error}); use numbers, strings, tuples or NamedTuples as states"
        return
    where = f"in position {text_of(game, 'format', state)!r},"
    key = game.key(state)
    try:
        hash(key)
    except TypeError as error:
        yield "hash", f"{where} key returns {key!r}, which is not hashable ({error})"
        return
    if domain is not None and not is_key(key):
        yield "key", f"{where} key returns {key!r}; it must be a 64-bit int, or a tuple of 64-bit ints"
        return
    estimated_value(game, state)
    try:
        svg_of(game, state)
    except ProblemError as error:
        yield "picture", str(error)
    side = game.side_to_move(state)
    if side not in (0, 1) and not (side is None and game.alternates):
        yield "side", f"{where} side_to_move returns {side!r}; it must be 0 or 1"
    if game.defines("format"):
        yield from _faults_of_notation(game, state, where)
    over = game.is_over(state)
    if over not in (True, False):
        yield "over", f"{where} is_over returns {over!r}; it must be True or False"
        return
    if over:
        final_value(game, state, 0)
        return
    moves = listed_moves(game, "moves", state, where)
    if not moves:
        yield (
            "no move",
            f"{where} the game is not over, but moves is empty; return True from is_over, or add a move that passes",
        )
        return
    if len(set(moves)) < len(moves):
        yield "twice", f"{where} a move occurs twice in {moves!r}"
    yield from _faults_of_foresight(game, state, moves, where)
    noisy = listed_moves(game, "noisy_moves", state, where)
    strange = [move for move in noisy if move not in moves]
    if strange:
        yield "noisy", f"{where} noisy_moves returns {strange[0]!r}, which is not a legal move"
    elif noisy and game.noisy_is_forced and set(noisy) != set(moves):
        yield (
            "forced",
            f"{where} some moves are noisy and others are not, although noisy_is_forced is True",
        )
    images = several(game.symmetries(state), "symmetries", "states", where)
    for image in images:
        if len(game.legal_moves(image)) != len(moves):
            yield "image", f"{where} the image {text_of(game, 'format', image)!r} has a different number of moves"
    if not _have_order([game.key(one) for one in (state, *images)]):
        yield (
            "order",
            f"{where} the keys of the position and its symmetries have no order, so these positions cannot share a table entry; "
            "define key(state) to return numbers, strings, or tuples of them",
        )
    for move in moves:
        if game.defines("order"):
            game_order(game, state, move)
        yield from _faults_of_a_move(game, state, move, where)


def _have_order(keys: list[Any]) -> bool:
    """Whether one of any two different keys is the lesser: not so for sets, of which a smaller one is a part of the other."""
    try:
        return all(one == other or one < other or other < one for one, other in pairwise(keys))
    except (TypeError, ValueError):
        return False


def _faults_of_foresight(game: Game, state: Position, moves: list[Move], where: str) -> Iterator[tuple[str, str]]:
    """Errors in the moves declared to win immediately, or to let the other side do so.

    A GameDomain cannot declare a pass, because its moves are bits, so passes are ignored.
    """
    if not game.defines("winning_moves"):
        return

    def winning_in(position: Position, moves: list[Move]) -> list[Move]:
        """The moves that win immediately."""
        winning = []
        for move in moves:
            if not (isinstance(game, GameDomain) and move == PASS):
                child = game.play(position, move)
                value = final_value(game, child, 0) if game.is_over(child) else 0
                if (value if game.moves_again(position, child) else -value) > 0:
                    winning.append(move)
        return winning

    said, winning = listed_moves(game, "winning_moves", state, where), winning_in(state, moves)
    if set(said) != set(winning):
        yield "winning", f"{where} winning_moves returns {said!r}, but the immediate wins are {winning!r}"
    if winning:
        return
    children = {move: game.play(state, move) for move in moves}
    if isinstance(game, GameDomain):
        for move, child in children.items():
            if game.is_over_unwon(child) != game.is_over(child):
                after = "after a pass" if move == PASS else "in which the last move has not won"
                yield (
                    "unwon",
                    f"in position {text_of(game, 'format', child)!r}, {after}, is_over_unwon returns "
                    f"{game.is_over_unwon(child)!r}, but is_over returns {game.is_over(child)!r}",
                )
                return
    if not game.defines("losing_moves"):
        return
    losing = [
        move
        for move, child in children.items()
        if not game.moves_again(state, child) and winning_in(child, game.legal_moves(child))
    ]
    said = listed_moves(game, "losing_moves", state, where)
    if set(said) != set(losing):
        yield (
            "losing",
            f"{where} losing_moves returns {said!r}, but the moves that let the other side win immediately are {losing!r}",
        )


def _faults_of_notation(game: Game, state: Position, where: str) -> Iterator[tuple[str, str]]:
    try:
        read = game.parse(text_of(game, "format", state))
    except BestfirstError as error:
        yield "notation", f"{where} parse cannot read the output of format: {error}"
        return
    if read != state:
        yield "notation", f"{where} parse reads the output of format as a different position, {read!r} instead of {state!r}"


def _faults_of_a_move(game: Game, state: Position, move: Move, where: str) -> Iterator[tuple[str, str]]:
    name = text_of(game, "format_move", state, move)
    copy: Any = deepcopy(state)
    following = game.play(state, move)
    if copy != deepcopy(copy):
        yield (
            "equality",
            (
                f"{where} the position does not equal a copy of itself; define __eq__ and __hash__ on {type(state).__name__}, "
                "or use numbers, strings, tuples or NamedTuples as states"
            ),
        )
        return
    if state != copy:
        yield "changed", f"{where} play({name}) changes the position; it must return a new one"
        return
    if game.play(state, move) != following:
        yield "chance", f"{where} move {name} leads to a different position when repeated"
    if game.alternates and game.side_to_move(state) is not None and game.side_to_move(state) == game.side_to_move(following):
        yield "turns", f"{where} the same side moves again after {name}; set alternates = False"
    if game.mover_never_loses and game.is_over(following):
        value = final_value(game, following, 0)
        if (value if game.moves_again(state, following) else -value) < 0:
            yield "loses", f"{where} move {name} loses the game immediately; set mover_never_loses = False"
            return
    try:
        read = game.parse_move(state, name)
    except InputError:
        read = None
    if read != move:
        yield "move", f"{where} parse_move does not read {name!r}, written by format_move"

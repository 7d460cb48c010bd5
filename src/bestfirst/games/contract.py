"""The position that a search starts from, and what the methods of the game return for it.

A value of a wrong type is reported with the method and the position. Otherwise it would end a search in an
error of Python, far from the method that returned it, or in a wrong value.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from math import inf
from traceback import walk_tb
from typing import Any

from bestfirst.array_attributes import hold_arrays
from bestfirst.claims import without_broken
from bestfirst.errors import InputError, ProblemError, StateError
from bestfirst.games.domain import COMPILABLE, GameDomain
from bestfirst.games.game import Game, Move, Position, check_initial, final_value
from bestfirst.raised import raised_stop
from bestfirst.words import WORD
from bestfirst.written import text_of

PLIES = 30
"""The maximum length of the line of play whose keys are checked."""
_SEARCHING = ("bestfirst.games.engine", "bestfirst.games.perft", __name__)
"""The modules in which a variable `state` is a position."""


def position_of(game: Game, given: Position | str | None) -> Position:
    """The position of an argument: a state, a string for game.parse (a state, if states are strings), or None for the start.

    Raises InputError for a value of a different type than the states of the game if its rules cannot use it, StateError for
    a state that is not hashable or does not fit the State of a GameDomain, and ProblemError for a method that returns a value
    of a wrong type.
    """
    check_initial(game)
    hold_arrays(game)
    state = _position_of(game, given)
    domain = game.domain()
    if domain is not None:
        domain.check_state(state)
    try:
        hash(state)
    except TypeError as error:
        raise StateError(
            f"position {state!r} is not hashable ({error}); use numbers, strings, tuples or NamedTuples as states"
        ) from error
    if not game.has_chance:
        check_methods(game, state)
    return state


def _position_of(game: Game, given: Position | str | None) -> Position:
    if given is None:
        return game.initial
    if isinstance(given, str) and not isinstance(game.initial, str):
        return game.parse(given)
    if type(given) is not type(game.initial):
        try:
            game.is_over(given)
        except Exception as error:
            raise InputError(
                f"position is {given!r}; pass a state of {game.name()}, such as {game.initial!r}, or a string that describes one"
            ) from error
    return given


def as_searched(game: Game) -> Game:
    """A game without claims that a rule set on it invalidates, and with its arrays as methods read them."""
    hold_arrays(game)
    return without_broken(game)


def check_methods(game: Game, state: Position) -> None:
    """Raise ProblemError if a method returns a value of a wrong type for a position; takes microseconds."""
    game = as_searched(game)
    where = f"{game.name()}: in position {text_of(game, 'format', state)!r},"
    _check_hashable(game.key(state), "key", where)
    side = game.side_to_move(state)
    if side not in (0, 1) and not (side is None and game.alternates):
        raise ProblemError(f"{where} side_to_move returns {side!r}; it must be 0 or 1")
    over = game.is_over(state)
    if over not in (True, False):
        raise ProblemError(f"{where} is_over returns {over!r}; it must be True or False")
    if over:
        final_value(game, state, 0)
        return
    moves = listed_moves(game, "moves", state, where)
    for member in ("noisy_moves", "winning_moves", "losing_moves"):
        named = listed_moves(game, member, state, where) if game.defines(member) else []
        strange = [move for move in named if move not in moves]
        if strange and member != "losing_moves":  # which may return anything if there is a winning move
            raise ProblemError(f"{where} {member} returns {strange[0]!r}, which is not a legal move")
    for image in several(game.symmetries(state), "symmetries", "states", where):
        _check_state(game, state, image, "symmetries", where)
    passed = game.null(state)
    if passed is not None:
        _check_state(game, state, passed, "null", where)
    for move in moves:
        check_state(game, state, game.play(state, move), move)


def check_keys(game: Game, state: Position) -> None:
    """Raise ProblemError if positions on a line of play share a key, but not their legal moves.

    A search with a table would take the value of one for that of another, and might never end.
    """
    if game.key_merges or not game.defines("key"):
        return
    first_of: dict[Any, tuple[Position, set[Move]]] = {}
    for _ in range(PLIES):
        moves = game.legal_moves(state)
        other, others = first_of.setdefault(game.key(state), (state, set(moves)))
        if set(moves) != others:
            raise ProblemError(
                f"{game.name()}: key returns {game.key(state)!r} for both {text_of(game, 'format', other)!r} and "
                f"{text_of(game, 'format', state)!r}, which have different legal moves; "
                "make key distinguish them, or omit key"
            )
        if not moves:
            return
        state = game.play(state, moves[0])


@contextmanager
def blaming_methods(game: Game) -> Iterator[None]:
    """Raise ProblemError instead of an error of Python if a method of the game has returned a value of a wrong type."""
    try:
        yield
    except (TypeError, AttributeError, ValueError, LookupError, RuntimeError, StopIteration) as error:
        stop = raised_stop(error)
        if stop is not None:
            raise stop from error
        for frame, _line in walk_tb(error.__traceback__):
            if "state" in frame.f_locals and frame.f_globals.get("__name__", "").startswith(_SEARCHING):
                _blame(game, frame.f_locals["state"], error)
        raise


def _blame(game: Game, state: Position, error: Exception) -> None:
    try:
        check_methods(game, state)
    except ProblemError as why:
        raise why from error
    except Exception:
        return  # the rules raise it themselves


def listed_moves(game: Game, member: str, state: Position, where: str) -> list[Move]:
    """The moves that a member returns. Raises ProblemError unless they are an iterable or set of hashable moves."""
    if isinstance(game, GameDomain):
        name = COMPILABLE[member]
        given = getattr(game, name)(state)
        most = inf if game.domain() is None else WORD  # a larger board is searched by the reference engine
        if isinstance(given, bool) or not isinstance(given, int) or not 0 <= given <= most:
            wanted = ">= 0" if most == inf else "from 0 to 2**64 - 1"
            raise ProblemError(
                f"{where} {name} returns {given!r}; it must be an int {wanted} with one bit per move "
                "(after ~, apply & with the bits of possible moves)"
            )
    given = getattr(game, member)(state)
    moves = several(given, member, "moves", where)
    for move in moves:
        try:
            hash(move)
        except TypeError as error:
            raise ProblemError(
                f"{where} {member} returns the move {move!r}, which is not hashable ({error}); use numbers, strings or tuples"
            ) from None
    return moves


def several(given: object, member: str, what: str, where: str) -> list[Any]:
    """The values that a member returns, as a list. Raises ProblemError for None or a single value."""
    if not isinstance(given, Iterable):
        raise ProblemError(f"{where} {member} returns {given!r}; it must return a list or another iterable of {what}")
    return list(given)


def check_state(game: Game, state: Position, following: Position, move: Move) -> None:
    """Raise ProblemError if what play returns for a move cannot be a state of the game."""
    if type(following) is type(state) and isinstance(following, int | str):  # which is quick
        return
    where = f"{game.name()}: in position {text_of(game, 'format', state)!r},"
    _check_state(game, state, following, f"play(state, {move!r})", where)


def _check_state(game: Game, state: Position, made: Position, member: str, where: str) -> None:
    """Raise ProblemError for a value that cannot be a state of a game. state: one of the game's states."""
    _check_hashable(made, member, where)
    if type(made) is not type(state) or (isinstance(made, tuple) and len(made) != len(state)):
        wrong = ProblemError(f"{where} {member} returns {made!r}; it must be a state, such as {state!r}")
        if made is None:
            raise wrong
        try:
            game.legal_moves(made)
        except Exception as error:
            raise wrong from error


def _check_hashable(value: object, member: str, where: str) -> None:
    try:
        hash(value)
    except TypeError as error:
        raise ProblemError(
            f"{where} {member} returns {value!r}, which is not hashable ({error}); use numbers, strings or tuples"
        ) from None

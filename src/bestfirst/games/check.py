"""Trying the rules of a game out on random games, before a search relies on them."""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator
from copy import deepcopy
from dataclasses import dataclass, field
from itertools import islice
from traceback import walk_tb
from typing import Any

from bestfirst.errors import BestfirstError, InputError, ProblemError
from bestfirst.games.domain import COMPILABLE, PASS, WORD, GameDomain, as_words
from bestfirst.games.game import Game, Move, Position, check_game, estimated_value, final_value

FAULTS_SHOWN = 10
LEAST_GAMES_FOR_A_NOTE = 5
MOST_PLIES_PLAYED = 1000

MISSING = {"initial": "set it to the state in which the game begins", "State": "define it as a NamedTuple of ints"}
"""What to do where a game lacks an attribute."""


@dataclass
class GameCheck:
    """What a check of a game has found.

    faults: what breaks the contract of Game, one sentence each, the first of each kind with its position.
    notes: what is no fault, but worth knowing. games, states: how many were tried.
    """

    game: str
    games: int = 0
    states: int = 0
    faults: list[str] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)

    @property
    def ok(self) -> bool:
        """Whether no fault was found."""
        return not self.faults

    def __bool__(self) -> bool:
        return self.ok

    def __str__(self) -> str:
        verdict = "no fault found" if self.ok else f"{len(self.faults)} kind{'s' * (len(self.faults) > 1)} of fault"
        head = f"{self.game}: {verdict} in {self.states:,} positions of {self.games:,} random games."
        lines = [f"  fault: {fault}" for fault in self.faults[:FAULTS_SHOWN]] + [f"  note: {note}" for note in self.notes]
        return "\n".join([head, *lines])


def check_rules(game: Game, *, states: int = 200, seed: int = 0) -> GameCheck:
    """Play random games, until so many positions have been looked at, and hold each position to the contract of Game.

    No member raises an error; positions and moves are hashable, and are not changed by play; where the game is not over there is a
    legal move, and each only once; scores and estimates are ints in their range; the sides take turns, or say whose turn it is;
    where that is said, no move loses at once; noisy moves are legal, and all there are where they are forced; mirror images have
    as many moves; what is written can be read; in a GameDomain states and sets of moves are ints of 64 bits.
    That every game is won by the side that is to move at its end is noted: most often score was written for the wrong side.
    Raises InputError for what is no Game, CompileError for a GameDomain that cannot be compiled.
    """
    check_game(game)
    return _Checker(game, states, seed).check()


class _Checker:
    """A check at work: the positions met so far, and how the games have ended."""

    def __init__(self, game: Game, states: int, seed: int) -> None:
        self._game, self._most = game, states
        self._report = GameCheck(game.name())
        self._chance = random.Random(seed)
        self._met: list[Position] = []
        self._won_by_side_to_move = self._lost_by_side_to_move = 0

    def check(self) -> GameCheck:
        game, report = self._game, self._report
        needed = ("initial", "State") if isinstance(game, GameDomain) else ("initial",)
        report.faults += [f"{name} is missing; {MISSING[name]}" for name in needed if not hasattr(game, name)]
        while report.ok and report.states < self._most:
            report.games += 1
            if not self._play_a_game():
                break
        domain = game.domain()
        if domain is not None and report.ok:
            report.faults += _faults_of_compiled_code(domain, self._met)
        self._note_the_winners()
        return report

    def _play_a_game(self) -> bool:
        """Look at each position of a random game; whether it came to its end."""
        game, report = self._game, self._report
        state = game.initial
        for _ in range(MOST_PLIES_PLAYED + 1):
            report.states += 1
            self._met.append(state)
            try:
                self._look_at(state)
                if not report.ok:
                    return False
                if game.is_over(state):
                    self._count(final_value(game, state, 0))
                    return True
                state = game.play(state, self._chance.choice(list(game.moves(state))))
            except BestfirstError as error:
                report.faults.append(str(error))
                return False
            except Exception as error:
                report.faults.append(_raised(game, state, error))
                return False
        report.notes.append(f"a random game was not over after {MOST_PLIES_PLAYED} plies; a search needs a limit")
        return False

    def _look_at(self, state: Position) -> None:
        """Report the first fault of each kind."""
        kinds = set()
        for kind, fault in _faults(self._game, state):
            if kind not in kinds:
                kinds.add(kind)
                self._report.faults.append(fault)

    def _count(self, value: int) -> None:
        self._won_by_side_to_move += value > 0
        self._lost_by_side_to_move += value < 0

    def _note_the_winners(self) -> None:
        won = self._won_by_side_to_move
        if won >= LEAST_GAMES_FOR_A_NOTE and not self._lost_by_side_to_move and not self._game.counts_points:
            self._report.notes.append(
                f"in each of the {won} games that were not drawn, score says that the side that is to move at the end has won; "
                "score is FOR THE SIDE TO MOVE: if whoever moved last has won, it must be -1"
            )


def _raised(game: Game, state: Position, error: Exception) -> str:
    """An exception as a fault: which member of the game it comes from, the innermost one, and what that was called with."""
    frames = [frame for frame, _line in walk_tb(error.__traceback__) if frame.f_code.co_argcount]
    calls = [
        frame
        for frame in frames
        if frame.f_locals.get(frame.f_code.co_varnames[0]) is game and hasattr(GameDomain, frame.f_code.co_name)
    ]
    what = f"{type(error).__name__}: {error}" if str(error) else type(error).__name__
    if not calls:
        return f"in position {_written(game, state)} the rules give what cannot be used: {what}"
    frame = calls[-1]
    member = frame.f_code.co_name
    values = [frame.f_locals.get(name) for name in frame.f_code.co_varnames[1 : frame.f_code.co_argcount]]
    if values and member not in ("parse", "split"):
        state, *values = values
    arguments = f"({', '.join(map(repr, values))})" if values else ""
    return f"in position {_written(game, state)} {member}{arguments} raises {what}"


def _written(game: Game, state: Position) -> str:
    """A position as the game writes it, or where that fails as Python does."""
    try:
        return repr(game.format(state))
    except Exception:
        return repr(state)


def _faults_of_compiled_code(game: GameDomain, met: list[Position]) -> list[str]:
    """The first difference between the two engines in each position."""
    from bestfirst.compiled.game_probe import CompiledMembers  # noqa: PLC0415  (it imports NumPy)

    members = CompiledMembers(game)
    return [
        f"in position {game.format(state)!r} {found}" for state in met for found in islice(members.differences(state), 1)
    ]


def _faults(game: Game, state: Position) -> Iterator[tuple[str, str]]:
    """The faults of one position: (what kind, a sentence). Raises ProblemError, or what the rules raise, where it cannot go on."""
    domain = game.domain()
    if domain is not None:
        as_words(domain, state)
    try:
        hash(state)
    except TypeError as error:
        yield "hash", f"position {state!r} cannot be hashed ({error}); write states as numbers, texts, tuples or NamedTuples"
        return
    where = f"in position {game.format(state)!r}"
    key = game.key(state)
    try:
        hash(key)
    except TypeError as error:
        yield "hash", f"{where} key gives {key!r}, which cannot be hashed ({error})"
        return
    if domain is not None and not all(isinstance(word, int) for word in (key if isinstance(key, tuple) else (key,))):
        yield "key", f"{where} key gives {key!r}; it must be an int of 64 bits, or a tuple of them"
        return
    estimated_value(game, state)
    side = game.side_to_move(state)
    if side not in (0, 1) and not (side is None and game.alternates):
        yield "side", f"{where} side_to_move gives {side!r}; it must be 0 or 1"
    if game.defines("format"):
        yield from _faults_of_notation(game, state, where)
    over = game.is_over(state)
    if over not in (True, False):
        yield "over", f"{where} is_over gives {over!r}; it must be True or False"
        return
    if over:
        final_value(game, state, 0)
        return
    moves = _listed(game, "moves", state, where)
    if not moves:
        yield (
            "no move",
            f"{where} the game is not over, but there is no move; say so in is_over, or let the side pass by a move",
        )
        return
    if len(set(moves)) < len(moves):
        yield "twice", f"{where} a move comes twice in {moves!r}"
    yield from _faults_of_foresight(game, state, moves, where)
    noisy = _listed(game, "noisy_moves", state, where)
    strange = [move for move in noisy if move not in moves]
    if strange:
        yield "noisy", f"{where} noisy_moves gives {strange[0]!r}, which is not legal"
    elif noisy and game.noisy_is_forced and set(noisy) != set(moves):
        yield (
            "forced",
            f"{where} some moves are noisy and others are not, but noisy_is_forced says that noisy ones must be played",
        )
    for image in _several(game.symmetries(state), "symmetries", "states", where):
        if len(game.legal_moves(image)) != len(moves):
            yield "image", f"{where} the image {game.format(image)!r} has another number of moves"
    for move in moves:
        yield from _faults_of_a_move(game, state, move, where)


def _listed(game: Game, member: str, state: Position, where: str) -> list[Move]:
    """The moves that a member gives. Raises ProblemError for what are no hashable moves, or no set of them."""
    if isinstance(game, GameDomain):
        name = COMPILABLE[member]
        given = getattr(game, name)(state)
        if isinstance(given, bool) or not isinstance(given, int) or not 0 <= given <= WORD:
            raise ProblemError(
                f"{where} {name} gives {given!r}; it must be an int whose bits are the moves, from 0 to 2**64 - 1 "
                "(where there is a ~, & with the bits that can be)"
            )
    given = getattr(game, member)(state)
    moves = _several(given, member, "moves", where)
    for move in moves:
        try:
            hash(move)
        except TypeError as error:
            raise ProblemError(
                f"{where} {member} gives {move!r}, which cannot be hashed ({error}); write moves as numbers, texts or tuples"
            ) from None
    return moves


def _several(given: object, member: str, what: str, where: str) -> list[Any]:
    """What a member gives, as a list. Raises ProblemError where it is one thing, or none."""
    if not isinstance(given, Iterable):
        raise ProblemError(f"{where} {member} gives {given!r}; it must give {what}, such as a list of them")
    return list(given)


def _faults_of_foresight(game: Game, state: Position, moves: list[Move], where: str) -> Iterator[tuple[str, str]]:
    """The moves said to win at once, or to let the other side do so, beside those that do.

    In a GameDomain a pass cannot be among them, as they are bits, so it is not asked for.
    """
    if not game.defines("winning_moves"):
        return

    def winning_in(position: Position, moves: list[Move]) -> list[Move]:
        """The moves that win at once."""
        winning = []
        for move in moves:
            if not (isinstance(game, GameDomain) and move == PASS):
                child = game.play(position, move)
                value = final_value(game, child, 0) if game.is_over(child) else 0
                if (value if game.moves_again(position, child) else -value) > 0:
                    winning.append(move)
        return winning

    said, winning = _listed(game, "winning_moves", state, where), winning_in(state, moves)
    if set(said) != set(winning):
        yield "winning", f"{where} winning_moves gives {said!r}, but those that win at once are {winning!r}"
    if winning:
        return
    children = {move: game.play(state, move) for move in moves}
    if isinstance(game, GameDomain):
        for move, child in children.items():
            if game.is_over_unwon(child) != game.is_over(child):
                after = "after a pass" if move == PASS else "to which the last move has not won"
                yield (
                    "unwon",
                    f"in position {game.format(child)!r}, {after}, is_over_unwon gives "
                    f"{game.is_over_unwon(child)!r}, and is_over {game.is_over(child)!r}",
                )
                return
    losing = [
        move
        for move, child in children.items()
        if not game.moves_again(state, child) and winning_in(child, game.legal_moves(child))
    ]
    said = _listed(game, "losing_moves", state, where)
    if set(said) != set(losing):
        yield (
            "losing",
            f"{where} losing_moves gives {said!r}, but those that let the other side win at once are {losing!r}",
        )


def _faults_of_notation(game: Game, state: Position, where: str) -> Iterator[tuple[str, str]]:
    try:
        read = game.parse(game.format(state))
    except BestfirstError as error:
        yield "notation", f"{where} what format writes cannot be read by parse: {error}"
        return
    if read != state:
        yield "notation", f"{where} parse reads what format writes as another position, {read!r} for {state!r}"


def _faults_of_a_move(game: Game, state: Position, move: Move, where: str) -> Iterator[tuple[str, str]]:
    name = game.format_move(state, move)
    copy: Any = deepcopy(state)
    following = game.play(state, move)
    if state != copy:
        yield "changed", f"{where} play({name}) changes the position; it must make a new one"
        return
    if game.play(state, move) != following:
        yield "chance", f"{where} move {name} leads to another position the second time"
    if game.alternates and game.side_to_move(state) is not None and game.side_to_move(state) == game.side_to_move(following):
        yield "turns", f"{where} after move {name} the same side is to move again; say alternates = False"
    if game.mover_never_loses and game.is_over(following):
        value = final_value(game, following, 0)
        if (value if game.moves_again(state, following) else -value) < 0:
            yield "loses", f"{where} move {name} loses the game at once; say mover_never_loses = False"
            return
    try:
        read = game.parse_move(state, name)
    except InputError:
        read = None
    if read != move:
        yield "move", f"{where} parse_move does not read {name!r}, as format_move writes a move"

"""Trying the rules of a game out on random games, before a search relies on them."""

from __future__ import annotations

import random
from collections.abc import Iterator
from copy import deepcopy
from dataclasses import dataclass, field
from itertools import islice
from typing import Any

from bestfirst.errors import BestfirstError, InputError, ScoreError
from bestfirst.games.domain import GameDomain
from bestfirst.games.game import Game, Move, Position, check_game, estimated_value, final_value

FAULTS_SHOWN = 10
LEAST_GAMES_FOR_A_NOTE = 5
MOST_PLIES_PLAYED = 1000


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

    Positions and moves are hashable, and are not changed by play; where the game is not over there is a legal move, and each only
    once; scores and estimates are ints in their range; the sides take turns, or say whose turn it is; where that is said, no move
    loses at once; noisy moves are legal, and all there are where they are forced; mirror images have as many moves; what is
    written can be read.
    That every game is won by the side that is to move at its end is noted: most often score was written for the wrong side.
    Raises InputError for what is no Game, CompileError for a GameDomain that cannot be compiled.
    """
    check_game(game)
    domain = game.domain()
    met: list[Position] = []
    report = GameCheck(game.name())
    kinds: set[str] = set()
    chance = random.Random(seed)
    won_by_side_to_move = lost_by_side_to_move = 0
    while report.states < states and not kinds:
        report.games += 1
        state, plies = game.initial, 0
        while True:
            report.states += 1
            met.append(state)
            try:
                for kind, fault in _faults(game, state):
                    if kind not in kinds:
                        kinds.add(kind)
                        report.faults.append(fault)
            except ScoreError as error:
                kinds.add("score")
                report.faults.append(str(error))
            if kinds or game.is_over(state) or plies >= MOST_PLIES_PLAYED:
                break
            state = game.play(state, chance.choice(list(game.moves(state))))
            plies += 1
        if not kinds and game.is_over(state):
            value = final_value(game, state, 0)
            won_by_side_to_move += value > 0
            lost_by_side_to_move += value < 0
        elif not kinds:
            report.notes.append(f"a random game was not over after {MOST_PLIES_PLAYED} plies; a search needs a limit")
            break
    if domain is not None and not kinds:
        report.faults += _faults_of_compiled_code(domain, met)
    if won_by_side_to_move >= LEAST_GAMES_FOR_A_NOTE and not lost_by_side_to_move and not game.counts_points:
        report.notes.append(
            f"in each of the {won_by_side_to_move} games that were not drawn, score says that the side that is to move at the end "
            "has won; score is FOR THE SIDE TO MOVE: if whoever moved last has won, it must be -1"
        )
    return report


def _faults_of_compiled_code(game: GameDomain, met: list[Position]) -> list[str]:
    """The first difference between the two engines in each position."""
    from bestfirst.compiled.game_probe import CompiledMembers  # noqa: PLC0415  (it imports NumPy)

    members = CompiledMembers(game)
    return [
        f"in position {game.format(state)!r} {found}" for state in met for found in islice(members.differences(state), 1)
    ]


def _faults(game: Game, state: Position) -> Iterator[tuple[str, str]]:
    """The faults of one position: (what kind, a sentence)."""
    try:
        hash(game.key(state)), hash(state)
    except TypeError as error:
        yield "hash", f"position {state!r} cannot be hashed ({error}); write states as numbers, texts, tuples or NamedTuples"
        return
    where = f"in position {game.format(state)!r}"
    estimated_value(game, state)
    side = game.side_to_move(state)
    if side not in (0, 1) and not (side is None and game.alternates):
        yield "side", f"{where} side_to_move gives {side!r}; it must be 0 or 1"
    if game.defines("format"):
        yield from _faults_of_notation(game, state, where)
    if game.is_over(state):
        final_value(game, state, 0)
        return
    moves = list(game.moves(state))
    if not moves:
        yield (
            "no move",
            f"{where} the game is not over, but there is no move; say so in is_over, or let the side pass by a move",
        )
    if len(set(moves)) < len(moves):
        yield "twice", f"{where} a move comes twice in {moves!r}"
    yield from _faults_of_foresight(game, state, moves, where)
    noisy = list(game.noisy_moves(state))
    strange = [move for move in noisy if move not in moves]
    if strange:
        yield "noisy", f"{where} noisy_moves gives {strange[0]!r}, which is not legal"
    elif noisy and game.noisy_is_forced and set(noisy) != set(moves):
        yield (
            "forced",
            f"{where} some moves are noisy and others are not, but noisy_is_forced says that noisy ones must be played",
        )
    for image in game.symmetries(state):
        if len(game.legal_moves(image)) != len(moves):
            yield "image", f"{where} the image {game.format(image)!r} has another number of moves"
    for move in moves:
        yield from _faults_of_a_move(game, state, move, where)


def _faults_of_foresight(game: Game, state: Position, moves: list[Move], where: str) -> Iterator[tuple[str, str]]:
    """The moves said to win at once, or to let the other side do so, beside those that do."""
    if not game.defines("winning_moves"):
        return

    def wins(position: Position, move: Move) -> bool:
        child = game.play(position, move)
        value = final_value(game, child, 0) if game.is_over(child) else 0
        return (value if game.moves_again(position, child) else -value) > 0

    said, winning = set(game.winning_moves(state)), {move for move in moves if wins(state, move)}
    if said != winning:
        yield "winning", f"{where} winning_moves gives {sorted(said)!r}, but those that win at once are {sorted(winning)!r}"
    if winning:
        return
    children = {move: game.play(state, move) for move in moves}
    if isinstance(game, GameDomain):
        for child in children.values():
            if game.is_over_unwon(child) != game.is_over(child):
                yield (
                    "unwon",
                    f"in position {game.format(child)!r}, to which the last move has not won, is_over_unwon gives "
                    f"{game.is_over_unwon(child)!r}, and is_over {game.is_over(child)!r}",
                )
                return
    losing = {
        move
        for move, child in children.items()
        if not game.moves_again(state, child) and any(wins(child, reply) for reply in game.legal_moves(child))
    }
    said = set(game.losing_moves(state))
    if said != losing:
        yield (
            "losing",
            f"{where} losing_moves gives {sorted(said)!r}, but those that let the other side win at once are {sorted(losing)!r}",
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

"""Trying the rules of a game out on random games, before a search relies on them."""

from __future__ import annotations

import random
from dataclasses import dataclass, field
from itertools import islice

from bestfirst.errors import BestfirstError
from bestfirst.games.checking.position_check import faults_of_position, raised
from bestfirst.games.checking.value_check import ValueCheck
from bestfirst.games.domain import GameDomain
from bestfirst.games.game import Game, Position, check_game, final_value

FAULTS_SHOWN = 10
LEAST_GAMES_FOR_A_NOTE = 5
MOST_PLIES_PLAYED = 1000
LONG_GAMES, MOST_PLIES_OF_LONG_GAMES = 3, 300
STATES_SOLVED = 20
"""For each position that is looked at, so many states at most are solved."""

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
    Then late positions of these games, and of others that are as long as can be, are solved by plain minimax: what key, symmetries,
    winning_moves, losing_moves and is_over_unwon say must agree with the values, and so must searches that rely on them.
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
        self._games: list[list[Position]] = []  # that have come to their end
        self._won_by_side_to_move = self._lost_by_side_to_move = 0

    def check(self) -> GameCheck:
        game, report = self._game, self._report
        needed = ("initial", "State") if isinstance(game, GameDomain) else ("initial",)
        report.faults += [f"{name} is missing; {MISSING[name]}" for name in needed if not hasattr(game, name)]
        while report.ok and report.states < self._most:
            report.games += 1
            if not self._play_a_game():
                break
        if report.ok:
            report.faults += ValueCheck(game, self._most * STATES_SOLVED).faults(self._games + self._long_games())
        domain = game.domain() if report.ok else None
        if domain is not None:
            report.faults += _faults_of_compiled_code(domain, self._met)
        self._note_the_winners()
        return report

    def _play_a_game(self) -> bool:
        """Look at each position of a random game; whether it came to its end."""
        game, report = self._game, self._report
        state, played = game.initial, list[Position]()
        for _ in range(MOST_PLIES_PLAYED + 1):
            report.states += 1
            played.append(state)
            self._met.append(state)
            try:
                self._look_at(state)
                if not report.ok:
                    return False
                if game.is_over(state):
                    self._count(final_value(game, state, 0))
                    self._games.append(played)
                    return True
                state = game.play(state, self._chance.choice(list(game.moves(state))))
            except BestfirstError as error:
                report.faults.append(str(error))
                return False
            except Exception as error:
                report.faults.append(raised(game, state, error))
                return False
        report.notes.append(f"a random game was not over after {MOST_PLIES_PLAYED} plies; a search needs a limit")
        return False

    def _long_games(self) -> list[list[Position]]:
        """Games in which no move ends the game that need not: they lead to full boards, and to draws."""
        game, chance, games = self._game, random.Random(self._report.states), []
        for _ in range(LONG_GAMES):
            state, played = game.initial, list[Position]()
            try:
                while len(played) < MOST_PLIES_OF_LONG_GAMES:
                    played.append(state)
                    if game.is_over(state):
                        games.append(played)
                        break
                    moves = list(game.moves(state))
                    chance.shuffle(moves)
                    following = [game.play(state, move) for move in moves]
                    state = next((child for child in following if not game.is_over(child)), following[0])
            except Exception as error:
                self._report.faults.append(str(error) if isinstance(error, BestfirstError) else raised(game, state, error))
                break
        return games

    def _look_at(self, state: Position) -> None:
        """Report the first fault of each kind."""
        kinds = set()
        for kind, fault in faults_of_position(self._game, state):
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


def _faults_of_compiled_code(game: GameDomain, met: list[Position]) -> list[str]:
    """The first difference between the two engines in each position."""
    from bestfirst.compiled.compiler.game_probe import CompiledMembers  # noqa: PLC0415  (it imports NumPy)

    members = CompiledMembers(game)
    return [
        f"in position {game.format(state)!r} {found}" for state in met for found in islice(members.differences(state), 1)
    ]

"""Tests the rules of a game on random games, before a search relies on them."""

from __future__ import annotations

import random
from dataclasses import dataclass, field

from bestfirst.claims import without_broken
from bestfirst.errors import BestfirstError, WordOverflowError, counted
from bestfirst.games.checking.position_check import faults_of_position, raised
from bestfirst.games.checking.value_check import ValueCheck
from bestfirst.games.domain import GameDomain
from bestfirst.games.game import Game, Position, check_game, final_value
from bestfirst.written import text_of

FAULTS_SHOWN = 10
LEAST_GAMES_FOR_A_NOTE = 5
MOST_PLIES_PLAYED = 1000
LONG_GAMES, MOST_PLIES_OF_LONG_GAMES = 3, 300
STATES_SOLVED = 20
"""The maximum number of states solved for each position examined."""

MISSING = {"initial": "set it to the start state", "State": "define it as a NamedTuple of ints"}
"""The remedy for a missing attribute."""


@dataclass
class GameCheck:
    """The results of a check of a game.

    faults: violations of the contract of Game, one sentence each, the first of each kind with its position.
    notes: remarks that are not faults. games, states: the numbers examined.
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
        head = f"{self.game}: {verdict} in {counted(self.states, 'position')} of {counted(self.games, 'random game')}."
        lines = [f"  fault: {fault}" for fault in self.faults[:FAULTS_SHOWN]] + [f"  note: {note}" for note in self.notes]
        return "\n".join([head, *lines])


def check_rules(game: Game, *, states: int = 200, seed: int = 0) -> GameCheck:
    """Play random games until this number of positions has been examined, and check each position.

    No member may raise an error. Positions and moves are hashable, and play does not change them. A position that is not over
    has legal moves, without duplicates. Scores and estimates are ints within their range. The sides take turns, or
    side_to_move is right. If mover_never_loses is declared, no move loses immediately. Noisy moves are legal, and they are
    all the legal moves if they are forced. Mirror images have the same number of moves. parse reads what format writes. In a
    GameDomain, states and sets of moves consist of 64-bit ints.
    Then late positions of these games, and of games made as long as possible, are solved by plain minimax. key, symmetries,
    winning_moves, losing_moves and is_over_unwon must agree with the values, and so must searches that rely on them.
    A note is made if the side to move at the end wins every game: usually score is written for the wrong side.
    Raises InputError for a value that is not a Game, CompileError for a GameDomain that cannot be compiled.
    """
    check_game(game)
    return _Checker(without_broken(game), states, seed).check()


class _Checker:
    """A running check: the positions reached so far, and the results of the games."""

    def __init__(self, game: Game, states: int, seed: int) -> None:
        self._game, self._most = game, states
        self._report = GameCheck(game.name())
        self._chance = random.Random(seed)
        self._met: list[Position] = []
        self._games: list[list[Position]] = []  # finished games
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
        """Examine each position of a random game; return whether the game ended."""
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
        """Games whose moves avoid the end as long as possible: they lead to full boards and to draws."""
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
                f"in each of the {won} decided games, score says that the side to move at the end has won; "
                "score is RELATIVE TO THE SIDE TO MOVE: if the player who moved last has won, it must be -1"
            )


def _faults_of_compiled_code(game: GameDomain, met: list[Position]) -> list[str]:
    """The first difference between the two engines in each position."""
    from bestfirst.compiled.compiler.game_probe import CompiledMembers  # noqa: PLC0415  (it imports NumPy)

    members = CompiledMembers(game)
    faults = []
    for state in met:
        try:
            found = next(members.differences(state), None)
        except WordOverflowError as error:
            found = f"compiled code cannot compute the same value as Python: {error}"
        if found is not None:
            faults.append(f"in position {text_of(game, 'format', state)!r}, {found}")
    return faults

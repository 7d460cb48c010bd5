"""Compares the optional members of a game, on which searches rely, with late positions solved by plain minimax.

A wrong key, image, winning_moves or is_over_unwon shows in no single position, but makes searches prove wrong values.
"""

from __future__ import annotations

from collections.abc import Container, Iterator, Sequence

from bestfirst.errors import BestfirstError
from bestfirst.games.analysis import analyse
from bestfirst.games.checking.position_check import raised, written
from bestfirst.games.contract import listed_moves
from bestfirst.games.domain import PASS, GameDomain
from bestfirst.games.engine.settings import Settings
from bestfirst.games.game import Game, Move, Position, final_value
from bestfirst.games.limits import GameLimits
from bestfirst.games.score import INFINITY, WIN, Score, in_plies_from_root
from bestfirst.words import words_of

MOST_PLIES = 60
"""The greatest depth of a position that is solved."""
MOST_MIRRORED = 500
"""The number of evenly spread states whose images are solved too, which takes time."""
SEARCHED = 5
"""The number of positions that are searched too."""
MOST_NODES = 10_000
"""The node limit of each of these searches."""

RELYING: dict[str, tuple[str, Settings, str]] = {
    "key": ("the transposition table", Settings.plain(table="1MB"), "key must distinguish states of different value"),
    "symmetries": (
        "mirror images in one entry of the table",
        Settings.plain(table="1MB", symmetries=True),
        "a position and its images must have the same value",
    ),
    "winning_moves": ("foresight", Settings.plain(foresight=True), "winning_moves or losing_moves is wrong"),
    "mover_never_loses": ("win_distance", Settings.plain(win_distance=True), "mover_never_loses may be wrong"),
}
"""For each member, a technique that relies on it, settings with this technique alone, and the fault if it changes a
value."""


class TooLargeError(Exception):
    """A position cannot be solved, because it has too many states below it, or because it can recur."""


class ExactValues:
    """Values of states relative to the side to move, by minimax that relies on the rules alone.

    values: the values of all states met, with the plies of a win or loss counted from the state. most: their maximum number.
    """

    def __init__(self, game: Game, most: int) -> None:
        self.values: dict[Position, int] = {}
        self._game, self.most = game, most
        self._path: set[Position] = set()

    def of(self, state: Position, ply: int = 0) -> int:
        """The value of a state. Raises TooLargeError, and the errors of the rules."""
        known = self.values.get(state)
        if known is not None:
            return known
        game = self._game
        if game.is_over(state):
            value = final_value(game, state, 0)
        else:
            if ply > MOST_PLIES or state in self._path or len(self.values) + len(self._path) >= self.most:
                raise TooLargeError
            self._path.add(state)
            try:
                value = max((self._of_move(state, move, ply) for move in game.legal_moves(state)), default=-INFINITY)
            finally:
                self._path.discard(state)
        self.values[state] = value
        return value

    def of_move(self, state: Position, move: Move) -> int:
        """The value of a move for the side that makes it, with the plies of a win or loss counted from before the move."""
        return self._of_move(state, move, 0)

    def _of_move(self, state: Position, move: Move, ply: int) -> int:
        child = self._game.play(state, move)
        value = in_plies_from_root(self.of(child, ply + 1), 1)
        return value if self._game.moves_again(state, child) else -value


class ValueCheck:
    """A check of the members that concern values. most: the maximum number of solved states."""

    def __init__(self, game: Game, most: int) -> None:
        self._game, self._exact = game, ExactValues(game, most)
        self._most = most
        self._solved: list[Position] = []
        self._by_key: dict[object, Position] = {}

    def faults(self, games: Sequence[Sequence[Position]]) -> list[str]:
        """The faults, one sentence for each member. games: the positions of finished games."""
        game, found = self._game, dict[str, str]()
        state: Position = None
        try:
            self._solve(games)
            states = list(self._exact.values)
            every = 1 + len(states) // MOST_MIRRORED
            for number, state in enumerate(states):
                for member, fault in self._faults(state, is_mirrored=number % every == 0):
                    found.setdefault(member, fault)
            for state in self._solved[:SEARCHED]:
                for member, fault in self.faults_of_searches(state, found):
                    found.setdefault(member, fault)
        except BestfirstError as error:
            found.setdefault("", str(error))
        except Exception as error:
            found.setdefault("", raised(game, state, error))
        return list(found.values())

    def _solve(self, games: Sequence[Sequence[Position]]) -> None:
        """Solve positions backwards from the ends of games, long games first, each with an equal share of the states."""
        for number, positions in enumerate(reversed(games), start=1):
            self._exact.most = self._most * number // len(games)
            for state in reversed(positions):
                try:
                    self._exact.of(state)
                except TooLargeError:
                    break
                last = state
            if not self._game.is_over(last):
                self._solved.append(last)

    def _faults(self, state: Position, *, is_mirrored: bool) -> Iterator[tuple[str, str]]:
        """The faults of a solved state: (member, sentence)."""
        yield from self._faults_of_key(state)
        if is_mirrored:
            yield from self._faults_of_images(state)
        if not self._game.counts_points and not self._game.is_over(state):
            yield from self._faults_of_foresight(state)

    def _faults_of_key(self, state: Position) -> Iterator[tuple[str, str]]:
        """Two states with one key, but with different values or different effects of the same move."""
        game = self._game
        key = game.key(state)
        if isinstance(game, GameDomain):
            key = words_of(key)
        other = self._by_key.setdefault(key, state)
        if other == state:
            return
        both = f"positions {written(game, other)} and {written(game, state)} have the same key"
        worths = [self._exact.values[position] for position in (other, state)]
        if worths[0] != worths[1]:
            yield (
                "key",
                f"{both} but different values, {_told(worths[0])} and {_told(worths[1])}; key must distinguish them",
            )
        elif not game.key_merges and self._after(state) != self._after(other):
            yield "key", f"{both}, but the same move has different effects; set key_merges = True"

    def _after(self, state: Position) -> dict[Move, object]:
        """The key of the successor, by move."""
        return {move: self._game.key(self._game.play(state, move)) for move in self._game.legal_moves(state)}

    def _faults_of_images(self, state: Position) -> Iterator[tuple[str, str]]:
        game, worth = self._game, self._exact.values[state]
        for image in game.symmetries(state):
            try:
                other = self._exact.of(image)
            except TooLargeError:
                continue
            if other != worth:
                member = "image" if isinstance(game, GameDomain) else "symmetries"
                yield (
                    "symmetries",
                    f"in position {written(game, state)}, whose value is {_told(worth)}, {member} returns "
                    f"{written(game, image)}, whose value is {_told(other)}",
                )

    def _faults_of_foresight(self, state: Position) -> Iterator[tuple[str, str]]:
        """Errors in winning_moves, losing_moves and is_over_unwon."""
        game = self._game
        moves = game.legal_moves(state)
        children = {move: game.play(state, move) for move in moves}
        worths = {move: self._exact.of_move(state, move) for move in moves}
        if game.mover_never_loses and 1 - WIN in worths.values():
            yield (
                "mover_never_loses",
                f"in position {written(game, state)}, a move loses immediately; set mover_never_loses = False",
            )
        if not game.defines("winning_moves"):
            return
        asked = [move for move in moves if not (isinstance(game, GameDomain) and move == PASS)]
        winning = [move for move in asked if worths[move] == WIN - 1]
        yield from self._difference(state, "winning_moves", winning)
        if winning:
            return
        if isinstance(game, GameDomain):
            for child in children.values():
                if game.is_over_unwon(child) != game.is_over(child):
                    yield (
                        "is_over_unwon",
                        f"in position {written(game, child)}, in which the last move has not won, is_over_unwon returns "
                        f"{game.is_over_unwon(child)!r}, but is_over returns {game.is_over(child)!r}",
                    )
        if game.defines("losing_moves"):
            losing = [
                move
                for move in moves
                if not game.moves_again(state, children[move])
                and worths[move] == 2 - WIN
                and not self._is_won_by_a_pass(children[move])
            ]
            yield from self._difference(state, "losing_moves", losing)

    def _is_won_by_a_pass(self, state: Position) -> bool:
        """Whether the other side wins by a pass, which winning_moves ignores."""
        return isinstance(self._game, GameDomain) and self._game.legal_moves(state) == [PASS]

    def _difference(self, state: Position, member: str, right: list[Move]) -> Iterator[tuple[str, str]]:
        where = f"in position {written(self._game, state)},"
        said = listed_moves(self._game, member, state, where)
        if set(said) != set(right):
            yield member, f"{where} {member} returns {said!r}, but minimax finds {right!r}"

    def faults_of_searches(self, state: Position, found: Container[str] = ()) -> Iterator[tuple[str, str]]:
        """Techniques that change the value of a position, except those that rely on a member with a known fault."""
        worth = self._exact.values[state]
        for member, (technique, settings, wrong) in RELYING.items():
            if member in found or (member != "key" and not (self._game.defines(member) or member == "mover_never_loses")):
                continue
            limits = GameLimits(nodes=MOST_NODES)
            searched = analyse(self._game, state, lines=1, settings=settings, limits=limits, engine="python").run()
            if searched.solved and searched.score.value != worth:
                yield (
                    member,
                    f"in position {written(self._game, state)}, a search with {technique} finds {searched.score}, but plain "
                    f"minimax {_told(worth)}; {wrong}",
                )


def _told(value: int) -> str:
    return str(Score(value))

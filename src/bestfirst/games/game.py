"""Game: the rules of a two-player game, for every search algorithm."""

from __future__ import annotations

import operator
import re
from collections.abc import Callable, Hashable, Iterable, Sequence
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, ClassVar, TypeAlias

from bestfirst.arguments import check_no_method
from bestfirst.claims import Claims
from bestfirst.errors import IllegalMoveError, InputError, ProblemError, ScoreError, UnknownNameError, shown
from bestfirst.games.engine.settings import Settings
from bestfirst.games.notation import as_word, named, words_of
from bestfirst.games.score import MOST_PLIES, MOST_POINTS, WIN
from bestfirst.lost_claims import method_on_object
from bestfirst.vocabulary import Vocabulary
from bestfirst.written import text_of

if TYPE_CHECKING:
    from bestfirst.games.domain import GameDomain

Position: TypeAlias = Any
Move: TypeAlias = Any


_VOCABULARY = Vocabulary(
    guarded=frozenset({"domain", "mover_never_loses", "noisy_is_forced", "key_merges"}),
    asked=frozenset(),
    cleared=frozenset(
        {
            "winning_moves",
            "losing_moves",
            "noisy_moves",
            "winning",
            "losing",
            "noisy",
            "is_over_unwon",
            "null",
            "key",
            "identity",
            "symmetries",
            "image",
        }
    ),
    shown=frozenset(
        {
            "evaluate",
            "order",
            "sides",
            "label",
            "format",
            "draw",
            "picture",
            "format_move",
            "why_illegal",
            "split",
            "parse",
            "parse_move",
            "side_name",
            "illegal",
            "from_options",
            "name",
            "fixed",
            "unchecked",
            "frozen_arrays",
        }
    ),
    roots=frozenset({"legal", "moves", "play", "is_over", "score", "side_to_move", "outcomes"})
    | {"alternates", "counts_points", "can_pass"},
)


def _domain_of(game: Game, of_class: Any, holds_for_all: bool) -> Callable[[], GameDomain | None]:
    """domain(): if rules have been overridden, only the game itself, whose class has the methods that are compiled."""

    def domain() -> GameDomain | None:
        found: GameDomain | None = of_class()
        is_its_own = found is game and method_on_object(game) is None
        return found if is_its_own or (found is not game and holds_for_all) else None

    return domain


class Game(Claims):
    """A two-player zero-sum game with perfect information. Five members suffice:

        class Sticks(Game):                          # take 1 to 3 sticks; the player who takes the last one wins
            initial = 21
            def moves(self, state): return range(1, min(3, state) + 1)
            def play(self, state, move): return state - move
            def is_over(self, state): return state == 0
            def score(self, state): return -1        # RELATIVE TO THE SIDE TO MOVE: the other one took the last stick

    SCORES ARE RELATIVE TO THE SIDE TO MOVE. In most games the side to move at the end is the one that has just been
    beaten, so score(state) is -1 there and never 1. evaluate(state) is relative to the side to move too.

    States and moves must be hashable and are never changed in place. A state must determine all that can follow, including
    the side to move. Moves are tried in the order of moves(state), unless a switch of the search says otherwise.

    The members after score are optional: they make searches stronger or their output clearer. A subclass that overrides a
    rule, such as is_over, must redefine those that depend on it (see claims.py); evaluate and order are kept.
    """

    _vocabulary = _VOCABULARY
    _is_root = True
    _adjusted = MappingProxyType({"domain": _domain_of})
    _settles = False

    initial: Any

    alternates: ClassVar[bool] = True
    """Whether the sides always take turns. If False, a side can move twice, and side_to_move must say who moves."""

    counts_points: ClassVar[bool] = False
    """False: only the sign of score matters, and a quick win is better. True: score is a margin, and only the margin
    matters."""

    has_chance: ClassVar[bool] = False
    """Whether the game has dice, as a ChanceGame has; only expectiminimax can search such a game."""

    mover_never_loses: bool = False
    """Whether no move immediately loses the game for its own side, as in most games: score is then never > 0 if the sides
    take turns. True lets the switches `foresight` and `win_distance` prune more."""

    key_merges: ClassVar[bool] = False
    """Whether key is equal for some states in which the same move has different effects, such as permuted heaps of Nim. A
    move from the table may then belong to another state, and is not used in lines of play."""

    noisy_is_forced: ClassVar[bool] = False
    """Whether a side with noisy moves must play one of them, as with compulsory captures."""

    orders: ClassVar[tuple[str, ...]] = ()
    """The names of the game's move orders, if it has several; ordered_by(name) selects one for a search."""

    sides: ClassVar[tuple[str, str]] = ("first", "second")
    """The names of the side that moves first and of the other side."""

    def moves(self, state: Position) -> Iterable[Move]:
        """The legal moves in a state that is not over, at least one (a pass is a move)."""
        raise NotImplementedError(f"{type(self).__name__} must define moves(state)")

    def play(self, state: Position, move: Move) -> Position:
        """The state after a legal move."""
        raise NotImplementedError(f"{type(self).__name__} must define play(state, move)")

    def is_over(self, state: Position) -> bool:
        """Whether the game is over in a state."""
        raise NotImplementedError(f"{type(self).__name__} must define is_over(state)")

    def score(self, state: Position) -> int:
        """The result of a finished game, RELATIVE TO THE SIDE TO MOVE: > 0 if it has won, 0 for a draw, < 0 for a loss."""
        raise NotImplementedError(f"{type(self).__name__} must define score(state)")

    def evaluate(self, state: Position) -> int:
        """An estimate of the value RELATIVE TO THE SIDE TO MOVE, for a search that stops before the end; 0 if unknown."""
        del state
        return 0

    def side_to_move(self, state: Position) -> int | None:
        """0 if the side that moves first in the game is to move, 1 for the other side; None if the game does not say."""
        del state
        return None

    def order(self, state: Position, move: Move) -> int:
        """How promising a move looks before it is searched, as an int; the greatest is tried first."""
        del state, move
        return 0

    def ordered_by(self, name: str) -> Game:
        """The same game with a named order as order(state, move), for Settings(static_order=name).

        Raises UnknownNameError for an unknown order, InputError if the game has no named orders.
        """
        if not self.orders:
            raise InputError(f"static_order is {name!r}, but {self.name()} has no named move orders; use True or False")
        raise UnknownNameError(f"move order of {self.name()}", name, self.orders)

    def default_settings(self, **switches: Any) -> Settings:
        """The settings that suit this game best, unless the caller passes others. switches: see Settings."""
        return Settings(**switches)

    def solver_settings(self, **switches: Any) -> Settings:
        """The settings that solve this game fastest, named `solver` in strings. switches: see Settings."""
        return Settings.solver(**switches)

    def noisy_moves(self, state: Position) -> Iterable[Move]:
        """The moves that may change the evaluation abruptly, such as captures; the game is not over."""
        del state
        return ()

    def winning_moves(self, state: Position) -> Iterable[Move]:
        """All moves that win immediately; the game is not over. For the switch `foresight`, with losing_moves."""
        del state
        return ()

    def losing_moves(self, state: Position) -> Iterable[Move]:
        """All moves after which the other side can win immediately, in a state without a winning move.

        `foresight` uses them only if mover_never_loses is set, and drops them in favour of moves that lose later or not at
        all.
        """
        del state
        return ()

    def null(self, state: Position) -> Position | None:
        """The state after a pass, for null-move pruning; None if a pass makes no sense."""
        del state
        return None

    def key(self, state: Position) -> Hashable:
        """The key of a state in a transposition table. Only states of equal value to the side to move may share a key.

        Equal moves in states with equal keys must lead to states with equal keys; otherwise set key_merges = True.
        """
        return state  # type: ignore[no-any-return]

    def symmetries(self, state: Position) -> Iterable[Position]:
        """The mirror images of a state, which have the same value."""
        del state
        return ()

    def domain(self) -> GameDomain | None:
        """The game itself if it can be compiled (a GameDomain), otherwise None."""
        return None

    def label(self, state: Position) -> str:
        """A short form of a state, for example in a search tree."""
        return self.format(state)

    def format(self, state: Position) -> str:
        """A state on one line, in the notation that parse reads."""
        return str(state)

    def draw(self, state: Position) -> str:
        """A drawing of a state for people, on one or more lines."""
        return self.format(state)

    def picture(self, state: Position) -> str | None:  # noqa: ARG002
        """A state as an SVG document, which is shown in place of the drawing; None if it has no such picture.

        See Problem.picture.
        """
        return None

    def format_move(self, state: Position, move: Move) -> str:
        """A legal move on one line."""
        del state
        return str(move)

    def why_illegal(self, state: Position, text: str) -> str | None:
        """Why the move named by a string is illegal, such as "captures are compulsory"; None if the game does not say."""
        del state, text
        return None

    def split(self, text: str) -> list[str]:
        """The moves of a written game, as strings. A move with spaces is in brackets or in quotes."""
        return words_of(text)

    def parse(self, text: str) -> Position:
        """The state after the moves in a string, from the start of the game. Games with a board notation read that too.

        Raises IllegalMoveError, an InputError, for an illegal move.
        """
        state = self.initial
        for word in self.split(text):
            state = self.play(state, self.parse_move(state, word))
        return state

    def parse_move(self, state: Position, text: str) -> Move:
        """The legal move that a string names; raises IllegalMoveError if there is no such move."""
        legal = self.legal_moves(state)
        place = named(text.strip(), [self.format_move(state, move) for move in legal])
        if place is not None:
            return legal[place]
        raise self.illegal(state, text.strip())

    def legal_moves(self, state: Position) -> list[Move]:
        """The legal moves of any state, [] if the game is over. Raises ProblemError if an unfinished game has no moves."""
        if self.is_over(state):
            return []
        moves = list(self.moves(state))
        if not moves and not self.has_chance:
            raise no_moves(self, state)
        return moves

    def play_legal(self, state: Position, move: Move) -> Position:
        """The state after a move; raises IllegalMoveError if it is illegal."""
        if move not in self.legal_moves(state):
            raise self.illegal(state, move)
        return self.play(state, move)

    def illegal(self, state: Position, move: object) -> IllegalMoveError:
        """The error for an illegal move."""
        legal = [as_word(self.format_move(state, other)) for other in self.legal_moves(state)]
        return IllegalMoveError(move, self.format(state), legal, self.why_illegal(state, str(move)))

    def side_name(self, state: Position) -> str | None:
        """The name of the side to move; None if the game does not say who moves."""
        side = self.side_to_move(state)
        return None if side is None else self.sides[side]

    def moves_again(self, state: Position, following: Position) -> bool:
        """Whether the side that moved from a state to the following one moves again."""
        return not self.alternates and self.side_to_move(state) == self.side_to_move(following)

    def defines(self, member: str) -> bool:
        """Whether the game defines an optional member, such as order."""
        return getattr(type(self), member) is not getattr(Game, member)

    @classmethod
    def from_options(cls) -> Game:
        """For the command line: a game from its options, the keyword-only parameters of this method, given as strings."""
        return cls()

    @classmethod
    def name(cls) -> str:
        """The game's name on the command line: ConnectFour -> connect-four."""
        return re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "-", cls.__name__).lower()

    def __repr__(self) -> str:
        return f"{type(self).__name__}()"


def final_value(game: Game, state: Position, ply: int) -> int:
    """The value, relative to the side to move, of a game that is over `ply` plies below the root.

    Raises ScoreError for a score that is not an int, or too large for points.
    """
    score = game.score(state)
    if score.__class__ is not int:
        score = _as_worth(game, "score", state, score)
    if game.counts_points:
        return score if -MOST_POINTS <= score <= MOST_POINTS else _too_large(game, "score", state, score)
    return 0 if score == 0 else WIN - ply if score > 0 else ply - WIN


def estimated_value(game: Game, state: Position) -> int:
    """The game's own estimate, relative to the side to move. Raises ScoreError unless it is an int within the range."""
    value = game.evaluate(state)
    if value.__class__ is not int:
        value = _as_worth(game, "evaluate", state, value)
    return value if -MOST_POINTS <= value <= MOST_POINTS else _too_large(game, "evaluate", state, value)


def game_order(game: Game, state: Position, move: Move) -> int:
    """The game's order value of a move. Raises ScoreError unless it is an int within the range."""
    value = game.order(state, move)
    if value.__class__ is not int:
        value = _as_int(game, "order", state, value)
    return value if -MOST_POINTS <= value <= MOST_POINTS else _too_large(game, "order", state, value)


def _as_worth(game: Game, member: str, state: Position, value: object) -> int:
    """The value of a state as an int. Bools are refused: `winner == side` cannot tell a draw from a loss."""
    if isinstance(value, bool):
        raise ScoreError(
            member, text_of(game, "format", state), value, "it must be an int, relative to the side to move: 1, 0 or -1"
        )
    return _as_int(game, member, state, value)


def _as_int(game: Game, member: str, state: Position, value: object) -> int:
    try:
        return operator.index(value)  # type: ignore[arg-type]
    except TypeError:
        raise ScoreError(
            member,
            text_of(game, "format", state),
            value,
            "it must be an int (round() returns one), relative to the side to move",
        ) from None


def _too_large(game: Game, member: str, state: Position, value: int) -> int:
    raise ScoreError(member, text_of(game, "format", state), value, f"it must be from {-MOST_POINTS} to {MOST_POINTS}")


def no_moves(game: Game, state: Position) -> ProblemError:
    """The error for an unfinished game without a legal move."""
    return ProblemError(
        f"moves is empty in position {text_of(game, 'format', state)!r}, but the game is not over; "
        "return True from is_over, or add a move that passes"
    )


def line_too_long(game: Game, state: Position) -> ProblemError:
    """The error for a line of play that is longer than a search can be deep."""
    return ProblemError(
        f"a line of play has more than {MOST_PLIES} plies, and goes on in position {text_of(game, 'format', state)!r}; "
        "return no noisy moves that form a cycle, or search with Settings(quiescence=False)"
    )


def check_game(game: object) -> None:
    """Raise InputError for a value that is not a valid Game, and for a game with chance, which needs expectiminimax."""
    from bestfirst.games import domain  # noqa: PLC0415  (it imports this module)
    from bestfirst.problem import Problem  # noqa: PLC0415  (only to say what to call)

    if isinstance(game, Problem):
        raise InputError(f"game is {game!r}; it is a Problem; use bf.solve")
    if not isinstance(game, Game):
        hint = f"; pass an instance: {game.__name__}()" if isinstance(game, type) and issubclass(game, Game) else ""
        raise InputError(f"game is {game!r}; it must be a Game{hint}")
    sides: object = game.sides
    if not (isinstance(sides, Sequence) and len(sides) == 2 and all(isinstance(side, str) for side in sides)):
        raise InputError(
            f"{type(game).__name__}.sides is {sides!r}; set it to the names of both sides, such as ('white', 'black')"
        )
    if game.has_chance:
        raise InputError(f"{game!r} is a game with chance; use expectiminimax")
    if not game.alternates and type(game).side_to_move is Game.side_to_move:
        raise InputError(
            f"{game.name()} has alternates = False but no side_to_move(state); define side_to_move to return 0 or 1"
        )
    if isinstance(game, domain.GameDomain):
        domain.check_form(game)


def check_initial(game: Game) -> None:
    """Raise InputError for a game without a start state."""
    if not hasattr(game, "initial"):
        raise InputError(f"{game.name()} has no start position; set initial on the class or in __init__")
    check_no_method(game.name(), "initial", game.initial, "the start position")


def read_size(
    text: str | Sequence[int], what: str = "board", form: str = "width x height, such as 7x6 or (7, 6)"
) -> tuple[int, int]:
    """Two numbers, such as (width, height), from "7x6" or a pair of ints; raises InputError for anything else."""
    if isinstance(text, str):
        match = re.fullmatch(r"\s*(\d{1,3})\s*[xX]\s*(\d{1,3})\s*", text)
        pair: Sequence[int] = (int(match[1]), int(match[2])) if match else ()
    else:
        pair = tuple(text)
    if len(pair) != 2 or not all(isinstance(side, int) and side >= 1 for side in pair):
        raise InputError(f"{what} is {shown(text)}; write {form}")
    return pair[0], pair[1]

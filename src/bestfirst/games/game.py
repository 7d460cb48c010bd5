"""Game: the rules of a game for two, stated once and searched by every algorithm."""

from __future__ import annotations

import operator
import re
from collections.abc import Callable, Hashable, Iterable, Sequence
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, ClassVar, TypeAlias

from bestfirst.claims import Claims, Vocabulary, method_on_object
from bestfirst.errors import IllegalMoveError, InputError, ProblemError, ScoreError, UnknownNameError
from bestfirst.games.engine.settings import Settings
from bestfirst.games.score import MOST_POINTS, WIN

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
        }
    ),
    roots=frozenset({"legal", "moves", "play", "is_over", "score", "side_to_move", "outcomes"})
    | {"alternates", "counts_points", "can_pass"},
)


def _domain_of(game: Game, of_class: Any, holds_for_all: bool) -> Callable[[], GameDomain | None]:
    """domain(): where rules have been replaced, only the game itself, whose class has the methods that are compiled."""

    def domain() -> GameDomain | None:
        found: GameDomain | None = of_class()
        is_its_own = found is game and method_on_object(game) is None
        return found if is_its_own or (found is not game and holds_for_all) else None

    return domain


class Game(Claims):
    """A game of two players with perfect information, in which one side wins what the other loses. Five members are enough:

        class Sticks(Game):                          # take 1 to 3 sticks; whoever takes the last one wins
            initial = 21
            def moves(self, state): return range(1, min(3, state) + 1)
            def play(self, state, move): return state - move
            def is_over(self, state): return state == 0
            def score(self, state): return -1        # FOR THE SIDE TO MOVE: the other one took the last stick

    SCORES ARE FOR THE SIDE TO MOVE. In most games the side that is to move when the game is over is the one that has just
    been beaten, so score(state) is -1 there and never 1. The same holds for evaluate(state).

    States and moves are hashable values and are never changed in place. A state says all that matters for what can follow
    (so the side to move can be told from it). The order of moves(state) is the order in which they are tried, unless a switch
    of the search says otherwise.

    The members after score are optional: they make searches stronger or their output clearer. A subclass that replaces a rule, such
    as is_over, has to define anew those that hold for it too (see claims.py); evaluate and order stay.
    """

    _vocabulary = _VOCABULARY
    _is_root = True
    _adjusted = MappingProxyType({"domain": _domain_of})

    initial: Any

    alternates: ClassVar[bool] = True
    """Whether the sides always take turns. Say False where a side can move twice; side_to_move must then tell who moves."""

    counts_points: ClassVar[bool] = False
    """False: score says who won (> 0, 0, < 0), and a quick win is better. True: it says by how much, and only that counts."""

    has_chance: ClassVar[bool] = False
    """Whether dice are thrown, as in a ChanceGame; only expectiminimax can search such a game."""

    mover_never_loses: bool = False
    """Whether no move loses the game at once for the side that makes it, as in most games: score is then never > 0 where the
    sides take turns. Say True, and the switches `foresight` and `win_distance` can do more."""

    key_merges: ClassVar[bool] = False
    """Whether key is the same for some states in which the same move does not do the same, as for the heaps of Nim in another
    order. Then a move that the table remembers may be another state's, and is not taken over into lines of play."""

    noisy_is_forced: ClassVar[bool] = False
    """Whether a side that has noisy moves must play one of them, as where captures are compulsory."""

    orders: ClassVar[tuple[str, ...]] = ()
    """The names of the orders of moves that the game has, where there are several; ordered_by(name) gives them to a search."""

    sides: ClassVar[tuple[str, str]] = ("first", "second")
    """What the side that moves first and the other one are called."""

    def moves(self, state: Position) -> Iterable[Move]:
        """The legal moves in a state where the game is not over; there is always one (a pass is a move too)."""
        raise NotImplementedError(f"{type(self).__name__} must define moves(state)")

    def play(self, state: Position, move: Move) -> Position:
        """The state after a legal move."""
        raise NotImplementedError(f"{type(self).__name__} must define play(state, move)")

    def is_over(self, state: Position) -> bool:
        """Whether the game is over in a state."""
        raise NotImplementedError(f"{type(self).__name__} must define is_over(state)")

    def score(self, state: Position) -> int:
        """The result of a game that is over, FOR THE SIDE TO MOVE: > 0 if it has won, 0 for a draw, < 0 if it has lost."""
        raise NotImplementedError(f"{type(self).__name__} must define score(state)")

    def evaluate(self, state: Position) -> int:
        """An estimate of what a state is worth FOR THE SIDE TO MOVE, where a search must stop before the end; 0 if unknown."""
        del state
        return 0

    def side_to_move(self, state: Position) -> int | None:
        """0 where the side that moves first is to move, 1 where the other is; None where the game does not say."""
        del state
        return None

    def order(self, state: Position, move: Move) -> int:
        """How promising a move looks before it is searched, an int like an estimate; the greatest is tried first."""
        del state, move
        return 0

    def ordered_by(self, name: str) -> Game:
        """The same game with another of its orders as order(state, move), for Settings(static_order=name).

        Raises UnknownNameError for an order that it does not have, InputError where it has none by name.
        """
        if not self.orders:
            raise InputError(
                f"the setting static_order is {name!r}, and {self.name()} has no orders by name; write True or False"
            )
        raise UnknownNameError(f"order of {self.name()}", name, self.orders)

    def solver_settings(self, **switches: Any) -> Settings:
        """What shows the end of this game soonest: the settings that the name `solver` means in texts. switches: see Settings."""
        return Settings.solver(**switches)

    def noisy_moves(self, state: Position) -> Iterable[Move]:
        """The moves that may change the evaluation at a stroke, such as captures; the game is not over."""
        del state
        return ()

    def winning_moves(self, state: Position) -> Iterable[Move]:
        """The moves that win at once, all of them; the game is not over. For the switch `foresight`, with losing_moves."""
        del state
        return ()

    def losing_moves(self, state: Position) -> Iterable[Move]:
        """The moves after which the other side can win at once, all of them, where there is no winning move.

        `foresight` looks at them where mover_never_loses, as it leaves them out for moves that lose later, or not at all.
        """
        del state
        return ()

    def null(self, state: Position) -> Position | None:
        """The state if the side to move could pass, for the null-move pruning; None where that makes no sense."""
        del state
        return None

    def key(self, state: Position) -> Hashable:
        """What tells states apart in a transposition table; the same only for states worth the same to the side to move.

        States that have the same key have the same moves, which lead to states that have the same key; or say key_merges = True.
        """
        return state  # type: ignore[no-any-return]

    def symmetries(self, state: Position) -> Iterable[Position]:
        """States that are worth the same as a state because they are its mirror images."""
        del state
        return ()

    def domain(self) -> GameDomain | None:
        """The game itself where it can be compiled, otherwise None; a GameDomain can."""
        return None

    def label(self, state: Position) -> str:
        """A state where room is scarce, such as in a search tree."""
        return self.format(state)

    def format(self, state: Position) -> str:
        """A state on one line, in a notation that parse reads."""
        return str(state)

    def draw(self, state: Position) -> str:
        """A state as a person wants to see it, on one line or several."""
        return self.format(state)

    def format_move(self, state: Position, move: Move) -> str:
        """A legal move on one line."""
        del state
        return str(move)

    def why_illegal(self, state: Position, text: str) -> str | None:
        """Why what a text names is no legal move, such as "whoever can take must"; None where the game does not say."""
        del state, text
        return None

    def split(self, text: str) -> list[str]:
        """The moves of a game that is written down, as texts."""
        return text.replace(",", " ").split()

    def parse(self, text: str) -> Position:
        """The state after the moves in a text, from the start of the game; games with a notation for boards read that too.

        Raises IllegalMoveError, an InputError, for a move that cannot be played.
        """
        state = self.initial
        for word in self.split(text):
            state = self.play(state, self.parse_move(state, word))
        return state

    def parse_move(self, state: Position, text: str) -> Move:
        """The legal move that a text names; raises IllegalMoveError where none is called that."""
        wanted = text.strip().lower()
        for move in self.legal_moves(state):
            if self.format_move(state, move).lower() == wanted:
                return move
        raise self.illegal(state, text.strip())

    def legal_moves(self, state: Position) -> list[Move]:
        """The legal moves of any state: none where the game is over. Raises ProblemError where there is none though it is not."""
        if self.is_over(state):
            return []
        moves = list(self.moves(state))
        if not moves and not self.has_chance:
            raise no_moves(self, state)
        return moves

    def play_legal(self, state: Position, move: Move) -> Position:
        """The state after a move; raises IllegalMoveError where it is not legal."""
        if move not in self.legal_moves(state):
            raise self.illegal(state, move)
        return self.play(state, move)

    def illegal(self, state: Position, move: object) -> IllegalMoveError:
        """The error for a move that is not legal in a state."""
        legal = [self.format_move(state, other) for other in self.legal_moves(state)]
        return IllegalMoveError(move, self.format(state), legal, self.why_illegal(state, str(move)))

    def side_name(self, state: Position) -> str | None:
        """What the side to move is called; None where the game does not say who moves."""
        side = self.side_to_move(state)
        return None if side is None else self.sides[side]

    def moves_again(self, state: Position, following: Position) -> bool:
        """Whether the side that moved from a state to the following one is to move there too."""
        return not self.alternates and self.side_to_move(state) == self.side_to_move(following)

    def defines(self, member: str) -> bool:
        """Whether the game has an optional member, such as order, of its own."""
        return getattr(type(self), member) is not getattr(Game, member)

    @classmethod
    def from_options(cls) -> Game:
        """For the command line: a game from its options, the keyword-only parameters of this, which are given as texts."""
        return cls()

    @classmethod
    def name(cls) -> str:
        """The game as it is called on the command line: ConnectFour -> connect-four."""
        return re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "-", cls.__name__).lower()

    def __repr__(self) -> str:
        return f"{type(self).__name__}()"


def final_value(game: Game, state: Position, ply: int) -> int:
    """The value, for the side to move, of a game that is over so many plies below the root.

    Raises ScoreError for a score that is no int, or too large for points.
    """
    score = game.score(state)
    if score.__class__ is not int:
        score = _as_worth(game, "score", state, score)
    if game.counts_points:
        return score if -MOST_POINTS <= score <= MOST_POINTS else _too_large(game, "score", state, score)
    return 0 if score == 0 else WIN - ply if score > 0 else ply - WIN


def estimated_value(game: Game, state: Position) -> int:
    """The game's own estimate for the side to move. Raises ScoreError for one that is no int, or too large."""
    value = game.evaluate(state)
    if value.__class__ is not int:
        value = _as_worth(game, "evaluate", state, value)
    return value if -MOST_POINTS <= value <= MOST_POINTS else _too_large(game, "evaluate", state, value)


def game_order(game: Game, state: Position, move: Move) -> int:
    """How promising the game says that a move looks. Raises ScoreError for what is no int, or too large."""
    value = game.order(state, move)
    if value.__class__ is not int:
        value = _as_int(game, "order", state, value)
    return value if -MOST_POINTS <= value <= MOST_POINTS else _too_large(game, "order", state, value)


def _as_worth(game: Game, member: str, state: Position, value: object) -> int:
    """An int that says what a state is worth; True and False do not: whoever writes `winner == side` forgets draws or losses."""
    if isinstance(value, bool):
        raise ScoreError(member, game.format(state), value, "it must be an int, for the side to move: 1, 0 or -1")
    return _as_int(game, member, state, value)


def _as_int(game: Game, member: str, state: Position, value: object) -> int:
    try:
        return operator.index(value)  # type: ignore[arg-type]
    except TypeError:
        raise ScoreError(
            member, game.format(state), value, "it must be an int, for the side to move (round() makes one)"
        ) from None


def _too_large(game: Game, member: str, state: Position, value: int) -> int:
    raise ScoreError(member, game.format(state), value, f"it must lie between {-MOST_POINTS} and {MOST_POINTS}")


def no_moves(game: Game, state: Position) -> ProblemError:
    """The error for a position where the game is not over, and yet there is no move."""
    return ProblemError(
        f"moves gives no move for position {game.format(state)!r}, where the game is not over; "
        "say so in is_over, or let the side pass by a move"
    )


def check_game(game: object) -> None:
    """Raise InputError for what is no game or states wrongly what it is, and for one with chance, which needs its own search."""
    from bestfirst.games import domain  # noqa: PLC0415  (it imports this module)

    if not isinstance(game, Game):
        hint = f"; give an instance: {game.__name__}()" if isinstance(game, type) and issubclass(game, Game) else ""
        raise InputError(f"game is {game!r}, which is no Game{hint}")
    if game.has_chance:
        raise InputError(f"{game!r} has chance in it; use expectiminimax")
    if not game.alternates and type(game).side_to_move is Game.side_to_move:
        raise InputError(
            f"{game.name()} says alternates = False and does not define side_to_move(state), which must then give 0 or 1"
        )
    if isinstance(game, domain.GameDomain):
        domain.check_form(game)


def position_of(game: Game, given: Position | str | None) -> Position:
    """The position that a caller means: a state, or a text that game.parse reads (where states are texts, a state); or the start.

    Raises InputError for what is of another kind than the states of the game, where its rules can do nothing with it, StateError
    for a state of a GameDomain that does not fit into its State.
    """
    if not hasattr(game, "initial"):
        raise InputError(f"{game.name()} has no initial; set it to the state in which the game begins")
    state = _position_of(game, given)
    domain = game.domain()
    if domain is not None:
        domain.check_state(state)
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
                f"position is {given!r}, and a state of {game.name()} is such as {game.initial!r}; give one, or a text that "
                "describes one"
            ) from error
    return given


def read_size(text: str | Sequence[int], what: str = "board") -> tuple[int, int]:
    """(width, height) from "7x6" or a pair of ints; raises InputError for anything else."""
    if isinstance(text, str):
        match = re.fullmatch(r"\s*(\d{1,3})\s*[xX]\s*(\d{1,3})\s*", text)
        pair: Sequence[int] = (int(match[1]), int(match[2])) if match else ()
    else:
        pair = tuple(text)
    if len(pair) != 2 or not all(isinstance(side, int) and side >= 1 for side in pair):
        raise InputError(f"{what} is {text!r}; write width x height, such as 7x6 or (7, 6)")
    return pair[0], pair[1]

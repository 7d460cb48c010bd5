"""GameDomain: the rules of a game in the compilable form."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, ClassVar

from bestfirst.errors import StateError
from bestfirst.games.game import Game
from bestfirst.held_arrays import HeldArrays

PASS = -1
"""The move of a side that has no other, in games where it can pass."""
WORD = (1 << 64) - 1
COMPILABLE = {
    "moves": "legal",
    "noisy_moves": "noisy",
    "winning_moves": "winning",
    "losing_moves": "losing",
    "symmetries": "image",
}
"""The members of Game that a GameDomain has in another form."""


class GameDomain(HeldArrays, Game):
    """A game in the compilable form: the same code runs interpreted and, a hundred times faster, compiled.

        class Sticks(GameDomain):                         # take 1 to 3 sticks; whoever takes the last one wins
            class State(NamedTuple):
                sticks: int
            initial = State(21)
            def legal(self, state): return 0b1110 & ((2 << state.sticks) - 1)     # moves 1, 2 and 3: bits 1, 2 and 3
            def play(self, state, move): return self.State(state.sticks - move)
            def is_over(self, state): return state.sticks == 0
            def score(self, state): return -1             # FOR THE SIDE TO MOVE, as in every Game

    State is a NamedTuple of ints of 64 bits. Moves are numbers in 0 .. 63, and sets of moves are the bits of an int; moves are
    tried from the lowest bit to the highest. Where can_pass is True, a state with no legal move that is not over has the move
    PASS. The methods read data on self and are written as those of a Domain are; int.bit_count may be used too.

    A field may use all 64 bits, as a board of 64 squares does. Compiled code takes the highest one for a sign, so there x >> n
    must be followed by & with a mask that leaves out the n highest bits, and such fields must not be compared by < and >.

    The other members are those of Game: optional, and given here by sets of moves (noisy, winning, losing) or one by one (image)
    where Game has lists. moves, noisy_moves, winning_moves, losing_moves and symmetries follow from them and are not to be
    changed.
    """

    _is_root = True

    State: ClassVar[Any]

    greatest_int: ClassVar[int] = WORD

    can_pass: ClassVar[bool] = False
    """Whether a side that has no legal move passes; otherwise there must always be one where the game is not over."""

    images: int = 0
    """How many mirror images of a state image() gives."""

    identity: Sequence[str] = ()
    """The fields of State that tell states apart in a transposition table, where key is not defined. Empty: all fields."""

    def legal(self, state: Any) -> int:
        """The legal moves as the bits of an int, in a state where the game is not over."""
        raise NotImplementedError(f"{type(self).__name__} must define legal(state)")

    def noisy(self, state: Any) -> int:
        """noisy_moves as the bits of an int."""
        del state
        return 0

    def winning(self, state: Any) -> int:
        """winning_moves as the bits of an int; a pass is not asked for."""
        del state
        return 0

    def losing(self, state: Any) -> int:
        """losing_moves as the bits of an int; that the other side can win by a pass is not asked for."""
        del state
        return 0

    def is_over_unwon(self, state: Any) -> bool:
        """is_over, asked only where the last move has not won: a test that costs less, for the switch `foresight`."""
        return self.is_over(state)

    def image(self, state: Any, number: int) -> Any:
        """The mirror image of a number in 0 .. images - 1."""
        raise NotImplementedError(f"{type(self).__name__} does not define image(state, number)")

    def key(self, state: Any) -> Any:
        """An int of 64 bits, or the fields of identity."""
        return tuple(getattr(state, name) for name in self.identity) if self.identity else tuple(state)

    def moves(self, state: Any) -> list[int]:
        return list(bits_of(self.legal(state))) or ([PASS] if self.can_pass else [])

    def noisy_moves(self, state: Any) -> list[int]:
        return list(bits_of(self.noisy(state)))

    def winning_moves(self, state: Any) -> list[int]:
        return list(bits_of(self.winning(state)))

    def losing_moves(self, state: Any) -> list[int]:
        return list(bits_of(self.losing(state)))

    def symmetries(self, state: Any) -> list[Any]:
        return [self.image(state, number) for number in range(self.images)] if self.defines("symmetries") else []

    def domain(self) -> GameDomain | None:
        return self if all(getattr(type(self), name) is getattr(GameDomain, name) for name in COMPILABLE) else None

    def defines(self, member: str) -> bool:
        own = COMPILABLE.get(member, member)
        return getattr(type(self), own) is not getattr(GameDomain, own)


def bits_of(moves: int) -> Iterator[int]:
    """The moves of a set, the lowest first."""
    while moves:
        lowest = moves & -moves
        yield lowest.bit_length() - 1
        moves ^= lowest


def as_words(game: GameDomain, state: Any) -> tuple[int, ...]:
    """The fields of a state as ints of 64 bits with a sign, as compiled code has them.

    Raises StateError for what is no State of the game, and for a field that is no int or has more bits.
    """
    if type(state) is not game.State:
        raise StateError(f"the position is {state!r}; write {game.State.__name__}(...) with the fields {game.State._fields}")
    for name, value in zip(state._fields, state, strict=True):
        if isinstance(value, bool) or not isinstance(value, int) or not -(2**63) <= value < 2**64:
            raise StateError(f"position {state!r}: its field {name} must be an int of 64 bits")
    return tuple(signed(value) for value in state)


def signed(word: int) -> int:
    """An int of 64 bits with its highest bit as its sign."""
    word &= WORD
    return word - (1 << 64) if word >> 63 else word

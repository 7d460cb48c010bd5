"""GameDomain: the rules of a game in the compilable form."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import Any, ClassVar

from bestfirst.array_attributes import ArrayAttributes
from bestfirst.errors import InputError, StateError, counted, how_to_write
from bestfirst.games.game import Game
from bestfirst.state_packing import WORD as WORD_BITS
from bestfirst.state_packing import packed_fields
from bestfirst.words import WORD

PASS = -1
"""The move of a side without a legal move, in games with passing."""
COMPILABLE = {
    "moves": "legal",
    "noisy_moves": "noisy",
    "winning_moves": "winning",
    "losing_moves": "losing",
    "symmetries": "image",
}
"""The members of Game that a GameDomain defines in another form."""


class GameDomain(ArrayAttributes, Game):
    """A game in the compilable form: the same code runs interpreted or, a hundred times faster, compiled.

        class Sticks(GameDomain):                         # take 1 to 3 sticks; the player who takes the last one wins
            class State(NamedTuple):
                sticks: int
            initial = State(21)
            def legal(self, state): return 0b1110 & ((2 << state.sticks) - 1)     # moves 1, 2 and 3: bits 1, 2 and 3
            def play(self, state, move): return self.State(state.sticks - move)
            def is_over(self, state): return state.sticks == 0
            def score(self, state): return -1             # RELATIVE TO THE SIDE TO MOVE, as in every Game

    State is a NamedTuple of 64-bit ints, and of tuples of them, each as long as in the initial state. Moves are numbers in
    0 .. 63, and sets of moves are the bits of an int. Moves are tried from the lowest bit to the highest. If can_pass is
    True, a state that is not over and has no legal move has the move PASS. The methods read data on self and follow the
    rules for a Domain.

    An int that uses all 64 bits, such as a board of 64 squares, must be declared: bits = {"mine": 64}. It must not be negative.

    The other members of Game are optional. Instead of lists, they return sets of moves (noisy, winning, losing) or single
    values (image). moves, noisy_moves, winning_moves, losing_moves and symmetries follow from them and must not be
    overridden.
    """

    _is_root = True

    State: ClassVar[Any]

    greatest_int: ClassVar[int] = WORD

    can_pass: ClassVar[bool] = False
    """Whether a side without a legal move passes. Otherwise every state that is not over must have a legal move."""

    bits: Mapping[str, int] = MappingProxyType({})
    """The width in bits, up to 64, of each field of State whose value is always in 0 .. 2**bits - 1 (64 for a board of 64
    squares); for a tuple, that of each element, up to 63. All other ints are signed 64-bit ints."""

    images: int = 0
    """The number of mirror images that image() returns."""

    identity: Sequence[str] = ()
    """The fields of State that identify a state in a transposition table, if key is not defined. Empty: all fields."""

    def check_state(self, state: Any) -> None:
        """Raise StateError for a state with an invalid field, move, key or side.

        The states after its moves, and its images, must also be States of this game with 64-bit fields.
        """
        where = f"in position {state!r},"
        as_words(self, state)
        key = self.key(state)
        if not is_key(key):
            raise StateError(f"{where} key returns {key!r}; it must be a 64-bit int, or a tuple of 64-bit ints")
        if not self.alternates and self.side_to_move(state) not in (0, 1):
            raise StateError(f"{where} side_to_move returns {self.side_to_move(state)!r}; it must be 0 or 1")
        if self.is_over(state):
            return
        moves = self.legal(state)
        if not is_word(moves) or moves < 0:
            raise StateError(
                f"{where} legal returns {moves!r}; it must be an int from 0 to 2**64 - 1 with one bit per move "
                "(after ~, apply & with the bits of possible moves)"
            )
        for name, number, following in (
            *(("play", move, self.play(state, move)) for move in self.moves(state)),
            *(("image", number, self.image(state, number)) for number in range(self.images if self.defines("image") else 0)),
        ):
            try:
                as_words(self, following)
            except StateError as error:
                raise StateError(f"{where} {name}(state, {number}) returns an invalid state: {error}") from None

    def legal(self, state: Any) -> int:
        """The legal moves as the bits of an int, in a state that is not over."""
        raise NotImplementedError(f"{type(self).__name__} must define legal(state)")

    def noisy(self, state: Any) -> int:
        """noisy_moves as the bits of an int."""
        del state
        return 0

    def winning(self, state: Any) -> int:
        """winning_moves as the bits of an int, without a pass."""
        del state
        return 0

    def losing(self, state: Any) -> int:
        """losing_moves as the bits of an int; wins of the other side by a pass are ignored."""
        del state
        return 0

    def is_over_unwon(self, state: Any) -> bool:
        """is_over for states in which the last move has not won: a cheaper test for the switch `foresight`."""
        return self.is_over(state)

    def image(self, state: Any, number: int) -> Any:
        """The mirror image with a number in 0 .. images - 1."""
        raise NotImplementedError(f"{type(self).__name__} does not define image(state, number)")

    def key(self, state: Any) -> Any:
        """What identifies a state in a transposition table: the fields of identity, tuples packed into words of 64 bits.

        A key of your own is a 64-bit int, a tuple of them, or a tuple of such tuples. Each int in it takes a word.
        """
        names = self.identity or state._fields
        values = tuple(getattr(state, name) for name in self.identity) if self.identity else tuple(state)
        return values if tuple not in map(type, values) else _packed_key(self, state, names, values)

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
    """The moves of a set, lowest first."""
    while moves:
        lowest = moves & -moves
        yield lowest.bit_length() - 1
        moves ^= lowest


def check_form(game: GameDomain) -> None:
    """Raise InputError for a GameDomain with an invalid State, fixed, identity or images. State may be missing."""
    name, state = type(game).__name__, getattr(game, "State", tuple)
    fields = getattr(state, "_fields", None)
    if state is not tuple and not (isinstance(state, type) and issubclass(state, tuple) and fields):
        raise InputError(f"{name}.State is {state!r}; define it as a NamedTuple of ints: class State(NamedTuple)")
    _check_bits(game, fields or ())
    for member, meant in (("fixed", "attributes of self that are ints"), ("identity", "fields of State")):
        names = getattr(game, member)
        if isinstance(names, str) or not isinstance(names, Sequence) or not all(isinstance(each, str) for each in names):
            raise InputError(f"{name}.{member} is {names!r}; set it to a tuple of names of {meant}, such as ({'width'!r},)")
    for attribute in game.fixed:
        value = getattr(game, attribute, None)
        if not isinstance(value, int):
            has = f"is {value!r}" if hasattr(game, attribute) else "is missing"
            raise InputError(f"{name}.fixed contains {attribute!r}, but self.{attribute} {has}; it must be an int")
    unknown = [field for field in game.identity if field not in (fields or ())]
    if unknown and fields:
        raise InputError(f"{name}.identity contains {unknown[0]!r}, but the fields of State are {', '.join(fields)}")
    if isinstance(game.images, bool) or not isinstance(game.images, int) or game.images < 0:
        raise InputError(f"{name}.images is {game.images!r}; set it to the number of mirror images, a whole number >= 0")


def _check_bits(game: GameDomain, fields: Sequence[str]) -> None:
    """Raise InputError for invalid widths, or widths of unknown fields."""
    name, start = type(game).__name__, getattr(game, "initial", None)
    if not isinstance(game.bits, Mapping):
        raise InputError(f"{name}.bits is {game.bits!r}; set it to a dict such as {{'board': 8}}")
    for field, width in game.bits.items():
        if fields and field not in fields:
            raise InputError(f"{name}.bits has the key {field!r}, but the fields of State are {', '.join(fields)}")
        least, most = (1, WORD_BITS - 1) if isinstance(getattr(start, field, None), tuple) else (0, WORD_BITS)
        if isinstance(width, bool) or not isinstance(width, int) or not least <= width <= most:
            raise InputError(
                f"{name}.bits assigns {field!r} the width {width!r}; use {least} .. {most}, or omit {field!r} for a "
                "signed 64-bit int"
            )


def is_word(value: object) -> bool:
    """Whether a value is a 64-bit int, signed or unsigned."""
    return isinstance(value, int) and -(2**63) <= value <= WORD


def is_key(value: object) -> bool:
    """Whether a value can be a key: a 64-bit int, a tuple of them, or a tuple of such tuples."""
    parts = value if isinstance(value, tuple) else (value,)
    return all(map(is_word, (word for part in parts for word in (part if isinstance(part, tuple) else (part,)))))


def as_words(game: GameDomain, state: Any) -> tuple[int, ...]:
    """The words in which compiled code stores a state: signed 64-bit ints.

    Raises StateError for a value that is not a State of the game, and for a field that is not an int or has more bits, or
    not a tuple of as many such ints as in the initial state.
    """
    if type(state) is not game.State:
        raise StateError(f"the position is {state!r}; {how_to_write(state, game.State, game.State.__name__, 'game')}")
    for name, value, first in zip(state._fields, state, game.initial, strict=True):
        _check_field(game, state, name, value, len(first) if isinstance(first, tuple) else None)
    return _words(game, state._fields, state)


def _words(game: GameDomain, names: Sequence[str], values: Sequence[Any]) -> tuple[int, ...]:
    """The words of some fields."""
    fields = packed_fields(names, values, game.bits, has_words=True)
    return tuple(word for field, value in zip(fields, values, strict=True) for word in field.packed(value))


def _packed_key(game: GameDomain, state: Any, names: Sequence[str], values: Sequence[Any]) -> tuple[int, ...]:
    """The words of fields some of which are tuples. Raises StateError for elements that would not fit into them."""
    for name, value in zip(names, values, strict=True):
        if isinstance(value, tuple):
            _check_field(game, state, name, value, len(value))
    return _words(game, names, values)


def _check_field(game: GameDomain, state: Any, name: str, value: Any, length: int | None) -> None:
    """Raise StateError for a field that compiled code cannot store. length: of a tuple; None for an int."""
    if length is None:
        _check_int(game, state, name, value)
        return
    if not isinstance(value, tuple) or len(value) != length or not value:
        wanted = f"a tuple of {length} ints, as in the initial state" if length else "a tuple with at least one element"
        raise StateError(f"position {state!r}: its field {name} must be {wanted}")
    for element in value:
        _check_int(game, state, name, element)


def _check_int(game: GameDomain, state: Any, name: str, value: Any) -> None:
    if isinstance(value, bool) or not isinstance(value, int):
        raise StateError(f"position {state!r}: its field {name} must be a 64-bit int, or a tuple of 64-bit ints")
    width = game.bits.get(name)
    if width is None and not -(2**63) <= value < 2**63:
        raise StateError(
            f"position {state!r}: its field {name} must be a signed 64-bit int; for a field that is never "
            f'negative, write bits = {{"{name}": 64}}'
        )
    if width is not None and not 0 <= value < 2**width:
        raise StateError(
            f"position {state!r}: its field {name} is not in 0 .. {2**width - 1}, the range of "
            f"{counted(width, 'bit')}; correct the bits or the value"
        )

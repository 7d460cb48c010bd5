"""The names that templates for games read and specialise_game() defines, for readers and type checkers."""

from __future__ import annotations

from typing import Any, TypeAlias

Game: TypeAlias = Any
"""The data of the game, by their names in its methods."""
State: TypeAlias = Any
Words: TypeAlias = Any
"""An array, or a tuple, of 64-bit words."""

FIELDS: int
"""The number of words of a state."""
KEY_WORDS: int
"""The number of words of a key."""
NO_KEY: Words
"""A key where none is needed."""
IMAGES: int
"""The number of symmetric images of a state."""
ALTERNATES: bool
CAN_PASS: bool
COUNTS_POINTS: bool
NOISY_IS_FORCED: bool
"""The game's declarations under these names."""
HAS_EVALUATE: bool
HAS_ORDER: bool
HAS_NOISY: bool
HAS_NULL: bool
HAS_WINNING: bool
HAS_LOSING: bool
HAS_IMAGE: bool
HAS_IS_OVER_UNWON: bool
"""Whether the game defines these members."""


IS_SHARED: bool
"""Whether the table is shared with other threads."""
SELECTIVE: bool
"""Whether the search prunes unsoundly (forward pruning) or uses singular extensions."""


def as_self(data: Words) -> Game:
    """The game's data, by their names in its methods."""
    raise NotImplementedError


def whole(value: int) -> int:
    """An int; code that returns anything else does not compile."""
    raise NotImplementedError


def legal(me: Game, state: State) -> int:
    """GameDomain.legal."""
    raise NotImplementedError


def play(me: Game, state: State, move: int) -> State:
    """GameDomain.play."""
    raise NotImplementedError


def is_over(me: Game, state: State) -> bool:
    """GameDomain.is_over."""
    raise NotImplementedError


def is_over_unwon(me: Game, state: State) -> bool:
    """GameDomain.is_over_unwon."""
    raise NotImplementedError


def score(me: Game, state: State) -> int:
    """GameDomain.score."""
    raise NotImplementedError


def evaluate(me: Game, state: State) -> int:
    """GameDomain.evaluate."""
    raise NotImplementedError


def order(me: Game, state: State, move: int) -> int:
    """GameDomain.order."""
    raise NotImplementedError


def noisy(me: Game, state: State) -> int:
    """GameDomain.noisy."""
    raise NotImplementedError


def null(me: Game, state: State) -> State:
    """Game.null."""
    raise NotImplementedError


def winning(me: Game, state: State) -> int:
    """GameDomain.winning."""
    raise NotImplementedError


def losing(me: Game, state: State) -> int:
    """GameDomain.losing."""
    raise NotImplementedError


def side_to_move(me: Game, state: State) -> int:
    """GameDomain.side_to_move."""
    raise NotImplementedError


def image(me: Game, state: State, number: int) -> State:
    """GameDomain.image."""
    raise NotImplementedError


def key_words(me: Game, state: State) -> Words:
    """The words of the key of a state."""
    raise NotImplementedError


def place_of(words: Words, places: int) -> int:
    """The index of a key's entry in a table with `places` entries."""
    raise NotImplementedError


def is_key(table: Words, at: int, words: Words, entry: int) -> bool:
    """Whether the words before an entry of the table at this index are those of a key, and belong to the entry."""
    raise NotImplementedError


def store_entry(table: Words, at: int, words: Words, entry: int) -> None:
    """Write an entry, and the words of its key, at an index of the table."""
    raise NotImplementedError


def load_key(rows: Words, at: int) -> Words:
    """The words of a key that begin at an index."""
    raise NotImplementedError


def store_key(rows: Words, at: int, words: Words) -> None:
    """Write the words of a key, beginning at an index."""
    raise NotImplementedError


def load_row(words: Words, at: int) -> State:
    """The state in the words that begin at an index."""
    raise NotImplementedError


def store_row(words: Words, at: int, state: State) -> None:
    """Write a state into the words that begin at an index."""
    raise NotImplementedError


def hash_of(state: State) -> int:
    """The hash of a state, an unsigned int of 64 bits."""
    raise NotImplementedError

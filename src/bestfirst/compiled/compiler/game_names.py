"""The names that templates for games read and specialise_game() gives a meaning, for readers and type checkers."""

from __future__ import annotations

from typing import Any

FIELDS: int
"""The number of fields of a state."""
KEY_WORDS: int
"""The number of words of a key."""
IMAGES: int
"""The number of mirror images that a state has."""
ALTERNATES: bool
CAN_PASS: bool
COUNTS_POINTS: bool
NOISY_IS_FORCED: bool
"""What the game says of itself under these names."""
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
"""Whether the search is selective: with pruning that can be wrong, or singular extensions."""


def as_self(data: Any) -> Any:
    """The game's data, by the names that its methods have for them."""
    raise NotImplementedError


def whole(value: Any) -> Any:
    """An int; it keeps code that gives something else from being compiled."""
    raise NotImplementedError


def legal(me: Any, state: Any) -> Any:
    """GameDomain.legal."""
    raise NotImplementedError


def play(me: Any, state: Any, move: Any) -> Any:
    """GameDomain.play."""
    raise NotImplementedError


def is_over(me: Any, state: Any) -> Any:
    """GameDomain.is_over."""
    raise NotImplementedError


def is_over_unwon(me: Any, state: Any) -> Any:
    """GameDomain.is_over_unwon."""
    raise NotImplementedError


def score(me: Any, state: Any) -> Any:
    """GameDomain.score."""
    raise NotImplementedError


def evaluate(me: Any, state: Any) -> Any:
    """GameDomain.evaluate."""
    raise NotImplementedError


def order(me: Any, state: Any, move: Any) -> Any:
    """GameDomain.order."""
    raise NotImplementedError


def noisy(me: Any, state: Any) -> Any:
    """GameDomain.noisy."""
    raise NotImplementedError


def null(me: Any, state: Any) -> Any:
    """Game.null."""
    raise NotImplementedError


def winning(me: Any, state: Any) -> Any:
    """GameDomain.winning."""
    raise NotImplementedError


def losing(me: Any, state: Any) -> Any:
    """GameDomain.losing."""
    raise NotImplementedError


def side_to_move(me: Any, state: Any) -> Any:
    """GameDomain.side_to_move."""
    raise NotImplementedError


def image(me: Any, state: Any, number: Any) -> Any:
    """GameDomain.image."""
    raise NotImplementedError


def key_words(me: Any, state: Any) -> Any:
    """The words of the key of a state."""
    raise NotImplementedError


def place_of(words: Any, places: int) -> Any:
    """Where in a table of so many places the entry of a key is."""
    raise NotImplementedError


def is_key(table: Any, at: Any, words: Any, entry: Any) -> Any:
    """Whether the words before an entry of the table, which is at this place, are those of a key, and belong to the entry."""
    raise NotImplementedError


def store_entry(table: Any, at: Any, words: Any, entry: Any) -> None:
    """Write an entry, and the words of its key, at a place of the table."""
    raise NotImplementedError


def load_key(rows: Any, at: Any) -> Any:
    """The words of a key that begin at a place."""
    raise NotImplementedError


def store_key(rows: Any, at: Any, words: Any) -> Any:
    """Write the words of a key from a place on."""
    raise NotImplementedError


def load_row(words: Any, at: Any) -> Any:
    """The state whose fields are the words from one place on."""
    raise NotImplementedError


def store_row(words: Any, at: Any, state: Any) -> Any:
    """Write the fields of a state into the words from one place on."""
    raise NotImplementedError

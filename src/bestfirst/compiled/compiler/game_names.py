"""The names that templates for games read and specialise_game() defines, for readers and type checkers."""

from __future__ import annotations

from typing import Any

FIELDS: int
"""The number of fields of a state."""
KEY_WORDS: int
"""The number of words of a key."""
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


def as_self(data: Any) -> Any:
    """The game's data, by their names in its methods."""
    raise NotImplementedError


def whole(value: Any) -> Any:
    """An int; code that returns anything else does not compile."""
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
    """The index of a key's entry in a table with `places` entries."""
    raise NotImplementedError


def is_key(table: Any, at: Any, words: Any, entry: Any) -> Any:
    """Whether the words before an entry of the table at this index are those of a key, and belong to the entry."""
    raise NotImplementedError


def store_entry(table: Any, at: Any, words: Any, entry: Any) -> None:
    """Write an entry, and the words of its key, at an index of the table."""
    raise NotImplementedError


def load_key(rows: Any, at: Any) -> Any:
    """The words of a key that begin at an index."""
    raise NotImplementedError


def store_key(rows: Any, at: Any, words: Any) -> Any:
    """Write the words of a key, beginning at an index."""
    raise NotImplementedError


def load_row(words: Any, at: Any) -> Any:
    """The state whose fields are the words that begin at an index."""
    raise NotImplementedError


def store_row(words: Any, at: Any, state: Any) -> Any:
    """Write the fields of a state into the words that begin at an index."""
    raise NotImplementedError

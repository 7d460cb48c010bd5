"""The fields of a State, and the words in which the compiled engine keeps them: one for an int, several ints of a tuple in one.

A field whose value in the initial state is a tuple is a tuple of as many ints in every state. Its elements share words as
far as their bits allow; the first element is in the lowest bits of the first word.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from bestfirst.errors import InputError, NotCompilableError
from bestfirst.words import signed

if TYPE_CHECKING:
    from bestfirst.domain import Domain
    from bestfirst.games.domain import GameDomain

WORD = 64
MOST_WORDS = 128
"""The most words of a state."""


@dataclass(frozen=True)
class StateField:
    """A field of State. length: of a tuple; None for an int. bits: of the int, or of each element. first: its first word."""

    name: str
    length: int | None
    bits: int
    first: int

    @property
    def per_word(self) -> int:
        """The number of elements that share a word."""
        return WORD // self.bits if self.length is not None else 1

    @property
    def count(self) -> int:
        """The number of words."""
        return 1 if self.length is None else -(-self.length // self.per_word)

    def words(self) -> Iterator[StateWord]:
        """Its words."""
        if self.length is None:
            yield StateWord(self, self.name, self.bits)
            return
        for number in range(self.count):
            elements = min(self.per_word, self.length - number * self.per_word)
            yield StateWord(self, f"{self.name}[{number}]", elements * self.bits)

    def packed(self, value: Any) -> list[int]:
        """The words of a value; the last bit of each is a sign."""
        if self.length is None:
            return [value]
        if self.bits == WORD:
            return list(value)
        words = [0] * self.count
        for place, element in enumerate(value):
            words[place // self.per_word] |= element << place % self.per_word * self.bits
        return [signed(word) for word in words]

    def unpacked(self, words: Sequence[int]) -> Any:
        """The value in these words."""
        if self.length is None:
            return words[0]
        if self.bits == WORD:
            return tuple(words)
        mask = (1 << self.bits) - 1
        return tuple(
            words[place // self.per_word] >> place % self.per_word * self.bits & mask for place in range(self.length)
        )


@dataclass(frozen=True)
class StateWord:
    """A word of a state: its field, its name, and the number of its bits that are used."""

    field: StateField
    name: str
    bits: int


def state_fields(domain: Domain | GameDomain) -> tuple[StateField, ...]:
    """The fields of the domain's states. Raises NotCompilableError for states of too many words."""
    initial = getattr(domain, "initial", None)
    values = initial if isinstance(initial, domain.State) else [0] * len(domain.State._fields)
    fields: list[StateField] = []
    first = 0
    for name, value in zip(domain.State._fields, values, strict=True):
        length = len(value) if isinstance(value, tuple) else None
        field = StateField(name, length, domain.bits.get(name, WORD), first)
        fields.append(field)
        first += field.count
    if first > MOST_WORDS:
        raise NotCompilableError(
            f"a state of {type(domain).__name__} takes {first} words of 64 bits, and compiled code allows {MOST_WORDS}; "
            "declare the bits of the elements of its tuples, or use engine='python'"
        )
    return tuple(fields)


def state_words(domain: Domain | GameDomain) -> list[StateWord]:
    """The words of the domain's states."""
    return words_of_fields(state_fields(domain))


def words_of_fields(fields: Sequence[StateField]) -> list[StateWord]:
    """The words of some fields."""
    return [word for field in fields for word in field.words()]


def words_of_state(domain: Domain | GameDomain, state: Any) -> list[int]:
    """The words of a state."""
    return [word for field, value in zip(state_fields(domain), state, strict=True) for word in field.packed(value)]


def state_of_words(domain: Domain | GameDomain, words: Sequence[Any]) -> Any:
    """The state in these words."""
    return state_maker(domain)([int(word) for word in words])


def state_maker(domain: Domain | GameDomain) -> Callable[[Sequence[int]], Any]:
    """A function from the words of a state to the state."""
    fields = state_fields(domain)
    if all(field.length is None for field in fields):
        make: Callable[[Sequence[int]], Any] = domain.State._make
        return make
    return lambda words: domain.State(*(field.unpacked(words[field.first : field.first + field.count]) for field in fields))


def telling_fields(domain: Domain) -> Sequence[int]:
    """The indices of the words that distinguish states (Domain.identity). Raises InputError for an unknown field."""
    names = domain.State._fields
    for name in domain.identity:
        if name not in names:
            raise InputError(f"identity of {domain.name()} names {name!r}; its states have the fields {', '.join(names)}")
    places: dict[str, list[int]] = {name: [] for name in names}
    for place, word in enumerate(state_words(domain)):
        places[word.field.name].append(place)
    return [place for name in domain.identity or names for place in places[name]]


def kept_fields(domain: Domain) -> Sequence[int]:
    """The indices of the words that are kept in rows: fields of 0 bits are always 0."""
    return [place for place, word in enumerate(state_words(domain)) if word.bits != 0]

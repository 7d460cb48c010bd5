"""The words in which fields of states are packed: one for an int, several for a wide one, several ints of a tuple in one.

A field whose value in the initial state is a tuple is a tuple of as many ints in every state. Its elements share words as
far as their bits allow; the first element is in the lowest bits of the first word.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from bestfirst.words import signed

WORD = 64
"""The bits of a word."""


@dataclass(frozen=True)
class StateField:
    """A field of State. length: of a tuple; None for an int. bits: of the int, or of each element. first: its first word.

    is_unsigned: whether it is an int from 0 to 2**64 - 1. is_wide: whether it is an int that may have 64 bits or more.
    """

    name: str
    length: int | None
    bits: int
    first: int
    is_unsigned: bool = False
    is_wide: bool = False

    @property
    def per_word(self) -> int:
        """The number of elements that share a word."""
        return WORD // self.bits if self.length is not None else 1

    @property
    def count(self) -> int:
        """The number of words."""
        if self.length is None:
            return -(-self.bits // WORD) if self.is_wide else 1
        return -(-self.length // self.per_word)

    @property
    def register_words(self) -> int:
        """The number of words in which compiled code computes with it."""
        return register_bits(self.bits) // WORD if self.is_wide else self.count

    def words(self) -> Iterator[StateWord]:
        """Its words."""
        if self.is_wide:
            for number in range(self.count):
                yield StateWord(self, f"{self.name}[{number}]", min(WORD, self.bits - number * WORD))
            return
        if self.length is None:
            yield StateWord(self, self.name, self.bits)
            return
        for number in range(self.count):
            elements = min(self.per_word, self.length - number * self.per_word)
            yield StateWord(self, f"{self.name}[{number}]", elements * self.bits)

    def packed(self, value: Any) -> list[int]:
        """The words of a value; the last bit of each is a sign."""
        if self.is_wide:
            return [signed(value >> number * WORD) for number in range(self.count)]
        if self.length is None:
            return [signed(value) if self.is_unsigned else value]
        if self.bits == WORD:
            return list(value)
        words = [0] * self.count
        for place, element in enumerate(value):
            words[place // self.per_word] |= element << place % self.per_word * self.bits
        return [signed(word) for word in words]

    def unpacked(self, words: Sequence[int]) -> Any:
        """The value in these words."""
        if self.is_wide:
            return sum(word % (1 << WORD) << number * WORD for number, word in enumerate(words))
        if self.length is None:
            return words[0] % (1 << WORD) if self.is_unsigned else words[0]
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


def register_bits(bits: int) -> int:
    """The width in which compiled code computes with an int of so many bits and a sign: a multiple of 64."""
    return (bits // WORD + 1) * WORD


def packed_fields(
    names: Sequence[str], values: Sequence[Any], bits: Mapping[str, int], *, has_words: bool
) -> tuple[StateField, ...]:
    """The fields with these names. values: those of one state; bits: of ints, or of elements, where they are declared.

    has_words: whether ints of 64 bits are unsigned words, and none has more.
    """
    shapes = tuple(
        (name, len(value) if isinstance(value, tuple) else None, bits.get(name))
        for name, value in zip(names, values, strict=True)
    )
    return _fields(shapes, has_words)


@lru_cache(maxsize=256)
def _fields(shapes: tuple[tuple[str, int | None, int | None], ...], has_words: bool) -> tuple[StateField, ...]:
    fields: list[StateField] = []
    first = 0
    for name, length, bits in shapes:
        is_large = length is None and bits is not None and bits >= WORD
        field = StateField(
            name, length, WORD if bits is None else bits, first, is_large and has_words, is_large and not has_words
        )
        fields.append(field)
        first += field.count
    return tuple(fields)

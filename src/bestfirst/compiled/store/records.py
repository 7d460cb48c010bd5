"""Node records: the memory layout of the nodes of a compiled search.

A record is a few consecutive 64-bit words, so that access to a node is one memory access. The fields of the state and those
of the engine share the words; a field of 64 bits has its own. A sliding-tile board of 16 cells, for instance:

    word 0   board (64)
    word 1   parent (31) | distance (7) | blank (4) | undo (3) | open (1) | g (18)
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING

import numpy as np

from bestfirst.compiled.compiler.intrinsics import prefetch
from bestfirst.compiled.compiler.state_fields import state_fields, telling_fields, words_of_fields
from bestfirst.compiled.compiler.state_source import made_state, word_of
from bestfirst.compiled.store.hashing import hashing_names, mixing
from bestfirst.compiled.store.totals import GREATEST_COST
from bestfirst.domain import Domain
from bestfirst.state_packing import StateField
from bestfirst.words import signed

if TYPE_CHECKING:
    from bestfirst.compiled.compiler.names import COST_BITS
    from bestfirst.compiled.store.aliases import Array, Names, Number, Total

WORD = 64
LEAST_COST_BITS = 16
MOST_COST_BITS = 40
"""The initial width of g; if costs are larger, g has its own word."""
MOST_LAYOUTS = 64
"""The number of layouts that are kept."""

PUT_LATER = frozenset({"rival"})
"""The fields of the engine that are 0 in a new record."""

_UNSIGNED = "U"


def most_cost() -> Total:
    """The largest int cost of a path that a record can hold. A part of engine templates."""
    return GREATEST_COST >> (WORD - 1 - COST_BITS) if COST_BITS < WORD else GREATEST_COST


@dataclass(frozen=True)
class Place:
    """The position of a field in a record: bits `shift` and up of a word."""

    word: int
    shift: int
    bits: int

    @property
    def mask(self) -> int:
        """A mask of the lowest `bits` bits."""
        return (1 << self.bits) - 1


class Layout:
    """The positions of the fields of a record.

    state: the names of the state's words, in order; telling: the indices of those that distinguish states. places: by
    field; a field of 0 bits has none. words: of one record. is_float: whether g is a float, which takes its own word.
    cost_bits: the width of g; 0 for the bits that are free anyway, None for records without g.
    """

    def __init__(
        self,
        state: tuple[StateField, ...],
        telling: tuple[int, ...],
        engine_fields: Mapping[str, int],
        *,
        is_float: bool,
        cost_bits: int | None,
    ) -> None:
        words = words_of_fields(state)
        self.state = tuple(word.name for word in words)
        self._fields = state
        self.telling = telling
        self.is_float = is_float
        self._engine_fields = dict(engine_fields)
        self._put_fields = [name for name in engine_fields if name not in PUT_LATER]
        fields = {f"state.{word.name}": word.bits for word in words} | self._engine_fields
        self.places = _places(fields, WORD if is_float else cost_bits)
        self.words = 1 + max((place.word for place in self.places.values()), default=0)

    def __repr__(self) -> str:
        """Everything that compiled code depends on."""
        return f"Layout({self._fields}, {self.telling}, {self._engine_fields}, {self.is_float}, {self.places})"

    def source(self) -> str:
        """The functions of names.py that read and write records, as source."""
        fetch = _function("fetch(nodes, place)", "prefetch(nodes[0], unsigned(place) * WORDS)")
        of_states = [self._state_of(), self._put_record(), self._is_state(), self._fits(), self._mix_of()]
        return "\n".join([*of_states, fetch, *self._accessors()])

    def _state_of(self) -> str:
        state = made_state(self._fields, [self._read(f"state.{name}", "words") for name in self.state])
        return _function("state_of(nodes, place)", "words, at = nodes[0], unsigned(place) * WORDS", f"return {state}")

    def _state_parts(self, fields: Iterable[int]) -> list[list[str]]:
        """The contributions of the state's fields to each word, as source."""
        parts: list[list[str]] = [[] for _ in range(self.words)]
        for number in fields:
            place = self.places.get(f"state.{self.state[number]}")
            if place is not None:
                parts[place.word].append(_shifted(self._word(number), place))
        return parts

    def _word(self, number: int) -> str:
        """A word of a state, as source."""
        return word_of(self._fields, number)

    def _put_record(self) -> str:
        """All fields together: those of the engine in the given order, and g."""
        fields = [*self._put_fields, *(["g"] if "g" in self.places else [])]
        parts = self._state_parts(range(len(self.state)))
        for name in fields:
            place = self.places.get(name)
            if place is not None:
                parts[place.word].append(name if place.bits == WORD else _shifted(name, place))
        lines = [
            f"{'numbers' if self._holds_float(word) else 'words'}[at + {_UNSIGNED}{word}] = {' | '.join(values) or '0'}"
            for word, values in enumerate(parts)
        ]
        head = f"put_record({', '.join(['nodes', 'place', 'state', *fields])})"
        start = f"words, {'numbers, ' if self.is_float else ''}at = nodes[0], {'nodes[1], ' if self.is_float else ''}"
        return _function(head, f"{start}unsigned(place) * WORDS", *lines)

    def _holds_float(self, word: int) -> bool:
        return self.is_float and self.places["g"].word == word

    def _is_state(self) -> str:
        tests = [f"{self._read(f'state.{self.state[word]}', 'words')} == {self._word(word)}" for word in self.telling]
        return _function(
            "is_state(nodes, place, state)",
            "words, at = nodes[0], unsigned(place) * WORDS",
            f"return {' and '.join(tests) or 'True'}",
        )

    def _fits(self) -> str:
        tests = []
        for number, name in enumerate(self.state):
            place = self.places.get(f"state.{name}")
            if place is None:
                tests.append(f"{self._word(number)} == 0")
            elif place.bits < WORD:
                tests.append(f"{self._word(number)} >> {place.bits} == 0")
        return _function("fits(state)", f"return {' and '.join(tests) or 'True'}")

    def _mix_of(self) -> str:
        """A hash of the words with the distinguishing fields; its highest bits depend on all of them."""
        words = (" | ".join(values) for values in self._state_parts(self.telling) if values)
        return _function("mix_of(state)", *mixing(words), "return signed(mixed)")

    def _accessors(self) -> list[str]:
        """Functions that read each field of the engine and g, and that change one of the engine."""
        found = []
        for name in (*self._engine_fields, "g"):
            words = "nodes[1]" if name == "g" and self.is_float else "nodes[0]"
            start = f"words, at = {words}, unsigned(place) * WORDS"
            found.append(_function(f"{name}_of(nodes, place)", start, f"return {self._read(name, 'words')}"))
            if name in self._engine_fields:
                found.append(_function(f"set_{name}(nodes, place, value)", start, self._write(name)))
        return found

    def _read(self, name: str, words: str) -> str:
        place = self.places.get(name)
        if place is None:
            return "0"
        word = f"{words}[at + {_UNSIGNED}{place.word}]"
        return word if place.bits == WORD else f"(({word} >> {place.shift}) & {place.mask})"

    def _write(self, name: str) -> str:
        place = self.places.get(name)
        if place is None:
            return "pass"
        word = f"words[at + {_UNSIGNED}{place.word}]"
        if place.bits == WORD:
            return f"{word} = value"
        others = signed(~(place.mask << place.shift))
        return f"{word} = ({word} & {others}) | {_shifted('value', place)}"

    def namespace(self) -> Names:
        """The globals of the source."""
        numbers = {f"{_UNSIGNED}{word}": np.uint64(word) for word in range(self.words)}
        others = {"WORDS": np.uint64(self.words), "signed": np.int64, "prefetch": prefetch}
        return numbers | hashing_names(shift=WORD // 2) | others

    def column(self, words: Array, name: str) -> Array:
        """A field of all records, as an array."""
        place = self.places.get(name)
        if place is None:
            return np.zeros(len(words) // self.words, np.int64)
        column = words[place.word :: self.words]
        if place.bits == WORD:
            return column.view(np.float64) if name == "g" and self.is_float else column
        return (column >> place.shift) & place.mask

    def root(self, state: Iterable[int]) -> list[int]:
        """The words of an open record without a parent."""
        words = [0] * self.words
        values = {f"state.{name}": value for name, value in zip(self.state, state, strict=True)} | {"open": 1}
        for name, value in values.items():
            place = self.places.get(name)
            if place is not None:
                words[place.word] |= (value & place.mask) << place.shift
        return [signed(word) for word in words]

    def bits(self, name: str) -> int:
        """The width of a field."""
        return self.places[name].bits if name in self.places else 0

    def value(self, words: Array, name: str, record: int) -> Number:
        """A field of one record."""
        return self.column(words[record * self.words : (record + 1) * self.words], name)[0].item()


def layout_of(
    domain: Domain,
    engine_fields: Mapping[str, int],
    *,
    is_float: bool = False,
    cost_bits: int | None = 0,
    leaving_out: Collection[str] = (),
) -> Layout:
    """The layout of the records of a domain; the same object for domains of the same states.

    leaving_out: fields of the state that do not distinguish records for the table.
    """
    telling = telling_fields(domain, leaving_out=leaving_out)
    told = state_fields(domain), tuple(telling), tuple(engine_fields.items())
    return _layout(*told, is_float, cost_bits)


@lru_cache(MOST_LAYOUTS)
def _layout(
    state: tuple[StateField, ...],
    telling: tuple[int, ...],
    engine_fields: tuple[tuple[str, int], ...],
    is_float: bool,
    cost_bits: int | None,
) -> Layout:
    return Layout(state, telling, dict(engine_fields), is_float=is_float, cost_bits=cost_bits)


def _function(head: str, *lines: str) -> str:
    body = "\n".join(f"    {line}" for line in lines)
    return f"def {head}:\n{body}\n"


def _shifted(value: str, place: Place) -> str:
    """A value shifted to its position in a word, as source; at the upper end of the word, where the sign is, through
    unsigned."""
    if place.shift == 0 or place.shift + place.bits < WORD:
        return f"({value} << {place.shift})"
    return f"signed(unsigned({value}) << unsigned({place.shift}))"


def _places(fields: Mapping[str, int], cost_bits: int | None) -> dict[str, Place]:
    """The positions of the fields and g."""
    if cost_bits is None:
        return _packed(fields)
    return _packed({**fields, "g": cost_bits or _roomiest_cost(fields)})


def _packed(fields: Mapping[str, int]) -> dict[str, Place]:
    """Each field in the first word with room for it, the widest fields first."""
    used: list[int] = []
    places = {}
    for name, bits in sorted(fields.items(), key=lambda item: -item[1]):
        if bits == 0:
            continue
        word = next((number for number, taken in enumerate(used) if taken + bits <= WORD), len(used))
        if word == len(used):
            used.append(0)
        places[name] = Place(word, used[word], bits)
        used[word] += bits
    return places


def _roomiest_cost(fields: Mapping[str, int]) -> int:
    """The most bits of g that do not add a word to the smallest record."""

    def words(bits: int) -> int:
        return 1 + max(place.word for place in _packed({**fields, "g": bits}).values())

    fewest = words(LEAST_COST_BITS)
    return max(bits for bits in range(LEAST_COST_BITS, MOST_COST_BITS + 1) if words(bits) == fewest)

"""Source code that takes states apart into words, and makes them from words."""

from __future__ import annotations

from collections.abc import Sequence

from bestfirst.compiled.compiler.arithmetic import PREFIX
from bestfirst.state_packing import WORD, StateField, register_bits


def word_of(fields: Sequence[StateField], number: int) -> str:
    """A word of `state`."""
    place, field = next((place, one) for place, one in enumerate(fields) if one.first <= number < one.first + one.count)
    if field.is_wide:
        return f"{PREFIX}wide_word(state[{place}], {number - field.first}, 0)"
    if field.length is None:
        return f"state[{place}]"
    return f"{PREFIX}word_at(state[{place}], {number - field.first}, {field.length}, {field.bits}, 0)"


def made_state(fields: Sequence[StateField], words: Sequence[str]) -> str:
    """A state made from the source of its words."""

    def value(field: StateField) -> str:
        own = words[field.first : field.first + field.count]
        if field.is_wide:
            return f"{PREFIX}wide_from(({', '.join(own)},), {register_bits(field.bits)}, 0)"
        if field.length is None:
            return own[0]
        return f"{PREFIX}tuple_from(({', '.join(own)},), {field.length}, {field.bits}, 0)"

    return f"State({', '.join(map(value, fields))})"


def loaded_state(fields: Sequence[StateField], place: str) -> str:
    """A state whose words are read from places: source with {} for the number of a word. Words of 0 bits have no place.

    Masking an int to its declared bits saves checks.
    """
    words = []
    for number, word in enumerate(word for field in fields for word in field.words()):
        is_narrow = word.field.length is None and not word.field.is_wide and 0 < word.bits < WORD
        own = place.format(number) if word.bits else "ZERO"
        words.append(f"({own} & {(1 << word.bits) - 1})" if is_narrow else own)
    return made_state(fields, words)


def stored_state(fields: Sequence[StateField], place: str) -> str:
    """The assignments of the words of `state` to places, which are as in loaded_state()."""
    words = enumerate(word for field in fields for word in field.words())
    return "; ".join(f"{place.format(number)} = {word_of(fields, number)}" for number, word in words if word.bits) or "pass"


def row_functions(fields: Sequence[StateField], element: str) -> str:
    """Source of the functions that load a state from a row of words and store one in it. element: the source of a loaded word."""
    # an unsigned index saves the check for negative values
    return f"""
def load_row(words, at):
    return {loaded_state(fields, element.format("words[unsigned(at + {})]"))}

def store_row(words, at, state):
    {stored_state(fields, "words[unsigned(at + {})]")}
"""

"""Source code that takes states apart into words, and makes them from words."""

from __future__ import annotations

from collections.abc import Sequence

from bestfirst.compiled.compiler.arithmetic import PREFIX
from bestfirst.compiled.compiler.state_fields import StateField


def word_of(fields: Sequence[StateField], number: int) -> str:
    """A word of `state`."""
    place, field = next((place, one) for place, one in enumerate(fields) if one.first <= number < one.first + one.count)
    if field.length is None:
        return f"state[{place}]"
    return f"{PREFIX}word_at(state[{place}], {number - field.first}, {field.length}, {field.bits}, 0)"


def made_state(fields: Sequence[StateField], words: Sequence[str]) -> str:
    """A state made from the source of its words."""

    def value(field: StateField) -> str:
        own = words[field.first : field.first + field.count]
        if field.length is None:
            return own[0]
        return f"{PREFIX}tuple_from(({', '.join(own)},), {field.length}, {field.bits}, 0)"

    return f"State({', '.join(map(value, fields))})"

"""The fields of a State, and the words in which the compiled engine keeps them (state_packing.py)."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from functools import lru_cache, partial
from typing import TYPE_CHECKING

from bestfirst.errors import InputError, NotCompilableError
from bestfirst.looking_once import once
from bestfirst.state_packing import WORD, StateField, StateWord, packed_fields

if TYPE_CHECKING:
    from bestfirst.compiled.store.aliases import State
    from bestfirst.domain import Domain
    from bestfirst.games.domain import GameDomain

MOST_WORDS = 128
"""The maximum number of words of a state."""
MOST_FORMS = 256
"""The number of forms of states whose words are kept: a search asks for its own some thirty times."""


def state_fields(domain: Domain | GameDomain) -> tuple[StateField, ...]:
    """The fields of the domain's states. Raises NotCompilableError for states of too many words."""
    return once(domain, "state_fields", partial(_state_fields, domain))


def _state_fields(domain: Domain | GameDomain) -> tuple[StateField, ...]:
    initial = getattr(domain, "initial", None)
    values = initial if isinstance(initial, domain.State) else [0] * len(domain.State._fields)
    fields = packed_fields(domain.State._fields, values, domain.bits, has_words=domain.greatest_int >= 1 << WORD - 1)
    count = sum(field.count for field in fields)
    if count > MOST_WORDS:
        raise NotCompilableError(
            f"a state of {type(domain).__name__} takes {count} words of 64 bits, but compiled code allows {MOST_WORDS}; "
            "use fewer or smaller fields (for a tuple, declare the bits of its elements), or use engine='python'"
        )
    return fields


def is_wide(domain: Domain | GameDomain, value: object) -> bool:
    """Whether a value of the domain is an int of more than 64 bits, as compiled code with wide fields computes with them."""
    if not isinstance(value, int) or -(1 << WORD - 1) <= value <= domain.greatest_int:
        return False
    most = max((field.bits for field in state_fields(domain) if field.is_wide), default=0)
    return -(1 << most) <= value < 1 << most


def state_words(domain: Domain | GameDomain) -> Sequence[StateWord]:
    """The words of the domain's states."""
    return words_of_fields(state_fields(domain))


@lru_cache(MOST_FORMS)
def words_of_fields(fields: tuple[StateField, ...]) -> tuple[StateWord, ...]:
    """The words of some fields."""
    return tuple(word for field in fields for word in field.words())


def words_of_state(domain: Domain | GameDomain, state: State) -> list[int]:
    """The words of a state."""
    return [word for field, value in zip(state_fields(domain), state, strict=True) for word in field.packed(value)]


def state_of_words(domain: Domain | GameDomain, words: Sequence[int]) -> State:
    """The state in these words."""
    return state_maker(domain)([int(word) for word in words])


def state_maker(domain: Domain | GameDomain) -> Callable[[Sequence[int]], State]:
    """A function from the words of a state to the state."""
    fields = state_fields(domain)
    if all(field.length is None and not (field.is_unsigned or field.is_wide) for field in fields):
        return partial(tuple.__new__, domain.State)  # as State._make does, in a third of the time
    return lambda words: domain.State(*(field.unpacked(words[field.first : field.first + field.count]) for field in fields))


def telling_fields(domain: Domain | GameDomain, *, leaving_out: Collection[str] = ()) -> Sequence[int]:
    """The indices of the words that distinguish states (Domain.identity). Raises InputError for an unknown field.

    leaving_out: fields that do not count.
    """
    names = domain.State._fields
    for name in domain.identity:
        if name not in names:
            raise InputError(
                f"{type(domain).__name__}.identity contains {name!r}, which is not a field of State; the fields are "
                f"{', '.join(names)}"
            )
    places: dict[str, list[int]] = {name: [] for name in names}
    for place, word in enumerate(state_words(domain)):
        places[word.field.name].append(place)
    return [place for name in domain.identity or names if name not in leaving_out for place in places[name]]


def kept_fields(domain: Domain) -> Sequence[int]:
    """The indices of the words that are kept in rows: fields of 0 bits are always 0."""
    return [place for place, word in enumerate(state_words(domain)) if word.bits != 0]

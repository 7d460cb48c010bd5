"""Which fields of a State distinguish states, and which are stored: what records, tables and compiled methods agree on."""

from __future__ import annotations

from collections.abc import Sequence

from bestfirst.domain import Domain
from bestfirst.errors import InputError


def telling_fields(domain: Domain) -> Sequence[int]:
    """The indices of the fields that distinguish states (Domain.identity). Raises InputError for an unknown field."""
    fields = domain.State._fields
    for name in domain.identity:
        if name not in fields:
            raise InputError(f"identity of {domain.name()} names {name!r}; its states have the fields {', '.join(fields)}")
    return [fields.index(name) for name in domain.identity or fields]


def kept_fields(domain: Domain) -> Sequence[int]:
    """The indices of the fields that are kept in rows of words: fields of 0 bits are always 0."""
    return [place for place, name in enumerate(domain.State._fields) if domain.bits.get(name) != 0]

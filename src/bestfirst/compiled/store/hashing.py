"""The hash of words.py, as source for compiled code: of states, records and keys."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

import numpy as np

from bestfirst.words import HASH_FACTOR, HASH_SHIFT

if TYPE_CHECKING:
    from bestfirst.compiled.store.aliases import Names


def mixing(values: Iterable[str]) -> list[str]:
    """The lines that make `mixed` the hash of the values, which are given as source; they read the names of hashing_names()."""
    steps = (f"mixed = (mixed ^ unsigned({value})) * FACTOR; mixed ^= mixed >> SHIFT" for value in values)
    return ["mixed = unsigned(0)", *steps]


def hashing_names(shift: int = HASH_SHIFT) -> Names:
    """The names that the lines of mixing() read."""
    return {"FACTOR": np.uint64(HASH_FACTOR), "SHIFT": np.uint64(shift), "unsigned": np.uint64}

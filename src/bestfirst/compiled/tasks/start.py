"""The estimate of the start, by the code of the search: in Python it can take longer than a small search."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bestfirst.compiled.tasks.tables import unpack

if TYPE_CHECKING:
    from bestfirst.compiled.store.aliases import Array, Arrays, Search
    from bestfirst.compiled.tasks.names import evaluate

FIELDS = ("start",)
"""The estimate of the start; NOT_MADE at first: then a slice makes it, and does nothing else."""
NOT_MADE = -1


def estimate_start(search: Search, words: Array, fields: Array, values: Array, evaluation: Arrays) -> None:
    """Evaluate the packed state with which `words` begins. A part of kernels."""
    heuristic, scratch = evaluation
    unpack(words, 0, fields, values)
    search.start = evaluate(values, heuristic, scratch)


PARTS = (estimate_start,)

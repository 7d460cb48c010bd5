"""The names that kernels of tasks read, for type checkers: what they mean depends on the heuristic (see evaluation.py)."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from bestfirst.compiled.store.aliases import Array, Arrays, Int


def evaluate(values: Array, tables: Arrays, scratch: Arrays) -> Int:
    """The estimate of a state."""
    raise NotImplementedError

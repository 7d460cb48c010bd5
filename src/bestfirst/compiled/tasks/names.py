"""The names that kernels of tasks read and do not define, as stubs for type checkers and readers."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from bestfirst.compiled.store.aliases import Array, Arrays, Int

PREFERS: bool
"""Whether the heuristic leaves preferred operators in scratch[0]."""


def evaluate(values: Array, tables: Arrays, scratch: Arrays) -> Int:
    """The estimate of a state: see evaluation.py."""
    raise NotImplementedError

"""The names that engine templates read and specialise() gives a meaning: what they are, for readers and type checkers."""

from __future__ import annotations

from typing import Any

MAX_ACTIONS: int
"""Actions are 0 .. MAX_ACTIONS - 1."""
FIELDS: int
"""The number of fields of a state."""
INVERSE: tuple[int, ...]
"""The action that undoes each action, -1 for none; one entry more, -1, for the start, to which no action led."""
HAS_INVERSE: bool
"""Whether every action has an inverse."""
UNIT_COST: bool
"""Whether every action costs 1."""

G_FIRST: int
H_FIRST: int
"""Nodes leave the agenda lowest G_FIRST * g + H_FIRST * h first."""
H_SECOND: int
"""Of equal nodes, the one with the lowest H_SECOND * h first."""
REOPEN: bool
"""Whether a cheaper path to a state that is known takes the place of the one there is."""


def as_self(data: Any) -> Any:
    """The domain's data, by the names that its methods have for them."""
    raise NotImplementedError


def step(me: Any, state: Any, action: int) -> tuple[bool, Any, Any]:
    """Domain.step."""
    raise NotImplementedError


def is_goal(me: Any, state: Any) -> bool:
    """Domain.is_goal."""
    raise NotImplementedError


def estimate(me: Any, state: Any) -> Any:
    """The heuristic."""
    raise NotImplementedError


def load(rows: Any, place: Any) -> Any:
    """The state in a place of the rows, which are one array for each field."""
    raise NotImplementedError


def store(rows: Any, place: Any, state: Any) -> None:
    """Put a state into a place of the rows."""
    raise NotImplementedError

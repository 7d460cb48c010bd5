"""GameLimits: what one analysis of a position may take."""

from __future__ import annotations

from dataclasses import dataclass

from bestfirst.errors import InputError


@dataclass(frozen=True)
class GameLimits:
    """What one analysis may take; None sets no limit. Raises InputError for a limit that is no number >= 0.

    The first round, to depth 1, is made in any case, so that there is always an answer: it never misses a win in one.

    seconds: wall-clock time, looked at now and then.
    nodes: positions looked at, exactly: the search stops before it would look at one more.
    depth: plies, at least 1; moves that a switch searches deeper, and noisy moves, may go beyond.
    """

    seconds: float | None = None
    nodes: int | None = None
    depth: int | None = None

    def __post_init__(self) -> None:
        for name, least in (("seconds", 0), ("nodes", 0), ("depth", 1)):
            value = getattr(self, name)
            if value is None:
                continue
            if isinstance(value, bool) or not isinstance(value, int | float) or not value >= least:
                raise InputError(f"the limit {name} is {value!r}; write a number >= {least}, or leave it out")
            if name != "seconds" and not isinstance(value, int):
                raise InputError(f"the limit {name} is {value!r}; write a whole number >= {least}")

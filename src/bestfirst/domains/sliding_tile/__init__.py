"""The sliding-tile puzzle: problem.py has the rules; the other files make its searches fast."""

from __future__ import annotations

from bestfirst.domains.sliding_tile.problem import SlidingTile

__all__ = ["SlidingTile"]

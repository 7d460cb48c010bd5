"""The public path of PlacedItems, the base for pattern databases of permutation puzzles (see shared/placed_items.py)."""

from __future__ import annotations

from bestfirst.domains.shared.placed_items import PlacedItems

__all__ = ["PlacedItems"]

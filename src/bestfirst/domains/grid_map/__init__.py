"""Paths on a grid of free and blocked cells, also on the maps of the Moving AI Lab."""

from __future__ import annotations

from bestfirst.domains.grid_map.problem import GridMap

__all__ = ["GridMap"]

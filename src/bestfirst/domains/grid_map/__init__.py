"""Paths on a grid of free and blocked cells, including Moving AI Lab maps."""

from __future__ import annotations

from bestfirst.domains.grid_map.problem import GridMap

__all__ = ["GridMap"]

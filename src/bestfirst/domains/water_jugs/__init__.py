"""The water-jugs puzzle: measure an amount of water with jugs that have no marks."""

from __future__ import annotations

from bestfirst.domains.water_jugs.problem import WaterJugs

__all__ = ["WaterJugs"]

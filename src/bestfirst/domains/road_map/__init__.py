"""Paths on a map of cities and roads, including networks of millions of places."""

from __future__ import annotations

from bestfirst.domains.road_map.packed import RoadNetwork
from bestfirst.domains.road_map.problem import RoadMap

__all__ = ["RoadMap", "RoadNetwork"]

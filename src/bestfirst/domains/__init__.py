"""The problems that come with bestfirst, by name."""

from __future__ import annotations

from bestfirst.domains.jumping_tiles import JumpingTiles
from bestfirst.domains.missionaries_cannibals import MissionariesCannibals
from bestfirst.domains.n_queens import NQueens
from bestfirst.domains.pancake import Pancake
from bestfirst.domains.road_map import RoadMap
from bestfirst.domains.sliding_tile import SlidingTile
from bestfirst.domains.towers_of_hanoi import TowersOfHanoi
from bestfirst.domains.tree import Tree
from bestfirst.domains.water_jugs import WaterJugs
from bestfirst.problem import Problem

DOMAINS: dict[str, type[Problem]] = {
    domain.name(): domain
    for domain in (
        SlidingTile,
        JumpingTiles,
        RoadMap,
        Tree,
        NQueens,
        WaterJugs,
        Pancake,
        TowersOfHanoi,
        MissionariesCannibals,
    )
}
"""Every domain by its name on the command line."""

__all__ = [
    "DOMAINS",
    "JumpingTiles",
    "MissionariesCannibals",
    "NQueens",
    "Pancake",
    "RoadMap",
    "SlidingTile",
    "TowersOfHanoi",
    "Tree",
    "WaterJugs",
]

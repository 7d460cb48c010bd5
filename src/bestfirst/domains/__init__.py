"""The problems included in bestfirst, by name."""

from __future__ import annotations

from bestfirst.domains.grid_map import GridMap
from bestfirst.domains.jumping_tiles import JumpingTiles
from bestfirst.domains.lights_out import LightsOut
from bestfirst.domains.missionaries_cannibals import MissionariesCannibals
from bestfirst.domains.n_queens import NQueens
from bestfirst.domains.pancake import Pancake
from bestfirst.domains.pocket_cube import PocketCube
from bestfirst.domains.road_map import RoadMap, RoadNetwork
from bestfirst.domains.rubiks_cube import RubiksCube
from bestfirst.domains.sliding_tile import SlidingTile
from bestfirst.domains.top_spin import TopSpin
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
        GridMap,
        Tree,
        NQueens,
        WaterJugs,
        Pancake,
        TowersOfHanoi,
        MissionariesCannibals,
        TopSpin,
        PocketCube,
        RubiksCube,
        LightsOut,
    )
}
"""All domains, by their names on the command line."""

__all__ = [
    "DOMAINS",
    "GridMap",
    "JumpingTiles",
    "LightsOut",
    "MissionariesCannibals",
    "NQueens",
    "Pancake",
    "PocketCube",
    "RoadMap",
    "RoadNetwork",
    "RubiksCube",
    "SlidingTile",
    "TopSpin",
    "TowersOfHanoi",
    "Tree",
    "WaterJugs",
]

"""Known code hashes of the library's own domains: their tables stay valid when code is only rearranged.

A pattern database records a hash of the code that built it (see identity.py). The hash changes whenever that code is
renamed, moved or tidied, even if the table stays the same. So this file lists the valid hashes for each domain of the
library.
A table with any of them is valid; a new table gets the first one.

When you change a domain so that its tables change, replace its hashes with a new word, such as "tiles 2".
When you change only its code, leave this file as it is.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

HASHES: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {
        "CityNetwork": ("d1b55ed7c276a5b5", "0ba73bab031deb45", "638441a69c939c01"),
        "CubeCorners": ("7d1672e65a3394a7", "7c055cf5b18ad0df", "2c703d2aca2eb4de"),
        "CubeEdges": ("dc1ad5ca0f3c2d77", "202100a61a394f89", "2548d9d2c2dcb3f8"),
        "GridMap": ("7545996ea906f45a", "a0b5fb46f4c387a7", "0122ee813695dd41"),
        "HanoiPattern": ("7c8ebe95b29660cb", "ea3b15a8a132560c", "0e855d52b9c6dac8"),
        "LightsOut": ("ddade31f8ef47c81", "653123306abc7df6", "b9a560abc3511ef7"),
        "MissionariesCannibals": ("ddfb19df26203f53", "b425cb5a36fe85b6", "b35f1a9ae7309bab"),
        "PackedHanoi": ("6f97546b402e1422", "e4a4631cfd515ce8", "efdf7963bab1ef48"),
        "PackedJugs": ("80c7b9a5a5a09452", "626bb3b87d1c58ff", "c114850758971625"),
        "PackedJumpingTiles": ("6e61a7f24aca1fcf", "11ebb6b76ff5c289", "232baf6faaf64efd"),
        "PackedPancake": ("47592e048aae3ef9", "59e3a8c3ddd2156b", "003a74680243669a"),
        "PackedQueens": ("ce0d03b515976263", "66eebf11fac12ee3", "29a13bb3584a2db0"),
        "PackedTiles": ("0bacab39583b7fd6", "9782fbd1999a45c3", "212e8a0dbedc527b"),
        "PancakePattern": ("ccb2187a2826c6a1", "06862067b1cf9514", "25a6e067ea6ae96b"),
        "PatternTiles": ("5567ed1b47226cf8", "bc3a9b77535590c9", "4b26744765d42007"),
        "PatternedTiles": ("1a9932e0edb1e857", "f25b8f3de2fab895", "2742a8da9f31328c"),
        "PocketCube": ("cb19ba0b5003677f", "d0dc05f54599b190", "63f2cf5b17697243"),
        "Projection": ("projection 1",),
        "RankedTiles": ("28679d22b783d932", "9070fbd9936de211", "6fb1aef96f67f59f"),
        "RingPattern": ("cb3e859a9a328a83", "7d3e1d7559791c15", "5478b15e17e30441"),
        "RoadNetwork": ("c01e2b282e4f28dd", "0f2ff692783d4e65", "510e266787285c9a"),
        "RubiksCube": ("0d8218282d1d4f4b", "36a99adaf869ef4e", "cb76604df5328787"),
        "SpreadTiles": ("34329bc906579573", "e106596d30375f62", "58f54951b43f0acc"),
        "TopSpin": ("453bc59c41b34e4d", "56692e66c088b1d0", "520f268123fa0a69"),
        "WideTiles": ("56c785ecb7a49ed5", "471cb1b46cd248a7", "96d66ada59a3bf4b"),
    }
)
"""Hashes of the code of each class as Python 3.11, 3.12 and 3.13 parse it."""

"""Jumping tiles: black and white tiles change sides by jumping over each other."""

from __future__ import annotations

from bestfirst.domains.jumping_tiles.problem import JumpingTiles

__all__ = ["JumpingTiles"]

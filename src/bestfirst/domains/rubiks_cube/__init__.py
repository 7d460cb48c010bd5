"""Rubik's cube (3 x 3 x 3) in the face-turn metric."""

from __future__ import annotations

from bestfirst.domains.rubiks_cube.problem import RubiksCube

__all__ = ["RubiksCube"]

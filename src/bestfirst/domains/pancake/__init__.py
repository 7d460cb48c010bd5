"""The pancake puzzle: sort a stack by flipping its top."""

from __future__ import annotations

from bestfirst.domains.pancake.problem import Pancake

__all__ = ["Pancake"]

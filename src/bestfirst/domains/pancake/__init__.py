"""The pancake puzzle: sort a stack by turning over its top."""

from __future__ import annotations

from bestfirst.domains.pancake.problem import Pancake

__all__ = ["Pancake"]

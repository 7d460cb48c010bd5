"""The Towers of Hanoi, with any number of discs and at least three pegs."""

from __future__ import annotations

from bestfirst.domains.towers_of_hanoi.problem import TowersOfHanoi

__all__ = ["TowersOfHanoi"]

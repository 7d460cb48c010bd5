"""The Towers of Hanoi, with any number of discs and of pegs from three on."""

from __future__ import annotations

from bestfirst.domains.towers_of_hanoi.problem import TowersOfHanoi

__all__ = ["TowersOfHanoi"]

"""Heuristics as things one can reason about: marking, composing, auditing."""

from bestfirst.heuristics.composition import maximum, scaled, total
from bestfirst.heuristics.heuristic import ZERO, Heuristic, heuristic

__all__ = ["ZERO", "Heuristic", "heuristic", "maximum", "scaled", "total"]

"""Heuristics as things one can reason about: marking, composing, auditing."""

from bestfirst.heuristics.composition import maximum, scaled, total
from bestfirst.heuristics.from_databases import Additive, Largest
from bestfirst.heuristics.heuristic import ZERO, Heuristic, heuristic

__all__ = ["ZERO", "Additive", "Heuristic", "Largest", "heuristic", "maximum", "scaled", "total"]

"""Heuristics as objects: marking, composing, auditing."""

from bestfirst.heuristics.combining import max_of, sum_of
from bestfirst.heuristics.composition import maximum, scaled, total
from bestfirst.heuristics.from_databases import Additive, Largest
from bestfirst.heuristics.heuristic import ZERO, Heuristic, heuristic

__all__ = ["ZERO", "Additive", "Heuristic", "Largest", "heuristic", "max_of", "maximum", "scaled", "sum_of", "total"]

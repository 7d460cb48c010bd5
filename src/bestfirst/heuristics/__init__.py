"""Heuristics as objects: marking, composing, auditing."""

from importlib import import_module
from typing import Any

from bestfirst.deprecated import warn_deprecated
from bestfirst.heuristics.combining import max_of, sum_of
from bestfirst.heuristics.composition import scaled
from bestfirst.heuristics.heuristic import ZERO, Heuristic, heuristic

__all__ = ["ZERO", "Heuristic", "heuristic", "max_of", "scaled", "sum_of"]

_DEPRECATED = {
    "Additive": ("from_databases", "bf.sum_of(one, other)"),
    "Largest": ("from_databases", "bf.max_of(one, other)"),
    "maximum": ("composition", "bf.max_of(one, other)"),
    "total": ("composition", "bf.sum_of(one, other, because=...)"),
}


def __getattr__(name: str) -> Any:
    if name not in _DEPRECATED:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    module, instead = _DEPRECATED[name]
    warn_deprecated(f"heuristics.{name}", instead)
    return getattr(import_module(f"{__name__}.{module}"), name)

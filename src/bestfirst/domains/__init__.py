"""The problems that come with bestfirst, by name."""

from __future__ import annotations

from bestfirst.domains.sliding_tile import SlidingTile
from bestfirst.problem import Problem

DOMAINS: dict[str, type[Problem]] = {domain.name(): domain for domain in (SlidingTile,)}
"""Every domain by its name on the command line."""

__all__ = ["DOMAINS", "SlidingTile"]

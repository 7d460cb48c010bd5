"""TopSpin: tokens in a ring, and a turnstile that reverses a few neighbours."""

from __future__ import annotations

from bestfirst.domains.top_spin.problem import TopSpin

__all__ = ["TopSpin"]

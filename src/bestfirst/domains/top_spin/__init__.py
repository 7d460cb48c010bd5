"""TopSpin: tokens in a ring, and a turnstile that turns a few neighbours round."""

from __future__ import annotations

from bestfirst.domains.top_spin.problem import TopSpin

__all__ = ["TopSpin"]

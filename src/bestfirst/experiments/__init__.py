"""Experiments: a spec says what is run; each run is recorded as it ends, and is never done twice."""

from __future__ import annotations

from bestfirst.experiments.running import Progress, run

__all__ = ["Progress", "run"]

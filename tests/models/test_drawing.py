"""The pictures of the models."""

from __future__ import annotations

import re

import pytest

from bestfirst.models.drawing import Bar, bars


@pytest.mark.parametrize(("end", "ticks"), [(0, "0 1"), (6, "0 1 2 3 4 5 6"), (13, "0 5 10"), (601, "0 200 400 600")])
def test_times_are_round_numbers(end: int, ticks: str) -> None:
    """On the axis of a chart of bars."""
    picture = bars(["row"], [Bar(0, 0, end)], end)
    assert re.findall(r">(\d+)</text>", picture) == ticks.split()

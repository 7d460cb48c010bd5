"""Slices of work take about the same time."""

from __future__ import annotations

from bestfirst.system.watch import SECONDS_PER_SLICE, next_slice


def test_a_slice_grows_while_it_is_short_and_shrinks_when_it_is_long() -> None:
    """At the rate of the last one, the next one takes no longer than planned, and in the end exactly so long."""
    sizes: list[int] = []
    size, seconds_of_one = 100, 1e-8
    while not sizes or sizes[-1] != size:
        sizes.append(size)
        size = next_slice(size, size * seconds_of_one, 100)
        assert size * seconds_of_one <= 1.01 * SECONDS_PER_SLICE
    assert sizes[:4] == [100, 6_400, 409_600, 819_200]
    assert abs(size * seconds_of_one / SECONDS_PER_SLICE - 1) < 0.01
    assert next_slice(size, 1.0, 100) == size // 20
    assert next_slice(200, 1.0, 100) == 100

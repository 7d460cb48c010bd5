"""The scheduler on a virtual clock."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bestfirst.distributed.simulation import Divisions, Setting, Simulation
from profiles import examples

EVEN = Divisions([[size, size] for size in (10**3, 10**5, 10**7)])
UNEVEN = Divisions([[size, 19 * size] for size in (10**3, 10**5, 10**7)])
SETTING = Setting(10, rate=1e6, seconds_per_job=1)


def test_even_subtrees_keep_all_workers_busy() -> None:
    """Without latency or work of the driver, hardly any time is lost; the time is that of the expansions."""
    setting = replace(SETTING, latency=0, seconds_per_message=0, seconds_per_part=0)
    found = Simulation(10**9, EVEN, setting).run()
    assert 0.97 < found.efficiency <= 1
    assert found.seconds == pytest.approx(10**9 / 1e6 / 10 / found.efficiency)
    assert found.driver == 0


def test_one_worker_waits_for_messages_only() -> None:
    """Each job, of at most a second, is preceded by a message both ways and an answer of the driver."""
    setting = replace(SETTING, workers=1, latency=0.1, seconds_per_message=0.05, seconds_per_part=0)
    found = Simulation(10**8, EVEN, setting).run()
    assert 0.5 < found.efficiency < 1 / 1.25


def test_a_driver_that_is_too_slow_is_the_limit() -> None:
    """More workers do not help then."""
    slow = replace(SETTING, seconds_per_message=0.2, seconds_per_job=0.5)
    few, many = (Simulation(10**8, EVEN, replace(slow, workers=workers)).run() for workers in (10, 100))
    assert many.driver > 0.95
    assert many.seconds > 0.5 * few.seconds


def test_larger_jobs_cost_the_driver_less() -> None:
    short, long = (Simulation(10**9, EVEN, replace(SETTING, seconds_per_job=seconds)).run() for seconds in (0.5, 5))
    assert long.driver < short.driver / 2


@examples(20)
@given(seed=st.integers(0, 99), workers=st.integers(1, 20), seconds=st.sampled_from([5.0, 50.0]))
def test_failures_cost_time_only(seed: int, workers: int, seconds: float) -> None:
    """Every expansion counts once, however often workers fail (the simulation checks that), and it takes longer."""
    setting = replace(SETTING, workers=workers, seconds_between_failures=seconds, seconds_to_replace=1)
    found = Simulation(3 * 10**7, UNEVEN, setting, seed).run()
    assert 0 < found.efficiency <= 1


def test_lost_jobs_are_counted() -> None:
    setting = replace(SETTING, seconds_between_failures=10, seconds_to_replace=1)
    assert Simulation(10**9, EVEN, setting).run().losses > 10

"""Which Ray cluster a program is connected to; a stand-in for the package notes the calls."""

from __future__ import annotations

import os
import signal
from typing import Any

import pytest

import bestfirst as bf
from bestfirst.system.ray_cluster import connect, holding_off_ctrl_c
from bestfirst.system.threads import processors


class StandIn:
    """Of Ray. runs: whether a cluster runs on this machine, for which init() takes no number of processors."""

    def __init__(self, *, runs: bool = False, error: Exception | None = None) -> None:
        self._runs, self._error = runs, error
        self.connected: list[int | None] = []
        """For each connection, the number of processors of the cluster that was started; None: none was."""

    def is_initialized(self) -> bool:
        return bool(self.connected)

    def init(self, num_cpus: int | None = None, **_options: Any) -> None:
        if self._runs and num_cpus is not None:
            raise ValueError("num_cpus must not be provided")
        if self._error is not None:
            raise self._error
        assert os.environ["RAY_USAGE_STATS_ENABLED"] == "0"
        self.connected.append(num_cpus)


@pytest.fixture(autouse=True)
def _environment(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("RAY_ADDRESS", "RAY_USAGE_STATS_ENABLED", "RAY_ACCEL_ENV_VAR_OVERRIDE_ON_ZERO"):
        monkeypatch.setenv(name, "")
        monkeypatch.delenv(name)


def test_a_cluster_is_started_only_if_none_runs_and_none_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    """It then has the processors of this program; a second connection is not made."""
    alone, beside, named = StandIn(), StandIn(runs=True), StandIn(runs=True)
    for ray in (alone, alone, beside):
        connect(ray)
    monkeypatch.setenv("RAY_ADDRESS", "somewhere:6379")
    connect(named)
    assert (alone.connected, beside.connected, named.connected) == ([processors()], [None], [None])


@pytest.mark.parametrize("address", ["", "nowhere:1"])
def test_without_a_connection_the_error_says_why(monkeypatch: pytest.MonkeyPatch, address: str) -> None:
    """Nothing else is started, the environment is as before, and what Ray adds is left out."""
    monkeypatch.setenv("RAY_ADDRESS", address)
    path = os.environ.get("PYTHONPATH")
    ray = StandIn(error=ConnectionError("nobody answers\na long trace"))
    with pytest.raises(bf.InputError, match=r"nobody answers; check RAY_ADDRESS"):
        connect(ray)
    assert not ray.connected
    assert os.environ.get("PYTHONPATH") == path


def test_ctrl_c_waits_until_ray_has_started_or_ended() -> None:
    """However often it is pressed: Ray would end the process. Afterwards it is felt once."""
    reached = []
    with pytest.raises(KeyboardInterrupt), holding_off_ctrl_c():
        signal.raise_signal(signal.SIGINT)
        signal.raise_signal(signal.SIGINT)
        reached.append("the end")
    assert reached
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler

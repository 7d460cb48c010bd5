"""The connection to a Ray cluster, as a batch or a search uses it; Ray itself is replaced."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

from bestfirst.system import ray_cluster
from bestfirst.system.ray_cluster import Connection, ConnectionEndedError


class AnotherRay:
    """What a Connection asks Ray for; node: the one that the program is connected to."""

    node: str | None = "first"

    def is_initialized(self) -> bool:
        return self.node is not None

    def get_runtime_context(self) -> Any:
        return SimpleNamespace(get_job_id=lambda: "01", get_node_id=lambda: self.node)


@pytest.fixture
def ray(monkeypatch: pytest.MonkeyPatch) -> AnotherRay:
    monkeypatch.setattr(ray_cluster, "connect", lambda _: None)
    return AnotherRay()


@pytest.mark.parametrize("node", [None, "second"])
@pytest.mark.parametrize("error", [None, SystemExit(0), ValueError("its owner is unknown")])
def test_a_connection_that_the_program_ends_is_told(ray: AnotherRay, node: str | None, error: BaseException | None) -> None:
    """Whatever Ray says of it, and if Ray has connected to another cluster by itself."""
    connection = Connection(ray)

    def call() -> None:
        with connection.used():
            ray.node = node
            if error is not None:
                raise error

    if error is None:
        call()
    with pytest.raises(ConnectionEndedError, match="has ended"):
        call()
    assert connection.has_ended


def test_other_errors_stay_what_they_are(ray: AnotherRay) -> None:
    """And nothing is raised without one."""
    connection = Connection(ray)
    with connection.used():
        pass
    with pytest.raises(ValueError, match="of the problem"), connection.used():
        raise ValueError("of the problem")
    assert not connection.has_ended and not connection.is_ours

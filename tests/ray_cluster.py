"""A small Ray cluster for tests: two nodes on this machine, of one processor each, started once for all tests of a file."""

from __future__ import annotations

import logging
import os
import warnings
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

import bestfirst

BYTES_OF_OBJECTS = 80 << 20
"""Of each node's object store: the least that Ray takes."""


@pytest.fixture(scope="module")
def ray_cluster() -> Iterator[Any]:
    """The ray.cluster_utils.Cluster, to which this process is connected; a test may add nodes, and remove those again.

    second: its second node, which the last test of a file may remove.
    """
    pytest.importorskip("ray")
    with pytest.MonkeyPatch.context() as patch, warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of Ray, about itself
        patch.setenv("RAY_USAGE_STATS_ENABLED", "0")
        patch.setenv("RAY_ACCEL_ENV_VAR_OVERRIDE_ON_ZERO", "0")
        patch.setenv("PYTHONPATH", os.pathsep.join(filter(None, (_package(), os.environ.get("PYTHONPATH")))))
        import ray  # noqa: PLC0415  (an extra)
        from ray.cluster_utils import Cluster  # noqa: PLC0415

        small = {"num_cpus": 1, "object_store_memory": BYTES_OF_OBJECTS, "include_dashboard": False}
        cluster = Cluster(initialize_head=True, head_node_args=small)
        try:
            cluster.second = cluster.add_node(num_cpus=1, object_store_memory=BYTES_OF_OBJECTS)  # type: ignore[attr-defined]
            ray.init(address=cluster.address, log_to_driver=False, logging_level=logging.ERROR)
            yield cluster
        finally:
            with suppress(Exception):
                ray.shutdown()
            cluster.shutdown()  # type: ignore[no-untyped-call]


def _package() -> str:
    """The directory of the package under test, for the workers."""
    return str(Path(bestfirst.__file__).parents[1])

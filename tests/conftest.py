"""What all tests share: hypothesis profiles, a cache of compiled code and directories of databases of their own, and Ctrl-C."""

from __future__ import annotations

import gc
import os
import signal
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest

import profiles  # noqa: F401 - registers them
from bestfirst.attempt import _COMPILED
from bestfirst.compiled.compiler import shared
from bestfirst.games.engine import engine_choice
from bestfirst.own_errors import ROOTS
from browser import browser  # noqa: F401 - a fixture
from ray_cluster import ray_cluster  # noqa: F401 - a fixture
from served import studio  # noqa: F401 - a fixture

LONG = (
    "test_ray.py",
    "test_benchmarks.py",
    "test_studio_pages.py",
    "test_book.py",
    "test_cells.py",
    "test_whole_space.py",
    "test_relaxation_heuristics.py",
    "test_shared_distances.py",
)
"""Files of few tests that take long, or that wait for other processes. test_ray_crew.py is not one of them: it is among the last
ones, as two Ray clusters at once need much memory, and its actors must be ready before the search ends."""


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """The workers take the files in this order: no long one is left for the end, when the others have nothing to do."""
    tests = Counter(item.path for item in items)
    place = {name: number for number, name in enumerate(LONG)}
    items.sort(key=lambda item: (place.get(item.path.name, len(LONG)), -tests[item.path]))


def pytest_collection_finish() -> None:
    """Keep no bytecode of modules that tests write and edit: its stamp counts whole seconds.

    And let the garbage collector pass over what the tests themselves consist of; it takes a tenth of the time of compiling.
    """
    sys.dont_write_bytecode = True
    gc.collect()
    gc.freeze()
    gc.set_threshold(20_000, 20, 20)


@pytest.fixture(autouse=True)
def searches_begin_as_in_a_new_process() -> None:
    """No test gives up the head start of the reference engine because of what another one has compiled."""
    _COMPILED.clear()
    engine_choice._NODES.clear()
    engine_choice._REFUSED.clear()
    engine_choice._WARNED.clear()


@pytest.fixture(autouse=True)
def directories_of_own_files_are_left() -> Iterator[None]:
    """Each import searches them, and each module that is imported is compared with them: hundreds would take half the time."""
    path, roots = [*sys.path], {*ROOTS}
    yield
    sys.path[:] = path
    ROOTS.intersection_update(roots)


@pytest.fixture(scope="session", autouse=True)
def compiled_code_is_kept_apart(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Compile in a directory of this test run, so that no test depends on what the user has; or in one that `make quick` keeps."""
    of_this_worker = tmp_path_factory.getbasetemp()
    of_this_run = of_this_worker.parent if "PYTEST_XDIST_WORKER" in os.environ else of_this_worker
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("BESTFIRST_CACHE", os.environ.get("BESTFIRST_TEST_CACHE", str(of_this_run / "compiled")))
        yield


@pytest.fixture(scope="session", autouse=True)
def functions_that_many_tests_compile_are_kept() -> None:
    """More of them than one program needs; the domains of the tests would soon drive them out."""
    shared.MOST_SHARED = 2048


@pytest.fixture(scope="module", autouse=True)
def databases(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """A directory of pattern databases for each module of tests, whose tests share what they build."""
    directory = tmp_path_factory.mktemp("databases")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("BESTFIRST_DATA", str(directory))
        yield directory


@pytest.fixture(scope="session", autouse=True)
def ctrl_c_is_not_ignored() -> None:
    """A shell has programs in the background ignore Ctrl-C, and those that they start do too; so make it mean something again."""
    if signal.getsignal(signal.SIGINT) == signal.SIG_IGN:
        signal.signal(signal.SIGINT, signal.default_int_handler)

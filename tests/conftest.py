"""What all tests share: a cache of compiled code of their own."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from bestfirst.solve import _COMPILED


@pytest.fixture(autouse=True)
def searches_begin_as_in_a_new_process() -> None:
    """No test gives up the head start of the reference engine because of what another one has compiled."""
    _COMPILED.clear()


@pytest.fixture(scope="session", autouse=True)
def compiled_code_is_kept_apart(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Compile and build databases in directories of this test run, so that no test depends on what the user has."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("BESTFIRST_CACHE", str(tmp_path_factory.mktemp("compiled")))
        patch.setenv("BESTFIRST_DATA", str(tmp_path_factory.mktemp("databases")))
        yield

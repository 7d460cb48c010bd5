"""A copy of a worker process ends before it answers."""

from __future__ import annotations

import os

import pytest

from bestfirst.system.copies import Original


@pytest.mark.filterwarnings("ignore:.*fork:DeprecationWarning")
@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")
def test_only_a_copy_ends() -> None:
    """The process itself goes on."""
    original = Original()
    copy = os.fork()
    if copy == 0:
        original.end_copy()
        os._exit(7)  # it would have answered
    _, status = os.waitpid(copy, 0)
    assert os.waitstatus_to_exitcode(status) == 1
    original.end_copy()

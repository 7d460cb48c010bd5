"""The policy for databases that are asked for by name."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import bestfirst as bf
from bestfirst.patterns.policy import Policy, current_policy, database_policy


def test_a_policy_holds_within_its_statement(tmp_path: Path) -> None:
    """And not after it."""
    before = current_policy()
    with database_policy(Policy(may_build=False, data=tmp_path, memory="2GiB")):
        assert current_policy() == Policy(may_build=False, data=tmp_path, memory="2GiB")
    assert current_policy() is before


@pytest.mark.parametrize(
    ("given", "why"),
    [
        ({"may_build": "no"}, "may_build is 'no'; pass True or False"),
        ({"data": 5}, "data is 5; pass a path"),
        ({"threads": 0}, "threads is 0"),
        ({"memory": []}, r"memory is \[\]; use a number of bytes"),
        ({"disk": "much"}, "disk is 'much'; use a number of bytes"),
        ({"progress": 5}, "progress is 5; pass a function of a Progress"),
    ],
)
def test_what_is_no_policy_is_refused(given: dict[str, Any], why: str) -> None:
    """In words, when it is made."""
    with pytest.raises(bf.InputError, match=why):
        Policy(**given)


def test_only_a_policy_can_hold() -> None:
    """Not False, say."""
    with pytest.raises(bf.InputError, match="policy is False"):
        database_policy(False).__enter__()  # type: ignore[arg-type]

"""The seal of what is kept as JSON."""

from __future__ import annotations

import json
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from bestfirst.patterns.storage.checksummed import is_whole, sealed, without_seal

VALUES = st.none() | st.booleans() | st.integers() | st.text() | st.lists(st.integers())
SAID = st.dictionaries(st.text(), VALUES)


@given(said=SAID)
def test_what_is_sealed_is_whole_when_it_is_read(said: dict[str, Any]) -> None:
    """Whatever order its members are in, and sealed twice as once."""
    read = json.loads(json.dumps(sealed(said)))
    assert is_whole(dict(reversed(read.items())))
    assert without_seal(read) == without_seal(said)
    assert sealed(read) == read


@given(said=SAID, name=st.text(), value=VALUES)
def test_what_is_changed_is_not_whole(said: dict[str, Any], name: str, value: Any) -> None:
    """Another value, one more, and one that is missing; nor is what has no seal."""
    changed = {**sealed(said), name: value}
    assert is_whole(changed) == (json.dumps(changed) == json.dumps(sealed(said)))
    for missing in sealed(said):
        assert not is_whole({one: other for one, other in sealed(said).items() if one != missing})

"""JSON with a checksum: a database whose header or progress was changed is refused, and gives no wrong estimates."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from typing import Any

SEAL = "seal"


def sealed(said: Mapping[str, Any]) -> dict[str, Any]:
    """The object with its seal; an existing seal is replaced."""
    return {**without_seal(said), SEAL: _digest(said)}


def without_seal(said: Mapping[str, Any]) -> dict[str, Any]:
    """The object without its seal."""
    return {name: value for name, value in said.items() if name != SEAL}


def is_whole(said: Mapping[str, Any]) -> bool:
    """Whether the seal exists and matches the rest."""
    return said.get(SEAL) == _digest(said)


def _digest(said: Mapping[str, Any]) -> str:
    as_read = json.loads(json.dumps(without_seal(said)))  # a tuple is read as a list, the key 1 as "1"
    return hashlib.sha256(json.dumps(as_read, sort_keys=True).encode()).hexdigest()

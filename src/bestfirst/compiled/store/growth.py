"""Arrays that grow: the number of nodes of a search need not be known in advance."""

from __future__ import annotations

from typing import Any

import numpy as np


def grown(array: Any, size: int) -> Any:
    """A longer array that begins with the content of the given one."""
    longer = np.zeros(size, array.dtype)
    longer[: len(array)] = array
    return longer

"""The kinds of arguments (machine_code.py) as types of Numba."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numba
from numba.core import types

from bestfirst.compiled.compiler.machine_code import Kinds, dtype_of

if TYPE_CHECKING:
    from bestfirst.compiled.compiler.numba_types import Kind


def numba_type(kind: str | Kinds) -> Kind:
    """The Numba type of arguments of a kind."""
    if isinstance(kind, tuple):
        return types.Tuple([numba_type(part) for part in kind])
    dtype, _, dimensions = kind.partition("[")
    element = numba.from_dtype(dtype_of(dtype))
    return types.Array(element, int(dimensions[:-1]), "C") if dimensions else element

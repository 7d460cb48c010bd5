"""What compiled code can represent of the values that methods read from their module and from self."""

from __future__ import annotations

import builtins
import enum
import types
from functools import cache
from typing import Any

import numpy as np

from bestfirst.compiled.compiler.state_fields import MOST_WORDS

NUMBERS = (bool, int, float)
MISSING = object()
"""The marker of a name that is not at module level."""
LEAST, MOST, WORD = -(1 << 63), (1 << 63) - 1, 1 << 64


def is_patched(name: str, module: types.ModuleType = builtins) -> bool:
    """Whether a function of builtins, or of math, has been replaced there."""
    value: Any = getattr(module, name, None)
    is_builtin = isinstance(value, types.BuiltinFunctionType | type)
    return not (is_builtin and value.__module__ == module.__name__ and value.__name__ == name)


def is_number(value: object) -> bool:
    """Whether a value is a number that compiled code can represent: a number of Python, or a member of an IntEnum.

    The operators of other classes may mean something else, as those of NumPy's numbers do: np.uint8(200) + 100 is 44.
    """
    return type(value) in NUMBERS or (isinstance(value, enum.IntEnum) and _has_operators_of_int(type(value)))


@cache
def _has_operators_of_int(kind: type) -> bool:
    return all(getattr(kind, name, None) is getattr(int, name) for name in _OPERATORS)


_OPERATORS = frozenset(name for name in vars(int) if name.startswith("__")) - frozenset(
    f"__{name}__"
    for name in ("new", "repr", "str", "format", "hash", "doc", "getattribute", "getnewargs", "sizeof", "dir", "reduce_ex")
)
"""The special methods of int that give numbers their meaning."""


def is_tuple_of_ints(value: object) -> bool:
    """Whether a value is a tuple of ints that compiled code can represent."""
    if not (type(value) is tuple and 0 < len(value) <= MOST_WORDS):
        return False
    return all(is_number(part) and isinstance(part, int) and LEAST <= part <= MOST for part in value)


def as_plain(value: Any) -> bool | int | float:
    """The number as a Python number."""
    return int(value) if isinstance(value, enum.IntEnum) else value


def is_numpy_number(value: object) -> bool:
    """Whether a value is a number of NumPy, such as np.uint8(200), or an array that is one."""
    return isinstance(value, np.generic) or (isinstance(value, np.ndarray) and value.ndim == 0)


def type_of(value: object) -> str:
    """The name of its type, for messages."""
    kind = type(value)
    return f"numpy.{kind.__name__}" if issubclass(kind, np.generic) else kind.__name__


def as_noun(value: object) -> str:
    """What it is, for messages: "a dict", "a NumPy array"."""
    if value is None:
        return "None"
    if isinstance(value, np.ndarray):
        return "a NumPy array"
    name = type_of(value)
    return f"{'an' if name[0] in 'AEIOaeio' else 'a'} {name}"

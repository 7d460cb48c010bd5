"""Columns of numbers in JSON: little-endian arrays in base64, which a browser reads without parsing numbers one by one."""

from __future__ import annotations

import sys
from array import array
from base64 import b64decode, b64encode
from collections.abc import Iterable
from typing import Literal, TypeAlias, TypedDict

Kind: TypeAlias = Literal["u1", "u4", "i4", "f8"]
_TYPECODES = {"u1": "B", "u4": "I", "i4": "i", "f8": "d"}


class Column(TypedDict):
    """A column of numbers. type: u1, u4 and i4 are ints of 1 and 4 bytes, f8 floats of 8 bytes. data: the array in base64."""

    type: Kind
    data: str


def column(kind: Kind, numbers: Iterable[float]) -> Column:
    """The column of some numbers. Raises OverflowError for an int that does not fit."""
    values = array(_TYPECODES[kind], numbers)
    if sys.byteorder == "big":
        values.byteswap()
    return {"type": kind, "data": b64encode(values).decode("ascii")}


def numbers_of(given: Column) -> list[float]:
    """The numbers of a column."""
    values = array(_TYPECODES[given["type"]])
    values.frombytes(b64decode(given["data"]))
    if sys.byteorder == "big":
        values.byteswap()
    return list(values)

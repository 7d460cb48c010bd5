"""Where the keys of a TOML file are: without it, an error about a key could not name its line."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping

Keys = tuple[str | int, ...]
"""The way to a value, such as ("problems", 1, "limits", "seconds")."""

_WORD = r"""[\w-]+|"[^"\n]*"|'[^'\n]*'"""
_HEADER = re.compile(rf"\s*(\[\[?)\s*((?:{_WORD})(?:\s*\.\s*(?:{_WORD}))*)\s*\]")
_KEY = re.compile(rf"\s*((?:{_WORD})(?:\s*\.\s*(?:{_WORD}))*)\s*=")


def lines_of(text: str) -> dict[Keys, int]:
    """The line of each table and key of a TOML text, counting from 1. Keys of inline tables are on the line of the table."""
    found: dict[Keys, int] = {}
    numbers: dict[Keys, int] = {}
    table: Keys = ()
    for line, words in enumerate(text.split("\n"), 1):
        header = _HEADER.match(words)
        if header is not None:
            table = _table(_parts(header[2]), numbers, is_new=header[1] == "[[")
            found[table] = line
            continue
        key = _KEY.match(words)
        if key is not None:
            found.setdefault((*table, *_parts(key[1])), line)
    return found


def line_of(places: Mapping[Keys, int], keys: Iterable[str | int]) -> int | None:
    """The line of a value, or else of the innermost table around it that is known."""
    way = tuple(keys)
    while way and way not in places:
        way = way[:-1]
    return places.get(way)


def _table(parts: tuple[str, ...], numbers: dict[Keys, int], *, is_new: bool) -> Keys:
    """The way to the table of a header, with the number of each array of tables on the way."""
    way: Keys = ()
    for place, part in enumerate(parts, 1):
        way = (*way, part)
        if is_new and place == len(parts):
            numbers[way] = numbers.get(way, -1) + 1
        if way in numbers:
            way = (*way, numbers[way])
    return way


def _parts(dotted: str) -> tuple[str, ...]:
    return tuple(part.strip("\"'") for part in re.findall(_WORD, dotted))

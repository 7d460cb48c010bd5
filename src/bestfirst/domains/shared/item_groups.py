"""Patterns of puzzles with numbered items, as lists or by name: 6-5 stands for the first six items and the next five."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from itertools import accumulate, pairwise

from bestfirst.errors import InputError, shown


def item_groups(name: str, items: Sequence[int], what: str) -> list[list[int]]:
    """The items of each pattern. what: the items in words, in the order in which they are counted.

    Raises InputError for an invalid name, and for more items than the puzzle has.
    """
    counts = [int(count) for count in name.split("-")] if re.fullmatch(r"[1-9][0-9]?(-[1-9][0-9]?)*", name) else []
    if not counts or sum(counts) > len(items):
        wrong = f"adds up to {sum(counts)}" if counts else "does not name pattern databases"
        raise InputError(
            f"{shown(name)} {wrong}; write how many of the {len(items)} {what} each pattern has, "
            f"such as pdb:{_halves(len(items))}"
        )
    return [list(items[start:end]) for start, end in pairwise(accumulate(counts, initial=0))]


def some_items(pattern: Iterable[int], items: Sequence[int], what: str) -> set[int]:
    """The items of a pattern. what: a word for the items.

    Raises InputError for an invalid pattern, unknown items, and repeated items.
    """
    remedy = f"pass some of the {what} {min(items)} .. {max(items)}, each once"
    if isinstance(pattern, str) or not isinstance(pattern, Iterable):
        raise InputError(f"the pattern is {shown(pattern)}; {remedy}, such as {sorted(items)[:2]}")
    chosen = list(pattern)
    wrong = [item for item in chosen if item not in items or chosen.count(item) > 1]
    if wrong or not chosen:
        raise InputError(
            f"the pattern {'has unknown or repeated items: ' + ', '.join(map(repr, wrong)) if wrong else 'is empty'}; {remedy}"
        )
    return set(chosen)


def _halves(count: int) -> str:
    return "-".join(str(half) for half in (count // 2, count - count // 2) if half)

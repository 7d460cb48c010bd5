"""The patterns that a name such as 6-5 stands for, in puzzles whose items come in an order: the first six, and the next five."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import accumulate, pairwise

from bestfirst.errors import InputError


def item_groups(name: str, items: Sequence[int], what: str) -> list[list[int]]:
    """By pattern, its items. what: the items in words, in the order in which they are counted.

    Raises InputError for what is no such name, and for more items than there are.
    """
    counts = [int(count) for count in name.split("-")] if re.fullmatch(r"[1-9]\d?(-[1-9]\d?)*", name) else []
    if not counts or sum(counts) > len(items):
        raise InputError(
            f"{name!r} names no pattern databases; write how many of the {len(items)} {what} each pattern has, "
            f"such as pdb:{_halves(len(items))}"
        )
    return [list(items[start:end]) for start, end in pairwise(accumulate(counts, initial=0))]


def _halves(count: int) -> str:
    return "-".join(str(half) for half in (count // 2, count - count // 2) if half)

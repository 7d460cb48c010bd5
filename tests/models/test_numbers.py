"""The numbers that models are made of: what is not a list, a number or a name is refused, and the error says what to write."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

import bestfirst as bf
from bestfirst.models import MPDTSP, TSP, AssemblyLine, JobShop, OpenStacks, SequenceAlignment, TalentScheduling

TWO = [[0, 1], [1, 0]]


@pytest.mark.parametrize(
    ("make", "arguments", "options", "words"),
    [
        (TSP, (TWO,), {"names": 5}, "the names of places is 5; write a list of names"),
        (TSP, (TWO,), {"names": np.array(3)}, "write a list of names"),
        (TSP, (TWO,), {"names": [[1], 2]}, r"the name \[1\] in the names of places is not hashable"),
        (TSP, (TWO,), {"points": [1, 2]}, "entry 0 of points is 1; write a list"),
        (TSP, (TWO,), {"points": [("a", 1), ("b", 2)]}, "entry 0 of points contains 'a'; write finite numbers"),
        (TSP, (TWO,), {"points": [(0, 0), (math.nan, 1)]}, "entry 1 of points contains nan; write finite numbers"),
        (JobShop, (5,), {}, "jobs is 5; write a list of jobs"),
        (JobShop, ([1],), {}, "job 0 is 1; write a list of pairs"),
        (JobShop, ([[(0, 1)]],), {"machines": 5}, "the names of machines is 5"),
        (AssemblyLine, ([1, 2], 5, 9), {}, "precedence is 5; write a list of pairs"),
        (MPDTSP, (TWO, None, 4), {}, "commodities is None; write a list of commodities"),
        (TalentScheduling, ([[1]], [1], [1]), {"actors": [[1]]}, "of actors is not hashable"),
        (OpenStacks, ([[1]],), {"customers": [[1]]}, "of customers is not hashable"),
        (SequenceAlignment, (["AC", "A"],), {"gap": np.array([])}, "write a whole number"),
    ],
)
def test_what_cannot_be_read_is_refused(make: Any, arguments: tuple[Any, ...], options: dict[str, Any], words: str) -> None:
    """With the name of the argument."""
    with pytest.raises(bf.InputError, match=words):
        make(*arguments, **options)

"""What the arguments of kernels, and of what makes and calls them, are, for readers.

To type checkers they are anything: Numba compiles a kernel for the types of one domain, and the same function runs interpreted
on what NumPy returns.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeAlias

import numpy as np

Self: TypeAlias = Any
"""A domain's data, by their names in its methods; before as_self(), the tuple of them."""
State: TypeAlias = Any
"""A named tuple of ints."""
Pair: TypeAlias = Any
"""What is prepared for the expansion of a state (compiler/prepared_methods.py)."""
Number: TypeAlias = Any
"""A cost or an estimate: an int64, or a float64."""
Total: TypeAlias = Any
"""A sum of two of them: a uint64, or a float64 (totals.py)."""
Int: TypeAlias = Any
"""An int64: an index, a count, a key, ..."""
Flag: TypeAlias = Any
"""Whether something holds."""

Template: TypeAlias = Callable[..., Any]
"""A kernel, or a function that it calls, before the names that it reads have their meanings."""
Method: TypeAlias = Callable[..., Any]
"""A method of a domain, or a heuristic."""
Names: TypeAlias = dict[str, Any]
"""The meanings of names that code reads."""
SavedState: TypeAlias = dict[str, Any]
"""What a checkpoint says about a search, or about a part of it."""

NumberType: TypeAlias = type[np.number[Any]]
"""The type of the numbers in an array."""
Array: TypeAlias = Any
Address: TypeAlias = Any
"""The address of a value in memory: what kept_in_memory() returns (intrinsics.py)."""
Arrays: TypeAlias = tuple[Any, ...]
Searches: TypeAlias = Any
"""An array of one record, that of the search (kernels/slices.py)."""
Search: TypeAlias = Any
Scans: TypeAlias = Any
"""An array of one record, that of a scan of a table (kernels/distances.py)."""
Nodes: TypeAlias = Any
"""The nodes of a search: records (records.py), or arrays (nodes.py)."""
Table: TypeAlias = Any
"""Finds the node of a state (table.py, state_table.py)."""
OpenList: TypeAlias = Any
"""The arrays of buckets.py or heap.py."""
Levels: TypeAlias = Any
"""The arrays of levels.py."""
Entry: TypeAlias = Any
"""An entry of a heap."""
Expansions: TypeAlias = Any
"""The prepared expansions (prefetch.py)."""
Order: TypeAlias = Any
"""(g_first, h_first, h_second): nodes leave the agenda in order of g_first * g + h_first * h, ties in order of h_second * h."""

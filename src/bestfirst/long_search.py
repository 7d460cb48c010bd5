"""LongSearch: the heuristic and the algorithm that a problem names for long searches."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from bestfirst.arguments import suggesting_fields

if TYPE_CHECKING:
    from bestfirst.algorithms import AlgorithmChoice


@suggesting_fields
@dataclass(frozen=True)
class LongSearch:
    """What a problem uses if the default heuristic has not finished after 2,000 expansions (Problem.long_search).

        long_search = bf.LongSearch("pdb:7-8", bf.IDAStar(prune=8))

    heuristic: its name; it may be expensive to build, and must be admissible if the default is. algorithm: a name, or an object;
        None keeps the algorithm of the search. options: for an algorithm given by name.
    """

    heuristic: str
    algorithm: str | AlgorithmChoice | None = None
    options: Mapping[str, Any] = field(default_factory=dict)

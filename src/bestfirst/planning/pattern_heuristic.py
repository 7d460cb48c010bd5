"""pdb:3-7,1-5: pattern databases of a planning task, in memory, and the largest sum of distances that may be added.

The tables are made when the heuristic is named, which takes about a second for a million abstract states, and are kept as long as
the task is. A database that was stored with PatternDatabase.build or 'bestfirst pdb build' is used instead.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import inf
from time import perf_counter
from typing import TYPE_CHECKING, Any
from weakref import WeakKeyDictionary

import numpy as np

from bestfirst.errors import DatabaseError
from bestfirst.heuristics.heuristic import Heuristic
from bestfirst.patterns.building.progress import Progress, size_text
from bestfirst.patterns.policy import Policy, ProgressLine, current_policy
from bestfirst.planning.patterns import PREFIX, Pattern, additive_subsets, name_of, patterns_named
from bestfirst.planning.projections import Projection, pattern_text
from bestfirst.system.mapped_files import spoilt_by
from bestfirst.system.memory import available_bytes

if TYPE_CHECKING:
    from bestfirst.planning.task import State, Task

LARGEST = 2**31 - 2
"""The greatest finite estimate, as in compiled code: a greater sum is cut, which leaves it admissible and consistent."""
NOTE = "an abstract distance is never greater, and distances are added only if no operator affects two of the patterns"


@dataclass(frozen=True, eq=False)
class Table:
    """The distances in a projection. weights: each variable of the pattern, and what its value counts in the index.

    distances: an array; unknown: its entry where no goal can be reached.
    """

    weights: Sequence[tuple[int, int]]
    distances: Any
    unknown: int

    def distance(self, state: State) -> float:
        """The distance of the abstract state of a state; infinite if there is no path to a goal."""
        found = int(self.distances[sum(state[variable] * weight for variable, weight in self.weights)])
        return inf if found == self.unknown else found


@dataclass(frozen=True, eq=False)
class PatternEstimate:
    """The largest sum over the maximal additive subsets of the patterns: the canonical heuristic.

    tables: one for each pattern. subsets: of their indices.
    Source: Haslum, Botea, Helmert, Bonet & Koenig 2007.
    """

    tables: Sequence[Table]
    subsets: Sequence[Sequence[int]]

    def __call__(self, state: State) -> float:
        distances = [table.distance(state) for table in self.tables]
        most = max(sum(distances[one] for one in subset) for subset in self.subsets)
        return inf if inf in distances else min(most, LARGEST)


_TABLES: WeakKeyDictionary[Task, dict[Pattern, Table]] = WeakKeyDictionary()
"""The tables made so far in this process."""
_ESTIMATES: WeakKeyDictionary[Task, dict[tuple[Pattern, ...], PatternEstimate]] = WeakKeyDictionary()
"""The estimates made so far."""


def heuristic_named(task: Task, name: str) -> Heuristic | None:
    """The heuristic pdb:PATTERNS of a task; None for another name.

    Raises InputError for invalid patterns, and if a table may not be made, or there is no room for it.
    """
    if not name.startswith(PREFIX):
        return None
    return Heuristic(estimate_named(task, name), name, admissible=True, consistent=True, note=NOTE)


def estimate_named(task: Task, name: str) -> PatternEstimate:
    """The function of the heuristic, with or without "pdb:"."""
    known, patterns = _ESTIMATES.setdefault(task, {}), tuple(patterns_named(task, name))
    if patterns not in known or spoilt_by(known[patterns]) is not None:
        subsets = additive_subsets(task, patterns)
        known[patterns] = PatternEstimate(tables_of(task, patterns), subsets)
    return known[patterns]


def tables_of(task: Task, patterns: Sequence[Pattern]) -> list[Table]:
    """A table for each pattern: in memory, from disk, or made now under the policy."""
    known = _TABLES.setdefault(task, {})
    for pattern in patterns:
        if pattern not in known or spoilt_by(known[pattern]) is not None:
            projection = Projection(task, pattern)
            known[pattern] = _stored(projection) or _made(projection)
    return [known[pattern] for pattern in patterns]


def _table(projection: Projection, distances: Any, unknown: int) -> Table:
    weights = zip(projection.pattern, map(int, projection.multiplier), strict=True)
    return Table(tuple(weights), distances, unknown)


def _stored(projection: Projection) -> Table | None:
    """The table of a database on disk; None if there is none, or it is compressed."""
    from bestfirst.patterns.database import UNKNOWN, PatternDatabase  # noqa: PLC0415  (it imports the compiler)
    from bestfirst.patterns.identity import Identity  # noqa: PLC0415
    from bestfirst.patterns.storage.files import data_directory  # noqa: PLC0415

    try:
        directory = data_directory(current_policy().data)
    except DatabaseError:  # nothing can be stored there, so nothing is
        return None
    found = PatternDatabase.find(Identity.of(projection), lambda: projection, directory)
    return None if found is None or found.is_compressed else _table(projection, found.table, UNKNOWN)


def _made(projection: Projection) -> Table:
    """A table in memory, with one byte for each distance if these suffice.

    Raises DatabaseError if the policy forbids it, or if it takes more memory than there is.
    """
    from bestfirst.compiled.kernels.distances import FARTHEST, UNKNOWN  # noqa: PLC0415
    from bestfirst.compiled.kernels.regressions import FAR  # noqa: PLC0415
    from bestfirst.compiled.sweeps.regressions import RegressedDistances  # noqa: PLC0415  (it imports the compiler)

    policy = current_policy()
    _check_room(projection, policy)
    name = name_of([projection.pattern])
    line = ProgressLine(f"building {name}")
    started, progress = perf_counter(), Progress(projection.size)
    regressed = RegressedDistances(projection.regressions())
    try:
        for part in regressed.advance():
            progress.part, progress.known = part, int(part * projection.size)
            progress.seconds = perf_counter() - started
            (policy.progress or line)(progress)
    finally:
        line.close()
    array = regressed.array
    if array[array != FAR].max() > FARTHEST:
        return _table(projection, array, FAR)
    return _table(projection, np.minimum(array, UNKNOWN).astype(np.uint8), UNKNOWN)


def _check_room(projection: Projection, policy: Policy) -> None:
    from bestfirst.arguments import parse_bytes  # noqa: PLC0415
    from bestfirst.compiled.sweeps.regressions import BYTES_PER_STATE  # noqa: PLC0415

    text = pattern_text(projection.pattern)
    if not policy.may_build:
        raise DatabaseError(
            f"the pattern database of {text} does not exist, and building is forbidden; omit --no-build (in Python: "
            "may_build=False), or use another heuristic"
        )
    limit = available_bytes() if policy.memory is None else parse_bytes(policy.memory, "memory")
    needed = BYTES_PER_STATE * projection.size
    if needed > limit:
        raise DatabaseError(
            f"the pattern database of {text} takes {size_text(needed)} of memory while it is built, but "
            f"{'only' if policy.memory is None else 'the limit is'} {size_text(int(limit))}"
            f"{' is available' if policy.memory is None else ''}; use a smaller pattern"
        )

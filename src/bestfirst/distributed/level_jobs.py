"""The jobs of an enumeration on disk, or of the build of a table on disk, with workers, and what they answer.

A level has rounds. First the workers expand states of the level, and append the children to files, one for each worker and each
partition. When all have done so, they carry out these updates, each in partitions that no other worker has. A job that is
repeated has the same result, so that a worker that ends costs only its job.
Source: Korf 2008 (delayed duplicate detection); Kunkle & Cooperman 2007 (on several machines).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple, TypeAlias

Facts: TypeAlias = Mapping[str, Any]
"""What the file of a partition says about it."""
Files: TypeAlias = Mapping[str, int]
"""The names of files of updates, and how many of the updates count: a worker that ended may have left more."""

Counts: TypeAlias = tuple[int, ...]
"""What a job has counted: see partition_work.py."""


class Place(NamedTuple):
    """A partition whose states are expanded from a word on."""

    partition: int
    at: int


class Expand(NamedTuple):
    """Expand the states of a level in some partitions. facts: of each. tail: what the names of the files end with.

    most_bytes: the size of the files at which it returns what is left.
    """

    number: int
    level: int
    places: tuple[Place, ...]
    facts: Mapping[int, Facts]
    tail: str
    most_bytes: int


class Expanded(NamedTuple):
    """rest: what is left. files: all of the worker in this round, by partition."""

    counts: Counts
    rest: tuple[Place, ...]
    files: Mapping[int, tuple[str, int]]


class Merge(NamedTuple):
    """Carry out the updates of some partitions. facts: of those that have a file."""

    number: int
    level: int
    updates: Mapping[int, Files]
    facts: Mapping[int, Facts]


class Merged(NamedTuple):
    """facts: of the partitions, as far as they have files. rest: the partitions that are left."""

    counts: Counts
    facts: Mapping[int, Facts]
    rest: tuple[int, ...]


Job: TypeAlias = Expand | Merge

"""The additive pattern databases of a sliding-tile puzzle: the tables and their indices.

A name such as "pdb:7-8" gives the numbers of tiles of the patterns. The patterns of a puzzle, and those of the mirrored
board, are each looked up in a table (Lookup); the estimate is the sum over the patterns, and the larger of the two sums.

    pdb:7-8                   the smallest distance over all regions of the blank, the mirrored board too
    pdb:7-8/unmirrored        without the mirrored board
    pdb:6-6-6-6/regions       the distance for the region of the blank: larger tables, larger estimates
    pdb:6-6-6-6/spread        the same as pdb:6-6-6-6, with tables in mixed radix: twice as large, and faster

Source: Korf & Felner 2002.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from bestfirst.domains.shared.item_groups import some_items
from bestfirst.domains.sliding_tile.estimate import MOST_PATTERNS, Lookup, TileEstimate, shapes
from bestfirst.domains.sliding_tile.partitions import (
    MOST_CELLS,
    Shape,
    Size,
    check_pattern,
    count_entries,
    known_counts,
    mirrored,
    partition,
    usual_counts,
)
from bestfirst.errors import InputError, shown
from bestfirst.heuristics.heuristic import Heuristic
from bestfirst.holding import holds

if TYPE_CHECKING:
    from bestfirst.domains.sliding_tile.abstract import PatternTiles
    from bestfirst.domains.sliding_tile.packed import Tiles
    from bestfirst.domains.sliding_tile.rules import TileRules
    from bestfirst.patterns.database import PatternDatabase
    from bestfirst.problem import Problem

PREFIX = "pdb:"
QUICK_BUILD = 100_000_000
"""Abstract states, as counted by _states(), whose distances are computed in a few seconds."""
LARGEST_PATTERN = 8
REGIONS, SPREAD, UNMIRRORED = "regions", "spread", "unmirrored"
OPTIONS = (REGIONS, SPREAD, UNMIRRORED)
MOST_SPREAD = (1 << 31) - 1
"""The maximum bytes of a table in mixed radix: a move shifts an index by an int of 32 bits."""


@dataclass(frozen=True)
class Choice:
    """The databases named by, for example, pdb:7-8/regions. is_spread: see mixed_radix.py."""

    counts: tuple[int, ...]
    regions: bool = False
    is_spread: bool = False
    is_mirrored: bool = True

    @classmethod
    def from_name(cls, name: str) -> Choice:
        """Parse a name. Raises InputError for an invalid one."""
        sizes, *options = name.removeprefix(PREFIX).strip().split("/")
        is_known = set(options) <= set(OPTIONS) and len(set(options)) == len(options)
        if not re.fullmatch(r"[0-9]{1,3}(-[0-9]{1,3})*", sizes) or not is_known:
            raise InputError(
                f"{shown(name)} does not name pattern databases; write the number of tiles in each pattern, such as "
                f"pdb:7-8, optionally followed by /{REGIONS} or /{SPREAD}, and /{UNMIRRORED}, each once"
            )
        if REGIONS in options and SPREAD in options:
            raise InputError(
                f"{shown(name)}: tables with regions of the blank have no spread form; omit /{REGIONS} or /{SPREAD}"
            )
        return cls(tuple(map(int, sizes.split("-"))), REGIONS in options, SPREAD in options, UNMIRRORED not in options)

    @property
    def name(self) -> str:
        """The name."""
        options = f"/{REGIONS}" * self.regions + f"/{SPREAD}" * self.is_spread + f"/{UNMIRRORED}" * (not self.is_mirrored)
        return PREFIX + "-".join(map(str, self.counts)) + options


STRONG_AND_QUICK = Choice((7, 6, 2), regions=True)
"""For the 15-puzzle: by far the strongest for hard boards of those that are built in seconds; found by experiment."""


@cache
def lookups(size: Size, blank: int, choice: Choice) -> tuple[tuple[Lookup, ...], ...]:
    """The patterns whose values are added; and those of the mirrored board, if they differ."""
    patterns = partition(size, blank, choice.counts)
    others = mirrored(size, blank, patterns) if choice.is_mirrored else None
    alternatives = [patterns] if others is None else [patterns, others]
    return tuple(tuple(Lookup.of(size, pattern, blank) for pattern in alternative) for alternative in alternatives)


def heuristic_of(puzzle: TileRules, name: str) -> Heuristic:
    """The heuristic with this name for a puzzle; its databases are loaded, or built.

    Raises InputError for an invalid name, and one that does not fit this puzzle.
    """
    choice = Choice.from_name(name)
    alternatives = _checked_lookups(puzzle, choice)
    databases = {shape: database_of(shape, regions=choice.regions) for shape in shapes(alternatives)}
    tables = {shape: database.table for shape, database in databases.items()}
    key = puzzle.goal, choice, *map(id, tables.values())
    if key not in _ESTIMATES:
        files = [database.file for database in databases.values()]
        _ESTIMATES[key] = TileEstimate(puzzle.goal, alternatives, tables, files, regions=choice.regions)
    estimate = _ESTIMATES[key]

    def domain(of: Problem) -> Tiles | None:
        if not isinstance(of, type(puzzle)) or (of.size, of.goal) != (puzzle.size, puzzle.goal) or not holds(of, "domain"):
            return None
        return carrying_domain(of, estimate, choice)

    facts = estimate.facts
    return Heuristic(estimate, choice.name, admissible=True, consistent=facts.consistent, note=facts.note, domain=domain)


def quick_choice(puzzle: TileRules) -> str:
    """What "auto" stands for: the strongest databases that are built in a few seconds; one choice for each size of puzzle.

    If none may be built, or the board is too large: linear conflict if the compilable form has it, otherwise the default.
    """
    from bestfirst.patterns.policy import current_policy  # noqa: PLC0415

    quick = next((choice for choice in _choices(puzzle) if _states(puzzle, choice) <= QUICK_BUILD), None)
    if quick is not None and current_policy().may_build:
        return quick.name
    form = puzzle.domain()
    is_fast = form is not None and "linear-conflict" in form.heuristics()
    return "linear-conflict" if is_fast else puzzle.default_heuristic


def _choices(puzzle: TileRules) -> list[Choice]:
    """The candidates of "auto", the strongest first: those that compiled states can carry."""
    if min(puzzle.size) == 1 or len(puzzle.initial) > MOST_CELLS:
        return []
    counts = [*known_counts(puzzle.size), *(usual_counts(puzzle.size, most) for most in range(LARGEST_PATTERN, 3, -1))]
    choices = [
        *(Choice(one) for one in counts if len(one) <= MOST_PATTERNS),
        *([STRONG_AND_QUICK] if puzzle.size == (4, 4) else []),
    ]
    return sorted(dict.fromkeys(choices), key=lambda choice: (max(choice.counts), choice.regions), reverse=True)


def _states(puzzle: TileRules, choice: Choice) -> int:
    """About how many abstract states the databases of a choice have."""
    return sum(3 * count_entries(puzzle.size, count) // 2 for count in choice.counts)


def abstract_puzzles(puzzle: TileRules, name: str) -> list[PatternTiles]:
    """See SlidingTile.abstractions."""
    from bestfirst.domains.sliding_tile.abstract import PatternTiles  # noqa: PLC0415

    choice = Choice.from_name(name)
    return [PatternTiles(*shape, regions=choice.regions) for shape in shapes(_checked_lookups(puzzle, choice))]


def _checked_lookups(puzzle: TileRules, choice: Choice) -> tuple[tuple[Lookup, ...], ...]:
    """The lookups for a puzzle; raises InputError for patterns that are too large."""
    alternatives = lookups(puzzle.size, puzzle.goal.index(0), choice)
    for shape in shapes(alternatives):
        check_pattern(shape.size, shape.tiles, shape.blank)
        cells = shape.size[0] * shape.size[1]
        if choice.is_spread and cells ** len(shape.tiles) > MOST_SPREAD:
            raise InputError(
                f"{choice.name}: in spread form, a table of {len(shape.tiles)} tiles on {cells} cells would take "
                f"{cells ** len(shape.tiles):,} bytes, more than {MOST_SPREAD:,}; omit /{SPREAD}, or choose smaller patterns"
            )
    return alternatives


_ESTIMATES: dict[tuple[Any, ...], TileEstimate] = {}
"""The estimates of this process: by goal, choice and tables."""


def carrying_domain(puzzle: TileRules, estimate: TileEstimate, choice: Choice) -> Tiles | None:
    """The compilable form whose states carry the estimate; None if it has too many patterns."""
    from bestfirst.domains.sliding_tile.lookups import PatternedTiles  # noqa: PLC0415  (it imports NumPy)
    from bestfirst.domains.sliding_tile.mixed_radix import SpreadTiles  # noqa: PLC0415

    kind = SpreadTiles if choice.is_spread else PatternedTiles
    packed = any(estimate.is_packed.values()) and not choice.is_spread
    most = max(map(len, estimate.alternatives)) + packed
    if most > MOST_PATTERNS:
        return None
    if puzzle.moves not in estimate.forms:
        estimate.forms[puzzle.moves] = kind(puzzle, estimate, choice.name)
    made = estimate.forms[puzzle.moves]
    assert isinstance(made, PatternedTiles)
    return made.started_at(puzzle)


def projected(puzzle: TileRules, pattern: Iterable[int]) -> PatternTiles:
    """See SlidingTile.project."""
    from bestfirst.domains.sliding_tile.abstract import PatternTiles  # noqa: PLC0415

    tiles = some_items(pattern, range(1, len(puzzle.goal)), "tiles")
    cells = sorted(puzzle.goal.index(tile) for tile in tiles)
    return PatternTiles(puzzle.size, cells, puzzle.goal.index(0), names=[puzzle.goal[cell] for cell in cells])


_LOADED: dict[tuple[Path, str], tuple[PatternDatabase, Any]] = {}
"""The databases that this process has mapped into memory, with the stamps of their files."""


def find_database(shape: Shape, *, regions: bool) -> PatternDatabase | None:
    """The database of a shape; None if it does not exist."""
    from bestfirst.domains.sliding_tile.abstract import PatternTiles, pattern_parameters  # noqa: PLC0415
    from bestfirst.patterns.database import PatternDatabase  # noqa: PLC0415
    from bestfirst.patterns.identity import Identity  # noqa: PLC0415
    from bestfirst.patterns.policy import current_policy  # noqa: PLC0415
    from bestfirst.patterns.storage.files import data_directory, stamp  # noqa: PLC0415

    data = data_directory(current_policy().data)
    identity = Identity.from_parameters(
        PatternTiles, pattern_parameters(shape.size, shape.tiles, shape.blank, regions=regions)
    )
    key = data, identity.key
    now = stamp(data / identity.key)
    if key not in _LOADED or _LOADED[key][1] != now:
        found = PatternDatabase.find(identity, lambda: PatternTiles(*shape, regions=regions), data)
        if found is None:
            return None
        _LOADED[key] = found, now
    return _LOADED[key][0]


def database_of(shape: Shape, *, regions: bool) -> PatternDatabase:
    """The database of a shape, built if necessary and if the policy allows it; otherwise InputError is raised."""
    from bestfirst.domains.sliding_tile.abstract import PatternTiles  # noqa: PLC0415
    from bestfirst.patterns.named import build  # noqa: PLC0415

    found = find_database(shape, regions=regions)
    if found is not None:
        return found
    what = f"tiles at {' '.join(map(str, shape.tiles))} of {shape.size[0]}x{shape.size[1]}"
    return build(PatternTiles(*shape, regions=regions), what)

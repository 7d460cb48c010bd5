"""The terrain of a grid: which cells are free, what a step costs in them, and which steps are legal.

A row is a string of bytes, one for each cell: the letter of its terrain, or 1 for free and 0 for blocked. As an int, in which
cell x is byte x, it takes part in operations on all of its cells at once.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from numbers import Integral, Real
from typing import TYPE_CHECKING, Any, Literal, TypeAlias, TypedDict, get_args

from bestfirst.arguments import check_bool, check_kind
from bestfirst.errors import InputError, counted, shown

if TYPE_CHECKING:
    from numpy.typing import NDArray

Terrain: TypeAlias = list[bytes]
"""For each row, from the top, and each cell in it, from the left: the letter of its terrain."""

Corners: TypeAlias = Literal["never", "one", "always"]
"""Whether a diagonal step may cut corners: never, if at most one of the two cells beside it is blocked, or always."""

Weights: TypeAlias = "Mapping[str, float] | NDArray[Any]"
"""The weight of each letter, or an array with the weight of each cell."""

FREE = ".GS"
BLOCKED = "@OTW"
LEAST_WEIGHT, LARGEST_WEIGHT = 1e-100, 1e100
"""Weights between these keep the costs of steps and paths far from the limits of floats."""
_FREE_AND_BLOCKED = ".", "@"
_REMEDY = (
    "write rows of equal length, with . for a free cell and @ for a blocked cell; or pass a two-dimensional array of bools, "
    "in which True means free"
)
_WEIGHTS = f"use a number from {LEAST_WEIGHT:g} to {LARGEST_WEIGHT:g}"
_LETTERS = "letters such as .GSW"


class Rules(TypedDict, total=False):
    """The options of a GridMap."""

    neighbours: int
    corners: Corners
    weights: Weights | None
    passable: str | None
    wrap: bool


@dataclass(frozen=True)
class Legend:
    """What the letters of a map mean: which are free, and their weights, 1 if not given."""

    free: str
    weights: Mapping[str, float]

    @property
    def known(self) -> str:
        """All letters that a map may have."""
        return self.free + "".join(letter for letter in FREE + BLOCKED if letter not in self.free)

    def free_cells(self, terrain: Terrain) -> list[bytes]:
        """For each row and cell, 1 if it is free and otherwise 0."""
        kinds = bytes(chr(code) in self.free for code in range(256))
        return [row.translate(kinds) for row in terrain]

    def weights_of(self, terrain: Terrain, stride: int) -> list[float]:
        """The weight of each cell, `stride` cells for each row; a blocked cell has the lowest weight of a free one."""
        there = [letter for letter in map(chr, set(b"".join(terrain))) if letter in self.free]
        lowest = min((self.weights.get(letter, 1.0) for letter in there), default=1.0)
        by_code = [self.weights.get(chr(code), 1.0) if chr(code) in self.free else lowest for code in range(256)]
        return [by_code[code] for row in terrain for code in row.ljust(stride, b"@")]


def legend_of(passable: str | None, weights: Weights | None) -> Legend:
    """The legend for two options of GridMap; raises InputError if they are invalid."""
    if not (weights is None or isinstance(weights, Mapping) or hasattr(weights, "ndim")):
        raise InputError(
            f"weights is {shown(weights)}; write {{letter: weight}}, such as {{'S': 2.5}}, or pass an array of numbers"
        )
    given = weights if isinstance(weights, Mapping) else {}
    for letter, weight in given.items():
        _check_letter("weights", letter)
        check_weight(letter, weight)
    if passable is None:
        return Legend(FREE + "".join(letter for letter in given if letter not in FREE), _floats(given))
    if not isinstance(passable, str) or not passable:
        raise InputError(f"passable is {shown(passable)}; write the letters of the free cells, such as .GSW")
    for letter in passable:
        _check_letter("passable", letter)
    for letter in given:
        if letter not in passable:
            raise InputError(
                f"{shown(letter)} has a weight, but is not in passable ({shown(passable)}); add it there, or omit passable"
            )
    return Legend("".join(dict.fromkeys(passable)), _floats(given))


def _floats(weights: Mapping[str, float]) -> dict[str, float]:
    return {letter: float(weight) for letter, weight in weights.items()}


def check_weight(of: object, weight: object) -> None:
    """Raise InputError unless a weight is a number in the range of weights. of: the letter or the cell."""
    if isinstance(weight, Real) and not isinstance(weight, bool):
        with suppress(OverflowError):  # an int or a fraction beyond floats
            if LEAST_WEIGHT <= float(weight) <= LARGEST_WEIGHT:
                return
    raise InputError(f"the weight of {shown(of)} is {shown(weight)}; {_WEIGHTS}")


def weights_written(text: str) -> dict[str, float]:
    """The weights that a text such as "S=2.5 W=4" gives; raises InputError for another text."""
    weights: dict[str, float] = {}
    for part in text.replace(",", " ").split():
        letter, equals, number = part[:1], part[1:2], part[2:]
        try:
            if equals != "=" or letter in weights:
                raise ValueError
            weights[letter] = float(number)
        except ValueError:
            raise InputError(
                f"weights is {shown(text)}; write each letter once with its weight, such as 'S=2.5 W=4'"
            ) from None
    return weights


def _check_letter(what: str, letter: object) -> None:
    if not isinstance(letter, str) or len(letter) != 1 or letter.isspace() or not letter.isprintable() or ord(letter) > 255:
        raise InputError(f"{what} has {shown(letter)}, which is not a letter of a map; use {_LETTERS}")


def check_rules(neighbours: object, corners: object, wrap: object) -> None:
    """Raise InputError unless these options of GridMap are valid together."""
    if not isinstance(neighbours, Integral) or neighbours not in (4, 8):
        raise InputError(f"neighbours is {shown(neighbours)}; use 4 or 8")
    if not isinstance(corners, str) or corners not in get_args(Corners):
        raise InputError(f"corners is {shown(corners)}; use 'never', 'one' or 'always'")
    if neighbours == 4 and corners != "never":
        raise InputError(f"corners is {shown(corners)}, but with neighbours=4 no step is diagonal; omit one of the two")
    check_bool("wrap", wrap)


def terrain_of(cells: str | Sequence[str] | NDArray[Any] | Terrain, legend: Legend) -> Terrain:
    """The terrain from lines of text, a list of rows, or an array of bools; raises InputError for anything else."""
    if hasattr(cells, "ndim"):
        array: Any = cells
        if array.ndim != 2 or array.dtype != bool or not array.size:
            raise InputError(f"the map is an array of shape {array.shape} and type {array.dtype}; {_REMEDY}")
        free, blocked = _FREE_AND_BLOCKED
        if free not in legend.free or blocked in legend.free:
            raise InputError(
                "the cells of a map that is an array have no letters, only free (.) and blocked (@); omit passable and the "
                "weight of @, or write rows of letters"
            )
        letters = (blocked + free).encode().ljust(256)
        return [row.tobytes().translate(letters) for row in array]
    check_kind("the map", cells, Iterable, "lines of text, a list of rows, or an array of bools")
    rows: list[Any] = cells.split() if isinstance(cells, str) else list(cells)
    if rows and all(isinstance(row, bytes) for row in rows):
        known = legend.known.encode("latin-1")
        if rows[0] and all(len(row) == len(rows[0]) and not row.translate(None, known) for row in rows):
            return rows
        rows = [row.decode("latin-1") for row in rows]  # and the message says what is wrong
    if not all(isinstance(row, str) for row in rows):
        raise InputError(f"the map is {shown(cells)}; {_REMEDY}")
    if not rows or not rows[0]:
        raise InputError(f"the map is empty; {_REMEDY}")
    return terrain_of_rows(rows, len(rows[0]), legend, lambda row: f"row {row} of the map: ")


def terrain_of_rows(rows: Sequence[str], columns: int, legend: Legend, where: Callable[[int], str]) -> Terrain:
    """The terrain from rows of letters; where: returns the location of a row, counted from 0, for messages."""
    for number, row in enumerate(rows):
        if len(row) != columns:
            raise InputError(f"{where(number)}this row has {counted(len(row), 'cell')}, but the map is {columns} wide")
    known = set(legend.known)
    for number, row in enumerate(rows):
        unknown = set(row) - known
        if unknown:
            letter = min(unknown, key=row.index)
            blocked = " ".join(letter for letter in legend.known if letter not in legend.free)
            raise InputError(
                f"{where(number)}this row has the character {shown(letter)}; cells are {' '.join(legend.free)} (free)"
                + f" and {blocked} (blocked)" * bool(blocked)
            )
    return [row.encode("latin-1") for row in rows]


def array_of_weights(weights: NDArray[Any], height: int, width: int, stride: int) -> list[float]:
    """The weight of each cell from an array, `stride` cells for each row; raises InputError for an invalid array."""
    if weights.shape != (height, width) or weights.dtype.kind not in "iuf":
        raise InputError(
            f"weights is an array of shape {weights.shape} and type {weights.dtype}; pass numbers of shape {(height, width)}"
        )
    rows: list[list[float]] = weights.tolist()
    for y, row in enumerate(rows):
        for x, weight in enumerate(row):
            if not LEAST_WEIGHT <= weight <= LARGEST_WEIGHT:
                raise InputError(f"the weight of the cell {x},{y} is {weight}; {_WEIGHTS}")
    return [float(weight) for row in rows for weight in (*row, *(1.0,) * (stride - width))]


def legal_steps(
    free: Sequence[bytes],
    steps: Sequence[tuple[int, int]],
    stride: int,
    *,
    corners: Corners = "never",
    wrap: bool = False,
    rows: Iterable[int] | None = None,
) -> bytes:
    """The legal steps of each cell of some rows, default all, as bits of a byte, `stride` cells for each row.

    free: for each row and cell, 1 for free and 0 for blocked. steps: (to the right, down). wrap: whether a step leads from
    each side of the map to the other.
    A step is legal from a free cell to a free cell; which diagonal ones are, corners says.
    """
    height, width = len(free), len(free[0])

    def moved(cells: int, right: int) -> int:
        """A row in which each cell has the value of the cell `right` places to its right."""
        if right > 0:
            return cells >> 8 | (cells & 0xFF) << 8 * (width - 1) if wrap else cells >> 8
        if right < 0:
            kept = cells << 8
            return kept & ((1 << 8 * width) - 1) | cells >> 8 * (width - 1) if wrap else kept
        return cells

    def legal_in(above: int, here: int, below: int) -> int:
        """The legal steps from the cells of a row, in the byte of each."""
        legal = 0
        for number, (right, down) in enumerate(steps):
            there = (here, below, above)[down]
            open_ones = here & moved(there, right)
            if right and down and corners == "never":
                open_ones &= there & moved(here, right)
            elif right and down and corners == "one":
                open_ones &= there | moved(here, right)
            legal |= open_ones << number
        return legal

    def row(y: int) -> int:
        return int.from_bytes(free[y % height], "little") if wrap or 0 <= y < height else 0

    if rows is None:
        all_rows = [row(y) for y in range(-1, height + 1)]
        neighbouring: Iterable[tuple[int, int, int]] = zip(all_rows, all_rows[1:], all_rows[2:], strict=False)
    else:
        neighbouring = ((row(y - 1), row(y), row(y + 1)) for y in rows)
    return b"".join(legal_in(*three).to_bytes(stride, "little") for three in neighbouring)

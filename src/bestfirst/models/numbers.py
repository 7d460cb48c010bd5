"""The numbers that models are made of, checked: an error names the place, what is there, and what to write."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from math import isfinite
from typing import TYPE_CHECKING, Any

from bestfirst.errors import InputError, counted, needing_numpy, shown
from bestfirst.rounding import as_number

if TYPE_CHECKING:
    from numpy.typing import NDArray

MOST = 1 << 40
"""The greatest number: sums of thousands of them fit into 64 bits, so compiled code need not check for overflow."""
MOST_ITEMS = 4096
"""The most places, jobs, tasks or items: a set of as many takes half of the words that a state may have."""


def whole(what: str, value: Any, least: int = 0, most: int = MOST) -> int:
    """A whole number from `least` to `most`. what: its name in the error."""
    is_truth = most == 1 and type(value).__name__ in ("bool", "bool_")  # of NumPy, too
    number = int(value) if is_truth else _whole_or_none(value)
    if number is None:
        raise InputError(f"{what} is {shown(value)}; write a whole number, if necessary in a smaller unit")
    if not least <= number <= most:
        raise InputError(f"{what} is {shown(number)}; write a whole number from {least} to {most}")
    return number


def row(
    what: str, values: Any, count: int | None = None, least: int = 0, *, labels: Sequence[Any] | None = None
) -> NDArray[Any]:
    """Some whole numbers as an array. what: their name, such as "weights"; count: how many there must be. labels: the order of a
    pandas Series that names its entries."""
    with needing_numpy("a model"):
        import numpy as np  # noqa: PLC0415  (listing models does not need it)

    given = listed(what, values if labels is None else in_order(what, values, labels))
    if count is not None and len(given) != count:
        raise InputError(f"{what} has {counted(len(given), 'entry', 'entries')}; it needs {count}")
    return np.array([whole(f"entry {place} of {what}", value, least) for place, value in enumerate(given)], np.int64)


def matrix(
    what: str, values: Any, columns: int | None = None, least: int = 0, most: int = MOST, *, is_square: bool = True
) -> NDArray[Any]:
    """Rows of whole numbers as an array. columns: the length of each row; default: the number of rows, or, if the matrix need
    not be square, the length of the first row.
    """
    with needing_numpy("a model"):
        import numpy as np  # noqa: PLC0415  (listing models does not need it)

    rows = [listed(f"row {place} of {what}", of_row) for place, of_row in enumerate(listed(what, values, "rows of numbers"))]
    if not 1 <= len(rows) <= MOST_ITEMS:
        raise InputError(f"{what} has {len(rows)} rows; write at least one, and at most {MOST_ITEMS}")
    width = columns if columns is not None else len(rows) if is_square else len(rows[0])
    for place, of_row in enumerate(rows):
        if len(of_row) != width:
            raise InputError(f"row {place} of {what} has {counted(len(of_row), 'entry', 'entries')}; it needs {width}")
        for column, value in enumerate(of_row):
            of_row[column] = whole(f"row {place}, column {column} of {what}", value, least, most)
    return np.array(rows, np.int64).reshape(len(rows), width)


def distances_of(
    values: Any, weight: str = "weight", *, what: str = "distances", absent: int | None = None, least: int = 0
) -> tuple[NDArray[Any], tuple[Any, ...]]:
    """A square matrix of distances and the names of the places.

    values: rows of numbers, an array, a pandas DataFrame (its index names the places), or a NetworkX graph (its nodes do).
    weight: the edge attribute of a graph with the distance. absent: the distance where there is no edge; None for an error.
    least: the least distance.
    """
    if hasattr(values, "adj") and hasattr(values, "nodes"):
        names = tuple(values.nodes)
        rows: Any = [[_length(values, one, other, weight, absent) for other in names] for one in names]
        return matrix(what, rows, least=least), names
    index = tuple(values.index) if hasattr(values, "iloc") else None
    if index is not None:
        values = in_order(what, values, index, getattr(values, "columns", index))
    found = matrix(what, values, least=least)
    return found, tuple(range(len(found))) if index is None else index


def in_order(what: str, values: Any, labels: Sequence[Any], given: Sequence[Any] | None = None) -> Any:
    """A pandas Series, or the columns of a DataFrame, in the order of some labels; anything else as it is.

    given: the labels that it has now. Numbers from 0 on are only places beside labels of another kind.
    """
    if not hasattr(values, "iloc"):
        return values
    own, wanted = tuple(values.index if given is None else given), tuple(labels)
    if own == wanted or (own == tuple(range(len(own))) and set(own) != set(wanted)):
        return values
    if len(own) != len(wanted) or set(own) != set(wanted):
        raise InputError(f"{what} has the labels {shown(own)}, but the other table has {shown(wanted)}; use the same labels")
    return values[list(wanted)]


def in_one_order(**tables: Any) -> list[Any]:
    """Some values, of which each pandas Series, or the columns of a DataFrame, has the order of the first of them."""
    labels = next((tuple(_labels(values)) for values in tables.values() if hasattr(values, "iloc")), None)
    if labels is None:
        return list(tables.values())
    return [
        in_order(what, values, labels, _labels(values) if hasattr(values, "iloc") else None)
        for what, values in tables.items()
    ]


def _labels(values: Any) -> Sequence[Any]:
    """Those of the entries of a Series, or of the columns of a DataFrame."""
    labels: Sequence[Any] = getattr(values, "columns", values.index)
    return labels


def names_of(what: str, names: Sequence[Any] | None, otherwise: Sequence[Any]) -> tuple[Any, ...]:
    """The names of places, jobs or items, as many as the others and all different."""
    if names is None:
        return tuple(otherwise)
    given = tuple(listed(f"the names of {what}", names, "names"))
    if len(given) != len(otherwise):
        raise InputError(
            f"the number of names is {len(given)}, but that of {what} is {len(otherwise)}; pass a name for each"
        )
    for place, name in enumerate(given):
        if not isinstance(name, Hashable):
            raise InputError(
                f"the name {shown(name)} in the names of {what} is not hashable; use a number, a string or a tuple"
            )
        if name in given[:place]:
            raise InputError(f"two {what} are called {shown(name)}; give them different names")
    return given


def set_bits(count: int) -> int:
    """The bits to declare for a set of so many elements: all words up to a sign, so that instances share compiled code."""
    return (count // 64 + 1) * 64 - 1


def number_bits(**most: int) -> dict[str, int]:
    """The bits to declare for fields with ints from 0 to `most`: few widths, so that instances share compiled code."""
    return {name: next(bits for bits in (16, 32, 63) if largest >> bits == 0) for name, largest in most.items()}


def _length(graph: Any, one: Any, other: Any, weight: str, absent: int | None) -> Any:
    if one == other:
        return 0
    edge = graph.adj[one].get(other)
    if edge is None and absent is not None:
        return absent
    if edge is None:
        raise InputError(
            f"the graph has no edge from {shown(one)} to {shown(other)}; add an edge for each pair of places, "
            "for example with the length of the shortest path"
        )
    if graph.is_multigraph():
        edge = min(edge.values(), key=lambda data: data.get(weight, MOST))
    if weight not in edge:
        raise InputError(f"the edge from {shown(one)} to {shown(other)} has no attribute {shown(weight)}; add it")
    return edge[weight]


_IN_ANY_ORDER = "commodities", "pairs (before, after)"
"""What may be given as a set."""


def listed(what: str, values: Any, of: str = "numbers") -> list[Any]:
    """Values as a list. what: their name, and of: what they are, in the error."""
    values = values.to_numpy() if hasattr(values, "to_numpy") else values
    if isinstance(values, dict) or (type(values) in (set, frozenset) and of not in _IN_ANY_ORDER):
        raise InputError(f"{what} is {shown(values)}; write a list of {of}, in the order of the other tables")
    if getattr(getattr(values, "dtype", None), "kind", None) in ("m", "M"):
        raise InputError(f"{what} contains times of the type {values.dtype}; write whole numbers, such as seconds")
    values = values.tolist() if hasattr(values, "tolist") else values
    if isinstance(values, str | bytes) or not hasattr(values, "__iter__"):
        raise InputError(f"{what} is {shown(values)}; write a list of {of}")
    return list(values)


def _whole_or_none(value: Any) -> int | None:
    """The value as an int, if it is a whole number."""
    value = value.item() if getattr(value, "size", None) == 1 else value  # NumPy's
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    return int(value) if isinstance(value, int) or value.is_integer() else None


def words_of_sets(sets: Sequence[int], words: int) -> NDArray[Any]:
    """Sets as rows of words of 63 elements each, which compiled methods read."""
    with needing_numpy("a model"):
        import numpy as np  # noqa: PLC0415  (listing models does not need it)

    return np.array([[one >> 63 * word & (1 << 63) - 1 for word in range(words)] for one in sets], np.int64).reshape(
        -1, words
    )


def unions_of_sets(sets: Sequence[int], part: int, words: int) -> NDArray[Any]:
    """For each `part` successive sets, the unions of any of them: a row of words for each choice, whose bits say which."""
    with needing_numpy("a model"):
        import numpy as np  # noqa: PLC0415  (listing models does not need it)

    parts = -(-len(sets) // part)
    of_sets = words_of_sets([*sets, *[0] * (parts * part - len(sets))], words).reshape(parts, part, words)
    unions = np.zeros((parts, 1 << part, words), np.int64)
    for place in range(part):
        unions[:, 1 << place : 2 << place] = unions[:, : 1 << place] | of_sets[:, place : place + 1]
    return unions


def table_of(numbers: Sequence[int]) -> NDArray[Any]:
    """Ints as an array that compiled methods read."""
    with needing_numpy("a model"):
        import numpy as np  # noqa: PLC0415  (listing models does not need it)

    return np.array(numbers, np.int64)


def nearest(distances: NDArray[Any]) -> tuple[NDArray[Any], NDArray[Any]]:
    """The least distance to each place from another one, and that from each place to another one; 0 if there is only one place."""
    with needing_numpy("a model"):
        import numpy as np  # noqa: PLC0415  (listing models does not need it)

    if len(distances) == 1:
        return np.zeros(1, np.int64), np.zeros(1, np.int64)
    to_others = np.where(np.eye(len(distances), dtype=bool), distances.max(), distances)
    return to_others.min(axis=0), to_others.min(axis=1)


def points_of(points: Sequence[tuple[float, float]] | None, count: int) -> tuple[tuple[float, float], ...] | None:
    """The points of places, checked."""
    if points is None:
        return None
    given = [
        listed(f"entry {place} of points", point) for place, point in enumerate(listed("points", points, "pairs (x, y)"))
    ]
    if len(given) != count:
        raise InputError(
            f"points has {counted(len(given), 'entry', 'entries')}; write {count} pairs (x, y), one for each place"
        )
    for place, point in enumerate(given):
        if len(point) != 2:
            raise InputError(f"entry {place} of points has {counted(len(point), 'number')}; write a pair (x, y)")
        for number in point:
            if not _is_finite(number):
                raise InputError(f"entry {place} of points contains {shown(number)}; write finite numbers")
    return tuple((float(x), float(y)) for x, y in given)


def _is_finite(number: Any) -> bool:
    try:
        return isfinite(as_number(number))
    except (TypeError, ValueError, OverflowError):
        return False

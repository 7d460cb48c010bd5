"""The numbers that models are made of: what is not a list, a number or a name is refused, and the error says what to write."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

import numpy as np
import pytest

import bestfirst as bf
from bestfirst.models import (
    CVRP,
    MPDTSP,
    TSP,
    AssemblyLine,
    GraphClear,
    JobShop,
    Knapsack,
    MultiKnapsack,
    OpenStacks,
    SequenceAlignment,
    TalentScheduling,
    WeightedTardiness,
)
from bestfirst.models.numbers import number_bits

TWO = [[0, 1], [1, 0]]


class Series:
    """What a model uses of a pandas Series."""

    iloc = None

    def __init__(self, values: Mapping[str, int]) -> None:
        self.values, self.index = dict(values), tuple(values)

    def __getitem__(self, labels: list[str]) -> Series:
        return Series({label: self.values[label] for label in labels})

    def to_numpy(self) -> np.ndarray[Any, Any]:
        return np.array(list(self.values.values()))


class Frame:
    """What a model uses of a pandas DataFrame: rows of columns."""

    iloc = None

    def __init__(self, index: tuple[str, ...], columns: Mapping[Any, list[int]]) -> None:
        self.index, self.columns, self.table = index, tuple(columns), dict(columns)

    def __getitem__(self, labels: list[str]) -> Frame:
        return Frame(self.index, {label: self.table[label] for label in labels})

    def to_numpy(self) -> np.ndarray[Any, Any]:
        return np.array(list(self.table.values())).T


PLACES = {"A": [0, 9, 4], "B": [1, 0, 9], "C": [9, 2, 0]}


def test_tables_with_labels_are_read_by_them() -> None:
    """Their columns, and the entries of other series, may stand in any order; numbers from 0 on are only places."""
    labels, demands = tuple(PLACES), {"A": 0, "C": 5, "B": 1}
    numbered = dict(zip(range(3), PLACES.values(), strict=True))
    for columns in (PLACES, {label: PLACES[label] for label in "CAB"}, numbered):
        frame = Frame(labels, columns)
        assert TSP(frame).distances.tolist() == [[0, 1, 9], [9, 0, 2], [4, 9, 0]]
        assert CVRP(frame, Series(demands), 6).demands.tolist() == [0, 1, 5]  # type: ignore[arg-type]


def test_labels_that_are_numbers_are_labels() -> None:
    """If rows were moved, their columns are not: both have the same numbers in another order."""
    moved = Frame((2, 0, 1), {0: [9, 0, 4], 1: [2, 9, 0], 2: [0, 1, 9]})  # type: ignore[arg-type]
    assert TSP(moved).distances.tolist() == [[0, 9, 2], [1, 0, 9], [9, 4, 0]]
    demands = Series({0: 5, 1: 1, 2: 0})  # type: ignore[dict-item]
    assert CVRP(moved, demands, 6).demands.tolist() == [0, 5, 1]  # type: ignore[arg-type]


def test_series_that_name_items_are_read_by_their_labels() -> None:
    """In the order of the first of them, in all models."""
    shuffled: Any = Series({"b": 5, "a": 4})
    assert GraphClear(Frame(("a", "b"), {"a": [0, 1], "b": [1, 0]}), shuffled).rooms.tolist() == [4, 5]
    values: Any = Series({"a": 9, "b": 1})
    assert bf.solve(Knapsack(values, shuffled, 4)).cost == 1  # only a fits
    assert bf.solve(Knapsack(values, [4, 5], 5)).cost == 1
    rows: Any = Frame(("w",), {"b": [5], "a": [4]})
    assert bf.solve(MultiKnapsack(values, rows, [4])).cost == 1
    due: Any = Series({"b": 2, "a": 8})
    jobs = WeightedTardiness(values, shuffled, due)
    assert (jobs.times.tolist(), jobs.weights.tolist(), jobs.due.tolist()) == ([1, 9], [5, 4], [2, 8])
    with pytest.raises(bf.InputError, match="weights has the labels"):
        Knapsack(values, Series({"a": 1, "c": 2}), 4)  # type: ignore[arg-type]


def test_points_may_be_numbers_of_numpy() -> None:
    """Of any size."""
    points: Any = list(zip(np.array([0, 3]), np.array([0, 4], np.float32), strict=True))
    assert TSP(TWO, points=points).points == ((0.0, 0.0), (3.0, 4.0))


def test_scenes_and_actors_have_the_names_of_the_table() -> None:
    """Wages and durations belong to these, in any order."""
    problem = TalentScheduling(
        Frame(("Ann", "Bob"), {"day": [1, 0], "night": [1, 1]}),
        Series({"Bob": 3, "Ann": 2}),  # type: ignore[arg-type]
        Series({"night": 5, "day": 4}),  # type: ignore[arg-type]
    )
    assert (problem.scenes, problem.actors) == (("day", "night"), ("Ann", "Bob"))
    assert (problem.wages.tolist(), problem.durations.tolist()) == ([2, 3], [4, 5])


@pytest.mark.parametrize("wrong", ["ABD", "AB"])
def test_other_labels_are_refused(wrong: str) -> None:
    """With both lists of labels."""
    with pytest.raises(bf.InputError, match="but the other table has"):
        TSP(Frame(tuple(PLACES), dict(zip(wrong, PLACES.values(), strict=False))))
    with pytest.raises(bf.InputError, match="demands has the labels"):
        CVRP(Frame(tuple(PLACES), PLACES), Series(dict.fromkeys(wrong, 1)), 6)  # type: ignore[arg-type]


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


@pytest.mark.parametrize(
    ("values", "what"),
    [
        ({60: 1, 100: 2}, r"values is \{60: 1, 100: 2\}; write a list of numbers"),
        ({60, 100}, "write a list of numbers, in the order"),
        (frozenset({60}), "write a list of numbers, in the order"),
        (np.array([60, 100], "timedelta64[s]"), r"values contains times of the type timedelta64\[s\]; write whole numbers"),
        (np.array([60, 100], "timedelta64[ns]"), "values contains times"),
        (np.array([60, 100], "datetime64[ns]"), "values contains times"),
    ],
)
def test_what_is_no_list_of_numbers_is_refused(values: Any, what: str) -> None:
    """The keys of a dict, the members of a set in any order, and a number of nanoseconds would be other numbers."""
    with pytest.raises(bf.InputError, match=what):
        Knapsack(values, [1] * len(values), 2)


def test_sets_of_pairs_may_have_any_order() -> None:
    """As in the precedence of tasks, and as commodities."""
    assert bf.solve(AssemblyLine([5, 5, 5], {(1, 2), (2, 3)}, 10)).cost == 2
    assert bf.solve(MPDTSP([[0, 1, 1], [1, 0, 1], [1, 1, 0]], {(0, 1, 1), (1, 2, 1)}, 1)).cost == 2


@pytest.mark.parametrize(
    ("most", "bits"),
    [(0, 16), ((1 << 16) - 1, 16), (1 << 16, 32), ((1 << 32) - 1, 32), (1 << 32, 63), ((1 << 63) - 1, 63)],
)
def test_few_widths_hold_all_numbers(most: int, bits: int) -> None:
    """So that instances with numbers of similar size declare the same bits."""
    assert number_bits(time=most) == {"time": bits}

"""Knapsacks: optimal selections, the bound, what a file may contain, and results."""

from __future__ import annotations

from itertools import product
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import bestfirst as bf
from bestfirst.models import Knapsack, MultiKnapsack
from profiles import examples

INSTANCES = Path(__file__).parents[2] / "examples" / "instances"


@st.composite
def knapsacks(draw: Any) -> tuple[list[int], list[list[int]], list[int]]:
    """Values, weights and capacities of at most six items, with at most three capacities."""
    count, capacities = draw(st.integers(0, 6)), draw(st.integers(1, 3))
    values = draw(st.lists(st.integers(0, 9), min_size=count, max_size=count))
    weights = [draw(st.lists(st.integers(0, 9), min_size=count, max_size=count)) for _ in range(capacities)]
    return values, weights, draw(st.lists(st.integers(0, 25), min_size=capacities, max_size=capacities))


def greatest_value(values: list[int], weights: list[list[int]], capacities: list[int]) -> int:
    """The value of the best selection, by trying all."""
    return max(
        sum(value for value, one in zip(values, taken, strict=True) if one)
        for taken in product((0, 1), repeat=len(values))
        if all(
            sum(weight for weight, one in zip(of_row, taken, strict=True) if one) <= limit
            for of_row, limit in zip(weights, capacities, strict=True)
        )
    )


@given(knapsacks(), st.sampled_from(["astar", "anytime-beam"]))
@examples(80)
def test_a_selection_is_optimal(instance: tuple[Any, ...], algorithm: str) -> None:
    """With one capacity, both classes find the same."""
    values, weights, capacities = instance
    models = [MultiKnapsack(*instance)]
    if len(capacities) == 1:
        models.append(Knapsack(values, weights[0], capacities[0]))
    for problem in models:
        solution = bf.solve(problem, algorithm, engine="python")
        assert solution.status == "optimal" and solution.cost is not None
        assert sum(values) - solution.cost == greatest_value(*instance) == problem.selection(solution).value


@given(knapsacks())
@examples(20)
def test_the_heuristic_keeps_its_promises(instance: tuple[Any, ...]) -> None:
    """No estimate exceeds the true cost, nor the cost of an action plus the estimate after it."""
    audit = bf.audit(MultiKnapsack(*instance), "fractional")
    assert audit.admissible and audit.consistent, audit


def test_a_published_instance_has_its_published_optimum() -> None:
    """The first instance of mknap1 has the value 3800."""
    problem = MultiKnapsack.from_file(INSTANCES / "mknap1-first.txt")
    solution = bf.solve(problem, engine="python")
    assert (solution.status, problem.selection(solution).value) == ("optimal", 3800)


@pytest.mark.parametrize(
    "problem",
    [Knapsack.from_file(INSTANCES / "five-items.txt"), MultiKnapsack.from_file(INSTANCES / "mknap1-first.txt", number=2)],
    ids=repr,
)
def test_check_finds_no_fault(problem: bf.Domain) -> None:
    """The methods compile, and dominance and pictures are sound, for one capacity and for several."""
    report = bf.check(problem, states=50)
    assert report.ok and report.compiled, report


def test_a_selection_names_items(tmp_path: Path) -> None:
    """A selection has the items with values and weights, and can be written as CSV."""
    problem = Knapsack([9, 5, 4], [5, 4, 3], 7, names=["tent", "stove", "rope"])
    selection = problem.selection(bf.solve(problem, engine="python"))
    assert (set(selection.items), selection.value, selection.capacities) == ({"stove", "rope"}, 9, (7,)) or (
        set(selection.items),
        selection.value,
    ) == ({"tent"}, 9)
    selection.to_csv(tmp_path / "selection.csv")
    assert (tmp_path / "selection.csv").read_text().splitlines()[0] == "item,value,weight"
    assert selection.picture().startswith("<svg")


@pytest.mark.parametrize(
    ("kind", "text", "message"),
    [
        (Knapsack, "2 10\n1 2\n3\n", "line 3: the file ends before the weight of item 2"),
        (Knapsack, "1 10\n1 2\n3\n", "line 3: '3' follows the last item"),
        (Knapsack, "1 10\n1 x\n", "line 2: .*'x'; write a whole number"),
        (MultiKnapsack, "1\n2 1 0\n3 4\n5\n", "line 4: the file ends before row 1 of the weights, number 2 of 2"),
        (MultiKnapsack, "1\n1 11 0\n", "line 2: the number of capacities is '11'; write a whole number from 1 to 10"),
        (MultiKnapsack, "1\n1 1 0\n3\n5\n6 7\n", "line 5: '7' follows the last capacity"),
        (MultiKnapsack, "2\n1 1 0\n3\n5\n6\n", "line 5: the file ends before instance 2 of 2; complete it"),
    ],
)
def test_a_mistake_in_a_file_is_named(kind: Any, text: str, message: str, tmp_path: Path) -> None:
    """The error names the file, the line, what is wrong, and what to write."""
    path = tmp_path / "wrong.txt"
    path.write_text(text)
    with pytest.raises(bf.InputError, match=message) as caught:
        kind.from_file(path)
    assert str(path) in str(caught.value)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (([1], [[1]], []), "there are 0 capacities"),
        (([1], [[1]], [1, 2]), "weights has 1 row, but capacities has 2"),
        (([1], [[1, 2]], [1]), "row 0 of weights has 2 entries; it needs 1"),
        (([1 << 39], [[1 << 39]], [1 << 39]), "could exceed 64 bits"),
    ],
)
def test_a_mistake_in_an_argument_is_named(arguments: tuple[Any, ...], message: str) -> None:
    """The error says what is wrong, and what to write."""
    with pytest.raises(bf.InputError, match=message):
        MultiKnapsack(*arguments)

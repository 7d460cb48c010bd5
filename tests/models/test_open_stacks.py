"""Open stacks: as few as possible, the bound, what a file may contain, and results."""

from __future__ import annotations

from itertools import permutations
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import bestfirst as bf
from bestfirst.models import OpenStacks
from profiles import examples

INSTANCES = Path(__file__).parents[2] / "examples" / "instances"
FILE = "first, of two\n2 3\n1 0 1\n0 1 1\nsecond\n1 1\n1\n"


class Frame:
    """What a model uses of a pandas DataFrame."""

    index, columns, iloc = ("Ann", "Bob", "Cid"), ("pie", "tea", "jam"), None

    def to_numpy(self) -> np.ndarray[Any, Any]:
        return np.array([[1, 1, 0], [0, 1, 0], [0, 0, 0]])


@st.composite
def orders(draw: Any) -> list[list[int]]:
    """What at most six customers want of at most five products."""
    products = draw(st.integers(1, 5))
    own = st.lists(st.integers(0, 1), min_size=products, max_size=products)
    return [draw(own) for _ in range(draw(st.integers(1, 6)))]


def fewest_stacks(wants: list[list[int]]) -> int:
    """The least number of open stacks, by trying all orders of the products."""

    def stacks(order: tuple[int, ...]) -> int:
        spans = [[place for place, product in enumerate(order) if own[product]] for own in wants]
        return max(sum(1 for span in spans if span and span[0] <= now <= span[-1]) for now in range(len(order)))

    return min(stacks(order) for order in permutations(range(len(wants[0]))))


@given(orders(), st.sampled_from(["astar", "anytime-beam"]), st.sampled_from(["contraction", "zero"]))
@examples(80)
def test_stacks_are_as_few_as_possible(wants: list[list[int]], algorithm: str, name: str) -> None:
    """Choosing customers finds what trying all orders of the products finds."""
    problem = OpenStacks(wants)
    solution = bf.solve(problem, algorithm, name, engine="python")
    assert solution.status == "optimal"
    assert solution.cost == fewest_stacks(wants) == problem.production(solution).peak


@given(orders())
@examples(20)
def test_the_heuristic_keeps_its_promises(wants: list[list[int]]) -> None:
    """No estimate exceeds the true cost, nor the cost of an action plus the estimate after it."""
    audit = bf.audit(OpenStacks(wants), "contraction")
    assert audit.admissible and audit.consistent, audit


def test_both_engines_do_the_same() -> None:
    """On the instance of the documentation, with equal counts; the optimum is confirmed without the bound."""
    problem = OpenStacks.from_file(INSTANCES / "fifteen-customers.txt")
    reference, compiled = (bf.solve(problem, "anytime-beam", engine=engine) for engine in ("python", "compiled"))
    assert reference.actions == compiled.actions
    assert reference.stats.expanded == compiled.stats.expanded
    assert bf.solve(problem, "anytime-beam", "zero", engine="python").cost == compiled.cost


def test_check_finds_no_fault() -> None:
    """The methods compile, and identity, dominance and pictures are sound, for sets of one word and of two."""
    many = [[int(product in (customer, customer * 7 % 65)) for product in range(65)] for customer in range(65)]
    for problem in (OpenStacks.from_file(INSTANCES / "fifteen-customers.txt"), OpenStacks(many)):
        report = bf.check(problem, states=50)
        assert report.ok and report.compiled, report


def test_a_production_names_products_and_customers(tmp_path: Path) -> None:
    """A DataFrame names them. Who wants nothing, and what nobody wants, is left out; the order can be written as CSV."""
    problem = OpenStacks(Frame())
    solution = bf.solve(problem, engine="python")
    production = problem.production(solution)
    assert set(solution.actions) == {"Ann", "Bob"}
    assert set(production.products) == {"pie", "tea"}
    assert production.peak == solution.cost == 2
    assert set(production.opened[production.products.index("tea")]) == {"Ann", "Bob"}
    production.to_csv(tmp_path / "production.csv")
    assert (tmp_path / "production.csv").read_text().splitlines()[0] == "product,stacks,customers"
    assert production.picture().startswith("<svg")


def test_a_file_may_have_several_instances(tmp_path: Path) -> None:
    """They are counted from 1."""
    path = tmp_path / "two.txt"
    path.write_text(FILE)
    assert OpenStacks.from_file(path).products_of == (0b101, 0b110)
    assert OpenStacks.from_text(str(path), number="2").products_of == (1,)
    with pytest.raises(bf.InputError, match=r"number is 3; .* has instances 1 .. 2"):
        OpenStacks.from_file(path, number=3)


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        (
            "2 3",
            "2 2",
            "line 4: '1' follows the last value that belongs on the line; remove it, or correct the counts above",
        ),
        ("2 3", "x 3", "line 2: the number of customers is 'x'; write a whole number"),
        ("0 1 1", "0 1", "line 4: row 2 of the matrix has 2 numbers instead of 3"),
        ("0 1 1", "0 2 1", "line 4: row 2 of the matrix, number 2 of 3 is '2'; write a whole number from 0 to 1"),
        ("1 1\n1\n", "1 1\n", "line 6: the file ends before row 1 of the matrix"),
    ],
)
def test_a_mistake_in_a_file_is_named(old: str, new: str, message: str, tmp_path: Path) -> None:
    """The error names the file, what is wrong, and what to write."""
    path = tmp_path / "wrong.txt"
    path.write_text(FILE.replace(old, new))
    with pytest.raises(bf.InputError, match=message) as caught:
        OpenStacks.from_file(path)
    assert str(path) in str(caught.value)


@pytest.mark.parametrize(
    ("arguments", "options", "message"),
    [
        (([[1, 0], [1]],), {}, "row 1 of wants has 1 entry; it needs 2"),
        (([[1, 2]],), {}, "column 1 of wants is 2; write a whole number from 0 to 1"),
        (([],), {}, "wants has 0 rows"),
        (([[1, 0]],), {"products": ["a"]}, "the number of names is 1, but that of products is 2"),
    ],
)
def test_a_mistake_in_an_argument_is_named(arguments: tuple[Any, ...], options: dict[str, Any], message: str) -> None:
    """The error says what is wrong, and what to write."""
    with pytest.raises(bf.InputError, match=message):
        OpenStacks(*arguments, **options)


def test_true_is_one() -> None:
    """A comparison of arrays gives such a matrix."""
    wants = np.array([[1, 0, 1], [0, 1, 1]])
    assert bf.solve(OpenStacks(wants > 0)).cost == bf.solve(OpenStacks(wants)).cost
    assert bf.solve(OpenStacks([[True, False], [False, True]])).cost == 1

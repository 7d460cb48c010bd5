"""Sequence alignment: optimal alignments, the bound, scores, what files may contain, and results."""

from __future__ import annotations

from functools import cache
from itertools import combinations, product
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import bestfirst as bf
from bestfirst.models import SequenceAlignment
from profiles import examples
from twins import assert_twins

INSTANCES = Path(__file__).parents[2] / "examples" / "instances"
TABLE = "# of letters\n  A C\nA 0 2\nC 2 1\n"


def least_cost(sequences: tuple[str, ...], gap: int, costs: dict[str, int]) -> int:
    """The cost of the best alignment, by dynamic programming over all columns."""

    def of_pair(one: str, other: str) -> int:
        if "-" in (one, other):
            return gap * (one != other)
        return costs[one + other]

    @cache
    def rest(places: tuple[int, ...]) -> int:
        best = []
        for column in product((0, 1), repeat=len(sequences)):
            following = tuple(map(sum, zip(places, column, strict=True)))
            if not any(column) or any(place > len(of) for place, of in zip(following, sequences, strict=True)):
                continue
            letters = [of[place] if is_here else "-" for of, place, is_here in zip(sequences, places, column, strict=True)]
            best.append(sum(of_pair(*pair) for pair in combinations(letters, 2)) + rest(following))
        return min(best, default=0)

    return rest((0,) * len(sequences))


@st.composite
def instances(draw: Any) -> tuple[tuple[str, ...], int, dict[str, int]]:
    """Two to four short sequences, the cost of a gap, and a symmetric table."""
    count = draw(st.integers(2, 4))
    sequences = tuple(draw(st.lists(st.text("ACG", max_size=8 - count), min_size=count, max_size=count)))
    costs: dict[str, int] = {}
    for one, other in product("ACG", repeat=2):
        costs[one + other] = costs.get(other + one, draw(st.integers(0, 6)))
    return sequences, draw(st.integers(0, 5)), costs


@given(instances())
@examples(15)
def test_an_alignment_is_optimal(instance: tuple[Any, ...]) -> None:
    """Both engines find what dynamic programming finds, with equal counts; one compilation serves any number of sequences."""
    sequences, gap, costs = instance
    problem = SequenceAlignment(sequences, gap=gap, costs=costs)
    solution = assert_twins(problem, "astar", "pairwise")
    assert solution.status == "optimal"
    assert solution.cost == least_cost(sequences, gap, costs) == problem.alignment(solution).cost


@given(instances())
@examples(15)
def test_the_heuristic_keeps_its_promises(instance: tuple[Any, ...]) -> None:
    """No estimate exceeds the true cost, nor the cost of an action plus the estimate after it."""
    sequences, gap, costs = instance
    audit = bf.audit(SequenceAlignment(sequences, gap=gap, costs=costs), "pairwise")
    assert audit.admissible and audit.consistent, audit


@given(instances(), st.integers(0, 3))
@examples(25)
def test_a_cheapest_alignment_has_the_highest_score(instance: tuple[Any, ...], offset: int) -> None:
    """With scores, the score of the result is that of its columns, and no alignment has a higher one."""
    sequences, gap, costs = instance
    scores = {pair: offset - cost for pair, cost in costs.items()}
    problem = SequenceAlignment(sequences, gap=gap, scores=scores)
    found = problem.alignment(bf.solve(problem, engine="python"))
    assert found.score is not None
    pairs = [pair for column in found.columns for pair in combinations(column, 2)]
    assert found.score == sum(
        scores[one + other] if "-" not in (one, other) else -gap * (one != other) for one, other in pairs
    )
    # taking `offset` from two letters and half of it from a gap makes costs of it, whose least is known
    letters = sum(map(len, sequences)) * (len(sequences) - 1)
    doubled = least_cost(sequences, 2 * gap + offset, {pair: 2 * cost for pair, cost in costs.items()})
    assert 2 * found.score == offset * letters - doubled


def test_two_sequences_have_their_edit_distance() -> None:
    """With costs of 1, kitten is at distance 3 from sitting (Levenshtein)."""
    problem = SequenceAlignment(["kitten", "sitting"])
    solution = bf.solve(problem, engine="python")
    assert solution.cost == 3
    assert str(problem.alignment(solution)) == "1  kitten-\n2  sitting\n    *** *"


def test_check_finds_no_fault() -> None:
    """The methods compile, and pictures are sound."""
    report = bf.check(SequenceAlignment.from_file(INSTANCES / "globins.fasta"), states=50)
    assert report.ok and report.compiled, report


def test_proteins_are_aligned_by_their_similarities(tmp_path: Path) -> None:
    """The sequences of the result without gaps are those of the file; what it writes can be read again."""
    problem = SequenceAlignment.from_file(INSTANCES / "globins.fasta", scores=INSTANCES / "BLOSUM62", gap=8)
    solution = bf.solve(problem)
    found = problem.alignment(solution)
    assert (solution.status, found.names) == ("optimal", ("alpha", "beta", "myoglobin"))
    assert tuple(row.replace("-", "") for row in found.rows) == problem.sequences
    assert found.picture().startswith("<svg")
    found.to_csv(tmp_path / "aligned.csv")
    assert (tmp_path / "aligned.csv").read_text().splitlines()[:2] == ["column,alpha,beta,myoglobin", "1,M,M,M"]
    found.to_fasta(tmp_path / "aligned.fasta")
    assert (tmp_path / "aligned.fasta").read_text().splitlines()[1] == found.rows[0][:60]
    assert str(found).splitlines()[0] == f"alpha      {found.rows[0][:60]}"


def test_a_table_may_have_several_forms(tmp_path: Path) -> None:
    """A file, a table with the members of a DataFrame, a mapping, and an array with an alphabet say the same."""

    class Matrix(np.ndarray):
        """An array as Biopython makes it."""

        alphabet = "AC"

    class Frame(Matrix):
        """A table as pandas makes it."""

        index = columns = ("A", "C")
        iloc = None

        def to_numpy(self) -> Any:
            return np.asarray(self)

    (tmp_path / "table").write_text(TABLE)
    rows = [[0, 2], [2, 1]]
    forms: list[Any] = [tmp_path / "table", np.array(rows).view(Frame), {"AA": 0, "AC": 2, "CC": 1}]
    forms += [{("A", "A"): 0, ("C", "A"): 2, ("C", "C"): 1}, np.array(rows).view(Matrix)]
    for form in forms:
        assert SequenceAlignment(["A", "C"], costs=form).costs.tolist() == rows


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "empty"),
        (">one\nACGT\n>two\n", "line 3: the sequence 'two' has no letters; complete the file"),
        ("ACGT\n>one\n", "line 1: 'ACGT' comes before the first name; begin with a line such as >human"),
        (">one\nACG\n>\nA\n", "line 3: > without a name"),
        (">one\nACG\n>one two\nA\n", "line 3: two sequences are called 'one'"),
        (">one\nACG\n>two\nA-C\n", "line 4: '-' is not a letter; write sequences without gaps"),
        (">one\nACG\n", "the number of sequences is 1; use 2 to 8"),
    ],
)
def test_a_mistake_in_a_file_is_named(text: str, message: str, tmp_path: Path) -> None:
    """The error names the file, the line, what is wrong, and what to write."""
    path = tmp_path / "wrong.fasta"
    path.write_text(text)
    with pytest.raises(bf.InputError, match=message) as caught:
        SequenceAlignment.from_file(path)
    assert str(path) in str(caught.value)


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        (TABLE, "# no more\n", "table is empty"),
        ("A C\n", "A CC\n", "line 2: 'CC' is not a letter; begin with a line of letters"),
        ("C 2", "CA 2", "line 4: 'CA' is not a letter; begin each row with its letter"),
        ("A 0 2", "A 0", "line 3: the row of A has 1 number; it needs 2"),
        ("A 0 2", "A 0 2.5", "line 3: '2.5' is not a whole number"),
        ("A 0 2", "A 0 3", "table, line 4: 2 for C and A, but 3 for A and C; write the same"),
        ("A 0 2", "A 0 -2", "line 4: 2 for C and A, but -2 for A"),
        ("A 0", "A -1", "the entry of A and A in costs is -1; write a whole number from 0"),
        ("C 2 1\n", "", "costs has no number for the letters C and C; add it"),
    ],
)
def test_a_mistake_in_a_table_is_named(old: str, new: str, message: str, tmp_path: Path) -> None:
    """The error says what is wrong, and what to write."""
    path = tmp_path / "table"
    path.write_text(TABLE.replace(old, new))
    with pytest.raises(bf.InputError, match=message):
        SequenceAlignment(["AC", "A"], costs=path)


def test_a_mistake_in_a_table_is_not_one_of_the_sequences(tmp_path: Path) -> None:
    """The error names the file of the table alone."""
    path = tmp_path / "table"
    path.write_text(TABLE.replace("A 0 2", "A 0 3"))
    with pytest.raises(bf.InputError, match="line 4: 2 for C and A") as caught:
        SequenceAlignment.from_file(INSTANCES / "globins.fasta", costs=path)
    assert str(path) in str(caught.value) and "globins" not in str(caught.value)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"sequences": "ACGT"}, "sequences is 'ACGT'; write a list of strings"),
        ({"sequences": ["A"] * 9}, "the number of sequences is 9"),
        ({"sequences": ["A", 5]}, "sequence 1 is 5; write a string"),
        ({"sequences": ["A", "A-C"]}, "sequence 1 has '-', which is not a letter"),
        ({"sequences": ["A" * 12000, "C"]}, "12000 letters, so .*gigabyte"),
        ({"sequences": ["A", "C"], "gap": -1}, "gap is -1; write a whole number from 0"),
        ({"sequences": ["A", "C"], "costs": {"ACG": 1}}, "the key 'ACG'; write two letters"),
        ({"sequences": ["A", "C"], "costs": 5}, "costs is 5; write the path"),
        ({"sequences": ["A", "C"], "costs": {}, "scores": {}}, "costs and scores are both given"),
        ({"sequences": ["A", "C"], "names": ["x", "x"]}, "two sequences are called 'x'"),
    ],
)
def test_a_mistake_in_an_argument_is_named(arguments: dict[str, Any], message: str) -> None:
    """The error says what is wrong, and what to write."""
    with pytest.raises(bf.InputError, match=message):
        SequenceAlignment(**arguments)

"""Tasks in the output format of the translator."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import bestfirst as bf
from bestfirst.planning.sas import task_of
from profiles import examples

TEXT = """begin_version
3
end_version
begin_metric
1
end_metric
2
begin_variable
var0
-1
2
Atom at(home)
Atom at(shop)
end_variable
begin_variable
var1
-1
2
Atom packed()
NegatedAtom packed()
end_variable
1
begin_mutex_group
2
0 0
0 1
end_mutex_group
begin_state
0
1
end_state
begin_goal
2
0 0
1 0
end_goal
2
begin_operator
walk home shop
0
1
0 0 0 1
4
end_operator
begin_operator
pack
1
0 1
2
0 1 -1 0
1 1 1 0 -1 0
7
end_operator
0
"""


def test_a_task_is_read_from_a_file(tmp_path: Path) -> None:
    """An effect may have conditions; its own precondition is one of the operator."""
    (tmp_path / "output.sas").write_text(TEXT.replace("pack\n1\n", "pack \n1\n"))  # as the translator writes it
    task = bf.planning.read_sas(tmp_path / "output.sas")
    assert [list(task.successors(state)) for state in ((0, 1), (1, 1))] == [
        [("walk home shop", (1, 1), 4)],
        [("pack", (0, 0), 7)],
    ]
    assert bf.solve(task, "uniform-cost", engine="python").cost == 11


def test_without_a_metric_each_operator_costs_1() -> None:
    """The format gives them costs that do not count."""
    task = task_of(TEXT.replace("begin_metric\n1", "begin_metric\n0"))
    assert task.unit_cost


@pytest.mark.parametrize(
    ("old", "new", "line", "words"),
    [
        ("begin_version\n3", "begin_version\n2", 2, "'3' is expected"),
        ("begin_metric\n1", "begin_metric\n2", 5, "must be from 0 to 1"),
        ("end_metric\n2", "end_metric\ntwo", 7, "numbers are expected"),
        ("end_metric\n2", "end_metric\n3", 22, "'begin_variable' is expected"),
        ("var0\n-1", "var0\n0", 10, "axioms"),
        ("var0\n-1\n2", "var0\n-1\n0", 11, "no values"),
        ("0 0\n0 1\nend_mutex", "0 0\n2 1\nend_mutex", 26, "no variable 2; variables are numbered from 0 to 1"),
        ("begin_state\n0\n1", "begin_state\n0\n2", 30, "must be from 0 to 1"),
        ("begin_goal\n2\n0 0", "begin_goal\n2\n0 5", 34, "no value 5; its values are from 0 to 1"),
        ("begin_goal\n2\n0 0", "begin_goal\n2\n0", 34, "not a fact"),
        ("end_goal\n2", "end_goal\n-2", 37, "must be at least 0"),
        ("end_goal\n2", "end_goal\n2 2", 37, "not one number"),
        ("walk home shop\n0\n1\n0 0 0 1", "walk home shop\n0\n1\n0 0 1", 42, "not an effect"),
        ("walk home shop\n0\n1\n0 0 0 1", "walk home shop\n0\n1\n9 0 0 1", 42, "not an effect"),
        ("walk home shop\n0\n1", "walk home shop\n1\n0 1\n1", 45, "two preconditions on one variable"),
        ("0 0 0 1\n4", "0 0 0 1\n-4", 43, "the cost is -4"),
        ("end_operator\n0\n", "end_operator\n1\n", 54, "axioms"),
        ("end_operator\n0\n", "end_operator\n", 53, "ends before"),
        ("end_operator\n0\n", "end_operator\n0\n0", 55, "follows the end"),
    ],
)
def test_a_mistake_is_told_with_its_line(old: str, new: str, line: int, words: str) -> None:
    assert old in TEXT
    with pytest.raises(bf.InputError, match=rf"the translator's output, line {line}: .*{re.escape(words)}"):
        task_of(TEXT.replace(old, new, 1))


@given(st.integers(0, len(TEXT.splitlines())), st.sampled_from(["", "0", "-1", "7", "0 1", "x", "end_goal", None]))
@examples(100)
def test_a_changed_line_is_read_or_refused(place: int, line: str | None) -> None:
    """No other error is raised. None: the text ends there."""
    lines = TEXT.splitlines()
    lines[place:] = [] if line is None else [line, *lines[place + 1 :]]
    try:
        task = task_of("\n".join(lines))
    except bf.InputError:
        return
    bf.solve(task, "uniform-cost", engine="python")


def test_other_files_are_refused(tmp_path: Path) -> None:
    """Bytes that are no text, an empty file, and one that does not exist."""
    (tmp_path / "binary").write_bytes(bytes(range(256)) * 100)
    (tmp_path / "empty").touch()
    for name, words in (("binary", "line 1: "), ("empty", "line 0: the text ends"), ("absent", "No such file")):
        with pytest.raises(bf.InputError, match=f"{name}.*{words}"):
            bf.planning.read_sas(tmp_path / name)

"""Plans in the format of the International Planning Competition."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import bestfirst as bf
from bestfirst.planning import Effect, Fact, Operator, Task, Variable
from planning_tasks import switches, towers


def test_a_plan_is_written_and_read_again(tmp_path: Path) -> None:
    """One action per line, and the cost: of a solution, or of names."""
    task, file = towers(4), tmp_path / "plan.txt"
    solution = bf.solve(task, "uniform-cost", engine="python")
    bf.planning.write_plan(file, solution, task)
    assert file.read_text() == "(move 2 4 3)\n(move 1 4 2)\n(move 0 4 1)\n; cost = 3 (unit cost)\n"
    assert bf.planning.read_plan(file, task) == solution.actions
    bf.planning.write_plan(file, ["turn-on 0", "turn-on 1"], switches(2))
    assert file.read_text().endswith("; cost = 3 (general cost)\n")


def test_plans_of_other_planners_are_read(tmp_path: Path) -> None:
    """With a byte order mark, comments, capitals, blanks, and times of steps."""
    (tmp_path / "plan").write_text("\ufeff; found\n\n0.0: ( MOVE 2  4 3 ) ; first\n1: (move 1 4 2)\n(move 0 4 1)\n")
    task = towers(4)
    plan = bf.planning.read_plan(tmp_path / "plan", task)
    verified = bf.planning.verify_plan(plan, task)
    assert verified.cost == 3 and len(verified.states) == 4 and task.is_goal(verified.states[-1])


@pytest.mark.parametrize(
    ("text", "line", "words"),
    [
        ("(move 2 4 3)\nmove 1 4 2", 2, "not an action in parentheses"),
        ("(move 2 4 3\n", 1, "not an action in parentheses"),
        ("\n(mov 2 4 3)\n", 2, "did you mean move"),
        ("(move 2 4 3)\n1: ; nothing", 2, "the time 1 has no action"),
        ("(move 2 4 7)", 1, r"\(move 2 4 7\)' that can ever apply"),
    ],
)
def test_a_line_that_is_no_action_is_told(tmp_path: Path, text: str, line: int, words: str) -> None:
    (tmp_path / "plan").write_text(text)
    with pytest.raises(bf.InputError, match=f"plan, line {line}: .*{words}"):
        bf.planning.read_plan(tmp_path / "plan", towers(4))


@pytest.mark.parametrize(
    ("plan", "words"),
    [
        (["turn-on 0", "turn-on 2"], r"step 2: \(turn-on 2\) does not apply: switch 1: on does not hold"),
        (["turn-on 0", "turn-off 0"], "step 2: no action is called 'turn-off'; did you mean turn-on"),
        (["turn-on 0"], "1 steps? does not reach the goal: these do not hold: switch 1: on, switch 2: on"),
        ([], "does not reach the goal"),
    ],
)
def test_a_plan_that_fails_is_told_at_the_first_step(tmp_path: Path, plan: list[str], words: str) -> None:
    """It is not written either."""
    task = switches(3)
    with pytest.raises(bf.VerificationError, match=words):
        bf.planning.verify_plan(plan, task)
    with pytest.raises(bf.VerificationError, match=words):
        bf.planning.write_plan(tmp_path / "plan", plan, task)
    assert not (tmp_path / "plan").exists()


def test_of_operators_with_one_name_any_may_be_meant() -> None:
    """The first one that applies leads to a dead end; of the others, the cheaper one counts."""
    variable = Variable("place", ("start", "trap", "goal"))
    ways = [(1, 0), (2, 9), (2, 5)]
    operators = [Operator("go", (Fact(0, 0),), (Effect(Fact(0, target)),), cost) for target, cost in ways]
    task = Task([variable], operators, (0,), [Fact(0, 2)])
    assert bf.planning.verify_plan(["go"], task) == (("go",), ((0,), (2,)), 5)


def test_names_in_capitals_are_found(tmp_path: Path) -> None:
    """A plan file has none, but a task stated in Python may."""
    task = Task([Variable("here", ("no", "yes"))], [Operator("Go  There", (), (Effect(Fact(0, 1)),))], (0,), [Fact(0, 1)])
    (tmp_path / "plan").write_text("(go there)")
    assert bf.planning.read_plan(tmp_path / "plan", task) == ["Go  There"]


def test_a_solution_without_a_plan_is_not_written(tmp_path: Path) -> None:
    task = switches(2)
    unsolved = bf.solve(task, "uniform-cost", engine="python", limits=bf.Limits(expansions=0))
    with pytest.raises(bf.InputError, match="no plan to write: its status is limit"):
        bf.planning.write_plan(tmp_path / "plan", unsolved, task)


def test_of_names_that_differ_by_capitals_or_blanks_the_exact_one_is_read(tmp_path: Path) -> None:
    """What is written is read as the same operator; another spelling is refused if it could be several."""
    names = ["go a", "GO a", "go  a"]
    operators = [Operator(name, (Fact(0, at),), (Effect(Fact(0, at + 1)),)) for at, name in enumerate(names)]
    task, file = Task([Variable("place", ("0", "1", "2", "3"))], operators, (0,), [Fact(0, 3)]), tmp_path / "plan"
    bf.planning.write_plan(file, names, task)
    assert bf.planning.read_plan(file, task) == names
    file.write_text("(Go a)")
    with pytest.raises(
        bf.InputError, match=r"plan, line 1: .*could mean \(go a\) or \(GO a\) or .*write one of them exactly"
    ):
        bf.planning.read_plan(file, task)


@pytest.mark.parametrize("plan", [None, 5, "turn-on 0", [["turn-on 0"]], [5]])
def test_what_is_no_plan_is_refused(tmp_path: Path, plan: Any) -> None:
    """It is neither replayed nor written."""
    with pytest.raises(bf.InputError, match=r"names? of (an )?operator"):
        bf.planning.verify_plan(plan, switches(1))
    with pytest.raises(bf.InputError, match=r"names? of (an )?operator"):
        bf.planning.write_plan(tmp_path / "plan", plan, switches(1))


def test_what_is_no_task_is_refused(tmp_path: Path) -> None:
    """Plans belong to tasks."""
    other: Any = bf.SlidingTile("1 2 3 4 5 6 7 _ 8")
    (tmp_path / "plan").write_text("(right)")
    for call in (
        lambda: bf.planning.verify_plan(["right"], other),
        lambda: bf.planning.write_plan(tmp_path / "new", ["right"], other),
        lambda: bf.planning.read_plan(tmp_path / "plan", other),
    ):
        with pytest.raises(bf.InputError, match=r"task is .*; pass a Task"):
            call()

"""How tasks and their states are shown."""

from __future__ import annotations

import pickle

import bestfirst as bf
from bestfirst.planning import Effect, Fact, Operator, Task, Variable
from bestfirst.planning.task import LONGEST_LABEL
from planning_tasks import switches


def _facts(*facts: str) -> Task:
    """A task with one variable, and one whose values are these facts."""
    variables = [Variable("var0", ("Atom on(a, b)", "NegatedAtom on(a, b)")), Variable("var1", facts)]
    return Task(variables, [Operator("drop a", (Fact(0, 0),), (Effect(Fact(0, 1)),))], (0, 0), [Fact(0, 1)])


def test_a_state_is_shown_as_its_atoms() -> None:
    """Not what is false; facts of tasks stated in Python have the name of their variable."""
    task = _facts("Atom handempty()", "<none of those>")
    assert task.format((0, 0)) == task.label((0, 0)) == "on(a, b)  handempty"
    assert task.draw((0, 0)) == "on(a, b)\nhandempty"
    assert task.format((1, 1)) == ""
    assert switches(2).format((1, 0)) == "switch 0: on  switch 1: off"
    assert task.format_action("drop a") == "(drop a)"
    assert repr(task) == "Task(2 variables, 1 operators)"
    texts = [task.fact_text(Fact(*fact)) for fact in ((0, 1), (1, 1))]
    assert texts == ["not on(a, b)", "none of handempty"]


def test_of_a_large_state_what_is_new_is_shown() -> None:
    """Since the start; labels are cut, and drawings give the number of the other facts."""
    task = switches(20)
    assert task.label(task.initial) == "as at the start"
    assert task.label((1, 1, *(0,) * 18)) == "new: switch 0: on  switch 1: on"
    assert task.draw((1, 1, *(0,) * 18)) == "switch 0: on\nswitch 1: on\n18 facts as at the start"
    assert len(task.label((1,) * 20)) == LONGEST_LABEL


def test_a_class_of_a_user_has_its_own_name() -> None:
    class LongTower(Task): ...

    assert (Task.name(), LongTower.name()) == ("pddl", "long-tower")


def test_goals_that_exclude_each_other_are_known() -> None:
    """Two values of one variable; other reasons come from whoever made the task."""
    task = switches(2)
    assert task.unsolvable() is None
    both = Task(task.variables, task.operators, task.initial, [Fact(0, 0), Fact(0, 1)])
    assert both.unsolvable() == "the goal asks for switch 0: off and for switch 0: on, which exclude each other"
    task.why_unsolvable = "it cannot be"
    assert bf.solve(task, "uniform-cost", engine="python").reason == "it cannot be"
    assert pickle.loads(pickle.dumps(task)).unsolvable() == "it cannot be"

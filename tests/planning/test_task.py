"""Tasks: states, successors and goals, and what is refused."""

# mypy: disable-error-code="arg-type, list-item"
# (wrong types are what is tested)

from __future__ import annotations

import pickle
import subprocess
import sys
from copy import deepcopy
from typing import Any

import numpy as np
import pytest

import bestfirst as bf
from bestfirst.errors import NotCompilableError
from bestfirst.planning import Effect, Fact, Operator, Task, Variable
from planning_tasks import switches, towers

LAMP = Variable("lamp", ("off", "on"))
ON = Effect(Fact(0, 1))


def test_operators_are_applied_where_their_preconditions_hold() -> None:
    """Only the next switch can be turned on."""
    task = switches(3)
    assert list(task.successors((1, 0, 0))) == [("turn-on 1", (1, 1, 0), 2)]


def test_a_search_finds_a_cheapest_plan() -> None:
    """Four blocks on a table become a tower in three moves."""
    solution = bf.solve(towers(4), "uniform-cost", engine="python")
    assert solution.actions == ["move 2 4 3", "move 1 4 2", "move 0 4 1"]
    assert bf.solve(switches(4), "uniform-cost", engine="python").cost == 1 + 2 + 3 + 4


def test_a_plan_needs_no_numpy() -> None:
    """To say which engine will run a search loads no compiled code."""
    program = """
import sys
import bestfirst as bf
from bestfirst.planning import Task, Variable
task = Task([Variable("lamp", ("off", "on"))], [], (0,), [])
print(len(bf.plan(task, "astar", "lmcut").stages), "numpy" in sys.modules)
"""
    assert subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True).stdout == "2 False\n"


@pytest.mark.parametrize(
    ("wrong", "words"),
    [
        ({"variables": 5}, "variables: 5 is not a list"),
        ({"variables": ["lamp"]}, "variable 0 is 'lamp'; write Variable"),
        ({"variables": [Variable("lamp", ())]}, "the facts of variable 0 .*lamp"),
        ({"variables": [Variable("lamp", "ab")]}, "the facts of variable 0 .*lamp"),
        ({"variables": [Variable(1, ("off",))]}, "name of variable 0"),
        ({"initial": (0, 0)}, "2 values, but the task has 1 variable"),
        ({"initial": (2,)}, r"initial value of variable 0 \('lamp'\) is 2; write an int from 0 to 1"),
        ({"initial": (-1,)}, "is -1; write an int from 0 to 1"),
        ({"initial": (0.0,)}, "is 0.0; write an int"),
        ({"initial": (True,)}, "is True; write an int"),
        ({"initial": {0: 0}}, "the initial state: {0: 0} is not a list"),
        ({"initial": "0"}, "the initial state: '0' is not a list"),
        ({"initial": 0}, "the initial state: 0 is not a list"),
        ({"goal": Fact(0, 1)}, "the goal has 0 where a fact is expected"),
        ({"goal": [Fact(1, 0)]}, "there is no variable 1; variables are numbered from 0 to 0"),
        ({"goal": [Fact(0, 2)]}, r"the goal has .*variable 0 \('lamp'\) has no value 2"),
        ({"operators": 5}, "operators: 5 is not a list"),
        ({"operators": ["turn-on"]}, "operator 0 is 'turn-on'; write Operator"),
        *(
            ({"operators": [Operator(name, (), (ON,))]}, "the name of operator 0 is")
            for name in ("", " go", "go ", "a\nb", "a\x85b", "a;b", "(a)", "a\ud800", None)
        ),
        ({"operators": [Operator("go", Fact(0, 0), (ON,))]}, "operator 'go' has 0 where a fact is expected"),
        ({"operators": [Operator("go", None, (ON,))]}, "preconditions of operator 'go' are None"),
        ({"operators": [Operator("go", (Fact(-1, 0),), (ON,))]}, "operator 'go' .*no variable -1"),
        ({"operators": [Operator("go", (Fact(0, 0.0),), (ON,))]}, "operator 'go' .*where a fact is expected"),
        (
            {"operators": [Operator("go", (Fact(0, 0), Fact(0, 1)), (ON,))]},
            "operator 'go' has two preconditions on variable 0",
        ),
        ({"operators": [Operator("go", (), ON)]}, "effects of operator 'go'"),
        ({"operators": [Operator("go", (), (Fact(0, 1),))]}, "operator 'go' has the effect .*write Effect"),
        ({"operators": [Operator("go", (), (Effect(Fact(0, 2)),))]}, "operator 'go' .*has no value 2"),
        ({"operators": [Operator("go", (), (Effect(0),))]}, "operator 'go' has 0 where a fact is expected"),
        ({"operators": [Operator("go", (), (Effect(Fact(0, 1), (Fact(3, 1),)),))]}, "operator 'go' .*no variable 3"),
        ({"operators": [Operator("go", (), (Effect(Fact(0, 1), None),))]}, "conditions of operator 'go' are None"),
        *(
            ({"operators": [Operator("go", (), (ON,), cost)]}, "the cost of operator 'go' is .*a whole number >= 0")
            for cost in (-1, 1.5, float("nan"), True, "1", None)
        ),
    ],
)
def test_a_wrong_part_of_a_task_is_told(wrong: dict[str, Any], words: str) -> None:
    """The error names the variable or the operator."""
    right: dict[str, Any] = {
        "variables": [LAMP],
        "operators": [Operator("go", (), (ON,))],
        "initial": (0,),
        "goal": [Fact(0, 1)],
    }
    with pytest.raises(bf.InputError, match=words):
        Task(**(right | wrong))


def test_whole_numbers_and_pairs_of_any_kind_are_taken() -> None:
    """NumPy's ints, plain pairs and lists state the same task; preconditions are sorted."""
    one, variables = np.int64(1), [LAMP, LAMP]
    loose: Any = Operator("go", [(1, np.int8(0)), (0, 0)], [Effect((0, one), [(1, 0)])], np.uint8(2))
    exact = Operator("go", (Fact(0, 0), Fact(1, 0)), (Effect(Fact(0, 1), (Fact(1, 0),)),), 2)
    stated: Any = Task(variables, [loose], np.array([0, 0]), [(0, one)])
    assert repr((stated.operators, stated.initial, stated.goal)) == repr(((exact,), (0, 0), (Fact(0, 1),)))
    assert bf.solve(stated, "astar", "hmax").cost == 2


@pytest.mark.parametrize("algorithm", ["uniform-cost", "idastar", "lazy-anytime", "greedy"])
def test_a_cost_beyond_the_compiled_engine_is_refused_there(algorithm: str) -> None:
    """The reference engine adds costs of any size."""
    task = Task([LAMP], [Operator("go", (), (ON,), 2**64)], (0,), [Fact(0, 1)])
    heuristic = None if algorithm == "uniform-cost" else "goal-count"
    with pytest.raises(NotCompilableError, match="a path costs more than"):
        bf.solve(task, algorithm, heuristic, engine="compiled")
    assert bf.solve(task, algorithm, heuristic, engine="python").cost == 2**64


@pytest.mark.parametrize("name", ["variables", "operators", "initial", "goal"])
def test_a_task_cannot_be_changed(name: str) -> None:
    """Nor can its copies; other attributes, also of subclasses, can."""

    class Own(Task):
        def __init__(self) -> None:
            super().__init__([LAMP], [Operator("go", (), (ON,))], (0,), [Fact(0, 1)])
            self.note = "first"

    own = Own()
    own.note = "second"
    for task in (own, deepcopy(own), pickle.loads(pickle.dumps(towers(2)))):
        with pytest.raises(bf.InputError, match=f"the {name} of a Task cannot be changed; create a new Task"):
            setattr(task, name, ())
        assert bf.solve(task, "uniform-cost").cost == 1

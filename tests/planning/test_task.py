"""Tasks: states, successors and goals."""

from __future__ import annotations

import subprocess
import sys

import bestfirst as bf
from planning_tasks import switches, towers


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

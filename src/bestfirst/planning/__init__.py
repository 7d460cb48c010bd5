"""Planning tasks, stated in PDDL or as finite-domain variables and operators, searched like any other problem."""

from bestfirst.planning.pddl import read
from bestfirst.planning.plan_files import VerifiedPlan, read_plan, verify_plan, write_plan
from bestfirst.planning.sas import read_sas
from bestfirst.planning.task import Effect, Fact, Operator, State, Task, Variable

__all__ = [
    "Effect",
    "Fact",
    "Operator",
    "State",
    "Task",
    "Variable",
    "VerifiedPlan",
    "read",
    "read_plan",
    "read_sas",
    "verify_plan",
    "write_plan",
]

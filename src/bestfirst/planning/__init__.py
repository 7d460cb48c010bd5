"""Planning tasks, stated in PDDL or as finite-domain variables and operators, searched like any other problem."""

from bestfirst.planning.task import Effect, Fact, Operator, State, Task, Variable

__all__ = ["Effect", "Fact", "Operator", "State", "Task", "Variable"]

"""Reads tasks from the output format of the Fast Downward translator (version 3)."""

from __future__ import annotations

from bestfirst.errors import InputError
from bestfirst.planning.task import Effect, Fact, Operator, Task, Variable

VERSION = "3"


def task_of(text: str) -> Task:
    """The task that a text in this format describes.

    Raises InputError for a text that is not in this format, or a task with axioms, which are not supported.
    """
    return _Reader(text).task()


class _Reader:
    """Takes the lines of a text one after the other."""

    def __init__(self, text: str) -> None:
        self._lines = text.splitlines()
        self._taken = 0

    def task(self) -> Task:
        self._section("version", [VERSION])
        self._expect("begin_metric")
        has_costs = self._number() == 1
        self._expect("end_metric")
        variables = [self._variable() for _ in range(self._number())]
        for _ in range(self._number()):
            self._mutex_group()
        self._expect("begin_state")
        initial = tuple(self._number() for _ in variables)
        self._expect("end_state")
        self._expect("begin_goal")
        goal = [self._fact() for _ in range(self._number())]
        self._expect("end_goal")
        operators = [self._operator(has_costs=has_costs) for _ in range(self._number())]
        if self._number() > 0:
            raise InputError("the task has axioms (derived predicates), which are not supported")
        return Task(variables, operators, initial, goal)

    def _variable(self) -> Variable:
        self._expect("begin_variable")
        name = self._line()
        if self._number() != -1:
            raise InputError("the task has axioms (derived predicates), which are not supported")
        facts = tuple(self._line() for _ in range(self._number()))
        self._expect("end_variable")
        return Variable(name, facts)

    def _mutex_group(self) -> None:
        self._expect("begin_mutex_group")
        for _ in range(self._number()):
            self._fact()
        self._expect("end_mutex_group")

    def _operator(self, *, has_costs: bool) -> Operator:
        self._expect("begin_operator")
        name = self._line()
        preconditions = [self._fact() for _ in range(self._number())]
        effects = []
        for _ in range(self._number()):
            count, *numbers = self._numbers()
            pairs = zip(numbers[: 2 * count : 2], numbers[1 : 2 * count : 2], strict=True)
            conditions = tuple(Fact(variable, value) for variable, value in pairs)
            variable, before, after = numbers[2 * count :]
            if before != -1:
                preconditions.append(Fact(variable, before))
            effects.append(Effect(Fact(variable, after), conditions))
        cost = self._number()
        self._expect("end_operator")
        return Operator(name, tuple(sorted(set(preconditions))), tuple(effects), cost if has_costs else 1)

    def _section(self, name: str, lines: list[str]) -> None:
        for line in (f"begin_{name}", *lines, f"end_{name}"):
            self._expect(line)

    def _fact(self) -> Fact:
        variable, value = self._numbers()
        return Fact(variable, value)

    def _number(self) -> int:
        (number,) = self._numbers()
        return number

    def _numbers(self) -> list[int]:
        line = self._line()
        try:
            return [int(word) for word in line.split()]
        except ValueError:
            raise InputError(f"line {self._taken} of the translator's output is {line!r}, not numbers") from None

    def _expect(self, wanted: str) -> None:
        line = self._line()
        if line.strip() != wanted:
            raise InputError(f"line {self._taken} of the translator's output is {line!r}, not {wanted!r}")

    def _line(self) -> str:
        if self._taken == len(self._lines):
            raise InputError("the translator's output ends too early")
        self._taken += 1
        return self._lines[self._taken - 1]

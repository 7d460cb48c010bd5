"""Reads tasks from the output format of the Fast Downward translator (version 3); an error names the line."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from pathlib import Path
from typing import NoReturn

from bestfirst.arguments import check_path
from bestfirst.domains.shared.files import bytes_of
from bestfirst.errors import InputError
from bestfirst.planning.pddl_text import short
from bestfirst.planning.task import Effect, Fact, Operator, Task, Variable

VERSION = "3"


def read_sas(path: str | Path) -> Task:
    """The task of a file that the translator of Fast Downward has written.

    Raises InputError, which names the file and the line, for a file that cannot be read or is not in version 3 of this
    format, and for a task with axioms, which are not supported.
    """
    check_path("path", path)
    return task_of(bytes_of(Path(path)).decode("utf-8-sig", "replace"), str(path))


def task_of(text: str, name: str = "the translator's output") -> Task:
    """The task that a text in this format describes. name: of the text, for errors.

    Raises InputError for a text that is not in this format, or a task with axioms, which are not supported.
    """
    return _Reader(text, name).task()


class _Reader:
    """Takes the lines of a text one after the other."""

    def __init__(self, text: str, name: str) -> None:
        self._lines, self._name = text.splitlines(), name
        self._taken = 0
        self._sizes: list[int] = []
        """The number of values of each variable."""

    def task(self) -> Task:
        self._section("version", [VERSION])
        self._expect("begin_metric")
        has_costs = self._number("the flag for action costs", 1) == 1
        self._expect("end_metric")
        variables = [self._variable() for _ in range(self._number("the number of variables"))]
        self._sizes = [len(variable.facts) for variable in variables]
        for _ in range(self._number("the number of mutex groups")):
            self._mutex_group()
        self._expect("begin_state")
        initial = tuple(self._number("the value of a variable", size - 1) for size in self._sizes)
        self._expect("end_state")
        self._expect("begin_goal")
        goal = [self._fact() for _ in range(self._number("the number of goals"))]
        self._expect("end_goal")
        operators = [self._operator(has_costs=has_costs) for _ in range(self._number("the number of operators"))]
        if self._number("the number of axioms") > 0:
            self._refuse_axioms()
        if any(line.strip() for line in self._lines[self._taken :]):
            self._taken += 1
            self._fail("text follows the end of the task; remove it")
        return Task(variables, operators, initial, goal)

    def _variable(self) -> Variable:
        self._expect("begin_variable")
        name = self._line()
        if self._whole() != -1:
            self._refuse_axioms()
        count = self._number("the number of values")
        if count == 0:
            self._fail("the variable has no values; it needs at least 1")
        facts = tuple(self._line() for _ in range(count))
        self._expect("end_variable")
        return Variable(name, facts)

    def _mutex_group(self) -> None:
        self._expect("begin_mutex_group")
        for _ in range(self._number("the number of facts")):
            self._fact()
        self._expect("end_mutex_group")

    def _operator(self, *, has_costs: bool) -> Operator:
        self._expect("begin_operator")
        name = self._line().strip()  # without parameters, the translator ends it with a blank
        preconditions = [self._fact() for _ in range(self._number("the number of preconditions"))]
        effects = []
        for _ in range(self._number("the number of effects")):
            effect, before = self._effect()
            effects.append(effect)
            preconditions += before
        cost = self._number("the cost")
        self._expect("end_operator")
        distinct = tuple(sorted(set(preconditions)))
        if any(one.variable == other.variable for one, other in pairwise(distinct)):
            self._fail(f"operator {short(name)}, which ends here, has two preconditions on one variable")
        return Operator(name, distinct, tuple(effects), cost if has_costs else 1)

    def _effect(self) -> tuple[Effect, list[Fact]]:
        """An effect, and the precondition that it implies, if any."""
        numbers = self._numbers()
        count = numbers[0] if numbers else -1
        if count < 0 or len(numbers) != 2 * count + 4:
            self._fail(
                f"{self._shown} is not an effect; write the number of its conditions, the conditions, a variable, and two values"
            )
        conditions = tuple(self._checked(*numbers[place : place + 2]) for place in range(1, 2 * count + 1, 2))
        variable, before, after = numbers[-3:]
        needed = [] if before == -1 else [self._checked(variable, before)]
        return Effect(self._checked(variable, after), conditions), needed

    def _section(self, name: str, lines: Sequence[str]) -> None:
        for line in (f"begin_{name}", *lines, f"end_{name}"):
            self._expect(line)

    def _fact(self) -> Fact:
        numbers = self._numbers()
        if len(numbers) != 2:
            self._fail(f"{self._shown} is not a fact; write the number of a variable, and a value")
        return self._checked(*numbers)

    def _checked(self, variable: int, value: int) -> Fact:
        if not 0 <= variable < len(self._sizes):
            numbered = (
                f"variables are numbered from 0 to {len(self._sizes) - 1}" if self._sizes else "the task has no variables"
            )
            self._fail(f"there is no variable {variable}; {numbered}")
        if not 0 <= value < self._sizes[variable]:
            self._fail(f"variable {variable} has no value {value}; its values are from 0 to {self._sizes[variable] - 1}")
        return Fact(variable, value)

    def _number(self, what: str, most: int | None = None) -> int:
        number = self._whole()
        if number < 0 or (most is not None and number > most):
            limits = "at least 0" if most is None else f"from 0 to {most}"
            self._fail(f"{what} is {number}; it must be {limits}")
        return number

    def _whole(self) -> int:
        numbers = self._numbers()
        if len(numbers) != 1:
            self._fail(f"{self._shown} is not one number")
        return numbers[0]

    def _numbers(self) -> list[int]:
        line = self._line()
        try:
            return [int(word) for word in line.split()]
        except ValueError:
            self._fail(f"{short(line)} is given where numbers are expected")

    def _expect(self, wanted: str) -> None:
        line = self._line()
        if line.strip() != wanted:
            self._fail(f"{short(line)} is given where {wanted!r} is expected")

    def _line(self) -> str:
        if self._taken == len(self._lines):
            self._fail("the text ends before the task is complete")
        self._taken += 1
        return self._lines[self._taken - 1]

    @property
    def _shown(self) -> str:
        """The line that was taken last, as an error shows it."""
        return short(self._lines[self._taken - 1])

    def _refuse_axioms(self) -> NoReturn:
        self._fail("the task has axioms (derived predicates), which are not supported")

    def _fail(self, text: str) -> NoReturn:
        raise InputError(f"{self._name}, line {self._taken}: {text}")

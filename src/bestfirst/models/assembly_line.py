"""Simple assembly line balancing of type 1 (SALBP-1): assign tasks to as few stations as possible."""

from __future__ import annotations

import re
from collections.abc import Hashable, Iterable, Sequence
from graphlib import CycleError, TopologicalSorter
from pathlib import Path
from typing import TYPE_CHECKING, Any

from bestfirst.errors import InputError, shown
from bestfirst.models.bins import Bins, Packing
from bestfirst.models.files import Lines, Words, path_given
from bestfirst.models.numbers import listed, names_of, row, whole

if TYPE_CHECKING:
    from bestfirst.solution import Solution


class AssemblyLine(Bins):
    """Assembly-line balancing: assign tasks to stations in a row within the cycle time; the cost is the number of stations.

    times: the time of each task, a whole number >= 1. precedence: pairs (before, after) of tasks, or a directed NetworkX graph.
    names: the names of the tasks; default: 1, 2, ... Raises InputError for invalid numbers, a task that takes longer than the
    cycle time, an unknown task in precedence, and a cycle of precedence.

    An action is the next task for the current station, or "open"; a station is closed when no available task fits.
    Of two states with the same remaining tasks, the one with more time left at its station dominates the other.
    Source: Jackson 1956; as a state space: Kuroiwa & Beck 2023. Instances: Otto, Otto & Scholl 2013.
    """

    thing = "task"

    def __init__(
        self,
        times: Sequence[int],
        precedence: Iterable[tuple[Any, Any]] | Any,
        cycle_time: int,
        *,
        names: Sequence[Any] | None = None,
    ) -> None:
        given = row("times", times, least=1).tolist()
        labels = names_of("tasks", names, range(1, len(given) + 1))
        number = {name: task for task, name in enumerate(labels)}
        before: list[list[int]] = [[] for _ in given]
        for pair in listed("precedence", getattr(precedence, "edges", precedence), "pairs (before, after)"):
            if not isinstance(pair, tuple | list) or len(pair) != 2:
                raise InputError(f"precedence contains {shown(pair)}; write pairs (before, after)")
            for task in pair:
                if not isinstance(task, Hashable) or task not in number:
                    raise InputError(f"precedence names the task {shown(task)}, which is not one of the {len(given)} tasks")
            before[number[pair[1]]].append(number[pair[0]])
        try:
            TopologicalSorter(dict(enumerate(before))).prepare()
        except CycleError as error:
            circle = " before ".join(str(labels[task]) for task in error.args[1])
            raise InputError(f"precedence has a cycle: {circle}; remove one of these pairs") from None
        super().__init__(labels, given, whole("cycle_time", cycle_time, 1), before)

    @classmethod
    def from_file(cls, path: str | Path) -> AssemblyLine:
        """An instance from an .alb file. Raises InputError that names the file and the line.

        Sections: <number of tasks>, <cycle time>, <task times> (lines "task time"), <precedence relations> (lines
        "before,after"), <end>; others are ignored.
        """
        lines = Lines(path)
        sections = _sections(lines)
        if "end" not in sections:
            raise InputError(f"{path} does not end with <end>, so a part may be missing; complete it, and add <end>")
        count = _single(lines, sections, "number of tasks")
        cycle_time = _single(lines, sections, "cycle time")
        times: dict[int, int] = {}
        for line, words in _rows(lines, sections, "task times"):
            task, time = words.whole("the task", 1, count), words.whole("its time", 1, cycle_time)
            words.end("the time of the task")
            if task in times:
                lines.fail(line, f"task {task} has two times; remove one of them")
            times[task] = time
        for task in range(1, count + 1):
            if task not in times:
                raise InputError(f"{path}: task {task} of {count} has no time; add it to <task times>")
        precedence = []
        for _, words in _rows(lines, sections, "precedence relations"):
            precedence.append((words.whole("the first task", 1, count), words.whole("the second task", 1, count)))
            words.end("two tasks")
        try:
            return cls([times[task] for task in range(1, count + 1)], precedence, cycle_time)
        except InputError as error:
            raise InputError(f"{path}: {error}") from None

    @classmethod
    def from_text(cls, text: str = "", *, file: str = "") -> AssemblyLine:
        """An instance from command-line arguments: the path of a file."""
        return cls.from_file(path_given(cls.name(), text, file))

    def stations(self, solution: Solution | Sequence[Any]) -> Packing:
        """The stations of a solution, or of a list of actions."""
        return Packing.of(self, solution)

    result = stations


_Sections = dict[str, tuple[int, list[tuple[int, str]]]]
"""By name: the line of the heading, and the lines below."""


def _sections(lines: Lines) -> _Sections:
    found: _Sections = {}
    content: list[tuple[int, str]] = []
    for number, line in lines:
        if heading := re.fullmatch(r"<(.*)>", line):
            name = " ".join(heading[1].lower().split())
            if name in found:
                lines.fail(number, f"<{name}> occurs twice; remove one of the two sections")
            content = []
            found[name] = number, content
        elif not found:
            lines.fail(number, f"{shown(line)} precedes the first section; begin the file with <number of tasks>")
        else:
            content.append((number, line))
    return found


def _single(lines: Lines, sections: _Sections, name: str) -> int:
    rows = _rows(lines, sections, name)
    if len(rows) != 1:
        lines.fail(sections[name][0], f"<{name}> has {len(rows)} lines; write one number below it")
    number = rows[0][1].whole(f"the {name}", 1)
    rows[0][1].end(f"the {name}")
    return number


def _rows(lines: Lines, sections: _Sections, name: str) -> list[tuple[int, Words]]:
    if name not in sections:
        raise InputError(f"{lines.path} has no section <{name}>; add it")
    return [
        (number, Words(lines, [(number, word) for word in line.replace(",", " ").split()]))
        for number, line in sections[name][1]
    ]

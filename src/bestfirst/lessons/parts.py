"""The parts of a lesson: prose, and what is computed for it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, ClassVar

from bestfirst.errors import BestfirstError, InputError
from bestfirst.lessons import running
from bestfirst.lessons.expressions import evaluate, names_in, same, shown
from bestfirst.lessons.result import Progress, Result

STATED = re.compile(r"\[([^\[\]]+)\]\((?:<=([^<>]*)>|=([^\s()]*))\)")
"""What prose states and a run computes: [15](=greedy.cost), or [1](<=greedy.cost - astar.cost>) with spaces."""

_BEGUN = re.compile(r"\S{0,40}\]\(<?=.{0,40}")
"""What looks like that but is not: it would not be checked."""


@dataclass(frozen=True)
class Part:
    """A part of a lesson. line: where it begins in the file, from 1."""

    kind: ClassVar[str]
    line: int

    def texts(self) -> Iterator[tuple[int, str]]:
        """Its texts in Markdown, each with its line."""
        return iter(())

    def stated(self) -> Iterator[tuple[int, str, str]]:
        """What its texts state: for each statement the line, a text, and the expression that it must equal."""
        for line, text in self.texts():
            for at, found in _with_lines(STATED.finditer(text), text, line):
                expression = found[2] if found[2] is not None else found[3]
                yield at, found[1], expression

    def misstated(self) -> Iterator[tuple[int, str]]:
        """What looks like a stated number in its texts but is none: for each the line, and what to write instead."""
        for line, text in self.texts():
            others = STATED.sub(lambda stated: " " + "\n" * stated[0].count("\n"), text)
            for at, found in _with_lines(_BEGUN.finditer(others), others, line):
                yield (
                    at,
                    f"{found[0]!r} is not a number followed by an expression; write [15](=greedy.cost), or [1](<=a.cost - b.cost>)",
                )

    def expressions(self) -> Iterator[tuple[int, str]]:
        """The expressions over runs that it contains, each with its line."""
        return ((line, expression) for line, _, expression in self.stated())

    def needs(self) -> set[str]:
        """The names of the runs on which it depends. Raises InputError for an expression that cannot be read."""
        return set().union(*(names_in(expression) for _, expression in self.expressions()))

    def wrong(self, values: Mapping[str, Any]) -> Iterator[tuple[int, str]]:
        """What it states and the values do not confirm, each with its line; expressions without values are left out."""
        for line, text, expression in self.stated():
            if not _is_known(expression, values):
                continue
            try:
                computed = evaluate(expression, values)
            except BestfirstError as error:
                yield line, f"{expression} cannot be computed: {error}"
                continue
            if not same(text, computed):
                yield line, f"{expression} is {shown(computed)}, not {text}; correct the text, or the run"


@dataclass(frozen=True)
class Prose(Part):
    """Markdown."""

    kind: ClassVar[str] = "prose"
    text: str

    def texts(self) -> Iterator[tuple[int, str]]:
        yield self.line, self.text

    def html(self) -> str:
        """The text as HTML; each stated number is <data class="stated" value="EXPRESSION">. Needs markdown-it-py."""
        from bestfirst.lessons.rendering import html_of  # noqa: PLC0415  (of an extra)

        return html_of(self.text)


@dataclass(frozen=True)
class Computed(Part):
    """A part that computes something under a name, by which prose and questions refer to it."""

    name: str
    title: str
    given: Mapping[str, Any]

    def run(self, *, progress: Progress | None = None) -> Result:
        """Compute it. progress: called with a description of each step. Raises InputError, and what a search raises."""
        raise NotImplementedError

    @property
    def is_slow(self) -> bool:
        """Whether it takes many seconds, so that a page asks before it computes it."""
        return bool(self.given.get("slow"))


@dataclass(frozen=True)
class Run(Computed):
    """A search of a problem or of a game, which can be watched."""

    kind: ClassVar[str] = "run"

    def run(self, *, progress: Progress | None = None) -> Result:
        del progress
        return running.game(self.given) if "game" in self.given else running.search(self.given)


@dataclass(frozen=True)
class Measure(Computed):
    """The values of heuristics in one state."""

    kind: ClassVar[str] = "measure"

    def run(self, *, progress: Progress | None = None) -> Result:
        del progress
        return running.measure(self.given)


@dataclass(frozen=True)
class Audit(Computed):
    """Heuristics next to the true distances, in all states."""

    kind: ClassVar[str] = "audit"

    def run(self, *, progress: Progress | None = None) -> Result:
        return running.audited(self.given, progress)


@dataclass(frozen=True)
class Table(Part):
    """A row for each of some results, a column for each value. rows: pairs of a title and an expression."""

    kind: ClassVar[str] = "table"
    rows: list[tuple[str, str]]
    columns: list[tuple[str, str]]

    def expressions(self) -> Iterator[tuple[int, str]]:
        return ((self.line, row) for _, row in self.rows)

    def wrong(self, values: Mapping[str, Any]) -> Iterator[tuple[int, str]]:
        for _, row in self.rows:
            for _, column in self.columns if _is_known(row, values) else ():
                try:
                    evaluate(f"({row}).{column}", values)
                except BestfirstError as error:
                    yield self.line, f"{row}.{column}: {error}"

    def cells(self, values: Mapping[str, Any]) -> list[list[str]]:
        """The texts of the cells. Raises InputError for what is not known."""
        return [[shown(evaluate(f"({row}).{column}", values)) for _, column in self.columns] for _, row in self.rows]


@dataclass(frozen=True)
class Question(Part):
    """A question whose answer is computed.

    choices: what can be chosen; [] for a number to type. lines: where `ask`, `answer` and `explain` begin.
    """

    kind: ClassVar[str] = "question"
    ask: str
    answer: str
    choices: list[str]
    explain: str
    lines: Mapping[str, int] = field(default_factory=dict)

    def texts(self) -> Iterator[tuple[int, str]]:
        yield self.lines.get("ask", self.line), self.ask
        yield self.lines.get("explain", self.line), self.explain

    def expressions(self) -> Iterator[tuple[int, str]]:
        yield from super().expressions()
        yield self.lines.get("answer", self.line), self.answer

    def wrong(self, values: Mapping[str, Any]) -> Iterator[tuple[int, str]]:
        yield from super().wrong(values)
        if _is_known(self.answer, values):
            try:
                self.right(values)
            except BestfirstError as error:
                yield self.lines.get("answer", self.line), str(error)

    def right(self, values: Mapping[str, Any]) -> str:
        """The right answer, as a text. Raises InputError if it is neither one of the choices nor a number."""
        computed = evaluate(self.answer, values)
        if self.choices:
            for choice in self.choices:
                if same(choice, computed):
                    return choice
            raise InputError(f"the answer is {shown(computed)!r}, which is not one of the choices; add it to choices")
        if isinstance(computed, bool) or not isinstance(computed, int | float):
            raise InputError(
                f"the answer is {shown(computed)!r}, which is not a number; add choices that include this answer"
            )
        return shown(computed)

    def is_right(self, given: str, values: Mapping[str, Any]) -> bool:
        """Whether an answer is right: a choice, or a number that is equal up to the digits that it has."""
        computed = evaluate(self.answer, values)
        return same(given, computed)


def _is_known(expression: str, values: Mapping[str, Any]) -> bool:
    """Whether an expression can be read, and its names have values."""
    try:
        return names_in(expression) <= set(values)
    except InputError:
        return False


def _with_lines(matches: Iterator[re.Match[str]], text: str, line: int) -> Iterator[tuple[int, re.Match[str]]]:
    """Each match in a text with its line. line: the first one."""
    counted = 0
    for found in matches:
        line += text.count("\n", counted, found.start())
        counted = found.start()
        yield line, found

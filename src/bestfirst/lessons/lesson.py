"""A lesson: its parts, what they compute, and whether the text is right."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from bestfirst.errors import BestfirstError
from bestfirst.lessons.expressions import evaluate, same, shown
from bestfirst.lessons.parts import Computed, Part, Question, Table
from bestfirst.lessons.result import Result


@dataclass(frozen=True)
class Mistake:
    """Where a lesson is wrong, and how. Its string is what to show."""

    file: str
    line: int
    words: str

    def __str__(self) -> str:
        return f"{self.file}:{self.line}: {self.words}"


@dataclass(frozen=True)
class Lesson:
    """A lesson as its file describes it. name: that of the file without .md."""

    name: str
    file: str
    title: str
    order: float
    summary: str
    parts: list[Part]

    @property
    def computed(self) -> list[Computed]:
        """The parts that compute something, in their order."""
        return [part for part in self.parts if isinstance(part, Computed)]

    def compute(self, *, slow: bool = True, progress: Callable[[Computed], None] | None = None) -> dict[str, Result]:
        """The results by the names of their parts. slow: whether to compute the slow ones too. progress: told each part."""
        found = {}
        for part in self.computed:
            if slow or not part.is_slow:
                if progress is not None:
                    progress(part)
                found[part.name] = part.run()
        return found

    def mistakes(self, found: Mapping[str, Result]) -> list[Mistake]:
        """What the text states and the results do not confirm. Parts whose runs are missing are not checked."""
        values = {name: result.values for name, result in found.items()}
        return [Mistake(self.file, line, words) for part in self.parts for line, words in _wrong(part, values)]


def _wrong(part: Part, values: Mapping[str, Any]) -> Iterator[tuple[int, str]]:
    if not part.needs() <= set(values):
        return
    for line, text, expression in part.stated():
        try:
            computed = evaluate(expression, values)
        except BestfirstError as error:
            yield line, f"{expression} cannot be computed: {error}"
            continue
        if not same(text, computed):
            yield line, f"{expression} is {shown(computed)}, not {text}; correct the text, or the run"
    try:
        if isinstance(part, Question):
            part.right(values)
        if isinstance(part, Table):
            part.cells(values)
    except BestfirstError as error:
        yield part.line, str(error)

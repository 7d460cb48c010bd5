"""A lesson: its parts, what they compute, and whether the text is right."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from bestfirst.lessons.parts import Computed, Part
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
    """A lesson as its file describes it. name: the file name without .md."""

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
        """The results by the names of their parts. slow: whether to compute the slow ones too. progress: called with each part."""
        found = {}
        for part in self.computed:
            if slow or not part.is_slow:
                if progress is not None:
                    progress(part)
                found[part.name] = part.run()
        return found

    def mistakes(self, found: Mapping[str, Result]) -> list[Mistake]:
        """What the text states and the results do not confirm. What depends on other runs is not checked."""
        values = {name: result.values for name, result in found.items()}
        return [Mistake(self.file, line, words) for part in self.parts for line, words in part.wrong(values)]

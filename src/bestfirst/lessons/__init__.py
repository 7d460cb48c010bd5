"""Lessons: texts whose searches run, whose numbers are checked and whose questions are answered by the search itself.

    from bestfirst import lessons

    for lesson in lessons.all():
        print(lesson.title)
    lesson = lessons.read("my-lesson.md")
    found = lesson.compute()                # every run, measure and audit, the quick and the slow ones
    print(lesson.mistakes(found))           # what the text states and the computation does not confirm

docs/writing-a-lesson.md describes the files. Nothing here needs NumPy, Numba or a server.
"""

from __future__ import annotations

from importlib.resources import files

from bestfirst.lessons.lesson import Lesson, Mistake
from bestfirst.lessons.parts import Audit, Measure, Part, Prose, Question, Run, Table
from bestfirst.lessons.reading import read, read_text
from bestfirst.lessons.result import Result

__all__ = [
    "Audit",
    "Lesson",
    "Measure",
    "Mistake",
    "Part",
    "Prose",
    "Question",
    "Result",
    "Run",
    "Table",
    "all",
    "read",
    "read_text",
]


def all() -> list[Lesson]:  # noqa: A001  (it is called as lessons.all())
    """The lessons of the package, in their order."""
    texts = [entry for entry in files("bestfirst.lessons").iterdir() if entry.name.endswith(".md")]
    return sorted(
        (read_text(entry.read_text("utf-8"), entry.name) for entry in texts), key=lambda lesson: (lesson.order, lesson.name)
    )

"""Checks the file of a lesson for its author: every mistake at once, where reading it stops at the first."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from bestfirst.errors import BestfirstError
from bestfirst.lessons.lesson import Lesson, Mistake
from bestfirst.lessons.parts import Computed
from bestfirst.lessons.reading import draft
from bestfirst.own_errors import own_errors
from bestfirst.system.ended_calls import OutOfSeconds, within


def check(
    path: str | Path,
    *,
    slow: bool = True,
    seconds: float | None = None,
    progress: Callable[[Computed], None] | None = None,
    tell: Callable[[Mistake], None] | None = None,
) -> tuple[Lesson, list[Mistake]]:
    """The lesson of a file as far as it can be read, and its mistakes in the order of their lines.

    They are what cannot be read, what cannot be computed, and what the text states and its runs do not confirm.
    slow: whether to compute the slow blocks too. seconds: the limit of each block. progress: called with each block before
    it is computed. tell: called with each mistake as it is found.
    Raises InputError if the file cannot be read.
    """
    lesson, mistakes = draft(path)
    told = tell or (lambda _mistake: None)
    for mistake in mistakes:
        told(mistake)
    found = {}
    for part in lesson.computed:
        if part.is_slow and not slow:
            continue
        if progress is not None:
            progress(part)
        try:
            with own_errors():
                found[part.name] = within(seconds, part.run)
        except KeyboardInterrupt:
            raise KeyboardInterrupt(f"{part.name}, on line {part.line}, and everything below it were not checked") from None
        except OutOfSeconds:
            words = f"{part.name} did not finish within {seconds:g} s; make it smaller, or raise --seconds"
            mistakes.append(Mistake(lesson.file, part.line, words))
            told(mistakes[-1])
        except BestfirstError as error:
            mistakes.append(Mistake(lesson.file, part.line, f"{part.name} cannot be computed: {error}"))
            told(mistakes[-1])
    for mistake in lesson.mistakes(found):
        mistakes.append(mistake)
        told(mistake)
    return lesson, sorted(mistakes, key=lambda mistake: mistake.line)

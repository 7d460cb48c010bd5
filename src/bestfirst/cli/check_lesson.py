"""The command check-lesson: every mistake in the file of a lesson, by its line."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from bestfirst.arguments import check_number
from bestfirst.cli.exit_codes import ExitCode
from bestfirst.cli.json_output import print_json
from bestfirst.cli.running import with_short_words
from bestfirst.errors import counted
from bestfirst.lessons.checking import check
from bestfirst.lessons.lesson import Mistake
from bestfirst.lessons.parts import Computed, Question


def check_lesson_command(
    lesson: Annotated[Path, typer.Argument(metavar="LESSON.md", help="The lesson, a Markdown file.", show_default=False)],
    quick: Annotated[bool, typer.Option("--quick", help="Skip the blocks with slow = true.")] = False,
    seconds: Annotated[float, typer.Option("--seconds", help="Time limit for each block in seconds.")] = 60,
    as_json: Annotated[bool, typer.Option("--json", help="Print a single JSON object.")] = False,
) -> None:
    """Check a lesson: whether it can be read, its blocks can be computed, and its numbers and answers are right."""
    progress, tell = (None, None) if as_json else (_tell, _tell_mistake)
    check_number("--seconds", seconds, 0)
    found, mistakes = check(lesson, slow=not quick, seconds=seconds, progress=progress, tell=tell)
    if as_json:
        rows = [{"file": one.file, "line": one.line, "message": one.words} for one in mistakes]
        print_json("check-lesson", {"ok": not mistakes, "title": found.title, "mistakes": rows})
    elif not mistakes:
        numbers = sum(len(list(part.stated())) for part in found.parts)
        questions = sum(isinstance(part, Question) for part in found.parts)
        left_out = sum(part.is_slow for part in found.computed) if quick else 0
        blocks = counted(len(found.computed) - left_out, "block")
        checked = f"{lesson}: no mistakes in {counted(numbers, 'number')}, {blocks} and {counted(questions, 'question')}"
        typer.echo(checked + (f"; {counted(left_out, 'slow block')} skipped" if left_out else ""))
    if mistakes:
        raise typer.Exit(ExitCode.BAD_INPUT)


def _tell_mistake(mistake: Mistake) -> None:
    typer.echo(with_short_words(str(mistake)))


def _tell(part: Computed) -> None:
    if part.is_slow:
        typer.echo(f"computing {part.name}, which is slow", err=True)

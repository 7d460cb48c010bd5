"""The lessons as pages: their texts, the recorded runs in the viewer, tables, and questions that the page checks."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from html import escape
from pathlib import Path
from typing import Any

from bestfirst import lessons
from bestfirst.lessons.expressions import shown
from bestfirst.lessons.parts import STATED, Computed
from bestfirst.lessons.rendering import html_of
from bestfirst.lessons.result import Result
from bestfirst.viewer.page import page_of

RUNS = "runs"
"""Where the pages of the viewer are, in _static."""
FIGURES = ("cost", "expanded", "generated", "reopened", "value", "move", "nodes")
"""What stands above the viewer; of these, what a run has."""
LATER = "*This takes a while: it is computed when the whole site is built.*"


def lesson_pages(static: Path, *, quick: bool) -> Iterator[tuple[str, str]]:
    """The place and the text of each lesson's page. static: where the runs are written. quick: without the slow parts.

    Raises SystemExit if a lesson states what is not computed.
    """
    (static / RUNS).mkdir(parents=True, exist_ok=True)
    for lesson in lessons.all():
        found = lesson.compute(slow=not quick)
        mistakes = lesson.mistakes(found)
        if mistakes:
            raise SystemExit("\n".join(map(str, mistakes)))
        yield f"lessons/{lesson.name}.md", _page(lesson, found, static)


def index_of(pages: list[str]) -> str:
    """The page that lists the lessons, whose places are given."""
    listed = "\n".join(f"- **[{lesson.title}]({lesson.name}.md)**: {lesson.summary}" for lesson in lessons.all())
    entries = "\n".join(page.removeprefix("lessons/").removesuffix(".md") for page in pages)
    return (
        "# Lessons\n\nEach lesson is a text with searches that you can watch step by step, and questions. Every number in a "
        f"text is computed when this site is built.\n\n{listed}\n\n```{{toctree}}\n:hidden:\n\n{entries}\n```\n"
    )


def _page(lesson: lessons.Lesson, found: Mapping[str, Result], static: Path) -> str:
    values = {name: result.values for name, result in found.items()}
    parts = [f"# {lesson.title}", f"*{lesson.summary}*"]
    for part in lesson.parts:
        if isinstance(part, Computed):
            parts += (
                _computed(lesson, part, found[part.name], static) if part.name in found else [f"**{part.title}**", LATER]
            )
        elif not part.needs() <= set(values) and not isinstance(part, lessons.Prose):
            parts.append(LATER)
        elif isinstance(part, lessons.Prose):
            parts.append(STATED.sub(lambda stated: stated[1], part.text))
        elif isinstance(part, lessons.Table):
            head = ["", *(title for title, _ in part.columns)]
            rows = [[title, *cells] for (title, _), cells in zip(part.rows, part.cells(values), strict=True)]
            parts.append(_table(head, rows))
        elif isinstance(part, lessons.Question):
            parts.append(_raw(_question(part, part.right(values))))
    return "\n\n".join(parts) + "\n"


def _computed(lesson: lessons.Lesson, part: Computed, result: Result, static: Path) -> Iterator[str]:
    """What a part has computed: a run to watch, with its figures, or a table."""
    if part.kind == "measure":
        yield _table(["", part.title], [[name, shown(value)] for name, value in _numbers(result.values)])
    elif part.kind == "audit":
        yield _audit(part, result.values)
    else:
        known = [(name, result.values.get(name)) for name in FIGURES]
        figures = ", ".join(
            f"{name} {shown(value)}" for name, value in known if value is not None and (name, value) != ("reopened", 0)
        )
        yield _raw(_run(lesson, part, figures, result.recording, static))
    for what, text in result.texts:
        yield f"```{{code-block}} text\n:caption: {part.title}, {what}\n\n{text}\n```"


def _numbers(values: Mapping[str, Any]) -> Iterator[tuple[str, Any]]:
    return ((name, value) for name, value in values.items() if isinstance(value, int | float))


def _audit(part: Computed, values: Mapping[str, Any]) -> str:
    """A row for each heuristic that was audited."""
    names = [name for name, value in values.items() if isinstance(value, dict)]
    columns = ("admissible", "consistent", "overestimates", "mean_h", "largest_h")
    rows = [[name, *(shown(values[name][column]) for column in columns)] for name in names]
    head = [f"{part.title}: {shown(values['states'])} states", *(column.replace("_", " ") for column in columns)]
    return _table(head, rows)


def _run(lesson: lessons.Lesson, part: Computed, figures: str, recording: dict[str, Any] | None, static: Path) -> str:
    title = f"<b>{escape(part.title)}</b>"
    if recording is None:
        return f"<p>{title}: {escape(figures)}</p>"
    name = f"{RUNS}/{lesson.name}-{part.name}.html"
    (static / name).write_text(page_of([recording]), "utf-8")
    frame = (
        f'<iframe class="run-frame" loading="lazy" sandbox="allow-scripts allow-downloads" title="{escape(part.title)}" '
        f'src="../_static/{name}"></iframe>'
    )
    return f'<details class="run"><summary>Watch: {title}</summary><p>{escape(figures)}</p>{frame}</details>'


def _question(question: lessons.Question, right: str) -> str:
    """The question, which questions.js lets readers answer; then the answer, which is closed, and so hides what follows it."""
    if question.choices:
        answers = "".join(
            f'<label><input type="radio" name="answer" value="{escape(choice)}"> {escape(choice)}</label>'
            for choice in question.choices
        )
    else:
        answers = '<label>Your answer: <input name="answer" inputmode="decimal" autocomplete="off" size="8"></label>'
    return (
        f'<form class="question" data-right="{escape(right)}">{html_of(question.ask)}<div class="answers" hidden>{answers}'
        '<button type="submit">Check</button></div><p class="verdict" role="status"></p></form>'
        f'<details class="answer"><summary>Show the answer, and what follows</summary><p>The answer: <b>{escape(right)}</b>.</p>'
        f"{html_of(question.explain)}</details>"
    )


def _table(head: list[str], rows: list[list[str]]) -> str:
    lines = [head, ["---"] * len(head), *rows]
    return "\n".join(f"| {' | '.join(cell.replace('|', chr(92) + '|') for cell in line)} |" for line in lines)


def _raw(html: str) -> str:
    return "```{raw} html\n" + html.replace("\n", " ") + "\n```"

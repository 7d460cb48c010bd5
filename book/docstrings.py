"""Docstrings for the API pages: they are plain text, in which a line `name: text` describes a parameter or an attribute."""

from __future__ import annotations

import inspect
import re
from collections.abc import Iterable, Iterator
from typing import Any

from sphinx.application import Sphinx

_MARKUP = re.compile(r"([\\*`|_])")


def setup(app: Sphinx) -> dict[str, bool]:
    app.connect("autodoc-process-docstring", _process)
    return {"parallel_read_safe": True}


def _process(_app: Sphinx, _what: str, _name: str, described: Any, _options: Any, lines: list[str]) -> None:
    lines[:] = list(as_markup(lines, _names_of(described)))


def as_markup(lines: Iterable[str], names: Iterable[str]) -> Iterator[str]:
    """A docstring as reStructuredText. names: of the parameters and attributes that a line may describe."""
    described = "|".join(map(re.escape, sorted(names, key=len, reverse=True)))
    begins = re.compile(rf"(?:^|(?<=[.)] ))((?:{described})(?:, (?:{described}))*): ") if described else None
    for paragraph in _paragraphs(lines):
        if paragraph[0].startswith("    "):
            yield from ("::", "", *paragraph)
        else:
            yield from _text(" ".join(line.strip() for line in paragraph), begins)
        yield ""


def _names_of(described: Any) -> set[str]:
    try:
        names = set(inspect.signature(described).parameters)
    except (TypeError, ValueError):
        names = set()
    if isinstance(described, type):
        names |= {name for kind in described.__mro__ for name in getattr(kind, "__annotations__", {})}
        names |= {name for name in dir(described) if not name.startswith("_")}
    return names - {"self"}


def _paragraphs(lines: Iterable[str]) -> Iterator[list[str]]:
    """Lines between blank ones; indented lines after others begin a paragraph of their own if they are an example."""
    paragraph: list[str] = []
    for line in [*lines, ""]:
        is_example = line.startswith("    ") and not paragraph
        is_other = bool(paragraph) and paragraph[0].startswith("    ") and not line.startswith("    ")
        if (not line.strip() or is_other) and paragraph:
            yield paragraph
            paragraph = []
        if line.strip() or is_example:
            paragraph.append(line)


def _text(text: str, begins: re.Pattern[str] | None) -> Iterator[str]:
    """A paragraph; the names that it describes as a list of definitions."""
    parts = begins.split(text) if begins else [text]
    if parts[0].strip():
        yield _escaped(parts[0].strip())
        yield ""
    for names, words in zip(parts[1::2], parts[2::2], strict=True):
        last = re.search(r"(?<=[.)] )(?=(?:Raises|Returns) )", words)
        yield ", ".join(f"``{name}``" for name in names.split(", "))
        yield f"   {_escaped((words[: last.start()] if last else words).strip())}"
        yield ""
        if last:
            yield _escaped(words[last.start() :])
            yield ""


def _escaped(text: str) -> str:
    """Text whose signs mean themselves."""
    return _MARKUP.sub(r"\\\1", text)

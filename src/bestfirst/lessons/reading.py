"""Reads the file of a lesson. An error gives the file, the line, and what to write instead.

docs/writing-a-lesson.md describes the format.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from difflib import get_close_matches
from itertools import islice
from math import isfinite
from pathlib import Path
from typing import Any, ClassVar

from bestfirst.errors import InputError, counted, shown
from bestfirst.lessons.expressions import names_in
from bestfirst.lessons.lesson import Lesson, Mistake
from bestfirst.lessons.parts import Audit, Computed, Measure, Part, Prose, Question, Run, Table
from bestfirst.lessons.running import SHOWN
from bestfirst.toml_text import TomlError, read_toml

MOST_BYTES = 1 << 20
MOST_LETTERS, MOST_LINES = 1 << 15, 1000
"""The most characters and lines of a block: reading a longer one that is wrong could take minutes."""
MOST_WRONG_KEYS = 20
"""The maximum number of mistakes reported for the keys of a block."""
_TEXTS, _TABLE = "a list of strings", "a table of names and values"
_FORMS: dict[str, Any] = {
    "string": str,
    "whole number": int,
    "true or false": bool,
    _TEXTS: list,
    _TABLE: dict,
}
_ASKED = {"problem": "string", "instance": "string", "options": _TABLE}
_COMMON = {"name": "string", "like": "string", "title": "string", "slow": "true or false"}
_KEYS: dict[str, dict[str, str]] = {
    "run": {
        **_COMMON,
        **_ASKED,
        "algorithm": "string",
        "heuristic": "string",
        "choices": _TABLE,
        "expansions": "whole number",
        "game": "string",
        "position": "string",
        "settings": "string",
        "depth": "whole number",
        "record": "true or false",
        "show": _TEXTS,
    },
    "measure": {**_COMMON, **_ASKED, "heuristics": _TEXTS},
    "audit": {**_COMMON, **_ASKED, "heuristics": _TEXTS, "states": "whole number"},
    "table": {"rows": _TEXTS, "columns": _TEXTS, "titles": _TEXTS},
    "question": {"ask": "string", "answer": "string", "choices": _TEXTS, "explain": "string"},
}
"""The kinds of blocks, and the form of each of their keys."""
_NEEDED = {
    "run": ("name",),
    "measure": ("name",),
    "audit": ("name",),
    "table": ("rows", "columns"),
    "question": ("ask", "answer"),
}
_INHERITED = ("problem", "instance", "options", "game", "position", "algorithm", "heuristic", "settings", "depth")
"""What a block with `like` takes from an earlier one, unless it says otherwise."""
_FRONT = {"title": True, "order": False, "summary": False}
"""The keys of the front matter, and whether they are needed."""
_FENCE = re.compile(r"^ {0,3}(`{3,}|~{3,})\s*([\w-]*)\s*$")
_BESIDE = re.compile(r"^(?:[^/\\:]+\.py|bestfirst(?:\.\w+)+):\w+$")
"""A class of a file in the lesson's directory, or of bestfirst: a lesson runs no other code."""
_NAMED = re.compile(r"""^\s*name\s*=\s*["'](\w+)["']""", re.MULTILINE)
_PLACE = re.compile(r" \(at (?:line (\d+), column \d+|end of document)\)")


def lines_of(text: str) -> list[str]:
    """The lines of a text, as editors count them; str.splitlines() ends lines at other characters too."""
    return re.split(r"\r\n|\r|\n", text.removesuffix("\n"))


class LessonError(InputError):
    """A lesson cannot be read. Its message begins with the file and the line. also: further errors of the same block."""

    def __init__(self, file: str, line: int, words: str) -> None:
        self.mistake = Mistake(file, line, words)
        self.also: list[LessonError] = []
        super().__init__(str(self.mistake))


class _ConsequenceError(LessonError):
    """An error that another one causes; only the cause is reported."""


@dataclass(frozen=True)
class _Unread(Part):
    """A block that cannot be read. name: the name by which others refer to it, if any."""

    kind: ClassVar[str] = "unread"
    name: str


def read(path: str | Path) -> Lesson:
    """The lesson of a file. Raises InputError."""
    return read_text(_text_of(Path(path)), str(path))


def draft(path: str | Path) -> tuple[Lesson, list[Mistake]]:
    """The lesson of a file as far as it can be read, and everything that cannot. Raises InputError if nothing can."""
    lesson, wrong = _drafted(_text_of(Path(path)), str(path))
    return lesson, [error.mistake for error in wrong]


def _text_of(path: Path) -> str:
    try:
        if path.exists() and not path.is_file():
            raise InputError(f"the lesson {path} is not a file; write the path of a Markdown file")
        if path.stat().st_size > MOST_BYTES:
            raise InputError(f"the lesson {path} is larger than {MOST_BYTES >> 20} MiB; divide it into several lessons")
        return path.read_text(encoding="utf-8-sig")  # editors of Windows write a byte order mark
    except OSError as error:
        raise InputError(f"the lesson {path} cannot be read: {error.strerror or error}") from None
    except UnicodeDecodeError:
        raise InputError(f"the lesson {path} is not UTF-8 text; save it as UTF-8") from None


def read_text(text: str, file: str = "lesson.md") -> Lesson:
    """A lesson from a string. Raises InputError.

    file: its name in messages; files that the lesson names are in the same directory.
    """
    lesson, wrong = _drafted(text, file)
    if wrong:
        raise wrong[0]
    return lesson


def _drafted(text: str, file: str) -> tuple[Lesson, list[LessonError]]:
    """The lesson as far as it can be read, and the errors in the order of their lines."""
    lines, wrong = lines_of(text), list[LessonError]()
    front: dict[str, str] = {}
    parts: list[Part] = []
    try:
        begins = _read_front(lines, file, front, wrong)
        for block in _blocks(lines, begins, file):
            try:
                parts.append(_part(block, parts, file))
            except LessonError as error:
                if not isinstance(error, _ConsequenceError):
                    wrong += [error, *error.also]
                if "name" in _NEEDED[_meant(block.kind) or "run"]:
                    name = _NAMED.search(block.text)
                    parts.append(_Unread(block.line, name[1] if name else ""))
    except LessonError as error:  # what follows it cannot be read
        wrong.append(error)
        parts.append(_Unread(len(lines), ""))
    wrong += _wrong_names(parts, file)
    heading = (front.get("title", ""), float(front.get("order", "1000")), front.get("summary", ""))
    readable = [
        part for part in parts if not isinstance(part, _Unread) and not (isinstance(part, Prose) and not part.text.strip())
    ]
    return Lesson(Path(file).stem, file, *heading, readable), sorted(wrong, key=lambda error: error.mistake.line)


def _read_front(lines: list[str], file: str, front: dict[str, str], wrong: list[LessonError]) -> int:
    """Read the front matter into `front`, and its errors into `wrong`; return the index of the first line after it."""
    if not lines or lines[0].strip() != "---":
        raise LessonError(
            file, 1, "the front matter is missing; begin the file with the lines '---', 'title: TITLE' and '---'"
        )
    for number, line in enumerate(lines[1:], start=2):
        if line.strip() == "---":
            missing = [key for key, is_needed in _FRONT.items() if is_needed and not front.get(key)]
            if missing and not wrong:
                wrong.append(LessonError(file, 1, f"the front matter has no {missing[0]}; add the line '{missing[0]}: ...'"))
            return number
        key, _, value = map(str.strip, line.partition(":"))
        words = _wrong_in_front(line.strip(), key, value.strip("\"'"), front)
        if words:
            wrong.append(LessonError(file, number, words))
        elif key:
            front[key] = value.strip("\"'")
    raise LessonError(file, len(lines), "the front matter is not closed; write the line '---' below it")


def _wrong_in_front(line: str, key: str, value: str, front: Mapping[str, str]) -> str | None:
    if line and (":" not in line or key not in _FRONT):
        return f"{shown(line)} is not front matter; write {', '.join(f'{key}: ...' for key in _FRONT)}"
    if key in front:
        return f"{key} is given twice; write it once"
    if key == "order" and not _is_number(value):
        return f"the order is {shown(value)}; use a number"
    return None


def _is_number(text: str) -> bool:
    try:
        return isfinite(float(text))
    except ValueError:
        return False


@dataclass(frozen=True)
class _Block:
    """Prose (kind ""), or the lines of a fenced block. line: that of its first line of content, from 1."""

    kind: str
    line: int
    text: str


def _blocks(lines: list[str], begins: int, file: str) -> Iterator[_Block]:
    """The blocks in their order. A fence of another language belongs to the prose."""
    prose: list[str] = []
    prose_begins, index = begins, begins
    while index < len(lines):
        fence = _FENCE.match(lines[index])
        if fence is None:
            prose.append(lines[index])
            index += 1
            continue
        end = next((at for at in range(index + 1, len(lines)) if lines[at].strip() == fence[1]), None)
        if end is None:
            raise LessonError(file, index + 1, f"the block is not closed; write the line '{fence[1]}' below it")
        kind = fence[2]
        if kind in _KEYS or _meant(kind):
            yield _Block("", prose_begins + 1, "\n".join(prose))
            yield _Block(kind, index + 2, "\n".join(lines[index + 1 : end]))
            prose, prose_begins = [], end + 1
        else:
            prose += lines[index : end + 1]
        index = end + 1
    yield _Block("", prose_begins + 1, "\n".join(prose))


def _meant(kind: str) -> str | None:
    """The kind of block that a misspelt kind resembles; None if it is another language."""
    close = get_close_matches(kind, _KEYS, n=1, cutoff=0.6)
    return close[0] if close else None


def _part(block: _Block, before: Sequence[Part], file: str) -> Part:
    if not block.kind:
        return Prose(block.line, block.text)
    if block.kind not in _KEYS:
        raise LessonError(
            file, block.line - 1, f"no kind of block is called {shown(block.kind)}; did you mean {_meant(block.kind)}?"
        )
    given = _given(block, file)
    match block.kind:
        case "question":
            choices = list(map(str, given.get("choices", ())))
            lines: dict[str, int] = {
                key: _line_of_text(key, given[key], block) for key in ("ask", "answer", "explain") if key in given
            }
            return Question(
                block.line, given["ask"].strip(), given["answer"], choices, given.get("explain", "").strip(), lines
            )
        case "table":
            return _table(block, given, file)
    if not str(given["name"]).isidentifier():
        raise LessonError(
            file,
            _line_of("name", block),
            f"the name is {shown(given['name'])}; use letters, digits and _, with a letter first",
        )
    given = {**_inherited(block, given, before, file), **given}
    _check_subject(block, given, file)
    kinds: dict[str, type[Computed]] = {"run": Run, "measure": Measure, "audit": Audit}
    return kinds[block.kind](
        block.line, given["name"], given.get("title", given["name"]), {**given, "folder": str(Path(file).parent)}
    )


def _inherited(block: _Block, given: Mapping[str, Any], before: Sequence[Part], file: str) -> dict[str, Any]:
    """What a block takes from the one that its key `like` names."""
    if "like" not in given:
        return {}
    for part in before:
        if isinstance(part, Computed) and part.name == given["like"]:
            return {key: part.given[key] for key in _INHERITED if key in part.given and key in _KEYS[block.kind]}
        if isinstance(part, _Unread) and part.name in (given["like"], ""):
            raise _ConsequenceError(file, block.line, "the key 'like' names a block that cannot be read")
    raise LessonError(
        file, _line_of("like", block), f"no block above has the name {shown(given['like'])}; write the name of a block above"
    )


def _given(block: _Block, file: str) -> dict[str, Any]:
    """The keys and values of a block, checked. Raises LessonError."""
    if len(block.text) > MOST_LETTERS or block.text.count("\n") >= MOST_LINES:
        words = f"the block has {counted(len(block.text), 'character')} in {counted(block.text.count(chr(10)) + 1, 'line')}"
        raise LessonError(file, block.line, f"{words}; use at most {MOST_LETTERS:,} characters in {MOST_LINES:,} lines")
    try:
        given = read_toml(block.text)
    except TomlError as error:
        found = _PLACE.search(str(error))
        line = block.line + int(found[1]) - 1 if found and found[1] else _line_that_does_not_end(block)
        words = _PLACE.sub("", str(error))
        raise LessonError(
            file, line, f'{words}; write key = value, with strings in quotes, such as name = "greedy"'
        ) from None
    wrong = [LessonError(file, line, words) for line, words in islice(_wrong_keys(block, given), MOST_WRONG_KEYS)]
    if wrong:
        wrong[0].also = wrong[1:]
        raise wrong[0]
    return given


def _line_that_does_not_end(block: _Block) -> int:
    """The first line that cannot be read even with what follows: the one after the longest beginning that can."""
    lines = lines_of(block.text)
    for length in range(len(lines) - 1, 0, -1):
        with suppress(TomlError):
            read_toml("\n".join(lines[:length]))
            return block.line + length
    return block.line


def _wrong_keys(block: _Block, given: Mapping[str, Any]) -> Iterator[tuple[int, str]]:
    """The line and the message for each key that is unknown, has a value of another form, or is missing."""
    keys = _KEYS[block.kind]
    for key, value in given.items():
        line = _line_of(key, block)
        if key not in keys:
            close = get_close_matches(key, keys, n=1)
            remedy = f"did you mean {close[0]}?" if close else f"it has {', '.join(keys)}"
            yield line, f"{'an' if block.kind == 'audit' else 'a'} {block.kind} has no {key!r}; {remedy}"
            continue
        form = _FORMS[keys[key]]
        if not isinstance(value, form) or (form is int and isinstance(value, bool)):
            yield line, f"{key} is {shown(value)}; write {_article(keys[key])}"
    for key in _NEEDED[block.kind]:
        if key not in given:
            yield block.line - 1, f"the {block.kind} has no {key}; add the line '{key} = ...'"


def _article(form: str) -> str:
    return form if form.startswith(("a ", "true")) else f"a {form}" + (" in quotes" if form == "string" else "")


def _line_of(key: str, block: _Block) -> int:
    for number, line in enumerate(lines_of(block.text), start=block.line):
        if re.match(rf"\s*\[?{re.escape(key)}\b", line):
            return number
    return block.line


def _line_of_text(key: str, text: str, block: _Block) -> int:
    """The line on which a text begins, which may be below its key."""
    line = _line_of(key, block)
    opened = lines_of(block.text)[line - block.line].rstrip().endswith(('"""', "'''"))
    return line + opened + text[: len(text) - len(text.lstrip())].count("\n")


def _check_subject(block: _Block, given: Mapping[str, Any], file: str) -> None:
    if block.kind != "run" and "problem" not in given:
        raise LessonError(file, block.line - 1, f"the {block.kind} has no problem; add the line 'problem = ...'")
    if block.kind == "run" and ("problem" in given) == ("game" in given):
        raise LessonError(
            file, block.line, "a run needs a problem or a game, but not both; write either 'problem = ...' or 'game = ...'"
        )
    name = str(given.get("problem", given.get("game")))
    if ":" in name and not _BESIDE.match(name):
        key = "problem" if "problem" in given else "game"
        raise LessonError(
            file,
            _line_of(key, block),
            f'{shown(name)} is not a class in a file next to the lesson; write {key} = "FILE.py:CLASS"',
        )
    for what in given.get("show", ()):
        if what not in SHOWN:
            raise LessonError(
                file, _line_of("show", block), f"{shown(what)} cannot be shown; choose from {', '.join(SHOWN)}"
            )


def _table(block: _Block, given: Mapping[str, Any], file: str) -> Table:
    rows, columns = list(map(str, given["rows"])), list(map(str, given["columns"]))
    titles = list(map(str, given.get("titles", rows)))
    if len(titles) != len(rows):
        raise LessonError(
            file,
            _line_of("titles", block),
            f"the number of titles is {len(titles)}, but that of rows is {len(rows)}; write a title for each row",
        )
    return Table(block.line, list(zip(titles, rows, strict=True)), [_column(column) for column in columns])


def _column(column: str) -> tuple[str, str]:
    """The title and the value of a column: expanded, or "nodes: expanded"."""
    title, colon, value = column.partition(":")
    return (title.strip(), value.strip()) if colon else (column.replace("_", " "), column.replace("-", "_"))


def _wrong_names(parts: Sequence[Part], file: str) -> Iterator[LessonError]:
    """An error for each name that is used twice or not defined, and for each expression that cannot be read."""
    defined: dict[str, int] = {}
    for part in parts:
        if isinstance(part, Computed | _Unread) and part.name in defined:
            yield LessonError(
                file, part.line, f"the name {part.name} is already used on line {defined[part.name]}; write another"
            )
        elif isinstance(part, Computed | _Unread) and part.name:
            defined[part.name] = part.line
    is_sure = not any(isinstance(part, _Unread) and not part.name for part in parts)
    known = f"the lesson has {', '.join(defined)}" if defined else "the lesson has no runs"
    for part in parts:
        for line, words in part.misstated():
            yield LessonError(file, line, words)
        for line, expression in part.expressions():
            try:
                unknown = sorted(names_in(expression) - set(defined))
            except InputError as error:
                yield LessonError(file, line, str(error))
                continue
            if unknown and is_sure:
                yield LessonError(file, line, f"no run has the name {unknown[0]}; {known}")

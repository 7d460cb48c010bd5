"""The tables of a spec: each value is taken with its type, and a mistake names the file, the line or key, and the remedy."""

from __future__ import annotations

import inspect
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, NoReturn, TypeVar

from bestfirst.errors import InputError, UnknownNameError, shown
from bestfirst.experiments.places import Keys, line_of, lines_of
from bestfirst.own_files import load_file
from bestfirst.toml_text import TomlError, read_toml

_Kind = TypeVar("_Kind")
NAME = "SPEC"
"""The dict of a spec that is a Python file."""
MOST_BITS = 10_000
"""Of an int: Python refuses to write those of more than 4,300 digits, which have 14,285 bits."""


class Document:
    """A spec as it was read. path: its file; None for a dict that a program passes. root: its outermost table."""

    def __init__(self, content: Mapping[str, Any], path: Path | None, text: str | None = None) -> None:
        self.path = path
        self._lines = None if text is None else lines_of(text)
        self.root = Table(self, content, ())

    @property
    def directory(self) -> Path:
        """Where paths in the spec begin."""
        return Path.cwd() if self.path is None else self.path.parent

    def place(self, keys: Keys) -> str:
        """Where a value is, as messages name it."""
        way = "".join(f"[{key!r}]" for key in keys)
        if self._lines is None:
            return f"{'' if self.path is None else f'{self.path}, '}{NAME}{way}"
        line = line_of(self._lines, keys)
        return f"{self.path}{'' if line is None else f', line {line}'}"


class Table:
    """A table of a spec. Every key must be taken before done() is called."""

    def __init__(self, document: Document, content: Mapping[str, Any], keys: Keys) -> None:
        self.document, self.keys = document, keys
        self._content = content
        self._taken: list[str] = []

    def __contains__(self, key: str) -> bool:
        return key in self._content

    def fail(self, key: str | None, why: str) -> NoReturn:
        """Raise an InputError about a key, or about the table."""
        raise InputError(f"{self.place(key)}: {why}") from None

    def place(self, key: str | None = None) -> str:
        """Where a key, or the table, is written."""
        return self.document.place(self.keys if key is None else (*self.keys, key))

    def take(self, key: str, kind: type[_Kind], wants: str) -> _Kind | None:
        """The value of a key, None if there is none. wants: what to write, for the error about another type."""
        self._taken.append(key)
        value = self._content.get(key)
        if value is None and key not in self._content:
            return None
        is_wrong_bool = isinstance(value, bool) and kind is not bool
        if is_wrong_bool or not isinstance(value, kind):
            self.fail(key, f"{key} is {shown(value)}; write {wants}")
        self._check_can_be_written(key, value)
        return value

    def _check_can_be_written(self, key: str, value: Any) -> None:
        """Refuse texts that are none to other programs, or to a file, and ints that Python does not write."""
        for one in value if isinstance(value, list) else [value]:
            if isinstance(one, str) and ("\0" in one or any("\ud800" <= letter <= "\udfff" for letter in one)):
                self.fail(key, f"{key} is {shown(one)}; write it without NUL and surrogate characters")
            if isinstance(one, int) and one.bit_length() > MOST_BITS:
                self.fail(key, f"{key} is {shown(one)}; write a number of at most {MOST_BITS:,} bits")

    def need(self, key: str, kind: type[_Kind], wants: str) -> _Kind:
        """The value of a key that must be there."""
        value = self.take(key, kind, wants)
        if value is None:
            self.fail(None, f"{key} is missing; write {wants}")
        return value

    def text(self, key: str, wants: str) -> str | None:
        """A string that is not empty."""
        value = self.take(key, str, wants)
        if value is not None and not value.strip():
            self.fail(key, f"{key} is empty; write {wants}")
        return value

    def whole(self, key: str, least: int, wants: str, most: int | None = None) -> int | None:
        """A whole number of at least `least`, and at most `most`."""
        value = self.take(key, int, wants)
        if value is not None and value < least:
            self.fail(key, f"{key} is {shown(value)}; write {wants}")
        if value is not None and most is not None and value > most:
            self.fail(key, f"{key} is {shown(value)}; write at most {most:,}")
        return value

    def flag(self, key: str) -> bool:
        """Whether a key is true; false if it is missing."""
        return bool(self.take(key, bool, "true or false"))

    def several(self, key: str, kind: type[_Kind], wants: str) -> list[_Kind] | None:
        """A list of values of one type that is not empty."""
        values = self.take(key, list, wants)
        if values is None:
            return None
        if not values or not all(isinstance(one, kind) and not (isinstance(one, bool) and kind is int) for one in values):
            self.fail(key, f"{key} is {shown(values)}; write {wants}")
        return values

    def table(self, key: str, wants: str) -> Table | None:
        """A table within this one."""
        value: Any = self.take(key, dict, wants)
        return None if value is None else Table(self.document, value, (*self.keys, key))

    def tables(self, key: str, wants: str) -> list[Table]:
        """An array of tables, [[key]] in TOML."""
        values = self.several(key, dict, wants) or []
        return [Table(self.document, value, (*self.keys, key, number)) for number, value in enumerate(values)]

    def items(self) -> Sequence[tuple[str, Any]]:
        """All keys with their values, which count as taken."""
        self._taken += self._content
        for key, value in self._content.items():
            self._check_can_be_written(key, value)
        return list(self._content.items())

    def done(self, what: str) -> None:
        """Raise InputError for a key that was not taken. what: what the table describes."""
        for key in self._content:
            if key not in self._taken:
                self.fail(key, str(UnknownNameError(f"key of {what}", str(key), self._taken)))


def read_document(path: Path) -> Document:
    """The tables of a TOML file, or of the dict SPEC of a Python file. Raises InputError, with the line, for a mistake."""
    if path.suffix == ".py":
        return Document(_dict_of(path), path)
    try:
        text = path.read_text(encoding="utf-8-sig")
        return Document(read_toml(text), path, text)
    except TomlError as error:
        raise InputError(f"{path} is not valid TOML: {error}; see docs/experiments.md") from None
    except UnicodeDecodeError as error:
        raise InputError(f"{path} is not text: {error}; save it as UTF-8") from None
    except OSError as error:
        raise InputError(f"{str(path)!r} cannot be read: {error.strerror or error}; use a file that you can read") from None


def _dict_of(path: Path) -> Mapping[str, Any]:
    module = load_file(path)
    spec = getattr(module, NAME, None)
    if not isinstance(spec, dict):
        raise InputError(f"{path} defines no dict {NAME}; write {NAME} = {{'problems': [...], 'configurations': [...]}}")
    return spec


def name_of_class(given: type) -> str:
    """FILE.py:Class for a class, so that a worker can load it. Raises InputError for a class that no file defines."""
    file = getattr(sys.modules.get(given.__module__), "__file__", None)
    name = given.__qualname__
    if file is None or not Path(file).is_file() or "<" in name:
        where = "a notebook or an interactive session" if file is None or not Path(file).is_file() else "a function"
        raise InputError(
            f"{given.__name__} is defined in {where}, where the processes that run the experiment cannot find it; put it in a "
            f"file, such as own.py, and write 'own.py:{given.__name__}'"
        )
    return f"{inspect.getfile(given)}:{name}"

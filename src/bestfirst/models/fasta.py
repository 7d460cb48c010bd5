"""FASTA files of sequences, and tables with a number for each pair of letters, such as BLOSUM62."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from bestfirst.errors import InputError, counted, shown
from bestfirst.models.files import Lines
from bestfirst.models.numbers import whole
from bestfirst.system.atomic import write_atomically

_WIDTH = 60
"""The letters of a line in a file that is written."""


def read_fasta(path: str | Path) -> tuple[list[str], list[str]]:
    """The names (the first words after >) and the sequences of a FASTA file, in capital letters.

    Raises InputError that names the file and the line.
    """
    lines = Lines(path)
    names: list[str] = []
    places: list[int] = []
    parts: list[list[str]] = []
    for number, line in lines:
        if line.startswith(">"):
            words = line[1:].split()
            if not words:
                lines.fail(number, "> without a name; write the name of the sequence after it")
            if words[0] in names:
                lines.fail(number, f"two sequences are called {shown(words[0])}; give them different names")
            names.append(words[0])
            places.append(number)
            parts.append([])
            continue
        if not names:
            lines.fail(number, f"{shown(line)} comes before the first name; begin with a line such as >human")
        text = "".join(line.split()).upper()
        wrong = next((one for one in text if not one.isalpha()), None)
        if wrong is not None:
            lines.fail(number, f"{shown(wrong)} is not a letter; write sequences without gaps")
        parts[-1].append(text)
    for place, name, of_sequence in zip(places, names, parts, strict=True):
        if not "".join(of_sequence):
            lines.fail(place, f"the sequence {shown(name)} has no letters; complete the file")
    return names, ["".join(of_sequence) for of_sequence in parts]


def write_fasta(path: str | Path, names: Iterable[Any], rows: Iterable[str]) -> None:
    """Write a FASTA file atomically. Raises InputError if that is impossible."""
    text = ""
    for name, row in zip(names, rows, strict=True):
        text += f">{name}\n" + "".join(row[place : place + _WIDTH] + "\n" for place in range(0, len(row), _WIDTH))
    write_atomically(path, text)


def letter_table(what: str, given: Any, alphabet: str, least: int, most: int) -> dict[tuple[str, str], int]:
    """A number for each pair of letters of an alphabet. what: its name in the error.

    given: the path of a file, a pandas DataFrame, an array with an `alphabet` (Biopython), or a mapping of pairs, of which each
    pair may occur once: ("A", "C") or "AC". Raises InputError for a pair without a number, or with two.
    """
    entries = _entries(what, given)
    table = {}
    for one in alphabet:
        for other in alphabet:
            found = [entries[pair] for pair in ((one, other), (other, one)) if pair in entries]
            if not found:
                raise InputError(f"{what} has no number for the letters {one} and {other}; add it")
            if found[0] != found[-1]:
                raise InputError(
                    f"{what} has {shown(found[0])} for {one} and {other}, and {shown(found[-1])} for {other} and {one}; write "
                    "the same number for both"
                )
            table[one, other] = whole(f"the entry of {one} and {other} in {what}", found[0], least, most)
    return table


def _entries(what: str, given: Any) -> dict[tuple[str, str], Any]:
    """The numbers of a table in any form, unchecked."""
    given = table_from(given)
    if hasattr(given, "iloc") and hasattr(given, "columns"):
        rows = given.to_numpy().tolist()
        return {
            (str(one), str(other)): value
            for one, row in zip(given.index, rows, strict=True)
            for other, value in zip(given.columns, row, strict=True)
        }
    if hasattr(given, "alphabet") and hasattr(given, "tolist"):
        rows = given.tolist()
        return {
            (one, other): value
            for one, row in zip(given.alphabet, rows, strict=True)
            for other, value in zip(given.alphabet, row, strict=True)
        }
    if isinstance(given, Mapping):
        entries = {}
        for pair, value in given.items():
            if not isinstance(pair, str | tuple) or len(pair) != 2:
                raise InputError(f'{what} has the key {shown(pair)}; write two letters, such as "AC"')
            entries[pair[0], pair[1]] = value
        return entries
    raise InputError(f"{what} is {shown(given)}; write the path of a file, or a mapping such as {{'AC': 2}}")


def table_from(given: Any) -> Any:
    """What is given for letter_table(), with the numbers of a file in place of its path."""
    return _of_file(given) if isinstance(given, str | Path) else given


def _of_file(path: str | Path) -> dict[tuple[str, str], int]:
    """A table in the form of the NCBI: a line of letters, and for each letter a line with it and a number for each of these.

    Text after # is a comment.
    """
    lines = Lines(path, "#")
    rows = [(number, line.split()) for number, line in lines]
    first, columns = rows[0]
    for letter in columns:
        if len(letter) != 1:
            lines.fail(first, f"{shown(letter)} is not a letter; begin with a line of letters, separated by spaces")
    entries: dict[tuple[str, str], int] = {}
    for number, (letter, *values) in rows[1:]:
        if len(letter) != 1:
            lines.fail(number, f"{shown(letter)} is not a letter; begin each row with its letter")
        if len(values) != len(columns):
            lines.fail(
                number,
                f"the row of {letter} has {counted(len(values), 'number')}; it needs {len(columns)}, one for each letter",
            )
        for other, value in zip(columns, values, strict=True):
            try:
                cost = int(value)
            except ValueError:
                lines.fail(
                    number, f"{shown(value)} is not a whole number; write one, or multiply all numbers by 10, 100, ..."
                )
            one, two = letter.upper(), other.upper()
            if entries.get((two, one), cost) != cost:
                lines.fail(
                    number,
                    f"{shown(cost)} for {one} and {two}, but {shown(entries[two, one])} for {two} and {one}; write the same number "
                    "for both",
                )
            entries[one, two] = cost
    return entries

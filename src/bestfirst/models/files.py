"""The words of an instance file: an error about one of them names the file, the line, and the remedy."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from decimal import Decimal, InvalidOperation
from itertools import islice, takewhile
from pathlib import Path
from typing import NoReturn

from bestfirst.domains.shared.files import bytes_of
from bestfirst.errors import InputError, counted, shown
from bestfirst.models.numbers import MOST


class Lines:
    """The lines of a file that are not empty, without comments, with their numbers.

    comment: what begins a comment; empty: the format has none.
    """

    def __init__(self, path: str | Path, comment: str = "") -> None:
        self.path = Path(path)
        text = bytes_of(self.path).decode("utf-8-sig", "replace")
        self.ends_within_a_line = text == text.rstrip()
        """Whether the last line has no end, as in a file whose rest is missing."""
        numbered = ((number, line) for number, line in enumerate(text.splitlines(), 1))
        cut = ((number, line.partition(comment)[0] if comment else line) for number, line in numbered)
        self._lines = [(number, line.strip()) for number, line in cut if line.strip()]
        if not self._lines:
            raise InputError(f"{self.path} is empty; use an instance file")

    def __iter__(self) -> Iterator[tuple[int, str]]:
        return iter(self._lines)

    def fail(self, line: int, text: str) -> NoReturn:
        """Raise an InputError about a line."""
        raise InputError(f"{self.path}, line {line}: {text}")

    def words(self) -> Words:
        """All words of the file."""
        return Words(self, [(number, word) for number, line in self._lines for word in line.split()])


class Words:
    """Words of a file, which are taken one after the other."""

    def __init__(self, lines: Lines, words: Sequence[tuple[int, str]]) -> None:
        self._lines = lines
        self._words = words
        self._taken = 0
        self.line = words[0][0] if words else 0
        """The line of the word that was taken last."""

    @property
    def left(self) -> int:
        """The number of words that were not taken."""
        return len(self._words) - self._taken

    def take(self, what: str) -> str:
        """The next word. what: what it means, for the error if there is none."""
        if not self.left:
            self.fail(f"the file ends before {what}; complete it")
        self.line, word = self._words[self._taken]
        self._taken += 1
        return word

    def take_line(self, what: str) -> str:
        """The next line, which may be any text, such as a name."""
        if self._taken and self.left and self._words[self._taken][0] == self.line:
            self.fail(
                f"{shown(self.take(what))} follows the last value that belongs on the line; remove it, or correct the "
                "counts above"
            )
        return " ".join([self.take(what) for _ in range(max(1, self._on_next_line()))])

    def whole(self, what: str, least: int = 0, most: int = MOST) -> int:
        """The next word as a whole number, such as 12 or 12.0."""
        word = self.take(what)
        return self.as_whole(word, what, least, most)

    def wholes(self, count: int, what: str, least: int = 0, most: int = MOST) -> list[int]:
        """The next words as whole numbers. what: what each of them is."""
        return [self.whole(f"{what} {number} of {count}", least, most) for number in range(1, count + 1)]

    def matrix(self, rows: int, columns: int, what: str, most: int = MOST) -> list[list[int]]:
        """The next words as rows of whole numbers; if the first row is a line of the file, the others must be, too."""
        is_by_line = self._on_next_line() == columns
        found = []
        for row in range(1, rows + 1):
            there = self._on_next_line()
            if is_by_line and 0 < there != columns:
                self.take("the matrix")
                self.fail(
                    f"row {row} of the {what} has {counted(there, 'number')} instead of {columns}; correct the row, or the "
                    "count above"
                )
            found.append(self.wholes(columns, f"row {row} of the {what}, number", most=most))
        return found

    def _on_next_line(self) -> int:
        """The number of words that follow on the line of the next word."""
        following = islice(self._words, self._taken, None)
        first = self._words[self._taken][0] if self.left else 0
        return sum(1 for _ in takewhile(lambda word: word[0] == first, following))

    def as_whole(self, word: str, what: str, least: int = 0, most: int = MOST) -> int:
        """A word as a whole number."""
        try:
            int(float(word))  # refuses what is no finite number
            number = Decimal(word)  # which rounds nothing
            is_whole = number == number.to_integral_value()
        except (ValueError, OverflowError, InvalidOperation):
            self.fail(f"{what} is {shown(word)}; write a whole number")
        if not is_whole:
            self.fail(f"{what} is {shown(word)}; write whole numbers: multiply all numbers by 10, 100, ...")
        if not least <= number <= most:
            self.fail(f"{what} is {shown(word)}; write a whole number from {least} to {most}")
        return int(number)

    def end(self, after: str) -> None:
        """Raise an InputError if a word is left. after: what was read last."""
        if self.left:
            self.fail(f"{shown(self.take('the end'))} follows {after}; remove it, or correct the counts above")

    def fail(self, text: str) -> NoReturn:
        """Raise an InputError about the line of the word that was taken last."""
        self._lines.fail(self.line, text)


def path_given(model: str, text: str, file: str) -> str:
    """The path of an instance file that a command line gives after the name of a model or by --file."""
    if bool(text) == bool(file):
        raise InputError(
            f"{model} needs the path of one instance file; write it after the name of the model, or after --file"
        )
    return text or file

"""The blocks and words of a PDDL file with their lines: an error names the line, and an unclosed block is found."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path
from typing import NoReturn, TypeAlias

from bestfirst.domains.shared.files import bytes_of
from bestfirst.errors import InputError, shown

_BYTE_ORDER_MARK = b"\xef\xbb\xbf"
_LINE_END = re.compile(r"\r\n|\r|\n")
_TOKEN = re.compile(r"[()]|[^\s()]+", re.ASCII)  # a no-break space is no space of PDDL
SECTIONS_OF_DOMAIN = (":requirements", ":types", ":constants", ":predicates", ":functions", ":derived", ":action")
SECTIONS_OF_PROBLEM = (":requirements", ":objects", ":init", ":goal", ":metric")
_SECTIONS = {*SECTIONS_OF_DOMAIN, *SECTIONS_OF_PROBLEM}
"""None of them can begin inside of another one."""


class Word(str):
    """A name, a number or a keyword, in lower case, as PDDL does not distinguish cases. line: its line in the file."""

    __slots__ = ("line",)
    line: int

    def __new__(cls, text: str, line: int) -> Word:
        word = super().__new__(cls, text.lower())
        word.line = line
        return word


class Block(list["Word | Block"]):
    """What stands between parentheses. line: that of the opening one."""

    def __init__(self, line: int) -> None:
        super().__init__()
        self.line = line

    @property
    def head(self) -> str:
        """The first word; "" if there is none."""
        return self[0] if self and isinstance(self[0], Word) else ""

    def __str__(self) -> str:
        return f"({' '.join(map(str, self))})"


Item: TypeAlias = Word | Block


class PddlFile:
    """A file of PDDL. data: its bytes; content: its only block.

    Raises InputError, which names the file and the line, if it cannot be read or its parentheses do not match.
    """

    def __init__(self, path: str | Path) -> None:
        self.path = Path(path)
        self.data = bytes_of(self.path).removeprefix(_BYTE_ORDER_MARK)
        self.content = self._blocks(self.data.decode("latin-1"))

    @property
    def kind(self) -> str:
        """What it defines, "domain" or "problem"; "" if neither."""
        defined = self.content[1] if len(self.content) > 1 else None
        is_known = isinstance(defined, Block) and defined.head in ("domain", "problem") and self.content.head == "define"
        return defined.head if is_known and isinstance(defined, Block) else ""

    def fail(self, place: Item | int, text: str) -> NoReturn:
        """Raise an InputError about a line."""
        raise InputError(self.said(place, text))

    def said(self, place: Item | int, text: str) -> str:
        """A remark about a line."""
        return f"{self.path}, line {place if isinstance(place, int) else place.line}: {text}"

    def _blocks(self, text: str) -> Block:
        done: Block | None = None
        opened: list[Block] = []
        for number, line in enumerate(_LINE_END.split(text), 1):
            for token in self._tokens(number, line):
                if done is not None:
                    self._fail_after(done, number, token)
                if token == "(":
                    opened.append(Block(number))
                    continue
                if not opened:
                    self.fail(number, f"{short(token)} is outside of parentheses; a file is one block: (define ...)")
                if token != ")":
                    self._check_section(opened, token, number)
                    opened[-1].append(Word(token, number))
                    continue
                closed = opened.pop()
                if opened:
                    opened[-1].append(closed)
                else:
                    done = closed
        if done is None:
            self._fail_at_end(opened)
        return done

    def _tokens(self, number: int, line: str) -> Sequence[str]:
        code = line.partition(";")[0]
        if not code.isascii():
            word = next(word for word in _TOKEN.findall(code) if not word.isascii())
            written = word.encode("latin-1").decode("utf-8", "replace")
            self.fail(number, f"{short(written)} has a character outside ASCII; use letters, digits, - and _")
        return _TOKEN.findall(code)

    def _check_section(self, opened: Sequence[Block], word: str, line: int) -> None:
        """A section, such as (:action, inside of another one shows that the other one is not closed."""
        if word.lower() in _SECTIONS and not opened[-1] and len(opened) > 2 and opened[1].head in _SECTIONS:
            unclosed = opened[1]
            self.fail(
                unclosed,
                f"the block {_beginning(unclosed)} is not closed where ({word.lower()} begins on line {line}; "
                f"add {count(len(opened) - 2, 'closing parenthesis', 'closing parentheses')} to its end",
            )

    def _fail_after(self, done: Block, line: int, token: str) -> NoReturn:
        if token == ")":
            self.fail(line, "this ) closes nothing, as all blocks are closed: remove one ) here, or earlier in the file")
        self.fail(
            line,
            f"{short(token)} follows the end of the block that begins on line {done.line}; "
            "a file contains a single block, (define ...). Remove the text after it, or the extra ) that closes it too early",
        )

    def _fail_at_end(self, opened: Sequence[Block]) -> NoReturn:
        if not opened:
            raise InputError(f"{self.path} is empty; use a PDDL file")
        inner = opened[-1]
        missing = count(len(opened), "closing parenthesis is", "closing parentheses are")
        self.fail(inner, f"the block {_beginning(inner)} is not closed: {missing} missing at the end of the file")


def _beginning(block: Block) -> str:
    """The first words of a block."""
    words = [str(item) for item in block[:2] if isinstance(item, Word)]
    return short(f"({' '.join(words)}")


def short(item: object) -> str:
    """A word or a block as an error shows it."""
    return shown(str(item))


def count(number: int, one: str, more: str) -> str:
    return f"{number} {one if number == 1 else more}"

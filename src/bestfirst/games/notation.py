"""Written moves as words, so that moves with spaces, such as tuples, can be typed as they are printed."""

from __future__ import annotations

from collections.abc import Sequence

_OPENING, _CLOSING, _QUOTES = "([{", ")]}", "'\""


def words_of(text: str) -> list[str]:
    """The words between spaces and commas. Brackets keep a word together, and so do quotes around it."""
    words: list[str] = []
    word, depth, quote = "", 0, ""
    for character in f"{text} ":
        if quote:
            word, quote = (word, "") if character == quote else (word + character, quote)
        elif character in _QUOTES and not word:
            quote = character
        elif depth == 0 and (character.isspace() or character == ","):
            words += [word] * (word != "")
            word = ""
        else:
            depth = max(0, depth + (character in _OPENING) - (character in _CLOSING))
            word += character
    return words + [word.strip()] * (word.strip() != "")  # of a bracket or a quote that was not closed


def as_word(move: str) -> str:
    """A move as words_of() reads it: in quotes if it would be several words."""
    return move if words_of(move) == [move] else f'"{move}"'


def named(wanted: str, moves: Sequence[str]) -> int | None:
    """The place of the move that a person means; spaces and quotes matter only if several moves could be meant."""
    names = [move.lower() for move in moves]
    if wanted.lower() in names:
        return names.index(wanted.lower())
    close = [place for place, name in enumerate(names) if _unspaced(name) == _unspaced(wanted.lower())]
    return close[0] if len(close) == 1 else None


def _unspaced(text: str) -> str:
    text = "".join(text.split())
    return text[1:-1] if text[:1] in _QUOTES and text[-1:] == text[:1] else text

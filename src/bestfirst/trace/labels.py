"""The texts of states and actions, made fit to be shown on a line or in a drawing."""

from __future__ import annotations

from unicodedata import combining, east_asian_width


def visible(text: str) -> str:
    """The text with each character that cannot be shown written as its escape, but for line breaks."""
    if text.isprintable():
        return text
    return "".join(char if char.isprintable() or char == "\n" else _escape(char) for char in text)


def one_line(text: str) -> str:
    """The text with each character that cannot be shown, line breaks included, written as its escape."""
    if text.isprintable():
        return text
    return "".join(char if char.isprintable() else _escape(char) for char in text)


def columns(text: str) -> int:
    """The columns that a line of text takes in a type of fixed width; East Asian wide characters take two."""
    return sum(0 if combining(char) else 2 if east_asian_width(char) in "WF" else 1 for char in text)


def shortened(text: str, most: int) -> str:
    """The text, cut to a number of columns, the last of them an ellipsis, if it takes more."""
    if columns(text) <= most:
        return text
    kept = ""
    for char in text:
        if columns(kept + char) >= most:
            break
        kept += char
    return kept + "…"


def _escape(char: str) -> str:
    return char.encode("unicode_escape").decode()

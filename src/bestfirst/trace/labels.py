"""Makes the strings of states and actions printable, on one line or in a drawing."""

from __future__ import annotations

from unicodedata import combining, east_asian_width


def visible(text: str) -> str:
    """The string with unprintable characters escaped, except line breaks."""
    if text.isprintable():
        return text
    return "".join(char if char.isprintable() or char == "\n" else _escape(char) for char in text)


def one_line(text: str) -> str:
    """The string with unprintable characters and line breaks escaped."""
    if text.isprintable():
        return text
    return "".join(char if char.isprintable() else _escape(char) for char in text)


def columns(text: str) -> int:
    """The width of a line in a monospaced font, in columns; East Asian wide characters take two."""
    return sum(0 if combining(char) else 2 if east_asian_width(char) in "WF" else 1 for char in text)


def shortened(text: str, most: int) -> str:
    """The string, cut to a number of columns with an ellipsis at the end if it is wider."""
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

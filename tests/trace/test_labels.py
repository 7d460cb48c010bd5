"""Texts of states are made fit to be shown."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from bestfirst.trace.labels import columns, one_line, shortened, visible
from profiles import examples

TEXTS = st.text(st.characters(), max_size=30)


def test_what_cannot_be_shown_is_written_as_its_escape() -> None:
    """Control characters, separators and lone surrogates become escapes; everything printable stays."""
    assert one_line("a\tb\n\x1b[1m\u2028\ud800 é日本") == "a\\tb\\n\\x1b[1m\\u2028\\ud800 é日本"
    assert visible("a\tb\nc") == "a\\tb\nc"


@examples(100)
@given(TEXTS)
def test_a_text_made_visible_is_printable_and_encodes(text: str) -> None:
    """one_line gives a printable text, visible one of printable lines; both can be written as UTF-8."""
    assert one_line(text).isprintable()
    assert all(line.isprintable() for line in visible(text).split("\n"))
    assert visible(text).count("\n") == text.count("\n")
    visible(text).encode()
    assert one_line(one_line(text)) == one_line(text)


def test_columns_count_wide_characters_twice_and_accents_not() -> None:
    """A type of fixed width gives East Asian wide characters two columns, combining marks none."""
    assert columns("abc") == 3
    assert columns("日本") == 4
    assert columns("e\N{COMBINING ACUTE ACCENT}") == 1


@examples(100)
@given(TEXTS, st.integers(1, 12))
def test_a_text_is_shortened_only_as_much_as_it_must_be(text: str, most: int) -> None:
    """A text that fits stays; another is cut to at most so many columns, of which the last is an ellipsis."""
    short = shortened(text, most)
    assert columns(short) <= most
    if columns(text) <= most:
        assert short == text
    else:
        assert short.endswith("…")
        assert text.startswith(short[:-1])

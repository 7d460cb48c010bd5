"""What a problem or a game may return as the picture of a state."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import bestfirst as bf
from bestfirst.cli.app import run
from bestfirst.errors import ProblemError
from bestfirst.pictured import MOST_BYTES, svg_of

BEGIN = "<svg xmlns='http://www.w3.org/2000/svg' "


class Pictured(bf.Problem[int, str]):
    """It draws what it is told."""

    initial = 0

    def __init__(self, picture: Any) -> None:
        self._picture = picture

    def picture(self, state: int) -> Any:
        del state
        return self._picture


@pytest.mark.parametrize(
    ("text", "aspect"),
    [
        (f"{BEGIN}viewBox='0 0 40 10'/>", 0.25),
        (f"{BEGIN}viewBox=' -1,-1 , 2.5 5' width='3' height='1'><g/></svg>", 2),
        (f"{BEGIN}width='20px' height='10'/>", 0.5),
        (
            "<?xml version='1.0' encoding='utf-8'?>\n<!DOCTYPE svg PUBLIC '-//W3C//DTD SVG 1.1//EN' 'http://127.0.0.1/svg.dtd'>\n"
            f"<!-- \u00e9 -->{BEGIN}viewBox='0 0 2 2'/>",
            1,
        ),
    ],
)
def test_an_svg_document_is_taken_with_its_shape(text: str, aspect: float) -> None:
    """As it is, whatever comes before its root."""
    svg = svg_of(Pictured(text), 0)
    assert svg == (text, aspect)


def test_there_need_be_no_picture() -> None:
    """The usual answer is None, of problems and of games."""
    assert svg_of(Pictured(None), 0) is None
    assert svg_of(bf.SlidingTile("1 2 _ 3"), (1, 2, 0, 3)) is None
    assert svg_of(bf.TicTacToe(), bf.TicTacToe().initial) is None


@pytest.mark.parametrize(
    ("picture", "words"),
    [
        (b"<svg/>", "returns b'<svg/>'; it must return an SVG document as a str, or None"),
        ("", "returns invalid SVG: ParseError"),
        ("<svg viewBox='0 0 1 1'/>", "the element 'svg' instead of SVG; begin the picture with <svg xmlns="),
        ("<p>hello</p>", "the element 'p' instead of SVG"),
        (f"{BEGIN}viewBox='0 0 1 1'><g></svg>", "invalid SVG: ParseError: mismatched tag"),
        (f"{BEGIN}viewBox='0 0 1 1'>\ud800</svg>", "invalid SVG: "),
        (f"{BEGIN}/>", "without a size; begin the picture with"),
        (f"{BEGIN}viewBox='0 0 0 1'/>", "without a size"),
        (f"{BEGIN}viewBox='0 0 a 1'/>", "without a size"),
        (f"{BEGIN}viewBox='0 0 inf 1'/>", "without a size"),
        (f"{BEGIN}width='100%' height='4'/>", "without a size"),
        (f"{BEGIN}viewBox='0 0 1e300 1e-300'/>", "more than 1,000 times as long"),
        (f"{BEGIN}viewBox='0 0 1e-300 1e300'/>", "more than 1,000 times as long"),
        (f"<?xml version='1.0' encoding='iso-8859-1'?>{BEGIN}viewBox='0 0 1 1'/>", "the encoding iso-8859-1"),
        (f"<!DOCTYPE s [<!ENTITY a 'b'>]>{BEGIN}viewBox='0 0 1 1'>&a;</svg>", "defines entities"),
        (f"{BEGIN}viewBox='0 0 1 1'>{'x' * MOST_BYTES}</svg>", "return at most 65,536: draw fewer"),
    ],
)
def test_what_is_no_small_svg_document_is_refused(picture: Any, words: str) -> None:
    """With the method, what it returned, and what to write."""
    with pytest.raises(ProblemError, match=r"^Pictured\.picture\(0\) returns ") as refused:
        svg_of(Pictured(picture), 0)
    assert words in str(refused.value)


def test_the_line_of_the_users_file_is_named(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where the search is recorded, as for the faults of other methods."""
    monkeypatch.chdir(tmp_path)
    Path("mine.py").write_text(
        "import bestfirst as bf\n\n"
        "class Count(bf.Problem):\n"
        "    initial = 0\n"
        "    def is_goal(self, state): return state == 3\n"
        "    def successors(self, state): yield 'on', state + 1, 1\n"
        "    def picture(self, state):\n        return 'a picture'\n"
    )
    assert run(["solve", "mine.py", "--view", "run.html"]) == 2
    told = capsys.readouterr().err
    assert "mine.py:7: Count.picture(0) returns invalid SVG" in told and "Traceback" not in told
    assert not Path("run.html").exists()

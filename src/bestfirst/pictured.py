"""The SVG pictures that problems and games make of their states, checked: the error for a wrong one says what to write."""

from __future__ import annotations

import re
from base64 import b64encode
from collections.abc import Mapping
from math import isfinite
from typing import TYPE_CHECKING, Any, NamedTuple
from xml.etree import ElementTree as ET

from bestfirst.errors import ProblemError, kind_and_text, shown

if TYPE_CHECKING:
    from bestfirst.games.game import Game
    from bestfirst.problem import Problem

MOST_BYTES = 64 << 10
"""The largest picture, in bytes."""
MOST_ASPECT = 1000
_ENCODING = re.compile(r"\s*<\?xml[^>]*encoding\s*=\s*[\"']([^\"']*)")
_ROOT = "{http://www.w3.org/2000/svg}svg"
_BEGIN = "<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 WIDTH HEIGHT'>"
_LENGTH = re.compile(r"\s*([0-9.]+)(?:px|pt|mm|cm|in)?\s*")


class Svg(NamedTuple):
    """A picture. text: the document. aspect: its height divided by its width."""

    text: str
    aspect: float

    @property
    def url(self) -> str:
        """The document as the source of an image, in which a browser runs no script and loads nothing else."""
        return f"data:image/svg+xml;base64,{b64encode(self.text.encode()).decode('ascii')}"


def svg_of(of: Problem | Game, state: Any) -> Svg | None:
    """What of.picture returns for a state. Raises ProblemError if it is neither None nor a small SVG document with a size."""
    text = of.picture(state)
    if text is None:
        return None
    if not isinstance(text, str):
        raise _wrong(of, state, f"{shown(text)}; it must return an SVG document as a str, or None")
    size = len(text.encode(errors="replace"))
    if size > MOST_BYTES:
        raise _wrong(of, state, f"{size:,} bytes; return at most {MOST_BYTES:,}: draw fewer or simpler shapes")
    if "<!ENTITY" in text:
        raise _wrong(of, state, "a document that defines entities; write the text of each entity in its place")
    try:
        root = ET.fromstring(text)
    except (ET.ParseError, ValueError) as error:
        raise _wrong(of, state, f"invalid SVG: {kind_and_text(error)}; begin the picture with {_BEGIN}") from error
    if root.tag != _ROOT:
        raise _wrong(of, state, f"the element {root.tag!r} instead of SVG; begin the picture with {_BEGIN}")
    aspect = _aspect_of(root.attrib)
    if aspect is None:
        raise _wrong(of, state, f"an SVG document without a size; begin the picture with {_BEGIN}")
    if not 1 / MOST_ASPECT <= aspect <= MOST_ASPECT:
        raise _wrong(of, state, f"an SVG document with one side more than {MOST_ASPECT:,} times as long as the other")
    declared = _ENCODING.match(text)
    if declared and declared[1].lower() not in ("utf-8", "us-ascii"):
        raise _wrong(of, state, f"a document that declares the encoding {declared[1]}; remove the declaration")
    return Svg(text, aspect)


def drawn(text: str) -> Svg:
    """A picture that the library itself has drawn."""
    aspect = _aspect_of(ET.fromstring(text).attrib)
    assert aspect is not None
    return Svg(text, aspect)


def _wrong(of: Problem | Game, state: Any, what: str) -> ProblemError:
    return ProblemError(f"{type(of).__name__}.picture({shown(state)}) returns {what}")


def _aspect_of(attributes: Mapping[str, str]) -> float | None:
    """The height divided by the width, from the view box or else the two lengths; None if they are not above 0."""
    box = re.split(r"[\s,]+", attributes.get("viewBox", "").strip())
    lengths = [_LENGTH.fullmatch(attributes.get(name, "")) for name in ("width", "height")]
    try:
        width, height = map(float, box[2:]) if len(box) == 4 else (float(found[1]) for found in lengths if found)
    except ValueError:
        return None
    return height / width if width > 0 and height > 0 and isfinite(width) and isfinite(height) else None

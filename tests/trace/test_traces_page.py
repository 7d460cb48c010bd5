"""The page on traces shows what really comes out."""

from __future__ import annotations

import doctest
import re
from pathlib import Path

from bestfirst.trace import SearchTree, to_svg
from traced import LECTURE, traced

DOCS = Path(__file__).parents[2] / "docs"


def test_every_example_on_the_page_gives_what_the_page_says() -> None:
    """The examples are run in order, and their output compared."""
    page = (DOCS / "traces.md").read_text(encoding="utf-8")
    examples = doctest.DocTestParser().get_doctest(re.sub(r"(?m)^```.*$", "", page), {}, "traces.md", "traces.md", 0)
    assert len(examples.examples) > 15
    assert doctest.DocTestRunner().run(examples).failed == 0


def test_the_drawing_on_the_page_is_the_one_that_is_made() -> None:
    """docs/images/search-tree.svg is the tree of worked case 4 as to_svg draws it."""
    drawn = to_svg(SearchTree.from_trace(traced(LECTURE, "astar")), LECTURE)
    assert (DOCS / "images" / "search-tree.svg").read_text(encoding="utf-8") == drawn

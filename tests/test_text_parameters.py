"""The parameters of a class as text."""

from __future__ import annotations

from collections.abc import Sequence
from enum import Enum
from pathlib import Path
from typing import Annotated, Any, Literal, NewType

import pytest

from bestfirst.errors import InputError
from bestfirst.text_parameters import form_of, text_parameters


class Moves(Enum):
    FOUR_WAYS = 4
    EIGHT_WAYS = 8


@pytest.mark.parametrize(
    ("annotation", "text", "value"),
    [
        (int, "12", 12),
        (float, "1.5", 1.5),
        (str, "a b", "a b"),
        (bool, "yes", True),
        (bool, "No", False),
        (Path, "a/b", Path("a/b")),
        (int | None, "3", 3),
        (int | float | None, "3.5", 3.5),
        (tuple[int, ...], "3, 4 5", (3, 4, 5)),
        (tuple[int, str], "3 x", (3, "x")),
        (list[float], "1 2", [1.0, 2.0]),
        (Sequence[str], "a b", ("a", "b")),
        (frozenset[int], "1 1", frozenset({1})),
        (Literal["x", "y"], "y", "y"),
        (Literal[4, 8], "8", 8),
        (Moves, "eight-ways", Moves.EIGHT_WAYS),
        (Annotated[int, "size"], "2", 2),
        (NewType("Size", int), "2", 2),
    ],
)
def test_a_text_is_read_by_the_annotation(annotation: Any, text: str, value: object) -> None:
    """Numbers, texts, truth values, choices, and several of them."""
    form = form_of(annotation)
    assert form is not None
    assert form.read(text) == value


@pytest.mark.parametrize(
    ("annotation", "text"), [(int, "x"), (bool, "maybe"), (tuple[int, int], "1"), (Moves, "nine"), (Literal["x"], "z")]
)
def test_a_text_of_another_form_is_refused(annotation: Any, text: str) -> None:
    """With a ValueError, which text_parameters turns into an InputError."""
    form = form_of(annotation)
    assert form is not None
    with pytest.raises(ValueError):
        form.read(text)


@pytest.mark.parametrize("annotation", [dict[str, int], object, list[list[int]], tuple, None, Any, [int]])
def test_other_types_have_no_text(annotation: Any) -> None:
    """Such as dicts, and lists of lists."""
    assert form_of(annotation) is None


class Grid:
    def __init__(  # type: ignore[no-untyped-def]
        self, width: int, height=3, *, ways: Moves = Moves.FOUR_WAYS, walls: dict[int, int] | None = None, **others
    ) -> None: ...


def test_parameters_are_read_from_the_signature() -> None:
    """Annotations may be texts; without one the default decides, and what needs no text may be left out."""
    found = text_parameters(Grid.__init__, "Grid", skipped=1)
    assert list(found) == ["width", "height", "ways"]
    assert [one.is_needed for one in found.values()] == [True, False, False]
    assert (found["height"].read("5"), found["ways"].form.choices) == (5, ("four-ways", "eight-ways"))
    with pytest.raises(InputError, match="width of Grid is 'x'; use a whole number"):
        found["width"].read("x")


def bare(size) -> None: ...  # type: ignore[no-untyped-def]


def odd(size: dict[str, int]) -> None: ...


@pytest.mark.parametrize(
    ("function", "words"),
    [(bare, "has no annotation"), (odd, r"has the type dict\[str, int\], which cannot be given as text")],
)
def test_a_needed_parameter_that_no_text_can_give_is_told(function: Any, words: str) -> None:
    """With the place of the function."""
    with pytest.raises(InputError, match=rf"size of A .*{words}.*test_text_parameters.py:\d+|{words}"):
        text_parameters(function, "A")

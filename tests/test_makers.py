"""What makes problems and games from text, by every kind of name."""

from __future__ import annotations

import importlib.metadata
import sys
from importlib.metadata import EntryPoint, EntryPoints
from pathlib import Path

import pytest

import bestfirst as bf
from bestfirst import makers
from bestfirst.errors import InputError, UnknownNameError
from bestfirst.makers import PLAYABLE, Kind, Maker, maker_named

TOURS = """
import bestfirst as bf

class Line(bf.Problem):
    def __init__(self, length: int, step: int = 1):
        self.initial, self.length, self.step = 0, length, step
    def is_goal(self, state): return state == self.length
    def successors(self, state): yield "on", state + self.step, 1

class Sticks(bf.Game):
    initial = 21

class Read(Line):
    @classmethod
    def from_text(cls, text, *, step: int = 2): return cls(len(text), step)

class Replaced(Read):
    def __init__(self, size: int): super().__init__(size)

class Board(bf.SlidingTile):
    pass

class _Base(Line):
    pass

ready = Line(7)
number = 7
"""


@pytest.fixture(autouse=True)
def tours(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(sys, "path", [*sys.path])
    monkeypatch.chdir(tmp_path)
    file = tmp_path / "tours.py"
    file.write_text(TOURS)
    return file


@pytest.mark.parametrize("name", [*bf.DOMAINS, *PLAYABLE])
def test_what_the_package_includes_is_made_by_its_name(name: str) -> None:
    """Its parameters can be given as text."""
    maker = maker_named(name)
    assert not maker.is_own
    assert (maker.kind is Kind.PROBLEM) == (name in bf.DOMAINS)
    assert set(maker.options) <= set(maker.parameters)


@pytest.mark.parametrize(
    ("name", "instance", "given", "length", "step"),
    [
        ("tours.py:Line", "5", {}, 5, 1),
        ("./tours.py:Line", None, {"length": "5", "step": "2"}, 5, 2),
        ("tours.py:Read", "abc", {}, 3, 2),
        ("tours.py:Read", "abc", {"step": "4"}, 3, 4),
        ("tours.py:Replaced", "9", {}, 9, 1),
        ("tours.py:_Base", "9", {}, 9, 1),
        ("tours.py:ready", None, {}, 7, 1),
    ],
)
def test_a_class_of_a_file_is_made_from_text(
    name: str, instance: str | None, given: dict[str, str], length: int, step: int
) -> None:
    """By from_text if it has one, unless __init__ was replaced after it; an object is used as it is."""
    made = maker_named(name, Kind.PROBLEM).make(instance, given)
    assert (made.length, made.step) == (length, step)


def test_a_class_that_inherits_the_text_of_a_domain_reads_it() -> None:
    assert maker_named("tours.py:Board").make("1 2 3 _", {"moves": "UDLR"}).goal == (1, 2, 3, 0)


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("tours.py", "Line, Read, Replaced, Board; name one of them, such as tours.py:Line"),
        ("tours.py:Lime", "did you mean Line"),
        ("tours.py:number", "subclass of Problem"),
        ("tours.py:Sticks", "is a game, but this command takes a problem"),
        ("sliding-tiel", "did you mean sliding-tile"),
    ],
)
def test_a_name_that_does_not_stand_for_one_class_is_told(name: str, words: str) -> None:
    with pytest.raises(InputError, match=words):
        maker_named(name, Kind.PROBLEM)


@pytest.mark.parametrize(
    ("instance", "given", "words"),
    [
        (None, {}, "Line needs length, a whole number"),
        ("5", {"length": "5"}, "given twice"),
        ("5", {"width": "5"}, "does not take --width; it takes --length, --step"),
        ("five", {}, "length of Line is 'five'"),
    ],
)
def test_texts_that_do_not_fit_are_told(instance: str | None, given: dict[str, str], words: str) -> None:
    with pytest.raises(InputError, match=words):
        maker_named("tours.py:Line").make(instance, given)


def test_the_only_game_of_a_file_needs_no_name() -> None:
    """Though it also defines problems."""
    assert maker_named("tours.py", Kind.GAME).name == "Sticks"


def test_the_name_of_a_domain_comes_before_a_file(tours: Path) -> None:
    """A file with such a name is named with its directory."""
    (tours.parent / "pancake").mkdir()
    assert maker_named("pancake").of is bf.DOMAINS["pancake"]
    (tours.parent / "pancake.py").write_text(TOURS)
    assert maker_named("./pancake.py:Line").is_own


def test_other_packages_bring_their_own_by_entry_points(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing is imported before it is named; a name of bestfirst is not replaced."""
    monkeypatch.syspath_prepend(Path.cwd())
    points = EntryPoints(EntryPoint(name, "tours:Line", "bestfirst.domains") for name in ("line", "sliding-tile", "broken"))
    monkeypatch.setattr(importlib.metadata, "entry_points", lambda group: points.select(group=group))
    assert list(makers.brought(Kind.PROBLEM)) == ["broken", "line"] and not makers.brought(Kind.GAME)
    assert "tours" not in sys.modules
    assert maker_named("line", Kind.PROBLEM).make("4", {}).length == 4
    with pytest.raises(UnknownNameError, match="did you mean line"):
        maker_named("lime", Kind.PROBLEM)
    sys.modules.pop("tours")


def test_the_package_makes_its_problems_by_its_own_parameters() -> None:
    """So `list` and errors name the same options."""
    assert list(Maker("road-map", bf.DOMAINS["road-map"]).options) == [
        "start",
        "goal",
        "distance",
        "coordinates",
        "attribute",
    ]

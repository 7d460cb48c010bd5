"""Workers on other machines get the code that somebody has compiled, if their processors are alike."""

from __future__ import annotations

from pathlib import Path

import pytest

import bestfirst as bf
from bestfirst.batches.local import LocalTeam, beginning_of
from bestfirst.batches.parcels import packed, unpacked
from bestfirst.batches.process import Chunk, Ended, Event
from bestfirst.batches.solving import Solving
from bestfirst.batches.supervisor import CodeShelf
from bestfirst.compiled.compiler.cache import CODE
from compilable import Pancakes

pytestmark = pytest.mark.slow


class Shelf:
    """A CodeShelf that remembers what was asked for and offered."""

    def __init__(self, directory: Path) -> None:
        self._shelf = CodeShelf(str(directory))
        self.asked: list[str] = []
        self.offered: dict[str, bytes] = {}

    def fetch(self, name: str) -> bytes | None:
        self.asked.append(name)
        return self._shelf.fetch(name)[0]

    def offer(self, name: str, content: bytes) -> None:
        self.offered[name] = content
        self._shelf.offer(name, content)


def _solve_with_cache(directory: Path, shelf: Shelf, patch: pytest.MonkeyPatch) -> bf.Solution:
    """By a worker that keeps its code in a directory, as on a machine of its own."""
    problem = Pancakes([2, 3, 1])
    work = Solving("depth-first-branch-and-bound", None, bf.Limits(), {"engine": "compiled"})
    patch.setenv("BESTFIRST_CACHE", str(directory))
    team = LocalTeam(beginning_of(work, 1, asks_for_code=True), None, None, 1, shelf)
    try:
        team.give(Chunk([0], packed([problem]), None))
        events: list[Event] = []
        while not events:
            events = team.wait(60.0)
    finally:
        team.close()
    (event,) = events
    assert isinstance(event, Ended)
    assert isinstance(event.result, bytes), event.result
    solution: bf.Solution = unpacked(event.result, (problem,))
    return solution


def test_code_is_compiled_on_one_machine_and_sent_to_others(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The first asks, compiles and offers; the second gets the same file; the caller's own cache serves both."""
    shelf = Shelf(tmp_path / "callers")
    assert _solve_with_cache(tmp_path / "one", shelf, monkeypatch).engine == "compiled"
    names = [file.name for file in (tmp_path / "one").glob(f"*{CODE}")]
    assert names == shelf.asked == list(shelf.offered)
    assert _solve_with_cache(tmp_path / "two", shelf, monkeypatch).engine == "compiled"
    assert shelf.asked == names * 2
    assert list(shelf.offered) == names
    for name in names:
        assert (tmp_path / "two" / name).read_bytes() == (tmp_path / "one" / name).read_bytes()
    from_disk = Shelf(tmp_path / "one")
    assert _solve_with_cache(tmp_path / "three", from_disk, monkeypatch).engine == "compiled"
    assert from_disk.asked == names
    assert not from_disk.offered


def test_whoever_asks_first_compiles(tmp_path: Path) -> None:
    """The others are told to ask again."""
    shelf = CodeShelf(str(tmp_path))
    assert shelf.fetch("some.code") == (None, False)
    assert shelf.fetch("some.code") == (None, True)
    shelf.offer("some.code", b"code")
    assert shelf.fetch("some.code") == (b"code", False)
    assert shelf.fetch("../other.code") == (None, False)

"""Workers on other machines get the code that somebody has compiled, if their processors are alike."""

from __future__ import annotations

from pathlib import Path

import pytest

import bestfirst as bf
from bestfirst.batches.local import LocalTeam, beginning_of
from bestfirst.batches.parcels import packed_with_code, unpacked
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


def _solve_with_cache(directory: Path, shelf: Shelf, patch: pytest.MonkeyPatch, workers: int = 1) -> list[str]:
    """The engines of searches by workers that keep their code in a directory, as on a machine of their own."""
    problem = Pancakes([2, 3, 1])
    work = Solving("depth-first-branch-and-bound", None, bf.Limits(), {"engine": "compiled"})
    patch.setenv("BESTFIRST_CACHE", str(directory))
    team = LocalTeam(beginning_of(work, workers, asks_for_code=True), None, None, workers, shelf)
    events: list[Event] = []
    try:
        for number in range(workers):
            team.give(Chunk([number], packed_with_code([problem]), None))
        while len(events) < workers:
            events += team.wait(60.0)
    finally:
        team.close()
    results = [event.result for event in events if isinstance(event, Ended)]
    return [unpacked(result, (problem,)).engine for result in results if isinstance(result, bytes)]


def test_code_is_compiled_on_one_machine_and_sent_to_others(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Of two workers of the first machine, one asks, compiles and offers; the second machine gets the same file; the
    caller's own cache serves it, too."""
    shelf = Shelf(tmp_path / "callers")
    assert _solve_with_cache(tmp_path / "one", shelf, monkeypatch, workers=2) == ["compiled", "compiled"]
    names = [file.name for file in (tmp_path / "one").glob(f"*{CODE}")]
    assert names == shelf.asked == list(shelf.offered)
    assert _solve_with_cache(tmp_path / "two", shelf, monkeypatch) == ["compiled"]
    assert shelf.asked == names * 2
    assert list(shelf.offered) == names
    for name in names:
        assert (tmp_path / "two" / name).read_bytes() == (tmp_path / "one" / name).read_bytes()
    from_disk = Shelf(tmp_path / "one")
    assert _solve_with_cache(tmp_path / "three", from_disk, monkeypatch) == ["compiled"]
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

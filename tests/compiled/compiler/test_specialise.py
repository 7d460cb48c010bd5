"""Compiled code on disk: kept for the next process, made anew when anything changes, missed when it is damaged."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from bestfirst.compiled.compiler.cache import cache_directory, cached_files, clear_cache, keep_cached, read_cached
from bestfirst.compiled.compiler.specialise import Numbers, _Known
from bestfirst.errors import InputError

PROGRAM = """
from typing import NamedTuple
import bestfirst as bf

class Counter(bf.Domain):
    class State(NamedTuple):
        number: int
    max_actions = 2
    unit_cost = True
    default_heuristic = "left"
    initial = State(0)
    def step(self, state, action):
        return True, self.State(state.number + BY), 1
    def is_goal(self, state):
        return state.number >= 12
    @bf.heuristic(admissible=True)
    def left(self, state):
        return 0

BY = {by}

if __name__ == "__main__":
    solution = bf.solve(Counter(), "depth-first-branch-and-bound", engine="compiled")
    print(solution.cost, solution.stats.generated)
"""


def run(program: Path, cache: Path, check: bool = True) -> subprocess.CompletedProcess[str]:
    environment = {**os.environ, "BESTFIRST_CACHE": str(cache)}
    return subprocess.run([sys.executable, str(program)], capture_output=True, text=True, env=environment, check=check)


@pytest.fixture(scope="module")
def first(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path, str]:
    """The program, the cache that its first process has written, and what that one printed."""
    directory = tmp_path_factory.mktemp("first")
    file = directory / "counter.py"
    file.write_text(PROGRAM.format(by=1))
    return file, directory / "cache", run(file, directory / "cache").stdout


@pytest.fixture
def program(first: tuple[Path, Path, str]) -> Path:
    return first[0]


@pytest.fixture
def cache(first: tuple[Path, Path, str], tmp_path: Path) -> Path:
    """A copy of the cache of the first process."""
    return Path(shutil.copytree(first[1], tmp_path / "cache"))


def compiled_files(cache: Path) -> dict[Path, int]:
    """The files with machine code, and when they were written."""
    return {file: file.stat().st_mtime_ns for file in cache.rglob("*.code")}


@pytest.mark.slow
def test_code_is_kept_and_used_again_until_the_domain_changes(
    first: tuple[Path, Path, str], cache: Path, tmp_path: Path
) -> None:
    """A second process compiles nothing; a changed number at the top of the module gives the new answer."""
    program, _, answer = first
    files = compiled_files(cache)
    assert files
    assert run(program, cache).stdout == answer
    assert compiled_files(cache) == files
    changed = tmp_path / program.name
    changed.write_text(PROGRAM.format(by=3))
    assert run(changed, cache).stdout.startswith("4 ")
    assert len(compiled_files(cache)) > len(files)


@pytest.mark.slow
def test_a_damaged_cache_is_survived(first: tuple[Path, Path, str], cache: Path) -> None:
    """Files cut short or overwritten lead to a fresh compilation, not to an error."""
    for file in cache.rglob("*"):
        if file.is_file():
            file.write_bytes(b"rubbish")
    assert run(first[0], cache).stdout == first[2]


@pytest.mark.slow
def test_a_cache_that_cannot_be_written_is_survived(program: Path, tmp_path: Path) -> None:
    """The search is made, and a warning says which variable to set."""
    blocked = tmp_path / "file"
    blocked.write_text("")
    done = run(program, blocked / "cache")
    assert done.stdout.startswith("12 ")
    assert "set BESTFIRST_CACHE to a writable directory" in done.stderr


@pytest.mark.slow
def test_two_processes_that_compile_at_once_do_not_disturb_each_other(program: Path, tmp_path: Path) -> None:
    """Both give the answer, and so does a third one afterwards."""
    environment = {**os.environ, "BESTFIRST_CACHE": str(tmp_path / "cache")}
    both = [
        subprocess.Popen([sys.executable, str(program)], stdout=subprocess.PIPE, text=True, env=environment)
        for _ in range(2)
    ]
    answers = [process.communicate(timeout=120)[0] for process in both]
    assert answers[0] == answers[1] == run(program, tmp_path / "cache").stdout


def test_the_cache_is_where_the_user_says(monkeypatch: pytest.MonkeyPatch) -> None:
    """BESTFIRST_CACHE, or the user's cache directory."""
    monkeypatch.setenv("BESTFIRST_CACHE", "/somewhere")
    assert cache_directory() == Path("/somewhere")
    monkeypatch.delenv("BESTFIRST_CACHE")
    monkeypatch.setenv("XDG_CACHE_HOME", "/caches")
    assert cache_directory() == Path("/caches/bestfirst/compiled")
    monkeypatch.delenv("XDG_CACHE_HOME")
    assert cache_directory() == Path.home() / ".cache" / "bestfirst" / "compiled"


@pytest.mark.slow
def test_clearing_the_cache_removes_compiled_code_and_nothing_else(cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A file that somebody put there stays."""
    mine = cache / "mine.txt"
    mine.write_text("keep me")
    monkeypatch.setenv("BESTFIRST_CACHE", str(cache))
    assert len(cached_files()) == clear_cache() > 0
    assert cached_files() == [] and list(cache.iterdir()) == [mine]


def test_clearing_the_cache_spares_the_files_of_others(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where the cache is a directory with other files, only files with the names and the content of bestfirst's are removed."""
    monkeypatch.setenv("BESTFIRST_CACHE", str(tmp_path))
    (tmp_path / "project").mkdir()
    digest = "0123456789abcdef"
    others = [
        tmp_path / "package.json",
        tmp_path / "notes.code",
        tmp_path / f"{digest}.json",
        tmp_path / "project" / f"tag-{digest}.code",
        tmp_path / "project" / "settings.json",
    ]
    for file in others:
        file.write_text('{"mine": 1}')
    ours = [tmp_path / f"{digit * 16}.json" for digit in "ab"]
    ours += [tmp_path / f"idastar_slice_{digest}_01234567-{digest}.code"]
    for file, said in zip(ours, ('{"has_float_costs": false}', '{"numbers": "ints", "seal": ""}', ""), strict=True):
        file.write_text(said)
    assert cached_files() == sorted(ours)
    assert clear_cache() == 3
    assert all(file.exists() for file in others) and not any(file.exists() for file in ours)


def test_clearing_the_cache_goes_on_after_a_file_that_cannot_be_removed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its error is raised at the end."""
    monkeypatch.setenv("BESTFIRST_CACHE", str(tmp_path))
    kept, other = (tmp_path / f"{digit * 16}.json" for digit in "ab")
    for file in (kept, other):
        file.write_text('{"has_float_costs": false}')
    unlink = Path.unlink

    def refuse(file: Path, missing_ok: bool = False) -> None:
        if file == kept:
            raise PermissionError(13, "Permission denied", str(file))
        unlink(file, missing_ok=missing_ok)

    monkeypatch.setattr(Path, "unlink", refuse)
    with pytest.raises(PermissionError, match="denied"):
        clear_cache()
    assert cached_files() == [kept]


def test_a_note_of_another_domain_or_one_that_was_changed_is_not_believed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It has a checksum of its name and of what it says."""
    monkeypatch.setenv("BESTFIRST_CACHE", str(tmp_path))
    note, other = (_Known(tmp_path / f"{digit * 16}.json") for digit in "01")
    note.write(Numbers.MIXED)
    assert note.numbers() is Numbers.MIXED
    content = note._path.read_bytes()
    keep_cached(other._path, content)
    assert other.numbers() is None
    keep_cached(note._path, content.replace(b"mixed", b"ints"))
    assert note.numbers() is None


def test_without_a_home_directory_nothing_is_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    """A warning says so once, and the command says which variable to set."""
    _leave_home(monkeypatch)
    with pytest.warns(UserWarning, match="no home directory was found; set BESTFIRST_CACHE"):
        keep_cached(cache_directory() / "0123456789abcdef.json", b"{}")
    keep_cached(cache_directory() / "0123456789abcdef.json", b"{}")
    assert read_cached(cache_directory() / "0123456789abcdef.json") is None
    with pytest.raises(InputError, match="set BESTFIRST_CACHE"):
        cached_files()


def _leave_home(monkeypatch: pytest.MonkeyPatch) -> None:
    def no_home(*_: object) -> Path:
        raise RuntimeError("Could not determine home directory.")

    for name in ("BESTFIRST_CACHE", "BESTFIRST_DATA", "XDG_CACHE_HOME", "XDG_DATA_HOME"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setattr(Path, "home", no_home)

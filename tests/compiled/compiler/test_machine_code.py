"""Machine code on disk: called as Python is, without the compiler; other kinds of arguments have other code."""

from __future__ import annotations

import hashlib
import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any, cast

import numpy as np
import pytest

from bestfirst.compiled.compiler import machine_code
from bestfirst.compiled.compiler.cache import keep_cached
from bestfirst.compiled.compiler.code_generation import generate, loaded
from bestfirst.compiled.compiler.machine_code import Code, Kept, LinkedCode, MachineCode, _keep, _read, passed
from bestfirst.errors import NotCompilableError

FRAGMENTED = """
import ctypes, mmap
import bestfirst as bf

def solve():
    return [bf.solve(bf.GridMap(["..."] * 3, (0, 0), (2, 2)), name, engine="compiled").cost for name in ("astar", "greedy")]

C = ctypes.CDLL(None)
C.mmap.restype = ctypes.c_void_p
C.mmap.argtypes = [ctypes.c_void_p, ctypes.c_size_t, ctypes.c_int, ctypes.c_int, ctypes.c_int, ctypes.c_long]
NO_RESERVE = 0x4000
UNUSED = mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS | NO_RESERVE

def taken(size):
    return C.mmap(None, size, mmap.PROT_READ, UNUSED, -1, 0)

bf.solve(bf.SlidingTile("2 8 3 1 6 4 7 _ 5"), "astar", "manhattan", engine="compiled")  # loads all libraries
def fill(size):
    # Fill all gaps of so many pages; there are none left once addresses follow each other for a while.
    pages, followed = [], 0
    while followed < 100:
        pages.append(taken(size * mmap.PAGESIZE))
        followed = followed + 1 if len(pages) > 1 and pages[-2] - pages[-1] == size * mmap.PAGESIZE else 0
    return pages

def fill_all():
    return [fill(1 << power) for power in range(12, -1, -1)][-1]

pages = fill_all()
taken(3 << 30)
assert max(pages) - min(fill_all()) > 2 << 30
for page in pages[-100::2]:  # code takes more than a page, and finds room only below; tables find it here
    C.munmap(ctypes.c_void_p(page), mmap.PAGESIZE)
print(solve())
"""


SEARCH = """
import sys
import bestfirst as bf
from bestfirst.games import perft

solution = bf.solve(bf.SlidingTile("2 8 3 1 6 4 7 _ 5", "1 2 3 8 _ 4 7 6 5"), "idastar", engine="compiled")
lines = perft(bf.ConnectFour(4, 4), 4, engine="compiled")
print(solution.cost, solution.stats.generated, lines, "numba" in sys.modules)
"""


def every_kind(data: Any, numbers: Any, pair: Any, scale: float, negative: bool) -> Any:
    """A template that takes what templates take, and gives what they give."""
    total = numbers[0] * scale + data[0][1, 2] + pair[0][0] + pair[1][0]
    numbers[1] = len(numbers)
    return -total if negative else total, data[1] // pair[1][0], negative


def nothing(data: Any, numbers: Any) -> None:
    """A template that gives nothing."""
    numbers[0] = data[0]


def twice_nothing(data: Any, numbers: Any) -> None:
    """Another one, whose name ends likewise."""
    numbers[0] = 2 * data[0]


RECORD = np.dtype([("count", np.int64), ("share", np.float64), ("mark", np.uint8), ("next", np.int32)], align=True)


def fields_of_records(data: Any, records: Any) -> Any:
    """A template that reads and writes fields by name."""
    first, second = records[0], records[1]
    first.count += data[0]
    second.share = first.share / 2
    second.next = -first.count
    return second.mark


@pytest.fixture
def code(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[Any], MachineCode]:
    monkeypatch.setenv("BESTFIRST_CACHE", str(tmp_path))

    def made(function: Any) -> MachineCode:
        return MachineCode(function.__name__, lambda kinds: generate(function, kinds), loaded)

    return made


@pytest.mark.numba
def test_all_kinds_of_arguments_and_results_pass(code: Callable[[Any], MachineCode]) -> None:
    """Compiled, the function says and writes what it does in Python, twice with the same data and once with others."""
    compiled = code(every_kind)
    data = np.arange(6, dtype=np.uint8).reshape(2, 3), np.int64(7)
    for given in (data, data, (np.full((2, 3), 9, np.uint8), np.int64(-7))):
        for negative in (True, False):
            one, other = np.array([2, 0, 0]), np.array([2, 0, 0])
            pair = np.array([0.5]), np.array([2], np.int32)
            answer = compiled(given, one, pair, 1.5, negative)
            assert answer == every_kind(given, other, pair, 1.5, negative)
            assert [type(part) for part in answer] == [float, int, bool]
            assert one.tolist() == other.tolist() == [2, 3, 0]


def test_a_function_may_give_nothing(code: Callable[[Any], MachineCode]) -> None:
    """Its answer is None, and what it wrote is there."""
    numbers = np.zeros(1, np.int64)
    assert code(nothing)((np.int64(4),), numbers) is None
    assert numbers[0] == 4


def test_arguments_of_another_kind_have_code_of_their_own(code: Callable[[Any], MachineCode], tmp_path: Path) -> None:
    """An array of floats is not read as one of ints."""
    compiled = code(nothing)
    floats = np.zeros(1)
    compiled((np.int64(4),), np.zeros(1, np.int64))
    compiled((np.int64(4),), floats)
    assert floats[0] == 4.0
    assert len(list(tmp_path.glob("*.code"))) == 2


@pytest.mark.numba
def test_an_error_in_compiled_code_is_that_of_python(code: Callable[[Any], MachineCode]) -> None:
    """A division by zero raises ZeroDivisionError."""
    data = np.zeros((2, 3), np.uint8), np.int64(7)
    with pytest.raises(ZeroDivisionError):
        code(every_kind)(data, np.zeros(2, np.int64), (np.zeros(1), np.zeros(1, np.int32)), 1.0, False)


@pytest.mark.numba
def test_code_can_be_linked_again() -> None:
    """Also while what was linked before is still there."""
    kinds = ("int64",), "int64[1]"
    template: Any = nothing
    made = cast("Code", generate(template, kinds))
    for linked in [LinkedCode(made, kinds) for _ in range(3)]:
        numbers = np.zeros(1, np.int64)
        linked(*passed([(np.int64(4),), numbers])[1])
        assert numbers[0] == 4


@pytest.mark.numba
def test_the_fields_of_records_have_names(code: Callable[[Any], MachineCode]) -> None:
    """The same function reads and writes them, compiled and in Python."""
    results = []
    for function in (code(fields_of_records), fields_of_records):
        records = np.array([(1, 3.0, 4, 5), (6, 7.0, 200, 9)], RECORD).view(np.recarray)
        results.append((function((np.int64(10),), records), records.tolist()))
    assert results[0] == results[1] == (200, [(11, 3.0, 4, 5), (6, 1.5, 200, -11)])


@pytest.mark.parametrize("error", [ImportError("wrong architecture"), OSError("no library")])
def test_code_without_a_linker_is_refused(error: Exception, monkeypatch: pytest.MonkeyPatch) -> None:
    """The message names what is missing, whatever loading it raises."""
    monkeypatch.setitem(sys.modules, "llvmlite.binding", None)

    def failing(*_: Any) -> Any:
        raise error

    monkeypatch.setattr("builtins.__import__", failing)
    with pytest.raises(NotCompilableError, match="needs llvmlite, which cannot be loaded"):
        machine_code._llvm()


@pytest.mark.parametrize("size", [0, 5])
@pytest.mark.parametrize("is_writeable", [True, False])
def test_the_address_of_an_array_is_passed(size: int, is_writeable: bool) -> None:
    """Whether or not the array can be written, or has elements at all."""
    for array in (np.zeros(size), np.zeros((2, size), np.int8), np.zeros(size, RECORD)):
        array.flags.writeable = is_writeable
        assert f"({array.ctypes.data})" in str(passed([array])[1][4])


def test_the_words_of_kept_arguments_are_found_once() -> None:
    """They are those of a plain tuple."""
    plain = np.arange(3), (np.zeros(2), 7), 1.5
    kept = Kept(plain)
    assert [str(part) for part in passed([kept])] == [str(part) for part in passed([plain])]
    assert kept.passed is kept.passed
    kept[0][0] = 9
    assert plain[0][0] == 9


def test_what_cannot_be_passed_is_refused() -> None:
    """An array with gaps, records with fields that are not aligned or no numbers, and an object of another kind."""
    for fields in ([("mark", np.uint8), ("count", np.int64)], [("name", "S8")]):
        with pytest.raises(TypeError, match="records"):
            passed([np.zeros(1, fields)])
    with pytest.raises(TypeError, match="a non-contiguous array"):
        passed([np.zeros(4)[::2]])
    with pytest.raises(TypeError, match="cannot be passed"):
        passed(["text"])


def with_another_symbol(code: bytes) -> bytes:
    """A file whose checksum is right and whose function is not there."""
    head, _, object_file = code.partition(b"\n")[2].partition(b"\n")
    content = json.dumps(json.loads(head) | {"symbol": "nowhere"}).encode() + b"\n" + object_file
    return hashlib.sha256(content).hexdigest().encode() + b"\n" + content


@pytest.mark.parametrize(
    "damage",
    [
        lambda code: code[:-7],
        lambda code: code[:-7] + b"damaged",
        lambda code: code.replace(b"is_tuple", b"is_tripe"),
        lambda _: b"",
        lambda _: b"{}\n",
        with_another_symbol,
    ],
)
def test_a_damaged_file_is_made_anew(
    code: Callable[[Any], MachineCode], tmp_path: Path, damage: Callable[[bytes], bytes]
) -> None:
    """Cut short, overwritten or empty: code is run only if it is what was written."""
    numbers = np.zeros(1, np.int64)
    code(nothing)((np.int64(1),), numbers)
    (file,) = tmp_path.glob("*.code")
    whole = file.read_bytes()
    file.write_bytes(damage(whole))
    code(nothing)((np.int64(4),), numbers)
    assert numbers[0] == 4
    checksum, _, content = file.read_bytes().partition(b"\n")
    assert checksum.decode() == hashlib.sha256(content).hexdigest()
    assert b"nothing" in content


def test_code_that_others_could_have_written_is_not_run(
    code: Callable[[Any], MachineCode], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A directory that anybody can write to is neither read nor written; a warning says, once, what to do; the answer is right."""
    cache = tmp_path / "open"
    cache.mkdir()
    monkeypatch.setenv("BESTFIRST_CACHE", str(cache))
    code(nothing)((np.int64(1),), np.zeros(1, np.int64))
    (file,) = cache.iterdir()
    before = file.stat()
    assert before.st_mode & 0o777 == 0o600
    cache.chmod(0o777)
    compiled = []
    made = MachineCode("nothing", lambda kinds: compiled.append(kinds) or generate(nothing, kinds), loaded)  # type: ignore[arg-type, func-returns-value]
    numbers = np.zeros(1, np.int64)
    with pytest.warns(
        UserWarning, match=f"{cache} is neither read nor written.*other users can write to.*chmod go-w.*BESTFIRST_CACHE"
    ) as told:
        made((np.int64(4),), numbers)
    assert len(told) == len(compiled) == 1
    assert numbers[0] == 4
    assert file.stat().st_mtime_ns == before.st_mtime_ns


def test_a_file_that_others_could_have_written_is_made_anew(code: Callable[[Any], MachineCode], tmp_path: Path) -> None:
    """Its content is not looked at, and the new one is for the user alone."""
    numbers = np.zeros(1, np.int64)
    code(nothing)((np.int64(1),), numbers)
    (file,) = tmp_path.glob("*.code")
    file.chmod(0o666)
    code(nothing)((np.int64(4),), numbers)
    assert numbers[0] == 4
    assert file.stat().st_mode & 0o777 == 0o600


def test_code_under_the_name_of_another_function_is_not_run(code: Callable[[Any], MachineCode], tmp_path: Path) -> None:
    """Also where the file says that it is: its symbol is that of the other function."""
    code(twice_nothing)((np.int64(1),), np.zeros(1, np.int64))
    (other,) = tmp_path.glob("*.code")
    name = other.name.replace("twice_nothing", "nothing")
    head, _, object_file = other.read_bytes().partition(b"\n")[2].partition(b"\n")
    for told in ({}, {"file": name}, {"file": name, "result": ["text"]}, {"file": name, "is_tuple": 1}):
        content = json.dumps(json.loads(head) | told).encode() + b"\n" + object_file
        (tmp_path / name).write_bytes(hashlib.sha256(content).hexdigest().encode() + b"\n" + content)
        numbers = np.zeros(1, np.int64)
        code(nothing)((np.int64(4),), numbers)
        assert numbers[0] == 4


def test_a_directory_that_cannot_be_written_is_a_warning(tmp_path: Path) -> None:
    """Code that cannot be kept does its work all the same; the warning says why and what to set."""
    (tmp_path / "file").touch()
    cache = tmp_path / "file" / "cache"
    with pytest.warns(UserWarning, match=f"cached in {cache}: {cache.parent} is a file; set BESTFIRST_CACHE"):
        _keep(cache / "one.code", Code("symbol", (), False, b""))


def test_a_directory_that_cannot_be_examined_is_a_warning(tmp_path: Path) -> None:
    """Its name is too long for the system; nothing is found there, and the code does its work all the same."""
    cache = tmp_path / ("a" * 300)
    assert _read(cache / "one.code") is None
    with pytest.warns(UserWarning, match=f"cached in {cache}: .*; set BESTFIRST_CACHE to a writable directory"):
        _keep(cache / "one.code", Code("symbol", (), False, b""))


@pytest.mark.slow
def test_a_process_that_finds_its_code_on_disk_does_not_load_the_compiler(tmp_path: Path) -> None:
    """A search and a game: the first process imports Numba, the second does not, and says the same."""
    environment = {**os.environ, "BESTFIRST_CACHE": str(tmp_path)}

    def run() -> list[str]:
        command = [sys.executable, "-c", SEARCH]
        return subprocess.run(command, env=environment, capture_output=True, text=True, check=True).stdout.split()

    *first, compiled = run()
    *second, loaded = run()
    assert first == second
    assert (compiled, loaded) == ("True", "False")


def test_a_link_in_the_cache_is_replaced_and_its_target_untouched(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Code is written to the cache, never to a file elsewhere that a name in the cache leads to."""
    directory = tmp_path / "cache"
    directory.mkdir(mode=0o700)
    monkeypatch.setenv("BESTFIRST_CACHE", str(directory))
    (tmp_path / "own.txt").write_text("mine")
    file = directory / "some.code"
    file.symlink_to(tmp_path / "own.txt")
    keep_cached(file, b"code")
    assert (tmp_path / "own.txt").read_text() == "mine"
    assert not file.is_symlink()
    assert file.read_bytes() == b"code"


@pytest.mark.skipif(sys.platform != "linux", reason="it arranges the address space as Linux does")
def test_code_is_linked_in_a_fragmented_address_space() -> None:
    """Also if the only places that are free are too far apart for calls by distance."""
    done = subprocess.run([sys.executable, "-c", FRAGMENTED], capture_output=True, text=True, check=False, timeout=120)
    assert (done.stdout, done.stderr, done.returncode) == ("[2.8284271247461903, 2.8284271247461903]\n", "", 0)

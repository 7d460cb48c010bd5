"""A user's files as modules: loaded as Python does, loaded again when they change, with errors that say where they are."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from bestfirst.errors import InputError
from bestfirst.own_errors import OwnFileError, own_errors
from bestfirst.own_files import load_file, load_module


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """An empty working directory, which Python forgets afterwards."""
    monkeypatch.setattr(sys, "path", [*sys.path])
    monkeypatch.chdir(tmp_path)
    before = set(sys.modules)
    yield tmp_path
    for name in set(sys.modules) - before:
        if str(getattr(sys.modules[name], "__file__", None)).startswith(str(tmp_path)):
            del sys.modules[name]


def write(name: str, text: str) -> Path:
    """A file with a time of change that no earlier version of it had."""
    file = Path(name)
    later = file.stat().st_mtime_ns + 10_000_000 if file.exists() else None
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(text)
    if later is not None:
        os.utime(file, ns=(later, later))
    return file


def test_a_file_is_run_once_until_it_changes() -> None:
    """So a class keeps its identity, and an edit is seen at once."""
    write("mine.py", "X = 1\n")
    first = load_file("mine.py")
    assert load_file(Path("mine.py").resolve()) is first
    write("mine.py", "X = 2\n")
    assert (first.X, load_file("mine.py").X) == (1, 2)


@pytest.mark.parametrize("line", ["from beside import X", "from .beside import X", "from . import beside; X = beside.X"])
def test_a_module_beside_the_file_is_found_and_loaded_again_when_it_changes(line: str) -> None:
    """By its name, as with `python FILE`, and by a relative import."""
    write("mine.py", f"{line}\n")
    write("beside.py", "X = 1\n")
    assert load_file("mine.py").X == 1
    write("beside.py", "X = 2\n")
    assert load_file("mine.py").X == 2


def test_a_file_may_change_the_working_directory(monkeypatch: pytest.MonkeyPatch) -> None:
    """It is found again by the path that was given."""
    monkeypatch.chdir(Path.cwd())  # restored at the end
    Path("below").mkdir()
    Path("below/moving.py").write_text("import os\nos.chdir(os.path.dirname(__file__))\n")
    assert load_file("below/moving.py") is load_file("below/moving.py")


def test_a_module_that_removes_itself_is_told_like_others() -> None:
    """Its error, with its line."""
    Path("gone.py").write_text("import sys\nsys.modules[__name__] = None\n1 / 0\n")
    with pytest.raises(OwnFileError, match=r"gone\.py:3: ZeroDivisionError"):
        load_file("gone.py")


def test_a_file_of_a_package_imports_from_the_package() -> None:
    """The package is found from the file, wherever the working directory is."""
    write("tours/__init__.py", "")
    write("tours/rules.py", "X = 3\n")
    write("tours/small/__init__.py", "")
    write("tours/small/mine.py", "from ..rules import X\n")
    assert load_file("tours/small/mine.py").X == 3


def test_a_file_may_have_the_name_of_a_module_of_python() -> None:
    """Neither hides the other."""
    write("json.py", "X = 4\n")
    import json  # noqa: PLC0415

    assert load_file("json.py").X == 4
    assert json.dumps(1) == "1" and sys.modules["json"] is json


def test_a_module_is_found_from_the_working_directory() -> None:
    """As with `python -m`; one that is not there is told."""
    write("own_package/__init__.py", "")
    write("own_package/mine.py", "X = 5\n")
    assert load_module("own_package.mine").X == 5
    write("own_package/mine.py", "X = 6\n")
    assert load_module("own_package.mine").X == 6
    with pytest.raises(InputError, match=r"no module is called 'own_package\.yours'"):
        load_module("own_package.yours")


FAILING: list[tuple[str, int | None, str, str]] = [
    ("x = 1\nclass A(\n", 2, "class A(", "SyntaxError"),
    ("import nothing_there\n", 1, "import nothing_there", "ModuleNotFoundError"),
    ("def f():\n    return 1 // 0\nf()\n", 2, "return 1 // 0", "in f: ZeroDivisionError"),
    ("import sys\nsys.exit(1)\n", 2, "sys.exit(1)", "__main__"),
    ("x\0 = 1\n", None, "", "null bytes"),
]


@pytest.mark.parametrize(("text", "line", "source", "why"), FAILING, ids=[why for *_, why in FAILING])
def test_an_error_says_file_line_and_source(text: str, line: int | None, source: str, why: str) -> None:
    """As data and in its message; once corrected, the file is loaded."""
    file = write("mine.py", text)
    with pytest.raises(OwnFileError) as caught:
        load_file(file)
    error = caught.value
    assert (error.file, error.line, error.source) == (str(file.resolve()), line, source)
    assert why in error.why and str(error).startswith("mine.py")
    write("mine.py", "X = 7\n")
    assert load_file(file).X == 7


def test_an_error_in_a_module_beside_the_file_names_that_module() -> None:
    """Its last line is the one to correct."""
    write("mine.py", "import beside\n")
    write("beside.py", "\n1 / 0\n")
    with pytest.raises(OwnFileError, match=r"^beside\.py:2: ZeroDivisionError"):
        load_file("mine.py")


@pytest.mark.parametrize(
    ("name", "words"),
    [("mime.py", "did you mean mine.py"), (".", "is a directory"), ("mine.txt", "not a Python file"), ("x/y.py", "no file")],
)
def test_a_file_that_cannot_be_loaded_is_told(name: str, words: str) -> None:
    """With a similar name, if there is one."""
    write("mine.py", "")
    write("mine.txt", "")
    with pytest.raises(InputError, match=words):
        load_file(name)


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("pipe.py", "a pipe or a device"),
        ("round.py", "symbolic links|cannot be read"),
        ("lost.py", "a link to 'no.py', which"),
    ],
)
def test_an_odd_file_is_told_for_what_it_is(name: str, words: str) -> None:
    """And its own name is not suggested for it."""
    os.mkfifo("pipe.py")
    Path("round.py").symlink_to("round.py")
    Path("lost.py").symlink_to("no.py")
    with pytest.raises(InputError, match=words) as refusal:
        load_file(name)
    assert "did you mean" not in str(refusal.value)


def test_an_unknown_encoding_has_no_line() -> None:
    """Rather than line 0."""
    write("mine.py", "# -*- coding: nonsense -*-\n")
    with pytest.raises(OwnFileError, match=r"^mine\.py: SyntaxError: unknown encoding: nonsense$"):
        load_file("mine.py")


@pytest.mark.parametrize(("file", "hides"), [("numpy.py", "numpy.py"), ("numba/__init__.py", "numba")])
def test_a_file_that_hides_a_package_is_refused(file: str, hides: str) -> None:
    """Rather than imported in place of the package."""
    write("mine.py", "X = 1\n")
    write(file, "")
    with pytest.raises(InputError, match=f"{hides}' hides the package '{hides.partition('.')[0]}'.*rename 'num"):
        load_file("mine.py")


@pytest.mark.parametrize("line", ["from random import mine", "import random; random.mine"])
def test_an_error_about_a_name_of_two_modules_names_both(line: str) -> None:
    """Python imports the one that it knows."""
    write("mine.py", f"{line}\n")
    write("random.py", "mine = 1\n")
    with pytest.raises(OwnFileError, match=r"two modules are called 'random': .*rename your own"):
        load_file("mine.py")


def test_two_edits_in_one_tick_of_the_clock_are_two() -> None:
    """Even if the file has the same size."""
    file = write("mine.py", "X = 1\n")
    os.utime(file, ns=(1, 1))
    assert load_file(file).X == 1
    file.write_text("X = 2\n")
    os.utime(file, ns=(1, 1))
    assert load_file(file).X == 2


def test_errors_that_the_users_code_raises_on_purpose_stay() -> None:
    """An InputError of its own, and every error in which it took no part."""
    write("mine.py", "import bestfirst as bf\ndef f(): raise bf.InputError('too large')\n")
    mine: Any = load_file("mine.py")
    with pytest.raises(InputError, match=r"^too large$"), own_errors():
        mine.f()
    with pytest.raises(ZeroDivisionError), own_errors():
        raise ZeroDivisionError

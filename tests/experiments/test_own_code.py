"""The hash of a user's code: it changes with each own file that a run may import, and with no other."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from bestfirst.experiments.own_code import code_hash, own_files_of

FILES = {
    "mine.py": "def step():\n    from late import LATE\n    import pack.inner\n",
    "late.py": "LATE = 1\ndef more():\n    import later\n",
    "later.py": "this is not Python",
    "beside.py": "",
    "pack/__init__.py": "",
    "pack/inner.py": "class Inner:\n    def of(self):\n        from . import other\n        from ..none import nothing\n",
    "pack/other.py": "from .deep.way import *\n",
    "pack/deep/way.py": "import mine, json\n",
    "pack/unused.py": "",
    "json.txt": "",
}


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A directory with these files, of which none is imported afterwards."""
    monkeypatch.setattr(sys, "path", [*sys.path])
    before = set(sys.modules)
    for name, text in FILES.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text)
    yield tmp_path
    for name in set(sys.modules) - before:
        del sys.modules[name]


def test_imports_are_followed_wherever_they_are_written(folder: Path) -> None:
    """In functions of imported modules, in packages, relative ones, and in a circle; not what no one imports."""
    found = {str(file.relative_to(folder)) for file in own_files_of(folder / "mine.py")}
    assert found == set(FILES) - {"beside.py", "pack/unused.py", "json.txt"}
    found = {str(file.relative_to(folder)) for file in own_files_of(folder / "pack" / "other.py")}
    assert found >= {"pack/other.py", "pack/__init__.py", "pack/deep/way.py", "mine.py", "late.py"}


def test_the_hash_changes_with_each_of_these_files(folder: Path) -> None:
    """Also with one that was never imported; not with others, nor with the directory."""
    known = {code_hash(folder / "mine.py")}
    for number, name in enumerate(("late.py", "later.py", "pack/other.py", "pack/deep/way.py"), 2):
        (folder / name).write_text(f"CHANGED = {number}\n" + FILES[name])
        known.add(code_hash(folder / "mine.py"))
        assert len(known) == number
    (folder / "beside.py").write_text("CHANGED = True")
    assert code_hash(folder / "mine.py") in known


def test_a_module_is_hashed_like_its_file(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """With the modules beside it."""
    monkeypatch.chdir(folder)
    assert code_hash("late") == code_hash(folder / "late.py")
    before = code_hash("late")
    (folder / "later.py").write_text("CHANGED = True")
    assert code_hash("late") != before


def test_what_is_installed_below_the_directory_is_not_own(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """As in the virtual environment of a project; what a directory on sys.path holds is."""
    installed, library = folder / "venv" / "site-packages", folder / "library"
    for place, name in ((installed, "installed.py"), (library, "shared.py")):
        place.mkdir(parents=True)
        (place / name).write_text("")
        monkeypatch.syspath_prepend(str(place))
    (folder / "mine.py").write_text("import installed, shared\n")
    assert own_files_of(folder / "mine.py") == [folder / "mine.py", library / "shared.py"]
    (installed / "other.py").write_text("import installed\n")
    assert own_files_of(installed / "other.py") == [installed / "other.py"]

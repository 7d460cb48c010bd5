"""What the cells of the book show, and that those of its pages run without NumPy, as they do in a browser."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

from docstrings import as_markup
from live_cells import LIVE_PAGES, is_live
from runner import run

ROOT = Path(__file__).parent.parent.parent
BLOCK = re.compile(r"^```python\n(.*?)^```\n", re.DOTALL | re.MULTILINE)
BEGIN = "import sys\nfor package in ('numpy', 'numba', 'llvmlite'): sys.modules[package] = None\nimport bestfirst\n"


def test_the_value_of_the_last_line_is_shown() -> None:
    """As text, as a piece of a page, or as a page of its own; nothing, if it is no expression. Variables stay."""
    assert run("import bestfirst as bf\npuzzle = bf.SlidingTile('1 2 3 4 5 6 7 _ 8')", "cell 1") == []
    assert run("puzzle.initial", "cell 2") == [{"text": "(1, 2, 3, 4, 5, 6, 7, 0, 8)"}]
    [shown] = run("solution = bf.solve(puzzle, trace=True)\nsolution", "cell 3")
    assert "<svg" in shown["html"]
    [shown] = run("solution.trace", "cell 4")
    assert "bestfirst-viewer" in shown["page"]
    assert shown["height"] > 100


def test_an_error_shows_the_lines_of_cells_only() -> None:
    """Also of a function that another cell defined, and of a cell that cannot be parsed."""
    run("def f():\n    return bf.SlidingTile('1 2')", "cell 1")
    [shown] = run("import bestfirst as bf\nf()", "cell 2")
    lines = [line for line in shown["error"].splitlines() if "File" in line]
    assert lines == ['  File "cell 2", line 2, in <module>', '  File "cell 1", line 2, in f']
    assert "InputError: " in shown["error"]
    [shown] = run("x =", "cell 3")
    assert "SyntaxError" in shown["error"]


def test_files_that_a_cell_writes_are_outputs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Those that are new or have changed; a page is shown too."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "old.txt").write_text("old")
    outputs = run("from pathlib import Path\n_ = Path('a.html').write_text('<p>'), Path('b.txt').write_text('b')", "cell 1")
    assert outputs == [
        {"page": "<p>", "height": 640},
        {"file": "a.html", "content": b"<p>"},
        {"file": "b.txt", "content": b"b"},
    ]


def test_docstrings_become_markup() -> None:
    """Parameters become a list, indented lines an example; signs mean themselves."""
    lines = [
        "Solve *it*.",
        "",
        "    solve(problem)",
        "",
        "one: the first. two: the second, with",
        "other: text. Raises InputError.",
    ]
    markup = "\n".join(as_markup(lines, ["one", "two"]))
    assert "Solve \\*it\\*." in markup
    assert "::\n\n    solve(problem)" in markup
    assert "``one``\n   the first.\n\n``two``\n   the second, with other: text.\n\nRaises InputError." in markup


@pytest.mark.slow
def test_the_cells_of_live_pages_run_without_numpy(tmp_path: Path) -> None:
    """All of them, one after the other on each page, in a process without NumPy."""
    places = {page: ROOT / ("book" if page in ("index", "try") else "docs") / f"{page}.md" for page in sorted(LIVE_PAGES)}
    (tmp_path / "examples").symlink_to(ROOT / "examples")
    program = BEGIN
    for page, path in places.items():
        blocks = [block for block in BLOCK.findall(path.read_text()) if is_live(page, block)]
        assert blocks, page
        program += (
            f"names = {{'bf': bestfirst}}\nfor block in {blocks!r}:\n    exec(compile(block, {page!r}, 'exec'), names)\n"
        )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False, cwd=tmp_path)
    assert done.returncode == 0, done.stderr[-2_000:]

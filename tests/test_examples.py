"""The examples, and the Python of the documentation, run as they stand."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
EXAMPLES = sorted((ROOT / "examples").glob("*.py"))
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]


def run_python(*arguments: str) -> subprocess.CompletedProcess[str]:
    environment = {**os.environ, "PYTHONWARNINGS": "error"}
    return subprocess.run(
        [sys.executable, *arguments], capture_output=True, text=True, check=False, cwd=ROOT, env=environment
    )


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda path: path.name)
def test_an_example_runs(example: Path) -> None:
    """Each example ends well, says something, and complains about nothing."""
    done = run_python(str(example))
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout


@pytest.mark.parametrize("page", PAGES, ids=lambda path: path.name)
def test_the_python_of_a_page_runs(page: Path, tmp_path: Path) -> None:
    """The Python blocks of a page, one after the other in a file, run without an error."""
    blocks = re.findall(r"^```python\n(.*?)^```", page.read_text(), re.DOTALL | re.MULTILINE)
    if not blocks:
        pytest.skip("no Python on this page")
    program = tmp_path / "page.py"
    program.write_text("\n".join(blocks))
    done = run_python(str(program))
    assert done.returncode == 0, done.stderr


COMMAND = re.compile(r"^\$ bestfirst (.*)$", re.MULTILINE)


@pytest.mark.parametrize("page", PAGES, ids=lambda path: path.name)
def test_the_commands_of_a_page_run(page: Path, tmp_path: Path) -> None:
    """Every line `$ bestfirst ...` of a page is understood: no bad input, no bug."""
    text = page.read_text().replace("\\\n", " ")
    for line in COMMAND.findall(text):
        done = subprocess.run(
            f"{sys.executable} -m bestfirst {line}",
            shell=True,
            capture_output=True,
            text=True,
            check=False,
            cwd=tmp_path,
            env={**os.environ, "PYTHONPATH": str(ROOT / "src")},
            stdin=subprocess.DEVNULL,
        )
        assert done.returncode in (0, 1, 3), f"{line}\n{done.stderr}"


@pytest.mark.parametrize("page", PAGES, ids=lambda path: path.name)
def test_the_links_of_a_page_lead_somewhere(page: Path) -> None:
    """Every relative link and picture is there."""
    for target in re.findall(r"\]\(([^)#:]+)\)", page.read_text()):
        assert (page.parent / target).exists(), target


def test_the_readme_shows_what_the_program_prints() -> None:
    """The transcript at the top of the README, but for the time."""
    transcript = re.search(r"^\$ bestfirst ([^\n]*)\n(.*?)^```", (ROOT / "README.md").read_text(), re.DOTALL | re.MULTILINE)
    assert transcript is not None
    done = subprocess.run(
        f"{sys.executable} -m bestfirst {transcript[1]}", shell=True, capture_output=True, text=True, check=True, cwd=ROOT
    )

    def without_time(text: str) -> list[str]:
        return [line for line in text.splitlines() if not line.startswith(("time", "expanded"))]

    assert without_time(done.stdout) == without_time(transcript[2])

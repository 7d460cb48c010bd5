"""The examples, and the Python and the commands of the documentation: they run as they stand, and print what the page shows.

A page shows output below a command in the same block, or in a block of text that directly follows. Times and rates may differ.
tests/trace/test_traces_page.py runs the dialogues of the page on traces.
"""

from __future__ import annotations

import os
import re
import shlex
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import pytest

from bestfirst.search import ALGORITHMS
from programs import Done, run_command, run_program

ROOT = Path(__file__).parent.parent
EXAMPLES = sorted((ROOT / "examples").glob("*.py"))
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]
BLOCK = re.compile(r"^```(python|console)\n(.*?)^```\n(?:\n```text\n(.*?)^```\n)?", re.DOTALL | re.MULTILINE)
COMMAND = re.compile(r"^\$ (.*)\n((?:(?!\$ ).*\n)*)", re.MULTILINE)
RATE = re.compile(r" \([\d,]+ per second\)")
"""Shown of searches that take some time."""
MEASURED = re.compile(r"(\b(seconds )?[\d.,]+( ns| µs| ms| s| [KMG]i?B)\b|\bseconds [\d.]+)")
TAKES_MINUTES = "pdb:korf"
END_OF_BLOCK = "\x1e\n"
FILE = re.compile(r"[<>]|\.\w+\b|\bpdb\b|cache|install")
"""In a command line: what may depend on files, or change them."""
OF_SHELL = re.compile(r"^(?!bestfirst )|[|<>&;$*]")
"""In a command line: what only a shell understands."""


_DONE: dict[str, Done] = {}
"""The commands that were run, by their lines."""


class Shown(NamedTuple):
    """A block of Python, or a command, and the output that the page shows for it, if any."""

    source: str
    output: str | None


def python_blocks(page: Path) -> list[Shown]:
    return [Shown(source, output or None) for kind, source, output in BLOCK.findall(page.read_text()) if kind == "python"]


def commands(page: Path) -> Iterator[Shown]:
    """The lines `$ ... bestfirst ...` of a page."""
    for kind, block, output in BLOCK.findall(page.read_text().replace("\\\n", " ")):
        if kind == "console":
            lines = [Shown(line, below or None) for line, below in COMMAND.findall(block) if "bestfirst" in line]
            if output:
                lines[-1] = Shown(lines[-1].source, output)
            yield from lines


def unmeasured(output: str) -> list[str]:
    """Lines without times, rates and the blanks at their ends."""
    return [MEASURED.sub("(measured)", RATE.sub("", line)).rstrip() for line in output.strip("\n").splitlines()]


def run_line(line: str, directory: Path) -> Done:
    """A command line of a page, run in a directory; what several pages show in the same words is run once."""
    if line in _DONE:
        return _DONE[line]
    command = f"{line} --plan" if TAKES_MINUTES in line else line
    done = run_by_shell(command, directory) if OF_SHELL.search(command) else run_command(shlex.split(command)[1:], directory)
    if not FILE.search(line):
        _DONE[line] = done
    return done


def run_by_shell(command: str, directory: Path) -> Done:
    """A command with pipes, or of something else as well."""
    done = subprocess.run(
        re.sub(r"(^|\| )(?:python -m )?bestfirst", rf"\1{sys.executable} -m bestfirst", command),
        shell=True,
        capture_output=True,
        text=True,
        check=False,
        cwd=directory,
        env={**os.environ, "PYTHONPATH": str(ROOT / "src"), "BROWSER": "true"},
        stdin=subprocess.DEVNULL,
    )
    return Done(done.returncode, done.stdout, done.stderr)


@pytest.mark.slow
@pytest.mark.parametrize("example", EXAMPLES, ids=lambda path: path.name)
def test_an_example_runs(example: Path) -> None:
    """Each example ends well, says something, and complains about nothing."""
    done = run_program(example, directory=ROOT)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout


@pytest.mark.slow
@pytest.mark.parametrize("page", [page for page in PAGES if python_blocks(page)], ids=lambda path: path.name)
def test_the_python_of_a_page_prints_what_the_page_shows(page: Path, tmp_path: Path) -> None:
    """The Python blocks of a page, one after the other in a file, run without an error."""
    blocks = python_blocks(page)
    program = tmp_path / "page.py"
    program.write_text("".join(f"{block.source}\nprint({END_OF_BLOCK!r}, end='')\n" for block in blocks))
    (tmp_path / "examples").symlink_to(ROOT / "examples")
    done = run_program(program, directory=tmp_path)
    assert done.returncode == 0, done.stderr
    for block, printed in zip(blocks, done.stdout.split(END_OF_BLOCK), strict=False):
        if block.output:
            assert unmeasured(printed) == unmeasured(block.output), block.source


@pytest.mark.slow
@pytest.mark.parametrize("page", [page for page in PAGES if any(commands(page))], ids=lambda path: path.name)
def test_the_commands_of_a_page_print_what_the_page_shows(page: Path, tmp_path: Path) -> None:
    """Every line `$ ... bestfirst ...` of a page is understood: no bad input, no bug. One that takes minutes is only planned."""
    (tmp_path / "examples").symlink_to(ROOT / "examples")
    for command in commands(page):
        done = run_line(command.source, tmp_path)
        assert done.returncode in (0, 1, 3), f"{command.source}\n{done.stderr}"
        if command.output:
            assert unmeasured(done.stdout) == unmeasured(command.output), command.source


@pytest.mark.parametrize("page", PAGES, ids=lambda path: path.name)
def test_the_links_of_a_page_lead_somewhere(page: Path) -> None:
    """Every relative link and picture is there."""
    for target in re.findall(r"\]\((?![<=])([^)#:]+)\)", page.read_text()):
        assert (page.parent / target).exists(), target


def test_the_readme_counts_the_algorithms() -> None:
    """As many as there are."""
    assert f"**{len(ALGORITHMS)} algorithms**" in (ROOT / "README.md").read_text()

"""The manual page that is installed with the package."""

from __future__ import annotations

import re
import shutil
import subprocess
import tomllib
from pathlib import Path

import pytest

from bestfirst.cli.man_page import man_page

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "man" / "bestfirst.1"


def test_the_page_is_the_one_that_is_made() -> None:
    """After a change of options: python -m bestfirst.cli.man_page > man/bestfirst.1."""
    assert PAGE.read_text(encoding="utf-8") == man_page()


def test_the_package_installs_the_page_where_man_looks() -> None:
    """Below share/man of wherever the package goes."""
    build = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["hatch"]["build"]["targets"]["wheel"]
    assert build["shared-data"] == {"man/bestfirst.1": "share/man/man1/bestfirst.1"}


@pytest.mark.skipif(shutil.which("groff") is None, reason="there is no groff")
def test_the_page_can_be_shown() -> None:
    """Without a warning, with every command and with options as they are typed."""
    done = subprocess.run(
        ["groff", "-man", "-Tascii", "-ww", "-P-c", "-P-b", "-P-o", "-P-u", PAGE], capture_output=True, text=True, check=True
    )
    assert done.stderr == ""
    shown = re.sub(r"\s+", " ", done.stdout)
    for words in (
        "bestfirst - heuristic search",
        "bestfirst solve DOMAIN [INSTANCE...]",
        "bestfirst compare DOMAIN [INSTANCES...]",
        "bestfirst pdb build DOMAIN [INSTANCE...]",
        "--algorithm, -a TEXT",
        "--size RxC Size of the board: rows x columns, such as 3x4.",
        "--engine-plays first|second|both|none",
        "EXIT STATUS",
        "130 Interrupted by Ctrl-C",
    ):
        assert words in shown

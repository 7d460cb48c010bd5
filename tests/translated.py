"""Tasks of PDDL files, translated in a process of its own, if the translator is installed."""

from __future__ import annotations

import os
import subprocess
import sys
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from bestfirst.planning import Task, sas

needs_translator = pytest.mark.skipif(find_spec("fast_downward") is None, reason="fast-downward-translate is not installed")


@cache
def sas_text(domain: Path, problem: Path) -> str:
    """What the translator writes of a task."""
    with TemporaryDirectory() as directory:
        command = [sys.executable, "-m", "fast_downward.translate", str(domain), str(problem), "--sas-file", "output.sas"]
        same = {**os.environ, "PYTHONHASHSEED": "0"}  # the same files always give the same task
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL, cwd=directory, env=same)
        return (Path(directory) / "output.sas").read_text()


def translated(domain: Path, problem: Path) -> Task:
    return sas.task_of(sas_text(domain, problem))

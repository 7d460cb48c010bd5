"""The programs for comparison: Python modules, and C programs compiled on demand. Missing ones are skipped with a
message."""

from __future__ import annotations

import importlib
import shutil
import subprocess
from pathlib import Path
from typing import Any

YARDSTICKS = Path(__file__).parent / "yardsticks"


def peer(module: str) -> Any:
    """A module for comparison; None if it is not installed."""
    try:
        return importlib.import_module(module)
    except ImportError:
        print(f"{module} is not installed: skipped", flush=True)
        return None


def has_compiler(source: str) -> bool:
    """Whether a program of yardsticks/ can be compiled."""
    if shutil.which(_compiler(source)) is not None:
        return True
    print(f"{_compiler(source)} is not installed: {source} skipped", flush=True)
    return False


def yardstick(source: str, directory: str, *flags: str) -> Path:
    """A program of yardsticks/, compiled for this machine into a directory."""
    program = Path(directory) / "".join([source, *flags, ".out"])
    arguments = [_compiler(source), "-O3", "-march=native", *flags, "-o", str(program), str(YARDSTICKS / source)]
    subprocess.run(arguments, check=True)
    return program


def _compiler(source: str) -> str:
    return "c++" if source.endswith(".cpp") else "cc"

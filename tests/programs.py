"""Programs and commands, run in this process, which has imported everything already and kept what it has compiled."""

from __future__ import annotations

import io
import os
import sys
import traceback
import warnings
from collections.abc import Iterator
from contextlib import contextmanager, redirect_stderr, redirect_stdout
from pathlib import Path
from types import ModuleType
from typing import NamedTuple

import pytest

from bestfirst.cli.app import run


class Done(NamedTuple):
    """What a command or a program has printed, and its exit code."""

    returncode: int
    stdout: str
    stderr: str


@contextmanager
def _as_a_process(directory: Path) -> Iterator[tuple[io.StringIO, io.StringIO]]:
    """In a directory, without input; gives what is printed, and what is printed of errors."""
    out, err = io.StringIO(), io.StringIO()
    with (
        pytest.MonkeyPatch.context() as patch,
        redirect_stdout(out),
        redirect_stderr(err),
        Path(os.devnull).open() as nothing,
    ):
        patch.chdir(directory)
        patch.setenv("BROWSER", "true")
        patch.setattr(sys, "stdin", nothing)
        yield out, err


def run_command(words: list[str], directory: Path) -> Done:
    """The command bestfirst with these words."""
    with _as_a_process(directory) as (out, err):
        code = run(words)
    return Done(code, out.getvalue(), err.getvalue())


def run_program(file: Path, *words: str, directory: Path) -> Done:
    """A file of Python with these words on its command line, in which every warning is an error."""
    known = set(sys.modules)
    with _as_a_process(directory) as (out, err), pytest.MonkeyPatch.context() as patch, warnings.catch_warnings():
        warnings.simplefilter("error")
        main = ModuleType("__main__")
        main.__file__ = str(file)
        patch.setitem(sys.modules, "__main__", main)
        patch.setattr(sys, "argv", [str(file), *words])
        patch.syspath_prepend(file.parent)
        code = _exit_code(file, main)
    for name in set(sys.modules) - known:  # others may import another file by the same name
        if Path(getattr(sys.modules[name], "__file__", None) or "/").parent == file.parent:
            del sys.modules[name]
    return Done(code, out.getvalue(), err.getvalue())


def _exit_code(file: Path, main: ModuleType) -> int:
    """Run a file as a module; what a process would end with."""
    try:
        exec(compile(file.read_text(), file, "exec"), main.__dict__)
    except SystemExit as ended:
        if isinstance(ended.code, str):
            sys.stderr.write(f"{ended.code}\n")
        return ended.code if isinstance(ended.code, int) else int(ended.code is not None)
    except Exception:
        traceback.print_exc()
        return 1
    return 0

"""Own files with the name of another module: Python imports only one of the two, and its errors do not say so."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from importlib.machinery import PathFinder
from pathlib import Path
from types import ModuleType

from bestfirst.errors import InputError

_NEEDED = ("numpy", "numba", "llvmlite")
"""Packages that are imported after the user's file."""


def check_hides_nothing(directory: Path) -> None:
    """Raise InputError if a file of a directory would be imported in place of a package that bestfirst needs."""
    for name in _NEEDED:
        for file in (directory / f"{name}.py", directory / name / "__init__.py"):
            if file.is_file() and any(not other.samefile(file) for other in _files_called(name)):
                what = file if file.stem == name else file.parent
                raise InputError(f"{str(what)!r} hides the package {name!r}, which bestfirst needs; rename {what.name!r}")


def same_name(error: BaseException) -> str:
    """A remark for the message of an error about a module whose name two files have; "" for other errors."""
    name = _module_of(error).partition(".")[0]
    used = getattr(sys.modules.get(name), "__file__", None)
    if not name or not used or not Path(used).is_file():
        return ""
    others = [file for file in _files_called(name) if not file.samefile(used)]
    return f" (two modules are called {name!r}: {used}, which is used, and {others[0]}; rename your own)" if others else ""


def _module_of(error: BaseException) -> str:
    """The module that lacks something."""
    if isinstance(error, ImportError):
        return error.name or ""
    of = error.obj if isinstance(error, AttributeError) else None
    return of.__name__ if isinstance(of, ModuleType) else ""


def _files_called(name: str) -> Iterator[Path]:
    """The files that `import NAME` would find in the directories of sys.path."""
    for directory in sys.path:
        spec = PathFinder.find_spec(name, [directory])
        if spec is not None and spec.origin is not None and spec.has_location:
            yield Path(spec.origin)

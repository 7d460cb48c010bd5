"""Machine code that Numba stores, loads and calls: what the plain compiler makes.

It consists of the files that Numba writes for one function with cache=True. They are kept within one of our own files
(machine_code.py), in a directory that nobody else may write to, and are laid out for Numba in a directory for the moment.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import Any

from bestfirst.compiled.compiler.guards import FIRST_STOP, MethodStopped


@dataclass(frozen=True)
class NumbaCode:
    """A function as the files of Numba's cache.

    name: its name. files: by their names in the cache directory. misfit: why the lean compiler was not used.
    """

    name: str
    files: dict[str, bytes]
    misfit: str = ""

    def told(self) -> dict[str, object]:
        """What a file says about its content: a description that json can write."""
        lengths = [[name, len(content)] for name, content in self.files.items()]
        return {"function": self.name, "misfit": self.misfit, "files": lengths}

    def content(self) -> bytes:
        """The content of the file."""
        return b"".join(self.files.values())

    @classmethod
    def of(cls, told: dict[str, Any], content: bytes) -> NumbaCode:
        """The code from a description and a content; raises ValueError if they do not match."""
        files, at = {}, 0
        for name, length in told["files"]:
            if PurePosixPath(name).is_absolute() or ".." in PurePosixPath(name).parts or told["function"] not in name:
                raise ValueError(name)
            files[name] = content[at : at + length]
            at += length
        if at != len(content) or not files:
            raise ValueError(told)
        return cls(told["function"], files, str(told["misfit"]))

    @classmethod
    def in_directory(cls, name: str, directory: Path) -> NumbaCode:
        """The code in a cache directory of Numba."""
        files = {str(file.relative_to(directory).as_posix()): file.read_bytes() for file in sorted(directory.rglob("*.nb?"))}
        return cls(name, files)

    def lay_out(self, directory: Path) -> None:
        """Write the files to a cache directory of Numba."""
        for name, content in self.files.items():
            file = directory / name
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_bytes(content)


class LoadedCode:
    """Machine code that Numba has loaded, ready to be called."""

    takes_words = False

    def __init__(self, function: Callable[..., tuple[int, object]]) -> None:
        self._function = function

    def __call__(self, *arguments: object) -> Any:
        status, answer = self._function(arguments)
        if status >= FIRST_STOP:
            raise MethodStopped(status)
        return answer

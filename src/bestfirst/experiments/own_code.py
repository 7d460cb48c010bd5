"""A hash of the code of a user's problem: without it, runs of code that has changed since would pass for runs of today's code.

The modules that the code imports are found in its source, also where a function imports them, which may be done only in the middle
of a search. They are followed as long as they are the user's own. A name that is computed, as for importlib, is not seen.
"""

from __future__ import annotations

import ast
import hashlib
import sys
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from bestfirst.own_errors import ROOTS, is_own
from bestfirst.own_files import load_file, load_module


def code_hash(given: str | Path) -> str:
    """A hash of the code of a file or module, and of the user's own modules that it imports, at once or later.

    Raises InputError if it cannot be loaded.
    """
    module = load_file(given) if str(given).endswith(".py") else load_module(str(given))
    files = [] if module.__file__ is None else own_files_of(Path(module.__file__))
    digest = hashlib.sha256()
    for name, content in sorted((file.name.encode(), hashlib.sha256(file.read_bytes()).digest()) for file in files):
        digest.update(name + b"\0" + content)
    return digest.hexdigest()


def own_files_of(first: Path) -> list[Path]:
    """A file, and all own files that it imports, or that one of these imports."""
    places = _places_of(first)
    is_installed = not is_own(str(first), {Path(first.anchor)})
    own = ROOTS if is_installed else ROOTS | {first.parent, _top_of(first)}
    found = [first]
    for file in found:  # which grows
        others = dict.fromkeys([*_packages_of(file), *_imported_by(file, places)])
        found += [other for other in others if other not in found and is_own(str(other), own)]
    return found


def _places_of(first: Path) -> list[Path]:
    """Where the modules of a file are looked for: beside it, beside its package, and where it lets Python look below these."""
    top = _top_of(first)
    return [first.parent, top, *(place for place in map(Path, sys.path) if {first.parent, top} & set(place.parents))]


def _top_of(file: Path) -> Path:
    """The directory that the package of a file is in, or the file itself."""
    return next(place for place in file.parents if not (place / "__init__.py").is_file())


def _packages_of(file: Path) -> list[Path]:
    """The files that Python runs before that of a module in a package."""
    top = _top_of(file)
    return [place / "__init__.py" for place in file.parents if top in place.parents]


def _imported_by(file: Path, places: Sequence[Path]) -> Iterator[Path]:
    """The files of the modules that a file imports anywhere. Of one that is not Python source, there are none."""
    try:
        tree = ast.parse(file.read_bytes())
    except (SyntaxError, ValueError):  # an error of the run that imports it
        return
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            for alias in node.names:
                yield from _files_of(alias.name.split("."), places)
        elif isinstance(node, ast.ImportFrom):
            module = [] if node.module is None else node.module.split(".")
            for alias in node.names:
                yield from _files_of(
                    [*module, alias.name], file.parents[node.level - 1 : node.level] if node.level else places
                )


def _files_of(parts: Sequence[str], places: Iterable[Path]) -> list[Path]:
    """The files of a module and of the packages around it, in the first place that has one. The last part may be no module."""
    for place in places:
        ways = [place.joinpath(*parts[:number]) for number in range(1, len(parts) + 1)]
        files = [file for way in ways for file in (way / "__init__.py", way.with_name(f"{way.name}.py")) if file.is_file()]
        if files:
            return files
    return []

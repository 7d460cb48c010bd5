"""A task: one run of an experiment, with the digest that tells whether it was done already."""

from __future__ import annotations

import hashlib
import json
import platform
from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from functools import cache
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

from bestfirst._version import __version__
from bestfirst.cached import cached_property
from bestfirst.experiments.own_code import code_hash
from bestfirst.makers import PROBLEMS, is_own_name, maker_named, place_of

SEARCH, GAME = "search", "game"


@dataclass(frozen=True)
class Task:
    """One run: a search, or an analysis of a game. Everything is text or a number, so that it can be written as JSON.

    problem, configuration: their names in the spec. maker: the domain or the game, or FILE.py:Class; code: see code_of().
    instance: its text, or the position of a game; name: what tables call it. number: its place in the problem, counting from 1.
    options: of the domain or the game, as text. algorithm, heuristic: as in solve(); choices: the options of the algorithm.
    settings: the techniques of a game search; depth: its plies.
    limits: by name; for a game, expansions are nodes. fresh: whether the run has a process of its own.
    published: figures of this instance from the literature, by the name of the column of the ledger.
    """

    kind: str
    problem: str
    configuration: str
    maker: str
    instance: str | None
    name: str
    number: int
    options: Mapping[str, str] = field(default_factory=dict)
    algorithm: str | None = None
    heuristic: str | None = None
    engine: str | None = None
    choices: Mapping[str, Any] = field(default_factory=dict)
    settings: str | None = None
    depth: int | None = None
    limits: Mapping[str, Any] = field(default_factory=dict)
    preparation: float | None = None
    seed: int | None = None
    repetition: int = 1
    fresh: bool = False
    published: Mapping[str, float] = field(default_factory=dict)
    code: str = ""

    @property
    def arguments(self) -> dict[str, Any]:
        """The options of the algorithm, with the seed."""
        return dict(self.choices) if self.seed is None else {**self.choices, "seed": self.seed}

    @cached_property
    def digest(self) -> str:
        """What identifies the run: a hash of all that may change its result, but not of names, places of files, or this machine."""
        matters = {
            **{one.name: getattr(self, one.name) for one in fields(self) if one.name not in _NAMES},
            "instance": self._content(),
            "options": {name: _content_of(text) for name, text in self.options.items()},
            "versions": versions(),
        }
        return hashlib.sha256(json.dumps(matters, sort_keys=True).encode()).hexdigest()[:32]

    def _content(self) -> Any:
        """The instance, or the content of the files that it names."""
        files_of = getattr(PROBLEMS.get(self.maker), "files_of", None)
        if files_of is None or self.instance is None:
            return _content_of(self.instance)
        return [_content_of(file) for file in files_of(self.instance)]

    def to_json(self) -> str:
        """The task as a JSON object on one line."""
        return json.dumps({one.name: getattr(self, one.name) for one in fields(self)}, sort_keys=True)

    @classmethod
    def from_json(cls, text: str) -> Task:
        """The task that to_json() wrote."""
        return cls(**json.loads(text))


_NAMES = ("problem", "configuration", "name", "number", "maker", "published", "preparation")
"""Fields that do not change what a run does."""


@cache
def versions() -> dict[str, str]:
    """The versions of bestfirst, Python, NumPy and Numba."""
    found = {"bestfirst": __version__, "python": platform.python_version()}
    for package in ("numpy", "numba"):
        try:
            found[package] = version(package)
        except PackageNotFoundError:  # the reference engine works without
            found[package] = "none"
    return found


def code_of(maker: str) -> str:
    """What identifies a domain or game: the name of a class of the package; for a user's class, also a hash of its code."""
    made = maker_named(maker)
    if not made.is_own:
        return made.name
    code = code_hash(place_of(maker)) if is_own_name(maker) else f"{made.of!r} {_origin(made.of)}"
    return f"{made.name} {code}"


def _origin(of: Any) -> str:
    """The version of the package that a class from an entry point belongs to."""
    package = str(getattr(of, "__module__", "")).partition(".")[0]
    try:
        return version(package)
    except PackageNotFoundError:
        return ""


def _content_of(text: str | None) -> str | None:
    """A text, or for the path of a file its name with a hash of its content."""
    if text is None or "\n" in text or len(text) > 1000:
        return text
    path = Path(text)
    try:
        if not path.is_file():
            return text
        return f"{path.name} {_hash_of(path, path.stat().st_mtime_ns)}"
    except (OSError, ValueError):  # such as a text that is no possible path
        return text


@cache
def _hash_of(path: Path, _changed: int) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()

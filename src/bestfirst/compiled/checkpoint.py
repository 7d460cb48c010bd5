"""Checkpoints: a compiled search on disk, to be gone on with by another process.

The file is a NumPy .npz archive: the arrays of the search; `header`, a JSON text; and `problem`, the problem pickled.
"""

from __future__ import annotations

import hashlib
import json
import pickle
import zipfile
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import Any, BinaryIO

import numpy as np

from bestfirst.atomic import write_atomically
from bestfirst.compiled.best_first import no_estimate
from bestfirst.compiled.specialise import methods_of
from bestfirst.compiled.translate import translate
from bestfirst.errors import InputError
from bestfirst.heuristics.heuristic import Heuristic
from bestfirst.node import Node, expand, root_of
from bestfirst.problem import Domain, Problem
from bestfirst.solution import Iteration, Stats

FORMAT = "bestfirst search"
VERSION = 6
_ARRAY = "array"


@dataclass
class Checkpoint:
    """What a file holds. state: of the driver, as its saved() gave it. pickled: the problem."""

    header: dict[str, Any]
    state: dict[str, Any]
    pickled: bytes

    def problem(self) -> Problem:
        """The problem that was searched. Raises InputError where its class cannot be found any more."""
        try:
            problem = pickle.loads(self.pickled)
        except Exception as error:  # whatever unpickling makes of a class that has changed or is gone
            raise InputError(
                f"the problem of the saved search cannot be read ({error}); give it: Search.load(path, problem)"
            ) from None
        assert isinstance(problem, Problem)
        return problem


def fingerprint(domain: Domain, heuristic: Heuristic | None) -> str:
    """A hash of all that makes a search of the domain what it is: its methods, the data they read, and its start."""
    translation = translate(domain, methods_of(domain, heuristic.function if heuristic else no_estimate))
    digest = hashlib.sha256(f"{translation.digest}{domain.max_actions}{tuple(domain.initial)}{domain.actions}".encode())
    for name in sorted(translation.reads):
        value = domain.data(name)
        digest.update(np.ascontiguousarray(value).data if hasattr(value, "dtype") else repr(value).encode())
    return digest.hexdigest()[:16]


def save(path: str | Path, header: dict[str, Any], state: dict[str, Any], problem: Problem) -> None:
    """Write a checkpoint; the file is at every moment either as it was or complete.

    Raises InputError where it cannot be written, or where the problem cannot be pickled.
    """
    try:
        pickled = pickle.dumps(problem)
    except (pickle.PicklingError, AttributeError, TypeError) as error:
        raise InputError(
            f"a search of {type(problem).__name__} cannot be saved: {error}; define its class at the top of a module"
        ) from None
    arrays: list[Any] = []
    text = json.dumps({**header, "format": FORMAT, "version": VERSION, "state": _encoded(state, arrays)})

    def write(file: BinaryIO) -> None:
        np.savez(
            file,
            header=np.frombuffer(text.encode(), np.uint8),
            problem=np.frombuffer(pickled, np.uint8),
            **{f"{_ARRAY}{number}": array for number, array in enumerate(arrays)},
        )

    write_atomically(path, write)


def read(path: str | Path) -> Checkpoint:
    """Read a checkpoint. Raises InputError for what is none, is damaged, or was written by another version."""
    remedy = "give a file that Search.save() has written"
    try:
        with Path(path).open("rb") as file, np.load(file, allow_pickle=False) as archive:
            header = json.loads(archive["header"].tobytes())
            if not isinstance(header, dict) or header.get("format") != FORMAT:
                raise InputError(f"{str(path)!r} is no saved search; {remedy}")
            if header["version"] != VERSION:
                raise InputError(
                    f"{str(path)!r} was saved in format {header['version']}, this version of bestfirst reads {VERSION}"
                )
            arrays = [archive[f"{_ARRAY}{number}"] for number in range(len(archive.files) - 2)]
            return Checkpoint(header, _decoded(header.pop("state"), arrays), archive["problem"].tobytes())
    except FileNotFoundError:
        raise InputError(f"there is no file {str(path)!r}; {remedy}") from None
    except OSError as error:
        raise InputError(f"cannot read {str(path)!r}: {error.strerror or error}; {remedy}") from None
    except (zipfile.BadZipFile, ValueError, KeyError, EOFError, AttributeError, TypeError) as error:
        if isinstance(error, InputError):
            raise
        raise InputError(f"{str(path)!r} is no saved search, or is damaged ({error}); {remedy}") from None


def _encoded(value: Any, arrays: list[Any]) -> Any:
    """A value as JSON takes it; arrays are put aside."""
    if isinstance(value, np.ndarray):
        arrays.append(value)
        return {_ARRAY: len(arrays) - 1}
    if isinstance(value, np.generic):
        return value.item()
    if isinstance(value, list | tuple):
        return [_encoded(part, arrays) for part in value]
    if isinstance(value, dict):
        return {name: _encoded(part, arrays) for name, part in value.items()}
    return value


def _decoded(value: Any, arrays: list[Any]) -> Any:
    if isinstance(value, list):
        return tuple(_decoded(part, arrays) for part in value)
    if isinstance(value, dict):
        return arrays[value[_ARRAY]] if _ARRAY in value else {name: _decoded(part, arrays) for name, part in value.items()}
    return value


def encoded_stats(stats: Stats) -> dict[str, Any]:
    """Statistics as JSON takes them."""
    rows = [[row.bound, row.expanded, row.generated] for row in stats.iterations]
    return {**vars(stats), "iterations": rows}


def decoded_stats(saved: dict[str, Any]) -> Stats:
    """Statistics from what encoded_stats() gave."""
    return Stats(**{**saved, "iterations": [Iteration(*row) for row in saved["iterations"]]})


def encoded_path(problem: Problem, node: Node | None) -> Sequence[tuple[int, float]] | None:
    """A path: of each step its number among the successors of the state before, and the cost of the path as far as there.

    That cost is kept since a path that was found from both ends adds up the same costs in another order.
    """
    if node is None:
        return None
    return [(_number_of_step(problem, parent, child), child.g) for parent, child in pairwise(node.path())]


def _number_of_step(problem: Problem, parent: Node, child: Node) -> int:
    """The number of the successor that is meant: of several ways to the same state the one of that action, and of that cost."""
    ways = [(number, other) for number, other in enumerate(expand(problem, parent)) if other.state == child.state]
    return min(ways, key=lambda way: (way[1].action != child.action, abs(way[1].g - child.g)))[0]


def decoded_path(problem: Problem, h: Callable[[Any], float], steps: Sequence[tuple[int, float]] | None) -> Node | None:
    """The last node of a path from what encoded_path() gave."""
    if steps is None:
        return None
    node = root_of(problem, h)
    for number, g in steps:
        node = list(expand(problem, node))[number]
        node.g = g
        node.h = h(node.state)
        node.f = node.g + node.h
    return node

"""Checkpoints: a compiled search on disk, to be resumed by another process.

The file is a NumPy .npz archive, not compressed: the arrays of the search; `header`, a JSON text; and `problem`, pickled. That
is unpickled only where the caller says so. All else is data: what it is, how large, and what it refers to is looked at before it is
used (saved_values.py), and what can be derived is derived and not read: states from the actions that led to them, the agenda
from the nodes. A search of at most REPLAYED expansions is made once more instead, so that its arrays are not looked at.
"""

from __future__ import annotations

import hashlib
import io
import json
import os
import pickle
import zipfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import Any, BinaryIO

import numpy as np

from bestfirst.compiled.compiler.specialise import methods_of, no_estimate
from bestfirst.compiled.compiler.translate import translate
from bestfirst.compiled.store.saved_values import MOST, Saved, SavedError, require, same_number
from bestfirst.domain import Domain
from bestfirst.errors import BestfirstError, InputError
from bestfirst.heuristics.heuristic import Heuristic
from bestfirst.problem import Problem
from bestfirst.search.node import Node, expand, root_of
from bestfirst.solution import Iteration, Stats
from bestfirst.system.atomic import write_atomically
from bestfirst.system.trust import UntrustedError, trusted_file

FORMAT = "bestfirst search"
VERSION = 8
REPLAYED = 50_000
"""Expansions of a search that is made once more rather than read."""
_ARRAY = "array"
_KINDS = {np.dtype(kind) for kind in (np.int8, np.int32, np.int64, np.uint8, np.float64)}
_LONGEST_HEAD = 1 << 10
_REMEDY = "give a file that Search.save() has written"


@dataclass
class Checkpoint:
    """What a file holds. header: what it says of the search. state: of the driver, as its saved() gave it. pickled: the problem."""

    path: str
    header: Saved
    state: Saved
    pickled: bytes

    def problem(self) -> Problem:
        """The problem that was searched, unpickled: this can run any code. Raises InputError where it cannot be read any more."""
        try:
            problem = pickle.loads(self.pickled)
        except Exception as error:  # whatever unpickling makes of a class that has changed or is gone
            raise InputError(
                f"the problem of the saved search cannot be read ({error}); give it: Search.load(path, problem)"
            ) from None
        if not isinstance(problem, Problem):
            raise InputError(f"{self.path!r} holds {type(problem).__name__} in the place of a problem; {_REMEDY}")
        return problem


@contextmanager
def refusing(path: str | Path) -> Iterator[None]:
    """Turn whatever goes wrong with what a file says into an InputError that names the file."""
    try:
        yield
    except BestfirstError:
        raise
    except (
        Exception,
        MemoryError,
    ) as error:  # what NumPy, zipfile and the problem's own code make of it is not said anywhere
        raise InputError(f"{str(path)!r} is no saved search, or is damaged ({error}); {_REMEDY}") from None


def fingerprint(domain: Domain, heuristic: Heuristic | None) -> str:
    """A hash of all that makes a search of the domain what it is: its methods, the data they read, and its start."""
    translation = translate(domain, methods_of(domain, heuristic.function if heuristic else no_estimate))
    digest = hashlib.sha256(f"{translation.digest}{domain.max_actions}{tuple(domain.initial)}{domain.actions}".encode())
    for name in sorted(translation.reads):
        value = domain.data(name)
        is_array = hasattr(value, "dtype")
        digest.update((f"{name}: {value.dtype} {value.shape};" if is_array else f"{name}={value!r};").encode())
        if is_array:
            digest.update(np.ascontiguousarray(value).data)
    return digest.hexdigest()[:16]


def save(path: str | Path, header: dict[str, Any], state: dict[str, Any], problem: Problem) -> None:
    """Write a checkpoint, for the user alone; the file is at every moment either as it was or complete.

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

    write_atomically(path, write, private=True)


def read(path: str | Path) -> Checkpoint:
    """Read a checkpoint; nothing in it is run.

    Raises InputError for what is none, is damaged, was written by another version, or could have been written by somebody else.
    """
    try:
        with trusted_file(Path(os.path.realpath(path))) as descriptor, refusing(path):
            with os.fdopen(os.dup(descriptor), "rb") as file, zipfile.ZipFile(file) as archive:
                members = _members(archive, os.fstat(descriptor).st_size)
            return _checkpoint(str(path), members)
    except UntrustedError as error:
        raise UntrustedError(f"the saved search {str(path)!r} is not loaded: {error}") from None
    except FileNotFoundError:
        raise InputError(f"there is no file {str(path)!r}; {_REMEDY}") from None
    except OSError as error:
        raise InputError(f"cannot read {str(path)!r}: {error.strerror or error}; {_REMEDY}") from None


def _checkpoint(path: str, members: dict[str, Any]) -> Checkpoint:
    header = json.loads(members.pop("header").tobytes())
    if not isinstance(header, dict) or header.get("format") != FORMAT:
        raise InputError(f"{path!r} is no saved search; {_REMEDY}")
    if header.get("version") != VERSION:
        raise InputError(f"{path!r} was saved in format {header.get('version')}, this version of bestfirst reads {VERSION}")
    pickled = members.pop("problem").tobytes()
    arrays = [members.pop(f"{_ARRAY}{number}") for number in range(len(members))]
    return Checkpoint(path, Saved(header), Saved(_decoded(header.pop("state"), arrays)), pickled)


def _members(archive: zipfile.ZipFile, size: int) -> dict[str, Any]:
    """The arrays in an archive, by name, which together are no larger than the file. size: of the file."""
    infos = archive.infolist()
    require(all(info.compress_type == zipfile.ZIP_STORED for info in infos), "it is compressed")
    require(sum(info.file_size for info in infos) <= size, "its parts are larger than the file")
    names = [info.filename.removesuffix(".npy") for info in infos]
    require(len(set(names)) == len(names), "two of its parts have one name")
    return {name: _array_of(archive.read(info)) for name, info in zip(names, infos, strict=True)}


def _array_of(content: bytes) -> Any:
    """The array that the bytes of a .npy file are: one of numbers, as long as its head says."""
    head = io.BytesIO(content[:_LONGEST_HEAD])
    require(np.lib.format.read_magic(head) == (1, 0), "a part of it is in another format")
    shape, is_fortran, kind = np.lib.format.read_array_header_1_0(head)
    require(kind in _KINDS and not is_fortran, f"a part of it is an array of {kind}")
    require(all(length >= 0 for length in shape), "a part of it has a negative length")
    entries = 1
    for length in shape:
        entries *= length
    require(entries * kind.itemsize == len(content) - head.tell(), "a part of it is not as long as it says")
    return np.frombuffer(content, kind, entries, head.tell()).reshape(shape)


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
        if _ARRAY not in value:
            return {name: _decoded(part, arrays) for name, part in value.items()}
        return arrays[Saved(value, "a part").whole(_ARRAY, 0, len(arrays) - 1)]
    return value


def encoded_stats(stats: Stats) -> dict[str, Any]:
    """Statistics as JSON takes them."""
    rows = [[row.bound, row.expanded, row.generated] for row in stats.iterations]
    return {**vars(stats), "iterations": rows}


_COUNTS = ("expanded", "generated", "duplicates", "reopened", "pruned", "peak_agenda")


def decoded_stats(saved: Saved) -> Stats:
    """Statistics from what encoded_stats() gave."""
    stats = Stats()
    for name in _COUNTS:
        setattr(stats, name, saved.whole(name))
    stats.seconds = float(saved.number("seconds"))
    require(stats.seconds < 1e12, "seconds of stats are too many")
    stats.peak_memory = None if saved.is_none("peak_memory") else saved.whole("peak_memory")
    for row in saved.items("iterations"):
        require(isinstance(row, tuple) and len(row) == 3, "a round is not described by three numbers")
        bound, expanded, generated = row
        require(type(bound) in (int, float) and bound >= 0, f"the bound of a round is {bound!r}")
        for count in (expanded, generated):
            require(type(count) is int and 0 <= count <= MOST, f"a count of a round is {count!r}")
        stats.iterations.append(Iteration(bound, expanded, generated))
    return stats


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


def decoded_path(problem: Problem, h: Callable[[Any], float], saved: Saved, name: str) -> Node | None:
    """The last node of a path from what encoded_path() gave. Raises SavedError where the problem has no such path."""
    if saved.is_none(name):
        return None
    node = root_of(problem, h)
    for step in saved.items(name):
        require(isinstance(step, tuple) and len(step) == 2, f"{name} has a step that is not described by two numbers")
        number, g = step
        children = list(expand(problem, node))
        require(type(number) is int and 0 <= number < len(children), f"{name} has a step that is not there")
        node = children[number]
        require(type(g) in (int, float) and same_number(g, node.g), f"{name} costs {node.g}, not {g!r}")
        node.g = g
        node.h = h(node.state)
        node.f = node.g + node.h
    return node


__all__ = ["Checkpoint", "SavedError", "decoded_path", "decoded_stats", "encoded_path", "encoded_stats", "read", "save"]

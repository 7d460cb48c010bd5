"""Checkpoints: a compiled search on disk, which another process can resume.

The file is an uncompressed NumPy .npz archive: the arrays of the search; `header`, a JSON string; and `problem`, pickled.
The problem is unpickled only if the caller requests it. Everything else is data: its types, sizes and references are checked
before use (saved_values.py), and what can be derived is derived rather than read: states from the actions that led to them,
the agenda from the nodes. A search of at most REPLAYED expansions is repeated instead, so its arrays are not read.
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
from math import inf
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO

import numpy as np

from bestfirst.compiled.compiler.specialise import Compiled, methods_of, no_estimate
from bestfirst.compiled.compiler.translate import translate
from bestfirst.compiled.kernels.idastar import MOST_INVERSES
from bestfirst.compiled.store.saved_values import MOST, Saved, SavedError, require, same_number
from bestfirst.domain import Domain
from bestfirst.errors import BestfirstError, CompileError, InputError, NotCompilableError, how_to_pickle, shown
from bestfirst.heuristics.heuristic import Heuristic
from bestfirst.heuristics.table_lookup import TableEstimate
from bestfirst.problem import Problem
from bestfirst.rounding import LARGEST
from bestfirst.search.node import Node, expand, root_of
from bestfirst.solution import Improvement, Iteration, Stats
from bestfirst.system.atomic import write_atomically
from bestfirst.system.trust import UntrustedError, trusted_file
from bestfirst.trace.labels import visible

if TYPE_CHECKING:
    from bestfirst.compiled.store.aliases import Array, SavedState, State

FORMAT = "bestfirst search"
VERSION = 10
REPLAYED = 50_000
"""Searches of at most this many expansions are repeated rather than read."""
_ARRAY = "array"
_KINDS = {np.dtype(kind) for kind in (np.int8, np.int32, np.int64, np.uint8, np.float64)}
_LONGEST_HEAD = 1 << 10
_REMEDY = "pass a file that Search.save() has written"


@dataclass
class Checkpoint:
    """The content of a file. header: the description of the search. state: the result of the driver's saved(). pickled: the
    problem."""

    path: str
    header: Saved
    state: Saved
    pickled: bytes

    def problem(self) -> Problem:
        """The problem that was searched, unpickled, which can run arbitrary code. Raises InputError if it can no longer be
        read."""
        try:
            problem = pickle.loads(self.pickled)
        except Exception as error:  # unpickling a class that has changed or is gone can raise anything
            raise InputError(
                f"the problem of the saved search cannot be read ({visible(str(error))}); "
                "pass the problem: Search.load(path, problem)"
            ) from None
        if not isinstance(problem, Problem):
            raise InputError(f"{self.path!r} contains {type(problem).__name__} instead of a problem; {_REMEDY}")
        return problem


@contextmanager
def refusing(path: str | Path) -> Iterator[None]:
    """Turn every error caused by the content of a file into an InputError that names the file."""
    try:
        yield
    except BestfirstError:
        raise
    except (
        Exception,
        MemoryError,
    ) as error:  # the errors of NumPy, zipfile and the problem's own code are not documented
        raise InputError(f"{str(path)!r} is not a saved search, or is damaged ({visible(str(error))}); {_REMEDY}") from None


def fingerprint(
    domain: Domain, heuristic: Heuristic | None, *, both_ways: bool = False, optional: Sequence[str] = ()
) -> str:
    """A hash of everything that determines a search of the domain: its methods, the data and tables they read, and its start.

    both_ways: whether it depends on the backward problem too. optional: further methods that it depends on.
    """
    translation = translate(domain, methods_of(domain, heuristic.function if heuristic else no_estimate, optional))
    digest = hashlib.sha256(f"{translation.digest}{domain.max_actions}{tuple(domain.initial)}{domain.actions}".encode())
    digest.update(
        f"{domain.undirected}{[domain.inverse(action) for action in range(min(domain.max_actions, MOST_INVERSES))]}".encode()
    )
    if domain.resources:
        digest.update(f"{sorted(domain.resources.items())}".encode())
    backward = domain.backward() if both_ways else None
    if isinstance(backward, Domain):
        digest.update(fingerprint(backward, None).encode())
    for name in sorted(translation.reads):
        value = domain.compiled_value(name)
        is_array = hasattr(value, "dtype")
        digest.update((f"{name}: {value.dtype} {value.shape};" if is_array else f"{name}={value!r};").encode())
        if is_array:
            digest.update(np.ascontiguousarray(value).data)
    if heuristic is not None and isinstance(heuristic.function, TableEstimate):
        digest.update(heuristic.function.identity.encode())
    return digest.hexdigest()[:16]


def has_changed(compiled: Compiled, domain: Domain, heuristic: Heuristic | None) -> bool:
    """Whether the code of the domain differs from the code that is running."""
    function = heuristic.function if heuristic else no_estimate
    optional = sorted(compiled.translation.functions.keys() - {"step", "is_goal", "estimate"})
    try:
        translation = translate(domain, methods_of(domain, function, optional), compiled.translation.others)
        return translation.digest != compiled.translation.digest
    except (CompileError, NotCompilableError):
        return True


def save(path: str | Path, header: SavedState, state: SavedState, problem: Problem) -> None:
    """Write a checkpoint readable by the user only; at every moment the file is unchanged or complete.

    Raises InputError if it cannot be written, or if the problem cannot be pickled.
    """
    try:
        pickled = pickle.dumps(problem)
    except (pickle.PicklingError, AttributeError, TypeError) as error:
        kind = type(problem)
        raise InputError(f"a search of {kind.__name__} cannot be saved: {error}; {how_to_pickle(kind)}") from None
    arrays: list[Array] = []
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

    Raises InputError if it is not a checkpoint, is damaged, was written by another version, or could have been written by
    somebody else.
    """
    try:
        with trusted_file(Path(os.path.realpath(path))) as descriptor, refusing(path):
            with os.fdopen(os.dup(descriptor), "rb") as file, zipfile.ZipFile(file) as archive:
                members = _members(archive, os.fstat(descriptor).st_size)
            return _checkpoint(str(path), members)
    except UntrustedError as error:
        raise UntrustedError(f"the saved search {str(path)!r} was not loaded: {error}") from None
    except FileNotFoundError:
        raise InputError(f"file {str(path)!r} does not exist; {_REMEDY}") from None
    except OSError as error:
        raise InputError(f"cannot read {str(path)!r}: {error.strerror or error}; {_REMEDY}") from None


def _checkpoint(path: str, members: dict[str, Any]) -> Checkpoint:
    header = json.loads(members.pop("header").tobytes())
    if not isinstance(header, dict) or header.get("format") != FORMAT:
        raise InputError(f"{path!r} is not a saved search; {_REMEDY}")
    if header.get("version") != VERSION:
        raise InputError(
            f"{path!r} was saved in format {shown(header.get('version'))}, but this version of bestfirst reads format "
            f"{VERSION}; start a new search"
        )
    pickled = members.pop("problem").tobytes()
    arrays = [members.pop(f"{_ARRAY}{number}") for number in range(len(members))]
    return Checkpoint(path, Saved(header), Saved(_decoded(header.pop("state"), arrays)), pickled)


def _members(archive: zipfile.ZipFile, size: int) -> dict[str, Any]:
    """The arrays in an archive, by name, whose total size must not exceed the file's. size: of the file."""
    infos = archive.infolist()
    require(all(info.compress_type == zipfile.ZIP_STORED for info in infos), "it is compressed")
    require(sum(info.file_size for info in infos) <= size, "its parts are larger than the file")
    names = [info.filename.removesuffix(".npy") for info in infos]
    require(len(set(names)) == len(names), "two of its parts have the same name")
    return {name: _array_of(archive.read(info)) for name, info in zip(names, infos, strict=True)}


def _array_of(content: bytes) -> Array:
    """The array in the bytes of a .npy file: of numbers, with the length in its header."""
    head = io.BytesIO(content[:_LONGEST_HEAD])
    require(np.lib.format.read_magic(head) == (1, 0), "one of its parts has the wrong format")
    shape, is_fortran, kind = np.lib.format.read_array_header_1_0(head)
    require(kind in _KINDS and not is_fortran, f"one of its parts is an array of {kind}")
    require(all(length >= 0 for length in shape), "one of its parts has a negative length")
    entries = 1
    for length in shape:
        entries *= length
    require(entries * kind.itemsize == len(content) - head.tell(), "one of its parts has the wrong length")
    return np.frombuffer(content, kind, entries, head.tell()).reshape(shape)


def _encoded(value: Any, arrays: list[Array]) -> Any:
    """A value as JSON; arrays are collected in a list."""
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


def _decoded(value: Any, arrays: list[Array]) -> Any:
    if isinstance(value, list):
        return tuple(_decoded(part, arrays) for part in value)
    if isinstance(value, dict):
        if _ARRAY not in value:
            return {name: _decoded(part, arrays) for name, part in value.items()}
        return arrays[Saved(value, "a part").whole(_ARRAY, 0, len(arrays) - 1)]
    return value


def encoded_stats(stats: Stats) -> SavedState:
    """Statistics as JSON values."""
    rows = [[row.bound, row.expanded, row.generated] for row in stats.iterations]
    return {**vars(stats), "iterations": rows}


_COUNTS = ("expanded", "generated", "duplicates", "reopened", "pruned", "peak_agenda")


def decoded_stats(saved: Saved) -> Stats:
    """Statistics from the result of encoded_stats()."""
    stats = Stats()
    for name in _COUNTS:
        setattr(stats, name, saved.whole(name))
    stats.seconds = float(saved.number("seconds"))
    require(stats.seconds < 1e12, "its search time is impossibly long")
    stats.peak_memory = None if saved.is_none("peak_memory") else saved.whole("peak_memory")
    for row in saved.items("iterations"):
        require(isinstance(row, tuple) and len(row) == 3, "an iteration is not described by three numbers")
        bound, expanded, generated = row
        require(type(bound) in (int, float) and bound >= 0, f"the bound of an iteration is {bound!r}")
        for count in (expanded, generated):
            require(type(count) is int and 0 <= count <= MOST, f"a count of an iteration is {count!r}")
        stats.iterations.append(Iteration(bound, expanded, generated))
    return stats


def decoded_history(saved: Saved) -> list[Improvement]:
    """When a search improved."""
    history = []
    for row in saved.items("history"):
        require(isinstance(row, tuple) and len(row) == 4, "an entry of its history is not described by four numbers")
        seconds, expanded, cost, bound = row
        require(type(expanded) is int and 0 <= expanded <= MOST, f"its history has {expanded!r} expansions")
        require(_is_finite(seconds), "its history has an impossible time")
        require(_is_finite(bound) or bound == inf, "its history has an impossible bound")
        require(cost is None or _is_finite(cost), "its history has an impossible cost")
        history.append(Improvement(seconds, expanded, cost, bound))
    return history


def _is_finite(number: Any) -> bool:
    """Whether it is a number of a search: not negative, and no int beyond floats."""
    return type(number) in (int, float) and 0 <= number <= LARGEST


def encoded_path(problem: Problem, node: Node | None) -> Sequence[tuple[int, float]] | None:
    """A path: for each step its index among the successors of the previous state, and the cost of the path so far.

    That cost is kept because a path found from both ends sums the same costs in another order.
    """
    if node is None:
        return None
    return [(_number_of_step(problem, parent, child), child.g) for parent, child in pairwise(node.path())]


def actions_of_path(problem: Problem, numbers: Any) -> list[Any]:
    """The actions of a path, given the index of each step among the successors. Raises SavedError for an impossible one."""
    require(isinstance(numbers, list | tuple), "its incumbent is not a path")
    node = root_of(problem)
    for number in numbers:
        children = list(expand(problem, node))
        require(type(number) is int and 0 <= number < len(children), "its incumbent has a step that does not exist")
        node = children[number]
    return [one.action for one in node.path()[1:]]


def _number_of_step(problem: Problem, parent: Node, child: Node) -> int:
    """The index of a path's step among the successors: of several to the same state, the one with that action and cost."""
    ways = [(number, other) for number, other in enumerate(expand(problem, parent)) if other.state == child.state]
    return min(ways, key=lambda way: (way[1].action != child.action, abs(way[1].g - child.g)))[0]


def decoded_path(problem: Problem, h: Callable[[State], float], saved: Saved, name: str) -> Node | None:
    """The last node of a path from the result of encoded_path(). Raises SavedError if the problem has no such path."""
    if saved.is_none(name):
        return None
    node = root_of(problem, h)
    for step in saved.items(name):
        require(isinstance(step, tuple) and len(step) == 2, f"{name} has a step that is not described by two numbers")
        number, g = step
        children = list(expand(problem, node))
        require(type(number) is int and 0 <= number < len(children), f"{name} has a step that does not exist")
        node = children[number]
        require(type(g) in (int, float) and same_number(g, node.g), f"{name} costs {node.g}, not {g!r}")
        node.g = g
        node.h = h(node.state)
        node.f = node.g + node.h
    return node


__all__ = ["Checkpoint", "SavedError", "decoded_path", "decoded_stats", "encoded_path", "encoded_stats", "read", "save"]

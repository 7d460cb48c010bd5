"""Specialise: an engine template and a domain become compiled code, kept on disk for the next process.

A template is an ordinary function of this package that reads names which it does not define: `step`, `is_goal`,
`estimate`, `load`, ... (see names.py). Specialising makes a copy of it whose globals give those names the meaning of one
domain. The copy is tagged, in all the names by which Numba knows a function, with a hash of the domain's code: so each
domain has its own entry in the cache, and a change of the domain or of the template makes a new one.
"""

from __future__ import annotations

import hashlib
import json
import os
import re
import sys
import types
import warnings
from collections import namedtuple
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numba
import numpy as np
from numba.core import errors as numba_errors
from numba.core import types as numba_types
from numba.extending import overload

from bestfirst.atomic import write_atomically
from bestfirst.compiled.cache import CACHE, cache_directory
from bestfirst.compiled.translate import Place, Translation, translate
from bestfirst.errors import CompileError, InputError

if TYPE_CHECKING:
    from bestfirst.problem import Domain

_READY: dict[str, tuple[Callable[..., Any], bool]] = {}
"""What this process has specialised, by tag: the function, and whether costs are floats."""


@dataclass(frozen=True)
class Compiled:
    """A template specialised to a domain.

    run: the compiled function; its first argument is data. data: the numbers and arrays of the domain that its methods read.
    has_float_costs: whether costs or estimates are floats.
    """

    run: Callable[..., Any]
    data: tuple[Any, ...]
    has_float_costs: bool


def specialise(
    template: Callable[..., Any],
    domain: Domain,
    estimate: Callable[..., Any],
    *,
    parts: Sequence[Callable[..., Any]] = (),
    **constants: Any,
) -> Compiled:
    """The template compiled for a domain and one of its heuristics (a method of the domain).

    parts: functions that the template calls and that read the same names, each after those that it calls itself.
    constants: further names that the template reads. Raises CompileError for what cannot be compiled.
    """
    translation = translate(domain, {"step": type(domain).step, "is_goal": type(domain).is_goal, "estimate": estimate})
    attributes = sorted(translation.reads)
    data = tuple(_as_data(domain.data(name)) for name in attributes) or (np.int64(0),)
    constants["MAX_ACTIONS"] = domain.max_actions
    tag = f"{template.__name__}_{translation.digest}_{_digest_of(constants)}"
    if tag in _READY:
        return Compiled(_READY[tag][0], data, _READY[tag][1])
    kernels = _kernels(translation, attributes)
    float_costs = _has_float_costs(translation, kernels, data)
    names: dict[str, Any] = {
        **template.__globals__,
        **kernels,
        **constants,
        "FIELDS": len(domain.State._fields),
    }
    for part in parts:
        names[part.__name__] = numba.njit(types.FunctionType(part.__code__, names, part.__name__))
    code = template.__code__.replace(co_name=tag, co_qualname=tag)
    tagged = types.FunctionType(code, names, tag)
    tagged.__qualname__ = tag
    tagged.__module__ = template.__module__
    _READY[tag] = _cached(tagged), float_costs
    return Compiled(_READY[tag][0], data, float_costs)


def _has_float_costs(translation: Translation, kernels: dict[str, Any], data: tuple[Any, ...]) -> bool:
    """Whether costs or estimates are floats: by the note of an earlier process, or by compiling the methods."""
    known = _Known(cache_directory() / f"{translation.digest}.json")
    noted = known.has_float_costs()
    if noted is not None:
        return noted
    announce(f"compiling {type(translation.domain).__name__} ...")
    found = _check_types(translation, kernels, data)
    known.write(found)
    return found


class _Known:
    """A note beside the cache that the methods of a domain compile, and whether its costs are floats."""

    def __init__(self, path: Path) -> None:
        self._path = path

    def has_float_costs(self) -> bool | None:
        """What the note says; None if there is none, or none that can be read."""
        try:
            said = json.loads(self._path.read_text())["has_float_costs"]
        except (OSError, ValueError, KeyError, TypeError):
            return None
        return said if isinstance(said, bool) else None

    def write(self, has_float_costs: bool) -> None:
        """Write the note; where that cannot be done, the methods are checked again next time."""
        try:
            self._path.parent.mkdir(parents=True, exist_ok=True)
            write_atomically(self._path, json.dumps({"has_float_costs": has_float_costs}))
        except (OSError, InputError):
            return


def announce(message: str) -> None:
    """Tell a person at a terminal why nothing happens for a second or two."""
    if sys.stderr.isatty():
        print(message, file=sys.stderr, flush=True)  # noqa: T201


def _digest_of(constants: dict[str, Any]) -> str:
    return hashlib.sha256(repr(sorted(constants.items())).encode()).hexdigest()[:8]


def _as_data(value: Any) -> Any:
    if isinstance(value, bool | int):
        return np.int64(value)
    return np.float64(value) if isinstance(value, float) else np.ascontiguousarray(value)


def _kernels(translation: Translation, attributes: list[str]) -> dict[str, Any]:
    """The domain's methods, compiled, and the functions that move a state to and from the rows of the engine's arrays."""
    state_class = translation.domain.State
    data_class = namedtuple("Data", attributes)  # type: ignore[misc]
    shared = {"State": state_class, "_whole_number": _whole_number}
    shared |= {name: numba.njit(function) for name, function in translation.called.items()}
    kernels: dict[str, Any] = {}
    for name, function in translation.functions.items():
        function.__globals__.update(shared)
        kernels[name] = numba.njit(function)
    places = range(len(state_class._fields))
    source = f"""
def as_self(data):
    return Data({", ".join(f"data[{place}]" for place in range(len(attributes)))})

def load(rows, place):
    place = unsigned(place)
    return State({", ".join(f"rows[{field}][place]" for field in places)})

def store(rows, place, state):
    place = unsigned(place)
    {"; ".join(f"rows[{field}][place] = state[{field}]" for field in places)}
"""
    # an unsigned index spares the test whether it is negative
    namespace: dict[str, Any] = {"Data": data_class, "State": state_class, "unsigned": np.uint64}
    exec(source, namespace)
    kernels |= {name: numba.njit(namespace[name]) for name in ("as_self", "load", "store")}
    return kernels


def _whole_number(value: Any) -> int:
    """The value of a field of a state, which must be an int; compiled code is told so by its types."""
    return int(value)


@overload(_whole_number)
def _compiled_whole_number(value: Any) -> Any:
    if isinstance(value, numba_types.Integer | numba_types.Boolean):

        def as_int64(value: Any) -> Any:
            return np.int64(value)

        return as_int64
    raise numba_errors.TypingError(f"a field of the state is a {value}, not an int; use // instead of /, or int()")


def _check_types(translation: Translation, kernels: dict[str, Any], data: tuple[Any, ...]) -> bool:
    """Compile the methods alone, to find their faults one by one; whether costs or estimates are floats."""
    domain = translation.domain
    row = tuple(np.zeros(1, np.int64) for _ in domain.State._fields)
    me = kernels["as_self"](data)
    state = kernels["load"](row, 0)
    del state
    me_type, state_type = (
        numba.typeof(me),
        numba_types.NamedUniTuple(numba_types.int64, len(domain.State._fields), domain.State),
    )
    results = {}
    for name, arguments in (
        ("step", (me_type, state_type, numba_types.int64)),
        ("is_goal", (me_type, state_type)),
        ("estimate", (me_type, state_type)),
    ):
        place = Place(translation.functions[name])
        try:
            kernels[name].compile(arguments)
        except numba_errors.NumbaError as error:
            raise _complaint(error, place) from None
        results[name] = kernels[name].overloads[arguments].signature.return_type
    return _is_float(results["step"], state_type, Place(translation.functions["step"])) or isinstance(
        results["estimate"], numba_types.Float
    )


def _is_float(result: Any, state_type: Any, place: Place) -> bool:
    """Whether the cost that step returns is a float; raises CompileError if it does not return (legal, state, cost)."""
    parts = getattr(result, "types", None)
    if parts is None or len(parts) != 3 or parts[1] != state_type:
        raise CompileError(
            place.file,
            place.first_line,
            place.name,
            f"it returns {result}; return (legal, self.State(...), cost) in every case",
        )
    return isinstance(parts[2], numba_types.Float)


def _complaint(error: Exception, place: Place) -> CompileError:
    """What Numba says of a method, in its own most telling words, with the line where that was found."""
    message = str(error)
    specific = re.findall(r"TypingError: (.+)", message)
    lines = [line.strip() for line in message.splitlines() if line.strip()]
    telling = [line for line in lines if not line.startswith(("During:", "File ", "Failed in", "<source", "^", ">>>"))]
    numbers = [int(number) for number in re.findall(r"line (\d+):", message)]
    inside = [number for number in numbers if number >= place.first_line]
    reason = specific[-1] if specific else " ".join(telling[:4])
    return CompileError(place.file, inside[-1] if inside else place.first_line, place.name, reason or type(error).__name__)


def _cached(function: types.FunctionType) -> Callable[..., Any]:
    """The function compiled, and kept on disk where that is possible."""
    with _numba_cache_in(cache_directory()) as usable:
        if usable:
            try:
                return _survives_damage(numba.njit(function, cache=True), function)
            except RuntimeError:  # Numba found no place to write to
                pass
    return numba.njit(function)


@contextmanager
def _numba_cache_in(directory: Path) -> Iterator[bool]:
    """Let Numba keep what it compiles in a directory; False where that cannot be written, which a warning says."""
    try:
        directory.mkdir(parents=True, exist_ok=True)
        usable = os.access(directory, os.W_OK)
    except OSError:
        usable = False
    if not usable:
        warnings.warn(
            f"compiled code cannot be kept in {directory}; set {CACHE} to a directory that can be written", stacklevel=2
        )
        yield False
        return
    settings: Any = numba.config
    before = settings.CACHE_DIR
    settings.CACHE_DIR = str(directory)
    try:
        yield True
    finally:
        settings.CACHE_DIR = before


def _survives_damage(compiled: Any, function: types.FunctionType) -> Callable[..., Any]:
    """The compiled function; if its file on disk turns out to be damaged, it is compiled anew."""
    ready: Callable[..., Any] | None = None

    def run(*arguments: Any) -> Any:
        nonlocal ready
        if ready is None:
            try:
                compiled.compile(tuple(numba.typeof(argument) for argument in arguments))
                ready = compiled
            except numba_errors.NumbaError:
                raise
            except Exception:  # whatever a damaged file makes of unpickling
                ready = numba.njit(function)
        return ready(*arguments)

    return run

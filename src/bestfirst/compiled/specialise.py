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
from functools import cache, partial
from math import inf
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numba
import numpy as np
from numba.core import errors as numba_errors
from numba.core import types as numba_types
from numba.extending import overload

import bestfirst.compiled.intrinsics  # noqa: F401  (it lets compiled code call int.bit_count)
from bestfirst.atomic import write_atomically
from bestfirst.compiled.cache import CACHE, cache_directory
from bestfirst.compiled.translate import Place, Translation, translate
from bestfirst.errors import CompileError, InputError, NotCompilableError
from bestfirst.patterns.combination import Lookups
from bestfirst.patterns.hashed_table import HASH_FACTOR, HASH_SHIFT
from bestfirst.patterns.packed_table import PackedTable

if TYPE_CHECKING:
    from bestfirst.compiled.records import Layout
    from bestfirst.games.domain import GameDomain
    from bestfirst.problem import Domain

_READY: dict[str, Callable[..., Any]] = {}
"""What this process has specialised, by tag."""
_FLOAT_COSTS: dict[str, bool] = {}
"""Whether costs or estimates are floats, by the digest of the methods."""


@dataclass(frozen=True)
class Compiled:
    """A template specialised to a domain.

    run: the compiled function; its first argument is data. data: the numbers and arrays of the domain that its methods read,
    and attributes their names. has_float_costs: whether costs or estimates are floats.
    """

    run: Callable[..., Any]
    data: tuple[Any, ...]
    attributes: tuple[str, ...]
    has_float_costs: bool

    def data_of(self, domain: Domain) -> tuple[Any, ...]:
        """The data of another domain with the same methods. Raises NotCompilableError where they are of other types."""
        data = read_data(domain, self.attributes)
        if len(self.data) > len(data):
            raise NotCompilableError("a search from both ends cannot look in pattern databases that are those of one goal")
        for name, one, other in zip(self.attributes, data, self.data, strict=False):
            if numba.typeof(one) != numba.typeof(other):
                raise NotCompilableError(
                    f"{name} of {domain.name()} is {numba.typeof(other)} in one direction and {numba.typeof(one)} in the other; "
                    "give it the same type, or give engine='python'"
                )
        return data


def specialise(
    template: Callable[..., Any],
    domain: Domain,
    estimate: Callable[..., Any],
    *,
    optional: Sequence[str] = (),
    parts: Sequence[Callable[..., Any]] = (),
    layout: Layout | None = None,
    **constants: Any,
) -> Compiled:
    """The template compiled for a domain and one of its heuristics (a method of the domain).

    optional: the optional methods of the domain that the template calls, such as rank.
    parts: functions that the template calls and that read such names too, each after those that it calls itself.
    layout: of the node records, where the template keeps some.
    constants: further names that the template reads. Raises CompileError for what cannot be compiled.
    """
    translation = translate(domain, methods_of(domain, estimate, optional))
    attributes = tuple(sorted(translation.reads))
    data = read_data(domain, attributes)
    floats = _has_float_costs(translation, data)
    lookups = TableLookups.of(estimate)
    data += lookups.data
    constants |= {
        "LOOKUPS": lookups.digest,
        "MAX_ACTIONS": domain.max_actions,
        "FIELDS": len(domain.State._fields),
        "FLOATS": floats,
        "INFINITE": infinite(floats),
    }
    tag = f"{template.__name__}_{translation.digest}_{digest_of(template, parts, {**constants, 'layout': layout})}"
    if tag in _READY:
        return Compiled(_READY[tag], data, attributes, floats)
    shared = lookups.kernels(translation) | constants | ({} if layout is None else _accessors(layout, domain.State))
    assert not any(part.__globals__.keys() & constants.keys() for part in parts), "a constant hides a name of the module"
    _READY[tag] = built(template, shared, tag, parts)
    return Compiled(_READY[tag], data, attributes, floats)


def built(
    template: Callable[..., Any], shared: dict[str, Any], tag: str, parts: Sequence[Callable[..., Any]] = ()
) -> Callable[..., Any]:
    """A copy of a template, and of its parts, with the names that they read, compiled at its first call and kept on disk."""
    shared = dict(shared)
    for part in parts:
        names = {**part.__globals__, **shared}
        shared[part.__name__] = inner(types.FunctionType(part.__code__, names, part.__name__), forceinline=True)
    names = {**template.__globals__, **shared}
    code = template.__code__.replace(co_name=tag, co_qualname=tag)
    tagged = types.FunctionType(code, names, tag)
    tagged.__qualname__ = tag
    tagged.__module__ = template.__module__
    return _cached(tagged)


def has_float_costs(domain: Domain, estimate: Callable[..., Any], optional: Sequence[str] = ()) -> bool:
    """Whether costs or estimates are floats. Raises CompileError for what cannot be compiled."""
    translation = translate(domain, methods_of(domain, estimate, optional))
    return _has_float_costs(translation, read_data(domain, sorted(translation.reads)))


def methods_of(domain: Domain, estimate: Callable[..., Any], optional: Sequence[str] = ()) -> dict[str, Callable[..., Any]]:
    """The methods of a domain that make a search of it, by the names that templates have for them."""
    names = ("step", "is_goal", *optional)
    looks_up = isinstance(estimate, Lookups)
    return {name: getattr(type(domain), name) for name in names} | {"estimate": no_lookup if looks_up else estimate}


def no_lookup(self: Any, state: Any) -> int:  # noqa: ARG001  (it stands for the lookups, which need no translation)
    """In place of an estimate that is looked up in tables: what its type is."""
    return 0


@dataclass(frozen=True)
class TableLookups:
    """The estimate where that is looked up in pattern databases: what it takes of their abstract domains.

    parts: the translations of abstract(), or of dual(), and where the table is by rank, of rank() or entry(). data: for each its
    domain's data, the table, and the keys of a hash table.
    """

    parts: tuple[Translation, ...] = ()
    data: tuple[Any, ...] = ()
    combination: str = ""
    is_packed: tuple[bool, ...] = ()
    """Whether each table has 4 bits for an entry."""

    @classmethod
    def of(cls, estimate: Callable[..., Any]) -> TableLookups:
        """Of an estimate; nothing at all where it is a method of the domain."""
        if not isinstance(estimate, Lookups):
            return cls()
        parts, data, is_packed = [], [], []
        for database, view in estimate.views:
            domain = database.domain
            methods = {"abstract": getattr(type(domain), view)}
            if database.hashed is None:
                methods["number"] = getattr(type(domain), number_of(domain))
            part = translate(domain, methods)
            parts.append(part)
            keys = np.int64(0) if database.hashed is None else database.hashed.rows
            table = database.table
            is_packed.append(isinstance(table, PackedTable))
            content = table.content if isinstance(table, PackedTable) else table
            data += [read_data(domain, sorted(part.reads)), np.asarray(content), keys]
        return cls(tuple(parts), tuple(data), estimate.combination, tuple(is_packed))

    @property
    def digest(self) -> str:
        """A hash of the code that looks up."""
        return (
            "" if not self.parts else f"{self.combination} {self.is_packed} {' '.join(part.digest for part in self.parts)}"
        )

    def kernels(self, translation: Translation) -> dict[str, Any]:
        """The kernels of a domain, of which the estimate, if there are parts, looks in their tables."""
        extra = [f"{name}{number}" for number in range(len(self.parts)) for name in ("part", "table", "keys")]
        kernels = _kernels(translation, extra)
        if not self.parts:
            return kernels
        namespace: dict[str, Any] = {"int64": np.int64, "uint64": np.uint64}
        lines = []
        for number, part in enumerate(self.parts):
            own = _kernels(part)
            namespace |= {f"{name}{number}": kernel for name, kernel in own.items()}
            by_rank = _FOUND_IN_HALF_A_BYTE if self.is_packed[number] else _FOUND_BY_RANK
            lines.append((by_rank if "number" in own else _FOUND_BY_HASH).format(n=number))
        values = [f"value{number}" for number in range(len(self.parts))]
        combined = " + ".join(values) if self.combination == "sum" or len(values) == 1 else f"max({', '.join(values)})"
        exec(f"def estimate(me, state):\n{''.join(lines)}    return {combined}\n", namespace)
        return kernels | {"estimate": inner(namespace["estimate"], forceinline=True)}


_FOUND_BY_RANK = """
    of{n} = as_self{n}(me.part{n})
    value{n} = int64(me.table{n}[number{n}(of{n}, abstract{n}(of{n}, state))])
"""
_FOUND_IN_HALF_A_BYTE = """
    of{n} = as_self{n}(me.part{n})
    place{n} = number{n}(of{n}, abstract{n}(of{n}, state))
    value{n} = int64(me.table{n}[place{n} >> 1]) >> 4 * (place{n} & 1) & 15
    if value{n} == 15:
        value{n} = 255
"""
_FOUND_BY_HASH = """
    abstract_state{n} = abstract{n}(as_self{n}(me.part{n}), state)
    slot{n} = int64(hash_of{n}(abstract_state{n}) & uint64(len(me.table{n}) - 1))
    while me.table{n}[slot{n}] != 255 and not is_same{n}(me.keys{n}, slot{n}, abstract_state{n}):
        slot{n} = (slot{n} + 1) & (len(me.table{n}) - 1)
    value{n} = int64(me.table{n}[slot{n}])
"""
"""How the value of pattern n is found; the source of a part of the estimate."""


def number_of(domain: Domain) -> str:
    """The method of an abstract domain that finds the entry of a state in its table."""
    return "entry" if domain.defines("entry") else "rank"


_njit = partial(numba.njit, nogil=True, _nrt=False)
"""Without the interpreter's lock, so that several threads can search at once; and without reference counts: compiled code makes
no arrays, and counting references to those it is given at every call took more than half of the time."""
inner = partial(_njit, no_cpython_wrapper=True, no_cfunc_wrapper=True)
"""Of what is called from compiled code only."""


def _has_float_costs(translation: Translation, data: tuple[Any, ...]) -> bool:
    """Whether costs or estimates are floats: by what is known, or by compiling the methods."""
    if translation.digest not in _FLOAT_COSTS:
        known = _Known(cache_directory() / f"{translation.digest}.json")
        noted = known.has_float_costs()
        if is_interpreted():
            noted = _gives_floats(translation)
        elif noted is None:
            announce(f"compiling {type(translation.domain).__name__} ...")
            noted = _check_types(translation, _kernels(translation), data)
            known.write(noted)
        _FLOAT_COSTS[translation.digest] = noted
    return _FLOAT_COSTS[translation.digest]


def _domain_of(translation: Translation) -> Domain:
    domain: Any = translation.domain
    return domain  # type: ignore[no-any-return]


def is_interpreted() -> bool:
    """Whether templates are run interpreted, because NUMBA_DISABLE_JIT=1 says so: to step through them, and for tests."""
    settings: Any = numba.config
    return bool(settings.DISABLE_JIT)


def _gives_floats(translation: Translation) -> bool:
    """Whether costs or estimates are floats, by trying: for templates that are run interpreted."""
    domain = _domain_of(translation)
    numbers = [domain.step(domain.initial, action)[2] for action in range(domain.max_actions)]
    data = namedtuple("Data", sorted(translation.reads))(*(domain.data(name) for name in sorted(translation.reads)))
    function = translation.functions["estimate"]
    function.__globals__.update({"State": domain.State, "_whole_number": whole_number, **translation.called})
    return any(isinstance(number, float) for number in (*numbers, function(data, domain.initial)))


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


def infinite(float_costs: bool) -> float:
    """The number that stands for infinity: no int cost comes near it."""
    return inf if float_costs else 2**63 - 1


def digest_of(template: Callable[..., Any], parts: Sequence[Callable[..., Any]], constants: dict[str, Any]) -> str:
    """A hash of what else the compiled code depends on: Numba itself looks at the template's own file only."""
    digest = hashlib.sha256(repr(sorted(constants.items(), key=lambda item: item[0])).encode())
    for module in sorted({function.__module__ for function in (template, *parts)}):
        digest.update(_source_of(module))
    return digest.hexdigest()[:8]


@cache
def _source_of(module: str) -> bytes:
    return Path(str(sys.modules[module].__file__)).read_bytes()


def read_data(domain: Domain | GameDomain, attributes: Sequence[str]) -> tuple[Any, ...]:
    return tuple(_as_data(domain.data(name)) for name in attributes) or (np.int64(0),)


def _as_data(value: Any) -> Any:
    if isinstance(value, bool | int):
        return np.int64(value if value < 1 << 63 else value - (1 << 64))
    if isinstance(value, float):
        return np.float64(value)
    array = np.ascontiguousarray(value)
    return array.view(np.int64) if array.dtype == np.uint64 else array  # ints with a sign and without do not mix


def _accessors(layout: Layout, state_class: Any) -> dict[str, Any]:
    """The functions that read and write node records."""
    namespace = {**layout.namespace(), "State": state_class}
    before = set(namespace)
    exec(layout.source(), namespace)
    return {name: inner(namespace[name]) for name in set(namespace) - before - {"__builtins__"}}


def _kernels(translation: Translation, extra: Sequence[str] = ()) -> dict[str, Any]:
    """The domain's methods, compiled, and the functions that move a state to and from the rows of the engine's arrays.

    extra: the names of data beside those that the methods read.
    """
    attributes = [*sorted(translation.reads), *extra]
    unused = [] if translation.reads else [None]  # then the data begin with a number that is none
    state_class = translation.domain.State
    data_class = namedtuple("Data", attributes)  # type: ignore[misc]
    shared = {"State": state_class, "_whole_number": whole_number}
    shared |= compiled_functions(translation)
    kernels: dict[str, Any] = {}
    for name, function in translation.functions.items():
        function.__globals__.update(shared)
        kernels[name] = inner(function, forceinline=True)  # a call would pass the shape and strides of every array on self
    places = range(len(state_class._fields))
    telling = telling_fields(_domain_of(translation))
    source = f"""
def as_self(data):
    return Data({", ".join(f"data[{place + len(unused)}]" for place in range(len(attributes)))})

def load(rows, place):
    place = unsigned(place)
    return State({", ".join(f"rows[{field}][place]" for field in places)})

def store(rows, place, state):
    place = unsigned(place)
    {"; ".join(f"rows[{field}][place] = state[{field}]" for field in places)}

def is_same(rows, place, state):
    place = unsigned(place)
    return {" and ".join(f"rows[{field}][place] == state[{field}]" for field in telling)}

def hash_of(state):
    mixed = unsigned(0)
    {"; ".join(f"mixed = (mixed ^ unsigned(state[{field}])) * FACTOR; mixed ^= mixed >> SHIFT" for field in telling)}
    return mixed

def load_row(words, at):
    return State({", ".join(f"words[unsigned(at + {field})]" for field in places)})

def store_row(words, at, state):
    {"; ".join(f"words[unsigned(at + {field})] = state[{field}]" for field in places)}
"""
    # an unsigned index spares the test whether it is negative
    namespace: dict[str, Any] = {
        "Data": data_class,
        "State": state_class,
        "unsigned": np.uint64,
        "FACTOR": np.uint64(HASH_FACTOR),
        "SHIFT": np.uint64(HASH_SHIFT),
    }
    exec(source, namespace)
    names = ("as_self", "load", "store", "load_row", "store_row", "is_same", "hash_of")
    kernels |= {name: inner(namespace[name]) for name in names}
    return kernels


def compiled_functions(translation: Translation) -> dict[str, Any]:
    """The functions that the methods call, and those that these call, compiled."""
    compiled: dict[str, Any] = {}
    for name, function in translation.called.items():  # those that are called by others come before these
        names = {**function.__globals__, **compiled}
        compiled[name] = inner(types.FunctionType(function.__code__, names, name), forceinline=True)
    return compiled


def telling_fields(domain: Domain) -> Sequence[int]:
    """The places of the fields that tell states apart (Domain.identity). Raises InputError for one that is not there."""
    fields = domain.State._fields
    for name in domain.identity:
        if name not in fields:
            raise InputError(f"identity of {domain.name()} names {name!r}; its states have the fields {', '.join(fields)}")
    return [fields.index(name) for name in domain.identity or fields]


def whole_number(value: Any) -> int:
    """The value of a field of a state, which must be an int; compiled code is told so by its types."""
    return int(value)


@overload(whole_number)
def _compiled_whole_number(value: Any) -> Any:
    if isinstance(value, numba_types.Integer | numba_types.Boolean):

        def as_int64(value: Any) -> Any:
            return np.int64(value)

        return as_int64
    raise numba_errors.TypingError(f"a field of the state is a {value}, not an int; use // instead of /, or int()")


def _check_types(translation: Translation, kernels: dict[str, Any], data: tuple[Any, ...]) -> bool:
    """Compile the methods alone, to find their faults one by one; whether costs or estimates are floats."""
    domain = translation.domain
    me_type = numba.typeof(kernels["as_self"].py_func(data))
    state_type = numba_types.NamedUniTuple(numba_types.int64, len(domain.State._fields), domain.State)
    results = {}
    takes = {"step": (me_type, state_type, numba_types.int64), "unrank": (me_type, numba_types.int64)}
    for name in translation.functions:
        arguments = takes.get(name, (me_type, state_type))
        place = Place(translation.functions[name])
        try:
            kernels[name].compile(arguments)
        except numba_errors.NumbaError as error:
            raise complaint(error, place) from None
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


def complaint(error: Exception, place: Place) -> CompileError:
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
    if is_interpreted():
        return function
    with _numba_cache_in(cache_directory()) as usable:
        if usable:
            try:
                return _survives_damage(_njit(function, cache=True), function)
            except RuntimeError:  # Numba found no place to write to
                pass
    return _njit(function)


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
                ready = _njit(function)
        return ready(*arguments)

    return run

"""Kernels: the methods of a domain, and what moves its states to and from the engine's arrays, for Numba to compile."""

from __future__ import annotations

import re
import types
from collections import namedtuple
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from numba.core import errors as numba_errors
from numba.core import types as numba_types

from bestfirst.compiled.code_generation import inner, numba_type
from bestfirst.compiled.intrinsics import whole_number
from bestfirst.compiled.lookups import TableLookups
from bestfirst.compiled.machine_code import passed
from bestfirst.compiled.specialise import kept_fields, telling_fields
from bestfirst.compiled.translate import Place, Translation
from bestfirst.errors import CompileError
from bestfirst.patterns.hashed_table import HASH_FACTOR, HASH_SHIFT

if TYPE_CHECKING:
    from bestfirst.compiled.records import Layout
    from bestfirst.games.domain import GameDomain
    from bestfirst.problem import Domain


def kernels_of(translation: Translation, lookups: TableLookups) -> dict[str, Any]:
    """The kernels of a domain, of which the estimate, if there are parts, looks in their tables."""
    extra = [f"{name}{number}" for number in range(len(lookups.parts)) for name in ("part", "table", "keys")]
    kernels = methods_of_domain(translation, extra)
    if not lookups.parts:
        return kernels
    namespace: dict[str, Any] = {"int64": np.int64, "uint64": np.uint64}
    lines = []
    for number, part in enumerate(lookups.parts):
        own = methods_of_domain(part)
        namespace |= {f"{name}{number}": kernel for name, kernel in own.items()}
        by_rank = _FOUND_IN_HALF_A_BYTE if lookups.is_packed[number] else _FOUND_BY_RANK
        lines.append((by_rank if "number" in own else _FOUND_BY_HASH).format(n=number))
    values = [f"value{number}" for number in range(len(lookups.parts))]
    combined = " + ".join(values) if lookups.combination == "sum" or len(values) == 1 else f"max({', '.join(values)})"
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


def methods_of_domain(translation: Translation, extra: Sequence[str] = ()) -> dict[str, Any]:
    """The domain's methods, compiled, and the functions that move a state to and from the rows of the engine's arrays.

    extra: the names of data beside those that the methods read. What has been compiled to find faults is not compiled again for
    the template.
    """
    domain: Any = translation.domain
    key = (translation.digest, *extra, *map(str, kept_fields(domain)))
    if key not in translation.compiled:
        translation.compiled[key] = _methods_of_domain(translation, extra)
    return translation.compiled[key]


def _methods_of_domain(translation: Translation, extra: Sequence[str]) -> dict[str, Any]:
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
    of_domain: Any = translation.domain
    telling = telling_fields(of_domain)
    kept = kept_fields(of_domain)
    source = f"""
def as_self(data):
    return Data({", ".join(read_in(of_domain, attributes, len(unused)))})

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
    return State({", ".join(f"words[unsigned(at + {field})]" if field in kept else "ZERO" for field in places)})

def store_row(words, at, state):
    {"; ".join(f"words[unsigned(at + {field})] = state[{field}]" for field in kept)}
"""
    # an unsigned index spares the test whether it is negative
    namespace: dict[str, Any] = {
        "Data": data_class,
        "State": state_class,
        "unsigned": np.uint64,
        "ZERO": np.int64(0),
        "FACTOR": np.uint64(HASH_FACTOR),
        "SHIFT": np.uint64(HASH_SHIFT),
    }
    exec(source, namespace)
    names = ("as_self", "load", "store", "load_row", "store_row", "is_same", "hash_of")
    kernels |= {name: inner(namespace[name]) for name in names}
    return kernels


def read_in(domain: Domain | GameDomain, attributes: Sequence[str], first: int) -> list[str]:
    """How compiled code reads the attributes of a domain: in its data, from the first place on, or as a number that is fixed."""
    fixed = {name: str(int(domain.data(name))) for name in domain.fixed}
    return [fixed.get(name, f"data[{place}]") for place, name in enumerate(attributes, first)]


def compiled_functions(translation: Translation) -> dict[str, Any]:
    """The functions that the methods call, and those that these call, compiled."""
    compiled: dict[str, Any] = {}
    for name, function in translation.called.items():  # those that are called by others come before these
        names = {**function.__globals__, **compiled}
        compiled[name] = inner(types.FunctionType(function.__code__, names, name), forceinline=True)
    return compiled


def accessors(layout: Layout, state_class: Any) -> dict[str, Any]:
    """The functions that read and write node records."""
    namespace = {**layout.namespace(), "State": state_class}
    before = set(namespace)
    exec(layout.source(), namespace)
    return {name: inner(namespace[name]) for name in set(namespace) - before - {"__builtins__"}}


def has_float_costs(translation: Translation, data: tuple[Any, ...]) -> bool:
    """Whether costs or estimates are floats: compiles the methods alone, which finds their faults one by one."""
    domain = translation.domain
    kernels = methods_of_domain(translation)
    data_type = numba_type(passed(data)[0])
    kernels["as_self"].compile((data_type,))
    me_type = kernels["as_self"].overloads[data_type,].signature.return_type
    state_type = numba_types.NamedUniTuple(numba_types.int64, len(domain.State._fields), domain.State)
    results = {}
    number = numba_types.int64
    takes = {
        "step": (me_type, state_type, number),
        "unrank": (me_type, number),
        "block_step": (me_type, number, number),
        "turned": (me_type, number, number),
    }
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

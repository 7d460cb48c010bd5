"""The methods of a domain, and what moves its states to and from the engine's arrays, for Numba to compile."""

from __future__ import annotations

import re
import types
from collections import namedtuple
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, cast

import numpy as np
from numba.core import errors as numba_errors
from numba.core import types as numba_types

from bestfirst.compiled.compiler import guard_code, operations  # noqa: F401  (they tell Numba what they define)
from bestfirst.compiled.compiler.arithmetic import DEFERRED, OPERATIONS, PREFIX, UNCHECKED
from bestfirst.compiled.compiler.candidates import next_action_source
from bestfirst.compiled.compiler.code_generation import compiler, inner, numba_type
from bestfirst.compiled.compiler.guards import (
    attempted1,
    attempted2,
    attempted_as_is1,
    attempted_with,
    guarded1,
    guarded2,
    guarded_as_is1,
    guarded_key1,
    guarded_set1,
    guarded_with,
    method_numbers,
    noted1,
    noted2,
)
from bestfirst.compiled.compiler.intrinsics import lowest_bit, prefetch
from bestfirst.compiled.compiler.lookups import TableLookups
from bestfirst.compiled.compiler.machine_code import passed
from bestfirst.compiled.compiler.operations.tuples import PackedTuple
from bestfirst.compiled.compiler.operations.whole import (
    RESULT_SITE,
    WORD_STATES,
    in_words,
    is_float,
    is_int,
    is_real,
    wide_type,
)
from bestfirst.compiled.compiler.prepared_methods import (
    OWN,
    PREPARING,
    check_prepared,
    has_preparation,
    prepared_for_source,
    prepared_methods,
)
from bestfirst.compiled.compiler.restated_methods import extra_actions, restated_methods, takes_maximum
from bestfirst.compiled.compiler.rewriter_core import ATTRIBUTE, STATE
from bestfirst.compiled.compiler.shared import of_domain, shared
from bestfirst.compiled.compiler.specialise import Numbers
from bestfirst.compiled.compiler.state_fields import (
    is_wide,
    kept_fields,
    state_fields,
    state_words,
    telling_fields,
)
from bestfirst.compiled.compiler.state_source import loaded_state, row_functions, stored_state, word_of
from bestfirst.compiled.compiler.translate import ARGUMENTS, MAX_ACTIONS, WORD_BITS, Place, Translation
from bestfirst.compiled.compiler.values import MOST
from bestfirst.compiled.store.hashing import hashing_names, mixing
from bestfirst.domain import LESS
from bestfirst.errors import CompileError
from bestfirst.state_packing import StateField, register_bits

if TYPE_CHECKING:
    from bestfirst.compiled.compiler.numba_types import Dispatcher, Kind
    from bestfirst.compiled.store.aliases import Array, Names
    from bestfirst.compiled.store.records import Layout
    from bestfirst.domain import Domain
    from bestfirst.games.domain import GameDomain


def kernels_of(
    translation: Translation,
    lookups: TableLookups,
    *,
    estimates: str | None = None,
    contained: Sequence[str] = (),
    leaving_out: Sequence[str] = (),
) -> Names:
    """The functions of a domain; the estimate, if it has parts, looks them up in their tables.

    estimates: the operation that checks estimates, if one does. contained: arrays whose elements are part of the
    code. leaving_out: fields that do not distinguish states.
    """
    extra = [f"{name}{number}" for number in range(len(lookups.parts)) for name in ("part", "table", "keys")]
    key = (*_key(translation, extra, contained, leaving_out), "guarded", lookups.digest, estimates)
    if key not in translation.compiled:
        kernels = methods_of_domain(translation, extra, contained, leaving_out)
        if lookups.parts:
            kernels = kernels | {"raw_estimate": _combined_lookups(lookups)}
        elif estimates is not None:
            kernels = kernels | {"raw_estimate": _checked_estimate(kernels["raw_estimate"], estimates)}
        translation.compiled[key] = kernels | guarded_methods(translation, kernels)
    return dict(translation.compiled[key])


def _checked_estimate(estimate: Dispatcher, operation: str) -> Dispatcher:
    """An estimate that stops at numbers of which floats could not hold the sums."""
    namespace: Names = {**OPERATIONS, "raw_estimate": estimate, "SITE": RESULT_SITE}
    exec(f"def estimate(me, state):\n    return {PREFIX}{operation}(raw_estimate(me, state), SITE)\n", namespace)
    return inner(namespace["estimate"], forceinline=True)


def _combined_lookups(lookups: TableLookups) -> Dispatcher:
    """The estimate, from the tables of its parts."""
    namespace: Names = {
        "int64": np.int64,
        "uint64": np.uint64,
        "bf_place": OPERATIONS["bf_place"],
        "SITE": RESULT_SITE,
    }
    lines = []
    for number, part in enumerate(lookups.parts):
        own = methods_of_domain(part)
        namespace |= {f"{name.removeprefix('raw_')}{number}": kernel for name, kernel in own.items()}
        by_rank = _FOUND_IN_HALF_A_BYTE if lookups.is_packed[number] else _FOUND_BY_RANK
        lines.append((by_rank if "raw_number" in own else _FOUND_BY_HASH).format(n=number))
    values = [f"value{number}" for number in range(len(lookups.parts))]
    combined = " + ".join(values) if lookups.combination == "sum" or len(values) == 1 else f"max({', '.join(values)})"
    exec(f"def estimate(me, state):\n{''.join(lines)}    return {combined}\n", namespace)
    return inner(namespace["estimate"], forceinline=True)


_FOUND_BY_RANK = """
    of{n} = as_self{n}(me.part{n})
    place{n} = bf_place(number{n}(of{n}, abstract{n}(of{n}, state)), len(me.table{n}), SITE)
    value{n} = int64(me.table{n}[uint64(place{n})])
"""
_FOUND_IN_HALF_A_BYTE = """
    of{n} = as_self{n}(me.part{n})
    place{n} = bf_place(number{n}(of{n}, abstract{n}(of{n}, state)), 2 * len(me.table{n}), SITE)
    value{n} = int64(me.table{n}[uint64(place{n} >> 1)]) >> 4 * (place{n} & 1) & 15
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
"""How the value of pattern n is looked up; source code of a part of the estimate."""


def methods_of_domain(
    translation: Translation, extra: Sequence[str] = (), contained: Sequence[str] = (), leaving_out: Sequence[str] = ()
) -> Names:
    """The domain's methods, compiled (raw_step ...), and the functions that move a state to and from the engine's arrays.

    extra: names of data besides those that the methods read. contained, leaving_out: see kernels_of(). Methods compiled to find
    faults are not compiled again for the template.
    """
    key = _key(translation, extra, contained, leaving_out)
    if key not in translation.compiled:
        translation.compiled[key] = _methods_of_domain(translation, extra, contained, leaving_out)
    return translation.compiled[key]


def _key(
    translation: Translation, extra: Sequence[str], contained: Sequence[str], leaving_out: Sequence[str]
) -> tuple[object, ...]:
    """What the functions of methods_of_domain() depend on."""
    domain = cast("Domain", translation.domain)
    return (
        compiler(),
        translation.digest,
        *extra,
        *map(str, kept_fields(domain)),
        *(f"{name}={domain.compiled_value(name)!r}" for name in contained),
        *(f"without {name}" for name in leaving_out),
        *(f"{name} is better {way}" for name, way in domain.resources.items()),
    )


def _methods_of_domain(
    translation: Translation, extra: Sequence[str], contained: Sequence[str], leaving_out: Sequence[str]
) -> Names:
    state_class = translation.domain.State
    kernels = raw_methods(translation)
    of_domain = cast("Domain", translation.domain)
    fields, telling = state_fields(of_domain), telling_fields(of_domain, leaving_out=leaving_out)
    read = [word_of(fields, number) for number in range(len(state_words(of_domain)))]
    source = f"""
def load(rows, place):
    place = unsigned(place)
    return {loaded_state(fields, "rows[{}][place]")}

def store(rows, place, state):
    place = unsigned(place)
    {"; ".join(f"rows[{number}][place] = {word}" for number, word in enumerate(read))}

def is_same(rows, place, state):
    place = unsigned(place)
    return {" and ".join(f"rows[{word}][place] == {read[word]}" for word in telling) or "True"}

def fetch_state(rows, place):
    place = unsigned(place)
    {"; ".join(f"prefetch(rows[{number}], place)" for number in range(len(read))) or "pass"}

def fetch_identity(rows, place):
    place = unsigned(place)
    {"; ".join(f"prefetch(rows[{word}], place)" for word in telling) or "pass"}

def hash_of(state):
    {"; ".join(mixing(read[word] for word in telling))}
    return mixed

def is_as_good(state, other):
    return {" and ".join(_compared(fields, of_domain.resources)) or "True"}
{row_functions(fields, "{}")}
def state_in(nodes, place):
    node = nodes[unsigned(place)]
    return {loaded_state(fields, "node.state_{}")}

def put_state(nodes, place, state):
    node = nodes[unsigned(place)]
    {stored_state(fields, "node.state_{}")}
"""
    namespace: Names = {
        "State": state_class,
        **hashing_names(),
        **OPERATIONS,
        "ZERO": np.int64(0),
        "prefetch": prefetch,
    }
    exec(source, namespace)
    names = (
        *("load", "store", "load_row", "store_row", "state_in", "put_state"),
        *("is_same", "fetch_state", "fetch_identity", "hash_of", "is_as_good"),
    )
    kernels |= {name: shared(namespace[name]) for name in names}
    if MAX_ACTIONS in translation.attributes:
        kernels["max_actions"] = _max_actions(extra_actions(translation))
        kernels["next_action"] = _next_action(translation, kernels["max_actions"])
    return kernels | {"as_self": as_self(translation, extra, contained)}


def _compared(fields: Sequence[StateField], resources: Mapping[str, str]) -> Iterator[str]:
    """The comparisons of the resources of two states, as source."""
    for place, field in enumerate(fields):
        if field.name in resources:
            operation = "le" if resources[field.name] == LESS else "ge"
            pairs = [(f"state[{place}]", f"other[{place}]")]
            if field.length is not None:  # element by element
                pairs = [
                    (f"{PREFIX}item({one}, ({number},), 0)", f"{PREFIX}item({other}, ({number},), 0)")
                    for one, other in pairs
                    for number in range(field.length)
                ]
            for one, other in pairs:
                yield f"{PREFIX}{operation}({one}, {other}, 0)"


def state_type_of(domain: Domain | GameDomain) -> Kind:
    """The type of the domain's states in compiled code."""
    kinds = [_type_of_field(field) for field in state_fields(domain)]
    if len(set(kinds)) == 1:
        return numba_types.NamedUniTuple(kinds[0], len(kinds), domain.State)
    return numba_types.NamedTuple(tuple(kinds), domain.State)


def _type_of_field(field: StateField) -> Kind:
    if field.is_wide:
        return wide_type(register_bits(field.bits))
    return numba_types.int64 if field.length is None else PackedTuple(field.length, field.bits)


def raw_methods(translation: Translation) -> Names:
    """The methods, compiled, as guards call them: raw_step ..."""
    if translation.within is not None:
        return restated_methods(translation, raw_methods(translation.within))
    if translation.words:
        WORD_STATES.add(translation.domain.State)
    of_methods = UNCHECKED if translation.unchecked else OPERATIONS
    names = {
        **{function.__name__: function for function in DEFERRED.values()},
        **of_methods,
        **translation.tuples,
        STATE: translation.domain.State,
        "range": range,
        "ValueError": ValueError,
    }
    for name, function in translation.called.items():  # callees come first
        names[name] = inner(types.FunctionType(function.__code__, dict(names), name), forceinline=True)
    made = {}
    for name, function in translation.functions.items():
        copy = types.FunctionType(function.__code__, dict(names), name)
        raw = inner(copy, forceinline=True)  # a call would pass the shape and strides of every array
        is_narrow = translation.widest and name != "prepare"
        made[f"raw_{name}"] = _narrowed(raw, function.__code__.co_argcount) if is_narrow else raw
    return made | prepared_methods(made)


def _narrowed(method: Dispatcher, count: int) -> Dispatcher:
    """A method whose results, apart from states, are ints of 64 bits. count: of its arguments."""
    arguments = ", ".join(f"argument{number}" for number in range(count))
    namespace: Names = {**OPERATIONS, "method": method, "SITE": RESULT_SITE}
    exec(f"def narrowed({arguments}):\n    return {PREFIX}narrow(method({arguments}), SITE)\n", namespace)
    return inner(namespace["narrowed"], forceinline=True)


def as_self(translation: Translation, extra: Sequence[str] = (), contained: Sequence[str] = ()) -> Dispatcher:
    """Makes `me`, the attributes that methods read, from the data passed to compiled code: the notes, and these.

    extra, contained: see methods_of_domain().
    """
    attributes = translation.attributes
    values = ["data[0]"]
    arrays: Names = {}
    for place, name in enumerate(attributes, 1):
        given = f"ARRAY{place}" if name in contained else f"data[{place}]"
        arrays |= {given: translation.domain.compiled_value(name)} if name in contained else {}
        values.append(_attribute(translation, name, given))
    values += [f"data[{place}]" for place in range(len(attributes) + 1, len(attributes) + 1 + len(extra))]
    data_class = namedtuple("Data", ["notes", *(ATTRIBUTE + name for name in attributes), *extra])  # type: ignore[misc]
    namespace: Names = {"Data": data_class, **OPERATIONS, **arrays}
    exec(f"def as_self(data):\n    return Data({', '.join(values)})\n", namespace)
    return of_domain(namespace["as_self"], forceinline=True)


def _max_actions(extra: int) -> Dispatcher:
    """The function max_actions() of kernels. extra: the actions that no method of the domain knows."""
    namespace: Names = {}
    exec(f"def max_actions(me):\n    return me.{ATTRIBUTE}{MAX_ACTIONS}{f' + {extra}' if extra else ''}\n", namespace)
    return shared(namespace["max_actions"], forceinline=True)


def _next_action(translation: Translation, max_actions: Dispatcher) -> Dispatcher:
    """The function next_action() of kernels."""
    namespace: Names = {
        **OPERATIONS,
        **hashing_names(),
        "lowest_bit": lowest_bit,
        "max_actions": max_actions,
        "signed": np.int64,
    }
    exec(next_action_source(translation), namespace)
    made = shared(namespace["next_action"], forceinline=True)
    if not extra_actions(translation):
        return made
    with_end: Names = {"next_original": made, "max_actions": max_actions}
    exec(_NEXT_OR_END, with_end)
    return shared(with_end["next_action"], forceinline=True)


_NEXT_OR_END = """
def next_action(me, state, pair, action):
    end = max_actions(me) - 1
    found = next_original(me, state, pair, action)
    return found if found <= end or action >= end else end
"""
"""next_action() of a restated domain whose last action is none of the original one, so that no set of actions has it."""


def _attribute(translation: Translation, name: str, given: str) -> str:
    """An attribute of the domain, as source. given: the source of its value."""
    value: Array = translation.domain.compiled_value(name)
    is_fixed = translation.is_constant(name)
    if is_wide(translation.domain, value):
        return f"{PREFIX}wide_at({given}, {translation.widest}, 0)"
    if hasattr(value, "dtype"):
        return f"{PREFIX}shaped({given}, {value.shape}, 0)" if is_fixed else given
    if isinstance(value, tuple):
        return f"{PREFIX}tuple_at({given}, {len(value)}, 0)"
    if isinstance(value, int):
        number = as_word(int(value))
        if is_fixed:
            given = str(number)
        if value > MOST:
            return f"{PREFIX}word({given}, 0)"
        least, beyond = translation.range_of(name)
        if not is_fixed and beyond <= MOST:
            return f"{PREFIX}within({given}, {least}, {beyond}, 0)"
    return given


def guarded_methods(translation: Translation, kernels: Names) -> Names:
    """The methods as templates call them; if one cannot continue, the notes are written (guards.py)."""
    domain = translation.domain
    actions = translation.most_actions if "step" in translation.functions else 0
    numbers = method_numbers(list(translation.functions))
    namespace = {**GUARDS, **OPERATIONS, **{name: kernel for name, kernel in kernels.items() if name.startswith("raw_")}}
    source = f"def fits_bits(state):\n    return {_fits(domain)}\n"
    checks_fields = _checks_fields(translation)
    for name, number in numbers.items():
        source += _guard(name, number, checks_fields=checks_fields)
    more = []
    if "step" in numbers:
        is_prepared = has_preparation(translation)
        source += _guards_of_step(numbers["step"], checks_fields=checks_fields, actions=actions, is_prepared=is_prepared)
        source += prepared_for_source(translation, numbers)
        more = ["step_with", "attempt_step_with", "prepared_for", "attempt_prepared_for"]
    exec(source, namespace)
    namespace["fits_bits"] = inner(namespace["fits_bits"], forceinline=True)
    made = {}
    for name in (*numbers, *(f"attempt_{name}" for name in numbers if name in _ATTEMPTED), *more):
        made[name] = of_domain(namespace[name], forceinline=True)
    return made


GUARDS = {
    function.__name__: function
    for function in (
        *(guarded1, guarded2, guarded_with, guarded_as_is1, guarded_set1, guarded_key1),
        *(attempted1, attempted2, attempted_with, attempted_as_is1, noted1, noted2),
    )
}
_ATTEMPTED = frozenset({"step", "estimate", "rank"})
_MAKE_STATES = frozenset({"play", "image", "null", "unrank", "abstract", "dual"})
_SETS = frozenset({"legal", "noisy", "winning", "losing"})


def _checks_fields(translation: Translation) -> bool:
    domain = translation.domain
    return not translation.unchecked and any(
        field.is_wide or (field.length is None and field.bits < WORD_BITS) for field in state_fields(domain)
    )


def _fits(domain: Domain | GameDomain) -> str:
    """A check that the fields of a state fit into their bits, as source."""
    tests = []
    for place, field in enumerate(state_fields(domain)):
        if field.is_wide:
            tests.append(f"{PREFIX}wide_fits(state[{place}], {field.bits}, 0)")
        elif field.length is None and field.bits < WORD_BITS:
            tests.append(f"state[{place}] >> {field.bits} == 0")
    return " and ".join(tests) or "True"


def _guard(name: str, number: int, *, checks_fields: bool) -> str:
    """The source of a method as templates call it."""
    if name == "step":
        return ""
    arguments = ["one", "other"] if ARGUMENTS.get(name) == 3 else ["one"]
    given, count = ", ".join(arguments), len(arguments)
    kind = "guarded_set" if name in _SETS else "guarded_key" if name == "key" else "guarded"
    call = f"{kind}{count}(raw_{name}, me.notes, {number}, me, {given})"
    if name in _MAKE_STATES and checks_fields:
        body = f"""
    state = {call}
    if not fits_bits(state):
        noted{count}(me.notes, {number}, {given})
    return state
"""
    else:
        body = f"\n    return {call}\n"
    source = f"def {name}(me, {given}):{body}"
    if name in _ATTEMPTED:
        source += f"\ndef attempt_{name}(me, {given}):\n    return attempted{count}(raw_{name}, me, {given})\n"
    return source


def _guards_of_step(number: int, *, checks_fields: bool, actions: int, is_prepared: bool) -> str:
    """The source of step() as templates call it for an action by itself, and with what is prepared for a state."""
    known = f"\n    other = {PREFIX}within(other, 0, {actions}, 0)" if actions <= MOST else ""
    with_pair = ("guarded_with(raw_step_with", "attempted_with(raw_step_with", ", pair")
    alone = ("guarded2(raw_step", "attempted2(raw_step", "")
    test = ""
    check = ""
    if checks_fields:
        test = " and (not answer[0] or fits_bits(answer[1]))"
        check = f"\n    if legal and not fits_bits(state):\n        noted2(me.notes, {number}, one, other)"
    source = ""
    for ending, more, (guarded, attempted, last) in (
        ("", "", alone),
        ("_with", ", pair", with_pair if is_prepared else alone),
    ):
        source += f"""
def step{ending}(me, one, other{more}):{known}
    legal, state, cost = {guarded}, me.notes, {number}, me, one, other{last}){check}
    return legal, state, cost

def attempt_step{ending}(me, one, other{more}):{known}
    has_answer, answer = {attempted}, me, one, other{last})
    return has_answer{test}, answer
"""
    return source


def as_word(number: int) -> int:
    """A non-negative 64-bit int as the signed int with the same bits."""
    return number - (1 << 64) if number > MOST else number


def accessors(layout: Layout, state_class: type) -> Names:
    """The functions that read and write node records."""
    namespace = {**layout.namespace(), **OPERATIONS, "State": state_class}
    before = set(namespace)
    exec(layout.source(), namespace)
    return {name: shared(namespace[name]) for name in set(namespace) - before - {"__builtins__"}}


def numbers_of(translation: Translation, data: tuple[object, ...]) -> Numbers:
    """What costs and estimates are: compiles the methods one by one, which also finds their faults."""
    domain = translation.domain
    kernels = methods_of_domain(translation)
    data_type = numba_type(passed(data)[0])
    kernels["as_self"].compile((data_type,))
    me_type = kernels["as_self"].overloads[data_type,].signature.return_type
    state_type = state_type_of(domain)
    results: dict[str, Kind] = {}
    number = numba_types.int64
    takes = {
        "step": (me_type, state_type, number),
        "unrank": (me_type, number),
        "block_step": (me_type, number, number),
        "turned": (me_type, number, number),
    }
    for name in sorted(translation.functions, key="prepare".__ne__):  # its result is an argument of step()
        arguments = takes.get(name, (me_type, state_type))
        place, kernel = Place(translation.originals[name]), kernels[f"raw_{name}"]
        if name != "prepare" and OWN + name in kernels:
            kernel = kernels[OWN + name]
            arguments += (results["prepare"],) if name == "step" and "prepare" in results else ()
        try:
            results[name] = result_of(kernel, arguments, place)
        except CompileError:
            if translation.within is not None:
                kinds = numbers_of(translation.within, data)  # which tells the fault of the user's own method
                if kinds is not Numbers.INTS and takes_maximum(translation):
                    why = "its costs are floats, but with path_cost = 'max' compiled code supports ints only; return ints"
                    raise place.fail(None, why) from None
            raise
        if name in PREPARING:
            check_prepared(name, results[name], place)
    _check_result("is_goal", results["is_goal"], Place(translation.originals["is_goal"]))
    _check_result("estimate", results["estimate"], Place(translation.originals["estimate"]))
    cost = _cost_type(results["step"], state_type, Place(translation.originals["step"]))
    if is_float(cost):
        return Numbers.FLOATS
    return Numbers.MIXED if is_real(cost) or is_real(results["estimate"]) else Numbers.INTS


def result_of(kernel: Dispatcher, arguments: tuple[Kind, ...], place: Place) -> Kind:
    """The type that a method returns. Raises CompileError if it cannot be compiled."""
    try:
        kernel.compile(arguments)
    except numba_errors.NumbaError as error:
        raise complaint(error, place) from None
    return kernel.overloads[arguments].signature.return_type


def _check_result(name: str, result: Kind, place: Place) -> None:
    """Raise CompileError unless a result is a number."""
    if not (is_int(result) or is_real(result)):
        what = "True or False" if name == "is_goal" else "a number"
        raise place.fail(None, f"it returns {in_words(result)}; return {what} in every case")


def _cost_type(result: Kind, state_type: Kind, place: Place) -> Kind:
    """The type of the cost that step returns; raises CompileError if it does not return (legal, state, cost)."""
    parts = getattr(result, "types", None)
    if parts is None or len(parts) != 3 or parts[1] != state_type or not (is_int(parts[2]) or is_real(parts[2])):
        raise place.fail(None, f"it returns {in_words(result)}; return (legal, self.State(...), cost) in every case")
    return parts[2]


def complaint(error: Exception, place: Place) -> CompileError:
    """Why Numba cannot compile a method, and at which line."""
    message = str(error)
    numbers = [int(number) for number in re.findall(r"line (\d+):", message) or re.findall(r" \((\d+)\)$", message, re.M)]
    inside = [number for number in numbers if place.first_line <= number <= place.last_line]
    line = inside[-1] if inside else place.first_line
    return CompileError(place.file, line, place.name, _in_our_words(message))


def _in_our_words(message: str) -> str:
    """Why Numba refuses: the message of an operation, or an explanation of the usual reasons."""
    ours = re.findall(
        r"\b(it (?:adds|loops over|compares|tests|uses|calls|passes|unpacks|asks|makes)\b[^\n]*|a field of the state is [^\n]*)",
        message,
    )
    if ours:
        return str(ours[-1])
    unknown = re.search(r"Unknown attribute '(\w+)' of type", message)
    if unknown:
        return f"it reads .{unknown[1]}, which is neither a field of the state nor shape, ndim or size of an array"
    tuples = re.search(r"Cannot unify tuple\((\d+ x .+?)\) and tuple\((\d+ x .+?)\) for ", message)
    if tuples:
        return f"it has a tuple of {tuples[1]} in one case and one of {tuples[2]} in another; give both the same length and bits"
    unified = re.search(r"Cannot unify (.+?) and (.+?) for '(\w+?)(?:\.\d+)?'", message)
    if unified:
        name = unified[3]
        if not name.startswith("$"):
            return f"the variable {name} has values of different types; give it one type, such as int, in every case"
        return "it returns values of different types; return the same kind of value in every case"
    if "Can't unify return type" in message:
        return "it returns values of different types; return the same kind of value in every case"
    if "undefined" in message.lower() or "NameError" in message:
        return "it reads a variable that has no value yet; assign one first"
    return "its types cannot be inferred; use ints, floats, and states, and give each variable one type"

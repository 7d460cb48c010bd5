"""Specialise: an engine template and a domain become compiled code, kept on disk for the next process.

A template is an ordinary function of this package that reads names which it does not define: `step`, `is_goal`,
`estimate`, `load`, ... (see names.py). Specialising makes a copy of it whose globals define those names for one
domain. The copy is tagged with a hash of the domain's code: so each domain has its own file in the cache, and a change of
the domain or of the template creates a new one. Numba is imported only if something must be compiled.
"""

from __future__ import annotations

import dis
import hashlib
import json
import math
import sys
import types
from collections.abc import Callable, Sequence
from copy import copy
from dataclasses import dataclass, replace
from enum import Enum
from functools import cache, lru_cache, partial
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

from bestfirst.compiled.compiler import copies
from bestfirst.compiled.compiler.cache import cache_directory, keep_cached, read_cached
from bestfirst.compiled.compiler.guards import explain, has_notes, new_notes
from bestfirst.compiled.compiler.lookups import TableLookups, read_data
from bestfirst.compiled.compiler.machine_code import Code, Kept, Kinds, MachineCode, passed
from bestfirst.compiled.compiler.may_compile import check_may_compile, is_interpreted
from bestfirst.compiled.compiler.noted_data import NotedData
from bestfirst.compiled.compiler.numba_code import LoadedCode, NumbaCode
from bestfirst.compiled.compiler.state_fields import kept_fields, state_fields, state_words
from bestfirst.compiled.compiler.translate import Translation, translate
from bestfirst.domain import forced_in, prepared_for, preparing, single_step
from bestfirst.errors import NotCompilableError
from bestfirst.heuristics.table_lookup import TableEstimate
from bestfirst.hidden_modules import same_name
from bestfirst.objectives.restated import RestatedDomain, RestatedEstimate
from bestfirst.rounding import LARGEST_PART
from bestfirst.state_packing import WORD, StateField
from bestfirst.system.gc_tuning import seldom_collecting

if TYPE_CHECKING:
    from bestfirst.compiled.compiler.copies import Control
    from bestfirst.compiled.store.aliases import Method, Names, Self, State, Template
    from bestfirst.compiled.store.records import Layout
    from bestfirst.domain import Domain
    from bestfirst.games.domain import GameDomain

_READY: dict[str, Template] = {}
"""The specialised templates of this process, by tag."""
_NUMBERS: dict[str, Numbers] = {}
"""What costs and estimates are, by the digest of the methods."""
BEYOND_MIXED = 2.0**52
"""If Python may add ints that compiled code adds as floats, they are exact below this number, and so are sums of two."""
MOST_CONTAINED = 256
"""The maximum number of elements of an array that code for the values of a control field contains."""
MOST_DIGESTS = 1 << 10
"""The maximum number of digests that are kept."""
_Told = tuple[str, object, type]
MOST_MIXED_WEIGHT = 1 << 10
"""The greatest int weight of estimates in that case."""
LARGEST_SUMMAND = BEYOND_MIXED / MOST_MIXED_WEIGHT
"""The greatest int estimate in that case: weighted, it is at most 2**52, too."""


class Numbers(Enum):
    """What costs and estimates are."""

    INTS = "ints"
    FLOATS = "floats"
    """All costs are floats, and so are all sums of them."""
    MIXED = "mixed"
    """Some numbers are floats, and some sums of costs may be ints."""


_ESTIMATES = {Numbers.INTS: None, Numbers.FLOATS: "finite", Numbers.MIXED: "summand"}
"""The operation that checks an estimate."""


@dataclass
class Compiled:
    """A template specialised to a domain.

    code: the compiled function; its first argument is data. data: the notes, and the numbers and arrays of the domain that its
    methods read; attributes: their names. has_float_costs: whether costs or estimates are floats. estimate: the heuristic.
    """

    code: Template
    data: Kept
    attributes: tuple[str, ...]
    has_float_costs: bool
    translation: Translation
    estimate: Method | None = None

    def __post_init__(self) -> None:
        domain = self.translation.domain
        self._domains = [(self.data[0], domain)]
        self.noted = NotedData(domain, self.attributes, self.data[1 : len(self.attributes) + 1])

    def is_ready(self, *arguments: object) -> bool:
        """Whether a call with these arguments, which follow the data, need not compile anything."""
        return not isinstance(self.code, MachineCode) or self.code.is_ready(self.data, *arguments)

    @property
    def is_plain(self) -> bool:
        """Whether the plain compiler made the code."""
        return isinstance(self.code, MachineCode) and self.code.is_plain

    def prepare(self, *arguments: object) -> None:
        """Compile the code for these arguments, which follow the data."""
        if isinstance(self.code, MachineCode):
            self.code.prepare(self.data, *arguments)

    def run(self, *arguments: object) -> Any:
        """Call the function. If a method of the domain cannot continue, raise the error that Python raises there."""
        try:
            return self.code(*arguments)
        except Exception:
            for notes, domain in self._domains:
                if has_notes(notes):
                    explain(replace(self.translation, domain=domain), notes, self._methods_of(domain))
            raise

    def with_code(self, code: Template) -> Compiled:
        """Other code for the same domain and the same data."""
        other = copy(self)  # replace() would note the data again
        other.code = code
        return other

    def with_own_notes(self) -> Kept:
        """The data with new notes, so that a thread does not write to the notes of another one."""
        data = Kept((new_notes(), *self.data[1:]))
        self._domains.append((data[0], self.translation.domain))
        return data

    def _methods_of(self, domain: Domain | GameDomain) -> dict[str, Method]:
        methods: dict[str, Method] = {}
        for name in self.translation.functions:
            methods[name] = method_in_python(self.translation, domain, name)
        if isinstance(self.estimate, TableEstimate | RestatedEstimate):
            methods["estimate"] = self.estimate
        return methods

    def data_of(self, domain: Domain) -> Kept:
        """The data of another domain with the same methods, one of `others` of specialise().

        Raises NotCompilableError if compiled code cannot use them.
        """
        assert any(domain is other for other in self.translation.others), "compiled code assumes nothing about this domain"
        if not _has_room(state_fields(self.translation.domain), domain):
            raise NotCompilableError(
                f"the state fields of {domain.name()} have different lengths or declared bits in the two directions of the search; "
                "make them equal, or use engine='python'"
            )
        data = Kept(read_data(domain, self.attributes))
        if len(self.data) > len(data):
            raise NotCompilableError(
                "the compiled engine cannot use pattern databases, which are built for one goal, in a bidirectional search; use "
                "another heuristic, or engine='python'"
            )
        for name, one, other in zip(self.attributes, data[1:], self.data[1:], strict=False):
            (kind,), (other_kind,) = passed([one])[0], passed([other])[0]
            if kind != other_kind:
                raise NotCompilableError(
                    f"{type(domain).__name__}.{name} is {_in_words(other_kind)} in one direction and {_in_words(kind)} in the "
                    "other; make the types equal, or use engine='python'"
                )
            if name in domain.fixed and (one.shape, one.ndim or one) != (other.shape, other.ndim or other):
                here, there = (f"its shape is {of.shape}" if of.ndim else f"its value is {of}" for of in (one, other))
                raise NotCompilableError(
                    f"{type(domain).__name__}.{name} is fixed, but {here} in one direction and {there} in the other; "
                    "remove it from fixed, or use engine='python'"
                )
        self._domains.append((data[0], domain))
        return data


def method_in_python(translation: Translation, domain: Domain | GameDomain, name: str) -> Method:
    """A method as Python calls it; the estimate of a restated domain is none of its methods."""
    if name in PREPARING:
        return partial(_prepared_in_python, domain, name)
    if translation.within is None and name == "step" and PREPARING & translation.functions.keys():
        return single_step(cast("Domain", domain))
    if translation.within is None:
        return types.MethodType(translation.originals[name], domain)
    method: Method = partial(no_lookup, domain) if name == "estimate" else getattr(domain, name)
    return method


PREPARING = frozenset({"prepare", "forced"})


def _prepared_in_python(domain: Any, name: str, state: State) -> object:
    """The result of prepare() or forced(), which Python checks."""
    if isinstance(domain, RestatedDomain):
        domain, state = domain.original, domain.inner(state)
    return forced_in(domain, state) if name == "forced" else prepared_for(domain, state)


def _has_room(fields: Sequence[StateField], domain: Domain) -> bool:
    """Whether fields of one domain hold the states of another one: its tuples alike, and the ints of its initial state."""
    for field, own, value in zip(fields, state_fields(domain), domain.initial, strict=True):
        if field.length is not None or own.length is not None:
            if (field.length, field.bits) != (own.length, own.bits):
                return False
        elif (field.bits < WORD or field.is_wide) and not 0 <= value < 1 << field.bits:
            return False
    return True


def _in_words(kind: str | Kinds) -> str:
    """The kind of an argument, in words."""
    element, _, dimensions = str(kind).partition("[")
    return f"a {dimensions[:-1]}-dimensional array of {element}" if dimensions else str(kind)


def specialise(
    template: Template,
    domain: Domain,
    estimate: Method,
    *,
    optional: Sequence[str] = (),
    parts: Sequence[Template] = (),
    layout: Layout | None = None,
    translation: Translation | None = None,
    others: tuple[Domain, ...] = (),
    by_group: bool = False,
    **constants: Any,
) -> Compiled:
    """The template compiled for a domain and one of its heuristics (a method of the domain).

    optional: the optional methods of the domain that the template calls, such as rank.
    parts: functions that the template calls and that also read such names, callees before callers.
    layout: the layout of the node records, if the template has any.
    translation: of the methods, if it is known already.
    others: domains of which data_of() will be asked.
    by_group: whether resources do not distinguish states, for hash tables.
    constants: further names that the template reads. Raises CompileError for code that cannot be compiled.
    """
    translation = translation or translate(domain, methods_of(domain, estimate, optional), others)
    attributes = translation.attributes
    data = read_data(domain, attributes)
    numbers = numbers_in(translation)
    floats = numbers is not Numbers.INTS
    lookups = TableLookups.of(estimate)
    data += lookups.data
    reads = _read_by((template, *parts))
    if "LEGAL_FIRST" in reads.names:
        constants.setdefault("LEGAL_FIRST", domain.stops_at_illegal())
    if "HAS_RESOURCES" in reads.names:
        constants.setdefault("HAS_RESOURCES", bool(domain.resources))
    constants |= {
        "LOOKUPS": lookups.digest,
        "FIELDS": len(state_words(domain)),
        "KEPT": tuple(kept_fields(domain)),
        "RESOURCES": tuple(domain.resources.items()),
        "BY_GROUP": by_group,
        "FLOATS": floats,
        "BEYOND_COSTS": BEYOND_MIXED if numbers is Numbers.MIXED else math.nextafter(LARGEST_PART, math.inf),
    }
    control = constants.get("CONTROL")
    contained = () if control is None else _small_arrays(domain, attributes)
    if contained:
        constants["CONTAINED"] = tuple((name, domain.compiled_value(name).tobytes()) for name in contained)
    tag = f"{template.__name__}_{translation.digest}_{digest_of(template, parts, {**constants, 'layout': layout})}"
    if tag not in _READY:
        code_that_looks_up = replace(lookups, data=())  # a table must not be kept alive for its code

        def meanings() -> Names:
            from bestfirst.compiled.compiler.domain_methods import accessors, kernels_of  # noqa: PLC0415  (it imports Numba)

            of_records = {} if layout is None else accessors(layout, domain.State)
            kernels = kernels_of(
                translation,
                code_that_looks_up,
                estimates=_ESTIMATES[numbers],
                contained=contained,
                leaving_out=tuple(domain.resources) if by_group else (),
            )
            if control is not None:
                kernels |= _copied(control)
            return kernels | constants | of_records

        _READY[tag] = built(template, meanings, tag, parts, type(domain).__name__)
    return Compiled(_READY[tag], Kept(data), attributes, floats, translation, estimate)


def _small_arrays(domain: Domain, attributes: Sequence[str]) -> tuple[str, ...]:
    """The fixed arrays with so few elements that code may contain them."""
    fixed = ((name, domain.compiled_value(name)) for name in attributes if name in domain.fixed)
    return tuple(name for name, value in fixed if hasattr(value, "dtype") and value.size <= MOST_CONTAINED)


def _copied(control: Control) -> Names:
    """The functions with which a template visits nodes (copies.py)."""
    if is_interpreted():
        return copies.copied(control)
    from bestfirst.compiled.compiler import copy_code  # noqa: PLC0415  (it imports Numba)

    return copy_code.copied(control)


def built(
    template: Template,
    meanings: Callable[[], Names],
    tag: str,
    parts: Sequence[Template],
    subject: str,
    find_fault: Callable[[], None] | None = None,
) -> Template:
    """A template, compiled on its first call and kept on disk.

    meanings: the meanings of the names that it and its parts read. subject: a name for the progress message.
    find_fault: raises the CompileError that explains to the author why the code cannot be compiled, if it cannot.
    """
    if is_interpreted():
        return tagged_copy(template, meanings(), tag, parts)

    def generate(kinds: Kinds) -> Code | NumbaCode:
        check_may_compile()
        check_numba()
        announce_compiling(subject)
        from bestfirst.compiled.compiler import code_generation  # noqa: PLC0415  (it imports Numba)

        try:
            with seldom_collecting():
                return code_generation.fitting(
                    lambda: code_generation.generate(tagged_copy(template, meanings(), tag, parts), kinds)
                )
        except code_generation.NumbaError:
            if find_fault is not None:
                find_fault()
            raise

    def load(code: NumbaCode, kinds: Kinds) -> LoadedCode:
        check_numba()
        from bestfirst.compiled.compiler import code_generation  # noqa: PLC0415  (it imports Numba)

        return code_generation.loaded(code, kinds)

    return MachineCode(tag, generate, load)


def tagged_copy(template: Template, names: Names, tag: str, parts: Sequence[Template]) -> types.FunctionType:
    """A copy of a template, with a tag in its name, in which some names, including those in its parts, have the given
    meanings."""
    from bestfirst.compiled.compiler.code_generation import TEMPLATE_BUILTINS, recursive  # noqa: PLC0415  (it imports Numba)
    from bestfirst.compiled.compiler.shared import shared  # noqa: PLC0415

    names = dict(names) if is_interpreted() else {**TEMPLATE_BUILTINS, **names}
    waiting, called = {part.__name__ for part in parts}, set[str]()
    calling_back: list[Template] = []
    for part in parts:
        read = _globals_read(part)
        called |= read
        of_part = types.FunctionType(part.__code__, {**part.__globals__, **names}, part.__name__)
        if part.__name__ in called or not waiting.isdisjoint(read):  # it is called back, or calls back
            of_part.__annotations__ = part.__annotations__
            names[part.__name__] = recursive(of_part, forceinline=part.__name__ not in called)
            calling_back.append(names[part.__name__])
        else:
            names[part.__name__] = shared(of_part, forceinline=True)
        waiting.remove(part.__name__)
    for made in calling_back:
        getattr(made, "py_func", made).__globals__.update({part.__name__: names[part.__name__] for part in parts})
    code = template.__code__.replace(co_name=tag, co_qualname=tag)
    copy = types.FunctionType(code, {**template.__globals__, **names}, tag)
    copy.__qualname__ = tag
    copy.__module__ = template.__module__
    return copy


def _globals_read(function: Template) -> set[str]:
    """The names of other functions, among others, that a function reads from its module."""
    return {step.argval for step in dis.get_instructions(function) if step.opname == "LOAD_GLOBAL"}


def numbers_of(domain: Domain, estimate: Method, optional: Sequence[str] = ()) -> Numbers:
    """What costs and estimates are. Raises CompileError if the methods cannot be compiled."""
    return numbers_in(translate(domain, methods_of(domain, estimate, optional)))


def numbers_in(translation: Translation) -> Numbers:
    """What costs and estimates of translated methods are: from the cache, or by compiling them."""
    known = _NUMBERS.get(translation.digest)
    if known is None:
        known = _NUMBERS[translation.digest] = _found_numbers(translation)
    return known


def methods_of(domain: Domain, estimate: Method, optional: Sequence[str] = ()) -> dict[str, Method]:
    """The methods of a domain that a search needs, by their names in templates."""
    names = ("step", "is_goal", *preparing(domain), *optional)
    looks_up = isinstance(estimate, TableEstimate)
    return {name: getattr(type(domain), name) for name in names} | {"estimate": no_lookup if looks_up else estimate}


def no_lookup(self: Self, state: State) -> int:  # noqa: ARG001  (it stands for the lookups, which need no translation)
    """A placeholder, of the right type, for an estimate that is looked up in tables."""
    return 0


def _found_numbers(translation: Translation) -> Numbers:
    if is_interpreted():
        return _numbers_given(translation)
    note = _Known(cache_directory() / f"{translation.digest}.json")
    noted = note.numbers()
    if noted is None:
        check_may_compile()
        check_numba()
        announce_compiling(type(translation.domain).__name__)
        from bestfirst.compiled.compiler import code_generation, domain_methods  # noqa: PLC0415  (they import Numba)

        data = read_data(_domain_of(translation), translation.attributes)
        with seldom_collecting():
            noted = code_generation.fitting(lambda: domain_methods.numbers_of(translation, data))
        note.write(noted)
    return noted


def _domain_of(translation: Translation) -> Domain:
    return cast("Domain", translation.domain)


def _numbers_given(translation: Translation) -> Numbers:
    """What costs and estimates are, by trying: for interpreted templates."""
    domain = _domain_of(translation)
    costs = [single_step(domain)(domain.initial, action)[2] for action in range(domain.max_actions)]
    of = domain if translation.within is None else _domain_of(translation.within)
    numbers = [*costs, translation.originals["estimate"](of, of.initial)]
    if not any(isinstance(number, float) for number in numbers):
        return Numbers.INTS
    return Numbers.FLOATS if all(isinstance(cost, float) for cost in costs) else Numbers.MIXED


class _Known:
    """A note in the cache that the methods of a domain compile, and what its costs and estimates are."""

    def __init__(self, path: Path) -> None:
        self._path = path

    def numbers(self) -> Numbers | None:
        """The content of the note; None if it does not exist, cannot be read, was written for another name, or was
        changed."""
        kept = read_cached(self._path)
        return next((numbers for numbers in Numbers if kept == self._text(numbers)), None)

    def write(self, numbers: Numbers) -> None:
        """Write the note; if that fails, the methods are checked again next time."""
        keep_cached(self._path, self._text(numbers))

    def _text(self, numbers: Numbers) -> bytes:
        """The bytes of a note, with a checksum of its content and its name."""
        seal = hashlib.sha256(f"{self._path.name} {numbers.value}".encode()).hexdigest()
        return json.dumps({"numbers": numbers.value, "seal": seal}).encode()


@cache
def check_numba() -> None:
    """Raise NotCompilableError where Numba cannot be imported, as with a wrong value of a NUMBA_ variable."""
    try:
        import_module("numba")
    except Exception as error:
        raise NotCompilableError(
            f"the compiled engine needs Numba, which cannot be imported ({error}{same_name(error)}); install it, correct its "
            "NUMBA_... environment variables, or use the reference engine (engine='python')"
        ) from error


@cache
def announce_compiling(subject: str) -> None:
    """Tell a person at a terminal, once, why nothing happens for a second or two."""
    if sys.stderr.isatty():
        print(f"compiling {subject} ...", file=sys.stderr, flush=True)  # noqa: T201


@cache
def _makers() -> Sequence[Path]:
    """The modules that generate code, besides those of the kernels."""
    room = Path(__file__).parent
    return *sorted(room.rglob("*.py")), room.with_name("store") / "records.py"


def digest_of(template: Template, parts: Sequence[Template], constants: Names) -> str:
    """A hash of everything else that the compiled code depends on."""
    functions = (template, *parts)
    told = tuple((name, value, type(value)) for name, value in constants.items())
    numbers = tuple((name, number, type(number)) for name, number in _read_by(functions).numbers())
    return _digest_of(functions, told, numbers)


@lru_cache(MOST_DIGESTS)
def _digest_of(functions: tuple[Template, ...], constants: tuple[_Told, ...], numbers: tuple[_Told, ...]) -> str:
    """See digest_of(). constants, numbers: each with its name and its type, since 1, 1.0 and True are equal."""
    names = {name for name, _, _ in constants}
    assert not any(part.__globals__.keys() & names for part in functions[1:]), "a constant hides a name of the module"
    digest = hashlib.sha256(repr(sorted((name, value) for name, value, _ in constants)).encode())
    digest.update(repr([(name, repr(number)) for name, number, _ in numbers]).encode())
    digest.update(_digest_of_sources(*_read_by(functions).files))
    return digest.hexdigest()[:8]


class _Reads:
    """What a template and its parts read, found once. files: those of their modules."""

    def __init__(self, functions: Sequence[Template]) -> None:
        self.names = frozenset(name for function in functions for name in function.__code__.co_names)
        self.files = sorted({str(sys.modules[function.__module__].__file__) for function in functions})
        self._numbers = sorted(
            {
                (name, function.__module__): function.__globals__
                for function in functions
                for name in function.__code__.co_names
                if isinstance(function.__globals__.get(name), int | float)
            }.items(),
            key=lambda item: item[0],
        )

    def numbers(self) -> list[tuple[str, float]]:
        """The numbers that they read from their modules, which may import them from other modules."""
        return [(name, module[name]) for (name, _), module in self._numbers]


@cache
def _read_by(functions: tuple[Template, ...]) -> _Reads:
    return _Reads(functions)


@cache
def _digest_of_sources(*modules: str) -> bytes:
    """A hash of the source of some modules, and of all that generates code."""
    digest = hashlib.sha256()
    try:
        for file in (*map(Path, modules), *_makers()):
            digest.update(file.read_bytes())
    except OSError as error:
        raise NotCompilableError(
            f"the compiled engine cannot read its own source files here ({error}); install bestfirst as ordinary files, with its "
            "sources, or use the reference engine (engine='python')"
        ) from error
    return digest.digest()


def no_estimate(_self: Self, _state: State) -> int:
    """The heuristic of uniform-cost search."""
    return 0

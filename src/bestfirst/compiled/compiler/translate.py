"""From the methods of a Domain to plain functions that can be compiled, or to an error that explains why they cannot.

The functions keep the methods' line numbers (so that errors point at them). `self` becomes a tuple of the ints, floats and
arrays of the domain that the methods read; rewriting.py replaces each operation with a call of arithmetic.py; and module-level
numbers and functions become part of the code.
"""

from __future__ import annotations

import ast
import builtins
import hashlib
import inspect
import types
from collections import namedtuple
from collections.abc import Iterable, Mapping, Sequence
from copy import copy
from dataclasses import dataclass, field
from functools import cache
from typing import TYPE_CHECKING, Any, TypeAlias

from bestfirst.array_attributes import can_be_held
from bestfirst.array_views import ArrayView
from bestfirst.code_reading import names_in
from bestfirst.compiled.compiler.arithmetic import PREFIX
from bestfirst.compiled.compiler.expressions import ALLOWED_BUILTINS
from bestfirst.compiled.compiler.rewriter_core import COMPILED_FORM, FIRST_ARGUMENT, OF_OTHER_STATES
from bestfirst.compiled.compiler.rewriting import Rewriter
from bestfirst.compiled.compiler.source import Place, check_is_function, definition_of, without_docstring
from bestfirst.compiled.compiler.state_fields import is_wide, state_fields
from bestfirst.compiled.compiler.values import (
    LEAST,
    MISSING,
    MOST,
    NUMBERS,
    WORD,
    as_plain,
    is_number,
    is_numpy_number,
    is_patched,
    is_tuple_of_ints,
)
from bestfirst.domain import preparing
from bestfirst.errors import CompileError, NotCompilableError, counted, shown
from bestfirst.lost_claims import why_not_on_object
from bestfirst.objectives.restated import RestatedDomain, RestatedEstimate
from bestfirst.state_packing import register_bits

if TYPE_CHECKING:
    from bestfirst.compiled.store.aliases import Method, Names
    from bestfirst.domain import Domain
    from bestfirst.games.domain import GameDomain

WORD_BITS = 64
Domains: TypeAlias = "tuple[Domain | GameDomain, ...]"


@dataclass(frozen=True)
class Site:
    """The place of an operation in the user's code."""

    file: str
    line: int
    function: str


@dataclass
class Translation:
    """The translation of the methods of one domain.

    functions: the plain functions by the names given to translate(); originals: the methods that they were made from.
    others: further domains for which the code must hold, such as that of the other direction.
    state_class: its State at the time of translation; the class may be given another one later.
    called: the module-level functions that they call, by their names in the code, callees before callers. tuples: the NamedTuples
    that prepare() makes, likewise.
    reads: the attributes of self that they read; counted: those whose range they rely on. attributes: all that compiled code
    reads; kinds: its assumptions about each.
    few_actions: whether it assumes a narrower range of max_actions than usual. far_shifts: the number of shifts by a count that
    may exceed 63, as far as the code knows. for_few: by such a range, the translation that assumes it.
    words: the fields of the state that take all 64 bits. sites: the places of the operations, in order.
    within: for a restated domain (objectives/restated.py), the translation of the methods of the original one. restates: whether
    its estimate is restated, too.
    digest: a hash of everything that the compiled code depends on; code_digest: a hash of the code alone, without the names
    of the class and its module. compiled: the result of domain_methods.py.
    """

    domain: Domain | GameDomain
    state_class: type
    others: tuple[Domain | GameDomain, ...] = ()
    functions: dict[str, types.FunctionType] = field(default_factory=dict)
    originals: dict[str, types.FunctionType] = field(default_factory=dict)
    reads: set[str] = field(default_factory=set)
    counted: set[str] = field(default_factory=set)
    few_actions: bool = False
    far_shifts: int = 0
    called: dict[str, types.FunctionType] = field(default_factory=dict)
    tuples: dict[str, type] = field(default_factory=dict)
    words: frozenset[str] = frozenset()
    unchecked: bool = False
    sites: list[Site] = field(default_factory=list)
    code_digest: str = ""
    source_digest: str = ""
    digest: str = ""
    kinds: dict[str, str] = field(default_factory=dict)
    compiled: dict[tuple[object, ...], Names] = field(default_factory=dict)
    for_few: dict[str, Translation] = field(default_factory=dict)
    within: Translation | None = None
    restates: bool = False
    _globals: dict[tuple[int, str], tuple[Names, object]] = field(default_factory=dict)
    _members: dict[str, object] = field(default_factory=dict)
    _members_of_state: dict[str, object] = field(default_factory=dict)
    _codes: dict[types.FunctionType, tuple[object, ...]] = field(default_factory=dict)
    _helpers: dict[types.FunctionType, str] = field(default_factory=dict)
    _callers: list[types.FunctionType] = field(default_factory=list)
    _texts: list[str] = field(default_factory=list)
    _digests: dict[tuple[object, ...], str] = field(default_factory=dict)

    @property
    def has_words(self) -> bool:
        """Whether its numbers may be unsigned 64-bit ints."""
        return bool(self.words) or self.domain.greatest_int > MOST

    @property
    def widest(self) -> int:
        """The width in which it computes with its widest ints, in bits; 0 if no field of a state has 64 bits or more."""
        wide = [field.bits for field in state_fields(self.domain) if field.is_wide]
        return register_bits(max(wide)) if wide else 0

    @property
    def has_own_states(self) -> bool:
        """Whether all states in the methods belong to the domain."""
        return not self.originals.keys() & OF_OTHER_STATES

    @property
    def attributes(self) -> tuple[str, ...]:
        """The names of the data that compiled code reads: the kernels read max_actions."""
        return tuple(sorted(self.reads | {MAX_ACTIONS} if "step" in self.functions else self.reads))

    @property
    def most_actions(self) -> int:
        """An exclusive upper bound on action numbers that compiled code may assume."""
        return self.range_of(MAX_ACTIONS)[1]

    def known_of(self, name: str, *, is_counted: bool) -> tuple[int, int]:
        """The smallest and the largest value of an int on self that a method may assume. is_counted: whether it relies on
        a narrow range."""
        if is_counted:
            self.counted.add(name)
        if self.is_constant(name):
            value = int(self.domain.compiled_value(name))
            return value, value
        least, beyond = range_of(self.domains, name, is_counted=is_counted, few_actions=self.few_actions)
        return least, beyond - 1

    def range_of(self, name: str) -> tuple[int, int]:
        """The range of an int on self, first and last + 1, that compiled code may assume."""
        return range_of(self.domains, name, is_counted=name in self.counted, few_actions=self.few_actions)

    def is_constant(self, name: str) -> bool:
        """Whether an attribute is compiled in."""
        return is_constant(self.domains, name)

    @property
    def domains(self) -> Domains:
        """The domains for which the code must hold, as their authors wrote them."""
        return (self.domain if self.within is None else self.within.domain), *self.others

    def site_of(self, place: Place, node: ast.AST) -> int:
        """The number of a new site."""
        self.sites.append(Site(place.file, getattr(node, "lineno", place.first_line), place.name))
        return FIRST_SITE + len(self.sites) - 1

    def site(self, number: int) -> Site | None:
        """The site with this number."""
        place = number - FIRST_SITE
        return self.sites[place] if 0 <= place < len(self.sites) else None

    def note_global(self, names: Names, name: str, value: object) -> None:
        """Record that the code depends on a module-level value. name: its name, or `Class.attribute`."""
        self._globals[id(names), name] = names, value

    def note_member(self, name: str, member: object) -> None:
        """Record that the code depends on a member of the domain's class."""
        self._members[name] = member

    def note_member_of_state(self, name: str, member: object) -> None:
        """Record that the code depends on a member of State."""
        self._members_of_state[name] = member

    def helper(
        self, function: types.FunctionType, place: Place, node: ast.AST, name: str, *, is_method: bool = False
    ) -> str:
        """The name of a function in the code; it is translated too. is_method: its first argument is the domain."""
        if function in self._callers:
            raise place.fail(node, f"it calls {name}, which calls itself; use a loop instead")
        if function not in self._helpers:
            self._callers.append(function)
            code_name = f"{PREFIX}helper{len(self._helpers)}_{function.__name__}"
            self._helpers[function] = code_name
            try:
                own = (FIRST_ARGUMENT, function.__code__.co_argcount) if is_method else (None, None)
                self.called[code_name] = _translated(self, function, *own)
                self.add_text(code_name)
            finally:
                self._callers.pop()
        return self._helpers[function]

    def tuple_name(self, kind: type, place: Place, node: ast.AST) -> str:
        """The name of a NamedTuple in the code."""
        changed = _changed_members(kind, kind._fields) if kind.__bases__ == (tuple,) else {"a base class"}  # type: ignore[attr-defined]
        if changed:
            raise place.fail(
                node,
                f"{kind.__name__} has {', '.join(sorted(changed))}, which compiled code would ignore; use a plain NamedTuple",
            )
        name = f"{PREFIX}tuple_{kind.__name__}"
        if self.tuples.setdefault(name, kind) is not kind:
            raise place.fail(node, f"it makes tuples of two classes named {kind.__name__}; use one class")
        self.add_text(repr(kind._fields))  # type: ignore[attr-defined]
        return name

    def note_code(self, function: types.FunctionType) -> None:
        """Record that the code depends on the code object of a function, which can be replaced."""
        self._codes[function] = _code_of(function)

    def add_text(self, text: str) -> None:
        """Add a part of the code to the input of the digest."""
        self._texts.append(text)

    def holds_for(self, domain: Domain | GameDomain, others: Domains) -> bool:
        """Whether another translation would differ at most in the kinds of the attributes."""
        return (
            domain.State is self.state_class
            and all(_is_same(_found(names, name), value) for (_, name), (names, value) in self._globals.items())
            and all(_code_of(function) == code for function, code in self._codes.items())
            and all(_is_member(domain, name, member) for name, member in self._members.items())
            and all(_written(domain.State, name) is member for name, member in self._members_of_state.items())
            and all(self._keeps_kind(domain, others, name, kind) for name, kind in self.kinds.items())
        )

    def _keeps_kind(self, domain: Domain | GameDomain, others: Domains, name: str, kind: str) -> bool:
        """Whether an attribute of another domain is as this translation assumes."""
        value = getattr(domain, name, None)
        if not (others or name == MAX_ACTIONS or name in domain.fixed):  # the usual cases, in a fraction of the time
            if type(value) is ArrayView:
                return can_be_held(value.array) and _kind(value.array) == kind
            if type(value) is int and LEAST <= value <= MOST:
                return _name_of_range(value, is_counted=name in self.counted) == kind
        if name in self.reads and not _is_number_or_array(domain, name):
            return False
        return _known_by((domain, *others), name, is_counted=name in self.counted) == kind

    def digest_with(self, identity: tuple[str, ...], others: tuple[object, ...]) -> str:
        """A hash of everything that the compiled code depends on: the code, the identity of states, and others."""
        known = self._digests.get((identity, others))
        if known is None:
            digest = hashlib.sha256(f"{self.source_digest}{identity}{others}".encode())
            for attribute, kind in sorted(self.kinds.items()):
                digest.update(f"{attribute}:{kind};".encode())
            known = self._digests[identity, others] = digest.hexdigest()[:16]
        return known

    def digest_of_texts(self) -> str:
        """A hash of the code."""
        digest = hashlib.sha256()
        for text in self._texts:
            digest.update(f"{len(text)} {text}".encode())
        return digest.hexdigest()


FIRST_SITE = 1001
"""Return codes below this are errors without a place in the user's code."""


def _code_of(function: types.FunctionType) -> tuple[object, ...]:
    return function.__code__, repr(function.__defaults__)  # 1 and 1.0 are different defaults


def _is_member(domain: Domain | GameDomain, name: str, member: object) -> bool:
    return name not in vars(domain) and _written(type(domain), name) is member


def _written(kind: type, name: str) -> object:
    """A member of a class as it is written there; None without one."""
    for one in kind.__mro__:
        if name in one.__dict__:
            return one.__dict__[name]
    return None


def _found(names: Names, path: str) -> object:
    """What is at the top of a module, or an attribute of it."""
    first, *others = path.split(".")
    found = names.get(first, MISSING)
    if found is MISSING and first in ALLOWED_BUILTINS and is_patched(first):
        return getattr(builtins, first, None)
    for name in others:
        found = getattr(found, name, MISSING)
    return found


def _is_same(one: object, other: object) -> bool:
    return one is other or (type(one) is type(other) and isinstance(one, (*NUMBERS, tuple)) and repr(one) == repr(other))


_FIELD = type(vars(namedtuple("_AnyTuple", "field"))["field"])
"""The type of the properties of a NamedTuple."""


_TRANSLATED: dict[tuple[object, ...], list[Translation]] = {}
"""The translations of this process, by class and methods: most searches are of a domain that was searched before."""


def translate(domain: Domain | GameDomain, methods: Mapping[str, Method], others: Domains = ()) -> Translation:
    """Translate methods of a domain, given by the engine's names for them. others: domains that share the code.

    Raises CompileError that names the file, line and method, the construct that cannot be compiled, and what to write
    instead.
    """
    if isinstance(domain, RestatedDomain):
        return _of_restated(domain, methods)
    check_state_class(domain)
    functions = {name: _function_of(domain, name, method) for name, method in methods.items()}
    bits = {name: width for name, width in domain.bits.items() if name in domain.State._fields}
    unchecked = _is_unchecked(domain, functions)
    lengths = tuple((field.name, field.length) for field in state_fields(domain) if field.length is not None)
    key = (type(domain), tuple(sorted(bits.items())), unchecked, lengths, *functions.items())
    variants = _TRANSLATED.setdefault(key, [])
    known = next((variant for variant in variants if variant.holds_for(domain, others)), None)
    if known is None:
        words = frozenset(name for name, width in bits.items() if width == WORD_BITS and domain.greatest_int > MOST)
        known = _translate(Translation(domain, domain.State, others, originals=functions, words=words))
        known.unchecked = unchecked
        variants.append(known)
        del variants[:-MOST_VARIANTS]
    known = _for_few_actions(known, domain, others)
    translation = copy(known)  # replace() takes twenty times as long
    translation.domain, translation.others = domain, others
    translation.digest = known.digest_with(tuple(domain.identity), key[1:4])
    return translation


def _of_restated(domain: RestatedDomain, methods: Mapping[str, Method]) -> Translation:
    """The translation for a restated domain: that of the methods of the original one."""
    original, objective = domain.original, domain.objective
    given = {name: getattr(type(original), name) for name in methods if name != "estimate"}
    estimate = methods["estimate"]
    given["estimate"] = estimate.original if isinstance(estimate, RestatedEstimate) else estimate
    more = {"end_cost": objective.has_end_cost, "most_gain": objective.has_gains}
    given |= {name: getattr(type(original), name) for name in preparing(original)}
    given |= {name: getattr(type(original), name) for name, is_needed in more.items() if is_needed}
    within = translate(original, given)
    translation = copy(within)
    translation.domain, translation.within = domain, within
    translation.restates = isinstance(estimate, RestatedEstimate)
    translation.functions = {name: within.functions[name] for name in (*methods, *preparing(original))}
    told = within.digest, objective, domain.State._fields, tuple(domain.identity), translation.restates
    translation.digest = hashlib.sha256(repr(told).encode()).hexdigest()[:16]
    return translation


def _for_few_actions(usual: Translation, domain: Domain | GameDomain, others: Domains) -> Translation:
    """The translation for the given domains: the usual one, or one that assumes fewer actions if that proves more shifts.

    Packed fields make the difference: `state.stack >> 4 * action` needs no care with up to 16 actions.
    """
    if usual.far_shifts == 0 or MAX_ACTIONS not in usual.attributes or usual.is_constant(MAX_ACTIONS):
        return usual
    domains = domain, *others
    least_range = range_of(domains, MAX_ACTIONS, is_counted=True, few_actions=True)
    if least_range[1] == range_of(domains, MAX_ACTIONS, is_counted=True)[1]:
        return usual
    few = usual.for_few.get(str(least_range))
    if few is None:
        fresh = Translation(domain, domain.State, others, originals=usual.originals, words=usual.words, few_actions=True)
        few = usual.for_few[str(least_range)] = _translate(fresh)
        few.unchecked = usual.unchecked
    return few if few.far_shifts < usual.far_shifts else usual


def _is_unchecked(domain: Domain | GameDomain, functions: Mapping[str, Method]) -> bool:
    """Whether the author of all these methods, not only of some that others have replaced, declares that they need no
    checks."""
    if not domain.unchecked or "unchecked" in vars(domain):
        return bool(domain.unchecked)
    classes = type(domain).__mro__
    claimed = next(place for place, one in enumerate(classes) if "unchecked" in vars(one))
    for name in _reached(domain, functions.values()):
        defined = next((place for place, one in enumerate(classes) if name in vars(one)), len(classes))
        if defined < claimed:
            return False
    return True


def _reached(domain: Domain | GameDomain, functions: Iterable[Method]) -> set[str]:
    """The names of some methods, and of those that they call."""
    found: set[str] = set()
    waiting = list(functions)
    while waiting:
        function = waiting.pop()
        name = getattr(function, "__name__", "")
        if name not in found and isinstance(function, types.FunctionType):  # anything else is refused when it is compiled
            found.add(name)
            called = [inspect.getattr_static(type(domain), other, None) for other in names_in(function.__code__)]
            members = (getattr(member, "__func__", member) for member in called)
            waiting += [member for member in members if isinstance(member, types.FunctionType)]
    return found


MOST_VARIANTS = 16
"""The number of translations of the same methods, for attributes of other kinds, that are kept."""


def is_constant(domains: Domains, attribute: str) -> bool:
    """Whether an attribute is compiled in: one that is fixed, or a number of actions that belongs to the class."""
    if attribute in domains[0].fixed:
        return True
    if attribute != MAX_ACTIONS or any(MAX_ACTIONS in vars(domain) for domain in domains):
        return False
    return len({repr(domain.compiled_value(MAX_ACTIONS)) for domain in domains}) == 1


def _known_by(domains: Domains, attribute: str, *, is_counted: bool, few_actions: bool = False) -> str:
    """The assumptions of compiled code about an attribute."""
    value = domains[0].compiled_value(attribute)
    kind = _kind(value)
    if is_wide(domains[0], value):
        return "wide"
    if is_constant(domains, attribute):
        return f"{kind}{value.shape}" if hasattr(value, "dtype") else repr(value)
    if kind != "int":
        return kind
    return f"int{range_of(domains, attribute, is_counted=is_counted, few_actions=few_actions)}"


_OF_TUPLES = frozenset(
    f"__{name}__"
    for name in ("new", "init", "eq", "ne", "hash", "lt", "le", "gt", "ge", "getitem", "iter", "len", "bool", "contains")
) | {"__getattribute__", "__getattr__"}


def check_state_class(domain: Domain | GameDomain) -> None:
    """Raise NotCompilableError for a State that is not a plain NamedTuple: compiled code would ignore its methods."""
    for one in domain.State.__mro__:
        if one is tuple:
            return
        changed = _changed_members(one, domain.State._fields)
        if changed:
            raise NotCompilableError(
                f"{type(domain).__name__}.State defines {', '.join(sorted(changed))}, which compiled code would ignore; "
                "omit such definitions, or use engine='python'"
            )
        if one.__bases__ == (tuple,):
            _check_defaults(domain, one)


def _changed_members(one: type, fields: Sequence[str]) -> set[str]:
    """Those members of a NamedTuple with these fields, or of a base class, that change what it means as a tuple."""
    changed = set(vars(one)) & (_OF_TUPLES | set(fields))
    if one.__bases__ == (tuple,):  # the NamedTuple itself, which has a __new__ and a property for each field
        changed -= _as_namedtuple_made(one, fields)
    return changed


def _check_defaults(domain: Domain | GameDomain, kind: type) -> None:
    """Raise NotCompilableError if a State is made with other defaults than _field_defaults, which compiled code reads."""
    made: Any = kind.__new__
    last = domain.State._fields[len(domain.State._fields) - len(made.__defaults__ or ()) :]
    defaults = dict(zip(last, made.__defaults__ or (), strict=False))
    known = domain.State._field_defaults
    if repr(sorted(defaults.items())) != repr(sorted(known.items())):  # 1 and True are different defaults
        raise NotCompilableError(
            f"{type(domain).__name__}.State.__new__.__defaults__ gives {shown(defaults)}, but _field_defaults, which compiled code "
            f"reads, is {shown(known)}; write the defaults in the class, or use engine='python'"
        )


def _as_namedtuple_made(kind: type, fields: Sequence[str]) -> set[str]:
    """Those members of a NamedTuple that are still the ones that it was made with."""
    members = vars(kind)
    made = {name for place, name in enumerate(fields) if _place_read_by(members[name]) == place}
    maker: Any = kind.__new__
    module = getattr(maker, "__globals__", {}).get("__name__", "")  # namedtuple() gives __new__ one of its own
    is_made = module.startswith("namedtuple_") and _calls_of(maker) == _calls_that_make(len(fields))
    return made | {"__new__"} if is_made else made


@cache
def _calls_that_make(fields: int) -> tuple[bytes, tuple[str, ...]]:
    """What the __new__ of a NamedTuple with this number of fields calls; to make one takes as long as a small search."""
    return _calls_of(namedtuple("_Same", [f"field{number}" for number in range(fields)]).__new__)


def _calls_of(function: Any) -> tuple[bytes, tuple[str, ...]]:
    return function.__code__.co_code, function.__code__.co_names


def _place_read_by(member: Any) -> int | None:
    """The place of the field that a property of a NamedTuple reads; None for another member."""
    return member.__reduce__()[1][0] if type(member) is _FIELD else None


def _function_of(domain: Domain | GameDomain, name: str, method: Method) -> Any:
    """The function that is compiled for a method of a domain.

    Raises NotCompilableError if the domain object has replaced it.
    """
    owner = getattr(method, "__self__", None)
    function = getattr(method, "__func__", method)
    function = getattr(function, COMPILED_FORM, function)
    own = vars(domain).get(getattr(function, "__name__", name))
    own_name = getattr(function, "__name__", name)
    if isinstance(_written(type(domain), own_name), staticmethod):
        raise NotCompilableError(
            f"{type(domain).__name__}.{own_name} is a static method; write it as a plain method, or use engine='python'"
        )
    if owner is type(domain):
        raise NotCompilableError(
            f"{type(domain).__name__}.{name} is a class method; write it as a plain method, or use engine='python'"
        )
    if (owner is not None and owner is not domain) or own is not None:
        why = why_not_on_object(domain, getattr(function, "__name__", name))
        raise NotCompilableError(f"{why}, or use engine='python'")
    return function


def _translate(translation: Translation) -> Translation:
    domain = translation.domain
    translation.counted.add(MAX_ACTIONS)
    for name, function in translation.originals.items():
        count = ARGUMENTS.get(name, 2) + (name == "step" and "prepare" in translation.originals)
        translation.functions[name] = _translated(translation, function, FIRST_ARGUMENT, count, name)
        translation.add_text(name)
    translation.kinds = {
        name: _known_by(
            translation.domains, name, is_counted=name in translation.counted, few_actions=translation.few_actions
        )
        for name in translation.attributes
    }
    translation.code_digest = translation.digest_of_texts()
    translation.add_text(repr((type(domain).__module__, type(domain).__qualname__, domain.State._fields)))
    translation.source_digest = translation.digest_of_texts()
    return translation


ARGUMENTS = {"step": 3, "play": 3, "order": 3, "image": 3, "block_step": 3, "turned": 3}
"""The number of arguments, including self, of methods that do not take two."""


def _is_number_or_array(domain: Domain | GameDomain, attribute: str) -> bool:
    """Whether compiled code can read an attribute."""
    if not hasattr(domain, attribute):
        return False
    value = domain.compiled_value(attribute)
    if is_numpy_number(getattr(domain, attribute)):
        return False
    if getattr(value, "dtype", None) is not None:
        return can_be_held(value) and isinstance(getattr(domain, attribute), ArrayView)
    if isinstance(value, tuple):
        return is_tuple_of_ints(value)
    return is_number(value) and (
        not isinstance(value, int) or LEAST <= value <= domain.greatest_int or is_wide(domain, value)
    )


def _kind(value: object) -> str:
    dtype = getattr(value, "dtype", None)
    if dtype is not None:
        return f"{_name_of(dtype)}{getattr(value, 'ndim', 0)}"
    if isinstance(value, tuple):
        return f"tuple{len(value)}"
    if isinstance(value, int):
        return "word" if value > MOST else "int"
    return type(value).__name__


@cache
def _name_of(dtype: object) -> str:
    return str(dtype)


def _name_of_range(value: int, *, is_counted: bool) -> str:
    """What _known_by() says of an int that is neither compiled in nor the number of actions."""
    ranges = _RANGES if is_counted else _RANGES_OF_BITS
    return next(f"int{known}" for known in ranges if known[0] <= value < known[1])


def range_of(domains: Domains, attribute: str, *, is_counted: bool, few_actions: bool = False) -> tuple[int, int]:
    """The range, first and last + 1, that compiled code assumes for an attribute: one of few, to serve many instances.

    is_counted: whether methods rely on a narrow range. Loops and shifts often end at max_actions, so its range is narrow,
    which allows more proofs: below 64, an action is a bit of a word. few_actions: whether it is narrower still.
    """
    values = [value for domain in domains if isinstance(value := domain.compiled_value(attribute), int)]
    ranges = _RANGES if is_counted else _RANGES_OF_BITS
    if attribute == MAX_ACTIONS:
        is_narrow = few_actions or is_constant(domains, attribute)
        ranges = *(_FEW_ACTIONS if is_narrow else ()), _BITS_OF_A_WORD, *_RANGES
    return next(known for known in ranges if known[0] <= min(values) and max(values) < known[1])


MAX_ACTIONS = "max_actions"
_RANGES = ((0, 1 << 16), (-(1 << 31), 1 << 31), (LEAST, WORD))
_RANGES_OF_BITS = ((0, MOST), (LEAST, WORD))
_BITS_OF_A_WORD = 0, 64
_FEW_ACTIONS = ((0, 8), (8, 16), (16, 64))


def _translated(
    translation: Translation,
    function: types.FunctionType,
    self_name: str | None,
    count: int | None,
    member: str | None = None,
) -> types.FunctionType:
    """A function that can be compiled. self_name: the name of its first argument, if that is the domain."""
    check_is_function(function, f"{type(translation.domain).__name__}.{member}" if member else repr(function))
    place = Place(function)
    if getattr(function, "__closure__", None) and not hasattr(function, "__wrapped__"):
        names = ", ".join(function.__code__.co_freevars)
        if "__class__" in function.__code__.co_freevars:
            raise place.fail(None, "it uses super(); put the shared code into a method of its own, and call that")
        raise place.fail(None, f"it reads {names} from an enclosing function; put such values on self, or at module level")
    definition = definition_of(function)
    translation.note_code(function)
    own_self = _check_arguments(definition, place, is_method=self_name is not None)
    rewriter = Rewriter(translation, function, own_self, member)
    defaults = _defaults(definition, function, place, count, is_method=self_name is not None)
    definition.body = [*defaults, *without_docstring(definition.body)]
    definition.body = rewriter.body(definition) or [ast.Pass()]
    if self_name is not None:
        definition.args.args[0].arg = self_name
    definition.name = function.__name__
    module = ast.fix_missing_locations(ast.Module([definition], []))
    translation.add_text(ast.unparse(definition))
    namespace: Names = {}
    exec(compile(module, place.file, "exec"), namespace)
    return types.FunctionType(namespace[definition.name].__code__, {}, function.__name__)


def _check_arguments(definition: ast.FunctionDef, place: Place, *, is_method: bool) -> str | None:
    """The name of the first argument, if that is the domain. Annotations are dropped."""
    arguments = definition.args
    if arguments.vararg or arguments.kwarg or arguments.kwonlyargs or arguments.posonlyargs:
        raise place.fail(
            definition, "it has *args, **kwargs, keyword-only or positional-only parameters; use ordinary parameters"
        )
    if is_method and not arguments.args:
        raise place.fail(definition, "it has no parameter self; add self as the first parameter")
    definition.returns = None
    for argument in arguments.args:
        argument.annotation = None
    return arguments.args[0].arg if is_method else None


def _defaults(
    definition: ast.FunctionDef, function: types.FunctionType, place: Place, count: int | None, *, is_method: bool
) -> list[ast.stmt]:
    """Assignments for the arguments that the engine omits; elsewhere omitted arguments are filled in at the call."""
    defaults, definition.args.defaults = function.__defaults__ or (), []
    if not is_method:
        return []
    wanted = count or 2
    arguments = definition.args.args
    given = len(arguments) - len(defaults)
    if not given <= wanted <= len(arguments):
        raise place.fail(
            definition,
            f"it takes {counted(len(arguments) - 1, 'argument')} besides self, but the engine passes {wanted - 1}",
        )
    left_out = [argument.arg for argument in arguments[wanted:]]
    del arguments[wanted:]
    made: list[ast.stmt] = []
    for name, value in zip(left_out, defaults[len(defaults) - len(left_out) :], strict=True):
        if not is_number(value):
            raise place.fail(definition, f"its argument {name} has the default {value!r}; use a number")
        made.append(ast.copy_location(ast.Assign([ast.Name(name, ast.Store())], ast.Constant(as_plain(value))), definition))
    return made


__all__ = ["CompileError", "Place", "Site", "Translation", "translate"]

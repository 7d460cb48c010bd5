"""From the methods of a Domain to plain functions that can be compiled, or to an error that says why they cannot.

The functions have the methods' own lines (so errors point at them). `self` becomes a tuple of the ints, floats and arrays of the
domain that the methods read; rewriting.py replaces each operation by a call of arithmetic.py; and the numbers and functions at the
top of the module become part of the code.
"""

from __future__ import annotations

import ast
import hashlib
import types
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from bestfirst.array_attributes import can_be_held
from bestfirst.compiled.compiler.rewriting import FIRST_ARGUMENT, LEAST, MISSING, MOST, NUMBERS, WORD, Rewriter, is_number
from bestfirst.compiled.compiler.source import Place, check_is_function, definition_of
from bestfirst.errors import CompileError, NotCompilableError

if TYPE_CHECKING:
    from bestfirst.games.domain import GameDomain
    from bestfirst.problem import Domain

WORD_BITS = 64


@dataclass(frozen=True)
class Site:
    """The place of an operation in the user's code."""

    file: str
    line: int
    function: str


@dataclass
class Translation:
    """What the methods of one domain become.

    functions: the plain functions by the names given to translate(); originals: the methods that they were made from.
    state_class: its State as it was then; a class can be given another one.
    called: the functions at the top of a module that they call, by their names in the code, each after those that it calls itself.
    reads: the attributes of self that they read; kinds: what the code takes for granted of each.
    words: the fields of the state that take all 64 bits. sites: the places of the operations, in their order.
    digest: a hash of all that the compiled code depends on. compiled: what domain_methods.py has made of it.
    """

    domain: Domain | GameDomain
    state_class: type
    functions: dict[str, types.FunctionType] = field(default_factory=dict)
    originals: dict[str, types.FunctionType] = field(default_factory=dict)
    reads: set[str] = field(default_factory=set)
    called: dict[str, types.FunctionType] = field(default_factory=dict)
    words: frozenset[str] = frozenset()
    unchecked: bool = False
    sites: list[Site] = field(default_factory=list)
    source_digest: str = ""
    digest: str = ""
    kinds: dict[str, str] = field(default_factory=dict)
    compiled: dict[tuple[str, ...], dict[str, Any]] = field(default_factory=dict)
    _globals: dict[tuple[int, str], tuple[dict[str, Any], object]] = field(default_factory=dict)
    _codes: dict[types.FunctionType, tuple[Any, ...]] = field(default_factory=dict)
    _helpers: dict[types.FunctionType, str] = field(default_factory=dict)
    _callers: list[types.FunctionType] = field(default_factory=list)
    _texts: list[str] = field(default_factory=list)

    @property
    def has_words(self) -> bool:
        """Whether its numbers may be ints of 64 bits without a sign."""
        return bool(self.words) or self.domain.greatest_int > MOST

    @property
    def most_actions(self) -> int:
        """Beyond the greatest number of an action, as compiled code may take it for granted."""
        return range_of(getattr(self.domain, "max_actions", 0), "max_actions")[1]

    def known_of(self, name: str, value: int) -> tuple[int, int]:
        """The least and the greatest value of an attribute, as compiled code may take it for granted."""
        if name in self.domain.fixed:
            return int(value), int(value)
        least, beyond = range_of(value, name)
        return least, beyond - 1

    def site_of(self, place: Place, node: ast.AST) -> int:
        """The number of a new site."""
        self.sites.append(Site(place.file, getattr(node, "lineno", place.first_line), place.name))
        return FIRST_SITE + len(self.sites) - 1

    def site(self, number: int) -> Site | None:
        """The site of a number."""
        place = number - FIRST_SITE
        return self.sites[place] if 0 <= place < len(self.sites) else None

    def note_global(self, names: dict[str, Any], name: str, value: object) -> None:
        """Note that the code depends on what is at the top of a module. name: of that, or `Class.attribute`."""
        self._globals[id(names), name] = names, value

    def helper(self, function: types.FunctionType, place: Place, node: ast.AST, name: str) -> str:
        """The name that a function at the top of a module has in the code; it is translated too."""
        if function in self._callers:
            raise place.fail(node, f"it calls {name}, which calls itself; write it as a loop")
        if function not in self._helpers:
            self._callers.append(function)
            code_name = f"helper{len(self._helpers)}_{function.__name__}"
            self._helpers[function] = code_name
            try:
                self.called[code_name] = _translated(self, function, None, None)
            finally:
                self._callers.pop()
        return self._helpers[function]

    def note_code(self, function: types.FunctionType) -> None:
        """Note that the code depends on that of a function, which can be replaced in it."""
        self._codes[function] = _code_of(function)

    def add_text(self, text: str) -> None:
        """Add a part of the code to what the digest is made from."""
        self._texts.append(text)

    def holds_for(self, domain: Domain | GameDomain) -> bool:
        """Whether another translation would give the same but for the kinds of the attributes."""
        return (
            domain.State is self.state_class
            and all(_is_same(_found(names, name), value) for (_, name), (names, value) in self._globals.items())
            and all(_code_of(function) == code for function, code in self._codes.items())
            and all(
                _is_number_or_array(domain, name) and _known_by(domain, name) == kind for name, kind in self.kinds.items()
            )
        )

    def digest_of_texts(self) -> str:
        """A hash of the code."""
        digest = hashlib.sha256()
        for text in self._texts:
            digest.update(f"{len(text)} {text}".encode())
        return digest.hexdigest()


FIRST_SITE = 1001
"""Codes below stand for errors that have no place in the user's code."""


def _code_of(function: types.FunctionType) -> tuple[Any, ...]:
    return function.__code__, function.__defaults__


def _found(names: dict[str, Any], path: str) -> object:
    """What is at the top of a module, or an attribute of it."""
    first, *others = path.split(".")
    found = names.get(first, MISSING)
    for name in others:
        found = getattr(found, name, MISSING)
    return found


def _is_same(one: object, other: object) -> bool:
    return one is other or (type(one) is type(other) and isinstance(one, (*NUMBERS, tuple)) and repr(one) == repr(other))


_TRANSLATED: dict[tuple[Any, ...], list[Translation]] = {}
"""What this process has translated, by the class and the methods: most searches are of a domain that has been searched before."""


def translate(domain: Domain | GameDomain, methods: Mapping[str, Callable[..., Any]]) -> Translation:
    """Translate methods of a domain, given by the names that the engine has for them.

    Raises CompileError that names the file, line and method, what cannot be compiled, and what to write instead.
    """
    check_state_class(domain)
    functions = {name: _function_of(domain, name, method) for name, method in methods.items()}
    bits = {name: width for name, width in domain.bits.items() if name in domain.State._fields}
    actions = range_of(getattr(domain, "max_actions", 0), "max_actions")
    unchecked = _is_unchecked(domain, functions)
    key = (type(domain), tuple(sorted(bits.items())), actions, unchecked, *functions.items())
    variants = _TRANSLATED.setdefault(key, [])
    known = next((variant for variant in variants if variant.holds_for(domain)), None)
    if known is None:
        words = frozenset(name for name, width in bits.items() if width == WORD_BITS)
        known = _translate(domain, functions, words)
        known.unchecked = unchecked
        variants.append(known)
        del variants[:-MOST_VARIANTS]
    digest = hashlib.sha256(f"{known.source_digest}{tuple(domain.identity)}{key[1:4]}".encode())
    for attribute, kind in sorted(known.kinds.items()):
        digest.update(f"{attribute}:{kind};".encode())
    return replace(known, domain=domain, digest=digest.hexdigest()[:16])


def _is_unchecked(domain: Domain | GameDomain, functions: Mapping[str, Any]) -> bool:
    """Whether the author of all these methods, and not only of some that others have replaced, says that they need no checks."""
    if not domain.unchecked or "unchecked" in vars(domain):
        return bool(domain.unchecked)
    classes = type(domain).__mro__
    claimed = next(place for place, one in enumerate(classes) if "unchecked" in vars(one))
    for function in functions.values():
        name = getattr(function, "__name__", "")
        defined = next((place for place, one in enumerate(classes) if name in vars(one)), len(classes))
        if defined < claimed:
            return False
    return True


MOST_VARIANTS = 16
"""The translations of the same methods, for attributes of other kinds, that are kept."""


def _known_by(domain: Domain | GameDomain, attribute: str) -> str:
    """What compiled code takes for granted of an attribute."""
    value = domain.data(attribute)
    if attribute in domain.fixed:
        return f"{_kind(value, attribute)}{value.shape}" if hasattr(value, "dtype") else repr(value)
    return _kind(value, attribute)


_OF_TUPLES = frozenset(
    f"__{name}__"
    for name in ("new", "init", "eq", "ne", "hash", "lt", "le", "gt", "ge", "getitem", "iter", "len", "bool", "contains")
) | {"__getattribute__", "__getattr__"}


def check_state_class(domain: Domain | GameDomain) -> None:
    """Raise NotCompilableError for a class of states that are not plain tuples: compiled code would ignore what it says of them."""
    for one in domain.State.__mro__:
        if one is tuple:
            return
        changed = set(vars(one)) & (_OF_TUPLES | set(domain.State._fields))
        if one.__bases__ == (tuple,):  # the NamedTuple itself, which has a property for each field
            changed -= {"__new__", *domain.State._fields}
        if changed:
            raise NotCompilableError(
                f"State of {type(domain).__name__} defines {', '.join(sorted(changed))}, which compiled code would ignore; "
                "leave that out, or give engine='python'"
            )


COMPILED_FORM = "compiled_form"
"""The attribute by which a decorator says what compiled code has in the place of the function that it gives."""


def _function_of(domain: Domain | GameDomain, name: str, method: Any) -> Any:
    """The function that is compiled for a method of a domain.

    Raises NotCompilableError where the domain object has another one of its own in its place.
    """
    owner = getattr(method, "__self__", None)
    function = getattr(method, "__func__", method)
    function = getattr(function, COMPILED_FORM, function)
    own = vars(domain).get(getattr(function, "__name__", name))
    if owner is type(domain):
        raise NotCompilableError(
            f"{name} of {type(domain).__name__} is a class method; write it as a plain method, or give engine='python'"
        )
    if (owner is not None and owner is not domain) or own is not None:
        kind = type(domain).__name__
        raise NotCompilableError(
            f"{getattr(function, '__name__', name)} is set on the {kind} object, and compiled code has that of the class; "
            f"define it in a subclass of {kind}, or give engine='python'"
        )
    return function


def _translate(domain: Domain | GameDomain, functions: dict[str, types.FunctionType], words: frozenset[str]) -> Translation:
    translation = Translation(domain, domain.State, originals=functions, words=words)
    translation.add_text(repr((type(domain).__module__, type(domain).__qualname__, domain.State._fields)))
    for name, function in functions.items():
        translation.functions[name] = _translated(translation, function, FIRST_ARGUMENT, ARGUMENTS.get(name), name)
    translation.kinds = {name: _known_by(domain, name) for name in translation.reads}
    translation.source_digest = translation.digest_of_texts()
    return translation


ARGUMENTS = {"step": 3, "play": 3, "order": 3, "image": 3, "block_step": 3, "turned": 3}
"""How many arguments the methods take that do not take two, with self."""


def _is_number_or_array(domain: Domain | GameDomain, attribute: str) -> bool:
    """Whether an attribute is one that compiled code can read."""
    if not hasattr(domain, attribute):
        return False
    value = domain.data(attribute)
    if getattr(value, "dtype", None) is not None:
        return can_be_held(value)
    return is_number(value) and (not isinstance(value, int) or LEAST <= value <= domain.greatest_int)


def _kind(value: object, attribute: str) -> str:
    dtype = getattr(value, "dtype", None)
    if dtype is not None:
        return f"{dtype}{getattr(value, 'ndim', 0)}"
    if isinstance(value, int):
        return "word" if value > MOST else f"int{range_of(value, attribute)}"
    return type(value).__name__


def range_of(value: int, attribute: str) -> tuple[int, int]:
    """The range, first and last + 1, that compiled code takes for granted of an attribute: one of few, to serve many instances.

    Loops and shifts often end at max_actions, so its range is narrow: then more can be proved of them.
    """
    ranges = (*_FEW_ACTIONS, *_RANGES) if attribute == "max_actions" else _RANGES
    return next(known for known in ranges if known[0] <= value < known[1])


_RANGES = ((0, 1 << 16), (-(1 << 31), 1 << 31), (LEAST, WORD))
_FEW_ACTIONS = ((0, 8), (8, 16), (16, 64))


def _translated(
    translation: Translation,
    function: types.FunctionType,
    self_name: str | None,
    count: int | None,
    member: str | None = None,
) -> types.FunctionType:
    """A function that can be compiled. self_name: what becomes of its first argument, where that is the domain."""
    check_is_function(function)
    place = Place(function)
    if getattr(function, "__closure__", None) and not hasattr(function, "__wrapped__"):
        names = ", ".join(function.__code__.co_freevars)
        raise place.fail(None, f"it reads {names} of the function around it; put that on self, or at the top of the module")
    definition = definition_of(function)
    translation.note_code(function)
    own_self = _check_arguments(definition, place, is_method=self_name is not None)
    rewriter = Rewriter(translation, function, own_self, member)
    body = [*_defaults(definition, function, place, count, is_method=self_name is not None), *definition.body]
    definition.body = body
    definition.body = rewriter.body(definition) or [ast.Pass()]
    if self_name is not None:
        definition.args.args[0].arg = self_name
    definition.name = function.__name__
    module = ast.fix_missing_locations(ast.Module([definition], []))
    translation.add_text(ast.unparse(definition))
    namespace: dict[str, Any] = {}
    exec(compile(module, place.file, "exec"), namespace)
    return types.FunctionType(namespace[definition.name].__code__, {}, function.__name__)


def _check_arguments(definition: ast.FunctionDef, place: Place, *, is_method: bool) -> str | None:
    """The name of the first argument, if that is the domain. Annotations are dropped."""
    arguments = definition.args
    if arguments.vararg or arguments.kwarg or arguments.kwonlyargs or arguments.posonlyargs:
        raise place.fail(definition, "it takes arguments by star or by keyword only; write plain arguments")
    if is_method and not arguments.args:
        raise place.fail(definition, "it takes no self; write it as a method")
    definition.returns = None
    for argument in arguments.args:
        argument.annotation = None
    return arguments.args[0].arg if is_method else None


def _defaults(
    definition: ast.FunctionDef, function: types.FunctionType, place: Place, count: int | None, *, is_method: bool
) -> list[ast.stmt]:
    """Assignments in place of the arguments that the engine leaves out; where they are left out is part of the call elsewhere."""
    defaults, definition.args.defaults = function.__defaults__ or (), []
    if not is_method:
        return []
    wanted = count or 2
    arguments = definition.args.args
    given = len(arguments) - len(defaults)
    if not given <= wanted <= len(arguments):
        raise place.fail(
            definition, f"it takes {len(arguments) - 1} arguments beside self, and the engine gives {wanted - 1}"
        )
    left_out = [argument.arg for argument in arguments[wanted:]]
    del arguments[wanted:]
    made: list[ast.stmt] = []
    for name, value in zip(left_out, defaults[len(defaults) - len(left_out) :], strict=True):
        if not isinstance(value, NUMBERS):
            raise place.fail(definition, f"its argument {name} is {value!r} unless given; use a number")
        made.append(ast.copy_location(ast.Assign([ast.Name(name, ast.Store())], ast.Constant(value)), definition))
    return made


__all__ = ["CompileError", "Place", "Site", "Translation", "translate"]

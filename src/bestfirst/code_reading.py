"""Which names the members of a class read: in their own code, and in the functions that they call.

Claims depend on it: if a subclass changes `price = 1`, the rules change only if one of them reads `price`.
"""

from __future__ import annotations

import dis
import functools
import operator
import re
import sys
from collections import ChainMap, UserDict, UserList, defaultdict, deque
from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from contextlib import suppress
from functools import cache
from itertools import chain, islice, pairwise
from pathlib import Path
from types import CodeType, FunctionType, MappingProxyType, MemberDescriptorType, MethodType, ModuleType, SimpleNamespace
from typing import Any, NamedTuple

from bestfirst.attribute_access import access_of, parameters_of
from bestfirst.cached import cached_property

_NOT_FOLLOWED = sys.stdlib_module_names | {__name__.partition(".")[0], "numpy", "numba"}
"""Packages whose functions read nothing of a user's class by its name."""
_INSIDE = ("__func__", "fget", "func", "__wrapped__", "said")
"""Where methods, properties, partial and decorated functions, and claims keep the function that they call."""


_BY_TEXT = {"setattr", "__setattr__", "__dict__", "vars"}
"""What sets an attribute whose name is given by a text."""
_WITH_FUNCTIONS = (FunctionType, functools.singledispatchmethod, SimpleNamespace, ChainMap, UserDict, UserList)
"""Types of Python whose objects have attributes of their own: functools.singledispatch() keeps its functions there."""
_OF_PYTHON = (classmethod, staticmethod, property, MethodType)
_PLAIN = frozenset((int, float, complex, bool, str, bytes, type(None)))
_CONTAINERS = (list, tuple, set, frozenset, deque)
_MAPPINGS = (dict, MappingProxyType)
_GETTERS = (operator.attrgetter, operator.methodcaller)
_READING_NOTHING = (*_GETTERS, operator.itemgetter, type(vars(NamedTuple("_", [("field", int)]))["field"]))
"""Types whose objects read no attributes of the class but those that they show: those of named tuples' fields are the last."""
_BY_ANY_NAME = frozenset((getattr, hasattr, vars, dir, eval, exec, *_GETTERS))
_WITHOUT_NAMES = sys.stdlib_module_names | {"numpy"}
_INSTALLED = {"site-packages", "dist-packages"}
MOST_ALIKE = 100
MOST_LOOKED_AT = 50_000
MOST_VALUES = 5_000
"""Of a table, the number of values of one type, and of all types, that are looked at; and the number of functions and tables in
all. Where rules reach more of these, they may read anything."""
_CALLED_BY_PYTHON = re.compile(r"__\w+__")
_NEVER_READ = frozenset(
    (
        "__init__",
        "__new__",
        "__post_init__",
        "__init_subclass__",
        "__class_getitem__",
        "__set_name__",
        "__repr__",
        "__str__",
        "__dir__",
        "__reduce__",
        "__reduce_ex__",
        "__getstate__",
        "__setstate__",
        "__copy__",
        "__deepcopy__",
        "__del__",
        "__setattr__",
        "__delattr__",
        "__subclasshook__",
        "__annotate__",
        "__annotate_func__",
        "__replace__",
        "__doc__",
        "__module__",
        "__dict__",
        "__weakref__",
        "__classcell__",
    )
)
"""Special members that make, show, copy or pickle an object; rules are not expected to depend on them."""


def read_by(kind: type, starts: Iterable[str]) -> set[str]:
    """The names that members of a class surely read: as attributes of the object, in what they call, and in what sets these."""
    reading = _SureReading(kind)
    reading.read(starts)
    return reading.names


class _SureReading:
    """The attributes of the object that code reads, be it a method of its class or a function that it is passed to."""

    def __init__(self, kind: type) -> None:
        self.names: set[str] = set()
        self._kind = kind
        self._own = frozenset(_package(one.__module__) for one in kind.__mro__)
        self._known: set[CodeType] = set()

    def read(self, names: Iterable[str]) -> None:
        waiting = list(names)
        while waiting:
            name = waiting.pop()
            if name not in self.names:
                self.names.add(name)
                members = [vars(one)[name] for one in self._kind.__mro__ if name in vars(one)]
                for function in (function for member in members or self._setting(name) for function in _kept_in(member)):
                    waiting += self._read_function(function, parameters_of(function.__code__)[:1])

    def _read_function(self, function: FunctionType, owners: Iterable[str]) -> Iterator[str]:
        if function.__code__ in self._known:
            return
        self._known.add(function.__code__)
        access = access_of(function.__code__, frozenset(owners))
        yield from access.attributes | access.names
        for value in _reached_from(function, names_in(function.__code__), self._own) if access.passes_on else ():
            if isinstance(value, FunctionType):
                yield from self._read_function(value, parameters_of(value.__code__))

    def _setting(self, name: str) -> list[Any]:
        """The methods that set an attribute of the object."""
        members = (member for one in self._kind.__mro__ for member in vars(one).values())
        return [member for member in members if any(name in stored_in(code) for code in codes_of(member))]


def reading_of(kind: type, rules: Iterable[str]) -> Reading:
    """What rules of a class read; special methods, such as __len__, belong to them, since len(self) does not name its method."""
    return Reading(kind, {*rules, *_special_methods(kind)})


def called_by(kind: type, starts: Iterable[str]) -> set[CodeType]:
    """The code of members of a class, and of those that they surely call on the object or on its class."""
    codes, waiting, known = set[CodeType](), list(starts), set[str]()
    while waiting:
        name = waiting.pop()
        if name not in known:
            known.add(name)
            found = [code for one in kind.__mro__ if name in vars(one) for code in codes_of(vars(one)[name])]
            codes.update(found)
            for code in found:
                waiting += access_of(code, frozenset((*parameters_of(code)[:1], "self", "cls"))).attributes
    return codes


def is_special_rule(kind: type, name: str, member: object) -> bool:
    """Whether a member of a class is a special method written there, which rules may call: not one that @dataclass made."""
    if not (isinstance(member, FunctionType) and _CALLED_BY_PYTHON.fullmatch(name)) or name in _NEVER_READ:
        return False
    if not _is_followed(member.__module__, {_package(kind.__module__)}):
        return False
    return not _is_generated(kind, member)


def _is_generated(kind: type, function: FunctionType) -> bool:
    """Whether @dataclass wrote a method."""
    written = function.__dict__.get("__wrapped__", function)  # __repr__ has a guard against recursion around it
    return "__dataclass_fields__" in vars(kind) and written.__code__.co_filename == "<string>"


def _special_methods(kind: type) -> Iterator[str]:
    for one in kind.__mro__:
        yield from (name for name, member in vars(one).items() if is_special_rule(one, name, member))


def functions_of(member: Any) -> list[FunctionType]:
    """The functions of a method, a property or a claim."""
    return _kept_in(member)


def codes_of(member: Any) -> list[CodeType]:
    """The code objects of a method, a property or a claim."""
    return [function.__code__ for function in _kept_in(member)]


@cache
def names_in(code: CodeType) -> frozenset[str]:
    """All names, including attributes, in a code object and those nested in it."""
    inside = (names_in(constant) for constant in code.co_consts if isinstance(constant, CodeType))
    return frozenset(code.co_names).union(*inside)


@cache
def stored_in(code: CodeType) -> frozenset[str]:
    """The names of the attributes that a code object sets, or may set by setattr(), as a frozen dataclass does."""
    by_name = (str(one.argval) for one in dis.get_instructions(code) if one.opname == "STORE_ATTR")
    return frozenset(by_name) | (_texts_in(code) if _BY_TEXT & set(code.co_names) else frozenset())


@cache
def set_on_classes(code: CodeType) -> frozenset[str]:
    """The names of the attributes that a code object, or one inside, sets on cls, on a global, or on what a call returns.

    So a class or a module sets them; a local variable is rather another object, such as a copy.
    """
    steps = pairwise(dis.get_instructions(code))
    own = {str(one.argval) for before, one in steps if one.opname in ("STORE_ATTR", "DELETE_ATTR") and _is_of_class(before)}
    inside = (set_on_classes(constant) for constant in code.co_consts if isinstance(constant, CodeType))
    return frozenset(own).union(*inside)


def _is_of_class(owner: dis.Instruction) -> bool:
    return not owner.opname.startswith(("LOAD_FAST", "LOAD_DEREF", "LOAD_CLOSURE")) or owner.argval == "cls"


@cache
def _texts_in(code: CodeType) -> frozenset[str]:
    """The strings in a code object and those nested in it: getattr() and patterns name attributes by them."""
    found: set[str] = set()
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            found |= _texts_in(constant)
        else:
            found |= {part for part in (constant if isinstance(constant, tuple) else (constant,)) if isinstance(part, str)}
    return frozenset(found)


class Reading:
    """What some members of a class read, and what these call.

    codes: of all functions that are called. own_names: the names in those of users; words: those in their texts. is_opaque:
    something that they call cannot be looked into. asks_class: they may depend on the class of the object.
    """

    def __init__(self, kind: type, starts: Iterable[str]) -> None:
        self.names: set[str] = set()
        self.own_names: set[str] = set()
        self.words: set[str] = set()
        self.codes: set[CodeType] = set()
        self.is_opaque = self.asks_class = self._catches = self._is_dynamic = False
        self._kind = kind
        self._own = frozenset(_package(one.__module__) for one in kind.__mro__)
        self._waiting, self._unread = list(starts), list[Any]()
        self._seen: dict[int, Any] = {}  # which keeps the ids from being used again
        while self._waiting or self._unread:
            while self._unread:
                self._read(self._unread.pop())
            name = self._waiting.pop() if self._waiting else ""
            if name not in self.names:
                self.names.add(name)
                self._unread += self._members(name)

    def may_read(self, name: str) -> bool:
        return (
            self.is_opaque
            or self._is_dynamic
            or name in self.names
            or name in self.words
            or (name == "__class__" and self.asks_class)
        )

    def may_miss(self, name: str) -> bool:
        return self._is_dynamic or (self._catches and (name in self.own_names or name in self.words))

    def _note(self, function: FunctionType, names: frozenset[str], owners: Iterable[str]) -> None:
        """Note how a function of a user reads attributes. owners: the variables that may refer to the object."""
        access = access_of(function.__code__, frozenset(owners))
        self.own_names |= access.attributes | access.names
        self.words |= access.names
        if access.shows:
            self._waiting += ("__str__", "__repr__", "__format__")
        self._read_imports(function, access.imports, names)
        self._is_dynamic |= _has_other_name(function, names)
        self._is_dynamic |= access.is_dynamic or (
            function.__name__ == "__getattr__" and function.__code__ in self._own_codes
        )
        self._catches |= access.may_miss
        with_kinds = access.compares_classes and any(
            hasattr(function.__globals__.get(name), "_vocabulary") for name in names
        )
        if with_kinds:  # perhaps with a pattern such as Base(goal)
            self.words |= set(getattr(self._kind, "__match_args__", ()))
        self.asks_class |= with_kinds or (access.asks_class and function.__code__ in self._own_codes)

    def _read_imports(self, function: FunctionType, imports: Iterable[str], names: Set[str]) -> None:
        """Read what a function uses of modules that it imports itself."""
        package = function.__globals__.get("__package__") or ""
        for name in imports:
            if _is_followed(name, self._own):
                module = sys.modules.get(name) or sys.modules.get(f"{package}.{name}" if name else package)
                self.is_opaque |= module is None
                self._unread += () if module is None else _members_of(module, names, self._own)

    @cached_property
    def _own_codes(self) -> set[CodeType]:
        """The code of the methods of the class."""
        return {code for one in self._kind.__mro__ for member in vars(one).values() for code in codes_of(member)}

    def _members(self, name: str) -> Sequence[Any]:
        members = [vars(one)[name] for one in self._kind.__mro__ if name in vars(one)]
        return members or self._storing.get(name, ())

    @cached_property
    def _storing(self) -> Mapping[str, Sequence[Any]]:
        """The methods that set each attribute of the object."""
        found = defaultdict(list)
        for member in (member for one in self._kind.__mro__ for member in vars(one).values()):
            for name in {name for code in codes_of(member) for name in stored_in(code)}:
                found[name].append(member)
        return found

    def _read(self, value: Any) -> None:
        """All functions that are called with a value, if it is something that can be called or does something when read."""
        if id(value) in self._seen or (
            isinstance(value, type) and value in self._kind.__mro__
        ):  # its members are read by name
            return
        if len(self._seen) > MOST_VALUES:
            self.is_opaque = True
            return
        self._seen[id(value)] = value
        kept, written = _kept_in(value), list(_written_in(value, self._own))
        self.is_opaque |= not (kept or written) and _is_hidden_code(value)
        self.asks_class |= isinstance(value, _MAPPINGS) and any(
            hasattr(key, "_vocabulary") for key in islice(value, MOST_ALIKE)
        )
        if isinstance(value, _GETTERS):
            self.words |= {word for text in value.__reduce__()[1] for word in str(text).split(".")}
        self._unread += _contained_in(value, self._own)
        for function in (*kept, *written):
            self.codes.add(function.__code__)
            names = names_in(function.__code__)
            self._waiting += names
            if _is_followed(function.__module__, self._own):
                parameters = parameters_of(function.__code__)
                is_own = function.__code__ in self._own_codes
                self._note(function, names, parameters[:1] if is_own else parameters[len(kept) == 0 :])
            self._unread += _reached_from(function, names, self._own)


def _kept_in(value: Any) -> list[FunctionType]:
    """The functions of a method, property, partial or decorated function, or claim."""
    if isinstance(value, FunctionType):
        return [value, *_kept_in(value.__dict__.get("__wrapped__"))]
    kind = type(value)
    if kind.__module__ == "builtins" and not isinstance(value, _OF_PYTHON):
        return []  # a number, a text, a table, a class, a function in C
    parts = [getattr(value, part, None) for part in _INSIDE if hasattr(kind, part) or part in _attributes(value)]
    return [function for part in parts for function in _kept_in(part)]


def _written_in(value: Any, own: Set[str]) -> Iterator[FunctionType]:
    """The functions of a user's class, or of an object of one, such as a descriptor."""
    kind = value if isinstance(value, type) else type(value)
    if _is_followed(kind.__module__, own):
        of_value: type = type(value)
        kinds = [*kind.__mro__, *(of_value.__mro__ if value is kind else ())]
        for members in (*map(vars, kinds), {} if value is kind else _attributes(value)):
            for function in (function for member in members.values() for function in _kept_in(member)):
                if _is_followed(function.__module__, own) and not _is_generated(kind, function):
                    yield function


def _contained_in(value: Any, own: Set[str]) -> Iterable[Any]:
    """What a value contains that a rule may take out and call: functions in tables and in arguments of partial ones.

    Of many values of one type, such as the rows of a table, the first ones stand for all.
    """
    kind = type(value)
    if isinstance(value, _MAPPINGS):
        inner: Iterable[Any] = chain.from_iterable(islice(value.items(), MOST_LOOKED_AT))
    elif getattr(getattr(value, "dtype", None), "kind", "") == "O":
        inner = value.ravel().tolist()
    elif isinstance(value, _CONTAINERS):
        inner = value
    elif isinstance(value, (functools.partial, functools.partialmethod)):
        inner = (*value.args, *value.keywords.values())
    elif isinstance(value, type) and _is_followed(value.__module__, own):
        inner = [member for name, member in vars(value).items() if not name.startswith("__")]
    elif _is_followed(kind.__module__, own) or kind in _WITH_FUNCTIONS:
        inner = _attributes(value).values()
    else:
        return ()
    inner = list(islice(inner, MOST_LOOKED_AT))
    kinds = set(map(type, inner)) - _PLAIN
    return [one for each in kinds for one in islice((one for one in inner if type(one) is each), _most_of(each))]


def _most_of(kind: type) -> int:
    """The number of values of a type that are looked into: each function is another one."""
    return MOST_VALUES + 1 if kind is FunctionType else MOST_ALIKE


def _attributes(value: Any) -> Mapping[str, Any]:
    """The attributes of an object, of its own and in slots."""
    held = {}
    with_slots = [kind for kind in type(value).__mro__ if "__slots__" in vars(kind)]
    for name, slot in ((name, slot) for kind in with_slots for name, slot in vars(kind).items()):
        if type(slot) is MemberDescriptorType:
            with suppress(AttributeError):  # nothing is in it
                held[name] = slot.__get__(value)
    return held | getattr(value, "__dict__", {})


def _is_followed(module: object, own: Set[str]) -> bool:
    """Whether code of a module may read attributes of a user's class by name. Libraries do not, unless they define it.

    own: the packages of the class and its bases.
    """
    package = _package(module)
    if package in _NOT_FOLLOWED:
        return False
    loaded = sys.modules.get(package)
    place = getattr(loaded, "__file__", None) or next(iter(getattr(loaded, "__path__", ())), "")
    return package in own or not _INSTALLED.intersection(Path(place).parts)


def _package(module: object) -> str:
    return str(module).partition(".")[0]


def _is_hidden_code(value: Any) -> bool:
    """Whether a value does what no Python code shows, such as operator.attrgetter(); functions written in C read no names."""
    if (
        isinstance(value, (type, MemberDescriptorType, *_READING_NOTHING))
        or _package(type(value).__module__) in _WITHOUT_NAMES
    ):
        return isinstance(value, property)
    return callable(value) or hasattr(type(value), "__get__")


def _reached_from(function: FunctionType, names: frozenset[str], own: Set[str]) -> Iterator[Any]:
    """What a function may call by another name than that of a member: helpers in closures, in defaults, and in modules."""
    is_followed = _is_followed(function.__module__, own)
    for cell in function.__closure__ or ():
        with suppress(ValueError):  # it is empty
            value = cell.cell_contents
            if is_followed or (isinstance(value, FunctionType) and _is_followed(value.__module__, own)):  # that is decorated
                yield value
    if not is_followed:
        return
    yield from function.__defaults__ or ()
    yield from (function.__kwdefaults__ or {}).values()
    for name in names & function.__globals__.keys():
        value = function.__globals__[name]
        yield from _members_of(value, names, own) if isinstance(value, ModuleType) else (value,)


def _members_of(module: ModuleType, names: Set[str], own: Set[str]) -> Iterator[Any]:
    """The members of a module, and of modules within it, that have some names."""
    waiting, seen = [module], set[int]()
    while waiting:
        inner = waiting.pop()
        if _is_followed(inner.__name__, own) and id(inner) not in seen:
            seen.add(id(inner))
            found = [vars(inner)[name] for name in names & vars(inner).keys()]
            waiting += (one for one in found if isinstance(one, ModuleType))
            yield from (one for one in found if not isinstance(one, ModuleType))


def _has_other_name(function: FunctionType, names: Set[str]) -> bool:
    """Whether a function reads by names that it works out, under another name, as with get = getattr."""
    given = (*(function.__globals__.get(name) for name in names), *(function.__defaults__ or ()))
    return any(
        value in _BY_ANY_NAME and value.__name__ not in names for value in given if callable(value) and _is_hashable(value)
    )


def _is_hashable(value: object) -> bool:
    try:
        hash(value)
    except Exception:  # of a user's class
        return False
    return True

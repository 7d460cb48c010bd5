"""Which names the members of a class read: in their own code, and in the functions that they call.

Claims depend on it: if a subclass changes `price = 1`, the rules change only if one of them reads `price`.
"""

from __future__ import annotations

import dis
import re
import sys
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from functools import cache
from itertools import islice, pairwise
from types import CodeType, FunctionType
from typing import Any

from bestfirst.attribute_access import access_of, parameters_of
from bestfirst.cached import cached_property
from bestfirst.reached_code import (
    GETTERS,
    MAPPINGS,
    MOST_ALIKE,
    MOST_VALUES,
    codes_of,
    contained_in,
    functions_of,
    has_other_name,
    is_followed,
    is_generated,
    is_hidden_code,
    members_of,
    package_of,
    reached_from,
    written_in,
)

_BY_TEXT = {"setattr", "__setattr__", "__dict__", "vars"}
"""What sets an attribute whose name is given by a text."""
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
        self._own = frozenset(package_of(one.__module__) for one in kind.__mro__)
        self._known: set[CodeType] = set()

    def read(self, names: Iterable[str]) -> None:
        waiting = list(names)
        while waiting:
            name = waiting.pop()
            if name not in self.names:
                self.names.add(name)
                members = [vars(one)[name] for one in self._kind.__mro__ if name in vars(one)]
                for function in (function for member in members or self._setting(name) for function in functions_of(member)):
                    waiting += self._read_function(function, parameters_of(function.__code__)[:1])

    def _read_function(self, function: FunctionType, owners: Iterable[str]) -> Iterator[str]:
        if function.__code__ in self._known:
            return
        self._known.add(function.__code__)
        access = access_of(function.__code__, frozenset(owners))
        yield from access.attributes | access.names
        for value in reached_from(function, names_in(function.__code__), self._own) if access.passes_on else ():
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
    if not is_followed(member.__module__, {package_of(kind.__module__)}):
        return False
    return not is_generated(kind, member)


def _special_methods(kind: type) -> Iterator[str]:
    for one in kind.__mro__:
        yield from (name for name, member in vars(one).items() if is_special_rule(one, name, member))


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

    own_names: the names of attributes in code of users; words: those in its texts. is_opaque: something that they call cannot be
    looked into. asks_class: they may depend on the class of the object.
    """

    def __init__(self, kind: type, starts: Iterable[str]) -> None:
        self.names: set[str] = set()
        self.own_names: set[str] = set()
        self.words: set[str] = set()
        self.is_opaque = self.asks_class = self._catches = self._is_dynamic = False
        self._kind = kind
        self._own = frozenset(package_of(one.__module__) for one in kind.__mro__)
        self._waiting, self._unread = list(starts), list[Any]()
        self._seen: dict[int, Any] = {}  # which keeps the ids from being used again
        while self._waiting or self._unread:
            while self._unread:
                self._read(self._unread.pop())
            name = self._waiting.pop() if self._waiting else ""
            if name not in self.names:
                self.names.add(name)
                self._unread += self._members(name)
        self._seen.clear()

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
        self._is_dynamic |= has_other_name(function, names)
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
            if is_followed(name, self._own):
                module = sys.modules.get(name) or sys.modules.get(f"{package}.{name}" if name else package)
                self.is_opaque |= module is None
                self._unread += () if module is None else members_of(module, names, self._own)

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
        is_own = isinstance(value, type) and value in self._kind.__mro__  # whose members are read by name
        if is_own or id(value) in self._seen:
            return
        if len(self._seen) > MOST_VALUES:
            self.is_opaque = True
            return
        self._seen[id(value)] = value
        kept, written = functions_of(value), list(written_in(value, self._own))
        self.is_opaque |= not (kept or written) and is_hidden_code(value)
        self.asks_class |= isinstance(value, MAPPINGS) and any(
            hasattr(key, "_vocabulary") for key in islice(value, MOST_ALIKE)
        )
        if isinstance(value, GETTERS):
            self.words |= {word for text in value.__reduce__()[1] for word in str(text).split(".")}
        self._unread += contained_in(value, self._own)
        for function in (*kept, *written):
            names = names_in(function.__code__)
            self._waiting += names
            if is_followed(function.__module__, self._own):
                parameters = parameters_of(function.__code__)
                is_own = function.__code__ in self._own_codes
                self._note(function, names, parameters[:1] if is_own else parameters[len(kept) == 0 :])
            self._unread += reached_from(function, names, self._own)

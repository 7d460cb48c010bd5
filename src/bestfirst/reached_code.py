"""Which code a value leads to: the functions of methods and tables, of a user's classes, and those that functions call.

Code of libraries is not followed: it reads no attribute of a user's class by its name.
"""

from __future__ import annotations

import functools
import operator
import sys
from collections import ChainMap, UserDict, UserList, deque
from collections.abc import Iterable, Iterator, Mapping, Set
from contextlib import suppress
from itertools import chain, islice
from pathlib import Path
from types import CodeType, FunctionType, MappingProxyType, MemberDescriptorType, MethodType, ModuleType, SimpleNamespace
from typing import Any, NamedTuple

_NOT_FOLLOWED = sys.stdlib_module_names | {__name__.partition(".")[0], "numpy", "numba"}
"""Packages whose functions read nothing of a user's class by its name."""
_INSIDE = ("__func__", "fget", "func", "__wrapped__", "said")
"""Where methods, properties, partial and decorated functions, and claims keep the function that they call."""
_WITH_FUNCTIONS = (FunctionType, functools.singledispatchmethod, SimpleNamespace, ChainMap, UserDict, UserList)
"""Types of Python whose objects have attributes of their own: functools.singledispatch() keeps its functions there."""
_OF_PYTHON = (classmethod, staticmethod, property, MethodType)
_PLAIN = frozenset((int, float, complex, bool, str, bytes, type(None)))
_CONTAINERS = (list, tuple, set, frozenset, deque)
MAPPINGS = (dict, MappingProxyType)
GETTERS = (operator.attrgetter, operator.methodcaller)
_READING_NOTHING = (*GETTERS, operator.itemgetter, type(vars(NamedTuple("_", [("field", int)]))["field"]))
"""Types whose objects read no attributes of the class but those that they show: those of named tuples' fields are the last."""
_BY_ANY_NAME = frozenset((getattr, hasattr, vars, dir, eval, exec, *GETTERS))
_WITHOUT_NAMES = sys.stdlib_module_names | {"numpy"}
INSTALLED = {"site-packages", "dist-packages"}
"""The directories of installed libraries."""
MOST_ALIKE = 100
MOST_LOOKED_AT = 50_000
MOST_VALUES = 5_000
"""Of a table, the number of values of one type, and of all types, that are looked at; and the number of functions and tables in
all. Where rules reach more of these, they may read anything."""


def codes_of(member: Any) -> list[CodeType]:
    """The code objects of a method, a property or a claim."""
    return [function.__code__ for function in functions_of(member)]


def is_generated(kind: type, function: FunctionType) -> bool:
    """Whether @dataclass wrote a method."""
    written = function.__dict__.get("__wrapped__", function)  # __repr__ has a guard against recursion around it
    return "__dataclass_fields__" in vars(kind) and written.__code__.co_filename == "<string>"


def functions_of(value: Any) -> list[FunctionType]:
    """The functions of a method, property, partial or decorated function, or claim."""
    if isinstance(value, FunctionType):
        return [value, *functions_of(value.__dict__.get("__wrapped__"))]
    kind = type(value)
    if kind.__module__ == "builtins" and not isinstance(value, _OF_PYTHON):
        return []  # a number, a text, a table, a class, a function in C
    parts = [getattr(value, part, None) for part in _INSIDE if hasattr(kind, part) or part in _attributes(value)]
    return [function for part in parts for function in functions_of(part)]


def written_in(value: Any, own: Set[str]) -> Iterator[FunctionType]:
    """The functions of a user's class, or of an object of one, such as a descriptor."""
    kind = value if isinstance(value, type) else type(value)
    if is_followed(kind.__module__, own):
        of_value: type = type(value)
        kinds = [*kind.__mro__, *(of_value.__mro__ if value is kind else ())]
        for members in (*map(vars, kinds), {} if value is kind else _attributes(value)):
            for function in (function for member in members.values() for function in functions_of(member)):
                if is_followed(function.__module__, own) and not is_generated(kind, function):
                    yield function


def contained_in(value: Any, own: Set[str]) -> Iterable[Any]:
    """What a value contains that a rule may take out and call: functions in tables and in arguments of partial ones.

    Of many values of one type, such as the rows of a table, the first ones stand for all.
    """
    kind = type(value)
    if isinstance(value, MAPPINGS):
        inner: Iterable[Any] = chain.from_iterable(islice(value.items(), MOST_LOOKED_AT))
    elif getattr(getattr(value, "dtype", None), "kind", "") == "O":
        inner = value.ravel().tolist()
    elif isinstance(value, _CONTAINERS):
        inner = value
    elif isinstance(value, (functools.partial, functools.partialmethod)):
        inner = (*value.args, *value.keywords.values())
    elif isinstance(value, type) and is_followed(value.__module__, own):
        inner = [member for name, member in vars(value).items() if not name.startswith("__")]
    elif is_followed(kind.__module__, own) or kind in _WITH_FUNCTIONS:
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


def is_followed(module: object, own: Set[str]) -> bool:
    """Whether code of a module may read attributes of a user's class by name. Libraries do not, unless they define it.

    own: the packages of the class and its bases.
    """
    package = package_of(module)
    if package in _NOT_FOLLOWED:
        return False
    loaded = sys.modules.get(package)
    place = getattr(loaded, "__file__", None) or next(iter(getattr(loaded, "__path__", ())), "")
    return package in own or not INSTALLED.intersection(Path(place).parts)


def package_of(module: object) -> str:
    return str(module).partition(".")[0]


def is_hidden_code(value: Any) -> bool:
    """Whether a value does what no Python code shows, such as operator.attrgetter(); functions written in C read no names."""
    if (
        isinstance(value, (type, MemberDescriptorType, *_READING_NOTHING))
        or package_of(type(value).__module__) in _WITHOUT_NAMES
    ):
        return isinstance(value, property)
    return callable(value) or hasattr(type(value), "__get__")


def reached_from(function: FunctionType, names: frozenset[str], own: Set[str]) -> Iterator[Any]:
    """What a function may call by another name than that of a member: helpers in closures, in defaults, and in modules."""
    is_ours = is_followed(function.__module__, own)
    for cell in function.__closure__ or ():
        with suppress(ValueError):  # it is empty
            value = cell.cell_contents
            if is_ours or (isinstance(value, FunctionType) and is_followed(value.__module__, own)):  # that is decorated
                yield value
    if not is_ours:
        return
    yield from function.__defaults__ or ()
    yield from (function.__kwdefaults__ or {}).values()
    for name in names & function.__globals__.keys():
        value = function.__globals__[name]
        yield from members_of(value, names, own) if isinstance(value, ModuleType) else (value,)


def members_of(module: ModuleType, names: Set[str], own: Set[str]) -> Iterator[Any]:
    """The members of a module, and of modules within it, that have some names."""
    waiting, seen = [module], set[int]()
    while waiting:
        inner = waiting.pop()
        if is_followed(inner.__name__, own) and id(inner) not in seen:
            seen.add(id(inner))
            found = [vars(inner)[name] for name in names & vars(inner).keys()]
            waiting += (one for one in found if isinstance(one, ModuleType))
            yield from (one for one in found if not isinstance(one, ModuleType))


def has_other_name(function: FunctionType, names: Set[str]) -> bool:
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

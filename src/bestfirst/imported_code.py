"""The code that worker processes import anew, and whether it is still what this program has in memory.

If the file of a module was edited after its import, or a method, a class attribute or a global was replaced since, a worker would
answer for another problem. So a class notes at its creation what it was made from (module_notes.py).

What the module's own code sets, such as counters and caches, may differ between processes.
"""

from __future__ import annotations

import dis
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from types import CodeType, FunctionType, MethodType, ModuleType
from typing import Any

from bestfirst._version import __version__
from bestfirst.code_reading import codes_of, functions_of
from bestfirst.errors import InputError, shown
from bestfirst.heuristics.heuristic import Heuristic
from bestfirst.module_notes import NOTES, is_constant, is_sent

_SETTING = ("STORE_GLOBAL", "DELETE_GLOBAL", "STORE_ATTR", "DELETE_ATTR")
_WRITTEN = "_claims_written"
"""Class attribute: the members of the class at its creation (see claims.py)."""
_DERIVED = ("_claims_", "_abc_", "__")
"""Beginnings of the names of members that Python, decorators of classes, and claims.py add later."""


class OtherCodeError(InputError):
    """A worker process has, or would import, other code than this program has."""


@dataclass(frozen=True)
class ImportedCode:
    """The modules that a worker must import for some things: a hash of the file of each, and the version of this package."""

    version: str
    modules: tuple[tuple[str, str], ...]

    @classmethod
    def of(cls, things: Iterable[Any]) -> ImportedCode:
        """Raises OtherCodeError if a class or its module has changed in memory since it was created."""
        modules: dict[str, str] = {}
        for kind in kinds_of(things):
            classes = [one for one in kind.__mro__ if not is_sent(one)] if isinstance(kind, type) else []
            names = dict.fromkeys(one.__module__ for one in classes or ([] if is_sent(kind) else [kind]))
            noted = {name: NOTES[name].digest for name in names if name in NOTES and name in sys.modules}
            _check_unchanged(classes, list(noted))
            modules |= noted
        return cls(__version__, tuple(modules.items()))

    def check(self) -> None:
        """Raise OtherCodeError, in a worker, if it imports other files."""
        if self.version != __version__:
            raise OtherCodeError(
                f"a worker has bestfirst {__version__}, but the program has {self.version}; install the same version"
            )
        for name, digest in self.modules:
            if name in NOTES and NOTES[name].digest != digest:  # otherwise its classes were sent
                raise OtherCodeError(
                    f"the file of the module {name} is not the one that the program imported: it was edited since, or a machine "
                    "has another version; restart the program, or install the same version everywhere"
                )


def kinds_of(things: Iterable[Any]) -> tuple[Any, ...]:
    """The classes and functions that the code of things consists of."""
    return tuple(_kind_of(thing.function if isinstance(thing, Heuristic) else thing) for thing in things)


def _kind_of(thing: Any) -> Any:
    if isinstance(thing, MethodType):
        return thing.__func__
    return thing if isinstance(thing, type | FunctionType) else type(thing)


def _check_unchanged(classes: Sequence[type], modules: Sequence[str]) -> None:
    """Raise OtherCodeError if members of some classes, or globals of their modules, have been replaced since their creation."""
    read, own = set[str](), set[str]()
    for name in modules:
        read_here, own_here = _names_of(sys.modules[name])
        read |= read_here
        own |= own_here
    for kind in classes:
        for name, now, before in _replaced_in(kind):
            if name not in own and (_is_foreign(now, kind) or _differ(now, before)):
                raise _changed(f"{name} of {kind.__qualname__}")
    for module in modules:
        for name, before in NOTES[module].constants.items():
            now = vars(sys.modules[module]).get(name)
            if name in read - own and _differ(now, before):
                raise _changed(f"{name} of the module {module}, which was {shown(before)} and is now {shown(now)},")


def _replaced_in(kind: type) -> Iterator[tuple[str, Any, Any]]:
    """The members of a class that are others than at its creation, each with what it was."""
    members = dict(vars(kind))
    written = members.pop(_WRITTEN, None)
    if written is not None:
        for name in members.keys() | written.keys():
            now, before = members.get(name), written.get(name)
            if now is not before and not name.startswith(_DERIVED):
                yield name, now, before


def _is_foreign(member: Any, kind: type) -> bool:
    """Whether a member has code of a module that the class's own does not use, unlike what a decorator of the class adds."""
    module = sys.modules.get(kind.__module__)
    values = [] if module is None else [*vars(module).values()]
    known = {kind.__module__, *(str(getattr(value, "__module__", None)) for value in values)}
    known |= {value.__name__ for value in values if isinstance(value, ModuleType)}
    return any(function.__module__ not in known for function in functions_of(member))


def _differ(now: Any, before: Any) -> bool:
    if now is before or not (is_constant(now) or is_constant(before)):
        return False
    return type(now) is not type(before) or bool(now != before)


def _changed(what: str) -> OtherCodeError:
    return OtherCodeError(
        f"{what} was changed after it was imported, but workers import the module anew; change the file and restart the program, "
        "or define the class in the program itself"
    )


def _names_of(module: ModuleType) -> tuple[frozenset[str], frozenset[str]]:
    """The names that the functions of a module read, and those that they may set."""
    codes = frozenset(code for member in _members(vars(module), module.__name__, set()) for code in codes_of(member))
    return _names_in(codes)


def _members(values: Mapping[str, Any], module: str, met: set[int]) -> Iterator[Any]:
    """All members of a module and of its classes."""
    for value in list(values.values()):
        yield value
        if isinstance(value, type) and value.__module__ == module and id(value) not in met:
            met.add(id(value))
            yield from _members(vars(value), module, met)


@lru_cache(1 << 6)
def _names_in(codes: frozenset[CodeType]) -> tuple[frozenset[str], frozenset[str]]:
    read, own = set[str](), set[str]()
    waiting: Sequence[CodeType] = list(codes)
    while waiting:
        inside: list[CodeType] = []
        for code in waiting:
            read.update(code.co_names)
            own.update(str(one.argval) for one in dis.get_instructions(code) if one.opname in _SETTING)
            own.update(text for text in code.co_consts if isinstance(text, str))  # of setattr()
            inside += [constant for constant in code.co_consts if isinstance(constant, CodeType)]
        waiting = inside
    return frozenset(read), frozenset(own)

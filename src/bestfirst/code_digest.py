"""A digest of the code of a class or function in memory: by it, a worker process that has another version notices.

Workers import modules anew. If a file was edited after its import, or a global, a method or a class was changed since, they would
answer for another problem.

The digest is made of the members of a class, of what these call, and of the constants that they read. It leaves out what another
process need not share: places in files, values that can change in place, and globals and attributes that the module itself sets.
Code of installed packages is left out too; in the classes of this one, a function that somebody else has put there counts.
"""

from __future__ import annotations

import dis
import hashlib
import sys
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from inspect import getattr_static
from pathlib import Path
from types import CodeType, FunctionType, MemberDescriptorType, MethodType, ModuleType
from typing import Any

from bestfirst._version import __version__
from bestfirst.claims import Claim
from bestfirst.errors import InputError
from bestfirst.heuristics.heuristic import Heuristic

_PACKAGE = __name__.partition(".")[0]
_INSTALLED = {"site-packages", "dist-packages"}
"""Directories of installed packages, which every worker has in the same version."""
_DERIVED = ("_claims_", "_abc_", "__")
"""Beginnings of the names of members that Python or this package derives from others; of those, methods count."""
_INSIDE = ("__func__", "func", "__wrapped__")
"""Where methods, cached properties and decorated functions keep the function that they call."""
_SETTING = ("STORE_GLOBAL", "DELETE_GLOBAL", "STORE_ATTR", "DELETE_ATTR")


class OtherCodeError(InputError):
    """A worker has another version of the code."""


@dataclass(frozen=True)
class CodeDigest:
    """The digest of the code of some things, and which of them it is of: those that another process imports."""

    digest: str
    places: tuple[int, ...]

    @classmethod
    def of(cls, things: Sequence[Any]) -> CodeDigest:
        """The digest in this process. The code of a class or function of a script or a notebook is sent with it."""
        places = tuple(place for place, kind in enumerate(kinds_of(things)) if not _is_sent(kind))
        return cls(_digest([things[place] for place in places]), places)

    def check(self, things: Sequence[Any]) -> None:
        """Raise OtherCodeError, in a worker, if the things that it was sent have other code here."""
        compared = [things[place] for place in self.places]
        if _digest(compared) != self.digest:
            kinds = kinds_of(compared)
            own = [kind for kind in kinds if not is_installed(kind.__module__)]
            names = " or ".join(kind.__qualname__ for kind in own or kinds[:1])
            raise OtherCodeError(
                f"{names} is not the same in a worker process, which imports the module anew: the file, or the module or class in "
                "memory, was changed after the program had imported it, or the machines have different versions; restart the "
                "program, or install the same version everywhere"
            )


def _digest(things: Iterable[Any]) -> str:
    found = _Walk()
    for kind in kinds_of(things):
        found.add(kind)
    return hashlib.sha256(repr((__version__, found.lines)).encode("utf-8", "backslashreplace")).hexdigest()


def kinds_of(things: Iterable[Any]) -> tuple[Any, ...]:
    """The classes and functions that the code of things consists of."""
    return tuple(_kind_of(thing.function if isinstance(thing, Heuristic) else thing) for thing in things)


def _kind_of(thing: Any) -> Any:
    if isinstance(thing, MethodType):
        return thing.__func__
    return thing if isinstance(thing, type | FunctionType) else type(thing)


def _is_sent(kind: Any) -> bool:
    """Whether the code is sent with a thing of this kind, since workers could not import it."""
    return kind.__module__ == "__main__" or "<" in kind.__qualname__


class _Walk:
    """All code that some things consist of. lines: what it says, in the order in which it was met."""

    def __init__(self) -> None:
        self.lines: list[str] = []
        self._met: dict[int, Any] = {}  # by id; the values keep them alive
        self._waiting: deque[Iterable[str]] = deque()
        self._set_in: dict[int, frozenset[str]] = {}  # by the id of the globals of a module

    def add(self, kind: Any) -> None:
        """Add a class or a function."""
        self.lines.append(self._told(kind))
        while self._waiting:
            self.lines += self._waiting.popleft()

    def _told(self, value: Any) -> str:
        """A short description of a value; the code of functions and classes becomes a line of its own."""
        if isinstance(value, bool | int | float | complex | str | bytes | None.__class__ | type(...)):
            return repr(value)
        if isinstance(value, tuple):
            return f"({', '.join(map(self._told, value))})"
        if isinstance(value, frozenset):
            return f"{{{', '.join(sorted(map(self._told, value)))}}}"
        if isinstance(value, CodeType):
            return self._told_code(value)
        if isinstance(value, ModuleType):
            return f"module {value.__name__}"
        if isinstance(value, type):
            self._enter(value, self._class)
            return f"class {value.__qualname__}"
        if isinstance(value, Claim):
            return f"claim {self._told(value.said)}"
        function = _function_in(value)
        if isinstance(function, FunctionType):
            self._enter(function, self._function)
            return f"{type(value).__name__} {function.__qualname__}"
        if isinstance(value, property):
            return f"property {[self._told(part) for part in (value.fget, value.fset)]}"
        if isinstance(value, partial):
            return f"partial {self._told((value.func, value.args))}"
        return f"a {type(value).__qualname__}"

    def _enter(self, thing: Any, describe: Callable[[Any], Iterable[str]]) -> None:
        """Let a function or a class be described, once."""
        if id(thing) not in self._met:
            self._met[id(thing)] = thing
            self._waiting.append(describe(thing))

    def _class(self, kind: type) -> Iterator[str]:
        for one in kind.__mro__:
            is_shipped = one.__module__.partition(".")[0] == _PACKAGE
            if is_installed(one.__module__) and not is_shipped:
                continue
            for name, member in sorted(vars(one).items()):
                if (name.startswith(_DERIVED) and not isinstance(member, FunctionType)) or (
                    is_shipped and not _is_foreign(member)
                ):
                    continue
                told = self._told(member)
                if name not in self._set_by(sys.modules.get(one.__module__)):
                    yield f"{one.__qualname__}.{name} = {told}"

    def _function(self, function: FunctionType) -> Iterator[str]:
        if is_installed(function.__module__):
            return
        yield f"{function.__qualname__}: {self._told(function.__code__)}"
        yield f"defaults {self._told(function.__defaults__)} {self._told(tuple((function.__kwdefaults__ or {}).items()))}"
        names = _names_in(function.__code__)
        changing = self._set_by(sys.modules.get(function.__module__))
        for name in sorted((names - changing) & function.__globals__.keys()):
            value = function.__globals__[name]
            yield f"{name} = {self._told(value)}"
            if isinstance(value, ModuleType) and not is_installed(value.__name__):
                read = names & vars(value).keys() - self._set_by(value)
                yield from (f"{name}.{other} = {self._told(vars(value)[other])}" for other in sorted(read))
        for name, cell in zip(function.__code__.co_freevars, function.__closure__ or (), strict=True):
            try:
                yield f"{name} = {self._told(cell.cell_contents)}"
            except ValueError:  # it is empty
                continue

    def _set_by(self, module: ModuleType | None) -> frozenset[str]:
        """The names that the functions of a module set, which may differ between processes, such as counters."""
        if module is None:
            return frozenset()
        if id(module) not in self._set_in:
            members = [*vars(module).values()]
            members += [one for kind in members if isinstance(kind, type) for one in vars(kind).values()]
            codes = [one.__code__ for one in map(_function_in, members) if isinstance(one, FunctionType)]
            self._set_in[id(module)] = frozenset(name for code in codes for name in _set_in(code))
        return self._set_in[id(module)]

    def _told_code(self, code: CodeType) -> str:
        shape = code.co_argcount, code.co_posonlyargcount, code.co_kwonlyargcount, code.co_flags
        names = code.co_names, code.co_varnames, code.co_freevars, code.co_cellvars
        constants = code.co_consts[1:] if _has_docstring(code) else code.co_consts
        return f"code {code.co_name} {shape} {names} {code.co_code.hex()} {self._told(constants)}"


def _function_in(value: Any) -> Any:
    """The function of a method, or of what a decorator keeps it in."""
    while not isinstance(value, FunctionType | partial | type):
        inside = next((found for name in _INSIDE if (found := getattr_static(value, name, None)) is not None), None)
        if isinstance(inside, MemberDescriptorType):  # a slot, as of a method
            inside = inside.__get__(value)
        if not callable(inside):
            return value
        value = inside
    return value


def is_installed(module: object) -> bool:
    """Whether a module is one of Python or of an installed package: every worker has it in the same version."""
    top = str(module).partition(".")[0]
    if top in sys.stdlib_module_names or top == _PACKAGE:
        return True
    file = getattr(sys.modules.get(top), "__file__", None)
    return file is not None and not _INSTALLED.isdisjoint(Path(file).parts)


def _is_foreign(member: Any) -> bool:
    """Whether somebody else has put a function into a class of this package."""
    function = _function_in(member)
    return isinstance(function, FunctionType) and not is_installed(function.__module__)


def _has_docstring(code: CodeType) -> bool:
    return bool(code.co_consts) and isinstance(code.co_consts[0], str)


def _names_in(code: CodeType) -> set[str]:
    """The names in some code and in what is nested in it."""
    names = set(code.co_names)
    return names.union(*(_names_in(constant) for constant in code.co_consts if isinstance(constant, CodeType)))


def _set_in(code: CodeType) -> Iterator[str]:
    """The globals and attributes that some code sets."""
    yield from (str(one.argval) for one in dis.get_instructions(code) if one.opname in _SETTING)
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield from _set_in(constant)

"""The code that worker processes import anew, and whether it is still what this program has in memory.

If the file of a module was edited after its import, or a method, a class attribute or a global was replaced since, a worker would
answer for another problem. So a class notes at its creation what it was made from (module_notes.py).

What the module's own code sets, such as counters and caches, may differ between processes.
"""

from __future__ import annotations

import dis
import sys
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import Field, dataclass
from functools import lru_cache
from types import CodeType, FunctionType, ModuleType
from typing import Any

from bestfirst._version import __version__
from bestfirst.as_written import WRITTEN
from bestfirst.code_reading import codes_of, functions_of, set_on_classes
from bestfirst.errors import InputError, shown
from bestfirst.module_notes import (
    Note,
    absolute,
    data_of,
    is_constant,
    is_sent,
    members_of,
    note_of,
    notes_of,
    replaced_functions,
    tables_of,
)
from bestfirst.module_source import NOTHING

_BY_TEXT = {"setattr", "delattr", "vars", "globals", "__setattr__", "__dict__"}
"""What sets an attribute or a global whose name is given by a text."""
_DERIVED = ("_claims_", "_abc_", "__")
"""Beginnings of the names of members that Python, decorators of classes, and claims.py add later."""


class OtherCodeError(InputError):
    """A worker process has, or would import, other code than this program has."""


_MISSING = object()


@dataclass(frozen=True)
class ImportedCode:
    """The modules that a worker must import for some things: a hash of the file of each, and the version of this package."""

    version: str
    modules: tuple[tuple[str, str], ...]

    @classmethod
    def of(cls, kinds: Iterable[Any]) -> ImportedCode:
        """For classes, functions and modules. Raises OtherCodeError if they are others than when they were imported."""
        kinds = list(kinds)
        classes = {base for kind in kinds if isinstance(kind, type) for base in kind.__mro__ if not is_sent(base)}
        functions = {kind for kind in kinds if isinstance(kind, FunctionType) and not is_sent(kind)}
        modules = {kind.__name__ for kind in kinds if isinstance(kind, ModuleType)}
        notes = notes_of(sorted({str(one.__module__) for one in [*classes, *functions]} | modules))
        _check_unchanged(classes, notes)
        return cls(__version__, tuple((name, str(note.digest)) for name, note in notes.items()))

    def check(self) -> None:
        """Raise OtherCodeError, in a worker, if it imports other files."""
        if self.version != __version__:
            raise OtherCodeError(
                f"a worker has bestfirst {__version__}, but the program has {self.version}; install the same version"
            )
        for name, digest in self.modules:
            note = note_of(sys.modules[name]) if name in sys.modules else None  # otherwise its members were sent
            if note is not None and note.digest != digest:
                raise _edited(name)


def _check_unchanged(classes: Iterable[type], notes: Mapping[str, Note]) -> None:
    """Raise OtherCodeError if files, members of some classes, or globals of their modules, have been replaced since then."""
    names = [_names_of(sys.modules[module]) for module in notes]
    read = frozenset().union(*(one.read for one in names))
    attributes = frozenset().union(*(one.attributes for one in names), *(note.source.set_again for note in notes.values()))
    for kind in classes:
        note = notes.get(kind.__module__)
        if note is None or not note.source.is_dynamic or note.source is NOTHING:
            is_decorated = note is not None and kind.__qualname__ in note.source.decorated
            for name, now, before in _replaced_in(kind, is_decorated=is_decorated):
                if name not in attributes and (_is_foreign(now, kind) or _differ(now, before)):
                    raise _changed(f"{name} of {kind.__qualname__}")
    sets_unknown = any(note.source.is_dynamic for note in notes.values())  # perhaps in the other modules
    for (module, note), own in zip(notes.items(), names, strict=True):
        if note.digest is None:
            raise _edited(module)
        for other in _imported_again(sys.modules[module], note):
            raise OtherCodeError(
                f"the module {other} was imported again after {module}, which used it when it was imported itself; import "
                f"{module} again too, or restart the program"
            )
        if not note.source.is_dynamic or note.source is NOTHING:
            literals = {} if sets_unknown else note.source.literals
            _check_module(sys.modules[module], note, literals, own.globals | attributes, read)


def _check_module(
    module: ModuleType, note: Note, literals: Mapping[str, Any], own: frozenset[str], read: frozenset[str]
) -> None:
    """Raise OtherCodeError for what was replaced in a module.

    literals: what its globals must be. own: the names that modules set themselves; read: that they read.
    """
    place = f"the module {module.__name__}"
    for name in replaced_functions(module, note.source):
        if name.rpartition(".")[2] not in own:
            raise _changed(f"{name} of {place}")
    tables = tables_of(module, {name for _, name in note.tables} & note.source.only_read)
    for (owner, name), table in tables.items():
        if name not in own and note.tables.get((owner, name), table) != table:
            raise _changed(f"{name} of {owner or place}")
    for name, before in {**note.constants, **literals}.items():
        now = vars(module).get(name)
        if name in read - own and _differ(now, before):
            raise _changed(f"{name} of {place}, which was {shown(before)} and is now {shown(now)},")
    now_of = data_of(module)
    for (owner, name), before in note.data.items():
        now = now_of.get((owner, name), _MISSING)
        if name in read - own and not name.startswith(_DERIVED) and _differ(now, before):
            raise _changed(f"{name} of {owner}, which was {shown(before)},")
    for name, (other, level, taken) in note.source.taken.items():
        origin = vars(sys.modules.get(absolute(module, other, level), module))
        now = vars(module).get(name)
        if isinstance(now, type | FunctionType) and taken in origin and name not in own and origin[taken] is not now:
            raise _changed(f"{name} of {place}, which is no longer that of {other},")


def _imported_again(module: ModuleType, note: Note) -> Iterator[str]:
    """The modules of which the import of a module read something, and that were imported again later."""
    for name in sorted({absolute(module, *one) for one in note.source.read_at_import} & note.used.keys()):
        if name in sys.modules and sys.modules[name].__spec__ is not note.used[name]:
            yield name


def _replaced_in(kind: type, *, is_decorated: bool) -> Iterator[tuple[str, Any, Any]]:
    """The members of a class that are others than at its creation, each with what it was. A decorator may add members."""
    members = dict(vars(kind))
    written = members.pop(WRITTEN, None)
    if written is not None:
        for name in written if is_decorated else members.keys() | written.keys():
            now, before = members.get(name), written.get(name)
            if now is not before and not name.startswith(_DERIVED) and not isinstance(before, Field):
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


def _edited(module: str) -> OtherCodeError:
    return OtherCodeError(
        f"the file of the module {module} is not the one that the program imported: it has been edited since, or a machine "
        "has another version; restart the program, or install the same version everywhere"
    )


@dataclass(frozen=True)
class _Names:
    """The names that the functions of a module read; the globals that they may set; and the attributes of classes and modules."""

    read: frozenset[str]
    globals: frozenset[str]
    attributes: frozenset[str]


def _names_of(module: ModuleType) -> _Names:
    return _names_in(frozenset(code for member in members_of(module) for code in codes_of(member)))


@lru_cache(1 << 6)
def _names_in(codes: frozenset[CodeType]) -> _Names:
    read, own, attributes = set[str](), set[str](), set[str]()
    waiting = list(codes)
    while waiting:
        code = waiting.pop()
        read.update(code.co_names)
        own.update(str(one.argval) for one in dis.get_instructions(code) if one.opname in ("STORE_GLOBAL", "DELETE_GLOBAL"))
        attributes |= set_on_classes(code)
        if _BY_TEXT & set(code.co_names):
            texts = {text for text in code.co_consts if isinstance(text, str)}
            own |= texts
            attributes |= texts
        waiting += [constant for constant in code.co_consts if isinstance(constant, CodeType)]
    return _Names(frozenset(read), frozenset(own), frozenset(attributes))

"""Notes of users' modules as they were imported: later, it can be told whether a file or a global has changed.

A class of a user notes its module, and the modules that this one uses, when it is created. Other modules are noted when they are
first needed; then their functions are compared with the file.
"""

from __future__ import annotations

import hashlib
import marshal
import os
import re
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from importlib.machinery import SourceFileLoader
from pathlib import Path
from types import FunctionType, ModuleType
from typing import TYPE_CHECKING, Any

from bestfirst.array_views import ArrayView
from bestfirst.as_written import has_claims
from bestfirst.code_reading import INSTALLED, codes_of

if TYPE_CHECKING:
    from bestfirst.module_source import ModuleSource

_FROM = re.compile(rb"^[ \t]*from[ \t]+(\.*[\w.]*)[ \t]+import\b", re.MULTILINE)
MOST_NESTED = 5
LARGEST_TABLE = 1 << 20
"""In bytes. Larger tables are not looked at."""
_TABLES = list, dict, set, tuple
_PACKAGE = __name__.partition(".")[0]
_LIBRARY = f"{Path(os.__file__).parent}{os.sep}"


@dataclass(frozen=True)
class Note:
    """A module as it was imported. digest: a hash of its file; None if the file has other code than the module.

    content: of the file. constants: its globals for which is_constant() holds. data: those of its classes that make no claims, and
    of the classes inside them, by the class and the name. tables: hashes of its tables and of those of its
    classes, by their places. spec: of this import, since a module may be imported again. used: the specs of the modules that it
    used then, by their names.
    """

    digest: str | None
    content: bytes
    constants: Mapping[str, Any]
    data: Mapping[tuple[str, str], Any]
    tables: Mapping[tuple[str, str], str | None]
    spec: Any
    used: Mapping[str, Any]

    @property
    def source(self) -> ModuleSource:
        """What the file says; nothing if the module was loaded in another way, which may have changed the code, as pytest does."""
        return _source_of(self.content, self.spec)


NOTES: dict[str, Note] = {}
"""By the names of modules."""


def note_module(kind: type) -> None:
    """Note the module of a class, at the creation of the class, and the modules that it uses, if they are not noted yet."""
    module = sys.modules.get(kind.__module__)
    if module is not None and not is_sent(kind):
        NOTES.pop(kind.__module__, None)
        for used in _with_used([module], _named_in):
            _note(used, kind)


def notes_of(names: Iterable[str]) -> dict[str, Note]:
    """The notes of those of some modules that are a user's, and of the users' modules that they use."""
    start = [module for name in names if (module := sys.modules.get(name)) is not None and note_of(module) is not None]
    return {module.__name__: note for module in _with_used(start, _used_by) if (note := note_of(module)) is not None}


def note_of(module: ModuleType) -> Note | None:
    """The note of a module; None unless it is a user's."""
    if module.__name__ in NOTES or _is_users(module):
        _note(module, has_ended=True)
    return NOTES.get(module.__name__)


def _with_used(modules: Iterable[ModuleType], used_by: Callable[[ModuleType], Iterable[ModuleType]]) -> list[ModuleType]:
    """Modules, and the users' modules that these use, and so on."""
    found: dict[str, ModuleType] = {}
    waiting = list(modules)
    while waiting:
        module = waiting.pop()
        if module.__name__ not in found:
            found[module.__name__] = module
            waiting += filter(_is_users, used_by(module))
    return list(found.values())


def members_of(module: ModuleType) -> Iterator[Any]:
    """All members of a module and of its classes."""
    waiting, met = [vars(module)], set[int]()
    while waiting:
        for value in list(waiting.pop().values()):
            yield value
            if isinstance(value, type) and value.__module__ == module.__name__ and id(value) not in met:
                met.add(id(value))
                waiting.append(dict(vars(value)))


def is_sent(kind: Any) -> bool:
    """Whether the code of a class or a function is sent to worker processes, since they could not import it."""
    return kind.__module__ == "__main__" or "<" in kind.__qualname__


def is_constant(value: Any, depth: int = 0) -> bool:
    """Whether a value is a number, a string, None, or a tuple of these, which is not nested deeply."""
    if isinstance(value, tuple):
        return depth < MOST_NESTED and all(is_constant(part, depth + 1) for part in value)
    return value is None or type(value) in (bool, int, float, complex, str, bytes)


def _note(module: ModuleType, new: type | None = None, *, has_ended: bool = False) -> None:
    """Note a module, unless that has been done since it was imported. new: a class that is being created, of any module.

    has_ended: whether its import ended long ago.
    """
    known, file = NOTES.get(module.__name__), _file_of(module)
    if file is None or (known is not None and known.spec is module.__spec__):
        return
    try:
        content = Path(file).read_bytes()
    except OSError:
        return
    has_other_code = has_ended and any(replaced_functions(module, _source_of(content, module.__spec__)))
    digest = None if has_other_code else hashlib.sha256(content).hexdigest()
    constants = {name: value for name, value in list(vars(module).items()) if is_constant(value)}
    tables = tables_of(module, None, new)
    used = {other.__name__: other.__spec__ for other in (*_named_in(module), *_taken_from(module, content))}
    NOTES[module.__name__] = Note(digest, content, constants, data_of(module, new), tables, module.__spec__, used)


def _source_of(content: bytes, spec: Any) -> ModuleSource:
    from bestfirst.module_source import NOTHING, read_source  # noqa: PLC0415  (it takes a tenth of the time to import bestfirst)

    return read_source(content, str(spec.origin)) if type(getattr(spec, "loader", None)) is SourceFileLoader else NOTHING


def replaced_functions(module: ModuleType, source: ModuleSource) -> Iterator[str]:
    """The qualified names of functions and methods that are not those of the source."""
    for name, code in source.functions.items():
        owner: Any = module
        *path, last = name.split(".")
        for part in path:
            owner = vars(owner).get(part)
            if not (isinstance(owner, type) and owner.__module__ == module.__name__):
                break
        else:
            if last in vars(owner) and codes_of(vars(owner)[last])[:1] != [code]:
                yield name


def tables_of(
    module: ModuleType, names: AbstractSet[str] | None, new: type | None = None
) -> dict[tuple[str, str], str | None]:
    """Hashes of the tables in a module ("") and in its classes, by the class and the name; None: it is no table.

    names: of the tables; None: all tables. new: a class that is perhaps of the module, but not in it yet.
    """
    members = [*vars(module).values(), new]
    classes = [one for one in members if isinstance(one, type) and one.__module__ == module.__name__]
    found: dict[tuple[str, str], str | None] = {}
    for place, own in [("", vars(module)), *((kind.__qualname__, vars(kind)) for kind in classes)]:
        for name in list(own) if names is None else names & own.keys():
            hashed = _hash_of_table(own[name])
            if hashed is not None or names is not None:
                found[place, name] = hashed
    return found


def data_of(module: ModuleType, new: type | None = None) -> dict[tuple[str, str], Any]:
    """The constants of the classes of a module and of the classes inside them, by the class and the name.

    Those of classes that make claims are noted at their creation. new: a class that is perhaps of the module, but not in it yet.
    """
    found: dict[tuple[str, str], Any] = {}
    waiting, met = [*vars(module).values(), new], set[int]()
    while waiting:
        kind = waiting.pop()
        if isinstance(kind, type) and kind.__module__ == module.__name__ and id(kind) not in met:
            met.add(id(kind))
            members = dict(vars(kind))
            waiting += members.values()
            if not has_claims(kind):
                found |= {(kind.__qualname__, name): value for name, value in members.items() if is_constant(value)}
    return found


def _hash_of_table(value: Any) -> str | None:
    """A hash of a list, a dict, a set or an array of numbers and texts that is not large; None for anything else."""
    array = value.array if isinstance(value, ArrayView) else value
    try:
        if hasattr(array, "tobytes"):
            content = b"" if array.nbytes > LARGEST_TABLE else array.tobytes() + f"{array.dtype}{array.shape}".encode()
        else:
            content = marshal.dumps(array, 2) if isinstance(array, _TABLES) and len(array) <= LARGEST_TABLE else b""
    except (ValueError, TypeError, AttributeError):
        return None
    return hashlib.sha256(content).hexdigest() if 0 < len(content) <= LARGEST_TABLE else None


def _file_of(module: ModuleType) -> str | None:
    """The source file of a module that is not of this package."""
    file = getattr(module, "__file__", None)
    is_other = isinstance(file, str) and file.endswith(".py") and module.__name__.partition(".")[0] != _PACKAGE
    return file if is_other else None


def _is_users(module: ModuleType) -> bool:
    """Whether a module is neither of this package, nor of Python, nor of an installed package."""
    file = _file_of(module)
    return file is not None and not file.startswith(_LIBRARY) and not INSTALLED & set(Path(file).parts)


def _named_in(module: ModuleType) -> Iterator[ModuleType]:
    """The modules that are in a module, or whose members are."""
    names = dict.fromkeys(
        value.__name__ if isinstance(value, ModuleType) else str(_owner_of(value).__module__)
        for value in list(vars(module).values())
    )
    return _others(module, names)


def _taken_from(module: ModuleType, content: bytes) -> Iterator[ModuleType]:
    """The modules that its file names after "from": a number that is taken from there does not say so."""
    found = {
        (place.decode().lstrip("."), place.count(b".") - place.lstrip(b".").count(b".")) for place in _FROM.findall(content)
    }
    return _others(module, (absolute(module, *one) for one in sorted(found)))


def _used_by(module: ModuleType) -> Iterator[ModuleType]:
    """Also those that its functions import."""
    yield from _named_in(module)
    if module.__name__ in NOTES:
        yield from _others(module, (absolute(module, *one) for one in NOTES[module.__name__].source.imported))


def _owner_of(value: Any) -> Any:
    return value if isinstance(value, type | FunctionType) else type(value)


def _others(module: ModuleType, names: Iterable[str]) -> Iterator[ModuleType]:
    for name in names:
        used = sys.modules.get(name)
        if used is not None and used is not module and name != "__main__":
            yield used


def absolute(module: ModuleType, name: str, level: int) -> str:
    """The full name of a module that another one imports, with a level as in an import statement."""
    if level == 0:
        return name
    package = module.__package__ or ""
    base = package.rsplit(".", level - 1)[0] if level > 1 else package
    return f"{base}.{name}".rstrip(".")

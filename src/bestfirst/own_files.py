"""Own files: the module of a user, loaded as `python FILE` does, whose errors name the file, the line and its source.

A file is run only because the caller names it, and run again only if it, or a module beside it, has changed.
"""

from __future__ import annotations

import hashlib
import importlib
import linecache
import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from difflib import get_close_matches
from importlib.machinery import SourceFileLoader
from importlib.util import find_spec, module_from_spec, spec_from_file_location
from pathlib import Path
from threading import RLock
from types import CodeType, ModuleType
from zlib import crc32

from bestfirst.errors import InputError, shown
from bestfirst.hidden_modules import check_hides_nothing
from bestfirst.own_errors import ROOTS, OwnFileError, is_own, own_error, own_errors

_lock = RLock()


@dataclass(frozen=True)
class _Loaded:
    """A module with the state of its own files when it was loaded: by the name of each module, its file and a stamp."""

    module: ModuleType
    files: dict[str, tuple[Path, object]]

    def is_current(self) -> bool:
        return all(_stamp(file) == stamp for file, stamp in self.files.values())


_loaded: dict[Path | str, _Loaded] = {}
_named: dict[str, Path] = {}
"""The files that were loaded, by the paths that were given."""


def load_file(given: str | Path) -> ModuleType:
    """The module of a Python file; the file's directory comes first on sys.path, as with `python FILE`.

    A relative import finds the modules of the same directory, and of the package that the directory belongs to.
    Raises InputError if there is no such file, OwnFileError if its code fails.
    """
    path = Path(given)
    if not path.is_file():
        path = _named.get(str(given), path)  # it may have changed the working directory
    if path.suffix != ".py" or not path.is_file():
        raise InputError(_why_no_file(path))
    path = path.resolve()
    with _lock:
        known = _current(path)
        if known is not None:
            return known
        ROOTS.add(path.parent)
        with _loading(path.parent):
            name = _module_name(path)
            module = _run(path, name)
        _named[str(given)] = path
        return _kept(path, module, path.parent)


def load_module(name: str) -> ModuleType:
    """An importable module; the working directory is searched too, as with `python -m`.

    Raises InputError if there is no such module, OwnFileError if its code fails.
    """
    if not all(part.isidentifier() for part in name.split(".")):
        raise InputError(f"{shown(name)} is not the name of a module; write package.module:Class, or FILE.py:Class")
    with _lock:
        known = _current(name)
        if known is not None:
            return known
        with _loading(Path.cwd()):
            try:
                spec = find_spec(name.partition(".")[0])
            except ValueError:  # a module that is being made
                spec = None
            root = None if spec is None or spec.origin is None else _root_of(Path(spec.origin))
            if root is not None:
                ROOTS.add(root)
            try:
                module = importlib.import_module(name)
            except ModuleNotFoundError as error:
                if error.name is None or not f"{name}.".startswith(f"{error.name}."):
                    raise
                raise InputError(
                    f"no module is called {shown(error.name)}; write package.module:Class, or FILE.py:Class"
                ) from None
        return module if root is None else _kept(name, module, root)


def loaded_files() -> dict[str, str]:
    """The files that were loaded as modules, by the names of the modules."""
    return {known.module.__name__: str(path) for path, known in _loaded.items() if isinstance(path, Path)}


@contextmanager
def _loading(directory: Path) -> Iterator[None]:
    """Search a directory first, and write no bytecode; report errors as the user's own, and forget a failed load."""
    check_hides_nothing(directory)
    before, writes = set(sys.modules), sys.dont_write_bytecode
    if str(directory) not in sys.path:
        sys.path.insert(0, str(directory))
    importlib.invalidate_caches()
    linecache.clearcache()  # checkcache() misses an edit that keeps the size and comes at once
    sys.dont_write_bytecode = True  # its stamp counts whole seconds: an edit within one would be missed
    try:
        with own_errors():
            yield
    except BaseException:
        _forget(name for name in _own_modules() if name not in before)
        raise
    finally:
        sys.dont_write_bytecode = writes


def _current(key: Path | str) -> ModuleType | None:
    """The module as it was loaded, if none of its files has changed; otherwise None, and its modules are forgotten."""
    known = _loaded.get(key)
    if known is None or known.is_current():
        return None if known is None else known.module
    _forget(known.files)
    del _loaded[key]
    return None


def _forget(names: Iterable[str]) -> None:
    """Let modules be imported anew, also by `from . import NAME`, which asks their package first."""
    for name in names:
        sys.modules.pop(name, None)
        package, _, last = name.rpartition(".")
        if isinstance(getattr(sys.modules.get(package), last, None), ModuleType):
            delattr(sys.modules[package], last)


def _kept(key: Path | str, module: ModuleType, root: Path) -> ModuleType:
    files = {name: file for name, file in _own_modules().items() if root == file or root in file.parents}
    _loaded[key] = _Loaded(module, {name: (file, _stamp(file)) for name, file in files.items()})
    return module


def _own_modules() -> dict[str, Path]:
    """The modules that were imported from the user's files, by name."""
    files = {name: getattr(module, "__file__", None) for name, module in list(sys.modules.items())}
    return {name: Path(file) for name, file in files.items() if file and name != "__main__" and is_own(file)}


def _module_name(path: Path) -> str:
    """A name that no other module has: within the package of the file, or within one that is made for its directory."""
    package = [path.stem]
    directory = path.parent
    while (directory / "__init__.py").is_file():
        package.insert(0, directory.name)
        directory = directory.parent
    if len(package) > 1:
        if str(directory) not in sys.path:
            sys.path.insert(1, str(directory))
        ROOTS.add(path.parents[len(package) - 2])
        importlib.import_module(".".join(package[:-1]))
        return ".".join(package)
    name = f"own_{hashlib.sha256(str(directory).encode()).hexdigest()[:8]}"
    if name not in sys.modules:
        made = sys.modules[name] = ModuleType(name)
        made.__path__ = [str(directory)]
    return f"{name}.{path.stem}"


class _FromSource(SourceFileLoader):
    """Compiles the source each time: the stamp of cached bytecode counts whole seconds."""

    def get_code(self, fullname: str) -> CodeType:
        file = self.get_filename(fullname)
        return self.source_to_code(self.get_data(file), file)


def _run(path: Path, name: str) -> ModuleType:
    spec = spec_from_file_location(name, path, loader=_FromSource(name, str(path)))
    assert spec is not None and spec.loader is not None
    module = sys.modules[name] = module_from_spec(spec)
    try:
        spec.loader.exec_module(module)
    except (ValueError, SyntaxError) as error:
        if own_error(error) is not None:
            raise
        why = f"the file is not Python source: {error}; save it as UTF-8 text"  # such as null bytes
        raise OwnFileError(str(path), None, "", why) from None
    except OSError as error:
        if error.filename is not None or own_error(error) is not None:
            raise
        raise OwnFileError(str(path), None, "", f"the file cannot be read: {error.strerror or error}") from None
    return sys.modules.get(name, module)


def _root_of(origin: Path) -> Path:
    """What belongs to a top-level module: the directory of a package, or the file alone."""
    return origin.parent if origin.name == "__init__.py" else origin


def _stamp(file: Path) -> object:
    """What changes with a file; its content too, since two edits may come within one tick of the clock of the system."""
    try:
        status = file.stat()
        return status.st_mtime_ns, status.st_size, status.st_ino, crc32(file.read_bytes())
    except OSError:
        return None


def _why_no_file(path: Path) -> str:
    if path.is_file():
        remedy = "its name must end with .py" if path.suffix != ".md" else "check a lesson with 'bestfirst check-lesson'"
        return f"{str(path)!r} is not a Python file; {remedy}"
    if path.is_dir():
        return f"{str(path)!r} is a directory; name a Python file in it"
    try:
        path.stat()
    except FileNotFoundError:
        if path.is_symlink():
            return f"{str(path)!r} is a link to {str(path.readlink())!r}, which does not exist; name a Python file"
    except (OSError, RuntimeError) as error:  # such as a link that leads to itself
        why = getattr(error, "strerror", None) or error
        return f"{str(path)!r} cannot be read: {why}; write the path of a Python file"
    else:
        return f"{str(path)!r} is a pipe or a device, not a regular file; write the path of a Python file"
    try:
        names = [file.name for file in path.parent.glob("*.py")]
    except OSError:
        names = []
    close = get_close_matches(path.name, names, n=3, cutoff=0.5)
    near = " or ".join(str(path.parent / name) for name in close)
    return f"there is no file {str(path)!r}; " + (f"did you mean {near}?" if near else "write the path of a Python file")

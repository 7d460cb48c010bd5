"""What is sent between processes, as bytes: also classes and functions of a script or a notebook, if cloudpickle is installed.

A result refers to what the caller has, such as its item, by a mark: it is not sent back, and the caller gets its own object.
"""

from __future__ import annotations

import io
import marshal
import pickle
import sys
from collections import ChainMap
from collections.abc import Callable, Mapping, Sequence
from functools import cache, partial
from importlib.util import find_spec
from types import CodeType, FunctionType, MappingProxyType, ModuleType
from typing import Any, TypeAlias

from bestfirst.errors import InputError, kind_and_text
from bestfirst.imported_code import ImportedCode
from bestfirst.module_notes import is_sent
from bestfirst.own_files import load_file

OWN_FILES: dict[str, str] = {}
"""In a worker: the user's files, by the names of their modules. Each is loaded when it is first needed."""
Used: TypeAlias = Mapping[int, Any]
"""Classes, functions and modules, by their id(): a class need not be hashable."""
_takes_code: list[bool] = []
"""Whether the last thing that needed code was sent by it: then so are the next ones, at once."""
_HOW = (
    "install cloudpickle (pip install 'bestfirst[batches]'), or put the class or function at the top level of a module of "
    "its own and import it"
)


def packed(thing: Any, known: Sequence[Any] = ()) -> bytes:
    """A thing as bytes. known: what is replaced by marks. Raises InputError for what cannot be sent."""
    return _packed(thing, known, {})


def packed_with_code(thing: Any, used: Used = MappingProxyType({})) -> bytes:
    """A thing, and what a worker must import for it, and for what else is used.

    Raises InputError for what cannot be sent; OtherCodeError if a worker would import other code than this program has.
    """
    all_used = dict(used)
    parcel = _packed(thing, (), all_used)
    return pickle.dumps((parcel, ImportedCode.of(all_used.values())))


def used_by(thing: Any) -> Used:
    """The classes, functions and modules to which a thing refers. Raises InputError for what cannot be sent."""
    used: dict[int, Any] = {}
    _packed(thing, (), used)
    return used


def _packed(thing: Any, known: Sequence[Any], used: dict[int, Any]) -> bytes:
    """See packed(). Adds to the classes and functions that are used."""
    marks = {id(one): mark for mark, one in enumerate(known) if one is not None}
    best = _by_code() if has_cloudpickle() else _ByName
    kinds = {best: None, _ByName: None} if _takes_code else {_ByName: None, best: None}
    failed: dict[Any, Exception] = {}
    for kind in kinds:
        try:
            parcel = _written(thing, marks, kind, used)
        except Exception as error:  # of a __reduce__, too
            failed[kind] = error
            continue
        if failed:
            _takes_code[:] = [] if _takes_code else [True]
        return parcel
    raise _refusal(thing, failed[best], partial(_written, marks=marks, kind=best, used={})) from failed[best]


def _written(thing: Any, marks: Mapping[int, int], kind: Any, used: dict[int, Any]) -> bytes:
    written = io.BytesIO()
    pickler = kind(written, protocol=pickle.HIGHEST_PROTOCOL)
    pickler.marks, pickler.used = marks, used
    pickler.dump(thing)
    return written.getvalue()


def _refusal(thing: Any, error: Exception, write: Callable[[Any], bytes]) -> InputError:
    """The error for what cannot be sent. write: raises such an error for a part of it, too."""
    if isinstance(error, InputError):
        return error
    one = thing[0] if isinstance(thing, Sequence) and len(thing) == 1 else thing
    what = f"an object of {type(one).__module__}.{type(one).__qualname__}"
    attribute = _attribute_at_fault(one, write)
    if attribute is not None:
        what = f"attribute {attribute!r} of {what}"
        remedy = "; create it where it is used, or leave it out of what __getstate__() returns"
    else:
        remedy = "" if has_cloudpickle() else f"; {_HOW}"
    return InputError(f"{what} cannot be sent to a worker process: {kind_and_text(error)}{remedy}")


def _attribute_at_fault(one: Any, write: Callable[[Any], bytes]) -> str | None:
    """The first attribute of an object that cannot be sent; None if the fault is elsewhere."""
    try:
        _, _, attributes, *_ = one.__reduce_ex__(pickle.HIGHEST_PROTOCOL)
    except Exception:  # of code that the user wrote; or a list, say, which has no attributes
        return None
    for name, value in attributes.items() if isinstance(attributes, dict) else ():
        try:
            write(value)
        except Exception:
            return str(name)
    return None


def unpacked(parcel: bytes, known: Sequence[Any] = ()) -> Any:
    """The thing in a parcel, which a worker of this batch, or its caller, has packed. known: what its marks stand for."""
    kind = _OwnUnpickler if OWN_FILES else _Unpickler
    return kind(io.BytesIO(parcel), known).load()


def unpacked_with_code(parcel: bytes) -> Any:
    """What packed_with_code() has packed. Raises OtherCodeError if this process has imported other code for it."""
    content, code = pickle.loads(parcel)
    thing = unpacked(content)
    if code not in _CHECKED:
        code.check()
        _CHECKED.add(code)
    return thing


_CHECKED: set[ImportedCode] = set()
"""What this process is known to have imported, too."""


@cache
def has_cloudpickle() -> bool:
    """Whether functions and classes can be sent by their code."""
    return find_spec("cloudpickle") is not None


class _Unpickler(pickle.Unpickler):
    def __init__(self, read: io.BytesIO, known: Sequence[Any]) -> None:
        super().__init__(read)
        self._known = known

    def persistent_load(self, mark: int) -> Any:
        return self._known[mark]


class _OwnUnpickler(_Unpickler):
    """Loads the user's files. The other one is faster."""

    def find_class(self, module: str, name: str) -> Any:
        if module in OWN_FILES and module not in sys.modules:
            load_file(OWN_FILES[module])
        return super().find_class(module, name)


class _Marking(pickle.Pickler):
    """Writes marks in place of what is known, and notes the classes and functions that are used."""

    marks: Mapping[int, int] = MappingProxyType({})
    used: dict[int, Any]

    def persistent_id(self, thing: Any) -> int | None:
        return self.marks.get(id(thing))


class _ByName(_Marking):
    """Refuses what a worker could not find by its name: the classes and functions of a script or a notebook."""

    def reducer_override(self, thing: Any) -> Any:
        if isinstance(thing, type | FunctionType):
            self.used[id(thing)] = thing
            if is_sent(thing):
                raise InputError(f"{thing.__qualname__!r} of {thing.__module__} cannot be sent to a worker process; {_HOW}")
        return NotImplemented


@cache
def _by_code() -> Any:
    """The class of picklers that send those by their code; they take several times as long."""
    import cloudpickle  # noqa: PLC0415  (an extra)

    class ByCode(cloudpickle.Pickler, _Marking):  # type: ignore[misc]
        """See above."""

        dispatch_table = ChainMap({CodeType: _with_its_file}, cloudpickle.Pickler.dispatch_table)  # noqa: RUF012  (as in the class above)

        def reducer_override(self, thing: Any) -> Any:
            if isinstance(thing, type | FunctionType | ModuleType):
                self.used[id(thing)] = thing
            return super().reducer_override(thing)

    return ByCode


def _with_its_file(code: CodeType) -> tuple[Any, ...]:
    """Code as it is: cloudpickle leaves out the file, by which the compiled engine finds the source."""
    return marshal.loads, (marshal.dumps(code),)

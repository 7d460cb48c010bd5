"""Machine code: stored on disk as the compiler generated it, and called without the compiler.

Numba caches its code too, but loading it takes all of Numba, half a second or more. Here a function is an object file and
a short description of its signature. Loading takes only llvmlite, the linker under Numba; a process that finds all its code
on disk never imports Numba.

A function takes numbers, contiguous arrays, and tuples of these; it returns numbers, or a tuple of numbers. They are passed
in Numba's internal calling convention: the callee receives the words of all its arguments one after the other, an
array being the words (owner, parent, length, bytes of an element, address, shape, strides); its first word is the address
of the result, its second that of an error, if any (numba.core.callconv).
"""

from __future__ import annotations

import ctypes
import hashlib
import json
import os
import pickle
import platform
import sys
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import cache, lru_cache
from importlib import metadata
from itertools import count
from pathlib import Path
from threading import Lock
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np

from bestfirst.cached import cached_property
from bestfirst.compiled.compiler.cache import CODE, ELSEWHERE, cache_directory, keep_cached, made_once, read_cached
from bestfirst.compiled.compiler.guards import FIRST_STOP, MethodStopped
from bestfirst.compiled.compiler.numba_code import LoadedCode, NumbaCode
from bestfirst.errors import NotCompilableError

if TYPE_CHECKING:
    from bestfirst.compiled.compiler.numba_types import Linker
    from bestfirst.compiled.store.aliases import Array

Kinds: TypeAlias = "tuple[str | Kinds, ...]"
"""The types of some arguments, as strings: 'int64', 'float64', 'bool', 'uint8[1]' for a one-dimensional array, or
'{g:int64 h:uint8}[1]' for one of records; or tuples."""

WordType: TypeAlias = type["ctypes._SimpleCData[Any]"]
_WORDS: dict[str, WordType] = {
    "int64": ctypes.c_int64,
    "float64": ctypes.c_double,
    "bool": ctypes.c_bool,
    **{f"int{bits}": getattr(ctypes, f"c_int{bits}") for bits in (8, 16, 32)},
    **{f"uint{bits}": getattr(ctypes, f"c_uint{bits}") for bits in (8, 16, 32, 64)},
    "float32": ctypes.c_float,
}
"""The types in which numbers are passed: compiled code takes the first three, and returns any of them."""
_LIBRARIES = count()
"""For unique names of libraries, which the linker requires even after one was unloaded."""
HAS_NEAR_CALLS = sys.platform == "linux" and platform.machine() == "x86_64"
"""Whether code calls functions and reads tables of its object file by their distance, which must be below 2 GiB; tried only
here. Of LLVM's two linkers, JITLink keeps the sections of a file together. The other one, the default, puts them wherever there
is room, and ends the process if they are too far apart."""
_OK, _NOTHING = 0, -2
"""Return codes without an error: with a result, and without."""


@dataclass(frozen=True)
class Code:
    """A function as machine code.

    symbol: its name in the object file. result: the kinds of the numbers it returns; is_tuple: whether they form a tuple.
    """

    symbol: str
    result: tuple[str, ...]
    is_tuple: bool
    object_file: bytes

    def told(self) -> dict[str, object]:
        """What a file says about its content: a description that json can write."""
        return {"symbol": self.symbol, "result": self.result, "is_tuple": self.is_tuple}

    def content(self) -> bytes:
        """The content of the file."""
        return self.object_file


class MachineCode:
    """A function that is compiled for the kinds of its arguments on the first call with these kinds.

    name: the name of the function; must change whenever its meaning does. generate: compiles it for arguments of given
    kinds. load: loads the code of the plain compiler.
    """

    def __init__(
        self, name: str, generate: Callable[[Kinds], Code | NumbaCode], load: Callable[[NumbaCode, Kinds], LoadedCode]
    ) -> None:
        self._name = name
        self._generate, self._load = generate, load
        self._linked: dict[Kinds, LinkedCode | LoadedCode] = {}
        self._lock = Lock()

    def __call__(self, *arguments: object) -> Any:
        kinds, words = passed(arguments)
        linked = self._linked.get(kinds)
        if linked is None:
            linked = self._link(kinds)
        return linked(*words) if linked.takes_words else linked(*arguments)

    def is_ready(self, *arguments: object) -> bool:
        """Whether a call with arguments of these kinds need not compile anything; loads the code if it is on disk."""
        kinds, _words = passed(arguments)
        with self._lock:
            if kinds not in self._linked:
                kept = self._on_disk(kinds)
                if kept is not None:
                    self._linked[kinds] = kept
            return kinds in self._linked

    @property
    def is_plain(self) -> bool:
        """Whether the plain compiler made the code, as far as it is loaded."""
        return any(not linked.takes_words for linked in self._linked.values())

    def prepare(self, *arguments: object) -> None:
        """Compile the code for arguments of these kinds."""
        self._link(passed(arguments)[0])

    def _link(self, kinds: Kinds) -> LinkedCode | LoadedCode:
        with self._lock:
            linked = self._linked.get(kinds)
            if linked is None:
                linked = self._linked[kinds] = self._made(kinds)
        return linked

    def _made(self, kinds: Kinds) -> LinkedCode | LoadedCode:
        ready = self._on_disk(kinds)
        if ready is not None:
            return ready
        file = self._file(kinds)
        with made_once(file):  # another process may be compiling it
            ready = self._on_disk(kinds)
            if ready is None:
                ELSEWHERE.fetch(file)
                ready = self._on_disk(kinds)
            if ready is None:
                code = self._generate(kinds)
                _keep(file, code)
                ELSEWHERE.offer(file)
                ready = self._ready(code, kinds)
        return ready

    def _file(self, kinds: Kinds) -> Path:
        digest = hashlib.sha256(repr((kinds, _circumstances())).encode()).hexdigest()[:16]
        return cache_directory() / f"{self._name}-{digest}{CODE}"

    def _on_disk(self, kinds: Kinds) -> LinkedCode | LoadedCode | None:
        """The code from the cache; None if it is not there, or cannot be used."""
        code = _read(self._file(kinds))
        try:
            return None if code is None else self._ready(code, kinds)
        except RuntimeError:  # it needs a symbol that this process lacks, or Numba does not accept it
            return None

    def _ready(self, code: Code | NumbaCode, kinds: Kinds) -> LinkedCode | LoadedCode:
        """The code, ready to be called. Raises RuntimeError if this process cannot use it."""
        return LinkedCode(code, kinds) if isinstance(code, Code) else self._load(code, kinds)


class Kept(tuple[Any, ...]):
    """Arrays and numbers that are passed in many calls: their words are found once, so no array may be resized in place."""

    @cached_property
    def passed(self) -> tuple[Kinds, list[Word]]:
        """Their kinds and their words."""
        return passed(self)


Word: TypeAlias = Any
"""A number as ctypes passes it. A call that has to convert each number takes ten times as long."""
_new_word = ctypes.c_int64.from_param
_word = lru_cache(1 << 12)(_new_word)
"""A word that is likely to be passed again, such as the length of an array."""
_ZERO = _word(0)


@cache
def _kind_of_array(dtype: np.dtype[Any], dimensions: int) -> str:
    return f"{_kind_of_record(dtype) if dtype.names else dtype}[{dimensions}]"


def _kind_of_record(dtype: np.dtype[np.void]) -> str:
    """A record, by its fields in order. Raises TypeError unless they are numbers, and aligned as in C."""
    fields = [(name, str(dtype[name])) for name in dtype.names or ()]
    aligned = np.dtype(fields, align=True) if all(kind in _WORDS for _, kind in fields) else None
    if aligned is None or aligned.fields != dtype.fields or aligned.itemsize != dtype.itemsize:
        raise TypeError(f"records of {dtype} cannot be passed to compiled code; use fields that are numbers, and align=True")
    return "{" + " ".join(f"{name}:{kind}" for name, kind in fields) + "}"


def dtype_of(kind: str) -> np.dtype[Any]:
    """The NumPy type of a number, or of a record, of this kind."""
    if not kind.startswith("{"):
        return np.dtype(kind)
    return np.dtype([tuple(field.split(":")) for field in kind[1:-1].split()], align=True)


def passed(arguments: Iterable[object]) -> tuple[Kinds, list[Word]]:
    """The kinds of some arguments, and their words. Raises TypeError for an argument that cannot be passed."""
    kinds: list[str | Kinds] = []
    words: list[Word] = []
    for argument in arguments:
        kind = type(argument)
        if kind is Kept:
            inner_kinds, inner_words = argument.passed  # type: ignore[attr-defined]
            kinds.append(inner_kinds)
            words += inner_words
        elif kind is np.int64 or kind is int:
            kinds.append("int64")
            words.append(_new_word(int(argument)))  # type: ignore[call-overload]
        elif isinstance(argument, np.ndarray):
            if not argument.flags.c_contiguous:
                raise TypeError(f"a non-contiguous array of shape {argument.shape} cannot be passed")
            shape, address = argument.shape, _new_word(_address(argument))
            kinds.append(_kind_of_array(argument.dtype, len(shape)))
            words += _ZERO, _ZERO, _word(argument.size), _word(argument.itemsize), address
            words += map(_word, shape + argument.strides)
        elif isinstance(argument, tuple):
            inner_kinds, inner_words = passed(argument)
            kinds.append(inner_kinds)
            words += inner_words
        elif isinstance(argument, bool | np.bool_):
            kinds.append("bool")
            words.append(ctypes.c_bool.from_param(bool(argument)))
        elif isinstance(argument, int | np.int64):
            kinds.append("int64")
            words.append(_new_word(int(argument)))
        elif isinstance(argument, float):
            kinds.append("float64")
            words.append(ctypes.c_double.from_param(argument))
        else:
            raise TypeError(f"{argument!r} cannot be passed to compiled code")
    return tuple(kinds), words


def _address(array: Array) -> int:
    """Where the elements of an array are. The array's own answer takes three times as long, except for records."""
    if array.dtype.names is None and array.flags.writeable and array.size:
        return ctypes.addressof(ctypes.c_char.from_buffer(array))
    return int(array.ctypes.data)


def types_of_words(kinds: Kinds) -> list[WordType]:
    """The ctypes of the words of arguments of these kinds."""
    types: list[WordType] = []
    for kind in kinds:
        if isinstance(kind, tuple):
            types += types_of_words(kind)
        elif kind in _WORDS:
            types.append(_WORDS[kind])
        else:
            types += [ctypes.c_int64] * (5 + 2 * int(kind.rpartition("[")[2][:-1]))
    return types


class LinkedCode:
    """Machine code in memory, ready to be called."""

    takes_words = True

    def __init__(self, code: Code, kinds: Kinds) -> None:
        names = [f"number{at}" for at in range(len(code.result))]
        fields = [(name, _WORDS[kind]) for name, kind in zip(names, code.result, strict=True)]
        self._answer = type("Answer", (ctypes.Structure,), {"_fields_": fields})
        self._names = names
        self._is_tuple = code.is_tuple
        self._library = _link(code)  # keeps the code in memory
        self._function = ctypes.CFUNCTYPE(ctypes.c_int32)(self._library[code.symbol])
        self._count = len(types_of_words(kinds))

    def __call__(self, *words: Word) -> Any:
        assert len(words) == self._count
        answer, error = self._answer(), ctypes.c_void_p()
        status = self._function(ctypes.byref(answer), ctypes.byref(error), *words)
        if status >= FIRST_STOP:
            raise MethodStopped(status)
        if status not in (_OK, _NOTHING):
            raise _error_at(error)
        numbers = [getattr(answer, name) for name in self._names]
        if self._is_tuple:
            return tuple(numbers)
        return numbers[0] if numbers else None


class _Error(ctypes.Structure):
    """The form in which compiled code reports an error: a pickled (class, arguments, place)."""

    _fields_ = (("pickled", ctypes.c_void_p), ("length", ctypes.c_int32))


def _error_at(place: ctypes.c_void_p) -> Exception:
    """The error that compiled code reports."""
    told = _Error.from_address(place.value or 0)
    kind, arguments, _place = pickle.loads(ctypes.string_at(told.pickled, told.length))
    error: Exception = kind(*(arguments or ()))
    return error


def _llvm() -> Linker:
    """The linker. Raises NotCompilableError where it cannot be loaded."""
    try:
        import llvmlite.binding as llvm  # noqa: PLC0415  (searches without compiled code do not need it)
    except Exception as error:
        raise NotCompilableError(
            f"the compiled engine needs llvmlite, which cannot be loaded ({error}); install it again, or use the reference "
            "engine (engine='python')"
        ) from error
    return llvm


def _link(code: Code) -> Linker:
    """The code in memory, by the names of its functions. Raises RuntimeError if it needs a symbol that this process
    lacks."""
    llvm = _llvm()
    builder = llvm.JITLibraryBuilder().add_current_process().add_object_img(code.object_file).export_symbol(code.symbol)
    return builder.link(_linker(), f"function {next(_LIBRARIES)}")


@cache
def _linker() -> Linker:
    llvm = _llvm()
    llvm.initialize_native_target()
    llvm.initialize_native_asmprinter()
    return llvm.create_lljit_compiler(use_jit_link=HAS_NEAR_CALLS)


@cache
def _circumstances() -> tuple[object, ...]:
    """Everything that machine code depends on besides its source: the compiler, its settings, and the processor."""
    llvm = _llvm()
    versions = *sys.version_info[:2], metadata.version("numba"), metadata.version("llvmlite")
    settings = sorted((name, value) for name, value in os.environ.items() if name.startswith("NUMBA_"))
    features = llvm.get_host_cpu_features().flatten()
    return (*versions, settings, llvm.get_default_triple(), llvm.get_host_cpu_name(), features)


def _read(file: Path) -> Code | NumbaCode | None:
    """The code in a file; None if it does not exist, must not be used, is damaged, or belongs to another function."""
    kept = read_cached(file)
    if kept is None:
        return None
    try:
        checksum, _, content = kept.partition(b"\n")
        if checksum.decode() != hashlib.sha256(content).hexdigest():
            return None
        head, _, object_file = content.partition(b"\n")
        told = json.loads(head)
        if told["file"] != file.name:
            return None
        if "files" in told:
            numba_code = NumbaCode.of(told, object_file)
            return numba_code if numba_code.name == _function_of(file) else None
        code = Code(told["symbol"], tuple(told["result"]), told["is_tuple"], object_file)
        return code if _is_of(code, file) else None
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
        return None


def _is_of(code: Code, file: Path) -> bool:
    """Whether the symbol is that of the function that the file is named after, and the kinds of its results are known."""
    function = _function_of(file)
    mangled = f"{len(function)}{function}"  # symbols contain names after their lengths
    return mangled in code.symbol and all(kind in _WORDS for kind in code.result) and type(code.is_tuple) is bool


def _function_of(file: Path) -> str:
    """The name of the function that a file is named after."""
    return file.stem.rpartition("-")[0]


def _keep(file: Path, code: Code | NumbaCode) -> None:
    """Write the code to a file; a warning says if that fails."""
    content = json.dumps({"file": file.name, **code.told()}).encode() + b"\n" + code.content()
    keep_cached(file, hashlib.sha256(content).hexdigest().encode() + b"\n" + content)

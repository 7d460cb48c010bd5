"""Code generation: the lean compiler generates machine code, or the plain one if the lean one does not fit the installed
Numba.

The lean compiler is made of parts of Numba that can change with any version. If compiling fails, it must compile a small
function whose answer is known. If that fails too, the plain compiler takes over, until the process ends.

Code of the plain compiler that is found on disk says why it was made, so that the process needs no trial of its own.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory
from threading import RLock
from types import FunctionType
from typing import TYPE_CHECKING, Any, Protocol, TypeVar, cast

import numba
import numpy as np
from numba.core import types
from numba.core.errors import NumbaError

from bestfirst.compiled.compiler.intrinsic_code import TEMPLATE_BUILTINS, with_intrinsics
from bestfirst.compiled.compiler.machine_code import Code, Kinds, LinkedCode, passed
from bestfirst.compiled.compiler.may_compile import is_interpreted
from bestfirst.compiled.compiler.numba_code import LoadedCode, NumbaCode
from bestfirst.compiled.compiler.numba_kinds import numba_type
from bestfirst.errors import NotCompilableError

if TYPE_CHECKING:
    from bestfirst.compiled.compiler.numba_types import Dispatcher
    from bestfirst.compiled.store.aliases import Array, Int, Number

__all__ = ["TEMPLATE_BUILTINS", "NumbaError", "compiler", "fitting", "generate", "inner", "numba_type", "recursive"]

T = TypeVar("T")


class _Compiler(Protocol):
    """lean_compiler.py or plain_compiler.py."""

    def inner(self, function: FunctionType, *, forceinline: bool = False) -> Dispatcher: ...
    def generate(self, function: FunctionType, kinds: Kinds) -> Code | NumbaCode: ...


class _Choice:
    """The compiler of this process. misfit: why the lean one cannot be used."""

    def __init__(self) -> None:
        self.misfit: str | None = None
        self.has_fitted = False
        self.lock = RLock()


_CHOICE = _Choice()


class NoWorkingDirectoryError(NotCompilableError):
    """The working directory is gone."""


def compiler() -> _Compiler:
    """The compiler to use."""
    if _CHOICE.misfit is not None:
        from bestfirst.compiled.compiler import plain_compiler  # noqa: PLC0415

        return plain_compiler
    from bestfirst.compiled.compiler import lean_compiler  # noqa: PLC0415  (its import fails if Numba has changed)

    return lean_compiler


def inner(function: Any, *, forceinline: bool = False) -> Dispatcher:
    """Compile a function for other compiled code, when that is compiled."""
    return function if is_interpreted() else compiler().inner(with_intrinsics(function), forceinline=forceinline)


def recursive(function: FunctionType, *, forceinline: bool = False) -> Dispatcher:
    """Like inner(), for a function that calls itself, or one of its callers.

    Its annotation must name the result, which cannot be inferred from the callees: they are being compiled themselves.
    Raises NotCompilableError with the plain compiler.
    """
    if _CHOICE.misfit is not None:
        raise NotCompilableError(
            f"{function.__name__} calls itself, or a function that does, and this version of bestfirst cannot compile it with "
            f"Numba {numba.__version__}; update bestfirst, install an older version of Numba, or use engine='python'"
        )
    compiled = inner(function, forceinline=forceinline)
    python = cast("FunctionType", getattr(compiled, "py_func", function))
    python.__globals__[function.__name__] = compiled
    python.__annotations__ = function.__annotations__
    return compiled


def generate(function: FunctionType, kinds: Kinds) -> Code | NumbaCode:
    """The machine code of a function for arguments of some kinds. Raises NumbaError if it cannot be compiled.

    Raises NotCompilableError in a working directory that is gone: Numba refers to files relative to it.
    """
    try:
        Path.cwd()
    except OSError:
        raise NoWorkingDirectoryError(
            "the working directory no longer exists, so nothing can be compiled; change to another one, for example with os.chdir()"
        ) from None
    code = compiler().generate(with_intrinsics(function), kinds)
    return replace(code, misfit=str(_CHOICE.misfit)) if isinstance(code, NumbaCode) else code


def loaded(code: NumbaCode, kinds: Kinds) -> LoadedCode:
    """The code of the plain compiler, ready to be called; raises RuntimeError if Numba does not accept it."""
    from bestfirst.compiled.compiler import plain_compiler  # noqa: PLC0415

    use_plain(code.misfit)
    with TemporaryDirectory(prefix="bestfirst-") as directory:
        code.lay_out(Path(directory))
        return LoadedCode(plain_compiler.loaded(code.name, kinds, directory))


def fitting(compile_it: Callable[[], T]) -> T:
    """What a function returns that uses compiler(); if it fails because that does not fit, it is called again."""
    with _CHOICE.lock:  # no other thread may change the compiler meanwhile
        try:
            return compile_it()
        except NoWorkingDirectoryError:
            raise
        except Exception:
            if _CHOICE.misfit is not None or _CHOICE.has_fitted:
                raise
            misfit = _misfit()
            if misfit is None:
                _CHOICE.has_fitted = True
                raise
        use_plain(misfit)
        _check_methods()
        return compile_it()


def use_plain(misfit: str) -> None:
    """Use the plain compiler from now on, and say so once. misfit: why the lean one cannot be used."""
    if _CHOICE.misfit is not None:
        return
    _CHOICE.misfit = misfit
    warnings.warn(
        f"compiled searches are slower with Numba {numba.__version__}, which this version of bestfirst does not fully support "
        f"({misfit}); update bestfirst, or install an older version of Numba",
        stacklevel=2,
    )


def _misfit() -> str | None:
    """Why the lean compiler does not fit the installed Numba; None if it does."""
    numbers = np.array([4, 0])
    kinds, words = passed([numbers, (numbers, 2.5)])
    try:
        from bestfirst.compiled.compiler import operations  # noqa: F401, PLC0415  (it tells Numba what it defines)

        copy = FunctionType(_trial.__code__, {**globals(), "_factorial": _own_factorial()}, _trial.__name__)
        answer = LinkedCode(cast("Code", generate(copy, kinds)), kinds)(*words)
        _check_methods()
    except Exception as error:
        return f"{type(error).__name__}: {error}"
    return None if (answer, numbers[1]) == ((24, 60.0), 24) else f"{answer} instead of (24, 60.0)"


def _check_methods() -> None:
    """Raise NotCompilableError if a compiled method takes an int for a float where Python does not."""
    from bestfirst.compiled.compiler.operations.whole import is_mixed  # noqa: PLC0415  (it imports specialise.py)
    from bestfirst.compiled.compiler.typing_context import IS_METHOD  # noqa: PLC0415

    method = inner(FunctionType(_int_or_float.__code__, {IS_METHOD: None}, _int_or_float.__name__))
    method.compile((types.boolean,))
    (made,) = method.overloads.values()
    if not is_mixed(made.signature.return_type):
        raise NotCompilableError(
            f"Numba {numba.__version__} turns an int into a float where Python does not; use engine='python'"
        )


def _int_or_float(flag: bool) -> float:
    return 1 if flag else 2.5


def _own_factorial() -> Dispatcher:
    return recursive(FunctionType(_factorial.__code__, {}, _factorial.__name__))


def _trial(numbers: Array, pair: tuple[Array, ...]) -> tuple[Int, Number]:
    """A function with what templates have: arrays, tuples, and a callee that calls itself."""
    numbers[1] = _factorial(numbers[0])
    return numbers[1], pair[0][1] * pair[1]


def _factorial(number: int) -> int:
    if number <= 1:
        return 1
    return number * _factorial(number - 1)

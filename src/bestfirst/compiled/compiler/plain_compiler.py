"""A plain compiler: numba.njit, for versions of Numba that the lean compiler does not fit.

It takes several times as long as the lean compiler. Its code means the same: the operations, the guards and the typing of
methods are the same. Functions that call themselves cannot be compiled: numba.njit does not take their declared results.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryDirectory
from threading import Lock
from types import FunctionType
from typing import TYPE_CHECKING, Any

import numba
from llvmlite import ir
from numba.core import types
from numba.core.compiler import Compiler
from numba.extending import intrinsic

from bestfirst.compiled.compiler.guard_code import called, result_type
from bestfirst.compiled.compiler.guards import FIRST_STOP
from bestfirst.compiled.compiler.machine_code import Kinds
from bestfirst.compiled.compiler.numba_code import NumbaCode
from bestfirst.compiled.compiler.numba_kinds import numba_type
from bestfirst.compiled.compiler.typing_context import IS_METHOD, MethodContext

if TYPE_CHECKING:
    from bestfirst.compiled.compiler.numba_types import (
        Builder,
        Context,
        Dispatcher,
        Function,
        Kind,
        Signature,
        Typed,
        Value,
        Values,
    )

_NJIT: Function = numba.njit
_CONFIG: Any = numba.config
_OPTIONS = {"nogil": True, "_nrt": False}
"""Without reference counts: the operations make views of arrays that are not counted."""
_SETTING = Lock()
"""Held while Numba's setting of a cache directory is ours."""


def inner(function: FunctionType, *, forceinline: bool = False) -> Dispatcher:
    """Compile a function for other compiled code, when that is compiled; it runs without the interpreter's lock."""
    names = {**function.__globals__, "__name__": __name__}  # Numba finds the module of a cached function by this name
    own = FunctionType(function.__code__, names, function.__name__)
    options = {"pipeline_class": _MethodCompiler} if IS_METHOD in names else {}
    return _NJIT(forceinline=forceinline, **_OPTIONS, **options)(own)


def generate(function: FunctionType, kinds: Kinds) -> NumbaCode:
    """The machine code of a function for arguments of some kinds. Raises NumbaError if it cannot be compiled."""
    with TemporaryDirectory(prefix="bestfirst-") as directory:
        _cached(function.__name__, directory, inner(function)).compile((numba_type(kinds),))
        return NumbaCode.in_directory(function.__name__, Path(directory))


def loaded(name: str, kinds: Kinds, directory: str) -> Callable[..., tuple[int, object]]:
    """The function of this name in a cache directory of Numba; raises RuntimeError if Numba does not accept it."""
    arguments = (numba_type(kinds),)
    function = _cached(name, directory, None)
    try:
        function.compile(arguments)
    except Exception as error:
        raise RuntimeError(f"Numba cannot load {name}: {error}") from error
    entry: Callable[..., tuple[int, object]] = function.overloads[arguments].entry_point
    return entry


def _cached(name: str, directory: str, template: Dispatcher | None) -> Dispatcher:
    """A function that Python calls, and that Numba caches in a directory. template: what it calls."""
    code = _entry.__code__.replace(co_name=name, co_qualname=name)
    function = FunctionType(code, {**globals(), "template": template}, name)
    function.__module__, function.__qualname__ = __name__, name
    with _SETTING:
        before, _CONFIG.CACHE_DIR = _CONFIG.CACHE_DIR, directory
        try:
            return _NJIT(cache=True, **_OPTIONS)(function)
        finally:
            _CONFIG.CACHE_DIR = before


def _entry(arguments: tuple[object, ...]) -> tuple[int, object]:
    """What Python calls: a status, and the answer. Python can be told of a stop only in this way."""
    return _answered(template, arguments)  # type: ignore[name-defined, call-arg]  # noqa: F821


@intrinsic
def _answered(typing: Context, template: Kind, arguments: Kind) -> Typed:
    """The status of a stop, or 0, and the answer of a template."""
    kinds = (template, *arguments.types)
    answer = result_type(typing, kinds)

    def generate(context: Context, builder: Builder, signature: Signature, values: Values) -> Value:
        parts = [builder.extract_value(values[1], number) for number in range(len(kinds) - 1)]
        status, _kind, result = called(context, builder, kinds, (None, *parts))
        is_stop = builder.icmp_signed(">=", status.code, ir.IntType(32)(FIRST_STOP))
        with builder.if_then(builder.and_(status.is_error, builder.not_(is_stop)), likely=False):
            context.call_conv.return_status_propagate(builder, status)
        code = builder.select(is_stop, builder.zext(status.code, ir.IntType(64)), ir.IntType(64)(0))
        return context.make_tuple(builder, signature.return_type, [code, result])

    return types.Tuple([types.int64, answer])(template, arguments), generate


class _MethodCompiler(Compiler):
    """Numba's compiler, for the methods of domains."""

    def __init__(self, *arguments: object) -> None:
        super().__init__(*arguments)
        self.state.typingctx = MethodContext(self.state.typingctx)

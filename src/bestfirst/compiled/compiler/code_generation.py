"""Code generation: Numba compiles a function for arguments of given kinds; the result is taken from it as an object file."""

from __future__ import annotations

import ctypes
import types as python_types
from typing import Any

import numba
from numba.core import types
from numba.core.errors import NumbaError

from bestfirst.compiled.compiler.intrinsic_code import TEMPLATE_BUILTINS
from bestfirst.compiled.compiler.lean_compiler import inner, object_file, recursive
from bestfirst.compiled.compiler.machine_code import Code, Kinds, dtype_of, types_of_words
from bestfirst.compiled.compiler.shared import shared

__all__ = ["TEMPLATE_BUILTINS", "NumbaError", "generate", "inner", "numba_type", "recursive", "shared"]

_LLVM_TYPES = {ctypes.c_int64: "i64", ctypes.c_double: "double", ctypes.c_bool: "i8"}


def generate(function: python_types.FunctionType, kinds: Kinds) -> Code:
    """The machine code of a function. Raises NumbaError if it cannot be compiled."""
    compiled: Any = inner(function)
    arguments = tuple(numba_type(kind) for kind in kinds)
    compiled.compile(arguments)
    made = compiled.overloads[arguments]
    words = compiled.targetctx.get_arg_packer(made.fndesc.argtypes).argument_types
    _check_words([str(word) for word in words], kinds)
    result, is_tuple = _result_of(made.signature.return_type)
    return Code(made.fndesc.llvm_func_name, result, is_tuple, object_file(made))


def numba_type(kind: Any) -> Any:
    """The Numba type of arguments of a kind."""
    if isinstance(kind, tuple):
        return types.Tuple([numba_type(part) for part in kind])
    dtype, _, dimensions = kind.partition("[")
    element = numba.from_dtype(dtype_of(dtype))
    return types.Array(element, int(dimensions[:-1]), "C") if dimensions else element


def _check_words(words: list[str], kinds: Kinds) -> None:
    """Raise NotImplementedError if Numba passes such arguments differently from machine_code.py."""
    expected = [_LLVM_TYPES[word] for word in types_of_words(kinds)]
    if ["i64" if word.endswith("*") or word == "ptr" else word for word in words] != expected:
        raise NotImplementedError(f"Numba {numba.__version__} uses an unknown calling convention: {words}")


def _result_of(result: Any) -> tuple[tuple[str, ...], bool]:
    """The kinds of the numbers in a result, and whether it is a tuple."""
    if isinstance(result, types.BaseTuple):
        parts: Any = result
        return tuple(_kind_of_number(part) for part in parts), True
    return () if isinstance(result, types.NoneType) else (_kind_of_number(result),), False


def _kind_of_number(number: Any) -> str:
    return str(types.unliteral(number))

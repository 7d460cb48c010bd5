"""What objects of Numba and LLVM are, for readers.

To type checkers they are anything, since Numba declares few types, and llvmlite none.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, TypeAlias

Kind: TypeAlias = Any
"""A type of Numba."""
Kinds: TypeAlias = Sequence[Kind]
Value: TypeAlias = Any
"""A value in LLVM's code."""
Values: TypeAlias = Sequence[Value]
ValueType: TypeAlias = Any
"""A type of LLVM."""
Context: TypeAlias = Any
"""Numba's typing context, or its target context."""
Builder: TypeAlias = Any
"""Writes LLVM's code."""
Signature: TypeAlias = Any
"""The types of a function's arguments and of its result."""
Function: TypeAlias = Callable[..., Any]
"""An operation of arithmetic.py, or one of Python's."""
Typed: TypeAlias = tuple[Signature, Callable[[Context, Builder, Signature, Values], Value]]
"""What a function decorated with @intrinsic returns: its signature for some types, and what writes its code."""
Dispatcher: TypeAlias = Any
"""A function that Numba compiles, for each kind of arguments; interpreted, the function itself."""
Keywords: TypeAlias = Any
"""The types of the arguments of a call that are passed by name."""
CallStack: TypeAlias = Any
"""The functions that Numba is compiling, each one called by the one before."""
Inference: TypeAlias = Any
"""The inference of the types in one function."""
FunctionIdentity: TypeAlias = Any
"""A function in Python, as Numba sees it."""
CompilerState: TypeAlias = Any
"""What the passes of a compilation read and write."""
CompileResult: TypeAlias = Any
"""A function that Numba has compiled for one kind of arguments."""
FunctionInPasses: TypeAlias = Any
"""A function between two passes, as Numba's statements."""
Block: TypeAlias = Any
"""One of its blocks."""
Blocks: TypeAlias = dict[int, Block]
"""Its blocks, by their labels."""
Statement: TypeAlias = Any
"""One of its statements."""
FunctionDescription: TypeAlias = Any
"""The name and the types of a function that Numba has compiled."""
NumbaError: TypeAlias = Any
"""An error of Numba, with a place in a function."""
Library: TypeAlias = Any
"""Compiled functions in LLVM's code."""
Linker: TypeAlias = Any
"""LLVM's binding, the linker it makes, or the library that the linker has made."""

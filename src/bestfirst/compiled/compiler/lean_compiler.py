"""A lean compiler: Numba, for functions of which only one is ever called from Python.

A template is some fifty small functions. Numba would make each of them ready for Python: optimise it together with all that it
calls, and make machine code of it. Here a function is taken as far as LLVM's language. Those that one calls are put together with
it once, to be optimised and made machine code of. What else takes time and is of no use here is left out: passes for what templates
and domains do not contain (closures, array expressions, literal types of arguments), and to find out again and again what the sum
of two ints is.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache
from types import FunctionType
from typing import Any

from numba.core import types
from numba.core.codegen import JITCodeLibrary, JITCPUCodegen
from numba.core.compiler import CompilerBase
from numba.core.compiler_lock import global_compiler_lock
from numba.core.compiler_machinery import LoweringPass, PassManager, register_pass
from numba.core.registry import CPUDispatcher
from numba.core.typed_passes import (
    IRLegalization,
    NativeLowering,
    NoPythonBackend,
    NopythonTypeInference,
    PreLowerStripPhis,
)
from numba.core.untyped_passes import (
    DeadBranchPrune,
    FixupArgs,
    GenericRewrites,
    IRProcessing,
    ReconstructSSA,
    TranslateByteCode,
)

from bestfirst.compiled.compiler.arithmetic import PREFIX
from bestfirst.compiled.compiler.intrinsic_code import INTRINSICS
from bestfirst.compiled.compiler.specialise import is_interpreted

_OPTIONS = {"nopython": True, "nogil": True, "_nrt": False, "no_cpython_wrapper": True, "no_cfunc_wrapper": True}


def inner(function: Any, *, forceinline: bool = False) -> Any:
    """Compile a function for other compiled code, when that is compiled.

    Without the interpreter's lock, so that several threads can search at once; and without reference counts: compiled code makes no
    arrays, and counting references to those it is given at every call took more than half of the time.
    """
    if is_interpreted():
        return function
    options = {**_OPTIONS, "forceinline": forceinline}
    compiler = _MethodCompiler if IS_METHOD in function.__globals__ else _Compiler
    return _Function(_with_intrinsics(function), targetoptions=options, pipeline_class=compiler)


def object_file(compiled: Any) -> bytes:
    """The machine code of a function (a compile result of Numba) and of all those that it calls."""
    with global_compiler_lock:  # other threads may compile what calls the same functions
        machine_code: bytes = compiled.library.object_file()
    return machine_code


def _with_intrinsics(function: FunctionType) -> FunctionType:
    """A function that calls what intrinsics.py names as compiled code does."""
    names = function.__globals__
    intrinsics = {
        name: INTRINSICS[names[name]]
        for name in function.__code__.co_names
        if isinstance(names.get(name), FunctionType) and names[name] in INTRINSICS
    }
    return FunctionType(function.__code__, {**names, **intrinsics}, function.__name__) if intrinsics else function


class _Function(CPUDispatcher):
    """A function that is compiled for each kind of arguments; 1 is of the same kind as any int."""

    def get_call_template(self, args: Iterable[Any], kws: Any) -> Any:
        return super().get_call_template([types.unliteral(arg) for arg in args], kws)


class _Library(JITCodeLibrary):
    """A function in LLVM's language, and the libraries of those that it calls."""

    def _optimize_functions(self, ll_module: Any) -> None:
        """Nothing yet: that is done when all is together."""
        ll_module.data_layout = self._codegen._data_layout

    def finalize(self) -> None:
        """Nothing more: that of which the machine code is wanted is asked for it."""
        self._finalized = True

    def get_pointer_to_function(self, name: str) -> int:
        """The function cannot be called from Python."""
        del name
        return 0

    def object_file(self) -> bytes:
        """The machine code of the function and of all those that it calls."""
        module = self._final_module
        for library in self._called():
            module.link_in(library._get_module_for_linking(), preserve=True)
        super()._optimize_functions(module)  # first, though the rest does it again: the code is a tenth faster
        self._optimize_final_module()
        machine_code: bytes = self._codegen._tm.emit_object(module)
        return machine_code

    def _called(self) -> Iterable[Any]:
        """The libraries of all functions that this one calls, and those that they call."""
        found: dict[Any, None] = {}
        waiting = list(self._linking_libraries)
        while waiting:
            library = waiting.pop()
            if library not in found:
                found[library] = None
                if isinstance(library, _Library):  # one of Numba's own has in it all that it calls
                    waiting += library._linking_libraries
        return found


class _Codegen(JITCPUCodegen):
    """What makes the libraries."""

    _library_class = _Library

    def set_env(self, env_name: str, env: Any) -> None:
        """Nothing: the environment of a function is there for calls from Python."""


@cache
def _codegen() -> _Codegen:
    return _Codegen("bestfirst")


class _TypingContext:
    """Numba's, which finds only once what an operation gives for arguments of some types.

    of_method: whether variables and results may be ints here and floats there, as in Python.
    """

    def __init__(self, context: Any, *, of_method: bool) -> None:
        self._context, self._of_method = context, of_method

    def __getattr__(self, name: str) -> Any:
        return getattr(self._context, name)

    def resolve_function_type(self, function: Any, arguments: Any, by_name: Any) -> Any:
        if by_name or not isinstance(function, types.Function):
            return self._context.resolve_function_type(function, arguments, by_name)
        known = (function, arguments)
        if known not in _SIGNATURES:
            _SIGNATURES[known] = self._context.resolve_function_type(function, arguments, by_name)
        return _SIGNATURES[known]

    def unify_types(self, *kinds: Any) -> Any:
        """The type that some have in common; None if there is none."""
        if not self._of_method:
            return self._context.unify_types(*kinds)
        first, *others = kinds
        for other in others:
            first = None if first is None else self.unify_pairs(first, other)
        return first

    def unify_pairs(self, one: Any, other: Any) -> Any:
        """The same of two."""
        found = None
        if self._of_method:
            from bestfirst.compiled.compiler.operations.whole import unified  # noqa: PLC0415  (it imports this module)

            found = unified(self, one, other)
        return self._context.unify_pairs(one, other) if found is None else found


_SIGNATURES: dict[tuple[Any, Any], Any] = {}
"""What operations give, by themselves and the types of their arguments."""


@register_pass(mutates_CFG=False, analysis_only=False)
class _OwnLibrary(LoweringPass):
    """Let the function be lowered into a library of ours."""

    _name = "own_library"

    def __init__(self) -> None:
        LoweringPass.__init__(self)

    def run_pass(self, state: Any) -> bool:
        state.library = _codegen().create_library(state.func_id.func_qualname)
        return False


IS_METHOD = f"{PREFIX}exact"
"""Among the names that a function can read: that it is a method of a domain, or what that calls."""


class _Compiler(CompilerBase):
    """The passes by which a function becomes code of LLVM's language."""

    of_method = False

    def __init__(self, *arguments: Any) -> None:
        super().__init__(*arguments)
        self.state.typingctx = _TypingContext(self.state.typingctx, of_method=self.of_method)

    def define_pipelines(self) -> list[Any]:
        passes = PassManager("lean")
        for one in (
            TranslateByteCode,
            FixupArgs,
            IRProcessing,
            DeadBranchPrune,
            GenericRewrites,
            ReconstructSSA,
            NopythonTypeInference,
            PreLowerStripPhis,
            IRLegalization,
            _OwnLibrary,
            NativeLowering,
            NoPythonBackend,
        ):
            passes.add_pass(one, one.__name__)
        passes.finalize()
        return [passes]


class _MethodCompiler(_Compiler):
    """The same for methods of domains."""

    of_method = True

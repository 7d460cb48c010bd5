"""A lean compiler: Numba, for sets of functions of which Python calls only one.

A template is some fifty small functions. Numba would prepare each of them for calls from Python: optimise it together with
all its callees, and generate machine code. Here a function is only translated to LLVM IR. The functions that one calls are
linked to it once, then optimised and compiled. Other expensive steps are left out: passes for constructs that templates
and domains do not contain (closures, array expressions, literal types of arguments), and repeated type inference for the
same operations.
"""

from __future__ import annotations

import ctypes
from collections.abc import Iterable, Sequence
from contextlib import AbstractContextManager, nullcontext
from copy import copy
from functools import cache
from importlib import import_module
from importlib.util import find_spec
from types import BuiltinFunctionType, FunctionType
from typing import TYPE_CHECKING, Any, cast

from llvmlite import ir
from llvmlite.binding import Linkage, create_new_function_pass_manager, get_process_triple, parse_assembly
from numba.core import cgutils, errors, types
from numba.core.codegen import JITCodeLibrary, JITCPUCodegen
from numba.core.compiler import CompilerBase
from numba.core.compiler_lock import global_compiler_lock
from numba.core.compiler_machinery import LoweringPass, PassManager, register_pass
from numba.core.lowering import Lower
from numba.core.registry import CPUDispatcher
from numba.core.typed_passes import NativeLowering, NoPythonBackend, NopythonTypeInference
from numba.core.untyped_passes import DeadBranchPrune, FixupArgs
from numba.np import linalg

from bestfirst.cached import cached_property
from bestfirst.compiled.compiler.arithmetic import PREFIX
from bestfirst.compiled.compiler.calling_convention import PASSED_VALUES, CallingConvention
from bestfirst.compiled.compiler.lean_passes import (
    SSA,
    Canonical,
    Constants,
    Passes,
    StripPhis,
    Translation,
    variables_of_one_block,
)
from bestfirst.compiled.compiler.machine_code import HAS_NEAR_CALLS, Code, Kinds, types_of_words
from bestfirst.compiled.compiler.numba_kinds import numba_type
from bestfirst.compiled.compiler.typing_context import IS_METHOD, ExtendedContext, MethodContext

if TYPE_CHECKING:
    from bestfirst.compiled.compiler.numba_types import (
        Block,
        Builder,
        CallStack,
        CompileResult,
        CompilerState,
        Context,
        Dispatcher,
        Function,
        FunctionDescription,
        FunctionIdentity,
        Inference,
        Keywords,
        Kind,
        Library,
        NumbaError,
        Signature,
        Value,
        Values,
        ValueType,
    )

_OPTIONS = {"nopython": True, "nogil": True, "_nrt": False, "no_cpython_wrapper": True, "no_cfunc_wrapper": True}


def _import_without_scipy() -> None:
    """Import what Numba knows of arrays.

    To see whether SciPy is there, Numba imports its linear algebra, which takes half as long as a kernel; here it is only found.
    Numba's own functions of linear algebra import it when they are called.
    """
    imported, linalg.ensure_blas = linalg.ensure_blas, _find_scipy
    try:
        import_module("numba.np.arraymath")
    finally:
        linalg.ensure_blas = imported


def _find_scipy() -> None:
    """Raise ImportError if SciPy is not installed."""
    if find_spec("scipy") is None:
        raise ImportError


_import_without_scipy()


def inner(function: FunctionType, *, forceinline: bool = False) -> Dispatcher:
    """Compile a function for other compiled code, when that is compiled.

    It runs without the interpreter's lock, so that several threads can search at once; and without reference counts:
    compiled code creates no arrays, and counting references to its arguments at every call took more than half of the time.
    """
    options = {**_OPTIONS, "forceinline": forceinline}
    compiler = _MethodCompiler if IS_METHOD in function.__globals__ else _Compiler
    return _Function(function, targetoptions=options, pipeline_class=compiler)


def generate(function: FunctionType, kinds: Kinds) -> Code:
    """The machine code of a function for arguments of some kinds. Raises NumbaError if it cannot be compiled."""
    compiled = inner(function)
    arguments = tuple(numba_type(kind) for kind in kinds)
    compiled.compile(arguments)
    made = compiled.overloads[arguments]
    words = compiled.targetctx.get_arg_packer(made.fndesc.argtypes).argument_types
    _check_words([str(word) for word in words], kinds)
    result, is_tuple = _result_of(made.signature.return_type)
    return Code(made.fndesc.llvm_func_name, result, is_tuple, _object_file(made))


_LLVM_TYPES = {ctypes.c_int64: "i64", ctypes.c_double: "double", ctypes.c_bool: "i8"}


def _check_words(words: list[str], kinds: Kinds) -> None:
    """Raise NotImplementedError if Numba passes arguments of these kinds differently from machine_code.py."""
    expected = [_LLVM_TYPES[word] for word in types_of_words(kinds)]
    if ["i64" if word.endswith("*") or word == "ptr" else word for word in words] != expected:
        raise NotImplementedError(f"unknown calling convention: {words}")


def _result_of(result: Kind) -> tuple[tuple[str, ...], bool]:
    """The kinds of the numbers in a result, and whether it is a tuple."""
    if isinstance(result, types.BaseTuple):
        parts: Kind = result
        return tuple(_kind_of_number(part) for part in parts), True
    return () if isinstance(result, types.NoneType) else (_kind_of_number(result),), False


def _kind_of_number(number: Kind) -> str:
    return str(types.unliteral(number))


def _object_file(compiled: CompileResult) -> bytes:
    """The machine code of a function (a compile result of Numba) and of all its callees."""
    with global_compiler_lock:  # other threads may compile callers of the same functions
        machine_code: bytes = compiled.library.object_file(compiled.fndesc.llvm_func_name)
    return machine_code


class _Function(CPUDispatcher):
    """A function compiled for each kind of arguments; literal ints such as 1 are treated as any int.

    known_signatures: by its type and the types of arguments.
    """

    @cached_property
    def known_signatures(self) -> dict[tuple[Kind, tuple[Kind, ...]], Signature]:
        return {}

    def get_call_template(self, args: Iterable[Kind], kws: Keywords) -> Signature:
        return super().get_call_template([types.unliteral(arg) for arg in args], kws)

    def fold_argument_types(self, args: Sequence[Kind], kws: Keywords) -> tuple[Signature, tuple[Kind, ...]]:
        signature, args = super().fold_argument_types(args, kws)
        return signature, tuple(types.unliteral(arg) for arg in args)


class _Library(JITCodeLibrary):
    """A function in LLVM IR, with the libraries of its callees."""

    _is_empty = True
    _is_simplified = False

    def add_ir_module(self, ir_module: Library) -> None:
        """The function takes the place of the empty module that a library begins with."""
        if not self._is_empty:
            super().add_ir_module(ir_module)
            return
        self._is_empty = False
        self._final_module = parse_assembly(cgutils.normalize_ir_text(str(ir_module)))
        self._final_module.name = ir_module.name
        self._final_module.data_layout = self._codegen._data_layout

    def _optimize_functions(self, ll_module: Library) -> None:
        """Nothing yet: a function is simplified when another one is linked to it."""
        ll_module.data_layout = self._codegen._data_layout

    def finalize(self) -> None:
        """Nothing more: machine code is generated only on request."""
        self._finalized = True

    def get_pointer_to_function(self, name: str) -> int:
        """The function cannot be called from Python."""
        del name
        return 0

    def object_file(self, symbol: str) -> bytes:
        """The machine code of the function with this symbol and of all its callees."""
        module = self._simplified()
        for library in self._called():
            module.link_in(library._get_module_for_linking(), preserve=True)
        for function in module.functions:
            if not function.is_declaration and function.name != symbol:
                function.linkage = "internal"  # so that arguments which a recursive function never reads are not passed
        for table in module.global_variables:
            if table.name.startswith(PREFIX):
                table.linkage = "internal"
        self._optimize_final_module()
        machine_code: bytes = self._codegen._tm.emit_object(module)
        return machine_code

    def _get_module_for_linking(self) -> Library:
        """A copy, whose functions the linker keeps: the code of a caller that it has not seen yet may call them."""
        if self._shared_module is None:
            module = self._simplified().clone()
            for function in module.functions:
                if not function.is_declaration and function.linkage == Linkage.external:
                    function.linkage = "weak_odr"
            self._shared_module = module
        return self._shared_module

    def _simplified(self) -> Library:
        """The module, after each of its functions was simplified by itself: once, for all kernels that call it.

        Without it, the code of the whole program would be a tenth slower, because callees are inlined first. All that LLVM
        can do to a single function, as Numba lets it, would take four times as long, and the code would not be faster.
        """
        if not self._is_simplified:
            self._is_simplified = True
            if hasattr(self._codegen, "_pass_builder"):
                self._run_few_passes(self._final_module)
            else:  # before Numba 0.62, the passes for functions are few
                super()._optimize_functions(self._final_module)
        return self._final_module

    def _run_few_passes(self, module: Library) -> None:
        builder, passes = self._codegen._pass_builder(), create_new_function_pass_manager()
        passes.add_sroa_pass()
        passes.add_simplify_cfg_pass()
        passes.add_instruction_combine_pass()
        passes.add_simplify_cfg_pass()
        for function in module.functions:
            if not function.is_declaration:
                passes.run(function, builder)

    def _called(self) -> Iterable[Library]:
        """The libraries of all direct and indirect callees; last Numba's own, of which the linker keeps what is called."""
        found: dict[Library, None] = {}
        waiting = list(self._linking_libraries)
        while waiting:
            library = waiting.pop()
            if library not in found:
                found[library] = None
                if isinstance(library, _Library):  # Numba's own libraries contain their callees
                    waiting += library._linking_libraries
        return sorted(found, key=lambda library: not isinstance(library, _Library))


class _Codegen(JITCPUCodegen):
    """Creates the libraries."""

    _library_class = _Library

    def _create_empty_module(self, name: str) -> Library:
        module = ir.Module(cgutils.normalize_ir_text(name))
        module.triple = _triple()
        return module

    def _customize_tm_options(self, options: dict[str, object]) -> None:
        """Functions of one object file are near each other: calls by distance are shorter than by address, and faster."""
        super()._customize_tm_options(options)
        if HAS_NEAR_CALLS:
            options["reloc"], options["codemodel"] = "pic", "small"

    def set_env(self, env_name: str, env: object) -> None:
        """Nothing: the environment of a function serves calls from Python."""


@cache
def _triple() -> str:
    """The platform; asking LLVM takes as long as the translation of a short function."""
    return str(get_process_triple())


@cache
def _codegen() -> _Codegen:
    return _Codegen("bestfirst")


class _TypingContext(ExtendedContext):
    """Numba's typing context, which infers the type of each call for given argument types only once."""

    @property
    def callstack(self) -> _CallStack:
        return _CallStack(self._context.callstack)

    def resolve_function_type(self, function: Kind, arguments: tuple[Kind, ...], by_name: Keywords) -> Signature:
        if isinstance(function, types.Dispatcher) and isinstance(function.dispatcher, _Function):
            known = function.dispatcher.known_signatures
        elif isinstance(function, types.Function | BuiltinFunctionType):  # those of operator are built in
            known = _SIGNATURES
        else:
            return self._context.resolve_function_type(function, arguments, by_name)
        if by_name:
            return self._context.resolve_function_type(function, arguments, by_name)
        if (function, arguments) not in known:
            known[function, arguments] = self._context.resolve_function_type(function, arguments, by_name)
        return known[function, arguments]


class _TypingContextOfMethod(MethodContext, _TypingContext):
    """Like _TypingContext, for methods of domains."""


class _CallStack:
    """The functions that Numba is compiling. Recursive ones have the results that they declare; it need not infer them."""

    def __init__(self, stack: CallStack) -> None:
        self._stack = stack

    def __getattr__(self, name: str) -> Any:
        return getattr(self._stack, name)

    def register(self, target: object, inference: Inference, function: FunctionIdentity, arguments: object) -> object:
        inference.warnings = _UNCOLLECTED
        result = _RESULTS.get(function.func.__annotations__.get("return"))
        if result is not None:
            inference.return_types_from_partial = lambda: result
        return self._stack.register(target, inference, function, arguments)


class _Uncollected:
    """Leaves warnings alone. Numba collects them anew for each statement whose types it infers."""

    def catch_warnings(self, **place: object) -> AbstractContextManager[None]:
        del place
        return nullcontext()


_UNCOLLECTED = _Uncollected()
_RESULTS = {"int": types.int64, "float": types.float64, "bool": types.boolean, "None": types.none}
"""Types by annotation."""
_SIGNATURES: dict[tuple[Kind, tuple[Kind, ...]], Signature] = {}
"""Result types by operation and argument types."""


class _KnownFunction(types.Function):
    """A function of Numba that infers its signature for given argument types only once.

    Numba infers it again for each operation that it translates, which takes longer than the translation.
    """

    @classmethod
    def of(cls, function: Kind) -> _KnownFunction:
        """The function, which shares what it knows of its implementations."""
        known = object.__new__(cls)
        known.__dict__.update(function.__dict__)
        return known

    def get_call_type(self, context: Context, args: tuple[Kind, ...], kws: Keywords) -> Signature:
        if kws:
            return super().get_call_type(context, args, kws)
        if (self, args) not in _SIGNATURES:
            _SIGNATURES[self, args] = super().get_call_type(context, args, kws)
        return _SIGNATURES[self, args]


class _KnownFunctions(ExtendedContext):
    """The typing context of the translation to LLVM IR."""

    def resolve_value_type(self, value: object) -> Kind:
        kind = self._context.resolve_value_type(value)
        if type(kind) is not types.Function:
            return kind
        if kind not in _KNOWN:
            _KNOWN[kind] = _KnownFunction.of(kind)
        return _KNOWN[kind]


_KNOWN: dict[Kind, _KnownFunction] = {}
"""Functions by those of Numba."""


class _LeanContext:
    """A base of target contexts with short names of functions, direct recursion, and sizes of types that are known.

    Numba's names contain the types of all arguments; a function that calls one of its callers calls it through a variable.
    LLVM is asked for the size of a type only once, since each time takes a millisecond. So does the search for a conversion
    to an array at each use of one, which Numba repeats after it has looked for new declarations. Numba's own operations are
    found once, too: each time, Numba inspects their parameters in Python.
    """

    def get_function(self, function: object, signature: Signature, **options: bool) -> Function:
        if function == "__array__" and isinstance(signature.args[0], types.Array):
            raise NotImplementedError("it is an array")
        if not isinstance(function, str | BuiltinFunctionType | _KnownFunction):
            return self._found(function, signature, options)
        if (function, signature) not in _IMPLEMENTATIONS:
            _IMPLEMENTATIONS[function, signature] = self._found(function, signature, options)
        known = _IMPLEMENTATIONS[function, signature]
        again: Any = object.__new__(type(known))
        again.__dict__.update(known.__dict__, _context=self)
        return cast("Function", again)

    def _found(self, function: object, signature: Signature, options: dict[str, bool]) -> Function:
        found: Function = super().get_function(function, signature, **options)  # type: ignore[misc]
        return found

    def mangler(
        self, name: str, arguments: tuple[Kind, ...], *, abi_tags: tuple[str, ...] = (), uid: int | None = None
    ) -> str:
        if uid is not None:  # it is unique, and the tags would be those of a caller
            arguments, abi_tags = (), ()
        return super().mangler(name, arguments, abi_tags=abi_tags, uid=uid)  # type: ignore[misc, no-any-return]

    @cached_property
    def call_conv(self) -> CallingConvention:
        return CallingConvention(self)

    def declare_function(self, module: Library, function: FunctionDescription) -> Function:
        if function.mangled_name in PASSED_VALUES:
            return self.call_conv.declared(module, function)
        declared: Function = super().declare_function(module, function)  # type: ignore[misc]
        return declared

    def call_unresolved(self, builder: Builder, name: str, signature: Signature, arguments: Values) -> Value:
        context: Context = self
        function_type = context.call_conv.get_function_type(signature.return_type, signature.args)
        function = cgutils.get_or_insert_function(builder.module, function_type, name)
        status, result = context.call_conv.call_function(builder, function, signature.return_type, signature.args, arguments)
        with cgutils.if_unlikely(builder, status.is_error):
            context.call_conv.return_status_propagate(builder, status)
        return result

    def get_abi_sizeof(self, kind: ValueType) -> int:
        if kind not in _SIZES:
            _SIZES[kind] = super().get_abi_sizeof(kind)  # type: ignore[misc]
        return _SIZES[kind]


_IMPLEMENTATIONS: dict[tuple[object, Signature], Function] = {}
"""Operations of Numba, by what is called and its types."""
_SIZES: dict[ValueType, int] = {}
"""Sizes in bytes by LLVM type."""


@cache
def _lean_class(of_numba: Context) -> type:
    return type("LeanContext", (_LeanContext, of_numba), {})


def _lean(context: Context) -> Context:
    """A target context of Numba, with the methods of _LeanContext; it shares everything else."""
    made, kind = copy(context), cast("Context", type(context))
    made.__class__ = _lean_class(kind)
    made.typing_context = _KnownFunctions(context.typing_context)
    return made


@register_pass(mutates_CFG=False, analysis_only=False)
class _OwnLibrary(LoweringPass):
    """Lower the function into a library of ours."""

    _name = "own_library"

    def __init__(self) -> None:
        LoweringPass.__init__(self)

    def run_pass(self, state: CompilerState) -> bool:
        state.library = _codegen().create_library(state.func_id.func_qualname)
        return False


_ERRORS: Any = errors


class _Lowering(Lower):
    """The translation of one function to LLVM IR.

    Without reference counts, a variable need not be read before it changes, nor cleared after its last use. One that is
    assigned only once, at the beginning of the function, as its arguments are, needs no place in memory.
    """

    def lower(self) -> None:
        is_recursive = "return" in self.func_ir.func_id.func.__annotations__
        if self.fndesc.inline and not is_recursive:
            PASSED_VALUES.add(self.fndesc.mangled_name)
        super().lower()

    def lower_block(self, block: Block) -> None:
        """As Numba does; but an error message is prepared only when there is an error."""
        self.pre_block(block)
        for statement in block.body:
            self.loc = statement.loc
            try:
                self.lower_inst(statement)
            except Exception:
                with _ERRORS.new_error_context(
                    'lowering "{inst}" at {loc}', inst=statement, loc=self.loc, errcls_=self._error
                ):
                    raise
        self.post_block(block)

    def _error(self, message: str) -> NumbaError:
        return _ERRORS.LoweringError(message, loc=self.loc)

    def _find_singly_assigned_variable(self) -> None:
        self._singly_assigned_vars, self._blk_local_varmap = variables_of_one_block(dict(self.blocks)), {}

    def storevar(self, value: Value, name: str, argidx: int | None = None) -> None:
        del argidx
        if name in self._singly_assigned_vars:
            self._blk_local_varmap[name] = value
        else:
            self._alloca_var(name, self.typeof(name))
            self.builder.store(value, self.getvar(name))

    def delvar(self, name: str) -> None:
        """Nothing."""


@register_pass(mutates_CFG=True, analysis_only=False)
class _OwnLowering(NativeLowering):
    """Lower the function by the class above."""

    _name = "own_lowering"

    @property
    def lowering_class(self) -> type[_Lowering]:
        return _Lowering


class _Compiler(CompilerBase):
    """The passes that translate a function to LLVM IR."""

    typing_context: type[_TypingContext] = _TypingContext

    def __init__(self, *arguments: object) -> None:
        super().__init__(*arguments)
        self.state.typingctx = self.typing_context(self.state.typingctx)
        self.state.targetctx = _lean(self.state.targetctx)

    def define_pipelines(self) -> list[PassManager]:
        passes = Passes("lean")
        for one in (
            Translation,
            FixupArgs,
            Canonical,
            DeadBranchPrune,
            Constants,
            SSA,
            NopythonTypeInference,
            StripPhis,
            _OwnLibrary,
            _OwnLowering,
            NoPythonBackend,
        ):
            passes.add_pass(one, one.__name__)
        passes.finalize()
        return [passes]


class _MethodCompiler(_Compiler):
    """The compiler of the methods of domains."""

    typing_context = _TypingContextOfMethod

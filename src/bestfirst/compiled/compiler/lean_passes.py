"""The passes of the lean compiler: those of Numba, without what templates and methods of domains do not need."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import suppress
from typing import TYPE_CHECKING, Any

from numba.core import ir
from numba.core.compiler_machinery import CompilerPass, FunctionPass, PassManager, register_pass
from numba.core.errors import ConstantInferenceError
from numba.core.interpreter import Interpreter, peep_hole_delete_with_exit, peep_hole_fuse_dict_add_updates
from numba.core.ir_utils import build_definitions
from numba.core.rewrites.static_raise import RewriteConstRaises
from numba.core.ssa import reconstruct_ssa
from numba.core.transforms import canonicalize_cfg
from numba.core.typed_passes import PreLowerStripPhis
from numba.core.untyped_passes import ReconstructSSA, TranslateByteCode

if TYPE_CHECKING:
    from bestfirst.compiled.compiler.numba_types import Blocks, CompilerState, Function, FunctionInPasses, Statement


class Passes(PassManager):
    """Runs the passes without telling Numba's listeners about each one, which takes as long as a short pass."""

    def _runPass(self, index: int, one: CompilerPass, state: CompilerState) -> None:  # noqa: N802
        del index
        one.analysis = self._analysis
        one.run_initialization(state)
        one.run_pass(state)
        one.run_finalizer(state)


_OF_OTHER_CODE = peep_hole_delete_with_exit, peep_hole_fuse_dict_add_updates


class _Interpreter(Interpreter):
    """Translates bytecode to Numba's statements, without a search of them for `with` and dicts."""

    def post_process(self, peepholes: list[Function], function: FunctionInPasses) -> FunctionInPasses:
        return super().post_process([one for one in peepholes if one not in _OF_OTHER_CODE], function)


@register_pass(mutates_CFG=True, analysis_only=False)
class Translation(TranslateByteCode):
    """Translate bytecode to Numba's statements, as above."""

    _name = "own_translation"

    def run_pass(self, state: CompilerState) -> bool:
        state.func_ir = _Interpreter(state.func_id).interpret(state.bc)
        return True


@register_pass(mutates_CFG=True, analysis_only=False)
class Canonical(FunctionPass):
    """Bring the control flow into Numba's usual form. Its own pass also finds out how long each variable lives."""

    _name = "canonical"

    def __init__(self) -> None:
        FunctionPass.__init__(self)

    def run_pass(self, state: CompilerState) -> bool:
        state.func_ir.blocks = canonicalize_cfg(state.func_ir.blocks)
        return True


@register_pass(mutates_CFG=True, analysis_only=False)
class Constants(FunctionPass):
    """Note which indices and exceptions are constants.

    Numba tries to compute the value of each index; if it fails, it writes an error message, which takes a hundred times as long.
    """

    _name = "own_constants"

    def __init__(self) -> None:
        FunctionPass.__init__(self)

    def run_pass(self, state: CompilerState) -> bool:
        function = state.func_ir
        for label, block in function.blocks.items():
            block.body = [_with_constant_index(function, statement) for statement in block.body]
            if any(isinstance(statement, ir.Raise | ir.TryRaise) for statement in block.body):
                raises = RewriteConstRaises(state)
                if raises.match(function, block, None, None):
                    function.blocks[label] = raises.apply()
        return True


def _with_constant_index(function: FunctionInPasses, statement: Statement) -> Statement:
    """The statement, in Numba's form for a constant index if it gets or sets an item with one."""
    if isinstance(statement, ir.SetItem):
        index = _constant(function, statement.index)
        if index is not NO_CONSTANT:
            return ir.StaticSetItem(statement.target, index, statement.index, statement.value, statement.loc)
    elif isinstance(statement, ir.Assign) and isinstance(statement.value, ir.Expr) and statement.value.op == "getitem":
        item = statement.value
        index = _constant(function, item.index)
        if index is not NO_CONSTANT:
            item = ir.Expr.static_getitem(value=item.value, index=index, index_var=item.index, loc=item.loc)
            return ir.Assign(item, statement.target, statement.loc)
    return statement


NO_CONSTANT = object()


def _constant(function: FunctionInPasses, variable: Any) -> Any:
    """The value of a variable, if it is a number or a slice that the code contains."""
    definitions = function._definitions[variable.name]
    found = definitions[0] if len(definitions) == 1 else None
    if isinstance(found, ir.Var):
        return _constant(function, found)
    if isinstance(found, ir.Const | ir.Global | ir.FreeVar):
        return found.value
    if isinstance(found, ir.Expr) and found.op == "call" and _constant(function, found.func) is slice:
        with suppress(ConstantInferenceError):
            return function.infer_constant(variable)
    return NO_CONSTANT


@register_pass(mutates_CFG=False, analysis_only=False)
class SSA(ReconstructSSA):
    """Assign each variable once, without an analysis of how long each one lives."""

    _name = "own_ssa"

    def run_pass(self, state: CompilerState) -> bool:
        state.func_ir = reconstruct_ssa(state.func_ir)
        state.func_ir._definitions = build_definitions(state.func_ir.blocks)
        return True


@register_pass(mutates_CFG=False, analysis_only=False)
class StripPhis(PreLowerStripPhis):
    """Remove the phi nodes of that form, also without an analysis of how long each variable lives."""

    _name = "own_strip_phis"

    def run_pass(self, state: CompilerState) -> bool:
        state.func_ir = self._strip_phi_nodes(state.func_ir)
        state.func_ir._definitions = build_definitions(state.func_ir.blocks)
        return True


def variables_of_one_block(blocks: Blocks) -> set[str]:
    """The variables that are assigned once, and read only in that block, or in any block if it is the first."""
    first = min(blocks)
    block_of: dict[str, int] = {}
    others: set[str] = set()
    for label, block in blocks.items():
        for statement in block.body:
            if isinstance(statement, ir.Assign):
                name = statement.target.name
                if name in block_of:
                    others.add(name)
                block_of[name] = label
    for label, block in blocks.items():
        if label != first:
            others.update(name for name in _read_in(block.body) if block_of.get(name, label) not in (label, first))
    return block_of.keys() - others


def _read_in(statements: list[Statement]) -> Iterator[str]:
    """The names of the variables that statements read."""
    for statement in statements:
        read: Mapping[str, Any] = vars(statement)
        if isinstance(statement, ir.Assign):
            value = statement.value
            read = value._kws if isinstance(value, ir.Expr) else {"value": value}
        for part in read.values():
            yield from _names_in(part)


def _names_in(part: Any) -> Iterator[str]:
    if isinstance(part, ir.Var):
        yield part.name
    elif isinstance(part, list | tuple):
        for one in part:
            yield from _names_in(one)
    elif isinstance(part, ir.Expr):
        for one in part._kws.values():
            yield from _names_in(one)

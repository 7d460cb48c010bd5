"""How the functions of the lean compiler call those that are inlined: arrays and tuples are passed whole.

Numba passes the numbers that an array or a tuple consists of, each by itself: a function that takes the records of a search gets
fifteen of them. Two thirds of the code of a template took arguments apart at each call, and put them together in each function;
now LLVM has less to read and to remove. Functions that are not inlined still get each number: LLVM leaves out those that a
function never reads.
"""

from __future__ import annotations

from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

from llvmlite import ir
from numba.core import cgutils
from numba.core.callconv import CPUCallConv, Status, errcode_t, excinfo_ptr_t, excinfo_t

if TYPE_CHECKING:
    from bestfirst.compiled.compiler.numba_types import Builder, Function, FunctionDescription, Kind, Kinds, Value, Values

NO_ERROR, NO_VALUE = ir.Constant(errcode_t, 0), ir.Constant(errcode_t, -2)
"""Codes that calls return."""

PASSED_VALUES: set[str] = set()
"""The names of the functions that are passed arrays and tuples whole; they are inlined."""


class CallingConvention(CPUCallConv):
    """Numba's calling convention, and the one that passes arrays and tuples whole."""

    def declared(self, module: ir.Module, function: FunctionDescription) -> Function:
        """A function that is passed arrays and tuples whole, in a module that calls it or contains it."""
        known: Function | None = module.globals.get(function.mangled_name)
        if known is not None:
            return known
        result, values = self.get_return_type(function.restype), map(self.context.get_value_type, function.argtypes)
        kind = ir.FunctionType(errcode_t, [result, excinfo_ptr_t.as_pointer(), *values])
        made: Any = ir.Function(module, kind, function.mangled_name)
        made.takes_values = True
        self.decorate_function(SimpleNamespace(args=made.args[:2]), (), ())  # the places of the result and of an error
        made.attributes.add("alwaysinline")
        declared: Function = made
        return declared

    def decode_arguments(self, builder: Builder, kinds: Kinds, function: Function) -> Values:
        """The arguments of a function, in its own code."""
        if _takes_values(function):
            return list(self.get_arguments(function))
        words: Values = super().decode_arguments(builder, kinds, function)
        return words

    def call_function(
        self, builder: Builder, function: Function, result: Kind, kinds: Kinds, values: Values, attrs: object = None
    ) -> tuple[Status, Value]:
        """Call a function: what became of the call, and the result."""
        if not _takes_values(function):
            made: tuple[Status, Value] = super().call_function(builder, function, result, kinds, values, attrs)
            return made
        kind = self.get_return_type(result).pointee
        place = cgutils.alloca_once(builder, kind)
        builder.store(cgutils.get_null_value(kind), place)
        error = cgutils.alloca_once(builder, excinfo_t.as_pointer())
        code = builder.call(function, [place, error, *values])
        status = self._status(builder, code, builder.load(error))
        return status, self.context.get_returned_value(builder, result, builder.load(place))

    def _status(self, builder: Builder, code: Value, error: Value) -> Status:
        """Which of the codes that templates tell apart."""
        has_no_value = builder.icmp_signed("==", code, NO_VALUE)
        is_ok = builder.or_(builder.icmp_signed("==", code, NO_ERROR), has_no_value)
        return Status(
            code=code,
            excinfoptr=error,
            is_ok=is_ok,
            is_none=has_no_value,
            is_error=builder.not_(is_ok),
            is_stop_iteration=None,
            is_python_exc=None,
            is_user_exc=None,
        )

    def return_status_propagate(self, builder: Builder, status: Status) -> None:
        """Return from a function as its callee did; templates do not catch errors."""
        builder.store(status.excinfoptr, self._get_excinfo_argument(builder.function))
        self._return_errcode_raw(builder, status.code)


def _takes_values(function: Function) -> bool:
    return getattr(function, "takes_values", False)

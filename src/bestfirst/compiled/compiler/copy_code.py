"""The machine code of copies.py."""

from __future__ import annotations

from typing import TYPE_CHECKING

from llvmlite import ir
from numba.core import cgutils, types
from numba.extending import intrinsic

from bestfirst.compiled.compiler.copies import Control
from bestfirst.compiled.compiler.guards import FIRST_STOP

if TYPE_CHECKING:
    from bestfirst.compiled.compiler.numba_types import (
        Builder,
        CompileResult,
        Context,
        Function,
        Kind,
        Kinds,
        Signature,
        Typed,
        Value,
        Values,
        ValueType,
    )

_I64 = ir.IntType(64)
CHILDREN, COPIES, LOOK_UP, ASIDE = "bf_children", "bf_copies", "bf_look_up", "bf_aside"
"""The names of the tables and the functions that a module of LLVM shares with others."""


def copied(control: Control) -> dict[str, Function]:
    """The functions visit_first, visit_child and aside of templates."""

    @intrinsic
    def visit_first(typing: Context, visit: Kind, descent: Kind, state: Kind, undo: Kind, depth: Kind, h: Kind) -> Typed:
        del typing
        arguments = descent, state, undo, depth, h
        visit.dispatcher.compile(arguments)

        def generate(context: Context, builder: Builder, signature: Signature, values: Values) -> Value:
            call = _Calls(context, builder, control, signature.args[1:])
            call.define(signature.args[0].dispatcher.overloads[tuple(signature.args[1:])])
            return call.look_up(values[2], values[3], call.words(values[1], values[2], *values[4:]))

        return types.int64(visit, *arguments), generate

    @intrinsic
    def visit_child(typing: Context, descent: Kind, state: Kind, child: Kind, action: Kind, depth: Kind, h: Kind) -> Typed:
        del typing

        def generate(context: Context, builder: Builder, signature: Signature, values: Values) -> Value:
            call = _Calls(context, builder, control, (descent, *signature.args[2:]))
            return call.of_child(values[1], values[2], values[3], call.words(values[0], values[2], *values[4:]))

        return types.int64(descent, state, child, action, depth, h), generate

    @intrinsic
    def aside(
        typing: Context, leave: Kind, descent: Kind, state: Kind, undo: Kind, depth: Kind, action: Kind, how: Kind
    ) -> Typed:
        del typing
        arguments = descent, state, *map(types.unliteral, (undo, depth, action, how))
        leave.dispatcher.compile(arguments)

        def generate(context: Context, builder: Builder, signature: Signature, values: Values) -> Value:
            compiled = signature.args[0].dispatcher.overloads[tuple(signature.args[1:])]
            return _called_aside(context, builder, compiled, list(values[1:]))

        return types.int64(leave, *arguments), generate

    return {"visit_first": visit_first, "visit_child": visit_child, "aside": aside}


class _Calls:
    """Calls of copies in the code of one function.

    kinds: the types of the arguments of visit_first() from descent on. A copy takes the words of a node: descent, the fields of
    the state except for the control field, depth and, unless a field is the estimate, h. It returns what visit() does, or the
    status with which it stopped.
    """

    def __init__(self, context: Context, builder: Builder, control: Control, kinds: Kinds) -> None:
        self._context, self._builder, self._control, self._kinds = context, builder, control, kinds
        descent, self._state, _undo, depth, h = map(context.get_value_type, kinds)
        self._fields = [place for place in range(len(self._state.elements)) if place != control.place]
        self._passes_h = control.estimate is None or self._state.elements[control.estimate] != h
        self._words = [descent, *(self._state.elements[place] for place in self._fields), depth, *self._passed(h)]
        self._copy = ir.FunctionType(_I64, self._words)
        entries = len(control.children)
        self._tables = {
            CHILDREN: self._table(CHILDREN, ir.ArrayType(_I64, entries)),
            COPIES: self._table(COPIES, ir.ArrayType(self._copy.as_pointer(), entries)),
        }
        kind = ir.FunctionType(_I64, [_I64, _I64, *self._words])
        self._look_up = cgutils.get_or_insert_function(builder.module, kind, LOOK_UP)

    def _table(self, name: str, kind: ValueType) -> Value:
        module = self._builder.module
        return module.globals[name] if name in module.globals else ir.GlobalVariable(module, kind, name)

    def _passed(self, h: Value) -> Values:
        return [h] if self._passes_h else []

    def words(self, descent: Value, state: Value, depth: Value, h: Value) -> Values:
        """The arguments of a copy."""
        return [descent, *(self._builder.extract_value(state, place) for place in self._fields), depth, *self._passed(h)]

    def _value(self, state: Value) -> Value:
        """The value of the control field; it fits into its bits, since every state is checked."""
        return self._builder.and_(self._builder.extract_value(state, self._control.place), _I64(self._control.values - 1))

    def look_up(self, state: Value, undo: Value, words: Values) -> Value:
        """Call the copy for any state."""
        return self._checked(self._builder.call(self._look_up, [self._value(state), undo, *words]))

    def of_child(self, state: Value, child: Value, action: Value, words: Values) -> Value:
        """Call the copy for the child that an action leads to; if a method stops in it, the result is its status."""
        builder, zero = self._builder, _I64(0)
        place = builder.add(builder.mul(self._value(state), _I64(len(self._control.undo))), action)
        known, copy = (builder.load(builder.gep(self._tables[name], [zero, place])) for name in (CHILDREN, COPIES))
        result = cgutils.alloca_once(builder, _I64)
        with builder.if_else(builder.icmp_unsigned("==", known, self._value(child)), likely=True) as (expected, other):
            with expected:
                builder.store(builder.call(copy, words), result)
            with other:
                undo = self._undo(action)
                builder.store(builder.call(self._look_up, [self._value(child), undo, *words]), result)
        return builder.load(result)

    def _undo(self, action: Value) -> Value:
        actions = [_I64(number) for number in range(len(self._control.undo))]
        found = _I64(-1)
        for number, undo in zip(actions, self._control.undo, strict=True):
            found = self._builder.select(self._builder.icmp_unsigned("==", action, number), _I64(undo), found)
        return found

    def _checked(self, result: Value) -> Value:
        """The result of a call; if a method has stopped in it, the caller stops as well."""
        stopped = self._builder.icmp_signed(">=", result, _I64(FIRST_STOP))
        with self._builder.if_then(stopped, likely=False):
            self._context.call_conv._return_errcode_raw(self._builder, self._builder.trunc(result, ir.IntType(32)))
        return result

    def define(self, visit: CompileResult) -> None:
        """Define the copies, and the tables. visit: the function, compiled."""
        self._context.active_code_library.add_linking_library(visit.library)
        control, actions = self._control, len(self._control.undo)
        copies = {
            (value, undo): self._defined(f"bf_visit_{value}_{undo}", visit, _I64(value), _I64(undo))
            for value, undo in control.copies()
        }
        self._define_look_up(visit, copies)
        first = next(iter(copies.values()))
        by_place = [
            copies.get((value, control.undo[place % actions]), first) for place, value in enumerate(control.children)
        ]
        values = [_I64(value) for value in control.children]
        for name, elements in ((CHILDREN, values), (COPIES, by_place)):
            table = self._tables[name]
            table.initializer = ir.Constant(table.value_type, elements)
            table.global_constant = True

    def _defined(self, name: str, visit: CompileResult, value: Value, undo: Value) -> Value:
        """The copy for a value of the control field and an action not to be made."""
        function = ir.Function(self._builder.module, self._copy, name)
        builder = ir.IRBuilder(function.append_basic_block("entry"))
        self._visit(builder, visit, value, undo, function.args)
        return function

    def _define_look_up(self, visit: CompileResult, copies: dict[tuple[int, int], Value]) -> None:
        """Define the function that calls a copy by its values; if there is none, visit() itself."""
        value, undo, *words = self._look_up.args
        stride = len(self._control.undo) + 1
        builder = ir.IRBuilder(self._look_up.append_basic_block("entry"))
        place = builder.add(builder.mul(value, _I64(stride)), undo)
        other = self._look_up.append_basic_block("other")
        switch = builder.switch(place, other)
        for (of_value, of_undo), copy in copies.items():
            block = self._look_up.append_basic_block(copy.name)
            switch.add_case(_I64(of_value * stride + of_undo), block)
            builder.position_at_end(block)
            builder.ret(builder.call(copy, words))
        builder.position_at_end(other)
        self._visit(builder, visit, value, undo, words)

    def _visit(self, builder: Builder, visit: CompileResult, value: Value, undo: Value, words: Values) -> None:
        """Call visit() with the words of a node and these values, and return its result."""
        descent, *words = words
        fields, others = words[: len(self._fields)], words[len(self._fields) :]
        state = ir.Constant(self._state, ir.Undefined)
        for place, field in zip(self._fields, fields, strict=True):
            if field.type == _I64 and self._control.bits[place] < _I64.width:  # every state has been checked
                builder.assume(builder.icmp_unsigned("<", field, _I64(1 << self._control.bits[place])))
            state = builder.insert_value(state, field, place)
        state = builder.insert_value(state, value, self._control.place)
        if not self._passes_h:
            others.append(builder.extract_value(state, self._control.estimate))
        _return_result(self._context, builder, visit, [descent, state, undo, *others])


def _called_aside(context: Context, builder: Builder, function: CompileResult, arguments: Values) -> Value:
    """The result of a function that is not inlined, or the status with which it stopped."""
    context.active_code_library.add_linking_library(function.library)
    kind = ir.FunctionType(_I64, [argument.type for argument in arguments])
    aside = cgutils.get_or_insert_function(builder.module, kind, ASIDE)
    if aside.is_declaration:
        aside.attributes.add("noinline")
        aside.attributes.add("cold")
        _return_result(context, ir.IRBuilder(aside.append_basic_block("entry")), function, aside.args)
    return builder.call(aside, arguments)


def _return_result(context: Context, builder: Builder, function: CompileResult, arguments: Values) -> None:
    """Call a function, and return its result, or the status with which it stopped."""
    status, result = context.call_internal_no_propagate(builder, function.fndesc, function.signature, arguments)
    with builder.if_then(builder.icmp_signed("!=", status.code, status.code.type(0)), likely=False):
        code = builder.sext(status.code, _I64)  # the notes say more
        has_site = builder.icmp_signed(">=", code, _I64(FIRST_STOP))
        builder.ret(builder.select(has_site, code, _I64(FIRST_STOP)))
    builder.ret(result)

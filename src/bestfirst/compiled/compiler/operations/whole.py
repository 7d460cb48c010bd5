"""The basis of the operations' code: Python's ints in 64 bits, and the stop if they do not fit.

Ints have four representations. `int64` and Word (an int in 0 .. 2**64 - 1, such as a field of 64 bits) are known completely.
A Lazy one, the result of + - * <<, consists of its lowest 64 bits and whether these are all: so (x << 8) & mask is correct
whichever bits the shift pushes out, and a value that must be known completely is checked when it is needed.

A number that is an int on one path and a float on another is Mixed: a float with a note on whether Python has an int there;
if so, it is exactly that int.

A function that stops returns the site of the operation to its caller, in the same way as Numba's own errors; guards.py
records the state and the action of the call, and the reference engine is asked for Python's meaning.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import reduce

from llvmlite import ir
from numba.core import cgutils, errors, types
from numba.core.datamodel import models
from numba.core.imputils import lower_cast
from numba.core.typing.templates import AbstractTemplate, infer_global
from numba.extending import lower_builtin, register_model

from bestfirst.compiled.compiler.arithmetic import DEFERRED, OPERATIONS, PREFIX, UNCHECKED
from bestfirst.compiled.compiler.numba_types import Builder, Context, Function, Kind, Kinds, Signature, Value, Values

I1, I32, I64, F64 = ir.IntType(1), ir.IntType(32), ir.IntType(64), ir.DoubleType()
LEAST = -(1 << 63)
EXACT_FLOATS = 1 << 53
"""Floats represent all ints up to this one."""
RESULT_SITE = 1000
"""The return code of a function whose own result is not known completely; sites come after it."""
FIRST_SITE = RESULT_SITE + 1


class Whole(types.Type):
    """An int type unknown to Numba. signed: whether the known part is an int64, otherwise a word."""

    def __init__(self, name: str, *, signed: bool, lazy: bool) -> None:
        super().__init__(name=name)
        self.signed, self.lazy = signed, lazy

    def unify(self, typingctx: Context, other: Kind) -> Kind:  # noqa: ARG002
        """The type of a variable that has this type on one path, and another number type on another."""
        other = types.unliteral(other)
        if isinstance(other, types.Boolean | types.Integer):
            return LAZY if self.signed else LAZY_WORD
        if isinstance(other, Whole):
            return LAZY if self.signed and other.signed else LAZY_WORD
        return None


class Wide(types.Type):
    """The type of a signed int of `bits` bits, more than 64 (operations/wide.py)."""

    signed, lazy = True, False

    def __init__(self, bits: int) -> None:
        self.bits = bits
        super().__init__(name=f"int of {bits} bits")

    def unify(self, typingctx: Context, other: Kind) -> Kind:  # noqa: ARG002
        """The type of a variable that has this type on one path, and another one on another."""
        other = types.unliteral(other)
        if isinstance(other, Wide):
            return self if self.bits >= other.bits else other
        return self if is_int(other) else None


class Mixed(types.Type):
    """A number that is an int on one path and a float on another."""


WORD = Whole("word", signed=False, lazy=False)
LAZY = Whole("lazy int", signed=True, lazy=True)
LAZY_WORD = Whole("lazy word", signed=False, lazy=True)
MIXED = Mixed("an int or a float")
INT, FLOAT, BOOL = types.int64, types.float64, types.boolean


@register_model(Whole)
class _Model(models.StructModel):
    """The lowest 64 bits, and whether others exist."""

    def __init__(self, manager: object, kind: Kind) -> None:
        members = [("low", types.int64)] + ([("over", types.boolean)] if kind.lazy else [])
        super().__init__(manager, kind, members)


@register_model(Mixed)
class _MixedModel(models.StructModel):
    """The number as a float, and whether Python has an int there."""

    def __init__(self, manager: object, kind: Kind) -> None:
        super().__init__(manager, kind, [("real", types.float64), ("is_int", types.boolean)])


@dataclass(frozen=True)
class Int:
    """An int in machine code. over: whether it has more bits; None if it certainly does not."""

    low: Value
    over: Value | None
    signed: bool = True


class Code:
    """The generator of an operation's code. checked: whether it stops if the result is undefined."""

    def __init__(
        self, context: Context, builder: Builder, site: Value, *, checked: bool = True, deferred: bool = False
    ) -> None:
        self.context, self.builder, self.site = context, builder, site
        self.checked, self.deferred = checked, deferred

    def stop_if(self, bad: Value) -> None:
        """Return the site to the caller if the condition holds."""
        if not self.checked or (isinstance(bad, ir.Constant) and not bad.constant):
            return
        if self.deferred:
            flag = self.failed()
            self.builder.store(self.builder.or_(self.builder.load(flag), bad), flag)
        else:
            with self.builder.if_then(bad, likely=False):
                self.context.call_conv._return_errcode_raw(self.builder, self.builder.trunc(self.site, I32))

    def failed(self) -> Value:
        """The flag of the function for a failed deferred check."""
        function = self.builder.function
        if not hasattr(function, "bestfirst_failed"):
            function.bestfirst_failed = cgutils.alloca_once(self.builder, I1)  # 0 on entry of the function
        return function.bestfirst_failed

    def int_of(self, kind: Kind, value: Value) -> Int:
        """A value as an int, in whichever representation it comes."""
        kind = types.unliteral(kind)
        if isinstance(kind, types.Boolean):
            return Int(self.builder.zext(value, I64), None)
        if isinstance(kind, Wide):
            low = self.builder.trunc(value, I64)
            wide = self.builder.sext(low, ir.IntType(kind.bits))
            return Int(low, self.builder.icmp_signed("!=", wide, value) if self.checked else None)
        if isinstance(kind, Whole):
            struct = cgutils.create_struct_proxy(kind)(self.context, self.builder, value=value)
            return Int(struct.low, struct.over if kind.lazy and self.checked else None, kind.signed)
        if kind.bitwidth < 64:
            extended = self.builder.sext(value, I64) if kind.signed else self.builder.zext(value, I64)
            return Int(extended, None)
        return Int(value, None, kind.signed)

    def exact(self, kind: Kind, value: Value) -> Int:
        """A value as an int that is known completely."""
        number = self.int_of(kind, value)
        if number.over is not None:
            self.stop_if(number.over)
        return Int(number.low, None, number.signed)

    def as_wide(self, kind: Kind, value: Value, bits: int) -> Value:
        """An int as one of so many bits. Stops if it has more."""
        if isinstance(kind, Wide):
            return self._in_bits(kind.bits, value, bits)
        number = self.exact(kind, value)
        return (self.builder.sext if number.signed else self.builder.zext)(number.low, ir.IntType(bits))

    def _in_bits(self, given: int, value: Value, bits: int) -> Value:
        if given <= bits:
            return value if given == bits else self.builder.sext(value, ir.IntType(bits))
        narrow = self.builder.trunc(value, ir.IntType(bits))
        if self.checked:
            self.stop_if(self.builder.icmp_signed("!=", self.builder.sext(narrow, ir.IntType(given)), value))
        return narrow

    def as_int64(self, kind: Kind, value: Value) -> Value:
        """A value as an int64; stops at a larger word."""
        number = self.exact(kind, value)
        if not number.signed:
            self.stop_if(self.negative(number.low))
        return number.low

    def made(self, kind: Kind, number: Int) -> Value:
        """An int as a value of a type."""
        if not isinstance(kind, Whole):
            return number.low
        struct = cgutils.create_struct_proxy(kind)(self.context, self.builder)
        struct.low = number.low
        if kind.lazy:
            struct.over = I1(0) if number.over is None else number.over
        return struct._getvalue()

    def same(self, result: Kind, kind: Kind, value: Value) -> Value:
        """An int as a value of the type that operations give to ints of its own type."""
        return value if isinstance(result, Wide) else self.made(result, self.int_of(kind, value))

    def as_float(self, kind: Kind, value: Value, *, exactly: bool = False) -> Value:
        """A value as a float. exactly: stop if that requires rounding."""
        kind = types.unliteral(kind)
        if isinstance(kind, types.Float):
            return self.builder.fpext(value, F64) if kind.bitwidth < 64 else value
        if isinstance(kind, Mixed):
            return self.builder.extract_value(value, 0)
        number = self.exact(kind, value)
        if exactly and not isinstance(kind, types.Boolean):
            magnitude = self.magnitude(number) if number.signed else number.low
            self.stop_if(self.builder.icmp_unsigned(">", magnitude, I64(EXACT_FLOATS)))
        convert = self.builder.sitofp if number.signed else self.builder.uitofp
        return convert(number.low, F64)

    def is_int(self, kind: Kind, value: Value) -> Value:
        """Whether Python has an int there."""
        return self.builder.extract_value(value, 1) if is_mixed(kind) else I1(is_int(kind))

    def mixed(self, real: Value, is_whole: Value) -> Value:
        """A number that is an int in some cases, in which 0 has no sign."""
        builder, struct = self.builder, cgutils.create_struct_proxy(MIXED)(self.context, self.builder)
        struct.real = builder.select(is_whole, builder.fadd(real, F64(0.0)), real)
        struct.is_int = is_whole
        return struct._getvalue()

    def mixed_result(self, real: Value, is_whole: Value) -> Value:
        """A mixed number as the result of arithmetic; stops if an int may have been rounded."""
        rounded = self.builder.fcmp_ordered(">=", float_function(self, "llvm.fabs", real), F64(float(EXACT_FLOATS)))
        self.stop_if(self.builder.and_(is_whole, rounded))
        return self.mixed(real, is_whole)

    def all_ints(self, kinds: Kinds, values: Values) -> Value:
        """Whether Python has ints for all values."""
        return reduce(self.builder.and_, map(self.is_int, kinds, values))

    def from_float(self, number: Value) -> Value:
        """A float truncated to an int64."""
        builder = self.builder
        inside = builder.and_(
            builder.fcmp_ordered(">=", number, F64(float(LEAST))), builder.fcmp_ordered("<", number, F64(2.0**63))
        )
        self.stop_if(builder.not_(inside))
        return builder.fptosi(number, I64)

    def negative(self, low: Value) -> Value:
        """Whether an int64 is negative."""
        return self.builder.icmp_signed("<", low, I64(0))

    def magnitude(self, number: Int) -> Value:
        """The absolute value of an int64, unsigned."""
        return self.builder.select(self.negative(number.low), self.builder.neg(number.low), number.low)

    def either(self, *conditions: Value | None) -> Value:
        """Whether at least one of the conditions holds; None stands for one that never does."""
        found = None
        for condition in conditions:
            if condition is not None:
                found = condition if found is None else self.builder.or_(found, condition)
        return found

    def overflowing(self, operation: str, one: Value, other: Value) -> tuple[Value, Value]:
        """The lowest 64 bits of a sum, difference or product, and whether it has more."""
        if self.deferred and operation in ("sadd", "ssub"):  # in a form that the processor can vectorise
            builder = self.builder
            low = builder.add(one, other) if operation == "sadd" else builder.sub(one, other)
            changed = builder.xor(other, low if operation == "sadd" else one)
            return low, self.negative(builder.and_(builder.xor(one, low), changed))
        pair = getattr(self.builder, f"{operation}_with_overflow")(one, other)
        return self.builder.extract_value(pair, 0), self.builder.extract_value(pair, 1)


def is_int(kind: Kind) -> bool:
    """Whether a type is an int or bool type."""
    return isinstance(types.unliteral(kind), types.Boolean | types.Integer | Whole | Wide)


def wide_type(bits: int) -> Kind:
    """The type of signed ints of so many bits."""
    return Wide(bits)


def widest(kinds: Kinds) -> int:
    """The bits of the widest wide int among the operands; 0 if there is none."""
    return max((kind.bits for kind in kinds if isinstance(kind, Wide)), default=0)


def is_float(kind: Kind) -> bool:
    """Whether a type is a float type."""
    return isinstance(types.unliteral(kind), types.Float)


def is_mixed(kind: Kind) -> bool:
    """Whether a type is one of numbers that are ints on one path and floats on another."""
    return isinstance(types.unliteral(kind), Mixed)


def is_real(kind: Kind) -> bool:
    """Whether a number of a type may be a float."""
    return is_float(kind) or is_mixed(kind)


def is_bool(kind: Kind) -> bool:
    """Whether a type is the bool type."""
    return isinstance(types.unliteral(kind), types.Boolean)


def is_signed(kind: Kind) -> bool:
    """Whether the known part of an int is an int64."""
    return getattr(types.unliteral(kind), "signed", True)


def is_lazy(kind: Kind) -> bool:
    """Whether an int may have more than 64 bits."""
    return getattr(types.unliteral(kind), "lazy", False)


def members_of(kind: Kind) -> Value:
    """The types of the members of a tuple."""
    return kind.types


def exact_type(kind: Kind) -> Kind:
    """The type of a value once it is known completely."""
    kind = types.unliteral(kind)
    if (
        isinstance(kind, types.BaseTuple)
        and not isinstance(kind, types.BaseNamedTuple)
        and any(map(is_lazy, members_of(kind)))
    ):
        return types.Tuple([exact_type(part) for part in members_of(kind)])
    if isinstance(kind, Whole):
        return INT if kind.signed else WORD
    return kind


def in_words(kind: Kind) -> str:
    """The name of a type in messages."""
    kind = types.unliteral(kind)
    if isinstance(kind, types.Boolean):
        return "a bool"
    if is_int(kind):
        return "an int"
    if is_float(kind):
        return "a float"
    if is_mixed(kind):
        return "an int in one place and a float in another"
    if isinstance(kind, types.Array):
        return f"an array of {kind.ndim} dimension{'s' * (kind.ndim > 1)}"
    if isinstance(kind, types.BaseNamedTuple):
        return "a state"
    if isinstance(kind, types.BaseTuple):
        return f"a tuple of {len(members_of(kind))}"
    if isinstance(kind, types.IterableType) and hasattr(kind, "length"):
        return f"a tuple of {kind.length}"
    if isinstance(kind, types.NoneType | types.Optional):
        return "None"
    return "something that is not a number"


def refused(what: str) -> errors.TypingError:
    """The error for an operation that is undefined for some types."""
    return errors.TypingError(what)


Typing = Callable[[Context, Kinds], Kind]
"""The type of the result, from the typing context and the types of the operands (without the site)."""
Generate = Callable[["Code", Kind, Kinds, Values], Value]
"""The result, from the code, its type, and the types and values of the operands."""


def define(name: str, typing: Typing, generate: Generate, *, literal: bool = False) -> None:
    """Make an operation callable from compiled code. literal: whether its type depends on constants in the code."""
    for functions, how in ((OPERATIONS, {}), (UNCHECKED, {"checked": False}), (DEFERRED, {"deferred": True})):
        _register(functions[PREFIX + name], typing, generate, how, literal=literal)


def _register(function: Function, typing: Typing, generate: Generate, how: dict[str, bool], *, literal: bool) -> None:
    checked = how.get("checked", True)

    @infer_global(function)
    class _Template(AbstractTemplate):
        prefer_literal = literal

        def generic(self, args: Kinds, kws: object) -> Value:
            assert not kws
            kinds = args if literal else tuple(types.unliteral(kind) for kind in args)
            result = typing(self.context, kinds[:-1])
            return (result if checked else _unchecked_type(result))(*kinds)

    @lower_builtin(function, types.VarArg(types.Any))  # type: ignore[untyped-decorator]
    def _lower(context: Context, builder: Builder, signature: Signature, arguments: Values) -> Value:
        code = Code(context, builder, arguments[-1], **how)
        return generate(code, signature.return_type, signature.args[:-1], arguments[:-1])


def _unchecked_type(kind: Kind) -> Kind:
    return exact_type(kind) if isinstance(kind, Whole) else kind


def lazy_type(*kinds: Kind) -> Kind:
    return LAZY if all(map(is_signed, kinds)) else LAZY_WORD


def check_numbers(what: str, kinds: Kinds, *, whole: bool = False) -> None:
    """Raise a TypingError for operands that are not numbers. whole: require ints."""
    for kind in kinds:
        if not is_int(kind) and (whole or not is_real(kind)):
            raise refused(f"it uses {in_words(kind)} with {what}, which works only on {'ints' if whole else 'numbers'}")


def numba_s_own(code: Code, function: Function, result: Kind, kinds: Kinds, values: Values) -> Value:
    """Numba's own code for an operation that has the same meaning."""
    typing = code.context.typing_context
    kind = typing.resolve_value_type(function)
    signature = typing.resolve_function_type(kind, tuple(kinds), {})
    made = code.context.get_function(kind, signature)(code.builder, values)
    return code.context.cast(code.builder, made, signature.return_type, result)


def float_function(code: Code, name: str, number: Value) -> Value:
    return code.builder.call(code.builder.module.declare_intrinsic(name, [F64]), [number])


def number_type(what: str, of_ints: Callable[[Kind], Kind]) -> Typing:
    def typing(_context: Context, kinds: Kinds) -> Value:
        check_numbers(what, kinds)
        return real_type(kinds) or of_ints(kinds[0])

    return typing


def real_type(kinds: Kinds) -> Kind:
    """The result type of arithmetic that may give a float; None if the result is certainly an int."""
    if any(map(is_float, kinds)):
        return FLOAT
    return MIXED if any(map(is_mixed, kinds)) else None


def same_int(kind: Kind) -> Kind:
    return INT if is_bool(kind) else types.unliteral(kind)


def unchanged(code: Code, result: Kind, kinds: Kinds, values: Values) -> Value:
    return values[0] if is_real(result) else code.same(result, kinds[0], values[0])


WORD_STATES: set[type] = set()
"""The classes of states with fields of 64 bits, which are words only if they are read by name."""


def check_members(kind: Kind) -> None:
    """Raise a TypingError for a state whose members differ from Python's."""
    if getattr(kind, "instance_class", None) in WORD_STATES:
        raise refused("it uses a state with 64-bit fields as a tuple; read its fields by name")


@lower_cast(types.Integer, Whole)  # type: ignore[untyped-decorator]
@lower_cast(types.Boolean, Whole)  # type: ignore[untyped-decorator]
@lower_cast(Whole, Whole)  # type: ignore[untyped-decorator]
def _cast(context: Context, builder: Builder, given: Kind, wanted: Kind, value: Value) -> Value:
    """A value converted to the common type of a variable."""
    code = Code(context, builder, I64(RESULT_SITE))
    number = code.int_of(given, value)
    over = number.over
    if number.signed and not wanted.signed:
        over = code.either(over, code.negative(number.low))
    if not wanted.lazy:
        if over is not None:
            code.stop_if(over)
        over = None
    return code.made(wanted, Int(number.low, over, wanted.signed))


@lower_cast(types.Float, Mixed)  # type: ignore[untyped-decorator]
@lower_cast(types.Integer, Mixed)  # type: ignore[untyped-decorator]
@lower_cast(types.Boolean, Mixed)  # type: ignore[untyped-decorator]
@lower_cast(Whole, Mixed)  # type: ignore[untyped-decorator]
def _cast_to_mixed(context: Context, builder: Builder, given: Kind, wanted: Kind, value: Value) -> Value:
    """A number as one that may be of the other kind elsewhere; a stop if a float cannot hold an int."""
    del wanted
    code = Code(context, builder, I64(RESULT_SITE))
    return code.mixed(code.as_float(given, value, exactly=True), code.is_int(given, value))


def unified(context: Context, one: Value, other: Value) -> Kind:
    """The common type of a variable or a result that has different types on different paths, or None.

    Numba's rules make a float of an int that has to share a variable with floats, which Python does not.
    """
    given = [types.unliteral(kind) for kind in (one, other)]
    if any(map(is_real, given)) and all(is_int(kind) or is_real(kind) for kind in given):
        return FLOAT if all(map(is_float, given)) else MIXED
    if all(isinstance(kind, types.BaseTuple) for kind in given):
        return one if one == other else one.unify(context, other) or other.unify(context, one)
    return None

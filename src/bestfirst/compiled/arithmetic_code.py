"""The machine code of the operations of arithmetic.py: Python's meaning in 64 bits, or a stop.

Ints are held in four ways. `int64` and Word (an int in 0 .. 2**64 - 1, as a field of 64 bits has it) are known as a whole. A Lazy
one, what + - * << make, is its lowest 64 bits and whether that is all of it: so (x << 8) & mask is right whatever the shift pushes
out, and a value that has to be known as a whole is tested when it is.

A function that stops returns the site of the operation to its caller, as Numba's own errors are returned; guards.py takes note of
the state and the action that it was called with, and the reference engine is asked what Python says of them.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from llvmlite import ir
from numba.core import cgutils, errors, types
from numba.core.datamodel import models
from numba.core.imputils import lower_cast
from numba.core.typing.templates import AbstractTemplate, infer_global
from numba.extending import lower_builtin, register_model
from numba.np.arrayobj import populate_array
from numba.np.numpy_support import as_dtype

from bestfirst.compiled.arithmetic import DEFERRED, MATH, OPERATIONS, PREFIX, UNCHECKED

_I1, _I32, _I64, _F64 = ir.IntType(1), ir.IntType(32), ir.IntType(64), ir.DoubleType()
_LEAST, _MOST = -(1 << 63), (1 << 63) - 1
_EXACT_FLOATS = 1 << 53
"""Every int up to this one is a float, too."""
RESULT_SITE = 1000
"""What a function returns where its own result is not known as a whole; sites come after it."""
FIRST_SITE = RESULT_SITE + 1


class _Whole(types.Type):
    """An int that Numba knows nothing of. signed: whether what is known of it is an int64, and otherwise a word."""

    def __init__(self, name: str, *, signed: bool, lazy: bool) -> None:
        super().__init__(name=name)
        self.signed, self.lazy = signed, lazy

    def unify(self, typingctx: Any, other: Any) -> Any:  # noqa: ARG002
        """The type of a variable that is this here, and another number there."""
        other = types.unliteral(other)
        if isinstance(other, types.Float):
            return types.float64
        if isinstance(other, types.Boolean | types.Integer):
            return LAZY if self.signed else LAZY_WORD
        if isinstance(other, _Whole):
            return LAZY if self.signed and other.signed else LAZY_WORD
        return None


WORD = _Whole("word", signed=False, lazy=False)
LAZY = _Whole("lazy int", signed=True, lazy=True)
LAZY_WORD = _Whole("lazy word", signed=False, lazy=True)
INT, FLOAT, BOOL = types.int64, types.float64, types.boolean


@register_model(_Whole)
class _Model(models.StructModel):
    """The lowest 64 bits, and whether there are others."""

    def __init__(self, manager: Any, kind: Any) -> None:
        members = [("low", types.int64)] + ([("over", types.boolean)] if kind.lazy else [])
        super().__init__(manager, kind, members)


@dataclass(frozen=True)
class Int:
    """An int in machine code. over: whether it has other bits, None where it has none for sure."""

    low: Any
    over: Any
    signed: bool = True


class Code:
    """What generates the code of one operation. checked: whether it stops where it has no answer."""

    def __init__(self, context: Any, builder: Any, site: Any, *, checked: bool = True, deferred: bool = False) -> None:
        self.context, self.builder, self.site = context, builder, site
        self.checked, self.deferred = checked, deferred

    def stop_if(self, bad: Any) -> None:
        """Return the site to the caller, in that case."""
        if not self.checked or (isinstance(bad, ir.Constant) and not bad.constant):
            return
        if self.deferred:
            flag = self.failed()
            self.builder.store(self.builder.or_(self.builder.load(flag), bad), flag)
        else:
            with self.builder.if_then(bad, likely=False):
                self.context.call_conv._return_errcode_raw(self.builder, self.builder.trunc(self.site, _I32))

    def failed(self) -> Any:
        """Where the function notes that a deferred test has failed."""
        function = self.builder.function
        if not hasattr(function, "bestfirst_failed"):
            function.bestfirst_failed = cgutils.alloca_once_value(self.builder, _I1(0), zfill=True)
        return function.bestfirst_failed

    def int_of(self, kind: Any, value: Any) -> Int:
        """A value as an int, whatever holds it."""
        kind = types.unliteral(kind)
        if isinstance(kind, types.Boolean):
            return Int(self.builder.zext(value, _I64), None)
        if isinstance(kind, _Whole):
            struct = cgutils.create_struct_proxy(kind)(self.context, self.builder, value=value)
            return Int(struct.low, struct.over if kind.lazy and self.checked else None, kind.signed)
        if kind.bitwidth < 64:
            extended = self.builder.sext(value, _I64) if kind.signed else self.builder.zext(value, _I64)
            return Int(extended, None)
        return Int(value, None, kind.signed)

    def exact(self, kind: Any, value: Any) -> Int:
        """The same, known as a whole."""
        number = self.int_of(kind, value)
        if number.over is not None:
            self.stop_if(number.over)
        return Int(number.low, None, number.signed)

    def as_int64(self, kind: Any, value: Any) -> Any:
        """The same as an int64; a word beyond that is a stop."""
        number = self.exact(kind, value)
        if not number.signed:
            self.stop_if(self.negative(number.low))
        return number.low

    def made(self, kind: Any, number: Int) -> Any:
        """An int as a value of a type."""
        if not isinstance(kind, _Whole):
            return number.low
        struct = cgutils.create_struct_proxy(kind)(self.context, self.builder)
        struct.low = number.low
        if kind.lazy:
            struct.over = _I1(0) if number.over is None else number.over
        return struct._getvalue()

    def as_float(self, kind: Any, value: Any, *, exactly: bool = False) -> Any:
        """A value as a float. exactly: stop where that takes rounding."""
        kind = types.unliteral(kind)
        if isinstance(kind, types.Float):
            return self.builder.fpext(value, _F64) if kind.bitwidth < 64 else value
        number = self.exact(kind, value)
        if exactly and not isinstance(kind, types.Boolean):
            magnitude = self.magnitude(number) if number.signed else number.low
            self.stop_if(self.builder.icmp_unsigned(">", magnitude, _I64(_EXACT_FLOATS)))
        convert = self.builder.sitofp if number.signed else self.builder.uitofp
        return convert(number.low, _F64)

    def from_float(self, number: Any) -> Any:
        """A float without its fraction as an int64."""
        builder = self.builder
        inside = builder.and_(
            builder.fcmp_ordered(">=", number, _F64(float(_LEAST))), builder.fcmp_ordered("<", number, _F64(2.0**63))
        )
        self.stop_if(builder.not_(inside))
        return builder.fptosi(number, _I64)

    def negative(self, low: Any) -> Any:
        """Whether an int64 is less than 0."""
        return self.builder.icmp_signed("<", low, _I64(0))

    def magnitude(self, number: Int) -> Any:
        """The absolute value of an int64, without a sign."""
        return self.builder.select(self.negative(number.low), self.builder.neg(number.low), number.low)

    def either(self, *conditions: Any) -> Any:
        """Whether one of some conditions holds; None stands for one that never does."""
        found = None
        for condition in conditions:
            if condition is not None:
                found = condition if found is None else self.builder.or_(found, condition)
        return found

    def overflowing(self, operation: str, one: Any, other: Any) -> tuple[Any, Any]:
        """The lowest 64 bits of a sum, difference or product, and whether it has others."""
        if self.deferred and operation in ("sadd", "ssub"):  # in a way that the processor can do for several at once
            builder = self.builder
            low = builder.add(one, other) if operation == "sadd" else builder.sub(one, other)
            changed = builder.xor(other, low if operation == "sadd" else one)
            return low, self.negative(builder.and_(builder.xor(one, low), changed))
        pair = getattr(self.builder, f"{operation}_with_overflow")(one, other)
        return self.builder.extract_value(pair, 0), self.builder.extract_value(pair, 1)


def is_int(kind: Any) -> bool:
    """Whether a type is one of ints, or of truth values."""
    return isinstance(types.unliteral(kind), types.Boolean | types.Integer | _Whole)


def is_float(kind: Any) -> bool:
    """Whether a type is one of floats."""
    return isinstance(types.unliteral(kind), types.Float)


def is_bool(kind: Any) -> bool:
    """Whether a type is that of truth values."""
    return isinstance(types.unliteral(kind), types.Boolean)


def is_signed(kind: Any) -> bool:
    """Whether what is known of an int is an int64."""
    return getattr(types.unliteral(kind), "signed", True)


def is_lazy(kind: Any) -> bool:
    """Whether an int may have more than 64 bits."""
    return getattr(types.unliteral(kind), "lazy", False)


def members_of(kind: Any) -> Any:
    """The types of the members of a tuple."""
    return kind.types


def exact_type(kind: Any) -> Any:
    """What a type becomes when its values are known as a whole."""
    kind = types.unliteral(kind)
    if (
        isinstance(kind, types.BaseTuple)
        and not isinstance(kind, types.BaseNamedTuple)
        and any(map(is_lazy, members_of(kind)))
    ):
        return types.Tuple([exact_type(part) for part in members_of(kind)])
    if isinstance(kind, _Whole):
        return INT if kind.signed else WORD
    return kind


def in_words(kind: Any) -> str:
    """What a type is, for people."""
    kind = types.unliteral(kind)
    if isinstance(kind, types.Boolean):
        return "a truth value"
    if is_int(kind):
        return "an int"
    if is_float(kind):
        return "a float"
    if isinstance(kind, types.Array):
        return f"an array of {kind.ndim} dimension{'s' * (kind.ndim > 1)}"
    if isinstance(kind, types.BaseNamedTuple):
        return "a state"
    if isinstance(kind, types.BaseTuple):
        return f"a tuple of {len(members_of(kind))}"
    if isinstance(kind, types.NoneType | types.Optional):
        return "None"
    return "something that is not a number"


def refused(what: str) -> errors.TypingError:
    """The error for an operation of types that it has no meaning for."""
    return errors.TypingError(what)


Typing = Callable[[Any, Sequence[Any]], Any]
"""The type of the result, from the typing context and the types of the operands (without the site)."""
Generate = Callable[[Code, Any, Sequence[Any], Sequence[Any]], Any]
"""The result, from the code, its type, and the types and values of the operands."""


def _define(name: str, typing: Typing, generate: Generate, *, literal: bool = False) -> None:
    """Let compiled code call an operation. literal: whether its type depends on the numbers that are written in the code."""
    for functions, how in ((OPERATIONS, {}), (UNCHECKED, {"checked": False}), (DEFERRED, {"deferred": True})):
        _register(functions[PREFIX + name], typing, generate, how, literal=literal)


def _register(function: Any, typing: Typing, generate: Generate, how: dict[str, bool], *, literal: bool) -> None:
    checked = how.get("checked", True)

    @infer_global(function)
    class _Template(AbstractTemplate):
        prefer_literal = literal

        def generic(self, args: Any, kws: Any) -> Any:
            assert not kws
            kinds = args if literal else tuple(types.unliteral(kind) for kind in args)
            result = typing(self.context, kinds[:-1])
            return (result if checked else _unchecked_type(result))(*kinds)

    @lower_builtin(function, types.VarArg(types.Any))  # type: ignore[untyped-decorator]
    def _lower(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        code = Code(context, builder, arguments[-1], **how)
        return generate(code, signature.return_type, signature.args[:-1], arguments[:-1])


def _unchecked_type(kind: Any) -> Any:
    return exact_type(kind) if isinstance(kind, _Whole) else kind


def _lazy(*kinds: Any) -> Any:
    return LAZY if all(map(is_signed, kinds)) else LAZY_WORD


def _numbers(what: str, kinds: Sequence[Any], *, whole: bool = False) -> None:
    """Raise a TypingError for operands that are not numbers. whole: ints are wanted."""
    for kind in kinds:
        if not is_int(kind) and (whole or not is_float(kind)):
            raise refused(f"it takes {in_words(kind)} for {what}, which is for {'ints' if whole else 'numbers'}")


def _numba_s_own(code: Code, function: Any, result: Any, kinds: Sequence[Any], values: Sequence[Any]) -> Any:
    """What Numba makes of an operation that means the same there."""
    typing = code.context.typing_context
    kind = typing.resolve_value_type(function)
    signature = typing.resolve_function_type(kind, tuple(kinds), {})
    made = code.context.get_function(kind, signature)(code.builder, values)
    return code.context.cast(code.builder, made, signature.return_type, result)


# + - * << and what else can have more than 64 bits


def _arithmetic(name: str, sign: str) -> None:
    def typing(_context: Any, kinds: Sequence[Any]) -> Any:
        _numbers(sign, kinds)
        if any(map(is_float, kinds)):
            return FLOAT
        return _lazy(*(kinds[:1] if name == "sub" else kinds))

    def generate(code: Code, result: Any, kinds: Sequence[Any], values: Sequence[Any]) -> Any:
        if is_float(result):
            one, other = (code.as_float(kind, value) for kind, value in zip(kinds, values, strict=True))
            return getattr(code.builder, f"f{name}")(one, other)
        left, right = (code.int_of(kind, value) for kind, value in zip(kinds, values, strict=True))
        low, over = _OVERFLOWS[name](code, left, right)
        return code.made(result, Int(low, code.either(left.over, right.over, over), is_signed(result)))

    _define(name, typing, generate)


def _sum(code: Code, left: Int, right: Int) -> tuple[Any, Any]:
    if left.signed and right.signed:
        return code.overflowing("sadd", left.low, right.low)
    low, carry = code.overflowing("uadd", left.low, right.low)
    for part in (left, right):
        if part.signed:
            carry = code.builder.xor(carry, code.negative(part.low))
    return low, carry


def _difference(code: Code, left: Int, right: Int) -> tuple[Any, Any]:
    if left.signed and right.signed:
        return code.overflowing("ssub", left.low, right.low)
    low, borrow = code.overflowing("usub", left.low, right.low)
    if not left.signed:
        return low, code.builder.xor(borrow, code.negative(right.low)) if right.signed else borrow
    builder = code.builder  # an int64 less a word: the sign has to be found in the 65th bit
    taken = builder.add(builder.zext(code.negative(left.low), _I64), builder.zext(borrow, _I64))
    return low, builder.icmp_unsigned("!=", taken, builder.zext(code.negative(low), _I64))


def _product(code: Code, left: Int, right: Int) -> tuple[Any, Any]:
    if left.signed and right.signed:
        return code.overflowing("smul", left.low, right.low)
    low, over = code.overflowing("umul", left.low, right.low)
    for part in (left, right):
        if part.signed:
            over = code.builder.or_(over, code.negative(part.low))
    return low, over


_OVERFLOWS = {"add": _sum, "sub": _difference, "mul": _product}


def _shifted_left(code: Code, result: Any, kinds: Sequence[Any], values: Sequence[Any]) -> Any:
    builder = code.builder
    number, count = code.int_of(kinds[0], values[0]), code.as_int64(kinds[1], values[1])
    code.stop_if(code.negative(count))
    within = builder.and_(count, _I64(63))
    shifted = builder.shl(number.low, within)
    back = (builder.ashr if number.signed else builder.lshr)(shifted, within)
    too_far = builder.icmp_signed(">", count, _I64(63))
    lost = builder.select(
        too_far, builder.icmp_signed("!=", number.low, _I64(0)), builder.icmp_signed("!=", back, number.low)
    )
    low = builder.select(too_far, _I64(0), shifted)
    return code.made(result, Int(low, code.either(number.over, lost), number.signed))


def _shifted_right(code: Code, result: Any, kinds: Sequence[Any], values: Sequence[Any]) -> Any:
    builder = code.builder
    number, count = code.exact(kinds[0], values[0]), code.as_int64(kinds[1], values[1])
    code.stop_if(code.negative(count))
    too_far = builder.icmp_signed(">", count, _I64(63))
    if number.signed:
        return code.made(result, Int(builder.ashr(number.low, builder.select(too_far, _I64(63), count)), None))
    shifted = builder.lshr(number.low, builder.and_(count, _I64(63)))
    return code.made(result, Int(builder.select(too_far, _I64(0), shifted), None, signed=False))


def _shift_type(what: str) -> Typing:
    def typing(_context: Any, kinds: Sequence[Any]) -> Any:
        _numbers(what, kinds, whole=True)
        if what == "<<":
            return _lazy(kinds[0])
        return INT if is_signed(kinds[0]) else WORD

    return typing


def _negated(code: Code, result: Any, kinds: Sequence[Any], values: Sequence[Any]) -> Any:
    if is_float(result):
        return code.builder.fneg(code.as_float(kinds[0], values[0]))
    number, zero = code.int_of(kinds[0], values[0]), _I64(0)
    if number.signed:
        low, over = code.overflowing("ssub", zero, number.low)
    else:
        low, over = code.builder.neg(number.low), code.builder.icmp_signed("!=", number.low, zero)
    return code.made(result, Int(low, code.either(number.over, over), number.signed))


def _number_type(what: str, of_ints: Callable[[Any], Any]) -> Typing:
    def typing(_context: Any, kinds: Sequence[Any]) -> Any:
        _numbers(what, kinds)
        return FLOAT if is_float(kinds[0]) else of_ints(kinds[0])

    return typing


def _same_int(kind: Any) -> Any:
    return INT if is_bool(kind) else types.unliteral(kind)


def _unchanged(code: Code, result: Any, kinds: Sequence[Any], values: Sequence[Any]) -> Any:
    if is_float(result):
        return code.as_float(kinds[0], values[0])
    return code.made(result, code.int_of(kinds[0], values[0]))


def _inverted(code: Code, result: Any, kinds: Sequence[Any], values: Sequence[Any]) -> Any:
    number = code.int_of(kinds[0], values[0])
    over = number.over if number.signed else _I1(1)
    return code.made(result, Int(code.builder.not_(number.low), over, number.signed))


def _inverted_type(_context: Any, kinds: Sequence[Any]) -> Any:
    _numbers("~", kinds, whole=True)
    return INT if is_signed(kinds[0]) and not is_lazy(kinds[0]) else _lazy(kinds[0])


def _absolute(code: Code, result: Any, kinds: Sequence[Any], values: Sequence[Any]) -> Any:
    builder = code.builder
    if is_float(result):
        number = code.as_float(kinds[0], values[0])
        return builder.call(builder.module.declare_intrinsic("llvm.fabs", [_F64]), [number])
    whole = code.int_of(kinds[0], values[0])
    if not whole.signed:
        return code.made(result, whole)
    low = builder.select(code.negative(whole.low), builder.neg(whole.low), whole.low)
    return code.made(result, Int(low, code.either(whole.over, code.negative(low))))


# & | ^


def _bits_type(name: str, sign: str) -> Typing:
    def typing(_context: Any, kinds: Sequence[Any]) -> Any:
        _numbers(sign, kinds, whole=True)
        if all(map(is_bool, kinds)):
            return BOOL
        lazy = any(map(is_lazy, kinds))
        if all(map(is_signed, kinds)):
            return LAZY if lazy else INT
        exact_words = [kind for kind in kinds if not is_signed(kind) and not is_lazy(kind)]
        if name == "and":
            return WORD if exact_words else LAZY_WORD
        return WORD if len(exact_words) == 2 else LAZY_WORD

    return typing


def _bits(name: str) -> Generate:
    def generate(code: Code, result: Any, kinds: Sequence[Any], values: Sequence[Any]) -> Any:
        operation = getattr(code.builder, name if name == "xor" else f"{name}_")
        if is_bool(result):
            return operation(*values)
        left, right = (code.int_of(kind, value) for kind, value in zip(kinds, values, strict=True))
        low = operation(left.low, right.low)
        over = None
        if is_lazy(result):
            over = _over_of_and(code, left, right) if name == "and" else _over_of_or(code, left, right, result)
        return code.made(result, Int(low, over, is_signed(result)))

    return generate


def _over_of_and(code: Code, left: Int, right: Int) -> Any:
    """Not known as a whole is `a & b`, unless one of them is, and is not negative, or both are."""
    builder = code.builder
    doubts = []
    for part in (left, right):
        over = _I1(0) if part.over is None else part.over
        doubts.append(builder.or_(over, code.negative(part.low)) if part.signed else over)
    either = code.either(left.over, right.over)
    return builder.and_(builder.and_(*doubts), _I1(0) if either is None else either)


def _over_of_or(code: Code, left: Int, right: Int, result: Any) -> Any:
    negatives = [code.negative(part.low) for part in (left, right) if part.signed and not is_signed(result)]
    return code.either(left.over, right.over, *negatives)


# / // % ** divmod


def _quotient_type(what: str) -> Typing:
    def typing(_context: Any, kinds: Sequence[Any]) -> Any:
        _numbers(what, kinds)
        if any(map(is_float, kinds)):
            return FLOAT
        return INT if all(map(is_signed, kinds)) else WORD

    return typing


def _divided(code: Code, kinds: Sequence[Any], values: Sequence[Any]) -> tuple[Any, Any]:
    """The quotient, rounded down, and the remainder of two ints."""
    builder = code.builder
    left, right = (code.exact(kind, value) for kind, value in zip(kinds, values, strict=True))
    none = builder.icmp_signed("==", right.low, _I64(0))
    code.stop_if(none)
    if left.signed and right.signed:
        beyond = builder.and_(
            builder.icmp_signed("==", left.low, _I64(_LEAST)), builder.icmp_signed("==", right.low, _I64(-1))
        )
        code.stop_if(beyond)
        quotient, rest = builder.sdiv(left.low, right.low), builder.srem(left.low, right.low)
        uneven = builder.icmp_signed("!=", rest, _I64(0))
        down = builder.and_(uneven, code.negative(builder.xor(rest, right.low)))
        quotient = builder.sub(quotient, builder.zext(down, _I64))
        return quotient, builder.select(down, builder.add(rest, right.low), rest)
    for part in (left, right):
        if part.signed:
            code.stop_if(code.negative(part.low))
    return builder.udiv(left.low, right.low), builder.urem(left.low, right.low)


def _quotient(name: str) -> Generate:
    def generate(code: Code, result: Any, kinds: Sequence[Any], values: Sequence[Any]) -> Any:
        if is_float(result):
            floats = [code.as_float(kind, value) for kind, value in zip(kinds, values, strict=True)]
            code.stop_if(code.builder.fcmp_ordered("==", floats[1], _F64(0.0)))
            return _numba_s_own(code, getattr(operator, name), FLOAT, (FLOAT, FLOAT), floats)
        quotient, rest = _divided(code, kinds, values)
        return code.made(result, Int(quotient if name == "floordiv" else rest, None, is_signed(result)))

    return generate


def _divmod_type(context: Any, kinds: Sequence[Any]) -> Any:
    return types.UniTuple(_quotient_type("divmod")(context, kinds), 2)


def _divmod(code: Code, result: Any, kinds: Sequence[Any], values: Sequence[Any]) -> Any:
    if is_float(result.dtype):
        parts = [_quotient(name)(code, FLOAT, kinds, values) for name in ("floordiv", "mod")]
    else:
        signed = is_signed(result.dtype)
        parts = [code.made(result.dtype, Int(part, None, signed)) for part in _divided(code, kinds, values)]
    return code.context.make_tuple(code.builder, result, parts)


def _true_quotient_type(_context: Any, kinds: Sequence[Any]) -> Any:
    _numbers("/", kinds)
    return FLOAT


def _true_quotient(code: Code, _result: Any, kinds: Sequence[Any], values: Sequence[Any]) -> Any:
    exactly = all(map(is_int, kinds))  # Python divides the ints themselves; so do floats that are these ints
    one, other = (code.as_float(kind, value, exactly=exactly) for kind, value in zip(kinds, values, strict=True))
    code.stop_if(code.builder.fcmp_ordered("==", other, _F64(0.0)))
    return code.builder.fdiv(one, other)


LARGEST_POWER_WRITTEN_OUT = 8


def _power_type(_context: Any, kinds: Sequence[Any]) -> Any:
    _numbers("**", kinds)
    if any(map(is_float, kinds)):
        return FLOAT
    exponent = kinds[1]
    if isinstance(exponent, types.IntegerLiteral) and exponent.literal_value < 0:
        return FLOAT
    return _lazy(kinds[0])


def _power(code: Code, result: Any, kinds: Sequence[Any], values: Sequence[Any]) -> Any:
    if is_float(result):
        base, exponent = (code.as_float(kind, value) for kind, value in zip(kinds, values, strict=True))
        return _libm(code, "pow", [base, exponent])
    base = code.int_of(kinds[0], values[0])
    exponent_type = kinds[1]
    if isinstance(exponent_type, types.IntegerLiteral) and exponent_type.literal_value <= LARGEST_POWER_WRITTEN_OUT:
        found = Int(_I64(1), None, base.signed)
        for _ in range(exponent_type.literal_value):
            low, over = _product(code, found, base)
            found = Int(low, code.either(found.over, over, base.over), base.signed)
        return code.made(result, found)
    return code.made(result, _power_by_squares(code, base, code.as_int64(exponent_type, values[1])))


def _power_by_squares(code: Code, base: Int, exponent: Any) -> Int:
    builder = code.builder
    code.stop_if(code.negative(exponent))  # the power is a float then
    numbers = [cgutils.alloca_once_value(builder, value) for value in (_I64(1), base.low, exponent)]
    overs = [cgutils.alloca_once_value(builder, value) for value in (_I1(0), _I1(0) if base.over is None else base.over)]
    (product, square, left), (product_over, square_over) = numbers, overs
    loop, body, end = (builder.append_basic_block(name) for name in ("power", "power.body", "power.end"))
    builder.branch(loop)
    builder.position_at_end(loop)
    builder.cbranch(builder.icmp_signed("!=", builder.load(left), _I64(0)), body, end)
    builder.position_at_end(body)
    is_odd = builder.trunc(builder.load(left), _I1)
    factor = Int(builder.load(square), None, base.signed)
    low, over = _product(code, Int(builder.load(product), None, base.signed), factor)
    over = code.either(over, builder.load(product_over), builder.load(square_over))
    builder.store(builder.select(is_odd, low, builder.load(product)), product)
    builder.store(builder.select(is_odd, over, builder.load(product_over)), product_over)
    low, over = _product(code, factor, factor)
    builder.store(builder.or_(over, builder.load(square_over)), square_over)
    builder.store(low, square)
    builder.store(builder.lshr(builder.load(left), _I64(1)), left)
    builder.branch(loop)
    builder.position_at_end(end)
    return Int(builder.load(product), builder.load(product_over), base.signed)


# comparisons

_COMPARISONS = {"eq": "==", "ne": "!=", "lt": "<", "le": "<=", "gt": ">", "ge": ">="}


def _comparison_type(name: str, sign: str) -> Typing:
    def typing(context: Any, kinds: Sequence[Any]) -> Any:
        if all(is_int(kind) or is_float(kind) for kind in kinds):
            return BOOL
        if all(isinstance(kind, types.BaseTuple) for kind in kinds):
            function = context.resolve_value_type(getattr(operator, name))
            try:
                if context.resolve_function_type(function, tuple(kinds), {}) is not None:
                    return BOOL
            except errors.TypingError:
                pass
        raise refused(f"it compares {in_words(kinds[0])} and {in_words(kinds[1])} by {sign}; compare numbers")

    return typing


def _comparison(name: str, sign: str) -> Generate:
    def generate(code: Code, _result: Any, kinds: Sequence[Any], values: Sequence[Any]) -> Any:
        builder = code.builder
        if isinstance(kinds[0], types.BaseTuple):
            return _numba_s_own(code, getattr(operator, name), BOOL, kinds, values)
        if all(map(is_float, kinds)):
            one, other = (code.as_float(kind, value) for kind, value in zip(kinds, values, strict=True))
            return (builder.fcmp_unordered if sign == "!=" else builder.fcmp_ordered)(sign, one, other)
        if is_float(kinds[0]):
            return _comparison_with_float(code, _TURNED[sign], kinds[::-1], values[::-1])
        if is_float(kinds[1]):
            return _comparison_with_float(code, sign, kinds, values)
        left, right = (code.exact(kind, value) for kind, value in zip(kinds, values, strict=True))
        if left.signed == right.signed:
            return (builder.icmp_signed if left.signed else builder.icmp_unsigned)(sign, left.low, right.low)
        negative = code.negative(left.low if left.signed else right.low)
        then = _I1(sign == "!=" or sign in (("<", "<=") if left.signed else (">", ">=")))
        return builder.select(negative, then, builder.icmp_unsigned(sign, left.low, right.low))

    return generate


_TURNED = {"==": "==", "!=": "!=", "<": ">", "<=": ">=", ">": "<", ">=": "<="}


def _comparison_with_float(code: Code, sign: str, kinds: Sequence[Any], values: Sequence[Any]) -> Any:
    """Whether an int and a float compare so: by the floats, and where the int's own is that float, by the ints."""
    builder = code.builder
    number, other = code.exact(kinds[0], values[0]), code.as_float(kinds[1], values[1])
    rounded = (builder.sitofp if number.signed else builder.uitofp)(number.low, _F64)
    by_floats = (builder.fcmp_unordered if sign == "!=" else builder.fcmp_ordered)(sign, rounded, other)
    most = 2.0**63 if number.signed else 2.0**64
    beyond = builder.fcmp_ordered(">=", other, _F64(most))
    inside = builder.select(beyond, _F64(0.0), other)
    inside = builder.select(builder.fcmp_ordered("==", rounded, other), inside, _F64(0.0))
    back = (builder.fptosi if number.signed else builder.fptoui)(inside, _I64)
    compare = builder.icmp_signed if number.signed else builder.icmp_unsigned
    by_ints = builder.select(beyond, _I1(sign in ("<", "<=", "!=")), compare(sign, number.low, back))
    return builder.select(builder.fcmp_ordered("==", rounded, other), by_ints, by_floats)


# truth, conversions, max and min


def _truth_type(_context: Any, kinds: Sequence[Any]) -> Any:
    if not (is_int(kinds[0]) or is_float(kinds[0])):
        raise refused(f"it tests whether {in_words(kinds[0])} is true; compare numbers instead")
    return BOOL


def _truth(code: Code, _result: Any, kinds: Sequence[Any], values: Sequence[Any]) -> Any:
    if is_bool(kinds[0]):
        return values[0]
    if is_float(kinds[0]):
        return code.builder.fcmp_unordered("!=", values[0], _F64(0.0))
    return code.builder.icmp_signed("!=", code.exact(kinds[0], values[0]).low, _I64(0))


def _to_int(code: Code, result: Any, kinds: Sequence[Any], values: Sequence[Any]) -> Any:
    if is_float(kinds[0]):
        return code.from_float(_intrinsic(code, "llvm.trunc", code.as_float(kinds[0], values[0])))
    return code.made(result, code.int_of(kinds[0], values[0]))


def _to_int_type(what: str) -> Typing:
    def typing(_context: Any, kinds: Sequence[Any]) -> Any:
        _numbers(what, kinds)
        return INT if is_float(kinds[0]) else _same_int(kinds[0])

    return typing


def _intrinsic(code: Code, name: str, number: Any) -> Any:
    return code.builder.call(code.builder.module.declare_intrinsic(name, [_F64]), [number])


def _to_float(code: Code, _result: Any, kinds: Sequence[Any], values: Sequence[Any]) -> Any:
    return code.as_float(kinds[0], values[0])


def _to_float_type(_context: Any, kinds: Sequence[Any]) -> Any:
    _numbers("float()", kinds)
    return FLOAT


def _rounded(code: Code, result: Any, kinds: Sequence[Any], values: Sequence[Any]) -> Any:
    if is_float(kinds[0]):
        return code.from_float(_intrinsic(code, "llvm.rint", code.as_float(kinds[0], values[0])))
    return code.made(result, code.int_of(kinds[0], values[0]))


def _floor_or_ceil(name: str) -> Generate:
    def generate(code: Code, result: Any, kinds: Sequence[Any], values: Sequence[Any]) -> Any:
        if is_float(kinds[0]):
            return code.from_float(_intrinsic(code, f"llvm.{name}", code.as_float(kinds[0], values[0])))
        return code.made(result, code.int_of(kinds[0], values[0]))

    return generate


def _members(kinds: Sequence[Any]) -> Sequence[Any]:
    """What max and min choose from: the operands, or the members of the only one."""
    if len(kinds) == 1 and isinstance(kinds[0], types.BaseTuple):
        return tuple(types.unliteral(kind) for kind in members_of(kinds[0]))
    return kinds


def _extreme_type(name: str) -> Typing:
    def typing(_context: Any, kinds: Sequence[Any]) -> Any:
        members = _members(kinds)
        _numbers(f"{name}()", members)
        if len(members) == 0 or (len(kinds) == 1 and members is kinds):
            raise refused(f"it calls {name} of one number; give two or more")
        if any(map(is_float, members)):
            return FLOAT
        if all(map(is_bool, members)):
            return BOOL
        return INT if all(map(is_signed, members)) else WORD

    return typing


def _extreme(sign: str) -> Generate:
    def generate(code: Code, result: Any, kinds: Sequence[Any], values: Sequence[Any]) -> Any:
        builder, members = code.builder, _members(kinds)
        if members is not kinds:
            values = [builder.extract_value(values[0], place) for place in range(len(members))]
        if is_bool(result):
            numbers, compare = list(values), builder.icmp_unsigned
        elif is_float(result):
            exactly = any(map(is_int, members))
            numbers = [code.as_float(kind, value, exactly=exactly) for kind, value in zip(members, values, strict=True)]
            compare = builder.fcmp_ordered
        else:
            wholes = [code.exact(kind, value) for kind, value in zip(members, values, strict=True)]
            if not is_signed(result):
                for whole in wholes:
                    if whole.signed:
                        code.stop_if(code.negative(whole.low))
            numbers, compare = [whole.low for whole in wholes], builder.icmp_signed
            if not is_signed(result):
                compare = builder.icmp_unsigned
        found, *others = numbers
        for other in others:
            found = builder.select(compare(sign, other, found), other, found)
        return found if not isinstance(result, _Whole) else code.made(result, Int(found, None, signed=False))

    return generate


def _length_type(_context: Any, kinds: Sequence[Any]) -> Any:
    if not isinstance(kinds[0], types.BaseTuple | types.Array):
        raise refused(f"it asks for the length of {in_words(kinds[0])}; only arrays, states and tuples have one")
    return INT


def _length(code: Code, _result: Any, kinds: Sequence[Any], values: Sequence[Any]) -> Any:
    if isinstance(kinds[0], types.BaseTuple):
        return _I64(len(members_of(kinds[0])))
    return code.builder.extract_value(_array(code, kinds[0], values[0]).shape, 0)


def _bit_count_type(_context: Any, kinds: Sequence[Any]) -> Any:
    _numbers("bit_count()", kinds, whole=True)
    return INT


def _bit_count(code: Code, _result: Any, kinds: Sequence[Any], values: Sequence[Any]) -> Any:
    number = code.exact(kinds[0], values[0])
    return code.builder.ctpop(code.magnitude(number) if number.signed else number.low)


def _bit_length(code: Code, _result: Any, kinds: Sequence[Any], values: Sequence[Any]) -> Any:
    number = code.exact(kinds[0], values[0])
    bits = code.magnitude(number) if number.signed else number.low
    return code.builder.sub(_I64(64), code.builder.ctlz(bits, _I1(0)))


def _checked_place_type(_context: Any, kinds: Sequence[Any]) -> Any:
    _numbers("an index", kinds, whole=True)
    return INT


def _checked_place(code: Code, _result: Any, kinds: Sequence[Any], values: Sequence[Any]) -> Any:
    place, length = (code.as_int64(kind, value) for kind, value in zip(kinds, values, strict=True))
    code.stop_if(code.builder.icmp_unsigned(">=", place, length))
    return place


# arrays and tuples


def _array(code: Code, kind: Any, value: Any) -> Any:
    return code.context.make_array(kind)(code.context, code.builder, value)


def widened(kind: Any) -> Any:
    """The type of an element once it is read."""
    if isinstance(kind, types.Integer):
        return WORD if kind == types.uint64 else INT
    return FLOAT if is_float(kind) else kind


def _item_type(context: Any, kinds: Sequence[Any]) -> Any:
    container, places = kinds
    indices = members_of(places)
    for index in indices:
        if not is_int(index):
            raise refused(f"it uses {in_words(index)} as an index; use an int")
    if isinstance(container, types.Array):
        if len(indices) > container.ndim:
            raise refused(f"it uses {len(indices)} indices for {in_words(container)}")
        rest = container.ndim - len(indices)
        return types.Array(container.dtype, rest, "C", readonly=True) if rest else widened(container.dtype)
    if isinstance(container, types.BaseTuple) and len(indices) == 1:
        if isinstance(indices[0], types.IntegerLiteral) and -len(container) <= indices[0].literal_value < len(container):
            return types.unliteral(members_of(container)[indices[0].literal_value])
        if isinstance(container, types.UniTuple | types.NamedUniTuple):
            return types.unliteral(container.dtype)
        raise refused("it uses an index of a tuple whose members differ; write the index as a number")
    del context
    raise refused(f"it uses an index of {in_words(container)}; only arrays and tuples have them")


def _item(code: Code, result: Any, kinds: Sequence[Any], values: Sequence[Any]) -> Any:
    container, places = kinds
    indices = members_of(places)
    given = [code.builder.extract_value(values[1], number) for number in range(len(indices))]
    if isinstance(container, types.Array):
        found = [code.as_int64(kind, value) for kind, value in zip(indices, given, strict=True)]
        return _element_at(code, result, container, values[0], found)
    if isinstance(indices[0], types.IntegerLiteral) and -len(container) <= indices[0].literal_value < len(container):
        return code.builder.extract_value(values[0], indices[0].literal_value % len(container))
    place = _place(code, code.as_int64(indices[0], given[0]), _I64(len(container)))
    plain = types.UniTuple(container.dtype, len(container))
    return _numba_s_own(code, operator.getitem, result, (plain, types.intp), (values[0], place))


def _place(code: Code, index: Any, length: Any) -> Any:
    """An index that counts from the start, and lies inside."""
    builder = code.builder
    if not code.checked:
        return index
    place = builder.select(code.negative(index), builder.add(index, length), index)
    code.stop_if(builder.icmp_unsigned(">=", place, length))
    return place


def _element_at(code: Code, result: Any, kind: Any, value: Any, indices: Sequence[Any]) -> Any:
    builder, context = code.builder, code.context
    array = _array(code, kind, value)
    shape = cgutils.unpack_tuple(builder, array.shape, kind.ndim)
    strides = cgutils.unpack_tuple(builder, array.strides, kind.ndim)
    places = [_place(code, index, length) for index, length in zip(indices, shape, strict=False)]
    if len(places) == kind.ndim:
        pointer = cgutils.get_item_pointer2(
            context, builder, data=array.data, shape=shape, strides=strides, layout="C", inds=places, wraparound=False
        )
        return _widened(code, result, kind.dtype, context.unpack_value(builder, kind.dtype, pointer))
    zeros = [_I64(0)] * (kind.ndim - len(places))
    pointer = cgutils.get_item_pointer2(
        context, builder, data=array.data, shape=shape, strides=strides, layout="C", inds=[*places, *zeros], wraparound=False
    )
    row = _array(code, result, None)
    rest = len(places)
    populate_array(row, pointer, shape[rest:], strides[rest:], array.itemsize, None)
    return row._getvalue()


def _widened(code: Code, result: Any, kind: Any, value: Any) -> Any:
    """An element as an int64, a float64, a word, or a truth value."""
    if is_bool(kind):
        return value
    if is_float(kind):
        return code.as_float(kind, value)
    return code.made(result, code.int_of(kind, value))


def _element_type(_context: Any, kinds: Sequence[Any]) -> Any:
    return widened(kinds[0])


def _element(code: Code, result: Any, kinds: Sequence[Any], values: Sequence[Any]) -> Any:
    if is_int(kinds[0]) or is_float(kinds[0]):
        return _widened(code, result, kinds[0], values[0])
    return values[0]


def _unpacked_type(_context: Any, kinds: Sequence[Any]) -> Any:
    values, count = kinds[0], kinds[1].literal_value
    if isinstance(values, types.Array):
        kind = types.Array(values.dtype, values.ndim - 1, "C", readonly=True) if values.ndim > 1 else widened(values.dtype)
        return types.UniTuple(kind, count)
    if isinstance(values, types.BaseTuple):
        if len(members_of(values)) != count:
            raise refused(f"it unpacks {in_words(values)} into {count} variables")
        return exact_type(values)
    raise refused(f"it unpacks {in_words(values)}; only tuples, states and arrays can be unpacked")


def _unpacked(code: Code, result: Any, kinds: Sequence[Any], values: Sequence[Any]) -> Any:
    kind, count = kinds[0], kinds[1].literal_value
    if isinstance(kind, types.BaseTuple):
        return _exact(code, result, [kind], values[:1])
    array = _array(code, kind, values[0])
    length = code.builder.extract_value(array.shape, 0)
    code.stop_if(code.builder.icmp_signed("!=", length, _I64(count)))
    parts = [_element_at(code, result.dtype, kind, values[0], [_I64(place)]) for place in range(count)]
    return code.context.make_tuple(code.builder, result, parts)


# what is to be known as a whole


def _exact_of(_context: Any, kinds: Sequence[Any]) -> Any:
    return exact_type(kinds[0])


def _exact(code: Code, result: Any, kinds: Sequence[Any], values: Sequence[Any]) -> Any:
    kind, value = types.unliteral(kinds[0]), values[0]
    if result == kind:
        return value
    if isinstance(kind, types.BaseTuple):
        parts = [
            _exact(code, exact_type(part), [part], [code.builder.extract_value(value, place)])
            for place, part in enumerate(members_of(kind))
        ]
        return code.context.make_tuple(code.builder, result, parts)
    return code.made(result, code.exact(kind, value))


def _count_type(_context: Any, kinds: Sequence[Any]) -> Any:
    if not is_int(kinds[0]):
        raise refused(f"it gives {in_words(kinds[0])} to range(); use an int")
    return INT


def _count(code: Code, _result: Any, kinds: Sequence[Any], values: Sequence[Any]) -> Any:
    return code.as_int64(kinds[0], values[0])


def _whole_type(_context: Any, kinds: Sequence[Any]) -> Any:
    if not is_int(kinds[0]):
        raise refused(f"a field of the state is {in_words(kinds[0])}, not an int; use // instead of /, or int()")
    return INT


def _field(code: Code, _result: Any, kinds: Sequence[Any], values: Sequence[Any]) -> Any:
    """A field of 64 bits: what is no negative int, as a word."""
    number = code.exact(kinds[0], values[0])
    if number.signed:
        code.stop_if(code.negative(number.low))
    return number.low


def _word_type(_context: Any, _kinds: Sequence[Any]) -> Any:
    return WORD


def _word(code: Code, result: Any, kinds: Sequence[Any], values: Sequence[Any]) -> Any:
    return code.made(result, Int(code.int_of(kinds[0], values[0]).low, None, signed=False))


def _bound_type(_context: Any, kinds: Sequence[Any]) -> Any:
    return types.unliteral(kinds[0])


def _bound(code: Code, _result: Any, _kinds: Sequence[Any], values: Sequence[Any]) -> Any:
    code.stop_if(code.builder.not_(values[1]))
    return values[0]


# what is known


def _low_type(_context: Any, kinds: Sequence[Any]) -> Any:
    return exact_type(kinds[0])


def _low(code: Code, result: Any, kinds: Sequence[Any], values: Sequence[Any]) -> Any:
    if types.unliteral(kinds[0]) == result:
        return values[0]
    number = code.int_of(kinds[0], values[0])
    return code.made(result, Int(number.low, None, number.signed))


def _accumulated(name: str) -> Generate:
    """A sum or difference that cannot overflow, as the loop was entered with room for it."""

    def generate(code: Code, result: Any, kinds: Sequence[Any], values: Sequence[Any]) -> Any:
        operation = "add" if name == "accumulate" else "sub"
        if is_float(result):
            one, other = (code.as_float(kind, value) for kind, value in zip(kinds, values, strict=True))
            return getattr(code.builder, f"f{operation}")(one, other)
        one, other = (code.as_int64(kind, value) for kind, value in zip(kinds, values, strict=True))
        return getattr(code.builder, operation)(one, other)

    return generate


ROOM = 1 << 62
MOST_TURNS = 1 << 40


def _room_type(_context: Any, kinds: Sequence[Any]) -> Any:
    _numbers("+", kinds)
    return FLOAT if is_float(kinds[0]) else INT


def _room(code: Code, result: Any, kinds: Sequence[Any], values: Sequence[Any]) -> Any:
    if is_float(result):
        return code.as_float(kinds[0], values[0])
    number = code.as_int64(kinds[0], values[0])
    code.stop_if(code.builder.icmp_unsigned(">", code.builder.add(number, _I64(ROOM)), _I64(2 * ROOM - 1)))
    return number


def _few_type(_context: Any, _kinds: Sequence[Any]) -> Any:
    return types.none


def _few(code: Code, _result: Any, kinds: Sequence[Any], values: Sequence[Any]) -> Any:
    least, beyond = (code.as_int64(kind, value) for kind, value in zip(kinds, values, strict=True))
    turns, over = code.overflowing("ssub", beyond, least)
    code.stop_if(code.builder.or_(over, code.builder.icmp_signed(">", turns, _I64(MOST_TURNS))))
    return code.context.get_dummy_value()


def _checked(code: Code, _result: Any, _kinds: Sequence[Any], _values: Sequence[Any]) -> Any:
    code.stop_if(code.builder.load(code.failed()))
    return code.context.get_dummy_value()


def _within(code: Code, _result: Any, kinds: Sequence[Any], values: Sequence[Any]) -> Any:
    number, least, beyond = (code.int_of(kind, value).low for kind, value in zip(kinds, values, strict=True))
    builder = code.builder
    if isinstance(kinds[1], types.IntegerLiteral) and kinds[1].literal_value == 0:
        builder.assume(builder.icmp_unsigned("<", number, beyond))
    builder.assume(builder.icmp_signed(">=", number, least))
    builder.assume(builder.icmp_signed("<", number, beyond))
    return number


def _within_type(_context: Any, _kinds: Sequence[Any]) -> Any:
    return INT


def _shaped_type(_context: Any, kinds: Sequence[Any]) -> Any:
    return kinds[0]


def _shaped(code: Code, _result: Any, kinds: Sequence[Any], values: Sequence[Any]) -> Any:
    """An array whose lengths are numbers in the code, so that it can be proved of indices that they lie inside."""
    array = _array(code, kinds[0], values[0])
    lengths = [_I64(part.literal_value) for part in kinds[1].types]
    strides = [_I64(part) for part in _strides([part.literal_value for part in kinds[1].types], kinds[0].dtype)]
    array.shape = cgutils.pack_array(code.builder, lengths, _I64)
    array.strides = cgutils.pack_array(code.builder, strides, _I64)
    return array._getvalue()


def _strides(lengths: Sequence[int], dtype: Any) -> list[int]:
    strides = [as_dtype(dtype).itemsize]
    for length in reversed(lengths[1:]):
        strides.insert(0, strides[0] * length)
    return strides


# math


def _libm(code: Code, name: str, numbers: Sequence[Any]) -> Any:
    """A function of the C library, as Python calls it: it has no answer where finite numbers give none that is finite."""
    builder = code.builder
    function = cgutils.get_or_insert_function(builder.module, ir.FunctionType(_F64, [_F64] * len(numbers)), name)
    function.attributes.add("nobuiltin")  # LLVM's own x * x for pow(x, 2) can differ in the last bit
    return _answer(code, builder.call(function, list(numbers)), numbers)


def _answer(code: Code, answer: Any, numbers: Sequence[Any]) -> Any:
    builder = code.builder

    def is_finite(number: Any) -> Any:
        return builder.fcmp_ordered("<", _intrinsic(code, "llvm.fabs", number), _F64(float("inf")))

    given_finite = is_finite(numbers[0])
    given_nan = builder.fcmp_unordered("uno", numbers[0], numbers[0])
    for number in numbers[1:]:
        given_finite = builder.and_(given_finite, is_finite(number))
        given_nan = builder.or_(given_nan, builder.fcmp_unordered("uno", number, number))
    is_nan = builder.fcmp_unordered("uno", answer, answer)
    none = builder.and_(is_nan, builder.not_(given_nan))
    beyond = builder.and_(given_finite, builder.not_(is_finite(answer)))
    code.stop_if(builder.or_(none, beyond))
    return answer


def _math_type(name: str, count: int) -> Typing:
    def typing(_context: Any, kinds: Sequence[Any]) -> Any:
        if len(kinds) != count:
            raise refused(f"it gives math.{name} {len(kinds)} numbers; compiled code takes {count}")
        _numbers(f"math.{name}", kinds)
        return BOOL if name in _TESTS else FLOAT

    return typing


def _math(name: str) -> Generate:
    def generate(code: Code, _result: Any, kinds: Sequence[Any], values: Sequence[Any]) -> Any:
        numbers = [code.as_float(kind, value) for kind, value in zip(kinds, values, strict=True)]
        if name == "sqrt":
            return _answer(code, _intrinsic(code, "llvm.sqrt", numbers[0]), numbers)
        if name == "fabs":
            return _intrinsic(code, "llvm.fabs", numbers[0])
        if name in ("degrees", "radians"):
            factor = 180.0 / 3.141592653589793 if name == "degrees" else 3.141592653589793 / 180.0
            return code.builder.fmul(numbers[0], _F64(factor))
        if name in _TESTS:
            return _TESTS[name](code, numbers[0])
        return _libm(code, name, numbers)

    return generate


def _is_finite(code: Code, number: Any) -> Any:
    return code.builder.fcmp_ordered("<", _intrinsic(code, "llvm.fabs", number), _F64(float("inf")))


_TESTS: dict[str, Callable[[Code, Any], Any]] = {
    "isnan": lambda code, number: code.builder.fcmp_unordered("uno", number, number),
    "isinf": lambda code, number: code.builder.fcmp_ordered("==", _intrinsic(code, "llvm.fabs", number), _F64(float("inf"))),
    "isfinite": _is_finite,
}


def _define_all() -> None:
    for name, sign in (("add", "+"), ("sub", "-"), ("mul", "*")):
        _arithmetic(name, sign)
    _define("lshift", _shift_type("<<"), _shifted_left)
    _define("rshift", _shift_type(">>"), _shifted_right)
    _define("neg", _number_type("-", _lazy), _negated)
    _define("pos", _number_type("+", _same_int), _unchanged)
    _define("invert", _inverted_type, _inverted)
    _define("abs", _number_type("abs()", _lazy), _absolute)
    for name, sign in (("and", "&"), ("or", "|"), ("xor", "^")):
        _define(name, _bits_type(name, sign), _bits(name))
    for name, sign in (("floordiv", "//"), ("mod", "%")):
        _define(name, _quotient_type(sign), _quotient(name))
    _define("divmod", _divmod_type, _divmod)
    _define("truediv", _true_quotient_type, _true_quotient)
    _define("pow", _power_type, _power, literal=True)
    for name, sign in _COMPARISONS.items():
        _define(name, _comparison_type(name, sign), _comparison(name, sign))
    for name in ("bool", "truth"):
        _define(name, _truth_type, _truth)
    _define("int", _to_int_type("int()"), _to_int)
    _define("float", _to_float_type, _to_float)
    _define("round", _to_int_type("round()"), _rounded)
    for name, sign in (("max", ">"), ("min", "<")):
        _define(name, _extreme_type(name), _extreme(sign))
    _define("len", _length_type, _length)
    _define("bit_count", _bit_count_type, _bit_count)
    _define("bit_length", _bit_count_type, _bit_length)
    _define("place", _checked_place_type, _checked_place)
    _define("item", _item_type, _item, literal=True)
    _define("unpacked", _unpacked_type, _unpacked, literal=True)
    _define("element", _element_type, _element)
    _define("exact", _exact_of, _exact)
    _define("count", _count_type, _count)
    _define("whole", _whole_type, _count)
    _define("field", _whole_type, _field)
    _define("word", _word_type, _word)
    _define("bound", _bound_type, _bound)
    _define("low", _low_type, _low)
    for name, sign in (("accumulate", "+"), ("decumulate", "-")):
        _define(name, _number_type(sign, lambda _kind: INT), _accumulated(name))
    _define("room", _room_type, _room)
    _define("few", _few_type, _few)
    _define("checked", _few_type, _checked)
    _define("within", _within_type, _within, literal=True)
    _define("shaped", _shaped_type, _shaped, literal=True)
    for name in MATH:
        if name in ("floor", "ceil", "trunc"):
            _define(f"math_{name}", _to_int_type(f"math.{name}"), _floor_or_ceil(name))
        else:
            _define(f"math_{name}", _math_type(name, 2 if name in _OF_TWO else 1), _math(name))


_OF_TWO = ("atan2", "fmod", "pow", "copysign")
_define_all()


@lower_cast(types.Integer, _Whole)  # type: ignore[untyped-decorator]
@lower_cast(types.Boolean, _Whole)  # type: ignore[untyped-decorator]
@lower_cast(_Whole, _Whole)  # type: ignore[untyped-decorator]
@lower_cast(_Whole, types.Float)  # type: ignore[untyped-decorator]
def _cast(context: Any, builder: Any, given: Any, wanted: Any, value: Any) -> Any:
    """A value as one of the type that it has in common with others in a variable."""
    code = Code(context, builder, _I64(RESULT_SITE))
    if is_float(wanted):
        return code.as_float(given, value)
    number = code.int_of(given, value)
    over = number.over
    if number.signed and not wanted.signed:
        over = code.either(over, code.negative(number.low))
    if not wanted.lazy:
        if over is not None:
            code.stop_if(over)
        over = None
    return code.made(wanted, Int(number.low, over, wanted.signed))
